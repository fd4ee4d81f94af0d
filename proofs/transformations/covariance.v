(** [make_covariance]: the sample covariances of bounded columns, one for each pair. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Dataset Totals Rounding Maps categories norms metric_cast moments sum_of_squared_deviations variance.
Import ListNotations.
Open Scope R_scope.

Section Covariance.
Variables (C : category_metric) (bounds : list (R * R)) (n : nat) (Hn : (2 <= n)%nat).
Hypothesis bounds_ordered : forall b, In b bounds -> fst b <= snd b.

(** Rows are lists of numbers, one for each column; columns in pairs, the second not before the first. *)
Definition columns : nat := length bounds.
Definition column (i : nat) (row : list R) : R := nth i row 0.
Definition lower (i : nat) : R := fst (nth i bounds (0, 0)).
Definition upper (i : nat) : R := snd (nth i bounds (0, 0)).
Definition member (row : list R) : Prop := length row = columns /\
  forall i, (i < columns)%nat -> lower i <= column i row <= upper i.
Definition pairs : list (nat * nat) := flat_map (fun at_ => map (fun j => (at_, j)) (seq at_ (columns - at_))) (seq 0 columns).

Definition covariance (p : nat * nat) (x : list (list R)) : R :=
  deviations (column (fst p)) (column (snd p)) n x / INR (n - 1).
Definition covariances (x : list (list R)) : vector :=
  fun e => match nth_error pairs e with Some p => on_grid (covariance p x) | None => 0 end.

(** [steps]: the product of two widths, rounded up, per row; their norm. *)
Definition width (i : nat) : R := range (lower i) (upper i).
Definition step_of (p : nat * nat) : R := per (inf_mul (width (fst p)) (width (snd p))) n.
Definition steps : list R := map step_of pairs.

Lemma in_pairs p : In p pairs <-> (fst p <= snd p < columns)%nat.
Proof.
  unfold pairs; rewrite in_flat_map; split.
  - intros (i & Hi & H); apply in_seq in Hi; apply in_map_iff in H; destruct H as (j & <- & Hj); apply in_seq in Hj; simpl; lia.
  - destruct p as [i j]; simpl; intros H; exists i; rewrite in_seq, in_map_iff; split; [lia|].
    exists j; rewrite in_seq; split; auto; lia.
Qed.
Lemma ordered i : (i < columns)%nat -> lower i <= upper i.
Proof. intros H; apply bounds_ordered, nth_In, H. Qed.

Lemma entry_moves d x y p : In p pairs -> length x = n -> (forall r, In r x \/ In r y -> member r) -> change_one d x y ->
  Rabs (on_grid (covariance p x) - on_grid (covariance p y)) <= INR d * step_of p.
Proof.
  intros I L B H; apply in_pairs in I.
  apply (rounded_moves member (covariance p) n (step_of p)); [| |apply per_float| |exact L|exact B|exact H].
  - intros a b P; unfold covariance; now rewrite (deviations_perm _ _ _ _ _ P).
  - intros a b c E Ia Ib Ic; unfold covariance, step_of, width.
    apply (sample_step (column (fst p)) (column (snd p)) (lower (fst p)) (upper (fst p)) (lower (snd p)) (upper (snd p)) n);
      [exact Hn|exact E|apply ordered; lia|apply ordered; lia|].
    intros r [<-|[<-|J]]; [destruct Ia as [_ M]|destruct Ib as [_ M]|destruct (Ic r J) as [_ M]]; split; apply M; lia.
  - unfold step_of, width; apply sample_step_nonneg; [lia|apply ordered; lia|apply ordered; lia].
Qed.

Lemma replacements_norm d x y : length x = n -> (forall r, In r x \/ In r y -> member r) -> change_one d x y ->
  norm C (length pairs) (vminus (covariances x) (covariances y)) <= moved d (norm_up C steps).
Proof.
  intros L B H; pose proof (norm_seminorm C (length pairs)) as N.
  assert (E : forall e p, nth_error pairs e = Some p ->
    Rabs (vminus (covariances x) (covariances y) e) <= INR d * step_of p).
  { intros e p Ep; unfold vminus, covariances; rewrite Ep; apply entry_moves; auto; eapply nth_error_In; eauto. }
  assert (Out : forall e, nth_error pairs e = None -> vminus (covariances x) (covariances y) e = 0).
  { intros e Ep; unfold vminus, covariances; rewrite Ep; ring. }
  set (u := vminus (covariances x) (covariances y)) in *.
  destruct d as [|d].
  - simpl; rewrite (norm_ext _ N u vzero), (norm_zero _ N); [lra|]; intros e; unfold vzero.
    destruct (nth_error pairs e) as [p|] eqn:Ep; [|now apply Out].
    pose proof (E e p Ep) as Z; simpl in Z; pose proof (Rabs_pos (u e)).
    destruct (Req_dec (u e) 0) as [|F]; auto; apply Rabs_no_R0 in F; lra.
  - assert (P : 0 < INR (S d)) by (apply lt_0_INR; lia); set (k := INR (S d)) in *.
    set (w := fun e => / k * u e).
    rewrite (norm_ext _ N u (fun e => k * w e)) by (intros; unfold w; field; lra).
    rewrite norm_scale by lra; apply moved_sound.
    assert (Bw : bounded w steps).
    { intros e s Es; unfold steps in Es; rewrite nth_error_map in Es.
      destruct (nth_error pairs e) as [p|] eqn:Ep; [injection Es as <-|discriminate].
      assert (0 < / k) by now apply Rinv_0_lt_compat.
      unfold w; rewrite Rabs_mult, (Rabs_pos_eq (/ k)) by lra; pose proof (E e p Ep).
      apply Rmult_le_reg_l with k; auto; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra; auto. }
    split; [apply norm_nonneg|]; pose proof (norm_up_sound C w steps Bw) as G.
    unfold steps in G at 1; now rewrite map_length in G.
Qed.

Theorem make_covariance_stable M d x y : (forall r, In r x \/ In r y -> member r) -> length x = n -> length y = n ->
  apart M d x y -> norm C (length pairs) (vminus (covariances x) (covariances y)) <= map_of_replacements M (norm_up C steps) d.
Proof.
  intros B Lx Ly H; apply apart_unit in H; unfold map_of_replacements.
  destruct (unit M); apply replacements_norm; auto; apply symmetric_change_one; congruence.
Qed.
End Covariance.
