//! Renyi differential privacy (RDP).

use super::CompositionMeasure;
use crate::core::{Distance, Fallible, Measure, Parameter, ToParameter, parameter_by_debug};
use indistinct_accounting::RenyiCurve;

/// The Renyi divergences at all orders; the distance is a curve that bounds them, a [`RenyiCurve`].
///
/// Two distributions are c-close if `D_alpha(P || Q) <= c(alpha)` and `D_alpha(Q || P) <= c(alpha)` for every order
/// `alpha > 1` (Mironov 2017, Definition 4). Composition adds curves (Proposition 1 there), also for adaptive choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenyiDivergence;

impl Measure for RenyiDivergence {
    type Distance = RenyiCurve;

    fn describe(&self, curve: &RenyiCurve) -> String {
        format!("Renyi divergence {curve}")
    }

    /// Divergences increase with the order, so the curve is evaluated at the lowest order.
    fn is_infinite(&self, curve: &RenyiCurve) -> Fallible<bool> {
        Ok(curve.at(1f64.next_up())? == f64::INFINITY)
    }
}

impl CompositionMeasure for RenyiDivergence {
    fn compose(&self, curves: &[RenyiCurve]) -> Fallible<RenyiCurve> {
        Ok(RenyiCurve::total(curves)?)
    }

    fn is_concurrent(&self) -> bool {
        true
    }

    fn infinite() -> Fallible<RenyiCurve> {
        Ok(RenyiCurve::concentrated(f64::INFINITY)?)
    }
}

/// A curve is within another if it is known to be nowhere above it.
impl Distance for RenyiCurve {
    fn validate(&self) -> Fallible<()> {
        // A curve that is not one cannot be made.
        Ok(())
    }

    fn is_within(&self, bound: &Self) -> bool {
        self <= bound
    }
}

/// Texts that differ where the guarantees do.
impl ToParameter for RenyiCurve {
    fn to_parameter(&self) -> Parameter {
        format!("{self:#}").to_parameter()
    }
}

parameter_by_debug!(() RenyiDivergence);
