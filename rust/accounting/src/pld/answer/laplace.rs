//! The exact privacy of Laplace noise, once and many times.
//!
//! With `a` the sensitivity over the scale, the privacy loss of one release is `a` with probability 1/2, `-a` with
//! probability `e^-a/2`, and has a density between. Taken together, in units of `2a` below the greatest loss `k a`, the
//! loss is a number of the atoms at `-a` plus a sum of uniform variables: so delta is a sum of B-splines at points one
//! unit apart, times binomial sums, all positive. Nothing cancels, and a few hundred units of the last place are all
//! that plain floats lose. See `proofs/accounting/laplace.md`.
use crate::{
    composition::{
        LaplaceSum, NARROW, epsilon_between, laplace_estimate, laplace_guess, nearby, optimal_delta_bounds,
        optimal_epsilon_bounds,
    },
    error::Fallible,
    gaussian::gaussian_delta_bounds,
    pld::{answer::heterogeneous::Heterogeneous, integrate::many_laplace::LaplaceIntegral},
    renyi::RenyiCurve,
    units::Epsilon,
};
use indistinct_numeric::{
    Above, Below, RoundedArithmetic,
    enclosure::{Bounds, Enclosure, Formula, Interval, enclose},
};

/// Below, a release is all but a response.
const TINY: f64 = 1e-150;
/// How far bounds by an integral may be apart, relatively.
const WIDEST: f64 = 1e-5;
/// So many releases are summed by residues.
const FEW: u32 = 48;

/// Both bounds on delta, of `count` releases whose sensitivity is `a` scales, at `epsilon`.
pub(crate) fn laplace_delta_bounds(count: u32, a: f64, epsilon: f64) -> Fallible<Bounds> {
    let closed_form = |delta| Ok(Bounds { lower: delta, upper: delta });
    let k = f64::from(count);
    if count == 0 || a == 0.0 || epsilon >= k.inf_mul(a)? {
        return closed_form(if a == f64::INFINITY && count > 0 { 1.0 } else { 0.0 });
    }
    if a == f64::INFINITY {
        return closed_form(1.0);
    }
    if count == 1 {
        let bounds = enclose(&Once { a, epsilon });
        return Ok(Bounds { lower: bounds.lower.max(0.0), upper: bounds.upper.min(1.0) });
    }
    match exactly_many((count, a), epsilon)? {
        Some(bounds) => Ok(bounds),
        None => otherwise((count, a), epsilon),
    }
}

/// Of a few with great losses, by residues; else by an integral, where that is narrow; or coarser.
fn otherwise((count, a): (u32, f64), epsilon: f64) -> Fallible<Bounds> {
    if count <= FEW {
        let near = Heterogeneous::<Interval<256>>::laplace(count, a).map(|residues| residues.delta(epsilon));
        if let Some(near) = near.filter(|near| near.upper - near.lower <= 1e-13 * near.upper) {
            return Ok(near);
        }
        let wide = Residues::laplace(count, a).map(|residues| residues.delta(epsilon));
        if let Some(wide) = wide.filter(|wide| wide.upper - wide.lower <= WIDEST * wide.upper) {
            return Ok(wide);
        }
    }
    let by_line = LaplaceIntegral::new((count, a), epsilon).map(|line| line.delta(epsilon));
    match by_line {
        Some(bounds) if bounds.upper - bounds.lower <= WIDEST * bounds.upper => Ok(bounds),
        _ => coarse(count, a, epsilon),
    }
}

/// What cancels takes as many digits as the greatest loss has.
type Residues = Heterogeneous<Interval<3072>>;

/// By the sum, where that is not too long.
fn exactly_many((count, a): (u32, f64), epsilon: f64) -> Fallible<Option<Bounds>> {
    if a < TINY {
        return Ok(None);
    }
    // What is left out should not matter. How much matters is known afterwards; before, Gaussian noise of the same
    // spread says about.
    let near = gaussian_delta_bounds(a * f64::from(count).sqrt(), epsilon)?.upper;
    let mut most = near.powf(1.1).max(1e-40) * 1e-16;
    for neglected in [1.0, 1e-36, 1e-75, 1e-150, 1e-280] {
        let neglected = most.min(neglected);
        let Some(bounds) = LaplaceSum { count, a, epsilon, neglected }.bounds()? else { continue };
        if neglected <= bounds.lower * 1e-14 {
            return Ok(Some(Bounds { lower: bounds.lower.max(0.0), upper: bounds.upper.min(1.0) }));
        }
        most = most.min((bounds.lower * 1e-16).max(1e-280));
    }
    Ok(None)
}

