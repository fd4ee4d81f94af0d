//! Negative controls of combinators: sound parts, and a wrong account of them.

use super::{
    Control, Family,
    noise::{gaussian as gaussian_noise, laplace},
};
use crate::responses::coins;
use indistinct::{
    accounting::{Delta, Epsilon, Mu, Scale, Sigma},
    core::ToParameter,
    prelude::*,
    sampling::{Entropy, bernoulli},
};
use indistinct_audit::{Claims, Report, exact::exact, tape::Probing};

/// Several responses, each with probability 3/4, under a claimed loss; each costs ln(3).
fn responses<MO: Claims + ToParameter>(measure: MO, number: usize, loss: MO::Distance, none: MO::Distance) -> Report {
    let function = move |x: &bool, entropy: &mut dyn Entropy| -> Fallible<Vec<bool>> {
        (0..number).map(|_| Ok(bernoulli(0.75, entropy)? == *x)).collect()
    };
    let map = move |d_in: &u32| Ok(if *d_in == 0 { none.clone() } else { loss.clone() });
    let control = make_user_measurement(AtomDomain::bool(), DiscreteDistance, measure, function, map).unwrap();
    exact(&control, &[true, false], coins())
}

/// A response that reveals its input with probability 1/16, some times over, under claimed losses.
fn leaking(number: usize, losses: PrivacyLossDistribution) -> Report {
    let function = move |x: &bool, entropy: &mut dyn Entropy| -> Fallible<Vec<(bool, bool)>> {
        let mut answer = || -> Fallible<(bool, bool)> {
            let leak = entropy.bits(4)? == 0;
            Ok((leak, if leak { *x } else { bernoulli(0.75, entropy)? == *x }))
        };
        (0..number).map(|_| answer()).collect()
    };
    let map = move |d_in: &u32| Ok(if *d_in == 0 { PrivacyLossDistribution::none() } else { losses.clone() });
    let control =
        make_user_measurement(AtomDomain::bool(), DiscreteDistance, PrivacyLossDivergence, function, map).unwrap();
    exact(&control, &[true, false], coins())
}

/// Gaussian noise of scale 1 on an integer, of which mu is the distance and rho half of its square.
fn gaussian<MO: Claims + ToParameter>(measure: MO, map: fn(f64) -> MO::Distance) -> Report {
    let function = |x: &i64, entropy: &mut dyn Entropy| Ok(x + gaussian_noise(1.0, entropy)?);
    let (domain, metric) = (AtomDomain::i64(), AbsoluteDistance::new());
    let control = make_user_measurement(domain, metric, measure, function, move |d_in: &f64| Ok(map(*d_in))).unwrap();
    exact(&control, &[0, 1, 2], Probing::default().with_requests(2))
}

/// A budget that is checked in a wrong way: it lets one more through than it should.
fn filter(allowed: fn(u32, u32) -> bool) -> Report {
    let function = move |x: &bool, entropy: &mut dyn Entropy| -> Fallible<Vec<bool>> {
        let (mut answers, mut spent) = (Vec::new(), 0);
        while allowed(spent, 2) {
            spent += 1;
            answers.push(bernoulli(0.75, entropy)? == *x);
        }
        Ok(answers)
    };
    let map = |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { (2.0 * 3f64.ln()).next_up().next_up() });
    let control = make_user_measurement(AtomDomain::bool(), DiscreteDistance, MaxDivergence, function, map).unwrap();
    exact(&control, &[true, false], coins())
}

/// Running sums of two items, each block with noise of scale 1/2; `skip` leaves the second block without.
fn tree(skip: bool, map: fn(u32) -> f64) -> Report {
    let function = move |items: &[i64], entropy: &mut dyn Entropy| -> Fallible<Vec<i64>> {
        let first = items.first().unwrap_or(&0) + laplace(0.5, entropy)?;
        let both = items.iter().sum::<i64>() + if skip { 0 } else { laplace(0.5, entropy)? };
        Ok(vec![first, both])
    };
    let items = VectorDomain::new(AtomDomain::i64().with_bounds((0, 1)).unwrap()).with_size(2);
    let control = make_user_measurement(items, HammingDistance, MaxDivergence, function, move |d: &u32| Ok(map(*d)));
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    exact(&control.unwrap(), &[vec![0, 0], vec![1, 0], vec![1, 1]], probing)
}

