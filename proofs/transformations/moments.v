(** What means, variances and covariances have in common: replacements, the grid, and how far one row moves deviations. *)
Require Import Reals Lra Psatz Lia ZArith List Permutation.
From Flocq Require Import Core.Core.
From DP Require Import Dataset Rows Rounding Maps metric_cast.
Import ListNotations.
Open Scope R_scope.

(** [on_grid]: the nearest multiple of 2^-1074. *)
Definition grid : R := bpow radix2 (-1074).
Definition on_grid (t : R) : R := grid * IZR (Zfloor (t / grid + / 2)).

Lemma grid_pos : 0 < grid.
Proof. apply bpow_gt_0. Qed.
Lemma on_grid_mono s t : s <= t -> on_grid s <= on_grid t.
Proof.
  intros H; pose proof grid_pos; unfold on_grid; apply Rmult_le_compat_l; [lra|]; apply IZR_le, Zfloor_le.
  apply Rplus_le_compat_r, Rmult_le_compat_r; auto; left; now apply Rinv_0_lt_compat.
Qed.
Lemma Zfloor_plus x k : Zfloor (x + IZR k) = (Zfloor x + k)%Z.
Proof. apply Zfloor_imp; rewrite !plus_IZR; pose proof (Zfloor_lb x); pose proof (Zfloor_ub x); lra. Qed.
Lemma on_grid_shift t k : on_grid (t + IZR k * grid) = on_grid t + IZR k * grid.
Proof.
  pose proof grid_pos; unfold on_grid.
  replace ((t + IZR k * grid) / grid + / 2) with (t / grid + / 2 + IZR k) by (field; lra).
  rewrite Zfloor_plus, plus_IZR; ring.
Qed.

(** Rounding at the end costs nothing, if the bound is a multiple of the grid. *)
Theorem on_grid_close s t k : Rabs (s - t) <= IZR k * grid -> Rabs (on_grid s - on_grid t) <= IZR k * grid.
Proof.
  intros H; assert (- (IZR k * grid) <= s - t <= IZR k * grid) by (split; [apply Rabs_le_inv in H|apply Rabs_le_inv in H]; lra).
  pose proof (on_grid_mono s (t + IZR k * grid)) as U; pose proof (on_grid_mono t (s + IZR k * grid)) as L.
  rewrite on_grid_shift in U, L; apply Rabs_le; lra.
Qed.

(** A float, and an integer times it, is a multiple of the grid. *)
Lemma float_multiple x : generic_format radix2 fexp64 x -> exists k, x = IZR k * grid.
Proof.
  intros F; apply FLT_format_generic in F; auto with typeclass_instances; destruct F as [[m e] E _ L]; cbn [Fnum Fexp] in *.
  exists (m * 2 ^ (e + 1074))%Z; rewrite E, mult_IZR; unfold grid; change 2%Z with (radix_val radix2).
  rewrite IZR_Zpower by lia; unfold F2R; cbn [Fnum Fexp]; rewrite Rmult_assoc, <- bpow_plus; do 2 f_equal; lia.
Qed.
Lemma up_float x : generic_format radix2 fexp64 (up x).
Proof. apply generic_format_round; auto with typeclass_instances. Qed.

Theorem on_grid_steps s t d step : generic_format radix2 fexp64 step ->
  Rabs (s - t) <= INR d * step -> Rabs (on_grid s - on_grid t) <= INR d * step.
Proof.
  intros F H; destruct (float_multiple step F) as (k & E).
  assert (M : INR d * step = IZR (Z.of_nat d * k) * grid) by (rewrite mult_IZR, <- INR_IZR_INZ, E; ring).
  rewrite M in *; now apply on_grid_close.
Qed.

(** [map_of_replacements], [per], [share_of_others]. *)
Definition map_of_replacements (M : row_metric) (step : R) (d : nat) : R :=
  match unit M with Replace => moved d step | AddOrRemove => moved (d / 2) step end.
Definition per (step : R) (number : nat) : R := inf_div step (dn (INR number)).
Definition share_of_others (step : R) (number : nat) : R :=
  if Nat.leb number 1 then 0 else inf_mul step (Rmin (per (up (INR (number - 1))) number) 1).

