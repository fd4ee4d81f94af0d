#!/usr/bin/env bash
# The question of health_survey.rs from a shell: a schema, a budget, a price, a release, and what is left. Run by `make demo`.
# Arguments: the program `indistinct`; a folder for its files, or a temporary one.
set -euo pipefail
program=$1
data=$(cd "$(dirname "$0")/data" && pwd)/rand_hie.csv
folder=${2:-$(mktemp -d)}
[ $# -gt 1 ] || trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The columns that are asked about, by the code book. Each row is a year of an individual.
cat > schema.toml <<'SCHEMA'
unit = "1 individual added or removed"

[tables.years]
individuals = "person_id"

[tables.years.columns]
person_id = "integer"
coinsurance = "integer(missing)"
md_visits = "integer(missing)"

[tables.years.csv]
drop_null = ["person_id"]
SCHEMA

question="SELECT coinsurance, COUNT(*) AS years, AVG(CLAMP(md_visits, 0, 20)) AS visits FROM years
  WHERE coinsurance IN (0, 25, 50, 95, 100) GROUP BY coinsurance"

run() {
    printf '\n$ indistinct'
    for word in "$@"; do
        case $word in
        "$question") printf ' "$QUESTION"' ;;
        "$data") printf ' rand_hie.csv' ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$program" "$@"
}

printf '\nThe same from a shell. QUESTION is\n  %s\n' "$question"
run budget open survey --budget epsilon=1
run price "$question" --spend epsilon=0.8 --max-rows-per-individual 3
run release "$question" --spend epsilon=0.8 --max-rows-per-individual 3 --data "$data" --name visits --yes \
    --html report.html --certificate certificate.json --results released.json
run certificate verify certificate.json --results released.json --ledger budget.ledger
run budget show
