(** [make_filter]: the rows for which a predicate holds. *)
Require Import List.
From DP Require Import Dataset Rows.
Import ListNotations.

(** [predicate(row).then(|| row.to_owned())]. *)
Definition if_holds {A} (predicate : A -> bool) (a : A) : option A := if predicate a then Some a else None.

Theorem make_filter_members {A} (predicate : A -> bool) x a :
  In a (keep (if_holds predicate) x) <-> In a x /\ predicate a = true.
Proof.
  induction x as [|b x IH]; simpl; [tauto|]; unfold if_holds at 1.
  destruct (predicate b) eqn:E; simpl; rewrite IH; split; try tauto.
  - intros [<-|]; tauto.
  - intros [[<-|] ]; [congruence|tauto].
Qed.

Theorem make_filter_rows {A} (predicate : A -> bool) M d x y : apart M d x y ->
  apart (filtered M) (filter_distance M d) (keep (if_holds predicate) x) (keep (if_holds predicate) y).
Proof. apply keep_apart. Qed.

Lemma keep_if_holds {K V} (predicate : K * V -> bool) (l : list (K * V)) :
  keep (if_holds predicate) l = keep (keyed (fun p v => if predicate (p, v) then Some v else None)) l.
Proof.
  induction l as [|[p v] l IH]; simpl; auto; unfold if_holds at 1, keyed at 1; simpl.
  destruct (predicate (p, v)); now rewrite IH.
Qed.

Theorem make_filter_individuals {K V} (eq_dec : forall p q : K, {p = q} + {p <> q}) (predicate : K * V -> bool) d x y :
  individuals eq_dec d x y -> individuals eq_dec d (keep (if_holds predicate) x) (keep (if_holds predicate) y).
Proof. rewrite !keep_if_holds; apply keep_individuals. Qed.

(** The factor 2 is attained: a row replaced in place, kept before and after. *)
Theorem filter_replaced : let x := [true] in let y := [false] in hamming 1 x y /\
  ~ symmetric 1 (keep (if_holds (fun _ => true)) x) (keep (if_holds (fun _ => true)) y).
Proof.
  split; [repeat constructor|]; intros (c & r & s & Hx & Hy & L); simpl in *.
  apply Permutation.Permutation_length in Hx as Lx; apply Permutation.Permutation_length in Hy as Ly.
  rewrite app_length in *; simpl in *.
  destruct c as [|b [|]]; simpl in *; try (exfalso; Lia.lia).
  assert (b = true) by (apply Permutation.Permutation_sym, (Permutation.Permutation_in b) in Hx;
    [destruct Hx as [|[]]; auto|apply in_or_app; right; now left]).
  assert (b = false) by (apply Permutation.Permutation_sym, (Permutation.Permutation_in b) in Hy;
    [destruct Hy as [|[]]; auto|apply in_or_app; right; now left]).
  congruence.
Qed.
