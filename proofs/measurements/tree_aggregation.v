(** [make_tree_aggregation]: a noisy sum of each completed block of a stream, whoever gives its items. *)
Require Import Reals Lra Psatz Lia ZArith List.
From DP Require Import Expect Approx DualRenyi DiscreteLaplace DiscreteGaussian PureToZCDP Measures Rounding Totals laplace gaussian Interaction.
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

(** L1 and L2 of integers. *)
Definition l1_apart (x x' : vec) : R := distance l1 (map IZR x) (map IZR x').
Definition l2_apart (x x' : vec) : R := distance l2 (map IZR x) (map IZR x').

Lemma entries_plus x b : length x = length b -> forall j,
  entries (map IZR (plus x b)) j = entries (map IZR x) j + entries (map IZR b) j.
Proof.
  unfold entries, plus; revert b; induction x as [|a x IH]; intros [|c b] E j; try discriminate; [destruct j; simpl; ring|].
  destruct j as [|j]; simpl; [apply plus_IZR|apply IH; now injection E].
Qed.
Lemma distance_plus N x b x' b' : (forall n, seminorm (N n)) ->
  length x = length b -> length x = length x' -> length x = length b' ->
  distance N (map IZR (plus x b)) (map IZR (plus x' b')) <=
  distance N (map IZR x) (map IZR x') + distance N (map IZR b) (map IZR b').
Proof.
  intros HN E1 E2 E3; unfold distance; rewrite !map_length.
  replace (length (plus x b)) with (length x) by (unfold plus; rewrite map_length, combine_length; lia).
  rewrite <- E1; eapply Rle_trans; [|apply (norm_plus _ (HN _))]; right; apply (norm_ext _ (HN _)).
  intros j; unfold vminus, vplus; rewrite !entries_plus by congruence; ring.
