(** Pure privacy as zero-concentrated, at its best: epsilon tanh (epsilon / 2), for all orders. *)
Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Renyi Hoeffding DualRenyi PureToZCDP.
Open Scope R_scope.

(** A function that is 0 at [x] and rises from there on is not negative. *)
Lemma rises f f' x y : x <= y -> (forall t, is_derive f t (f' t)) -> (forall t, x <= t -> 0 <= f' t) -> f x <= f y.
Proof.
  intros [H| ->] D P; [|lra].
  destruct (MVT_gen f x y f') as (c & [Hc _] & E).
  - intros; apply D.
  - intros; apply derivable_continuous_pt; exists (f' x0); apply is_derive_Reals, D.
  - rewrite Rmin_left in Hc by lra; specialize (P c Hc); nra.
Qed.

Lemma cosh_pos x : 0 < cosh x.
Proof. unfold cosh; pose proof (exp_pos x); pose proof (exp_pos (- x)); lra. Qed.
Lemma is_derive_tanh x : is_derive tanh x (1 - tanh x ^ 2).
Proof.
  pose proof (cosh_pos x); unfold tanh, sinh, cosh in *.
  auto_derive; [lra|]; field; lra.
Qed.
Lemma cosh_sinh x : cosh x ^ 2 - sinh x ^ 2 = 1.
Proof.
  unfold cosh, sinh; assert (E : exp x * exp (- x) = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring); nra.
Qed.

Lemma tanh_0 : tanh 0 = 0.
Proof. unfold tanh, sinh; rewrite Ropp_0; unfold Rdiv; ring. Qed.
Lemma slope_pos x : 0 < 1 - tanh x ^ 2.
Proof.
  pose proof (cosh_pos x) as C; pose proof (cosh_sinh x) as E; unfold tanh.
  replace (1 - (sinh x / cosh x) ^ 2) with ((cosh x ^ 2 - sinh x ^ 2) / cosh x ^ 2) by (field; lra).
  rewrite E; apply Rdiv_lt_0_compat; [lra|now apply pow_lt].
Qed.
Lemma tanh_mono x y : x <= y -> tanh x <= tanh y.
Proof.
  intros H; apply (rises tanh (fun t => 1 - tanh t ^ 2)); auto using is_derive_tanh.
  intros t _; left; apply slope_pos.
Qed.

(** [tanh] is above its slope times [x]. *)
Lemma tanh_concave x : 0 <= x -> x * (1 - tanh x ^ 2) <= tanh x.
Proof.
  intros H; set (K := fun t => tanh t - t * (1 - tanh t ^ 2)).
  assert (K 0 <= K x).
  { apply (rises K (fun t => 2 * t * tanh t * (1 - tanh t ^ 2))); auto.
    - intros t; unfold K; auto_derive; [repeat split; auto; eexists; apply is_derive_tanh|].
      replace (Derive (fun v : R => tanh v) t) with (1 - tanh t ^ 2) by (symmetry; apply is_derive_unique, is_derive_tanh); ring.
    - intros t Ht; pose proof (slope_pos t); pose proof (tanh_mono 0 t Ht) as T; rewrite tanh_0 in T.
      apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
  unfold K in *; rewrite tanh_0 in *; lra.
Qed.

(** [tanh x / x] falls. *)
Lemma tanh_ratio x y : 0 <= x <= y -> x * tanh y <= y * tanh x.
Proof.
  intros H; set (K := fun t => t * tanh x - x * tanh t).
  assert (K x <= K y).
  { apply (rises K (fun t => tanh x - x * (1 - tanh t ^ 2))); [lra| |].
    - intros t; unfold K; auto_derive; [repeat split; auto; eexists; apply is_derive_tanh|].
      replace (Derive (fun v : R => tanh v) t) with (1 - tanh t ^ 2) by (symmetry; apply is_derive_unique, is_derive_tanh); ring.
    - intros t Ht; pose proof (tanh_concave x ltac:(lra)); pose proof (tanh_mono x t Ht).
      pose proof (tanh_mono 0 x ltac:(lra)) as T; rewrite tanh_0 in T.
      assert (x * tanh x ^ 2 <= x * tanh t ^ 2) by (apply Rmult_le_compat_l; [lra|apply pow_incr; lra]).
      lra. }
  unfold K in *; lra.
Qed.

Lemma cosh_bound x y : 0 < x <= y -> cosh y <= exp ((y ^ 2 - x ^ 2) * (tanh x / (2 * x))) * cosh x.
Proof.
  intros H; set (c := tanh x / (2 * x)); set (G := fun t => (t ^ 2 - x ^ 2) * c - ln (cosh t)).
  assert (L : G x <= G y).
  { apply (rises G (fun t => 2 * t * c - tanh t)); [lra| |].
    - intros t; unfold G; pose proof (cosh_pos t) as C; unfold tanh, sinh; unfold cosh in *.
      auto_derive; [repeat split; auto|]; field; lra.
    - intros t Ht; pose proof (tanh_ratio x t ltac:(lra)).
      apply Rmult_le_reg_l with x; [lra|]; rewrite Rmult_0_r; unfold c.
      replace (x * (2 * t * (tanh x / (2 * x)) - tanh t)) with (t * tanh x - x * tanh t) by (field; lra); lra. }
  unfold G in L; pose proof (cosh_pos x); pose proof (cosh_pos y).
  assert (L' : ln (cosh y) <= (y ^ 2 - x ^ 2) * c + ln (cosh x)) by lra.
  rewrite <- (exp_ln (cosh y)), <- (exp_ln (cosh x)) at 1 by auto; rewrite <- exp_plus.
  destruct L' as [L'| ->]; [left; now apply exp_increasing|lra].
Qed.

(** Losses in [-eps, eps]: a power of the ratio is below its chord. *)
Lemma chord eps lam z : 0 < eps -> 0 < lam -> let s := (exp (- z) - exp (- eps)) / (exp eps - exp (- eps)) in
  - eps <= z <= eps -> exp (lam * z) <= (1 - s) * exp (lam * eps) + s * exp (lam * - eps).
Proof.
  intros He Hl s Hz.
  assert (D : 0 < exp eps - exp (- eps)) by (assert (exp (- eps) < exp eps) by (apply exp_increasing; lra); lra).
  assert (M : forall a b, a <= b -> exp a <= exp b) by (intros a b [X| ->]; [left; now apply exp_increasing|lra]).
  assert (S : 0 <= s <= 1).
  { pose proof (M (- eps) (- z) ltac:(lra)); pose proof (M (- z) eps ltac:(lra)).
    assert (Es : s * (exp eps - exp (- eps)) = exp (- z) - exp (- eps)) by (unfold s; field; lra); split; nra. }
  assert (T : forall a, exp (lam * z) * (1 + lam * (1 - exp (z - a))) <= exp (lam * a)).
  { intros a; replace (lam * a) with (lam * z + lam * (a - z)) by ring; rewrite exp_plus.
    apply Rmult_le_compat_l; [left; apply exp_pos|].
    pose proof (exp_ineq1_le (lam * (a - z))); pose proof (exp_ineq1_le (z - a)); nra. }
  pose proof (T eps) as T1; pose proof (T (- eps)) as T2.
  assert (E : (1 - s) * exp (z - eps) + s * exp (z - - eps) = 1).
  { unfold Rminus at 2 3; rewrite Ropp_involutive, !exp_plus.
    replace ((1 - s) * (exp z * exp (- eps)) + s * (exp z * exp eps)) with
      (exp z * (exp (- eps) + s * (exp eps - exp (- eps)))) by ring.
    unfold s; replace ((exp (- z) - exp (- eps)) / (exp eps - exp (- eps)) * (exp eps - exp (- eps))) with
      (exp (- z) - exp (- eps)) by (field; lra).
    replace (exp (- eps) + (exp (- z) - exp (- eps))) with (exp (- z)) by ring.
    rewrite <- exp_plus, <- exp_0; f_equal; ring. }
  assert (X : exp (lam * z) = (1 - s) * (exp (lam * z) * (1 + lam * (1 - exp (z - eps)))) +
    s * (exp (lam * z) * (1 + lam * (1 - exp (z - - eps))))).
  { transitivity (exp (lam * z) * (1 + lam * (1 - ((1 - s) * exp (z - eps) + s * exp (z - - eps))))); [|ring].
    rewrite E; ring. }
  rewrite X; apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.

Theorem tanh_zCDP {A} eps (P Q : dist A) Z : 0 < eps -> loss P Q Z -> (forall a, - eps <= Z a <= eps) ->
  zCDP (eps * tanh (eps / 2)) P Q.
Proof.
  intros He HZ HR; apply zcdp_zCDP with Z; split; [now apply loss_loss_le|]; intros lam Hl.
  assert (M : forall a b, a <= b -> exp a <= exp b) by (intros a b [X| ->]; [left; now apply exp_increasing|lra]).
  assert (I : Int P (fun a => exp (lam * Z a))).
  { apply Int_bounded; exists (exp (lam * eps)); intros a; rewrite Rabs_pos_eq by (left; apply exp_pos).
    apply M, Rmult_le_compat_l; [lra|apply HR]. }
  split; auto.
  assert (D : 0 < exp eps - exp (- eps)) by (assert (exp (- eps) < exp eps) by (apply exp_increasing; lra); lra).
  destruct (HZ (fun _ => 1) (bounded_const 1)) as [J E]; rewrite Ex_const in E.
  set (d := exp eps - exp (- eps)) in *; set (k := exp (lam * - eps) - exp (lam * eps)).
  set (c := exp (lam * eps) - exp (- eps) / d * k).
  assert (B : Ex P (fun a => exp (lam * Z a)) <= c + k / d).
  { rewrite <- (Rmult_1_r (k / d)), <- E, <- Ex_scal, <- (Ex_const P c), <- Ex_plus by auto using Int_const, Int_scal.
    apply Ex_le; auto using Int_const, Int_scal, Int_plus; intros a.
    eapply Rle_trans; [apply (chord eps lam (Z a) He Hl (HR a))|]; fold d; right; unfold c, k; field; lra. }
  eapply Rle_trans; [exact B|].
  set (x := eps / 2); set (y := (lam + / 2) * eps).
  pose proof (cosh_bound x y ltac:(unfold x, y; nra)) as C; pose proof (cosh_pos x) as Cx.
  replace (lam * (lam + 1) * (eps * tanh x)) with ((y ^ 2 - x ^ 2) * (tanh x / (2 * x))) by (unfold x, y; field; lra).
  apply Rmult_le_reg_r with (cosh x); auto; eapply Rle_trans; [right|exact C].
  set (h := exp x); set (g := exp (lam * eps)).
  assert (Hh : 0 < h) by apply exp_pos; assert (Hg : 0 < g) by apply exp_pos.
  assert (E1 : exp eps = h * h) by (unfold h; rewrite <- exp_plus; f_equal; unfold x; field).
  assert (E2 : exp (- eps) = / (h * h)) by now rewrite exp_Ropp, E1.
  assert (E3 : exp (lam * - eps) = / g) by (unfold g; rewrite <- exp_Ropp; f_equal; ring).
  assert (E4 : exp y = g * h) by (unfold g, h; rewrite <- exp_plus; f_equal; unfold x, y; field).
  assert (Hn : h * h * (h * h) - 1 <> 0).
  { unfold d in D; rewrite E1, E2 in D; intros N.
    replace (h * h - / (h * h)) with ((h * h * (h * h) - 1) / (h * h)) in D by (field; lra).
    rewrite N in D; unfold Rdiv in D; lra. }
  unfold c, k, d, cosh; rewrite !exp_Ropp, E4, E1, E3; fold h g; field.
  repeat split; try lra; try (apply Rmult_integral_contrapositive_currified; lra).
Qed.

Theorem pure_tanh_zCDP {A} eps (P Q : dist A) : 0 <= eps ->
  close eps 0 P Q -> close eps 0 Q P -> zCDP (eps * tanh (eps / 2)) P Q.
Proof.
  intros [He| <-] PQ QP.
  - apply buckets_zCDP; intros b n Hb; apply tanh_zCDP with (bZ P Q b); auto.
    + eapply bucket_loss; eauto; lra.
    + intros i; pose proof (bZ_range P Q eps eps ltac:(lra) ltac:(lra) PQ QP b i); lra.
  - rewrite Rmult_0_l; replace 0 with (0 * 0 / 2) by field; apply pure_zCDP; auto; lra.
Qed.
