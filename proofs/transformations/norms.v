(** The norms of [CategoryMetric], rounded up as the library rounds them, and how they compare. *)
Require Import Reals Lra Psatz Lia List Permutation Sorted.
From DP Require Import Dataset Totals Rounding Maps categories bound_contributions.
Import ListNotations.
Open Scope R_scope.

(** [inf_sum] *)
Definition inf_sum (l : list R) : R := fold_left inf_add l 0.
Lemma inf_sum_last l s : inf_sum (l ++ [s]) = inf_add (inf_sum l) s.
Proof. apply fold_left_app. Qed.

(** The sizes in falling order. *)
Definition falls (a b : R) : bool := if Rle_dec b a then true else false.
Definition falling (l : list R) : list R := sort falls l.
Lemma falls_true a b : falls a b = true <-> b <= a.
Proof. unfold falls; destruct (Rle_dec b a); split; auto; discriminate. Qed.

Lemma insert_sorted a l : StronglySorted Rge l -> StronglySorted Rge (insert falls a l).
Proof.
  induction 1 as [|b l S IH F]; simpl; [repeat constructor|].
  destruct (falls a b) eqn:E.
  - apply falls_true in E; constructor; [now constructor|]; constructor; [lra|].
    eapply Forall_impl; [|exact F]; simpl; intros c Hc; lra.
  - assert (a <= b) by (unfold falls in E; destruct (Rle_dec b a); [discriminate|lra]).
    constructor; auto; apply Forall_forall; intros c I.
    apply (Permutation_in _ (Permutation_sym (insert_perm falls a l))) in I; destruct I as [<-|I]; [lra|].
    rewrite Forall_forall in F; auto.
Qed.
Lemma falling_sorted l : StronglySorted Rge (falling l).
Proof. unfold falling; induction l; simpl; [constructor|now apply insert_sorted]. Qed.

(** [CategoryMetric::norm] of sizes, [per_euclidean]. *)
Definition greatest (l : list R) : R := fold_left Rmax l 0.
Definition norm_up (C : category_metric) (sizes : list R) : R :=
  match C with
  | L1Distance => inf_sum sizes
  | L2Distance => let g := greatest sizes in if Req_EM_T g 0 then g else
      inf_mul g (inf_sqrt (inf_sum (map (fun s => inf_powi (inf_div s g) 2) sizes)))
  | LInfDistance monotonic => inf_sum (firstn (if monotonic then 2 else 1) (falling sizes))
  end.
Definition per_euclidean (C : category_metric) (n : nat) : R :=
  match C with
  | L1Distance => inf_sqrt (up (INR n))
  | L2Distance => if Nat.eqb n 0 then 0 else 1
  | LInfDistance monotonic => inf_sqrt (up (INR (Nat.min n (if monotonic then 2 else 1))))
  end.

Lemma fold_max_ge l a : a <= fold_left Rmax l a /\ forall s, In s l -> s <= fold_left Rmax l a.
Proof.
  revert a; induction l as [|b l IH]; simpl; intros a; [split; [lra|contradiction]|].
  destruct (IH (Rmax a b)) as [H1 H2]; pose proof (Rmax_l a b); pose proof (Rmax_r a b).
  split; [lra|]; intros s [<-|I]; [lra|auto].
Qed.
Lemma greatest_ge l s : In s l -> s <= greatest l.
Proof. apply (fold_max_ge l 0). Qed.
Lemma greatest_nonneg l : 0 <= greatest l.
Proof. exact (proj1 (fold_max_ge l 0)). Qed.

Definition bounded (u : vector) (sizes : list R) : Prop := forall j s, nth_error sizes j = Some s -> Rabs (u j) <= s.
Lemma bounded_init u l s : bounded u (l ++ [s]) -> bounded u l /\ Rabs (u (length l)) <= s.
Proof.
  intros H; split.
  - intros j t E; apply H; rewrite nth_error_app1; auto; apply nth_error_Some; congruence.
  - apply H; rewrite nth_error_app2, Nat.sub_diag; auto.
Qed.
Lemma bounded_in u sizes s : bounded u sizes -> In s sizes -> 0 <= s.
Proof. intros H I; apply In_nth_error in I; destruct I as (j & E); exact (Rle_trans _ _ _ (Rabs_pos _) (H j s E)). Qed.

