//! The type, its constructors, and its composition.
use crate::{
    error::{Error, Fallible, non_negative, require},
    pld::loss::{direction::Neighbors, pair::DominatingPair},
    units::{Delta, Epsilon, Rate, Scale, Sigma},
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, Enclosure},
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// Discrete Laplace noise on integers that are farther apart has too many losses to look at one by one.
const MOST_LAPLACE_ATOMS: u32 = 1 << 16;

/// The privacy losses of composed mechanisms. Delta and epsilon have a proven bound on each side.
///
/// It contains the exact pair of distributions of each mechanism, or a dominating pair if the constructor's
/// documentation says so. Composition keeps these pairs in a list, and bounds are computed on request.
///
/// | made by | the pair, for neighbors in either direction |
/// |---|---|
/// | [`gaussian`](Self::gaussian), [`laplace`](Self::laplace), [`discrete_gaussian`](Self::discrete_gaussian), [`discrete_laplace`](Self::discrete_laplace) | noise about 0 and about the sensitivity |
/// | [`pure`](Self::pure), [`approximate`](Self::approximate), [`bounded_range`](Self::bounded_range) | the pair that dominates all mechanisms with the guarantee |
/// | [`randomized_response`](Self::randomized_response) | responses of two individuals |
/// | [`discrete`](Self::discrete) | your own |
/// | [`poisson_gaussian`](Self::poisson_gaussian), [`fixed_size_gaussian`](Self::fixed_size_gaussian), [`poisson_gaussian_replace`](Self::poisson_gaussian_replace) | Gaussian noise on a random sample |
/// | [`mixture_gaussian`](Self::mixture_gaussian), [`poisson_gaussian_records`](Self::poisson_gaussian_records) | Gaussian noise on a sum that one individual changes by a random amount |
/// | [`poisson_sampled`](Self::poisson_sampled) | a discrete mechanism on a random sample |
///
/// The bounds on epsilon and delta always hold. In a set of 1,486 typical queries, more than 98% of answers have bounds
/// within a relative distance of 1e-4, and 95% take at most 60 ms: `docs/ACCOUNTING.md` has times and widths by kind.
/// The distance of the two bounds shows the width of each answer.
///
/// The pairs are composed separately in each direction, and the worse direction is reported. Distributions with fixed
/// neighbors (samples) compose only with distributions for the same neighbors.
///
/// ```
/// use indistinct_accounting::{PrivacyLossDistribution, Rate, Scale, Sigma};
/// let training = PrivacyLossDistribution::poisson_gaussian(Sigma(1.0), Rate(0.01))?.repeat(10_000)?;
/// let all = training.compose(&PrivacyLossDistribution::laplace(Scale(10.0))?)?;
/// let delta = training.delta(8.0)?;
/// assert!(2.028e-8 < delta.lower && delta.lower < delta.upper && delta.upper < 2.029e-8);
/// let epsilon = training.epsilon(1e-6)?;
/// assert!(6.907384 < epsilon.lower && epsilon.upper < 6.907385);
/// assert!(all.epsilon(1e-6)?.lower > epsilon.upper);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(try_from = "Vec<(DominatingPair, u64)>", into = "Vec<(DominatingPair, u64)>")
)]
pub struct PrivacyLossDistribution(Vec<(DominatingPair, u64)>);

/// A parameter that is positive and finite, and far enough from both ends that its square and its reciprocal are
/// numbers.
fn positive(x: f64, parameter: &'static str) -> Fallible<f64> {
    require((1e-100..=1e100).contains(&x), parameter, "must be between 1e-100 and 1e100")?;
    Ok(x)
}

/// Weights of a distribution, up to a factor.
fn check_weights(weights: impl Iterator<Item = f64> + Clone, parameter: &'static str) -> Fallible<()> {
    let rule = |holds, rule| require(holds, parameter, rule);
    rule(weights.clone().all(|weight| (0.0..1e100).contains(&weight)), "must be numbers from 0 to 1e100")?;
    let greatest = weights.clone().fold(0.0, f64::max);
    rule(greatest > 1e-100, "must have at least one above 1e-100 in each distribution")?;
    let least = weights.filter(|weight| *weight > 0.0).fold(f64::INFINITY, f64::min);
    rule(least >= greatest * 1e-200, "must each be 0, or at least 1e-200 times the largest")
}

