(** What is made of each individual's own rows, whatever their order: no more individuals differ afterwards. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset.
Import ListNotations.

Section PerIndividual.
Context {K V W : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).
(** The rows of an individual afterwards. *)
Context (f : K -> list V -> list W).
Hypothesis f_order : forall p l m, Permutation l m -> Permutation (f p l) (f p m).
Hypothesis f_nobody : forall p, f p [] = [].

(** The rows in any order, those of each individual made of the same individual's. *)
Definition per_individual (x : list (K * V)) (out : list (K * W)) : Prop :=
  forall p, Permutation (rows_of eq_dec p out) (f p (rows_of eq_dec p x)).

Lemma per_individual_cost x y out_x out_y p : per_individual x out_x -> per_individual y out_y ->
  cost eq_dec p out_x out_y <= cost eq_dec p x y.
Proof.
  intros Hx Hy; specialize (Hx p); specialize (Hy p); unfold cost.
  destruct (rows_of eq_dec p x) as [|a l].
  - rewrite f_nobody in Hx; apply Permutation_sym, Permutation_nil in Hx; rewrite Hx; lia.
  - destruct (rows_of eq_dec p y) as [|b m].
    + rewrite f_nobody in Hy; apply Permutation_sym, Permutation_nil in Hy; rewrite Hy.
      destruct (rows_of eq_dec p out_x); lia.
    + destruct (rows_of eq_dec p out_x), (rows_of eq_dec p out_y); lia.
Qed.

Theorem per_individual_stable d x y out_x out_y : per_individual x out_x -> per_individual y out_y ->
  individuals eq_dec d x y -> individuals eq_dec d out_x out_y.
Proof.
  intros Hx Hy (ps & N & H & C); exists ps; repeat split; auto.
  - intros p Hp; eapply Permutation_trans; [apply Hx|].
    eapply Permutation_trans; [apply f_order, H, Hp|apply Permutation_sym, Hy].
  - apply Nat.le_trans with (total_cost eq_dec ps x y); auto.
    clear H C N; induction ps as [|p ps IH]; simpl; auto.
    apply Nat.add_le_mono; auto; now apply per_individual_cost.
Qed.
End PerIndividual.

(** An individual's rows told apart by what they are in some columns. *)
Section Groups.
Context {V G : Type} (eq_dec : forall g h : G, {g = h} + {g <> h}) (key : V -> G).

Definition groups (rows : list V) : list G := nodup eq_dec (map key rows).
Definition group (g : G) (rows : list V) : list V :=
  filter (fun v => if eq_dec (key v) g then true else false) rows.

Lemma groups_order l m : Permutation l m -> Permutation (groups l) (groups m).
Proof.
  intros H; apply NoDup_Permutation; try apply NoDup_nodup.
  intros g; unfold groups; rewrite !nodup_In; split; apply Permutation_in;
    [|apply Permutation_sym]; now apply Permutation_map.
Qed.

Lemma filter_order (h : V -> bool) l m : Permutation l m -> Permutation (filter h l) (filter h m).
Proof.
  induction 1; simpl; auto.
  - destruct (h x); auto.
  - destruct (h x), (h y); auto; apply perm_swap.
  - eapply Permutation_trans; eauto.
Qed.

Lemma group_order g l m : Permutation l m -> Permutation (group g l) (group g m).
Proof. apply filter_order. Qed.
End Groups.
