//! Hints at the likely step, where a step of a plan cannot be built.

/// The steps that would have to precede a step or replace it, for a chain with this domain and metric in words.
pub(super) fn instead(step: &str, words: &str) -> Option<String> {
    let (domain, metric) = words.rsplit_once(", ")?;
    match domain.starts_with("FrameDomain(") {
        true => of_table(step, INDIVIDUALS.contains(&metric)).map(str::to_owned),
        false => of_noise(step, metric),
    }
}

/// Steps on the columns of a table whose rows are protected one by one.
const OF_ROWS: [&str; 6] =
    ["count_distinct_by", "count_rows_by", "marginals", "rows", "sum_column_by", "sum_column_by_key"];

const INDIVIDUALS: [&str; 2] = ["SymmetricIdDistance", "ChangeOneIdDistance"];

/// Before a step that does not take a table.
fn of_table(step: &str, is_of_individuals: bool) -> Option<&'static str> {
    let is_for_individuals = step.contains("individuals") || step == "bound_groups" || step == "bound_rows";
    match (step, is_of_individuals) {
        (_, true) if OF_ROWS.contains(&step) => Some("limit the rows per individual first, with bound_rows"),
        (_, false) if is_for_individuals => {
            Some("this step needs individuals: set individuals and metric = \"SymmetricIdDistance\" in the plan")
        }
        _ if OF_ROWS.contains(&step) || is_for_individuals => None,
        (_, true) => Some("limit the rows per individual first, with bound_rows, and read a column as rows, with rows"),
        (_, false) => Some("read a column as rows first, with rows"),
    }
}

/// Steps that add noise or select, each with the metric of vectors or maps that it goes with.
const METRICS: [(&str, &str); 9] = [
    ("laplace", "L1Distance"),
    ("gaussian", "L2Distance"),
    ("noisy_max", "LInfDistance"),
    ("noisy_top_k", "LInfDistance"),
    ("exponential", "LInfDistance"),
    ("permute_and_flip", "LInfDistance"),
    ("laplace_threshold", "L01InfDistance"),
    ("gaussian_threshold", "L02InfDistance"),
    ("select_keys", "L01InfDistance"),
];

/// Before or instead of noise or a selection that does not go with this metric.
fn of_noise(step: &str, metric: &str) -> Option<String> {
    let of_step = METRICS.iter().find(|(name, _)| *name == step)?.1;
    let found = metric.trim_end_matches("(monotonic)");
    if found == of_step {
        return None;
    }
    if let Some((other, _)) = METRICS.iter().find(|(_, metric)| *metric == found) {
        return Some(format!("{step} needs {of_step}, which output_metric can set; with {found}, use {other}"));
    }
    let rows = ["SymmetricDistance", "InsertDeleteDistance", "ChangeOneDistance", "HammingDistance"];
    rows.contains(&metric).then(|| "these are still rows: count or sum them first".to_owned())
}

/// The name that a word is likely meant for: with about a letter in four wrong at most.
pub(super) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim_start_matches("make_");
    let (edits, name) = names.map(|name| (edits(word, name), name)).min()?;
    (edits.saturating_mul(4) <= word.len().saturating_add(1)).then_some(name)
}

/// The edit distance between two words: letters to add, remove or replace. For a long word, all its letters.
fn edits(word: &str, name: &str) -> usize {
    if word.len() > 64 {
        return word.len();
    }
    // Edits from the letters of the word so far to each beginning of the name.
    let mut so_far: Vec<usize> = (0..=name.chars().count()).collect();
    for (letter, removed) in word.chars().zip(1..) {
        let (mut next, mut last) = (vec![removed], removed);
        for (other, pair) in name.chars().zip(so_far.windows(2)) {
            if let [replaced, added] = *pair {
                last = (replaced + usize::from(letter != other)).min(added + 1).min(last + 1);
                next.push(last);
            }
        }
        so_far = next;
    }
    so_far.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_for_names_that_differ_little() {
        let names = ["sum", "count", "count_by", "count_by_categories", "mean"];
        let found = |word| nearest(word, names.into_iter());
        assert_eq!(found("sums"), Some("sum"));
        assert_eq!(found("som"), Some("sum"));
        assert_eq!(found("make_count"), Some("count"));
        assert_eq!(found("count_by_category"), Some("count_by_categories"));
        assert_eq!((found("median"), found(""), found(&"sum".repeat(100))), (None, None, None));
        assert_eq!(nearest("sum", std::iter::empty()), None);
        assert_eq!((edits("kitten", "sitting"), edits("", "abc"), edits("abc", "")), (3, 3, 3));
    }

    /// Individuals replaced are individuals, too.
    #[test]
    fn both_metrics_of_individuals_are_known() {
        for metric in INDIVIDUALS {
            let hint = |step| instead(step, &format!("FrameDomain(\"x\": float), {metric}"));
            let bound = "limit the rows per individual first, with bound_rows";
            assert!(
                hint("sum").is_some_and(|hint| hint.starts_with(bound) && hint.ends_with("as rows, with rows")),
                "{metric}"
            );
            for step in OF_ROWS {
                assert_eq!(hint(step), Some(bound.to_owned()), "{step} {metric}");
            }
            assert_eq!(hint("count_individuals_by_key"), None, "{metric}");
        }
        let of_rows = |step| instead(step, "FrameDomain(\"x\": float), SymmetricDistance");
        assert_eq!(
            (of_rows("rows"), of_rows("sum").as_deref()),
            (None, Some("read a column as rows first, with rows"))
        );
        assert!(
            of_rows("count_individuals_by_key").is_some_and(|hint| hint.starts_with("this step needs individuals"))
        );
    }
}
