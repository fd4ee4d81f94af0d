(** [make_snapping]: Laplace noise computed in floats, rounded to a grid and clamped, with every error of the arithmetic. *)
Require Import Reals Lra Psatz Lia ZArith Bool.
From Flocq Require Import Core.Core Relative.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Finite Countable DiscreteLaplace Rounding RoundedLaplace.
Open Scope R_scope.

(** Floats of 53 bits without a least exponent, rounded to the nearest. *)
Definition is_float (x : R) : Prop := generic_format radix2 (FLX_exp 53) x.
Definition rd (x : R) : R := round radix2 (FLX_exp 53) ZnearestE x.
Definition eta : R := bpow radix2 (-53).

Lemma eta_small : 0 < eta <= / 1000000000.
Proof. unfold eta; split; [apply bpow_gt_0|]; replace (bpow radix2 (-53)) with (/ IZR (2 ^ 53)) by reflexivity; apply Rinv_le_contravar; [lra|apply IZR_le; lia]. Qed.
Lemma half_ulp : / 2 * bpow radix2 (-53 + 1) = eta.
Proof. unfold eta; change (-53 + 1)%Z with (1 + -53)%Z; rewrite bpow_plus; change (bpow radix2 1) with 2; lra. Qed.
Lemma rd_error x : Rabs (rd x - x) <= eta * Rabs x.
Proof. rewrite <- half_ulp; apply (relative_error_N_FLX radix2 53 eq_refl). Qed.
Lemma rd_error_round x : Rabs (rd x - x) <= eta * Rabs (rd x).
Proof. rewrite <- half_ulp; apply (relative_error_N_FLX_round radix2 53 eq_refl). Qed.
Lemma rd_le x y : x <= y -> rd x <= rd y.
Proof. apply round_le; auto with typeclass_instances. Qed.
Lemma rd_float x : is_float x -> rd x = x.
Proof. apply round_generic; auto with typeclass_instances. Qed.
Lemma rd_opp x : rd (- x) = - rd x.
Proof. apply round_NE_opp. Qed.

(** Floats next to a real number. *)
Definition tiny : R := bpow radix2 (-70).
Lemma tiny_small : 0 < tiny <= eta / 100000.
Proof.
  unfold tiny, eta; split; [apply bpow_gt_0|]; change (-70)%Z with (-17 + -53)%Z; rewrite bpow_plus.
  pose proof (bpow_gt_0 radix2 (-53)); replace (bpow radix2 (-17)) with (/ IZR (2 ^ 17)) by reflexivity; simpl; lra.
Qed.
Lemma bpow52 : bpow radix2 (-53 + 1) = 2 * eta.
Proof. pose proof half_ulp; lra. Qed.
Lemma float_error rnd {V : Valid_rnd rnd} x : 0 < x -> Rabs (round radix2 (FLX_exp 53) rnd x - x) < 2 * eta * x.
Proof.
  intros H; pose proof (relative_error_FLX radix2 53 eq_refl rnd x ltac:(lra)) as E; rewrite <- bpow52.
  now rewrite (Rabs_pos_eq x) in E by lra.
Qed.
Lemma float_above w : 0 < w -> exists f, is_float f /\ w < f <= w * exp (2.0002 * eta).
Proof.
  intros Hw; pose proof eta_small; pose proof tiny_small; set (v := w * (1 + tiny)).
  assert (Hv : 0 < v) by (unfold v; nra).
  exists (round radix2 (FLX_exp 53) Zceil v); split; [apply generic_format_round; auto with typeclass_instances|].
  destruct (round_UP_pt radix2 (FLX_exp 53) v) as (_ & U & _).
  split; [unfold v in *; nra|].
  pose proof (float_error Zceil v Hv) as E.
  rewrite Rabs_pos_eq in E by lra; pose proof (exp_ineq1_le (2.0002 * eta)).
  assert (v * (1 + 2 * eta) <= w * exp (2.0002 * eta)); [|lra]; unfold v; rewrite Rmult_assoc; apply Rmult_le_compat_l; [lra|].
  nra.
Qed.
Lemma float_below w : 0 < w -> exists f, is_float f /\ w * exp (- (2.0002 * eta)) <= f <= w /\ 0 <= f.
Proof.
  intros Hw; pose proof eta_small; exists (round radix2 (FLX_exp 53) Zfloor w); split; [apply generic_format_round; auto with typeclass_instances|].
  destruct (round_DN_pt radix2 (FLX_exp 53) w) as (_ & D & _).
  pose proof (float_error Zfloor w Hw) as E.
  rewrite Rabs_left1 in E by lra.
  assert (X : exp (- (2.0002 * eta)) <= 1 - 2 * eta).
  { rewrite exp_Ropp; pose proof (exp_ineq1_le (2.0002 * eta)); pose proof (exp_pos (2.0002 * eta)).
    apply Rmult_le_reg_l with (exp (2.0002 * eta)); auto; rewrite Rinv_r by lra; nra. }
  repeat split; auto; nra.
Qed.

Section Snapping.
(** [U] is a float in (0, 1) with the probability of its last place: below a float [f] with probability [f]. *)
Context {T : Type} (U : dist T) (val : T -> R).
Hypothesis range : forall t, 0 < val t < 1.
Hypothesis uniform : forall f, is_float f -> 0 <= f <= 1 -> Pr U (fun t => if Rlt_dec (val t) f then true else false) = f.

(** The scale, the bound, and the grid: the least power of two that is not less than the scale. *)
Variables (lam B : R) (g : Z).
Let G := bpow radix2 g.
Hypotheses (Hlam : 0 < lam) (HB : lam < B < IZR (2 ^ 46) * lam) (HG : lam <= G < 2 * lam).
Let beta := B / lam.

(** [snap]: each operation rounded; then the multiple of the grid that is nearest. *)
Definition noise (t : T) : R := rd (lam * rd (ln (val t))).
Definition steps (x : R) (negative : bool) (t : T) : Z := Zfloor (rd (x + (if negative then - noise t else noise t)) / G + / 2).
Definition ends : Z := Zceil (B / G).
Definition clamp (v : R) : R := Rmax (- B) (Rmin B v).
Definition snap (x : R) (negative : bool) (t : T) : R := clamp (G * IZR (steps x negative t)).
Lemma fair : 0 <= / 2 <= 1. Proof. lra. Qed.
Definition snapped (x : R) : dist R := bind (bernoulli (/ 2) fair) (fun negative => dmap (snap x negative) U).

(** It is a function of the steps, clamped. *)
Definition index (x : R) (negative : bool) (t : T) : Z := Z.max (- ends) (Z.min ends (steps x negative t)).
Definition indices (x : R) : dist Z := bind (bernoulli (/ 2) fair) (fun negative => dmap (index x negative) U).

Lemma G_pos : 0 < G. Proof. apply bpow_gt_0. Qed.
Lemma ends_pos : (1 <= ends)%Z.
Proof.
  unfold ends; pose proof G_pos; assert (0 < B / G) by (apply Rdiv_lt_0_compat; lra).
  pose proof (Zceil_ub (B / G)); assert (L : IZR 0 < IZR (Zceil (B / G))) by lra; apply lt_IZR in L; lia.
Qed.
Lemma ends_bounds : B <= G * IZR ends /\ G * (IZR ends - 1) < B.
Proof.
  unfold ends; pose proof G_pos; pose proof (Zceil_ub (B / G)); pose proof (Zceil_lb (B / G)).
  assert (E : G * (B / G) = B) by (field; lra).
  split; [rewrite <- E at 1; apply Rmult_le_compat_l; lra|rewrite <- E at 2; apply Rmult_lt_compat_l; lra].
Qed.
Lemma snap_index x s t : snap x s t = clamp (G * IZR (index x s t)).
Proof.
  unfold snap, index; set (k := steps x s t); pose proof G_pos; destruct ends_bounds as [E _]; pose proof ends_pos.
  destruct (Z.le_ge_cases k ends) as [L|L]; [rewrite Z.min_r by lia; destruct (Z.le_ge_cases (- ends) k) as [L'|L']|rewrite Z.min_l by lia].
  - now rewrite Z.max_r by lia.
  - rewrite Z.max_l by lia; apply IZR_le in L'; rewrite opp_IZR in *.
    assert (G * IZR k <= G * - IZR ends) by (apply Rmult_le_compat_l; lra).
    unfold clamp; rewrite !Rmin_right, !Rmax_left by lra; auto.
  - rewrite Z.max_r by lia; apply IZR_le in L.
    assert (G * IZR ends <= G * IZR k) by (apply Rmult_le_compat_l; lra).
    unfold clamp; rewrite !Rmin_left by lra; auto.