Lemma inf_sum_ge l : fold_right Rplus 0 l <= inf_sum l.
Proof.
  induction l as [|s l IH] using rev_ind; [simpl; unfold inf_sum; simpl; lra|].
  rewrite inf_sum_last, fold_right_app; simpl.
  assert (E : forall a, fold_right Rplus a l = fold_right Rplus 0 l + a).
  { clear; intros a; induction l; simpl; [ring|]; rewrite IHl; ring. }
  rewrite E, Rplus_0_r; apply inf_add_ge; lra.
Qed.

Lemma l1_up u sizes : bounded u sizes -> l1 (length sizes) u <= inf_sum sizes.
Proof.
  induction sizes as [|s l IH] using rev_ind; intros H; [unfold inf_sum; simpl; lra|].
  apply bounded_init in H; destruct H as [H Hs].
  rewrite inf_sum_last, app_length, Nat.add_1_r; simpl; apply inf_add_ge; auto.
Qed.

Lemma square_up x q : 0 <= x <= q -> x * x <= inf_powi q 2.
Proof. intros H; replace (x * x) with (x ^ 2) by ring; now apply inf_powi_ge. Qed.

Lemma squares_up u g sizes : 0 < g -> bounded u sizes ->
  squares (length sizes) u <= g ^ 2 * inf_sum (map (fun s => inf_powi (inf_div s g) 2) sizes).
Proof.
  intros Hg; induction sizes as [|s l IH] using rev_ind; intros H; [unfold inf_sum; simpl; lra|].
  apply bounded_init in H; destruct H as [H Hs].
  rewrite map_app; cbn [map]; rewrite inf_sum_last, app_length, Nat.add_1_r; cbn [squares].
  set (S := inf_sum _) in *; set (Q := inf_powi _ 2).
  assert (HQ : u (length l) ^ 2 <= g ^ 2 * Q).
  { pose proof (Rabs_pos (u (length l))).
    assert (D : s / g * (s / g) <= Q).
    { apply square_up; split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|apply inf_div_ge; lra]. }
    apply Rle_trans with (s ^ 2); [rewrite <- pow2_abs; apply pow_incr; lra|].
    replace (s ^ 2) with (g ^ 2 * (s / g * (s / g))) by (field; lra); apply Rmult_le_compat_l; auto; apply pow2_ge_0. }
  assert (HS : S + Q <= inf_add S Q) by (apply inf_add_ge; lra).
  specialize (IH H); pose proof (pow2_ge_0 g); nra.
Qed.

Lemma l2_up u sizes : bounded u sizes -> l2 (length sizes) u <= norm_up L2Distance sizes.
Proof.
  intros H; simpl; pose proof (greatest_nonneg sizes); unfold l2; destruct (Req_EM_T (greatest sizes) 0) as [E|E].
  - replace (squares (length sizes) u) with 0; [rewrite sqrt_0; lra|].
    apply Rle_antisym; [apply squares_nonneg|].
    assert (Z : forall j, (j < length sizes)%nat -> u j = 0).
    { intros j J; apply nth_error_Some in J; destruct (nth_error sizes j) as [s|] eqn:N; [|congruence].
      pose proof (H j s N); pose proof (greatest_ge sizes s (nth_error_In _ _ N)); pose proof (Rabs_pos (u j)).
      destruct (Req_dec (u j) 0) as [|F]; auto; apply Rabs_no_R0 in F; lra. }
    clear -Z; induction (length sizes); cbn [squares]; [lra|]; rewrite Z by lia.
    assert (squares n u <= 0) by (apply IHn; intros; apply Z; lia); simpl; lra.
  - assert (Hg : 0 < greatest sizes) by lra; pose proof (squares_up u _ sizes Hg H) as S.
    set (T := inf_sum _) in *; set (g := greatest sizes) in *.
    pose proof (squares_nonneg (length sizes) u) as N.
    assert (HT : 0 <= T) by (pose proof (pow_lt g 2 Hg); nra).
    apply Rle_trans with (g * sqrt T).
    + replace (g * sqrt T) with (sqrt (g ^ 2 * T)); [now apply sqrt_le_1_alt|].
      rewrite sqrt_mult by (auto; apply pow2_ge_0); f_equal; apply sqrt_pow2; lra.
    + apply inf_mul_ge; split; try lra; [apply sqrt_pos|apply up_ge].
