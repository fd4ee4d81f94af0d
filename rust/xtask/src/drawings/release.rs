//! The release that the README prints, with a bar for each interval.

use super::svg::{BLUE, GRAY, INK, Picture};
use anyhow::{Context, Result};

/// A number, if noise leaves one, with its interval.
struct Estimate {
    words: String,
    value: Option<f64>,
    interval: (f64, f64),
}

/// The table that the first release of a page prints: its head, and a key with estimates in each row.
struct Table {
    head: Vec<String>,
    rows: Vec<(String, Vec<Estimate>)>,
}

fn cells(line: &str) -> Vec<String> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
}

fn estimate(words: &str) -> Option<Estimate> {
    let (value, ends) = words.split_once(" [")?;
    let (from, to) = ends.strip_suffix(']')?.split_once(", ")?;
    let interval = (from.parse().ok()?, to.parse().ok()?);
    Some(Estimate { words: words.to_owned(), value: value.parse().ok(), interval })
}

fn table(page: &str) -> Option<Table> {
    let printed = page.split_once("\n$ indistinct release ")?.1;
    let mut lines =
        printed.lines().skip(1).skip_while(|line| !line.starts_with(' ')).take_while(|line| !line.is_empty());
    let head = cells(lines.next()?);
    let rows = lines.map(|line| {
        let mut cells = cells(line).into_iter();
        let key = cells.next()?;
        Some((key, cells.map(|cell| estimate(&cell)).collect::<Option<Vec<_>>>()?))
    });
    let rows = rows.collect::<Option<Vec<_>>>()?;
    (!rows.is_empty() && rows.iter().all(|(_, row)| row.len() + 1 == head.len())).then_some(Table { head, rows })
}

const LEFT: i32 = 92;
const PANEL: i32 = 150;
const APART: i32 = 184;
const TOP: i32 = 44;
const DOWN: i32 = 42;

/// The least of 1, 2, 3 and 5 times a power of ten that is not below.
fn round_end(value: f64) -> f64 {
    let powers = std::iter::successors(Some(1.0f64), |power| Some(power * 10.0)).take(12);
    let mut ends = powers.flat_map(|power| [1.0, 2.0, 3.0, 5.0].map(|times| times * power));
    ends.find(|end| *end >= value).unwrap_or(value)
}

pub(super) fn draw(page: &str) -> Result<String> {
    let Table { head, rows } = table(page).context("README.md shows no table of a release")?;
    let count = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
    let bottom = TOP + count(rows.len()) * DOWN;
    let width = LEFT + count(head.len() - 1) * APART;
    let title = "The table of a release: each number is a dot, and the bar around it is its interval";
    let mut picture = Picture::new(width, bottom + 34, title);
    picture.words((14, 26), head.first().map_or("", String::as_str), (INK, "start"));
    for (row, (key, _)) in (0..).zip(&rows) {
        picture.words((14, TOP + row * DOWN + 25), key, (INK, "start"));
    }
    for (at, name) in (0..).zip(head.iter().skip(1)) {
        let left = LEFT + at * APART;
        let column: Vec<_> = rows.iter().filter_map(|(_, row)| row.get(usize::try_from(at).ok()?)).collect();
        let end = round_end(column.iter().map(|estimate| estimate.interval.1).fold(1.0, f64::max));
        let across = |value: f64| f64::from(left) + f64::from(PANEL) * (value / end).clamp(0.0, 1.0);
        picture.words((left, 26), name, (INK, "start"));
        for (share, anchor) in [(0, "start"), (1, "end")] {
            let x = left + share * PANEL;
            picture.line((x, TOP), (x, bottom), ("#d5d5d5", ""));
            picture.words((x, bottom + 20), &format!("{}", f64::from(share) * end), (GRAY, anchor));
        }
        for (row, estimate) in (0..).zip(column) {
            let y = TOP + row * DOWN + 30;
            let (from, to) = estimate.interval;
            let color = if estimate.value.is_some() { BLUE } else { GRAY };
            picture.words((left + 6, y - 12), &estimate.words, (color, "start"));
            picture.bar((across(from), across(to)), estimate.value.map(across), y, color);
        }
    }
    Ok(picture.finish())
}
