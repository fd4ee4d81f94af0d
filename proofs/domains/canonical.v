(** [Canonical]: one sequence of bytes for each value, and another one for each other value. *)
Require Import List ZArith Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(** [to_be_bytes]: the digits to the base 256 of a number, or of its two's complement. *)
Fixpoint be_bytes (width : nat) (n : Z) : list Z :=
  match width with O => [] | S w => be_bytes w (n / 256) ++ [n mod 256] end.

Lemma be_bytes_length w n : length (be_bytes w n) = w.
Proof. revert n; induction w; intros n; simpl; auto; rewrite app_length, IHw; simpl; lia. Qed.
Lemma be_bytes_modulo w n m : be_bytes w n = be_bytes w m -> n mod 256 ^ Z.of_nat w = m mod 256 ^ Z.of_nat w.
Proof.
  revert n m; induction w as [|w IH]; intros n m H; [simpl; now rewrite !Z.mod_1_r|].
  cbn [be_bytes] in H; apply app_inj_tail in H; destruct H as [H E]; apply IH in H.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  rewrite !Z.rem_mul_r by lia; now rewrite H, E.
Qed.

(** Types of rows.  Floats are their bits: in so many bytes, the pattern of infinity, the pattern that stands for NaN. *)
Inductive type :=
  | Integer (width : nat) (signed : bool)
  | Float (width : nat) (infinity nan : Z)
  | Boolean
  | Text
  | Pair (first second : type)
  | Option (element : type)
  | List (element : type).

Fixpoint value (t : type) : Type :=
  match t with
  | Integer _ _ | Float _ _ _ => Z
  | Boolean => bool
  | Text => list Z
  | Pair a b => (value a * value b)%type
  | Option a => option (value a)
  | List a => list (value a)
  end.

Definition half (width : nat) : Z := 256 ^ Z.of_nat width / 2.
(** A float's size is its bits without the sign. *)
Definition size_bits (width : nat) (bits : Z) : Z := bits mod half width.
Definition is_nan (width : nat) (infinity bits : Z) : bool := infinity <? size_bits width bits.
Definition is_zero (width : nat) (bits : Z) : bool := size_bits width bits =? 0.
(** [if self.is_nan() { NAN } else { *self + 0.0 }]: adding 0.0 changes -0.0 alone. *)
Definition normal (width : nat) (infinity nan bits : Z) : Z :=
  if is_nan width infinity bits then nan else if is_zero width bits then 0 else bits.

Definition byte (b : Z) : Prop := 0 <= b < 256.

Fixpoint valid (t : type) : value t -> Prop :=
  match t return value t -> Prop with
  | Integer w signed => fun n => if signed then - half w <= n < half w else 0 <= n < 256 ^ Z.of_nat w
  | Float w infinity nan => fun bits => 0 <= bits < 256 ^ Z.of_nat w /\ 0 <= nan < 256 ^ Z.of_nat w /\
      0 <= infinity /\ is_nan w infinity nan = true /\ (0 < w)%nat
  | Boolean => fun _ => True
  | Text => Forall byte
  | Pair a b => fun v => valid a (fst v) /\ valid b (snd v)
  | Option a => fun v => match v with Some v => valid a v | None => True end
  | List a => Forall (valid a)
  end.

(** Equality of rows: all NaN are the same, and so are the zeros. *)
Fixpoint same (t : type) : value t -> value t -> Prop :=
  match t return value t -> value t -> Prop with
  | Integer _ _ => eq
  | Float w infinity _ => fun x y => x = y \/ (is_nan w infinity x = true /\ is_nan w infinity y = true) \/
      (is_zero w x = true /\ is_zero w y = true)
  | Boolean => eq
  | Text => eq
  | Pair a b => fun v w => same a (fst v) (fst w) /\ same b (snd v) (snd w)
  | Option a => fun v w => match v, w with Some v, Some w => same a v w | None, None => True | _, _ => False end
  | List a => Forall2 (same a)
  end.

(** A mark before each element, and another at the end. *)
Fixpoint marked {A} (encode : A -> list Z) (l : list A) : list Z :=
  match l with [] => [0] | a :: l => 1 :: encode a ++ marked encode l end.

Fixpoint encode (t : type) : value t -> list Z :=
  match t return value t -> list Z with
  | Integer w _ => be_bytes w
  | Float w infinity nan => fun bits => be_bytes w (normal w infinity nan bits)
  | Boolean => fun b => [if b then 1 else 0]
  | Text => marked (be_bytes 1)
  | Pair a b => fun v => encode a (fst v) ++ encode b (snd v)
  | Option a => fun v => match v with Some v => 1 :: encode a v | None => [0] end
  | List a => marked (encode a)
  end.

Lemma same_length_app {A} (a b x y : list A) : length a = length b -> a ++ x = b ++ y -> a = b /\ x = y.
Proof.
  revert b; induction a as [|c a IH]; intros [|e b]; simpl; try discriminate; auto.
  intros [= L] [= -> H]; destruct (IH b L H) as [-> ->]; auto.
Qed.

Lemma half_double w : (0 < w)%nat -> 256 ^ Z.of_nat w = 2 * half w /\ 0 < half w.
Proof.
  intros H; unfold half; replace (Z.of_nat w) with (Z.succ (Z.of_nat (w - 1))) by lia; rewrite Z.pow_succ_r by lia.
  replace (256 * 256 ^ Z.of_nat (w - 1)) with (128 * 256 ^ Z.of_nat (w - 1) * 2) by ring.
  rewrite Z.div_mul by lia; pose proof (Z.pow_pos_nonneg 256 (Z.of_nat (w - 1)) ltac:(lia) ltac:(lia)); lia.
Qed.
Lemma unsigned_eq w n m : 0 <= n < 256 ^ Z.of_nat w -> 0 <= m < 256 ^ Z.of_nat w -> be_bytes w n = be_bytes w m -> n = m.
Proof. intros Hn Hm H; apply be_bytes_modulo in H; rewrite !Z.mod_small in H; auto. Qed.
Lemma signed_eq w n m : - half w <= n < half w -> - half w <= m < half w -> be_bytes w n = be_bytes w m -> n = m.
Proof.
  destruct w as [|w]; [change (half 0) with 0; intros; lia|]; destruct (half_double (S w)) as [E P]; [lia|]; intros Hn Hm H.
  apply be_bytes_modulo in H; rewrite E in H; set (h := half (S w)) in *; clearbody h; clear E.
  pose proof (Z.div_mod n (2 * h)); pose proof (Z.div_mod m (2 * h)).
  assert (n / (2 * h) = m / (2 * h) \/ n / (2 * h) - m / (2 * h) >= 1 \/ m / (2 * h) - n / (2 * h) >= 1) by lia.
  rewrite H in *; nia.
Qed.

Lemma zero_is_zero w : is_zero w 0 = true.
Proof. unfold is_zero, size_bits; now rewrite Zmod_0_l. Qed.
Lemma zero_not_nan w infinity x : 0 <= infinity -> is_zero w x = true -> is_nan w infinity x = false.
Proof. unfold is_zero, is_nan; rewrite Z.eqb_eq, Z.ltb_ge; lia. Qed.
Lemma normal_same w infinity nan x y : 0 <= infinity -> is_nan w infinity nan = true ->
  normal w infinity nan x = normal w infinity nan y <->
  x = y \/ (is_nan w infinity x = true /\ is_nan w infinity y = true) \/ (is_zero w x = true /\ is_zero w y = true).
Proof.
  intros Hi Hn; unfold normal; pose proof (zero_not_nan w infinity x Hi) as Nx; pose proof (zero_not_nan w infinity y Hi) as Ny.
  pose proof (zero_not_nan w infinity 0 Hi (zero_is_zero w)) as N0; pose proof (zero_is_zero w) as Z0; split.
  - destruct (is_nan w infinity x) eqn:Ex, (is_nan w infinity y) eqn:Ey; [tauto| | |].
    + destruct (is_zero w y) eqn:Zy; intros E; subst; congruence.
    + destruct (is_zero w x) eqn:Zx; intros E; subst; congruence.
    + destruct (is_zero w x) eqn:Zx, (is_zero w y) eqn:Zy; intros E; subst; auto; congruence.
  - intros [->|[[-> ->]|[Zx Zy]]]; auto; rewrite (Nx Zx), (Ny Zy), Zx, Zy; auto.
Qed.

Lemma marked_same {A} (enc : A -> list Z) (ok : A -> Prop) (eqv : A -> A -> Prop) :
  (forall a b x y, ok a -> ok b -> enc a ++ x = enc b ++ y <-> eqv a b /\ x = y) ->
  forall l m x y, Forall ok l -> Forall ok m -> marked enc l ++ x = marked enc m ++ y <-> Forall2 eqv l m /\ x = y.
Proof.
  intros H l; induction l as [|a l IH]; intros [|b m] x y Hl Hm; simpl; split.
  - intros [= ->]; auto.
  - intros [_ ->]; auto.
  - discriminate.
  - intros [F _]; inversion F.
  - discriminate.
  - intros [F _]; inversion F.
  - inversion Hl; inversion Hm; subst; intros [= E]; rewrite <- !app_assoc in E; apply H in E; auto.
    destruct E as [E1 E2]; apply IH in E2; auto; destruct E2; auto.
  - inversion Hl; inversion Hm; subst; intros [F ->]; inversion F; subst; f_equal; rewrite <- !app_assoc.
    apply H; auto; split; auto; apply IH; auto.
Qed.

(** No encoding is the beginning of another, and encodings are equal exactly for equal values. *)
Theorem encode_same t : forall v w x y, valid t v -> valid t w -> encode t v ++ x = encode t w ++ y <-> same t v w /\ x = y.
Proof.
  induction t as [k signed|k infinity nan| | |a IHa b IHb|a IHa|a IHa]; cbn [value valid same encode].
  - intros v w x y Hv Hw; split; [|intros [-> ->]; auto]; intros E.
    apply same_length_app in E; [|now rewrite !be_bytes_length]; destruct E as [E ->]; split; auto.
    destruct signed; [eapply signed_eq|eapply unsigned_eq]; eauto.
  - intros v w x y (Hv & Hn & Hi & N & Hk) (Hw & _); rewrite <- (normal_same k infinity nan v w Hi N).
    split; [|intros [-> ->]; auto]; intros E.
    apply same_length_app in E; [|now rewrite !be_bytes_length]; destruct E as [E ->]; split; auto.
    assert (R : forall u, 0 <= u < 256 ^ Z.of_nat k -> 0 <= normal k infinity nan u < 256 ^ Z.of_nat k).
    { intros u Hu; unfold normal; destruct (is_nan k infinity u); auto; destruct (is_zero k u); auto; lia. }
    apply (unsigned_eq k); auto.
  - intros [] [] x y _ _; simpl; split; try (intros [= ->]; auto); try discriminate; intros [E ->]; auto; discriminate.
  - intros v w x y Hv Hw.
    assert (B : forall l m, Forall2 (@eq Z) l m <-> l = m).
    { intros l m; split; [induction 1; congruence|intros ->; induction m; auto]. }
    rewrite <- (B v w); apply (marked_same (be_bytes 1) byte eq); auto.
    intros p q x' y' Hp Hq; split; [|intros [-> ->]; auto]; intros E.
    apply same_length_app in E; [|now rewrite !be_bytes_length]; destruct E as [E ->]; split; auto.
    apply (unsigned_eq 1); auto.
  - intros [v1 v2] [w1 w2] x y [Hv1 Hv2] [Hw1 Hw2]; cbn [fst snd] in *; rewrite <- !app_assoc, IHa, IHb by auto; tauto.
  - intros [v|] [w|] x y Hv Hw; simpl; split; try discriminate; try tauto.
    + intros [= E]; now apply IHa.
    + intros H; f_equal; now apply IHa.
    + intros [= ->]; auto.
    + intros [_ ->]; auto.
  - intros v w x y; apply marked_same; exact IHa.
Qed.

Theorem canonical t v w : valid t v -> valid t w -> encode t v = encode t w <-> same t v w.
Proof.
  intros Hv Hw; pose proof (encode_same t v w [] [] Hv Hw) as H; rewrite !app_nil_r in H; tauto.
Qed.

(** The two types of floats; zeros and NaN of both signs. *)
Definition f64 : type := Float 8 (2047 * 2 ^ 52) (4095 * 2 ^ 51).
Definition f32 : type := Float 4 (255 * 2 ^ 23) (511 * 2 ^ 22).
Example zeros_are_one : encode f64 (2 ^ 63) = encode f64 0 /\ valid f64 (2 ^ 63) /\ valid f32 (2 ^ 31).
Proof. repeat split; try reflexivity; try (vm_compute; congruence); vm_compute; lia. Qed.
