//! Describes distributions of releases and computes how much two of them differ. Every number is enclosed by bounds.

use crate::{
    key::Key,
    mass::{Mass, is_zero, positive_part},
};
use indistinct::numeric::enclosure::{Bounds, Enclosure};
use std::collections::{BTreeMap, BTreeSet};

/// A distribution: the mass of each outcome, as far as it has been decided.
#[derive(Debug, Clone)]
pub struct Law {
    masses: BTreeMap<Key, Mass>,
    undecided: Mass,
}

impl Law {
    /// Builds a distribution that is completely known. Masses of equal outcomes are added.
    pub fn new(masses: impl IntoIterator<Item = (Key, Mass)>) -> Self {
        Self::partial(masses, Mass::exact(0.0))
    }

    /// Builds a distribution with some undecided mass. Any outcome may have any part of this mass in addition to its
    /// own.
    pub fn partial(masses: impl IntoIterator<Item = (Key, Mass)>, undecided: Mass) -> Self {
        let mut law = Self { masses: BTreeMap::new(), undecided };
        for (key, mass) in masses {
            let sum = law.mass(&key).add(&mass);
            law.masses.insert(key, sum);
        }
        law
    }

    /// The mass that an outcome certainly has.
    pub fn mass(&self, outcome: &Key) -> Mass {
        self.masses.get(outcome).cloned().unwrap_or_else(|| Mass::exact(0.0))
    }

    /// Returns the outcomes, in order, with their masses.
    pub fn masses(&self) -> impl Iterator<Item = (&Key, &Mass)> {
        self.masses.iter()
    }

    /// The mass that is not assigned to an outcome.
    pub fn undecided(&self) -> &Mass {
        &self.undecided
    }

    /// Returns the distribution of a function of the outcome.
    pub fn image(&self, function: impl Fn(&Key) -> Key) -> Self {
        Self::partial(self.masses.iter().map(|(key, mass)| (function(key), mass.clone())), self.undecided.clone())
    }

    /// Returns the distribution of two independent outcomes, written as a list of both.
    pub fn product(&self, other: &Self) -> Self {
        let pairs = self.masses.iter().flat_map(|(one, p)| {
            other.masses.iter().map(move |(two, q)| (Key::List(vec![one.clone(), two.clone()]), p.mul(q)))
        });
        Self::partial(pairs, self.undecided.add(&other.undecided))
    }

    /// The sum of all masses, decided and undecided. It is 1 if this is a distribution.
    pub fn total(&self) -> Bounds {
        self.masses.values().fold(self.undecided.clone(), |sum, mass| sum.add(mass)).bounds()
    }

    fn is_whole(&self) -> bool {
        is_zero(&self.undecided)
    }
}

/// The distributions of two inputs, as an ordered pair.
pub struct LawPair<'a> {
    p: &'a Law,
    q: &'a Law,
}

impl<'a> LawPair<'a> {
    /// Compares the first distribution with the second.
    pub fn new(p: &'a Law, q: &'a Law) -> Self {
        Self { p, q }
    }

    /// Returns each outcome of either distribution with its two masses.
    fn outcomes(&self) -> impl Iterator<Item = (&'a Key, Mass, Mass)> {
        let keys: BTreeSet<&Key> = self.p.masses.keys().chain(self.q.masses.keys()).collect();
        let (p, q) = (self.p, self.q);
        keys.into_iter().map(move |key| (key, p.mass(key), q.mass(key)))
    }

    /// Returns bounds on `sup_S P(S) - e^epsilon Q(S)`. They hold wherever the undecided mass lies.
    pub fn hockey_stick(&self, epsilon: f64) -> Bounds {
        let factor = Mass::exact(epsilon).exp();
        let (mut placed, mut best) = (Mass::exact(0.0), Mass::exact(0.0));
        for (_, p, q) in self.outcomes() {
            let difference = excess(&p, &factor, &q);
            placed = placed.add(&positive_part(&difference));
            if difference.lower() > 0.0 {
                best = best.add(&difference);
            }
        }
        let lower = excess(&best, &factor, &self.q.undecided).lower().max(0.0);
        Bounds { lower, upper: placed.add(&self.p.undecided).upper().max(lower) }
    }

    /// Returns the event that attains this supremum: the outcomes that are more than `e^epsilon` times as likely under
    /// the first distribution as under the second, with the largest excess first.
    pub fn witnesses(&self, epsilon: f64) -> Vec<Key> {
        let factor = Mass::exact(epsilon).exp();
        let of_outcome = |(key, p, q): (&Key, Mass, Mass)| (excess(&p, &factor, &q).lower(), key.clone());
        let mut found: Vec<(f64, Key)> = self.outcomes().map(of_outcome).filter(|(excess, _)| *excess > 0.0).collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().map(|(_, key)| key).collect()
    }

