(** [make_exponential]: position i with probability proportional to exp (score i / scale). *)
Require Import Reals Lra Psatz Lia.
From DP Require Import Expect Approx DualRenyi PureToZCDP Finite Totals Measures Rounding categories.
Open Scope R_scope.

Lemma rise_ge n u j : (j < n)%nat -> u j <= rise n u.
Proof.
  induction n; intros H; [lia|]; simpl; destruct (Nat.eq_dec j n) as [->|N]; [apply Rmax_r|].
  eapply Rle_trans; [apply IHn; lia|apply Rmax_l].
Qed.
Lemma rise_linf n u : rise n u <= linf n u.
Proof.
  induction n; simpl; [lra|]; pose proof (Rmax_l (linf n u) (Rabs (u n))); pose proof (Rmax_r (linf n u) (Rabs (u n))).
  pose proof (Rle_abs (u n)); apply Rmax_lub; lra.
Qed.
Lemma span_linf n u : span n u <= 2 * linf n u.
Proof.
  unfold span; pose proof (rise_linf n u); pose proof (rise_linf n (fun j => - u j)).
  rewrite (norm_opp _ (linf_seminorm n)) in *; lra.
Qed.

(** [range]: the distance, doubled in the plain form, over the scale; exactly, and what is released as a map rounded up once. *)
Definition selection_eta (monotonic : bool) (d s : R) : R := (if monotonic then d else 2 * d) / s.
Definition selection_range (monotonic : bool) (d s : R) : R := up (selection_eta monotonic d s).
Definition distance (monotonic : bool) (n : nat) (x y : vector) : R :=
  norm (LInfDistance monotonic) n (vminus x y).

Lemma span_eta monotonic n x y d s : 0 < s -> distance monotonic n x y <= d ->
  span n (vminus x y) / s <= selection_eta monotonic d s.
Proof.
  intros Hs H; pose proof (span_linf n (vminus x y)); unfold selection_eta, Rdiv.
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]; unfold distance in H; destruct monotonic; simpl in H; lra.
Qed.
Lemma span_distance monotonic n x y d s : 0 < s -> distance monotonic n x y <= d ->
  span n (vminus x y) / s <= selection_range monotonic d s.
Proof. intros Hs H; unfold selection_range; eapply Rle_trans; [now apply (span_eta monotonic n x y d s)|apply up_ge]. Qed.

Section Mechanism.
Variables (n : nat) (Hn : (0 < n)%nat) (s : R) (Hs : 0 < s).

Definition scale_of (x : vector) : R := sum n (fun j => exp (x j / s)).
Definition chance (x : vector) (i : nat) : R := exp (x i / s) / scale_of x.
Lemma scale_pos x : 0 < scale_of x.
Proof. apply sum_pos; auto; intros; apply exp_pos. Qed.
Lemma chance_nonneg x i : 0 <= chance x i.
Proof. left; apply Rdiv_lt_0_compat; [apply exp_pos|apply scale_pos]. Qed.
Lemma chance_one x : sum n (chance x) = 1.
Proof.
  pose proof (scale_pos x); rewrite (sum_ext n _ (fun i => / scale_of x * exp (x i / s))) by (intros; unfold chance; lra).
  rewrite sum_scal; fold (scale_of x); field; lra.
Qed.
Definition select (x : vector) : dist nat := finite n (chance x) (chance_nonneg x) (chance_one x).

(** The log-ratio is (x i - y i) / s and a part that is the same for all i. *)
Lemma chance_ratio x y i : chance x i = exp ((x i - y i) / s + ln (scale_of y / scale_of x)) * chance y i.
Proof.
  pose proof (scale_pos x); pose proof (scale_pos y).
  rewrite exp_plus, exp_ln by now apply Rdiv_lt_0_compat.
  unfold chance; replace (x i / s) with ((x i - y i) / s + y i / s) by (field; lra).
  rewrite exp_plus; field; lra.
Qed.

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H| ->]; [left; now apply exp_increasing|lra]. Qed.

Theorem select_range x y : bounded_range (span n (vminus x y) / s) (select x) (select y).
Proof.
  set (r := rise n (vminus x y)); set (f := rise n (fun j => - vminus x y j)).
  set (c := ln (scale_of y / scale_of x)).
  assert (D : forall a, a / s = a * / s) by reflexivity.
  assert (Hi : 0 < / s) by now apply Rinv_0_lt_compat.
  exists (c - f / s); replace (c - f / s + span n (vminus x y) / s) with (r / s + c) by
    (unfold span; fold r f; field; lra).
  split; eapply weights_close with (n := n) (a := fun i => i); try (intros; reflexivity); intros i Hlt.
  - rewrite (chance_ratio x y i) at 1; fold c.
    apply Rmult_le_compat_r; [apply chance_nonneg|apply exp_le].
    pose proof (rise_ge n (vminus x y) i Hlt) as G; fold r in G; unfold vminus in G; rewrite !D.
    apply Rplus_le_compat_r, Rmult_le_compat_r; lra.
  - rewrite (chance_ratio x y i); fold c; rewrite <- Rmult_assoc, <- exp_plus.
    rewrite <- (Rmult_1_l (chance y i)) at 1; apply Rmult_le_compat_r; [apply chance_nonneg|].
    rewrite <- exp_0; apply exp_le.
    pose proof (rise_ge n (fun j => - vminus x y j) i Hlt) as G; fold f in G; unfold vminus in G.
    replace (- (c - f / s) + ((x i - y i) / s + c)) with ((f + (x i - y i)) * / s) by (field; lra).
    apply Rmult_le_pos; lra.
Qed.

(** In either form of the metric, under each of the three measures. *)
Theorem make_exponential_range monotonic x y d : distance monotonic n x y <= d ->
  range_divergence (selection_range monotonic d s) (select x) (select y).
Proof.
  intros H; eapply bounded_range_mono; [|apply select_range]; now apply span_distance.
Qed.

Theorem make_exponential_pure monotonic x y d : distance monotonic n x y <= d ->
  max_divergence (selection_range monotonic d s) (select x) (select y).
Proof. intros H; now apply bounded_range_pure, make_exponential_range. Qed.

(** [eta.mul(eta)?.div(8)?], rounded up once. *)
Definition selection_rho (eta : R) : R := up (eta * eta / 8).

Theorem make_exponential_zero_concentrated monotonic x y d : distance monotonic n x y <= d ->
  zero_concentrated (selection_rho (selection_eta monotonic d s)) (select x) (select y).
Proof.
  intros H; apply (span_eta monotonic n x y d s Hs) in H; set (eta := selection_eta monotonic d s) in *.
  assert (R : bounded_range eta (select x) (select y)) by (eapply bounded_range_mono; [exact H|apply select_range]).
  assert (B : eta * eta / 8 <= selection_rho eta) by apply up_ge.
  split; (eapply zCDP_mono; [exact B|]); apply bounded_range_zCDP; auto using bounded_range_symmetric.
Qed.
End Mechanism.