Qed.

Lemma top_one l s : In s l -> exists t r, falling l = t :: r /\ s <= t.
Proof.
  intros I; apply (Permutation_in _ (sort_perm falls l)) in I; fold (falling l) in I.
  pose proof (falling_sorted l) as S; destruct (falling l) as [|t r]; [contradiction|]; exists t, r; split; auto.
  destruct I as [->|I]; [lra|]; inversion S; subst; rewrite Forall_forall in *; apply Rge_le; auto.
Qed.
Lemma top_two l a b c : Permutation l (a :: b :: c) -> exists s t r, falling l = s :: t :: r /\ a + b <= s + t.
Proof.
  intros P; pose proof (Permutation_trans (Permutation_sym (sort_perm falls l)) P) as Q; fold (falling l) in Q.
  pose proof (falling_sorted l) as S.
  destruct (falling l) as [|s [|t r]]; try (apply Permutation_length in Q; simpl in Q; lia).
  exists s, t, r; split; auto.
  inversion S as [|? ? S1 F1]; subst; inversion S1 as [|? ? S2 F2]; subst.
  assert (G : forall v, In v (t :: r) -> v <= t).
  { intros v [->|I]; [lra|]; rewrite Forall_forall in F2; apply Rge_le; auto. }
  assert (Hst : t <= s) by (inversion F1; lra).
  assert (Ia : In a (s :: t :: r)) by (eapply Permutation_in; [apply Permutation_sym, Q|now left]).
  assert (Ib : In b (s :: t :: r)) by (eapply Permutation_in; [apply Permutation_sym, Q|right; now left]).
  destruct Ia as [->|Ia].
  - apply Permutation_cons_inv in Q; assert (In b (t :: r)) by (eapply Permutation_in; [apply Permutation_sym, Q|now left]).
    specialize (G b H); lra.
  - specialize (G a Ia); destruct Ib as [->|Ib]; [lra|].
    destruct Ib as [<-|Ib]; [lra|]; rewrite Forall_forall in F2; pose proof (F2 b Ib); lra.
Qed.

Lemma inf_sum_one t : t <= inf_sum [t].
Proof. unfold inf_sum; simpl; rewrite <- (Rplus_0_l t) at 1; apply inf_add_ge; lra. Qed.
Lemma inf_sum_two s t : s + t <= inf_sum [s; t].
Proof. change [s; t] with ([s] ++ [t]); rewrite inf_sum_last; apply inf_add_ge; [apply inf_sum_one|lra]. Qed.

Lemma linf_up u sizes : bounded u sizes -> linf (length sizes) u <= norm_up (LInfDistance false) sizes.
Proof.
  intros H; simpl.
  assert (G : forall n, (n <= length sizes)%nat -> linf n u <= inf_sum (firstn 1 (falling sizes))).
  { induction n as [|n IH]; cbn [linf]; intros L.
    - destruct sizes as [|s l]; [unfold inf_sum; simpl; lra|].
      destruct (top_one (s :: l) s) as (t & r & -> & Ht); [now left|].
      pose proof (bounded_in u (s :: l) s H (or_introl eq_refl)); pose proof (inf_sum_one t); simpl; lra.
    - apply Rmax_lub; [apply IH; lia|].
      destruct (nth_error sizes n) as [s|] eqn:E; [|apply nth_error_None in E; lia].
      destruct (top_one sizes s (nth_error_In _ _ E)) as (t & r & -> & Ht).
      pose proof (H n s E); pose proof (inf_sum_one t); simpl; lra. }
  now apply G.
Qed.

Lemma rise_attained n u : rise n u = 0 \/ exists j, (j < n)%nat /\ rise n u = u j /\ 0 < u j.
Proof.
  induction n as [|n IH]; simpl; auto; unfold Rmax; destruct (Rle_dec (rise n u) (u n)).
  - pose proof (rise_nonneg n u); destruct (Req_dec (u n) 0) as [Z|Z]; [now left|].
    right; exists n; repeat split; auto; lra.
  - destruct IH as [Z|(j & J & E & P)]; [now left|right; exists j; repeat split; auto].
Qed.