    /// `sup_S ln(P(S) / Q(S))`.
    pub fn max_divergence(&self) -> Bounds {
        let mut bounds = Bounds { lower: 0.0, upper: 0.0 };
        for (_, p, q) in self.outcomes() {
            let most = q.add(&self.q.undecided);
            if p.lower() > 0.0 && is_zero(&most) {
                return Bounds { lower: f64::INFINITY, upper: f64::INFINITY };
            }
            if p.lower() > 0.0 {
                bounds.lower = bounds.lower.max(p.div(&most).ln().lower());
            }
            if !is_zero(&p) {
                bounds.upper = bounds.upper.max(p.div(&q).ln().upper());
            }
        }
        if !(self.p.is_whole() && self.q.is_whole()) {
            bounds.upper = f64::INFINITY;
        }
        bounds
    }

    /// The largest value of `ln(P / Q)` over all outcomes minus the least.
    pub fn range(&self) -> Bounds {
        let back = Self::new(self.q, self.p);
        let (forth, back) = (self.signed_divergence(), back.signed_divergence());
        let (lower, upper) = (forth.lower + back.lower, forth.upper + back.upper);
        // A sum of two floats is off by half a unit at most, and an infinite one not at all.
        let lower = if lower == f64::INFINITY { lower } else { lower.next_down() };
        Bounds { lower, upper: upper.next_up() }
    }

    /// Like `max_divergence`, but without the empty event, so the result may be negative.
    fn signed_divergence(&self) -> Bounds {
        let mut bounds = Bounds { lower: f64::NEG_INFINITY, upper: f64::NEG_INFINITY };
        for (_, p, q) in self.outcomes().filter(|(_, p, _)| !is_zero(p)) {
            let most = q.add(&self.q.undecided);
            if p.lower() > 0.0 {
                let least = if is_zero(&most) { f64::INFINITY } else { p.div(&most).ln().lower() };
                bounds.lower = bounds.lower.max(least);
            }
            bounds.upper = bounds.upper.max(p.div(&q).ln().upper());
        }
        if !(self.p.is_whole() && self.q.is_whole()) {
            bounds.upper = f64::INFINITY;
        }
        bounds
    }

    /// The Renyi divergence of an order above 1. If some mass is undecided, the lower bound holds wherever this mass
    /// lies.
    pub fn renyi(&self, alpha: f64) -> Bounds {
        if !(self.p.is_whole() && self.q.is_whole()) {
            let lower = self.renyi_of_outcomes(alpha).max(self.renyi_of_events(alpha));
            return Bounds { lower, upper: f64::INFINITY };
        }
        let mut sum = Mass::exact(0.0);
        for (_, p, q) in self.outcomes().filter(|(_, p, _)| !is_zero(p)) {
            if is_zero(&q) {
                return Bounds { lower: f64::INFINITY, upper: f64::INFINITY };
            }
            sum = sum.add(&renyi_term(&p, &q, alpha));
        }
        sum.ln().div(&Mass::exact(alpha).sub(&Mass::exact(1.0))).bounds()
    }

    /// The greater of the undecided masses of the two distributions.
    pub fn undecided(&self) -> f64 {
        self.p.undecided.upper().max(self.q.undecided.upper())
    }

    /// The largest Renyi divergence over events, where an event and its complement count as two outcomes.
    fn renyi_of_events(&self, alpha: f64) -> f64 {
        let mut outcomes: Vec<(Mass, Mass)> = self.outcomes().map(|(_, p, q)| (p, q)).collect();
        outcomes.sort_by(|one, other| ratio(other).total_cmp(&ratio(one)));
        let (mut p, mut q, mut best) = (Mass::exact(0.0), self.q.undecided.clone(), (f64::NEG_INFINITY, 0.0, 0.0));
        for (more_p, more_q) in outcomes {
            (p, q) = (p.add(&more_p), q.add(&more_q));
            let (p, q) = (p.lower(), q.upper());
            // Roughly, to choose by.
            let term = |p: f64, q: f64| if p > 0.0 { p.powf(alpha) * q.powf(1.0 - alpha) } else { 0.0 };
            let size = term(p, q) + term(1.0 - p, 1.0 - q);
            if p > q && size > best.0 {
                best = (size, p, q);
            }
        }
        binary_renyi(best.1, best.2, alpha)
    }