/// No more amounts are looked at one by one.
const MOST_AMOUNTS: usize = 1 << 10;
/// Numbers of records that are so much less likely than the likeliest are left out, or count as all of them, with a
/// weight of at least this.
const NEGLIGIBLE: f64 = 1e-60;
const LEAST_WEIGHT: f64 = 1e-100;

/// Numbers up to `count` with weights, such that each number or more is no less likely than under the binomial
/// distribution: weights are rounded up, by more the greater the number.
fn binomial_above(rate: f64, count: u32) -> Vec<(f64, f64)> {
    if rate == 1.0 {
        return vec![(f64::from(count), 1.0)];
    }
    let share = Ball::exact(rate);
    let odds = share.div(&Ball::exact(1.0).sub(&share));
    let ratio =
        |number: u32| odds.mul(&Ball::exact(f64::from(count - number + 1))).div(&Ball::exact(f64::from(number)));
    let above =
        |number: u32, weight: &Ball| (Above::of(weight) * (1.0 + f64::from(number) * f64::EPSILON * 16.0)).get();
    // From the likeliest number on, whose weight is 1.
    let likeliest = (1..=count).take_while(|number| ratio(*number).lower() >= 1.0).count().try_into().unwrap_or(0);
    let one = Ball::exact(1.0);
    let below = (1..=likeliest).rev().scan(one, |weight, number| {
        *weight = weight.div(&ratio(number));
        Some((f64::from(number - 1), above(number - 1, weight)))
    });
    // Small numbers may be left out.
    let mut numbers: Vec<_> = below.take_while(|(_, weight)| *weight > NEGLIGIBLE).collect();
    numbers.reverse();
    numbers.push((f64::from(likeliest), above(likeliest, &one)));
    let mut weight = one;
    for number in likeliest + 1..=count {
        let ratio = ratio(number);
        weight = weight.mul(&ratio);
        let next = above(number, &weight);
        if next < NEGLIGIBLE && ratio.upper() < 0.5 {
            // Weights fall by more and more: all that follow have at most twice this.
            numbers.push((f64::from(count), (Above::exact(next) * 4.0).get().max(LEAST_WEIGHT)));
            break;
        }
        numbers.push((f64::from(number), next));
    }
    numbers
}

/// Counts add up to less than this, so that they are exact as floats.
const MOST: u64 = 1 << 40;

impl PrivacyLossDistribution {
    fn one(law: DominatingPair) -> Self {
        Self(vec![(law, 1)])
    }

    /// A distribution of pairs that have been checked, for whatever neighbors.
    pub(crate) fn of_laws(laws: Vec<(DominatingPair, u64)>) -> Self {
        Self(laws)
    }

    pub(crate) fn laws(&self) -> &[(DominatingPair, u64)] {
        &self.0
    }

    /// Returns true if each mechanism's pair has the same losses in both directions.
    pub fn is_symmetric(&self) -> bool {
        self.0.iter().all(|(law, _)| law.is_symmetric())
    }

    /// Returns the neighbors for which the samples among the mechanisms hold; `None` if the distribution holds for both
    /// kinds of neighbors.
    pub(crate) fn neighbors(&self) -> Option<Neighbors> {
        self.0.iter().find_map(|(law, _)| law.neighbors())
    }

    /// Makes the distribution of no mechanism, which has no loss.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Gaussian noise of standard deviation `sigma`, in units of the sensitivity (L2). Error: sigma outside 1e-100 to
    /// 1e100.
    pub fn gaussian(Sigma(sigma): Sigma) -> Fallible<Self> {
        Ok(Self::one(DominatingPair::Gaussian(positive(sigma, "sigma")?)))
    }

