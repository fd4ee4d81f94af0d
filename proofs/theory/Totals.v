(** Sums over the rows of a dataset, in one number or in a vector of numbers, and how far they move. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Dataset.
Import ListNotations.
Open Scope R_scope.

Notation vector := (nat -> R).
Definition vplus (u v : vector) : vector := fun j => u j + v j.
Definition vminus (u v : vector) : vector := fun j => u j - v j.
Definition vzero : vector := fun _ => 0.

(** What the argument needs of a norm on vectors. *)
Record seminorm (N : vector -> R) := {
  norm_ext : forall u v, (forall j, u j = v j) -> N u = N v;
  norm_zero : N vzero = 0;
  norm_opp : forall u, N (fun j => - u j) = N u;
  norm_plus : forall u v, N (vplus u v) <= N u + N v }.

(** The first [n] entries in L1 and in L2. *)
Fixpoint l1 (n : nat) (u : vector) : R := match n with O => 0 | S m => l1 m u + Rabs (u m) end.
Fixpoint squares (n : nat) (u : vector) : R := match n with O => 0 | S m => squares m u + u m ^ 2 end.
Definition l2 (n : nat) (u : vector) : R := sqrt (squares n u).

Lemma l1_seminorm n : seminorm (l1 n).
Proof.
  split.
  - intros u v H; induction n; simpl; auto; now rewrite IHn, H.
  - induction n; simpl; auto; rewrite IHn; unfold vzero; rewrite Rabs_R0; ring.
  - intros u; induction n; simpl; auto; now rewrite IHn, Rabs_Ropp.
  - intros u v; induction n; simpl; [lra|]; unfold vplus at 2; pose proof (Rabs_triang (u n) (v n)); lra.
Qed.

Lemma squares_nonneg n u : 0 <= squares n u.
Proof. induction n; simpl; [lra|]; pose proof (pow2_ge_0 (u n)); simpl in *; lra. Qed.

(** Minkowski's inequality in the plane. *)
Lemma minkowski a b c d : 0 <= a -> 0 <= c ->
  sqrt ((a + c) ^ 2 + (b + d) ^ 2) <= sqrt (a ^ 2 + b ^ 2) + sqrt (c ^ 2 + d ^ 2).
Proof.
  intros Ha Hc.
  assert (P : 0 <= a ^ 2 + b ^ 2) by nra. assert (Q : 0 <= c ^ 2 + d ^ 2) by nra.
  set (p := sqrt (a ^ 2 + b ^ 2)); set (q := sqrt (c ^ 2 + d ^ 2)).
  assert (Hp : p * p = a ^ 2 + b ^ 2) by (apply sqrt_sqrt; auto).
  assert (Hq : q * q = c ^ 2 + d ^ 2) by (apply sqrt_sqrt; auto).
  assert (Pp : 0 <= p) by apply sqrt_pos. assert (Pq : 0 <= q) by apply sqrt_pos.
  assert (X : a * c + b * d <= p * q).
  { destruct (Rle_lt_dec (a * c + b * d) 0) as [L|L]; [nra|].
    apply Rsqr_incr_0_var; [|nra]; unfold Rsqr.
    replace (p * q * (p * q)) with ((p * p) * (q * q)) by ring; rewrite Hp, Hq.
    pose proof (pow2_ge_0 (a * d - b * c)); nra. }
  rewrite <- (sqrt_square (p + q)) by lra; apply sqrt_le_1_alt; nra.
Qed.

Lemma l2_step n u : l2 (S n) u = sqrt (l2 n u ^ 2 + u n ^ 2).
Proof.
  unfold l2; simpl squares; do 2 f_equal; simpl; rewrite Rmult_1_r; symmetry; apply sqrt_sqrt, squares_nonneg.
Qed.

Lemma l2_seminorm n : seminorm (l2 n).
Proof.
  split.
  - intros u v H; unfold l2; f_equal; induction n; simpl; auto; now rewrite IHn, H.
  - unfold l2; rewrite <- sqrt_0; f_equal; induction n; simpl; auto; rewrite IHn; unfold vzero; ring.
  - intros u; unfold l2; f_equal; induction n; cbn [squares]; auto; rewrite IHn; ring.
  - intros u v; induction n; [unfold l2; simpl; rewrite sqrt_0; lra|].
    rewrite !l2_step; eapply Rle_trans; [|apply minkowski; apply sqrt_pos].
    apply sqrt_le_1_alt; unfold vplus at 2.
    apply Rplus_le_compat_r, pow_incr; split; [apply sqrt_pos|exact IHn].
Qed.

(** The greatest entry, if one is positive; the greatest size of one; the greatest rise and the greatest fall together. *)
Fixpoint rise (n : nat) (u : vector) : R := match n with O => 0 | S m => Rmax (rise m u) (u m) end.
Fixpoint linf (n : nat) (u : vector) : R := match n with O => 0 | S m => Rmax (linf m u) (Rabs (u m)) end.
Definition span (n : nat) (u : vector) : R := rise n u + rise n (fun j => - u j).

Lemma rise_ext n u v : (forall j, u j = v j) -> rise n u = rise n v.
Proof. intros H; induction n; simpl; auto; now rewrite IHn, H. Qed.
Lemma rise_nonneg n u : 0 <= rise n u.
Proof. induction n; simpl; [lra|]; eapply Rle_trans; [exact IHn|apply Rmax_l]. Qed.
Lemma rise_le n u c : 0 <= c -> (forall j, u j <= c) -> rise n u <= c.
Proof. intros Hc H; induction n; simpl; auto; now apply Rmax_lub. Qed.
Lemma rise_plus n u v : rise n (vplus u v) <= rise n u + rise n v.
Proof.
  induction n; simpl; [lra|]; unfold vplus at 2.
  pose proof (Rmax_l (rise n u) (u n)); pose proof (Rmax_r (rise n u) (u n)).
  pose proof (Rmax_l (rise n v) (v n)); pose proof (Rmax_r (rise n v) (v n)); apply Rmax_lub; lra.
Qed.

Lemma linf_le n u c : 0 <= c -> (forall j, Rabs (u j) <= c) -> linf n u <= c.
Proof. intros Hc H; induction n; simpl; auto; now apply Rmax_lub. Qed.
Lemma linf_seminorm n : seminorm (linf n).
Proof.
  split.
  - intros u v H; induction n; simpl; auto; now rewrite IHn, H.
  - induction n; simpl; auto; rewrite IHn; unfold vzero; rewrite Rabs_R0; apply Rmax_left; lra.
  - intros u; induction n; simpl; auto; now rewrite IHn, Rabs_Ropp.
  - intros u v; induction n; simpl; [lra|]; unfold vplus at 2; pose proof (Rabs_triang (u n) (v n)).
    pose proof (Rmax_l (linf n u) (Rabs (u n))); pose proof (Rmax_r (linf n u) (Rabs (u n))).
    pose proof (Rmax_l (linf n v) (Rabs (v n))); pose proof (Rmax_r (linf n v) (Rabs (v n))); apply Rmax_lub; lra.
Qed.

Lemma span_seminorm n : seminorm (span n).
Proof.
  split; unfold span.
  - intros u v H; f_equal; apply rise_ext; auto; intros j; now rewrite H.
  - assert (E : forall u, (forall j, u j = 0) -> rise n u = 0).
    { intros u H; apply Rle_antisym; [|apply rise_nonneg]; apply rise_le; [lra|]; intros j; rewrite H; lra. }
    rewrite !E; [lra|..]; intros j; unfold vzero; ring.
  - intros u; rewrite (rise_ext n (fun j => - - u j) u) by (intros j; ring); ring.
  - intros u v; rewrite (rise_ext n (fun j => - vplus u v j) (vplus (fun j => - u j) (fun j => - v j))) by
      (intros j; unfold vplus; ring).
    pose proof (rise_plus n u v); pose proof (rise_plus n (fun j => - u j) (fun j => - v j)); lra.
Qed.

Lemma seminorm_nonneg N : seminorm N -> forall u, 0 <= N u.
Proof.
  intros H u; pose proof (norm_plus N H u (fun j => - u j)) as P.
  rewrite (norm_opp N H u), (norm_ext N H _ vzero), (norm_zero N H) in P by (intros j; unfold vplus, vzero; ring); lra.
Qed.

(** ** Distances

    L1, L2 and the greatest size are defined once, above: [l1], [l2] and [linf] of the first [n] entries of a vector.  A list
    is the vector of its entries, so that two lists of one length are as far apart as these norms say of the difference of
    their vectors; integers are measured as the reals that they are, and maps in [keys] by the vector of their difference. *)
Definition entries (l : list R) : vector := fun j => nth j l 0.
Definition distance (N : nat -> vector -> R) (xs ys : list R) : R := N (length xs) (vminus (entries xs) (entries ys)).

(** The first entry apart from the others, so that lists can be taken in their own order. *)
Lemma l1_cons n u : l1 (S n) u = Rabs (u O) + l1 n (fun j => u (S j)).
Proof.
  induction n as [|n IH]; [simpl; ring|].
  change (l1 (S (S n)) u) with (l1 (S n) u + Rabs (u (S n))); rewrite IH; cbn [l1]; ring.
Qed.
Lemma squares_cons n u : squares (S n) u = u O ^ 2 + squares n (fun j => u (S j)).
Proof.
  induction n as [|n IH]; [cbn [squares]; ring|].
  change (squares (S (S n)) u) with (squares (S n) u + u (S n) ^ 2); rewrite IH; cbn [squares]; ring.
Qed.
Lemma distance_l1_cons x y xs ys : distance l1 (x :: xs) (y :: ys) = Rabs (x - y) + distance l1 xs ys.
Proof. unfold distance; cbn [length]; now rewrite l1_cons. Qed.
Lemma distance_squares_cons x y xs ys : distance squares (x :: xs) (y :: ys) = (x - y) ^ 2 + distance squares xs ys.
Proof. unfold distance; cbn [length]; now rewrite squares_cons. Qed.
Lemma distance_l2 xs ys : distance l2 xs ys = sqrt (distance squares xs ys).
Proof. reflexivity. Qed.

(** A single number is a list of one. *)
Lemma distance_l1_single x y : distance l1 [x] [y] = Rabs (x - y).
Proof. rewrite distance_l1_cons; unfold distance; simpl; ring. Qed.
Lemma distance_l2_single x y : distance l2 [x] [y] = Rabs (x - y).
Proof.
  rewrite distance_l2, distance_squares_cons; unfold distance; cbn [length squares].
  rewrite Rplus_0_r, <- Rsqr_pow2; apply sqrt_Rsqr_abs.
Qed.

Section Distance.
Context (N : nat -> vector -> R) (HN : forall n, seminorm (N n)).
Lemma distance_nonneg xs ys : 0 <= distance N xs ys.
Proof. exact (seminorm_nonneg _ (HN _) _). Qed.
Lemma distance_same xs : distance N xs xs = 0.
Proof.
  unfold distance; rewrite (norm_ext _ (HN _) _ vzero); [apply norm_zero, HN|].
  intros j; unfold vminus, vzero; ring.
Qed.
Lemma distance_sym xs ys : length xs = length ys -> distance N xs ys = distance N ys xs.
Proof.
  intros E; unfold distance; rewrite E, <- (norm_opp _ (HN _)); apply (norm_ext _ (HN _)); intros j; unfold vminus; ring.
Qed.
End Distance.

(** A vector's first entries as a list. *)
Lemma l1_below n u v : (forall j, (j < n)%nat -> u j = v j) -> l1 n u = l1 n v.
Proof. induction n as [|n IH]; intros H; [reflexivity|]; cbn [l1]; rewrite IH, H; auto; intros; apply H; lia. Qed.
Lemma squares_below n u v : (forall j, (j < n)%nat -> u j = v j) -> squares n u = squares n v.
Proof. induction n as [|n IH]; intros H; [reflexivity|]; cbn [squares]; rewrite IH, H; auto; intros; apply H; lia. Qed.
Definition listed (n : nat) (u : vector) : list R := map u (seq 0 n).
Lemma listed_length n u : length (listed n u) = n.
Proof. unfold listed; now rewrite map_length, seq_length. Qed.
Lemma entries_listed n u j : (j < n)%nat -> entries (listed n u) j = u j.
Proof.
  intros J; unfold entries, listed; rewrite (nth_indep _ 0 (u O)) by (now rewrite map_length, seq_length).
  now rewrite map_nth, seq_nth.
Qed.
Theorem l1_listed n u v : distance l1 (listed n u) (listed n v) = l1 n (vminus u v).
Proof.
  unfold distance; rewrite listed_length; apply l1_below; intros j J; unfold vminus; now rewrite !entries_listed.
Qed.
Theorem l2_listed n u v : distance l2 (listed n u) (listed n v) = l2 n (vminus u v).
Proof.
  unfold distance, l2; rewrite listed_length; f_equal; apply squares_below; intros j J; unfold vminus.
  now rewrite !entries_listed.
Qed.

(** Entry by entry. *)
Lemma linf_ge n u j : (j < n)%nat -> Rabs (u j) <= linf n u.
Proof.
  induction n as [|n IH]; intros J; [lia|]; cbn [linf]; destruct (Nat.eq_dec j n) as [->|D]; [apply Rmax_r|].
  eapply Rle_trans; [apply IH; lia|apply Rmax_l].
Qed.
Lemma l1_ge n u j : (j < n)%nat -> Rabs (u j) <= l1 n u.
Proof.
  induction n as [|n IH]; intros J; [lia|]; cbn [l1]; pose proof (seminorm_nonneg _ (l1_seminorm n) u).
  destruct (Nat.eq_dec j n) as [->|D]; [lra|]; pose proof (Rabs_pos (u n)); specialize (IH ltac:(lia)); lra.
Qed.
Lemma l1_le n u r : (forall j, (j < n)%nat -> Rabs (u j) <= r) -> l1 n u <= INR n * r.
Proof.
  induction n as [|n IH]; intros H; [simpl; lra|]; rewrite S_INR; cbn [l1].
  pose proof (H n ltac:(lia)); assert (l1 n u <= INR n * r) by (apply IH; intros; apply H; lia); lra.
Qed.
Lemma squares_le n u r : (forall j, (j < n)%nat -> Rabs (u j) <= r) -> squares n u <= INR n * r ^ 2.
Proof.
  induction n as [|n IH]; intros H; [simpl; lra|]; rewrite S_INR; cbn [squares].
  assert (u n ^ 2 <= r ^ 2) by (rewrite <- pow2_abs; apply pow_incr; split; [apply Rabs_pos|apply H; lia]).
  assert (squares n u <= INR n * r ^ 2) by (apply IH; intros; apply H; lia); lra.
Qed.
Lemma l2_le n u r : 0 <= r -> (forall j, (j < n)%nat -> Rabs (u j) <= r) -> l2 n u <= sqrt (INR n) * r.
Proof.
  intros Hr H; unfold l2; rewrite <- (sqrt_pow2 r) by auto; rewrite <- sqrt_mult by (auto using pos_INR; apply pow2_ge_0).
  now apply sqrt_le_1_alt, squares_le.
Qed.

Section Total.
Context {A : Type} (c : A -> vector) (N : vector -> R) (HN : seminorm N).

(** Every row contributes a vector. *)
Fixpoint total (x : list A) : vector := match x with [] => vzero | a :: x => vplus (c a) (total x) end.

Lemma total_app x y j : total (x ++ y) j = total x j + total y j.
Proof. induction x; simpl; unfold vplus, vzero; [ring|]; rewrite IHx; ring. Qed.
Lemma total_permutation x y : Permutation x y -> forall j, total x j = total y j.
Proof. induction 1; intros j; simpl; unfold vplus; rewrite ?IHPermutation; try ring; congruence. Qed.

Lemma norm_total x m : (forall a, In a x -> N (c a) <= m) -> N (total x) <= INR (length x) * m.
Proof.
  induction x as [|a x IH]; intros H.
  - simpl; rewrite (norm_zero N HN); lra.
  - cbn [total]; eapply Rle_trans; [apply norm_plus, HN|].
    assert (N (c a) <= m) by (apply H; now left).
    assert (N (total x) <= INR (length x) * m) by (apply IH; intros b Hb; apply H; now right).
    change (length (a :: x)) with (S (length x)); rewrite S_INR; lra.
Qed.

Lemma norm_pairs r s step : length r = length s ->
  (forall a b, In a r -> In b s -> N (vminus (c a) (c b)) <= step) ->
  N (vminus (total r) (total s)) <= INR (length r) * step.
Proof.
  revert s; induction r as [|a r IH]; intros [|b s] E H; try discriminate.
  - simpl; rewrite (norm_ext N HN _ vzero), (norm_zero N HN); [lra|]; intros j; unfold vminus, vzero; simpl; ring.
  - rewrite (norm_ext N HN _ (vplus (vminus (c a) (c b)) (vminus (total r) (total s)))) by
      (intros j; unfold vminus, vplus; simpl; unfold vplus; ring).
    eapply Rle_trans; [apply norm_plus, HN|].
    assert (N (vminus (c a) (c b)) <= step) by (apply H; now left).
    assert (N (vminus (total r) (total s)) <= INR (length r) * step).
    { apply IH; [now injection E|]; intros p q Hp Hq; apply H; now right. }
    change (length (a :: r)) with (S (length r)); rewrite S_INR; lra.
Qed.

Lemma common_cancels x y common removed added :
  Permutation x (removed ++ common) -> Permutation y (added ++ common) ->
  N (vminus (total x) (total y)) = N (vminus (total removed) (total added)).
Proof.
  intros Hx Hy; apply (norm_ext N HN); intros j; unfold vminus.
  rewrite (total_permutation _ _ Hx), (total_permutation _ _ Hy), !total_app; ring.
Qed.

Lemma norm_minus u v : N (vminus u v) <= N u + N v.
Proof.
  rewrite <- (norm_opp N HN v), (norm_ext N HN _ (vplus u (fun j => - v j))) by
    (intros j; unfold vminus, vplus; ring); apply norm_plus, HN.
Qed.

Lemma in_part {B} (x p q : list B) a : Permutation x (p ++ q) -> In a p -> In a x.
Proof.
  intros H I; apply (Permutation_in a (Permutation_sym H)), in_or_app; now left.
Qed.

(** Rows added or removed: each moves the total by at most what a row contributes. *)
Theorem symmetric_total d x y m : 0 <= m -> (forall a, In a x \/ In a y -> N (c a) <= m) ->
  symmetric d x y -> N (vminus (total x) (total y)) <= INR d * m.
Proof.
  intros Hm H (common & r & s & Hx & Hy & L); rewrite (common_cancels _ _ _ _ _ Hx Hy).
  eapply Rle_trans; [apply norm_minus|].
  assert (N (total r) <= INR (length r) * m) by (apply norm_total; intros a I; apply H; left; eapply in_part; eauto).
  assert (N (total s) <= INR (length s) * m) by (apply norm_total; intros a I; apply H; right; eapply in_part; eauto).
  apply le_INR in L; rewrite plus_INR in L; nra.
Qed.

(** Rows replaced: each moves the total by at most the difference of two contributions. *)
Theorem change_one_total d x y step : 0 <= step ->
  (forall a b, In a x -> In b y -> N (vminus (c a) (c b)) <= step) ->
  change_one d x y -> N (vminus (total x) (total y)) <= INR d * step.
Proof.
  intros Hs H (common & r & s & Hx & Hy & E & L); rewrite (common_cancels _ _ _ _ _ Hx Hy).
  eapply Rle_trans; [apply norm_pairs with (step := step); auto|].
  - intros a b Ha Hb; apply H; eapply in_part; eauto.
  - apply le_INR in L; nra.
Qed.

(** Rows added or removed between datasets of one size: half of them each way. *)
Theorem sized_total d x y step : 0 <= step -> length x = length y ->
  (forall a b, In a x -> In b y -> N (vminus (c a) (c b)) <= step) ->
  symmetric d x y -> N (vminus (total x) (total y)) <= INR (d / 2) * step.
Proof.
  intros Hs E H (common & r & s & Hx & Hy & L); apply change_one_total; auto.
  exists common, r, s; repeat split; auto.
  - apply Permutation_length in Hx, Hy; rewrite app_length in Hx, Hy; lia.
  - apply Nat.div_le_lower_bound; [lia|].
    apply Permutation_length in Hx, Hy; rewrite app_length in Hx, Hy; lia.
Qed.
End Total.
