(** [make_aggregate_individuals]: one row for each individual, or for each group of an individual's rows. *)
Require Import List Permutation.
From DP Require Import Dataset PerIndividual Replaced.
Import ListNotations.

Section Aggregate.
Context {K V G A : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
Context (group_eq : forall g h : G, {g = h} + {g <> h}) (key : V -> G).
(** The values of a group of rows, whatever their order. *)
Context (values : list V -> A).
Hypothesis values_order : forall l m, Permutation l m -> values l = values m.

Definition aggregated (_ : K) (rows : list V) : list (G * A) :=
  map (fun g => (g, values (group group_eq key g rows))) (groups group_eq key rows).

Lemma aggregated_order p l m : Permutation l m -> Permutation (aggregated p l) (aggregated p m).
Proof.
  intros H; unfold aggregated.
  rewrite (map_ext (fun g => (g, values (group group_eq key g l))) (fun g => (g, values (group group_eq key g m)))).
  - now apply Permutation_map, groups_order.
  - intros g; f_equal; now apply values_order, group_order.
Qed.

Theorem make_aggregate_individuals_stable d x y out_x out_y :
  per_individual eq_dec aggregated x out_x -> per_individual eq_dec aggregated y out_y ->
  individuals eq_dec d x y -> individuals eq_dec d out_x out_y.
Proof. apply per_individual_stable; [exact aggregated_order|reflexivity]. Qed.

Theorem make_aggregate_individuals_replaced d x y out_x out_y :
  per_individual eq_dec aggregated x out_x -> per_individual eq_dec aggregated y out_y ->
  replaced eq_dec d x y -> replaced eq_dec d out_x out_y.
Proof. apply per_individual_replaced; [exact aggregated_order|reflexivity]. Qed.
End Aggregate.
