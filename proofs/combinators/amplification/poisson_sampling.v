(** [make_poisson_sampling]: each row by a coin of its own. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Approx Rounding Amplification Pairs SampledPairs Dataset.
Import ListNotations.
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
Lemma sequence_close : (forall s t, insert_delete n s t -> close e del (M s) (M t)) ->
  forall x y, insert_delete n x y ->
  close (amplified (any_of q n any) e) (any_of q n any * Rmin del 1) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros HM x y D; pose proof share as Sh; set (eta := any_of q n any) in *.
  intros f Hf; rewrite amplified_exp by lra; cbn [Ex bind].
  assert (H1 : 0 <= Rmin del 1) by (apply Rmin_glb; lra).
  set (m := fun s => Ex (M s) f).
  assert (Hm : forall s, 0 <= m s <= 1) by (intros s; now apply Ex_unit).
  assert (Hc : forall s t, insert_delete n s t -> m s <= exp e * m t + Rmin del 1).
  { intros s t K; apply (close_cut _ _ _ _ (HM s t K) f Hf). }
  assert (S := any_sound q n any Hq Hany); fold eta in S.
  pose proof (poisson_paired q Hq e (Rmin del 1) eta He H1 (proj2 Sh) n x y D 0 0 m (fun _ => 0) (fun _ => 0)) as X.
  rewrite (Ex_ext _ (fun s => (1 - 0) * m s + 0) m), (Ex_ext (coins q Hq y) (fun s => (1 - 0) * m s + 0) m) in X;
    try (intros; ring); try (apply Int_bounded, bounded_plus; [apply bounded_scal, unit_bounded; intros s; apply Hm|apply bounded_const]).
  apply X; try lra; constructor; auto; intros; try lra.
Qed.
Theorem make_poisson_sampling_sequence :
  (forall s t, insert_delete n s t -> close e del (M s) (M t)) ->
  forall x y, insert_delete n x y ->
  close (Rmin u e) (inf_mul (any_of q n any) (Rmin del 1)) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros HM x y D; pose proof share; eapply close_mono; [|apply up_ge|exact (sequence_close HM x y D)].
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

(** [PrivacyLossDivergence]: what dominates, as a pair of laws. *)
Section Losses.
Context {A B : Type} (q : R) (Hq : 0 <= q <= 1) (n : nat) (any : R) (Hany : any_rounded q n any) (W : pair) (M : list A -> dist B).

(** At distance 1 ([amplified_by_one]): [((1 - eta) Q + eta P, Q)] for the pair [(P, Q)] of the measurement, where the data with one more row are
    the first. *)
Definition one_more (M : list A -> dist B) := forall r s t, dominated W (M (s ++ r :: t)) (M (s ++ t)).
Lemma rate_below : n = 1%nat -> q <= any_of q n any.
Proof. intros E; pose proof (any_sound q n any Hq Hany) as S; replace ((1 - q) ^ n) with (1 - q) in S by (rewrite E; ring); lra. Qed.
Theorem make_poisson_sampling_one_more_sequence : n = 1%nat -> one_more M -> forall r s t,
  let W' := sampled (any_of q n any) (share q Hq n any Hany) W in
  dominated W' (bind (coins q Hq (s ++ r :: t)) M) (bind (coins q Hq (s ++ t)) M) /\
  dominated (swapped W') (bind (coins q Hq (s ++ t)) M) (bind (coins q Hq (s ++ r :: t)) M).
Proof. intros E H r s t W'; apply poisson_dominated_sequence; auto using rate_below. Qed.
Theorem make_poisson_sampling_one_more : n = 1%nat -> order_free M -> one_more M -> forall r x x', Permutation x' (r :: x) ->
  let W' := sampled (any_of q n any) (share q Hq n any Hany) W in
  dominated W' (bind (coins q Hq x') M) (bind (coins q Hq x) M) /\ dominated (swapped W') (bind (coins q Hq x) M) (bind (coins q Hq x') M).
Proof. intros E O H r x x' P W'; apply poisson_dominated_multiset with r; auto using rate_below; intros s; apply (H r [] s). Qed.

(** At any distance ([amplified]): at each epsilon from 0 on the delta of that pair, in both orders. *)
Lemma sampled_height eta (He : 0 <= eta <= 1) e : 0 <= e ->
  eta * height W (exp e) <= height (sampled eta He W) (1 + eta * (exp e - 1)).
