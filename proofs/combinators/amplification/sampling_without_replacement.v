(** [make_sampling_without_replacement]: a set of rows, every set of its size as likely. *)
Require Import Reals Lra Psatz Lia List Permutation.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx Dataset Measures Domination Rounding Amplification Draws.
Import ListNotations.
Open Scope R_scope.

(** [rate_without_replacement]: [d n / m] of the numbers rounded outward, at most 1. *)
Definition rate (d n m : nat) : R := Rmin (inf_mul (INR d) (inf_div (up (INR n)) (dn (INR m)))) 1.

Lemma dn_one : dn 1 = 1.
Proof. apply round_generic; auto with typeclass_instances; change 1 with (bpow radix2 0); apply generic_format_FLT_bpow; auto with typeclass_instances; lia. Qed.
Lemma rate_sound d n m : (1 <= m)%nat -> Rmin (INR d * (INR n / INR m)) 1 <= rate d n m.
Proof.
  intros Hm; apply le_INR in Hm; simpl in Hm; pose proof (pos_INR n); pose proof (pos_INR d).
  assert (D1 : 1 <= dn (INR m)) by (rewrite <- dn_one; apply round_le; auto with typeclass_instances).
  assert (X : INR n / INR m <= inf_div (up (INR n)) (dn (INR m))).
  { eapply Rle_trans; [|apply inf_div_ge; [apply up_ge|lra]].
    apply Rmult_le_compat_l; auto; apply Rinv_le_contravar; [lra|apply dn_le]. }
  unfold rate; apply Rmin_glb; [|apply Rmin_r]; eapply Rle_trans; [apply Rmin_l|].
  assert (0 <= INR n / INR m) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]).
  apply inf_mul_ge; split; auto; lra.
Qed.

Section Total.
Context {A B : Type} (n d : nat) (e del : R) (He : 0 <= e) (Hd : 0 <= del) (M : list A -> dist B).
Hypotheses (OM : order_free M) (HM : forall s t, change_one d s t -> close e del (M s) (M t)).

Lemma draw_close (x y : list A) eta : change_one d x y -> (1 <= n <= length x)%nat ->
  Rmin (INR d * (INR n / INR (length x))) 1 <= eta <= 1 ->
  close (amplified eta e) (eta * del) (bind (draw n x) M) (bind (draw n y) M).
