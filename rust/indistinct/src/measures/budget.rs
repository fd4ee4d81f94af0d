//! Measures whose losses can be charged to a budget as they are chosen.

use super::{
    AdaptiveMeasure, AdditiveMeasure, Approximate, GaussianDivergence, MaxDivergence, RenyiCurve, RenyiDivergence,
    ZeroConcentratedDivergence,
    additive::{exact_units, float},
};
use crate::core::{Error, Fallible, Measure, Sealed};
use indistinct_numeric::{Rounding, gmp::Integer};

/// Measures under which a budget that is fixed in advance holds for releases whose losses are chosen adaptively, after
/// seeing earlier releases (fully adaptive composition).
///
/// | measure | what adds up | source |
/// |---|---|---|
/// | [`MaxDivergence`], [`Approximate`] of it | epsilon, and delta | Rogers, Roth, Ullman, Vadhan 2016 |
/// | [`ZeroConcentratedDivergence`] | rho | Feldman, Zrnic 2021 |
/// | [`RenyiDivergence`] | the divergence at each order of the budget | Feldman, Zrnic 2021; Lécuyer 2021 |
/// | [`GaussianDivergence`] | the square of mu | Smith, Thakurta 2022 |
#[diagnostic::on_unimplemented(
    message = "no rule is known for a budget under `{Self}` with losses that are chosen adaptively",
    label = "declare the losses in advance with `make_adaptive_composition`",
    note = "convert the losses of steps to Renyi divergences with `make_PLD_to_RDP`, which can have a budget"
)]
#[allow(private_bounds)]
pub trait BudgetMeasure: Sealed + AdaptiveMeasure {
    /// Returns the amount of a budget that a loss takes: its additive numbers, as exact multiples of a smallest unit;
    /// `None` if one is infinite. Returns an error if no such budget can be kept.
    #[doc(hidden)]
    fn taken(
        loss: &<Self as Measure>::Distance,
        budget: &<Self as Measure>::Distance,
    ) -> Fallible<Option<Vec<Integer>>>;
    /// Returns the smallest loss that takes at least this amount of a budget.
    #[doc(hidden)]
    fn at_least(taken: &[Integer], budget: &<Self as Measure>::Distance) -> Fallible<<Self as Measure>::Distance>;
    /// Returns the largest loss that takes at most this amount of a budget.
    #[doc(hidden)]
    fn at_most(taken: &[Integer], budget: &<Self as Measure>::Distance) -> Fallible<<Self as Measure>::Distance>;
}

/// The loss itself adds up.
macro_rules! as_it_is {
    ($($measure:ty),+) => {$(
        impl BudgetMeasure for $measure {
            fn taken(loss: &Self::Distance, _: &Self::Distance) -> Fallible<Option<Vec<Integer>>> {
                Self::exact(loss)
            }

            fn at_least(taken: &[Integer], _: &Self::Distance) -> Fallible<Self::Distance> {
                Self::rounded_up(taken)
            }

            fn at_most(taken: &[Integer], _: &Self::Distance) -> Fallible<Self::Distance> {
                Self::rounded_down(taken)
            }
        }
    )+};
}

as_it_is!(MaxDivergence, Approximate<MaxDivergence>, ZeroConcentratedDivergence);

/// Adds the divergences at the orders of the budget, in multiples of the smallest float.
impl BudgetMeasure for RenyiDivergence {
    fn taken(loss: &RenyiCurve, budget: &RenyiCurve) -> Fallible<Option<Vec<Integer>>> {
        orders(budget)?.map(|order| exact_units(loss.at(order)?)).collect()
    }

    fn at_least(taken: &[Integer], budget: &RenyiCurve) -> Fallible<RenyiCurve> {
        points(taken, budget, Rounding::Up)
    }

    fn at_most(taken: &[Integer], budget: &RenyiCurve) -> Fallible<RenyiCurve> {
        points(taken, budget, Rounding::Down)
    }
}

fn orders(budget: &RenyiCurve) -> Fallible<impl Iterator<Item = f64>> {
    let rule = "must be a curve at a list of orders: `RenyiCurve::at_orders` converts any curve";
    let points = budget.points().ok_or_else(|| Error::parameter("budget", rule))?;
    Ok(points.into_iter().map(|(order, _)| order))
}

fn points(taken: &[Integer], budget: &RenyiCurve, rounding: Rounding) -> Fallible<RenyiCurve> {
    let bounds = orders(budget)?.zip(taken).map(|(order, taken)| Ok((order, float(Some(taken), rounding)?)));
    Ok(RenyiCurve::from_points(bounds.collect::<Fallible<_>>()?)?)
}

