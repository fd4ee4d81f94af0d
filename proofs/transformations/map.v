(** [make_map]: the caller's function on every row, or a stand-in for images outside of the declared domain. *)
Require Import List.
From DP Require Import Dataset.

Section Map.
Context {A B : Type} (g : A -> B) (member : B -> bool) (otherwise : B) (Ho : member otherwise = true).
Definition image (a : A) : B := if member (g a) then g a else otherwise.

Theorem image_member a : member (image a) = true.
Proof. unfold image; destruct (member (g a)) eqn:E; auto. Qed.

Theorem make_map_stable M d x y : apart M d x y -> apart M d (List.map image x) (List.map image y).
Proof. apply apart_map. Qed.
End Map.
