(** The ratio of Mills, what of the normal law lies above [x] over its density there, and its difference over a short way. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Theta RoundedGaussian Normal NormalTails GaussianIntegral.
Open Scope R_scope.

Definition mills (x : R) : R := whole * Phi (- x) / hill 0 x.
Lemma mills_pos x : 0 < mills x.
Proof. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [apply whole_pos|apply Phi_range]|apply hill_pos]. Qed.
Lemma mills_derive (x : R) : is_derive mills x (x * mills x - 1).
Proof.
  pose proof (hill_pos 0 x) as H.
  replace (x * mills x - 1) with ((- hill 0 x * hill 0 x - (whole * Phi (- x)) * (- x * hill 0 x)) / (hill 0 x) ^ 2) by (unfold mills; field; lra).
  apply (is_derive_div (fun x => whole * Phi (- x)) (hill 0)); [apply upper_derive|apply hill_derive|lra].
Qed.

(** A candidate whose slope is right is above the ratio, or below it. *)
Section Bounds.
Variables (h dh : R -> R) (C : R).
Hypothesis slope : forall x, 0 < x -> is_derive h x (dh x).
Hypothesis tame : forall x, 0 < x -> Rabs (h x) <= C + / x.
Let u (x : R) : R := hill 0 x * h x - whole * Phi (- x).
Lemma u_derive x : 0 < x -> is_derive u x (hill 0 x * (dh x - x * h x + 1)).
Proof.
  intros X; unfold u.
  pose proof (is_derive_mult (hill 0) h x _ _ (hill_derive x) (slope x X) Rmult_comm) as D.
  pose proof (is_derive_minus _ _ x _ _ D (upper_derive x)) as E.
  replace (hill 0 x * (dh x - x * h x + 1)) with (minus (plus (mult (- x * hill 0 x) (h x)) (mult (hill 0 x) (dh x))) (- hill 0 x)) by
    (unfold minus, plus, opp, mult; simpl; ring).
  exact E.
