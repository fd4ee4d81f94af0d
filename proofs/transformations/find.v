(** [make_find]: the place of a value in a list of categories. *)
Require Import List Arith Lia.
From DP Require Import Dataset Rows row_by_row keys.
Import ListNotations.

Section Find.
Context {C : Type} (is_nan : C -> bool) (depth : nat) (category_dec : forall c e : C, {c = e} + {c <> e}).
Variables (categories : list C) (distinct : NoDup categories).

(** [Index::slot]: the place, or the slot after the last one. *)
Definition slot (c : C) : nat := match place category_dec categories c with Some i => i | None => length categories end.
Definition find_value (v : nullable depth C) : option nat :=
  match present_value is_nan depth v with
  | Some c => if slot c <? length categories then Some (slot c) else None
  | None => None
  end.

Lemma place_nth l c i : place category_dec l c = Some i -> nth_error l i = Some c.
Proof.
  revert i; induction l as [|e l IH]; simpl; [discriminate|]; intros i.
  destruct (category_dec e c) as [->|]; [intros [= <-]; auto|].
  destruct (place category_dec l c) as [j|]; [intros [= <-]; now apply IH|discriminate].
Qed.
Lemma nth_place l c i : NoDup l -> nth_error l i = Some c -> place category_dec l c = Some i.
Proof.
  intros N; revert i; induction N as [|e l F N IH]; intros [|i]; simpl; try discriminate.
  - intros [= ->]; destruct (category_dec c c); congruence.
  - intros H; destruct (category_dec e c) as [->|]; [elim F; eapply nth_error_In; eauto|]; now rewrite (IH i H).
Qed.

Theorem find_value_correct v i :
  find_value v = Some i <-> exists c, present_value is_nan depth v = Some c /\ nth_error categories i = Some c.
Proof.
  unfold find_value, slot; destruct (present_value is_nan depth v) as [c|].
  - destruct (place category_dec categories c) as [j|] eqn:E.
    + pose proof (place_nth _ _ _ E) as P; assert (j < length categories) by (apply nth_error_Some; congruence).
      destruct (Nat.ltb_spec j (length categories)); [|lia]; split.
      * intros [= <-]; eauto.
      * intros (e & [= <-] & H'); apply nth_place in H'; auto; congruence.
    + rewrite Nat.ltb_irrefl; split; [discriminate|]; intros (e & [= <-] & H); apply nth_place in H; auto; congruence.
  - split; [discriminate|]; intros (c & H & _); discriminate.
Qed.

Theorem make_find_member parts t p r : row_member parts t p r ->
  row_member parts t (fun v => match v with Some i => i <= length categories - 1 | None => True end)
    (on_last_part parts find_value r).
Proof.
  apply on_last_part_member; intros v _; destruct (find_value v) as [i|] eqn:E; auto.
  apply find_value_correct in E; destruct E as (c & _ & H).
  assert (i < length categories) by (apply nth_error_Some; congruence); lia.
Qed.

Theorem make_find_rows parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts find_value) x) (map (on_last_part parts find_value) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_find_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) (nullable depth C))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) find_value) x) (map (on_last_part (K :: parts) find_value) y).
Proof. apply on_last_part_individuals. Qed.
End Find.
