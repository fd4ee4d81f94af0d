(** [make_sum_by_categories]: the exact sum of the numbers of each category. *)
Require Import Reals Lra List.
From DP Require Import Dataset Totals Rounding Maps categories.
Open Scope R_scope.

Section Sum.
Context {K : Type} (position : K -> option nat) (C : category_metric) (n : nat) (l u : R) (Hlu : l <= u).

Theorem make_sum_by_categories_stable M d x y :
  (forall row, In row x \/ In row y -> l <= snd row <= u) -> apart M d x y ->
  norm C n (vminus (total (contribution position) x) (total (contribution position) y)) <=
  moved d (step C (unit M) (magnitude l u) (range l u)).
Proof.
  intros B H; apply by_category_stable; auto using magnitude_nonneg, range_nonneg.
  - intros row I; apply magnitude_sound; auto.
  - intros a b Ia Ib; apply range_sound; auto.
Qed.
End Sum.
