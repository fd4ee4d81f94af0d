(** From moments of the loss to its tails, and from these to events: the claims of lectures and textbooks that are true but not
    best, and composition in view of what was released before. *)
Require Import Reals Lra Psatz Lia List.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Renyi DualRenyi Theta DiscreteGaussian PureToZCDP PureTanh Measures Domination zCDP_to_approxDP RDP_to_approxDP.
Import ListNotations.
Open Scope R_scope.

Definition exceeds {A} (Z : A -> R) (t : R) (a : A) : bool := if Rle_dec (Z a) t then false else true.
Definition reaches {A} (Z : A -> R) (t : R) (a : A) : bool := if Rle_dec t (Z a) then true else false.

(** A loss that rarely exceeds epsilon. *)
Theorem loss_tail {A} eps del (P Q : dist A) Z : loss_le P Q Z -> Pr P (exceeds Z eps) <= del -> close eps del P Q.
Proof.
  intros HZ H; eapply close_mono; [apply Rle_refl|exact H|].
  eapply close_mono; [apply Rle_refl| |apply hockey_stick_le, HZ].
  apply Ex_le; [apply Int_unit, hs_unit|apply Int_unit, ind_unit|].
  intros a; unfold hs, exceeds, ind; destruct (Rle_dec (Z a) eps) as [L|L].
  - assert (1 <= exp (eps - Z a)) by (pose proof (exp_ineq1_le (eps - Z a)); lra).
    unfold Rmax; destruct (Rle_dec 0 (1 - exp (eps - Z a))); lra.
  - pose proof (exp_pos (eps - Z a)); unfold Rmax; destruct (Rle_dec 0 (1 - exp (eps - Z a))); lra.
Qed.

