//! (epsilon, delta) from a curve: the bound of Canonne, Kamath, Steinke 2020, Proposition 12, at the best order, or one
//! that counts what exceeds 1 of the moment alone. As for zCDP, any order gives a true bound, so that it is looked for
//! in floats.
use crate::{
    concentrated::{cdp_delta, cdp_epsilon, entropy},
    error::{Fallible, non_negative, probability_of_failure},
    renyi::{curve::RenyiCurve, search::golden},
    units::{Delta, Epsilon, Rho},
};
use indistinct_numeric::{
    RoundedArithmetic, RoundedMath,
    enclosure::{Enclosure, Formula, enclose},
};

impl RenyiCurve {
    /// The smallest delta such that the curve implies (epsilon, delta)-DP at the best order found, rounded up.
    ///
    /// Never below the least over all orders of two bounds: that of Canonne, Kamath and Steinke, by which a line is
    /// converted in [`cdp_delta`], and one that is less wherever delta is small (`proofs/accounting/profile.md`).
    /// Orders are found by a search that takes for granted what holds of true divergences, one minimum, and loses some
    /// 1e-10 of delta.
    ///
    /// Error: epsilon negative or not a number.
    pub fn delta(&self, epsilon: f64) -> Fallible<f64> {
        let any = self.checked_delta(epsilon)?;
        Ok(if any == 0.0 { any } else { any.min(self.delta_of_little(epsilon + 0.0)?) })
    }

