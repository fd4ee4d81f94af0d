//! The exact privacy of mechanisms with different guarantees.
//!
//! With `(epsilon_i, delta_i)` each, the least total delta is `1 - prod (1 - delta_i) (1 - D)`, where D is the
//! expectation of `(1 - e^(total - L))+` and L the sum of independent losses `+-epsilon_i`, plus with probability
//! `1/(1 + e^-epsilon_i)` (Murtagh, Vadhan 2018, Theorem 1.5). Equal epsilons make a binomial distribution; the sum
//! runs over all combinations of the smaller groups, and over the largest by a table of its partial sums. Which of its
//! terms count is decided by the enclosure of what the others leave of the total, never by a float.

use crate::{
    composition::{
        binomial::{Repeated, to_count},
        optimal::{Part, optimal_delta_bounds},
    },
    error::{Fallible, require},
};
use indistinct_numeric::enclosure::{Ball, Bounds, Enclosure, Interval};

/// Combinations that are summed, at most.
const COMBINATIONS: f64 = 262_144.0;
/// Members of the largest group, at most: what its table holds.
const LARGEST: u32 = 65_536;

/// Groups of mechanisms, by epsilon, each with the delta of each of its members.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Groups {
    /// Distinct epsilons with their counts, the largest count last.
    repeated: Vec<(u32, f64)>,
    /// Counts and deltas above zero.
    deltas: Vec<(u32, f64)>,
}

impl Groups {
    pub(crate) fn new(parts: &[Part]) -> Fallible<Self> {
        let mut sorted: Vec<Part> = parts.iter().copied().filter(|part| part.0 > 0).collect();
        sorted.sort_by(|x, y| x.1.total_cmp(&y.1));
        let mut repeated: Vec<(u32, f64)> = Vec::new();
        for &(count, epsilon, _) in &sorted {
            match repeated.last_mut() {
                Some((sum, same)) if *same == epsilon => {
                    let total = sum.checked_add(count);
                    *sum = total.ok_or(TOO_MANY)?;
                }
                _ => repeated.push((count, epsilon)),
            }
        }
        // No loss, no matter.
        repeated.retain(|part| part.1 > 0.0);
        repeated.sort_by_key(|part| part.0);
        let deltas = sorted.iter().map(|part| (part.0, part.2)).filter(|part| part.1 > 0.0).collect();
        Ok(Self { repeated, deltas })
    }

    /// The sum of all epsilons, rounded up.
    pub(crate) fn greatest(&self) -> f64 {
        let sum = self.repeated.iter().fold(Ball::exact(0.0), |sum, &(count, epsilon)| {
            sum.add(&Ball::exact(f64::from(count)).mul(&Ball::exact(epsilon)))
        });
        sum.upper()
    }

    /// Mean and variance of the loss, in floats.
    pub(crate) fn moments(&self) -> (f64, f64) {
        self.repeated.iter().fold((0.0, 0.0), |(mean, variance), &(count, epsilon)| {
            let (count, half) = (f64::from(count), epsilon / 2.0);
            (mean + count * epsilon * half.tanh(), variance + count * (epsilon / half.cosh()).powi(2))
        })
    }

    /// Both bounds on delta. Error: more combinations than can be summed.
    pub(crate) fn delta(&self, total: f64) -> Fallible<Bounds> {
        let exactly = |delta| Ok(Bounds { lower: delta, upper: delta });
        if self.deltas.iter().any(|part| part.1 == 1.0) || self.repeated.iter().any(|part| part.1 == f64::INFINITY) {
            return exactly(1.0);
        }
        if let ([(count, epsilon)], []) = (self.repeated.as_slice(), self.deltas.as_slice()) {
            return optimal_delta_bounds((*count, *epsilon, 0.0), total);
        }
        let combinations = self.combinations();
        require(
            combinations <= COMBINATIONS,
            "parts",
            "must have at most 2^18 combinations of losses of all but the largest group, and 65,536 members of that",
        )?;
        let mut bounds = self.with_deltas::<Ball>(total);
        let slow = self.repeated.last().map_or(0.0, |part| f64::from(part.0)) + combinations;
        let is_within = |bounds: Bounds, share: f64| bounds.upper - bounds.lower <= share * bounds.lower;
        // Many terms are summed again in more digits only where little is known; losses that cancel may take all of
        // them.
        if !is_within(bounds, if slow > 16_384.0 { 1e-3 } else { 1e-13 }) {
            bounds = self.with_deltas::<Interval<192>>(total);
        }
        if !is_within(bounds, 1e-13) && slow <= 16_384.0 {
            bounds = self.with_deltas::<Interval<3072>>(total);
        }
        Ok(Bounds { lower: bounds.lower.max(0.0), upper: bounds.upper.min(1.0) })
    }

