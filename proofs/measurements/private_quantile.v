(** [make_private_quantile]: selection by how many rows too many lie on one side of a candidate. *)
Require Import Reals Lra Lia List Sorted.
From DP Require Import Expect Dataset Totals Measures Rounding Maps exponential permute_and_flip quantile_scores.
Import ListNotations.
Open Scope R_scope.

Section Quantile.
(** The rows, the candidates and their scores are those of [quantile_scores.v]. *)
Context {T : Type} (le : T -> T -> bool).
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Variables (candidates : list T) (rising : StronglySorted (fun a b => lt le a b = true) candidates).
Variables (level : nat) (Hlevel : (level <= units)%nat).
Notation n := (length candidates).
Definition quantile_scores (rows : list T) : vector := fun j => score le candidates level rows j.

Lemma quantile_scores_stable M (size : option nat) d x y :
  (forall k, size = Some k -> length x = k /\ length y = k) -> apart M d x y ->
  distance false n (quantile_scores x) (quantile_scores y) <= quantile_map level M (if size then true else false) d.
Proof. intros S H; exact (make_quantile_scores_stable le le_trans le_total candidates rising level Hlevel M size d x y S H). Qed.

(** The winner of the scores at a scale in the same units, then its candidate. *)
Variables (candidate : nat -> T) (Hn : (0 < n)%nat) (scale : R) (Hs : 0 < scale).
Definition quantile_range (M : row_metric) (sized : bool) (d : nat) : R :=
  selection_range false (quantile_map level M sized d) scale.
Definition quantile_eta (M : row_metric) (sized : bool) (d : nat) : R :=
  selection_eta false (quantile_map level M sized d) scale.

Section Neighbors.
Variables (M : row_metric) (size : option nat) (d : nat) (x y : list T).
Hypotheses (sized : forall k, size = Some k -> length x = k /\ length y = k) (near : apart M d x y).

Theorem make_private_quantile_pure :
  max_divergence (quantile_range M (if size then true else false) d)
    (dmap candidate (flip n Hn scale Hs (quantile_scores x))) (dmap candidate (flip n Hn scale Hs (quantile_scores y))).
Proof.
  destruct (make_permute_and_flip n Hn scale Hs false _ _ _ (quantile_scores_stable M size d x y sized near)).
  split; now apply Approx.post_processing.
Qed.
Theorem make_private_quantile_range :
  range_divergence (quantile_range M (if size then true else false) d)
    (dmap candidate (select n Hn scale (quantile_scores x))) (dmap candidate (select n Hn scale (quantile_scores y))).
Proof.
  destruct (make_exponential_range n Hn scale Hs false _ _ _ (quantile_scores_stable M size d x y sized near)) as (t & U & L).
  exists t; split; now apply Approx.post_processing.
Qed.
Theorem make_private_quantile_zero_concentrated :
  zero_concentrated (selection_rho (quantile_eta M (if size then true else false) d))
    (dmap candidate (select n Hn scale (quantile_scores x))) (dmap candidate (select n Hn scale (quantile_scores y))).
Proof.
  destruct (make_exponential_zero_concentrated n Hn scale Hs false _ _ _ (quantile_scores_stable M size d x y sized near)).
  split; now apply DualRenyi.zCDP_post_processing.
Qed.
End Neighbors.
End Quantile.