Lemma two_places {A} (l : list A) i j a b : i <> j -> nth_error l i = Some a -> nth_error l j = Some b ->
  exists c, Permutation l (a :: b :: c).
Proof.
  revert i j; induction l as [|e l IH]; intros [|i] [|j] N; simpl; try discriminate; try (now elim N).
  - intros [= ->] H; apply nth_error_split in H; destruct H as (p & q & -> & _).
    exists (p ++ q); constructor; apply Permutation_sym, Permutation_middle.
  - intros H [= ->]; apply nth_error_split in H; destruct H as (p & q & -> & _).
    exists (p ++ q); eapply Permutation_trans; [|apply perm_swap]; constructor; apply Permutation_sym, Permutation_middle.
  - intros Hi Hj; destruct (IH i j) as (c & P); auto; exists (e :: c).
    eapply Permutation_trans; [apply perm_skip, P|].
    eapply Permutation_trans; [apply perm_swap|]; constructor; apply perm_swap.
Qed.

Lemma span_up u sizes : bounded u sizes -> span (length sizes) u <= norm_up (LInfDistance true) sizes.
Proof.
  intros H; simpl norm_up; unfold span; set (n := length sizes).
  assert (P : forall v, (forall j, Rabs (v j) = Rabs (u j)) -> rise n v <= inf_sum (firstn 2 (falling sizes))).
  { intros v Hv; destruct (rise_attained n v) as [->|(j & J & -> & P)].
    - destruct sizes as [|s l]; [unfold inf_sum; simpl; lra|].
      destruct (top_one (s :: l) s) as (t & r & E & Ht); [now left|]; rewrite E.
      assert (Z : forall x, In x (falling (s :: l)) -> 0 <= x).
      { intros x I; apply (Permutation_in _ (Permutation_sym (sort_perm falls _))) in I; eapply bounded_in; eauto. }
      rewrite E in Z; destruct r as [|t' r]; [pose proof (inf_sum_one t)|pose proof (inf_sum_two t t')]; simpl firstn.
      + pose proof (Z t (or_introl eq_refl)); lra.
      + pose proof (Z t (or_introl eq_refl)); pose proof (Z t' (or_intror (or_introl eq_refl))); lra.
    - destruct (nth_error sizes j) as [s|] eqn:E; [|apply nth_error_None in E; unfold n in J; lia].
      pose proof (H j s E) as B; rewrite <- Hv in B; rewrite Rabs_pos_eq in B by lra.
      destruct (top_one sizes s (nth_error_In _ _ E)) as (t & r & F & Ht); rewrite F.
      assert (Z : forall x, In x (falling sizes) -> 0 <= x).
      { intros x I; apply (Permutation_in _ (Permutation_sym (sort_perm falls _))) in I; eapply bounded_in; eauto. }
      rewrite F in Z; destruct r as [|t' r]; [pose proof (inf_sum_one t)|pose proof (inf_sum_two t t')]; simpl firstn.
      + lra.
      + pose proof (Z t' (or_intror (or_introl eq_refl))); lra. }
  destruct (rise_attained n u) as [E|(i & I & E & Pi)].
  - rewrite E, Rplus_0_l; apply P; intros; apply Rabs_Ropp.
  - destruct (rise_attained n (fun j => - u j)) as [F|(j & J & F & Pj)]; [rewrite F, Rplus_0_r; now apply P|].
    assert (N : i <> j) by (intros ->; lra); rewrite E, F.
    destruct (nth_error sizes i) as [a|] eqn:Ea; [|apply nth_error_None in Ea; unfold n in I; lia].
    destruct (nth_error sizes j) as [b|] eqn:Eb; [|apply nth_error_None in Eb; unfold n in J; lia].
    destruct (two_places sizes i j a b N Ea Eb) as (c & Q); destruct (top_two _ _ _ _ Q) as (s & t & r & G & L).
    rewrite G; simpl firstn; pose proof (inf_sum_two s t).
    pose proof (H i a Ea) as Ba; pose proof (H j b Eb) as Bb.
    rewrite Rabs_pos_eq in Ba by lra; rewrite Rabs_left1 in Bb by lra; lra.
Qed.

(** The norm of sizes is at least that of every vector with entries of at most these sizes. *)
Theorem norm_up_sound C u sizes : bounded u sizes -> norm C (length sizes) u <= norm_up C sizes.
Proof. destruct C as [| |[]]; [apply l1_up|apply l2_up|apply span_up|apply linf_up]. Qed.

(** How norms compare with the sum of sizes, and with the length. *)
Lemma l2_l1 n u : l2 n u <= l1 n u.
Proof.
  assert (P : 0 <= l1 n u) by (induction n; simpl; [lra|]; pose proof (Rabs_pos (u n)); lra).
  rewrite <- (sqrt_pow2 (l1 n u)) by auto; apply sqrt_le_1_alt; clear P.
  assert (G : 0 <= l1 n u /\ squares n u <= l1 n u ^ 2); [|apply G].
  induction n as [|n [P IH]]; [simpl; lra|]; cbn [squares l1]; pose proof (Rabs_pos (u n)).
  rewrite <- (pow2_abs (u n)); split; [lra|nra].
Qed.
Lemma linf_l2 n u : linf n u <= l2 n u.
Proof.
  induction n as [|n IH]; [unfold l2; simpl; rewrite sqrt_0; lra|]; rewrite l2_step; cbn [linf].
  assert (0 <= l2 n u) by apply sqrt_pos; apply Rmax_lub.
  - eapply Rle_trans; [exact IH|]; rewrite <- (sqrt_pow2 (l2 n u)) at 1 by auto.
    apply sqrt_le_1_alt; pose proof (pow2_ge_0 (u n)); lra.
  - rewrite <- sqrt_pow2_abs; apply sqrt_le_1_alt; pose proof (pow2_ge_0 (l2 n u)); lra.
Qed.
Lemma span_squares n u : rise n u ^ 2 + rise n (fun j => - u j) ^ 2 <= squares n u.
Proof.
  induction n as [|n IH]; [simpl; lra|]; cbn [rise squares].
  pose proof (rise_nonneg n u); pose proof (rise_nonneg n (fun j => - u j)).
  unfold Rmax; destruct (Rle_dec (rise n u) (u n)), (Rle_dec (rise n (fun j => - u j)) (- u n)); nra.
Qed.
Lemma span_l2 n u : span n u <= sqrt 2 * l2 n u.
Proof.
  pose proof (rise_nonneg n u); pose proof (rise_nonneg n (fun j => - u j)).
  unfold span, l2; rewrite <- sqrt_mult by (try apply squares_nonneg; lra).
  rewrite <- (sqrt_pow2 (rise n u + _)) by lra; apply sqrt_le_1_alt; pose proof (span_squares n u).
  pose proof (pow2_ge_0 (rise n u - rise n (fun j => - u j))); nra.
Qed.
Lemma span_l1 n u : span n u <= l1 n u.
Proof.
  induction n as [|n IH]; unfold span in *; cbn [rise l1]; [lra|].
  pose proof (rise_nonneg n u); pose proof (rise_nonneg n (fun j => - u j)).
  unfold Rmax, Rabs; destruct (Rle_dec (rise n u) (u n)), (Rle_dec (rise n (fun j => - u j)) (- u n)), (Rcase_abs (u n)); lra.
Qed.
Lemma norm_l1 C n u : norm C n u <= l1 n u.
Proof.
  destruct C as [| |[]]; simpl; [lra|apply l2_l1|apply span_l1|]; eapply Rle_trans; [apply linf_l2|apply l2_l1].
Qed.

Lemma l1_squares n u : 0 <= l1 n u /\ l1 n u ^ 2 <= INR n * squares n u.
Proof.
  induction n as [|n [P IH]]; [simpl; lra|]; cbn [l1 squares]; pose proof (Rabs_pos (u n)) as A; split; [lra|].
  rewrite S_INR, <- (pow2_abs (u n)); pose proof (pos_INR n) as N; pose proof (squares_nonneg n u) as Q.
  set (a := l1 n u) in *; set (q := squares n u) in *; set (v := Rabs (u n)) in *; set (m := INR n) in *.
  assert (C : 2 * (a * v) <= q + m * v ^ 2); [|nra].
  apply Rsqr_incr_0_var; [|nra]; unfold Rsqr.
  assert (B : a ^ 2 * v ^ 2 <= m * q * v ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|exact IH]).
  pose proof (pow2_ge_0 (q - m * v ^ 2)); nra.
