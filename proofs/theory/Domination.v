(** A law that has a share of another one is a mixture with it: what the mechanisms with a threshold need. *)
Require Import Reals Lra Psatz List.
From DP Require Import Expect Approx DualRenyi Measures.
Import ListNotations.
Open Scope R_scope.

Definition dominates {A} (c : R) (P P' : dist A) := forall h, bounded h -> (forall a, 0 <= h a) -> c * Ex P' h <= Ex P h.

Lemma Ex_nonneg_bounded {A} (P : dist A) h : bounded h -> (forall a, 0 <= h a) -> 0 <= Ex P h.
Proof. intros B H; apply Ex_nonneg; auto using Int_bounded. Qed.

Lemma dominates_refl {A} (P : dist A) : dominates 1 P P.
Proof. intros h _ _; lra. Qed.
Lemma dominates_mono {A} c c' (P P' : dist A) : c' <= c -> dominates c P P' -> dominates c' P P'.
Proof. intros L H h B N; specialize (H h B N); pose proof (Ex_nonneg_bounded P' h B N); nra. Qed.

Lemma bounded_Ex {A B} (K : A -> dist B) f : bounded f -> bounded (fun a => Ex (K a) f).
Proof. intros [M H]; exists M; intros a; apply Ex_abs; auto; apply Int_bounded; now exists M. Qed.

Lemma dominates_bind {A B} c d (P P' : dist A) (K K' : A -> dist B) : 0 <= c -> 0 <= d ->
  dominates c P P' -> (forall a, dominates d (K a) (K' a)) -> dominates (c * d) (bind P K) (bind P' K').
Proof.
  intros Hc Hd H1 H2 h Hh N; simpl.
  assert (N' : forall a, 0 <= Ex (K' a) h) by (intros; now apply Ex_nonneg_bounded).
  specialize (H1 _ (bounded_Ex K' h Hh) N').
  apply Rle_trans with (d * Ex P (fun a => Ex (K' a) h)).
  - assert (d * (c * Ex P' (fun a => Ex (K' a) h)) <= d * Ex P (fun a => Ex (K' a) h)) by (apply Rmult_le_compat_l; auto); lra.
  - rewrite <- Ex_scal by (apply Int_bounded, bounded_Ex, Hh).
    apply Ex_le; [apply Int_bounded, bounded_scal, bounded_Ex, Hh|apply Int_bounded, bounded_Ex, Hh|].
    intros a; now apply H2.
Qed.
Lemma dominates_map {A B} c (P P' : dist A) (g : A -> B) : dominates c P P' -> dominates c (dmap g P) (dmap g P').
Proof. intros H h [M L] N; apply H; [exists M|]; intros; [apply L|apply N]. Qed.

(** What is left when the share is taken out. *)
Local Obligation Tactic := idtac.
Program Definition residual {A} (P P' : dist A) del (Hd : 0 < del) (H : dominates (1 - del) P P') : dist A :=
  {| Int := bounded; Ex := fun f => / del * (Ex P f - (1 - del) * Ex P' f) |}.
Next Obligation. cbv beta; intros A P P' del Hd H f g E [M B]; exists M; intros a; now rewrite <- E. Qed.
Next Obligation. auto. Qed.
Next Obligation. cbv beta; intros; now apply bounded_plus. Qed.
Next Obligation. cbv beta; intros; now apply bounded_scal. Qed.
Next Obligation. cbv beta; intros A P P' del Hd H f g F G; rewrite !Ex_plus by (now apply Int_bounded); ring. Qed.
Next Obligation. cbv beta; intros A P P' del Hd H c f F; rewrite !Ex_scal by (now apply Int_bounded); ring. Qed.
Next Obligation.
  cbv beta; intros A P P' del Hd H f g F G L.
  apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|].
  assert (B : bounded (fun a => g a - f a)).
  { destruct (bounded_plus g (fun a => -1 * f a) G (bounded_scal (-1) f F)) as [M HM].
    exists M; intros a; replace (g a - f a) with (g a + -1 * f a) by ring; apply HM. }
  assert (X := H (fun a => g a - f a) B (fun a => ltac:(specialize (L a); lra))).
  rewrite !Ex_minus in X by (now apply Int_bounded); lra.
Qed.
Next Obligation. cbv beta; intros A P P' del Hd H; rewrite !Ex_one; field; lra. Qed.

Lemma dominates_mixture {A} del (P P' : dist A) : 0 <= del -> dominates (1 - del) P P' -> exists P'', mixture del P P' P''.
Proof.
  intros [Hd|<-] H.
  - exists (residual P P' del Hd H); intros f _; simpl; field; lra.
  - exists P; intros f [M B]; replace (1 - 0) with 1 in * by ring.
    assert (X : forall h, bounded h -> (forall a, 0 <= h a) -> Ex P' h <= Ex P h) by (intros h B' N; specialize (H h B' N); lra).
    assert (Bf : bounded f) by now exists M.
    assert (Up := X (fun a => M + -1 * f a) ltac:(apply bounded_plus; auto with dp)
      ltac:(intros a; specialize (B a); pose proof (Rle_abs (f a)); lra)).
    assert (Dn := X (fun a => M + 1 * f a) ltac:(apply bounded_plus; auto with dp)
      ltac:(intros a; specialize (B a); pose proof (Rle_abs (- f a)); rewrite Rabs_Ropp in *; lra)).
    rewrite !Ex_plus, !Ex_scal, !Ex_const in Up, Dn by (apply Int_bounded; auto with dp); lra.
Qed.

Theorem dominates_approximate {A T} (D : T -> dist A -> dist A -> Prop) d del (P P' Q Q' : dist A) : 0 <= del ->
  dominates (1 - del) P P' -> dominates (1 - del) Q Q' -> D d P' Q' -> approximate D d del P Q.
Proof.
  intros H HP HQ C; destruct (dominates_mixture del P P' H HP) as [P'' MP], (dominates_mixture del Q Q' H HQ) as [Q'' MQ].
  now exists P', P'', Q', Q''.
Qed.
