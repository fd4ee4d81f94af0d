(** Laplace noise on real numbers, correctly rounded to a grid.

    In steps of the grid, with scale [b], the release at the real number [a] is the integer nearest to [a + b Z]: [j] with
    probability [F (j + 1/2 - a) - F (j - 1/2 - a)], a difference of exponentials.  So the released law is discrete, and
    no measure theory is needed. *)
Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Theta DiscreteGaussian.
Open Scope R_scope.

Section Laplace.
Variables (b : R) (Hb : 0 < b).

(** The distribution function of [b Z]. *)
Definition F (u : R) : R := if Rle_dec u 0 then exp (u / b) / 2 else 1 - exp (- (u / b)) / 2.

Lemma F_neg u : u <= 0 -> F u = exp (u / b) / 2.
Proof. intros; unfold F; destruct (Rle_dec u 0); lra. Qed.
Lemma F_pos u : 0 <= u -> F u = 1 - exp (- (u / b)) / 2.
Proof.
  intros H; unfold F; destruct (Rle_dec u 0); [|lra].
  replace u with 0 by lra; unfold Rdiv; rewrite Rmult_0_l, Ropp_0, exp_0; lra.
Qed.
Lemma F_opp u : F (- u) = 1 - F u.
Proof.
  destruct (Rle_dec u 0); [rewrite (F_neg u), (F_pos (- u)) by lra|rewrite (F_pos u), (F_neg (- u)) by lra];
    unfold Rdiv; rewrite ?Ropp_mult_distr_l_reverse, ?Ropp_involutive; lra.
Qed.

Lemma div_le u v : u <= v -> u / b <= v / b.
Proof. intros; unfold Rdiv; apply Rmult_le_compat_r; auto; left; now apply Rinv_0_lt_compat. Qed.
Lemma div_lt u v : u < v -> u / b < v / b.
Proof. intros; unfold Rdiv; apply Rmult_lt_compat_r; auto; now apply Rinv_0_lt_compat. Qed.

Lemma F_increasing u v : u < v -> F u < F v.
Proof.
  intros H; pose proof (div_lt u v H) as D.
  destruct (Rle_dec v 0); [rewrite !F_neg by lra; pose proof (exp_increasing _ _ D); lra|].
  destruct (Rle_dec 0 u).
  - rewrite !F_pos by lra; pose proof (exp_increasing (- (v / b)) (- (u / b))); lra.
  - rewrite (F_neg u), (F_pos v) by lra.
    assert (exp (u / b) < exp 0).
    { apply exp_increasing; replace 0 with (0 / b) by (unfold Rdiv; ring); apply div_lt; lra. }
    assert (exp (- (v / b)) < exp 0).
    { apply exp_increasing; assert (0 / b < v / b) by (apply div_lt; lra); unfold Rdiv in *; lra. }
    rewrite exp_0 in *; lra.
Qed.

(** A shift by [t] changes the probability of every interval by a factor of at most [exp (t / b)]. *)
Section Shift.
Variables (t : R) (Ht : 0 <= t).
Let T := exp (t / b).
Let H u := T * F u - F (u + t).

Lemma T_ge : 1 <= T.
Proof.
  unfold T; rewrite <- exp_0; apply exp_le; replace 0 with (0 / b) by (unfold Rdiv; ring); now apply div_le.
Qed.
Lemma exp_shift u : exp ((u + t) / b) = T * exp (u / b).
Proof. unfold T; rewrite <- exp_plus; f_equal; unfold Rdiv; ring. Qed.
Lemma exp_shift_opp u : exp (- ((u + t) / b)) = / (T * exp (u / b)).
Proof. now rewrite exp_Ropp, exp_shift. Qed.
Lemma exp_mono u v : u <= v -> 0 < exp (u / b) <= exp (v / b).
Proof. intros; split; [apply exp_pos|apply exp_le; now apply div_le]. Qed.

Lemma left_part u v : u <= v -> v <= - t -> H u <= H v.
Proof. intros; unfold H; rewrite !F_neg, !exp_shift by lra; lra. Qed.

