//! Noise. On integers the code itself, on all bits that matter; on floats by the law of the rounded noise, and draws that follow it.

use super::{Row, formulas, support::*, tight};
use indistinct::prelude::*;
use indistinct_audit::{
    Key, Law, Report, Seen,
    exact::exact,
    last_digits,
    stability::ladder_of_numbers,
    statistical::{View, statistical},
    tape::Probing,
};

pub(crate) const ROWS: &[Row] = &[
    tight("make_laplace", laplace),
    tight("make_gaussian", gaussian),
    tight("make_geometric", geometric),
    tight("make_snapping", snapping),
    tight("make_canonical_noise", canonical),
];

/// Each word of a vector multiplies the runs: their tails are left undecided earlier.
fn two_words() -> Probing {
    Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) }
}

/// Cells of a grid of whole numbers, each collecting what is rounded to it; the outermost collect the rest.
fn whole_cells(cdf: impl Fn(f64) -> indistinct_audit::mass::Mass) -> Law {
    let ends: Vec<f64> = (-12..12).map(|cell| f64::from(cell) + 0.5).collect();
    formulas::cells(&ends, cdf).image(|cell| match cell {
        Key::Number(cell) => Key::Number(cell - 12),
        other => other.clone(),
    })
}

/// The view of a float release that goes with it.
fn whole_number(key: Key) -> Key {
    match key {
        Key::Bits(bits) => {
            let cell = f64::from_bits(bits).clamp(-12.0, 12.0);
            Key::Number(
                (-12..=12i128).find(|n| (n.to_string().parse::<f64>().unwrap() - cell).abs() < 0.5).unwrap_or(99),
            )
        }
        other => other,
    }
}

/// A measurement that rounds Gaussian noise to whole numbers, by the law of that.
pub(crate) fn whole_numbers<MO: indistinct_audit::Claims>(
    measurement: &Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>,
    scale: f64,
) -> Report {
    let law = |x: &f64| whole_cells(|end| formulas::gaussian_cdf(end - x, scale));
    by_formula(measurement, &NUMBERS, law, whole_number)
}

const NUMBERS: [f64; 5] = [0.0, 1.0, 0.25, -1.0, 3.0];

fn laplace() -> Report {
    let integers = all([0.5, 1.0, 3.0].map(|scale| {
        let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale).unwrap();
        exact(&noisy, &[0, 1, 2, -1], Probing::default().with_requests(2))
            .and(exact(&noisy, &[i64::MAX, i64::MAX - 1], Probing::default().with_requests(2)))
            .and(rises(&noisy, &ladder_of_numbers(), &0.0))
    }));
    let small = make_laplace(AtomDomain::u8(), AbsoluteDistance::new(), 1.0).unwrap();
    let saturating = exact(&small, &[0, 1], Probing::default().with_requests(2)).and(exact(
        &small,
        &[254, 255],
        Probing::default().with_requests(2),
    ));
    let vectors = make_laplace(VectorDomain::new(AtomDomain::i64()), L1Distance::new(), 0.5).unwrap();
    let vectors = exact(&vectors, &[vec![0, 0], vec![1, 0], vec![1, -1]], two_words());
    let floats = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(1.25).on_grid(0)).unwrap();
    let law = |x: &f64| whole_cells(|end| formulas::laplace_cdf(end - x, 1.25));
    let fine = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1.25).unwrap();
    all([integers, saturating, vectors, by_formula(&floats, &NUMBERS, law, whole_number)]).and(rises(
        &fine,
        &ladder_of_numbers(),
        &0.0,
    ))
}