Qed.

(** Boundaries: half a step below each multiple.  They are floats. *)
Definition c (k : Z) : R := (IZR k - / 2) * G.
Lemma steps_ge x s t k : (k <= steps x s t)%Z <-> c k <= rd (x + (if s then - noise t else noise t)).
Proof.
  unfold steps, c; pose proof G_pos; set (v := rd _).
  assert (E : v = v / G * G) by (field; lra).
  split; intros L.
  - apply IZR_le in L; pose proof (Zfloor_lb (v / G + / 2)); rewrite E; apply Rmult_le_compat_r; lra.
  - apply Zfloor_lub; rewrite E in L; apply Rmult_le_reg_r in L; lra.
Qed.
Lemma c_float k : (- ends < k <= ends)%Z -> is_float (c k).
Proof.
  intros Hk; apply generic_format_FLX; exists (Float radix2 (2 * k - 1) (g - 1)); unfold F2R; cbn [Fnum Fexp].
  - unfold c, G; rewrite minus_IZR, mult_IZR; unfold Zminus; rewrite bpow_plus; change (bpow radix2 (- (1))) with (/ 2); field.
  - assert (Le : (ends <= 2 ^ 46)%Z).
    { unfold ends; apply Zceil_glb; pose proof G_pos; apply Rmult_le_reg_r with G; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      assert (IZR (2 ^ 46) * lam <= IZR (2 ^ 46) * G) by (apply Rmult_le_compat_l; [apply IZR_le; lia|lra]); lra. }
    change (radix2 ^ 53)%Z with (2 ^ 53)%Z; lia.
Qed.
Lemma c_bound k : (- ends < k <= ends)%Z -> Rabs (c k) <= B + lam.
Proof.
  intros [L1 L2]; pose proof G_pos; destruct ends_bounds as [_ E]; unfold c; apply Rabs_le.
  apply IZR_le in L2; assert (L1' : IZR (- ends + 1) <= IZR k) by (apply IZR_le; lia); rewrite plus_IZR, opp_IZR in L1'.
  assert ((IZR k - / 2) * G <= (IZR ends - / 2) * G) by (apply Rmult_le_compat_r; lra).
  assert ((- IZR ends + 1 - / 2) * G <= (IZR k - / 2) * G) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** The size of the noise, and how well it is computed. *)
Definition size (t : T) : R := - noise t.
Definition l (t : T) : R := - ln (val t).
Lemma l_pos t : 0 < l t.
Proof. unfold l; pose proof (range t); rewrite <- ln_1; apply Ropp_lt_cancel; rewrite Ropp_involutive; pose proof (ln_increasing (val t) 1); rewrite ln_1 in *; lra. Qed.
Lemma size_is t : size t = rd (lam * rd (l t)).
Proof. unfold size, noise, l; rewrite <- rd_opp; f_equal; rewrite rd_opp; ring. Qed.
Lemma size_bounds t : lam * l t * (1 - eta) ^ 2 <= size t <= lam * l t * (1 + eta) ^ 2.
Proof.
  rewrite size_is; pose proof eta_small; pose proof (l_pos t) as P.
  pose proof (rd_error (l t)) as E1; rewrite (Rabs_pos_eq (l t)) in E1 by lra; apply Rabs_le_inv in E1.
  set (m := rd (l t)) in *; assert (M : l t * (1 - eta) <= m <= l t * (1 + eta)) by lra.
  assert (Hm : 0 <= m) by nra.
  pose proof (rd_error (lam * m)) as E2; rewrite (Rabs_pos_eq (lam * m)) in E2 by nra; apply Rabs_le_inv in E2.
  set (s := rd (lam * m)) in *.
  assert (lam * (l t * (1 - eta)) <= lam * m) by (apply Rmult_le_compat_l; lra).
  assert (lam * m <= lam * (l t * (1 + eta))) by (apply Rmult_le_compat_l; lra).
  split; nra.
Qed.
Lemma size_nonneg t : 0 <= size t.
Proof. pose proof (size_bounds t); pose proof (l_pos t); pose proof eta_small; assert (0 <= lam * l t * (1 - eta) ^ 2); [|lra]. apply Rmult_le_pos; [nra|apply pow2_ge_0]. Qed.

(** At a boundary the ideal tail is [a / 2] or [1 - a / 2]; the exponent's error is at most [E]. *)
Definition a (x : R) (k : Z) : R := exp (- (Rabs (c k - x) / lam)).
Definition E : R := eta * (5.05 * beta + 5.05).
Lemma beta_is : B = beta * lam.
Proof. unfold beta; field; lra. Qed.
Lemma beta_ge : 1 < beta.
Proof. unfold beta; apply Rmult_lt_reg_r with lam; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. Qed.

Section Boundary.
Variables (x : R) (k : Z).
Hypotheses (Fx : is_float x) (Bx : Rabs x <= B) (Hk : (- ends < k <= ends)%Z).
Let D := Rabs (c k - x) / lam.
Let C := Rabs (c k) / lam.

Lemma D_bound : 0 <= D <= 2 * beta + 1.
Proof.
  unfold D; split; [apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat]|].
  apply Rmult_le_reg_r with lam; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  pose proof (c_bound k Hk); pose proof (Rabs_triang (c k) (- x)) as Tr; rewrite Rabs_Ropp in Tr; unfold Rminus; pose proof beta_is; lra.
Qed.
Lemma C_bound : 0 <= C <= beta + 1.
Proof.
  unfold C; split; [apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat]|].
  apply Rmult_le_reg_r with lam; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  pose proof (c_bound k Hk); pose proof beta_is; lra.
Qed.

