//! The Renyi divergences of Gaussian noise on a Poisson sample, at every real order.
//!
//! With `L = 1 - q + q e^x`, `x = (z - 1/2)/sigma^2` and z normal of standard deviation sigma, the divergence of order alpha of a sample with one
//! row more from one without it is `ln E L^alpha / (alpha - 1)`, and the greater of the two directions (Mironov, Talwar, Zhang 2019,
//! "Renyi differential privacy of the sampled Gaussian mechanism", Theorem 5). As `E L = 1`, `E L^alpha - 1` is the integral of
//! `g(L) = L^alpha - 1 - alpha (L - 1) >= 0`: positive terms, in which nothing cancels however small q is. The trapezoid rule sums it,
//! with an error that falls exponentially in the number of points, and that is bounded and charged. See `proofs/accounting/sampled_gaussian.md`.

use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Ball, Enclosure, exp_m1_near, exp_near, ln_1p_near},
};

/// Points of a sum, at most.
const POINTS: f64 = 8_192.0;
/// How many deviations are summed beyond either mode: `e^(-9.5^2/2) < 3e-20`.
const DEVIATIONS: f64 = 9.5;
/// What `e^x` and `ln(1 + x)`, and the few operations around them, may be off by.
const ROUNDING: f64 = f64::from_bits((1023 - 46) << 52);
/// Where the moment is larger than the exponential of this, a normal law is nothing beside it.
const CUT: f64 = 40.0;
/// Of what is only a product or an exponential.
const UNIT: f64 = f64::from_bits((1023 - 49) << 52);

/// The sampling rate and the standard deviation over the sensitivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sampled {
    pub(super) rate: f64,
    pub(super) sigma: f64,
}

impl Sampled {
    /// An upper bound on the divergence of order `1 + t`, for t > 0: within 1e-10 of it as far as the points go; else the divergence without
    /// sampling, which is more.
    pub(super) fn at(&self, t: f64) -> f64 {
        let half = t.inf_add(1.0).and_then(|alpha| alpha.inf_div(self.sigma)).and_then(|ratio| ratio.inf_div(2.0));
        let whole = half.and_then(|half| half.inf_div(self.sigma)).unwrap_or(f64::INFINITY);
        if self.rate == 0.0 {
            return 0.0;
        }
        if self.rate == 1.0 || t <= 0.0 {
            return whole;
        }
        let own = self.points(t).and_then(|points| points.logarithm());
        own.map_or(whole, |logarithm| logarithm.div(&Ball::exact(t)).upper().min(whole))
    }

    /// How far apart points are, and how far from the real line the integrand is looked at, such that the error is small.
    fn points(&self, t: f64) -> Option<Points> {
        let (alpha, sigma) = (1.0 + t, self.sigma);
        let square = sigma * sigma;
        if !(1e-3..=1e6).contains(&sigma) || alpha > 1e7 || self.rate < 1e-200 {
            return None;
        }
        // For orders below 2 the half plane Re L > 0 must not be left.
        let strip = if t >= 1.0 { std::f64::consts::PI * square } else { std::f64::consts::FRAC_PI_2 * square };
        let wanted = 36.0 + square.ln_1p();
        let normal = std::f64::consts::PI * sigma * (2.0 / wanted).sqrt();
        let distance = 2.0 * std::f64::consts::PI * square / normal;
        let (step, distance) = if distance <= strip {
            (normal, distance)
        } else {
            (2.0 * std::f64::consts::PI * strip / (wanted + strip * strip / (2.0 * square)), strip)
        };
        // In 20 bits, so that its multiples are exact.
        let step = f64::from_bits(step.to_bits() & !((1 << 33) - 1));
        // Seven deviations on either side of the mode are summed at least.
        let fits = 14.0 * sigma / step <= POINTS;
        fits.then_some(Points { sampled: *self, t, step, distance: distance * (1.0 - 1e-9) })
    }
}

struct Points {
    sampled: Sampled,
    t: f64,
    step: f64,
    distance: f64,
}

/// Sums over all points.
#[derive(Default)]
struct Sums {
    /// Of the integrand.
    value: f64,
    /// Of what rounding may have taken off it.
    error: f64,
    /// Of what bounds the integrand off the real line.
    around: f64,
    /// What lies beyond the last points, at most.
    beyond: f64,
    /// Whether what lies left of 1/2 is in none of these.
    is_cut: bool,
    count: f64,
}

