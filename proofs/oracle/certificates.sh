#!/usr/bin/env bash
# Values of the library's maps, each proved to be no less than the real one, and so to keep what the map's theorem promises, by
# interval arithmetic in Coq. How many goals there are of each map, as Coq counts them, is in build/oracle/goals.txt, and what
# the proofs rest on in build/oracle/axioms.txt; what is claimed of each value, as Coq prints it, is in build/oracle/claims.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/oracle
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | tr ' ' '\n')
coq() { coqc -w none "${paths[@]}" -Q build/oracle DP.Oracle -o "build/oracle/$(basename "$1" .v).vo" "$1"; }
code() { cargo run --quiet --locked --package indistinct-oracle -- "$@"; }
for theory in Gaussian Formulas Claims; do coq "oracle/$theory.v"; done
{
    echo "Set Printing Width 120. Require Import Reals ZArith NArith List."
    echo "From DP Require Import Oracle.Gaussian Oracle.Formulas Oracle.Claims. Open Scope R_scope."
    printf 'Print %s.\n' Gaussian.real Gaussian.float Gaussian.is_between Formulas.value Formulas.kept Formulas.tight Formulas.holds Gaussian.goals Formulas.goals \
        $(grep -oP '^(Definition|Fixpoint) \K\w+' oracle/Claims.v)
} > build/oracle/Promises.v
coq build/oracle/Promises.v > build/oracle/claims.txt
files=()
for part in 1 2 3 4; do
    files+=("Certificates$part")
    code certificates --part "$part" --of 4 > "build/oracle/Certificates$part.v"
done
files+=(GaussianValues)
code gaussian > build/oracle/GaussianValues.v
# As many at a time as there are cores.
printf 'build/oracle/%s.v\n' "${files[@]}" |
    xargs -P "$(nproc)" -I{} coqc -w none "${paths[@]}" -Q build/oracle DP.Oracle {}
code summary --modules "$(printf 'Oracle.%s ' "${files[@]}")" > build/oracle/Summary.v
coq build/oracle/Summary.v > build/oracle/summary.txt
grep ' goals$' build/oracle/summary.txt | LC_ALL=C sort > build/oracle/goals.txt
grep -v ' goals$' build/oracle/summary.txt > build/oracle/axioms.txt
awk '{ sum += $2 } END { print sum, "goals about values of maps were closed" }' build/oracle/goals.txt
