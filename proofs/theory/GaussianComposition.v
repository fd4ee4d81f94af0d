(** Gaussian divergence composes: [mu] is the root of the sum of squares, for adaptive choices too. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Theta RoundedGaussian Normal NormalSum GaussianDivergence.
Open Scope R_scope.

Definition hypotenuse (x y : R) : R := sqrt (x * x + y * y).

Lemma close_scaled {A} eps del w (P Q : dist A) g : close eps del P Q -> 0 < w -> (forall a, 0 <= g a <= w) ->
  Ex P g <= exp eps * Ex Q g + w * del.
Proof.
  intros C W G; assert (F : unit_test (fun a => / w * g a)).
  { intros a; specialize (G a); split; [apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|lra]|].
    apply Rmult_le_reg_l with w; auto; rewrite <- Rmult_assoc, Rinv_r; lra. }
  assert (B : bounded g) by (exists w; intros a; specialize (G a); rewrite Rabs_pos_eq; lra).
  specialize (C _ F); rewrite !Ex_scal in C by (now apply Int_bounded).
  apply Rmult_le_reg_l with (/ w); [now apply Rinv_0_lt_compat|].
  replace (/ w * (exp eps * Ex Q g + w * del)) with (exp eps * (/ w * Ex Q g) + del) by (field; lra); exact C.
Qed.

(** The second release, at each result of the first, is bounded by tangents at points of a grid; between two points what the test
    says of the one law is itself a test on the first release. *)
Section Grid.
Variables (mu1 mu2 eps y0 h : R) (M1 : 0 < mu1) (M2 : 0 < mu2) (Hh : 0 < h).
Definition point (j : nat) : R := y0 + INR j * h.
Definition tangent (j : nat) : R := - (mu2 * point j) - mu2 * mu2 / 2.
Definition width (j : nat) : R := Phi (point (S j)) - Phi (point j).
Definition clip (j : nat) (x : R) : R := Rmax 0 (Rmin (x - Phi (point j)) (width j)).
Fixpoint upper (n : nat) (x : R) : R := match n with O => Phi (point O + mu2) | S m => upper m x + exp (tangent m) * clip m x end.
Fixpoint lower (n : nat) (x : R) : R := match n with O => 0 | S m => lower m x + clip m x end.

Lemma point_step j : point (S j) = point j + h.
Proof. unfold point; rewrite S_INR; ring. Qed.
Lemma width_pos j : 0 < width j.
Proof. unfold width; rewrite point_step; pose proof (Phi_lt (point j) (point j + h)); lra. Qed.
Lemma clip_range j x : 0 <= clip j x <= width j.
Proof.
  pose proof (width_pos j); unfold clip; split; [apply Rmax_l|apply Rmax_lub; [lra|apply Rmin_r]].
Qed.
Lemma clip_cases j x : (x < Phi (point j) /\ clip j x = 0) \/ (Phi (point j) <= x < Phi (point (S j)) /\ clip j x = x - Phi (point j)) \/
  (Phi (point (S j)) <= x /\ clip j x = width j).
Proof.
  pose proof (width_pos j) as W; unfold width in W; unfold clip.
  destruct (Rlt_dec x (Phi (point j))); [left|right; destruct (Rlt_dec x (Phi (point (S j)))); [left|right]];
    (split; [lra|]); unfold width, Rmin, Rmax; destruct (Rle_dec (x - Phi (point j)) (Phi (point (S j)) - Phi (point j)));
    try (destruct (Rle_dec 0 (x - Phi (point j)))); try (destruct (Rle_dec 0 (Phi (point (S j)) - Phi (point j)))); lra.
Qed.
Lemma delta_at j : gaussian_delta mu2 (tangent j) = Phi (point j + mu2) - exp (tangent j) * Phi (point j).
Proof.
  unfold gaussian_delta.
  replace (mu2 / 2 - tangent j / mu2) with (point j + mu2) by (unfold tangent; field; lra).
  replace (- mu2 / 2 - tangent j / mu2) with (point j) by (unfold tangent; field; lra); reflexivity.
Qed.

Lemma upper_ge k x n : (forall s, k <= exp s * x + gaussian_delta mu2 s) ->
  (Phi (point n) <= x -> Phi (point n + mu2) <= upper n x) /\ (x < Phi (point n) -> k <= upper n x).
