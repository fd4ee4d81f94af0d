(** Noise on the numbers of unknown keys, of which those not below a threshold are released. *)
Require Import Reals Lra Psatz Lia ZArith List Bool.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DualRenyi DiscreteGaussian Measures Domination Finite Totals Rounding keys laplace gaussian.
Import ListNotations.
Open Scope R_scope.

(** Sums over a list of keys are those of the vectors of [keys.v]. *)
Section Sums.
Context {K : Type} (f g : K -> R) (phi : R -> R).
Definition over (ks : list K) : R := fold_right (fun k sum => phi (f k - g k) + sum) 0 ks.
Lemma over_app ks ks' : over (ks ++ ks') = over ks + over ks'.
Proof. unfold over; induction ks; simpl; [ring|rewrite IHks; ring]. Qed.
Lemma over_sum ks : sum (length ks) (fun j => phi (difference ks f g j)) = over ks.
Proof.
  induction ks as [|k ks IH] using rev_ind; [reflexivity|].
  rewrite over_app, app_length, Nat.add_1_r; cbn [sum]; f_equal.
  - rewrite <- IH; apply sum_ext; intros j Hj; unfold difference; now rewrite nth_error_app1.
  - unfold difference; rewrite nth_error_app2, Nat.sub_diag by lia; simpl; unfold over; simpl; ring.
Qed.
End Sums.
Lemma support_sum n u : support n u = sum n (fun j => if Req_EM_T (u j) 0 then 0 else 1).
Proof. induction n; simpl; congruence. Qed.
Lemma l1_sum n u : l1 n u = sum n (fun j => Rabs (u j)).
Proof. induction n; simpl; congruence. Qed.
Lemma squares_sum n u : squares n u = sum n (fun j => u j ^ 2).
Proof. induction n; cbn [squares sum]; congruence. Qed.

Section Mechanism.
Context {K : Type} (noisy : R -> dist Z) (kept : Z -> bool).

(** [KeepRule::keeps]: what becomes of one noisy number, an integer or a multiple of a grid. *)
Definition keeps (y : Z) : option Z := if kept y then Some y else None.
(** [KeepRule::release], key by key: a number that is 0 is as good as none. *)
Definition cell (f : K -> R) (k : K) : dist (option Z) := if Req_EM_T (f k) 0 then ret None else dmap keeps (noisy (f k)).
Definition released (f : K -> R) (ks : list K) : dist (list (option Z)) := each (cell f) ks.

(** The same if no key is released that one map alone has. *)
Definition shared (f g : K -> R) (k : K) : dist (option Z) := if Req_EM_T (g k) 0 then ret None else cell f k.

Variables (p : R) (Hp : 0 <= p <= 1) (f g : K -> R).

(** The keys of [f] alone. *)
Definition alone (k : K) : bool := if Req_EM_T (f k) 0 then false else if Req_EM_T (g k) 0 then true else false.
Definition number (ks : list K) : nat := length (filter alone ks).

(** A key of [f] alone is released with a probability of at most [p]. *)
Definition rare (k : K) : Prop := f k <> 0 -> g k = 0 -> Ex (noisy (f k)) (fun y => ind (kept y)) <= p.

Lemma cell_dominates k : rare k -> dominates (if alone k then 1 - p else 1) (cell f k) (shared f g k).
Proof.
  intros R; unfold alone, shared, cell; destruct (Req_EM_T (f k) 0) as [F|F], (Req_EM_T (g k) 0) as [G|G]; try apply dominates_refl.
  intros h [M B] N; simpl.
  specialize (R F G); pose proof (N None) as N0.
  apply Rle_trans with (h None + - h None * Ex (noisy (f k)) (fun y => ind (kept y))); [nra|].
  assert (I0 : Int (noisy (f k)) (fun y => ind (kept y))) by (apply Int_unit, ind_unit).
  rewrite <- (Ex_const (noisy (f k)) (h None)) at 1.
  rewrite <- (Ex_scal _ (noisy (f k)) (- h None)), <- Ex_plus by auto using Int_const, Int_scal.
  apply Ex_le; [auto using Int_plus, Int_const, Int_scal|apply Int_bounded; exists M; auto|].
  intros y; unfold keeps, ind; destruct (kept y); [specialize (N (Some y))|]; lra.
Qed.

