(** [make_privacy_filter]: whatever is asked, the losses of what is released stay within the budget. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DualRenyi Measures GaussianDivergence GaussianComposition Rounding composition Interaction adaptive_composition.
Import ListNotations.
Open Scope R_scope.

(** [Budget]: integers, in units of the least float. *)
Definition budget_of (limit : Z) : ledger Z :=
  {| Entries := Z; allows := fun spent loss => (spent + loss <=? limit)%Z; write := fun spent loss => (spent + loss)%Z |}.
(** Both numbers of a pair, each within its own. *)
Definition budgets_of (limit : Z * Z) : ledger (Z * Z) :=
  {| Entries := Z * Z;
     allows := fun spent loss => ((fst spent + fst loss <=? fst limit) && (snd spent + snd loss <=? snd limit))%Z%bool;
     write := fun spent loss => (fst spent + fst loss, snd spent + snd loss)%Z |}.
(** A curve at so many orders, the i-th of which has its own limit. *)
Definition orders_of (n : nat) (limit : nat -> Z) : ledger (nat -> Z) :=
  {| Entries := nat -> Z;
     allows := fun spent loss => forallb (fun i => spent i + loss i <=? limit i)%Z (seq 0 n);
     write := fun spent loss i => (spent i + loss i)%Z |}.
(** Squares, in units of the square of the least float. *)
Definition squares_of (limit : Z) : ledger Z :=
  {| Entries := Z; allows := fun spent mu => (spent + mu * mu <=? limit * limit)%Z; write := fun spent mu => (spent + mu * mu)%Z |}.

(** What is still in the ledger once it has been within its budget. *)
Definition remaining (limit spent : Z) : R := Rmax 0 (units (limit - spent)).
Lemma remaining_after limit spent loss : (spent + loss <=? limit)%Z = true ->
  units loss + remaining limit (spent + loss) <= remaining limit spent.
Proof.
  intros L; apply Z.leb_le in L; unfold remaining.
  assert (P : 0 <= units (limit - (spent + loss))) by (replace 0 with (units 0) by (unfold units; ring); apply units_le; lia).
  rewrite (Rmax_right 0 (units (limit - (spent + loss)))) by auto; rewrite <- units_plus.
  replace (loss + (limit - (spent + loss)))%Z with (limit - spent)%Z by lia; apply Rmax_r.
Qed.
Lemma remaining_nonneg limit spent : 0 <= remaining limit spent.
Proof. apply Rmax_l. Qed.
Lemma remaining_all limit : 0 <= units limit -> remaining limit 0 = units limit.
Proof. intros; unfold remaining; rewrite Z.sub_0_r; now apply Rmax_right. Qed.

Definition both_renyi {W} (al tau : R) (P P' : dist W) : Prop := renyi al tau P P' /\ renyi al tau P' P.

Definition unit_squares (z : Z) : R := IZR z * (bpow radix2 (-1074) * bpow radix2 (-1074)).
Lemma unit_squares_square m : unit_squares (m * m) = units m * units m.
Proof. unfold unit_squares, units; rewrite mult_IZR; ring. Qed.
Lemma unit_squares_nonneg z : (0 <= z)%Z -> 0 <= unit_squares z.
Proof.
  intros Z; unfold unit_squares; pose proof (bpow_gt_0 radix2 (-1074)).
  apply Rmult_le_pos; [now apply IZR_le|nra].
Qed.
(** What is left of a mu: the root of what is left of its square. *)
Definition remaining_mu (limit spent : Z) : R := sqrt (unit_squares (limit * limit - spent)).
Lemma remaining_mu_after limit spent mu : (spent + mu * mu <=? limit * limit)%Z = true ->
  hypotenuse (units mu) (remaining_mu limit (spent + mu * mu)) = remaining_mu limit spent.
Proof.
  intros L; apply Z.leb_le in L; unfold hypotenuse, remaining_mu; f_equal.
  rewrite sqrt_sqrt by (apply unit_squares_nonneg; lia).
  rewrite <- unit_squares_square; unfold unit_squares; rewrite <- Rmult_plus_distr_r, <- plus_IZR; do 2 f_equal; lia.
Qed.

Section Filter.
Context {X Q Y V : Type} (release : Q -> X -> dist Y) (x x' : X).

Theorem make_privacy_filter_max_divergence (limit : Z) (loss : Q -> option Z) : 0 <= units limit ->
  (forall q l, loss q = Some l -> max_divergence (units l) (release q x) (release q x')) ->
  forall a : @asker Q Y V, max_divergence (units limit) (converse release loss (budget_of limit) a 0%Z x) (converse release loss (budget_of limit) a 0%Z x').
Proof.
  intros Hl H a; rewrite <- (remaining_all limit) by auto.
  apply (conversation release loss (budget_of limit) (fun W => @max_divergence W) (remaining limit) (fun e W => @max_divergence W (units e))); auto.
  - intros W s P; split; apply close_same; auto using remaining_nonneg; lra.
  - intros W C s P K K' HK; split; apply close_mix; try lra; intros c; apply HK.
  - intros W C s e P P' K K' A [C1 C2] HK; pose proof (remaining_after _ _ _ A).
    split; (eapply close_mono; [exact H0|apply Rle_refl|]; rewrite <- (Rplus_0_l 0); apply adaptive_composition; [lra|auto|intros c; apply HK]).
Qed.

Theorem make_privacy_filter_zero_concentrated (limit : Z) (loss : Q -> option Z) : 0 <= units limit ->
  (forall q l, loss q = Some l -> zero_concentrated (units l) (release q x) (release q x')) ->
  forall a : @asker Q Y V, zero_concentrated (units limit) (converse release loss (budget_of limit) a 0%Z x) (converse release loss (budget_of limit) a 0%Z x').
Proof.
  intros Hl H a; rewrite <- (remaining_all limit) by auto.
  apply (conversation release loss (budget_of limit) (fun W => @zero_concentrated W) (remaining limit) (fun e W => @zero_concentrated W (units e))); auto.
  - intros W s P; split; apply zCDP_same; auto using remaining_nonneg.
  - intros W C s P K K' HK; split; apply zCDP_mix; intros c; apply HK.
  - intros W C s e P P' K K' A [C1 C2] HK; pose proof (remaining_after _ _ _ A).
    split; (eapply zCDP_mono; [exact H0|]; apply zCDP_adaptive_composition; [auto|intros c; apply HK]).
Qed.

(** At each order of the budget, whatever the other orders allow. *)
Theorem make_privacy_filter_renyi_divergence (n : nat) (al : nat -> R) (limit : nat -> Z) (loss : Q -> option (nat -> Z)) :
  (forall i, (i < n)%nat -> 1 < al i /\ 0 <= units (limit i)) ->
  (forall q l, loss q = Some l -> forall i, (i < n)%nat -> both_renyi (al i) (units (l i)) (release q x) (release q x')) ->
  forall (a : @asker Q Y V) i, (i < n)%nat -> both_renyi (al i) (units (limit i))
    (converse release loss (orders_of n limit) a (fun _ => 0%Z) x) (converse release loss (orders_of n limit) a (fun _ => 0%Z) x').
Proof.
  intros Hl H a i Hi; destruct (Hl i Hi) as [Ha Hp]; rewrite <- (remaining_all (limit i)) by auto.
  apply (conversation release loss (orders_of n limit) (fun W t => @both_renyi W (al i) t) (fun s => remaining (limit i) (s i))
    (fun e W => @both_renyi W (al i) (units (e i)))); auto.
  - intros W s P; split; apply renyi_same; auto using remaining_nonneg.
  - intros W C s P K K' HK; split; apply renyi_mix; auto; intros c; apply HK.
  - intros W C s e P P' K K' A [C1 C2] HK; simpl in A; rewrite forallb_forall in A.
    pose proof (remaining_after _ _ _ (A i (proj2 (in_seq n 0 i) ltac:(lia)))) as L.
    split; (eapply renyi_mono; [auto|exact L|]; apply renyi_adaptive_composition; auto; intros c; apply HK).
Qed.

Theorem make_privacy_filter_gaussian_divergence (limit : Z) (loss : Q -> option Z) : 0 <= units limit ->
  (forall q mu, loss q = Some mu -> 0 <= units mu /\ gaussian_divergence (units mu) (release q x) (release q x')) ->
  forall a : @asker Q Y V, gaussian_divergence (units limit) (converse release loss (squares_of limit) a 0%Z x) (converse release loss (squares_of limit) a 0%Z x').
Proof.
  intros Hl H a; assert (N : forall s, 0 <= remaining_mu limit s) by (intros s; apply sqrt_pos).
  replace (units limit) with (remaining_mu limit 0)
    by (unfold remaining_mu; rewrite Z.sub_0_r, unit_squares_square; now apply sqrt_square).
  apply (conversation release loss (squares_of limit) (fun W => @gaussian_divergence W) (remaining_mu limit)
    (fun e W P P' => 0 <= units e /\ gaussian_divergence (units e) P P')); auto.
  - intros W s P; split; (eapply no_easier_mono; [apply N|apply no_easier_refl]).
  - intros W C s P K K' HK; split; apply no_easier_mix; auto; intros c; apply HK.
  - intros W C s e P P' K K' A (E & C1 & C2) HK; simpl in HK; rewrite <- (remaining_mu_after _ _ _ A).
    split; apply no_easier_composition; auto; intros c; apply HK.
Qed.

Definition both_close {W} (l : R * R) (P P' : dist W) : Prop := close (fst l) (snd l) P P' /\ close (fst l) (snd l) P' P.

Theorem make_privacy_filter_approximate (limit : Z * Z) (loss : Q -> option (Z * Z)) : 0 <= units (fst limit) -> 0 <= units (snd limit) ->
  (forall q l, loss q = Some l -> both_close (units (fst l), units (snd l)) (release q x) (release q x')) ->
  forall a : @asker Q Y V, both_close (units (fst limit), units (snd limit))
    (converse release loss (budgets_of limit) a (0, 0)%Z x) (converse release loss (budgets_of limit) a (0, 0)%Z x').
Proof.
  intros He Hd H a; rewrite <- (remaining_all (fst limit)), <- (remaining_all (snd limit)) by auto.
  apply (conversation release loss (budgets_of limit) (fun W => @both_close W) (fun s => (remaining (fst limit) (fst s), remaining (snd limit) (snd s)))
    (fun e W => @both_close W (units (fst e), units (snd e)))); auto.
  - intros W s P; split; apply close_same; apply remaining_nonneg.
  - intros W C s P K K' HK; split; apply close_mix; try apply remaining_nonneg; intros c; apply HK.
  - intros W C s e P P' K K' A [C1 C2] HK; apply andb_prop in A; destruct A as [A B].
    pose proof (remaining_after _ _ _ A); pose proof (remaining_after _ _ _ B); simpl fst in *; simpl snd in *.
    split; (eapply close_mono; [eassumption|eassumption|]; apply adaptive_composition; [apply remaining_nonneg|auto|intros c; apply HK]).
Qed.
End Filter.
