(** The arithmetic that stability maps share, rounded as the library rounds it. *)
Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.Core.
From DP Require Import Rounding.
Open Scope R_scope.

(** [moved]: no steps move nothing, and [d] steps of at most [step] each move at most their product, rounded up. *)
Definition moved (d : nat) (step : R) : R := match d with O => 0 | _ => inf_mul (INR d) step end.

Theorem moved_sound d t step : 0 <= t <= step -> INR d * t <= moved d step.
Proof.
  intros H; destruct d; [simpl; lra|]; apply inf_mul_ge; split; auto using pos_INR; lra.
Qed.

(** [magnitude_and_range]: the bounds rounded outward, the greater of their sizes, and their difference rounded up. *)
Definition magnitude (l u : R) : R := Rmax (Rabs (dn l)) (Rabs (up u)).
Definition range (l u : R) : R := up (up u - dn l).

Theorem magnitude_sound l u v : l <= v <= u -> Rabs v <= magnitude l u.
Proof.
  intros H; unfold magnitude; pose proof (dn_le l); pose proof (up_ge u).
  destruct (Rle_dec 0 v).
  - apply Rle_trans with (Rabs (up u)); [|apply Rmax_r]; rewrite !Rabs_pos_eq; lra.
  - apply Rle_trans with (Rabs (dn l)); [|apply Rmax_l]; rewrite !Rabs_left1; lra.
Qed.
Lemma magnitude_nonneg l u : 0 <= magnitude l u.
Proof. unfold magnitude; eapply Rle_trans; [apply Rabs_pos|apply Rmax_l]. Qed.

Theorem range_sound l u v w : l <= v <= u -> l <= w <= u -> Rabs (v - w) <= range l u.
Proof.
  intros H H'; unfold range; pose proof (dn_le l); pose proof (up_ge u); pose proof (up_ge (up u - dn l)).
  apply Rabs_le; lra.
Qed.
Lemma range_nonneg l u : l <= u -> 0 <= range l u.
Proof.
  intros H; unfold range; pose proof (dn_le l); pose proof (up_ge u); pose proof (up_ge (up u - dn l)); lra.
Qed.
