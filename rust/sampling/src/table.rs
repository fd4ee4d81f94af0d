//! Distributions on 0, 1, 2, … drawn by inverting the distribution function with a table of its values.
//!
//! A uniform number U gives the outcome h if `F(h - 1) <= U < F(h)`. The table holds 64 bits of each `F(h)`, rounded
//! down. The first bits of U decide unless they hit one of the table's cells or lie beyond its end. Then more digits of
//! U are drawn and compared with a table of more digits, until they decide. So the distribution is exactly that of real
//! numbers.

use crate::{
    Entropy, Error, Fallible,
    lazy::{LazyUniform, exp},
    widths::Widths,
};
use rug::{
    Float, Integer, Rational,
    float::Round,
    ops::{AddAssignRound, MulAssignRound},
};

/// The unnormalized probabilities of a distribution on 0, 1, 2, …
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weights {
    /// `exp(-h / t)`.
    Geometric,
    /// `exp(-h / t)`, doubled for h > 0: the size of a number with weights `exp(-|z| / t)` on all integers.
    FoldedGeometric,
    /// `exp(-h^2 / (2 t^2))`.
    HalfGaussian,
    /// `exp(-h^2 / (2 t^2))`, doubled for h > 0: the size of a number with weights `exp(-z^2 / (2 t^2))` on all
    /// integers.
    FoldedGaussian,
}

/// A distribution, ready to be drawn from.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    weights: Weights,
    t: Rational,
    /// For each h, 64 bits of `F(h)` rounded down; `F(h)` lies at most `SLACK` units above.
    thresholds: Vec<u64>,
    /// For each value of the first `guide_bits` of U, the first possible outcome h.
    guide: Vec<u32>,
    guide_bits: u32,
}

/// The smallest size of the guide; a larger table has a guide of about the table's size.
const LEAST_GUIDE_BITS: u32 = 10;
/// The largest distance between the upper and the lower bound of a threshold, in units of the last place.
const SLACK: u64 = 2;

impl Table {
    /// Makes the table of a distribution with a positive scale `t` of at most a few thousand. It has about `56 t`
    /// entries for the geometric distributions and `11 t` for the others.
    pub(crate) fn new(weights: Weights, t: Rational) -> Self {
        let cells = cumulative(weights, &t, 64);
        // A cell whose ends are further apart would be no fault, but would be decided wrongly: end the table before it.
        let tight = cells.into_iter().take_while(|(low, high)| Integer::from(high - low) <= SLACK);
        let thresholds: Vec<u64> = tight.map_while(|(low, _)| low.to_u64()).collect();
        let guide_bits = thresholds.len().next_power_of_two().trailing_zeros().max(LEAST_GUIDE_BITS);
        let first_possible = |prefix: u64| {
            let least = prefix << (64 - guide_bits);
            let passed = thresholds.partition_point(|threshold| least.saturating_sub(*threshold) >= SLACK);
            u32::try_from(passed).unwrap_or(0)
        };
        let guide = (0..1u64 << guide_bits).map(first_possible).collect();
        Self { weights, t, thresholds, guide, guide_bits }
    }

