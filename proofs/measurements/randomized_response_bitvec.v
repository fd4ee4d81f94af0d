(** [make_randomized_response_bitvec]: every bit by itself. *)
Require Import Reals Lra Lia List.
From DP Require Import Expect Approx Dataset Measures Rounding Maps laplace randomized_response_bool.
Import ListNotations.
Open Scope R_scope.

Section Bits.
Variables (p : R) (Hp : 0 <= p <= 1) (Hhalf : 1 / 2 <= p) (Hone : 0 < dn (1 - p)).
Definition releases : list bool -> dist (list bool) := each (release p Hp).

Lemma hamming_sym {A} d (x y : list A) : hamming d x y -> hamming d y x.
Proof. induction 1; constructor; auto. Qed.

Lemma releases_close d x y : hamming d x y -> close (INR d * loss_of_odds p 1) 0 (releases x) (releases y).
Proof.
  assert (L : 0 <= loss_of_odds p 1) by apply Rmax_r.
  induction 1 as [d|d a x y _ IH|d a b x y _ IH].
  - apply close_mono with 0 0; [apply Rmult_le_pos; auto using pos_INR|lra|]; intros f _; rewrite exp_0; lra.
  - rewrite <- (Rplus_0_l (INR d * loss_of_odds p 1)); rewrite <- (Rplus_0_l 0) at 2.
    apply adaptive_composition; [lra| |intros b; now apply post_processing].
    intros f _; rewrite exp_0; lra.
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Rplus_comm; replace 0 with (0 + 0) by ring.
    apply adaptive_composition; [lra|now apply release_close|]; intros c; now apply post_processing.
Qed.

Theorem make_randomized_response_bitvec d x y : hamming d x y ->
  max_divergence (moved d (loss_of_odds p 1)) (releases x) (releases y).
Proof.
  intros H; assert (B : INR d * loss_of_odds p 1 <= moved d (loss_of_odds p 1)) by
    (apply moved_sound; split; [apply Rmax_r|lra]).
  split; (eapply close_mono; [exact B|apply Rle_refl|]); apply releases_close; auto using hamming_sym.
Qed.
End Bits.
