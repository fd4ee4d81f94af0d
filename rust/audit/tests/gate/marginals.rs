//! Noisy residuals of contingency tables, by a second definition: dense matrices, and the distribution of a weighted
//! sum of all integers that are released.

use super::{formulas::number, support::*};
use indistinct::{
    frames::{Batch, Column, ColumnDomain, Frame, FrameDomain, make_marginals},
    numeric::enclosure::Enclosure,
    prelude::*,
};
use indistinct_audit::{
    Key, Law, Measured, Report, Seen,
    exact::{compare_laws, exact},
    mass::Mass,
    stability::ladder_of_rows,
    tape::Probing,
};
use std::collections::BTreeMap;

rows! {
    tight make_marginals: marginals;
}

/// Columns of integers.
pub(crate) fn domain() -> FrameDomain {
    FrameDomain::new([("a", ColumnDomain::integer()), ("b", ColumnDomain::integer())]).unwrap()
}

pub(crate) type Pair = (i64, i64);

pub(crate) fn frame(rows: &[Pair]) -> Vec<Batch> {
    let columns =
        [("a", rows.iter().map(|row| row.0).collect::<Column>()), ("b", rows.iter().map(|row| row.1).collect())];
    Frame::new(columns).unwrap().to_vec()
}

/// A release, and the weights of its integers in the sum that the audit compares. The weight of an integer is the entry
/// of the residual's difference between a row at the first cell and no row, or a row at another cell.
#[derive(Clone)]
pub(crate) struct Release {
    pub(crate) sizes: [i64; 2],
    pub(crate) sets: Vec<Vec<usize>>,
    /// For each set the scale of its integers' noise, and its weight.
    pub(crate) noise: Vec<(f64, i64)>,
    pub(crate) other: Option<Pair>,
    /// Returns the released form of an exact residual with this number of cells.
    pub(crate) released: fn(i64, i64) -> i64,
}

impl Release {
    /// The cells of a set, each by its positions.
    fn cells(&self, set: &[usize]) -> Vec<Vec<i64>> {
        set.iter().fold(vec![Vec::new()], |cells, axis| {
            cells
                .iter()
                .flat_map(|cell| (0..self.sizes[*axis]).map(move |at| [cell.as_slice(), &[at]].concat()))
                .collect()
        })
    }

    /// What a row adds to a residual.
    fn column(&self, set: &[usize], row: Pair) -> Vec<i64> {
        let row = [row.0, row.1];
        let listed = row.iter().zip(self.sizes).all(|(at, size)| (0..size).contains(at));
        let entry = |cell: Vec<i64>| -> i64 {
            let factor = |(axis, at): (&usize, i64)| if row[*axis] == at { self.sizes[*axis] - 1 } else { -1 };
            set.iter().zip(cell).map(factor).product()
        };
        self.cells(set).into_iter().map(|cell| if listed { entry(cell) } else { 0 }).collect()
    }

    /// The weights of the integers of each set.
    fn weights(&self) -> Vec<Vec<i64>> {
        let of = |(set, (_, weight)): (&Vec<usize>, &(f64, i64))| {
            let other = self.other.map(|row| self.column(set, row));
            let first = self.column(set, (0, 0)).into_iter().enumerate();
            first.map(|(at, entry)| weight * (entry - other.as_ref().map_or(0, |other| other[at]))).collect()
        };
        self.sets.iter().zip(&self.noise).map(of).collect()
    }

    /// The weighted sum of what is released.
    pub(crate) fn view(&self) -> impl Fn(Key) -> Key + Sync + 'static {
        let weights = self.weights();
        let integer = |key: &Key| if let Key::Number(integer) = key { *integer } else { 0 };
        move |key| {
            let (Key::List(blocks), mut sum) = (key, 0) else { return Key::Text("no blocks".into()) };
            for (block, weights) in blocks.iter().zip(&weights) {
                let Key::List(block) = block else { return Key::Text("no integers".into()) };
                sum += block.iter().zip(weights).map(|(key, weight)| integer(key) * i128::from(*weight)).sum::<i128>();
            }
            Key::Number(sum)
        }
    }

    /// The distribution of the weighted sum at some rows.
    pub(crate) fn law(&self) -> impl Fn(&[Pair]) -> Law {
        let (release, weights) = (self.clone(), self.weights());
        let mut noise = BTreeMap::from([(0i128, number(1.0))]);
        for (weights, (scale, _)) in weights.iter().zip(&self.noise) {
            let one = discrete_gaussian(*scale);
            for weight in weights {
                let mut sums = BTreeMap::<i128, Mass>::new();
                for (sum, p) in &noise {
                    for (z, q) in &one {
                        let mass = sums.entry(sum + z * i128::from(*weight)).or_insert_with(|| number(0.0));
                        *mass = mass.add(&p.mul(q));
                    }
                }
                noise = sums;
            }
        }
        move |rows| {
            let of = |(set, weights): (&Vec<usize>, &Vec<i64>)| -> i64 {
                let cells = i64::try_from(weights.len()).unwrap();
                let columns = rows.iter().map(|row| release.column(set, *row));
                let zero = vec![0; weights.len()];
                let residual = columns.fold(zero, |sum, column| sum.iter().zip(column).map(|(x, y)| x + y).collect());
                residual.iter().zip(weights).map(|(exact, weight)| (release.released)(*exact, cells) * weight).sum()
            };
            let at: i64 = release.sets.iter().zip(&weights).map(of).sum();
            let masses = noise.iter().map(|(sum, mass)| ((sum + i128::from(at)).key(), mass.clone()));
            Law::partial(masses, number(1e-15))
        }
    }

    /// The scales in rows.
    fn scales(&self) -> Vec<f64> {
        let cells = |set: &Vec<usize>| f64::from(u32::try_from(self.cells(set).len()).unwrap());
        self.sets.iter().zip(&self.noise).map(|(set, (scale, _))| scale / cells(set)).collect()
    }

    fn axes(&self) -> Vec<(&'static str, u32)> {
        ["a", "b"].into_iter().zip(self.sizes.map(|size| u32::try_from(size).unwrap())).collect()
    }
}

