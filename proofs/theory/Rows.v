(** Rows left out, rows joined by steps, rows that are pairs, and values that may be missing. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset.
Import ListNotations.

(** Two ways to split one multiset have a common refinement. *)
Lemma refine {A} (a b c d : list A) : Permutation (a ++ b) (c ++ d) -> exists ac ad bc bd,
  Permutation a (ac ++ ad) /\ Permutation b (bc ++ bd) /\ Permutation c (ac ++ bc) /\ Permutation d (ad ++ bd).
Proof.
  revert c d; induction a as [|e a IH]; simpl; intros c d H.
  - exists [], [], c, d; simpl; auto.
  - assert (I : In e (c ++ d)) by (eapply Permutation_in; [exact H|now left]).
    apply in_app_or in I; destruct I as [I|I]; apply in_split in I; destruct I as (u & v & ->).
    + destruct (IH (u ++ v) d) as (ac & ad & bc & bd & Ha & Hb & Hc & Hd).
      { apply Permutation_cons_inv with e; eapply Permutation_trans; [exact H|].
        rewrite <- app_assoc; simpl; rewrite <- app_assoc; apply Permutation_sym, Permutation_middle. }
      exists (e :: ac), ad, bc, bd; simpl; repeat split; auto.
      eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|now constructor].
    + destruct (IH c (u ++ v)) as (ac & ad & bc & bd & Ha & Hb & Hc & Hd).
      { apply Permutation_cons_inv with e; eapply Permutation_trans; [exact H|].
        rewrite !app_assoc; apply Permutation_sym, Permutation_middle. }
      exists ac, (e :: ad), bc, bd; simpl; repeat split; auto.
      * now apply Permutation_cons_app.
      * eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|now constructor].
Qed.

