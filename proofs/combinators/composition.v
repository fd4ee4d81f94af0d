(** [make_composition]: several releases on the same data, each with randomness of its own.

    Releases of different types are those of their disjoint union, so that a tuple is a list, too. *)
Require Import Reals Lra List.
From DP Require Import Expect Approx DualRenyi DiscreteGaussian Rounding.
Import ListNotations.
Open Scope R_scope.

Section Composition.
Context {Y : Type}.
Fixpoint all (Ps : list (dist Y)) : dist (list Y) :=
  match Ps with [] => ret [] | P :: Ps => bind P (fun y => dmap (cons y) (all Ps)) end.

Definition total (losses : list R) : R := fold_right Rplus 0 losses.

(** Part by part, two lists of releases are as close as a list of losses says. *)
Inductive part_by_part (D : R -> dist Y -> dist Y -> Prop) : list R -> list (dist Y) -> list (dist Y) -> Prop :=
  | no_parts : part_by_part D [] [] []
  | a_part e es P Ps Q Qs : D e P Q -> part_by_part D es Ps Qs -> part_by_part D (e :: es) (P :: Ps) (Q :: Qs).

Definition max_divergence (e : R) (P Q : dist Y) : Prop := close e 0 P Q /\ close e 0 Q P.
Definition zero_concentrated (r : R) (P Q : dist Y) : Prop := zCDP r P Q /\ zCDP r Q P.

Lemma pure_one_way es Ps Qs : part_by_part (fun e P Q => close e 0 P Q) es Ps Qs ->
  close (total es) 0 (all Ps) (all Qs).
Proof.
  induction 1.
  - intros f Hf; simpl; rewrite exp_0; lra.
  - apply close_mono with (e + total es) (0 + 0); [apply Rle_refl|lra|].
    apply adaptive_composition; [lra|auto|].
    intros y; apply post_processing; exact IHpart_by_part.
Qed.

Lemma zCDP_one_way rs Ps Qs : part_by_part (fun r P Q => zCDP r P Q) rs Ps Qs ->
  zCDP (total rs) (all Ps) (all Qs).
Proof.
  induction 1 as [|r rs P Ps Q Qs H _ IH]; [apply zCDP_refl|].
  change (total (r :: rs)) with (r + total rs).
  apply zCDP_adaptive_composition; auto; intros y; now apply zCDP_post_processing.
Qed.

Lemma split_ways (D E : R -> dist Y -> dist Y -> Prop) es Ps Qs :
  part_by_part (fun e P Q => D e P Q /\ E e Q P) es Ps Qs -> part_by_part D es Ps Qs /\ part_by_part E es Qs Ps.
Proof. induction 1 as [|e es P Ps Q Qs [] _ []]; split; constructor; auto. Qed.

(** The losses are summed exactly and rounded up once. *)
Theorem make_composition_max_divergence es Ps Qs : part_by_part max_divergence es Ps Qs ->
  close (up (total es)) 0 (all Ps) (all Qs) /\ close (up (total es)) 0 (all Qs) (all Ps).
Proof.
  intros H; apply split_ways in H; destruct H as [F B].
  split; (eapply close_mono; [apply up_ge|apply Rle_refl|]); now apply pure_one_way.
Qed.

Theorem make_composition_zero_concentrated rs Ps Qs : part_by_part zero_concentrated rs Ps Qs ->
  zCDP (up (total rs)) (all Ps) (all Qs) /\ zCDP (up (total rs)) (all Qs) (all Ps).
Proof.
  intros H; apply split_ways in H; destruct H as [F B].
  split; (eapply zCDP_mono; [apply up_ge|]); now apply zCDP_one_way.
Qed.

(** Pairs of an epsilon and a delta; each is summed and rounded up by itself. *)
Inductive approximately : list R -> list R -> list (dist Y) -> list (dist Y) -> Prop :=
  | no_parts_left : approximately [] [] [] []
  | one_more e es d ds P Ps Q Qs : 0 <= d -> close e d P Q -> approximately es ds Ps Qs ->
      approximately (e :: es) (d :: ds) (P :: Ps) (Q :: Qs).

Lemma deltas_nonneg es ds Ps Qs : approximately es ds Ps Qs -> 0 <= total ds.
Proof. induction 1; simpl; unfold total in *; lra. Qed.

Theorem make_composition_approximate es ds Ps Qs : approximately es ds Ps Qs ->
  close (up (total es)) (up (total ds)) (all Ps) (all Qs).
Proof.
  intros H; eapply close_mono; [apply up_ge|apply up_ge|].
  induction H as [|e es d ds P Ps Q Qs Hd HC HA IH].
  - intros f Hf; simpl; rewrite exp_0; lra.
  - change (total (e :: es)) with (e + total es); change (total (d :: ds)) with (d + total ds).
    apply adaptive_composition; [eapply deltas_nonneg; eauto|auto|].
    intros y; apply post_processing; exact IH.
Qed.
End Composition.