    /// A lower bound on the Renyi divergence over all decided outcomes. The bound assumes that the second
    /// distribution's undecided mass u lies where it reduces the divergence most.
    ///
    /// By weak duality, the smallest of `sum p^a (q + r)^(1 - a)` over all r >= 0 with sum at most u is at least `sum
    /// (p^a s^(1 - a) + (a - 1) c^a (s - q)) - (a - 1) c^a u` with `s = max(q, p / c)`, for any c > 0. The best c is
    /// the ratio down to which u suffices to cut all ratios. The first distribution's undecided mass only adds to the
    /// sum.
    fn renyi_of_outcomes(&self, alpha: f64) -> f64 {
        let undecided = self.q.undecided.upper();
        let outcomes: Vec<(f64, f64)> =
            self.outcomes().map(|(_, p, q)| (p.lower(), q.upper())).filter(|(p, _)| *p > 0.0).collect();
        let needed = |cut: f64| outcomes.iter().map(|(p, q)| (p / cut - q).max(0.0)).sum::<f64>();
        // In logarithms: near all ratios that floats have.
        let (mut low, mut high) = (-600.0f64, 600.0f64);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if needed(middle.exp()) > undecided { low = middle } else { high = middle }
        }
        let (one, order, cut) = (Mass::exact(1.0), Mass::exact(alpha), Mass::exact(high.exp()));
        let price = order.sub(&one).mul(&order.mul(&cut.ln()).exp());
        let mut sum = Mass::exact(0.0).sub(&price.mul(&Mass::exact(undecided)));
        for (p, q) in outcomes {
            let (p, q) = (Mass::exact(p), Mass::exact(q));
            let least = p.div(&cut);
            let is_cut = least.sub(&q);
            // Where that cannot be told, nothing: no term is negative.
            let at = match (is_cut.lower() > 0.0, is_cut.upper() <= 0.0) {
                (true, _) => least,
                (_, true) => q.clone(),
                _ => continue,
            };
            sum = sum.add(&renyi_term(&p, &at, alpha)).add(&price.mul(&at.sub(&q)));
        }
        // Written so that a NaN fails.
        if sum.lower() > 1.0 { sum.ln().div(&order.sub(&one)).lower() } else { 0.0 }
    }
}

/// Returns `p - factor q`. The factor may be greater than all representable numbers.
fn excess(p: &Mass, factor: &Mass, q: &Mass) -> Mass {
    if is_zero(q) { p.clone() } else { p.sub(&factor.mul(q)) }
}

fn ratio((p, q): &(Mass, Mass)) -> f64 {
    let (p, q) = (p.lower(), q.upper());
    if p == 0.0 { 0.0 } else { p / q }
}

/// `p^alpha q^(1 - alpha)`.
fn renyi_term(p: &Mass, q: &Mass, alpha: f64) -> Mass {
    let (alpha, one) = (Mass::exact(alpha), Mass::exact(1.0));
    alpha.mul(&p.ln()).add(&one.sub(&alpha).mul(&q.ln())).exp()
}

