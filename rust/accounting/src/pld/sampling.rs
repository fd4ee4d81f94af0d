//! Mechanisms on one sample, and their losses as Renyi divergences and as a rho: at least what they lose, by what is
//! known of each.

use crate::{
    amplification::amplify_by_sampling,
    composition::gaussian_composition,
    conversions::{gaussian_to_zcdp, laplace_to_zcdp, pure_to_zcdp},
    error::{Error, Fallible},
    pld::{distribution::PrivacyLossDistribution, loss::pair::DominatingPair},
    renyi::RenyiCurve,
    units::{Delta, Epsilon, Mu, Rate, Sigma},
};
use indistinct_numeric::{Above, Below, RoundedArithmetic, RoundedFrom, RoundedMath};

/// All of a composition as one mechanism, whose loss on a sample is known.
enum Whole {
    Nothing,
    /// Gaussian noise of this sigma.
    Gaussian(f64),
    /// One mechanism of finitely many losses.
    Atoms,
    /// Epsilon and delta.
    Guarantee(f64, f64),
}

impl PrivacyLossDistribution {
    /// At least what all of these mechanisms lose together on *one* Poisson sample, in which each individual is with
    /// probability `rate`; neighbors differ by one individual.
    ///
    /// That of Gaussian noise, however often, and of one mechanism of finitely many losses is known
    /// ([`poisson_gaussian`](Self::poisson_gaussian), [`poisson_sampled`](Self::poisson_sampled)). Other mechanisms
    /// whose losses are bounded count as a guarantee of the sum of their greatest losses. Errors: rate outside 0 to 1;
    /// mechanisms of neither kind, such as Gaussian noise beside Laplace noise.
    ///
    /// ```
    /// use indistinct_accounting::{PrivacyLossDistribution, Rate, Sigma};
    /// let two = PrivacyLossDistribution::gaussian(Sigma(2.0))?.repeat(4)?;
    /// assert_eq!(two.on_poisson_sample(0.1)?, PrivacyLossDistribution::poisson_gaussian(Sigma(1.0), Rate(0.1))?);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn on_poisson_sample(&self, rate: f64) -> Fallible<Self> {
        match self.whole()? {
            Whole::Nothing => Self::none().poisson_sampled(rate),
            Whole::Gaussian(sigma) => Self::poisson_gaussian(Sigma(sigma), Rate(rate)),
            Whole::Atoms => self.poisson_sampled(rate),
            Whole::Guarantee(epsilon, delta) => guarantee(epsilon, delta)?.poisson_sampled(rate),
        }
    }

    /// At least what all of these mechanisms lose together on *one* random sample in which what differs between
    /// neighbors is with probability `rate` at most, whichever of the two is which: for samples of fixed size, and for
    /// neighbors that differ by several individuals.
    ///
    /// That of Gaussian noise is known ([`fixed_size_gaussian`](Self::fixed_size_gaussian)). Other mechanisms whose
    /// losses are bounded count as a guarantee of the sum of their greatest losses. Errors: as for
    /// [`on_poisson_sample`](Self::on_poisson_sample).
    pub fn on_random_sample(&self, rate: f64) -> Fallible<Self> {
        let (epsilon, delta) = match self.whole()? {
            Whole::Gaussian(sigma) => return Self::fixed_size_gaussian(Sigma(sigma), Rate(rate)),
            Whole::Nothing => (0.0, 0.0),
            Whole::Atoms => self.greatest()?,
            Whole::Guarantee(epsilon, delta) => (epsilon, delta),
        };
        let (epsilon, delta) = amplify_by_sampling(Epsilon(epsilon), Delta(delta), Rate(rate))?;
        guarantee(epsilon, delta)
    }

    fn whole(&self) -> Fallible<Whole> {
        let mut mus = Vec::new();
        for (law, count) in self.laws() {
            let DominatingPair::Gaussian(sigma) = law else { break };
            let mu = 1.0.inf_div(*sigma)?;
            mus.push(if *count == 1 { mu } else { mu.inf_mul(f64::inf_from(count)?.inf_sqrt()?)? });
        }
        match self.laws() {
            [] => Ok(Whole::Nothing),
            // As it is: a reciprocal's reciprocal may be another float.
            [(DominatingPair::Gaussian(sigma), 1)] => Ok(Whole::Gaussian(*sigma)),
            laws if laws.len() == mus.len() => Ok(Whole::Gaussian(1.0.neg_inf_div(gaussian_composition(&mus)?)?)),
            [(law, 1)] if law.has_atoms() => Ok(Whole::Atoms),
            _ => self.greatest().map(|(epsilon, delta)| Whole::Guarantee(epsilon, delta)),
        }
    }

    /// The sums of the greatest losses, and of the probabilities of infinite ones: by basic composition a guarantee.
    fn greatest(&self) -> Fallible<(f64, f64)> {
        let rule = "must all come from Gaussian noise, or all from mechanisms with bounded losses";
        let unknown = Error::Parameter { parameter: "losses", rule };
        self.laws().iter().try_fold((0.0, 0.0), |(epsilon, delta): (f64, f64), (law, count)| {
            let (own, failure) = law.greatest()?.ok_or(unknown.clone())?;
            let count = f64::inf_from(count)?;
            Ok((epsilon.inf_add(own.inf_mul(count)?)?, delta.inf_add(failure.inf_mul(count)?)?.min(1.0)))
        })
    }

    /// The Renyi divergences of the pairs together, in the worse direction at each order: an upper bound, which is the
    /// divergence itself for Gaussian noise, also on Poisson samples, for Laplace noise, discrete or not, responses and
    /// discrete distributions. The discrete Gaussian counts as the Gaussian of its sigma, ranges and discrete
    /// mechanisms on Poisson samples as guarantees of their greatest loss. Where a loss is infinite with some
    /// probability, so is the curve.
    ///
    /// ```
    /// use indistinct_accounting::{PrivacyLossDistribution, Rate, RenyiCurve, Scale, Sigma};
    /// let step = PrivacyLossDistribution::poisson_gaussian(Sigma(4.0), Rate(0.01))?.renyi()?;
    /// assert!(step.at(2.5)? < 8.2e-6 && step.at(2.5)? > 8.0e-6);
    /// // Laplace noise hides more than other mechanisms of its epsilon.
    /// let noise = PrivacyLossDistribution::laplace(Scale(1.0))?.renyi()?;
    /// assert!(noise.at(2.0)? < 0.62 && RenyiCurve::pure(1.0)?.at(2.0)? > 0.72);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn renyi(&self) -> Fallible<RenyiCurve> {
        let curves = self.laws().iter().map(|(law, count)| {
            let one = law.renyi()?;
            // A count has at most 41 bits.
            let (high, low) = (u32::exact_from(&(count >> 20))?, u32::exact_from(&(count & 0xf_ffff))?);
            one.repeat(low)?.compose(&one.repeat(1 << 20)?.repeat(high)?)
        });
        RenyiCurve::total(&curves.collect::<Fallible<Vec<_>>>()?)
    }

    /// A rho such that all together are rho-zCDP: the sum of those of the pairs, each by its own theorem (Gaussian
    /// noise, discrete or not, and on samples as if there were none; Laplace noise) or by its greatest loss. Infinite
    /// where a loss is infinite with some probability, and for [`discrete`](Self::discrete) pairs.
    ///
    /// ```
    /// use indistinct_accounting::{PrivacyLossDistribution, Scale, Sigma};
    /// let noise = PrivacyLossDistribution::gaussian(Sigma(2.0))?;
    /// assert_eq!(noise.repeat(8)?.rho()?, 1.0);
    /// assert!(noise.compose(&PrivacyLossDistribution::laplace(Scale(1.0))?)?.rho()? < 0.5);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn rho(&self) -> Fallible<f64> {
        self.laws()
            .iter()
            .try_fold(0.0, |sum: f64, (law, count)| Ok(sum.inf_add(law.rho()?.inf_mul(f64::inf_from(count)?)?)?))
    }
}

