//! Several tables about the same individuals as one table.

use super::{
    batch::{Batch, Frame},
    cell::{Cell, Storage},
    column::Column,
    domain::{ColumnDomain, FrameDomain},
};
use crate::core::{Error, Fallible};
use std::iter::repeat_n;

/// The column with the name of the table that a row comes from.
const TABLE: &str = "table";

impl FrameDomain {
    /// Makes the domain of the rows of several tables about the same individuals, one table after the other.
    ///
    /// An individual's presence is all of their rows in all of the tables, so a guarantee for individuals covers all
    /// tables together. The first column, `table`, is a category with the name of each row's table. It is followed by
    /// the columns of the first table, and the new columns of each further table; columns with the same name are one
    /// column. If a table lacks a column, its rows have a missing value there. The number of rows is unknown.
    ///
    /// [`Frame::stacked`] combines the data, and [`make_join_rows`](super::make_join_rows) joins rows that belong
    /// together.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no tables or two tables have the same name, if a table has no column of
    /// individuals or a different one than the first table, if columns with the same name differ, or if a column has
    /// the name `table`.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*};
    /// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("days", ColumnDomain::float())])?;
    /// let payments = FrameDomain::new([("patient", ColumnDomain::integer()), ("paid", ColumnDomain::float())])?;
    /// let stays = stays.with_individuals("patient")?;
    /// let payments = payments.with_individuals("patient")?;
    /// let both = FrameDomain::stacked([("stays", stays), ("payments", payments)])?;
    /// assert_eq!(both.names().join(" "), "table patient days paid");
    /// assert_eq!(format!("{:?}", both.column("paid")?), "float(missing)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stacked<N: Into<String>>(tables: impl IntoIterator<Item = (N, FrameDomain)>) -> Fallible<Self> {
        let (labels, tables): (Vec<String>, Vec<FrameDomain>) =
            tables.into_iter().map(|(name, table)| (name.into(), table)).unzip();
        let refuse = |rule: String| Err(Error::parameter("tables", rule));
        let (Some(first), Ok(label)) = (tables.first(), ColumnDomain::category(labels)) else {
            return refuse("must contain at least one table, and their names must differ".into());
        };
        let Some(individuals) = first.individuals() else {
            return refuse("must each name the column of individuals".into());
        };
        let mut described: Vec<(String, ColumnDomain)> = vec![(TABLE.into(), label)];
        for table in &tables {
            let is_of_same = table.individuals() == Some(individuals);
            if !is_of_same || table.has_individuals_or_null() != first.has_individuals_or_null() {
                return refuse(format!("must all declare the column of individuals, {individuals:?}, in the same way"));
            }
            for (name, column) in table.names().iter().zip(table.columns()) {
                if name == TABLE {
                    return refuse(format!(
                        "must not have a column {TABLE:?}: it is added, and holds the name of a row's table"
                    ));
                }
                match described.iter().find(|(listed, _)| listed == name) {
                    Some((_, other)) if other != column => {
                        return refuse(format!(
                            "declare the column {name:?} differently, as {other:?} and as {column:?}: rename one"
                        ));
                    }
                    Some(_) => {}
                    None => described.push((name.clone(), column.clone())),
                }
            }
        }
        let is_everywhere = |name: &String| name == TABLE || tables.iter().all(|table| table.names().contains(name));
        let or_missing = |(name, column): (String, ColumnDomain)| {
            let column = if is_everywhere(&name) { column } else { column.with_missing() };
            (name, column)
        };
        let stacked = Self::new(described.into_iter().map(or_missing))?;
        if first.has_individuals_or_null() {
            stacked.with_individuals_or_null(individuals)
        } else {
            stacked.with_individuals(individuals)
        }
    }
}

