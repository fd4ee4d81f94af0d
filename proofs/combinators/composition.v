(** [make_composition]: several releases on the same data, each with randomness of its own.

    Releases of different types are those of their disjoint union, so that a tuple is a list, too. *)
Require Import Reals Lra Psatz List.
From DP Require Import Expect Approx DualRenyi DiscreteGaussian PureToZCDP Measures GaussianDivergence GaussianComposition Pairs SampledPairs Rounding.
Import ListNotations.
Open Scope R_scope.

Section Composition.
Context {Y : Type}.
Fixpoint all (Ps : list (dist Y)) : dist (list Y) :=
  match Ps with [] => ret [] | P :: Ps => bind P (fun y => dmap (cons y) (all Ps)) end.

Definition total (losses : list R) : R := fold_right Rplus 0 losses.

(** Part by part, two lists of releases are as close as a list of losses says. *)
Inductive part_by_part {T} (D : T -> dist Y -> dist Y -> Prop) : list T -> list (dist Y) -> list (dist Y) -> Prop :=
  | no_parts : part_by_part D [] [] []
  | a_part e es P Ps Q Qs : D e P Q -> part_by_part D es Ps Qs -> part_by_part D (e :: es) (P :: Ps) (Q :: Qs).

Lemma pure_one_way es Ps Qs : part_by_part (fun e P Q => close e 0 P Q) es Ps Qs ->
  close (total es) 0 (all Ps) (all Qs).
Proof.
  induction 1.
  - intros f Hf; simpl; rewrite exp_0; lra.
  - apply close_mono with (e + total es) (0 + 0); [apply Rle_refl|lra|].
    apply adaptive_composition; [lra|auto|].
    intros y; apply post_processing; exact IHpart_by_part.
Qed.

Lemma zCDP_one_way rs Ps Qs : part_by_part (fun r P Q => zCDP r P Q) rs Ps Qs ->
  zCDP (total rs) (all Ps) (all Qs).
Proof.
  induction 1 as [|r rs P Ps Q Qs H _ IH]; [apply zCDP_refl|].
  change (total (r :: rs)) with (r + total rs).
  apply zCDP_adaptive_composition; auto; intros y; now apply zCDP_post_processing.
Qed.

Lemma split_ways (D E : R -> dist Y -> dist Y -> Prop) es Ps Qs :
  part_by_part (fun e P Q => D e P Q /\ E e Q P) es Ps Qs -> part_by_part D es Ps Qs /\ part_by_part E es Qs Ps.
Proof. induction 1 as [|e es P Ps Q Qs [] _ []]; split; constructor; auto. Qed.

(** The losses are summed exactly and rounded up once. *)
Theorem make_composition_max_divergence es Ps Qs : part_by_part max_divergence es Ps Qs ->
  close (up (total es)) 0 (all Ps) (all Qs) /\ close (up (total es)) 0 (all Qs) (all Ps).
Proof.
  intros H; apply split_ways in H; destruct H as [F B].
  split; (eapply close_mono; [apply up_ge|apply Rle_refl|]); now apply pure_one_way.
Qed.

Theorem make_composition_zero_concentrated rs Ps Qs : part_by_part zero_concentrated rs Ps Qs ->
  zCDP (up (total rs)) (all Ps) (all Qs) /\ zCDP (up (total rs)) (all Qs) (all Ps).
Proof.
  intros H; apply split_ways in H; destruct H as [F B].
  split; (eapply zCDP_mono; [apply up_ge|]); now apply zCDP_one_way.
Qed.

