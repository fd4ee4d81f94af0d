//! The order of distributions that are known to lose no more than others.

use crate::pld::{distribution::PrivacyLossDistribution, loss::pair::DominatingPair};
use std::cmp::Ordering;

impl DominatingPair {
    /// True if a mechanism that this pair dominates is dominated by `other` too, as far as parameters show.
    fn is_below(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Gaussian(x), Self::Gaussian(y)) | (Self::Laplace(x), Self::Laplace(y)) => x >= y,
            (
                Self::DiscreteLaplace { scale: x, sensitivity: s },
                Self::DiscreteLaplace { scale: y, sensitivity: t },
            ) => x >= y && s <= t,
            (Self::DiscreteLaplace { scale, sensitivity }, Self::Laplace(y)) => {
                Self::scale_above(*scale, *sensitivity).is_ok_and(|above| above >= *y)
            }
            (
                Self::DiscreteGaussian { sigma: x, sensitivity: s },
                Self::DiscreteGaussian { sigma: y, sensitivity: t },
            ) => x == y && s <= t,
            (
                Self::RandomizedResponse { epsilon: x, categories: k },
                Self::RandomizedResponse { epsilon: y, categories: l },
            ) => x <= y && k == l,
            (Self::BoundedRange(x), Self::BoundedRange(y)) => x <= y,
            (
                Self::PoissonGaussian { sigma: x, rate: q, replace: false },
                Self::PoissonGaussian { sigma: y, rate: r, replace: false },
            ) => x >= y && q <= r,
            _ => self == other || other.pair().is_some_and(|(epsilon, delta)| self.is_within(epsilon, delta)),
        }
    }

    /// True if the losses are known to be at most epsilon, but for a probability of delta, whatever the neighbors.
    fn is_within(&self, epsilon: f64, delta: f64) -> bool {
        let greatest = if self.neighbors().is_none() { self.greatest().ok().flatten() } else { None };
        greatest.is_some_and(|(own, failure)| own <= epsilon && failure <= delta)
    }

    fn promises_nothing(&self) -> bool {
        matches!(self, Self::Approximate { delta: 1.0, .. })
    }
}

/// True if each mechanism of one, counted, has one of the other above it.
fn is_below(mine: &[(DominatingPair, u64)], other: &[(DominatingPair, u64)]) -> bool {
    if other.iter().any(|(law, _)| law.promises_nothing()) {
        return true;
    }
    let mut left = other.to_vec();
    mine.iter().all(|(law, count)| {
        let mut count = *count;
        while count > 0 {
            // The least one above it, so that the others are left for what needs them.
            let above = left.iter_mut().filter(|(other, left)| *left > 0 && law.is_below(other));
            let least = above.reduce(|least, next| if next.0.is_below(&least.0) { next } else { least });
            let Some((_, left)) = least else { return false };
            let taken = count.min(*left);
            *left -= taken;
            count -= taken;
        }
        true
    })
}

