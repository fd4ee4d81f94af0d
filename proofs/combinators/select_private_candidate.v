(** [make_select_private_candidate]: runs until a coin says stop; the best of them, or the first that reaches a threshold. *)
Require Import Reals Lra Psatz Lia Arith.
From DP Require Import Expect Approx Finite Measures Rounding.
Open Scope R_scope.

(** What a run gives: an error, or a candidate with a score.  Scores are floats, of which there are finitely many; they count by their
    order alone, so they are numbers below [n]. *)
Section Runs.
Context {O : Type} (failed : O -> bool) (score : O -> nat) (n : nat) (gamma : R).
Hypotheses (Hscore : forall o, failed o = false -> (score o < n)%nat) (Hgamma : 0 < gamma <= 1).

(** A law that satisfies the loop: one run, then a coin, then the loop again with what is best so far.  As the coin's bias is not 0,
    this determines it. *)
Section Loops.
Variable run : dist O.

(** With a threshold: [good] runs reach it. *)
Variable good : O -> bool.
Definition until_good (P : dist (option O)) : Prop := forall f, unit_test f ->
  Ex P f = Ex run (fun o => if good o then f (Some o) else if failed o then f (Some o) else gamma * f None + (1 - gamma) * Ex P f).

(** Without: of equal scores the first stays. *)
Definition better (best : option O) (o : O) : O :=
  match best with None => o | Some b => if Nat.ltb (score b) (score o) then o else b end.
Definition sound (best : option O) : Prop := match best with None => True | Some b => failed b = false end.
Definition until_stopped (P : option O -> dist O) : Prop := forall best f, sound best -> unit_test f ->
  Ex (P best) f = Ex run (fun o => if failed o then f o else gamma * f (better best o) + (1 - gamma) * Ex (P (Some (better best o))) f).
End Loops.

(** With a threshold the release is the quotient of the expectation of a test and the probability of an event, or so. *)
Definition ends (good : O -> bool) (o : O) : bool := (good o || failed o)%bool.
Lemma until_good_is run good P f : until_good run good P -> unit_test f ->
  (gamma + (1 - gamma) * Pr run (ends good)) * Ex P f = Ex run (fun o => if ends good o then f (Some o) else gamma * f None).
Proof.
  intros H Hf; specialize (H f Hf); set (X := Ex P f) in *; pose proof (Ex_unit P f Hf) as HX; fold X in HX.
  assert (U : unit_test (fun o => if ends good o then f (Some o) else gamma * f None)).
  { intros o; pose proof (Hf None); destruct (ends good o); [apply Hf|nra]. }
  assert (E : X = Ex run (fun o => (if ends good o then f (Some o) else gamma * f None) + ((1 - gamma) * X) * (1 - ind (ends good o)))).
  { rewrite H at 1; apply Ex_ext.
    - apply Int_bounded, unit_bounded; intros o; pose proof (Hf None); destruct (good o); [apply Hf|destruct (failed o); [apply Hf|nra]].
    - intros o; unfold ends, ind; destruct (good o), (failed o); simpl; ring. }
  rewrite Ex_plus, Ex_scal, Ex_minus, Ex_const in E by (try apply Int_scal; try apply Int_minus; try apply Int_const; apply Int_unit; auto with dp).
  fold (Pr run (ends good)) in E; lra.
Qed.

