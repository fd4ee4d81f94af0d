(** [make_zCDP_to_approxDP]: delta for epsilon, and epsilon for delta, at any order 1 + t. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Renyi DualRenyi Measures.
Open Scope R_scope.

(** [entropy]. *)
Definition entropy (t : R) : R := (t + 1) * ln (1 + t) - t * ln t.
(** [Bound] of [cdp_delta]. *)
Definition bound (rho epsilon t : R) : R := exp (t * (rho * t + (rho - epsilon)) - entropy t).

Lemma bound_is_delta rho epsilon t : 0 < t -> bound rho epsilon t = delta_of (1 + t) ((1 + t) * rho) epsilon.
Proof.
  intros Ht; unfold bound, delta_of, Rpower, entropy.
  replace (1 - / (1 + t)) with (t / (1 + t)) by (field; lra).
  unfold Rdiv; rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
  replace (1 + t - 1) with t by ring.
  replace (/ t) with (exp (- ln t)) by (rewrite exp_Ropp, exp_ln; auto).
  rewrite <- !exp_plus; f_equal; ring.
Qed.

(** No search is trusted: [t] may be anything above 0. *)
Theorem cdp_delta_any_order {Y} rho epsilon t upper (P Q : dist Y) : 0 < t -> bound rho epsilon t <= upper ->
  zero_concentrated rho P Q -> close epsilon (Rmin upper 1) P Q /\ close epsilon (Rmin upper 1) Q P.
Proof.
  intros Ht B [PQ QP]; rewrite bound_is_delta in B by auto.
  assert (X : forall P Q : dist Y, zCDP rho P Q -> close epsilon (Rmin upper 1) P Q).
  { clear P Q PQ QP; intros P Q H; unfold Rmin; destruct (Rle_dec upper 1).
    - eapply zCDP_close with (al := 1 + t); eauto; lra.
    - intros f Hf; pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); pose proof (exp_pos epsilon); nra. }
  auto.
Qed.

(** The profile: at every epsilon some order, and a number that is not below the bound at that order. *)
Theorem make_zCDP_to_approxDP {Y} rho (order upper : R -> R) (P Q : dist Y) :
  (forall epsilon, 0 <= epsilon -> 0 < order epsilon /\ bound rho epsilon (order epsilon) <= upper epsilon) ->
  zero_concentrated rho P Q -> smoothed_max_divergence (fun epsilon => Rmin (upper epsilon) 1) P Q.
Proof.
  intros H Z epsilon E; destruct (H epsilon E); now apply cdp_delta_any_order with (t := order epsilon) (rho := rho).
Qed.

(** Without a loss there is no delta: let t grow. *)
Theorem make_zCDP_to_approxDP_zero {Y} (P Q : dist Y) : zero_concentrated 0 P Q ->
  smoothed_max_divergence (fun _ => 0) P Q.
Proof.
  intros Z epsilon E.
  assert (B : forall t, 0 < t -> bound 0 epsilon t <= / (1 + t)).
  { intros t Ht; rewrite <- (exp_ln (/ (1 + t))), ln_Rinv by (try apply Rinv_0_lt_compat; lra).
    unfold bound, entropy; assert (ln t < ln (1 + t)) by (apply ln_increasing; lra).
    assert (X : t * (0 * t + (0 - epsilon)) - ((t + 1) * ln (1 + t) - t * ln t) <= - ln (1 + t)) by nra.
    destruct X as [X| ->]; [left; now apply exp_increasing|lra]. }
  assert (X : forall P Q : dist Y, zero_concentrated 0 P Q -> close epsilon 0 P Q).
  { clear P Q Z; intros P Q Z f Hf; apply Rnot_lt_le; intros C.
    set (gap := Ex P f - (exp epsilon * Ex Q f + 0)) in *; assert (G : 0 < gap) by (unfold gap; lra).
    assert (Ht : 0 < / gap) by now apply Rinv_0_lt_compat.
    destruct (cdp_delta_any_order 0 epsilon (/ gap) _ P Q Ht (B _ Ht) Z) as [D _].
    specialize (D f Hf); pose proof (Rmin_l (/ (1 + / gap)) 1).
    assert (/ (1 + / gap) < gap).
    { apply Rmult_lt_reg_r with (1 + / gap); [lra|]; rewrite Rinv_l by lra.
      rewrite Rmult_plus_distr_l, Rinv_r by lra; lra. }
    unfold gap in *; lra. }
  split; apply X; destruct Z; split; auto.
Qed.

(** [cdp_epsilon], which [PrivacyProfile::epsilon] reads: the same bound, solved for epsilon. *)
Theorem cdp_epsilon_any_order {Y} rho delta t upper (P Q : dist Y) : 0 < t -> 0 < delta ->
  rho * (t + 1) + (- ln delta - entropy t) / t <= upper -> zero_concentrated rho P Q ->
  close (Rmax upper 0) delta P Q /\ close (Rmax upper 0) delta Q P.
Proof.
  intros Ht Hd B [PQ QP].
  assert (D : bound rho (Rmax upper 0) t <= delta).
  { rewrite <- (exp_ln delta) by auto; unfold bound; pose proof (Rmax_l upper 0).
    assert (M : t * (rho * (t + 1) + (- ln delta - entropy t) / t) <= t * Rmax upper 0) by
      (apply Rmult_le_compat_l; lra).
    replace (t * (rho * (t + 1) + (- ln delta - entropy t) / t)) with
      (t * (rho * t + rho) - ln delta - entropy t) in M by (field; lra).
    assert (X : t * (rho * t + (rho - Rmax upper 0)) - entropy t <= ln delta) by lra.
    destruct X as [X| ->]; [left; now apply exp_increasing|lra]. }
  rewrite bound_is_delta in D by auto.
  split; eapply zCDP_close with (al := 1 + t); eauto; lra.
Qed.

(** Beside a probability of failure, which stays as it is. *)
Theorem make_zCDP_to_approxDP_beside_failure {Y} rho failure (order upper : R -> R) (P Q : dist Y) :
  (forall epsilon, 0 <= epsilon -> 0 < order epsilon /\ bound rho epsilon (order epsilon) <= upper epsilon) ->
  approximate zero_concentrated rho failure P Q ->
  approximate smoothed_max_divergence (fun epsilon => Rmin (upper epsilon) 1) failure P Q.
Proof.
  intros H (P' & P'' & Q' & Q'' & HP & HQ & C); exists P', P'', Q', Q''; repeat split; auto;
    now apply (make_zCDP_to_approxDP rho order upper P' Q' H C).
Qed.
