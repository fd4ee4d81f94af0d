(** [make_lipschitz]: a matrix times a vector, and three bounds on the matrix's norm. *)
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

(** A matrix is a list of rows. *)
Section Matrix.
Variables (matrix : list (list R)) (n : nat).
Hypothesis rows_long : forall row, In row matrix -> length row = n.
Notation m := (length matrix).
Definition entry (i j : nat) : R := nth j (nth i matrix []) 0.

(** [product] of each row with the vector. *)
Definition product (v : vector) : vector := fun i => sum_to n (fun j => entry i j * v j).

(** The sizes of the entries by rows, and [transposed]. *)
Definition rows : list (list R) := map (map Rabs) matrix.
Definition columns : list (list R) := map (fun j => map (fun row => nth j row 0) rows) (seq 0 n).

(** [lengths], [norm] *)
Definition lengths (vectors : list (list R)) (C : category_metric) : list R := map (norm_up C) vectors.
Definition greatest_sum (vectors : list (list R)) : R := norm_up (LInfDistance false) (lengths vectors L1Distance).
Definition by_columns (M MO : category_metric) : R := norm_up (dual M) (lengths columns MO).
Definition by_rows (M MO : category_metric) : R := norm_up MO (lengths rows (dual M)).
Definition by_interpolation (M MO : category_metric) : R :=
  inf_mul (inf_mul (inf_sqrt (inf_mul (greatest_sum columns) (greatest_sum rows))) (ball_length L2Distance (ball_of M) n 1))
    (per_euclidean MO m).
Definition matrix_norm (M MO : category_metric) : R := Rmin (Rmin (by_columns M MO) (by_rows M MO)) (by_interpolation M MO).
Definition lipschitz_map (M MO : category_metric) (d : R) : R :=
  if Req_EM_T (matrix_norm M MO) 0 then 0 else inf_mul d (matrix_norm M MO).

Lemma row_length i : (i < m)%nat -> length (nth i matrix []) = n.
Proof. intros H; apply rows_long, nth_In, H. Qed.
Lemma row_bounded i row w : nth_error rows i = Some row -> (forall j, Rabs (w j) <= Rabs (entry i j)) -> bounded w row /\ length row = n.
Proof.
  unfold rows; rewrite nth_error_map; destruct (nth_error matrix i) as [r|] eqn:E; [|discriminate]; intros [= <-] H.
  assert (R : nth i matrix [] = r) by now apply nth_error_nth.
  split; [|rewrite map_length; apply rows_long; eapply nth_error_In; eauto].
  intros j s Es; rewrite nth_error_map in Es; destruct (nth_error r j) as [v|] eqn:Ev; [injection Es as <-|discriminate].
  eapply Rle_trans; [apply H|]; unfold entry; rewrite R, (nth_error_nth r j 0 Ev); lra.
Qed.
Lemma column_bounded j column w : nth_error columns j = Some column -> (forall i, Rabs (w i) <= Rabs (entry i j)) ->
  bounded w column /\ length column = m /\ (j < n)%nat.
Proof.
  unfold columns; rewrite nth_error_map; destruct (nth_error (seq 0 n) j) as [j'|] eqn:E; [|discriminate]; intros [= <-] H.
  assert (J : (j < n)%nat) by (rewrite <- (seq_length n 0); apply nth_error_Some; congruence).
  rewrite (nth_error_nth' (seq 0 n) 0%nat), seq_nth in E by (rewrite ?seq_length; auto); injection E as <-.
  unfold rows; rewrite !map_length; repeat split; auto.
  intros i s Es; rewrite nth_error_map, nth_error_map in Es; destruct (nth_error matrix i) as [r|] eqn:Er; [injection Es as <-|discriminate].
  eapply Rle_trans; [apply H|]; unfold entry; rewrite (nth_error_nth matrix i [] Er); right.
  rewrite <- (map_nth Rabs r 0), Rabs_R0; reflexivity.
Qed.
Lemma columns_length : length columns = n.
Proof. unfold columns; now rewrite map_length, seq_length. Qed.
Lemma rows_length : length rows = m.
Proof. apply map_length. Qed.

Lemma column_norm C j : (j < n)%nat -> exists s, nth_error (lengths columns C) j = Some s /\ norm C m (fun i => entry i j) <= s.
Proof.
  intros J; destruct (nth_error columns j) as [c|] eqn:E; [|apply nth_error_None in E; rewrite columns_length in E; lia].
  exists (norm_up C c); split; [unfold lengths; rewrite nth_error_map, E; auto|].
  destruct (column_bounded j c (fun i => entry i j) E) as (B & L & _); [intros; lra|].
  pose proof (norm_up_sound C _ c B) as G; now rewrite L in G.
Qed.
Lemma row_norm C i : (i < m)%nat -> exists s, nth_error (lengths rows C) i = Some s /\ norm C n (entry i) <= s.
Proof.
  intros I; destruct (nth_error rows i) as [r|] eqn:E; [|apply nth_error_None in E; rewrite rows_length in E; lia].
  exists (norm_up C r); split; [unfold lengths; rewrite nth_error_map, E; auto|].
  destruct (row_bounded i r (entry i) E) as (B & L); [intros; lra|].
  pose proof (norm_up_sound C _ r B) as G; now rewrite L in G.
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
  set (w := fun j => (if Rle_dec 0 (v j) then 1 else -1) * norm MO m (fun i => entry i j)).
  rewrite (sum_ext n _ (fun j => w j * v j)).
  - eapply Rle_trans; [apply Rle_abs|]; eapply Rle_trans; [apply (holder M)|].
    apply Rmult_le_compat_r; [apply norm_nonneg|].
    pose proof (norm_up_sound (dual M) w (lengths columns MO)) as G; unfold lengths in G at 2.
    rewrite map_length, columns_length in G; apply G.
    intros j s E; assert (J : (j < n)%nat) by (rewrite <- columns_length, <- (map_length (norm_up MO)); apply nth_error_Some; unfold lengths in E; congruence).
    destruct (column_norm MO j J) as (t & Et & B); rewrite Et in E; injection E as <-.
    pose proof (norm_nonneg MO m (fun i => entry i j)); unfold w; rewrite Rabs_mult, (Rabs_pos_eq (norm _ _ _)) by auto.
    destruct (Rle_dec 0 (v j)); [rewrite Rabs_R1|rewrite Rabs_left by lra]; lra.
  - intros j _; rewrite norm_scale_abs; unfold w, Rabs; destruct (Rle_dec 0 (v j)), (Rcase_abs (v j)); try lra; ring.
Qed.

(** 2. By rows. *)
Lemma rows_sound M MO v d : 0 < d -> norm M n v <= d -> norm MO m (product v) <= by_rows M MO * d.
Proof.
  intros Hd H; set (u := fun i => / d * product v i).
  rewrite (norm_ext _ (norm_seminorm MO m) (product v) (fun i => d * u i)) by (intros; unfold u; field; lra).
  rewrite norm_scale, Rmult_comm by lra; apply Rmult_le_compat_r; [lra|].
  pose proof (norm_up_sound MO u (lengths rows (dual M))) as G; unfold lengths in G at 2.
  rewrite map_length, rows_length in G; apply G.
  intros i s E; assert (I : (i < m)%nat) by (rewrite <- rows_length, <- (map_length (norm_up (dual M))); apply nth_error_Some; unfold lengths in E; congruence).
  destruct (row_norm (dual M) i I) as (t & Et & B); rewrite Et in E; injection E as <-.
  pose proof (holder M n (entry i) v) as P; pose proof (norm_nonneg (dual M) n (entry i)); pose proof (norm_nonneg M n v).
  unfold u; rewrite Rabs_mult, (Rabs_pos_eq (/ d)) by (left; now apply Rinv_0_lt_compat).
  apply Rmult_le_reg_l with d; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  unfold product; nra.
Qed.

(** 3. By interpolation: the length of the product, by the greatest sums of sizes in a column and in a row. *)
Lemma greatest_column j : (j < n)%nat -> sum_to m (fun i => Rabs (entry i j)) <= greatest_sum columns.
Proof.
  intros J; destruct (column_norm L1Distance j J) as (s & E & B); cbn [norm] in B; rewrite l1_sum in B.
  eapply Rle_trans; [exact B|]; unfold greatest_sum.
  assert (H : bounded (fun k => nth k (lengths columns L1Distance) 0) (lengths columns L1Distance)).
  { intros k t Et; rewrite (nth_error_nth _ _ 0 Et), Rabs_pos_eq; [lra|].
    assert (K : (k < n)%nat) by (rewrite <- columns_length, <- (map_length (norm_up L1Distance)); apply nth_error_Some; unfold lengths in Et; congruence).
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
    assert (K : (k < m)%nat) by (rewrite <- rows_length, <- (map_length (norm_up L1Distance)); apply nth_error_Some; unfold lengths in Et; congruence).
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
  assert (G : forall vs, (forall v, In v vs -> 0 <= norm_up L1Distance v) -> 0 <= greatest_sum vs).
  { intros vs H; unfold greatest_sum; eapply Rle_trans; [apply (norm_nonneg (LInfDistance false) (length (lengths vs L1Distance)) (fun k => nth k (lengths vs L1Distance) 0))|].
    apply norm_up_sound; intros k s E; rewrite (nth_error_nth _ _ 0 E), Rabs_pos_eq; [lra|].
    apply nth_error_In, in_map_iff in E; destruct E as (v & <- & I); auto. }
  split; apply G; intros v I; apply In_nth_error in I; destruct I as (k & E).
  - destruct (column_bounded k v (fun i => entry i k) E) as (B & _); [intros; lra|].
    eapply Rle_trans; [apply norm_nonneg|exact (norm_up_sound L1Distance _ v B)].
  - destruct (row_bounded k v (entry k) E) as (B & _); [intros; lra|].
    eapply Rle_trans; [apply norm_nonneg|exact (norm_up_sound L1Distance _ v B)].
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

Theorem make_lipschitz_stable M MO d x y : norm M n (vminus x y) <= d ->
  norm MO m (vminus (product x) (product y)) <= lipschitz_map M MO d.
Proof.
  intros H; pose proof (norm_seminorm MO m) as N; pose proof (norm_nonneg M n (vminus x y)) as P; set (v := vminus x y) in *.
  rewrite (norm_ext _ N _ (product v)).
  2: { intros i; unfold vminus, product, v, vminus; rewrite <- (Rplus_0_r (_ - _)); unfold Rminus at 1.
       rewrite <- (Rmult_1_l (sum_to n (fun j => entry i j * y j))), Ropp_mult_distr_l, <- sum_scale, Rplus_0_r, <- sum_plus.
       apply sum_ext; intros; ring. }
  assert (Z : (forall j, (j < n)%nat -> v j = 0) -> norm MO m (product v) = 0).
  { intros V; rewrite (norm_ext _ N _ vzero), (norm_zero _ N); auto; intros i; unfold product, vzero.
    rewrite <- (sum_zero n); apply sum_ext; intros j J; rewrite V by auto; ring. }
  assert (K : norm MO m (product v) <= matrix_norm M MO * d).
  { destruct (Rle_lt_or_eq_dec 0 d) as [Hd| <-]; [lra| |].
    - unfold matrix_norm; pose proof (columns_sound M MO v); pose proof (rows_sound M MO v d Hd H); pose proof (interpolation_sound M MO v d Hd H).
      assert (C : norm MO m (product v) <= by_columns M MO * d).
      { assert (0 <= by_columns M MO).
        { unfold by_columns; eapply Rle_trans; [apply (norm_nonneg (dual M) (length (lengths columns MO)) (fun k => nth k (lengths columns MO) 0))|].
          apply norm_up_sound; intros k s E; rewrite (nth_error_nth _ _ 0 E), Rabs_pos_eq; [lra|].
          assert (J : (k < n)%nat) by (rewrite <- columns_length, <- (map_length (norm_up MO)); apply nth_error_Some; unfold lengths in E; congruence).
          destruct (column_norm MO k J) as (t & Et & B); rewrite Et in E; injection E as <-.
          eapply Rle_trans; [apply norm_nonneg|exact B]. }
        nra. }
      unfold Rmin; destruct (Rle_dec (by_columns M MO) (by_rows M MO)); destruct (Rle_dec _ (by_interpolation M MO)); auto.
    - rewrite Z; [lra|]; intros j J; pose proof (linf_norm M n v); pose proof (linf_ge n v j J); pose proof (Rabs_pos (v j)).
      destruct (Req_dec (v j) 0) as [|F]; auto; apply Rabs_no_R0 in F; lra. }
  unfold lipschitz_map; destruct (Req_EM_T (matrix_norm M MO) 0) as [E|E]; [rewrite E in K; lra|].
  eapply Rle_trans; [exact K|]; rewrite Rmult_comm; apply up_ge.
Qed.
End Matrix.
