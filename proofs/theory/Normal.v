(** The normal law: its distribution function, on the whole by which [RoundedGaussian] divides too. *)
Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DP Require Import DualRenyi RoundedGaussian.
Open Scope R_scope.

Lemma standard : 0 < / 2.
Proof. lra. Qed.
(** exp (- (t - m)^2 / 2). *)
Definition hill (m t : R) : R := bell (/ 2) m t.
Definition whole : R := 2 * half (/ 2) standard.
(** The share of the standard law below [x]: the integral from 0 on, and a half. *)
Definition Phi (x : R) : R := / 2 + / whole * G (/ 2) x.

Lemma whole_pos : 0 < whole.
Proof. unfold whole; pose proof (half_pos (/ 2) standard); lra. Qed.
Lemma hill_pos m t : 0 < hill m t.
Proof. apply bell_pos. Qed.

Lemma Phi_opp x : Phi (- x) = 1 - Phi x.
Proof. unfold Phi; rewrite G_opp; lra. Qed.
Lemma Phi_zero : Phi 0 = / 2.
Proof. pose proof (Phi_opp 0) as H; rewrite Ropp_0 in H; lra. Qed.

(** What is between [u] and [v] of the law with mean [m]. *)
Lemma Phi_area m u v : Phi (v - m) - Phi (u - m) = / whole * area (/ 2) m u v.
Proof. unfold Phi; rewrite area_G; ring. Qed.

Lemma Phi_lt u v : u < v -> Phi u < Phi v.
Proof.
  intros H; pose proof (Phi_area 0 u v) as E; rewrite !Rminus_0_r in E.
  assert (0 < / whole * area (/ 2) 0 u v); [|lra].
  apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, whole_pos|apply area_pos; lra].
Qed.
Lemma Phi_le u v : u <= v -> Phi u <= Phi v.
Proof. intros [H| ->]; [left; now apply Phi_lt|lra]. Qed.

(** The tails. *)
Lemma Phi_one x : is_lim_seq (fun n => Phi (INR n + x)) 1.
Proof.
  replace 1 with (/ 2 + / whole * half (/ 2) standard) by
    (pose proof whole_pos; unfold whole in *; field; lra).
  apply is_lim_seq_plus'; [apply is_lim_seq_const|].
  apply (is_lim_seq_scal_l (fun n => G (/ 2) (INR n + x)) (/ whole) (half (/ 2) standard)), half_lim_shift.
Qed.
Lemma Phi_none x : is_lim_seq (fun n => Phi (x - INR n)) 0.
Proof.
  apply is_lim_seq_ext with (fun n => 1 - Phi (INR n + - x)).
  - intros n; rewrite <- Phi_opp; f_equal; ring.
  - replace 0 with (1 - 1) by ring; apply is_lim_seq_minus'; [apply is_lim_seq_const|apply Phi_one].
Qed.
Lemma Phi_le_one x : Phi x <= 1.
Proof.
  apply (is_lim_seq_le (fun _ => Phi x) (fun n => Phi (INR n + x)) (Phi x) 1); [|apply is_lim_seq_const|apply Phi_one].
  intros n; apply Phi_le; pose proof (pos_INR n); lra.
Qed.
Theorem Phi_range x : 0 < Phi x < 1.
Proof.
  assert (H : forall y, Phi y < 1) by (intros y; pose proof (Phi_lt y (y + 1)); pose proof (Phi_le_one (y + 1)); lra).
  split; auto; pose proof (H (- x)); rewrite Phi_opp in *; lra.
Qed.
Lemma Phi_near_none e : 0 < e -> exists x, Phi x < e.
Proof.
  intros H; destruct (proj1 (is_lim_seq_Reals _ _) (Phi_none 0) e H) as [N B].
  exists (0 - INR N); specialize (B N (le_n N)); unfold R_dist in B; rewrite Rminus_0_r in B.
  rewrite Rabs_pos_eq in B; auto; left; apply Phi_range.
Qed.
Lemma Phi_near_one e : 0 < e -> exists x, 1 - e < Phi x.
Proof. intros H; destruct (Phi_near_none e H) as [x B]; exists (- x); rewrite Phi_opp; lra. Qed.

(** The density. *)
Theorem Phi_derive x : is_derive Phi x (/ whole * hill 0 x).
Proof.
  unfold Phi; apply (is_derive_ext (fun y => plus (/ 2) (scal (/ whole) (G (/ 2) y)))); [reflexivity|].
  replace (/ whole * hill 0 x) with (plus 0 (scal (/ whole) (hill 0 x))) by (unfold plus, scal; simpl; unfold mult; simpl; ring).
  apply (is_derive_plus (fun _ => / 2) (fun y => scal (/ whole) (G (/ 2) y))); [apply (is_derive_const (/ 2))|].
  apply (is_derive_scal (G (/ 2))); apply (is_derive_RInt (bell (/ 2) 0) (G (/ 2)) 0).
  - apply filter_forall; intros y; apply (RInt_correct (bell (/ 2) 0)), ex_bell.
  - apply bell_continuous.
Qed.
Lemma Phi_continuous x : continuous Phi x.
Proof. apply (ex_derive_continuous Phi); eexists; apply Phi_derive. Qed.

