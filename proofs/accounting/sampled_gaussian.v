(** Gaussian noise on a Poisson sample: whatever the dimension of what is released, one record more or less is no easier to see than in
    (1 - q) N(0, 1) + q N(mu, 1) against N(0, 1); by any test, and by Renyi divergences. *)
Require Import Reals Lra Psatz Lia ZArith List Permutation.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx DualRenyi Normal GaussianDivergence MixtureRenyi SampledMoments Totals Amplification Pairs GaussianPair SampledPairs gaussian.
Import ListNotations.
Open Scope R_scope.

(** Half lines: what the pair N(mu, 1), N(0, 1) gains at a slope, in either order. *)
Section Pair.
Variables (mu : R) (M : 0 < mu).
Lemma half_line x : test (gaussian mu) (beyond x) /\ unit_test (beyond x) /\
  U (gaussian mu) (beyond x) = 1 - Phi (x - mu) /\ V (gaussian mu) (beyond x) = 1 - Phi x.
Proof.
  repeat split; try (unfold beyond; destruct (Rlt_dec _ _); lra).
  - eexists; apply beyond_integral.
  - eexists; apply beyond_shifted.
  - exact (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ (beyond_shifted mu x)).
  - exact (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ (beyond_integral x)).
Qed.
Lemma gaussian_height a : 0 < a -> gaussian_delta mu (ln a) <= height (gaussian mu) a.
Proof.
  intros A; set (x := mu / 2 + ln a / mu); destruct (half_line x) as (T & F & EU & EV).
  eapply Rle_trans; [|apply (height_ge (gaussian mu) a (beyond x) ltac:(lra) T F)]; rewrite EU, EV, <- !Phi_opp.
  unfold gaussian_delta, x; rewrite exp_ln by auto.
  replace (- (mu / 2 + ln a / mu - mu)) with (mu / 2 - ln a / mu) by lra.
  replace (- (mu / 2 + ln a / mu)) with (- mu / 2 - ln a / mu) by lra; lra.
