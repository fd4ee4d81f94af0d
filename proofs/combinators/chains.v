(** Chains of [>>] in one piece, from rows to the law of what is released: each step leads to the space that the next
    asks for, domain and metric, and is used for members alone.  Distances are those of [Totals]. *)
Require Import Reals Lra Lia ZArith List Permutation.
From DP Require Import Expect Approx Measures GaussianDivergence Dataset Totals Rounding Maps categories keys chain.
From DP Require clamp sum count count_by sum_by_categories laplace gaussian alp.
Import ListNotations.
Open Scope R_scope.

(** * Spaces *)

(** Rows, of which all have a property, and as many as the domain says, if it says how many ([VectorDomain]). *)
Definition has_size {A} (size : option nat) (x : list A) : Prop := forall n, size = Some n -> length x = n.
Definition rows {A} (M : row_metric) (size : option nat) (row : A -> Prop) : space nat (list A) :=
  {| member x := has_size size x /\ forall v, In v x -> row v; near := apart M |}.
Definition anything {A} (a : A) : Prop := True.
Definition within (l u v : R) : Prop := l <= v <= u.
Definition value_within {K} (l u : R) (row : K * R) : Prop := l <= snd row <= u.

Lemma any_rows {A} M (x : list A) : member (rows M None anything) x.
Proof. split; [intros n E; discriminate E|intros v _; exact I]. Qed.

(** Numbers and integers by how far they are apart. *)
Definition numbers : space R R := {| member := anything; near d x y := Rabs (x - y) <= d |}.
Definition integers : space R Z := {| member := anything; near d x y := IZR (Z.abs (x - y)) <= d |}.
(** Vectors of numbers, infinitely far apart if their lengths differ. *)
Definition vectors (N : nat -> vector -> R) (size : option nat) : space R (list R) :=
  {| member := has_size size; near d xs ys := length xs = length ys /\ distance N xs ys <= d |}.
(** Numbers of keys. *)
Definition maps {K} (MO : map_metric) : space (nat * R * R) (K -> R) := {| member := anything; near := map_apart MO |}.

(** * Steps *)
Section Steps.
Context (M : row_metric) (size : option nat) (l u : R) (Hlu : l <= u).
Definition sized : bool := if size then true else false.

