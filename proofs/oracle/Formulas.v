(** Formulas of maps, of which Coq's virtual machine finds enclosures: with the roundings that the theory has, and as the
    real numbers that these are roundings of. *)
Require Import Reals ZArith NArith Bool List Lra Lia.
From Flocq Require Import Core.Core.
From Interval.Real Require Import Xreal.
From Interval.Float Require Basic.
From Interval.Interval Require Import Interval Float.
From DP Require Import Rounding Oracle.Gaussian.
Import ListNotations.
Open Scope R_scope.

Inductive formula :=
  | Number (m e : Z)
  | Int (z : Z)
  | Add (x y : formula)
  | Sub (x y : formula)
  | Mul (x y : formula)
  | Div (x y : formula)
  | Max (x y : formula)
  | Min (x y : formula)
  | Abs (x : formula)
  | Sqrt (x : formula)
  | Exp (x : formula)
  | Ln (x : formula)
  | Up (x : formula)
  | Dn (x : formula).

(** The value: with roundings, or without. *)
Fixpoint value (rounding : bool) (f : formula) : R :=
  let value := value rounding in
  match f with
  | Number m e => float m e
  | Int z => IZR z
  | Add x y => value x + value y
  | Sub x y => value x - value y
  | Mul x y => value x * value y
  | Div x y => value x / value y
  | Max x y => Rmax (value x) (value y)
  | Min x y => Rmin (value x) (value y)
  | Abs x => Rabs (value x)
  | Sqrt x => sqrt (value x)
  | Exp x => exp (value x)
  | Ln x => ln (value x)
  | Up x => if rounding then up (value x) else value x
  | Dn x => if rounding then dn (value x) else value x
  end.
Notation rounded := (value true).
Notation exact := (value false).

(** With so many bits. *)
Section Enclosures.
Variable precision : positive.
Local Notation bits := (F.PtoP precision).
Local Notation int := (int bits).
Local Notation add := (add bits).
Local Notation sub := (sub bits).
Local Notation mul := (mul bits).
Local Notation div := (div bits).
Local Notation float_in := (float_in bits).
Local Notation real_in := (real_in bits).

Lemma divided i j x y : encloses i x -> encloses j y -> encloses (div i j) (x / y).
Proof.
  intros X Y; pose proof (I.div_correct bits i j (Xreal x) (Xreal y) X Y) as D; unfold encloses, Gaussian.div.
  simpl in D; unfold Xdiv' in D; destruct (is_zero y); [|exact D].
  destruct (I.convert _); [exact I|destruct D].
Qed.

Lemma ln_sound i x : encloses i x -> encloses (I.ln bits i) (ln x).
Proof.
  intros X; pose proof (I.ln_correct bits i (Xreal x) X) as D; unfold encloses.
  simpl in D; unfold Xln' in D; destruct (is_positive x); [exact D|].
  destruct (I.convert _); [exact I|destruct D].
Qed.

Lemma abs_sound i x : encloses i x -> encloses (I.abs i) (Rabs x).
Proof. exact (I.abs_correct i (Xreal x)). Qed.

Definition above (i : I.type) : I.type := I.upper_extent i.
Definition below (i : I.type) : I.type := I.lower_extent i.
Lemma above_sound i x y : encloses i x -> x <= y -> encloses (above i) y.
Proof. intros; now apply I.upper_extent_correct with x. Qed.
Lemma below_sound i x y : encloses i x -> y <= x -> encloses (below i) y.
Proof. intros; now apply I.lower_extent_correct with x. Qed.

Definition max_in (i j : I.type) : I.type := I.meet (I.join i j) (I.meet (above i) (above j)).
Lemma max_sound i j x y : encloses i x -> encloses j y -> encloses (max_in i j) (Rmax x y).
Proof.
  intros X Y; apply I.meet_correct; [|apply I.meet_correct].
  - apply I.join_correct; unfold Rmax; destruct (Rle_dec x y); auto.
  - now apply above_sound with x; [|apply Rmax_l].
  - now apply above_sound with y; [|apply Rmax_r].
Qed.

