(** [make_randomized_response]: a category, or one of the others, each as likely. *)
Require Import Reals Lra Psatz Lia Arith.
From DP Require Import Expect Approx Finite Measures Rounding randomized_response_bool.
Open Scope R_scope.

Section Categories.
Variables (others : nat) (Hothers : (0 < others)%nat) (p : R) (Hp : 0 <= p <= 1).
Lemma all_pos : (0 < S others)%nat. Proof. lia. Qed.

(** [other + u64::from(other >= position)]. *)
Definition skip (position other : nat) : nat := if position <=? other then S other else other.
(** What is released is the position of a category; [None] is a value that is not in the list. *)
Definition response (value : option nat) : dist nat :=
  bind (bernoulli p Hp) (fun truth => bind (uniform others Hothers) (fun other => bind (uniform (S others) all_pos) (fun any =>
    ret match value with Some position => if truth then position else skip position other | None => any end))).

Definition weight (value : option nat) (j : nat) : R :=
  match value with Some i => if j =? i then p else (1 - p) / INR others | None => / INR (S others) end.

Lemma sum_skip m i f : (i <= m)%nat -> sum m (fun u => f (skip i u)) = sum (S m) f - f i.
Proof.
  induction m; intros H; [replace i with O by lia; simpl; ring|].
  cbn [sum] in *; destruct (Nat.eq_dec i (S m)) as [->|N].
  - rewrite (sum_ext m _ f); unfold skip; [|intros u Hu]; destruct (Nat.leb_spec (S m) m), (Nat.leb_spec (S m) u) ||
      destruct (Nat.leb_spec (S m) m); try lia; try ring; auto.
  - rewrite IHm by lia; unfold skip; destruct (Nat.leb_spec i m); [ring|lia].
Qed.

Lemma sum_at m i c f : (i < m)%nat ->
  sum m (fun j => (if j =? i then p else c) * f j) = p * f i + c * (sum m f - f i).
Proof.
  induction m; intros H; [lia|]; cbn [sum]; destruct (Nat.eqb_spec m i) as [->|N].
  - rewrite (sum_ext i _ (fun j => c * f j)), sum_scal; [ring|].
    intros j Hj; destruct (Nat.eqb_spec j i); [lia|ring].
  - rewrite IHm by lia; ring.
Qed.

(** The true category with probability [p], every other one with the same share of the rest. *)
Theorem response_law value f : (forall i, value = Some i -> (i < S others)%nat) ->
  Ex (response value) f = sum (S others) (fun j => weight value j * f j).
Proof.
  intros H.
  assert (B : forall g, Ex (bernoulli p Hp) g = p * g true + (1 - p) * g false) by reflexivity.
  change (Ex (response value) f) with (Ex (bernoulli p Hp) (fun truth => Ex (uniform others Hothers) (fun other =>
    Ex (uniform (S others) all_pos) (fun any =>
      f match value with Some position => if truth then position else skip position other | None => any end)))).
  rewrite B; destruct value as [i|].
  - specialize (H i eq_refl); rewrite !Ex_const.
    rewrite (Ex_ext (uniform others Hothers) _ (fun other => f (skip i other)) I) by (intros; apply Ex_const).
    unfold weight; rewrite sum_at by auto; simpl Ex; rewrite sum_scal, (sum_skip others i f) by lia.
    field; apply not_0_INR; lia.
  - rewrite Ex_const; transitivity (Ex (uniform (S others) all_pos) f); [|reflexivity].
    change (fun any => f any) with f; ring.
Qed.

Theorem make_randomized_response d x x' : / INR (S others) <= p -> 0 < dn (1 - p) ->
  (forall i, x = Some i \/ x' = Some i -> (i < S others)%nat) -> (d = O -> x = x') ->
  max_divergence (response_map (loss_of_odds p (INR others)) d) (response x) (response x').
Proof.
  intros Hk Hd Hi E; pose proof (dn_le (1 - p)).
  assert (Ho : 0 < INR others) by (apply lt_0_INR; lia).
  assert (Hs : INR (S others) = INR others + 1) by apply S_INR.
  assert (P0 : 0 < p) by (eapply Rlt_le_trans; [|exact Hk]; apply Rinv_0_lt_compat; lra).
  set (low := (1 - p) / INR others).
  assert (L0 : 0 < low) by (apply Rdiv_lt_0_compat; lra).
  assert (Ek : / INR (S others) * (INR others + 1) = 1) by (rewrite Hs, Rinv_l; lra).
  assert (El : low * INR others = 1 - p) by (unfold low; field; lra).
  assert (W : forall v j, low <= weight v j <= p).
  { intros v j; assert (low <= / INR (S others)).
    { apply Rmult_le_reg_r with (INR others); [auto|]; nra. }
    unfold weight; destruct v; [destruct (j =? n)|]; fold low; lra. }
  assert (R : p <= exp (loss_of_odds p (INR others)) * low).
  { pose proof (loss_of_odds_sound p (INR others) P0 Ho Hd).
    replace p with (p * INR others / (1 - p) * low) at 1 by (unfold low; field; lra).
    apply Rmult_le_compat_r; lra. }
  assert (C : forall v v', (forall i, v = Some i -> (i < S others)%nat) -> (forall i, v' = Some i -> (i < S others)%nat) ->
    close (loss_of_odds p (INR others)) 0 (response v) (response v')).
  { intros v v' Hv Hv'; apply weights_close with (S others) (weight v) (weight v') (fun i => i);
      try (intros f _; now apply response_law).
    intros j _; destruct (W v j), (W v' j); apply Rle_trans with p; auto; eapply Rle_trans; [exact R|].
    apply Rmult_le_compat_l; auto; left; apply exp_pos. }
  destruct d; [rewrite (E eq_refl); split; intros f _; simpl; rewrite exp_0; lra|].
  split; apply C; intros i ->; apply Hi; auto.
Qed.
End Categories.
