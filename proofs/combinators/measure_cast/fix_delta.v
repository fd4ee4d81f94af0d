(** [make_fix_delta]: a profile, read at one delta, by events and by mixtures. *)
Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Countable Measures Mixtures.
Open Scope R_scope.

(** An epsilon at which the profile is at most delta, or an infinite one, which promises nothing. *)
Theorem make_fix_delta_events {Y} profile epsilon delta (P Q : dist Y) : 0 <= epsilon -> profile epsilon <= delta ->
  smoothed_max_divergence profile P Q -> close epsilon delta P Q /\ close epsilon delta Q P.
Proof.
  intros E D H; destruct (H epsilon E); split; (eapply close_mono; [apply Rle_refl|exact D|auto]).
Qed.

Theorem make_fix_delta (w v : nat -> R) Hw Hv (w1 : is_series w 1) (v1 : is_series v 1) profile epsilon delta :
  let P := countable w Hw w1 in let Q := countable v Hv v1 in
  0 <= epsilon -> profile epsilon <= delta -> 0 <= delta <= 1 ->
  smoothed_max_divergence profile P Q -> approximate max_divergence epsilon delta P Q.
Proof.
  intros P Q E D B H; destruct (make_fix_delta_events profile epsilon delta P Q E D H).
  now apply close_approximate.
Qed.
