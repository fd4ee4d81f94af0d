(** [make_GDP_to_approxDP]: delta for epsilon, and epsilon for delta. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Theta Normal GaussianDivergence Measures.
Open Scope R_scope.

Lemma told_as_one {Y} epsilon upper (P Q : dist Y) : close epsilon upper P Q -> close epsilon (Rmin upper 1) P Q.
Proof.
  intros H; unfold Rmin; destruct (Rle_dec upper 1); auto.
  intros f Hf; pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); pose proof (exp_pos epsilon); nra.
Qed.

(** The profile: at every epsilon a number that is not below the formula's. *)
Theorem make_GDP_to_approxDP {Y} mu (upper : R -> R) (P Q : dist Y) : 0 < mu ->
  (forall epsilon, 0 <= epsilon -> gaussian_delta mu epsilon <= upper epsilon) ->
  gaussian_divergence mu P Q -> smoothed_max_divergence (fun epsilon => Rmin (upper epsilon) 1) P Q.
Proof.
  intros M B [PQ QP] epsilon E.
  split; apply told_as_one; (eapply close_mono; [apply Rle_refl|exact (B epsilon E)|]); now apply no_easier_close.
Qed.
Theorem make_GDP_to_approxDP_zero {Y} (P Q : dist Y) : gaussian_divergence 0 P Q -> smoothed_max_divergence (fun _ => 0) P Q.
Proof.
  intros [PQ QP] epsilon E.
  assert (X : forall P Q : dist Y, no_easier 0 P Q -> close epsilon 0 P Q); [|auto].
  clear P Q PQ QP; intros P Q H f F; pose proof (no_easier_none P Q H f F); pose proof (Ex_unit Q f F).
  pose proof (exp_ineq1_le epsilon); nra.
Qed.

(** [gaussian_epsilon]: what is seen to do, or the bound of Chernoff, each rounded up. *)
Lemma tail_of_hill t : 0 <= t -> Phi (- t) <= exp (- (t * t / 2)) / 2.
Proof.
  intros T; pose proof (under_above 0 t 0 1 (exp (- (t * t / 2))) 0 t) as U.
  replace (0 - t) with (- t) in U by ring; replace (t - t) with 0 in U by ring; rewrite Phi_zero in U.
  enough (1 * Phi (- t) <= exp (- (t * t / 2)) * / 2 + 0 * Phi (- t)) by lra; apply U.
  intros x X; unfold under, hill, RoundedGaussian.bell; rewrite Rmult_1_l, Rmult_0_l, Rplus_0_r, <- exp_plus; apply exp_le; nra.
Qed.
Theorem by_chernoff mu epsilon delta : 0 < mu -> 0 < delta <= 1 -> mu * (mu / 2 + sqrt (2 * - ln delta)) <= epsilon ->
  gaussian_delta mu epsilon <= delta.
Proof.
  intros M D H.
  assert (L : 0 <= - ln delta) by (assert (ln delta <= ln 1); [destruct (proj2 D) as [X| ->]; [left; now apply ln_increasing|lra]|rewrite ln_1 in *; lra]).
  set (t := epsilon / mu - mu / 2).
  assert (T : sqrt (2 * - ln delta) <= t).
  { apply Rmult_le_reg_l with mu; auto; unfold t; replace (mu * (epsilon / mu - mu / 2)) with (epsilon - mu * (mu / 2)) by (field; lra); lra. }
  pose proof (sqrt_pos (2 * - ln delta)) as S; pose proof (sqrt_sqrt (2 * - ln delta) ltac:(lra)) as SS.
  pose proof (tail_of_hill t ltac:(lra)) as B; assert (Q : 2 * - ln delta <= t * t) by nra.
  assert (E : exp (- (t * t / 2)) <= delta) by (rewrite <- (exp_ln delta) by lra; apply exp_le; lra).
  unfold gaussian_delta; replace (mu / 2 - epsilon / mu) with (- t) by (unfold t; ring).
  pose proof (exp_pos epsilon); pose proof (Phi_range (- mu / 2 - epsilon / mu)).
  assert (0 <= exp epsilon * Phi (- mu / 2 - epsilon / mu)) by (apply Rmult_le_pos; lra); lra.
Qed.
Theorem gaussian_epsilon {Y} mu delta seen chernoff (P Q : dist Y) : 0 < mu -> 0 < delta <= 1 ->
  gaussian_delta mu seen <= delta -> mu * (mu / 2 + sqrt (2 * - ln delta)) <= chernoff ->
  gaussian_divergence mu P Q -> close (Rmin seen chernoff) delta P Q /\ close (Rmin seen chernoff) delta Q P.
Proof.
  intros M D S C [PQ QP]; pose proof (by_chernoff mu chernoff delta M D C).
  unfold Rmin; destruct (Rle_dec seen chernoff);
    split; (eapply close_mono; [apply Rle_refl| |apply no_easier_close; eassumption]); auto.
Qed.