(** Numbers [u] with [l] at least, at most so much. *)
Lemma prob_le (S : T -> bool) : (forall t, S t = true -> (D - eta * C) / (1 + eta) ^ 2 <= l t) -> Pr U S <= exp (- D) * exp E.
Proof.
  intros H; pose proof eta_small; pose proof D_bound; pose proof C_bound; pose proof beta_ge.
  set (w := exp (- ((D - eta * C) / (1 + eta) ^ 2))).
  destruct (float_above w (exp_pos _)) as (f & Ff & L1 & L2).
  assert (X : Pr U S <= f).
  { destruct (Rle_dec f 1) as [F1|F1]; [|pose proof (Ex_unit U (fun t => ind (S t)) (ind_unit S)); unfold Pr; lra].
    rewrite <- (uniform f Ff) by (pose proof (exp_pos (- ((D - eta * C) / (1 + eta) ^ 2)) : 0 < w); lra).
    unfold Pr; apply Ex_le; try (apply Int_bounded; auto with dp); intros t; unfold ind; destruct (S t) eqn:St; [|destruct (Rlt_dec (val t) f); lra].
    destruct (Rlt_dec (val t) f) as [|N]; [lra|exfalso; apply N]; apply Rle_lt_trans with w; auto.
    specialize (H t St); unfold l in H; rewrite <- (exp_ln (val t)) by apply range; unfold w.
    apply Ropp_le_contravar in H; rewrite Ropp_involutive in H; destruct H as [H|H]; [left; now apply exp_increasing|rewrite H; lra]. }
  eapply Rle_trans; [exact X|]; eapply Rle_trans; [exact L2|]; unfold w; rewrite <- !exp_plus.
  assert (Y : - ((D - eta * C) / (1 + eta) ^ 2) + 2.0002 * eta <= - D + E).
  { assert (P : 0 < (1 + eta) ^ 2) by nra; assert (I : / (1 + eta) ^ 2 <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; nra).
    assert (I' : 1 - 2 * eta <= / (1 + eta) ^ 2).
    { apply Rmult_le_reg_r with ((1 + eta) ^ 2); auto; rewrite Rinv_l by lra; nra. }
    pose proof (Rinv_0_lt_compat _ P); unfold Rdiv; set (i := / (1 + eta) ^ 2) in *; unfold E.
    assert (D * (1 - 2 * eta) <= D * i) by (apply Rmult_le_compat_l; lra).
    assert (eta * C * i <= eta * C * 1) by (apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra).
    assert (eta * (2 * D + C + 2.0002) <= eta * (5.05 * beta + 5.05)) by (apply Rmult_le_compat_l; lra). nra. }
  destruct Y as [Y|Y]; [left; now apply exp_increasing|rewrite Y; lra].
Qed.
Lemma prob_ge (S : T -> bool) : (forall t, S t = false -> l t <= (D + eta * C) / (1 - eta) ^ 2) -> exp (- D) * exp (- E) <= Pr U S.
Proof.
  intros H; pose proof eta_small; pose proof D_bound; pose proof C_bound; pose proof beta_ge.
  set (w := exp (- ((D + eta * C) / (1 - eta) ^ 2))).
  assert (P : 0 < (1 - eta) ^ 2) by nra; pose proof (Rinv_0_lt_compat _ P).
  assert (W1 : w <= 1).
  { apply Rle_trans with (exp 0); [|rewrite exp_0; lra]; unfold w; assert (Q0 : 0 <= (D + eta * C) / (1 - eta) ^ 2).
    { apply Rmult_le_pos; [|lra]; assert (0 <= eta * C) by (apply Rmult_le_pos; lra); lra. }
    destruct Q0 as [Q|Q]; [left; apply exp_increasing; lra|rewrite <- Q, Ropp_0; lra]. }
  destruct (float_below w (exp_pos _)) as (f & Ff & [L1 L2] & L3).
  apply Rle_trans with f.
  - eapply Rle_trans; [|exact L1]; unfold w; rewrite <- !exp_plus.
    assert (Y : - D + - E <= - ((D + eta * C) / (1 - eta) ^ 2) + - (2.0002 * eta)).
    { assert (I' : / (1 - eta) ^ 2 <= 1 + 2.0001 * eta).
      { apply Rmult_le_reg_r with ((1 - eta) ^ 2); auto; rewrite Rinv_l by lra.
        assert (0 <= eta * eta) by nra. assert (eta * eta <= eta / 1000000000) by nra.
        assert (0 <= eta * eta * eta) by nra. replace ((1 - eta) ^ 2) with (1 - 2 * eta + eta * eta) by ring; nra. }
      unfold Rdiv; set (i := / (1 - eta) ^ 2) in *; unfold E.
      assert (0 <= eta * C) by (apply Rmult_le_pos; lra).
      assert ((D + eta * C) * i <= (D + eta * C) * (1 + 2.0001 * eta)) by (apply Rmult_le_compat_l; lra).
      assert (eta * C * (2.0001 * eta) <= eta * C * 0.0001) by (apply Rmult_le_compat_l; lra).
      assert (eta * (2.0001 * D + 1.0001 * C + 2.0002) <= eta * (5.05 * beta + 5.05)) by (apply Rmult_le_compat_l; lra). lra. }
    destruct Y as [Y|Y]; [left; now apply exp_increasing|rewrite Y; lra].
  - rewrite <- (uniform f Ff) at 1 by lra.
    unfold Pr; apply Ex_le; try (apply Int_bounded; auto with dp); intros t; unfold ind; destruct (Rlt_dec (val t) f) as [V|]; [|destruct (S t); lra].
    destruct (S t) eqn:St; [lra|exfalso]; specialize (H t St); unfold l in H.
    assert (V' : val t < w) by lra; rewrite <- (exp_ln (val t)) in V' by apply range; unfold w in V'; apply exp_lt_inv in V'; lra.
Qed.

(** Above [x] a boundary is passed by noise to the right alone; below it, it is missed by noise to the left alone. *)
Definition right_of (t : T) : bool := if Rle_dec (c k) (rd (x + size t)) then true else false.
Definition left_of (t : T) : bool := if Rle_dec (c k) (rd (x - size t)) then false else true.

Lemma lam_l t : lam * l t * / lam = l t.
Proof. field; lra. Qed.
Lemma far_enough t v : 0 <= v -> v * lam <= size t -> v / (1 + eta) ^ 2 <= l t.
Proof.
  intros Hv H; pose proof eta_small; destruct (size_bounds t) as [_ S].
  assert (P : 0 < (1 + eta) ^ 2) by nra.
  apply Rmult_le_reg_r with ((1 + eta) ^ 2); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rmult_le_reg_l with lam; auto; lra.
Qed.
Lemma near_enough t v : size t <= v * lam -> l t <= v / (1 - eta) ^ 2.
Proof.
  intros H; pose proof eta_small; destruct (size_bounds t) as [S _].
  assert (P : 0 < (1 - eta) ^ 2) by nra.
  apply Rmult_le_reg_r with ((1 - eta) ^ 2); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rmult_le_reg_l with lam; auto; lra.
Qed.
Lemma D_lam : D * lam = Rabs (c k - x).
Proof. unfold D; field; lra. Qed.
Lemma C_lam : C * lam = Rabs (c k).
Proof. unfold C; field; lra. Qed.

Lemma rd_ge_c y : c k <= y -> c k <= rd y.
Proof. intros H; pose proof (rd_le _ _ H) as R; rewrite (rd_float (c k)) in R; auto; now apply c_float. Qed.
Lemma rd_le_c y : y <= c k -> rd y <= c k.
Proof. intros H; pose proof (rd_le _ _ H) as R; rewrite (rd_float (c k)) in R; auto; now apply c_float. Qed.
Lemma right_error : x < c k -> exp (- D) * exp (- E) <= Pr U right_of <= exp (- D) * exp E.
Proof.
  intros Hx; pose proof eta_small; pose proof D_bound as DB; pose proof C_bound as CB; pose proof D_lam as DL; pose proof C_lam as CL.
  rewrite Rabs_pos_eq in DL by lra.
  split; [apply prob_ge|apply prob_le]; intros t; unfold right_of; destruct (Rle_dec (c k) (rd (x + size t))) as [L|L]; try discriminate; intros _.
  - apply near_enough; rewrite Rmult_plus_distr_r, Rmult_assoc, CL.
    assert (x + size t < c k).
    { apply Rnot_le_lt; intros Q; now apply L, rd_ge_c. }
    assert (0 <= eta * Rabs (c k)) by (apply Rmult_le_pos; [lra|apply Rabs_pos]); lra.
  - destruct (Rle_dec 0 (D - eta * C)) as [N|N].
    + apply far_enough; auto; rewrite Rmult_minus_distr_r, Rmult_assoc, CL, DL.
      destruct (Rle_dec (c k) (x + size t)) as [Q|Q]; [assert (0 <= eta * Rabs (c k)) by (apply Rmult_le_pos; [lra|apply Rabs_pos]); lra|].
      assert (Q' : rd (x + size t) = c k).
      { apply Rle_antisym; auto; apply rd_le_c; lra. }
      pose proof (rd_error_round (x + size t)) as Er; rewrite Q' in Er; apply Rabs_le_inv in Er; lra.
    + apply Rle_trans with 0; [|left; apply l_pos]; assert (P : 0 < (1 + eta) ^ 2) by nra; pose proof (Rinv_0_lt_compat _ P); unfold Rdiv; nra.
Qed.
Lemma left_error : c k <= x -> exp (- D) * exp (- E) <= Pr U left_of <= exp (- D) * exp E.
Proof.
  intros Hx; pose proof eta_small; pose proof D_bound as DB; pose proof C_bound as CB; pose proof D_lam as DL; pose proof C_lam as CL.
  rewrite Rabs_left1 in DL by lra.
  split; [apply prob_ge|apply prob_le]; intros t; unfold left_of; destruct (Rle_dec (c k) (rd (x - size t))) as [L|L]; try discriminate; intros _.
  - apply near_enough; rewrite Rmult_plus_distr_r, Rmult_assoc, CL, DL.
    destruct (Rle_dec (c k) (x - size t)) as [Q|Q]; [assert (0 <= eta * Rabs (c k)) by (apply Rmult_le_pos; [lra|apply Rabs_pos]); lra|].
    assert (Q' : rd (x - size t) = c k).
    { apply Rle_antisym; auto; apply rd_le_c; lra. }
    pose proof (rd_error_round (x - size t)) as Er; rewrite Q' in Er; apply Rabs_le_inv in Er; lra.
  - assert (x - size t < c k).
    { apply Rnot_le_lt; intros Q; now apply L, rd_ge_c. }
    apply Rle_trans with (D / (1 + eta) ^ 2).
    + assert (P : 0 < (1 + eta) ^ 2) by nra; pose proof (Rinv_0_lt_compat _ P); unfold Rdiv; apply Rmult_le_compat_r; [lra|].
      assert (0 <= eta * C) by (apply Rmult_le_pos; lra); lra.
    + apply far_enough; lra.
Qed.

(** The tail of the release, and that of the ideal mechanism. *)
Definition tail : R := Pr (indices x) (fun j => Z.leb k j).
Definition ideal : R := 1 - F lam (c k - x).

Lemma Pr_all (S : T -> bool) : (forall t, S t = true) -> Pr U S = 1.
Proof. intros H; unfold Pr; rewrite <- (Ex_const U 1); apply Ex_ext; [apply Int_bounded; auto with dp|]; intros t; rewrite H; reflexivity. Qed.
Lemma Pr_none (S : T -> bool) : (forall t, S t = false) -> Pr U S = 0.
Proof. intros H; unfold Pr; rewrite <- (Ex_const U 0); apply Ex_ext; [apply Int_bounded; auto with dp|]; intros t; rewrite H; reflexivity. Qed.
Lemma Pr_ext (S S' : T -> bool) : (forall t, S t = S' t) -> Pr U S = Pr U S'.
Proof. intros H; unfold Pr; apply Ex_ext; [apply Int_bounded; auto with dp|]; intros t; now rewrite H. Qed.
Lemma Pr_not (S : T -> bool) : Pr U (fun t => negb (S t)) = 1 - Pr U S.
Proof.
  unfold Pr; rewrite <- (Ex_const U 1) at 1; rewrite <- Ex_minus by (apply Int_bounded; auto with dp).
  apply Ex_ext; [apply Int_bounded; auto with dp|]; intros t; unfold ind; destruct (S t); simpl; lra.
Qed.

Lemma index_ge s t : Z.leb k (index x s t) = if Rle_dec (c k) (rd (x + (if s then - noise t else noise t))) then true else false.
Proof.
  unfold index; pose proof (steps_ge x s t k) as S; destruct (Rle_dec _ _) as [L|L].
  - apply S in L; apply Z.leb_le; lia.
  - apply Z.leb_gt; assert (~ (k <= steps x s t)%Z) by (intros Q; apply L, S, Q); lia.
Qed.
Lemma tail_is : tail = / 2 * Pr U right_of + / 2 * (1 - Pr U left_of).
Proof.
  unfold tail, Pr; cbn [Ex indices bind dmap bernoulli ret].
  replace (1 - / 2) with (/ 2) by lra; f_equal; f_equal.
  - apply Ex_ext; [apply Int_bounded; auto with dp|]; intros t; rewrite index_ge; reflexivity.
  - fold (Pr U left_of); rewrite <- Pr_not; unfold Pr; apply Ex_ext; [apply Int_bounded; auto with dp|].
    intros t; rewrite index_ge; unfold left_of, size; replace (x - - noise t) with (x + noise t) by ring.
    destruct (Rle_dec _ _); reflexivity.
Qed.

Definition rho : R := exp E - 1.
Lemma E_pos : 0 < E.
Proof. unfold E; pose proof eta_small; pose proof beta_ge; apply Rmult_lt_0_compat; lra. Qed.
Lemma tail_error : Rabs (tail - ideal) <= / 2 * exp (- D) * rho.
Proof.
  rewrite tail_is; unfold ideal, rho; pose proof (exp_pos (- D)); pose proof E_pos.
  assert (Ei : 1 - exp (- E) <= exp E - 1).
  { rewrite exp_Ropp; pose proof (exp_pos E); pose proof (exp_ineq1_le E).
    apply Rmult_le_reg_r with (exp E); auto; rewrite Rmult_minus_distr_r, Rinv_l by lra; nra. }
  destruct (Rlt_dec x (c k)) as [Hx|Hx].
  - assert (Z : Pr U left_of = 1).
    { apply Pr_all; intros t; unfold left_of; destruct (Rle_dec _ _) as [L|]; auto; exfalso.
      assert (rd (x - size t) <= rd x) by (apply rd_le; pose proof (size_nonneg t); lra); rewrite (rd_float x) in * by auto; lra. }
    destruct (right_error Hx) as [L1 L2]; rewrite Z, F_pos by (auto; lra); unfold D in *; rewrite (Rabs_pos_eq (c k - x)) in * by lra.
    apply Rabs_le; nra.
  - assert (Z : Pr U right_of = 1).
    { apply Pr_all; intros t; unfold right_of; destruct (Rle_dec _ _) as [|L]; auto; exfalso; apply L.
      assert (rd x <= rd (x + size t)) by (apply rd_le; pose proof (size_nonneg t); lra); rewrite (rd_float x) in * by auto; lra. }
    destruct (left_error ltac:(lra)) as [L1 L2]; rewrite Z, F_neg by (auto; lra); unfold D in *; rewrite (Rabs_left1 (c k - x)) in * by lra.
    replace (- (- (c k - x) / lam)) with ((c k - x) / lam) in * by (field; lra).
    apply Rabs_le; nra.
Qed.
End Boundary.

(** One release: a difference of two tails.  [kappa] is more than [coth (1/2)]. *)
Definition kappa : R := 2163999 / 1000000.
Definition r : R := kappa * rho.
(** A bound on e from [1 + x <= exp x], by squaring. *)
Lemma square_below x a b : 0 <= a -> b <= a * a -> a <= exp x -> b <= exp (2 * x).
Proof. intros P L H; replace (2 * x) with (x + x) by ring; rewrite exp_plus; nra. Qed.
Lemma e_below : 2718239 / 1000000 <= exp 1.
Proof.
  assert (H0 : 10000305175781 / 10000000000000 <= exp (1 / 32768)) by (pose proof (exp_ineq1_le (1 / 32768)); lra).
  apply (square_below _ _ (10000610360875 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10001220759004 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10002441667033 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10004883930239 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10009770245755 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10019550037280 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10039138294955 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10078429770523 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10157474663936 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10317429154850 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (10644934436534 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (11331462915810 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (12840205181237 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (16487086909626 / 10000000000000)) in H0; [|lra|lra].
  apply (square_below _ _ (27182403476556 / 10000000000000)) in H0; [|lra|lra].
  replace (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (1 / 32768)))))))))))))))) with 1 in H0 by field; lra.