Lemma rows_map {A B} (f : A -> B) (row : A -> Prop) (row' : B -> Prop) : (forall v, row v -> row' (f v)) ->
  stable (rows M size row) (rows M size row') (map f) Some.
Proof.
  intros F; split.
  - intros x [L H]; split; [intros n E; rewrite map_length; now apply L|].
    intros v I; apply in_map_iff in I; destruct I as (w & <- & I); auto.
  - intros d d' x y _ _ N [= <-]; cbn [near rows] in *; now apply apart_map.
Qed.
Lemma clamp_rows : stable (rows M size anything) (rows M size (within l u)) (map (clamp.clamp l u)) Some.
Proof. apply rows_map; intros v _; now apply clamp.clamp_member. Qed.
Lemma clamp_values {K} :
  stable (rows M size anything) (rows M size (@value_within K l u)) (map (on_value (clamp.clamp l u))) Some.
Proof. apply rows_map; intros v _; now apply clamp.clamp_member. Qed.

Lemma sum_stable : stable (rows M size (within l u)) numbers sum.sum (fun d => Some (sum.sum_map M sized l u d)).
Proof.
  split; [intros x _; exact I|]; intros d d' x y [Lx Hx] [Ly Hy] N [= <-]; cbn [near rows numbers] in *.
  unfold sized, has_size in *; apply (sum.make_sum_stable M size); auto.
  intros v [J|J]; [exact (Hx v J)|exact (Hy v J)].
Qed.

Context {K : Type} (position : K -> option nat) (n : nat).
Definition sums (x : list (K * R)) : list R := listed n (total (contribution position) x).
Lemma sums_near C N : (forall v w, distance N (listed n v) (listed n w) = norm C n (vminus v w)) ->
  stable (rows M size (value_within l u)) (vectors N (Some n)) sums
    (fun d => Some (moved d (step C (unit M) (magnitude l u) (range l u)))).
Proof.
  intros E; split; [intros x _ k [= <-]; apply listed_length|].
  intros d d' x y [_ Hx] [_ Hy] H [= <-]; cbn [near rows vectors] in *; unfold sums.
  split; [now rewrite !listed_length|]; rewrite E.
  apply (sum_by_categories.make_sum_by_categories_stable position C n l u Hlu); auto.
  intros row [J|J]; [exact (Hx row J)|exact (Hy row J)].
Qed.
Lemma sums_l1 : stable (rows M size (value_within l u)) (vectors l1 (Some n)) sums
  (fun d => Some (moved d (step L1Distance (unit M) (magnitude l u) (range l u)))).
Proof. apply sums_near, l1_listed. Qed.
Lemma sums_l2 : stable (rows M size (value_within l u)) (vectors l2 (Some n)) sums
  (fun d => Some (moved d (step L2Distance (unit M) (magnitude l u) (range l u)))).
Proof. apply sums_near, l2_listed. Qed.

Lemma count_stable {A} (row : A -> Prop) :
  stable (rows M size row) integers (fun x => Z.of_nat (length x)) (fun d => Some (count.count_map M sized d)).
Proof.
  split; [intros x _; exact I|]; intros d d' x y [Lx _] [Ly _] N [= <-]; cbn [near rows integers] in *.
  unfold sized, has_size in *; rewrite abs_IZR, minus_IZR, <- !INR_IZR_INZ.
  apply (count.make_count_stable M size); auto.
Qed.
Lemma count_by_stable MO (eq_dec : forall p q : K, {p = q} + {p <> q}) (row : K -> Prop) :
  stable (rows M size row) (maps MO) (count_by.counts eq_dec) (fun d => Some (map_moved MO d (unit M) 1 0)).
Proof.
  split; [intros x _; exact I|]; intros d d' x y _ _ N [= <-]; cbn [near rows maps] in *.
  now apply count_by.make_count_by_stable.
Qed.
End Steps.

(** * What members are needed for *)

(** One row more, or one that is another. *)
Definition other (M : row_metric) : list R := match unit M with AddOrRemove => [] | Replace => [0] end.
Lemma one_row_apart M b : apart M 1 [b] (other M).
Proof.
  destruct M; unfold other; simpl.
  - exists [], [b], []; simpl; auto.
  - apply id_delete, id_end.
  - exists [], [b], [0]; simpl; auto.
  - apply ham_replace, ham_end.
Qed.
(** Of rows without bounds no map of the sum keeps its promise, whatever it says of one step. *)
Theorem sum_needs_bounds M stability d : stability 1%nat = Some d ->
  ~ promise (rows M None anything) (near numbers) sum.sum stability.
Proof.
  intros E P; set (b := Rabs d + 1).
  specialize (P 1%nat d [b] (other M) (any_rows M _) (any_rows M _) (one_row_apart M b) E); cbn [near numbers] in P.
  assert (S : sum.sum [b] - sum.sum (other M) = b) by (unfold sum.sum, other; destruct (unit M); simpl; ring).
  rewrite S in P; unfold b in P; pose proof (Rle_abs d); pose proof (Rle_abs (Rabs d + 1)); lra.
Qed.
(** So it is of sums by category, where a row has one of the categories. *)
Theorem sums_need_bounds {K} M (position : K -> option nat) n k i stability d : position k = Some i -> (i < n)%nat ->
  stability 1%nat = Some d ->
  ~ promise (rows M None anything) (near (vectors l1 (Some n))) (sums position n) stability.
Proof.
  intros Hk Hi E P; set (b := Rabs d + 1); set (row := fun v : R => (k, v)).
  specialize (P 1%nat d (map row [b]) (map row (other M)) (any_rows M _) (any_rows M _)
    (apart_map row M 1 _ _ (one_row_apart M b)) E).
  destruct P as [_ P]; unfold sums in P; rewrite l1_listed in P.
  set (c := contribution position) in *.
  assert (B : Rabs b <= l1 n (vminus (total c (map row [b])) (total c (map row (other M))))).
  { eapply Rle_trans; [|apply (l1_ge _ _ i Hi)]; right; f_equal; unfold vminus, other.
    destruct (unit M); cbn [map total]; unfold c, vplus, vzero, contribution, single, row; cbn [fst snd]; rewrite Hk;
      cbn; rewrite Nat.eqb_refl; ring. }
  unfold b in *; pose proof (Rle_abs d); pose proof (Rle_abs (Rabs d + 1)); lra.
Qed.
(** And half of the steps are not enough where the size is not known. *)
Theorem half_needs_size M l u : unit M = AddOrRemove -> l <= u -> 0 < u ->
  ~ promise (rows M None (within l u)) (near numbers) sum.sum (fun d => Some (sum.sum_map M true l u d)).
Proof.
  intros U Hlu Hu P; assert (A : apart M 1 [u] []).
  { pose proof (one_row_apart M u) as A; unfold other in A; now rewrite U in A. }
  assert (B : member (rows M None (within l u)) [u]).
  { split; [intros n E; discriminate E|intros v [<-|[]]; unfold within; lra]. }
  assert (C : member (rows M None (within l u)) []) by (split; [intros n E; discriminate E|intros v []]).
  specialize (P 1%nat _ [u] [] B C A eq_refl); cbn [near numbers] in P; unfold sum.sum_map, sum.sum in P.
  rewrite U in P; simpl in P; rewrite Rplus_0_r, Rminus_0_r, Rabs_pos_eq in P; lra.
Qed.

(** * Noise *)
Section Chains.
Context {Y : Type} (release : list Z -> Y) (s g : R) (Hs : 0 < s) (Hg : 0 < g).
Definition laplace_noise (xs : list R) : dist Y := dmap release (laplace.multiples s Hs g Hg xs).
Definition laplace_noise_of_integers (xs : list Z) : dist Y := dmap release (laplace.integers s Hs xs).
Definition gaussian_noise (xs : list R) : dist Y := dmap release (gaussian.multiples s Hs g Hg xs).

Lemma laplace_promise size :
  promise (vectors l1 size) (@max_divergence Y) laplace_noise (fun d => Some (laplace.laplace_map s d)).
Proof.
  intros d d' xs ys _ _ [E H] [= <-]; split; apply laplace.make_laplace_released; auto.
  now rewrite distance_sym by (auto using l1_seminorm).
Qed.
(** A single number is a vector of one. *)
Lemma laplace_promise_of_number :
  promise numbers (@max_divergence Y) (fun x => laplace_noise [x]) (fun d => Some (laplace.laplace_map s d)).
Proof.
  intros d d' x y _ _ H S; apply (laplace_promise None d d' [x] [y]); try exact S; try (intros n E; discriminate E).
  split; [reflexivity|rewrite distance_l1_single; exact H].