    /// Gaussian noise of standard deviation `sigma` on a sum over a Poisson sample. Each individual is in the sample
    /// independently with probability `rate`, and changes the sum by at most 1 (L2). Neighbors differ by one added or
    /// removed individual.
    ///
    /// The pair is `(1 - rate) N(0, sigma^2) + rate N(1, sigma^2)` and `N(0, sigma^2)`, in both orders (Zhu,
    /// Dong, Wang 2022, "Optimal accounting of differential privacy via characteristic function", Theorem 11). Errors:
    /// sigma outside 1e-100 to 1e100, rate outside 0 to 1.
    pub fn poisson_gaussian(Sigma(sigma): Sigma, Rate(rate): Rate) -> Fallible<Self> {
        Self::sampled(sigma, rate, |sigma, rate| DominatingPair::PoissonGaussian { sigma, rate, replace: false })
    }

    /// The curve of `(1 - rate) N(0, sigma^2) + rate N(1, sigma^2)` against the same mixture with -1 in place of 1: a
    /// Poisson sample in which one individual is replaced, where each of the two individuals changes the sum by at most
    /// 1.
    ///
    /// It is assumed, not proved, that no other two contributions of size 1 have a larger loss. Errors: as for
    /// [`poisson_gaussian`](Self::poisson_gaussian).
    pub fn poisson_gaussian_replace(Sigma(sigma): Sigma, Rate(rate): Rate) -> Fallible<Self> {
        Self::sampled(sigma, rate, |sigma, rate| DominatingPair::PoissonGaussian { sigma, rate, replace: true })
    }

    /// Gaussian noise of standard deviation `sigma` on a sum over a sample of fixed size, drawn without replacement;
    /// `rate` is the share of all individuals in the sample. Neighbors differ by one replaced individual. This changes
    /// the sum of a sample with that individual by at most 1 (L2), so `sigma` is in units of the diameter of the set of
    /// contributions.
    ///
    /// The pair has the curve of `((1 - rate) Q + rate P, Q)` for epsilon >= 0 and the curve of `(P, (1 - rate) P +
    /// rate Q)` below 0, with `P, Q = N(1, sigma^2), N(0, sigma^2)` (Zhu, Dong, Wang 2022, Theorem 11). Errors: as for
    /// [`poisson_gaussian`](Self::poisson_gaussian).
    pub fn fixed_size_gaussian(Sigma(sigma): Sigma, Rate(rate): Rate) -> Fallible<Self> {
        Self::sampled(sigma, rate, |sigma, rate| DominatingPair::FixedSizeGaussian { sigma, rate })
    }

    fn sampled(sigma: f64, rate: f64, law: impl Fn(f64, f64) -> DominatingPair) -> Fallible<Self> {
        let sigma = positive(sigma, "sigma")?;
        require((0.0..=1.0).contains(&rate), "rate", "must be between 0 and 1")?;
        let law = law(sigma, rate);
        if rate == 0.0 {
            return Ok(Self::none());
        }
        if rate == 1.0 {
            // Two individuals are 2 apart.
            let apart = if matches!(law, DominatingPair::PoissonGaussian { replace: true, .. }) { 2.0 } else { 1.0 };
            return Self::gaussian(Sigma(sigma / apart));
        }
        Ok(Self::one(law))
    }

    /// Gaussian noise of standard deviation `sigma` on a sum that an individual changes by a random amount. For each
    /// pair `(a, w)` of `amounts`, the change is at most `a` (L2) with probability `w`, independently of other
    /// individuals. Neighbors differ by one added or removed individual. Weights need not add up to 1.
    ///
    /// The pair is the mixture of `N(a, sigma^2)` with these weights and `N(0, sigma^2)`, in both orders
    /// (Choquette-Choo, Ganesh, Steinke, Thakurta 2024, "Privacy Amplification for Matrix Mechanisms"; the proof here
    /// is in `proofs/accounting/pld.md`). Errors:
    /// sigma outside 1e-100 to 1e100; fewer than 1 or more than 1,024 amounts; an amount that is negative or above 1e5
    /// times sigma; weights as for [`discrete`](Self::discrete).
    pub fn mixture_gaussian(Sigma(sigma): Sigma, amounts: &[(f64, f64)]) -> Fallible<Self> {
        let sigma = positive(sigma, "sigma")?;
        let rule = |holds, rule| require(holds, "amounts", rule);
        rule((1..=MOST_AMOUNTS).contains(&amounts.len()), "must be from 1 to 1024")?;
        let is_amount = |amount: f64| (0.0..=1e100).contains(&amount) && amount / sigma <= 1e5;
        rule(amounts.iter().all(|(amount, _)| is_amount(*amount)), "must be from 0 to 1e5 times sigma")?;
        check_weights(amounts.iter().map(|(_, weight)| *weight), "amounts")?;
        let kept = amounts.iter().map(|(amount, weight)| (amount + 0.0, *weight)).filter(|(_, weight)| *weight > 0.0);
        let amounts: Vec<_> = kept.collect();
        if amounts.iter().all(|(amount, _)| *amount == 0.0) {
            return Ok(Self::none());
        }
        Ok(Self::one(DominatingPair::MixtureGaussian { sigma, amounts }))
    }

