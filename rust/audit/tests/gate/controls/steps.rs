//! Negative controls of running sums with correlated noise: less than the whole move of all steps.

use super::Family;
use crate::interactive::{parts_of, two_steps};
use indistinct::prelude::*;
use indistinct_audit::Report;

/// The two steps of so many parts, charged as if each part that differs moved them by so much, at noise of 5/4.
fn charged(parts: usize, moved: impl Fn(u32) -> f64 + Send + Sync + 'static) -> Report {
    let metric = PartitionDistance(SymmetricDistance);
    let control = make_user_measurement(
        parts_of(parts),
        metric,
        GaussianDivergence,
        |_: &[Vec<bool>], _| Ok(()),
        move |&(changed, _, greatest): &(u32, u32, u32)| match changed.min(greatest) {
            0 => Ok(0.0),
            _ if greatest > 1 => Ok(f64::INFINITY),
            _ => Ok(moved(changed) / 1.25),
        },
    );
    two_steps(&control.unwrap())
}

pub(super) fn family() -> Family {
    let column = 1.25f64.sqrt();
    let controls = vec![
        ("factor: the greatest entry of a column", charged(2, f64::from)),
        ("factor: the step alone that a part is in", charged(2, |changed| f64::from(changed).sqrt())),
        ("factor: one part for all that differ", charged(2, move |_| column)),
        ("factor: a part that comes again, counted once", charged(1, move |_| column)),
        ("factor: columns that overlap, as if they did not", charged(1, move |_| 2.25f64.sqrt())),
    ];
    let sound = vec![
        ("factor: two parts", charged(2, move |changed| f64::from(changed) * column * (1.0 + 1e-12))),
        ("factor: one part, twice", charged(1, |_| 3.25f64.sqrt() * (1.0 + 1e-12))),
    ];
    Family { controls, sound }
}
