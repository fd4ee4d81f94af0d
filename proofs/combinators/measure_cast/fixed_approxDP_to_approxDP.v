(** [make_fixed_approxDP_to_approxDP]: what a pair of epsilon and delta says at another epsilon. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect Approx Measures.
Open Scope R_scope.

(** Of pure privacy alone: what randomized response loses. *)
Definition response_delta (own epsilon : R) : R := Rmax 0 ((exp own - exp epsilon) / (1 + exp own)).

Theorem pure_profile {Y} own epsilon (P Q : dist Y) : 0 <= own -> 0 <= epsilon -> max_divergence own P Q ->
  close epsilon (response_delta own epsilon) P Q.
Proof.
  intros Ho He [PQ QP] f Hf.
  assert (A := PQ f Hf); assert (B : 1 - Ex Q f <= exp own * (1 - Ex P f) + 0).
  { specialize (QP (fun y => 1 - f y)); rewrite !Ex_minus, !Ex_const in QP by auto using Int_const, Int_unit.
    apply QP; intros y; specialize (Hf y); lra. }
  pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); set (p := Ex P f) in *; set (q := Ex Q f) in *.
  assert (O : 1 <= exp own) by (pose proof (exp_ineq1_le own); lra).
  assert (E : 1 <= exp epsilon) by (pose proof (exp_ineq1_le epsilon); lra).
  set (x := exp own) in *; set (z := exp epsilon) in *; unfold response_delta; fold x z.
  set (r := (x - z) / (1 + x)); assert (Er : r * (1 + x) = x - z) by (unfold r; field; lra).
  destruct (Rle_dec x z) as [L|L].
  - pose proof (Rmax_l 0 r); assert (x * q <= z * q) by (apply Rmult_le_compat_r; lra); lra.
  - pose proof (Rmax_r 0 r); assert (N : z < x) by lra; assert (Hx : 0 < x - 1) by lra.
    (* a multiple of each of the two promises *)
    assert (G : p <= z * q + r); [|lra].
    apply Rmult_le_reg_l with ((x - 1) * (1 + x)); [nra|].
    assert (X1 : (x - z) * (x * p - q) <= (x - z) * (x - 1)) by (apply Rmult_le_compat_l; lra).
    assert (X2 : (z * x - 1) * (p - x * q) <= (z * x - 1) * 0) by (apply Rmult_le_compat_l; nra).
    replace ((x - 1) * (1 + x) * (z * q + r)) with ((x - 1) * (1 + x) * (z * q) + (x - 1) * (r * (1 + x))) by ring.
    rewrite Er; nra.
Qed.

(** [optimal_composition_delta(1, own, delta, epsilon)], which the code encloses, and cuts at 1. *)
Definition pair_delta (own delta epsilon : R) : R := delta + (1 - delta) * response_delta own epsilon.

Theorem make_fixed_approxDP_to_approxDP {Y} own delta (upper : R -> R) (P Q : dist Y) : 0 <= own -> 0 <= delta <= 1 ->
  (forall epsilon, 0 <= epsilon -> pair_delta own delta epsilon <= upper epsilon) ->
  approximate max_divergence own delta P Q -> smoothed_max_divergence (fun epsilon => Rmin (upper epsilon) 1) P Q.
Proof.
  intros Ho Hd U (P' & P'' & Q' & Q'' & HP & HQ & C) epsilon E; specialize (U epsilon E).
  assert (X : forall P P' P'' Q Q' Q'' : dist Y, mixture delta P P' P'' -> mixture delta Q Q' Q'' -> max_divergence own P' Q' ->
    close epsilon (Rmin (upper epsilon) 1) P Q).
  { clear - Ho Hd E U; intros P P' P'' Q Q' Q'' HP HQ C f Hf.
    pose proof (Ex_unit P f Hf); pose proof (Ex_unit Q f Hf); pose proof (exp_pos epsilon).
    unfold Rmin; destruct (Rle_dec (upper epsilon) 1); [|nra].
    rewrite HP, HQ by auto with dp; pose proof (pure_profile own epsilon P' Q' Ho E C f Hf) as G.
    pose proof (Ex_unit P'' f Hf); pose proof (Ex_unit Q'' f Hf); unfold pair_delta in U.
    assert ((1 - delta) * Ex P' f <= (1 - delta) * (exp epsilon * Ex Q' f + response_delta own epsilon)) by
      (apply Rmult_le_compat_l; lra).
    assert (0 <= exp epsilon * (delta * Ex Q'' f)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert (delta * Ex P'' f <= delta * 1) by (apply Rmult_le_compat_l; lra); lra. }
  split; [apply (X P P' P'' Q Q' Q'')|apply (X Q Q' Q'' P P' P'')]; auto; destruct C; split; auto.
Qed.
