(** [make_impute_constant]: a constant in place of what is missing. *)
Require Import List.
From DP Require Import Dataset Rows row_by_row.
Import ListNotations.

Section Impute.
Context {T : Type} (is_nan : T -> bool) (admits_nan : bool) (within : T -> bool) (depth : nat) (constant : T).
Definition impute (v : nullable depth T) : T :=
  match present_value is_nan depth v with Some w => w | None => constant end.

Theorem make_impute_constant_member parts t r : present is_nan within constant ->
  row_member parts t (null_member is_nan admits_nan within depth) r ->
  row_member parts t (present is_nan within) (on_last_part parts impute r).
Proof.
  intros C; apply on_last_part_member; intros v H; unfold impute.
  destruct (present_value is_nan depth v) eqn:E; auto; eapply present_value_member; eauto.
Qed.

Theorem make_impute_constant_rows parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts impute) x) (map (on_last_part parts impute) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_impute_constant_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) (nullable depth T))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) impute) x) (map (on_last_part (K :: parts) impute) y).
Proof. apply on_last_part_individuals. Qed.
End Impute.