    /// The former bound alone, which a machine has checked, and which measurements use.
    pub(crate) fn checked_delta(&self, epsilon: f64) -> Fallible<f64> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        if let Some(rho) = self.line() {
            return cdp_delta(Rho(rho), Epsilon(epsilon));
        }
        if epsilon == f64::INFINITY {
            return Ok(if self.at_excess(1e-9)? < f64::INFINITY { 0.0 } else { 1.0 });
        }
        // The divergence of infinite order is the epsilon of pure privacy.
        let pure = self.at_excess(f64::INFINITY)?;
        if epsilon >= pure {
            return Ok(0.0);
        }
        // Losses of at most `pure`: no more than `1 - e^(epsilon - pure)`, which counts where no order is high enough.
        let most = -epsilon.neg_inf_sub(pure)?.neg_inf_exp_m1()?;
        let t = self.best(|t, divergence| t * (divergence - epsilon) - near_entropy(t));
        let divergence = self.at_excess(t)?;
        if divergence == f64::INFINITY {
            return Ok(most);
        }
        Ok(enclose(&DeltaAtOrder { t, divergence, epsilon }).upper.min(most))
    }

    /// The natural logarithm of [`delta`](Self::delta), rounded up, also where delta is below all floats; minus
    /// infinity where it is 0.
    ///
    /// Error: epsilon negative or not a number.
    ///
    /// ```
    /// use indistinct_accounting::{Mu};
    /// let noise = indistinct_accounting::RenyiCurve::gaussian(Mu(0.01))?;
    /// assert!(noise.delta(1.0)? < 1e-307 && (-5010.0..-5000.0).contains(&noise.log_delta(1.0)?));
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn log_delta(&self, epsilon: f64) -> Fallible<f64> {
        let delta = self.delta(epsilon)?;
        // Above, a float says enough.
        if delta > 1e-290 {
            return Ok(delta.inf_ln()?.min(0.0));
        }
        let pure = self.at_excess(f64::INFINITY)?;
        if epsilon == f64::INFINITY || epsilon >= pure {
            return Ok(if delta == 0.0 { f64::NEG_INFINITY } else { delta.inf_ln()? });
        }
        let t = self.best(|t, divergence| t * (divergence - epsilon) - near_entropy(t));
        let upper = enclose(&LogDelta { t, divergence: self.at_excess(t)?, epsilon }).upper;
        let known = if delta > 0.0 { delta.inf_ln()? } else { 0.0 };
        Ok(if upper < known { upper } else { known })
    }

    /// Another bound, which is much less where nearly nothing is lost but with a small probability: 1, if it is not
    /// seen to be less.
    fn delta_of_little(&self, epsilon: f64) -> Fallible<f64> {
        if epsilon == f64::INFINITY || self.line() == Some(0.0) || self.line() == Some(f64::INFINITY) {
            return Ok(1.0);
        }
        let gained = |t: f64, divergence: f64| {
            let share = t.ln_1p() - t * epsilon;
            (share < 0.0).then(|| (-(-t * divergence).exp_m1()).ln() - (-share.exp_m1()).ln())
        };
        // At orders too small to tell anything: to greater ones.
        let bound = |t: f64, divergence: f64| {
            gained(t, divergence)
                .map_or(1e9 - 1e3 * t.ln(), |gained| t * (divergence - epsilon) - near_entropy(t) + gained)
        };
        let t = self.best(bound);
        let divergence = self.at_excess(t)?;
        if divergence == f64::INFINITY || gained(t, divergence).is_none() {
            return Ok(1.0);
        }
        let upper = enclose(&DeltaOfLittle { t, divergence, epsilon }).upper;
        Ok(if upper < 1.0 { upper.max(0.0) } else { 1.0 })
    }

    /// The smallest epsilon such that the curve implies (epsilon, delta)-DP at the best order found, rounded up;
    /// likewise.
    ///
    /// 0 for delta = 1, infinite for delta = 0 unless all divergences are zero. Error: a delta that is not from 0 to 1.
    pub fn epsilon(&self, delta: f64) -> Fallible<f64> {
        let any = self.checked_epsilon(delta)?;
        Ok(if any == 0.0 || delta <= 0.0 { any } else { any.min(self.epsilon_of_little(delta)?) })
    }

    /// As for [`checked_delta`](Self::checked_delta).
    pub(crate) fn checked_epsilon(&self, delta: f64) -> Fallible<f64> {
        let delta = probability_of_failure(delta, "delta")?;
        if let Some(rho) = self.line() {
            return cdp_epsilon(Rho(rho), Delta(delta));
        }
        if delta >= 1.0 {
            return Ok(0.0);
        }
        // The divergence of infinite order is the epsilon of pure privacy.
        let pure = self.at_excess(f64::INFINITY)?;
        if delta == 0.0 || pure == 0.0 {
            return Ok(pure);
        }
        let logarithm = -delta.ln();
        let t = self.best(|t, divergence| divergence + (logarithm - near_entropy(t)) / t);
        let divergence = self.at_excess(t)?;
        if divergence == f64::INFINITY {
            return Ok(pure);
        }
        Ok(enclose(&EpsilonAtOrder { t, divergence, delta }).upper.clamp(0.0, pure))
    }

    /// Likewise, for what `delta_of_little` says of delta: `ln((e^(t D) - 1) e^-h(t) / delta + 1 + t) / t`.
    fn epsilon_of_little(&self, delta: f64) -> Fallible<f64> {
        if self.line() == Some(0.0) || self.line() == Some(f64::INFINITY) {
            return Ok(f64::INFINITY);
        }
        let logarithm = -delta.ln();
        let t = self.best(|t, divergence| {
            let logarithm = (t * divergence).exp_m1().ln() - near_entropy(t) + logarithm;
            // The logarithm of the sum.
            let (high, low) = (logarithm.max(t.ln_1p()), logarithm.min(t.ln_1p()));
            let excess = if t * divergence > 600.0 { t * divergence - near_entropy(t) - delta.ln() } else { high };
            (excess + (low - high).exp().ln_1p()) / t
        });
        let divergence = self.at_excess(t)?;
        if divergence == f64::INFINITY {
            return Ok(f64::INFINITY);
        }
        let upper = enclose(&EpsilonOfLittle { t, divergence, delta }).upper;
        Ok(if upper < f64::INFINITY { upper.max(0.0) } else { f64::INFINITY })
    }

    /// Where a bound, given t and the divergence of order 1 + t, is least.
    fn best(&self, bound: impl Fn(f64, f64) -> f64) -> f64 {
        let at = |t: f64| {
            let value = bound(t, self.estimate(t));
            if value.is_nan() { f64::INFINITY } else { value }
        };
        // Between neighbors of the best of the given orders, or anywhere.
        let mut orders: Vec<f64> = self.parts.iter().flat_map(|(_, part)| part.orders()).collect();
        orders.retain(|t| *t < 1e15);
        orders.sort_by(f64::total_cmp);
        let values = orders.iter().copied().map(&at).enumerate();
        let best = values.min_by(|x, y| x.1.total_cmp(&y.1)).and_then(|(index, _)| Some((index, *orders.get(index)?)));
        let Some((index, best)) = best else {
            return golden(-60.0, 60.0, 50, |s| at(s.exp())).exp();
        };
        let neighbor = |index: Option<usize>| index.and_then(|index| orders.get(index)).copied();
        let low = neighbor(index.checked_sub(1)).unwrap_or(best * 1e-9);
        let greatest =
            if self.at_excess(best * 1e9).is_ok_and(|bound| bound < f64::INFINITY) { best * 1e9 } else { best };
        let high = neighbor(index.checked_add(1)).unwrap_or(greatest);
        let inner = golden(low.ln(), high.ln(), 50, |s| at(s.exp())).exp().clamp(low, high);
        if at(inner) < at(best) { inner } else { best }
    }
}

