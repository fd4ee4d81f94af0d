//! The privacy unit of a session.

use crate::error::{Fallible, refuse};
use indistinct::{frames::FrameDomain, plans::FrameMetric, queries::Query};
use std::{fmt, str::FromStr};

/// The privacy unit: the difference between two data sets that a release must hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// This number of rows, added or removed.
    Rows(u32),
    /// This number of rows, each replaced with another row.
    ChangedRows(u32),
    /// This number of individuals, added or removed with all of their rows in all tables of the session.
    Individuals(u32),
    /// This number of individuals, whose rows in all tables of the session are replaced with other rows.
    ChangedIndividuals(u32),
}

impl Unit {
    fn number(self) -> u32 {
        let (Unit::Rows(number)
        | Unit::ChangedRows(number)
        | Unit::Individuals(number)
        | Unit::ChangedIndividuals(number)) = self;
        number
    }

    /// Returns the unit's noun, and the change that it protects.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Unit::Rows(1) => ("row", "added or removed"),
            Unit::Rows(_) => ("rows", "added or removed"),
            Unit::ChangedRows(1) => ("row", "changed"),
            Unit::ChangedRows(_) => ("rows", "changed"),
            Unit::Individuals(1) => ("individual", "added or removed"),
            Unit::Individuals(_) => ("individuals", "added or removed"),
            Unit::ChangedIndividuals(1) => ("individual", "changed"),
            Unit::ChangedIndividuals(_) => ("individuals", "changed"),
        }
    }

    /// Returns true if rows must have an identifier.
    pub(crate) fn is_of_individuals(self) -> bool {
        matches!(self, Unit::Individuals(_) | Unit::ChangedIndividuals(_))
    }

    pub(crate) fn check(self) -> Fallible<()> {
        // At most half of the range, so that changed rows can be counted as rows removed and added.
        let is_number = (1..=u32::MAX / 2).contains(&self.number());
        if is_number { Ok(()) } else { Err(refuse("the unit must be from 1 to 2147483647 rows or individuals")) }
    }

    /// Returns the largest distance, in this metric, of two tables read from data sets that differ by the unit.
    ///
    /// A replaced row is one removed and one added. If reading may drop rows, a replaced record may be a row that is
    /// only removed or only added. The tables then have different sizes, and no number of replacements makes them
    /// equal.
    pub(crate) fn distance(self, metric: FrameMetric, leaves_out_rows: bool) -> Fallible<u32> {
        use FrameMetric as M;
        let number = self.number();
        match (self, metric) {
            (Unit::ChangedRows(_), M::ChangeOne(_) | M::Hamming(_)) if leaves_out_rows => Err(refuse(format!(
                "a measurement in {metric:?} gives no guarantee for {self} if rows may be left out, because a changed row may \
                 then be removed or added; use SymmetricDistance, or keep every row (EveryRecord in Rust)"
            ))),
            (Unit::Rows(_), M::Symmetric(_) | M::InsertDelete(_))
            | (Unit::ChangedRows(_), M::ChangeOne(_) | M::Hamming(_))
            | (Unit::Individuals(_), M::SymmetricId(_))
            | (Unit::ChangedIndividuals(_), M::ChangeOneId(_)) => Ok(number),
            (Unit::ChangedRows(_), M::Symmetric(_) | M::InsertDelete(_))
            | (Unit::ChangedIndividuals(_), M::SymmetricId(_)) => Ok(number.saturating_mul(2)),
            (unit, metric) => Err(refuse(format!("a measurement in {metric:?} gives no guarantee for {unit}"))),
        }
    }

    /// Makes a query of a table with this domain that protects the unit, as [`Session::query`](crate::Session::query)
    /// does.
    ///
    /// Changed rows are charged as replaced rows ([`Query::protect_replaced`]), unless reading may drop rows
    /// ([`Source::keeps_every_record`](crate::Source::keeps_every_record)); then they are charged as twice as many rows
    /// removed or added. Changed individuals are always charged as twice as many individuals removed or added.
    pub fn query(self, domain: &FrameDomain, leaves_out_rows: bool) -> Query {
        let query = Query::new(domain);
        match self {
            // A query about individuals under a unit of rows is refused when it is priced.
            Unit::ChangedRows(rows) if !leaves_out_rows && domain.individuals().is_none() => {
                query.protect_replaced(rows)
            }
            Unit::ChangedRows(number) | Unit::ChangedIndividuals(number) => query.group_size(number.saturating_mul(2)),
            Unit::Rows(number) | Unit::Individuals(number) => query.group_size(number),
        }
    }
}

/// Writes text such as `3 individuals added or removed`.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (who, what) = self.words();
        write!(f, "{} {who} {what}", self.number())
    }
}

impl FromStr for Unit {
    type Err = crate::Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let unknown = || refuse(format!("{text:?} is not a unit"));
        let (number, _) = text.split_once(' ').ok_or_else(unknown)?;
        let number: u32 = number.parse().map_err(|_| unknown())?;
        let all = [Unit::Rows, Unit::ChangedRows, Unit::Individuals, Unit::ChangedIndividuals];
        let unit = all.into_iter().map(|of| of(number)).find(|unit| unit.to_string() == text).ok_or_else(unknown)?;
        unit.check()?;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::metrics::{
        ChangeOneDistance, ChangeOneIdDistance, HammingDistance, SymmetricDistance, SymmetricIdDistance,
    };

    #[test]
    fn units_are_distances_in_their_metrics_alone() {
        let (rows, changed) = (FrameMetric::Symmetric(SymmetricDistance), FrameMetric::ChangeOne(ChangeOneDistance));
        let individuals = FrameMetric::SymmetricId(SymmetricIdDistance);
        let replaced = FrameMetric::ChangeOneId(ChangeOneIdDistance);
        for leaves_out_rows in [false, true] {
            let distance = |unit: Unit, metric| unit.distance(metric, leaves_out_rows).unwrap();
            assert_eq!(distance(Unit::Rows(3), rows), 3);
            assert_eq!(distance(Unit::ChangedRows(3), rows), 6);
            assert_eq!(distance(Unit::Individuals(2), individuals), 2);
            assert_eq!(distance(Unit::ChangedIndividuals(2), individuals), 4);
            assert_eq!(distance(Unit::ChangedIndividuals(2), replaced), 2);
        }
        for metric in [changed, FrameMetric::Hamming(HammingDistance)] {
            assert_eq!(Unit::ChangedRows(3).distance(metric, false).unwrap(), 3);
            let error = Unit::ChangedRows(3).distance(metric, true).unwrap_err().to_string();
            assert!(error.contains("if rows may be left out"), "{error}");
        }
        for (unit, metric) in [(Unit::Rows(1), changed), (Unit::Rows(1), individuals), (Unit::Individuals(1), rows)] {
            assert!(unit.distance(metric, false).is_err(), "{unit}");
        }
    }

    #[test]
    fn texts_are_read_back() {
        for unit in [Unit::Rows(1), Unit::ChangedRows(2), Unit::Individuals(7), Unit::ChangedIndividuals(9)] {
            assert_eq!(unit.to_string().parse::<Unit>().unwrap(), unit);
        }
        for text in ["", "rows", "0 rows changed", "01 rows changed", "4000000000 rows changed", "1 rows changed"] {
            assert!(text.parse::<Unit>().is_err(), "{text}");
        }
    }
}
