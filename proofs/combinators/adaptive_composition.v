(** [make_adaptive_composition]: the losses are declared, and each measurement is chosen in view of the releases before it. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Expect Approx DualRenyi DiscreteGaussian PureToZCDP Measures GaussianDivergence GaussianComposition Rounding composition Interaction.
Import ListNotations.
Open Scope R_scope.

(** [DeclaredLosses]: the i-th release must be within the i-th loss. *)
Definition declared {T} (within : T -> T -> bool) (losses : list T) : ledger T :=
  {| Entries := nat;
     allows := fun released loss => match nth_error losses released with Some l => within loss l | None => false end;
     write := fun released _ => S released |}.

Lemma after_one {T} (losses : list T) (n : nat) l : nth_error losses n = Some l -> skipn n losses = l :: skipn (S n) losses.
Proof.
  revert n; induction losses as [|a losses IH]; intros [|n] E; simpl in *; try discriminate; [injection E as ->; auto|]; now apply IH.
Qed.
Lemma skipn_all {T} (P : T -> Prop) (losses : list T) n : Forall P losses -> Forall P (skipn n losses).
Proof. revert n; induction losses; intros [|n] F; simpl; auto; inversion F; auto. Qed.
Lemma total_nonneg losses : Forall (fun l => 0 <= l) losses -> 0 <= total losses.
Proof. induction 1; simpl; unfold total in *; simpl; lra. Qed.

(** A comparison of numbers, as [is_within]. *)
Definition number_within (loss l : R) : bool := if Rle_dec loss l then true else false.
Lemma number_within_le loss l : number_within loss l = true -> loss <= l.
Proof. unfold number_within; destruct (Rle_dec loss l); auto; discriminate. Qed.
Definition pair_within (loss l : R * R) : bool := (number_within (fst loss) (fst l) && number_within (snd loss) (snd l))%bool.

(** One order: more is allowed, equal distributions, and a choice that tells nothing. *)
Lemma renyi_mono {W} al t t' (P P' : dist W) : 1 < al -> t <= t' -> renyi al t P P' -> renyi al t' P P'.
Proof.
  intros Ha Ht G f Hf; destruct (conj_range al Ha); eapply Rle_trans; [exact (G f Hf)|].
  apply Rmult_le_compat_r; [left; apply exp_pos|].
  destruct (Rmult_le_compat_l (1 - / al) _ _ ltac:(lra) Ht) as [T| ->]; [left; now apply exp_increasing|lra].
