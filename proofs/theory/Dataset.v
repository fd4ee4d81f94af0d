(** Datasets and how far apart they are.

    A dataset is a list of rows.  Each distance is stated by what it counts, not by a path: two datasets are at most [d]
    rows apart if they are, up to order, a common part and at most [d] further rows between them. *)
Require Import List Arith Lia Permutation.
Import ListNotations.

Section Rows.
Context {A : Type}.

(** Rows added or removed, whatever their order: the size of the symmetric difference of two multisets. *)
Definition symmetric (d : nat) (x y : list A) := exists common removed added,
  Permutation x (removed ++ common) /\ Permutation y (added ++ common) /\ length removed + length added <= d.

(** Rows replaced, whatever their order. *)
Definition change_one (d : nat) (x y : list A) := exists common removed added,
  Permutation x (removed ++ common) /\ Permutation y (added ++ common) /\
  length removed = length added /\ length removed <= d.

(** Insertions and deletions in a sequence. *)
Inductive insert_delete : nat -> list A -> list A -> Prop :=
  | id_end d : insert_delete d [] []
  | id_keep d a x y : insert_delete d x y -> insert_delete d (a :: x) (a :: y)
  | id_delete d a x y : insert_delete d x y -> insert_delete (S d) (a :: x) y
  | id_insert d a x y : insert_delete d x y -> insert_delete (S d) x (a :: y).

(** Positions at which two sequences differ. *)
Inductive hamming : nat -> list A -> list A -> Prop :=
  | ham_end d : hamming d [] []
  | ham_keep d a x y : hamming d x y -> hamming d (a :: x) (a :: y)
  | ham_replace d a b x y : hamming d x y -> hamming (S d) (a :: x) (b :: y).

Theorem insert_delete_symmetric d x y : insert_delete d x y -> symmetric d x y.
Proof.
  induction 1 as [d|d a x y _ (c & r & s & Hx & Hy & L)|d a x y _ (c & r & s & Hx & Hy & L)
                 |d a x y _ (c & r & s & Hx & Hy & L)].
  - exists [], [], []; simpl; repeat split; auto; lia.
  - exists (a :: c), r, s; repeat split; auto; now apply Permutation_cons_app.
  - exists c, (a :: r), s; simpl; repeat split; auto; lia.
  - exists c, r, (a :: s); simpl; repeat split; auto; lia.
Qed.

Theorem hamming_change_one d x y : hamming d x y -> change_one d x y.
Proof.
  induction 1 as [d|d a x y _ (c & r & s & Hx & Hy & E & L)|d a b x y _ (c & r & s & Hx & Hy & E & L)].
  - exists [], [], []; simpl; repeat split; auto; lia.
  - exists (a :: c), r, s; repeat split; auto; now apply Permutation_cons_app.
  - exists c, (a :: r), (b :: s); simpl; repeat split; auto; lia.
Qed.

(** A replaced row is one removed and one added. *)
Lemma change_one_symmetric d x y : change_one d x y -> symmetric (2 * d) x y.
Proof. intros (c & r & s & Hx & Hy & E & L); exists c, r, s; repeat split; auto; lia. Qed.

Lemma change_one_length d x y : change_one d x y -> length x = length y.
Proof.
  intros (c & r & s & Hx & Hy & E & _); apply Permutation_length in Hx, Hy.
  rewrite app_length in Hx, Hy; lia.
Qed.
End Rows.

(** A function of single rows, applied to every row, moves no two datasets further apart. *)
Section Map.
Context {A B : Type} (g : A -> B).

Theorem map_symmetric d x y : symmetric d x y -> symmetric d (map g x) (map g y).
Proof.
  intros (c & r & s & Hx & Hy & L); exists (map g c), (map g r), (map g s).
  rewrite <- !map_app, !map_length; auto using Permutation_map.
Qed.
Theorem map_change_one d x y : change_one d x y -> change_one d (map g x) (map g y).
Proof.
  intros (c & r & s & Hx & Hy & E & L); exists (map g c), (map g r), (map g s).
  rewrite <- !map_app, !map_length; auto using Permutation_map.
