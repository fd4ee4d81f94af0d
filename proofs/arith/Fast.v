(** The fast path of outward rounding: the sign of the rounding error, found in 64-bit integers. *)
Require Import Reals Lra Psatz ZArith Lia.
From Flocq Require Import Core.Core Pff.Pff2Flocq.
From DP Require Import Rounding Step.
Open Scope R_scope.

(** Sums: two-sum, operation by operation as the code does it, gives the error itself, among subnormals too. *)
Section Sum.
Variables (x y : R) (Fx : generic_format radix2 fexp64 x) (Fy : generic_format radix2 fexp64 y).
Definition two_sum_error : R :=
  let sum := rn (x + y) in let y_part := rn (sum - x) in let x_part := rn (sum - y_part) in
  rn (rn (x - x_part) + rn (y - y_part)).

Lemma even_choice z : negb (Z.even z) = negb (negb (Z.even (- (z + 1)))).
Proof. rewrite Z.even_opp, Z.even_add; simpl; destruct (Z.even z); reflexivity. Qed.

Theorem two_sum_exact : two_sum_error = x + y - rn (x + y).
Proof.
  assert (E : rn (x + y) + two_sum_error = x + y); [|lra].
  apply (TwoSum_correct (-1074) 53 (fun z => negb (Z.even z))); auto; try lia; apply even_choice.
Qed.

(** [u64::from(error > 0.0)] steps, upwards; downwards likewise. *)
Theorem sum_up : up (x + y) = if Rlt_dec 0 two_sum_error then succ radix2 fexp64 (rn (x + y)) else rn (x + y).
Proof.
  rewrite step_up, two_sum_exact; destruct (Rle_dec (x + y) (rn (x + y))), (Rlt_dec 0 (x + y - rn (x + y))); auto; lra.
Qed.
Theorem sum_dn : dn (x + y) = if Rlt_dec two_sum_error 0 then pred radix2 fexp64 (rn (x + y)) else rn (x + y).
Proof.
  rewrite step_dn, two_sum_exact; destruct (Rle_dec (rn (x + y)) (x + y)), (Rlt_dec (x + y - rn (x + y)) 0); auto; lra.
Qed.
End Sum.

(** Normal numbers without their sign: a mantissa of 53 bits times a power of two.  Their patterns are integers: exponent
    and mantissa without its leading bit, below a sign. *)
Definition mantissa_of (m : Z) : Prop := (2 ^ 52 <= m < 2 ^ 53)%Z.
Definition value (m e : Z) : R := IZR m * bpow radix2 e.

Lemma value_format m e : mantissa_of m -> (-1074 <= e)%Z -> generic_format radix2 fexp64 (value m e).
Proof.
  intros [A B] E; apply generic_format_FLT; exists (Float radix2 m e); simpl; auto; rewrite Z.abs_eq; lia.
Qed.
Lemma value_mag m e : mantissa_of m -> mag radix2 (value m e) = (e + 53)%Z :> Z.
Proof.
  intros [A B]; unfold value; rewrite mag_mult_bpow by (apply not_0_IZR; lia).
  rewrite (mag_unique_pos radix2 (IZR m) 53); [ring|]; change (53 - 1)%Z with 52%Z; simpl bpow; split;
    [apply IZR_le|apply IZR_lt]; lia.
Qed.
Lemma value_ulp m e : mantissa_of m -> (-1074 <= e)%Z -> ulp radix2 fexp64 (value m e) = bpow radix2 e.
Proof.
  intros H E; rewrite ulp_neq_0.
  - unfold cexp; rewrite (value_mag m e H); f_equal; unfold FLT_exp; lia.
  - unfold value; apply Rmult_integral_contrapositive_currified; [apply not_0_IZR; destruct H; lia|].
    apply Rgt_not_eq, bpow_gt_0.
Qed.

(** Where the nearest float is normal, the number is within half a unit of its last place. *)
Lemma half_unit r m e : mantissa_of m -> (-1074 <= e)%Z -> rn r = value m e -> Rabs (value m e - r) <= / 2 * bpow radix2 e.
Proof.
  intros H E N; rewrite <- N, <- (value_ulp m e H E), <- N; apply error_le_half_ulp_round; auto with typeclass_instances.
Qed.

Lemma bpow_Z k : (0 <= k)%Z -> bpow radix2 k = IZR (2 ^ k).
Proof. intros H; symmetry; now apply (IZR_Zpower radix2). Qed.

(** Products.  In the unit of both operands, the nearest float is its mantissa times 2^52 or 2^53. *)
Section Product.
Variables (mx ex my ey mp ep : Z) (Hx : mantissa_of mx) (Hy : mantissa_of my) (Hp : mantissa_of mp) (Ep : (-1074 <= ep)%Z).
Let r := value mx ex * value my ey.
Hypothesis nearest : rn r = value mp ep.
Let k := (ep - (ex + ey))%Z.

