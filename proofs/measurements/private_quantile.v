(** [make_private_quantile]: selection by how many rows lie on the wrong side of a candidate. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Dataset Totals Measures Rounding Maps exponential permute_and_flip.
Import ListNotations.
Open Scope R_scope.

Section Scores.
(** In units of 2^-16 rows: [units] is 2^16, and [level] the quantile. *)
Variables (units level : R) (Hl : 0 <= level <= units) (candidate : nat -> R) (n : nat).

(** A row is below a candidate, above it, or equal to it. *)
Definition side (row : R) : vector :=
  fun j => if Rlt_dec row (candidate j) then units - level else if Rlt_dec (candidate j) row then - level else 0.
(** [-((UNITS - level) rows_below - level rows_above).abs()]. *)
Definition quantile_scores (rows : list R) : vector := fun j => - Rabs (total side rows j).

Definition row_moves (M : row_metric) : R := match unit M with AddOrRemove => Rmax level (units - level) | Replace => units end.

Lemma linf_mono u v : (forall j, Rabs (u j) <= Rabs (v j)) -> linf n u <= linf n v.
Proof. intros H; induction n; simpl; [lra|]; unfold Rmax; specialize (H n0);
  destruct (Rle_dec (linf n0 u) (Rabs (u n0))), (Rle_dec (linf n0 v) (Rabs (v n0))); lra. Qed.

Theorem quantile_scores_stable M d x y : apart M d x y ->
  linf n (vminus (quantile_scores x) (quantile_scores y)) <= moved d (row_moves M).
Proof.
  intros H; apply Rle_trans with (linf n (vminus (total side x) (total side y))).
  - apply linf_mono; intros j; unfold vminus, quantile_scores.
    replace (- Rabs (total side x j) - - Rabs (total side y j)) with (- (Rabs (total side x j) - Rabs (total side y j))) by ring.
    rewrite Rabs_Ropp; apply Rabs_triang_inv2.
  - pose proof (Rmax_l level (units - level)); pose proof (Rmax_r level (units - level)).
    apply apart_unit in H; unfold row_moves; destruct (unit M).
    + eapply Rle_trans; [apply symmetric_total with (m := Rmax level (units - level)); eauto using linf_seminorm; [lra|]|
        apply moved_sound; lra].
      intros row _; apply linf_le; [lra|]; intros j; unfold side.
      destruct (Rlt_dec row (candidate j)); [|destruct (Rlt_dec (candidate j) row)]; apply Rabs_le; lra.
    + eapply Rle_trans; [apply change_one_total with (step := units); eauto using linf_seminorm; [lra|]|apply moved_sound; lra].
      intros a b _ _; apply linf_le; [lra|]; intros j; unfold vminus, side.
      destruct (Rlt_dec a (candidate j)), (Rlt_dec b (candidate j)), (Rlt_dec (candidate j) a), (Rlt_dec (candidate j) b);
        apply Rabs_le; lra.
Qed.

(** The winner of the scores at a scale in the same units, then its candidate. *)
Variables (Hn : (0 < n)%nat) (scale : R) (Hs : 0 < scale).
Definition quantile_range (M : row_metric) (d : nat) : R := selection_range false (moved d (row_moves M)) scale.
Definition quantile_eta (M : row_metric) (d : nat) : R := selection_eta false (moved d (row_moves M)) scale.

Theorem make_private_quantile_pure M d x y : apart M d x y ->
  max_divergence (quantile_range M d) (dmap candidate (flip n Hn scale Hs (quantile_scores x)))
    (dmap candidate (flip n Hn scale Hs (quantile_scores y))).
Proof.
  intros H; destruct (make_permute_and_flip n Hn scale Hs false _ _ _ (quantile_scores_stable M d x y H)).
  split; now apply Approx.post_processing.
Qed.
Theorem make_private_quantile_range M d x y : apart M d x y ->
  range_divergence (quantile_range M d) (dmap candidate (select n Hn scale (quantile_scores x)))
    (dmap candidate (select n Hn scale (quantile_scores y))).
Proof.
  intros H; destruct (make_exponential_range n Hn scale Hs false _ _ _ (quantile_scores_stable M d x y H)) as (t & U & L).
  exists t; split; now apply Approx.post_processing.
Qed.
Theorem make_private_quantile_zero_concentrated M d x y : apart M d x y ->
  zero_concentrated (selection_rho (quantile_eta M d)) (dmap candidate (select n Hn scale (quantile_scores x)))
    (dmap candidate (select n Hn scale (quantile_scores y))).
Proof.
  intros H; destruct (make_exponential_zero_concentrated n Hn scale Hs false _ _ _ (quantile_scores_stable M d x y H)).
  split; now apply DualRenyi.zCDP_post_processing.
Qed.
End Scores.
