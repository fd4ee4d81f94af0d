(** [make_laplace_threshold]: Laplace noise on the numbers of unknown keys; integers get the discrete law, other numbers the
    continuous one rounded to a grid. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DiscreteLaplace Theta DiscreteGaussian RoundedLaplace Measures Totals Rounding keys laplace threshold.
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

(** How likely it is that continuous noise of scale [b], in steps of the grid, rounded to a multiple, reaches [J]. *)
Section RoundedTail.
Variables (b : R) (Hb : 0 < b).
Definition height (J : Z) (a : R) (j : Z) : R := Rmax (F b (IZR j - / 2 - a)) (F b (IZR J - / 2 - a)).

Lemma F_mono u v : u <= v -> F b u <= F b v.
Proof. intros [H| ->]; [left; now apply F_increasing|lra]. Qed.
Lemma F_le_1 u : F b u <= 1.
Proof.
  destruct (Rle_dec u 0); [rewrite F_neg by auto|rewrite F_pos by lra].
  - assert (exp (u / b) <= exp 0) by (apply exp_le; replace 0 with (0 / b) by (unfold Rdiv; ring); now apply div_le).
    rewrite exp_0 in *; lra.
  - pose proof (exp_pos (- (u / b))); lra.
Qed.

Lemma height_step J a j : 0 <= pm b a j * ind (J <=? j)%Z <= height J a (j + 1) - height J a j.
Proof.
  pose proof (pm_pos b Hb a j) as P; unfold height; rewrite plus_IZR.
  replace (IZR j + 1 - / 2 - a) with (IZR j + / 2 - a) by field.
  assert (M : F b (IZR j - / 2 - a) <= F b (IZR j + / 2 - a)) by (apply F_mono; lra).
  unfold pm in *; destruct (Z.leb_spec J j) as [L|L]; unfold ind.
  - assert (F b (IZR J - / 2 - a) <= F b (IZR j - / 2 - a)) by (apply F_mono; apply IZR_le in L; lra).
    rewrite !Rmax_left by lra; lra.
  - pose proof (Rle_max_compat_r (F b (IZR j - / 2 - a)) (F b (IZR j + / 2 - a)) (F b (IZR J - / 2 - a)) M); lra.
Qed.

Theorem rounded_reaches J a : Ex (rounded_laplace b Hb a) (fun y => ind (J <=? y)%Z) <= 1 - F b (IZR J - / 2 - a).
Proof.
  unfold rounded_laplace; rewrite Ex_zdist; unfold ZS.
  assert (S : forall n, sum_n (fold2 (fun z => pm b a z * ind (J <=? z)%Z)) n <= height J a (Z.of_nat n + 1) - height J a (-1 - Z.of_nat n)).
  { induction n.
    - rewrite sum_O; unfold fold2; pose proof (height_step J a (Z.of_nat 0)); pose proof (height_step J a (-1 - Z.of_nat 0)).
      replace (-1 - Z.of_nat 0 + 1)%Z with (Z.of_nat 0) in * by lia; lra.
    - rewrite sum_Sn; match goal with |- plus ?x ?y <= ?z => change (x + y <= z) end; unfold fold2 at 2.
      pose proof (height_step J a (Z.of_nat (S n))); pose proof (height_step J a (-1 - Z.of_nat (S n))).
      replace (-1 - Z.of_nat (S n) + 1)%Z with (-1 - Z.of_nat n)%Z in * by lia.
      replace (Z.of_nat (S n)) with (Z.of_nat n + 1)%Z in * by lia; lra. }
  apply (series_bounded (fold2 (fun z => pm b a z * ind (J <=? z)%Z)) (1 - F b (IZR J - / 2 - a))).
  - apply fold2_nonneg; intros z; apply height_step.
  - intros n; eapply Rle_trans; [apply S|]; unfold height.
    pose proof (Rmax_r (F b (IZR (-1 - Z.of_nat n) - / 2 - a)) (F b (IZR J - / 2 - a))).
    assert (Rmax (F b (IZR (Z.of_nat n + 1) - / 2 - a)) (F b (IZR J - / 2 - a)) <= 1) by (apply Rmax_lub; apply F_le_1); lra.
Qed.
End RoundedTail.

(** [survival_of_integer], [survival_of_float], [KeepRule::survival] for a finite [greatest], and the map. *)
Definition survival_of_integer (s : R) (T : Z) (greatest : R) : R :=
  let gap := (T - Zfloor greatest)%Z in if (gap <? 1)%Z then 1 else laplace_tail s (dn (IZR gap)).
Definition continuous_tail (s gap : R) : R := inf_div (up (exp (- dn (gap / s)))) 2.
(** [before] is the float before the threshold, and [step] that of the grid. *)
Definition survival_of_float (s before step greatest : R) : R :=
  let gap := dn (dn (before - up (step / 2)) - greatest) in if Rlt_dec 0 gap then continuous_tail s gap else 1.
Definition laplace_threshold_map (s : R) (survival : R -> R) (d : nat * R * R) : R * R :=
  let '(keys, norm, greatest) := d in
  if Nat.eq_dec keys 0 then (0, 0) else if Req_EM_T norm 0 then (0, 0) else if Req_EM_T greatest 0 then (0, 0) else
  (inf_div norm s, any_of keys (survival greatest)).

(** Any noise whose loss is [|x - x'| / s], and that carries small numbers to what is kept with a small probability. *)
Section Mechanism.
Context {K Y : Type} (s : R) (Hs : 0 < s) (noisy : R -> dist Z) (kept : Z -> bool) (number : R -> Prop) (survival : R -> R).
Variable release : list (option Z) -> Y.
Hypothesis private : forall x x', number x -> number x' -> close (Rabs (x - x') / s) 0 (noisy x) (noisy x').
Hypothesis survives : forall greatest x, number x -> x <= greatest ->
  Ex (noisy x) (fun y => ind (kept y)) <= survival greatest <= 1.
Hypothesis number_0 : number 0.

(** For any list of different keys: take one that has all keys of both maps. *)
Lemma threshold_map_sound d (f g : K -> R) ks : NoDup ks -> (forall k, number (f k)) -> (forall k, number (g k)) ->
  map_apart L01InfDistance d f g ->
  let '(epsilon, delta) := laplace_threshold_map s survival d in
  approximate max_divergence epsilon delta (dmap release (released noisy kept f ks)) (dmap release (released noisy kept g ks)).
Proof.
  destruct d as [[keys norm] greatest]; intros N Nf Ng H.
  assert (Z0 : keys = O \/ norm = 0 \/ greatest = 0 ->
    approximate max_divergence 0 0 (dmap release (released noisy kept f ks)) (dmap release (released noisy kept g ks))).
  { intros E; rewrite (same_release noisy kept f g ks) by (intros; eapply zero_distance; eauto).
    set (P := dmap release (released noisy kept g ks)); exists P, P, P, P; repeat split; intros h _; try ring.
    all: rewrite exp_0; lra. }
  unfold laplace_threshold_map; destruct (Nat.eq_dec keys 0); [auto|].
  destruct (Req_EM_T norm 0); [auto|]; destruct (Req_EM_T greatest 0); [auto|].
  apply (approximate_map (@max_divergence) release); [intros P Q [A B]; split; now apply post_processing|].
  pose proof (map_apart_sym _ _ _ _ H) as H'.
  assert (S0 : 0 <= survival greatest <= 1).
  { assert (G : 0 <= greatest) by (destruct (H [] (NoDup_nil K)) as (_ & _ & L); exact L).
    destruct (survives greatest 0 number_0 G) as [A B]; split; auto; eapply Rle_trans; [|exact A].
    apply (Ex_unit (noisy 0) (fun y => ind (kept y)) (ind_unit kept)). }
  apply threshold_parts; auto.
  - now destruct (H ks N).
  - intros k I A B; apply survives; auto; eapply (alone_small L01InfDistance keys norm greatest f g ks); eauto.
  - intros k I A B; apply survives; auto; eapply (alone_small L01InfDistance keys norm greatest g f ks); eauto.
  - assert (X : forall f g : K -> R, (forall k, number (f k)) -> (forall k, number (g k)) ->
      map_apart L01InfDistance (keys, norm, greatest) f g ->
      close (inf_div norm s) 0 (each (shared noisy kept f g) ks) (each (shared noisy kept g f) ks)).
    { clear - N Hs private; intros f g Nf Ng H; destruct (H ks N) as (_ & B & _); simpl in B.
      rewrite l1_sum, over_sum in B.
      apply close_mono with (fold_right (fun k sum => Rabs (f k - g k) / s + sum) 0 ks) 0; [|lra|].
      - apply Rle_trans with (over f g Rabs ks / s); [|apply inf_div_ge; auto].
        right; unfold over; clear; induction ks as [|k l IH]; cbn [fold_right]; [unfold Rdiv; ring|].
        rewrite IH; unfold Rdiv; ring.
      - apply each_both_close; intros k _; apply shared_close; [|now apply private].
        apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat]. }
    split; apply X; auto.
Qed.
End Mechanism.

Section Numbers.
Context {K Y : Type} (s : R) (Hs : 0 < s) (release : list (option Z) -> Y).

(** Integers, of which those not below a positive threshold are released. *)
Definition noisy_integer (x : R) : dist Z := dlap_at (exp (- / s)) (scale_ok s Hs) (Zfloor x).

Lemma integer_survives T greatest x : (exists z, x = IZR z) -> x <= greatest ->
  Ex (noisy_integer x) (fun y => ind (T <=? y)%Z) <= survival_of_integer s T greatest <= 1.
Proof.
  intros [z ->] H; unfold noisy_integer; rewrite Zfloor_IZR; apply Zfloor_lub in H.
  pose proof (Ex_unit (dlap_at (exp (- / s)) (scale_ok s Hs) z) (fun y => ind (T <=? y)%Z) (ind_unit (fun y => (T <=? y)%Z))).
  unfold survival_of_integer; destruct (Z.ltb_spec (T - Zfloor greatest) 1) as [|G]; [lra|].
  rewrite laplace_reaches by lia; set (a := exp (- / s)); pose proof (scale_ok s Hs) as A; fold a in A.
  assert (M : INR (Z.to_nat (T - Zfloor greatest)) = IZR (T - Zfloor greatest)) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; auto).
  destruct (laplace_tail_sound s (dn (IZR (T - Zfloor greatest))) (Z.to_nat (T - Zfloor greatest)) Hs) as [L U].
  { rewrite M; split; [apply dn_nonneg, IZR_le; lia|apply dn_le]. }
  split; auto; eapply Rle_trans; [|exact L]; fold a; unfold Rdiv; apply Rmult_le_compat_r.
  - left; apply Rinv_0_lt_compat; lra.
  - replace (Z.to_nat (T - z)) with (Z.to_nat (T - Zfloor greatest) + Z.to_nat (Zfloor greatest - z))%nat by lia.
    rewrite pow_add; pose proof (pow_lt a (Z.to_nat (T - Zfloor greatest)) ltac:(lra)).
    pose proof (pow_incr a 1 (Z.to_nat (Zfloor greatest - z)) ltac:(lra)) as I; rewrite pow1 in I.
    pose proof (pow_le a (Z.to_nat (Zfloor greatest - z)) ltac:(lra)); nra.
Qed.

Theorem make_laplace_threshold_integers T d (f g : K -> Z) ks : NoDup ks ->
  map_apart L01InfDistance d (fun k => IZR (f k)) (fun k => IZR (g k)) ->
  let '(epsilon, delta) := laplace_threshold_map s (survival_of_integer s T) d in
  let released f := released noisy_integer (fun y => (T <=? y)%Z) (fun k => IZR (f k)) ks in
  approximate max_divergence epsilon delta (dmap release (released f)) (dmap release (released g)).
Proof.
  intros N H; pose proof (fun number private survives zero => threshold_map_sound s Hs noisy_integer (fun y => (T <=? y)%Z)
    number (survival_of_integer s T) release private survives zero d (fun k => IZR (f k)) (fun k => IZR (g k)) ks N) as X.
  specialize (X (fun x => exists z, x = IZR z)); cbv beta in X; apply X; clear X; try (intros; now eexists); auto.
  - intros x x' [z ->] [z' ->]; unfold noisy_integer; rewrite !Zfloor_IZR, <- minus_IZR, <- abs_IZR; apply discrete_laplace_private.
  - intros; now apply integer_survives.
Qed.

(** Other numbers: multiples [j g] of the grid's step [g]; one that is kept lies above the float before the threshold. *)
Variables (g : R) (Hg : 0 < g).
Definition noisy_number (x : R) : dist Z := rounded_laplace (s / g) (steps_pos s Hs g Hg) (x / g).

Lemma number_survives before kept greatest x : (forall j, kept j = true -> before < IZR j * g) -> x <= greatest ->
  Ex (noisy_number x) (fun y => ind (kept y)) <= survival_of_float s before g greatest <= 1.
Proof.
  intros Hk H; unfold noisy_number; pose proof (steps_pos s Hs g Hg) as Pb.
  pose proof (Ex_unit (rounded_laplace (s / g) (steps_pos s Hs g Hg) (x / g)) (fun y => ind (kept y)) (ind_unit kept)) as U.
  unfold survival_of_float; set (gap := dn (dn (before - up (g / 2)) - greatest)); destruct (Rlt_dec 0 gap) as [G|]; [|lra].
  assert (Bg : gap <= before - g / 2 - x).
  { unfold gap; pose proof (dn_le (dn (before - up (g / 2)) - greatest)); pose proof (dn_le (before - up (g / 2))); pose proof (up_ge (g / 2)); lra. }
  set (J := (Zfloor (before / g) + 1)%Z); assert (BJ : before / g < IZR J) by (unfold J; rewrite plus_IZR; apply Zfloor_ub).
  assert (V : gap / s <= (IZR J - / 2 - x / g) / (s / g)).
  { replace ((IZR J - / 2 - x / g) / (s / g)) with ((IZR J * g - g / 2 - x) / s) by (field; lra).
    unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    assert (before < IZR J * g) by (apply Rmult_lt_reg_r with (/ g); [now apply Rinv_0_lt_compat|]; rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; exact BJ).
    unfold Rdiv in *; lra. }
  assert (D : 0 <= dn (gap / s)) by (apply dn_nonneg, Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  split.
  - apply Rle_trans with (Ex (rounded_laplace (s / g) (steps_pos s Hs g Hg) (x / g)) (fun y => ind (J <=? y)%Z)).
    + apply Ex_le; try (apply Int_unit; apply ind_unit); intros j; unfold ind.
      destruct (kept j) eqn:E; [|destruct (J <=? j)%Z; lra]; specialize (Hk j E).
      destruct (Z.leb_spec J j) as [|L]; [lra|]; exfalso.
      assert (IZR j <= before / g) by (apply Rle_trans with (IZR (Zfloor (before / g))); [apply IZR_le; unfold J in L; lia|apply Zfloor_lb]).
      assert (IZR j * g <= before / g * g) by (apply Rmult_le_compat_r; lra).
      unfold Rdiv in *; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in * by lra; lra.
    + eapply Rle_trans; [apply rounded_reaches; exact Pb|]; set (u := IZR J - / 2 - x / g) in *.
      assert (P : 0 < gap / s) by (apply Rdiv_lt_0_compat; auto).
      assert (Pu : 0 <= u).
      { apply Rmult_le_reg_r with (/ (s / g)); [now apply Rinv_0_lt_compat|]; unfold Rdiv in *; lra. }
      rewrite F_pos by auto; unfold continuous_tail.
      apply Rle_trans with (exp (- dn (gap / s)) / 2).
      * pose proof (dn_le (gap / s)); assert (exp (- (u / (s / g))) <= exp (- dn (gap / s))) by (apply exp_le; lra); lra.
      * apply inf_div_ge; [apply up_ge|lra].
  - unfold continuous_tail, inf_div; rewrite <- up_1; apply up_mono.
    assert (up (exp (- dn (gap / s))) <= 1) by (rewrite <- up_1; apply up_mono; rewrite <- exp_0; apply exp_le; lra); lra.
Qed.

Theorem make_laplace_threshold_numbers before kept d (f h : K -> R) ks : NoDup ks ->
  (forall j, kept j = true -> before < IZR j * g) -> map_apart L01InfDistance d f h ->
  let '(epsilon, delta) := laplace_threshold_map s (survival_of_float s before g) d in
  let released f := released noisy_number kept f ks in
  approximate max_divergence epsilon delta (dmap release (released f)) (dmap release (released h)).
Proof.
  intros N Hk H; pose proof (fun number private survives zero => threshold_map_sound s Hs noisy_number kept
    number (survival_of_float s before g) release private survives zero d f h ks N) as X.
  specialize (X (fun _ => True)); apply X; clear X; auto.
  - intros x x' _ _; unfold noisy_number.
    replace (Rabs (x - x') / s) with (Rabs (x / g - x' / g) / (s / g)); [apply rounded_laplace_private|].
    replace (x / g - x' / g) with ((x - x') / g) by (field; lra).
    unfold Rdiv at 2; rewrite Rabs_mult, (Rabs_pos_eq (/ g)) by (left; now apply Rinv_0_lt_compat); field; lra.
  - intros; now apply number_survives.
Qed.
End Numbers.

(** A multiple whose nearest float is not below the threshold lies above the float before it. *)
Theorem kept_above T m : generic_format radix2 fexp64 T -> 0 < T -> T <= rn m -> pred radix2 fexp64 T < m.
Proof.
  intros F P H; apply Rnot_le_lt; intros L.
  assert (rn m <= pred radix2 fexp64 T).
  { rewrite <- (round_generic radix2 fexp64 ZnearestE (pred radix2 fexp64 T)) by (apply generic_format_pred; auto with typeclass_instances).
    apply round_le; auto with typeclass_instances. }
  pose proof (pred_lt_id radix2 fexp64 T ltac:(lra)); lra.
Qed.
