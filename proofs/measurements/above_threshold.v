(** [make_above_threshold]: questions answered by comparison with a noisy threshold, until so many answers were true. *)
Require Import Reals Lra Psatz Lia ZArith.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DiscreteLaplace Measures Rounding Interaction.
Open Scope R_scope.

(** A law of noise that a shift by [t], one of [G], changes by a factor of at most [exp (t / s)]. *)
Definition shifts (s : R) (G : R -> Prop) (N : dist R) : Prop :=
  forall t f, G t -> unit_test f -> Ex N f <= exp (Rabs t / s) * Ex N (fun z => f (z - t)).

(** Integers: the discrete Laplace law. *)
Definition whole (t : R) : Prop := exists z, t = IZR z.
Definition integer_noise (s : R) (Hs : 0 < s) : dist R := dmap IZR (dlap_at (exp (- / s)) (scale_ok s Hs) 0).
Theorem integer_noise_shifts s Hs : shifts s whole (integer_noise s Hs).
Proof.
  intros t f (z & ->) Hf.
  pose proof (discrete_laplace_private s Hs 0 (- z) (fun y => f (IZR y)) (fun y => Hf (IZR y))) as H.
  rewrite Rplus_0_r in H; replace (0 - - z)%Z with z in H by lia; rewrite abs_IZR in H.
  unfold integer_noise; cbn [Ex dmap bind ret] in *; eapply Rle_trans; [exact H|]; right; f_equal.
  unfold dlap_at; cbn [Ex dmap bind ret]; apply Ex_ext; [apply Int_bounded, unit_bounded; intros y; apply Hf|].
  intros y; f_equal; rewrite Z.add_0_r, plus_IZR, opp_IZR; ring.
Qed.

