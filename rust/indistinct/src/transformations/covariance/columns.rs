//! Rows of several columns of numbers.

use crate::{
    core::{Domain, Error, Fallible, Owned, Sealed, require},
    domains::{AtomDomain, PairDomain, VectorDomain, magnitude_and_range},
    transformations::{moments::Multipliable, sum::required_bounds},
};
use std::borrow::Borrow;

/// Domains of rows whose columns are bounded numbers of one type: pairs of such rows, single numbers, vectors of a
/// known length.
#[allow(private_bounds)]
pub trait ColumnsDomain: Sealed + Domain {
    /// The type of the numbers.
    type Number: Multipliable;
    /// Returns the width of each column, from its lower to its upper bound, rounded up.
    #[doc(hidden)]
    fn widths(&self) -> Fallible<Vec<f64>>;
    /// Appends the numbers of a row, in the same order.
    #[doc(hidden)]
    fn numbers(row: &Self::Carrier, numbers: &mut Vec<Self::Number>);
}

/// The maximum number of columns. The products of more columns would not fit in memory.
const MOST_COLUMNS: usize = 1 << 10;

fn width<T: Multipliable>(column: &AtomDomain<T>) -> Fallible<f64> {
    Ok(magnitude_and_range(required_bounds(column)?)?.1)
}

impl<T: Multipliable> ColumnsDomain for AtomDomain<T> {
    type Number = T;

    fn widths(&self) -> Fallible<Vec<f64>> {
        Ok(vec![width(self)?])
    }
    fn numbers(row: &T, numbers: &mut Vec<T>) {
        numbers.push(*row);
    }
}

impl<T: Multipliable> ColumnsDomain for VectorDomain<AtomDomain<T>> {
    type Number = T;

    fn widths(&self) -> Fallible<Vec<f64>> {
        let rule = "the number of columns must be known";
        let columns = self.size().ok_or_else(|| Error::parameter("input_domain", rule))?;
        require(
            columns <= MOST_COLUMNS,
            "input_domain",
            "there may be at most 1,024 columns, whose products take 2 GiB",
        )?;
        Ok(vec![width(self.element())?; columns])
    }
    fn numbers(row: &[T], numbers: &mut Vec<T>) {
        numbers.extend_from_slice(row);
    }
}

impl<A: ColumnsDomain, B: ColumnsDomain<Number = A::Number>> ColumnsDomain for PairDomain<A, B> {
    type Number = A::Number;

    fn widths(&self) -> Fallible<Vec<f64>> {
        Ok([self.first().widths()?, self.second().widths()?].concat())
    }
    fn numbers((first, second): &Self::Carrier, numbers: &mut Vec<A::Number>) {
        A::numbers(first.borrow(), numbers);
        B::numbers(second.borrow(), numbers);
    }
}

/// Returns all rows as columns.
pub(super) fn transposed<D: ColumnsDomain>(rows: &[Owned<D>]) -> Vec<Vec<D::Number>> {
    let mut columns: Vec<Vec<D::Number>> = Vec::new();
    let mut numbers = Vec::new();
    for row in rows {
        numbers.clear();
        D::numbers(row.borrow(), &mut numbers);
        columns.resize_with(numbers.len(), Vec::new);
        columns.iter_mut().zip(&numbers).for_each(|(column, number)| column.push(*number));
    }
    columns
}
