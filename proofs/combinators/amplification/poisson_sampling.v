(** [make_poisson_sampling]: each row by a coin of its own. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Approx Dataset Rounding Amplification.
Open Scope R_scope.

(** [any_of]: the least of [d q], of what bounds [1 - (1 - q)^d], and of 1, rounded up. *)
Definition any_of (q : R) (n : nat) (any : R) : R := Rmin (Rmin (inf_mul (INR n) q) any) 1.
(** Its second number: no rows; a rate of 1; else by [ln_1p] rounded down, a product rounded down, and [exp_m1] rounded down. *)
Inductive any_rounded (q : R) (n : nat) : R -> Prop :=
  | of_no_rows : n = O -> any_rounded q n 0
  | of_all a : q = 1 -> 1 <= a -> any_rounded q n a
  | of_some l m : q < 1 -> l <= ln (1 - q) -> m <= exp (dn (INR n * l)) - 1 -> any_rounded q n (- m).

Lemma any_sound q n any : 0 <= q <= 1 -> any_rounded q n any -> 1 - (1 - q) ^ n <= any_of q n any.
Proof.
  intros Hq H; assert (P : 0 <= (1 - q) ^ n) by (apply pow_le; lra).
  assert (S : 1 - (1 - q) ^ n <= INR n * q).
  { clear H P; induction n as [|n IH]; [simpl; lra|]; rewrite S_INR; simpl.
    assert (0 <= (1 - q) ^ n <= 1) by (split; [apply pow_le; lra|]; clear IH; induction n; simpl; [lra|]; assert (0 <= (1 - q) ^ n) by (apply pow_le; lra); nra).
    nra. }
  assert (A : 1 - (1 - q) ^ n <= any).
  { destruct H as [->|a -> H|l m H Hl Hm]; [simpl; lra| |].
    - rewrite Rminus_eq_0 in *; lra.
    - assert (X : exp (dn (INR n * l)) <= (1 - q) ^ n); [|lra].
      assert (L : dn (INR n * l) <= INR n * ln (1 - q)).
      { eapply Rle_trans; [apply dn_le|]; apply Rmult_le_compat_l; auto using pos_INR. }
      rewrite <- Rpower_pow by lra; unfold Rpower; destruct L as [L| ->]; [left; now apply exp_increasing|lra]. }
  unfold any_of, inf_mul; pose proof (up_ge (INR n * q)); repeat apply Rmin_glb; lra.
Qed.

Section Sampling.
Context {A B : Type} (q : R) (Hq : 0 <= q <= 1) (n : nat) (any e del u : R).
Hypotheses (He : 0 <= e) (Hdel : 0 <= del) (Hany : any_rounded q n any).
(** [u] is the upper end of an enclosure. *)
Hypothesis Hu : amplified (any_of q n any) e <= u.
Variable M : list A -> dist B.

Lemma share : 0 <= any_of q n any <= 1.
Proof.
  pose proof (any_sound q n any Hq Hany) as S; split; [|apply Rmin_r].
  assert ((1 - q) ^ n <= 1); [|lra].
  clear - Hq; induction n; simpl; [lra|]; assert (0 <= (1 - q) ^ n0) by (apply pow_le; lra); nra.
Qed.

(** Sequences: [InsertDeleteDistance]. *)
Theorem make_poisson_sampling_sequence :
  (forall s t, insert_delete n s t -> close e del (M s) (M t)) ->
  forall x y, insert_delete n x y ->
  close (Rmin u e) (inf_mul (any_of q n any) (Rmin del 1)) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros HM x y D; pose proof share as Sh; set (eta := any_of q n any) in *.
  assert (L : close (amplified eta e) (eta * Rmin del 1) (bind (coins q Hq x) M) (bind (coins q Hq y) M)).
  { intros f Hf; rewrite amplified_exp by lra; cbn [Ex bind].
    assert (H1 : 0 <= Rmin del 1) by (apply Rmin_glb; lra).
    set (m := fun s => Ex (M s) f).
    assert (Hm : forall s, 0 <= m s <= 1) by (intros s; now apply Ex_unit).
    assert (Hc : forall s t, insert_delete n s t -> m s <= exp e * m t + Rmin del 1).
    { intros s t K; apply (close_cut _ _ _ _ (HM s t K) f Hf). }
    assert (S := any_sound q n any Hq Hany); fold eta in S.
    pose proof (poisson_paired q Hq e (Rmin del 1) eta He H1 (proj2 Sh) n x y D 0 0 m (fun _ => 0) (fun _ => 0)) as X.
    rewrite (Ex_ext _ (fun s => (1 - 0) * m s + 0) m), (Ex_ext (coins q Hq y) (fun s => (1 - 0) * m s + 0) m) in X;
      try (intros; ring); try (apply Int_bounded, bounded_plus; [apply bounded_scal, unit_bounded; intros s; apply Hm|apply bounded_const]).
    apply X; try lra; constructor; auto; intros; try lra. }
  eapply close_mono; [|apply up_ge|exact L].
  apply Rmin_glb; auto; now apply amplified_le.
Qed.

(** Multisets: [SymmetricDistance]. *)
Theorem make_poisson_sampling :
  order_free M -> (forall s t, symmetric n s t -> close e del (M s) (M t)) ->
  forall x y, symmetric n x y ->
  close (Rmin u e) (inf_mul (any_of q n any) (Rmin del 1)) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros OM HM x y (c & r & s & Px & Py & L) f Hf.
  assert (X := make_poisson_sampling_sequence (fun s t K => HM s t (insert_delete_symmetric n s t K)) (r ++ c) (s ++ c)
    (symmetric_sequence c r s n L) f Hf).
  cbn [Ex bind] in *.
  rewrite (coins_order_free q Hq x (r ++ c) Px), (coins_order_free q Hq y (s ++ c) Py); auto;
    solve [apply unit_bounded; intros t; now apply Ex_unit|intros t t' P; now apply OM].
Qed.
End Sampling.