fn gaussian() -> Report {
    let integers = all([0.5, 1.0, 2.5].map(|scale| {
        let metric = AbsoluteDistance::new();
        let noisy = make_gaussian(AtomDomain::i64(), metric, ZeroConcentratedDivergence, scale).unwrap();
        exact(&noisy, &[0, 1, 2, -1], Probing::default().with_requests(2)).and(rises(
            &noisy,
            &ladder_of_numbers(),
            &0.0,
        ))
    }));
    let space = VectorDomain::new(AtomDomain::i64());
    let vectors = make_gaussian(space, L2Distance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
    let vectors = exact(&vectors, &[vec![0, 0], vec![1, 0], vec![1, -1]], two_words());
    let scale = Scale::new(1.25).on_grid(0);
    let metric = AbsoluteDistance::new();
    let rho = make_gaussian(AtomDomain::f64(), metric.clone(), ZeroConcentratedDivergence, scale).unwrap();
    let mu = make_gaussian(AtomDomain::f64(), metric.clone(), GaussianDivergence, scale).unwrap();
    let fine = make_gaussian(AtomDomain::f64(), metric, GaussianDivergence, 1.25).unwrap();
    all([integers, vectors, whole_numbers(&rho, 1.25), whole_numbers(&mu, 1.25)]).and(rises(
        &fine,
        &ladder_of_numbers(),
        &0.0,
    ))
}

fn geometric() -> Report {
    all([(1.0, None), (2.0, Some((-2, 3))), (0.5, Some((0, 0))), (1.5, Some((0, 9)))].map(|(scale, bounds)| {
        let noisy = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), scale, bounds).unwrap();
        exact(&noisy, &[-4, -1, 0, 1, 3, 9], Probing::default().with_requests(2)).and(rises(
            &noisy,
            &ladder_of_numbers(),
            &0.0,
        ))
    }))
}

fn snapping() -> Report {
    all([(1.0, 8.0), (2.0, 6.0)].map(|(scale, bound)| {
        let noisy = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap();
        // Beyond the bound, inputs are clamped to it.
        let law = |x: &f64| formulas::snapped(scale, bound, x.clamp(-bound, bound));
        by_formula(&noisy, &[0.0, 0.25, 1.0, -1.25, 3.0, 100.0], law, same).and(rises(
            &noisy,
            &ladder_of_numbers(),
            &0.0,
        ))
    }))
}

fn canonical() -> Report {
    all([(1.0, 0.01), (0.5, 0.1), (2.0, 0.0), (0.25, 0.25)].map(|(epsilon, delta)| {
        let metric = AbsoluteDistance::new();
        let noisy = make_canonical_noise(AtomDomain::f64(), metric, 1.0, (epsilon, delta)).unwrap();
        let ends: Vec<f64> = (-32..=32).map(|cell| f64::from(cell) / 4.0).collect();
        let law = |x: &f64| formulas::cells(&ends, |end| formulas::tulap_cdf(end - x, (epsilon, delta)));
        // A release on the border of two cells belongs to the upper one in either view, but for the rounding to the grid, of 2^-33.
        let cell = |key: Key| match key {
            Key::Bits(bits) => ends.iter().filter(|end| **end < f64::from_bits(bits)).count().key(),
            other => other,
        };
        by_formula(&noisy, &[0.0, 0.25, 0.5, 1.0, 2.0], law, cell).and(rises(&noisy, &ladder_of_numbers(), &(0.0, 0.0)))
    }))
}

/// Releases of floats at the default grid give nothing away by their last digits.
#[test]
fn last_digits_tell_nothing() {
    let views: [View; 1] = [&last_digits];
    let (domain, metric) = (AtomDomain::f64(), AbsoluteDistance::new());
    let laplace = make_laplace(domain.clone(), metric.clone(), 1.0).unwrap();
    let gaussian = make_gaussian(domain, metric, GaussianDivergence, 1.0).unwrap();
    let pairs = [(0.0, 1.0), (0.0, 2f64.powi(40))];
    let reports = [statistical(&laplace, &pairs, &views, &effort()), statistical(&gaussian, &pairs, &views, &effort())];
    assert!(reports.iter().all(|report| report.pairs == 4 && !report.is_violated()), "{reports:?}");
}