Qed.
Lemma e_bound : exp (- 1) * (1 + kappa) <= kappa - 1.
Proof.
  pose proof e_below as E0; replace (-1) with (- (1)) by lra; rewrite exp_Ropp; apply Rmult_le_reg_l with (exp 1); [apply exp_pos|].
  rewrite <- Rmult_assoc, Rinv_r by (pose proof (exp_pos 1); lra); unfold kappa; lra.
Qed.
Lemma grid_share : exp (- (G / lam)) * (1 + kappa) <= kappa - 1.
Proof.
  eapply Rle_trans; [|exact e_bound]; apply Rmult_le_compat_r; [unfold kappa; lra|].
  assert (1 <= G / lam) by (apply Rmult_le_reg_r with lam; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  destruct (Rle_lt_or_eq_dec 1 (G / lam)) as [L|L]; auto; [left; apply exp_increasing; lra|right; f_equal; lra].
Qed.

Lemma both_ends v : / 2 * (exp (- (Rabs v / lam)) + exp (- (Rabs (v + G) / lam))) <= kappa * (F lam (v + G) - F lam v).
Proof.
  pose proof G_pos; pose proof grid_share as Q; set (q := exp (- (G / lam))) in *.
  assert (K1 : 0 < kappa) by (unfold kappa; lra). assert (Q0 : 0 < q) by apply exp_pos.
  destruct (Rle_dec (v + G) 0) as [L|L]; [|destruct (Rle_dec 0 v) as [L'|L']].
  - rewrite !F_neg, !Rabs_left1 by lra.
    replace (- (- v / lam)) with ((v + G) / lam + - (G / lam)) by (field; lra); replace (- (- (v + G) / lam)) with ((v + G) / lam) by (field; lra).
    replace (v / lam) with ((v + G) / lam + - (G / lam)) by (field; lra).
    rewrite exp_plus; fold q; pose proof (exp_pos ((v + G) / lam)); set (w := exp _) in *; nra.
  - rewrite !F_pos, !Rabs_pos_eq by lra.
    replace (- ((v + G) / lam)) with (- (v / lam) + - (G / lam)) by (field; lra).
    rewrite exp_plus; fold q; pose proof (exp_pos (- (v / lam))); set (w := exp _) in *; nra.
  - rewrite (F_pos lam (v + G)), (F_neg lam v), (Rabs_left1 v), (Rabs_pos_eq (v + G)) by lra.
    replace (- (- v / lam)) with (v / lam) by (field; lra).
    set (w1 := exp (v / lam)); set (w2 := exp (- ((v + G) / lam))).
    assert (P : w1 * w2 = q) by (unfold w1, w2, q; rewrite <- exp_plus; f_equal; field; lra).
    assert (W1 : w1 <= 1).
    { unfold w1; rewrite <- exp_0; left; apply exp_increasing; unfold Rdiv; assert (v < 0) by lra; pose proof (Rinv_0_lt_compat _ Hlam); nra. }
    assert (W2 : w2 <= 1).
    { unfold w2; rewrite <- exp_0; left; apply exp_increasing; unfold Rdiv; assert (0 < v + G) by lra; pose proof (Rinv_0_lt_compat _ Hlam); nra. }
    assert (0 <= (1 - w1) * (1 - w2)) by (apply Rmult_le_pos; lra). nra.
Qed.
Lemma one_end v : / 2 * exp (- (Rabs v / lam)) <= F lam v /\ / 2 * exp (- (Rabs v / lam)) <= 1 - F lam v.
Proof.
  assert (X : exp (- (Rabs v / lam)) <= 1).
  { apply Rle_trans with (exp 0); [|rewrite exp_0; lra]; assert (0 <= Rabs v / lam) by (apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat]).
    destruct H as [H|H]; [left; apply exp_increasing; lra|rewrite <- H, Ropp_0; lra]. }
  destruct (Rle_dec v 0) as [L|L].
  - rewrite F_neg by lra; rewrite Rabs_left1 in * by lra; replace (- (- v / lam)) with (v / lam) in * by (field; lra); lra.
  - rewrite F_pos by (auto; lra); rewrite Rabs_pos_eq in * by lra; lra.
