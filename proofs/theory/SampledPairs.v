(** Dominating pairs on random samples (Zhu, Dong, Wang 2022, Theorem 11 and Proposition 30): a row that is taken with probability q turns what
    dominates into a mixture, whatever the other rows' coins are. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Approx Dataset Amplification Pairs.
Import ListNotations.
Open Scope R_scope.

(** Domination as a bound: at each slope, by the greatest that the pair's own tests gain. *)
Lemma dominated_height {Y} W (P Q : dist Y) :
  dominated W P Q <-> forall a, 0 <= a -> forall f, unit_test f -> Ex P f - a * Ex Q f <= height W a.
Proof.
  split; intros H a Ha f F.
  - apply le_epsilon; intros e He; destruct (H a Ha f F e He) as (g & T & G & X); pose proof (height_ge W a g Ha T G); lra.
  - intros e He; destruct (height_near W a e Ha He) as (g & T & G & N); exists g; split; [exact T|split; [exact G|]].
    specialize (H a Ha f F); lra.
Qed.
Lemma height_least W a m : 0 <= a -> (forall g, test W g -> unit_test g -> U W g - a * V W g <= m) -> height W a <= m.
Proof. intros A H; apply (height_lub W a A); intros x (g & T & G & ->); now apply H. Qed.
Lemma height_one W a : 0 <= a -> 1 - a <= height W a.
Proof.
  intros A; pose proof (height_ge W a (fun _ => 1) A (test_const W 1) ltac:(intros z; lra)) as H; rewrite !E_one in H; lra.
Qed.

(** The same pair in the other order. *)
Definition swapped (W : pair) : pair :=
  mkPair (place W) (test W) (test_ext W) (test_const W) (test_plus W) (test_scal W) (V W) (U W).
Lemma swapped_closed W : closed W -> closed (swapped W).
Proof. auto. Qed.
Theorem dominated_swapped {Y} W (P Q : dist Y) : dominated W P Q -> dominated (swapped W) Q P.
Proof.
  intros D a Ha f F eta Heta; destruct Ha as [Ha|<-].
  - assert (F' : unit_test (fun y => 1 + -1 * f y)) by (intros y; specialize (F y); lra).
    assert (I : 0 <= / a) by (left; now apply Rinv_0_lt_compat); assert (J : 0 < eta / a) by (now apply Rdiv_lt_0_compat).
    destruct (D (/ a) I _ F' (eta / a) J) as (g & T & G & X).
    exists (fun z => 1 + -1 * g z); split; [apply (test_plus W); [apply test_const|now apply test_scal]|split].
    + intros z; specialize (G z); lra.
    + cbn [U V swapped]; rewrite !(E_plus _ (fun _ => 1)), !E_scal, !E_one by auto using test_const, test_scal.
      rewrite !Ex_plus, !Ex_scal, !Ex_const in X by (apply Int_bounded; auto with dp).
      apply Rmult_le_compat_l with (r := a) in X; [|lra].
      replace (a * (1 + -1 * Ex P f - / a * (1 + -1 * Ex Q f))) with (a - a * Ex P f - 1 + Ex Q f) in X by (field; lra).
      replace (a * (U W g - / a * V W g + eta / a)) with (a * U W g - V W g + eta) in X by (field; lra).
      change (Ex Q f - a * Ex P f <= 1 + -1 * V W g - a * (1 + -1 * U W g) + eta); lra.
  - exists (fun _ => 1); split; [apply test_const|split; [intros z; lra|]]; cbn [U V swapped].
    rewrite E_one; pose proof (Ex_unit Q f F); lra.
Qed.

(** What is dominated at each value of some randomness is dominated in the mean over it, at any slope at once. *)
Theorem dominated_mean {X Y} W (S : dist X) (K L : X -> dist Y) : (forall x, dominated W (K x) (L x)) -> dominated W (bind S K) (bind S L).
Proof.
  intros H; apply dominated_height; intros a Ha f F; cbn [Ex bind].
  assert (B : forall D : X -> dist Y, bounded (fun x => Ex (D x) f)) by (intros D; apply unit_bounded; intros x; now apply Ex_unit).
  rewrite <- (Ex_const S (height W a)), <- (Ex_scal _ S a), <- Ex_minus by (apply Int_bounded; auto with dp).
  apply Ex_le; [apply Int_minus; apply Int_bounded; auto with dp|apply Int_const|].
  intros x; apply dominated_height; auto.
Qed.

(** * One row by a coin *)
Section Coin.
Variables (q : R) (Hq : 0 <= q <= 1).

(** The first law if the coin falls so, else the second. *)
Definition mixed {Y} (P Q : dist Y) : dist Y := bind (bernoulli q Hq) (fun b => if b then P else Q).

Local Obligation Tactic := idtac.
Program Definition mixed_law (W : pair) : law (test W) := mkLaw _ _ (fun g => q * U W g + (1 - q) * V W g) _ _ _ _.
Next Obligation. cbv beta; intros; rewrite !E_plus by auto; ring. Qed.
Next Obligation. cbv beta; intros; rewrite !E_scal by auto; ring. Qed.
Next Obligation.
  cbv beta; intros W f g F G H; apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; now apply E_le.
Qed.
Next Obligation. cbv beta; intros; rewrite !E_one; ring. Qed.

(** [((1 - q) Q + q P, Q)] for the pair [(P, Q)]. *)
Definition sampled (W : pair) : pair :=
  mkPair (place W) (test W) (test_ext W) (test_const W) (test_plus W) (test_scal W) (mixed_law W) (V W).
Lemma sampled_closed W : closed W -> closed (sampled W).
Proof. auto. Qed.

Theorem dominated_sampled {Y} W (P Q : dist Y) : dominated W P Q -> dominated (sampled W) (mixed P Q) Q.
Proof.
  intros D a Ha f F eta Heta; cbn [Ex mixed bind bernoulli]; pose proof (Ex_unit P f F); pose proof (Ex_unit Q f F).
  destruct (Rle_lt_dec (1 - q) a) as [L|L]; [destruct (proj1 Hq) as [Q0|Q0]|].
  - set (b := (a - (1 - q)) / q).
    assert (B : 0 <= b) by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
    destruct (D b B f F (eta / q) ltac:(now apply Rdiv_lt_0_compat)) as (g & T & G & X); exists g; split; [exact T|split; [exact G|]].
    apply Rmult_le_compat_l with (r := q) in X; [|lra].
    assert (Eb : q * b = a - (1 - q)) by (unfold b; field; lra).
    assert (Ee : q * (eta / q) = eta) by (field; lra).
    replace (q * (Ex P f - b * Ex Q f)) with (q * Ex P f - (q * b) * Ex Q f) in X by ring.
    replace (q * (U W g - b * V W g + eta / q)) with (q * U W g - (q * b) * V W g + q * (eta / q)) in X by ring.
    rewrite Eb, Ee in X.
    change (q * Ex P f + (1 - q) * Ex Q f - a * Ex Q f <= q * U W g + (1 - q) * V W g - a * V W g + eta); lra.
  - exists (fun _ => 0); split; [apply test_const|split; [intros z; lra|]].
    change (q * Ex P f + (1 - q) * Ex Q f - a * Ex Q f <= q * U W (fun _ => 0) + (1 - q) * V W (fun _ => 0) - a * V W (fun _ => 0) + eta).
    rewrite <- Q0, !E_const in *; nra.
  - exists (fun _ => 1); split; [apply test_const|split; [intros z; lra|]].
    change (q * Ex P f + (1 - q) * Ex Q f - a * Ex Q f <= q * U W (fun _ => 1) + (1 - q) * V W (fun _ => 1) - a * V W (fun _ => 1) + eta).
    rewrite !E_one; nra.
Qed.
End Coin.

(** A greater rate says less. *)
Lemma sampled_rises q q' (Hq : 0 <= q <= 1) (Hq' : 0 <= q' <= 1) {Y} W (P Q : dist Y) : q <= q' ->
  dominated (sampled q Hq W) P Q -> dominated (sampled q' Hq' W) P Q.
Proof.
  intros L D; apply dominated_height; intros a Ha f F.
  eapply Rle_trans; [now apply (proj1 (dominated_height _ P Q) D)|].
  apply height_least; auto; intros g T G; change (q * U W g + (1 - q) * V W g - a * V W g <= height (sampled q' Hq' W) a).
  pose proof (E_unit W (V W) g T G) as HV; pose proof (E_unit W (U W) g T G) as HU.
  assert (H : q' * U W g + (1 - q') * V W g - a * V W g <= height (sampled q' Hq' W) a) by exact (height_ge (sampled q' Hq' W) a g Ha T G).
  pose proof (height_one (sampled q' Hq' W) a Ha) as H1; pose proof (height_nonneg (sampled q' Hq' W) a Ha) as H0.
  set (h := height (sampled q' Hq' W) a) in *; set (u := U W g) in *; set (v := V W g) in *.
  destruct (Req_dec q' 0) as [Z|N]; [assert (q = q') by lra; subst q; lra|].
  set (l := q / q'); assert (El : q = l * q') by (unfold l; field; lra).
  assert (Bl : 0 <= l <= 1).
  { unfold l; split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with q'; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (X : (1 - a) * v <= h) by (destruct (Rle_lt_dec a 1); nra).
  replace (q * u + (1 - q) * v - a * v) with (l * (q' * u + (1 - q') * v - a * v) + (1 - l) * ((1 - a) * v)) by (rewrite El; ring).
  nra.
Qed.

(** * All rows by coins of their own *)
(** For any order of closeness [D] of what a sample with the row and one without it release, and any [D'] of what follows when the row's coin is
    tossed, if means keep both. *)
Section Sampling.
Context {A Y : Type} (q : R) (Hq : 0 <= q <= 1) (D D' : dist Y -> dist Y -> Prop).
Definition same (P Q : dist Y) : Prop := forall f, unit_test f -> Ex P f = Ex Q f.
Definition kept (C : dist Y -> dist Y -> Prop) : Prop :=
  (forall P P' Q Q', same P P' -> same Q Q' -> C P Q -> C P' Q') /\
  forall X (S : dist X) (K L : X -> dist Y), (forall x, C (K x) (L x)) -> C (bind S K) (bind S L).
Hypotheses (KD : kept D) (KD' : kept D') (coin : forall P Q, D P Q -> D' (mixed q Hq P Q) Q).

Lemma coins_then (x : A) l (M : list A -> dist Y) :
  same (bind (coins q Hq l) (fun s => mixed q Hq (M (x :: s)) (M s))) (bind (coins q Hq (x :: l)) M).
Proof. intros f _; reflexivity. Qed.
Lemma same_refl P : same P P.
Proof. intros f _; reflexivity. Qed.

(** Sequences: one row more, anywhere. *)
Theorem poisson_sequence (a b : list A) r : forall M : list A -> dist Y, (forall s t, D (M (s ++ r :: t)) (M (s ++ t))) ->
  D' (bind (coins q Hq (a ++ r :: b)) M) (bind (coins q Hq (a ++ b)) M).
Proof.
  destruct KD as [_ MD], KD' as [SD' MD'].
  induction a as [|y a IH]; intros M H; cbn [app].
  - eapply SD'; [apply coins_then|apply same_refl|]; apply MD'; intros s; apply coin, (H [] s).
  - eapply SD'; [apply coins_then|apply coins_then|].
    apply IH; intros s t; apply MD; intros []; [apply (H (y :: s) t)|apply H].
Qed.

(** Multisets: one row more, and the order of rows tells nothing. *)
Theorem poisson_multiset (x x' : list A) r (M : list A -> dist Y) : order_free M -> Permutation x' (r :: x) ->
  (forall s, D (M (r :: s)) (M s)) -> D' (bind (coins q Hq x') M) (bind (coins q Hq x) M).
Proof.
  destruct KD' as [SD' MD']; intros O P H; apply (SD' (bind (coins q Hq (r :: x)) M) _ (bind (coins q Hq x) M)); [|apply same_refl|].
  - intros f F; cbn [Ex bind]; symmetry; apply coins_order_free; auto.
    + apply unit_bounded; intros s; now apply Ex_unit.
    + intros s t K; now apply O.
  - eapply SD'; [apply coins_then|apply same_refl|]; apply MD'; intros s; apply coin, H.
Qed.
End Sampling.

Lemma dominated_kept {Y} W : kept (fun P Q : dist Y => dominated W P Q).
Proof.
  split; [|intros X S K L; apply dominated_mean].
  intros P P' Q Q' HP HQ D a Ha f F; rewrite <- HP, <- HQ by auto; now apply D.
Qed.

(** A greater rate may stand for the true one. *)
Section Directed.
Context {A Y : Type} (q q' : R) (Hq : 0 <= q <= 1) (Hq' : 0 <= q' <= 1) (L : q <= q') (W : pair) (M : list A -> dist Y).
Theorem poisson_dominated_sequence a b r : (forall s t, dominated W (M (s ++ r :: t)) (M (s ++ t))) ->
  dominated (sampled q' Hq' W) (bind (coins q Hq (a ++ r :: b)) M) (bind (coins q Hq (a ++ b)) M) /\
  dominated (swapped (sampled q' Hq' W)) (bind (coins q Hq (a ++ b)) M) (bind (coins q Hq (a ++ r :: b)) M).
Proof.
  intros H; match goal with |- ?G /\ _ => assert (X : G); [|split; [exact X|now apply dominated_swapped]] end.
  apply sampled_rises with (q := q) (Hq := Hq); auto.
  apply (poisson_sequence q Hq (fun P Q => dominated W P Q) (fun P Q => dominated (sampled q Hq W) P Q)); auto using dominated_kept, dominated_sampled.
Qed.
Theorem poisson_dominated_multiset x x' r : order_free M -> Permutation x' (r :: x) -> (forall s, dominated W (M (r :: s)) (M s)) ->
  dominated (sampled q' Hq' W) (bind (coins q Hq x') M) (bind (coins q Hq x) M) /\
  dominated (swapped (sampled q' Hq' W)) (bind (coins q Hq x) M) (bind (coins q Hq x') M).
Proof.
  intros O P H; match goal with |- ?G /\ _ => assert (X : G); [|split; [exact X|now apply dominated_swapped]] end.
  apply sampled_rises with (q := q) (Hq := Hq); auto.
  apply (poisson_multiset q Hq (fun P Q => dominated W P Q) (fun P Q => dominated (sampled q Hq W) P Q) (dominated_kept _)) with r; auto using dominated_sampled.
Qed.
End Directed.

(** * One release after another, each chosen by those before it, on samples of their own *)
Section Turns.
Context {Y : Type}.
Fixpoint in_turn (n : nat) (N : list Y -> dist Y) (seen : list Y) : dist (list Y) :=
  match n with O => ret seen | S n => bind (N seen) (fun y => in_turn n N (y :: seen)) end.
Theorem in_turn_dominated W n (N N' : list Y -> dist Y) : closed W -> (forall seen, dominated W (N seen) (N' seen)) ->
  forall seen, dominated (products (repeat W n)) (in_turn n N seen) (in_turn n N' seen).
Proof.
  intros C H; induction n as [|n IH]; intros seen.
  - intros a _ f F eta Heta; exists (fun _ => f seen); split; [exact I|split; [intros z; apply F|simpl; lra]].
  - cbn [in_turn repeat products]; apply products_dominate; auto.
Qed.
End Turns.