Qed.
Lemma gaussian_height_swapped a : 0 < a -> gaussian_delta mu (ln a) <= height (swapped (gaussian mu)) a.
Proof.
  intros A; set (x := mu / 2 - ln a / mu); destruct (half_line x) as (T & F & EU & EV).
  assert (T' : test (gaussian mu) (fun z => 1 + -1 * beyond x z)) by (apply (test_plus (gaussian mu)); [apply test_const|now apply test_scal]).
  assert (F' : unit_test (fun z => 1 + -1 * beyond x z)) by (intros z; specialize (F z); lra).
  assert (C : forall L : law (test (gaussian mu)), L (fun z => 1 + -1 * beyond x z) = 1 - L (beyond x)).
  { intros L; rewrite (E_plus L (fun _ => 1)), E_scal, E_one by auto using test_const, test_scal; ring. }
  pose proof (height_ge (swapped (gaussian mu)) a _ ltac:(lra) T' F') as H.
  change (V (gaussian mu) (fun z => 1 + -1 * beyond x z) - a * U (gaussian mu) (fun z => 1 + -1 * beyond x z) <= height (swapped (gaussian mu)) a) in H.
  rewrite !C, EU, EV in H; eapply Rle_trans; [|exact H].
  unfold gaussian_delta, x; rewrite exp_ln by auto.
  replace (- mu / 2 - ln a / mu) with (mu / 2 - ln a / mu - mu) by lra; lra.
Qed.

(** What is no easier to tell apart is dominated. *)
Theorem gaussian_dominates {Y} (P Q : dist Y) : no_easier mu P Q -> dominated (gaussian mu) P Q.
Proof.
  intros H; apply dominated_height; intros a [A|<-] f F.
  - pose proof (no_easier_close mu (ln a) P Q M H f F) as C; rewrite exp_ln in C by auto; pose proof (gaussian_height a A); lra.
  - pose proof (height_one (gaussian mu) 0 ltac:(lra)); pose proof (Ex_unit P f F); lra.
Qed.
End Pair.

(** * The curves of the pair *)
(** At rate [q]: of the data with the row against those without it, and of those without it against those with it. *)
Definition removed_delta (q mu e : R) : R := q * gaussian_delta mu (ln (1 + (exp e - 1) / q)).
Definition added_delta (q mu e : R) : R :=
  let c := 1 - (1 - q) * exp e in if Rlt_dec 0 c then c * gaussian_delta mu (ln (q * exp e / c)) else 0.

Section Curves.
Variables (q mu e : R) (Hq : 0 <= q <= 1) (Q0 : 0 < q) (M : 0 < mu) (He : 0 <= e).
Lemma removed_slope : 0 < 1 + (exp e - 1) / q.
Proof.
  pose proof (exp_ineq1_le e); assert (0 <= (exp e - 1) / q); [|lra].
  apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat].
Qed.

(** The pair has no less, so that a lesser claim would be wrong of it. *)
Theorem removed_delta_attained : removed_delta q mu e <= height (sampled q Hq (gaussian mu)) (exp e).
Proof.
  pose proof removed_slope as B; pose proof (exp_pos e); unfold removed_delta.
  eapply Rle_trans; [apply Rmult_le_compat_l; [lra|apply (gaussian_height mu), B]|].
  set (b := 1 + (exp e - 1) / q) in *; assert (Eb : q * b = exp e - (1 - q)) by (unfold b; field; lra).
  apply Rmult_le_reg_l with (/ q); [now apply Rinv_0_lt_compat|]; rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
  apply height_least; [lra|]; intros g T G.
  pose proof (height_ge (sampled q Hq (gaussian mu)) (exp e) g ltac:(lra) T G) as H1.
  change (q * U (gaussian mu) g + (1 - q) * V (gaussian mu) g - exp e * V (gaussian mu) g <= height (sampled q Hq (gaussian mu)) (exp e)) in H1.
  apply Rmult_le_reg_l with q; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  replace (q * (U (gaussian mu) g - b * V (gaussian mu) g)) with (q * U (gaussian mu) g - q * b * V (gaussian mu) g) by ring.
  rewrite Eb; lra.
Qed.
Theorem added_delta_attained : added_delta q mu e <= height (swapped (sampled q Hq (gaussian mu))) (exp e).
Proof.
  pose proof (exp_pos e) as Ee; unfold added_delta; set (c := 1 - (1 - q) * exp e); cbv zeta.
  destruct (Rlt_dec 0 c) as [C|C]; [|apply height_nonneg; lra].
  assert (B : 0 < q * exp e / c) by (apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat).
  eapply Rle_trans; [apply Rmult_le_compat_l; [lra|apply (gaussian_height_swapped mu), B]|].
  apply Rmult_le_reg_l with (/ c); [now apply Rinv_0_lt_compat|]; rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
  apply height_least; [lra|]; intros g T G.
  pose proof (height_ge (swapped (sampled q Hq (gaussian mu))) (exp e) g ltac:(lra) T G) as H1.
  change (V (gaussian mu) g - exp e * (q * U (gaussian mu) g + (1 - q) * V (gaussian mu) g) <= height (swapped (sampled q Hq (gaussian mu))) (exp e)) in H1.
  change (V (gaussian mu) g - q * exp e / c * U (gaussian mu) g <= / c * height (swapped (sampled q Hq (gaussian mu))) (exp e)).
  apply Rmult_le_reg_l with c; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  replace (c * (V (gaussian mu) g - q * exp e / c * U (gaussian mu) g)) with (c * V (gaussian mu) g - q * exp e * U (gaussian mu) g) by (field; lra).
  unfold c in *; lra.
Qed.

(** One coin. *)
Context {Y : Type} (P Q : dist Y).
Lemma removed_coin : no_easier mu P Q -> close e (removed_delta q mu e) (mixed q Hq P Q) Q.
Proof.
  intros H f F; pose proof removed_slope as B; cbn [Ex mixed bind bernoulli]; unfold removed_delta.
  pose proof (no_easier_close mu (ln (1 + (exp e - 1) / q)) P Q M H f F) as C; rewrite exp_ln in C by auto.
  apply Rmult_le_compat_l with (r := q) in C; [|lra].
  set (del := gaussian_delta mu _) in *.
  replace (q * ((1 + (exp e - 1) / q) * Ex Q f + del)) with ((exp e - (1 - q)) * Ex Q f + q * del) in C by (field; lra); lra.
Qed.
Lemma added_coin : no_easier mu Q P -> close e (added_delta q mu e) Q (mixed q Hq P Q).
Proof.
  intros H f F; cbn [Ex mixed bind bernoulli]; pose proof (exp_pos e) as Ee; unfold added_delta; set (c := 1 - (1 - q) * exp e); cbv zeta.
  pose proof (Ex_unit P f F); pose proof (Ex_unit Q f F).
  destruct (Rlt_dec 0 c) as [C|C].
  - assert (B : 0 < q * exp e / c) by (apply Rdiv_lt_0_compat; auto; now apply Rmult_lt_0_compat).
    pose proof (no_easier_close mu (ln (q * exp e / c)) Q P M H f F) as X; rewrite exp_ln in X by auto.
    apply Rmult_le_compat_l with (r := c) in X; [|lra].
    set (del := gaussian_delta mu _) in *.
    replace (c * (q * exp e / c * Ex P f + del)) with (exp e * (q * Ex P f) + c * del) in X by (field; lra).
    unfold c in X at 1; lra.
  - assert (0 <= exp e * (q * Ex P f)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert (0 <= - c * Ex Q f) by (apply Rmult_le_pos; lra); unfold c in *; lra.
Qed.
End Curves.

Lemma close_kept {Y} e del : kept (fun P Q : dist Y => close e del P Q).
Proof.
  split.
  - intros P P' Q Q' HP HQ C f F; rewrite <- HP, <- HQ by auto; now apply C.
  - intros X S K L H f F; cbn [Ex bind].
    assert (B : forall D : X -> dist Y, bounded (fun x => Ex (D x) f)) by (intros D; apply unit_bounded; intros x; now apply Ex_unit).
    rewrite <- (Ex_const S del), <- Ex_scal, <- Ex_plus by (apply Int_bounded; auto with dp).
    apply Ex_le; try (apply Int_bounded; auto with dp); intros x; now apply H.
Qed.
Lemma kept_reversed {Y} (C : dist Y -> dist Y -> Prop) : kept C -> kept (fun P Q => C Q P).
Proof. intros [S M]; split; [intros P P' Q Q' HP HQ; now apply S|intros X T K L H; now apply M]. Qed.
Lemma no_easier_kept {Y} mu : 0 < mu -> kept (fun P Q : dist Y => no_easier mu P Q).
Proof.
  intros M; split.
  - intros P P' Q Q' HP HQ C f x F B; rewrite <- HP by auto; rewrite <- HQ in B by auto; now apply C.
  - intros X S K L H; apply close_no_easier; auto; intros eps; apply (proj2 (close_kept eps (gaussian_delta mu eps))).
    intros x; now apply no_easier_close.
Qed.

(** Renyi divergences: a bound on tests at each slope is kept in means, and a coin makes mixtures. *)
Lemma mixtures_kept {Y} mu a b : kept (fun P Q : dist Y => mixtures mu a b P Q).
Proof.
  split.
  - intros P P' Q Q' HP HQ C s f Hs F; rewrite <- HP, <- HQ by auto; now apply C.
  - intros X S K L H s f Hs F; cbn [Ex bind].
    assert (B : forall D : X -> dist Y, bounded (fun x => Ex (D x) f)) by (intros D; apply unit_bounded; intros x; now apply Ex_unit).
    rewrite <- (Ex_const S (mixture_delta mu a b s)), <- (Ex_scal _ S s), <- Ex_minus by (apply Int_bounded; auto with dp).
    apply Ex_le; [apply Int_minus; apply Int_bounded; auto with dp|apply Int_const|]; intros x; now apply H.
Qed.
Lemma removed_mixture {Y} mu q (Hq : 0 <= q <= 1) (P Q : dist Y) : 0 < mu -> 0 < q -> no_easier mu P Q -> mixtures mu q 0 (mixed q Hq P Q) Q.
Proof.
  intros M Q0 H; apply (no_easier_mixtures mu q 0 M ltac:(lra) Q0 Q P); auto; intros f _; cbn [Ex mixed bind bernoulli]; ring.
Qed.
Lemma added_mixture {Y} mu q (Hq : 0 <= q <= 1) (P Q : dist Y) : 0 < mu -> 0 < q -> no_easier mu Q P -> mixtures mu 1 (1 - q) Q (mixed q Hq P Q).
Proof.
  intros M Q0 H; apply (no_easier_mixtures mu 1 (1 - q) M ltac:(lra) ltac:(lra) P Q); auto; intros f _; cbn [Ex mixed bind bernoulli]; ring.
Qed.
(** Both directions by the moment of the mixture. *)
Lemma forth_bound mu q al A : 0 < mu -> 0 < q <= 1 -> 1 < al -> (forall u v, u <= v -> RInt (forth q mu al) u v <= whole * A) ->
  (forall u v, u <= v -> third (moment mu q 0 al) u v <= A) /\ (forall u v, u <= v -> third (moment mu 1 (1 - q) al) u v <= A).
Proof.
  intros M Q al1 H; pose proof whole_pos as W; split; intros u v L; unfold third;
    (apply Rmult_le_reg_l with whole; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra).
  - rewrite (RInt_ext _ (forth q mu al)) by (intros x _; now apply forth_moment); now apply H.
  - rewrite (RInt_ext _ (fun x => back q mu al (mu - x))).
    + rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ (turned_RInt mu (back q mu al) u v (ex_back q mu Q al (mu - v) (mu - u)))).
      apply (back_below q mu Q M al al1 (whole * A) H); lra.
    + intros x _; rewrite <- (back_moment q mu Q al (mu - x)); f_equal; ring.
Qed.

(** * The mechanism *)
(** A vector of numbers of a sample, each with noise of scale [s] rounded to a grid of step [g], and any function [release] of it. *)
Section Mechanism.
Context {A Y : Type} (s : R) (Hs : 0 < s) (g : R) (Hg : 0 < g) (T : list A -> list R) (release : list Z -> Y).
Definition noisy (rows : list A) : dist Y := dmap release (multiples s Hs g Hg (T rows)).

(** One row more moves the vector by at most [d] in L2, and [mu] is at least the distance in scales, rounded up. *)
Variables (d mu : R) (M : 0 < mu) (Hmu : gaussian_mu s d <= mu).
Hypothesis sensitivity : forall a r b, length (T (a ++ r :: b)) = length (T (a ++ b)) /\ distance l2 (T (a ++ r :: b)) (T (a ++ b)) <= d.
Lemma noisy_no_easier r a b : no_easier mu (noisy (a ++ r :: b)) (noisy (a ++ b)) /\ no_easier mu (noisy (a ++ b)) (noisy (a ++ r :: b)).
Proof.
  destruct (sensitivity a r b) as [E H].
  destruct (make_gaussian_numbers_mu s Hs g Hg release _ _ d E H) as [F B]; split; now apply no_easier_mono with (gaussian_mu s d).
Qed.

Variables (q : R) (Hq : 0 <= q <= 1).

(** The pair of one dimension dominates, in either order, at any slope, so that products of pairs dominate compositions. *)
Theorem sampled_gaussian_dominated q' (Hq' : 0 <= q' <= 1) a r b : q <= q' ->
  dominated (sampled q' Hq' (gaussian mu)) (bind (coins q Hq (a ++ r :: b)) noisy) (bind (coins q Hq (a ++ b)) noisy) /\
  dominated (swapped (sampled q' Hq' (gaussian mu))) (bind (coins q Hq (a ++ b)) noisy) (bind (coins q Hq (a ++ r :: b)) noisy).
Proof.
  intros L; apply poisson_dominated_sequence; auto; intros x y; apply gaussian_dominates; auto; apply noisy_no_easier.
Qed.

(** Its curves, for rows in any place. *)
Theorem sampled_gaussian_close e a r b : 0 < q -> 0 <= e ->
  close e (removed_delta q mu e) (bind (coins q Hq (a ++ r :: b)) noisy) (bind (coins q Hq (a ++ b)) noisy) /\
  close e (added_delta q mu e) (bind (coins q Hq (a ++ b)) noisy) (bind (coins q Hq (a ++ r :: b)) noisy).
Proof.
  intros Q0 E; split.
  - apply (poisson_sequence q Hq (fun P Q => no_easier mu P Q) (fun P Q => close e (removed_delta q mu e) P Q));
      auto using no_easier_kept, close_kept; [intros; now apply removed_coin|intros; apply noisy_no_easier].
  - apply (poisson_sequence q Hq (fun P Q => no_easier mu Q P) (fun P Q => close e (added_delta q mu e) Q P) (kept_reversed _ (no_easier_kept mu M))
      (kept_reversed _ (close_kept _ _))); [intros; now apply added_coin|intros; apply noisy_no_easier].
Qed.

(** The curve of Renyi divergences, in both directions: [top] is at least the mean of [L^al] under N(0, 1), over any window of it, and [L] the
    likelihood ratio of the mixture. *)
Theorem sampled_gaussian_renyi al top a r b : 0 < q -> 1 < al -> 0 < top ->
  (forall u v, u <= v -> RInt (fun x => hill 0 x * Rpower (1 - q + q * exp (mu * x - mu * mu / 2)) al) u v <= whole * top) ->
  renyi al (ln top / (al - 1)) (bind (coins q Hq (a ++ r :: b)) noisy) (bind (coins q Hq (a ++ b)) noisy) /\
  renyi al (ln top / (al - 1)) (bind (coins q Hq (a ++ b)) noisy) (bind (coins q Hq (a ++ r :: b)) noisy).
Proof.
  intros Q0 Hal Htop Mom; destruct (forth_bound mu q al top M (conj Q0 (proj2 Hq)) Hal Mom) as [F B]; split.
  - apply (mixtures_renyi mu q 0 M Hq ltac:(lra)); auto.
    apply (poisson_sequence q Hq (fun P Q => no_easier mu P Q) (fun P Q => mixtures mu q 0 P Q)); auto using no_easier_kept, mixtures_kept.
    + intros; now apply removed_mixture.
    + intros; apply noisy_no_easier.
  - apply (mixtures_renyi mu 1 (1 - q) M ltac:(lra) ltac:(lra)); auto.
    apply (poisson_sequence q Hq (fun P Q => no_easier mu Q P) (fun P Q => mixtures mu 1 (1 - q) Q P) (kept_reversed _ (no_easier_kept mu M))
      (kept_reversed _ (mixtures_kept _ _ _))).
    + intros; now apply added_mixture.
    + intros; apply noisy_no_easier.
Qed.
End Mechanism.

(** Multisets of rows: the vector does not depend on their order, as exact sums do not. *)
Theorem sampled_gaussian_dominated_multiset {A Y} s Hs g Hg (T : list A -> list R) (release : list Z -> Y) d mu q q' (Hq : 0 <= q <= 1) (Hq' : 0 <= q' <= 1)
  x x' r : 0 < mu -> gaussian_mu s d <= mu ->
  (forall a r b, length (T (a ++ r :: b)) = length (T (a ++ b)) /\ distance l2 (T (a ++ r :: b)) (T (a ++ b)) <= d) ->
  (forall a b, Permutation a b -> T a = T b) -> q <= q' -> Permutation x' (r :: x) ->
  let M := noisy s Hs g Hg T release in
  dominated (sampled q' Hq' (gaussian mu)) (bind (coins q Hq x') M) (bind (coins q Hq x) M) /\
  dominated (swapped (sampled q' Hq' (gaussian mu))) (bind (coins q Hq x) M) (bind (coins q Hq x') M).
Proof.
  intros M Hmu S O L P N; apply poisson_dominated_multiset with r; auto.
  - intros a b K f _; unfold N, noisy; now rewrite (O a b K).
  - intros t; apply gaussian_dominates; auto; apply (noisy_no_easier s Hs g Hg T release d mu Hmu S r [] t).
Qed.

Theorem sampled_gaussian_renyi_multiset {A Y} s Hs g Hg (T : list A -> list R) (release : list Z -> Y) d mu q (Hq : 0 <= q <= 1) al top x x' r :
  0 < mu -> gaussian_mu s d <= mu ->
  (forall a r b, length (T (a ++ r :: b)) = length (T (a ++ b)) /\ distance l2 (T (a ++ r :: b)) (T (a ++ b)) <= d) ->
  (forall a b, Permutation a b -> T a = T b) -> Permutation x' (r :: x) -> 0 < q -> 1 < al -> 0 < top ->
  (forall u v, u <= v -> RInt (fun x => hill 0 x * Rpower (1 - q + q * exp (mu * x - mu * mu / 2)) al) u v <= whole * top) ->
  let M := noisy s Hs g Hg T release in
  renyi al (ln top / (al - 1)) (bind (coins q Hq x') M) (bind (coins q Hq x) M) /\
  renyi al (ln top / (al - 1)) (bind (coins q Hq x) M) (bind (coins q Hq x') M).
Proof.
  intros M Hmu S O P Q0 Hal Htop Mom N; destruct (forth_bound mu q al top M (conj Q0 (proj2 Hq)) Hal Mom) as [F B].
  assert (ON : order_free N) by (intros a b K f _; unfold N, noisy; now rewrite (O a b K)).
  assert (E : forall t, no_easier mu (N (r :: t)) (N t) /\ no_easier mu (N t) (N (r :: t))) by
    (intros t; apply (noisy_no_easier s Hs g Hg T release d mu Hmu S r [] t)).
  split.
  - apply (mixtures_renyi mu q 0 M Hq ltac:(lra)); auto.
    apply (poisson_multiset q Hq (fun P Q => no_easier mu P Q) (fun P Q => mixtures mu q 0 P Q) (mixtures_kept mu q 0)) with r; auto.
    + intros; now apply removed_mixture.
    + intros t; apply E.
  - apply (mixtures_renyi mu 1 (1 - q) M ltac:(lra) ltac:(lra)); auto.
    apply (poisson_multiset q Hq (fun P Q => no_easier mu Q P) (fun P Q => mixtures mu 1 (1 - q) Q P) (kept_reversed _ (mixtures_kept mu 1 (1 - q)))) with r; auto.
    + intros; now apply added_mixture.
    + intros t; apply E.
Qed.

(** Steps of which each chooses its vector by what the ones before it released, such as those of a training by gradients: the product of as many
    pairs dominates, in either order. *)
Theorem sampled_gaussian_steps {A Y} s Hs g Hg (T : list Y -> list A -> list R) (release : list Y -> list Z -> Y) d mu q (Hq : 0 <= q <= 1) n a r b :
  0 < mu -> gaussian_mu s d <= mu ->
  (forall seen a r b, length (T seen (a ++ r :: b)) = length (T seen (a ++ b)) /\ distance l2 (T seen (a ++ r :: b)) (T seen (a ++ b)) <= d) ->
  let run rows := in_turn n (fun seen => bind (coins q Hq rows) (noisy s Hs g Hg (T seen) (release seen))) [] in
  let W := sampled q Hq (gaussian mu) in
  dominated (products (repeat W n)) (run (a ++ r :: b)) (run (a ++ b)) /\
  dominated (products (repeat (swapped W) n)) (run (a ++ b)) (run (a ++ r :: b)).
Proof.
  intros M Hmu S run W; pose proof (gaussian_closed mu) as C; split; apply in_turn_dominated.
  - exact (sampled_closed q Hq _ C).
  - intros seen; now apply (sampled_gaussian_dominated s Hs g Hg (T seen) (release seen) d mu M Hmu (S seen) q Hq q Hq a r b (Rle_refl q)).
  - exact (swapped_closed _ (sampled_closed q Hq _ C)).
  - intros seen; now apply (sampled_gaussian_dominated s Hs g Hg (T seen) (release seen) d mu M Hmu (S seen) q Hq q Hq a r b (Rle_refl q)).
Qed.
