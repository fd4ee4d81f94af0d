(** The sum of independent normal numbers is normal: [Phi] of a line, weighted by a hill, has a mean of [Phi] at most that, whatever is cut off. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Theta RoundedGaussian Normal.
Open Scope R_scope.

Section Sum.
Variables (be u v : R) (UV : u <= v).
Let q := sqrt (1 + be * be).
Lemma q_square : q * q = 1 + be * be.
Proof. apply sqrt_sqrt; nra. Qed.
Lemma q_pos : 0 < q.
Proof. apply sqrt_lt_R0; nra. Qed.

Definition weighed (a y : R) : R := / whole * hill 0 y * Phi (a + be * y).
Lemma weighed_continuous a y : continuous (weighed a) y.
Proof.
  apply (continuous_mult (fun y => / whole * hill 0 y) (fun y => Phi (a + be * y))).
  - apply (continuous_scal_r (/ whole) (hill 0)), hill_continuous.
  - apply (continuous_comp (fun y => a + be * y) Phi); [|apply Phi_continuous].
    apply (ex_derive_continuous (fun y => a + be * y)); auto_derive; auto.
Qed.
Lemma ex_weighed a x y : ex_RInt (weighed a) x y.
Proof. apply (ex_RInt_continuous (weighed a)); intros; apply weighed_continuous. Qed.
Definition mean (a : R) : R := RInt (weighed a) u v.

Definition slope (a y : R) : R := / whole * hill 0 y * (/ whole * hill 0 (a + be * y)).
Lemma weighed_derive a y : is_derive (fun a => weighed a y) a (slope a y).
Proof.
  unfold weighed, slope; apply (is_derive_scal (fun a => Phi (a + be * y)) a (/ whole * hill 0 y)).
  replace (/ whole * hill 0 (a + be * y)) with (scal 1 (/ whole * hill 0 (a + be * y))) by (unfold scal; simpl; unfold mult; simpl; ring).
  apply (is_derive_comp Phi (fun a => a + be * y)); [apply Phi_derive|auto_derive; auto].
Qed.
Lemma slope_square a y : slope a y = / whole * hill 0 (a / q) * (/ whole * hill 0 (q * y + a * be / q)).
Proof.
  pose proof q_pos; pose proof q_square as S.
  assert (E : hill 0 y * hill 0 (a + be * y) = hill 0 (a / q) * hill 0 (q * y + a * be / q)).
  { unfold hill, bell; rewrite <- !exp_plus; f_equal; apply Rmult_eq_reg_r with (q * q); [|nra].
    transitivity (- (/ 2 * ((y * y + (a + be * y) * (a + be * y)) * (q * q)))); [ring|].
    transitivity (- (/ 2 * (a * a + (q * q * y + a * be) * (q * q * y + a * be)))); [rewrite S; ring|field; lra]. }
  unfold slope; transitivity (/ whole * / whole * (hill 0 y * hill 0 (a + be * y))); [ring|rewrite E; ring].
Qed.
Lemma slope_continuous a y : continuous (slope a) y.
Proof.
  apply (ex_derive_continuous (slope a)); unfold slope, hill, bell; auto_derive; auto.
Qed.

Lemma mean_derive a : is_derive mean a (RInt (slope a) u v).
Proof.
  assert (D : forall x y, Derive (fun z => weighed z y) x = slope x y) by (intros; apply is_derive_unique, weighed_derive).
  rewrite <- (RInt_ext (fun y => Derive (fun z => weighed z y) a)) by (intros; apply D).
  apply (is_derive_RInt_param (fun a y => weighed a y)).
  - apply filter_forall; intros x t _; eexists; apply weighed_derive.
  - intros t _; apply continuity_2d_pt_ext with slope; [intros; symmetry; apply D|].
    unfold slope, hill, bell.
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|]|
                                  apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|]].
    + apply (continuity_1d_2d_pt_comp (fun z => exp (- (/ 2 * (z - 0) ^ 2))) (fun _ y => y)); [|apply continuity_2d_pt_id2].
      apply continuity_pt_filterlim, (ex_derive_continuous (fun z => exp (- (/ 2 * (z - 0) ^ 2)))); auto_derive; auto.
    + apply (continuity_1d_2d_pt_comp (fun z => exp (- (/ 2 * (z - 0) ^ 2))) (fun x y => x + be * y)).
      * apply continuity_pt_filterlim, (ex_derive_continuous (fun z => exp (- (/ 2 * (z - 0) ^ 2)))); auto_derive; auto.
      * apply continuity_2d_pt_plus; [apply continuity_2d_pt_id1|].
        apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|apply continuity_2d_pt_id2].
  - apply filter_forall; intros x; apply ex_weighed.
Qed.

