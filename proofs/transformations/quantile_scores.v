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

(** [excess]: how many of [rows] are on one side, beyond the share [allowed] of all. *)
Definition excess (allowed side rows : nat) : R := INR (units - allowed) * INR side - INR allowed * INR (rows - side).
Definition score (x : list T) (j : nat) : R :=
  - Rmax 0 (Rmax (excess level (rows_below x j) (length x)) (excess (units - level) (rows_above x j) (length x))).

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

Lemma filter_ext_length {A} (f g : A -> bool) l : (forall a, f a = g a) -> length (filter f l) = length (filter g l).
Proof. intros H; now rewrite (filter_ext f g H). Qed.

Lemma rows_below_count x j c : nth_error candidates j = Some c ->
  rows_below x j = length (filter (fun r => lt r c) x).
Proof. intros E; unfold rows_below; apply filter_ext_length; intros r; now apply below_correct. Qed.
Lemma rows_above_count x j c : nth_error candidates j = Some c ->
  rows_above x j = length (filter (fun r => lt c r) x).
Proof.
  intros E; unfold rows_above; rewrite (filter_ext_length _ _ x (fun r => above_correct j c r E)).
  induction x as [|r x IH]; [reflexivity|]; cbn [filter length].
  assert (length (filter (fun r => negb (lt c r)) x) <= length x)%nat by apply filter_length_le.
  destruct (lt c r); cbn [negb length]; lia.
Qed.

(** What a row adds to an excess. *)
Definition contribution (allowed : nat) (on_side : bool) : R := if on_side then INR (units - allowed) else - INR allowed.

Lemma excess_total allowed (side : T -> bool) x :
  excess allowed (length (filter side x)) (length x) = total (fun r => number (contribution allowed (side r))) x O.
Proof.
  unfold excess; induction x as [|r x IH]; [cbn [total filter length INR Nat.sub]; unfold vzero; ring|].
  cbn [total filter length]; unfold vplus; rewrite <- IH; unfold number, contribution.
  assert (length (filter side x) <= length x)%nat by apply filter_length_le.
  destruct (side r); cbn [length].
  - replace (S (length x) - S (length (filter side x)))%nat with (length x - length (filter side x))%nat by lia.
    rewrite S_INR; ring.
  - replace (S (length x) - length (filter side x))%nat with (S (length x - length (filter side x)))%nat by lia.
    rewrite S_INR; ring.
Qed.

(** The machine's way to the score says what the definition of a quantile does: 0 if and only if no more than [level] of
    [units] rows lie below the candidate, and no more than the others above it. *)
Theorem score_zero x j c : nth_error candidates j = Some c ->
  score x j = 0 <->
  INR units * INR (length (filter (fun r => lt r c) x)) <= INR level * INR (length x) /\
  INR units * INR (length (filter (fun r => lt c r) x)) <= INR (units - level) * INR (length x).
Proof.
  intros E; unfold score, excess; rewrite (rows_below_count x j c E), (rows_above_count x j c E).
  set (b := length (filter (fun r => lt r c) x)); set (a := length (filter (fun r => lt c r) x)).
  assert (Hb : (b <= length x)%nat) by apply filter_length_le; assert (Ha : (a <= length x)%nat) by apply filter_length_le.
  replace (units - (units - level))%nat with level by lia.
  rewrite !minus_INR by lia.
  set (p := (INR units - INR level) * INR b - INR level * (INR (length x) - INR b)).
  set (q := INR level * INR a - (INR units - INR level) * (INR (length x) - INR a)).
  pose proof (Rmax_l 0 (Rmax p q)); pose proof (Rmax_r 0 (Rmax p q)); pose proof (Rmax_l p q); pose proof (Rmax_r p q).
  split; [intros Z; assert (p <= 0 /\ q <= 0) as [P Q] by lra; unfold p, q in *; split; nra|].
  intros [P Q]; assert (p <= 0 /\ q <= 0) as [P' Q'] by (unfold p, q; split; nra).
  rewrite Rmax_left; [ring|]; now apply Rmax_lub.
Qed.

