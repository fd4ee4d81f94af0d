(** Laws on the numbers below [n], given by their weights. *)
Require Import Reals Lra Psatz Lia.
From DP Require Import Expect Approx.
Open Scope R_scope.

Fixpoint sum (n : nat) (h : nat -> R) : R := match n with O => 0 | S m => sum m h + h m end.

Lemma sum_ext n g h : (forall i, (i < n)%nat -> g i = h i) -> sum n g = sum n h.
Proof. intros H; induction n; simpl; auto; rewrite IHn, (H n); auto. Qed.
Lemma sum_le n g h : (forall i, (i < n)%nat -> g i <= h i) -> sum n g <= sum n h.
Proof. intros H; induction n; simpl; [lra|]; pose proof (H n ltac:(lia)); assert (sum n g <= sum n h) by auto; lra. Qed.
Lemma sum_plus n g h : sum n (fun i => g i + h i) = sum n g + sum n h.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.
Lemma sum_scal n c h : sum n (fun i => c * h i) = c * sum n h.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.
Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; ring|]; cbn [sum]; rewrite IHn, S_INR; ring. Qed.
Lemma sum_pos n h : (0 < n)%nat -> (forall i, 0 < h i) -> 0 < sum n h.
Proof.
  intros Hn H; destruct n; [lia|]; clear Hn; induction n; simpl in *; [pose proof (H O); lra|pose proof (H (S n)); lra].
Qed.

Local Obligation Tactic := intros; cbv beta; auto.
Program Definition finite n (w : nat -> R) (Hw : forall i, 0 <= w i) (W1 : sum n w = 1) : dist nat :=
  {| Int := fun _ => True; Ex := fun f => sum n (fun i => w i * f i) |}.
Next Obligation. rewrite <- sum_plus; apply sum_ext; intros; ring. Qed.
Next Obligation. rewrite <- sum_scal; apply sum_ext; intros; ring. Qed.
Next Obligation. apply sum_le; intros; apply Rmult_le_compat_l; auto. Qed.
Next Obligation. rewrite <- W1; apply sum_ext; intros; rewrite W1; ring. Qed.

(** A bound on the ratio of weights is one on events. *)
Theorem weights_close {A} e n (w v : nat -> R) (a : nat -> A) (P Q : dist A) :
  (forall f, unit_test f -> Ex P f = sum n (fun i => w i * f (a i))) ->
  (forall f, unit_test f -> Ex Q f = sum n (fun i => v i * f (a i))) ->
  (forall i, (i < n)%nat -> w i <= exp e * v i) -> close e 0 P Q.
Proof.
  intros HP HQ H f Hf; rewrite HP, HQ, Rplus_0_r, <- sum_scal by auto; apply sum_le; intros i Hi.
  rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [apply Hf|auto].
Qed.

Lemma uniform_nonneg n : 0 <= / INR n.
Proof. destruct n; [simpl; rewrite Rinv_0; lra|left; apply Rinv_0_lt_compat, lt_0_INR; lia]. Qed.
Lemma uniform_one n : (0 < n)%nat -> sum n (fun _ => / INR n) = 1.
Proof. intros H; rewrite sum_const, Rinv_r; auto; apply not_0_INR; lia. Qed.
Definition uniform n (Hn : (0 < n)%nat) : dist nat :=
  finite n (fun _ => / INR n) (fun _ => uniform_nonneg n) (uniform_one n Hn).