/// Adds squares of mu, in multiples of the square of the smallest float.
impl BudgetMeasure for GaussianDivergence {
    fn taken(mu: &f64, _: &f64) -> Fallible<Option<Vec<Integer>>> {
        Ok(exact_units(*mu)?.map(|mu| vec![mu.square()]))
    }

    fn at_least(taken: &[Integer], _: &f64) -> Fallible<f64> {
        let square = taken.first().cloned().unwrap_or_default();
        let root = Integer::from(square.sqrt_ref());
        let is_root = Integer::from(root.square_ref()) == square;
        float(Some(&if is_root { root } else { root + 1 }), Rounding::Up)
    }

    fn at_most(taken: &[Integer], _: &f64) -> Fallible<f64> {
        float(Some(&taken.first().cloned().unwrap_or_default().sqrt()), Rounding::Down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{measures::CompositionMeasure, prelude::*};
    use proptest::prelude::*;

    fn taken(mu: f64) -> Vec<Integer> {
        GaussianDivergence::taken(&mu, &1.0).unwrap().unwrap()
    }

    #[test]
    fn squares_of_mu_add_up_and_come_back() {
        let sum = |mus: &[f64]| vec![mus.iter().flat_map(|mu| taken(*mu)).sum::<Integer>()];
        let both = |mus: &[f64]| {
            let all = sum(mus);
            (GaussianDivergence::at_least(&all, &1.0).unwrap(), GaussianDivergence::at_most(&all, &1.0).unwrap())
        };
        assert_eq!((both(&[3.0, 4.0]), both(&[]), both(&[5e-324])), ((5.0, 5.0), (0.0, 0.0), (5e-324, 5e-324)));
        // The root of 2 lies between floats, and that of two squares of the least float between it and twice it.
        let root = 2f64.sqrt();
        assert_eq!(both(&[1.0, 1.0]), (root, root.next_down()));
        assert_eq!(both(&[5e-324; 2]), (1e-323, 5e-324));
        assert_eq!(both(&[f64::MAX; 2]), (f64::INFINITY, f64::MAX));
        assert_eq!(GaussianDivergence::taken(&f64::INFINITY, &1.0), Ok(None));
    }

    proptest! {
        #[test]
        fn what_a_mu_takes_is_it_again(mu in prop_oneof![0.0f64..10.0, any::<u64>().prop_map(|bits| f64::from_bits(bits >> 1))]) {
            prop_assume!(mu.is_finite());
            prop_assert_eq!(GaussianDivergence::at_least(&taken(mu), &1.0), Ok(mu));
            prop_assert_eq!(GaussianDivergence::at_most(&taken(mu), &1.0), Ok(mu));
            // One unit more needs the next float, and with one less the float before remains.
            let (more, less) = (vec![Integer::from(&taken(mu)[0] + 1)], vec![Integer::from(&taken(mu)[0] - 1)]);
            prop_assert_eq!(GaussianDivergence::at_least(&more, &1.0), Ok(mu.next_up()));
            if mu > 0.0 {
                prop_assert_eq!(GaussianDivergence::at_most(&less, &1.0), Ok(mu.next_down()));
            }
        }
    }

    #[test]
    fn curves_are_read_at_the_orders_of_the_budget() {
        let budget = RenyiCurve::from_points(vec![(2.0, 1.0), (8.0, 4.0)]).unwrap();
        let line = RenyiCurve::concentrated(0.1).unwrap();
        let read = RenyiDivergence::taken(&line, &budget).unwrap().unwrap();
        let (up, down) = (RenyiDivergence::at_least(&read, &budget), RenyiDivergence::at_most(&read, &budget));
        assert_eq!((up.clone(), down), (line.at_orders(&[2.0, 8.0]).map_err(Error::from), up));
        assert_eq!(RenyiDivergence::taken(&RenyiDivergence::infinite().unwrap(), &budget), Ok(None));
        // A bound at a greater order holds at the lesser ones.
        let falling = RenyiCurve::from_points(vec![(2.0, 5.0), (8.0, 1.0)]).unwrap();
        let limit = RenyiDivergence::taken(&falling, &falling).unwrap().unwrap();
        assert_eq!(RenyiDivergence::at_most(&limit, &falling).unwrap().points(), Some(vec![(2.0, 1.0), (8.0, 1.0)]));
        for curve in [line, RenyiCurve::pure(1.0).unwrap(), budget.repeat(2).unwrap()] {
            assert_eq!(RenyiDivergence::taken(&budget, &curve).unwrap_err().kind(), ErrorKind::Parameter("budget"));
        }
    }
}
