(** Tails of the normal law: Sampford's bound on the ratio of Mills, and sums of the density by its integral. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Theta RoundedGaussian Normal.
Open Scope R_scope.

(** A function whose derivative is nowhere positive. *)
Lemma falling (f df : R -> R) a b : a <= b -> (forall x, a <= x <= b -> is_derive f x (df x) /\ df x <= 0) -> f b <= f a.
Proof.
  intros L H; destruct (MVT_gen f a b df) as (z & Z & E).
  - intros x; rewrite Rmin_left, Rmax_right by lra; intros X; apply H; lra.
  - intros x; rewrite Rmin_left, Rmax_right by lra; intros X; destruct (H x X) as [D _].
    apply continuity_pt_filterlim, (ex_derive_continuous f); now exists (df x).
  - rewrite Rmin_left, Rmax_right in Z by lra; destruct (H z Z) as [_ N]; nra.
Qed.

(** The slopes of what is above, and of the density. *)
Lemma upper_derive (x : R) : is_derive (fun x => whole * Phi (- x)) x (- hill 0 x).
Proof.
  pose proof whole_pos; replace (- hill 0 x) with (scal whole (scal (- 1) (/ whole * hill 0 (- x)))).
  - apply (is_derive_scal (fun z => Phi (- z))), (is_derive_comp Phi (fun z => - z)); [apply Phi_derive|auto_derive; auto].
  - unfold scal; simpl; unfold mult; simpl; replace (hill 0 (- x)) with (hill 0 x) by (unfold hill, bell; f_equal; ring); field; lra.
Qed.
Lemma hill_derive (x : R) : is_derive (hill 0) x (- x * hill 0 x).
Proof.
  unfold hill, bell; auto_derive; auto; replace (x + - 0) with x by ring.
  replace (/ 2 * (x * (x * 1))) with (/ 2 * (x - 0) ^ 2) by ring; set (e := exp _); field.
Qed.

(** Sampford 1953. *)
Definition sampford (x : R) : R := 4 / (3 * x + sqrt (x * x + 8)).
Lemma sampford_slope x : 0 <= x -> let r := sqrt (x * x + 8) in - (4 * (3 + x / r)) / ((3 * x + r) * (3 * x + r)) - x * sampford x + 1 <= 0.
Proof.
  intros X r; assert (R2 : r * r = x * x + 8) by (apply sqrt_sqrt; nra).
  assert (R0 : 0 < r) by (apply sqrt_lt_R0; nra).
  assert (K : x * (x * x + 6) <= (x * x + 2) * r).
  { apply Rsqr_incr_0_var; [|apply Rmult_le_pos; nra]; unfold Rsqr.
    replace ((x * x + 2) * r * ((x * x + 2) * r)) with ((x * x + 2) * (x * x + 2) * (r * r)) by ring; rewrite R2; nra. }
  assert (Q : 0 < 3 * x + r) by lra.
  unfold sampford; fold r.
  apply Rmult_le_reg_r with ((3 * x + r) * (3 * x + r) * r); [repeat apply Rmult_lt_0_compat; auto|].
  rewrite Rmult_0_l.
  replace ((- (4 * (3 + x / r)) / ((3 * x + r) * (3 * x + r)) - x * (4 / (3 * x + r)) + 1) * ((3 * x + r) * (3 * x + r) * r)) with
    (- 12 * r - 4 * x - 12 * (x * x) * r - 4 * x * (r * r) + 9 * (x * x) * r + 6 * x * (r * r) + (r * r) * r) by (field; lra).
  rewrite R2; nra.
Qed.
Theorem tail_sampford x : 0 <= x -> whole * Phi (- x) <= hill 0 x * sampford x.
Proof.
  intros X; pose proof whole_pos as W.
  set (u := fun x => hill 0 x * sampford x - whole * Phi (- x)).
  set (du := fun x => let r := sqrt (x * x + 8) in hill 0 x * (- (4 * (3 + x / r)) / ((3 * x + r) * (3 * x + r)) - x * sampford x + 1)).
  assert (D : forall z, 0 <= z -> is_derive u z (du z)).
  { intros z Z; assert (R0 : 0 < sqrt (z * z + 8)) by (apply sqrt_lt_R0; nra).
    assert (D1 : is_derive (fun z => hill 0 z * sampford z) z
      (- z * hill 0 z * sampford z + hill 0 z * (- (4 * (3 + z / sqrt (z * z + 8))) / ((3 * z + sqrt (z * z + 8)) * (3 * z + sqrt (z * z + 8)))))).
    { unfold hill, bell, sampford; auto_derive; [repeat split; nra|].
      replace (/ 2 * ((z + - 0) * ((z + - 0) * 1))) with (z * z / 2) by field; replace (/ 2 * (z - 0) ^ 2) with (z * z / 2) by field.
      set (e := exp _); set (r := sqrt _) in *; field; lra. }
    pose proof (upper_derive z) as D2.
    unfold u, du; cbv zeta.
    replace (hill 0 z * (- (4 * (3 + z / sqrt (z * z + 8))) / ((3 * z + sqrt (z * z + 8)) * (3 * z + sqrt (z * z + 8))) - z * sampford z + 1)) with
      (minus (- z * hill 0 z * sampford z + hill 0 z * (- (4 * (3 + z / sqrt (z * z + 8))) / ((3 * z + sqrt (z * z + 8)) * (3 * z + sqrt (z * z + 8))))) (- hill 0 z)) by
      (unfold minus, plus, opp; simpl; ring).
    exact (is_derive_minus _ _ _ _ _ D1 D2). }
  assert (F : forall y, x <= y -> - (whole * Phi (- y)) <= u x).
  { intros y L; apply Rle_trans with (u y).
    - unfold u; assert (0 <= hill 0 y * sampford y); [|lra]; apply Rmult_le_pos; [left; apply hill_pos|].
      left; apply Rdiv_lt_0_compat; [lra|]; pose proof (sqrt_lt_R0 (y * y + 8) ltac:(nra)); lra.
    - apply (falling u du); auto; intros z [Z _]; split; [apply D; lra|].
      pose proof (sampford_slope z ltac:(lra)) as S; cbv zeta in S; pose proof (hill_pos 0 z); unfold du; cbv zeta; nra. }
  enough (0 <= u x) by (unfold u in *; lra).
  apply Rnot_lt_le; intros N; destruct (Phi_near_none (- u x / whole)) as [y Y]; [apply Rdiv_lt_0_compat; lra|].
  specialize (F (Rmax x (- y)) (Rmax_l _ _)); pose proof (Rmax_r x (- y)).
  pose proof (Phi_le (- Rmax x (- y)) y ltac:(lra)).
  assert (whole * Phi (- Rmax x (- y)) < - u x); [|lra].
  replace (- u x) with (whole * (- u x / whole)) by (field; lra); apply Rmult_lt_compat_l; lra.
Qed.

(** The density, where it is convex, lies above its tangents. *)
Lemma exp_below y : 0 <= y -> 1 - y <= exp (- y - y * y / 2).
Proof.
  intros Y; assert (F : (1 - y) * exp (y + y * y / 2) <= (1 - 0) * exp (0 + 0 * 0 / 2)).
  { apply (falling (fun y => (1 - y) * exp (y + y * y / 2)) (fun y => - (y * y) * exp (y + y * y / 2))); auto.
    intros z Z; split; [auto_derive; auto; unfold Rdiv; set (e := exp _); field|].
    pose proof (exp_pos (z + z * z / 2)); nra. }
  replace (0 + 0 * 0 / 2) with 0 in F by field; rewrite exp_0 in F.
  replace (- y - y * y / 2) with (- (y + y * y / 2)) by ring; rewrite exp_Ropp.
  pose proof (exp_pos (y + y * y / 2)) as E; apply Rmult_le_reg_r with (exp (y + y * y / 2)); auto; rewrite Rinv_l; lra.
Qed.
Lemma exp_above y : 0 <= y -> 1 + y <= exp (y - y * y / (2 * (1 + y))).
Proof.
  intros Y; assert (F : (1 + y) * exp (- (y - y * y / (2 * (1 + y)))) <= (1 + 0) * exp (- (0 - 0 * 0 / (2 * (1 + 0))))).
  { apply (falling (fun y => (1 + y) * exp (- (y - y * y / (2 * (1 + y))))) (fun y => - (y * y / (2 * (1 + y))) * exp (- (y - y * y / (2 * (1 + y)))))); auto.
    intros z Z; split; [auto_derive; [lra|]; unfold Rdiv; set (e := exp _); field; lra|].
    pose proof (exp_pos (- (z - z * z / (2 * (1 + z))))); assert (0 <= z * z / (2 * (1 + z))) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]); nra. }
  replace (- (0 - 0 * 0 / (2 * (1 + 0)))) with 0 in F by field; rewrite exp_0, exp_Ropp in F.
  set (e := exp (y - y * y / (2 * (1 + y)))) in *; assert (E : 0 < e) by apply exp_pos.
  apply Rmult_le_reg_r with (/ e); [now apply Rinv_0_lt_compat|]; rewrite Rinv_r; lra.
