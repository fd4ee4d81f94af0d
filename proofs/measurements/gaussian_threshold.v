(** [make_gaussian_threshold]: discrete Gaussian noise on the numbers of unknown keys, given a bound on its tail. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Flocq Require Import Core.Core.
From DP Require Import Expect DualRenyi DiscreteGaussian Measures Totals Rounding keys laplace gaussian threshold.
Import ListNotations.
Open Scope R_scope.

(** [ratio.inf_div(2.0)?.inf_mul(ratio)?]. *)
Definition rho_of (norm s : R) : R := inf_mul (inf_div (inf_div norm s) 2) (inf_div norm s).

Section Mechanism.
Context {K Y : Type} (s : R) (Hs : 0 < s) (T : Z) (release : list (option Z) -> Y).
Notation noisy := (dgauss s Hs).

(** [survival] is at least the probability that noise reaches [T - floor(greatest)]. *)
Theorem make_gaussian_threshold keys norm greatest survival (f g : K -> Z) ks : NoDup ks -> 0 <= norm -> survival <= 1 ->
  (forall x, (x <= Zfloor greatest)%Z -> Ex (noisy x) (fun y => ind (T <=? y)%Z) <= survival) ->
  map_apart L02InfDistance (keys, norm, greatest) (fun k => IZR (f k)) (fun k => IZR (g k)) ->
  approximate zero_concentrated (rho_of norm s) (any_of keys survival)
    (dmap release (released noisy T f ks)) (dmap release (released noisy T g ks)).
Proof.
  intros N P0 S1 S H.
  apply (approximate_map (@zero_concentrated) release); [intros P Q [A B]; split; now apply zCDP_post_processing|].
  pose proof (map_apart_sym _ _ _ _ H) as H'.
  assert (S0 : 0 <= survival <= 1).
  { split; auto; eapply Rle_trans; [|apply (S (Zfloor greatest) (Z.le_refl _))].
    apply (Ex_unit (noisy (Zfloor greatest)) (fun y => ind (T <=? y)%Z) (ind_unit (fun y => (T <=? y)%Z))). }
  apply threshold_parts; auto.
  - now destruct (H ks N).
  - intros k I F G; apply S; eapply (alone_small L02InfDistance keys norm greatest f g ks); eauto.
  - intros k I F G; apply S; eapply (alone_small L02InfDistance keys norm greatest g f ks); eauto.
  - assert (X : forall f g : K -> Z, map_apart L02InfDistance (keys, norm, greatest) (fun k => IZR (f k)) (fun k => IZR (g k)) ->
      zCDP (rho_of norm s) (each (shared noisy T f g) ks) (each (shared noisy T g f) ks)).
    { clear - N Hs P0; intros f g H; destruct (H ks N) as (_ & B & _); simpl in B; unfold l2 in B.
      pose proof (squares_nonneg (length ks) (difference ks (fun k => IZR (f k)) (fun k => IZR (g k)))) as Q0.
      assert (C : over (fun k => IZR (f k)) (fun k => IZR (g k)) (fun x => x ^ 2) ks <= norm ^ 2).
      { rewrite <- over_sum, <- squares_sum, <- (sqrt_sqrt _ Q0); simpl; rewrite Rmult_1_r.
        apply Rmult_le_compat; auto using sqrt_pos. }
      apply zCDP_mono with (fold_right (fun k sum => (IZR (f k) - IZR (g k)) ^ 2 / (2 * (s * s)) + sum) 0 ks).
      - apply Rle_trans with (norm ^ 2 / (2 * (s * s))).
        + apply Rle_trans with (over (fun k => IZR (f k)) (fun k => IZR (g k)) (fun x => x ^ 2) ks / (2 * (s * s))).
          * right; unfold over; clear; induction ks as [|k l IH]; cbn [fold_right]; [unfold Rdiv; ring|].
            rewrite IH; unfold Rdiv; ring.
          * unfold Rdiv; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|exact C].
        + assert (R1 : 0 <= norm / s) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
          assert (R2 : norm / s <= inf_div norm s) by (apply inf_div_ge; lra).
          replace (norm ^ 2 / (2 * (s * s))) with (norm / s / 2 * (norm / s)) by (field; lra).
          unfold rho_of; apply inf_mul_ge; split; try lra; apply inf_div_ge; lra.
      - apply each_both_zCDP; intros k _; apply shared_zCDP; [|apply dgauss_zCDP].
        apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; nra]. }
    split; apply X; auto.
Qed.
End Mechanism.
