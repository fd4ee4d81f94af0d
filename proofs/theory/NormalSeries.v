(** The normal law's distribution function, and a series for it that ends: numbers that certificates compare with the
    library's. [Phi] is an integral from the law's middle, which halves it. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import Expect Theta.
Open Scope R_scope.

Definition gauss (t : R) : R := exp (- t ^ 2 / 2).

Definition Phi (x : R) : R := / 2 + RInt gauss 0 x / sqrt (2 * PI).

(** Balle, Wang 2018, Theorem 8: what Gaussian noise loses beyond [eps], for sensitivity over standard deviation [mu]. *)
Definition normal_delta (mu eps : R) : R := Phi (mu / 2 - eps / mu) - exp eps * Phi (- (mu / 2) - eps / mu).

(** [1 + y/(d+2) (1 + y/(d+4) (1 + ... last))], with [n] factors. *)
Fixpoint nested (n : nat) (d y last : R) : R :=
  match n with O => last | S n => 1 + y / (d + 2) * nested n (d + 2) y last end.

Definition moment (n : nat) (t : R) : R := gauss t * t ^ (2 * n).

Lemma gauss_derive n t : is_derive (fun t => gauss t * t ^ (2 * n + 1)) t ((2 * INR n + 1) * moment n t - moment (S n) t).
Proof.
  unfold moment, gauss; replace (2 * S n)%nat with (S (S (2 * n))) by lia.
  replace (2 * INR n + 1) with (INR (S (2 * n))) by (rewrite S_INR, mult_INR; simpl; ring).
  rewrite Nat.add_1_r; generalize (2 * n)%nat; intros m; auto_derive; [trivial|].
  change (Init.Nat.pred (S m)) with m; replace (- (t * (t * 1)) * / 2) with (- t ^ 2 / 2) by (simpl; field).
  set (e := exp (- t ^ 2 / 2)); simpl (t ^ S _); change (match m with 0%nat => 1 | S _ => INR m + 1 end) with (INR (S m)); field.
Qed.

Lemma gauss_continuous t : continuous gauss t.
Proof. apply (ex_derive_continuous gauss); unfold gauss; now auto_derive. Qed.

Lemma moment_continuous n t : continuous (moment n) t.
Proof. apply (ex_derive_continuous (moment n)); unfold moment, gauss; now auto_derive. Qed.

Lemma moment_ex n a b : ex_RInt (moment n) a b.
Proof. apply (ex_RInt_continuous (moment n)); intros; apply moment_continuous. Qed.

(** By parts. *)
Lemma moment_step n x :
  (2 * INR n + 1) * RInt (moment n) 0 x = gauss x * x ^ (2 * n + 1) + RInt (moment (S n)) 0 x.
Proof.
  assert (E : is_RInt (fun t => (2 * INR n + 1) * moment n t - moment (S n) t) 0 x (gauss x * x ^ (2 * n + 1))).
  { replace (gauss x * x ^ (2 * n + 1)) with (minus (gauss x * x ^ (2 * n + 1)) (gauss 0 * 0 ^ (2 * n + 1))).
    - apply (is_RInt_derive (fun t => gauss t * t ^ (2 * n + 1))); intros t _; [apply gauss_derive|].
      apply (continuous_minus (fun t => (2 * INR n + 1) * moment n t)); [|apply moment_continuous].
      apply (continuous_scal_r (2 * INR n + 1) (moment n)), moment_continuous.
    - unfold minus, plus, opp; simpl; rewrite Nat.add_1_r; simpl; ring. }
  assert (F : is_RInt (fun t => (2 * INR n + 1) * moment n t - moment (S n) t) 0 x
      ((2 * INR n + 1) * RInt (moment n) 0 x - RInt (moment (S n)) 0 x)).
  { apply (is_RInt_minus (fun t => (2 * INR n + 1) * moment n t) (moment (S n))).
    - apply (is_RInt_scal (moment n)), (RInt_correct (moment n)), moment_ex.
    - apply (RInt_correct (moment (S n))), moment_ex. }
  apply (is_RInt_unique (V := R_CompleteNormedModule)) in E, F; rewrite E in F; lra.
Qed.

(** Far out the moments grow. *)
Lemma moment_most n x t : x ^ 2 <= 2 * INR n -> t ^ 2 <= x ^ 2 -> moment n t <= moment n x.
Proof.
  intros N T; unfold moment, gauss; rewrite !pow_mult; set (u := t ^ 2) in *; set (v := x ^ 2) in *.
  assert (U : 0 <= u) by (unfold u; nra).
  destruct (Req_dec v 0) as [->|V]; [replace u with 0 by lra; lra|].
  assert (V' : 0 < v) by lra.
  assert (P : (u / v) ^ n <= exp ((u - v) / 2)).
  { apply Rle_trans with (exp (u / v - 1) ^ n).
    - apply pow_incr; split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
      pose proof (exp_ineq1_le (u / v - 1)); lra.
    - rewrite pow_exp_nat; apply exp_le.
      replace (INR n * (u / v - 1)) with (INR n / v * (u - v)) by (field; lra).
      assert (/ 2 <= INR n / v) by (apply Rmult_le_reg_r with v; [lra|]; replace (INR n / v * v) with (INR n) by (field; lra); lra).
      nra. }
  replace (u ^ n) with ((u / v) ^ n * v ^ n) by (rewrite <- Rpow_mult_distr; f_equal; field; lra).
  apply Rle_trans with (exp (- u / 2) * (exp ((u - v) / 2) * v ^ n)).
  - apply Rmult_le_compat_l; [left; apply exp_pos|]; apply Rmult_le_compat_r; [apply pow_le; lra|exact P].
  - rewrite <- Rmult_assoc, <- exp_plus; right; do 2 f_equal; field.
Qed.

Lemma moment_nonneg n t : 0 <= moment n t.
Proof.
  unfold moment, gauss; rewrite pow_mult; apply Rmult_le_pos; [left; apply exp_pos|apply pow_le; nra].
Qed.

Lemma share_of (i m x : R) : 0 <= i * x <= m * x -> (x = 0 -> i = 0) -> exists share, 0 <= share <= 1 /\ i = share * m.
Proof.
  intros B Z; destruct (Req_dec (m * x) 0) as [M|M].
  - exists 0; split; [lra|]; destruct (Req_dec x 0) as [X|X]; [rewrite Z by exact X; ring|].
    assert (I : i * x = 0) by lra; apply Rmult_integral in I; destruct I; [lra|contradiction].
  - assert (P : 0 < m * x) by lra; exists (i * x / (m * x)); split.
    + split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
      apply Rmult_le_reg_r with (m * x); [exact P|]; replace (i * x / (m * x) * (m * x)) with (i * x) by (field; split; nra).
      lra.
    + field; split; intros X; rewrite X in P; lra.
Qed.

(** What is left of the integral once the series ends. *)
Lemma rest n x : x ^ 2 <= 2 * INR n -> exists share, 0 <= share <= 1 /\ RInt (moment n) 0 x = share * (moment n x * x).
Proof.
  intros N.
  assert (B : 0 <= RInt (moment n) 0 x * x <= moment n x * x * x).
  { destruct (Rle_dec 0 x) as [X|X].
    - assert (0 <= RInt (moment n) 0 x <= moment n x * x); [|nra].
      split; [apply (RInt_ge_0 (moment n)); auto; [apply moment_ex|intros; apply moment_nonneg]|].
      replace (moment n x * x) with (RInt (fun _ => moment n x) 0 x)
        by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
      apply (RInt_le (moment n)); auto; [apply moment_ex|apply ex_RInt_const|].
      intros t T; apply moment_most; [exact N|nra].
    - replace (RInt (moment n) 0 x) with (- RInt (moment n) x 0) by exact (opp_RInt_swap (moment n) x 0 (moment_ex n x 0)).
      assert (0 <= RInt (moment n) x 0 <= moment n x * - x); [|nra].
      split; [apply (RInt_ge_0 (moment n)); [lra|apply moment_ex|intros; apply moment_nonneg]|].
      replace (moment n x * - x) with (RInt (fun _ => moment n x) x 0)
        by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
      apply (RInt_le (moment n)); [lra|apply moment_ex|apply ex_RInt_const|].
      intros t T; apply moment_most; [exact N|nra]. }
  apply share_of with x; [exact B|intros ->; exact (RInt_point 0 (moment n))].
Qed.

Theorem gauss_series n k x : x ^ 2 <= 2 * INR (k + n) ->
  exists last, 0 <= last <= 2 * INR (k + n) + 1 /\
    (2 * INR k + 1) * RInt (moment k) 0 x = gauss x * x ^ (2 * k + 1) * nested n (2 * INR k + 1) (x ^ 2) last.
Proof.
  revert k; induction n as [|n IH]; intros k N.
  - rewrite Nat.add_0_r in *; destruct (rest k x N) as [s [S E]]; exists ((2 * INR k + 1) * s).
    pose proof (pos_INR k); split; [nra|]; rewrite E; unfold moment; simpl (nested 0 _ _ _); rewrite pow_add; ring.
  - rewrite <- Nat.add_succ_comm in *; destruct (IH (S k) N) as [l [L E]]; exists l; split; [exact L|].
    rewrite moment_step; pose proof (pos_INR k); rewrite S_INR in E.
    replace (2 * (INR k + 1) + 1) with (2 * INR k + 1 + 2) in E by ring.
    replace (RInt (moment (S k)) 0 x) with ((2 * INR k + 1 + 2) * RInt (moment (S k)) 0 x / (2 * INR k + 1 + 2))
      by (field; lra).
    rewrite E; simpl (nested (S n) _ _ _); replace (2 * S k + 1)%nat with (2 * k + 1 + 2)%nat by lia.
    rewrite (pow_add x (2 * k + 1) 2); set (p := x ^ (2 * k + 1)); set (d := 2 * INR k + 1) in *.
    set (t := nested n _ _ _); unfold Rdiv; field; unfold d; lra.
Qed.

(** The law's integral by a series of [n] terms, where these are enough to grow no more. *)
Theorem gauss_integral n x : x ^ 2 <= 2 * INR n ->
  exists last, 0 <= last <= 2 * INR n + 1 /\ RInt gauss 0 x = gauss x * x * nested n 1 (x ^ 2) last.
Proof.
  intros N; destruct (gauss_series n 0 x N) as [l [L E]]; exists l; split; [exact L|].
  simpl (INR 0) in E; replace (2 * 0 + 1) with 1 in E by ring; rewrite Rmult_1_l in E.
  rewrite (RInt_ext gauss (moment 0)) by (intros; unfold moment; simpl; ring).
  rewrite E; simpl; ring.
Qed.
