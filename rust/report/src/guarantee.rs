//! A guarantee in any measure.

use crate::error::{Error, Fallible};
use indistinct::{
    accounting::{Mu, PrivacyLossDistribution, PrivacyProfile, RenyiCurve, basic_composition, range_to_zcdp},
    core::Measure as MeasureOf,
    measures::{
        Approximate, GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RangeDivergence, RenyiDivergence,
        SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    numeric::{RoundedArithmetic, RoundedMath},
    plans::FrameMeasurement,
};
use indistinct_ledger::{Amount, Loss, Measure};

/// The guarantee of a release: bounds for every epsilon, every test and, if finite, every order of a Renyi divergence.
/// `indistinct::accounting` computes all of them, rounded in the safe direction.
///
/// ```
/// use indistinct_report::Guarantee;
/// let noise = Guarantee::of_loss(&indistinct_ledger::Loss::mu(1.0)?)?;
/// assert!(noise.epsilon(1e-6)? < 4.9 && noise.delta(1.0)? < 0.13);
/// // Of those who are in the data, a test that is wrong about one in 20 of the others finds at most a quarter.
/// assert!(noise.misses(0.05)? > 0.74);
/// assert!(noise.divergence(2.0)?.is_some_and(|bound| bound < 1.01));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Guarantee {
    words: String,
    profile: PrivacyProfile,
    /// Pairs of epsilon and delta that bound tests in place of the profile, if it takes long.
    tests: Vec<(f64, f64)>,
    renyi: Option<RenyiCurve>,
}

impl Guarantee {
    fn new(words: String, profile: PrivacyProfile, renyi: Option<RenyiCurve>) -> Self {
        Self { words, profile, tests: Vec::new(), renyi }
    }

    /// Returns the guarantee of a loss, or of a budget that may be spent completely.
    ///
    /// # Errors
    ///
    /// Returns no error for losses that a ledger accepts.
    pub fn of_loss(loss: &Loss) -> Fallible<Self> {
        let words = loss.to_string();
        let numbers: Vec<f64> = loss.numbers().iter().map(Amount::to_f64_up).collect();
        match (loss.measure(), numbers.as_slice()) {
            (Measure::Epsilon, [epsilon]) => Self::pure(words, *epsilon),
            (Measure::EpsilonDelta, [epsilon, delta]) => {
                Ok(Self::new(words, PrivacyProfile::approximate(vec![(*epsilon, delta.min(1.0))])?, None))
            }
            (Measure::Rho, [rho]) => Self::concentrated(words, *rho),
            (Measure::RhoDelta, [rho, delta]) => {
                Self::concentrated(words.clone(), *rho)?.with_delta(words, delta.min(1.0))
            }
            (Measure::Gaussian, [square]) => {
                // The float above a rounded root is not below the root.
                Self::gaussian(words, if *square == 0.0 { 0.0 } else { square.sqrt().next_up() })
            }
            (Measure::Renyi { order }, [divergence]) => {
                Ok(Self::renyi(words, RenyiCurve::from_points(vec![(order.value(), *divergence)])?))
            }
            _ => Err(Error::Guarantee(format!("{words}: no curves are known for this measure"))),
        }
    }

    /// Returns the guarantee of one release of a plan, for inputs at most this many units apart: rows or individuals,
    /// depending on its metric.
    ///
    /// # Errors
    ///
    /// Returns an error if the plan's loss is infinite, or if its inputs are never this close.
    pub fn of_plan(plan: &FrameMeasurement, units: u32) -> Fallible<Self> {
        let words = plan.loss(units)?;
        if let Some(epsilon) = loss::<MaxDivergence>(plan, units)? {
            return Self::pure(words, epsilon);
        }
        if let Some(eta) = loss::<RangeDivergence>(plan, units)? {
            return Self::range(words, eta);
        }
        if let Some(rho) = loss::<ZeroConcentratedDivergence>(plan, units)? {
            return Self::concentrated(words, rho);
        }
        if let Some(curve) = loss::<RenyiDivergence>(plan, units)? {
            return Ok(Self::renyi(words, curve));
        }
        if let Some(mu) = loss::<GaussianDivergence>(plan, units)? {
            return Self::gaussian(words, mu);
        }
        if let Some(losses) = loss::<PrivacyLossDivergence>(plan, units)? {
            return Self::losses(words, losses);
        }
        if let Some(profile) = loss::<SmoothedMaxDivergence>(plan, units)? {
            return Ok(Self::new(words, profile, None));
        }
        if let Some((epsilon, delta)) = loss::<Approximate<MaxDivergence>>(plan, units)? {
            return Ok(Self::new(words, PrivacyProfile::approximate(vec![(epsilon, delta)])?, None));
        }
        if let Some((eta, delta)) = loss::<Approximate<RangeDivergence>>(plan, units)? {
            return Self::range(words.clone(), eta)?.with_delta(words, delta);
        }
        if let Some((rho, delta)) = loss::<Approximate<ZeroConcentratedDivergence>>(plan, units)? {
            return Self::concentrated(words.clone(), rho)?.with_delta(words, delta);
        }
        if let Some((curve, delta)) = loss::<Approximate<RenyiDivergence>>(plan, units)? {
            return Self::renyi(words.clone(), curve).with_delta(words, delta);
        }
        if let Some((mu, delta)) = loss::<Approximate<GaussianDivergence>>(plan, units)? {
            return Self::gaussian(words.clone(), mu)?.with_delta(words, delta);
        }
        if let Some((losses, delta)) = loss::<Approximate<PrivacyLossDivergence>>(plan, units)? {
            return Self::losses(words.clone(), losses)?.with_delta(words, delta);
        }
        if let Some((profile, delta)) = loss::<Approximate<SmoothedMaxDivergence>>(plan, units)? {
            return Self::new(words.clone(), profile, None).with_delta(words, delta);
        }
        Err(Error::Guarantee(format!("{words}: no curves are known for `{}`", plan.measure())))
    }

