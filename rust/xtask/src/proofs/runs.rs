//! What binds theorems to the code by running both: certificates of values, and tapes that are replayed.

/// Written by `make -C proofs update`, and compared by `make proofs`: `make_sum 200 goals`.
pub(super) const RUNS: &str = "proofs/oracle/runs.txt";

/// The least number of each kind that earns a level.
const LEAST: [(&str, u32); 2] = [("goals", 100), ("tapes", 100_000)];

/// What is wrong with a run of this name.
pub(super) fn problem(name: &str, ran: &str) -> Option<String> {
    let counted = ran.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let Some((count, kind)) = counted.and_then(|counted| counted.split_once(' ')) else {
        return Some(format!("runs: {name} is not in {RUNS}"));
    };
    let least = LEAST.iter().find_map(|(of, least)| (*of == kind).then_some(*least));
    let enough = least.zip(count.parse::<u32>().ok()).is_some_and(|(least, count)| count >= least);
    (!enough).then(|| format!("runs: {counted} of {name} are too few", counted = format_args!("{count} {kind}")))
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn a_run_is_known_by_its_whole_name_and_is_long_enough() {
        let ran = "make_sum 200 goals\nmake_sum_by 99 goals\nuniform_below 1000 tapes\nother 500 words\n";
        assert_eq!(problem("make_sum", ran), None);
        for name in ["make_su", "make", "make_clamp", ""] {
            assert!(problem(name, ran).is_some_and(|what| what.contains("is not in")), "{name}");
        }
        for name in ["make_sum_by", "uniform_below", "other"] {
            assert!(problem(name, ran).is_some_and(|what| what.contains("are too few")), "{name}");
        }
    }
}
