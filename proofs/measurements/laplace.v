(** [make_laplace]: independent noise on each number of a vector; integers get the discrete law, other numbers the
    continuous one rounded to a grid. *)
Require Import Reals Lra Psatz Lia ZArith List.
From DP Require Import Expect Approx DiscreteLaplace RoundedLaplace Rounding Totals.
Import ListNotations.
Open Scope R_scope.

(** [map_of_quotient]: the exact ratio, rounded up once. *)
Definition laplace_map (s d : R) : R := if Req_EM_T d 0 then 0 else inf_div d s.

Lemma laplace_map_sound s c d : 0 < s -> c <= d -> c / s <= laplace_map s d.
Proof.
  intros Hs H; unfold laplace_map; destruct (Req_EM_T d 0).
  - apply Rmult_le_reg_r with s; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
  - apply inf_div_ge; lra.
Qed.

(** Independent draws: the exponents add up. *)
Section Vector.
Context {X Y : Type} (K : X -> dist Y) (cost : X -> X -> R).
Hypothesis scalar : forall x x', close (cost x x') 0 (K x) (K x').

Fixpoint each (xs : list X) : dist (list Y) :=
  match xs with [] => ret [] | x :: xs => bind (K x) (fun y => dmap (cons y) (each xs)) end.
Fixpoint total_cost (xs xs' : list X) : R :=
  match xs, xs' with x :: xs, x' :: xs' => cost x x' + total_cost xs xs' | _, _ => 0 end.

Theorem each_close xs xs' : length xs = length xs' -> close (total_cost xs xs') 0 (each xs) (each xs').
Proof.
  revert xs'; induction xs as [|x xs IH]; intros [|x' xs'] E; try discriminate.
  - intros f Hf; simpl; rewrite exp_0; lra.
  - cbn [each total_cost]; replace 0 with (0 + 0) by ring.
    apply adaptive_composition; [lra|apply scalar|]; intros y; apply post_processing, IH; now injection E.
Qed.
End Vector.

Lemma total_cost_scal {X} (c c' : X -> X -> R) s xs xs' : (forall x x', c x x' = c' x x' / s) ->
  total_cost c xs xs' = total_cost c' xs xs' / s.
Proof.
  intros H; revert xs'; induction xs as [|x xs IH]; intros [|x' xs']; simpl; try (unfold Rdiv; ring).
  rewrite H, IH; unfold Rdiv; ring.
Qed.

(** Costs of draws are of any inputs and add up in the order of a list; those that are sizes of differences add up to the
    distance in L1 ([Totals]). *)
Lemma total_cost_l1 xs xs' : length xs = length xs' -> total_cost (fun x x' => Rabs (x - x')) xs xs' = distance l1 xs xs'.
Proof.
  revert xs'; induction xs as [|x xs IH]; intros [|x' xs'] E; try discriminate; [reflexivity|].
  cbn [total_cost]; rewrite IH by (now injection E); now rewrite distance_l1_cons.
Qed.
Lemma total_cost_map {X X'} (h : X -> X') (c : X -> X -> R) (c' : X' -> X' -> R) xs xs' :
  (forall x x', c x x' = c' (h x) (h x')) -> total_cost c xs xs' = total_cost c' (map h xs) (map h xs').
Proof. intros H; revert xs'; induction xs as [|x xs IH]; intros [|x' xs']; simpl; auto; now rewrite H, IH. Qed.
Lemma total_cost_l1_integers xs xs' : length xs = length xs' ->
  total_cost (fun x x' => IZR (Z.abs (x - x'))) xs xs' = distance l1 (map IZR xs) (map IZR xs').
Proof.
  intros E; rewrite <- total_cost_l1 by (now rewrite !map_length).
  apply total_cost_map; intros x x'; now rewrite abs_IZR, minus_IZR.
Qed.

Section Mechanism.
Variables (s : R) (Hs : 0 < s).

(** Integers: a vector, in L1.  A single number is a vector of one. *)
Definition integers : list Z -> dist (list Z) := each (dlap_at (exp (- / s)) (scale_ok s Hs)).

Theorem make_laplace_integers xs xs' d : length xs = length xs' -> distance l1 (map IZR xs) (map IZR xs') <= d ->
  close (laplace_map s d) 0 (integers xs) (integers xs').
Proof.
  intros E H; eapply close_mono; [|apply Rle_refl|apply each_close with
    (cost := fun x x' => IZR (Z.abs (x - x')) / s); auto; intros; apply discrete_laplace_private].
  rewrite (total_cost_scal _ (fun x x' => IZR (Z.abs (x - x'))) s), total_cost_l1_integers by auto; now apply laplace_map_sound.
Qed.

(** Other numbers: the multiple [j g] of the grid's step [g] nearest to the number with noise of scale [s]. *)
Variables (g : R) (Hg : 0 < g).
Lemma steps_pos : 0 < s / g.
Proof. now apply Rdiv_lt_0_compat. Qed.
Definition multiples : list R -> dist (list Z) := each (fun x => rounded_laplace (s / g) steps_pos (x / g)).

Theorem make_laplace_numbers xs xs' d : length xs = length xs' -> distance l1 xs xs' <= d ->
  close (laplace_map s d) 0 (multiples xs) (multiples xs').
Proof.
  intros E H; eapply close_mono; [|apply Rle_refl|apply each_close with
    (cost := fun x x' => Rabs (x / g - x' / g) / (s / g)); auto; intros; apply rounded_laplace_private].
  rewrite (total_cost_scal _ (fun x x' => Rabs (x - x')) s); [rewrite total_cost_l1 by auto; now apply laplace_map_sound|].
  intros x x'; replace (x / g - x' / g) with ((x - x') / g) by (field; lra).
  unfold Rdiv at 2; rewrite Rabs_mult, (Rabs_pos_eq (/ g)) by (left; now apply Rinv_0_lt_compat); field; lra.
Qed.

(** What is released is a function of these: saturated integers, or multiples rounded to the nearest float. *)
Theorem make_laplace_released {Y} (release : list Z -> Y) xs xs' d :
  length xs = length xs' -> distance l1 xs xs' <= d ->
  close (laplace_map s d) 0 (dmap release (multiples xs)) (dmap release (multiples xs')).
Proof. intros; now apply post_processing, make_laplace_numbers. Qed.
Theorem make_laplace_released_integers {Y} (release : list Z -> Y) xs xs' d :
  length xs = length xs' -> distance l1 (map IZR xs) (map IZR xs') <= d ->
  close (laplace_map s d) 0 (dmap release (integers xs)) (dmap release (integers xs')).
Proof. intros; now apply post_processing, make_laplace_integers. Qed.
End Mechanism.