Qed.
Lemma renyi_same {W} al t (P : dist W) : 1 < al -> 0 <= t -> renyi al t P P.
Proof. intros Ha Ht; apply renyi_mono with 0; auto; pose proof (@zCDP_refl W P al Ha) as G; now rewrite Rmult_0_r in G. Qed.
Lemma renyi_mix {W C} al t (P : dist C) (K K' : C -> dist W) : 1 < al -> (forall c, renyi al t (K c) (K' c)) -> renyi al t (bind P K) (bind P K').
Proof. intros Ha H; rewrite <- (Rplus_0_l t); apply renyi_adaptive_composition; auto; apply renyi_same; auto; lra. Qed.

Section Declared.
Context {X Q Y V : Type} (release : Q -> X -> dist Y) (x x' : X).

Theorem make_adaptive_composition_max_divergence (losses : list R) (loss : Q -> option R) : Forall (fun l => 0 <= l) losses ->
  (forall q l, loss q = Some l -> max_divergence l (release q x) (release q x')) ->
  forall a : @asker Q Y V, max_divergence (up (total losses))
    (converse release loss (declared number_within losses) a O x) (converse release loss (declared number_within losses) a O x').
Proof.
  intros Hl H a; assert (N : forall s, 0 <= total (skipn s losses)) by (intros s; now apply total_nonneg, skipn_all).
  assert (R : max_divergence (total (skipn 0 losses)) (converse release loss (declared number_within losses) a O x)
    (converse release loss (declared number_within losses) a O x')).
  { apply (conversation release loss (declared number_within losses) (fun W => @max_divergence W) (fun s => total (skipn s losses)) (fun e W => @max_divergence W e)); auto.
    - intros W s P; split; apply close_same; auto; lra.
    - intros W C s P K K' HK; split; apply close_mix; try lra; intros c; apply HK.
    - intros W C s e P P' K K' A [C1 C2] HK; simpl in A; destruct (nth_error losses s) as [l|] eqn:E; [|discriminate].
      apply number_within_le in A; rewrite (after_one _ _ _ E); simpl total.
      split; (eapply close_mono; [apply Rplus_le_compat_r; exact A|apply Rle_refl|]; rewrite <- (Rplus_0_l 0);
        apply adaptive_composition; [lra|auto|intros c; apply HK]). }
  simpl in R; destruct R; split; (eapply close_mono; [apply up_ge|apply Rle_refl|auto]).
Qed.

Theorem make_adaptive_composition_zero_concentrated (losses : list R) (loss : Q -> option R) : Forall (fun l => 0 <= l) losses ->
  (forall q l, loss q = Some l -> zero_concentrated l (release q x) (release q x')) ->
  forall a : @asker Q Y V, zero_concentrated (up (total losses))
    (converse release loss (declared number_within losses) a O x) (converse release loss (declared number_within losses) a O x').
Proof.
  intros Hl H a; assert (N : forall s, 0 <= total (skipn s losses)) by (intros s; now apply total_nonneg, skipn_all).
  assert (R : zero_concentrated (total (skipn 0 losses)) (converse release loss (declared number_within losses) a O x)
    (converse release loss (declared number_within losses) a O x')).
  { apply (conversation release loss (declared number_within losses) (fun W => @zero_concentrated W) (fun s => total (skipn s losses)) (fun e W => @zero_concentrated W e)); auto.
    - intros W s P; split; apply zCDP_same; auto.
    - intros W C s P K K' HK; split; apply zCDP_mix; intros c; apply HK.
    - intros W C s e P P' K K' A [C1 C2] HK; simpl in A; destruct (nth_error losses s) as [l|] eqn:E; [|discriminate].
      apply number_within_le in A; rewrite (after_one _ _ _ E); simpl total.
      split; (eapply zCDP_mono; [apply Rplus_le_compat_r; exact A|]; apply zCDP_adaptive_composition; [auto|intros c; apply HK]). }
  simpl in R; destruct R; split; (eapply zCDP_mono; [apply up_ge|auto]).
Qed.

Theorem make_adaptive_composition_approximate (losses : list (R * R)) (loss : Q -> option (R * R)) :
  Forall (fun l => 0 <= fst l /\ 0 <= snd l) losses ->
  (forall q l, loss q = Some l -> close (fst l) (snd l) (release q x) (release q x') /\ close (fst l) (snd l) (release q x') (release q x)) ->
  forall a : @asker Q Y V,
    let run := converse release loss (declared pair_within losses) a O in
    let e := up (total (map fst losses)) in let d := up (total (map snd losses)) in
    close e d (run x) (run x') /\ close e d (run x') (run x).
Proof.
  intros Hl H a run e d.
  set (D := fun (W : Type) (l : R * R) (P P' : dist W) => close (fst l) (snd l) P P' /\ close (fst l) (snd l) P' P).
  set (rest := fun s : nat => (total (map fst (skipn s losses)), total (map snd (skipn s losses)))).
  assert (N : forall s, 0 <= fst (rest s) /\ 0 <= snd (rest s)).
  { intros s; apply (skipn_all _ _ s) in Hl; unfold rest; simpl; clear - Hl; induction Hl as [|l ls [] _ [I J]]; simpl; unfold total in *; simpl; lra. }
  assert (R : D V (rest O) (run x) (run x')).
  { apply (conversation release loss (declared pair_within losses) D rest (fun l W => D W l)); auto.
    - intros W s P; split; apply close_same; apply N.
    - intros W C s P K K' HK; split; apply close_mix; try apply N; intros c; apply HK.
    - intros W C s l P P' K K' A [C1 C2] HK; simpl in A; destruct (nth_error losses s) as [m|] eqn:E; [|discriminate].
      apply andb_prop in A; destruct A as [A B]; apply number_within_le in A, B; unfold rest; rewrite (after_one _ _ _ E); simpl.
      split; (eapply close_mono; [apply Rplus_le_compat_r; exact A|apply Rplus_le_compat_r; exact B|];
        apply adaptive_composition; [apply (N (S s))|auto|intros c; apply HK]). }
  destruct R; unfold e, d; split; (eapply close_mono; [apply up_ge|apply up_ge|auto]).
Qed.

(** Curves: at no order may a release lose more than was declared; [sum] is any curve that is nowhere below the sum. *)
Theorem make_adaptive_composition_renyi_divergence (losses : list (R -> R)) (within : (R -> R) -> (R -> R) -> bool) (loss : Q -> option (R -> R)) (sum : R -> R) :
  (forall c c' al, within c c' = true -> 1 < al -> c al <= c' al) -> Forall (fun c => forall al, 1 < al -> 0 <= c al) losses ->
  (forall q c, loss q = Some c -> renyi_divergence c (release q x) (release q x')) ->
  (forall al, 1 < al -> total (map (fun curve => curve al) losses) <= sum al) ->
  forall a : @asker Q Y V, renyi_divergence sum
    (converse release loss (declared within losses) a O x) (converse release loss (declared within losses) a O x').
Proof.
  intros Hw Hl H Hs a.
  set (rest := fun (s : nat) al => total (map (fun curve : R -> R => curve al) (skipn s losses))).
  assert (N : forall s al, 1 < al -> 0 <= rest s al).
  { intros s al Ha; apply (skipn_all _ _ s) in Hl; unfold rest; clear - Hl Ha; induction Hl as [|c cs Hc _ I]; simpl; unfold total in *; simpl; [lra|].
    specialize (Hc al Ha); lra. }
  assert (R : renyi_divergence (rest O) (converse release loss (declared within losses) a O x) (converse release loss (declared within losses) a O x')).
  { apply (conversation release loss (declared within losses) (fun W => @renyi_divergence W) rest (fun c W => @renyi_divergence W c)); auto.
    - intros W s P al Ha; split; apply renyi_same; auto; now apply N.
    - intros W C s P K K' HK al Ha; split; apply renyi_mix; auto; intros c; now apply HK.
    - intros W C s c P P' K K' A HP HK al Ha; simpl in A; destruct (nth_error losses s) as [l|] eqn:E; [|discriminate].
      assert (Er : rest s al = l al + rest (S s) al) by (unfold rest; now rewrite (after_one _ _ _ E)).
      destruct (HP al Ha) as [C1 C2]; pose proof (Hw _ _ _ A Ha).
      rewrite Er; split; (apply renyi_mono with (c al + rest (S s) al); [auto|lra|]; apply renyi_adaptive_composition; auto; intros b; now apply HK). }
  intros al Ha; destruct (R al Ha); split; (eapply renyi_mono; [auto|apply (Hs al Ha)|auto]).
Qed.

(** Gaussian divergence: the root of the sum of squares, as [gaussian_composition] rounds it. *)
Lemma no_easier_mix {W C} mu (P : dist C) (K K' : C -> dist W) : 0 <= mu -> (forall c, no_easier mu (K c) (K' c)) -> no_easier mu (bind P K) (bind P K').
Proof.
  intros M H; replace mu with (hypotenuse 0 mu) by (unfold hypotenuse; rewrite Rmult_0_l, Rplus_0_l; now apply sqrt_square).
  apply no_easier_composition; auto using no_easier_refl; lra.
Qed.
Theorem make_adaptive_composition_gaussian_divergence unit (losses : list R) (loss : Q -> option R) : 0 < unit -> Forall (fun l => 0 <= l) losses ->
  (forall q l, loss q = Some l -> 0 <= l /\ gaussian_divergence l (release q x) (release q x')) ->
  forall a : @asker Q Y V, gaussian_divergence (gaussian_composition unit losses)
    (converse release loss (declared number_within losses) a O x) (converse release loss (declared number_within losses) a O x').
Proof.
  intros U Hl H a; assert (N : forall s, 0 <= root (skipn s losses)) by (intros s; apply sqrt_pos).
  assert (R : gaussian_divergence (root (skipn 0 losses)) (converse release loss (declared number_within losses) a O x)
    (converse release loss (declared number_within losses) a O x')).
  { apply (conversation release loss (declared number_within losses) (fun W => @gaussian_divergence W) (fun s => root (skipn s losses))
      (fun e W P P' => 0 <= e /\ gaussian_divergence e P P')); auto.
    - intros W s P; split; (eapply no_easier_mono; [apply N|apply no_easier_refl]).
    - intros W C s P K K' HK; split; apply no_easier_mix; auto; intros c; apply HK.
    - intros W C s e P P' K K' A (E0 & C1 & C2) HK; simpl in A; destruct (nth_error losses s) as [l|] eqn:E; [|discriminate].
      apply number_within_le in A; rewrite (after_one _ _ _ E), root_cons.
      split; apply no_easier_composition; try lra; try apply (N (S s)); try (intros c; apply HK); eapply no_easier_mono; eauto. }
  simpl in R; destruct R; split; (eapply no_easier_mono; [now apply gaussian_composition_sound|auto]).
Qed.
Theorem losing_nothing_gaussian (Entry : Type) (entry : Q -> option Entry) (L : ledger Entry) :
  (forall q e, entry q = Some e -> gaussian_divergence 0 (release q x) (release q x')) ->
  forall (a : @asker Q Y V) s, gaussian_divergence 0 (converse release entry L a s x) (converse release entry L a s x').
Proof.
  intros H; apply (conversation release entry L (fun W (_ : unit) => @gaussian_divergence W 0) (fun _ => tt) (fun _ W => @gaussian_divergence W 0)); auto.
  - intros W s P; split; apply no_easier_refl.
  - intros W C s P K K' HK; split; apply no_easier_mix; try lra; intros c; apply HK.
  - intros W C s e P P' K K' _ [C1 C2] HK; split; (apply no_easier_mono with (hypotenuse 0 0);
      [unfold hypotenuse; rewrite Rmult_0_l, Rplus_0_l, sqrt_0; lra|apply no_easier_composition; auto; try lra; intros c; apply HK]).
Qed.
End Declared.
