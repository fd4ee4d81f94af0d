(** The laws of the coins, down to bits, for the programs of [Reference.v]: an outcome never has more than its
    probability, and what is missing goes to zero as the fuel grows. *)
Require Import Reals Lra Psatz Lia ZArith List Bool Arith.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Approx BitTree BernoulliExp Reference.
Open Scope R_scope.

(** Only answers count; the end of the fuel does not. *)
Definition answers {A} (f : A -> R) (o : option A) : R := match o with Some a => f a | None => 0 end.

(** [P] is [Q], but for at most [e] of its mass, which is missing. *)
Definition all_but {A} (e : R) (P Q : dist (option A)) := forall f, unit_test f ->
  Ex P (answers f) <= Ex Q (answers f) <= Ex P (answers f) + e.

Lemma answers_unit {A} (f : A -> R) : unit_test f -> unit_test (answers f).
Proof. intros H [a|]; simpl; [apply H|lra]. Qed.

Lemma Int_law {A} (t : tree A) g : Int (law t) g.
Proof. induction t; simpl; auto; repeat split; auto; now intros []. Qed.

(** One program after another. *)
Definition after {A B} (Q : dist (option A)) (L : A -> dist (option B)) : dist (option B) :=
  bind Q (fun o => match o with Some a => L a | None => ret None end).

Lemma Ex_after {A B} (Q : dist (option A)) (L : A -> dist (option B)) f : unit_test f ->
  Ex (after Q L) (answers f) = Ex Q (answers (fun a => Ex (L a) (answers f))).
Proof.
  intros Hf; simpl; apply Ex_ext; [|intros [a|]; reflexivity].
  apply Int_unit; intros [a|]; simpl; [apply Ex_unit, answers_unit, Hf|lra].
Qed.
Lemma Ex_then {A B} (t : tree (option A)) (k : A -> tree (option B)) f :
  Ex (law (then_ t k)) (answers f) = Ex (law t) (answers (fun a => Ex (law (k a)) (answers f))).
Proof.
  unfold then_; rewrite law_bind; simpl; apply Ex_ext; [apply Int_law|intros [a|]; reflexivity].
Qed.

Theorem all_but_after {A B} e e' t (Q : dist (option A)) (k : A -> tree (option B)) L : 0 <= e' ->
  all_but e (law t) Q -> (forall a, all_but e' (law (k a)) (L a)) -> all_but (e + e') (law (then_ t k)) (after Q L).