Qed.
Lemma laplace_promise_of_integer :
  promise integers (@max_divergence Y) (fun x => laplace_noise_of_integers [x])
    (fun d => Some (laplace.laplace_map s d)).
Proof.
  intros d d' x y _ _ H [= <-]; cbn [near integers] in H.
  split; (apply laplace.make_laplace_released_integers; [reflexivity|]); cbn [map];
    rewrite distance_l1_single, <- minus_IZR, <- abs_IZR; [exact H|].
  replace (y - x)%Z with (- (x - y))%Z by ring; now rewrite Z.abs_opp.
Qed.
Lemma gaussian_promise size :
  promise (vectors l2 size) (@zero_concentrated Y) gaussian_noise (fun d => Some (gaussian.gaussian_map s d)).
Proof. intros d d' xs ys _ _ [E H] [= <-]; now apply gaussian.make_gaussian_numbers. Qed.
Lemma gaussian_promise_of_number :
  promise numbers (@gaussian_divergence Y) (fun x => gaussian_noise [x]) (fun d => Some (gaussian.gaussian_mu s d)).
Proof.
  intros d d' x y _ _ H [= <-]; apply gaussian.make_gaussian_numbers_mu; [reflexivity|].
  rewrite distance_l2_single; exact H.
Qed.

(** * Chains *)
Context (M : row_metric) (size : option nat) (l u : R) (Hlu : l <= u).

Theorem count_laplace {A} (row : A -> Prop) : promise (rows M size row) (@max_divergence Y)
  (fun x => laplace_noise_of_integers [Z.of_nat (length x)])
  (fun d => Some (laplace.laplace_map s (count.count_map M (sized size) d))).
Proof. exact (chain_promise _ _ _ _ _ _ _ (count_stable M size row) laplace_promise_of_integer). Qed.

Theorem clamp_sum_laplace : promise (rows M size anything) (@max_divergence Y)
  (fun x => laplace_noise [sum.sum (map (clamp.clamp l u) x)])
  (fun d => Some (laplace.laplace_map s (sum.sum_map M (sized size) l u d))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_rows M size l u Hlu)
    (chain_promise _ _ _ _ _ _ _ (sum_stable M size l u Hlu) laplace_promise_of_number)).
