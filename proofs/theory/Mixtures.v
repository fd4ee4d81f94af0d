(** (epsilon, delta) by events and by mixtures are the same, for laws on countable sets (Kairouz, Oh, Viswanath 2015). *)
Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Countable Theta Measures.
Open Scope R_scope.

Lemma is_series_sum (a b : nat -> R) (x y l : R) : is_series a x -> is_series b y -> l = x + y -> is_series (fun n => a n + b n) l.
Proof. intros Ha Hb ->; exact (is_series_plus _ _ _ _ Ha Hb). Qed.
Lemma is_series_times (a : nat -> R) (c x l : R) : is_series a x -> l = c * x -> is_series (fun n => c * a n) l.
Proof. intros Ha ->; exact (is_series_scal c _ _ Ha). Qed.

Lemma ex_times (a : nat -> R) (c : R) : ex_series a -> ex_series (fun n => c * a n).
Proof. exact (ex_series_scal c a). Qed.

Lemma countable_close e (w v : nat -> R) Hw Hv (w1 : is_series w 1) (v1 : is_series v 1) : (forall n, w n <= exp e * v n) ->
  close e 0 (countable w Hw w1) (countable v Hv v1).
Proof.
  intros H f Hf; simpl; unfold mEx; rewrite Rplus_0_r, <- Series_scal_l; apply Series_le.
  - intros n; specialize (Hf n); specialize (H n); pose proof (Hw n); split; [nra|].
    rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra.
  - apply (ex_times (fun n => v n * f n)), (mInt_ex v Hv), (Int_unit (countable v Hv v1) f Hf).
Qed.

Section Mixture.
Variables (w v : nat -> R) (Hw : forall n, 0 <= w n) (Hv : forall n, 0 <= v n)
          (w1 : is_series w 1) (v1 : is_series v 1) (e d : R) (He : 0 <= e).
Let P := countable w Hw w1.
Let Q := countable v Hv v1.
Let E := exp e.
Let E1 : 1 <= E. Proof. unfold E; pose proof (exp_ineq1_le e); lra. Qed.

(** The parts that are close: what no law has too much of, and of equal weight. *)
Definition close_parts (m : R) (w2 v2 : nat -> R) : Prop := 0 <= m <= d /\
  (forall n, 0 <= w2 n <= w n) /\ (forall n, 0 <= v2 n <= v n) /\ is_series w2 (1 - m) /\ is_series v2 (1 - m) /\
  (forall n, w2 n <= E * v2 n) /\ (forall n, v2 n <= E * w2 n).

Lemma mass (u : nat -> R) (w2 : nat -> R) c (m : R) : is_series u 1 -> (forall n, 0 <= w2 n <= u n) -> is_series w2 (1 - m) -> 0 <= c <= 1 ->
  m < 1 -> c = (1 - d) / (1 - m) -> 0 < d -> (forall n, 0 <= / d * (u n + - c * w2 n)) /\ is_series (fun n => / d * (u n + - c * w2 n)) 1.
Proof.
  intros S H T Hc Hm Ec Hd; split.
  - intros n; specialize (H n); apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|nra].
  - eapply is_series_times; [eapply is_series_sum; [exact S|apply (is_series_times w2 (- c) _ (- (1 - d)) T)|reflexivity]|].
    + rewrite Ec; field; lra.
    + field; lra.
Qed.

