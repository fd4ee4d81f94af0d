(** [make_privacy_filter]: whatever is asked, the losses of what is released stay within the budget. *)
Require Import Reals Lra Psatz Lia ZArith List.
From Flocq Require Import Core.Core.
From DP Require Import Expect Approx DualRenyi Measures Rounding Interaction.
Open Scope R_scope.

(** [Budget]: integers, in units of the least float. *)
Definition budget_of (limit : Z) : ledger Z :=
  {| Entries := Z; allows := fun spent loss => (spent + loss <=? limit)%Z; write := fun spent loss => (spent + loss)%Z |}.
(** Both numbers of a pair, each within its own. *)
Definition budgets_of (limit : Z * Z) : ledger (Z * Z) :=
  {| Entries := Z * Z;
     allows := fun spent loss => ((fst spent + fst loss <=? fst limit) && (snd spent + snd loss <=? snd limit))%Z%bool;
     write := fun spent loss => (fst spent + fst loss, snd spent + snd loss)%Z |}.

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
