(** Chains of [>>] in one piece, from rows to the law of what is released: each step's output is measured as the next step's input is.

    A distance in L1 or L2 is told of vectors in [Totals], of lists of numbers and of integers in the noise, and of keys in [alp]: they are one. *)
Require Import Reals Lra Lia ZArith List.
From DP Require Import Expect Approx Measures GaussianDivergence Dataset Totals Rounding Maps categories chain.
From DP Require clamp sum count sum_by_categories laplace gaussian alp.
Import ListNotations.
Open Scope R_scope.

(** * One distance *)

(** The first [n] entries. *)
Definition listed (n : nat) (u : vector) : list R := map u (seq 0 n).
Lemma listed_length n u : length (listed n u) = n.
Proof. unfold listed; now rewrite map_length, seq_length. Qed.
Lemma list_listed xs : xs = listed (length xs) (fun j => nth j xs 0).
Proof.
  induction xs as [|x xs IH]; auto; unfold listed in *; cbn [length seq map nth].
  now rewrite <- seq_shift, map_map, <- IH.
Qed.

Lemma total_cost_last {X} (c : X -> X -> R) xs ys x y : length xs = length ys ->
  laplace.total_cost c (xs ++ [x]) (ys ++ [y]) = laplace.total_cost c xs ys + c x y.
Proof.
  revert ys; induction xs as [|a xs IH]; intros [|b ys] E; try discriminate; simpl; [lra|].
  rewrite IH by (now injection E); lra.
Qed.
Lemma total_cost_map {X X'} (h : X -> X') (c : X' -> X' -> R) (c' : X -> X -> R) xs ys : (forall x y, c' x y = c (h x) (h y)) ->
  laplace.total_cost c' xs ys = laplace.total_cost c (map h xs) (map h ys).
Proof. intros H; revert ys; induction xs as [|x xs IH]; intros [|y ys]; simpl; auto; now rewrite H, IH. Qed.

Theorem l1_vectors n u v : laplace.l1_numbers (listed n u) (listed n v) = l1 n (vminus u v).
Proof.
  unfold laplace.l1_numbers, listed; induction n as [|n IH]; auto; rewrite seq_S, !map_app; simpl map.
  rewrite total_cost_last by (now rewrite !map_length); now rewrite IH.
Qed.
Theorem l2_vectors n u v : gaussian.l2_numbers (listed n u) (listed n v) = l2 n (vminus u v).
Proof.
  unfold gaussian.l2_numbers, l2; f_equal; unfold listed; induction n as [|n IH]; auto; rewrite seq_S, !map_app; simpl map.
  rewrite total_cost_last by (now rewrite !map_length); now rewrite IH.
