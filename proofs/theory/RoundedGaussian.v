(** Gaussian noise on real numbers, correctly rounded to a grid.

    In steps of the grid, with scale [b], the release at the real number [a] is the integer nearest to [a + b Z]: [j] with a
    probability that is an integral of [exp (- c t^2)], [c = 1 / (2 b^2)], over an interval of length 1.  The released law is
    discrete; the integrals are those of continuous functions. *)
Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Renyi Hoeffding DualRenyi Theta DiscreteGaussian.
Open Scope R_scope.

Section Gaussian.
Variables (c : R) (Hc : 0 < c).

Definition bell (m t : R) : R := exp (- (c * (t - m) ^ 2)).
Lemma bell_continuous m t : continuous (bell m) t.
Proof. apply (ex_derive_continuous (bell m)); unfold bell; auto_derive; auto. Qed.
Lemma ex_bell m u v : ex_RInt (bell m) u v.
Proof. apply (ex_RInt_continuous (bell m)); intros; apply bell_continuous. Qed.
Lemma bell_pos m t : 0 < bell m t.
Proof. apply exp_pos. Qed.

(** What lies between [u] and [v]. *)
Definition area (m u v : R) : R := RInt (bell m) u v.
Lemma area_chasles m u v w : area m u v + area m v w = area m u w.
Proof. exact (RInt_Chasles (bell m) u v w (ex_bell m u v) (ex_bell m v w)). Qed.
Lemma area_pos m u v : u < v -> 0 < area m u v.
Proof. intros H; apply RInt_gt_0; auto; intros; [apply bell_pos|apply bell_continuous]. Qed.
Lemma area_nonneg m u v : u <= v -> 0 <= area m u v.
Proof. intros [H| ->]; [left; now apply area_pos|right; symmetry; exact (RInt_point v (bell m))]. Qed.

Definition G (u : R) : R := area 0 0 u.
Lemma area_shift m u v : area m u v = area 0 (u - m) (v - m).
Proof.
  assert (I : is_RInt (fun t => scal 1 (bell 0 (1 * t + - m))) u v (area 0 (u - m) (v - m))).
  { apply (is_RInt_comp_lin (bell 0)); replace (1 * u + - m) with (u - m) by ring; replace (1 * v + - m) with (v - m) by ring.
    apply (RInt_correct (bell 0)), ex_bell. }
  unfold area at 1; apply (is_RInt_unique (V := R_CompleteNormedModule)).
  apply (is_RInt_ext _ (bell m)) in I; [exact I|].
  intros t _; unfold scal; simpl; unfold mult; simpl; unfold bell; rewrite Rmult_1_l; do 3 f_equal; ring.
Qed.
Lemma area_G m u v : area m u v = G (v - m) - G (u - m).
Proof. rewrite area_shift; unfold G; pose proof (area_chasles 0 0 (u - m) (v - m)); lra. Qed.
Lemma G_opp u : G (- u) = - G u.
Proof.
  assert (I : is_RInt (fun t => scal (-1) (bell 0 (-1 * t + 0))) 0 u (area 0 0 (- u))).
  { apply (is_RInt_comp_lin (bell 0)); replace (-1 * 0 + 0) with 0 by ring; replace (-1 * u + 0) with (- u) by ring.
    apply (RInt_correct (bell 0)), ex_bell. }
  assert (J : is_RInt (fun t => scal (-1) (bell 0 t)) 0 u (scal (-1) (area 0 0 u))) by
    (apply (is_RInt_scal (bell 0)), (RInt_correct (bell 0)), ex_bell).
  unfold G; rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ I).
  apply (is_RInt_ext _ (fun t => scal (-1) (bell 0 (-1 * t + 0)))) in J.
  - rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ J); assert (X : -1 * area 0 0 u = - area 0 0 u) by ring; exact X.
  - intros t _; f_equal; unfold bell; do 2 f_equal; ring.
Qed.
Lemma G_mono u v : u <= v -> G u <= G v.
Proof.
  intros H; pose proof (area_chasles 0 0 u v); pose proof (area_nonneg 0 u v H); unfold G; lra.
Qed.