    /// How many there are of all groups but the last.
    fn combinations(&self) -> f64 {
        let Some(((largest, _), rest)) = self.repeated.split_last() else { return 0.0 };
        let combinations: f64 = rest.iter().map(|part| f64::from(part.0) + 1.0).product();
        if *largest > LARGEST { f64::INFINITY } else { combinations }
    }

    fn with_deltas<E: Enclosure>(&self, total: f64) -> Bounds {
        let one = E::exact(1.0);
        let kept = self.deltas.iter().fold(E::exact(0.0), |sum, &(count, delta)| {
            sum.add(&E::exact(f64::from(count)).mul(&E::exact(-delta).ln_1p()))
        });
        let lost = E::exact(0.0).sub(&kept.exp_m1());
        if total == f64::INFINITY {
            return lost.bounds();
        }
        lost.add(&one.sub(&lost).mul(&self.pure::<E>(total, Table::excess))).bounds()
    }

    /// The expectation D, by the sums of one table.
    fn pure<E: Enclosure>(&self, total: f64, excess: impl Fn(&Table<E>, &E) -> E) -> E {
        let Some((&(count, epsilon), rest)) = self.repeated.split_last() else { return E::exact(0.0) };
        let table = Table::<E>::new(count, epsilon);
        let laws: Vec<(f64, f64, Vec<E>)> =
            rest.iter().map(|&(count, epsilon)| (f64::from(count), epsilon, weights::<E>(count, epsilon))).collect();
        let mut sum = E::exact(0.0);
        visit(&laws, &E::exact(1.0), &E::exact(total), &mut |weight, left| {
            sum = sum.add(&weight.mul(&excess(&table, left)))
        });
        sum
    }
}

const TOO_MANY: crate::error::Error =
    crate::error::Error::Parameter { parameter: "count", rule: "must be less than 2^32 in total for one epsilon" };

/// All combinations of losses: the probability of each, and what of the total it leaves.
fn visit<E: Enclosure>(laws: &[(f64, f64, Vec<E>)], weight: &E, left: &E, found: &mut impl FnMut(&E, &E)) {
    let Some(((count, epsilon, weights), rest)) = laws.split_first() else { return found(weight, left) };
    let mut plus = *count;
    for own in weights {
        let loss = E::exact(plus).mul(&E::exact(*epsilon));
        visit(rest, &weight.mul(own), &left.sub(&loss), found);
        plus -= 2.0;
    }
}

/// Probabilities that l of so many losses are negative, outwards from the most probable l.
fn weights<E: Enclosure>(count: u32, epsilon: f64) -> Vec<E> {
    let k = f64::from(count);
    let shrunk = (-epsilon).exp();
    let middle = (k * shrunk / (1.0 + shrunk)).floor();
    let repeated = Repeated { count, epsilon, total: 0.0 };
    let unknown = || (0..=count).map(|_| E::between(0.0, 1.0)).collect();
    let Some(peak) = repeated.weight::<E>(middle) else { return unknown() };
    let (down, up) = (E::exact(-epsilon).exp(), E::exact(epsilon).exp());
    let (mut below, mut weight, mut l) = (Vec::new(), peak.clone(), middle);
    while l > 0.0 {
        weight = weight.mul(&up).mul(&E::exact(l).div(&E::exact(k - l + 1.0)));
        below.push(weight.clone());
        l -= 1.0;
    }
    below.reverse();
    below.push(peak.clone());
    let (mut weight, mut l) = (peak, middle);
    while l < k {
        weight = weight.mul(&down).mul(&E::exact(k - l).div(&E::exact(l + 1.0)));
        below.push(weight.clone());
        l += 1.0;
    }
    below
}

