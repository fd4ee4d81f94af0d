(** [make_noisy_top_k]: the best candidate, then the best of the others, and so on. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Expect Approx DualRenyi PureToZCDP DiscreteGaussian Finite Totals Measures Rounding exponential.
Import ListNotations.
Open Scope R_scope.

(** The law of Gumbel noise is that of one exponential mechanism after another, each among the positions that are left. *)
Section Peeling.
Variables (n : nat) (s : R) (Hs : 0 < s).

Definition scores (x : vector) (left : list nat) : vector := fun i => x (nth i left O).
Definition remove (i : nat) (left : list nat) : list nat := firstn i left ++ skipn (S i) left.

Fixpoint peel (k : nat) (x : vector) (left : list nat) : dist (list nat) :=
  match k with
  | O => ret []
  | S k => match lt_dec 0 (length left) with
           | right _ => ret []
           | Specif.left some => bind (select (length left) some s (scores x left))
               (fun i => dmap (cons (nth i left O)) (peel k x (remove i left)))
           end
  end.
Definition top (k : nat) (x : vector) : dist (list nat) := peel k x (seq 0 n).

(** What is left is no further apart than the whole. *)
Definition inside (left : list nat) : Prop := forall i, In i left -> (i < n)%nat.
Lemma inside_all : inside (seq 0 n).
Proof. intros i H; apply in_seq in H; lia. Qed.
Lemma inside_remove i left : inside left -> inside (remove i left).
Proof.
  intros H j Hj; apply H; unfold remove in Hj; apply in_app_or in Hj.
  rewrite <- (firstn_skipn i left); apply in_or_app; destruct Hj as [J|J]; [now left|right].
  clear H; revert left J; induction i as [|i IH]; intros [|a l]; simpl; auto.
Qed.

Lemma rise_part left u : inside left -> rise (length left) (fun i => u (nth i left O)) <= rise n u.
Proof.
  intros H; assert (B : forall m, (m <= length left)%nat -> rise m (fun i => u (nth i left O)) <= rise n u).
  { induction m as [|m IH]; simpl; intros L; [apply rise_nonneg|]; apply Rmax_lub; [apply IH; lia|].
    apply rise_ge, H, nth_In; lia. }
  now apply B.
Qed.
Lemma span_part left x y : inside left -> span (length left) (vminus (scores x left) (scores y left)) <= span n (vminus x y).
Proof.
  intros H; unfold span; apply Rplus_le_compat;
    [apply (rise_part left (vminus x y) H)|apply (rise_part left (fun j => - vminus x y j) H)].
Qed.

Variables (x y : vector) (eta : R) (Heta : span n (vminus x y) / s <= eta).
Lemma eta_nonneg : 0 <= eta.
Proof.
  eapply Rle_trans; [|exact Heta]; apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
  unfold span; pose proof (rise_nonneg n (vminus x y)); pose proof (rise_nonneg n (fun j => - vminus x y j)); lra.
Qed.

Lemma step_range left some : inside left ->
  bounded_range eta (select (length left) some s (scores x left)) (select (length left) some s (scores y left)).
Proof.
  intros H; eapply bounded_range_mono; [|now apply select_range].
  eapply Rle_trans; [|exact Heta]; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|now apply span_part].
Qed.

Lemma close_refl {A} e (P : dist A) : 0 <= e -> close e 0 P P.
Proof. intros H; apply close_mono with 0 0; auto; [lra|]; intros f _; rewrite exp_0; lra. Qed.

Lemma peel_pure k left : inside left -> close (INR k * eta) 0 (peel k x left) (peel k y left) /\
  close (INR k * eta) 0 (peel k y left) (peel k x left).
Proof.
  pose proof eta_nonneg as E; revert left; induction k as [|k IH]; intros left H.
  - simpl; split; apply close_refl; lra.
  - rewrite S_INR; replace ((INR k + 1) * eta) with (eta + INR k * eta) by ring.
    assert (0 <= INR k * eta) by (apply Rmult_le_pos; auto using pos_INR).
    cbn [peel]; destruct (lt_dec 0 (length left)) as [some|none]; [|split; apply close_refl; lra].
    destruct (bounded_range_pure _ _ _ (step_range left some H)) as [F B].
    rewrite <- (Rplus_0_l 0); split; (apply adaptive_composition; [lra|auto|]); intros i; apply post_processing;
      apply (IH _ (inside_remove i left H)).