(** The bell lies under an exponential, so that there is a whole. *)
Lemma G_bounded u : 0 <= u -> G u <= exp c / (2 * c).
Proof.
  intros H; set (h t := exp c * exp (- (2 * c * t))).
  assert (D : is_RInt h 0 u (minus (- (exp c / (2 * c)) * exp (- (2 * c * u))) (- (exp c / (2 * c)) * exp (- (2 * c * 0))))).
  { apply (is_RInt_derive (fun t => - (exp c / (2 * c)) * exp (- (2 * c * t)))); intros t _.
    - auto_derive; auto; unfold h; field; lra.
    - apply (ex_derive_continuous h); unfold h; auto_derive; auto. }
  eapply Rle_trans.
  - apply (is_RInt_le (bell 0) h 0 u); [exact H|apply (RInt_correct (bell 0)), ex_bell|exact D|].
    intros t _; unfold h, bell; rewrite <- exp_plus; apply exp_le; pose proof (pow2_ge_0 (t - 1)); nra.
  - unfold minus, plus, opp; simpl; rewrite Rmult_0_r, Ropp_0, exp_0.
    assert (0 <= exp c / (2 * c)) by (apply Rmult_le_pos; [left; apply exp_pos|left; apply Rinv_0_lt_compat; lra]).
    pose proof (exp_pos (- (2 * c * u))); nra.
Qed.

Lemma half_exists : { l : R | is_lim_seq (fun n => G (INR n)) l /\ 0 < l }.
Proof.
  assert (E : ex_finite_lim_seq (fun n => G (INR n))).
  { apply ex_finite_lim_seq_incr with (exp c / (2 * c)).
    - intros n; apply G_mono; rewrite S_INR; lra.
    - intros n; apply G_bounded, pos_INR. }
  exists (real (Lim_seq (fun n => G (INR n)))).
  assert (L : is_lim_seq (fun n => G (INR n)) (real (Lim_seq (fun n => G (INR n))))) by
    (apply Lim_seq_correct'; exact E).
  split; auto.
  apply Rlt_le_trans with (G 1); [apply area_pos; lra|].
  apply (is_lim_seq_incr_compare (fun n => G (INR n)) _ L) with (n := 1%nat).
  intros n; apply G_mono; rewrite S_INR; lra.
Qed.
Definition half : R := proj1_sig half_exists.
Lemma half_lim : is_lim_seq (fun n => G (INR n)) half.
Proof. exact (proj1 (proj2_sig half_exists)). Qed.
Lemma half_pos : 0 < half.
Proof. exact (proj2 (proj2_sig half_exists)). Qed.

Lemma half_lim_shift x : is_lim_seq (fun n => G (INR n + x)) half.
Proof.
  destruct (nfloor_ex (Rabs x) (Rabs_pos x)) as [k Hk]; set (K := S k).
  assert (B : - INR K <= x <= INR K).
  { unfold K; rewrite S_INR; pose proof (Rle_abs x); pose proof (Rle_abs (- x)); rewrite Rabs_Ropp in *; lra. }
  apply (is_lim_seq_incr_n _ K).
  apply is_lim_seq_le_le with (fun n => G (INR n)) (fun n => G (INR (n + (K + K)))).
  - intros n; rewrite !plus_INR; split; apply G_mono; lra.
  - apply half_lim.
  - apply (is_lim_seq_incr_n (fun n => G (INR n)) (K + K)), half_lim.
Qed.

(** The released law at [a]. *)
Definition cell (a : R) (j : Z) : R := area a (IZR j - / 2) (IZR j + / 2).
Definition gpm (a : R) (j : Z) : R := / (2 * half) * cell a j.
Lemma gpm_pos a j : 0 < gpm a j.
Proof.
  apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; pose proof half_pos; lra|apply area_pos; lra].
Qed.

