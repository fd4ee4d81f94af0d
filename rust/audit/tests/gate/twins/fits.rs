//! Twins of noise on floats at the default grid, and of selections: less noise than is charged for, which only draws against the law show.

use super::Family;
use crate::{
    formulas,
    noise::{Cdf, at_default_grid},
    selection::{SCALE, eleven, on_uneven},
};
use indistinct::{
    core::ToParameter,
    numeric::RoundedArithmetic,
    prelude::*,
    sampling::{self, Entropy, RoundedNoise},
};
use indistinct_audit::{Claims, Report};

/// Noise that is charged as if it had scale 5/4.
fn float<MO: Claims + Measure<Distance = f64> + ToParameter>(
    measure: MO,
    cdf: Cdf,
    noise: fn(f64, f64, &mut dyn Entropy) -> sampling::Fallible<f64>,
) -> Report {
    let twin = make_user_measurement(
        AtomDomain::f64(),
        AbsoluteDistance::new(),
        measure,
        move |x: &f64, entropy: &mut dyn Entropy| Ok(noise(*x, 1.25, entropy)?),
        |d_in: &f64| Ok(d_in.inf_div(1.25)?),
    );
    at_default_grid(&twin.unwrap(), |x| x, (cdf, 1.25), &[0.0, 1e7])
}

fn laplace(x: f64, scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<f64> {
    RoundedNoise::laplace(scale, Scale::new(scale).grid())?.add(x, entropy)
}

fn gaussian(x: f64, scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<f64> {
    RoundedNoise::gaussian(scale, Scale::new(scale).grid())?.add(x, entropy)
}

pub(super) fn family() -> Family {
    let (of_laplace, of_gaussian): (Cdf, Cdf) = (formulas::laplace_cdf, formulas::gaussian_cdf);
    let selected = |scale: f64| {
        on_uneven(
            &make_exponential(eleven(), LInfDistance::new(), RangeDivergence, scale).unwrap(),
            formulas::exponential,
        )
    };
    let flipped = |scale: f64| {
        on_uneven(&make_permute_and_flip(eleven(), LInfDistance::new(), scale).unwrap(), formulas::permute_and_flip)
    };
    let twins = vec![
        ("laplace on floats: half of the noise", float(MaxDivergence, of_laplace, |x, s, e| laplace(x, s / 2.0, e))),
        (
            "laplace on floats: three parts in a hundred less",
            float(MaxDivergence, of_laplace, |x, s, e| laplace(x, 0.97 * s, e)),
        ),
        (
            "laplace on floats: none far from zero",
            float(MaxDivergence, of_laplace, |x, s, e| if x > 1e6 { Ok(x) } else { laplace(x, s, e) }),
        ),
        (
            "laplace on floats: on one side",
            float(MaxDivergence, of_laplace, |x, s, e| Ok(x + (laplace(x, s, e)? - x).abs())),
        ),
        ("laplace on floats: a normal law", float(MaxDivergence, of_laplace, gaussian)),
        (
            "gaussian on floats: half of the noise",
            float(GaussianDivergence, of_gaussian, |x, s, e| gaussian(x, s / 2.0, e)),
        ),
        (
            "gaussian on floats: three parts in a hundred less",
            float(GaussianDivergence, of_gaussian, |x, s, e| gaussian(x, 0.97 * s, e)),
        ),
        (
            "gaussian on floats: the variance for the deviation",
            float(GaussianDivergence, of_gaussian, |x, s, e| gaussian(x, s.sqrt(), e)),
        ),
        ("exponential: three parts in a hundred less noise", selected(0.97 * SCALE)),
        ("permute and flip: three parts in a hundred less noise", flipped(0.97 * SCALE)),
    ];
    let controls = vec![
        ("laplace on floats", float(MaxDivergence, of_laplace, laplace)),
        ("gaussian on floats", float(GaussianDivergence, of_gaussian, gaussian)),
        // Nothing is compared but draws with their law.
        ("exponential", Report { pairs: 1, ..selected(SCALE) }),
        ("permute and flip", Report { pairs: 1, ..flipped(SCALE) }),
    ];
    Family { twins, controls }
}