/// `P(Z = z)` of discrete Gaussian noise, as far as 1e-17 of all is left out.
fn discrete_gaussian(scale: f64) -> Vec<(i128, Mass)> {
    let reach = (1..).find(|reach| f64::from(*reach) >= 9.0 * scale).unwrap();
    let weight = |z: i32| number(-0.5 * f64::from(z * z)).div(&number(scale * scale)).exp();
    let weights: Vec<(i32, Mass)> = (-reach..=reach).map(|z| (z, weight(z))).collect();
    let total = weights.iter().fold(number(0.0), |sum, (_, weight)| sum.add(weight));
    let all = total.add(&Mass::between(0.0, 1e-17));
    weights.into_iter().map(|(z, weight)| (z.into(), weight.div(&all))).collect()
}

/// Rows at cells that are listed, and one that is not.
pub(crate) const SOME: [&[Pair]; 6] = [&[], &[(0, 0)], &[(0, 0), (0, 0)], &[(1, 1)], &[(1, 0)], &[(0, 9)]];

/// The distributions against the map, and draws against the distributions where they are wanted.
fn audit<M>(metric: M, release: &Release, draws: bool) -> Report
where
    M: indistinct::bounds::RowMetric + Measured<[Batch]>,
{
    let noisy = make_marginals(domain(), metric, release.axes(), release.sets.clone(), release.scales()).unwrap();
    let (law, frames) = (release.law(), SOME.map(frame));
    let laws = |input: &Vec<Batch>| law(SOME[frames.iter().position(|frame| same_rows(frame, input)).unwrap()]);
    let report = if draws {
        by_formula(&noisy, &frames, laws, release.view())
    } else {
        let laws: Vec<(Vec<Batch>, Law)> = frames.iter().map(|frame| (frame.clone(), laws(frame))).collect();
        compare_laws("formula", &noisy, &laws)
    };
    report.and(rises(&noisy, &ladder_of_rows(), &0.0))
}

/// Two frames of these columns have the same rows in the same order.
fn same_rows(one: &[Batch], other: &[Batch]) -> bool {
    indistinct_audit::frames::rows(one) == indistinct_audit::frames::rows(other)
}

/// Sets of two axes, with as much noise on all integers or more on some.
pub(crate) fn releases(other: Option<Pair>) -> [Release; 5] {
    let of = |sizes, sets: &[&[usize]], noise: &[(f64, i64)]| Release {
        sizes,
        sets: sets.iter().map(|set| set.to_vec()).collect(),
        noise: noise.to_vec(),
        other,
        released: |exact, _| exact,
    };
    [
        of([2, 2], &[&[0, 1]], &[(1.0, 1)]),
        of([2, 3], &[&[0, 1]], &[(1.5, 1)]),
        of([2, 2], &[&[], &[0], &[1], &[0, 1]], &[(1.0, 1); 4]),
        of([2, 3], &[&[0, 1], &[], &[1], &[0]], &[(1.5, 1); 4]),
        // Weights in proportion to the inverse of the square of the scale.
        of([2, 3], &[&[], &[0]], &[(0.75, 4), (1.5, 1)]),
    ]
}

fn marginals() -> Report {
    let [one, other, all_of_two, all_of_three, weighted] = releases(None);
    let added = [&one, &all_of_two, &all_of_three, &weighted].map(|release| audit(SymmetricDistance, release, true));
    let added = added.into_iter().chain([audit(InsertDeleteDistance, &other, false)]);
    // The first axis is the shorter one, and a row goes to its other position.
    let [one, other, all_of_two, ..] = releases(Some((1, 0)));
    let replaced = [audit(ChangeOneDistance, &one, true), audit(HammingDistance, &other, false)];
    // No pair of rows attains the maps of all sets at once.
    let loose = part(0.3, audit(ChangeOneDistance, &all_of_two, false));
    // The code itself, on all bits that matter.
    let noisy = |axes, sets| make_marginals(domain(), SymmetricDistance, axes, sets, vec![2.0]).unwrap();
    let probing = || Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    let frames = [SOME[0], SOME[1], SOME[3]].map(frame);
    let total = exact(&noisy(vec![("a", 2)], vec![vec![]]), &frames, Probing::default().with_requests(2));
    let two = exact(&noisy(vec![("a", 2)], vec![vec![0]]), &frames, probing());
    parts(0.95, added.chain(replaced)).and(loose).and(parts(0.9, [total, two]))
}
