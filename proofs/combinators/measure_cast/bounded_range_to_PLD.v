(** [make_bounded_range_to_PLD]: the greatest delta, at each epsilon, of all pairs of laws whose log-ratio varies by eta. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Measures PureToZCDP.
Open Scope R_scope.

(** (1 - e^((epsilon - eta)/2))^2 / (1 - e^-eta), and nothing from eta on. *)
Definition range_delta (eta epsilon : R) : R :=
  if Rlt_dec epsilon eta then (1 - exp ((epsilon - eta) / 2)) ^ 2 / (1 - exp (- eta)) else 0.

Lemma exp_half x : exp (x / 2) * exp (x / 2) = exp x.
Proof. rewrite <- exp_plus; f_equal; lra. Qed.

Lemma range_delta_ratio eta epsilon : 0 < eta ->
  (1 - exp ((epsilon - eta) / 2)) ^ 2 / (1 - exp (- eta)) * (exp eta - 1) = (exp (eta / 2) - exp (epsilon / 2)) ^ 2.
Proof.
  intros H; assert (E : 1 < exp eta) by (rewrite <- exp_0; now apply exp_increasing).
  assert (K : exp ((epsilon - eta) / 2) * exp (eta / 2) = exp (epsilon / 2)) by (rewrite <- exp_plus; f_equal; lra).
  assert (M : exp (- eta) * exp eta = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; lra).
  assert (M1 : exp (- eta) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  pose proof (exp_half eta) as R; set (r := exp (eta / 2)) in *; set (g := exp ((epsilon - eta) / 2)) in *.
  rewrite <- K; apply Rmult_eq_reg_r with (1 - exp (- eta)); [|lra].
  transitivity ((1 - g) ^ 2 * (exp eta - 1)); [field; lra|].
  replace ((r - g * r) ^ 2 * (1 - exp (- eta))) with ((1 - g) ^ 2 * ((r * r) * (1 - exp (- eta)))) by ring.
  rewrite R; replace (exp eta * (1 - exp (- eta))) with (exp eta - exp (- eta) * exp eta) by ring; now rewrite M.
Qed.

Theorem bounded_range_close {Y} eta epsilon (P Q : dist Y) : 0 <= epsilon -> bounded_range eta P Q ->
  close epsilon (range_delta eta epsilon) P Q.
Proof.
  intros He (t & U & L) f Hf.
  assert (U0 := U f Hf); assert (L1 : 1 - Ex Q f <= exp (- t) * (1 - Ex P f) + 0).
  { specialize (L (fun y => 1 - f y)); rewrite !Ex_minus, !Ex_const in L by auto using Int_const, Int_unit.
    apply L; intros y; specialize (Hf y); lra. }
  pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf).
  set (p := Ex P f) in *; set (q := Ex Q f) in *.
  (* the odds of p are at most e^eta times those of q *)
  assert (O : p * (1 - q) <= exp eta * q * (1 - p)).
  { replace (exp eta) with (exp (t + eta) * exp (- t)) by (rewrite <- exp_plus; f_equal; lra).
    pose proof (exp_pos (t + eta)); pose proof (exp_pos (- t)).
    replace (exp (t + eta) * exp (- t) * q * (1 - p)) with ((exp (t + eta) * q) * (exp (- t) * (1 - p))) by ring.
    apply Rmult_le_compat; lra. }
  assert (Z : 0 <= eta) by (pose proof (bounded_range_zero _ _ _ _ U L); lra).
  assert (E1 : 1 <= exp eta) by (pose proof (exp_ineq1_le eta); lra).
  assert (C1 : 1 <= exp epsilon) by (pose proof (exp_ineq1_le epsilon); lra).
  unfold range_delta; destruct (Rlt_dec epsilon eta) as [H1|H1].
  - assert (P1 : 0 < eta) by lra; assert (X := range_delta_ratio eta epsilon P1).
    assert (E : 1 < exp eta) by (rewrite <- exp_0; now apply exp_increasing).
    set (D := (1 - exp ((epsilon - eta) / 2)) ^ 2 / (1 - exp (- eta))) in *.
    pose proof (exp_half eta) as R; pose proof (exp_half epsilon) as K.
    set (r := exp (eta / 2)) in *; set (k := exp (epsilon / 2)) in *; rewrite <- R in *; rewrite <- K in *.
    set (v := (r * r - 1) * q); assert (V : 0 <= v) by (apply Rmult_le_pos; lra).
    assert (A : p * (1 + v) <= r * r * q) by (unfold v; nra).
    apply Rmult_le_reg_r with ((r * r - 1) * (1 + v)); [apply Rmult_lt_0_compat; lra|].
    apply Rle_trans with (r * r * q * (r * r - 1)).
    { replace (p * ((r * r - 1) * (1 + v))) with (p * (1 + v) * (r * r - 1)) by ring; apply Rmult_le_compat_r; lra. }
    replace ((k * k * q + D) * ((r * r - 1) * (1 + v))) with ((k * k * v + D * (r * r - 1)) * (1 + v)) by (unfold v; ring).
    rewrite X; replace (r * r * q * (r * r - 1)) with (r * r * v) by (unfold v; ring).
    assert (S : 0 <= (k * v - (r - k)) ^ 2) by apply pow2_ge_0; nra.
  - assert (exp eta <= exp epsilon) by (destruct (Rle_lt_or_eq_dec eta epsilon ltac:(lra)) as [|<-]; [left; now apply exp_increasing|lra]).
    assert (p <= exp eta * q) by (assert (0 <= p * q) by (apply Rmult_le_pos; lra); nra).
    assert (exp eta * q <= exp epsilon * q) by (apply Rmult_le_compat_r; lra); lra.
Qed.

(** [losses_of_range]: above 600, infinity in the code, nothing is promised; a positive range is at least 10^-100. *)
Definition least : R := / 10 ^ 100.
Definition losses_of_range (eta : R) : R -> R :=
  if Rlt_dec 600 eta then fun _ => 1 else range_delta (if Rlt_dec 0 eta then Rmax eta least else eta).

Lemma bounded_range_wider {Y} eta eta' (P Q : dist Y) : eta <= eta' -> bounded_range eta P Q -> bounded_range eta' P Q.
Proof. intros L (t & U & D); exists t; split; auto; eapply close_mono; [| |exact U]; lra. Qed.

Theorem make_bounded_range_to_PLD {Y} eta (P Q : dist Y) :
  (eta <= 600 -> range_divergence eta P Q) -> smoothed_max_divergence (losses_of_range eta) P Q.
Proof.
  intros G e He; unfold losses_of_range; destruct (Rlt_dec 600 eta).
  - assert (X : forall P Q : dist Y, close e 1 P Q); [|now split].
    intros P' Q' f Hf; pose proof (Ex_unit P' f Hf); pose proof (Ex_unit Q' f Hf); pose proof (exp_pos e).
    assert (0 <= exp e * Ex Q' f) by (apply Rmult_le_pos; lra); lra.
  - assert (B : bounded_range (if Rlt_dec 0 eta then Rmax eta least else eta) P Q).
    { apply bounded_range_wider with eta; [destruct (Rlt_dec 0 eta); [apply Rmax_l|lra]|apply G; lra]. }
    split; apply bounded_range_close; auto using bounded_range_symmetric.
Qed.