(** Steps add up: the triangle inequality of replaced rows. *)
Theorem change_one_trans {A} d e (x y z : list A) : change_one d x y -> change_one e y z -> change_one (d + e) x z.
Proof.
  intros (c & r & s & Hx & Hy & E & L) (c' & r' & s' & Hy' & Hz & E' & L').
  destruct (refine s c r' c') as (w & t & u & v & Hs & Hc & Hr' & Hc').
  { eapply Permutation_trans; [apply Permutation_sym, Hy|exact Hy']. }
  exists v, (r ++ u), (s' ++ t); repeat split.
  - eapply Permutation_trans; [exact Hx|]; rewrite <- app_assoc; now apply Permutation_app_head.
  - eapply Permutation_trans; [exact Hz|]; rewrite <- app_assoc; now apply Permutation_app_head.
  - apply Permutation_length in Hs, Hr'; rewrite !app_length in *; lia.
  - apply Permutation_length in Hs, Hr'; rewrite !app_length in *; lia.
Qed.

Lemma change_one_perm {A} (x y : list A) : Permutation x y -> change_one 0 x y.
Proof. intros H; exists y, [], []; simpl; auto. Qed.
Lemma symmetric_le {A} d e (x y : list A) : d <= e -> symmetric d x y -> symmetric e x y.
Proof. intros Hd (c & r & s & Hx & Hy & L); exists c, r, s; repeat split; auto; lia. Qed.
Lemma change_one_le {A} d e (x y : list A) : d <= e -> change_one d x y -> change_one e x y.
Proof. intros Hd (c & r & s & Hx & Hy & E & L); exists c, r, s; repeat split; auto; lia. Qed.
Lemma insert_delete_le {A} d e (x y : list A) : d <= e -> insert_delete d x y -> insert_delete e x y.
Proof.
  intros L H; revert e L; induction H; intros [|e] L; try lia; constructor; auto; apply IHinsert_delete; lia.
Qed.
Lemma hamming_le {A} d e (x y : list A) : d <= e -> hamming d x y -> hamming e x y.
Proof. intros L H; revert e L; induction H; intros [|e] L; try lia; constructor; auto; apply IHhamming; lia. Qed.
Lemma apart_le {A} M d e (x y : list A) : d <= e -> apart M d x y -> apart M e x y.
Proof. destruct M; simpl; eauto using symmetric_le, insert_delete_le, change_one_le, hamming_le. Qed.

(** In place, a replaced row is one deleted and one inserted. *)
Lemma hamming_insert_delete {A} d (x y : list A) : hamming d x y -> insert_delete (2 * d) x y.
Proof.
  induction 1 as [d|d a x y _ IH|d a b x y _ IH]; [constructor|now constructor|].
  replace (2 * S d) with (S (S (2 * d))) by lia; now constructor; constructor.
Qed.

(** Rows that have an image, each replaced by it ([keep]). *)
Section Keep.
Context {A B : Type} (h : A -> option B).
Fixpoint keep (x : list A) : list B :=
  match x with [] => [] | a :: x => match h a with Some b => b :: keep x | None => keep x end end.

Lemma keep_app x y : keep (x ++ y) = keep x ++ keep y.
Proof. induction x as [|a x IH]; simpl; auto; destruct (h a); simpl; now rewrite IH. Qed.
Lemma keep_length x : length (keep x) <= length x.
Proof. induction x as [|a x IH]; simpl; auto; destruct (h a); simpl; lia. Qed.
Lemma keep_perm x y : Permutation x y -> Permutation (keep x) (keep y).
Proof.
  induction 1; simpl; auto.
  - destruct (h x); auto.
  - destruct (h x), (h y); auto; apply perm_swap.
  - eapply Permutation_trans; eauto.
Qed.
Lemma keep_symmetric d x y : symmetric d x y -> symmetric d (keep x) (keep y).
Proof.
  intros (c & r & s & Hx & Hy & L); exists (keep c), (keep r), (keep s); rewrite <- !keep_app.
  repeat split; auto using keep_perm; pose proof (keep_length r); pose proof (keep_length s); lia.
Qed.
Lemma keep_insert_delete d x y : insert_delete d x y -> insert_delete d (keep x) (keep y).
Proof.
  induction 1; simpl; try (destruct (h a)); try (now constructor); now apply insert_delete_le with d; auto.
Qed.

(** What becomes of a metric and of a distance ([FilterMetric]): the four lines of its table on rows. *)
Definition filtered (M : row_metric) : row_metric :=
  match M with
  | SymmetricDistance => SymmetricDistance | InsertDeleteDistance => InsertDeleteDistance
  | ChangeOneDistance => SymmetricDistance | HammingDistance => InsertDeleteDistance
  end.
Definition filter_distance (M : row_metric) (d : nat) : nat :=
  match M with
  | SymmetricDistance => d | InsertDeleteDistance => d | ChangeOneDistance => 2 * d | HammingDistance => 2 * d
  end.

Theorem keep_apart M d x y : apart M d x y -> apart (filtered M) (filter_distance M d) (keep x) (keep y).
Proof.
  destruct M; simpl apart; intros H.
  - now apply keep_symmetric.
  - now apply keep_insert_delete.
  - now apply keep_symmetric, change_one_symmetric.
  - now apply keep_insert_delete, hamming_insert_delete.
Qed.
End Keep.

(** Of keyed rows: what is kept of an individual is a function of their own rows, and stays theirs. *)
Section KeepIndividuals.
Context {K V W : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (h : K -> V -> option W).
Definition keyed (row : K * V) : option (K * W) :=
  match h (fst row) (snd row) with Some w => Some (fst row, w) | None => None end.

Lemma rows_of_keep p x : rows_of eq_dec p (keep keyed x) = keep (h p) (rows_of eq_dec p x).
Proof.
  unfold rows_of; induction x as [|[q v] x IH]; simpl; auto; unfold keyed at 1; simpl.
  destruct (eq_dec p q) as [<-|N]; simpl.
  - destruct (h p v); simpl; [destruct (eq_dec p p); [simpl; now rewrite IH|congruence]|exact IH].
  - destruct (h q v); simpl; [destruct (eq_dec p q); [congruence|exact IH]|exact IH].
Qed.

Theorem keep_individuals d x y : individuals eq_dec d x y -> individuals eq_dec d (keep keyed x) (keep keyed y).
Proof.
  intros (ps & N & H & C); exists ps; repeat split; auto.
  - intros p Hp; rewrite !rows_of_keep; now apply keep_perm, H.
  - apply Nat.le_trans with (total_cost eq_dec ps x y); auto; clear; induction ps as [|p ps IH]; simpl; auto.
    apply Nat.add_le_mono; auto; unfold cost; rewrite !rows_of_keep.
    destruct (rows_of eq_dec p x) as [|a l]; [simpl; lia|]; destruct (rows_of eq_dec p y) as [|b m].
    + change (keep (h p) []) with (@nil W); destruct (keep (h p) (a :: l)); lia.
    + destruct (keep (h p) (a :: l)), (keep (h p) (b :: m)); lia.
Qed.
End KeepIndividuals.

(** Rows of several parts: pairs whose second is a row again ([PairDomain]), down to the last part. *)
Fixpoint row (parts : list Type) (L : Type) : Type :=
  match parts with [] => L | A :: parts => (A * row parts L)%type end.
Fixpoint last_of (parts : list Type) {L : Type} : row parts L -> L :=
  match parts return row parts L -> L with [] => fun v => v | _ :: parts => fun r => last_of parts (snd r) end.
Fixpoint replace (parts : list Type) {L E : Type} : row parts L -> E -> row parts E :=
  match parts return row parts L -> E -> row parts E with
  | [] => fun _ v => v | _ :: parts => fun r v => (fst r, replace parts (snd r) v)
  end.

(** What stands before the last part is left alone. *)
Lemma replace_last parts L E (r : row parts L) (v : E) : last_of parts (replace parts r v) = v.
Proof. induction parts; simpl; auto. Qed.
Lemma replace_before parts L E F (r : row parts L) (v : E) (w : F) :
  replace parts (replace parts r v) w = replace parts r w.
Proof. induction parts; simpl; auto; now rewrite IHparts. Qed.

(** Members: of each part's domain. *)
Fixpoint tests (parts : list Type) : Type :=
  match parts with [] => Datatypes.unit | A :: parts => ((A -> Prop) * tests parts)%type end.
Fixpoint row_member (parts : list Type) {L} : tests parts -> (L -> Prop) -> row parts L -> Prop :=
  match parts return tests parts -> (L -> Prop) -> row parts L -> Prop with
  | [] => fun _ p v => p v
  | _ :: parts => fun t p r => fst t (fst r) /\ row_member parts (snd t) p (snd r)
  end.
Lemma member_last parts L t (p : L -> Prop) r : row_member parts t p r -> p (last_of parts r).
Proof. induction parts; simpl; auto; intros [_ H]; eauto. Qed.
Lemma member_replace parts L E t (p : L -> Prop) (q : E -> Prop) r v :
  row_member parts t p r -> q v -> row_member parts t q (replace parts r v).
Proof. induction parts; simpl; auto; intros [Ha H] Hv; split; auto; eapply IHparts; eauto. Qed.

(** Values that may be missing: options to any depth around an atom, which may be NaN ([NullDomain]). *)
Fixpoint nullable (depth : nat) (T : Type) : Type := match depth with O => T | S n => option (nullable n T) end.
Section Null.
Context {T : Type} (is_nan : T -> bool).
Fixpoint present_value (depth : nat) : nullable depth T -> option T :=
  match depth return nullable depth T -> option T with
  | O => fun v => if is_nan v then None else Some v
  | S n => fun v => match v with Some v => present_value n v | None => None end
  end.

(** Members of [OptionDomain] around an [AtomDomain] that may let NaN in, and of its domain of present values. *)
Variables (admits_nan : bool) (within : T -> bool).
Definition atom_member (v : T) : bool := if is_nan v then admits_nan else within v.
Fixpoint null_member (depth : nat) : nullable depth T -> Prop :=
  match depth return nullable depth T -> Prop with
  | O => fun v => atom_member v = true
  | S n => fun v => match v with Some v => null_member n v | None => True end
  end.
Definition present (v : T) : Prop := is_nan v = false /\ within v = true.

Lemma present_value_member depth v w : null_member depth v -> present_value depth v = Some w -> present w.
Proof.
  induction depth as [|n IH]; simpl.
  - unfold atom_member, present; destruct (is_nan v) eqn:E; [discriminate|]; intros H [= <-]; auto.
  - destruct v as [v|]; [apply IH|discriminate].
Qed.
End Null.
