//! Bounds on a composition with samples of fixed size beside those of the grid: from below, the same on Poisson
//! samples; from above, its Renyi divergences.
use crate::{
    pld::{
        distribution::PrivacyLossDistribution,
        integrate::walk::ANYTHING,
        loss::{direction::Direction, pair::DominatingPair},
    },
    renyi::RenyiCurve,
    units::{Rate, Sigma},
};
use indistinct_numeric::enclosure::Bounds;

/// Bounds as near as this, relatively, need no others.
const NEAR: f64 = 1e-6;

pub(crate) struct FixedSize {
    /// With Poisson samples in place of those of fixed size.
    less: PrivacyLossDistribution,
    curve: Option<RenyiCurve>,
}

impl FixedSize {
    /// None without such samples, and where the bounds are near.
    pub(crate) fn of(laws: &[(DominatingPair, u64)], known: Bounds) -> Option<Self> {
        let is_fixed = |law: &DominatingPair| matches!(law, DominatingPair::FixedSizeGaussian { .. });
        if known.upper - known.lower <= NEAR * known.upper || !laws.iter().any(|(law, _)| is_fixed(law)) {
            return None;
        }
        let less = laws.iter().map(|(law, count)| {
            let law = match law {
                DominatingPair::FixedSizeGaussian { sigma, rate } => {
                    DominatingPair::PoissonGaussian { sigma: *sigma, rate: *rate, replace: false }
                }
                other => other.clone(),
            };
            (law, *count)
        });
        let curves = laws.iter().map(|(law, count)| curve(law)?.repeat(u32::try_from(*count).ok()?).ok());
        let curve = curves.collect::<Option<Vec<_>>>().and_then(|curves| RenyiCurve::total(&curves).ok());
        Some(Self { less: PrivacyLossDistribution::of_laws(less.collect()), curve })
    }

    /// On delta.
    pub(crate) fn delta(&self, epsilon: f64, known: Bounds) -> Bounds {
        let lower = self.less.delta_in_direction(epsilon, Direction::Remove).lower;
        let upper = self.curve.as_ref().and_then(|curve| curve.delta(epsilon).ok()).unwrap_or(ANYTHING.upper);
        Bounds { lower: known.lower.max(lower), upper: known.upper.min(upper) }
    }

    /// On epsilon.
    pub(crate) fn epsilon(&self, delta: f64, known: Bounds) -> Bounds {
        let lower = self.less.epsilon_in_direction(delta, Direction::Remove).map_or(0.0, |bounds| bounds.lower);
        let upper = self.curve.as_ref().and_then(|curve| curve.epsilon(delta).ok()).unwrap_or(f64::INFINITY);
        Bounds { lower: known.lower.max(lower), upper: known.upper.min(upper) }
    }
}

/// A mechanism's curve, where it has one.
fn curve(law: &DominatingPair) -> Option<RenyiCurve> {
    let curve = match law {
        DominatingPair::Gaussian(sigma) => RenyiCurve::sampled_gaussian(Sigma(*sigma), Rate(1.0)),
        DominatingPair::FixedSizeGaussian { sigma, rate } => {
            RenyiCurve::fixed_size_gaussian(Sigma(*sigma), Rate(*rate))
        }
        // The pair of a range dominates all mechanisms of that range in composition, and loses more than any of them:
        // their zCDP is not its own.
        DominatingPair::Pure(epsilon)
        | DominatingPair::RandomizedResponse { epsilon, .. }
        | DominatingPair::BoundedRange(epsilon) => RenyiCurve::pure(*epsilon),
        DominatingPair::Discrete(weights) => RenyiCurve::discrete(weights.clone()),
        _ => return None,
    };
    curve.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Mu, Scale};

    type P = PrivacyLossDistribution;

    /// A vector of bounds that crossed: the zCDP of mechanisms of a range, 0.0057, stood beside the delta of their
    /// pair.
    #[test]
    fn ranges_beside_a_sample_lose_no_less_than_ranges_alone() {
        let ranges = P::bounded_range(0.003).unwrap().repeat(1_000_000).unwrap();
        let sample = P::fixed_size_gaussian(Sigma(1.0), Rate(1e-13)).unwrap();
        let (alone, both) = (ranges.delta(5.0).unwrap(), ranges.compose(&sample).unwrap().delta(5.0).unwrap());
        assert!(alone.lower > 0.0086 && alone.upper < 0.0087, "{alone:?}");
        assert!(both.upper >= alone.lower && both.lower <= both.upper, "{alone:?} {both:?}");
    }

    /// Vectors of a looseness: the grid knew next to nothing, and what it said of epsilon and of delta did not agree.
    #[test]
    fn never_above_the_divergences_nor_below_a_poisson_sample() {
        for (sigma, rate, steps, delta) in
            [(1.0, 0.01, 100_000, 1e-6), (5.144, 0.0325, 667_923, 1e-6), (2.0, 0.1, 1000, 1e-9), (1.0, 0.01, 100, 1e-6)]
        {
            let all = P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
            let bounds = all.epsilon(delta).unwrap();
            let steps = u32::try_from(steps).unwrap();
            let curve = RenyiCurve::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
            let any = RenyiCurve::gaussian(Mu(1.0 / sigma)).unwrap().sampled_without_replacement(rate, 256).unwrap();
            let (own, any) = (curve.epsilon(delta).unwrap(), any.repeat(steps).unwrap().epsilon(delta).unwrap());
            let poisson = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps.into()).unwrap();
            let name = format!("{sigma} {rate} {steps}: {bounds:?} {own} {any}");
            assert!(bounds.upper <= own && own < any, "{name}");
            assert!(bounds.lower >= poisson.epsilon(delta).unwrap().lower * (1.0 - 1e-9), "{name}");
            assert!(bounds.upper < 2.5 * bounds.lower, "{name}");
            let (near, far) = (all.delta(bounds.lower).unwrap(), all.delta(bounds.upper).unwrap());
            assert!(near.upper >= delta && far.lower <= delta, "{name}: {near:?} {far:?}");
        }
    }

    /// The grid's bounds and these overlap, beside other mechanisms too.
    #[test]
    fn both_hold() {
        let one = P::fixed_size_gaussian(Sigma(1.5), Rate(0.05)).unwrap().repeat(40).unwrap();
        for other in
            [P::none(), P::gaussian(Sigma(6.0)).unwrap(), P::pure(0.1).unwrap(), P::laplace(Scale(9.0)).unwrap()]
        {
            let all = one.compose(&other).unwrap();
            let fixed = FixedSize::of(all.laws(), ANYTHING).unwrap();
            for epsilon in [0.2, 1.0, 3.0] {
                let (grid, other) =
                    (all.delta_in_direction(epsilon, Direction::Remove), fixed.delta(epsilon, ANYTHING));
                assert!(other.lower <= grid.upper && grid.lower <= other.upper, "{all} {epsilon}: {grid:?} {other:?}");
            }
        }
        assert!(FixedSize::of(P::gaussian(Sigma(1.0)).unwrap().laws(), ANYTHING).is_none());
    }
}
