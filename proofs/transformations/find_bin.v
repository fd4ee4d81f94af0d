(** [make_find_bin]: how many edges are at or below a number. *)
Require Import List Arith Lia Sorted.
From DP Require Import Dataset Rows row_by_row.
Import ListNotations.

(** Numbers, infinities among them, in their order. *)
Section Bin.
Context {T : Type} (le : T -> T -> bool) (le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true).
Variables (edges : list T) (rising : StronglySorted (fun a b => le a b = true) edges).
Definition find_bin (v : T) : nat := length (filter (fun e => le e v) edges).

(** What [partition_point] finds: the edges at or below [v] are the first ones, and this is their number. *)
Theorem find_bin_partition v j e : nth_error edges j = Some e -> (le e v = true <-> j < find_bin v).
Proof.
  unfold find_bin; revert j; induction rising as [|a l S IH F]; intros [|j]; simpl; try discriminate.
  - intros [= ->]; destruct (le e v) eqn:E; simpl; [split; auto; lia|]; split; [discriminate|].
    assert (N : filter (fun e => le e v) l = []); [|rewrite N; simpl; lia].
    rewrite Forall_forall in F; clear -F E le_trans; induction l as [|b l IH]; simpl; auto.
    destruct (le b v) eqn:B; [pose proof (le_trans e b v (F b (or_introl eq_refl)) B); congruence|].
    apply IH; intros c I; apply F; now right.
  - intros H; destruct (le a v) eqn:E; simpl.
    + rewrite (IH S j H); lia.
    + rewrite Forall_forall in F; pose proof (F e (nth_error_In _ _ H)) as L.
      assert (N : le e v <> true) by (intros X; pose proof (le_trans a e v L X); congruence).
      split; [contradiction|]; intros X; elim N; apply (IH S j H); lia.
Qed.

Lemma filter_length_le {A} (f : A -> bool) l : length (filter f l) <= length l.
Proof. induction l as [|a l IH]; simpl; auto; destruct (f a); simpl; lia. Qed.

Theorem make_find_bin_member parts t p r : row_member parts t p r ->
  row_member parts t (fun n => n <= length edges) (on_last_part parts find_bin r).
Proof. apply on_last_part_member; intros v _; apply filter_length_le. Qed.

Theorem make_find_bin_rows parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts find_bin) x) (map (on_last_part parts find_bin) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_find_bin_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) T)) : individuals (V := row parts T) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) find_bin) x) (map (on_last_part (K :: parts) find_bin) y).
Proof. apply on_last_part_individuals. Qed.
End Bin.
