(** [make_gaussian] on integers: independent discrete Gaussian noise on each number of a vector. *)
Require Import Reals Lra Psatz ZArith List.
From DP Require Import Expect DualRenyi DiscreteGaussian Rounding.
Open Scope R_scope.

(** [map_of_ratio] with [(ratio / 2) * ratio]: the distance is rounded up to binary64, and so is every operation. *)
Definition gaussian_map (s d : R) : R :=
  if Req_EM_T (up d) 0 then 0 else let r := inf_div (up d) s in inf_mul (inf_div r 2) r.

Lemma gaussian_map_sound s d : 0 < s -> 0 <= d -> d ^ 2 / (2 * (s * s)) <= gaussian_map s d.
Proof.
  intros Hs Hd; pose proof (up_ge d); unfold gaussian_map; destruct (Req_EM_T (up d) 0).
  - replace d with 0 by lra; unfold Rdiv; simpl; rewrite !Rmult_0_l; lra.
  - assert (R1 : 0 <= d / s) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
    assert (R2 : d / s <= inf_div (up d) s) by (apply inf_div_ge; lra).
    cbv zeta; set (r := inf_div (up d) s) in *.
    replace (d ^ 2 / (2 * (s * s))) with (d / s / 2 * (d / s)) by (field; lra).
    apply inf_mul_ge; split; try lra; apply inf_div_ge; lra.
Qed.

Theorem make_gaussian_integers s (Hs : 0 < s) xs xs' d : length xs = length xs' -> 0 <= d -> sqrt (sqdist xs xs') <= d ->
  zCDP (gaussian_map s d) (vgauss s Hs xs) (vgauss s Hs xs').
Proof.
  intros E Hd H; apply zCDP_mono with (sqdist xs xs' / (2 * (s * s))); [|now apply vgauss_zCDP].
  apply Rle_trans with (d ^ 2 / (2 * (s * s))); [|now apply gaussian_map_sound].
  assert (P : 0 <= sqdist xs xs').
  { clear; revert xs'; induction xs as [|x xs IH]; intros [|x' xs']; simpl; try lra.
    specialize (IH xs'); pose proof (pow2_ge_0 (IZR x - IZR x')); simpl in *; lra. }
  unfold Rdiv; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|].
  rewrite <- (sqrt_sqrt (sqdist xs xs') P); simpl; rewrite Rmult_1_r.
  pose proof (sqrt_pos (sqdist xs xs')); nra.
Qed.