/// That of epsilon and delta, where parameters beyond what the pair takes are raised to it.
fn guarantee(epsilon: f64, delta: f64) -> Fallible<PrivacyLossDistribution> {
    if epsilon > 600.0 {
        return PrivacyLossDistribution::approximate(Epsilon(0.0), Delta(1.0));
    }
    PrivacyLossDistribution::approximate(
        Epsilon(if epsilon > 0.0 { epsilon.max(1e-100) } else { epsilon }),
        Delta(delta),
    )
}

impl DominatingPair {
    /// The greatest loss in either direction but for an infinite one, and the probability of that.
    pub(crate) fn greatest(&self) -> Fallible<Option<(f64, f64)>> {
        Ok(match self {
            Self::Laplace(scale) => Some((1.0.inf_div(*scale)?, 0.0)),
            Self::BoundedRange(eta) => Some((*eta, 0.0)),
            Self::Pure(epsilon) | Self::RandomizedResponse { epsilon, .. } => Some((*epsilon, 0.0)),
            Self::Approximate { epsilon, delta } => Some((*epsilon, *delta)),
            Self::DiscreteLaplace { scale, sensitivity } => Some((f64::from(*sensitivity).inf_div(*scale)?, 0.0)),
            Self::PoissonSampled { rate, law } => match law.greatest()? {
                Some((epsilon, delta)) => Some(amplify_by_sampling(Epsilon(epsilon), Delta(delta), Rate(*rate))?),
                None => None,
            },
            Self::Gaussian(_)
            | Self::PoissonGaussian { .. }
            | Self::FixedSizeGaussian { .. }
            | Self::MixtureGaussian { .. }
            | Self::DiscreteGaussian { .. }
            | Self::Discrete(_) => None,
        })
    }

