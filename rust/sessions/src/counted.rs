//! The contribution limits of a plan.

use indistinct::queries::Limit;
use serde_json::Value;

/// Returns the contribution limits of a plan in canonical JSON, each limit once. The list is empty if all rows of every
/// individual count, or if single rows are protected. It is `None` if the limits cannot be seen from the plan's steps.
///
/// ```
/// use indistinct::queries::Limit;
/// let plan = r#"{"individuals":"caller","steps":[{"make":"bound_rows","max_rows":5},{"make":"count"}]}"#;
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

/// The known limits of an individual's rows at a step of a plan.
#[derive(Debug, Clone, Default)]
struct Counted {
    /// The maximum number of rows of an individual.
    rows: Option<u64>,
    /// The limits on groups, and on rows in each group, that hold here.
    bounds: Vec<Bound>,
    /// The columns whose groups each have one row of an individual.
    one_row_in: Option<Vec<String>>,
    /// Computed columns with their expressions. A copy of a computed column has the same expression.
    computed: Vec<(String, String)>,
}

/// The maximum number of an individual's groups by some columns, and of rows in each group.
#[derive(Debug, Clone)]
struct Bound {
    by: Vec<String>,
    groups: u64,
    rows: u64,
}

impl Counted {
    /// Adds the limits of consecutive steps and of the steps inside them; `None` if no step limits an individual.
    fn walk(mut self, steps: &[Value], limits: &mut Vec<Limit>) -> Option<()> {
        for (place, step) in steps.iter().enumerate() {
            let number = |name: &str| step.get(name).and_then(Value::as_u64);
            let is_all = || step.get("by").and_then(Value::as_array).is_some_and(Vec::is_empty);
            match step.get("make").and_then(Value::as_str)? {
                "aggregate_individuals" if is_all() => self = Self { rows: Some(1), ..Self::default() },
                "aggregate_individuals" => self.one_row_in = Some(self.sources(names(step, "by"))),
                // One row becomes several, which may be in other groups than it was.
                "flat_map" | "join_rows" => self = Self::default(),
                "with_columns" => {
                    let computed = computed(step).map(|(name, value)| (name.to_owned(), self.source(value).to_owned()));
                    let computed: Vec<_> = computed.collect();
                    self.computed.extend(computed);
                }
                "bound_groups" => {
                    let (groups, rows) = (number("max_groups")?, number("max_rows")?);
                    if is_all() {
                        self.limit(rows, Limit::Rows(rows), limits);
                    } else {
                        self.bound(Bound { by: self.sources(names(step, "by")), groups, rows }, limits);
                    }
                }
                "bound_rows" => {
                    let rows = number("max_rows")?;
                    match self.one_row_in {
                        Some(_) => self.limit_groups(rows, steps.get(place..)?, limits),
                        None => self.limit(rows, Limit::Rows(rows), limits),
                    }
                    return Some(());
                }
                "sum_column_by_of_individuals" => {
                    let (rows, in_group) = (number("max_rows")?, number("max_rows_of_place")?);
                    match self.one_row_in {
                        Some(_) => self.limit_groups(rows, steps.get(place..)?, limits),
                        None => self.limit_both(rows, in_group, step, limits),
                    }
                    return Some(());
                }
                "count_individuals_by_key" => {
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

    /// Limits the rows, if there may be more.
    fn limit(&mut self, rows: u64, limit: Limit, limits: &mut Vec<Limit>) {
        if self.rows.is_none_or(|most| most > rows) {
            self.rows = Some(rows);
            add(limit, limits);
        }
    }

    /// Limits the groups and the rows in each, if an earlier bound by the same columns allows more of either. Both
    /// bounds hold from here on.
    fn bound(&mut self, bound: Bound, limits: &mut Vec<Limit>) {
        let Bound { groups, rows, .. } = bound;
        let is_less = self.most(&bound.by).is_none_or(|before| before.0 > groups || before.1 > rows);
        // An individual is in at most as many groups as they have rows.
        if is_less && self.rows.is_none_or(|most| most > groups.min(rows)) {
            add(Limit::RowsInGroups { groups, rows }, limits);
        }
        let all = groups.saturating_mul(rows);
        self.rows = Some(self.rows.map_or(all, |most| most.min(all)));
        self.bounds.push(bound);
    }

    /// The most groups by these columns, and the most rows in each, if they are bounded.
    fn most(&self, by: &[String]) -> Option<(u64, u64)> {
        let same = || self.bounds.iter().filter(|bound| bound.by == by);
        Some((same().map(|bound| bound.groups).min()?, same().map(|bound| bound.rows).min()?))
    }

    /// Limits the rows at each place and at all places together, if either number may exceed its limit.
    fn limit_both(&mut self, rows: u64, in_group: u64, step: &Value, limits: &mut Vec<Limit>) {
        let place = step.get("place").and_then(Value::as_str);
        let before = place.and_then(|column| self.most(&self.sources(vec![column])));
        let is_less = before.is_none_or(|(_, rows)| rows > in_group);
        if is_less && self.rows.is_none_or(|most| most > in_group) {
            let most = before.map(|(groups, _)| groups);
            let groups = [Some(rows), most, listed(std::slice::from_ref(step))].into_iter().flatten().min();
            let groups = groups.unwrap_or(rows);
            let all = groups.saturating_mul(in_group);
            self.rows = Some(self.rows.map_or(all, |most| most.min(all)));
            add(Limit::RowsInGroups { groups, rows: in_group }, limits);
        }
        self.limit(rows, Limit::Rows(rows), limits);
    }

    /// Limits the groups, if there may be more. A later step may state the number of groups.
    fn limit_groups(&self, groups: u64, after: &[Value], limits: &mut Vec<Limit>) {
        let before = self.one_row_in.as_ref().and_then(|by| self.most(by)).map(|(groups, _)| groups);
        let most = [self.rows, before, listed(after)].into_iter().flatten().min();
        if most.is_none_or(|most| most > groups) {
            add(Limit::Groups(groups), limits);
        }
    }

    /// The expression of a computed column, or the column itself.
    fn source<'a>(&'a self, column: &'a str) -> &'a str {
        let computed = self.computed.iter().rfind(|(name, _)| name == column);
        computed.map_or(column, |(_, expression)| expression)
    }

    fn sources(&self, columns: Vec<&str>) -> Vec<String> {
        let mut sources: Vec<String> = columns.into_iter().map(|column| self.source(column).to_owned()).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

/// The names in a list of a step.
fn names<'a>(step: &'a Value, list: &str) -> Vec<&'a str> {
    step.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The columns that a step computes, with their expressions.
fn computed(step: &Value) -> impl Iterator<Item = (&str, &str)> {
    fn pair(pair: &Value) -> Option<(&str, &str)> {
        Some((pair.get(0)?.as_str()?, pair.get(1)?.as_str()?))
    }
    step.get("columns").and_then(Value::as_array).into_iter().flatten().filter_map(pair)
}

/// Returns the number of places that the first step with some states.
fn listed(steps: &[Value]) -> Option<u64> {
    steps.iter().find_map(|step| step.get("places")?.as_u64())
}

fn add(limit: Limit, limits: &mut Vec<Limit>) {
    if !limits.contains(&limit) {
        limits.push(limit);
    }
}

/// Explains a limit of released numbers.
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

/// Describes the rows of a table that count in a plan, out of all rows or of those that `rows` describes.
///
/// ```
/// let plan = r#"{"individuals":"caller","steps":[{"make":"bound_rows","max_rows":5},{"make":"count"}]}"#;
/// assert!(indistinct_sessions::rows_in_words(plan, "all").starts_with("of each individual, at most 5 rows count"));
/// assert_eq!(indistinct_sessions::rows_in_words(r#"{"steps":[{"make":"count"}]}"#, "all"), "all");
/// ```
pub fn rows_in_words(plan: &str, rows: &str) -> String {
    let limits = match limits_of(plan) {
        Some(limits) => limits.into_iter().map(limit_in_words).collect(),
        None => vec!["for each individual as many as the plan's steps keep".into()],
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
        format!(r#"{{"make":"bound_rows","max_rows":{rows}}}"#)
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

    /// Each individual is counted by one row in each group; it counts in all groups if their number is within the
    /// limit.
    #[test]
    fn individuals_are_limited_to_groups() {
        let people = |most: u32, places: u32| {
            let by = r#"{"make":"aggregate_individuals","by":["city"],"columns":[]}"#;
            format!(r#"[{by},{},{{"make":"count_rows_by","places":{places}}}]"#, rows(most))
        };
        assert_eq!(of(&people(1, 2)), Some(vec![Limit::Groups(1)]));
        assert_eq!((of(&people(2, 2)), of(&people(1, 1))), (Some(vec![]), Some(vec![])));
        let unknown_keys = r#"[{"make":"count_individuals_by_key","max_keys":3}]"#;
        assert_eq!(of(unknown_keys), Some(vec![Limit::Groups(3)]));
        // All rows of an individual became one.
        let joined = r#"{"make":"aggregate_individuals","by":[],"columns":[["days",["sum","days"]]]}"#;
        assert_eq!(of(&format!("[{joined},{}]", rows(1))), Some(vec![]));
        let divided = r#"{"make":"flat_map"}"#;
        assert_eq!(of(&format!("[{joined},{divided},{}]", rows(1))), Some(vec![Limit::Rows(1)]));
    }

    /// A bound on groups by other columns says nothing of the groups of a sum, and a later bound that allows more does
    /// not replace an earlier one.
    #[test]
    fn bounds_are_of_the_columns_that_they_group_by() {
        let bound = |by: &str, groups: u32, rows: u32| {
            format!(r#"{{"make":"bound_groups","by":["{by}"],"max_groups":{groups},"max_rows":{rows}}}"#)
        };
        let sum = |rows: u32, at_place: u32| {
            let limits = format!(r#""max_rows":{rows},"max_rows_of_place":{at_place}"#);
            format!(r#"{{"make":"sum_column_by_of_individuals","place":"place","places":4,"column":"days",{limits}}}"#)
        };
        let place = |of: &str| format!(r#"{{"make":"with_columns","columns":[["place","{of}"]]}}"#);
        let limit = |groups, rows| Limit::RowsInGroups { groups, rows };
        let of_city = |column: &str| of(&format!("[{},{},{}]", bound("city", 2, 3), place(column), sum(6, 3))).unwrap();
        assert_eq!(of_city("city"), [limit(2, 3)]);
        assert_eq!(of_city("ward"), [limit(2, 3), limit(4, 3)]);
        assert_eq!(of_city("floor(city)"), of_city("ward"));
        let again = |first: String, second: String| of(&format!("[{first},{second},{}]", people("city", 5))).unwrap();
        fn people(by: &str, most: u32) -> String {
            let rows = format!(r#"{{"make":"bound_rows","max_rows":{most}}}"#);
            format!(r#"{{"make":"aggregate_individuals","by":["{by}"],"columns":[]}},{rows}"#)
        }
        assert_eq!(again(bound("city", 2, 1), bound("city", 9, 9)), [limit(2, 1)]);
        assert_eq!(again(bound("city", 9, 9), bound("city", 2, 1)), [limit(9, 9), limit(2, 1)]);
        assert_eq!(again(bound("city", 3, 1), bound("ward", 1, 2)), [limit(3, 1), limit(1, 2)]);
        let of_ward = of(&format!("[{},{}]", bound("city", 2, 9), people("ward", 5))).unwrap();
        assert_eq!(of_ward, [limit(2, 9), Limit::Groups(5)]);
    }

    /// A sum within two limits has those of the groups before it, or its own.
    #[test]
    fn sums_within_two_limits_are_limited_to_both() {
        let sum = |rows: u32, at_place: u32| {
            let limits = format!(r#""max_rows":{rows},"max_rows_of_place":{at_place}"#);
            format!(r#"{{"make":"sum_column_by_of_individuals","place":"city","places":4,"column":"days",{limits}}}"#)
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
        assert_eq!(rows_in_words("no plan", "all"), "for each individual as many as the plan's steps keep");
        let told = rows_in_words(r#"{"individuals":"p","steps":[{"make":"bound_rows","max_rows":2}]}"#, "north");
        assert!(told.starts_with("north; of each individual, at most 2 rows count"), "{told}");
    }
}
