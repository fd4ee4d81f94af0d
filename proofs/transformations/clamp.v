(** [make_clamp]: the bounds hold afterwards, and no two datasets move apart. *)
Require Import Reals Lra List.
From DP Require Import Dataset.
Open Scope R_scope.

Section Clamp.
Variables (l u : R) (Hlu : l <= u).

(** In the order of the code: [row > upper], then [row >= lower], then what is left. *)
Definition clamp (v : R) : R := if Rlt_dec u v then u else if Rle_dec l v then v else l.

Theorem clamp_member v : l <= clamp v <= u.
Proof. unfold clamp; destruct (Rlt_dec u v); [lra|]; destruct (Rle_dec l v); lra. Qed.

Theorem make_clamp_rows M d x y : apart M d x y -> apart M d (map clamp x) (map clamp y).
Proof. apply apart_map. Qed.

(** Rows that are pairs: the last part is clamped, whatever stands before it. *)
Theorem make_clamp_pairs {A} M d (x y : list (A * R)) : apart M d x y ->
  apart M d (map (on_value clamp) x) (map (on_value clamp) y).
Proof. apply apart_map. Qed.

(** Keyed rows, in individuals; [g] clamps the last part of a value. *)
Theorem make_clamp_individuals {K V} (eq_dec : forall p q : K, {p = q} + {p <> q}) (g : V -> V) d x y :
  individuals eq_dec d x y -> individuals eq_dec d (map (on_value g) x) (map (on_value g) y).
Proof. apply map_individuals. Qed.
End Clamp.
