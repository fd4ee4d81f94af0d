(** A lower bound on the sum of a Gaussian's values at the integers, by what Poisson's summation says of it.

    Averaged over a unit with a weight that is nowhere negative and has mean 1, the sum about x is at most its greatest value, which is
    that at x = 0 ([theta_max]).  Fejer's weights make of the average the Fourier coefficients. *)
Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Theta DiscreteGaussian RoundedGaussian Normal NormalTails GaussianNoise.
Open Scope R_scope.

(** Fejer's weights. *)
Fixpoint dirichlet (m : nat) (t : R) : R := match m with O => 1 | S k => dirichlet k t + 2 * cos (INR (S k) * t) end.
Fixpoint fejer (m : nat) (t : R) : R := match m with O => 1 | S k => fejer k t + dirichlet (S k) t end.

Lemma dirichlet_sin m t : dirichlet m t * sin (t / 2) = sin ((INR m + / 2) * t).
Proof.
  induction m.
  - simpl; rewrite Rmult_1_l; f_equal; field.
  - cbn [dirichlet]; rewrite Rmult_plus_distr_r, IHm, S_INR.
    replace ((INR m + / 2) * t) with ((INR m + 1) * t - t / 2) by field.
    replace ((INR m + 1 + / 2) * t) with ((INR m + 1) * t + t / 2) by field.
    rewrite sin_plus, sin_minus; ring.
Qed.
Lemma fejer_sin m t : fejer m t * (sin (t / 2) * sin (t / 2)) = sin ((INR m + 1) * (t / 2)) * sin ((INR m + 1) * (t / 2)).
Proof.
  induction m.
  - simpl; rewrite !Rmult_1_l, Rplus_0_l, !Rmult_1_l; reflexivity.
  - cbn [fejer]; rewrite Rmult_plus_distr_r, IHm, <- Rmult_assoc, dirichlet_sin, S_INR.
    set (u := (INR m + 1) * (t / 2)); set (b := t / 2).
    replace ((INR m + 1 + / 2) * t) with (u + (u + b)) by (unfold u, b; field).
    replace ((INR m + 1 + 1) * b) with (u + b) by (unfold u, b; field).
    assert (Eb : sin b = sin (u + b) * cos u - cos (u + b) * sin u) by (rewrite <- sin_minus; f_equal; ring).
    rewrite Eb, (sin_plus u (u + b)); set (v := u + b).
    pose proof (sin2_cos2 u) as Hu; pose proof (sin2_cos2 v) as Hv; unfold Rsqr in *.
    replace (cos u * cos u) with (1 - sin u * sin u) in * by lra.
    transitivity (sin u * sin u + (sin v * sin v * (cos u * cos u) - sin u * sin u * (cos v * cos v))); [ring|].
    replace (cos u * cos u) with (1 - sin u * sin u) by (pose proof (sin2_cos2 u); unfold Rsqr in *; lra).
    replace (cos v * cos v) with (1 - sin v * sin v) by (pose proof (sin2_cos2 v); unfold Rsqr in *; lra); ring.
Qed.
Lemma flat m t : sin (t / 2) = 0 -> cos (INR m * t) = 1 /\ sin (INR m * t) = 0.
Proof.
  intros H; assert (C : cos t = 1) by (replace t with (2 * (t / 2)) by field; rewrite cos_2a_sin, H; ring).
  assert (S : sin t = 0) by (replace t with (2 * (t / 2)) by field; rewrite sin_2a, H; ring).
  induction m as [|m [I J]]; [simpl; rewrite Rmult_0_l; split; [apply cos_0|apply sin_0]|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, cos_plus, sin_plus, I, J, C, S; split; ring.
Qed.
Lemma fejer_nonneg m t : 0 <= fejer m t.
Proof.
  destruct (Req_dec (sin (t / 2)) 0) as [Z|N].
  - assert (D : forall k, 1 <= dirichlet k t).
    { induction k; cbn [dirichlet]; [lra|]; destruct (flat (S k) t Z) as [-> _]; lra. }
    induction m; cbn [fejer]; [lra|]; pose proof (D (S m)); lra.
  - pose proof (fejer_sin m t) as E; assert (P : 0 < sin (t / 2) * sin (t / 2)) by nra.
    apply Rmult_le_reg_r with (sin (t / 2) * sin (t / 2)); auto; rewrite E, Rmult_0_l; nra.
Qed.

Lemma cos_shift m n x : cos (INR m * (2 * PI * (x + IZR n))) = cos (INR m * (2 * PI * x)).
Proof.
  replace (INR m * (2 * PI * (x + IZR n))) with (INR m * (2 * PI * x) + 2 * IZR (Z.of_nat m * n) * PI) by
    (rewrite mult_IZR, <- INR_IZR_INZ; ring).
  destruct (Z.le_ge_cases 0 (Z.of_nat m * n)) as [L|L].
  - rewrite <- (Z2Nat.id (Z.of_nat m * n)) by auto; rewrite <- INR_IZR_INZ; apply cos_period.
  - rewrite <- (cos_period (INR m * (2 * PI * x) + 2 * IZR (Z.of_nat m * n) * PI) (Z.to_nat (- (Z.of_nat m * n)))).
    f_equal; rewrite (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id by lia; rewrite opp_IZR; ring.
Qed.
Definition weight (m : nat) (x : R) : R := fejer m (2 * PI * x).
Lemma weight_shift m n x : weight m (x + IZR n) = weight m x.
Proof.
  unfold weight; assert (D : forall k, dirichlet k (2 * PI * (x + IZR n)) = dirichlet k (2 * PI * x)).
  { induction k; cbn [dirichlet]; [reflexivity|]; now rewrite IHk, cos_shift. }
  induction m; cbn [fejer]; [reflexivity|]; now rewrite IHm, D.
Qed.

Lemma cos_unit m : is_RInt (fun x => cos (INR (S m) * (2 * PI * x))) 0 1 0.
Proof.
  pose proof PI_RGT_0; assert (0 < INR (S m)) by (apply lt_0_INR; lia); set (k := INR (S m)) in *.
  assert (E : is_RInt (fun x => cos (k * (2 * PI * x))) 0 1 (minus (sin (k * (2 * PI * 1)) / (k * 2 * PI)) (sin (k * (2 * PI * 0)) / (k * 2 * PI)))).
  { apply (is_RInt_derive (fun x => sin (k * (2 * PI * x)) / (k * 2 * PI))); intros x _.
    - auto_derive; auto; field; lra.
    - apply (ex_derive_continuous (fun x => cos (k * (2 * PI * x)))); auto_derive; auto. }
  replace (k * (2 * PI * 1)) with (0 + 2 * k * PI) in E by ring; unfold k in E at 2; rewrite sin_period in E.
  rewrite !Rmult_0_r, sin_0 in E; unfold Rdiv, minus, plus, opp in E; simpl in E; rewrite !Rmult_0_l, Ropp_0, Rplus_0_l in E; exact E.
Qed.
Lemma weight_unit m : is_RInt (weight m) 0 1 (INR m + 1).
Proof.
  assert (O : is_RInt (fun _ => 1) 0 1 1).
  { pose proof (is_RInt_const 0 1 1) as C; unfold scal in C; simpl in C; unfold mult in C; simpl in C; now rewrite Rminus_0_r, Rmult_1_l in C. }
  assert (D : forall k, is_RInt (fun x => dirichlet k (2 * PI * x)) 0 1 1).
  { induction k; [exact O|]; cbn [dirichlet].
    pose proof (is_RInt_plus _ _ _ _ _ _ IHk (is_RInt_scal _ _ _ 2 _ (cos_unit k))) as P.
    unfold plus, scal in P; simpl in P; unfold mult in P; simpl in P; now rewrite Rmult_0_r, Rplus_0_r in P. }
  induction m; [simpl; rewrite Rplus_0_l; exact O|].
  rewrite S_INR; apply (is_RInt_plus (fun x => fejer m (2 * PI * x)) (fun x => dirichlet (S m) (2 * PI * x))); auto.
Qed.

Section Sum.
Variables (s : R) (Hs : 0 < s) (Hc : 0 < / (2 * (s * s))).
Let c := / (2 * (s * s)).
Let g := bell c 0.

(** The Fourier transform, cut off at [N]. *)
Definition wave (N w : R) : R := RInt (fun x => g x * cos (w * x)) (- N) N.
Lemma ex_wave w a b : ex_RInt (fun x => g x * cos (w * x)) a b.
Proof.
  apply (ex_RInt_continuous (fun x => g x * cos (w * x))); intros x _.
  apply (ex_derive_continuous (fun x => g x * cos (w * x))); unfold g, bell; auto_derive; auto.
Qed.
Lemma wave_derive N w : is_derive (wave N) w (2 * (s * s) * g N * sin (w * N) - s * s * w * wave N w).
Proof.
  assert (D : forall w x, is_derive (fun w => g x * cos (w * x)) w (- (x * g x * sin (w * x)))) by
    (intros u x; auto_derive; auto; ring).
  assert (DE : forall w x, Derive (fun w => g x * cos (w * x)) w = - (x * g x * sin (w * x))) by (intros; apply is_derive_unique, D).
  assert (I : is_RInt (fun x => - (x * g x * sin (w * x))) (- N) N (2 * (s * s) * g N * sin (w * N) - s * s * w * wave N w)).
  { assert (B : is_RInt (fun x => - (x * g x * sin (w * x)) + s * s * w * (g x * cos (w * x))) (- N) N
      (minus (s * s * g N * sin (w * N)) (s * s * g (- N) * sin (w * - N)))).
    { apply (is_RInt_derive (fun x => s * s * g x * sin (w * x))); intros x _.
      - unfold g, bell; auto_derive; auto; replace (x + - 0) with x by ring.
        replace (c * (x * (x * 1))) with (c * (x - 0) ^ 2) by ring; set (e := exp _); unfold c; field; lra.
      - apply (ex_derive_continuous (fun x => - (x * g x * sin (w * x)) + s * s * w * (g x * cos (w * x)))); unfold g, bell; auto_derive; auto. }
    pose proof (RInt_correct _ _ _ (ex_wave w (- N) N)) as W; fold (wave N w) in W.
    pose proof (is_RInt_minus _ _ _ _ _ _ B (is_RInt_scal _ _ _ (s * s * w) _ W)) as M.
    replace (2 * (s * s) * g N * sin (w * N) - s * s * w * wave N w) with
      (minus (minus (s * s * g N * sin (w * N)) (s * s * g (- N) * sin (w * - N))) (scal (s * s * w) (wave N w))).
    - apply (is_RInt_ext _ (fun x => - (x * g x * sin (w * x)))) in M; [exact M|].
      intros x _; unfold minus, plus, opp, scal; simpl; unfold mult; simpl; ring.
    - assert (G : g (- N) = g N) by (unfold g, bell; do 2 f_equal; ring); rewrite G.
      replace (w * - N) with (- (w * N)) by ring; rewrite sin_neg.
      unfold minus, plus, opp, scal; simpl; unfold mult; simpl; ring. }
  rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ I).
  rewrite <- (RInt_ext (fun x => Derive (fun w => g x * cos (w * x)) w)) by (intros; apply DE).
  apply (is_derive_RInt_param (fun w x => g x * cos (w * x))).
  - apply filter_forall; intros u x _; eexists; apply D.
  - intros x _; apply continuity_2d_pt_ext with (fun w x => - (x * g x * sin (w * x))); [intros; symmetry; apply DE|].
    apply continuity_2d_pt_opp, continuity_2d_pt_mult; [apply continuity_2d_pt_mult; [apply continuity_2d_pt_id2|]|].
    + apply (continuity_1d_2d_pt_comp g (fun _ x => x)); [|apply continuity_2d_pt_id2].
      apply continuity_pt_filterlim, bell_continuous.
    + apply (continuity_1d_2d_pt_comp sin (fun w x => w * x)).
      * apply derivable_continuous_pt, derivable_pt_sin.
      * apply continuity_2d_pt_mult; [apply continuity_2d_pt_id1|apply continuity_2d_pt_id2].
  - apply filter_forall; intros u; apply ex_wave.
Qed.
Lemma wave_ge N w : 0 <= w -> exp (- (s * s * (w * w) / 2)) * wave N 0 - 2 * (s * s) * g N * w <= wave N w.
Proof.
  intros W; set (k w := s * s * (w * w) / 2); set (a := 2 * (s * s) * g N * exp (k w)).
  assert (G : 0 < g N) by apply bell_pos.
  assert (F : - (exp (k w) * wave N w) - a * w <= - (exp (k 0) * wave N 0) - a * 0).
  { apply (falling (fun w => - (exp (k w) * wave N w) - a * w) (fun w => - (exp (k w) * (2 * (s * s) * g N * sin (w * N))) - a)); auto.
    intros z Z; split.
    - assert (K : is_derive (fun w => exp (k w)) z (s * s * z * exp (k z))) by (unfold k; auto_derive; auto; set (e := exp _); unfold Rdiv in *; field).
      pose proof (is_derive_mult _ _ z _ _ K (wave_derive N z) Rmult_comm) as M; simpl in M.
      pose proof (is_derive_minus _ _ z _ _ (is_derive_opp _ z _ M) (is_derive_scal (fun w => w) z a 1 (is_derive_id z))) as D.
      replace (- (exp (k z) * (2 * (s * s) * g N * sin (z * N))) - a) with
        (minus (opp (plus (mult (s * s * z * exp (k z)) (wave N z)) (mult (exp (k z)) (2 * (s * s) * g N * sin (z * N) - s * s * z * wave N z)))) (a * 1)) by
        (unfold minus, plus, opp, mult; simpl; ring).
      exact D.
    - assert (- 1 <= sin (z * N)) by apply SIN_bound.
      assert (E : exp (k z) <= exp (k w)) by (apply exp_le; unfold k; assert (z * z <= w * w) by nra; assert (0 <= s * s) by nra; nra).
      pose proof (exp_pos (k z)); assert (P : 0 < 2 * (s * s) * g N) by (repeat apply Rmult_lt_0_compat; lra).
      unfold a; assert (exp (k z) * (2 * (s * s) * g N) <= 2 * (s * s) * g N * exp (k w)) by nra.
      assert (- (exp (k z) * (2 * (s * s) * g N)) <= exp (k z) * (2 * (s * s) * g N * sin (z * N))) by
        (assert (0 <= exp (k z) * (2 * (s * s) * g N)) by (apply Rmult_le_pos; lra); nra); lra. }
  assert (K0 : exp (k 0) = 1) by (unfold k; rewrite <- exp_0; f_equal; field); rewrite K0 in F.
  fold (k w); rewrite exp_Ropp; pose proof (exp_pos (k w)) as E.
  apply Rmult_le_reg_l with (exp (k w)); auto.
  replace (exp (k w) * (/ exp (k w) * wave N 0 - 2 * (s * s) * g N * w)) with (wave N 0 - a * w) by (unfold a; field; lra); lra.
Qed.

Lemma wave_0 N : wave N 0 = 2 * G c N.
Proof.
  unfold wave; rewrite (RInt_ext _ (bell c 0)) by (intros x _; rewrite Rmult_0_l, cos_0; unfold g; apply Rmult_1_r).
  fold (area c 0 (- N) N); rewrite (area_G c), !Rminus_0_r, (G_opp c); ring.
Qed.
Lemma wave_0_lim : is_lim_seq (fun N => wave (INR N) 0) (s * whole).
Proof.
  apply is_lim_seq_ext with (fun N => 2 * G c (INR N)); [intros N; symmetry; apply wave_0|].
  rewrite <- (half_scale s Hs Hc).
  apply (is_lim_seq_scal_l (fun N => G c (INR N)) 2 (half c Hc)), half_lim.
Qed.

(** A unit about an integer is moved to the one from 0 to 1. *)
Lemma ex_weighted m a b : ex_RInt (fun x => g x * weight m x) a b.
Proof.
  assert (D : forall k x, continuous (fun x => dirichlet k (2 * PI * x)) x).
  { induction k; intros x; cbn [dirichlet]; [apply continuous_const|].
    apply (continuous_plus (fun x => dirichlet k (2 * PI * x)) (fun x => 2 * cos (INR (S k) * (2 * PI * x)))); auto.
    apply (ex_derive_continuous (fun x => 2 * cos (INR (S k) * (2 * PI * x)))); auto_derive; auto. }
  assert (W : forall k x, continuous (weight k) x).
  { induction k; intros x; unfold weight; cbn [fejer]; [apply continuous_const|].
    apply (continuous_plus (fun x => fejer k (2 * PI * x)) (fun x => dirichlet (S k) (2 * PI * x))); auto; apply IHk. }
  apply (ex_RInt_continuous (fun x => g x * weight m x)); intros x _.
  apply (continuous_mult g (weight m)); [apply bell_continuous|apply W].
Qed.
Definition inside (m N : nat) : R := RInt (fun x => g x * weight m x) (- INR N) (INR N).
Lemma moved_unit m n : is_RInt (fun x => ga c (- x) n * weight m x) 0 1 (RInt (fun x => g x * weight m x) (IZR n) (IZR n + 1)).
Proof.
  assert (I : is_RInt (fun x => scal 1 (g (1 * x + IZR n) * weight m (1 * x + IZR n))) 0 1 (RInt (fun x => g x * weight m x) (IZR n) (IZR n + 1))).
  { apply (is_RInt_comp_lin (fun x => g x * weight m x)).
    assert (E0 : 1 * 0 + IZR n = IZR n) by ring; assert (E1 : 1 * 1 + IZR n = IZR n + 1) by ring; rewrite E0, E1.
    apply (RInt_correct (fun x => g x * weight m x)), ex_weighted. }
  apply (is_RInt_ext _ (fun x => ga c (- x) n * weight m x)) in I; [exact I|].
  intros x _; unfold scal; simpl; unfold mult; simpl; rewrite !Rmult_1_l, weight_shift; f_equal; unfold g, bell, ga; do 3 f_equal; ring.
Qed.
Lemma inside_moved m N : is_RInt (fun x => sum_n (fold2 (ga c (- x))) N * weight m x) 0 1 (inside m (S N)).
Proof.
  assert (P : forall k, is_RInt (fun x => fold2 (ga c (- x)) k * weight m x) 0 1
    (RInt (fun x => g x * weight m x) (INR k) (INR (S k)) + RInt (fun x => g x * weight m x) (- INR (S k)) (- INR k))).
  { intros k; pose proof (is_RInt_plus _ _ _ _ _ _ (moved_unit m (Z.of_nat k)) (moved_unit m (-1 - Z.of_nat k))) as A.
    rewrite minus_IZR, <- !INR_IZR_INZ in A.
    replace (-1 - INR k + 1) with (- INR k) in A by ring; replace (-1 - INR k) with (- INR (S k)) in A by (rewrite S_INR; ring).
    rewrite <- S_INR in A; apply (is_RInt_ext _ (fun x => fold2 (ga c (- x)) k * weight m x)) in A; [exact A|].
    intros x _; symmetry; apply Rmult_plus_distr_r. }
  assert (C : forall k, inside m (S k) = inside m k + (RInt (fun x => g x * weight m x) (INR k) (INR (S k)) + RInt (fun x => g x * weight m x) (- INR (S k)) (- INR k))).
  { intros k; unfold inside; pose proof (RInt_Chasles _ _ _ _ (ex_weighted m (- INR (S k)) (- INR k)) (ex_weighted m (- INR k) (INR (S k)))) as A.
    pose proof (RInt_Chasles _ _ _ _ (ex_weighted m (- INR k) (INR k)) (ex_weighted m (INR k) (INR (S k)))) as B.
    unfold plus in A, B; simpl plus in A, B; rewrite <- A, <- B; simpl; ring. }
  induction N as [|N IH].
  - rewrite C; replace (inside m 0) with 0 by (unfold inside; simpl; rewrite Ropp_0; symmetry; exact (RInt_point 0 (fun x => g x * weight m x))).
    rewrite Rplus_0_l; apply (is_RInt_ext (fun x => fold2 (ga c (- x)) 0 * weight m x)); [intros x _; now rewrite sum_O|apply P].
  - rewrite C; pose proof (is_RInt_plus _ _ _ _ _ _ IH (P (S N))) as A.
    apply (is_RInt_ext _ (fun x => sum_n (fold2 (ga c (- x))) (S N) * weight m x)) in A; [exact A|].
    intros x _; rewrite sum_Sn; symmetry; apply Rmult_plus_distr_r.
Qed.
Lemma sums_below x N : sum_n (fold2 (ga c x)) N <= F c 0.
Proof.
  eapply Rle_trans; [|apply (theta_max c x); exact Hc]; unfold F, ZS.
  assert (L : is_lim_seq (sum_n (fold2 (ga c x))) (Series (fold2 (ga c x)))) by (apply (Series_correct (fold2 (ga c x))), ga_zsum, Hc).
  apply (is_lim_seq_incr_compare _ _ L); intros n; rewrite sum_Sn; unfold plus; simpl.
  pose proof (fold2_nonneg (ga c x) (ga_nonneg c x) (S n)); lra.
Qed.
Lemma inside_le m N : inside m (S N) <= F c 0 * (INR m + 1).
Proof.
  apply (is_RInt_le (fun x => sum_n (fold2 (ga c (- x))) N * weight m x) (fun x => F c 0 * weight m x) 0 1); [lra|apply inside_moved| |].
  - apply (is_RInt_scal (weight m)), weight_unit.
  - intros x _; apply Rmult_le_compat_r; [apply fejer_nonneg|apply sums_below].
Qed.

(** What the weights make of the Fourier transform. *)
Definition mode (i : nat) : R := exp (- (s * s * ((INR i * (2 * PI)) * (INR i * (2 * PI))) / 2)).
Fixpoint spectrum (k : nat) : R := match k with O => 1 | S j => spectrum j + 2 * mode (S j) end.
Fixpoint spectra (m : nat) : R := match m with O => 1 | S j => spectra j + spectrum (S j) end.
Lemma inside_ge m : exists C, forall N, wave (INR N) 0 * spectra m - g (INR N) * C <= inside m N.
Proof.
  assert (D : forall k, exists C, forall N, exists J, is_RInt (fun x => g x * dirichlet k (2 * PI * x)) (- INR N) (INR N) J /\
    wave (INR N) 0 * spectrum k - g (INR N) * C <= J).
  { induction k as [|k [C IH]].
    - exists 0; intros N; exists (wave (INR N) 0); split; [|simpl; lra].
      pose proof (RInt_correct _ _ _ (ex_wave 0 (- INR N) (INR N))) as W; fold (wave (INR N) 0) in W.
      apply (is_RInt_ext _ (fun x => g x * dirichlet 0 (2 * PI * x))) in W; [exact W|].
      intros x _; simpl; now rewrite Rmult_0_l, cos_0.
    - set (w := INR (S k) * (2 * PI)); exists (C + 2 * (2 * (s * s) * w)); intros N; destruct (IH N) as (J & HJ & L).
      assert (W0 : 0 <= w) by (pose proof PI_RGT_0; apply Rmult_le_pos; [apply pos_INR|lra]).
      exists (J + 2 * wave (INR N) w); split.
      + pose proof (RInt_correct _ _ _ (ex_wave w (- INR N) (INR N))) as W; fold (wave (INR N) w) in W.
        pose proof (is_RInt_plus _ _ _ _ _ _ HJ (is_RInt_scal _ _ _ 2 _ W)) as A.
        apply (is_RInt_ext _ (fun x => g x * dirichlet (S k) (2 * PI * x))) in A; [exact A|].
        intros x _; cbn [dirichlet]; unfold plus, scal; simpl; unfold mult; simpl.
        replace (w * x) with (INR (S k) * (2 * PI * x)) by (unfold w; ring); simpl; ring.
      + pose proof (wave_ge (INR N) w W0) as V; cbn [spectrum]; unfold mode; fold w; lra. }
  induction m as [|m [C IH]].
  - destruct (D O) as [C H]; exists C; intros N; destruct (H N) as (J & HJ & L).
    change (wave (INR N) 0 * spectrum 0 - g (INR N) * C <= RInt (fun x => g x * dirichlet 0 (2 * PI * x)) (- INR N) (INR N)).
    now rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ HJ).
  - destruct (D (S m)) as [C' H]; exists (C + C'); intros N; destruct (H N) as (J & HJ & L); specialize (IH N).
    assert (A : inside (S m) N = inside m N + J).
    { unfold inside; apply (is_RInt_unique (V := R_CompleteNormedModule)).
      pose proof (RInt_correct _ _ _ (ex_weighted m (- INR N) (INR N))) as W; pose proof (is_RInt_plus _ _ _ _ _ _ W HJ) as B.
      apply (is_RInt_ext _ (fun x => g x * weight (S m) x)) in B; [exact B|].
      intros x _; unfold weight; cbn [fejer]; unfold plus; simpl; ring. }
    rewrite A; cbn [spectra]; lra.
Qed.
Lemma g_lim : is_lim_seq (fun N => g (INR N)) 0.
Proof.
  apply is_lim_seq_le_le_loc with (fun _ => 0) (fun N => / c * / (INR N + 1) * 2).
  - exists 1%nat; intros N HN; apply le_INR in HN; simpl in HN; split; [left; apply bell_pos|].
    unfold g, bell; rewrite exp_Ropp.
    replace (/ c * / (INR N + 1) * 2) with (/ (c * (INR N + 1) / 2)) by (assert (c <> 0) by (unfold c in *; lra); field; split; lra).
    assert (0 < c) by exact Hc; apply Rinv_le_contravar; [apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra]|].
    pose proof (exp_ineq1_le (c * (INR N - 0) ^ 2)); assert (S : (INR N + 1) / 2 <= (INR N - 0) ^ 2) by nra.
    apply (Rmult_le_compat_l c) in S; lra.
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Finite (/ c * 0 * 2)) by (f_equal; ring).
    apply is_lim_seq_mult'; [apply is_lim_seq_mult'; [apply is_lim_seq_const|]|apply is_lim_seq_const].
    apply steps_vanish.
