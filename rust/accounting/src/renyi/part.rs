//! The summands of a curve.
use crate::{
    conversions::pure_to_renyi,
    error::{Fallible, non_negative, require},
    renyi::{points::Points, sampled::Sampled},
    units::{Epsilon, Order},
};
use indistinct_numeric::{
    RoundedArithmetic, RoundedMath,
    enclosure::{Bounds, Enclosure, Formula, enclose},
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt};

/// One mechanism's curve. In the order in which curves are sorted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub(super) enum Part {
    /// Any epsilon-DP mechanism.
    Pure(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    /// Laplace noise: the sensitivity over the scale.
    Laplace(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    /// Discrete Laplace noise: one step of the integers over the scale, and the sensitivity in steps.
    DiscreteLaplace(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64, u32),
    /// Gaussian noise on a Poisson sample: the rate, and the standard deviation over the sensitivity.
    SampledGaussian(
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64,
    ),
    /// Gaussian noise on a sample of fixed size: the rate, and the standard deviation over the sensitivity.
    FixedSizeGaussian(
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64,
    ),
    /// Two distributions on a finite set, as weights.
    Discrete(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] Vec<(f64, f64)>),
    /// Bounds at some orders.
    Points(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] Points),
}

impl Part {
    /// With every parameter checked: what is stored may be anything.
    pub(super) fn checked(self) -> Fallible<Self> {
        match self {
            Self::Pure(epsilon) => Ok(Self::Pure(non_negative(epsilon, "epsilon")?)),
            Self::Laplace(epsilon) => Ok(Self::Laplace(non_negative(epsilon, "epsilon")?)),
            Self::DiscreteLaplace(epsilon, sensitivity) => {
                Ok(Self::DiscreteLaplace(non_negative(epsilon, "epsilon")?, sensitivity))
            }
            Self::SampledGaussian(rate, sigma) => {
                let (rate, sigma) = sampled(rate, sigma)?;
                Ok(Self::SampledGaussian(rate, sigma))
            }
            Self::FixedSizeGaussian(rate, sigma) => {
                let (rate, sigma) = sampled(rate, sigma)?;
                Ok(Self::FixedSizeGaussian(rate, sigma))
            }
            Self::Discrete(weights) => {
                require(!weights.is_empty(), "weights", "must not be empty")?;
                let holds = |weight: f64| (0.0..f64::INFINITY).contains(&weight);
                require(
                    weights.iter().all(|pair| holds(pair.0) && holds(pair.1)),
                    "weights",
                    "must be finite, and not negative",
                )?;
                let positive = weights.iter().any(|pair| pair.0 > 0.0) && weights.iter().any(|pair| pair.1 > 0.0);
                require(positive, "weights", "must have a positive weight in each distribution")?;
                Ok(Self::Discrete(weights.into_iter().map(|pair| (pair.0 + 0.0, pair.1 + 0.0)).collect()))
            }
            Self::Points(points) => Ok(Self::Points(Points::new(points.to_vec())?)),
        }
    }

    /// An upper bound on the divergence of order `1 + t`.
    pub(super) fn at(&self, t: f64) -> Fallible<f64> {
        match self {
            // Divergences rise with the order.
            Self::Pure(epsilon) => pure_to_renyi(Epsilon(*epsilon), Order(t.inf_add(1.0)?.max(1f64.next_up()))),
            Self::Laplace(epsilon) => Ok(bound(*epsilon, t, &LaplaceNoise { epsilon: *epsilon, t })),
            Self::DiscreteLaplace(epsilon, sensitivity) => {
                let steps = f64::from(*sensitivity);
                let greatest = if steps == 0.0 { 0.0 } else { epsilon.inf_mul(steps)? };
                Ok(bound(greatest, t, &DiscreteNoise { epsilon: *epsilon, steps, t }))
            }
            Self::SampledGaussian(rate, sigma) => Ok(sampled_gaussian(*rate, *sigma, t)),
            Self::FixedSizeGaussian(rate, sigma) => {
                let alone = sampled_gaussian(if *rate == 0.0 { 0.0 } else { 1.0 }, *sigma, t);
                let sampled = sampled_gaussian(*rate, *sigma, t);
                Ok(if sampled < f64::INFINITY { alone.min(both_ways(sampled, t)?) } else { alone })
            }
            Self::Discrete(weights) => discrete(weights, t),
            Self::Points(points) => points.at(t),
        }
    }

