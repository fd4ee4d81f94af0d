//! A smooth end to large losses: what lies far out is dropped, and charged.
//!
//! An outcome y of the noise is kept with the probability `Q(s)` that a Poisson variable of mean `s = e^(k w + shift)`
//! is below an [`Sharpness`], 16 or 64, where w is the logarithm of the densities' ratio and k how steep the cut is: 1
//! where s is small, 0 where it is large, and an entire function of y.

use crate::pld::loss::angle::{Angle, of_parts, on_circle};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{Ball, ComplexBall, Enclosure, exp_near, exp_or_tiny, midpoint, one_over_two_pi},
};
use std::sync::LazyLock;

/// How sharp: more is sharper, and turns less on a contour beside the real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharpness {
    Soft,
    Sharp,
}

impl Sharpness {
    fn number(self) -> u32 {
        match self {
            Self::Soft => 16,
            Self::Sharp => 64,
        }
    }

    /// `ln n!`.
    fn log_factorial(self) -> Below {
        match self {
            Self::Soft => Below::promised(30.671_86),
            Self::Sharp => Below::promised(205.168_19),
        }
    }

    /// An s up to which `s^n/n!` is below 1e-29.
    fn next_to_zero(self) -> f64 {
        match self {
            Self::Soft => 0.1,
            Self::Sharp => 8.0,
        }
    }

    fn series(self) -> &'static Series {
        static SOFT: LazyLock<Series> = LazyLock::new(|| Series::new(16));
        static SHARP: LazyLock<Series> = LazyLock::new(|| Series::new(64));
        match self {
            Self::Soft => &SOFT,
            Self::Sharp => &SHARP,
        }
    }

    /// `ln(n/(n - 1)!)`.
    fn log_last(self) -> Above {
        match self {
            Self::Soft => Above::promised(-25.0),
            Self::Sharp => Above::promised(-196.8),
        }
    }
}

/// The factors of the series of an order n, and where the series are left off.
struct Series {
    /// `1/n!` and `1/(n - 1)!`.
    inverse: Ball,
    inverse_before: Ball,
    /// `n!/(n + k)!` for [`FEW`] terms, and for so many and n more.
    left: (Above, Above),
}

/// So many terms of what is dropped are enough where s is small, and n more up to n.
const FEW: u32 = 32;

