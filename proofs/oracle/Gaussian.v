(** Bounds on [normal_delta] by interval arithmetic with as many bits as a goal asks for, evaluated by Coq's virtual machine. *)
Require Import Reals ZArith NArith Bool List Lra Lia.
From Coquelicot Require Import Coquelicot.
From Interval.Real Require Import Xreal.
From Interval.Float Require Import Specific_bigint Specific_ops.
From Interval.Interval Require Import Interval Float Float_full.
From DP Require Import Expect Approx NormalSeries GaussianDivergence.
From DP Require GDP_to_approxDP.
Open Scope R_scope.

Module F := SpecificFloat BigIntRadix2.
Module I := FloatIntervalFull F.

(** [i] encloses [r]. *)
Definition encloses (i : I.type) (r : R) : Prop := contains (I.convert i) (Xreal r).

Section Enclosures.
Variable bits : I.precision.

Definition int (z : Z) : I.type := I.fromZ bits z.
Definition add := I.add bits.
Definition sub := I.sub bits.
Definition mul := I.mul bits.
Definition div := I.div bits.

Lemma int_sound z : encloses (int z) (IZR z).
Proof. apply I.fromZ_correct. Qed.

Lemma add_sound i j x y : encloses i x -> encloses j y -> encloses (add i j) (x + y).
Proof. exact (I.add_correct bits i j (Xreal x) (Xreal y)). Qed.

Lemma sub_sound i j x y : encloses i x -> encloses j y -> encloses (sub i j) (x - y).
Proof. exact (I.sub_correct bits i j (Xreal x) (Xreal y)). Qed.

Lemma mul_sound i j x y : encloses i x -> encloses j y -> encloses (mul i j) (x * y).
Proof. exact (I.mul_correct bits i j (Xreal x) (Xreal y)). Qed.

Lemma div_sound i j x y : y <> 0 -> encloses i x -> encloses j y -> encloses (div i j) (x / y).
Proof.
  intros N X Y; pose proof (I.div_correct bits i j (Xreal x) (Xreal y) X Y) as D; unfold encloses, div.
  simpl in D; unfold Xdiv' in D; now rewrite is_zero_false in D.
Qed.

Lemma exp_sound i x : encloses i x -> encloses (I.exp bits i) (exp x).
Proof. exact (I.exp_correct bits i (Xreal x)). Qed.

Lemma sqrt_sound i x : encloses i x -> encloses (I.sqrt bits i) (sqrt x).
Proof. intros X; pose proof (I.sqrt_correct bits i (Xreal x) X) as S. exact S. Qed.

(** A float: [m 2^e]. *)
Definition float (m e : Z) : R := IZR m * powerRZ 2 e.
Definition float_in (m e : Z) : I.type := mul (int m) (I.power_int bits (int 2) e).

Lemma float_sound m e : encloses (float_in m e) (float m e).
Proof.
  apply mul_sound; [apply int_sound|].
  pose proof (I.power_int_correct bits e (int 2) (Xreal 2) (int_sound 2)) as P; unfold encloses.
  replace (Xreal (powerRZ 2 e)) with (Xpower_int (Xreal 2) e); [exact P|].
  destruct e; simpl; trivial; unfold Xinv'; rewrite is_zero_false; [reflexivity|lra].
Qed.

Fixpoint nested_in (n : nat) (d : Z) (y last : I.type) : I.type :=
  match n with O => last | S n => add (int 1) (mul (div y (int (d + 2))) (nested_in n (d + 2) y last)) end.

Lemma nested_sound n : forall d i j y last, (0 < d)%Z -> encloses i y -> encloses j last ->
  encloses (nested_in n d i j) (nested n (IZR d) y last).
Proof.
  induction n as [|n IH]; intros d i j y last D Y L; [exact L|].
  change (encloses (add (int 1) (mul (div i (int (d + 2))) (nested_in n (d + 2) i j)))
    (1 + y / (IZR d + 2) * nested n (IZR d + 2) y last)).
  rewrite <- (plus_IZR d 2).
  apply add_sound; [apply int_sound|]; apply mul_sound; [|apply IH; auto; lia].
  apply div_sound; [apply not_0_IZR; lia|exact Y|apply int_sound].
Qed.

(** What the series may end in. *)
Definition last_in (n : nat) : I.type :=
  I.meet (I.upper_extent (int 0)) (I.lower_extent (int (2 * Z.of_nat n + 1))).

Lemma last_sound n last : 0 <= last <= 2 * INR n + 1 -> encloses (last_in n) last.
Proof.
  intros L; apply I.meet_correct.
  - apply I.upper_extent_correct with 0; [apply int_sound|lra].
  - apply I.lower_extent_correct with (IZR (2 * Z.of_nat n + 1)); [apply int_sound|].
    rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ; lra.
Qed.

Definition is_negative (i : I.type) : bool := match I.sign_strict i with Xlt => true | _ => false end.

Lemma is_negative_sound i x : encloses i x -> is_negative i = true -> x < 0.
Proof.
  unfold is_negative; intros X; pose proof (I.sign_strict_correct i) as S; destruct (I.sign_strict i); try discriminate.
  intros _; exact (proj2 (S (Xreal x) X)).
Qed.

(** Whether [n] terms are enough. *)
Definition enough (n : nat) (x : I.type) : bool := is_negative (sub (mul x x) (int (2 * Z.of_nat n))).

Definition integral_in (n : nat) (x : I.type) : I.type :=
  let y := mul x x in mul (mul (I.exp bits (div (sub (int 0) y) (int 2))) x) (nested_in n 1 y (last_in n)).

Lemma integral_sound n i x : encloses i x -> enough n i = true -> encloses (integral_in n i) (RInt gauss 0 x).
Proof.
  intros X E; assert (Y : encloses (mul i i) (x ^ 2)) by (replace (x ^ 2) with (x * x) by ring; now apply mul_sound).
  destruct (gauss_integral n x) as [last [L G]].
  { apply (is_negative_sound _ (x ^ 2 - IZR (2 * Z.of_nat n))) in E; [|apply sub_sound; [exact Y|apply int_sound]].
    rewrite mult_IZR, <- INR_IZR_INZ in E; lra. }
  rewrite G; apply mul_sound; [apply mul_sound; [|exact X]|].
  - apply exp_sound; replace (- x ^ 2) with (0 - x ^ 2) by ring.
    apply div_sound; [lra|apply sub_sound; [apply int_sound|exact Y]|apply int_sound].
  - apply (nested_sound n 1); [lia|exact Y|now apply last_sound].
Qed.

Definition phi_in (n : nat) (x : I.type) : I.type :=
  add (div (int 1) (int 2)) (div (integral_in n x) (I.sqrt bits (mul (int 2) (I.pi bits)))).

Lemma phi_sound n i x : encloses i x -> enough n i = true -> encloses (phi_in n i) (Phi x).
Proof.
  intros X E; apply add_sound.
  - replace (/ 2) with (1 / 2) by field; apply div_sound; [lra|apply int_sound..].
  - apply div_sound; [|now apply integral_sound|].
    + apply Rgt_not_eq, sqrt_lt_R0; pose proof PI_RGT_0; lra.
    + apply sqrt_sound, mul_sound; [apply int_sound|apply I.pi_correct].
Qed.

Definition delta_in (n : nat) (mu eps : I.type) : I.type :=
  let half := div mu (int 2) in let middle := div eps mu in
  sub (phi_in n (sub half middle)) (mul (I.exp bits eps) (phi_in n (sub (sub (int 0) half) middle))).

Definition all_enough (n : nat) (mu eps : I.type) : bool :=
  let half := div mu (int 2) in let middle := div eps mu in
  enough n (sub half middle) && enough n (sub (sub (int 0) half) middle).

Lemma delta_sound n i j mu eps : mu <> 0 -> encloses i mu -> encloses j eps -> all_enough n i j = true ->
  encloses (delta_in n i j) (normal_delta mu eps).
Proof.
  intros N M E A; apply andb_prop in A; destruct A as [A B].
  assert (H : encloses (div i (int 2)) (mu / 2)) by (apply div_sound; [lra|exact M|apply int_sound]).
  assert (D : encloses (div j i) (eps / mu)) by now apply div_sound.
  apply sub_sound; [|apply mul_sound; [now apply exp_sound|]]; apply phi_sound; auto; [now apply sub_sound|].
  replace (- (mu / 2) - eps / mu) with (0 - mu / 2 - eps / mu) by ring.
  apply sub_sound; [apply sub_sound; [apply int_sound|exact H]|exact D].
Qed.

(** A float as certificates write it. *)
Inductive number := B (m e : Z).
Definition real (x : number) : R := let 'B m e := x in float m e.
Definition real_in (x : number) : I.type := let 'B m e := x in float_in m e.
Lemma real_sound x : encloses (real_in x) (real x).
Proof. destruct x; apply float_sound. Qed.
Definition is_above_zero (x : number) : bool := let 'B m e := x in (0 <? m)%Z.
End Enclosures.

(** [terms] of the series, computed with [digits], place the delta of sensitivity over standard deviation between two floats. *)
Record claim := Between { digits : positive; terms : nat; low : number; top : number; bottom : number; epsilon : number; high : number }.
(** So that noise under Gaussian divergence of the quotient keeps what the greater one promises. *)
Definition is_between (c : claim) : Prop :=
  let mu := real (top c) / real (bottom c) in
  real (low c) < normal_delta mu (real (epsilon c)) < real (high c) /\
  forall Y (P Q : dist Y), gaussian_divergence mu P Q ->
    close (real (epsilon c)) (real (high c)) P Q /\ close (real (epsilon c)) (real (high c)) Q P.

Definition certified (c : claim) : bool :=
  let bits := F.PtoP (digits c) in
  let mu := div bits (real_in bits (top c)) (real_in bits (bottom c)) in
  let eps := real_in bits (epsilon c) in let delta := delta_in bits (terms c) mu eps in
  is_above_zero (top c) && is_above_zero (bottom c) && all_enough bits (terms c) mu eps &&
  is_negative (sub bits (real_in bits (low c)) delta) && is_negative (sub bits delta (real_in bits (high c))).

Lemma positive_sound x : is_above_zero x = true -> 0 < real x.
Proof.
  destruct x as [m e]; intros P; apply Z.ltb_lt in P; apply Rmult_lt_0_compat; [now apply IZR_lt|apply powerRZ_lt; lra].
Qed.

Theorem between c : certified c = true -> is_between c.
Proof.
  intros C; unfold certified in C; set (bits := F.PtoP (digits c)) in C; cbv zeta in C; repeat (apply andb_prop in C; destruct C as [C ?]).
  assert (M : 0 < real (top c) / real (bottom c)) by (apply Rdiv_lt_0_compat; now apply positive_sound).
  assert (N : 0 < real (bottom c)) by now apply positive_sound.
  assert (D : encloses (delta_in bits (terms c) (div bits (real_in bits (top c)) (real_in bits (bottom c))) (real_in bits (epsilon c)))
    (normal_delta (real (top c) / real (bottom c)) (real (epsilon c)))).
  { apply delta_sound; [lra|apply div_sound; [lra|apply real_sound..]|apply real_sound|assumption]. }
  assert (B : real (low c) < normal_delta (real (top c) / real (bottom c)) (real (epsilon c)) < real (high c)).
  { split; apply Rminus_lt.
    - eapply is_negative_sound; [apply (sub_sound bits); [apply (real_sound bits)|exact D]|assumption].
    - eapply is_negative_sound; [apply (sub_sound bits); [exact D|apply (real_sound bits)]|assumption]. }
  split; [exact B|]; intros Y P Q [PQ QP]; rewrite GDP_to_approxDP.certified_delta in B.
  split; (eapply close_mono; [apply Rle_refl|left; exact (proj2 B)|apply no_easier_close; assumption]).
Qed.

Theorem all_between l : forallb certified l = true -> List.Forall is_between l.
Proof. intros H; apply List.Forall_forall; intros c I; rewrite forallb_forall in H; now apply between, H. Qed.

(** How many goals a theorem closes. *)
Definition goals {l} (_ : List.Forall is_between l) : N := N.of_nat (length l).

Ltac certify_all := apply all_between; vm_cast_no_check (eq_refl true).