Lemma product_scaled : Rabs (IZR mp * bpow radix2 k - IZR (mx * my)) <= / 2 * bpow radix2 k.
Proof.
  pose proof (half_unit r mp ep Hp Ep nearest) as B; unfold r, value in B.
  apply Rmult_le_reg_r with (bpow radix2 (ex + ey)); [apply bpow_gt_0|].
  rewrite <- (Rabs_pos_eq (bpow radix2 (ex + ey))) at 1 by apply bpow_ge_0; rewrite <- Rabs_mult.
  assert (E : bpow radix2 k * bpow radix2 (ex + ey) = bpow radix2 ep) by (rewrite <- bpow_plus; f_equal; unfold k; ring).
  rewrite Rmult_assoc, E; eapply Rle_trans; [right|exact B]; f_equal.
  rewrite Rmult_minus_distr_r, Rmult_assoc, E, mult_IZR, bpow_plus; ring.
Qed.

Lemma product_bounds : IZR (2 ^ 104) <= IZR (mx * my) <= IZR (2 ^ 53 - 1) * IZR (2 ^ 53 - 1) /\ IZR (2 ^ 52) <= IZR mp <= IZR (2 ^ 53 - 1).
Proof. unfold mantissa_of in *; rewrite <- mult_IZR; repeat split; apply IZR_le; nia. Qed.

Theorem product_exponent : k = 52%Z \/ k = 53%Z.
Proof.
  destruct product_bounds as [[A B] [C D]]; pose proof product_scaled as S; apply Rabs_le_inv in S.
  change (IZR (2 ^ 104)) with 20282409603651670423947251286016 in A; change (IZR (2 ^ 53 - 1)) with 9007199254740991 in *.
  change (IZR (2 ^ 52)) with 4503599627370496 in C; set (b := bpow radix2 k) in *; assert (Pb : 0 < b) by apply bpow_gt_0.
  assert (L : (51 < k)%Z).
  { apply Znot_ge_lt; intros G; assert (K : b <= bpow radix2 51) by (apply bpow_le; lia).
    rewrite (bpow_Z 51) in K by lia; change (IZR (2 ^ 51)) with 2251799813685248 in K.
    assert (b * (IZR mp + / 2) <= 2251799813685248 * (9007199254740991 + / 2)) by (apply Rmult_le_compat; lra); lra. }
  assert (U : (k < 54)%Z).
  { apply Znot_ge_lt; intros G; assert (K : bpow radix2 54 <= b) by (apply bpow_le; lia).
    rewrite (bpow_Z 54) in K by lia; change (IZR (2 ^ 54)) with 18014398509481984 in K.
    assert (18014398509481984 * (4503599627370496 - / 2) <= b * (IZR mp - / 2)) by (apply Rmult_le_compat; lra); lra. }
  lia.
Qed.

Definition product_excess : Z := (mx * my - mp * 2 ^ k)%Z.
Lemma product_excess_real : value mx ex * value my ey - value mp ep = IZR product_excess * bpow radix2 (ex + ey).
Proof.
  destruct product_exponent as [E|E]; unfold product_excess, value; rewrite minus_IZR, !mult_IZR, E, <- bpow_Z by lia;
    replace ep with ((ex + ey) + k)%Z by (unfold k; ring); rewrite E, !bpow_plus; ring.
Qed.
Theorem product_excess_small : (- 2 ^ 63 <= product_excess < 2 ^ 63)%Z.
Proof.
  pose proof product_scaled as S; destruct product_exponent as [E|E]; unfold product_excess; rewrite E in *;
    rewrite bpow_Z in S by lia; apply Rabs_le_inv in S; rewrite <- mult_IZR, <- minus_IZR in S; destruct S as [S1 S2];
    (split; [|apply Z.le_lt_trans with (2 ^ 52)%Z; [|lia]]); apply le_IZR; rewrite ?minus_IZR in *;
    change (IZR (2 ^ 52)) with 4503599627370496 in *; change (IZR (2 ^ 53)) with 9007199254740992 in *;
    change (IZR (- 2 ^ 63)) with (-9223372036854775808) in *; lra.
Qed.

(** From patterns, modulo 2^64: [low] stands for exponent, sign and all that is shifted out. *)
Theorem product_excess_word bits low : (bits = mp + low * 2 ^ 52)%Z ->
  signed ((mx * my - bits * 2 ^ k) mod 2 ^ 64) = product_excess.
Proof.
  intros ->; rewrite <- (low_bits_decide product_excess) by apply product_excess_small; f_equal; unfold product_excess.
  assert (Hk : (0 <= k - 12)%Z) by (destruct product_exponent; lia).
  replace (mx * my - (mp + low * 2 ^ 52) * 2 ^ k)%Z with (mx * my - mp * 2 ^ k + (- low * 2 ^ (k - 12)) * 2 ^ 64)%Z.
  - apply Z.mod_add; lia.
  - replace (2 ^ k)%Z with (2 ^ (k - 12) * 2 ^ 12)%Z by (rewrite <- Z.pow_add_r by lia; f_equal; ring).
    change (2 ^ 64)%Z with (2 ^ 52 * 2 ^ 12)%Z; ring.
Qed.