Lemma released_dominates ks : (forall k, In k ks -> rare k) -> dominates ((1 - p) ^ number ks) (released f ks) (each (shared f g) ks).
Proof.
  unfold released, number; induction ks as [|k ks IH]; intros H; [apply dominates_refl|].
  cbn [each filter]; pose proof (cell_dominates k (H k (or_introl eq_refl))) as D.
  specialize (IH (fun k I => H k (or_intror I))).
  assert (P : 0 <= (1 - p) ^ length (filter alone ks)) by (apply pow_le; lra).
  destruct (alone k).
  - cbn [length pow]; apply dominates_bind; auto; [lra|]; intros y; now apply dominates_map.
  - rewrite <- (Rmult_1_l (_ ^ _)); apply dominates_bind; auto; [lra|]; intros y; now apply dominates_map.
Qed.

Lemma number_support ks : INR (number ks) <=
  support (length ks) (difference ks f g).
Proof.
  rewrite support_sum, (over_sum f g (fun x => if Req_EM_T x 0 then 0 else 1)).
  unfold number, over; induction ks as [|k ks IH]; cbn [filter fold_right]; [simpl; lra|].
  destruct (Req_EM_T (f k - g k) 0) as [E|E].
  - assert (A : alone k = false).
    { unfold alone; destruct (Req_EM_T (f k) 0) as [|F], (Req_EM_T (g k) 0) as [G|]; auto; elim F; lra. }
    rewrite A; lra.
  - destruct (alone k); cbn [length]; rewrite ?S_INR; lra.
Qed.
End Mechanism.

(** Independent draws for the keys of both maps. *)
Section Both.
Context {K Y : Type} (F G : K -> dist Y) (cost : K -> R).
Lemma each_both_close ks : (forall k, In k ks -> close (cost k) 0 (F k) (G k)) ->
  close (fold_right (fun k sum => cost k + sum) 0 ks) 0 (each F ks) (each G ks).
Proof.
  induction ks as [|k ks IH]; intros H; [intros f _; simpl; rewrite exp_0; lra|].
  cbn [each fold_right]; rewrite <- (Rplus_0_l 0) at 2; apply adaptive_composition; [lra|apply H; now left|].
  intros y; apply post_processing, IH; intros; apply H; now right.
Qed.
Lemma each_both_zCDP ks : (forall k, In k ks -> zCDP (cost k) (F k) (G k)) ->
  zCDP (fold_right (fun k sum => cost k + sum) 0 ks) (each F ks) (each G ks).
Proof.
  induction ks as [|k ks IH]; intros H; [apply zCDP_refl|].
  cbn [each fold_right]; apply zCDP_adaptive_composition; [apply H; now left|].
  intros y; apply zCDP_post_processing, IH; intros; apply H; now right.
Qed.
End Both.

Lemma shared_close {K} noisy kept cost (f g : K -> R) k : 0 <= cost -> close cost 0 (noisy (f k)) (noisy (g k)) ->
  close cost 0 (shared noisy kept f g k) (shared noisy kept g f k).
Proof.
  intros P H; assert (Z0 : close cost 0 (ret (@None Z)) (ret None)) by
    (apply close_mono with 0 0; [auto|lra|]; intros h _; rewrite exp_0; lra).
  unfold shared, cell; destruct (Req_EM_T (f k) 0), (Req_EM_T (g k) 0); auto; now apply post_processing.
Qed.
Lemma shared_zCDP {K} noisy kept cost (f g : K -> R) k : 0 <= cost -> zCDP cost (noisy (f k)) (noisy (g k)) ->
  zCDP cost (shared noisy kept f g k) (shared noisy kept g f k).
Proof.
  intros P H; assert (Z0 : zCDP cost (ret (@None Z)) (ret None)) by (eapply zCDP_mono; [exact P|apply zCDP_refl]).
  unfold shared, cell; destruct (Req_EM_T (f k) 0), (Req_EM_T (g k) 0); auto; now apply zCDP_post_processing.
Qed.

(** [KeepRule::delta]: [-(e^(keys ln(1 - p)) - 1)], each step rounded so that the result is not too small; 1 where p is. *)
Definition any_of (keys : nat) (p : R) : R :=
  if Rlt_dec p 1 then - dn (exp (dn (INR keys * dn (ln (1 - p)))) - 1) else 1.
