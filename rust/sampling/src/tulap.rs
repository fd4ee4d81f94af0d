//! The Tulap distribution: a discrete Laplace number plus a uniform one, truncated in the tails.

use crate::{
    Entropy, Error, Fallible, IntegerNoise, MAX_ROUNDS, Rule, TruncatedNoise,
    half_line::Draw,
    lazy::{LazyUniform, exp},
    widths::Widths,
};
use rug::{Integer, Rational};
use std::cmp::Ordering;

/// The number is `n + l - 1/2` for an integer n with weights `b^|n|` and a uniform l. It is kept if its distribution
/// function is from `q / 2` to `1 - q / 2`.
///
/// For `n <= 0` the distribution function is `b^|n| (b + (1 - b) l) / (1 + b)` (Awan, Slavković 2018). With
/// `q / 2 = delta b / (1 - b + 2 delta b)` it is at least `q / 2` if l is at least
///
/// `cut(|n|) = (delta (1 + b) / (b^(|n| - 1) (1 - b + 2 delta b)) - b) / (1 - b)`,
///
/// The cut rises with `|n|` and passes from 0 or less to 1 or more in a single step or less. By symmetry, for `n >= 0`,
/// `1 - l` must be at least the cut.
#[derive(Debug, Clone)]
pub(crate) struct Tulap {
    integer: Integers,
    epsilon: Rational,
    delta: Rational,
    tails: Option<Tails>,
}

/// The distribution of n, and how it is drawn.
#[derive(Debug, Clone)]
enum Integers {
    /// On all integers: a number beyond the cut is rejected.
    All(IntegerNoise),
    /// On the integers that can be kept, if most of the distribution lies beyond the cut.
    Within(TruncatedNoise),
}

/// Where the distribution is cut.
#[derive(Debug, Clone)]
struct Tails {
    /// The smallest `|n|` with a positive cut.
    size: i64,
    /// The cut of `size` in units of 2^-64, rounded down; the cut exceeds this by less than two units.
    cut: u128,
}

impl Tulap {
    pub(crate) fn new(epsilon: f64, delta: f64) -> Fallible<Self> {
        let bound = |exponent: i32| Rational::from(1) << exponent;
        let valid_epsilon = Rational::from_f64(epsilon).filter(|e| *e >= bound(-40) && *e <= bound(10));
        let epsilon = valid_epsilon.ok_or(Error::Parameter(Rule::Epsilon))?;
        let delta = Rational::from_f64(delta).filter(|d| *d >= 0 && *d < 1).ok_or(Error::Parameter(Rule::Delta))?;
        let scale = epsilon.clone().recip();
        let mut law =
            Self { integer: Integers::All(IntegerNoise::laplace(scale.clone())?), epsilon, delta, tails: None };
        if law.delta == 0 {
            return Ok(law);
        }
        let tails = law.tails()?;
        // Every |n| < size is kept, and size is at least 1. If the interval spanned few scales, rejection would take
        // long.
        if tails.size < scale {
            law.integer = Integers::Within(TruncatedNoise::laplace(scale, -tails.size, tails.size)?);
        }
        law.tails = Some(tails);
        Ok(law)
    }

    /// Draws n and l.
    pub(crate) fn draw<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<(i64, Draw)> {
        for _ in 0..MAX_ROUNDS {
            // This is beyond 2^62 with probability below exp(-2^22), so a fair source does not get here.
            let n = match &self.integer {
                Integers::All(noise) => noise.draw_i64(entropy)?,
                Integers::Within(noise) => noise.draw(entropy)?,
            };
            if n.unsigned_abs() >= 1 << 62 {
                return Err(Error::Entropy);
            }
            let mut l = Draw::uniform::<W>(entropy)?;
            let kept = match &self.tails {
                Some(tails) if n.abs() > tails.size => false,
                Some(tails) if n.abs() == tails.size => {
                    // The size is at least 1: at n = 0, F is at least b / (1 + b), which is more than q / 2 for delta
                    // below 1.
                    self.is_above(tails, &mut l, n > 0, entropy)?
                }
                _ => true,
            };
            if kept {
                return Ok((n, l));
            }
        }
        Err(Error::Entropy)
    }

