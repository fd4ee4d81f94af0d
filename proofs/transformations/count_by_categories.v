(** [make_count_by_categories]: every row counts as one, in the entry of its category. *)
Require Import Reals Lra List.
From DP Require Import Dataset Totals Rounding Maps categories.
Open Scope R_scope.

Section Count.
Context {K : Type} (position : K -> option nat) (C : category_metric) (n : nat).

Definition counts (x : list K) : vector := total (fun k => single (position k) 1) x.

Theorem make_count_by_categories_stable M d x y : apart M d x y ->
  norm C n (vminus (counts x) (counts y)) <= moved d (step C (unit M) 1 0).
Proof.
  intros H.
  assert (E : forall x j, counts x j = total (contribution position) (map (fun k => (k, 1)) x) j).
  { clear; intros x j; unfold counts; induction x; simpl; auto; unfold vplus; now rewrite IHx. }
  rewrite (norm_ext _ (norm_seminorm C n) _ (vminus (total (contribution position) (map (fun k => (k, 1)) x))
    (total (contribution position) (map (fun k => (k, 1)) y)))) by (intros j; unfold vminus; now rewrite !E).
  apply by_category_stable; try lra; [| |now apply apart_map].
  - intros row [I|I]; apply in_map_iff in I; destruct I as (k & <- & _); simpl; rewrite Rabs_R1; lra.
  - intros a b Ia Ib; apply in_map_iff in Ia, Ib; destruct Ia as (k & <- & _), Ib as (k' & <- & _); simpl.
    rewrite Rminus_eq_0, Rabs_R0; lra.
Qed.
End Count.
