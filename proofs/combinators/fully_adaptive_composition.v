(** [make_fully_adaptive_composition]: nothing bounds what is asked; an odometer tells the sum, and an asker may stop in time. *)
Require Import Reals Lra Psatz Lia List.
From DP Require Import Expect Approx DualRenyi PureToZCDP Measures GaussianDivergence GaussianComposition Rounding composition Interaction adaptive_composition.
Import ListNotations.
Open Scope R_scope.

(** [AllMaps], each evaluated at the distance in question. *)
Definition all_maps (L : Type) : ledger L := {| Entries := list L; allows := fun _ _ => true; write := fun s l => s ++ [l] |}.

Lemma total_app s l : total (s ++ [l]) = total s + l.
Proof. induction s; simpl; unfold total in *; simpl in *; [ring|rewrite IHs; ring]. Qed.

Section Odometer.
Context {X Q Y V L : Type} (release : Q -> X -> dist Y) (loss : Q -> L) (x x' : X).

(** The asker stops before any release that would make the odometer exceed the bound. *)
Variable fits : list L -> Prop.
Fixpoint frugal (a : @asker Q Y V) (s : list L) : Prop :=
  match a with
  | stop _ => True
  | toss _ _ next => forall t, frugal (next t) s
  | ask q next => fits (s ++ [loss q]) /\ forall y, frugal (next y) (s ++ [loss q])
  end.

Definition run : @asker Q Y V -> _ := converse release (fun q => Some (loss q)) (all_maps L).

Lemma frugal_conversation (D : forall W : Type, list L -> dist W -> dist W -> Prop) :
  (forall W s (P : dist W), fits s -> D W s P P) ->
  (forall W C s (P : dist C) (K K' : C -> dist W), fits s -> (forall c, D W s (K c) (K' c)) -> D W s (bind P K) (bind P K')) ->
  (forall W s q (K K' : Y -> dist W), fits s -> fits (s ++ [loss q]) -> (forall c, D W (s ++ [loss q]) (K c) (K' c)) ->
    D W s (bind (release q x) K) (bind (release q x') K')) ->
  forall a s, fits s -> frugal a s -> D V s (run a s x) (run a s x').
Proof.
  intros N M C; induction a as [v|T P next IH|q next IH]; intros s Fs F; simpl in F; unfold run in *; simpl.
  - now apply N.
  - apply M; auto.
  - destruct F as [F1 F2]; apply C; auto.
Qed.
End Odometer.

Section Bounded.
Context {X Q Y V : Type} (release : Q -> X -> dist Y) (x x' : X).

(** [spent]: the sum, rounded up once. *)
Definition spent_within (B : R) (s : list R) : Prop := up (total s) <= B.
Lemma spent_le B s : spent_within B s -> total s <= B.
Proof. unfold spent_within; pose proof (up_ge (total s)); lra. Qed.
Lemma nothing_spent B : 0 <= B -> spent_within B [].
Proof. intros; unfold spent_within; simpl; unfold up; rewrite Flocq.Core.Generic_fmt.round_0; auto with typeclass_instances. Qed.

Theorem make_fully_adaptive_composition_max_divergence (loss : Q -> R) (B : R) : 0 <= B ->
  (forall q, max_divergence (loss q) (release q x) (release q x')) ->
  forall a : @asker Q Y V, frugal loss (spent_within B) a [] -> max_divergence B (run release loss a [] x) (run release loss a [] x').
Proof.
  intros HB H a F.
  assert (R : max_divergence (B - total []) (run release loss a [] x) (run release loss a [] x')).
  { apply (frugal_conversation release loss x x' (spent_within B) (fun W s => @max_divergence W (B - total s))); auto using nothing_spent.
    - intros W s P E; apply spent_le in E; split; apply close_same; lra.
    - intros W C s P K K' E HK; split; apply close_mix; try lra; intros c; apply HK.
    - intros W s q K K' _ _ HK; destruct (H q); rewrite total_app in HK.
      replace (B - total s) with (loss q + (B - (total s + loss q))) by ring.
      split; rewrite <- (Rplus_0_l 0); apply adaptive_composition; try lra; auto; intros c; apply HK. }
  simpl in R; now rewrite Rminus_0_r in R.
Qed.

Theorem make_fully_adaptive_composition_zero_concentrated (loss : Q -> R) (B : R) : 0 <= B ->
  (forall q, zero_concentrated (loss q) (release q x) (release q x')) ->
  forall a : @asker Q Y V, frugal loss (spent_within B) a [] -> zero_concentrated B (run release loss a [] x) (run release loss a [] x').
Proof.
  intros HB H a F.
  assert (R : zero_concentrated (B - total []) (run release loss a [] x) (run release loss a [] x')).
  { apply (frugal_conversation release loss x x' (spent_within B) (fun W s => @zero_concentrated W (B - total s))); auto using nothing_spent.
    - intros W s P E; apply spent_le in E; split; apply zCDP_same; lra.
    - intros W C s P K K' E HK; split; apply zCDP_mix; intros c; apply HK.
    - intros W s q K K' _ _ HK; destruct (H q); rewrite total_app in HK.
      replace (B - total s) with (loss q + (B - (total s + loss q))) by ring.
      split; apply zCDP_adaptive_composition; auto; intros c; apply HK. }
  simpl in R; now rewrite Rminus_0_r in R.
Qed.

Theorem make_fully_adaptive_composition_approximate (loss : Q -> R * R) (B : R * R) : 0 <= fst B -> 0 <= snd B ->
  (forall q, close (fst (loss q)) (snd (loss q)) (release q x) (release q x') /\ close (fst (loss q)) (snd (loss q)) (release q x') (release q x)) ->
  forall a : @asker Q Y V, frugal loss (fun s => spent_within (fst B) (map fst s) /\ spent_within (snd B) (map snd s)) a [] ->
  close (fst B) (snd B) (run release loss a [] x) (run release loss a [] x') /\ close (fst B) (snd B) (run release loss a [] x') (run release loss a [] x).
Proof.
  intros He Hd H a F.
  set (D := fun (W : Type) (s : list (R * R)) (P P' : dist W) =>
    close (fst B - total (map fst s)) (snd B - total (map snd s)) P P' /\ close (fst B - total (map fst s)) (snd B - total (map snd s)) P' P).
  assert (R : D V [] (run release loss a [] x) (run release loss a [] x')).
  { apply (frugal_conversation release loss x x' (fun s => spent_within (fst B) (map fst s) /\ spent_within (snd B) (map snd s)) D); auto.
    - intros W s P [E1 E2]; apply spent_le in E1, E2; split; apply close_same; lra.
    - intros W C s P K K' [_ E2] HK; apply spent_le in E2; split; apply close_mix; try lra; intros c; apply HK.
    - intros W s q K K' _ [_ E2] HK; apply spent_le in E2; destruct (H q); unfold D in *; rewrite !map_app in *; simpl map in *; rewrite !total_app in *.
      replace (fst B - total (map fst s)) with (fst (loss q) + (fst B - (total (map fst s) + fst (loss q)))) by ring.
      replace (snd B - total (map snd s)) with (snd (loss q) + (snd B - (total (map snd s) + snd (loss q)))) by ring.
      split; apply adaptive_composition; try lra; auto; intros c; apply HK.
    - split; now apply nothing_spent. }
  unfold D in R; simpl in R; now rewrite !Rminus_0_r in R.
Qed.

(** Curves: [spent] is nowhere below the sum, and within the bound at every order. *)
Theorem make_fully_adaptive_composition_renyi_divergence (loss : Q -> R -> R) (B : R -> R) : (forall al, 1 < al -> 0 <= B al) ->
  (forall q, renyi_divergence (loss q) (release q x) (release q x')) ->
  forall a : @asker Q Y V, frugal loss (fun s => forall al, 1 < al -> total (map (fun curve => curve al) s) <= B al) a [] ->
  renyi_divergence B (run release loss a [] x) (run release loss a [] x').
Proof.
  intros HB H a F; set (spent := fun (s : list (R -> R)) al => total (map (fun curve : R -> R => curve al) s)).
  assert (R : renyi_divergence (fun al => B al - spent [] al) (run release loss a [] x) (run release loss a [] x')).
  { apply (frugal_conversation release loss x x' (fun s => forall al, 1 < al -> spent s al <= B al)
      (fun W s => @renyi_divergence W (fun al => B al - spent s al))); auto.
    - intros W s P E al Ha; specialize (E al Ha); split; apply renyi_same; auto; lra.
    - intros W C s P K K' _ HK al Ha; split; apply renyi_mix; auto; intros c; now apply HK.
    - intros W s q K K' _ _ HK al Ha; destruct (H q al Ha).
      assert (E : B al - spent s al = loss q al + (B al - spent (s ++ [loss q]) al))
        by (unfold spent; rewrite map_app; simpl map; rewrite total_app; ring).
      rewrite E; split; apply renyi_adaptive_composition; auto; intros c; now apply HK. }
  intros al Ha; specialize (R al Ha); unfold spent in R; simpl in R; now rewrite Rminus_0_r in R.
Qed.

(** Gaussian divergence: [spent] is nowhere below the root of the sum of squares. *)
Theorem make_fully_adaptive_composition_gaussian_divergence (loss : Q -> R) (B : R) : 0 <= B ->
  (forall q, 0 <= loss q /\ gaussian_divergence (loss q) (release q x) (release q x')) ->
  forall a : @asker Q Y V, frugal loss (fun s => root s <= B) a [] -> gaussian_divergence B (run release loss a [] x) (run release loss a [] x').
Proof.
  intros HB H a F; set (spent := fun s => total (map (fun mu : R => mu * mu) s)).
  assert (W2 : forall s, root s <= B -> spent s <= B * B).
  { intros s E; unfold root in E; fold (spent s) in E.
    assert (P : 0 <= spent s) by apply squares_nonneg; rewrite <- (sqrt_sqrt _ P); pose proof (sqrt_pos (spent s)); nra. }
  assert (N : forall s, 0 <= sqrt (B * B - spent s)) by (intros s; apply sqrt_pos).
  assert (R : gaussian_divergence (sqrt (B * B - spent [])) (run release loss a [] x) (run release loss a [] x')).
  { apply (frugal_conversation release loss x x' (fun s => root s <= B) (fun W s => @gaussian_divergence W (sqrt (B * B - spent s)))); auto.
    - intros W s P _; split; (eapply no_easier_mono; [apply N|apply no_easier_refl]).
    - intros W C s P K K' _ HK; split; apply no_easier_mix; auto; intros c; apply HK.
    - intros W s q K K' _ E HK; destruct (H q) as (E0 & C1 & C2); apply W2 in E.
      assert (Eq : sqrt (B * B - spent s) = hypotenuse (loss q) (sqrt (B * B - spent (s ++ [loss q])))).
      { unfold hypotenuse; rewrite sqrt_sqrt by lra; f_equal; unfold spent; rewrite map_app; simpl map; rewrite total_app; ring. }
      rewrite Eq; split; apply no_easier_composition; auto; intros c; apply HK.
    - unfold root; simpl; now rewrite sqrt_0. }
  unfold spent in R; simpl in R; rewrite Rminus_0_r, sqrt_square in R; auto.
Qed.
End Bounded.
