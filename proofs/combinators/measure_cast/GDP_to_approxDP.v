(** [make_GDP_to_approxDP]: delta for epsilon, and epsilon for delta. *)
Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DP Require NormalSeries.
From DP Require Import Expect Approx Theta Normal GaussianIntegral Mills GaussianDivergence Measures.
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

(** What is evaluated, with the ratio of Mills: in either form, and for a small mu by the slope of the ratio in the middle. *)
Definition density (a : R) : R := exp (- (a * a / 2)) * / sqrt (2 * PI).
Theorem delta_by_mills mu epsilon : 0 < mu ->
  let a := epsilon / mu - mu / 2 in let b := epsilon / mu + mu / 2 in
  gaussian_delta mu epsilon = density a * (mills a - mills b) /\ gaussian_delta mu epsilon = 1 - density a * (mills (- a) + mills b).
Proof.
  intros M a b.
  assert (D : density a = hill 0 a * / whole) by (unfold density, hill, RoundedGaussian.bell; rewrite whole_value; do 3 f_equal; field).
  pose proof whole_pos as W; pose proof (hill_pos 0 a) as Ha; pose proof (hill_pos 0 b) as Hb.
  assert (E : hill 0 a = exp epsilon * hill 0 b).
  { unfold hill, RoundedGaussian.bell; rewrite <- exp_plus; f_equal; unfold a, b; field; lra. }
  assert (X : gaussian_delta mu epsilon = Phi (- a) - exp epsilon * Phi (- b)).
  { unfold gaussian_delta; replace (mu / 2 - epsilon / mu) with (- a) by (unfold a; ring); replace (- mu / 2 - epsilon / mu) with (- b) by (unfold b; field; lra); reflexivity. }
  assert (MA : density a * mills a = Phi (- a)) by (unfold mills; rewrite D; field; lra).
  assert (MA' : density a * mills (- a) = 1 - Phi (- a)).
  { unfold mills; rewrite <- Phi_opp, D; replace (hill 0 (- a)) with (hill 0 a) by (unfold hill, RoundedGaussian.bell; do 2 f_equal; ring).
    field; lra. }
  assert (MB : density a * mills b = exp epsilon * Phi (- b)) by (unfold mills; rewrite D, E; field; lra).
  rewrite X; split; [rewrite Rmult_minus_distr_l, MA, MB; reflexivity|rewrite Rmult_plus_distr_l, MA', MB; ring].
Qed.
Theorem delta_of_small_mu mu epsilon : 0 < mu <= / 1000 -> 0 <= epsilon ->
  let middle := epsilon / mu in let slope := 1 - middle * mills middle in let scaled := density (middle - mu / 2) * mu in
  scaled * slope <= gaussian_delta mu epsilon <= scaled * (slope + 7 / 80 * (mu * mu)).
Proof.
  intros M E middle slope scaled; destruct (delta_by_mills mu epsilon) as [D _]; [lra|]; cbv zeta in D; fold middle in D; rewrite D; unfold scaled.
  assert (P : 0 <= density (middle - mu / 2)).
  { unfold density; apply Rmult_le_pos; [left; apply exp_pos|left; apply Rinv_0_lt_compat; rewrite <- whole_value; apply whole_pos]. }
  assert (Hm : 0 <= middle) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  destruct (mills_difference middle mu Hm ltac:(lra)) as [L U]; change (g middle) with slope in *.
  rewrite !Rmult_assoc; split; now apply Rmult_le_compat_l.
Qed.

(** What certificates compare values with is this formula. *)
Lemma series_Phi x : NormalSeries.Phi x = Phi x.
Proof.
  unfold NormalSeries.Phi, Phi, RoundedGaussian.G, RoundedGaussian.area; rewrite whole_value; unfold Rdiv; rewrite Rmult_comm; do 2 f_equal.
  apply RInt_ext; intros t _; unfold NormalSeries.gauss, RoundedGaussian.bell; f_equal; rewrite Rminus_0_r; field.
Qed.
Theorem certified_delta mu epsilon : NormalSeries.normal_delta mu epsilon = gaussian_delta mu epsilon.
Proof.
  unfold NormalSeries.normal_delta, gaussian_delta; rewrite !series_Phi; do 3 f_equal; unfold Rdiv; ring.
Qed.
