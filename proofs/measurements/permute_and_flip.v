(** [make_permute_and_flip]: the greatest score with exponential noise. *)
Require Import Reals Lra Psatz Lia Arith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx Finite Totals Measures Rounding exponential.
Open Scope R_scope.

Fixpoint prod (n : nat) (h : nat -> R) : R := match n with O => 1 | S m => prod m h * h m end.
(** The product of all but one. *)
Definition except (n i : nat) (h : nat -> R) : R := prod n (fun j => if j =? i then 1 else h j).

Lemma prod_ext n g h : (forall j, (j < n)%nat -> g j = h j) -> prod n g = prod n h.
Proof. intros H; induction n; simpl; auto; rewrite IHn, (H n); auto. Qed.
Lemma prod_nonneg n h : (forall j, 0 <= h j) -> 0 <= prod n h.
Proof. intros H; induction n; simpl; [lra|apply Rmult_le_pos; auto]. Qed.
Lemma prod_le n g h : (forall j, (j < n)%nat -> 0 <= g j <= h j) -> 0 <= prod n g <= prod n h.
Proof.
  intros H; induction n; simpl; [lra|]; destruct (H n ltac:(lia)), (IHn ltac:(auto)).
  split; [now apply Rmult_le_pos|now apply Rmult_le_compat].
Qed.
Lemma prod_zero n m h : (m < n)%nat -> h m = 0 -> prod n h = 0.
Proof.
  intros L H; induction n; [lia|]; simpl; destruct (Nat.eq_dec m n) as [<-|N]; [rewrite H; ring|].
  rewrite IHn by lia; ring.
Qed.
Lemma prod_one n : prod n (fun _ => 1) = 1.
Proof. induction n; simpl; [|rewrite IHn]; ring. Qed.
Lemma prod_continuous n (h : R -> nat -> R) t : (forall j, continuous (fun u => h u j) t) ->
  continuous (fun u => prod n (h u)) t.
Proof.
  intros H; induction n; simpl; [apply continuous_const|].
  apply (continuous_mult (fun u => prod n (h u)) (fun u => h u n)); auto.
Qed.

