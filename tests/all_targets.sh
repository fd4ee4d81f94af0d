#!/usr/bin/env bash
# Runs every target of the Makefile in a clean clone, each with a target folder of its own, so that no file of an earlier run hides
# that something is missing. Prints the minutes of each. A target fails here too if it leaves the clone changed: what is generated
# and under version control must be what the sources generate.
#
#   tests/all_targets.sh               all of them
#   tests/all_targets.sh bench doc     some
#
# Those that take hours are run on a part.
set -uo pipefail
cd "$(dirname "$0")/.."

declare -A PART=(
    [audit-deep]="ROWS=make_laplace"
    [fuzz]="FUZZ_SECONDS=34"
    [mutants]="FILES=rust/indistinct/src/transformations/count.rs STAGES=1"
)
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    read -ra targets <<<"$(sed -n 's/^\.PHONY: //p' Makefile | tr ' ' '\n' | grep -vxE 'setup|proofs-setup|all-targets' | tr '\n' ' ')"
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0 failed=0
for target in "${targets[@]}"; do
    git clone --quiet . "$place/clone"
    start=$(date +%s)
    # shellcheck disable=SC2086
    CARGO_TARGET_DIR="$place/target" make -C "$place/clone" "$target" ${PART[$target]:-} >"$place/log" 2>&1
    status=$?
    minutes=$((($(date +%s) - start) / 60)) seconds=$((($(date +%s) - start) % 60))
    changed=$(git -C "$place/clone" status --porcelain)
    if [ $status -eq 0 ] && [ -z "$changed" ]; then
        passed=$((passed + 1)) verdict=ok
    else
        failed=$((failed + 1)) verdict=FAILED
    fi
    printf '%-18s %-6s %3d min %02d s  %s\n' "$target" "$verdict" "$minutes" "$seconds" "${PART[$target]:-}"
    if [ $verdict = FAILED ]; then
        tail -n 20 "$place/log"
        [ -z "$changed" ] || printf 'left changed:\n%s\n' "$changed"
    fi
    rm -rf "$place/clone" "$place/target"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
