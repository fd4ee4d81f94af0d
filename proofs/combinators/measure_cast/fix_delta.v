(** [make_fix_delta]: a profile, read at one delta, by events and by mixtures. *)
Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Countable Measures Mixtures.
Open Scope R_scope.

(** An epsilon at which the profile is at most delta, or an infinite one, which promises nothing. *)
Theorem make_fix_delta_events {Y} profile epsilon delta (P Q : dist Y) : 0 <= epsilon -> profile epsilon <= delta ->
  smoothed_max_divergence profile P Q -> close epsilon delta P Q /\ close epsilon delta Q P.
Proof.
  intros E D H; destruct (H epsilon E); split; (eapply close_mono; [apply Rle_refl|exact D|auto]).
Qed.

Theorem make_fix_delta (w v : nat -> R) Hw Hv (w1 : is_series w 1) (v1 : is_series v 1) profile epsilon delta :
  let P := countable w Hw w1 in let Q := countable v Hv v1 in
  0 <= epsilon -> profile epsilon <= delta -> 0 <= delta <= 1 ->
  smoothed_max_divergence profile P Q -> approximate max_divergence epsilon delta P Q.
Proof.
  intros P Q E D B H; destruct (make_fix_delta_events profile epsilon delta P Q E D H).
  now apply close_approximate.
Qed.

(** Beside a probability of failure, which is added to every delta. *)
Theorem beside_failure {Y} profile failure (P Q : dist Y) : 0 <= failure <= 1 ->
  approximate smoothed_max_divergence profile failure P Q -> smoothed_max_divergence (fun epsilon => profile epsilon + failure) P Q.
Proof.
  intros Hd (P' & P'' & Q' & Q'' & HP & HQ & C) epsilon E; destruct (C epsilon E) as [F G].
  assert (N : 0 <= profile epsilon).
  { specialize (F (fun _ => 0)); rewrite !Ex_const in F; assert (unit_test (fun _ : Y => 0)) as U by (intros y; lra); specialize (F U); lra. }
  assert (X : forall P P' P'' Q Q' Q'' : dist Y, mixture failure P P' P'' -> mixture failure Q Q' Q'' ->
    close epsilon (profile epsilon) P' Q' -> close epsilon (profile epsilon + failure) P Q).
  { clear - Hd N; intros P P' P'' Q Q' Q'' HP HQ H f Hf; rewrite HP, HQ by auto with dp; specialize (H f Hf).
    pose proof (Ex_unit P'' f Hf); pose proof (Ex_unit Q'' f Hf); pose proof (exp_pos epsilon).
    assert ((1 - failure) * Ex P' f <= (1 - failure) * (exp epsilon * Ex Q' f + profile epsilon)) by (apply Rmult_le_compat_l; lra).
    assert (0 <= exp epsilon * (failure * Ex Q'' f)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert (failure * Ex P'' f <= failure * 1) by (apply Rmult_le_compat_l; lra); nra. }
  split; eauto.
Qed.
