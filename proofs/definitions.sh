#!/usr/bin/env bash
# Let Coq print what the statements in statements.txt speak of: all definitions of the project that they name, or that these name,
# with their bodies. What is opaque there, or was owed by `Program`, is left out if it is a proof, and else shown by its type.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | tr ' ' '\n')
print() { coqc -w none "${paths[@]}" -o "build/$1.vo" "build/$1.v" > "build/$1.txt"; }
xtask() { cargo run --quiet --locked --package xtask -- "$@"; }
modules=$(grep '\.v$' _CoqProject | sed 's|.*/||; s|\.v$||')
preamble() {
    echo "Set Printing Width 120."
    echo "Require Import Reals ZArith List. From Coquelicot Require Import Coquelicot."
    echo "From DP Require ${modules//$'\n'/ }."
    echo "Open Scope R_scope."
}

# What each module has; a parameter is what is opaque.
{
    preamble
    sed 's/.*/Print Module &./' <<< "$modules"
} > build/Modules.v
print Modules

# Statements with nothing implied, to be searched for names; and each definition twice, to be read and to be searched.
{
    preamble
    echo "Ltac told x := let t := type of x in match type of t with Prop => idtac | _ => idtac \"opaque:\" t end."
    xtask theorems | sed 's/.*/Goal True. idtac "?? &". Abort. Set Printing All. Check @&. Unset Printing All./'
    awk '
        before == "Module" { module = $1 }
        { before = $0 }
        match($0, /^     [A-Z]/) && $1 ~ /^(Definition|Inductive|CoInductive|Variant|Record|Parameter)$/ {
            kind = $1
            if (NF == 1) { getline; $0 = kind " " $0 }
            name = module "." $2
            sub(/[^A-Za-z0-9_.\x27].*$/, "", name)
            if (kind == "Parameter" || name ~ /_obligation_[0-9]+$/) {
                print "Goal True. idtac \"== " name "\". told @" name ". Abort."
            } else {
                print "Goal True. idtac \"== " name "\". Abort. Print " name "."
                print "Goal True. idtac \"-- " name "\". Abort. Set Printing All. Print " name ". Unset Printing All."
            }
        }
    ' build/Modules.txt
} > build/Definitions.v
print Definitions
xtask definitions build/Definitions.txt