/// Both bounds on the least epsilon at which delta is no more than wanted, for a delta below 1.
pub(crate) fn laplace_epsilon_bounds(count: u32, a: f64, wanted: f64) -> Fallible<Bounds> {
    let k = f64::from(count);
    let guess = laplace_guess(count, a, wanted)?;
    let is_few = (2..=FEW).contains(&count) && (TINY..f64::INFINITY).contains(&a) && guess > 0.0;
    // Made once for all epsilons.
    let few = if is_few && exactly_many((count, a), guess)?.is_none() { Residues::laplace(count, a) } else { None };
    let at = |epsilon| match &few {
        Some(few) => Ok(few.delta(epsilon)),
        None => laplace_delta_bounds(count, a, epsilon),
    };
    if let Some(estimate) = laplace_estimate((count, a), guess, wanted) {
        let sum = LaplaceSum { count, a, epsilon: estimate.epsilon, neglected: wanted * 1e-18 };
        // One contour does for all epsilons near by.
        let line = if few.is_none() && sum.extent().is_none() {
            LaplaceIntegral::new((count, a), estimate.epsilon)
        } else {
            None
        };
        let found = match line {
            Some(line) => nearby(estimate, (wanted, WIDEST), |epsilon| Ok(line.delta(epsilon)))?,
            None => nearby(estimate, (wanted, NARROW), at)?,
        };
        if let Some(bounds) = found {
            return Ok(bounds);
        }
    }
    let greatest = if count == 0 { 0.0 } else { k.inf_mul(a)? };
    let is_many = count > 1 && guess > 0.0 && guess < greatest && greatest < f64::INFINITY;
    if is_many && few.is_none() && exactly_many((count, a), guess)?.is_none() {
        return coarse_epsilon(count, a, wanted);
    }
    epsilon_between(greatest, (wanted, guess), at)
}

/// `1 - e^((epsilon - a)/2)`.
struct Once {
    a: f64,
    epsilon: f64,
}

impl Formula for Once {
    fn evaluate<E: Enclosure>(&self) -> E {
        let excess = E::exact(self.epsilon).sub(&E::exact(self.a));
        E::exact(0.0).sub(&excess.mul(&E::exact(0.5)).exp_m1())
    }
}

/// Above: any a-DP mechanisms, and Renyi divergences. Below: who looks only at which half of the contour an output is
/// on sees randomized response.
fn coarse(count: u32, a: f64, epsilon: f64) -> Fallible<Bounds> {
    let halves = halves(a);
    let lower = if halves > 0.0 { optimal_delta_bounds((count, halves, 0.0), epsilon)?.lower } else { 0.0 };
    let pure = optimal_delta_bounds((count, a, 0.0), epsilon)?.upper;
    let renyi = if a < TINY { pure } else { RenyiCurve::laplace(Epsilon(a))?.repeat(count)?.delta(epsilon)? };
    Ok(Bounds { lower, upper: pure.min(renyi) })
}

/// The same for epsilon.
fn coarse_epsilon(count: u32, a: f64, wanted: f64) -> Fallible<Bounds> {
    let halves = halves(a);
    let lower = if halves > 0.0 { optimal_epsilon_bounds((count, halves, 0.0), wanted)?.lower } else { 0.0 };
    let pure = optimal_epsilon_bounds((count, a, 0.0), wanted)?.upper;
    let renyi = if a < TINY { pure } else { RenyiCurve::laplace(Epsilon(a))?.repeat(count)?.epsilon(wanted)? };
    Ok(Bounds { lower, upper: pure.min(renyi) })
}

