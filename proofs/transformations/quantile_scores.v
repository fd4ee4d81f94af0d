(** [make_quantile_scores]: how close in rank each candidate is to a quantile. *)
Require Import Reals Lra Lia List Arith Sorted Bool.
From DP Require Import Dataset Totals Rounding Maps sum find_bin.
Import ListNotations.
Open Scope R_scope.

(** Numbers, infinities among them, in their order. *)
Section Scores.
Context {T : Type} (le : T -> T -> bool).
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Definition lt (a b : T) : bool := negb (le b a).
Variables (candidates : list T) (rising : StronglySorted (fun a b => lt a b = true) candidates).

(** [UNITS], and the level in units. *)
Definition units : nat := 2 ^ 16.
Opaque units.
Variables (level : nat) (Hlevel : (level <= units)%nat).

(** [Ranks]: how many rows each search puts at each position; rows below and above candidate [j], counted up and down. *)
Definition below_place (r : T) : nat := find_bin le candidates r.
Definition above_place (r : T) : nat := find_bin lt candidates r.
Definition rows_below (x : list T) (j : nat) : nat := length (filter (fun r => below_place r <=? j) x).
Definition rows_above (x : list T) (j : nat) : nat := length x - length (filter (fun r => above_place r <=? j) x).
Definition score (x : list T) (j : nat) : R :=
  - Rabs (INR (units - level) * INR (rows_below x j) - INR level * INR (rows_above x j)).

(** [Moves::distance]. *)
Definition quantile_map (M : row_metric) (sized : bool) (d : nat) : R :=
  match unit M with
  | AddOrRemove => if sized then moved (d / 2) (INR units) else moved d (INR (Nat.max level (units - level)))
  | Replace => moved d (INR units)
  end.

Lemma lt_le a b : lt a b = true -> le a b = true.
Proof. unfold lt; intros H; destruct (le_total a b) as [|E]; auto; rewrite E in H; discriminate. Qed.
Lemma lt_trans a b c : lt a b = true -> lt b c = true -> lt a c = true.
Proof.
  intros H G; apply lt_le in H as L; unfold lt in *; destruct (le c a) eqn:E; auto.
  rewrite (le_trans c a b E L) in G; discriminate.
Qed.
Lemma rising_le : StronglySorted (fun a b => le a b = true) candidates.
Proof.
  induction rising as [|a l S IH F]; constructor; auto; eapply Forall_impl; [|exact F]; intros b; apply lt_le.
Qed.

(** The searches count what they should. *)
Lemma below_correct j c r : nth_error candidates j = Some c -> (below_place r <=? j) = lt r c.
Proof.
  intros E; pose proof (find_bin_partition le le_trans candidates rising_le r j c E) as H; unfold lt, below_place.
  destruct (le c r), (Nat.leb_spec (find_bin le candidates r) j) as [L|L]; auto; simpl.
  - pose proof (proj1 H eq_refl); lia.
  - assert (X : false = true) by (apply H; lia); discriminate.
Qed.
Lemma above_correct j c r : nth_error candidates j = Some c -> (above_place r <=? j) = negb (lt c r).
Proof.
  intros E; pose proof (find_bin_partition lt lt_trans candidates rising r j c E) as H; unfold above_place.
  destruct (lt c r), (Nat.leb_spec (find_bin lt candidates r) j) as [L|L]; auto; simpl.
  - pose proof (proj1 H eq_refl); lia.
  - assert (X : false = true) by (apply H; lia); discriminate.
Qed.

(** What a row adds to the number between the bars. *)
Definition contribution (c r : T) : R := if lt r c then INR (units - level) else if lt c r then - INR level else 0.
Lemma filter_ext_length {A} (f g : A -> bool) l : (forall a, f a = g a) -> length (filter f l) = length (filter g l).
Proof. intros H; now rewrite (filter_ext f g H). Qed.

Lemma score_total x j c : nth_error candidates j = Some c ->
  score x j = - Rabs (total (fun r => number (contribution c r)) x O).
