(** [make_metric_cast]: the same rows in another metric. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset Rows.

(** The table of casts: whether the size must be known, and the new distance.  No other pair has a cast. *)
Definition cast_distance (M MO : row_metric) : option (bool * (nat -> nat)) :=
  match M, MO with
  | InsertDeleteDistance, SymmetricDistance => Some (false, fun d => d)
  | HammingDistance, ChangeOneDistance => Some (false, fun d => d)
  | SymmetricDistance, ChangeOneDistance => Some (true, fun d => d / 2)
  | ChangeOneDistance, SymmetricDistance => Some (false, fun d => d * 2)
  | HammingDistance, InsertDeleteDistance => Some (false, fun d => d * 2)
  | _, _ => None
  end.

Theorem symmetric_change_one {A} d (x y : list A) : length x = length y -> symmetric d x y -> change_one (d / 2) x y.
Proof.
  intros E (c & r & s & Hx & Hy & L); exists c, r, s; repeat split; auto;
    apply Permutation_length in Hx, Hy; rewrite app_length in Hx, Hy; [lia|].
  apply Nat.div_le_lower_bound; lia.
Qed.

Theorem make_metric_cast_stable {A} M MO needs_size distance d (x y : list A) :
  cast_distance M MO = Some (needs_size, distance) -> (needs_size = true -> exists n, length x = n /\ length y = n) ->
  apart M d x y -> apart MO (distance d) x y.
Proof.
  destruct M, MO; simpl; intros [= <- <-] S H.
  - destruct (S eq_refl) as (n & Hx & Hy); apply symmetric_change_one; congruence.
  - now apply insert_delete_symmetric.
  - rewrite Nat.mul_comm; now apply change_one_symmetric.
  - rewrite Nat.mul_comm; now apply hamming_insert_delete.
  - now apply hamming_change_one.
Qed.
