(** Rounding outward from the nearest float: where the real number lies beyond it, the next float is the one. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.Core IEEE754.BinarySingleNaN.
From DP Require Import Rounding.
Open Scope R_scope.

Lemma rn_format r : generic_format radix2 fexp64 (rn r).
Proof. apply generic_format_round; auto with typeclass_instances. Qed.
Lemma up_format r : generic_format radix2 fexp64 (up r).
Proof. apply generic_format_round; auto with typeclass_instances. Qed.

(** Nothing lies between the nearest float and the number, so that [up] is the nearest or its successor. *)
Theorem step_up r : up r = if Rle_dec r (rn r) then rn r else succ radix2 fexp64 (rn r).
Proof.
  destruct (round_DN_or_UP radix2 fexp64 ZnearestE r) as [D|U]; fold (rn r) in *.
  - fold (dn r) in D; pose proof (dn_le r); destruct (Rle_dec r (rn r)) as [L|G].
    + assert (E : rn r = r) by lra; unfold up; rewrite round_generic; auto with typeclass_instances.
      rewrite <- E; apply rn_format.
    + rewrite D; unfold dn, up; apply round_UP_DN_succ || (symmetry; apply succ_DN_eq_UP); auto with typeclass_instances.
      intros F; apply G; unfold rn; rewrite round_generic; auto with typeclass_instances; lra.
  - fold (up r) in U; rewrite U; destruct (Rle_dec r (up r)); auto; pose proof (up_ge r); lra.
Qed.

(** Downwards by symmetry. *)
Theorem step_dn r : dn r = if Rle_dec (rn r) r then rn r else pred radix2 fexp64 (rn r).
Proof.
  destruct (round_DN_or_UP radix2 fexp64 ZnearestE r) as [D|U]; fold (rn r) in *.
  - fold (dn r) in D; rewrite D; destruct (Rle_dec (dn r) r); auto; pose proof (dn_le r); lra.
  - fold (up r) in U; pose proof (up_ge r); destruct (Rle_dec (rn r) r) as [L|G].
    + assert (E : rn r = r) by lra; unfold dn; rewrite round_generic; auto with typeclass_instances.
      rewrite <- E; apply rn_format.
    + rewrite U; unfold up, dn; symmetry; apply pred_UP_eq_DN; auto with typeclass_instances.
      intros F; apply G; unfold rn; rewrite round_generic; auto with typeclass_instances; lra.
Qed.

(** The sign of an integer that is small enough is that of its low 64 bits, read as a signed word. *)
Definition signed (w : Z) : Z := (if w <? 2 ^ 63 then w else w - 2 ^ 64)%Z.
Theorem low_bits_decide D : (- 2 ^ 63 <= D < 2 ^ 63)%Z -> signed (D mod 2 ^ 64) = D.
Proof.
  intros H; unfold signed; destruct (Z_lt_le_dec D 0) as [N|P].
  - replace (D mod 2 ^ 64)%Z with (D + 2 ^ 64)%Z.
    + destruct (Z.ltb_spec (D + 2 ^ 64) (2 ^ 63)); lia.
    + apply Z.mod_unique with (-1)%Z; lia.
  - rewrite Z.mod_small by lia; destruct (Z.ltb_spec D (2 ^ 63)); lia.
Qed.

(** The IEEE format itself, overflow included: rounded upwards, a result is infinite or not below the real one. *)
Notation float := (binary_float 53 1024).
Definition at_least (r : R) (z : float) : Prop := (is_finite z = true /\ r <= B2R z) \/ z = B754_infinity false.
Notation rounded r := (round radix2 (SpecFloat.fexp 53 1024) (round_mode mode_UP) r).

Lemma rounded_ge r : r <= rounded r.
Proof. exact (proj1 (proj2 (round_UP_pt radix2 (FLT_exp (-1074) 53) r))). Qed.

(** And downwards: minus infinity, or not above it. *)
Definition at_most (r : R) (z : float) : Prop := (is_finite z = true /\ B2R z <= r) \/ z = B754_infinity true.
Notation lowered r := (round radix2 (SpecFloat.fexp 53 1024) (round_mode mode_DN) r).

Lemma lowered_le r : lowered r <= r.
Proof. exact (proj1 (proj2 (round_DN_pt radix2 (FLT_exp (-1074) 53) r))). Qed.
Lemma lowered_nonneg r : 0 <= r -> 0 <= lowered r.
Proof. intros H; apply (round_ge_generic radix2 (FLT_exp (-1074) 53) Zfloor); [apply generic_format_0|exact H]. Qed.
Lemma rounded_nonpos r : r <= 0 -> rounded r <= 0.
Proof. intros H; apply (round_le_generic radix2 (FLT_exp (-1074) 53) Zceil); [apply generic_format_0|exact H]. Qed.

Lemma overflow_infinite (z : float) s : B2SF z = SpecFloat.S754_infinity s -> z = B754_infinity s.
Proof. destruct z; cbn; intros H; try discriminate; now injection H as ->. Qed.
Lemma overflow_finite (z : float) s m e : B2SF z = SpecFloat.S754_finite s m e ->
  is_finite z = true /\ B2R z = F2R (Float radix2 (SpecFloat.cond_Zopp s (Zpos m)) e).
Proof. destruct z; cbn; intros H; try discriminate; injection H as -> -> ->; auto. Qed.

Lemma greatest : F2R (Float radix2 (9007199254740991) 971) <= bpow radix2 1024.
Proof.
  change 1024%Z with (53 + 971)%Z; rewrite bpow_plus; unfold F2R; cbn [Fnum Fexp].
  apply Rmult_le_compat_r; [apply bpow_ge_0|]; change (bpow radix2 53) with (IZR (Z.pow_pos 2 53)); apply IZR_le; vm_compute; discriminate.
Qed.
Lemma least : - bpow radix2 1024 <= F2R (Float radix2 (-9007199254740991) 971).
Proof.
  pose proof greatest as G; unfold F2R in *; cbn [Fnum Fexp] in *.
  change (-9007199254740991)%Z with (- (9007199254740991))%Z; rewrite opp_IZR; lra.
Qed.

(** What an operation gives that overflows, for a real result of that sign. *)
Lemma overflow_at_least r s (z : float) : (s = false -> 0 <= r) -> (s = true -> r <= 0) -> bpow radix2 1024 <= Rabs (rounded r) ->
  B2SF z = binary_overflow 53 1024 mode_UP s -> at_least r z.
Proof.
  intros P N B E; destruct s; cbn in E.
  - left; destruct (overflow_finite z _ _ _ E) as [F ->]; split; auto.
    pose proof (rounded_nonpos r (N eq_refl)); pose proof (rounded_ge r); rewrite Rabs_left1 in B by auto.
    pose proof least; cbn in *; lra.
  - right; now apply overflow_infinite.
Qed.
Lemma overflow_at_most r s (z : float) : (s = false -> 0 <= r) -> (s = true -> r <= 0) -> bpow radix2 1024 <= Rabs (lowered r) ->
  B2SF z = binary_overflow 53 1024 mode_DN s -> at_most r z.
Proof.
  intros P N B E; destruct s; cbn in E.
  - right; now apply overflow_infinite.
  - left; destruct (overflow_finite z _ _ _ E) as [F ->]; split; auto.
    pose proof (lowered_nonneg r (P eq_refl)); pose proof (lowered_le r); rewrite Rabs_pos_eq in B by auto.
    pose proof greatest; cbn in *; lra.
Qed.

Lemma sign_pos (x : float) : Bsign x = false -> 0 <= B2R x.
Proof. destruct x as [| | |[] m e H]; cbn; intros; try lra; try discriminate; now apply F2R_ge_0. Qed.
Lemma sign_neg (x : float) : Bsign x = true -> B2R x <= 0.
Proof. destruct x as [| | |[] m e H]; cbn; intros; try lra; try discriminate; now apply F2R_le_0. Qed.

Theorem add_outward (x y : float) : is_finite x = true -> is_finite y = true ->
  at_least (B2R x + B2R y) (Bplus mode_UP x y) /\ at_most (B2R x + B2R y) (Bplus mode_DN x y).
Proof.
  intros Fx Fy.
  assert (P : Bsign x = Bsign y -> Bsign x = false -> 0 <= B2R x + B2R y) by
    (intros S X; pose proof (sign_pos x X); rewrite S in X; pose proof (sign_pos y X); lra).
  assert (N : Bsign x = Bsign y -> Bsign x = true -> B2R x + B2R y <= 0) by
    (intros S X; pose proof (sign_neg x X); rewrite S in X; pose proof (sign_neg y X); lra).
  split.
  - pose proof (Bplus_correct 53 1024 p53 pe64 mode_UP x y Fx Fy) as C; destruct (Rlt_bool_spec (Rabs (rounded (B2R x + B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; auto; rewrite E; apply rounded_ge.
    + destruct C as [E S]; now apply overflow_at_least with (Bsign x); auto.
  - pose proof (Bplus_correct 53 1024 p53 pe64 mode_DN x y Fx Fy) as C; destruct (Rlt_bool_spec (Rabs (lowered (B2R x + B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; auto; rewrite E; apply lowered_le.
    + destruct C as [E S]; now apply overflow_at_most with (Bsign x); auto.
Qed.

Theorem sub_outward (x y : float) : is_finite x = true -> is_finite y = true ->
  at_least (B2R x - B2R y) (Bminus mode_UP x y) /\ at_most (B2R x - B2R y) (Bminus mode_DN x y).
Proof.
  intros Fx Fy.
  assert (P : Bsign x = negb (Bsign y) -> Bsign x = false -> 0 <= B2R x - B2R y).
  { intros S X; pose proof (sign_pos x X); rewrite S in X; apply Bool.negb_false_iff in X; pose proof (sign_neg y X); lra. }
  assert (N : Bsign x = negb (Bsign y) -> Bsign x = true -> B2R x - B2R y <= 0).
  { intros S X; pose proof (sign_neg x X); rewrite S in X; apply Bool.negb_true_iff in X; pose proof (sign_pos y X); lra. }
  split.
  - pose proof (Bminus_correct 53 1024 p53 pe64 mode_UP x y Fx Fy) as C; destruct (Rlt_bool_spec (Rabs (rounded (B2R x - B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; auto; rewrite E; apply rounded_ge.
    + destruct C as [E S]; now apply overflow_at_least with (Bsign x); auto.
  - pose proof (Bminus_correct 53 1024 p53 pe64 mode_DN x y Fx Fy) as C; destruct (Rlt_bool_spec (Rabs (lowered (B2R x - B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; auto; rewrite E; apply lowered_le.
    + destruct C as [E S]; now apply overflow_at_most with (Bsign x); auto.
Qed.

Lemma signs (x y : float) : let s := xorb (Bsign x) (Bsign y) in
  (s = false -> 0 <= B2R x * B2R y) /\ (s = true -> B2R x * B2R y <= 0).
Proof.
  destruct (Bsign x) eqn:X, (Bsign y) eqn:Y; cbn; split; intros H; try discriminate;
    try (pose proof (sign_pos x X)); try (pose proof (sign_neg x X)); try (pose proof (sign_pos y Y)); try (pose proof (sign_neg y Y)); nra.
Qed.

Theorem mul_outward (x y : float) : is_finite x = true -> is_finite y = true ->
  at_least (B2R x * B2R y) (Bmult mode_UP x y) /\ at_most (B2R x * B2R y) (Bmult mode_DN x y).
Proof.
  intros Fx Fy; destruct (signs x y) as [P N]; split.
  - pose proof (Bmult_correct 53 1024 p53 pe64 mode_UP x y) as C; destruct (Rlt_bool_spec (Rabs (rounded (B2R x * B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; [now rewrite F, Fx, Fy|rewrite E; apply rounded_ge].
    + now apply overflow_at_least with (xorb (Bsign x) (Bsign y)).
  - pose proof (Bmult_correct 53 1024 p53 pe64 mode_DN x y) as C; destruct (Rlt_bool_spec (Rabs (lowered (B2R x * B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; [now rewrite F, Fx, Fy|rewrite E; apply lowered_le].
    + now apply overflow_at_most with (xorb (Bsign x) (Bsign y)).
Qed.

Theorem div_outward (x y : float) : is_finite x = true -> B2R y <> 0 ->
  at_least (B2R x / B2R y) (Bdiv mode_UP x y) /\ at_most (B2R x / B2R y) (Bdiv mode_DN x y).
Proof.
  intros Fx Ny; destruct (signs x y) as [P N]; assert (D : 0 < / (B2R y * B2R y)) by (apply Rinv_0_lt_compat; nra).
  assert (Q : B2R x / B2R y = B2R x * B2R y * / (B2R y * B2R y)) by (field; auto).
  assert (P' : xorb (Bsign x) (Bsign y) = false -> 0 <= B2R x / B2R y) by (intros S; specialize (P S); rewrite Q; nra).
  assert (N' : xorb (Bsign x) (Bsign y) = true -> B2R x / B2R y <= 0) by (intros S; specialize (N S); rewrite Q; nra).
  split.
  - pose proof (Bdiv_correct 53 1024 p53 pe64 mode_UP x y Ny) as C; destruct (Rlt_bool_spec (Rabs (rounded (B2R x / B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; [now rewrite F|rewrite E; apply rounded_ge].
    + now apply overflow_at_least with (xorb (Bsign x) (Bsign y)).
  - pose proof (Bdiv_correct 53 1024 p53 pe64 mode_DN x y Ny) as C; destruct (Rlt_bool_spec (Rabs (lowered (B2R x / B2R y))) (bpow radix2 1024)).
    + destruct C as (E & F & _); left; split; [now rewrite F|rewrite E; apply lowered_le].
    + now apply overflow_at_most with (xorb (Bsign x) (Bsign y)).
Qed.

Theorem sqrt_outward (x : float) : is_finite x = true -> Bsign x = false ->
  at_least (sqrt (B2R x)) (Bsqrt mode_UP x) /\ at_most (sqrt (B2R x)) (Bsqrt mode_DN x).
Proof.
  intros Fx Sx.
  assert (Fin : forall mode, is_finite (Bsqrt (prec := 53) (emax := 1024) mode x) = true).
  { intros mode; destruct (Bsqrt_correct 53 1024 p53 pe64 mode x) as (_ & F & _); rewrite F.
    destruct x as [[]|[]| |[] m e H]; simpl in *; auto; discriminate. }
  split; left; split; auto; [destruct (Bsqrt_correct 53 1024 p53 pe64 mode_UP x) as (E & _)|destruct (Bsqrt_correct 53 1024 p53 pe64 mode_DN x) as (E & _)];
    rewrite E; [apply rounded_ge|apply lowered_le].
Qed.
