(** [make_mean]: the exact mean of a known number of bounded numbers, rounded on the grid. *)
Require Import Reals Lra Lia List.
From DP Require Import Dataset Rounding Maps moments.
Open Scope R_scope.

Section Mean.
Variables (l u : R) (n : nat) (Hn : (1 <= n)%nat).
Definition mean (x : list R) : R := sum_of (fun v => v) x / INR n.

Theorem make_mean_stable M d x y : l <= u -> (forall v, In v x \/ In v y -> l <= v <= u) -> length x = n -> length y = n ->
  apart M d x y -> Rabs (on_grid (mean x) - on_grid (mean y)) <= map_of_replacements M (per (range l u) n) d.
Proof.
  intros Hlu B Lx Ly H; pose proof (range_nonneg l u Hlu).
  apply (statistic_stable (fun v => l <= v <= u) mean n); auto using per_float.
  - intros a b P; unfold mean; now rewrite (sum_of_perm _ _ _ P).
  - intros a b c E Ia Ib _; unfold mean, sum_of; cbn [fold_right].
    assert (P : 0 < INR n) by (apply lt_0_INR; lia).
    match goal with |- Rabs ((a + ?s) / _ - (b + ?s) / _) <= _ => replace ((a + s) / INR n - (b + s) / INR n) with ((a - b) / INR n) by (field; lra) end.
    unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ INR n)) by (left; now apply Rinv_0_lt_compat).
    apply (per_sound (Rabs (a - b))); auto; split; [apply Rabs_pos|now apply range_sound].
  - eapply Rle_trans; [|apply (per_sound 0); auto; lra]; unfold Rdiv; lra.
Qed.
End Mean.