Qed.

Definition masses (x : R) (i : Z) : R := Pr (indices x) (fun j => Z.leb i j) - Pr (indices x) (fun j => Z.leb (i + 1) j).
Definition ideal_tail (x : R) (i : Z) : R := if Z.leb i (- ends) then 1 else if Z.leb i ends then 1 - F lam (c i - x) else 0.
Definition ideal_mass (x : R) (i : Z) : R := ideal_tail x i - ideal_tail x (i + 1).
Definition error (x : R) (i : Z) : R := if Z.leb i (- ends) then 0 else if Z.leb i ends then / 2 * exp (- (Rabs (c i - x) / lam)) * rho else 0.

Lemma in_range x s t : (- ends <= index x s t <= ends)%Z.
Proof. unfold index; pose proof ends_pos; lia. Qed.
Lemma Pr_indices_one x (S : Z -> bool) : (forall j, (- ends <= j <= ends)%Z -> S j = true) -> Pr (indices x) S = 1.
Proof.
  intros H; unfold Pr; cbn [Ex indices bind dmap bernoulli ret].
  assert (A : forall s, Ex U (fun t => ind (S (index x s t))) = 1).
  { intros s; apply (Pr_all (fun t => S (index x s t))); intros t; apply H, in_range. }
  rewrite !A; lra.
Qed.
Lemma Pr_indices_none x (S : Z -> bool) : (forall j, (- ends <= j <= ends)%Z -> S j = false) -> Pr (indices x) S = 0.
Proof.
  intros H; unfold Pr; cbn [Ex indices bind dmap bernoulli ret].
  assert (A : forall s, Ex U (fun t => ind (S (index x s t))) = 0).
  { intros s; apply (Pr_none (fun t => S (index x s t))); intros t; apply H, in_range. }
  rewrite !A; lra.
Qed.

Lemma tails_error x i : is_float x -> Rabs x <= B -> (- ends <= i <= ends + 1)%Z -> Rabs (Pr (indices x) (fun j => Z.leb i j) - ideal_tail x i) <= error x i.
Proof.
  intros Fx Bx Hi; unfold ideal_tail, error; destruct (Z.leb_spec i (- ends)); [|destruct (Z.leb_spec i ends)].
  - rewrite Pr_indices_one by (intros j Hj; apply Z.leb_le; lia); rewrite Rminus_eq_0, Rabs_R0; lra.
  - apply (tail_error x i Fx Bx); lia.
  - rewrite Pr_indices_none by (intros j Hj; apply Z.leb_gt; lia); rewrite Rminus_eq_0, Rabs_R0; lra.
Qed.

Lemma c_next i : c (i + 1) = c i + G.
Proof. unfold c; rewrite plus_IZR; ring. Qed.
Lemma rho_pos : 0 < rho.
Proof. unfold rho; pose proof E_pos; pose proof (exp_ineq1_le E); lra. Qed.
Lemma errors_share x i : (- ends <= i <= ends)%Z -> error x i + error x (i + 1) <= r * ideal_mass x i.
Proof.
  intros Hi; unfold error, ideal_mass, ideal_tail, r; pose proof ends_pos; pose proof rho_pos as P; assert (K1 : 1 < kappa) by (unfold kappa; lra).
  destruct (Z.leb_spec i (- ends)), (Z.leb_spec (i + 1) (- ends)), (Z.leb_spec i ends), (Z.leb_spec (i + 1) ends); try lia.
  - destruct (one_end (c (i + 1) - x)) as [O _]; pose proof (exp_pos (- (Rabs (c (i + 1) - x) / lam))).
    assert (/ 2 * exp (- (Rabs (c (i + 1) - x) / lam)) * rho <= F lam (c (i + 1) - x) * rho) by (apply Rmult_le_compat_r; lra).
    set (w := F lam (c (i + 1) - x)) in *; assert (0 <= w * rho) by (apply Rmult_le_pos; lra); assert (w * rho <= kappa * (w * rho)) by nra; lra.
  - pose proof (both_ends (c i - x)) as Bo; replace (c i - x + G) with (c (i + 1) - x) in Bo by (rewrite c_next; ring).
    apply Rmult_le_compat_r with (r := rho) in Bo; lra.
  - destruct (one_end (c i - x)) as [_ O]; pose proof (exp_pos (- (Rabs (c i - x) / lam))).
    assert (/ 2 * exp (- (Rabs (c i - x) / lam)) * rho <= (1 - F lam (c i - x)) * rho) by (apply Rmult_le_compat_r; lra).
    set (w := 1 - F lam (c i - x)) in *; assert (0 <= w * rho) by (apply Rmult_le_pos; lra); assert (w * rho <= kappa * (w * rho)) by nra; lra.
Qed.

Lemma F_shift u v : F lam u <= exp (Rabs (u - v) / lam) * F lam v.
Proof.
  assert (M : forall u v, u <= v -> F lam v <= exp ((v - u) / lam) * F lam u).
  { clear u v; intros u v L; set (t := v - u); assert (Ht : 0 <= t) by (unfold t; lra).
    replace v with (u + t) by (unfold t; ring).
    destruct (Rle_dec u (- t)) as [N|N].
    - rewrite !F_neg by lra; rewrite exp_shift; lra.
    - pose proof (H_increasing lam Hlam t Ht (- t) u ltac:(lra)) as I.
      cbv beta in I; rewrite (F_neg lam (- t)), (F_neg lam (- t + t)) in I by lra; rewrite (exp_shift lam t (- t)) in I. lra. }
  assert (E1 : 1 <= exp (Rabs (u - v) / lam)).
  { assert (0 <= Rabs (u - v) / lam) by (apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat]); pose proof (exp_ineq1_le (Rabs (u - v) / lam)); lra. }
  assert (P : forall w, 0 <= F lam w) by (intros w; destruct (one_end w); pose proof (exp_pos (- (Rabs w / lam))); lra).
  destruct (Rle_dec u v) as [L|L].
  - assert (F lam u <= F lam v) by (destruct L as [L| ->]; [left; now apply F_increasing|lra]); specialize (P v); nra.
  - rewrite Rabs_pos_eq by lra; apply M; lra.
