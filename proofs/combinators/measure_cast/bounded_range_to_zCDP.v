(** [make_bounded_range_to_zCDP]: a range of eta is eta^2/8, for all orders. *)
Require Import Reals Lra.
From DP Require Import Expect PureToZCDP Measures DualRenyi Rounding.
Open Scope R_scope.

(** Computed exactly, and rounded up once. *)
Definition bounded_range_to_zcdp (eta : R) : R := up (eta * eta / 8).

Theorem make_bounded_range_to_zCDP {Y} eta (P Q : dist Y) :
  range_divergence eta P Q -> zero_concentrated (bounded_range_to_zcdp eta) P Q.
Proof.
  intros H; assert (E : 0 <= eta) by (destruct H as (t & U & L); pose proof (bounded_range_zero _ _ _ _ U L); lra).
  assert (B : eta * eta / 8 <= bounded_range_to_zcdp eta) by apply up_ge.
  split; (eapply zCDP_mono; [exact B|]); apply bounded_range_zCDP; auto using bounded_range_symmetric.
Qed.
