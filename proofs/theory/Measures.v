(** The library's measures, in both directions as it asks for them. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx DualRenyi PureToZCDP.
Open Scope R_scope.

Definition max_divergence {Y} (e : R) (P Q : dist Y) : Prop := close e 0 P Q /\ close e 0 Q P.
(** Symmetric by itself: [bounded_range_symmetric]. *)
Definition range_divergence {Y} (eta : R) (P Q : dist Y) : Prop := bounded_range eta P Q.
Definition zero_concentrated {Y} (r : R) (P Q : dist Y) : Prop := zCDP r P Q /\ zCDP r Q P.
(** A curve bounds the divergence of every order above 1. *)
Definition renyi_divergence {Y} (curve : R -> R) (P Q : dist Y) : Prop :=
  forall al, 1 < al -> renyi al (curve al) P Q /\ renyi al (curve al) Q P.
(** A profile gives a delta for every epsilon. *)
Definition smoothed_max_divergence {Y} (profile : R -> R) (P Q : dist Y) : Prop :=
  forall e, 0 <= e -> close e (profile e) P Q /\ close e (profile e) Q P.

(** Closeness under [D] but for a weight [del]: both laws are mixtures, and their main parts are close. *)
Definition mixture {Y} (del : R) (P P' P'' : dist Y) : Prop :=
  forall f, bounded f -> Ex P f = (1 - del) * Ex P' f + del * Ex P'' f.
Definition approximate {Y T} (D : T -> dist Y -> dist Y -> Prop) (d : T) (del : R) (P Q : dist Y) : Prop :=
  exists P' P'' Q' Q'', mixture del P P' P'' /\ mixture del Q Q' Q'' /\ D d P' Q'.

(** Mixtures of pure laws are what (epsilon, delta) promises of events. *)
Theorem approximate_close {Y} e del (P Q : dist Y) : 0 <= del <= 1 ->
  approximate max_divergence e del P Q -> close e del P Q.
Proof.
  intros Hd (P' & P'' & Q' & Q'' & HP & HQ & C & _) f Hf.
  rewrite HP, HQ by auto with dp; specialize (C f Hf).
  pose proof (Ex_unit P'' f Hf); pose proof (Ex_unit Q'' f Hf); pose proof (exp_pos e).
  assert ((1 - del) * Ex P' f <= (1 - del) * (exp e * Ex Q' f + 0)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= exp e * (del * Ex Q'' f)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
  assert (del * Ex P'' f <= del * 1) by (apply Rmult_le_compat_l; lra); lra.
Qed.
