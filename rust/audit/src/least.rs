//! The least losses that draws show: lower bounds on epsilon, delta, rho and mu, without a claim to compare them with.

use crate::{
    counts::{Counts, View, seen_by},
    key::Key,
    law::binary_renyi,
    mass::float,
    report::Report,
    statistical::{Effort, clopper_pearson, events, hits, sample},
    views::automatic,
};
use indistinct::{prelude::Error, sampling::Entropy};
use statrs::distribution::{ContinuousCDF, Normal};

/// Lower bounds on the privacy losses between two inputs, all of which hold with the stated confidence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LeastLosses {
    /// No smaller epsilon does, beside the delta that was asked about.
    pub epsilon: f64,
    /// No smaller delta does, beside the epsilon that was asked about.
    pub delta: f64,
    /// No smaller rho does (zero-concentrated divergence).
    pub rho: f64,
    /// No smaller mu does (Gaussian divergence).
    pub mu: f64,
}

impl LeastLosses {
    /// Of an event that has a probability of at least `p` at one input and of at most `q` at the other.
    fn of(p: f64, q: f64, (epsilon, delta): (f64, f64)) -> Self {
        /// Orders less one, of which the best is taken.
        const ORDERS: [f64; 12] = [1e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];
        if p <= q {
            return Self::default();
        }
        let rho = ORDERS.iter().map(|t| 1.0 + t).map(|alpha| binary_renyi(p, q, alpha) / alpha);
        // A quantile is as good as its algorithm: nine digits are asked for.
        let quantile = |x: f64| Normal::standard().inverse_cdf(x);
        let mu = quantile(p) - quantile(q);
        Self {
            epsilon: if p > delta { ((p - delta) / q).ln().max(0.0) } else { 0.0 },
            delta: (p - epsilon.exp() * q).max(0.0),
            rho: rho.fold(0.0, f64::max),
            mu: (mu - 1e-9 * (1.0 + mu.abs())).max(0.0),
        }
    }

    fn greater(self, other: Self) -> Self {
        Self {
            epsilon: self.epsilon.max(other.epsilon),
            delta: self.delta.max(other.delta),
            rho: self.rho.max(other.rho),
            mu: self.mu.max(other.mu),
        }
    }
}

