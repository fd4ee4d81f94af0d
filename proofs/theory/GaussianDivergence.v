(** Gaussian divergence: two laws are no easier to tell apart than two normal ones, [mu] apart. *)
Require Import Reals Lra Psatz Lia.
From DP Require Import Expect Approx Renyi Hoeffding DualRenyi Theta DiscreteGaussian RoundedGaussian Normal Measures.
Open Scope R_scope.

(** The best test for N(mu, 1) against N(0, 1) that errs on [Phi x] of the latter finds [Phi (x + mu)] of the former
    (Neyman, Pearson: [best_test]). *)
Definition no_easier {Y} (mu : R) (P Q : dist Y) : Prop :=
  forall f x, unit_test f -> Ex Q f <= Phi x -> Ex P f <= Phi (x + mu).
Definition gaussian_divergence {Y} (mu : R) (P Q : dist Y) : Prop := no_easier mu P Q /\ no_easier mu Q P.

Lemma no_easier_mono {Y} mu mu' (P Q : dist Y) : mu <= mu' -> no_easier mu P Q -> no_easier mu' P Q.
Proof. intros L H f x F B; eapply Rle_trans; [exact (H f x F B)|apply Phi_le; lra]. Qed.
Lemma no_easier_post_processing {Y Z} mu (P Q : dist Y) (K : Y -> dist Z) : no_easier mu P Q -> no_easier mu (bind P K) (bind Q K).
Proof. intros H f x F B; simpl in *; apply H; auto; intros a; now apply Ex_unit. Qed.
Lemma no_easier_refl {Y} (P : dist Y) : no_easier 0 P P.
Proof. intros f x _ B; now rewrite Rplus_0_r. Qed.

(** The greatest excess of N(mu, 1) over [exp eps] times N(0, 1): where the ratio of densities is above [exp eps]. *)
Definition gaussian_delta (mu eps : R) : R := Phi (mu / 2 - eps / mu) - exp eps * Phi (- mu / 2 - eps / mu).

Lemma hill_ratio mu t : hill mu t = exp (mu * t - mu * mu / 2) * hill 0 t.
Proof. unfold hill, bell; rewrite <- exp_plus; f_equal; field. Qed.

Theorem best_test mu eps x : 0 < mu -> Phi (x + mu) - exp eps * Phi x <= gaussian_delta mu eps.
Proof.
  intros M; set (b := - mu / 2 - eps / mu).
  assert (Eb : mu * b = - (mu * mu / 2) - eps) by (unfold b; field; lra).
  unfold gaussian_delta; fold b; replace (mu / 2 - eps / mu) with (b + mu) by (unfold b; lra).
  assert (R : forall t, hill (- mu) t = exp (- mu * t - mu * mu / 2) * hill 0 t) by (intros; rewrite hill_ratio; do 2 f_equal; lra).
  pose proof (hill_pos 0) as H0; destruct (Rle_dec x b) as [L|L].
  - pose proof (under_between 0 (- mu) 0 (exp eps) 1 0 x b L) as U; unfold share in U.
    replace (b - - mu) with (b + mu) in U by ring; replace (x - - mu) with (x + mu) in U by ring; rewrite !Rminus_0_r in U.
    enough (exp eps * (Phi b - Phi x) <= 1 * (Phi (b + mu) - Phi (x + mu)) + 0 * (Phi b - Phi x)) by lra.
    apply U; intros t T; unfold under; rewrite R.
    assert (exp eps <= exp (- mu * t - mu * mu / 2)) by (apply exp_le; nra); specialize (H0 t); nra.
  - pose proof (under_between (- mu) 0 0 1 (exp eps) 0 b x ltac:(lra)) as U; unfold share in U.
    replace (b - - mu) with (b + mu) in U by ring; replace (x - - mu) with (x + mu) in U by ring; rewrite !Rminus_0_r in U.
    enough (1 * (Phi (x + mu) - Phi (b + mu)) <= exp eps * (Phi x - Phi b) + 0 * (Phi x - Phi b)) by lra.
    apply U; intros t T; unfold under; rewrite R.
    assert (exp (- mu * t - mu * mu / 2) <= exp eps) by (apply exp_le; nra); specialize (H0 t); nra.
