(** [make_gaussian]: independent noise on each number of a vector; integers get the discrete law, other numbers the
    continuous one rounded to a grid. *)
Require Import Reals Lra Psatz ZArith List.
From DP Require Import Expect DualRenyi DiscreteGaussian RoundedGaussian GaussianDivergence GaussianComposition GaussianNoise Measures Rounding Totals laplace.
Import ListNotations.
Open Scope R_scope.

(** [map_of_ratio] with [half_square]: computed exactly, and rounded up once. *)
Definition gaussian_map (s d : R) : R := if Req_EM_T d 0 then 0 else let r := d / s in up (r * r / 2).

Lemma gaussian_map_sound s d : 0 < s -> 0 <= d -> d ^ 2 / (2 * (s * s)) <= gaussian_map s d.
Proof.
  intros Hs Hd; unfold gaussian_map; destruct (Req_EM_T d 0) as [->|_].
  - unfold Rdiv; simpl; rewrite !Rmult_0_l; lra.
  - cbv zeta; replace (d ^ 2 / (2 * (s * s))) with (d / s * (d / s) / 2) by (field; lra); apply up_ge.
Qed.

(** A squared distance that is at most [d^2]. *)
Lemma squared_map s d q : 0 < s -> 0 <= d -> 0 <= q -> sqrt q <= d -> q / (2 * (s * s)) <= gaussian_map s d.
Proof.
  intros Hs Hd P H; apply Rle_trans with (d ^ 2 / (2 * (s * s))); [|now apply gaussian_map_sound].
  unfold Rdiv; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|].
  rewrite <- (sqrt_sqrt q P); simpl; rewrite Rmult_1_r; pose proof (sqrt_pos q); nra.
Qed.

(** Independent draws: rhos add up. *)
Section Vector.
Context {X Y : Type} (K : X -> dist Y) (cost : X -> X -> R).
Hypothesis scalar : forall x x', zCDP (cost x x') (K x) (K x').

Theorem each_zCDP xs xs' : length xs = length xs' -> zCDP (total_cost cost xs xs') (each K xs) (each K xs').
Proof.
  revert xs'; induction xs as [|x xs IH]; intros [|x' xs'] E; try discriminate; [apply zCDP_refl|].
  cbn [each total_cost]; apply zCDP_adaptive_composition; [apply scalar|]; intros y.
  apply zCDP_post_processing, IH; now injection E.
Qed.
Lemma total_cost_nonneg xs xs' : (forall x x', 0 <= cost x x') -> 0 <= total_cost cost xs xs'.
Proof.
  intros H; revert xs'; induction xs as [|x xs IH]; intros [|x' xs']; simpl; try lra; specialize (IH xs'); pose proof (H x x'); lra.
Qed.
End Vector.

(** Costs that are squares of differences add up to the square of the distance in L2 ([Totals]). *)
Lemma total_cost_squares xs xs' : length xs = length xs' -> total_cost (fun x x' => (x - x') ^ 2) xs xs' = distance squares xs xs'.
Proof.
  revert xs'; induction xs as [|x xs IH]; intros [|x' xs'] E; try discriminate; [reflexivity|].
  cbn [total_cost]; rewrite IH by (now injection E); now rewrite distance_squares_cons.
Qed.
Lemma total_cost_squares_integers xs xs' : length xs = length xs' ->
  total_cost (fun x x' => (IZR x - IZR x') ^ 2) xs xs' = distance squares (map IZR xs) (map IZR xs').
Proof. intros E; rewrite <- total_cost_squares by (now rewrite !map_length); now apply total_cost_map. Qed.

Section Mechanism.
Variables (s : R) (Hs : 0 < s).

(** Integers: a vector, in L2.  A single number is a vector of one. *)
Definition integers : list Z -> dist (list Z) := each (dgauss s Hs).