/// `ln((1 - e^(-a/2)/2) / (e^(-a/2)/2)) = ln(2 e^(a/2) - 1)`, rounded down.
fn halves(a: f64) -> f64 {
    struct Halves(f64);
    impl Formula for Halves {
        fn evaluate<E: Enclosure>(&self) -> E {
            let half = E::exact(self.0).mul(&E::exact(0.5));
            let shrunk = E::exact(0.0).sub(&half).exp();
            half.add(&E::exact(2.0).sub(&shrunk).ln())
        }
    }
    // It is above a - a^2/4.
    let below =
        if a < TINY { Below::exact(a) - Above::exact(a).squared() } else { Below::promised(enclose(&Halves(a)).lower) };
    below.get().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where there is a sum, it is between these bounds, which are narrow.
    #[test]
    fn the_sum_is_within() {
        for (count, a) in [(100_000, 0.0021), (30_000, 0.007), (10_000, 0.02), (3_000, 0.06), (1_500, 0.12)] {
            let root = f64::from(count).sqrt() * a;
            for deviations in [1.0, 3.0, 5.0, 7.0] {
                let epsilon = root * (root / 2.0 + deviations);
                let (line, sum) =
                    (LaplaceIntegral::new((count, a), epsilon), laplace_delta_bounds(count, a, epsilon).unwrap());
                let line = line.unwrap().delta(epsilon);
                assert!(sum.upper - sum.lower < 1e-11 * sum.upper, "{count} {a} {epsilon}: {sum:?}");
                assert!(line.lower <= sum.upper && sum.lower <= line.upper, "{count} {a} {epsilon}: {line:?} {sum:?}");
                assert!(line.upper - line.lower < 1e-9 * line.upper, "{count} {a} {epsilon}: {line:?}");
            }
        }
    }

    /// The least floats end too, above what they stand for; and so does what hides nothing.
    #[test]
    fn the_least_and_the_greatest_losses() {
        for count in [2, 7, 300] {
            let largest = f64::from(count);
            for own in [5e-324, 1e-308, 1e-301] {
                let delta = laplace_delta_bounds(count, own, own).unwrap();
                let epsilon = laplace_epsilon_bounds(count, own, 0.0).unwrap();
                assert!(delta.lower <= delta.upper && delta.upper <= largest * own, "{own:e}: {delta:?}");
                assert!(epsilon.lower <= epsilon.upper, "{own:e}: {epsilon:?}");
                let near = largest * own * 0.999..=largest * own * 1.001;
                assert!(near.contains(&epsilon.upper), "{own:e}: {epsilon:?}");
            }
        }
        assert_eq!(laplace_delta_bounds(2, f64::INFINITY, 1e9).unwrap().lower, 1.0);
    }

    #[test]
    fn few_or_extreme_ones_have_no_line() {
        for (count, a) in [(2, 0.1), (100, 0.1), (1_000_000, 1e-6), (u32::MAX, 1e-200), (u32::MAX, 1e200)] {
            assert!(LaplaceIntegral::new((count, a), 0.1).is_none(), "{count} {a}");
        }
    }
}

#[cfg(test)]
mod tests_of_several_kinds {
    use super::*;
    use crate::pld::loss::finite_loss::{FiniteLoss, number};
    use crate::pld::{
        distribution::{PrivacyLossDistribution as P, losses},
        integrate::discretized::Discretized,
        loss::direction::Direction,
    };
    use crate::units::{Scale, Sigma};
    use indistinct_numeric::enclosure::Interval;
    use rug::Float;

    fn all(parts: Vec<P>) -> Vec<(FiniteLoss, u64)> {
        let all = parts.into_iter().fold(P::none(), |all, part| all.compose(&part).unwrap());
        losses(&all, Direction::Remove)
    }

    fn laplace(scale: f64, count: u64) -> P {
        P::laplace(Scale(scale)).unwrap().repeat(count).unwrap()
    }