    /// Returns true if `n + l - 1/2` exceeds the largest number that can be drawn, `size + 1/2 - cut(size)`, for an
    /// integer n and a drawn l. The result is true for n above the size and false for n below it, because a cut lies
    /// strictly between 0 and 1. At n equal to the size, it is true if `1 - l` is below the cut. Without truncation, it
    /// is always false.
    pub(crate) fn exceeds_greatest(
        &self,
        n: i128,
        l: &mut Draw,
        entropy: &mut (impl Entropy + ?Sized),
    ) -> Fallible<bool> {
        let Some(tails) = &self.tails else { return Ok(false) };
        Ok(match n.cmp(&i128::from(tails.size)) {
            Ordering::Greater => true,
            Ordering::Equal => !self.is_above(tails, l, true, entropy)?,
            Ordering::Less => false,
        })
    }

    /// Returns true if l, or `1 - l`, is at least the cut.
    fn is_above(
        &self,
        tails: &Tails,
        l: &mut Draw,
        mirrored: bool,
        entropy: &mut (impl Entropy + ?Sized),
    ) -> Fallible<bool> {
        let (low, width) = l.fixed();
        let low = if mirrored { (1 << 64) - low - width } else { low };
        let (low, high) = (u128::try_from(low).unwrap_or(0), u128::try_from(low + width).unwrap_or(u128::MAX));
        if low >= tails.cut + 2 {
            return Ok(true);
        }
        if high <= tails.cut {
            return Ok(false);
        }
        self.decide(tails.size, l, mirrored, entropy)
    }

    /// Like `is_above`, with as many digits as the comparison takes.
    #[cold]
    fn decide(&self, size: i64, l: &mut Draw, mirrored: bool, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
        loop {
            let (low, high) = l.enclosure();
            let (low, high) = if mirrored { ((1 - high), (1 - low)) } else { (low, high) };
            let (least, greatest) = self.cut(size, l.digits_known() + 3 * LazyUniform::STEP)?;
            if low >= greatest {
                return Ok(true);
            }
            if high <= least {
                return Ok(false);
            }
            l.refine(entropy)?;
        }
    }

    /// Finds the first size with a positive cut, by doubling and halving, and the cut.
    fn tails(&self) -> Fallible<Tails> {
        let (mut within, mut beyond) = (-1, 1);
        while !self.is_cut(beyond)? {
            (within, beyond) = (beyond, beyond * 2);
        }
        while beyond - within > 1 {
            let middle = within + (beyond - within) / 2;
            if self.is_cut(middle)? {
                beyond = middle;
            } else {
                within = middle;
            }
        }
        self.enclose(beyond, |low, high| {
            let units = |x: &Rational| Integer::from(Rational::from(x << 64u32).floor_ref()).to_u128();
            let (cut, above) = (units(low)?, units(high)?);
            (above <= cut + 1).then_some(Tails { size: beyond, cut })
        })
    }

    /// Returns true if the cut of a size is positive. The cut is never 0: `b` is transcendental, and only at delta 1 is
    /// the cut 0 for all b.
    fn is_cut(&self, size: i64) -> Fallible<bool> {
        self.enclose(size, |low, high| (*low > 0 || *high < 0).then_some(*low > 0))
    }

    /// Decides a question about an enclosure of a size's cut, with as many digits as that takes.
    fn enclose<T>(&self, size: i64, decide: impl Fn(&Rational, &Rational) -> Option<T>) -> Fallible<T> {
        const MAX_PRECISION: u32 = 1 << 16;
        let mut precision = 192;
        while precision <= MAX_PRECISION {
            let (low, high) = self.cut(size, precision)?;
            if let Some(decision) = decide(&low, &high) {
                return Ok(decision);
            }
            precision *= 2;
        }
        Err(Error::Range)
    }

