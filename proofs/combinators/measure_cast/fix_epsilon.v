(** [make_fix_epsilon]: a profile, read at one epsilon. *)
Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Countable Measures fix_delta.
Open Scope R_scope.

Theorem make_fix_epsilon_events {Y} profile epsilon (P Q : dist Y) : 0 <= epsilon ->
  smoothed_max_divergence profile P Q -> close epsilon (profile epsilon) P Q /\ close epsilon (profile epsilon) Q P.
Proof. intros E H; now apply H. Qed.

Theorem make_fix_epsilon (w v : nat -> R) Hw Hv (w1 : is_series w 1) (v1 : is_series v 1) profile epsilon :
  let P := countable w Hw w1 in let Q := countable v Hv v1 in
  0 <= epsilon -> 0 <= profile epsilon <= 1 ->
  smoothed_max_divergence profile P Q -> approximate max_divergence epsilon (profile epsilon) P Q.
Proof. intros P Q E B H; apply (make_fix_delta w v Hw Hv w1 v1 profile); auto; lra. Qed.
