(** [make_count_distinct]: the number of different rows. *)
Require Import Reals Lra Lia List Arith Permutation.
From DP Require Import Dataset.
Import ListNotations.
Open Scope R_scope.

Section Distinct.
Context {A E : Type} (encoding_dec : forall a b : E, {a = b} + {a <> b}) (encoding : A -> E).

(** The size of the set of encodings. *)
Definition count_distinct (x : list A) : nat := length (nodup encoding_dec (map encoding x)).
Definition count_distinct_map (M : row_metric) (sized : bool) (d : nat) : R :=
  match unit M with AddOrRemove => if sized then INR (d / 2) else INR d | Replace => INR d end.

(** Where encodings are equal for equal rows alone, that is the number of different rows. *)
Theorem count_distinct_rows (eq_dec : forall a b : A, {a = b} + {a <> b}) x :
  (forall a b, encoding a = encoding b -> a = b) -> count_distinct x = length (nodup eq_dec x).
Proof.
  intros I; unfold count_distinct; induction x as [|a x IH]; simpl; auto.
  destruct (in_dec encoding_dec (encoding a) (map encoding x)) as [H|H], (in_dec eq_dec a x) as [G|G]; simpl; auto.
  - elim G; apply in_map_iff in H; destruct H as (b & H & J); now apply I in H as <-.
  - elim H; now apply in_map.
Qed.

Lemma nodup_perm (x y : list E) : Permutation x y -> length (nodup encoding_dec x) = length (nodup encoding_dec y).
Proof.
  intros H; apply Permutation_length, NoDup_Permutation; try apply NoDup_nodup.
  intros a; rewrite !nodup_In; split; apply Permutation_in; auto using Permutation_sym.
Qed.
Lemma count_app r c : (count_distinct c <= count_distinct (r ++ c) <= length r + count_distinct c)%nat.
Proof.
  unfold count_distinct; induction r as [|a r IH]; simpl; [lia|].
  destruct (in_dec encoding_dec (encoding a) (map encoding (r ++ c))); simpl; lia.
Qed.
Lemma difference (a b k : nat) : (a <= b + k)%nat -> (b <= a + k)%nat -> Rabs (INR a - INR b) <= INR k.
Proof. intros H G; apply le_INR in H, G; rewrite plus_INR in *; apply Rabs_le; lra. Qed.

Theorem make_count_distinct_stable M (size : option nat) d x y :
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M d x y ->
  Rabs (INR (count_distinct x) - INR (count_distinct y)) <= count_distinct_map M (if size then true else false) d.
Proof.
  assert (P : forall u v, Permutation u v -> count_distinct u = count_distinct v).
  { intros u v H; apply nodup_perm, Permutation_map, H. }
  intros Hs H; apply apart_unit in H; unfold count_distinct_map; destruct (unit M); [destruct size as [n|]|];
    destruct H as (c & r & s & Hx & Hy & L); rewrite (P _ _ Hx), (P _ _ Hy);
    pose proof (count_app r c); pose proof (count_app s c).
  - destruct (Hs n eq_refl) as [Ex Ey]; apply Permutation_length in Hx, Hy; rewrite app_length in Hx, Hy.
    assert (length r <= d / 2)%nat by (apply Nat.div_le_lower_bound; lia).
    apply difference; lia.
  - apply difference; lia.
  - apply difference; lia.
Qed.
End Distinct.
