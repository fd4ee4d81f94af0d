(** [make_sum_of_squared_deviations]: how far a known number of bounded numbers lie from their mean. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Dataset Rounding Maps moments.
Open Scope R_scope.

(** What the widths of the domain bound, and the code's product of the rounded ones. *)
Lemma widths_sound lf uf lg ug : lf <= uf -> lg <= ug ->
  0 <= (uf - lf) * (ug - lg) <= inf_mul (range lf uf) (range lg ug).
Proof.
  intros Hf Hg; pose proof (range_sound lf uf uf lf) as F; pose proof (range_sound lg ug ug lg) as G.
  rewrite Rabs_pos_eq in F, G by lra; split; [nra|]; apply inf_mul_ge; lra.
Qed.

Section Squared.
Variables (l u : R) (n : nat) (Hn : (1 <= n)%nat).
Definition squared_deviations (x : list R) : R := deviations (fun v => v) (fun v => v) n x.
Definition squared_step : R := share_of_others (inf_mul (range l u) (range l u)) n.

Theorem make_sum_of_squared_deviations_stable M d x y : l <= u -> (forall v, In v x \/ In v y -> l <= v <= u) ->
  length x = n -> length y = n -> apart M d x y ->
  Rabs (on_grid (squared_deviations x) - on_grid (squared_deviations y)) <= map_of_replacements M squared_step d.
Proof.
  intros Hlu B Lx Ly H; pose proof (widths_sound l u l u Hlu Hlu) as W.
  pose proof (share_of_others_sound _ _ n Hn W) as S.
  apply (statistic_stable (fun v => l <= v <= u) squared_deviations n); auto; try apply share_float.
  - intros a b P; now apply deviations_perm.
  - intros a b c E Ia Ib Ic; eapply Rle_trans; [|exact S].
    apply deviations_step; auto; intros r [<-|[<-|I]]; auto.
  - eapply Rle_trans; [|exact S]; apply Rmult_le_pos; [|apply W].
    apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat, lt_0_INR; lia].
Qed.
End Squared.