Proof.
  intros H; induction n as [|n [F G]].
  - split; [simpl; lra|]; intros L; specialize (H (tangent O)); rewrite delta_at in H; cbn [upper].
    pose proof (exp_pos (tangent O)); nra.
  - cbn [upper]; pose proof (exp_pos (tangent n)) as E.
    assert (W := width_pos n); unfold width in W.
    destruct (clip_cases n x) as [[L ->]|[[L ->]|[L ->]]]; (split; intros N).
    + lra.
    + specialize (G L); lra.
    + lra.
    + specialize (F ltac:(lra)); specialize (H (tangent n)); rewrite delta_at in H; lra.
    + specialize (F ltac:(lra)); pose proof (best_test mu2 (tangent n) (point (S n)) M2) as B; rewrite delta_at in B; unfold width; lra.
    + lra.
Qed.
Lemma lower_le x n : 0 <= x -> lower n x <= x.
Proof.
  intros H; enough ((Phi (point n) <= x -> lower n x <= Phi (point n)) /\ (x < Phi (point n) -> lower n x <= x)) as [F G].
  { destruct (Rlt_dec x (Phi (point n))) as [L|L]; [now apply G|specialize (F ltac:(lra)); lra]. }
  induction n as [|n [F G]].
  - cbn [lower]; pose proof (Phi_range (point O)); lra.
  - cbn [lower]; assert (W := width_pos n); unfold width in W.
    destruct (clip_cases n x) as [[L ->]|[[L ->]|[L ->]]]; split; intros N;
      try lra; (specialize (G L); lra) || (specialize (F ltac:(lra)); unfold width; lra).
Qed.

(** What the first release adds between two points, under an integral. *)
Definition tilt : R := mu2 / mu1.
Definition middle : R := mu1 / 2 - mu2 * mu2 / (2 * mu1) - eps / mu1.
Definition integrand (t : R) : R :=
  exp (mu2 * h) * weighed (- tilt) (middle + tilt * h + tilt * mu2) (1 * t + mu2) - exp eps * weighed (- tilt) (middle - mu1) t.
Definition piece (j : nat) : R := exp (tangent j) * Phi (middle - tilt * point j) - exp eps * Phi (middle - tilt * point j - mu1).

Lemma integrand_RInt u v : is_RInt integrand u v
  (exp (mu2 * h) * mean (- tilt) (u + mu2) (v + mu2) (middle + tilt * h + tilt * mu2) - exp eps * mean (- tilt) u v (middle - mu1)).
Proof.
  assert (S : is_RInt (fun t => scal 1 (weighed (- tilt) (middle + tilt * h + tilt * mu2) (1 * t + mu2))) u v
    (mean (- tilt) (u + mu2) (v + mu2) (middle + tilt * h + tilt * mu2))).
  { apply (is_RInt_comp_lin (weighed (- tilt) (middle + tilt * h + tilt * mu2))).
    replace (1 * u + mu2) with (u + mu2) by ring; replace (1 * v + mu2) with (v + mu2) by ring.
    apply (RInt_correct (weighed (- tilt) (middle + tilt * h + tilt * mu2))), ex_weighed. }
  pose proof (RInt_correct (weighed (- tilt) (middle - mu1)) u v (ex_weighed (- tilt) (middle - mu1) u v)) as T.
  apply (is_RInt_scal _ _ _ (exp (mu2 * h))) in S; apply (is_RInt_scal _ _ _ (exp eps)) in T.
  pose proof (is_RInt_minus _ _ _ _ _ _ S T) as D.
  apply (is_RInt_ext _ integrand) in D; [exact D|].
  intros t _; unfold integrand, minus, plus, opp, scal; simpl; unfold mult; simpl; ring.
Qed.

