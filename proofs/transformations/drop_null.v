(** [make_drop_null]: the rows whose last part is not missing, with what is inside of it. *)
Require Import List.
From DP Require Import Dataset Rows.
Import ListNotations.

Section Drop.
Context {T : Type} (is_nan : T -> bool) (depth : nat).
Definition present_row (parts : list Type) (r : row parts (nullable depth T)) : option (row parts T) :=
  match present_value is_nan depth (last_of parts r) with Some v => Some (replace parts r v) | None => None end.

Theorem make_drop_null_member (admits_nan : bool) (within : T -> bool) parts t r s :
  row_member parts t (null_member is_nan admits_nan within depth) r -> present_row parts r = Some s ->
  row_member parts t (present is_nan within) s.
Proof.
  intros M; unfold present_row; destruct (present_value is_nan depth (last_of parts r)) as [v|] eqn:E; [|discriminate].
  intros [= <-]; eapply member_replace; eauto; eapply present_value_member; [|exact E]; eapply member_last; eauto.
Qed.

Theorem make_drop_null_rows parts M d x y : apart M d x y ->
  apart (filtered M) (filter_distance M d) (keep (present_row parts) x) (keep (present_row parts) y).
Proof. apply keep_apart. Qed.

Theorem make_drop_null_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) (nullable depth T))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts T) eq_dec d (keep (present_row (K :: parts)) x) (keep (present_row (K :: parts)) y).
Proof.
  assert (E : forall l : list (row (K :: parts) (nullable depth T)),
    keep (present_row (K :: parts)) l = keep (B := row (K :: parts) T) (keyed (fun _ => present_row parts)) l).
  { induction l as [|[p v] l IH]; auto; cbn [keep].
    assert (R : present_row (K :: parts) (p, v) = keyed (fun _ => present_row parts) (p, v)).
    { unfold keyed, present_row; simpl; destruct (present_value is_nan depth (last_of parts v)); auto. }
    rewrite R; destruct (keyed _ (p, v)); [f_equal|]; exact IH. }
  intros H; rewrite (E x), (E y); now apply keep_individuals.
Qed.
End Drop.