    /// The same for a search: in plain floats where that is much faster.
    pub(super) fn estimate(&self, t: f64) -> f64 {
        match self {
            Self::Pure(epsilon) => {
                let rest = (-(2.0 * t + 1.0) * epsilon).exp().ln_1p() - (-epsilon).exp().ln_1p();
                (epsilon + rest / t).min((1.0 + t) * epsilon * (epsilon / 2.0).tanh())
            }
            Self::Points(points) => points.estimate(t),
            _ => self.at(t).unwrap_or(f64::INFINITY),
        }
    }

    /// The orders less one that a search begins with.
    pub(super) fn orders(&self) -> Vec<f64> {
        match self {
            Self::Points(points) => points.orders().collect(),
            _ => Vec::new(),
        }
    }

    /// True if it is seen to lie below the other one everywhere.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pure(mine), Self::Pure(other)) | (Self::Laplace(mine), Self::Laplace(other)) => mine <= other,
            (Self::DiscreteLaplace(mine, steps), Self::DiscreteLaplace(other, other_steps)) => {
                mine == other && steps <= other_steps
            }
            (Self::SampledGaussian(rate, sigma), Self::SampledGaussian(other_rate, other_sigma))
            | (Self::FixedSizeGaussian(rate, sigma), Self::FixedSizeGaussian(other_rate, other_sigma)) => {
                rate <= other_rate && sigma >= other_sigma
            }
            (Self::Points(mine), Self::Points(other)) => mine.is_below(other),
            _ => self == other,
        }
    }

    /// A total order, greater losses first within a kind.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let kind = |part: &Self| match part {
            Self::Pure(_) => 0u8,
            Self::Laplace(_) => 1,
            Self::DiscreteLaplace(..) => 2,
            Self::SampledGaussian(..) => 3,
            Self::FixedSizeGaussian(..) => 4,
            Self::Discrete(_) => 5,
            Self::Points(_) => 6,
        };
        let lists = |mine: &[(f64, f64)], other: &[(f64, f64)]| {
            let pairs = mine.iter().zip(other).map(|(x, y)| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
            pairs.fold(Ordering::Equal, Ordering::then).then(mine.len().cmp(&other.len()))
        };
        kind(self).cmp(&kind(other)).then_with(|| match (self, other) {
            (Self::Pure(mine), Self::Pure(other)) | (Self::Laplace(mine), Self::Laplace(other)) => {
                other.total_cmp(mine)
            }
            (Self::DiscreteLaplace(mine, steps), Self::DiscreteLaplace(other, other_steps)) => {
                other.total_cmp(mine).then(other_steps.cmp(steps))
            }
            (Self::SampledGaussian(rate, sigma), Self::SampledGaussian(other_rate, other_sigma))
            | (Self::FixedSizeGaussian(rate, sigma), Self::FixedSizeGaussian(other_rate, other_sigma)) => {
                sigma.total_cmp(other_sigma).then(other_rate.total_cmp(rate))
            }
            (Self::Discrete(mine), Self::Discrete(other)) => lists(mine, other),
            (Self::Points(mine), Self::Points(other)) => lists(&mine.to_vec(), &other.to_vec()),
            _ => Ordering::Equal,
        })
    }
}

fn sampled(rate: f64, sigma: f64) -> Fallible<(f64, f64)> {
    let rate = non_negative(rate, "rate")?;
    require(rate <= 1.0, "rate", "must be at most 1")?;
    require(sigma > 0.0, "sigma", "must be a number above 0")?;
    Ok((rate, sigma))
}

fn sampled_gaussian(rate: f64, sigma: f64, t: f64) -> f64 {
    if t < f64::INFINITY {
        return Sampled { rate, sigma }.at(t);
    }
    if rate == 0.0 || sigma == f64::INFINITY { 0.0 } else { f64::INFINITY }
}

