//! Delta of many Laplace releases as a sum of B-splines.

use crate::{
    composition::binomial::{Repeated, to_count},
    error::Fallible,
};
use indistinct_numeric::{
    Above, Below, RoundedArithmetic, RoundedMath,
    enclosure::{Ball, Bounds, Enclosure},
};
use std::ops::{Add, Mul, Sub};

/// Beyond, sums get long and large.
const GREATEST_SPREAD: f64 = 210.0;

/// Five megabytes.
const MOST_ATOMS: f64 = 131_072.0;

/// Atoms times levels, at most.
const GREATEST_WORK: f64 = 2e7;

/// The sum.
pub(crate) struct LaplaceSum {
    pub(crate) count: u32,
    pub(crate) a: f64,
    pub(crate) epsilon: f64,
    /// The probability that may be left out.
    pub(crate) neglected: f64,
}

/// Which terms of it matter.
pub(crate) struct Extent {
    /// The greatest loss, and a step.
    whole: Ball,
    twice: Ball,
    /// How many steps epsilon is below it.
    reach: Bounds,
    /// Numbers of atoms.
    first: f64,
    last: f64,
    spread: f64,
}

impl LaplaceSum {
    /// Nothing, where the sum is too long.
    pub(crate) fn extent(&self) -> Option<Extent> {
        let (k, a) = (f64::from(self.count), self.a);
        let (whole, twice) = (Ball::exact(k).mul(&Ball::exact(a)), Ball::exact(2.0 * a));
        // How far below the greatest loss, in units of 2a.
        let depth = whole.sub(&Ball::exact(self.epsilon));
        let reach = depth.div(&twice).bounds();
        let reach = Bounds { lower: reach.lower.max(0.0), upper: reach.upper.min(k) };
        // By Hoeffding's inequality fewer than `first` atoms at -a have probability `neglected`, at most.
        let atoms = k * Ball::exact(-a).exp().lower().max(0.0) / 2.0;
        let deviation = (-Below::exact(self.neglected).ln() * (k / 2.0)).sqrt() + 1.0;
        let first = (Below::exact(atoms) - deviation).get().floor().max(0.0);
        let last = reach.upper.floor();
        let spread = k * a / 2.0 + a * (reach.upper - first).max(0.0);
        let is_short = spread <= GREATEST_SPREAD
            && last >= first
            && last - first <= MOST_ATOMS
            && (last - first) * (3.0 * spread + 60.0) <= GREATEST_WORK;
        is_short.then_some(Extent { whole, twice, reach, first, last, spread })
    }

    /// Nothing, where the sum is too long, or its terms leave the range of floats.
    pub(crate) fn bounds(&self) -> Fallible<Option<Bounds>> {
        let Some(Extent { whole, twice, reach, first, last, spread }) = self.extent() else { return Ok(None) };
        let Some(weights) = self.weights(first, last) else { return Ok(None) };
        let depth = f64::from(u32::try_from(weights.len()).unwrap_or(u32::MAX));
        let Some((low, high, levels)) = self.levels(weights, first, reach, spread) else { return Ok(None) };
        // Roundings, see the page; 1e-200 is more than all underflow.
        let slack = Above::of_roundings(2.0 * depth + 14.0 * levels + 64.0);
        let below = Ball::exact((Below::exact(low) * (Below::exact(1.0) - slack) - 1e-200).get());
        let above = Ball::exact((Above::exact(high) * (slack + 1.0) + 1e-200).get());
        // All levels beyond: (e spread / levels)^levels.
        let base = 1f64.inf_exp()?.inf_mul(Above::rounded(spread, 8).get())?.inf_div(levels)?;
        let Some(power) = to_count(levels).and_then(|levels| i32::try_from(levels).ok()) else { return Ok(None) };
        let beyond = base.inf_powi(power)?;
        let factor = Ball::exact(self.epsilon).sub(&whole).mul(&Ball::exact(0.5)).exp();
        let lower = factor.mul(&twice).mul(&below).lower();
        let above = twice.mul(&above).add(&Ball::exact(beyond));
        let upper = factor.mul(&above).add(&Ball::exact(self.neglected)).upper();
        Ok((high > 1e-150 && lower.is_finite() && upper.is_finite()).then_some(Bounds { lower, upper }))
    }

    /// `C(k, i) 2^-k` for i from first to last.
    fn weights(&self, first: f64, last: f64) -> Option<Vec<f64>> {
        let k = f64::from(self.count);
        let peak = last.min((k / 2.0).floor()).max(first);
        let coins = Repeated { count: self.count, epsilon: 0.0, total: 0.0 };
        let bounds = coins.weight::<Ball>(peak)?.bounds();
        if !(bounds.lower > 1e-280 && bounds.are_tight()) {
            return None;
        }
        let mut weights = vec![bounds.lower];
        let (mut weight, mut i) = (bounds.lower, peak);
        while i > first {
            weight *= i / (k - i + 1.0);
            weights.push(weight);
            i -= 1.0;
        }
        weights.reverse();
        let (mut weight, mut i) = (bounds.lower, peak);
        while i < last {
            weight *= (k - i) / (i + 1.0);
            weights.push(weight);
            i += 1.0;
        }
        Some(weights)
    }