Lemma middle_part u v : - t <= u -> u <= v -> v <= 0 -> H u <= H v.
Proof.
  intros A B C; unfold H; rewrite (F_neg u), (F_neg v), (F_pos (u + t)), (F_pos (v + t)), !exp_shift_opp by lra.
  destruct (exp_mono u v B) as [Px Pxy]; pose proof T_ge as Tg.
  assert (P : 1 <= T * exp (u / b)).
  { rewrite <- exp_shift, <- exp_0; apply exp_le.
    replace 0 with (0 / b) by (unfold Rdiv; ring); apply div_le; lra. }
  set (p := T * exp (u / b)) in *; set (q := T * exp (v / b)) in *.
  assert (Q : p <= q) by (unfold p, q; apply Rmult_le_compat_l; lra).
  assert (X : / p - / q <= q - p).
  { replace (/ p - / q) with ((q - p) * / (p * q)) by (field; lra).
    rewrite <- (Rmult_1_r (q - p)) at 2; apply Rmult_le_compat_l; [lra|].
    rewrite <- Rinv_1; apply Rinv_le_contravar; [lra|nra]. }
  replace (T * (exp (u / b) / 2)) with (p / 2) by (unfold p; field).
  replace (T * (exp (v / b) / 2)) with (q / 2) by (unfold q; field).
  lra.
Qed.

Lemma right_part u v : 0 <= u -> u <= v -> H u <= H v.
Proof.
  intros A B; unfold H; rewrite !F_pos, !exp_shift_opp, !exp_Ropp by lra.
  destruct (exp_mono u v B) as [Px Pxy]; pose proof T_ge as Tg.
  set (x := exp (u / b)) in *; set (y := exp (v / b)) in *.
  assert (I : / y <= / x) by (apply Rinv_le_contravar; lra).
  assert (J : / T <= T).
  { apply Rle_trans with 1; auto; rewrite <- Rinv_1; apply Rinv_le_contravar; lra. }
  rewrite !Rinv_mult; nra.
Qed.

Lemma H_increasing u v : u <= v -> H u <= H v.
Proof.
  intros L.
  assert (M : forall v, - t <= v -> H (- t) <= H v).
  { intros w Hw; destruct (Rle_dec w 0); [apply middle_part; lra|].
    apply Rle_trans with (H 0); [apply middle_part|apply right_part]; lra. }
  destruct (Rle_dec v (- t)); [apply left_part; lra|].
  destruct (Rle_dec u (- t)); [apply Rle_trans with (H (- t)); [apply left_part; lra|apply M; lra]|].
  destruct (Rle_dec 0 u); [apply right_part; lra|].
  destruct (Rle_dec v 0); [apply middle_part; lra|].
  apply Rle_trans with (H 0); [apply middle_part|apply right_part]; lra.
Qed.

Theorem interval_shift u v : u <= v -> F (v + t) - F (u + t) <= exp (t / b) * (F v - F u).
Proof. intros L; pose proof (H_increasing u v L); unfold H, T in *; lra. Qed.
End Shift.

Corollary interval_shift_both t u v : u <= v ->
  F (v + t) - F (u + t) <= exp (Rabs t / b) * (F v - F u).
Proof.
  intros L; destruct (Rle_dec 0 t); [rewrite Rabs_pos_eq by lra; now apply interval_shift|].
  rewrite Rabs_left by lra.
  pose proof (interval_shift (- t) ltac:(lra) (- v) (- u) ltac:(lra)) as S.
  replace (- u + - t) with (- (u + t)) in S by ring; replace (- v + - t) with (- (v + t)) in S by ring.
  rewrite !F_opp in S; lra.
Qed.

(** The released law at [a]. *)
Definition pm (a : R) (j : Z) : R := F (IZR j + / 2 - a) - F (IZR j - / 2 - a).

Lemma pm_pos a j : 0 < pm a j.
Proof. unfold pm; pose proof (F_increasing (IZR j - / 2 - a) (IZR j + / 2 - a)); lra. Qed.

Lemma pm_ratio a a' j : pm a j <= exp (Rabs (a - a') / b) * pm a' j.
Proof.
  unfold pm; rewrite Rabs_minus_sym.
  pose proof (interval_shift_both (a' - a) (IZR j - / 2 - a') (IZR j + / 2 - a') ltac:(lra)) as S.
  replace (IZR j + / 2 - a' + (a' - a)) with (IZR j + / 2 - a) in S by ring.
  replace (IZR j - / 2 - a' + (a' - a)) with (IZR j - / 2 - a) in S by ring; exact S.
Qed.