Proof.
  intros E; unfold score, rows_below, rows_above.
  rewrite (filter_ext_length _ _ x (fun r => below_correct j c r E)), (filter_ext_length _ _ x (fun r => above_correct j c r E)).
  do 2 f_equal.
  assert (F : (length x - length (filter (fun r => negb (lt c r)) x) = length (filter (fun r => lt c r) x))%nat).
  { induction x as [|r x IH]; [reflexivity|]; cbn [filter length].
    assert (length (filter (fun r => negb (lt c r)) x) <= length x)%nat by apply filter_length_le.
    destruct (lt c r); cbn [negb length]; lia. }
  rewrite F; clear F; induction x as [|r x IH]; [cbn [total filter length INR]; unfold vzero; ring|].
  cbn [total filter]; unfold vplus; rewrite <- IH; unfold number, contribution.
  destruct (lt r c) eqn:A, (lt c r) eqn:B; cbn [length]; rewrite ?S_INR; try ring.
  pose proof (lt_trans r c r A B) as I; unfold lt in I; destruct (le_total r r) as [G|G]; rewrite G in I; discriminate.
Qed.

Lemma units_split : INR (units - level) + INR level = INR units.
Proof. rewrite <- plus_INR; f_equal; lia. Qed.

Theorem make_quantile_scores_stable M (size : option nat) d x y :
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M d x y ->
  linf (length candidates) (fun j => score x j - score y j) <= quantile_map M (if size then true else false) d.
Proof.
  intros Hs H; apply apart_unit in H.
  assert (Q : forall j c, nth_error candidates j = Some c ->
    Rabs (score x j - score y j) <= quantile_map M (if size then true else false) d).
  { intros j c E; rewrite !(score_total _ j c E); set (t := fun r => number (contribution c r)).
    apply Rle_trans with (size0 (vminus (total t x) (total t y))).
    { unfold size0, vminus; rewrite <- (Rabs_Ropp (_ - _)).
      replace (- (- Rabs (total t x 0%nat) - - Rabs (total t y 0%nat)))
        with (Rabs (total t x 0%nat) - Rabs (total t y 0%nat)) by ring; apply Rabs_triang_inv2. }
    pose proof size0_seminorm as N; pose proof units_split as U; pose proof (pos_INR level); pose proof (pos_INR (units - level)).
    assert (S1 : forall r, size0 (t r) <= INR (Nat.max level (units - level))).
    { intros r; unfold size0, t, number, contribution.
      assert (INR level <= INR (Nat.max level (units - level))) by (apply le_INR; lia).
      assert (INR (units - level) <= INR (Nat.max level (units - level))) by (apply le_INR; lia).
      destruct (lt r c), (lt c r); rewrite ?Rabs_Ropp, ?Rabs_R0, ?Rabs_pos_eq by apply pos_INR; lra. }
    assert (S2 : forall r s, size0 (vminus (t r) (t s)) <= INR units).
    { intros r s; unfold size0, vminus, t, number, contribution.
      destruct (lt r c), (lt c r), (lt s c), (lt c s); apply Rabs_le; lra. }
    unfold quantile_map; destruct (unit M); [destruct size as [n|]|].
    - destruct (Hs n eq_refl) as [Ex Ey].
      eapply Rle_trans; [apply sized_total with (step := INR units); eauto using pos_INR; congruence|].
      apply moved_sound; split; [apply pos_INR|lra].
    - eapply Rle_trans; [apply symmetric_total with (m := INR (Nat.max level (units - level))); eauto using pos_INR|].
      apply moved_sound; split; [apply pos_INR|lra].
    - eapply Rle_trans; [apply change_one_total with (step := INR units); eauto using pos_INR|].
      apply moved_sound; split; [apply pos_INR|lra]. }
  assert (P : 0 <= quantile_map M (if size then true else false) d).
  { unfold quantile_map.
    assert (P : forall k s, 0 <= s -> 0 <= moved k s).
    { intros k s Hk; eapply Rle_trans; [|apply (moved_sound k s s); lra]; apply Rmult_le_pos; auto using pos_INR. }
    destruct (unit M); [destruct size|]; apply P, pos_INR. }
  assert (G : forall n, (n <= length candidates)%nat ->
    linf n (fun j => score x j - score y j) <= quantile_map M (if size then true else false) d); [|now apply G].
  induction n as [|n IH]; cbn [linf]; intros L; auto; apply Rmax_lub; [apply IH; lia|].
  destruct (nth_error candidates n) as [c|] eqn:E; [now apply Q with c|apply nth_error_None in E; lia].
Qed.
End Scores.