/// Two responses, each about a Poisson sample of the rows: whether it has any. Data of one row lose the pair
/// `((1 - q) Q + q P, Q)` against none, twice in the same direction.
fn on_samples(losses: &[(f64, f64)]) -> Report {
    let function = |rows: &[bool], entropy: &mut dyn Entropy| -> Fallible<Vec<bool>> {
        let mut answer = || -> Fallible<bool> {
            let taken = bernoulli(0.5, entropy)?;
            Ok(bernoulli(0.75, entropy)? == (taken && !rows.is_empty()))
        };
        Ok(vec![answer()?, answer()?])
    };
    let parts: Vec<_> = losses.to_vec();
    let map = move |d_in: &u32| match *d_in {
        0 => Ok(PrivacyLossDistribution::none()),
        _ => Ok(PrivacyLossDistribution::discrete(&parts)?),
    };
    let rows = VectorDomain::new(AtomDomain::bool());
    let control = make_user_measurement(rows, SymmetricDistance, PrivacyLossDivergence, function, map).unwrap();
    exact(&control, &[vec![], vec![true]], coins())
}

/// The four outcomes of two responses on samples of rate 1/2, the second with its direction turned around or not: in
/// sixteenths of the weights.
fn two_on_samples(turned: bool) -> Vec<(f64, f64)> {
    let (with, without) = ([4.0, 4.0], [2.0, 6.0]);
    let (p, q) = if turned { (without, with) } else { (with, without) };
    let pairs = with.iter().zip(&without).flat_map(|(a, b)| p.iter().zip(&q).map(move |(c, d)| (a * c, b * d)));
    pairs.collect()
}

/// Of Gaussian noise on a real number; none, if it is infinite. Noise on integers loses a little more, at most half as
/// much again here.
fn of_noise(sigma: f64) -> PrivacyLossDistribution {
    let none = sigma == 0.0 || sigma == f64::INFINITY;
    if none { PrivacyLossDistribution::none() } else { PrivacyLossDistribution::gaussian(Sigma(sigma)).unwrap() }
}

/// Wrong accounts of losses that are given as a whole distribution.
fn losses(ln3: f64) -> Vec<Control> {
    type P = PrivacyLossDistribution;
    let measure = PrivacyLossDivergence;
    let pure = |epsilon| P::pure(epsilon).unwrap();
    let below = PrivacyProfile::losses(pure(ln3).repeat(3).unwrap());
    let lower = pure(ln3).repeat(3).unwrap().delta(1.0).unwrap().lower;
    assert!(lower < below.delta(1.0).unwrap());
    // The bounds are next to each other: so little less is what can be told from what rounds.
    let less = lower * (1.0 - 1e-12);
    vec![
        ("losses: of half of epsilon", responses(measure, 1, pure(ln3 / 2.0), P::none())),
        ("losses: max for sum", responses(measure, 2, pure(ln3), P::none())),
        ("losses: one part forgotten", responses(measure, 3, pure(ln3).repeat(2).unwrap(), P::none())),
        ("losses: a range as if it were epsilon", responses(measure, 1, P::bounded_range(ln3).unwrap(), P::none())),
        (
            "losses: of Laplace noise, for a response",
            responses(measure, 1, P::laplace(Scale(1.0 / ln3.next_down())).unwrap(), P::none()),
        ),
        ("losses: below the lower bound on delta", responses(Approximate(MaxDivergence), 3, (1.0, less), (0.0, 0.0))),
        ("losses: without the infinite one", leaking(1, pure(ln3))),
        ("losses: infinite in one of two parts", {
            leaking(2, P::approximate(Epsilon(ln3), Delta(1.0 / 16.0)).unwrap().compose(&pure(ln3)).unwrap())
        }),
        ("losses: the direction of one of two samples turned around", on_samples(&two_on_samples(true))),
        ("losses: one of two samples forgotten", on_samples(&[(4.0, 2.0), (4.0, 6.0)])),
        ("losses: mu as sigma", gaussian(measure, |d| of_noise(1.5 * d))),
        ("losses: of half of mu", gaussian(measure, |d| of_noise(2.0 / (1.5 * d)))),
    ]
}

