(** [make_variance]: the sample variance of a known number of bounded numbers. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Dataset Rounding Maps moments sum_of_squared_deviations.
Open Scope R_scope.

(** Deviations per row but one, with one row replaced. *)
Lemma sample_step {A} (f g : A -> R) lf uf lg ug n a b c : (2 <= n)%nat -> S (length c) = n -> lf <= uf -> lg <= ug ->
  (forall r, In r (a :: b :: c) -> lf <= f r <= uf /\ lg <= g r <= ug) ->
  Rabs (deviations f g n (a :: c) / INR (n - 1) - deviations f g n (b :: c) / INR (n - 1)) <=
  per (inf_mul (range lf uf) (range lg ug)) n.
Proof.
  intros Hn E Hf Hg B; pose proof (widths_sound lf uf lg ug Hf Hg) as W.
  assert (P : 0 < INR (n - 1)) by (apply lt_0_INR; lia); assert (Q : 0 < INR n) by (apply lt_0_INR; lia).
  eapply Rle_trans; [|apply (per_sound ((uf - lf) * (ug - lg))); [lia|exact W]].
  pose proof (deviations_step f g lf uf lg ug n a b c E B) as D.
  set (s := deviations f g n (a :: c)) in *; set (t := deviations f g n (b :: c)) in *.
  replace (s / INR (n - 1) - t / INR (n - 1)) with (/ INR (n - 1) * (s - t)) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ INR (n - 1))) by (left; now apply Rinv_0_lt_compat).
  replace ((uf - lf) * (ug - lg) / INR n) with (/ INR (n - 1) * (INR (n - 1) / INR n * ((uf - lf) * (ug - lg)))) by (field; lra).
  apply Rmult_le_compat_l; auto; left; now apply Rinv_0_lt_compat.
Qed.
Lemma sample_step_nonneg lf uf lg ug n : (1 <= n)%nat -> lf <= uf -> lg <= ug ->
  0 <= per (inf_mul (range lf uf) (range lg ug)) n.
Proof.
  intros Hn Hf Hg; pose proof (widths_sound lf uf lg ug Hf Hg) as W.
  eapply Rle_trans; [|apply (per_sound ((uf - lf) * (ug - lg))); [exact Hn|exact W]].
  apply Rmult_le_pos; [apply W|left; apply Rinv_0_lt_compat, lt_0_INR; lia].
Qed.

Section Variance.
Variables (l u : R) (n : nat) (Hn : (2 <= n)%nat).
Definition variance (x : list R) : R := deviations (fun v => v) (fun v => v) n x / INR (n - 1).
Definition variance_step : R := per (inf_mul (range l u) (range l u)) n.

Theorem make_variance_stable M d x y : l <= u -> (forall v, In v x \/ In v y -> l <= v <= u) ->
  length x = n -> length y = n -> apart M d x y ->
  Rabs (on_grid (variance x) - on_grid (variance y)) <= map_of_replacements M variance_step d.
Proof.
  intros Hlu B Lx Ly H; apply (statistic_stable (fun v => l <= v <= u) variance n); auto; try apply per_float.
  - intros a b P; unfold variance; now rewrite (deviations_perm _ _ _ _ _ P).
  - intros a b c E Ia Ib Ic; apply sample_step; auto; intros r [<-|[<-|I]]; auto.
  - apply sample_step_nonneg; auto; lia.
Qed.
End Variance.