Qed.
Lemma gaussian_delta_nonneg mu eps : 0 < mu -> 0 <= gaussian_delta mu eps.
Proof.
  intros M; apply Rnot_lt_le; intros N; pose proof (exp_pos eps) as E.
  destruct (Phi_near_none (- gaussian_delta mu eps / exp eps)) as [x X]; [apply Rdiv_lt_0_compat; lra|].
  pose proof (best_test mu eps x M); pose proof (Phi_range (x + mu)).
  apply (Rmult_lt_compat_l (exp eps)) in X; auto.
  replace (exp eps * (- gaussian_delta mu eps / exp eps)) with (- gaussian_delta mu eps) in X by (field; lra); lra.
Qed.
Lemma gaussian_delta_one mu eps : 0 < mu -> 1 - exp eps <= gaussian_delta mu eps.
Proof.
  intros M; apply Rnot_lt_le; intros N; pose proof (exp_pos eps) as E.
  destruct (Phi_near_one (1 - exp eps - gaussian_delta mu eps)) as [x X]; [lra|].
  pose proof (best_test mu eps (x - mu) M) as B; pose proof (Phi_range (x - mu)).
  replace (x - mu + mu) with x in B by ring; nra.
Qed.

(** The measure by its profile: all epsilons, also those below 0. *)
Theorem no_easier_close {Y} mu eps (P Q : dist Y) : 0 < mu -> no_easier mu P Q -> close eps (gaussian_delta mu eps) P Q.
Proof.
  intros M H f F; pose proof (Ex_unit P f F); pose proof (Ex_unit Q f F); pose proof (exp_pos eps).
  destruct (Req_dec (Ex Q f) 0) as [Z|Z]; [|destruct (Req_dec (Ex Q f) 1) as [O|O]].
  - rewrite Z, Rmult_0_r, Rplus_0_l; apply Rle_trans with 0; [|now apply gaussian_delta_nonneg].
    apply Rnot_lt_le; intros N; destruct (Phi_near_none (Ex P f) N) as [x X].
    pose proof (H f (x - mu) F ltac:(rewrite Z; left; apply Phi_range)) as B; replace (x - mu + mu) with x in B by ring; lra.
  - rewrite O, Rmult_1_r; pose proof (gaussian_delta_one mu eps M); lra.
  - destruct (Phi_onto (Ex Q f)) as [x X]; [lra|].
    pose proof (H f x F ltac:(lra)); pose proof (best_test mu eps x M); rewrite <- X; lra.
Qed.
Theorem close_no_easier {Y} mu (P Q : dist Y) : 0 < mu -> (forall eps, close eps (gaussian_delta mu eps) P Q) -> no_easier mu P Q.
Proof.
  intros M H f x F B; set (eps := - (mu * x) - mu * mu / 2); specialize (H eps f F).
  unfold gaussian_delta in H.
  replace (mu / 2 - eps / mu) with (x + mu) in H by (unfold eps; field; lra).
  replace (- mu / 2 - eps / mu) with x in H by (unfold eps; field; lra).
  pose proof (Rmult_le_compat_l (exp eps) _ _ ltac:(left; apply exp_pos) B); lra.
Qed.
Lemma no_easier_none {Y} (P Q : dist Y) : no_easier 0 P Q -> forall f, unit_test f -> Ex P f <= Ex Q f.
Proof.
  intros H f F; pose proof (Ex_unit P f F); pose proof (Ex_unit Q f F); apply Rnot_lt_le; intros N.
  destruct (Phi_onto ((Ex P f + Ex Q f) / 2)) as [x X]; [lra|].
  pose proof (H f x F ltac:(lra)) as B; rewrite Rplus_0_r in B; lra.