Qed.
Lemma ideal_ratio x x' i : (- ends <= i <= ends)%Z -> ideal_mass x i <= exp (Rabs (x - x') / lam) * ideal_mass x' i.
Proof.
  intros Hi; unfold ideal_mass, ideal_tail; pose proof ends_pos.
  destruct (Z.leb_spec i (- ends)), (Z.leb_spec (i + 1) (- ends)), (Z.leb_spec i ends), (Z.leb_spec (i + 1) ends); try lia.
  - replace (1 - (1 - F lam (c (i + 1) - x))) with (F lam (c (i + 1) - x)) by ring; replace (1 - (1 - F lam (c (i + 1) - x'))) with (F lam (c (i + 1) - x')) by ring.
    pose proof (F_shift (c (i + 1) - x) (c (i + 1) - x')) as S; replace (c (i + 1) - x - (c (i + 1) - x')) with (- (x - x')) in S by ring; now rewrite Rabs_Ropp in S.
  - pose proof (interval_shift_both lam Hlam (x' - x) (c i - x') (c (i + 1) - x') ltac:(rewrite c_next; pose proof G_pos; lra)) as S.
    replace (c (i + 1) - x' + (x' - x)) with (c (i + 1) - x) in S by ring; replace (c i - x' + (x' - x)) with (c i - x) in S by ring.
    rewrite Rabs_minus_sym in S; lra.
  - rewrite !Rminus_0_r; rewrite <- !F_opp by auto.
    pose proof (F_shift (- (c i - x)) (- (c i - x'))) as S; replace (- (c i - x) - - (c i - x')) with (x - x') in S by ring; exact S.
Qed.

Lemma mass_error x i : is_float x -> Rabs x <= B -> (- ends <= i <= ends)%Z ->
  (1 - r) * ideal_mass x i <= masses x i <= (1 + r) * ideal_mass x i.
Proof.
  intros Fx Bx Hi; pose proof (tails_error x i Fx Bx ltac:(lia)) as T1; pose proof (tails_error x (i + 1) Fx Bx ltac:(lia)) as T2.
  pose proof (errors_share x i Hi); apply Rabs_le_inv in T1, T2; unfold masses, ideal_mass in *; lra.
Qed.

(** The share of the arithmetic is below 1. *)
Lemma r_small : 0 < r < 1.
Proof.
  pose proof rho_pos; assert (K1 : 0 < kappa) by (unfold kappa; lra); split; [unfold r; now apply Rmult_lt_0_compat|].
  assert (Hb : beta <= IZR (2 ^ 46)).
  { unfold beta; apply Rmult_le_reg_r with lam; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (He : E <= 4 / 100).
  { unfold E; apply Rle_trans with (eta * (5.05 * IZR (2 ^ 46) + 5.05)); [pose proof eta_small; apply Rmult_le_compat_l; lra|].
    unfold eta; replace (bpow radix2 (-53)) with (/ IZR (2 ^ 53)) by reflexivity; simpl; lra. }
  assert (exp E <= 105 / 100).
  { pose proof (exp_ineq1_le (- E)) as N; rewrite exp_Ropp in N; pose proof (exp_pos E) as Pe.
    apply Rmult_le_compat_r with (r := exp E) in N; [|lra]; rewrite Rinv_l in N by lra; nra. }
  unfold r, rho, kappa; lra.
Qed.

Lemma Ex_sum {Z0} (P : dist Z0) n (h : nat -> Z0 -> R) : (forall i, bounded (h i)) -> Ex P (fun j => sum n (fun i => h i j)) = sum n (fun i => Ex P (h i)) /\ bounded (fun j => sum n (fun i => h i j)).
Proof.
  intros H; induction n as [|n [I J]]; simpl; [split; [apply Ex_const|apply bounded_const]|].
  split; [rewrite Ex_plus, I by (apply Int_bounded; auto); reflexivity|apply bounded_plus; auto].
Qed.
Definition place (n : nat) : Z := (Z.of_nat n - ends)%Z.
Definition places : nat := Z.to_nat (2 * ends + 1).
Lemma sum_pick (f : Z -> R) j : (- ends <= j <= ends)%Z -> sum places (fun n => f (place n) * (ind (Z.leb (place n) j) - ind (Z.leb (place n + 1) j))) = f j.
Proof.
  intros Hj; unfold places, place.
  assert (X : forall N, sum N (fun n => f (Z.of_nat n - ends)%Z * (ind (Z.leb (Z.of_nat n - ends) j) - ind (Z.leb (Z.of_nat n - ends + 1) j))) =
    if Z.ltb (j + ends) (Z.of_nat N) then f j else 0).
  { induction N as [|N IH]; [simpl; destruct (Z.ltb_spec (j + ends) 0); [lia|auto]|].
    cbn [sum]; rewrite IH; rewrite Nat2Z.inj_succ.
    destruct (Z.ltb_spec (j + ends) (Z.of_nat N)), (Z.ltb_spec (j + ends) (Z.succ (Z.of_nat N))), (Z.leb_spec (Z.of_nat N - ends) j), (Z.leb_spec (Z.of_nat N - ends + 1) j);
      try lia; unfold ind; try ring.
    replace (Z.of_nat N - ends)%Z with j by lia; ring. }
  rewrite X, Z2Nat.id by lia; destruct (Z.ltb_spec (j + ends) (2 * ends + 1)); [auto|lia].
Qed.
Lemma Ex_indices x f : unit_test f -> Ex (indices x) f = sum places (fun n => masses x (place n) * f (place n)).
Proof.
  intros Hf; set (h := fun n j => f (place n) * (ind (Z.leb (place n) j) - ind (Z.leb (place n + 1) j))).
  assert (Bh : forall n, bounded (h n)).
  { intros n; apply bounded_scal; exists 1; intros j; unfold ind; destruct (Z.leb (place n) j), (Z.leb (place n + 1) j);
      rewrite ?Rminus_eq_0, ?Rminus_0_r, ?Rminus_0_l, ?Rabs_Ropp, ?Rabs_R1, ?Rabs_R0; lra. }
  transitivity (Ex (indices x) (fun j => sum places (fun n => h n j))).
  - cbn [Ex indices bind dmap bernoulli ret]; f_equal; f_equal; apply Ex_ext; try (apply Int_bounded, unit_bounded; intros t; apply Hf);
      intros t; symmetry; apply sum_pick, in_range.
  - destruct (Ex_sum (indices x) places h Bh) as [-> _]; apply sum_ext; intros n _; unfold h, masses, Pr.
    rewrite Ex_scal, Ex_minus by (apply Int_bounded; auto with dp; destruct (Bh n) as [N HN]; exists 1; intros j; unfold ind; destruct (Z.leb (place n) j), (Z.leb (place n + 1) j);
      rewrite ?Rminus_eq_0, ?Rminus_0_r, ?Rminus_0_l, ?Rabs_Ropp, ?Rabs_R1, ?Rabs_R0; lra); ring.
Qed.

Definition loss_of_arithmetic : R := ln ((1 + r) / (1 - r)).
Theorem indices_close x x' : is_float x -> is_float x' -> Rabs x <= B -> Rabs x' <= B ->
  close (Rabs (x - x') / lam + loss_of_arithmetic) 0 (indices x) (indices x').
Proof.
  intros Fx Fx' Bx Bx' f Hf; pose proof r_small as R1; pose proof ends_pos.
  unfold loss_of_arithmetic; rewrite exp_plus, exp_ln by (apply Rdiv_lt_0_compat; lra).
  rewrite !Ex_indices by auto; rewrite Rplus_0_r, <- sum_scal; apply sum_le; intros n Hn.
  assert (Hp : (- ends <= place n <= ends)%Z) by (unfold place, places in *; lia).
  destruct (mass_error x (place n) Fx Bx Hp) as [_ M]; destruct (mass_error x' (place n) Fx' Bx' Hp) as [M' _].
  pose proof (ideal_ratio x x' (place n) Hp) as I; destruct (Hf (place n)) as [F0 _].
  rewrite <- Rmult_assoc; apply Rmult_le_compat_r; auto.
  set (ee := exp _) in *; assert (Pe : 0 < ee) by apply exp_pos.
  apply Rle_trans with ((1 + r) * (ee * ideal_mass x' (place n))).
  - eapply Rle_trans; [exact M|]; apply Rmult_le_compat_l; lra.
  - replace ((1 + r) * (ee * ideal_mass x' (place n))) with (ee * ((1 + r) / (1 - r)) * ((1 - r) * ideal_mass x' (place n))) by (field; lra).
    apply Rmult_le_compat_l; auto; apply Rmult_le_pos; [lra|left; apply Rdiv_lt_0_compat; lra].
Qed.
Corollary snapped_close x x' : is_float x -> is_float x' -> Rabs x <= B -> Rabs x' <= B ->
  close (Rabs (x - x') / lam + loss_of_arithmetic) 0 (snapped x) (snapped x').
Proof.
  intros Fx Fx' Bx Bx' f Hf.
  assert (S : forall y, Ex (snapped y) f = Ex (dmap (fun j => clamp (G * IZR j)) (indices y)) f).
  { intros y; cbn [Ex snapped indices bind dmap bernoulli ret]; f_equal; f_equal; apply Ex_ext; try (apply Int_bounded, unit_bounded; intros t; apply Hf);
      intros t; now rewrite snap_index. }
  rewrite !S; revert f Hf S; change (forall f, unit_test f -> (forall y, Ex (snapped y) f = Ex (dmap (fun j => clamp (G * IZR j)) (indices y)) f) ->
    Ex (dmap (fun j => clamp (G * IZR j)) (indices x)) f <= exp (Rabs (x - x') / lam + loss_of_arithmetic) * Ex (dmap (fun j => clamp (G * IZR j)) (indices x')) f + 0).
  intros f Hf _; apply (post_processing _ _ _ _ (fun j => ret (clamp (G * IZR j))) (indices_close x x' Fx Fx' Bx Bx')); auto.
Qed.
End Snapping.

(** The map: [5.1] and [2.164] are the floats nearest to these; [m] and [loss] are an exponential less 1 and a logarithm, rounded up. *)
Definition exponent (lam B c51 : R) : R := inf_mul (inf_add (inf_mul (inf_div B lam) c51) c51) eta.
Definition error_up (m k : R) : R := inf_mul m k.
Definition snapping_map (lam loss d : R) : R := if Req_EM_T d 0 then 0 else inf_add (inf_div d lam) loss.

Section Map.
Context {T : Type} (U : dist T) (val : T -> R).
Hypothesis range : forall t, 0 < val t < 1.
Hypothesis uniform : forall f, is_float f -> 0 <= f <= 1 -> Pr U (fun t => if Rlt_dec (val t) f then true else false) = f.
Variables (lam B : R) (g : Z).
Hypotheses (Hlam : 0 < lam) (HB : lam < B < IZR (2 ^ 46) * lam) (HG : lam <= bpow radix2 g < 2 * lam) (FB : is_float B).
Variables (c51 k m loss : R).
Hypotheses (H51 : 5.05 <= c51) (Hk : kappa <= k) (Hm : exp (exponent lam B c51) - 1 <= m) (Hsmall : 0 < dn (1 - error_up m k))
  (Hloss : ln (inf_div (up (1 + error_up m k)) (dn (1 - error_up m k))) <= loss).

Lemma arithmetic_sound : loss_of_arithmetic lam B <= loss.
Proof.
  assert (X : E lam B <= exponent lam B c51).
  { unfold E, exponent; rewrite Rmult_comm; pose proof eta_small; pose proof (beta_ge lam B Hlam HB).
    assert (S : B / lam <= inf_div B lam) by (apply inf_div_ge; lra).
    apply inf_mul_ge; split; try lra.
    apply inf_add_ge; [|lra]; rewrite Rmult_comm; apply inf_mul_ge; lra. }
  assert (Ee : exp (E lam B) <= exp (exponent lam B c51)) by (destruct X as [X| ->]; [left; now apply exp_increasing|lra]).
  pose proof (r_small lam B Hlam HB) as R1; pose proof (rho_pos lam B Hlam HB) as R0.
  assert (Y : r lam B <= error_up m k).
  { unfold r, error_up; rewrite Rmult_comm; apply inf_mul_ge; [unfold rho in *; lra|unfold kappa in *; lra]. }
  pose proof (up_ge (1 + error_up m k)); pose proof (dn_le (1 - error_up m k)).
  eapply Rle_trans; [|exact Hloss]; unfold loss_of_arithmetic.
  assert (Ln : forall p q, 0 < p -> p <= q -> ln p <= ln q) by (intros p q P [L| ->]; [left; now apply ln_increasing|lra]).
  apply Ln; [apply Rdiv_lt_0_compat; lra|].
  eapply Rle_trans; [|apply inf_div_ge; [apply Rle_refl|auto]].
  unfold Rdiv; apply Rmult_le_compat; try lra; [left; apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra].
Qed.

Lemma clamp_float v : is_float v -> is_float (clamp B v).
Proof.
  intros Fv; unfold clamp, Rmax, Rmin; destruct (Rle_dec B v); destruct (Rle_dec (- B) _); auto; now apply generic_format_opp.
Qed.
Lemma clamp_bound v : Rabs (clamp B v) <= B.
Proof. apply Rabs_le; unfold clamp, Rmax, Rmin; destruct (Rle_dec B v); destruct (Rle_dec (- B) _); lra. Qed.
Lemma clamp_near v v' : Rabs (clamp B v - clamp B v') <= Rabs (v - v').
Proof.
  apply Rabs_le; unfold clamp, Rmax, Rmin, Rabs; destruct (Rle_dec B v), (Rle_dec B v'); destruct (Rcase_abs (v - v'));
    repeat destruct (Rle_dec (- B) _); lra.
Qed.

Theorem make_snapping v v' d : is_float v -> is_float v' -> Rabs (v - v') <= d ->
  close (snapping_map lam loss d) 0 (snapped U val lam B g (clamp B v)) (snapped U val lam B g (clamp B v')).
Proof.
  intros Fv Fv' H; unfold snapping_map; destruct (Req_EM_T d 0) as [Z|N].
  - assert (v = v') by (subst d; pose proof (Rabs_pos (v - v')); apply Rminus_diag_uniq; destruct (Req_dec (v - v') 0) as [Q|Q]; auto; apply Rabs_no_R0 in Q; lra).
    subst v'; intros f Hf; rewrite exp_0; lra.
  - eapply close_mono; [|apply Rle_refl|apply (snapped_close U val range uniform lam B g Hlam HB HG); auto using clamp_float, clamp_bound].
    apply inf_add_ge; [|apply arithmetic_sound]; apply inf_div_ge; auto.
    eapply Rle_trans; [apply clamp_near|auto].
Qed.
End Map.

(** [uniform]: a geometric number of zeros, then 52 bits.  Its law is what the theorem asks for. *)
Definition half_ok : 0 < / 2 < 1. Proof. lra. Qed.
Definition zeros : dist nat := geometric (/ 2) half_ok.
Lemma mantissas_exist : exists n : nat, INR n = bpow radix2 52.
Proof. exists (Z.to_nat (2 ^ 52)); rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.pow_nonneg; lia); rewrite <- (IZR_Zpower radix2) by lia; reflexivity. Qed.
Section Mantissas.
(** $2^{52}$, which Coq must not count. *)
Variables (mantissas : nat) (mantissas_is : INR mantissas = bpow radix2 52).
Lemma mantissas_pos : (0 < mantissas)%nat.
Proof. apply INR_lt; rewrite mantissas_is; apply bpow_gt_0. Qed.
Definition float_draw : dist (nat * nat) := bind zeros (fun z => dmap (fun m => (z, m)) (uniform mantissas mantissas_pos)).
(** A draw beyond the mantissas has no weight. *)
Definition float_value (zm : nat * nat) : R := (INR mantissas + INR (snd zm mod mantissas)) * bpow radix2 (- (53 + Z.of_nat (fst zm))).

Lemma float_range zm : 0 < float_value zm < 1.
Proof.
  unfold float_value; pose proof (bpow_gt_0 radix2 (- (53 + Z.of_nat (fst zm)))) as B; pose proof mantissas_pos as P; pose proof mantissas_is as E.
  pose proof (Nat.mod_upper_bound (snd zm) mantissas ltac:(lia)) as U; apply lt_INR in U; apply lt_INR in P; simpl in P.
  pose proof (pos_INR (snd zm mod mantissas)); split; [apply Rmult_lt_0_compat; lra|].
  apply Rlt_le_trans with (2 * INR mantissas * bpow radix2 (- (53 + Z.of_nat (fst zm)))); [apply Rmult_lt_compat_r; lra|].
  rewrite E; change 2 with (bpow radix2 1); rewrite <- !bpow_plus; change 1 with (bpow radix2 0); apply bpow_le; lia.
Qed.

Lemma zeros_Ex z0 g : unit_test g -> (forall z, (z < z0)%nat -> g z = 0) -> (forall z, (z0 < z)%nat -> g z = 1) ->
  Ex zeros g = (/ 2) ^ z0 * (/ 2 * g z0 + / 2).
Proof.
  revert g; induction z0 as [|z0 IH]; intros g Hg L G.
  - assert (P : Ex zeros g = (1 - / 2) * g O + / 2 * Series (fun n => geo (/ 2) n * g (S n))) by (exact (peel (/ 2) half_ok g Hg)).
    rewrite P, (Series_ext _ (geo (/ 2))) by (intros z; rewrite G by lia; ring).
    rewrite (is_series_unique _ _ (geo_one (/ 2) half_ok)); simpl; lra.
  - assert (P : Ex zeros g = (1 - / 2) * g O + / 2 * Ex zeros (fun z => g (S z))) by (exact (peel (/ 2) half_ok g Hg)).
    rewrite P, (L O) by lia; rewrite (IH (fun z => g (S z))).
    + simpl; ring.
    + intros z; apply Hg.
    + intros z Hz; apply L; lia.
    + intros z Hz; apply G; lia.
Qed.
Lemma count_below n M c0 : (M <= n)%nat -> sum n (fun i => c0 * ind (Nat.ltb i M)) = INR M * c0.
Proof.
  revert M; induction n as [|n IH]; intros M L; [replace M with O by lia; simpl; ring|].
  cbn [sum]; destruct (Nat.eq_dec M (S n)) as [->|N].
  - rewrite (sum_ext n _ (fun i => c0 * ind (Nat.ltb i n))).
    + rewrite IH by lia; destruct (Nat.ltb_spec n (S n)); [|lia]; rewrite S_INR; simpl; ring.
    + intros i Hi; destruct (Nat.ltb_spec i (S n)), (Nat.ltb_spec i n); try lia; reflexivity.
  - rewrite IH by lia; destruct (Nat.ltb_spec n M); [lia|]; simpl; ring.
Qed.

Theorem float_uniform f : is_float f -> 0 <= f <= 1 -> Pr float_draw (fun t => if Rlt_dec (float_value t) f then true else false) = f.
Proof.
  intros Ff [F0 F1].
  assert (All : forall b : bool, (forall t, (if Rlt_dec (float_value t) f then true else false) = b) -> Pr float_draw (fun t => if Rlt_dec (float_value t) f then true else false) = ind b).
  { intros b H; unfold Pr; rewrite <- (Ex_const float_draw (ind b)); apply Ex_ext; [apply Int_bounded; auto with dp|]; intros t; now rewrite H. }
  destruct F0 as [F0|<-]; [|rewrite (All false); [reflexivity|]; intros t; destruct (Rlt_dec _ _); auto; pose proof (float_range t); lra].
  destruct F1 as [F1| ->]; [|rewrite (All true); [reflexivity|]; intros t; destruct (Rlt_dec _ _); auto; pose proof (float_range t); lra].
  clear All.
  (* its mantissa and its exponent *)
  set (e := mag_val radix2 f (mag radix2 f)).
  assert (He : bpow radix2 (e - 1) <= f < bpow radix2 e).
  { pose proof (bpow_mag_le radix2 f ltac:(lra)) as A; pose proof (bpow_mag_gt radix2 f) as B; rewrite Rabs_pos_eq in A, B by lra; auto. }
  assert (E0 : (e <= 0)%Z).
  { assert (e - 1 < 0)%Z; [|lia]; apply (lt_bpow radix2); change (bpow radix2 0) with 1; lra. }
  assert (Ex0 : exists k, f = IZR k * bpow radix2 (e - 53)).
  { exists (Ztrunc (scaled_mantissa radix2 (FLX_exp 53) f)); exact Ff. }
  destruct Ex0 as [k Ek].
  assert (Hk : (2 ^ 52 <= k < 2 ^ 53)%Z).
  { assert (B := bpow_gt_0 radix2 (e - 53)); split.
    - apply le_IZR; apply Rmult_le_reg_r with (bpow radix2 (e - 53)); auto; rewrite <- Ek.
      change (2 ^ 52)%Z with (Zpower radix2 52); rewrite IZR_Zpower by lia; rewrite <- bpow_plus; replace (52 + (e - 53))%Z with (e - 1)%Z by lia; lra.
    - apply lt_IZR; apply Rmult_lt_reg_r with (bpow radix2 (e - 53)); auto; rewrite <- Ek.
      change (2 ^ 53)%Z with (Zpower radix2 53); rewrite IZR_Zpower by lia; rewrite <- bpow_plus; replace (53 + (e - 53))%Z with e by lia; lra. }
  set (M := Z.to_nat (k - 2 ^ 52)); set (z0 := Z.to_nat (- e)).
  assert (EM : IZR k = INR mantissas + INR M).
  { rewrite mantissas_is; unfold M; rewrite (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id, minus_IZR by lia.
    change (2 ^ 52)%Z with (Zpower radix2 52); rewrite IZR_Zpower by lia; ring. }
  assert (HM : (M <= mantissas)%nat).
  { apply INR_le; assert (IZR k <= bpow radix2 53).
    { rewrite <- IZR_Zpower by lia; apply IZR_le; change (Zpower radix2 53) with (2 ^ 53)%Z; lia. }
    replace (bpow radix2 53) with (2 * bpow radix2 52) in H by (change 53%Z with (1 + 52)%Z; rewrite bpow_plus; reflexivity).
    rewrite <- mantissas_is in H; lra. }
  assert (Ez : bpow radix2 (e - 53) = bpow radix2 (- (53 + Z.of_nat z0))) by (f_equal; unfold z0; rewrite Z2Nat.id by lia; lia).
  set (g := fun z => Ex (uniform mantissas mantissas_pos) (fun m => ind (if Rlt_dec (float_value (z, m)) f then true else false))).
  assert (G : forall z, g z = sum mantissas (fun m => / INR mantissas * ind (if Rlt_dec (float_value (z, m)) f then true else false))) by reflexivity.
  assert (Mod : forall m, (m < mantissas)%nat -> (m mod mantissas = m)%nat) by (intros; now apply Nat.mod_small).
  assert (P0 : 0 < INR mantissas) by (rewrite mantissas_is; apply bpow_gt_0).
  assert (Below : forall z, (z < z0)%nat -> g z = 0).
  { intros z Hz; rewrite G, (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]; intros m Hm; destruct (Rlt_dec _ _) as [L|L]; [exfalso|simpl; ring].
    assert (f < float_value (z, m)); [|lra].
    apply Rlt_le_trans with (bpow radix2 e); [apply He|]; unfold float_value; cbn [fst snd]; rewrite Mod by auto.
    apply Rle_trans with (INR mantissas * bpow radix2 (- (53 + Z.of_nat z))).
    - rewrite mantissas_is, <- bpow_plus; apply bpow_le; unfold z0 in Hz; lia.
    - apply Rmult_le_compat_r; [apply bpow_ge_0|]; pose proof (pos_INR m); lra. }
  assert (Above : forall z, (z0 < z)%nat -> g z = 1).
  { intros z Hz; rewrite G, (sum_ext _ _ (fun _ => / INR mantissas)); [rewrite sum_const; field; lra|]; intros m Hm; destruct (Rlt_dec _ _) as [L|L]; [simpl; ring|exfalso].
    apply L; apply Rlt_le_trans with (bpow radix2 (e - 1)); [|apply He]; unfold float_value; cbn [fst snd]; rewrite Mod by auto.
    apply lt_INR in Hm; apply Rlt_le_trans with (2 * INR mantissas * bpow radix2 (- (53 + Z.of_nat z))).
    - apply Rmult_lt_compat_r; [apply bpow_gt_0|lra].
    - rewrite mantissas_is; change 2 with (bpow radix2 1); rewrite <- !bpow_plus; apply bpow_le; unfold z0 in Hz; lia. }
  assert (At : g z0 = INR M / INR mantissas).
  { rewrite G, (sum_ext _ _ (fun m => / INR mantissas * ind (Nat.ltb m M))).
    - rewrite count_below by auto; reflexivity.
    - intros m Hm; f_equal; f_equal; unfold float_value; cbn [fst snd]; rewrite Mod by auto; rewrite Ek, Ez, EM.
      pose proof (bpow_gt_0 radix2 (- (53 + Z.of_nat z0))) as B.
      destruct (Rlt_dec _ _) as [L|L], (Nat.ltb_spec m M) as [L'|L']; auto; exfalso.
      + apply Rmult_lt_reg_r in L; auto; apply le_INR in L'; lra.
      + apply L, Rmult_lt_compat_r; auto; apply lt_INR in L'; lra. }
  unfold Pr, float_draw; cbn [Ex bind dmap ret]; change (Ex zeros g = f).
  rewrite (zeros_Ex z0 g); auto.
  - rewrite At, Ek, Ez, EM; unfold Rdiv.
    replace (bpow radix2 (- (53 + Z.of_nat z0))) with ((/ 2) ^ z0 * / 2 * / INR mantissas); [field; lra|].
    rewrite mantissas_is, <- bpow_opp.
    assert (Pw : (/ 2) ^ z0 = bpow radix2 (- Z.of_nat z0)).
    { clear; induction z0 as [|n IH]; [reflexivity|]; rewrite Nat2Z.inj_succ; simpl pow; rewrite IH.
      replace (- Z.succ (Z.of_nat n))%Z with (- (1) + - Z.of_nat n)%Z by lia; rewrite bpow_plus; reflexivity. }
    rewrite Pw; change (/ 2) with (bpow radix2 (- (1))); rewrite <- !bpow_plus; f_equal; lia.
  - intros z; apply Ex_unit; intros m; unfold ind; destruct (Rlt_dec _ _); lra.
Qed.

(** So the theorem holds of the draw as it is made. *)
Theorem make_snapping_as_drawn lam B g c51 k m loss : 0 < lam -> lam < B < IZR (2 ^ 46) * lam -> lam <= bpow radix2 g < 2 * lam -> is_float B ->
  5.05 <= c51 -> kappa <= k -> exp (exponent lam B c51) - 1 <= m -> 0 < dn (1 - error_up m k) ->
  ln (inf_div (up (1 + error_up m k)) (dn (1 - error_up m k))) <= loss ->
  forall v v' d, is_float v -> is_float v' -> Rabs (v - v') <= d ->
  close (snapping_map lam loss d) 0 (snapped float_draw float_value lam B g (clamp B v)) (snapped float_draw float_value lam B g (clamp B v')).
Proof. intros; apply make_snapping with (c51 := c51) (k := k) (m := m); auto using float_range, float_uniform. Qed.
End Mantissas.