(** The shift is known from the parity of the biased exponents, which are 1075 above these. *)
Theorem product_shift : k = if Z.even ((ex + 1075) + (ey + 1075) + (ep + 1075)) then 53%Z else 52%Z.
Proof.
  assert (P : Z.even ((ex + 1075) + (ey + 1075) + (ep + 1075)) = negb (Z.even k)).
  { replace ((ex + 1075) + (ey + 1075) + (ep + 1075))%Z with (k + 2 * (ex + ey + 1612) + 1)%Z by (unfold k; ring).
    rewrite Z.even_add, Z.even_add_mul_2; destruct (Z.even k); reflexivity. }
  rewrite P; destruct product_exponent as [E|E]; rewrite E; reflexivity.
Qed.

Theorem product_up : up r = if (0 <? product_excess)%Z then succ radix2 fexp64 (rn r) else rn r.
Proof.
  rewrite step_up; pose proof product_excess_real as E; fold r in E; rewrite <- nearest in E; pose proof (bpow_gt_0 radix2 (ex + ey)).
  destruct (Rle_dec r (rn r)) as [L|L], (Z.ltb_spec 0 product_excess) as [G|G]; auto.
  - apply IZR_lt in G; nra.
  - apply IZR_le in G; nra.
Qed.
Theorem product_dn : dn r = if (product_excess <? 0)%Z then pred radix2 fexp64 (rn r) else rn r.
Proof.
  rewrite step_dn; pose proof product_excess_real as E; fold r in E; rewrite <- nearest in E; pose proof (bpow_gt_0 radix2 (ex + ey)).
  destruct (Rle_dec (rn r) r) as [L|L], (Z.ltb_spec product_excess 0) as [G|G]; auto.
  - apply IZR_lt in G; nra.
  - apply IZR_le in G; nra.
Qed.
End Product.

(** Quotients. *)
Section Quotient.
Variables (mx ex my ey mq eq : Z) (Hx : mantissa_of mx) (Hy : mantissa_of my) (Hq : mantissa_of mq) (Eq : (-1074 <= eq)%Z).
Let r := value mx ex / value my ey.
Hypothesis nearest : rn r = value mq eq.
Let k := (ex - eq - ey)%Z.

Lemma quotient_bounds : 4503599627370496 <= IZR mx <= 9007199254740991 /\ 4503599627370496 <= IZR my <= 9007199254740991 /\
  4503599627370496 <= IZR mq <= 9007199254740991.
Proof. unfold mantissa_of in *; repeat split; apply IZR_le; lia. Qed.

Lemma quotient_scaled : Rabs (IZR mq * IZR my - IZR mx * bpow radix2 k) <= / 2 * IZR my.
Proof.
  pose proof (half_unit r mq eq Hq Eq nearest) as B; unfold r, value in B; destruct quotient_bounds as (_ & [Y _] & _).
  pose proof (bpow_gt_0 radix2 ey) as Py; pose proof (bpow_gt_0 radix2 eq) as Pq.
  apply Rmult_le_reg_r with (bpow radix2 eq); auto.
  rewrite <- (Rabs_pos_eq (bpow radix2 eq)) at 1 by apply bpow_ge_0; rewrite <- Rabs_mult.
  apply Rle_trans with (Rabs (IZR my * (IZR mq * bpow radix2 eq - IZR mx * bpow radix2 ex / (IZR my * bpow radix2 ey)))).
  - right; f_equal; assert (E : bpow radix2 k * bpow radix2 eq * bpow radix2 ey = bpow radix2 ex) by
      (rewrite <- !bpow_plus; f_equal; unfold k; ring).
    rewrite <- E; field; lra.
  - rewrite Rabs_mult, (Rabs_pos_eq (IZR my)) by lra.
    replace (/ 2 * IZR my * bpow radix2 eq) with (IZR my * (/ 2 * bpow radix2 eq)) by ring; apply Rmult_le_compat_l; lra.
Qed.

(** The exponent is known from the mantissas, but for one quotient just below the least normal number, which is rounded up to it. *)
Theorem quotient_exponent : (mx < my /\ k = 53)%Z \/ (my <= mx /\ k = 52)%Z \/
  (mx = 2 ^ 53 - 1 /\ my = 2 ^ 52 /\ mq = 2 ^ 52 /\ k = 51)%Z.
