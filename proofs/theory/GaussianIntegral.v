(** The whole of the normal law: the root of two pi.  With A the integral of [exp (- t^2 / 2)] from 0 to x, half the square of A and
    [turned x] have derivatives that cancel, so that their sum is what it is at 0: a quarter of pi. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Theta RoundedGaussian Normal.
Open Scope R_scope.

Definition ray (x t : R) : R := exp (- (x * x * (1 + t * t) / 2)) / (1 + t * t).
Definition ray_slope (x t : R) : R := - x * exp (- (x * x * (1 + t * t) / 2)).
Definition turned (x : R) : R := RInt (ray x) 0 1.

Lemma ray_derive x t : is_derive (fun x => ray x t) x (ray_slope x t).
Proof. unfold ray, ray_slope; auto_derive; [nra|]; unfold Rdiv; set (e := exp _); field; nra. Qed.
Lemma ex_ray x : ex_RInt (ray x) 0 1.
Proof. apply (ex_RInt_continuous (ray x)); intros t _; apply (ex_derive_continuous (ray x)); unfold ray; auto_derive; nra. Qed.

Lemma turned_derive x : is_derive turned x (- (hill 0 x * G (/ 2) x)).
Proof.
  assert (D : forall x t, Derive (fun z => ray z t) x = ray_slope x t) by (intros; apply is_derive_unique, ray_derive).
  assert (I : is_RInt (ray_slope x) 0 1 (- (hill 0 x * G (/ 2) x))).
  { assert (J : is_RInt (fun t => scal (- hill 0 x) (scal x (hill 0 (x * t + 0)))) 0 1 (scal (- hill 0 x) (G (/ 2) x))).
    { apply (is_RInt_scal (fun t => scal x (hill 0 (x * t + 0)))), (is_RInt_comp_lin (hill 0)).
      assert (E0 : x * 0 + 0 = 0) by ring; assert (E1 : x * 1 + 0 = x) by ring; rewrite E0, E1; apply (RInt_correct (bell (/ 2) 0)), ex_bell. }
    replace (- (hill 0 x * G (/ 2) x)) with (scal (- hill 0 x) (G (/ 2) x)) by (unfold scal; simpl; unfold mult; simpl; ring).
    apply (is_RInt_ext (fun t => scal (- hill 0 x) (scal x (hill 0 (x * t + 0))))); [|exact J].
    intros t _; unfold scal; simpl; unfold mult; simpl; unfold ray_slope, hill, bell.
    replace (exp (- (x * x * (1 + t * t) / 2))) with (exp (- (/ 2 * (x - 0) ^ 2)) * exp (- (/ 2 * (x * t + 0 - 0) ^ 2))); [ring|].
    rewrite <- exp_plus; f_equal; field. }
  rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ I).
  rewrite <- (RInt_ext (fun t => Derive (fun z => ray z t) x)) by (intros; apply D).
  apply (is_derive_RInt_param (fun x t => ray x t)).
  - apply filter_forall; intros z t _; eexists; apply ray_derive.
  - intros t _; apply continuity_2d_pt_ext with ray_slope; [intros; symmetry; apply D|].
    unfold ray_slope; apply continuity_2d_pt_mult; [apply continuity_2d_pt_opp, continuity_2d_pt_id1|].
    apply (continuity_1d_2d_pt_comp exp (fun x t => - (x * x * (1 + t * t) / 2))).
    + apply derivable_continuous_pt, derivable_pt_exp.
    + apply continuity_2d_pt_opp; unfold Rdiv; apply continuity_2d_pt_mult; [|apply continuity_2d_pt_const].
      apply continuity_2d_pt_mult; [apply continuity_2d_pt_mult; apply continuity_2d_pt_id1|].
      apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|apply continuity_2d_pt_mult; apply continuity_2d_pt_id2].
  - apply filter_forall; intros z; apply ex_ray.
Qed.

Lemma turned_0 : turned 0 = PI / 4.
Proof.
  unfold turned; apply (is_RInt_unique (V := R_CompleteNormedModule)).
  assert (E : atan 1 - atan 0 = PI / 4) by (rewrite atan_1, atan_0; lra); rewrite <- E.
  apply (is_RInt_ext (fun t => / (1 + t * t))).
  - intros t _; unfold ray; rewrite !Rmult_0_l; unfold Rdiv; rewrite Rmult_0_l, Ropp_0, exp_0; symmetry; apply Rmult_1_l.
  - apply (is_RInt_derive atan (fun t => / (1 + t * t)) 0 1).
    + intros t _; apply is_derive_Reals; replace (t * t) with (t ^ 2) by ring; apply derivable_pt_lim_atan.
    + intros t _; apply (ex_derive_continuous (fun t => / (1 + t * t))); auto_derive; nra.
Qed.

