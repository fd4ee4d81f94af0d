(** [make_flat_map]: so many images of each row, one after the other. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset Replaced.
Import ListNotations.

Section Images.
Context {A B : Type} (images : A -> list B) (k : nat).
Hypothesis as_many : forall a, length (images a) = k.

Lemma images_length l : length (flat_map images l) = length l * k.
Proof. induction l as [|a l IH]; simpl; auto; rewrite app_length, as_many, IH; auto. Qed.

Theorem make_flat_map_size l n : length l = n -> length (flat_map images l) = n * k.
Proof. intros <-; apply images_length. Qed.

Lemma insert_delete_app l d (x y : list B) : insert_delete d x y -> insert_delete d (l ++ x) (l ++ y).
Proof. intros H; induction l; simpl; auto using id_keep. Qed.
Lemma insert_delete_left l d (x y : list B) : insert_delete d x y -> insert_delete (length l + d) (l ++ x) y.
Proof. intros H; induction l; simpl; auto using id_delete. Qed.
Lemma insert_delete_right l d (x y : list B) : insert_delete d x y -> insert_delete (length l + d) x (l ++ y).
Proof. intros H; induction l; simpl; auto using id_insert. Qed.
Lemma hamming_app l d (x y : list B) : hamming d x y -> hamming d (l ++ x) (l ++ y).
Proof. intros H; induction l; simpl; auto using ham_keep. Qed.
Lemma hamming_both l m d (x y : list B) : length l = length m -> hamming d x y ->
  hamming (length l + d) (l ++ x) (m ++ y).
Proof. revert m; induction l as [|a l IH]; intros [|b m] E H; simpl in *; try discriminate; auto using ham_replace. Qed.

Theorem make_flat_map_rows M d x y : apart M d x y -> apart M (d * k) (flat_map images x) (flat_map images y).
Proof.
  destruct M; simpl.
  - intros (c & r & s & Hx & Hy & L); exists (flat_map images c), (flat_map images r), (flat_map images s).
    rewrite <- !flat_map_app, !images_length, <- Nat.mul_add_distr_r.
    repeat split; try (now apply Permutation_flat_map); auto using Nat.mul_le_mono_r.
  - induction 1; simpl.
    + constructor.
    + now apply insert_delete_app.
    + rewrite <- (as_many a) at 1; now apply insert_delete_left.
    + rewrite <- (as_many a) at 1; now apply insert_delete_right.
  - intros (c & r & s & Hx & Hy & E & L); exists (flat_map images c), (flat_map images r), (flat_map images s).
    rewrite <- !flat_map_app, !images_length, <- E.
    repeat split; try (now apply Permutation_flat_map); auto using Nat.mul_le_mono_r.
  - induction 1; simpl.
    + constructor.
    + now apply hamming_app.
    + rewrite <- (as_many a) at 1; apply hamming_both; [now rewrite !as_many|assumption].
Qed.
End Images.

(** The images of an individual's rows are that individual's. *)
Section Individuals.
Context {K V W : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (images : V -> list W).
Definition of_individual (row : K * V) : list (K * W) := map (pair (fst row)) (images (snd row)).

Lemma rows_of_app {U} p (x y : list (K * U)) : rows_of eq_dec p (x ++ y) = rows_of eq_dec p x ++ rows_of eq_dec p y.
Proof. unfold rows_of; now rewrite filter_app, map_app. Qed.

Lemma rows_of_one {U} p q (l : list U) : rows_of eq_dec p (map (pair q) l) = if eq_dec p q then l else [].
Proof.
  unfold rows_of; destruct (eq_dec p q) as [E|N]; induction l as [|u l IH]; simpl; auto;
    destruct (eq_dec p q); try contradiction; simpl; [now rewrite IH|assumption].
Qed.

Lemma rows_of_images p x : rows_of eq_dec p (flat_map of_individual x) = flat_map images (rows_of eq_dec p x).
Proof.
  induction x as [|[q v] x IH]; simpl; auto; rewrite rows_of_app, IH; unfold of_individual; simpl; rewrite rows_of_one.
  unfold rows_of; simpl; now destruct (eq_dec p q).
Qed.

Theorem make_flat_map_replaced d x y :
  replaced eq_dec d x y -> replaced eq_dec d (flat_map of_individual x) (flat_map of_individual y).
Proof.
  apply replaced_images; intros p; rewrite !rows_of_images; [apply Permutation_flat_map| |]; now intros ->.
Qed.

Theorem make_flat_map_individuals d x y :
  individuals eq_dec d x y -> individuals eq_dec d (flat_map of_individual x) (flat_map of_individual y).
Proof.
  intros (ps & N & H & C); exists ps; repeat split; auto.
  - intros p Hp; rewrite !rows_of_images; now apply Permutation_flat_map, H.
  - apply Nat.le_trans with (total_cost eq_dec ps x y); auto; clear; induction ps as [|p ps IH]; simpl; auto.
    apply Nat.add_le_mono; auto; unfold cost; rewrite !rows_of_images.
    destruct (rows_of eq_dec p x) as [|a l]; [simpl; lia|]; destruct (rows_of eq_dec p y) as [|b m].
    + change (flat_map images []) with (@nil W); destruct (flat_map images (a :: l)); lia.
    + destruct (flat_map images (a :: l)), (flat_map images (b :: m)); lia.
Qed.
End Individuals.