Lemma cells a n : sum_n (fold2 (cell a)) n = G (INR n + / 2 - a) + G (INR n + 3 / 2 + a).
Proof.
  assert (E : forall n, fold2 (cell a) n = G (INR n + / 2 - a) - G (INR n - / 2 - a) + (G (INR n + 3 / 2 + a) - G (INR n + / 2 + a))).
  { intros m; unfold fold2, cell; rewrite !area_G, minus_IZR, <- INR_IZR_INZ.
    replace (-1 - INR m + / 2 - a) with (- (INR m + / 2 + a)) by field.
    replace (-1 - INR m - / 2 - a) with (- (INR m + 3 / 2 + a)) by field; rewrite !G_opp; ring. }
  induction n.
  - rewrite sum_O, E; simpl INR; replace (0 - / 2 - a) with (- (0 + / 2 + a)) by ring; rewrite G_opp.
    match goal with |- ?x = ?y => change (@eq R x y) end; ring.
  - rewrite sum_Sn, IHn, E, S_INR; unfold plus; simpl.
    replace (INR n + 1 - / 2 - a) with (INR n + / 2 - a) by field.
    replace (INR n + 1 + / 2 + a) with (INR n + 3 / 2 + a) by field.
    match goal with |- ?x = ?y => change (@eq R x y) end; ring.
Qed.

Lemma cell_series a : is_series (fold2 (cell a)) (2 * half).
Proof.
  change (is_lim_seq (sum_n (fold2 (cell a))) (2 * half)).
  apply is_lim_seq_ext with (fun n => G (INR n + (/ 2 - a)) + G (INR n + (3 / 2 + a))).
  - intros n; rewrite cells; f_equal; f_equal; ring.
  - replace (Finite (2 * half)) with (Finite (half + half)) by (f_equal; ring).
    apply is_lim_seq_plus'; apply half_lim_shift.
Qed.
Lemma gpm_sum a : zsum (gpm a).
Proof. apply zsum_scal; eexists; apply cell_series. Qed.
Lemma gpm_one a : ZS (gpm a) = 1.
Proof.
  unfold gpm; rewrite ZS_scal; unfold ZS; rewrite (is_series_unique _ _ (cell_series a)).
  apply Rinv_l; pose proof half_pos; lra.
Qed.

Definition rounded_gaussian (a : R) : dist Z := zdist (gpm a) (gpm_pos a) (gpm_sum a) (gpm_one a).

(** Where an inequality holds for three bells, with weights, it holds for the cells. *)
Lemma cell_le a a' m x y z j : (forall t, x * bell a t <= y * bell a' t + z * bell m t) ->
  x * gpm a j <= y * gpm a' j + z * gpm m j.