Qed.
Lemma hill_tangent z t : 1 <= z -> 1 <= t -> hill 0 z * (1 - z * (t - z)) <= hill 0 t.
Proof.
  intros Z T; replace (hill 0 t) with (hill 0 z * exp (- (z * (t - z)) - (t - z) * (t - z) / 2)) by
    (unfold hill, bell; rewrite <- exp_plus; f_equal; field).
  apply Rmult_le_compat_l; [left; apply hill_pos|].
  destruct (Rle_dec z t) as [L|L].
  - assert (Y : 0 <= z * (t - z)) by (apply Rmult_le_pos; lra).
    eapply Rle_trans; [apply (exp_below _ Y)|]; apply exp_le.
    assert (0 <= (z * z - 1) * ((t - z) * (t - z))) by (apply Rmult_le_pos; nra); lra.
  - set (d := z - t); assert (Hd : 0 <= d <= z - 1) by (unfold d; lra).
    replace (t - z) with (- d) by (unfold d; ring); set (y := z * d); assert (Y : 0 <= y) by (unfold y; nra).
    replace (1 - z * - d) with (1 + y) by (unfold y; ring); eapply Rle_trans; [now apply exp_above|]; apply exp_le.
    replace (- (z * - d) - - d * - d / 2) with (y - d * d / 2) by (unfold y; field).
    assert (d * d / 2 <= y * y / (2 * (1 + y))); [|lra].
    apply Rmult_le_reg_r with (2 * (1 + y)); [lra|]; replace (y * y / (2 * (1 + y)) * (2 * (1 + y))) with (y * y) by (field; lra).
    assert (0 <= (d * d) * (z * z - 1 - z * d)) by (apply Rmult_le_pos; nra); unfold y; lra.
