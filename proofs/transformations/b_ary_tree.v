(** [make_b_ary_tree]: the sums of all blocks of a histogram, layer by layer. *)
Require Import Reals Lra Psatz Lia List Arith.
From DP Require Import Dataset Totals Rounding Maps categories norms.
Import ListNotations.
Open Scope R_scope.

(** The tree over anything that adds up, so that what it does to two histograms and to their difference is one. *)
Section Tree.
Context {T : Type} (add : T -> T -> T) (zero : T) (b : nat).

(** [layer.chunks(branching).map(|children| children.iter().sum())]; there are no more chunks than nodes. *)
Fixpoint chunk_sums (fuel : nat) (l : list T) : list T :=
  match fuel, l with
  | O, _ | _, [] => []
  | S fuel, _ => fold_right add zero (firstn b l) :: chunk_sums fuel (skipn b l)
  end.
Definition above (l : list T) : list T := chunk_sums (length l) l.

(** The layers from the bins up, until one has a single node; there are no more layers than bins. *)
Fixpoint layers_up (fuel : nat) (l : list T) : list (list T) :=
  match fuel with
  | O => [l]
  | S fuel => l :: if length l <=? 1 then [] else layers_up fuel (above l)
  end.
Definition tree (l : list T) : list T := concat (rev (layers_up (length l) l)).
End Tree.

(** [layers]: how many nodes each has, from the bins up. *)
Definition div_ceil (n b : nat) : nat := (n + b - 1) / b.
Fixpoint layers (fuel n b : nat) : list nat :=
  match fuel with
  | O => [n]
  | S fuel => n :: if n <=? 1 then [] else layers fuel (div_ceil n b) b
  end.

Section Shape.
Context {T : Type} (add : T -> T -> T) (zero : T) (b : nat) (Hb : (2 <= b)%nat).

Lemma chunk_sums_length fuel l : (length l <= fuel)%nat -> length (chunk_sums add zero b fuel l) = div_ceil (length l) b.
Proof.
  revert l; induction fuel as [|fuel IH]; intros [|a l] L; try (exfalso; simpl in L; lia).
  - unfold div_ceil; cbn [length]; rewrite (Nat.div_small (0 + b - 1)) by lia; reflexivity.
  - unfold div_ceil; cbn [length]; rewrite (Nat.div_small (0 + b - 1)) by lia; reflexivity.
  - cbn [chunk_sums length]; rewrite IH, skipn_length by (rewrite skipn_length; cbn [length] in *; lia).
    cbn [length]; unfold div_ceil; destruct (Nat.le_gt_cases (S (length l)) b) as [H|H].
    + replace (S (length l) - b)%nat with 0%nat by lia.
      rewrite (Nat.div_small (0 + b - 1)) by lia.
      apply (Nat.div_unique _ b 1 (length l)); lia.
    + replace (S (length l) + b - 1)%nat with (S (length l) - b + b - 1 + 1 * b)%nat by lia.
      rewrite Nat.div_add by lia; lia.
Qed.
Lemma above_length l : length (above add zero b l) = div_ceil (length l) b.
Proof. now apply chunk_sums_length. Qed.

Theorem tree_shape fuel l : map (@length T) (layers_up add zero b fuel l) = layers fuel (length l) b.
Proof.
  revert l; induction fuel as [|fuel IH]; intros l; simpl; auto; f_equal.
  destruct (length l <=? 1); auto; now rewrite IH, above_length.
Qed.

Lemma div_ceil_less n : (2 <= n)%nat -> (1 <= div_ceil n b < n)%nat.
Proof.
  intros H; unfold div_ceil; split.
  - apply Nat.div_le_lower_bound; lia.
  - apply Nat.div_lt_upper_bound; [lia|]; destruct b as [|[|k]]; [lia|lia|nia].
Qed.

(** The layers end with one node: fuel is no limit. *)
Theorem layers_end fuel n : (1 <= n <= S fuel)%nat -> last (layers fuel n b) 0%nat = 1%nat.
Proof.
  revert n; induction fuel as [|fuel IH]; intros n H; [simpl; lia|].
  cbn [layers]; destruct (Nat.leb_spec n 1); [simpl; lia|].
  pose proof (div_ceil_less n); specialize (IH (div_ceil n b)).
  destruct (layers fuel (div_ceil n b) b) eqn:E; [destruct fuel; discriminate|]; rewrite <- IH by lia; reflexivity.
