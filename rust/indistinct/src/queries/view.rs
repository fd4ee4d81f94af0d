//! The columns and rows of a released table that are shown, and their order.

use crate::{
    core::Fallible,
    frames::{Batch, Cell, Column, ColumnDomain, Expr, Frame, FrameDomain, make_filter_rows, make_with_columns},
    metrics::SymmetricDistance,
};
use std::cmp::Ordering;

/// The columns and rows of a released table that are shown, and their order.
///
/// A view is post-processing: it reads released numbers and no data, so it costs nothing, and any number of views of
/// one release may be shown. An interval of a row that was chosen for its noisy number fails more often than that of a
/// row that was chosen before the release.
///
/// ```
/// use indistinct::{frames::*, queries::View};
/// let released = FrameDomain::new([("region", ColumnDomain::text()), ("stays", ColumnDomain::float())])?;
/// let rows = [("north", 80.0), ("south", -2.0), ("west", 95.0)];
/// let view = View::new(vec!["region".into(), "stays".into()], released)
///     .having(col("stays").ge(10.0))?
///     .order_by(col("stays"), true)?
///     .limit(5);
/// let shown = view.rows(rows.len(), |row, name| match name {
///     "region" => rows[row].0.into(),
///     _ => rows[row].1.into(),
/// })?;
/// assert_eq!(shown, [2, 0]);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct View {
    columns: Vec<String>,
    released: FrameDomain,
    having: Option<Expr>,
    /// Each with true for the descending order.
    order: Vec<(Expr, bool)>,
    limit: Option<usize>,
}

impl View {
    /// Makes the view of all rows of a released table, in their order, with the columns in this order. The domain has
    /// the types of the released columns: numbers that noise may exceed are missing.
    pub fn new(columns: Vec<String>, released: FrameDomain) -> Self {
        Self { columns, released, having: None, order: Vec::new(), limit: None }
    }

    /// Keeps the rows that satisfy a condition on the released columns. A row for which the condition is missing, such
    /// as a comparison of a number that the noise exceeds, is not kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the expression is not a condition on the released columns.
    pub fn having(self, condition: Expr) -> Fallible<Self> {
        make_filter_rows(self.released.clone(), SymmetricDistance, condition.clone())?;
        Ok(Self { having: Some(condition), ..self })
    }

    /// Sorts the rows by an expression on the released columns, after those given before; if `is_descending`, from the
    /// largest value. Rows with equal values keep their order, and rows with a missing value come last.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not an expression on the released columns.
    pub fn order_by(mut self, value: Expr, is_descending: bool) -> Fallible<Self> {
        make_with_columns(self.released.clone(), SymmetricDistance, vec![(self.new_name("value"), value.clone())])?;
        self.order.push((value, is_descending));
        Ok(self)
    }

    /// Keeps at most this many rows, the first ones.
    #[must_use]
    pub fn limit(self, rows: usize) -> Self {
        Self { limit: Some(rows), ..self }
    }

    /// Returns the names of the columns in the order in which they are shown.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the indices of the rows to show, in the order in which they are shown. `cell(row, name)` returns a cell
    /// of the released table. A cell of another type than its column counts as missing.
    ///
    /// # Errors
    ///
    /// Returns an error if a cell is missing in a column that cannot have missing values.
    pub fn rows(&self, number: usize, cell: impl Fn(usize, &str) -> Cell) -> Fallible<Vec<usize>> {
        let mut places: Vec<usize> = (0..number).collect();
        if let Some(condition) = &self.having {
            let place = self.new_name("place");
            let columns = [(place.clone(), ColumnDomain::integer())].into_iter().chain(self.described());
            let domain = FrameDomain::new(columns)?;
            let numbered = (0..number).map(|place| Cell::from(i64::try_from(place).ok()));
            let column = Column::from_cells(ColumnDomain::integer().kind(), numbered);
            let frame = Frame::new([(place.clone(), column)].into_iter().chain(self.cells(&places, &cell)))?;
            let kept = make_filter_rows(domain, SymmetricDistance, condition.clone())?.invoke(&frame)?;
            places = column_of(&kept, &place).iter().filter_map(|cell| usize::try_from(integer(cell)?).ok()).collect();
        }
        // From the last to the first: a stable sort keeps the order of those that come later.
        for (value, is_descending) in self.order.iter().rev() {
            let name = self.new_name("value");
            let domain = FrameDomain::new(self.described())?;
            let frame = Frame::new(self.cells(&places, &cell))?;
            let with = make_with_columns(domain, SymmetricDistance, vec![(name.clone(), value.clone())])?;
            let values = with.invoke(&frame)?;
            let mut pairs: Vec<(Cell, usize)> = column_of(&values, &name).into_iter().zip(places).collect();
            pairs.sort_by(|(left, _), (right, _)| compared(left, right, *is_descending));
            places = pairs.into_iter().map(|(_, place)| place).collect();
        }
        places.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(places)
    }

    /// The released columns.
    fn described(&self) -> impl Iterator<Item = (String, ColumnDomain)> {
        self.released.names().iter().cloned().zip(self.released.columns().iter().cloned())
    }

    /// The cells of these rows.
    fn cells(&self, places: &[usize], cell: &impl Fn(usize, &str) -> Cell) -> impl Iterator<Item = (String, Column)> {
        self.described().map(|(name, domain)| {
            let column = Column::from_cells(domain.kind(), places.iter().map(|place| cell(*place, &name)));
            (name, column)
        })
    }

    /// A name that no released column has.
    fn new_name(&self, wanted: &str) -> String {
        super::parts::new_name(&self.released, wanted)
    }
}

/// The cells of a column.
fn column_of(rows: &[Batch], name: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    for batch in rows {
        let place = batch.names().iter().position(|other| other == name);
        if let Some(column) = place.and_then(|place| batch.columns().get(place)) {
            cells.extend((0..column.len()).map(|row| column.cell(row)));
        }
    }
    cells
}

fn integer(cell: &Cell) -> Option<i64> {
    if let Cell::Integer(number) = cell { Some(*number) } else { None }
}

/// Missing cells are last in both orders.
fn compared(left: &Cell, right: &Cell, is_descending: bool) -> Ordering {
    let order = match (left, right) {
        (Cell::Missing, Cell::Missing) => return Ordering::Equal,
        (Cell::Missing, _) => return Ordering::Greater,
        (_, Cell::Missing) => return Ordering::Less,
        (Cell::Float(left), Cell::Float(right)) => left.total_cmp(right),
        (Cell::Integer(left), Cell::Integer(right)) => left.cmp(right),
        (Cell::Bool(left), Cell::Bool(right)) => left.cmp(right),
        (Cell::Text(left), Cell::Text(right)) => left.cmp(right),
        _ => Ordering::Equal,
    };
    if is_descending { order.reverse() } else { order }
}
