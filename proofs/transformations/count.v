(** [make_count]: the number of rows. *)
Require Import Reals Lra Lia List Permutation.
From DP Require Import Dataset.
Open Scope R_scope.

(** [sized]: whether the size is part of the input domain. An integer below 2^32 is exact in binary64. *)
Definition count_map (M : row_metric) (sized : bool) (d : nat) : R :=
  match unit M with AddOrRemove => if sized then 0 else INR d | Replace => 0 end.

Theorem make_count_stable {A} M (size : option nat) d (x y : list A) :
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M d x y ->
  Rabs (INR (length x) - INR (length y)) <= count_map M (if size then true else false) d.
Proof.
  intros Hs H; apply apart_unit in H; unfold count_map.
  assert (E : length x = length y -> Rabs (INR (length x) - INR (length y)) <= 0).
  { intros ->; rewrite Rminus_eq_0, Rabs_R0; lra. }
  destruct (unit M); [destruct size as [n|]|].
  - destruct (Hs n eq_refl); apply E; congruence.
  - destruct H as (c & r & s & Hx & Hy & L); apply Permutation_length in Hx, Hy.
    rewrite app_length in Hx, Hy; rewrite Hx, Hy, !plus_INR.
    apply le_INR in L; rewrite plus_INR in L; pose proof (pos_INR (length r)); pose proof (pos_INR (length s)).
    apply Rabs_le; lra.
  - apply E; eapply change_one_length; eauto.
Qed.
