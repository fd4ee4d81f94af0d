(** Numbers whose digits are drawn on demand: what is decided from as many as it takes is what all of them would decide. *)
Require Import Reals Lra Psatz ZArith Lia Bool.
From Flocq Require Import Core.Core.
Open Scope R_scope.

(** The first [n] binary digits, as an integer, and the ends of the interval that they leave: [LazyUniform]. *)
Fixpoint digits (u : nat -> bool) (n : nat) : Z :=
  match n with O => 0 | S m => 2 * digits u m + Z.b2z (u m) end.
Definition low u n : R := IZR (digits u n) / 2 ^ n.
Definition high u n : R := IZR (digits u n + 1) / 2 ^ n.

Lemma two_pow n : 0 < 2 ^ n. Proof. apply pow_lt; lra. Qed.
Lemma narrower u n : low u n <= low u (S n) /\ high u (S n) <= high u n.
Proof.
  unfold low, high; pose proof (two_pow n); cbn [digits]; replace (2 ^ S n) with (2 * 2 ^ n) by (simpl; ring).
  assert (A : forall a b, IZR a <= b -> IZR a / (2 * 2 ^ n) <= b / (2 * 2 ^ n)).
  { intros; apply Rmult_le_compat_r; auto; left; apply Rinv_0_lt_compat; lra. }
  assert (B : forall a, a / 2 ^ n = (2 * a) / (2 * 2 ^ n)) by (intros; field; lra).
  rewrite !B; split.
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]; rewrite <- mult_IZR; apply IZR_le; destruct (u n); simpl Z.b2z; lia.
  - apply A; rewrite <- mult_IZR; apply IZR_le; destruct (u n); simpl Z.b2z; lia.
Qed.
Lemma narrower_by u n m : (n <= m)%nat -> low u n <= low u m /\ high u m <= high u n.
Proof.
  induction 1 as [|m L [IH1 IH2]]; [split; lra|]; destruct (narrower u m); split; lra.
Qed.
Lemma low_high u n : low u n < high u n.
Proof. unfold low, high; apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, two_pow|apply IZR_lt; lia]. Qed.

(** The number itself: the one in all the intervals. *)
Definition is_number u z := forall n, low u n <= z <= high u n.

Theorem number_exists u : exists z, is_number u z.
Proof.
  assert (X : forall n m, low u n <= high u m).
  { intros n m; destruct (Nat.le_gt_cases n m) as [L|L].
    - pose proof (narrower_by u n m L); pose proof (low_high u m); lra.
    - pose proof (narrower_by u m n ltac:(lia)); pose proof (low_high u n); lra. }
  destruct (completeness (fun x => exists n, x = low u n)) as [z [Z1 Z2]].
  - exists (high u O); intros x [n ->]; apply X.
  - exists (low u O), O; auto.
  - exists z; intros n; split; [apply Z1; eauto|apply Z2; intros x [m ->]; apply X].
Qed.

(** The loop: a decision from the digits there are, or more of them, as many as [schedule] says. *)
Section Loop.
Context {D : Type} (decide : Z -> nat -> option D) (schedule : nat -> nat).

Fixpoint loop (u : nat -> bool) (fuel k : nat) : option (D * nat) :=
  match fuel with
  | O => None
  | S fuel => match decide (digits u (schedule k)) (schedule k) with
              | Some d => Some (d, schedule k)
              | None => loop u fuel (S k)
              end
  end.

(** A decision that is the same for all points of the interval is that of the number. *)
Theorem loop_decides (f : R -> D) u z : is_number u z ->
  (forall n d, decide (digits u n) n = Some d -> forall x, low u n <= x <= high u n -> f x = d) ->
  forall fuel k d n, loop u fuel k = Some (d, n) -> f z = d.
Proof.
  intros Z S fuel; induction fuel as [|fuel IH]; intros k d n; simpl; [discriminate|].
  destruct (decide _ _) eqn:E; [|apply IH]; intros [= <- <-]; now apply (S (schedule k)).
Qed.

Lemma digits_same u v n : (forall i, (i < n)%nat -> u i = v i) -> digits u n = digits v n.
Proof. induction n as [|n IH]; intros H; auto; cbn [digits]; rewrite IH, H; auto; intros; apply H; lia. Qed.

(** Whatever digits are drawn later, the decision stands: they are as fair, and as independent, as before. *)
Theorem rest_is_free (mono : forall k, (schedule k <= schedule (S k))%nat) u v fuel k d n :
  loop u fuel k = Some (d, n) -> (forall i, (i < n)%nat -> u i = v i) -> loop v fuel k = Some (d, n).
