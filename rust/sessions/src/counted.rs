//! How much of each individual counts, by a plan.

use indistinct::queries::Limit;
use serde_json::Value;

/// The contribution limits of a plan in canonical JSON, each limit once. The list is empty if all rows of every
/// individual count, or if single rows are protected. It is `None` if the plan's steps leave the limits open.
///
/// ```
/// use indistinct::queries::Limit;
/// let plan = r#"{"individuals":"caller","steps":[{"make":"bound_contributions","max_rows":5},{"make":"count"}]}"#;
/// assert_eq!(indistinct_sessions::limits_of(plan), Some(vec![Limit::Rows(5)]));
/// assert_eq!(indistinct_sessions::limits_of(r#"{"steps":[{"make":"count"}]}"#), Some(vec![]));
/// ```
pub fn limits_of(plan: &str) -> Option<Vec<Limit>> {
    let plan: Value = serde_json::from_str(plan).ok()?;
    let steps = plan.get("steps")?.as_array()?;
    let mut limits = Vec::new();
    if plan.get("individuals").is_some_and(Value::is_string) {
        Counted::default().walk(steps, &mut limits)?;
    }
    Some(limits)
}

/// The known limits of an individual's rows at a place of a plan.
#[derive(Debug, Clone, Default)]
struct Counted {
    /// The most rows of an individual.
    rows: Option<u64>,
    /// The most groups of an individual, and the most rows in each, if some step made few of them.
    groups: Option<u64>,
    rows_in_group: Option<u64>,
    /// True if an individual has one row for each of their groups.
    is_of_groups: bool,
}

impl Counted {
    /// Add the limits of steps one after another, and of those inside them; nothing, if no step limits an individual.
    fn walk(mut self, steps: &[Value], limits: &mut Vec<Limit>) -> Option<()> {
        for (place, step) in steps.iter().enumerate() {
            let number = |name: &str| step.get(name).and_then(Value::as_u64);
            let is_all = || step.get("by").and_then(Value::as_array).is_some_and(Vec::is_empty);
            match step.get("make").and_then(Value::as_str)? {
                "aggregate_individuals" if is_all() => self = Self { rows: Some(1), ..Self::default() },
                "aggregate_individuals" => self.is_of_groups = true,
                "flat_map" | "join_rows" => self = Self { groups: self.groups, ..Self::default() },
                "bound_groups" => {
                    let (groups, rows) = (number("max_groups")?, number("max_rows")?);
                    let limit = match is_all() {
                        true => Limit::Rows(rows),
                        false => Limit::RowsInGroups { groups, rows },
                    };
                    self.limit(groups.saturating_mul(rows), limit, limits);
                    if !is_all() {
                        (self.groups, self.rows_in_group) = (Some(groups), Some(rows));
                    }
                }
                "bound_contributions" => {
                    let rows = number("max_rows")?;
                    match self.is_of_groups {
                        true => self.limit_groups(rows, steps.get(place..)?, limits),
                        false => self.limit(rows, Limit::Rows(rows), limits),
                    }
                    return Some(());
                }
                "sum_by_categories_of_individuals" => {
                    let (rows, in_group) = (number("max_rows")?, number("max_rows_of_category")?);
                    match self.is_of_groups {
                        true => self.limit_groups(rows, steps.get(place..)?, limits),
                        false => self.limit_both(rows, in_group, step, limits),
                    }
                    return Some(());
                }
                "count_individuals_by" => {
                    self.limit_groups(number("max_keys")?, &[], limits);
                    return Some(());
                }
                _ => {
                    if let Some(measurements) = step.get("measurements").and_then(Value::as_array) {
                        return measurements.iter().try_for_each(|steps| self.clone().walk(steps.as_array()?, limits));
                    }
                }
            }
        }
        None
    }

    /// Limits the rows, if there may be more of them.
    fn limit(&mut self, rows: u64, limit: Limit, limits: &mut Vec<Limit>) {
        if self.rows.is_none_or(|most| most > rows) {
            self.rows = Some(rows);
            add(limit, limits);
        }
    }

