//! Where to look for the epsilon of many Laplace releases: delta by an integral through the saddle point, in plain
//! floats.
//!
//! The Laplace transform of the losses, `phi^k`, does not vanish far from the real line, but returns to a smaller peak
//! every `pi/a`; only the first is summed. It decides where bounds are evaluated, not what they are.
use crate::{
    composition::inverse::{Estimate, newton},
    error::Fallible,
    gaussian::gaussian_epsilon,
    units::{Delta, Mu},
};
use std::f64::consts::PI;

/// The integrand `phi(z)^k / (z^2 - 1/4)` at points `z = tilt + i n step`, over `phi(tilt)^k`.
struct Line {
    tilt: f64,
    step: f64,
    /// `k ln phi(tilt)`.
    scale: f64,
    /// Logarithms of moduli, and angles.
    points: Vec<(f64, f64)>,
    /// The share of what is not summed.
    error: f64,
}

/// No more points than this.
const MOST: usize = 1024;

/// About the epsilon of `count` releases whose sensitivity is `a` scales, as if their loss were normal; what its mean
/// is more than half of its variance comes on top.
pub(crate) fn laplace_guess(count: u32, a: f64, wanted: f64) -> Fallible<f64> {
    let k = f64::from(count);
    let (mean, variance) = moments(a);
    let spread = (k * variance).sqrt();
    if !(spread > 0.0 && spread < f64::INFINITY) {
        return Ok(0.0);
    }
    Ok((gaussian_epsilon(Mu(spread), Delta(wanted))? + k * mean - spread * spread / 2.0).min(k * a * 0.95))
}

/// The epsilon at which delta is what is wanted, from a guess.
pub(crate) fn laplace_estimate((count, a): (u32, f64), guess: f64, wanted: f64) -> Option<Estimate> {
    let line = if guess > 0.0 { Line::new(f64::from(count), a, guess)? } else { return None };
    let found = newton(wanted, guess, |epsilon| line.at(epsilon))?;
    Some(Estimate { error: line.error, ..found })
}

/// Mean and variance of one loss.
fn moments(a: f64) -> (f64, f64) {
    if a < 0.05 {
        return (a * a / 2.0 * (1.0 - a / 3.0), a * a * (1.0 - a / 3.0));
    }
    let less = (-a).exp();
    let square = a * a / 2.0 * (1.0 + less) + a * a / 2.0 - 2.0 * a + 4.0 - less * (a * a / 2.0 + 2.0 * a + 4.0);
    let mean = a - 1.0 + less;
    (mean, square - mean * mean)
}

/// The derivative of `ln phi` at c.
fn slope(a: f64, c: f64) -> f64 {
    let x = c * a;
    let ratio = x.tanh();
    let rest = if x < 1e-4 { x / 3.0 } else { (x - ratio) / (x * x) };
    a * (ratio + a / 2.0 * rest) / (1.0 + a / 2.0 * ratio / x)
}

impl Line {
    fn new(k: f64, a: f64, epsilon: f64) -> Option<Self> {
        // The saddle point, where the integrand is least on the real line.
        let (mut low, mut high) = (-30.0 - a.ln(), 12.0 - (k.sqrt() * a).ln());
        for _ in 0..25 {
            let middle = low + (high - low) / 2.0;
            let c = 0.5 + middle.exp();
            if k * slope(a, c) < epsilon + 2.0 * c / (c * c - 0.25) { low = middle } else { high = middle }
        }
        let excess = high.exp();
        let tilt = 0.5 + excess;
        let spread = (k * (slope(a, tilt * 1.001) - slope(a, tilt)) / (tilt * 0.001)).max(0.0).sqrt();
        let step = 2.0 * PI / (36.0 / excess).max(10.0 * spread);
        // cosh(x) is taken out.
        let whole = (1.0 + a / 2.0 * (tilt * a).tanh() / (tilt * a)).ln();
        let ratio = (tilt * a).tanh();
        // At the height y, cosh(za) and sinh(za) over cosh(x), and a/(2za).
        let point = |y: f64| {
            let (sine, cosine) = (y * a).sin_cos();
            let (cosh, sinh) = ((cosine, ratio * sine), (ratio * cosine, sine));
            let inverse = 0.5 / (tilt * tilt + y * y);
            let (u, v) = (tilt * inverse, -y * inverse);
            let (re, im) = (cosh.0 + sinh.0 * u - sinh.1 * v, cosh.1 + sinh.0 * v + sinh.1 * u);
            let kernel = (tilt * tilt - y * y - 0.25, 2.0 * tilt * y);
            let modulus = k * (re.hypot(im).ln() - whole) - kernel.0.hypot(kernel.1).ln();
            (modulus, k * im.atan2(re) - kernel.1.atan2(kernel.0))
        };
        let (mut points, first) = (Vec::new(), point(0.0).0);
        let mut n = 0.0;
        loop {
            let y = n * step;
            let found = point(y);
            points.push(found);
            n += 1.0;
            if found.0 < first - 36.0 || y * a > PI / 2.0 {
                break;
            }
            if points.len() >= MOST || !found.0.is_finite() {
                return None;
            }
        }
        // The sum over all peaks of 1/n^2, on either side.
        let error = 4.0 * (point(PI / a).0 - first).exp();
        let x = tilt * a;
        let scale = k * (whole + x - a / 2.0 + ((-2.0 * x).exp().ln_1p() - std::f64::consts::LN_2));
        (error < 0.1).then_some(Self { tilt, step, scale, points, error })
    }

    /// Delta, and minus its derivative.
    fn at(&self, epsilon: f64) -> (f64, f64) {
        let (mut sum, mut fall, mut n, mut weight) = (0.0, 0.0, 0.0, 0.5);
        for (modulus, angle) in &self.points {
            let y = n * self.step;
            let (sine, cosine) = (angle - y * epsilon).sin_cos();
            let size = weight * modulus.exp();
            sum += size * cosine;
            fall += size * ((self.tilt - 0.5) * cosine - y * sine);
            (n, weight) = (n + 1.0, 1.0);
        }
        let factor = self.step / PI * (self.scale - (self.tilt - 0.5) * epsilon).exp();
        (sum * factor, fall * factor)
    }
}