Lemma piece_le j : width j * piece j <= RInt integrand (point j) (point (S j)).
Proof.
  pose proof whole_pos as W; pose proof (integrand_RInt (point j) (point (S j))) as O.
  rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ O).
  assert (I : is_RInt (fun t => piece j * (/ whole * hill 0 t)) (point j) (point (S j)) (piece j * (/ whole * (whole * (Phi (point (S j)) - Phi (point j)))))).
  { apply (is_RInt_scal (fun t => / whole * hill 0 t) _ _ (piece j)), (is_RInt_scal (hill 0) _ _ (/ whole)), share_RInt. }
  apply Rle_trans with (piece j * (/ whole * (whole * (Phi (point (S j)) - Phi (point j))))); [right; unfold width; field; lra|].
  apply (is_RInt_le (fun t => piece j * (/ whole * hill 0 t)) integrand (point j) (point (S j))); [rewrite point_step; lra|exact I|exact O|].
  rewrite point_step; intros t [T0 T1]; assert (B : 0 < tilt) by (now apply Rdiv_lt_0_compat).
  unfold integrand, weighed, piece.
  assert (H0 : 0 < / whole * hill 0 t) by (apply Rmult_lt_0_compat; [now apply Rinv_0_lt_compat|apply hill_pos]).
  assert (R : exp (tangent j) * (/ whole * hill 0 t) <= exp (mu2 * h) * (/ whole * hill 0 (1 * t + mu2))).
  { replace (exp (tangent j) * (/ whole * hill 0 t)) with (/ whole * (exp (tangent j) * hill 0 t)) by ring.
    replace (exp (mu2 * h) * (/ whole * hill 0 (1 * t + mu2))) with (/ whole * (exp (mu2 * h) * hill 0 (1 * t + mu2))) by ring.
    apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|].
    unfold hill, bell; rewrite <- !exp_plus; apply exp_le; unfold tangent; nra. }
  assert (P1 : Phi (middle - tilt * point j) <= Phi (middle + tilt * h + tilt * mu2 + - tilt * (1 * t + mu2))) by (apply Phi_le; nra).
  assert (P2 : Phi (middle - mu1 + - tilt * t) <= Phi (middle - tilt * point j - mu1)) by (apply Phi_le; nra).
  pose proof (Phi_range (middle - tilt * point j)); pose proof (exp_pos eps); pose proof (exp_pos (tangent j)).
  assert (A1 : exp (tangent j) * (/ whole * hill 0 t) * Phi (middle - tilt * point j) <=
    exp (mu2 * h) * (/ whole * hill 0 (1 * t + mu2)) * Phi (middle + tilt * h + tilt * mu2 + - tilt * (1 * t + mu2))).
  { apply Rmult_le_compat; auto; try lra; apply Rmult_le_pos; lra. }
  assert (A2 : exp eps * (/ whole * hill 0 t) * Phi (middle - mu1 + - tilt * t) <= exp eps * (/ whole * hill 0 t) * Phi (middle - tilt * point j - mu1)).
  { apply Rmult_le_compat_l; auto; apply Rmult_le_pos; lra. }
  lra.
Qed.

Context {A : Type} (P Q : dist A) (H1 : no_easier mu1 P Q) (l : A -> R) (Hl : unit_test l).
Lemma bounded_upper n : bounded (fun a => upper n (l a)).
Proof.
  induction n; cbn [upper]; [apply bounded_const|apply bounded_plus, bounded_scal; auto].
  exists (width n); intros a; pose proof (clip_range n (l a)); rewrite Rabs_pos_eq; lra.
Qed.
Lemma bounded_clip n : bounded (fun a => clip n (l a)).
Proof. exists (width n); intros a; pose proof (clip_range n (l a)); rewrite Rabs_pos_eq; lra. Qed.
Lemma bounded_lower n : bounded (fun a => lower n (l a)).
Proof. induction n; cbn [lower]; [apply bounded_const|apply bounded_plus; auto using bounded_clip]. Qed.