    fn rho(&self) -> Fallible<f64> {
        match self {
            // What is sampled loses no more than what is not, at each order (`proofs/accounting/pld_sampling.md`).
            Self::Gaussian(sigma)
            | Self::PoissonGaussian { sigma, replace: false, .. }
            | Self::FixedSizeGaussian { sigma, .. } => gaussian_to_zcdp(1.0.inf_div(*sigma)?),
            Self::PoissonGaussian { sigma, replace: true, .. } => gaussian_to_zcdp(2.0.inf_div(*sigma)?),
            Self::MixtureGaussian { sigma, amounts } => gaussian_to_zcdp(greatest_amount(amounts).inf_div(*sigma)?),
            Self::DiscreteGaussian { sigma, sensitivity } => gaussian_to_zcdp(f64::from(*sensitivity).inf_div(*sigma)?),
            Self::Laplace(scale) => laplace_to_zcdp(1.0.inf_div(*scale)?),
            Self::BoundedRange(_)
            | Self::Pure(_)
            | Self::Approximate { .. }
            | Self::RandomizedResponse { .. }
            | Self::DiscreteLaplace { .. }
            | Self::PoissonSampled { .. }
            | Self::Discrete(_) => match self.greatest()? {
                Some((epsilon, 0.0)) => pure_to_zcdp(epsilon),
                _ => Ok(f64::INFINITY),
            },
        }
    }