Qed.
End Shape.

(** What respects sums respects trees. *)
Section Natural.
Context {T U : Type} (add : T -> T -> T) (zero : T) (add' : U -> U -> U) (zero' : U) (h : T -> U) (b : nat).
Hypothesis h_add : forall v w, h (add v w) = add' (h v) (h w).
Hypothesis h_zero : h zero = zero'.

Lemma chunk_sums_map fuel l : chunk_sums add' zero' b fuel (map h l) = map h (chunk_sums add zero b fuel l).
Proof.
  revert l; induction fuel as [|fuel IH]; intros l; [destruct l; reflexivity|].
  destruct l as [|a l]; [reflexivity|]; cbn [chunk_sums map].
  change (h a :: map h l) with (map h (a :: l)); rewrite skipn_map, firstn_map, IH; f_equal.
  generalize (firstn b (a :: l)); intros m; induction m as [|v m IHm]; simpl; auto; now rewrite IHm, h_add.
Qed.
Lemma layers_up_map fuel l : layers_up add' zero' b fuel (map h l) = map (map h) (layers_up add zero b fuel l).
Proof.
  revert l; induction fuel as [|fuel IH]; intros l; simpl; auto; f_equal; rewrite map_length.
  destruct (length l <=? 1); auto; unfold above; now rewrite map_length, chunk_sums_map, IH.
Qed.
Lemma tree_map l : tree add' zero' b (map h l) = map h (tree add zero b l).
Proof. unfold tree; now rewrite map_length, layers_up_map, <- map_rev, concat_map. Qed.
End Natural.

Section Stable.
Variables (C : category_metric) (b : nat) (Hb : (2 <= b)%nat).
Notation sums := (tree Rplus 0 b).
(** A layer is no farther away than the one below. *)
Lemma sum_size l : Rabs (fold_right Rplus 0 l) <= size l.
Proof.
  induction l as [|a l IH]; cbn [fold_right]; [rewrite Rabs_R0; apply size_nonneg|]; rewrite size_cons.
  pose proof (Rabs_triang a (fold_right Rplus 0 l)); lra.
Qed.
Lemma above_size l : size (above Rplus 0 b l) <= size l.
Proof.
  unfold above; assert (G : forall fuel l, size (chunk_sums Rplus 0 b fuel l) <= size l); [|apply G].
  clear l; induction fuel as [|fuel IH]; intros l; [simpl; apply size_nonneg|].
  destruct l as [|a l]; [simpl; lra|]; cbn [chunk_sums].
  set (l' := a :: l); rewrite <- (firstn_skipn b l') at 3; rewrite size_app, size_cons.
  pose proof (sum_size (firstn b l')); pose proof (IH (skipn b l')); lra.
Qed.
Lemma layers_size fuel l d : size l <= d -> forall layer, In layer (layers_up Rplus 0 b fuel l) -> size layer <= d.
Proof.
  revert l; induction fuel as [|fuel IH]; intros l H layer; simpl; [intros [<-|[]]; auto|].
  intros [<-|I]; auto; destruct (length l <=? 1); [contradiction|]; eapply IH; [|exact I].
  eapply Rle_trans; [apply above_size|exact H].
Qed.

(** What rises in a layer, altogether, and what falls. *)
Definition ups (l : list R) : R := fold_right Rplus 0 (map (Rmax 0) l).
Definition downs (l : list R) : R := ups (map Ropp l).
Lemma ups_nonneg l : 0 <= ups l.
Proof. induction l as [|v l IH]; unfold ups in *; simpl; [lra|]; pose proof (Rmax_l 0 v); lra. Qed.
Lemma ups_app l k : ups (l ++ k) = ups l + ups k.
Proof. unfold ups; rewrite map_app, fold_right_app; induction l as [|v l IH]; simpl; [ring|]; rewrite IH; ring. Qed.
Lemma ups_in v l : In v l -> v <= ups l.
Proof.
  induction l as [|w l IH]; [contradiction|]; pose proof (ups_nonneg l); unfold ups in *; simpl; pose proof (Rmax_l 0 w); pose proof (Rmax_r 0 w).
  intros [->|I]; [|specialize (IH I)]; lra.
