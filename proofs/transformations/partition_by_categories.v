(** [make_partition_by_categories]: rows dealt to parts, one for each category. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset Rows.
Import ListNotations.

(** Lists of parts ([PartitionDistance]): how many differ, how far they are apart together, and the farthest. *)
Section Distance.
Context {B : Type} (part_apart : nat -> list B -> list B -> Prop).
Fixpoint total (n : nat) (f : nat -> nat) : nat := match n with O => 0 | S n => total n f + f n end.
Fixpoint differing (n : nat) (f : nat -> nat) : nat :=
  match n with O => 0 | S n => differing n f + match f n with O => 0 | S _ => 1 end end.
Definition parts_apart (n : nat) (d : nat * nat * nat) (x y : nat -> list B) : Prop :=
  let '(parts, all, greatest) := d in exists f, (forall i, i < n -> part_apart (f i) (x i) (y i)) /\
    differing n f <= parts /\ total n f <= all /\ forall i, i < n -> f i <= greatest.

Lemma differing_total n f : differing n f <= total n f.
Proof. induction n; simpl; [lia|]; destruct (f n); lia. Qed.
Lemma part_total n f i : i < n -> f i <= total n f.
Proof.
  induction n as [|n IH]; simpl; [lia|]; intros H; destruct (Nat.eq_dec i n) as [->|]; [lia|].
  assert (f i <= total n f) by (apply IH; lia); lia.
Qed.
Lemma by_total n d x y : (exists f, (forall i, part_apart (f i) (x i) (y i)) /\ total n f <= d) ->
  parts_apart n (d, d, d) x y.
Proof.
  intros (f & H & L); exists f; pose proof (differing_total n f); repeat split; auto; try lia.
  intros i I; pose proof (part_total n f i I); lia.
Qed.
Lemma total_plus n f g : total n (fun i => f i + g i) = total n f + total n g.
Proof. induction n; simpl; lia. Qed.
Lemma total_le n f g : (forall i, f i <= g i) -> total n f <= total n g.
Proof. intros H; induction n; simpl; auto; specialize (H n); lia. Qed.
Lemma total_zero n : total n (fun _ => 0) = 0.
Proof. induction n; simpl; lia. Qed.
Lemma total_one n j c : total n (fun i => if i =? j then c else 0) <= c.
Proof.
  assert (E : total n (fun i => if i =? j then c else 0) = if j <? n then c else 0).
  { induction n as [|n IH]; simpl; auto; rewrite IH.
    destruct (Nat.ltb_spec j n), (Nat.ltb_spec j (S n)), (Nat.eqb_spec n j); lia. }
  rewrite E; destruct (j <? n); lia.
Qed.
End Distance.

Section Partition.
Context {K V : Type} (slot : K -> nat) (n : nat).

(** [parts[index.slot(category)].push(rest)], if there is such a part. *)
Definition into (i : nat) (row : K * V) : option V := if i =? slot (fst row) then Some (snd row) else None.
Definition part (x : list (K * V)) (i : nat) : list V := keep (into i) x.

(** [PartitionMetric]: the metric of the parts, and the steps for one of the rows. *)
Definition step (M : row_metric) : nat :=
  match M with SymmetricDistance | InsertDeleteDistance => 1 | ChangeOneDistance | HammingDistance => 2 end.

Lemma dealt r : total n (fun i => length (part r i)) <= length r.
Proof.
  induction r as [|a r IH]; simpl; [now rewrite total_zero|].
  eapply Nat.le_trans; [apply (total_le n _ (fun i => (if i =? slot (fst a) then 1 else 0) + length (part r i)))|].
  - intros i; unfold part; simpl; unfold into at 1; destruct (i =? slot (fst a)); simpl; lia.
  - rewrite total_plus; pose proof (total_one n (slot (fst a)) 1); lia.
Qed.

Lemma symmetric_parts d x y : symmetric d x y ->
  exists f, (forall i, symmetric (f i) (part x i) (part y i)) /\ total n f <= d.
Proof.
  intros (c & r & s & Hx & Hy & L); exists (fun i => length (part r i) + length (part s i)); split.
  - intros i; exists (part c i), (part r i), (part s i); unfold part; rewrite <- !keep_app; auto using keep_perm.
  - rewrite total_plus; pose proof (dealt r); pose proof (dealt s); lia.
Qed.

Lemma insert_delete_parts d x y : insert_delete d x y ->
  exists f, (forall i, insert_delete (f i) (part x i) (part y i)) /\ total n f <= d.
Proof.
  induction 1 as [d|d a x y _ (f & H & L)|d a x y _ (f & H & L)|d a x y _ (f & H & L)].
  - exists (fun _ => 0); split; [intros; constructor|rewrite total_zero; lia].
  - exists f; split; auto; intros i; unfold part; simpl; destruct (into i a); [constructor|]; apply H.
  - exists (fun i => (if i =? slot (fst a) then 1 else 0) + f i); split.
    + intros i; unfold part; simpl; unfold into at 1; destruct (i =? slot (fst a)); [constructor|]; apply H.
    + rewrite total_plus; pose proof (total_one n (slot (fst a)) 1); lia.
  - exists (fun i => (if i =? slot (fst a) then 1 else 0) + f i); split.
    + intros i; unfold part; simpl; unfold into at 2; destruct (i =? slot (fst a)); [constructor|]; apply H.
    + rewrite total_plus; pose proof (total_one n (slot (fst a)) 1); lia.
Qed.

Theorem make_partition_by_categories_stable M d x y : apart M d x y ->
  parts_apart (apart (filtered M)) n (d * step M, d * step M, d * step M) (part x) (part y).
Proof.
  intros H; apply by_total; destruct M; simpl in *; rewrite ?Nat.mul_1_r.
  - now apply symmetric_parts.
  - now apply insert_delete_parts.
  - rewrite Nat.mul_comm; now apply symmetric_parts, change_one_symmetric.
  - rewrite Nat.mul_comm; now apply insert_delete_parts, hamming_insert_delete.
Qed.

Theorem part_members x i v : In v (part x i) -> exists k, In (k, v) x /\ slot k = i.
Proof.
  unfold part; induction x as [|[k w] x IH]; simpl; [contradiction|]; unfold into at 1; simpl.
  destruct (Nat.eqb_spec i (slot k)) as [E|N]; simpl.
  - intros [->|I]; [exists k; auto|]; destruct (IH I) as (q & J & F); exists q; auto.
  - intros I; destruct (IH I) as (q & J & F); exists q; auto.
Qed.
End Partition.
