//! A question in the measure of an account.

use crate::{
    error::{Fallible, refuse},
    question::Question,
};
use indistinct::{
    core::{Error, ErrorKind},
    measures::{Approximate, MaxDivergence, RenyiDivergence, ZeroConcentratedDivergence},
};
use indistinct_ledger::{Amount, Loss, Measure};

/// Returns the question in the account's measure, and the bound on its loss at a distance, both from its measurement.
/// The bound is exactly the floats that the map returned.
pub(crate) fn in_measure<Q: Question>(question: &Q, measure: Measure, d_in: u32) -> Fallible<(Q, Loss)> {
    let exact = Amount::exact;
    match measure {
        Measure::Epsilon => {
            let question = question.in_measure::<MaxDivergence>()?;
            let epsilon = question.measurement().adaptive_loss::<MaxDivergence>(d_in)?;
            Ok((question, Loss::epsilon(exact(epsilon)?)?))
        }
        Measure::EpsilonDelta => {
            let question = question.in_measure::<Approximate<MaxDivergence>>()?;
            let (epsilon, delta) = question.measurement().adaptive_loss::<Approximate<MaxDivergence>>(d_in)?;
            Ok((question, Loss::epsilon_delta(exact(epsilon)?, exact(delta)?)?))
        }
        Measure::Rho => {
            let question = question.in_measure::<ZeroConcentratedDivergence>()?;
            let rho = question.measurement().adaptive_loss::<ZeroConcentratedDivergence>(d_in)?;
            Ok((question, Loss::rho(exact(rho)?)?))
        }
        Measure::Renyi { order } => {
            let question = question.in_measure::<RenyiDivergence>()?;
            let curve = question.measurement().adaptive_loss::<RenyiDivergence>(d_in)?;
            let divergence = curve.at(order.value()).map_err(Error::from)?;
            Ok((question, Loss::renyi(order.value(), exact(divergence)?)?))
        }
        _ => Err(no_measurements()),
    }
}

/// Returns the question as it is, and its loss at a distance in its own measure: the first measure to which it
/// converts.
pub(crate) fn as_asked<Q: Question>(question: &Q, d_in: u32) -> Fallible<(Q, Loss)> {
    for measure in [Measure::Epsilon, Measure::EpsilonDelta, Measure::Rho] {
        match in_measure(question, measure, d_in) {
            Err(crate::Error::Measurement(error)) if error.kind() == ErrorKind::Mismatch => {}
            priced => return priced,
        }
    }
    let measure = question.measurement().measure();
    let rule = "can be priced only with a ledger, for an account in its measure";
    Err(refuse(format!("a question in {measure} {rule}")))
}

/// Checks the numbers of a session's measure.
pub(crate) fn check(measure: Measure) -> Fallible<()> {
    match measure {
        Measure::Epsilon | Measure::EpsilonDelta | Measure::Rho | Measure::Renyi { .. } => Ok(()),
        _ => Err(no_measurements()),
    }
}

fn no_measurements() -> crate::Error {
    refuse("the account of a session must be in epsilon, epsilon and delta, rho, or Renyi divergences at one order")
}
