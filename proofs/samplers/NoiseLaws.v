(** The laws of the reference samplers of noise, down to bits, for the programs of [Reference.v]: the geometric, the discrete
    Laplace and the discrete Gaussian law, but for mass that goes to zero as the fuel grows. *)
Require Import Reals Lra Psatz Lia ZArith List Bool Arith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx BitTree BernoulliExp Reference Laws Countable DiscreteLaplace Theta DiscreteGaussian.
Open Scope R_scope.

Lemma all_but_refl {A} (t : tree (option A)) : all_but 0 (law t) (law t).
Proof. intros f Hf; lra. Qed.

(** After a coin, of which only one side goes on: what is missing there counts by the coin's bias. *)
Lemma all_but_coin {B} e e' p Hp t (k : bool -> tree (option B)) L : 0 <= e' ->
  all_but e (law t) (bias p Hp) -> all_but e' (law (k true)) (L true) -> all_but 0 (law (k false)) (L false) ->
  all_but (e + p * e') (law (then_ t k)) (after (bias p Hp) L).
Proof.
  intros He H T F f Hf; rewrite Ex_then, Ex_after by auto.
  set (h := fun a => Ex (law (k a)) (answers f)); set (g := fun a => Ex (L a) (answers f)).
  assert (Uh : unit_test h) by (intros a; now apply Ex_unit, answers_unit).
  specialize (H h Uh); specialize (T f Hf); specialize (F f Hf).
  fold (h true) (g true) in T; fold (h false) (g false) in F.
  change (Ex (bias p Hp) (answers h)) with (p * h true + (1 - p) * h false) in H.
  change (Ex (bias p Hp) (answers g)) with (p * g true + (1 - p) * g false).
  assert (p * h true <= p * g true) by (apply Rmult_le_compat_l; lra).
  assert (p * g true <= p * (h true + e')) by (apply Rmult_le_compat_l; lra).
  replace (h false) with (g false) in H by lra; lra.
Qed.

(** [exp (- (1 / 1))] *)
Lemma less_than_half : exp (- (1 / 1)) <= / 2.
Proof.
  replace (1 / 1) with 1 by field; rewrite exp_Ropp; pose proof (exp_ineq1_le 1).
  apply Rinv_le_contravar; lra.
Qed.

(** [coin_exp_law], for any exponent alike: a unit is only paid for where all before it fell true. *)
Lemma coin_exp_units_even fuel loops units a b (Hab : (0 <= a <= b)%Z) (Hb : (0 < b)%Z) (Hz : 0 <= INR units + IZR a / IZR b) :
  all_but (2 * missing fuel loops) (law (coin_exp_units fuel loops units a b))
    (bias (exp (- (INR units + IZR a / IZR b))) (exp_unit_ok _ Hz)).
Proof.
  pose proof (missing_nonneg fuel loops) as M; pose proof (x_ok a b Hab Hb) as X.
  revert Hz; induction units as [|u IH]; intros Hz.
  - apply all_but_mono with (missing fuel loops); [lra|].
    intros f Hf; pose proof (fraction_missing a b Hab Hb fuel loops f Hf) as F.
    rewrite (bernoulli_ext _ (exp (- (IZR a / IZR b))) _ (exp_ok a b Hab Hb)) by (simpl; f_equal; ring); exact F.
  - pose proof (pos_INR u) as U; assert (Hu : 0 <= INR u + IZR a / IZR b) by lra.
    set (p := exp (- (1 / 1))); pose proof less_than_half as P; fold p in P.
    assert (R : all_but (missing fuel loops + p * (2 * missing fuel loops)) (law (coin_exp_units fuel loops (S u) a b))
      (after (bias p (exp_ok 1 1 ltac:(lia) ltac:(lia))) (fun c => if c then bias _ (exp_unit_ok _ Hu) else ret (Some false)))).
    { apply all_but_coin; [lra|apply fraction_missing|apply IH|apply all_but_ret; lra]. }
    apply (all_but_mono _ (2 * missing fuel loops)) in R; [|nra].
    intros f Hf; specialize (R f Hf); set (q := exp (- (INR u + IZR a / IZR b))) in *.
    assert (E : exp (- (INR (S u) + IZR a / IZR b)) = p * q).
    { unfold p, q; rewrite <- exp_plus, S_INR; f_equal; field; apply not_0_IZR; lia. }
    change (Ex (bias ?r ?H) (answers f)) with (r * f true + (1 - r) * f false); rewrite E.
    match type of R with _ <= ?m <= _ => change m with (p * (q * f true + (1 - q) * f false) + (1 - p) * f false) in R end.
    replace (p * q * f true + (1 - p * q) * f false) with (p * (q * f true + (1 - q) * f false) + (1 - p) * f false) by ring.
    exact R.
Qed.

Theorem coin_exp_even fuel loops num den (Hn : (0 <= num)%Z) (Hd : (0 < den)%Z) (Hz : 0 <= IZR num / IZR den) :
  all_but (2 * missing fuel loops) (law (coin_exp fuel loops num den)) (bias (exp (- (IZR num / IZR den))) (exp_unit_ok _ Hz)).
Proof.
  pose proof (Z.mod_pos_bound num den Hd) as B; pose proof (Z.div_pos num den Hn Hd) as D.
  assert (E : INR (Z.to_nat (num / den)) + IZR (num mod den) / IZR den = IZR num / IZR den).
  { rewrite INR_IZR_INZ, Z2Nat.id by auto; rewrite (Z.div_mod num den) at 3 by lia.
    rewrite plus_IZR, mult_IZR; field; apply not_0_IZR; lia. }
  intros f Hf.
  assert (Hz' : 0 <= INR (Z.to_nat (num / den)) + IZR (num mod den) / IZR den) by (rewrite E; exact Hz).
  rewrite <- (bernoulli_ext _ _ (exp_unit_ok _ Hz') (exp_unit_ok _ Hz)) by (now rewrite E).
  apply coin_exp_units_even; auto; lia.
Qed.

(** Rejection: a round accepts with weight [z] times the law, or starts again, but for a loss of [e]. *)
Theorem rejection {A} (loop : nat -> tree (option A)) (T : dist A) z e : 0 < z <= 1 -> 0 <= e ->
  (forall l f, unit_test f ->
    Ex (law (loop (S l))) (answers f) <= z * Ex T f + (1 - z) * Ex (law (loop l)) (answers f) <= Ex (law (loop (S l))) (answers f) + e) ->
  (forall f, Ex (law (loop O)) (answers f) = 0) ->
  forall l, all_but ((1 - z) ^ l + e / z) (law (loop l)) (dmap Some T).
Proof.
  intros Hz He R O l f Hf; change (Ex (dmap Some T) (answers f)) with (Ex T f).
  pose proof (Ex_unit T f Hf) as U; assert (E : 0 <= e / z) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (Ez : e = z * (e / z)) by (field; lra).
  induction l as [|l IH].
  - rewrite O; simpl; lra.
  - specialize (R l f Hf); set (x := Ex (law (loop (S l))) (answers f)) in *; set (y := Ex (law (loop l)) (answers f)) in *.
    simpl pow; set (r := (1 - z) ^ l) in *.
    assert ((1 - z) * y <= (1 - z) * Ex T f) by (apply Rmult_le_compat_l; lra).
    assert ((1 - z) * Ex T f <= (1 - z) * (y + (r + e / z))) by (apply Rmult_le_compat_l; lra).
    split; [lra|]; set (q := e / z) in *; nra.
Qed.

(** The number of times that a coin of bias [exp (-1)] falls true. *)
Lemma ratio_ok : 0 < exp (- (1 / 1)) < 1.
Proof. split; [apply exp_pos|]; pose proof less_than_half; lra. Qed.
Notation p1 := (exp (- (1 / 1))).
Definition counted (so_far : Z) : dist (option Z) :=
  dmap (fun n => Some (so_far + Z.of_nat n)%Z) (DiscreteLaplace.geometric p1 ratio_ok).

Lemma counted_Ex so_far f : Ex (counted so_far) (answers f) = Series (fun n => geo p1 n * f (so_far + Z.of_nat n)%Z).
Proof. reflexivity. Qed.

Theorem counted_law fuel loops so_far :
  all_but (4 * missing fuel fuel + p1 ^ loops) (law (Reference.geometric fuel loops so_far)) (counted so_far).
Proof.
  pose proof (missing_nonneg fuel fuel) as M; pose proof less_than_half as P; pose proof ratio_ok as P0.
  revert so_far; induction loops as [|l IH]; intros s f Hf.
  - pose proof (Ex_unit (counted s) (answers f) (answers_unit f Hf)); simpl (Ex (law _) _); simpl pow; lra.
  - assert (R : all_but (2 * missing fuel fuel + p1 * (4 * missing fuel fuel + p1 ^ l))
      (law (Reference.geometric fuel (S l) s))
      (after (bias p1 (exp_unit_ok (1 / 1) ltac:(lra))) (fun c => if c then counted (s + 1)%Z else ret (Some s)))).
    { cbn [Reference.geometric]; apply all_but_coin; [pose proof (pow_lt p1 l (proj1 P0)); lra| |apply IH|apply all_but_ret; lra].
      apply (coin_exp_even fuel fuel 1 1); lia. }
    apply (all_but_mono _ (4 * missing fuel fuel + p1 ^ S l)) in R; [|simpl pow; nra].
    specialize (R f Hf).
    match type of R with _ <= ?m <= _ => change m with
      (p1 * Series (fun n => geo p1 n * f (s + 1 + Z.of_nat n)%Z) + (1 - p1) * f s) in R end.
    rewrite counted_Ex, (peel p1 ratio_ok (fun n => f (s + Z.of_nat n)%Z)) by (intros n; apply Hf).
    replace (s + Z.of_nat 0)%Z with s by lia.
    rewrite (Series_ext (fun n => geo p1 n * f (s + Z.of_nat (S n))%Z) (fun n => geo p1 n * f (s + 1 + Z.of_nat n)%Z))
      by (intros n; do 2 f_equal; lia).
    lra.
Qed.

(** A series, by blocks of [t] terms. *)
Lemma sum_is_sum_n m h : sum (S m) h = sum_n h m.
Proof.
  induction m as [|m IH]; [cbn [sum]; rewrite sum_O; ring|].
  rewrite sum_Sn, <- IH; reflexivity.
Qed.

Lemma sum_scal n c h : sum n (fun i => c * h i) = c * sum n h.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.

Lemma blocks (h : nat -> R) t l : (0 < t)%nat -> is_series h l -> is_series (fun v => sum t (fun u => h (t * v + u)%nat)) l.
Proof.
  intros T H.
  assert (E : forall n, sum_n (fun v => sum t (fun u => h (t * v + u)%nat)) n = sum_n h (t * S n - 1)).
  { intros n; rewrite <- !sum_is_sum_n; replace (S (t * S n - 1)) with (t * S n)%nat by nia.
    induction n as [|n IH].
    - cbn [sum]; rewrite Nat.mul_1_r, Rplus_0_l; apply sum_ext; intros; f_equal; lia.
    - change (sum (S (S n)) ?k) with (sum (S n) k + k (S n)); rewrite IH.
      replace (t * S (S n))%nat with (t * S n + t)%nat by lia; now rewrite sum_split. }
  assert (G : is_lim_seq (sum_n (fun v => sum t (fun u => h (t * v + u)%nat))) l); [|exact G].
  apply (is_lim_seq_ext (fun n => sum_n h (t * S n - 1))); [intros n; now rewrite E|].
  assert (H' : is_lim_seq (sum_n h) l) by exact H.
  apply (is_lim_seq_subseq (sum_n h) l (fun n => t * S n - 1)%nat); [|exact H'].
  intros P [N HN]; exists N; intros n Hn; apply HN; nia.
Qed.

Lemma no_terms : is_series (fun _ : nat => 0) 0.
Proof.
  assert (G : is_lim_seq (sum_n (fun _ : nat => 0)) 0); [|exact G].
  apply (is_lim_seq_ext (fun _ => 0)); [intros n; rewrite sum_n_const; ring|apply is_lim_seq_const].
Qed.

Lemma sums_of_series t (k : nat -> nat -> R) : (forall u, ex_series (k u)) ->
  is_series (fun v => sum t (fun u => k u v)) (sum t (fun u => Series (k u))).
Proof.
  intros H; induction t as [|t IH]; cbn [sum]; [apply no_terms|].
  apply (is_series_plus (fun v => sum t (fun u => k u v)) (k t)); [exact IH|now apply Series_correct].
Qed.

(** Numbers [w / s], with weights that fall by [exp (- 1 / t)]: seen by quotients of [s], and by remainders of [t]. *)
Section Grid.
Variables (t s : nat) (Ht : (0 < t)%nat) (Hs : (0 < s)%nat).
Definition ratio : R := exp (- (INR s / INR t)).
Definition fall (w : nat) : R := exp (- (INR w / INR t)).
Definition grid_weight : R := (1 - p1) / INR t * sum s fall.

Lemma t_pos : 0 < INR t. Proof. now apply lt_0_INR. Qed.
Lemma s_pos : 0 < INR s. Proof. now apply lt_0_INR. Qed.
Lemma ratio_range : 0 < ratio < 1.
Proof.
  unfold ratio; split; [apply exp_pos|]; rewrite <- exp_0; apply exp_increasing.
  pose proof (Rdiv_lt_0_compat _ _ s_pos t_pos); lra.
Qed.
Lemma fall_plus v w : fall (v + w) = fall v * fall w.
Proof. unfold fall; rewrite <- exp_plus, plus_INR; f_equal; pose proof t_pos; field; lra. Qed.
Lemma fall_t v : fall (t * v) = p1 ^ v.
Proof. unfold fall; rewrite pow_exp_nat, mult_INR; f_equal; pose proof t_pos; field; lra. Qed.
Lemma fall_s y : fall (s * y) = ratio ^ y.
Proof. unfold fall, ratio; rewrite pow_exp_nat, mult_INR; f_equal; pose proof t_pos; field; lra. Qed.
Lemma fall_series : ex_series fall.
Proof.
  apply ex_series_ext with (fun w => (exp (- / INR t)) ^ w).
  - intros w; rewrite pow_exp_nat; unfold fall; f_equal; pose proof t_pos; field; lra.
  - apply ex_series_geom; rewrite Rabs_pos_eq by (left; apply exp_pos); rewrite <- exp_0; apply exp_increasing.
    pose proof (Rinv_0_lt_compat _ t_pos); lra.
Qed.

Variables (g : Z -> R) (Hg : unit_test g).
Definition term (w : nat) : R := fall w * g (Z.of_nat w / Z.of_nat s)%Z.

Lemma term_series : is_series term (Series term).
Proof.
  apply Series_correct, ex_series_dom with fall; [|apply fall_series].
  intros w; unfold term, fall; pose proof (exp_pos (- (INR w / INR t))); pose proof (Hg (Z.of_nat w / Z.of_nat s)%Z); nra.
Qed.

Lemma by_quotient : is_series (fun y => sum s fall * (ratio ^ y * g (Z.of_nat y))) (Series term).
Proof.
  eapply is_series_ext; [|apply (blocks term s _ Hs term_series)].
  intros y; cbv beta; rewrite Rmult_comm, <- sum_scal; apply sum_ext; intros r R; unfold term.
  rewrite fall_plus, fall_s; replace (Z.of_nat (s * y + r) / Z.of_nat s)%Z with (Z.of_nat y); [ring|].
  rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Z.mul_comm, Z.div_add_l, Z.div_small by lia; lia.
Qed.

Lemma by_remainder : is_series (fun v => sum t (fun u => p1 ^ v * fall u * g ((Z.of_nat u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z)) (Series term).
Proof.
  eapply is_series_ext; [|apply (blocks term t _ Ht term_series)].
  intros v; cbv beta; apply sum_ext; intros u U; unfold term; rewrite fall_plus, fall_t.
  replace (Z.of_nat (t * v + u)) with (Z.of_nat u + Z.of_nat t * Z.of_nat v)%Z by lia; ring.
Qed.

Theorem grid : mean t (fun u => exp (- (IZR u / IZR (Z.of_nat t))) *
    Series (fun v => geo p1 v * g ((u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z)) =
  grid_weight * Series (fun y => ratio ^ y * g (Z.of_nat y)).
Proof.
  pose proof t_pos as T.
  assert (X : sum s fall * Series (fun y => ratio ^ y * g (Z.of_nat y)) = Series term).
  { rewrite <- Series_scal_l; apply is_series_unique, by_quotient. }
  assert (Y : sum t (fun u => fall u * Series (fun v => p1 ^ v * g ((Z.of_nat u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z)) = Series term).
  { rewrite <- (is_series_unique _ _ by_remainder).
    rewrite (sum_ext t _ (fun u => Series (fun v => p1 ^ v * fall u * g ((Z.of_nat u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z))).
    2: { intros u _; rewrite <- Series_scal_l; apply Series_ext; intros; ring. }
    symmetry; apply is_series_unique, (sums_of_series t (fun u v => p1 ^ v * fall u * g ((Z.of_nat u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z)).
    intros u; apply ex_series_dom with (fun v => p1 ^ v * 1).
    - intros v; pose proof (pow_lt p1 v (proj1 ratio_ok)); pose proof (Hg ((Z.of_nat u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z).
      assert (0 < fall u <= 1).
      { unfold fall; split; [apply exp_pos|]; rewrite <- exp_0; apply exp_le.
        assert (0 <= INR u / INR t) by (apply Rmult_le_pos; [apply pos_INR|left; now apply Rinv_0_lt_compat]); lra. }
      split; [repeat apply Rmult_le_pos; lra|]; rewrite Rmult_assoc; apply Rmult_le_compat_l; [lra|nra].
    - apply (ex_series_scal_r 1 (fun v => p1 ^ v)), ex_series_geom; pose proof ratio_ok; rewrite Rabs_pos_eq; lra. }
  unfold mean, grid_weight.
  rewrite (sum_ext t _ (fun u => (1 - p1) * (fall u * Series (fun v => p1 ^ v * g ((Z.of_nat u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z)))).
  - rewrite sum_scal, Y, <- X; field; lra.
  - intros u _; unfold fall; rewrite !INR_IZR_INZ, <- Rmult_assoc, (Rmult_comm (1 - p1)), Rmult_assoc; f_equal.
    rewrite <- Series_scal_l; apply Series_ext; intros v; unfold geo; ring.
Qed.
End Grid.

Lemma sum_le n g h : (forall i, (i < n)%nat -> g i <= h i) -> sum n g <= sum n h.
Proof. induction n; simpl; intros H; [lra|]; pose proof (H n ltac:(lia)); assert (sum n g <= sum n h) by auto; lra. Qed.
Lemma sum_plus n g h : sum n (fun i => g i + h i) = sum n g + sum n h.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.

Lemma mean_le n g h : (1 <= n)%nat -> (forall u, (0 <= u)%Z -> g u <= h u) -> mean n g <= mean n h.
Proof.
  intros N H; unfold mean; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, lt_0_INR; lia|].
  apply sum_le; intros; apply H; lia.
Qed.
Lemma mean_ext n g h : (forall u, (0 <= u)%Z -> g u = h u) -> mean n g = mean n h.
Proof. intros H; unfold mean; f_equal; apply sum_ext; intros; apply H; lia. Qed.
Lemma mean_plus n g h : mean n (fun u => g u + h u) = mean n g + mean n h.
Proof. unfold mean; rewrite sum_plus; unfold Rdiv; ring. Qed.
Lemma mean_scal n c h : mean n (fun u => c * h u) = c * mean n h.
Proof. unfold mean; rewrite sum_scal; unfold Rdiv; ring. Qed.
Lemma mean_const n c : (1 <= n)%nat -> mean n (fun _ => c) = c.
Proof. intros N; unfold mean; rewrite sum_const; field; apply not_0_INR; lia. Qed.

(** One round of all three: a size in which [accept] goes on, or from the start [again]. *)
Definition round (fuel : nat) (t s : Z) (accept : Z -> tree (option Z)) (again : tree (option Z)) : tree (option Z) :=
  then_ (Reference.uniform fuel t) (fun u => then_ (coin_exp fuel fuel u t) (fun keep =>
    if keep then then_ (Reference.geometric fuel fuel 0) (fun v => accept ((u + t * v) / s)%Z) else again)).

(** What the fuel may cost in one round. *)
Definition lost (fuel : nat) : R := / 2 ^ fuel + (2 * missing fuel fuel + (4 * missing fuel fuel + p1 ^ fuel)).

Section Round.
Variables (fuel t s : nat) (Ht : (0 < t)%nat) (Hs : (0 < s)%nat) (accept : Z -> tree (option Z)) (again : tree (option Z)).
Notation a := (ratio t s).
Notation weight := (grid_weight t s).
Definition kept (f : Z -> R) (y : Z) : R := Ex (law (accept y)) (answers f).
Definition weighed (f : Z -> R) : R :=
  weight * Series (fun y => a ^ y * kept f (Z.of_nat y)) + (1 - weight / (1 - a)) * Ex (law again) (answers f).

Lemma kept_unit f : unit_test f -> unit_test (kept f).
Proof. intros Hf y; now apply Ex_unit, answers_unit. Qed.

Lemma share_of_rounds : mean t (fun u => exp (- (IZR u / IZR (Z.of_nat t)))) = weight / (1 - a).
Proof.
  pose proof (ratio_range t s Ht Hs) as A.
  assert (O : unit_test (fun _ : Z => 1)) by (intros y; lra).
  pose proof (grid t s Ht Hs (fun _ => 1) O) as E.
  rewrite (mean_ext t _ (fun u => exp (- (IZR u / IZR (Z.of_nat t))))) in E.
  - rewrite E; rewrite (Series_ext _ (fun y => a ^ y)) by (intros; ring).
    assert (G : is_series (fun y => a ^ y) (/ (1 - a))) by (apply is_series_geom; rewrite Rabs_pos_eq; lra).
    now rewrite (is_series_unique _ _ G).
  - intros u _; rewrite (Series_ext _ (geo p1)) by (intros; ring).
    rewrite (is_series_unique _ _ (geo_one p1 ratio_ok)); ring.
Qed.

Definition ideal (f : Z -> R) (u : Z) : R :=
  exp (- (IZR u / IZR (Z.of_nat t))) * Series (fun v => geo p1 v * kept f ((u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z) +
  (1 - exp (- (IZR u / IZR (Z.of_nat t)))) * Ex (law again) (answers f).

Lemma ideal_mean f : unit_test f -> mean t (ideal f) = weighed f.
Proof.
  intros Hf; set (c := Ex (law again) (answers f)); set (q := fun u => exp (- (IZR u / IZR (Z.of_nat t)))).
  rewrite (mean_ext t _ (fun u => q u * Series (fun v => geo p1 v * kept f ((u + Z.of_nat t * Z.of_nat v) / Z.of_nat s)%Z) + (c + - c * q u)))
    by (intros u _; unfold ideal; fold c; fold (q u); ring).
  rewrite mean_plus, mean_plus, mean_scal, mean_const by lia; unfold q.
  rewrite (grid t s Ht Hs (kept f) (kept_unit f Hf)), share_of_rounds; unfold weighed; fold c; ring.
Qed.

Theorem round_law f : unit_test f ->
  Ex (law (round fuel (Z.of_nat t) (Z.of_nat s) accept again)) (answers f) <= weighed f <=
  Ex (law (round fuel (Z.of_nat t) (Z.of_nat s) accept again)) (answers f) + lost fuel.
Proof.
  intros Hf; rewrite <- ideal_mean by auto.
  set (k := fun u => then_ (coin_exp fuel fuel u (Z.of_nat t)) (fun keep =>
    if keep then then_ (Reference.geometric fuel fuel 0) (fun v => accept ((u + Z.of_nat t * v) / Z.of_nat s)%Z) else again)).
  set (h := fun u => Ex (law (k u)) (answers f)).
  pose proof (missing_nonneg fuel fuel) as M; pose proof (pow_lt p1 fuel (proj1 ratio_ok)) as P.
  assert (K : forall u, (0 <= u)%Z -> h u <= ideal f u <= h u + (2 * missing fuel fuel + (4 * missing fuel fuel + p1 ^ fuel))).
  { intros u U.
    assert (Hz : 0 <= IZR u / IZR (Z.of_nat t)).
    { apply Rmult_le_pos; [now apply IZR_le|left; apply Rinv_0_lt_compat, IZR_lt; lia]. }
    assert (R : all_but (2 * missing fuel fuel + (4 * missing fuel fuel + p1 ^ fuel)) (law (k u))
      (after (bias _ (exp_unit_ok _ Hz)) (fun keep => if keep
        then after (counted 0) (fun v => law (accept ((u + Z.of_nat t * v) / Z.of_nat s)%Z)) else law again))).
    { apply all_but_after; [lra|apply coin_exp_even; lia|].
      intros [|]; [|eapply all_but_mono; [|apply all_but_refl]; lra].
      replace (4 * missing fuel fuel + p1 ^ fuel) with (4 * missing fuel fuel + p1 ^ fuel + 0) by ring.
      apply all_but_after; [lra|apply counted_law|intros v; apply all_but_refl]. }
    exact (R f Hf). }
  assert (E : Ex (law (round fuel (Z.of_nat t) (Z.of_nat s) accept again)) (answers f) =
    (1 - rejected t ^ fuel) * mean t h).
  { change (round fuel (Z.of_nat t) (Z.of_nat s) accept again) with (then_ (Reference.uniform fuel (Z.of_nat t)) k).
    rewrite Ex_then; apply uniform_law; lia. }
  rewrite E; pose proof (half_pow _ fuel (rejected_range t ltac:(lia))) as Hr; set (r := rejected t ^ fuel) in *.
  set (e := 2 * missing fuel fuel + (4 * missing fuel fuel + p1 ^ fuel)) in *.
  assert (A : mean t h <= mean t (ideal f)) by (apply mean_le; [lia|intros u U; apply (K u U)]).
  assert (B : mean t (ideal f) <= mean t h + e).
  { rewrite <- (mean_const t e), <- mean_plus by lia; apply mean_le; [lia|intros u U; apply (K u U)]. }
  assert (H0 : 0 <= mean t h <= 1).
  { split; [rewrite <- (mean_const t 0) by lia|rewrite <- (mean_const t 1) by lia]; apply mean_le; try lia;
      intros u U; apply (Ex_unit (law (k u)) _ (answers_unit f Hf)). }
  unfold lost; fold e; split; nra.
Qed.

Lemma weight_pos : 0 < weight.
Proof.
  unfold grid_weight; pose proof ratio_ok; pose proof (t_pos t Ht).
  apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|].
  destruct s as [|k]; [lia|]; cbn [sum]; apply Rplus_le_lt_0_compat; [|apply exp_pos].
  rewrite <- (Rmult_0_r (INR k)), <- sum_const; apply sum_le; intros; left; apply exp_pos.
Qed.

Lemma weight_small : weight / (1 - a) <= 1.
Proof.
  rewrite <- share_of_rounds, <- (mean_const t 1) by lia; apply mean_le; [lia|]; intros u U.
  rewrite <- exp_0; apply exp_le.
  assert (0 <= IZR u / IZR (Z.of_nat t)); [|lra].
  apply Rmult_le_pos; [now apply IZR_le|left; apply Rinv_0_lt_compat, IZR_lt; lia].
Qed.
End Round.

(** [discrete_geometric]: weights [a^y], for [a = exp (- s / t)]. *)
Section Geometric.
Variables (fuel t s : nat) (Ht : (0 < t)%nat) (Hs : (0 < s)%nat).
Notation a := (ratio t s).
Definition sizes : dist Z := dmap Z.of_nat (DiscreteLaplace.geometric a (ratio_range t s Ht Hs)).

Lemma geo_weights (f : nat -> R) : Series (fun n => geo a n * f n) = (1 - a) * Series (fun n => a ^ n * f n).
Proof. rewrite <- Series_scal_l; apply Series_ext; intros; unfold geo; ring. Qed.

Theorem size_loop_law l : all_but ((1 - grid_weight t s / (1 - a)) ^ l + lost fuel / (grid_weight t s / (1 - a)))
  (law (size_loop fuel l (Z.of_nat t) (Z.of_nat s))) (dmap Some sizes).
Proof.
  pose proof (ratio_range t s Ht Hs) as A; pose proof (weight_pos t s Ht Hs) as W.
  apply (rejection (fun l => size_loop fuel l (Z.of_nat t) (Z.of_nat s))).
  - split; [apply Rdiv_lt_0_compat; lra|now apply weight_small].
  - unfold lost; pose proof (missing_nonneg fuel fuel); pose proof (pow_lt p1 fuel (proj1 ratio_ok)).
    assert (0 < / 2 ^ fuel) by (apply Rinv_0_lt_compat, pow_lt; lra); lra.
  - clear l; intros l f Hf; pose proof (round_law fuel t s Ht Hs (fun y => Ret (Some y)) (size_loop fuel l (Z.of_nat t) (Z.of_nat s)) f Hf) as R.
    change (size_loop fuel (S l) (Z.of_nat t) (Z.of_nat s)) with
      (round fuel (Z.of_nat t) (Z.of_nat s) (fun y => Ret (Some y)) (size_loop fuel l (Z.of_nat t) (Z.of_nat s))).
    unfold weighed in R; change (kept (fun y => Ret (Some y)) f) with f in R.
    change (Ex sizes f) with (Series (fun n => geo a n * f (Z.of_nat n))); rewrite geo_weights.
    set (x := Series _) in *; replace (grid_weight t s / (1 - a) * ((1 - a) * x)) with (grid_weight t s * x) by (field; lra).
    exact R.
  - reflexivity.
Qed.
End Geometric.

(** [discrete_laplace]. *)
Section Laplace.
Variables (fuel t s : nat) (Ht : (0 < t)%nat) (Hs : (0 < s)%nat).
Notation a := (ratio t s).
Definition laplace_law : dist Z := dlap a (ratio_range t s Ht Hs).
Definition accepted : R := grid_weight t s * (1 + a) / (2 * (1 - a)).

Lemma accepted_range : 0 < accepted <= 1.
Proof.
  pose proof (ratio_range t s Ht Hs) as A; pose proof (weight_pos t s Ht Hs); pose proof (weight_small t s Ht Hs).
  unfold accepted; split; [apply Rdiv_lt_0_compat; nra|].
  replace (grid_weight t s * (1 + a) / (2 * (1 - a))) with (grid_weight t s / (1 - a) * ((1 + a) / 2)) by (field; lra).
  assert (0 < grid_weight t s / (1 - a)) by (apply Rdiv_lt_0_compat; lra); nra.
Qed.

Lemma laplace_weights f : Ex laplace_law f =
  (1 - a) / (1 + a) * (Series (fun n => a ^ n * f (Z.of_nat n)) + a * Series (fun n => a ^ n * f (-1 - Z.of_nat n)%Z)).
Proof.
  pose proof (ratio_range t s Ht Hs) as A.
  change (Ex laplace_law f) with (/ (1 + a) * Series (fun n => geo a n * f (Z.of_nat n)) +
    (1 - / (1 + a)) * Series (fun n => geo a n * f (-1 - Z.of_nat n)%Z)).
  rewrite (geo_weights t s (fun n => f (Z.of_nat n))), (geo_weights t s (fun n => f (-1 - Z.of_nat n)%Z)); field; lra.
Qed.

Lemma powers_ex (f : nat -> R) : (forall n, 0 <= f n <= 1) -> ex_series (fun n => a ^ n * f n).
Proof.
  intros H; pose proof (ratio_range t s Ht Hs) as A; apply ex_series_dom with (fun n => a ^ n).
  - intros n; pose proof (pow_lt a n (proj1 A)); pose proof (H n); nra.
  - apply ex_series_geom; rewrite Rabs_pos_eq; lra.
Qed.

Theorem laplace_loop_law l : all_but ((1 - accepted) ^ l + lost fuel / accepted)
  (law (laplace_loop fuel l (Z.of_nat t) (Z.of_nat s))) (dmap Some laplace_law).
Proof.
  pose proof (ratio_range t s Ht Hs) as A; pose proof (weight_pos t s Ht Hs) as W.
  apply (rejection (fun l => laplace_loop fuel l (Z.of_nat t) (Z.of_nat s))).
  - apply accepted_range.
  - unfold lost; pose proof (missing_nonneg fuel fuel); pose proof (pow_lt p1 fuel (proj1 ratio_ok)).
    assert (0 < / 2 ^ fuel) by (apply Rinv_0_lt_compat, pow_lt; lra); lra.
  - clear l; intros l f Hf; set (again := laplace_loop fuel l (Z.of_nat t) (Z.of_nat s)).
    set (accept := fun size => Flip (fun negative => if negative && (size =? 0)%Z then again
                     else Ret (Some (if negative then (- size)%Z else size)))).
    pose proof (round_law fuel t s Ht Hs accept again f Hf) as R.
    change (laplace_loop fuel (S l) (Z.of_nat t) (Z.of_nat s)) with (round fuel (Z.of_nat t) (Z.of_nat s) accept again).
    set (c := Ex (law again) (answers f)).
    replace (weighed t s accept again f) with (accepted * Ex laplace_law f + (1 - accepted) * c) in R; [exact R|].
    unfold weighed; fold c; rewrite laplace_weights.
    assert (Fp : forall n, 0 <= f (Z.of_nat n) <= 1) by (intros; apply Hf).
    assert (Fm : forall n, 0 <= f (-1 - Z.of_nat n)%Z <= 1) by (intros; apply Hf).
    set (x := Series (fun n => a ^ n * f (Z.of_nat n))); set (y := Series (fun n => a ^ n * f (-1 - Z.of_nat n)%Z)).
    assert (E : Series (fun n => a ^ n * kept accept f (Z.of_nat n)) = / 2 * x + / 2 * (c + a * y)).
    { set (other := fun n : nat => match n with O => c | S n => f (-1 - Z.of_nat n)%Z end).
      assert (C : 0 <= c <= 1) by (apply Ex_unit, answers_unit, Hf).
      assert (Fo : forall n, 0 <= other n <= 1) by (intros [|n]; [exact C|apply Hf]).
      assert (D : forall n, kept accept f (Z.of_nat n) = / 2 * f (Z.of_nat n) + / 2 * other n).
      { intros n; unfold kept, accept.
        change (Ex (law (Flip ?k)) (answers f)) with (/ 2 * Ex (law (k true)) (answers f) + (1 - / 2) * Ex (law (k false)) (answers f)).
        destruct n as [|n]; simpl other.
        - change (/ 2 * c + (1 - / 2) * f 0%Z = / 2 * f 0%Z + / 2 * c); field.
        - replace (Z.of_nat (S n) =? 0)%Z with false by (symmetry; apply Z.eqb_neq; lia); simpl (_ && _); cbv iota.
          change (/ 2 * f (- Z.of_nat (S n))%Z + (1 - / 2) * f (Z.of_nat (S n)) =
            / 2 * f (Z.of_nat (S n)) + / 2 * f (-1 - Z.of_nat n)%Z).
          replace (- Z.of_nat (S n))%Z with (-1 - Z.of_nat n)%Z by lia; field. }
      rewrite (Series_ext _ (fun n => / 2 * (a ^ n * f (Z.of_nat n)) + / 2 * (a ^ n * other n))) by (intros n; rewrite D; ring).
      assert (Xx := powers_ex _ Fp); assert (Xo := powers_ex _ Fo).
      rewrite Series_plus; [|exact (ex_series_scal_l (/ 2) _ Xx)|exact (ex_series_scal_l (/ 2) _ Xo)].
      rewrite !Series_scal_l; fold x; do 2 f_equal; rewrite Series_incr_1 by exact Xo.
      simpl (a ^ 0); simpl (other O); rewrite Rmult_1_l; f_equal; unfold y; rewrite <- Series_scal_l.
      apply Series_ext; intros n; simpl; ring. }
    rewrite E; unfold accepted; field; lra.
  - reflexivity.
Qed.
End Laplace.

(** What goes to zero as the fuel grows. *)
Definition vanishes (e : nat -> R) : Prop := forall d, 0 < d -> exists n, forall fuel, (n <= fuel)%nat -> e fuel <= d.

Lemma vanishes_plus e e' : vanishes e -> vanishes e' -> vanishes (fun n => e n + e' n).
Proof.
  intros H H' d D; destruct (H (d / 2) ltac:(lra)) as [n N], (H' (d / 2) ltac:(lra)) as [n' N'].
  exists (Nat.max n n'); intros m M; specialize (N m ltac:(lia)); specialize (N' m ltac:(lia)); lra.
Qed.
Lemma vanishes_times c e : 0 < c -> vanishes e -> vanishes (fun n => c * e n).
Proof.
  intros C H d D; destruct (H (d / c) (Rdiv_lt_0_compat d c D C)) as [n N]; exists n; intros m M; specialize (N m M).
  replace d with (c * (d / c)) by (field; lra); apply Rmult_le_compat_l; lra.
Qed.
Lemma vanishes_below e e' : (forall n, (1 <= n)%nat -> e n <= e' n) -> vanishes e' -> vanishes e.
Proof. intros L H d D; destruct (H d D) as [n N]; exists (S n); intros m M; eapply Rle_trans; [apply L; lia|apply N; lia]. Qed.
Lemma vanishes_inverse : vanishes (fun n => / INR n).
Proof.
  intros d D; destruct (archimed_cor1 d D) as (n & Hn & P); exists n; intros m M; left.
  eapply Rle_lt_trans; [|exact Hn]; apply Rinv_le_contravar; [now apply lt_0_INR|now apply le_INR].
Qed.
Lemma vanishes_power r : 0 <= r < 1 -> vanishes (fun n => r ^ n).
Proof.
  intros [R0 R1] d D; destruct (pow_lt_1_zero r ltac:(rewrite Rabs_pos_eq; lra) d D) as [n N]; exists n; intros m M.
  specialize (N m M); rewrite Rabs_pos_eq in N by now apply pow_le. lra.
Qed.

Lemma squares_small n : (n * (n + 1) <= 2 * 2 ^ n)%nat.
Proof.
  assert (L : forall n, (n + 1 <= 2 ^ n)%nat) by (induction n0; simpl; lia).
  induction n as [|n IH]; [simpl; lia|]; specialize (L n); simpl (2 ^ S n)%nat; nia.
Qed.
Lemma halves_small n : (1 <= n)%nat -> INR n / 2 ^ n <= 2 * / INR n.
Proof.
  intros N; assert (P : 0 < 2 ^ n) by (apply pow_lt; lra); assert (I : 0 < INR n) by (apply lt_0_INR; lia).
  assert (S : INR n * INR n <= 2 * 2 ^ n).
  { pose proof (squares_small n) as Q; apply le_INR in Q; rewrite !mult_INR, plus_INR, pow_INR in Q; simpl (INR 2) in Q; simpl (INR 1) in Q.
    replace (1 + 1) with 2 in Q by ring; nra. }
  apply Rmult_le_reg_r with (2 ^ n * INR n); [nra|].
  replace (INR n / 2 ^ n * (2 ^ n * INR n)) with (INR n * INR n) by (field; lra).
  replace (2 * / INR n * (2 ^ n * INR n)) with (2 * 2 ^ n) by (field; lra); exact S.
Qed.
Lemma missing_goes : vanishes (fun n => missing n n).
Proof.
  unfold missing; apply vanishes_plus.
  - apply vanishes_below with (fun n => 2 * / INR n); [apply halves_small|apply vanishes_times; [lra|apply vanishes_inverse]].
  - apply vanishes_below with (fun n => / INR n); [|apply vanishes_inverse].
    intros n N; apply Rinv_le_contravar; [apply lt_0_INR; lia|]; apply le_INR; clear -N.
    induction n as [|[|n] IH]; [lia|simpl; lia|]; change (fact (S (S n))) with (S (S n) * fact (S n))%nat; pose proof (lt_O_fact (S n)); nia.
Qed.
Lemma lost_goes : vanishes lost.
Proof.
  unfold lost; repeat apply vanishes_plus.
  - apply vanishes_below with (fun n => (/ 2) ^ n); [|apply vanishes_power; lra].
    intros n _; right; induction n; simpl; [field|rewrite <- IHn; field; apply pow_nonzero; lra].
  - apply vanishes_times; [lra|apply missing_goes].
  - apply vanishes_times; [lra|apply missing_goes].
  - apply vanishes_power; pose proof ratio_ok; lra.
Qed.
Lemma rounds_go z e : 0 < z <= 1 -> vanishes e -> vanishes (fun n => (1 - z) ^ n + e n / z).
Proof.
  intros Z E; apply vanishes_plus; [apply vanishes_power; lra|].
  apply vanishes_below with (fun n => / z * e n); [intros; right; unfold Rdiv; ring|].
  apply vanishes_times; [apply Rinv_0_lt_compat; lra|exact E].
Qed.

(** In lowest terms. *)
Lemma lowest num den : (0 < num)%Z -> (0 < den)%Z -> exists t s : nat, (0 < t)%nat /\ (0 < s)%nat /\
  reduced num den = (Z.of_nat t, Z.of_nat s) /\ ratio t s = exp (- / (IZR num / IZR den)).
Proof.
  intros N D; unfold reduced; set (g := Z.gcd num den); assert (G : (0 < g)%Z).
  { assert (g <> 0)%Z by (unfold g; intros E; apply Z.gcd_eq_0_r in E; lia); pose proof (Z.gcd_nonneg num den); unfold g in *; lia. }
  destruct (Z.gcd_divide_l num den) as [p Ep], (Z.gcd_divide_r num den) as [q Eq]; fold g in Ep, Eq.
  assert (Ea : (num / g = p)%Z) by (rewrite Ep at 1; apply Z.div_mul; lia).
  assert (Eb : (den / g = q)%Z) by (rewrite Eq at 1; apply Z.div_mul; lia).
  assert (0 < p)%Z by nia; assert (0 < q)%Z by nia.
  exists (Z.to_nat p), (Z.to_nat q); rewrite Ea, Eb, !Z2Nat.id by lia; repeat split; try lia.
  unfold ratio; rewrite !INR_IZR_INZ, !Z2Nat.id by lia; f_equal; rewrite Ep, Eq, !mult_IZR; field.
  repeat split; apply not_0_IZR; lia.
Qed.

Lemma scale_pos num den : (0 < num)%Z -> (0 < den)%Z -> 0 < IZR num / IZR den.
Proof. intros; apply Rdiv_lt_0_compat; now apply IZR_lt. Qed.

Lemma all_but_target {A} e (P : dist (option A)) (Q Q' : dist A) :
  (forall f, unit_test f -> Ex Q f = Ex Q' f) -> all_but e P (dmap Some Q) -> all_but e P (dmap Some Q').
Proof.
  intros E H f Hf; specialize (H f Hf); change (Ex (dmap Some Q) (answers f)) with (Ex Q f) in H.
  change (Ex (dmap Some Q') (answers f)) with (Ex Q' f); now rewrite <- E.
Qed.

(** The geometric law of scale [num / den]. *)
Theorem discrete_geometric_law num den (N : (0 < num)%Z) (D : (0 < den)%Z) :
  exists e, vanishes e /\ forall fuel, all_but (e fuel) (law (discrete_geometric fuel num den))
    (dmap Some (dmap Z.of_nat (DiscreteLaplace.geometric _ (scale_ok _ (scale_pos num den N D))))).
Proof.
  destruct (lowest num den N D) as (t & s & T & S & R & E).
  exists (fun fuel => (1 - grid_weight t s / (1 - ratio t s)) ^ fuel + lost fuel / (grid_weight t s / (1 - ratio t s))); split.
  - apply rounds_go; [|apply lost_goes]; pose proof (ratio_range t s T S).
    split; [apply Rdiv_lt_0_compat; [now apply weight_pos|lra]|now apply weight_small].
  - intros fuel; unfold discrete_geometric; rewrite R; destruct (Z.eqb_spec num 0); [lia|].
    eapply all_but_target; [|apply (size_loop_law fuel t s T S)].
    intros f _; change (Series (fun n => geo (ratio t s) n * f (Z.of_nat n)) =
      Series (fun n => geo (exp (- / (IZR num / IZR den))) n * f (Z.of_nat n))); now rewrite E.
Qed.

(** The discrete Laplace law of scale [num / den]. *)
Theorem discrete_laplace_law num den (N : (0 < num)%Z) (D : (0 < den)%Z) :
  exists e, vanishes e /\ forall fuel, all_but (e fuel) (law (discrete_laplace fuel num den))
    (dmap Some (dlap _ (scale_ok _ (scale_pos num den N D)))).
Proof.
  destruct (lowest num den N D) as (t & s & T & S & R & E).
  exists (fun fuel => (1 - accepted t s) ^ fuel + lost fuel / accepted t s); split.
  - apply rounds_go; [now apply accepted_range|apply lost_goes].
  - intros fuel; unfold discrete_laplace; rewrite R; destruct (Z.eqb_spec num 0); [lia|].
    eapply all_but_target; [|apply (laplace_loop_law fuel t s T S)].
    intros f _; rewrite laplace_weights by auto; pose proof (ratio_range t s T S) as A.
    change (Ex (dlap ?r ?H) f) with (/ (1 + r) * Series (fun n => geo r n * f (Z.of_nat n)) +
      (1 - / (1 + r)) * Series (fun n => geo r n * f (-1 - Z.of_nat n)%Z)); rewrite <- E.
    rewrite (geo_weights t s (fun n => f (Z.of_nat n))), (geo_weights t s (fun n => f (-1 - Z.of_nat n)%Z)); field; lra.
Qed.

(** [discrete_gaussian]: candidates of scale [t] with weights [exp (- |z| / t)], kept with what makes them the bell's. *)
Section Gaussian.
Variables (num den : Z) (Hn : (0 < num)%Z) (Hd : (0 < den)%Z).
Let sigma := IZR num / IZR den.
Let t := Z.to_nat (num / den + 1).
Let one : (0 < 1)%nat. Proof. lia. Qed.
Lemma floor_pos : (0 < t)%nat. Proof. unfold t; pose proof (Z.div_pos num den ltac:(lia) Hd); lia. Qed.
Notation a := (ratio t 1).
Definition candidates : dist Z := laplace_law t 1 floor_pos one.
Definition exponent (z : Z) : R :=
  IZR ((Z.abs z * den ^ 2 * Z.of_nat t - num ^ 2) ^ 2) / IZR (2 * den ^ 2 * Z.of_nat t ^ 2 * num ^ 2).

Lemma bottom_pos : (0 < 2 * den ^ 2 * Z.of_nat t ^ 2 * num ^ 2)%Z.
Proof. pose proof floor_pos; nia. Qed.
Lemma exponent_nonneg z : 0 <= exponent z.
Proof.
  unfold exponent; apply Rmult_le_pos; [apply IZR_le; nia|left; apply Rinv_0_lt_compat, IZR_lt, bottom_pos].
Qed.
Definition chance (z : Z) : R := exp (- exponent z).
Lemma chance_unit : unit_test chance.
Proof. intros z; apply exp_unit_ok, exponent_nonneg. Qed.

Let c := / (2 * (sigma * sigma)).
Definition constant : R := exp (- (sigma * sigma / (2 * (INR t * INR t)))).

Lemma bell z : exp (- (IZR (Z.abs z) / INR t)) * chance z = constant * ga c 0 z.
Proof.
  unfold chance, constant, ga; rewrite <- !exp_plus; f_equal; unfold exponent, c, sigma.
  assert (Q : (IZR z - 0) ^ 2 = IZR (Z.abs z) ^ 2).
  { rewrite abs_IZR; unfold Rabs; destruct (Rcase_abs (IZR z)); ring. }
  rewrite Q, !Z.pow_2_r, !mult_IZR, minus_IZR, !mult_IZR, <- INR_IZR_INZ.
  assert (0 < IZR num) by now apply IZR_lt. assert (0 < IZR den) by now apply IZR_lt.
  assert (0 < INR t) by (apply lt_0_INR, floor_pos); field; repeat split; lra.
Qed.

(** Of candidates, by weights that sum as those of the bell do. *)
Lemma candidates_fold h : unit_test h -> Ex candidates (fun z => chance z * h z) =
  (1 - a) / (1 + a) * (constant * ZS (fun z => ga c 0 z * h z)).
Proof.
  intros Hh; assert (U : unit_test (fun z => chance z * h z)) by
    (intros z; pose proof (chance_unit z); pose proof (Hh z); nra).
  unfold candidates; rewrite laplace_weights by auto; f_equal.
  assert (P : forall n, 0 <= (fun n => chance (Z.of_nat n) * h (Z.of_nat n)) n <= 1) by (intros n; apply U).
  assert (M : forall n, 0 <= (fun n => chance (-1 - Z.of_nat n)%Z * h (-1 - Z.of_nat n)%Z) n <= 1) by (intros n; apply U).
  pose proof (powers_ex t 1 floor_pos one _ P) as Xp; pose proof (powers_ex t 1 floor_pos one _ M) as Xm; cbv beta in Xp, Xm.
  rewrite <- (Series_scal_l a), <- Series_plus; [|exact Xp|exact (ex_series_scal_l a _ Xm)].
  unfold ZS; rewrite <- Series_scal_l; apply Series_ext; intros n; unfold fold2.
  assert (A : forall k, a ^ k = exp (- (INR k / INR t))).
  { intros k; unfold ratio; rewrite pow_exp_nat; f_equal; simpl (INR 1); pose proof (lt_0_INR t floor_pos); field; lra. }
  pose proof (bell (Z.of_nat n)) as B; pose proof (bell (-1 - Z.of_nat n)%Z) as B'.
  replace (IZR (Z.abs (Z.of_nat n))) with (INR n) in B by (rewrite INR_IZR_INZ; f_equal; lia).
  replace (IZR (Z.abs (-1 - Z.of_nat n))) with (INR (S n)) in B' by (rewrite INR_IZR_INZ; f_equal; lia).
  rewrite <- A in B, B'; simpl pow in B'.
  replace (a ^ n * (chance (Z.of_nat n) * h (Z.of_nat n)) + a * (a ^ n * (chance (-1 - Z.of_nat n)%Z * h (-1 - Z.of_nat n)%Z)))
    with (a ^ n * chance (Z.of_nat n) * h (Z.of_nat n) + a * a ^ n * chance (-1 - Z.of_nat n)%Z * h (-1 - Z.of_nat n)%Z) by ring.
  rewrite B, B'; ring.
Qed.

Definition held : R := Ex candidates chance.

Lemma sigma_pos : 0 < sigma. Proof. now apply scale_pos. Qed.
Lemma c_positive : 0 < c. Proof. pose proof sigma_pos; apply Rinv_0_lt_compat; nra. Qed.

Lemma held_is : held = (1 - a) / (1 + a) * (constant * F c 0).
Proof.
  assert (O : unit_test (fun _ : Z => 1)) by (intros z; lra).
  pose proof (candidates_fold _ O) as E.
  rewrite (Ex_ext _ _ chance) in E; [|apply Int_unit; intros z; pose proof (chance_unit z); lra|intros; ring].
  unfold held; rewrite E; do 2 f_equal; apply ZS_ext; intros; ring.
Qed.
Lemma held_range : 0 < held <= 1.
Proof.
  split; [|apply Ex_unit, chance_unit].
  rewrite held_is; pose proof (ratio_range t 1 floor_pos one); pose proof (F_pos c 0 c_positive).
  apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|]; apply Rmult_lt_0_compat; [apply exp_pos|exact H0].
Qed.

Lemma kept_is_bell f : unit_test f -> Ex candidates (fun z => chance z * f z) = held * Ex (dgauss sigma sigma_pos 0) f.
Proof.
  intros Hf; rewrite candidates_fold, held_is by auto; unfold dgauss; rewrite Ex_zdist.
  pose proof (F_pos c 0 c_positive); rewrite (ZS_ext (fun z => gmass sigma 0 z * f z) (fun z => / F c 0 * (ga c 0 z * f z)))
    by (intros z; change (gmass sigma 0 z) with (/ F c 0 * ga c 0 z); ring).
  rewrite ZS_scal; generalize ((1 - a) / (1 + a)); intros r; set (x := ZS _); set (b := F c 0) in *.
  replace (r * (constant * b) * (/ b * x)) with (r * constant * x * (b * / b)) by ring; rewrite Rinv_r by lra; ring.
Qed.

Theorem gaussian_loop_law fuel l e : 0 <= e ->
  all_but e (law (discrete_laplace fuel (Z.of_nat t) 1)) (dmap Some candidates) ->
  all_but ((1 - held) ^ l + (e + 2 * missing fuel fuel) / held) (law (gaussian_loop fuel l num den (Z.of_nat t)))
    (dmap Some (dgauss sigma sigma_pos 0)).
Proof.
  intros He C; pose proof (missing_nonneg fuel fuel) as M.
  apply (rejection (fun l => gaussian_loop fuel l num den (Z.of_nat t))); [apply held_range|lra| |reflexivity].
  clear l; intros l f Hf; set (y := Ex (law (gaussian_loop fuel l num den (Z.of_nat t))) (answers f)).
  assert (R : all_but (e + 2 * missing fuel fuel) (law (gaussian_loop fuel (S l) num den (Z.of_nat t)))
    (after (dmap Some candidates) (fun z => after (bias (chance z) (exp_unit_ok _ (exponent_nonneg z)))
      (fun keep => if keep then ret (Some z) else law (gaussian_loop fuel l num den (Z.of_nat t)))))).
  { cbn [gaussian_loop]; apply all_but_after; [lra|exact C|]; intros z.
    replace (2 * missing fuel fuel) with (2 * missing fuel fuel + 0) by ring.
    apply all_but_after; [lra| |intros [|]; [apply all_but_ret; lra|apply all_but_refl]].
    apply coin_exp_even; [nia|apply bottom_pos]. }
  specialize (R f Hf).
  match type of R with _ <= ?m <= _ => replace m with (held * Ex (dgauss sigma sigma_pos 0) f + (1 - held) * y) in R; [exact R|] end.
  change (held * Ex (dgauss sigma sigma_pos 0) f + (1 - held) * y = Ex candidates (fun z => chance z * f z + (1 - chance z) * y)).
  rewrite <- kept_is_bell by auto.
  assert (I1 : Int candidates (fun z => chance z * f z)) by
    (apply Int_unit; intros z; pose proof (chance_unit z); pose proof (Hf z); nra).
  assert (I2 : Int candidates chance) by apply Int_unit, chance_unit.
  rewrite (Ex_ext candidates (fun z => chance z * f z + (1 - chance z) * y) (fun z => chance z * f z + (y + - y * chance z))).
  - rewrite Ex_plus, Ex_plus, Ex_scal, Ex_const by (auto using Int_plus, Int_scal, Int_const); unfold held; ring.
  - apply Int_plus; [exact I1|]; eapply Int_ext; [|apply (Int_plus _ candidates (fun _ => y) (fun z => - y * chance z)); [apply Int_const|now apply Int_scal]].
    intros z; simpl; ring.
  - intros z; ring.
Qed.
End Gaussian.

(** The discrete Gaussian law of scale [num / den]. *)
Theorem discrete_gaussian_law num den (N : (0 < num)%Z) (D : (0 < den)%Z) :
  exists e, vanishes e /\ forall fuel, all_but (e fuel) (law (discrete_gaussian fuel num den))
    (dmap Some (dgauss _ (scale_pos num den N D) 0)).
Proof.
  set (t := Z.to_nat (num / den + 1)); assert (T : (0 < t)%nat) by apply (floor_pos num den N D).
  set (e := fun fuel => (1 - accepted t 1) ^ fuel + lost fuel / accepted t 1).
  assert (One : (0 < 1)%nat) by lia.
  assert (E : vanishes e) by (apply rounds_go; [now apply accepted_range|apply lost_goes]).
  exists (fun fuel => (1 - held num den N D) ^ fuel + (e fuel + 2 * missing fuel fuel) / held num den N D); split.
  - apply rounds_go; [apply held_range|]; apply vanishes_plus; [exact E|apply vanishes_times; [lra|apply missing_goes]].
  - intros fuel; unfold discrete_gaussian; destruct (Z.eqb_spec num 0); [lia|].
    assert (Et : (num / den + 1 = Z.of_nat t)%Z) by (unfold t; rewrite Z2Nat.id; pose proof (Z.div_pos num den); lia).
    rewrite Et; eapply all_but_target; [|apply (gaussian_loop_law num den N D fuel fuel (e fuel))].
    + intros f _; unfold dgauss; rewrite !Ex_zdist; reflexivity.
    + unfold e; pose proof (accepted_range t 1 T One); unfold lost; pose proof (missing_nonneg fuel fuel); pose proof (pow_lt p1 fuel (proj1 ratio_ok)).
      assert (0 < / 2 ^ fuel) by (apply Rinv_0_lt_compat, pow_lt; lra).
      apply Rplus_le_le_0_compat; [apply pow_le; lra|apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]].
    + unfold discrete_laplace, reduced; fold t; rewrite Z.gcd_1_r, !Z.div_1_r.
      destruct (Z.eqb_spec (Z.of_nat t) 0); [lia|].
      exact (laplace_loop_law fuel t 1 T One fuel).
Qed.
