(** [make_randomized_response_bool]: a truth value, or its negation; and the loss of such a coin. *)
Require Import Reals Lra Psatz Bool.
From DP Require Import Expect Approx RandResp Measures Rounding.
Open Scope R_scope.

(** [loss_of_odds]: [ln (p others / (1 - p))], every step rounded so that the result is not too small. *)
Definition inf_ln (x : R) : R := up (ln x).
Definition loss_of_odds (p others : R) : R := Rmax (inf_ln (inf_div (inf_mul p others) (dn (1 - p)))) 0.

(** Where the difference is rounded to 0, the quotient is infinite and nothing is promised. *)
Theorem loss_of_odds_sound p others : 0 < p -> 0 < others -> 0 < dn (1 - p) ->
  p * others / (1 - p) <= exp (loss_of_odds p others).
Proof.
  intros Hp Ho Hd; pose proof (dn_le (1 - p)).
  set (odds := inf_div (inf_mul p others) (dn (1 - p))).
  assert (P : 0 < p * others) by nra.
  assert (Q : 0 < p * others / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  assert (B : p * others / (1 - p) <= odds).
  { apply Rle_trans with (p * others / dn (1 - p)).
    - apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra].
    - apply inf_div_ge; auto; apply up_ge. }
  apply Rle_trans with (exp (ln odds)); [rewrite exp_ln; lra|].
  assert (L : ln odds <= loss_of_odds p others).
  { unfold loss_of_odds; fold odds; eapply Rle_trans; [apply up_ge|apply Rmax_l]. }
  destruct L as [L| ->]; [left; now apply exp_increasing|lra].
Qed.

Section Bool.
Variables (p : R) (Hp : 0 <= p <= 1).
(** [bernoulli(prob, entropy)? == *value]. *)
Definition release (value : bool) : dist bool := bind (bernoulli p Hp) (fun coin => ret (eqb coin value)).
(** 0 for equal values, else the loss. *)
Definition response_map (loss : R) (d : nat) : R := match d with O => 0 | _ => loss end.

Lemma release_close x x' : 1 / 2 <= p -> 0 < dn (1 - p) -> close (loss_of_odds p 1) 0 (release x) (release x').
Proof.
  intros H Hd f Hf; pose proof (dn_le (1 - p)).
  pose proof (rr_private p Hp x x' ltac:(lra) f Hf) as R.
  assert (E : forall y, Ex (release y) f = Ex (rr p Hp y) f) by (intros []; reflexivity).
  pose proof (loss_of_odds_sound p 1 ltac:(lra) ltac:(lra) Hd) as L; rewrite Rmult_1_r in L.
  rewrite exp_ln in R by (apply Rdiv_lt_0_compat; lra).
  rewrite !E; eapply Rle_trans; [exact R|]; apply Rplus_le_compat_r, Rmult_le_compat_r; auto.
  apply (Ex_unit (rr p Hp x') f Hf).
Qed.

Theorem make_randomized_response_bool d x x' : 1 / 2 <= p -> 0 < dn (1 - p) -> (d = O -> x = x') ->
  max_divergence (response_map (loss_of_odds p 1) d) (release x) (release x').
Proof.
  intros H Hd E; destruct d; [rewrite (E eq_refl)|]; split; try now apply release_close.
  all: intros f _; simpl; rewrite exp_0; lra.
Qed.
End Bool.