Qed.
Theorem l1_lists xs ys : length xs = length ys -> laplace.l1_numbers xs ys = l1 (length xs) (fun j => nth j xs 0 - nth j ys 0).
Proof. intros E; rewrite (list_listed xs), (list_listed ys), <- E at 1; apply l1_vectors. Qed.
Theorem l2_lists xs ys : length xs = length ys -> gaussian.l2_numbers xs ys = l2 (length xs) (fun j => nth j xs 0 - nth j ys 0).
Proof. intros E; rewrite (list_listed xs), (list_listed ys), <- E at 1; apply l2_vectors. Qed.
Theorem l1_of_integers xs ys : laplace.l1_integers xs ys = laplace.l1_numbers (map IZR xs) (map IZR ys).
Proof. apply total_cost_map; intros x y; now rewrite abs_IZR, minus_IZR. Qed.
Theorem l2_of_integers xs ys : gaussian.l2_integers xs ys = gaussian.l2_numbers (map IZR xs) (map IZR ys).
Proof. unfold gaussian.l2_integers, gaussian.l2_numbers; f_equal; now apply total_cost_map. Qed.
Theorem l1_of_keys {K} (keys : list K) v v' : alp.l1_distance keys v v' = laplace.l1_numbers (map v keys) (map v' keys).
Proof. unfold laplace.l1_numbers; induction keys; simpl; congruence. Qed.

(** * Steps, with the domains that they lead to *)

(** Members of a domain, so far apart. *)
Definition inside {D X} (member : X -> Prop) (near : D -> X -> X -> Prop) (d : D) (x y : X) : Prop := member x /\ member y /\ near d x y.
Definition lists {X} (distance : list X -> list X -> R) (d : R) (xs ys : list X) : Prop := length xs = length ys /\ distance xs ys <= d.
Definition in_bounds (l u : R) (x : list R) : Prop := forall v, In v x -> l <= v <= u.
Definition values_in_bounds {K} (l u : R) (x : list (K * R)) : Prop := forall row, In row x -> l <= snd row <= u.

Section Steps.
Context (M : row_metric) (l u : R) (Hlu : l <= u).

Lemma clamp_rows : promise (apart M) (inside (in_bounds l u) (apart M)) (map (clamp.clamp l u)) Some.
Proof.
  intros d d' x y H [= <-]; split; [|split]; [| |now apply clamp.make_clamp_rows];
    intros v I; apply in_map_iff in I; destruct I as (w & <- & _); now apply clamp.clamp_member.
Qed.
Lemma clamp_values {K} : promise (apart M) (inside (@values_in_bounds K l u) (apart M)) (map (on_value (clamp.clamp l u))) Some.
Proof.
  intros d d' x y H [= <-]; split; [|split]; [| |now apply clamp.make_clamp_pairs];
    intros v I; apply in_map_iff in I; destruct I as (w & <- & _); simpl; now apply clamp.clamp_member.
Qed.

Lemma sum_l1 : promise (inside (in_bounds l u) (apart M)) (lists laplace.l1_numbers)
  (fun x => [sum.sum x]) (fun d => Some (sum.sum_map M false l u d)).
Proof.
  intros d d' x y (X & Y & H) [= <-]; split; auto; unfold laplace.l1_numbers; simpl; rewrite Rplus_0_r.
  apply (sum.make_sum_stable M None); auto; [intros v []; auto|discriminate].
Qed.
Lemma sum_l2 : promise (inside (in_bounds l u) (apart M)) (lists gaussian.l2_numbers)
  (fun x => [sum.sum x]) (fun d => Some (sum.sum_map M false l u d)).
Proof.
  intros d d' x y H E; destruct (sum_l1 d d' x y H E) as [L B]; split; auto.
  unfold laplace.l1_numbers, gaussian.l2_numbers in *; simpl in *; rewrite Rplus_0_r in *.
  rewrite Rmult_1_r; fold (Rsqr (sum.sum x - sum.sum y)); now rewrite sqrt_Rsqr_abs.
Qed.

Context {K : Type} (position : K -> option nat) (n : nat).
Definition sums (x : list (K * R)) : list R := listed n (total (contribution position) x).
Lemma sums_l1 : promise (inside (values_in_bounds l u) (apart M)) (lists laplace.l1_numbers)
  sums (fun d => Some (moved d (step L1Distance (unit M) (magnitude l u) (range l u)))).
Proof.
  intros d d' x y (X & Y & H) [= <-]; unfold sums; split; [now rewrite !listed_length|]; rewrite l1_vectors.
  apply (sum_by_categories.make_sum_by_categories_stable position L1Distance n l u Hlu); auto; intros row []; auto.
Qed.
Lemma sums_l2 : promise (inside (values_in_bounds l u) (apart M)) (lists gaussian.l2_numbers)
  sums (fun d => Some (moved d (step L2Distance (unit M) (magnitude l u) (range l u)))).
Proof.
  intros d d' x y (X & Y & H) [= <-]; unfold sums; split; [now rewrite !listed_length|]; rewrite l2_vectors.
  apply (sum_by_categories.make_sum_by_categories_stable position L2Distance n l u Hlu); auto; intros row []; auto.
Qed.
End Steps.

Lemma count_l1 {A} M : promise (@apart A M) (lists laplace.l1_integers)
  (fun x => [Z.of_nat (length x)]) (fun d => Some (count.count_map M false d)).
Proof.
  intros d d' x y H [= <-]; split; auto; rewrite l1_of_integers; unfold laplace.l1_numbers; simpl.
  rewrite Rplus_0_r, <- !INR_IZR_INZ; apply (count.make_count_stable M None); auto; discriminate.
Qed.

(** * Noise *)
Section Chains.
Context {Y : Type} (release : list Z -> Y) (s g : R) (Hs : 0 < s) (Hg : 0 < g).
Definition laplace_noise (xs : list R) : dist Y := dmap release (laplace.multiples s Hs g Hg xs).
Definition laplace_noise_of_integers (xs : list Z) : dist Y := dmap release (laplace.integers s Hs xs).
Definition gaussian_noise (xs : list R) : dist Y := dmap release (gaussian.multiples s Hs g Hg xs).

