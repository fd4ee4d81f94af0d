(** [make_tree_aggregation]: a noisy sum of each completed block of a stream, whoever gives its items. *)
Require Import Reals Lra Psatz Lia ZArith List.
From DP Require Import Expect Approx DualRenyi DiscreteLaplace DiscreteGaussian PureToZCDP Measures Rounding laplace gaussian Interaction.
Import ListNotations.
Open Scope R_scope.

Definition vec := list Z.
Definition plus (x b : vec) : vec := map (fun p => (fst p + snd p)%Z) (combine x b).
(** [blocks], from the shortest on, each with the digit of the time at its level.  A new item carries through the blocks whose digits
    are 1; what it adds up to is the block of the first digit that is 0. *)
Fixpoint push (item : vec) (blocks : list (bool * vec)) : option (list (bool * vec) * vec) :=
  match blocks with
  | [] => None
  | (true, b) :: rest => match push (plus item b) rest with Some (rest', v) => Some ((false, b) :: rest', v) | None => None end
  | (false, _) :: rest => Some ((true, item) :: rest, item)
  end.

(** Who gives the items sees every noisy block; it gives one item in one world and another in the other. *)
Inductive giver (V : Type) : Type :=
  | ended (v : V)
  | tossed (T : Type) (P : dist T) (next : T -> giver V)
  | give (x x' : vec) (next : option vec -> giver V).
Arguments ended {V}. Arguments tossed {V}. Arguments give {V}.

Section Tree.
Context {V : Type} (noisy : vec -> dist vec).
(** [horizon] items, and no more: what is left of it. *)
Fixpoint play (a : giver V) (left : nat) (blocks : list (bool * vec)) (other : bool) : dist V :=
  match a with
  | ended v => ret v
  | tossed T P next => bind P (fun t => play (next t) left blocks other)
  | give x x' next =>
      match left, push (if other then x' else x) blocks with
      | S left', Some (blocks', v) => bind (noisy v) (fun y => play (next (Some y)) left' blocks' other)
      | _, _ => play (next None) left blocks other
      end
  end.

(** On every course at most [d] of the items differ, each by at most [U]; all have [width] numbers. *)
Variables (width : nat) (norm : vec -> vec -> R) (U : R).
Fixpoint near (d : nat) (a : giver V) : Prop :=
  match a with
  | ended _ => True
  | tossed T P next => forall t, near d (next t)
  | give x x' next => length x = width /\ length x' = width /\
      ((x = x' /\ forall y, near d (next y)) \/ (norm x x' <= U /\ match d with O => False | S d' => forall y, near d' (next y) end))
  end.

Hypothesis norm_nonneg : forall x x', 0 <= norm x x'.
Hypothesis norm_same : forall x, norm x x = 0.
Hypothesis norm_plus : forall x b x' b', length x = width -> length b = width -> length x' = width -> length b' = width ->
  norm (plus x b) (plus x' b') <= norm x x' + norm b b'.
Hypothesis U_nonneg : 0 <= U.

(** The blocks of the two worlds. *)
Inductive paired : list (bool * vec) -> list (bool * vec) -> Prop :=
  | no_blocks : paired [] []
  | a_block t b b' bs bs' : length b = width -> length b' = width -> paired bs bs' -> paired ((t, b) :: bs) ((t, b') :: bs').
(** What the items so far can still cost: each lies in one block of every level above that of its own. *)
Fixpoint still (bs bs' : list (bool * vec)) : R :=
  match bs, bs' with (t, b) :: bs, (_, b') :: bs' => (if t then INR (length bs) * norm b b' else 0) + still bs bs' | _, _ => 0 end.
(** What the blocks in use differ by. *)
Fixpoint mass (bs bs' : list (bool * vec)) : R :=
  match bs, bs' with (t, b) :: bs, (_, b') :: bs' => (if t then norm b b' else 0) + mass bs bs' | _, _ => 0 end.

