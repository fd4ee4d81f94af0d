(** [make_linear_queries]: a matrix times a vector, and three bounds on the matrix's norm. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Dataset Totals Rounding Maps categories norms.
Import ListNotations.
Open Scope R_scope.

(** Sums of so many terms. *)
Fixpoint sum_to (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum_to m f + f m end.
Lemma sum_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> sum_to n f = sum_to n g.
Proof. induction n; simpl; intros H; auto; rewrite IHn, H; auto. Qed.
Lemma sum_le n f g : (forall j, (j < n)%nat -> f j <= g j) -> sum_to n f <= sum_to n g.
Proof. induction n; simpl; intros H; [lra|]; apply Rplus_le_compat; auto. Qed.
Lemma sum_plus n f g : sum_to n (fun j => f j + g j) = sum_to n f + sum_to n g.
Proof. induction n; simpl; [ring|]; rewrite IHn; ring. Qed.
Lemma sum_scale n c f : sum_to n (fun j => c * f j) = c * sum_to n f.
Proof. induction n; simpl; [ring|]; rewrite IHn; ring. Qed.
Lemma sum_zero n : sum_to n (fun _ => 0) = 0.
Proof. induction n; simpl; [auto|]; rewrite IHn; ring. Qed.
Lemma sum_nonneg n f : (forall j, (j < n)%nat -> 0 <= f j) -> 0 <= sum_to n f.
Proof. intros H; rewrite <- (sum_zero n); now apply sum_le. Qed.
Lemma sum_abs n f : Rabs (sum_to n f) <= sum_to n (fun j => Rabs (f j)).
Proof. induction n; simpl; [rewrite Rabs_R0; lra|]; eapply Rle_trans; [apply Rabs_triang|]; lra. Qed.
Lemma sum_swap m n (f : nat -> nat -> R) : sum_to m (fun i => sum_to n (f i)) = sum_to n (fun j => sum_to m (fun i => f i j)).
Proof. induction m; simpl; [now rewrite sum_zero|]; now rewrite IHm, <- sum_plus. Qed.
Lemma l1_sum n u : l1 n u = sum_to n (fun j => Rabs (u j)).
Proof. induction n; simpl; auto; now rewrite IHn. Qed.
Lemma squares_sum n u : squares n u = sum_to n (fun j => u j ^ 2).
Proof. induction n; cbn [squares sum_to]; auto; now rewrite IHn. Qed.

(** Hoelder's inequality, for each norm and its dual ([DualMetric]). *)
Definition dual (M : category_metric) : category_metric :=
  match M with L1Distance => LInfDistance false | L2Distance => L2Distance | LInfDistance _ => L1Distance end.
Definition ball_of (M : category_metric) : ball_norm :=
  match M with L1Distance => L1 | L2Distance => L2 | LInfDistance _ => LInf end.

Lemma linf_span n u : linf n u <= span n u.
Proof.
  induction n as [|n IH]; unfold span in *; cbn [rise linf]; [lra|].
  pose proof (rise_nonneg n u); pose proof (rise_nonneg n (fun j => - u j)).
  apply Rmax_lub; unfold Rmax; destruct (Rle_dec (rise n u) (u n)), (Rle_dec (rise n (fun j => - u j)) (- u n)); try lra;
    unfold Rabs; destruct (Rcase_abs (u n)); lra.
Qed.
Lemma ball_norm_le M n v : ball (ball_of M) n v <= norm M n v.
Proof. destruct M as [| |[]]; simpl; try lra; apply linf_span. Qed.
Lemma linf_norm M n v : linf n v <= norm M n v.
Proof.
  destruct M as [| |[]]; simpl; [|apply linf_l2|apply linf_span|lra]; eapply Rle_trans; [apply linf_l2|apply l2_l1].
Qed.

Lemma dot_l1 n w v : Rabs (sum_to n (fun j => w j * v j)) <= linf n w * l1 n v.
Proof.
  eapply Rle_trans; [apply sum_abs|]; rewrite l1_sum, <- sum_scale; apply sum_le; intros j J.
  rewrite Rabs_mult; apply Rmult_le_compat_r; [apply Rabs_pos|now apply linf_ge].
Qed.
Lemma plane a b c d : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> a * c + b * d <= sqrt (a ^ 2 + b ^ 2) * sqrt (c ^ 2 + d ^ 2).
Proof.
  intros; rewrite <- sqrt_mult by nra; rewrite <- (sqrt_pow2 (a * c + b * d)) by nra.
  apply sqrt_le_1_alt; pose proof (pow2_ge_0 (a * d - b * c)); nra.
Qed.
Lemma dot_l2 n w v : Rabs (sum_to n (fun j => w j * v j)) <= l2 n w * l2 n v.
Proof.
  induction n as [|n IH]; [simpl; rewrite Rabs_R0; apply Rmult_le_pos; apply l2_nonneg|].
  cbn [sum_to]; rewrite !l2_step; eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_mult.
  rewrite <- (pow2_abs (w n)), <- (pow2_abs (v n)).
  eapply Rle_trans; [|apply plane; auto using l2_nonneg, Rabs_pos]; lra.
Qed.
Theorem holder M n w v : Rabs (sum_to n (fun j => w j * v j)) <= norm (dual M) n w * norm M n v.
Proof.
  destruct M as [| |m]; simpl dual; [apply dot_l1|apply dot_l2|].
  eapply Rle_trans; [|apply Rmult_le_compat_l; [apply (norm_nonneg L1Distance)|apply linf_norm]].
  rewrite Rmult_comm; rewrite (sum_ext n _ (fun j => v j * w j)) by (intros; ring); apply dot_l1.
Qed.

(** The least factor that bounds a functional, rounded up ([DualMetric::dual_length]): for the monotonic form the greater of what its positive and what
    its negative numbers sum to, for what rises and what falls add up to a length. *)
Definition part (sign : R) (w : list R) : list R := map (fun x => Rmax 0 (sign * x)) w.
Definition dual_of (M : category_metric) (w : list R) : R :=
  match M with
  | LInfDistance true => Rmax (inf_sum (part 1 w)) (inf_sum (part (-1) w))
  | _ => length_of (dual M) w
  end.

Lemma entry_rise n u j : (j < n)%nat -> u j <= rise n u.
Proof.
  induction n as [|n IH]; intros J; [lia|]; cbn [rise].
  destruct (Nat.eq_dec j n) as [->|N]; [apply Rmax_r|eapply Rle_trans; [apply IH; lia|apply Rmax_l]].
Qed.
Lemma part_sum sign n u w : sign = 1 \/ sign = -1 -> length w = n -> outward u w -> sum_to n (fun j => Rmax 0 (sign * u j)) <= inf_sum (part sign w).
Proof.
  intros S L H; eapply Rle_trans; [|apply inf_sum_ge]; subst n.
  revert u H; induction w as [|x w IH] using rev_ind; intros u H; [simpl; lra|].
  rewrite app_length, Nat.add_1_r; cbn [sum_to]; unfold part in *; rewrite map_app, fold_right_app; cbn [map fold_right].
  assert (E : forall a l, fold_right Rplus a l = fold_right Rplus 0 l + a).
  { clear; intros a l; induction l as [|v l IH]; simpl; [ring|]; rewrite IH; ring. }
  rewrite E; apply Rplus_le_compat.
  - apply IH; intros j s Ej; apply H; rewrite nth_error_app1; auto; apply nth_error_Some; congruence.
  - assert (X : 0 <= u (length w) <= x \/ x <= u (length w) <= 0) by (apply H; rewrite nth_error_app2, Nat.sub_diag; auto).
    rewrite Rplus_0_r; unfold Rmax; destruct S as [-> | ->], X; repeat destruct (Rle_dec _ _); lra.
Qed.
Lemma dot_span n u v : sum_to n (fun j => u j * v j) <=
  Rmax (sum_to n (fun j => Rmax 0 (1 * u j))) (sum_to n (fun j => Rmax 0 (-1 * u j))) * span n v.
Proof.
  set (P := sum_to n (fun j => Rmax 0 (1 * u j))); set (Q := sum_to n (fun j => Rmax 0 (-1 * u j))).
  assert (X : sum_to n (fun j => u j * v j) <= rise n v * P + rise n (fun j => - v j) * Q).
  { unfold P, Q; rewrite <- !sum_scale, <- sum_plus; apply sum_le; intros j J.
    pose proof (entry_rise n v j J) as A; pose proof (entry_rise n (fun j => - v j) j J) as B; cbv beta in B.
    pose proof (rise_nonneg n v); pose proof (rise_nonneg n (fun j => - v j)).
    unfold Rmax; destruct (Rle_dec 0 (1 * u j)), (Rle_dec 0 (-1 * u j)); nra. }
  eapply Rle_trans; [exact X|]; unfold span; pose proof (rise_nonneg n v); pose proof (rise_nonneg n (fun j => - v j)).
  pose proof (Rmax_l P Q); pose proof (Rmax_r P Q); nra.
Qed.
Theorem dual_sound M n u w v : length w = n -> outward u w -> Rabs (sum_to n (fun j => u j * v j)) <= dual_of M w * norm M n v.
Proof.
  intros L H; assert (G : norm (dual M) n u <= length_of (dual M) w) by (rewrite <- L; now apply length_of_sound).
  pose proof (norm_nonneg M n v) as N.
  assert (S : Rabs (sum_to n (fun j => u j * v j)) <= length_of (dual M) w * norm M n v).
  { eapply Rle_trans; [apply (holder M)|]; now apply Rmult_le_compat_r. }
  destruct M as [| |[]]; try exact S; cbn [norm dual_of] in *.
  assert (T : forall v, sum_to n (fun j => u j * v j) <= Rmax (inf_sum (part 1 w)) (inf_sum (part (-1) w)) * span n v).
  { intros v'; eapply Rle_trans; [apply dot_span|]; apply Rmult_le_compat_r; [apply (norm_nonneg (LInfDistance true))|].
    apply Rmax_lub; (eapply Rle_trans; [apply part_sum with (w := w); auto|]); [apply Rmax_l|apply Rmax_r]. }
  unfold Rabs; destruct (Rcase_abs _); [|apply T].
  replace (- sum_to n (fun j => u j * v j)) with (sum_to n (fun j => u j * - v j)).
  - eapply Rle_trans; [apply (T (fun j => - v j))|]; right; f_equal; apply (norm_opp _ (span_seminorm n)).
  - rewrite <- (Rmult_1_l (sum_to n (fun j => u j * v j))), Ropp_mult_distr_l, <- sum_scale; apply sum_ext; intros; ring.
Qed.
Lemma dual_nonneg M w : 0 <= dual_of M w.
Proof.
  assert (X : 0 <= length_of (dual M) w) by (eapply Rle_trans; [apply (norm_nonneg (dual M) (length w) (entries w))|apply length_of_sound, outward_entries]).
  destruct M as [| |[]]; try exact X; cbn [dual_of].
  eapply Rle_trans; [|apply Rmax_l]; eapply Rle_trans; [|apply inf_sum_ge].
  clear X; unfold part; induction w as [|x w IH]; cbn [map fold_right]; [lra|]; pose proof (Rmax_l 0 (1 * x)); lra.
Qed.
Lemma norm_abs M n v : norm M n (fun j => Rabs (v j)) <= norm M n v.
Proof.
  destruct M as [| |[]]; cbn [norm].
  - right; induction n; simpl; auto; now rewrite IHn, Rabs_Rabsolu.
  - unfold l2; right; f_equal; induction n; cbn [squares]; auto; now rewrite IHn, pow2_abs.
  - eapply Rle_trans; [|apply linf_span]; unfold span.
    assert (Z : rise n (fun j => - Rabs (v j)) <= 0) by (apply rise_below; [lra|]; intros j _; pose proof (Rabs_pos (v j)); lra).
    assert (P : rise n (fun j => Rabs (v j)) <= linf n v); [|lra].
    apply rise_below; [apply (norm_nonneg (LInfDistance false))|]; intros j J; now apply linf_ge.
  - right; induction n; simpl; auto; now rewrite IHn, Rabs_Rabsolu.
Qed.

(** A matrix is a list of rows. *)
Section Matrix.
Variables (matrix : list (list R)) (n : nat).
Hypothesis rows_long : forall row, In row matrix -> length row = n.
Notation m := (length matrix).
Definition entry (i j : nat) : R := nth j (nth i matrix []) 0.

(** [product] of each row with the vector. *)
Definition product (v : vector) : vector := fun i => sum_to n (fun j => entry i j * v j).

(** The rows, and [transposed]. *)
Definition rows : list (list R) := matrix.
Definition columns : list (list R) := map (fun j => map (fun row => nth j row 0) rows) (seq 0 n).

(** [apart]: a difference, rounded away from 0; [greatest_apart]: of each row, and of its differences to those after it. *)
Definition apart (a b : R) : R := if Rle_dec b a then up (a - b) else - up (b - a).
Definition apart_rows (r s : list R) : list R := map (fun p => apart (fst p) (snd p)) (combine r s).
Fixpoint differences (rows : list (list R)) : list (list R) :=
  match rows with [] => [] | r :: rest => r :: map (apart_rows r) rest ++ differences rest end.

(** [lengths], [norm]; the code says where the differences are [few]. *)
Definition lengths (vectors : list (list R)) (C : category_metric) : list R := map (length_of C) vectors.
Definition greatest_sum (vectors : list (list R)) : R := norm_up (LInfDistance false) (lengths vectors L1Distance).
Definition by_columns (M MO : category_metric) : R := dual_of M (lengths columns MO).
Definition of_rows (M MO : category_metric) : R := norm_up MO (map (dual_of M) rows).
Definition by_differences (M : category_metric) : R := greatest (map (dual_of M) (differences rows)).
Definition by_rows (few : bool) (M MO : category_metric) : R :=
  match MO with LInfDistance true => if few then by_differences M else of_rows M MO | _ => of_rows M MO end.
Definition by_interpolation (M MO : category_metric) : R :=
  inf_mul (inf_mul (inf_sqrt (inf_mul (greatest_sum columns) (greatest_sum rows))) (ball_length L2Distance (ball_of M) n 1))
    (per_euclidean MO m).
Definition matrix_norm (few : bool) (M MO : category_metric) : R :=
  Rmin (Rmin (by_columns M MO) (by_rows few M MO)) (by_interpolation M MO).
Definition linear_queries_map (few : bool) (M MO : category_metric) (d : R) : R :=
  if Req_EM_T (matrix_norm few M MO) 0 then 0 else inf_mul d (matrix_norm few M MO).

Lemma row_length i : (i < m)%nat -> length (nth i matrix []) = n.
Proof. intros H; apply rows_long, nth_In, H. Qed.
Lemma row_outward i row : nth_error rows i = Some row -> outward (entry i) row /\ length row = n.
Proof.
  unfold rows; intros E; split; [|apply rows_long; eapply nth_error_In; eauto].
  unfold entry; rewrite (nth_error_nth matrix i [] E); apply outward_entries.
Qed.
Lemma column_outward j column : nth_error columns j = Some column ->
  outward (fun i => entry i j) column /\ length column = m /\ (j < n)%nat.
Proof.
  unfold columns; rewrite nth_error_map; destruct (nth_error (seq 0 n) j) as [j'|] eqn:E; [|discriminate]; intros [= <-].
  assert (J : (j < n)%nat) by (rewrite <- (seq_length n 0); apply nth_error_Some; congruence).
  rewrite (nth_error_nth' (seq 0 n) 0%nat), seq_nth in E by (rewrite ?seq_length; auto); injection E as <-.
  unfold rows; rewrite !map_length; repeat split; auto.
  intros i s Es; rewrite nth_error_map in Es; destruct (nth_error matrix i) as [r|] eqn:Er; [injection Es as <-|discriminate].
  unfold entry; rewrite (nth_error_nth matrix i [] Er); destruct (Rle_lt_dec 0 (nth j r 0)); [left|right]; simpl in *; lra.
Qed.
Lemma columns_length : length columns = n.
Proof. unfold columns; now rewrite map_length, seq_length. Qed.

Lemma column_norm C j : (j < n)%nat -> exists s, nth_error (lengths columns C) j = Some s /\ norm C m (fun i => entry i j) <= s.
Proof.
  intros J; destruct (nth_error columns j) as [c|] eqn:E; [|apply nth_error_None in E; rewrite columns_length in E; lia].
  exists (length_of C c); split; [unfold lengths; rewrite nth_error_map, E; auto|].
  destruct (column_outward j c E) as (B & L & _).
  pose proof (length_of_sound C _ c B) as G; now rewrite L in G.
Qed.
Lemma row_norm C i : (i < m)%nat -> exists s, nth_error (lengths rows C) i = Some s /\ norm C n (entry i) <= s.
Proof.
  intros I; destruct (nth_error rows i) as [r|] eqn:E; [|apply nth_error_None in E; unfold rows in E; lia].
  exists (length_of C r); split; [unfold lengths; rewrite nth_error_map, E; auto|].
  destruct (row_outward i r E) as (B & L).
  pose proof (length_of_sound C _ r B) as G; now rewrite L in G.
Qed.

(** 1. By columns. *)
Lemma norm_of_sum C k (c : nat -> vector) : norm C m (fun i => sum_to k (fun j => c j i)) <= sum_to k (fun j => norm C m (c j)).
Proof.
  pose proof (norm_seminorm C m) as N; induction k as [|k IH]; cbn [sum_to].
  - rewrite (norm_ext _ N _ vzero), (norm_zero _ N) by reflexivity; lra.
  - rewrite (norm_ext _ N _ (vplus (fun i => sum_to k (fun j => c j i)) (c k))) by reflexivity.
    eapply Rle_trans; [apply (norm_plus _ N)|]; lra.
Qed.
Lemma norm_scale_abs C k u : norm C m (fun i => u i * k) = Rabs k * norm C m u.
Proof.
  pose proof (norm_seminorm C m) as N; unfold Rabs; destruct (Rcase_abs k).
  - rewrite <- (norm_opp _ N u), <- norm_scale by lra; apply (norm_ext _ N); intros; ring.
  - rewrite <- norm_scale by lra; apply (norm_ext _ N); intros; ring.
Qed.
Lemma columns_sound M MO v : norm MO m (product v) <= by_columns M MO * norm M n v.
Proof.
  eapply Rle_trans; [apply (norm_of_sum MO n (fun j i => entry i j * v j))|].
  set (w := fun j => norm MO m (fun i => entry i j)).
  rewrite (sum_ext n _ (fun j => w j * Rabs (v j))) by (intros j _; rewrite norm_scale_abs; unfold w; ring).
  eapply Rle_trans; [apply Rle_abs|]; eapply Rle_trans; [apply (dual_sound M n w (lengths columns MO))|].
  - unfold lengths; now rewrite map_length, columns_length.
  - intros j s E; assert (J : (j < n)%nat) by (rewrite <- columns_length, <- (map_length (length_of MO)); apply nth_error_Some; unfold lengths in E; congruence).
    destruct (column_norm MO j J) as (t & Et & B); rewrite Et in E; injection E as <-.
    left; unfold w; split; [apply norm_nonneg|exact B].
  - apply Rmult_le_compat_l; [apply dual_nonneg|apply norm_abs].
Qed.

(** 2. By rows. *)
Lemma product_row M i row v : nth_error rows i = Some row -> Rabs (product v i) <= dual_of M row * norm M n v.
Proof. intros E; destruct (row_outward i row E) as (B & L); now apply dual_sound. Qed.
Lemma of_rows_sound M MO v d : 0 < d -> norm M n v <= d -> norm MO m (product v) <= of_rows M MO * d.
Proof.
  intros Hd H; set (u := fun i => / d * product v i).
  rewrite (norm_ext _ (norm_seminorm MO m) (product v) (fun i => d * u i)) by (intros; unfold u; field; lra).
  rewrite norm_scale, Rmult_comm by lra; apply Rmult_le_compat_r; [lra|].
  pose proof (norm_up_sound MO u (map (dual_of M) rows)) as G; rewrite map_length in G; apply G.
  intros i s E; rewrite nth_error_map in E; destruct (nth_error rows i) as [row|] eqn:Er; [injection E as <-|discriminate].
  pose proof (product_row M i row v Er) as P; pose proof (norm_nonneg M n v); pose proof (dual_nonneg M row).
  unfold u; rewrite Rabs_mult, (Rabs_pos_eq (/ d)) by (left; now apply Rinv_0_lt_compat).
  apply Rmult_le_reg_l with d; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra; nra.
Qed.

(** In the monotonic form, what one entry rises and another falls is what their difference moves. *)
Lemma apart_outward r s : length r = length s -> outward (fun j => nth j r 0 - nth j s 0) (apart_rows r s).
Proof.
  intros L j x E; unfold apart_rows in E; rewrite nth_error_map in E.
  destruct (nth_error (combine r s) j) as [[a b]|] eqn:N; [injection E as <-|discriminate].
  assert (J : (j < length (combine r s))%nat) by (apply nth_error_Some; congruence).
  rewrite (nth_error_nth' _ (0, 0)), (combine_nth r s j 0 0 L) in N by auto; injection N as Ea Eb; rewrite Ea, Eb; cbn [fst snd].
  unfold apart; destruct (Rle_dec b a); [left; pose proof (up_ge (a - b))|right; pose proof (up_ge (b - a))]; lra.
Qed.
Lemma differences_row (l : list (list R)) i row : nth_error l i = Some row -> In row (differences l).
Proof.
  revert i; induction l as [|r l IH]; intros [|i] E; try discriminate; cbn [differences].
  - left; now injection E.
  - right; apply in_or_app; right; now apply (IH i).
Qed.
Lemma differences_pair (l : list (list R)) i k r s : nth_error l i = Some r -> nth_error l k = Some s -> (i < k)%nat -> In (apart_rows r s) (differences l).
Proof.
  revert i k; induction l as [|x l IH]; intros [|i] [|k] Er Es L; try discriminate; try lia; cbn [differences]; right; apply in_or_app.
  - left; injection Er as ->; apply in_map; now apply nth_error_In with k.
  - right; apply (IH i k); auto; lia.
Qed.
Lemma by_differences_ge M l : In l (differences rows) -> dual_of M l <= by_differences M.
Proof. intros I; apply greatest_ge, in_map, I. Qed.
Lemma product_pair M i k v : (i < m)%nat -> (k < m)%nat -> i <> k -> product v i - product v k <= by_differences M * norm M n v.
Proof.
  assert (X : forall i k, (i < k)%nat -> (k < m)%nat -> Rabs (product v i - product v k) <= by_differences M * norm M n v).
  { clear i k; intros i k L K.
    destruct (nth_error rows i) as [r|] eqn:Er; [|apply nth_error_None in Er; unfold rows in Er; lia].
    destruct (nth_error rows k) as [s|] eqn:Es; [|apply nth_error_None in Es; unfold rows in Es; lia].
    destruct (row_outward i r Er) as (_ & Lr), (row_outward k s Es) as (_ & Ls).
    pose proof (apart_outward r s ltac:(congruence)) as O.
    assert (Z : length (apart_rows r s) = n) by (unfold apart_rows; rewrite map_length, combine_length; lia).
    eapply Rle_trans; [|apply Rmult_le_compat_r; [apply norm_nonneg|apply (by_differences_ge M _ (differences_pair rows i k r s Er Es L))]].
    eapply Rle_trans; [|exact (dual_sound M n _ _ v Z O)]; right; f_equal; unfold product.
    rewrite <- (Rmult_1_l (sum_to n (fun j => entry k j * v j))); unfold Rminus at 1; rewrite Ropp_mult_distr_l, <- sum_scale, <- sum_plus.
    apply sum_ext; intros j _; unfold entry; unfold rows in *; rewrite (nth_error_nth matrix i [] Er), (nth_error_nth matrix k [] Es); ring. }
  intros I K N; destruct (Nat.lt_ge_cases i k) as [L|L].
  - pose proof (X i k L K); pose proof (Rle_abs (product v i - product v k)); lra.
  - pose proof (X k i ltac:(lia) I) as Y; rewrite Rabs_minus_sym in Y; pose proof (Rle_abs (product v i - product v k)); lra.
Qed.
Lemma by_differences_sound M v : span m (product v) <= by_differences M * norm M n v.
Proof.
  assert (One : forall i, (i < m)%nat -> Rabs (product v i) <= by_differences M * norm M n v).
  { intros i I; destruct (nth_error rows i) as [r|] eqn:Er; [|apply nth_error_None in Er; unfold rows in Er; lia].
    eapply Rle_trans; [apply (product_row M i r v Er)|]; apply Rmult_le_compat_r; [apply norm_nonneg|].
    apply by_differences_ge; now apply differences_row with i. }
  assert (Z : 0 <= by_differences M * norm M n v) by (apply Rmult_le_pos; [apply greatest_nonneg|apply norm_nonneg]).
  unfold span; destruct (rise_attained m (product v)) as [->|(i & I & -> & Pi)], (rise_attained m (fun i => - product v i)) as [->|(k & K & -> & Pk)].
  - lra.
  - pose proof (One k K); pose proof (Rle_abs (- product v k)); rewrite Rabs_Ropp in *; lra.
  - pose proof (One i I); pose proof (Rle_abs (product v i)); lra.
  - assert (N : i <> k) by (intros ->; lra); pose proof (product_pair M i k v I K N); lra.
Qed.
Lemma rows_sound few M MO v d : 0 < d -> norm M n v <= d -> norm MO m (product v) <= by_rows few M MO * d.
Proof.
  intros Hd H; pose proof (of_rows_sound M MO v d Hd H) as G; destruct MO as [| |[]]; try exact G; cbn [by_rows norm]; destruct few; [|exact G].
  eapply Rle_trans; [apply by_differences_sound|]; apply Rmult_le_compat_l; [apply greatest_nonneg|exact H].
Qed.

(** 3. By interpolation: the length of the product, by the greatest sums of sizes in a column and in a row. *)
Lemma greatest_column j : (j < n)%nat -> sum_to m (fun i => Rabs (entry i j)) <= greatest_sum columns.
Proof.
  intros J; destruct (column_norm L1Distance j J) as (s & E & B); cbn [norm] in B; rewrite l1_sum in B.
  eapply Rle_trans; [exact B|]; unfold greatest_sum.
  assert (H : bounded (fun k => nth k (lengths columns L1Distance) 0) (lengths columns L1Distance)).
  { intros k t Et; rewrite (nth_error_nth _ _ 0 Et), Rabs_pos_eq; [lra|].
    assert (K : (k < n)%nat) by (rewrite <- columns_length, <- (map_length (length_of L1Distance)); apply nth_error_Some; unfold lengths in Et; congruence).
    destruct (column_norm L1Distance k K) as (t' & Et' & B'); rewrite Et' in Et; injection Et as <-.
    eapply Rle_trans; [apply (norm_nonneg L1Distance)|exact B']. }
  eapply Rle_trans; [|exact (norm_up_sound (LInfDistance false) _ _ H)]; cbn [norm].
  eapply Rle_trans; [|apply (linf_ge _ _ j); apply nth_error_Some; congruence].
  cbv beta; rewrite (nth_error_nth _ _ 0 E); apply Rle_abs.
Qed.
Lemma greatest_row i : (i < m)%nat -> sum_to n (fun j => Rabs (entry i j)) <= greatest_sum rows.
Proof.
  intros I; destruct (row_norm L1Distance i I) as (s & E & B); cbn [norm] in B; rewrite l1_sum in B.
  eapply Rle_trans; [exact B|]; unfold greatest_sum.
  assert (H : bounded (fun k => nth k (lengths rows L1Distance) 0) (lengths rows L1Distance)).
  { intros k t Et; rewrite (nth_error_nth _ _ 0 Et), Rabs_pos_eq; [lra|].
    assert (K : (k < m)%nat) by (unfold lengths in Et; rewrite <- (map_length (length_of L1Distance) matrix); apply nth_error_Some; unfold rows in Et; congruence).
    destruct (row_norm L1Distance k K) as (t' & Et' & B'); rewrite Et' in Et; injection Et as <-.
    eapply Rle_trans; [apply (norm_nonneg L1Distance)|exact B']. }
  eapply Rle_trans; [|exact (norm_up_sound (LInfDistance false) _ _ H)]; cbn [norm].
  eapply Rle_trans; [|apply (linf_ge _ _ i); apply nth_error_Some; congruence].
  cbv beta; rewrite (nth_error_nth _ _ 0 E); apply Rle_abs.
Qed.

Lemma product_square i v : (i < m)%nat ->
  product v i ^ 2 <= greatest_sum rows * sum_to n (fun j => Rabs (entry i j) * v j ^ 2).
Proof.
  intros I; pose proof (dot_l2 n (fun j => sqrt (Rabs (entry i j))) (fun j => sqrt (Rabs (entry i j)) * Rabs (v j))) as D.
  set (s := sum_to n (fun j => Rabs (entry i j))); set (t := sum_to n (fun j => Rabs (entry i j) * v j ^ 2)).
  assert (Q : forall j, sqrt (Rabs (entry i j)) * sqrt (Rabs (entry i j)) = Rabs (entry i j)) by (intros; apply sqrt_sqrt, Rabs_pos).
  assert (E1 : squares n (fun j => sqrt (Rabs (entry i j))) = s).
  { rewrite squares_sum; apply sum_ext; intros j _; rewrite <- (Q j) at 2; ring. }
  assert (E2 : squares n (fun j => sqrt (Rabs (entry i j)) * Rabs (v j)) = t).
  { rewrite squares_sum; apply sum_ext; intros j _; rewrite <- (Q j) at 2; rewrite <- (pow2_abs (v j)); ring. }
  assert (S0 : 0 <= s) by (rewrite <- E1; apply squares_nonneg); assert (T0 : 0 <= t) by (rewrite <- E2; apply squares_nonneg).
  unfold l2 in D; rewrite E1, E2 in D.
  assert (P : Rabs (product v i) <= sqrt s * sqrt t).
  { eapply Rle_trans; [|exact D]; eapply Rle_trans; [apply sum_abs|]; eapply Rle_trans; [|apply Rle_abs].
    right; apply sum_ext; intros j _; rewrite Rabs_mult; rewrite <- (Q j) at 1; ring. }
  rewrite <- pow2_abs; apply Rle_trans with ((sqrt s * sqrt t) ^ 2); [apply pow_incr; split; [apply Rabs_pos|exact P]|].
  replace ((sqrt s * sqrt t) ^ 2) with ((sqrt s * sqrt s) * (sqrt t * sqrt t)) by ring; rewrite !sqrt_sqrt by auto.
  apply Rmult_le_compat_r; auto; now apply greatest_row.
Qed.

Lemma greatest_nonneg_sums : 0 <= greatest_sum columns /\ 0 <= greatest_sum rows.
Proof.
  assert (G : forall vs, (forall v, In v vs -> 0 <= length_of L1Distance v) -> 0 <= greatest_sum vs).
  { intros vs H; unfold greatest_sum; eapply Rle_trans; [apply (norm_nonneg (LInfDistance false) (length (lengths vs L1Distance)) (fun k => nth k (lengths vs L1Distance) 0))|].
    apply norm_up_sound; intros k s E; rewrite (nth_error_nth _ _ 0 E), Rabs_pos_eq; [lra|].
    apply nth_error_In, in_map_iff in E; destruct E as (v & <- & I); auto. }
  split; apply G; intros v _; (eapply Rle_trans; [apply (norm_nonneg L1Distance (length v) (entries v))|apply length_of_sound, outward_entries]).
Qed.

Lemma product_length v : l2 m (product v) <= sqrt (greatest_sum columns * greatest_sum rows) * l2 n v.
Proof.
  destruct greatest_nonneg_sums as [GC GR]; unfold l2; rewrite <- sqrt_mult by (try apply squares_nonneg; now apply Rmult_le_pos).
  apply sqrt_le_1_alt; rewrite (squares_sum m).
  eapply Rle_trans; [apply sum_le; intros i I; now apply product_square|]; rewrite sum_scale, sum_swap.
  rewrite (Rmult_comm (greatest_sum columns)), Rmult_assoc; apply Rmult_le_compat_l; auto.
  rewrite squares_sum, <- sum_scale; apply sum_le; intros j J.
  rewrite (sum_ext m _ (fun i => v j ^ 2 * Rabs (entry i j))) by (intros; ring).
  rewrite sum_scale, Rmult_comm; apply Rmult_le_compat_r; [apply pow2_ge_0|now apply greatest_column].
Qed.

Lemma ball_scale p k c u : 0 <= c -> ball p k (fun j => c * u j) = c * ball p k u.
Proof.
  intros H; destruct p; [exact (norm_scale L1Distance k c u H)|exact (norm_scale L2Distance k c u H)|
    exact (norm_scale (LInfDistance false) k c u H)].
Qed.
Lemma interpolation_sound M MO v d : 0 < d -> norm M n v <= d -> norm MO m (product v) <= by_interpolation M MO * d.
Proof.
  intros Hd H; destruct greatest_nonneg_sums as [GC GR]; unfold by_interpolation.
  set (F := ball_length L2Distance (ball_of M) n 1); set (q := per_euclidean MO m).
  assert (B : l2 n v <= F * d).
  { set (w := fun j => / d * v j); assert (0 < / d) by now apply Rinv_0_lt_compat.
    assert (L : l2 n w <= F).
    { apply (ball_length_sound L2Distance (ball_of M) n 1 w); [lra|]; unfold w; rewrite ball_scale by lra.
      pose proof (ball_norm_le M n v); apply Rmult_le_reg_l with d; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra; lra. }
    change (l2 n w) with (norm L2Distance n w) in L; unfold w in L; rewrite norm_scale in L by lra; cbn [norm] in L.
    apply Rmult_le_reg_l with (/ d); auto; replace (/ d * (F * d)) with F by (field; lra); exact L. }
  assert (F0 : 0 <= F).
  { eapply Rle_trans; [apply (l2_nonneg n vzero)|]; apply (ball_length_sound L2Distance (ball_of M) n 1 vzero); [lra|].
    replace (ball (ball_of M) n vzero) with 0; [lra|]; destruct (ball_of M); symmetry;
      [apply (norm_zero _ (l1_seminorm n))|apply (norm_zero _ (l2_seminorm n))|apply (norm_zero _ (linf_seminorm n))]. }
  set (E := sqrt (greatest_sum columns * greatest_sum rows)).
  assert (E0 : 0 <= E) by apply sqrt_pos; pose proof (per_euclidean_nonneg MO m) as Q0; fold q in Q0.
  assert (S : E <= inf_sqrt (inf_mul (greatest_sum columns) (greatest_sum rows))).
  { unfold inf_sqrt; eapply Rle_trans; [|apply up_ge]; apply sqrt_le_1_alt, inf_mul_ge; lra. }
  assert (T : E * F * q <= inf_mul (inf_mul (inf_sqrt (inf_mul (greatest_sum columns) (greatest_sum rows))) F) q).
  { apply inf_mul_ge; split; try lra; [now apply Rmult_le_pos|apply inf_mul_ge; lra]. }
  eapply Rle_trans; [apply per_euclidean_sound|]; fold q; pose proof (product_length v) as L; fold E in L.
  apply Rle_trans with (E * F * q * d); [|apply Rmult_le_compat_r; lra].
  apply Rle_trans with (q * (E * (F * d))); [|right; ring].
  apply Rmult_le_compat_l; auto; eapply Rle_trans; [exact L|now apply Rmult_le_compat_l].
Qed.

Theorem make_linear_queries_stable few M MO d x y : norm M n (vminus x y) <= d ->
  norm MO m (vminus (product x) (product y)) <= linear_queries_map few M MO d.
Proof.
  intros H; pose proof (norm_seminorm MO m) as N; pose proof (norm_nonneg M n (vminus x y)) as P; set (v := vminus x y) in *.
  rewrite (norm_ext _ N _ (product v)).
  2: { intros i; unfold vminus, product, v, vminus; rewrite <- (Rplus_0_r (_ - _)); unfold Rminus at 1.
       rewrite <- (Rmult_1_l (sum_to n (fun j => entry i j * y j))), Ropp_mult_distr_l, <- sum_scale, Rplus_0_r, <- sum_plus.
       apply sum_ext; intros; ring. }
  assert (Z : (forall j, (j < n)%nat -> v j = 0) -> norm MO m (product v) = 0).
  { intros V; rewrite (norm_ext _ N _ vzero), (norm_zero _ N); auto; intros i; unfold product, vzero.
    rewrite <- (sum_zero n); apply sum_ext; intros j J; rewrite V by auto; ring. }
  assert (K : norm MO m (product v) <= matrix_norm few M MO * d).
  { destruct (Rle_lt_or_eq_dec 0 d) as [Hd| <-]; [lra| |].
    - unfold matrix_norm; pose proof (columns_sound M MO v); pose proof (rows_sound few M MO v d Hd H); pose proof (interpolation_sound M MO v d Hd H).
      assert (C : norm MO m (product v) <= by_columns M MO * d).
      { assert (0 <= by_columns M MO) by apply dual_nonneg.
        nra. }
      unfold Rmin; destruct (Rle_dec (by_columns M MO) (by_rows few M MO)); destruct (Rle_dec _ (by_interpolation M MO)); auto.
    - rewrite Z; [lra|]; intros j J; pose proof (linf_norm M n v); pose proof (linf_ge n v j J); pose proof (Rabs_pos (v j)).
      destruct (Req_dec (v j) 0) as [|F]; auto; apply Rabs_no_R0 in F; lra. }
  unfold linear_queries_map; destruct (Req_EM_T (matrix_norm few M MO) 0) as [E|E]; [rewrite E in K; lra|].
  eapply Rle_trans; [exact K|]; rewrite Rmult_comm; apply up_ge.
Qed.
End Matrix.