Proof.
  destruct quotient_bounds as ([X0 X1] & [Y0 Y1] & [Q0 Q1]); pose proof quotient_scaled as S; apply Rabs_le_inv in S.
  set (b := bpow radix2 k) in *; assert (Pb : 0 < b) by apply bpow_gt_0.
  assert (Lo : (4503599627370496 - / 2) * IZR my <= IZR mx * b) by nra.
  assert (Up : IZR mx * b <= (9007199254740991 + / 2) * IZR my) by nra.
  assert (Le : forall j, (k <= j)%Z -> IZR mx * b <= IZR mx * bpow radix2 j) by
    (intros j Hj; apply Rmult_le_compat_l; [lra|now apply bpow_le]).
  assert (Ge : forall j, (j <= k)%Z -> IZR mx * bpow radix2 j <= IZR mx * b) by
    (intros j Hj; apply Rmult_le_compat_l; [lra|now apply bpow_le]).
  destruct (Z_lt_le_dec mx my) as [C|C].
  - left; split; auto; assert (X : IZR mx <= IZR my - 1) by (rewrite <- minus_IZR; apply IZR_le; lia).
    assert ((52 < k)%Z); [apply Znot_ge_lt; intros G|assert ((k < 54)%Z); [apply Znot_ge_lt; intros G|lia]].
    + specialize (Le 52%Z ltac:(lia)); rewrite bpow_Z in Le by lia; change (IZR (2 ^ 52)) with 4503599627370496 in Le; lra.
    + specialize (Ge 54%Z ltac:(lia)); rewrite bpow_Z in Ge by lia; change (IZR (2 ^ 54)) with 18014398509481984 in Ge; lra.
  - right; assert (X : IZR my <= IZR mx) by (apply IZR_le; lia).
    assert (U : (k < 53)%Z).
    { apply Znot_ge_lt; intros G; specialize (Ge 53%Z ltac:(lia)); rewrite bpow_Z in Ge by lia;
        change (IZR (2 ^ 53)) with 9007199254740992 in Ge; lra. }
    destruct (Z.eq_dec k 52) as [E|E]; [left; auto|right].
    assert (L : (50 < k)%Z).
    { apply Znot_ge_lt; intros G; specialize (Le 50%Z ltac:(lia)); rewrite bpow_Z in Le by lia;
        change (IZR (2 ^ 50)) with 1125899906842624 in Le; lra. }
    assert (K : k = 51%Z) by lia; unfold b in *; rewrite K, bpow_Z in S by lia; change (IZR (2 ^ 51)) with 2251799813685248 in S.
    assert (Z0 : ((2 * mq - 1) * my <= mx * 4503599627370496)%Z).
    { apply le_IZR; rewrite !mult_IZR, minus_IZR, mult_IZR; lra. }
    unfold mantissa_of in *; change (2 ^ 52)%Z with 4503599627370496%Z in *; change (2 ^ 53)%Z with 9007199254740992%Z in *.
    assert ((9007199254740991 * my <= (2 * mq - 1) * my)%Z) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (M1 : (my = 4503599627370496)%Z) by lia; subst my; lia.
Qed.

(** The low 64 bits of the difference, as the code computes them. *)
Definition quotient_shift : Z := if (mx <? my)%Z then 53%Z else 52%Z.
Definition quotient_word (bits : Z) : Z := signed ((bits * 2 ^ quotient_shift - mq * my) mod 2 ^ 64).

Theorem quotient_sign bits low : (bits = mx + low * 2 ^ 52)%Z ->
  ((0 < quotient_word bits)%Z <-> value mq eq < r) /\ ((quotient_word bits < 0)%Z <-> r < value mq eq).
Proof.
  intros ->; destruct quotient_bounds as ([X0 X1] & [Y0 Y1] & [Q0 Q1]).
  assert (Py : 0 < value my ey) by (apply Rmult_lt_0_compat; [lra|apply bpow_gt_0]).
  assert (R0 : r - value mq eq = (IZR mx * bpow radix2 k - IZR mq * IZR my) * (bpow radix2 eq / IZR my)).
  { unfold r, value; pose proof (bpow_gt_0 radix2 ey).
    assert (E : bpow radix2 k * bpow radix2 eq * bpow radix2 ey = bpow radix2 ex) by
      (rewrite <- !bpow_plus; f_equal; unfold k; ring).
    rewrite <- E; field; lra. }
  assert (Pu : 0 < bpow radix2 eq / IZR my) by (apply Rdiv_lt_0_compat; [apply bpow_gt_0|lra]).
  assert (W : forall s, (52 <= s <= 53)%Z -> (((mx + low * 2 ^ 52) * 2 ^ s - mq * my) mod 2 ^ 64 = (mx * 2 ^ s - mq * my) mod 2 ^ 64)%Z).
  { intros s Hs; replace ((mx + low * 2 ^ 52) * 2 ^ s - mq * my)%Z with (mx * 2 ^ s - mq * my + (low * 2 ^ (s - 12)) * 2 ^ 64)%Z.
    - apply Z.mod_add; lia.
    - replace (2 ^ s)%Z with (2 ^ (s - 12) * 2 ^ 12)%Z by (rewrite <- Z.pow_add_r by lia; f_equal; ring).
      change (2 ^ 64)%Z with (2 ^ 52 * 2 ^ 12)%Z; ring. }
  assert (Main : forall s, (52 <= s <= 53)%Z -> quotient_shift = s -> k = s ->
    quotient_word (mx + low * 2 ^ 52) = (mx * 2 ^ s - mq * my)%Z).
  { intros s Hs Es Ek; unfold quotient_word; rewrite Es, W by auto; apply low_bits_decide.
    pose proof quotient_scaled as S; rewrite Ek, bpow_Z in S by lia; apply Rabs_le_inv in S.
    rewrite <- !mult_IZR, <- minus_IZR in S; split; [|apply Z.le_lt_trans with (2 ^ 53)%Z; [|lia]];
      apply le_IZR; rewrite minus_IZR in *; change (IZR (2 ^ 53)) with 9007199254740992;
      change (IZR (- 2 ^ 63)) with (-9223372036854775808); lra. }
  assert (Fin : forall s, (52 <= s <= 53)%Z -> k = s -> quotient_word (mx + low * 2 ^ 52) = (mx * 2 ^ s - mq * my)%Z ->
    ((0 < quotient_word (mx + low * 2 ^ 52))%Z <-> value mq eq < r) /\ ((quotient_word (mx + low * 2 ^ 52) < 0)%Z <-> r < value mq eq)).
  { intros s Hs Ek ->; rewrite Ek, bpow_Z, <- !mult_IZR, <- minus_IZR in R0 by lia.
    split; split; intros H.
    - apply IZR_lt in H; nra.
    - apply lt_IZR; nra.
    - apply IZR_lt in H; nra.
    - apply lt_IZR; nra. }
  destruct quotient_exponent as [[C E]|[[C E]|(E1 & E2 & E3 & E)]].
  - apply (Fin 53%Z); auto; try lia; apply Main; auto; try lia; unfold quotient_shift; destruct (Z.ltb_spec mx my); lia.
  - apply (Fin 52%Z); auto; try lia; apply Main; auto; try lia; unfold quotient_shift; destruct (Z.ltb_spec mx my); lia.
  - assert (Q : quotient_word (mx + low * 2 ^ 52) = (- 2 ^ 52)%Z).
    { unfold quotient_word; replace quotient_shift with 52%Z by (unfold quotient_shift; rewrite E1, E2; reflexivity).
      rewrite W by lia; rewrite E1, E2, E3; reflexivity. }
    rewrite Q; rewrite E, (bpow_Z 51) in R0 by lia.
    assert (N : IZR mx * IZR (2 ^ 51) - IZR mq * IZR my < 0).
    { rewrite E1, E2, E3, <- !mult_IZR, <- minus_IZR; apply IZR_lt; reflexivity. }
    split; split; intros H; try lia; try nra; try reflexivity.
