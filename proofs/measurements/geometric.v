(** [make_geometric]: an integer, clamped before and after the noise. *)
Require Import Reals Lra Lia ZArith List.
From DP Require Import Expect Approx Measures Totals laplace.
Import ListNotations.
Open Scope R_scope.

(** [value.clamp(lower, upper)], or the value itself. *)
Definition clamp (bounds : option (Z * Z)) (x : Z) : Z :=
  match bounds with Some (lower, upper) => Z.min (Z.max x lower) upper | None => x end.

Lemma clamp_moves bounds x y : (Z.abs (clamp bounds x - clamp bounds y) <= Z.abs (x - y))%Z.
Proof. destruct bounds as [[l u]|]; simpl; lia. Qed.

Section Mechanism.
Variables (s : R) (Hs : 0 < s) (bounds : option (Z * Z)).
(** [saturate]: the ends of the type. *)
Variable saturate : Z -> Z.
Definition noisy (x : Z) : dist (list Z) :=
  dmap (map (fun z => clamp bounds (saturate z))) (integers s Hs [clamp bounds x]).

Theorem make_geometric x x' d : IZR (Z.abs (x - x')) <= d -> max_divergence (laplace_map s d) (noisy x) (noisy x').
Proof.
  intros H; assert (X : forall x x', IZR (Z.abs (x - x')) <= d -> close (laplace_map s d) 0 (noisy x) (noisy x')).
  { clear; intros x x' H; apply make_laplace_released_integers; [reflexivity|].
    simpl map; rewrite distance_l1_single, <- minus_IZR, <- abs_IZR; eapply Rle_trans; [apply IZR_le, clamp_moves|exact H]. }
  split; apply X; auto; rewrite <- Z.abs_opp; now replace (- (x' - x))%Z with (x - x')%Z by ring.
Qed.
End Mechanism.