    /// Returns the guarantee of mechanisms that run outside of a ledger, such as the steps of a training.
    ///
    /// # Errors
    ///
    /// Returns an error if a bound cannot be computed.
    ///
    /// ```
    /// use indistinct::accounting::{PrivacyLossDistribution, Sigma};
    /// let steps = PrivacyLossDistribution::gaussian(Sigma(8.0))?.repeat(64)?;
    /// let guarantee = indistinct_report::Guarantee::of_losses(steps)?;
    /// assert_eq!(guarantee.words(), "64 times Gaussian noise of sigma 8.0");
    /// assert!(guarantee.epsilon(1e-6)? < 4.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_losses(losses: PrivacyLossDistribution) -> Fallible<Self> {
        Self::losses(losses.to_string(), losses)
    }

    fn pure(words: String, epsilon: f64) -> Fallible<Self> {
        Ok(Self::new(words, PrivacyProfile::pure(epsilon)?, Some(RenyiCurve::pure(epsilon)?)))
    }

    fn concentrated(words: String, rho: f64) -> Fallible<Self> {
        Ok(Self::new(words, PrivacyProfile::concentrated(rho)?, Some(RenyiCurve::concentrated(rho)?)))
    }

    fn gaussian(words: String, mu: f64) -> Fallible<Self> {
        Ok(Self::new(words, PrivacyProfile::gaussian(Mu(mu))?, Some(RenyiCurve::gaussian(Mu(mu))?)))
    }

    fn range(words: String, eta: f64) -> Fallible<Self> {
        let losses = PrivacyProfile::losses(PrivacyLossDistribution::bounded_range(eta)?);
        Ok(Self::new(words, losses, Some(RenyiCurve::concentrated(range_to_zcdp(eta)?)?)))
    }

    fn renyi(words: String, curve: RenyiCurve) -> Self {
        Self::new(words, PrivacyProfile::renyi(curve.clone()), Some(curve))
    }

    fn losses(words: String, losses: PrivacyLossDistribution) -> Fallible<Self> {
        let curve = losses.renyi().ok();
        let exact = Self::new(words, PrivacyProfile::losses(losses), curve);
        // One point of a tradeoff curve is a search over some hundred deltas, of which each is an integral. Deltas at
        // fixed epsilons bound all tests together.
        let greatest = exact.greatest_epsilon()?;
        let pair = |share: u32| {
            let epsilon = greatest * f64::from(share) / f64::from(TESTS);
            Ok((epsilon, exact.delta(epsilon)?))
        };
        let tests = (0..=TESTS).map(pair).collect::<Fallible<_>>()?;
        Ok(Self { tests, ..exact })
    }

    /// Adds a delta to the guarantee, evaluated at some epsilons. No Renyi divergence is finite then.
    fn with_delta(self, words: String, delta: f64) -> Fallible<Self> {
        let greatest = self.greatest_epsilon()?;
        let pair = |share: u32| {
            let epsilon = greatest * f64::from(share) / f64::from(PAIRS);
            let (_, sum) = basic_composition(&[(epsilon, self.delta(epsilon)?), (0.0, delta)])?;
            Ok((epsilon, sum.min(1.0)))
        };
        let pairs = (0..=PAIRS).map(pair).collect::<Fallible<_>>()?;
        Ok(Self::new(words, PrivacyProfile::approximate(pairs)?, None))
    }

    /// Returns the guarantee in words.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns a delta for which (epsilon, delta)-DP holds, rounded up.
    ///
    /// # Errors
    ///
    /// Returns an error if the epsilon is negative or NaN.
    pub fn delta(&self, epsilon: f64) -> Fallible<f64> {
        Ok(self.profile.delta(epsilon)?)
    }

    /// Returns an epsilon for which (epsilon, delta)-DP holds, rounded up; infinite if no finite epsilon is known.
    ///
    /// # Errors
    ///
    /// Returns an error if the delta is not from 0 to 1.
    pub fn epsilon(&self, delta: f64) -> Fallible<f64> {
        Ok(self.profile.epsilon(delta)?)
    }

    /// Returns a point of the trade-off curve: a lower bound on the false negative rate of any test with false positive
    /// rate `alpha` for whether an individual is in the data.
    ///
    /// # Errors
    ///
    /// Returns an error if the rate is not from 0 to 1.
    pub fn misses(&self, alpha: f64) -> Fallible<f64> {
        if self.tests.is_empty() || !(0.0..=1.0).contains(&alpha) {
            return Ok(self.profile.beta(alpha)?);
        }
        self.tests.iter().try_fold(0.0, |most: f64, pair| Ok(most.max(missed(*pair, alpha)?)))
    }

    /// Returns an upper bound on the Renyi divergence at an order, if it is finite.
    ///
    /// # Errors
    ///
    /// Returns an error if the order is not above 1.
    pub fn divergence(&self, order: f64) -> Fallible<Option<f64>> {
        Ok(self.renyi.as_ref().map(|curve| curve.at(order)).transpose()?)
    }

    /// Returns the epsilon at the smallest of some round deltas at which epsilon is finite.
    pub(crate) fn greatest_epsilon(&self) -> Fallible<f64> {
        for exponent in (0..=12).rev() {
            let delta = f64::powi(10.0, -exponent).min(1.0);
            let epsilon = self.epsilon(delta)?;
            if epsilon.is_finite() {
                return Ok(epsilon);
            }
        }
        Ok(0.0)
    }
}

