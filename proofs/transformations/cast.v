(** [make_cast]: a value of another type, if there is one and it is a member of the new domain. *)
Require Import List.
From DP Require Import Dataset Rows row_by_row.
Import ListNotations.

Section Cast.
Context {S T : Type} (is_nan : S -> bool) (depth : nat) (cast : S -> option T) (to : T -> bool).
Definition cast_value (v : nullable depth S) : option T :=
  match present_value is_nan depth v with
  | Some s => match cast s with Some t => if to t then Some t else None | None => None end
  | None => None
  end.

Theorem cast_value_member v : match cast_value v with Some t => to t = true | None => True end.
Proof.
  unfold cast_value; destruct (present_value is_nan depth v) as [s|]; auto; destruct (cast s) as [t|]; auto.
  destruct (to t) eqn:E; auto.
Qed.

Theorem make_cast_member parts t p r : row_member parts t p r ->
  row_member parts t (fun v => match v with Some v => to v = true | None => True end) (on_last_part parts cast_value r).
Proof. apply on_last_part_member; intros v _; apply cast_value_member. Qed.

Theorem make_cast_rows parts M d x y : apart M d x y ->
  apart M d (map (on_last_part parts cast_value) x) (map (on_last_part parts cast_value) y).
Proof. apply on_last_part_rows. Qed.

Theorem make_cast_individuals {K} (eq_dec : forall p q : K, {p = q} + {p <> q}) parts d
    (x y : list (row (K :: parts) (nullable depth S))) : individuals (V := row parts _) eq_dec d x y ->
  individuals (V := row parts _) eq_dec d (map (on_last_part (K :: parts) cast_value) x) (map (on_last_part (K :: parts) cast_value) y).
Proof. apply on_last_part_individuals. Qed.
End Cast.