    /// Gaussian noise of standard deviation `sigma` on a sum over a Poisson sample of *records*. Each record is in the
    /// sample independently with probability `rate`, and changes the sum by at most 1 (L2). Neighbors differ by all
    /// records of one individual, who has at most `records` records.
    ///
    /// The number of an individual's records in the sample is binomial, and the pair is the one of
    /// [`mixture_gaussian`](Self::mixture_gaussian) with these weights, rounded so that large numbers do not become
    /// less likely. Errors: as for [`poisson_gaussian`](Self::poisson_gaussian); records outside 1 to 1,024.
    ///
    /// ```
    /// use indistinct_accounting::{PrivacyLossDistribution, Rate, Sigma};
    /// let training = PrivacyLossDistribution::poisson_gaussian_records(Sigma(4.0), Rate(0.01), 8)?.repeat(1000)?;
    /// let epsilon = training.epsilon(1e-6)?;
    /// assert!(epsilon.lower <= epsilon.upper && epsilon.upper < epsilon.lower * 1.000_001);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn poisson_gaussian_records(sigma: Sigma, Rate(rate): Rate, records: u32) -> Fallible<Self> {
        positive(sigma.0, "sigma")?;
        require((0.0..=1.0).contains(&rate), "rate", "must be between 0 and 1")?;
        require((1..=1024).contains(&records), "records", "must be from 1 to 1024")?;
        if rate == 0.0 {
            return Ok(Self::none());
        }
        Self::mixture_gaussian(sigma, &binomial_above(rate, records))
    }

    /// Laplace noise of scale `scale`, in units of the sensitivity. Error: scale outside 1e-100 to 1e100.
    pub fn laplace(Scale(scale): Scale) -> Fallible<Self> {
        Ok(Self::one(DominatingPair::Laplace(positive(scale, "scale")?)))
    }

    /// Discrete Laplace noise of scale `scale` (probabilities in proportion to `e^(-|x|/scale)`) on an integer that one
    /// individual changes by `sensitivity`. For a sensitivity of 65,537 or more, Laplace noise replaces it, which
    /// dominates it and loses up to `1/(4 scale^2)` more; both bounds are then bounds for the Laplace noise. Errors:
    /// scale outside 1e-100 to 1e100, or, for a sensitivity of 65,537 or more, scale divided by sensitivity outside
    /// this range; sensitivity 0.
    pub fn discrete_laplace(Scale(scale): Scale, sensitivity: u32) -> Fallible<Self> {
        require(sensitivity >= 1, "sensitivity", "must be at least 1")?;
        if sensitivity > MOST_LAPLACE_ATOMS {
            return Self::laplace(Scale(DominatingPair::scale_above(positive(scale, "scale")?, sensitivity)?));
        }
        Ok(Self::one(DominatingPair::DiscreteLaplace { scale: positive(scale, "scale")?, sensitivity }))
    }

    /// Discrete Gaussian noise of parameter `sigma` (probabilities in proportion to `e^(-x^2/(2 sigma^2))`) on an
    /// integer that one individual changes by `sensitivity`. Errors: sigma outside 2^-7 to 2^40; sensitivity 0.
    pub fn discrete_gaussian(Sigma(sigma): Sigma, sensitivity: u32) -> Fallible<Self> {
        require((0.007_812_5..=2f64.powi(40)).contains(&sigma), "sigma", "must be between 2^-7 and 2^40")?;
        require(sensitivity >= 1, "sensitivity", "must be at least 1")?;
        Ok(Self::one(DominatingPair::DiscreteGaussian { sigma, sensitivity }))
    }

    /// Any `epsilon`-DP mechanism: binary randomized response dominates all of them (Kairouz, Oh, Viswanath 2015).
    /// Error: epsilon outside 0 to 600.
    pub fn pure(epsilon: f64) -> Fallible<Self> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        require(epsilon <= 600.0, "epsilon", "must be at most 600")?;
        Ok(if epsilon == 0.0 { Self::none() } else { Self::one(DominatingPair::Pure(positive(epsilon, "epsilon")?)) })
    }

    /// Any (`epsilon`, `delta`)-DP mechanism (the same source). Errors: epsilon outside 0 to 600, delta outside 0 to 1.
    pub fn approximate(Epsilon(epsilon): Epsilon, Delta(delta): Delta) -> Fallible<Self> {
        require((0.0..=1.0).contains(&delta), "delta", "must be between 0 and 1")?;
        if delta == 0.0 {
            return Self::pure(epsilon);
        }
        let epsilon = non_negative(epsilon, "epsilon")?;
        require(epsilon == 0.0 || (1e-100..=600.0).contains(&epsilon), "epsilon", "must be 0, or from 1e-100 to 600")?;
        Ok(Self::one(DominatingPair::Approximate { epsilon, delta }))
    }

    /// Any mechanism of bounded range `eta`: the pair whose curve is the supremum of the curves of all such mechanisms,
    /// at epsilon `(1 - e^((epsilon - eta)/2))^2 / (1 - e^-eta)` (from the pairs of Dong, Durfee, Rogers 2020, "Optimal
    /// differential privacy composition for exponential mechanisms"). Error: eta outside 0 to 600.
    pub fn bounded_range(eta: f64) -> Fallible<Self> {
        let eta = non_negative(eta, "eta")?;
        require(eta <= 600.0, "eta", "must be at most 600")?;
        Ok(if eta == 0.0 { Self::none() } else { Self::one(DominatingPair::BoundedRange(positive(eta, "eta")?)) })
    }

    /// Randomized response among `categories`: the true answer is `e^epsilon` times as probable as each other answer.
    /// Errors: epsilon outside 0 to 600, categories below 2.
    pub fn randomized_response(epsilon: f64, categories: u32) -> Fallible<Self> {
        require(categories >= 2, "categories", "must be at least 2")?;
        let pure = Self::pure(epsilon)?;
        if categories == 2 || epsilon == 0.0 {
            return Ok(pure);
        }
        Ok(Self::one(DominatingPair::RandomizedResponse { epsilon: positive(epsilon, "epsilon")?, categories }))
    }

    /// Two distributions over finitely many outcomes: the weights of each outcome under the first and under the second
    /// distribution, which need not add up to 1. In the other direction, the distributions are exchanged. Errors: fewer
    /// than 1 or more than 65536 outcomes, a weight that is negative or not a finite number, a distribution without
    /// weight, weights whose minimum is below 1e-200 times their maximum.
    pub fn discrete(weights: &[(f64, f64)]) -> Fallible<Self> {
        require((1..=1 << 16).contains(&weights.len()), "weights", "must have 1 to 65536 pairs")?;
        for side in [|pair: &(f64, f64)| pair.0, |pair: &(f64, f64)| pair.1] {
            check_weights(weights.iter().map(side), "weights")?;
        }
        let weights = weights.iter().map(|pair| (pair.0 + 0.0, pair.1 + 0.0)).filter(|pair| *pair != (0.0, 0.0));
        Ok(Self::one(DominatingPair::Discrete(weights.collect())))
    }

    /// One mechanism on a Poisson sample, which contains each individual with probability `rate`. The mechanism must
    /// have finitely many losses (pure, approximate, randomized response, discrete Laplace, discrete), for neighbors
    /// that differ by one added or removed individual. For Gaussian noise see
    /// [`poisson_gaussian`](Self::poisson_gaussian).
    ///
    /// The pair (P, Q) becomes `((1 - rate) Q + rate P, Q)`, and `(Q, (1 - rate) Q + rate P)` in the other direction
    /// (Zhu, Dong, Wang 2022, Theorem 11). Errors: rate outside 0 to 1; more than one mechanism, or a mechanism of
    /// another kind.
    pub fn poisson_sampled(&self, rate: f64) -> Fallible<Self> {
        require((0.0..=1.0).contains(&rate), "rate", "must be between 0 and 1")?;
        if rate == 0.0 || self.0.is_empty() {
            return Ok(Self::none());
        }
        if rate == 1.0 {
            return Ok(self.clone());
        }
        match self.0.as_slice() {
            [(law, 1)] if law.has_atoms() => {
                Ok(Self::one(DominatingPair::PoissonSampled { rate, law: Box::new(law.clone()) }))
            }
            _ => require(false, "self", "must be one mechanism that has finitely many possible losses")
                .map(|()| Self::none()),
        }
    }

    /// Repeats this loss `count` times, adaptively. Error: a count of 0, or more than 2^40 mechanisms in total.
    pub fn repeat(&self, count: u64) -> Fallible<Self> {
        require(count >= 1, "count", "must be at least 1")?;
        let laws = self.0.iter().map(|(law, own)| Some((law.clone(), own.checked_mul(count)?)));
        Self::checked(laws.collect())
    }

    /// Composes both losses; the second may be chosen adaptively. Errors: more than 2^40 mechanisms in total; samples
    /// for different neighbors.
    pub fn compose(&self, other: &Self) -> Fallible<Self> {
        let mut laws = self.0.clone();
        for (law, count) in &other.0 {
            match laws.iter_mut().find(|(own, _)| own == law) {
                Some((_, own)) => *own = own.saturating_add(*count),
                None => laws.push((law.clone(), *count)),
            }
        }
        Self::checked(Some(laws))
    }

    fn checked(laws: Option<Vec<(DominatingPair, u64)>>) -> Fallible<Self> {
        let laws = laws.filter(|laws| {
            laws.iter().try_fold(0u64, |sum, (_, count)| sum.checked_add(*count)).is_some_and(|sum| sum <= MOST)
        });
        let laws = laws.ok_or(Error::Parameter { parameter: "count", rule: "must be at most 2^40 in total" })?;
        let mut neighbors = laws.iter().filter_map(|(law, _)| law.neighbors());
        let first = neighbors.next();
        let agree = neighbors.all(|neighbor| Some(neighbor) == first);
        require(agree, "other", "must have the same neighbors: add/remove or replace")?;
        Ok(Self(laws))
    }
}

