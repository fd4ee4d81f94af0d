//! Negative controls of amplification: samples that are drawn or put in order wrongly, and rates that are charged
//! wrongly.

use super::Family;
use crate::responses::coins;
use indistinct::{
    accounting::{Delta, Epsilon, Rate, amplify_by_sampling},
    prelude::*,
    sampling::{Entropy, bernoulli, uniform_below_u64},
};
use indistinct_audit::{Report, exact::exact, tape::Probing};

type Rows = VectorDomain<AtomDomain<bool>>;

/// The loss of a response with probability 3/4, rounded up.
fn ln3() -> f64 {
    3f64.ln().next_up()
}

/// The loss at a distance of a response to a sample that differs with this probability.
fn amplified(rate: f64) -> f64 {
    amplify_by_sampling(Epsilon(ln3()), Delta(0.0), Rate(rate)).unwrap().0
}

/// A response to a query about the rows, which loses as much at any distance, 0 included.
fn response(question: fn(&[bool]) -> bool) -> Measurement<Rows, bool, SymmetricDistance, MaxDivergence> {
    released(move |rows, entropy| Ok(bernoulli(0.75, entropy)? == question(rows)), |_| ln3())
}

fn released(
    release: impl Fn(&[bool], &mut dyn Entropy) -> Fallible<bool> + Send + Sync + 'static,
    map: fn(u32) -> f64,
) -> Measurement<Rows, bool, SymmetricDistance, MaxDivergence> {
    let rows = VectorDomain::new(AtomDomain::bool());
    make_user_measurement(rows, SymmetricDistance, MaxDivergence, release, move |d_in: &u32| Ok(map(*d_in))).unwrap()
}

/// Each row is taken with probability 1/2, what was taken is put in some order, and the response is given.
fn sample(
    question: fn(&[bool]) -> bool,
    order: fn(&mut [bool], &mut dyn Entropy) -> Fallible<()>,
    map: fn(u32) -> f64,
) -> Report {
    let release = move |rows: &[bool], entropy: &mut dyn Entropy| {
        let mut sample = Vec::new();
        for row in rows {
            if entropy.bits(1)? == 1 {
                sample.push(*row);
            }
        }
        order(&mut sample, entropy)?;
        Ok(bernoulli(0.75, entropy)? == question(&sample))
    };
    audited(&released(release, map))
}

fn audited(measurement: &Measurement<Rows, bool, SymmetricDistance, MaxDivergence>) -> Report {
    let (t, f) = (true, false);
    let inputs = [vec![], vec![t], vec![f], vec![f, t], vec![t, f], vec![t, t], vec![f, f, t], vec![t, f, f]];
    exact(measurement, &inputs, Probing { requests: 12, ..coins() })
}

fn any(rows: &[bool]) -> bool {
    rows.contains(&true)
}

fn ascends(rows: &[bool]) -> bool {
    rows.first() < rows.last()
}

fn as_they_are(_: &mut [bool], _: &mut dyn Entropy) -> Fallible<()> {
    Ok(())
}

/// Each place is exchanged with one before it, and never with itself.
fn never_in_place(rows: &mut [bool], entropy: &mut dyn Entropy) -> Fallible<()> {
    for place in (1..rows.len()).rev() {
        let choice = uniform_below_u64(u64::try_from(place).unwrap(), entropy)?;
        rows.swap(place, usize::try_from(choice).unwrap());
    }
    Ok(())
}

fn at_half(d_in: u32) -> f64 {
    amplified(1.0 - 0.5f64.powi(i32::try_from(d_in).unwrap()))
}

pub(super) fn family() -> Family {
    let controls = vec![
        ("sampling: rows in the order of the data, which the metric ignores", sample(ascends, as_they_are, at_half)),
        ("sampling: an order in which no row stays in place", sample(ascends, never_in_place, at_half)),
        ("sampling: the rate times epsilon", sample(any, as_they_are, |d| f64::from(d) * 0.5 * ln3())),
        (
            "sampling: the rate of one row for all",
            sample(any, as_they_are, |d| amplified(if d == 0 { 0.0 } else { 0.5 })),
        ),
    ];
    let sound = vec![
        ("sampling", sample(any, as_they_are, at_half)),
        ("sampling of what asks for the order", audited(&make_poisson_sampling(response(ascends), 0.5).unwrap())),
        ("sampling of what does not", audited(&make_poisson_sampling(response(any), 0.5).unwrap())),
    ];
    Family { controls, sound }
}