Qed.

Theorem quotient_up bits low : (bits = mx + low * 2 ^ 52)%Z ->
  up r = if (0 <? quotient_word bits)%Z then succ radix2 fexp64 (rn r) else rn r.
Proof.
  intros H; destruct (quotient_sign bits low H) as [[A B] _]; rewrite step_up, nearest.
  destruct (Rle_dec r (value mq eq)) as [L|L], (Z.ltb_spec 0 (quotient_word bits)) as [G|G]; auto.
  - specialize (A G); lra.
  - specialize (B ltac:(lra)); lia.
Qed.
Theorem quotient_dn bits low : (bits = mx + low * 2 ^ 52)%Z ->
  dn r = if (quotient_word bits <? 0)%Z then pred radix2 fexp64 (rn r) else rn r.
Proof.
  intros H; destruct (quotient_sign bits low H) as [_ [A B]]; rewrite step_dn, nearest.
  destruct (Rle_dec (value mq eq) r) as [L|L], (Z.ltb_spec (quotient_word bits) 0) as [G|G]; auto.
  - specialize (A G); lra.
  - specialize (B ltac:(lra)); lia.
Qed.
End Quotient.

(** Square roots of normal numbers. *)
Section Root.
Variables (mx ex ms es : Z) (Hx : mantissa_of mx) (Ex : (-1074 <= ex)%Z) (Hm : mantissa_of ms) (Es : (-1074 <= es)%Z).
Let r := sqrt (value mx ex).
Hypothesis nearest : rn r = value ms es.
Let k := (ex - 2 * es)%Z.

Lemma root_facts : 0 < r /\ r * r = IZR mx * bpow radix2 ex /\ 4503599627370496 <= IZR mx <= 9007199254740991 /\
  4503599627370496 <= IZR ms <= 9007199254740991.
Proof.
  assert (B : 4503599627370496 <= IZR mx <= 9007199254740991 /\ 4503599627370496 <= IZR ms <= 9007199254740991) by
    (unfold mantissa_of in *; repeat split; apply IZR_le; lia).
  assert (P : 0 < value mx ex) by (apply Rmult_lt_0_compat; [lra|apply bpow_gt_0]).
  split; [now apply sqrt_lt_R0|split; [apply sqrt_sqrt; left; exact P|exact B]].
Qed.

(** The root in units of the nearest float's last place. *)
Let R := r * bpow radix2 (- es).
Lemma root_unit : R * bpow radix2 es = r.
Proof. unfold R; rewrite Rmult_assoc, <- bpow_plus; replace (- es + es)%Z with 0%Z by ring; simpl; ring. Qed.
Lemma root_square : R * R = IZR mx * bpow radix2 k.
Proof.
  destruct root_facts as (_ & S & _); unfold R.
  replace (r * bpow radix2 (- es) * (r * bpow radix2 (- es))) with (r * r * (bpow radix2 (- es) * bpow radix2 (- es))) by ring.
  rewrite S, Rmult_assoc, <- !bpow_plus; do 2 f_equal; unfold k; ring.
Qed.
Lemma root_near : Rabs (IZR ms - R) <= / 2.
Proof.
  pose proof (half_unit r ms es Hm Es nearest) as B; unfold value in B; rewrite <- root_unit in B.
  rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_pos_eq (bpow radix2 es)) in B by apply bpow_ge_0.
  apply Rmult_le_reg_r with (bpow radix2 es); [apply bpow_gt_0|exact B].
