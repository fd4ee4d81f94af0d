(** [make_approximate]: closeness under any measure, except with probability 0. *)
Require Import Reals Lra.
From DP Require Import Expect Measures.
Open Scope R_scope.

Theorem make_approximate {Y T} (D : T -> dist Y -> dist Y -> Prop) d (P Q : dist Y) :
  D d P Q -> approximate D d 0 P Q.
Proof. intros H; exists P, P, Q, Q; repeat split; auto; intros f _; ring. Qed.
