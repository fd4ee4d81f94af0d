(** [>>]: one step after another, and functions of a release. *)
Require Import Reals.
From DP Require Import Expect Approx DualRenyi.
Open Scope R_scope.

(** A map promises: inputs [d] apart have outputs [map d] apart, or, if it has no value, nothing.  [near] and [far] are any
    metrics, or any measures of distributions. *)
Definition promise {D D' X X' : Type} (near : D -> X -> X -> Prop) (far : D' -> X' -> X' -> Prop)
  (f : X -> X') (map : D -> option D') : Prop :=
  forall d d' x x', near d x x' -> map d = Some d' -> far d' (f x) (f x').

Definition then_map {D D' D'' : Type} (first : D -> option D') (second : D' -> option D'') (d : D) : option D'' :=
  match first d with Some d' => second d' | None => None end.

(** Both chains of the library: [far] is a metric in [Transformation::chain], and a measure in [Measurement::after]. *)
Theorem chain_promise {D D' D'' X X' X'' : Type} (near : D -> X -> X -> Prop) (middle : D' -> X' -> X' -> Prop)
  (far : D'' -> X'' -> X'' -> Prop) f g first second :
  promise near middle f first -> promise middle far g second ->
  promise near far (fun x => g (f x)) (then_map first second).
Proof.
  intros F G d d'' x x' H; unfold then_map; destruct (first d) as [d'|] eqn:E; [|discriminate].
  intros S; eapply G; eauto.
Qed.

(** Post-processing, for pure and approximate and for zero-concentrated differential privacy. *)
Theorem postprocess_approximate {Y Y'} eps del (P Q : dist Y) (h : Y -> Y') :
  close eps del P Q -> close eps del (dmap h P) (dmap h Q).
Proof. apply post_processing. Qed.
Theorem postprocess_zero_concentrated {Y Y'} rho (P Q : dist Y) (h : Y -> Y') :
  zCDP rho P Q -> zCDP rho (dmap h P) (dmap h Q).
Proof. apply zCDP_post_processing. Qed.