(** A value, as the question's function gives it: an infinite one is answered without noise. *)
Inductive value := number (r : R) | infinite (positive : bool).

Section Sessions.
Context {X Q V : Type} (value_of : Q -> X -> value) (noise : dist R) (threshold : R).

(** [Session]: with [left] answers of true left, and the threshold's noise drawn. *)
Fixpoint session (a : @asker Q bool V) (left : nat) (zeta : R) (x : X) : dist V :=
  match a with
  | stop v => ret v
  | toss _ P next => bind P (fun t => session (next t) left zeta x)
  | ask q next =>
      match left with
      | O => session (next None) O zeta x
      | S left' =>
          match value_of q x with
          | infinite b => session (next (Some b)) (if b then left' else left) zeta x
          | number r => bind noise (fun nu =>
              if Rle_dec (threshold + zeta) (r + nu) then session (next (Some true)) left' zeta x else session (next (Some false)) left zeta x)
          end
      end
  end.

(** From [x] to [x'] with the threshold moved by [h], an answer of true needs noise greater by 0 to [m]. *)
Definition moves (G : R -> Prop) (h m : R) (v v' : value) : Prop :=
  match v, v' with
  | number r, number r' => 0 <= h + r - r' <= m /\ G (h + r - r')
  | infinite b, infinite b' => b = b'
  | _, _ => False
  end.

Variables (s : R) (Hs : 0 < s) (G : R -> Prop) (Hnoise : shifts s G noise) (h m : R) (x x' : X).
Hypothesis Hq : forall q, moves G h m (value_of q x) (value_of q x').

Lemma session_close : 0 <= m -> forall a left zeta f, unit_test f ->
  Ex (session a left zeta x) f <= exp (INR left * (m / s)) * Ex (session a left (zeta + h) x') f.
Proof.
  intros Hm; assert (Hms : 0 <= m / s) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  induction a as [v|T P next IH|q next IH]; intros left zeta f Hf; cbn [session].
  - cbn [Ex ret]; pose proof (exp_ineq1_le (INR left * (m / s))); pose proof (pos_INR left); assert (0 <= INR left * (m / s)) by now apply Rmult_le_pos.
    specialize (Hf v); nra.
  - cbn [Ex bind]; rewrite <- Ex_scal by (apply Int_unit; intros t; now apply Ex_unit).
    apply Ex_le; [apply Int_unit; intros t; now apply Ex_unit|apply Int_scal, Int_unit; intros t; now apply Ex_unit|]; intros t; now apply IH.
  - destruct left as [|left]; [now apply IH|].
    assert (Grow : forall w, 0 <= w -> exp (INR left * (m / s)) * w <= exp (INR (S left) * (m / s)) * w).
    { intros w Hw; apply Rmult_le_compat_r; auto; rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l.
      destruct Hms as [L|L]; [left; apply exp_increasing; lra|rewrite <- L, Rplus_0_r; lra]. }
    specialize (Hq q); unfold moves in Hq; destruct (value_of q x) as [r|b], (value_of q x') as [r'|b']; try contradiction.
    + destruct Hq as [Ht HG]; set (t := h + r - r') in *; cbn [Ex bind].
      set (g1 := Ex (session (next (Some true)) left zeta x) f); set (g0 := Ex (session (next (Some false)) (S left) zeta x) f).
      set (g1' := Ex (session (next (Some true)) left (zeta + h) x') f); set (g0' := Ex (session (next (Some false)) (S left) (zeta + h) x') f).
      assert (I1 : g1 <= exp (INR left * (m / s)) * g1') by (apply (IH (Some true) left zeta f Hf)).
      assert (I0 : g0 <= exp (INR (S left) * (m / s)) * g0') by (apply (IH (Some false) (S left) zeta f Hf)).
      assert (U : 0 <= g1 <= 1 /\ 0 <= g0 <= 1 /\ 0 <= g1' <= 1 /\ 0 <= g0' <= 1) by (repeat split; now apply Ex_unit).
      set (yes := fun nu => ind (if Rle_dec (threshold + zeta) (r + nu) then true else false)).
      set (yes' := fun nu => ind (if Rle_dec (threshold + (zeta + h)) (r' + nu) then true else false)).
      assert (Uy : unit_test yes) by (intros nu; unfold yes, ind; destruct (Rle_dec _ _); lra).
      assert (Uy' : unit_test yes') by (intros nu; unfold yes', ind; destruct (Rle_dec _ _); lra).
      assert (Split : forall (g1 g0 : R) (y : R -> R), unit_test y -> Ex noise (fun nu => y nu * g1 + (1 - y nu) * g0) = Ex noise y * g1 + (1 - Ex noise y) * g0).
      { intros w1 w0 y Hy; rewrite (Ex_ext noise _ (fun nu => (w1 - w0) * y nu + w0)).
        - rewrite Ex_plus, Ex_scal, Ex_const by (try apply Int_const; try apply Int_scal; apply Int_unit; auto); ring.
        - apply Int_ext with (fun nu => (w1 - w0) * y nu + w0); [intros; ring|]; apply Int_plus; [apply Int_scal, Int_unit; auto|apply Int_const].
        - intros; ring. }
      assert (E : forall g1 g0, Ex noise (fun nu => yes nu * g1 + (1 - yes nu) * g0) = Ex noise yes * g1 + (1 - Ex noise yes) * g0) by (intros; now apply Split).
      assert (E' : forall g1 g0, Ex noise (fun nu => yes' nu * g1 + (1 - yes' nu) * g0) = Ex noise yes' * g1 + (1 - Ex noise yes') * g0) by (intros; now apply Split).
      assert (Left : Ex noise (fun nu => Ex (if Rle_dec (threshold + zeta) (r + nu) then session (next (Some true)) left zeta x else session (next (Some false)) (S left) zeta x) f)
        = Ex noise yes * g1 + (1 - Ex noise yes) * g0).
      { rewrite <- E; apply Ex_ext; [apply Int_unit; intros nu; destruct (Rle_dec _ _); now apply Ex_unit|].
        intros nu; unfold yes, ind, g1, g0; destruct (Rle_dec _ _); ring. }
      assert (Right : Ex noise (fun nu => Ex (if Rle_dec (threshold + (zeta + h)) (r' + nu) then session (next (Some true)) left (zeta + h) x' else session (next (Some false)) (S left) (zeta + h) x') f)
        = Ex noise yes' * g1' + (1 - Ex noise yes') * g0').
      { rewrite <- E'; apply Ex_ext; [apply Int_unit; intros nu; destruct (Rle_dec _ _); now apply Ex_unit|].
        intros nu; unfold yes', ind, g1', g0'; destruct (Rle_dec _ _); ring. }
      rewrite Left, Right; clear Left Right E E' Split.
      (* answers of true *)
      assert (A1 : Ex noise yes <= exp (m / s) * Ex noise yes').
      { pose proof (Hnoise t yes HG Uy) as S1; rewrite Rabs_pos_eq in S1 by lra.
        assert (Sh : Ex noise (fun z => yes (z - t)) = Ex noise yes').
        { apply Ex_ext; [apply Int_unit; intros z; apply Uy|]; intros z; unfold yes, yes', ind, t.
          destruct (Rle_dec (threshold + zeta) _), (Rle_dec (threshold + (zeta + h)) _); lra. }
        rewrite Sh in S1; eapply Rle_trans; [exact S1|]; apply Rmult_le_compat_r; [now apply Ex_unit|].
        assert (Le : t / s <= m / s) by (unfold Rdiv; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra]).
        destruct Le as [L|L]; [left; now apply exp_increasing|rewrite L; lra]. }
      (* answers of false are free *)
      assert (A0 : Ex noise yes' <= Ex noise yes).
      { apply Ex_le; try (apply Int_unit; auto); intros nu; unfold yes, yes', ind, t in *.
        destruct (Rle_dec (threshold + zeta) _), (Rle_dec (threshold + (zeta + h)) _); lra. }
      pose proof (Ex_unit noise yes Uy); pose proof (Ex_unit noise yes' Uy').
      assert (Es : exp (INR (S left) * (m / s)) = exp (INR left * (m / s)) * exp (m / s)) by (rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l; apply exp_plus).
      set (w := exp (INR left * (m / s))) in *; set (k := exp (m / s)) in *; assert (0 < w) by apply exp_pos; assert (0 < k) by apply exp_pos.
      rewrite Es in *; set (p := Ex noise yes) in *; set (p' := Ex noise yes') in *.
      assert (p * g1 <= (k * p') * (w * g1')) by (apply Rmult_le_compat; lra).
      assert (N : 0 <= w * k * g0') by (apply Rmult_le_pos; [nra|lra]).
      assert ((1 - p) * g0 <= (1 - p') * (w * k * g0')) by (apply Rmult_le_compat; lra). lra.
    + subst b'; destruct b; [eapply Rle_trans; [apply IH; auto|]; apply Grow; now apply Ex_unit|now apply IH].
Qed.
End Sessions.

Section Conversation.
Context {X Q V : Type} (value_of : Q -> X -> value) (threshold : R) (G : R -> Prop) (a b : R) (Ha : 0 < a) (Hb : 0 < b)
  (threshold_noise value_noise : dist R) (Ht : shifts a G threshold_noise) (Hv : shifts b G value_noise) (limit : nat).

(** [Session::new], then the questions. *)
Definition conversation (questions : @asker Q bool V) (x : X) : dist V :=
  bind threshold_noise (fun zeta => session value_of value_noise threshold questions limit zeta x).

Lemma conversation_close h m x x' : 0 <= h -> 0 <= m -> G h -> (forall q, moves G h m (value_of q x) (value_of q x')) ->
  forall questions, close (h / a + INR limit * (m / b)) 0 (conversation questions x) (conversation questions x').
Proof.
  intros Hh Hm Gh Hq questions f Hf; rewrite Rplus_0_r, exp_plus; unfold conversation; cbn [Ex bind].
  set (r' := fun zeta => Ex (session value_of value_noise threshold questions limit zeta x') f).
  assert (U : unit_test (fun zeta => r' (zeta + h))) by (intros zeta; now apply Ex_unit).
  apply Rle_trans with (exp (INR limit * (m / b)) * Ex threshold_noise (fun zeta => r' (zeta + h))).
  - rewrite <- Ex_scal by now apply Int_unit.
    apply Ex_le; [apply Int_unit; intros zeta; now apply Ex_unit|apply Int_scal; now apply Int_unit|].
    intros zeta; now apply (session_close value_of value_noise threshold b Hb G Hv h m x x' Hq Hm).
  - pose proof (Ht h _ Gh U) as S; rewrite (Rabs_pos_eq h) in S by auto.
    assert (E : Ex threshold_noise (fun z => r' (z - h + h)) = Ex threshold_noise r').
    { apply Ex_ext; [apply Int_unit; intros z; now apply Ex_unit|]; intros z; f_equal; ring. }
    cbv beta in S; rewrite E in S; fold r'; pose proof (exp_pos (INR limit * (m / b))).
    rewrite (Rmult_comm (exp (h / a))), Rmult_assoc; apply Rmult_le_compat_l; lra.
Qed.

(** Questions whose values differ by [delta] at most, which is at most the sensitivity: for integers the greatest one. *)
Definition near (delta : R) (v v' : value) : Prop :=
  match v, v' with number r, number r' => Rabs (r - r') <= delta | infinite p, infinite p' => p = p' | _, _ => False end.
(** Integers, or any numbers: [G] has the sums that shifts are made of. *)
Definition made_of (delta : R) (v v' : value) : Prop :=
  match v, v' with number r, number r' => G (delta + r - r') /\ G (r - r') /\ G (delta + r' - r) /\ G (r' - r) | _, _ => True end.

(** [loss] *)
Definition loss (sensitivity moved : R) : R := up (sensitivity / a + INR limit * moved / b).
Lemma loss_sound sensitivity h m moved : h <= sensitivity -> 0 <= m <= moved -> h / a + INR limit * (m / b) <= loss sensitivity moved.
Proof.
  intros Hh Hm; eapply Rle_trans; [|apply up_ge]; unfold Rdiv; rewrite Rmult_assoc; apply Rplus_le_compat.
  - apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|auto].
  - apply Rmult_le_compat_l; [apply pos_INR|]; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra].
Qed.

Theorem make_above_threshold sensitivity delta x x' : 0 <= delta <= sensitivity -> G delta ->
  (forall q, near delta (value_of q x) (value_of q x') /\ made_of delta (value_of q x) (value_of q x')) ->
  forall questions, max_divergence (loss sensitivity (sensitivity * 2)) (conversation questions x) (conversation questions x').
Proof.
  intros Hd Gd Hq questions.
  assert (L : delta / a + INR limit * (2 * delta / b) <= loss sensitivity (sensitivity * 2)).
  { apply loss_sound; lra. }
  split; (eapply close_mono; [exact L|apply Rle_refl|]); apply conversation_close; auto; try lra; intros q; destruct (Hq q) as [N M]; unfold near, made_of, moves in *;
    destruct (value_of q x), (value_of q x'); auto; apply Rabs_le_inv in N; split; try apply M; lra.
Qed.

(** Questions that all move in one direction from [x] to [x']. *)
Theorem make_above_threshold_monotonic sensitivity delta x x' : 0 <= delta <= sensitivity -> G delta -> G 0 ->
  (forall q, near delta (value_of q x) (value_of q x') /\ made_of delta (value_of q x) (value_of q x')) ->
  ((forall q, match value_of q x, value_of q x' with number r, number r' => r' <= r | _, _ => True end) \/
   (forall q, match value_of q x, value_of q x' with number r, number r' => r <= r' | _, _ => True end)) ->
  forall questions, max_divergence (loss sensitivity sensitivity) (conversation questions x) (conversation questions x').
Proof.
  intros Hd Gd G0 Hq Mono questions.
  assert (L : delta / a + INR limit * (delta / b) <= loss sensitivity sensitivity) by (apply loss_sound; lra).
  assert (L0 : 0 / a + INR limit * (delta / b) <= loss sensitivity sensitivity) by (apply loss_sound; lra).
  assert (Down : forall y y', (forall q, near delta (value_of q y) (value_of q y') /\ made_of delta (value_of q y) (value_of q y')) ->
    (forall q, match value_of q y, value_of q y' with number r, number r' => r' <= r | _, _ => True end) ->
    close (loss sensitivity sensitivity) 0 (conversation questions y) (conversation questions y') /\
    close (loss sensitivity sensitivity) 0 (conversation questions y') (conversation questions y)).
  { intros y y' Hn Hm; split.
    - eapply close_mono; [exact L0|apply Rle_refl|]; apply conversation_close; auto; try lra; intros q; destruct (Hn q) as [N M]; specialize (Hm q); unfold near, made_of, moves in *.
      destruct (value_of q y), (value_of q y'); auto; apply Rabs_le_inv in N; replace (0 + r - r0) with (r - r0) by ring; split; try apply M; lra.
    - eapply close_mono; [exact L|apply Rle_refl|]; apply conversation_close; auto; try lra; intros q; destruct (Hn q) as [N M]; specialize (Hm q); unfold near, made_of, moves in *.
      destruct (value_of q y), (value_of q y'); auto; apply Rabs_le_inv in N; split; try apply M; lra. }
  destruct Mono as [H|H]; [now apply Down|].
  destruct (Down x' x) as [A B]; [| |split; auto].
  - intros q; destruct (Hq q) as [N M]; unfold near, made_of in *; destruct (value_of q x), (value_of q x'); auto; rewrite Rabs_minus_sym; split; auto; tauto.
  - intros q; specialize (H q); destruct (value_of q x), (value_of q x'); auto.
Qed.
End Conversation.

(** A sensitivity of 0, and data at distance 0: questions have the same value, whatever the noise. *)
Theorem make_above_threshold_same {X Q V} (value_of : Q -> X -> value) threshold (threshold_noise value_noise : dist R) limit (x x' : X) :
  (forall q, value_of q x = value_of q x') -> forall questions : @asker Q bool V,
  max_divergence 0 (conversation value_of threshold threshold_noise value_noise limit questions x)
    (conversation value_of threshold threshold_noise value_noise limit questions x').
Proof.
  intros H questions.
  assert (E : forall left zeta f, unit_test f -> Ex (session value_of value_noise threshold questions left zeta x) f = Ex (session value_of value_noise threshold questions left zeta x') f).
  { induction questions as [v|T P next IH|q next IH]; intros left zeta f Hf; cbn [session]; auto.
    - cbn [Ex bind]; apply Ex_ext; [apply Int_unit; intros t; now apply Ex_unit|]; intros t; now apply IH.
    - destruct left as [|left]; [now apply IH|]; rewrite <- (H q); destruct (value_of q x) as [r|b]; [|now apply IH].
      cbn [Ex bind]; apply Ex_ext; [apply Int_unit; intros nu; destruct (Rle_dec _ _); now apply Ex_unit|].
      intros nu; destruct (Rle_dec _ _); now apply IH. }
  assert (C : forall f, unit_test f -> Ex (conversation value_of threshold threshold_noise value_noise limit questions x) f =
    Ex (conversation value_of threshold threshold_noise value_noise limit questions x') f).
  { intros f Hf; unfold conversation; cbn [Ex bind]; apply Ex_ext; [apply Int_unit; intros zeta; now apply Ex_unit|]; intros zeta; now apply E. }
  split; intros f Hf; rewrite exp_0, (C f Hf); lra.
Qed.

(** Integers: noise of the discrete Laplace law, and values that differ by whole numbers up to the sensitivity. *)
Theorem make_above_threshold_integers {X Q V} (value_of : Q -> X -> Z) (threshold : Z) a b (Ha : 0 < a) (Hb : 0 < b) limit sensitivity x x' :
  0 <= sensitivity -> (forall q, IZR (Z.abs (value_of q x - value_of q x')) <= sensitivity) -> forall questions : @asker Q bool V,
  let run := conversation (fun q x => number (IZR (value_of q x))) (IZR threshold) (integer_noise a Ha) (integer_noise b Hb) limit questions in
  max_divergence (loss a b limit sensitivity (sensitivity * 2)) (run x) (run x').
Proof.
  intros Hs Hq questions; apply make_above_threshold with (G := whole) (delta := IZR (Zfloor sensitivity)); auto using integer_noise_shifts.
  - split; [apply IZR_le, Zfloor_lub; auto|apply Zfloor_lb].
  - now exists (Zfloor sensitivity).
  - intros q; specialize (Hq q); unfold near, made_of; rewrite <- minus_IZR, <- abs_IZR; split; [now apply IZR_le, Zfloor_lub|].
    repeat split; [exists (Zfloor sensitivity + value_of q x - value_of q x')%Z|exists (value_of q x - value_of q x')%Z|
      exists (Zfloor sensitivity + value_of q x' - value_of q x)%Z|exists (value_of q x' - value_of q x)%Z]; rewrite ?minus_IZR, ?plus_IZR; ring.
Qed.
