(** The laws of Gaussian noise as a pair: N(0, 1) in the coordinate in which it is uniform on [0, 1], and N(mu, 1) as the image of the same numbers
    under the shift by mu. What is measurable is what Riemann integrates. *)
Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Normal GaussianDivergence Measures Pairs.
Open Scope R_scope.

(** The inverse of [Phi]. *)
Definition not_beyond (q x : R) : Prop := Phi x <= q.
Lemma not_beyond_bound q : q < 1 -> bound (not_beyond q).
Proof.
  intros H; destruct (Phi_near_one (1 - q) ltac:(lra)) as [x X]; exists x; intros y Y; unfold not_beyond in Y.
  apply Rnot_lt_le; intros L; apply Phi_lt in L; lra.
Qed.
Lemma not_beyond_some q : 0 < q -> exists x, not_beyond q x.
Proof. intros H; destruct (Phi_near_none q H) as [x X]; exists x; unfold not_beyond; lra. Qed.
Definition quantile (q : R) : R :=
  match Rlt_dec 0 q, Rlt_dec q 1 with
  | left A, left B => proj1_sig (completeness _ (not_beyond_bound q B) (not_beyond_some q A))
  | _, _ => 0
  end.
Lemma quantile_Phi x : quantile (Phi x) = x.
Proof.
  pose proof (Phi_range x); unfold quantile; destruct (Rlt_dec 0 (Phi x)); [|lra]; destruct (Rlt_dec (Phi x) 1); [|lra].
  destruct (completeness _ _ _) as [l [U L]]; simpl; apply Rle_antisym.
  - apply L; intros y Y; unfold not_beyond in Y; apply Rnot_lt_le; intros H'; apply Phi_lt in H'; lra.
  - apply U; unfold not_beyond; lra.
Qed.
Lemma Phi_quantile q : 0 < q < 1 -> Phi (quantile q) = q.
Proof. intros H; destruct (Phi_onto q H) as [x <-]; now rewrite quantile_Phi. Qed.

