#!/usr/bin/env bash
# Replay the library's samplers on their models: 100,000 tapes each, and a mutant of each that must be caught. How
# many tapes there were is in build/oracle/tapes.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/oracle
mapfile -t paths < <(grep -o '^-Q .*' _CoqProject | sed 's|-Q |-Q ../../|' | tr ' ' '\n')
(cd build/oracle && coqc "${paths[@]}" -o Extract.vo ../../oracle/Extract.v)
cp oracle/replay.ml build/oracle
(cd build/oracle && ocamlfind ocamlopt -w -a model.mli model.ml replay.ml -o replay)
code() { cargo run --quiet --locked --package indistinct-oracle -- "$@"; }
code tapes | build/oracle/replay | tee build/oracle/replayed.txt
awk '$3 == "tapes" { print $1, $2, $3 }' build/oracle/replayed.txt | LC_ALL=C sort > build/oracle/tapes.txt
for sampler in uniform_below uniform_below_u64 bernoulli bernoulli_float bernoulli_exp geometric discrete_laplace discrete_gaussian; do
    if code tapes --tapes 2000 --mutant "$sampler" | build/oracle/replay > build/oracle/mutant.txt; then
        echo "the mutant of $sampler was not caught"
        exit 1
    fi
    grep -q "^$sampler " build/oracle/mutant.txt
done
echo "all mutants were caught"
