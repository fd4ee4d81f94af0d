(** Renyi divergences of two mixtures of N(mu, 1) and N(0, 1): laws that no test tells apart better than some half line tells these have no greater
    ones. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Renyi Hoeffding DualRenyi Theta RoundedGaussian Normal GaussianDivergence.
Open Scope R_scope.

Section Mixtures.
Variables (mu a b : R) (M : 0 < mu) (Ha : 0 <= a <= 1) (Hb : 0 <= b <= 1) (Hab : b < a).

(** The densities, but for the factor that makes them one, and what lies below a number. *)
Definition dense (k x : R) : R := k * hill mu x + (1 - k) * hill 0 x.
Definition mass (k v : R) : R := k * Phi (v - mu) + (1 - k) * Phi v.

(** At a slope [s] the half line is best where the densities' ratio is [s]; where it is nowhere less, all; where nowhere more, nothing. *)
Definition gain (s : R) : R := a - s * b.
Definition cost (s : R) : R := s * (1 - b) - (1 - a).
Definition mixture_delta (s : R) : R :=
  if Rle_dec (gain s) 0 then 0 else if Rle_dec (cost s) 0 then 1 - s else gain s * gaussian_delta mu (ln (cost s / gain s)).
Definition mixtures {Y} (P Q : dist Y) : Prop := forall s f, 0 < s -> unit_test f -> Ex P f - s * Ex Q f <= mixture_delta s.

Lemma mass_between k u v : 0 <= k <= 1 -> u <= v -> mass k u <= mass k v.
Proof. intros K L; unfold mass; pose proof (Phi_le (u - mu) (v - mu) ltac:(lra)); pose proof (Phi_le u v L); nra. Qed.
Lemma mass_range k v : 0 <= k <= 1 -> 0 <= mass k v <= 1.
Proof. intros K; unfold mass; pose proof (Phi_range (v - mu)); pose proof (Phi_range v); nra. Qed.
Lemma mass_below k v : 0 <= k <= 1 -> mass k v <= Phi v.
Proof. intros K; unfold mass; pose proof (Phi_le (v - mu) v ltac:(lra)); nra. Qed.
Lemma mass_above k v : 0 <= k <= 1 -> Phi (v - mu) <= mass k v.
Proof. intros K; unfold mass; pose proof (Phi_le (v - mu) v ltac:(lra)); nra. Qed.

(** What is no easier to tell apart than the two normal laws is, when both are mixed. *)
Lemma no_easier_mixtures {Y} (X0 X1 P Q : dist Y) : no_easier mu X1 X0 ->
  (forall f, unit_test f -> Ex P f = a * Ex X1 f + (1 - a) * Ex X0 f) -> (forall f, unit_test f -> Ex Q f = b * Ex X1 f + (1 - b) * Ex X0 f) ->
  mixtures P Q.
Proof.
  intros H HP HQ s f Hs F; rewrite HP, HQ by auto; pose proof (Ex_unit X0 f F) as F0; pose proof (Ex_unit X1 f F) as F1.
  replace (a * Ex X1 f + (1 - a) * Ex X0 f - s * (b * Ex X1 f + (1 - b) * Ex X0 f)) with (gain s * Ex X1 f - cost s * Ex X0 f) by (unfold gain, cost; ring).
  unfold mixture_delta; destruct (Rle_dec (gain s) 0) as [G|G].
  - assert (0 <= cost s); [|nra].
    unfold gain, cost in *; destruct (proj1 Hb) as [B|Z]; [|rewrite <- Z, Rmult_0_r in G; lra].
    apply Rmult_le_reg_l with b; auto; rewrite Rmult_0_r.
    replace (b * (s * (1 - b) - (1 - a))) with ((a - b) - (a - s * b) * (1 - b)) by ring; nra.
  - destruct (Rle_dec (cost s) 0) as [C|C].
    + assert (E : gain s - cost s = 1 - s) by (unfold gain, cost; ring); nra.
    + assert (R0 : 0 < cost s / gain s) by (apply Rdiv_lt_0_compat; lra).
      pose proof (no_easier_close mu (ln (cost s / gain s)) X1 X0 M H f F) as B; rewrite exp_ln in B by auto.
      apply Rmult_le_compat_l with (r := gain s) in B; [|lra]; set (del := gaussian_delta mu _) in *.
      replace (gain s * (cost s / gain s * Ex X0 f + del)) with (cost s * Ex X0 f + gain s * del) in B by (field; lra); lra.
Qed.

(** The places of the half lines, within a window. *)
Section Window.
Variables (u w : R) (Huw : u <= w).
Definition place (s : R) : R :=
  if Rle_dec (gain s) 0 then w else if Rle_dec (cost s) 0 then u else Rmax u (Rmin w (ln (cost s / gain s) / mu + mu / 2)).
Lemma place_in s : u <= place s <= w.
Proof.
  unfold place; destruct (Rle_dec (gain s) 0); [lra|]; destruct (Rle_dec (cost s) 0); [lra|].
  split; [apply Rmax_l|apply Rmax_lub; [lra|apply Rmin_l]].
Qed.
Lemma place_rises s s' : 0 < s <= s' -> place s <= place s'.
Proof.
  intros L; pose proof (place_in s); pose proof (place_in s'); unfold place in *.
  assert (G : gain s' <= gain s) by (unfold gain; nra); assert (C : cost s <= cost s') by (unfold cost; nra).
  destruct (Rle_dec (gain s') 0); [lra|]; destruct (Rle_dec (gain s) 0); [lra|].
  destruct (Rle_dec (cost s) 0); [lra|]; destruct (Rle_dec (cost s') 0); [lra|].
  apply Rle_max_compat_l, Rle_min_compat_l, Rplus_le_compat_r, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  assert (R0 : 0 < cost s / gain s) by (apply Rdiv_lt_0_compat; lra).
  assert (R1 : cost s / gain s <= cost s' / gain s').
  { apply Rmult_le_compat; try lra; [left; apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]. }
  destruct R1 as [R1|R1]; [left; now apply ln_increasing|rewrite R1; lra].
Qed.
Lemma mixture_delta_place s : 0 < s ->
  mixture_delta s <= (1 - mass a (place s)) - s * (1 - mass b (place s)) + mass a u + s * (1 - mass b w).
Proof.
  intros Hs; pose proof (mass_range a u Ha); pose proof (mass_range b u Hb); pose proof (mass_range b w Hb); pose proof (mass_range a w Ha).
  unfold mixture_delta, place; destruct (Rle_dec (gain s) 0) as [G|G]; [lra|]; destruct (Rle_dec (cost s) 0) as [C|C]; [nra|].
  set (x := ln (cost s / gain s) / mu + mu / 2).
  assert (E : gain s * gaussian_delta mu (ln (cost s / gain s)) = (1 - mass a x) - s * (1 - mass b x)).
  { unfold gaussian_delta; rewrite exp_ln by (apply Rdiv_lt_0_compat; lra).
    replace (mu / 2 - ln (cost s / gain s) / mu) with (- (x - mu)) by (unfold x; lra).
    replace (- mu / 2 - ln (cost s / gain s) / mu) with (- x) by (unfold x; lra).
    rewrite !Phi_opp; rewrite Rmult_minus_distr_l, <- Rmult_assoc.
    replace (gain s * (cost s / gain s)) with (cost s) by (field; lra); unfold gain, cost, mass; ring. }
  rewrite E; pose proof (mass_range a x Ha); pose proof (mass_range b x Hb).
  destruct (Rle_lt_dec x u) as [L|L].
  - replace (Rmax u (Rmin w x)) with u by (rewrite Rmin_right, Rmax_left by lra; reflexivity).
    pose proof (mass_between b x u Hb L); nra.
  - destruct (Rle_lt_dec x w) as [L'|L'].
    + replace (Rmax u (Rmin w x)) with x by (rewrite Rmin_right, Rmax_right by lra; reflexivity); nra.
    + replace (Rmax u (Rmin w x)) with w by (rewrite Rmin_left, Rmax_right by lra; reflexivity).
      pose proof (mass_between a w x Ha ltac:(lra)); nra.
Qed.
End Window.

(** What moves from one place to the next, under a third function. *)
Section Third.
Variable F : R -> R.
Hypothesis F_continuous : forall x, continuous F x.
Definition third (u v : R) : R := / whole * RInt F u v.
Lemma ex_third u v : ex_RInt F u v.
Proof. apply (ex_RInt_continuous F); intros x _; apply F_continuous. Qed.
Lemma third_chasles u v z : third u v + third v z = third u z.
Proof.
  unfold third; rewrite <- Rmult_plus_distr_l; f_equal; exact (RInt_Chasles F u v z (ex_third u v) (ex_third v z)).
Qed.
Lemma dense_RInt k u v : is_RInt (dense k) u v (whole * (mass k v - mass k u)).
Proof.
  pose proof (RInt_correct _ _ _ (ex_bell (/ 2) mu u v)) as I1; pose proof (RInt_correct _ _ _ (ex_bell (/ 2) 0 u v)) as I0.
  fold (area (/ 2) mu u v) in I1; fold (area (/ 2) 0 u v) in I0.
  apply (is_RInt_scal _ _ _ k) in I1; apply (is_RInt_scal _ _ _ (1 - k)) in I0.
  pose proof (is_RInt_plus _ _ _ _ _ _ I1 I0) as I; pose proof whole_pos.
  replace (whole * (mass k v - mass k u)) with (plus (scal k (area (/ 2) mu u v)) (scal (1 - k) (area (/ 2) 0 u v))); [exact I|].
  unfold plus, scal; simpl; unfold mult; simpl.
  assert (E : forall m, area (/ 2) m u v = whole * (Phi (v - m) - Phi (u - m))) by (intros m; rewrite Phi_area; field; lra).
  rewrite !E, !Rminus_0_r; unfold mass; ring.
Qed.
Lemma move y z d u v : u <= v -> (forall x, y * dense a x <= z * dense b x + d * F x) ->
  y * (mass a v - mass a u) <= z * (mass b v - mass b u) + d * third u v.
Proof.
  intros L H; pose proof whole_pos as W.
  pose proof (is_RInt_scal _ _ _ y _ (dense_RInt a u v)) as A; pose proof (is_RInt_scal _ _ _ z _ (dense_RInt b u v)) as B.
  pose proof (is_RInt_scal _ _ _ d _ (RInt_correct F u v (ex_third u v))) as C.
  pose proof (is_RInt_le _ _ _ _ _ _ L A (is_RInt_plus _ _ _ _ _ _ B C) (fun x _ => H x)) as X.
  unfold plus, scal in X; simpl in X; unfold mult in X; simpl in X.
  apply Rmult_le_reg_l with whole; auto; unfold third.
  replace (whole * (z * (mass b v - mass b u) + d * (/ whole * RInt F u v))) with (z * (whole * (mass b v - mass b u)) + d * RInt F u v) by (field; lra).
  lra.
Qed.

Section Ladder.
Context {Y : Type} (P Q : dist Y) (H : mixtures P Q).
Variables (phi t : nat -> R) (c d h u w : R) (Hc : 0 < c) (Hh : 0 < h) (Huw : u <= w).
Hypothesis level : forall i, t (S i) = t i + h.
Hypothesis rising : forall i, 0 < phi (S i) - phi i <= phi (S (S i)) - phi (S i).
Hypothesis young : forall i x, t i * dense a x <= c * phi i * dense b x + d * F x.
Variables (f : Y -> R) (base : 0 <= phi O).

Definition slope (i : nat) : R := c * (phi (S i) - phi i) / h.
Lemma slope_pos i : 0 < slope i.
Proof. destruct (rising i); apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat. Qed.
Lemma slope_rises i : slope i <= slope (S i).
Proof.
  destruct (rising i); unfold slope; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|apply Rmult_le_compat_l; lra].
Qed.
Lemma stairs_bounded s n : bounded (fun y => stairs s t n (f y)).
Proof.
  induction n; cbn [stairs]; [apply bounded_const|].
  apply bounded_plus; [exact IHn|apply bounded_scal, unit_bounded, (ind_unit (fun y => if Rle_dec (t (S n)) (f y) then true else false))].
Qed.
Definition surplus (n : nat) : R := Ex P (fun y => stairs t t n (f y)) - c * Ex Q (fun y => stairs phi t n (f y)).
Lemma surplus_step i : surplus (S i) <= surplus i + h * mixture_delta (slope i).
Proof.
  unfold surplus; set (S' := fun y => if Rle_dec (t (S i)) (f y) then true else false).
  assert (E : forall (D : dist Y) s, Ex D (fun y => stairs s t (S i) (f y)) = Ex D (fun y => stairs s t i (f y)) + (s (S i) - s i) * Pr D S').
  { intros D s; unfold Pr; transitivity (Ex D (fun y => stairs s t i (f y) + (s (S i) - s i) * ind (S' y))); [reflexivity|].
    rewrite (Ex_plus _ D (fun y => stairs s t i (f y)) (fun y => (s (S i) - s i) * ind (S' y))), Ex_scal; auto.
    - apply Int_unit, ind_unit.
    - apply Int_bounded, stairs_bounded.
    - apply Int_scal, Int_unit, ind_unit. }
  rewrite !E; replace (t (S i) - t i) with h by (rewrite level; ring).
  pose proof (H (slope i) (fun y => ind (S' y)) (slope_pos i) (ind_unit S')) as B; fold (Pr P S') (Pr Q S') in B.
  apply (Rmult_le_compat_l h) in B; [|lra].
  replace (h * (Pr P S' - slope i * Pr Q S')) with (h * Pr P S' - c * (phi (S i) - phi i) * Pr Q S') in B by (unfold slope; field; lra); lra.
Qed.

Lemma ladder n : forall v, u <= v -> (forall i, n = S i -> place u w (slope i) <= v) ->
  t O + surplus n - c * phi O <= t n * (1 - mass a v) - c * phi n * (1 - mass b v) + d * third u v + t n * mass a u +
    c * (phi n - phi O) * (1 - mass b w).
Proof.
  induction n as [|n IH]; intros v V L.
  - pose proof (move (t O) (c * phi O) d u v V (young O)) as B; unfold surplus; cbn [stairs]; rewrite !Ex_const.
    pose proof (mass_range b u Hb) as Mu; assert (0 <= c * phi O) by (apply Rmult_le_pos; lra); nra.
  - specialize (L n eq_refl); set (p := place u w (slope n)) in *; pose proof (place_in u w Huw (slope n)) as I; fold p in I.
    assert (IHp := IH p (proj1 I)).
    assert (L' : forall i, n = S i -> place u w (slope i) <= p).
    { intros i ->; apply place_rises; auto; split; [apply slope_pos|apply slope_rises]. }
    specialize (IHp L'); pose proof (surplus_step n) as St; pose proof (mixture_delta_place u w Huw (slope n) (slope_pos n)) as D; fold p in D.
    apply (Rmult_le_compat_l h) in D; [|lra].
    replace (h * ((1 - mass a p) - slope n * (1 - mass b p) + mass a u + slope n * (1 - mass b w))) with
      (h * (1 - mass a p) - c * (phi (S n) - phi n) * (1 - mass b p) + h * mass a u + c * (phi (S n) - phi n) * (1 - mass b w)) in D
      by (unfold slope; field; lra).
    pose proof (move (t (S n)) (c * phi (S n)) d p v L (young (S n))) as B; pose proof (third_chasles u p v) as T.
    rewrite <- T; rewrite level in *; lra.
Qed.
End Ladder.
End Third.

(** The moment whose logarithm is the divergence, over any window. *)
Definition moment (al x : R) : R := Rpower (dense a x) al * Rpower (dense b x) (1 - al).
Lemma dense_pos k x : 0 <= k <= 1 -> 0 < dense k x.
Proof. intros K; unfold dense; pose proof (hill_pos mu x); pose proof (hill_pos 0 x); destruct (Rle_lt_dec k (/ 2)); nra. Qed.
Lemma power_continuous k e x : 0 <= k <= 1 -> continuous (fun x => Rpower (dense k x) e) x.
Proof.
  intros K; unfold Rpower; apply (ex_derive_continuous (fun x => exp (e * ln (dense k x)))).
  pose proof (dense_pos k x K) as D; unfold dense, hill, bell in *; auto_derive; auto.
Qed.
Lemma moment_continuous al x : continuous (moment al) x.
Proof. apply (continuous_mult (fun x => Rpower (dense a x) al) (fun x => Rpower (dense b x) (1 - al))); now apply power_continuous. Qed.

Theorem mixtures_renyi {Y} (P Q : dist Y) al A : 1 < al -> 0 < A -> mixtures P Q ->
  (forall u v, u <= v -> third (moment al) u v <= A) -> renyi al (ln A / (al - 1)) P Q.
Proof.
  intros Hal HA H Hmom f Hf; destruct (conj_range al Hal); pose proof (conj_gt al Hal).
  set (be := / (1 - / al)) in *.
  assert (Hfb : ptest (fun y => Rpower (f y) be)) by (apply ptest_pow; auto; lra).
  set (S := Ex Q (fun y => Rpower (f y) be)).
  assert (HS : 0 < S) by now apply ptest_Ex_pos.
  set (V := / al * ln A + (1 - / al) * ln S).
  set (k := V - ln S); set (l := V - ln A).
  set (c := (1 - / al) * exp k); set (d := / al * exp l).
  assert (Hc : 0 < c) by (apply Rmult_lt_0_compat; [lra|apply exp_pos]).
  assert (Hd : 0 < d) by (apply Rmult_lt_0_compat; [lra|apply exp_pos]).
  assert (W : forall y x, 0 < y -> y * dense a x <= c * Rpower y be * dense b x + d * moment al x).
  { intros y x Py; pose proof (dense_pos a x Ha) as Pa; pose proof (dense_pos b x Hb) as Pb.
    set (p := dense a x) in *; set (q := dense b x) in *.
    replace (y * p) with (exp ((1 - / al) * (k + (be * ln y + ln q)) + / al * (l + (al * ln p + (1 - al) * ln q)))).
    - eapply Rle_trans; [apply exp_convex; lra|]; right; unfold c, d, moment, Rpower; fold p q; rewrite !exp_plus, exp_ln by auto; ring.
    - rewrite <- (exp_ln y) at 2 by auto; rewrite <- (exp_ln p) at 2 by auto; rewrite <- exp_plus; f_equal.
      unfold k, l, V, be; field; repeat split; lra. }
  assert (X : Ex P f <= c * S + d * A).
  { apply Rnot_lt_le; intros G; destruct Hf as (lo & hi & L0 & B).
    set (gap := Ex P f - (c * S + d * A)); assert (Hg : 0 < gap) by (unfold gap; lra).
    assert (W0 : 0 < hi - lo + 1) by (apply Rnot_le_lt; intros N; assert (O : Ex P (fun _ => 1) <= Ex P (fun _ => 0)) by
      (apply Ex_le; try apply Int_const; intros y; specialize (B y); lra); rewrite !Ex_const in O; lra).
    destruct (archimed_cor1 (gap / 2 / (hi - lo + 1))) as (N & HN & N0); [apply Rdiv_lt_0_compat; lra|].
    assert (IN : 0 < INR N) by (now apply lt_0_INR).
    set (h := (hi - lo + 1) / INR N); assert (Hh : 0 < h) by (now apply Rdiv_lt_0_compat).
    assert (Lh : h < gap / 2).
    { unfold h; apply (Rmult_lt_compat_l (hi - lo + 1)) in HN; auto.
      replace ((hi - lo + 1) * (gap / 2 / (hi - lo + 1))) with (gap / 2) in HN by (field; lra); exact HN. }
    set (t i := lo + INR i * h); set (phi i := Rpower (t i) be).
    assert (T : forall i, t (Datatypes.S i) = t i + h) by (intros; unfold t; rewrite S_INR; ring).
    assert (T0 : forall i, 0 < t i) by (intros i; pose proof (pos_INR i); unfold t; nra).
    assert (TO : t O = lo) by (unfold t; simpl; ring).
    assert (TN : t N = hi + 1) by (unfold t, h; field; lra).
    assert (PP : forall i, 0 < phi i) by (intros; apply exp_pos).
    (* a window that all but little is in *)
    set (room := 2 * t N + c * phi N); assert (Hr : 0 < room).
    { unfold room; pose proof (T0 N); assert (0 < c * phi N) by (apply Rmult_lt_0_compat; auto); lra. }
    set (e := gap / 2 / room); assert (He : 0 < e) by (apply Rdiv_lt_0_compat; lra).
    assert (Ee : e * room = gap / 2) by (unfold e; field; lra).
    destruct (Phi_near_none e He) as [u U], (Phi_near_one e He) as [w' U'].
    set (w := Rmax u (w' + mu)); assert (Huw : u <= w) by apply Rmax_l.
    assert (Mu : mass a u <= e) by (pose proof (mass_below a u Ha); lra).
    assert (Mw : forall z, 0 <= z <= 1 -> 1 - mass z w <= e).
    { intros z Z; pose proof (mass_above z w Z); pose proof (Phi_le w' (w - mu) ltac:(pose proof (Rmax_r u (w' + mu)); unfold w; lra)); lra. }
    pose proof (ladder (moment al) (moment_continuous al) P Q H phi t c d h u w Hc Hh Huw T
      (fun i => ltac:(unfold phi; rewrite !T; apply power_rises; auto)) (fun i x => W (t i) x (T0 i)) f (Rlt_le _ _ (PP O)) N w Huw
      (fun i _ => proj2 (place_in u w Huw (slope phi c h i)))) as E.
    unfold surplus in E; rewrite TO in E.
    pose proof (Hmom u w Huw) as Am; apply (Rmult_le_compat_l d) in Am; [|lra].
    assert (S1 : t N * (1 - mass a w) <= t N * e) by (apply Rmult_le_compat_l; [left; apply T0|apply Mw, Ha]).
    assert (S2 : t N * mass a u <= t N * e) by (apply Rmult_le_compat_l; [left; apply T0|exact Mu]).
    assert (S3 : c * (phi N - phi O) * (1 - mass b w) <= c * phi N * e).
    { pose proof (mass_range b w Hb); pose proof (Mw b Hb); rewrite !Rmult_assoc; apply Rmult_le_compat_l; [lra|].
      apply Rle_trans with (phi N * (1 - mass b w)); [apply Rmult_le_compat_r; [lra|pose proof (PP O); lra]|apply Rmult_le_compat_l; [left; apply PP|lra]]. }
    assert (S4 : 0 <= c * phi N * (1 - mass b w)).
    { pose proof (mass_range b w Hb); apply Rmult_le_pos; [left; apply Rmult_lt_0_compat; auto|lra]. }
    assert (SL : t N * e + t N * e + c * phi N * e = gap / 2) by (rewrite <- Ee; unfold room; ring).
    assert (R : forall s y, exists j, stairs s t N (f y) = s j - s O /\ t j <= f y < t j + h).
    { intros s y; destruct (stairs_reach s t N (f y)) as (j & J & E1 & E2 & E3).
      - intros i; rewrite T; lra.
      - rewrite TO; apply B.
      - exists j; repeat split; auto; destruct E3 as [->|E3]; [specialize (B y); lra|rewrite <- T; auto]. }
    assert (UP : Ex P f <= lo + h + Ex P (fun y => stairs t t N (f y))).
    { rewrite <- (Ex_const P (lo + h)), <- Ex_plus by (apply Int_const || apply Int_bounded, stairs_bounded).
      apply Ex_le; [apply Int_bounded, ptest_bounded; exists lo, hi; auto|
        apply Int_plus; [apply Int_const|apply Int_bounded, stairs_bounded]|].
      intros y; destruct (R t y) as (j & -> & L); rewrite TO; lra. }
    assert (DN : Ex Q (fun y => stairs phi t N (f y)) <= S + - phi O).
    { unfold S; rewrite <- (Ex_const Q (- phi O)), <- Ex_plus by (apply Int_const || now apply ptest_Int).
      apply Ex_le; [apply Int_bounded, stairs_bounded|apply Int_plus; [now apply ptest_Int|apply Int_const]|].
      intros y; destruct (R phi y) as (j & -> & L).
      assert (phi j <= Rpower (f y) be) by (apply Rpower_le; [lra|split; [apply T0|apply L]]); lra. }
    apply (Rmult_le_compat_l c) in DN; [|lra]; unfold gap in *; lra. }
  eapply Rle_trans; [exact X|]; right; transitivity (exp V).
  - unfold c, d; rewrite <- (exp_ln S) at 1 by auto; rewrite <- (exp_ln A) at 1 by auto; rewrite !Rmult_assoc, <- !exp_plus; unfold k, l.
    replace (V - ln S + ln S) with V by ring; replace (V - ln A + ln A) with V by ring; field; lra.
  - unfold V, Rpower; rewrite exp_plus; f_equal; f_equal; field; lra.
Qed.
End Mixtures.