Qed.
Lemma l1_l2 n u : l1 n u <= sqrt (INR n) * l2 n u.
Proof.
  destruct (l1_squares n u) as [P Q]; unfold l2; rewrite <- sqrt_mult by (apply pos_INR || apply squares_nonneg).
  rewrite <- (sqrt_pow2 (l1 n u)) by auto; now apply sqrt_le_1_alt.
Qed.
Lemma l2_nonneg n u : 0 <= l2 n u.
Proof. apply sqrt_pos. Qed.
Lemma inf_sqrt_up x y : x <= y -> sqrt x <= inf_sqrt (up y).
Proof. intros H; unfold inf_sqrt; eapply Rle_trans; [|apply up_ge]; apply sqrt_le_1_alt; pose proof (up_ge y); lra. Qed.

Theorem per_euclidean_sound C n u : norm C n u <= per_euclidean C n * l2 n u.
Proof.
  pose proof (l2_nonneg n u) as P; destruct C as [| |m]; cbn [norm per_euclidean].
  - eapply Rle_trans; [apply l1_l2|]; apply Rmult_le_compat_r; auto; apply inf_sqrt_up; lra.
  - destruct n; simpl; [unfold l2; simpl; rewrite sqrt_0; lra|lra].
  - destruct n as [|n].
    { replace ((if m then span 0 else linf 0) u) with 0 by (destruct m; unfold span; simpl; ring).
      apply Rmult_le_pos; auto; eapply Rle_trans; [apply sqrt_pos|apply up_ge]. }
    assert (S1 : 1 <= inf_sqrt (up (INR 1))) by (rewrite <- sqrt_1 at 1; apply inf_sqrt_up; simpl; lra).
    destruct m.
    + destruct n as [|n].
      * assert (E : span 1 u <= l2 1 u).
        { eapply Rle_trans; [apply span_l1|]; unfold l2; simpl; rewrite !Rplus_0_l, Rmult_1_r.
          right; symmetry; apply sqrt_Rsqr_abs. }
        apply Rle_trans with (1 * l2 1 u); [lra|apply Rmult_le_compat_r; auto].
      * replace (Nat.min (S (S n)) 2) with 2%nat by lia.
        eapply Rle_trans; [apply span_l2|]; apply Rmult_le_compat_r; auto.
        apply inf_sqrt_up; simpl; lra.
    + pose proof (linf_l2 (S n) u).
      replace (Nat.min (S n) 1) with 1%nat by (destruct n; auto).
      apply Rle_trans with (1 * l2 (S n) u); [lra|apply Rmult_le_compat_r; auto].