/// The least losses between two inputs that draws show: events are chosen on one half of the draws, in each way to look
/// at an outcome, and counted on the other (Clopper, Pearson 1934). All bounds hold together with a probability of at
/// least `effort.confidence`.
///
/// ```
/// use indistinct::{prelude::*, sampling::{Entropy, bernoulli}};
/// use indistinct_audit::{least_losses, statistical::Effort, Key, Seen};
/// let response = |bit: &bool, entropy: &mut dyn Entropy| -> Fallible<Key> { Ok((bernoulli(0.75, entropy)? == *bit).key()) };
/// let least = least_losses(&response, (&true, &false), (0.5, 1e-6), &[], &Effort::default()).unwrap();
/// assert!(1.0 < least.epsilon && least.epsilon < 3f64.ln());
/// # Ok::<(), Error>(())
/// ```
///
/// # Parameters
///
/// - `run`: an outcome for an input, on some bits.
/// - `given`: the epsilon, in nats, at which the least delta is reported, and the delta at which the least epsilon is.
/// - `views`: ways to look at an outcome, besides as it is and those that suit numbers and lists.
///
/// # Errors
///
/// A report instead of bounds, that a run fails, or that nothing follows from such an effort.
pub fn least_losses<X: Sync>(
    run: &(dyn Fn(&X, &mut dyn Entropy) -> Result<Key, Error> + Sync),
    (x, y): (&X, &X),
    given: (f64, f64),
    views: &[View],
    effort: &Effort,
) -> Result<LeastLosses, Box<Report>> {
    const KIND: &str = "statistical";
    if let Some(defect) = effort.defect() {
        return Err(Box::new(Report::untested(KIND, defect)));
    }
    let drawn = |x: &X, stream: u64| {
        sample(run, x, stream, effort).map_err(|error| Report::violated(KIND, format!("a run fails: {error}")))
    };
    let (at_x, at_y) = (drawn(x, 0)?, drawn(y, 1)?);
    let own = automatic(&[&at_x[0], &at_y[0]]);
    let same: View = &Key::clone;
    let all: Vec<View> =
        std::iter::once(same).chain(views.iter().copied()).chain(own.iter().map(|view| -> View { view })).collect();
    let mut least = LeastLosses::default();
    let mut chosen: Vec<([Counts; 2], Vec<Vec<Key>>)> = Vec::new();
    for (one, other) in [(&at_x, &at_y), (&at_y, &at_x)] {
        for view in &all {
            let [train_p, test_p] = one.each_ref().map(|counts| seen_by(*view, counts));
            let [train_q, test_q] = other.each_ref().map(|counts| seen_by(*view, counts));
            chosen.extend(events(&train_p, &train_q).map(|events| ([test_p, test_q], events)));
        }
    }
    // Each event has two bounds.
    let tests: usize = chosen.iter().map(|(_, events)| 2 * events.len()).sum();
    let miss = (1.0 - effort.confidence) / float(u64::try_from(tests).unwrap_or(u64::MAX)).max(1.0);
    for ([p, q], events) in &chosen {
        for event in events {
            let low = clopper_pearson(hits(p, event), p.values().sum(), miss).0;
            let high = clopper_pearson(hits(q, event), q.values().sum(), miss).1;
            least = least.greater(LeastLosses::of(low, high, given));
        }
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Seen;
    use indistinct::prelude::*;

    #[test]
    fn losses_of_known_mechanisms_are_approached_from_below() {
        let effort = Effort::default();
        // Gaussian noise: mu = 1, rho = 1/2, delta = 0.1269 at epsilon 1.
        let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 1.0).unwrap();
        let run = |x: &f64, entropy: &mut dyn Entropy| Ok(gaussian.invoke_with(x, entropy)?.key());
        let least = least_losses(&run, (&0.0, &1.0), (1.0, 1e-5), &[], &effort).unwrap();
        assert!((0.9..1.0).contains(&least.mu), "{least:?}");
        assert!((0.28..0.5).contains(&least.rho), "{least:?}");
        assert!((0.1..0.12694).contains(&least.delta), "{least:?}");
        assert!((1.5..4.38).contains(&least.epsilon), "{least:?}");
        // Laplace noise: epsilon 1/2.
        let laplace = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 2.0).unwrap();
        let run = |x: &f64, entropy: &mut dyn Entropy| Ok(laplace.invoke_with(x, entropy)?.key());
        let least = least_losses(&run, (&0.0, &1.0), (0.5, 0.0), &[], &effort).unwrap();
        assert!((0.45..0.5).contains(&least.epsilon) && least.delta == 0.0, "{least:?}");
        // Nothing is lost between equal inputs.
        let none = least_losses(&run, (&1.0, &1.0), (0.0, 0.0), &[], &effort).unwrap();
        assert_eq!(none, LeastLosses::default());
        let nan = Effort { confidence: f64::NAN, ..effort };
        assert!(least_losses(&run, (&0.0, &1.0), (0.0, 0.0), &[], &nan).is_err());
    }

    #[test]
    fn bounds_of_an_event() {
        let least = LeastLosses::of(0.75, 0.25, (0.0, 0.25));
        assert!((least.epsilon - 2f64.ln()).abs() < 1e-15 && least.delta == 0.5);
        // 2 * 0.6744897501960817.
        assert!((least.mu - 1.348_979_500_392_163).abs() < 1e-8 && least.mu < 1.348_979_500_392_163);
        assert!(least.rho > 0.25 && least.rho < 0.75 * 3f64.ln());
        assert_eq!(LeastLosses::of(0.25, 0.75, (0.0, 0.0)), LeastLosses::default());
        assert_eq!(LeastLosses::of(0.5, 0.0, (0.0, 0.0)).epsilon, f64::INFINITY);
    }
}
