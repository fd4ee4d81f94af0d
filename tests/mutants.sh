#!/bin/sh
# Small changes to the code that no test notices: `make mutants`, see docs/MUTANTS.md.
#
# FILES   what to change; by default maps, samplers and rounding, which takes days
# SHARD   k/n: every n-th change, from the k-th on
#
# First the unit tests of the crate at hand, which take seconds and notice nearly all; then all tests of the workspace, on what is left.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tree=$root/target/mutants
mkdir -p "$tree"
# What was built there stays.
find "$tree" -mindepth 1 -maxdepth 1 ! -name target -exec rm -rf {} +
cd "$root"
git ls-files -z | xargs -0 cp --parents --target-directory "$tree"
cd "$tree"

# cargo-mutants knows a result by its name: in the copy, the alias is spelled so. Else no `Ok(0.0)` would be tried.
for crate in indistinct sampling numeric; do
	find "rust/$crate/src" -name '*.rs' -exec sed -i -E '/^[[:space:]]*\/\/[\/!]/!s/\bFallible\b/Result/g' {} +
done
sed -i 's|^pub type Result<T> = Result<T, Error>;|pub type Result<T, E = Error> = core::result::Result<T, E>;\n/// The same.\npub type Fallible<T> = Result<T>;|' \
	rust/indistinct/src/core/error.rs rust/sampling/src/error.rs rust/numeric/src/error.rs
sed -i -E 's/^(pub use error::\{.*)Result/\1Fallible, Result/' rust/indistinct/src/core/mod.rs rust/sampling/src/lib.rs rust/numeric/src/lib.rs
sed -i 's/Explanation, Result/Explanation, Fallible, Result/' rust/indistinct/src/prelude.rs

: "${FILES:=rust/indistinct/src/transformations rust/indistinct/src/measurements rust/indistinct/src/combinators \
	rust/indistinct/src/metrics rust/indistinct/src/measures rust/sampling/src \
	rust/numeric/src/arithmetic.rs rust/numeric/src/fast.rs rust/numeric/src/integer.rs rust/numeric/src/convert.rs}"

set -- --in-place --baseline skip --cap-lints true --output target
for file in $FILES; do
	[ -d "$file" ] && file="$file/**/*.rs"
	set -- "$@" --file "$file"
done
[ -z "${SHARD:-}" ] || set -- "$@" --shard "$SHARD" --sharding round-robin
cargo mutants "$@" --timeout 300 -- --lib || true
# The hashes of pages notice every change, and say nothing of the code.
cargo mutants "$@" --iterate --timeout 3600 -- --workspace --exclude xtask
