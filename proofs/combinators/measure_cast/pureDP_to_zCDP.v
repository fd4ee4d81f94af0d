(** [make_pureDP_to_zCDP]: epsilon is epsilon tanh (epsilon / 2), for all orders. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx DualRenyi PureToZCDP PureTanh Measures.
Open Scope R_scope.

(** [EpsilonTanh]: [-epsilon (e^-epsilon - 1) / (2 + (e^-epsilon - 1))]. *)
Definition epsilon_tanh (epsilon : R) : R := let shrunk := exp (- epsilon) - 1 in - epsilon * shrunk / (2 + shrunk).

Lemma epsilon_tanh_is_tanh e : epsilon_tanh e = e * tanh (e / 2).
Proof.
  unfold epsilon_tanh, tanh, sinh, cosh; set (h := exp (e / 2)); assert (H : 0 < h) by apply exp_pos.
  assert (E : exp (- e) = / h * / h) by (unfold h; rewrite <- exp_Ropp, <- exp_plus; f_equal; field).
  rewrite E, exp_Ropp; fold h; field; repeat split; nra.
Qed.

(** The upper end of an enclosure, cut at epsilon. *)
Theorem make_pureDP_to_zCDP {Y} epsilon upper (P Q : dist Y) : 0 <= epsilon -> epsilon_tanh epsilon <= upper ->
  max_divergence epsilon P Q -> zero_concentrated (Rmin upper epsilon) P Q.
Proof.
  intros He B [PQ QP]; rewrite epsilon_tanh_is_tanh in B.
  assert (L : epsilon * tanh (epsilon / 2) <= Rmin upper epsilon).
  { apply Rmin_glb; auto; pose proof (slope_pos (epsilon / 2)).
    assert (tanh (epsilon / 2) <= 1) by nra; nra. }
  split; (eapply zCDP_mono; [exact L|]); now apply pure_tanh_zCDP.
Qed.