Qed.
Lemma spectra_le m : s * whole * spectra m <= F c 0 * (INR m + 1).
Proof.
  destruct (inside_ge m) as [C H].
  apply (is_lim_seq_le (fun N => wave (INR (S N)) 0 * spectra m - g (INR (S N)) * C) (fun _ => F c 0 * (INR m + 1))
    (s * whole * spectra m) (F c 0 * (INR m + 1))).
  - intros N; eapply Rle_trans; [apply H|apply inside_le].
  - replace (Finite (s * whole * spectra m)) with (Finite (s * whole * spectra m - 0 * C)) by (f_equal; ring).
    apply is_lim_seq_minus'; (apply is_lim_seq_mult'; [|apply is_lim_seq_const]).
    + apply (is_lim_seq_incr_1 (fun N => wave (INR N) 0)), wave_0_lim.
    + apply (is_lim_seq_incr_1 (fun N => g (INR N))), g_lim.
  - apply is_lim_seq_const.
Qed.

Theorem poisson k : s * whole * spectrum k <= F c 0.
Proof.
  assert (P : forall j, 0 < mode j) by (intros; apply exp_pos).
  assert (M : forall j, 1 <= spectrum j) by (induction j; cbn [spectrum]; [lra|pose proof (P (S j)); lra]).
  assert (A : forall n, spectrum k <= spectrum (k + n)) by
    (induction n; [rewrite Nat.add_0_r; lra|rewrite Nat.add_succ_r; cbn [spectrum]; pose proof (P (S (k + n))); lra]).
  assert (B : forall n, INR n * spectrum k <= spectra (k + n)).
  { induction n; [simpl; rewrite Rmult_0_l; induction (k + 0)%nat; cbn [spectra]; [lra|pose proof (M (S n)); lra]|].
    rewrite Nat.add_succ_r, S_INR; cbn [spectra]; pose proof (A (S n)) as L; rewrite Nat.add_succ_r in L; lra. }
  pose proof whole_pos as W; set (X := s * whole * spectrum k).
  assert (SW : 0 < s * whole) by (apply Rmult_lt_0_compat; lra).
  apply Rnot_lt_le; intros N; destruct (nfloor_ex (F c 0 * (INR k + 1) / (X - F c 0))) as [n Hn].
  { apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply F_pos, Hc|pose proof (pos_INR k); lra]|left; apply Rinv_0_lt_compat; lra]. }
  pose proof (spectra_le (k + S n)) as S1; specialize (B (S n)); rewrite plus_INR, S_INR in *.
  apply (Rmult_le_compat_l (s * whole)) in B; [|lra].
  assert (C : (INR n + 1) * (X - F c 0) <= F c 0 * (INR k + 1)) by (unfold X; lra).
  assert (D : F c 0 * (INR k + 1) < (INR n + 1) * (X - F c 0)).
  { replace (F c 0 * (INR k + 1)) with (F c 0 * (INR k + 1) / (X - F c 0) * (X - F c 0)) by (field; lra).
    apply Rmult_lt_compat_r; lra. }
  lra.
Qed.
End Sum.