    /// Returns an enclosure of the cut of a size, by interval arithmetic in fractions on enclosures of `b` and of its
    /// power.
    fn cut(&self, size: i64, precision: u32) -> Fallible<(Rational, Rational)> {
        let enclosed = |x: Rational| -> Fallible<(Rational, Rational)> {
            let (low, high) = exp(x, precision);
            Ok((low.to_rational().ok_or(Error::Range)?, high.to_rational().ok_or(Error::Range)?))
        };
        let b = enclosed(-self.epsilon.clone())?;
        let power = enclosed(Rational::from(&self.epsilon * (size - 1)))?;
        let complement = (Rational::from(1 - &b.1), Rational::from(1 - &b.0));
        let divisor = |b: &Rational| Rational::from(1 - b) + Rational::from(&self.delta * b) * 2u32;
        let (one, other) = (divisor(&b.0), divisor(&b.1));
        let (least, greatest) = if one < other { (one, other) } else { (other, one) };
        let low = &self.delta * Rational::from(1 + &b.0) * power.0 / greatest - &b.1;
        let high = &self.delta * Rational::from(1 + &b.1) * power.1 / least - &b.0;
        let low = if low < 0 { low / &complement.0 } else { low / &complement.1 };
        let high = if high < 0 { high / complement.1 } else { high / complement.0 };
        Ok((low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distribution function without truncation.
    fn cdf(epsilon: f64, x: f64) -> f64 {
        if x > 0.0 {
            return 1.0 - cdf(epsilon, -x);
        }
        let b = (-epsilon).exp();
        let n = x.round();
        b.powf(-n) / (1.0 + b) * (b + (x - n + 0.5) * (1.0 - b))
    }

    #[test]
    fn cuts_are_quantiles() {
        for epsilon in [1e-3, 0.1, 1.0, 3.0, 20.0] {
            for delta in [1e-12, 1e-6, 0.01, 0.3, 0.9] {
                let law = Tulap::new(epsilon, delta).unwrap();
                let Some(Tails { size, cut }) = law.tails else { panic!("{epsilon} {delta}") };
                let b = (-epsilon).exp();
                let q = 2.0 * delta * b / (1.0 - b + 2.0 * delta * b);
                let cut = cut.to_string().parse::<f64>().unwrap() * 2f64.powi(-64);
                assert!((0.0..=1.0).contains(&cut));
                let size: f64 = size.to_string().parse().unwrap();
                let quantile = cdf(epsilon, -size + cut - 0.5);
                assert!((quantile / (q / 2.0) - 1.0).abs() < 1e-9, "{epsilon} {delta}: {quantile} {q}");
            }
        }
    }

    /// The cut of a size by its formula, in 600 bits.
    fn exactly(epsilon: f64, delta: f64, size: i64) -> Rational {
        let float = |x: f64| rug::Float::with_val(600, x);
        let b = float(-epsilon).exp();
        let power = (float(-epsilon) * (size - 1)).exp();
        let divisor = (float(1.0) - &b) + float(2.0 * delta) * &b;
        let cut = (float(delta) * (float(1.0) + &b) / (power * divisor) - &b) / (float(1.0) - &b);
        cut.to_rational().unwrap()
    }

    #[test]
    fn cuts_are_enclosed_closely() {
        for (epsilon, delta) in [(0.5, 0.25), (1.0, 0.125), (3.0, 0.75), (0.0625, 0.0078125)] {
            let law = Tulap::new(epsilon, delta).unwrap();
            let size = law.tails.as_ref().unwrap().size;
            for size in size - 4..size + 4 {
                let truth = exactly(epsilon, delta, size);
                for precision in [64, 192] {
                    let (low, high) = law.cut(size, precision).unwrap();
                    assert!(low <= truth && truth <= high, "{epsilon} {delta} {size} {precision}");
                    let width = Rational::from(1) >> (precision - 30);
                    assert!(high - low <= width * (Rational::from(truth.abs_ref()) + 1u32), "{epsilon} {delta} {size}");
                }
                assert_eq!(law.is_cut(size).unwrap(), truth > 0, "{epsilon} {delta} {size}");
            }
        }
    }

    /// Next to the cut, a decision is correct for the digits that were drawn, of l or of its mirror image.
    #[test]
    fn a_number_next_to_the_cut_is_decided_by_as_many_digits_as_it_takes() {
        use crate::testing::SeededEntropy;
        let law = Tulap::new(1.0, 0.125).unwrap();
        let tails = law.tails.as_ref().unwrap();
        let truth = exactly(1.0, 0.125, tails.size);
        let cut = i128::try_from(tails.cut).unwrap();
        let mut both = [0; 2];
        for (seed, offset) in (0..40).flat_map(|seed| (-3..=4i128).map(move |offset| (seed, offset))) {
            for mirrored in [false, true] {
                let word = if mirrored { (1 << 64) - 1 - (cut + offset) } else { cut + offset };
                let mut l = Draw::first_digits(u64::try_from(word).unwrap(), 64);
                let above = law.is_above(tails, &mut l, mirrored, &mut SeededEntropy::new(seed)).unwrap();
                let (low, high) = l.enclosure();
                let (low, high) = if mirrored { (1 - high, 1 - low) } else { (low, high) };
                assert!(if above { low >= truth } else { high <= truth }, "{seed} {offset} {mirrored} {above}");
                if (0..2).contains(&offset) {
                    both[usize::from(above)] += 1;
                }
            }
        }
        assert!(both[0] > 0 && both[1] > 0);
    }

    /// Nothing beyond the cut is kept on either side, and what lies next to it is.
    #[test]
    fn draws_reach_both_cuts_and_not_beyond() {
        use crate::testing::SeededEntropy;
        for (epsilon, delta) in [(1.0, 0.125), (0.25, 0.03125), (2.0, 0.25)] {
            let law = Tulap::new(epsilon, delta).unwrap();
            let size = law.tails.as_ref().unwrap().size;
            let truth = exactly(epsilon, delta, size);
            let mut nearest = [Rational::from(1), Rational::from(1)];
            let mut inner = [Rational::from(1), Rational::from(0)];
            let mut entropy = SeededEntropy::new(5);
            for _ in 0..20_000 {
                let (n, l) = law.draw::<crate::widths::Full>(&mut entropy).unwrap();
                assert!(n.abs() <= size);
                if n.abs() == size {
                    let (low, high) = l.enclosure();
                    let inside = if n > 0 { 1 - high } else { low };
                    assert!(inside >= truth, "{epsilon} {delta} {n}");
                    let side = &mut nearest[usize::from(n > 0)];
                    let gap = inside - &truth;
                    if gap < *side {
                        *side = gap;
                    }
                } else {
                    let [least, most] = &mut inner;
                    let (low, high) = l.enclosure();
                    (*least, *most) = (least.clone().min(low), most.clone().max(high));
                }
            }
            // All of l is kept elsewhere.
            assert!(inner[0] < 0.02 && inner[1] > 0.98, "{epsilon} {delta}");
            assert!(nearest.iter().all(|gap| *gap < 0.02), "{epsilon} {delta}");
        }
    }

    /// However little of the distribution is kept, a draw takes few rounds.
    #[test]
    fn draws_end_where_nearly_all_is_cut() {
        use crate::testing::SeededEntropy;
        let mut entropy = SeededEntropy::new(71);
        for (epsilon, delta) in
            [(2f64.powi(-40), 0.5), (2f64.powi(-40), 1e-3), (1e-6, 0.999), (1e-3, 1e-9), (1024.0, 0.999)]
        {
            let law = Tulap::new(epsilon, delta).unwrap();
            let size = law.tails.as_ref().unwrap().size;
            for _ in 0..200 {
                assert!(law.draw::<crate::widths::Full>(&mut entropy).unwrap().0.abs() <= size, "{epsilon} {delta}");
            }
        }
    }

    #[test]
    fn extremes() {
        for (epsilon, delta) in [(1e-12, 0.0), (1e-12, 5e-324), (1024.0, 5e-324), (1024.0, 0.5), (1e-12, 0.999)] {
            assert!(Tulap::new(epsilon, delta).is_ok(), "{epsilon} {delta}");
        }
        let error = |epsilon, delta| Tulap::new(epsilon, delta).map(|_| ());
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-13, 1025.0] {
            assert_eq!(error(epsilon, 0.0), Err(Error::Parameter(Rule::Epsilon)));
        }
        for delta in [-1e-9, 1.0, f64::NAN] {
            assert_eq!(error(1.0, delta), Err(Error::Parameter(Rule::Delta)));
        }
    }
}