Lemma laplace_promise : promise (lists laplace.l1_numbers) (@max_divergence Y) laplace_noise (fun d => Some (laplace.laplace_map s d)).
Proof.
  intros d d' xs ys [E H] [= <-]; split; apply laplace.make_laplace_released; auto.
  rewrite l1_lists in * by auto; rewrite <- E; eapply Rle_trans; [|exact H]; right.
  rewrite <- (norm_opp _ (l1_seminorm _)); apply (norm_ext _ (l1_seminorm _)); intros j; ring.
Qed.
Lemma laplace_promise_of_integers : promise (lists laplace.l1_integers) (@max_divergence Y) laplace_noise_of_integers
  (fun d => Some (laplace.laplace_map s d)).
Proof.
  intros d d' xs ys [E H] [= <-]; split; apply laplace.make_laplace_released_integers; auto.
  rewrite l1_of_integers, l1_lists in * by (now rewrite !map_length); rewrite !map_length, <- E in *.
  eapply Rle_trans; [|exact H]; right.
  rewrite <- (norm_opp _ (l1_seminorm _)); apply (norm_ext _ (l1_seminorm _)); intros j; ring.
Qed.
Lemma gaussian_promise : promise (lists gaussian.l2_numbers) (@zero_concentrated Y) gaussian_noise (fun d => Some (gaussian.gaussian_map s d)).
Proof. intros d d' xs ys [E H] [= <-]; now apply gaussian.make_gaussian_numbers. Qed.
Lemma gaussian_promise_mu : promise (lists gaussian.l2_numbers) (@gaussian_divergence Y) gaussian_noise (fun d => Some (gaussian.gaussian_mu s d)).
Proof. intros d d' xs ys [E H] [= <-]; now apply gaussian.make_gaussian_numbers_mu. Qed.

Context (M : row_metric) (l u : R) (Hlu : l <= u).

Theorem count_laplace {A} : promise (@apart A M) (@max_divergence Y)
  (fun x => laplace_noise_of_integers [Z.of_nat (length x)])
  (fun d => Some (laplace.laplace_map s (count.count_map M false d))).
Proof. exact (chain_promise _ _ _ _ _ _ _ (count_l1 M) laplace_promise_of_integers). Qed.

Theorem clamp_sum_laplace : promise (apart M) (@max_divergence Y)
  (fun x => laplace_noise [sum.sum (map (clamp.clamp l u) x)])
  (fun d => Some (laplace.laplace_map s (sum.sum_map M false l u d))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_rows M l u Hlu) (chain_promise _ _ _ _ _ _ _ (sum_l1 M l u Hlu) laplace_promise)).
Qed.
Theorem clamp_sum_gaussian : promise (apart M) (@gaussian_divergence Y)
  (fun x => gaussian_noise [sum.sum (map (clamp.clamp l u) x)])
  (fun d => Some (gaussian.gaussian_mu s (sum.sum_map M false l u d))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_rows M l u Hlu) (chain_promise _ _ _ _ _ _ _ (sum_l2 M l u Hlu) gaussian_promise_mu)).
Qed.

Context {K : Type} (position : K -> option nat) (n : nat).
Theorem clamp_sum_by_categories_laplace : promise (apart M) (@max_divergence Y)
  (fun x => laplace_noise (sums position n (map (on_value (clamp.clamp l u)) x)))
  (fun d => Some (laplace.laplace_map s (moved d (step L1Distance (unit M) (magnitude l u) (range l u))))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_values M l u Hlu)
    (chain_promise _ _ _ _ _ _ _ (sums_l1 M l u Hlu position n) laplace_promise)).
Qed.
Theorem clamp_sum_by_categories_gaussian : promise (apart M) (@zero_concentrated Y)
  (fun x => gaussian_noise (sums position n (map (on_value (clamp.clamp l u)) x)))
  (fun d => Some (gaussian.gaussian_map s (moved d (step L2Distance (unit M) (magnitude l u) (range l u))))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_values M l u Hlu)
    (chain_promise _ _ _ _ _ _ _ (sums_l2 M l u Hlu position n) gaussian_promise)).
Qed.
End Chains.