(** What is released is a function of the noisy integers: saturation. *)
Theorem make_gaussian_integers {Y} (release : list Z -> Y) xs xs' d : length xs = length xs' -> distance l2 (map IZR xs) (map IZR xs') <= d ->
  zero_concentrated (gaussian_map s d) (dmap release (integers xs)) (dmap release (integers xs')).
Proof.
  intros E H; assert (X : forall xs xs', length xs = length xs' -> distance l2 (map IZR xs) (map IZR xs') <= d ->
    zCDP (gaussian_map s d) (dmap release (integers xs)) (dmap release (integers xs'))).
  { clear xs xs' E H; intros xs xs' E H; apply zCDP_post_processing; eapply zCDP_mono;
      [|apply (each_zCDP (dgauss s Hs) _ (dgauss_zCDP s Hs)); auto].
    rewrite (total_cost_scal _ (fun x x' => (IZR x - IZR x') ^ 2) (2 * (s * s))), total_cost_squares_integers by auto.
    apply squared_map; auto; [eapply Rle_trans; [apply sqrt_pos|exact H]|apply squares_nonneg]. }
  split; apply X; auto; rewrite distance_sym; auto using l2_seminorm; now rewrite !map_length.
Qed.

(** Other numbers: the multiple [j g] of the grid's step [g] nearest to the number with noise of scale [s]. *)
Variables (g : R) (Hg : 0 < g).
Let c := / (2 * (s / g * (s / g))).
Lemma shape_pos : 0 < / (2 * (s / g * (s / g))).
Proof. apply Rinv_0_lt_compat; assert (0 < s / g) by (now apply Rdiv_lt_0_compat); nra. Qed.
Definition multiples : list R -> dist (list Z) := each (fun x => rounded_gaussian c shape_pos (x / g)).

(** What is released is a function of the multiples: rounded to the nearest float, saturated. *)
Theorem make_gaussian_numbers {Y} (release : list Z -> Y) xs xs' d : length xs = length xs' -> distance l2 xs xs' <= d ->
  zero_concentrated (gaussian_map s d) (dmap release (multiples xs)) (dmap release (multiples xs')).
Proof.
  intros E H; assert (X : forall xs xs', length xs = length xs' -> distance l2 xs xs' <= d ->
    zCDP (gaussian_map s d) (dmap release (multiples xs)) (dmap release (multiples xs'))).
  { clear xs xs' E H; intros xs xs' E H; apply zCDP_post_processing; eapply zCDP_mono;
      [|apply (each_zCDP _ _ (fun x x' => rounded_gaussian_zCDP c shape_pos (x / g) (x' / g))); auto].
    rewrite (total_cost_scal _ (fun x x' => (x - x') ^ 2) (2 * (s * s))) by
      (intros; unfold c; field; lra).
    rewrite total_cost_squares by auto.
    apply squared_map; auto; [eapply Rle_trans; [apply sqrt_pos|exact H]|apply squares_nonneg]. }
  split; apply X; auto; rewrite distance_sym; auto using l2_seminorm.
Qed.

(** Under Gaussian divergence: [mu] is the distance in scales. *)
Lemma each_no_easier xs xs' : length xs = length xs' ->
  no_easier (sqrt (total_cost (fun x x' => (x - x') ^ 2 / (s * s)) xs xs')) (multiples xs) (multiples xs').
Proof.
  revert xs'; induction xs as [|x xs IH]; intros [|x' xs'] E; try discriminate.
  - simpl; rewrite sqrt_0; apply no_easier_refl.
  - unfold multiples; cbn [each total_cost].
    assert (N : 0 <= total_cost (fun x x' => (x - x') ^ 2 / (s * s)) xs xs').
    { apply total_cost_nonneg; intros; apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; nra]. }
    set (rest := total_cost (fun x x' => (x - x') ^ 2 / (s * s)) xs xs') in *.
    replace (sqrt ((x - x') ^ 2 / (s * s) + rest)) with (hypotenuse (Rabs (x - x') / s) (sqrt rest)).
    + apply no_easier_composition; [|apply sqrt_pos| |].
      * apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat].
      * replace (Rabs (x - x') / s) with (Rabs (x / g - x' / g) / (s / g)).
        { apply rounded_gaussian_no_easier; now apply Rdiv_lt_0_compat. }
        replace (x / g - x' / g) with ((x - x') * / g) by (field; lra).
        rewrite Rabs_mult, (Rabs_pos_eq (/ g)) by (left; now apply Rinv_0_lt_compat); field; lra.
      * intros y; apply no_easier_post_processing, IH; now injection E.
    + unfold hypotenuse; rewrite (sqrt_sqrt rest) by auto; do 2 f_equal.
      rewrite <- (pow2_abs (x - x')); field; lra.
Qed.

(** [map_of_ratio] with the ratio itself. *)
Definition gaussian_mu (d : R) : R := if Req_EM_T d 0 then 0 else inf_div d s.
Theorem make_gaussian_numbers_mu {Y} (release : list Z -> Y) xs xs' d : length xs = length xs' -> distance l2 xs xs' <= d ->
  gaussian_divergence (gaussian_mu d) (dmap release (multiples xs)) (dmap release (multiples xs')).
Proof.
  intros E H; assert (X : forall xs xs', length xs = length xs' -> distance l2 xs xs' <= d ->
    no_easier (gaussian_mu d) (dmap release (multiples xs)) (dmap release (multiples xs'))).
  { clear xs xs' E H; intros xs xs' E H; apply no_easier_post_processing; eapply no_easier_mono; [|now apply each_no_easier].
    rewrite (total_cost_scal _ (fun x x' => (x - x') ^ 2) (s * s)), total_cost_squares by auto.
    unfold Rdiv; rewrite sqrt_mult_alt by apply squares_nonneg.
    assert (I : sqrt (/ (s * s)) = / s).
    { replace (/ (s * s)) with (/ s * / s) by (field; lra); apply sqrt_square; left; now apply Rinv_0_lt_compat. }
    rewrite I, <- distance_l2; change (distance l2 xs xs' / s <= gaussian_mu d).
    pose proof (distance_nonneg l2 l2_seminorm xs xs') as P.
    unfold gaussian_mu; destruct (Req_EM_T d 0) as [Z|_]; [|apply inf_div_ge; lra].
    replace (distance l2 xs xs') with 0 by lra; unfold Rdiv; rewrite Rmult_0_l; lra. }
  split; apply X; auto; rewrite distance_sym; auto using l2_seminorm.
Qed.
End Mechanism.