/// The smallest Renyi divergence between a coin that shows heads with probability at least `p` and a coin with
/// probability at most `q`, rounded down. It is 0 unless `p > q`.
pub(crate) fn binary_renyi(p: f64, q: f64, alpha: f64) -> f64 {
    // Written so that a NaN fails.
    if !(p > q && p <= 1.0) {
        return 0.0;
    }
    if q <= 0.0 {
        return f64::INFINITY;
    }
    let one = Mass::exact(1.0);
    let (p, q) = (Mass::exact(p), Mass::exact(q));
    let (rest_p, rest_q) = (one.sub(&p), one.sub(&q));
    let mut sum = renyi_term(&p, &q, alpha);
    if !is_zero(&rest_p) {
        sum = sum.add(&renyi_term(&rest_p, &rest_q, alpha));
    }
    sum.ln().div(&Mass::exact(alpha).sub(&one)).lower().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Seen;

    fn coin(p: f64, undecided: f64) -> Law {
        let part = |share: f64| Mass::exact(share).mul(&Mass::exact(1.0 - undecided));
        Law::partial([(true.key(), part(p)), (false.key(), part(1.0 - p))], Mass::exact(undecided))
    }

    #[test]
    fn divergences_of_two_coins() {
        let (p, q) = (coin(0.75, 0.0), coin(0.25, 0.0));
        let pair = LawPair::new(&p, &q);
        let near = |bounds: Bounds, x: f64| {
            assert!(bounds.lower <= x + 1e-15 && bounds.upper >= x - 1e-15, "{bounds:?} {x}");
            assert!(bounds.upper - bounds.lower < 1e-15, "{bounds:?}");
        };
        near(pair.max_divergence(), 3f64.ln());
        near(pair.hockey_stick(0.0), 0.5);
        near(pair.hockey_stick(2f64.ln()), 0.25);
        // 9/16 / 1/4 + 1/16 / 3/4 = 7/3.
        near(pair.renyi(2.0), (7.0f64 / 3.0).ln());
        assert!((pair.range().lower - 2.0 * 3f64.ln()).abs() < 1e-14);
        assert_eq!(pair.witnesses(1.0), [true.key()]);
        assert!(pair.witnesses(1.2).is_empty());
        assert_eq!(binary_renyi(0.75, 0.25, 2.0), pair.renyi(2.0).lower);
    }

    #[test]
    fn undecided_mass_widens_in_the_direction_that_claims_less() {
        let (p, q) = (coin(0.75, 0.01), coin(0.25, 0.01));
        let pair = LawPair::new(&p, &q);
        let whole = pair.max_divergence();
        assert!(whole.lower < 3f64.ln() && whole.lower > 1.0 && whole.upper == f64::INFINITY);
        let stick = pair.hockey_stick(0.0);
        assert!(stick.lower < 0.5 && stick.upper > 0.5 && stick.upper - stick.lower < 0.05);
        let renyi = pair.renyi(2.0);
        assert!(renyi.lower > 0.7 && renyi.lower < (7.0f64 / 3.0).ln());
    }

    /// A part in 100 of the second distribution's mass is undecided: the least is where all of it is added to the
    /// outcome of the greatest ratio, or cuts two ratios down to one.
    #[test]
    fn the_least_renyi_divergence_of_undecided_mass_is_attained() {
        let law = |masses: &[f64], undecided: f64| {
            let masses = (0u8..).zip(masses).map(|(outcome, mass)| (outcome.key(), Mass::exact(*mass)));
            Law::partial(masses, Mass::exact(undecided))
        };
        let of = |p: &[f64], q: &[f64], alpha: f64| {
            let terms = p.iter().zip(q).filter(|(p, _)| **p > 0.0);
            let sum: f64 = terms.map(|(p, q)| p.powf(alpha) * q.powf(1.0 - alpha)).sum();
            sum.ln() / (alpha - 1.0)
        };
        for (p, q, least) in [
            ([0.75, 0.25, 0.0], [0.24, 0.75, 0.0], [0.25, 0.75, 0.0]),
            ([0.5, 0.25, 0.25], [0.12, 0.06, 0.81], [0.38 / 3.0, 0.19 / 3.0, 0.81]),
        ] {
            for alpha in [1.0625, 2.0, 16.0] {
                let (p_law, q_law) = (law(&p, 0.0), law(&q, 0.01));
                let (found, truth) = (LawPair::new(&p_law, &q_law).renyi(alpha).lower, of(&p, &least, alpha));
                assert!(found <= truth + 1e-12 && found > truth * (1.0 - 1e-9), "{alpha}: {found} {truth}");
                // Anywhere else it is more.
                let elsewhere: Vec<f64> = q.iter().zip([0.0, 0.0, 0.01]).map(|(q, more)| q + more).collect();
                assert!(of(&p, &elsewhere, alpha) > truth);
            }
        }
        // An outcome that the second distribution may not have at all.
        let (p, q) = (law(&[0.5, 0.5], 0.0), law(&[0.99, 0.0], 0.01));
        let found = LawPair::new(&p, &q).renyi(2.0).lower;
        assert!((found - of(&[0.5, 0.5], &[0.99, 0.01], 2.0)).abs() < 1e-9, "{found}");
    }

    #[test]
    fn outcomes_of_one_law_alone_are_infinitely_far() {
        let (p, q) = (Law::new([(0u8.key(), Mass::exact(1.0))]), Law::new([(1u8.key(), Mass::exact(1.0))]));
        let pair = LawPair::new(&p, &q);
        assert_eq!(pair.max_divergence().lower, f64::INFINITY);
        assert_eq!(pair.renyi(2.0).lower, f64::INFINITY);
        assert_eq!(pair.range().lower, f64::INFINITY);
        assert_eq!(pair.hockey_stick(50.0).lower, 1.0);
        assert_eq!(pair.hockey_stick(1e19), Bounds { lower: 1.0, upper: 1.0 });
        // The same law: nothing.
        let same = LawPair::new(&p, &p);
        assert_eq!((same.max_divergence().upper, same.hockey_stick(0.0).upper), (0.0, 0.0));
    }

    #[test]
    fn images_and_products_are_laws() {
        let law = coin(0.75, 0.0);
        assert_eq!(law.product(&law).total(), Bounds { lower: 1.0, upper: 1.0 });
        let one = law.image(|_| 0u8.key());
        assert_eq!(one.mass(&0u8.key()).lower(), 1.0);
    }
}