    /// Of one kind there are other formulas: a sum of splines, and the supremum over ranges.
    #[test]
    fn of_one_kind_it_is_what_is_known() {
        for (count, scale) in [(1, 2.0), (3, 8.0), (20, 16.0), (48, 4.0)] {
            let several = Heterogeneous::<Interval<256>>::new(&all(vec![laplace(scale, count)])).unwrap();
            let known = (u32::try_from(count).unwrap(), 1.0 / scale);
            for share in [0.0, 0.1, 0.3, 0.6, 0.99] {
                let epsilon = share * number(count) / scale;
                let (x, y) = (several.delta(epsilon), laplace_delta_bounds(known.0, known.1, epsilon).unwrap());
                assert!(x.lower <= y.upper && y.lower <= x.upper, "{count} {scale} {epsilon}: {x:?} {y:?}");
                assert!(x.upper - x.lower <= 1e-15 * x.upper, "{count} {scale} {epsilon}: {x:?}");
            }
        }
        for eta in [0.01, 1.0, 7.0] {
            let several = Heterogeneous::<Interval<256>>::new(&all(vec![P::bounded_range(eta).unwrap()])).unwrap();
            for epsilon in [0.0, 0.3 * eta, 0.99 * eta] {
                let root = (Float::with_val(300, epsilon - Float::with_val(300, eta)) / 2u32).exp();
                let truth = -Float::with_val(300, 1u32 - root).square() / Float::with_val(300, -eta).exp_m1();
                let bounds = several.delta(epsilon);
                assert!(bounds.lower <= truth && bounds.upper >= truth, "{eta} {epsilon}: {bounds:?} {truth}");
            }
        }
    }

    /// A response on one side of the other's losses, by total probability:
    /// `delta(epsilon) = p D(epsilon - e) + (1 - p) D(epsilon + e)`.
    #[test]
    fn a_response_shifts_epsilon() {
        let (count, scale, own) = (7u32, 4.0, 0.375);
        let known = (count, 1.0 / scale);
        let several =
            Heterogeneous::<Interval<256>>::new(&all(vec![laplace(scale, u64::from(count)), P::pure(own).unwrap()]))
                .unwrap();
        for epsilon in [0.375, 0.5, 1.0, 1.5, 2.0] {
            let likely = 1.0 / (1.0 + f64::exp(-own));
            let (near, far) = (
                laplace_delta_bounds(known.0, known.1, epsilon - own).unwrap(),
                laplace_delta_bounds(known.0, known.1, epsilon + own).unwrap(),
            );
            let truth = likely * near.upper + (1.0 - likely) * far.upper;
            let bounds = several.delta(epsilon);
            assert!((bounds.upper - truth).abs() < 1e-13 * truth && bounds.lower <= bounds.upper, "{bounds:?} {truth}");
        }
    }

    #[test]
    fn a_grid_says_the_same_of_several_kinds() {
        let mixes = [
            vec![laplace(1.0, 1), laplace(2.0, 2), laplace(5.0, 1)],
            vec![laplace(4.0, 3), P::bounded_range(0.3).unwrap().repeat(2).unwrap(), P::pure(0.2).unwrap()],
            vec![P::bounded_range(0.5).unwrap(), P::bounded_range(0.25).unwrap().repeat(3).unwrap()],
            vec![P::bounded_range(0.5).unwrap(), P::pure(0.25).unwrap().repeat(3).unwrap()],
        ];
        for parts in mixes {
            let losses = all(parts);
            let several = Heterogeneous::<Interval<256>>::new(&losses).unwrap();
            for epsilon in [0.0, 0.2, 0.7, 1.1] {
                let x = several.delta(epsilon);
                let y = Discretized::new(&losses, epsilon, 0.0).unwrap().delta(epsilon).unwrap();
                assert!(x.lower <= y.upper && y.lower <= x.upper, "{epsilon}: {x:?} {y:?}");
                assert!(x.upper - x.lower <= 1e-15 * x.upper && y.upper - y.lower <= 1e-3 * y.upper, "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn many_or_others_are_none() {
        for parts in [
            vec![P::gaussian(Sigma(1.0)).unwrap(), laplace(1.0, 1)],
            vec![laplace(1.0, 49)],
            vec![laplace(1.0, 16), laplace(2.0, 16), laplace(3.0, 16)],
            vec![P::pure(1.0).unwrap()],
        ] {
            assert!(Heterogeneous::<Interval<256>>::new(&all(parts)).is_none());
        }
    }
}
