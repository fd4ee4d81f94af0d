//! Measurements from measurements: the code itself, on all bits that matter, with the loss told in every measure.

use super::{Row, loose, responses::coins, support::*, tight};
use indistinct::prelude::*;
use indistinct_audit::{Report, exact::exact, silence::same_control_flow, tape::Probing};

pub(crate) const ROWS: &[Row] = &[
    tight("make_composition", composition),
    tight("make_approximate", approximate),
    tight("make_pureDP_to_approxDP", pure_to_approximate),
    tight("make_fixed_approxDP_to_approxDP", fixed_to_profile),
    tight("make_pureDP_to_bounded_range", pure_to_range),
    loose(
        "make_bounded_range_to_pureDP",
        "a range bounds the loss by itself, of which half is attained by what is symmetric",
        range_to_pure,
    ),
    tight("make_bounded_range_to_zCDP", range_to_zcdp),
    tight("make_pureDP_to_zCDP", pure_to_zcdp),
    tight("make_zCDP_to_RDP", zcdp_to_renyi),
    loose(
        "make_zCDP_to_approxDP",
        "loose: the best bound on delta by rho alone is above that of Gaussian noise",
        zcdp_to_profile,
    ),
    loose("make_RDP_to_approxDP", "loose: as from zCDP", renyi_to_profile),
    tight("make_GDP_to_zCDP", gaussian_to_zcdp),
    tight("make_GDP_to_approxDP", gaussian_to_profile),
    tight("make_pureDP_to_PLD", pure_to_losses),
    tight("make_fixed_approxDP_to_PLD", fixed_to_losses),
    tight("make_bounded_range_to_PLD", range_to_losses),
    tight("make_GDP_to_PLD", gaussian_to_losses),
    tight("make_PLD_to_approxDP", losses_to_profile),
    tight("make_fix_delta", fix_delta),
    tight("make_fix_epsilon", fix_epsilon),
];

type Response = Measurement<AtomDomain<bool>, bool, DiscreteDistance, MaxDivergence>;
type Noisy<MO> = Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MO>;

/// The worst pair of laws of its loss: every conversion of pure privacy is checked on it.
fn response(prob: f64) -> Response {
    make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap()
}

fn probed<MO: indistinct_audit::Claims>(
    measurement: &Measurement<AtomDomain<bool>, bool, DiscreteDistance, MO>,
) -> Report {
    exact(measurement, &[true, false], Probing::default())
}

fn noisy(scale: f64) -> Noisy<ZeroConcentratedDivergence> {
    make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap()
}

fn integers<MO: indistinct_audit::Claims>(measurement: &Noisy<MO>) -> Report {
    exact(measurement, &[0, 1, 2, 5], Probing::default().with_requests(2))
}

/// Losses from small to large.
fn responses(convert: impl Fn(Response) -> Report) -> Report {
    all([0.51, 0.75, 0.99].map(|prob| convert(response(prob))))
}

fn composition() -> Report {
    let inputs = [true, false];
    let pair = make_composition((response(0.75), response(0.6))).unwrap();
    let three = make_composition(vec![response(0.75), response(0.6), response(0.51)]).unwrap();
    let nested = make_composition((pair.clone(), response(0.51))).unwrap();
    let run = |x: &bool, entropy: &mut dyn indistinct::sampling::Entropy| {
        Ok(indistinct_audit::Seen::key(&three.invoke_with(x, entropy)?))
    };
    let concentrated = make_composition((noisy(1.0), noisy(0.5))).unwrap();
    let two_words = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    exact(&pair, &inputs, coins())
        .and(exact(&three, &inputs, coins()))
        .and(exact(&nested, &inputs, coins()))
        .and(exact(&concentrated, &[0, 1], two_words))
        .and(same_control_flow(&run, &[(true, false)], 100))
        .and(rises(&three, &[0, 1, 2], &0.0))
}

