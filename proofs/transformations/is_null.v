(** [make_is_null]: whether a value is missing. *)
Require Import List.
From DP Require Import Dataset Rows row_by_row.
Import ListNotations.

Section Null.
Context {T : Type} (is_nan : T -> bool) (depth : nat).
Definition is_null (v : nullable depth T) : bool := match present_value is_nan depth v with None => true | Some _ => false end.

Theorem make_is_null_rows parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts is_null) x) (map (on_last_part parts is_null) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_is_null_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) (nullable depth T))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) is_null) x) (map (on_last_part (K :: parts) is_null) y).
Proof. apply on_last_part_individuals. Qed.
End Null.