pub(super) fn family() -> Family {
    let (ln3, rho) = (3f64.ln().next_up(), ZeroConcentratedDivergence);
    let twice = 2.0 * ln3;
    let profile = SmoothedMaxDivergence;
    let mut controls = vec![
        ("composition: max for sum", responses(MaxDivergence, 2, ln3, 0.0)),
        ("composition: root of the squares", responses(MaxDivergence, 2, ln3 * 2f64.sqrt(), 0.0)),
        ("composition: one part forgotten", responses(MaxDivergence, 3, twice, 0.0)),
        (
            "composition: losses rounded down",
            responses(MaxDivergence, 2, twice.next_down().next_down().next_down().next_down(), 0.0),
        ),
        ("composition: delta of one part", responses(Approximate(MaxDivergence), 2, (ln3, 0.25), (0.0, 0.0))),
        (
            "composition: epsilon of one part, without delta",
            responses(Approximate(MaxDivergence), 2, (ln3, 0.0), (0.0, 0.0)),
        ),
        ("pure to zCDP: an eighth of the square", responses(rho, 1, ln3 * ln3 / 8.0, 0.0)),
        ("pure to zCDP: of one of two parts", responses(rho, 2, ln3 * ln3 / 2.0, 0.0)),
        ("pure to range: without its factor of two", responses(RangeDivergence, 1, ln3, 0.0)),
        ("pure to mu: epsilon itself", responses(GaussianDivergence, 1, ln3 / 2.0, 0.0)),
        ("range to zCDP: a sixteenth", responses(rho, 1, 4.0 * ln3 * ln3 / 16.0 * 0.9, 0.0)),
        (
            "zCDP to Renyi: half of the orders",
            gaussian(RenyiDivergence, |d| RenyiCurve::concentrated(d * d / 4.0).unwrap()),
        ),
        (
            "zCDP to a profile: of half of rho",
            gaussian(profile, |d| PrivacyProfile::concentrated(d * d / 8.0).unwrap()),
        ),
        ("mu to a profile: of half of mu", gaussian(profile, |d| PrivacyProfile::gaussian(Mu(d / 2.0)).unwrap())),
        ("mu to zCDP: without its square", gaussian(rho, |d| if d > 1.0 { d / 2.0 } else { d * d / 2.0 })),
        (
            "fixed delta: epsilon of a greater one",
            gaussian(Approximate(MaxDivergence), |d| {
                (PrivacyProfile::gaussian(Mu(d)).unwrap().epsilon(0.2).unwrap(), 0.1)
            }),
        ),
        (
            "fixed epsilon: delta of a greater one",
            gaussian(Approximate(MaxDivergence), |d| {
                (0.5, PrivacyProfile::gaussian(Mu(d)).unwrap().delta(1.0).unwrap())
            }),
        ),
        (
            "delta: a tenth for the logarithm's base",
            gaussian(Approximate(MaxDivergence), |d| {
                (d * d / 2.0 + 2.0 * (d * d / 2.0 * 100f64.log10()).sqrt() / 2.0, 0.01)
            }),
        ),
        ("filter: `<=` for `<`", filter(|spent, budget| spent <= budget)),
        ("filter: the last charge is forgotten", filter(|spent, budget| spent.saturating_sub(1) < budget)),
        ("tree: one level for two", tree(false, |d| 2.0 * f64::from(d))),
        ("tree: one item for all", tree(false, |d| 4.0 * f64::from(d.min(1)))),
        ("tree: a block without noise", tree(true, |d| 4.0 * f64::from(d))),
    ];
    controls.extend(losses(ln3));
    let sound = vec![
        ("composition", responses(MaxDivergence, 2, twice.next_up(), 0.0)),
        ("pure to zCDP", responses(rho, 1, ln3 * ln3 / 2.0, 0.0)),
        ("pure to range", responses(RangeDivergence, 1, twice, 0.0)),
        ("zCDP", gaussian(rho, |d| d * d / 2.0)),
        ("losses", {
            let pure = PrivacyLossDistribution::pure(ln3).unwrap();
            responses(PrivacyLossDivergence, 3, pure.repeat(3).unwrap(), PrivacyLossDistribution::none())
        }),
        ("losses of noise", gaussian(PrivacyLossDivergence, |d| of_noise(1.0 / (1.5 * d)))),
        ("losses of two samples", on_samples(&two_on_samples(false))),
        ("losses, some infinite", {
            leaking(
                2,
                PrivacyLossDistribution::approximate(Epsilon(ln3), Delta(1.0 / 16.0)).unwrap().repeat(2).unwrap(),
            )
        }),
        ("filter", filter(|spent, budget| spent < budget)),
        ("tree", tree(false, |d| 4.0 * f64::from(d))),
    ];
    Family { controls, sound }
}
