(** [make_sum]: the exact sum of bounded numbers. *)
Require Import Reals Lra Lia List.
From DP Require Import Dataset Totals Rounding Maps.
Open Scope R_scope.

Definition sum (x : list R) : R := fold_right Rplus 0 x.

Definition sum_map (M : row_metric) (sized : bool) (l u : R) (d : nat) : R :=
  match unit M with
  | Replace => moved d (range l u)
  | AddOrRemove => if sized then moved (d / 2) (range l u) else moved d (magnitude l u)
  end.

Definition number (v : R) : vector := fun _ => v.
Definition size0 (u : vector) : R := Rabs (u O).
Lemma size0_seminorm : seminorm size0.
Proof.
  split; unfold size0; intros.
  - now rewrite H.
  - apply Rabs_R0.
  - apply Rabs_Ropp.
  - apply Rabs_triang.
Qed.
Lemma total_sum x : total number x O = sum x.
Proof. induction x; simpl; auto; unfold vplus; now rewrite IHx. Qed.

Theorem make_sum_stable M (size : option nat) l u d x y : l <= u ->
  (forall v, In v x \/ In v y -> l <= v <= u) ->
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M d x y ->
  Rabs (sum x - sum y) <= sum_map M (if size then true else false) l u d.
Proof.
  intros Hlu B Hs H; apply apart_unit in H; unfold sum_map; rewrite <- !total_sum.
  change (size0 (vminus (total number x) (total number y)) <=
    match unit M with
    | AddOrRemove => if (if size then true else false) then moved (d / 2) (range l u) else moved d (magnitude l u)
    | Replace => moved d (range l u) end).
  pose proof size0_seminorm as N; pose proof (range_nonneg l u Hlu); pose proof (magnitude_nonneg l u).
  assert (P : forall a b, In a x -> In b y -> size0 (vminus (number a) (number b)) <= range l u).
  { intros a b Ha Hb; apply range_sound; auto. }
  destruct (unit M); [destruct size as [n|]|].
  - destruct (Hs n eq_refl) as [Ex Ey].
    eapply Rle_trans; [apply sized_total with (step := range l u); eauto; congruence|].
    apply moved_sound; lra.
  - eapply Rle_trans; [apply symmetric_total with (m := magnitude l u); eauto|apply moved_sound; lra].
    intros a Ha; apply magnitude_sound; auto.
  - eapply Rle_trans; [apply change_one_total with (step := range l u); eauto|apply moved_sound; lra].
Qed.