/// Stored distributions pass the checks of constructors.
impl TryFrom<Vec<(DominatingPair, u64)>> for PrivacyLossDistribution {
    type Error = Error;

    fn try_from(laws: Vec<(DominatingPair, u64)>) -> Fallible<Self> {
        laws.into_iter().try_fold(Self::none(), |all, (law, count)| {
            let one = match law {
                DominatingPair::Gaussian(sigma) => Self::gaussian(Sigma(sigma)),
                DominatingPair::PoissonGaussian { sigma, rate, replace: false } => {
                    Self::poisson_gaussian(Sigma(sigma), Rate(rate))
                }
                DominatingPair::PoissonGaussian { sigma, rate, replace: true } => {
                    Self::poisson_gaussian_replace(Sigma(sigma), Rate(rate))
                }
                DominatingPair::FixedSizeGaussian { sigma, rate } => {
                    Self::fixed_size_gaussian(Sigma(sigma), Rate(rate))
                }
                DominatingPair::MixtureGaussian { sigma, amounts } => Self::mixture_gaussian(Sigma(sigma), &amounts),
                DominatingPair::Laplace(scale) => Self::laplace(Scale(scale)),
                DominatingPair::BoundedRange(eta) => Self::bounded_range(eta),
                DominatingPair::Pure(epsilon) => Self::pure(epsilon),
                DominatingPair::Approximate { epsilon, delta } => Self::approximate(Epsilon(epsilon), Delta(delta)),
                DominatingPair::RandomizedResponse { epsilon, categories } => {
                    Self::randomized_response(epsilon, categories)
                }
                DominatingPair::DiscreteLaplace { scale, sensitivity } => {
                    Self::discrete_laplace(Scale(scale), sensitivity)
                }
                DominatingPair::DiscreteGaussian { sigma, sensitivity } => {
                    Self::discrete_gaussian(Sigma(sigma), sensitivity)
                }
                DominatingPair::Discrete(weights) => Self::discrete(&weights),
                DominatingPair::PoissonSampled { rate, law } => Self::try_from(vec![(*law, 1)])?.poisson_sampled(rate),
            };
            all.compose(&one?.repeat(count)?)
        })
    }
}

