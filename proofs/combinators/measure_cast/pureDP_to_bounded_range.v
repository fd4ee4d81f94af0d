(** [make_pureDP_to_bounded_range]: the interval [-epsilon, epsilon] has length 2 epsilon. *)
Require Import Reals Lra.
From DP Require Import Expect PureToZCDP Measures Rounding.
Open Scope R_scope.

(** [epsilon.inf_mul(2.0)?]. *)
Definition pure_to_bounded_range (epsilon : R) : R := inf_mul epsilon 2.

Theorem make_pureDP_to_bounded_range {Y} epsilon (P Q : dist Y) :
  max_divergence epsilon P Q -> range_divergence (pure_to_bounded_range epsilon) P Q.
Proof.
  intros [PQ QP]; apply bounded_range_mono with (2 * epsilon); [|now apply pure_bounded_range].
  rewrite Rmult_comm; apply up_ge.
Qed.
