//! The same release with its loss converted to another measure.

use crate::{
    Source,
    distances::Given,
    exercise,
    record::{make, told},
};
use indistinct::{core::ToParameter, prelude::*, sampling::Entropy};

pub(crate) fn run(source: &mut Source) {
    match source.below(5) {
        0 => of_pure(source),
        1 => of_ranges(source),
        2 => of_rho(source),
        3 => of_mu(source),
        _ => of_pairs(source),
    }
}

type Bits = VectorDomain<AtomDomain<bool>>;
type Release<MO> = Measurement<Bits, (), SymmetricDistance, MO>;

/// A release that loses what a map says, of which nothing is checked.
fn losing<MO: Measure + ToParameter>(
    measure: MO,
    loss: impl Fn(f64) -> MO::Distance + Send + Sync + 'static,
) -> Release<MO> {
    let release = |_: &[bool], _: &mut dyn Entropy| Ok(());
    // Few distances differ, so that slow maps are asked for little.
    let map = move |d_in: &u32| Ok(loss(f64::from(*d_in)));
    let rows = VectorDomain::new(AtomDomain::bool());
    make!(make_user_measurement(rows, SymmetricDistance, measure, release, map)).unwrap()
}

fn scalar<MO: Measure<Distance = f64> + ToParameter>(source: &mut Source, measure: MO) -> Release<MO> {
    let factor = if source.below(3) == 0 { source.float().abs() } else { source.plain() };
    losing(measure, move |d_in| if d_in == 0.0 { 0.0 } else { d_in * factor })
}

fn at<MO: Measure<Distance: Given>>(source: &mut Source, converted: Option<Release<MO>>) {
    if let Some(converted) = converted {
        exercise::losses(source, &converted);
    }
}

/// What a profile says at one delta, or at one epsilon. At an epsilon that is given the loss at distance 0 is that
/// epsilon.
fn fixed(source: &mut Source, profile: Option<Release<SmoothedMaxDivergence>>) {
    let Some(profile) = profile else { return };
    exercise::losses(source, &profile);
    if source.coin() {
        let Some(fixed) = make!(make_fix_delta(profile, source.probability())) else { return };
        exercise::rises(source, &|d_in| fixed.map(d_in));
        assert!(told(fixed.map(&0)).is_none_or(|(epsilon, _)| epsilon == 0.0));
    } else {
        let Some(fixed) = make!(make_fix_epsilon(profile, source.mostly_plain())) else { return };
        exercise::rises(source, &|d_in| fixed.map(d_in));
        assert!(told(fixed.map(&0)).is_none_or(|(_, delta)| delta == 0.0));
    }
}

fn of_pure(source: &mut Source) {
    let pure = scalar(source, MaxDivergence);
    match source.below(7) {
        0 => at(source, make!(make_pureDP_to_zCDP(pure))),
        1 => at(source, make!(make_pureDP_to_bounded_range(pure))),
        2 => at(source, make!(make_pureDP_to_approxDP(pure))),
        3 => at(source, make!(make_approximate(pure))),
        4 => at(source, make!(make_pureDP_to_PLD(pure))),
        5 => {
            let losses = make!(make_pureDP_to_PLD(pure)).unwrap();
            at(source, make!(make_PLD_to_RDP(losses)));
        }
        _ => {
            let losses = make!(make_pureDP_to_PLD(pure)).unwrap();
            fixed(source, make!(make_PLD_to_approxDP(losses)));
        }
    }
}

fn of_ranges(source: &mut Source) {
    let range = scalar(source, RangeDivergence);
    match source.below(4) {
        0 => at(source, make!(make_bounded_range_to_pureDP(range))),
        1 => at(source, make!(make_bounded_range_to_zCDP(range))),
        2 => at(source, make!(make_bounded_range_to_PLD(range))),
        _ => {
            let losses = make!(make_bounded_range_to_PLD(range)).unwrap();
            fixed(source, make!(make_PLD_to_approxDP(losses)));
        }
    }
}

fn of_rho(source: &mut Source) {
    let rho = scalar(source, ZeroConcentratedDivergence);
    match source.below(3) {
        0 => at(source, make!(make_zCDP_to_RDP(rho))),
        1 => fixed(source, make!(make_zCDP_to_approxDP(rho))),
        _ => {
            let curve = make!(make_zCDP_to_RDP(rho)).unwrap();
            fixed(source, make!(make_RDP_to_approxDP(curve)));
        }
    }
}

fn of_mu(source: &mut Source) {
    let mu = scalar(source, GaussianDivergence);
    match source.below(4) {
        0 => at(source, make!(make_GDP_to_zCDP(mu))),
        1 => fixed(source, make!(make_GDP_to_approxDP(mu))),
        2 => at(source, make!(make_GDP_to_PLD(mu))),
        _ => {
            let losses = make!(make_GDP_to_PLD(mu)).unwrap();
            fixed(source, make!(make_PLD_to_approxDP(losses)));
        }
    }
}

fn of_pairs(source: &mut Source) {
    let (epsilon, delta) = (source.mostly_plain().abs(), source.probability().abs());
    let pair = losing(Approximate(MaxDivergence), move |d_in| {
        if d_in == 0.0 { (0.0, 0.0) } else { (d_in * epsilon, (d_in * delta).min(1.0)) }
    });
    match source.below(3) {
        0 => fixed(source, make!(make_fixed_approxDP_to_approxDP(pair))),
        1 => at(source, make!(make_fixed_approxDP_to_PLD(pair))),
        _ => {
            let losses = make!(make_fixed_approxDP_to_PLD(pair)).unwrap();
            fixed(source, make!(make_PLD_to_approxDP(losses)));
        }
    }
}
