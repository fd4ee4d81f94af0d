(** Rounding twice the same way, onto a grid and then onto a coarser one, is rounding once onto the coarser one: overflow,
    underflow and infinities included.  MPFR's numbers hold the floats, so that what MPFR rounds and Rust takes over is the
    least float not below the result, or the greatest not above it, whatever the operation is. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.Core IEEE754.BinarySingleNaN.
From DP Require Import Rounding Step.
Open Scope R_scope.

(** Results, and what stands for them: real numbers and the two infinities. *)
Inductive extended := Minus | Real (r : R) | Plus.
Definition le (x y : extended) : Prop :=
  match x, y with
  | Minus, _ | _, Plus => True
  | Real a, Real b => a <= b
  | _, _ => False
  end.
Lemma le_refl x : le x x.
Proof. destruct x; cbn; auto; lra. Qed.
Lemma le_trans x y z : le x y -> le y z -> le x z.
Proof. destruct x, y, z; cbn; auto; try lra; tauto. Qed.
Lemma le_antisym x y : le x y -> le y x -> x = y.
Proof. destruct x, y; cbn; try tauto; intros; f_equal; lra. Qed.

(** Correct rounding in a direction, onto any set of numbers. *)
Definition grid := extended -> Prop.
Definition upward (g : grid) (x y : extended) : Prop := g y /\ le x y /\ forall z, g z -> le x z -> le y z.
Definition downward (g : grid) (x y : extended) : Prop := g y /\ le y x /\ forall z, g z -> le z x -> le z y.

Lemma upward_unique g x y z : upward g x y -> upward g x z -> y = z.
Proof. intros (Y & A & B) (Z & C & D); apply le_antisym; auto. Qed.
Lemma downward_unique g x y z : downward g x y -> downward g x z -> y = z.
Proof. intros (Y & A & B) (Z & C & D); apply le_antisym; auto. Qed.

Section Twice.
Variables fine coarse : grid.
Hypothesis nested : forall x, coarse x -> fine x.

Theorem twice_upward x y z : upward fine x y -> upward coarse y z -> upward coarse x z.
Proof.
  intros (_ & Y & M) (Z & L & N); split; [exact Z|split]; [now apply le_trans with y|].
  intros w W X; apply N; auto.
Qed.
Theorem twice_downward x y z : downward fine x y -> downward coarse y z -> downward coarse x z.
Proof.
  intros (_ & Y & M) (Z & L & N); split; [exact Z|split]; [now apply le_trans with y|].
  intros w W X; apply N; auto.
Qed.
End Twice.

(** The floats of a format: of 53 bits and exponents below 1024, or of 24 and 128. *)
Section Format.
Variables prec emax : Z.
Context (Hprec : Prec_gt_0 prec) (Hemax : Prec_lt_emax prec emax).
Notation float := (binary_float prec emax).
Notation emin := (SpecFloat.emin prec emax).
Notation format := (FLT_exp emin prec).

Definition number (z : float) : extended :=
  match z with B754_infinity true => Minus | B754_infinity false => Plus | _ => Real (B2R z) end.
Definition floats : grid := fun x => exists z, is_nan z = false /\ number z = x.

(** MPFR's numbers of [bits] bits: zero, the infinities, and what has an exponent in its range, in which the least positive number
    is as exact as all others. *)
Definition mpfr (bits least most : Z) : grid := fun x =>
  match x with
  | Real r => r = 0 \/ exists m e, (0 < Z.abs m < 2 ^ bits)%Z /\ r = F2R (Float radix2 m e) /\
      bpow radix2 least <= Rabs r < bpow radix2 most
  | _ => True
  end.

Lemma number_finite z : is_finite z = true -> number z = Real (B2R z).
Proof. destruct z as [[]|[]| |[] m e H]; cbn; auto; discriminate. Qed.

(** Every float is one of MPFR's numbers, if MPFR has as many bits and its exponents reach as far. *)
Theorem floats_are_mpfr bits least most x : (prec <= bits)%Z -> (least <= emin)%Z -> (emax <= most)%Z ->
  floats x -> mpfr bits least most x.
Proof.
  intros B L M (z & N & <-); destruct z as [s|s| |s m e H]; try discriminate; [left; reflexivity|destruct s; exact I|].
  rewrite number_finite by reflexivity; cbn -[bpow F2R]; right.
  assert (F : generic_format radix2 format (B2R (B754_finite s m e H))) by apply (generic_format_B2R prec emax).
  pose proof (abs_B2R_lt_emax prec emax (B754_finite s m e H)) as T; cbn -[bpow F2R] in T.
  assert (V : (Zpos (SpecFloat.digits2_pos m) <= prec)%Z).
  { pose proof H as V; unfold SpecFloat.bounded in V; apply andb_prop in V; destruct V as [V _]; apply Zeq_bool_eq in V.
    unfold SpecFloat.fexp in V; lia. }
  assert (E : (emin <= e)%Z).
  { pose proof H as W; unfold SpecFloat.bounded in W; apply andb_prop in W; destruct W as [W _]; apply Zeq_bool_eq in W.
    unfold SpecFloat.fexp in W; lia. }
  exists (SpecFloat.cond_Zopp s (Zpos m)), e; split; [|split; [reflexivity|split]].
  - replace (Z.abs (SpecFloat.cond_Zopp s (Zpos m))) with (Zpos m) by (destruct s; reflexivity).
    split; [reflexivity|]; apply Z.lt_le_trans with (2 ^ prec)%Z; [|apply Z.pow_le_mono_r; lia].
    rewrite Digits.Zpos_digits2_pos in V; apply (Digits.Zpower_gt_Zdigits radix2 prec (Zpos m)) in V; exact V.
  - rewrite <- F2R_Zabs; replace (Z.abs (SpecFloat.cond_Zopp s (Zpos m))) with (Zpos m) by (destruct s; reflexivity).
    apply Rle_trans with (bpow radix2 e); [apply bpow_le; lia|]; unfold F2R; cbn [Fnum Fexp].
    rewrite <- (Rmult_1_l (bpow radix2 e)) at 1; apply Rmult_le_compat_r; [apply bpow_ge_0|apply IZR_le; lia].
  - eapply Rlt_le_trans; [exact T|now apply bpow_le].
Qed.

(** So the second rounding leaves the float that one rounding would give. *)
Theorem rounded_twice_up bits least most r r1 z : (prec <= bits)%Z -> (least <= emin)%Z -> (emax <= most)%Z ->
  upward (mpfr bits least most) r r1 -> upward floats r1 (number z) -> upward floats r (number z).
Proof. intros B L M; apply twice_upward; intros x; now apply floats_are_mpfr. Qed.
Theorem rounded_twice_down bits least most r r1 z : (prec <= bits)%Z -> (least <= emin)%Z -> (emax <= most)%Z ->
  downward (mpfr bits least most) r r1 -> downward floats r1 (number z) -> downward floats r (number z).
Proof. intros B L M; apply twice_downward; intros x; now apply floats_are_mpfr. Qed.

(** Which float that is: where it does not overflow, what [up] gives, on which the theorems on maps stand. *)
Notation ceil := (round radix2 format Zceil).
Notation floor := (round radix2 format Zfloor).

Lemma float_of r : generic_format radix2 format r -> Rabs r < bpow radix2 emax -> exists z : float, is_finite z = true /\ B2R z = r.
Proof.
  intros F B; set (m := Ztrunc (scaled_mantissa radix2 format r)); set (e := cexp radix2 format r).
  assert (V : F2R (Float radix2 m e) = r) by (symmetry; exact F).
  pose proof (binary_normalize_correct prec emax Hprec Hemax mode_NE m e false) as C.
  assert (G : round radix2 (SpecFloat.fexp prec emax) (round_mode mode_NE) (F2R (Float radix2 m e)) = r).
  { rewrite V; apply round_generic; [apply valid_rnd_round_mode|exact F]. }
  cbv zeta in C; rewrite G, Rlt_bool_true in C by exact B; destruct C as (E & T & _); eexists; split; [exact T|exact E].
Qed.
Lemma ceil_format r : generic_format radix2 format (ceil r).
Proof. apply generic_format_round; [apply FLT_exp_valid; exact Hprec|auto with typeclass_instances]. Qed.
Lemma floor_format r : generic_format radix2 format (floor r).
Proof. apply generic_format_round; [apply FLT_exp_valid; exact Hprec|auto with typeclass_instances]. Qed.

Theorem up_is_upward r z : Rabs (ceil r) < bpow radix2 emax -> upward floats (Real r) (number z) ->
  is_nan z = false -> is_finite z = true /\ B2R z = ceil r.
Proof.
  intros B (_ & L & M) N; destruct (float_of (ceil r) (ceil_format r) B) as (w & W & E).
  destruct (round_UP_pt radix2 format r) as (_ & G & A).
  assert (I : le (number z) (number w)).
  { apply M; [exists w; split; [destruct w; auto; discriminate|auto]|]; rewrite number_finite by auto; cbn; now rewrite E. }
  rewrite (number_finite w W), E in I.
  assert (F : is_finite z = true) by (destruct z as [s|[]| |s m e H]; cbn in *; auto; tauto || discriminate).
  split; auto; rewrite (number_finite z F) in *; cbn in L, I; apply Rle_antisym; auto; apply A; auto.
  apply (generic_format_B2R prec emax).
Qed.
Theorem dn_is_downward r z : Rabs (floor r) < bpow radix2 emax -> downward floats (Real r) (number z) ->
  is_nan z = false -> is_finite z = true /\ B2R z = floor r.
Proof.
  intros B (_ & L & M) N; destruct (float_of (floor r) (floor_format r) B) as (w & W & E).
  destruct (round_DN_pt radix2 format r) as (_ & G & A).
  assert (I : le (number w) (number z)).
  { apply M; [exists w; split; [destruct w; auto; discriminate|auto]|]; rewrite number_finite by auto; cbn; now rewrite E. }
  rewrite (number_finite w W), E in I.
  assert (F : is_finite z = true) by (destruct z as [s|[]| |s m e H]; cbn in *; auto; tauto || discriminate).
  split; auto; rewrite (number_finite z F) in *; cbn in L, I; apply Rle_antisym; auto; apply A; auto.
  apply (generic_format_B2R prec emax).
Qed.

(** Where it overflows: infinity. *)
Theorem overflow_up r z : bpow radix2 emax <= ceil r -> upward floats (Real r) (number z) -> is_nan z = false -> z = B754_infinity false.
Proof.
  intros B (_ & L & M) N; destruct (is_finite z) eqn:F; [exfalso|destruct z as [s|[]| |s m e H]; try discriminate; auto; destruct L].
  rewrite (number_finite z F) in L; cbn in L; pose proof (abs_B2R_lt_emax prec emax z) as T; pose proof (Rle_abs (B2R z)).
  assert (K : ceil r <= B2R z); [|lra].
  apply round_le_generic; auto using FLT_exp_valid with typeclass_instances; apply (generic_format_B2R prec emax).
Qed.

(** There is such a float, so that the above is about something. *)
Theorem has_up r : Rabs (ceil r) < bpow radix2 emax -> exists z : float, is_nan z = false /\ upward floats (Real r) (number z).
Proof.
  intros B; destruct (float_of (ceil r) (ceil_format r) B) as (z & F & E); exists z.
  assert (N : is_nan z = false) by (destruct z; auto; discriminate).
  destruct (round_UP_pt radix2 format r) as (_ & G & A).
  rewrite (number_finite z F), E; split; auto; split; [exists z; rewrite (number_finite z F), E; auto|split; [exact G|]].
  intros w (y & M & <-) L; destruct (is_finite y) eqn:Y; [|destruct y as [s|[]| |s m e H]; try discriminate; cbn in *; auto].
  rewrite (number_finite y Y) in *; cbn in *; apply A; auto; apply (generic_format_B2R prec emax).
Qed.
Theorem has_down r : Rabs (floor r) < bpow radix2 emax -> exists z : float, is_nan z = false /\ downward floats (Real r) (number z).
Proof.
  intros B; destruct (float_of (floor r) (floor_format r) B) as (z & F & E); exists z.
  assert (N : is_nan z = false) by (destruct z; auto; discriminate).
  destruct (round_DN_pt radix2 format r) as (_ & G & A).
  rewrite (number_finite z F), E; split; auto; split; [exists z; rewrite (number_finite z F), E; auto|split; [exact G|]].
  intros w (y & M & <-) L; destruct (is_finite y) eqn:Y; [|destruct y as [s|[]| |s m e H]; try discriminate; cbn in *; auto].
  rewrite (number_finite y Y) in *; cbn in *; apply A; auto; apply (generic_format_B2R prec emax).
Qed.

(** The sum with zero that every function ends with: only a zero's sign changes, to plus. *)
Theorem plus_zero (z : float) : is_nan z = false -> let w := Bplus mode_NE z (B754_zero false) in
  is_nan w = false /\ number w = number z /\ (B2R z = 0 -> is_finite z = true -> w = B754_zero false).
Proof.
  destruct z as [s|s| |s m e H]; intros N; try discriminate; cbn.
  - destruct s; cbn; auto.
  - split; [|split]; auto; discriminate.
  - split; [|split]; auto; intros Z; exfalso; apply (eq_0_F2R radix2 (SpecFloat.cond_Zopp s (Zpos m)) e) in Z; destruct s; discriminate.
Qed.
End Format.

(** For f64: all that a map needs to know of a function that MPFR computes is that it is correctly rounded there. *)
Section Binary64.
Variables (least most : Z) (Hleast : (least <= -1074)%Z) (Hmost : (1024 <= most)%Z).
Variables (r : R) (r1 : extended) (z : float) (N : is_nan z = false).

Theorem mpfr_up : upward (mpfr 53 least most) (Real r) r1 -> upward (floats 53 1024) r1 (number 53 1024 z) ->
  at_least r z /\ (Rabs (up r) < bpow radix2 1024 -> is_finite z = true /\ B2R z = up r).
Proof.
  intros A B; assert (U : upward (floats 53 1024) (Real r) (number 53 1024 z)).
  { apply rounded_twice_up with 53%Z least most r1; auto; lia. }
  split; [|intros O; now apply (up_is_upward 53 1024 p53 pe64)].
  destruct U as (_ & L & _); destruct z as [s|[]| |s m e H]; try discriminate; cbn in L; [left| |right|left]; auto; tauto.
Qed.
Theorem mpfr_down : downward (mpfr 53 least most) (Real r) r1 -> downward (floats 53 1024) r1 (number 53 1024 z) ->
  at_most r z /\ (Rabs (dn r) < bpow radix2 1024 -> is_finite z = true /\ B2R z = dn r).
Proof.
  intros A B; assert (U : downward (floats 53 1024) (Real r) (number 53 1024 z)).
  { apply rounded_twice_down with 53%Z least most r1; auto; lia. }
  split; [|intros O; now apply (dn_is_downward 53 1024 p53 pe64)].
  destruct U as (_ & L & _); destruct z as [s|[]| |s m e H]; try discriminate; cbn in L; [left|right| |left]; auto; tauto.
Qed.
End Binary64.

(** The values of the functions, at the infinities too; [None] is an error. *)
Definition exp_value (x : extended) : option extended :=
  Some match x with Minus => Real 0 | Real r => Real (exp r) | Plus => Plus end.
Definition exp_m1_value (x : extended) : option extended :=
  Some match x with Minus => Real (-1) | Real r => Real (exp r - 1) | Plus => Plus end.
Definition ln_value (x : extended) : option extended :=
  match x with
  | Minus => None
  | Real r => if Rlt_dec 0 r then Some (Real (ln r)) else if Req_EM_T r 0 then Some Minus else None
  | Plus => Some Plus
  end.
Definition ln_1p_value (x : extended) : option extended :=
  ln_value match x with Real r => Real (1 + r) | _ => x end.
Definition log2_value (x : extended) : option extended :=
  match ln_value x with Some (Real r) => Some (Real (r / ln 2)) | y => y end.

(** They rise, so that what is asked about a bound bounds what is asked: a map may round its argument outward first. *)
Theorem exp_value_mono x y v w : le x y -> exp_value x = Some v -> exp_value y = Some w -> le v w.
Proof.
  intros L [= <-] [= <-]; destruct x as [|r|], y as [|s|]; cbn in *; try tauto; try lra; try (pose proof (exp_pos s); lra).
  destruct L as [L| ->]; [left; now apply exp_increasing|lra].
Qed.
Theorem exp_m1_value_mono x y v w : le x y -> exp_m1_value x = Some v -> exp_m1_value y = Some w -> le v w.
Proof.
  intros L [= <-] [= <-]; destruct x as [|r|], y as [|s|]; cbn in *; try tauto; try lra; try (pose proof (exp_pos s); lra).
  destruct L as [L| ->]; [pose proof (exp_increasing _ _ L); lra|lra].
Qed.
Theorem ln_value_mono x y v w : le x y -> ln_value x = Some v -> ln_value y = Some w -> le v w.
Proof.
  destruct x as [|r|], y as [|s|]; cbn; try discriminate; try tauto.
  - destruct (Rlt_dec 0 r), (Rlt_dec 0 s); intros L; try destruct (Req_EM_T r 0); try destruct (Req_EM_T s 0);
      intros [= <-] [= <-]; cbn; auto; try lra.
    destruct L as [L| ->]; [left; now apply ln_increasing|lra].
  - intros _ _ [= <-]; destruct v; cbn; auto.
  - intros _ [= <-] [= <-]; cbn; auto.
Qed.
Theorem ln_1p_value_mono x y v w : le x y -> ln_1p_value x = Some v -> ln_1p_value y = Some w -> le v w.
Proof. intros L; apply ln_value_mono; destruct x, y; cbn in *; auto; lra. Qed.
Theorem log2_value_mono x y v w : le x y -> log2_value x = Some v -> log2_value y = Some w -> le v w.
Proof.
  unfold log2_value; intros L; pose proof (ln_value_mono x y) as M.
  assert (P : 0 < / ln 2) by (apply Rinv_0_lt_compat; rewrite <- ln_1; apply ln_increasing; lra).
  destruct (ln_value x) as [[|r|]|], (ln_value y) as [[|s|]|]; try discriminate; intros [= <-] [= <-];
    specialize (M _ _ L eq_refl eq_refl); cbn in *; auto; try tauto.
  unfold Rdiv; nra.
Qed.

(** To nearest, from the two neighbors: the nearer, and of two that are as near the one whose mantissa is even. *)
Theorem nearest_below x : x - dn x < up x - x -> rn x = dn x.
Proof. intros H; apply round_N_eq_DN; auto with typeclass_instances; fold (dn x) (up x); lra. Qed.
Theorem nearest_above x : up x - x < x - dn x -> rn x = up x.
Proof. intros H; apply round_N_eq_UP; auto with typeclass_instances; fold (dn x) (up x); lra. Qed.
Theorem nearest_tie x : x - dn x = up x - x ->
  rn x = if Z.even (Zfloor (scaled_mantissa radix2 fexp64 x)) then dn x else up x.
Proof.
  intros H; unfold rn; rewrite round_N_middle by exact H; fold (dn x) (up x).
  now destruct (Z.even _).
Qed.