/// From a divergence that holds for removing and for adding, the divergence for a sample of fixed size:
/// `ln(1 + 2 (e^(t D) - 1)) / t`.
fn both_ways(divergence: f64, t: f64) -> Fallible<f64> {
    let moment = t.inf_mul(divergence)?;
    let logarithm = if moment > 600.0 {
        // ln 2, rounded up.
        moment.inf_add(std::f64::consts::LN_2.next_up())?
    } else {
        moment.inf_exp_m1()?.inf_mul(2.0)?.inf_ln_1p()?
    };
    Ok(logarithm.inf_div(t)?)
}

/// With `#`, so that different parts are different words.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pure(epsilon) => write!(f, "pure {epsilon:?}"),
            Self::Laplace(epsilon) => write!(f, "Laplace {epsilon:?}"),
            Self::DiscreteLaplace(epsilon, sensitivity) => write!(f, "discrete Laplace {epsilon:?} at {sensitivity}"),
            Self::SampledGaussian(rate, sigma) => write!(f, "Gaussian {sigma:?} sampled at {rate:?}"),
            Self::FixedSizeGaussian(rate, sigma) => {
                write!(f, "Gaussian {sigma:?} on a sample of fixed size, rate {rate:?}")
            }
            Self::Discrete(weights) if f.alternate() => write!(f, "weights {weights:?}"),
            Self::Discrete(weights) => write!(f, "{} weights", weights.len()),
            Self::Points(points) if f.alternate() => write!(f, "points {:?}", points.to_vec()),
            Self::Points(points) => write!(f, "{} points", points.orders().count()),
        }
    }
}

/// A divergence that is no more than the greatest loss. Near the least floats it is that: a divergence is rounded up to
/// one of them anyway.
fn bound(greatest: f64, t: f64, formula: &impl Formula) -> f64 {
    if greatest < 1e-290 || greatest == f64::INFINITY || t == f64::INFINITY {
        return greatest;
    }
    enclose(formula).upper.min(greatest)
}

/// `epsilon + ln(alpha/(2 alpha - 1) + (alpha - 1)/(2 alpha - 1) e^(-(2 alpha - 1) epsilon)) / (alpha - 1)` (Mironov
/// 2017, Proposition 6), with `alpha = 1 + t`: as `epsilon + ln(1 - (t/(1 + 2t)) (1 - e^(-(1 + 2t) epsilon))) / t`.
struct LaplaceNoise {
    epsilon: f64,
    t: f64,
}

impl Formula for LaplaceNoise {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (epsilon, t) = (E::exact(self.epsilon), E::exact(self.t));
        let twice = E::exact(1.0).add(&E::exact(2.0).mul(&t));
        let lost = E::exact(0.0).sub(&twice.mul(&epsilon)).exp_m1();
        epsilon.add(&t.div(&twice).mul(&lost).ln_1p().div(&t))
    }
}

/// With `epsilon` a step's loss and s steps: the loss is `s epsilon` with probability `1/(1 + e^-epsilon)`,
/// `-s epsilon` with `e^(-s epsilon)/(1 + e^-epsilon)`, and `(s - 2x) epsilon` with `tanh(epsilon/2) e^(-x epsilon)`
/// for x from 1 to s - 1: a geometric sum.
struct DiscreteNoise {
    epsilon: f64,
    steps: f64,
    t: f64,
}

impl Formula for DiscreteNoise {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (epsilon, steps, t, one) = (E::exact(self.epsilon), E::exact(self.steps), E::exact(self.t), E::exact(1.0));
        let zero = E::exact(0.0);
        // What the moment of the greatest loss lacks of 1, in three parts: of 1/(1 + e^-epsilon), of the middle, of the
        // other end.
        let decay = one.add(&E::exact(2.0).mul(&t)).mul(&epsilon);
        let shrunk = zero.sub(&epsilon).exp();
        let ends = one.div(&one.add(&shrunk));
        let last = zero.sub(&decay.mul(&steps)).exp();
        let tanh = zero.sub(&zero.sub(&epsilon).exp_m1()).mul(&ends);
        let ratio = zero.sub(&decay).exp();
        let terms = zero.sub(&decay.mul(&steps.sub(&one))).exp_m1().div(&zero.sub(&decay).exp_m1());
        let middle = tanh.mul(&ratio).mul(&terms);
        // ends + ends last + middle - 1, where ends - 1 = -shrunk ends.
        let less = ends.mul(&last.sub(&shrunk)).add(&middle);
        steps.mul(&epsilon).add(&less.ln_1p().div(&t))
    }
}

