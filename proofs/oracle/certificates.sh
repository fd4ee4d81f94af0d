#!/usr/bin/env bash
# Values of the library's maps, each proved to be no less than the real one, by interval arithmetic in Coq.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/oracle
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | tr ' ' '\n')
coq() { coqc -w none "${paths[@]}" -Q build/oracle DP.Oracle -o "build/oracle/$(basename "$1" .v).vo" "$1"; }
code() { cargo run --quiet --locked --package indistinct-oracle -- "$@"; }
code certificates > build/oracle/Certificates.v
coq build/oracle/Certificates.v
coq oracle/Gaussian.v
code gaussian > build/oracle/GaussianValues.v
coq build/oracle/GaussianValues.v
cat build/oracle/Certificates.v build/oracle/GaussianValues.v | grep -c '^Goal' | sed 's/$/ goals about values of maps were closed/'