Definition min_in (i j : I.type) : I.type := I.meet (I.join i j) (I.meet (below i) (below j)).
Lemma min_sound i j x y : encloses i x -> encloses j y -> encloses (min_in i j) (Rmin x y).
Proof.
  intros X Y; apply I.meet_correct; [|apply I.meet_correct].
  - apply I.join_correct; unfold Rmin; destruct (Rle_dec x y); auto.
  - now apply below_sound with x; [|apply Rmin_l].
  - now apply below_sound with y; [|apply Rmin_r].
Qed.

Definition is_at_most_zero (i : I.type) : bool := match I.sign_large i with Xlt | Xeq => true | _ => false end.
Lemma is_at_most_zero_sound i x : encloses i x -> is_at_most_zero i = true -> x <= 0.
Proof.
  unfold is_at_most_zero; intros X; pose proof (I.sign_large_correct i) as S; destruct (I.sign_large i); try discriminate;
    intros _; specialize (S (Xreal x) X); [injection S as ->; lra|exact (proj2 S)].
Qed.

(** Far from 0, where sums would be of as many digits as the exponent has, a bound that is as good. *)
Definition far : Z := 4096.
Definition exp_in (i : I.type) : I.type :=
  if is_at_most_zero (sub i (int (- far))) then I.meet (above (int 0)) (below (I.exp bits (int (- far))))
  else if is_at_most_zero (sub (int far) i) then above (int 1) else I.exp bits i.
Lemma exp_in_sound i x : encloses i x -> encloses (exp_in i) (exp x).
Proof.
  intros X; unfold exp_in; destruct (is_at_most_zero (sub i _)) eqn:L; [|destruct (is_at_most_zero (sub (int far) i)) eqn:G].
  - apply (is_at_most_zero_sound _ (x - IZR (- far))) in L; [|apply sub_sound; [exact X|apply int_sound]].
    apply I.meet_correct; [apply above_sound with 0; [apply int_sound|left; apply exp_pos]|].
    apply below_sound with (exp (IZR (- far))); [apply exp_sound, int_sound|].
    destruct (Rle_lt_or_eq_dec x (IZR (- far))) as [H|H]; [lra|left; now apply exp_increasing|right; now f_equal].
  - apply (is_at_most_zero_sound _ (IZR far - x)) in G; [|apply sub_sound; [apply int_sound|exact X]].
    apply above_sound with 1; [apply int_sound|]; pose proof (exp_ineq1_le x); unfold far in G; lra.
  - now apply exp_sound.
Qed.

(** Of a number on one side of 1, the sign is known. *)
Lemma ln_below x : x <= 1 -> ln x <= 0.
Proof.
  intros H; destruct (Rle_lt_dec x 0) as [N|P]; [unfold ln; destruct (Rlt_dec 0 x); [exfalso; lra|apply Rle_refl]|].
  destruct (Rle_lt_or_eq_dec x 1 H) as [L|E]; [rewrite <- ln_1; left; now apply ln_increasing|rewrite E, ln_1; lra].
Qed.
Lemma ln_above x : 1 <= x -> 0 <= ln x.
Proof.
  intros H; destruct (Rle_lt_or_eq_dec 1 x H) as [L|E]; [rewrite <- ln_1; left; apply ln_increasing; lra|rewrite <- E, ln_1; lra].
Qed.
Definition ln_in (i : I.type) : I.type :=
  let j := I.ln bits i in
  let j := if is_at_most_zero (sub i (int 1)) then I.meet j (below (int 0)) else j in
  if is_at_most_zero (sub (int 1) i) then I.meet j (above (int 0)) else j.
Lemma ln_in_sound i x : encloses i x -> encloses (ln_in i) (ln x).
Proof.
  intros X; unfold ln_in; set (j := if is_at_most_zero (sub i (int 1)) then _ else _).
  assert (J : encloses j (ln x)).
  { unfold j; destruct (is_at_most_zero (sub i (int 1))) eqn:L; [|now apply ln_sound].
    apply (is_at_most_zero_sound _ (x - 1)) in L; [|apply sub_sound; [exact X|apply int_sound]].
    apply I.meet_correct; [now apply ln_sound|apply below_sound with 0; [apply int_sound|apply ln_below; lra]]. }
  cbv zeta; fold j; destruct (is_at_most_zero (sub (int 1) i)) eqn:G; [|exact J].
  apply (is_at_most_zero_sound _ (1 - x)) in G; [|apply sub_sound; [apply int_sound|exact X]].
  apply I.meet_correct; [exact J|apply above_sound with 0; [apply int_sound|apply ln_above; lra]].
