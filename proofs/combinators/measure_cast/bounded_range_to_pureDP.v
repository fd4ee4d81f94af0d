(** [make_bounded_range_to_pureDP]: an interval of length eta that contains 0 lies in [-eta, eta]. *)
Require Import Reals.
From DP Require Import Expect PureToZCDP Measures.
Open Scope R_scope.

(** The map hands eta on. *)
Theorem make_bounded_range_to_pureDP {Y} eta (P Q : dist Y) : range_divergence eta P Q -> max_divergence eta P Q.
Proof. apply bounded_range_pure. Qed.
