(** [make_fixed_approxDP_to_PLD]: the pair of laws that loses as much as anything with a pair of epsilon and delta. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx RandResp Pairs Measures fixed_approxDP_to_approxDP.
Open Scope R_scope.

(** What a distance under PrivacyLossDivergence promises: the delta of its pair of laws, at each epsilon and in both orders. *)
Definition privacy_loss {W Y} (A B : dist W) (P Q : dist Y) : Prop :=
  forall epsilon delta, 0 <= epsilon -> close epsilon delta A B -> close epsilon delta P Q /\ close epsilon delta Q P.

Lemma response_ok own : 0 <= exp own / (1 + exp own) <= 1.
Proof.
  pose proof (exp_pos own); split; [left; apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (1 + exp own); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** Told for certain with probability [delta], else by a response. *)
Definition told_or_response own delta (Hd : 0 <= delta <= 1) (x : bool) : dist (bool * bool) :=
  bind (bernoulli delta Hd) (fun told =>
    if told then ret (true, x) else dmap (fun answer => (false, answer)) (rr _ (response_ok own) x)).

(** Its laws change places where answers do, so that it composes ([composition.make_composition_privacy_loss_divergence]). *)
Lemma told_or_response_symmetric own delta Hd : symmetric (of_laws (told_or_response own delta Hd true) (told_or_response own delta Hd false)).
Proof.
  intros a _ g _ G eta Heta; exists (fun y => g (fst y, negb (snd y))); split; [|split].
  - exists 1; intros y; specialize (G (fst y, negb (snd y))); rewrite Rabs_pos_eq; lra.
  - intros y; apply G.
  - simpl; lra.
Qed.
Lemma privacy_loss_promised {W Y} (A B : dist W) (P Q : dist Y) : privacy_loss A B P Q <-> promised (of_laws A B) P Q.
Proof.
  split; intros H e del He C; apply (H e del He).
  - intros f F; exact (C f (unit_bounded f F) F).
  - intros k _ G; exact (C k G).
Qed.

(** Its delta at an epsilon is [pair_delta]: no smaller one does … *)
Theorem pair_delta_least own delta Hd epsilon del : 0 <= epsilon ->
  close epsilon del (told_or_response own delta Hd true) (told_or_response own delta Hd false) ->
  pair_delta own delta epsilon <= del.
Proof.
  intros He C; unfold pair_delta, response_delta.
  pose proof (exp_pos own); pose proof (exp_pos epsilon).
  assert (E : exp own / (1 + exp own) * (1 + exp own) = exp own) by (field; lra).
  set (a := exp own / (1 + exp own)) in *; set (z := exp epsilon) in *; set (x := exp own) in *.
  assert (R : (x - z) / (1 + x) = a - z * (1 - a)) by (unfold a; field; lra); rewrite R.
  unfold Rmax; destruct (Rle_dec 0 (a - z * (1 - a))).
  - specialize (C (fun y => ind (snd y)) ltac:(intros [? []]; simpl; lra)); simpl in C; fold x a z in C; lra.
  - specialize (C (fun y => ind (andb (fst y) (snd y))) ltac:(intros [[] []]; simpl; lra)); simpl in C; fold x a z in C; lra.
Qed.

(** … and this one does, for all that has the guarantee. *)
Theorem dominated {Y} own delta Hd (P Q : dist Y) : 0 <= own -> approximate max_divergence own delta P Q ->
  privacy_loss (told_or_response own delta Hd true) (told_or_response own delta Hd false) P Q.
Proof.
  intros Ho G epsilon del He C.
  apply pair_delta_least in C; auto.
  destruct (make_fixed_approxDP_to_approxDP own delta (pair_delta own delta) P Q Ho Hd ltac:(intros; lra) G epsilon He) as [PQ QP].
  split; (eapply close_mono; [apply Rle_refl| |eassumption]); eapply Rle_trans; [apply Rmin_l|assumption|apply Rmin_l|assumption].
Qed.

(** [losses_of_pair]: an epsilon above 600 promises nothing, and a positive one is at least 10^-100; a delta above 1 says what 1 does. *)
Definition least : R := / 10 ^ 100.
Definition losses_of_pair (own delta : R) : R * R :=
  if Rlt_dec 600 own then (0, 1) else (if Rlt_dec 0 own then Rmax own least else own, if Rlt_dec 1 delta then 1 else delta).

Lemma losses_of_pair_ok own delta : 0 <= delta -> 0 <= snd (losses_of_pair own delta) <= 1.
Proof. intros; unfold losses_of_pair; destruct (Rlt_dec 600 own), (Rlt_dec 1 delta); simpl; lra. Qed.

(** At a delta of 1 anything is close. *)
Lemma told_for_certain {Y} own Hd (P Q : dist Y) : 
  privacy_loss (told_or_response own 1 Hd true) (told_or_response own 1 Hd false) P Q.
Proof.
  intros epsilon del He C; apply pair_delta_least in C; auto; unfold pair_delta in C.
  assert (X : forall P Q : dist Y, close epsilon del P Q); [|now split].
  intros P' Q' f Hf; pose proof (Ex_unit P' f Hf); pose proof (Ex_unit Q' f Hf); pose proof (exp_pos epsilon).
  assert (0 <= exp epsilon * Ex Q' f) by (apply Rmult_le_pos; lra); lra.
Qed.

Lemma approximate_mono {Y} own own' delta (P Q : dist Y) : own <= own' ->
  approximate max_divergence own delta P Q -> approximate max_divergence own' delta P Q.
Proof.
  intros L (P' & P'' & Q' & Q'' & HP & HQ & PQ & QP); exists P', P'', Q', Q''; repeat split; auto;
    eapply close_mono; eauto; lra.
Qed.

(** Nothing is asked of the laws where nothing was promised: an epsilon above 600, infinity in the code, or a delta of more than 1. *)
Theorem make_fixed_approxDP_to_PLD {Y} own delta (Hd : 0 <= delta) (P Q : dist Y) : 0 <= own ->
  (own <= 600 -> delta <= 1 -> approximate max_divergence own delta P Q) ->
  let '(own', delta') := losses_of_pair own delta in
  forall Hd' : 0 <= delta' <= 1, privacy_loss (told_or_response own' delta' Hd' true) (told_or_response own' delta' Hd' false) P Q.
Proof.
  intros Ho G; unfold losses_of_pair.
  destruct (Rlt_dec 600 own); [intros; apply told_for_certain|].
  destruct (Rlt_dec 1 delta); [intros; apply told_for_certain|]; intros Hd'.
  assert (L : own <= (if Rlt_dec 0 own then Rmax own least else own)) by (destruct (Rlt_dec 0 own); [apply Rmax_l|lra]).
  apply dominated; [lra|]; eapply approximate_mono; [exact L|apply G; lra].
Qed.