Lemma any_of_sound keys p : 0 <= p <= 1 -> 1 - (1 - p) ^ keys <= any_of keys p.
Proof.
  intros H; unfold any_of; destruct (Rlt_dec p 1) as [L|L].
  - pose proof (dn_le (exp (dn (INR keys * dn (ln (1 - p)))) - 1)).
    pose proof (dn_le (INR keys * dn (ln (1 - p)))); pose proof (dn_le (ln (1 - p))); pose proof (pos_INR keys).
    assert (E : exp (dn (INR keys * dn (ln (1 - p)))) <= (1 - p) ^ keys).
    { rewrite <- Rpower_pow by lra; unfold Rpower.
      assert (B : dn (INR keys * dn (ln (1 - p))) <= INR keys * ln (1 - p)) by nra.
      destruct B as [B| ->]; [left; now apply exp_increasing|lra]. }
    lra.
  - pose proof (pow_le (1 - p) keys ltac:(lra)); lra.
Qed.

(** Everything but the law of the noise: where no key of one map alone survives with a probability above [p]. *)
Section Together.
Context {K : Type} (noisy : R -> dist Z) (kept : Z -> bool).
Lemma threshold_parts {D : Type} (measure : D -> dist (list (option Z)) -> dist (list (option Z)) -> Prop) (loss : D)
  (keys : nat) p f g (ks : list K) : 0 <= p <= 1 ->
  support (length ks) (difference ks f g) <= INR keys ->
  (forall k, In k ks -> rare noisy kept p f g k) -> (forall k, In k ks -> rare noisy kept p g f k) ->
  measure loss (each (shared noisy kept f g) ks) (each (shared noisy kept g f) ks) ->
  approximate measure loss (any_of keys p) (released noisy kept f ks) (released noisy kept g ks).