impl Frame {
    /// Combines the rows of several tables, one table after the other, into a member of the domain that
    /// [`FrameDomain::stacked`] makes. The result shares existing cells, and also missing ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the domain has no categorical column named `table`, if that column does not list a table's
    /// name, if a table has a column that the domain lacks, or if a table lacks a column that may not have missing
    /// cells.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*};
    /// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("days", ColumnDomain::float())])?;
    /// let payments = FrameDomain::new([("patient", ColumnDomain::integer()), ("paid", ColumnDomain::float())])?;
    /// let stays = stays.with_individuals("patient")?;
    /// let payments = payments.with_individuals("patient")?;
    /// let both = FrameDomain::stacked([("stays", stays), ("payments", payments)])?;
    /// let patients = |patients: [i64; 2]| ("patient", patients.into_iter().collect::<Column>());
    /// let stays = Frame::new([patients([7, 8]), ("days", [2.0, 5.0].into_iter().collect())])?;
    /// let payments = Frame::new([patients([8, 8]), ("paid", [120.0, 80.0].into_iter().collect())])?;
    /// let frame = Frame::stacked(&both, [("stays", stays), ("payments", payments)])?;
    /// assert!(both.member(&frame) && frame.rows() == 4);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stacked<N: Into<String>>(
        domain: &FrameDomain,
        tables: impl IntoIterator<Item = (N, Frame)>,
    ) -> Fallible<Self> {
        let refuse = |rule: String| Error::parameter("tables", rule);
        let labels = domain.column(TABLE)?.labels();
        let labels = labels.ok_or_else(|| Error::parameter("domain", "must have a column `table` of categories"))?;
        let tables: Vec<(String, Frame)> = tables.into_iter().map(|(name, frame)| (name.into(), frame)).collect();
        let rows = tables.iter().flat_map(|(_, frame)| frame.iter().map(Batch::rows)).max().unwrap_or(0);
        let described = || domain.names().iter().zip(domain.columns());
        // As many missing cells as any batch has rows, of which each has its own.
        let missing: Vec<Column> = described().map(|(_, column)| missing(column.kind().storage(), rows)).collect();
        let mut batches = Vec::new();
        for (table, frame) in tables {
            let label = labels.iter().zip(0i64..).find_map(|(label, place)| (*label == table).then_some(place));
            let label = label.ok_or_else(|| {
                refuse(format!("there is no table {table:?} in the domain, which has {}", labels.join(", ")))
            })?;
            let label: Column = repeat_n(label, rows).collect();
            for batch in frame.iter().filter(|batch| batch.rows() > 0) {
                let mut columns = Vec::new();
                for ((name, column), missing) in described().zip(&missing) {
                    let place = batch.names().iter().position(|listed| listed == name);
                    let cells = place.and_then(|place| batch.columns().get(place));
                    columns.push(match cells {
                        _ if name == TABLE => label.slice(0, batch.rows()),
                        Some(cells) => cells.clone(),
                        None if column.has_missing() => missing.slice(0, batch.rows()),
                        None => return Err(refuse(format!("must have the column {name:?}, which {table:?} lacks"))),
                    });
                }
                let is_known = |name: &&String| *name != TABLE && domain.names().contains(name);
                if let Some(name) = batch.names().iter().find(|name| !is_known(name)) {
                    return Err(refuse(format!(
                        "must not have the column {name:?} of {table:?}, which the domain lacks"
                    )));
                }
                batches.push(Batch::new(domain.names().clone(), columns, batch.rows()));
            }
        }
        Ok(Self::from(batches))
    }
}

/// Returns a column of missing cells.
fn missing(storage: Storage, rows: usize) -> Column {
    Column::from_storage(storage, repeat_n(Cell::Missing, rows))
}

#[cfg(test)]
mod tests {
    use crate::{frames::*, prelude::*};

    fn stays() -> FrameDomain {
        let columns = [
            ("patient", ColumnDomain::text()),
            ("stay", ColumnDomain::integer()),
            ("ward", ColumnDomain::category(["a", "b"]).unwrap()),
        ];
        FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap()
    }

    fn payments() -> FrameDomain {
        let columns = [
            ("paid", ColumnDomain::float().with_bounds(0.0, 9.0).unwrap()),
            ("patient", ColumnDomain::text()),
            ("stay", ColumnDomain::integer()),
            ("late", ColumnDomain::bool()),
        ];
        FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap()
    }

    fn both() -> FrameDomain {
        FrameDomain::stacked([("stays", stays().with_size(3)), ("payments", payments())]).unwrap()
    }

    fn frame_of_stays(rows: usize) -> Frame {
        let rows = || 0..i64::try_from(rows).unwrap();
        Frame::new([
            ("patient", rows().map(|row| format!("p{}", row % 7)).collect::<Column>()),
            ("stay", rows().collect()),
            ("ward", Column::from_cells(Kind::Category, rows().map(|row| (row % 2).into()))),
        ])
        .unwrap()
    }

