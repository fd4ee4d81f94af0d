(** [make_population_amplification]: data that are a set of the rows of a population, every set as likely. *)
Require Import Reals Lra List Permutation.
From DP Require Import Expect Approx Dataset Rounding Amplification Draws sampling_without_replacement.
Open Scope R_scope.

(** The law of a release over the draw of the data and the randomness of the measurement. *)
Definition of_a_set {A B} (n : nat) (population : list A) (M : list A -> dist B) (P : dist B) : Prop :=
  forall f, unit_test f -> Ex P f = / INR (length (sets n population)) * addup (map (fun s => Ex (M s) f) (sets n population)).

Theorem make_population_amplification {A B} (n m d : nat) (e del u : R) (M : list A -> dist B) : 0 <= e -> 0 <= del ->
  (1 <= n <= m)%nat -> amplified (rate d n m) e <= u ->
  (forall s t, length s = n -> Permutation s t -> forall f, unit_test f -> Ex (M s) f = Ex (M t) f) ->
  (forall s t, length s = n -> change_one d s t -> close e del (M s) (M t)) ->
  forall x y P Q, length x = m -> change_one d x y -> of_a_set n x M P -> of_a_set n y M Q ->
  close (Rmin u e) (inf_mul (rate d n m) (Rmin del 1)) P Q.
Proof.
  intros He Hdel Hn Hu OM HM x y P Q Lx C HP HQ f Hf; pose proof (change_one_length _ _ _ C) as Lxy.
  rewrite HP, HQ by auto.
  rewrite <- (every_set n x (fun s => Ex (M s) f)), <- (every_set n y (fun s => Ex (M s) f)) by (rewrite <- ?Lxy, Lx; apply Hn).
  now apply (make_sampling_without_replacement n m d e del u M He Hdel Hn Hu OM HM x y Lx C f Hf).
Qed.
