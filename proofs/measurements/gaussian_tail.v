(** [measurements::tail] for Gaussian noise: bounds on how likely it is that noise reaches so far. *)
Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx Theta DiscreteGaussian RoundedGaussian Normal NormalTails GaussianIntegral GaussianNoise Rounding laplace_threshold.
From DP Require Poisson.
Open Scope R_scope.

(** [weight]: [z] is at least 0. *)
Definition weight (s z : R) : R := let x := dn (z / s) in up (exp (- dn (dn (x * x) / 2))).
(** The loop: so many weights, added, and where it ends. *)
Fixpoint terms (n : nat) (weights s z : R) : R * R :=
  match n with O => (weights, z) | S m => terms m (inf_add weights (weight s z)) s (dn (z + 1)) end.
(** [integral]. *)
Definition integral (s from : R) : R :=
  let x := dn (from / s) in
  let root := dn (sqrt (dn (dn (x * x) + 8))) in
  let mills := inf_div 4 (dn (dn (x * 3) + root)) in
  inf_mul (inf_mul (weight s from) s) mills.
(** [symmetric_sum]: its loop runs over 1, 2, 3. *)
Definition symmetric_term (r k : R) : R := let x := inf_mul r k in dn (dn (exp (- inf_mul x x)) * 2).
Definition symmetric_sum (r : R) : R := dn (dn (dn (1 + symmetric_term r 1) + symmetric_term r 2) + symmetric_term r 3).

Section Tail.
(** The f64 constant of pi, and its successor. *)
Variables (pi_below pi_above : R) (PB : 1 <= pi_below <= PI) (PA : PI <= pi_above).
Definition all_weights (s : R) : R :=
  let direct := symmetric_sum (inf_div (inf_div 1 s) (dn (sqrt 2))) in
  let dual := symmetric_sum (inf_mul (inf_mul pi_above s) (up (sqrt 2))) in
  Rmax direct (dn (dn (s * dn (sqrt (2 * pi_below))) * dual)).
(** [gaussian]. *)
Definition gaussian_tail (s least : R) : R :=
  let '(weights, z) := terms 128 0 s least in
  let half := dn (z - / 2) in
  let from := if Rle_dec s half then half else dn (z - 1) in
  Rmin (inf_div (inf_add weights (integral s from)) (all_weights s)) 1.
(** [continuous_tail]. *)
Definition continuous_tail (s gap : R) : R := Rmin (inf_div (integral 1 (dn (gap / s))) (dn (sqrt (2 * pi_below)))) 1.

Variables (s : R) (Hs : 0 < s).
Let Hc : 0 < / (2 * (s * s)).
Proof. apply Rinv_0_lt_compat; nra. Qed.
Let c := / (2 * (s * s)).
Let e := / s.
Let He : 0 < e.
Proof. now apply Rinv_0_lt_compat. Qed.

Lemma div_nonneg x : 0 <= x -> 0 <= x / s.
Proof. intros; apply Rmult_le_pos; auto; left; exact He. Qed.
Lemma weight_ge z : 0 <= z -> hill 0 (z / s) <= weight s z.
Proof.
  intros Z; unfold weight; cbv zeta; pose proof (dn_le (z / s)); pose proof (dn_nonneg (z / s) (div_nonneg z Z)).
  eapply Rle_trans; [|apply up_ge]; unfold hill, bell; apply exp_le.
  pose proof (dn_le (dn (dn (z / s) * dn (z / s)) / 2)); pose proof (dn_le (dn (z / s) * dn (z / s))); nra.
Qed.

Lemma terms_sound n : forall w z m, 1 <= z <= m ->
  let '(w', z') := terms n w s z in w + values e n (m / s) <= w' /\ 1 <= z' <= m + INR n.
