(** [make_pureDP_to_approxDP]: pure privacy is (epsilon, 0), by mixtures and by events. *)
Require Import Reals Lra.
From DP Require Import Expect Approx Measures approximate.
Open Scope R_scope.

Theorem make_pureDP_to_approxDP {Y} epsilon (P Q : dist Y) :
  max_divergence epsilon P Q -> approximate max_divergence epsilon 0 P Q /\ close epsilon 0 P Q /\ close epsilon 0 Q P.
Proof. intros H; split; [now apply make_approximate|exact H]. Qed.
