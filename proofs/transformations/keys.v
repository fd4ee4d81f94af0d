(** Maps from keys to numbers, where the keys are data: how far one row can move them. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Dataset Totals Rounding Maps categories.
Import ListNotations.
Open Scope R_scope.

(** The number of entries that are not 0. *)
Fixpoint support (n : nat) (u : vector) : R :=
  match n with O => 0 | S m => support m u + if Req_EM_T (u m) 0 then 0 else 1 end.
Lemma support_seminorm n : seminorm (support n).
Proof.
  split.
  - intros u v H; induction n; simpl; auto; now rewrite IHn, H.
  - induction n; simpl; auto; rewrite IHn; unfold vzero; destruct (Req_EM_T 0 0); lra.
  - intros u; induction n; simpl; auto; rewrite IHn; destruct (Req_EM_T (- u n) 0), (Req_EM_T (u n) 0); lra.
  - intros u v; induction n; simpl; [lra|]; unfold vplus at 2.
    destruct (Req_EM_T (u n + v n) 0), (Req_EM_T (u n) 0), (Req_EM_T (v n) 0); lra.
Qed.
Lemma support_single n p v : support n (single p v) <= 1.
Proof.
  assert (E : support n (single p v) <= match p with Some i => if Nat.ltb i n then 1 else 0 | None => 0 end).
  { destruct p as [i|]; induction n; cbn [support]; try (simpl; lra).
    - change (single (Some i) v n) with (if Nat.eqb i n then v else 0).
      destruct (Nat.eqb_spec i n), (Nat.ltb_spec i n), (Nat.ltb_spec i (S n)); try lia;
        match goal with |- context [Req_EM_T ?a 0] => destruct (Req_EM_T a 0) end; lra.
    - change (single None v n) with 0; destruct (Req_EM_T 0 0); lra. }
  eapply Rle_trans; [exact E|]; destruct p as [i|]; [destruct (Nat.ltb i n)|]; lra.
Qed.

Section Keys.
Context {K : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).

(** A map is a function on all keys, 0 where it has no entry.  Over any list of different keys, two maps differ in at most
    [l0] keys, by at most [lp] in L1 or L2, and by at most [linf] in each. *)
Inductive map_metric := L01InfDistance | L02InfDistance.
Definition difference (ks : list K) (f g : K -> R) : vector :=
  fun j => match nth_error ks j with Some k => f k - g k | None => 0 end.
(** The same vector as of the lists of their numbers. *)
Theorem difference_entries ks f g j : difference ks f g j = vminus (entries (map f ks)) (entries (map g ks)) j.
Proof.
  unfold difference, vminus, entries; revert j; induction ks as [|k ks IH]; intros [|j]; simpl; try ring; apply IH.
Qed.
Definition map_norm (MO : map_metric) (n : nat) : vector -> R :=
  match MO with L01InfDistance => l1 n | L02InfDistance => l2 n end.
Definition map_apart (MO : map_metric) (d : nat * R * R) (f g : K -> R) : Prop :=
  let '(keys, norm, greatest) := d in forall ks, NoDup ks -> let n := length ks in let u := difference ks f g in
  support n u <= INR keys /\ map_norm MO n u <= norm /\ linf n u <= greatest.

(** [MapMetric::norm_of_ones] and [MapMetric::moved]. *)
Definition norm_of_ones (MO : map_metric) (number : nat) : R :=
  match MO with L01InfDistance => INR number | L02InfDistance => inf_sqrt (INR number) end.
Definition map_moved (MO : map_metric) (d : nat) (c : row_change) (magnitude range : R) : nat * R * R :=
  let '(keys, norm, greatest) := match c with
    | AddOrRemove => (1%nat, magnitude, magnitude)
    | Replace => (2%nat, Rmax range (inf_mul magnitude (norm_of_ones MO 2)), Rmax range magnitude)
    end in ((d * keys)%nat, moved d norm, moved d greatest).

(** The sum of the numbers of the rows of a key. *)
Fixpoint entry (x : list (K * R)) (k : K) : R :=
  match x with [] => 0 | row :: x => (if eq_dec k (fst row) then snd row else 0) + entry x k end.

(** Where a key stands in a list. *)
Fixpoint place (ks : list K) (k : K) : option nat :=
  match ks with [] => None | k' :: ks => if eq_dec k' k then Some O else option_map S (place ks k) end.

Lemma place_none ks k : ~ In k ks -> place ks k = None.
Proof. induction ks as [|k' ks IH]; simpl; intros H; auto; destruct (eq_dec k' k); [tauto|]; rewrite IH; tauto. Qed.
Lemma single_place ks k v j : NoDup ks ->
  single (place ks k) v j = match nth_error ks j with Some k' => if eq_dec k' k then v else 0 | None => 0 end.
Proof.
  intros N; revert j; induction N as [|k' ks F N IH]; intros j; simpl.
  - destruct j; reflexivity.
  - destruct (eq_dec k' k) as [->|D].
    + destruct j as [|j]; simpl; [destruct (eq_dec k k); congruence|].
      destruct (nth_error ks j) as [q|] eqn:E; auto; apply nth_error_In in E.
      destruct (eq_dec q k); congruence.
    + destruct j as [|j]; simpl.
      * destruct (eq_dec k' k); [congruence|]; destruct (place ks k); reflexivity.
      * rewrite <- IH; destruct (place ks k); reflexivity.
Qed.

Lemma total_entry ks x j : NoDup ks ->
  total (contribution (place ks)) x j = match nth_error ks j with Some k => entry x k | None => 0 end.
Proof.
  intros N; induction x as [|row x IH]; simpl; [unfold vzero; destruct (nth_error ks j); auto|].
  unfold vplus; rewrite IH; unfold contribution; rewrite single_place by auto; destruct (nth_error ks j); ring.
Qed.
Lemma difference_total ks x y j : NoDup ks ->
  difference ks (entry x) (entry y) j = vminus (total (contribution (place ks)) x) (total (contribution (place ks)) y) j.
Proof. intros N; unfold difference, vminus; rewrite !total_entry by auto; destruct (nth_error ks j); ring. Qed.

Theorem by_key_stable M MO m r d x y : 0 <= m -> 0 <= r ->
  (forall row, In row x \/ In row y -> Rabs (snd row) <= m) ->
  (forall a b, In a x -> In b y -> Rabs (snd a - snd b) <= r) -> apart M d x y ->
  map_apart MO (map_moved MO d (unit M) m r) (entry x) (entry y).
Proof.
  intros Hm Hr B R H; unfold map_moved.
  destruct (match unit M with AddOrRemove => _ | Replace => _ end) as [[keys nrm] greatest] eqn:U.
  intros ks N n u; set (c := contribution (place ks)).
  assert (E : forall j, u j = vminus (total c x) (total c y) j) by (intros; now apply difference_total).
  assert (T : forall C, norm C n u <= moved d (step C (unit M) m r)).
  { intros C; rewrite (norm_ext _ (norm_seminorm C n) _ _ E); now apply by_category_stable. }
  assert (N2 : INR 2 = 2) by (simpl; ring).
  split; [|split].
  - rewrite (norm_ext _ (support_seminorm n) _ _ E), mult_INR; apply apart_unit in H.
    destruct (unit M); injection U as <- <- <-.
    + apply symmetric_total with (m := INR 1); auto using support_seminorm, pos_INR; intros; apply support_single.
    + apply change_one_total with (step := INR 2); auto using support_seminorm, pos_INR; intros a b _ _.
      eapply Rle_trans; [apply norm_minus, support_seminorm|]; rewrite N2.
      pose proof (support_single n (place ks (fst a)) (snd a)); pose proof (support_single n (place ks (fst b)) (snd b)).
      unfold c, contribution; lra.
  - destruct MO; [specialize (T L1Distance)|specialize (T L2Distance)]; simpl in T; simpl map_norm;
      destruct (unit M); injection U as <- <- <-; unfold norm_of_ones; rewrite ?N2; exact T.
  - specialize (T (LInfDistance false)); simpl in T; destruct (unit M); injection U as <- <- <-; exact T.
Qed.
End Keys.
