(** [make_norm_clip]: every vector no longer than a radius, whatever is rounded on the way. *)
Require Import Reals Lra Psatz Lia List.
From Flocq Require Import Core.Core.
From DP Require Import Dataset Rows Totals Rounding categories norms row_by_row.
Import ListNotations.
Open Scope R_scope.

(** Floats that are not NaN. *)
Inductive number := Finite (v : R) | Infinite (positive : bool).

Section Clip.
Variables (radius : R) (Hr : 0 < radius).

Definition large : R := 2 ^ 500.
Definition ratio (x : number) : R := match x with Finite v => Rmin (inf_div (Rabs v) radius) large | Infinite _ => large end.
Definition sign (x : number) : R :=
  match x with Finite v => if Rlt_dec v 0 then -1 else 1 | Infinite positive => if positive then 1 else -1 end.
(** [neg_inf_div], [neg_inf_mul] *)
Definition part (length r : R) : R := dn (dn (r / length) * radius).
Definition value (x : number) : R := match x with Finite v => v | Infinite _ => 0 end.

(** [shortened]: a vector that is seen to be short stays, which no infinity is; others are scaled. *)
Definition shortened (length : list R -> R) (x : list number) : list R :=
  let ratios := map ratio x in
  if Rle_dec (length ratios) 1 then map value x else map (fun v => sign v * part (length ratios) (ratio v)) x.

(** [f64::clamp], of numbers and infinities. *)
Definition clamp (x : number) : R :=
  match x with
  | Finite v => if Rlt_dec v (- radius) then - radius else if Rlt_dec radius v then radius else v
  | Infinite positive => if positive then radius else - radius
  end.

Definition clip (p : ball_norm) (x : list number) : list R :=
  match p with
  | LInf => map clamp x
  | L1 => shortened inf_sum x
  | L2 => shortened (fun ratios => inf_sqrt (inf_sum (map (fun r => inf_mul r r) ratios))) x
  end.

Lemma large_above : 1 < large.
Proof. unfold large; apply Rlt_pow_R1; [lra|apply Nat.lt_0_succ]. Qed.
Lemma ratio_nonneg x : 0 <= ratio x.
Proof.
  pose proof large_above; destruct x; simpl; [apply Rmin_glb; [|lra]|lra]; unfold inf_div.
  eapply Rle_trans; [|apply up_ge]; apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat].
Qed.
Lemma ratio_small x : ratio x <= 1 -> (exists v, x = Finite v) /\ Rabs (value x) <= radius * ratio x.
Proof.
  pose proof large_above; destruct x as [v|]; simpl; [|lra]; intros H'; split; [now exists v|].
  unfold Rmin in *; destruct (Rle_dec (inf_div (Rabs v) radius) large); [|lra].
  pose proof (inf_div_ge (Rabs v) (Rabs v) radius (Rle_refl _) Hr) as D.
  apply Rmult_le_compat_l with (r := radius) in D; [|lra].
  replace (radius * (Rabs v / radius)) with (Rabs v) in D by (field; lra); exact D.
Qed.

Lemma dn_nonneg x : 0 <= x -> 0 <= dn x.
Proof. intros H; unfold dn; apply round_ge_generic; auto with typeclass_instances; apply generic_format_0. Qed.
Lemma part_sound length r : 0 < length -> 0 <= r -> 0 <= part length r <= radius * (r / length).
Proof.
  intros Hl H; unfold part.
  assert (Q : 0 <= r / length) by (apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat]).
  pose proof (dn_nonneg _ Q); pose proof (dn_le (r / length)); pose proof (dn_le (dn (r / length) * radius)).
  split; [apply dn_nonneg; nra|nra].
Qed.
Lemma sign_size x : Rabs (sign x) = 1.
Proof.
  destruct x as [v|[]]; simpl; [destruct (Rlt_dec v 0)|..]; rewrite ?Rabs_R1; auto; rewrite Rabs_left; lra.
Qed.
Lemma scaled_size length x : 0 < length -> Rabs (sign x * part length (ratio x)) <= radius / length * ratio x.
Proof.
  intros H; pose proof (part_sound length (ratio x) H (ratio_nonneg x)).
  rewrite Rabs_mult, sign_size, Rmult_1_l, Rabs_pos_eq by lra.
  replace (radius / length * ratio x) with (radius * (ratio x / length)) by (field; lra); lra.
Qed.

Lemma size_map (f : number -> R) k x : (forall v, In v x -> Rabs (f v) <= k * ratio v) ->
  size (map f x) <= k * fold_right Rplus 0 (map ratio x).
