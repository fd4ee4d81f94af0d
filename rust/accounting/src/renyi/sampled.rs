//! The Renyi divergences of Gaussian noise on a Poisson sample, at every real order.
//!
//! With `L = 1 - q + q e^x`, `x = (z - 1/2)/sigma^2` and z normal of standard deviation sigma, the divergence of order
//! alpha of a sample with one row more from one without it is `ln E L^alpha / (alpha - 1)`, and the greater of the two
//! directions (Mironov, Talwar, Zhang 2019, "Renyi differential privacy of the sampled Gaussian mechanism", Theorem 5).
//! As `E L = 1`, `E L^alpha - 1` is the integral of `g(L) = L^alpha - 1 - alpha (L - 1) >= 0`: positive terms, in which
//! nothing cancels however small q is. The trapezoid rule sums it, with an error that falls exponentially in the number
//! of points, and that is bounded and charged. See `proofs/accounting/sampled_gaussian.md`.

use indistinct_numeric::{
    Above, Below, RoundedArithmetic,
    enclosure::{Ball, Enclosure, exp_m1_near, exp_near, ln_1p_near},
};

/// Points of a sum, at most. This and the next four are choices: others cost time or width, never truth.
const POINTS: u32 = 8_192;
/// The error of the trapezoid rule is to be about the exponential of minus this.
const WANTED: f64 = 36.0;
/// The error of the trapezoid rule is bounded up to this share of the sum.
const MOST_ALIASING: f64 = 1e-6;
/// Where the rest of a sum is this share of it, it is charged instead.
const NEGLIGIBLE: f64 = 1e-13;
/// Where the moment is larger than the exponential of this, a normal distribution is nothing beside it.
const CUT: f64 = 40.0;
/// How many deviations are summed beyond either mode.
const DEVIATIONS: f64 = 9.5;
/// More than the normal distribution has beyond these: `Phi(-9.5) < 1.1e-21`.
const LEFT_TAIL: f64 = 2e-20;
/// More than `e^-700`, below which `exp_near` is 0.
const LEAST: f64 = 1e-304;
/// The error of `e^x` and `ln(1 + x)`, and of the few operations around them.
const ROUNDING: f64 = f64::from_bits((1023 - 46) << 52);
/// The error of a product or an exponential alone.
const UNIT: f64 = f64::from_bits((1023 - 49) << 52);
/// Errors are bounded to first order: so many times that is more.
const FIRST_ORDER: f64 = 2.0;
/// Roundings of what is made of sums, at most.
const OPERATIONS: u32 = 32;
/// The relative error of a sum that bounds the integrand off the real line: the error of its terms, which is less
/// than an eighth of [`MOST_OFF`], and what lies left of 1/2 if that is in no sum, which is below `e^-CUT`.
const AROUND: f64 = 0.25;
/// An error of a term is bounded to first order up to this share of the term.
const MOST_OFF: f64 = 1.0;

/// The sampling rate and the standard deviation over the sensitivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sampled {
    pub(super) rate: f64,
    pub(super) sigma: f64,
}

impl Sampled {
    /// An upper bound on the divergence of order `1 + t`, for t > 0: near it as far as the points go; else the
    /// divergence without sampling, which is more.
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

    /// How far apart points are, and how far from the real line the integrand is looked at, such that the error is
    /// small.
    fn points(&self, t: f64) -> Option<Points> {
        let (alpha, sigma) = (1.0 + t, self.sigma);
        let square = sigma * sigma;
        if !(1e-3..=1e6).contains(&sigma) || alpha > 1e7 || self.rate < 1e-200 {
            return None;
        }
        // The integrand is analytic up to pi sigma^2; for orders below 2 the half plane Re L > 0 must not be left.
        let turns = if t >= 1.0 { 0.5 } else { 0.25 };
        let strip = (Below::TWO_PI * Below::exact(sigma).squared() * turns).get();
        let wanted = WANTED + square.ln_1p();
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
        let fits = 14.0 * sigma / step <= f64::from(POINTS);
        fits.then_some(Points { sampled: *self, t, step, distance })
    }
}

struct Points {
    sampled: Sampled,
    t: f64,
    step: f64,
    distance: f64,
}