Proof.
  intros E; pose proof (exp_ineq1_le e); assert (N : 0 <= eta * (exp e - 1)) by (apply Rmult_le_pos; lra).
  destruct (Req_dec eta 0) as [Z|Z].
  - replace (eta * height W (exp e)) with 0 by (rewrite Z; ring); apply height_nonneg; lra.
  - assert (P : 0 < eta) by lra; apply Rmult_le_reg_l with (/ eta); [now apply Rinv_0_lt_compat|].
    rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra; apply height_least; [lra|]; intros g T G.
    apply Rmult_le_reg_l with eta; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
    eapply Rle_trans; [|exact (height_ge (sampled eta He W) (1 + eta * (exp e - 1)) g ltac:(lra) T G)].
    change (eta * (U W g - exp e * V W g) <= eta * U W g + (1 - eta) * V W g - (1 + eta * (exp e - 1)) * V W g); lra.
Qed.
(** Each epsilon is what some other one becomes. *)
Lemma unamplified eta e : 0 < eta -> 0 <= e -> exists e', 0 <= e' /\ exp e = 1 + eta * (exp e' - 1).
Proof.
  intros P E; pose proof (exp_ineq1_le e); set (a := 1 + (exp e - 1) / eta).
  assert (A1 : 1 <= a) by (unfold a; assert (0 <= (exp e - 1) / eta) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]); lra).
  exists (ln a); split; [|rewrite exp_ln by lra; unfold a; field; lra].
  rewrite <- ln_1; destruct A1 as [A1|<-]; [left; apply ln_increasing; lra|lra].
Qed.
Lemma dominated_close e (P Q : dist B) : dominated W P Q -> close e (height W (exp e)) P Q.
Proof.
  intros D f F; pose proof (proj1 (dominated_height W P Q) D (exp e) ltac:(left; apply exp_pos) f F); lra.
Qed.
Lemma nothing_taken e : 0 <= e -> any_of q n any = 0 -> forall x y, insert_delete n x y ->
  close e (height (sampled (any_of q n any) (share q Hq n any Hany) W) (exp e)) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros E Z x y D; set (h := height _ _); assert (H : 0 <= h) by (apply height_nonneg; left; apply exp_pos).
  apply close_mono with 0 0; auto.
  assert (X := sequence_close q Hq n any 0 1 (Rle_refl 0) Rle_0_1 Hany M).
  assert (C : forall s t, insert_delete n s t -> close 0 1 (M s) (M t)).
  { intros s t _ f F; pose proof (Ex_unit (M s) f F); pose proof (Ex_unit (M t) f F); rewrite exp_0; lra. }
  specialize (X C x y D); rewrite Z, Rmult_0_l in X; unfold amplified in X; rewrite Rmult_0_l, Rplus_0_r, ln_1 in X; exact X.
Qed.
Theorem make_poisson_sampling_losses_sequence : (forall s t, insert_delete n s t -> dominated W (M s) (M t)) ->
  forall x y, insert_delete n x y -> forall e, 0 <= e ->
  close e (height (sampled (any_of q n any) (share q Hq n any Hany) W) (exp e)) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros HM x y D e E; destruct (Req_dec (any_of q n any) 0) as [Z|Z]; [now apply nothing_taken|].
  pose proof (share q Hq n any Hany) as Sh; destruct (unamplified (any_of q n any) e ltac:(lra) E) as (e' & E' & X).
  assert (N : 0 <= height W (exp e')) by (apply height_nonneg; left; apply exp_pos).
  eapply close_mono; [| |apply (sequence_close q Hq n any e' (height W (exp e')) E' N Hany M (fun s t K => dominated_close e' _ _ (HM s t K)) x y D)].
  - unfold amplified; rewrite <- X, ln_exp; apply Rle_refl.
  - rewrite X; eapply Rle_trans; [apply Rmult_le_compat_l; [lra|apply Rmin_l]|apply sampled_height; auto].
Qed.
Theorem make_poisson_sampling_losses : order_free M -> (forall s t, symmetric n s t -> dominated W (M s) (M t)) ->
  forall x y, symmetric n x y -> forall e, 0 <= e ->
  close e (height (sampled (any_of q n any) (share q Hq n any Hany) W) (exp e)) (bind (coins q Hq x) M) (bind (coins q Hq y) M).
Proof.
  intros OM HM x y (c & r & s & Px & Py & L) e E f Hf.
  assert (X := make_poisson_sampling_losses_sequence (fun s t K => HM s t (insert_delete_symmetric n s t K)) (r ++ c) (s ++ c)
    (symmetric_sequence c r s n L) e E f Hf).
  cbn [Ex bind] in *.
  rewrite (coins_order_free q Hq x (r ++ c) Px), (coins_order_free q Hq y (s ++ c) Py); auto;
    solve [apply unit_bounded; intros t; now apply Ex_unit|intros t t' P; now apply OM].
Qed.
End Losses.