(** Each part has an interval of its own; it may not depend on the parts before it, which are fixed here. *)
Lemma range_one_way es Ps Qs : part_by_part range_divergence es Ps Qs -> range_divergence (total es) (all Ps) (all Qs).
Proof.
  intros H.
  induction H as [|e es P Ps Q Qs (t & U & L) _ (t' & U' & L')].
  - exists 0; split; intros f _; simpl; rewrite ?Rplus_0_r, ?Ropp_0, exp_0; lra.
  - change (total (e :: es)) with (e + total es); exists (t + t'); split.
    + replace (t + t' + (e + total es)) with ((t + e) + (t' + total es)) by ring.
      rewrite <- (Rplus_0_l 0); apply adaptive_composition; [lra|exact U|]; intros y; now apply post_processing.
    + replace (- (t + t')) with (- t + - t') by ring.
      rewrite <- (Rplus_0_l 0); apply adaptive_composition; [lra|exact L|]; intros y; now apply post_processing.
Qed.
Theorem make_composition_range_divergence es Ps Qs : part_by_part range_divergence es Ps Qs ->
  range_divergence (up (total es)) (all Ps) (all Qs).
Proof. intros H; eapply bounded_range_mono; [apply up_ge|]; now apply range_one_way. Qed.

(** Curves add at every order; [sum] is any curve that is nowhere below, as the code's is, part by part. *)
Theorem make_composition_renyi_divergence curves (sum : R -> R) Ps Qs : part_by_part renyi_divergence curves Ps Qs ->
  (forall al, 1 < al -> total (map (fun curve => curve al) curves) <= sum al) ->
  renyi_divergence sum (all Ps) (all Qs).
Proof.
  intros H B al Ha; specialize (B al Ha).
  assert (M : forall P Q : dist (list Y), renyi al (total (map (fun curve => curve al) curves)) P Q -> renyi al (sum al) P Q).
  { intros P Q R f Hf; destruct (conj_range al Ha); eapply Rle_trans; [exact (R f Hf)|].
    apply Rmult_le_compat_r; [left; apply exp_pos|].
    destruct (Rmult_le_compat_l (1 - / al) _ _ ltac:(lra) B) as [L| ->]; [left; now apply exp_increasing|lra]. }
  clear B; assert (X : renyi al (total (map (fun curve => curve al) curves)) (all Ps) (all Qs) /\
    renyi al (total (map (fun curve => curve al) curves)) (all Qs) (all Ps)).
  { clear M; induction H as [|c cs P Ps Q Qs H _ [F G]].
    - simpl; split; pose proof (@zCDP_refl (list Y) (ret []) al Ha) as Z; now rewrite Rmult_0_r in Z.
    - change (total (map (fun curve => curve al) (c :: cs))) with (c al + total (map (fun curve => curve al) cs)).
      destruct (H al Ha); split; apply renyi_adaptive_composition; auto; intros y; now apply renyi_post_processing. }
  destruct X; split; now apply M.
Qed.

(** [gaussian_composition]: 0 where all are; else the root of the sum of squares, in units of some power of two, which is the code's to choose. *)
Definition greatest (mus : list R) : R := fold_right Rmax 0 mus.
Definition scaled_square (unit mu : R) : R := inf_mul (inf_div mu unit) (inf_div mu unit).
Definition gaussian_composition (unit : R) (mus : list R) : R :=
  if Req_EM_T (greatest mus) 0 then 0 else inf_mul (up (sqrt (up (total (map (scaled_square unit) mus))))) unit.
Definition root (mus : list R) : R := sqrt (total (map (fun mu => mu * mu) mus)).

Lemma squares_nonneg mus : 0 <= total (map (fun mu => mu * mu) mus).
Proof. induction mus; unfold total in *; simpl; [lra|nra]. Qed.
Lemma root_cons mu mus : root (mu :: mus) = hypotenuse mu (root mus).
Proof. unfold root, hypotenuse; rewrite sqrt_sqrt by apply squares_nonneg; reflexivity. Qed.
Lemma all_zero mus : Forall (fun mu => 0 <= mu) mus -> greatest mus = 0 -> root mus = 0.
Proof.
  unfold root; intros F G; replace (total (map (fun mu => mu * mu) mus)) with 0; [apply sqrt_0|].
  induction F as [|mu mus M F IH]; unfold total, greatest in *; simpl in *; [reflexivity|].
  pose proof (Rmax_l mu (fold_right Rmax 0 mus)); pose proof (Rmax_r mu (fold_right Rmax 0 mus)).
  assert (N : 0 <= fold_right Rmax 0 mus) by (clear; induction mus; simpl; [lra|eapply Rle_trans; [exact IHmus|apply Rmax_r]]).
  rewrite <- IH by lra; replace mu with 0 by lra; ring.
Qed.
Lemma gaussian_composition_sound unit mus : 0 < unit -> Forall (fun mu => 0 <= mu) mus -> root mus <= gaussian_composition unit mus.
Proof.
  intros U F; unfold gaussian_composition; destruct (Req_EM_T (greatest mus) 0) as [Z|_]; [rewrite all_zero; auto; lra|].
  assert (S : root mus = sqrt (total (map (fun mu => mu / unit * (mu / unit)) mus)) * unit).
  { unfold root; transitivity (sqrt (total (map (fun mu => mu / unit * (mu / unit)) mus)) * sqrt (unit * unit)); [|rewrite sqrt_square by lra; reflexivity].
    rewrite <- sqrt_mult_alt.
    - f_equal; clear F; induction mus as [|mu mus IH]; unfold total in *; simpl; [ring|rewrite IH; field; lra].
    - clear; induction mus; unfold total in *; simpl; [lra|nra]. }
  rewrite S; apply inf_mul_ge; [split; [apply sqrt_pos|]|lra].
  eapply Rle_trans; [apply sqrt_le_1_alt|apply up_ge]; eapply Rle_trans; [|apply up_ge].
  clear S; induction F as [|mu mus M F IH]; unfold total in *; simpl; [lra|]; apply Rplus_le_compat; auto.
  assert (0 <= mu / unit <= inf_div mu unit) by
    (split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|apply inf_div_ge; lra]).
  now apply inf_mul_ge.
Qed.

Lemma gaussian_one_way mus Ps Qs : Forall (fun mu => 0 <= mu) mus -> part_by_part no_easier mus Ps Qs -> no_easier (root mus) (all Ps) (all Qs).
Proof.
  intros F H; induction H as [|mu mus P Ps Q Qs H _ IH].
  - unfold root, total; simpl; rewrite sqrt_0; apply no_easier_refl.
  - inversion F; subst; rewrite root_cons; apply no_easier_composition; auto; [apply sqrt_pos|].
    intros y; now apply no_easier_post_processing, IH.
Qed.
Theorem make_composition_gaussian_divergence unit mus Ps Qs : 0 < unit -> Forall (fun mu => 0 <= mu) mus ->
  part_by_part gaussian_divergence mus Ps Qs -> gaussian_divergence (gaussian_composition unit mus) (all Ps) (all Qs).
Proof.
  intros U F H; apply split_ways in H; destruct H as [A B].
  split; (eapply no_easier_mono; [now apply gaussian_composition_sound|]); now apply gaussian_one_way.
Qed.

(** Profiles of Gaussian guarantees say all of these ([profile_is_all]), and compose as they do. *)
Theorem make_composition_gaussian_profiles unit mus Ps Qs : 0 < unit -> mus <> [] -> Forall (fun mu => 0 < mu) mus ->
  part_by_part (fun mu => smoothed_max_divergence (gaussian_delta mu)) mus Ps Qs ->
  smoothed_max_divergence (gaussian_delta (gaussian_composition unit mus)) (all Ps) (all Qs).
Proof.
  intros U N F H; apply profile_is_all.
  - apply Rlt_le_trans with (root mus).
    + destruct mus as [|mu mus]; [now elim N|]; inversion F; subst; unfold root; apply sqrt_lt_R0.
      pose proof (squares_nonneg mus); unfold total in *; simpl; nra.
    + apply gaussian_composition_sound; auto; eapply Forall_impl; [|exact F]; intros; simpl in *; lra.
  - apply make_composition_gaussian_divergence; auto; [eapply Forall_impl; [|exact F]; intros; simpl in *; lra|].
    clear N; induction H as [|mu mus P Ps Q Qs H _ IH]; constructor; inversion F; subst; auto; now apply profile_is_all.
Qed.

(** Pairs of an epsilon and a delta; each is summed and rounded up by itself. *)
Inductive approximately : list R -> list R -> list (dist Y) -> list (dist Y) -> Prop :=
  | no_parts_left : approximately [] [] [] []
  | one_more e es d ds P Ps Q Qs : 0 <= d -> close e d P Q -> approximately es ds Ps Qs ->
      approximately (e :: es) (d :: ds) (P :: Ps) (Q :: Qs).

Lemma deltas_nonneg es ds Ps Qs : approximately es ds Ps Qs -> 0 <= total ds.
Proof. induction 1; simpl; unfold total in *; lra. Qed.

Lemma approximate_one_way es ds Ps Qs : approximately es ds Ps Qs -> close (total es) (total ds) (all Ps) (all Qs).
Proof.
  intros H.
  induction H as [|e es d ds P Ps Q Qs Hd HC HA IH].
  - intros f Hf; simpl; rewrite exp_0; lra.
  - change (total (e :: es)) with (e + total es); change (total (d :: ds)) with (d + total ds).
    apply adaptive_composition; [eapply deltas_nonneg; eauto|auto|].
    intros y; apply post_processing; exact IH.
Qed.
Theorem make_composition_approximate es ds Ps Qs : approximately es ds Ps Qs -> approximately es ds Qs Ps ->
  close (up (total es)) (up (total ds)) (all Ps) (all Qs) /\ close (up (total es)) (up (total ds)) (all Qs) (all Ps).
Proof. intros H H'; split; (eapply close_mono; [apply up_ge|apply up_ge|]); now apply approximate_one_way. Qed.

(** Over any measure that composes, by the mixtures that [Approximate] is defined by: what is likely of all parts
    composes, and the weights of what is not likely add up at most. *)
Lemma averaged_bounded {A B C} (P : dist B) (h : A -> B -> C) f :
  bounded f -> bounded (fun a => Ex P (fun b => f (h a b))).
Proof. intros [B0 F]; exists B0; intros a; apply Ex_abs; [apply Int_bounded; exists B0|]; auto. Qed.

Lemma more_weight {A} del del' (P P' P'' : dist A) : 0 <= del <= del' ->
  mixture del P P' P'' -> exists rest, mixture del' P P' rest.
Proof.
  intros Hd H; destruct (Rle_lt_dec del' 0) as [Z|N]; [exists P''; replace del' with del by lra; exact H|].
  assert (Hp : 0 <= del / del' <= 1).
  { split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
    apply Rmult_le_reg_r with del'; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  exists (bind (bernoulli _ Hp) (fun b => if b then P'' else P')); intros f F; rewrite (H f F); simpl; field; lra.
Qed.

Lemma mixture_both d e (P P' P'' : dist Y) (A A' A'' : dist (list Y)) : 0 <= d <= 1 -> 0 <= e <= 1 ->
  mixture d P P' P'' -> mixture e A A' A'' -> exists rest,
  mixture (d + (1 - d) * e) (bind P (fun y => dmap (cons y) A)) (bind P' (fun y => dmap (cons y) A')) rest.
Proof.
  intros Hd He HP HA; set (next := fun (L : dist Y) (M : dist (list Y)) => bind L (fun y => dmap (cons y) M)).
  assert (W : forall f, bounded f -> Ex (next P A) f =
    (1 - d) * (1 - e) * Ex (next P' A') f + (1 - d) * e * Ex (next P' A'') f + d * Ex (next P'' A) f).
  { intros f F; set (of := fun (M : dist (list Y)) y => Ex M (fun ys => f (y :: ys))).
    assert (B : forall M, bounded (of M)) by (intros M; exact (averaged_bounded M cons f F)).
    assert (I : forall M, Int P' (of M)) by (intros M; apply Int_bounded, B).
    assert (G : forall y, bounded (fun ys => f (y :: ys))) by (intros y; destruct F as [B0 F]; exists B0; auto).
    change (Ex P (of A) = (1 - d) * (1 - e) * Ex P' (of A') + (1 - d) * e * Ex P' (of A'') + d * Ex P'' (of A)).
    rewrite (HP _ (B A)); assert (X : Ex P' (of A) = (1 - e) * Ex P' (of A') + e * Ex P' (of A'')); [|rewrite X; ring].
    transitivity (Ex P' (fun y => (1 - e) * of A' y + e * of A'' y)).
    - apply Ex_ext; auto; intros y; exact (HA _ (G y)).
    - rewrite (Ex_plus _ P' (fun y => (1 - e) * of A' y) (fun y => e * of A'' y)),
        (Ex_scal _ P' (1 - e) (of A')), (Ex_scal _ P' e (of A'')) by auto using Int_scal; reflexivity. }
  change (exists rest, mixture (d + (1 - d) * e) (next P A) (next P' A') rest).
  assert (R : 0 <= (1 - d) * e) by (apply Rmult_le_pos; lra).
  destruct (Rle_lt_dec (d + (1 - d) * e) 0) as [Z|N].
  - exists (next P A); intros f F; rewrite (W f F).
    assert (D0 : d = 0) by lra; rewrite D0 in *; assert (E0 : e = 0) by lra; rewrite E0; ring.
  - assert (Hp : 0 <= d / (d + (1 - d) * e) <= 1).
    { split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
      apply Rmult_le_reg_r with (d + (1 - d) * e); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
    exists (bind (bernoulli _ Hp) (fun b => if b then next P'' A else next P' A'')); intros f F; rewrite (W f F).
    change (Ex (bind (bernoulli _ Hp) (fun b => if b then next P'' A else next P' A'')) f)
      with (d / (d + (1 - d) * e) * Ex (next P'' A) f + (1 - d / (d + (1 - d) * e)) * Ex (next P' A'') f).
    field; lra.
Qed.

Lemma likely_parts {T} (D : T -> dist Y -> dist Y -> Prop) ds Ps Qs :
  part_by_part (fun d => approximate D (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  exists del Ps' Qs' P'' Q'', 0 <= del <= 1 /\ del <= total (map snd ds) /\ part_by_part D (map fst ds) Ps' Qs' /\
    mixture del (all Ps) (all Ps') P'' /\ mixture del (all Qs) (all Qs') Q''.
Proof.
  induction 1 as [|[t d] ds P Ps Q Qs (P' & P'' & Q' & Q'' & HP & HQ & C) _ IH]; intros F.
  - exists 0, [], [], (ret []), (ret []); split; [lra|]; split; [unfold total; simpl; lra|]; split; [constructor|].
    split; intros f _; simpl; ring.
  - inversion F as [|? ? Hd F']; subst; destruct (IH F') as (e & Ps' & Qs' & A & B & He & L & H & HA & HB).
    cbn [fst snd] in *.
    destruct (mixture_both d e P P' P'' (all Ps) (all Ps') A Hd He HP HA) as [restP MP].
    destruct (mixture_both d e Q Q' Q'' (all Qs) (all Qs') B Hd He HQ HB) as [restQ MQ].
    assert (0 <= (1 - d) * (1 - e)) by (apply Rmult_le_pos; lra).
    assert (0 <= d * e) by (apply Rmult_le_pos; lra); assert (0 <= (1 - d) * e) by (apply Rmult_le_pos; lra).
    exists (d + (1 - d) * e), (P' :: Ps'), (Q' :: Qs'), restP, restQ; split; [lra|]; split.
    { unfold total in *; cbn [map fold_right snd]; lra. }
    split; [cbn [map fst]; now constructor|]; split; [exact MP|exact MQ].
Qed.

Theorem make_composition_approximate_over {T U} (D : T -> dist Y -> dist Y -> Prop)
  (E : U -> dist (list Y) -> dist (list Y) -> Prop) (compose : list T -> U) ds Ps Qs :
  (forall ds Ps Qs, part_by_part D ds Ps Qs -> E (compose ds) (all Ps) (all Qs)) ->
  part_by_part (fun d => approximate D (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  approximate E (compose (map fst ds)) (up (total (map snd ds))) (all Ps) (all Qs).
Proof.
  intros H HD F; destruct (likely_parts D ds Ps Qs HD F) as (del & Ps' & Qs' & P'' & Q'' & Hd & L & HC & HP & HQ).
  assert (W : 0 <= del <= up (total (map snd ds))) by (pose proof (up_ge (total (map snd ds))); lra).
  destruct (more_weight _ _ _ _ _ W HP) as [restP MP], (more_weight _ _ _ _ _ W HQ) as [restQ MQ].
  exists (all Ps'), restP, (all Qs'), restQ; split; [exact MP|]; split; [exact MQ|now apply H].
Qed.
(** Such as zero-concentrated divergence. *)
Corollary make_composition_approximate_zero_concentrated ds Ps Qs :
  part_by_part (fun d => approximate zero_concentrated (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  approximate zero_concentrated (up (total (map fst ds))) (up (total (map snd ds))) (all Ps) (all Qs).
Proof.
  intros A B; apply (make_composition_approximate_over zero_concentrated zero_concentrated (fun rs => up (total rs))); auto.
  intros rs Ps' Qs' H; exact (make_composition_zero_concentrated rs Ps' Qs' H).
Qed.
Corollary make_composition_approximate_range_divergence ds Ps Qs :
  part_by_part (fun d => approximate range_divergence (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  approximate range_divergence (up (total (map fst ds))) (up (total (map snd ds))) (all Ps) (all Qs).
Proof.
  intros A B; apply (make_composition_approximate_over range_divergence range_divergence (fun etas => up (total etas))); auto.
  exact make_composition_range_divergence.
Qed.
Corollary make_composition_approximate_renyi_divergence (compose : list (R -> R) -> R -> R) ds Ps Qs :
  (forall curves al, 1 < al -> total (map (fun curve => curve al) curves) <= compose curves al) ->
  part_by_part (fun d => approximate renyi_divergence (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  approximate renyi_divergence (compose (map fst ds)) (up (total (map snd ds))) (all Ps) (all Qs).
Proof.
  intros H A B; apply (make_composition_approximate_over renyi_divergence renyi_divergence compose); auto.
  intros curves Ps' Qs' C; exact (make_composition_renyi_divergence curves (compose curves) Ps' Qs' C (H curves)).
Qed.

(** What all losses have, closeness may have, too. *)
Lemma likely_with {T} (D : T -> dist Y -> dist Y -> Prop) (good : T -> Prop) ds Ps Qs :
  part_by_part (fun d => approximate D (fst d) (snd d)) ds Ps Qs -> Forall (fun d => good (fst d)) ds ->
  part_by_part (fun d => approximate (fun t P Q => good t /\ D t P Q) (fst d) (snd d)) ds Ps Qs.
Proof.
  induction 1 as [|d ds P Ps Q Qs (P' & P'' & Q' & Q'' & HP & HQ & H) _ IH]; intros F; inversion F; constructor; auto.
  exists P', P'', Q', Q''; auto.
Qed.
Lemma all_good {T} (D : T -> dist Y -> dist Y -> Prop) (good : T -> Prop) ds Ps Qs :
  part_by_part (fun t P Q => good t /\ D t P Q) ds Ps Qs -> Forall good ds /\ part_by_part D ds Ps Qs.
Proof. induction 1 as [|d ds P Ps Q Qs [] _ []]; split; constructor; auto. Qed.

Corollary make_composition_approximate_gaussian_divergence (unit : list R -> R) ds Ps Qs : (forall mus, 0 < unit mus) ->
  Forall (fun d => 0 <= fst d) ds ->
  part_by_part (fun d => approximate gaussian_divergence (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  approximate gaussian_divergence (gaussian_composition (unit (map fst ds)) (map fst ds)) (up (total (map snd ds)))
    (all Ps) (all Qs).
Proof.
  intros U N A B; pose proof (likely_with _ (fun mu => 0 <= mu) _ _ _ A N) as L.
  apply (make_composition_approximate_over (fun mu P Q => 0 <= mu /\ gaussian_divergence mu P Q) gaussian_divergence
    (fun mus => gaussian_composition (unit mus) mus)); auto.
  intros mus Ps' Qs' H; apply all_good in H; destruct H; now apply make_composition_gaussian_divergence.
Qed.

(** Lists of pairs of laws: that of all together is their product. *)
Lemma pairs_one_way Ws Ps Qs : Forall closed Ws -> part_by_part dominated Ws Ps Qs -> dominated (products Ws) (all Ps) (all Qs).
Proof.
  intros C H; induction H as [|W Ws P Ps Q Qs H _ IH]; inversion C; subst.
  - intros a _ f F eta Heta; exists (fun _ => f []); split; [exact I|split; [intros z; apply F|simpl; lra]].
  - apply products_dominate; auto.
    intros y a Ha f F; simpl; apply IH; auto; intros ys; apply F.
Qed.
Lemma promised_parts Ws Ps Qs : Forall symmetric Ws -> part_by_part promised Ws Ps Qs -> part_by_part dominated Ws Ps Qs.
Proof. intros S H; induction H; inversion S; subst; constructor; auto using promised_dominated. Qed.
Theorem make_composition_privacy_loss_divergence Ws Ps Qs : Forall closed Ws -> Forall symmetric Ws -> part_by_part promised Ws Ps Qs ->
  promised (products Ws) (all Ps) (all Qs).
Proof.
  intros C S H; apply dominated_promised; apply pairs_one_way; auto; apply promised_parts; auto.
  clear C S; induction H; constructor; auto using promised_swap.
Qed.
(** Pairs with a direction, all turned the same way: in one order by their product, in the other by its pair in the other order. *)
Theorem make_composition_directed Ws Ps Qs : Forall closed Ws -> part_by_part dominated Ws Ps Qs ->
  dominated (products Ws) (all Ps) (all Qs) /\ dominated (swapped (products Ws)) (all Qs) (all Ps).
Proof.
  intros C H; assert (X := pairs_one_way Ws Ps Qs C H); split; [exact X|now apply dominated_swapped].
Qed.
Corollary make_composition_approximate_privacy_loss_divergence ds Ps Qs :
  Forall (fun d => closed (fst d) /\ symmetric (fst d)) ds ->
  part_by_part (fun d => approximate promised (fst d) (snd d)) ds Ps Qs -> Forall (fun d => 0 <= snd d <= 1) ds ->
  approximate promised (products (map fst ds)) (up (total (map snd ds))) (all Ps) (all Qs).
Proof.
  intros N A B; pose proof (likely_with _ (fun W => closed W /\ symmetric W) _ _ _ A N) as L.
  apply (make_composition_approximate_over (fun W P Q => (closed W /\ symmetric W) /\ promised W P Q) promised products); auto.
  intros Ws Ps' Qs' H; apply all_good in H; destruct H as [G H].
  apply make_composition_privacy_loss_divergence; auto; (eapply Forall_impl; [|exact G]); intros W []; auto.
Qed.
End Composition.