    /// The sum for both ends of `reach`, two levels at a time, and how many levels it took.
    fn levels(&self, weights: Vec<f64>, first: f64, reach: Bounds, spread: f64) -> Option<(f64, f64, f64)> {
        let (k, a) = (f64::from(self.count), self.a);
        let mut i = first;
        let levels = weights.into_iter().map(|weight| {
            let next = weight * (a * (k - i));
            i += 1.0;
            Atoms { sums: Two(0.0, 0.0), weights: Two(weight, next) }
        });
        let mut levels: Vec<Atoms> = levels.collect();
        let mut splines = Splines::new(reach, first);
        let (mut total, mut level) = (Two(0.0, 0.0), 2.0);
        loop {
            self.advance(&mut levels, first, level - 2.0);
            // Sums rise from atom to atom.
            let greatest = levels.last()?.sums;
            total = total + splines.dot(&levels, |atoms| atoms.sums.0);
            splines.raise(level);
            total = total + splines.dot(&levels, |atoms| atoms.sums.1);
            splines.raise(level + 1.0);
            level += 1.0;
            let fits = |sum: f64| (0.0..1e100).contains(&sum);
            if !(fits(total.1) && fits(greatest.0) && fits(greatest.1)) {
                return None;
            }
            if level > 1.2 * spread {
                let beyond = level * (1.0 + (spread / level).ln());
                if beyond < (2.0 * a * total.1).ln() - 38.0 {
                    return Some((total.0, total.1, level));
                }
            }
            level += 1.0;
            if level > 4000.0 {
                return None;
            }
        }
    }

    /// From two levels, the first of which has n uniform variables, to the next two: `g = (1 - X)^-2 (a^2 g + h)`, and
    /// `C(k, n) C(k - n, i) a^n` to n + 2. Partial sums are right to two units in the last place, as what is rounded
    /// off is summed beside.
    fn advance(&self, levels: &mut [Atoms], first: f64, n: f64) {
        let square = self.a * self.a;
        let factor = Two(square / ((n + 1.0) * (n + 2.0)), square / ((n + 2.0) * (n + 3.0)));
        let (mut once, mut twice) = (Partial::default(), Partial::default());
        let mut left = f64::from(self.count) - n - first;
        for atoms in levels {
            atoms.sums = twice.add(once.add(atoms.sums.times(square) + atoms.weights));
            let (here, next, after) = (left.max(0.0), (left - 1.0).max(0.0), (left - 2.0).max(0.0));
            atoms.weights = atoms.weights * (factor * Two(here, next) * Two(next, after));
            left -= 1.0;
        }
    }
}

/// Of so many atoms: what two levels stand at, and what they gain next.
struct Atoms {
    sums: Two,
    weights: Two,
}

/// Two floats on which the same is done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Two(f64, f64);

impl Two {
    fn times(self, factor: f64) -> Self {
        Self(self.0 * factor, self.1 * factor)
    }
}

impl Add for Two {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Two {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Two {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }
}

/// Partial sums, and what was rounded off them.
#[derive(Default)]
struct Partial {
    sum: Two,
    rest: Two,
}

impl Partial {
    fn add(&mut self, term: Two) -> Two {
        let next = self.sum + term;
        let part = next - self.sum;
        self.rest = self.rest + ((self.sum - (next - part)) + (term - part));
        self.sum = next;
        next + self.rest
    }
}

/// Cardinal B-splines of one order (with support from 0 to the order) at the points that lie whole units below either
/// end of the reach.
struct Splines {
    /// From the fractional part upwards.
    values: Vec<Two>,
    fractions: Two,
    /// Which atom is at the fractional part, counted from the first.
    tops: [Option<usize>; 2],
}

impl Splines {
    /// Of order 2.
    fn new(reach: Bounds, first: f64) -> Self {
        let top = |end: f64| to_count(end.floor() - first).and_then(|top| usize::try_from(top).ok());
        let fractions = Two(reach.lower - reach.lower.floor(), reach.upper - reach.upper.floor());
        let values = vec![fractions, Two(1.0, 1.0) - fractions];
        Self { values, fractions, tops: [top(reach.lower), top(reach.upper)] }
    }

    /// To the next order: `b(x) = (x b(x) + (order + 1 - x) b(x - 1)) / order`.
    fn raise(&mut self, order: f64) {
        self.values.push(Two(0.0, 0.0));
        let (inverse, rest) = (order.recip(), Two(1.0, 1.0) - self.fractions);
        let (mut before, mut j) = (Two(0.0, 0.0), 0.0);
        for value in &mut self.values {
            let left = order - j;
            let next = (self.fractions + Two(j, j)) * *value + (Two(left, left) + rest) * before;
            before = *value;
            *value = next.times(inverse);
            j += 1.0;
        }
    }

    /// With what stands at the points, from the top down.
    fn dot(&self, levels: &[Atoms], sum: impl Fn(&Atoms) -> f64) -> Two {
        let upto = |top: Option<usize>| top.and_then(|top| levels.get(..=top)).unwrap_or_default().iter().rev();
        let [low, high] = self.tops;
        let values = || self.values.iter();
        if low == high {
            return upto(low)
                .zip(values())
                .fold(Two(0.0, 0.0), |total, (atoms, value)| total + value.times(sum(atoms)));
        }
        Two(
            upto(low).zip(values()).map(|(atoms, value)| value.0 * sum(atoms)).sum(),
            upto(high).zip(values()).map(|(atoms, value)| value.1 * sum(atoms)).sum(),
        )
    }
}