impl From<PrivacyLossDistribution> for Vec<(DominatingPair, u64)> {
    fn from(distribution: PrivacyLossDistribution) -> Self {
        distribution.0
    }
}

/// With `#`, weights of laws one by one, so that different mechanisms are different words.
impl fmt::Display for PrivacyLossDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("no loss");
        }
        let parts: Vec<_> = self
            .0
            .iter()
            .map(|(law, count)| {
                let law = if f.alternate() { format!("{law:#}") } else { law.to_string() };
                if *count == 1 { law } else { format!("{count} times {law}") }
            })
            .collect();
        f.write_str(&parts.join(", "))
    }
}

/// The losses of a composition in one direction.
#[cfg(test)]
pub(crate) fn losses(
    all: &PrivacyLossDistribution,
    direction: crate::pld::loss::direction::Direction,
) -> Vec<(crate::pld::loss::finite_loss::FiniteLoss, u64)> {
    all.laws().iter().map(|(law, count)| (law.loss(direction).unwrap().loss.unwrap(), *count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use rug::{Float, ops::Pow};

    type P = PrivacyLossDistribution;

    #[test]
    fn bad_parameters_are_named() {
        let named = |result: Fallible<P>, name: &str| match result {
            Err(Error::Parameter { parameter, .. }) => assert_eq!(parameter, name),
            other => panic!("{name}: {other:?}"),
        };
        for bad in [f64::NAN, -1.0, f64::INFINITY, 0.0] {
            named(P::gaussian(Sigma(bad)), "sigma");
            named(P::laplace(Scale(bad)), "scale");
            named(P::poisson_gaussian(Sigma(bad), Rate(0.1)), "sigma");
            named(P::discrete_gaussian(Sigma(bad), 1), "sigma");
            named(P::discrete_laplace(Scale(bad), 1), "scale");
        }
        for bad in [f64::NAN, -1e-300, 1.1] {
            named(P::poisson_gaussian(Sigma(1.0), Rate(bad)), "rate");
            named(P::fixed_size_gaussian(Sigma(1.0), Rate(bad)), "rate");
            named(P::approximate(Epsilon(1.0), Delta(bad)), "delta");
            named(P::pure(1.0).unwrap().poisson_sampled(bad), "rate");
        }
        for bad in [f64::NAN, -1e-300, 1e10] {
            named(P::pure(bad), "epsilon");
            named(P::bounded_range(bad), "eta");
            named(P::randomized_response(bad, 3), "epsilon");
        }
        named(P::randomized_response(1.0, 1), "categories");
        named(P::discrete_gaussian(Sigma(1.0), 0), "sensitivity");
        named(P::pure(1.0).unwrap().repeat(0), "count");
        named(P::pure(1.0).unwrap().repeat(1 << 41), "count");
        named(P::laplace(Scale(1.0)).unwrap().poisson_sampled(0.5), "self");
        for bad in [vec![], vec![(1.0, f64::NAN)], vec![(1.0, 0.0)], vec![(-1.0, 1.0)], vec![(1.0, 1e-300), (1.0, 1.0)]]
        {
            named(P::discrete(&bad), "weights");
        }
        named(P::mixture_gaussian(Sigma(0.0), &[(1.0, 1.0)]), "sigma");
        for bad in [vec![], vec![(-1.0, 1.0)], vec![(1.0, f64::NAN)], vec![(1.0, 0.0)], vec![(2e5, 1.0)]] {
            named(P::mixture_gaussian(Sigma(1.0), &bad), "amounts");
        }
        named(P::poisson_gaussian_records(Sigma(1.0), Rate(1.5), 2), "rate");
        named(P::poisson_gaussian_records(Sigma(1.0), Rate(0.5), 0), "records");
        let (add, replace) = (
            P::poisson_gaussian(Sigma(1.0), Rate(0.1)).unwrap(),
            P::fixed_size_gaussian(Sigma(1.0), Rate(0.1)).unwrap(),
        );
        named(add.compose(&replace), "other");
    }

    /// Each number or more is no less likely than under the binomial distribution, and hardly more; weights to the
    /// nearest float are not so.
    #[test]
    fn numbers_of_records_are_rounded_up() {
        let mut caught = 0;
        for (rate, count) in [(0.01, 8), (0.3, 5), (0.5, 64), (0.97, 300), (1e-9, 1024), (0.2, 1024), (1.0 - 1e-9, 40)]
        {
            let wide = |x: f64| Float::with_val(2000, x);
            let rest: Float = wide(1.0) - rate;
            let mut exact = vec![Float::with_val(2000, rest.clone().pow(count))];
            for number in 1..=count {
                let next = exact[exact.len() - 1].clone() * (count - number + 1) / number * rate / &rest;
                exact.push(next);
            }
            let tail = |weights: &[(f64, Float)], from: f64| {
                let sum = |least: f64| {
                    let kept = weights.iter().filter(|(number, _)| *number >= least).map(|(_, weight)| weight);
                    kept.fold(wide(0.0), |sum, weight| sum + weight)
                };
                sum(from) / sum(0.0)
            };
            let numbers = (0..=count).map(f64::from);
            let truth: Vec<_> = numbers.clone().zip(exact).collect();
            let found: Vec<_> =
                binomial_above(rate, count).into_iter().map(|(number, weight)| (number, wide(weight))).collect();
            let nearest: Vec<_> = truth.iter().map(|(number, weight)| (*number, wide(weight.to_f64()))).collect();
            for from in numbers {
                let (least, bound) = (tail(&truth, from), tail(&found, from));
                assert!(bound >= least && bound <= least.clone() * 1.000_000_1 + 1e-59, "{rate} {count} {from}");
                caught += u32::from(tail(&nearest, from) < least);
            }
        }
        assert!(caught > 100, "{caught}");
    }

    #[test]
    fn composing_counts_equal_laws() {
        let (x, y) = (P::gaussian(Sigma(2.0)).unwrap(), P::pure(0.5).unwrap());
        let both = x.repeat(3).unwrap().compose(&y).unwrap().compose(&x).unwrap();
        assert_eq!(both.to_string(), "4 times Gaussian noise of sigma 2.0, epsilon 0.5");
        assert_eq!(P::none().compose(&x), Ok(x.clone()));
        assert_eq!(P::poisson_gaussian(Sigma(2.0), Rate(1.0)), Ok(x));
        assert_eq!(P::poisson_gaussian(Sigma(2.0), Rate(0.0)), Ok(P::none()));
        assert_eq!(P::none().to_string(), "no loss");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn comes_back_from_store_to_the_last_bit_or_not_at_all() {
        let parts = [
            P::poisson_gaussian(Sigma(0.1 + 0.2), Rate(1.0 / 3.0)).unwrap().repeat(1000).unwrap(),
            P::discrete(&[(0.1, 0.2), (0.3, 0.0)]).unwrap(),
            P::poisson_gaussian_records(Sigma(1.5), Rate(0.1), 3).unwrap(),
            P::approximate(Epsilon(1e-3), Delta(1e-9)).unwrap().poisson_sampled(0.1).unwrap(),
        ];
        let all = parts.iter().fold(P::none(), |all, part| all.compose(part).unwrap());
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<P>(&text).unwrap(), all);
        assert!(serde_json::from_str::<P>(r#"[[{"gaussian":"-1.0"},1]]"#).is_err());
        assert!(serde_json::from_str::<P>(r#"[[{"gaussian":"1.0"},0]]"#).is_err());
    }
}