fn approximate() -> Report {
    responses(|response| probed(&make_approximate(response).unwrap()))
}

fn pure_to_approximate() -> Report {
    responses(|response| probed(&make_pureDP_to_approxDP(response).unwrap()))
}

fn fixed_to_profile() -> Report {
    responses(|response| {
        let fixed = make_pureDP_to_approxDP(response).unwrap();
        probed(&make_fixed_approxDP_to_approxDP(fixed).unwrap())
    })
}

fn pure_to_range() -> Report {
    responses(|response| probed(&make_pureDP_to_bounded_range(response).unwrap()))
}

fn range_to_pure() -> Report {
    responses(|response| {
        probed(&make_bounded_range_to_pureDP(make_pureDP_to_bounded_range(response).unwrap()).unwrap())
    })
}

fn range_to_zcdp() -> Report {
    responses(|response| probed(&make_bounded_range_to_zCDP(make_pureDP_to_bounded_range(response).unwrap()).unwrap()))
}

fn pure_to_zcdp() -> Report {
    responses(|response| probed(&make_pureDP_to_zCDP(response).unwrap()))
}

fn zcdp_to_renyi() -> Report {
    all([0.5, 2.0].map(|scale| integers(&make_zCDP_to_RDP(noisy(scale)).unwrap())))
}

fn zcdp_to_profile() -> Report {
    all([0.5, 2.0].map(|scale| integers(&make_zCDP_to_approxDP(noisy(scale)).unwrap())))
}

fn renyi_to_profile() -> Report {
    all([0.5, 2.0].map(|scale| integers(&make_RDP_to_approxDP(make_zCDP_to_RDP(noisy(scale)).unwrap()).unwrap())))
}

/// Gaussian noise on floats, released on a grid so coarse that its law is easily written down.
fn on_floats<MO: indistinct_audit::Claims>(
    convert: impl Fn(
        Measurement<AtomDomain<f64>, f64, AbsoluteDistance, GaussianDivergence>,
    ) -> Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>,
) -> Report {
    let scale = Scale::new(2.0).on_grid(0);
    let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale).unwrap();
    super::noise::whole_numbers(&convert(gaussian), 2.0)
}

fn gaussian_to_zcdp() -> Report {
    on_floats(|gaussian| make_GDP_to_zCDP(gaussian).unwrap())
}

fn gaussian_to_profile() -> Report {
    on_floats(|gaussian| make_GDP_to_approxDP(gaussian).unwrap())
}

fn pure_to_losses() -> Report {
    responses(|response| {
        let losses = make_pureDP_to_PLD(response).unwrap();
        let three = make_composition(vec![losses.clone(); 3]).unwrap();
        probed(&losses).and(exact(&three, &[true, false], coins()))
    })
}

fn fixed_to_losses() -> Report {
    responses(|response| probed(&make_fixed_approxDP_to_PLD(make_pureDP_to_approxDP(response).unwrap()).unwrap()))
}

fn range_to_losses() -> Report {
    responses(|response| probed(&make_bounded_range_to_PLD(make_pureDP_to_bounded_range(response).unwrap()).unwrap()))
}

fn gaussian_to_losses() -> Report {
    on_floats(|gaussian| make_GDP_to_PLD(gaussian).unwrap())
}

fn losses_to_profile() -> Report {
    responses(|response| probed(&make_PLD_to_approxDP(make_pureDP_to_PLD(response).unwrap()).unwrap()))
}

fn fix_delta() -> Report {
    all([1e-3, 0.1]
        .map(|delta| on_floats(|gaussian| make_fix_delta(make_GDP_to_approxDP(gaussian).unwrap(), delta).unwrap())))
}

fn fix_epsilon() -> Report {
    all([0.25, 1.0].map(|epsilon| {
        on_floats(|gaussian| make_fix_epsilon(make_GDP_to_approxDP(gaussian).unwrap(), epsilon).unwrap())
    }))
}
