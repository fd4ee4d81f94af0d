(** [make_laplace_threshold]: discrete Laplace noise on the numbers of unknown keys. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DiscreteLaplace Measures Totals Rounding keys laplace threshold.
Import ListNotations.
Open Scope R_scope.

(** How likely it is that noise reaches [m]. *)
Section Tail.
Variables (a : R) (Ha : 0 < a < 1).
Lemma geo_tail m : Series (fun n => geo a n * ind (Nat.leb m n)) = a ^ m.
Proof.
  induction m.
  - rewrite (Series_ext _ (geo a)) by (intros n; simpl; unfold ind; ring); apply is_series_unique, geo_one, Ha.
  - rewrite (peel a Ha) by (apply (ind_unit (fun n => Nat.leb (S m) n))).
    rewrite (Series_ext _ (fun n => geo a n * ind (Nat.leb m n))) by reflexivity.
    rewrite IHm; unfold ind; simpl; ring.
Qed.

Theorem laplace_reaches x T : (1 <= T - x)%Z ->
  Ex (dlap_at a Ha x) (fun y => ind (T <=? y)%Z) = a ^ Z.to_nat (T - x) / (1 + a).
Proof.
  intros H; rewrite dlap_at_Ex.
  rewrite (Series_ext (fun n => geo a n * ind (T <=? Z.of_nat n + x)%Z) (fun n => geo a n * ind (Nat.leb (Z.to_nat (T - x)) n))).
  - rewrite (Series_ext (fun n => geo a n * ind (T <=? -1 - Z.of_nat n + x)%Z) (fun _ => 0 * 0)).
    + rewrite geo_tail, Series_scal_l; field; lra.
    + intros n; destruct (Z.leb_spec T (-1 - Z.of_nat n + x)); [lia|unfold ind; ring].
  - intros n; do 2 f_equal; destruct (Z.leb_spec T (Z.of_nat n + x)), (Nat.leb_spec (Z.to_nat (T - x)) n); auto; lia.
Qed.
End Tail.

Lemma up_1 : up 1 = 1.
Proof.
  unfold up; apply round_generic; auto with typeclass_instances.
  apply (generic_format_FLT_bpow radix2 (-1074) 53 0); lia.
Qed.
Lemma dn_mono x y : x <= y -> dn x <= dn y.
Proof. apply round_le; auto with typeclass_instances. Qed.
Lemma dn_1 : dn 1 = 1.
Proof.
  unfold dn; apply round_generic; auto with typeclass_instances.
  apply (generic_format_FLT_bpow radix2 (-1074) 53 0); lia.
Qed.
Lemma dn_nonneg x : 0 <= x -> 0 <= dn x.
Proof. intros H; apply dn_mono in H; unfold dn in *; now rewrite round_0 in H by auto with typeclass_instances. Qed.
Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H| ->]; [left; now apply exp_increasing|lra]. Qed.

(** [tail::laplace]: [q^m / (1 + q)], each step rounded so that the result is not too small. *)
Definition laplace_tail (s least : R) : R :=
  inf_div (up (exp (- dn (least / s)))) (dn (1 + dn (exp (- up (1 / s))))).

Lemma laplace_tail_sound s least m : 0 < s -> 0 <= least <= INR m ->
  exp (- / s) ^ m / (1 + exp (- / s)) <= laplace_tail s least <= 1.
Proof.
  intros Hs [L0 L]; assert (Hi : 0 < / s) by now apply Rinv_0_lt_compat.
  set (b := dn (1 + dn (exp (- up (1 / s))))).
  assert (B1 : 1 <= b).
  { unfold b; rewrite <- dn_1 at 1; apply dn_mono; pose proof (dn_nonneg (exp (- up (1 / s))) (Rlt_le _ _ (exp_pos _))); lra. }
  assert (B2 : b <= 1 + exp (- / s)).
  { unfold b; eapply Rle_trans; [apply dn_le|]; apply Rplus_le_compat_l; eapply Rle_trans; [apply dn_le|].
    apply exp_le; pose proof (up_ge (1 / s)); unfold Rdiv in *; lra. }
  assert (D0 : 0 <= dn (least / s)) by (apply dn_nonneg, Rmult_le_pos; lra).
  assert (P : exp (- / s) ^ m <= up (exp (- dn (least / s)))).
  { eapply Rle_trans; [|apply up_ge]; rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp; apply exp_le.
    pose proof (dn_le (least / s)); assert (least / s <= INR m * / s) by (apply Rmult_le_compat_r; lra); lra. }
  pose proof (pow_lt (exp (- / s)) m (exp_pos _)).
  split.
  - unfold laplace_tail; fold b; eapply Rle_trans; [|apply inf_div_ge; [exact P|lra]].
    unfold Rdiv; apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra].
  - unfold laplace_tail, inf_div; fold b; rewrite <- up_1; apply up_mono.
    assert (U : up (exp (- dn (least / s))) <= 1).
    { rewrite <- up_1; apply up_mono; rewrite <- exp_0; apply exp_le; lra. }
    apply Rmult_le_reg_r with b; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** [KeepRule::survival] and the map. *)
Definition survival (s : R) (T : Z) (greatest : R) : R :=
  let gap := (T - Zfloor greatest)%Z in if (gap <? 1)%Z then 1 else laplace_tail s (dn (IZR gap)).
