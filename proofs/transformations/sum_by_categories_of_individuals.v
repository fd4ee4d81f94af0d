(** [make_sum_by_categories_of_individuals]: the exact sum of each category, of a few rows of each individual in each. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Dataset PerIndividual Totals Rounding Maps categories bound_contributions.
Import ListNotations.
Open Scope R_scope.

(** What is made of each individual's rows, over all individuals: a common part, and what is made of those who differ. *)
Section Individuals.
Context {P V W : Type} (eq_dec : forall p q : P, {p = q} + {p <> q}) (h : P -> list V -> list W).
Hypothesis h_order : forall p l m, Permutation l m -> h p l = h p m.
Hypothesis h_nobody : forall p, h p [] = [].

Definition made (x : list (P * V)) (p : P) : list W := h p (rows_of eq_dec p x).
Definition of_people (x : list (P * V)) : list W := flat_map (made x) (people eq_dec x).

Lemma made_absent x p : rows_of eq_dec p x = [] -> made x p = [].
Proof. unfold made; intros ->; apply h_nobody. Qed.

Lemma of_people_over x all : NoDup all -> incl (map fst x) all -> Permutation (of_people x) (flat_map (made x) all).
Proof.
  intros N I; set (rest := filter (fun p => negb (if in_dec eq_dec p (people eq_dec x) then true else false)) all).
  assert (Q : Permutation all (people eq_dec x ++ rest)).
  { apply NoDup_Permutation; auto.
    - apply NoDup_app_intro; [apply NoDup_nodup|now apply NoDup_filter|].
      intros p Hp Hr; apply filter_In in Hr; destruct Hr as [_ Hr].
      destruct (in_dec eq_dec p (people eq_dec x)); [discriminate|contradiction].
    - intros p; rewrite in_app_iff; unfold rest; rewrite filter_In; split.
      + intros H; destruct (in_dec eq_dec p (people eq_dec x)); auto.
      + intros [H|[H _]]; auto; apply I; unfold people in H; now apply nodup_In in H. }
  eapply Permutation_sym, Permutation_trans; [apply flat_map_perm, Q|].
  rewrite flat_map_app, (flat_map_nil _ rest), app_nil_r; [apply Permutation_refl|].
  intros p Hp; apply made_absent, absent; unfold rest in Hp; apply filter_In in Hp; destruct Hp as [_ Hp].
  intros H; destruct (in_dec eq_dec p (people eq_dec x)) as [|F]; [discriminate|]; apply F; unfold people; now apply nodup_In.
Qed.

Lemma of_people_parts d x y : individuals eq_dec d x y -> exists ps common, (total_cost eq_dec ps x y <= d)%nat /\
  Permutation (of_people x) (flat_map (made x) ps ++ common) /\ Permutation (of_people y) (flat_map (made y) ps ++ common).
Proof.
  intros (ps & N & H & C).
  set (rest := filter (fun p => negb (if in_dec eq_dec p ps then true else false))
                 (nodup eq_dec (map fst x ++ map fst y))).
  assert (D : forall p, In p rest -> ~ In p ps).
  { intros p Hp; apply filter_In in Hp; destruct Hp as [_ Hp]; destruct (in_dec eq_dec p ps); auto; discriminate. }
  assert (Na : NoDup (ps ++ rest)).
  { apply NoDup_app_intro; auto; [apply NoDup_filter, NoDup_nodup|].
    intros p Hp F; exact (D p F Hp). }
  assert (I : forall p, In p (map fst x ++ map fst y) -> In p (ps ++ rest)).
  { intros p Hp; apply in_or_app; destruct (in_dec eq_dec p ps) as [|F]; auto; right.
    apply filter_In; split; [now apply nodup_In|]; destruct (in_dec eq_dec p ps); auto; contradiction. }
  exists ps, (flat_map (made x) rest); repeat split; auto.
  - rewrite <- flat_map_app; apply of_people_over; auto; intros p Hp; apply I, in_or_app; now left.
  - replace (flat_map (made x) rest) with (flat_map (made y) rest).
    + rewrite <- flat_map_app; apply of_people_over; auto; intros p Hp; apply I, in_or_app; now right.
    + assert (E : forall p, In p rest -> made y p = made x p).
      { intros p Hp; unfold made; symmetry; apply h_order, H, D, Hp. }
      clear -E; induction rest as [|p l IH]; simpl; auto.
      rewrite (E p (or_introl eq_refl)); f_equal; apply IH; intros; apply E; now right.
Qed.

(** A seminorm of the difference of totals is at most the bound for one individual, times the number of individuals. *)
Theorem of_people_norm (c : W -> vector) (N : vector -> R) (HN : seminorm N) b d x y : 0 <= b ->
  (forall z p, z = x \/ z = y -> N (total c (made z p)) <= b) -> individuals eq_dec d x y ->
  N (vminus (total c (of_people x)) (total c (of_people y))) <= INR d * b.
Proof.
  intros Hb B H; destruct (of_people_parts d x y H) as (ps & common & C & X & Y).
  rewrite (common_cancels c N HN _ _ _ _ _ X Y); apply le_INR in C.
  apply Rle_trans with (INR (total_cost eq_dec ps x y) * b); [|now apply Rmult_le_compat_r].
  clear X Y C H; induction ps as [|p ps IH]; cbn [flat_map total_cost].
  - rewrite (norm_ext N HN _ vzero), (norm_zero N HN); [simpl; lra|]; intros j; unfold vminus, vzero; simpl; unfold vzero; ring.
  - rewrite (norm_ext N HN _ (vplus (vminus (total c (made x p)) (total c (made y p)))
      (vminus (total c (flat_map (made x) ps)) (total c (flat_map (made y) ps))))) by
      (intros j; unfold vminus, vplus; rewrite !total_app; ring).
    eapply Rle_trans; [apply (norm_plus N HN)|]; rewrite plus_INR, Rmult_plus_distr_r; apply Rplus_le_compat; auto.
    pose proof (B x p (or_introl eq_refl)) as Bx; pose proof (B y p (or_intror eq_refl)) as By.
    assert (Z : N (total c []) = 0) by apply (norm_zero N HN).
    pose proof (norm_minus N HN (total c (made x p)) (total c (made y p))) as M.
    unfold cost; destruct (rows_of eq_dec p x) eqn:Ex.
    + rewrite (made_absent x p Ex) in *; change (INR 1) with 1; lra.
    + destruct (rows_of eq_dec p y) eqn:Ey; [|change (INR 2) with (1 + 1); lra].
      rewrite (made_absent y p Ey) in *; change (INR 1) with 1; lra.
Qed.
End Individuals.

(** Vectors of few rows in an entry, and few in all. *)
Section Norms.
Variables (n : nat) (m : R) (Hm : 0 <= m).
Definition placed (row : nat * R) : vector := single (Some (fst row)) (snd row).
Variables (l : list (nat * R)) (rows each : nat).
Hypothesis few : (length l <= rows)%nat.
Hypothesis few_each : forall j, (length (filter (fun row => Nat.eqb (fst row) j) l) <= each)%nat.
Hypothesis bounded : forall row, In row l -> Rabs (snd row) <= m.

Lemma placed_entry j : Rabs (total placed l j) <= INR each * m.
Proof.
  apply Rle_trans with (INR (length (filter (fun row => Nat.eqb (fst row) j) l)) * m);
    [|apply Rmult_le_compat_r; auto; apply le_INR, few_each].
  clear few few_each; induction l as [|[i v] x IH]; [simpl; unfold vzero; rewrite Rabs_R0; lra|].
  assert (B : Rabs (total placed x j) <= INR (length (filter (fun row => Nat.eqb (fst row) j) x)) * m)
    by (apply IH; intros row I; apply bounded; now right).
  pose proof (bounded (i, v) (or_introl eq_refl)) as V; cbn [total filter fst snd] in *.
  unfold vplus, placed at 1, single; cbn [fst snd]; pose proof (Rabs_triang v (total placed x j)).
  destruct (Nat.eqb i j); [cbn [length]; rewrite S_INR; lra|rewrite Rplus_0_l; exact B].
Qed.

(** [CategoryMetric::of_rows], of sizes up to [m]. *)
Lemma placed_l1 : l1 n (total placed l) <= INR rows * m.
Proof.
  apply Rle_trans with (INR (length l) * m); [|apply Rmult_le_compat_r; auto; now apply le_INR].
  apply norm_total; [apply l1_seminorm|]; intros [i v] I.
  eapply Rle_trans; [apply l1_single|apply (bounded _ I)].
Qed.
Lemma squares_l1 u b : (forall j, Rabs (u j) <= b) -> squares n u <= b * l1 n u.
Proof.
  intros B; induction n as [|k IH]; cbn [squares l1]; [lra|].
  pose proof (B k); pose proof (Rabs_pos (u k)); rewrite <- (pow2_abs (u k)); nra.
Qed.
Lemma placed_l2 : l2 n (total placed l) <= m * sqrt (INR (rows * each)).
Proof.
  assert (E : m * sqrt (INR (rows * each)) = sqrt (INR each * m * (INR rows * m))).
  { rewrite mult_INR; replace (INR each * m * (INR rows * m)) with (m ^ 2 * (INR rows * INR each)) by ring.
    rewrite (sqrt_mult (m ^ 2)) by (apply pow2_ge_0 || (apply Rmult_le_pos; apply pos_INR)).
    now rewrite sqrt_pow2. }
  rewrite E; apply sqrt_le_1_alt; eapply Rle_trans; [apply squares_l1, placed_entry|].
  apply Rmult_le_compat_l; [apply Rmult_le_pos; auto using pos_INR|apply placed_l1].
Qed.
Lemma placed_linf : linf n (total placed l) <= INR each * m.
Proof. apply linf_le; [apply Rmult_le_pos; auto using pos_INR|apply placed_entry]. Qed.
Lemma placed_span : span n (total placed l) <= INR (Nat.min rows (each * 2)) * m.
Proof.
  assert (R2 : span n (total placed l) <= INR (each * 2) * m).
  { assert (Z : 0 <= INR each * m) by (apply Rmult_le_pos; auto using pos_INR).
    assert (Up : rise n (total placed l) <= INR each * m).
    { apply rise_le; auto; intros j; eapply Rle_trans; [apply Rle_abs|apply placed_entry]. }
    assert (Down : rise n (fun j => - total placed l j) <= INR each * m).
    { apply rise_le; auto; intros j; eapply Rle_trans; [apply Rle_abs|rewrite Rabs_Ropp; apply placed_entry]. }
    unfold span; rewrite mult_INR; change (INR 2) with (1 + 1); lra. }
  assert (R1 : span n (total placed l) <= INR rows * m).
  { apply Rle_trans with (INR (length l) * m); [|apply Rmult_le_compat_r; auto; now apply le_INR].
    apply norm_total; [apply span_seminorm|]; intros [i v] I.
    eapply Rle_trans; [apply span_single|apply (bounded _ I)]. }
  destruct (Nat.min_spec rows (each * 2)) as [[_ ->]|[_ ->]]; auto.
Qed.
End Norms.

Section Sums.
Context {P K : Type} (eq_dec : forall p q : P, {p = q} + {p <> q}) (position : K -> option nat) (C : category_metric).
(** The number of entries, and the two limits. *)
Variables n max_rows max_rows_of_category : nat.
(** The order of an individual's rows: by hash of individual, slot and number, and then by what these are. *)
Context (le : P -> nat * R -> nat * R -> bool).
Hypothesis le_total : forall p a b, le p a b = true \/ le p b a = true.
Hypothesis le_trans : forall p a b c, le p a b = true -> le p b c = true -> le p a c = true.
Hypothesis le_antisym : forall p a b, le p a b = true -> le p b a = true -> a = b.
Variables (l u : R) (Hlu : l <= u).

(** The slots of an individual's rows, and of each entry the rows that count, and the first of these. *)
Definition each : nat := Nat.min max_rows_of_category max_rows.
Definition in_entry (rows : list (K * R)) (j : nat) : list (nat * R) :=
  flat_map (fun row => match position (fst row) with Some i => if Nat.eqb i j then [(j, snd row)] else [] | None => [] end) rows.
Definition of_entry (p : P) (rows : list (K * R)) (j : nat) : list (nat * R) := firstn each (sort (le p) (in_entry rows j)).
Definition kept (p : P) (rows : list (K * R)) : list (nat * R) :=
  firstn max_rows (sort (le p) (flat_map (of_entry p rows) (seq 0 n))).
Definition sums (x : list (P * (K * R))) : vector := total placed (of_people eq_dec kept x).

(** [CategoryMetric::of_rows]. *)
Definition all : nat := Nat.min max_rows (n * each).
Definition of_rows : R :=
  match C with
  | L1Distance => INR all
  | L2Distance => inf_sqrt (up (INR (all * each)))
  | LInfDistance monotonic => INR (if monotonic then Nat.min all (each * 2) else each)
  end.
Definition step_of_individual : R := inf_mul of_rows (magnitude l u).

Lemma kept_order p x y : Permutation x y -> kept p x = kept p y.
Proof.
  intros H; unfold kept; do 2 f_equal; apply flat_map_ext; intros j; unfold of_entry; f_equal.
  apply sort_permutation; eauto; now apply flat_map_perm.
Qed.
Lemma kept_nobody p : kept p [] = [].
Proof.
  unfold kept, of_entry, in_entry; cbn [flat_map sort].
  rewrite flat_map_nil; [apply firstn_nil|]; intros; simpl; apply firstn_nil.
Qed.

Lemma sorted_in p (x : list (nat * R)) row : In row (sort (le p) x) -> In row x.
Proof. apply Permutation_in, Permutation_sym, sort_perm. Qed.
Lemma first_in {A} k (x : list A) a : In a (firstn k x) -> In a x.
Proof. rewrite <- (firstn_skipn k x) at 2; intros; apply in_or_app; now left. Qed.
Lemma in_of_entry p rows j row : In row (of_entry p rows j) -> fst row = j /\ exists k, In (k, snd row) rows.
Proof.
  intros I; apply first_in, sorted_in in I; unfold in_entry in I; apply in_flat_map in I.
  destruct I as ([k v] & I & J); cbn [fst snd] in J; destruct (position k) as [i|]; [|contradiction].
  destruct (Nat.eqb i j); [|contradiction]; destruct J as [<-|[]]; cbn [fst snd]; split; auto; now exists k.
Qed.
Lemma in_kept p rows row : In row (kept p rows) -> exists k, In (k, snd row) rows.
Proof.
  intros I; apply first_in, sorted_in, in_flat_map in I; destruct I as (j & _ & J).
  now apply in_of_entry in J.
Qed.

Lemma filter_length {A} (f : A -> bool) x : (length (filter f x) <= length x)%nat.
Proof. induction x as [|a x IH]; simpl; auto; destruct (f a); simpl; lia. Qed.
Lemma filter_first {A} (f : A -> bool) k x : (length (filter f (firstn k x)) <= length (filter f x))%nat.
Proof. revert k; induction x as [|a x IH]; intros [|k]; simpl; try lia; specialize (IH k); destruct (f a); simpl; lia. Qed.
Lemma filter_none {A} (f : A -> bool) x : (forall a, In a x -> f a = false) -> filter f x = [].
Proof. induction x as [|a x IH]; simpl; intros H; auto; rewrite (H a); auto. Qed.
Lemma entry_rows p rows j : (length (of_entry p rows j) <= each)%nat.
Proof. apply firstn_le_length. Qed.

Lemma few_of_entry p rows j (js : list nat) : NoDup js ->
  (length (filter (fun row => Nat.eqb (fst row) j) (flat_map (of_entry p rows) js)) <= each)%nat.
Proof.
  induction 1 as [|i js F N IH]; [simpl; lia|]; cbn [flat_map]; rewrite filter_app, app_length.
  destruct (Nat.eq_dec i j) as [->|D].
  - rewrite (filter_none _ (flat_map (of_entry p rows) js)).
    + pose proof (filter_length (fun row => Nat.eqb (fst row) j) (of_entry p rows j)).
      pose proof (entry_rows p rows j); simpl; lia.
    + intros row I; apply in_flat_map in I; destruct I as (k & Ik & J); apply in_of_entry in J; destruct J as [J _].
      apply Nat.eqb_neq; intros E; subst; contradiction.
  - rewrite (filter_none _ (of_entry p rows i)); [simpl; exact IH|].
    intros row I; apply in_of_entry in I; destruct I as [I _]; apply Nat.eqb_neq; congruence.
Qed.
Lemma kept_each p rows j : (length (filter (fun row => Nat.eqb (fst row) j) (kept p rows)) <= each)%nat.
Proof.
  unfold kept; eapply Nat.le_trans; [apply filter_first|].
  rewrite <- (Permutation_length (filter_order _ _ _ (sort_perm (le p) (flat_map (of_entry p rows) (seq 0 n))))).
  apply few_of_entry, seq_NoDup.
Qed.
Lemma kept_all p rows : (length (kept p rows) <= all)%nat.
Proof.
  unfold kept, all; rewrite firstn_length.
  rewrite <- (Permutation_length (sort_perm (le p) (flat_map (of_entry p rows) (seq 0 n)))).
  assert (length (flat_map (of_entry p rows) (seq 0 n)) <= n * each)%nat; [|lia].
  rewrite <- (seq_length n 0) at 2; generalize (seq 0 n); induction l0 as [|j js IH]; simpl; auto.
  rewrite app_length; pose proof (entry_rows p rows j); lia.
Qed.

(** What an individual adds, in each metric. *)
Lemma norm_kept p rows : (forall row, In row rows -> l <= snd row <= u) ->
  norm C n (total placed (kept p rows)) <= step_of_individual.
Proof.
  intros B; pose proof (magnitude_nonneg l u) as M; set (m := magnitude l u) in *.
  assert (Bm : forall row, In row (kept p rows) -> Rabs (snd row) <= m).
  { intros row I; apply in_kept in I; destruct I as [k I]; apply magnitude_sound, (B _ I). }
  unfold step_of_individual; fold m; apply Rle_trans with
    (match C with L1Distance => INR all | L2Distance => sqrt (INR (all * each))
     | LInfDistance monotonic => INR (if monotonic then Nat.min all (each * 2) else each) end * m).
  - destruct C as [| |[]]; cbn [norm].
    + apply placed_l1; auto using kept_all.
    + rewrite Rmult_comm; apply placed_l2; auto using kept_all, kept_each.
    + apply placed_span; auto using kept_all, kept_each.
    + apply placed_linf; auto using kept_each.
  - apply inf_mul_ge; split; try lra.
    + destruct C as [| |[]]; auto using pos_INR, sqrt_pos.
    + unfold of_rows; destruct C; try lra; unfold inf_sqrt.
      eapply Rle_trans; [|apply up_ge]; apply sqrt_le_1_alt, up_ge.
Qed.

Lemma step_nonneg_of_individual : 0 <= step_of_individual.
Proof.
  assert (H : 0 <= of_rows).
  { unfold of_rows; destruct C as [| |[]]; auto using pos_INR; unfold inf_sqrt.
    eapply Rle_trans; [|apply up_ge]; apply sqrt_pos. }
  pose proof (magnitude_nonneg l u); unfold step_of_individual.
  apply Rle_trans with (0 * magnitude l u); [lra|apply inf_mul_ge; lra].
Qed.

Lemma rows_of_in p (x : list (P * (K * R))) row : In row (rows_of eq_dec p x) -> In (p, row) x.
Proof.
  unfold rows_of; rewrite in_map_iff; intros ([q r] & <- & H); apply filter_In in H; destruct H as [H E]; simpl in *.
  destruct (eq_dec p q); [now subst|discriminate].
Qed.

Theorem make_sum_by_categories_of_individuals_stable d x y :
  (forall row, In row x \/ In row y -> l <= snd (snd row) <= u) -> individuals eq_dec d x y ->
  norm C n (vminus (sums x) (sums y)) <= moved d step_of_individual.
Proof.
  intros B H.
  pose proof step_nonneg_of_individual as S.
  eapply Rle_trans; [|apply (moved_sound d step_of_individual); split; [exact S|apply Rle_refl]].
  apply of_people_norm; auto using kept_order, kept_nobody, norm_seminorm.
  intros z p Z; apply norm_kept; intros row I; apply rows_of_in in I.
  apply (B (p, row)); destruct Z as [->| ->]; auto.
Qed.
End Sums.
