(** Conversations: an asker chooses each measurement in view of the releases before it, and a ledger says which are made. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DualRenyi DiscreteGaussian PureToZCDP Measures Rounding.
Import ListNotations.
Open Scope R_scope.

(** What a ledger writes down, and whether it allows one entry more. *)
Record ledger (Entry : Type) := { Entries : Type; allows : Entries -> Entry -> bool; write : Entries -> Entry -> Entries }.
Arguments Entries {Entry}. Arguments allows {Entry} l. Arguments write {Entry} l.

Section Conversations.
(** [X] are the data, [Q] the measurements that may be asked, [Y] the releases of all of them, errors included, and [V] what the asker
    makes of a conversation, such as the list of all that it saw. *)
Context {X Q Y V Entry : Type}.

(** The asker may toss coins of its own, and hears of a refusal.  Every course ends; none need be bounded. *)
Inductive asker : Type :=
  | stop (v : V)
  | toss (T : Type) (P : dist T) (next : T -> asker)
  | ask (q : Q) (next : option Y -> asker).

Variables (release : Q -> X -> dist Y) (entry : Q -> option Entry) (L : ledger Entry).

(** A measurement whose map has no entry, or whose entry is not allowed, is refused; another is written down and then released. *)
Fixpoint converse (a : asker) (s : Entries L) (x : X) : dist V :=
  match a with
  | stop v => ret v
  | toss _ P next => bind P (fun t => converse (next t) s x)
  | ask q next =>
      match entry q with
      | Some e => if allows L s e then bind (release q x) (fun y => converse (next (Some y)) (write L s e) x) else converse (next None) s x
      | None => converse (next None) s x
      end
  end.

(** If what is left to lose, [left], is enough for each entry that is allowed and what is left after it, it is enough for the whole. *)
Context {T : Type} (D : forall W : Type, T -> dist W -> dist W -> Prop) (left_of : Entries L -> T) (charge : Entry -> forall W : Type, dist W -> dist W -> Prop).
Hypothesis nothing : forall W s (P : dist W), D W (left_of s) P P.
Hypothesis mixed : forall W C s (P : dist C) (K K' : C -> dist W), (forall c, D W (left_of s) (K c) (K' c)) -> D W (left_of s) (bind P K) (bind P K').
Hypothesis charged : forall W C s e (P P' : dist C) (K K' : C -> dist W), allows L s e = true -> charge e C P P' ->
  (forall c, D W (left_of (write L s e)) (K c) (K' c)) -> D W (left_of s) (bind P K) (bind P' K').

Theorem conversation (x x' : X) : (forall q e, entry q = Some e -> charge e Y (release q x) (release q x')) ->
  forall a s, D V (left_of s) (converse a s x) (converse a s x').
Proof.
  intros H; induction a as [v|U P next IH|q next IH]; intros s; simpl; auto.
  destruct (entry q) as [e|] eqn:E; auto; destruct (allows L s e) eqn:A; auto.
  eapply charged; eauto.
Qed.
End Conversations.
Arguments stop {Q Y V}. Arguments toss {Q Y V}. Arguments ask {Q Y V}.

(** The rules of composition, as the theorem wants them. *)
Lemma close_same {A} e d (P : dist A) : 0 <= e -> 0 <= d -> close e d P P.
Proof. intros; apply close_mono with 0 0; auto; intros f Hf; rewrite exp_0; lra. Qed.
Lemma close_mix {A C} e d (P : dist C) (K K' : C -> dist A) : 0 <= d -> (forall c, close e d (K c) (K' c)) -> close e d (bind P K) (bind P K').
Proof.
  intros Hd H; replace e with (0 + e) by ring; replace d with (0 + d) by ring; apply adaptive_composition; auto.
  apply close_same; lra.
Qed.
Lemma zCDP_same {A} r (P : dist A) : 0 <= r -> zCDP r P P.
Proof. intros; apply zCDP_mono with 0; auto; apply zCDP_refl. Qed.
Lemma zCDP_mix {A C} r (P : dist C) (K K' : C -> dist A) : (forall c, zCDP r (K c) (K' c)) -> zCDP r (bind P K) (bind P K').
Proof. intros H; replace r with (0 + r) by ring; apply zCDP_adaptive_composition; auto; apply zCDP_refl. Qed.

(** Every finite float is a whole multiple of the least one. *)
Definition units (z : Z) : R := IZR z * bpow radix2 (-1074).
Theorem float_units x : generic_format radix2 fexp64 x -> exists z, x = units z.
Proof.
  intros G; rewrite G; set (m := Ztrunc _); set (c := cexp _ _ _).
  assert (Hc : (-1074 <= c)%Z) by (unfold c, cexp, FLT_exp; lia).
  exists (m * 2 ^ (c + 1074))%Z; unfold units, F2R; cbn [Fnum Fexp].
  rewrite mult_IZR, Rmult_assoc; f_equal; change 2%Z with (radix_val radix2).
  rewrite IZR_Zpower by lia; rewrite <- bpow_plus; f_equal; lia.
Qed.
Lemma units_le z z' : (z <= z')%Z <-> units z <= units z'.
Proof.
  unfold units; pose proof (bpow_gt_0 radix2 (-1074)); split; intros Z.
  - apply Rmult_le_compat_r; [lra|now apply IZR_le].
  - apply le_IZR; eapply Rmult_le_reg_r; eauto.
Qed.
Lemma units_plus z z' : units (z + z') = units z + units z'.
Proof. unfold units; rewrite plus_IZR; ring. Qed.

(** At distance 0, where no measurement that is admitted loses anything, neither does a conversation, whatever the ledger. *)
Section AtZero.
Context {X Q Y V Entry : Type} (release : Q -> X -> dist Y) (entry : Q -> option Entry) (L : ledger Entry) (x x' : X).

Theorem conversation_losing_nothing : (forall q e, entry q = Some e -> max_divergence 0 (release q x) (release q x')) ->
  forall (a : @asker Q Y V) s, max_divergence 0 (converse release entry L a s x) (converse release entry L a s x').
Proof.
  intros H; apply (conversation release entry L (fun W (_ : unit) => @max_divergence W 0) (fun _ => tt) (fun _ W => @max_divergence W 0)); auto.
  - intros W s P; split; apply close_same; lra.
  - intros W C s P K K' HK; split; apply close_mix; try lra; intros c; apply HK.
  - intros W C s e P P' K K' _ [C1 C2] HK.
    split; (apply close_mono with (0 + 0) (0 + 0); try lra; apply adaptive_composition; try lra; auto; intros c; apply HK).
Qed.
Theorem conversation_losing_nothing_concentrated : (forall q e, entry q = Some e -> zero_concentrated 0 (release q x) (release q x')) ->
  forall (a : @asker Q Y V) s, zero_concentrated 0 (converse release entry L a s x) (converse release entry L a s x').
Proof.
  intros H; apply (conversation release entry L (fun W (_ : unit) => @zero_concentrated W 0) (fun _ => tt) (fun _ W => @zero_concentrated W 0)); auto.
  - intros W s P; split; apply zCDP_same; lra.
  - intros W C s P K K' HK; split; apply zCDP_mix; intros c; apply HK.
  - intros W C s e P P' K K' _ [C1 C2] HK; split; rewrite <- (Rplus_0_l 0); apply zCDP_adaptive_composition; auto; intros c; apply HK.
Qed.
End AtZero.
