//! One call for a mechanism of one's own.

use crate::{
    claim::Claims,
    exact::exact,
    key::{Key, Seen},
    metric::Measured,
    report::{Report, Verdict},
    statistical::{Effort, View, statistical},
    tape::Probing,
};
use indistinct::{
    core::Owned,
    prelude::{Domain, Measurement},
};
use std::fmt::Debug;

/// Check a measurement's map on some inputs, by all means there are: its laws by running it on all bits that matter and, where that
/// leaves more than one part in 1,000 undecided, by draws.
///
/// Choose inputs that are close under the measurement's metric and as different in their effect as the map allows: all of a toy
/// domain, the ends of each bound, floats at powers of two.
///
/// ```
/// use indistinct::{prelude::*, sampling::{Entropy, bernoulli}};
/// use indistinct_audit::{check, tape::Probing, statistical::Effort};
/// let mine = make_user_measurement(
///     AtomDomain::bool(),
///     DiscreteDistance,
///     MaxDivergence,
///     |bit: &bool, entropy: &mut dyn Entropy| Ok(bernoulli(0.75, entropy)? == *bit),
///     |d_in: &u32| Ok(f64::from(*d_in)), // should be ln(3)
/// )?;
/// let report = check(&mine, &[true, false], Probing::default(), &[], &Effort::default());
/// assert!(report.is_violated());
/// println!("{report}");
/// # Ok::<(), Error>(())
/// ```
///
/// # Parameters
///
/// - `inputs`: every ordered pair of them is compared.
/// - `probing`: how finely bits are tried; the default for most.
/// - `views`: ways to look at an outcome for draws, besides as it is: for floats, [`last_digits`] among them.
/// - `effort`: draws, confidence, threads, progress.
pub fn check<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    inputs: &[Owned<DI>],
    probing: Probing,
    views: &[View],
    effort: &Effort,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    /// Runs that the first attempt may take at each input: a function with too much randomness is left to draws.
    const RUNS: u64 = 200_000;
    let first = exact(measurement, inputs, Probing { runs: probing.runs.min(RUNS), ..probing });
    match first.verdict {
        Verdict::Violated { .. } | Verdict::Holds => return first,
        Verdict::Undecided { mass } if mass < 1e-3 => return first,
        _ => {}
    }
    let pairs: Vec<(Owned<DI>, Owned<DI>)> = inputs
        .iter()
        .enumerate()
        .flat_map(|(position, x)| inputs.iter().skip(position + 1).map(move |y| (x.clone(), y.clone())))
        .collect();
    let same: View = &Key::clone;
    let views: Vec<View> = std::iter::once(same).chain(views.iter().copied()).collect();
    first.and(statistical(measurement, &pairs, &views, effort))
}

/// The view of a float by the exponent of its last digit, see [`last_digit`](crate::key::last_digit).
pub fn last_digits(outcome: &Key) -> Key {
    match outcome {
        Key::Bits(bits) => Key::Number(crate::key::last_digit(f64::from_bits(*bits)).into()),
        Key::List(parts) => Key::List(parts.iter().map(last_digits).collect()),
        other => other.clone(),
    }
}

/// The view of a float by which of some cells it lies in: how many of the ends are at most the number.
pub fn cells(ends: Vec<f64>) -> impl Fn(&Key) -> Key + Sync {
    move |outcome| match outcome {
        Key::Bits(bits) => {
            let x = f64::from_bits(*bits);
            ends.iter().filter(|end| **end <= x).count().key()
        }
        other => other.clone(),
    }
}
