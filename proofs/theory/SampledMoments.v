(** The moments of N(mu, 1) mixed with N(0, 1): of the two directions, that of the mixture against N(0, 1) has the greater one (Mironov, Talwar,
    Zhang 2019, Theorem 5). Turned around at the middle between both means, the excess of one over the other is nowhere negative in sum. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Theta RoundedGaussian Normal NormalTails GaussianDivergence MixtureRenyi.
Open Scope R_scope.

(** Twice the hyperbolic sine and cosine. *)
Definition Sh (x : R) : R := exp x - exp (- x).
Definition Ch (x : R) : R := exp x + exp (- x).
Lemma Sh_pos x : 0 < x -> 0 < Sh x.
Proof. intros H; unfold Sh; pose proof (exp_increasing (- x) x ltac:(lra)); lra. Qed.
Lemma Sh_nonneg x : 0 <= x -> 0 <= Sh x.
Proof. intros [H|<-]; [left; now apply Sh_pos|unfold Sh; rewrite Ropp_0; lra]. Qed.
Lemma Sh_derive k x : is_derive (fun x => Sh (k * x)) x (k * Ch (k * x)).
Proof. unfold Sh, Ch; auto_derive; auto; replace (k * 1) with k by ring; ring. Qed.
Lemma Ch_derive k x : is_derive (fun x => Ch (k * x)) x (k * Sh (k * x)).
Proof. unfold Sh, Ch; auto_derive; auto; replace (k * 1) with k by ring; ring. Qed.

Section Ratio.
Variables (m : R) (Hm : 1 <= m).
Lemma tilted x : 0 <= x -> 0 <= m * Ch (m * x) * Sh (1 * x) - Sh (m * x) * Ch (1 * x).
Proof.
  intros X; set (T := fun x => Sh (m * x) * Ch (1 * x) - m * (Ch (m * x) * Sh (1 * x))).
  assert (F : T x <= T 0).
  { apply (falling T (fun x => (1 - m * m) * (Sh (m * x) * Sh (1 * x)))); auto; intros z Z; split.
    - pose proof (is_derive_mult _ _ z _ _ (Sh_derive m z) (Ch_derive 1 z) Rmult_comm) as A.
      pose proof (is_derive_mult _ _ z _ _ (Ch_derive m z) (Sh_derive 1 z) Rmult_comm) as B.
      pose proof (is_derive_minus _ _ z _ _ A (is_derive_scal _ z m _ B)) as D.
      replace ((1 - m * m) * (Sh (m * z) * Sh (1 * z))) with
        (minus (plus (mult (m * Ch (m * z)) (Ch (1 * z))) (mult (Sh (m * z)) (1 * Sh (1 * z))))
          (m * plus (mult (m * Sh (m * z)) (Sh (1 * z))) (mult (Ch (m * z)) (1 * Ch (1 * z)))));
        [exact D|unfold minus, plus, opp, mult; simpl; ring].
    - assert (0 <= m * z) by (apply Rmult_le_pos; lra); assert (0 <= m * m - 1) by nra.
      assert (0 <= Sh (m * z) * Sh (1 * z)) by (apply Rmult_le_pos; apply Sh_nonneg; lra); nra. }
  assert (Z : T 0 = 0) by (unfold T, Sh; rewrite !Rmult_0_r, Ropp_0; ring); unfold T in *; lra.
Qed.
Lemma ratio_rises z y : 0 < z <= y -> Sh (m * z) / Sh z <= Sh (m * y) / Sh y.
Proof.
  intros [Z L]; set (T := fun x => - (Sh (m * x) / Sh (1 * x))).
  assert (F : T y <= T z).
  { apply (falling T (fun x => - ((m * Ch (m * x) * Sh (1 * x) - Sh (m * x) * Ch (1 * x)) / Sh (1 * x) ^ 2))); auto; intros x X.
    assert (P : 0 < Sh (1 * x)) by (apply Sh_pos; lra); split.
    - pose proof (is_derive_div _ _ x _ _ (Sh_derive m x) (Sh_derive 1 x) ltac:(lra)) as D.
      apply (is_derive_opp (fun x => Sh (m * x) / Sh (1 * x))) in D.
      replace (- ((m * Ch (m * x) * Sh (1 * x) - Sh (m * x) * Ch (1 * x)) / Sh (1 * x) ^ 2)) with
        (opp ((m * Ch (m * x) * Sh (1 * x) - Sh (m * x) * (1 * Ch (1 * x))) / Sh (1 * x) ^ 2)); [exact D|unfold opp; simpl; field; lra].
    - pose proof (tilted x ltac:(lra)) as N.
      assert (0 <= (m * Ch (m * x) * Sh (1 * x) - Sh (m * x) * Ch (1 * x)) / Sh (1 * x) ^ 2); [|lra].
      apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; nra. }
  unfold T in F; rewrite !Rmult_1_l in F; lra.
Qed.
End Ratio.

(** Powers of what is above 1, and of what is below. *)
Lemma power_excess al s : 0 < s -> Rpower s al - Rpower s (1 - al) = exp (ln s / 2) * Sh ((2 * al - 1) * (ln s / 2)).
Proof. intros P; unfold Sh; rewrite Rmult_minus_distr_l, <- !exp_plus; unfold Rpower; f_equal; f_equal; field. Qed.
Lemma less_one s : 0 < s -> s - 1 = exp (ln s / 2) * Sh (ln s / 2).
Proof.
  intros P; unfold Sh; rewrite Rmult_minus_distr_l, <- !exp_plus.
  replace (ln s / 2 + ln s / 2) with (ln s) by field; replace (ln s / 2 + - (ln s / 2)) with 0 by ring; now rewrite exp_ln, exp_0.
Qed.

Section Sampled.
Variables (q mu : R) (Hq : 0 < q <= 1) (M : 0 < mu) (al : R) (Hal : 1 < al).
Definition likelihood (x : R) : R := 1 - q + q * exp (mu * x - mu * mu / 2).
Lemma likelihood_pos x : 0 < likelihood x.
Proof. unfold likelihood; pose proof (exp_pos (mu * x - mu * mu / 2)); nra. Qed.

Lemma excess_in_sum rho : 1 <= rho -> let s := 1 - q + q * rho in let s' := 1 - q + q * / rho in
  0 <= (Rpower s al - Rpower s (1 - al)) + rho * (Rpower s' al - Rpower s' (1 - al)).
Proof.
  intros Hr s s'; assert (I : 0 < / rho) by (apply Rinv_0_lt_compat; lra); assert (RI : rho * / rho = 1) by (field; lra).
  assert (S0 : 0 < s) by (unfold s; nra); assert (S1 : 0 < s') by (unfold s'; nra).
  destruct Hr as [Hr|Hr].
  2: { unfold s, s'; rewrite <- Hr, Rinv_1; replace (1 - q + q * 1) with 1 by ring; unfold Rpower; rewrite ln_1, !Rmult_0_r; lra. }
  assert (I1 : / rho < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (S2 : 1 < s) by (unfold s; nra); assert (S3 : s' < 1) by (unfold s'; nra).
  assert (SS : 1 <= s * s').
  { replace (s * s') with (1 + q * (1 - q) * (rho + / rho - 2)) by (unfold s, s'; field; lra).
    assert (0 <= rho + / rho - 2); [|assert (0 <= q * (1 - q)) by nra; nra].
    replace (rho + / rho - 2) with ((rho - 1) ^ 2 * / rho) by (field; lra); apply Rmult_le_pos; [apply pow2_ge_0|lra]. }
  set (x := ln s / 2); set (x' := - ln s' / 2).
  assert (X' : 0 < x') by (unfold x'; pose proof (ln_increasing s' 1 S1 S3) as B; rewrite ln_1 in B; lra).
  assert (XX : x' <= x).
  { unfold x, x'; assert (0 <= ln (s * s')) as B by (rewrite <- ln_1; destruct SS as [SS|SS]; [left; apply ln_increasing; lra|rewrite SS; lra]).
    rewrite ln_mult in B by auto; lra. }
  rewrite !power_excess by auto; fold x; replace (ln s' / 2) with (- x') by (unfold x'; field).
  assert (O : forall y, Sh (- y) = - Sh y) by (intros y; unfold Sh; rewrite Ropp_involutive; ring).
  replace ((2 * al - 1) * - x') with (- ((2 * al - 1) * x')) by ring; rewrite O.
  pose proof (less_one s S0) as E; fold x in E; pose proof (less_one s' S1) as E'; replace (ln s' / 2) with (- x') in E' by (unfold x'; field); rewrite O in E'.
  assert (P : 0 < Sh x) by (apply Sh_pos; lra); assert (P' : 0 < Sh x') by (now apply Sh_pos).
  pose proof (ratio_rises (2 * al - 1) ltac:(lra) x' x (conj X' XX)) as R.
  assert (A1 : exp x * Sh ((2 * al - 1) * x) = q * (rho - 1) * (Sh ((2 * al - 1) * x) / Sh x)).
  { replace (q * (rho - 1)) with (exp x * Sh x) by (rewrite <- E; unfold s; ring); field; lra. }
  assert (A2 : rho * (exp (- x') * - Sh ((2 * al - 1) * x')) = - (q * (rho - 1) * (Sh ((2 * al - 1) * x') / Sh x'))).
  { replace (q * (rho - 1)) with (rho * (exp (- x') * Sh x')); [field; lra|].
    replace (exp (- x') * Sh x') with (1 - s') by lra; unfold s'; rewrite Rmult_minus_distr_l; nra. }
  rewrite A1, A2; assert (0 <= q * (rho - 1)) by nra; nra.
Qed.

(** The two moments under N(0, 1), but for the factor: of the mixture against it, and, turned around, of N(mu, 1) against what is mixed with it. *)
Definition forth (x : R) : R := hill 0 x * Rpower (likelihood x) al.
Definition back (x : R) : R := hill 0 x * Rpower (likelihood x) (1 - al).
Lemma turned x : hill 0 (mu - x) = exp (mu * x - mu * mu / 2) * hill 0 x.
Proof. rewrite <- hill_ratio; unfold hill, bell; do 2 f_equal; ring. Qed.
Lemma turned_likelihood x : likelihood (mu - x) = 1 - q + q * / exp (mu * x - mu * mu / 2).
Proof. unfold likelihood; rewrite <- exp_Ropp; do 3 f_equal; field. Qed.
Lemma back_in_sum x : back x + back (mu - x) <= forth x + forth (mu - x).
Proof.
  assert (X : forall x, mu / 2 <= x -> back x + back (mu - x) <= forth x + forth (mu - x)).
  { clear x; intros x H; unfold back, forth; rewrite turned, turned_likelihood; set (rho := exp (mu * x - mu * mu / 2)).
    assert (R1 : 1 <= rho) by (unfold rho; rewrite <- exp_0; apply exp_le; nra).
    pose proof (excess_in_sum rho R1) as E; cbv zeta in E; pose proof (hill_pos 0 x) as P.
    change (likelihood x) with (1 - q + q * rho).
    apply (Rmult_le_compat_l (hill 0 x)) in E; [|lra]; rewrite Rmult_0_r in E.
    set (f1 := Rpower (1 - q + q * rho) al) in *; set (b1 := Rpower (1 - q + q * rho) (1 - al)) in *.
    set (f2 := Rpower (1 - q + q * / rho) al) in *; set (b2 := Rpower (1 - q + q * / rho) (1 - al)) in *; lra. }
  destruct (Rle_lt_dec (mu / 2) x) as [L|L]; [now apply X|].
  pose proof (X (mu - x) ltac:(lra)) as Y; replace (mu - (mu - x)) with x in Y by ring; lra.
Qed.

Lemma likelihood_continuous e x : continuous (fun x => hill 0 x * Rpower (likelihood x) e) x.
Proof.
  apply (ex_derive_continuous (fun x => hill 0 x * Rpower (likelihood x) e)).
  pose proof (likelihood_pos x) as P; unfold likelihood, Rpower, hill, bell in *; auto_derive; auto.
Qed.
Lemma ex_back u v : ex_RInt back u v.
Proof. apply (ex_RInt_continuous back); intros x _; apply likelihood_continuous. Qed.
Lemma ex_forth u v : ex_RInt forth u v.
Proof. apply (ex_RInt_continuous forth); intros x _; apply likelihood_continuous. Qed.
Lemma turned_RInt (g : R -> R) u v : ex_RInt g (mu - v) (mu - u) -> is_RInt (fun x => g (mu - x)) u v (RInt g (mu - v) (mu - u)).
Proof.
  intros H; assert (I : is_RInt g (-1 * u + mu) (-1 * v + mu) (opp (RInt g (mu - v) (mu - u)))).
  { replace (-1 * u + mu) with (mu - u) by ring; replace (-1 * v + mu) with (mu - v) by ring.
    pose proof (RInt_correct (V := R_CompleteNormedModule) g _ _ H) as J; apply is_RInt_swap in J; exact J. }
  apply (is_RInt_comp_lin g (-1) mu u v) in I; apply (is_RInt_scal _ _ _ (-1)) in I.
  replace (RInt g (mu - v) (mu - u)) with (scal (-1) (opp (RInt g (mu - v) (mu - u)))) by (unfold scal, opp; simpl; unfold mult; simpl; ring).
  eapply is_RInt_ext; [|exact I]; intros x _; unfold scal; simpl; unfold mult; simpl; replace (-1 * x + mu) with (mu - x) by ring; ring.
Qed.

Variables (A : R) (HA : forall u v, u <= v -> RInt forth u v <= A).
Theorem back_below u v : u <= v -> RInt back u v <= A.
Proof.
  intros L; set (N := Rmax (mu / 2 - u) (v - mu / 2)); set (l := mu / 2 - N); set (r := mu / 2 + N).
  assert (Lu : l <= u) by (unfold l; pose proof (Rmax_l (mu / 2 - u) (v - mu / 2)); fold N in H; lra).
  assert (Rv : v <= r) by (unfold r; pose proof (Rmax_r (mu / 2 - u) (v - mu / 2)); fold N in H; lra).
  assert (LR : l <= r) by lra.
  assert (P : forall a b, a <= b -> 0 <= RInt back a b).
  { intros a b H; apply RInt_ge_0; auto using ex_back; intros x _; unfold back; left; apply Rmult_lt_0_compat; [apply hill_pos|apply exp_pos]. }
  assert (C : RInt back u v <= RInt back l r).
  { pose proof (RInt_Chasles back l u v (ex_back l u) (ex_back u v)) as C1; pose proof (RInt_Chasles back l v r (ex_back l v) (ex_back v r)) as C2.
    unfold plus in C1, C2; simpl in C1, C2; pose proof (P l u Lu); pose proof (P v r Rv); lra. }
  assert (El : mu - r = l) by (unfold l, r; field); assert (Er : mu - l = r) by (unfold l, r; field).
  pose proof (turned_RInt back l r) as B; pose proof (turned_RInt forth l r) as F; rewrite El, Er in B, F.
  specialize (B (ex_back l r)); specialize (F (ex_forth l r)).
  pose proof (is_RInt_plus _ _ _ _ _ _ (RInt_correct back l r (ex_back l r)) B) as BB.
  pose proof (is_RInt_plus _ _ _ _ _ _ (RInt_correct forth l r (ex_forth l r)) F) as FF.
  pose proof (is_RInt_le _ _ _ _ _ _ LR BB FF (fun x _ => back_in_sum x)) as X; unfold plus in X; simpl in X.
  pose proof (HA l r LR); lra.
Qed.

(** As [MixtureRenyi] has them. *)
Lemma forth_moment x : moment mu q 0 al x = forth x.
Proof.
  unfold moment, forth; replace (dense mu q x) with (hill 0 x * likelihood x) by (unfold dense, likelihood; rewrite (hill_ratio mu); ring).
  replace (dense mu 0 x) with (hill 0 x) by (unfold dense; ring).
  rewrite <- Rpower_mult_distr by (apply hill_pos || apply likelihood_pos).
  rewrite <- (Rpower_1 (hill 0 x)) at 3 by apply hill_pos; replace 1 with (al + (1 - al)) at 2 by ring; rewrite Rpower_plus; ring.
Qed.
Lemma back_moment x : moment mu 1 (1 - q) al (mu - x) = back x.
Proof.
  unfold moment, back; assert (E : hill mu (mu - x) = hill 0 x) by (unfold hill, bell; do 2 f_equal; ring).
  assert (E' : hill 0 (mu - x) = exp (mu * x - mu * mu / 2) * hill 0 x) by apply turned.
  replace (dense mu 1 (mu - x)) with (hill 0 x) by (unfold dense; rewrite E; ring).
  replace (dense mu (1 - q) (mu - x)) with (hill 0 x * likelihood x) by (unfold dense, likelihood; rewrite E, E'; ring).
  rewrite <- Rpower_mult_distr by (apply hill_pos || apply likelihood_pos).
  rewrite <- (Rpower_1 (hill 0 x)) at 3 by apply hill_pos; replace 1 with (al + (1 - al)) at 3 by ring; rewrite Rpower_plus; ring.
Qed.
End Sampled.