Qed.
Lemma ups_downs l : ups l + downs l = size l.
Proof.
  induction l as [|v l IH]; [unfold ups, downs, size; simpl; unfold ups; simpl; ring|]; rewrite size_cons, <- IH.
  unfold downs, ups; simpl; unfold Rabs, Rmax; destruct (Rcase_abs v), (Rle_dec 0 v), (Rle_dec 0 (- v)); lra.
Qed.
Lemma sum_ups l : fold_right Rplus 0 l <= ups l.
Proof. induction l as [|v l IH]; unfold ups in *; simpl; [lra|]; pose proof (Rmax_r 0 v); lra. Qed.
Lemma above_ups fuel l : ups (chunk_sums Rplus 0 b fuel l) <= ups l.
Proof.
  revert l; induction fuel as [|fuel IH]; intros l; [apply ups_nonneg|].
  destruct l as [|a l]; [apply Rle_refl|]; cbn [chunk_sums]; set (l' := a :: l).
  rewrite <- (firstn_skipn b l') at 3; rewrite ups_app; pose proof (IH (skipn b l')); pose proof (sum_ups (firstn b l')); pose proof (ups_nonneg (firstn b l')).
  change (ups (fold_right Rplus 0 (firstn b l') :: chunk_sums Rplus 0 b fuel (skipn b l')))
    with (Rmax 0 (fold_right Rplus 0 (firstn b l')) + ups (chunk_sums Rplus 0 b fuel (skipn b l'))).
  assert (Rmax 0 (fold_right Rplus 0 (firstn b l')) <= ups (firstn b l')) by (apply Rmax_lub; auto); lra.
Qed.
Lemma above_downs l : downs (above Rplus 0 b l) <= downs l.
Proof.
  unfold downs, above; rewrite <- (chunk_sums_map Rplus 0 Rplus 0 Ropp b) by (intros; ring); apply above_ups.
Qed.
Lemma layers_ups fuel l p f : ups l <= p -> downs l <= f -> forall layer, In layer (layers_up Rplus 0 b fuel l) -> ups layer <= p /\ downs layer <= f.
Proof.
  revert l; induction fuel as [|fuel IH]; intros l P F layer; simpl; [intros [<-|[]]; auto|].
  intros [<-|I]; auto; destruct (length l <=? 1); [contradiction|]; eapply IH; [| |exact I].
  - eapply Rle_trans; [apply above_ups|exact P].
  - eapply Rle_trans; [apply above_downs|exact F].
Qed.

(** Layers of at most a size, put together. *)
Lemma size_concat ls d : (forall l, In l ls -> size l <= d) -> size (concat ls) <= INR (length ls) * d.
Proof.
  induction ls as [|l ls IH]; intros H; [unfold size; simpl; lra|]; cbn [concat length]; rewrite size_app, S_INR.
  pose proof (H l (or_introl eq_refl)); assert (size (concat ls) <= INR (length ls) * d) by (apply IH; intros; apply H; now right); lra.
Qed.
Lemma squared_concat ls d : 0 <= d -> (forall l, In l ls -> size l <= d) -> squared (concat ls) <= INR (length ls) * d ^ 2.
Proof.
  intros Hd; induction ls as [|l ls IH]; intros H; [unfold squared; simpl; lra|]; cbn [concat length]; rewrite squared_app, S_INR.
  pose proof (H l (or_introl eq_refl)); pose proof (squared_size l); pose proof (size_nonneg l).
  assert (size l ^ 2 <= d ^ 2) by (apply pow_incr; lra).
  assert (squared (concat ls) <= INR (length ls) * d ^ 2) by (apply IH; intros; apply H; now right); lra.
Qed.
Lemma span_concat ls p f : 0 <= p -> 0 <= f -> (forall l, In l ls -> ups l <= p /\ downs l <= f) ->
  span (length (concat ls)) (entries (concat ls)) <= p + f.
Proof.
  intros Hp Hf H; unfold span; apply Rplus_le_compat; apply rise_below; auto; intros j J; unfold entries;
    pose proof (nth_In (concat ls) 0 J) as I; apply in_concat in I; destruct I as (l & Il & I); destruct (H l Il) as [P F].
  - pose proof (ups_in _ l I); lra.
  - pose proof (ups_in (- nth j (concat ls) 0) (map Ropp l) (in_map Ropp l _ I)); unfold downs in F; lra.
Qed.

Lemma inf_sum_ones n : INR n <= norm_up L1Distance (repeat 1 n).
Proof.
  simpl; eapply Rle_trans; [|apply inf_sum_ge]; right.
  induction n as [|n IH]; [reflexivity|]; rewrite S_INR; simpl; rewrite <- IH; ring.
Qed.
Lemma abs_ones n : map Rabs (repeat 1 n) = repeat 1 n.
Proof. induction n; simpl; [reflexivity|]; now rewrite IHn, Rabs_R1. Qed.
(** A bin has a 1 in each layer: a vector whose entries move in one direction. *)
Lemma length_of_one n : (1 <= n)%nat -> 1 <= length_of C (repeat 1 n).
Proof.
  intros L; set (u := single (Some 0%nat) 1).
  apply Rle_trans with (norm C n u).
  - clear -L; subst u; induction n as [|n IH]; [lia|]; destruct n as [|n].
    + destruct C as [| |[]]; simpl; unfold single; simpl.
      * rewrite Rabs_R1; lra.
      * unfold l2; simpl; rewrite Rplus_0_l, !Rmult_1_r, sqrt_1; lra.
      * unfold span; simpl; rewrite Rmax_right, Rmax_left by lra; lra.
      * rewrite Rabs_R1; apply Rmax_r.
    + eapply Rle_trans; [apply IH; lia|]; set (u := single (Some 0%nat) 1).
      destruct C as [| |[]]; cbn [norm].
      * cbn [l1]; pose proof (Rabs_pos (u (S n))); lra.
      * rewrite (l2_step (S n)); rewrite <- (sqrt_pow2 (l2 (S n) u)) at 1 by apply l2_nonneg.
        apply sqrt_le_1_alt; pose proof (pow2_ge_0 (u (S n))); lra.
      * unfold span; apply Rplus_le_compat; apply Rmax_l.
      * apply Rmax_l.
  - rewrite <- (repeat_length 1 n) at 1; apply length_of_sound; intros j s E; left.
    apply nth_error_In, repeat_spec in E; subst s; unfold u, single; destruct (Nat.eqb 0 j); lra.
Qed.

Lemma norm_concat ls d p f : 0 <= p -> 0 <= f -> p + f <= d -> (1 <= length ls)%nat -> (forall l, In l ls -> size l <= d) ->
  (forall l, In l ls -> ups l <= p /\ downs l <= f) ->
  norm C (length (concat ls)) (entries (concat ls)) <= d * length_of C (repeat 1 (length ls)).
Proof.
  intros Hp Hf Hd Hl H HS; pose proof (length_of_one (length ls) Hl) as ONE.
  destruct C as [| |[]]; cbn [norm].
  - cbn [length_of]; rewrite abs_ones; eapply Rle_trans; [apply (size_concat ls d H)|].
    pose proof (inf_sum_ones (length ls)); rewrite Rmult_comm; apply Rmult_le_compat_l; [lra|auto].
  - unfold l2; fold (squared (concat ls)); apply Rle_trans with (sqrt (INR (length ls) * d ^ 2)); [apply sqrt_le_1_alt, squared_concat; [lra|auto]|].
    rewrite sqrt_mult, sqrt_pow2 by (lra || auto using pos_INR; apply pow2_ge_0).
    assert (S : sqrt (INR (length ls)) <= length_of L2Distance (repeat 1 (length ls))).
    { apply Rle_trans with (norm L2Distance (length ls) (fun _ => 1)).
      - simpl; apply sqrt_le_1_alt; right; clear; induction (length ls); [reflexivity|]; rewrite S_INR; cbn [squares]; rewrite <- IHn; ring.
      - rewrite <- (repeat_length 1 (length ls)) at 1; apply length_of_sound; intros j s E; left.
        apply nth_error_In, repeat_spec in E; subst s; lra. }
    rewrite Rmult_comm; apply Rmult_le_compat_l; [lra|auto].
  - apply Rle_trans with (d * 1); [|apply Rmult_le_compat_l; lra]; rewrite Rmult_1_r.
    eapply Rle_trans; [apply (span_concat ls p f)|]; auto.
  - eapply Rle_trans; [apply (linf_le _ _ d); [lra|]|rewrite <- (Rmult_1_r d) at 1; apply Rmult_le_compat_l; lra].
    intros j; unfold entries; destruct (nth_in_or_default j (concat ls) 0) as [I| ->]; [|rewrite Rabs_R0; lra].
    apply in_concat in I; destruct I as (l & Il & I); exact (Rle_trans _ _ _ (entry_size l _ I) (H l Il)).
Qed.

(** The map: [d_in.inf_mul(output_metric.length_of(&[1.0; layers])?)]. *)
Definition tree_map_of (n : nat) (d : R) : R := inf_mul d (length_of C (repeat 1 (length (layers n n b)))).

Theorem make_b_ary_tree_stable n d x y : (1 <= n)%nat -> length x = n -> length y = n ->
  distance l1 x y <= d -> length (sums x) = length (sums y) /\ distance (norm C) (sums x) (sums y) <= tree_map_of n d.
Proof.
  unfold distance; intros Hn Ex Ey H; rewrite Ex in H.
  set (both := combine x y); set (minus := fun p : R * R => fst p - snd p).
  set (add := fun p q : R * R => (fst p + fst q, snd p + snd q)).
  assert (Fx : map fst both = x).
  { unfold both; clear -Ex Ey; subst n; revert y Ey; induction x; intros [|v y] E; try discriminate; simpl; f_equal; auto. }
  assert (Fy : map snd both = y).
  { unfold both; clear -Ex Ey; subst n; revert y Ey; induction x; intros [|v y] E; try discriminate; simpl; f_equal; auto. }
  assert (Tx : sums x = map fst (tree add (0, 0) b both)) by (rewrite <- Fx; apply (tree_map add (0, 0) Rplus 0 fst b); reflexivity).
  assert (Ty : sums y = map snd (tree add (0, 0) b both)) by (rewrite <- Fy; apply (tree_map add (0, 0) Rplus 0 snd b); reflexivity).
  assert (Tm : sums (map minus both) = map minus (tree add (0, 0) b both)).
  { apply (tree_map add (0, 0) Rplus 0 minus b); unfold minus, add; simpl; intros; ring. }
  assert (D : forall l : list (R * R), forall j, vminus (entries (map fst l)) (entries (map snd l)) j = entries (map minus l) j).
  { intros l; induction l as [|p l IH]; intros [|j]; unfold vminus, entries in *; simpl; try ring; [reflexivity|apply IH]. }
  split; [now rewrite Tx, Ty, !map_length|].
  set (w := map minus both) in *; assert (Lw : length w = n) by (unfold w; rewrite map_length, <- Ex, <- Fx, map_length; auto).
  assert (Sw : size w <= d).
  { unfold size; rewrite Lw; eapply Rle_trans; [|exact H]; right; apply (norm_ext _ (l1_seminorm n)).
    intros j; unfold w; rewrite <- D, Fx, Fy; reflexivity. }
  rewrite (norm_ext _ (norm_seminorm C _) _ (entries (sums w))) by (intros j; rewrite Tx, Ty, Tm; apply D).
  replace (length (sums x)) with (length (sums w)) by (rewrite Tx, Tm, !map_length; auto).
  assert (Hd : 0 <= d) by (pose proof (size_nonneg w); lra).
  unfold tree_map_of, tree; rewrite Lw.
  assert (LL : length (rev (layers_up Rplus 0 b n w)) = length (layers n n b)).
  { rewrite rev_length, <- (map_length (@length R)), (tree_shape Rplus 0 b Hb), Lw; auto. }
  eapply Rle_trans; [apply (norm_concat _ d (ups w) (downs w)); auto using ups_nonneg|].
  - apply ups_nonneg.
  - now rewrite ups_downs.
  - rewrite LL; destruct n; [lia|]; simpl; lia.
  - intros l I; apply in_rev in I; eapply layers_size; eauto.
  - intros l I; apply in_rev in I; eapply layers_ups; [apply Rle_refl|apply Rle_refl|exact I].
  - rewrite LL; unfold inf_mul; apply up_ge.
Qed.
End Stable.
