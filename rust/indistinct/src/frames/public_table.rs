//! Public tables: lookups of values, and lists of keys.

use super::{
    batch::Batch,
    cell::Cell,
    column::Column,
    domain::{ColumnDomain, FrameDomain},
    expression::{Expr, KeySet, lookup},
};
use crate::{
    core::{Domain, Error, Fallible, require},
    frames::Kind,
};
use std::{collections::HashSet, fmt};

/// A table that anyone may see, such as the wards of a hospital with their floors. It is not protected.
///
/// Its values become part of plans, and are public.
///
/// ```
/// use indistinct::{frames::*, prelude::*, queries::*};
/// let domain = FrameDomain::new([("ward", ColumnDomain::text()), ("floor", ColumnDomain::integer())])?;
/// let rows = Frame::new([
///     ("ward", ["A1", "A2", "B1"].into_iter().collect::<Column>()),
///     ("floor", [1i64, 1, 2].into_iter().collect()),
/// ])?;
/// let wards = PublicTable::new(&domain, &rows)?;
///
/// let stays = FrameDomain::new([("ward", ColumnDomain::text())])?;
/// let query = Query::new(&stays)
///     .with_column("floor", wards.lookup([("ward", col("ward"))], "floor")?)
///     .group_by(wards.keys(["floor"])?)
///     .count();
/// let counts = query.measurement(Budget::Epsilon(20.0))?;
/// let stays = Frame::new([("ward", (0..90).map(|row| ["A1", "A2", "B1"][row % 3]).collect::<Column>())])?;
/// let counts = counts.release(&stays, 0.05)?;
/// assert!(counts.estimate(0, "count").and_then(|count| count.value).is_some_and(|count| (50.0..70.0).contains(&count)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct PublicTable {
    domain: FrameDomain,
    rows: Vec<Vec<Cell>>,
}

/// The maximum number of rows of a public table.
const MAX_ROWS: usize = 1 << 24;

impl PublicTable {
    /// Makes a public table of these rows, whose columns have these domains.
    ///
    /// # Errors
    ///
    /// Returns an error if rows are not in the domain, if there are more than 2^24 rows, or if a column has dates or
    /// times, which must be texts here.
    pub fn new(domain: &FrameDomain, rows: &[Batch]) -> Fallible<Self> {
        let rule = "must not have dates or times: declare them as text";
        let has_dates = domain.columns().iter().any(|column| matches!(column.kind(), Kind::Date | Kind::Time));
        require(!has_dates, "domain", rule)?;
        require(domain.member(rows), "rows", "must be members of the domain")?;
        let number = rows.iter().map(Batch::rows).fold(0, usize::saturating_add);
        require(number <= MAX_ROWS, "rows", "must be at most 2^24 rows")?;
        let cells =
            |batch: &Batch, row| domain.columns().iter().zip(batch.columns()).map(|pair| cell(pair, row)).collect();
        let rows = rows.iter().flat_map(|batch| (0..batch.rows()).map(move |row| cells(batch, row))).collect();
        Ok(Self { domain: domain.clone(), rows })
    }

    /// Returns the columns with their domains.
    pub fn domain(&self) -> &FrameDomain {
        &self.domain
    }

    /// Keeps the rows whose value in a column is one of these values. Use it if the column of the private table has no
    /// other values, because the other rows are then never looked up.
    ///
    /// # Errors
    ///
    /// Returns an error if the column is unknown.
    pub fn with_values(&self, column: &str, values: &[Cell]) -> Fallible<Self> {
        let column = self.position(column)?;
        let is_kept = |row: &&Vec<Cell>| row.get(column).is_some_and(|cell| values.contains(cell));
        Ok(Self { domain: self.domain.clone(), rows: self.rows.iter().filter(is_kept).cloned().collect() })
    }

