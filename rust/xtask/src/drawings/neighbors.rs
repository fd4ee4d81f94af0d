//! Two datasets at distance 1, for each metric of datasets.

use super::svg::{DASHES, GRAY, INK, ORANGE, PALE, PALE_ORANGE, Picture};

/// A row: whose it is, and what it says.
pub type Row = (&'static str, u32);

/// Which datasets are neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Rows are added or removed, whatever their order.
    Symmetric,
    /// The same, order kept.
    InsertDelete,
    /// Rows are replaced, whatever their order.
    ChangeOne,
    /// The same, place by place.
    Hamming,
    /// Individuals are added or removed, with all their rows.
    IndividualsAdded,
    /// Individuals are replaced, with all their rows.
    IndividualsChanged,
}

/// Two datasets that are neighbors.
#[derive(Debug)]
pub struct Pair {
    /// What the drawing's file is called.
    pub name: &'static str,
    /// The metric.
    pub metric: &'static str,
    /// What it counts.
    pub says: &'static str,
    /// What the metric counts, once more.
    pub relation: Relation,
    /// The one dataset.
    pub left: &'static [Row],
    /// The other one.
    pub right: &'static [Row],
}

/// One pair for each.
pub const PAIRS: [Pair; 6] = [
    Pair {
        name: "symmetric",
        metric: "SymmetricDistance",
        says: "one row is added or removed; order does not matter",
        relation: Relation::Symmetric,
        left: &[("Ada", 3), ("Ben", 0), ("Cem", 12)],
        right: &[("Cem", 12), ("Ada", 3), ("Dot", 5), ("Ben", 0)],
    },
    Pair {
        name: "insert-delete",
        metric: "InsertDeleteDistance",
        says: "one row is added or removed; the others keep their order",
        relation: Relation::InsertDelete,
        left: &[("Ada", 3), ("Ben", 0), ("Cem", 12)],
        right: &[("Ada", 3), ("Dot", 5), ("Ben", 0), ("Cem", 12)],
    },
    Pair {
        name: "change-one",
        metric: "ChangeOneDistance",
        says: "one row is replaced; order does not matter",
        relation: Relation::ChangeOne,
        left: &[("Ada", 3), ("Ben", 0), ("Cem", 12)],
        right: &[("Cem", 12), ("Dot", 5), ("Ada", 3)],
    },
    Pair {
        name: "hamming",
        metric: "HammingDistance",
        says: "the row in one place is replaced",
        relation: Relation::Hamming,
        left: &[("Ada", 3), ("Ben", 0), ("Cem", 12)],
        right: &[("Ada", 3), ("Dot", 5), ("Cem", 12)],
    },
    Pair {
        name: "individuals-added",
        metric: "SymmetricIdDistance",
        says: "one individual is added or removed, with all their rows",
        relation: Relation::IndividualsAdded,
        left: &[("Ada", 3), ("Ben", 0), ("Ada", 7)],
        right: &[("Dot", 5), ("Ada", 3), ("Ben", 0), ("Dot", 2), ("Ada", 7)],
    },
    Pair {
        name: "individuals-changed",
        metric: "ChangeOneIdDistance",
        says: "all rows of one individual are replaced, by another's or none",
        relation: Relation::IndividualsChanged,
        left: &[("Ada", 3), ("Ben", 0), ("Ada", 7), ("Cem", 12)],
        right: &[("Dot", 5), ("Ben", 0), ("Cem", 12)],
    },
];

/// For each row of the one dataset, which of the other's it is: one of its own for each.
fn matches(pair: &Pair) -> Vec<Option<usize>> {
    match pair.relation {
        Relation::InsertDelete => in_order(pair.left, pair.right, 0),
        Relation::Hamming => {
            let same = |place: usize, row| (pair.right.get(place) == Some(row)).then_some(place);
            pair.left.iter().enumerate().map(|(place, row)| same(place, row)).collect()
        }
        _ => {
            let mut found: Vec<Option<usize>> = Vec::new();
            for row in pair.left {
                let mut equal = (0..pair.right.len()).filter(|other| pair.right.get(*other) == Some(row));
                found.push(equal.find(|other| !found.contains(&Some(*other))));
            }
            found
        }
    }
}