    /// Limits the rows in each group and in all, if there may be more of them in either.
    fn limit_both(&mut self, rows: u64, in_group: u64, step: &Value, limits: &mut Vec<Limit>) {
        if self.rows_in_group.is_none_or(|most| most > in_group) && self.rows.is_none_or(|most| most > in_group) {
            let groups = [Some(rows), self.groups, listed(std::slice::from_ref(step))].into_iter().flatten().min();
            let groups = groups.unwrap_or(rows);
            self.limit(groups.saturating_mul(in_group), Limit::RowsInGroups { groups, rows: in_group }, limits);
        }
        self.limit(rows, Limit::Rows(rows), limits);
    }

    /// Limits the groups, if there may be more of them. A later step may state the number of groups.
    fn limit_groups(&self, groups: u64, after: &[Value], limits: &mut Vec<Limit>) {
        let most = [self.rows, self.groups, listed(after)].into_iter().flatten().min();
        if most.is_none_or(|most| most > groups) {
            add(Limit::Groups(groups), limits);
        }
    }
}

/// How many categories the first of these steps that lists some lists.
fn listed(steps: &[Value]) -> Option<u64> {
    let listed = steps.iter().find_map(|step| step.get("categories")?.as_array());
    listed.and_then(|listed| u64::try_from(listed.len()).ok())
}

fn add(limit: Limit, limits: &mut Vec<Limit>) {
    if !limits.contains(&limit) {
        limits.push(limit);
    }
}

/// The meaning of a limit for the released numbers.
///
/// ```
/// use indistinct::queries::Limit;
/// assert!(indistinct_sessions::limit_in_words(Limit::Rows(5)).starts_with("of each individual, at most 5 rows count"));
/// ```
pub fn limit_in_words(limit: Limit) -> String {
    match limit {
        Limit::Rows(1) => format!("{limit}, drawn by a fixed rule: COUNT(*) then counts individuals, not rows"),
        _ => format!("{limit}, drawn by a fixed rule; others are left out, and no interval includes their effect"),
    }
}

