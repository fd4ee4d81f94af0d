(** [make_window_per_individual]: beside each row, values of all rows of its individual that agree with it in some columns. *)
Require Import List Permutation.
From DP Require Import Dataset PerIndividual Replaced.
Import ListNotations.

Section Over.
Context {K V G A : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
Context (group_eq : forall g h : G, {g = h} + {g <> h}) (key : V -> G).
Context (values : list V -> A).
Hypothesis values_order : forall l m, Permutation l m -> values l = values m.

Definition beside (_ : K) (rows : list V) : list (V * A) :=
  map (fun v => (v, values (group group_eq key (key v) rows))) rows.

Lemma beside_order p l m : Permutation l m -> Permutation (beside p l) (beside p m).
Proof.
  intros H; unfold beside.
  rewrite (map_ext (fun v => (v, values (group group_eq key (key v) l)))
                   (fun v => (v, values (group group_eq key (key v) m)))).
  - now apply Permutation_map.
  - intros v; f_equal; now apply values_order, group_order.
Qed.

Theorem make_window_per_individual_stable d x y out_x out_y :
  per_individual eq_dec beside x out_x -> per_individual eq_dec beside y out_y ->
  individuals eq_dec d x y -> individuals eq_dec d out_x out_y.
Proof. apply per_individual_stable; [exact beside_order|reflexivity]. Qed.

Theorem make_window_per_individual_replaced d x y out_x out_y :
  per_individual eq_dec beside x out_x -> per_individual eq_dec beside y out_y ->
  replaced eq_dec d x y -> replaced eq_dec d out_x out_y.
Proof. apply per_individual_replaced; [exact beside_order|reflexivity]. Qed.
End Over.