/// The longest way to match rows that keeps their order, where the other dataset begins at a place.
fn in_order(left: &[Row], right: &[Row], from: usize) -> Vec<Option<usize>> {
    let Some((row, rest)) = left.split_first() else { return Vec::new() };
    let without = [vec![None], in_order(rest, right, from)].concat();
    let Some(other) = (from..right.len()).find(|other| right.get(*other) == Some(row)) else { return without };
    let with = [vec![Some(other)], in_order(rest, right, other + 1)].concat();
    let count = |matches: &[Option<usize>]| matches.iter().flatten().count();
    if count(&with) >= count(&without) { with } else { without }
}

impl Pair {
    /// The rows of either that are none of the other's.
    fn left_over(&self) -> (Vec<usize>, Vec<usize>) {
        let matches = matches(self);
        let left = (0..self.left.len()).filter(|place| matches.get(*place) == Some(&None)).collect();
        let right = (0..self.right.len()).filter(|place| !matches.contains(&Some(*place))).collect();
        (left, right)
    }

    /// How far apart the two are.
    pub fn distance(&self) -> usize {
        let (left, right) = self.left_over();
        let whose = |places: &[usize], rows: &[Row]| {
            let mut names: Vec<_> = places.iter().filter_map(|place| Some(rows.get(*place)?.0)).collect();
            names.sort_unstable();
            names.dedup();
            names.len()
        };
        let individuals = (whose(&left, self.left), whose(&right, self.right));
        match self.relation {
            Relation::Symmetric | Relation::InsertDelete => left.len() + right.len(),
            Relation::ChangeOne | Relation::Hamming => left.len().max(right.len()),
            Relation::IndividualsAdded => individuals.0 + individuals.1,
            Relation::IndividualsChanged => individuals.0.max(individuals.1),
        }
    }
}

const WIDTH: i32 = 100;
const HEIGHT: i32 = 28;
const DOWN: i32 = 38;
const TOP: i32 = 72;
const LEFT: i32 = 70;
const RIGHT: i32 = 290;

/// The two side by side: gray lines between rows that are the same, and in color what only one has.
pub(super) fn draw(pair: &Pair) -> String {
    let rows = i32::try_from(pair.left.len().max(pair.right.len())).unwrap_or(i32::MAX);
    let width = RIGHT + WIDTH + LEFT;
    let mut picture = Picture::new(width, TOP + rows * DOWN + 12, &format!("{}: {}", pair.metric, pair.says));
    picture.words((width / 2, 26), pair.metric, (INK, "middle"));
    picture.words((width / 2, 48), pair.says, (INK, "middle"));
    let top = |place: usize| TOP + i32::try_from(place).unwrap_or(i32::MAX) * DOWN;
    let middle = |place: usize| top(place) + HEIGHT / 2;
    for (place, other) in matches(pair).into_iter().enumerate() {
        if let Some(other) = other {
            picture.line((LEFT + WIDTH, middle(place)), (RIGHT, middle(other)), (GRAY, ""));
        }
    }
    let (left, right) = pair.left_over();
    if matches!(pair.relation, Relation::ChangeOne | Relation::Hamming | Relation::IndividualsChanged) {
        for from in &left {
            for to in &right {
                picture.line((LEFT + WIDTH, middle(*from)), (RIGHT, middle(*to)), (ORANGE, DASHES));
            }
        }
    }
    for (rows, x, changed) in [(pair.left, LEFT, &left), (pair.right, RIGHT, &right)] {
        for (place, (name, number)) in rows.iter().enumerate() {
            let colors = if changed.contains(&place) { (ORANGE, PALE_ORANGE) } else { (INK, PALE) };
            picture.labelled((x, top(place), WIDTH, HEIGHT), &format!("{name}, {number}"), colors);
        }
    }
    picture.finish()
}
