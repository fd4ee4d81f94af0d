(** [make_partition_individuals_by_categories]: rows dealt to parts, each individual to few of them. *)
Require Import List Arith Lia Permutation Bool.
From DP Require Import Dataset bound_contributions Rows partition_by_categories.
Import ListNotations.

Section Individuals.
Context {P C V : Type} (eq_dec : forall p q : P, {p = q} + {p <> q}) (slot : C -> nat) (n max_parts : nat).
(** The order of an individual's slots: by hash of individual and slot, then by slot. *)
Context (le : P -> nat -> nat -> bool).
Hypothesis le_total : forall p a b, le p a b = true \/ le p b a = true.
Hypothesis le_trans : forall p a b c, le p a b = true -> le p b c = true -> le p a c = true.
Hypothesis le_antisym : forall p a b, le p a b = true -> le p b a = true -> a = b.
Notation rows_of := (Dataset.rows_of (V := C * V) eq_dec).

(** [parts_of_each_individual]: the first of the different slots of an individual's rows that are entries. *)
Definition slots (l : list (C * V)) : list nat :=
  nodup Nat.eq_dec (filter (fun i => i <? n) (map (fun row => slot (fst row)) l)).
Definition kept_slots (p : P) (l : list (C * V)) : list nat := firstn max_parts (sort (le p) (slots l)).

(** [deal]: a row goes to the part of its slot, if that is kept of its individual. *)
Definition goes (i : nat) (p : P) (l : list (C * V)) (row : C * V) : option V :=
  if (i =? slot (fst row)) && (if in_dec Nat.eq_dec i (kept_slots p l) then true else false) then Some (snd row) else None.
Definition part_of_individuals (x : list (P * (C * V))) (i : nat) : list (P * V) :=
  keep (keyed (fun p => goes i p (rows_of p x))) x.
(** What an individual has in a part. *)
Definition dealt_to (i : nat) (p : P) (l : list (C * V)) : list V := keep (goes i p l) l.

Lemma rows_of_part p i x : Dataset.rows_of eq_dec p (part_of_individuals x i) = dealt_to i p (rows_of p x).
Proof. apply (rows_of_keep eq_dec (fun p => goes i p (rows_of p x))). Qed.

Lemma perm_filter {A} (f : A -> bool) l m : Permutation l m -> Permutation (filter f l) (filter f m).
Proof.
  induction 1; simpl; auto; [destruct (f x); auto|destruct (f x), (f y); auto; apply perm_swap|].
  eapply Permutation_trans; eauto.
Qed.
Lemma kept_slots_perm p l m : Permutation l m -> kept_slots p l = kept_slots p m.
Proof.
  intros H; unfold kept_slots; f_equal; apply (sort_permutation (le p)); auto; [eapply le_trans|eapply le_antisym|]; eauto.
  unfold slots; apply NoDup_Permutation; try apply NoDup_nodup.
  assert (Q : Permutation (filter (fun i => i <? n) (map (fun row => slot (fst row)) l))
    (filter (fun i => i <? n) (map (fun row => slot (fst row)) m))) by now apply perm_filter, Permutation_map.
  intros i; rewrite !nodup_In; split; apply Permutation_in; auto using Permutation_sym.
Qed.
Lemma dealt_to_perm i p l m : Permutation l m -> Permutation (dealt_to i p l) (dealt_to i p m).
Proof.
  intros H; unfold dealt_to, goes; rewrite (kept_slots_perm p l m H); now apply keep_perm.
Qed.

(** 1 for an individual who is in a part. *)
Definition is_in (i : nat) (p : P) (l : list (C * V)) : nat := match dealt_to i p l with [] => 0 | _ => 1 end.

Lemma is_in_kept i p l : is_in i p l <= if in_dec Nat.eq_dec i (kept_slots p l) then 1 else 0.
Proof.
  unfold is_in; destruct (in_dec Nat.eq_dec i (kept_slots p l)) as [|N]; [destruct (dealt_to i p l); lia|].
  replace (dealt_to i p l) with (@nil V); auto; unfold dealt_to.
  assert (E : forall row, goes i p l row = None).
  { intros row; unfold goes; destruct (in_dec Nat.eq_dec i (kept_slots p l)); [contradiction|]; now rewrite andb_false_r. }
  symmetry; generalize l at 2; induction l0; simpl; auto; now rewrite E.
Qed.
Lemma total_members l : total n (fun i => if in_dec Nat.eq_dec i l then 1 else 0) <= length l.
Proof.
  induction l as [|j l IH]; [simpl; now rewrite total_zero|].
  eapply Nat.le_trans; [apply (total_le n _ (fun i => (if i =? j then 1 else 0) + if in_dec Nat.eq_dec i l then 1 else 0))|].
  - intros i; destruct (in_dec Nat.eq_dec i (j :: l)) as [[->|I]|]; [rewrite Nat.eqb_refl; lia| |lia].
    destruct (in_dec Nat.eq_dec i l); [lia|contradiction].
  - rewrite total_plus; pose proof (total_one n j 1); simpl; lia.
Qed.
Lemma in_few p l : total n (fun i => is_in i p l) <= max_parts.
Proof.
  eapply Nat.le_trans; [apply total_le; intros i; apply is_in_kept|].
  eapply Nat.le_trans; [apply total_members|apply firstn_le_length].
Qed.

(** By how much the parts differ on account of some individuals. *)
Fixpoint moved_in (ps : list P) (x y : list (P * (C * V))) (i : nat) : nat :=
  match ps with [] => 0 | p :: ps => is_in i p (rows_of p x) + is_in i p (rows_of p y) + moved_in ps x y i end.

Lemma both_costs p x y a b : (rows_of p x = [] -> a = 0) -> (rows_of p y = [] -> b = 0) ->
  forall m, a <= m -> b <= m -> a + b <= cost eq_dec p x y * m.
Proof.
  intros Hx Hy m La Lb; unfold cost.
  destruct (rows_of p x); [rewrite Hx by auto; lia|]; destruct (rows_of p y); [rewrite Hy by auto; lia|lia].
Qed.

Lemma moved_in_each ps x y i : moved_in ps x y i <= total_cost eq_dec ps x y.
Proof.
  induction ps as [|p ps IH]; simpl; auto; apply Nat.add_le_mono; auto.
  rewrite <- (Nat.mul_1_r (cost _ _ _ _)); apply both_costs; try (intros E; unfold is_in; now rewrite E);
    unfold is_in; destruct (dealt_to _ _ _); auto.
Qed.
Lemma moved_in_all ps x y : total n (moved_in ps x y) <= total_cost eq_dec ps x y * max_parts.
Proof.
  induction ps as [|p ps IH]; simpl; [now rewrite total_zero|]; rewrite !total_plus, Nat.mul_add_distr_r.
  apply Nat.add_le_mono; auto; apply both_costs; try apply in_few; intros E; rewrite E; apply total_zero.
Qed.

Lemma part_individuals ps x y i : NoDup ps -> (forall p, ~ In p ps -> Permutation (rows_of p x) (rows_of p y)) ->
  individuals eq_dec (moved_in ps x y i) (part_of_individuals x i) (part_of_individuals y i).
Proof.
  intros N H; set (concerned := fun p => negb (is_in i p (rows_of p x) + is_in i p (rows_of p y) =? 0)).
  exists (filter concerned ps); repeat split; [now apply NoDup_filter| |].
  - intros p F; rewrite !rows_of_part; destruct (in_dec eq_dec p ps) as [I|I]; [|now apply dealt_to_perm, H].
    assert (E : concerned p = false) by (destruct (concerned p) eqn:E; auto; elim F; now apply filter_In).
    unfold concerned, is_in in E; destruct (dealt_to i p (rows_of p x)), (dealt_to i p (rows_of p y)); auto; discriminate.
  - clear N H; induction ps as [|p ps IH]; simpl; auto; unfold concerned at 1.
    destruct (Nat.eqb_spec (is_in i p (rows_of p x) + is_in i p (rows_of p y)) 0) as [Z|Z]; simpl; [lia|].
    apply Nat.add_le_mono; auto; unfold cost; rewrite !rows_of_part; unfold is_in in *.
    destruct (dealt_to i p (rows_of p x)), (dealt_to i p (rows_of p y)); simpl in *; lia.
Qed.

Theorem make_partition_individuals_by_categories_stable d x y : individuals eq_dec d x y ->
  parts_apart (individuals eq_dec) n (d * max_parts, d * max_parts, d) (part_of_individuals x) (part_of_individuals y).
Proof.
  intros (ps & N & H & L); exists (moved_in ps x y).
  pose proof (moved_in_all ps x y) as A; pose proof (differing_total n (moved_in ps x y)) as D.
  assert (total_cost eq_dec ps x y * max_parts <= d * max_parts) by now apply Nat.mul_le_mono_r.
  repeat split; auto using part_individuals; try lia.
  intros i _; pose proof (moved_in_each ps x y i); lia.
Qed.

(** No individual is in more than [max_parts] parts, and rows keep their individual. *)
Theorem few_parts p x : total n (fun i => match Dataset.rows_of eq_dec p (part_of_individuals x i) with [] => 0 | _ => 1 end) <= max_parts.
Proof.
  eapply Nat.le_trans; [|apply (in_few p (rows_of p x))]; apply total_le; intros i; unfold is_in; now rewrite rows_of_part.
Qed.
End Individuals.
