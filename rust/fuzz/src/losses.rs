//! Privacy loss distributions, at arguments of any kind, and the searches for a sigma, a rate or a number of steps.

use crate::{
    Source,
    accountants::{bounds, number},
};
use indistinct::accounting::*;

pub(crate) fn run(source: &mut Source) {
    if source.below(8) == 0 { calibrations(source) } else { distributions(source) }
}

type Losses = PrivacyLossDistribution;

fn one(source: &mut Source) -> Fallible<Losses> {
    let (x, rate) = (source.mostly_plain(), source.probability());
    match source.below(15) {
        0 => Losses::gaussian(Sigma(x)),
        1 => Losses::poisson_gaussian(Sigma(x), Rate(rate)),
        2 => Losses::poisson_gaussian_replace(Sigma(x), Rate(rate)),
        3 => Losses::fixed_size_gaussian(Sigma(x), Rate(rate)),
        4 => Losses::laplace(Scale(x)),
        5 => Losses::discrete_laplace(Scale(x), source.word()),
        6 => Losses::discrete_gaussian(Sigma(x), source.word()),
        7 => Losses::pure(x),
        8 => Losses::approximate(Epsilon(x), Delta(rate)),
        9 => Losses::bounded_range(x),
        10 => Losses::randomized_response(x, source.word()),
        11 => Losses::discrete(&source.several(4, |source| (source.mostly_plain(), source.mostly_plain()))),
        12 => {
            let amounts = source.several(4, |source| (source.mostly_plain(), source.mostly_plain()));
            Losses::mixture_gaussian(Sigma(x), &amounts)
        }
        13 => Losses::poisson_gaussian_records(Sigma(x), Rate(rate), 1 + source.word() % 8),
        _ => Losses::pure(x)?.poisson_sampled(rate),
    }
}

/// At most so many in all: what several kinds cost grows with their number.
const MOST: u64 = 1 << 12;

fn distributions(source: &mut Source) {
    let (Ok(one), Ok(other)) = (one(source), one(source)) else { return };
    let Ok(many) = one.repeat(u64::from(source.word()) % MOST) else { return };
    let all = if source.coin() { many.compose(&other) } else { Ok(many) };
    let Ok(all) = all else { return };
    assert!(all <= all.clone() && !format!("{all}").is_empty());
    if source.coin() {
        bounds!(all.delta(source.mostly_plain()));
    } else {
        bounds!(all.epsilon(source.probability()));
    }
}

fn calibrations(source: &mut Source) {
    let (rate, sigma) = (source.probability(), source.mostly_plain());
    let (epsilon, delta) = (source.mostly_plain(), source.probability());
    let steps = source.word();
    let steps = u64::from(steps) % MOST;
    match source.below(3) {
        0 => _ = number(Losses::calibrate_sigma(Rate(rate), steps, Epsilon(epsilon), Delta(delta))),
        1 => _ = number(Losses::calibrate_rate(Sigma(sigma), steps, Epsilon(epsilon), Delta(delta))),
        _ => _ = Losses::calibrate_steps(Sigma(sigma), Rate(rate), Epsilon(epsilon), Delta(delta)),
    }
}
