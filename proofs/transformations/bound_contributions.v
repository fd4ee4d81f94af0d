(** [make_bound_contributions]: of each individual the first rows in an order that depends on the rows alone. *)
Require Import List Arith Lia Permutation Bool.
From DP Require Import Dataset.
Import ListNotations.

(** Sorting by a total order: one sequence for each multiset. *)
Section Sort.
Context {V : Type} (le : V -> V -> bool).
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_antisym : forall a b, le a b = true -> le b a = true -> a = b.

Fixpoint insert (a : V) (x : list V) : list V :=
  match x with [] => [a] | b :: x => if le a b then a :: b :: x else b :: insert a x end.
Fixpoint sort (x : list V) : list V := match x with [] => [] | a :: x => insert a (sort x) end.

(** Two insertions can be made in either order, so that the order of the rows does not matter. *)
Lemma insert_insert a b x : insert a (insert b x) = insert b (insert a x).
Proof.
  induction x as [|c x IH]; simpl.
  - destruct (le a b) eqn:E, (le b a) eqn:F; auto.
    + now rewrite (le_antisym a b E F).
    + destruct (le_total a b); congruence.
  - destruct (le b c) eqn:Bc, (le a c) eqn:Ac; simpl; rewrite ?Bc, ?Ac; auto.
    + destruct (le a b) eqn:E, (le b a) eqn:F; auto.
      * now rewrite (le_antisym a b E F).
      * destruct (le_total a b); congruence.
    + destruct (le a b) eqn:E; auto; rewrite (le_trans a b c E Bc) in Ac; discriminate.
    + destruct (le b a) eqn:E; auto; rewrite (le_trans b a c E Ac) in Bc; discriminate.
    + now rewrite IH.
Qed.

Theorem sort_permutation x y : Permutation x y -> sort x = sort y.
Proof.
  induction 1; simpl; auto; [now rewrite IHPermutation|apply insert_insert|congruence].
Qed.

Lemma insert_perm a x : Permutation (a :: x) (insert a x).
Proof.
  induction x as [|b x IH]; simpl; auto; destruct (le a b); auto.
  eapply Permutation_trans; [apply perm_swap|now constructor].
Qed.
Lemma sort_perm x : Permutation x (sort x).
Proof.
  induction x; simpl; auto; eapply Permutation_trans; [|apply insert_perm]; now constructor.
Qed.
End Sort.