Lemma plus_length x b : length x = width -> length b = width -> length (plus x b) = width.
Proof. intros; unfold plus; rewrite map_length, combine_length; lia. Qed.
Lemma mass_nonneg bs bs' : 0 <= mass bs bs'.
Proof. revert bs'; induction bs as [|[t b] bs IH]; intros [|[t' b'] bs']; simpl; try lra; specialize (IH bs'); pose proof (norm_nonneg b b'); destruct t; lra. Qed.
Lemma still_nonneg bs bs' : 0 <= still bs bs'.
Proof.
  revert bs'; induction bs as [|[t b] bs IH]; intros [|[t' b'] bs']; simpl; try lra; specialize (IH bs'); pose proof (norm_nonneg b b'); pose proof (pos_INR (length bs)).
  destruct t; [assert (0 <= INR (length bs) * norm b b') by now apply Rmult_le_pos|]; lra.
Qed.

Lemma push_paired bs bs' x x' : paired bs bs' -> length x = width -> length x' = width ->
  match push x bs, push x' bs' with
  | Some (cs, v), Some (cs', v') => paired cs cs' /\ length cs = length bs /\ norm v v' + still cs cs' <= still bs bs' + INR (length bs) * norm x x' /\
      norm v v' <= mass bs bs' + norm x x' /\ mass cs cs' <= mass bs bs' + norm x x' /\ length v = length v'
  | None, None => True
  | _, _ => False
  end.
Proof.
  intros P; revert x x'; induction P as [|t b b' bs bs' Lb Lb' P IH]; intros x x' Lx Lx'; cbn [push]; auto.
  pose proof (norm_nonneg x x'); pose proof (pos_INR (length bs)); destruct t.
  - specialize (IH (plus x b) (plus x' b') ltac:(now apply plus_length) ltac:(now apply plus_length)).
    destruct (push (plus x b) bs) as [[cs v]|], (push (plus x' b') bs') as [[cs' v']|]; auto.
    destruct IH as (Q & Lc & S & N & Mm & Lv); pose proof (norm_plus x b x' b' Lx Lb Lx' Lb') as T.
    repeat split; [now constructor|simpl; lia| | | |auto].
    + cbn [still]; assert (INR (length bs) * norm (plus x b) (plus x' b') <= INR (length bs) * (norm x x' + norm b b')) by now apply Rmult_le_compat_l.
      change (length ((true, b) :: bs)) with (Datatypes.S (length bs)); rewrite S_INR; lra.
    + cbn [mass]; lra.
    + cbn [mass]; lra.
  - repeat split; [constructor; auto|..]; try lia.
    + cbn [still]; change (length ((false, b) :: bs)) with (Datatypes.S (length bs)); rewrite S_INR; lra.
    + cbn [mass]; pose proof (mass_nonneg bs bs'); lra.
    + cbn [mass]; lra.
Qed.

(** A measure whose losses add up, and noise that costs [kappa] for each unit of a norm that is at most [M]. *)
Variables (D : forall W : Type, R -> dist W -> dist W -> Prop) (kappa M : R).
Hypothesis kappa_nonneg : 0 <= kappa.
Hypothesis D_same : forall W r (P : dist W), 0 <= r -> D W r P P.
Hypothesis D_mono : forall W r r' (P Q : dist W), r <= r' -> D W r P Q -> D W r' P Q.
Hypothesis D_bind : forall W C r r' (P P' : dist C) (K K' : C -> dist W), 0 <= r' -> D C r P P' -> (forall c, D W r' (K c) (K' c)) -> D W (r + r') (bind P K) (bind P' K').
Hypothesis noise : forall v v', length v = length v' -> norm v v' <= M -> D vec (kappa * norm v v') (noisy v) (noisy v').

Theorem play_close L : forall a left bs bs' d, near d a -> paired bs bs' -> length bs = L -> mass bs bs' + INR d * U <= M ->
  D V (kappa * (still bs bs' + INR d * (INR L * U))) (play a left bs false) (play a left bs' true).
Proof.
  assert (N0 : forall bs bs' d, 0 <= still bs bs' + INR d * (INR L * U)).
  { intros bs bs' d; pose proof (still_nonneg bs bs'); assert (0 <= INR d * (INR L * U)) by (repeat apply Rmult_le_pos; auto using pos_INR); lra. }
  induction a as [v|T P next IH|x x' next IH]; intros left bs bs' d Hn Hp HL HM; simpl.
  - apply D_same, Rmult_le_pos; auto.
  - rewrite <- (Rplus_0_l (kappa * _)); apply D_bind; [apply Rmult_le_pos; auto|apply D_same; lra|]; intros t; apply IH; auto.
  - destruct Hn as (Lx & Lx' & Hn).
    assert (Next : forall y, exists d', near d' (next y) /\ norm x x' + INR d' * U <= INR d * U /\
      (INR L * norm x x' + INR d' * (INR L * U) <= INR d * (INR L * U)) /\ INR d' <= INR d).
    { intros y; destruct Hn as [[-> Hn]|[Hu Hn]].
      - exists d; rewrite norm_same; repeat split; auto; lra.
      - destruct d as [|d]; [contradiction|]; exists d; rewrite S_INR; pose proof (pos_INR L).
        assert (INR L * norm x x' <= INR L * U) by now apply Rmult_le_compat_l. repeat split; auto; lra. }
    pose proof (push_paired bs bs' x x' Hp Lx Lx') as Q.
    destruct left as [|left].
    { destruct (Next None) as (d' & Hd & _ & _ & Le); eapply D_mono; [|apply (IH None O bs bs' d'); auto].
      - apply Rmult_le_compat_l; auto; pose proof (pos_INR L); assert (INR d' * (INR L * U) <= INR d * (INR L * U)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; auto|auto]); lra.
      - assert (INR d' * U <= INR d * U) by now apply Rmult_le_compat_r. lra. }
    destruct (push x bs) as [[cs v]|], (push x' bs') as [[cs' v']|]; try contradiction.
    + destruct Q as (Qp & Qc & Qs & Qv & Qm & Ql).
      assert (Hv : norm v v' <= M).
      { destruct (Next None) as (d' & _ & A & _ & _); assert (0 <= INR d' * U) by (apply Rmult_le_pos; auto using pos_INR); lra. }
      set (rest := still bs bs' + INR d * (INR L * U) - norm v v').
      assert (Hr : forall y, exists d', near d' (next y) /\ mass cs cs' + INR d' * U <= M /\ still cs cs' + INR d' * (INR L * U) <= rest).
      { intros y; destruct (Next y) as (d' & A & A1 & A2 & _); exists d'; repeat split; auto; [lra|]; unfold rest; rewrite HL in Qs; lra. }
      assert (R0 : 0 <= rest).
      { destruct (Hr None) as (d' & _ & _ & A); specialize (N0 cs cs' d'); lra. }
      replace (kappa * (still bs bs' + INR d * (INR L * U))) with (kappa * norm v v' + kappa * rest) by (unfold rest; ring).
      apply D_bind; [now apply Rmult_le_pos|now apply noise|]; intros y; destruct (Hr (Some y)) as (d' & A & A1 & A2).
      eapply D_mono; [apply Rmult_le_compat_l; [auto|exact A2]|]; apply IH; auto; congruence.
    + destruct (Next None) as (d' & Hd & _ & _ & Le); eapply D_mono; [|apply (IH None (S left) bs bs' d'); auto].
      * apply Rmult_le_compat_l; auto; pose proof (pos_INR L); assert (INR d' * (INR L * U) <= INR d * (INR L * U)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; auto|auto]); lra.
      * assert (INR d' * U <= INR d * U) by now apply Rmult_le_compat_r. lra.
Qed.
End Tree.

(** [Tree::new]: so many levels, all digits 0. *)
Definition empty (levels width : nat) : list (bool * vec) := repeat (false, repeat 0%Z width) levels.
Lemma empty_paired levels width : paired width (empty levels width) (empty levels width).
Proof. unfold empty; induction levels; simpl; constructor; auto; apply repeat_length. Qed.
Lemma empty_mass norm levels width : mass norm (empty levels width) (empty levels width) = 0 /\ still norm (empty levels width) (empty levels width) = 0.
Proof. unfold empty; induction levels as [|l [I J]]; simpl; [lra|]; rewrite I, J; lra. Qed.

(** L1 and L2. *)
Definition l2 (x x' : vec) : R := l2_integers x x'.
Lemma total_cost_ge (c : Z -> Z -> R) x x' : (forall a a', 0 <= c a a') -> 0 <= total_cost c x x'.
Proof. intros H; revert x'; induction x as [|a x IH]; intros [|a' x']; simpl; try lra; specialize (IH x'); specialize (H a a'); lra. Qed.
Lemma l1_plus x b x' b' : length x = length b -> length x = length x' -> length x = length b' ->
  l1_integers (plus x b) (plus x' b') <= l1_integers x x' + l1_integers b b'.
Proof.
  unfold l1_integers; revert b x' b'; induction x as [|a x IH]; intros [|c b] [|a' x'] [|c' b'] E1 E2 E3; try discriminate; simpl; [lra|].
  specialize (IH b x' b' ltac:(simpl in *; lia) ltac:(simpl in *; lia) ltac:(simpl in *; lia)); unfold plus in IH.
  assert (IZR (Z.abs (a + c - (a' + c'))) <= IZR (Z.abs (a - a')) + IZR (Z.abs (c - c'))) by (rewrite <- plus_IZR; apply IZR_le; lia). lra.
Qed.
Lemma l1_same x : l1_integers x x = 0.
Proof. unfold l1_integers; induction x as [|a x IH]; simpl; [auto|]; rewrite IH, Z.sub_diag; simpl; lra. Qed.
Lemma l1_sym x x' : l1_integers x x' = l1_integers x' x.
Proof. unfold l1_integers; revert x'; induction x as [|a x IH]; intros [|a' x']; simpl; auto; rewrite IH; do 2 f_equal; lia. Qed.
Lemma l1_bound x x' r : length x = length x' -> (forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= r) -> l1_integers x x' <= INR (length x) * r.
Proof.
  unfold l1_integers; revert x'; induction x as [|a x IH]; intros [|a' x'] E H; try discriminate; [simpl; lra|].
  cbn [total_cost]; change (length (a :: x)) with (S (length x)); rewrite S_INR.
  assert (IZR (Z.abs (a - a')) <= r) by (apply H; now left).
  assert (total_cost (fun x0 x'0 => IZR (Z.abs (x0 - x'0))) x x' <= INR (length x) * r) by (apply IH; [simpl in E; lia|]; intros; apply H; now right). lra.
Qed.

Definition sq (x x' : vec) : R := total_cost (fun a a' => (IZR a - IZR a') ^ 2) x x'.
Lemma sq_ge x x' : 0 <= sq x x'.
Proof. apply total_cost_ge; intros; apply pow2_ge_0. Qed.
Lemma l2_plus x b x' b' : length x = length b -> length x = length x' -> length x = length b' -> l2 (plus x b) (plus x' b') <= l2 x x' + l2 b b'.
Proof.
  intros E1 E2 E3; unfold l2, l2_integers; fold (sq (plus x b) (plus x' b')) (sq x x') (sq b b').
  assert (X : sq (plus x b) (plus x' b') <= (sqrt (sq x x') + sqrt (sq b b')) ^ 2).
  { revert b x' b' E1 E2 E3; unfold sq; induction x as [|a x IH]; intros [|c b] [|a' x'] [|c' b'] E1 E2 E3; try discriminate; cbn [total_cost plus combine map fst snd].
    - rewrite sqrt_0; simpl; lra.
    - specialize (IH b x' b' ltac:(simpl in *; lia) ltac:(simpl in *; lia) ltac:(simpl in *; lia)).
      change (map (fun p => (fst p + snd p)%Z) (combine x b)) with (plus x b); change (map (fun p => (fst p + snd p)%Z) (combine x' b')) with (plus x' b').
      fold (sq (plus x b) (plus x' b')) (sq x x') (sq b b') in *.
      pose proof (sq_ge x x') as P; pose proof (sq_ge b b') as Q.
      set (p := sq x x') in *; set (q := sq b b') in *.
      rewrite !plus_IZR; set (t := IZR a - IZR a'); set (u := IZR c - IZR c'); replace (IZR a + IZR c - (IZR a' + IZR c')) with (t + u) by (unfold t, u; ring).
      (* Cauchy and Schwarz, for two pairs of numbers *)
      assert (S1 := sqrt_sqrt p P); assert (S2 := sqrt_sqrt q Q).
      assert (A : 0 <= t ^ 2 + p) by (pose proof (pow2_ge_0 t); lra); assert (B : 0 <= u ^ 2 + q) by (pose proof (pow2_ge_0 u); lra).
      assert (S3 := sqrt_sqrt _ A); assert (S4 := sqrt_sqrt _ B).
      assert (CS : t * u + sqrt p * sqrt q <= sqrt (t ^ 2 + p) * sqrt (u ^ 2 + q)).
      { rewrite <- (sqrt_mult (t ^ 2 + p) (u ^ 2 + q)) by auto; apply Rle_trans with (Rabs (t * u + sqrt p * sqrt q)); [apply Rle_abs|].
        rewrite <- sqrt_Rsqr_abs; apply sqrt_le_1_alt; unfold Rsqr.
        assert (0 <= (t * sqrt q - u * sqrt p) ^ 2) by apply pow2_ge_0.
        replace ((t ^ 2 + p) * (u ^ 2 + q)) with ((t * u + sqrt p * sqrt q) * (t * u + sqrt p * sqrt q) + (t * sqrt q - u * sqrt p) ^ 2); [lra|].
        transitivity ((t ^ 2 + sqrt p * sqrt p) * (u ^ 2 + sqrt q * sqrt q)); [ring|now rewrite S1, S2]. }
      replace ((sqrt (t ^ 2 + p) + sqrt (u ^ 2 + q)) ^ 2) with (sqrt (t ^ 2 + p) * sqrt (t ^ 2 + p) + sqrt (u ^ 2 + q) * sqrt (u ^ 2 + q) + 2 * (sqrt (t ^ 2 + p) * sqrt (u ^ 2 + q))) by ring.
      replace ((sqrt p + sqrt q) ^ 2) with (sqrt p * sqrt p + sqrt q * sqrt q + 2 * (sqrt p * sqrt q)) in IH by ring.
      rewrite S1, S2 in IH; rewrite S3, S4; nra. }
  rewrite <- (sqrt_pow2 (sqrt (sq x x') + sqrt (sq b b'))) by (pose proof (sqrt_pos (sq x x')); pose proof (sqrt_pos (sq b b')); lra).
  now apply sqrt_le_1_alt.
Qed.
Lemma l2_same x : l2 x x = 0.
Proof.
  unfold l2, l2_integers; fold (sq x x); replace (sq x x) with 0; [apply sqrt_0|].
  unfold sq; induction x as [|a x IH]; cbn [total_cost]; [auto|rewrite <- IH; ring].
Qed.
Lemma l2_sym x x' : l2 x x' = l2 x' x.
Proof. unfold l2, l2_integers; f_equal; apply total_cost_sym; intros; ring. Qed.
Lemma l2_bound x x' r : 0 <= r -> length x = length x' -> (forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= r) -> l2 x x' <= sqrt (INR (length x)) * r.
Proof.
  intros Hr E H; assert (X : sq x x' <= INR (length x) * r ^ 2).
  { unfold sq; revert x' E H; induction x as [|a x IH]; intros [|a' x'] E H; try discriminate; [simpl; lra|].
    cbn [total_cost]; change (length (a :: x)) with (S (length x)); rewrite S_INR.
    assert (A : IZR (Z.abs (a - a')) <= r) by (apply H; now left).
    assert ((IZR a - IZR a') ^ 2 <= r ^ 2).
    { rewrite <- minus_IZR, <- pow2_abs; apply pow_incr; rewrite <- abs_IZR; split; auto; apply IZR_le; lia. }
    assert (total_cost (fun a0 a'0 => (IZR a0 - IZR a'0) ^ 2) x x' <= INR (length x) * r ^ 2) by (apply IH; [simpl in E; lia|]; intros; apply H; now right). lra. }
  unfold l2, l2_integers; fold (sq x x'); rewrite <- (sqrt_pow2 r) by auto; rewrite <- sqrt_mult by (auto using pos_INR; apply pow2_ge_0).
  now apply sqrt_le_1_alt.
Qed.

(** Streams with at most [d] places that differ, of items whose numbers differ by at most [range]. *)
Section Mechanism.
Context {V : Type} (width levels horizon d : nat) (s range : R) (Hs : 0 < s) (Hr : 0 <= range).
Fixpoint apart (d : nat) (a : giver V) : Prop :=
  match a with
  | ended _ => True
  | tossed T P next => forall t, apart d (next t)
  | give x x' next => length x = width /\ length x' = width /\
      ((x = x' /\ forall y, apart d (next y)) \/
       ((forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= range) /\ match d with O => False | S d' => forall y, apart d' (next y) end))
  end.
Lemma apart_near norm U : (forall x x', length x = width -> length x' = width -> (forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= range) -> norm x x' <= U) ->
  forall a m, apart m a -> near width norm U m a.
Proof.
  intros HU; induction a as [v|T P next IH|x x' next IH]; intros m H; simpl in *; auto.
  destruct H as (Lx & Lx' & [[E H]|[H H']]); repeat split; auto; right; split; auto; destruct m; auto.
Qed.

(** The loss: computed exactly, and rounded up once. *)
Definition laplace_loss := up (INR d * range / s * (INR levels * INR width)).
Definition gaussian_loss := let ratio := INR d * range / s in up (ratio * ratio / 2 * (INR levels * INR width)).

Definition noisy_laplace : vec -> dist vec := laplace.integers s Hs.
Definition noisy_gaussian : vec -> dist vec := gaussian.integers s Hs.

Theorem make_tree_aggregation_max_divergence a : apart d a ->
  max_divergence laplace_loss (play noisy_laplace a horizon (empty levels width) false) (play noisy_laplace a horizon (empty levels width) true).
Proof.
  intros Ha; set (U := INR width * range).
  assert (U0 : 0 <= U) by (apply Rmult_le_pos; auto using pos_INR).
  assert (Hn : near width l1_integers U d a).
  { apply apart_near; auto; intros x x' Lx Lx' H; unfold U; rewrite <- Lx; apply l1_bound; [congruence|auto]. }
  assert (I : 0 < / s) by now apply Rinv_0_lt_compat.
  assert (G : max_divergence (/ s * (still l1_integers (empty levels width) (empty levels width) + INR d * (INR levels * U)))
    (play noisy_laplace a horizon (empty levels width) false) (play noisy_laplace a horizon (empty levels width) true)).
  { apply (play_close noisy_laplace width l1_integers U (fun x x' => total_cost_ge _ x x' (fun a a' => IZR_le 0 _ (Z.abs_nonneg (a - a')))) l1_same) with (D := fun W => @max_divergence W) (M := INR d * U); auto using empty_paired.
    - intros; apply l1_plus; congruence.
    - lra.
    - intros W r P H; split; apply close_same; lra.
    - intros W r r' P Q H [A B]; split; (eapply close_mono; [exact H|apply Rle_refl|auto]).
    - intros W C r r' P P' K K' H [A B] HK; split; rewrite <- (Rplus_0_l 0); apply adaptive_composition; try lra; auto; intros c; apply HK.
    - assert (Y : forall v v', length v = length v' -> close (/ s * l1_integers v v') 0 (noisy_laplace v) (noisy_laplace v')).
      { intros v v' L; replace (/ s * l1_integers v v') with (total_cost (fun x x' => IZR (Z.abs (x - x')) / s) v v').
        - apply each_close; auto; intros; apply discrete_laplace_private.
        - rewrite (total_cost_scal _ (fun x x' => IZR (Z.abs (x - x'))) s) by auto; unfold l1_integers, Rdiv; ring. }
      intros v v' L _; split; [now apply Y|]; rewrite l1_sym; now apply Y.
    - apply repeat_length.
    - destruct (empty_mass l1_integers levels width) as [-> _]; lra. }
  destruct (empty_mass l1_integers levels width) as [_ Z]; rewrite Z, Rplus_0_l in G.
  assert (Le : / s * (INR d * (INR levels * U)) <= laplace_loss).
  { unfold laplace_loss, U.
    replace (/ s * (INR d * (INR levels * (INR width * range)))) with (INR d * range / s * (INR levels * INR width)) by (field; lra).
    apply up_ge. }
  destruct G as [G1 G2]; split; (eapply close_mono; [exact Le|apply Rle_refl|auto]).
Qed.

Theorem make_tree_aggregation_zero_concentrated a : apart d a ->
  zero_concentrated gaussian_loss (play noisy_gaussian a horizon (empty levels width) false) (play noisy_gaussian a horizon (empty levels width) true).
Proof.
  intros Ha; set (U := sqrt (INR width) * range).
  assert (U0 : 0 <= U) by (apply Rmult_le_pos; auto; apply sqrt_pos).
  assert (Hn : near width l2 U d a).
  { apply apart_near; auto; intros x x' Lx Lx' H; unfold U; rewrite <- Lx; apply l2_bound; auto; congruence. }
  set (M := INR d * U); assert (M0 : 0 <= M) by (apply Rmult_le_pos; auto using pos_INR).
  assert (I : 0 < / (2 * (s * s))) by (apply Rinv_0_lt_compat; nra).
  assert (G : zero_concentrated (M * / (2 * (s * s)) * (still l2 (empty levels width) (empty levels width) + INR d * (INR levels * U)))
    (play noisy_gaussian a horizon (empty levels width) false) (play noisy_gaussian a horizon (empty levels width) true)).
  { apply (play_close noisy_gaussian width l2 U (fun x x' => sqrt_pos _) l2_same) with (D := fun W => @zero_concentrated W) (M := M); auto using empty_paired.
    - intros; apply l2_plus; congruence.
    - apply Rmult_le_pos; lra.
    - intros W r P H; split; now apply zCDP_same.
    - intros W r r' P Q H [A B]; split; now apply zCDP_mono with r.
    - intros W C r r' P P' K K' H [A B] HK; split; apply zCDP_adaptive_composition; auto; intros c; apply HK.
    - assert (Y : forall v v', length v = length v' -> l2 v v' <= M -> zCDP (M * / (2 * (s * s)) * l2 v v') (noisy_gaussian v) (noisy_gaussian v')).
      { intros v v' L HM; apply zCDP_mono with (total_cost (fun x x' => (IZR x - IZR x') ^ 2 / (2 * (s * s))) v v').
        - rewrite (total_cost_scal _ (fun x x' => (IZR x - IZR x') ^ 2) (2 * (s * s))) by auto.
          fold (sq v v'); rewrite <- (sqrt_sqrt (sq v v') (sq_ge v v')); change (sqrt (sq v v')) with (l2 v v').
          assert (0 <= l2 v v') by apply sqrt_pos; assert (l2 v v' * l2 v v' <= M * l2 v v') by (apply Rmult_le_compat_r; auto).
          unfold Rdiv; apply Rmult_le_compat_r with (r := / (2 * (s * s))) in H0; lra.
        - apply (each_zCDP (dgauss s Hs) _ (dgauss_zCDP s Hs)); auto. }
      intros v v' L HM; split; [now apply Y|]; rewrite l2_sym; apply Y; auto; now rewrite l2_sym.
    - apply repeat_length.
    - destruct (empty_mass l2 levels width) as [-> _]; unfold M; lra. }
  destruct (empty_mass l2 levels width) as [_ Z]; rewrite Z, Rplus_0_l in G.
  assert (Le : M * / (2 * (s * s)) * (INR d * (INR levels * U)) <= gaussian_loss).
  { unfold gaussian_loss, M, U; pose proof (sqrt_sqrt (INR width) (pos_INR width)) as W.
    replace (INR d * (sqrt (INR width) * range) * / (2 * (s * s)) * (INR d * (INR levels * (sqrt (INR width) * range))))
      with (INR d * range / s * (INR d * range / s) / 2 * (INR levels * (sqrt (INR width) * sqrt (INR width)))) by (field; lra).
    rewrite W; apply up_ge. }
  destruct G as [G1 G2]; split; (eapply zCDP_mono; [exact Le|auto]).
Qed.
End Mechanism.