    #[test]
    fn what_may_be_missing_is_what_a_table_lacks() {
        let domain = both();
        assert_eq!(domain.names().join(" "), "table patient stay ward paid late");
        let columns: Vec<String> = domain.columns().iter().map(|column| format!("{column:?}")).collect();
        let expected =
            ["text", "integer", "category(\"a\", \"b\", missing)", "float(0.0..=9.0, missing)", "bool(missing)"];
        assert_eq!(columns[1..], expected);
        assert_eq!(columns[0], "category(\"stays\", \"payments\")");
        assert_eq!((domain.individuals(), domain.size()), (Some("patient"), None));
        // One table alone lacks nothing.
        let one = FrameDomain::stacked([("stays", stays())]).unwrap();
        assert!(one.columns().iter().all(|column| !column.has_missing()));
    }

    /// Batches of all sizes, some without rows, and a table without batches.
    #[test]
    fn rows_of_all_tables_one_after_the_other() {
        let paid = Frame::new([
            ("paid", [1.5, 0.0].into_iter().collect::<Column>()),
            ("patient", ["p1", "p9"].into_iter().collect()),
            ("stay", [1i64, 2].into_iter().collect()),
            ("late", [true, false].into_iter().collect()),
        ])
        .unwrap();
        let no_payments = || Frame::from(Vec::new());
        for rows in [0, 1, 4096, 9000] {
            let tables = || [("stays", frame_of_stays(rows)), ("payments", paid.clone())];
            let frame = Frame::stacked(&both(), tables()).unwrap();
            assert!(both().member(&frame));
            assert_eq!(frame.rows(), rows + 2);
            let last = frame.last().unwrap();
            let cells: Vec<Cell> = last.columns().iter().map(|column| column.cell(0)).collect();
            let expected: [Cell; 6] = [1i64.into(), "p1".into(), 1i64.into(), Cell::Missing, 1.5.into(), true.into()];
            assert_eq!(cells, expected);
            let alone =
                Frame::stacked(&both(), [("payments", no_payments()), ("stays", frame_of_stays(rows))]).unwrap();
            assert!(both().member(&alone) && alone.rows() == rows);
            let missing = |batch: &Batch| (3..6).map(|place| batch.columns()[place].cell(0).is_null()).collect();
            assert!(alone.iter().map(missing).all(|missing: Vec<bool>| missing == [false, true, true]));
        }
    }

    #[test]
    fn what_is_refused() {
        let refused = |tables: Vec<(&str, FrameDomain)>| FrameDomain::stacked(tables).unwrap_err().kind();
        let kind = ErrorKind::Parameter("tables");
        assert_eq!(refused(vec![]), kind);
        assert_eq!(refused(vec![("a", stays()), ("a", payments())]), kind);
        let column = |name, column| FrameDomain::new([("patient", ColumnDomain::text()), (name, column)]).unwrap();
        let other = |name, domain| column(name, domain).with_individuals("patient").unwrap();
        assert_eq!(refused(vec![("a", stays()), ("b", column("x", ColumnDomain::bool()))]), kind);
        assert_eq!(refused(vec![("a", column("x", ColumnDomain::bool())), ("b", stays())]), kind);
        assert_eq!(refused(vec![("a", stays()), ("b", other("stay", ColumnDomain::float()))]), kind);
        assert_eq!(refused(vec![("a", stays()), ("b", other("table", ColumnDomain::bool()))]), kind);
        let whose = other("stay", ColumnDomain::integer()).with_individuals("stay").unwrap();
        assert_eq!(refused(vec![("a", stays()), ("b", whose)]), kind);

        let of_data = |domain: &FrameDomain, name: &str, frame: Frame| {
            Frame::stacked(domain, [(name, frame)]).unwrap_err().kind()
        };
        assert_eq!(of_data(&both(), "visits", frame_of_stays(1)), kind);
        assert_eq!(of_data(&stays(), "stays", frame_of_stays(1)), ErrorKind::Parameter("columns"));
        let frame = |name: &'static str| {
            let patients = ["p1"].into_iter().collect::<Column>();
            Frame::new([
                ("patient", patients),
                ("stay", [1i64].into_iter().collect()),
                (name, [true].into_iter().collect()),
            ])
        };
        assert_eq!(of_data(&both(), "payments", frame("table").unwrap()), kind);
        assert_eq!(of_data(&both(), "payments", frame("other").unwrap()), kind);
        assert!(Frame::stacked(&both(), [("payments", frame("late").unwrap())]).is_ok());
        let nameless = Frame::new([("stay", [1i64].into_iter().collect::<Column>())]).unwrap();
        assert_eq!(of_data(&both(), "payments", nameless), kind);
    }
}