Lemma is_mixture (u : nat -> R) (Hu : forall n, 0 <= u n) (S : is_series u 1) (u' : nat -> R) (Hu' : forall n, 0 <= u' n) (S' : is_series u' 1)
  (u'' : nat -> R) (Hu'' : forall n, 0 <= u'' n) (S'' : is_series u'' 1) : (forall n, u n = (1 - d) * u' n + d * u'' n) ->
  mixture d (countable u Hu S) (countable u' Hu' S') (countable u'' Hu'' S'').
Proof.
  intros H f Hf; simpl; unfold mEx.
  pose proof (mInt_ex u' Hu' f (Int_bounded _ (countable u' Hu' S') f Hf)) as A.
  pose proof (mInt_ex u'' Hu'' f (Int_bounded _ (countable u'' Hu'' S'') f Hf)) as B.
  rewrite <- (Series_scal_l (1 - d)), <- (Series_scal_l d), <- Series_plus;
    [|exact (ex_times _ (1 - d) A)|exact (ex_times _ d B)].
  apply Series_ext; intros n; rewrite H; ring.
Qed.

Lemma mixed m w2 v2 : 0 < d < 1 -> close_parts m w2 v2 -> approximate max_divergence e d P Q.
Proof.
  intros Hd ((M0 & Md) & Bw & Bv & Sw & Sv & Rw & Rv).
  set (c := (1 - d) / (1 - m)); assert (Hm : m < 1) by lra.
  assert (Hc : 0 <= c <= 1).
  { unfold c; split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (1 - m); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  destruct (mass w w2 c m w1 Bw Sw Hc Hm eq_refl ltac:(lra)) as [Pw Tw].
  destruct (mass v v2 c m v1 Bv Sv Hc Hm eq_refl ltac:(lra)) as [Pv Tv].
  assert (I : 0 < / (1 - m)) by (apply Rinv_0_lt_compat; lra).
  assert (Nw : forall n, 0 <= / (1 - m) * w2 n) by (intros n; apply Rmult_le_pos; [lra|apply Bw]).
  assert (Nv : forall n, 0 <= / (1 - m) * v2 n) by (intros n; apply Rmult_le_pos; [lra|apply Bv]).
  assert (Iw : is_series (fun n => / (1 - m) * w2 n) 1) by (eapply is_series_times; [exact Sw|field; lra]).
  assert (Iv : is_series (fun n => / (1 - m) * v2 n) 1) by (eapply is_series_times; [exact Sv|field; lra]).
  exists (countable _ Nw Iw), (countable _ Pw Tw), (countable _ Nv Iv), (countable _ Pv Tv); repeat split.
  - apply is_mixture; intros n; unfold c; field; lra.
  - apply is_mixture; intros n; unfold c; field; lra.
  - apply countable_close; intros n; fold E; specialize (Rw n); nra.
  - apply countable_close; intros n; fold E; specialize (Rv n); nra.
Qed.
End Mixture.

(** Cut off where one law has too much; then take from the heavier rest what it has more. *)
Section Cut.
Variables (w v : nat -> R) (Hw : forall n, 0 <= w n) (Hv : forall n, 0 <= v n)
          (w1 : is_series w 1) (v1 : is_series v 1) (e d : R) (He : 0 <= e).
Let P := countable w Hw w1.
Let Q := countable v Hv v1.
Let E := exp e.
Let E1 : 1 <= E. Proof. unfold E; pose proof (exp_ineq1_le e); lra. Qed.

Lemma cut_mass (w' v' : nat -> R) Hw' Hv' w1' v1' : close e d (countable w' Hw' w1') (countable v' Hv' v1') ->
  ex_series (pos_part w' v' e) /\ 0 <= Series (pos_part w' v' e) <= d.
Proof.
  intros C; pose proof (ex_pos_part w' v' Hw' Hv' w1' e) as X; split; auto; split.
  - apply Series_nonneg; auto; intros n; apply Rmax_l.
  - destruct (hockey_stick_sum w' v' Hw' Hv' w1' v1' e) as [_ <-].
    pose proof (close_close_ev _ _ _ _ C (worst w' v' e)); lra.
Qed.

Lemma parts : Series (pos_part w v e) <= Series (pos_part v w e) -> close e d P Q -> close e d Q P ->
  exists m w2 v2, close_parts w v e d m w2 v2.
Proof.
  intros L PQ QP; destruct (cut_mass w v Hw Hv w1 v1 PQ) as [XA [A0 A1]], (cut_mass v w Hv Hw v1 w1 QP) as [XB [B0 B1]].
  apply Series_correct in XA, XB; set (dA := Series (pos_part w v e)) in *; set (dB := Series (pos_part v w e)) in *.
  set (wc n := w n + -1 * pos_part w v e n); set (vc n := v n + -1 * pos_part v w e n).
  assert (Sw : is_series wc (1 - dA)) by
    (eapply is_series_sum; [exact w1|apply (is_series_times _ (-1) _ (- dA) XA); ring|ring]).
  assert (Sv : is_series vc (1 - dB)) by
    (eapply is_series_sum; [exact v1|apply (is_series_times _ (-1) _ (- dB) XB); ring|ring]).
  assert (Z : forall n, 0 <= wc n <= w n /\ 0 <= vc n <= v n /\ wc n <= E * vc n /\ vc n <= E * wc n).
  { intros n; pose proof (Hw n); pose proof (Hv n); unfold wc, vc, pos_part, Rmax; fold E.
    assert (v n <= E * v n) by nra. assert (w n <= E * w n) by nra.
    assert (E * v n <= E * (E * v n)) by (apply Rmult_le_compat_l; lra).
    assert (E * w n <= E * (E * w n)) by (apply Rmult_le_compat_l; lra).
    destruct (Rle_dec 0 (w n - E * v n)), (Rle_dec 0 (v n - E * w n)); repeat split; lra. }
  assert (V1 : 0 <= 1 - dB).
  { rewrite <- (is_series_unique _ _ Sv); apply Series_nonneg; [intros n; apply Z|eexists; exact Sv]. }
  set (Y := / E * (1 - dB)); assert (I : 0 < / E <= 1).
  { split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
  assert (HY : Y <= 1 - dB) by (unfold Y; nra).
  assert (T : exists th, 0 <= th <= 1 /\ th * (1 - dA) + (1 - th) * Y = 1 - dB).
  { destruct (Req_dec (1 - dA) Y) as [Q0|N]; [exists 1; split; lra|].
    assert (0 < 1 - dA - Y) by lra; exists ((1 - dB - Y) / (1 - dA - Y)); split; [split|field; lra].
    - apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat].
    - apply Rmult_le_reg_r with (1 - dA - Y); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  destruct T as (th & [T0 T1] & ET).
  exists dB, (fun n => th * wc n + (1 - th) * / E * vc n), vc.
  assert (EI : E * / E = 1) by (apply Rinv_r; lra).
  assert (K : forall n, / E * vc n <= wc n).
  { intros n; destruct (Z n) as (_ & _ & _ & K); apply Rmult_le_reg_l with E; [lra|]; rewrite <- Rmult_assoc, EI; lra. }
  assert (K' : forall n, 0 <= / E * vc n) by (intros n; apply Rmult_le_pos; [lra|apply Z]).
  repeat split; try lra; try apply Z.
  - specialize (K' n); destruct (Z n) as ((? & ?) & _); rewrite Rmult_assoc; nra.
  - specialize (K n); specialize (K' n); destruct (Z n) as ((? & ?) & _); rewrite Rmult_assoc; nra.
  - eapply is_series_sum; [apply (is_series_times _ th _ _ Sw eq_refl)|apply (is_series_times _ _ _ _ Sv eq_refl)|].
    unfold Y in ET; lra.
  - exact Sv.
  - intros n; specialize (K n); destruct (Z n) as (_ & _ & X & _); rewrite Rmult_assoc; fold E; nra.
  - intros n; specialize (K n); destruct (Z n) as ((W0 & _) & _ & _ & X); fold E.
    assert (E * (th * wc n) >= th * vc n) by nra.
    replace (E * (th * wc n + (1 - th) * / E * vc n)) with (E * (th * wc n) + (1 - th) * (E * / E) * vc n) by ring.
    rewrite EI; lra.
Qed.
End Cut.

Lemma close_parts_sym w v e d m w2 v2 : close_parts v w e d m v2 w2 -> close_parts w v e d m w2 v2.
Proof. intros (A & B & C & D & F & G & H); repeat split; try apply A; try apply B; try apply C; auto. Qed.

Theorem close_approximate (w v : nat -> R) Hw Hv (w1 : is_series w 1) (v1 : is_series v 1) e d : 0 <= e -> 0 <= d <= 1 ->
  let P := countable w Hw w1 in let Q := countable v Hv v1 in
  close e d P Q -> close e d Q P -> approximate max_divergence e d P Q.
Proof.
  intros He [D0 D1] P Q PQ QP.
  destruct (Req_dec d 0) as [->|N0].
  { exists P, P, Q, Q; repeat split; auto; intros f _; ring. }
  destruct (Req_dec d 1) as [->|N1].
  { exists P, P, P, Q; repeat split; try (intros f _; ring);
      (eapply close_mono; [exact He|apply Rle_refl|intros f _; rewrite exp_0; lra]). }
  assert (X : exists m w2 v2, close_parts w v e d m w2 v2).
  { destruct (Rle_dec (Series (pos_part w v e)) (Series (pos_part v w e))) as [L|L].
    - now apply (parts w v Hw Hv w1 v1 e d He).
    - destruct (parts v w Hv Hw v1 w1 e d He ltac:(lra) QP PQ) as (m & v2 & w2 & H).
      exists m, w2, v2; now apply close_parts_sym. }
  destruct X as (m & w2 & v2 & H); apply (mixed w v Hw Hv w1 v1 e d m w2 v2); auto; lra.
Qed.