/// The greater of the divergences of either distribution from the other.
fn discrete(weights: &[(f64, f64)], t: f64) -> Fallible<f64> {
    let one_way = |weights: &mut dyn Iterator<Item = (f64, f64)>| {
        let weights: Vec<(f64, f64)> = weights.collect();
        if weights.iter().any(|&(p, q)| p > 0.0 && q == 0.0) {
            return f64::INFINITY;
        }
        if t == f64::INFINITY {
            // The greatest ratio.
            let greatest =
                weights.iter().filter(|pair| pair.0 > 0.0).map(|&(p, q)| enclose(&Ratio { p, q, weights: &weights }));
            return greatest.fold(0.0, |greatest, Bounds { upper, .. }| upper.max(greatest));
        }
        enclose(&Weights { weights: &weights, t }).upper.max(0.0)
    };
    let there = one_way(&mut weights.iter().copied());
    Ok(there.max(one_way(&mut weights.iter().map(|&(p, q)| (q, p)))))
}

/// The logarithm of `p/q`, of weights out of all.
struct Ratio<'a> {
    p: f64,
    q: f64,
    weights: &'a [(f64, f64)],
}

impl Formula for Ratio<'_> {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (p, q) = totals::<E>(self.weights);
        E::exact(self.p).mul(&q).div(&E::exact(self.q).mul(&p)).ln()
    }
}

fn totals<E: Enclosure>(weights: &[(f64, f64)]) -> (E, E) {
    let zero = || (E::exact(0.0), E::exact(0.0));
    weights.iter().fold(zero(), |(p, q), weight| (p.add(&E::exact(weight.0)), q.add(&E::exact(weight.1))))
}

/// `ln(sum of p (p/q)^t) / t` for distributions whose weights add to 1; here each ratio is multiplied by that of the
/// totals.
struct Weights<'a> {
    weights: &'a [(f64, f64)],
    t: f64,
}

