(** Sampling amplifies privacy: the lemma on mixtures with a common part, and laws of samples. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Approx Finite Dataset Domination.
Import ListNotations.
Open Scope R_scope.

(** Advanced joint convexity (Balle, Barthe, Gaboardi 2018, Theorem 2), for one test: the share [eta] of two mixtures differs, the rest is [p0]. *)
Lemma joint_convexity eta e d p0 p1 q1 : 0 <= eta <= 1 -> 0 <= e -> p1 <= exp e * p0 + d -> p1 <= exp e * q1 + d ->
  (1 - eta) * p0 + eta * p1 <= (1 + eta * (exp e - 1)) * ((1 - eta) * p0 + eta * q1) + eta * d.
Proof.
  intros H He A B; pose proof (exp_ineq1_le e); set (E := exp e) in *.
  assert (X : p1 - d <= (E - 1) * ((1 - eta) * p0 + eta * q1) + q1).
  { assert (0 <= (E - 1) * (1 - eta)) by nra. assert (0 <= (E - 1) * eta) by nra.
    assert (0 <= 1 + (E - 1) * eta) by nra.
    (* a mean of the two bounds, whose weights are (1 + (E - 1) eta) / E and the rest *)
    assert (E * (p1 - d) <= E * ((E - 1) * ((1 - eta) * p0 + eta * q1) + q1)); [|nra].
    replace (E * ((E - 1) * ((1 - eta) * p0 + eta * q1) + q1))
      with ((E - 1) * (1 - eta) * (E * p0) + (1 + (E - 1) * eta) * (E * q1)) by ring.
    replace (E * (p1 - d)) with ((E - 1) * (1 - eta) * (p1 - d) + (1 + (E - 1) * eta) * (p1 - d)) by ring.
    apply Rplus_le_compat; apply Rmult_le_compat_l; lra. }
  assert (eta * (p1 - d) <= eta * ((E - 1) * ((1 - eta) * p0 + eta * q1) + q1)) by (apply Rmult_le_compat_l; lra); nra.
Qed.

(** The same where the shares are given by their weights [a] and [b], of which [eta] is at least the greater. *)
Lemma weighted_convexity eta e d a b p0 A B : 0 <= a <= eta -> 0 <= b <= eta -> eta <= 1 -> 0 <= e -> 0 <= d ->
  (a = 0 -> A <= 0) -> (b = 0 -> 0 <= B) ->
  p0 <= exp e * p0 + d -> A <= a * (exp e * p0 + d) -> b * p0 <= exp e * B + b * d -> b * A <= a * (exp e * B + b * d) ->
  (1 - a) * p0 + A <= (1 + eta * (exp e - 1)) * ((1 - b) * p0 + B) + eta * d.
Proof.
  intros Ha Hb H1 He Hd Z Z' C0 C1 C2 C3.
  destruct (Req_dec eta 0) as [->|N].
  - assert (a = 0) by lra; assert (b = 0) by lra; subst; specialize (Z eq_refl); specialize (Z' eq_refl); lra.
  - assert (Hp : 0 < eta) by lra.
    set (p1 := / eta * ((eta - a) * p0 + A)); set (q1 := / eta * ((eta - b) * p0 + B)).
    assert (Ep : eta * p1 = (eta - a) * p0 + A) by (unfold p1; field; lra).
    assert (Eq : eta * q1 = (eta - b) * p0 + B) by (unfold q1; field; lra).
    pose proof (exp_pos e); set (E := exp e) in *.
    assert (X : p1 <= E * p0 + d).
    { apply Rmult_le_reg_l with eta; auto; rewrite Ep; assert ((eta - a) * p0 <= (eta - a) * (E * p0 + d)) by (apply Rmult_le_compat_l; lra); lra. }
    assert (Y : p1 <= E * q1 + d).
    { apply Rmult_le_reg_l with (eta * eta); [now apply Rmult_lt_0_compat|].
      replace (eta * eta * p1) with (eta * (eta * p1)) by ring.
      replace (eta * eta * (E * q1 + d)) with (eta * (E * (eta * q1)) + eta * eta * d) by ring; rewrite Ep, Eq.
      assert (M1 : (eta - b) * ((eta - a) * p0) <= (eta - b) * ((eta - a) * (E * p0 + d))).
      { apply Rmult_le_compat_l; [lra|apply Rmult_le_compat_l; lra]. }
      assert (M2 : (eta - b) * A <= (eta - b) * (a * (E * p0 + d))) by (apply Rmult_le_compat_l; lra).
      assert (M3 : (eta - a) * (b * p0) <= (eta - a) * (E * B + b * d)) by (apply Rmult_le_compat_l; lra).
      replace (eta * ((eta - a) * p0 + A)) with ((eta - b) * ((eta - a) * p0) + (eta - b) * A + (eta - a) * (b * p0) + b * A) by ring.
      replace (eta * (E * ((eta - b) * p0 + B)) + eta * eta * d) with
        ((eta - b) * ((eta - a) * (E * p0 + d)) + (eta - b) * (a * (E * p0 + d)) + (eta - a) * (E * B + b * d) + a * (E * B + b * d)) by ring.
      lra. }
    replace ((1 - a) * p0 + A) with ((1 - eta) * p0 + eta * p1) by (rewrite Ep; ring).
    replace ((1 - b) * p0 + B) with ((1 - eta) * p0 + eta * q1) by (rewrite Eq; ring).
    apply joint_convexity; auto; lra.
Qed.

(** What the loss becomes; it grows with [eta], and is at most [e]. *)
Definition amplified (eta e : R) : R := ln (1 + eta * (exp e - 1)).
Lemma amplified_exp eta e : 0 <= eta -> 0 <= e -> exp (amplified eta e) = 1 + eta * (exp e - 1).
Proof. intros; unfold amplified; apply exp_ln; pose proof (exp_ineq1_le e); nra. Qed.
Lemma amplified_le eta e : 0 <= eta <= 1 -> 0 <= e -> amplified eta e <= e.
Proof.
  intros; pose proof (exp_ineq1_le e); destruct (Rle_lt_dec (amplified eta e) e) as [L|L]; auto.
  apply exp_increasing in L; rewrite amplified_exp in L by lra; nra.
Qed.
(** A delta beyond 1 says no more than 1. *)
Lemma close_cut {A} e d (P Q : dist A) : close e d P Q -> close e (Rmin d 1) P Q.
Proof.
  intros H f Hf; specialize (H f Hf); pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); pose proof (exp_pos e).
  unfold Rmin; destruct (Rle_dec d 1); auto; assert (0 <= exp e * Ex Q f) by (apply Rmult_le_pos; lra); lra.
Qed.

(** A measurement whose law does not depend on the order of rows. *)
Definition order_free {A B} (M : list A -> dist B) := forall x y, Permutation x y -> forall f, unit_test f -> Ex (M x) f = Ex (M y) f.
Definition order_free_test {A} (g : list A -> R) := forall x y, Permutation x y -> g x = g y.

(** One that loses nothing at distance 0 is such. *)
Lemma nothing_at_zero {A B} (M : list A -> dist B) :
  (forall x y, Permutation x y -> close 0 0 (M x) (M y)) -> order_free M.
Proof.
  intros H x y P f Hf; pose proof (H x y P f Hf) as U; pose proof (H y x (Permutation_sym P) f Hf) as V.
  rewrite exp_0 in U, V; lra.
Qed.

(** A coin for each row. *)
Section Coins.
Context {A : Type} (q : R) (Hq : 0 <= q <= 1).
Fixpoint coins (l : list A) : dist (list A) :=
  match l with
  | [] => ret []
  | x :: l => bind (coins l) (fun s => bind (bernoulli q Hq) (fun b => ret (if b then x :: s else s)))
  end.

Lemma coins_cons x l g : Ex (coins (x :: l)) g = Ex (coins l) (fun s => q * g (x :: s) + (1 - q) * g s).
Proof. reflexivity. Qed.
Lemma coins_order_free l l' : Permutation l l' -> forall g, bounded g -> order_free_test g -> Ex (coins l) g = Ex (coins l') g.
Proof.
  assert (B : forall (x : A) (g : list A -> R), bounded g -> bounded (fun s => q * g (x :: s) + (1 - q) * g s)).
  { intros x g [N HN]; apply bounded_plus; apply bounded_scal; exists N; auto. }
  induction 1 as [|x l l' _ IH|x y l|l l' l'' _ IH _ IH']; intros g Hg Og; auto.
  - rewrite !coins_cons; apply IH; auto.
    intros s t P; rewrite (Og _ _ P), (Og (x :: s) (x :: t)); auto.
  - rewrite !coins_cons; apply Ex_ext; [apply Int_bounded; first [exact (B x _ (B y _ Hg))|exact (B y _ (B x _ Hg))]|].
    intros s; rewrite (Og (x :: y :: s) (y :: x :: s)) by apply perm_swap; ring.
  - rewrite IH; auto.
Qed.
End Coins.

(** Poisson sampling, of sequences with rows inserted and deleted.  [m0] is what both laws share, with weights [1 - a] and [1 - b]. *)
Section Poisson.
Context {A : Type} (q : R) (Hq : 0 <= q <= 1) (e d eta : R) (He : 0 <= e) (Hd : 0 <= d) (Heta : eta <= 1).
Let E := exp e.

Record paired (n : nat) (a b : R) (m0 G H : list A -> R) : Prop := {
  pm : forall s, 0 <= m0 s <= 1; pG : forall s, 0 <= G s <= a; pH : forall s, 0 <= H s <= b;
  pmm : forall s t, insert_delete n s t -> m0 s <= E * m0 t + d;
  pGm : forall s t, insert_delete n s t -> G s <= a * (E * m0 t + d);
  pmH : forall s t, insert_delete n s t -> b * m0 s <= E * H t + b * d;
  pGH : forall s t, insert_delete n s t -> b * G s <= a * (E * H t + b * d) }.

Lemma insert_delete_mono (n n' : nat) (s t : list A) : (n <= n')%nat -> insert_delete n s t -> insert_delete n' s t.
Proof.
  intros L H; revert n' L; induction H; intros n' L; try constructor; auto;
    (destruct n' as [|n']; [lia|constructor; apply IHinsert_delete; lia]).
Qed.

Lemma bounded_below (g : list A -> R) c : (forall s, 0 <= g s <= c) -> bounded g.
Proof. intros H; exists c; intros s; specialize (H s); rewrite Rabs_pos_eq; lra. Qed.
Lemma bounded_mix a (m G : list A -> R) c : (forall s, 0 <= m s <= 1) -> (forall s, 0 <= G s <= c) -> bounded (fun s => (1 - a) * m s + G s).
Proof. intros; apply bounded_plus; [apply bounded_scal; eapply bounded_below; eauto|eapply bounded_below; eauto]. Qed.

Theorem poisson_paired n x y : insert_delete n x y -> forall a b m0 G H, 0 <= a <= 1 -> 0 <= b <= 1 ->
  1 - eta <= (1 - a) * (1 - q) ^ n -> 1 - eta <= (1 - b) * (1 - q) ^ n -> paired n a b m0 G H ->
  Ex (coins q Hq x) (fun s => (1 - a) * m0 s + G s) <=
  (1 + eta * (E - 1)) * Ex (coins q Hq y) (fun t => (1 - b) * m0 t + H t) + eta * d.
Proof.
  assert (E1 : 1 <= E) by (unfold E; pose proof (exp_ineq1_le e); lra).
  assert (Pow : forall n, 0 <= (1 - q) ^ n <= 1).
  { intros k; split; [apply pow_le; lra|]; induction k; simpl; [lra|]; assert (0 <= (1 - q) ^ k) by (apply pow_le; lra); nra. }
  induction 1 as [n|n r x y _ IH|n r x y HXY IH|n r x y HXY IH]; intros a b m0 G H Ha Hb La Lb P.
  - simpl; specialize (Pow n); apply weighted_convexity; auto; try nra.
    + intros ->; pose proof (pG _ _ _ _ _ _ P []); lra.
    + intros ->; pose proof (pH _ _ _ _ _ _ P []); lra.
    + apply (pmm _ _ _ _ _ _ P); constructor.
    + apply (pGm _ _ _ _ _ _ P); constructor.
    + apply (pmH _ _ _ _ _ _ P); constructor.
    + apply (pGH _ _ _ _ _ _ P); constructor.
  - rewrite !coins_cons.
    set (T := fun (g : list A -> R) s => q * g (r :: s) + (1 - q) * g s).
    assert (BT : forall (g : list A -> R) c, (forall s, 0 <= g s <= c) -> forall s, 0 <= T g s <= c).
    { intros g c Hg s; pose proof (Hg (r :: s)); pose proof (Hg s); unfold T; nra. }
    pose proof (IH a b (T m0) (T G) (T H) Ha Hb La Lb) as X.
    rewrite (Ex_ext _ (fun s => (1 - a) * T m0 s + T G s) (fun s => q * ((1 - a) * m0 (r :: s) + G (r :: s)) + (1 - q) * ((1 - a) * m0 s + G s))) in X;
      [|apply Int_bounded; eapply bounded_mix; apply BT; apply P|intros; unfold T; ring].
    rewrite (Ex_ext (coins q Hq y) (fun s => (1 - b) * T m0 s + T H s) (fun s => q * ((1 - b) * m0 (r :: s) + H (r :: s)) + (1 - q) * ((1 - b) * m0 s + H s))) in X;
      [|apply Int_bounded; eapply bounded_mix; apply BT; apply P|intros; unfold T; ring].
    apply X; clear X IH; constructor; try (apply BT; apply P); intros s t K;
      assert (K' : insert_delete n (r :: s) (r :: t)) by (now constructor); unfold T.
    + pose proof (pmm _ _ _ _ _ _ P _ _ K); pose proof (pmm _ _ _ _ _ _ P _ _ K'); nra.
    + pose proof (pGm _ _ _ _ _ _ P _ _ K); pose proof (pGm _ _ _ _ _ _ P _ _ K'); nra.
    + pose proof (pmH _ _ _ _ _ _ P _ _ K); pose proof (pmH _ _ _ _ _ _ P _ _ K'); nra.
    + pose proof (pGH _ _ _ _ _ _ P _ _ K); pose proof (pGH _ _ _ _ _ _ P _ _ K'); nra.
  - rewrite coins_cons; simpl pow in La, Lb.
    set (G' := fun s => (1 - a) * q * m0 (r :: s) + (q * G (r :: s) + (1 - q) * G s)).
    pose proof (IH (a + (1 - a) * q) b m0 G' H) as X.
    rewrite (Ex_ext _ (fun s => (1 - (a + (1 - a) * q)) * m0 s + G' s) (fun s => q * ((1 - a) * m0 (r :: s) + G (r :: s)) + (1 - q) * ((1 - a) * m0 s + G s))) in X.
    2: { apply Int_bounded, (bounded_mix _ m0 G' (a + (1 - a) * q)); [apply P|intros s; unfold G'].
         pose proof (pm _ _ _ _ _ _ P (r :: s)); pose proof (pG _ _ _ _ _ _ P (r :: s)); pose proof (pG _ _ _ _ _ _ P s).
         assert (0 <= (1 - a) * q) by nra. nra. }
    2: { intros; unfold G'; ring. }
    assert (0 <= (1 - a) * q) by nra; assert (1 - eta <= (1 - b) * (1 - q) ^ n).
    { specialize (Pow n); assert (0 <= (1 - b) * (1 - q) ^ n) by (apply Rmult_le_pos; lra). nra. }
    apply X; clear X IH; auto; [split; nra|nra|].
    constructor.
    + apply P.
    + intros s; unfold G'; pose proof (pm _ _ _ _ _ _ P (r :: s)); pose proof (pG _ _ _ _ _ _ P (r :: s)); pose proof (pG _ _ _ _ _ _ P s); nra.
    + apply P.
    + intros s t K; apply (pmm _ _ _ _ _ _ P); eapply insert_delete_mono; [|eassumption]; lia.
    + intros s t K; unfold G'; assert (K0 : insert_delete (S n) s t) by (eapply insert_delete_mono; [|eassumption]; lia).
      assert (K1 : insert_delete (S n) (r :: s) t) by now constructor.
      pose proof (pmm _ _ _ _ _ _ P _ _ K1); pose proof (pGm _ _ _ _ _ _ P _ _ K1); pose proof (pGm _ _ _ _ _ _ P _ _ K0).
      set (w := E * m0 t + d) in *; assert ((1 - a) * q * m0 (r :: s) <= (1 - a) * q * w) by (apply Rmult_le_compat_l; lra); nra.
    + intros s t K; apply (pmH _ _ _ _ _ _ P); eapply insert_delete_mono; [|eassumption]; lia.
    + intros s t K; unfold G'; assert (K0 : insert_delete (S n) s t) by (eapply insert_delete_mono; [|eassumption]; lia).
      assert (K1 : insert_delete (S n) (r :: s) t) by now constructor.
      pose proof (pmH _ _ _ _ _ _ P _ _ K1); pose proof (pGH _ _ _ _ _ _ P _ _ K1); pose proof (pGH _ _ _ _ _ _ P _ _ K0).
      set (w := E * H t + b * d) in *; assert ((1 - a) * q * (b * m0 (r :: s)) <= (1 - a) * q * w) by (apply Rmult_le_compat_l; lra).
      assert (q * (b * G (r :: s)) <= q * (a * w)) by (apply Rmult_le_compat_l; lra).
      assert ((1 - q) * (b * G s) <= (1 - q) * (a * w)) by (apply Rmult_le_compat_l; lra). lra.
  - rewrite (coins_cons q Hq r y); simpl pow in La, Lb.
    set (H' := fun s => (1 - b) * q * m0 (r :: s) + (q * H (r :: s) + (1 - q) * H s)).
    pose proof (IH a (b + (1 - b) * q) m0 G H') as X.
    rewrite (Ex_ext (coins q Hq y) (fun s => (1 - (b + (1 - b) * q)) * m0 s + H' s) (fun s => q * ((1 - b) * m0 (r :: s) + H (r :: s)) + (1 - q) * ((1 - b) * m0 s + H s))) in X.
    2: { apply Int_bounded, (bounded_mix _ m0 H' (b + (1 - b) * q)); [apply P|intros s; unfold H'].
         pose proof (pm _ _ _ _ _ _ P (r :: s)); pose proof (pH _ _ _ _ _ _ P (r :: s)); pose proof (pH _ _ _ _ _ _ P s).
         assert (0 <= (1 - b) * q) by nra. nra. }
    2: { intros; unfold H'; ring. }
    assert (0 <= (1 - b) * q) by nra; assert (1 - eta <= (1 - a) * (1 - q) ^ n).
    { specialize (Pow n); assert (0 <= (1 - a) * (1 - q) ^ n) by (apply Rmult_le_pos; lra). nra. }
    apply X; clear X IH; auto; [split; nra|nra|].
    constructor.
    + apply P.
    + apply P.
    + intros s; unfold H'; pose proof (pm _ _ _ _ _ _ P (r :: s)); pose proof (pH _ _ _ _ _ _ P (r :: s)); pose proof (pH _ _ _ _ _ _ P s); nra.
    + intros s t K; apply (pmm _ _ _ _ _ _ P); eapply insert_delete_mono; [|eassumption]; lia.
    + intros s t K; apply (pGm _ _ _ _ _ _ P); eapply insert_delete_mono; [|eassumption]; lia.
    + intros s t K; unfold H'; assert (K0 : insert_delete (S n) s t) by (eapply insert_delete_mono; [|eassumption]; lia).
      assert (K1 : insert_delete (S n) s (r :: t)) by now constructor.
      pose proof (pmm _ _ _ _ _ _ P _ _ K1); pose proof (pmH _ _ _ _ _ _ P _ _ K1); pose proof (pmH _ _ _ _ _ _ P _ _ K0).
      assert ((1 - b) * q * m0 s <= (1 - b) * q * (E * m0 (r :: t) + d)) by (apply Rmult_le_compat_l; lra).
      assert (q * (b * m0 s) <= q * (E * H (r :: t) + b * d)) by (apply Rmult_le_compat_l; lra).
      assert ((1 - q) * (b * m0 s) <= (1 - q) * (E * H t + b * d)) by (apply Rmult_le_compat_l; lra). lra.
    + intros s t K; unfold H'; assert (K0 : insert_delete (S n) s t) by (eapply insert_delete_mono; [|eassumption]; lia).
      assert (K1 : insert_delete (S n) s (r :: t)) by now constructor.
      pose proof (pGm _ _ _ _ _ _ P _ _ K1); pose proof (pGH _ _ _ _ _ _ P _ _ K1); pose proof (pGH _ _ _ _ _ _ P _ _ K0).
      assert ((1 - b) * q * G s <= (1 - b) * q * (a * (E * m0 (r :: t) + d))) by (apply Rmult_le_compat_l; lra).
      assert (q * (b * G s) <= q * (a * (E * H (r :: t) + b * d))) by (apply Rmult_le_compat_l; lra).
      assert ((1 - q) * (b * G s) <= (1 - q) * (a * (E * H t + b * d))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Poisson.

Lemma insert_delete_sym {A} n (x y : list A) : insert_delete n x y -> insert_delete n y x.
Proof. induction 1; now constructor. Qed.
Lemma symmetric_sequence {A} (c r s : list A) n : (length r + length s <= n)%nat -> insert_delete n (r ++ c) (s ++ c).
Proof.
  revert n; induction r as [|a r IH]; simpl.
  - induction s as [|b s IH]; simpl; intros n L.
    + clear L; induction c; constructor; auto.
    + destruct n as [|n]; [lia|constructor; apply IH; lia].
  - intros n L; destruct n as [|n]; [lia|constructor; apply IH; lia].
Qed.
