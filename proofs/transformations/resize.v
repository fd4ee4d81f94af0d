(** [make_resize]: so many rows, the first ones or those of least rank, and copies of a constant for what is missing. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset Rows bound_contributions.
Import ListNotations.

(** A list with one element more, somewhere, begins like the list with one element more. *)
Section Prefix.
Context {A : Type}.
Lemma add_app (a : A) l m p : Add a l m -> Add a (l ++ p) (m ++ p).
Proof. induction 1; simpl; constructor; auto. Qed.

Lemma add_prefix (a : A) l m k : Add a l m -> exists e, Permutation (firstn (S k) m) (e :: firstn k l).
Proof.
  intros H; revert k; induction H as [l|b l m H IH]; intros k.
  - exists a; simpl; auto.
  - destruct k as [|k]; [exists b; simpl; auto|].
    destruct (IH k) as (e & P); exists e; simpl; simpl in P.
    eapply Permutation_trans; [apply perm_skip, P|apply perm_swap].
Qed.

Lemma shorter_prefix (l : list A) k : k < length l -> exists e, Permutation (firstn (S k) l) (e :: firstn k l).
Proof.
  revert k; induction l as [|b l IH]; simpl; [lia|]; intros [|k] H; [exists b; simpl; auto|].
  destruct (IH k) as (e & P); [lia|]; exists e; simpl; simpl in P.
  eapply Permutation_trans; [apply perm_skip, P|apply perm_swap].
Qed.

Lemma one_replaced (x y c : list A) a b : Permutation x (a :: c) -> Permutation y (b :: c) -> change_one 1 x y.
Proof. intros Hx Hy; exists c, [a], [b]; repeat split; auto. Qed.

Lemma cons_change_one d (a : A) x y : change_one d x y -> change_one d (a :: x) (a :: y).
Proof.
  intros (c & r & s & Hx & Hy & H); exists (a :: c), r, s; repeat split; try apply H; now apply Permutation_cons_app.
Qed.

(** With one element more, the first [k] change by one; and so they do with one element instead of another. *)
Lemma prefix_added (a : A) l m k : k <= length l -> Add a l m -> change_one 1 (firstn k l) (firstn k m).
Proof.
  destruct k as [|k]; [intros _ _; simpl; apply (change_one_le 0); [lia|]; now apply change_one_perm|]; intros L H.
  destruct (shorter_prefix l k) as (e & P); [lia|]; destruct (add_prefix a l m k H) as (f & Q).
  eapply one_replaced; eauto.
Qed.

Lemma prefix_replaced (a b : A) l m n k : Add a l m -> Add b l n -> change_one 1 (firstn k m) (firstn k n).
Proof.
  intros H; revert n k; induction H as [l|e l m H IH]; intros n k G.
  - destruct k as [|k]; [simpl; apply (change_one_le 0); [lia|]; now apply change_one_perm|].
    destruct (add_prefix b l n k G) as (e & Q); eapply one_replaced; [|exact Q]; simpl; auto.
  - inversion G; subst.
    + destruct k as [|k]; [simpl; apply (change_one_le 0); [lia|]; now apply change_one_perm|].
      destruct (add_prefix a (e :: l) (e :: m) k (Add_cons e H)) as (f & Q); eapply one_replaced; [exact Q|]; simpl; auto.
    + destruct k as [|k]; [simpl; apply (change_one_le 0); [lia|]; now apply change_one_perm|].
      simpl; apply cons_change_one; auto.
Qed.
End Prefix.

Section Resize.
Context {A : Type} (eq_dec : forall a b : A, {a = b} + {a <> b}) (n : nat) (constant : A).

(** [kept.resize(size, constant)], of at most [size] rows. *)
Definition pad (x : list A) : list A := x ++ repeat constant (n - length x).

(** In order: [rows.iter().take(size)]. *)
Definition first_rows (x : list A) : list A := pad (firstn n x).

(** Without order.  The copies of equal rows are numbered, and a copy's rank is the order of (hash, encoding, number). *)
Context (le : A * nat -> A * nat -> bool).
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_antisym : forall a b, le a b = true -> le b a = true -> a = b.

Fixpoint numbered (x : list A) : list (A * nat) :=
  match x with [] => [] | a :: x => (a, count_occ eq_dec x a) :: numbered x end.
Definition least (x : list A) : list A :=
  if length x <=? n then x else map fst (firstn n (sort le (numbered x))).
Definition least_rows (x : list A) : list A := pad (least x).

Definition resize (M : row_metric) : list A -> list A :=
  match M with
  | SymmetricDistance | ChangeOneDistance => least_rows
  | InsertDeleteDistance | HammingDistance => first_rows
  end.
Definition resize_map (M : row_metric) (d : nat) : nat := match unit M with AddOrRemove => d * 2 | Replace => d end.

(** The copies of a row have the numbers from 0 on, whatever the order of the rows. *)
Lemma in_numbered x a j : In (a, j) (numbered x) <-> j < count_occ eq_dec x a.
Proof.
  induction x as [|b x IH]; simpl; [lia|]; rewrite IH; destruct (eq_dec b a) as [->|N]; split.
  - intros [[= <-]|]; lia.
  - intros H; destruct (Nat.eq_dec j (count_occ eq_dec x a)) as [->|]; [now left|right; lia].
  - intros [[= E _]|]; [contradiction|auto].
  - auto.
Qed.
Lemma numbered_distinct x : NoDup (numbered x).
Proof. induction x as [|b x IH]; simpl; constructor; auto; rewrite in_numbered; lia. Qed.
Lemma numbered_perm x y : Permutation x y -> Permutation (numbered x) (numbered y).
Proof.
  intros H; apply NoDup_Permutation; auto using numbered_distinct; intros [a j]; rewrite !in_numbered.
  now rewrite (proj1 (Permutation_count_occ eq_dec x y) H).
Qed.
Lemma numbered_fst x : map fst (numbered x) = x.
Proof. induction x; simpl; auto; now rewrite IHx. Qed.
Lemma numbered_length x : length (numbered x) = length x.
Proof. now rewrite <- (numbered_fst x) at 2; rewrite map_length. Qed.
Lemma numbered_app r c : exists r', numbered (r ++ c) = r' ++ numbered c /\ length r' = length r.
Proof.
  induction r as [|a r (r' & E & L)]; simpl; [now exists []|].
  eexists (_ :: r'); simpl; rewrite E, L; auto.
Qed.

(** The rows by rank, then as many constants as may be wanted: the output is the beginning of that. *)
Definition ranked (l : list (A * nat)) : list A := map fst (sort le l) ++ repeat constant n.
Definition chosen (l : list (A * nat)) : list A := firstn n (ranked l).

Lemma sort_length l : length (sort le l) = length l.
Proof. symmetry; apply Permutation_length, sort_perm. Qed.
Lemma ranked_length l : n <= length (ranked l).
Proof. unfold ranked; rewrite app_length, repeat_length; lia. Qed.
Lemma chosen_perm l m : Permutation l m -> chosen l = chosen m.
Proof. intros H; unfold chosen, ranked; now rewrite (sort_permutation le le_total le_trans le_antisym l m H). Qed.

Lemma firstn_repeat (c : A) k m : k <= m -> firstn k (repeat c m) = repeat c k.
Proof. revert m; induction k; intros [|m] H; simpl; auto; [lia|]; rewrite IHk; auto; lia. Qed.

Lemma least_rows_chosen x : Permutation (least_rows x) (chosen (numbered x)).
Proof.
  unfold least_rows, pad, least, chosen, ranked; rewrite firstn_app, map_length, sort_length, numbered_length.
  rewrite firstn_repeat by lia; destruct (Nat.leb_spec (length x) n).
  - apply Permutation_app_tail; rewrite firstn_all2 by (rewrite map_length, sort_length, numbered_length; lia).
    rewrite <- (numbered_fst x) at 1; apply Permutation_map, sort_perm.
  - rewrite map_length, firstn_length, sort_length, numbered_length, <- firstn_map.
    replace (n - Nat.min n (length x)) with 0 by lia; replace (n - length x) with 0 by lia; auto.
Qed.

Lemma insert_add e l : Add e l (insert le e l).
Proof. induction l as [|b l IH]; simpl; [constructor|]; destruct (le e b); constructor; auto. Qed.
Lemma add_map (e : A * nat) l m : Add e l m -> Add (fst e) (map fst l) (map fst m).
Proof. induction 1; simpl; constructor; auto. Qed.
Lemma ranked_add e l : Add (fst e) (ranked l) (ranked (e :: l)).
Proof. unfold ranked; simpl; apply add_app, add_map, insert_add. Qed.

Lemma chosen_added r l : change_one (length r) (chosen (r ++ l)) (chosen l).
Proof.
  induction r as [|e r IH]; [now apply change_one_perm|].
  apply (change_one_trans 1 (length r) _ (chosen (r ++ l))); auto.
  destruct (prefix_added (fst e) (ranked (r ++ l)) (ranked (e :: r ++ l)) n) as (c & p & q & H & G & E & L);
    auto using ranked_length, ranked_add.
  exists c, q, p; repeat split; auto; congruence || lia.
Qed.

Lemma chosen_replaced r s l : length r = length s -> change_one (length r) (chosen (r ++ l)) (chosen (s ++ l)).
Proof.
  revert s l; induction r as [|e r IH]; intros [|f s] l E; try discriminate; [now apply change_one_perm|].
  apply (change_one_trans 1 (length r) _ (chosen (f :: r ++ l))).
  - eapply prefix_replaced; apply ranked_add.
  - rewrite (chosen_perm (f :: r ++ l) (r ++ f :: l)) by apply Permutation_middle; simpl.
    rewrite (chosen_perm (f :: s ++ l) (s ++ f :: l)) by apply Permutation_middle; auto.
Qed.

Lemma change_one_sym {B} d (x y : list B) : change_one d x y -> change_one d y x.
Proof. intros (c & r & s & Hx & Hy & E & L); exists c, s, r; repeat split; auto; lia. Qed.

Lemma change_one_respects {B} d (x x' y y' : list B) :
  Permutation x x' -> Permutation y y' -> change_one d x' y' -> change_one d x y.
Proof.
  intros P Q (c & r & s & Hx & Hy & H); exists c, r, s; repeat split; try apply H; eapply Permutation_trans; eauto.
Qed.

Lemma parts_of_difference (x y c r s : list A) : Permutation x (r ++ c) -> Permutation y (s ++ c) ->
  exists c' r' s', Permutation (numbered x) (r' ++ c') /\ Permutation (numbered y) (s' ++ c') /\
    length r' = length r /\ length s' = length s.
Proof.
  intros Hx Hy; destruct (numbered_app r c) as (r' & Er & Lr), (numbered_app s c) as (s' & Es & Ls).
  exists (numbered c), r', s'; rewrite <- Er, <- Es; auto using numbered_perm.
Qed.

Lemma least_symmetric d x y : symmetric d x y -> symmetric (d * 2) (least_rows x) (least_rows y).
Proof.
  intros (c & r & s & Hx & Hy & L).
  destruct (parts_of_difference x y c r s Hx Hy) as (c' & r' & s' & Px & Py & Lr & Ls).
  apply symmetric_le with (2 * (length r' + length s')); [lia|]; apply change_one_symmetric.
  apply (change_one_respects _ _ _ _ _ (least_rows_chosen x) (least_rows_chosen y)).
  rewrite (chosen_perm _ _ Px), (chosen_perm _ _ Py).
  apply change_one_trans with (chosen c'); [|apply change_one_sym]; apply chosen_added.
Qed.

Lemma least_change_one d x y : change_one d x y -> change_one d (least_rows x) (least_rows y).
Proof.
  intros (c & r & s & Hx & Hy & E & L).
  destruct (parts_of_difference x y c r s Hx Hy) as (c' & r' & s' & Px & Py & Lr & Ls).
  apply change_one_le with (length r'); [lia|].
  apply (change_one_respects _ _ _ _ _ (least_rows_chosen x) (least_rows_chosen y)).
  rewrite (chosen_perm _ _ Px), (chosen_perm _ _ Py); apply chosen_replaced; lia.
Qed.
End Resize.

(** In order: the first rows, then constants. *)
Section Order.
Context {A : Type} (constant : A).

(** [first_rows], row by row. *)
Fixpoint take (n : nat) (x : list A) : list A :=
  match n with O => [] | S m => match x with [] => constant :: take m [] | a :: x => a :: take m x end end.

Lemma take_nil n : take n [] = repeat constant n.
Proof. induction n; simpl; auto; now rewrite IHn. Qed.
Lemma first_rows_take n x : first_rows n constant x = take n x.
Proof.
  revert x; induction n as [|n IH]; intros x; [reflexivity|].
  destruct x as [|a x]; unfold first_rows, pad in *; simpl; [now rewrite take_nil|].
  f_equal; rewrite <- IH; auto.
Qed.

Lemma take_length n x : length (take n x) = n.
Proof. revert x; induction n; intros [|a x]; simpl; auto. Qed.
Lemma from_nothing (y : list A) : insert_delete (length y) [] y.
Proof. induction y; constructor; auto. Qed.
Lemma to_nothing (x : list A) : insert_delete (length x) x [].
Proof. induction x; constructor; auto. Qed.
Lemma take_nothing n k : insert_delete ((n - k) + (k - n)) (take n []) (take k []).
Proof.
  revert k; induction n as [|n IH]; intros [|k].
  - constructor.
  - pose proof (from_nothing (take (S k) [])) as H; rewrite take_length in H; exact H.
  - pose proof (to_nothing (take (S n) [])) as H; rewrite take_length in H; simpl; rewrite Nat.add_0_r; exact H.
  - exact (id_keep _ _ _ _ (IH k)).
Qed.

(** One row more at some place pushes the last one out: a prefix one shorter is of use on the way. *)
Lemma take_insert_delete d x y : insert_delete d x y ->
  forall n k, insert_delete (d * 2 + ((n - k) + (k - n))) (take n x) (take k y).
Proof.
  induction 1 as [d|d a x y H IH|d a x y H IH|d a x y H IH]; intros n k.
  - apply insert_delete_le with ((n - k) + (k - n)); [lia|apply take_nothing].
  - destruct n as [|n].
    { pose proof (from_nothing (take k (a :: y))) as G; rewrite take_length in G.
      apply insert_delete_le with k; [lia|exact G]. }
    destruct k as [|k].
    { pose proof (to_nothing (take (S n) (a :: x))) as G; rewrite take_length in G.
      apply insert_delete_le with (S n); [lia|exact G]. }
    exact (id_keep _ _ _ _ (IH n k)).
  - destruct n as [|n].
    { pose proof (from_nothing (take k y)) as G; rewrite take_length in G.
      apply insert_delete_le with k; [lia|exact G]. }
    apply insert_delete_le with (S (d * 2 + ((n - k) + (k - n)))); [lia|].
    exact (id_delete _ a _ _ (IH n k)).
  - destruct k as [|k].
    { pose proof (to_nothing (take n x)) as G; rewrite take_length in G.
      apply insert_delete_le with n; [lia|exact G]. }
    apply insert_delete_le with (S (d * 2 + ((n - k) + (k - n)))); [lia|].
    exact (id_insert _ a _ _ (IH n k)).
Qed.

Lemma take_hamming d x y : hamming d x y -> forall n, hamming d (take n x) (take n y).
Proof.
  assert (R : forall d (u : list A), hamming d u u) by (intros k u; induction u; constructor; auto).
  induction 1; intros [|n]; simpl; try constructor; auto.
Qed.
End Order.

Section Stable.
Context {A : Type} (eq_dec : forall a b : A, {a = b} + {a <> b}) (n : nat) (constant : A) (le : A * nat -> A * nat -> bool).
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_antisym : forall a b, le a b = true -> le b a = true -> a = b.

Theorem make_resize_stable M d x y : apart M d x y ->
  apart M (resize_map M d) (resize eq_dec n constant le M x) (resize eq_dec n constant le M y).
Proof.
  destruct M; unfold resize_map; simpl; intros H.
  - now apply least_symmetric.
  - rewrite !first_rows_take; apply insert_delete_le with (d * 2 + ((n - n) + (n - n))); [lia|].
    now apply take_insert_delete.
  - now apply least_change_one.
  - rewrite !first_rows_take; now apply take_hamming.
Qed.

Theorem resize_members M x : length (resize eq_dec n constant le M x) = n /\
  forall p : A -> Prop, p constant -> (forall a, In a x -> p a) -> forall a, In a (resize eq_dec n constant le M x) -> p a.
Proof.
  assert (P : forall l, length l <= n -> length (pad n constant l) = n /\ forall a, In a (pad n constant l) -> a = constant \/ In a l).
  { intros l L; unfold pad; rewrite app_length, repeat_length; split; [lia|].
    intros a I; apply in_app_or in I; destruct I as [I|I]; auto; left; now apply repeat_spec in I. }
  assert (F : forall (B : Type) k (l : list B) b, In b (firstn k l) -> In b l).
  { intros B k l b I; rewrite <- (firstn_skipn k l); apply in_or_app; now left. }
  assert (G : forall l, length l <= n -> (forall a, In a l -> In a x) -> length (pad n constant l) = n /\
    forall p : A -> Prop, p constant -> (forall a, In a x -> p a) -> forall a, In a (pad n constant l) -> p a).
  { intros l L I; destruct (P l L) as [Q R]; split; auto; intros p Hc Hx a Ia; destruct (R a Ia) as [->|]; auto. }
  assert (L : length (least eq_dec n le x) <= n /\ forall a, In a (least eq_dec n le x) -> In a x).
  { unfold least; destruct (Nat.leb_spec (length x) n); [auto|]; rewrite map_length; split; [apply firstn_le_length|].
    intros a I; apply in_map_iff in I; destruct I as (e & <- & I); apply F in I.
    apply (Permutation_in _ (Permutation_sym (sort_perm le _))) in I.
    rewrite <- (numbered_fst eq_dec x); now apply in_map. }
  destruct M; simpl; unfold least_rows, first_rows; apply G; try apply L; try apply firstn_le_length; apply F.
Qed.
End Stable.
