(** Gaussian noise on real numbers, rounded to a grid, under Gaussian divergence: [mu] is the distance in scales. *)
Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Countable Theta DiscreteGaussian RoundedGaussian Normal GaussianDivergence.
Open Scope R_scope.

Section Noise.
Variables (b : R) (Hb : 0 < b) (Hc : 0 < / (2 * (b * b))).
Let c := / (2 * (b * b)).

(** In scales the law is the standard one. *)
Lemma area_scale u v : area c 0 u v = b * (whole * (Phi (v / b) - Phi (u / b))).
Proof.
  assert (I : is_RInt (fun t => scal (/ b) (hill 0 (/ b * t + 0))) u v (whole * (Phi (v / b) - Phi (u / b)))).
  { apply (is_RInt_comp_lin (hill 0)).
    replace (/ b * u + 0) with (u / b) by (unfold Rdiv; ring); replace (/ b * v + 0) with (v / b) by (unfold Rdiv; ring).
    pose proof (Phi_area 0 (u / b) (v / b)) as E; rewrite !Rminus_0_r in E; rewrite E.
    replace (whole * (/ whole * area (/ 2) 0 (u / b) (v / b))) with (area (/ 2) 0 (u / b) (v / b)) by (pose proof whole_pos; field; lra).
    apply (RInt_correct (bell (/ 2) 0)), ex_bell. }
  apply (is_RInt_scal _ _ _ b) in I; apply (is_RInt_unique (V := R_CompleteNormedModule)).
  apply (is_RInt_ext _ (bell c 0)) in I; [exact I|].
  intros t _; unfold scal; simpl; unfold mult; simpl; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  unfold hill, bell, c; f_equal; field; lra.
Qed.
Lemma half_scale : 2 * half c Hc = b * whole.
Proof.
  assert (L : is_lim_seq (fun n => G c (INR n)) (b * (whole * (1 - / 2)))).
  { apply is_lim_seq_ext with (fun n => b * (whole * (Phi (INR n / b) - / 2))).
    - intros n; unfold G; rewrite area_scale; replace (0 / b) with 0 by (unfold Rdiv; ring); now rewrite Phi_zero.
    - apply (is_lim_seq_scal_l (fun n => whole * (Phi (INR n / b) - / 2)) b (whole * (1 - / 2))).
      apply (is_lim_seq_scal_l (fun n => Phi (INR n / b) - / 2) whole (1 - / 2)).
      apply is_lim_seq_minus'; [|apply is_lim_seq_const].
      apply is_lim_seq_spec; intros e; destruct (Phi_near_one e (cond_pos e)) as [x X].
      destruct (nfloor_ex (Rabs (x * b)) (Rabs_pos _)) as [N HN]; exists (S N); intros n Hn; apply le_INR in Hn; rewrite S_INR in Hn.
      assert (x <= INR n / b).
      { apply Rmult_le_reg_r with b; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; pose proof (Rle_abs (x * b)); lra. }
      pose proof (Phi_le x (INR n / b) H); pose proof (Phi_range (INR n / b)); rewrite Rabs_left; lra. }
  pose proof (half_lim c Hc) as M; apply is_lim_seq_unique in L; apply is_lim_seq_unique in M.
  rewrite M in L; injection L as L; rewrite L; field.
Qed.
Lemma gpm_Phi a j : gpm c Hc a j = Phi ((IZR j + / 2) / b - a / b) - Phi ((IZR j - / 2) / b - a / b).
Proof.
  unfold gpm, cell; rewrite area_shift, area_scale, half_scale.
  replace ((IZR j + / 2 - a) / b) with ((IZR j + / 2) / b - a / b) by (field; lra).
  replace ((IZR j - / 2 - a) / b) with ((IZR j - / 2) / b - a / b) by (field; lra).
  pose proof whole_pos; field; lra.
Qed.

