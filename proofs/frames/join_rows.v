(** [make_join_rows]: the left rows of each individual, each with the first of the individual's right rows that agree with
    it, in an order of rows. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset PerIndividual Replaced.
From DP.Transformations Require Import bound_contributions.
Import ListNotations.

Section Join.
Context {K V A : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
(** Which rows are left and right ones, whether a right row agrees with a left one, and its values. *)
Context (left right : V -> bool) (agrees : V -> V -> bool) (values : V -> A).
(** A total order in which ties are equal: by hash, and then by what is hashed. *)
Context (le : V -> V -> bool).
Hypothesis le_total : forall a b, le a b = true \/ le b a = true.
Hypothesis le_trans : forall a b c, le a b = true -> le b c = true -> le a c = true.
Hypothesis le_antisym : forall a b, le a b = true -> le b a = true -> a = b.
Variables (max_matches : nat) (keeps : bool).

Definition matches (rows : list V) (l : V) : list V :=
  firstn max_matches (sort le (filter (fun r => andb (right r) (agrees l r)) rows)).
Definition pairs (rows : list V) (l : V) : list (V * option A) :=
  match matches rows l with
  | [] => if keeps then [(l, None)] else []
  | found => map (fun r => (l, Some (values r))) found
  end.
Definition joined (_ : K) (rows : list V) : list (V * option A) := flat_map (pairs rows) (filter left rows).

Lemma matches_order l rows others : Permutation rows others -> matches rows l = matches others l.
Proof.
  intros H; unfold matches; f_equal; apply (sort_permutation le le_total le_trans le_antisym).
  now apply filter_order.
Qed.

Lemma joined_order p rows others : Permutation rows others -> Permutation (joined p rows) (joined p others).
Proof.
  intros H; unfold joined.
  rewrite (flat_map_ext (pairs rows) (pairs others)).
  - now apply Permutation_flat_map, filter_order.
  - intros l; unfold pairs; now rewrite (matches_order l rows others H).
Qed.

Theorem make_join_rows_stable d x y out_x out_y :
  per_individual eq_dec joined x out_x -> per_individual eq_dec joined y out_y ->
  individuals eq_dec d x y -> individuals eq_dec d out_x out_y.
Proof. apply per_individual_stable; [exact joined_order|reflexivity]. Qed.

Theorem make_join_rows_replaced d x y out_x out_y :
  per_individual eq_dec joined x out_x -> per_individual eq_dec joined y out_y ->
  replaced eq_dec d x y -> replaced eq_dec d out_x out_y.
Proof. apply per_individual_replaced; [exact joined_order|reflexivity]. Qed.

(** What time and memory are bounded by. *)
Theorem make_join_rows_rows p rows : 1 <= max_matches -> length (joined p rows) <= length rows * max_matches.
Proof.
  intros M; apply Nat.le_trans with (length (filter left rows) * max_matches).
  - unfold joined; induction (filter left rows) as [|l ls IH]; simpl; auto; rewrite app_length.
    assert (length (pairs rows l) <= max_matches); [|lia].
    unfold pairs; assert (length (matches rows l) <= max_matches) by apply firstn_le_length.
    destruct (matches rows l) as [|r rs]; [destruct keeps; simpl; lia|now rewrite map_length].
  - apply Nat.mul_le_mono_r; clear; induction rows as [|a rows IH]; simpl; auto; destruct (left a); simpl; lia.
Qed.
End Join.
