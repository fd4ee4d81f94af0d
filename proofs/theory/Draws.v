(** Draws without replacement: their law, and what they do to a privacy loss. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Approx Finite Dataset Measures Domination Amplification.
Import ListNotations.
Open Scope R_scope.

Definition clip (q : R) : R := Rmax 0 (Rmin 1 q).
Lemma clip_range q : 0 <= clip q <= 1.
Proof. unfold clip, Rmax, Rmin; destruct (Rle_dec 1 q); destruct (Rle_dec 0 _); lra. Qed.
Lemma clip_id q : 0 <= q <= 1 -> clip q = q.
Proof. intros; unfold clip, Rmax, Rmin; destruct (Rle_dec 1 q); destruct (Rle_dec 0 _); lra. Qed.

(** With [p] places left and [L] rows left, a row is taken with probability [p / L]; surely if there are as many places. *)
Definition chance (p L : nat) : R := clip (INR p / INR L).
Lemma chance_range p L : 0 <= chance p L <= 1.
Proof. apply clip_range. Qed.
Lemma chance_is p L : (p <= L)%nat -> (0 < L)%nat -> chance p L = INR p / INR L.
Proof.
  intros H Hl; apply clip_id; apply le_INR in H; apply lt_INR in Hl; simpl in Hl; pose proof (pos_INR p).
  split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
  apply Rmult_le_reg_r with (INR L); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma chance_none L : chance 0 L = 0.
Proof. unfold chance; simpl; unfold Rdiv; rewrite Rmult_0_l; apply clip_id; lra. Qed.
Lemma chance_all L : chance (S L) (S L) = 1.
Proof. rewrite chance_is by lia; unfold Rdiv; apply Rinv_r, not_0_INR; lia. Qed.

Section Draws.
Context {A : Type}.
Implicit Types (l c r s t : list A) (g phi psi : list A -> R).

(** From [l] and [k] further rows behind it: what is taken of [l]. *)
Fixpoint head (k p : nat) l : dist (list A) :=
  match l with
  | [] => ret []
  | x :: l' => bind (bernoulli (chance p (S (length l') + k)) (chance_range _ _)) (fun b =>
               if b then dmap (cons x) (head k (pred p) l') else head k p l')
  end.
Definition draw := head 0.

Lemma head_cons k p x l g : Ex (head k p (x :: l)) g =
  chance p (S (length l) + k) * Ex (head k (pred p) l) (fun s => g (x :: s)) + (1 - chance p (S (length l) + k)) * Ex (head k p l) g.
Proof. reflexivity. Qed.

(** No more is taken than there are places and rows. *)
Lemma head_support k p l g g' : (forall s, (length s <= p)%nat -> (length s <= length l)%nat -> g s = g' s) -> Ex (head k p l) g = Ex (head k p l) g'.
Proof.
  revert p g g'; induction l as [|x l IH]; intros p g g' H; [simpl; apply H; simpl; lia|].
  rewrite !head_cons; destruct p as [|p]; [rewrite chance_none, !Rmult_0_l; f_equal; f_equal|f_equal; f_equal];
    apply IH; intros s L L'; apply H; simpl; lia.
Qed.
(** A draw takes just as many as there are places. *)
Lemma draw_support p l g g' : (p <= length l)%nat -> (forall s, length s = p -> g s = g' s) -> Ex (draw p l) g = Ex (draw p l) g'.
Proof.
  unfold draw; revert p g g'; induction l as [|x l IH]; intros p g g' L H; [simpl; apply H; simpl in *; lia|].
  rewrite !head_cons, Nat.add_0_r; destruct p as [|p].
  - rewrite chance_none, !Rmult_0_l, Rminus_0_r, !Rmult_1_l, !Rplus_0_l; apply IH; [lia|auto].
  - f_equal; [f_equal; apply IH; simpl in *; [lia|intros s E; apply H; simpl; lia]|].
    destruct (Nat.eq_dec p (length l)) as [->|N]; [rewrite chance_all, Rminus_eq_0, !Rmult_0_l; auto|].
    f_equal; apply IH; simpl in *; [lia|auto].
Qed.

Lemma head_app k p r c g : Ex (head k p (r ++ c)) g =
  Ex (head (length c + k) p r) (fun t => Ex (head k (p - length t) c) (fun s => g (t ++ s))).