Section Bound.
Context {K V : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
(** The order of one individual's rows: by hash of individual and row, then by the row's encoding. *)
Context (le : K -> V -> V -> bool).
Hypothesis le_total : forall p a b, le p a b = true \/ le p b a = true.
Hypothesis le_trans : forall p a b c, le p a b = true -> le p b c = true -> le p a c = true.
Hypothesis le_antisym : forall p a b, le p a b = true -> le p b a = true -> a = b.
Variable k : nat.
Notation rows_of := (Dataset.rows_of (V := V) eq_dec).

Definition kept (x : list (K * V)) (p : K) : list V := firstn k (sort (le p) (rows_of p x)).

(** The output: what is kept of each individual in the data, one individual after another. *)
Definition people (x : list (K * V)) : list K := nodup eq_dec (map fst x).
Definition keep (x : list (K * V)) : list V := flat_map (kept x) (people x).

Lemma kept_length x p : length (kept x p) <= k.
Proof. apply firstn_le_length. Qed.
Lemma kept_absent x p : rows_of p x = [] -> kept x p = [].
Proof. unfold kept; intros ->; simpl; apply firstn_nil. Qed.

(** Nothing outside of the data is kept, so that the list of individuals may be longer, and in any order. *)
Lemma absent x p : ~ In p (map fst x) -> rows_of p x = [].
Proof.
  unfold Dataset.rows_of; induction x as [|[q v] x IH]; simpl; intros H; auto.
  destruct (eq_dec p q) as [->|]; [elim H; now left|apply IH; tauto].
Qed.

Lemma flat_map_nil {A B} (f : A -> list B) l : (forall a, In a l -> f a = []) -> flat_map f l = [].
Proof. induction l; simpl; intros H; auto; rewrite (H a (or_introl eq_refl)); apply IHl; auto. Qed.

Lemma flat_map_perm {A B} (f : A -> list B) l m : Permutation l m -> Permutation (flat_map f l) (flat_map f m).
Proof.
  induction 1; simpl; auto.
  - now apply Permutation_app_head.
  - rewrite !app_assoc; apply Permutation_app_tail, Permutation_app_comm.
  - eapply Permutation_trans; eauto.
Qed.

Lemma NoDup_app_intro (l m : list K) : NoDup l -> NoDup m -> (forall p, In p l -> ~ In p m) -> NoDup (l ++ m).
Proof.
  intros N1 N2 D; induction l as [|p l IH]; simpl; auto; inversion N1; subst; constructor.
  - rewrite in_app_iff; intros [H|H]; [contradiction|]; apply (D p); auto; now left.
  - apply IH; auto; intros q Hq; apply D; now right.
Qed.

Lemma keep_over x all : NoDup all -> incl (map fst x) all -> Permutation (keep x) (flat_map (kept x) all).
Proof.
  intros N I; set (rest := filter (fun p => negb (if in_dec eq_dec p (people x) then true else false)) all).
  assert (P : Permutation all (people x ++ rest)).
  { apply NoDup_Permutation; auto.
    - apply NoDup_app_intro; [apply NoDup_nodup|now apply NoDup_filter|].
      intros p Hp Hr; apply filter_In in Hr; destruct Hr as [_ Hr].
      destruct (in_dec eq_dec p (people x)); [discriminate|contradiction].
    - intros p; rewrite in_app_iff; unfold rest; rewrite filter_In; split.
      + intros H; destruct (in_dec eq_dec p (people x)); auto.
      + intros [H|[H _]]; auto; apply I; unfold people in H; now apply nodup_In in H. }
  eapply Permutation_sym, Permutation_trans; [apply flat_map_perm, P|].
  rewrite flat_map_app, (flat_map_nil _ rest), app_nil_r; [apply Permutation_refl|].
  intros p Hp; apply kept_absent, absent; unfold rest in Hp; apply filter_In in Hp; destruct Hp as [_ Hp].
  intros H; destruct (in_dec eq_dec p (people x)) as [|F]; [discriminate|]; apply F; unfold people; now apply nodup_In.
Qed.

Lemma kept_cost x y ps :
  length (flat_map (kept x) ps) + length (flat_map (kept y) ps) <= k * total_cost eq_dec ps x y.
Proof.
  induction ps as [|p ps IH]; simpl; [lia|]; rewrite !app_length.
  pose proof (kept_length x p); pose proof (kept_length y p).
  assert (H1 : length (kept x p) + length (kept y p) <= k * cost eq_dec p x y); [|lia].
  unfold cost; destruct (rows_of p x) eqn:Ex.
  - rewrite (kept_absent x p Ex); simpl; lia.
  - destruct (rows_of p y) eqn:Ey; [rewrite (kept_absent y p Ey); simpl; lia|lia].
Qed.

(** What is kept of the individuals who differ, and a common part. *)
Lemma keep_parts d x y : individuals eq_dec d x y -> exists ps common, total_cost eq_dec ps x y <= d /\
  Permutation (keep x) (flat_map (kept x) ps ++ common) /\ Permutation (keep y) (flat_map (kept y) ps ++ common).
Proof.
  intros (ps & N & H & C).
  set (rest := filter (fun p => negb (if in_dec eq_dec p ps then true else false))
                 (nodup eq_dec (map fst x ++ map fst y))).
  assert (D : forall p, In p rest -> ~ In p ps).
  { intros p Hp; apply filter_In in Hp; destruct Hp as [_ Hp]; destruct (in_dec eq_dec p ps); auto; discriminate. }
  assert (Na : NoDup (ps ++ rest)).
  { apply NoDup_app_intro; auto; [apply NoDup_filter, NoDup_nodup|].
    intros p Hp F; exact (D p F Hp). }
  assert (I : forall p, In p (map fst x ++ map fst y) -> In p (ps ++ rest)).
  { intros p Hp; apply in_or_app; destruct (in_dec eq_dec p ps) as [|F]; auto; right.
    apply filter_In; split; [now apply nodup_In|]; destruct (in_dec eq_dec p ps); auto; contradiction. }
  exists ps, (flat_map (kept x) rest); repeat split; auto.
  - rewrite <- flat_map_app; apply keep_over; auto; intros p Hp; apply I, in_or_app; now left.
  - replace (flat_map (kept x) rest) with (flat_map (kept y) rest).
    + rewrite <- flat_map_app; apply keep_over; auto; intros p Hp; apply I, in_or_app; now right.
    + assert (E : forall p, In p rest -> kept y p = kept x p).
      { intros p Hp; unfold kept; f_equal; symmetry; apply sort_permutation; eauto. }
      clear -E; induction rest as [|p l IH]; simpl; auto.
      rewrite (E p (or_introl eq_refl)); f_equal; apply IH; intros; apply E; now right.
Qed.

(** At most [k] rows for each individual added or removed. *)
Theorem make_bound_contributions_stable d x y :
  individuals eq_dec d x y -> symmetric (k * d) (keep x) (keep y).
Proof.
  intros H; destruct (keep_parts d x y H) as (ps & common & C & X & Y).
  exists common, (flat_map (kept x) ps), (flat_map (kept y) ps); repeat split; auto.
  eapply Nat.le_trans; [apply kept_cost|]; now apply Nat.mul_le_mono_l.
Qed.
End Bound.
