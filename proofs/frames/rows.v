(** [make_rows]: each row as a value of a type. *)
Require Import List.
From DP Require Import Dataset.

Theorem make_rows_stable {A B : Type} (read : A -> B) M d x y :
  apart M d x y -> apart M d (map read x) (map read y).
Proof. apply apart_map. Qed.