(** Markov's inequality, for the exponential. *)
Lemma chernoff {A} (P : dist A) X lam t : 0 <= lam -> Int P (fun a => exp (lam * X a)) ->
  Pr P (reaches X t) <= exp (- (lam * t)) * Ex P (fun a => exp (lam * X a)).
Proof.
  intros L I; rewrite <- Ex_scal by exact I; apply Ex_le; [apply Int_unit, ind_unit|now apply Int_scal|].
  intros a; rewrite <- exp_plus; unfold reaches, ind; destruct (Rle_dec t (X a)) as [T|T]; [|left; apply exp_pos].
  assert (0 <= - (lam * t) + lam * X a) by nra; pose proof (exp_ineq1_le (- (lam * t) + lam * X a)); lra.
Qed.

(** Moments below those of a normal variable make tails below twice its own. *)
Theorem subgaussian_tail {A} (P : dist A) X k t : 0 < k -> 0 <= t ->
  (forall lam, Int P (fun a => exp (lam * X a)) /\ Ex P (fun a => exp (lam * X a)) <= exp (k ^ 2 * lam ^ 2)) ->
  Pr P (reaches (fun a => Rabs (X a)) t) <= 2 * exp (- (t ^ 2 / (4 * k ^ 2))).
Proof.
  intros K T H.
  assert (S : forall s : R, s = 1 \/ s = -1 -> Pr P (reaches (fun a => s * X a) t) <= exp (- (t ^ 2 / (4 * k ^ 2)))).
  { intros s Hs; set (lam := t / (2 * k ^ 2)); assert (0 < k ^ 2) by nra.
    assert (0 <= lam) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
    destruct (H (lam * s)) as [I M].
    assert (I' : Int P (fun a => exp (lam * (s * X a)))) by (eapply Int_ext; [|exact I]; intros; simpl; f_equal; ring).
    assert (M' : Ex P (fun a => exp (lam * (s * X a))) <= exp (k ^ 2 * lam ^ 2)).
    { rewrite (Ex_ext P _ (fun a => exp (lam * s * X a)) I') by (intros; f_equal; ring).
      replace (lam ^ 2) with ((lam * s) ^ 2) by (destruct Hs as [-> | ->]; ring); exact M. }
    eapply Rle_trans; [apply (chernoff P _ lam); auto|].
    apply Rle_trans with (exp (- (lam * t)) * exp (k ^ 2 * lam ^ 2)); [apply Rmult_le_compat_l; [left; apply exp_pos|exact M']|].
    rewrite <- exp_plus; right; f_equal; unfold lam; field; lra. }
  pose proof (S 1 (or_introl eq_refl)) as U; pose proof (S (-1) (or_intror eq_refl)) as L.
  apply Rle_trans with (Pr P (reaches (fun a => 1 * X a) t) + Pr P (reaches (fun a => -1 * X a) t)); [|lra].
  unfold Pr; rewrite <- Ex_plus by (apply Int_unit, ind_unit).
  apply Ex_le; [apply Int_unit, ind_unit|apply Int_plus; apply Int_unit, ind_unit|].
  intros a; unfold reaches, ind, Rabs; destruct (Rcase_abs (X a)); repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma entropy_nonneg t : 0 < t -> 0 <= entropy t.
Proof.
  intros T; unfold entropy; assert (ln t < ln (1 + t)) by (apply ln_increasing; lra).
  assert (0 < ln (1 + t)) by (rewrite <- ln_1; apply ln_increasing; lra); nra.
Qed.

Lemma log_inverse del : 0 < del <= 1 -> 0 <= ln (/ del).
Proof.
  intros [D L]; rewrite ln_Rinv by auto; destruct L as [L| ->]; [|rewrite ln_1; lra].
  pose proof (ln_increasing del 1 D L); rewrite ln_1 in *; lra.
Qed.

(** Epsilon for delta: [rho + 2 sqrt (rho ln (1 / delta))]. *)
Theorem concentrated_epsilon {A} rho del (P Q : dist A) : 0 <= rho -> 0 < del <= 1 -> zero_concentrated rho P Q ->
  close (rho + 2 * sqrt (rho * ln (/ del))) del P Q /\ close (rho + 2 * sqrt (rho * ln (/ del))) del Q P.
Proof.
  intros [R|<-] D Z.
  2: { rewrite Rmult_0_l, sqrt_0, Rmult_0_r, Rplus_0_r; destruct (make_zCDP_to_approxDP_zero P Q Z 0 (Rle_refl 0)).
       split; (eapply close_mono; [apply Rle_refl| |eassumption]); lra. }
  pose proof (log_inverse del D) as L; set (l := ln (/ del)) in *.
  destruct (Req_dec l 0) as [E|E].
  { assert (del = 1).
    { rewrite <- (Rinv_involutive del), <- (exp_ln (/ del)) by (try apply Rinv_0_lt_compat; lra).
      fold l; rewrite E, exp_0; apply Rinv_1. }
    subst del; rewrite E, Rmult_0_r, sqrt_0, Rmult_0_r, Rplus_0_r.
    split; intros f Hf; pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); pose proof (exp_pos rho); nra. }
  set (t := sqrt (l / rho)); assert (Q0 : 0 < l / rho) by (apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat]).
  assert (T : 0 < t) by now apply sqrt_lt_R0.
  assert (TT : rho * (t * t) = l) by (unfold t; rewrite sqrt_sqrt by lra; field; lra).
  assert (S : sqrt (rho * l) = rho * t).
  { rewrite <- TT; replace (rho * (rho * (t * t))) with ((rho * t) * (rho * t)) by ring; apply sqrt_square; nra. }
  rewrite S; set (e := rho + 2 * (rho * t)).
  assert (B : bound rho e t <= del).
  { rewrite <- (exp_ln del) by lra; unfold bound; pose proof (entropy_nonneg t T).
    assert (ln del = - l) by (unfold l; rewrite ln_Rinv by lra; ring).
    apply exp_le; unfold e; nra. }
  destruct (cdp_delta_any_order rho e t del P Q T B Z).
  split; (eapply close_mono; [apply Rle_refl|apply Rmin_l|eassumption]).
Qed.

(** Epsilon for delta, of one order: [epsilon + ln (1 / delta) / (alpha - 1)]. *)
Theorem renyi_epsilon {A} al tau del (P Q : dist A) : 1 < al -> 0 < del <= 1 -> renyi al tau P Q ->
  close (tau + ln (/ del) / (al - 1)) del P Q.
Proof.
  intros Ha D H; eapply close_mono; [apply Rle_refl| |apply renyi_close; eauto].
  replace al with (1 + (al - 1)) at 1 by ring; rewrite <- renyi_bound_is_delta by lra; unfold renyi_bound.
  rewrite <- (exp_ln del) at 2 by lra; apply exp_le; pose proof (entropy_nonneg (al - 1) ltac:(lra)).
  replace (ln del) with (- ln (/ del)) by (rewrite ln_Rinv by lra; ring).
  replace ((al - 1) * (tau - (tau + ln (/ del) / (al - 1)))) with (- ln (/ del)) by (field; lra); lra.
Qed.

(** [k] releases, each by a mechanism that was chosen in view of those before. *)
Fixpoint releases {Y} (k : nat) (mechanism : list Y -> dist Y) (before : list Y) : dist (list Y) :=
  match k with O => ret before | S k => bind (mechanism before) (fun y => releases k mechanism (y :: before)) end.

Lemma releases_concentrated {Y} rho (M M' : list Y -> dist Y) : (forall before, zCDP rho (M before) (M' before)) ->
  forall k before, zCDP (INR k * rho) (releases k M before) (releases k M' before).
Proof.
  intros H k; induction k as [|k IH]; intros before.
  - simpl; rewrite Rmult_0_l; apply zCDP_refl.
  - rewrite S_INR; replace ((INR k + 1) * rho) with (rho + INR k * rho) by ring.
    change (releases (S k) ?m before) with (bind (m before) (fun y => releases k m (y :: before))).
    apply zCDP_adaptive_composition; auto.
Qed.

Definition advanced (k : nat) (mean deviation del : R) : R := INR k * mean + sqrt (2 * INR k * ln (/ del)) * deviation.

Lemma tanh_half e : 0 <= e -> 0 <= tanh (e / 2) /\ tanh (e / 2) <= e / 2 /\ tanh (e / 2) <= 1.
Proof.
  intros E; pose proof (slope_pos (e / 2)); pose proof (tanh_mono 0 (e / 2) ltac:(lra)) as M; rewrite tanh_0 in M.
  repeat split; [exact M| |nra].
  assert (X : 0 - tanh 0 <= e / 2 - tanh (e / 2)); [|rewrite tanh_0 in X; lra].
  apply (rises (fun x => x - tanh x) (fun x => 1 - (1 - tanh x ^ 2))); [lra| |intros t _; nra].
  intros t; apply (is_derive_minus (fun x : R => x) tanh); [exact (@is_derive_id R_AbsRing t)|apply is_derive_tanh].
Qed.

Lemma advanced_covers k e del rho : 0 <= e -> 0 < del <= 1 -> rho = e * tanh (e / 2) ->
  INR k * rho + 2 * sqrt (INR k * rho * ln (/ del)) <= advanced k rho e del.
Proof.
  intros E D ->; unfold advanced; apply Rplus_le_compat_l; pose proof (log_inverse del D) as L; pose proof (pos_INR k).
  destruct (tanh_half e E) as (T0 & T1 & _); set (l := ln (/ del)) in *; set (t := tanh (e / 2)) in *.
  assert (Y : 0 <= INR k * l) by nra.
  replace 2 with (sqrt (2 * 2)) at 1 by (rewrite sqrt_square; lra).
  replace e with (sqrt (e * e)) at 2 by now apply sqrt_square.
  rewrite <- !sqrt_mult_alt by nra; apply sqrt_le_1_alt.
  assert (e * t <= e * (e / 2)) by (apply Rmult_le_compat_l; lra); nra.
Qed.

(** Composition in view of what was released: Claims 14 and 16, with the lesser of their deviations. *)
Theorem advanced_composition {Y} k e del (M M' : list Y -> dist Y) before : 0 <= e -> 0 < del <= 1 ->
  (forall before, max_divergence e (M before) (M' before)) ->
  close (advanced k (e * tanh (e / 2)) e del) del (releases k M before) (releases k M' before).
Proof.
  intros E D H.
  assert (Z : zero_concentrated (INR k * (e * tanh (e / 2))) (releases k M before) (releases k M' before)).
  { split; apply releases_concentrated; intros b; destruct (H b); now apply pure_tanh_zCDP. }
  apply concentrated_epsilon with (del := del) in Z; [|destruct (tanh_half e E); pose proof (pos_INR k); apply Rmult_le_pos; nra|exact D].
  eapply close_mono; [|apply Rle_refl|apply Z]; now apply advanced_covers.
Qed.

Lemma releases_dominate {Y} del (M A : list Y -> dist Y) : del <= 1 -> (forall before, dominates (1 - del) (M before) (A before)) ->
  forall k before, dominates ((1 - del) ^ k) (releases k M before) (releases k A before).
Proof.
  intros D H k; induction k as [|k IH]; intros before; [apply dominates_refl|].
  change (releases (S k) ?m before) with (bind (m before) (fun y => releases k m (y :: before))).
  simpl pow; apply dominates_bind; auto; [lra|apply pow_le; lra].
Qed.

Lemma share_pow del k : 0 <= del <= 1 -> 0 <= (1 - del) ^ k <= 1.
Proof. intros D; induction k as [|k IH]; simpl; nra. Qed.

Lemma many_small del k : 0 <= del <= 1 -> 1 - (1 - del) ^ k <= INR k * del.
Proof.
  intros D; induction k as [|k IH]; [simpl; lra|]; rewrite S_INR; simpl pow.
  pose proof (share_pow del k D).
  assert (del * (1 - del) ^ k <= del * 1) by (apply Rmult_le_compat_l; lra); lra.
Qed.

(** With a delta each: Claims 17 and 18. [A] and [A'] are what the laws have in common with close ones but for a weight of [failure]. *)
Theorem advanced_composition_approximate {Y} k e failure del (M M' A A' : list Y -> dist Y) before :
  0 <= e -> 0 <= failure <= 1 -> 0 < del <= 1 ->
  (forall before, dominates (1 - failure) (M before) (A before) /\ dominates (1 - failure) (M' before) (A' before)) ->
  (forall before, max_divergence e (A before) (A' before)) ->
  close (advanced k (e * tanh (e / 2)) e del) (INR k * failure + del) (releases k M before) (releases k M' before).
Proof.
  intros E F D H C.
  pose proof (releases_dominate failure M A (proj2 F) (fun b => proj1 (H b)) k before) as DM.
  pose proof (releases_dominate failure M' A' (proj2 F) (fun b => proj2 (H b)) k before) as DM'.
  pose proof (advanced_composition k e del A A' before E D C) as N; pose proof (many_small failure k F) as S.
  set (w := (1 - failure) ^ k) in *.
  pose proof (share_pow failure k F) as W; fold w in W.
  intros f Hf; specialize (N f Hf); specialize (DM' f (unit_bounded f Hf) (fun a => proj1 (Hf a))).
  assert (G : unit_test (fun a => 1 - f a)) by (intros a; specialize (Hf a); lra).
  specialize (DM _ (unit_bounded _ G) (fun a => proj1 (G a))).
  rewrite !Ex_minus, !Ex_const in DM by (auto using Int_unit, Int_const).
  set (x := exp (advanced _ _ _ _)) in *; assert (0 < x) by apply exp_pos.
  assert (w * Ex (releases k A before) f <= w * (x * Ex (releases k A' before) f + del)) by (apply Rmult_le_compat_l; lra).
  assert (x * (w * Ex (releases k A' before) f) <= x * Ex (releases k M' before) f) by (apply Rmult_le_compat_l; lra).
  nra.
Qed.

(** What the essay's claims have for the mean of a loss, and for a deviation. *)
Definition mean_loss (e : R) : R := Rmin (e * (exp e - 1)) e.

Lemma mean_loss_covers e : 0 <= e -> e * tanh (e / 2) <= mean_loss e.
Proof.
  intros E; destruct (tanh_half e E) as (T0 & T1 & T2); pose proof (exp_ineq1_le e).
  apply Rmin_glb; [apply Rmult_le_compat_l; lra|nra].
Qed.

Theorem advanced_mono k mean mean' deviation deviation' del : 0 < del <= 1 -> mean <= mean' -> deviation <= deviation' ->
  advanced k mean deviation del <= advanced k mean' deviation' del.
Proof.
  intros D HM HD; unfold advanced; pose proof (pos_INR k).
  apply Rplus_le_compat; [now apply Rmult_le_compat_l|apply Rmult_le_compat_l; [apply sqrt_pos|exact HD]].
Qed.
