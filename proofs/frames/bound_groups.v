(** [make_bound_groups]: of each individual the first groups in an order of groups, and of each group the first rows. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset PerIndividual Replaced.
From DP.Transformations Require Import bound_contributions.
Import ListNotations.

Section Bound.
Context {K V G : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
Context (group_eq : forall g h : G, {g = h} + {g <> h}) (key : V -> G).
(** Total orders in which ties are equal: by hash, and then by what is hashed. *)
Context (before : K -> G -> G -> bool) (le : V -> V -> bool).
Hypothesis before_total : forall p a b, before p a b = true \/ before p b a = true.
Hypothesis before_trans : forall p a b c, before p a b = true -> before p b c = true -> before p a c = true.
Hypothesis before_antisym : forall p a b, before p a b = true -> before p b a = true -> a = b.
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_antisym : forall a b, le a b = true -> le b a = true -> a = b.
Variables max_groups max_rows : nat.

Definition kept_groups (p : K) (rows : list V) : list G :=
  firstn max_groups (sort (before p) (groups group_eq key rows)).
Definition bounded (p : K) (rows : list V) : list V :=
  flat_map (fun g => firstn max_rows (sort le (group group_eq key g rows))) (kept_groups p rows).

(** Not only the same rows: the same list. *)
Lemma bounded_order p l m : Permutation l m -> bounded p l = bounded p m.
Proof.
  intros H; unfold bounded, kept_groups.
  rewrite (sort_permutation (before p) (before_total p) (before_trans p) (before_antisym p) _ _
             (groups_order group_eq key l m H)).
  induction (firstn max_groups (sort (before p) (groups group_eq key m))) as [|g gs IH]; simpl; auto.
  f_equal; [|exact IH]; f_equal.
  apply (sort_permutation le le_total le_trans le_antisym), group_order; exact H.
Qed.

Lemma bounded_nobody p : bounded p [] = [].
Proof. unfold bounded, kept_groups; simpl; destruct max_groups; reflexivity. Qed.

Theorem make_bound_groups_stable d x y out_x out_y :
  per_individual eq_dec bounded x out_x -> per_individual eq_dec bounded y out_y ->
  individuals eq_dec d x y -> individuals eq_dec d out_x out_y.
Proof.
  apply per_individual_stable; [|exact bounded_nobody]; intros p l m H; rewrite (bounded_order p l m H).
  apply Permutation_refl.
Qed.

Theorem make_bound_groups_replaced d x y out_x out_y :
  per_individual eq_dec bounded x out_x -> per_individual eq_dec bounded y out_y ->
  replaced eq_dec d x y -> replaced eq_dec d out_x out_y.
Proof.
  apply per_individual_replaced; [|exact bounded_nobody]; intros p l m H; rewrite (bounded_order p l m H).
  apply Permutation_refl.
Qed.

(** What the step is for: so many rows are left of an individual at most. *)
Theorem make_bound_groups_rows p rows : length (bounded p rows) <= max_groups * max_rows.
Proof.
  unfold bounded; assert (H : length (kept_groups p rows) <= max_groups) by apply firstn_le_length.
  revert H; generalize (kept_groups p rows) as gs; intros gs H.
  apply Nat.le_trans with (length gs * max_rows); [|now apply Nat.mul_le_mono_r].
  clear H; induction gs as [|g gs IH]; simpl; auto; rewrite app_length.
  pose proof (firstn_le_length max_rows (sort le (group group_eq key g rows))); lia.
Qed.
End Bound.
