#!/usr/bin/env bash
# Values of the library's maps, each proved to be no less than the real one, by interval arithmetic in Coq. How many there are
# of each map is in build/oracle/goals.txt, and what the proofs rest on in build/oracle/axioms.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/oracle
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | tr ' ' '\n')
coq() { coqc -w none "${paths[@]}" -Q build/oracle DP.Oracle -o "build/oracle/$(basename "$1" .v).vo" "$1"; }
code() { cargo run --quiet --locked --package indistinct-oracle -- "$@"; }
code certificates > build/oracle/Certificates.v
coq build/oracle/Certificates.v > build/oracle/axioms.txt
coq oracle/Gaussian.v
code gaussian > build/oracle/GaussianValues.v
coq build/oracle/GaussianValues.v >> build/oracle/axioms.txt
cat build/oracle/Certificates.v build/oracle/GaussianValues.v |
    awk '/^\(\* /{ name = $2 } /^Theorem /{ count[name]++ } END { for (name in count) print name, count[name], "goals" }' |
    LC_ALL=C sort > build/oracle/goals.txt
awk '{ sum += $2 } END { print sum, "goals about values of maps were closed" }' build/oracle/goals.txt
