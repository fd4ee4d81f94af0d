(** Rows in random order: what makes the law of any measurement free of the order of its rows. *)
Require Import Reals Lra Psatz Lia List Permutation.
From DP Require Import Expect Approx Dataset Amplification Draws.
Import ListNotations.
Open Scope R_scope.

(** One of several, all as likely. *)
Section OneOf.
Context {A : Type}.
Lemma addup_plus (f g : A -> R) l : addup (map (fun a => f a + g a) l) = addup (map f l) + addup (map g l).
Proof. induction l; simpl; [ring|rewrite IHl; ring]. Qed.
Lemma addup_scal c (f : A -> R) l : addup (map (fun a => c * f a) l) = c * addup (map f l).
Proof. induction l; simpl; [ring|rewrite IHl; ring]. Qed.
Lemma addup_le (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> addup (map f l) <= addup (map g l).
Proof. induction l; simpl; intros H; [lra|]; pose proof (H a ltac:(auto)); assert (addup (map f l) <= addup (map g l)) by auto; lra. Qed.
Lemma addup_const c (l : list A) : addup (map (fun _ => c) l) = INR (length l) * c.
Proof. induction l; [simpl; ring|]; simpl length; rewrite S_INR; simpl; rewrite IHl; ring. Qed.
Lemma share_pos (x : A) xs : 0 < / INR (length (x :: xs)).
Proof. apply Rinv_0_lt_compat, lt_0_INR; simpl; lia. Qed.

Local Obligation Tactic := intros; cbv beta; auto.
Program Definition one_of (x : A) (xs : list A) : dist A :=
  {| Int := fun _ => True; Ex := fun f => / INR (length (x :: xs)) * addup (map f (x :: xs)) |}.
Next Obligation. rewrite addup_plus; ring. Qed.
Next Obligation. rewrite addup_scal; ring. Qed.
Next Obligation. apply Rmult_le_compat_l; [left; apply share_pos|apply addup_le; auto]. Qed.
Next Obligation. rewrite addup_const; pose proof (share_pos x xs); field; intros E; rewrite E, Rinv_0 in *; lra. Qed.

Lemma one_of_le x xs f c : (forall a, In a (x :: xs) -> f a <= c) -> Ex (one_of x xs) f <= c.
Proof.
  intros H; rewrite <- (Ex_const (one_of x xs) c); cbn [Ex one_of].
  apply Rmult_le_compat_l; [left; apply share_pos|now apply addup_le].
Qed.
End OneOf.

Section Shuffle.
Context {A : Type}.
Implicit Types (pre tail before after r : list A).

(** The last of what is not placed yet is exchanged with one of them: the choices, by position. *)
Definition refilled before after : list A := before ++ match rev after with [] => [] | z :: ys => z :: rev ys end.
Fixpoint choices before after : list (A * list A) :=
  match after with [] => [] | x :: after' => (x, refilled before after') :: choices (before ++ [x]) after' end.

Fixpoint shuffled (n : nat) pre tail : dist (list A) :=
  match n, choices [] pre with
  | O, _ | S _, [] => ret (pre ++ tail)
  | S n', p :: ps => bind (one_of p ps) (fun xr => shuffled n' (snd xr) (fst xr :: tail))
  end.
Definition shuffle (l : list A) : dist (list A) := shuffled (length l) l [].

Lemma refilled_perm before after : Permutation (refilled before after) (before ++ after).
Proof.
  apply Permutation_app_head; destruct (rev after) as [|z ys] eqn:E.
  - apply (f_equal (@rev A)) in E; rewrite rev_involutive in E; now subst.
  - apply (f_equal (@rev A)) in E; rewrite rev_involutive in E; subst; apply Permutation_cons_append.
