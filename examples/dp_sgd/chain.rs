//! A step of the training, as one measurement.

use crate::model::{FEATURES, PEOPLE, Year, gradient, length};
use indistinct::{domains::Norm, prelude::*};

/// The years of an individual.
pub(crate) type Years = VectorDomain<PairDomain<VectorDomain<AtomDomain<f64>>, AtomDomain<bool>>>;
/// A release on people.
pub(crate) type OnPeople<TO, MO> = Measurement<VectorDomain<Years>, TO, SymmetricDistance, MO>;
/// The release of a step: the sum of gradients, and the number of them that were not shortened, minus half, each with
/// noise.
pub(crate) type Released = (Vec<f64>, Option<f64>);

pub(crate) fn years() -> Years {
    let features = VectorDomain::new(AtomDomain::f64()).with_size(FEATURES);
    VectorDomain::new(PairDomain::new(features, AtomDomain::bool()))
}

/// A row is an individual with all their years.
pub(crate) fn people() -> (VectorDomain<Years>, SymmetricDistance) {
    (VectorDomain::new(years()), SymmetricDistance)
}

/// How a gradient is bounded, and what is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The greatest length of an individual's gradient.
    pub(crate) clip: f64,
    /// The standard deviation of the noise on their sum.
    pub(crate) noise: f64,
    /// That of the noise on the number of those that are no longer than `clip`, if it is asked for.
    pub(crate) counted: Option<f64>,
    /// The probability with which an individual is looked at.
    pub(crate) rate: f64,
}

impl Step {
    /// The sum of clipped gradients at these weights with noise and, if it is asked for, the number of those that were
    /// not shortened.
    pub(crate) fn noisy(&self, weights: &[f64]) -> Fallible<OnPeople<Released, GaussianDivergence>> {
        let (weights, clip) = (weights.to_vec(), self.clip);
        let vectors = VectorDomain::new(AtomDomain::f64()).with_size(FEATURES);
        let of_individual = move |person: &[Year]| gradient(&weights, person);
        let gradients = (people() >> then_map(vectors, vec![0.0; FEATURES], of_individual))?;
        let space = || (gradients.output_domain().clone(), SymmetricDistance);
        let sum = space() >> then_norm_clip(Norm::L2, clip) >> then_vector_sum(L2Distance::new());
        let sum = (sum >> then_gaussian(GaussianDivergence, self.noise))?;
        let Some(counted) = self.counted else {
            return gradients >> (sum >> Function::new(|sum: &Vec<f64>| (sum.clone(), None)))?;
        };
        // A half more or less: one individual moves the sum of these by a half, where a number of people moves by one.
        let half = move |gradient: &[f64]| if length(gradient) <= clip { 0.5 } else { -0.5 };
        let halves = space() >> then_map(AtomDomain::f64(), 0.0, half) >> then_clamp((-0.5, 0.5)) >> then_sum();
        let both = make_composition((sum, (halves >> then_gaussian(GaussianDivergence, counted))?))?;
        gradients >> (both >> Function::new(|(sum, halves): &(Vec<f64>, f64)| (sum.clone(), Some(*halves))))?
    }

    /// The same of a Poisson sample.
    pub(crate) fn sampled(&self, weights: &[f64]) -> Fallible<OnPeople<Released, PrivacyLossDivergence>> {
        make_poisson_sampling(make_GDP_to_PLD(self.noisy(weights)?)?, self.rate)
    }

    /// The length to which the next gradients are shortened, so that a share `quantile` of them is not: this one, by a
    /// fifth of what the share differs by, in logarithms (Andrew, Thakkar, McMahan, Ramaswamy 2021). A function of the
    /// release.
    pub(crate) fn next_clip(&self, halves: Option<f64>, quantile: f64) -> f64 {
        let Some(halves) = halves else { return self.clip };
        let share = (0.5 + halves / (self.rate * PEOPLE)).clamp(0.0, 1.0);
        self.clip * (-0.2 * (share - quantile)).exp()
    }
}

/// The noise on the number of gradients that are not shortened: a twentieth of how many people a step looks at, which
/// costs next to nothing beside the sum.
pub(crate) fn of_count(rate: f64, quantile: Option<f64>) -> Option<f64> {
    quantile.map(|_| rate * PEOPLE / 20.0)
}