/// `h(t)` in plain floats.
fn near_entropy(t: f64) -> f64 {
    t.ln_1p() + t * t.recip().ln_1p()
}

struct DeltaAtOrder {
    t: f64,
    divergence: f64,
    epsilon: f64,
}

impl Formula for DeltaAtOrder {
    fn evaluate<E: Enclosure>(&self) -> E {
        LogDelta { t: self.t, divergence: self.divergence, epsilon: self.epsilon }.evaluate::<E>().exp()
    }
}

struct LogDelta {
    t: f64,
    divergence: f64,
    epsilon: f64,
}

impl Formula for LogDelta {
    fn evaluate<E: Enclosure>(&self) -> E {
        let margin = E::exact(self.divergence).sub(&E::exact(self.epsilon));
        E::exact(self.t).mul(&margin).sub(&entropy(self.t))
    }
}

/// `(e^(t D) - 1) e^(-t epsilon - h(t)) / (1 - (1 + t) e^(-t epsilon))`, for a positive denominator.
struct DeltaOfLittle {
    t: f64,
    divergence: f64,
    epsilon: f64,
}

impl Formula for DeltaOfLittle {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (one, t) = (E::exact(1.0), E::exact(self.t));
        let shrunk = E::exact(0.0).sub(&t.mul(&E::exact(self.epsilon)));
        let rest = one.sub(&one.add(&t).mul(&shrunk.exp()));
        t.mul(&E::exact(self.divergence)).exp_m1().mul(&shrunk.sub(&entropy(self.t)).exp()).div(&rest)
    }
}

struct EpsilonAtOrder {
    t: f64,
    divergence: f64,
    delta: f64,
}

impl Formula for EpsilonAtOrder {
    fn evaluate<E: Enclosure>(&self) -> E {
        let rest = E::exact(self.delta).ln().add(&entropy(self.t));
        E::exact(self.divergence).sub(&rest.div(&E::exact(self.t)))
    }
}

struct EpsilonOfLittle {
    t: f64,
    divergence: f64,
    delta: f64,
}