Qed.

(** In steps of [e] standard deviations: a value by the integral about it, or before it; a sum by the tail. *)
Section Cells.
Variables (e : R) (He : 0 < e).
Lemma value_about z : 1 <= z - e / 2 -> e * hill 0 z <= whole * (Phi (z + e / 2) - Phi (z - e / 2)).
Proof.
  intros Z; set (F := fun t => hill 0 z * (t - z * ((t - z) * (t - z)) / 2)).
  assert (I : is_RInt (fun t => hill 0 z * (1 - z * (t - z))) (z - e / 2) (z + e / 2) (minus (F (z + e / 2)) (F (z - e / 2)))).
  { apply (is_RInt_derive F); intros t _.
    - unfold F; auto_derive; auto; field.
    - apply (ex_derive_continuous (fun t => hill 0 z * (1 - z * (t - z)))); auto_derive; auto. }
  replace (e * hill 0 z) with (minus (F (z + e / 2)) (F (z - e / 2))) by (unfold F, minus, plus, opp; simpl; field).
  apply (is_RInt_le (fun t => hill 0 z * (1 - z * (t - z))) (hill 0) (z - e / 2) (z + e / 2)); [lra|exact I|apply share_RInt|].
  intros t T; apply hill_tangent; lra.
Qed.
Lemma value_before z : 0 <= z - e -> e * hill 0 z <= whole * (Phi z - Phi (z - e)).
Proof.
  intros Z; pose proof (is_RInt_const (z - e) z (hill 0 z)) as C.
  unfold scal in C; simpl in C; unfold mult in C; simpl in C; replace (z - (z - e)) with e in C by ring.
  apply (is_RInt_le (fun _ => hill 0 z) (hill 0) (z - e) z); [lra|exact C|apply share_RInt|].
  intros t T; unfold hill, bell; apply exp_le; nra.