(** Riemann's integral on the unit interval. *)
Definition integrable (g : R -> R) : Prop := ex_RInt g 0 1.
Lemma integrable_ext f g : (forall z, 0 < z < 1 -> f z = g z) -> integrable f -> integrable g.
Proof. intros H F; eapply ex_RInt_ext; [|exact F]; intros z Z; rewrite Rmin_left, Rmax_right in Z by lra; auto. Qed.
Lemma integrable_const c : integrable (fun _ => c).
Proof. apply ex_RInt_const. Qed.
Lemma integrable_plus f g : integrable f -> integrable g -> integrable (fun z => f z + g z).
Proof. apply @ex_RInt_plus. Qed.
Lemma integrable_scal c f : integrable f -> integrable (fun z => c * f z).
Proof. intros H; exact (ex_RInt_scal f 0 1 c H). Qed.
Lemma integrable_abs f : integrable f -> integrable (fun z => Rabs (f z)).
Proof. intros H; exact (ex_RInt_norm f 0 1 H). Qed.
Lemma integrable_clip f : integrable f -> integrable (fun z => clip (f z)).
Proof.
  intros H; apply integrable_ext with (fun z => / 2 * (Rabs (f z) + -1 * Rabs (f z + - 1)) + / 2).
  - intros z _; unfold clip, Rmax, Rmin, Rabs; repeat destruct (Rle_dec _ _); repeat destruct (Rcase_abs _); lra.
  - apply integrable_plus; [|apply integrable_const]; apply integrable_scal, integrable_plus; [now apply integrable_abs|].
    apply integrable_scal, (integrable_abs (fun z => f z + - 1)), integrable_plus; [exact H|apply integrable_const].
Qed.
Lemma integral_const (c : R) : RInt (fun _ : R => c) 0 1 = c.
Proof. rewrite (RInt_const (V := R_CompleteNormedModule)); unfold scal; simpl; unfold mult; simpl; ring. Qed.
(** By way of a change of coordinates. *)
Definition mean (s g : R -> R) : R := RInt (fun v => g (s v)) 0 1.
Section Gaussian.
Variable mu : R.
Definition shift (v : R) : R := Phi (quantile v + mu).
Definition measurable (g : R -> R) : Prop := integrable g /\ integrable (fun v => g (shift v)).

Program Definition law_of (s : R -> R) (Hs : forall g, measurable g -> integrable (fun v => g (s v))) : law measurable :=
  mkLaw _ _ (mean s) _ _ _ _.
Next Obligation. exact (RInt_plus (V := R_CompleteNormedModule) (fun v => f (s v)) (fun v => g (s v)) 0 1 (Hs f H) (Hs g H0)). Qed.
Next Obligation. exact (RInt_scal (V := R_CompleteNormedModule) (fun v => f (s v)) 0 1 c (Hs f H)). Qed.
Next Obligation. apply RInt_le; [lra|exact (Hs f H)|exact (Hs g H0)|auto]. Qed.
Next Obligation. exact (integral_const 1). Qed.

Definition gaussian : pair.
Proof.
  refine (mkPair R measurable _ _ _ _ (law_of shift _) (law_of (fun v => v) _)).
  - intros f g H [A B]; split; [apply (integrable_ext f g)|apply (integrable_ext (fun v => f (shift v)) (fun v => g (shift v)))]; auto.
  - intros c; split; apply integrable_const.
  - intros f g [A B] [A' B']; split; [exact (integrable_plus f g A A')|exact (integrable_plus _ _ B B')].
  - intros c f [A B]; split; [exact (integrable_scal c f A)|exact (integrable_scal c _ B)].
  - now intros g [].
  - now intros g [].
Defined.

Lemma gaussian_closed : closed gaussian.
Proof. intros f [A B]; split; [exact (integrable_clip f A)|exact (integrable_clip _ B)]. Qed.

(** A half line. *)
Definition beyond (x u : R) : R := if Rlt_dec (Phi x) u then 1 else 0.
Lemma beyond_integral y : is_RInt (beyond y) 0 1 (1 - Phi y).
Proof.
  pose proof (Phi_range y); replace (1 - Phi y) with (plus 0 (1 - Phi y)) by (unfold plus; simpl; ring).
  apply (is_RInt_Chasles (V := R_NormedModule)) with (Phi y).
  - apply is_RInt_ext with (fun _ => 0).
    + intros u Hu; rewrite Rmin_left, Rmax_right in Hu by lra; unfold beyond; destruct (Rlt_dec (Phi y) u); lra.
    + replace 0 with (scal (Phi y - 0) 0) at 2 by (unfold scal; simpl; unfold mult; simpl; ring); apply @is_RInt_const.
  - apply is_RInt_ext with (fun _ => 1).
    + intros u Hu; rewrite Rmin_left, Rmax_right in Hu by lra; unfold beyond; destruct (Rlt_dec (Phi y) u); lra.
    + replace (1 - Phi y) with (scal (1 - Phi y) 1) by (unfold scal; simpl; unfold mult; simpl; ring); apply @is_RInt_const.
Qed.
Lemma beyond_shift x v : 0 < v < 1 -> beyond x (shift v) = beyond (x - mu) v.
Proof.
  intros H; unfold beyond, shift; pose proof (Phi_quantile v H) as V.
  assert (E : Phi x < Phi (quantile v + mu) <-> Phi (x - mu) < v).
  { split; intros L.
    - rewrite <- V; apply Phi_lt; assert (~ quantile v + mu <= x) by (intros N; apply Phi_le in N; lra); lra.
    - apply Phi_lt; assert (~ quantile v <= x - mu) by (intros N; apply Phi_le in N; lra); lra. }
  destruct (Rlt_dec (Phi x) (Phi (quantile v + mu))), (Rlt_dec (Phi (x - mu)) v); auto; tauto.
Qed.
Lemma beyond_shifted x : is_RInt (fun v => beyond x (shift v)) 0 1 (1 - Phi (x - mu)).
Proof.
  eapply is_RInt_ext; [|apply beyond_integral].
  intros v Hv; rewrite Rmin_left, Rmax_right in Hv by lra; now rewrite beyond_shift.
Qed.

(** The pair has the curve of Gaussian guarantees: whatever has the curve has what the pair promises. *)
Theorem gaussian_promised {Y} (P Q : dist Y) : 0 < mu -> smoothed_max_divergence (gaussian_delta mu) P Q -> promised gaussian P Q.
Proof.
  intros M H e del He C; destruct (H e He) as [A B].
  assert (D : gaussian_delta mu e <= del).
  { set (x := mu / 2 + e / mu).
    assert (T : measurable (beyond x)) by (split; [eexists; apply beyond_integral|eexists; apply beyond_shifted]).
    specialize (C (beyond x) T ltac:(intros u; unfold beyond; destruct (Rlt_dec _ _); lra)).
    change (RInt (fun v => beyond x (shift v)) 0 1 <= exp e * RInt (fun v => beyond x v) 0 1 + del) in C.
    assert (I1 : RInt (fun v => beyond x (shift v)) 0 1 = 1 - Phi (x - mu)) by (apply is_RInt_unique, beyond_shifted).
    assert (I2 : RInt (fun v => beyond x v) 0 1 = 1 - Phi x) by (apply is_RInt_unique, beyond_integral).
    rewrite I1, I2 in C.
    rewrite <- !Phi_opp in C; unfold gaussian_delta, x in *.
    replace (- (mu / 2 + e / mu - mu)) with (mu / 2 - e / mu) in C by lra.
    replace (- (mu / 2 + e / mu)) with (- mu / 2 - e / mu) in C by lra; lra. }
  split; (eapply close_mono; [apply Rle_refl|exact D|assumption]).
Qed.

(** Turned around at the middle between both means, each law is the other. *)
Definition turn (u : R) : R := Phi (mu - quantile u).
Lemma quantile_opp v : 0 < v < 1 -> quantile (1 - v) = - quantile v.
Proof.
  intros H; rewrite <- (Phi_quantile v H) at 1; now rewrite <- Phi_opp, quantile_Phi.
Qed.
Lemma mirrored g : integrable g -> is_RInt (fun v => g (1 - v)) 0 1 (RInt g 0 1).
Proof.
  intros H; assert (I : is_RInt g (-1 * 1 + 1) (-1 * 0 + 1) (RInt g 0 1)).
  { replace (-1 * 1 + 1) with 0 by ring; replace (-1 * 0 + 1) with 1 by ring; now apply @RInt_correct. }
  apply is_RInt_swap in I; apply (is_RInt_comp_lin g (-1) 1 0 1) in I.
  apply (is_RInt_scal _ _ _ (-1)) in I; eapply is_RInt_ext in I; [replace (RInt g 0 1) with (scal (-1) (opp (RInt g 0 1))); [exact I|]|].
  - unfold scal, opp; simpl; unfold mult; simpl; ring.
  - intros v _; unfold scal; simpl; unfold mult; simpl; replace (-1 * v + 1) with (1 - v) by ring; ring.
Qed.
Theorem gaussian_symmetric : symmetric gaussian.
Proof.
  intros a _ g [T T'] G eta Heta; exists (fun u => g (turn u)).
  assert (A : is_RInt (fun v => g (turn v)) 0 1 (RInt (fun v => g (shift v)) 0 1)).
  { eapply is_RInt_ext; [|apply (mirrored (fun v => g (shift v))), T'].
    intros v Hv; rewrite Rmin_left, Rmax_right in Hv by lra; unfold shift, turn; rewrite quantile_opp by lra; do 2 f_equal; ring. }
  assert (B : is_RInt (fun v => g (turn (shift v))) 0 1 (RInt g 0 1)).
  { eapply is_RInt_ext; [|apply mirrored, T].
    intros v Hv; rewrite Rmin_left, Rmax_right in Hv by lra; unfold turn, shift; rewrite quantile_Phi.
    replace (mu - (quantile v + mu)) with (- quantile v) by ring; now rewrite Phi_opp, Phi_quantile. }
  split; [split; eexists; eassumption|split; [intros z; apply G|]].
  change (RInt (fun v => g (shift v)) 0 1 - a * RInt (fun v => g v) 0 1 <=
    RInt (fun v => g (turn v)) 0 1 - a * RInt (fun v => g (turn (shift v))) 0 1 + eta).
  assert (IA : RInt (fun v => g (turn v)) 0 1 = RInt (fun v => g (shift v)) 0 1) by (now apply is_RInt_unique).
  assert (IB : RInt (fun v => g (turn (shift v))) 0 1 = RInt (fun v => g v) 0 1) by (now apply is_RInt_unique).
  rewrite IA, IB; lra.
Qed.
End Gaussian.
