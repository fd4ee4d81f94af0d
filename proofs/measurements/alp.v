(** [make_alp]: numbers of keys, rounded at random to levels and written into a table of bits, each of which is then flipped by a coin. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx Measures Rounding Totals keys Interaction.
Import ListNotations.
Open Scope R_scope.

Section Alp.
Variables (alpha : nat) (Ha : (1 <= alpha)%nat).

(** [uniform_below(alpha + 2) == 0]. *)
Definition flip : R := / INR (alpha + 2).
Lemma flip_range : 0 <= flip <= 1.
Proof.
  unfold flip; assert (1 <= INR (alpha + 2)) by (change 1 with (INR 1); apply le_INR; lia); split; [left; apply Rinv_0_lt_compat; lra|].
  rewrite <- Rinv_1; apply Rinv_le_contravar; lra.
Qed.
(** What is 0 or 1 before is so after with probabilities that differ by a factor of [alpha + 1]. *)
Lemma flip_ratio : 1 - flip = (1 + INR alpha) * flip.
Proof. unfold flip; rewrite plus_INR; simpl; pose proof (pos_INR alpha); field; lra. Qed.
Lemma alpha_ge : 1 <= INR alpha.
Proof. change 1 with (INR 1); now apply le_INR. Qed.

Definition table := nat -> bool.
Fixpoint flipped (n : nat) (t : table) : dist (list bool) :=
  match n with O => ret [] | S m => bind (bernoulli flip flip_range) (fun b => dmap (cons (xorb b (t m))) (flipped m t)) end.

(** Tables that differ in one place at most. *)
Definition beside (t t' : table) : Prop := exists p, forall q, q <> p -> t q = t' q.
Lemma beside_sym t t' : beside t t' -> beside t' t.
Proof. intros [p H]; exists p; intros q N; symmetry; auto. Qed.
Lemma flipped_ext n t t' : (forall q, (q < n)%nat -> t q = t' q) -> forall f, Ex (flipped n t) f = Ex (flipped n t') f.
Proof.
  induction n as [|n IH]; intros H f; [reflexivity|]; cbn [flipped Ex bind dmap bernoulli ret].
  rewrite (H n) by lia; f_equal; f_equal; apply IH; intros q L; apply H; lia.
Qed.
Lemma flipped_beside n t t' : beside t t' -> close (ln (1 + INR alpha)) 0 (flipped n t) (flipped n t').
Proof.
  pose proof alpha_ge as Ge; intros [p H]; induction n as [|n IH].
  - apply close_same; [|lra]; rewrite <- ln_1; left; apply ln_increasing; lra.
  - destruct (Nat.eq_dec n p) as [->|N].
    + intros f Hf; rewrite exp_ln, Rplus_0_r by lra; cbn [flipped Ex bind dmap bernoulli ret].
      set (g := fun b => Ex (flipped p t) (fun s => f (b :: s))).
      assert (G : forall b, Ex (flipped p t') (fun s => f (b :: s)) = g b).
      { intros b; unfold g; apply flipped_ext; intros q L; symmetry; apply H; lia. }
      rewrite !G; fold (g (xorb true (t p))) (g (xorb false (t p))).
      assert (U : forall b, 0 <= g b <= 1) by (intros b; apply Ex_unit; intros s; apply Hf).
      pose proof flip_ratio as Fr; pose proof flip_range; pose proof (U true); pose proof (U false).
      assert (K : 1 <= (1 + INR alpha) * (1 + INR alpha)) by nra.
      assert (0 <= flip * g true) by (apply Rmult_le_pos; lra). assert (0 <= flip * g false) by (apply Rmult_le_pos; lra).
      rewrite Fr; destruct (t p), (t' p); simpl xorb; nra.
    + cbn [flipped]; rewrite (H n) by auto; apply close_mix; [lra|]; intros b; apply post_processing; exact IH.
Qed.

(** A number of levels, rounded at random, and what follows: neighbors among levels are within a factor of [1 + alpha]. *)
Section Level.
Context {Y : Type} (rest : nat -> dist Y).
Hypothesis near : forall n, close (ln (1 + INR alpha)) 0 (rest n) (rest (S n)) /\ close (ln (1 + INR alpha)) 0 (rest (S n)) (rest n).

Definition whole (u : R) : nat := Z.to_nat (Zfloor u).
Definition fraction (u : R) : R := u - IZR (Zfloor u).
Lemma fraction_range u : 0 <= fraction u <= 1.
Proof. unfold fraction; pose proof (Zfloor_lb u); pose proof (Zfloor_ub u); lra. Qed.
Definition rounded (u : R) : dist Y :=
  bind (bernoulli (fraction u) (fraction_range u)) (fun up => rest (whole u + if up then 1 else 0)).

Lemma within_level a b f f' : 0 <= f <= 1 -> 0 <= f' <= 1 -> 0 <= a -> 0 <= b -> a <= (1 + INR alpha) * b -> b <= (1 + INR alpha) * a ->
  f' * b + (1 - f') * a <= exp (INR alpha * Rabs (f' - f)) * (f * b + (1 - f) * a).
Proof.
  intros Hf Hf' A B AB BA; pose proof alpha_ge.
  set (x := f * b + (1 - f) * a); set (d := Rabs (f' - f)).
  assert (Hd : 0 <= d) by apply Rabs_pos.
  assert (X : f' * b + (1 - f') * a <= x + d * (INR alpha * x)).
  { replace (f' * b + (1 - f') * a) with (x + (f' - f) * (b - a)) by (unfold x; ring); apply Rplus_le_compat_l.
    apply Rle_trans with (d * Rabs (b - a)); [unfold d; rewrite <- Rabs_mult; apply Rle_abs|].
    apply Rmult_le_compat_l; auto.
    unfold x; destruct (Rle_dec a b) as [L|L]; [rewrite Rabs_pos_eq by lra|rewrite Rabs_left by lra].
    - assert (a <= f * b + (1 - f) * a) by nra. assert (INR alpha * a <= INR alpha * (f * b + (1 - f) * a)) by (apply Rmult_le_compat_l; lra). lra.
    - assert (b <= f * b + (1 - f) * a) by nra. assert (INR alpha * b <= INR alpha * (f * b + (1 - f) * a)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (X0 : 0 <= x) by (unfold x; nra).
  pose proof (exp_ineq1_le (INR alpha * d)) as E1.
  assert ((1 + INR alpha * d) * x <= exp (INR alpha * d) * x) by (apply Rmult_le_compat_r; auto). lra.
Qed.

Lemma rounded_up_and_down f : unit_test f -> forall k u u', 0 <= u -> u <= u' -> (Z.to_nat (Zfloor u' - Zfloor u) = k)%nat ->
  Ex (rounded u') f <= exp (INR alpha * (u' - u)) * Ex (rounded u) f /\ Ex (rounded u) f <= exp (INR alpha * (u' - u)) * Ex (rounded u') f.
Proof.
  intros Hf; set (r := fun n => Ex (rest n) f).
  assert (Ur : forall n, 0 <= r n <= 1) by (intros n; now apply Ex_unit).
  assert (Nr : forall n, r n <= (1 + INR alpha) * r (S n) /\ r (S n) <= (1 + INR alpha) * r n).
  { intros n; destruct (near n) as [A B]; specialize (A f Hf); specialize (B f Hf); pose proof alpha_ge; rewrite exp_ln in A, B by lra; unfold r; lra. }
  assert (Er : forall u, Ex (rounded u) f = fraction u * r (S (whole u)) + (1 - fraction u) * r (whole u)).
  { intros u; unfold rounded; cbn [Ex bind bernoulli]; rewrite Nat.add_0_r, Nat.add_1_r; reflexivity. }
  induction k as [|k IH]; intros u u' H0 L K.
  - assert (F : (Zfloor u <= Zfloor u')%Z) by now apply Zfloor_le.
    assert (E : Zfloor u' = Zfloor u) by lia.
    rewrite !Er; unfold whole; rewrite E; fold (whole u).
    assert (D : fraction u' - fraction u = u' - u) by (unfold fraction; rewrite E; ring).
    destruct (Nr (whole u)) as [N1 N2]; pose proof (fraction_range u); pose proof (fraction_range u'); pose proof (Ur (whole u)); pose proof (Ur (S (whole u))).
    split.
    + pose proof (within_level (r (whole u)) (r (S (whole u))) (fraction u) (fraction u')) as W; rewrite D, Rabs_pos_eq in W by lra; apply W; lra.
    + pose proof (within_level (r (whole u)) (r (S (whole u))) (fraction u') (fraction u)) as W; rewrite Rabs_minus_sym, D, Rabs_pos_eq in W by lra; apply W; lra.
  - set (m := IZR (Zfloor u + 1)).
    assert (Fm : Zfloor m = (Zfloor u + 1)%Z) by apply Zfloor_IZR.
    assert (Um : u <= m) by (unfold m; rewrite plus_IZR; pose proof (Zfloor_ub u); lra).
    assert (Mu : m <= u').
    { unfold m; apply Rle_trans with (IZR (Zfloor u')); [apply IZR_le; lia|apply Zfloor_lb]. }
    assert (M0 : 0 <= m) by lra.
    destruct (IH m u' M0 Mu ltac:(lia)) as [I1 I2].
    assert (Z0 : (0 <= Zfloor u)%Z) by (apply Zfloor_lub; lra).
    assert (Em : Ex (rounded m) f = r (S (whole u))).
    { rewrite Er; unfold fraction, whole; rewrite Fm; fold m; rewrite Z2Nat.inj_add by lia; change (Z.to_nat 1) with 1%nat; rewrite Nat.add_1_r.
      replace (m - m) with 0 by ring; ring. }
    destruct (Nr (whole u)) as [N1 N2]; pose proof (fraction_range u); pose proof (Ur (whole u)); pose proof (Ur (S (whole u))).
    assert (D : 1 - fraction u = m - u) by (unfold fraction, m; rewrite plus_IZR; ring).
    assert (J1 : Ex (rounded m) f <= exp (INR alpha * (m - u)) * Ex (rounded u) f).
    { rewrite Em, Er, D; pose proof (within_level (r (whole u)) (r (S (whole u))) (fraction u) 1) as W; rewrite D, Rabs_pos_eq in W by lra.
      specialize (W ltac:(split; lra) ltac:(split; lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)); lra. }
    assert (J2 : Ex (rounded u) f <= exp (INR alpha * (m - u)) * Ex (rounded m) f).
    { rewrite Em, Er, D; pose proof (within_level (r (whole u)) (r (S (whole u))) 1 (fraction u)) as W; rewrite Rabs_minus_sym, D, Rabs_pos_eq in W by lra.
      specialize (W ltac:(split; lra) ltac:(split; lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)); lra. }
    replace (INR alpha * (u' - u)) with (INR alpha * (u' - m) + INR alpha * (m - u)) by ring; rewrite exp_plus.
    pose proof (exp_pos (INR alpha * (u' - m))); pose proof (exp_pos (INR alpha * (m - u))).
    split.
    + eapply Rle_trans; [exact I1|]; rewrite Rmult_assoc; apply Rmult_le_compat_l; lra.
    + eapply Rle_trans; [exact J2|]; rewrite (Rmult_comm (exp (INR alpha * (u' - m)))), Rmult_assoc; apply Rmult_le_compat_l; lra.
Qed.
Lemma rounded_close u u' : 0 <= u -> 0 <= u' -> close (INR alpha * Rabs (u - u')) 0 (rounded u) (rounded u').
Proof.
  intros H H' f Hf; rewrite Rplus_0_r; destruct (Rle_dec u u') as [L|L].
  - rewrite Rabs_minus_sym, Rabs_pos_eq by lra; now apply (rounded_up_and_down f Hf _ u u' H L eq_refl).
  - rewrite Rabs_pos_eq by lra; apply (rounded_up_and_down f Hf _ u' u H' ltac:(lra) eq_refl).
Qed.
End Level.

(** The table: key by key, in an order that the data do not decide; a key that is absent has the number 0, and sets no bit. *)
Section Keys.
Context {K : Type} (position : K -> nat -> nat) (size : nat).
Definition set_bits (k : K) (levels : nat) (t : table) : table := fun q => (t q || existsb (fun j => Nat.eqb q (position k j)) (seq 0 levels))%bool.
Fixpoint project (ks : list K) (u : K -> R) (t : table) : dist (list bool) :=
  match ks with
  | [] => flipped size t
  | k :: ks => rounded (fun levels => project ks u (set_bits k levels t)) (u k)
  end.

Lemma set_bits_beside k n t t' : beside t t' -> beside (set_bits k n t) (set_bits k n t').
Proof. intros [p H]; exists p; intros q N; unfold set_bits; now rewrite H. Qed.
Lemma set_bits_next k n t : beside (set_bits k n t) (set_bits k (S n) t).
Proof.
  exists (position k n); intros q N; unfold set_bits; rewrite seq_S, existsb_app; simpl.
  apply Nat.eqb_neq in N; rewrite N, !Bool.orb_false_r; reflexivity.
Qed.
Lemma project_beside ks u : forall t t', beside t t' -> close (ln (1 + INR alpha)) 0 (project ks u t) (project ks u t').
Proof.
  induction ks as [|k ks IH]; intros t t' B; simpl; [now apply flipped_beside|].
  unfold rounded; apply close_mix; [lra|]; intros b; apply IH, set_bits_beside, B.
Qed.

Lemma l1_difference_cons k ks (u u' : K -> R) :
  l1 (length (k :: ks)) (difference (k :: ks) u u') = Rabs (u k - u' k) + l1 (length ks) (difference ks u u').
Proof. cbn [length]; now rewrite l1_cons. Qed.
Theorem project_close ks u u' : (forall k, 0 <= u k) -> (forall k, 0 <= u' k) -> forall t,
  close (INR alpha * l1 (length ks) (difference ks u u')) 0 (project ks u t) (project ks u' t).
Proof.
  intros H H'; induction ks as [|k ks IH]; intros t; cbn [project].
  - cbn [length l1]; rewrite Rmult_0_r; apply close_same; lra.
  - rewrite l1_difference_cons, Rmult_plus_distr_l; replace 0 with (0 + exp (INR alpha * Rabs (u k - u' k)) * 0) by ring.
    apply close_trans with (rounded (fun levels => project ks u (set_bits k levels t)) (u' k)).
    + apply rounded_close; auto; intros n; split; apply project_beside; [|apply beside_sym]; apply set_bits_next.
    + unfold rounded; apply close_mix; [lra|]; intros b; apply IH.
Qed.
End Keys.

(** [round]: numbers are brought into [0, limit], infinities to the ends, and counted in units of [alpha scale]. *)
Variables (s limit : R) (Hs : 0 < s) (Hl : 0 < limit).
Definition unit_of : R := s * INR alpha.
Definition level (v : R) : R := Rmin (Rmax v 0) limit / unit_of.
Lemma unit_pos : 0 < unit_of.
Proof. unfold unit_of; pose proof alpha_ge; nra. Qed.
Lemma level_nonneg v : 0 <= level v.
Proof.
  unfold level; apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, unit_pos]; unfold Rmin, Rmax; destruct (Rle_dec v 0); destruct (Rle_dec _ limit); lra.
Qed.
Lemma level_near v v' : INR alpha * Rabs (level v - level v') <= Rabs (v - v') / s.
Proof.
  pose proof unit_pos as U; pose proof alpha_ge; unfold level.
  replace (Rmin (Rmax v 0) limit / unit_of - Rmin (Rmax v' 0) limit / unit_of) with ((Rmin (Rmax v 0) limit - Rmin (Rmax v' 0) limit) * / unit_of) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ unit_of)) by (left; now apply Rinv_0_lt_compat).
  assert (C : Rabs (Rmin (Rmax v 0) limit - Rmin (Rmax v' 0) limit) <= Rabs (v - v')).
  { unfold Rmin, Rmax, Rabs; destruct (Rle_dec v 0), (Rle_dec v' 0), (Rcase_abs (v - v')); repeat destruct (Rle_dec _ limit); destruct (Rcase_abs _); lra. }
  replace (INR alpha * (Rabs (Rmin (Rmax v 0) limit - Rmin (Rmax v' 0) limit) * / unit_of)) with (Rabs (Rmin (Rmax v 0) limit - Rmin (Rmax v' 0) limit) / s)
    by (unfold unit_of; field; lra).
  unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|auto].
Qed.

(** The whole release: a hash that is drawn without a look at the data, and the table. *)
Section Release.
Context {K Hash : Type} (draw : dist Hash) (position : Hash -> K -> nat -> nat) (size : nat) (ks : list K).
Definition alp (v : K -> R) : dist (Hash * list bool) :=
  bind draw (fun h => dmap (fun bits => (h, bits)) (project (position h) size ks (fun k => level (v k)) (fun _ => false))).

Theorem make_alp v v' d : l1 (length ks) (difference ks v v') <= d -> max_divergence (inf_div d s) (alp v) (alp v').
Proof.
  intros H.
  assert (X : forall v v', l1 (length ks) (difference ks v v') <= d -> close (inf_div d s) 0 (alp v) (alp v')).
  { clear v v' H; intros v v' H; unfold alp; apply close_mix; [lra|]; intros h; apply post_processing.
    eapply close_mono; [|apply Rle_refl|apply project_close; intros k; apply level_nonneg].
    apply Rle_trans with (l1 (length ks) (difference ks v v') / s); [|apply inf_div_ge; auto].
    clear H; induction ks as [|k keys IH]; [cbn [length l1]; unfold Rdiv; lra|].
    rewrite !l1_difference_cons, Rmult_plus_distr_l; pose proof (level_near (v k) (v' k)); unfold Rdiv in *; lra. }
  split; apply X; auto.
  rewrite <- (norm_opp _ (l1_seminorm _)), (norm_ext _ (l1_seminorm _) _ (difference ks v v')); auto.
  intros j; unfold difference; destruct (nth_error ks j); ring.
Qed.
End Release.
End Alp.