Proof.
  revert p g; induction r as [|x r IH]; intros p g; [simpl; now rewrite Nat.sub_0_r|].
  simpl app; rewrite !head_cons, app_length; replace (S (length r + length c) + k)%nat with (S (length r) + (length c + k))%nat by lia.
  rewrite !IH; f_equal; f_equal.
  apply head_support; intros t _ _; simpl length; replace (p - S (length t))%nat with (pred p - length t)%nat by lia; auto.
Qed.

Lemma draw_order_free p l l' : Permutation l l' -> (p <= length l)%nat -> forall g, order_free_test g -> Ex (draw p l) g = Ex (draw p l') g.
Proof.
  unfold draw; intros P; revert p; induction P as [|x l l' P IH|x y l|l l' l'' P IH P' IH']; intros p L g Og; auto.
  - rewrite !head_cons, !Nat.add_0_r, <- (Permutation_length P); simpl in L.
    assert (Ox : order_free_test (fun s => g (x :: s))) by (intros s t Q; apply Og; auto).
    rewrite (IH (pred p) ltac:(lia) _ Ox); f_equal.
    destruct (Nat.eq_dec p (S (length l))) as [->|N]; [rewrite chance_all, Rminus_eq_0, !Rmult_0_l; auto|].
    f_equal; apply IH; auto; lia.
  - rewrite !head_cons; simpl length; rewrite !Nat.add_0_r; simpl in L; set (n := length l) in *.
    rewrite (head_support 0 (pred (pred p)) l (fun s => g (x :: y :: s)) (fun s => g (y :: x :: s))) by (intros; apply Og, perm_swap).
    set (u := Ex _ (fun s => g (y :: x :: s))).
    assert (X : chance p (S (S n)) * (1 - chance (pred p) (S n)) = (1 - chance p (S (S n))) * chance p (S n)).
    { destruct p as [|p]; [rewrite !chance_none; ring|]; simpl pred.
      destruct (Nat.eq_dec p (S n)) as [->|N]; [rewrite !chance_all; ring|].
      rewrite !chance_is by lia; rewrite !S_INR; pose proof (pos_INR n); field; lra. }
    set (a := Ex _ (fun s => g (x :: s))); set (b := Ex _ (fun s => g (y :: s))); set (w := Ex _ g).
    transitivity (chance p (S (S n)) * chance (pred p) (S n) * u + chance p (S (S n)) * (1 - chance (pred p) (S n)) * b +
      ((1 - chance p (S (S n))) * chance p (S n) * a + (1 - chance p (S (S n))) * (1 - chance p (S n)) * w)); [ring|].
    rewrite X; rewrite <- X at 2; ring.
  - rewrite IH; auto; apply IH'; auto; rewrite <- (Permutation_length P); auto.
Qed.

(** One draw with [j] places more: with the same numbers drawn it takes what the other takes, and [j] rows besides. *)
Definition more (j : nat) s t := exists w, length w = j /\ Permutation t (w ++ s).
Lemma more_cons j x s t : more j s t -> more j (x :: s) (x :: t).
Proof. intros (w & L & P); exists w; split; auto; now apply Permutation_cons_app. Qed.
Lemma more_right j x s t : more j s t -> more (S j) s (x :: t).
Proof. intros (w & L & P); exists (x :: w); simpl; split; auto. Qed.

Lemma draw_more E d c : 0 <= E -> 0 <= d -> forall j p phi psi, (j <= p <= length c)%nat ->
  (forall s t, more j s t -> phi s <= E * psi t + d) ->
  Ex (draw (p - j) c) phi <= E * Ex (draw p c) psi + d.
Proof.
  unfold draw; intros HE Hd; induction c as [|x c IH]; intros j p phi psi L H.
  - simpl in L; replace j with 0%nat in * by lia; simpl; apply H; exists []; auto.
  - rewrite !head_cons, Nat.add_0_r; simpl in L; set (n := S (length c)) in *.
    assert (Hn : 0 < INR n) by (apply lt_0_INR; unfold n; lia).
    set (a := chance (p - j) n); set (b := chance p n).
    assert (Ea : a = INR (p - j) / INR n) by (apply chance_is; unfold n; lia).
    assert (Eb : b = INR p / INR n) by (apply chance_is; unfold n; lia).
    assert (Eab : b - a = INR j / INR n) by (rewrite Ea, Eb, minus_INR by lia; field; lra).
    assert (0 <= a <= 1) by apply chance_range; assert (0 <= b <= 1) by apply chance_range.
    set (la := Ex _ (fun s => phi (x :: s))); set (l0 := Ex _ phi); set (ra := Ex _ (fun s => psi (x :: s))); set (r0 := Ex _ psi).
    assert (X1 : a * la <= a * (E * ra + d)).
    { destruct (Nat.eq_dec p j) as [->|N]; [replace a with 0 by (unfold a; rewrite Nat.sub_diag, chance_none; auto); lra|].
      apply Rmult_le_compat_l; [lra|]; unfold la, ra.
      replace (pred (p - j)) with (pred p - j)%nat by lia; apply IH; [lia|]; intros s t K; apply H; now apply more_cons. }
    assert (X2 : (b - a) * l0 <= (b - a) * (E * ra + d)).
    { destruct j as [|j]; [rewrite Eab; simpl; unfold Rdiv; lra|].
      apply Rmult_le_compat_l; [rewrite Eab; apply Rmult_le_pos; [apply pos_INR|left; now apply Rinv_0_lt_compat]|].
      unfold l0, ra; replace (p - S j)%nat with (pred p - j)%nat by lia; apply IH; [lia|]; intros s t K; apply H; now apply more_right. }
    assert (X3 : (1 - b) * l0 <= (1 - b) * (E * r0 + d)).
    { destruct (Nat.eq_dec p n) as [->|N]; [replace b with 1 by (unfold b, n; rewrite chance_all; auto); lra|].
      apply Rmult_le_compat_l; [lra|]; apply IH; auto; unfold n in *; lia. }
    lra.
Qed.

(** None of [r] is taken with at least the probability that adding up says. *)
Lemma head_none k p r : (1 <= p <= length r + k)%nat -> (1 <= length r + k)%nat ->
  dominates (1 - INR (length r) * (INR p / INR (length r + k))) (head k p r) (ret []).
Proof.
  intros L L' h Bh Nh; simpl; revert L L'; induction r as [|x r IH]; intros L L'; [simpl; lra|].
  rewrite head_cons; simpl length in *; set (n := length r) in *.
  pose proof (chance_range p (S n + k)) as C.
  assert (N1 : 0 <= Ex (head k (pred p) r) (fun s => h (x :: s))).
  { apply Ex_nonneg_bounded; [destruct Bh as [B HB]; exists B; auto|auto]. }
  assert (N2 : 0 <= Ex (head k p r) h) by now apply Ex_nonneg_bounded.
  apply Rle_trans with ((1 - chance p (S n + k)) * Ex (head k p r) h); [|nra].
  destruct (Nat.eq_dec p (S n + k)) as [E|E].
  - pose proof (Nh []); subst p; replace (S n + k)%nat with (S (n + k)) by lia.
    assert (Q : INR (S (n + k)) / INR (S (n + k)) = 1) by (unfold Rdiv; apply Rinv_r, not_0_INR; lia).
    simpl plus; rewrite chance_all, Q, S_INR; pose proof (pos_INR n); nra.
  - rewrite chance_is in * by lia; specialize (IH ltac:(lia) ltac:(lia)).
    replace (INR (S n + k)) with (INR (n + k) + 1) in * by (rewrite <- S_INR; f_equal; lia).
    rewrite S_INR; set (M := INR (n + k)) in *; set (w := INR n) in *; set (y := INR p) in *.
    assert (M1 : 1 <= M) by (unfold M; change 1 with (INR 1); apply le_INR; lia).
    assert (Y1 : 1 <= y <= M) by (unfold y, M; split; [change 1 with (INR 1)|]; apply le_INR; lia).
    assert (W0 : 0 <= w) by (unfold w; apply pos_INR).
    apply Rle_trans with ((1 - y / (M + 1)) * ((1 - w * (y / M)) * h [])); [|apply Rmult_le_compat_l; lra].
    rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [apply Nh|].
    apply Rminus_le; replace (1 - (w + 1) * (y / (M + 1)) - (1 - y / (M + 1)) * (1 - w * (y / M)))
      with (- (w * y * (y - 1) / (M * (M + 1)))) by (field; lra).
    assert (0 <= w * y * (y - 1) / (M * (M + 1))); [|lra].
    apply Rmult_le_pos; [apply Rmult_le_pos; [nra|lra]|left; apply Rinv_0_lt_compat; nra].
Qed.
End Draws.

(** Rows are drawn by their positions. *)
Lemma head_map {A B} (h : B -> A) k p (l : list B) g : Ex (head k p (map h l)) g = Ex (head k p l) (fun s => g (map h s)).
Proof.
  revert p g; induction l as [|x l IH]; intros p g; [reflexivity|].
  simpl map; rewrite !head_cons, map_length, !IH; reflexivity.
Qed.

(** Every set of [p] rows is as likely. *)
Section EverySet.
Context {A : Type}.
Fixpoint sets (p : nat) (l : list A) : list (list A) :=
  match p, l with
  | O, _ => [[]]
  | S _, [] => []
  | S p', x :: l' => map (cons x) (sets p' l') ++ sets p l'
  end.
Fixpoint addup (ws : list R) : R := match ws with [] => 0 | w :: ws => w + addup ws end.
Lemma addup_app u v : addup (u ++ v) = addup u + addup v.
Proof. induction u; simpl; [ring|rewrite IHu; ring]. Qed.

Lemma sets_too_few p (l : list A) : (length l < p)%nat -> sets p l = [].
Proof.
  revert p; induction l as [|x l IH]; intros p L; destruct p; simpl in *; try lia; auto.
  rewrite !IH by lia; reflexivity.
Qed.
Lemma sets_number p (l : list A) : (S (length l) * length (sets p l) = S p * (length (sets (S p) l) + length (sets p l)))%nat.
Proof.
  revert p; induction l as [|x l IH]; intros p; [destruct p; simpl; lia|].
  destruct p as [|p].
  - simpl; rewrite app_length, map_length; simpl. specialize (IH O); simpl in IH. destruct (sets 0 l) eqn:E; simpl in *.
    + destruct l; discriminate.
    + destruct l; injection E as <- <-; simpl in *; nia.
  - change (sets (S (S p)) (x :: l)) with (map (cons x) (sets (S p) l) ++ sets (S (S p)) l).
    change (sets (S p) (x :: l)) with (map (cons x) (sets p l) ++ sets (S p) l).
    rewrite !app_length, !map_length; pose proof (IH p); pose proof (IH (S p)); simpl length; nia.
Qed.
Lemma sets_some p (l : list A) : (p <= length l)%nat -> (0 < length (sets p l))%nat.
Proof.
  revert p; induction l as [|x l IH]; intros p L; destruct p; simpl in *; try lia.
  rewrite app_length, map_length; specialize (IH p ltac:(lia)); lia.
Qed.

Theorem every_set p (l : list A) g : (p <= length l)%nat ->
  Ex (draw p l) g = / INR (length (sets p l)) * addup (map g (sets p l)).
Proof.
  unfold draw; revert p g; induction l as [|x l IH]; intros p g L.
  - destruct p; simpl in *; [|lia]; rewrite Rinv_1; ring.
  - rewrite head_cons, Nat.add_0_r; destruct p as [|p].
    + rewrite chance_none; simpl pred; rewrite !IH by lia; destruct l; simpl; rewrite ?Rinv_1; ring.
    + change (sets (S p) (x :: l)) with (map (cons x) (sets p l) ++ sets (S p) l); simpl in L.
      rewrite map_app, map_map, addup_app, app_length, map_length; simpl pred; rewrite IH by lia.
      pose proof (sets_some p l ltac:(lia)) as S1; apply lt_0_INR in S1.
      pose proof (sets_number p l) as N; apply (f_equal INR) in N; rewrite !mult_INR, plus_INR in N.
      assert (Hn : 0 < INR (S (length l))) by (apply lt_0_INR; lia).
      assert (Hp : 0 < INR (S p)) by (apply lt_0_INR; lia).
      pose proof (pos_INR (length (sets (S p) l))).
      assert (C : chance (S p) (S (length l)) = INR (length (sets p l)) / (INR (length (sets p l)) + INR (length (sets (S p) l)))).
      { rewrite chance_is by lia; apply Rmult_eq_reg_r with (INR (S (length l)) * (INR (length (sets p l)) + INR (length (sets (S p) l)))); [|nra].
        field_simplify; nra. }
      destruct (Nat.eq_dec p (length l)) as [E|E].
      * assert (Z : sets (S p) l = []) by (apply sets_too_few; lia).
        rewrite Z, E, chance_all, <- E; simpl map; simpl addup; simpl (length []); rewrite Nat.add_0_r; ring.
      * rewrite (IH (S p)) by lia; rewrite C, plus_INR.
        pose proof (sets_some (S p) l ltac:(lia)) as S2; apply lt_0_INR in S2; field; lra.
Qed.
End EverySet.