(** Every share between 0 and 1 is that below some number. *)
Theorem Phi_onto q : 0 < q < 1 -> exists x, Phi x = q.
Proof.
  intros [Q0 Q1]; destruct (Phi_near_none q Q0) as [a A], (Phi_near_one (1 - q)) as [b B]; [lra|].
  destruct (IVT_gen Phi a b q) as (x & _ & E); [|split|now exists x].
  - intros y; apply continuity_pt_filterlim, Phi_continuous.
  - eapply Rle_trans; [apply Rmin_l|lra].
  - eapply Rle_trans; [|apply Rmax_r]; lra.
Qed.

Lemma hill_continuous m t : continuous (hill m) t.
Proof. apply bell_continuous. Qed.
Lemma share_RInt u v : is_RInt (hill 0) u v (whole * (Phi v - Phi u)).
Proof.
  pose proof (Phi_area 0 u v) as E; rewrite !Rminus_0_r in E; rewrite E.
  replace (whole * (/ whole * area (/ 2) 0 u v)) with (area (/ 2) 0 u v) by (pose proof whole_pos; field; lra).
  apply (RInt_correct (bell (/ 2) 0)), ex_bell.
Qed.
Lemma steps_vanish : is_lim_seq (fun N => / (INR N + 1)) 0.
Proof.
  apply is_lim_seq_ext with (fun N => / INR (N + 1)); [intros N; now rewrite plus_INR|].
  apply (is_lim_seq_incr_n (fun N => / INR N) 1).
  replace (Finite 0) with (Rbar_inv p_infty) by reflexivity; apply is_lim_seq_inv; [apply is_lim_seq_INR|discriminate].
Qed.

(** Where an inequality holds for three hills, with weights, it holds for what lies between [u] and [v], below [v], above [u]. *)
Section Under.
Variables (m1 m2 m3 x y z : R).
Definition under (t : R) : Prop := x * hill m1 t <= y * hill m2 t + z * hill m3 t.
Definition share (m u v : R) : R := Phi (v - m) - Phi (u - m).
Lemma under_between u v : u <= v -> (forall t, u < t < v -> under t) -> x * share m1 u v <= y * share m2 u v + z * share m3 u v.
Proof.
  intros L H; unfold share; rewrite !Phi_area.
  assert (C : x * area (/ 2) m1 u v <= y * area (/ 2) m2 u v + z * area (/ 2) m3 u v).
  { assert (I : forall k b, is_RInt (fun t => k * hill b t) u v (k * area (/ 2) b u v)) by
      (intros; apply (is_RInt_scal (hill b)), (RInt_correct (bell (/ 2) b)), ex_bell).
    apply (is_RInt_le (fun t => x * hill m1 t) (fun t => y * hill m2 t + z * hill m3 t) u v);
      [lra|apply I|apply (is_RInt_plus (fun t => y * hill m2 t)); apply I|auto]. }
  pose proof (Rinv_0_lt_compat _ whole_pos).
  assert (/ whole * (x * area (/ 2) m1 u v) <= / whole * (y * area (/ 2) m2 u v + z * area (/ 2) m3 u v)) by
    (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma share_below k m v : is_lim_seq (fun n => k * share m (v - INR n) v) (k * Phi (v - m)).
Proof.
  apply (is_lim_seq_scal_l (fun n => share m (v - INR n) v) k (Phi (v - m))).
  apply is_lim_seq_ext with (fun n => Phi (v - m) - Phi (v - m - INR n)).
  - intros n; unfold share; do 2 f_equal; ring.
  - replace (Finite (Phi (v - m))) with (Finite (Phi (v - m) - 0)) by (f_equal; ring).
    apply is_lim_seq_minus'; [apply is_lim_seq_const|apply Phi_none].
Qed.
Lemma under_below v : (forall t, t < v -> under t) -> x * Phi (v - m1) <= y * Phi (v - m2) + z * Phi (v - m3).
Proof.
  intros H; apply (is_lim_seq_le (fun n => x * share m1 (v - INR n) v) (fun n => y * share m2 (v - INR n) v + z * share m3 (v - INR n) v)
    (x * Phi (v - m1)) (y * Phi (v - m2) + z * Phi (v - m3))).
  - intros n; apply under_between; [pose proof (pos_INR n); lra|intros t T; apply H; lra].
  - apply share_below.
  - apply is_lim_seq_plus'; apply share_below.
Qed.

Lemma share_above k m u : is_lim_seq (fun n => k * share m u (u + INR n)) (k * Phi (m - u)).
Proof.
  apply (is_lim_seq_scal_l (fun n => share m u (u + INR n)) k (Phi (m - u))).
  apply is_lim_seq_ext with (fun n => Phi (INR n + (u - m)) - Phi (u - m)).
  - intros n; unfold share; do 2 f_equal; ring.
  - replace (Finite (Phi (m - u))) with (Finite (1 - Phi (u - m))) by (f_equal; rewrite <- Phi_opp; f_equal; ring).
    apply is_lim_seq_minus'; [apply Phi_one|apply is_lim_seq_const].
Qed.
Lemma under_above u : (forall t, u < t -> under t) -> x * Phi (m1 - u) <= y * Phi (m2 - u) + z * Phi (m3 - u).
Proof.
  intros H; apply (is_lim_seq_le (fun n => x * share m1 u (u + INR n)) (fun n => y * share m2 u (u + INR n) + z * share m3 u (u + INR n))
    (x * Phi (m1 - u)) (y * Phi (m2 - u) + z * Phi (m3 - u))).
  - intros n; apply under_between; [pose proof (pos_INR n); lra|intros t T; apply H; lra].
  - apply share_above.
  - apply is_lim_seq_plus'; apply share_above.
Qed.
End Under.
