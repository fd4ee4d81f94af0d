//! Many Laplace releases alone, too many for a sum.

use super::{
    contour::Contour,
    exponential::Exponential,
    shape::{Shape, Shapes},
};
use indistinct_numeric::enclosure::{Bounds, Enclosure, Interval};

/// The integral for a sensitivity of `a` scales: one law for either bound, as the scale 1/a is no float, and delta falls in it.
pub(crate) struct ManyLaplace {
    lower: Contour,
    upper: Contour,
}

impl ManyLaplace {
    /// For epsilons near this one. None, where the integrand is not seen to fall.
    pub(crate) fn new((count, a): (u32, f64), epsilon: f64) -> Option<Self> {
        let scale = Interval::<192>::exact(1.0).div(&Interval::exact(a)).bounds();
        let line = |scale: f64| {
            let shapes: &Shapes = &[(Shape::Exponential(Exponential::Laplace { scale }), u64::from(count))];
            (scale > 1e-100 && scale < 1e100).then(|| Contour::new(shapes, epsilon, 0.0))?
        };
        Some(Self { lower: line(scale.upper)?, upper: line(scale.lower)? })
    }

    /// Bounds on delta.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        Bounds { lower: self.lower.delta(epsilon).lower, upper: self.upper.delta(epsilon).upper }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::ExactComposition;

    /// Where there is a sum, it is between these bounds, which are narrow.
    #[test]
    fn the_sum_is_within() {
        for (count, a) in [(100_000, 0.0021), (30_000, 0.007), (10_000, 0.02), (3_000, 0.06), (1_500, 0.12)] {
            let root = f64::from(count).sqrt() * a;
            for deviations in [1.0, 3.0, 5.0, 7.0] {
                let epsilon = root * (root / 2.0 + deviations);
                let (line, sum) = (
                    ManyLaplace::new((count, a), epsilon),
                    ExactComposition::laplace(count, a).unwrap().delta(epsilon).unwrap(),
                );
                let line = line.unwrap().delta(epsilon);
                assert!(sum.upper - sum.lower < 1e-11 * sum.upper, "{count} {a} {epsilon}: {sum:?}");
                assert!(line.lower <= sum.upper && sum.lower <= line.upper, "{count} {a} {epsilon}: {line:?} {sum:?}");
                assert!(line.upper - line.lower < 1e-9 * line.upper, "{count} {a} {epsilon}: {line:?}");
            }
        }
    }

    #[test]
    fn few_or_extreme_ones_have_no_line() {
        for (count, a) in [(2, 0.1), (100, 0.1), (1_000_000, 1e-6), (u32::MAX, 1e-200), (u32::MAX, 1e200)] {
            assert!(ManyLaplace::new((count, a), 0.1).is_none(), "{count} {a}");
        }
    }
}