Qed.
Theorem map_insert_delete d x y : insert_delete d x y -> insert_delete d (map g x) (map g y).
Proof. induction 1; simpl; constructor; auto. Qed.
Theorem map_hamming d x y : hamming d x y -> hamming d (map g x) (map g y).
Proof. induction 1; simpl; constructor; auto. Qed.
End Map.

(** Keyed rows, counted in individuals: one whose rows are all on one side counts once, one whose rows differ otherwise
    twice, and one whose rows agree up to order not at all. *)
Section Individuals.
Context {K V : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).

Definition rows_of (p : K) (x : list (K * V)) : list V :=
  map snd (filter (fun row => if eq_dec p (fst row) then true else false) x).

Definition cost (p : K) (x y : list (K * V)) : nat :=
  match rows_of p x, rows_of p y with [], _ | _, [] => 1 | _, _ => 2 end.

Fixpoint total_cost (ps : list K) (x y : list (K * V)) : nat :=
  match ps with [] => 0 | p :: ps => cost p x y + total_cost ps x y end.

Definition individuals (d : nat) (x y : list (K * V)) := exists ps, NoDup ps /\
  (forall p, ~ In p ps -> Permutation (rows_of p x) (rows_of p y)) /\ total_cost ps x y <= d.
End Individuals.

(** A function of the values leaves the individuals alone. *)
Section MapValues.
Context {K V W : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (g : V -> W).
Definition on_value (row : K * V) : K * W := (fst row, g (snd row)).

Lemma rows_of_map p x : rows_of eq_dec p (map on_value x) = map g (rows_of eq_dec p x).
Proof.
  unfold rows_of; induction x as [|[q v] x IH]; simpl; auto.
  destruct (eq_dec p q); simpl; [now rewrite IH|exact IH].
Qed.

Lemma cost_map p x y : cost eq_dec p (map on_value x) (map on_value y) = cost eq_dec p x y.
Proof.
  unfold cost; rewrite !rows_of_map.
  destruct (rows_of eq_dec p x), (rows_of eq_dec p y); reflexivity.
Qed.

Theorem map_individuals d x y : individuals eq_dec d x y -> individuals eq_dec d (map on_value x) (map on_value y).
Proof.
  intros (ps & N & H & C); exists ps; repeat split; auto.
  - intros p Hp; rewrite !rows_of_map; now apply Permutation_map, H.
  - replace (total_cost eq_dec ps (map on_value x) (map on_value y)) with (total_cost eq_dec ps x y); auto.
    clear; induction ps as [|p ps IH]; simpl; auto; now rewrite IH, cost_map.
Qed.
End MapValues.

(** The library's metrics between datasets of rows, and what one step of each does ([RowMetric::UNIT]). *)
Inductive row_metric := SymmetricDistance | InsertDeleteDistance | ChangeOneDistance | HammingDistance.

Definition apart {A} (M : row_metric) : nat -> list A -> list A -> Prop :=
  match M with
  | SymmetricDistance => symmetric | InsertDeleteDistance => insert_delete
  | ChangeOneDistance => change_one | HammingDistance => hamming
  end.

Inductive row_change := AddOrRemove | Replace.
Definition unit (M : row_metric) : row_change :=
  match M with SymmetricDistance | InsertDeleteDistance => AddOrRemove | _ => Replace end.

(** All that the maps use of a metric. *)
Theorem apart_unit {A} M d (x y : list A) : apart M d x y ->
  match unit M with AddOrRemove => symmetric d x y | Replace => change_one d x y end.
Proof. destruct M; simpl; auto using insert_delete_symmetric, hamming_change_one. Qed.

Theorem apart_map {A B} (g : A -> B) M d x y : apart M d x y -> apart M d (map g x) (map g y).
Proof. destruct M; simpl; auto using map_symmetric, map_insert_delete, map_change_one, map_hamming. Qed.
