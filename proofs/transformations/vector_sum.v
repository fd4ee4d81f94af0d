(** [make_vector_sum]: the exact sum of vectors of bounded length. *)
Require Import Reals Lra List.
From DP Require Import Dataset Totals Rounding Maps categories norms.
Open Scope R_scope.

Section Sum.
Variables (C : category_metric) (p : ball_norm) (n : nat) (radius : R) (Hr : 0 < radius).

(** A row is a list of numbers; the sum has one entry for each place. *)
Definition vector_sum (x : list (list R)) : vector := total entries x.
Definition member (row : list R) : Prop := length row = n /\ ball p n (entries row) <= radius.

Definition vector_step (M : row_metric) : R :=
  let length := ball_length C p n radius in
  match unit M with AddOrRemove => length | Replace => inf_mul length 2 end.

Theorem make_vector_sum_stable M d x y : (forall row, In row x \/ In row y -> member row) -> apart M d x y ->
  norm C n (vminus (vector_sum x) (vector_sum y)) <= moved d (vector_step M).
Proof.
  intros B H; apply apart_unit in H; unfold vector_step.
  pose proof (norm_seminorm C n) as N.
  assert (L : forall row, In row x \/ In row y -> norm C n (entries row) <= ball_length C p n radius).
  { intros row I; apply ball_length_sound; auto; now apply B. }
  assert (P : 0 <= ball_length C p n radius).
  { eapply Rle_trans; [apply (norm_nonneg C n vzero)|]; apply ball_length_sound; auto.
    replace (ball p n vzero) with 0; [lra|]; destruct p; simpl; symmetry;
      apply (norm_zero _ (l1_seminorm n)) || apply (norm_zero _ (l2_seminorm n)) || apply (norm_zero _ (linf_seminorm n)). }
  assert (T : ball_length C p n radius * 2 <= inf_mul (ball_length C p n radius) 2) by (apply inf_mul_ge; lra).
  destruct (unit M).
  - eapply Rle_trans; [apply symmetric_total with (m := ball_length C p n radius); eauto|apply moved_sound; lra].
  - eapply Rle_trans; [apply change_one_total with (step := ball_length C p n radius * 2); eauto; [lra|]|apply moved_sound; lra].
    intros a b Ia Ib; eapply Rle_trans; [apply norm_minus, N|].
    pose proof (L a (or_introl Ia)); pose proof (L b (or_intror Ib)); lra.
Qed.
End Sum.