/// One is below another if each of its mechanisms, counted, has one beside it in the other that loses as much or more,
/// as far as parameters show: the greater one's delta is nowhere less.
impl PartialOrd for PrivacyLossDistribution {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (is_below(self.laws(), other.laws()), is_below(other.laws(), self.laws())) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pld::Direction,
        units::{Delta, Epsilon, Rate, Scale, Sigma},
    };

    type P = PrivacyLossDistribution;

    #[test]
    fn mechanisms_are_compared_one_beside_one() {
        let pure = |epsilon| P::pure(epsilon).unwrap();
        let both = |x: &P, y: &P| x.compose(y).unwrap();
        assert!(P::none() < pure(0.5) && pure(0.5) < pure(1.0));
        assert!(pure(0.5).repeat(3).unwrap() < pure(0.5).repeat(4).unwrap());
        // In whatever order: 1 beside 2 would leave 2 alone.
        assert!(both(&pure(1.0), &pure(2.0)) < both(&pure(3.0), &pure(1.0)));
        assert!(both(&pure(1.0), &pure(2.0)) < both(&pure(2.0), &pure(1.5)));
        assert_eq!(both(&pure(1.0), &pure(2.0)).partial_cmp(&both(&pure(2.0), &pure(1.0))), Some(Ordering::Equal));
        // Two of them need two above.
        assert_eq!(pure(0.5).repeat(2).unwrap().partial_cmp(&pure(9.0)), None);
        assert!(P::gaussian(Sigma(2.0)).unwrap() < P::gaussian(Sigma(1.0)).unwrap());
        assert!(P::bounded_range(1.0).unwrap() < P::bounded_range(2.0).unwrap());
        let pair = |epsilon, delta| P::approximate(Epsilon(epsilon), Delta(delta)).unwrap();
        assert!(pair(1.0, 1e-6) < pair(1.0, 1e-5) && pure(1.0) < pair(1.0, 1e-9));
        assert_eq!(pair(1.0, 1e-5).partial_cmp(&pair(2.0, 1e-6)), None);
        assert!(pure(500.0) < pair(0.0, 1.0) && P::laplace(Scale(0.1)).unwrap() < pair(0.0, 1.0));
        assert!(
            P::laplace(Scale(2.0)).unwrap() < P::laplace(Scale(1.0)).unwrap()
                && P::laplace(Scale(2.0)).unwrap() < pure(0.5)
        );
        assert_eq!(P::laplace(Scale(2.0)).unwrap().partial_cmp(&pure(0.49)), None);
        let discrete = |scale, sensitivity| P::discrete_laplace(Scale(scale), sensitivity).unwrap();
        assert!(discrete(2.0, 3) < discrete(1.0, 3) && discrete(2.0, 1) < discrete(2.0, 2));
        assert!(discrete(2.0, 1) < pair(0.5, 1e-9));
        // The last that has its own losses, and the first for which others stand.
        assert!(discrete(2.0, 65_536) < discrete(2.0, 65_537) && discrete(2.0, 65_537) < discrete(1.0, 65_537));
        assert_eq!(discrete(2.0, 3).partial_cmp(&P::laplace(Scale(2.0 / 3.0)).unwrap()), None);
        assert_eq!(discrete(2.0, 3).partial_cmp(&discrete(1.0, 2)), None);
        let gaussian = |sigma, sensitivity| P::discrete_gaussian(Sigma(sigma), sensitivity).unwrap();
        assert!(gaussian(2.0, 1) < gaussian(2.0, 2));
        assert_eq!(gaussian(3.0, 1).partial_cmp(&gaussian(2.0, 1)), None);
        let response = |epsilon, categories| P::randomized_response(epsilon, categories).unwrap();
        assert!(response(1.0, 4) < pure(1.0) && response(1.0, 4) < response(1.5, 4));
        assert_eq!(response(1.0, 4).partial_cmp(&response(1.5, 5)), None);
        assert!(P::bounded_range(1.0).unwrap() < pure(1.0));
        let on_sample = |sigma, rate| P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap();
        assert!(on_sample(2.0, 0.1) < on_sample(1.0, 0.1) && on_sample(2.0, 0.1) < on_sample(2.0, 0.2));
        assert_eq!(on_sample(2.0, 0.2).partial_cmp(&on_sample(1.0, 0.1)), None);
        let replaced = |sigma| P::poisson_gaussian_replace(Sigma(sigma), Rate(0.1)).unwrap();
        assert_eq!(replaced(2.0).partial_cmp(&replaced(1.0)), None);
        // Else what has a direction is below nothing but itself.
        let sampled = pure(1.0).on_poisson_sample(0.5).unwrap();
        assert_eq!(sampled.partial_cmp(&pure(1.0)), None);
        assert!(sampled <= sampled.clone());
    }

    #[test]
    fn what_is_below_has_nowhere_more_delta() {
        let parts = [
            P::none(),
            P::pure(0.5).unwrap(),
            P::pure(1.0).unwrap(),
            P::approximate(Epsilon(1.0), Delta(1e-3)).unwrap(),
            P::gaussian(Sigma(1.0)).unwrap(),
            P::gaussian(Sigma(2.0)).unwrap(),
        ];
        let mut pairs: Vec<P> = parts.iter().flat_map(|x| parts.iter().map(|y| x.compose(y).unwrap())).collect();
        pairs.extend([
            P::bounded_range(0.5).unwrap(),
            P::bounded_range(2.0).unwrap(),
            P::laplace(Scale(1.0)).unwrap(),
            P::laplace(Scale(2.5)).unwrap(),
            P::laplace(Scale(0.4)).unwrap(),
            P::discrete_laplace(Scale(1.0), 2).unwrap(),
            P::discrete_laplace(Scale(1.5), 2).unwrap(),
            P::discrete_laplace(Scale(1.5), 3).unwrap(),
            P::discrete_gaussian(Sigma(2.0), 1).unwrap(),
            P::discrete_gaussian(Sigma(2.0), 3).unwrap(),
            P::randomized_response(0.5, 3).unwrap(),
            P::randomized_response(0.9, 3).unwrap(),
        ]);
        let mut compared = 0;
        for x in &pairs {
            for y in pairs.iter().filter(|y| x <= y) {
                compared += 1;
                for epsilon in [0.0, 0.7, 1.5] {
                    assert!(x.delta(epsilon).unwrap().lower <= y.delta(epsilon).unwrap().upper, "{x}; {y}");
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }

    /// In either direction.
    #[test]
    fn more_noise_and_smaller_samples_lose_less() {
        let on_sample = |sigma, rate| P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(5).unwrap();
        let laws: Vec<P> = [0.7, 1.0, 3.0].iter().flat_map(|s| [0.01, 0.3, 0.9].map(|q| on_sample(*s, q))).collect();
        let mut compared = 0;
        for x in &laws {
            for y in laws.iter().filter(|y| x < y) {
                compared += 1;
                for (epsilon, direction) in
                    [0.0, 0.3, 2.0].into_iter().flat_map(|e| [Direction::Add, Direction::Remove].map(|d| (e, d)))
                {
                    let delta = |law: &P| law.delta_in(epsilon, direction).unwrap();
                    assert!(delta(x).lower <= delta(y).upper, "{x}; {y}");
                }
            }
        }
        assert_eq!(compared, 27);
    }
}