/// Returns a lower bound on the false negative rate of any test of (epsilon, delta)-DP with false positive rate
/// `alpha`: `max(1 - delta - e^epsilon alpha, e^-epsilon (1 - delta - alpha))` (Kairouz, Oh, Viswanath 2015, Theorem
/// 2.1).
fn missed((epsilon, delta): (f64, f64), alpha: f64) -> Fallible<f64> {
    let found = || -> Result<f64, indistinct::numeric::Error> {
        let rest = 1f64.neg_inf_sub(delta)?;
        let lost = if alpha == 0.0 { 0.0 } else { epsilon.inf_exp()?.inf_mul(alpha)? };
        let flat = rest.neg_inf_sub(alpha)?.max(0.0).neg_inf_mul((-epsilon).neg_inf_exp()?)?;
        Ok(rest.neg_inf_sub(lost)?.max(flat))
    };
    Ok(found().map_err(indistinct::accounting::Error::from)?)
}

/// The number of pairs of epsilon and delta that represent a curve without a closed form.
const PAIRS: u32 = 48;

/// The number of pairs of epsilon and delta from which a tradeoff curve of loss distributions is made.
const TESTS: u32 = 96;

/// Returns the loss of a plan, if it is in this measure.
fn loss<MO: MeasureOf + Default>(plan: &FrameMeasurement, units: u32) -> Fallible<Option<MO::Distance>> {
    let Ok(measurement) = plan.under::<MO>() else { return Ok(None) };
    let loss = measurement.map(&units)?;
    // An error where no two inputs are so close: the map is then 0 of everything, noise or not.
    measurement.check(&units, &loss)?;
    if measurement.output_measure().is_infinite(&loss)? {
        return Err(Error::Guarantee("the loss is infinite, so there is no guarantee".into()));
    }
    Ok(Some(loss))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::frames::{ColumnDomain, FrameDomain};
    use indistinct::queries::{Budget, Query};

    fn of(loss: Result<Loss, indistinct_ledger::Error>) -> Guarantee {
        Guarantee::of_loss(&loss.unwrap()).unwrap()
    }

    #[test]
    fn losses_are_what_they_say() {
        let pure = of(Loss::epsilon(1.0));
        assert_eq!((pure.delta(1.0).unwrap(), pure.epsilon(0.0).unwrap()), (0.0, 1.0));
        let pair = of(Loss::epsilon_delta(1.0, 1e-6));
        assert!(pair.delta(5.0).unwrap() >= 1e-6 && pair.divergence(2.0).unwrap().is_none());
        assert_eq!(of(Loss::rho(0.5)).divergence(4.0).unwrap(), Some(2.0));
        assert_eq!(of(Loss::renyi(8.0, 0.25)).divergence(8.0).unwrap(), Some(0.25));
        assert_eq!(of(Loss::renyi(8.0, 0.25)).divergence(9.0).unwrap(), Some(f64::INFINITY));
        // A delta beside a rho is added at every epsilon; noise that has this rho keeps within both.
        let (with, without, noise) = (of(Loss::rho_delta(0.5, 1e-3)), of(Loss::rho(0.5)), of(Loss::mu(1.0)));
        for epsilon in [0.0, 0.77, 2.0, 9.0, 20.0] {
            let found = with.delta(epsilon).unwrap();
            let (least, most) = (noise.delta(epsilon).unwrap(), without.delta(epsilon).unwrap() + 1e-3);
            assert!(least.max(1e-3) <= found && found < most + 0.05, "{epsilon}: {least} {found} {most}");
        }
        assert!(with.misses(0.05).unwrap() <= noise.misses(0.05).unwrap() && with.misses(0.05).unwrap() > 0.6);
        let nothing = of(Loss::mu(0.0));
        assert_eq!((nothing.delta(0.0).unwrap(), nothing.misses(0.25).unwrap()), (0.0, 0.75));
    }

    /// The few pairs that bound tests of loss distributions are nowhere above the exact tradeoff function, and near it.
    #[test]
    fn tests_of_losses_are_bounded_by_few_pairs() {
        let noise = |sigma| PrivacyLossDistribution::gaussian(indistinct::accounting::Sigma(sigma)).unwrap();
        // An epsilon of thousands promises nothing about tests.
        assert!(Guarantee::of_losses(noise(0.01)).unwrap().misses(0.5).unwrap() < 1e-6);
        let losses = noise(1.0);
        let (exact, few) = (of(Loss::mu(1.0)), Guarantee::of_losses(losses).unwrap());
        for alpha in [0.0, 1e-6, 0.001, 0.05, 0.2, 0.5, 0.9, 1.0] {
            let (most, found) = (exact.misses(alpha).unwrap(), few.misses(alpha).unwrap());
            assert!(found <= most + 1e-15 && found >= most - 2e-3, "{alpha}: {found} {most}");
        }
        assert!(few.misses(1.5).is_err());
        // The bounds of two methods may differ in the last digit.
        assert!((few.epsilon(1e-6).unwrap() - exact.epsilon(1e-6).unwrap()).abs() < 1e-12);
    }

    /// The float that is nearest to 0.3 is below 0.3, but the number that represents it here is not.
    #[test]
    fn amounts_are_rounded_up() {
        let tenths = Loss::epsilon(0.1).unwrap().plus(&Loss::epsilon(0.2).unwrap()).unwrap();
        let guarantee = Guarantee::of_loss(&tenths).unwrap();
        assert_eq!((guarantee.words(), guarantee.epsilon(0.0).unwrap()), ("epsilon 0.3", 0.3f64.next_up()));
    }

    #[test]
    fn plans_of_each_measure_have_curves() {
        let table = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
        let count = |budget| Query::new(&table).count().measurement(budget).unwrap().measurement().clone();
        let pure = Guarantee::of_plan(&count(Budget::Epsilon(0.5)), 2).unwrap();
        assert_eq!((pure.words(), pure.epsilon(0.0).unwrap()), ("epsilon 1.0", 1.0));
        let rho = Guarantee::of_plan(&count(Budget::Rho(0.25)), 1).unwrap();
        assert!(rho.divergence(2.0).unwrap().unwrap() <= 0.5);
        let pair = Guarantee::of_plan(&count(Budget::EpsilonDelta(1.0, 1e-6)), 1).unwrap();
        assert!(pair.epsilon(1e-6).unwrap() <= 1.0 + 1e-9, "{}", pair.words());
    }

    #[test]
    fn what_promises_nothing_has_no_curve() {
        let plan = |size: &str, scale: &str| {
            let text = format!(
                "version = 2\nmetric = \"SymmetricDistance\"\n{size}\ncolumns = {{ x = \"float(0..=10)\" }}\n\
                 steps = [{{ make = \"rows\", columns = [\"x\"] }}, {{ make = \"sum\" }}, \
                 {{ make = \"laplace\", scale = {scale} }}]\n"
            );
            FrameMeasurement::from_toml(&text).unwrap()
        };
        assert!(Guarantee::of_plan(&plan("rows = 3", "0"), 2).is_err());
        // Neighbors are two rows apart.
        assert!(Guarantee::of_plan(&plan("rows = 3", "1"), 1).is_err());
        assert!(Guarantee::of_plan(&plan("rows = 3", "1"), 2).is_ok());
    }
}
