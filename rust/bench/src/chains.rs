//! Chains whose maps are what accountants are asked about: at distance 1, a row added or removed, a number more or
//! less.

use indistinct::{accounting::PrivacyLossDistribution, prelude::*};

/// What a chain says that it loses.
pub(crate) struct Chain(Box<dyn Fn() -> Fallible<PrivacyLossDistribution>>);

/// A measurement of which so many are composed.
type Part<DI, TO, MI> = Measurement<DI, TO, MI, PrivacyLossDivergence>;
/// Numbers with noise on their sum.
pub(crate) type OfNumbers = Part<VectorDomain<AtomDomain<f64>>, f64, SymmetricDistance>;

impl Chain {
    /// So many releases of one measurement.
    pub(crate) fn repeated<DI: Domain + 'static, TO: 'static, MI: Metric + 'static>(
        part: &Part<DI, TO, MI>,
        times: usize,
    ) -> Fallible<Self>
    where
        MI::Distance: From<u8>,
    {
        Self::of(make_composition(vec![part.clone(); times])?)
    }

    /// So many steps of a training, which are chosen as it goes and lose as much as this one each.
    pub(crate) fn planned(step: &OfNumbers, times: usize) -> Fallible<Self> {
        let losses = vec![step.map(&1)?; times];
        Self::of((numbers() >> then_adaptive_composition(PrivacyLossDivergence, 1, losses))?)
    }

    /// One measurement after another.
    pub(crate) fn each(parts: Vec<OfNumbers>) -> Fallible<Self> {
        Self::of(make_composition(parts)?)
    }

    fn of<DI: Domain + 'static, TO: 'static, MI: Metric + 'static>(all: Part<DI, TO, MI>) -> Fallible<Self>
    where
        MI::Distance: From<u8>,
    {
        Ok(Self(Box::new(move || all.map(&MI::Distance::from(1)))))
    }

    /// The losses, asked of the map.
    pub(crate) fn losses(&self) -> Fallible<PrivacyLossDistribution> {
        (self.0)()
    }
}

/// The sum of numbers between 0 and 1 with Gaussian noise.
pub(crate) fn gaussian(sigma: f64) -> Fallible<OfNumbers> {
    let sum = numbers() >> then_clamp((0.0, 1.0)) >> then_sum();
    make_GDP_to_PLD((sum >> then_gaussian(GaussianDivergence, sigma))?)
}

/// The same of a Poisson sample.
pub(crate) fn sampled(sigma: f64, rate: f64) -> Fallible<OfNumbers> {
    make_poisson_sampling(gaussian(sigma)?, rate)
}

/// The same of so many of all rows.
pub(crate) fn sampled_without_replacement(
    sigma: f64,
    (size, all): (usize, usize),
) -> Fallible<Part<VectorDomain<AtomDomain<f64>>, f64, ChangeOneDistance>> {
    let space = (VectorDomain::new(AtomDomain::f64()).with_size(size), ChangeOneDistance);
    let noisy = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_gaussian(GaussianDivergence, sigma))?;
    make_sampling_without_replacement(make_GDP_to_PLD(noisy)?, all)
}

/// The sum of numbers between 0 and 1 with Laplace noise.
pub(crate) fn laplace(scale: f64) -> Fallible<OfNumbers> {
    make_pureDP_to_PLD((numbers() >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(scale))?)
}

/// The sum of whole numbers between 0 and a sensitivity with discrete Gaussian noise.
pub(crate) fn discrete_gaussian(
    sigma: f64,
    sensitivity: i64,
) -> Fallible<Part<VectorDomain<AtomDomain<i64>>, i128, SymmetricDistance>> {
    let sum = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance) >> then_clamp((0, sensitivity)) >> then_sum();
    sum >> then_gaussian(PrivacyLossDivergence, sigma)
}

/// Which of three, with a range.
pub(crate) fn selection(range: f64) -> Fallible<Part<VectorDomain<AtomDomain<i64>>, usize, LInfDistance>> {
    let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
    make_exponential(scores, LInfDistance::new(), PrivacyLossDivergence, 2.0 / range)
}

/// An answer that is true as often as an epsilon allows.
pub(crate) fn response(epsilon: f64) -> Fallible<Part<AtomDomain<bool>, bool, DiscreteDistance>> {
    let truth = 1.0 / (1.0 + (-epsilon).exp());
    make_pureDP_to_PLD(make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, truth)?)
}

fn numbers() -> (VectorDomain<AtomDomain<f64>>, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::f64()), SymmetricDistance)
}
