(** Keyed rows, counted in individuals replaced: as many as have rows that the other dataset does not have so, in the one
    dataset or in the other, whichever are more. *)
Require Import List Arith Lia Permutation.
From DP Require Import Dataset Rows PerIndividual.
Import ListNotations.

Section Replaced.
Context {K : Type} (eq_dec : forall p q : K, {p = q} + {p <> q}).

Definition present {V} (p : K) (x : list (K * V)) : nat := match rows_of eq_dec p x with [] => 0 | _ => 1 end.

Fixpoint total_present {V} (ps : list K) (x : list (K * V)) : nat :=
  match ps with [] => 0 | p :: ps => present p x + total_present ps x end.

(** The individuals [ps], of whom at most [d] have rows in [x], give place to at most [d] with rows in [y]. *)
Definition replaced {V} (d : nat) (x y : list (K * V)) := exists ps, NoDup ps /\
  (forall p, ~ In p ps -> Permutation (rows_of eq_dec p x) (rows_of eq_dec p y)) /\
  total_present ps x <= d /\ total_present ps y <= d.

(** A replaced individual is one removed and one added. *)
Theorem replaced_individuals {V} d (x y : list (K * V)) : replaced d x y -> individuals eq_dec (d * 2) x y.
Proof.
  intros (ps & N & H & Cx & Cy).
  exists (filter (fun p => 1 <=? present p x + present p y) ps); repeat split.
  - now apply NoDup_filter.
  - intros p Hp; destruct (in_dec eq_dec p ps) as [I|I]; [|now apply H].
    destruct (1 <=? present p x + present p y) eqn:E; [elim Hp; now apply filter_In|].
    apply Nat.leb_gt in E; unfold present in E.
    destruct (rows_of eq_dec p x), (rows_of eq_dec p y); simpl in E; try lia; constructor.
  - apply Nat.le_trans with (total_present ps x + total_present ps y); [|clear H; lia].
    clear; induction ps as [|p ps IH]; auto; cbn [filter total_present].
    destruct (1 <=? present p x + present p y) eqn:E; cbn [total_cost]; [|lia].
    assert (cost eq_dec p x y <= present p x + present p y); [|lia].
    apply Nat.leb_le in E; unfold present, cost in *; clear IH.
    destruct (rows_of eq_dec p x), (rows_of eq_dec p y); simpl in *; lia.
Qed.

(** An individual added or removed is replaced by nobody, or replaces nobody. *)
Theorem individuals_replaced {V} d (x y : list (K * V)) : individuals eq_dec d x y -> replaced d x y.
Proof.
  intros (ps & N & H & C); exists ps; repeat split; auto; apply Nat.le_trans with (total_cost eq_dec ps x y); auto;
    clear; induction ps as [|p ps IH]; simpl; auto; apply Nat.add_le_mono; auto; unfold present, cost;
    destruct (rows_of eq_dec p x), (rows_of eq_dec p y); lia.
Qed.

(** Images that are equal for an individual with equal rows, and nothing for one without, are no further apart. *)
Theorem replaced_images {V W} d (x y : list (K * V)) (out_x out_y : list (K * W)) :
  (forall p, Permutation (rows_of eq_dec p x) (rows_of eq_dec p y) ->
             Permutation (rows_of eq_dec p out_x) (rows_of eq_dec p out_y)) ->
  (forall p, rows_of eq_dec p x = [] -> rows_of eq_dec p out_x = []) ->
  (forall p, rows_of eq_dec p y = [] -> rows_of eq_dec p out_y = []) ->
  replaced d x y -> replaced d out_x out_y.
Proof.
  intros E Ex Ey (ps & N & H & Cx & Cy); exists ps; repeat split; auto.
  - apply Nat.le_trans with (total_present ps x); auto; clear - Ex; induction ps as [|p ps IH]; simpl; auto.
    apply Nat.add_le_mono; auto; specialize (Ex p); unfold present.
    destruct (rows_of eq_dec p x); [rewrite Ex|destruct (rows_of eq_dec p out_x)]; auto.
  - apply Nat.le_trans with (total_present ps y); auto; clear - Ey; induction ps as [|p ps IH]; simpl; auto.
    apply Nat.add_le_mono; auto; specialize (Ey p); unfold present.
    destruct (rows_of eq_dec p y); [rewrite Ey|destruct (rows_of eq_dec p out_y)]; auto.
Qed.

Theorem map_replaced {V W} (g : V -> W) d (x y : list (K * V)) :
  replaced d x y -> replaced d (map (on_value g) x) (map (on_value g) y).
Proof.
  apply replaced_images; intros p; rewrite !rows_of_map; [apply Permutation_map| |]; now intros ->.
Qed.

Theorem keep_replaced {V W} (h : K -> V -> option W) d (x y : list (K * V)) :
  replaced d x y -> replaced d (keep (keyed h) x) (keep (keyed h) y).
Proof.
  apply replaced_images; intros p; rewrite !rows_of_keep; [apply keep_perm| |]; now intros ->.
Qed.

Theorem per_individual_replaced {V W} (f : K -> list V -> list W) d x y out_x out_y :
  (forall p l m, Permutation l m -> Permutation (f p l) (f p m)) -> (forall p, f p [] = []) ->
  per_individual eq_dec f x out_x -> per_individual eq_dec f y out_y -> replaced d x y -> replaced d out_x out_y.
Proof.
  intros F E Hx Hy; apply replaced_images; intros p.
  - intros H; eapply Permutation_trans; [apply Hx|].
    eapply Permutation_trans; [apply F, H|apply Permutation_sym, Hy].
  - intros H; specialize (Hx p); rewrite H, E in Hx; now apply Permutation_nil, Permutation_sym.
  - intros H; specialize (Hy p); rewrite H, E in Hy; now apply Permutation_nil, Permutation_sym.
Qed.
End Replaced.