Proof.
  intros H; assert (P : 0 < / (2 * half)) by (apply Rinv_0_lt_compat; pose proof half_pos; lra).
  assert (C : x * cell a j <= y * cell a' j + z * cell m j).
  { assert (I : forall k b, is_RInt (fun t => k * bell b t) (IZR j - / 2) (IZR j + / 2) (k * cell b j)) by
      (intros; apply (is_RInt_scal (bell b)), (RInt_correct (bell b)), ex_bell).
    apply (is_RInt_le (fun t => x * bell a t) (fun t => y * bell a' t + z * bell m t) (IZR j - / 2) (IZR j + / 2));
      [lra|apply I|apply (is_RInt_plus (fun t => y * bell a' t)); apply I|auto]. }
  unfold gpm; assert (/ (2 * half) * (x * cell a j) <= / (2 * half) * (y * cell a' j + z * cell m j)) by
    (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma Ex_gaussian_test a f B : (forall z, 0 <= f z <= B) -> zsum (fun z => gpm a z * f z).
Proof.
  intros H; apply ex_series_dom with (fold2 (fun z => B * gpm a z)); [|apply zsum_scal, gpm_sum].
  intros n; assert (D : forall z, 0 <= gpm a z * f z <= B * gpm a z).
  { intros z; pose proof (gpm_pos a z); specialize (H z); nra. }
  unfold fold2; pose proof (D (Z.of_nat n)); pose proof (D (-1 - Z.of_nat n)%Z); lra.
Qed.

Theorem rounded_gaussian_zCDP a a' : zCDP (c * (a - a') ^ 2) (rounded_gaussian a) (rounded_gaussian a').
Proof.
  intros al Ha f Hf; destruct (conj_range al Ha); pose proof (conj_gt al Ha).
  set (be := / (1 - / al)) in *; set (tau := al * (c * (a - a') ^ 2)).
  set (P := rounded_gaussian a); set (Q := rounded_gaussian a').
  assert (Hfb : ptest (fun z => Rpower (f z) be)) by (apply ptest_pow; auto; lra).
  set (S := Ex Q (fun z => Rpower (f z) be)).
  assert (HS : 0 < S) by now apply ptest_Ex_pos.
  set (V := (1 - / al) * tau + (1 - / al) * ln S).
  set (k := V - ln S); set (l := V - (al - 1) * tau); set (m := al * a + (1 - al) * a').
  (* at each number, by the convexity of exp *)
  assert (W : forall z t, f z * bell a t <=
    (1 - / al) * exp k * Rpower (f z) be * bell a' t + / al * exp l * exp ((al - 1) * tau) * bell m t).
  { intros z t; pose proof (ptest_pos f z Hf) as Pz.
    set (Z := c * ((t - a') ^ 2 - (t - a) ^ 2)).
    rewrite <- (exp_ln (f z)) at 1 by auto.
    replace (ln (f z)) with ((1 - / al) * (k + (be * ln (f z) + - Z)) + / al * (l + (al - 1) * Z)).
    - eapply Rle_trans; [apply Rmult_le_compat_r; [left; apply bell_pos|apply exp_convex; lra]|].
      rewrite Rmult_plus_distr_r; right; f_equal.
      + rewrite !exp_plus; fold (Rpower (f z) be).
        replace (bell a' t) with (exp (- Z) * bell a t); [ring|].
        unfold bell, Z; rewrite <- exp_plus; f_equal; ring.
      + rewrite exp_plus, !Rmult_assoc; do 2 f_equal.
        unfold bell, Z, m, tau; rewrite <- !exp_plus; f_equal; ring.
    - unfold k, l, V, be; field; repeat split; lra. }
  assert (C : forall z, gpm a z * f z <= (1 - / al) * exp k * (gpm a' z * Rpower (f z) be) + / al * exp l * exp ((al - 1) * tau) * gpm m z).
  { intros z; pose proof (cell_le a a' m (f z) _ _ z (W z)); lra. }
  assert (N : forall z, 0 <= gpm a z * f z).
  { intros z; apply Rmult_le_pos; [left; apply gpm_pos|left; now apply ptest_pos]. }
  assert (Q0 : zsum (fun z => gpm a' z * Rpower (f z) be)).
  { destruct Hfb as (lo & hi & L & B); apply Ex_gaussian_test with hi; intros z; specialize (B z); lra. }
  unfold P, rounded_gaussian; rewrite Ex_zdist.
  apply Rle_trans with (ZS (fun z => (1 - / al) * exp k * (gpm a' z * Rpower (f z) be)) +
    ZS (fun z => / al * exp l * exp ((al - 1) * tau) * gpm m z)).
  - unfold ZS; rewrite <- Series_plus by (apply zsum_scal; [exact Q0] || apply zsum_scal, gpm_sum).
    apply Series_le.
    + intros n; unfold fold2; pose proof (C (Z.of_nat n)); pose proof (C (-1 - Z.of_nat n)%Z).
      pose proof (N (Z.of_nat n)); pose proof (N (-1 - Z.of_nat n)%Z); lra.
    + apply (ex_series_plus (fold2 _) (fold2 _)); [apply zsum_scal, Q0|apply zsum_scal, gpm_sum].
  - rewrite !ZS_scal, gpm_one, Rmult_1_r.
    assert (ES : ZS (fun z => gpm a' z * Rpower (f z) be) = S) by (unfold S, Q, rounded_gaussian; now rewrite Ex_zdist).
    rewrite ES; right; transitivity (exp V); [|unfold V, Rpower; now rewrite exp_plus].
    rewrite <- (exp_ln S) at 1 by auto; rewrite !Rmult_assoc, <- !exp_plus; unfold k, l.
    replace (V - ln S + ln S) with V by ring.
    replace (V - (al - 1) * tau + (al - 1) * tau) with V by ring; field; lra.
Qed.
End Gaussian.