Definition laplace_threshold_map (s : R) (T : Z) (d : nat * R * R) : R * R :=
  let '(keys, norm, greatest) := d in
  if Nat.eq_dec keys 0 then (0, 0) else if Req_EM_T norm 0 then (0, 0) else if Req_EM_T greatest 0 then (0, 0) else
  (inf_div norm s, any_of keys (survival s T greatest)).

Section Mechanism.
Context {K Y : Type} (s : R) (Hs : 0 < s) (T : Z) (HT : (0 < T)%Z) (release : list (option Z) -> Y).
Notation noisy := (dlap_at (exp (- / s)) (scale_ok s Hs)).

Lemma survives greatest x : (x <= Zfloor greatest)%Z ->
  Ex (noisy x) (fun y => ind (T <=? y)%Z) <= survival s T greatest <= 1.
Proof.
  intros H; pose proof (Ex_unit (noisy x) (fun y => ind (T <=? y)%Z) (ind_unit (fun y => (T <=? y)%Z))).
  unfold survival; destruct (Z.ltb_spec (T - Zfloor greatest) 1) as [|G]; [lra|].
  rewrite laplace_reaches by lia; set (a := exp (- / s)); pose proof (scale_ok s Hs) as A; fold a in A.
  assert (M : INR (Z.to_nat (T - Zfloor greatest)) = IZR (T - Zfloor greatest)) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; auto).
  destruct (laplace_tail_sound s (dn (IZR (T - Zfloor greatest))) (Z.to_nat (T - Zfloor greatest)) Hs) as [L U].
  { rewrite M; split; [apply dn_nonneg, IZR_le; lia|apply dn_le]. }
  split; auto; eapply Rle_trans; [|exact L]; fold a; unfold Rdiv; apply Rmult_le_compat_r.
  - left; apply Rinv_0_lt_compat; lra.
  - replace (Z.to_nat (T - x)) with (Z.to_nat (T - Zfloor greatest) + Z.to_nat (Zfloor greatest - x))%nat by lia.
    rewrite pow_add; pose proof (pow_lt a (Z.to_nat (T - Zfloor greatest)) ltac:(lra)).
    pose proof (pow_incr a 1 (Z.to_nat (Zfloor greatest - x)) ltac:(lra)) as I; rewrite pow1 in I.
    pose proof (pow_le a (Z.to_nat (Zfloor greatest - x)) ltac:(lra)); nra.
Qed.

(** For any list of different keys: take one that has all keys of both maps. *)
Theorem make_laplace_threshold d (f g : K -> Z) ks : NoDup ks ->
  map_apart L01InfDistance d (fun k => IZR (f k)) (fun k => IZR (g k)) ->
  let '(epsilon, delta) := laplace_threshold_map s T d in
  approximate max_divergence epsilon delta (dmap release (released noisy T f ks)) (dmap release (released noisy T g ks)).
Proof.
  destruct d as [[keys norm] greatest]; intros N H.
  assert (Z0 : keys = O \/ norm = 0 \/ greatest = 0 ->
    approximate max_divergence 0 0 (dmap release (released noisy T f ks)) (dmap release (released noisy T g ks))).
  { intros E; rewrite (same_release noisy T f g ks) by (intros; eapply zero_distance; eauto).
    set (P := dmap release (released noisy T g ks)); exists P, P, P, P; repeat split; intros h _; try ring.
    all: rewrite exp_0; lra. }
  unfold laplace_threshold_map; destruct (Nat.eq_dec keys 0); [auto|].
  destruct (Req_EM_T norm 0); [auto|]; destruct (Req_EM_T greatest 0); [auto|].
  apply (approximate_map (@max_divergence) release); [intros P Q [A B]; split; now apply post_processing|].
  pose proof (map_apart_sym _ _ _ _ H) as H'.
  assert (S0 : 0 <= survival s T greatest <= 1).
  { destruct (survives greatest (Zfloor greatest) (Z.le_refl _)) as [A B].
    pose proof (Ex_unit (noisy (Zfloor greatest)) (fun y => ind (T <=? y)%Z) (ind_unit (fun y => (T <=? y)%Z))); lra. }
  apply threshold_parts; auto.
  - now destruct (H ks N).
  - intros k I F G; apply survives; eapply (alone_small L01InfDistance keys norm greatest f g ks); eauto.
  - intros k I F G; apply survives; eapply (alone_small L01InfDistance keys norm greatest g f ks); eauto.
  - assert (X : forall f g : K -> Z, map_apart L01InfDistance (keys, norm, greatest) (fun k => IZR (f k)) (fun k => IZR (g k)) ->
      close (inf_div norm s) 0 (each (shared noisy T f g) ks) (each (shared noisy T g f) ks)).
    { clear - N Hs; intros f g H; destruct (H ks N) as (_ & B & _); simpl in B.
      rewrite l1_sum, over_sum in B.
      apply close_mono with (fold_right (fun k sum => IZR (Z.abs (f k - g k)) / s + sum) 0 ks) 0; [|lra|].
      - apply Rle_trans with (over (fun k => IZR (f k)) (fun k => IZR (g k)) Rabs ks / s); [|apply inf_div_ge; auto].
        right; unfold over; clear; induction ks as [|k l IH]; cbn [fold_right]; [unfold Rdiv; ring|].
        rewrite IH, abs_IZR, minus_IZR; unfold Rdiv; ring.
      - apply each_both_close; intros k _; apply shared_close; [|apply discrete_laplace_private].
        apply Rmult_le_pos; [apply IZR_le, Z.abs_nonneg|left; now apply Rinv_0_lt_compat]. }
    split; apply X; auto.
Qed.
End Mechanism.