Qed.

Lemma per_euclidean_nonneg C n : 0 <= per_euclidean C n.
Proof.
  destruct C; cbn [per_euclidean]; [|destruct (Nat.eqb n 0); lra|]; (eapply Rle_trans; [apply sqrt_pos|apply up_ge]).
Qed.

Lemma norm_nonneg C n u : 0 <= norm C n u.
Proof. exact (seminorm_nonneg _ (norm_seminorm C n) u). Qed.

(** The norms of a list, which are those of the vector of its entries ([Totals]). *)
Definition size (l : list R) : R := l1 (length l) (entries l).
Definition squared (l : list R) : R := squares (length l) (entries l).
Lemma size_cons v l : size (v :: l) = Rabs v + size l.
Proof. exact (l1_cons (length l) (entries (v :: l))). Qed.
Lemma squared_cons v l : squared (v :: l) = v ^ 2 + squared l.
Proof. exact (squares_cons (length l) (entries (v :: l))). Qed.
Lemma size_nonneg l : 0 <= size l.
Proof. exact (seminorm_nonneg _ (l1_seminorm _) _). Qed.
Lemma size_app l m : size (l ++ m) = size l + size m.
Proof. induction l as [|v l IH]; [unfold size at 2; simpl; ring|]; cbn [app]; rewrite !size_cons, IH; ring. Qed.
Lemma squared_app l m : squared (l ++ m) = squared l + squared m.
Proof. induction l as [|v l IH]; [unfold squared at 2; simpl; ring|]; cbn [app]; rewrite !squared_cons, IH; ring. Qed.
Lemma squared_size l : squared l <= size l ^ 2.
Proof.
  induction l as [|v l IH]; [unfold squared, size; simpl; lra|]; rewrite squared_cons, size_cons.
  pose proof (size_nonneg l); pose proof (Rabs_pos v); rewrite <- (pow2_abs v); nra.
