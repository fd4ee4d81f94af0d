//! How many rows of each individual count, by a plan.

use serde_json::Value;

/// The most rows of each individual that a plan, in its canonical JSON, lets count: what its first bound leaves of
/// them. Nothing where no step bounds them, as where single rows are protected.
///
/// ```
/// let plan = r#"{"individuals":"caller","steps":[{"make":"bound_contributions","max_rows":5},{"make":"count"}]}"#;
/// assert_eq!(indistinct_report::rows_of_each(plan), Some(5));
/// assert_eq!(indistinct_report::rows_of_each(r#"{"steps":[{"make":"count"}]}"#), None);
/// ```
pub fn rows_of_each(plan: &str) -> Option<u64> {
    let plan: Value = serde_json::from_str(plan).ok()?;
    plan.get("individuals").and_then(Value::as_str)?;
    of_steps(plan.get("steps")?)
}

/// Of steps one after another; of measurements beside each other, the most.
fn of_steps(steps: &Value) -> Option<u64> {
    steps.as_array()?.iter().find_map(|step| {
        let number = |name| step.get(name).and_then(Value::as_u64);
        match step.get("make").and_then(Value::as_str)? {
            "bound_contributions" => number("max_rows"),
            "bound_groups" => Some(number("max_rows")?.saturating_mul(number("max_groups")?)),
            _ => step.get("measurements")?.as_array()?.iter().filter_map(of_steps).max(),
        }
    })
}

/// What so many rows of each individual mean for the numbers.
///
/// ```
/// assert!(indistinct_report::rows_in_words(5).starts_with("of each individual, at most 5 rows count"));
/// ```
pub fn rows_in_words(rows: u64) -> String {
    match rows {
        1 => {
            "of each individual, 1 row counts, drawn by a fixed rule: COUNT(*) then counts individuals, not rows".into()
        }
        _ => format!(
            "of each individual, at most {rows} rows count, drawn by a fixed rule; others are left out, which no \
             interval knows of"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bound counts, for what comes after it is what it left; the most of what is beside each other.
    #[test]
    fn the_first_bound_counts() {
        let of = |steps: &str| rows_of_each(&format!(r#"{{"individuals":"p","steps":{steps}}}"#));
        let groups = r#"{"make":"bound_groups","by":[],"max_groups":2,"max_rows":3}"#;
        let rows = |rows: u32| format!(r#"{{"make":"bound_contributions","max_rows":{rows}}}"#);
        assert_eq!(of(&format!("[{groups},{}]", rows(1))), Some(6));
        let beside = format!(r#"[{{"make":"composition","measurements":[[{}],[{}],[]]}}]"#, rows(2), rows(4));
        assert_eq!(of(&beside), Some(4));
        assert_eq!(of("[]"), None);
        assert_eq!(rows_of_each("no plan"), None);
    }
}