Qed.
Lemma u_small e : 0 < e -> 0 <= C -> exists y0, 0 < y0 /\ forall y, y0 <= y -> Rabs (u y) <= e.
Proof.
  intros E C0; pose proof whole_pos as W; set (B := C + 2).
  assert (HB : 0 < B) by (unfold B; lra); set (y0 := 2 + 2 * B / e).
  assert (Y0 : 0 < 2 * B / e) by (apply Rdiv_lt_0_compat; lra).
  exists y0; split; [unfold y0; lra|]; intros y Y.
  assert (Y2 : 2 <= y) by (unfold y0 in Y; lra).
  assert (Hh : Rabs (h y) <= C + 1).
  { eapply Rle_trans; [apply tame; lra|]; apply Rplus_le_compat_l; rewrite <- Rinv_1; apply Rinv_le_contravar; lra. }
  assert (T : hill 0 y <= / y).
  { unfold hill, bell; rewrite exp_Ropp; apply Rinv_le_contravar; [lra|]; pose proof (exp_ineq1_le (/ 2 * (y - 0) ^ 2)); nra. }
  pose proof (tail_sampford y ltac:(lra)) as S; pose proof (hill_pos 0 y) as H0; pose proof (Phi_range (- y)) as P.
  assert (S1 : sampford y <= 1).
  { unfold sampford; pose proof (sqrt_pos (y * y + 8)); apply Rmult_le_reg_r with (3 * y + sqrt (y * y + 8)); [lra|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (V : Rabs (u y) <= hill 0 y * B).
  { assert (A1 : Rabs (hill 0 y * h y) <= hill 0 y * (C + 1)) by (rewrite Rabs_mult, (Rabs_pos_eq (hill 0 y)) by lra; apply Rmult_le_compat_l; lra).
    assert (A2 : 0 <= whole * Phi (- y) <= hill 0 y * 1) by (split; [apply Rmult_le_pos; lra|eapply Rle_trans; [exact S|apply Rmult_le_compat_l; lra]]).
    unfold u, Rminus; eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp, (Rabs_pos_eq (whole * Phi (- y))) by lra; unfold B; lra. }
  eapply Rle_trans; [exact V|]; apply Rle_trans with (/ y * B); [apply Rmult_le_compat_r; lra|].
  apply Rmult_le_reg_l with y; [lra|]; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  assert (B <= 2 * B / e * e) by (replace (2 * B / e * e) with (2 * B) by (field; lra); lra).
  assert (2 * B / e * e <= y * e) by (apply Rmult_le_compat_r; unfold y0 in Y; lra); lra.
Qed.
Lemma mills_below x : 0 <= C -> 0 < x -> (forall z, 0 < z -> dh z - z * h z + 1 <= 0) -> mills x <= h x.
Proof.
  intros C0 X N; pose proof (hill_pos 0 x) as H; enough (0 <= u x).
  { unfold mills; apply Rmult_le_reg_r with (hill 0 x); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; unfold u in *; lra. }
  apply Rnot_lt_le; intros G; destruct (u_small (- u x / 2)) as (y0 & _ & S); [lra|auto|].
  specialize (S (Rmax x y0) (Rmax_r _ _)); pose proof (Rmax_l x y0).
  assert (F : u (Rmax x y0) <= u x).
  { apply (falling u (fun z => hill 0 z * (dh z - z * h z + 1))); auto; intros z Z; split; [apply u_derive; lra|].
    specialize (N z ltac:(lra)); pose proof (hill_pos 0 z); nra. }
  pose proof (Rle_abs (- u (Rmax x y0))); rewrite Rabs_Ropp in *; lra.
Qed.
Lemma mills_above x : 0 <= C -> 0 < x -> (forall z, 0 < z -> 0 <= dh z - z * h z + 1) -> h x <= mills x.
Proof.
  intros C0 X N; pose proof (hill_pos 0 x) as H; enough (u x <= 0).
  { unfold mills; apply Rmult_le_reg_r with (hill 0 x); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; unfold u in *; lra. }
  apply Rnot_lt_le; intros G; destruct (u_small (u x / 2)) as (y0 & _ & S); [lra|auto|].
  specialize (S (Rmax x y0) (Rmax_r _ _)); pose proof (Rmax_l x y0).
  assert (F : - u (Rmax x y0) <= - u x).
  { apply (falling (fun z => - u z) (fun z => - (hill 0 z * (dh z - z * h z + 1)))); auto; intros z Z; split.
    - apply (is_derive_opp u), u_derive; lra.
    - specialize (N z ltac:(lra)); pose proof (hill_pos 0 z); nra. }
  pose proof (Rle_abs (u (Rmax x y0))); lra.
Qed.
End Bounds.

Lemma mills_ge x : 0 < x -> x / (x * x + 1) <= mills x.
Proof.
  intros X; apply (mills_above (fun x => x / (x * x + 1)) (fun x => (1 - x * x) / ((x * x + 1) * (x * x + 1))) 1); auto; try lra.
  - intros z _; auto_derive; [nra|]; field; nra.
  - intros z Z; rewrite Rabs_pos_eq by (left; apply Rdiv_lt_0_compat; nra).
    assert (0 < / z) by now apply Rinv_0_lt_compat.
    apply Rle_trans with 1; [|lra]; apply Rmult_le_reg_r with (z * z + 1); [nra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by nra; nra.
  - intros z Z; replace ((1 - z * z) / ((z * z + 1) * (z * z + 1)) - z * (z / (z * z + 1)) + 1) with (2 / ((z * z + 1) * (z * z + 1))) by (field; nra).
    left; apply Rdiv_lt_0_compat; nra.
Qed.
Lemma mills_le x : 0 < x -> mills x <= (x * x + 2) / (x * (x * x + 3)).
Proof.
  intros X; apply (mills_below (fun x => (x * x + 2) / (x * (x * x + 3)))
    (fun x => (- (x * x * (x * x)) - 3 * (x * x) - 6) / ((x * (x * x + 3)) * (x * (x * x + 3)))) 0); auto; try lra.
  - intros z Z; assert (0 < z * (z * z + 3)) by (apply Rmult_lt_0_compat; nra); auto_derive; [lra|]; field; repeat split; nra.
  - intros z Z; rewrite Rabs_pos_eq by (left; apply Rdiv_lt_0_compat; nra); rewrite Rplus_0_l.
    replace ((z * z + 2) / (z * (z * z + 3))) with (/ z * ((z * z + 2) / (z * z + 3))) by (field; nra).
    rewrite <- (Rmult_1_r (/ z)) at 2; apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|].
    apply Rmult_le_reg_r with (z * z + 3); [nra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by nra; nra.
  - intros z Z; replace ((- (z * z * (z * z)) - 3 * (z * z) - 6) / (z * (z * z + 3) * (z * (z * z + 3))) - z * ((z * z + 2) / (z * (z * z + 3))) + 1) with
      (- (6 / (z * (z * z + 3) * (z * (z * z + 3))))) by (field; nra).
    assert (0 < 6 / (z * (z * z + 3) * (z * (z * z + 3)))); [|lra]; apply Rdiv_lt_0_compat; [lra|]; assert (0 < z * (z * z + 3)) by nra; nra.
Qed.

(** The slope of the ratio, [x R - 1], up to its sign; and the slopes of that. *)
Definition g (x : R) : R := 1 - x * mills x.
Definition g1 (x : R) : R := x - (1 + x * x) * mills x.
Definition g2 (x : R) : R := 2 + x * x - (3 * x + x * x * x) * mills x.
Lemma g_derive (x : R) : is_derive g x (g1 x).
Proof.
  pose proof (is_derive_minus _ _ x _ _ (is_derive_const 1 x) (is_derive_mult (fun x => x) mills x _ _ (is_derive_id x) (mills_derive x) Rmult_comm)) as D.
  replace (g1 x) with (minus zero (plus (mult one (mills x)) (mult x (x * mills x - 1)))); [exact D|].
  unfold g1, minus, plus, opp, mult, zero, one; simpl; ring.
Qed.
Lemma g1_derive (x : R) : is_derive g1 x (g2 x).
Proof.
  assert (P : is_derive (fun x => 1 + x * x) x (2 * x)) by (auto_derive; auto; ring).
  pose proof (is_derive_minus _ _ x _ _ (is_derive_id x) (is_derive_mult (fun x => 1 + x * x) mills x _ _ P (mills_derive x) Rmult_comm)) as D.
  replace (g2 x) with (minus one (plus (mult (2 * x) (mills x)) (mult (1 + x * x) (x * mills x - 1)))); [exact D|].
  unfold g2, minus, plus, opp, mult, one; simpl; ring.
Qed.
Lemma g2_range x : - / 1000 <= x -> 0 <= g2 x <= 21 / 10.
Proof.
  intros X; pose proof (mills_pos x) as P; unfold g2; destruct (Rtotal_order x 0) as [L|[->|L]].
  - assert (B : mills x <= 4).
    { unfold mills; rewrite whole_value; pose proof (Phi_range (- x)); pose proof PI_4 as P4; pose proof PI_RGT_0.
      assert (S : sqrt (2 * PI) <= 3) by (rewrite <- (sqrt_square 3) by lra; apply sqrt_le_1_alt; lra).
      assert (Hh : 3 / 4 <= hill 0 x).
      { unfold hill, bell; pose proof (exp_ineq1_le (- (/ 2 * (x - 0) ^ 2))); nra. }
      pose proof (sqrt_pos (2 * PI)); apply Rmult_le_reg_r with (hill 0 x); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
    set (y := - x); replace x with (- y) in * by (unfold y; ring).
    assert (Y : 0 < y <= / 1000) by lra; assert (0 <= 3 * y + y * y * y <= 4 / 1000) by (split; nra).
    replace (3 * - y + - y * - y * - y) with (- (3 * y + y * y * y)) by ring; set (w := 3 * y + y * y * y) in *; nra.
  - lra.
  - pose proof (mills_ge x L) as A; pose proof (mills_le x L) as B; assert (D : 0 < 3 * x + x * x * x) by nra.
    split.
    + apply (Rmult_le_compat_l (3 * x + x * x * x)) in B; [|lra].
      replace ((3 * x + x * x * x) * ((x * x + 2) / (x * (x * x + 3)))) with (2 + x * x) in B by (field; nra); lra.
    + apply (Rmult_le_compat_l (3 * x + x * x * x)) in A; [|lra].
      assert (x * x <= (3 * x + x * x * x) * (x / (x * x + 1))); [|lra].
      apply Rmult_le_reg_r with (x * x + 1); [nra|]; replace ((3 * x + x * x * x) * (x / (x * x + 1)) * (x * x + 1)) with ((3 * x + x * x * x) * x) by (field; nra); nra.
Qed.

(** Over a short way the difference is the slope in the middle, and a little more. *)
Theorem mills_difference m mu : 0 <= m -> 0 <= mu <= / 1000 ->
  mu * g m <= mills (m - mu / 2) - mills (m + mu / 2) <= mu * (g m + 7 / 80 * (mu * mu)).
Proof.
  intros Hm Hmu; set (t := mu / 2); assert (T : 0 <= t <= / 1000) by (unfold t; lra).
  assert (S1 : forall h, 0 <= h <= t -> 0 <= g1 (m + h) - g1 (m - h) <= 42 / 10 * h).
  { intros h Hh; split.
    - assert (F : - g1 (m + h) <= - g1 (m - h)); [|lra].
      apply (falling (fun z => - g1 z) (fun z => - g2 z)); [lra|]; intros z Z; split; [apply (is_derive_opp g1), g1_derive|].
      pose proof (g2_range z ltac:(lra)); lra.
    - assert (F : g1 (m + h) - 21 / 10 * (m + h) <= g1 (m - h) - 21 / 10 * (m - h)); [|lra].
      apply (falling (fun z => g1 z - 21 / 10 * z) (fun z => g2 z - 21 / 10)); [lra|]; intros z Z; split.
      + apply (is_derive_minus g1 (fun z => 21 / 10 * z)); [apply g1_derive|auto_derive; auto; ring].
      + pose proof (g2_range z ltac:(lra)); lra. }
  set (chi h := g (m - h) + g (m + h) - 2 * g m).
  assert (D1 : forall h, is_derive chi h (g1 (m + h) - g1 (m - h))).
  { intros h; unfold chi.
    assert (A : is_derive (fun h => g (m - h)) h (- g1 (m - h))).
    { replace (- g1 (m - h)) with (scal (- 1) (g1 (m - h))) by (unfold scal; simpl; unfold mult; simpl; ring).
      apply (is_derive_comp g (fun h => m - h)); [apply g_derive|auto_derive; auto; ring]. }
    assert (B : is_derive (fun h => g (m + h)) h (g1 (m + h))).
    { replace (g1 (m + h)) with (scal 1 (g1 (m + h))) by (unfold scal; simpl; unfold mult; simpl; ring).
      apply (is_derive_comp g (fun h => m + h)); [apply g_derive|auto_derive; auto; ring]. }
    pose proof (is_derive_minus _ _ h _ _ (is_derive_plus _ _ h _ _ A B) (is_derive_const (2 * g m) h)) as D.
    replace (g1 (m + h) - g1 (m - h)) with (minus (plus (- g1 (m - h)) (g1 (m + h))) zero); [exact D|].
    unfold minus, plus, opp, zero; simpl; ring. }
  assert (S2 : forall h, 0 <= h <= t -> 0 <= chi h <= 21 / 10 * (h * h)).
  { assert (C0 : chi 0 = 0) by (unfold chi; rewrite Rminus_0_r, Rplus_0_r; ring).
    intros h Hh; split.
    - assert (F : - chi h <= - chi 0); [|lra].
      apply (falling (fun z => - chi z) (fun z => - (g1 (m + z) - g1 (m - z)))); [lra|]; intros z Z; split; [apply (is_derive_opp chi), D1|].
      pose proof (S1 z ltac:(lra)); lra.
    - assert (F : chi h - 21 / 10 * (h * h) <= chi 0 - 21 / 10 * (0 * 0)); [|lra].
      apply (falling (fun z => chi z - 21 / 10 * (z * z)) (fun z => (g1 (m + z) - g1 (m - z)) - 42 / 10 * z)); [lra|]; intros z Z; split.
      + apply (is_derive_minus chi (fun z => 21 / 10 * (z * z))); [apply D1|auto_derive; auto; field].
      + pose proof (S1 z ltac:(lra)); lra. }
  set (psi h := mills (m - h) - mills (m + h) - 2 * g m * h).
  assert (D2 : forall h, is_derive psi h (chi h)).
  { intros h; unfold psi.
    assert (A : is_derive (fun h => mills (m - h)) h (g (m - h))).
    { replace (g (m - h)) with (scal (- 1) ((m - h) * mills (m - h) - 1)) by (unfold scal, g; simpl; unfold mult; simpl; ring).
      apply (is_derive_comp mills (fun h => m - h)); [apply mills_derive|auto_derive; auto; ring]. }
    assert (B : is_derive (fun h => mills (m + h)) h (- g (m + h))).
    { replace (- g (m + h)) with (scal 1 ((m + h) * mills (m + h) - 1)) by (unfold scal, g; simpl; unfold mult; simpl; ring).
      apply (is_derive_comp mills (fun h => m + h)); [apply mills_derive|auto_derive; auto; ring]. }
    assert (C : is_derive (fun h => 2 * g m * h) h (2 * g m)) by (auto_derive; auto; ring).
    pose proof (is_derive_minus _ _ h _ _ (is_derive_minus _ _ h _ _ A B) C) as D.
    replace (chi h) with (minus (minus (g (m - h)) (- g (m + h))) (2 * g m)); [exact D|].
    unfold chi, minus, plus, opp; simpl; ring. }
  assert (P0 : psi 0 = 0) by (unfold psi; rewrite Rminus_0_r, Rplus_0_r; ring).
  assert (L : 0 <= psi t).
  { assert (F : - psi t <= - psi 0); [|lra].
    apply (falling (fun z => - psi z) (fun z => - chi z)); [lra|]; intros z Z; split; [apply (is_derive_opp psi), D2|].
    pose proof (S2 z ltac:(lra)); lra. }
  assert (U : psi t <= 7 / 10 * (t * t * t)).
  { assert (F : psi t - 7 / 10 * (t * t * t) <= psi 0 - 7 / 10 * (0 * 0 * 0)); [|lra].
    apply (falling (fun z => psi z - 7 / 10 * (z * z * z)) (fun z => chi z - 21 / 10 * (z * z))); [lra|]; intros z Z; split.
    - apply (is_derive_minus psi (fun z => 7 / 10 * (z * z * z))); [apply D2|auto_derive; auto; field].
    - pose proof (S2 z ltac:(lra)); lra. }
  unfold psi, t in *; assert (0 <= mu * mu * mu) by (repeat apply Rmult_le_pos; lra); split; lra.
Qed.
