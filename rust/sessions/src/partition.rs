//! Parts of a table that share no rows, each with its own account.

use crate::{
    declaration::declare,
    error::{Fallible, refuse},
    part::{Part, Value, check_unit},
    session::{Payer, Session, UNIT, table_key},
};
use indistinct::frames::Cell;
use indistinct_ledger::Loss;
use std::collections::BTreeMap;

impl Session {
    /// Opens accounts for the parts of a table, each for one value in a column, and each with this budget. The
    /// session's account is charged the budget once for all of them, because a row is in one part, and the releases of
    /// other parts do not depend on it (McSherry 2009, "Privacy integrated queries", Theorem 4). A session of such an
    /// account has only this table, and only the rows with that value.
    ///
    /// Opening the same accounts for the same parts again costs nothing.
    ///
    /// # Parameters
    ///
    /// - `parts`: the name of each new account, with its value: a text, a label, an integer or a Boolean. Rows with
    ///   another value, or with a missing value, are in no part.
    ///
    /// # Errors
    ///
    /// Returns an error if the unit is not one row, because individuals may have rows in several parts; if the table or
    /// the column is unknown; if the column does not allow a value, or a value is repeated; or if a name is taken.
    /// Returns [`Error::Ledger`](crate::Error::Ledger) if too little remains in an account.
    ///
    /// ```
    /// use indistinct::{frames::*, queries::Budget};
    /// use indistinct_ledger::{Ledger, Loss};
    /// use indistinct_sessions::{Session, Unit};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("visits.ledger");
    /// let visits = FrameDomain::new([("region", ColumnDomain::text()), ("age", ColumnDomain::integer())])?;
    /// let rows = Frame::new([
    ///     ("region", (0..900).map(|row| ["north", "south", "west"][row % 3]).collect::<Column>()),
    ///     ("age", (0..900i64).map(|row| row % 90).collect()),
    /// ])?;
    /// let ledger = Ledger::create(&path, "visits", &Loss::epsilon(1.0)?)?;
    /// let mut all = Session::new(ledger, "visits", Unit::Rows(1))?.with_table("visits", visits.clone(), rows.clone())?;
    /// let parts = [("bureau north", "north"), ("bureau south", "south")];
    /// all.open_partition("visits", "region", parts, &Loss::epsilon(0.75)?)?;
    /// assert_eq!(all.budget()?.remaining.to_string(), "epsilon 0.25");
    ///
    /// // Each bureau, in a program of its own.
    /// let ledger = Ledger::open(&path)?;
    /// let mut north = Session::new(ledger, "bureau north", Unit::Rows(1))?.with_table("visits", visits, rows)?;
    /// let count = north.query("visits")?.count().measurement(Budget::Epsilon(0.75))?;
    /// let release = north.release(north.price("visits", &count)?, "visits in 2026")?;
    /// let visits = release.answer.estimate(0, "count").and_then(|count| count.value);
    /// assert!(visits.is_some_and(|visits| (visits - 300.0).abs() < 60.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_partition<N: Into<String>, V: Into<Cell>>(
        &mut self,
        table: &str,
        column: &str,
        parts: impl IntoIterator<Item = (N, V)>,
        budget: &Loss,
    ) -> Fallible<()> {
        check_unit(self.unit)?;
        let private = self.table(table)?;
        let (domain, rows_of) = (private.domain.clone(), private.rows_of.clone());
        let (mut accounts, mut values) = (BTreeMap::new(), Vec::new());
        for (name, value) in parts {
            let (name, cell) = (name.into(), value.into());
            let value = Value::of(&cell).filter(|value| !values.contains(value));
            let rule = "must be a text, a label, an integer or a Boolean, and occur only once";
            let value = value.ok_or_else(|| refuse(format!("the value of part {name:?}: {rule}")))?;
            values.push(value.clone());
            let reading = format!("{:?}", domain.column(column)?);
            let part = Part { column: column.into(), domain: reading, table: table.into(), value };
            part.filter(&domain)?;
            let text = part.to_text()?;
            if text.len() > MAX_TEXT {
                return Err(refuse(format!("part {name:?}: its description is longer than {MAX_TEXT} bytes")));
            }
            if accounts.insert(name.clone(), text).is_some() {
                return Err(refuse(format!("part {name:?} exists already")));
            }
        }
        let unit = self.unit.to_string();
        let Payer { ledger, account, .. } = self.payer_mut()?;
        declare(ledger, account, UNIT, &unit)?;
        declare(ledger, account, &table_key(table), &rows_of)?;
        Ok(ledger.open_partition(account, budget, &accounts)?)
    }
}

/// The maximum number of bytes of a part's description in a ledger.
const MAX_TEXT: usize = 1000;
