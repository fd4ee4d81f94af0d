//! Negative controls of noisy residuals: what a slip of the pen would have released, or claimed.

use super::Family;
use crate::marginals::{Pair, Release, SOME, domain, frame, releases};
use indistinct::{bounds::RowMetric, frames::Batch, prelude::*};
use indistinct_audit::{Measured, Report, exact::compare_laws};

/// The release of some rows, against a loss by one row.
fn audit<M: RowMetric + Measured<[Batch]>>(metric: M, release: &Release, loss: f64) -> Report {
    against(metric, release, move |d_in: &u32| Ok(f64::from(*d_in).powi(2) * loss))
}

/// The release of some rows, against a map.
fn against<M: RowMetric + Measured<[Batch]>>(
    metric: M,
    release: &Release,
    map: impl Fn(&u32) -> Fallible<f64> + Send + Sync + 'static,
) -> Report {
    // Its distribution is known, and nothing is drawn.
    let function = |_: &[Batch], _: &mut dyn indistinct::sampling::Entropy| Ok(0i64);
    let claimed = make_user_measurement(domain(), metric, ZeroConcentratedDivergence, function, map).unwrap();
    let law = release.law();
    let laws: Vec<_> = SOME.iter().map(|rows: &&[Pair]| (frame(rows), law(rows))).collect();
    compare_laws("formula", &claimed, &laws)
}

/// The release of some rows, against a loss that grows in proportion to the distance.
fn in_proportion(release: &Release, loss: f64) -> Report {
    let map = move |d_in: &u32| Ok(f64::from(*d_in) * loss);
    against(SymmetricDistance, release, map)
}

/// One of the releases of the gate.
fn one(which: usize, other: Option<Pair>) -> Release {
    releases(other)[which].clone()
}

pub(super) fn family() -> Family {
    let twice = |release: Release| Release {
        sets: [release.sets.clone(), release.sets].concat(),
        noise: [release.noise.clone(), release.noise].concat(),
        ..release
    };
    let rounded = |noise: f64| Release {
        noise: vec![(noise, 1)],
        released: |exact, cells| exact.div_euclid(cells),
        ..one(0, None)
    };
    // Squared lengths: 4 of two axes with two positions, 12 of two and three; noise of scales 1 and 1.5.
    let controls = vec![
        ("a factor (n - 1) / n too many", audit(SymmetricDistance, &one(0, None), 4.0 / 2.0 / 4.0)),
        ("a factor (n - 1) / n too many, of one axis", audit(SymmetricDistance, &one(1, None), 12.0 / 4.5 * 2.0 / 3.0)),
        ("a factor n too few", audit(SymmetricDistance, &one(1, None), 12.0 / 4.5 / 3.0)),
        ("a residual that is not scaled to integers", audit(SymmetricDistance, &rounded(1.0), 4.0 / 16.0 / 2.0)),
        ("a set that is released twice and charged once", audit(SymmetricDistance, &twice(one(0, None)), 4.0 / 2.0)),
        ("two rows are charged as twice one row", in_proportion(&one(0, None), 4.0 / 2.0)),
        ("the total is not charged", audit(SymmetricDistance, &one(4, None), 2.0 / 4.5)),
        ("a replaced row is charged as one more", audit(ChangeOneDistance, &one(0, Some((1, 0))), 4.0 / 2.0)),
        ("a replaced row is charged as two more", audit(HammingDistance, &one(1, Some((1, 0))), 2.0 * 12.0 / 4.5)),
    ];
    let sound = vec![
        ("residuals of two axes", audit(SymmetricDistance, &one(0, None), 4.0 / 2.0)),
        ("a set that is charged twice", audit(SymmetricDistance, &twice(one(0, None)), 2.0 * 4.0 / 2.0)),
        ("residuals of replaced rows", audit(ChangeOneDistance, &one(0, Some((1, 0))), 4.0 * 4.0 / 2.0)),
        ("a total and an axis", audit(SymmetricDistance, &one(4, None), 1.0 / 1.125 + 2.0 / 4.5)),
    ];
    Family { controls, sound }
}
