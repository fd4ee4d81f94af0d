(** [make_count_distinct_by_categories]: the number of different values of each category. *)
Require Import Reals Lra Lia List Arith Permutation.
From DP Require Import Dataset Totals Rounding Maps categories count_distinct.
Import ListNotations.
Open Scope R_scope.

Section Distinct.
Context {K A E : Type} (encoding_dec : forall a b : E, {a = b} + {a <> b}) (encoding : A -> E).
Context (position : K -> option nat) (C : category_metric) (n : nat).

(** The values of the rows that belong to an entry. *)
Definition is_of (j : nat) (row : K * A) : bool :=
  match position (fst row) with Some i => Nat.eqb i j | None => false end.
Definition values (x : list (K * A)) (j : nat) : list A := map snd (filter (is_of j) x).
Definition counts (x : list (K * A)) : vector := fun j => INR (count_distinct encoding_dec encoding (values x j)).

Lemma counts_perm x y j : Permutation x y -> counts x j = counts y j.
Proof.
  intros H; unfold counts, count_distinct; f_equal; apply nodup_perm, Permutation_map; unfold values.
  apply Permutation_map; induction H; simpl; auto.
  - destruct (is_of j x); auto.
  - destruct (is_of j x), (is_of j y); auto using perm_swap.
  - eauto using Permutation_trans.
Qed.

(** What a row adds to its entry: 1 if it has a value that no other row there has, else 0. *)
Definition adds (row : K * A) (x : list (K * A)) : R :=
  match position (fst row) with
  | Some i => if in_dec encoding_dec (encoding (snd row)) (map encoding (values x i)) then 0 else 1
  | None => 0
  end.

Lemma adds_range row x : 0 <= adds row x <= 1.
Proof. unfold adds; destruct position as [i|]; [destruct in_dec|]; lra. Qed.

Lemma counts_cons row x j : counts (row :: x) j = counts x j + single (position (fst row)) (adds row x) j.
Proof.
  unfold counts, values, adds, single; simpl; unfold is_of at 1.
  destruct (position (fst row)) as [i|] eqn:P; [|lra].
  destruct (Nat.eqb_spec i j) as [<-|N]; [|lra].
  unfold count_distinct; simpl; fold (values x i).
  destruct in_dec; [lra|]; cbn [length]; rewrite S_INR; lra.
Qed.

(** A row that goes, and others that come: all of them added to the same rows. *)
Lemma added r c : norm C n (vminus (counts (r ++ c)) (counts c)) <= INR (length r).
Proof.
  pose proof (norm_seminorm C n) as N; induction r as [|a r IH]; cbn [app].
  - rewrite (norm_ext _ N _ vzero) by (intros j; unfold vminus, vzero; lra).
    rewrite norm_zero by exact N; simpl; lra.
  - cbn [length]; rewrite S_INR, (norm_ext _ N _ (vplus (single (position (fst a)) (adds a (r ++ c)))
      (vminus (counts (r ++ c)) (counts c)))).
    + eapply Rle_trans; [apply norm_plus, N|].
      pose proof (adds_range a (r ++ c)).
      assert (norm C n (single (position (fst a)) (adds a (r ++ c))) <= 1)
        by (apply norm_single; rewrite Rabs_pos_eq; lra).
      lra.
    + intros j; unfold vplus, vminus; rewrite counts_cons; ring.
Qed.

(** One row for another: in one entry by at most 1, or in two. *)
Lemma replaced a b c : norm C n (vminus (counts (a :: c)) (counts (b :: c))) <= step C Replace 1 1.
Proof.
  pose proof (norm_seminorm C n) as N; pose proof (adds_range a c); pose proof (adds_range b c).
  rewrite (norm_ext _ N _ (vminus (single (position (fst a)) (adds a c)) (single (position (fst b)) (adds b c)))).
  - apply norm_replaced; apply Rabs_le; lra.
  - intros j; unfold vminus; rewrite !counts_cons; ring.
Qed.

Lemma all_replaced r : forall s c, length r = length s ->
  norm C n (vminus (counts (r ++ c)) (counts (s ++ c))) <= INR (length r) * step C Replace 1 1.
Proof.
  pose proof (norm_seminorm C n) as N; induction r as [|a r IH]; intros [|b s] c L; simpl in L; try discriminate.
  - rewrite (norm_ext _ N _ vzero) by (intros j; unfold vminus, vzero; lra).
    rewrite norm_zero by exact N; simpl; lra.
  - injection L as L; cbn [app length]; rewrite S_INR.
    rewrite (norm_ext _ N _ (vplus (vminus (counts (a :: r ++ c)) (counts (b :: r ++ c)))
      (vminus (counts (r ++ b :: c)) (counts (s ++ b :: c))))).
    + eapply Rle_trans; [apply norm_plus, N|].
      pose proof (replaced a b (r ++ c)); pose proof (IH s (b :: c) L); lra.
    + intros j; unfold vplus, vminus.
      rewrite (counts_perm (r ++ b :: c) (b :: r ++ c)), (counts_perm (s ++ b :: c) (b :: s ++ c))
        by apply Permutation_sym, Permutation_middle; ring.
Qed.

Theorem make_count_distinct_by_categories_stable M d x y : apart M d x y ->
  norm C n (vminus (counts x) (counts y)) <= moved d (step C (unit M) 1 1).
Proof.
  intros H; apply apart_unit in H; pose proof (norm_seminorm C n) as N.
  assert (S : 0 <= step C (unit M) 1 1) by (apply step_nonneg; lra).
  eapply Rle_trans; [|apply moved_sound with (t := step C (unit M) 1 1); lra].
  destruct (unit M); destruct H as (c & r & s & Hx & Hy & L);
    rewrite (norm_ext _ N _ (vminus (counts (r ++ c)) (counts (s ++ c))))
      by (intros j; unfold vminus; now rewrite (counts_perm _ _ j Hx), (counts_perm _ _ j Hy)).
  - simpl; rewrite Rmult_1_r.
    rewrite (norm_ext _ N _ (vminus (vminus (counts (r ++ c)) (counts c)) (vminus (counts (s ++ c)) (counts c))))
      by (intros j; unfold vminus; ring).
    eapply Rle_trans; [apply norm_minus, N|].
    pose proof (added r c); pose proof (added s c); apply le_INR in L; rewrite plus_INR in L; lra.
  - destruct L as [Hl L]; eapply Rle_trans; [now apply all_replaced|].
    apply Rmult_le_compat_r; [exact S|now apply le_INR].
Qed.

(** Where encodings are equal for equal values alone, an entry is the number of different values of its rows. *)
Theorem counts_values (eq_dec : forall a b : A, {a = b} + {a <> b}) x j :
  (forall a b, encoding a = encoding b -> a = b) -> counts x j = INR (length (nodup eq_dec (values x j))).
Proof. intros I; unfold counts; f_equal; now apply count_distinct_rows. Qed.
End Distinct.
