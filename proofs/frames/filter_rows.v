(** [make_filter_rows]: the rows for which a condition is true, and not those for which it is false or missing. *)
Require Import List.
From DP Require Import Dataset Rows Replaced.
From DP.Transformations Require Import filter.
Import ListNotations.

Inductive truth := False | Missing | True.
Definition is_true (t : truth) : bool := match t with True => true | _ => false end.

Section Filter.
Context {A : Type} (condition : A -> truth).
Definition kept (x : list A) : list A := keep (if_holds (fun row => is_true (condition row))) x.

Theorem make_filter_rows_members x row : In row (kept x) <-> In row x /\ condition row = True.
Proof.
  unfold kept; rewrite make_filter_members; destruct (condition row); simpl; intuition discriminate.
Qed.

Theorem make_filter_rows_rows M d x y : apart M d x y -> apart (filtered M) (filter_distance M d) (kept x) (kept y).
Proof. apply make_filter_rows. Qed.
End Filter.

Theorem make_filter_rows_individuals {K V} (eq_dec : forall p q : K, {p = q} + {p <> q}) (condition : K * V -> truth) d x y :
  individuals eq_dec d x y -> individuals eq_dec d (kept condition x) (kept condition y).
Proof. apply make_filter_individuals. Qed.

Theorem make_filter_rows_replaced {K V} (eq_dec : forall p q : K, {p = q} + {p <> q}) (condition : K * V -> truth) d x y :
  replaced eq_dec d x y -> replaced eq_dec d (kept condition x) (kept condition y).
Proof. unfold kept; rewrite !keep_if_holds; apply keep_replaced. Qed.
