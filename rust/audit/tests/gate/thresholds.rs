//! Histograms of unknown keys: the code itself, on all bits that matter, for maps of up to two keys.

use super::{Row, support::*, tight};
use indistinct::prelude::*;
use indistinct_audit::{Report, exact::exact, tape::Probing};
use std::collections::BTreeMap;

pub(crate) const ROWS: &[Row] = &[tight("make_gaussian_threshold", gaussian), tight("make_laplace_threshold", laplace)];

type Counts = BTreeMap<u8, i64>;

fn maps() -> MapDomain<u8, AtomDomain<i64>> {
    MapDomain::new(AtomDomain::u8(), AtomDomain::i64())
}

fn one_key() -> Vec<Counts> {
    [0, 1, 2, 3, 5].map(|count| BTreeMap::from([(1, count)])).into_iter().chain([BTreeMap::new()]).collect()
}

fn two_keys() -> Vec<Counts> {
    vec![BTreeMap::new(), BTreeMap::from([(1, 1)]), BTreeMap::from([(1, 1), (2, 1)]), BTreeMap::from([(2, 2), (1, 1)])]
}

/// Distances that rise in every part.
fn ladder() -> Vec<(u32, f64, f64)> {
    vec![(0, 0.0, 0.0), (1, 1.0, 1.0), (1, 1.5, 1.5), (2, 2.0, 1.5), (2, 3.0, 3.0), (9, 27.0, 3.0), (9, 1e9, 1e9)]
}

/// Two words: their tails are left undecided earlier.
fn two_words() -> Probing {
    Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) }
}

fn laplace() -> Report {
    all([(1.0, 4), (1.0, 1), (2.0, 9)].map(|(scale, threshold)| {
        let noisy = make_laplace_threshold(maps(), L01InfDistance, scale, threshold).unwrap();
        exact(&noisy, &one_key(), Probing::default().with_requests(2)).and(rises(&noisy, &ladder(), &(0.0, 0.0)))
    }))
    .and(exact(&make_laplace_threshold(maps(), L01InfDistance, 0.5, 2).unwrap(), &two_keys(), two_words()))
}

fn gaussian() -> Report {
    all([(1.0, 4), (1.0, 1), (2.0, 9)].map(|(scale, threshold)| {
        let noisy = make_gaussian_threshold(maps(), L02InfDistance, scale, threshold).unwrap();
        exact(&noisy, &one_key(), Probing::default().with_requests(2)).and(rises(&noisy, &ladder(), &(0.0, 0.0)))
    }))
    .and(exact(&make_gaussian_threshold(maps(), L02InfDistance, 0.5, 2).unwrap(), &two_keys(), two_words()))
}