/// Partial sums of the largest group: the probability that at most l losses are negative, on either side.
struct Table<E> {
    count: f64,
    epsilon: f64,
    sums: Vec<(E, E)>,
}

impl<E: Enclosure> Table<E> {
    fn new(count: u32, epsilon: f64) -> Self {
        let weights = weights::<E>(count, epsilon);
        // On the other side, signs are exchanged.
        let others = weights.iter().rev().cloned().collect::<Vec<_>>();
        let (mut near, mut far) = (E::exact(0.0), E::exact(0.0));
        let sums = weights.iter().zip(&others).map(|(weight, other)| {
            near = near.add(weight);
            far = far.add(other);
            (near.clone(), far.clone())
        });
        Self { count: f64::from(count), epsilon, sums: sums.collect() }
    }

    /// The expectation of `(1 - e^(left - loss))+`: the sum of `w - e^left w'` over all l up to
    /// `(count - left/epsilon)/2`, from where on terms are negative. Rounded outwards, that is between `first` and
    /// `last`: terms up to `first` count; of those between, each counts for at most the share `1 - e^(left - loss)` of
    /// its w, which is greatest for the first of them.
    fn excess(&self, left: &E) -> E {
        let (count, epsilon) = (E::exact(self.count), E::exact(self.epsilon));
        let change = count.sub(&left.div(&epsilon)).mul(&E::exact(0.5));
        let index = |l: f64| l.floor().clamp(-1.0, self.count);
        let (first, last) = (index(change.lower()), index(change.upper()));
        if last < 0.0 {
            return E::exact(0.0);
        }
        let (Some((near, far)), Some((most, _))) = (self.upto(first), self.upto(last)) else {
            return E::between(0.0, 1.0);
        };
        let certain = if first < 0.0 { E::exact(0.0) } else { self.certain(left, &near, &far) };
        if first == last {
            return probability(certain);
        }
        let loss = E::exact(self.count - 2.0 * (first + 1.0)).mul(&epsilon);
        let share = E::exact(0.0).sub(&left.sub(&loss).exp_m1()).upper().clamp(0.0, 1.0);
        probability(certain.add(&E::between(0.0, share).mul(&most.sub(&near))))
    }

    /// The sum of terms that count, by both sides' probabilities up to the last. Where `e^left` is beyond all numbers,
    /// the first term, of losses that are all positive, stands alone, and the shares of the others are left open.
    fn certain(&self, left: &E, near: &E, far: &E) -> E {
        let value = near.sub(&left.exp().mul(far));
        let greatest = E::exact(self.count).mul(&E::exact(self.epsilon));
        match self.sums.first() {
            Some((most, _)) if !(value.lower().is_finite() && value.upper().is_finite()) => {
                let share = E::exact(0.0).sub(&left.sub(&greatest).exp_m1());
                probability(most.mul(&share)).add(&E::between(0.0, 1.0).mul(&near.sub(most)))
            }
            _ => value,
        }
    }

    /// The sums up to l, from -1 on.
    fn upto(&self, l: f64) -> Option<(E, E)> {
        if l < 0.0 {
            return Some((E::exact(0.0), E::exact(0.0)));
        }
        self.sums.get(usize::try_from(to_count(l)?).ok()?).cloned()
    }
}

/// What is known to be a probability, as an enclosure that says no less.
fn probability<E: Enclosure>(value: E) -> E {
    let (lower, upper) = (value.lower(), value.upper());
    if lower >= 0.0 && upper <= 1.0 { value } else { E::between(lower.clamp(0.0, 1.0), upper.clamp(0.0, 1.0)) }
}

#[cfg(test)]
mod tests;
