(** [make_pair_part]: one part of every row. *)
Require Import List.
From DP Require Import Dataset.

(** The way to a part ([HasPart]): first or second of a pair, and on from there. *)
Inductive has_part : Type -> Type -> Type :=
  | First A B : has_part (A * B) A
  | Second A B : has_part (A * B) B
  | InFirst A B C : has_part A C -> has_part (A * B) C
  | InSecond A B C : has_part B C -> has_part (A * B) C.

Fixpoint part_of {R C} (way : has_part R C) : R -> C :=
  match way in has_part R C return R -> C with
  | First A B => fst
  | Second A B => snd
  | InFirst A B C way => fun r => part_of way (fst r)
  | InSecond A B C way => fun r => part_of way (snd r)
  end.

(** Domains go the same way: a pair is a member if both parts are. *)
Inductive domain : Type -> Type :=
  | Atom T : (T -> Prop) -> domain T
  | Pair A B : domain A -> domain B -> domain (A * B).
Fixpoint member {T} (D : domain T) : T -> Prop :=
  match D in domain T return T -> Prop with
  | Atom T p => p
  | Pair A B D E => fun r => member D (fst r) /\ member E (snd r)
  end.
Inductive part : forall {R C}, has_part R C -> domain R -> domain C -> Prop :=
  | part_first A B D E : part (First A B) (Pair A B D E) D
  | part_second A B D E : part (Second A B) (Pair A B D E) E
  | part_in_first A B C way D E F : part way D F -> part (InFirst A B C way) (Pair A B D E) F
  | part_in_second A B C way D E F : part way E F -> part (InSecond A B C way) (Pair A B D E) F.

Theorem part_of_member R C (way : has_part R C) D E r : part way D E -> member D r -> member E (part_of way r).
Proof. induction 1; simpl; intros [H1 H2]; auto. Qed.

Theorem make_pair_part_rows {R C} (way : has_part R C) M d x y :
  apart M d x y -> apart M d (map (part_of way) x) (map (part_of way) y).
Proof. apply apart_map. Qed.

(** Under individuals the way begins behind the key, which stays. *)
Theorem make_pair_part_individuals {K R C} (eq_dec : forall p q : K, {p = q} + {p <> q}) (way : has_part R C) d x y :
  individuals eq_dec d x y -> individuals eq_dec d (map (on_value (part_of way)) x) (map (on_value (part_of way)) y).
Proof. apply map_individuals. Qed.