Qed.
Lemma entry_size l v : In v l -> Rabs v <= size l.
Proof.
  induction l as [|w l IH]; [contradiction|]; rewrite size_cons; pose proof (Rabs_pos w); pose proof (size_nonneg l).
  intros [->|I]; [lra|]; specialize (IH I); lra.
Qed.

(** Norms grow with the numbers. *)
Lemma rise_scale n c u : 0 <= c -> rise n (fun j => c * u j) = c * rise n u.
Proof. intros H; induction n; simpl; [ring|]; rewrite IHn, <- RmaxRmult; auto. Qed.
Lemma norm_scale C n c u : 0 <= c -> norm C n (fun j => c * u j) = c * norm C n u.
Proof.
  intros H; destruct C as [| |[]]; simpl.
  - induction n; simpl; [ring|]; rewrite IHn, Rabs_mult, (Rabs_pos_eq c) by auto; ring.
  - unfold l2; replace (squares n (fun j => c * u j)) with (c ^ 2 * squares n u).
    + rewrite sqrt_mult by (apply pow2_ge_0 || apply squares_nonneg); f_equal; now apply sqrt_pow2.
    + induction n; simpl; [ring|]; simpl in IHn; rewrite <- IHn; ring.
  - unfold span; rewrite rise_scale by auto; rewrite (rise_ext n (fun j => - (c * u j)) (fun j => c * - u j)) by (intros; ring).
    rewrite rise_scale by auto; ring.
  - induction n; simpl; [ring|]; rewrite IHn, Rabs_mult, (Rabs_pos_eq c), <- RmaxRmult by auto; auto.
Qed.

(** [CategoryMetric::length]: the longest members of a ball, and their length. *)
Inductive ball_norm := L1 | L2 | LInf.
Definition ball (p : ball_norm) (n : nat) (u : vector) : R :=
  match p with L1 => l1 n u | L2 => l2 n u | LInf => linf n u end.
Definition ball_length (C : category_metric) (p : ball_norm) (n : nat) (radius : R) : R :=
  inf_mul radius match p with
    | L1 => norm_up C (repeat 1 (Nat.min 1 n))
    | L2 => per_euclidean C n
    | LInf => norm_up C (repeat 1 n)
    end.

Lemma bounded_ones u n : (forall j, (j < n)%nat -> Rabs (u j) <= 1) -> bounded u (repeat 1 n).
Proof.
  intros H j s E; assert (L : (j < n)%nat) by (rewrite <- (repeat_length 1 n); apply nth_error_Some; congruence).
  apply nth_error_In, repeat_spec in E; subst; auto.
Qed.
Lemma norm_one C : norm C 1 (fun _ => 1) = 1.
Proof.
  destruct C as [| |[]]; simpl.
  - rewrite Rabs_R1; ring.
  - unfold l2; simpl; rewrite Rplus_0_l, !Rmult_1_r; apply sqrt_1.
  - unfold span; simpl; rewrite Rmax_right, Rmax_left by lra; ring.
  - rewrite Rabs_R1; apply Rmax_right; lra.
Qed.