impl Series {
    fn new(n: u32) -> Self {
        let over = |inverse: Ball, j: u32| inverse.div(&Ball::exact(f64::from(j)));
        let one = Ball::exact(1.0);
        let before = (2..n).fold(one, over);
        let left = |terms: u32| Above::of(&(n + 1..=n + terms).fold(one, over));
        Self { inverse: over(before, n), inverse_before: before, left: (left(FEW), left(FEW + n)) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Truncation {
    /// In logarithms of s.
    pub(crate) shift: f64,
    pub(crate) order: Sharpness,
    /// k: a power of two, 1 or more; more only for what is sharp.
    pub(crate) steepness: f64,
}

impl Truncation {
    /// One by which about half is kept where the logarithm of the ratio is `at`.
    pub(crate) fn at(at: f64) -> Self {
        Self::of(Sharpness::Soft, at)
    }

    /// The same of either sharpness.
    pub(crate) fn of(order: Sharpness, at: f64) -> Self {
        Self { shift: if order == Sharpness::Soft { 2.8 } else { 4.15 } - at, order, steepness: 1.0 }
    }

    /// One that drops next to nothing below where the logarithm of the ratio is `start`.
    pub(crate) fn from(start: f64, (order, steepness): (Sharpness, f64)) -> Self {
        let log_mean = if order == Sharpness::Soft { 1.4 } else { 3.5 };
        Self { shift: log_mean - start * steepness, order, steepness }
    }

    /// The logarithm of the ratio where that of s is so much, in floats.
    pub(crate) fn ratio_at(&self, log_mean: f64) -> f64 {
        (log_mean - self.shift) / self.steepness
    }

    /// True if it keeps no more than another, wherever that is, and to the same order.
    pub(crate) fn is_nearer(&self, far: &Self) -> bool {
        (far.order, far.steepness) == (self.order, self.steepness) && far.shift <= self.shift
    }

    /// `ln Q`, for the logarithm of the ratio.
    pub(crate) fn kept(&self, ratio: &Ball) -> Ball {
        let log_mean = self.log_mean_within(ratio);
        let mean = log_mean.exp();
        if mean.upper() < self.order.next_to_zero() {
            return Ball::between(-1e-29, 0.0);
        }
        if mean.upper() <= f64::from(self.order.number()) {
            return Ball::exact(0.0).sub(&self.dropped(&log_mean, &mean)).ln_1p();
        }
        // The series has a logarithm that grows by less than 1 in s.
        let (near, error) = midpoint(&mean);
        let sum = (1..self.order.number()).rev().fold(1.0, |sum, j| 1.0 + near / f64::from(j) * sum);
        let operations = 3 * self.order.number();
        let sum = Ball::between(Below::rounded(sum, operations).get(), Above::rounded(sum, operations).get());
        sum.ln().add(&Ball::between(-error, error)).sub(&mean)
    }

    /// `1 - Q`, from the logarithm of s and s, up to the order: to digits of its own where it is tiny.
    ///
    /// It is `e^-s s^n/n! (1 + s/(n + 1) (1 + s/(n + 2) (..)))`, of which what follows `s/(n + k)` is between 1 and 2
    /// where n + k is at least twice s.
    fn dropped(&self, log_mean: &Ball, mean: &Ball) -> Ball {
        let order = self.order.number();
        let terms = order + 64;
        let sum = |mean: f64, last: f64| {
            (order + 1..=order + terms).rev().fold(last, |sum, j| 1.0 + mean / f64::from(j) * sum)
        };
        let operations = 3 * terms;
        let least = Below::rounded(sum(mean.lower().max(0.0), 1.0), operations);
        let most = Above::rounded(sum(mean.upper(), 2.0), operations);
        let first = Ball::exact(f64::from(order)).mul(log_mean).sub(mean).exp();
        first.mul(&self.order.series().inverse).mul(&Ball::between(least.get(), most.get()))
    }

    /// s in floats, for estimates.
    pub(crate) fn mean(&self, ratio: f64) -> f64 {
        exp_near(ratio * self.steepness + self.shift)
    }

    /// The logarithm of s, from that of the ratio.
    pub(crate) fn log_mean(&self, ratio: Range) -> Range {
        ratio * self.steepness + self.shift
    }

    fn log_mean_within(&self, ratio: &Ball) -> Ball {
        ratio.mul(&Ball::exact(self.steepness)).add(&Ball::exact(self.shift))
    }

    /// `ln Q`, which falls in s, for an s that is a float.
    pub(crate) fn log_kept(&self, mean: f64) -> Above {
        // The series is at most `n s^(n-1)/(n-1)!`.
        if mean > 1e4 {
            // Logarithms of floats are known up to 2^900.
            let mean = mean.min(1e270);
            let log_mean = (Above::exact(mean) - 1.0).ln_1p();
            return log_mean * (f64::from(self.order.number()) - 1.0) + self.order.log_last() - mean;
        }
        if mean < self.order.next_to_zero() {
            return Above::ZERO;
        }
        let (sum, operations) = self.series(mean);
        ((Above::rounded(sum, operations) - 1.0).ln_1p() - mean).or(Above::ZERO)
    }

    /// The same from below.
    pub(crate) fn log_kept_at_least(&self, mean: f64) -> Below {
        if mean > 1e4 {
            return Below::UNKNOWN;
        }
        if mean < self.order.next_to_zero() {
            return Below::promised(-1e-28);
        }
        let (sum, operations) = self.series(mean);
        (Below::rounded(sum, operations) - 1.0).ln_1p() - mean
    }

    /// The sum of `s^j/j!` below the order in floats, and by how many operations in a row: each term comes from the one
    /// before by two, and is added.
    fn series(&self, mean: f64) -> (f64, u32) {
        let (mut term, mut sum) = (1.0, 1.0);
        for j in 1..self.order.number() {
            term *= mean / f64::from(j);
            sum += term;
        }
        (sum, 3 * self.order.number())
    }

    /// The logarithm of `|1 - Q|` where s has turned by an angle, from the logarithm of |s| and what
    /// [`saturated`](Self::saturated) says of that angle.
    ///
    /// For an order n, `1 - Q = int_0^s u^(n-1) e^-u du/(n-1)!`, along a ray at most
    /// `int_0^|s| r^(n-1) e^(-r cos) dr/(n-1)!`: at most `|s|^n/n!` and `cos^-n`.
    pub(crate) fn log_dropped(&self, log_mean: Above, saturated: Above) -> Above {
        (log_mean * f64::from(self.order.number()) - self.order.log_factorial()).or(saturated)
    }

    /// `s^n/n!`, from the logarithm of |s|: `|1 - Q|` is at most that wherever s has turned by up to a quarter turn.
    pub(crate) fn dropped_at_most(&self, log_mean: Above) -> Above {
        (log_mean * f64::from(self.order.number()) - self.order.log_factorial()).exp()
    }

    /// The logarithm of `cos^-n`.
    pub(crate) fn saturated(&self, cosine: Below) -> Above {
        -((cosine - 1.0).ln_1p() * f64::from(self.order.number()))
    }

    /// `ln |Q|`, from the logarithm of |s|, where s has turned by an angle with this cosine: `e^(-s cos)` times the
    /// exponential series' beginning, which is at most `e^s` and at most `n s^(n-1)/(n-1)!` from n on; and at most that
    /// of `1 + |1 - Q|`.
    pub(crate) fn log_kept_off_axis(&self, log_mean: Range, cosine: Below) -> Above {
        let mean = log_mean.exp();
        let order = f64::from(self.order.number());
        let series = (log_mean.above * (order - 1.0) + self.order.log_last()).max(Above::exact(order));
        (mean.above.or(series) - mean.below * cosine).or(self.dropped_at_most(log_mean.above).ln_1p())
    }

    /// Q and `1 - Q` of an s that has turned by an angle, the second with digits of its own where it is tiny if that is
    /// wanted.
    pub(crate) fn split(&self, ratio: &Ball, angle: &Angle, is_dropped_wanted: bool) -> (ComplexBall, ComplexBall) {
        let (one, about) = (ComplexBall::ONE, |x: f64, radius: f64| ComplexBall::new(x, 0.0, radius));
        let one_plus = |x: ComplexBall| one.add(&x);
        let size = self.log_mean_within(ratio);
        let order = self.order.number();
        // |1 - Q| is at most |s|^16/16!, or less.
        if size.upper() < -2.0 && !is_dropped_wanted {
            return (about(1.0, 1e-27), about(0.0, 1e-27));
        }
        // e^(-s cos) n s^(n-1)/(n-1)! for s above 2000 and a cosine above 1/2, from where on it falls.
        if size.lower() > 7.61 && angle.cosine.lower() > 0.5 {
            return (about(0.0, 1e-290), about(1.0, 1e-290));
        }
        let mean = size.exp();
        let (along, across) = (mean.mul(&angle.cosine), mean.mul(&angle.sine));
        // e^-s s^k/k!, from 1/k!.
        let term = |power: u32, inverse_factorial: &Ball| {
            let power = Ball::exact(f64::from(power));
            let turns = power.mul(&angle.turns).sub(&across.mul(&one_over_two_pi()));
            let modulus = exp_or_tiny(&power.mul(&size).sub(&along));
            ComplexBall::real(midpoint(&modulus.mul(inverse_factorial))).mul(&on_circle(&turns))
        };
        let turned = of_parts(&along, &across);
        let Series { inverse, inverse_before, left } = self.order.series();
        if mean.upper() > f64::from(order) {
            // Q = e^-s s^(n-1)/(n-1)! (1 + (n-1)/s (1 + (n-2)/s (...))).
            let small = turned.inverse();
            let step = |sum: ComplexBall, j: u32| one_plus(sum.mul(&small.scale(f64::from(j))));
            let sum = (1..order).fold(one, step);
            let kept = term(order - 1, inverse_before).mul(&sum);
            return (kept, one_plus(kept.neg()));
        }
        // 1 - Q = e^-s s^n/n! (1 + s/(n+1) (1 + s/(n+2) (...))), of which what follows s/(n+k) is within 1 of 1, as
        // n + k is at least twice |s|; that is times s^k n!/(n + k)! by then.
        let (terms, left) = if mean.upper() <= 8.0 { (FEW, left.0) } else { (FEW + order, left.1) };
        let step = |sum: ComplexBall, j: u32| one_plus(sum.mul(&turned.scale(1.0 / f64::from(j))));
        let sum = (order + 1..=order + terms).rev().fold(one, step);
        let sum = sum.add(&about(0.0, (Above::of(&mean).power(terms) * left).get()));
        let dropped = term(order, inverse).mul(&sum);
        (one_plus(dropped.neg()), dropped)
    }

    /// The logarithm of the ratio from which on a density falls at a rate of at least `fall`, even where s has turned
    /// by up to a sixth of a turn. Without the truncation it grows at a rate of at most `growth + 1`, in this
    /// logarithm; and, where that is at least `ln 2`, of at most s times `over_mean`, and 1.
    ///
    /// `-d ln Q/d ln s >= s - n + 1`, and half of s counts.
    pub(crate) fn end(&self, growth: Above, over_mean: Above, fall: Above) -> Above {
        // In `ln s`, which rises so many times as fast.
        let slower = 1.0 / self.steepness;
        let (growth, over_mean, fall) = (growth * slower, over_mean * slower, fall * slower);
        let rest = fall + 1.0 + f64::from(self.order.number());
        let end = |mean: Above| ((mean - 1.0).ln_1p() - self.shift) * slower;
        let always = end((growth + rest) * 2.0);
        // A quarter of s is left.
        let is_slow = over_mean.get() <= 0.25;
        if is_slow { always.or(end(rest * 4.0).max(Above::promised(0.694))) } else { always }
    }
}

impl Truncation {
    /// More than what is kept at an angle may grow by in the logarithm of the ratio: see the page.
    pub(crate) fn growth(&self) -> f64 {
        f64::from(self.order.number()) * self.steepness
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct_numeric::enclosure::Bounds;
    use proptest::prelude::*;
    use rug::{Float, float::Constant};

    /// Q of an s that has turned, by its sum in 300 bits.
    fn truth(size: f64, angle: f64, order: Sharpness) -> (f64, f64) {
        let float = |x: f64| Float::with_val(300, x);
        let (mut re, mut im) = (float(0.0), float(0.0));
        let mut term = float(1.0);
        for j in 0..order.number() {
            if j > 0 {
                term = term * size / j;
            }
            let turned = float(angle) * j;
            re += float(1.0) * &term * turned.clone().cos();
            im += float(1.0) * &term * turned.sin();
        }
        let (cosine, sine) = (float(angle).cos(), float(angle).sin());
        let falls = (-cosine * size).exp();
        let turned = -sine * size;
        let (c, s) = (turned.clone().cos(), turned.sin());
        let (re, im) = (float(1.0) * &re * &c - float(1.0) * &im * &s, re * s + im * c);
        ((re * &falls).to_f64(), (im * falls).to_f64())
    }

    #[test]
    fn what_is_kept_and_dropped_contains_the_truth_and_keeps_below_its_bounds() {
        let near = |x: f64| Ball::between(x - 1e-15, x + 1e-15);
        let mut worst = 0f64;
        let sizes = [1e-3f64, 0.3, 2.0, 7.9, 8.1, 16.0, 30.0, 60.0, 70.0, 100.0, 3e4];
        for (order, size) in
            [Sharpness::Soft, Sharpness::Sharp].into_iter().flat_map(|order| sizes.map(|size| (order, size)))
        {
            for angle in [0.0f64, 0.1, 0.5, 1.0] {
                let truncation = Truncation { shift: 0.25, order, steepness: 1.0 };
                let ratio = size.ln() - 0.25;
                let size = (ratio + 0.25).exp();
                let turned = Angle::of_turns(angle / std::f64::consts::TAU);
                let (kept, dropped): (ComplexBall, ComplexBall) = truncation.split(&near(ratio), &turned, true);
                let (re, im) = truth(size, angle, order);
                let off = (kept.re - re).hypot(kept.im - im);
                assert!(off <= kept.radius + 1e-13 * (1.0 + re.hypot(im)), "{size} {angle}: {off:e} {:e}", kept.radius);
                let off = (dropped.re - (1.0 - re)).hypot(dropped.im + im);
                assert!(off <= dropped.radius + 1e-13 * (1.0 + re.hypot(im)), "{size} {angle}");
                let log_size = Range::around(size.ln(), Above::promised(1e-9));
                let cosine = Below::promised(angle.cos() - 1e-9);
                let bound = truncation.log_kept_off_axis(log_size, cosine).exp().get();
                assert!(re.hypot(im) <= bound * (1.0 + 1e-9), "{order:?} {size} {angle}");
                worst = worst.max(if size > 100.0 { 0.0 } else { kept.radius / (1.0 + re.hypot(im)) });
                let bound = truncation.log_dropped(log_size.above, truncation.saturated(cosine)).get();
                assert!(dropped.modulus() - dropped.radius <= bound.exp() + 2.0 * dropped.radius, "{size} {angle}");
                let (least, most) = (truncation.log_kept_at_least(size).get(), truncation.log_kept(size).get());
                assert!(re.hypot(im) <= (most + size * (1.0 - angle.cos())).exp() + 1e-12, "{size} {angle}");
                if angle == 0.0 && size < 100.0 {
                    // Up to the order to digits of what is dropped.
                    let wide = truncation.kept(&Ball::exact(ratio)).bounds();
                    let widest = if size < f64::from(order.number()) { 1e-12 * (1.0 - re) + 1e-28 } else { 1e-11 };
                    assert!(wide.upper - wide.lower <= widest, "{order:?} {size}: {wide:?}");
                    let Bounds { lower, upper } = truncation.kept(&near(ratio)).bounds();
                    assert!(lower.exp() <= re + 1e-12 && re <= upper.exp() + 1e-12, "{size}");
                    assert!(most >= lower && most <= upper + 1e-6, "{size}");
                    assert!(least <= upper && least >= lower - 1e-6, "{size}");
                }
            }
        }
        assert!(worst < 1e-8, "{worst:e}");
        // What is small is known to its own digits.
        let (_, dropped): (ComplexBall, ComplexBall) =
            Truncation { shift: 0.0, order: Sharpness::Soft, steepness: 1.0 }.split(
                &near(-3.0),
                &Angle::of_turns(0.0),
                true,
            );
        assert!(dropped.re > 0.0 && dropped.radius < 1e-11 * dropped.re);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// To the last digits, and each to digits of its own: what is dropped up to the order, what is kept from there.
        #[test]
        fn what_is_small_is_known(log_mean in -3.0f64..7.6, turns in 0.0f64..0.16, is_soft: bool) {
            let order = if is_soft { Sharpness::Soft } else { Sharpness::Sharp };
            let truncation = Truncation { shift: 0.0, order, steepness: 1.0 };
            let angle_of_mean = Angle::of_turns(turns);
            let (kept, dropped) = truncation.split(&Ball::exact(log_mean), &angle_of_mean, true);
            // 2500 bits: what is dropped is a difference from 1.
            let float = |x: f64| Float::with_val(2500, x);
            let (size, angle) = (float(log_mean).exp(), float(turns) * Float::with_val(2500, Constant::Pi) * 2u32);
            let at = |k: u32, size: &Float| {
                let (sine, cosine) = (angle.clone() * k).sin_cos(float(0.0));
                (cosine * size, sine * size)
            };
            let (mut term, (mut re, mut im)) = (float(1.0), (float(0.0), float(0.0)));
            for k in 0..order.number() {
                let (x, y) = at(k, &term);
                (re, im) = (re + x, im + y);
                term = term * &size / (k + 1);
            }
            let (along, across) = at(1, &size);
            let (sine, cosine) = (-across).sin_cos(float(0.0));
            let falls = (-along).exp();
            let truth = ((re.clone() * &cosine - im.clone() * &sine) * &falls, (re * sine + im * cosine) * falls);
            let off = |x: &ComplexBall, (re, im): &(Float, Float)| {
                (re.clone() - x.re).hypot(&(im.clone() - x.im)).to_f64()
            };
            let rest = (float(1.0) - &truth.0, -truth.1.clone());
            prop_assert!(off(&kept, &truth) <= kept.radius, "{kept:?} {:e}", off(&kept, &truth));
            prop_assert!(off(&dropped, &rest) <= dropped.radius, "{dropped:?} {:e}", off(&dropped, &rest));
            let (small, size_of_small) =
                if size <= order.number() { (dropped, &rest) } else { (kept, &truth) };
            let size_of_small = size_of_small.0.clone().hypot(&size_of_small.1);
            // No radius is below 2^-400.
            prop_assert!(small.radius <= 3e-14 * size_of_small.to_f64() + 1e-119, "{log_mean} {small:?}");
        }
    }
}