Qed.

(** The least float that is not below [m 2^e], and the greatest that is not above. *)
Definition rounding_of (upwards : bool) (m e : Z) : Z * Z :=
  let e' := Z.max (Zdigits2 m + e - 53) (-1074) in
  if (e' <=? e)%Z then (m, e) else
    let s := (e' - e)%Z in (if upwards then (- Z.shiftr (- m) s)%Z else Z.shiftr m s, e').
Definition float_of (x : Z * Z) : R := float (fst x) (snd x).

Lemma float_F2R m e : float m e = F2R (Defs.Float radix2 m e).
Proof. unfold float, F2R; simpl; now rewrite bpow_powerRZ. Qed.
Lemma rounding_exact (rnd : R -> Z) {V : Valid_rnd rnd} m e : m <> 0%Z ->
  let e' := Z.max (Zdigits2 m + e - 53) (-1074) in
  round radix2 fexp64 rnd (float m e) =
  if (e' <=? e)%Z then float m e else float (rnd (IZR m / IZR (2 ^ (e' - e)))) e'.
Proof.
  intros N e'; assert (E : cexp radix2 fexp64 (float m e) = e').
  { unfold cexp, FLT_exp, e'; rewrite float_F2R, mag_F2R_Zdigits, Zdigits2_Zdigits by auto; reflexivity. }
  destruct (Z.leb_spec e' e) as [L|L].
  - apply round_generic; auto; rewrite float_F2R; apply generic_format_F2R; intros _; rewrite <- float_F2R, E; exact L.
  - unfold round, scaled_mantissa; rewrite E, (float_F2R _ e'); apply f_equal, (f_equal (fun k => Defs.Float radix2 k e')), f_equal.
    assert (P : IZR (2 ^ (e' - e)) = bpow radix2 (e' - e)) by (apply (IZR_Zpower radix2); clear - L; lia).
    rewrite P; unfold Rdiv; rewrite <- bpow_opp, float_F2R; unfold F2R; cbn [Fnum Fexp].
    rewrite Rmult_assoc, <- bpow_plus; apply f_equal, f_equal; clear; lia.
Qed.
Lemma rounding_sound (upwards : bool) m e :
  round radix2 fexp64 (if upwards then Zceil else Zfloor) (float m e) = float_of (rounding_of upwards m e).
Proof.
  destruct (Z.eq_dec m 0) as [->|N].
  - replace (float 0 e) with 0 by (unfold float; ring); rewrite round_0 by (destruct upwards; auto with typeclass_instances).
    unfold rounding_of, float_of; destruct (_ <=? _)%Z; [unfold float; simpl; ring|].
    destruct upwards; unfold float; cbn [fst snd Z.opp]; rewrite Z.shiftr_0_l; simpl; ring.
  - rewrite rounding_exact by (auto; destruct upwards; auto with typeclass_instances).
    unfold rounding_of; cbv zeta; destruct (_ <=? _)%Z eqn:L; [reflexivity|]; apply Z.leb_gt in L.
    rewrite !Z.shiftr_div_pow2 by lia; set (p := (2 ^ _)%Z); assert (P : (p > 0)%Z) by (apply Z.lt_gt, Z.pow_pos_nonneg; lia).
    unfold float_of; cbn [fst snd]; f_equal; destruct upwards; [|apply Zfloor_div; lia].
    unfold Zceil; f_equal; replace (- (IZR m / IZR p)) with (IZR (- m) / IZR p) by (rewrite opp_IZR; unfold Rdiv; ring).
    apply Zfloor_div; lia.
Qed.

(** An end of an enclosure, but for bits far behind, is guessed, and checked. *)
Definition guess (upwards : bool) (end_of : F.type) : Z * Z :=
  match F.toF end_of with
  | Basic.Float s p e =>
    let m := if s then Zneg p else Zpos p in
    let shift := (Zdigits2 m - (Zpos precision - 120))%Z in
    if (shift <=? 0)%Z then (m, e) else (if upwards then - Z.shiftr (- m) shift else Z.shiftr m shift, e + shift)%Z
  | _ => (0, 0)%Z
  end.
Definition point (x : Z * Z) : I.type := float_in (fst x) (snd x).
Lemma point_sound x : encloses (point x) (float_of x).
Proof. apply float_sound. Qed.

Definition rounded_in (upwards : bool) (i : I.type) : I.type :=
  let low := guess false (I.lower i) in let high := guess true (I.upper i) in
  if is_at_most_zero (sub (point low) i) then
    if is_at_most_zero (sub i (point high)) then
      I.meet (above (point (rounding_of upwards (fst low) (snd low)))) (below (point (rounding_of upwards (fst high) (snd high))))
    else above (point (rounding_of upwards (fst low) (snd low)))
  else if upwards then above i else below i.

Lemma rounded_in_sound (upwards : bool) i x : encloses i x ->
  encloses (rounded_in upwards i) (round radix2 fexp64 (if upwards then Zceil else Zfloor) x).
Proof.
  assert (V : Valid_rnd (if upwards then Zceil else Zfloor)) by (destruct upwards; auto with typeclass_instances).
  intros X; unfold rounded_in; set (low := guess false (I.lower i)); set (high := guess true (I.upper i)); cbv zeta.
  assert (A : is_at_most_zero (sub (point low) i) = true ->
    encloses (above (point (rounding_of upwards (fst low) (snd low)))) (round radix2 fexp64 (if upwards then Zceil else Zfloor) x)).
  { intros L; eapply above_sound; [apply point_sound|]; rewrite <- rounding_sound; apply round_le; auto with typeclass_instances.
    apply Rminus_le; eapply is_at_most_zero_sound; [|exact L]; apply sub_sound; [apply point_sound|exact X]. }
  destruct (is_at_most_zero (sub (point low) i)); [specialize (A eq_refl)|].
  - destruct (is_at_most_zero (sub i (point high))) eqn:H; [|exact A]; apply I.meet_correct; [exact A|].
    eapply below_sound; [apply point_sound|]; rewrite <- rounding_sound; apply round_le; auto with typeclass_instances.
    apply Rminus_le; eapply is_at_most_zero_sound; [|exact H]; apply sub_sound; [exact X|apply point_sound].
  - clear A; destruct upwards; [apply above_sound with x|apply below_sound with x]; auto; [apply up_ge|apply dn_le].
Qed.
Definition up_in (i : I.type) : I.type := rounded_in true i.
Definition dn_in (i : I.type) : I.type := rounded_in false i.
Lemma up_sound i x : encloses i x -> encloses (up_in i) (up x).
Proof. exact (rounded_in_sound true i x). Qed.
Lemma dn_sound i x : encloses i x -> encloses (dn_in i) (dn x).
Proof. exact (rounded_in_sound false i x). Qed.

Fixpoint enclosure (rounding : bool) (f : formula) : I.type :=
  let enclosure := enclosure rounding in
  match f with
  | Number m e => float_in m e
  | Int z => int z
  | Add x y => add (enclosure x) (enclosure y)
  | Sub x y => sub (enclosure x) (enclosure y)
  | Mul x y => mul (enclosure x) (enclosure y)
  | Div x y => div (enclosure x) (enclosure y)
  | Max x y => max_in (enclosure x) (enclosure y)
  | Min x y => min_in (enclosure x) (enclosure y)
  | Abs x => I.abs (enclosure x)
  | Sqrt x => I.sqrt bits (enclosure x)
  | Exp x => exp_in (enclosure x)
  | Ln x => ln_in (enclosure x)
  | Up x => let i := enclosure x in if rounding then up_in i else i
  | Dn x => let i := enclosure x in if rounding then dn_in i else i
  end.

Theorem enclosure_sound rounding f : encloses (enclosure rounding f) (value rounding f).
Proof.
  induction f; cbn [enclosure value].
  - apply float_sound.
  - apply int_sound.
  - now apply add_sound.
  - now apply sub_sound.
  - now apply mul_sound.
  - now apply divided.
  - now apply max_sound.
  - now apply min_sound.
  - now apply abs_sound.
  - now apply sqrt_sound.
  - now apply exp_in_sound.
  - now apply ln_in_sound.
  - destruct rounding; [now apply up_sound|assumption].
  - destruct rounding; [now apply dn_sound|assumption].
Qed.

(** What enclosures show. *)
Definition at_most (i j : I.type) : bool := is_at_most_zero (sub i j).
Lemma at_most_sound i j x y : encloses i x -> encloses j y -> at_most i j = true -> x <= y.
Proof. intros X Y H; apply Rminus_le; eapply is_at_most_zero_sound; [|exact H]; now apply sub_sound. Qed.
Definition less (i j : I.type) : bool := is_negative (sub i j).
Lemma less_sound i j x y : encloses i x -> encloses j y -> less i j = true -> x < y.
Proof. intros X Y H; apply Rminus_lt; eapply is_negative_sound; [|exact H]; now apply sub_sound. Qed.

End Enclosures.

(** Floats as formulas. *)
Definition num (x : number) : formula := let 'B m e := x in Number m e.
Lemma num_value rounding x : value rounding (num x) = real x.
Proof. now destruct x. Qed.

(** What a map promises of any number that is not below its formula. *)
Record claim := { map_of : formula; promise : R -> Prop; closes : forall v, rounded map_of <= v -> promise v }.

(** A value of a map, and how close to the real one it is, if that is known: it exceeds it by less than a part in so many
    bits, and a number just below it is below the real one.  Enclosures have so many [digits]. *)
Inductive closeness := Close (parts : Z) (lowered : number).
Record certificate := certify { of : claim; said : number; tightness : option closeness; digits : positive }.

(** The value keeps the promise, is not below the real one, and is as close to it. *)
Definition kept (c : certificate) : Prop := promise (of c) (real (said c)) /\ exact (map_of (of c)) <= real (said c).
Definition tight (c : certificate) : Prop :=
  match tightness c with
  | None => True
  | Some (Close parts lowered) =>
    real (said c) <= exact (map_of (of c)) * (1 + real (B 1 (- parts))) /\ real lowered < exact (map_of (of c))
  end.
Definition holds (c : certificate) : Prop := kept c /\ tight c.

Definition certified (c : certificate) : bool :=
  let precision := digits c in let bits := F.PtoP precision in
  let f := map_of (of c) in let v := real_in bits (said c) in let i := enclosure precision false f in
  if at_most precision (enclosure precision true f) v then
    if at_most precision i v then
      match tightness c with
      | None => true
      | Some (Close parts lowered) =>
        at_most precision v (mul bits i (add bits (int bits 1) (real_in bits (B 1 (- parts))))) && less precision (real_in bits lowered) i
      end
    else false
  else false.

Lemma certified_sound c : certified c = true -> holds c.
Proof.
  unfold certified; set (precision := digits c); set (f := map_of (of c)); pose proof (real_sound (F.PtoP precision) (said c)) as V; cbv zeta.
  pose proof (enclosure_sound precision true f) as U; pose proof (enclosure_sound precision false f) as E.
  destruct (at_most precision (enclosure precision true f) _) eqn:A; [|discriminate].
  destruct (at_most precision (enclosure precision false f) _) eqn:B; [|discriminate].
  intros T; split; [split; [apply closes; exact (at_most_sound precision _ _ _ _ U V A)|exact (at_most_sound precision _ _ _ _ E V B)]|].
  unfold tight; destruct (tightness c) as [[parts lowered]|]; [|exact Logic.I].
  apply andb_prop in T; destruct T as [T L]; split.
  - eapply at_most_sound; [exact V| |exact T]; apply mul_sound; [exact E|]; apply add_sound; [apply int_sound|apply real_sound].
  - eapply less_sound; [apply real_sound|exact E|exact L].
Qed.
Theorem all_certified l : forallb certified l = true -> Forall holds l.
Proof. intros H; apply Forall_forall; intros c I; rewrite forallb_forall in H; now apply certified_sound, H. Qed.

(** How many goals a theorem closes: that values keep their promises, and that they are as close as they are told to be. *)
Definition goals {l} (_ : Forall holds l) : N :=
  fold_right (fun c n => (n + match tightness c with Some _ => 2 | None => 1 end)%N) 0%N l.

Ltac certify_all := apply all_certified; vm_cast_no_check (eq_refl true).
