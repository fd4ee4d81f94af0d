//! Contribution limits.

use crate::{
    core::{Fallible, ToParameter, require},
    plans::Call,
};
use std::fmt;

/// The limit on the rows of an individual that count. Intervals do not account for rows that a limit leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// An individual counts once in each of their groups, in at most this number of groups.
    Groups(u64),
    /// At most this number of rows of an individual count, in any groups.
    Rows(u64),
    /// Two limits: on the rows of an individual in each group, and on the groups.
    RowsInGroups {
        /// The maximum number of groups in which an individual counts.
        groups: u64,
        /// The maximum number of an individual's rows that count in each group.
        rows: u64,
    },
}

/// Writes the limit in words: "each individual counts in at most 1 group".
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = |number: &u64| if *number == 1 { "" } else { "s" };
        match self {
            Limit::Groups(groups) => {
                write!(f, "each individual counts in at most {groups} group{}", ending(groups))
            }
            Limit::Rows(1) => f.write_str("of each individual, 1 row counts"),
            Limit::Rows(rows) => write!(f, "of each individual, at most {rows} rows count"),
            Limit::RowsInGroups { groups, rows } => {
                let (row, group) = (ending(rows), ending(groups));
                write!(f, "of each individual, at most {rows} row{row} in each of at most {groups} group{group} count")
            }
        }
    }
}

/// The limits that a query puts on individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// The maximum number of groups of an individual that count, if it was given; all groups if there are no more.
    pub(super) groups: Option<u32>,
    /// The maximum number of rows of an individual that count; in each group, if the number of groups was given.
    pub(super) rows: u32,
    /// True if the rows of each individual were combined into one row, so that nothing is left out.
    pub(super) is_joined: bool,
}

impl Limits {
    /// Returns the number of rows of an individual that count in all groups together.
    pub(super) fn all_rows(self) -> Fallible<u32> {
        let all = self.rows.checked_mul(self.groups.unwrap_or(1));
        require(all.is_some(), "max_groups_per_individual", "times max_rows_per_individual must be below 2^32")?;
        Ok(all.unwrap_or(u32::MAX))
    }

    /// Returns the step that keeps this many rows of each individual; in each of its groups, if `by` names the group.
    pub(super) fn bound_groups(self, by: Option<String>) -> Call {
        Call::new(
            "bound_groups",
            [
                ("by".to_owned(), Vec::from_iter(by).to_parameter()),
                ("max_groups".to_owned(), self.groups.unwrap_or(1).to_parameter()),
                ("max_rows".to_owned(), self.rows.to_parameter()),
            ],
        )
    }

    /// Returns the number of groups in which an individual counts, for counts of individuals.
    pub(super) fn groups_of_individual(self) -> u32 {
        self.groups.unwrap_or(1)
    }
}

/// Returns the limits of several statistics in one line, without names if they are all the same.
pub(super) fn in_words<'a>(all: impl Iterator<Item = (&'a str, Option<Limit>)>) -> Option<String> {
    let all: Vec<(&str, Option<Limit>)> = all.collect();
    let (_, first) = all.first()?;
    if all.iter().all(|(_, limit)| limit == first) {
        return first.map(|limit| limit.to_string());
    }
    let words = all.iter().filter_map(|(name, limit)| limit.map(|limit| format!("{name}: {limit}")));
    Some(words.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_words() {
        let told = |limit: Limit| limit.to_string();
        assert_eq!(told(Limit::Groups(1)), "each individual counts in at most 1 group");
        assert_eq!(told(Limit::Groups(3)), "each individual counts in at most 3 groups");
        assert_eq!(told(Limit::Rows(1)), "of each individual, 1 row counts");
        assert_eq!(told(Limit::Rows(5)), "of each individual, at most 5 rows count");
        let both = Limit::RowsInGroups { groups: 2, rows: 1 };
        assert_eq!(told(both), "of each individual, at most 1 row in each of at most 2 groups count");
        let (one, two) = (Some(Limit::Rows(1)), Some(Limit::Groups(1)));
        assert_eq!(in_words([("n", None)].into_iter()), None);
        assert_eq!(in_words([("n", one), ("m", one)].into_iter()).as_deref(), Some("of each individual, 1 row counts"));
        let mixed = in_words([("n", one), ("all", None), ("people", two)].into_iter());
        let truth = "n: of each individual, 1 row counts; people: each individual counts in at most 1 group";
        assert_eq!(mixed.as_deref(), Some(truth));
    }
}