Proof.
  intros He H K f Hf; rewrite Ex_then, Ex_after by auto.
  set (h := fun a => Ex (law (k a)) (answers f)); set (g := fun a => Ex (L a) (answers f)).
  assert (Uh : unit_test h) by (intros a; now apply Ex_unit, answers_unit).
  assert (Ug : unit_test g) by (intros a; now apply Ex_unit, answers_unit).
  assert (B1 : Ex Q (answers h) <= Ex Q (answers g)).
  { apply Ex_le; try now apply Int_unit, answers_unit.
    intros [a|]; simpl; [apply (K a f Hf)|lra]. }
  assert (B2 : Ex Q (answers g) <= Ex Q (answers h) + e').
  { rewrite <- (Ex_const Q e'), <- Ex_plus; auto using Int_const, Int_unit, answers_unit.
    apply Ex_le; [now apply Int_unit, answers_unit| |intros [a|]; simpl; [apply (K a f Hf)|lra]].
    apply Int_plus; [now apply Int_unit, answers_unit|apply Int_const]. }
  destruct (H h Uh); lra.
Qed.

Lemma all_but_ret {A} (o : option A) e : 0 <= e -> all_but e (law (Ret o)) (ret o).
Proof. intros He f Hf; simpl; lra. Qed.
Lemma all_but_mono {A} e e' (P Q : dist (option A)) : e <= e' -> all_but e P Q -> all_but e' P Q.
Proof. intros L H f Hf; destruct (H f Hf); lra. Qed.
Lemma all_but_trans {A} e e' (P Q S : dist (option A)) : all_but e P Q -> all_but e' Q S -> all_but (e + e') P S.
Proof. intros H K f Hf; destruct (H f Hf), (K f Hf); lra. Qed.

(** Sums over 0, ..., n - 1. *)
Fixpoint sum (n : nat) (h : nat -> R) : R := match n with O => 0 | S m => sum m h + h m end.
Lemma sum_split m n h : sum (m + n) h = sum m h + sum n (fun i => h (m + i)%nat).
Proof. induction n; simpl; [rewrite Nat.add_0_r; ring|]; rewrite Nat.add_succ_r; simpl; rewrite IHn; ring. Qed.
Lemma sum_ext n h k : (forall i, (i < n)%nat -> h i = k i) -> sum n h = sum n k.
Proof. induction n; simpl; intros H; auto; rewrite IHn, H; auto. Qed.
Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n; [simpl; ring|]; cbn [sum]; rewrite IHn, S_INR; ring. Qed.

(** Fair bits, the highest first, are a uniform integer. *)
Lemma read_law bits so_far g : Ex (law (read bits so_far)) g =
  sum (2 ^ bits) (fun i => g (so_far * 2 ^ Z.of_nat bits + Z.of_nat i)%Z) / 2 ^ bits.
Proof.
  revert so_far; induction bits; intros.
  - simpl; replace (so_far * 1 + 0)%Z with so_far by ring; field.
  - change (Ex (law (read (S bits) so_far)) g) with
      (/ 2 * Ex (law (read bits (2 * so_far + 1))) g + (1 - / 2) * Ex (law (read bits (2 * so_far + 0))) g).
    rewrite !IHbits; replace (2 ^ S bits)%nat with (2 ^ bits + 2 ^ bits)%nat by (simpl; lia).
    assert (E : (2 ^ Z.of_nat (S bits) = 2 * 2 ^ Z.of_nat bits)%Z) by
      (rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia; reflexivity).
    rewrite sum_split, E.
    rewrite (sum_ext _ (fun i => g ((2 * so_far + 0) * 2 ^ Z.of_nat bits + Z.of_nat i)%Z)
      (fun i => g (so_far * (2 * 2 ^ Z.of_nat bits) + Z.of_nat i)%Z)) by (intros; f_equal; ring).
    rewrite (sum_ext _ (fun i => g ((2 * so_far + 1) * 2 ^ Z.of_nat bits + Z.of_nat i)%Z)
      (fun i => g (so_far * (2 * 2 ^ Z.of_nat bits) + Z.of_nat (2 ^ bits + i))%Z)).
    2: { intros; f_equal; rewrite Nat2Z.inj_add, Nat2Z.inj_pow; change (Z.of_nat 2) with 2%Z; ring. }
    simpl pow; field; apply pow_nonzero; lra.
Qed.

(** Enough bits, and fewer than twice as many values as are needed. *)
Lemma digits_spec n : (1 <= n)%nat ->
  let l := digits (Z.of_nat n - 1) in (n <= 2 ^ l)%nat /\ (2 ^ l < 2 * n)%nat.
Proof.
  intros H l; unfold l, digits; destruct (Z.leb_spec (Z.of_nat n - 1) 0) as [L|L].
  - assert (n = 1)%nat by lia; subst; simpl; lia.
  - assert (P := Z.log2_spec (Z.of_nat n - 1) L); assert (N := Z.log2_nonneg (Z.of_nat n - 1)).
    set (k := Z.log2 (Z.of_nat n - 1)) in *.
    assert (E : Z.of_nat (2 ^ Z.to_nat (k + 1)) = (2 ^ (k + 1))%Z).
    { rewrite Nat2Z.inj_pow, Z2Nat.id by lia; reflexivity. }
    assert (F : (2 ^ (k + 1) = 2 * 2 ^ k)%Z) by (rewrite Z.add_1_r, Z.pow_succ_r by lia; reflexivity).
    rewrite <- Z.add_1_r in P; split; [apply Nat2Z.inj_le|apply Nat2Z.inj_lt]; rewrite E; lia.
Qed.

(** What one round of rejection leaves over. *)
Definition rejected (n : nat) : R := 1 - INR n / 2 ^ digits (Z.of_nat n - 1).
Lemma rejected_range n : (1 <= n)%nat -> 0 <= rejected n <= / 2.
Proof.
  intros H; destruct (digits_spec n H) as [A B]; unfold rejected.
  set (l := digits (Z.of_nat n - 1)) in *.
  apply le_INR in A; apply lt_INR in B; rewrite mult_INR, !pow_INR in *; simpl (INR 2) in *.
  replace (1 + 1) with 2 in * by ring.
  assert (P : 0 < 2 ^ l) by (apply pow_lt; lra).
  split.
  - assert (INR n / 2 ^ l <= 1); [|lra].
    apply Rmult_le_reg_r with (2 ^ l); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
  - assert (/ 2 <= INR n / 2 ^ l); [|lra].
    apply Rmult_le_reg_r with (2 ^ l); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Definition mean (n : nat) (f : Z -> R) : R := sum n (fun i => f (Z.of_nat i)) / INR n.

(** [uniform_below]: the uniform law, but for what all rounds reject. *)
Theorem uniform_law fuel n f : (1 <= n)%nat ->
  Ex (law (uniform fuel (Z.of_nat n))) (answers f) = (1 - rejected n ^ fuel) * mean n f.
Proof.
  intros H; induction fuel; [simpl; ring|].
  cbn [uniform]; rewrite law_bind.
  change (Ex (bind (law ?t) ?k) ?g) with (Ex (law t) (fun v => Ex (k v) g)).
  rewrite read_law; set (l := digits (Z.of_nat n - 1)) in *.
  destruct (digits_spec n H) as [A _]; fold l in A.
  replace (2 ^ l)%nat with (n + (2 ^ l - n))%nat at 1 by lia; rewrite sum_split.
  rewrite (sum_ext n _ (fun i => f (Z.of_nat i))).
  2: { intros i Hi; cbv beta; replace (0 * 2 ^ Z.of_nat l + Z.of_nat i)%Z with (Z.of_nat i) by ring.
       destruct (Z.ltb_spec (Z.of_nat i) (Z.of_nat n)); [reflexivity|lia]. }
  rewrite (sum_ext (2 ^ l - n) _ (fun _ => (1 - rejected n ^ fuel) * mean n f)).
  2: { intros i Hi; cbv beta; replace (0 * 2 ^ Z.of_nat l + Z.of_nat (n + i))%Z with (Z.of_nat (n + i)) by ring.
       destruct (Z.ltb_spec (Z.of_nat (n + i)) (Z.of_nat n)); [lia|exact IHfuel]. }
  rewrite sum_const, minus_INR, pow_INR by auto; simpl (INR 2); replace (1 + 1) with 2 by ring.
  assert (P : 0 < 2 ^ l) by (apply pow_lt; lra).
  assert (N : 0 < INR n) by (apply lt_0_INR; lia).
  replace (sum n (fun i => f (Z.of_nat i))) with (INR n * mean n f) by (unfold mean; field; lra).
  simpl pow; set (r := rejected n ^ fuel); unfold rejected; fold l; field; lra.
Qed.

Lemma mean_true n m (g : bool -> R) : (1 <= n)%nat -> (m <= n)%nat ->
  mean n (fun v => g (v <? Z.of_nat m)%Z) = INR m / INR n * g true + (1 - INR m / INR n) * g false.
Proof.
  intros H L; assert (N : 0 < INR n) by (apply lt_0_INR; lia); unfold mean.
  replace n with (m + (n - m))%nat at 1 by lia; rewrite sum_split.
  rewrite (sum_ext m _ (fun _ => g true)), (sum_ext (n - m) _ (fun _ => g false)), !sum_const, minus_INR by
    (auto; intros i Hi; f_equal; apply Z.ltb_lt || apply Z.ltb_ge; lia).
  field; lra.
Qed.

Definition bias (p : R) (Hp : 0 <= p <= 1) : dist (option bool) := dmap Some (bernoulli p Hp).

Lemma half_pow r n : 0 <= r <= / 2 -> 0 <= r ^ n <= / 2 ^ n.
Proof.
  intros H; split; [apply pow_le; lra|].
  replace (/ 2 ^ n) with ((/ 2) ^ n); [apply pow_incr; lra|].
  induction n; simpl; [field|]; rewrite IHn; field; apply pow_nonzero; lra.
Qed.

(** [bernoulli_rational]. *)
Theorem coin_law fuel a b (Hp : 0 <= IZR a / IZR b <= 1) : (0 <= a <= b)%Z -> (0 < b)%Z ->
  all_but (/ 2 ^ fuel) (law (coin fuel a b)) (bias (IZR a / IZR b) Hp).
Proof.
  intros Ha Hb f Hf; unfold coin, reduced.
  set (g := Z.gcd a b); assert (G : (0 < g)%Z).
  { assert (g <> 0)%Z by (unfold g; intros E; apply Z.gcd_eq_0_r in E; lia).
    pose proof (Z.gcd_nonneg a b); unfold g in *; lia. }
  destruct (Z.gcd_divide_l a b) as [p Ep], (Z.gcd_divide_r a b) as [q Eq]; fold g in Ep, Eq.
  assert (Ea : (a / g = p)%Z) by (rewrite Ep at 1; apply Z.div_mul; lia).
  assert (Eb : (b / g = q)%Z) by (rewrite Eq at 1; apply Z.div_mul; lia).
  rewrite Ea, Eb; assert (Hq : (0 < q)%Z) by nia. assert (P0 : (0 <= p <= q)%Z) by nia.
  assert (Er : IZR a / IZR b = IZR p / IZR q).
  { rewrite Ep, Eq, !mult_IZR; field; split; apply not_0_IZR; lia. }
  assert (Nat_Z : forall z, (0 <= z)%Z -> INR (Z.to_nat z) = IZR z) by (intros; rewrite INR_IZR_INZ, Z2Nat.id; auto).
  assert (E : Ex (law (then_ (uniform fuel q) (fun v => Ret (Some (v <? p)%Z)))) (answers f) =
    (1 - rejected (Z.to_nat q) ^ fuel) * (IZR a / IZR b * f true + (1 - IZR a / IZR b) * f false)).
  { rewrite Ex_then.
    change (answers (fun v => Ex (law (Ret (Some (v <? p)%Z))) (answers f))) with (answers (fun v => f (v <? p)%Z)).
    replace q with (Z.of_nat (Z.to_nat q)) at 1 by (apply Z2Nat.id; lia).
    rewrite uniform_law by lia; f_equal.
    pose proof (mean_true (Z.to_nat q) (Z.to_nat p) f ltac:(lia) ltac:(lia)) as M.
    rewrite Z2Nat.id, !Nat_Z, <- !Er in M by lia; exact M. }
  rewrite !E.
  pose proof (half_pow _ fuel (rejected_range (Z.to_nat q) ltac:(lia))) as Hr.
  set (r := rejected (Z.to_nat q) ^ fuel) in *.
  change (Ex (bias (IZR a / IZR b) Hp) (answers f)) with
    (IZR a / IZR b * f true + (1 - IZR a / IZR b) * f false).
  set (y := IZR a / IZR b * f true + (1 - IZR a / IZR b) * f false).
  assert (Y : 0 <= y <= 1) by (pose proof (Hf true); pose proof (Hf false); unfold y; nra).
  nra.
Qed.

(** [bernoulli] of a float: digits decide until they are all equal. *)
Theorem coin_digits_law bits fuel num den (Hp : 0 <= IZR num / IZR den <= 1) : (0 <= num <= den)%Z -> (0 < den)%Z ->
  all_but ((/ 2 ^ bits) ^ fuel) (law (coin_digits bits fuel num den)) (bias (IZR num / IZR den) Hp).
Proof.
  intros Hn Hd f Hf; revert num Hp Hn; induction fuel as [|fuel IH]; intros num Hp Hn.
  { pose proof (Ex_unit (bias (IZR num / IZR den) Hp) _ (answers_unit f Hf)); simpl pow; simpl (Ex (law _) _); lra. }
  change (Ex (bias ?p ?H) (answers f)) with (p * f true + (1 - p) * f false).
  cbn [coin_digits]; rewrite law_bind.
  change (Ex (bind (law ?t) ?k) ?g) with (Ex (law t) (fun v => Ex (k v) g)).
  rewrite read_law; set (b := Z.of_nat bits) in *; assert (B : (0 < 2 ^ b)%Z) by (apply Z.pow_pos_nonneg; lia).
  assert (N2 : Z.of_nat (2 ^ bits) = (2 ^ b)%Z) by (rewrite Nat2Z.inj_pow; reflexivity).
  assert (P2 : 2 ^ bits = IZR (2 ^ b)) by (rewrite <- N2, <- INR_IZR_INZ, pow_INR; reflexivity).
  set (w := (num * 2 ^ b / den)%Z); set (rest := (num * 2 ^ b mod den)%Z).
  assert (W0 : (0 <= w)%Z) by (apply Z.div_pos; nia).
  assert (E : (num * 2 ^ b = den * w + rest)%Z) by (apply Z.div_mod; lia).
  assert (M : (0 <= rest < den)%Z) by (apply Z.mod_pos_bound; lia).
  assert (D0 : 0 < IZR den) by now apply IZR_lt.
  assert (PE : IZR num / IZR den * 2 ^ bits = IZR w + IZR rest / IZR den).
  { rewrite P2; apply Rmult_eq_reg_r with (IZR den); [|lra].
    replace (IZR num / IZR den * IZR (2 ^ b) * IZR den) with (IZR (num * 2 ^ b)) by (rewrite mult_IZR; field; lra).
    rewrite E, plus_IZR, mult_IZR; field; lra. }
  assert (T0 : 0 < 2 ^ bits) by (apply pow_lt; lra).
  set (p := IZR num / IZR den) in *.
  destruct (Z.eq_dec w (2 ^ b)) as [Ew|Nw].
  - assert (p = 1).
    { assert (0 <= IZR rest / IZR den) by (apply Rmult_le_pos; [apply IZR_le; lia|left; now apply Rinv_0_lt_compat]).
      rewrite Ew, <- P2 in PE; nra. }
    rewrite (sum_ext _ _ (fun _ => f true)).
    + rewrite sum_const, pow_INR; change (INR 2) with 2.
      replace (2 ^ bits * f true / 2 ^ bits) with (f true) by (field; lra).
      assert (0 <= (/ 2 ^ bits) ^ S fuel) by (apply pow_le; left; now apply Rinv_0_lt_compat).
      replace (p * f true + (1 - p) * f false) with (f true) by (rewrite H; ring); lra.
    + intros i Hi; cbv beta; replace (0 * 2 ^ b + Z.of_nat i)%Z with (Z.of_nat i) by ring.
      fold w; destruct (Z.eqb_spec (Z.of_nat i) w); [lia|]; destruct (Z.ltb_spec (Z.of_nat i) w); [reflexivity|lia].
  - assert (Lw : (w < 2 ^ b)%Z).
    { assert (w <= 2 ^ b)%Z; [|lia]. apply Z.div_le_upper_bound; nia. }
    set (k := Z.to_nat w); assert (K : Z.of_nat k = w) by (apply Z2Nat.id; lia).
    assert (Kw : INR k = IZR w) by (rewrite INR_IZR_INZ, K; reflexivity).
    set (x := Ex (law (if (rest =? 0)%Z then Ret (Some false) else coin_digits bits fuel rest den)) (answers f)).
    match goal with |- context [sum (2 ^ bits) ?g] => set (h := g) end.
    assert (Hi : forall i, h i = if (Z.of_nat i =? w)%Z then x else f (Z.of_nat i <? w)%Z).
    { intros i; unfold h; cbv beta; replace (0 * 2 ^ b + Z.of_nat i)%Z with (Z.of_nat i) by ring; fold w.
      destruct (Z.of_nat i =? w)%Z; reflexivity. }
    assert (ES : sum (2 ^ bits) h = IZR w * f true + (x + (2 ^ bits - IZR w - 1) * f false)).
    { replace (2 ^ bits)%nat with (k + (1 + (2 ^ bits - k - 1)))%nat at 1 by lia.
      rewrite sum_split, sum_split.
      rewrite (sum_ext k _ (fun _ => f true)).
      2: { intros i I; rewrite Hi; destruct (Z.eqb_spec (Z.of_nat i) w); [lia|].
           destruct (Z.ltb_spec (Z.of_nat i) w); [reflexivity|lia]. }
      rewrite (sum_ext (2 ^ bits - k - 1) _ (fun _ => f false)).
      2: { intros i I; rewrite Hi; destruct (Z.eqb_spec (Z.of_nat (k + (1 + i))) w); [lia|].
           destruct (Z.ltb_spec (Z.of_nat (k + (1 + i))) w); [lia|reflexivity]. }
      rewrite !sum_const; cbn [sum]; rewrite Rplus_0_l, Nat.add_0_r, Hi, K, Z.eqb_refl.
      rewrite !minus_INR, pow_INR by lia; change (INR 2) with 2; change (INR 1) with 1; rewrite Kw; reflexivity. }
    rewrite ES.
    assert (R : IZR rest / IZR den * f true + (1 - IZR rest / IZR den) * f false - (/ 2 ^ bits) ^ fuel <= x <=
      IZR rest / IZR den * f true + (1 - IZR rest / IZR den) * f false).
    { assert (0 <= (/ 2 ^ bits) ^ fuel) by (apply pow_le; left; now apply Rinv_0_lt_compat).
      unfold x; destruct (Z.eqb_spec rest 0) as [->|Z0].
      - change (Ex (law (Ret (Some false))) (answers f)) with (f false); unfold Rdiv; rewrite Rmult_0_l; lra.
      - assert (Hr : 0 <= IZR rest / IZR den <= 1).
        { split; [apply Rmult_le_pos; [apply IZR_le; lia|left; now apply Rinv_0_lt_compat]|].
          apply Rmult_le_reg_r with (IZR den); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra; apply IZR_le; lia. }
        specialize (IH rest Hr ltac:(lia)).
        change (Ex (bias ?p ?H) (answers f)) with (p * f true + (1 - p) * f false) in IH; lra. }
    set (q := IZR rest / IZR den) in *; set (s := / 2 ^ bits) in *; simpl pow.
    assert (S0 : 0 < s) by now apply Rinv_0_lt_compat. assert (TS : 2 ^ bits * s = 1) by (apply Rinv_r; lra).
    assert (Pp : p = (IZR w + q) * s) by (rewrite <- PE, Rmult_assoc, TS; ring).
    unfold Rdiv; fold s; rewrite Pp.
    replace ((IZR w * f true + (x + (2 ^ bits - IZR w - 1) * f false)) * s) with
      ((IZR w * f true + x - (IZR w + 1) * f false) * s + 2 ^ bits * s * f false) by ring.
    set (y := q * f true + (1 - q) * f false) in *; set (r := s ^ fuel) in *.
    assert (0 <= s * (y - x)) by (apply Rmult_le_pos; lra).
    assert (s * (y - x) <= s * r) by (apply Rmult_le_compat_l; lra).
    assert (Y : s * (y - x) = s * (q * f true + (1 - q) * f false) - s * x) by (unfold y; ring).
    rewrite TS; split; lra.
Qed.

(** [bernoulli_exp_fraction]: the loop over real coins is the loop over ideal ones, but for their missing mass. *)
Section Exp.
Variables (a b : Z) (Hab : (0 <= a <= b)%Z) (Hb : (0 < b)%Z).
Notation x := (IZR a / IZR b).
Lemma x_ok : 0 <= x <= 1.
Proof.
  assert (0 < IZR b) by (apply IZR_lt; lia); assert (0 <= IZR a <= IZR b) by (split; apply IZR_le; lia).
  split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
  apply Rmult_le_reg_r with (IZR b); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma bernoulli_ext p q Hp Hq f : p = q -> Ex (bias p Hp) (answers f) = Ex (bias q Hq) (answers f).
Proof. intros ->; reflexivity. Qed.

Lemma even_of_nat k : Z.even (Z.of_nat k) = Nat.even k.
Proof.
  induction k; auto.
  now rewrite Nat2Z.inj_succ, Z.even_succ, Nat.even_succ, <- Z.negb_even, <- Nat.negb_even, IHk.
Qed.

Lemma loop_law fuel loops k :
  all_but (INR loops / 2 ^ fuel) (law (coin_exp_fraction fuel loops a b (Z.of_nat (S k)))) (bexp x x_ok loops k).
Proof.
  assert (P : 0 < / 2 ^ fuel) by (apply Rinv_0_lt_compat, pow_lt; lra).
  revert k; induction loops as [|n IH]; intros k.
  - intros f Hf; simpl; unfold Rdiv; lra.
  - assert (Ek : IZR a / IZR (b * Z.of_nat (S k)) = x / INR (S k)).
    { rewrite mult_IZR, <- INR_IZR_INZ; field; split; first [apply not_0_INR; lia|apply not_0_IZR; lia]. }
    assert (Hk : 0 <= IZR a / IZR (b * Z.of_nat (S k)) <= 1) by (rewrite Ek; apply step_ok, x_ok).
    pose proof (coin_law fuel a (b * Z.of_nat (S k)) Hk ltac:(nia) ltac:(nia)) as C.
    cbn [coin_exp_fraction].
    assert (R : all_but (INR (S n) / 2 ^ fuel)
      (law (then_ (coin fuel a (b * Z.of_nat (S k))) (fun c => if c
        then coin_exp_fraction fuel n a b (Z.of_nat (S k) + 1) else Ret (Some (Z.odd (Z.of_nat (S k)))))))
      (after (bias _ Hk) (fun c => if c then bexp x x_ok n (S k) else ret (Some (Nat.even k))))).
    { apply all_but_mono with (/ 2 ^ fuel + INR n / 2 ^ fuel); [rewrite S_INR; unfold Rdiv; lra|].
      apply all_but_after; auto.
      - apply Rmult_le_pos; [apply pos_INR|lra].
      - intros [|].
        + replace (Z.of_nat (S k) + 1)%Z with (Z.of_nat (S (S k))) by lia; apply IH.
        + replace (Z.odd (Z.of_nat (S k))) with (Nat.even k).
          * apply all_but_ret; apply Rmult_le_pos; [apply pos_INR|lra].
          * now rewrite Nat2Z.inj_succ, Z.odd_succ, even_of_nat. }
    intros f Hf; specialize (R f Hf).
    change (Ex (bexp x x_ok (S n) k) (answers f)) with
      (x / INR (S k) * Ex (bexp x x_ok n (S k)) (answers f) + (1 - x / INR (S k)) * f (Nat.even k)).
    rewrite <- Ek; exact R.
Qed.

(** The ideal loop: with more fuel both answers gain, and what they tend to is known. *)
Lemma bexp_Ex n k f : Ex (bexp x x_ok (S n) k) (answers f) =
  x / INR (S k) * Ex (bexp x x_ok n (S k)) (answers f) + (1 - x / INR (S k)) * f (Nat.even k).
Proof. reflexivity. Qed.

Lemma more_fuel n k f : unit_test f -> Ex (bexp x x_ok n k) (answers f) <= Ex (bexp x x_ok (S n) k) (answers f).
Proof.
  intros Hf; revert k; induction n; intros k.
  - apply (Ex_unit (bexp x x_ok 1 k) (answers f)), answers_unit, Hf.
  - rewrite (bexp_Ex (S n)), bexp_Ex; apply Rplus_le_compat_r, Rmult_le_compat_l; auto; apply step_ok, x_ok.
Qed.

(** Of all that is answered or not, the parts sum to one. *)
Lemma parts n k f : Ex (bexp x x_ok n k) (answers f) =
  T x x_ok n k * f true + (1 - T x x_ok n k - N x x_ok n k) * f false.
Proof.
  revert k; induction n; intros k.
  - unfold T, N, Pr; simpl; unfold ind; ring.
  - rewrite bexp_Ex, IHn; unfold T, N; rewrite !Pr_bexp_S; fold (T x x_ok n (S k)); fold (N x x_ok n (S k)).
    simpl is_true; simpl is_none; unfold ind; destruct (Nat.even k); ring.
Qed.

Lemma exp_ok : 0 <= exp (- x) <= 1.
Proof.
  pose proof x_ok; split; [left; apply exp_pos|rewrite <- exp_0].
  destruct (Req_dec x 0) as [->|]; [rewrite Ropp_0; lra|left; apply exp_increasing; lra].
Qed.

Lemma T_below n : T x x_ok n 0 <= exp (- x).
Proof.
  assert (Tm : forall m, T x x_ok m 0 <= T x x_ok (S m) 0).
  { intros m; pose proof (more_fuel m 0 (fun c => ind c) ltac:(intros []; unfold ind; lra)) as M.
    rewrite !parts in M; unfold ind in M; lra. }
  assert (Tl : forall m d, T x x_ok m 0 <= T x x_ok (m + d) 0).
  { intros m d; induction d; [rewrite Nat.add_0_r; lra|]; rewrite Nat.add_succ_r; specialize (Tm (m + d)%nat); lra. }
  assert (L : Rbar_le (T x x_ok n 0) (exp (- x))); [|exact L].
  apply (is_lim_seq_le_loc (fun _ => T x x_ok n 0) (fun m => T x x_ok (2 * m) 0)).
  - exists n; intros m Hm; replace (2 * m)%nat with (n + (2 * m - n))%nat by lia; apply Tl.
  - apply is_lim_seq_const.
  - apply bexp_law.
Qed.

Lemma T_above n : exp (- x) <= T x x_ok n 0 + N x x_ok n 0.
Proof.
  assert (Tm : forall m, T x x_ok (S m) 0 + N x x_ok (S m) 0 <= T x x_ok m 0 + N x x_ok m 0).
  { intros m; pose proof (more_fuel m 0 (fun c => 1 - ind c) ltac:(intros []; unfold ind; lra)) as M.
    rewrite !parts in M; unfold ind in M; lra. }
  assert (Tl : forall m d, T x x_ok (m + d) 0 + N x x_ok (m + d) 0 <= T x x_ok m 0 + N x x_ok m 0).
  { intros m d; induction d; [rewrite Nat.add_0_r; lra|]; rewrite Nat.add_succ_r; specialize (Tm (m + d)%nat); lra. }
  assert (Nn : forall m, 0 <= N x x_ok m 0).
  { intros m; apply (Ex_unit (bexp x x_ok m 0)), ind_unit. }
  assert (L : Rbar_le (exp (- x)) (T x x_ok n 0 + N x x_ok n 0)); [|exact L].
  apply (is_lim_seq_le_loc (fun m => T x x_ok (2 * m) 0) (fun _ => T x x_ok n 0 + N x x_ok n 0)).
  - exists n; intros m Hm; specialize (Tl n (2 * m - n)%nat); specialize (Nn (2 * m)%nat).
    replace (n + (2 * m - n))%nat with (2 * m)%nat in Tl by lia; lra.
  - apply bexp_law.
  - apply is_lim_seq_const.
Qed.

Lemma N_term n : N x x_ok n 0 = x ^ n / INR (fact n).
Proof.
  pose proof (none_law x x_ok n 0) as H; rewrite Nat.add_0_r in H; unfold term in H at 1; simpl in H.
  unfold term in H; rewrite <- H; field.
Qed.

(** True with probability [exp (- a / b)], but for the mass of loops and coins that ran out of fuel. *)
Theorem coin_exp_fraction_law fuel loops :
  all_but (INR loops / 2 ^ fuel + x ^ loops / INR (fact loops))
    (law (coin_exp_fraction fuel loops a b 1)) (bias (exp (- x)) exp_ok).
Proof.
  apply all_but_trans with (bexp x x_ok loops 0); [apply (loop_law fuel loops 0)|].
  intros f Hf; rewrite parts.
  change (Ex (bias (exp (- x)) exp_ok) (answers f)) with (exp (- x) * f true + (1 - exp (- x)) * f false).
  rewrite <- N_term; pose proof (T_below loops); pose proof (T_above loops).
  pose proof (Hf true); pose proof (Hf false).
  set (t := T x x_ok loops 0) in *; set (m := N x x_ok loops 0) in *; set (e := exp (- x)) in *.
  assert (0 <= (e - t) * f true) by (apply Rmult_le_pos; lra).
  assert ((e - t) * f true <= e - t) by nra.
  assert (0 <= (t + m - e) * f false) by (apply Rmult_le_pos; lra).
  assert ((t + m - e) * f false <= t + m - e) by nra.
  split; nra.
Qed.
End Exp.

(** [bernoulli_exp]: a coin for each unit and one for the rest.  The missing mass of each is at most this. *)
Definition missing (fuel loops : nat) : R := INR loops / 2 ^ fuel + / INR (fact loops).

Lemma missing_nonneg fuel loops : 0 <= missing fuel loops.
Proof.
  unfold missing; assert (0 < INR (fact loops)) by (apply lt_0_INR, lt_O_fact).
  apply Rplus_le_le_0_compat; [|left; now apply Rinv_0_lt_compat].
  apply Rmult_le_pos; [apply pos_INR|left; apply Rinv_0_lt_compat, pow_lt; lra].
Qed.

Lemma fraction_missing a b Hab Hb fuel loops :
  all_but (missing fuel loops) (law (coin_exp_fraction fuel loops a b 1)) (bias (exp (- (IZR a / IZR b))) (exp_ok a b Hab Hb)).
Proof.
  eapply all_but_mono; [|apply coin_exp_fraction_law].
  unfold missing; apply Rplus_le_compat_l; destruct (x_ok a b Hab Hb) as [X0 X1].
  assert (0 < INR (fact loops)) by (apply lt_0_INR, lt_O_fact).
  assert (P : (IZR a / IZR b) ^ loops <= 1) by (rewrite <- (pow1 loops); apply pow_incr; lra).
  unfold Rdiv at 1; rewrite <- (Rmult_1_l (/ INR (fact loops))) at 2.
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|exact P].
Qed.

Lemma exp_unit_ok z : 0 <= z -> 0 <= exp (- z) <= 1.
Proof.
  intros; split; [left; apply exp_pos|rewrite <- exp_0].
  destruct (Req_dec z 0) as [->|]; [rewrite Ropp_0; lra|left; apply exp_increasing; lra].
Qed.

Theorem coin_exp_units_law fuel loops units a b (Hab : (0 <= a <= b)%Z) (Hb : (0 < b)%Z)
  (Hz : 0 <= INR units + IZR a / IZR b) :
  all_but (INR (S units) * missing fuel loops) (law (coin_exp_units fuel loops units a b))
    (bias (exp (- (INR units + IZR a / IZR b))) (exp_unit_ok _ Hz)).
Proof.
  pose proof (missing_nonneg fuel loops) as M; pose proof (x_ok a b Hab Hb) as X.
  revert Hz; induction units as [|u IH]; intros Hz.
  - intros f Hf; pose proof (fraction_missing a b Hab Hb fuel loops f Hf) as F.
    rewrite (bernoulli_ext _ (exp (- (IZR a / IZR b))) _ (exp_ok a b Hab Hb)) by (simpl; f_equal; ring).
    simpl INR; rewrite Rmult_1_l; exact F.
  - pose proof (pos_INR u) as U.
    assert (Hu : 0 <= INR u + IZR a / IZR b) by lra.
    assert (R : all_but (missing fuel loops + INR (S u) * missing fuel loops) (law (coin_exp_units fuel loops (S u) a b))
      (after (bias (exp (- (1 / 1))) (exp_ok 1 1 ltac:(lia) ltac:(lia)))
        (fun c => if c then bias _ (exp_unit_ok _ Hu) else ret (Some false)))).
    { apply all_but_after; [apply Rmult_le_pos; auto using pos_INR|apply fraction_missing|].
      intros [|]; [apply IH|apply all_but_ret; apply Rmult_le_pos; auto using pos_INR]. }
    intros f Hf; specialize (R f Hf).
    replace (INR (S (S u)) * missing fuel loops) with (missing fuel loops + INR (S u) * missing fuel loops) by
      (rewrite (S_INR (S u)); ring).
    set (p := exp (- (1 / 1))) in *; set (q := exp (- (INR u + IZR a / IZR b))) in *.
    assert (E : exp (- (INR (S u) + IZR a / IZR b)) = p * q).
    { unfold p, q; rewrite <- exp_plus, S_INR; f_equal; field; apply not_0_IZR; lia. }
    change (Ex (bias ?r ?H) (answers f)) with (r * f true + (1 - r) * f false); rewrite E.
    match type of R with _ <= ?m <= _ => change m with
      (p * (q * f true + (1 - q) * f false) + (1 - p) * f false) in R end.
    replace (p * q * f true + (1 - p * q) * f false) with
      (p * (q * f true + (1 - q) * f false) + (1 - p) * f false) by ring; exact R.
Qed.

Theorem coin_exp_law fuel loops num den (Hn : (0 <= num)%Z) (Hd : (0 < den)%Z) (Hz : 0 <= IZR num / IZR den) :
  all_but (INR (S (Z.to_nat (num / den))) * missing fuel loops) (law (coin_exp fuel loops num den))
    (bias (exp (- (IZR num / IZR den))) (exp_unit_ok _ Hz)).
Proof.
  pose proof (Z.mod_pos_bound num den Hd) as B; pose proof (Z.div_pos num den Hn Hd) as D.
  assert (E : INR (Z.to_nat (num / den)) + IZR (num mod den) / IZR den = IZR num / IZR den).
  { rewrite INR_IZR_INZ, Z2Nat.id by auto; rewrite (Z.div_mod num den) at 3 by lia.
    rewrite plus_IZR, mult_IZR; field; apply not_0_IZR; lia. }
  intros f Hf.
  assert (Hz' : 0 <= INR (Z.to_nat (num / den)) + IZR (num mod den) / IZR den) by (rewrite E; exact Hz).
  rewrite <- (bernoulli_ext _ _ (exp_unit_ok _ Hz') (exp_unit_ok _ Hz)) by (now rewrite E).
  apply coin_exp_units_law; auto; lia.
Qed.

(** The missing mass goes to zero: choose the loops first, then the fuel. *)
Theorem missing_vanishes e : 0 < e -> exists loops fuel, missing fuel loops < e.
Proof.
  intros He; destruct (archimed_cor1 (e / 2) ltac:(lra)) as (n & Hn & Pn).
  assert (Fn : / INR (fact n) <= / INR n).
  { apply Rinv_le_contravar; [now apply lt_0_INR|].
    apply le_INR; clear -Pn; induction n as [|[|n] IH]; [lia|simpl; lia|].
    change (fact (S (S n))) with (S (S n) * fact (S n))%nat; pose proof (lt_O_fact (S n)); nia. }
  assert (Q : 0 < e / 2 / INR n) by (apply Rdiv_lt_0_compat; [lra|now apply lt_0_INR]).
  destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) _ Q) as [F HF].
  exists n, F; specialize (HF F (le_n F)).
  assert (Ei : (/ 2) ^ F = / 2 ^ F) by (clear; induction F; simpl; [field|rewrite IHF; field; apply pow_nonzero; lra]).
  rewrite Ei, Rabs_pos_eq in HF by (left; apply Rinv_0_lt_compat, pow_lt; lra).
  unfold missing, Rdiv; assert (Ni : 0 < INR n) by now apply lt_0_INR.
  assert (INR n * / 2 ^ F < INR n * (e / 2 / INR n)) by (apply Rmult_lt_compat_l; auto).
  replace (INR n * (e / 2 / INR n)) with (e / 2) in H by (field; lra); lra.
Qed.
