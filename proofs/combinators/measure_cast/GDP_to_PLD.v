(** [make_GDP_to_PLD]: the losses of Gaussian noise of deviation [1 / mu], rounded down. *)
Require Import Reals Lra Psatz Lia ZArith.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx GaussianDivergence Measures Rounding GDP_to_approxDP.
Open Scope R_scope.

(** The delta of noise of deviation [sigma] on what moves by 1: of N(1/sigma, 1) against N(0, 1). *)
Definition noise_delta (sigma epsilon : R) : R := gaussian_delta (/ sigma) epsilon.

(** The constants of the code, 1e-99 and 1e99 as floats. *)
Section Range.
Variables (least greatest : R) (L0 : 0 < least) (G1 : greatest <= bpow radix2 1000) (LG : least <= greatest).

(** [losses_of_gaussian]: nothing is lost at 0; above [greatest], infinity in the code, nothing is promised; a positive mu is at least [least]. *)
Definition losses_of_gaussian (mu : R) : R -> R :=
  if Req_EM_T mu 0 then fun _ => 0
  else if Rlt_dec greatest mu then fun _ => 1
  else noise_delta (dn (1 / if Rlt_dec mu least then least else mu)).

Lemma dn_positive x : bpow radix2 (-1000) <= x -> 0 < dn x.
Proof.
  intros H; apply Rlt_le_trans with (bpow radix2 (-1000)); [apply bpow_gt_0|].
  apply round_ge_generic; auto with typeclass_instances; apply generic_format_bpow; unfold FLT_exp; lia.
Qed.

Theorem make_GDP_to_PLD {Y} mu (P Q : dist Y) : 0 <= mu ->
  (mu <= greatest -> gaussian_divergence mu P Q) -> smoothed_max_divergence (losses_of_gaussian mu) P Q.
Proof.
  intros M G; unfold losses_of_gaussian; destruct (Req_EM_T mu 0) as [->|N]; [|destruct (Rlt_dec greatest mu) as [L|L]].
  - apply make_GDP_to_approxDP_zero, G; lra.
  - intros e He; assert (X : forall P Q : dist Y, close e 1 P Q); [|now split].
    intros P' Q' f Hf; pose proof (Ex_unit P' f Hf); pose proof (Ex_unit Q' f Hf); pose proof (exp_pos e).
    assert (0 <= exp e * Ex Q' f) by (apply Rmult_le_pos; lra); lra.
  - set (m := if Rlt_dec mu least then least else mu).
    assert (B : mu <= m <= greatest /\ 0 < m) by (unfold m; destruct (Rlt_dec mu least); lra).
    set (sigma := dn (1 / m)); assert (D : sigma <= 1 / m) by apply dn_le.
    assert (S : 0 < sigma).
    { apply dn_positive; replace (-1000)%Z with (- (1000))%Z by lia; rewrite bpow_opp; unfold Rdiv; rewrite Rmult_1_l.
      apply Rinv_le_contravar; lra. }
    assert (W : mu <= / sigma).
    { apply Rle_trans with (/ (1 / m)); [|now apply Rinv_le_contravar].
      replace (/ (1 / m)) with m by (field; lra); lra. }
    intros e He; destruct (G ltac:(lra)) as [PQ QP]; unfold noise_delta.
    split; apply no_easier_close; try (now apply Rinv_0_lt_compat); now apply no_easier_mono with mu.
Qed.
End Range.