Qed.

Lemma peel_zCDP k left rho : 0 <= rho -> eta * eta / 8 <= rho -> inside left ->
  zCDP (INR k * rho) (peel k x left) (peel k y left) /\ zCDP (INR k * rho) (peel k y left) (peel k x left).
Proof.
  intros Hr B; revert left; induction k as [|k IH]; intros left H.
  - simpl; rewrite Rmult_0_l; split; apply zCDP_refl.
  - rewrite S_INR; replace ((INR k + 1) * rho) with (rho + INR k * rho) by ring.
    assert (P : 0 <= rho + INR k * rho) by (pose proof (pos_INR k); nra).
    cbn [peel]; destruct (lt_dec 0 (length left)) as [some|none];
      [|split; (eapply zCDP_mono; [exact P|apply zCDP_refl])].
    pose proof (step_range left some H) as R; pose proof (bounded_range_symmetric _ _ _ R) as R'.
    split; (apply zCDP_adaptive_composition; [eapply zCDP_mono; [exact B|now apply bounded_range_zCDP]|]);
      intros i; apply zCDP_post_processing; apply (IH _ (inside_remove i left H)).
Qed.

(** The interval of the first step is the same for all outcomes; a later one may move by [eta] either way. *)
Lemma peel_range k left : inside left -> bounded_range ((2 * INR (S k) - 1) * eta) (peel (S k) x left) (peel (S k) y left).
Proof.
  intros H; pose proof eta_nonneg as E; pose proof (pos_INR k).
  assert (P : 0 <= INR k * eta) by now apply Rmult_le_pos.
  replace ((2 * INR (S k) - 1) * eta) with (eta + 2 * (INR k * eta)) by (rewrite S_INR; ring).
  cbn [peel]; destruct (lt_dec 0 (length left)) as [some|none].
  - destruct (step_range left some H) as (t & U & L).
    exists (t - INR k * eta); split.
    + replace (t - INR k * eta + (eta + 2 * (INR k * eta))) with (t + eta + INR k * eta) by ring.
      rewrite <- (Rplus_0_l 0); apply adaptive_composition; [lra|exact U|]; intros i; apply post_processing.
      apply (peel_pure k _ (inside_remove i left H)).
    + replace (- (t - INR k * eta)) with (- t + INR k * eta) by ring.
      rewrite <- (Rplus_0_l 0); apply adaptive_composition; [lra|exact L|]; intros i; apply post_processing.
      apply (peel_pure k _ (inside_remove i left H)).
  - exists 0; split; apply close_refl; lra.
Qed.
End Peeling.

(** [of_peeling] of each measure: exactly, and rounded up once. *)
Definition times (count loss : R) : R := up (count * loss).
Lemma times_ge count loss : count * loss <= times count loss.
Proof. apply up_ge. Qed.

Section Mechanism.
Variables (n k : nat) (s : R) (Hs : 0 < s) (monotonic : bool) (x y : vector) (d : R).
Hypothesis apart : distance monotonic n x y <= d.
Let eta := selection_eta monotonic d s.
Let Heta : span n (vminus x y) / s <= eta. Proof. now apply span_eta. Qed.

Theorem make_noisy_top_k_pure : max_divergence (times (INR k) eta) (top n s k x) (top n s k y).
Proof.
  destruct (peel_pure n s Hs x y eta Heta k (seq 0 n) (inside_all n)) as [F B].
  split; (eapply close_mono; [apply times_ge|apply Rle_refl|auto]).
Qed.

Theorem make_noisy_top_k_zero_concentrated :
  zero_concentrated (times (INR k) (eta * eta / 8)) (top n s k x) (top n s k y).
Proof.
  assert (P : 0 <= eta * eta / 8) by (pose proof (pow2_ge_0 eta); nra).
  destruct (peel_zCDP n s Hs x y eta Heta k (seq 0 n) (eta * eta / 8) P (Rle_refl _) (inside_all n)) as [F G].
  split; (eapply zCDP_mono; [apply times_ge|auto]).
Qed.

Theorem make_noisy_top_k_range : (0 < k)%nat ->
  range_divergence (times (2 * INR k - 1) eta) (top n s k x) (top n s k y).
Proof.
  intros Hk; destruct k as [|m]; [lia|].
  eapply bounded_range_mono; [apply times_ge|apply (peel_range n s Hs x y eta Heta), inside_all].
Qed.
End Mechanism.
