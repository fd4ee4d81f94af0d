(** Closed forms for Gaussian noise, by bounds on the tail of the normal law (the essay's Claim 9). *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Theta Normal GaussianIntegral Mills GaussianDivergence Measures Rounding categories GDP_to_approxDP.
From DP Require laplace_threshold.
Open Scope R_scope.

Definition inf_sub (x y : R) : R := up (x - y).

(** With noise of [u] deviations for what moves by 1: how far the loss reaches. *)
Definition distance (u epsilon : R) : R := epsilon * u - / (2 * u).

Lemma delta_below_tail u epsilon : 0 < u -> gaussian_delta (/ u) epsilon <= Phi (- distance u epsilon).
Proof.
  intros U; unfold gaussian_delta, distance; replace (/ u / 2 - epsilon / / u) with (- (epsilon * u - / (2 * u))) by (field; lra).
  pose proof (exp_pos epsilon); pose proof (Phi_range (- / u / 2 - epsilon / / u)).
  assert (0 <= exp epsilon * Phi (- / u / 2 - epsilon / / u)) by (apply Rmult_le_pos; lra); lra.
Qed.
Lemma first_tail t T del : 0 <= T <= t -> exp (- (T * T / 2)) <= del -> Phi (- t) <= del.
Proof.
  intros H D; pose proof (tail_of_hill t ltac:(lra)); pose proof (exp_pos (- (T * T / 2))).
  assert (exp (- (t * t / 2)) <= exp (- (T * T / 2))) by (apply exp_le; nra); lra.
Qed.
Lemma second_tail t T del : 1 <= T <= t -> exp (- (T * T / 2)) / sqrt (2 * PI) <= del -> Phi (- t) <= del.
Proof.
  intros H D; eapply Rle_trans; [|exact D]; rewrite <- whole_value; pose proof whole_pos as W; pose proof (hill_pos 0 t) as P.
  assert (M : mills t <= 1).
  { eapply Rle_trans; [apply mills_le; lra|]; apply Rmult_le_reg_r with (t * (t * t + 3)); [assert (0 < t * t + 3) by nra; apply Rmult_lt_0_compat; lra|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l by (assert (0 < t * (t * t + 3)) by (apply Rmult_lt_0_compat; nra); lra); nra. }
  assert (E : whole * Phi (- t) = mills t * hill 0 t) by (unfold mills; field; lra).
  assert (T2 : hill 0 t <= exp (- (T * T / 2))) by (unfold hill, RoundedGaussian.bell; apply exp_le; nra).
  apply Rmult_le_reg_l with whole; auto; rewrite E; replace (whole * (exp (- (T * T / 2)) / whole)) with (exp (- (T * T / 2))) by (field; lra); nra.
Qed.

(** [gaussian_delta]: (6.8). *)
Definition gaussian_delta_bound (epsilon scale sensitivity : R) : R :=
  if Req_EM_T sensitivity 0 then 0 else if Req_EM_T epsilon 0 then 1 else
  let shift := inf_div (inf_div sensitivity scale) 2 in
  let far := dn (epsilon * dn (scale / sensitivity)) in
  if Rle_dec far shift then 1 else let t := dn (far - shift) in up (exp (- dn (dn (t * t) / 2))).
Theorem gaussian_delta_bound_sound {Y} epsilon scale sensitivity mu (P Q : dist Y) :
  0 <= epsilon -> 0 < scale -> 0 <= sensitivity -> 0 <= mu <= sensitivity / scale -> gaussian_divergence mu P Q ->
  let delta := gaussian_delta_bound epsilon scale sensitivity in close epsilon delta P Q /\ close epsilon delta Q P.
Proof.
  intros E Sc Se M G; unfold gaussian_delta_bound; cbv zeta.
  assert (One : forall P Q : dist Y, close epsilon 1 P Q).
  { intros P' Q' f F; pose proof (Ex_unit P' f F); pose proof (Ex_unit Q' f F); pose proof (exp_pos epsilon); nra. }
  destruct (Req_EM_T sensitivity 0) as [Z|N].
  { subst; assert (mu = 0) by (unfold Rdiv in M; lra); subst; now apply make_GDP_to_approxDP_zero. }
  destruct (Req_EM_T epsilon 0) as [_|E0]; [auto|].
  set (shift := inf_div (inf_div sensitivity scale) 2); set (far := dn (epsilon * dn (scale / sensitivity))).
  destruct (Rle_dec far shift) as [_|L]; [auto|]; set (t := dn (far - shift)); set (u := scale / sensitivity).
  assert (U : 0 < u) by (apply Rdiv_lt_0_compat; lra); assert (IU : / u = sensitivity / scale) by (unfold u; field; lra).
  assert (F1 : far <= epsilon * u).
  { unfold far; eapply Rle_trans; [apply dn_le|]; apply Rmult_le_compat_l; auto; apply dn_le. }
  assert (F2 : / (2 * u) <= shift).
  { unfold shift; replace (/ (2 * u)) with (sensitivity / scale / 2) by (unfold u; field; lra).
    apply inf_div_ge; [apply inf_div_ge|]; lra. }
  assert (T : 0 <= t <= distance u epsilon).
  { split; [apply laplace_threshold.dn_nonneg; lra|unfold t, distance; pose proof (dn_le (far - shift)); lra]. }
  assert (D : gaussian_delta (/ u) epsilon <= up (exp (- dn (dn (t * t) / 2)))).
  { eapply Rle_trans; [now apply delta_below_tail|]; apply first_tail with t; auto.
    eapply Rle_trans; [|apply up_ge]; apply exp_le; pose proof (dn_le (dn (t * t) / 2)); pose proof (dn_le (t * t)); lra. }
  destruct G as [PQ QP]; split; (eapply close_mono; [apply Rle_refl|exact D|]); apply no_easier_close;
    try (now apply Rinv_0_lt_compat); apply no_easier_mono with mu; auto; lra.
Qed.

(** Claim 9, on real numbers: a scale from which on the loss reaches [T]. *)
Lemma by_sum u epsilon T : 0 < epsilon -> 0 <= T -> T / epsilon + / sqrt (2 * epsilon) <= u -> T <= distance u epsilon.
Proof.
  intros E H U; assert (R : 0 < sqrt (2 * epsilon)) by (apply sqrt_lt_R0; lra); set (r := sqrt (2 * epsilon)) in *.
  assert (RR : r * r = 2 * epsilon) by (apply sqrt_sqrt; lra); assert (I : 0 < / r) by now apply Rinv_0_lt_compat.
  assert (Ti : 0 <= T / epsilon) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  assert (A : T + r / 2 <= epsilon * u).
  { apply Rle_trans with (epsilon * (T / epsilon + / r)); [|apply Rmult_le_compat_l; lra].
    right; replace (epsilon * (T / epsilon + / r)) with (T + epsilon * / r) by (field; lra).
    replace epsilon with (r * r / 2) by lra; field; lra. }
  assert (B : / (2 * u) <= r / 2).
  { replace (r / 2) with (/ (2 * / r)) by (field; lra); apply Rinv_le_contravar; lra. }
  unfold distance; lra.
Qed.
Lemma by_root u epsilon T : 0 < epsilon -> 0 <= T -> sqrt (epsilon + T * T) / epsilon <= u -> T <= distance u epsilon.
Proof.
  intros E H U; assert (R : 0 < sqrt (epsilon + T * T)) by (apply sqrt_lt_R0; nra); set (r := sqrt (epsilon + T * T)) in *.
  assert (RR : r * r = epsilon + T * T) by (apply sqrt_sqrt; nra).
  assert (A : r <= epsilon * u).
  { replace r with (epsilon * (r / epsilon)) by (field; lra); apply Rmult_le_compat_l; lra. }
  assert (P : 0 < r / epsilon) by (apply Rdiv_lt_0_compat; lra).
  assert (B : / (2 * u) <= epsilon / (2 * r)).
  { replace (epsilon / (2 * r)) with (/ (2 * (r / epsilon))) by (field; lra); apply Rinv_le_contravar; lra. }
  assert (C : T <= r - epsilon / (2 * r)).
  { apply Rmult_le_reg_r with (2 * r); [lra|]; replace ((r - epsilon / (2 * r)) * (2 * r)) with (2 * (r * r) - epsilon) by (field; lra).
    rewrite RR; assert (0 <= (r - T) * (r - T)) by nra; nra. }
  unfold distance; lra.
Qed.

(** [gaussian_scale]: [l] is not below [ln (1 / delta)], and [k], 1.837877066 in the code, not above [ln (2 PI)]. *)
Inductive gaussian_bound := Sum | SumSharp | Root | RootSharp.
Definition sum (deviations epsilon : R) : R := inf_add (inf_div deviations epsilon) (inf_div 1 (dn (sqrt (dn (epsilon * 2))))).
Definition units (k l epsilon : R) (bound : gaussian_bound) : R :=
  let twice := inf_mul l 2 in
  let sharp := inf_sub twice k in
  match bound with
  | Sum => sum (inf_sqrt twice) epsilon
  | SumSharp => sum (inf_sqrt (Rmax sharp 1)) epsilon
  | Root => inf_div (inf_sqrt (inf_add epsilon twice)) epsilon
  | RootSharp => inf_div (inf_sqrt (Rmax (inf_add epsilon 1) (inf_add epsilon sharp))) epsilon
  end.
Definition gaussian_scale (k l epsilon sensitivity : R) (bound : gaussian_bound) : R :=
  if Req_EM_T sensitivity 0 then 0 else inf_mul (units k l epsilon bound) sensitivity.

Lemma sum_ge deviations epsilon T : 0 < epsilon -> 0 <= T <= deviations -> 0 < dn (sqrt (dn (epsilon * 2))) ->
  T / epsilon + / sqrt (2 * epsilon) <= sum deviations epsilon.
Proof.
  intros E H D; apply inf_add_ge; [apply inf_div_ge; lra|].
  apply Rle_trans with (1 / dn (sqrt (dn (epsilon * 2)))); [|apply inf_div_ge; lra].
  unfold Rdiv; rewrite Rmult_1_l; apply Rinv_le_contravar; auto.
  eapply Rle_trans; [apply dn_le|]; apply sqrt_le_1_alt; pose proof (dn_le (epsilon * 2)); lra.
Qed.
Lemma sqrt_of_square x T : 0 <= T -> T * T <= x -> T <= inf_sqrt x.
Proof.
  intros H S; unfold inf_sqrt; eapply Rle_trans; [|apply up_ge]; rewrite <- (sqrt_square T) by auto; now apply sqrt_le_1_alt.
Qed.

Theorem units_do k l epsilon delta bound : 0 < epsilon -> 0 < delta <= 1 -> ln (/ delta) <= l -> k <= ln (2 * PI) ->
  0 < dn (sqrt (dn (epsilon * 2))) -> forall u, units k l epsilon bound <= u -> 0 < u -> gaussian_delta (/ u) epsilon <= delta.
Proof.
  intros E D L K R u U Pu; eapply Rle_trans; [now apply delta_below_tail|].
  assert (D0 : 0 <= ln (/ delta)).
  { rewrite ln_Rinv by lra; assert (ln delta <= ln 1); [destruct (proj2 D) as [X| ->]; [left; now apply ln_increasing|lra]|rewrite ln_1 in *; lra]. }
  set (twice := inf_mul l 2) in *; assert (W : 2 * ln (/ delta) <= twice) by (unfold twice, inf_mul; pose proof (up_ge (l * 2)); lra).
  set (sharp := inf_sub twice k); assert (S : 2 * ln (/ delta) - ln (2 * PI) <= sharp) by (unfold sharp, inf_sub; pose proof (up_ge (twice - k)); lra).
  set (T1 := sqrt (2 * ln (/ delta))); assert (P1 : 0 <= T1) by apply sqrt_pos; assert (Q1 : T1 * T1 = 2 * ln (/ delta)) by (apply sqrt_sqrt; lra).
  assert (Z1 : exp (- (T1 * T1 / 2)) <= delta).
  { rewrite Q1, ln_Rinv by lra; replace (- (2 * - ln delta / 2)) with (ln delta) by field; rewrite exp_ln; lra. }
  set (T2 := sqrt (Rmax (2 * ln (/ delta) - ln (2 * PI)) 1)); pose proof (Rmax_r (2 * ln (/ delta) - ln (2 * PI)) 1) as M1.
  assert (Q2 : T2 * T2 = Rmax (2 * ln (/ delta) - ln (2 * PI)) 1) by (apply sqrt_sqrt; lra).
  assert (P2 : 1 <= T2) by (unfold T2; rewrite <- sqrt_1 at 1; now apply sqrt_le_1_alt).
  assert (Z2 : exp (- (T2 * T2 / 2)) / sqrt (2 * PI) <= delta).
  { pose proof PI_RGT_0 as PP; assert (H0 : 0 < sqrt (2 * PI)) by (apply sqrt_lt_R0; lra).
    apply Rmult_le_reg_r with (sqrt (2 * PI)); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite <- (exp_ln (delta * sqrt (2 * PI))) by (apply Rmult_lt_0_compat; lra); apply exp_le.
    rewrite ln_mult by lra; assert (LS : ln (sqrt (2 * PI)) = ln (2 * PI) / 2).
    { rewrite <- (sqrt_sqrt (2 * PI)) at 2 by lra; rewrite ln_mult by lra; field. }
    rewrite LS, Q2; pose proof (Rmax_l (2 * ln (/ delta) - ln (2 * PI)) 1); rewrite ln_Rinv in * by lra; lra. }
  assert (M2 : T2 * T2 <= Rmax sharp 1) by (rewrite Q2; apply Rle_max_compat_r; auto).
  destruct bound; cbn [units] in U; fold twice in U; fold sharp in U.
  - apply first_tail with T1; auto; split; auto; apply by_sum; auto; eapply Rle_trans; [|exact U].
    apply sum_ge; auto; split; auto; apply sqrt_of_square; auto; lra.
  - apply second_tail with T2; auto; split; auto; apply by_sum; try lra; eapply Rle_trans; [|exact U].
    apply sum_ge; auto; split; [lra|]; apply sqrt_of_square; lra.
  - apply first_tail with T1; auto; split; auto; apply by_root; auto; eapply Rle_trans; [|exact U].
    apply inf_div_ge; auto; eapply Rle_trans; [apply sqrt_le_1_alt|apply up_ge]; apply inf_add_ge; lra.
  - apply second_tail with T2; auto; split; auto; apply by_root; try lra; eapply Rle_trans; [|exact U].
    apply inf_div_ge; auto; eapply Rle_trans; [apply sqrt_le_1_alt|apply up_ge]; unfold inf_add.
    pose proof (up_ge (epsilon + 1)); pose proof (up_ge (epsilon + sharp)); unfold Rmax in M2 at 1; destruct (Rle_dec sharp 1).
    + eapply Rle_trans; [|apply Rmax_l]; lra.
    + eapply Rle_trans; [|apply Rmax_r]; lra.
Qed.

Theorem gaussian_scale_sound {Y} k l epsilon delta sensitivity bound mu (P Q : dist Y) :
  0 < epsilon -> 0 < delta <= 1 -> ln (/ delta) <= l -> k <= ln (2 * PI) -> 0 < dn (sqrt (dn (epsilon * 2))) -> 0 <= sensitivity ->
  let scale := gaussian_scale k l epsilon sensitivity bound in
  (sensitivity = 0 -> mu = 0) -> (0 < sensitivity -> 0 <= mu <= sensitivity / scale) -> gaussian_divergence mu P Q ->
  close epsilon delta P Q /\ close epsilon delta Q P.
Proof.
  intros E D L K R S scale Z M G; destruct (Req_dec sensitivity 0) as [S0|S0].
  - rewrite (Z S0) in G; pose proof (make_GDP_to_approxDP_zero P Q G epsilon ltac:(lra)) as [A B].
    split; (eapply close_mono; [apply Rle_refl| |eassumption]); lra.
  - specialize (M ltac:(lra)); unfold scale, gaussian_scale in M; destruct (Req_EM_T sensitivity 0) as [|_]; [contradiction|].
    set (v := units k l epsilon bound) in *; assert (V : v * sensitivity <= inf_mul v sensitivity) by apply up_ge.
    set (sc := inf_mul v sensitivity) in *.
    destruct (Rle_dec mu 0) as [M0|M0].
    + replace mu with 0 in G by lra; pose proof (make_GDP_to_approxDP_zero P Q G epsilon ltac:(lra)) as [A B].
      split; (eapply close_mono; [apply Rle_refl| |eassumption]); lra.
    + assert (Sc : 0 < sc).
      { apply Rnot_le_lt; intros N; assert (sensitivity / sc <= 0); [|lra].
        destruct (Req_dec sc 0) as [->|N0]; [unfold Rdiv; rewrite Rinv_0; lra|].
        assert (/ sc < 0) by (apply Rinv_lt_0_compat; lra); unfold Rdiv; nra. }
      set (u := / mu); assert (U : 0 < u) by (apply Rinv_0_lt_compat; lra).
      assert (VU : v <= u).
      { apply Rle_trans with (sc / sensitivity).
        - apply Rmult_le_reg_r with sensitivity; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; exact V.
        - unfold u; replace (sc / sensitivity) with (/ (sensitivity / sc)) by (field; lra); apply Rinv_le_contravar; lra. }
      pose proof (units_do k l epsilon delta bound E D L K R u VU U) as B; unfold u in B; rewrite Rinv_inv in B.
      destruct G as [PQ QP]; split; (eapply close_mono; [apply Rle_refl|exact B|]); apply no_easier_close; auto; lra.
Qed.