Proof.
  intros C Hn Heta f Hf; pose proof (change_one_length _ _ _ C) as Lxy.
  destruct C as (c & r & s & Px & Py & Lrs & Lr).
  assert (E0 : 0 <= eta).
  { destruct Heta as [L _]; eapply Rle_trans; [|exact L]; apply Rmin_glb; [|lra]; apply Rmult_le_pos; [apply pos_INR|].
    apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat, lt_0_INR; lia]. }
  rewrite amplified_exp by lra; cbn [Ex bind]; set (m := fun t => Ex (M t) f).
  assert (Om : order_free_test m) by (intros t t' P; now apply OM).
  assert (Hm : forall t, 0 <= m t <= 1) by (intros t; now apply Ex_unit).
  assert (Bm : forall (D : list A -> R), (forall t, 0 <= D t <= 1) -> bounded D) by (intros D HD; apply unit_bounded; auto).
  assert (Hc : forall u v, change_one d u v -> m u <= exp e * m v + del) by (intros u v K; apply (HM u v K f Hf)).
  rewrite (draw_order_free n x (r ++ c) Px), (draw_order_free n y (s ++ c) Py); auto; try lia.
  assert (Lx : length x = (length r + length c)%nat) by (apply Permutation_length in Px; now rewrite app_length in Px).
  set (ps := combine r s).
  assert (Er : r = map fst ps).
  { unfold ps; clear - Lrs; revert s Lrs; induction r; intros [|b s]; simpl; intros E; auto; try discriminate; f_equal; auto. }
  assert (Es : s = map snd ps).
  { unfold ps; clear - Lrs; revert s Lrs; induction r; intros [|b s]; simpl; intros E; auto; try discriminate; f_equal; auto. }
  assert (Lp : length ps = length r) by (unfold ps; rewrite combine_length; lia).
  rewrite Er, Es; unfold draw; rewrite !head_app, !head_map, !Nat.add_0_r; clear Px Py.
  set (vx := fun t : list (A * A) => Ex (draw (n - length t) c) (fun w => m (map fst t ++ w))).
  set (vy := fun t : list (A * A) => Ex (draw (n - length t) c) (fun w => m (map snd t ++ w))).
  rewrite (head_support _ _ _ _ vx), (head_support _ _ _ (fun t => Ex (head 0 (n - length (map snd t)) c) _) vy);
    try (intros t _ _; unfold vx, vy, draw; now rewrite map_length).
  set (H := head (length c) n ps).
  assert (Uv : forall g h (t : list (A * A)), (forall w, 0 <= h w <= 1) -> 0 <= Ex (draw g c) (fun w => h (map fst t ++ w)) <= 1).
  { intros g h t U; apply Ex_unit; intros w; apply U. }
  assert (Ux : forall t, 0 <= vx t <= 1) by (intros t; apply Ex_unit; intros w; apply Hm).
  assert (Uy : forall t, 0 <= vy t <= 1) by (intros t; apply Ex_unit; intros w; apply Hm).
  pose proof (exp_pos e).
  (* The same rows replaced. *)
  assert (XY : forall t, (length t <= length ps)%nat -> vx t <= exp e * vy t + del).
  { intros t Lt; unfold vx, vy; rewrite <- (Ex_const (draw (n - length t) c) del), <- Ex_scal, <- Ex_plus;
      try (apply Int_const); try (apply Int_scal); try (apply Int_bounded, Bm; intros w; apply Hm).
    apply Ex_le; [apply Int_bounded, Bm; intros w; apply Hm|apply Int_plus; [apply Int_scal, Int_bounded, Bm; intros w; apply Hm|apply Int_const]|].
    intros w; apply Hc; exists w, (map fst t), (map snd t); rewrite !map_length; repeat split; auto; lia. }
  destruct (le_lt_dec n (length c)) as [Ln|Ln].
  - (* Rows drawn from the others instead. *)
    set (v0 := Ex (draw n c) m).
    assert (X0 : forall t, (length t <= length ps)%nat -> (length t <= n)%nat -> vx t <= exp e * v0 + del).
    { intros t Lt Lt'; apply draw_more; auto; try lra; try lia.
      intros w z (k & Lk & Pk); apply Hc; exists w, (map fst t), k; rewrite map_length; repeat split; auto; lia. }
    assert (Dom : dominates (1 - eta) H (ret [])).
    { destruct (Nat.eq_dec (length ps) 0) as [Z|Z].
      - apply dominates_mono with 1; [lra|]; unfold H; destruct ps; [|discriminate]; apply dominates_refl.
      - assert (INR (length ps) <= INR d) by (apply le_INR; lia).
        assert (P0 : 0 <= INR n / INR (length x)) by (apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat, lt_0_INR; lia]).
        destruct Heta as [L1 L2]; unfold Rmin in L1; destruct (Rle_dec _ 1) as [Q|Q] in L1.
        + eapply dominates_mono; [|apply head_none; lia]; replace (length ps + length c)%nat with (length x) by lia; nra.
        + replace (1 - eta) with 0 by lra; intros h Bh Nh; rewrite Rmult_0_l; now apply Ex_nonneg_bounded. }
    destruct (dominates_mixture eta H (ret []) E0 Dom) as (K & Mix).
    set (ux := fun t : list (A * A) => if le_dec (length t) (min (length ps) n) then vx t else v0).
    set (uy := fun t : list (A * A) => if le_dec (length t) (min (length ps) n) then vy t else v0).
    assert (U0 : 0 <= v0 <= 1) by now apply Ex_unit.
    assert (Vx : forall t, 0 <= ux t <= 1) by (intros t; unfold ux; destruct (le_dec _ _); auto).
    assert (Vy : forall t, 0 <= uy t <= 1) by (intros t; unfold uy; destruct (le_dec _ _); auto).
    unfold H in *; rewrite (head_support _ _ _ vx ux), (head_support _ _ _ vy uy);
      try (intros t L1 L2; unfold ux, uy; destruct (le_dec _ _) as [|N]; [reflexivity|exfalso; apply N; lia]).
    rewrite !Mix by (apply unit_bounded; auto); simpl Ex.
    replace (ux []) with v0 by (unfold ux, vx, v0; simpl; now rewrite Nat.sub_0_r).
    replace (uy []) with v0 by (unfold uy, vy, v0; simpl; now rewrite Nat.sub_0_r).
    assert (C0 : v0 <= exp e * v0 + del) by (pose proof (exp_ineq1_le e); nra).
    apply joint_convexity; auto; [lra| |].
    + rewrite <- (Ex_const K (exp e * v0 + del)); apply Ex_le; [now apply Int_unit|apply Int_const|].
      intros t; unfold ux; destruct (le_dec _ _); auto; apply X0; lia.
    + rewrite <- (Ex_const K del) at 1; rewrite <- Ex_scal, <- Ex_plus by auto using Int_unit, Int_const, Int_scal.
      apply Ex_le; auto using Int_unit, Int_const, Int_scal, Int_plus.
      intros t; unfold ux, uy; destruct (le_dec _ _); auto; apply XY; lia.
  - assert (E1 : eta = 1).
    { destruct Heta as [L1 L2]; unfold Rmin in L1; destruct (Rle_dec _ 1) as [Q|Q] in L1; [|lra].
      assert (1 <= INR d * (INR n / INR (length x))); [|lra].
      assert (0 < INR (length x)) by (apply lt_0_INR; lia).
      apply Rmult_le_reg_r with (INR (length x)); auto; unfold Rdiv; rewrite Rmult_1_l, !Rmult_assoc, Rinv_l, Rmult_1_r, <- mult_INR by lra.
      apply le_INR; nia. }
    subst eta; replace (1 + 1 * (exp e - 1)) with (exp e) by ring; rewrite Rmult_1_l.
    set (ux := fun t : list (A * A) => if le_dec (length t) (length ps) then vx t else 0).
    set (uy := fun t : list (A * A) => if le_dec (length t) (length ps) then vy t else 0).
    assert (Vx : forall t, 0 <= ux t <= 1) by (intros t; unfold ux; destruct (le_dec _ _); auto; lra).
    assert (Vy : forall t, 0 <= uy t <= 1) by (intros t; unfold uy; destruct (le_dec _ _); auto; lra).
    unfold H in *; rewrite (head_support _ _ _ vx ux), (head_support _ _ _ vy uy);
      try (intros t L1 L2; unfold ux, uy; destruct (le_dec _ _) as [|N]; [reflexivity|exfalso; apply N; lia]).
    set (K := head _ _ _).
    rewrite <- (Ex_const K del) at 1; rewrite <- Ex_scal, <- Ex_plus by auto using Int_unit, Int_const, Int_scal.
    apply Ex_le; auto using Int_unit, Int_const, Int_scal, Int_plus.
    intros t; unfold ux, uy; destruct (le_dec _ _); [apply XY; lia|lra].
