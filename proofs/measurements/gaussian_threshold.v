(** [make_gaussian_threshold]: Gaussian noise on the numbers of unknown keys; integers get the discrete law, other numbers the
    continuous one rounded to a grid. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Flocq Require Import Core.Core.
From DP Require Import Expect DualRenyi DiscreteGaussian RoundedGaussian Normal Measures Totals Rounding keys laplace gaussian threshold laplace_threshold gaussian_tail.
Import ListNotations.
Open Scope R_scope.

(** [half_square], computed exactly and rounded up once. *)
Definition rho_of (norm s : R) : R := up (norm / s * (norm / s) / 2).
Definition gaussian_threshold_map (s : R) (survival : R -> R) (d : nat * R * R) : R * R :=
  let '(keys, norm, greatest) := d in
  if Nat.eq_dec keys 0 then (0, 0) else if Req_EM_T norm 0 then (0, 0) else if Req_EM_T greatest 0 then (0, 0) else
  (rho_of norm s, any_of keys (survival greatest)).

(** Any noise whose loss is [(x - x')^2 / (2 s^2)], and that carries small numbers to what is kept with a small probability. *)
Section Mechanism.
Context {K Y : Type} (s : R) (Hs : 0 < s) (noisy : R -> dist Z) (kept : Z -> bool) (number : R -> Prop) (survival : R -> R).
Variable release : list (option Z) -> Y.
Hypothesis private : forall x x', number x -> number x' -> zCDP ((x - x') ^ 2 / (2 * (s * s))) (noisy x) (noisy x').
Hypothesis survives : forall greatest x, number x -> x <= greatest ->
  Ex (noisy x) (fun y => ind (kept y)) <= survival greatest <= 1.
Hypothesis number_0 : number 0.

Lemma gaussian_threshold_sound d (f g : K -> R) ks : NoDup ks -> (forall k, number (f k)) -> (forall k, number (g k)) ->
  map_apart L02InfDistance d f g ->
  let '(rho, delta) := gaussian_threshold_map s survival d in
  approximate zero_concentrated rho delta (dmap release (released noisy kept f ks)) (dmap release (released noisy kept g ks)).
Proof.
  destruct d as [[keys norm] greatest]; intros N Nf Ng H.
  assert (Z0 : keys = O \/ norm = 0 \/ greatest = 0 ->
    approximate zero_concentrated 0 0 (dmap release (released noisy kept f ks)) (dmap release (released noisy kept g ks))).
  { intros E; rewrite (same_release noisy kept f g ks) by (intros; eapply zero_distance; eauto).
    set (P := dmap release (released noisy kept g ks)); exists P, P, P, P; repeat split; try (intros h _; ring); apply zCDP_refl. }
  unfold gaussian_threshold_map; destruct (Nat.eq_dec keys 0); [auto|].
  destruct (Req_EM_T norm 0); [auto|]; destruct (Req_EM_T greatest 0); [auto|].
  apply (approximate_map (@zero_concentrated) release); [intros P Q [A B]; split; now apply zCDP_post_processing|].
  pose proof (map_apart_sym _ _ _ _ H) as H'.
  assert (S0 : 0 <= survival greatest <= 1).
  { assert (G : 0 <= greatest) by (destruct (H [] (NoDup_nil K)) as (_ & _ & L); exact L).
    destruct (survives greatest 0 number_0 G) as [A B]; split; auto; eapply Rle_trans; [|exact A].
    apply (Ex_unit (noisy 0) (fun y => ind (kept y)) (ind_unit kept)). }
  assert (P0 : 0 <= norm) by (destruct (H ks N) as (_ & B & _); simpl in B; eapply Rle_trans; [apply sqrt_pos|exact B]).
  apply threshold_parts; auto.
  - now destruct (H ks N).
  - intros k I A B; apply survives; auto; eapply (alone_small L02InfDistance keys norm greatest f g ks); eauto.
  - intros k I A B; apply survives; auto; eapply (alone_small L02InfDistance keys norm greatest g f ks); eauto.
  - assert (X : forall f g : K -> R, (forall k, number (f k)) -> (forall k, number (g k)) ->
      map_apart L02InfDistance (keys, norm, greatest) f g ->
      zCDP (rho_of norm s) (each (shared noisy kept f g) ks) (each (shared noisy kept g f) ks)).
    { clear - N Hs P0 private; intros f g Nf Ng H; destruct (H ks N) as (_ & B & _); simpl in B; unfold l2 in B.
      pose proof (squares_nonneg (length ks) (difference ks f g)) as Q0.
      assert (C : over f g (fun x => x ^ 2) ks <= norm ^ 2).
      { rewrite <- over_sum, <- squares_sum, <- (sqrt_sqrt _ Q0); simpl; rewrite Rmult_1_r.
        apply Rmult_le_compat; auto using sqrt_pos. }
      apply zCDP_mono with (fold_right (fun k sum => (f k - g k) ^ 2 / (2 * (s * s)) + sum) 0 ks).
      - apply Rle_trans with (norm ^ 2 / (2 * (s * s))).
        + apply Rle_trans with (over f g (fun x => x ^ 2) ks / (2 * (s * s))).
          * right; unfold over; clear; induction ks as [|k l IH]; cbn [fold_right]; [unfold Rdiv; ring|].
            rewrite IH; unfold Rdiv; ring.
          * unfold Rdiv; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|exact C].
        + replace (norm ^ 2 / (2 * (s * s))) with (norm / s * (norm / s) / 2) by (field; lra); apply up_ge.
      - apply each_both_zCDP; intros k _; apply shared_zCDP; [|now apply private].
        apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; nra]. }
    split; apply X; auto.
Qed.
End Mechanism.

Section Numbers.
Context {K Y : Type} (s : R) (Hs : 0 < s) (release : list (option Z) -> Y).
(** The f64 constant of pi, and its successor. *)
Variables (pi_below pi_above : R) (PB : 1 <= pi_below <= PI) (PA : PI <= pi_above).

(** [survival_of_integer], [survival_of_float], for a finite [greatest]. *)
Definition survival_of_integer (T : Z) (greatest : R) : R :=
  let gap := (T - Zfloor greatest)%Z in if (gap <? 1)%Z then 1 else gaussian_tail pi_below pi_above s (dn (IZR gap)).
(** [before] is the float before the threshold, and [step] that of the grid. *)
Definition survival_of_float (before step greatest : R) : R :=
  let gap := dn (dn (before - up (step / 2)) - greatest) in if Rlt_dec 0 gap then continuous_tail pi_below s gap else 1.

(** Integers, of which those not below a positive threshold are released. *)
Definition noisy_integer (x : R) : dist Z := dgauss s Hs (Zfloor x).

Lemma integer_survives T greatest x : (exists z, x = IZR z) -> x <= greatest ->
  Ex (noisy_integer x) (fun y => ind (T <=? y)%Z) <= survival_of_integer T greatest <= 1.
Proof.
  intros [z ->] H; unfold noisy_integer; rewrite Zfloor_IZR; apply Zfloor_lub in H.
  pose proof (Ex_unit (dgauss s Hs z) (fun y => ind (T <=? y)%Z) (ind_unit (fun y => (T <=? y)%Z))).
  unfold survival_of_integer; destruct (Z.ltb_spec (T - Zfloor greatest) 1) as [|G]; [lra|].
  apply gaussian_reaches; auto; [lia|]; split.
  - rewrite <- dn_1 at 1; apply dn_mono; apply IZR_le in G; exact G.
  - eapply Rle_trans; [apply dn_le|apply IZR_le; lia].
Qed.

Theorem make_gaussian_threshold_integers T d (f g : K -> Z) ks : NoDup ks ->
  map_apart L02InfDistance d (fun k => IZR (f k)) (fun k => IZR (g k)) ->
  let '(rho, delta) := gaussian_threshold_map s (survival_of_integer T) d in
  let released f := released noisy_integer (fun y => (T <=? y)%Z) (fun k => IZR (f k)) ks in
  approximate zero_concentrated rho delta (dmap release (released f)) (dmap release (released g)).
Proof.
  intros N H; pose proof (fun number private survives zero => gaussian_threshold_sound s Hs noisy_integer (fun y => (T <=? y)%Z)
    number (survival_of_integer T) release private survives zero d (fun k => IZR (f k)) (fun k => IZR (g k)) ks N) as X.
  specialize (X (fun x => exists z, x = IZR z)); cbv beta in X; apply X; clear X; try (intros; now eexists); auto.
  - intros x x' [z ->] [z' ->]; unfold noisy_integer; rewrite !Zfloor_IZR; apply dgauss_zCDP.
  - intros; now apply integer_survives.
Qed.

(** Other numbers: multiples [j g] of the grid's step [g]; one that is kept lies above the float before the threshold. *)
Variables (g : R) (Hg : 0 < g).
Definition noisy_number (x : R) : dist Z := rounded_gaussian (/ (2 * (s / g * (s / g)))) (shape_pos s Hs g Hg) (x / g).

Lemma number_survives before kept greatest x : (forall j, kept j = true -> before < IZR j * g) -> x <= greatest ->
  Ex (noisy_number x) (fun y => ind (kept y)) <= survival_of_float before g greatest <= 1.
Proof.
  intros Hk H; unfold noisy_number; pose proof (shape_pos s Hs g Hg) as Pb.
  pose proof (Ex_unit (rounded_gaussian _ (shape_pos s Hs g Hg) (x / g)) (fun y => ind (kept y)) (ind_unit kept)) as U.
  unfold survival_of_float; set (gap := dn (dn (before - up (g / 2)) - greatest)); destruct (Rlt_dec 0 gap) as [G|]; [|lra].
  assert (Bg : gap <= before - g / 2 - x).
  { unfold gap; pose proof (dn_le (dn (before - up (g / 2)) - greatest)); pose proof (dn_le (before - up (g / 2))); pose proof (up_ge (g / 2)); lra. }
  set (J := (Zfloor (before / g) + 1)%Z); assert (BJ : before / g < IZR J) by (unfold J; rewrite plus_IZR; apply Zfloor_ub).
  assert (V : gap / s <= (IZR J - / 2 - x / g) / (s / g)).
  { replace ((IZR J - / 2 - x / g) / (s / g)) with ((IZR J * g - g / 2 - x) / s) by (field; lra).
    unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    assert (before < IZR J * g) by (apply Rmult_lt_reg_r with (/ g); [now apply Rinv_0_lt_compat|]; rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; exact BJ).
    unfold Rdiv in *; lra. }
  destruct (continuous_tail_ge pi_below PB s Hs gap ltac:(lra)) as [C1 C2]; split; auto.
  apply Rle_trans with (Ex (rounded_gaussian _ (shape_pos s Hs g Hg) (x / g)) (fun y => ind (J <=? y)%Z)).
  - apply Ex_le; try (apply Int_unit; apply ind_unit); intros j; unfold ind.
    destruct (kept j) eqn:E; [|destruct (J <=? j)%Z; lra]; specialize (Hk j E).
    destruct (Z.leb_spec J j) as [|L]; [lra|]; exfalso.
    assert (IZR j <= before / g) by (apply Rle_trans with (IZR (Zfloor (before / g))); [apply IZR_le; unfold J in L; lia|apply Zfloor_lb]).
    assert (IZR j * g <= before / g * g) by (apply Rmult_le_compat_r; lra).
    unfold Rdiv in *; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in * by lra; lra.
  - eapply Rle_trans; [apply rounded_gaussian_reaches; now apply Rdiv_lt_0_compat|].
    eapply Rle_trans; [|exact C1]; apply Phi_le; lra.
Qed.

Theorem make_gaussian_threshold_numbers before kept d (f h : K -> R) ks : NoDup ks ->
  (forall j, kept j = true -> before < IZR j * g) -> map_apart L02InfDistance d f h ->
  let '(rho, delta) := gaussian_threshold_map s (survival_of_float before g) d in
  let released f := released noisy_number kept f ks in
  approximate zero_concentrated rho delta (dmap release (released f)) (dmap release (released h)).
Proof.
  intros N Hk H; pose proof (fun number private survives zero => gaussian_threshold_sound s Hs noisy_number kept
    number (survival_of_float before g) release private survives zero d f h ks N) as X.
  specialize (X (fun _ => True)); apply X; clear X; auto.
  - intros x x' _ _; unfold noisy_number.
    replace ((x - x') ^ 2 / (2 * (s * s))) with (/ (2 * (s / g * (s / g))) * (x / g - x' / g) ^ 2) by (field; lra).
    apply rounded_gaussian_zCDP.
  - intros; now apply number_survives.
Qed.
End Numbers.