Lemma one_float : generic_format radix2 fexp64 1.
Proof. replace 1 with (bpow radix2 0) by reflexivity; apply generic_format_FLT_bpow; auto with typeclass_instances; lia. Qed.
Lemma dn_positive n : (1 <= n)%nat -> 0 < dn (INR n) <= INR n.
Proof.
  intros H; apply le_INR in H; simpl in H; split; [|apply dn_le].
  apply Rlt_le_trans with 1; [lra|]; unfold dn; apply round_ge_generic; auto with typeclass_instances; apply one_float.
Qed.
Theorem per_sound t step n : (1 <= n)%nat -> 0 <= t <= step -> t / INR n <= per step n.
Proof.
  intros Hn H; destruct (dn_positive n Hn) as [P L]; unfold per.
  apply Rle_trans with (step / dn (INR n)); [|apply inf_div_ge; lra]; unfold Rdiv.
  apply Rmult_le_compat; try lra; [left; apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; auto].
Qed.
Theorem share_of_others_sound t step n : (1 <= n)%nat -> 0 <= t <= step -> INR (n - 1) / INR n * t <= share_of_others step n.
Proof.
  intros Hn H; unfold share_of_others; destruct (Nat.leb_spec n 1).
  - replace n with 1%nat by lia; simpl; unfold Rdiv; lra.
  - assert (P : 0 < INR n) by (apply lt_0_INR; lia); assert (Q : 0 < INR (n - 1)) by (apply lt_0_INR; lia).
    assert (S : INR (n - 1) / INR n <= Rmin (per (up (INR (n - 1))) n) 1).
    { apply Rmin_glb; [apply per_sound; auto; split; [lra|apply up_ge]|].
      apply Rmult_le_reg_r with (INR n); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra.
      apply le_INR; lia. }
    rewrite Rmult_comm; apply inf_mul_ge; auto; split; auto.
    apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat].
Qed.
Lemma per_float step n : generic_format radix2 fexp64 (per step n).
Proof. apply up_float. Qed.
Lemma share_float step n : generic_format radix2 fexp64 (share_of_others step n).
Proof. unfold share_of_others; destruct (Nat.leb n 1); [apply generic_format_0|apply up_float]. Qed.

(** Replacements, one after the other, through datasets of the domain. *)
Section Path.
Context {A : Type} (inside : A -> Prop) (F : list A -> R) (n : nat) (step : R).
Hypothesis F_perm : forall x y, Permutation x y -> F x = F y.
Hypothesis F_step : forall a b c, S (length c) = n -> inside a -> inside b -> (forall r, In r c -> inside r) ->
  Rabs (F (a :: c) - F (b :: c)) <= step.

Lemma path_of_replacements r : forall s c, length r = length s -> length (r ++ c) = n ->
  (forall a, In a (r ++ c) \/ In a (s ++ c) -> inside a) -> Rabs (F (r ++ c) - F (s ++ c)) <= INR (length r) * step.
Proof.
  induction r as [|a r IH]; intros [|b s] c E L I; try discriminate.
  - unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; simpl; lra.
  - assert (In1 : forall e, In e ((a :: r) ++ c) -> inside e) by auto.
    assert (In2 : forall e, In e ((b :: s) ++ c) -> inside e) by auto.
    assert (S1 : Rabs (F (a :: r ++ c) - F (b :: r ++ c)) <= step).
    { apply F_step; auto; [apply In1; now left|apply In2; now left|intros e H; apply In1; now right]. }
    assert (S2 : Rabs (F (r ++ b :: c) - F (s ++ b :: c)) <= INR (length r) * step).
    { apply IH; [now injection E|rewrite app_length in *; simpl in *; lia|].
      intros e [H|H]; apply in_app_or in H; destruct H as [H|[<-|H]].
      - apply In1; right; apply in_or_app; auto.
      - apply In2; now left.
      - apply In1; right; apply in_or_app; auto.
      - apply In2; right; apply in_or_app; auto.
      - apply In2; now left.
      - apply In1; right; apply in_or_app; auto. }
    rewrite <- (F_perm (b :: r ++ c) (r ++ b :: c)), <- (F_perm (b :: s ++ c) (s ++ b :: c)) in S2 by apply Permutation_middle.
    simpl app; change (length (a :: r)) with (S (length r)); rewrite S_INR.
    replace (F (a :: r ++ c) - F (b :: s ++ c)) with ((F (a :: r ++ c) - F (b :: r ++ c)) + (F (b :: r ++ c) - F (b :: s ++ c))) by ring.
    eapply Rle_trans; [apply Rabs_triang|]; lra.