    /// Draws an outcome from the first `W::TABLE` digits of U.
    #[inline(always)]
    pub(crate) fn sample<W: Widths>(&self, first: u64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<u64> {
        let first = first << (64 - W::TABLE);
        // U lies between `first` and `last + 1` units of 2^-64.
        let last = first | (u64::MAX >> (W::TABLE - 1) >> 1);
        let prefix = usize::try_from(first >> (64 - self.guide_bits)).unwrap_or(0);
        let start = self.guide.get(prefix).copied().unwrap_or(0);
        let mut h = usize::try_from(start).unwrap_or(0);
        while let Some(&threshold) = self.thresholds.get(h) {
            if last < threshold {
                return Ok(u64::try_from(h).unwrap_or(u64::MAX));
            }
            if first.saturating_sub(threshold) < SLACK {
                break;
            }
            h = h.wrapping_add(1);
        }
        self.look_closer::<W>(first, entropy)
    }

    /// Draws an outcome for a U whose first digits hit a cell, using as many digits as the thresholds have.
    #[inline(never)]
    fn look_closer<W: Widths>(&self, first: u64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<u64> {
        let more = W::WHOLE_TABLE - W::TABLE;
        let first = first | entropy.bits(more)? << (64 - W::WHOLE_TABLE);
        let last = first | (u64::MAX >> (W::WHOLE_TABLE - 1) >> 1);
        let h = self.thresholds.partition_point(|threshold| first.saturating_sub(*threshold) >= SLACK);
        match self.thresholds.get(h) {
            Some(&threshold) if last < threshold => Ok(u64::try_from(h).unwrap_or(u64::MAX)),
            _ => self.decide(LazyUniform::from_word(first, W::WHOLE_TABLE), entropy),
        }
    }

    /// Draws an outcome for a U that 64 digits did not decide, with a table of as many digits as that takes. A fair
    /// source never needs `MAX_DIGITS`, for which the table would take megabytes.
    #[cold]
    fn decide(&self, mut u: LazyUniform, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<u64> {
        const MAX_DIGITS: u32 = 1000;
        loop {
            if u.count() > MAX_DIGITS {
                return Err(Error::Entropy);
            }
            u.refine(entropy)?;
            let (low, high) = u.ends();
            let mut beyond = true;
            for ((least, greatest), h) in cumulative(self.weights, &self.t, u.count()).into_iter().zip(0..) {
                if beyond && high <= least {
                    return Ok(h);
                }
                beyond = low >= greatest;
                if !beyond {
                    break;
                }
            }
        }
    }
}

/// Returns enclosures of `F(0), F(1), …` in units of `2^-bits`, up to where `1 - F` is a fraction of a unit.
///
/// Every step is enclosed by MPFR with directed rounding at 64 bits more. A weight is the one before it times their
/// ratio, and the ratio decreases by a constant factor (1 for the geometric distributions). A geometric series bounds
/// the weights after the last one kept.
fn cumulative(weights: Weights, t: &Rational, bits: u32) -> Vec<(Integer, Integer)> {
    let precision = bits + 64;
    let exp = |x: Rational| {
        let (low, high) = exp(x, precision);
        Enclosure { low, high }
    };
    let (mut ratio, factor) = match weights {
        Weights::Geometric | Weights::FoldedGeometric => (exp(-t.clone().recip()), None),
        Weights::HalfGaussian | Weights::FoldedGaussian => {
            let rate = Rational::from(t.square_ref()).recip();
            (exp(-rate.clone() / 2u32), Some(exp(-rate)))
        }
    };
    let doubled = u32::from(matches!(weights, Weights::FoldedGeometric | Weights::FoldedGaussian));

    // Partial sums, until a weight is below 2^-(bits + 16).
    let one = || Float::with_val(precision, 1u32);
    let negligible = one() >> (bits + 16);
    let mut weight = Enclosure { low: one(), high: one() };
    let mut sum = weight.clone();
    let mut sums = vec![sum.clone()];
    loop {
        weight.multiply_by(&ratio);
        if let Some(factor) = &factor {
            ratio.multiply_by(factor);
        }
        if weight.high < negligible {
            break;
        }
        sum.low.add_assign_round(Float::with_val(precision, &weight.low << doubled), Round::Down);
        sum.high.add_assign_round(Float::with_val(precision, &weight.high << doubled), Round::Up);
        sums.push(sum.clone());
    }
    // All weights from here on: the first one, divided by 1 minus the greatest ratio.
    let rest = Float::with_val_round(precision, 1u32 - &ratio.high, Round::Down).0;
    let tail = Float::with_val_round(precision, &weight.high / &rest, Round::Up).0 << doubled;
    let mut total = sum;
    total.high.add_assign_round(tail, Round::Up);

    // F(h) is a partial sum over the total; a shift by `bits` makes it a number of units, exactly.
    let inverse = Enclosure {
        low: Float::with_val_round(precision, total.high.recip_ref(), Round::Down).0 << bits,
        high: Float::with_val_round(precision, total.low.recip_ref(), Round::Up).0 << bits,
    };
    let most = Integer::from(1u32) << bits;
    let units = |x: &Float, round| x.to_integer_round(round).map_or_else(|| most.clone(), |(units, _)| units);
    let enclose = |mut sum: Enclosure| {
        sum.multiply_by(&inverse);
        (units(&sum.low, Round::Down), units(&sum.high, Round::Up).min(most.clone()))
    };
    sums.into_iter().map(enclose).collect()
}

/// A positive number between two floats.
#[derive(Clone)]
struct Enclosure {
    low: Float,
    high: Float,
}

impl Enclosure {
    fn multiply_by(&mut self, other: &Self) {
        self.low.mul_assign_round(&other.low, Round::Down);
        self.high.mul_assign_round(&other.high, Round::Up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing::{BitTape, SeededEntropy, enumerate},
        widths::Full,
    };

    const ALL: [Weights; 4] =
        [Weights::Geometric, Weights::FoldedGeometric, Weights::HalfGaussian, Weights::FoldedGaussian];

    /// Sixteen bits of a table, for enumeration; and a whole word.
    enum Sixteen {}
    enum Word {}

    impl Widths for Sixteen {
        const TABLE: u32 = 16;
        const WHOLE_TABLE: u32 = 16;
        const FRACTION: u32 = 0;
        const HEAD: u32 = 0;
        const TAIL: u32 = 0;
        const COIN: u32 = 0;
        const WHOLE_COIN: u32 = 0;
    }

    impl Widths for Word {
        const TABLE: u32 = 64;
        const WHOLE_TABLE: u32 = 64;
        const FRACTION: u32 = 0;
        const HEAD: u32 = 0;
        const TAIL: u32 = 0;
        const COIN: u32 = 0;
        const WHOLE_COIN: u32 = 0;
    }

    fn probability(weights: Weights, t: f64, h: u64) -> f64 {
        let weight = |h: u32| {
            let h = f64::from(h);
            match weights {
                Weights::Geometric => (-h / t).exp(),
                Weights::FoldedGeometric => (-h / t).exp() * if h > 0.0 { 2.0 } else { 1.0 },
                Weights::HalfGaussian => (-(h / t).powi(2) / 2.0).exp(),
                Weights::FoldedGaussian => (-(h / t).powi(2) / 2.0).exp() * if h > 0.0 { 2.0 } else { 1.0 },
            }
        };
        let total: f64 = (0..4000).map(weight).sum();
        weight(u32::try_from(h).unwrap()) / total
    }

    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        for weights in ALL {
            for t in [0.4, 1.0, 2.5] {
                let table = Table::new(weights, Rational::from_f64(t).unwrap());
                // A refinement adds 64 bits: only what the first bits decide is within reach.
                let law = enumerate(16, |entropy| table.sample::<Sixteen>(entropy.bits(16)?, entropy)).unwrap();
                assert!(law.undecided < 1e-3, "{weights:?} {t}: {}", law.undecided);
                for (h, mass) in law.mass {
                    let p = probability(weights, t, h);
                    assert!(mass <= p + 1e-12 && p <= mass + law.undecided + 1e-12, "{weights:?} {t} {h}: {mass} {p}");
                }
            }
        }
    }

    #[test]
    fn thresholds_agree_with_a_table_of_more_digits() {
        for weights in ALL {
            for t in [1e-3, 0.7, 16.0, 31.9] {
                let exact = Rational::from_f64(t).unwrap();
                let table = Table::new(weights, exact.clone());
                let wide = cumulative(weights, &exact, 200);
                assert!(u64::try_from(table.thresholds.len()).unwrap() < 3000 && !table.thresholds.is_empty());
                for (threshold, (low, high)) in table.thresholds.iter().zip(wide) {
                    let (low, high) = (low >> 136u32, (high >> 136u32) + 1u32);
                    assert!(*threshold <= high && low <= Integer::from(*threshold) + SLACK, "{weights:?} {t}");
                }
            }
        }
    }

    #[test]
    fn words_on_a_cell_and_beyond_the_end_are_decided_by_more_digits() {
        for weights in ALL {
            let table = Table::new(weights, Rational::from(16));
            // Cells wide enough that one more word does not skip one.
            let far_apart = table.thresholds.windows(2).take_while(|pair| pair[1] - pair[0] > 1000);
            for (h, threshold) in (0u64..).zip(far_apart.map(|pair| pair[0])).step_by(20) {
                for word in threshold - 1..=threshold + SLACK + 1 {
                    let drawn = table.sample::<Word>(word, &mut SeededEntropy::new(word)).unwrap();
                    assert!(drawn == h || drawn == h + 1, "{weights:?}: {drawn} for a word at {h}");
                    assert!(word < threshold + SLACK || drawn > h);
                }
            }
            for seed in 0..20 {
                let drawn = table.sample::<Word>(u64::MAX, &mut SeededEntropy::new(seed)).unwrap();
                // All that lies below 1 - 2^-63 is excluded.
                let excluded = table.thresholds.partition_point(|&threshold| threshold < u64::MAX - SLACK);
                assert!(drawn >= u64::try_from(excluded).unwrap());
            }
        }
    }

    /// The distribution function at 0, 1, … in units of 2^-192, by its definition.
    fn by_definition(weights: Weights, t: f64) -> Vec<Integer> {
        let weight = |h: u32| {
            let z = Float::with_val(400, h) / t;
            match weights {
                Weights::Geometric | Weights::FoldedGeometric => (-z).exp(),
                Weights::HalfGaussian | Weights::FoldedGaussian => (-z.square() / 2u32).exp(),
            }
        };
        let doubled = u32::from(matches!(weights, Weights::FoldedGeometric | Weights::FoldedGaussian));
        let all: Vec<Float> =
            (0..).map(weight).take_while(|weight| *weight > Float::with_val(400, 1u32) >> 300u32).collect();
        let sums: Vec<Float> = (0u32..)
            .zip(&all)
            .scan(Float::new(400), |sum, (h, weight)| {
                *sum += Float::with_val(400, weight << if h == 0 { 0 } else { doubled });
                Some(sum.clone())
            })
            .collect();
        let total = sums.last().unwrap().clone();
        sums.into_iter().map(|sum| (Float::with_val(400, sum / &total) << 192u32).to_integer().unwrap()).collect()
    }

    /// Next to where the outcome changes, at any distance that the first word, a whole one or more digits decide.
    #[test]
    fn numbers_next_to_the_distribution_function_are_on_the_right_side() {
        for weights in ALL {
            for t in [0.375, 1.0, 2.5, 16.5] {
                let (table, truth) = (Table::new(weights, Rational::from_f64(t).unwrap()), by_definition(weights, t));
                for (h, end) in (0u64..).zip(&truth).step_by(1 + truth.len() / 20) {
                    let last = usize::try_from(h).unwrap() + 1;
                    for size in [0, 20, 60, 66, 126, 128, 130, 135, 158, 161, 162, 163, 165] {
                        let far: Integer = Integer::from(1) << size;
                        for offset in [far.clone(), -far] {
                            let number = Integer::from(end + &offset);
                            let outcome = if offset < 0 { h } else { h + 1 };
                            // Only where the number is in the next cell, or in this one.
                            let low = if offset < 0 && h > 0 { truth[last - 2].clone() } else { Integer::new() };
                            let high = truth.get(last).cloned().unwrap_or_default();
                            if number <= low || offset > 0 && number >= high || number < 0 {
                                continue;
                            }
                            let digits = (0..192u32).rev().map(|digit| number.get_bit(digit));
                            let bits: Vec<bool> = digits.chain(std::iter::repeat_n(false, 2000)).collect();
                            let mut tape = BitTape::new(&bits);
                            let first = tape.bits(Full::TABLE).unwrap();
                            let drawn = table.sample::<Full>(first, &mut tape);
                            assert_eq!(drawn, Ok(outcome), "{weights:?} {t} {h} {size}");
                            let mut tape = BitTape::new(&bits);
                            let first = tape.bits(Word::TABLE).unwrap();
                            assert_eq!(
                                table.sample::<Word>(first, &mut tape),
                                Ok(outcome),
                                "{weights:?} {t} {h} {size}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// The first digits decide wherever no end of a cell is near.
    #[test]
    fn few_numbers_are_looked_at_closer() {
        for weights in ALL {
            let table = Table::new(weights, Rational::from(16));
            let decided = (0..1u64 << 12)
                .filter(|prefix| table.sample::<Full>(prefix << 19 | 0x2_aaaa, &mut BitTape::new(&[])).is_ok())
                .count();
            assert!(decided > 4080, "{weights:?}: {decided} of 4096");
        }
    }

    /// Uses so many entries that some of them lie in the part after the last weight, which the sums omit.
    #[test]
    fn every_value_lies_in_its_enclosure() {
        for weights in ALL {
            for t in [0.5, 300.0] {
                let cells = cumulative(weights, &Rational::from_f64(t).unwrap(), 64);
                for (h, ((low, high), truth)) in cells.into_iter().zip(by_definition(weights, t)).enumerate() {
                    assert!(low << 128u32 <= truth.clone() + 1u32 && truth <= high << 128u32, "{weights:?} {t} {h}");
                }
            }
        }
    }
}