/// Sums over all points, in floats where what rounds is charged in the end.
#[cfg_attr(test, derive(Debug))]
struct Sums {
    /// The sum of the integrand.
    value: f64,
    /// The sum of the rounding errors.
    error: f64,
    /// The sum of bounds on the integrand off the real line, and its last term; 0 where that is the integrand itself.
    around: f64,
    last_around: f64,
    /// The sum beyond the last points.
    beyond: Above,
    /// The part of the sum `around` beyond the last points.
    around_beyond: Above,
    /// True if what lies left of 1/2 is in none of these.
    is_cut: bool,
    count: u32,
}

impl Sums {
    /// The sums of no points.
    const EMPTY: Self = Self {
        value: 0.0,
        error: 0.0,
        around: 0.0,
        last_around: 0.0,
        beyond: Above::ZERO,
        around_beyond: Above::ZERO,
        is_cut: false,
        count: 0,
    };
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
        let charged = |sum: f64| Above::rounded(sum, sums.count + OPERATIONS) + sums.beyond;
        let share = self.aliasing()?;
        let sum = charged(sums.value + sums.error);
        let aliased = (charged(sums.around + sums.error) + sums.around_beyond) * (1.0 + AROUND) * share;
        let total = Above::of(&weight.mul(&Ball::exact((sum + aliased).get())));
        if !(1e-200..1e300).contains(&sum.get()) || !(0.0..1e300).contains(&total.get()) {
            return None;
        }
        if shift == 0.0 {
            // The left tail: g is at most alpha t rate^2 / (2 (1 - rate)) there.
            let rate = Above::exact(self.sampled.rate);
            let most = (self.order() * self.t) * rate.squared() * 0.5 / (Below::exact(1.0) - rate);
            return Some(Ball::exact((total + most * LEFT_TAIL).get()).ln_1p());
        }
        // Left of 1/2 L is at most 1: no more than the sum of the normal distribution, or its tail left of the points.
        let left = if sums.is_cut { share + 1.0 } else { Above::exact(LEFT_TAIL) };
        let total = total + left * Above::exact(-shift.min(600.0)).exp();
        Some(Ball::exact(total.get()).ln().add(&Ball::exact(shift)))
    }

    /// The order, which is rounded as a float.
    fn order(&self) -> Above {
        Above::exact(1.0) + self.t
    }

    /// By what share of a sum a function's sum may differ from its integral over the step, if its size at the distance
    /// i d from the line is at most `e^(d^2/(2 sigma^2))` times one that has the same property and this sum.
    fn aliasing(&self) -> Option<Above> {
        let (d, sigma) = (Ball::exact(self.distance), Ball::exact(self.sampled.sigma));
        let density = Ball::inverse_root_two_pi();
        let two_pi = Ball::exact(1.0).div(&density.mul(&density));
        let growth = d.mul(&d).div(&sigma).div(&sigma).mul(&Ball::exact(0.5));
        let decay = d.mul(&two_pi).div(&Ball::exact(self.step));
        // Of the integral: 2 e^growth / (e^decay - 1), which is at most 2 s/(1 - s) for s = e^(growth - decay).
        let fallen = Above::of(&growth.sub(&decay).exp());
        let share = fallen * 2.0 / (Below::exact(1.0) - fallen * 3.0);
        (share.get() < MOST_ALIASING).then_some(share)
    }

    /// From the left tail to the other: `term(z, sums)` adds a point and returns two bounds on its size, as below.
    fn all(&self, mut term: impl FnMut(f64, &mut Sums) -> Option<(f64, f64)>) -> Sums {
        let mut sums = Sums::EMPTY;
        // What bounds the integrand off the line grows no faster than `e^(2 x)` or the power.
        let from = (1.0 + self.t).max(2.0);
        self.rightwards(-(DEVIATIONS * self.sampled.sigma / self.step).ceil(), from, &mut sums, &mut term);
        sums
    }

    /// From an index on, until the rest is nothing, right of a point where all falls. Of the two bounds on a term's
    /// size the first grows no faster than `e^(alpha x)` times the normal density, and the second than `e^(2 x)` or
    /// that.
    fn rightwards(
        &self,
        mut index: f64,
        from: f64,
        sums: &mut Sums,
        mut term: impl FnMut(f64, &mut Sums) -> Option<(f64, f64)>,
    ) {
        let (sigma, alpha) = (self.sampled.sigma, 1.0 + self.t);
        loop {
            let z = index * self.step;
            let Some((power, square)) = term(z, sums).filter(|_| sums.count < POINTS) else {
                sums.value = f64::INFINITY;
                return;
            };
            sums.count += 1;
            index += 1.0;
            if z > from {
                // From where the normal density falls faster on, each is less than this share of the one before. Where
                // the sum ends is decided in floats; what is charged then is not.
                let about = |size: f64, growth: f64| {
                    let ratio = exp_near(-self.step * (z - growth) / (sigma * sigma));
                    if ratio < 1.0 { size * ratio / (1.0 - ratio) } else { f64::INFINITY }
                };
                let rest = about(power, alpha).min(about(square, alpha.max(2.0)));
                if rest <= sums.value * NEGLIGIBLE || z > from + 2.0 * DEVIATIONS * sigma {
                    let beyond = |size: f64, growth: Above| {
                        let fall = (Below::exact(z) - growth) * self.step / Above::exact(sigma).squared();
                        geometric(Above::promised(size), (-fall).exp())
                    };
                    let (order, wider) = (self.order(), self.order().max(Above::exact(2.0)));
                    sums.beyond += beyond(power, order).or(beyond(square, wider));
                    if sums.last_around > 0.0 {
                        sums.around_beyond += beyond(sums.last_around, wider);
                    }
                    return;
                }
            }
        }
    }

    /// The sum of `L^alpha e^(-z^2/(2 sigma^2) - shift)`: from its size at alpha on both ways.
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
            let by_power = alpha * (1.0 + x.abs()) * ROUNDING;
            let off = by_power + (4.0 + normal + shift) * ROUNDING;
            let error = value * off + by_x * ROUNDING;
            sums.error += error;
            (value < f64::INFINITY && off < MOST_OFF).then_some((value + error, power, by_power))
        };
        let (mut sums, middle) = (Sums::EMPTY, (alpha / self.step).ceil());
        self.rightwards(middle, alpha, &mut sums, |z, sums| Some((term(z, sums)?.0, f64::INFINITY)));
        let (mut index, least) = (middle - 1.0, -(DEVIATIONS * sigma / self.step).ceil());
        while index >= least {
            let z = index * self.step;
            let Some((size, power, by_power)) = term(z, &mut sums).filter(|_| sums.count < POINTS) else {
                sums.value = f64::INFINITY;
                return sums;
            };
            sums.count += 1;
            if z > 0.5 && shift > CUT {
                // Down to 1/2, where L is 1, ln L lies below its chord: each term is less than this share of the one to
                // its right.
                let ratio = exp_near(-self.step * (power / (z - 0.5) - z / square));
                if ratio < 1.0 && size * ratio / (1.0 - ratio) <= sums.value * NEGLIGIBLE {
                    let rise = (Below::exact(power) - Above::exact(by_power)) / (Above::exact(z) - Below::exact(0.5));
                    let slope = rise - Above::exact(z) / Below::exact(sigma).squared();
                    let beyond = geometric(Above::promised(size), (-(slope * self.step)).exp());
                    if beyond.get() < f64::INFINITY {
                        (sums.beyond, sums.is_cut) = (sums.beyond + beyond, true);
                        return sums;
                    }
                }
            }
            index -= 1.0;
        }
        sums
    }

    /// The sum of `g(L) e^(-z^2/(2 sigma^2))`.
    fn excess(&self) -> Sums {
        let (rate, square, t) = (self.sampled.rate, self.sampled.sigma * self.sampled.sigma, self.t);
        let alpha = 1.0 + t;
        let half = alpha * t / 2.0;
        self.all(|z, sums| {
            let x = (z - 0.5) / square;
            let normal = z * z / (2.0 * square);
            let density = exp_near(-normal);
            // What powers of L up to alpha, times the density, are off by, of themselves, where L is not small.
            let off = (4.0 + alpha * (1.0 + x.abs()) + normal) * ROUNDING;
            let growth = exp_m1_near(x);
            // L - 1, and ln L.
            let less = rate * growth;
            let logarithm = ln_1p_near(less);
            if t * logarithm > 600.0 || (x > 0.0 && normal > 600.0) {
                // Far out in the right tail nothing but the power counts. Its exponent and the density's are added up
                // before they are exponentials: the one may be no float where their product is the bulk of the sum.
                let value = exp_near(alpha * logarithm - normal).max(LEAST);
                sums.value += value;
                sums.error += value * off;
                let square = exp_near(2.0 * logarithm - normal).max(LEAST) / (1.0 - rate);
                sums.last_around = half * 8.0 * if t >= 1.0 { value } else { square };
                sums.around += sums.last_around;
                return (value < f64::INFINITY && off < MOST_OFF).then_some((value * (1.0 + off), f64::INFINITY));
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
            sums.error += density * FIRST_ORDER * (by_less + own + (size * 4.0 + value * (8.0 + normal)) * UNIT);
            let reach = growth + 2.0;
            let spread = if t >= 1.0 { (power + 1.0) / (1.0 + less) + 1.0 } else { 1.0 / (1.0 - rate) };
            sums.last_around = half * rate * rate * reach * reach * spread * density;
            sums.around += sums.last_around;
            // At L >= 1, by Taylor: `(alpha t/2) (rate e^x)^2 max(1, L)^(alpha - 2)`.
            let reach = rate * (growth + 1.0);
            let square = half * reach * reach * if t >= 1.0 { (power + 1.0) / (1.0 + less) } else { 1.0 };
            let (size, wider) = (moment * density, 1.0 + off);
            (size < f64::INFINITY && off < MOST_OFF).then_some((size * wider, square * density * wider))
        })
    }
}

