(** [make_count_individuals_by]: the number of individuals of each key, where an individual counts in a few keys, and once in each. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Dataset Totals Rounding Maps categories bound_contributions keys.
Import ListNotations.
Open Scope R_scope.

Section Individuals.
Context {P K : Type} (individual_dec : forall p q : P, {p = q} + {p <> q}) (key_dec : forall p q : K, {p = q} + {p <> q}).
(** The order of one individual's keys: by hash of individual and key, then by the key's encoding. *)
Context (le : P -> K -> K -> bool).
Hypothesis le_total : forall p a b, le p a b = true \/ le p b a = true.
Hypothesis le_trans : forall p a b c, le p a b = true -> le p b c = true -> le p a c = true.
Hypothesis le_antisym : forall p a b, le p a b = true -> le p b a = true -> a = b.
Variable m : nat.

Definition pair_dec (a b : P * K) : {a = b} + {a <> b}.
Proof. decide equality. Defined.
(** Each pair of an individual and a key once. *)
Definition distinct (x : list (P * K)) : list (P * K) := nodup pair_dec x.
Definition counted (x : list (P * K)) : list K := keep individual_dec le m (distinct x).
Definition individuals_by (x : list (P * K)) (k : K) : R := INR (count_occ key_dec (counted x) k).

Lemma in_rows p k (x : list (P * K)) : In k (rows_of individual_dec p x) <-> In (p, k) x.
Proof.
  unfold rows_of; rewrite in_map_iff; split.
  - intros ([q k'] & <- & H); apply filter_In in H; destruct H as [H E]; simpl in *.
    destruct (individual_dec p q); [now subst|discriminate].
  - intros H; exists (p, k); split; auto; apply filter_In; split; auto; simpl; destruct (individual_dec p p); congruence.
Qed.
Lemma rows_distinct p (x : list (P * K)) : NoDup x -> NoDup (rows_of individual_dec p x).
Proof.
  unfold rows_of; induction 1 as [|[q k] x F N IH]; simpl; [constructor|].
  destruct (individual_dec p q) as [<-|]; simpl; auto; constructor; auto.
  intros I; apply F; now apply (in_rows p k x).
Qed.
Lemma firstn_distinct {A} j (l : list A) : NoDup l -> NoDup (firstn j l).
Proof.
  intros N; revert j; induction N as [|a l F N IH]; intros [|j]; simpl; constructor; auto.
  intros I; apply F; rewrite <- (firstn_skipn j l); apply in_or_app; now left.
Qed.
Lemma kept_distinct x p : NoDup (kept individual_dec le m (distinct x) p).
Proof.
  apply firstn_distinct; eapply Permutation_NoDup; [apply sort_perm|]; apply rows_distinct, NoDup_nodup.
Qed.

Lemma rows_empty p (x : list (P * K)) : rows_of individual_dec p (distinct x) = [] <-> rows_of individual_dec p x = [].
Proof.
  assert (E : forall l : list K, l = [] <-> forall k, ~ In k l).
  { intros [|k l]; split; auto; [discriminate|intros H; elim (H k); now left]. }
  rewrite !E; split; intros H k I; apply (H k); apply in_rows in I; apply in_rows; now apply nodup_In in I || apply nodup_In.
Qed.
Lemma individuals_distinct d x y : individuals individual_dec d x y -> individuals individual_dec d (distinct x) (distinct y).
Proof.
  intros (ps & N & H & C); exists ps; repeat split; auto.
  - intros p F; specialize (H p F); apply NoDup_Permutation; try (apply rows_distinct, NoDup_nodup).
    intros k; rewrite !in_rows; unfold distinct; rewrite !nodup_In, <- !in_rows.
    split; apply Permutation_in; [|apply Permutation_sym]; exact H.
  - replace (total_cost individual_dec ps (distinct x) (distinct y)) with (total_cost individual_dec ps x y); auto.
    clear - ps; induction ps as [|p ps IH]; simpl; auto; rewrite IH; f_equal; unfold cost.
    pose proof (rows_empty p x); pose proof (rows_empty p y).
    destruct (rows_of individual_dec p x), (rows_of individual_dec p (distinct x)), (rows_of individual_dec p y),
      (rows_of individual_dec p (distinct y)); auto; intuition discriminate.
Qed.

(** What an individual adds to a map: ones, in a few keys. *)
Section Norms.
Variables (ks : list K) (Hks : NoDup ks).
Let n := length ks.
Let c (k : K) : vector := single (place key_dec ks k) 1.

Lemma total_counts l j : total c l j = match nth_error ks j with Some k => INR (count_occ key_dec l k) | None => 0 end.
Proof.
  induction l as [|a l IH]; cbn [total count_occ]; [unfold vzero; destruct (nth_error ks j); auto|].
  unfold vplus; rewrite IH; unfold c; rewrite single_place by auto; destruct (nth_error ks j) as [k|]; [|ring].
  destruct (key_dec a k), (key_dec k a); try congruence; rewrite ?S_INR; ring.
Qed.
Lemma ones l j : NoDup l -> 0 <= total c l j <= 1.
Proof.
  intros N; rewrite total_counts; destruct (nth_error ks j) as [k|]; [|lra].
  pose proof (proj1 (NoDup_count_occ key_dec l) N k) as L; apply le_INR in L; simpl in L.
  split; [apply pos_INR|exact L].
Qed.
Lemma total_bound (N : vector -> R) (HN : seminorm N) l : (forall k, N (c k) <= 1) -> (length l <= m)%nat -> N (total c l) <= INR m.
Proof.
  intros H L; apply le_INR in L.
  eapply Rle_trans; [apply (norm_total c N HN l 1)|]; [intros; apply H|lra].
Qed.
Lemma l1_ones l : (length l <= m)%nat -> l1 n (total c l) <= INR m.
Proof.
  apply total_bound; [apply l1_seminorm|]; intros k; pose proof (l1_single n (place key_dec ks k) 1) as H.
  rewrite Rabs_R1 in H; exact H.
Qed.
Lemma l2_ones l : NoDup l -> (length l <= m)%nat -> l2 n (total c l) <= sqrt (INR m).
Proof.
  intros N L; apply sqrt_le_1_alt; eapply Rle_trans; [|apply (l1_ones l L)].
  pose proof (fun j => ones l j N) as O; generalize (total c l) O; clear; intros u O.
  induction n as [|k IH]; cbn [squares l1]; [lra|]; specialize (O k); rewrite Rabs_pos_eq by lra; nra.
Qed.

(** A seminorm of the difference is at most the bound for one individual, times the number of individuals. *)
Lemma individuals_norm (N : vector -> R) (HN : seminorm N) b d x y : 0 <= b ->
  (forall l, NoDup l -> (length l <= m)%nat -> N (total c l) <= b) -> individuals individual_dec d x y ->
  N (difference ks (individuals_by x) (individuals_by y)) <= INR d * b.
Proof.
  intros Hb B H; apply individuals_distinct in H.
  destruct (keep_parts individual_dec le le_total le_trans le_antisym m d _ _ H) as (ps & common & C & X & Y).
  set (kx := kept individual_dec le m (distinct x)) in *; set (ky := kept individual_dec le m (distinct y)) in *.
  assert (E : forall j, difference ks (individuals_by x) (individuals_by y) j =
    vminus (total c (flat_map kx ps)) (total c (flat_map ky ps)) j).
  { intros j; transitivity (vminus (total c (counted x)) (total c (counted y)) j).
    - unfold difference, individuals_by, vminus; rewrite !total_counts; destruct (nth_error ks j); ring.
    - unfold vminus; rewrite (total_permutation c _ _ X), (total_permutation c _ _ Y), !total_app; ring. }
  rewrite (norm_ext N HN _ _ E); apply le_INR in C.
  apply Rle_trans with (INR (total_cost individual_dec ps (distinct x) (distinct y)) * b); [|now apply Rmult_le_compat_r].
  clear E X Y C H; induction ps as [|p ps IH]; cbn [flat_map total_cost].
  - rewrite (norm_ext N HN _ vzero), (norm_zero N HN); [simpl; lra|]; intros j; unfold vminus, vzero; simpl; unfold vzero; ring.
  - rewrite (norm_ext N HN _ (vplus (vminus (total c (kx p)) (total c (ky p)))
      (vminus (total c (flat_map kx ps)) (total c (flat_map ky ps))))) by
      (intros j; unfold vminus, vplus; rewrite !total_app; ring).
    eapply Rle_trans; [apply (norm_plus N HN)|]; rewrite plus_INR, Rmult_plus_distr_r; apply Rplus_le_compat; auto.
    assert (Bx : N (total c (kx p)) <= b) by (apply B; [apply kept_distinct|apply kept_length]).
    assert (By : N (total c (ky p)) <= b) by (apply B; [apply kept_distinct|apply kept_length]).
    assert (Z : N (total c []) = 0) by apply (norm_zero N HN).
    pose proof (norm_minus N HN (total c (kx p)) (total c (ky p))) as M.
    unfold cost; destruct (rows_of individual_dec p (distinct x)) eqn:Ex.
    + replace (kx p) with (@nil K) in * by (symmetry; now apply kept_absent); change (INR 1) with 1; lra.
    + destruct (rows_of individual_dec p (distinct y)) eqn:Ey; [|change (INR 2) with (1 + 1); lra].
      replace (ky p) with (@nil K) in * by (symmetry; now apply kept_absent); change (INR 1) with 1; lra.
Qed.
End Norms.

Theorem make_count_individuals_by_stable MO d x y : individuals individual_dec d x y ->
  map_apart MO ((d * m)%nat, moved d (norm_of_ones MO m), moved d 1) (individuals_by x) (individuals_by y).
Proof.
  intros H ks N; cbv zeta; repeat split.
  - rewrite mult_INR; apply individuals_norm; auto using support_seminorm, pos_INR; intros l _ L.
    apply total_bound; auto using support_seminorm; intros; apply support_single.
  - destruct MO; simpl map_norm; unfold norm_of_ones.
    + eapply Rle_trans; [|apply (moved_sound d (INR m)); split; [apply pos_INR|apply Rle_refl]].
      apply individuals_norm; auto using l1_seminorm, pos_INR, l1_ones.
    + eapply Rle_trans; [|apply (moved_sound d (sqrt (INR m))); split; [apply sqrt_pos|apply up_ge]].
      apply individuals_norm; auto using l2_seminorm, sqrt_pos, l2_ones.
  - eapply Rle_trans; [|apply (moved_sound d 1); lra].
    apply individuals_norm; auto using linf_seminorm; [lra|]; intros l L _.
    apply linf_le; [lra|]; intros j; destruct (ones ks N l j L); rewrite Rabs_pos_eq; lra.
Qed.
End Individuals.