Qed.
Theorem clamp_sum_gaussian : promise (rows M size anything) (@gaussian_divergence Y)
  (fun x => gaussian_noise [sum.sum (map (clamp.clamp l u) x)])
  (fun d => Some (gaussian.gaussian_mu s (sum.sum_map M (sized size) l u d))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_rows M size l u Hlu)
    (chain_promise _ _ _ _ _ _ _ (sum_stable M size l u Hlu) gaussian_promise_of_number)).
Qed.

Context {K : Type} (position : K -> option nat) (n : nat).
Theorem clamp_sum_by_categories_laplace : promise (rows M size anything) (@max_divergence Y)
  (fun x => laplace_noise (sums position n (map (on_value (clamp.clamp l u)) x)))
  (fun d => Some (laplace.laplace_map s (moved d (step L1Distance (unit M) (magnitude l u) (range l u))))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_values M size l u Hlu)
    (chain_promise _ _ _ _ _ _ _ (sums_l1 M size l u Hlu position n) (laplace_promise (Some n)))).
Qed.
Theorem clamp_sum_by_categories_gaussian : promise (rows M size anything) (@zero_concentrated Y)
  (fun x => gaussian_noise (sums position n (map (on_value (clamp.clamp l u)) x)))
  (fun d => Some (gaussian.gaussian_map s (moved d (step L2Distance (unit M) (magnitude l u) (range l u))))).
Proof.
  exact (chain_promise _ _ _ _ _ _ _ (clamp_values M size l u Hlu)
    (chain_promise _ _ _ _ _ _ _ (sums_l2 M size l u Hlu position n) (gaussian_promise (Some n)))).
Qed.
End Chains.

(** * Keys *)
Section Keys.
Context (alpha : nat) (Ha : (1 <= alpha)%nat) (s limit : R) (Hs : 0 < s) (Hl : 0 < limit).
Context {K Hash : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
Context (draw : dist Hash) (position : Hash -> K -> nat -> nat) (buckets : nat) (ks : list K) (Hks : NoDup ks).

(** Where a part of the distance is 0, all numbers agree. *)
Definition alp_map (d : nat * R * R) : R :=
  let '(number, norm, greatest) := d in
  if Nat.eqb number 0 then 0 else if Req_EM_T norm 0 then 0 else if Req_EM_T greatest 0 then 0 else inf_div norm s.
Lemma support_zero m v : support m v <= 0 -> l1 m v = 0.
Proof.
  induction m as [|m IH]; [reflexivity|]; cbn [support l1].
  pose proof (seminorm_nonneg _ (support_seminorm m) v) as P.
  destruct (Req_EM_T (v m) 0) as [E|_]; intros H; [rewrite E, Rabs_R0, IH by lra; ring|lra].
Qed.
Lemma inf_div_zero : inf_div 0 s = 0.
Proof. unfold inf_div, Rdiv; rewrite Rmult_0_l; apply up_zero. Qed.
Lemma alp_promise : promise (maps L01InfDistance) (@max_divergence (Hash * list bool))
  (alp.alp alpha Ha s limit draw position buckets ks) (fun d => Some (alp_map d)).
Proof.
  intros [[number norm] greatest] d' f f' _ _ H [= <-]; destruct (H ks Hks) as (A & B & C); cbn [map_norm] in B.
  pose proof (fun d => alp.make_alp alpha Ha s limit Hs Hl draw position buckets ks f f' d) as X.
  pose proof (X 0) as Z; rewrite inf_div_zero in Z; specialize (X norm B).
  unfold alp_map; destruct (Nat.eqb_spec number 0) as [->|_]; [apply Z; rewrite support_zero; [lra|exact A]|].
  destruct (Req_EM_T norm 0) as [->|_]; [exact (Z B)|].
  destruct (Req_EM_T greatest 0) as [->|_]; [|exact X].
  apply Z; rewrite <- (Rmult_0_r (INR (length ks))); apply l1_le; intros j J.
  eapply Rle_trans; [apply (linf_ge (length ks) _ j J)|exact C].
Qed.

(** Any keys, as long as all that rows have are among them. *)
Theorem count_by_alp M size : promise (rows M size (fun k => In k ks)) (@max_divergence (Hash * list bool))
  (fun x => alp.alp alpha Ha s limit draw position buckets ks (count_by.counts eq_dec x))
  (fun d => Some (alp_map (map_moved L01InfDistance d (unit M) 1 0))).
Proof. exact (chain_promise _ _ _ _ _ _ _ (count_by_stable M size L01InfDistance eq_dec _) alp_promise). Qed.
End Keys.
