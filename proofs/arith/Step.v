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

(** The IEEE format itself, overflow included, on numbers without a minus sign, as distances are: rounded upwards, a
    result is infinite or not below the real one. *)
Notation float := (binary_float 53 1024).
Definition at_least (r : R) (z : float) : Prop := (is_finite z = true /\ r <= B2R z) \/ z = B754_infinity false.
Notation rounded r := (round radix2 (SpecFloat.fexp 53 1024) (round_mode mode_UP) r).

Lemma rounded_ge r : r <= rounded r.
Proof. exact (proj1 (proj2 (round_UP_pt radix2 (FLT_exp (-1074) 53) r))). Qed.
Lemma overflow_up (z : float) : B2SF z = binary_overflow 53 1024 mode_UP false -> z = B754_infinity false.
Proof. destruct z; cbn; intros H; try discriminate; now injection H as ->. Qed.

Theorem inf_add_correct (x y : float) : is_finite x = true -> is_finite y = true -> Bsign x = false ->
  at_least (B2R x + B2R y) (Bplus mode_UP x y).
Proof.
  intros Fx Fy Sx; pose proof (Bplus_correct 53 1024 p53 pe64 mode_UP x y Fx Fy) as C.
  destruct (Rlt_bool _ _).
  - destruct C as (E & F & _); left; split; auto; rewrite E; apply rounded_ge.
  - destruct C as [E _]; rewrite Sx in E; right; now apply overflow_up.
Qed.

Theorem inf_mul_correct (x y : float) : is_finite x = true -> is_finite y = true -> Bsign x = false -> Bsign y = false ->
  at_least (B2R x * B2R y) (Bmult mode_UP x y).
Proof.
  intros Fx Fy Sx Sy; pose proof (Bmult_correct 53 1024 p53 pe64 mode_UP x y) as C.
  destruct (Rlt_bool _ _).
  - destruct C as (E & F & _); left; split; [now rewrite F, Fx, Fy|rewrite E; apply rounded_ge].
  - rewrite Sx, Sy in C; right; now apply overflow_up.
Qed.

Theorem inf_div_correct (x y : float) : is_finite x = true -> B2R y <> 0 -> Bsign x = false -> Bsign y = false ->
  at_least (B2R x / B2R y) (Bdiv mode_UP x y).
Proof.
  intros Fx Ny Sx Sy; pose proof (Bdiv_correct 53 1024 p53 pe64 mode_UP x y Ny) as C.
  destruct (Rlt_bool _ _).
  - destruct C as (E & F & _); left; split; [now rewrite F|rewrite E; apply rounded_ge].
  - rewrite Sx, Sy in C; right; now apply overflow_up.
Qed.

Theorem inf_sqrt_correct (x : float) : is_finite x = true -> Bsign x = false ->
  at_least (sqrt (B2R x)) (Bsqrt mode_UP x).
Proof.
  intros Fx Sx; destruct (Bsqrt_correct 53 1024 p53 pe64 mode_UP x) as (E & F & _); left; split.
  - rewrite F; destruct x as [[]|[]| |[] m e H]; simpl in *; auto; discriminate.
  - rewrite E; apply rounded_ge.
Qed.
