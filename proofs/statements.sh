#!/usr/bin/env bash
# Let Coq print the statement and the axioms of every theorem that a page stands on.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
{
    echo "Set Printing Width 120."
    echo "Require Import Reals ZArith List. From Coquelicot Require Import Coquelicot."
    echo "From DP Require $(grep '\.v$' _CoqProject | sed 's|.*/||; s|\.v$||' | tr '\n' ' ')."
    echo "Open Scope R_scope."
    for theorem in $(cargo run --quiet --locked --package xtask -- theorems); do
        echo "Goal True. idtac \"== $theorem\". Abort."
        echo "Check @$theorem."
        echo "Print Assumptions $theorem."
    done
} > build/Statements.v
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | tr ' ' '\n')
coqc -w -ambiguous-paths "${paths[@]}" -o build/Statements.vo build/Statements.v