Qed.

Lemma replacements_move d x y : length x = n -> (forall a, In a x \/ In a y -> inside a) -> 0 <= step ->
  change_one d x y -> Rabs (F x - F y) <= INR d * step.
Proof.
  intros L I P (c & r & s & Hx & Hy & E & B).
  rewrite (F_perm _ _ Hx), (F_perm _ _ Hy); apply Permutation_length in Hx as Lx.
  eapply Rle_trans; [apply path_of_replacements; auto; [congruence|]|apply Rmult_le_compat_r, le_INR; auto].
  intros a [H|H]; apply I; [left|right]; eapply Permutation_in; try exact H; now apply Permutation_sym.
Qed.

(** The statistic, rounded on the grid: after replacements, and under every row metric. *)
Lemma rounded_moves d x y : generic_format radix2 fexp64 step -> 0 <= step -> length x = n ->
  (forall a, In a x \/ In a y -> inside a) -> change_one d x y -> Rabs (on_grid (F x) - on_grid (F y)) <= INR d * step.
Proof. intros G P L I K; apply on_grid_steps; [exact G|apply replacements_move; auto]. Qed.

Theorem statistic_stable M d x y : generic_format radix2 fexp64 step -> 0 <= step ->
  length x = n -> length y = n -> (forall a, In a x \/ In a y -> inside a) -> apart M d x y ->
  Rabs (on_grid (F x) - on_grid (F y)) <= map_of_replacements M step d.
Proof.
  intros G P Lx Ly I H; apply apart_unit in H; unfold map_of_replacements.
  assert (R : forall k, change_one k x y -> Rabs (on_grid (F x) - on_grid (F y)) <= moved k step).
  { intros k K; eapply Rle_trans; [apply (rounded_moves k x y); auto|apply moved_sound; lra]. }
  destruct (unit M); apply R; auto; apply symmetric_change_one; congruence.
Qed.
End Path.

(** Deviations of two columns: [products - x * y / number]. *)
Section Deviations.
Context {A : Type} (f g : A -> R).
Definition sum_of (h : A -> R) (x : list A) : R := fold_right (fun a s => h a + s) 0 x.
Definition deviations (n : nat) (x : list A) : R := sum_of (fun a => f a * g a) x - sum_of f x * sum_of g x / INR n.

Lemma sum_of_perm h x y : Permutation x y -> sum_of h x = sum_of h y.
Proof. unfold sum_of; induction 1; simpl; [auto|now rewrite IHPermutation|ring|congruence]. Qed.
Lemma deviations_perm n x y : Permutation x y -> deviations n x = deviations n y.
Proof. intros H; unfold deviations; now rewrite (sum_of_perm (fun a => f a * g a) _ _ H), (sum_of_perm f _ _ H), (sum_of_perm g _ _ H). Qed.

Lemma sum_bounds h l u x : (forall a, In a x -> l <= h a <= u) -> INR (length x) * l <= sum_of h x <= INR (length x) * u.
Proof.
  induction x as [|a x IH]; intros H; [simpl; lra|]; change (length (a :: x)) with (S (length x)); rewrite S_INR.
  pose proof (H a (or_introl eq_refl)); assert (INR (length x) * l <= sum_of h x <= INR (length x) * u) by (apply IH; intros; apply H; now right).
  unfold sum_of in *; simpl; lra.
Qed.

(** Two products of numbers in two intervals around 0 differ by no more than the product of the widths. *)
Lemma products_differ p q w z a b c e : 0 <= p <= w -> 0 <= q <= z -> - p <= a <= w - p -> - q <= b <= z - q ->
  - p <= c <= w - p -> - q <= e <= z - q -> a * b - c * e <= w * z.