Qed.

Fixpoint values (n : nat) (z : R) : R := match n with O => 0 | S m => values m z + hill 0 (z + INR m * e) end.
Lemma values_split n m z : values (n + m) z = values n z + values m (z + INR n * e).
Proof.
  induction m; [rewrite Nat.add_0_r; simpl; ring|]; rewrite Nat.add_succ_r; cbn [values].
  rewrite IHm, plus_INR; replace (z + (INR n + INR m) * e) with (z + INR n * e + INR m * e) by ring; ring.
Qed.
Lemma values_falls n z z' : 0 <= z' <= z -> values n z <= values n z'.
Proof.
  intros H; induction n; cbn [values]; [lra|]; apply Rplus_le_compat; auto.
  unfold hill, bell; apply exp_le; assert (0 <= INR n * e) by (apply Rmult_le_pos; [apply pos_INR|lra]); nra.
Qed.
Lemma values_nonneg n z : 0 <= values n z.
Proof. induction n; cbn [values]; [lra|]; pose proof (hill_pos 0 (z + INR n * e)); lra. Qed.

(** From where the integral starts, for a sum that starts at [z]. *)
Theorem values_tail n z a : (1 <= z - e / 2 /\ a <= z - e / 2) \/ (0 <= z - e /\ a <= z - e) ->
  e * values n z <= whole * Phi (- a).
Proof.
  intros H; pose proof whole_pos as W.
  enough (exists b, b <= z /\ a <= b /\ forall k, e * values k z <= whole * (Phi (b + INR k * e) - Phi b)) as (b & _ & A & B).
  { eapply Rle_trans; [apply B|]; apply Rmult_le_compat_l; [lra|].
    pose proof (Phi_range (b + INR n * e)); pose proof (Phi_opp b); pose proof (Phi_le (- b) (- a)); lra. }
  destruct H as [[H1 H2]|[H1 H2]]; [exists (z - e / 2)|exists (z - e)]; (split; [lra|split; [lra|]]).
  - induction k; cbn [values]; [simpl; rewrite Rmult_0_l, Rplus_0_r; lra|].
    assert (K : 0 <= INR k * e) by (apply Rmult_le_pos; [apply pos_INR|lra]).
    pose proof (value_about (z + INR k * e) ltac:(lra)) as V; rewrite S_INR.
    replace (z + INR k * e + e / 2) with (z - e / 2 + (INR k + 1) * e) in V by field.
    replace (z + INR k * e - e / 2) with (z - e / 2 + INR k * e) in V by field; lra.
  - induction k; cbn [values]; [simpl; rewrite Rmult_0_l, Rplus_0_r; lra|].
    assert (K : 0 <= INR k * e) by (apply Rmult_le_pos; [apply pos_INR|lra]).
    pose proof (value_before (z + INR k * e) ltac:(lra)) as V; rewrite S_INR.
    replace (z + INR k * e) with (z - e + (INR k + 1) * e) in V at 2 by ring.
    replace (z + INR k * e - e) with (z - e + INR k * e) in V by ring; lra.
Qed.
End Cells.
