(** [make_sum_by]: the exact sum of the numbers of each key. *)
Require Import Reals Lra List.
From DP Require Import Dataset Rounding Maps keys.
Open Scope R_scope.

Section Sum.
Context {K : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}) (l u : R) (Hlu : l <= u).

Theorem make_sum_by_stable M MO d (x y : list (K * R)) :
  (forall row, In row x \/ In row y -> l <= snd row <= u) -> apart M d x y ->
  map_apart MO (map_moved MO d (unit M) (magnitude l u) (range l u)) (entry eq_dec x) (entry eq_dec y).
Proof.
  intros B H; apply by_key_stable; auto using magnitude_nonneg, range_nonneg.
  - intros row I; apply magnitude_sound; auto.
  - intros a b Ia Ib; apply range_sound; auto.
Qed.
End Sum.
