#!/usr/bin/env bash
# Let Coq print the statement of every theorem that a page stands on, and the axioms of all of them together.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
mapfile -t theorems < <(cargo run --quiet --locked --package xtask -- theorems)
{
    echo "Set Printing Width 120."
    echo "Require Import Reals ZArith List. From Coquelicot Require Import Coquelicot."
    echo "From DP Require $(grep '\.v$' _CoqProject | sed 's|.*/||; s|\.v$||' | tr '\n' ' ')."
    echo "Open Scope R_scope."
    printf 'Goal True. idtac "== %s". Abort. Check @%s.\n' $(printf '%s\n' "${theorems[@]}" | sed 's/.*/& &/')
    # One after another, each would be searched again for what all share.
    echo "Definition all := $(printf 'conj (@%s) (' "${theorems[@]}") I $(printf ')%.0s' "${theorems[@]}")."
    echo 'Goal True. idtac "== axioms of all". Abort. Print Assumptions all.'
} > build/Statements.v
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | tr ' ' '\n')
coqc -w -ambiguous-paths "${paths[@]}" -o build/Statements.vo build/Statements.v
