(** [make_rows_of_individuals]: each row as its individual and a value of a type. *)
Require Import List.
From DP Require Import Dataset Replaced.

Theorem make_rows_of_individuals_stable {K A B : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (read : A -> B)
  d x y : individuals eq_dec d x y -> individuals eq_dec d (map (on_value read) x) (map (on_value read) y).
Proof. apply map_individuals. Qed.

(** From replaced individuals, to individuals removed and added. *)
Theorem make_rows_of_individuals_replaced {K A B : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (read : A -> B)
  d x y : replaced eq_dec d x y -> individuals eq_dec (d * 2) (map (on_value read) x) (map (on_value read) y).
Proof. intros H; now apply map_individuals, replaced_individuals. Qed.