Lemma grid n : Ex P (fun a => upper n (l a)) - exp eps * Ex Q (fun a => lower n (l a)) <= Phi (y0 + mu2) + RInt integrand y0 (point n).
Proof.
  induction n.
  - cbn [upper lower]; rewrite !Ex_const; replace (point 0) with y0 by (unfold point; simpl; ring).
    assert (Z : RInt integrand y0 y0 = 0) by exact (RInt_point y0 integrand); rewrite Z; lra.
  - cbn [upper lower].
    rewrite (Ex_plus _ P (fun a => upper n (l a))), (Ex_scal _ P), (Ex_plus _ Q (fun a => lower n (l a))) by
      (try apply Int_scal; apply Int_bounded; auto using bounded_upper, bounded_lower, bounded_clip).
    assert (C : RInt integrand y0 (point n) + RInt integrand (point n) (point (S n)) = RInt integrand y0 (point (S n))).
    { apply (RInt_Chasles integrand); eexists; apply integrand_RInt. }
    pose proof (piece_le n) as L.
    pose proof (close_scaled (eps - tangent n) _ (width n) P Q (fun a => clip n (l a))
      (no_easier_close mu1 (eps - tangent n) P Q M1 H1) (width_pos n) (fun a => clip_range n (l a))) as B.
    apply (Rmult_le_compat_l (exp (tangent n))) in B; [|left; apply exp_pos].
    assert (E : exp (tangent n) * exp (eps - tangent n) = exp eps) by (rewrite <- exp_plus; f_equal; ring).
    assert (D : exp (tangent n) * gaussian_delta mu1 (eps - tangent n) = piece n).
    { unfold gaussian_delta, piece; rewrite Rmult_minus_distr_l, <- Rmult_assoc, E.
      replace (mu1 / 2 - (eps - tangent n) / mu1) with (middle - tilt * point n) by (unfold middle, tilt, tangent; field; lra).
      replace (- mu1 / 2 - (eps - tangent n) / mu1) with (middle - tilt * point n - mu1) by (unfold middle, tilt, tangent; field; lra).
      reflexivity. }
    rewrite Rmult_plus_distr_l, <- Rmult_assoc, E in B.
    replace (exp (tangent n) * (width n * gaussian_delta mu1 (eps - tangent n))) with (width n * piece n) in B by (rewrite <- D; ring); lra.
Qed.

(** Altogether, with all that is cut off. *)
Lemma on_grid (k : A -> R) n : unit_test k -> (forall a s, k a <= exp s * l a + gaussian_delta mu2 s) ->
  Ex P k - exp eps * Ex Q l <= (1 - Phi (point n + mu2)) + Phi (y0 + mu2) + exp eps * (Phi y0 + (1 - Phi (point n))) +
    exp (mu2 * h) * Phi ((middle + tilt * h + tilt * mu2) / sqrt (1 + tilt * tilt)) - exp eps * Phi ((middle - mu1) / sqrt (1 + tilt * tilt)).
