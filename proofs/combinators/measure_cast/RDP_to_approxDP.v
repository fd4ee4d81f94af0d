(** [make_RDP_to_approxDP]: delta for epsilon, and epsilon for delta, at any order 1 + t of a curve. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Renyi DualRenyi Measures zCDP_to_RDP zCDP_to_approxDP.
Open Scope R_scope.

(** [Delta] of [RenyiCurve::delta]. *)
Definition renyi_bound (divergence epsilon t : R) : R := exp (t * (divergence - epsilon) - entropy t).

Lemma renyi_bound_is_delta divergence epsilon t : 0 < t ->
  renyi_bound divergence epsilon t = delta_of (1 + t) divergence epsilon.
Proof.
  intros Ht; unfold renyi_bound, delta_of, Rpower, entropy.
  replace (1 - / (1 + t)) with (t / (1 + t)) by (field; lra).
  unfold Rdiv; rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
  replace (1 + t - 1) with t by ring.
  replace (/ t) with (exp (- ln t)) by (rewrite exp_Ropp, exp_ln; auto).
  rewrite <- !exp_plus; f_equal; ring.
Qed.

(** No search is trusted: [t] may be anything above 0. *)
Theorem renyi_delta_any_order {Y} curve epsilon t upper (P Q : dist Y) : 0 < t ->
  renyi_bound (curve (1 + t)) epsilon t <= upper -> renyi_divergence curve P Q ->
  close epsilon (Rmin upper 1) P Q /\ close epsilon (Rmin upper 1) Q P.
Proof.
  intros Ht B H; rewrite renyi_bound_is_delta in B by auto; destruct (H (1 + t) ltac:(lra)) as [PQ QP].
  assert (X : forall P Q : dist Y, renyi (1 + t) (curve (1 + t)) P Q -> close epsilon (Rmin upper 1) P Q).
  { clear P Q H PQ QP; intros P Q H; unfold Rmin; destruct (Rle_dec upper 1).
    - eapply close_mono; [apply Rle_refl|exact B|apply renyi_close; auto; lra].
    - intros f Hf; pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); pose proof (exp_pos epsilon); nra. }
  auto.
Qed.

(** A bound on the divergences of all orders is pure privacy. *)
Theorem renyi_pure {Y} epsilon (P Q : dist Y) : renyi_divergence (fun _ => epsilon) P Q ->
  close epsilon 0 P Q /\ close epsilon 0 Q P.
Proof.
  intros H; assert (B : forall t, 0 < t -> renyi_bound epsilon epsilon t <= / (1 + t)).
  { intros t Ht; rewrite <- (exp_ln (/ (1 + t))), ln_Rinv by (try apply Rinv_0_lt_compat; lra).
    unfold renyi_bound, entropy; assert (ln t < ln (1 + t)) by (apply ln_increasing; lra).
    assert (X : t * (epsilon - epsilon) - ((t + 1) * ln (1 + t) - t * ln t) <= - ln (1 + t)) by nra.
    destruct X as [X| ->]; [left; now apply exp_increasing|lra]. }
  assert (X : forall t, 0 < t -> close epsilon (/ (1 + t)) P Q /\ close epsilon (/ (1 + t)) Q P).
  { intros t Ht; destruct (renyi_delta_any_order (fun _ => epsilon) epsilon t _ P Q Ht (B t Ht) H).
    split; (eapply close_mono; [apply Rle_refl|apply Rmin_l|eassumption]). }
  assert (L : forall P Q : dist Y, (forall t, 0 < t -> close epsilon (/ (1 + t)) P Q) -> close epsilon 0 P Q).
  { clear P Q H X; intros P Q X f Hf; apply Rnot_lt_le; intros C.
    set (gap := Ex P f - (exp epsilon * Ex Q f + 0)) in *; assert (G : 0 < gap) by (unfold gap; lra).
    assert (Ht : 0 < / gap) by (now apply Rinv_0_lt_compat); specialize (X (/ gap) Ht f Hf).
    assert (/ (1 + / gap) < gap).
    { apply Rmult_lt_reg_r with (1 + / gap); [lra|]; rewrite Rinv_l by lra.
      rewrite Rmult_plus_distr_l, Rinv_r by lra; lra. }
    unfold gap in *; lra. }
  split; apply L; apply X.
Qed.

(** The profile: at every epsilon either all divergences are below it, and delta is 0; or some order, and a number that is not
    below the bound at that order. *)
Theorem make_RDP_to_approxDP {Y} curve (profile : R -> R) (P Q : dist Y) :
  (forall epsilon, 0 <= epsilon ->
    (profile epsilon = 0 /\ forall al, 1 < al -> curve al <= epsilon) \/
    (exists t upper, 0 < t /\ renyi_bound (curve (1 + t)) epsilon t <= upper /\ profile epsilon = Rmin upper 1)) ->
  renyi_divergence curve P Q -> smoothed_max_divergence profile P Q.
Proof.
  intros H R epsilon E; destruct (H epsilon E) as [[-> B]|(t & upper & Ht & B & ->)].
  - apply renyi_pure; intros al Ha; destruct (R al Ha) as [PQ QP]; specialize (B al Ha).
    split; (eapply zCDP_to_RDP.renyi_mono; [exact Ha|exact B|eassumption]).
  - now apply renyi_delta_any_order with (t := t) (curve := curve).
Qed.

(** [Epsilon] of [RenyiCurve::epsilon], cut at 0. *)
Theorem renyi_epsilon_any_order {Y} curve delta t upper (P Q : dist Y) : 0 < t -> 0 < delta ->
  curve (1 + t) - (ln delta + entropy t) / t <= upper -> renyi_divergence curve P Q ->
  close (Rmax upper 0) delta P Q /\ close (Rmax upper 0) delta Q P.
Proof.
  intros Ht Hd B R; assert (D : renyi_bound (curve (1 + t)) (Rmax upper 0) t <= delta).
  { rewrite <- (exp_ln delta) by auto; unfold renyi_bound; pose proof (Rmax_l upper 0).
    assert (M : t * (curve (1 + t) - (ln delta + entropy t) / t) <= t * Rmax upper 0) by (apply Rmult_le_compat_l; lra).
    replace (t * (curve (1 + t) - (ln delta + entropy t) / t)) with
      (t * curve (1 + t) - ln delta - entropy t) in M by (field; lra).
    assert (X : t * (curve (1 + t) - Rmax upper 0) - entropy t <= ln delta) by lra.
    destruct X as [X| ->]; [left; now apply exp_increasing|lra]. }
  destruct (renyi_delta_any_order curve (Rmax upper 0) t delta P Q Ht D R) as [F G].
  split; (eapply close_mono; [apply Rle_refl|apply Rmin_l|eassumption]).
Qed.