Lemma slope_bound a : RInt (slope a) u v <= / whole * hill 0 (a / q) * / q.
Proof.
  pose proof q_pos as Q; pose proof whole_pos as W; pose proof (hill_pos 0 (a / q)) as H.
  set (b := a * be / q); set (k := / whole * hill 0 (a / q) * (/ whole * / q)).
  assert (I : is_RInt (fun y => scal k (scal q (hill 0 (q * y + b)))) u v (scal k (whole * (Phi (q * v + b) - Phi (q * u + b))))).
  { apply (is_RInt_scal (fun y => scal q (hill 0 (q * y + b)))), (is_RInt_comp_lin (hill 0)), share_RInt. }
  apply (is_RInt_ext _ (slope a)) in I.
  - rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ I).
    change (k * (whole * (Phi (q * v + b) - Phi (q * u + b))) <= / whole * hill 0 (a / q) * / q).
    pose proof (Phi_range (q * v + b)); pose proof (Phi_range (q * u + b)).
    replace (/ whole * hill 0 (a / q) * / q) with (k * (whole * 1)) by (unfold k; field; lra).
    apply Rmult_le_compat_l; [|apply Rmult_le_compat_l; lra].
    unfold k; repeat apply Rmult_le_pos; try lra; left; now apply Rinv_0_lt_compat.
  - intros y _; rewrite slope_square; fold b; unfold k, scal; simpl; unfold mult; simpl; field; lra.
Qed.

Lemma mean_small e : 0 < e -> exists a0, forall a, a <= a0 -> mean a <= e.
Proof.
  intros E; destruct (Phi_near_none e E) as [x X]; set (b := Rmax (be * u) (be * v)).
  exists (x - b); intros a A; pose proof whole_pos.
  assert (I : is_RInt (fun y => e * (/ whole * hill 0 y)) u v (e * (/ whole * (whole * (Phi v - Phi u))))).
  { apply (is_RInt_scal (fun y => / whole * hill 0 y) u v e), (is_RInt_scal (hill 0) u v (/ whole)), share_RInt. }
  apply Rle_trans with (e * (/ whole * (whole * (Phi v - Phi u)))).
  - apply (is_RInt_le (weighed a) (fun y => e * (/ whole * hill 0 y)) u v); auto; [apply (RInt_correct (weighed a)), ex_weighed|].
    intros y [Y1 Y2]; unfold weighed; rewrite (Rmult_comm e); apply Rmult_le_compat_l.
    + apply Rmult_le_pos; left; [now apply Rinv_0_lt_compat|apply hill_pos].
    + left; eapply Rle_lt_trans; [|exact X]; apply Phi_le.
      assert (be * y <= b); [|lra]; unfold b; destruct (Rle_dec 0 be).
      * eapply Rle_trans; [|apply Rmax_r]; nra.
      * eapply Rle_trans; [|apply Rmax_l]; nra.
  - pose proof (Phi_range u); pose proof (Phi_range v).
    replace (/ whole * (whole * (Phi v - Phi u))) with (Phi v - Phi u) by (field; lra); nra.
Qed.

Theorem mean_le a : mean a <= Phi (a / q).
Proof.
  pose proof q_pos as Q.
  assert (M : forall x y, x <= y -> Phi (x / q) - mean x <= Phi (y / q) - mean y).
  { intros x y L.
    assert (D : forall z, is_derive (fun z => Phi (z / q) - mean z) z (/ whole * hill 0 (z / q) * / q - RInt (slope z) u v)).
    { intros z; apply (is_derive_minus (fun z => Phi (z / q)) mean); [|apply mean_derive].
      replace (/ whole * hill 0 (z / q) * / q) with (scal (/ q) (/ whole * hill 0 (z / q))) by (unfold scal; simpl; unfold mult; simpl; ring).
      apply (is_derive_comp Phi (fun z => z / q)); [apply Phi_derive|auto_derive; auto; field; lra]. }
    destruct (MVT_gen (fun z => Phi (z / q) - mean z) x y (fun z => / whole * hill 0 (z / q) * / q - RInt (slope z) u v)) as (z & _ & E).
    - intros z _; apply D.
    - intros z _; apply continuity_pt_filterlim, (ex_derive_continuous (fun z => Phi (z / q) - mean z)); eexists; apply D.
    - pose proof (slope_bound z); nra. }
  apply Rnot_lt_le; intros G; set (gap := mean a - Phi (a / q)); assert (Hg : 0 < gap) by (unfold gap; lra).
  destruct (mean_small (gap / 2)) as [a0 S]; [lra|].
  specialize (S (Rmin a a0) (Rmin_r _ _)); specialize (M (Rmin a a0) a (Rmin_l _ _)).
  pose proof (Phi_range (Rmin a a0 / q)); unfold gap in *; lra.
Qed.
End Sum.

(** The other way round, less what is cut off. *)
Theorem mean_ge be u v a : u <= v -> Phi (a / sqrt (1 + be * be)) - (Phi u + (1 - Phi v)) <= mean be u v a.
Proof.
  intros L; pose proof (mean_le (- be) u v L (- a)) as H; pose proof whole_pos as W.
  replace (- be * - be) with (be * be) in H by ring; unfold Rdiv in *; rewrite Ropp_mult_distr_l_reverse, Phi_opp in H.
  assert (E : mean (- be) u v (- a) = (Phi v - Phi u) - mean be u v a); [|lra].
  apply is_RInt_unique.
  apply (is_RInt_ext (fun y => minus (/ whole * hill 0 y) (weighed be a y))).
  - intros y _; unfold weighed; replace (- a + - be * y) with (- (a + be * y)) by ring; rewrite Phi_opp.
    unfold minus, plus, opp; simpl; ring.
  - apply (is_RInt_minus (fun y => / whole * hill 0 y) (weighed be a)); [|apply (RInt_correct (weighed be a)), ex_weighed].
    replace (Phi v - Phi u) with (/ whole * (whole * (Phi v - Phi u))) by (field; lra).
    apply (is_RInt_scal (hill 0) u v (/ whole)), share_RInt.
Qed.