Qed.

Lemma gaussian_delta_mono mu mu' eps : 0 < mu <= mu' -> gaussian_delta mu eps <= gaussian_delta mu' eps.
Proof.
  intros M; pose proof (best_test mu' eps (- mu / 2 - eps / mu) ltac:(lra)) as B; unfold gaussian_delta at 1.
  pose proof (Phi_le (mu / 2 - eps / mu) (- mu / 2 - eps / mu + mu') ltac:(lra)); lra.
Qed.

(** The textbook's way to say it: at every level [alpha] of the one error, the other is at least that of the normal pair. *)
Theorem tradeoff {Y} mu (P Q : dist Y) : no_easier mu P Q <->
  forall f alpha y, unit_test f -> Ex Q f <= alpha -> Phi y = 1 - alpha -> Phi (y - mu) <= 1 - Ex P f.
Proof.
  split.
  - intros H f alpha y F B E; pose proof (H f (- y) F) as N; rewrite Phi_opp in N.
    specialize (N ltac:(lra)); replace (- y + mu) with (- (y - mu)) in N by ring; rewrite Phi_opp in N; lra.
  - intros H f x F B; pose proof (H f (Phi x) (- x) F B (Phi_opp x)) as N.
    replace (- x - mu) with (- (x + mu)) in N by ring; rewrite Phi_opp in N; lra.
Qed.

(** Nothing is lost on the way: the profile, in both directions, is all that Gaussian divergence says. *)
Theorem profile_is_all {Y} mu (P Q : dist Y) : 0 < mu ->
  gaussian_divergence mu P Q <-> smoothed_max_divergence (gaussian_delta mu) P Q.
Proof.
  intros M; split.
  - intros [PQ QP] epsilon _; split; now apply no_easier_close.
  - intros H; assert (X : forall P Q : dist Y, smoothed_max_divergence (gaussian_delta mu) P Q -> no_easier mu P Q).
    { clear P Q H; intros P Q H; apply close_no_easier; auto; intros epsilon.
      destruct (Rle_dec 0 epsilon) as [E|E]; [now apply H|].
      destruct (H (- epsilon) ltac:(lra)) as [_ QP]; intros f F; specialize (QP (fun y => 1 - f y)).
      rewrite !Ex_minus, !Ex_const in QP by auto using Int_const, Int_unit.
      specialize (QP (fun y => ltac:(specialize (F y); lra))).
      assert (S : gaussian_delta mu epsilon = 1 - exp epsilon + exp epsilon * gaussian_delta mu (- epsilon)).
      { unfold gaussian_delta; assert (X : exp epsilon * exp (- epsilon) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
        rewrite Rmult_minus_distr_l, <- Rmult_assoc, X.
        replace (mu / 2 - - epsilon / mu) with (- (- mu / 2 - epsilon / mu)) by (field; lra).
        replace (- mu / 2 - - epsilon / mu) with (- (mu / 2 - epsilon / mu)) by (field; lra); rewrite !Phi_opp; ring. }
      rewrite S; pose proof (exp_pos epsilon) as P0; apply (Rmult_le_compat_l (exp epsilon)) in QP; [|lra].
      rewrite Rmult_plus_distr_l, <- Rmult_assoc, <- exp_plus in QP; replace (epsilon + - epsilon) with 0 in QP by ring.
      rewrite exp_0 in QP; lra. }
    split; apply X; auto; intros epsilon E; destruct (H epsilon E); auto.
Qed.

(** A number that is reached by stairs: [t] counts levels, [phi] their heights. *)
Section Stairs.
Variables (phi t : nat -> R).
Fixpoint stairs (n : nat) (x : R) : R :=
  match n with O => 0 | S m => stairs m x + (phi (S m) - phi m) * ind (if Rle_dec (t (S m)) x then true else false) end.
Lemma stairs_reach n x : (forall i, t i <= t (S i)) -> t O <= x ->
  exists j, (j <= n)%nat /\ stairs n x = phi j - phi O /\ t j <= x /\ (j = n \/ x < t (S j)).
Proof.
  intros T X; assert (M : forall i k, t i <= t (i + k)%nat).
  { intros i k; induction k; [rewrite Nat.add_0_r; lra|rewrite Nat.add_succ_r; eapply Rle_trans; [exact IHk|apply T]]. }
  induction n as [|n (j & J & E & L & D)].
  - exists O; simpl; repeat split; auto; ring.
  - cbn [stairs]; rewrite E; destruct (Rle_dec (t (S n)) x) as [C|C]; unfold ind.
    + exists (S n); destruct D as [->|D]; [repeat split; auto; ring|exfalso].
      specialize (M (S j) (n - j)%nat); replace (S j + (n - j))%nat with (S n) in M by lia; lra.
    + exists j; repeat split; auto; [ring|]; destruct D as [->|D]; auto; right; lra.
Qed.
End Stairs.

(** Stairs under a test, level by level: each level is an event, and closeness at an epsilon of its own bounds it; what the deltas
    sum up to is what lies under the hills between the places of these epsilons. *)
Section Ladder.
Context {Y : Type} (P Q : dist Y) (mu : R) (M : 0 < mu) (H : forall eps, close eps (gaussian_delta mu eps) P Q).
Variables (phi t : nat -> R) (c d h m : R) (Hc : 0 < c) (Hh : 0 < h).
Hypothesis level : forall i, t (S i) = t i + h.
Hypothesis rising : forall i, 0 < phi (S i) - phi i <= phi (S (S i)) - phi (S i).
Hypothesis young : forall i x, under mu 0 m (t i) (c * phi i) d x.
Variable f : Y -> R.

Lemma bounded_stairs u n : bounded (fun a => stairs u t n (f a)).
Proof.
  induction n; cbn [stairs]; [apply bounded_const|].
  apply bounded_plus; [exact IHn|apply bounded_scal, unit_bounded, (ind_unit (fun a => if Rle_dec (t (S n)) (f a) then true else false))].
Qed.
Definition level_epsilon (i : nat) : R := ln (c * (phi (S i) - phi i) / h).
Definition place (i : nat) : R := level_epsilon i / mu + mu / 2.
Lemma place_rises i : place i <= place (S i).
Proof.
  unfold place; apply Rplus_le_compat_r, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  unfold level_epsilon; destruct (rising i) as [R0 R1].
  assert (Z : 0 < c * (phi (S i) - phi i) / h) by (apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat).
  assert (L : c * (phi (S i) - phi i) / h <= c * (phi (S (S i)) - phi (S i)) / h) by
    (apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|apply Rmult_le_compat_l; lra]).
  destruct L as [L| ->]; [left; now apply ln_increasing|lra].
Qed.

Definition excess (n : nat) : R := Ex P (fun a => stairs t t n (f a)) - c * Ex Q (fun a => stairs phi t n (f a)).
Lemma excess_step i : excess (S i) <= excess i + (h * Phi (mu - place i) - c * (phi (S i) - phi i) * Phi (0 - place i)).
Proof.
  unfold excess; set (S' := fun a => if Rle_dec (t (S i)) (f a) then true else false).
  assert (E : forall (D : dist Y) u, Ex D (fun a => stairs u t (S i) (f a)) = Ex D (fun a => stairs u t i (f a)) + (u (S i) - u i) * Pr D S').
  { intros D u; unfold Pr; transitivity (Ex D (fun a => stairs u t i (f a) + (u (S i) - u i) * ind (S' a))); [reflexivity|].
    rewrite (Ex_plus _ D (fun a => stairs u t i (f a)) (fun a => (u (S i) - u i) * ind (S' a))), Ex_scal; auto.
    - apply Int_unit, ind_unit.
    - apply Int_bounded, bounded_stairs.
    - apply Int_scal, Int_unit, ind_unit. }
  rewrite !E; replace (t (S i) - t i) with h by (rewrite level; ring).
  pose proof (H (level_epsilon i) (fun a => ind (S' a)) (ind_unit S')) as B; fold (Pr P S') (Pr Q S') in B; unfold gaussian_delta in B.
  replace (mu / 2 - level_epsilon i / mu) with (mu - place i) in B by (unfold place; lra).
  replace (- mu / 2 - level_epsilon i / mu) with (0 - place i) in B by (unfold place; lra).
  assert (K : h * exp (level_epsilon i) = c * (phi (S i) - phi i)).
  { destruct (rising i); unfold level_epsilon; rewrite exp_ln; [field; lra|].
    apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat. }
  apply (Rmult_le_compat_l h) in B; [|lra].
  pose proof (f_equal (fun z => z * Pr Q S') K); pose proof (f_equal (fun z => z * Phi (0 - place i)) K); cbv beta in *; lra.
Qed.

Lemma ladder n v : (forall i, n = S i -> place i <= v) ->
  t O + excess n - c * phi O <= t n * Phi (mu - v) - c * phi n * Phi (0 - v) + d * (1 - Phi (m - v)).
Proof.
  revert v; induction n as [|n IH]; intros v V.
  - pose proof (under_below mu 0 m (t O) (c * phi O) d v (fun x _ => young O x)) as U.
    unfold excess; cbn [stairs]; rewrite !Ex_const.
    replace (v - mu) with (- (mu - v)) in U by ring; replace (v - 0) with (- (0 - v)) in U by ring.
    replace (v - m) with (- (m - v)) in U by ring; rewrite !Phi_opp in U; lra.
  - specialize (V n eq_refl).
    pose proof (IH (place n) ltac:(intros i E; rewrite E; apply place_rises)) as B.
    pose proof (under_between mu 0 m (t (S n)) (c * phi (S n)) d (place n) v V (fun x _ => young (S n) x)) as U; unfold share in U.
    assert (F : forall a b, Phi (a - b) = 1 - Phi (b - a)) by (intros; rewrite <- Phi_opp; f_equal; ring).
    rewrite (F v mu), (F (place n) mu), (F v 0), (F (place n) 0), (F v m), (F (place n) m) in U.
    pose proof (excess_step n); rewrite level in *; lra.
Qed.

Theorem excess_bounded n : t O + excess n <= c * phi O + d.
Proof.
  set (v := match n with O => 0 | S i => place i end).
  assert (V : forall i, n = S i -> place i <= v) by (intros i E; unfold v; rewrite E; lra).
  pose proof (ladder n v V).
  pose proof (under_above mu 0 m (t n) (c * phi n) d v (fun x _ => young n x)); lra.
Qed.
End Ladder.

Lemma power_rises be x h : 1 < be -> 0 < h -> 0 < x ->
  0 < Rpower (x + h) be - Rpower x be <= Rpower (x + h + h) be - Rpower (x + h) be.
Proof.
  intros B Hh X; set (y := x + h); assert (Y : 0 < y) by (unfold y; lra).
  assert (E : forall z, 0 < z -> Rpower z be = Rpower y be * Rpower (z / y) be).
  { intros z Z; rewrite Rpower_mult_distr by (auto; now apply Rdiv_lt_0_compat); f_equal; field; lra. }
  assert (P : 0 < Rpower y be) by apply exp_pos.
  assert (L : forall z, 0 < z -> Rpower y be * (1 + be * (z / y - 1)) <= Rpower z be).
  { intros z Z; rewrite (E z Z); apply Rmult_le_compat_l; [lra|apply bernoulli_ineq; auto; now apply Rdiv_lt_0_compat]. }
  split.
  - assert (ln x < ln y) by (apply ln_increasing; unfold y; lra).
    assert (Rpower x be < Rpower y be) by (apply exp_increasing, Rmult_lt_compat_l; lra); lra.
  - pose proof (L x X); pose proof (L (y + h) ltac:(lra)).
    assert (S : (x / y - 1) + ((y + h) / y - 1) = 0) by (unfold y in *; field; lra).
    replace ((y + h) / y - 1) with (- (x / y - 1)) in * by lra; nra.
Qed.

(** One law against the other, at an order: the tests of the dual form. *)
Theorem close_renyi {Y} mu al (P Q : dist Y) : 0 < mu -> 1 < al ->
  (forall eps, close eps (gaussian_delta mu eps) P Q) -> renyi al (al * (mu * mu / 2)) P Q.
Proof.
  intros M Ha H f Hf; destruct (conj_range al Ha); pose proof (conj_gt al Ha).
  set (be := / (1 - / al)) in *; set (tau := al * (mu * mu / 2)).
  assert (Hfb : ptest (fun a => Rpower (f a) be)) by (apply ptest_pow; auto; lra).
  set (S := Ex Q (fun a => Rpower (f a) be)).
  assert (HS : 0 < S) by now apply ptest_Ex_pos.
  set (V := (1 - / al) * tau + (1 - / al) * ln S).
  set (k := V - ln S); set (l := V - (al - 1) * tau).
  set (c := (1 - / al) * exp k); set (d := / al * exp l * exp ((al - 1) * tau)).
  assert (Hc : 0 < c) by (apply Rmult_lt_0_compat; [lra|apply exp_pos]).
  (* at each level and place, by the convexity of exp *)
  assert (W : forall y x, 0 < y -> under mu 0 (al * mu) y (c * Rpower y be) d x).
  { intros y x Py; unfold under; set (Z := / 2 * ((x - 0) ^ 2 - (x - mu) ^ 2)).
    rewrite <- (exp_ln y) at 1 by auto.
    replace (ln y) with ((1 - / al) * (k + (be * ln y + - Z)) + / al * (l + (al - 1) * Z)).
    - eapply Rle_trans; [apply Rmult_le_compat_r; [left; apply hill_pos|apply exp_convex; lra]|].
      rewrite Rmult_plus_distr_r; right; f_equal.
      + unfold c; rewrite !exp_plus; fold (Rpower y be).
        replace (hill 0 x) with (exp (- Z) * hill mu x); [ring|].
        unfold hill, bell, Z; rewrite <- exp_plus; f_equal; ring.
      + unfold d; rewrite exp_plus, !Rmult_assoc; do 2 f_equal.
        unfold hill, bell, Z, tau; rewrite <- !exp_plus; f_equal; field.
    - unfold k, l, V, be; field; repeat split; lra. }
  assert (X : Ex P f <= c * S + d).
  { apply Rnot_lt_le; intros G; destruct Hf as (lo & hi & L0 & B).
    set (gap := Ex P f - (c * S + d)); assert (Hg : 0 < gap) by (unfold gap; lra).
    assert (W0 : 0 < hi - lo + 1) by (apply Rnot_le_lt; intros N; assert (O : Ex P (fun _ => 1) <= Ex P (fun _ => 0)) by
      (apply Ex_le; try apply Int_const; intros a; specialize (B a); lra); rewrite !Ex_const in O; lra).
    destruct (archimed_cor1 (gap / (hi - lo + 1))) as (N & HN & N0); [now apply Rdiv_lt_0_compat|].
    assert (IN : 0 < INR N) by (now apply lt_0_INR).
    set (h := (hi - lo + 1) / INR N); assert (Hh : 0 < h) by (now apply Rdiv_lt_0_compat).
    assert (Lh : h < gap).
    { unfold h; apply (Rmult_lt_compat_l (hi - lo + 1)) in HN; auto.
      replace ((hi - lo + 1) * (gap / (hi - lo + 1))) with gap in HN by (field; lra); exact HN. }
    set (t i := lo + INR i * h); set (phi i := Rpower (t i) be).
    assert (T : forall i, t (Datatypes.S i) = t i + h) by (intros; unfold t; rewrite S_INR; ring).
    assert (T0 : forall i, 0 < t i) by (intros i; pose proof (pos_INR i); unfold t; nra).
    assert (TO : t O = lo) by (unfold t; simpl; ring).
    assert (TN : t N = hi + 1) by (unfold t, h; field; lra).
    pose proof (excess_bounded P Q mu M H phi t c d h (al * mu) Hc Hh T
      (fun i => ltac:(unfold phi; rewrite !T; apply power_rises; auto)) (fun i x => W (t i) x (T0 i)) f N) as E.
    unfold excess in E; rewrite TO in E.
    assert (R : forall u a, exists j, stairs u t N (f a) = u j - u O /\ t j <= f a < t j + h).
    { intros u a; destruct (stairs_reach u t N (f a)) as (j & J & E1 & E2 & E3).
      - intros i; rewrite T; lra.
      - rewrite TO; apply B.
      - exists j; repeat split; auto; destruct E3 as [->|E3]; [specialize (B a); lra|rewrite <- T; auto]. }
    assert (UP : Ex P f <= lo + h + Ex P (fun a => stairs t t N (f a))).
    { rewrite <- (Ex_const P (lo + h)), <- Ex_plus by (apply Int_const || apply Int_bounded, bounded_stairs).
      apply Ex_le; [apply Int_bounded, ptest_bounded; exists lo, hi; auto|
        apply Int_plus; [apply Int_const|apply Int_bounded, bounded_stairs]|].
      intros a; destruct (R t a) as (j & -> & L); rewrite TO; lra. }
    assert (DN : Ex Q (fun a => stairs phi t N (f a)) <= S + - phi O).
    { unfold S; rewrite <- (Ex_const Q (- phi O)), <- Ex_plus by (apply Int_const || now apply ptest_Int).
      apply Ex_le; [apply Int_bounded, bounded_stairs|apply Int_plus; [now apply ptest_Int|apply Int_const]|].
      intros a; destruct (R phi a) as (j & -> & L).
      assert (phi j <= Rpower (f a) be) by (apply Rpower_le; [lra|split; [apply T0|apply L]]); lra. }
    apply (Rmult_le_compat_l c) in DN; [|lra]; unfold gap in *; lra. }
  eapply Rle_trans; [exact X|]; right; transitivity (exp V); [|unfold V, Rpower; now rewrite exp_plus].
  unfold c, d; rewrite <- (exp_ln S) at 1 by auto; rewrite !Rmult_assoc, <- !exp_plus; unfold k, l.
  replace (V - ln S + ln S) with V by ring.
  replace (V - (al - 1) * tau + (al - 1) * tau) with V by ring; field; lra.
Qed.

Lemma none_zCDP {Y} (P Q : dist Y) : no_easier 0 P Q -> zCDP 0 P Q.
Proof.
  intros H al Ha f Hf; eapply Rle_trans; [|exact (zCDP_refl Q al Ha f Hf)].
  pose proof Hf as (lo & hi & L0 & B).
  set (top := Rmax hi 1); assert (T : 1 <= top) by apply Rmax_r.
  assert (F : unit_test (fun a => / top * f a)).
  { intros a; specialize (B a); pose proof (Rmax_l hi 1); fold top in H0; split.
    - apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|lra].
    - apply Rmult_le_reg_l with top; [lra|]; rewrite <- Rmult_assoc, Rinv_r; lra. }
  pose proof (no_easier_none P Q H _ F) as E; rewrite !Ex_scal in E by now apply ptest_Int.
  apply Rmult_le_reg_l with (/ top); auto; apply Rinv_0_lt_compat; lra.
Qed.

Theorem no_easier_zCDP {Y} mu (P Q : dist Y) : 0 <= mu -> no_easier mu P Q -> zCDP (mu * mu / 2) P Q.
Proof.
  intros [M|<-] H.
  - intros al Ha; apply close_renyi; auto; intros eps; now apply no_easier_close.
  - replace (0 * 0 / 2) with 0 by lra; now apply none_zCDP.
Qed.