(** The excess of one law over the other that lies below [v], in scales. *)
Section Excess.
Variables (A A' eps : R).
Definition below (v : R) : R := Phi (v - A) - exp eps * Phi (v - A').
Definition turn : R := (A + A') / 2 + eps / (A - A').
Lemma below_rises u v : u <= v -> A <> A' -> (forall t, u < t < v -> 0 <= (A - A') * (t - turn)) -> below u <= below v.
Proof.
  intros L N H; pose proof (under_between A' A 0 (exp eps) 1 0 u v L) as U; unfold share in U; unfold below.
  enough (exp eps * (Phi (v - A') - Phi (u - A')) <= 1 * (Phi (v - A) - Phi (u - A)) + 0 * (Phi (v - 0) - Phi (u - 0))) by lra.
  apply U; intros t T; unfold under; rewrite (hill_ratio A), (hill_ratio A'); pose proof (hill_pos 0 t).
  specialize (H t T); assert (E : (A - A') * turn = (A * A - A' * A') / 2 + eps) by (unfold turn; field; lra).
  assert (exp eps * exp (A' * t - A' * A' / 2) <= exp (A * t - A * A / 2)) by (rewrite <- exp_plus; apply exp_le; lra); nra.
Qed.
Lemma below_falls u v : u <= v -> A <> A' -> (forall t, u < t < v -> (A - A') * (t - turn) <= 0) -> below v <= below u.
Proof.
  intros L N H; pose proof (under_between A A' 0 1 (exp eps) 0 u v L) as U; unfold share in U; unfold below.
  enough (1 * (Phi (v - A) - Phi (u - A)) <= exp eps * (Phi (v - A') - Phi (u - A')) + 0 * (Phi (v - 0) - Phi (u - 0))) by lra.
  apply U; intros t T; unfold under; rewrite (hill_ratio A), (hill_ratio A'); pose proof (hill_pos 0 t).
  specialize (H t T); assert (E : (A - A') * turn = (A * A - A' * A') / 2 + eps) by (unfold turn; field; lra).
  assert (exp (A * t - A * A / 2) <= exp eps * exp (A' * t - A' * A' / 2)) by (rewrite <- exp_plus; apply exp_le; lra); nra.
Qed.

(** What a test gains: where one law is the greater, from the turn on or up to it. *)
Definition gain (v : R) : R := if Rlt_dec A A' then below (Rmin v turn) else below (Rmax v turn).
Lemma gain_bounds u v : u <= v -> A <> A' -> Rmax 0 (below v - below u) <= gain v - gain u.
Proof.
  intros L N; unfold gain; destruct (Rlt_dec A A') as [C|C].
  - apply Rmax_lub.
    + enough (below (Rmin u turn) <= below (Rmin v turn)) by lra.
      apply below_rises; [apply Rle_min_compat_r; auto|auto|].
      intros t [_ T]; pose proof (Rmin_r v turn); nra.
    + unfold Rmin; destruct (Rle_dec u turn), (Rle_dec v turn); try lra.
      * enough (below v <= below turn) by lra; apply below_falls; [lra|auto|intros t T; nra].
      * enough (below v <= below u) by lra; apply below_falls; [lra|auto|intros t T; nra].
  - apply Rmax_lub.
    + enough (below (Rmax u turn) <= below (Rmax v turn)) by lra.
      apply below_rises; [apply Rle_max_compat_r; auto|auto|].
      intros t [T _]; pose proof (Rmax_r u turn); nra.
    + unfold Rmax; destruct (Rle_dec u turn), (Rle_dec v turn); try lra.
      * enough (below v <= below u) by lra; apply below_falls; [lra|auto|intros t T; nra].
      * enough (below turn <= below u) by lra; apply below_falls; [lra|auto|intros t T; nra].
Qed.

Lemma gain_least u v : A <> A' -> gain v - gain u <= gaussian_delta (Rabs (A - A')) eps.
Proof.
  intros N; unfold gain, gaussian_delta; destruct (Rlt_dec A A') as [C|C].
  - rewrite Rabs_left by lra.
    assert (T : below turn = Phi (- (A - A') / 2 - eps / - (A - A')) - exp eps * Phi (- - (A - A') / 2 - eps / - (A - A'))).
    { unfold below, turn; f_equal; [|f_equal]; f_equal; field; lra. }
    rewrite <- T; assert (U : below (Rmin v turn) <= below turn).
    { apply below_rises; [apply Rmin_r|auto|]; intros t [_ X]; nra. }
    assert (W : 0 <= below (Rmin u turn)); [|lra].
    pose proof (under_below A' A 0 (exp eps) 1 0 (Rmin u turn)) as B; unfold below.
    enough (exp eps * Phi (Rmin u turn - A') <= 1 * Phi (Rmin u turn - A) + 0 * Phi (Rmin u turn - 0)) by lra.
    apply B; intros t X; unfold under; rewrite (hill_ratio A), (hill_ratio A'); pose proof (hill_pos 0 t).
    pose proof (Rmin_r u turn); assert (E : (A - A') * turn = (A * A - A' * A') / 2 + eps) by (unfold turn; field; lra).
    assert (exp eps * exp (A' * t - A' * A' / 2) <= exp (A * t - A * A / 2)) by (rewrite <- exp_plus; apply exp_le; nra); nra.
  - rewrite Rabs_pos_eq by lra.
    assert (T : 1 - exp eps - below turn = Phi ((A - A') / 2 - eps / (A - A')) - exp eps * Phi (- (A - A') / 2 - eps / (A - A'))).
    { unfold below, turn.
      replace ((A - A') / 2 - eps / (A - A')) with (- ((A + A') / 2 + eps / (A - A') - A)) by (field; lra).
      replace (- (A - A') / 2 - eps / (A - A')) with (- ((A + A') / 2 + eps / (A - A') - A')) by (field; lra).
      rewrite !Phi_opp; ring. }
    rewrite <- T; assert (U : below turn <= below (Rmax u turn)).
    { apply below_rises; [apply Rmax_r|auto|]; intros t [X _]; nra. }
    assert (W : below (Rmax v turn) <= 1 - exp eps); [|lra].
    pose proof (under_above A' A 0 (exp eps) 1 0 (Rmax v turn)) as B; unfold below.
    enough (exp eps * Phi (A' - Rmax v turn) <= 1 * Phi (A - Rmax v turn) + 0 * Phi (0 - Rmax v turn)) as I.
    { replace (A' - Rmax v turn) with (- (Rmax v turn - A')) in I by ring; replace (A - Rmax v turn) with (- (Rmax v turn - A)) in I by ring.
      rewrite !Phi_opp in I; lra. }
    apply B; intros t X; unfold under; rewrite (hill_ratio A), (hill_ratio A'); pose proof (hill_pos 0 t).
    pose proof (Rmax_r v turn); assert (E : (A - A') * turn = (A * A - A' * A') / 2 + eps) by (unfold turn; field; lra).
    assert (exp eps * exp (A' * t - A' * A' / 2) <= exp (A * t - A * A / 2)) by (rewrite <- exp_plus; apply exp_le; nra); nra.
Qed.
End Excess.

Theorem rounded_gaussian_no_easier a a' : no_easier (Rabs (a - a') / b) (rounded_gaussian c Hc a) (rounded_gaussian c Hc a').
Proof.
  destruct (Req_dec a a') as [<-|N].
  { unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; unfold Rdiv; rewrite Rmult_0_l; apply no_easier_refl. }
  set (A := a / b); set (A' := a' / b).
  assert (NA : A <> A') by (intros E; apply N; unfold A, A' in E; apply Rmult_eq_reg_r with (/ b); [exact E|apply Rinv_neq_0_compat; lra]).
  assert (M : Rabs (a - a') / b = Rabs (A - A')).
  { replace (A - A') with ((a - a') * / b) by (unfold A, A'; field; lra); rewrite Rabs_mult, (Rabs_pos_eq (/ b)); [reflexivity|].
    left; now apply Rinv_0_lt_compat. }
  rewrite M; apply close_no_easier; [apply Rabs_pos_lt; lra|]; intros eps f Hf.
  set (delta := gaussian_delta (Rabs (A - A')) eps); set (g := gain A A' eps).
  unfold rounded_gaussian; rewrite !Ex_zdist.
  pose proof (Ex_gaussian_test c Hc a f 1 Hf) as S1; pose proof (Ex_gaussian_test c Hc a' f 1 Hf) as S2.
  apply (zsum_scal (exp eps)) in S2; rewrite <- ZS_scal.
  enough (ZS (fun z => gpm c Hc a z * f z) - ZS (fun z => exp eps * (gpm c Hc a' z * f z)) <= delta) by lra.
  unfold ZS; rewrite <- Series_minus by auto.
  set (d n := fold2 (fun z => gpm c Hc a z * f z) n - fold2 (fun z => exp eps * (gpm c Hc a' z * f z)) n).
  assert (D : forall j, gpm c Hc a j * f j - exp eps * (gpm c Hc a' j * f j) <= g ((IZR j + / 2) / b) - g ((IZR j - / 2) / b)).
  { intros j; set (u := (IZR j - / 2) / b); set (v := (IZR j + / 2) / b).
    assert (L : u <= v) by (unfold u, v, Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra]).
    pose proof (gain_bounds A A' eps u v L NA) as B; fold g in B.
    assert (E : gpm c Hc a j - exp eps * gpm c Hc a' j = below A A' eps v - below A A' eps u) by
      (rewrite !gpm_Phi; fold u v A A'; unfold below; ring).
    pose proof (Rmax_l 0 (below A A' eps v - below A A' eps u)); pose proof (Rmax_r 0 (below A A' eps v - below A A' eps u)).
    specialize (Hf j); nra. }
  assert (B : forall n, sum_n d n <= g ((INR n + / 2) / b) - g ((- INR n - 3 / 2) / b)).
  { assert (F : forall n, d n <= g ((INR n + / 2) / b) - g ((INR n - / 2) / b) + (g ((- INR n - / 2) / b) - g ((- INR n - 3 / 2) / b))).
    { intros n; unfold d, fold2; pose proof (D (Z.of_nat n)) as D1; pose proof (D (-1 - Z.of_nat n)%Z) as D2.
      rewrite minus_IZR, <- INR_IZR_INZ in D2; rewrite <- INR_IZR_INZ in D1.
      replace (-1 - INR n + / 2) with (- INR n - / 2) in D2 by field; replace (-1 - INR n - / 2) with (- INR n - 3 / 2) in D2 by field; lra. }
    induction n.
    - rewrite sum_O; specialize (F O); simpl INR in *; replace (- 0 - / 2) with (0 - / 2) in F by ring; lra.
    - rewrite sum_Sn; unfold plus; simpl plus; specialize (F (S n)); rewrite S_INR in *.
      replace (INR n + 1 - / 2) with (INR n + / 2) in F by field; replace (- (INR n + 1) - / 2) with (- INR n - 3 / 2) in F by field.
      change (sum_n d n + d (S n) <= g ((INR n + 1 + / 2) / b) - g ((- (INR n + 1) - 3 / 2) / b)); lra. }
  assert (X : ex_series d) by (apply (ex_series_minus (fold2 _) (fold2 _)); auto).
  apply Series_correct in X.
  apply (is_lim_seq_le (sum_n d) (fun _ => delta) (Series d) delta); [|exact X|apply is_lim_seq_const].
  intros n; eapply Rle_trans; [apply B|now apply gain_least].
Qed.
End Noise.