/// The rows of a table that count, by a plan, out of all rows or of those that `rows` describes.
///
/// ```
/// let plan = r#"{"individuals":"caller","steps":[{"make":"bound_contributions","max_rows":5},{"make":"count"}]}"#;
/// assert!(indistinct_sessions::rows_in_words(plan, "all").starts_with("of each individual, at most 5 rows count"));
/// assert_eq!(indistinct_sessions::rows_in_words(r#"{"steps":[{"make":"count"}]}"#, "all"), "all");
/// ```
pub fn rows_in_words(plan: &str, rows: &str) -> String {
    let limits = match limits_of(plan) {
        Some(limits) => limits.into_iter().map(limit_in_words).collect(),
        None => vec!["of each individual as many as the plan's steps leave".into()],
    };
    let of_table = (limits.is_empty() || rows != "all").then(|| rows.to_owned());
    of_table.into_iter().chain(limits).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(steps: &str) -> Option<Vec<Limit>> {
        limits_of(&format!(r#"{{"individuals":"p","steps":{steps}}}"#))
    }

    fn rows(rows: u32) -> String {
        format!(r#"{{"make":"bound_contributions","max_rows":{rows}}}"#)
    }

    /// A bound that leaves all that an earlier one left is none.
    #[test]
    fn what_a_bound_leaves_is_not_limited_again() {
        let groups = |by: &str| format!(r#"{{"make":"bound_groups","by":{by},"max_groups":2,"max_rows":3}}"#);
        let of_groups = Limit::RowsInGroups { groups: 2, rows: 3 };
        assert_eq!(of(&format!("[{},{}]", groups(r#"["city"]"#), rows(6))), Some(vec![of_groups]));
        assert_eq!(of(&format!("[{},{}]", groups(r#"["city"]"#), rows(5))), Some(vec![of_groups, Limit::Rows(5)]));
        assert_eq!(of(&format!("[{},{}]", groups("[]"), rows(6))), Some(vec![Limit::Rows(3)]));
        let beside = format!(r#"[{{"make":"composition","measurements":[[{}],[{}]]}}]"#, rows(2), rows(4));
        assert_eq!(of(&beside), Some(vec![Limit::Rows(2), Limit::Rows(4)]));
    }

    /// Individuals are counted by one row in each group: in all of them, if there are no more.
    #[test]
    fn individuals_are_limited_to_groups() {
        let people = |most: u32, listed: &str| {
            let by = r#"{"make":"aggregate_individuals","by":["city"],"columns":[]}"#;
            format!(r#"[{by},{},{{"make":"count_by_categories","categories":{listed}}}]"#, rows(most))
        };
        assert_eq!(of(&people(1, "[0,1]")), Some(vec![Limit::Groups(1)]));
        assert_eq!((of(&people(2, "[0,1]")), of(&people(1, "[0]"))), (Some(vec![]), Some(vec![])));
        let unknown_keys = r#"[{"make":"count_individuals_by","max_keys":3}]"#;
        assert_eq!(of(unknown_keys), Some(vec![Limit::Groups(3)]));
        // All rows of an individual became one.
        let joined = r#"{"make":"aggregate_individuals","by":[],"columns":[["days",["sum","days"]]]}"#;
        assert_eq!(of(&format!("[{joined},{}]", rows(1))), Some(vec![]));
        let divided = r#"{"make":"flat_map"}"#;
        assert_eq!(of(&format!("[{joined},{divided},{}]", rows(1))), Some(vec![Limit::Rows(1)]));
    }

    /// A sum within two limits has those of the groups before it, or its own.
    #[test]
    fn sums_within_two_limits_are_limited_to_both() {
        let sum = |rows: u32, in_category: u32| {
            let limits = format!(r#""max_rows":{rows},"max_rows_of_category":{in_category}"#);
            format!(r#"{{"make":"sum_by_categories_of_individuals","categories":[0,1,2,3],{limits}}}"#)
        };
        let bound = r#"{"make":"bound_groups","by":["city"],"max_groups":2,"max_rows":3}"#;
        let both = Limit::RowsInGroups { groups: 2, rows: 3 };
        assert_eq!(of(&format!("[{bound},{}]", sum(6, 3))), Some(vec![both]));
        assert_eq!(of(&format!("[{bound},{}]", sum(5, 3))), Some(vec![both, Limit::Rows(5)]));
        let fewer = Limit::RowsInGroups { groups: 2, rows: 1 };
        assert_eq!(of(&format!("[{bound},{}]", sum(6, 1))), Some(vec![both, fewer]));
        let alone = |groups, rows| Limit::RowsInGroups { groups, rows };
        assert_eq!(of(&format!("[{}]", sum(2, 1))), Some(vec![alone(2, 1)]));
        assert_eq!(of(&format!("[{}]", sum(9, 1))), Some(vec![alone(4, 1)]));
        assert_eq!(of(&format!("[{}]", sum(6, 2))), Some(vec![alone(4, 2), Limit::Rows(6)]));
        let people = r#"{"make":"aggregate_individuals","by":["city"],"columns":[]}"#;
        assert_eq!(of(&format!("[{people},{}]", sum(2, 1))), Some(vec![Limit::Groups(2)]));
        assert_eq!(of(&format!("[{people},{}]", sum(4, 1))), Some(vec![]));
    }

    #[test]
    fn nothing_is_said_of_what_is_not_known() {
        assert_eq!((of("[]"), limits_of("no plan")), (None, None));
        assert_eq!(rows_in_words("no plan", "all"), "of each individual as many as the plan's steps leave");
        let told =
            rows_in_words(r#"{"individuals":"p","steps":[{"make":"bound_contributions","max_rows":2}]}"#, "north");
        assert!(told.starts_with("north; of each individual, at most 2 rows count"), "{told}");
    }
}