Proof.
  assert (M : forall fuel k d n, loop u fuel k = Some (d, n) -> (schedule k <= n)%nat).
  { intros fuel'; induction fuel' as [|fuel' IH]; intros k' d' n'; simpl; [discriminate|].
    destruct (decide _ _); [intros [= <- <-]; lia|]; intros H; apply IH in H; specialize (mono k'); lia. }
  revert k d n; induction fuel as [|fuel IH]; intros k d n; [discriminate|]; intros H A.
  pose proof (M (S fuel) k d n H) as L; simpl in H |- *.
  rewrite <- (digits_same u v (schedule k)) by (intros; apply A; lia).
  destruct (decide _ _); auto.
Qed.
End Loop.

(** So two ways to draw digits, a word first or one by one, decide alike. *)
Theorem schedules_agree {D} decide decide' s s' (f : R -> D) u :
  (forall n d, decide (digits u n) n = Some d -> forall x, low u n <= x <= high u n -> f x = d) ->
  (forall n d, decide' (digits u n) n = Some d -> forall x, low u n <= x <= high u n -> f x = d) ->
  forall fuel fuel' k k' d d' n n',
  loop decide s u fuel k = Some (d, n) -> loop decide' s' u fuel' k' = Some (d', n') -> d = d'.
Proof.
  intros H H' fuel fuel' k k' d d' n n' L L'; destruct (number_exists u) as [z Z].
  now rewrite <- (loop_decides decide s f u z Z H _ _ _ _ L), <- (loop_decides decide' s' f u z Z H' _ _ _ _ L').
Qed.

(** [floor_of]: the integer part of [a + b z], once both ends have the same. *)
Definition floor_decides (a b : R) (ds : Z) (n : nat) : option Z :=
  let floor := fun x => Zfloor (a + b * x) in
  let l := floor (IZR ds / 2 ^ n) in let h := floor (IZR (ds + 1) / 2 ^ n) in
  if Z.eq_dec l h then Some l else None.

Theorem floor_of a b u z : is_number u z -> forall schedule fuel k d n,
  loop (floor_decides a b) schedule u fuel k = Some (d, n) -> d = Zfloor (a + b * z).
Proof.
  intros N schedule fuel k d n L; symmetry; revert L; apply (loop_decides _ _ (fun z => Zfloor (a + b * z)) u z N).
  clear; intros n d; unfold floor_decides; fold (low u n) (high u n).
  destruct (Z.eq_dec _ _) as [E|]; [|discriminate]; intros H x Hx; injection H as <-.
  destruct (Rle_dec 0 b) as [B|B].
  - assert (A1 : a + b * low u n <= a + b * x) by (apply Rplus_le_compat_l, Rmult_le_compat_l; lra).
    assert (A2 : a + b * x <= a + b * high u n) by (apply Rplus_le_compat_l, Rmult_le_compat_l; lra).
    apply Zfloor_le in A1; apply Zfloor_le in A2; lia.
  - assert (A1 : a + b * high u n <= a + b * x) by nra.
    assert (A2 : a + b * x <= a + b * low u n) by nra.
    apply Zfloor_le in A1; apply Zfloor_le in A2; lia.
Qed.

(** [nearest_multiple]: with [a = y / unit + 1/2], the multiple is at most half a unit away. *)
Theorem nearest_multiple unit y : 0 < unit -> Rabs (unit * IZR (Zfloor (y / unit + / 2)) - y) <= unit / 2.
Proof.
  intros U; set (w := y / unit).
  assert (E : y = unit * w) by (unfold w, Rdiv; rewrite (Rmult_comm y), <- Rmult_assoc, Rinv_r, Rmult_1_l; lra).
  pose proof (Zfloor_lb (w + / 2)) as L; pose proof (Zfloor_ub (w + / 2)) as H.
  rewrite E; generalize dependent (IZR (Zfloor (w + / 2))); intros f L H.
  apply Rabs_le; split; nra.
Qed.

(** [is_below_exp]: two numbers, and bounds on the exponential that may be as rough as they like. *)
Section Below.
Variables (x : R -> R) (rising : forall a b, a <= b -> x a <= x b).
Variables (down up : nat -> R -> R) (below : forall n t, down n t <= exp t) (above : forall n t, exp t <= up n t).

Fixpoint below_exp (of_v of_l : nat -> nat) (v l : nat -> bool) (fuel k : nat) : option bool :=
  match fuel with
  | O => None
  | S fuel =>
      if Rle_dec (high v (of_v k)) (down k (- x (high l (of_l k)))) then Some true
      else if Rle_dec (up k (- x (low l (of_l k)))) (low v (of_v k)) then Some false
      else below_exp of_v of_l v l fuel (S k)
  end.

Theorem is_below_exp v l V L : is_number v V -> is_number l L -> forall of_v of_l fuel k answer,
  below_exp of_v of_l v l fuel k = Some answer -> if answer then V <= exp (- x L) else exp (- x L) <= V.
Proof.
  intros HV HL of_v of_l fuel; induction fuel as [|fuel IH]; intros k answer; simpl; [discriminate|].
  assert (M : forall a b, a <= b -> exp a <= exp b) by (intros a b [H| ->]; [left; now apply exp_increasing|lra]).
  specialize (HV (of_v k)); specialize (HL (of_l k)).
  destruct (Rle_dec (high v _) _) as [H|_]; [|destruct (Rle_dec (up _ _) _) as [H|_]; [|apply IH]]; intros [= <-].
  - pose proof (below k (- x (high l (of_l k)))).
    pose proof (M _ _ (Ropp_le_contravar _ _ (rising L (high l (of_l k)) ltac:(lra)))); lra.
  - pose proof (above k (- x (low l (of_l k)))).
    pose proof (M _ _ (Ropp_le_contravar _ _ (rising (low l (of_l k)) L ltac:(lra)))); lra.
Qed.
End Below.
