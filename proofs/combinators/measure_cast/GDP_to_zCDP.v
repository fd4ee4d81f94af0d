(** [make_GDP_to_zCDP]: mu is mu^2/2, for all orders. *)
Require Import Reals Lra.
From DP Require Import Expect DualRenyi GaussianDivergence Measures Rounding.
Open Scope R_scope.

(** Computed exactly, and rounded up once. *)
Definition gaussian_to_zcdp (mu : R) : R := up (mu * mu / 2).

Theorem make_GDP_to_zCDP {Y} mu (P Q : dist Y) : 0 <= mu ->
  gaussian_divergence mu P Q -> zero_concentrated (gaussian_to_zcdp mu) P Q.
Proof.
  intros M [PQ QP].
  assert (B : mu * mu / 2 <= gaussian_to_zcdp mu) by apply up_ge.
  split; (eapply zCDP_mono; [exact B|]); now apply no_easier_zCDP.
Qed.