Proof.
  induction x as [|v x IH]; intros H; cbn [map fold_right]; [unfold size; simpl; lra|]; rewrite size_cons.
  pose proof (H v (or_introl eq_refl)); assert (IH' := IH (fun w I => H w (or_intror I))); lra.
Qed.
Lemma squared_map (f : number -> R) k x : (forall v, In v x -> Rabs (f v) <= k * ratio v) ->
  squared (map f x) <= k ^ 2 * fold_right Rplus 0 (map (fun r => r * r) (map ratio x)).
Proof.
  induction x as [|v x IH]; intros H; [unfold squared; simpl; lra|].
  pose proof (H v (or_introl eq_refl)) as B; assert (IH' := IH (fun w I => H w (or_intror I))).
  assert (S : f v ^ 2 <= (k * ratio v) ^ 2) by (rewrite <- pow2_abs; apply pow_incr; split; [apply Rabs_pos|exact B]).
  set (T := fold_right Rplus 0 (map (fun r => r * r) (map ratio x))) in *.
  change (fold_right Rplus 0 (map (fun r => r * r) (map ratio (v :: x)))) with (ratio v * ratio v + T).
  cbn [map]; rewrite squared_cons.
  replace (k ^ 2 * (ratio v * ratio v + T)) with ((k * ratio v) ^ 2 + k ^ 2 * T) by ring; lra.
Qed.

Lemma sum_one l r : (forall s, In s l -> 0 <= s) -> In r l -> r <= fold_right Rplus 0 l.
Proof.
  induction l as [|s l IH]; intros H; simpl; [contradiction|].
  assert (P : 0 <= fold_right Rplus 0 l).
  { clear IH; induction l as [|t l IH]; simpl; [lra|].
    assert (0 <= t) by (apply H; right; now left).
    assert (0 <= fold_right Rplus 0 l) by (apply IH; intros q [->|I]; apply H; [now left|right; now right]); lra. }
  intros [->|I]; [lra|]; pose proof (H s (or_introl eq_refl)); pose proof (IH (fun q J => H q (or_intror J)) I); lra.
Qed.

Lemma squares_up_sum l : fold_right Rplus 0 (map (fun r => r * r) l) <= inf_sum (map (fun r => inf_mul r r) l).
Proof.
  eapply Rle_trans; [|apply inf_sum_ge]; induction l as [|r l IH]; simpl; [lra|].
  pose proof (up_ge (r * r)); unfold inf_mul; unfold inf_mul in IH; lra.
Qed.

Theorem clip_length p x : length (clip p x) = length x.
Proof. destruct p; simpl; unfold shortened; try destruct (Rle_dec _ 1); apply map_length. Qed.

Theorem clip_member p x : ball p (length x) (entries (clip p x)) <= radius.
Proof.
  rewrite <- (clip_length p x); destruct p; cbn [ball].
  - fold (size (clip L1 x)); simpl clip; unfold shortened; set (ratios := map ratio x).
    assert (G : fold_right Rplus 0 ratios <= inf_sum ratios) by apply inf_sum_ge.
    assert (Z : forall s, In s ratios -> 0 <= s) by (intros s I; apply in_map_iff in I; destruct I as (v & <- & _); apply ratio_nonneg).
    destruct (Rle_dec (inf_sum ratios) 1) as [S|S].
    + eapply Rle_trans; [apply (size_map value radius)|fold ratios; nra].
      intros v I; apply ratio_small; pose proof (sum_one ratios (ratio v) Z (in_map ratio x v I)); lra.
    + assert (P : 0 < inf_sum ratios) by lra.
      eapply Rle_trans; [apply (size_map _ (radius / inf_sum ratios)); intros v _; now apply scaled_size|].
      fold ratios; apply Rle_trans with (radius / inf_sum ratios * inf_sum ratios); [|right; field; lra].
      apply Rmult_le_compat_l; auto; apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat].
  - unfold l2; fold (squared (clip L2 x)); rewrite <- (sqrt_pow2 radius) by lra; apply sqrt_le_1_alt.
    simpl clip; unfold shortened; set (ratios := map ratio x); set (T := inf_sum _).
    assert (G : fold_right Rplus 0 (map (fun r => r * r) ratios) <= T) by apply squares_up_sum.
    assert (Z : forall s, In s (map (fun r => r * r) ratios) -> 0 <= s).
    { intros s I; apply in_map_iff in I; destruct I as (r & <- & _); nra. }
    assert (N : sqrt T <= inf_sqrt T) by apply up_ge.
    assert (T0 : 0 <= T).
    { eapply Rle_trans; [|exact G]; clear -Z; induction (map (fun r => r * r) ratios) as [|t l IH]; simpl; [lra|].
      pose proof (Z t (or_introl eq_refl)); pose proof (IH (fun q J => Z q (or_intror J))); lra. }
    pose proof (sqrt_pos T); pose proof (sqrt_sqrt T T0) as Q.
    destruct (Rle_dec (inf_sqrt T) 1) as [S|S].
    + assert (T <= 1) by nra.
      eapply Rle_trans; [apply (squared_map value radius)|fold ratios; pose proof (pow2_ge_0 radius); nra].
      intros v I; apply ratio_small.
      assert (In (ratio v * ratio v) (map (fun r => r * r) ratios)) by (apply (in_map (fun r => r * r)), in_map, I).
      pose proof (sum_one _ _ Z H1); pose proof (ratio_nonneg v); nra.
    + assert (P : 0 < inf_sqrt T) by lra.
      eapply Rle_trans; [apply (squared_map _ (radius / inf_sqrt T)); intros v _; now apply scaled_size|].
      fold ratios; apply Rle_trans with ((radius / inf_sqrt T) ^ 2 * inf_sqrt T ^ 2); [|right; field; lra].
      apply Rmult_le_compat_l; [apply pow2_ge_0|]; nra.
  - apply linf_le; [lra|]; intros j; unfold entries; simpl clip.
    destruct (nth_in_or_default j (map clamp x) 0) as [I| ->]; [|rewrite Rabs_R0; lra].
    apply in_map_iff in I; destruct I as (v & <- & _); apply Rabs_le.
    destruct v as [v|[]]; simpl; [|lra|lra]; destruct (Rlt_dec v (- radius)); [lra|]; destruct (Rlt_dec radius v); lra.
Qed.

(** What stays is the vector itself: no infinity is among its numbers. *)
Lemma short_finite x : (forall v, In v x -> ratio v <= 1) -> x = map Finite (map value x).
Proof.
  intros B; induction x as [|v x IH]; simpl; auto; rewrite <- IH by (intros; apply B; now right).
  destruct (ratio_small v (B v (or_introl eq_refl))) as [[w ->] _]; reflexivity.
Qed.
Theorem clip_short x :
  (inf_sum (map ratio x) <= 1 -> x = map Finite (clip L1 x)) /\
  (inf_sqrt (inf_sum (map (fun r => inf_mul r r) (map ratio x))) <= 1 -> x = map Finite (clip L2 x)).
Proof.
  assert (Z : forall s, In s (map ratio x) -> 0 <= s) by (intros s I; apply in_map_iff in I; destruct I as (v & <- & _); apply ratio_nonneg).
  split; intros S; cbn [clip]; unfold shortened; (destruct (Rle_dec _ 1); [|contradiction]); apply short_finite; intros v I.
  - pose proof (sum_one _ _ Z (in_map ratio x v I)); pose proof (inf_sum_ge (map ratio x)); lra.
  - pose proof (squares_up_sum (map ratio x)) as G; set (T := inf_sum _) in *.
    assert (Z2 : forall s, In s (map (fun r => r * r) (map ratio x)) -> 0 <= s).
    { intros s J; apply in_map_iff in J; destruct J as (q & <- & _); nra. }
    assert (J : In (ratio v * ratio v) (map (fun r => r * r) (map ratio x))) by (apply (in_map (fun r => r * r)), in_map, I).
    pose proof (sum_one _ _ Z2 J); pose proof (ratio_nonneg v).
    assert (T0 : 0 <= T) by nra; assert (N : sqrt T <= inf_sqrt T) by apply up_ge.
    pose proof (sqrt_pos T); pose proof (sqrt_sqrt T T0); nra.
Qed.

Theorem make_norm_clip_member p n parts t r : row_member parts t (fun x : list number => length x = n) r ->
  row_member parts t (fun y => length y = n /\ ball p n (entries y) <= radius) (on_last_part parts (clip p) r).
Proof.
  apply on_last_part_member; intros x <-; split; [apply clip_length|apply clip_member].
Qed.

Theorem make_norm_clip_rows p parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts (clip p)) x) (map (on_last_part parts (clip p)) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_norm_clip_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) p parts d
    (x y : list (row (K :: parts) (list number))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) (clip p)) x) (map (on_last_part (K :: parts) (clip p)) y).
Proof. apply on_last_part_individuals. Qed.
End Clip.