Qed.
Lemma entries_apart x x' r : length x = length x' -> (forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= r) ->
  forall j, (j < length x)%nat -> Rabs (vminus (entries (map IZR x)) (entries (map IZR x')) j) <= r.
Proof.
  unfold vminus, entries; revert x'; induction x as [|a x IH]; intros [|a' x'] E H j J; simpl in J; try lia; try discriminate.
  destruct j as [|j]; simpl.
  - rewrite <- minus_IZR, <- abs_IZR; apply H; now left.
  - apply IH; [now injection E| |lia]; intros c c' I; apply H; now right.
Qed.
Lemma l1_bound x x' r : length x = length x' -> (forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= r) ->
  l1_apart x x' <= INR (length x) * r.
Proof. intros E H; unfold l1_apart, distance; rewrite map_length; now apply l1_le, entries_apart. Qed.
Lemma l2_bound x x' r : 0 <= r -> length x = length x' -> (forall a a', In (a, a') (combine x x') -> IZR (Z.abs (a - a')) <= r) ->
  l2_apart x x' <= sqrt (INR (length x)) * r.
Proof. intros Hr E H; unfold l2_apart, distance; rewrite map_length; apply l2_le; auto; now apply entries_apart. Qed.

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
  assert (Hn : near width l1_apart U d a).
  { apply apart_near; auto; intros x x' Lx Lx' H; unfold U; rewrite <- Lx; apply l1_bound; [congruence|auto]. }
  assert (I : 0 < / s) by now apply Rinv_0_lt_compat.
  assert (G : max_divergence (/ s * (still l1_apart (empty levels width) (empty levels width) + INR d * (INR levels * U)))
    (play noisy_laplace a horizon (empty levels width) false) (play noisy_laplace a horizon (empty levels width) true)).
  { apply (play_close noisy_laplace width l1_apart U (fun x x' => distance_nonneg l1 l1_seminorm _ _) (fun x => distance_same l1 l1_seminorm _)) with (D := fun W => @max_divergence W) (M := INR d * U); auto using empty_paired.
    - intros; apply distance_plus; auto using l1_seminorm; congruence.
    - lra.
    - intros W r P H; split; apply close_same; lra.
    - intros W r r' P Q H [A B]; split; (eapply close_mono; [exact H|apply Rle_refl|auto]).
    - intros W C r r' P P' K K' H [A B] HK; split; rewrite <- (Rplus_0_l 0); apply adaptive_composition; try lra; auto; intros c; apply HK.
    - assert (Y : forall v v', length v = length v' -> close (/ s * l1_apart v v') 0 (noisy_laplace v) (noisy_laplace v')).
      { intros v v' L; replace (/ s * l1_apart v v') with (total_cost (fun x x' => IZR (Z.abs (x - x')) / s) v v').
        - apply each_close; auto; intros; apply discrete_laplace_private.
        - rewrite (total_cost_scal _ (fun x x' => IZR (Z.abs (x - x'))) s), total_cost_l1_integers by auto.
          unfold l1_apart, Rdiv; ring. }
      intros v v' L _; split; [now apply Y|].
      unfold l1_apart; rewrite distance_sym by (auto using l1_seminorm; now rewrite !map_length); now apply Y.
    - apply repeat_length.
    - destruct (empty_mass l1_apart levels width) as [-> _]; lra. }
  destruct (empty_mass l1_apart levels width) as [_ Z]; rewrite Z, Rplus_0_l in G.
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
  assert (Hn : near width l2_apart U d a).
  { apply apart_near; auto; intros x x' Lx Lx' H; unfold U; rewrite <- Lx; apply l2_bound; auto; congruence. }
  set (M := INR d * U); assert (M0 : 0 <= M) by (apply Rmult_le_pos; auto using pos_INR).
  assert (I : 0 < / (2 * (s * s))) by (apply Rinv_0_lt_compat; nra).
  assert (G : zero_concentrated (M * / (2 * (s * s)) * (still l2_apart (empty levels width) (empty levels width) + INR d * (INR levels * U)))
    (play noisy_gaussian a horizon (empty levels width) false) (play noisy_gaussian a horizon (empty levels width) true)).
  { apply (play_close noisy_gaussian width l2_apart U (fun x x' => distance_nonneg l2 l2_seminorm _ _) (fun x => distance_same l2 l2_seminorm _)) with (D := fun W => @zero_concentrated W) (M := M); auto using empty_paired.
    - intros; apply distance_plus; auto using l2_seminorm; congruence.
    - apply Rmult_le_pos; lra.
    - intros W r P H; split; now apply zCDP_same.
    - intros W r r' P Q H [A B]; split; now apply zCDP_mono with r.
    - intros W C r r' P P' K K' H [A B] HK; split; apply zCDP_adaptive_composition; auto; intros c; apply HK.
    - assert (Y : forall v v', length v = length v' -> l2_apart v v' <= M -> zCDP (M * / (2 * (s * s)) * l2_apart v v') (noisy_gaussian v) (noisy_gaussian v')).
      { intros v v' L HM; apply zCDP_mono with (total_cost (fun x x' => (IZR x - IZR x') ^ 2 / (2 * (s * s))) v v').
        - rewrite (total_cost_scal _ (fun x x' => (IZR x - IZR x') ^ 2) (2 * (s * s))), total_cost_squares_integers by auto.
          set (q := distance squares (map IZR v) (map IZR v')); assert (Q : 0 <= q) by apply squares_nonneg.
          rewrite <- (sqrt_sqrt q Q); change (sqrt q) with (l2_apart v v').
          assert (0 <= l2_apart v v') by apply sqrt_pos.
          assert (l2_apart v v' * l2_apart v v' <= M * l2_apart v v') by (apply Rmult_le_compat_r; auto).
          unfold Rdiv; apply Rmult_le_compat_r with (r := / (2 * (s * s))) in H0; lra.
        - apply (each_zCDP (dgauss s Hs) _ (dgauss_zCDP s Hs)); auto. }
      intros v v' L HM; assert (S : l2_apart v v' = l2_apart v' v).
      { apply distance_sym; [apply l2_seminorm|now rewrite !map_length]. }
      split; [now apply Y|]; rewrite S in HM |- *; now apply Y.
    - apply repeat_length.
    - destruct (empty_mass l2_apart levels width) as [-> _]; unfold M; lra. }
  destruct (empty_mass l2_apart levels width) as [_ Z]; rewrite Z, Rplus_0_l in G.
  assert (Le : M * / (2 * (s * s)) * (INR d * (INR levels * U)) <= gaussian_loss).
  { unfold gaussian_loss, M, U; pose proof (sqrt_sqrt (INR width) (pos_INR width)) as W.
    replace (INR d * (sqrt (INR width) * range) * / (2 * (s * s)) * (INR d * (INR levels * (sqrt (INR width) * range))))
      with (INR d * range / s * (INR d * range / s) / 2 * (INR levels * (sqrt (INR width) * sqrt (INR width)))) by (field; lra).
    rewrite W; apply up_ge. }
  destruct G as [G1 G2]; split; (eapply zCDP_mono; [exact Le|auto]).
Qed.
End Mechanism.
