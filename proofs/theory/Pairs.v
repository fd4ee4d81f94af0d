(** Products of dominating pairs dominate (Zhu, Dong, Wang 2022, Theorem 10), for adaptive choices too.

    A pair of laws is what it says of tests: of measurable functions, so that laws with densities are laws. A test on a product is a finite sum of
    products of tests; its integral is an iterated one. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Expect Approx.
Open Scope R_scope.

Record law {Z} (test : (Z -> R) -> Prop) := mkLaw {
  E :> (Z -> R) -> R;
  E_plus : forall f g, test f -> test g -> E (fun z => f z + g z) = E f + E g;
  E_scal : forall c f, test f -> E (fun z => c * f z) = c * E f;
  E_le : forall f g, test f -> test g -> (forall z, f z <= g z) -> E f <= E g;
  E_one : E (fun _ => 1) = 1 }.
Arguments E_plus {Z test}. Arguments E_scal {Z test}. Arguments E_le {Z test}. Arguments E_one {Z test}.

Record pair := mkPair {
  place : Type;
  test : (place -> R) -> Prop;
  test_ext : forall f g, (forall z, f z = g z) -> test f -> test g;
  test_const : forall c, test (fun _ => c);
  test_plus : forall f g, test f -> test g -> test (fun z => f z + g z);
  test_scal : forall c f, test f -> test (fun z => c * f z);
  U : law test;
  V : law test }.

(** What measurable functions allow. *)
Definition clip (x : R) : R := Rmax 0 (Rmin x 1).
Definition closed (W : pair) := forall f, test W f -> test W (fun z => clip (f z)).

(** No test tells [P] from [Q] better than some test tells [U] from [V], whatever a false alarm costs. *)
Definition dominated {Y} (W : pair) (P Q : dist Y) := forall a, 0 <= a -> forall f, unit_test f -> forall eta, 0 < eta ->
  exists g, test W g /\ unit_test g /\ Ex P f - a * Ex Q f <= U W g - a * V W g + eta.

Fixpoint sum (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum m f + f m end.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof. intros H; induction n; simpl; [lra|]; specialize (H n ltac:(lia)) as Hn; specialize (IHn ltac:(intros; apply H; lia)); lra. Qed.
Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.
Lemma sum_scal n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.
Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; ring|]; cbn [sum]; rewrite IHn, S_INR; ring. Qed.
Lemma sum_steps n t : sum n (fun i => t (S i) - t i) = t n - t O.
Proof. induction n; simpl; [ring|rewrite IHn; ring]. Qed.

Lemma choose {X} (x0 : X) n (R : nat -> X -> Prop) : (forall i, (i < n)%nat -> exists x, R i x) -> exists h, forall i, (i < n)%nat -> R i (h i).
Proof.
  induction n; intros H; [exists (fun _ => x0); intros; lia|].
  destruct IHn as [h Hh]; [intros; apply H; lia|]; destruct (H n ltac:(lia)) as [x Hx].
  exists (fun i => if Nat.eqb i n then x else h i); intros i Hi.
  destruct (Nat.eqb_spec i n) as [->|]; [exact Hx|apply Hh; lia].
Qed.

(** * One pair: its tests, and the line of each slope above all of them *)
Section One.
Variable W : pair.

Lemma test_sum n (f : nat -> place W -> R) : (forall i, (i < n)%nat -> test W (f i)) -> test W (fun z => sum n (fun i => f i z)).
Proof.
  induction n; intros H; simpl; [apply test_const|].
  apply (test_plus W (fun z => sum n (fun i => f i z)) (f n)); [apply IHn; intros; apply H|apply H]; lia.
Qed.
Section Law.
Variable L : law (test W).
Lemma E_ext f g : test W f -> (forall z, f z = g z) -> L f = L g.
Proof.
  intros F H; assert (G := test_ext W f g H F).
  apply Rle_antisym; apply E_le; auto; intros z; rewrite H; lra.
Qed.
Lemma E_const c : L (fun _ => c) = c.
Proof.
  rewrite (E_ext (fun _ => c) (fun _ => c * 1)); [|apply test_const|intros; ring].
  rewrite (E_scal L c (fun _ => 1)), E_one by apply test_const; ring.
Qed.
Lemma E_sum n (f : nat -> place W -> R) : (forall i, (i < n)%nat -> test W (f i)) ->
  L (fun z => sum n (fun i => f i z)) = sum n (fun i => L (f i)).
Proof.
  induction n; intros H; simpl; [apply E_const|].
  rewrite (E_plus L (fun z => sum n (fun i => f i z)) (f n)); [rewrite IHn; auto| apply test_sum|]; intros; apply H; lia.
Qed.
Lemma E_unit f : test W f -> unit_test f -> 0 <= L f <= 1.
Proof.
  intros T H; split; [rewrite <- (E_const 0)|rewrite <- (E_const 1)]; apply E_le; auto using test_const; intros; apply H.
Qed.
End Law.

Definition gains (b x : R) := exists g, test W g /\ unit_test g /\ x = U W g - b * V W g.
Lemma unit_const c : 0 <= c <= 1 -> unit_test (fun _ : place W => c).
Proof. intros H z; lra. Qed.
Lemma gains_bound b : 0 <= b -> bound (gains b).
Proof.
  intros B; exists 1; intros x (g & T & H & ->).
  pose proof (E_unit (U W) g T H); pose proof (E_unit (V W) g T H); nra.
Qed.
Lemma gains_some b : exists x, gains b x.
Proof. exists (U W (fun _ => 0) - b * V W (fun _ => 0)), (fun _ => 0); repeat split; auto using test_const; intros; lra. Qed.
Definition height (b : R) : R := match Rle_dec 0 b with left B => proj1_sig (completeness _ (gains_bound b B) (gains_some b)) | right _ => 0 end.
Lemma height_lub b : 0 <= b -> is_lub (gains b) (height b).
Proof. intros B; unfold height; destruct (Rle_dec 0 b); [apply proj2_sig|lra]. Qed.
Lemma height_ge b g : 0 <= b -> test W g -> unit_test g -> U W g - b * V W g <= height b.
Proof. intros B T H; apply (height_lub b B); now exists g. Qed.
Lemma height_nonneg b : 0 <= b -> 0 <= height b.
Proof.
  intros B; eapply Rle_trans; [|apply (height_ge b (fun _ => 0)); auto using test_const; apply unit_const; lra].
  rewrite !E_const; lra.
Qed.
Lemma height_near b eta : 0 <= b -> 0 < eta -> exists g, test W g /\ unit_test g /\ height b - eta <= U W g - b * V W g.
Proof.
  intros B H; apply Classical_Prop.NNPP; intros N.
  assert (X : height b <= height b - eta); [|lra].
  apply (height_lub b B); intros x (g & T & G & ->).
  destruct (Rle_lt_dec (height b - eta) (U W g - b * V W g)); [|lra].
  exfalso; apply N; now exists g.
Qed.

(** The least of the lines of slopes 0, s, 2 s, …: concave, and what it says is reached by tests. *)
Variable s : R.
Hypothesis S0 : 0 < s.
Definition line (k : nat) (x : R) : R := height (INR k * s) + INR k * s * x.
Fixpoint hull (m : nat) (x : R) : R := match m with O => line O x | S k => Rmin (hull k x) (line m x) end.

Lemma slope k : 0 <= INR k * s.
Proof. apply Rmult_le_pos; [apply pos_INR|lra]. Qed.
Lemma hull_line m k x : (k <= m)%nat -> hull m x <= line k x.
Proof.
  induction m; intros H; [replace k with O by lia; simpl; lra|].
  change (Rmin (hull m x) (line (S m) x) <= line k x).
  destruct (Nat.eq_dec k (S m)) as [->|]; [apply Rmin_r|eapply Rle_trans; [apply Rmin_l|apply IHm; lia]].
Qed.
Lemma hull_glb m x y : (forall k, (k <= m)%nat -> y <= line k x) -> y <= hull m x.
Proof.
  induction m; intros H; [apply H; lia|].
  change (y <= Rmin (hull m x) (line (S m) x)); apply Rmin_glb; [apply IHm; intros; apply H; lia|apply H; lia].
Qed.
Lemma hull_mono m x y : x <= y -> hull m x <= hull m y.
Proof.
  intros L; apply hull_glb; intros k K; eapply Rle_trans; [apply (hull_line m k); auto|].
  unfold line; pose proof (slope k); nra.
Qed.
Lemma hull_concave m x y : hull m x + hull m y <= 2 * hull m ((x + y) / 2).
Proof.
  assert (X : (hull m x + hull m y) / 2 <= hull m ((x + y) / 2)); [|lra].
  apply hull_glb; intros k K; pose proof (hull_line m k x K); pose proof (hull_line m k y K); unfold line in *; nra.
Qed.
Lemma hull_nonneg m x : 0 <= x -> 0 <= hull m x.
Proof.
  intros X; apply hull_glb; intros k _; unfold line; pose proof (slope k); pose proof (height_nonneg _ (slope k)); nra.
Qed.

Lemma unit_mix (l : R) (f g : place W -> R) : 0 <= l <= 1 -> unit_test f -> unit_test g -> unit_test (fun z => l * f z + (1 - l) * g z).
Proof. intros L F G z; specialize (F z); specialize (G z); nra. Qed.

Lemma reached_so_far m q eta : 0 <= q -> 0 < eta ->
  (exists g, test W g /\ unit_test g /\ V W g <= q /\ hull m q - eta - s <= U W g) \/
  (exists g, test W g /\ unit_test g /\ q < V W g /\ height (INR m * s) - eta <= U W g - INR m * s * V W g).
Proof.
  intros Q H; induction m as [|m IH].
  - destruct (height_near (INR 0 * s) eta (slope 0) H) as (g & T & G & N).
    destruct (Rle_lt_dec (V W g) q); [left|right]; exists g; repeat split; auto; try apply G.
    simpl in *; unfold line; simpl; lra.
  - destruct IH as [(g & T & G & L & N)|(g & T & G & L & N)].
    + left; exists g; repeat split; auto; try apply G.
      change (hull (S m) q) with (Rmin (hull m q) (line (S m) q)); pose proof (Rmin_l (hull m q) (line (S m) q)); lra.
    + destruct (height_near (INR (S m) * s) eta (slope _) H) as (k & T' & K & N').
      destruct (Rle_lt_dec (V W k) q) as [L'|L']; [left|right; exists k; repeat split; auto; apply K].
      set (l := (q - V W k) / (V W g - V W k)).
      assert (D : 0 < V W g - V W k) by lra.
      assert (B : 0 <= l <= 1).
      { unfold l; split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
        apply Rmult_le_reg_r with (V W g - V W k); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
      assert (EQ : l * V W g + (1 - l) * V W k = q) by (unfold l; field; lra).
      exists (fun z => l * g z + (1 - l) * k z); split; [|split; [|split]].
      * apply test_plus; now apply test_scal.
      * exact (unit_mix l g k B G K).
      * rewrite E_plus, !E_scal by auto using test_scal; lra.
      * rewrite E_plus, !E_scal by auto using test_scal.
        pose proof (hull_line (S m) m q ltac:(lia)) as A1; pose proof (hull_line (S m) (S m) q ltac:(lia)) as A2.
        pose proof (E_unit (V W) g T G); pose proof (E_unit (V W) k T' K).
        unfold line in *; rewrite S_INR in *.
        set (b := INR m * s) in *; replace ((INR m + 1) * s) with (b + s) in * by (unfold b; ring).
        set (X := hull (S m) q) in *.
        assert (M : X <= l * (height b + b * q) + (1 - l) * (height (b + s) + (b + s) * q)) by nra.
        assert (l * (height b - eta + b * V W g) <= l * U W g) by (apply Rmult_le_compat_l; lra).
        assert ((1 - l) * (height (b + s) - eta + (b + s) * V W k) <= (1 - l) * U W k) by (apply Rmult_le_compat_l; lra).
        assert (Z1 : l * (b * q) + (1 - l) * ((b + s) * q) - l * (b * V W g) - (1 - l) * ((b + s) * V W k) = (1 - l) * s * (q - V W k))
          by (rewrite <- EQ; ring).
        assert ((1 - l) * s * (q - V W k) <= 1 * s * 1); [|lra].
        assert (0 <= (1 - l) * (q - V W k) <= 1) by (split; [apply Rmult_le_pos; lra|nra]); nra.
Qed.

Lemma reached m q eta : 0 <= q -> 0 < eta <= 1 -> (0 < m)%nat ->
  exists g, test W g /\ unit_test g /\ V W g <= q + 2 / (INR m * s) /\ hull m q - eta - s <= U W g.
Proof.
  intros Q H M; assert (P : 0 < INR m * s) by (apply Rmult_lt_0_compat; [now apply lt_0_INR|lra]).
  assert (0 < 2 / (INR m * s)) by (apply Rdiv_lt_0_compat; lra).
  destruct (reached_so_far m q eta Q ltac:(lra)) as [(g & T & G & L & N)|(g & T & G & L & N)];
    exists g; (split; [exact T|split; [exact G|]]); [split; lra|].
  pose proof (hull_line m m q (le_n m)); pose proof (height_nonneg _ (slope m)).
  pose proof (E_unit (U W) g T G); pose proof (E_unit (V W) g T G); split; [|unfold line in *; nra].
  assert (V W g <= 2 / (INR m * s)); [|lra].
  set (c := INR m * s) in *; apply Rmult_le_reg_l with c; auto; replace (c * (2 / c)) with 2 by (field; lra); lra.
Qed.
End One.

(** * The product of two pairs *)
Inductive tensor {Z Z'} (T : (Z -> R) -> Prop) (T' : (Z' -> R) -> Prop) : (Z * Z' -> R) -> Prop :=
  | tensor_product g g' : T g -> T' g' -> tensor T T' (fun z => g (fst z) * g' (snd z))
  | tensor_sum f f' : tensor T T' f -> tensor T T' f' -> tensor T T' (fun z => f z + f' z)
  | tensor_ext f f' : (forall z, f z = f' z) -> tensor T T' f -> tensor T T' f'.

Section Product.
Variables W W' : pair.
Notation both := (tensor (test W) (test W')).

Lemma tensor_const c : both (fun _ => c).
Proof.
  apply tensor_ext with (fun z : place W * place W' => (fun _ : place W => c) (fst z) * (fun _ : place W' => 1) (snd z)); [intros; simpl; ring|].
  apply (tensor_product _ _ (fun _ : place W => c) (fun _ : place W' => 1)); apply test_const.
Qed.
Lemma tensor_scal c f : both f -> both (fun z => c * f z).
Proof.
  induction 1 as [g g' G G'|f f' F IF F' IF'|f f' H F IF].
  - apply tensor_ext with (fun z => (fun y => c * g y) (fst z) * g' (snd z)); [intros; simpl; ring|].
    apply (tensor_product _ _ (fun y => c * g y) g'); auto using test_scal.
  - apply tensor_ext with (fun z => c * f z + c * f' z); [intros; ring|]; now apply tensor_sum.
  - apply tensor_ext with (fun z => c * f z); [intros; now rewrite H|auto].
Qed.
Lemma tensor_slice f z : both f -> test W' (fun z' => f (z, z')).
Proof.
  induction 1 as [g g' G G'|f f' F IF F' IF'|f f' H F IF]; simpl.
  - now apply test_scal.
  - now apply test_plus.
  - apply test_ext with (fun z' => f (z, z')); auto.
Qed.
Lemma tensor_inner (L : law (test W')) f : both f -> test W (fun z => L (fun z' => f (z, z'))).
Proof.
  induction 1 as [g g' G G'|f f' F IF F' IF'|f f' H F IF]; simpl.
  - apply test_ext with (fun z => L g' * g z); [intros; rewrite E_scal by auto; ring|now apply test_scal].
  - apply test_ext with (fun z => L (fun z' => f (z, z')) + L (fun z' => f' (z, z'))); [|now apply test_plus].
    intros z; now rewrite (E_plus L (fun z' => f (z, z')) (fun z' => f' (z, z'))) by (now apply tensor_slice).
  - apply test_ext with (fun z => L (fun z' => f (z, z'))); auto.
    intros z; apply E_ext; auto; now apply tensor_slice.
Qed.

(** The iterated integral. *)
Program Definition twice (L : law (test W)) (L' : law (test W')) : law both :=
  mkLaw _ _ (fun f => L (fun z => L' (fun z' => f (z, z')))) _ _ _ _.
Next Obligation.
  rewrite <- (E_plus L (fun z => L' (fun z' => f (z, z'))) (fun z => L' (fun z' => g (z, z')))) by (now apply tensor_inner).
  apply E_ext; [apply (tensor_inner L' (fun z => f z + g z)); now apply tensor_sum|].
  intros z; apply (E_plus L' (fun z' => f (z, z')) (fun z' => g (z, z'))); now apply tensor_slice.
Qed.
Next Obligation.
  rewrite <- (E_scal L c (fun z => L' (fun z' => f (z, z')))) by (now apply tensor_inner).
  apply E_ext; [apply (tensor_inner L' (fun z => c * f z)); now apply tensor_scal|].
  intros z; apply (E_scal L' c (fun z' => f (z, z'))); now apply tensor_slice.
Qed.
Next Obligation.
  apply E_le; [now apply tensor_inner|now apply tensor_inner|].
  intros z; apply E_le; [now apply tensor_slice|now apply tensor_slice|auto].
Qed.
Next Obligation.
  transitivity (L (fun _ => 1)); [|apply E_one]; apply E_ext; [apply (tensor_inner L' (fun _ => 1)), tensor_const|intros; apply E_one].
Qed.

Definition product : pair :=
  mkPair (place W * place W') both (tensor_ext _ _) tensor_const (tensor_sum _ _) tensor_scal (twice (U W) (U W')) (twice (V W) (V W')).

Lemma tensor_sums n (g : nat -> place W -> R) (g' : nat -> place W' -> R) :
  (forall i, (i < n)%nat -> test W (g i)) -> (forall i, (i < n)%nat -> test W' (g' i)) ->
  both (fun z => sum n (fun i => g i (fst z) * g' i (snd z))).
Proof.
  induction n; intros G G'; simpl; [apply tensor_const|].
  apply (tensor_sum _ _ (fun z => sum n (fun i => g i (fst z) * g' i (snd z))) (fun z => g n (fst z) * g' n (snd z)));
    [apply IHn; intros; (apply G || apply G'); lia|apply tensor_product; (apply G || apply G'); lia].
Qed.
End Product.

(** * Between the points of a grid *)
(** [y O], then [y 1], … as [x] grows from 0, and straight between. *)
Definition between (m : nat) (x : R) (y : nat -> R) : R := y O + sum m (fun i => clip (x - INR i) * (y (S i) - y i)).

Lemma clip_at x : (x <= 0 -> clip x = 0) /\ (0 <= x <= 1 -> clip x = x) /\ (1 <= x -> clip x = 1).
Proof. unfold clip, Rmax, Rmin; repeat split; intros; repeat destruct (Rle_dec _ _); lra. Qed.

Lemma between_end m x y : INR m <= x -> between m x y = y m.
Proof.
  unfold between; induction m; intros H; [simpl; ring|].
  rewrite S_INR in H; cbn [sum]; rewrite <- Rplus_assoc, IHm by lra.
  destruct (clip_at (x - INR m)) as (_ & _ & ->); [ring|lra].
Qed.
Lemma between_two m x : (0 < m)%nat -> 0 <= x <= INR m ->
  exists j l, (j < m)%nat /\ 0 <= l <= 1 /\ INR j <= x <= INR j + 1 /\ forall y, between m x y = (1 - l) * y j + l * y (S j).
Proof.
  induction m; intros M H; [lia|].
  destruct (Rle_lt_dec (INR m) x) as [L|L].
  - exists m, (x - INR m); rewrite S_INR in H; split; [lia|]; split; [lra|]; split; [lra|]; intros y.
    unfold between; cbn [sum]; rewrite <- Rplus_assoc; fold (between m x y); rewrite between_end by lra.
    destruct (clip_at (x - INR m)) as (_ & -> & _); [ring|lra].
  - destruct m; [simpl in L; lra|].
    destruct (IHm ltac:(lia) ltac:(lra)) as (j & l & J & L' & X & Y); exists j, l; split; [lia|]; repeat split; try lra; intros y.
    rewrite <- Y; unfold between; cbn [sum]; destruct (clip_at (x - INR (S m))) as (-> & _); [ring|lra].
Qed.

(** * Stairs *)
Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. intros H; apply Rle_antisym; apply sum_le; intros i I; rewrite (H i I); lra. Qed.

Section Stairs.
Variables (N v : R) (T : R -> R).
Hypothesis (N0 : 0 < N) (V0 : 0 <= v) (mono : forall x y, x <= y -> T x <= T y).
Definition stair (i : nat) : R := if Rlt_dec (INR i / N) v then 1 else 0.

Lemma part_le x y : x <= y -> x / N <= y / N.
Proof. intros H; apply Rmult_le_compat_r; auto; left; now apply Rinv_0_lt_compat. Qed.
Lemma stairs_below k : INR k / N < v -> forall i, (i < S k)%nat -> stair i = 1.
Proof.
  intros H i I; unfold stair; destruct (Rlt_dec (INR i / N) v) as [|B]; [reflexivity|elim B].
  eapply Rle_lt_trans; [|exact H]; apply part_le, le_INR; lia.
Qed.
Lemma stairs_up k : v <= INR k / N -> T v <= T 0 + sum k (fun i => (T (INR (S i) / N) - T (INR i / N)) * stair i).
Proof.
  induction k; intros H.
  - simpl; simpl in H; unfold Rdiv in H; rewrite Rmult_0_l in H; rewrite Rplus_0_r; auto.
  - destruct (Rlt_dec (INR k / N) v) as [L|L].
    + rewrite (sum_ext (S k) _ (fun i => T (INR (S i) / N) - T (INR i / N))) by (intros i I; rewrite (stairs_below k L i I); ring).
      rewrite (sum_steps (S k) (fun j => T (INR j / N))); replace (INR 0 / N) with 0 by (simpl; field; lra).
      specialize (mono _ _ H); lra.
    + cbn [sum]; replace (stair k) with 0 by (unfold stair; destruct (Rlt_dec (INR k / N) v); [contradiction|reflexivity]).
      specialize (IHk ltac:(lra)); lra.
Qed.
Lemma stairs_width k : sum k (fun i => / N * stair i) <= v + / N.
Proof.
  assert (I : 0 < / N) by (now apply Rinv_0_lt_compat).
  induction k; [simpl; lra|].
  destruct (Rlt_dec (INR k / N) v) as [L|L].
  - rewrite (sum_ext (S k) _ (fun _ => / N)) by (intros i Hi; rewrite (stairs_below k L i Hi); ring).
    rewrite sum_const, S_INR; unfold Rdiv in L; lra.
  - cbn [sum]; replace (stair k) with 0 by (unfold stair; destruct (Rlt_dec (INR k / N) v); [contradiction|reflexivity]); lra.
Qed.
End Stairs.

(** A weight goes furthest on the first, greatest steps. *)
Lemma greedy n d c w : (forall i, d (S i) <= d i) -> (forall i, (i < n)%nat -> 0 <= w i <= 1) ->
  exists k, sum n (fun i => (d i - c) * w i) <= sum k (fun i => d i - c).
Proof.
  intros D; induction n; intros H; [exists O; simpl; lra|].
  destruct (Rle_lt_dec (d n) c) as [L|L].
  - destruct IHn as [k Hk]; [intros; apply H; lia|]; exists k; cbn [sum]; specialize (H n ltac:(lia)); nra.
  - exists (S n); apply sum_le; intros i I; specialize (H i I).
    assert (d n <= d i); [|nra].
    clear - D I; assert (X : forall j, d (i + j)%nat <= d i).
    { induction j; [rewrite Nat.add_0_r; lra|]; rewrite Nat.add_succ_r; eapply Rle_trans; [apply D|exact IHj]. }
    replace n with (i + (n - i))%nat by lia; apply X.
Qed.

Lemma bounded_sum {A} n (f : nat -> A -> R) : (forall i, bounded (f i)) -> bounded (fun a => sum n (fun i => f i a)).
Proof. intros H; induction n; simpl; auto with dp. Qed.
Lemma Ex_sum {A} (P : dist A) n (f : nat -> A -> R) : (forall i, bounded (f i)) -> Ex P (fun a => sum n (fun i => f i a)) = sum n (fun i => Ex P (f i)).
Proof.
  intros H; induction n; simpl; [apply Ex_const|].
  rewrite (Ex_plus _ P (fun a => sum n (fun i => f i a)) (f n)) by (apply Int_bounded; auto using bounded_sum); now rewrite IHn.
Qed.

(** * The theorem *)
Section Composition.
Context {A B : Type} (W W' : pair) (C : closed W) (P Q : dist A) (K L : A -> dist B).
Hypothesis (H : dominated W P Q) (H' : forall x, dominated W' (K x) (L x)).

Lemma second_below f x b : unit_test f -> 0 <= b -> Ex (K x) f - b * Ex (L x) f <= height W' b.
Proof.
  intros F Hb; apply le_epsilon; intros e He.
  destruct (H' x b Hb f F e He) as (g & T & G & X); pose proof (height_ge W' b g Hb T G); lra.
Qed.

Lemma exists_above x : exists n, (0 < n)%nat /\ x <= INR n.
Proof.
  destruct (Rle_lt_dec x 0); [exists 1%nat; split; [lia|simpl; lra]|].
  destruct (archimed x) as [X _]; exists (Z.to_nat (up x)).
  assert (0 < up x)%Z by (apply lt_IZR; lra); split; [lia|].
  rewrite INR_IZR_INZ, Z2Nat.id by lia; lra.
Qed.

Theorem products_dominate : dominated (product W W') (bind P K) (bind Q L).
Proof.
  intros a Ha f F eta Heta.
  (* How fine: the steps of slopes, the greatest slope, the grid. *)
  set (s := Rmin 1 (eta / 8)); assert (S0 : 0 < s <= 1 /\ s <= eta / 8).
  { unfold s, Rmin; destruct (Rle_dec 1 (eta / 8)); lra. }
  destruct (exists_above (8 * a / (eta * s))) as (m & M0 & M).
  destruct (exists_above (12 * a / eta)) as (n & N0 & Nn).
  set (N := INR n) in *; assert (NP : 0 < N) by (now apply lt_0_INR).
  assert (MP : 0 < INR m) by (now apply lt_0_INR).
  assert (MN : INR m <> 0) by lra; assert (NN : N <> 0) by lra; assert (SN : s <> 0) by lra; assert (EN0 : eta <> 0) by lra.
  assert (E1 : a * (3 / N) <= eta / 4).
  { apply Rmult_le_reg_r with (4 * N / eta); [apply Rdiv_lt_0_compat; lra|].
    replace (a * (3 / N) * (4 * N / eta)) with (12 * a / eta) by (field; auto).
    replace (eta / 4 * (4 * N / eta)) with N by (field; auto); exact Nn. }
  assert (E2 : a * (2 / (INR m * s)) <= eta / 4).
  { apply Rmult_le_reg_r with (4 * INR m / eta); [apply Rdiv_lt_0_compat; lra|].
    replace (a * (2 / (INR m * s)) * (4 * INR m / eta)) with (8 * a / (eta * s)) by (field; auto).
    replace (eta / 4 * (4 * INR m / eta)) with (INR m) by (field; auto); exact M. }
  set (T := hull W' s m).
  assert (mono : forall x y, x <= y -> T x <= T y) by (intros; apply hull_mono; lra).
  set (d := fun i => T (INR (S i) / N) - T (INR i / N)).
  assert (D0 : forall i, 0 <= d i).
  { intros i; unfold d; assert (X := mono (INR i / N) (INR (S i) / N)); rewrite S_INR in *.
    specialize (X ltac:(apply part_le; lra)); lra. }
  assert (DS : forall i, d (S i) <= d i).
  { intros i; unfold d; pose proof (hull_concave W' s m (INR i / N) (INR (S (S i)) / N)) as X; fold T in X.
    replace ((INR i / N + INR (S (S i)) / N) / 2) with (INR (S i) / N) in X by (rewrite !S_INR; field; lra); lra. }
  (* The first release, tested by whether the second's false alarms exceed a level. *)
  set (p := fun x => Ex (K x) f); set (q := fun x => Ex (L x) f).
  assert (Pu : unit_test p) by (intros x; now apply Ex_unit).
  assert (Qu : unit_test q) by (intros x; now apply Ex_unit).
  set (c := fun i x => stair N (q x) i).
  assert (Cu : forall i, unit_test (c i)) by (intros i x; unfold c, stair; destruct (Rlt_dec _ _); lra).
  assert (PT : forall x, p x <= T 0 + sum n (fun i => d i * c i x)).
  { intros x; eapply Rle_trans; [|apply (stairs_up N (q x) T NP mono n); unfold Rdiv; fold N; rewrite Rinv_r by lra; apply Qu].
    apply hull_glb; intros k _; unfold line; assert (X := second_below f x (INR k * s) F (slope s ltac:(lra) k)); unfold p, q; lra. }
  assert (QT : forall x, sum n (fun i => / N * c i x) <= q x + / N) by (intros x; apply stairs_width; auto; apply Qu).
  assert (Hpsi : forall i, (i < n)%nat -> exists g, (test W g /\ unit_test g) /\
    d i * Ex P (c i) - a / N * Ex Q (c i) <= d i * U W g - a / N * V W g + eta / 4 / N).
  { intros i _; assert (AN : 0 <= a / N) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
    assert (EN : 0 < eta / 4 / N) by (apply Rdiv_lt_0_compat; lra).
    destruct (Rle_lt_or_eq_dec 0 (d i) (D0 i)) as [Hd|Hd].
    - destruct (H (a / N / d i) ltac:(apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]) (c i) (Cu i) (eta / 4 / N / d i)
        ltac:(apply Rdiv_lt_0_compat; lra)) as (g & G & Gu & X).
      exists g; split; [now split|].
      apply Rmult_le_compat_l with (r := d i) in X; [|lra].
      replace (d i * (Ex P (c i) - a / N / d i * Ex Q (c i))) with (d i * Ex P (c i) - a / N * Ex Q (c i)) in X by (field; lra).
      replace (d i * (U W g - a / N / d i * V W g + eta / 4 / N / d i)) with (d i * U W g - a / N * V W g + eta / 4 / N) in X by (field; lra).
      exact X.
    - exists (fun _ => 0); split; [split; [apply test_const|intros z; lra]|].
      rewrite <- Hd, !E_const; pose proof (Ex_unit Q (c i) (Cu i)); nra. }
  destruct (choose (fun _ => 0) n _ Hpsi) as (psi & Psi); clear Hpsi.
  (* The second pair's tests at each level. *)
  assert (Hg : forall j, (j < S n)%nat -> exists g, (test W' g /\ unit_test g) /\
    (V W' g <= INR (S j) / N + 2 / (INR m * s) /\ T (INR (S j) / N) - s - s <= U W' g)).
  { intros j _; destruct (reached W' s ltac:(lra) m (INR (S j) / N) s) as (g & G & Gu & X); auto; [|lra|exists g; split; [now split|exact X]].
    apply Rmult_le_pos; [apply pos_INR|left; now apply Rinv_0_lt_compat]. }
  destruct (choose (fun _ => 0) (S n) _ Hg) as (g & G); clear Hg.
  set (level := fun z => sum n (fun i => psi i z)).
  assert (Tl : test W level) by (apply test_sum; intros i I; now apply Psi).
  assert (Lu : forall z, 0 <= level z <= N).
  { intros z; unfold level; split.
    - rewrite <- (Rmult_0_r (INR n)), <- (sum_const n 0); apply sum_le; intros i I; now apply Psi.
    - unfold N; rewrite <- (Rmult_1_r (INR n)), <- (sum_const n 1); apply sum_le; intros i I; now apply Psi. }
  set (G2 := fun zz : place W * place W' => between n (level (fst zz)) (fun j => g j (snd zz))).
  assert (TG : test (product W W') G2).
  { apply (tensor_sum _ _ (fun zz => g O (snd zz)) (fun zz => sum n (fun i => clip (level (fst zz) - INR i) * (g (S i) (snd zz) - g i (snd zz))))).
    - apply tensor_ext with (fun zz => (fun _ : place W => 1) (fst zz) * g O (snd zz)); [intros; simpl; ring|].
      apply (tensor_product _ _ (fun _ : place W => 1) (g O)); [apply test_const|apply G; lia].
    - apply (tensor_sums W W' n (fun i z => clip (level z - INR i)) (fun i z => g (S i) z - g i z)); intros i I.
      + apply (C (fun z => level z - INR i)).
        apply (test_plus W level (fun _ => - INR i)); auto using test_const.
      + apply test_ext with (fun z => g (S i) z + -1 * g i z); [intros; ring|].
        apply test_plus; [|apply test_scal]; apply G; lia. }
  (* At each point of the first. *)
  assert (Slice : forall z, exists j l, 0 <= l <= 1 /\ (j < n)%nat /\ INR j <= level z <= INR j + 1 /\
    forall z', G2 (z, z') = (1 - l) * g j z' + l * g (S j) z').
  { intros z; destruct (between_two n (level z) N0 (Lu z)) as (j & l & J & L' & X & Y).
    exists j, l; repeat split; try lra; auto; intros z'; apply (Y (fun j => g j z')). }
  assert (Inner : forall (M' : law (test W')) z j l, (j < n)%nat -> (forall z', G2 (z, z') = (1 - l) * g j z' + l * g (S j) z') ->
    M' (fun z' => G2 (z, z')) = (1 - l) * M' (g j) + l * M' (g (S j))).
  { intros M' z j l J Y; assert (test W' (g j) /\ test W' (g (S j))) as [T1 T2] by (split; apply G; lia).
    rewrite (E_ext W' M' _ (fun z' => (1 - l) * g j z' + l * g (S j) z')); auto.
    - rewrite (E_plus M' (fun z' => (1 - l) * g j z') (fun z' => l * g (S j) z')), !E_scal by auto using test_scal; ring.
    - apply test_ext with (fun z' => (1 - l) * g j z' + l * g (S j) z'); [intros; now rewrite Y|]; apply test_plus; now apply test_scal. }
  assert (Up : forall z, T 0 + sum n (fun i => d i * psi i z) - 2 * s <= U W' (fun z' => G2 (z, z'))).
  { intros z; destruct (Slice z) as (j & l & L' & J & X & Y); rewrite (Inner (U W') z j l J Y).
    assert (A1 : T (INR (S j) / N) - s - s <= U W' (g j)) by (apply G; lia).
    assert (A2 : T (INR (S (S j)) / N) - s - s <= U W' (g (S j))) by (apply G; lia).
    rewrite !S_INR in *.
    assert (B1 : T (level z / N) <= T ((INR j + 1) / N)) by (apply mono, part_le; lra).
    assert (B2 : T (level z / N) <= T ((INR j + 1 + 1) / N)) by (apply mono, part_le; lra).
    assert (B3 : T 0 + sum n (fun i => d i * psi i z) <= T (level z / N)); [|nra].
    apply hull_glb; intros k Hk; unfold line.
    destruct (greedy n d (INR k * s / N) (fun i => psi i z) DS ltac:(intros i I; now apply Psi)) as (r & Hr).
    assert (X1 : sum n (fun i => (d i - INR k * s / N) * psi i z) = sum n (fun i => d i * psi i z) - INR k * s / N * level z).
    { unfold level; rewrite <- sum_scal, <- (Rplus_0_r (sum n _ - _)); unfold Rminus; rewrite Rplus_0_r.
      rewrite <- (Rmult_1_l (sum n (fun i => INR k * s / N * psi i z))), Ropp_mult_distr_l, <- sum_scal, <- sum_plus.
      apply sum_ext; intros; ring. }
    assert (X2 : sum r (fun i => d i - INR k * s / N) = T (INR r / N) - T 0 - INR k * s * (INR r / N)).
    { rewrite (sum_ext r _ (fun i => d i + - (INR k * s / N))) by (intros; ring); rewrite sum_plus, sum_const.
      unfold d; rewrite (sum_steps r (fun j => T (INR j / N))); simpl (INR 0); unfold Rdiv; rewrite Rmult_0_l; ring. }
    assert (X3 := hull_line W' s m k (INR r / N) Hk); fold T in X3; unfold line in X3.
    replace (INR k * s * (level z / N)) with (INR k * s / N * level z) by (field; lra); lra. }
  assert (Dn : forall z, V W' (fun z' => G2 (z, z')) <= / N * level z + (2 / N + 2 / (INR m * s))).
  { intros z; destruct (Slice z) as (j & l & L' & J & X & Y); rewrite (Inner (V W') z j l J Y).
    assert (A1 : V W' (g j) <= INR (S j) / N + 2 / (INR m * s)) by (apply G; lia).
    assert (A2 : V W' (g (S j)) <= INR (S (S j)) / N + 2 / (INR m * s)) by (apply G; lia).
    rewrite !S_INR in *.
    assert (B0 : INR j / N <= level z / N) by (apply part_le; lra).
    assert (0 < / N) by (now apply Rinv_0_lt_compat).
    unfold Rdiv in *; nra. }
  exists G2; split; [exact TG|]; split.
  { intros [z z']; destruct (Slice z) as (j & l & L' & J & X & Y); rewrite Y.
    assert (0 <= g j z' <= 1) by (apply G; lia); assert (0 <= g (S j) z' <= 1) by (apply G; lia); nra. }
  (* All together. *)
  assert (UG : T 0 + sum n (fun i => d i * U W (psi i)) - 2 * s <= U (product W W') G2).
  { apply Rle_trans with (U W (fun z => T 0 - 2 * s + sum n (fun i => d i * psi i z))).
    - rewrite (E_plus (U W) (fun _ => T 0 - 2 * s)), E_const;
        [|apply test_const|apply (test_sum W n (fun i z => d i * psi i z)); intros i I; apply test_scal, Psi, I].
      rewrite (E_sum W (U W) n (fun i z => d i * psi i z)) by (intros i I; apply test_scal, Psi, I).
      rewrite (sum_ext n (fun i => U W (fun z => d i * psi i z)) (fun i => d i * U W (psi i))) by (intros i I; apply E_scal, Psi, I); lra.
    - apply (E_le (U W)); [|now apply tensor_inner|intros z; specialize (Up z); lra].
      apply (test_plus W (fun _ => T 0 - 2 * s)); [apply test_const|].
      apply (test_sum W n (fun i z => d i * psi i z)); intros i I; apply test_scal, Psi, I. }
  assert (VG : V (product W W') G2 <= sum n (fun i => / N * V W (psi i)) + (2 / N + 2 / (INR m * s))).
  { apply Rle_trans with (V W (fun z => / N * level z + (2 / N + 2 / (INR m * s)))).
    - apply (E_le (V W)); [now apply tensor_inner| |exact Dn].
      apply (test_plus W (fun z => / N * level z)); [now apply test_scal|apply test_const].
    - rewrite (E_plus (V W) (fun z => / N * level z)), E_const, E_scal by (auto using test_scal, test_const).
      unfold level; rewrite E_sum by (intros i I; apply Psi, I); rewrite <- sum_scal; lra. }
  assert (PP : Ex P p <= T 0 + sum n (fun i => d i * Ex P (c i))).
  { rewrite (sum_ext n _ (fun i => Ex P (fun x => d i * c i x))) by (intros i _; rewrite Ex_scal by (apply Int_bounded; auto with dp); reflexivity).
    rewrite <- (Ex_sum P n (fun i x => d i * c i x)) by (intros; auto with dp).
    rewrite <- (Ex_const P (T 0)) at 1; rewrite <- Ex_plus by (apply Int_bounded; auto using bounded_sum with dp).
    apply Ex_le; [apply Int_bounded; auto with dp| |exact PT].
    apply Int_bounded, bounded_plus; auto with dp; apply (bounded_sum n (fun i x => d i * c i x)); auto with dp. }
  assert (QQ : sum n (fun i => / N * Ex Q (c i)) <= Ex Q q + / N).
  { rewrite (sum_ext n _ (fun i => Ex Q (fun x => / N * c i x))) by (intros i _; rewrite Ex_scal by (apply Int_bounded; auto with dp); reflexivity).
    rewrite <- (Ex_sum Q n (fun i x => / N * c i x)) by (intros; auto with dp).
    apply Rle_trans with (Ex Q (fun x => q x + / N)); [|rewrite Ex_plus, Ex_const by (apply Int_bounded; auto with dp); lra].
    apply Ex_le; [apply Int_bounded, (bounded_sum n (fun i x => / N * c i x)); auto with dp|apply Int_bounded; auto with dp|exact QT]. }
  assert (SS : sum n (fun i => d i * Ex P (c i)) - a * sum n (fun i => / N * Ex Q (c i)) <=
    sum n (fun i => d i * U W (psi i)) - a * sum n (fun i => / N * V W (psi i)) + eta / 4).
  { apply Rle_trans with (sum n (fun i => d i * U W (psi i) + - a * (/ N * V W (psi i)) + eta / 4 / N)).
    - apply Rle_trans with (sum n (fun i => d i * Ex P (c i) + - a * (/ N * Ex Q (c i)))).
      + rewrite sum_plus, (sum_scal n (- a)); lra.
      + apply sum_le; intros i I; destruct (Psi i I) as [_ X]; unfold Rdiv in *; lra.
    - rewrite !sum_plus, (sum_scal n (- a)), sum_const; fold N; replace (N * (eta / 4 / N)) with (eta / 4) by (field; lra); lra. }
  change (Ex P p - a * Ex Q q <= U (product W W') G2 - a * V (product W W') G2 + eta).
  apply Rmult_le_compat_l with (r := a) in QQ; auto; apply Rmult_le_compat_l with (r := a) in VG; auto.
  assert (a * (3 / N) = a * / N + a * (2 / N)) by (field; lra).
  lra.
Qed.
End Composition.

(** * Many pairs *)
Program Definition nothing : pair := mkPair unit (fun _ => True) _ _ _ _ (mkLaw _ _ (fun f => f tt) _ _ _ _) (mkLaw _ _ (fun f => f tt) _ _ _ _).
Fixpoint products (Ws : list pair) : pair := match Ws with nil => nothing | cons W Ws => product W (products Ws) end.

(** What a pair promises: each delta that it has at an epsilon, in both orders. *)
Definition promised {Y} (W : pair) (P Q : dist Y) := forall e del, 0 <= e ->
  (forall g, test W g -> unit_test g -> U W g <= exp e * V W g + del) -> close e del P Q /\ close e del Q P.
(** Its own laws may change places. *)
Definition symmetric (W : pair) := forall a, 1 <= a -> forall g, test W g -> unit_test g -> forall eta, 0 < eta ->
  exists g', test W g' /\ unit_test g' /\ U W g - a * V W g <= V W g' - a * U W g' + eta.

Lemma dominated_promised {Y} W (P Q : dist Y) : dominated W P Q -> dominated W Q P -> promised W P Q.
Proof.
  intros D D' e del He C.
  assert (X : forall P Q : dist Y, dominated W P Q -> close e del P Q); [|split; auto].
  clear - C; intros P Q D f F; apply le_epsilon; intros eta Heta.
  destruct (D (exp e) ltac:(left; apply exp_pos) f F eta Heta) as (g & T & G & H); specialize (C g T G); lra.
Qed.

Lemma promised_dominated {Y} W (P Q : dist Y) : symmetric W -> promised W P Q -> dominated W P Q.
Proof.
  intros S H.
  assert (Far : forall a f, 1 <= a -> unit_test f -> Ex P f - a * Ex Q f <= height W a /\ Ex Q f - a * Ex P f <= height W a).
  { intros a f Ha F; assert (L : exp (ln a) = a) by (apply exp_ln; lra).
    assert (N : 0 <= ln a) by (rewrite <- ln_1; destruct Ha as [Ha| ->]; [left; apply ln_increasing|]; lra).
    destruct (H (ln a) (height W a) N) as [A B].
    - intros g T G; rewrite L; pose proof (height_ge W a g ltac:(lra) T G); lra.
    - specialize (A f F); specialize (B f F); rewrite L in *; lra. }
  intros a Ha f F eta Heta.
  destruct (Rle_lt_dec 1 a) as [A|A].
  - destruct (height_near W a eta Ha Heta) as (g & T & G & N); exists g; split; [exact T|split; [exact G|]].
    destruct (Far a f A F); lra.
  - destruct Ha as [Ha|<-].
    2: { exists (fun _ => 1); split; [apply test_const|split; [intros z; lra|]].
         rewrite E_one; pose proof (Ex_unit P f F); lra. }
    assert (I : 1 <= / a) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (F' : unit_test (fun y => 1 + -1 * f y)) by (intros y; specialize (F y); lra).
    destruct (Far (/ a) _ I F') as [_ X].
    rewrite !Ex_plus, !Ex_scal, !Ex_const in X by (apply Int_bounded; auto with dp).
    destruct (height_near W (/ a) (eta / 2) ltac:(lra) ltac:(lra)) as (g & T & G & N).
    destruct (S (/ a) I g T G (eta / 2) ltac:(lra)) as (g' & T' & G' & M).
    exists (fun z => 1 + -1 * g' z); split; [apply test_plus; [apply test_const|now apply test_scal]|split].
    + intros z; specialize (G' z); lra.
    + rewrite !(E_plus _ (fun _ => 1)), !E_scal, !E_one by auto using test_const, test_scal.
      assert (Y1 : 1 + -1 * Ex Q f - / a * (1 + -1 * Ex P f) <= V W g' - / a * U W g' + eta) by lra.
      apply Rmult_le_compat_l with (r := a) in Y1; [|lra].
      replace (a * (1 + -1 * Ex Q f - / a * (1 + -1 * Ex P f))) with (a + - a * Ex Q f - 1 + Ex P f) in Y1 by (field; lra).
      replace (a * (V W g' - / a * U W g' + eta)) with (a * V W g' - U W g' + a * eta) in Y1 by (field; lra).
      nra.
Qed.

Lemma promised_swap {Y} W (P Q : dist Y) : promised W P Q -> promised W Q P.
Proof. intros H e del He C; destruct (H e del He C); now split. Qed.

(** Two laws on a countable set, as a pair. *)
Program Definition of_laws {Z} (A B : dist Z) : pair :=
  mkPair Z bounded _ bounded_const bounded_plus bounded_scal (mkLaw _ _ (Ex A) _ _ _ (Ex_one _ A)) (mkLaw _ _ (Ex B) _ _ _ (Ex_one _ B)).
Next Obligation. destruct H0 as [M H']; exists M; intros z; now rewrite <- H. Qed.
Next Obligation. now apply Ex_plus; apply Int_bounded. Qed.
Next Obligation. now apply Ex_scal; apply Int_bounded. Qed.
Next Obligation. now apply Ex_le; auto; apply Int_bounded. Qed.
Next Obligation. now apply Ex_plus; apply Int_bounded. Qed.
Next Obligation. now apply Ex_scal; apply Int_bounded. Qed.
Next Obligation. now apply Ex_le; auto; apply Int_bounded. Qed.

Lemma of_laws_closed {Z} (A B : dist Z) : closed (of_laws A B).
Proof. intros f _; exists 1; intros z; unfold clip, Rmax, Rmin; repeat destruct (Rle_dec _ _); rewrite Rabs_pos_eq; lra. Qed.