Qed.

(** Roots of normal numbers are far above the least one, so that their units go on halving. *)
Lemma root_large : (-600 < es)%Z.
Proof.
  destruct root_facts as (P & S & [X0 X1] & [M0 M1]); pose proof root_near as N; apply Rabs_le_inv in N.
  assert (L : bpow radix2 (-1022) <= R * bpow radix2 es * (R * bpow radix2 es)).
  { rewrite root_unit, S; apply Rle_trans with (4503599627370496 * bpow radix2 (-1074)).
    - right; change 4503599627370496 with (bpow radix2 52); rewrite <- bpow_plus; reflexivity.
    - apply Rmult_le_compat; try lra; [apply bpow_ge_0|now apply bpow_le]. }
  assert (P0 : 0 < R) by (apply Rmult_lt_0_compat; [auto|apply bpow_gt_0]).
  assert (U : R * bpow radix2 es <= bpow radix2 (53 + es)).
  { rewrite bpow_plus; apply Rmult_le_compat_r; [apply bpow_ge_0|]; change (bpow radix2 53) with 9007199254740992; lra. }
  assert (Q : R * bpow radix2 es * (R * bpow radix2 es) <= bpow radix2 (53 + es + (53 + es))).
  { rewrite bpow_plus; apply Rmult_le_compat; auto; apply Rmult_le_pos; try lra; apply bpow_ge_0. }
  assert (T : bpow radix2 (-1022) <= bpow radix2 (53 + es + (53 + es))) by lra.
  apply le_bpow in T; lia.
Qed.

(** Below a power of two the units are halves. *)
Lemma root_nearer : R < 4503599627370496 -> Rabs (IZR ms - R) <= / 4.
Proof.
  intros H; destruct root_facts as (P & S & [X0 X1] & [M0 M1]); pose proof root_near as N; apply Rabs_le_inv in N.
  pose proof root_large as L; assert (P0 : 0 < R) by (apply Rmult_lt_0_compat; [auto|apply bpow_gt_0]).
  assert (M : mag radix2 r = (es + 52)%Z :> Z).
  { apply mag_unique_pos; rewrite <- root_unit; split.
    - replace (es + 52 - 1)%Z with (51 + es)%Z by ring; rewrite bpow_plus; apply Rmult_le_compat_r; [apply bpow_ge_0|].
      change (bpow radix2 51) with 2251799813685248; lra.
    - rewrite Z.add_comm, bpow_plus; apply Rmult_lt_compat_r; [apply bpow_gt_0|exact H]. }
  assert (U : ulp radix2 fexp64 r = / 2 * bpow radix2 es).
  { rewrite ulp_neq_0 by lra; unfold cexp; rewrite M; unfold FLT_exp; replace (Z.max (es + 52 - 53) (-1074)) with (-1 + es)%Z by lia.
    rewrite bpow_plus; reflexivity. }
  pose proof (error_le_half_ulp radix2 fexp64 (fun x => negb (Z.even x)) r) as B; fold (rn r) in B; rewrite nearest, U in B.
  unfold value in B; rewrite <- root_unit in B at 1.
  rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_pos_eq (bpow radix2 es)) in B by apply bpow_ge_0.
  apply Rmult_le_reg_r with (bpow radix2 es); [apply bpow_gt_0|lra].
Qed.

Theorem root_exponent : k = 52%Z \/ k = 53%Z.
Proof.
  destruct root_facts as (P & S & [X0 X1] & [M0 M1]); pose proof root_near as N; apply Rabs_le_inv in N.
  pose proof root_square as Q; assert (P0 : 0 < R) by (apply Rmult_lt_0_compat; [auto|apply bpow_gt_0]).
  assert (Le : forall j, (k <= j)%Z -> R * R <= IZR mx * bpow radix2 j) by
    (intros j Hj; rewrite Q; apply Rmult_le_compat_l; [lra|now apply bpow_le]).
  assert (Ge : forall j, (j <= k)%Z -> IZR mx * bpow radix2 j <= R * R) by
    (intros j Hj; rewrite Q; apply Rmult_le_compat_l; [lra|now apply bpow_le]).
  assert (L : (51 < k)%Z).
  { apply Znot_ge_lt; intros G; specialize (Le 51%Z ltac:(lia)); rewrite bpow_Z in Le by lia.
    change (IZR (2 ^ 51)) with 2251799813685248 in Le.
    destruct (Rlt_dec R 4503599627370496) as [B|B]; [|nra].
    pose proof (root_nearer B) as N'; apply Rabs_le_inv in N'.
    assert ((4503599627370496 - / 4) * (4503599627370496 - / 4) <= R * R) by (apply Rmult_le_compat; lra); lra. }
  assert (U : (k < 54)%Z).
  { apply Znot_ge_lt; intros G; specialize (Ge 54%Z ltac:(lia)); rewrite bpow_Z in Ge by lia.
    change (IZR (2 ^ 54)) with 18014398509481984 in Ge.
    assert (R * R <= (9007199254740991 + / 2) * (9007199254740991 + / 2)) by (apply Rmult_le_compat; lra); lra. }
  lia.
Qed.