Lemma turned_small x : 0 <= turned x <= exp (- (x * x / 2)).
Proof.
  split.
  - apply RInt_ge_0; [lra|apply ex_ray|]; intros t _; unfold ray; apply Rmult_le_pos; left; [apply exp_pos|apply Rinv_0_lt_compat; nra].
  - pose proof (is_RInt_const 0 1 (exp (- (x * x / 2)))) as C; unfold scal in C; simpl in C; unfold mult in C; simpl in C.
    rewrite Rminus_0_r, Rmult_1_l in C.
    apply (is_RInt_le (ray x) (fun _ => exp (- (x * x / 2))) 0 1); [lra|apply (RInt_correct (ray x)), ex_ray|exact C|].
    intros t [T0 T1]; unfold ray, Rdiv at 1; rewrite <- (Rmult_1_r (exp (- (x * x / 2)))); apply Rmult_le_compat.
    + left; apply exp_pos.
    + left; apply Rinv_0_lt_compat; nra.
    + apply exp_le; assert (0 <= x * x) by nra; assert (0 <= x * x * (t * t)) by (apply Rmult_le_pos; nra); lra.
    + rewrite <- Rinv_1; apply Rinv_le_contravar; nra.
Qed.

Lemma square_and_turned x : G (/ 2) x * G (/ 2) x / 2 + turned x = PI / 4.
Proof.
  assert (D : forall z, is_derive (fun x => G (/ 2) x * G (/ 2) x / 2 + turned x) z 0).
  { intros z; replace 0 with ((hill 0 z * G (/ 2) z + G (/ 2) z * hill 0 z) / 2 + - (hill 0 z * G (/ 2) z)) by lra.
    assert (E : is_derive (G (/ 2)) z (hill 0 z)).
    { apply (is_derive_RInt (bell (/ 2) 0) (G (/ 2)) 0); [|apply bell_continuous].
      apply filter_forall; intros y; apply (RInt_correct (bell (/ 2) 0)), ex_bell. }
    apply (is_derive_plus (fun x => G (/ 2) x * G (/ 2) x / 2) turned); [|apply turned_derive].
    apply (is_derive_ext (fun x => scal (/ 2) (G (/ 2) x * G (/ 2) x))).
    { intros t; unfold scal; simpl; unfold mult; simpl; lra. }
    replace ((hill 0 z * G (/ 2) z + G (/ 2) z * hill 0 z) / 2) with (scal (/ 2) (hill 0 z * G (/ 2) z + G (/ 2) z * hill 0 z)) by
      (unfold scal; simpl; unfold mult; simpl; lra).
    apply (is_derive_scal (fun x => G (/ 2) x * G (/ 2) x)), (is_derive_mult (G (/ 2)) (G (/ 2))); auto; intros; apply Rmult_comm. }
  destruct (MVT_gen (fun x => G (/ 2) x * G (/ 2) x / 2 + turned x) 0 x (fun _ => 0)) as (z & _ & E).
  - intros z _; apply D.
  - intros z _; apply continuity_pt_filterlim, (ex_derive_continuous (fun x => G (/ 2) x * G (/ 2) x / 2 + turned x)); eexists; apply D.
  - assert (Z : G (/ 2) 0 = 0) by exact (RInt_point 0 (bell (/ 2) 0)); rewrite Z, turned_0 in E; lra.
Qed.

Theorem whole_value : whole = sqrt (2 * PI).
Proof.
  assert (S : (half (/ 2) standard) * (half (/ 2) standard) / 2 = PI / 4).
  { assert (L : is_lim_seq (fun n => G (/ 2) (INR n) * G (/ 2) (INR n) / 2 + turned (INR n)) (half (/ 2) standard * half (/ 2) standard / 2 + 0)).
    { apply is_lim_seq_plus'.
      - apply is_lim_seq_mult'; [apply is_lim_seq_mult'; apply half_lim|apply is_lim_seq_const].
      - apply is_lim_seq_le_le with (fun _ => 0) (fun n => 2 * / (INR n + 1)).
        + intros n; pose proof (turned_small (INR n)) as [A B]; split; auto; eapply Rle_trans; [exact B|].
          rewrite exp_Ropp; pose proof (exp_ineq1_le (INR n * INR n / 2)); pose proof (pos_INR n).
          replace (2 * / (INR n + 1)) with (/ ((INR n + 1) / 2)) by (field; lra).
          apply Rinv_le_contravar; [lra|nra].
        + apply is_lim_seq_const.
        + replace (Finite 0) with (Finite (2 * 0)) by (f_equal; ring); apply is_lim_seq_mult'; [apply is_lim_seq_const|].
          apply steps_vanish. }
    apply is_lim_seq_ext with (v := fun _ => PI / 4) in L; [|intros; apply square_and_turned].
    apply is_lim_seq_unique in L; rewrite Lim_seq_const in L; injection L as L; lra. }
  unfold whole; pose proof (half_pos (/ 2) standard) as P; symmetry; apply sqrt_lem_1; try lra.
  pose proof PI_RGT_0; lra.
Qed.