Qed.
End Total.

(** The measurement's domain are data of just [n] rows, and it promises nothing of others. *)
Theorem make_sampling_without_replacement {A B} (n m d : nat) (e del u : R) (M : list A -> dist B) : 0 <= e -> 0 <= del ->
  (1 <= n <= m)%nat -> amplified (rate d n m) e <= u ->
  (forall s t, length s = n -> Permutation s t -> forall f, unit_test f -> Ex (M s) f = Ex (M t) f) ->
  (forall s t, length s = n -> change_one d s t -> close e del (M s) (M t)) ->
  forall x y, length x = m -> change_one d x y ->
  close (Rmin u e) (inf_mul (rate d n m) (Rmin del 1)) (bind (draw n x) M) (bind (draw n y) M).
Proof.
  intros He Hdel Hn Hu OM HM x y Lx C; pose proof (change_one_length _ _ _ C) as Lxy.
  set (M' := fun s => if Nat.eq_dec (length s) n then M s else M x).
  assert (S : forall z f, (n <= length z)%nat -> Ex (bind (draw n z) M) f = Ex (bind (draw n z) M') f).
  { intros z f Lz; cbn [Ex bind]; apply draw_support; auto; intros s Ls; unfold M'; destruct (Nat.eq_dec _ _); [auto|lia]. }
  pose proof (rate_sound d n m ltac:(lia)) as Hr.
  assert (R1 : rate d n m <= 1) by apply Rmin_r.
  assert (R0 : 0 <= rate d n m).
  { eapply Rle_trans; [|exact Hr]; apply Rmin_glb; [|lra]; apply Rmult_le_pos; [apply pos_INR|].
    apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat, lt_0_INR; lia]. }
  intros f Hf; rewrite !S by lia; revert f Hf.
  change (close (Rmin u e) (inf_mul (rate d n m) (Rmin del 1)) (bind (draw n x) M') (bind (draw n y) M')).
  eapply close_mono; [|apply up_ge|apply (draw_close n d e (Rmin del 1))]; auto.
  - apply Rmin_glb; auto; now apply amplified_le.
  - apply Rmin_glb; lra.
  - intros s t P f Hf; unfold M'; rewrite <- (Permutation_length P); destruct (Nat.eq_dec _ _); auto.
  - intros s t K; unfold M'; rewrite <- (change_one_length _ _ _ K); destruct (Nat.eq_dec (length s) n); [now apply close_cut, HM|].
    apply close_mono with 0 0; [auto|apply Rmin_glb; lra|]; intros f Hf; rewrite exp_0; lra.
  - lia.
  - rewrite Lx; auto.
Qed.
