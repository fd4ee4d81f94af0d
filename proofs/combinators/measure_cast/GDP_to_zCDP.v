(** [make_GDP_to_zCDP]: mu is mu^2/2, for all orders. *)
Require Import Reals Lra.
From DP Require Import Expect DualRenyi GaussianDivergence Measures Rounding.
Open Scope R_scope.

(** [mu.inf_div(2.0)?.inf_mul(mu)?]. *)
Definition gaussian_to_zcdp (mu : R) : R := inf_mul (inf_div mu 2) mu.

Theorem make_GDP_to_zCDP {Y} mu (P Q : dist Y) : 0 <= mu ->
  gaussian_divergence mu P Q -> zero_concentrated (gaussian_to_zcdp mu) P Q.
Proof.
  intros M [PQ QP].
  assert (B : mu * mu / 2 <= gaussian_to_zcdp mu).
  { replace (mu * mu / 2) with (mu / 2 * mu) by field; apply inf_mul_ge; split; try lra; apply inf_div_ge; lra. }
  split; (eapply zCDP_mono; [exact B|]); now apply no_easier_zCDP.
Qed.