(** Another unit of the integrand's variable. *)
Lemma rescaled (f : R -> R) c a b : (forall t, continuous f t) ->
  is_RInt (fun u => c * f (c * u)) a b (RInt f (c * a) (c * b)).
Proof.
  intros H; apply is_RInt_ext with (fun u => scal c (f (c * u + 0))).
  - intros u _; unfold scal; simpl; unfold mult; simpl; now rewrite Rplus_0_r.
  - apply (is_RInt_comp_lin f); rewrite !Rplus_0_r; apply (RInt_correct f), (ex_RInt_continuous f); auto.
Qed.

Section Mechanism.
Variables (n : nat) (Hn : (0 < n)%nat) (s : R) (Hs : 0 < s).

(** Noise [- ln u] for a uniform number [u].  Position [j] stays below [i], whose noise is known, with this probability:
    [P (x j + s E < x i - s ln u)]. *)
Definition below (x : vector) (i : nat) (u : R) (j : nat) : R := Rmax 0 (1 - exp ((x j - x i) / s) * u).
(** All others stay below. *)
Definition wins (x : vector) (i : nat) (u : R) : R := except n i (below x i u).
Definition chance (x : vector) (i : nat) : R := RInt (wins x i) 0 1.

Lemma below_continuous x i j t : continuous (fun u => below x i u j) t.
Proof.
  unfold below; apply continuity_pt_filterlim.
  apply (continuity_pt_ext (fun u => ((1 - exp ((x j - x i) / s) * u) + Rabs (1 - exp ((x j - x i) / s) * u)) / 2)).
  - intros u; unfold Rmax, Rabs; destruct (Rle_dec 0 _), (Rcase_abs _); lra.
  - apply continuity_pt_filterlim; set (c := exp _).
    assert (L : continuous (fun u => 1 - c * u) t).
    { apply (ex_derive_continuous (fun u => 1 - c * u)); auto_derive; auto. }
    apply (continuous_mult (fun u => (1 - c * u) + Rabs (1 - c * u)) (fun _ => / 2)); [|apply continuous_const].
    apply (continuous_plus (fun u => 1 - c * u) (fun u => Rabs (1 - c * u))); auto.
    apply (continuous_comp (fun u => 1 - c * u) Rabs); auto; apply continuous_Rabs.
Qed.
Lemma wins_continuous x i t : continuous (wins x i) t.
Proof.
  apply (prod_continuous n (fun u j => if j =? i then 1 else below x i u j)); intros j.
  destruct (j =? i); [apply continuous_const|apply below_continuous].
Qed.
Lemma wins_nonneg x i u : 0 <= wins x i u.
Proof. apply prod_nonneg; intros j; destruct (j =? i); [lra|apply Rmax_l]. Qed.
Lemma ex_wins x i a b : ex_RInt (wins x i) a b.
Proof. apply (ex_RInt_continuous (wins x i)); intros; apply wins_continuous. Qed.
Lemma chance_nonneg x i : 0 <= chance x i.
Proof. apply RInt_ge_0; [lra|apply ex_wins|intros; apply wins_nonneg]. Qed.

(** In the time [t = u exp (- x i / s)] all positions race at rates [exp (x j / s)], up to the time at which the best one is done. *)
Section Sum.
Variable x : vector.
Let a j := exp (x j / s).
Let a_pos j : 0 < a j. Proof. apply exp_pos. Qed.

Lemma best : exists m, (m < n)%nat /\ forall j, (j < n)%nat -> a j <= a m.
Proof.
  clear Hs; induction n as [|k IH]; [lia|]; destruct k as [|k].
  - exists O; split; auto; intros j Hj; replace j with O by lia; lra.
  - destruct IH as (m & Hm & H); [lia|]; destruct (Rle_dec (a m) (a (S k))) as [L|L].
    + exists (S k); split; [lia|]; intros j Hj; destruct (Nat.eq_dec j (S k)) as [->|N]; [lra|].
      specialize (H j ltac:(lia)); lra.
    + exists m; split; [lia|]; intros j Hj; destruct (Nat.eq_dec j (S k)) as [->|N]; [lra|].
      apply H; lia.
Qed.

Definition race (i : nat) (t : R) : R := a i * except n i (fun j => 1 - a j * t).

Lemma rate i j t : exp ((x j - x i) / s) * (a i * t) = a j * t.
Proof.
  unfold a; rewrite <- Rmult_assoc, <- exp_plus; do 2 f_equal; field; lra.
Qed.

Lemma chance_race m i : (m < n)%nat -> (forall j, (j < n)%nat -> a j <= a m) -> (i < n)%nat ->
  chance x i = RInt (race i) 0 (/ a m).
Proof.
  intros Hm Ha Hi; pose proof (a_pos i) as Pi; pose proof (a_pos m) as Pm; pose proof (Ha i Hi) as Him.
  assert (Li : / a m <= / a i) by (apply Rinv_le_contravar; auto).
  assert (Zm : 0 < / a m) by now apply Rinv_0_lt_compat.
  assert (R0 := rescaled (wins x i) (a i) 0 (/ a i) (wins_continuous x i)).
  rewrite Rmult_0_r, Rinv_r in R0 by lra; change (RInt (wins x i) 0 1) with (chance x i) in R0.
  rewrite <- (is_RInt_unique _ _ _ _ R0); set (g := fun u => a i * wins x i (a i * u)) in *.
  assert (C : forall b c, ex_RInt g b c) by (intros; eexists; apply (rescaled (wins x i)), wins_continuous).
  rewrite <- (RInt_Chasles g 0 (/ a m) (/ a i)) by apply C.
  assert (E0 : RInt g (/ a m) (/ a i) = 0).
  { destruct (Nat.eq_dec m i) as [->|N]; [exact (RInt_point (V := R_CompleteNormedModule) (/ a i) g)|].
    rewrite (RInt_ext g (fun _ => 0)); [rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring|].
    intros t; rewrite Rmin_left, Rmax_right by auto; intros Ht.
    unfold g, wins, except; rewrite (prod_zero n m); auto; [apply Rmult_0_r|].
    destruct (Nat.eqb_spec m i); [contradiction|]; unfold below; rewrite rate.
    apply Rmax_left; assert (a m * / a m <= a m * t) by (apply Rmult_le_compat_l; lra).
    rewrite Rinv_r in * by lra; lra. }
  rewrite E0; unfold plus; simpl; rewrite Rplus_0_r; apply RInt_ext.
  intros t; rewrite Rmin_left, Rmax_right by lra; intros Ht.
  unfold race, g; f_equal; apply prod_ext; intros j Hj.
  destruct (j =? i); auto; unfold below; rewrite rate; apply Rmax_right.
  assert (a j * t <= a m * t) by (apply Rmult_le_compat_r; [lra|auto]).
  assert (a m * t <= a m * / a m) by (apply Rmult_le_compat_l; lra); rewrite Rinv_r in * by lra; lra.
Qed.

Lemma product_rule t : is_derive (fun t => prod n (fun j => 1 - a j * t)) t (- sum n (fun i => race i t)).
Proof.
  unfold race; clear Hn; induction n as [|k IH]; simpl.
  - rewrite Ropp_0; apply (is_derive_const 1 t).
  - evar_last.
    + apply (is_derive_mult (fun t => prod k (fun j => 1 - a j * t)) (fun t => 1 - a k * t) t
        (- sum k (fun i => a i * except k i (fun j => 1 - a j * t))) (- a k)); [exact IH| |].
      * auto_derive; auto; ring.
      * intros; apply Rmult_comm.
    + unfold plus, mult; simpl; unfold except; simpl; rewrite Nat.eqb_refl.
      rewrite (prod_ext k (fun j => if j =? k then 1 else 1 - a j * t) (fun j => 1 - a j * t)) by
        (intros j Hj; destruct (Nat.eqb_spec j k); [lia|auto]).
      rewrite (sum_ext k (fun i => a i * (prod k (fun j => if j =? i then 1 else 1 - a j * t) * (if k =? i then 1 else 1 - a k * t)))
        (fun i => (1 - a k * t) * (a i * prod k (fun j => if j =? i then 1 else 1 - a j * t)))).
      * rewrite sum_scal; ring.
      * intros i Hi; destruct (Nat.eqb_spec k i); [lia|ring].
Qed.

Lemma race_continuous i t : continuous (race i) t.
Proof.
  apply (continuous_mult (fun _ => a i)); [apply continuous_const|].
  apply (prod_continuous n (fun u j => if j =? i then 1 else 1 - a j * u)); intros j.
  destruct (j =? i); [apply continuous_const|].
  apply (ex_derive_continuous (fun u => 1 - a j * u)); auto_derive; auto.
Qed.

Lemma sum_RInt k (f : nat -> R -> R) b c : (forall i, (i < k)%nat -> forall t, continuous (f i) t) ->
  is_RInt (fun t => sum k (fun i => f i t)) b c (sum k (fun i => RInt (f i) b c)).
Proof.
  intros H; induction k; simpl.
  - evar_last; [apply (is_RInt_const b c 0)|]; unfold scal; simpl; unfold mult; simpl; ring.
  - apply (is_RInt_plus (fun t => sum k (fun i => f i t)) (f k)); [apply IHk; auto|].
    apply (RInt_correct (f k)), (ex_RInt_continuous (f k)); auto.
Qed.

Lemma chance_one : sum n (chance x) = 1.
Proof.
  destruct best as (m & Hm & Ha); pose proof (a_pos m).
  rewrite (sum_ext n _ (fun i => RInt (race i) 0 (/ a m))) by (intros; now apply chance_race).
  assert (I := sum_RInt n race 0 (/ a m) (fun i _ => race_continuous i)).
  assert (D : is_RInt (fun t => - sum n (fun i => race i t)) 0 (/ a m)
    (minus (prod n (fun j => 1 - a j * / a m)) (prod n (fun j => 1 - a j * 0)))).
  { apply (is_RInt_derive (fun t => prod n (fun j => 1 - a j * t))); intros t _; [apply product_rule|].
    apply (continuous_opp (fun t => sum n (fun i => race i t))); clear Hm Ha I Hn; induction n; simpl;
      [apply continuous_const|].
    apply (continuous_plus (fun t => sum n0 (fun i => race i t)) (race n0)); auto using race_continuous. }
  apply (is_RInt_opp (V := R_NormedModule)) in I.
  pose proof (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ I) as I'.
  pose proof (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ D) as D'.
  assert (E : - sum n (fun i => RInt (race i) 0 (/ a m)) =
    prod n (fun j => 1 - a j * / a m) - prod n (fun j => 1 - a j * 0)) by exact (eq_trans (eq_sym I') D').
  rewrite (prod_zero n m) in E by (auto; field; lra).
  rewrite (prod_ext n _ (fun _ => 1)) in E by (intros; ring).
  rewrite prod_one in E; lra.
Qed.
End Sum.

Definition flip (x : vector) : dist nat := finite n (chance x) (chance_nonneg x) (chance_one x).

(** If no other position gains more than [e s] on [i], the chance of [i] falls by a factor of [exp e] at most. *)
Lemma chance_ratio x y e i : 0 <= e -> (forall j, (j < n)%nat -> (y j - y i) / s <= e + (x j - x i) / s) ->
  chance x i <= exp e * chance y i.
Proof.
  intros He H; set (E := exp e); assert (E1 : 1 <= E) by (unfold E; rewrite <- exp_0; now apply exp_le).
  assert (X : RInt (wins x i) 0 1 <= RInt (wins x i) 0 E).
  { rewrite <- (RInt_Chasles (wins x i) 0 1 E) by apply ex_wins; unfold plus; simpl.
    assert (0 <= RInt (wins x i) 1 E) by (apply RInt_ge_0; auto using ex_wins; intros; apply wins_nonneg); lra. }
  eapply Rle_trans; [exact X|].
  assert (R0 := rescaled (wins x i) E 0 1 (wins_continuous x i)); rewrite Rmult_0_r, Rmult_1_r in R0.
  assert (R1 : is_RInt (fun u => E * wins y i u) 0 1 (E * chance y i)).
  { apply (is_RInt_scal (wins y i)), (RInt_correct (wins y i)), ex_wins. }
  apply (is_RInt_le (fun u => E * wins x i (E * u)) (fun u => E * wins y i u) 0 1); auto; [lra|].
  intros u Hu; apply Rmult_le_compat_l; [lra|].
  apply prod_le; intros j Hj; destruct (j =? i); [lra|]; split; [apply Rmax_l|].
  unfold below; apply Rle_max_compat_l.
  assert (L : exp ((y j - y i) / s) <= exp ((x j - x i) / s) * E).
  { unfold E; rewrite <- exp_plus; apply exp_le; rewrite Rplus_comm; auto. }
  assert (exp ((y j - y i) / s) * u <= exp ((x j - x i) / s) * E * u) by (apply Rmult_le_compat_r; lra); lra.
Qed.

(** In either form of the metric, in both directions. *)
Theorem make_permute_and_flip monotonic x y d : distance monotonic n x y <= d ->
  max_divergence (selection_range monotonic d s) (flip x) (flip y).
Proof.
  intros H; apply (span_distance monotonic n x y d s Hs) in H.
  assert (Hi : 0 < / s) by now apply Rinv_0_lt_compat.
  set (r := rise n (vminus x y)) in *; set (f := rise n (fun j => - vminus x y j)) in *.
  assert (Pr : 0 <= r) by apply rise_nonneg; assert (Pf : 0 <= f) by apply rise_nonneg.
  assert (S : span n (vminus x y) = r + f) by reflexivity; rewrite S in H; clear S.
  assert (G : forall j, (j < n)%nat -> x j - y j <= r /\ y j - x j <= f).
  { intros j Hj; pose proof (rise_ge n (vminus x y) j Hj); pose proof (rise_ge n (fun j => - vminus x y j) j Hj).
    fold r in H0; fold f in H1; unfold vminus in *; lra. }
  assert (P0 : 0 <= (r + f) / s) by (apply Rmult_le_pos; lra).
  split; (eapply close_mono; [exact H|apply Rle_refl|]);
    (eapply weights_close with (n := n) (a := fun i => i); try (intros; reflexivity)); intros i Hlt;
    apply chance_ratio; auto; intros j Hj; destruct (G i Hlt), (G j Hj); unfold Rdiv; rewrite <- Rmult_plus_distr_r;
    apply Rmult_le_compat_r; lra.
Qed.
End Mechanism.
