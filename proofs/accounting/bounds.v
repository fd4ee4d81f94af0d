(** Textbook bounds as the library rounds them. Where a logarithm enters, [l] is any number that is not below it. *)
Require Import Reals Lra Psatz List.
From DP Require Import Expect Approx DualRenyi PureTanh Measures Domination Rounding categories Concentration.
Import ListNotations.
Open Scope R_scope.

Lemma inf_sqrt_ge a x : a <= x -> sqrt a <= inf_sqrt x.
Proof. intros H; eapply Rle_trans; [apply sqrt_le_1_alt, H|apply up_ge]. Qed.

(** [concentrated_epsilon]. *)
Definition concentrated_epsilon_map (rho l : R) : R :=
  if Req_EM_T l 0 then rho else inf_add rho (inf_mul (inf_sqrt (inf_mul rho l)) 2).

Theorem concentrated_epsilon_sound {Y} rho del l (P Q : dist Y) : 0 <= rho -> 0 < del <= 1 -> ln (/ del) <= l ->
  zero_concentrated rho P Q ->
  close (concentrated_epsilon_map rho l) del P Q /\ close (concentrated_epsilon_map rho l) del Q P.
Proof.
  intros R D L Z; pose proof (log_inverse del D).
  assert (E : rho + 2 * sqrt (rho * ln (/ del)) <= concentrated_epsilon_map rho l).
  { unfold concentrated_epsilon_map; destruct (Req_EM_T l 0) as [->|N].
    - replace (ln (/ del)) with 0 by lra; rewrite Rmult_0_r, sqrt_0; lra.
    - rewrite (Rmult_comm 2); apply inf_add_ge; [lra|]; apply inf_mul_ge; split; [apply sqrt_pos| |lra|lra].
      apply inf_sqrt_ge, inf_mul_ge; lra. }
  destruct (concentrated_epsilon rho del P Q R D Z); split; (eapply close_mono; [exact E|apply Rle_refl|auto]).
Qed.

(** [renyi_epsilon]: what is divided by is rounded down. *)
Definition renyi_epsilon_map (al tau l : R) : R := inf_add tau (inf_div l (dn (al - 1))).

Theorem renyi_epsilon_sound {Y} al tau del l (P Q : dist Y) : 1 < al -> 0 < dn (al - 1) -> 0 < del <= 1 -> ln (/ del) <= l ->
  renyi al tau P Q -> close (renyi_epsilon_map al tau l) del P Q.
Proof.
  intros A N D L H; eapply close_mono; [|apply Rle_refl|now apply renyi_epsilon with (al := al) (tau := tau)].
  pose proof (log_inverse del D); pose proof (dn_le (al - 1)); apply inf_add_ge; [lra|].
  apply Rle_trans with (ln (/ del) / dn (al - 1)).
  - apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
  - apply inf_div_ge; lra.
Qed.

(** [by_concentration]: the lesser of the bound by concentration and the plain sum. *)
Definition by_concentration (k : nat) (e mean deviation del slack l : R) : R * R :=
  (Rmin (inf_add (inf_mul (INR k) mean) (inf_mul (inf_sqrt (inf_mul (inf_mul (INR k) 2) l)) deviation)) (inf_mul (INR k) e),
   inf_add (inf_mul (INR k) del) slack).

Lemma releases_plain {Y} e d (M M' : list Y -> dist Y) : 0 <= d -> (forall before, close e d (M before) (M' before)) ->
  forall k before, close (INR k * e) (INR k * d) (releases k M before) (releases k M' before).
Proof.
  intros D H k; induction k as [|k IH]; intros before.
  - intros f _; simpl; rewrite !Rmult_0_l, exp_0; lra.
  - rewrite S_INR; replace ((INR k + 1) * e) with (e + INR k * e) by ring; replace ((INR k + 1) * d) with (d + INR k * d) by ring.
    change (releases (S k) ?m before) with (bind (m before) (fun y => releases k m (y :: before))).
    apply adaptive_composition; [apply Rmult_le_pos; [apply pos_INR|exact D]|auto|auto].
Qed.

(** Any number of releases, each chosen in view of those before; [mean] and [deviation] may be the essay's or the library's. *)
Theorem by_concentration_sound {Y} k e mean deviation failure slack l (M M' A A' : list Y -> dist Y) before :
  0 <= e -> e * tanh (e / 2) <= mean -> e <= deviation -> 0 <= failure <= 1 -> 0 < slack <= 1 -> ln (/ slack) <= l ->
  (forall before, dominates (1 - failure) (M before) (A before) /\ dominates (1 - failure) (M' before) (A' before)) ->
  (forall before, max_divergence e (A before) (A' before)) ->
  let told := by_concentration k e mean deviation failure slack l in
  close (fst told) (snd told) (releases k M before) (releases k M' before).
Proof.
  intros E HM HD F S L H C told; pose proof (pos_INR k) as K; pose proof (log_inverse slack S) as L0.
  assert (T : 0 <= e * tanh (e / 2)) by (apply Rmult_le_pos; [lra|apply (tanh_half e E)]).
  assert (D : INR k * failure + slack <= snd told).
  { apply inf_add_ge; [|lra]; apply inf_mul_ge; lra. }
  unfold told, by_concentration at 1; cbn [fst]; unfold Rmin; destruct (Rle_dec _ _) as [I|I].
  - eapply close_mono; [|exact D|now apply (advanced_composition_approximate k e failure slack M M' A A')].
    unfold advanced; apply inf_add_ge; [apply inf_mul_ge; lra|].
    apply inf_mul_ge; split; [apply sqrt_pos| |lra|lra]; apply inf_sqrt_ge.
    rewrite (Rmult_comm 2); apply inf_mul_ge; split; [nra| |lra|lra]; apply inf_mul_ge; lra.
  - eapply close_mono; [apply inf_mul_ge with (a := INR k) (b := e); lra| |apply releases_plain with (e := e) (d := failure)].
    + now apply Rle_trans with (INR k * failure + slack); [lra|].
    + lra.
    + intros b; apply approximate_close; [exact F|]; destruct (H b); now apply (dominates_approximate max_divergence e failure _ (A b) _ (A' b)).
Qed.

(** [mean_loss], with [u] not below [exp e - 1]; above 0.7 it is [e]. *)
Theorem mean_loss_sound e u : 0 <= e -> exp e - 1 <= u -> e * tanh (e / 2) <= Rmin (inf_mul e u) e /\ e * tanh (e / 2) <= e.
Proof.
  intros E U; pose proof (mean_loss_covers e E) as C; unfold mean_loss in C.
  pose proof (Rmin_l (e * (exp e - 1)) e); pose proof (Rmin_r (e * (exp e - 1)) e); pose proof (exp_ineq1_le e).
  assert (e * (exp e - 1) <= inf_mul e u) by (apply inf_mul_ge; lra); split; [apply Rmin_glb; lra|lra].
Qed.
