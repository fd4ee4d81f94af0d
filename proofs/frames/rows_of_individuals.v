(** [make_rows_of_individuals]: each row as its individual and a value of a type. *)
Require Import List.
From DP Require Import Dataset.

Theorem make_rows_of_individuals_stable {K A B : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (read : A -> B)
  d x y : persons eq_dec d x y -> persons eq_dec d (map (on_value read) x) (map (on_value read) y).
Proof. apply map_persons. Qed.