impl Points {
    /// `ln E L^alpha`, from above.
    fn logarithm(&self) -> Option<Ball> {
        let (sigma, alpha) = (self.sampled.sigma, 1.0 + self.t);
        let exponent = |z: f64| {
            let x = (z - 0.5) / (sigma * sigma);
            let logarithm =
                if x > 600.0 { x + self.sampled.rate.ln() } else { ln_1p_near(self.sampled.rate * exp_m1_near(x)) };
            alpha * logarithm - z * z / (2.0 * sigma * sigma)
        };
        // Where the moment is large, at a point where its integrand is.
        let highest = exponent(alpha);
        let (shift, sums) = if highest > 1.0 { (highest, self.moment(highest)) } else { (0.0, self.excess()) };
        let weight = Ball::exact(self.step).div(&Ball::exact(sigma)).mul(&Ball::inverse_root_two_pi());
        let slack = (sums.count + 32.0) * UNIT;
        let sum = (sums.value + sums.error + sums.beyond) * (1.0 + 2.0 * slack);
        let aliased = self.aliasing((sums.around + sums.error + sums.beyond) * (1.0 + 2.0 * slack))?;
        let mut total = weight.mul(&Ball::exact(sum).add(&aliased));
        if !(1e-200..1e300).contains(&sum) || !(0.0..1e300).contains(&total.upper()) {
            return None;
        }
        if shift == 0.0 {
            // The left tail: g is at most alpha t rate^2 / (2 (1 - rate)) there.
            let rate = Ball::exact(self.sampled.rate);
            let most = rate.mul(&rate).mul(&Ball::exact(alpha * self.t)).div(&Ball::exact(1.0).sub(&rate));
            total = total.add(&most.mul(&Ball::exact(1.5e-20)));
            return Some(Ball::exact(total.upper()).ln_1p());
        }
        // Left of 1/2 L is at most 1: no more than the normal law, or its tail left of the points.
        let left = if sums.is_cut { 1.001 } else { 2e-20 };
        let total = total.add(&Ball::exact(left * exp_near(-shift.min(600.0))));
        Some(Ball::exact(total.upper()).ln().add(&Ball::exact(shift)))
    }

    /// By how much the sum of a function may differ from its integral over the step, if its size at the distance i d from the line is at most
    /// `e^(d^2/(2 sigma^2))` times one that has the same property and this sum.
    fn aliasing(&self, around: f64) -> Option<Ball> {
        let (d, sigma) = (Ball::exact(self.distance), Ball::exact(self.sampled.sigma));
        let density = Ball::inverse_root_two_pi();
        let two_pi = Ball::exact(1.0).div(&density.mul(&density));
        let growth = d.mul(&d).div(&sigma).div(&sigma).mul(&Ball::exact(0.5));
        let decay = d.mul(&two_pi).div(&Ball::exact(self.step));
        let share = growth.sub(&decay).exp().mul(&Ball::exact(2.001));
        let share = share.upper();
        (share < 1e-6).then(|| Ball::exact(around).mul(&Ball::exact(share * 1.001)))
    }

    /// From the left tail to the other: `term(z, sums)` adds a point and returns the size of its term.
    fn all(&self, mut term: impl FnMut(f64, &mut Sums) -> Option<f64>) -> Sums {
        let mut sums = Sums::default();
        self.rightwards(-(DEVIATIONS * self.sampled.sigma / self.step).ceil(), &mut sums, &mut term);
        sums
    }

    /// From an index on, until the rest is nothing.
    fn rightwards(&self, mut index: f64, sums: &mut Sums, mut term: impl FnMut(f64, &mut Sums) -> Option<f64>) {
        let (sigma, alpha) = (self.sampled.sigma, 1.0 + self.t);
        loop {
            let z = index * self.step;
            let Some(size) = term(z, sums).filter(|_| sums.count < POINTS) else {
                sums.value = f64::INFINITY;
                return;
            };
            sums.count += 1.0;
            index += 1.0;
            if z > alpha {
                // From here on each term is less than this share of the one before.
                let ratio = exp_near(-self.step * (z - alpha) / (sigma * sigma)) * (1.0 + UNIT);
                let beyond = size * ratio / (1.0 - ratio) * (1.0 + 1e-6);
                if ratio < 0.999 && beyond <= sums.value * 1e-13 || z > alpha + 2.0 * DEVIATIONS * sigma {
                    sums.beyond += if ratio < 0.999 { beyond } else { f64::INFINITY };
                    return;
                }
            }
        }
    }

