//! Frames from CSV, Arrow, Parquet and IPC: what is missing, what is shared, what errors say.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

mod arrow;
mod csv;
mod errors;
mod options;
mod properties;
mod stories;
#[cfg(all(feature = "parquet", feature = "ipc"))]
mod writers;

use indistinct::frames::{Cell, ColumnDomain, Frame, FrameDomain};
use indistinct_tables::{Csv, Error};

/// Columns of these kinds, whose cells may all be missing.
fn lenient(columns: &[(&str, ColumnDomain)]) -> FrameDomain {
    FrameDomain::new(columns.iter().map(|(name, column)| (*name, column.clone().with_missing()))).unwrap()
}

/// A float, an integer, a truth value and a text.
fn four() -> FrameDomain {
    let columns = [ColumnDomain::float(), ColumnDomain::integer(), ColumnDomain::bool(), ColumnDomain::text()];
    lenient(&["x", "n", "b", "t"].into_iter().zip(columns).collect::<Vec<_>>())
}

/// The same, in which nothing is missing.
fn four_filled() -> FrameDomain {
    let columns = four().columns().iter().map(|column| column.clone().without_missing()).collect::<Vec<_>>();
    FrameDomain::new(four().names().iter().cloned().zip(columns)).unwrap()
}

fn cells(frame: &Frame, column: usize) -> Vec<Cell> {
    let of_batch = |batch: &indistinct::frames::Batch| {
        let column = batch.columns()[column].clone();
        (0..batch.rows()).map(move |row| column.cell(row)).collect::<Vec<_>>()
    };
    frame.iter().flat_map(of_batch).collect()
}

/// All rows, each a cell for every column.
fn rows(frame: &Frame) -> Vec<Vec<Cell>> {
    let width = frame.first().map_or(0, |batch| batch.columns().len());
    let columns: Vec<_> = (0..width).map(|column| cells(frame, column)).collect();
    (0..frame.rows()).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
}

/// The cells that a reader makes of these, in a column `c`.
fn read(reader: &Csv, column: ColumnDomain, texts: &[&str]) -> Vec<Cell> {
    let lines: String = texts.iter().map(|text| format!("\"{}\",\n", text.replace('"', "\"\""))).collect();
    let domain = lenient(&[("c", column)]);
    cells(&reader.from_reader(format!("c,_\n{lines}").as_bytes(), &domain).unwrap(), 0)
}

fn float(value: f64) -> Cell {
    Cell::Float(value)
}

fn whole(value: i64) -> Cell {
    Cell::Integer(value)
}

/// What an error says; it quotes no cell, which all say `secret`.
fn said(error: Error) -> String {
    let text = error.to_string();
    let all = format!("{error:?} {:?}", std::error::Error::source(&error));
    assert!(!text.contains("secret") && !all.contains("secret"), "{text}");
    text
}
