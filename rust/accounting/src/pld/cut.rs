//! A smooth end to large losses: what lies far out is dropped, and charged.
//!
//! An outcome y of the noise is kept with the probability `Q(s)` that a Poisson variable of mean `s = e^(w + shift)` is below an [`Order`], 16 or 64, where w is the
//! logarithm of the densities' ratio: 1 where s is small, 0 where it is large, and an entire function of y.

use super::{
    disk::{Disk, circle},
    lattice::safe_exp,
    transform::middle,
};
use indistinct_numeric::enclosure::{Ball, Enclosure, exp_near, ln_1p_near};

/// How sharp: more is sharper, and turns less on a line beside the real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Soft,
    Sharp,
}

impl Order {
    fn number(self) -> u32 {
        match self {
            Self::Soft => 16,
            Self::Sharp => 64,
        }
    }

    /// `ln n!`, rounded down.
    fn log_factorial(self) -> f64 {
        match self {
            Self::Soft => 30.671_86,
            Self::Sharp => 205.168_19,
        }
    }

    /// An upper bound on `ln(n/(n - 1)!)`.
    fn log_last(self) -> f64 {
        match self {
            Self::Soft => -25.0,
            Self::Sharp => -196.8,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// In logarithms of s.
    pub(super) shift: f64,
    pub(super) order: Order,
}

impl Cut {
    /// One by which about half is kept where the logarithm of the ratio is `at`.
    pub(super) fn at(at: f64) -> Self {
        Self { shift: 2.8 - at, order: Order::Soft }
    }

    /// One that drops next to nothing below where the logarithm of the ratio is `start`.
    pub(super) fn from(start: f64, order: Order) -> Self {
        let log_mean = if order == Order::Soft { 1.4 } else { 3.5 };
        Self { shift: log_mean - start, order }
    }

    /// `ln Q`, for the logarithm of the ratio.
    pub(super) fn kept(&self, ratio: &Ball) -> Ball {
        let mean = ratio.add(&Ball::exact(self.shift)).exp();
        // 0.1^16/16! is below 1e-29.
        if mean.upper() < 0.1 {
            return Ball::between(-1e-29, 0.0);
        }
        // The series has a logarithm that grows by less than 1 in s; each of its terms, up to 63, rounds by less than 3 units of the sum.
        let (near, error) = middle(&mean);
        let sum = (1..self.order.number()).rev().fold(1.0, |sum, j| 1.0 + near / f64::from(j) * sum);
        let off = (error + 3e-14) * 1.000_001;
        Ball::exact(sum).ln().add(&Ball::between(-off, off)).sub(&mean)
    }

    /// s in floats, within `10^-10` of itself.
    pub(super) fn mean(&self, ratio: f64) -> f64 {
        exp_near(ratio + self.shift)
    }

    /// An upper bound on `ln Q`, for an s in floats: the series is far below `e^(s/2)` from 10^4 on.
    pub(super) fn log_most_kept(&self, mean: f64) -> f64 {
        if mean > 1e4 {
            return -mean * 0.5;
        }
        // 0.1^16/16! is below 1e-29.
        if mean < 0.1 {
            return 0.0;
        }
        let (mut term, mut sum) = (1.0, 1.0);
        for j in 1..self.order.number() {
            term *= mean / f64::from(j);
            sum += term;
        }
        (ln_1p_near(sum - 1.0) - mean + (mean + 1.0) * 1e-9).min(0.0)
    }

    /// An upper bound on the logarithm of `|1 - Q|` where s has turned by an angle whose cosine is at least `cosine`, from the logarithm of |s|.
    ///
    /// For an order n, `1 - Q = int_0^s u^(n-1) e^-u du/(n-1)!`, along a ray at most `int_0^|s| r^(n-1) e^(-r cos) dr/(n-1)!`: at most `|s|^n/n!` and `cos^-n`.
    pub(super) fn most_dropped(&self, log_mean: f64, cosine: f64) -> f64 {
        let order = f64::from(self.order.number());
        (order * log_mean - self.order.log_factorial()).min(-order * ln_1p_near(cosine - 1.0)) + 1e-6
    }

    /// An upper bound on `ln |Q|`, from that of |s|, where s has turned by an angle whose cosine is at least `cosine`: `e^(-s cos)` times the exponential series' beginning, which is at most `e^s` and at
    /// most `n s^(n-1)/(n-1)!` from n on.
    pub(super) fn most_kept(&self, log_mean: f64, cosine: f64) -> f64 {
        let mean = exp_near(log_mean.min(600.0));
        let order = f64::from(self.order.number());
        mean.min(((order - 1.0) * log_mean + self.order.log_last()).max(order)) - mean * cosine * 0.999_999 + 1e-6
    }

    /// Q and `1 - Q` of an s that has turned, the second with digits of its own where it is tiny if that is wanted: its size, and the cosine and the sine of its angle.
    pub(super) fn split(&self, ratio: &Ball, (cosine, sine): (Ball, Ball), is_dropped_wanted: bool) -> (Disk, Disk) {
        let size = ratio.add(&Ball::exact(self.shift));
        let order = self.order.number();
        // |1 - Q| is at most |s|^16/16!, or less.
        if size.upper() < -2.0 && !is_dropped_wanted {
            let dropped = Disk::new(0.0, 0.0, 1e-27);
            return (Disk::ONE.add(&dropped), dropped);
        }
        // e^(-s cos) n s^(n-1)/(n-1)! for s above 10^4 and a cosine above 1/2.
        if size.lower() > 9.3 && cosine.lower() > 0.5 {
            let kept = Disk::new(0.0, 0.0, 1e-290);
            return (kept, Disk::ONE.add(&kept));
        }
        let size = size.exp();
        let two_pi = Ball::exact(1.0).div(&Ball::inverse_root_two_pi().mul(&Ball::inverse_root_two_pi()));
        let falls = Disk::real(middle(&safe_exp(&Ball::exact(0.0).sub(&size.mul(&cosine)))));
        let (turn, error) = middle(&Ball::exact(0.0).sub(&size.mul(&sine)).div(&two_pi));
        let falls = falls.mul(&circle(turn, error));
        let (re, im) = (middle(&size.mul(&cosine)), middle(&size.mul(&sine)));
        let mean = Disk::new(re.0, im.0, re.1 + im.1);
        let step = |sum: Disk, j: u32| Disk::ONE.add(&sum.mul(&mean.scale(1.0 / f64::from(j))));
        if size.upper() > 8.0 {
            let kept = falls.mul(&(1..order).rev().fold(Disk::ONE, step));
            return (kept, Disk::ONE.add(&kept.neg()));
        }
        // 1 - Q = e^-s s^n/n! (1 + s/(n + 1) (1 + s/(n + 2) (...))), of which what follows s/(n + 32) is within 0.2 of 1.
        let sum = (order + 1..=order + 32).rev().fold(Disk::new(1.0, 0.0, 1.0), step);
        let power = (1..=order).fold(falls, |power, j| power.mul(&mean.scale(1.0 / f64::from(j))));
        let dropped = power.mul(&sum);
        (Disk::ONE.add(&dropped.neg()), dropped)
    }

    /// The logarithm of the ratio from which on a law that otherwise grows at a rate of at most `growth + 1` in this logarithm falls at a rate of at least `fall`, even where s
    /// has turned by up to a sixth of a turn: `-d ln Q/d ln s >= s - n + 1`, and half of s counts.
    pub(super) fn end(&self, growth: f64, fall: f64) -> f64 {
        let mean = 2.0 * (f64::from(self.order.number()) + growth.max(0.0) + 1.0 + fall);
        ln_1p_near(mean - 1.0) * 1.000_001 - self.shift + 1e-6
    }
}

impl Cut {
    /// More than what is kept at an angle may grow by in `ln s`: see the page.
    pub(super) fn growth(&self) -> f64 {
        f64::from(self.order.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct_numeric::enclosure::Bounds;
    use rug::Float;

    /// Q of an s that has turned, by its sum in 300 bits.
    fn truth(size: f64, angle: f64, order: Order) -> (f64, f64) {
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
        for (order, size) in [Order::Soft, Order::Sharp].into_iter().flat_map(|order| sizes.map(|size| (order, size))) {
            for angle in [0.0f64, 0.1, 0.5, 1.0] {
                let cut = Cut { shift: 0.25, order };
                let ratio = size.ln() - 0.25;
                let size = (ratio + 0.25).exp();
                let (kept, dropped) = cut.split(&near(ratio), (near(angle.cos()), near(angle.sin())), true);
                let (re, im) = truth(size, angle, order);
                let off = (kept.re - re).hypot(kept.im - im);
                assert!(off <= kept.radius + 1e-13 * (1.0 + re.hypot(im)), "{size} {angle}: {off:e} {:e}", kept.radius);
                let off = (dropped.re - (1.0 - re)).hypot(dropped.im + im);
                assert!(off <= dropped.radius + 1e-13 * (1.0 + re.hypot(im)), "{size} {angle}");
                let bound = cut.most_kept(size.ln() + 1e-9, angle.cos() - 1e-9).exp();
                assert!(re.hypot(im) <= bound * (1.0 + 1e-9), "{order:?} {size} {angle}");
                worst = worst.max(if size > 100.0 { 0.0 } else { kept.radius / (1.0 + re.hypot(im)) });
                let bound = cut.most_dropped(size.ln() + 1e-9, angle.cos() - 1e-9);
                assert!(dropped.modulus() - dropped.radius <= bound.exp() + 2.0 * dropped.radius, "{size} {angle}");
                let most = cut.log_most_kept(size);
                assert!(re.hypot(im) <= (most + size * (1.0 - angle.cos())).exp() + 1e-12, "{size} {angle}");
                if angle == 0.0 && size < 100.0 {
                    let Bounds { lower, upper } = cut.kept(&near(ratio)).bounds();
                    assert!(lower.exp() <= re + 1e-12 && re <= upper.exp() + 1e-12, "{size}");
                    assert!(most >= lower && most <= upper + 1e-6, "{size}");
                }
            }
        }
        assert!(worst < 1e-8, "{worst:e}");
        // What is small is known to its own digits.
        let (_, dropped) = Cut { shift: 0.0, order: Order::Soft }.split(&near(-3.0), (near(1.0), near(0.0)), true);
        assert!(dropped.re > 0.0 && dropped.radius < 1e-11 * dropped.re);
    }
}
