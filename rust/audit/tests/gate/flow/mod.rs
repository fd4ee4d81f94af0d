//! Control flow: on the same bits, neighbors ask for bits alike: which draws are made, and how many, does not depend on
//! the data.
//!
//! A row for every constructor. A transformation draws nothing: it is the first step of a chain that ends in noise. The
//! parts of a composite have their outputs frozen ([`frozen`](indistinct_audit::silence::frozen)), so that all that is
//! released must be the same too. Where the data decide how much is drawn by nature, the row says why, what is claimed
//! nevertheless, and shows by data that more cannot be.

mod chains;
mod composites;
mod frames;
mod releases;

use crate::constructors;
use indistinct::{core::Owned, prelude::*, sampling::Entropy};
use indistinct_audit::{
    Key, Report, Seen,
    neighbors::all_vectors,
    silence::{same_control_flow, same_replay},
};
use std::{borrow::Borrow, collections::BTreeSet, fmt::Debug};

/// What is claimed of one constructor.
pub(crate) struct Flow {
    constructor: &'static str,
    /// Inputs that must ask alike.
    alike: fn() -> Report,
    /// Why others do not, and some that show it.
    apart: Option<(&'static str, fn() -> Report)>,
}

/// A row for what draws alike on all neighbors.
pub(crate) const fn alike(constructor: &'static str, alike: fn() -> Report) -> Flow {
    Flow { constructor, alike, apart: None }
}

/// A row for what draws alike on some neighbors, and why not on others.
const fn but(constructor: &'static str, alike: fn() -> Report, why: &'static str, apart: fn() -> Report) -> Flow {
    Flow { constructor, alike, apart: Some((why, apart)) }
}

const FAMILIES: &[&[Flow]] = &[chains::FLOWS, frames::FLOWS, crate::noise::FLOWS, releases::FLOWS, composites::FLOWS];

/// Streams of bits on which all inputs are run.
pub(crate) const SEEDS: u64 = 20;

#[test]
fn every_constructor_has_its_control_flow() {
    let rows: Vec<&str> = FAMILIES.iter().flat_map(|rows| rows.iter().map(|row| row.constructor)).collect();
    let told: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(told.len(), rows.len(), "two rows of one name");
    assert_eq!(told, constructors(), "see CONTRIBUTING.md, the audit");
}

/// The draws of these do not depend on the data, but where a row says so.
fn hold(flows: &[Flow]) {
    for Flow { constructor, alike, apart } in flows {
        let report = alike();
        println!("{constructor}: {report}\n");
        assert!(!report.is_violated() && report.pairs >= 1, "{constructor}: {report}");
        if let Some((why, apart)) = apart {
            assert!(apart().is_violated(), "{constructor} draws alike after all, or the data do not show it: {why}");
        }
    }
}

#[test]
fn draws_of_chains_do_not_depend_on_data() {
    hold(chains::FLOWS);
}

#[test]
fn draws_of_chains_on_frames_do_not_depend_on_data() {
    hold(frames::FLOWS);
}

#[test]
fn draws_of_noise_do_not_depend_on_data() {
    hold(crate::noise::FLOWS);
}

#[test]
fn draws_of_releases_do_not_depend_on_data() {
    hold(releases::FLOWS);
}

#[test]
fn draws_of_composites_do_not_depend_on_data() {
    hold(composites::FLOWS);
}

/// All inputs of a measurement ask for bits alike.
pub(crate) fn flow<DI: Domain, TO: Seen + 'static, MI: Metric, MO: Measure>(
    measurement: Fallible<Measurement<DI, TO, MI, MO>>,
    inputs: &[Owned<DI>],
) -> Report
where
    Owned<DI>: Debug,
{
    let measurement = measurement.unwrap();
    same_control_flow(&run(&measurement), inputs, SEEDS)
}

/// All inputs of a composite of frozen parts ask for bits alike, and release the same.
fn replay<DI: Domain, TO: Seen + 'static, MI: Metric, MO: Measure>(
    measurement: Fallible<Measurement<DI, TO, MI, MO>>,
    inputs: &[Owned<DI>],
) -> Report
where
    Owned<DI>: Debug,
{
    let measurement = measurement.unwrap();
    same_replay(&run(&measurement), inputs, SEEDS)
}

fn run<DI: Domain, TO: Seen + 'static, MI: Metric, MO: Measure>(
    measurement: &Measurement<DI, TO, MI, MO>,
) -> impl Fn(&Owned<DI>, &mut dyn Entropy) -> Fallible<Key> + Sync {
    |input, entropy| Ok(measurement.invoke_with(input.borrow(), entropy)?.key())
}

/// Integers that a careless branch may treat as special.
pub(crate) const INTEGERS: [i64; 8] = [0, 1, 2, -1, 7, 255, i64::MIN, i64::MAX];
pub(crate) const FLOATS: [f64; 9] = [0.0, -0.0, 1.0, 0.1, -7.5, 5e-324, 2_147_483_648.0, 1e300, f64::MIN];

/// No rows, all datasets of one and two, and a long one.
fn datasets<T: Clone>(pool: &[T]) -> Vec<Vec<T>> {
    let long = pool.iter().cycle().take(50).cloned().collect();
    all_vectors(pool, 2).into_iter().chain([long]).collect()
}

/// All of one size.
pub(crate) fn of_size<T: Clone>(size: usize, pool: &[T]) -> Vec<Vec<T>> {
    all_vectors(pool, size).into_iter().filter(|rows| rows.len() == size).collect()
}

fn rows() -> (VectorDomain<AtomDomain<i64>>, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::i64()), SymmetricDistance)
}
