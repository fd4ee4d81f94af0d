(** [make_count_by]: the number of rows of each key. *)
Require Import Reals Lra List.
From DP Require Import Dataset Totals keys.
Open Scope R_scope.

Section Count.
Context {K : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
Definition counts (x : list K) (k : K) : R := INR (count_occ eq_dec x k).

Lemma counts_entry x k : counts x k = entry eq_dec (map (fun k => (k, 1)) x) k.
Proof.
  unfold counts; induction x as [|a x IH]; cbn [count_occ map entry fst snd]; [reflexivity|].
  destruct (eq_dec a k), (eq_dec k a); try congruence; rewrite <- IH, ?S_INR; ring.
Qed.

Theorem make_count_by_stable M MO d x y : apart M d x y -> map_apart MO (map_moved MO d (unit M) 1 0) (counts x) (counts y).
Proof.
  intros H.
  assert (X : map_apart MO (map_moved MO d (unit M) 1 0) (entry eq_dec (map (fun k => (k, 1)) x)) (entry eq_dec (map (fun k => (k, 1)) y))).
  { apply by_key_stable; try lra; [| |now apply apart_map].
    - intros row [I|I]; apply in_map_iff in I; destruct I as (k & <- & _); simpl; rewrite Rabs_R1; lra.
    - intros a b Ia Ib; apply in_map_iff in Ia, Ib; destruct Ia as (k & <- & _), Ib as (k' & <- & _); simpl.
      rewrite Rminus_eq_0, Rabs_R0; lra. }
  destruct (map_moved MO d (unit M) 1 0) as [[keys norm] greatest]; intros ks N n u; specialize (X ks N).
  assert (E : forall j, u j = difference ks (entry eq_dec (map (fun k => (k, 1)) x)) (entry eq_dec (map (fun k => (k, 1)) y)) j).
  { intros j; unfold u, difference; destruct (nth_error ks j); auto; now rewrite !counts_entry. }
  rewrite (norm_ext _ (support_seminorm n) _ _ E), (norm_ext _ (linf_seminorm n) _ _ E).
  destruct MO; simpl map_norm in *; [rewrite (norm_ext _ (l1_seminorm n) _ _ E)|rewrite (norm_ext _ (l2_seminorm n) _ _ E)]; exact X.
Qed.
End Count.
