(** [make_pureDP_to_PLD]: the losses of a response, as of a pair whose delta is 0. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Measures fixed_approxDP_to_approxDP fixed_approxDP_to_PLD.
Open Scope R_scope.

Theorem make_pureDP_to_PLD {Y} own (P Q : dist Y) : 0 <= own -> (own <= 600 -> max_divergence own P Q) ->
  let '(own', delta') := losses_of_pair own 0 in
  forall Hd' : 0 <= delta' <= 1, privacy_loss (told_or_response own' delta' Hd' true) (told_or_response own' delta' Hd' false) P Q.
Proof.
  intros Ho G; apply make_fixed_approxDP_to_PLD; [lra|exact Ho|].
  intros L _; exists P, P, Q, Q; repeat split; try (intros f _; ring); now apply G.
Qed.