Lemma partial a n : sum_n (fold2 (pm a)) n = F (INR n + / 2 - a) - F (- INR n - 3 / 2 - a).
Proof.
  induction n.
  - rewrite sum_O; unfold fold2, pm; change (Z.of_nat 0) with 0%Z; change (-1 - 0)%Z with (-1)%Z; simpl INR.
    replace (IZR (-1) + / 2 - a) with (IZR 0 - / 2 - a) by lra.
    replace (IZR (-1) - / 2 - a) with (- 0 - 3 / 2 - a) by lra.
    match goal with |- ?x = ?y => change (@eq R x y) end; ring.
  - rewrite sum_Sn, IHn; unfold fold2, pm.
    rewrite minus_IZR, <- INR_IZR_INZ, S_INR.
    replace (INR n + 1 - / 2 - a) with (INR n + / 2 - a) by lra.
    replace (-1 - (INR n + 1) + / 2 - a) with (- INR n - 3 / 2 - a) by lra.
    replace (-1 - (INR n + 1) - / 2 - a) with (- (INR n + 1) - 3 / 2 - a) by lra.
    unfold plus; simpl.
    match goal with |- ?x = ?y => change (@eq R x y) end; ring.
Qed.

Lemma tail_lim c : is_lim_seq (fun n => exp (- ((INR n + c) / b))) 0.
Proof.
  apply is_lim_seq_ext with (fun n => exp (- (c / b)) * exp (- / b) ^ n).
  - intros n; rewrite pow_exp_nat, <- exp_plus; f_equal; unfold Rdiv; ring.
  - replace (Finite 0) with (Rbar_mult (exp (- (c / b))) 0) by (simpl; f_equal; ring).
    apply is_lim_seq_scal_l, is_lim_seq_geom.
    rewrite Rabs_pos_eq by (left; apply exp_pos); rewrite <- exp_0; apply exp_increasing.
    pose proof (Rinv_0_lt_compat b Hb); lra.
Qed.

Lemma pm_series a : is_series (fold2 (pm a)) 1.
Proof.
  change (is_lim_seq (sum_n (fold2 (pm a))) 1).
  apply is_lim_seq_ext_loc with
    (fun n => 1 - / 2 * exp (- ((INR n + (/ 2 - a)) / b)) - / 2 * exp (- ((INR n + (3 / 2 + a)) / b))).
  - destruct (nfloor_ex (Rabs a) (Rabs_pos a)) as [N HN]; exists (S N); intros n Hn.
    apply le_INR in Hn; rewrite S_INR in Hn.
    assert (A : - INR n <= a <= INR n).
    { pose proof (Rle_abs a); pose proof (Rle_abs (- a)); rewrite Rabs_Ropp in *; lra. }
    rewrite partial, F_pos, F_neg by lra.
    replace ((- INR n - 3 / 2 - a) / b) with (- ((INR n + (3 / 2 + a)) / b)) by (unfold Rdiv; ring).
    replace (INR n + / 2 - a) with (INR n + (/ 2 - a)) by ring; lra.
  - replace (Finite 1) with (Finite (1 - / 2 * 0 - / 2 * 0)) by (f_equal; ring).
    apply is_lim_seq_minus'; [apply is_lim_seq_minus'; [apply is_lim_seq_const|]|];
      apply (is_lim_seq_scal_l _ (/ 2) 0), tail_lim.
Qed.

Lemma pm_sum a : zsum (pm a).
Proof. eexists; apply pm_series. Qed.
Lemma pm_one a : ZS (pm a) = 1.
Proof. apply is_series_unique, pm_series. Qed.

Definition rounded_laplace (a : R) : dist Z := zdist (pm a) (pm_pos a) (pm_sum a) (pm_one a).

Theorem rounded_laplace_private a a' :
  close (Rabs (a - a') / b) 0 (rounded_laplace a) (rounded_laplace a').
Proof.
  intros f Hf; unfold rounded_laplace; rewrite !Ex_zdist, Rplus_0_r, <- ZS_scal.
  assert (D : forall c z, 0 <= pm c z * f z <= pm c z).
  { intros c z; pose proof (pm_pos c z); specialize (Hf z); nra. }
  unfold ZS; apply Series_le.
  - intros n; unfold fold2; pose proof (D a (Z.of_nat n)); pose proof (D a (-1 - Z.of_nat n)%Z).
    assert (S : forall z, pm a z * f z <= exp (Rabs (a - a') / b) * (pm a' z * f z)).
    { intros z; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [apply Hf|apply pm_ratio]. }
    pose proof (S (Z.of_nat n)); pose proof (S (-1 - Z.of_nat n)%Z); lra.
  - apply zsum_scal; apply ex_series_dom with (fold2 (pm a')); [|apply pm_sum].
    intros n; unfold fold2; pose proof (D a' (Z.of_nat n)); pose proof (D a' (-1 - Z.of_nat n)%Z); lra.
Qed.
End Laplace.
