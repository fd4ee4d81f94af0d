(** The models of the samplers as OCaml programs. *)
Require Import Extraction ExtrOcamlBasic.
From DP Require Import BitTree Reference.
Extraction Language OCaml.
Extraction "model" run uniform coin coin_digits coin_exp discrete_geometric discrete_laplace discrete_gaussian.