Definition root_excess : Z := (mx * 2 ^ k - ms * ms)%Z.
Lemma root_excess_real : IZR root_excess = (R - IZR ms) * (R + IZR ms).
Proof.
  unfold root_excess; rewrite minus_IZR, !mult_IZR, <- bpow_Z, <- root_square by (destruct root_exponent; lia); ring.
Qed.
Theorem root_excess_small : (- 2 ^ 63 <= root_excess < 2 ^ 63)%Z.
Proof.
  destruct root_facts as (P & S & [X0 X1] & [M0 M1]); pose proof root_near as N; apply Rabs_le_inv in N.
  pose proof root_excess_real as E; assert (B : Rabs (IZR root_excess) <= / 2 * 18014398509481984).
  { rewrite E, Rabs_mult; apply Rmult_le_compat; try apply Rabs_pos; apply Rabs_le; lra. }
  apply Rabs_le_inv in B; split; [|apply Z.le_lt_trans with (2 ^ 53)%Z; [|lia]]; apply le_IZR;
    change (IZR (2 ^ 53)) with 9007199254740992; change (IZR (- 2 ^ 63)) with (-9223372036854775808); lra.
Qed.

Theorem root_excess_word bits low : (bits = mx + low * 2 ^ 52)%Z -> signed ((bits * 2 ^ k - ms * ms) mod 2 ^ 64) = root_excess.
Proof.
  intros ->; rewrite <- (low_bits_decide root_excess) by apply root_excess_small; f_equal; unfold root_excess.
  assert (Hk : (0 <= k - 12)%Z) by (destruct root_exponent; lia).
  replace ((mx + low * 2 ^ 52) * 2 ^ k - ms * ms)%Z with (mx * 2 ^ k - ms * ms + (low * 2 ^ (k - 12)) * 2 ^ 64)%Z.
  - apply Z.mod_add; lia.
  - replace (2 ^ k)%Z with (2 ^ (k - 12) * 2 ^ 12)%Z by (rewrite <- Z.pow_add_r by lia; f_equal; ring).
    change (2 ^ 64)%Z with (2 ^ 52 * 2 ^ 12)%Z; ring.
Qed.
Theorem root_shift : k = if Z.even (ex + 1075) then 53%Z else 52%Z.
Proof.
  assert (P : Z.even (ex + 1075) = negb (Z.even k)).
  { replace (ex + 1075)%Z with (k + 2 * (es + 537) + 1)%Z by (unfold k; ring).
    rewrite Z.even_add, Z.even_add_mul_2; destruct (Z.even k); reflexivity. }
  rewrite P; destruct root_exponent as [E|E]; rewrite E; reflexivity.
Qed.

Theorem root_up : up r = if (0 <? root_excess)%Z then succ radix2 fexp64 (rn r) else rn r.
Proof.
  destruct root_facts as (P & S & [X0 X1] & [M0 M1]); pose proof root_near as N; apply Rabs_le_inv in N.
  pose proof root_excess_real as E; rewrite step_up, nearest; unfold value; rewrite <- root_unit.
  pose proof (bpow_gt_0 radix2 es).
  destruct (Rle_dec (R * bpow radix2 es) (IZR ms * bpow radix2 es)) as [L|L], (Z.ltb_spec 0 root_excess) as [G|G]; auto.
  - apply IZR_lt in G; assert (R <= IZR ms) by (apply Rmult_le_reg_r with (bpow radix2 es); auto); nra.
  - apply IZR_le in G; assert (IZR ms < R) by (apply Rmult_lt_reg_r with (bpow radix2 es); lra); nra.
Qed.
Theorem root_dn : dn r = if (root_excess <? 0)%Z then pred radix2 fexp64 (rn r) else rn r.
Proof.
  destruct root_facts as (P & S & [X0 X1] & [M0 M1]); pose proof root_near as N; apply Rabs_le_inv in N.
  pose proof root_excess_real as E; rewrite step_dn, nearest; unfold value; rewrite <- root_unit.
  pose proof (bpow_gt_0 radix2 es).
  destruct (Rle_dec (IZR ms * bpow radix2 es) (R * bpow radix2 es)) as [L|L], (Z.ltb_spec root_excess 0) as [G|G]; auto.
  - apply IZR_lt in G; assert (IZR ms <= R) by (apply Rmult_le_reg_r with (bpow radix2 es); auto); nra.
  - apply IZR_le in G; assert (R < IZR ms) by (apply Rmult_lt_reg_r with (bpow radix2 es); lra); nra.
Qed.
End Root.

(** Patterns: the biased exponent above the mantissa without its leading bit; 0 for the exponent of subnormal numbers. *)
Definition of_pattern (n : Z) : R :=
  let e := (n / 2 ^ 52)%Z in let m := (n mod 2 ^ 52)%Z in
  if (e =? 0)%Z then IZR m * bpow radix2 (-1074) else value (m + 2 ^ 52) (e - 1075).