    /// Of `L^alpha e^(-z^2/(2 sigma^2) - shift)`: from its size at alpha on both ways.
    fn moment(&self, shift: f64) -> Sums {
        let (sigma, alpha) = (self.sampled.sigma, 1.0 + self.t);
        let (rate, square) = (self.sampled.rate, sigma * sigma);
        let rate_logarithm = Ball::exact(rate).ln().upper();
        let term = |z: f64, sums: &mut Sums| {
            let x = (z - 0.5) / square;
            // Far out nothing but rate e^x counts.
            let logarithm = if x > 600.0 { x + rate_logarithm } else { ln_1p_near(rate * exp_m1_near(x)) };
            let (power, normal) = (alpha * logarithm, z * z / (2.0 * square));
            let value = exp_near(power - normal - shift);
            sums.value += value;
            sums.around += value;
            // Where L is small, what e^x is off by weighs more.
            let by_x = if rate > 0.5 { value * alpha * exp_near(-logarithm.max(-600.0)) } else { 0.0 };
            let error = (value * (4.0 + alpha * (1.0 + x.abs()) + normal + shift) + by_x) * ROUNDING;
            sums.error += error;
            (value < f64::INFINITY).then_some((value + error, power))
        };
        let (mut sums, middle) = (Sums::default(), (alpha / self.step).ceil());
        self.rightwards(middle, &mut sums, |z, sums| Some(term(z, sums)?.0));
        let (mut index, least) = (middle - 1.0, -(DEVIATIONS * sigma / self.step).ceil());
        while index >= least {
            let z = index * self.step;
            let Some((size, power)) = term(z, &mut sums).filter(|_| sums.count < POINTS) else {
                sums.value = f64::INFINITY;
                return sums;
            };
            sums.count += 1.0;
            if z > 0.5 && shift > CUT {
                // Down to 1/2, where L is 1, ln L lies below its chord: each term is less than this share of the one to its right.
                let (rise, fall) = (power / (z - 0.5), z / square);
                let slope = rise - fall - (rise.abs() + fall) * 1e-6;
                let ratio = exp_near(-self.step * slope) * (1.0 + UNIT);
                let beyond = size * ratio / (1.0 - ratio) * (1.0 + 1e-6);
                if ratio < 0.999 && beyond <= sums.value * 1e-13 {
                    (sums.beyond, sums.is_cut) = (sums.beyond + beyond, true);
                    return sums;
                }
            }
            index -= 1.0;
        }
        sums
    }

    /// Of `g(L) e^(-z^2/(2 sigma^2))`.
    fn excess(&self) -> Sums {
        let (rate, square, t) = (self.sampled.rate, self.sampled.sigma * self.sampled.sigma, self.t);
        let alpha = 1.0 + t;
        let half = alpha * t / 2.0;
        self.all(|z, sums| {
            let x = (z - 0.5) / square;
            let normal = z * z / (2.0 * square);
            let density = exp_near(-normal);
            let growth = exp_m1_near(x);
            // L - 1, and ln L.
            let less = rate * growth;
            let logarithm = ln_1p_near(less);
            if t * logarithm > 600.0 {
                // Far out in the right tail nothing but the power counts.
                let value = exp_near(alpha * logarithm - normal);
                sums.value += value;
                sums.error += value * (4.0 + alpha * (1.0 + x.abs()) + normal) * ROUNDING;
                let square = exp_near(2.0 * logarithm - normal) / (1.0 - rate);
                sums.around += half * 8.0 * if t >= 1.0 { value } else { square };
                return (value < f64::INFINITY).then_some(value);
            }
            let power = exp_m1_near(t * logarithm);
            let moment = (1.0 + less) * (power + 1.0);
            let is_small = less.abs() * (alpha + 2.0) < 0.1;
            let (value, size) = if is_small {
                // The binomial series from the second power on.
                let series =
                    (2u8..=13).rev().map(f64::from).fold(1.0, |sum, i| 1.0 + (alpha - i) * less / (i + 1.0) * sum);
                let value = half * less * less * series;
                (value, value)
            } else {
                let (first, second) = ((1.0 + less) * power, t * less);
                (first - second, first.abs() + second.abs())
            };
            // What x, e^x - 1 and L are off by: the derivative of g in L is alpha (L^t - 1).
            let by_less = alpha * power.abs() * rate * (off_by(x, growth) + (growth + 1.0) * x.abs() * UNIT);
            let by_logarithm = if less.abs() < 0.006 { logarithm.abs() } else { logarithm.abs().max(1.0) };
            let by_power = moment * t * by_logarithm * UNIT + (1.0 + less) * off_by(t * logarithm, power);
            let own = if is_small { 0.0 } else { by_power };
            sums.value += value * density;
            sums.error += density * 2.0 * (by_less + own + (size * 4.0 + value * (8.0 + normal)) * UNIT);
            let reach = growth + 2.0;
            let spread = if t >= 1.0 { (power + 1.0) / (1.0 + less) + 1.0 } else { 1.0 / (1.0 - rate) };
            sums.around += half * rate * rate * reach * reach * spread * density;
            let size = moment * density;
            (size < f64::INFINITY).then_some(size)
        })
    }
}

/// What `exp_m1_near(x)` may be off by, given what it is.
fn off_by(x: f64, value: f64) -> f64 {
    UNIT * if x.abs() < 0.006 { value.abs() } else { 2.0 * value + 2.2 }
}