(** The greater of two numbers moves no more than they do. *)
Lemma Rmax_moves p q p' q' m : Rabs (p - p') <= m -> Rabs (q - q') <= m -> Rabs (Rmax p q - Rmax p' q') <= m.
Proof.
  assert (B : forall u, Rabs u <= m -> - m <= u <= m).
  { intros u U; pose proof (Rle_abs u); pose proof (Rle_abs (- u)); rewrite Rabs_Ropp in *; lra. }
  intros P Q; apply B in P, Q; unfold Rmax; destruct (Rle_dec p q), (Rle_dec p' q'); apply Rabs_le; lra.
Qed.
Lemma score_moves p q p' q' m : Rabs (p - p') <= m -> Rabs (q - q') <= m ->
  Rabs (- Rmax 0 (Rmax p q) - - Rmax 0 (Rmax p' q')) <= m.
Proof.
  intros P Q; rewrite <- Rabs_Ropp; replace (- (- Rmax 0 (Rmax p q) - - Rmax 0 (Rmax p' q')))
    with (Rmax 0 (Rmax p q) - Rmax 0 (Rmax p' q')) by ring.
  pose proof (Rabs_pos (p - p')); apply Rmax_moves; [rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra|now apply Rmax_moves].
Qed.

Lemma units_split allowed : (allowed <= units)%nat -> INR (units - allowed) + INR allowed = INR units.
Proof. intros L; rewrite <- plus_INR; f_equal; lia. Qed.

(** One excess: a row that is added moves it by one of its two shares, one that is replaced by their sum, or not at all. *)
Lemma excess_stable allowed (side : T -> bool) M (size : option nat) d x y : (allowed <= units)%nat ->
  Nat.max allowed (units - allowed) = Nat.max level (units - level) ->
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M d x y ->
  Rabs (excess allowed (length (filter side x)) (length x) - excess allowed (length (filter side y)) (length y))
  <= quantile_map M (if size then true else false) d.
Proof.
  intros L Same Hs H; apply apart_unit in H; rewrite !excess_total; set (t := fun r => number (contribution allowed (side r))).
  change (size0 (vminus (total t x) (total t y)) <= quantile_map M (if size then true else false) d).
  pose proof size0_seminorm as N; pose proof (units_split allowed L) as U.
  pose proof (pos_INR allowed); pose proof (pos_INR (units - allowed)).
  assert (S1 : forall r, size0 (t r) <= INR (Nat.max level (units - level))).
  { intros r; unfold size0, t, number, contribution; rewrite <- Same.
    assert (INR allowed <= INR (Nat.max allowed (units - allowed))) by (apply le_INR; lia).
    assert (INR (units - allowed) <= INR (Nat.max allowed (units - allowed))) by (apply le_INR; lia).
    destruct (side r); rewrite ?Rabs_Ropp, ?Rabs_pos_eq by apply pos_INR; lra. }
  assert (S2 : forall r s, size0 (vminus (t r) (t s)) <= INR units).
  { intros r s; unfold size0, vminus, t, number, contribution.
    destruct (side r), (side s); apply Rabs_le; lra. }
  unfold quantile_map; destruct (unit M); [destruct size as [n|]|].
  - destruct (Hs n eq_refl) as [Ex Ey].
    eapply Rle_trans; [apply sized_total with (step := INR units); eauto using pos_INR; congruence|].
    apply moved_sound; split; [apply pos_INR|lra].
  - eapply Rle_trans; [apply symmetric_total with (m := INR (Nat.max level (units - level))); eauto using pos_INR|].
    apply moved_sound; split; [apply pos_INR|lra].
  - eapply Rle_trans; [apply change_one_total with (step := INR units); eauto using pos_INR|].
    apply moved_sound; split; [apply pos_INR|lra].
Qed.

Theorem make_quantile_scores_stable M (size : option nat) d x y :
  (forall n, size = Some n -> length x = n /\ length y = n) -> apart M d x y ->
  linf (length candidates) (fun j => score x j - score y j) <= quantile_map M (if size then true else false) d.
Proof.
  intros Hs H.
  assert (Q : forall j c, nth_error candidates j = Some c ->
    Rabs (score x j - score y j) <= quantile_map M (if size then true else false) d).
  { intros j c E; unfold score; rewrite !(rows_below_count _ j c E), !(rows_above_count _ j c E).
    apply score_moves; apply excess_stable; auto; lia. }
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