Proof.
  intros.
  assert (U : forall s t, - p <= s <= w - p -> - q <= t <= z - q -> s * t <= Rmax (p * q) ((w - p) * (z - q))).
  { intros s t Hs Ht; pose proof (Rmax_l (p * q) ((w - p) * (z - q))); pose proof (Rmax_r (p * q) ((w - p) * (z - q))).
    destruct (Rle_dec 0 s), (Rle_dec 0 t); nra. }
  assert (L : forall s t, - p <= s <= w - p -> - q <= t <= z - q -> - (s * t) <= Rmax (p * (z - q)) ((w - p) * q)).
  { intros s t Hs Ht; pose proof (Rmax_l (p * (z - q)) ((w - p) * q)); pose proof (Rmax_r (p * (z - q)) ((w - p) * q)).
    destruct (Rle_dec 0 s), (Rle_dec 0 t); nra. }
  assert (S : Rmax (p * q) ((w - p) * (z - q)) + Rmax (p * (z - q)) ((w - p) * q) <= w * z).
  { unfold Rmax; destruct (Rle_dec _ _), (Rle_dec _ _); nra. }
  pose proof (U a b); pose proof (L c e); lra.
Qed.

(** One row replaced moves the deviations by at most (n - 1) / n times the widths. *)
Theorem deviations_step lf uf lg ug n a b c : S (length c) = n ->
  (forall r, In r (a :: b :: c) -> lf <= f r <= uf /\ lg <= g r <= ug) ->
  Rabs (deviations n (a :: c) - deviations n (b :: c)) <= INR (n - 1) / INR n * ((uf - lf) * (ug - lg)).
Proof.
  intros E B; subst n; replace (S (length c) - 1)%nat with (length c) by lia.
  destruct (B a (or_introl eq_refl)) as [Fa Ga]; destruct (B b (or_intror (or_introl eq_refl))) as [Fb Gb].
  unfold deviations; cbn [sum_of fold_right]; fold (sum_of f c) (sum_of g c) (sum_of (fun a => f a * g a) c).
  destruct c as [|r c'] eqn:Ec; [simpl; unfold Rdiv; rewrite Rinv_1, !Rmult_1_r; right; unfold Rabs; destruct (Rcase_abs _); lra|].
  rewrite <- Ec in *; assert (Pm : 0 < INR (length c)) by (apply lt_0_INR; rewrite Ec; simpl; lia).
  assert (Bf : INR (length c) * lf <= sum_of f c <= INR (length c) * uf) by (apply sum_bounds; intros e I; apply B; right; now right).
  assert (Bg : INR (length c) * lg <= sum_of g c <= INR (length c) * ug) by (apply sum_bounds; intros e I; apply B; right; now right).
  clear B; rewrite S_INR; set (m := INR (length c)) in *; set (X := sum_of f c) in *; set (Y := sum_of g c) in *.
  set (P := sum_of _ c); clearbody P X Y m; clear Ec.
  set (xm := X / m); set (ym := Y / m).
  assert (Xm : X = m * xm) by (unfold xm; field; lra); assert (Ym : Y = m * ym) by (unfold ym; field; lra).
  clearbody xm ym; subst X Y.
  assert (Bx : lf <= xm <= uf) by (split; apply Rmult_le_reg_l with m; lra).
  assert (By : lg <= ym <= ug) by (split; apply Rmult_le_reg_l with m; lra).
  assert (K : 0 <= m / (m + 1)) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  replace (f a * g a + P - (f a + m * xm) * (g a + m * ym) / (m + 1) - (f b * g b + P - (f b + m * xm) * (g b + m * ym) / (m + 1)))
    with (m / (m + 1) * ((f a - xm) * (g a - ym) - (f b - xm) * (g b - ym))) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (m / (m + 1))) by auto; apply Rmult_le_compat_l; auto; apply Rabs_le; split.
  - pose proof (products_differ (xm - lf) (ym - lg) (uf - lf) (ug - lg) (f b - xm) (g b - ym) (f a - xm) (g a - ym)); lra.
  - apply (products_differ (xm - lf) (ym - lg)); lra.
Qed.
End Deviations.

(** The bound of [deviations_step] is attained: from (L, L) to (U, U), with the other at (L, L). *)
Example deviations_attained : let x := [1; 0] in let y := [0; 0] in
  deviations (fun v => v) (fun v => v) 2 x - deviations (fun v => v) (fun v => v) 2 y = 1 / 2.
Proof. unfold deviations; simpl; field. Qed.
