(** What counting and summing by category have in common: how far one row can move a vector. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Dataset Totals Rounding Maps.
Open Scope R_scope.

(** A row adds a number to the entry of its category, if it has one. *)
Definition single (p : option nat) (v : R) : vector :=
  fun j => match p with Some i => if Nat.eqb i j then v else 0 | None => 0 end.

Lemma l1_single n p v : l1 n (single p v) <= Rabs v.
Proof.
  assert (E : l1 n (single p v) = match p with Some i => if Nat.ltb i n then Rabs v else 0 | None => 0 end).
  { induction n; simpl l1; [destruct p; auto|]; rewrite IHn; unfold single; destruct p as [i|]; [|rewrite Rabs_R0; ring].
    destruct (Nat.eqb_spec i n), (Nat.ltb_spec i n), (Nat.ltb_spec i (S n)); try lia; rewrite ?Rabs_R0; ring. }
  rewrite E; pose proof (Rabs_pos v); destruct p as [i|]; [destruct (Nat.ltb i n)|]; lra.
Qed.

Lemma squares_single n p v : squares n (single p v) <= v ^ 2.
Proof.
  assert (E : squares n (single p v) = match p with Some i => if Nat.ltb i n then v ^ 2 else 0 | None => 0 end).
  { induction n; cbn [squares]; [destruct p; auto|]; rewrite IHn; unfold single; destruct p as [i|]; [|ring].
    destruct (Nat.eqb_spec i n), (Nat.ltb_spec i n), (Nat.ltb_spec i (S n)); try lia; ring. }
  rewrite E; pose proof (pow2_ge_0 v); destruct p as [i|]; [destruct (Nat.ltb i n)|]; lra.
Qed.

Lemma sqrt_pow2_abs v : sqrt (v ^ 2) = Rabs v.
Proof. rewrite <- Rsqr_pow2; apply sqrt_Rsqr_abs. Qed.

Lemma l2_single n p v : l2 n (single p v) <= Rabs v.
Proof. rewrite <- sqrt_pow2_abs; apply sqrt_le_1_alt, squares_single. Qed.

(** Two numbers in one entry, or none: a single one. *)
Lemma same_entry p v w j : vminus (single p v) (single p w) j = single p (v - w) j.
Proof. unfold vminus, single; destruct p as [i|]; [destruct (Nat.eqb i j)|]; ring. Qed.

(** In two entries, the squares add up. *)
Lemma squares_apart n p q v w : p <> q ->
  squares n (vminus (single p v) (single q w)) <= v ^ 2 + w ^ 2.
Proof.
  intros H.
  assert (E : squares n (vminus (single p v) (single q w)) = squares n (single p v) + squares n (single q w)).
  { assert (Z : forall j, single p v j * single q w j = 0).
    { intros j; unfold single; destruct p as [i|], q as [k|]; try ring.
      destruct (Nat.eqb_spec i j), (Nat.eqb_spec k j); subst; try ring; now elim H. }
    induction n; cbn [squares]; [ring|]; rewrite IHn; unfold vminus; specialize (Z n); nra. }
  rewrite E; pose proof (squares_single n p v); pose proof (squares_single n q w); lra.
Qed.

(** A single entry rises or falls. *)
Lemma linf_single n p v : linf n (single p v) <= Rabs v.
Proof.
  apply linf_le; [apply Rabs_pos|]; intros j; unfold single; pose proof (Rabs_pos v).
  destruct p as [i|]; [destruct (Nat.eqb i j)|]; rewrite ?Rabs_R0; lra.
Qed.

Lemma span_single n p v : span n (single p v) <= Rabs v.
Proof.
  assert (E : forall s, rise n (fun j => s * single p v j) <= Rmax 0 (s * v)).
  { intros s; apply rise_le; [apply Rmax_l|]; intros j; unfold single.
    pose proof (Rmax_l 0 (s * v)); pose proof (Rmax_r 0 (s * v)).
    destruct p as [i|]; [destruct (Nat.eqb i j)|]; lra. }
  unfold span; rewrite (rise_ext n (single p v) (fun j => 1 * single p v j)) by (intros j; ring).
  rewrite (rise_ext n (fun j => - single p v j) (fun j => -1 * single p v j)) by (intros j; ring).
  pose proof (E 1) as E1; pose proof (E (-1)) as E2; rewrite Rmult_1_l in E1.
  unfold Rmax, Rabs in *; destruct (Rle_dec 0 v), (Rle_dec 0 (-1 * v)), (Rcase_abs v); lra.
Qed.

(** Of two entries, the larger counts. *)
Lemma linf_apart n p q v w m : p <> q -> Rabs v <= m -> Rabs w <= m ->
  linf n (vminus (single p v) (single q w)) <= m.
Proof.
  intros H Hv Hw; pose proof (Rabs_pos v); apply linf_le; [lra|]; intros j; unfold vminus, single.
  destruct p as [i|], q as [k|]; try (destruct (Nat.eqb_spec i j)); try (destruct (Nat.eqb_spec k j));
    try (subst; now elim H); rewrite ?Rminus_0_r, ?Rminus_0_l, ?Rabs_Ropp, ?Rabs_R0; lra.
Qed.

(** The norms, and [CategoryMetric::step]. *)
Inductive category_metric := L1Distance | L2Distance | LInfDistance (monotonic : bool).
Definition norm (C : category_metric) (n : nat) : vector -> R :=
  match C with
  | L1Distance => l1 n | L2Distance => l2 n
  | LInfDistance monotonic => if monotonic then span n else linf n
  end.
Lemma norm_seminorm C n : seminorm (norm C n).
Proof. destruct C as [| |[]]; [apply l1_seminorm|apply l2_seminorm|apply span_seminorm|apply linf_seminorm]. Qed.

Definition inf_sqrt (x : R) : R := up (sqrt x).
Definition step (C : category_metric) (c : row_change) (magnitude range : R) : R :=
  match c, C with
  | AddOrRemove, _ => magnitude
  | Replace, L1Distance => Rmax range (inf_mul magnitude 2)
  | Replace, L2Distance => Rmax range (inf_mul magnitude (inf_sqrt 2))
  | Replace, LInfDistance monotonic => if monotonic then Rmax range (inf_mul magnitude 2) else Rmax range magnitude
  end.

Lemma norm_single C n p v m : Rabs v <= m -> norm C n (single p v) <= m.
Proof.
  intros H; destruct C as [| |[]]; simpl; [pose proof (l1_single n p v)|pose proof (l2_single n p v)
    |pose proof (span_single n p v)|pose proof (linf_single n p v)]; lra.
Qed.

Lemma option_dec (p q : option nat) : {p = q} + {p <> q}.
Proof. decide equality; apply Nat.eq_dec. Qed.

Theorem norm_replaced C n p q v w m r : Rabs v <= m -> Rabs w <= m -> Rabs (v - w) <= r ->
  norm C n (vminus (single p v) (single q w)) <= step C Replace m r.
Proof.
  intros Hv Hw Hr; pose proof (Rabs_pos v) as Pv.
  destruct (option_dec p q) as [<-|E].
  - rewrite (norm_ext _ (norm_seminorm C n) _ _ (same_entry p v w)).
    apply Rle_trans with r; [now apply norm_single|destruct C as [| |[]]; apply Rmax_l].
  - destruct C as [| |[]]; cbn [step norm].
    + eapply Rle_trans; [|apply Rmax_r].
      apply Rle_trans with (m * 2); [|apply inf_mul_ge; lra].
      eapply Rle_trans; [apply norm_minus, l1_seminorm|].
      pose proof (l1_single n p v); pose proof (l1_single n q w); lra.
    + eapply Rle_trans; [|apply Rmax_r].
      apply Rle_trans with (m * sqrt 2).
      * replace (m * sqrt 2) with (sqrt (m ^ 2 * 2)).
        { apply sqrt_le_1_alt; eapply Rle_trans; [now apply squares_apart|].
          assert (v ^ 2 <= m ^ 2) by (rewrite <- (pow2_abs v); apply pow_incr; lra).
          assert (w ^ 2 <= m ^ 2) by (rewrite <- (pow2_abs w); apply pow_incr; split; [apply Rabs_pos|lra]).
          lra. }
        rewrite sqrt_mult by (try apply pow2_ge_0; lra); rewrite sqrt_pow2_abs, Rabs_pos_eq by lra; reflexivity.
      * apply inf_mul_ge; split; try lra; [apply sqrt_pos|apply up_ge].
    + eapply Rle_trans; [|apply Rmax_r].
      apply Rle_trans with (m * 2); [|apply inf_mul_ge; lra].
      eapply Rle_trans; [apply norm_minus, span_seminorm|].
      pose proof (span_single n p v); pose proof (span_single n q w); lra.
    + eapply Rle_trans; [|apply Rmax_r]; now apply linf_apart.
Qed.

Lemma step_nonneg C c m r : 0 <= m -> 0 <= r -> 0 <= step C c m r.
Proof.
  intros; destruct c, C as [| |[]]; simpl; auto; (apply Rle_trans with r; [auto|apply Rmax_l]).
Qed.

(** Totals by category: rows have a category, whose entry is [position], and a number. *)
Section Totals.
Context {K : Type} (position : K -> option nat) (C : category_metric) (n : nat).
Definition contribution (row : K * R) : vector := single (position (fst row)) (snd row).

Theorem by_category_stable M m r d x y : 0 <= m -> 0 <= r ->
  (forall row, In row x \/ In row y -> Rabs (snd row) <= m) ->
  (forall a b, In a x -> In b y -> Rabs (snd a - snd b) <= r) -> apart M d x y ->
  norm C n (vminus (total contribution x) (total contribution y)) <= moved d (step C (unit M) m r).
Proof.
  intros Hm Hr B R H; apply apart_unit in H.
  pose proof (norm_seminorm C n) as N; pose proof (step_nonneg C (unit M) m r Hm Hr) as S.
  destruct (unit M).
  - eapply Rle_trans; [apply symmetric_total with (m := m); eauto|apply moved_sound; simpl; lra].
    intros a Ha; apply norm_single; auto.
  - eapply Rle_trans; [apply change_one_total with (step := step C Replace m r); eauto|apply moved_sound; lra].
    intros a b Ha Hb; apply norm_replaced; auto.
Qed.
End Totals.