Theorem ball_length_sound C p n radius u : 0 < radius -> ball p n u <= radius -> norm C n u <= ball_length C p n radius.
Proof.
  intros Hr H; unfold ball_length.
  assert (M : forall f g, 0 <= f <= g -> radius * f <= inf_mul radius g) by (intros; apply inf_mul_ge; lra).
  assert (F : forall k w, bounded w (repeat 1 k) -> norm C k w <= norm_up C (repeat 1 k)).
  { intros k w B; pose proof (norm_up_sound C w _ B) as G; now rewrite repeat_length in G. }
  destruct p; simpl in H.
  - pose proof (norm_l1 C n u) as L; destruct n as [|n].
    + assert (Z : 0 <= norm_up C (repeat 1 (Nat.min 1 0))).
      { eapply Rle_trans; [apply (norm_nonneg C 0 u)|]; apply (F 0%nat); intros j s E; destruct j; discriminate. }
      eapply Rle_trans; [|apply (M 0); lra]; simpl in L; lra.
    + assert (O : 1 <= norm_up C (repeat 1 1)).
      { rewrite <- (norm_one C) at 1; apply F; apply bounded_ones; intros; rewrite Rabs_R1; lra. }
      eapply Rle_trans; [|apply (M 1); split; [lra|exact O]]; lra.
  - pose proof (per_euclidean_sound C n u); pose proof (per_euclidean_nonneg C n).
    eapply Rle_trans; [|apply (M (per_euclidean C n)); lra]; nra.
  - set (w := fun j => / radius * u j).
    assert (B : bounded w (repeat 1 n)).
    { apply bounded_ones; intros j J; unfold w; pose proof (linf_ge n u j J).
      assert (0 < / radius) by now apply Rinv_0_lt_compat.
      rewrite Rabs_mult, (Rabs_pos_eq (/ radius)) by lra.
      replace 1 with (/ radius * radius) by (field; lra); apply Rmult_le_compat_l; lra. }
    rewrite (norm_ext _ (norm_seminorm C n) u (fun j => radius * w j)) by (intros; unfold w; field; lra).
    rewrite norm_scale by lra; apply M; split; [apply norm_nonneg|now apply F].
Qed.

(** The bounds are attained, so that they say something: by one number, and in L1 by all of one size. *)
Example ball_length_attained : norm L1Distance 2 (fun _ => 1) = 2 /\ ball LInf 2 (fun _ => 1) = 1.
Proof. simpl; rewrite Rabs_R1, Rmax_right by (rewrite Rmax_right; lra); split; ring. Qed.

(** The length of a vector itself ([CategoryMetric::length_of]), of which each entry has its sign: in the monotonic form what rises and what falls
    add up. *)
Definition length_of (C : category_metric) (v : list R) : R :=
  match C with LInfDistance true => inf_add (greatest v) (greatest (map Ropp v)) | _ => norm_up C (map Rabs v) end.

(** Entries of the same signs, and at most of the sizes. *)
Definition outward (u : vector) (v : list R) : Prop := forall j s, nth_error v j = Some s -> 0 <= u j <= s \/ s <= u j <= 0.
Lemma outward_entries v : outward (entries v) v.
Proof.
  intros j s E; unfold entries; rewrite (nth_error_nth v j 0 E); destruct (Rle_lt_dec 0 s); [left|right]; lra.
Qed.
Lemma outward_bounded u v : outward u v -> bounded u (map Rabs v).
Proof.
  intros H j s E; rewrite nth_error_map in E; destruct (nth_error v j) as [x|] eqn:N; [injection E as <-|discriminate].
  unfold Rabs; destruct (Rcase_abs (u j)), (Rcase_abs x), (H j x N); lra.
Qed.
Lemma rise_below n u c : 0 <= c -> (forall j, (j < n)%nat -> u j <= c) -> rise n u <= c.
Proof. intros Hc; induction n as [|n IH]; intros H; cbn [rise]; auto; apply Rmax_lub; auto. Qed.
Lemma rise_greatest u v : outward u v -> rise (length v) u <= greatest v.
Proof.
  intros H; apply rise_below; [apply greatest_nonneg|]; intros j J.
  destruct (nth_error v j) as [s|] eqn:E; [|apply nth_error_None in E; lia].
  pose proof (greatest_ge v s (nth_error_In _ _ E)); pose proof (greatest_nonneg v); destruct (H j s E); lra.
Qed.
Lemma outward_opp u v : outward u v -> outward (fun j => - u j) (map Ropp v).
Proof.
  intros H j s E; rewrite nth_error_map in E; destruct (nth_error v j) as [x|] eqn:N; [injection E as <-|discriminate].
  destruct (H j x N); [right|left]; lra.
Qed.
Theorem length_of_sound C u v : outward u v -> norm C (length v) u <= length_of C v.
Proof.
  intros H; assert (S : norm C (length v) u <= norm_up C (map Rabs v)).
  { rewrite <- (map_length Rabs v); now apply norm_up_sound, outward_bounded. }
  destruct C as [| |[]]; try exact S; cbn [norm length_of]; unfold span; apply inf_add_ge; [now apply rise_greatest|].
  rewrite <- (map_length Ropp v); now apply rise_greatest, outward_opp.
Qed.