    /// Returns an expression over another table's rows: the cell of `column` in this table's row with these keys. It is
    /// missing if this table has no such row, or if one of the keys is missing.
    ///
    /// # Errors
    ///
    /// Returns an error if a column is unknown, if there are no keys, or if several rows have the same keys. If the
    /// private column has categories, a key that is not one of its labels is an error of the step that uses the
    /// expression: see [`with_values`](Self::with_values).
    pub fn lookup<'a>(&self, keys: impl IntoIterator<Item = (&'a str, Expr)>, column: &str) -> Fallible<Expr> {
        let column = self.position(column)?;
        self.found(keys, |row| row.get(column).cloned().unwrap_or(Cell::Missing))
    }

    /// Returns an expression that is true if the table has a row with these values in these columns, and missing
    /// otherwise.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`lookup`](Self::lookup).
    pub fn has<'a>(&self, keys: impl IntoIterator<Item = (&'a str, Expr)>) -> Fallible<Expr> {
        self.found(keys, |_| Cell::Bool(true))
    }

    fn found<'a>(
        &self,
        keys: impl IntoIterator<Item = (&'a str, Expr)>,
        value: impl Fn(&[Cell]) -> Cell,
    ) -> Fallible<Expr> {
        let keys: Vec<(&str, Expr)> = keys.into_iter().collect();
        require(!keys.is_empty(), "keys", "must not be empty")?;
        let columns = keys.iter().map(|(name, _)| self.position(name)).collect::<Fallible<Vec<_>>>()?;
        let (mut rows, mut known) = (Vec::new(), HashSet::new());
        for row in &self.rows {
            let key: Vec<Cell> = columns.iter().filter_map(|&at| row.get(at).cloned()).collect();
            if !key.iter().any(Cell::is_null) {
                let rule = "must be unique in the public table, because rows would otherwise be counted twice";
                require(known.insert(key.iter().map(|cell| format!("{cell}")).collect::<Vec<_>>()), "keys", rule)?;
                rows.push((key, value(row)));
            }
        }
        Ok(lookup(keys.into_iter().map(|(_, value)| value), rows))
    }

    /// Returns the distinct keys in these columns, in the order of their first rows.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no columns, if one is unknown or repeated, or if the table has no rows.
    pub fn keys<'a>(&self, columns: impl IntoIterator<Item = &'a str>) -> Fallible<KeySet> {
        let columns: Vec<&str> = columns.into_iter().collect();
        let places = columns.iter().map(|name| self.position(name)).collect::<Fallible<Vec<_>>>()?;
        let (mut keys, mut known) = (Vec::new(), HashSet::new());
        for row in &self.rows {
            let key: Vec<Cell> = places.iter().filter_map(|&at| row.get(at).cloned()).collect();
            if known.insert(key.iter().map(|cell| format!("{cell}")).collect::<Vec<_>>()) {
                keys.push(key);
            }
        }
        KeySet::list(columns, keys)
    }

    fn position(&self, name: &str) -> Fallible<usize> {
        let place = self.domain.names().iter().position(|known| known == name);
        place.ok_or_else(|| Error::parameter("column", format!("there is no column {name:?} in the public table")))
    }
}

/// Returns a cell as a value: the label for a category.
fn cell((domain, column): (&ColumnDomain, &Column), row: usize) -> Cell {
    let cell = column.cell(row).canonical();
    match (domain.labels(), &cell) {
        (Some(labels), Cell::Integer(place)) => {
            let label = usize::try_from(*place).ok().and_then(|place| labels.get(place));
            label.map_or(Cell::Missing, |label| Cell::Text(label.clone()))
        }
        _ => cell,
    }
}

/// Prints the columns only, because there may be many rows.
impl fmt::Debug for PublicTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicTable").field("domain", &self.domain).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::{Frame, col};

    fn wards() -> PublicTable {
        let domain = FrameDomain::new([
            ("ward", ColumnDomain::text().with_missing()),
            ("kind", ColumnDomain::category(["surgery", "other"]).unwrap()),
            ("floor", ColumnDomain::float()),
        ]);
        let rows = Frame::new([
            ("ward", [Some("A1"), Some("A2"), None, None].into_iter().collect::<Column>()),
            ("kind", [0i64, 1, 1, 0].into_iter().collect()),
            ("floor", [0.0, -0.0, 2.5, 0.0].into_iter().collect()),
        ]);
        PublicTable::new(&domain.unwrap(), &rows.unwrap()).unwrap()
    }

    #[test]
    fn rows_are_found_by_keys_that_stand_once() {
        let wards = wards();
        let kind = wards.lookup([("ward", col("ward"))], "kind").unwrap();
        assert_eq!(kind, lookup([col("ward")], [(vec!["A1".into()], "surgery"), (vec!["A2".into()], "other")]));
        let has = wards.has([("ward", col("w"))]).unwrap();
        assert_eq!(has, lookup([col("w")], [(vec!["A1".into()], true), (vec!["A2".into()], true)]));
        // -0.0 is 0.0: the key stands twice.
        for keys in [vec![("kind", col("a")), ("floor", col("b"))], vec![("kind", col("a"))], vec![]] {
            assert!(wards.has(keys).is_err());
        }
        assert!(wards.lookup([("ward", col("ward"))], "floors").is_err());
        let surgery = wards.with_values("kind", &["surgery".into()]).unwrap();
        let floor = surgery.lookup([("kind", col("a")), ("ward", col("b"))], "floor").unwrap();
        assert_eq!(floor, lookup([col("a"), col("b")], [(vec!["surgery".into(), "A1".into()], 0.0)]));
    }

    #[test]
    fn keys_are_listed_once() {
        let wards = wards();
        let keys = |columns: &[&str]| wards.keys(columns.iter().copied()).unwrap();
        assert_eq!(keys(&["floor"]).keys().collect::<Vec<_>>(), [[Cell::Float(0.0)], [Cell::Float(2.5)]]);
        assert_eq!(keys(&["kind", "ward"]).len(), 4);
        assert_eq!(keys(&["ward"]).key(2), Some(&[Cell::Missing][..]));
        assert!(wards.keys(["ward", "ward"]).is_err() && wards.keys([]).is_err());
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let domain = |column| FrameDomain::new([("a", column)]).unwrap();
        let rows = Frame::new([("a", [1i64].into_iter().collect::<Column>())]).unwrap();
        assert!(PublicTable::new(&domain(ColumnDomain::integer()), &rows).is_ok());
        for column in [ColumnDomain::text(), ColumnDomain::date()] {
            assert!(PublicTable::new(&domain(column), &rows).is_err());
        }
    }
}