Qed.
Lemma choices_in before after x r : In (x, r) (choices before after) -> Permutation (x :: r) (before ++ after).
Proof.
  revert before; induction after as [|a after IH]; intros before; simpl; [tauto|]; intros [E|I].
  - injection E as <- <-; rewrite refilled_perm; now apply Permutation_middle.
  - apply IH in I; rewrite I, <- app_assoc; reflexivity.
Qed.
Lemma choices_number before after : length (choices before after) = length after.
Proof. revert before; induction after; simpl; auto. Qed.

(** The sum over all choices of a function of the row and of the others, whatever their order. *)
Lemma choices_order_free (V : A * list A -> R) : (forall x r r', Permutation r r' -> V (x, r) = V (x, r')) ->
  forall before before' after after', Permutation before before' -> Permutation after after' ->
  addup (map V (choices before after)) = addup (map V (choices before' after')).
Proof.
  intros H.
  assert (B : forall after before before', Permutation before before' -> addup (map V (choices before after)) = addup (map V (choices before' after))).
  { induction after as [|x after IH]; simpl; auto; intros b b' P; f_equal; [apply H; rewrite !refilled_perm; now apply Permutation_app_tail|].
    apply IH; now apply Permutation_app_tail. }
  intros before before' after after' P Q; rewrite (B after before before' P); clear P before; revert before'.
  induction Q as [|x l l' Q IH|x y l|l l' l'' _ IH _ IH']; intros b; auto.
  - simpl; f_equal; [apply H; rewrite !refilled_perm; now apply Permutation_app_head|apply IH].
  - simpl; rewrite <- !Rplus_assoc, (Rplus_comm (V (y, _))); f_equal; [f_equal; apply H|].
    + rewrite !refilled_perm, <- app_assoc; reflexivity.
    + rewrite !refilled_perm, <- app_assoc; reflexivity.
    + apply B; rewrite <- !app_assoc; apply Permutation_app_head; constructor.
  - rewrite IH; auto.
Qed.

Lemma shuffled_step n pre tail g : (0 < length pre)%nat ->
  Ex (shuffled (S n) pre tail) g = / INR (length pre) * addup (map (fun xr => Ex (shuffled n (snd xr) (fst xr :: tail)) g) (choices [] pre)).
Proof.
  intros L; simpl; pose proof (choices_number [] pre) as N; destruct (choices [] pre) as [|p ps]; simpl in N; [lia|].
  cbn [Ex bind one_of]; simpl length; rewrite N; reflexivity.
Qed.

Theorem shuffled_order_free n pre pre' tail g : length pre = n -> Permutation pre pre' ->
  Ex (shuffled n pre tail) g = Ex (shuffled n pre' tail) g \/ n = O.
Proof.
  destruct n as [|n]; [auto|]; left; revert pre pre' tail H H0; induction n as [|n IH]; intros pre pre' tail L P.
  - apply Permutation_length in P as L'; destruct pre as [|x [|]], pre' as [|y [|]]; simpl in *; try lia.
    apply Permutation_length_1 in P; now subst.
  - pose proof (Permutation_length P) as L'.
    rewrite !shuffled_step by lia; rewrite <- L'; f_equal.
    set (V := fun xr : A * list A => if Nat.eq_dec (length (snd xr)) (S n) then Ex (shuffled (S n) (snd xr) (fst xr :: tail)) g else 0).
    assert (X : forall q, length q = S (S n) ->
      map (fun xr => Ex (shuffled (S n) (snd xr) (fst xr :: tail)) g) (choices [] q) = map V (choices [] q)).
    { intros q Lq; apply map_ext_in; intros (x, r) I; apply choices_in, Permutation_length in I; unfold V; simpl length in *; simpl fst in *; simpl snd in *.
      destruct (Nat.eq_dec (length r) (S n)); [reflexivity|lia]. }
    rewrite !X by lia; apply choices_order_free; auto; intros x r r' Q; unfold V; simpl fst; simpl snd; rewrite <- (Permutation_length Q).
    destruct (Nat.eq_dec (length r) (S n)); auto.
Qed.

Lemma shuffled_support n pre tail g c : (forall s, Permutation (pre ++ tail) s -> g s <= c) -> Ex (shuffled n pre tail) g <= c.
Proof.
  revert pre tail; induction n as [|n IH]; intros pre tail H; simpl; [now apply H|].
  destruct (choices [] pre) as [|p ps] eqn:E; [now apply H|].
  apply (one_of_le p ps (fun xr => Ex (shuffled n (snd xr) (fst xr :: tail)) g)); intros (x, r) I; apply IH; intros s P; apply H.
  rewrite <- E in I; apply choices_in in I; rewrite <- P; simpl fst; simpl snd; rewrite app_nil_l in I.
  rewrite <- I; simpl; apply Permutation_middle.
Qed.
End Shuffle.

(** A measurement that is given its rows in random order. *)
Definition in_random_order {A B} (M : list A -> dist B) (l : list A) : dist B := bind (shuffle l) M.

Theorem random_order_free {A B} (M : list A -> dist B) : order_free (in_random_order M).
Proof.
  intros x y P f Hf; unfold in_random_order, shuffle; cbn [Ex bind].
  rewrite <- (Permutation_length P).
  destruct (shuffled_order_free (length x) x y [] (fun a => Ex (M a) f) eq_refl P) as [E|E]; auto.
  destruct x as [|a x]; [|discriminate]; apply Permutation_nil in P; now subst.
Qed.

(** It keeps every promise on data up to order. *)
Theorem random_order_close {A B} (M : list A -> dist B) e d x y : 0 <= d ->
  (forall s t, Permutation x s -> Permutation y t -> close e d (M s) (M t)) -> close e d (in_random_order M x) (in_random_order M y).
Proof.
  intros Hd H f Hf; unfold in_random_order, shuffle; cbn [Ex bind]; pose proof (exp_pos e).
  apply shuffled_support; rewrite app_nil_r; intros s P.
  assert (Bd : bounded (fun t => Ex (M t) f)) by (apply unit_bounded; intros t; now apply Ex_unit).
  assert (X : Ex (shuffled (length y) y []) (fun t => -1 * Ex (M t) f) <= / exp e * (d - Ex (M s) f)).
  { apply shuffled_support; rewrite app_nil_r; intros t Q; specialize (H s t P Q f Hf).
    apply Rmult_le_reg_l with (exp e); auto.
    replace (exp e * (/ exp e * (d - Ex (M s) f))) with (d - Ex (M s) f) by (field; lra); lra. }
  rewrite Ex_scal in X by now apply Int_bounded.
  set (v := Ex (shuffled (length y) y []) (fun t => Ex (M t) f)) in *.
  apply Rmult_le_compat_l with (r := exp e) in X; [|lra].
  replace (exp e * (/ exp e * (d - Ex (M s) f))) with (d - Ex (M s) f) in X by (field; lra); lra.
Qed.

Theorem random_order_symmetric {A B} (M : list A -> dist B) e d n x y : 0 <= d ->
  (forall s t, symmetric n s t -> close e d (M s) (M t)) -> symmetric n x y -> close e d (in_random_order M x) (in_random_order M y).
Proof.
  intros Hd H (c & r & a & Px & Py & L); apply random_order_close; auto; intros s t P Q; apply H.
  exists c, r, a; rewrite <- P, <- Q; auto.
Qed.
Theorem random_order_change_one {A B} (M : list A -> dist B) e d n k x y : 0 <= d ->
  (forall s t, length s = k -> change_one n s t -> close e d (M s) (M t)) -> length x = k -> change_one n x y ->
  close e d (in_random_order M x) (in_random_order M y).
Proof.
  intros Hd H Lx (c & r & a & Px & Py & L); apply random_order_close; auto; intros s t P Q; apply H.
  - now rewrite <- (Permutation_length P).
  - exists c, r, a; rewrite <- P, <- Q; auto.
Qed.