impl Formula for EpsilonOfLittle {
    fn evaluate<E: Enclosure>(&self) -> E {
        let t = E::exact(self.t);
        let gained = t.mul(&E::exact(self.divergence)).exp_m1().mul(&E::exact(0.0).sub(&entropy::<E>(self.t)).exp());
        gained.div(&E::exact(self.delta)).add(&t).ln_1p().div(&t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFINITY: f64 = f64::INFINITY;

    fn points(points: &[(f64, f64)]) -> RenyiCurve {
        RenyiCurve::from_points(points.to_vec()).unwrap()
    }

    /// At order 2: `(e^D - 1) e^-epsilon / (4 (1 - 2 e^-epsilon))`, and Proposition 12 where `4 delta` is above a half.
    #[test]
    fn one_order() {
        let curve = points(&[(2.0, 1.0)]);
        let little = |epsilon: f64| 1f64.exp_m1() / (4.0 * (epsilon.exp() - 2.0));
        for (epsilon, delta) in [(3.0, little(3.0)), (9.0, little(9.0)), (0.875, f64::exp(0.125) / 4.0)] {
            let (delta_there, epsilon_there) = (curve.delta(epsilon).unwrap(), curve.epsilon(delta).unwrap());
            assert!((delta_there / delta - 1.0).abs() < 1e-14, "{epsilon}: {delta_there:e}");
            assert!((epsilon_there / epsilon - 1.0).abs() < 1e-14, "{delta}: {epsilon_there:e}");
        }
        assert_eq!((curve.delta(INFINITY), curve.epsilon(1.0), curve.epsilon(0.0)), (Ok(0.0), Ok(0.0), Ok(INFINITY)));
        let unknown = points(&[(2.0, INFINITY)]);
        assert_eq!(
            (unknown.delta(INFINITY), unknown.delta(1.0), unknown.epsilon(0.5)),
            (Ok(1.0), Ok(1.0), Ok(INFINITY))
        );
        // Of pure privacy: (epsilon, 0), and nothing lost at all.
        let pure = RenyiCurve::pure(0.5).unwrap();
        assert_eq!((pure.delta(0.5), pure.epsilon(0.0), pure.epsilon(0.9)), (Ok(0.0), Ok(0.5), Ok(0.0)));
        assert!(pure.delta(0.5f64.next_down()).unwrap() > 0.0);
        assert_eq!(RenyiCurve::pure(0.0).unwrap().epsilon(0.1), Ok(0.0));
        assert!(
            RenyiCurve::concentrated(0.5).unwrap().delta(1.0).unwrap() <= cdp_delta(Rho(0.5), Epsilon(1.0)).unwrap()
        );
        assert!(
            RenyiCurve::concentrated(0.5).unwrap().epsilon(0.1).unwrap() <= cdp_epsilon(Rho(0.5), Delta(0.1)).unwrap()
        );
    }

    /// Near the least over a fine grid of orders, whether or not some are given.
    #[test]
    fn the_best_order_is_found() {
        let line =
            |orders: &[f64], rho: f64| points(&orders.iter().map(|alpha| (*alpha, alpha * rho)).collect::<Vec<_>>());
        for (curve, epsilon) in [
            (RenyiCurve::pure(1.0).unwrap(), 0.5),
            (RenyiCurve::laplace(Epsilon(0.25)).unwrap(), 0.125),
            (line(&[1.5, 3.0, 9.0, 30.0, 100.0], 0.125), 1.5),
            (line(&[1.5, 3.0], 0.125), 1.5),
            (line(&[40.0, 50.0], 0.125), 1.5),
            (line(&[1.25, 1.5, 2.0], 0.5), 0.625),
            (line(&[9.0, 30.0], 0.125).compose(&RenyiCurve::concentrated(0.0625).unwrap()).unwrap(), 2.0),
            (points(&[(3.0, 0.5), (INFINITY, 2.0)]), 0.75),
            (points(&[(3.0, 0.5), (INFINITY, 2.0)]), 1.9),
        ] {
            let scan = |bound: &dyn Fn(f64, f64) -> f64| {
                let orders = (-8000..12000).map(|step| (f64::from(step) / 1000.0).exp());
                let at = |t: f64| bound(t, curve.at_excess(t).unwrap());
                orders.chain([1.0, 2.0, 8.0, 29.0, 99.0]).map(at).fold(INFINITY, f64::min)
            };
            let entropy = |t: f64| (1.0 + t).ln() * (1.0 + t) - t * t.ln();
            let delta = curve.delta(epsilon).unwrap();
            let little = |t: f64, divergence: f64| {
                let share = (1.0 + t) * (-t * epsilon).exp();
                let gained = (-(-t * divergence).exp_m1() / (1.0 - share)).ln();
                if share < 1.0 { t * (divergence - epsilon) - entropy(t) + gained } else { INFINITY }
            };
            let any = scan(&|t, divergence| t * (divergence - epsilon) - entropy(t)).exp();
            let scanned = any.min(scan(&little).exp());
            assert!(
                delta < scanned * (1.0 + 1e-10) && delta > scanned * (1.0 - 1e-5),
                "{curve} {epsilon}: {delta:e} {scanned:e}"
            );
            let back = curve.epsilon(delta).unwrap();
            let scanned = scan(&|t, divergence| {
                let gained = (t * divergence).exp_m1() * (-entropy(t)).exp() / delta + 1.0 + t;
                (divergence - (delta.ln() + entropy(t)) / t).min(gained.ln() / t)
            });
            assert!(
                back < scanned * (1.0 + 1e-10) && back > scanned * (1.0 - 1e-5),
                "{curve} {delta:e}: {back} {scanned}"
            );
        }
        assert!((near_entropy(2.0) - (3.0 * 3f64.ln() - 2.0 * 2f64.ln())).abs() < 1e-15);
    }
}