/// The sum after a term of this size, if each is at most this share of the one before.
fn geometric(size: Above, ratio: Above) -> Above {
    size * ratio / (Below::exact(1.0) - ratio)
}

/// The error of `exp_m1_near(x)`, given its value.
fn off_by(x: f64, value: f64) -> f64 {
    UNIT * if x.abs() < 0.006 { value.abs() } else { 2.0 * value + 2.2 }
}

/// Comparison with sums at 60 digits: `python3 rust/accounting/tests/cases/sums.py` prints these rows.
#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// True if two numbers agree to so much of the second.
    fn agree(x: f64, y: f64, tolerance: f64) -> bool {
        (x - y).abs() <= tolerance * y.abs()
    }

    fn of(rate: f64, sigma: f64, t: f64, step: f64, distance: f64) -> Points {
        Points { sampled: Sampled { rate, sigma }, t, step, distance }
    }

    /// True if sums are these: value, error, around, beyond, count.
    fn are(sums: &Sums, [value, error, around, beyond, count]: [f64; 5]) -> bool {
        agree(sums.value, value, 1e-10)
            && agree(sums.error, error, 1e-7)
            && agree(sums.around, around, 1e-7)
            && agree(sums.beyond.get(), beyond, 1e-7)
            && f64::from(sums.count) == count
    }

    #[test]
    fn steps_and_distances() {
        for (rate, sigma, t, step, distance) in [
            (0.1, 0.5, 1.5, 0.13174634219527312, PI / 4.0),
            (0.1, 0.5, 0.5, 0.06754161370096179, PI / 8.0),
            (0.1, 8.0, 2.5, 5.60764131306246, 71.70998236331286),
            (0.1, 8.0, 0.5, 5.60764131306246, 71.70998236331286),
            (0.1, 1.0, 1.0, 0.4741816278641522, PI),
        ] {
            let points = Sampled { rate, sigma }.points(t).unwrap();
            assert!(agree(points.distance, distance, 1e-13), "{sigma} {t}: {}", points.distance);
            assert!(points.step <= step && points.step > step * (1.0 - 2e-6), "{sigma} {t}: {}", points.step);
            assert!(points.step.to_bits().trailing_zeros() >= 33);
        }
        // The ends of what is summed.
        for (rate, sigma, t, is_summed) in [
            (0.1, 1e6, 1.0, true),
            (0.1, 1.1e6, 1.0, false),
            (0.1, 1.0, 9_999_999.0, true),
            (0.1, 1.0, 1e7, false),
            (1e-200, 1.0, 1.0, true),
            (0.9e-200, 1.0, 1.0, false),
            // By the number of points: 8,192.
            (0.1, 0.00315, 1.0, true),
            (0.1, 0.00308, 1.0, false),
            (0.1, 0.0063, 0.5, true),
            (0.1, 0.0061, 0.5, false),
        ] {
            assert_eq!(Sampled { rate, sigma }.points(t).is_some(), is_summed, "{rate} {sigma} {t}");
        }
    }

    #[test]
    fn sums_of_what_the_moment_exceeds_1_by() {
        for (rate, sigma, t, step, sums) in [
            // Ordinary, and of an order below 2.
            (
                0.01,
                1.0,
                1.0,
                0.5,
                [8.61418763000016e-4, 2.743236754793249e-15, 0.005733442765409633, 3.9947859714093015e-18, 39.0],
            ),
            (
                0.3,
                0.8,
                0.5,
                0.4,
                [0.45082207508661754, 1.0922007756343685e-13, 1.8782684526084261, 1.5814402660705778e-15, 39.0],
            ),
            (
                0.9,
                0.5,
                2.5,
                0.3,
                [115066407.6352409, 4.8130173609541946e-5, 503457109.07392687, 4.2257633065380847e-7, 41.0],
            ),
            // Where x, and L - 1, are small, by the series and not.
            (
                0.5,
                100.0,
                1.0,
                50.0,
                [0.0001253376805111275, 1.2558361928265666e-16, 10.026763773885024, 8.866098044672594e-19, 37.0],
            ),
            (
                0.5,
                100.0,
                30.0,
                50.0,
                [0.05866416233099505, 2.0461981998575658e-13, 4689.665708319011, 9.795933082891151e-16, 36.0],
            ),
            (
                1e-4,
                2.0,
                20.0,
                1.0,
                [2.991942358728903e-6, 2.5639875614480975e-19, 9.023113468258087e-5, 2.7427870607078797e-27, 42.0],
            ),
            // Far out, where only the power counts.
            (
                0.5,
                0.7,
                20.0,
                0.5,
                [2.2376625365619433e180, 4.305824898470933e169, 3.759273061424028e183, 3.254603144831101e166, 67.0],
            ),
            (
                0.5,
                0.058,
                0.99,
                2.57,
                [7.191025661486246e104, 2.2606790091489176e94, 5.293484032073459e108, 2.6266870930053606e-88, 3.0],
            ),
        ] {
            let own = of(rate, sigma, t, step, 1.0).excess();
            assert!(are(&own, sums) && !own.is_cut, "{rate} {sigma} {t}: {own:?}");
        }
    }

    /// At orders below 2 what bounds the integrand off the line has its mode near 2, right of where the integrand is
    /// nothing: it is summed all the same, and what lies beyond the last point is charged.
    #[test]
    fn what_bounds_the_integrand_is_summed_beyond_the_integrand() {
        for (rate, sigma, t) in [(0.1, 0.2, 0.01), (1e-6, 0.2, 1e-6), (0.5, 0.25, 0.3), (0.01, 0.15, 0.1)] {
            let own = of(rate, sigma, t, 0.0625, 1.0).excess();
            // Of `(e^x + 1)^2` the normal mean is `e^(1 / sigma^2) + 3`.
            let square: f64 = sigma * sigma;
            let whole = (1.0 + t) * t / 2.0 * rate * rate / (1.0 - rate) * (square.recip().exp() + 3.0);
            let summed = (own.around + own.around_beyond.get()) * 0.0625 / (sigma * (2.0 * PI).sqrt());
            assert!(summed >= whole * (1.0 - 1e-9) && summed < whole * 1.1, "{rate} {sigma} {t}: {summed:e} {whole:e}");
        }
    }

    /// From 0.006 on, 0.006 included, a logarithm is off by more: at z = 300, three deviations out, which is nearly all
    /// that counts here.
    #[test]
    fn a_logarithm_at_the_end_of_its_series() {
        let growth = exp_m1_near(299.5 / 1e4);
        let rate =
            (0..8).map(|i| f64::from_bits((0.006 / growth).to_bits() - 4 + i)).find(|rate| rate * growth == 0.006);
        let rate = rate.unwrap();
        let error = |rate: f64| of(rate, 100.0, 30.0, 300.0, 1.0).excess().error;
        assert!(error(rate) > 3.0 * error(rate * (1.0 - 1e-9)), "{:e} {:e}", error(rate), error(rate * (1.0 - 1e-9)));
    }

    #[test]
    fn sums_of_the_moment() {
        for (rate, sigma, t, step, shift, is_cut, sums) in [
            (
                0.3,
                1.0,
                9.0,
                0.5,
                33.0,
                false,
                [4.831916917471948, 1.321427016339167e-11, 4.831916917471948, 1.4123612179013241e-14, 55.0],
            ),
            (
                0.999,
                0.75,
                0.125,
                0.5,
                0.5,
                false,
                [2.5835893897828135, 3.5645157260858183e-13, 2.5835893897828135, 4.0967038555689914e-14, 29.0],
            ),
            (
                0.9,
                0.5,
                2.5,
                0.3,
                20.0,
                false,
                [0.23716955152927843, 3.185001501057936e-13, 0.23716955152927843, 8.709947346841387e-16, 41.0],
            ),
            // Cut on the left; not yet; and far out.
            (
                0.3,
                1.0,
                11.0,
                0.5,
                45.0,
                true,
                [3515.299028562401, 1.3562342759223795e-8, 3515.299028562401, 1.2003488729595988e-10, 31.0],
            ),
            (
                0.3,
                1.0,
                10.0,
                0.5,
                40.0,
                false,
                [29.065477577329894, 9.560961689311853e-11, 29.065477577329894, 8.510405123129699e-14, 57.0],
            ),
            (
                0.5,
                0.05,
                1.2,
                0.0625,
                500.0,
                true,
                [631190276034.5106, 26.646421310803294, 631190276034.5106, 0.0001426504866054545, 13.0],
            ),
        ] {
            let own = of(rate, sigma, t, step, 1.0).moment(shift);
            assert!(are(&own, sums) && own.is_cut == is_cut, "{rate} {sigma} {t}: {own:?}");
        }
    }

    /// Steps so wide that all that is charged shows.
    #[test]
    fn bounds_on_the_logarithm_of_the_moment() {
        for (rate, sigma, t, step, distance, bound) in [
            (0.01, 1.0, 1.0, 0.5, 1.27, 0.00017181417260187583),
            (0.01, 1.0, 1.0, 0.265, 0.64, 0.00017181432345872793),
            (0.3, 0.8, 0.5, 0.4, 1.0, 0.08611008079569915),
            (0.3, 1.0, 9.0, 0.5, 1.27, 32.96315820885558),
            (0.3, 1.0, 10.5, 0.5, 1.27, 46.530052706534406),
            // With the left tail, and with little but what the rule may be off by.
            (1.0 - f64::EPSILON * 4.0, 100.0, 2.0, 50.0, 126.0, 0.00038516366698385535),
            (0.5, 1e4, 1.0, 5e3, 12600.0, 1.4722931010381785e-6),
        ] {
            let own = of(rate, sigma, t, step, distance).logarithm().map_or(f64::NAN, |bound| bound.upper());
            assert!(agree(own, bound, 3e-14), "{rate} {sigma} {t}: {own:e}, {:e}", own / bound - 1.0);
        }
        // 2 s/(1 - 3 s) for s = e^(d^2 / 2 sigma^2 - 2 pi d / step), or nothing from 1e-6 on.
        let share = |distance: f64| of(0.1, 1.0, 1.0, 1.0, distance).aliasing().map(Above::get);
        let fallen = (5.12 - 6.4 * PI).exp();
        assert!(agree(share(3.2).unwrap(), 2.0 * fallen / (1.0 - 3.0 * fallen), 1e-13));
        assert!(share(3.0).is_none() && share(0.1).is_none());
    }

    /// Until a geometric series bounds the rest, or 19 deviations beyond alpha.
    #[test]
    fn sums_end_where_the_rest_is_nothing() {
        let run = |points: &Points, index: f64, value: f64| {
            let mut sums = Sums { value, ..Sums::EMPTY };
            points.rightwards(index, 1.0 + points.t, &mut sums, |_, _| Some((1.0, f64::INFINITY)));
            sums
        };
        // z = 3 is the first beyond alpha = 2; there a term is e^-8 of the one before.
        let points = of(0.1, 0.25, 1.0, 0.5, 1.0);
        let ratio = f64::exp(-0.5 * 0.5 / 0.0625);
        let beyond = ratio / (1.0 - ratio);
        assert!(run(&points, 3.0, 1e13).count == 3);
        let sums = run(&points, 3.0, beyond * 1e13 * (1.0 + 1e-12));
        assert!(sums.beyond.get() >= beyond && agree(sums.beyond.get(), beyond, 1e-13) && sums.count == 3);
        assert!(run(&points, 3.0, beyond * 1e13 * (1.0 - 1e-12)).count == 4);
        // What never falls is followed to 2 + 4.75, and charged, however much it is.
        let ratio = f64::exp(-0.5 * 5.0 / 0.0625);
        let sums = run(&points, 3.0, 0.0);
        assert!(sums.count == 12 && agree(sums.beyond.get(), ratio, 1e-13), "{sums:?}");
        let sums = run(&of(0.1, 100.0, 1.0, 0.00390625, 1.0), 486_911.0, 0.0);
        let ratio = f64::exp(-0.00390625 * (1_902.0 - 2.0 + 0.00390625) / 1e4);
        assert!(sums.count == 3 && agree(sums.beyond.get(), ratio / (1.0 - ratio), 1e-5), "{sums:?}");
        // At alpha itself nothing is known to fall.
        assert_eq!(geometric(Above::exact(1.0), (-Below::ZERO).exp()).get(), f64::INFINITY);
        // No more than 8,192 points.
        let sums = run(&of(0.1, 100.0, 1.0, 0.5, 1.0), -9000.0, 0.0);
        assert!(sums.count == 8192 && sums.value == f64::INFINITY);
        let left = of(0.1, 1.0, 1.0, 0.5, 1.0).all(|z, sums| {
            sums.value = sums.value.min(z);
            Some((0.0, 0.0))
        });
        assert_eq!(left.value, -9.5);
    }

    #[test]
    fn divergences() {
        let at = |rate, sigma, t| Sampled { rate, sigma }.at(t);
        // At order 2 the moment exceeds 1 by rate^2 (e^(1 / sigma^2) - 1).
        for (rate, sigma) in [(0.01, 1.0), (0.5, 3.0), (1e-6, 0.5), (0.3, 0.3)] {
            let truth = f64::ln_1p(rate * rate * f64::exp_m1(1.0 / (sigma * sigma)));
            let own = at(rate, sigma, 1.0);
            assert!(own > truth * (1.0 - 1e-15) && own < truth * (1.0 + 1e-11), "{rate} {sigma}: {own:e}");
        }
        // Where floats tell no more of a term than that it is below twice its error, it is not summed.
        let far = Sampled { rate: 0.01, sigma: 0.1 };
        assert!(far.points(9_999_998.0).unwrap().logarithm().is_none() && at(0.01, 0.1, 1e5) < 100_001.0 / 0.02 - 4.0);
        // A sum of which nothing is a float says nothing.
        assert!(agree(at(1e-190, 1e5, 9_999_999.0), 5e-4, 1e-15));
        assert_eq!((at(0.0, 1.0, 1.0), at(1.0, 2.0, 1.0), at(0.1, 1e-4, 1.0)), (0.0, 0.25, 1e8));
    }

    /// What holds without sampling, to the last bit, as fractions of which each is rounded up say (python).
    #[test]
    fn without_sampling_rounded_up() {
        assert_eq!(Sampled { rate: 0.5, sigma: 0.00047287708645373205 }.at(0.16277922799193079), 2599984.3160735173);
        // Half of the least float.
        assert_eq!(Sampled { rate: 1.0, sigma: 2f64.powi(537) }.at(1.0), 5e-324);
    }

    #[test]
    fn what_an_exponential_may_be_off_by() {
        assert_eq!((off_by(0.001, 3.0), off_by(-0.005, -3.0)), (UNIT * 3.0, UNIT * 3.0));
        assert_eq!((off_by(0.006, 3.0), off_by(-1.0, -0.5)), (UNIT * 8.2, UNIT * 1.2000000000000002));
    }
}