    fn renyi(&self) -> Fallible<RenyiCurve> {
        match self {
            Self::Gaussian(sigma) => RenyiCurve::gaussian(Mu(1.0.inf_div(*sigma)?)),
            Self::PoissonGaussian { sigma, rate, replace: false } => {
                RenyiCurve::sampled_gaussian(Sigma(*sigma), Rate(*rate))
            }
            // At most 2 apart, whoever is in the sample.
            Self::PoissonGaussian { sigma, replace: true, .. } => RenyiCurve::gaussian(Mu(2.0.inf_div(*sigma)?)),
            Self::FixedSizeGaussian { sigma, rate } => fixed_size(*sigma, *rate),
            Self::MixtureGaussian { sigma, amounts } => mixture(*sigma, amounts),
            Self::Laplace(scale) => RenyiCurve::laplace(Epsilon(1.0.inf_div(*scale)?)),
            Self::DiscreteLaplace { scale, sensitivity } => {
                RenyiCurve::discrete_laplace(Epsilon(1.0.inf_div(*scale)?), *sensitivity)
            }
            Self::DiscreteGaussian { sigma, sensitivity } => {
                RenyiCurve::gaussian(Mu(f64::from(*sensitivity).inf_div(*sigma)?))
            }
            Self::RandomizedResponse { epsilon, categories } => {
                let (truth, others) = (epsilon.inf_exp()?, f64::from(categories.saturating_sub(2)));
                RenyiCurve::discrete(vec![(truth, 1.0), (1.0, truth), (others, others)])
            }
            Self::Discrete(weights) => RenyiCurve::discrete(weights.clone()),
            Self::BoundedRange(_) | Self::Pure(_) | Self::Approximate { .. } | Self::PoissonSampled { .. } => {
                match self.greatest()? {
                    Some((epsilon, 0.0)) => RenyiCurve::pure(epsilon),
                    _ => RenyiCurve::concentrated(f64::INFINITY),
                }
            }
        }
    }
}

/// Whole orders up to 16, then some 6% apart, and a few below.
fn orders() -> impl Iterator<Item = f64> {
    let next = |order: &u32| Some(order + (order / 16).max(1));
    let whole = std::iter::successors(Some(2u32), next).take_while(|order| *order <= 4096).map(f64::from);
    [1.125, 1.25, 1.5, 1.75].into_iter().chain(whole)
}

fn greatest_amount(amounts: &[(f64, f64)]) -> f64 {
    amounts.iter().fold(0.0, |most, (amount, _)| most.max(*amount))
}

/// `e^((alpha - 1) D)` of a mixture, in either order, is at most the mean of those of its parts, each of which is
/// `e^(alpha (alpha - 1) mu^2/2)`.
fn mixture(sigma: f64, amounts: &[(f64, f64)]) -> Fallible<RenyiCurve> {
    let total = amounts.iter().map(|(_, weight)| Below::exact(*weight)).fold(Below::ZERO, |sum, weight| sum + weight);
    let greatest = 0.5 * Above::promised(greatest_amount(amounts).inf_div(sigma)?).squared().get();
    let point = |order: f64| {
        let excess = order - 1.0;
        let part = |(amount, weight): &(f64, f64)| {
            let mu = Above::exact(*amount) / Below::exact(sigma);
            (mu.squared() * (0.5 * order) * excess).exp_m1() * (Above::exact(*weight) / total)
        };
        let sum: Above = amounts.iter().map(part).sum();
        let bound = (sum.ln_1p() / Below::exact(excess)).get();
        // Of all at once, where exponentials are no numbers.
        let whole = greatest.inf_mul(order)?;
        Ok((order, if bound < whole { bound } else { whole }))
    };
    RenyiCurve::from_points(orders().map(point).collect::<Fallible<_>>()?)
}

