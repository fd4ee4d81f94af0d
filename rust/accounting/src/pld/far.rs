//! A composition without what is too far out to matter, and where to integrate it.
//!
//! Losses of Gaussian noise on samples have no end; beyond what counts they only make the moment generating function large, and the period long.

use super::{
    cut::Order,
    saddle::{Plan, estimate, plan},
    sampled_gaussian::SampledGaussian,
    shape::{Shape, Shapes, number},
    table::Looked,
};

/// How much sooner a sharper cut has to end, in logarithms of the densities' ratio, to make up for what it costs on a path.
const WORTH: f64 = 2.0;

/// The laws, of which some have a cut, and a bound on the probability of all that is cut off.
pub(super) struct Far {
    pub(super) shapes: Vec<(Shape, u64)>,
    pub(super) beyond: f64,
}

impl Far {
    /// Without what has a probability of about `e^budget`.
    pub(super) fn new(shapes: &Shapes, budget: f64) -> Self {
        let laws = f64::from(u32::try_from(shapes.len()).unwrap_or(u32::MAX)).max(1.0);
        let mut beyond = 0.0;
        let cut = |(shape, count): &(Shape, u64)| {
            let found = match shape {
                Shape::Sampled(law) => sharpest(law, number(*count), budget - laws.ln()),
                _ => None,
            };
            let Some((law, lost)) = found else { return (shape.clone(), *count) };
            beyond += lost;
            (Shape::Sampled(law), *count)
        };
        let shapes = shapes.iter().map(cut).collect();
        Self { shapes, beyond: beyond * 1.000_001 }
    }

    /// Where to integrate for an epsilon, to a goal; `known` is a number that the logarithm of delta is known to be near or below, or 0.
    pub(super) fn plan(shapes: &Shapes, epsilon: f64, (goal, known): (f64, f64)) -> Option<(Self, Plan)> {
        let mut wanted = if known < 0.0 { known } else { estimate(&Looked::new(shapes), epsilon)?.0 };
        let mut far = Self::new(shapes, wanted - goal - 1.0);
        let mut found = plan(&Looked::new(&far.shapes), epsilon, goal, known)?;
        // What is estimated where large losses are all there is may be far too much.
        for _ in 0..2 {
            if found.estimate >= wanted - 1.0 {
                break;
            }
            wanted = found.estimate;
            far = Self::new(shapes, wanted - goal - 1.0);
            found = plan(&Looked::new(&far.shapes), epsilon, goal, known)?;
        }
        let is_idle = |(shape, _): &(Shape, u64)| !matches!(shape, Shape::Sampled(law) if law.cut.is_some() && !is_idle(law, found.higher));
        found.height =
            Looked::new(&far.shapes).height(found.tilt, goal - found.estimate + found.foot - found.tilt.ln());
        if far.beyond > 0.0 && far.shapes.iter().all(is_idle) {
            far = Self { shapes: shapes.to_vec(), beyond: 0.0 };
        }
        Some((far, found))
    }
}

/// The cut of which less is left far out.
fn sharpest(law: &SampledGaussian, count: f64, budget: f64) -> Option<(SampledGaussian, f64)> {
    let [soft, sharp] = [Order::Soft, Order::Sharp].map(|order| law.without_far(count, budget, order));
    // Where s is some dozens more than the order, next to nothing is left.
    let end = |found: &Option<(SampledGaussian, f64)>, log_mean: f64| {
        found.as_ref().and_then(|(law, _)| law.cut).map_or(f64::INFINITY, |cut| log_mean - cut.shift)
    };
    if end(&sharp, 4.9) + WORTH < end(&soft, 4.1) { sharp } else { soft }
}

/// Whether a cut takes next to nothing off the law at a tilt: its peak is at most `growth` from zero.
fn is_idle(law: &SampledGaussian, tilt: f64) -> bool {
    let mu = 1.0 / law.sigma;
    let peak = law.growth(tilt).1 + 7.0;
    law.cut.is_none_or(|cut| cut.mean(mu * peak - mu * mu / 2.0) < 0.3)
}

#[cfg(test)]
mod tests {
    use super::super::{contour::Contour, gridded::Gridded, law::Direction, tests::shapes};
    use super::*;
    use crate::PrivacyLossDistribution as P;
    use indistinct_numeric::{Rational, enclosure::Bounds};
    use proptest::prelude::*;

    fn agree(x: Bounds, y: Bounds) -> bool {
        x.lower <= y.upper && y.lower <= x.upper
    }

    fn grid(shapes: &Shapes, epsilon: f64) -> Bounds {
        let found = Gridded::new(shapes, epsilon, 0.0).and_then(|gridded| gridded.delta(epsilon));
        found.unwrap_or(Bounds { lower: 0.0, upper: 1.0 })
    }

    /// What is cut off is charged: a twin that forgets it claims too little.
    #[test]
    fn what_is_cut_off_is_charged() {
        let mut caught = false;
        for (sigma, rate, steps, epsilon) in [(0.7, 0.01, 300, 1.0), (1.0, 0.001, 2000, 0.6), (1.0, 0.02, 500, 1.5)] {
            let all = P::poisson_gaussian(sigma, rate).unwrap().repeat(steps).unwrap();
            let shapes = shapes(&all, Direction::Remove);
            let grid = grid(&shapes, epsilon);
            let far = Far::new(&shapes, grid.upper.ln() - 1.0);
            let line = Contour::to((19.0, 4096.0), &far.shapes, epsilon, 0.0).unwrap().delta(epsilon);
            assert!(line.lower <= grid.upper && line.upper + far.beyond >= grid.lower, "{line:?} {grid:?}");
            assert!(far.beyond > 0.0 && far.beyond < grid.upper, "{:e}", far.beyond);
            let whole = Contour::to((19.0, 4096.0), &shapes, epsilon, 0.0).unwrap().delta(epsilon);
            caught |= line.upper < whole.lower;
            assert!(agree(whole, grid) && whole.upper - whole.lower < 1e-4 * whole.upper, "{whole:?} {grid:?}");
        }
        assert!(caught);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn lines_agree_with_a_grid(
            sigma in 0.5f64..3.0, rate in -4.0f64..-1.0, expected in -0.5f64..1.5, share in 0.1f64..6.0, replace: bool,
        ) {
            let rate = 10f64.powf(rate);
            let steps = (10f64.powf(expected) / rate).ceil();
            let one = if replace { P::poisson_gaussian_replace(sigma, rate) } else { P::poisson_gaussian(sigma, rate) };
            let shapes = shapes(&one.unwrap().repeat(Rational::from_f64(steps).unwrap().numer().to_u64().unwrap()).unwrap(), Direction::Remove);
            let epsilon = share * rate * (1.0 / sigma).exp() * steps.sqrt();
            if let Some(line) = Contour::to((19.0, 4096.0), &shapes, epsilon, 0.0) {
                let (bounds, grid) = (line.delta(epsilon), grid(&shapes, epsilon));
                prop_assert!(agree(bounds, grid), "{:?} {:?}", bounds, grid);
            }
        }
    }
}
