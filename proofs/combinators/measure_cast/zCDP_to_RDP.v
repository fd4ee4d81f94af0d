(** [make_zCDP_to_RDP]: the curve alpha rho, rounded up. *)
Require Import Reals Lra Psatz.
From DP Require Import Expect DualRenyi Measures Rounding.
Open Scope R_scope.

Lemma renyi_mono {A} al t t' (P Q : dist A) : 1 < al -> t <= t' -> renyi al t P Q -> renyi al t' P Q.
Proof.
  intros Ha Ht H f Hf; destruct (conj_range al Ha); eapply Rle_trans; [exact (H f Hf)|].
  apply Rmult_le_compat_r; [left; apply exp_pos|].
  assert (L : (1 - / al) * t <= (1 - / al) * t') by (apply Rmult_le_compat_l; lra).
  destruct L as [L| ->]; [left; now apply exp_increasing|lra].
Qed.

(** [alpha.inf_mul(rho)], and 0 for no loss. [order al] is the order that the code rebuilds: not below [al]. *)
Definition concentrated (order : R -> R) (rho al : R) : R := if Req_EM_T rho 0 then 0 else inf_mul (order al) rho.

Theorem make_zCDP_to_RDP {Y} order rho (P Q : dist Y) : 0 <= rho -> (forall al, 1 < al -> al <= order al) ->
  zero_concentrated rho P Q -> renyi_divergence (concentrated order rho) P Q.
Proof.
  intros Hr Ho [PQ QP] al Ha; specialize (Ho al Ha).
  assert (B : al * rho <= concentrated order rho al).
  { unfold concentrated; destruct (Req_EM_T rho 0) as [->|N]; [lra|apply inf_mul_ge; lra]. }
  split; (eapply renyi_mono; [exact Ha|exact B|]); auto.
Qed.