Proof.
  induction n; intros w z m H; cbn [terms]; [simpl; lra|].
  assert (H' : 1 <= dn (z + 1) <= m + 1).
  { split; [rewrite <- dn_1 at 1; apply dn_mono; lra|pose proof (dn_le (z + 1)); lra]. }
  specialize (IHn (inf_add w (weight s z)) _ (m + 1) H'); destruct (terms n (inf_add w (weight s z)) s (dn (z + 1))) as [w' z'].
  destruct IHn as [A B]; split; [|rewrite S_INR; lra].
  change (S n) with (1 + n)%nat; rewrite values_split; cbn [values]; rewrite Rplus_0_l.
  replace (m / s + INR 1 * e) with ((m + 1) / s) by (simpl; unfold e; field; lra).
  replace (m / s + INR 0 * e) with (m / s) by (simpl; ring).
  assert (W : hill 0 (m / s) <= weight s z).
  { eapply Rle_trans; [|apply weight_ge; lra]; unfold hill, bell; apply exp_le.
    assert (0 <= z / s <= m / s) by (split; [apply div_nonneg; lra|apply Rmult_le_compat_r; [left; exact He|lra]]); nra. }
  pose proof (inf_add_ge w w (hill 0 (m / s)) (weight s z) (Rle_refl _) W); lra.
Qed.
End Tail.

(** Sampford's bound, rounded. *)
Lemma integral_ge s from : 0 < s -> 0 <= from -> s * (whole * Phi (- (from / s))) <= integral s from.
Proof.
  intros Hs H; pose proof (div_nonneg s Hs from H) as Y; set (y := from / s) in *.
  pose proof (tail_sampford y Y) as T; pose proof (weight_ge s Hs from H) as W; fold y in W.
  unfold integral; cbv zeta; fold y; pose proof (dn_le y) as X1; pose proof (dn_nonneg y Y) as X0; set (x := dn y) in *.
  set (root := dn (sqrt (dn (dn (x * x) + 8)))); set (q := dn (dn (x * 3) + root)).
  pose proof (hill_pos 0 y) as H0.
  assert (R0 : 1 <= root).
  { unfold root; rewrite <- dn_1 at 1; apply dn_mono; rewrite <- sqrt_1; apply sqrt_le_1_alt.
    rewrite <- dn_1; apply dn_mono; pose proof (dn_nonneg (x * x) ltac:(nra)); lra. }
  assert (R1 : root <= sqrt (y * y + 8)).
  { unfold root; eapply Rle_trans; [apply dn_le|]; apply sqrt_le_1_alt.
    eapply Rle_trans; [apply dn_le|]; pose proof (dn_le (x * x)); nra. }
  assert (Q : 1 <= q <= 3 * y + sqrt (y * y + 8)).
  { split.
    - unfold q; rewrite <- dn_1 at 1; apply dn_mono; pose proof (dn_nonneg (x * 3) ltac:(lra)); lra.
    - unfold q; eapply Rle_trans; [apply dn_le|]; pose proof (dn_le (x * 3)); lra. }
  assert (M : 0 <= sampford y <= inf_div 4 q).
  { unfold sampford; split; [left; apply Rdiv_lt_0_compat; lra|].
    eapply Rle_trans; [|apply (inf_div_ge 4); lra]; unfold Rdiv; apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra]. }
  assert (V : 0 <= hill 0 y * s <= inf_mul (weight s from) s).
  { split; [apply Rmult_le_pos; lra|apply inf_mul_ge; lra]. }
  apply Rle_trans with (hill 0 y * s * sampford y); [|now apply inf_mul_ge].
  apply (Rmult_le_compat_l s) in T; lra.
Qed.

Section Denominator.
Variables (pi_below pi_above : R) (PB : 1 <= pi_below <= PI) (PA : PI <= pi_above).
Variables (s : R) (Hs : 0 < s).
Lemma symmetric_term_le r rho k : 0 <= rho <= r -> 0 <= k -> 0 <= symmetric_term r k <= 2 * exp (- ((k * rho) * (k * rho))).
Proof.
  intros H K; unfold symmetric_term; cbv zeta.
  assert (X : 0 <= rho * k <= inf_mul r k) by (split; [apply Rmult_le_pos; lra|apply inf_mul_ge; lra]).
  pose proof (inf_mul_ge _ _ _ _ X X) as X2; split.
  - apply dn_nonneg, Rmult_le_pos; [apply dn_nonneg; left; apply exp_pos|lra].
  - eapply Rle_trans; [apply dn_le|]; pose proof (dn_le (exp (- inf_mul (inf_mul r k) (inf_mul r k)))).
    assert (exp (- inf_mul (inf_mul r k) (inf_mul r k)) <= exp (- ((k * rho) * (k * rho)))) by (apply exp_le; lra); lra.
Qed.
Lemma symmetric_sum_le r rho : 0 <= rho <= r -> 1 <= symmetric_sum r <=
  1 + 2 * exp (- (rho * rho)) + 2 * exp (- ((2 * rho) * (2 * rho))) + 2 * exp (- ((3 * rho) * (3 * rho))).
Proof.
  intros H; pose proof (symmetric_term_le r rho 1 H ltac:(lra)) as T1; pose proof (symmetric_term_le r rho 2 H ltac:(lra)) as T2.
  pose proof (symmetric_term_le r rho 3 H ltac:(lra)) as T3; rewrite !Rmult_1_l in T1; unfold symmetric_sum.
  set (a := dn (1 + symmetric_term r 1)); set (b := dn (a + symmetric_term r 2)).
  assert (A : 1 <= a) by (unfold a; rewrite <- dn_1 at 1; apply dn_mono; lra).
  assert (B : 1 <= b) by (unfold b; rewrite <- dn_1 at 1; apply dn_mono; lra).
  pose proof (dn_le (1 + symmetric_term r 1)); pose proof (dn_le (a + symmetric_term r 2)); pose proof (dn_le (b + symmetric_term r 3)); fold a in H0; fold b in H1.
  split; [rewrite <- dn_1 at 1; apply dn_mono|]; lra.
Qed.

Lemma root_two_pi : 1 <= dn (sqrt (2 * pi_below)) <= whole.
Proof.
  split.
  - rewrite <- dn_1 at 1; apply dn_mono; rewrite <- sqrt_1; apply sqrt_le_1_alt; lra.
  - rewrite whole_value; eapply Rle_trans; [apply dn_le|]; apply sqrt_le_1_alt; lra.
Qed.

Let Hc : 0 < / (2 * (s * s)).
Proof. apply Rinv_0_lt_compat; nra. Qed.
Lemma four (f : nat -> R) : sum_n f 3 = f 0%nat + f 1%nat + f 2%nat + f 3%nat.
Proof. now rewrite !sum_Sn, sum_O. Qed.
Lemma all_weights_le : 1 <= all_weights pi_below pi_above s <= F (/ (2 * (s * s))) 0.
Proof.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra); assert (SS : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (D2 : 0 < dn (sqrt 2) <= sqrt 2).
  { split; [|apply dn_le]; apply Rlt_le_trans with 1; [lra|]; rewrite <- dn_1 at 1; apply dn_mono; rewrite <- sqrt_1; apply sqrt_le_1_alt; lra. }
  pose proof (up_ge (sqrt 2)) as U2; pose proof PI_RGT_0 as P0; assert (I : 0 < / s) by now apply Rinv_0_lt_compat.
  unfold all_weights; cbv zeta.
  assert (R1 : 0 <= / s / sqrt 2 <= inf_div (inf_div 1 s) (dn (sqrt 2))).
  { split; [left; now apply Rdiv_lt_0_compat|].
    apply Rle_trans with (/ s / dn (sqrt 2)); [unfold Rdiv; apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra]|].
    apply inf_div_ge; [|lra]; replace (/ s) with (1 / s) by (field; lra); apply inf_div_ge; lra. }
  assert (R2 : 0 <= PI * s * sqrt 2 <= inf_mul (inf_mul pi_above s) (up (sqrt 2))).
  { split; [apply Rmult_le_pos; [apply Rmult_le_pos|]; lra|]; apply inf_mul_ge; [split; [apply Rmult_le_pos; lra|apply inf_mul_ge; lra]|lra]. }
  apply symmetric_sum_le in R1, R2; destruct R1 as [A0 A1], R2 as [B0 B1].
  split; [eapply Rle_trans; [exact A0|apply Rmax_l]|apply Rmax_lub].
  - eapply Rle_trans; [exact A1|]; eapply Rle_trans; [|apply (Poisson.sums_below s Hc 0 3)].
    rewrite four; unfold fold2, ga; simpl Z.sub; simpl Z.of_nat.
    assert (G : forall k, exp (- ((k * (/ s / sqrt 2)) * (k * (/ s / sqrt 2)))) = exp (- (/ (2 * (s * s)) * (k - 0) ^ 2))).
    { intros k; do 2 f_equal; replace (k * (/ s / sqrt 2) * (k * (/ s / sqrt 2))) with (k * k * (/ s * / s) * / (sqrt 2 * sqrt 2)) by (field; lra).
      rewrite SS; field; lra. }
    assert (O : forall k, exp (- (/ (2 * (s * s)) * (- k - 0) ^ 2)) = exp (- (/ (2 * (s * s)) * (k - 0) ^ 2))) by (intros; do 3 f_equal; ring).
    pose proof (G 1) as G1; rewrite !Rmult_1_l in G1; rewrite G1, (G 2), (G 3).
    replace (IZR (-1)) with (- (1)) by (rewrite <- opp_IZR; reflexivity); replace (IZR (-2)) with (- (2)) by (rewrite <- opp_IZR; reflexivity).
    replace (IZR (-3)) with (- (3)) by (rewrite <- opp_IZR; reflexivity); rewrite !O.
    assert (Z0 : exp (- (/ (2 * (s * s)) * (0 - 0) ^ 2)) = 1) by (rewrite <- exp_0; f_equal; ring); rewrite Z0.
    pose proof (exp_pos (- (/ (2 * (s * s)) * (IZR (-4) - 0) ^ 2))); lra.
  - eapply Rle_trans; [|apply (Poisson.poisson s Hs Hc 3)].
    eapply Rle_trans; [apply dn_le|]; pose proof root_two_pi as [W0 W1].
    assert (E0 : 0 <= dn (s * dn (sqrt (2 * pi_below)))) by (apply dn_nonneg, Rmult_le_pos; lra).
    apply Rmult_le_compat; auto; try lra.
    + eapply Rle_trans; [apply dn_le|]; apply Rmult_le_compat_l; lra.
    + eapply Rle_trans; [exact B1|]; cbn [Poisson.spectrum]; unfold Poisson.mode; right.
      assert (M : forall k, exp (- (k * (PI * s * sqrt 2) * (k * (PI * s * sqrt 2)))) = exp (- (s * s * (k * (2 * PI) * (k * (2 * PI))) / 2))).
      { intros k; do 2 f_equal; replace (k * (PI * s * sqrt 2) * (k * (PI * s * sqrt 2))) with (k * k * PI * PI * s * s * (sqrt 2 * sqrt 2)) by ring.
        rewrite SS; field. }
      pose proof (M 1) as M1; rewrite !Rmult_1_l in M1; rewrite M1, (M 2), (M 3); simpl INR; rewrite !Rmult_1_l.
      replace (1 + 1) with 2 by ring; replace (2 + 1) with 3 by ring; ring.
Qed.
End Denominator.

(** The sum over integers from [m] on, in units of the deviation, as far as it is added up. *)
Section Reach.
Variables (pi_below pi_above : R) (PB : 1 <= pi_below <= PI) (PA : PI <= pi_above).
Variables (s : R) (Hs : 0 < s).
Let Hc : 0 < / (2 * (s * s)).
Proof. apply Rinv_0_lt_compat; nra. Qed.
Let c := / (2 * (s * s)).
Let tail := gaussian_tail pi_below pi_above s.

Lemma values_le least m n : 1 <= least <= m -> / F c 0 * values (/ s) n (m / s) <= inf_div
  (let '(weights, z) := terms 128 0 s least in inf_add weights (integral s (if Rle_dec s (dn (z - / 2)) then dn (z - / 2) else dn (z - 1))))
  (all_weights pi_below pi_above s).
Proof.
  intros H; assert (He : 0 < / s) by now apply Rinv_0_lt_compat.
  pose proof (terms_sound s Hs 128 0 least m H) as T; destruct (terms 128 0 s least) as [w z]; destruct T as [T1 T2].
  set (from := if Rle_dec s (dn (z - / 2)) then dn (z - / 2) else dn (z - 1)).
  destruct (all_weights_le pi_below pi_above PB PA s Hs) as [A1 A2]; fold c in A2; set (aw := all_weights pi_below pi_above s) in *.
  assert (F0 : 0 <= from /\ ((1 <= z / s - / s / 2 /\ from / s <= z / s - / s / 2) \/ (0 <= z / s - / s /\ from / s <= z / s - / s))).
  { unfold from; destruct (Rle_dec s (dn (z - / 2))) as [L|L].
    - pose proof (dn_le (z - / 2)); split; [lra|left].
      replace (z / s - / s / 2) with ((z - / 2) / s) by (field; lra); split; [|apply Rmult_le_compat_r; lra].
      replace 1 with (s / s) by (field; lra); apply Rmult_le_compat_r; lra.
    - pose proof (dn_le (z - 1)); split; [apply dn_nonneg; lra|right].
      replace (z / s - / s) with ((z - 1) / s) by (field; lra); split; [apply (div_nonneg s Hs); lra|apply Rmult_le_compat_r; lra]. }
  destruct F0 as [F0 F1].
  assert (V : values (/ s) n (m / s) <= inf_add w (integral s from)).
  { apply Rle_trans with (values (/ s) (128 + n) (m / s)).
    - rewrite Nat.add_comm, values_split; pose proof (values_nonneg (/ s) 128 (m / s + INR n * / s)); lra.
    - rewrite values_split; apply inf_add_ge; [lra|].
      apply Rle_trans with (values (/ s) n (z / s)).
      + apply values_falls; auto; replace (m / s + INR 128 * / s) with ((m + INR 128) / s) by (field; lra).
        split; [apply (div_nonneg s Hs); lra|apply Rmult_le_compat_r; lra].
      + eapply Rle_trans; [|apply (integral_ge s from Hs F0)].
        pose proof (values_tail (/ s) He n (z / s) (from / s) F1) as B; apply (Rmult_le_compat_l s) in B; [|lra].
        rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in B by lra; exact B. }
  eapply Rle_trans; [|apply (inf_div_ge _ _ aw V); lra].
  unfold Rdiv; rewrite Rmult_comm; apply Rmult_le_compat_l; [apply values_nonneg; auto|apply Rinv_le_contravar; lra].
Qed.

(** Discrete noise. *)
Theorem gaussian_reaches x T least : (1 <= T - x)%Z -> 1 <= least <= IZR (T - x) ->
  Ex (dgauss s Hs x) (fun y => ind (T <=? y)%Z) <= tail least <= 1.
Proof.
  intros M L; assert (P : 0 < F c 0) by (apply F_pos, Hc).
  split; [|unfold tail, gaussian_tail; destruct (terms 128 0 s least); apply Rmin_r].
  pose proof (Ex_unit (dgauss s Hs x) (fun y => ind (T <=? y)%Z) (ind_unit (fun y => (T <=? y)%Z))) as U.
  enough (B : Ex (dgauss s Hs x) (fun y => ind (T <=? y)%Z) <= inf_div
    (let '(weights, z) := terms 128 0 s least in inf_add weights (integral s (if Rle_dec s (dn (z - / 2)) then dn (z - / 2) else dn (z - 1))))
    (all_weights pi_below pi_above s)).
  { unfold tail, gaussian_tail; destruct (terms 128 0 s least) as [w z]; apply Rmin_glb; lra. }
  set (h j := / F c 0 * values (/ s) (Z.to_nat (j - T)) (IZR (T - x) / s)).
  assert (St : forall j, gmass s x j * ind (T <=? j)%Z = h (j + 1)%Z - h j).
  { intros j; unfold h; destruct (Z.leb_spec T j) as [J|J]; unfold ind.
    - replace (Z.to_nat (j + 1 - T)) with (S (Z.to_nat (j - T))) by lia; cbn [values].
      assert (E : IZR (T - x) / s + INR (Z.to_nat (j - T)) * / s = (IZR j - IZR x) / s).
      { rewrite INR_IZR_INZ, Z2Nat.id, !minus_IZR by lia; field; lra. }
      rewrite E; unfold gmass, ga; fold c; replace (hill 0 ((IZR j - IZR x) / s)) with (exp (- (c * (IZR j - IZR x) ^ 2))); [ring|].
      unfold hill, bell, c; f_equal; field; lra.
    - replace (Z.to_nat (j + 1 - T)) with O by lia; replace (Z.to_nat (j - T)) with O by lia; simpl; ring. }
  assert (H0 : forall j, 0 <= h j).
  { intros j; apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|apply values_nonneg; now apply Rinv_0_lt_compat]. }
  unfold dgauss; rewrite Ex_zdist; unfold ZS.
  assert (S : forall n, sum_n (fold2 (fun z => gmass s x z * ind (T <=? z)%Z)) n = h (Z.of_nat n + 1)%Z - h (-1 - Z.of_nat n)%Z).
  { induction n.
    - rewrite sum_O; unfold fold2; rewrite !St; replace (-1 - Z.of_nat 0 + 1)%Z with (Z.of_nat 0) by lia; simpl; ring.
    - rewrite sum_Sn, IHn; unfold plus; simpl plus; unfold fold2; rewrite !St.
      replace (-1 - Z.of_nat (S n) + 1)%Z with (-1 - Z.of_nat n)%Z by lia; replace (Z.of_nat (S n)) with (Z.of_nat n + 1)%Z by lia.
      match goal with |- ?a = ?b => change (@eq R a b) end.
      change (h (Z.of_nat n + 1)%Z - h (-1 - Z.of_nat n)%Z + (h (Z.of_nat n + 1 + 1)%Z - h (Z.of_nat n + 1)%Z + (h (-1 - Z.of_nat n)%Z - h (-1 - (Z.of_nat n + 1))%Z)) =
        h (Z.of_nat n + 1 + 1)%Z - h (-1 - (Z.of_nat n + 1))%Z); ring. }
  apply (series_bounded (fold2 (fun z => gmass s x z * ind (T <=? z)%Z))).
  - apply fold2_nonneg; intros z; apply Rmult_le_pos; [left; apply gmass_pos; auto|apply ind_unit].
  - intros n; rewrite S; pose proof (H0 (-1 - Z.of_nat n)%Z); pose proof (values_le least (IZR (T - x)) (Z.to_nat (Z.of_nat n + 1 - T)) L) as B.
    fold (h (Z.of_nat n + 1)%Z) in B; lra.
Qed.

(** Continuous noise, rounded to a grid, in steps of it: the deviation is [b]. *)
Theorem rounded_gaussian_reaches b (Hb : 0 < b) (Hcb : 0 < / (2 * (b * b))) J a :
  Ex (rounded_gaussian (/ (2 * (b * b))) Hcb a) (fun y => ind (J <=? y)%Z) <= Phi (- ((IZR J - / 2 - a) / b)).
Proof.
  set (h j := Rmax (Phi ((IZR j - / 2) / b - a / b)) (Phi ((IZR J - / 2) / b - a / b))).
  assert (I : 0 < / b) by now apply Rinv_0_lt_compat.
  assert (St : forall j, 0 <= gpm (/ (2 * (b * b))) Hcb a j * ind (J <=? j)%Z <= h (j + 1)%Z - h j).
  { intros j; pose proof (gpm_pos _ Hcb a j) as G; rewrite (gpm_Phi b Hb Hcb) in *; unfold h; rewrite plus_IZR.
    replace (IZR j + 1 - / 2) with (IZR j + / 2) by field.
    destruct (Z.leb_spec J j) as [L|L]; unfold ind.
    - apply IZR_le in L; assert (Phi ((IZR J - / 2) / b - a / b) <= Phi ((IZR j - / 2) / b - a / b)).
      { apply Phi_le; apply Rplus_le_compat_r, Rmult_le_compat_r; lra. }
      rewrite !Rmax_left by lra; lra.
    - rewrite Rmult_0_r; split; [lra|].
      pose proof (Rle_max_compat_r (Phi ((IZR j - / 2) / b - a / b)) (Phi ((IZR j + / 2) / b - a / b)) (Phi ((IZR J - / 2) / b - a / b)) ltac:(lra)); lra. }
  unfold rounded_gaussian; rewrite Ex_zdist; unfold ZS.
  assert (S : forall n, sum_n (fold2 (fun z => gpm (/ (2 * (b * b))) Hcb a z * ind (J <=? z)%Z)) n <= h (Z.of_nat n + 1)%Z - h (-1 - Z.of_nat n)%Z).
  { induction n.
    - rewrite sum_O; unfold fold2; pose proof (St (Z.of_nat 0)); pose proof (St (-1 - Z.of_nat 0)%Z).
      replace (-1 - Z.of_nat 0 + 1)%Z with (Z.of_nat 0) in * by lia; lra.
    - rewrite sum_Sn; match goal with |- plus ?x ?y <= ?z => change (x + y <= z) end; unfold fold2 at 2.
      pose proof (St (Z.of_nat (S n))); pose proof (St (-1 - Z.of_nat (S n))%Z).
      replace (-1 - Z.of_nat (S n) + 1)%Z with (-1 - Z.of_nat n)%Z in * by lia.
      replace (Z.of_nat (S n)) with (Z.of_nat n + 1)%Z in * by lia; lra. }
  apply (series_bounded (fold2 (fun z => gpm (/ (2 * (b * b))) Hcb a z * ind (J <=? z)%Z))).
  - apply fold2_nonneg; intros z; apply St.
  - intros n; eapply Rle_trans; [apply S|]; unfold h.
    rewrite Phi_opp; replace ((IZR J - / 2 - a) / b) with ((IZR J - / 2) / b - a / b) by (field; lra).
    pose proof (Rmax_r (Phi ((IZR (-1 - Z.of_nat n) - / 2) / b - a / b)) (Phi ((IZR J - / 2) / b - a / b))).
    assert (Rmax (Phi ((IZR (Z.of_nat n + 1) - / 2) / b - a / b)) (Phi ((IZR J - / 2) / b - a / b)) <= 1) by (apply Rmax_lub; apply Phi_le_one); lra.
Qed.

Theorem continuous_tail_ge gap : 0 <= gap -> Phi (- (gap / s)) <= continuous_tail pi_below s gap <= 1.
Proof.
  intros H; unfold continuous_tail; split; [|apply Rmin_r]; apply Rmin_glb; [|apply Phi_le_one].
  destruct (root_two_pi pi_below PB) as [R1 R2].
  set (root := dn (sqrt (2 * pi_below))) in *.
  pose proof (div_nonneg s Hs gap H) as G; pose proof (dn_le (gap / s)); pose proof (dn_nonneg _ G) as N.
  pose proof (integral_ge 1 (dn (gap / s)) ltac:(lra) N) as I; rewrite Rmult_1_l in I; unfold Rdiv in I at 1; rewrite Rinv_1, Rmult_1_r in I.
  pose proof whole_pos; apply Rle_trans with (whole * Phi (- (gap / s)) / root).
  - pose proof (Phi_range (- (gap / s))); apply Rmult_le_reg_r with root; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
  - apply inf_div_ge; [|lra]; eapply Rle_trans; [|exact I]; apply Rmult_le_compat_l; [lra|apply Phi_le; lra].
Qed.
End Reach.