Proof.
  intros Hp S RF RG M; pose proof (any_of_sound keys p Hp) as B.
  assert (L : forall m, INR m <= INR keys -> 1 - any_of keys p <= (1 - p) ^ m).
  { intros m Hm; apply INR_le in Hm; apply Rle_trans with ((1 - p) ^ keys); [lra|].
    replace keys with (m + (keys - m))%nat by lia; rewrite pow_add.
    pose proof (pow_le (1 - p) m ltac:(lra)); pose proof (pow_incr (1 - p) 1 (keys - m) ltac:(lra)); rewrite pow1 in *; nra. }
  assert (S' : support (length ks) (difference ks g f) <= INR keys).
  { rewrite <- (norm_opp _ (support_seminorm (length ks))).
    rewrite (norm_ext _ (support_seminorm _) _ (difference ks f g)); auto.
    intros j; unfold difference; destruct (nth_error ks j); ring. }
  apply dominates_approximate with (P' := each (shared noisy kept f g) ks) (Q' := each (shared noisy kept g f) ks); auto.
  - pose proof (pow_le (1 - p) keys ltac:(lra)); pose proof (pow_incr (1 - p) 1 keys ltac:(lra)); rewrite pow1 in *; lra.
  - eapply dominates_mono; [|apply released_dominates; eauto]; apply L; eapply Rle_trans; [apply number_support|exact S].
  - eapply dominates_mono; [|apply released_dominates; eauto]; apply L; eapply Rle_trans; [apply number_support|exact S'].
Qed.
End Together.

(** What is released is a function of this: saturated numbers, in the order of their keys. *)
Lemma mixture_map {A B} (h : A -> B) del (P P' P'' : dist A) : mixture del P P' P'' -> mixture del (dmap h P) (dmap h P') (dmap h P'').
Proof. intros H f [M L]; apply H; exists M; intros; apply L. Qed.
Lemma approximate_map {A B T} (D : forall Y, T -> dist Y -> dist Y -> Prop) (h : A -> B) d del (P Q : dist A) :
  (forall P Q : dist A, D A d P Q -> D B d (dmap h P) (dmap h Q)) -> approximate (D A) d del P Q ->
  approximate (D B) d del (dmap h P) (dmap h Q).
Proof.
  intros H (P' & P'' & Q' & Q'' & HP & HQ & C).
  exists (dmap h P'), (dmap h P''), (dmap h Q'), (dmap h Q''); auto using mixture_map.
Qed.

(** A distance with a zero is that of equal maps. *)
Lemma same_release {K} noisy kept (f g : K -> R) ks : (forall k, In k ks -> f k = g k) -> released noisy kept f ks = released noisy kept g ks.
Proof.
  unfold released; induction ks as [|k ks IH]; intros H; [reflexivity|]; cbn [each].
  rewrite IH by (intros; apply H; now right); unfold cell; now rewrite (H k (or_introl eq_refl)).
Qed.

Section Apart.
Context {K : Type} (MO : map_metric) (keys : nat) (norm greatest : R) (f g : K -> R) (ks : list K).
Hypothesis near : map_apart MO (keys, norm, greatest) f g.
Hypothesis unique : NoDup ks.

Lemma each_greatest k : In k ks -> Rabs (f k - g k) <= greatest.
Proof.
  intros I; destruct (near ks unique) as (_ & _ & L); eapply Rle_trans; [|exact L].
  apply In_nth_error in I; destruct I as [j E].
  assert (Hj : (j < length ks)%nat) by (apply nth_error_Some; congruence).
  pose proof (linf_ge (length ks) (difference ks f g) j Hj) as B.
  unfold difference at 1 in B; now rewrite E in B.
Qed.

Lemma over_zero (phi : R -> R) : (forall x, 0 <= phi x) -> (forall x, phi x = 0 -> x = 0) ->
  over f g phi ks <= 0 -> forall k, In k ks -> f k = g k.
Proof.
  intros P Z0; clear near unique; unfold over; induction ks as [|a l IH]; simpl; intros H k I; [contradiction|].
  assert (N : 0 <= fold_right (fun k sum => phi (f k - g k) + sum) 0 l).
  { clear - P; induction l as [|b l IH]; simpl; [lra|]; pose proof (P (f b - g b)); lra. }
  pose proof (P (f a - g a)); destruct I as [<-|I]; [|apply IH; auto; lra].
  pose proof (Z0 (f a - g a) ltac:(lra)); lra.
Qed.

Lemma zero_distance : (keys = O \/ norm = 0 \/ greatest = 0) -> forall k, In k ks -> f k = g k.
Proof.
  destruct (near ks unique) as (S & N & _); intros [E|[E|E]].
  - apply (over_zero (fun x => if Req_EM_T x 0 then 0 else 1)).
    + intros x; destruct (Req_EM_T x 0); lra.
    + intros x; destruct (Req_EM_T x 0); lra.
    + rewrite <- over_sum, <- support_sum; rewrite E in S; exact S.
  - destruct MO; simpl in N.
    + apply (over_zero Rabs); [apply Rabs_pos| |rewrite <- over_sum, <- l1_sum; lra].
      intros x Hx; destruct (Req_dec x 0) as [|D]; auto; apply Rabs_no_R0 in D; lra.
    + apply (over_zero (fun x => x ^ 2)); [intros; apply pow2_ge_0| |].
      * intros x Hx; nra.
      * rewrite <- over_sum, <- squares_sum; rewrite E in N; unfold l2 in N.
        pose proof (squares_nonneg (length ks) (difference ks f g)) as P.
        rewrite <- (sqrt_sqrt _ P); pose proof (sqrt_pos (squares (length ks) (difference ks f g))); nra.
  - intros k I; pose proof (each_greatest k I) as B; rewrite E in B; pose proof (Rabs_pos (f k - g k)).
    destruct (Req_dec (f k - g k) 0) as [|D]; [lra|apply Rabs_no_R0 in D; lra].
Qed.
End Apart.

Lemma map_apart_sym {K} MO d (f g : K -> R) : map_apart MO d f g -> map_apart MO d g f.
Proof.
  destruct d as [[keys norm] greatest]; intros H ks N n u; specialize (H ks N).
  assert (E : forall j, u j = - difference ks f g j) by (intros j; unfold u, difference; destruct (nth_error ks j); ring).
  rewrite (norm_ext _ (support_seminorm n) _ _ E), (norm_opp _ (support_seminorm n)).
  rewrite (norm_ext _ (linf_seminorm n) _ _ E), (norm_opp _ (linf_seminorm n)).
  destruct MO; simpl map_norm in *;
    [rewrite (norm_ext _ (l1_seminorm n) _ _ E), (norm_opp _ (l1_seminorm n))|
     rewrite (norm_ext _ (l2_seminorm n) _ _ E), (norm_opp _ (l2_seminorm n))]; exact H.
Qed.

(** A number of one map alone is its own difference. *)
Lemma alone_small {K} MO keys norm greatest (f g : K -> R) ks k :
  map_apart MO (keys, norm, greatest) f g -> NoDup ks -> In k ks -> g k = 0 -> f k <= greatest.
Proof.
  intros H N I G; pose proof (each_greatest MO keys norm greatest f g ks H N k I) as B.
  rewrite G, Rminus_0_r in B; pose proof (Rle_abs (f k)); lra.
Qed.