impl Formula for Weights<'_> {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (p, q) = totals::<E>(self.weights);
        let (t, scale) = (E::exact(self.t), q.div(&p));
        // Less 1, which the weights of the first distribution add up to. The greatest exponent is taken out, lest it
        // overflow.
        let ratios = self.weights.iter().filter(|pair| pair.0 > 0.0);
        let powers: Vec<(E, E)> = ratios
            .map(|pair| (E::exact(pair.0), E::exact(pair.0).div(&E::exact(pair.1)).mul(&scale).ln().mul(&t)))
            .collect();
        let greatest = powers.iter().map(|power| power.1.upper()).fold(0.0, f64::max);
        if greatest < 600.0 {
            let sum = powers.iter().fold(E::exact(0.0), |sum, (p, power)| sum.add(&p.mul(&power.exp_m1())));
            return sum.div(&p).ln_1p().div(&t);
        }
        let shift = E::exact(greatest);
        let sum = powers.iter().fold(E::exact(0.0), |sum, (p, power)| sum.add(&p.mul(&power.sub(&shift).exp())));
        shift.add(&sum.div(&p).ln()).div(&t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFINITY: f64 = f64::INFINITY;

    fn points(list: &[(f64, f64)]) -> Part {
        Part::Points(Points::new(list.to_vec()).unwrap())
    }

    #[test]
    fn what_is_stored_is_checked() {
        for (part, is_good) in [
            (Part::SampledGaussian(1.0, 5e-324), true),
            (Part::SampledGaussian(1.0f64.next_up(), 1.0), false),
            (Part::SampledGaussian(0.5, 0.0), false),
            (Part::SampledGaussian(0.5, -1.0), false),
            (Part::Discrete(vec![]), false),
            (Part::Discrete(vec![(0.0, 1.0), (1.0, 0.0)]), true),
            (Part::Discrete(vec![(0.0, 1.0)]), false),
            (Part::Discrete(vec![(1.0, 0.0)]), false),
            (Part::Discrete(vec![(1.0, INFINITY)]), false),
            (Part::Discrete(vec![(INFINITY, 1.0)]), false),
            (Part::Discrete(vec![(1.0, 1.0), (-1.0, 1.0)]), false),
            (Part::Discrete(vec![(1.0, 1.0), (1.0, -1.0)]), false),
        ] {
            assert_eq!(part.clone().checked().is_ok(), is_good, "{part}");
        }
        // No weight is -0.0, so that equal parts have equal bits.
        let Part::Discrete(weights) = Part::Discrete(vec![(-0.0, 2.0), (3.0, -0.0)]).checked().unwrap() else {
            panic!()
        };
        assert_eq!(
            weights.iter().map(|pair| (pair.0.to_bits(), pair.1.to_bits())).collect::<Vec<_>>(),
            [(0, 2f64.to_bits()), (3f64.to_bits(), 0)]
        );
    }

    #[test]
    fn divergences_at_the_ends() {
        for (part, t, divergence) in [
            (Part::Laplace(2.0), INFINITY, 2.0),
            (Part::DiscreteLaplace(0.5, 4), INFINITY, 2.0),
            (Part::DiscreteLaplace(INFINITY, 0), 1.0, 0.0),
            (Part::SampledGaussian(0.0, 1.0), INFINITY, 0.0),
            (Part::SampledGaussian(0.5, INFINITY), INFINITY, 0.0),
            (Part::SampledGaussian(0.5, 1.0), INFINITY, INFINITY),
        ] {
            assert_eq!(part.at(t), Ok(divergence), "{part} {t}");
        }
        // ln(e^2 / (1 + e^-1) + ...), summed by hand: losses 2, 0, -2 of one step of 1 and sensitivity 2, at order 2.
        let (end, middle) = (1.0 / (1.0 + f64::exp(-1.0)), f64::tanh(0.5) * f64::exp(-1.0));
        let truth = (end * f64::exp(2.0) + middle + end * f64::exp(-2.0) * f64::exp(-2.0)).ln();
        let own = Part::DiscreteLaplace(1.0, 2).at(1.0).unwrap();
        assert!((own / truth - 1.0).abs() < 1e-14, "{own} {truth}");
    }

    /// Three tenths are no float; a loss of pure privacy at 400 bits, for all t.
    #[test]
    fn rounded_up() {
        assert_eq!(Part::DiscreteLaplace(0.1, 3).at(INFINITY), Ok(0.30000000000000004));
        let wide = |x: f64| rug::Float::with_val(400, x);
        for i in 1..400u32 {
            let (epsilon, t) = (0.1 + f64::from(i % 20) * 0.137, f64::from(i) * 0.00171);
            let ratio = ((wide(t) + wide(0.5)) * wide(epsilon)).cosh() / (wide(epsilon) / 2u32).cosh();
            assert!(Part::Pure(epsilon).at(t).unwrap() >= ratio.ln() / wide(t), "{epsilon} {t}");
        }
    }

    /// The greatest loss itself where it is tiny, or either is infinite; else what the formula says, but no more than
    /// it.
    #[test]
    fn bounds_by_the_greatest_loss() {
        struct Says(f64);
        impl Formula for Says {
            fn evaluate<E: Enclosure>(&self) -> E {
                E::exact(self.0)
            }
        }
        for (greatest, t, says, is) in [
            (0.5, 1.0, 0.25, 0.25),
            (0.5, 1.0, 0.75, 0.5),
            (0.9e-290, 1.0, 0.0, 0.9e-290),
            (1e-290, 1.0, 0.0, 0.0),
            (0.5, INFINITY, 0.25, 0.5),
            (INFINITY, 1.0, 0.25, INFINITY),
        ] {
            assert_eq!(bound(greatest, t, &Says(says)), is, "{greatest} {t}");
        }
    }

    #[test]
    fn weights() {
        // Weights that are nothing for either distribution say nothing. From distributions (1/4, 3/4) and (2/3, 1/3):
        // the moments of order 2.
        let pairs = [(1.0, 2.0), (0.0, 0.0), (3.0, 1.0)];
        let truth = f64::ln(0.0625 * 1.5 + 0.5625 * 3.0).max(f64::ln(16.0 / 9.0 + 4.0 / 27.0));
        assert!((discrete(&pairs, 1.0).unwrap() / truth - 1.0).abs() < 1e-15);
        // At infinite order the greatest ratio, here of 2/3 and 1/4; there is none to nothing.
        assert!((discrete(&pairs, INFINITY).unwrap() / f64::ln(8.0 / 3.0) - 1.0).abs() < 1e-15);
        for t in [1.0, INFINITY] {
            assert_eq!(discrete(&[(1.0, 1.0), (0.0, 1.0)], t), Ok(INFINITY));
            assert_eq!(discrete(&[(1.0, 1.0), (1.0, 0.0)], t), Ok(INFINITY));
        }
        // Far out: e^1000 is no float. (ln(1/2) + t ln 2^1000) / t, for distributions (1/2, 1/2) and almost (2^-1000,
        // 1).
        let far = discrete(&[(1.0, 1.0), (1.0, 2f64.powi(1000))], 2.0).unwrap();
        assert!((far / (1000.0 * 2f64.ln() - 2f64.ln() * 1.5) - 1.0).abs() < 1e-15, "{far}");
    }

    #[test]
    fn estimates_are_near() {
        for epsilon in [1e-3, 0.5, 4.0] {
            for t in [1e-3, 0.4, 3.0, 200.0] {
                let (part, tolerance) = (Part::Pure(epsilon), if epsilon < 0.1 { 1e-5 } else { 1e-9 });
                assert!((part.estimate(t) / part.at(t).unwrap() - 1.0).abs() < tolerance, "{epsilon} {t}");
            }
        }
        assert_eq!(Part::Laplace(1.0).estimate(2.0), Part::Laplace(1.0).at(2.0).unwrap());
        // In plain floats where that is much faster.
        assert_ne!(Part::Pure(0.3).estimate(0.7), Part::Pure(0.3).at(0.7).unwrap());
        let list = points(&[(2.0, 0.1), (5.0, 0.3)]);
        assert!(list.estimate(2.0) < list.at(2.0).unwrap() && list.estimate(2.0) > 0.2333);
        assert_eq!((Part::Laplace(1.0).orders(), list.orders()), (vec![], vec![1.0, 4.0]));
    }

    #[test]
    fn parts_below_others() {
        for (mine, other) in [
            (Part::Pure(1.0), Part::Pure(2.0)),
            (Part::Laplace(1.0), Part::Laplace(2.0)),
            (Part::DiscreteLaplace(1.0, 1), Part::DiscreteLaplace(1.0, 2)),
            (Part::SampledGaussian(0.1, 2.0), Part::SampledGaussian(0.2, 2.0)),
            (Part::SampledGaussian(0.1, 2.0), Part::SampledGaussian(0.1, 1.0)),
            (points(&[(2.0, 0.5)]), points(&[(2.0, 1.0)])),
        ] {
            assert!(mine.is_below(&other) && mine.is_below(&mine) && !other.is_below(&mine), "{mine} {other}");
            // Greater losses come first.
            let sorted = if matches!(mine, Part::Points(_)) { Ordering::Less } else { Ordering::Greater };
            assert_eq!((mine.order(&other), other.order(&mine)), (sorted, sorted.reverse()), "{mine} {other}");
            assert_eq!(mine.order(&mine), Ordering::Equal);
        }
        // Another step, both better and worse, another kind, other weights: nothing is said.
        for (mine, other) in [
            (Part::DiscreteLaplace(1.0, 1), Part::DiscreteLaplace(2.0, 1)),
            (Part::SampledGaussian(0.1, 1.0), Part::SampledGaussian(0.2, 2.0)),
            (Part::Pure(1.0), Part::Laplace(1.0)),
            (Part::Discrete(vec![(1.0, 1.0)]), Part::Discrete(vec![(1.0, 2.0)])),
        ] {
            assert!(!mine.is_below(&other) && !other.is_below(&mine), "{mine} {other}");
            assert_ne!(mine.order(&other), Ordering::Equal);
        }
        let weights = Part::Discrete(vec![(1.0, 1.0)]);
        assert!(weights.is_below(&weights) && weights.order(&weights) == Ordering::Equal);
        let shorter = Part::Discrete(vec![(1.0, 1.0), (1.0, 1.0)]);
        assert_eq!(weights.order(&shorter), Ordering::Less);
    }
}
