(** [make_is_equal]: whether a value is a given one. *)
Require Import List.
From DP Require Import Dataset Rows row_by_row.
Import ListNotations.

Section Equal.
Context {T : Type} (is_nan : T -> bool) (depth : nat) (value_dec : forall v w : T, {v = w} + {v <> w}) (value : T).
Definition is_equal (v : nullable depth T) : bool :=
  match present_value is_nan depth v with Some w => if value_dec w value then true else false | None => false end.

Theorem is_equal_correct v : is_equal v = true <-> present_value is_nan depth v = Some value.
Proof.
  unfold is_equal; destruct (present_value is_nan depth v) as [w|]; [destruct (value_dec w value)|];
    split; try discriminate; congruence.
Qed.

Theorem make_is_equal_rows parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts is_equal) x) (map (on_last_part parts is_equal) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_is_equal_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) (nullable depth T))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) is_equal) x) (map (on_last_part (K :: parts) is_equal) y).
Proof. apply on_last_part_individuals. Qed.
End Equal.
