(** Steps on single rows: a function of the last part of every row. *)
Require Import List.
From DP Require Import Dataset Rows.
Import ListNotations.

Section Last.
Context (parts : list Type) {L E : Type} (g : L -> E).
Definition on_last_part (r : row parts L) : row parts E := replace parts r (g (last_of parts r)).

Theorem on_last_part_member t (p : L -> Prop) (q : E -> Prop) r :
  (forall v, p v -> q (g v)) -> row_member parts t p r -> row_member parts t q (on_last_part r).
Proof. intros H M; apply member_replace with p; auto; apply H; eapply member_last; eauto. Qed.

Theorem on_last_part_rows M d x y : apart M d x y -> apart M d (map on_last_part x) (map on_last_part y).
Proof. apply apart_map. Qed.
End Last.

(** Keyed rows, in individuals: the last part is behind the key, which stays. *)
Theorem on_last_part_individuals {K L E} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts (g : L -> E) d
    (x y : list (row (K :: parts) L)) : individuals (V := row parts L) eq_dec d x y ->
  individuals (V := row parts E) eq_dec d (map (on_last_part (K :: parts) g) x) (map (on_last_part (K :: parts) g) y).
Proof. exact (map_individuals eq_dec (on_last_part parts g) d x y). Qed.
