//! Families whose composition is known exactly.

use crate::{
    composition::{ClosedForm, check},
    error::{Fallible, non_negative, probability_of_failure},
    pld::{laplace_delta_bounds, laplace_epsilon_bounds},
    units::{Epsilon, Mu},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath, enclosure::Bounds};

/// The privacy of many mechanisms together, where a closed form or a finite sum gives it exactly: as bounds on either
/// side of the true value.
///
/// | made by | mechanisms | how |
/// |---|---|---|
/// | [`gaussian`](Self::gaussian) | Gaussian noise, many times | one Gaussian with the root of `count` times the mu |
/// | [`laplace`](Self::laplace) | Laplace noise, many times | a sum of B-splines, or an integral |
/// | [`pure`](Self::pure) | any epsilon-DP ones; randomized response attains it | a binomial sum |
/// | [`approximate`](Self::approximate) | any (epsilon, delta)-DP ones, not all alike | a sum over combinations |
///
/// Bounds on delta are within 1e-12 of each other, relatively, where delta is between 1e-100 and 1 (of unlike
/// mechanisms with more than 16,384 combinations and members of the largest group they may be wider, if losses cancel).
/// For Laplace noise that holds for up to 48 releases, and for more as long as a sum does: up to some 10,000 releases
/// or more whose greatest losses add up to 100. Beyond, an integral gives them to between 1e-12 and 1e-5; where not
/// even that does (from 49 up to some 250 releases whose greatest losses add up to more than 140, at an epsilon near
/// that; billions of releases with a loss of a few hundred at most) they are wider, down to a lower bound of 0, and
/// still true. Those on epsilon are as near as delta's slope allows, or a share of 1e-12.
///
/// One delta takes a microsecond for Gaussian noise, and for the others from one up to fifty for counts up to 10,000;
/// an epsilon takes two to four deltas where that is long. Up to 48 Laplace releases of great losses (more than 30 to
/// 80 scales) take 0.1 ms to 0.15 s, and their epsilons up to 0.4 s; unlike mechanisms whose losses cancel, up to
/// seconds. All hold adaptively.
///
/// ```
/// use indistinct_accounting::{Epsilon, ExactComposition};
/// let releases = ExactComposition::laplace(100, Epsilon(0.05))?;
/// let delta = releases.delta(1.5)?;
/// assert!(delta.lower <= delta.upper && delta.upper - delta.lower < 1e-12 * delta.upper);
/// assert!(delta.upper < ExactComposition::pure(100, 0.05)?.delta(1.5)?.lower);
/// let epsilon = releases.epsilon(delta.upper)?;
/// assert!(epsilon.lower <= 1.5 && epsilon.upper < 1.5000001);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ExactComposition(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    ClosedForm(ClosedForm),
    Laplace(u32, f64),
}

impl ExactComposition {
    /// `count` releases with Gaussian noise of standard deviation sensitivity / mu each. Error: mu negative or not a
    /// number.
    ///
    /// Source: Dong, Roth, Su 2019, Corollary 3.3; Balle, Wang 2018, Theorem 8.
    pub fn gaussian(count: u32, Mu(mu): Mu) -> Fallible<Self> {
        let mu = non_negative(mu, "mu")?;
        let count = f64::from(count);
        if count == 0.0 {
            return Ok(Self(Kind::ClosedForm(ClosedForm::gaussian_between(0.0, 0.0)?)));
        }
        let root = (count.neg_inf_sqrt()?, count.inf_sqrt()?);
        Ok(Self(Kind::ClosedForm(ClosedForm::gaussian_between(root.0.neg_inf_mul(mu)?, root.1.inf_mul(mu)?)?)))
    }

    /// `count` releases with Laplace noise of scale sensitivity / epsilon each. Error: epsilon negative or not a
    /// number.
    pub fn laplace(count: u32, Epsilon(epsilon): Epsilon) -> Fallible<Self> {
        Ok(Self(Kind::Laplace(count, non_negative(epsilon, "epsilon")?)))
    }

    /// `count` mechanisms that are epsilon-DP each: randomized response is the worst of them. Error: epsilon negative
    /// or not a number.
    ///
    /// Source: Kairouz, Oh, Viswanath 2015, Theorem 3.3.
    pub fn pure(count: u32, epsilon: f64) -> Fallible<Self> {
        Ok(Self(Kind::ClosedForm(ClosedForm::Pure(check((count, epsilon, 0.0))?))))
    }

    /// Mechanisms that are (epsilon, delta)-DP, given as (how many, epsilon, delta). Errors: an epsilon or a delta that
    /// is negative or not a number, a delta above 1. `delta` and `epsilon` refuse more than 2^18 combinations of losses
    /// of all but the largest group of equal epsilons, and more than 65,536 members of the largest where it is not the
    /// only one.
    ///
    /// Source: Murtagh, Vadhan 2018, "The complexity of computing the optimal composition of differential privacy",
    /// Theorem 1.5.
    pub fn approximate(parts: &[(u32, f64, f64)]) -> Fallible<Self> {
        Ok(Self(Kind::ClosedForm(ClosedForm::approximate(parts)?)))
    }

    /// Bounds on the smallest delta such that all together are (epsilon, delta)-DP. Error: epsilon negative or not a
    /// number.
    pub fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        match &self.0 {
            Kind::ClosedForm(closed) => closed.delta(epsilon),
            Kind::Laplace(count, own) => laplace_delta_bounds(*count, *own, epsilon),
        }
    }

    /// Bounds on the smallest epsilon such that all together are (epsilon, delta)-DP; both infinite, if there is none.
    /// Error: a delta that is not from 0 to 1.
    pub fn epsilon(&self, delta: f64) -> Fallible<Bounds> {
        let delta = probability_of_failure(delta, "delta")?;
        match &self.0 {
            Kind::ClosedForm(closed) => closed.epsilon(delta),
            Kind::Laplace(..) if delta >= 1.0 => Ok(Bounds { lower: 0.0, upper: 0.0 }),
            Kind::Laplace(count, own) => laplace_epsilon_bounds(*count, *own, delta),
        }
    }
}