/// With r the ratio of `(1 - rate) Q + rate P` to Q, `E_Q[r^alpha]` of the pair of fixed size is `1 + E_Q[g(r), r > 1]`
/// for `g(r) = r^alpha + r^(1 - alpha) - 1 - r`, at most twice `r^alpha - 1 - alpha (r - 1)`, whose mean is that of a
/// Poisson sample.
fn fixed_size(sigma: f64, rate: f64) -> Fallible<RenyiCurve> {
    let (poisson, all) =
        (RenyiCurve::sampled_gaussian(Sigma(sigma), Rate(rate))?, RenyiCurve::gaussian(Mu(1.0.inf_div(sigma)?))?);
    let point = |order: f64| {
        // Exact: orders have few digits.
        let excess = order - 1.0;
        let moment = poisson.at(order)?.inf_mul(excess)?;
        let whole = all.at(order)?;
        if moment > 600.0 {
            return Ok((order, whole));
        }
        let bound = moment.inf_exp_m1()?.inf_mul(2.0)?.inf_ln_1p()?.inf_div(excess)?;
        Ok((order, bound.min(whole)))
    };
    RenyiCurve::from_points(orders().map(point).collect::<Fallible<_>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Scale;

    type P = PrivacyLossDistribution;

    #[test]
    fn what_is_known_on_samples_and_what_is_not() {
        let gaussian = P::gaussian(Sigma(1.3)).unwrap();
        assert_eq!(gaussian.on_poisson_sample(0.3), P::poisson_gaussian(Sigma(1.3), Rate(0.3)));
        assert_eq!(gaussian.on_random_sample(0.3), P::fixed_size_gaussian(Sigma(1.3), Rate(0.3)));
        let unlike = P::gaussian(Sigma(3.0)).unwrap().compose(&P::gaussian(Sigma(4.0)).unwrap()).unwrap();
        let below = |ulps| P::poisson_gaussian(Sigma(f64::from_bits(2.4f64.to_bits() - ulps)), Rate(0.5));
        assert!((0..8).any(|ulps| unlike.on_poisson_sample(0.5) == below(ulps)));
        let pure = P::pure(1.0).unwrap();
        assert_eq!(pure.on_poisson_sample(0.3), pure.poisson_sampled(0.3));
        let amplified = amplify_by_sampling(Epsilon(1.0), Delta(0.0), Rate(0.3)).unwrap().0;
        assert_eq!(pure.on_random_sample(0.3), P::pure(amplified));
        let laplace = P::laplace(Scale(2.0)).unwrap().repeat(2).unwrap();
        assert_eq!(laplace.on_poisson_sample(0.3), pure.poisson_sampled(0.3));
        let mixed = laplace.compose(&P::approximate(Epsilon(0.5), Delta(1e-3)).unwrap()).unwrap();
        assert_eq!(
            mixed.on_poisson_sample(0.25),
            P::approximate(Epsilon(1.5), Delta(1e-3)).unwrap().poisson_sampled(0.25)
        );
        assert_eq!((P::none().on_poisson_sample(0.3), P::none().on_random_sample(0.3)), (Ok(P::none()), Ok(P::none())));
        for none in [gaussian.compose(&laplace).unwrap(), P::discrete_gaussian(Sigma(1.0), 1).unwrap()] {
            assert!(none.on_poisson_sample(0.3).is_err() && none.on_random_sample(0.3).is_err());
        }
        assert!(gaussian.on_poisson_sample(1.5).is_err() && P::none().on_poisson_sample(f64::NAN).is_err());
    }

    /// A rho is above the curve over the order, and at Gaussian and Laplace noise as near as can be.
    #[test]
    fn rhos_are_above_the_curves() {
        let laws = [
            (P::gaussian(Sigma(2.0)).unwrap(), true),
            (P::laplace(Scale(1.5)).unwrap(), true),
            (P::discrete_gaussian(Sigma(2.0), 3).unwrap(), true),
            (P::discrete_laplace(Scale(1.5), 2).unwrap(), false),
            (P::randomized_response(1.0, 5).unwrap(), false),
            (P::pure(0.7).unwrap(), false),
            (P::bounded_range(0.7).unwrap(), false),
            (P::poisson_gaussian(Sigma(1.5), Rate(0.1)).unwrap(), false),
            (P::poisson_gaussian_replace(Sigma(1.5), Rate(0.1)).unwrap(), false),
            (P::fixed_size_gaussian(Sigma(1.5), Rate(0.1)).unwrap(), false),
            (P::pure(0.7).unwrap().poisson_sampled(0.2).unwrap(), false),
            (P::mixture_gaussian(Sigma(1.5), &[(0.0, 0.9), (1.0, 0.08), (2.0, 0.02)]).unwrap(), false),
        ];
        for (losses, is_least) in laws {
            let (rho, curve) = (losses.rho().unwrap(), losses.renyi().unwrap());
            let least = [1.000_01, 1.1, 2.0, 8.0, 64.0].map(|alpha| curve.at(alpha).unwrap() / alpha);
            let least = least.into_iter().fold(0.0, f64::max);
            // Some curves are given at some orders, and lie a little above between these.
            let slack = if is_least { 1e-12 } else { 1e-3 };
            assert!(rho >= least * (1.0 - slack) && rho < f64::INFINITY, "{losses}: {rho} {least}");
            assert!(!is_least || rho < least * 1.000_1, "{losses}: {rho} {least}");
            assert_eq!(losses.repeat(8).unwrap().rho(), Ok(8.0 * rho), "{losses}");
        }
        assert_eq!(P::approximate(Epsilon(0.0), Delta(1e-9)).unwrap().rho(), Ok(f64::INFINITY));
        assert_eq!(P::none().rho(), Ok(0.0));
    }

    /// Curves of the pairs, by what their deltas add up to:
    /// `E_Q[(P/Q)^a] = 1 + a (a - 1) integral of t^(a - 2) (H_t - (1 - t)+)`.
    #[test]
    fn curves_are_those_of_the_deltas() {
        let losses = [
            (P::laplace(Scale(1.5)).unwrap(), 1e-2),
            (P::discrete_laplace(Scale(1.5), 2).unwrap(), 1e-2),
            (P::randomized_response(1.0, 5).unwrap(), 1e-2),
            (P::gaussian(Sigma(2.0)).unwrap(), 1e-2),
            (P::discrete_gaussian(Sigma(2.0), 1).unwrap(), 3e-2),
            (P::pure(0.7).unwrap(), 1e-2),
            (P::bounded_range(0.7).unwrap(), f64::INFINITY),
            (P::fixed_size_gaussian(Sigma(1.5), Rate(0.1)).unwrap(), 1.1),
        ];
        for (losses, slack) in losses {
            let (steps, reach) = (300, 6.0);
            let width = reach / f64::from(steps);
            let sticks: Vec<(f64, f64)> = (0..steps)
                .map(|i| {
                    let epsilon = (f64::from(i) + 0.5) * width;
                    (epsilon.exp(), losses.delta(epsilon).unwrap().upper)
                })
                .collect();
            for order in [1.5, 2.0, 4.0] {
                // H_1/t (Q, P) = 1 - 1/t + H_t (P, Q) / t, for a symmetric pair.
                let terms = sticks.iter().map(|(t, stick)| stick * (t.powf(order - 1.0) + t.powf(-order)) * width);
                let truth = (order * (order - 1.0) * terms.sum::<f64>()).ln_1p() / (order - 1.0);
                let bound = losses.renyi().unwrap().at(order).unwrap();
                let within = bound >= truth * (1.0 - 1e-2) && bound <= truth * (1.0 + slack) + 1e-3;
                assert!(within, "{losses} {order}: {bound} {truth}");
            }
        }
    }

    #[test]
    fn an_infinite_loss_has_an_infinite_curve_and_counts_multiply() {
        let pair = P::approximate(Epsilon(0.1), Delta(1e-9)).unwrap();
        assert_eq!(pair.renyi().unwrap().at(2.0), Ok(f64::INFINITY));
        assert_eq!(P::none().renyi().unwrap().at(2.0), Ok(0.0));
        let many = P::gaussian(Sigma(1e4)).unwrap().repeat(3 << 31).unwrap().renyi().unwrap().at(2.0).unwrap();
        assert!((many / (1e-8 * f64::from(3 << 20) * f64::from(1 << 11)) - 1.0).abs() < 1e-9, "{many}");
        let sampled = P::pure(1.0).unwrap().poisson_sampled(0.5).unwrap().renyi().unwrap();
        let least = RenyiCurve::discrete(vec![
            (0.5 * (1f64.exp() + 1.0), 1.0),
            (0.5 * 1f64.exp() * ((-1f64).exp() + 1.0), 1f64.exp()),
        ]);
        assert!(sampled.at(3.0).unwrap() >= least.unwrap().at(3.0).unwrap());
    }
}