(** The step away from zero adds one to the pattern; the one towards zero takes one off. *)
Theorem pattern_succ n : (0 <= n)%Z -> succ radix2 fexp64 (of_pattern n) = of_pattern (n + 1).
Proof.
  intros H; set (e := (n / 2 ^ 52)%Z); set (m := (n mod 2 ^ 52)%Z).
  assert (D : (n = 2 ^ 52 * e + m)%Z) by (apply Z.div_mod; lia).
  assert (M : (0 <= m < 2 ^ 52)%Z) by (apply Z.mod_pos_bound; lia).
  assert (E0 : (0 <= e)%Z) by (apply Z.div_pos; lia).
  assert (N : of_pattern (n + 1) = if (m + 1 =? 2 ^ 52)%Z then value (2 ^ 52) (Z.max e 0 + 1 - 1075) else
    if (e =? 0)%Z then IZR (m + 1) * bpow radix2 (-1074) else value (m + 1 + 2 ^ 52) (e - 1075)).
  { unfold of_pattern; destruct (Z.eqb_spec (m + 1) (2 ^ 52)) as [F|F].
    - replace (n + 1)%Z with ((e + 1) * 2 ^ 52)%Z by lia; rewrite Z.div_mul, Z.mod_mul by lia.
      destruct (Z.eqb_spec (e + 1) 0); [lia|]; unfold value; rewrite Z.max_l by lia; do 2 f_equal; lia.
    - replace (n + 1)%Z with (m + 1 + e * 2 ^ 52)%Z by lia; rewrite Z.div_add, Z.mod_add by lia.
      rewrite (Z.div_small (m + 1)), (Z.mod_small (m + 1)) by lia; rewrite Z.add_0_l; reflexivity. }
  rewrite N; clear N; unfold of_pattern; fold e m; destruct (Z.eqb_spec e 0) as [Ez|Ez].
  - assert (F : generic_format radix2 fexp64 (IZR m * bpow radix2 (-1074))).
    { apply generic_format_FLT; exists (Float radix2 m (-1074)); simpl Fexp; simpl Fnum; [reflexivity| |lia].
      rewrite Z.abs_eq by lia; change (Zpower radix2 53) with (2 ^ 53)%Z; lia. }
    assert (P : 0 <= IZR m * bpow radix2 (-1074)) by (apply Rmult_le_pos; [apply IZR_le; lia|apply bpow_ge_0]).
    rewrite succ_eq_pos by auto.
    assert (U : ulp radix2 fexp64 (IZR m * bpow radix2 (-1074)) = bpow radix2 (-1074)).
    { apply (ulp_FLT_small radix2 (-1074) 53); rewrite Rabs_pos_eq by auto; rewrite (bpow_plus radix2 (-1074) 53).
      rewrite Rmult_comm; apply Rmult_lt_compat_l; [apply bpow_gt_0|]; change (bpow radix2 53) with 9007199254740992; apply IZR_lt; lia. }
    rewrite U; destruct (Z.eqb_spec (m + 1) (2 ^ 52)) as [F1|F1].
    + rewrite Ez; replace (Z.max 0 0 + 1 - 1075)%Z with (-1074)%Z by reflexivity; unfold value; rewrite <- F1, plus_IZR.
      generalize (bpow radix2 (-1074)); intros u; ring.
    + rewrite plus_IZR; ring.
  - assert (Hm : mantissa_of (m + 2 ^ 52)) by (split; lia).
    assert (P : 0 <= value (m + 2 ^ 52) (e - 1075)) by (apply Rmult_le_pos; [apply IZR_le; lia|apply bpow_ge_0]).
    rewrite succ_eq_pos, value_ulp by (auto; lia); destruct (Z.eqb_spec (m + 1) (2 ^ 52)) as [F|F].
    + rewrite Z.max_l by lia; unfold value; replace (m + 2 ^ 52)%Z with (2 ^ 53 - 1)%Z by lia.
      replace (e + 1 - 1075)%Z with (1 + (e - 1075))%Z by ring; rewrite (bpow_plus radix2 1), minus_IZR.
      change (IZR (2 ^ 53)) with 9007199254740992; change (IZR (2 ^ 52)) with 4503599627370496; change (bpow radix2 1) with 2; ring.
    + unfold value; rewrite !plus_IZR; ring.
Qed.
Lemma pattern_format n : (0 <= n)%Z -> generic_format radix2 fexp64 (of_pattern n).
Proof.
  intros H; assert (M : (0 <= n mod 2 ^ 52 < 2 ^ 52)%Z) by (apply Z.mod_pos_bound; lia).
  unfold of_pattern; destruct (Z.eqb_spec (n / 2 ^ 52) 0) as [E|E].
  - apply generic_format_FLT; exists (Float radix2 (n mod 2 ^ 52) (-1074)); simpl Fexp; simpl Fnum; [reflexivity| |lia].
    rewrite Z.abs_eq by lia; change (Zpower radix2 53) with (2 ^ 53)%Z; lia.
  - apply value_format; [split; lia|]; assert (0 <= n / 2 ^ 52)%Z by (apply Z.div_pos; lia); lia.
Qed.
Theorem pattern_pred n : (0 <= n)%Z -> pred radix2 fexp64 (of_pattern (n + 1)) = of_pattern n.
Proof. intros H; rewrite <- pattern_succ by auto; apply pred_succ; auto with typeclass_instances; now apply pattern_format. Qed.
