(** [make_with_columns], [make_rows], [make_rows_of_individuals]: an image of each row, which leaves its individual alone. *)
Require Import List.
From DP Require Import Dataset Replaced.

Section Image.
Context {A B : Type} (image : A -> B).

Theorem make_with_columns_rows M d x y : apart M d x y -> apart M d (map image x) (map image y).
Proof. apply apart_map. Qed.

Theorem make_with_columns_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) d x y :
  individuals eq_dec d x y -> individuals eq_dec d (map (on_value image) x) (map (on_value image) y).
Proof. apply map_individuals. Qed.

Theorem make_with_columns_replaced {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) d x y :
  replaced eq_dec d x y -> replaced eq_dec d (map (on_value image) x) (map (on_value image) y).
Proof. apply map_replaced. Qed.
End Image.
