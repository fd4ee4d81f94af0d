//! How fast the characteristic function of a sampled Gaussian's tilted loss falls: a bound from any frequency on.

use indistinct_numeric::{
    Above, Below,
    enclosure::{cosine_and_sine, exp_m1_near, exp_near},
};

/// A cell of the noise y under the tilted distribution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    /// Its mass.
    pub(crate) low: Below,
    pub(crate) high: Above,
    /// `p(y)` in it, the part of `g(y)` that the individual contributes (both individuals together).
    pub(crate) share: Below,
    /// `4 p (1 - p)` of the factor that is divided by, where there is one.
    pub(crate) spread: Above,
    /// The s of what a truncation keeps; 0 without one.
    pub(crate) truncation_mean: Above,
    /// By how much the logarithm of what it keeps may grow at any angle.
    pub(crate) most_growth: Above,
}

/// Two bounds, each good where the other is not.
///
/// *Rectangles*: the loss has at least the density of some nested rectangles of masses w and widths l, which are a
/// mixture of uniform distributions; so `|m(t)| <= 1 - sum of w (1 - |sinc(t l/2)|)`. Good for what is nearly normal.
///
/// *Shift*: with y moved to `y + i a` the integrand is multiplied by at most `e^(a^2/2 - t A(y)) R(y)`, where A is the
/// argument of `g(y + ia)`. As that grows in y, the mean is below a sum over cells. Good where a few large losses
/// count, or few steps.
#[derive(Debug, Clone)]
pub(crate) struct GaussianDecay {
    /// Masses and widths.
    pub(crate) rectangles: Vec<(Below, Below)>,
    pub(crate) cells: Vec<Cell>,
    /// The mass to the left of the cells, and `spread` and s there at most.
    pub(crate) rest: Above,
    pub(crate) spread_of_rest: Above,
    pub(crate) mean_of_rest: Above,
    /// The logarithm of the mass to the right; and what is known of it at angles up to a quarter turn besides.
    pub(crate) log_beyond: Above,
    pub(crate) log_beyond_by_rate: Above,
    /// By how many times as much s turns as the densities' ratio; 1 without a truncation.
    pub(crate) steepness: f64,
    /// The s from which on the density to the right of the cells falls even where s has turned.
    pub(crate) truncation_mean: Above,
    /// `R = (1 - spread sin(theta/2)^2)^-power`.
    pub(crate) power: f64,
    /// The standard deviation of the noise: `theta = a/sigma`.
    pub(crate) sigma: f64,
}

/// Angles in turns that are tried, of s if there is one: from 0.4 down by roots of 2.
const ANGLES: i32 = 44;

/// The fall of the modulus of the characteristic function of a uniform distribution from a frequency on, times its
/// mass.
///
/// `1 - sin x/x >= x^2/6 - x^4/120` for `x >= 0` up to 2.4, where it rises, and beyond that `|sin x/x|` stays below its
/// value there.
pub(crate) fn lost_by_rectangle((mass, width): (Below, Below), frequency: f64) -> Below {
    let x = (width * (frequency * 0.5)).min(Below::exact(2.4)).get().max(0.0);
    let (most, least) = (Above::exact(x).squared(), Below::exact(x).squared());
    mass * (least * (Below::exact(20.0) - most)) / 120.0
}

impl GaussianDecay {
    /// A lower bound on `-ln |m(t)|` for every t from a frequency on. `angle` is where the last search ended, and is
    /// moved on.
    pub(crate) fn log_decay(&self, frequency: f64, angle: &mut i32) -> Below {
        let mut best = self.by_shift(frequency, *angle).get();
        for step in [1, -1] {
            while (0..ANGLES).contains(&(*angle + step)) {
                let next = self.by_shift(frequency, *angle + step).get();
                if next <= best {
                    break;
                }
                (best, *angle) = (next, *angle + step);
            }
        }
        self.by_rectangles(frequency).or(Below::promised(best))
    }

    /// By rectangles alone.
    pub(crate) fn by_rectangles(&self, frequency: f64) -> Below {
        let lost: Below = self.rectangles.iter().map(|rectangle| lost_by_rectangle(*rectangle, frequency)).sum();
        // No mass loses more.
        if lost.get() > 0.0 && lost.get() < 0.8 { -(-lost).ln_1p() } else { Below::ZERO }
    }

    /// By a shift to the angle `theta = mu a`, which is any float.
    fn by_shift(&self, frequency: f64, angle: i32) -> Below {
        let turn = 0.4 * 2f64.powf(-f64::from(angle) / 2.0) / self.steepness;
        // What a truncation keeps is known to fall up to a sixth of a turn.
        if self.truncation_mean.get() > 0.0 && turn * self.steepness > 0.166 {
            return Below::UNKNOWN;
        }
        let damping = (cosine_and_sine(turn).1.below * frequency).get().max(0.0);
        let square = cosine_and_sine(turn / 2.0).1.above.squared();
        let shift = Above::TWO_PI * turn * self.sigma;
        let log_growth = |spread: Above| {
            if self.power == 0.0 { Above::ZERO } else { -((-(spread * square)).ln_1p() * self.power) }
        };
        // What is kept grows by at most e^(s (1 - cos)).
        let twice = (cosine_and_sine(turn * self.steepness / 2.0).1.above.squared() * 2.0).get();
        let growth_of_kept = Above::exact(twice) * self.truncation_mean;
        let is_plain = self.power == 0.0 && self.truncation_mean.get() == 0.0;
        // The mean of e^-u, directly and as one less that of 1 - e^-u.
        let (mut whole, mut missing, mut excess) = (0.0, 0.0, 0.0);
        for cell in &self.cells {
            let damped = damping * cell.share.get().max(0.0);
            let grown_of_kept = (twice * cell.truncation_mean.get()).min(cell.most_growth.get());
            let grown = if is_plain { 0.0 } else { log_growth(cell.spread).get() + grown_of_kept };
            let u = Below::rounded_difference(damped, grown, 2).get();
            // Not `min`, which would hide a NaN.
            let u = if u > 600.0 { 600.0 } else { u };
            let fall = exp_near(-u);
            whole += cell.high.get() * fall;
            let gap = if u.abs() < 0.006 { -exp_m1_near(-u) } else { 1.0 - fall };
            if gap >= 0.0 { missing += cell.low.get().max(0.0) * gap } else { excess -= cell.high.get() * gap }
        }
        // The exponential is within 2^-49 of itself, as if by 16 operations, and what it lacks of 1 within 2^-41, as if
        // by 4,096; then there are a product and a sum.
        let terms = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        let whole = Above::rounded(whole, terms.saturating_add(17));
        let missing = Below::rounded(missing, terms.saturating_add(4097));
        let excess = Above::rounded(excess, terms.saturating_add(4097));
        let rest = self.rest * (log_growth(self.spread_of_rest) + self.mean_of_rest * twice).exp();
        let log_beyond = self.log_beyond + log_growth(Above::exact(1.0)) + growth_of_kept;
        let by_rate = if turn <= 0.25 { self.log_beyond_by_rate } else { Above::UNKNOWN };
        let rest = rest + log_beyond.or(by_rate).exp();
        let directly = -(whole + rest).ln();
        let missing = missing - (excess + rest);
        let is_small = missing.get() > 0.0 && missing.get() < 0.999;
        let indirectly = if is_small { -(-missing).ln_1p() } else { Below::ZERO };
        directly.or(indirectly) - shift.squared() * 0.5
    }
}
