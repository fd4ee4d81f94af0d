(** [>>]: one step after another, and functions of a release. *)
Require Import Reals.
From DP Require Import Expect Approx DualRenyi PureToZCDP Measures GaussianDivergence Pairs.
Open Scope R_scope.

(** A space: who is a member of its domain, and its metric, by which two are so far apart. *)
Record space (D X : Type) := { member : X -> Prop; near : D -> X -> X -> Prop }.
Arguments member {D X}. Arguments near {D X}.

(** A map promises: members [d] apart have outputs [map d] apart, or, if it has no value, nothing.  Of what is not a
    member it says nothing.  [far] is a metric, or a measure of distributions. *)
Definition promise {D D' X X' : Type} (from : space D X) (far : D' -> X' -> X' -> Prop)
  (f : X -> X') (map : D -> option D') : Prop :=
  forall d d' x x', member from x -> member from x' -> near from d x x' -> map d = Some d' -> far d' (f x) (f x').

(** A transformation leads from members to members, too. *)
Definition stable {D D' X X' : Type} (from : space D X) (to : space D' X') (f : X -> X')
  (map : D -> option D') : Prop :=
  (forall x, member from x -> member to (f x)) /\ promise from (near to) f map.

Definition then_map {D D' D'' : Type} (first : D -> option D') (second : D' -> option D'') (d : D) : option D'' :=
  match first d with Some d' => second d' | None => None end.

(** [Measurement::after]: the second's promise holds of members alone, and the first leads to no others. *)
Theorem chain_promise {D D' D'' X X' X'' : Type} (from : space D X) (middle : space D' X')
  (far : D'' -> X'' -> X'' -> Prop) f g first second : stable from middle f first -> promise middle far g second ->
  promise from far (fun x => g (f x)) (then_map first second).
Proof.
  intros [L F] G d d'' x x' H H' N; unfold then_map; destruct (first d) as [d'|] eqn:E; [|discriminate].
  intros S; exact (G d' d'' (f x) (f x') (L x H) (L x' H') (F d d' x x' H H' N E) S).
Qed.
(** [Transformation::chain]. *)
Theorem chain_stable {D D' D'' X X' X'' : Type} (from : space D X) (middle : space D' X') (to : space D'' X'')
  f g first second : stable from middle f first -> stable middle to g second ->
  stable from to (fun x => g (f x)) (then_map first second).
Proof.
  intros [K F] [L G]; split; [intros x H; exact (L _ (K x H))|].
  exact (chain_promise from middle (near to) f g first second (conj K F) G).
Qed.

(** Post-processing: what is computed from two releases, also with randomness of its own, is no further apart than they are. *)
Definition measure (T : Type) := forall Y : Type, T -> dist Y -> dist Y -> Prop.
Definition post_processed {T} (D : measure T) : Prop :=
  forall (Y Z : Type) (K : Y -> dist Z) (d : T) (P Q : dist Y), D Y d P Q -> D Z d (bind P K) (bind Q K).

(** [Measurement::postprocess], with the map unchanged. *)
Theorem chain_postprocess {T X A : Type} (D : measure A) (from : space T X) {Y Z : Type} (f : X -> dist Y)
  (K : Y -> dist Z) map :
  post_processed D -> promise from (D Y) f map -> promise from (D Z) (fun x => bind (f x) K) map.
Proof. intros P F d d' x x' H H' N S; exact (P Y Z K d' _ _ (F d d' x x' H H' N S)). Qed.

Theorem postprocess_max_divergence : post_processed (@max_divergence).
Proof. intros Y Z K e P Q []; split; now apply post_processing. Qed.
Theorem postprocess_range_divergence : post_processed (@range_divergence).
Proof. intros Y Z K eta P Q (t & U & L); exists t; split; now apply post_processing. Qed.
Theorem postprocess_zero_concentrated : post_processed (@zero_concentrated).
Proof. intros Y Z K r P Q []; split; now apply zCDP_post_processing. Qed.
Theorem postprocess_renyi_divergence : post_processed (@renyi_divergence).
Proof. intros Y Z K curve P Q H al Ha; destruct (H al Ha); split; now apply renyi_post_processing. Qed.
Theorem postprocess_gaussian_divergence : post_processed (@gaussian_divergence).
Proof. intros Y Z K mu P Q []; split; now apply no_easier_post_processing. Qed.
Theorem postprocess_smoothed_max_divergence : post_processed (@smoothed_max_divergence).
Proof. intros Y Z K profile P Q H e He; destruct (H e He); split; now apply post_processing. Qed.
Theorem postprocess_privacy_loss_divergence : post_processed (fun Y => @promised Y).
Proof. intros Y Z K W P Q H e del He C; destruct (H e del He C); split; now apply post_processing. Qed.

(** [Approximate], over any of them: the function's value on each part of a mixture is a part of a mixture. *)
Definition approximately {T} (D : measure T) : measure (T * R) := fun Y d P Q => approximate (D Y) (fst d) (snd d) P Q.
Lemma mixture_bind {Y Z} del (P P' P'' : dist Y) (K : Y -> dist Z) :
  mixture del P P' P'' -> mixture del (bind P K) (bind P' K) (bind P'' K).
Proof.
  intros H f [B F]; simpl; apply H; exists B; intros a; apply Ex_abs; auto; apply Int_bounded; now exists B.
Qed.
Theorem postprocess_approximate {T} (D : measure T) : post_processed D -> post_processed (approximately D).
Proof.
  intros H Y Z K [d del] P Q (P' & P'' & Q' & Q'' & HP & HQ & C).
  exists (bind P' K), (bind P'' K), (bind Q' K), (bind Q'' K); simpl in *; auto using mixture_bind.
Qed.
(** The same of events, one way. *)
Theorem postprocess_close {Y Z} e del (P Q : dist Y) (K : Y -> dist Z) :
  close e del P Q -> close e del (bind P K) (bind Q K).
Proof. apply post_processing. Qed.