Proof.
  intros Hk H; pose proof (grid n) as G; pose proof (exp_pos eps) as E.
  assert (UP : Ex P k <= Ex P (fun a => upper n (l a)) + (1 - Phi (point n + mu2))).
  { rewrite <- (Ex_const P (1 - Phi (point n + mu2))), <- Ex_plus by (apply Int_const || apply Int_bounded, bounded_upper).
    apply Ex_le; [now apply Int_unit|apply Int_plus; [apply Int_bounded, bounded_upper|apply Int_const]|].
    intros a; specialize (Hk a); pose proof (Phi_range (point n + mu2)); destruct (upper_ge (k a) (l a) n (H a)) as [F F'].
    destruct (Rlt_dec (l a) (Phi (point n))) as [L|L]; [specialize (F' L); lra|specialize (F ltac:(lra)); lra]. }
  assert (DN : Ex Q (fun a => lower n (l a)) <= Ex Q l).
  { apply Ex_le; [apply Int_bounded, bounded_lower|now apply Int_unit|]; intros a; apply lower_le, Hl. }
  apply (Rmult_le_compat_l (exp eps)) in DN; [|lra].
  assert (Y : y0 <= point n) by (unfold point; pose proof (pos_INR n); nra).
  rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ (integrand_RInt y0 (point n))) in G.
  pose proof (mean_le (- tilt) (y0 + mu2) (point n + mu2) ltac:(lra) (middle + tilt * h + tilt * mu2)) as A1.
  pose proof (mean_ge (- tilt) y0 (point n) (middle - mu1) Y) as A2.
  replace (- tilt * - tilt) with (tilt * tilt) in * by ring.
  apply (Rmult_le_compat_l (exp (mu2 * h))) in A1; [|left; apply exp_pos].
  apply (Rmult_le_compat_l (exp eps)) in A2; [|lra]; lra.
Qed.
End Grid.

(** The finer and wider the grid, the less is lost. *)
Lemma finer_grids (f : R -> R) c b d eps m : continuous f 0 ->
  (forall N, c <= (1 - Phi (INR N + m)) + Phi (m - INR N) + exp eps * (Phi (0 - INR N) + (1 - Phi (INR N + 0))) +
    exp (d * / (INR N + 1)) * f (/ (INR N + 1)) - b) -> c <= f 0 - b.
Proof.
  intros F H.
  pose proof steps_vanish as S.
  replace (f 0 - b) with ((1 - 1) + 0 + exp eps * (0 + (1 - 1)) + exp (d * 0) * f 0 - b) by (rewrite Rmult_0_r, exp_0; ring).
  apply (is_lim_seq_le (fun _ => c) (fun N => (1 - Phi (INR N + m)) + Phi (m - INR N) + exp eps * (Phi (0 - INR N) + (1 - Phi (INR N + 0))) +
    exp (d * / (INR N + 1)) * f (/ (INR N + 1)) - b) c ((1 - 1) + 0 + exp eps * (0 + (1 - 1)) + exp (d * 0) * f 0 - b)); [exact H|apply is_lim_seq_const|].
  apply is_lim_seq_minus'; [|apply is_lim_seq_const].
  apply is_lim_seq_plus'; [apply is_lim_seq_plus'; [apply is_lim_seq_plus'|]|].
  - apply is_lim_seq_minus'; [apply is_lim_seq_const|apply Phi_one].
  - apply Phi_none.
  - apply is_lim_seq_mult'; [apply is_lim_seq_const|].
    apply is_lim_seq_plus'; [apply Phi_none|apply is_lim_seq_minus'; [apply is_lim_seq_const|apply Phi_one]].
  - apply is_lim_seq_mult'.
    + apply is_lim_seq_continuous with (f := fun x => exp (d * x)); auto.
      apply continuity_pt_filterlim, (ex_derive_continuous (fun x => exp (d * x))); auto_derive; auto.
    + apply is_lim_seq_continuous; auto; now apply continuity_pt_filterlim.
Qed.

Lemma compose_positive {A B} mu1 mu2 (P Q : dist A) (K L : A -> dist B) : 0 < mu1 -> 0 < mu2 ->
  no_easier mu1 P Q -> (forall a, no_easier mu2 (K a) (L a)) -> no_easier (hypotenuse mu1 mu2) (bind P K) (bind Q L).
Proof.
  intros M1 M2 H1 H2; set (mu := hypotenuse mu1 mu2).
  assert (Sq : mu * mu = mu1 * mu1 + mu2 * mu2) by (apply sqrt_sqrt; nra).
  assert (M : 0 < mu) by (apply sqrt_lt_R0; nra).
  apply close_no_easier; auto; intros eps f Hf.
  assert (U : forall D : A -> dist B, unit_test (fun a => Ex (D a) f)) by (intros D a; now apply Ex_unit).
  change (Ex P (fun a => Ex (K a) f) <= exp eps * Ex Q (fun a => Ex (L a) f) + gaussian_delta mu eps).
  set (k := fun a => Ex (K a) f); set (l := fun a => Ex (L a) f).
  assert (T : forall a s, k a <= exp s * l a + gaussian_delta mu2 s) by (intros a s; now apply no_easier_close).
  assert (Q1 : sqrt (1 + tilt mu1 mu2 * tilt mu1 mu2) = mu / mu1).
  { apply sqrt_lem_1; [unfold tilt; assert (0 < mu2 / mu1) by (now apply Rdiv_lt_0_compat); nra|left; now apply Rdiv_lt_0_compat|].
    unfold tilt; apply Rmult_eq_reg_r with (mu1 * mu1); [|nra].
    transitivity (mu * mu); [field; lra|rewrite Sq; field; lra]. }
  set (b := exp eps * Phi (- mu / 2 - eps / mu)).
  set (g := fun h => Phi (mu / 2 - eps / mu + tilt mu1 mu2 * (mu1 / mu) * h)).
  enough (X : Ex P k - exp eps * Ex Q l <= g 0 - b).
  { unfold g, b in X; rewrite Rmult_0_r, Rplus_0_r in X; unfold gaussian_delta; lra. }
  apply finer_grids with (d := mu2) (eps := eps) (m := mu2).
  - apply (continuous_comp (fun h => mu / 2 - eps / mu + tilt mu1 mu2 * (mu1 / mu) * h) Phi); [|apply Phi_continuous].
    apply (ex_derive_continuous (fun h => mu / 2 - eps / mu + tilt mu1 mu2 * (mu1 / mu) * h)); auto_derive; auto.
  - intros N; set (h := / (INR N + 1)); pose proof (pos_INR N) as NN.
    assert (Hh : 0 < h) by (apply Rinv_0_lt_compat; lra).
    assert (Y : point (- INR N) h (2 * N * (N + 1)) = INR N).
    { unfold point, h; rewrite !mult_INR, plus_INR; simpl; field; lra. }
    pose proof (on_grid mu1 mu2 eps (- INR N) h M1 M2 Hh P Q H1 l (U L) k (2 * N * (N + 1)) (U K) T) as G.
    rewrite Y, Q1 in G; unfold g, b.
    replace (mu / 2 - eps / mu + tilt mu1 mu2 * (mu1 / mu) * h) with
      ((middle mu1 mu2 eps + tilt mu1 mu2 * h + tilt mu1 mu2 * mu2) / (mu / mu1)).
    + replace (- mu / 2 - eps / mu) with ((middle mu1 mu2 eps - mu1) / (mu / mu1)).
      * rewrite Rplus_0_r; replace (mu2 - INR N) with (- INR N + mu2) by ring; replace (0 - INR N) with (- INR N) by ring; exact G.
      * unfold middle; apply Rmult_eq_reg_r with (mu * 2); [|lra].
        transitivity (- (mu1 * mu1 + mu2 * mu2) - 2 * eps); [field; lra|rewrite <- Sq; field; lra].
    + unfold middle, tilt; apply Rmult_eq_reg_r with (mu * 2); [|lra].
      transitivity (mu1 * mu1 + mu2 * mu2 - 2 * eps + 2 * mu2 * h); [field; lra|rewrite <- Sq; field; lra].
Qed.

Lemma no_easier_limit {Y} mu (P Q : dist Y) : (forall e, 0 < e -> no_easier (mu + e) P Q) -> no_easier mu P Q.
Proof.
  intros H f x F B.
  assert (S : is_lim_seq (fun N => x + (mu + / (INR N + 1))) (x + mu)).
  { apply is_lim_seq_plus'; [apply is_lim_seq_const|].
    replace (Finite mu) with (Finite (mu + 0)) by (f_equal; ring); apply is_lim_seq_plus'; [apply is_lim_seq_const|].
    apply steps_vanish. }
  apply (is_lim_seq_le (fun _ => Ex P f) (fun N => Phi (x + (mu + / (INR N + 1)))) (Ex P f) (Phi (x + mu))).
  - intros N; apply (H (/ (INR N + 1))); auto; apply Rinv_0_lt_compat; pose proof (pos_INR N); lra.
  - apply is_lim_seq_const.
  - apply is_lim_seq_continuous; auto; apply continuity_pt_filterlim, Phi_continuous.
Qed.

Theorem no_easier_composition {A B} mu1 mu2 (P Q : dist A) (K L : A -> dist B) : 0 <= mu1 -> 0 <= mu2 ->
  no_easier mu1 P Q -> (forall a, no_easier mu2 (K a) (L a)) -> no_easier (hypotenuse mu1 mu2) (bind P K) (bind Q L).
Proof.
  intros M1 M2 H1 H2; apply no_easier_limit; intros e E.
  apply no_easier_mono with (hypotenuse (mu1 + e / 2) (mu2 + e / 2)).
  - unfold hypotenuse; pose proof (sqrt_pos (mu1 * mu1 + mu2 * mu2)) as S.
    assert (Sq : sqrt (mu1 * mu1 + mu2 * mu2) * sqrt (mu1 * mu1 + mu2 * mu2) = mu1 * mu1 + mu2 * mu2) by (apply sqrt_sqrt; nra).
    set (r := sqrt (mu1 * mu1 + mu2 * mu2)) in *.
    rewrite <- (sqrt_Rsqr (r + e)) by lra; apply sqrt_le_1_alt; unfold Rsqr.
    assert (mu1 <= r) by nra; assert (mu2 <= r) by nra; nra.
  - apply compose_positive; try lra; [|intros a]; (eapply no_easier_mono; [|eauto]; lra).
Qed.