(** A sum of [gamma] and a multiple of the probability of an event changes by no more than the event. *)
Lemma share_close e (run run' : dist O) (S : O -> bool) : 0 <= e -> close e 0 run' run ->
  gamma + (1 - gamma) * Pr run' S <= exp e * (gamma + (1 - gamma) * Pr run S).
Proof.
  intros He C; apply close_close_ev in C; specialize (C S); pose proof (exp_ineq1_le e).
  assert ((1 - gamma) * Pr run' S <= (1 - gamma) * (exp e * Pr run S + 0)) by (apply Rmult_le_compat_l; lra). nra.
Qed.
Lemma share_pos (run : dist O) (S : O -> bool) : 0 < gamma + (1 - gamma) * Pr run S <= 1.
Proof. pose proof (Ex_unit run (fun o => ind (S o)) (ind_unit S)) as H; fold (Pr run S) in H; nra. Qed.

Theorem threshold_close e run run' good P P' : 0 <= e -> max_divergence e run run' -> until_good run good P -> until_good run' good P' ->
  close (2 * e) 0 P P'.
Proof.
  intros He [C C'] H H' f Hf; rewrite Rplus_0_r.
  pose proof (until_good_is run good P f H Hf) as I; pose proof (until_good_is run' good P' f H' Hf) as I'.
  pose proof (share_close e run run' (ends good) He C') as D; pose proof (share_pos run (ends good)); pose proof (share_pos run' (ends good)).
  assert (U : unit_test (fun o => if ends good o then f (Some o) else gamma * f None)).
  { intros o; pose proof (Hf None); destruct (ends good o); [apply Hf|nra]. }
  specialize (C _ U); rewrite <- I, <- I' in C; pose proof (exp_pos e); pose proof (Ex_unit P' f Hf).
  set (d := gamma + (1 - gamma) * Pr run (ends good)) in *; set (d' := gamma + (1 - gamma) * Pr run' (ends good)) in *.
  replace (2 * e) with (e + e) by ring; rewrite exp_plus; apply Rmult_le_reg_l with d; [lra|].
  eapply Rle_trans; [exact C|]; rewrite Rplus_0_r.
  replace (d * (exp e * exp e * Ex P' f)) with (exp e * ((exp e * d) * Ex P' f)) by ring.
  apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_r; lra.
Qed.

(** Without a threshold: the loop's equation has one bounded solution. *)
Lemma better_sound b o : sound b -> failed o = false -> sound (Some (better b o)).
Proof. destruct b as [b|]; simpl; auto; intros; destruct (Nat.ltb _ _); auto. Qed.
Lemma one_solution run P f (Z : option O -> R) : until_stopped run P -> unit_test f -> (forall b, 0 <= Z b <= 1) ->
  (forall b, sound b -> Z b = Ex run (fun o => if failed o then f o else gamma * f (better b o) + (1 - gamma) * Z (Some (better b o)))) ->
  forall b, sound b -> Ex (P b) f = Z b.
Proof.
  intros H Hf HZ EZ.
  assert (X : forall m b, sound b -> Rabs (Ex (P b) f - Z b) <= (1 - gamma) ^ m).
  { induction m as [|m IH]; intros b Sb; simpl.
    - pose proof (Ex_unit (P b) f Hf); specialize (HZ b); apply Rabs_le; lra.
    - rewrite (H b f Sb Hf), (EZ b Sb), <- Ex_minus.
      + apply Ex_abs.
        * apply Int_minus; apply Int_bounded, unit_bounded; intros o; destruct (failed o); try apply Hf;
            [pose proof (Ex_unit (P (Some (better b o))) f Hf)|pose proof (HZ (Some (better b o)))]; pose proof (Hf (better b o)); nra.
        * intros o; assert (Q : 0 <= (1 - gamma) ^ m) by (apply pow_le; lra); destruct (failed o) eqn:F; [rewrite Rminus_eq_0, Rabs_R0; nra|].
          replace (gamma * f (better b o) + (1 - gamma) * Ex (P (Some (better b o))) f - (gamma * f (better b o) + (1 - gamma) * Z (Some (better b o))))
            with ((1 - gamma) * (Ex (P (Some (better b o))) f - Z (Some (better b o)))) by ring.
          rewrite Rabs_mult, (Rabs_pos_eq (1 - gamma)) by lra; apply Rmult_le_compat_l; [lra|apply IH; now apply better_sound].
      + apply Int_bounded, unit_bounded; intros o; pose proof (Ex_unit (P (Some (better b o))) f Hf); pose proof (Hf (better b o)); destruct (failed o); [apply Hf|nra].
      + apply Int_bounded, unit_bounded; intros o; pose proof (HZ (Some (better b o))); pose proof (Hf (better b o)); destruct (failed o); [apply Hf|nra]. }
  intros b Sb; apply Rminus_diag_uniq; destruct (Req_dec (Ex (P b) f - Z b) 0) as [E|N]; auto; exfalso.
  apply Rabs_pos_lt in N; destruct (pow_lt_1_zero (1 - gamma) ltac:(rewrite Rabs_pos_eq; lra) _ N) as [m L].
  specialize (L m (le_n m)); specialize (X m b Sb); rewrite Rabs_pos_eq in L by (apply pow_le; lra); lra.
Qed.

(** Tests of one score, and tests of errors. *)
Definition above (v : nat) (o : O) : bool := (failed o || Nat.ltb v (score o))%bool.
Definition reaches (v : nat) (o : O) : bool := (failed o || Nat.leb v (score o))%bool.
Definition of_score (v : nat) (f : O -> R) (o : O) : R := if failed o then 0 else if Nat.eqb (score o) v then f o else 0.
Definition of_errors (f : O -> R) (o : O) : R := if failed o then f o else 0.
Lemma of_score_unit v f : unit_test f -> unit_test (of_score v f).
Proof. intros Hf o; unfold of_score; destruct (failed o); [lra|]; destruct (Nat.eqb _ _); [apply Hf|lra]. Qed.
Lemma of_errors_unit f : unit_test f -> unit_test (of_errors f).
Proof. intros Hf o; unfold of_errors; destruct (failed o); [apply Hf|lra]. Qed.
Lemma Pr_range (run : dist O) S : 0 <= Pr run S <= 1.
Proof. exact (Ex_unit run (fun o => ind (S o)) (ind_unit S)). Qed.
(** What is a test and what remains of an event. *)
Lemma Ex_with_rest (run : dist O) (h : O -> R) a w (S : O -> bool) : bounded h ->
  Ex run (fun o => a * h o + w * (1 - ind (S o))) = a * Ex run h + w * (1 - Pr run S) /\ bounded (fun o => a * h o + w * (1 - ind (S o))).
Proof.
  intros Bh; assert (B1 : bounded (fun o => 1 - ind (S o))).
  { exists 1; intros o; unfold ind; destruct (S o); rewrite ?Rminus_eq_0, ?Rminus_0_r, ?Rabs_R0, ?Rabs_R1; lra. }
  split; [|apply bounded_plus; now apply bounded_scal].
  rewrite Ex_plus, !Ex_scal, Ex_minus, Ex_const; auto; try apply Int_scal; try (apply Int_bounded; auto with dp).
Qed.

Lemma released_errors run P f : until_stopped run P -> unit_test f ->
  Ex (P None) (of_errors f) * (gamma + (1 - gamma) * Pr run failed) = Ex run (of_errors f).
Proof.
  intros H Hf; pose proof (share_pos run failed) as S; pose proof (of_errors_unit f Hf) as Uf; pose proof (Ex_unit run _ Uf) as A.
  set (z := Ex run (of_errors f) / (gamma + (1 - gamma) * Pr run failed)).
  assert (Ez : z * (gamma + (1 - gamma) * Pr run failed) = Ex run (of_errors f)) by (unfold z; field; lra).
  assert (Le : Ex run (of_errors f) <= Pr run failed).
  { unfold Pr; apply Ex_le; try (apply Int_unit; auto with dp); intros o; unfold of_errors, ind; destruct (failed o); [apply Hf|lra]. }
  assert (Hz : 0 <= z <= 1).
  { pose proof (Pr_range run failed); split.
    - unfold z; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_reg_r with (gamma + (1 - gamma) * Pr run failed); [lra|]; rewrite Ez; nra. }
  rewrite (one_solution run P (of_errors f) (fun _ => z) H Uf (fun _ => Hz)); simpl; auto.
  intros b Sb; destruct (Ex_with_rest run (of_errors f) 1 ((1 - gamma) * z) failed ltac:(auto with dp)) as [E B].
  transitivity (1 * Ex run (of_errors f) + (1 - gamma) * z * (1 - Pr run failed)); [lra|]; rewrite <- E.
  apply Ex_ext; [now apply Int_bounded|]; intros o; unfold of_errors, ind; destruct (failed o) eqn:F; [ring|].
  pose proof (better_sound b o Sb F) as Sb'; simpl in Sb'; rewrite Sb'; ring.
Qed.

Lemma released_score run P f v : until_stopped run P -> unit_test f ->
  Ex (P None) (of_score v f) * ((gamma + (1 - gamma) * Pr run (above v)) * (gamma + (1 - gamma) * Pr run (reaches v))) = gamma * Ex run (of_score v f).
Proof.
  intros H Hf; pose proof (share_pos run (above v)) as Sa; pose proof (share_pos run (reaches v)) as Sr.
  pose proof (of_score_unit v f Hf) as Uf; pose proof (Ex_unit run _ Uf) as A; pose proof (Pr_range run (above v)) as Pa; pose proof (Pr_range run (reaches v)) as Pr1.
  set (pa := Pr run (above v)) in *; set (pr := Pr run (reaches v)) in *.
  set (da := gamma + (1 - gamma) * pa) in *; set (dr := gamma + (1 - gamma) * pr) in *.
  set (m := Ex run (of_score v f)) in *.
  assert (Le : m <= pr - pa).
  { unfold m, pr, pa, Pr; rewrite <- Ex_minus by (apply Int_unit; auto with dp).
    apply Ex_le; [apply Int_unit; auto|apply Int_minus; apply Int_unit; auto with dp|].
    intros o; specialize (Hf o); unfold of_score, reaches, above, ind; destruct (failed o); simpl; [lra|].
    destruct (Nat.eqb_spec (score o) v), (Nat.leb_spec v (score o)), (Nat.ltb_spec v (score o)); try lia; lra. }
  set (x := gamma * m / (da * dr)).
  assert (Ex0 : x * (da * dr) = gamma * m) by (unfold x; field; lra).
  assert (Hx : 0 <= x <= 1).
  { split; [unfold x; apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; nra]|].
    apply Rmult_le_reg_r with (da * dr); [nra|]; rewrite Ex0, Rmult_1_l.
    assert (gamma <= da) by (unfold da; nra). assert (m <= dr) by (unfold dr; nra).
    apply Rmult_le_compat; lra. }
  set (top := fun b : O => gamma * (1 - pa) * f b / da).
  assert (Et : forall b, top b * da = gamma * (1 - pa) * f b) by (intros b; unfold top; field; lra).
  assert (Ht : forall b, 0 <= top b <= 1).
  { intros b; specialize (Hf b); split; [unfold top; apply Rmult_le_pos; [apply Rmult_le_pos; [nra|lra]|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with da; [lra|]; rewrite Et, Rmult_1_l; unfold da.
    assert (gamma * (1 - pa) * f b <= gamma * (1 - pa) * 1) by (apply Rmult_le_compat_l; [nra|lra]); nra. }
  set (Z := fun b => match b with None => x | Some b => if Nat.ltb (score b) v then x else if Nat.eqb (score b) v then top b else 0 end).
  rewrite (one_solution run P (of_score v f) Z H Uf); simpl; auto.
  { intros [b|]; unfold Z; [destruct (Nat.ltb _ _); [auto|destruct (Nat.eqb _ _); [auto|lra]]|auto]. }
  (* the loop's equation, by where the best score so far lies *)
  assert (Low : x = Ex run (fun o => gamma / da * of_score v f o + (1 - gamma) * x * (1 - ind (reaches v o))) /\
    bounded (fun o => gamma / da * of_score v f o + (1 - gamma) * x * (1 - ind (reaches v o)))).
  { destruct (Ex_with_rest run (of_score v f) (gamma / da) ((1 - gamma) * x) (reaches v) ltac:(auto with dp)) as [E B]; split; auto.
    rewrite E; fold m pr; assert (X : x * dr = gamma / da * m) by (unfold x; field; lra). unfold dr in X; lra. }
  assert (One : da + (1 - gamma) * (1 - pa) = 1) by (unfold da; ring).
  assert (Value : forall o, failed o = false -> score o = v -> gamma * f o + (1 - gamma) * top o = gamma / da * f o).
  { intros o _ _; apply Rmult_eq_reg_r with da; [|lra]; rewrite Rmult_plus_distr_r, Rmult_assoc, (Rmult_assoc (1 - gamma)), Et.
    transitivity (gamma * f o * (da + (1 - gamma) * (1 - pa))); [ring|rewrite One; field; lra]. }
  intros b Sb; destruct b as [b|]; cbn [Z].
  - destruct (Nat.ltb_spec (score b) v) as [L|L]; [|destruct (Nat.eqb_spec (score b) v) as [E|E]].
    + destruct Low as [E B]; rewrite E at 1; apply Ex_ext; [now apply Int_bounded|]; intros o; simpl in Sb.
      unfold of_score at 1, reaches, ind; destruct (failed o) eqn:F; cbn [orb]; cbv iota; [unfold of_score; rewrite F; ring|].
      unfold better; destruct (Nat.ltb_spec (score b) (score o)).
      * unfold of_score, Z; rewrite F; destruct (Nat.eqb_spec (score o) v), (Nat.leb_spec v (score o)), (Nat.ltb_spec (score o) v); try lia; try ring.
        rewrite Value by auto; ring.
      * unfold of_score, Z; rewrite Sb; destruct (Nat.eqb_spec (score o) v), (Nat.eqb_spec (score b) v), (Nat.leb_spec v (score o)), (Nat.ltb_spec (score b) v); try lia; ring.
    + destruct (Ex_with_rest run (fun _ => 0) 0 (gamma * f b + (1 - gamma) * top b) (above v) ltac:(auto with dp)) as [E0 B].
      transitivity (0 * Ex run (fun _ => 0) + (gamma * f b + (1 - gamma) * top b) * (1 - Pr run (above v))).
      * fold pa; simpl in Sb; rewrite (Value b Sb E); unfold top; field; lra.
      * rewrite <- E0; apply Ex_ext; [now apply Int_bounded|]; intros o; simpl in Sb.
        unfold of_score at 1, above, ind; destruct (failed o) eqn:F; cbn [orb]; cbv iota; [ring|].
        unfold better; rewrite E; destruct (Nat.ltb_spec v (score o)).
        -- unfold of_score, Z; rewrite F; destruct (Nat.eqb_spec (score o) v), (Nat.ltb_spec (score o) v); try lia; ring.
        -- unfold of_score, Z; rewrite Sb, E, Nat.eqb_refl, Nat.ltb_irrefl; ring.
    + rewrite <- (Ex_const run 0) at 1; apply Ex_ext; [apply Int_const|]; intros o; simpl in Sb.
      destruct (failed o) eqn:F; [unfold of_score; now rewrite F|].
      unfold better; destruct (Nat.ltb_spec (score b) (score o)); unfold of_score, Z.
      * rewrite F; destruct (Nat.eqb_spec (score o) v), (Nat.ltb_spec (score o) v); try lia; ring.
      * rewrite Sb; destruct (Nat.eqb_spec (score b) v), (Nat.ltb_spec (score b) v); try lia; ring.
  - destruct Low as [E B]; rewrite E at 1; apply Ex_ext; [now apply Int_bounded|]; intros o.
    unfold of_score at 1, reaches, ind; destruct (failed o) eqn:F; cbn [orb]; cbv iota; [unfold of_score; rewrite F; ring|].
    unfold better, of_score, Z; rewrite F; destruct (Nat.eqb_spec (score o) v), (Nat.leb_spec v (score o)), (Nat.ltb_spec (score o) v); try lia; try ring.
    rewrite Value by auto; ring.
Qed.

Lemma parts f o : unit_test f -> f o = of_errors f o + sum n (fun v => of_score v f o).
Proof.
  intros Hf; unfold of_errors; destruct (failed o) eqn:F.
  - rewrite (sum_ext n _ (fun _ => 0)); [rewrite sum_const; ring|]; intros v _; unfold of_score; now rewrite F.
  - specialize (Hscore o F); assert (X : forall N, sum N (fun v => of_score v f o) = if Nat.ltb (score o) N then f o else 0).
    { induction N as [|N IH]; [reflexivity|]; cbn [sum]; rewrite IH; unfold of_score; rewrite F.
      destruct (Nat.ltb_spec (score o) N), (Nat.ltb_spec (score o) (S N)), (Nat.eqb_spec (score o) N); try lia; ring. }
    rewrite X; destruct (Nat.ltb_spec (score o) n); [ring|lia].
Qed.
Lemma Ex_parts (P : dist O) f : unit_test f -> Ex P f = Ex P (of_errors f) + sum n (fun v => Ex P (of_score v f)).
Proof.
  intros Hf.
  assert (X : forall N, bounded (fun o => sum N (fun v => of_score v f o)) /\ Ex P (fun o => sum N (fun v => of_score v f o)) = sum N (fun v => Ex P (of_score v f))).
  { induction N as [|N [B E]]; simpl; [split; [apply bounded_const|apply Ex_const]|].
    pose proof (of_score_unit N f Hf); split; [apply bounded_plus; auto with dp|].
    rewrite Ex_plus, E by (apply Int_bounded; auto with dp); reflexivity. }
  destruct (X n) as [B <-]; pose proof (of_errors_unit f Hf).
  rewrite <- Ex_plus by (apply Int_bounded; auto with dp); apply Ex_ext; [apply Int_unit; auto|]; intros o; now apply parts.
Qed.

Theorem best_close e run run' P P' : 0 <= e -> max_divergence e run run' -> until_stopped run P -> until_stopped run' P' ->
  close (3 * e) 0 (P None) (P' None).
Proof.
  intros He [C C'] H H' f Hf; rewrite Rplus_0_r, (Ex_parts (P None)), (Ex_parts (P' None)), Rmult_plus_distr_l, <- sum_scal by auto.
  pose proof (exp_ineq1_le e) as E1; set (ee := exp e) in *.
  assert (E3 : exp (3 * e) = ee * ee * ee) by (replace (3 * e) with (e + e + e) by ring; now rewrite !exp_plus).
  rewrite E3; apply Rplus_le_compat.
  - pose proof (released_errors run P f H Hf) as I; pose proof (released_errors run' P' f H' Hf) as I'.
    pose proof (share_pos run failed); pose proof (share_pos run' failed); pose proof (share_close e run run' failed He C') as D.
    pose proof (of_errors_unit f Hf) as Uf; specialize (C _ Uf); rewrite <- I, <- I' in C; pose proof (Ex_unit (P' None) _ Uf) as U; fold ee in C, D.
    set (d := gamma + (1 - gamma) * Pr run failed) in *; set (d' := gamma + (1 - gamma) * Pr run' failed) in *; set (y := Ex (P' None) (of_errors f)) in *.
    apply Rmult_le_reg_r with d; [lra|]; eapply Rle_trans; [exact C|].
    assert (ee * (y * d') <= ee * (y * (ee * d))) by (apply Rmult_le_compat_l; [lra|apply Rmult_le_compat_l; lra]).
    assert (0 <= ee * ee * (y * d)) by (repeat apply Rmult_le_pos; lra). nra.
  - apply sum_le; intros v _.
    pose proof (released_score run P f v H Hf) as I; pose proof (released_score run' P' f v H' Hf) as I'.
    pose proof (share_pos run (above v)); pose proof (share_pos run' (above v)); pose proof (share_close e run run' (above v) He C') as Da.
    pose proof (share_pos run (reaches v)); pose proof (share_pos run' (reaches v)); pose proof (share_close e run run' (reaches v) He C') as Dr.
    pose proof (of_score_unit v f Hf) as Uf; specialize (C _ Uf); pose proof (Ex_unit (P' None) _ Uf) as U; fold ee in C, Da, Dr.
    set (a := gamma + (1 - gamma) * Pr run (above v)) in *; set (a' := gamma + (1 - gamma) * Pr run' (above v)) in *.
    set (b := gamma + (1 - gamma) * Pr run (reaches v)) in *; set (b' := gamma + (1 - gamma) * Pr run' (reaches v)) in *.
    set (y := Ex (P' None) (of_score v f)) in *.
    apply Rmult_le_reg_r with (a * b); [nra|]; rewrite I.
    apply Rle_trans with (gamma * (ee * Ex run' (of_score v f))); [apply Rmult_le_compat_l; lra|].
    replace (gamma * (ee * Ex run' (of_score v f))) with (ee * (gamma * Ex run' (of_score v f))) by ring; rewrite <- I'.
    assert (a' * b' <= (ee * a) * (ee * b)) by (apply Rmult_le_compat; lra).
    assert (ee * (y * (a' * b')) <= ee * (y * ((ee * a) * (ee * b)))) by (apply Rmult_le_compat_l; [lra|apply Rmult_le_compat_l; lra]). lra.
Qed.
End Runs.

(** The map: [inf_mul] with 2 or 3. *)
Theorem make_select_private_candidate_threshold {O} (failed good : O -> bool) gamma e run run' P P' : 0 < gamma <= 1 -> 0 <= e ->
  max_divergence e run run' -> until_good failed gamma run good P -> until_good failed gamma run' good P' -> max_divergence (inf_mul e 2) P P'.
Proof.
  intros Hg He [C C'] H H'; split; (eapply close_mono; [|apply Rle_refl|eapply threshold_close; eauto; split; auto]);
    unfold inf_mul; pose proof (up_ge (e * 2)); lra.
Qed.
Theorem make_select_private_candidate {O} (failed : O -> bool) score n gamma e run run' P P' : (forall o : O, failed o = false -> (score o < n)%nat) ->
  0 < gamma <= 1 -> 0 <= e -> max_divergence e run run' -> until_stopped failed score gamma run P -> until_stopped failed score gamma run' P' ->
  max_divergence (inf_mul e 3) (P None) (P' None).
Proof.
  intros Hn Hg He [C C'] H H'; split; (eapply close_mono; [|apply Rle_refl|eapply best_close; eauto; split; auto]);
    unfold inf_mul; pose proof (up_ge (e * 3)); lra.
Qed.
