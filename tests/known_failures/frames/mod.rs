//! The same failures on tables: readers of files, expressions and filters, keys, the rows of individuals, sums of
//! columns. What a vector says of rows of one type is asked of a column, which is written in several ways.

mod expressions;
mod individuals;
mod keys;
mod readers;
mod sums;

use indistinct::{frames::*, prelude::*};
use indistinct_audit::frames::{Layout, Row, frame};

/// Tables of these columns.
fn table<const N: usize>(columns: [(&str, ColumnDomain); N]) -> FrameDomain {
    FrameDomain::new(columns).unwrap()
}

/// Rows of one cell each.
fn ones<T: Into<Cell>>(cells: impl IntoIterator<Item = T>) -> Vec<Row> {
    cells.into_iter().map(|cell| vec![cell.into()]).collect()
}

/// Rows as frames: in one batch, in a batch for each row, and cut out of longer arrays.
fn ways(domain: &FrameDomain, rows: &[Row]) -> [Vec<Batch>; 3] {
    Layout::some().map(|layout| frame(domain, rows, &layout))
}

/// A frame of one row.
fn alone(domain: &FrameDomain, row: &Row) -> Vec<Batch> {
    frame(domain, std::slice::from_ref(row), &Layout::default())
}

/// Two lists of rows, each written in ways of its own.
fn pairs(domain: &FrameDomain, x: &[Row], y: &[Row]) -> Vec<(Vec<Batch>, Vec<Batch>)> {
    let [x, y] = [x, y].map(|rows| ways(domain, rows));
    x.iter().flat_map(|x| y.iter().map(|y| (x.clone(), y.clone()))).collect()
}

/// The cells of a column, by its name.
fn cells(batches: &[Batch], name: &str) -> Vec<Cell> {
    let of = |batch: &Batch| {
        let place = batch.names().iter().position(|listed| listed == name);
        let column = place.map(|place| batch.columns()[place].clone());
        (0..batch.rows()).map(|row| column.as_ref().unwrap().cell(row)).collect::<Vec<_>>()
    };
    // One without rows may lack the column.
    batches.iter().filter(|batch| batch.rows() > 0).flat_map(of).collect()
}

/// The cells that an expression has in each of these rows, which are the same for each row alone, in any batch.
fn images(domain: &FrameDomain, rows: &[Row], expression: Expr) -> Vec<Cell> {
    let space = (domain.clone(), SymmetricDistance);
    let step = (space >> then_with_columns(vec![("image", expression)])).unwrap();
    let image = |batches: &[Batch]| {
        let batches = step.invoke(batches).unwrap();
        assert!(step.output_domain().member(&batches));
        cells(&batches, "image")
    };
    let each: Vec<Cell> = rows.iter().flat_map(|row| image(&alone(domain, row))).collect();
    for together in ways(domain, rows) {
        assert_eq!(image(&together), each);
    }
    each
}
