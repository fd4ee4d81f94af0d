//! How fast the characteristic function of a sampled Gaussian's tilted loss falls: a bound from any height on.

use super::disk::turns;
use indistinct_numeric::{
    RoundedMath,
    enclosure::{exp_m1_near, exp_near, ln_1p_near},
};
use std::f64::consts::TAU;

/// A cell of the noise y under the tilted law.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Bounds on its mass.
    pub(super) low: f64,
    pub(super) high: f64,
    /// A lower bound on `p(y)` in it, the part of `g(y)` that is the person's (both persons' together).
    pub(super) share: f64,
    /// An upper bound on `4 p (1 - p)` of the factor that is divided by, where there is one.
    pub(super) spread: f64,
    /// An upper bound on the s of what is kept; 0 without a cut.
    pub(super) far: f64,
}

/// Two bounds, each good where the other is not.
///
/// *Rectangles*: the law has at least the density of some nested rectangles of masses w and widths l, which are a mixture of uniform laws; so
/// `|m(t)| <= 1 - sum of w (1 - |sinc(t l/2)|)`. Good for what is nearly normal.
///
/// *Shift*: with y moved to `y + i a` the integrand is multiplied by at most `e^(a^2/2 - t A(y)) R(y)`, where A is the argument of `g(y + ia)`. As that grows
/// in y, the mean is below a sum over cells. Good where a few large losses count, or few steps.
#[derive(Debug, Clone, Default)]
pub(super) struct Decay {
    /// Masses and widths.
    pub(super) rectangles: Vec<(f64, f64)>,
    pub(super) cells: Vec<Cell>,
    /// A bound on the mass outside the cells, and on the s there from which on it falls even where s has turned.
    pub(super) rest: f64,
    pub(super) far: f64,
    /// `R = (1 - spread sin(theta/2)^2)^-power`.
    pub(super) power: f64,
    /// Bounds from above on the standard deviation of the noise, `theta = a/sigma`.
    pub(super) sigma: f64,
}

/// Angles in turns that are tried: from 0.4 down by roots of 2.
const ANGLES: i32 = 44;

/// What the modulus of the characteristic function of a uniform law has lost from a height on, times its mass.
///
/// `1 - sin x/x >= x^2/6 - x^4/120` for `x >= 0` up to 2.4, and beyond that `|sin x/x|` stays below its value there.
pub(super) fn lost_by_rectangle((mass, width): (f64, f64), height: f64) -> f64 {
    let x = (height * width / 2.0).min(2.4);
    mass * (x * x / 6.0 - x * x * x * x / 120.0)
}

impl Decay {
    /// A lower bound on `-ln |m(t)|` for every t from `height` on. `angle` is where the last search ended, and is moved on.
    pub(super) fn fallen(&self, height: f64, angle: &mut i32) -> f64 {
        let lost = self.by_rectangles(height);
        let mut best = self.by_shift(height, *angle);
        for step in [1, -1] {
            while (0..ANGLES).contains(&(*angle + step)) {
                let next = self.by_shift(height, *angle + step);
                if next.is_nan() || next <= best {
                    break;
                }
                (best, *angle) = (next, *angle + step);
            }
        }
        lost.max(best)
    }

    /// By rectangles alone.
    pub(super) fn by_rectangles(&self, height: f64) -> f64 {
        let lost = self.rectangles.iter().map(|rectangle| lost_by_rectangle(*rectangle, height));
        let lost = lost.sum::<f64>() * 0.999_999;
        // No mass loses more; a NaN is no bound.
        if lost > 0.0 && lost < 0.8 { -ln_1p_near(-lost) * 0.999_999 } else { 0.0 }
    }

    /// By a shift to the angle `theta = mu a`, which is any float; its sines are found with their errors.
    fn by_shift(&self, height: f64, angle: i32) -> f64 {
        let turn = 0.4 * 2f64.powf(-f64::from(angle) / 2.0);
        // What a cut keeps is known to fall up to a sixth.
        if self.far > 0.0 && turn > 0.166 {
            return f64::NEG_INFINITY;
        }
        let sine = height * (turns(turn).1 - 1e-15).max(0.0) * (1.0 - 1e-14);
        let half = turns(turn / 2.0).1 + 1e-15;
        let square = half * half * (1.0 + 1e-14);
        let shift = TAU * turn * self.sigma;
        let lost = shift * shift / 2.0 * (1.0 + 1e-12);
        let grown = |spread: f64| {
            let inside = spread * square;
            if self.power == 0.0 { 0.0 } else { -ln_1p_near(-inside) * self.power * (1.0 + 1e-12) }
        };
        // The mean of e^-u, directly and as one less that of 1 - e^-u.
        let (mut whole, mut missing, mut excess) = (0.0, 0.0, 0.0);
        for cell in &self.cells {
            // What is kept grows by at most e^(s (1 - cos)).
            let u = sine * cell.share * (1.0 - 1e-12) - grown(cell.spread) - 2.0 * square * cell.far * (1.0 + 1e-12);
            // Not `min`, which would hide a NaN.
            let u = if u > 600.0 { 600.0 } else { u };
            whole += cell.high * exp_near(-u);
            let gap = -exp_m1_near(-u);
            if gap >= 0.0 { missing += cell.low * gap } else { excess -= cell.high * gap }
        }
        let rest = self.rest * exp_near(grown(1.0) + 2.0 * square * self.far * (1.0 + 1e-12));
        let directly = -((whole + rest) * (1.0 + 1e-11)).inf_ln().unwrap_or(f64::NAN);
        let missing = missing * (1.0 - 1e-11) - (excess + rest) * (1.0 + 1e-11);
        let indirectly = if missing > 0.0 && missing < 0.999 { -ln_1p_near(-missing) * (1.0 - 1e-11) } else { 0.0 };
        // A NaN is no bound.
        let found = directly.max(indirectly).max(0.0);
        if lost.is_finite() { found - lost } else { f64::NEG_INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        cut::Order,
        disk::Disk,
        sampled_gaussian::{SampledGaussian, Side},
        tilted::Tilted,
        transform::Line,
    };
    use std::f64::consts::TAU;

    const LAWS: [(f64, f64, f64); 6] =
        [(0.7, 0.001, 6.0), (1.0, 0.01, 8.0), (1.0, 0.1, 3.0), (5.0, 0.001, 240.0), (2.0, 0.5, 1.5), (0.5, 1e-4, 0.5)];

    /// Minus the logarithm of the tilted characteristic function's size at a height; none where that is small or takes long.
    fn truth(law: &SampledGaussian, tilt: f64, height: f64) -> Option<f64> {
        let values = law.values(&Line { tilt, period: TAU / height, count: 2 })?;
        let there = Disk::ONE.add(&values.less_one[1]);
        Some(-there.re.hypot(there.im).ln()).filter(|truth| *truth < 22.0)
    }

    #[test]
    fn never_claims_more_than_there_is_and_not_much_less_far_out() {
        let mut seen = 0;
        for (sigma, rate, tilt) in LAWS {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, cut: None };
                // With a cut in the middle of what counts at the tilt, and one further out.
                let cuts = [(-6.0, Order::Soft), (-30.0, Order::Soft), (-6.0, Order::Sharp), (-30.0, Order::Sharp)]
                    .map(|(budget, order)| law.without_far(1.0, budget, order).map(|found| found.0));
                for law in [Some(law)].into_iter().chain(cuts).flatten() {
                    let finer = if law.cut.is_some() { 1.0 } else { 2.0 };
                    let Some(decay) = Tilted::new(&law, tilt, finer).and_then(|tilted| tilted.decay()) else {
                        continue;
                    };
                    let deviation = law.cumulants(tilt).curvature.sqrt();
                    seen += u32::from(law.cut.is_some());
                    let mut angle = 20;
                    for i in 0..40 {
                        let height = 0.05 / deviation * 1.25f64.powi(i);
                        let (claimed, Some(truth)) = (decay.fallen(height, &mut angle), truth(&law, tilt, height))
                        else {
                            break;
                        };
                        assert!(claimed <= truth + 1e-12, "{law:?} {height}: {claimed} {truth}");
                        assert!(
                            side == Side::Replace || truth < 4.0 || claimed > 0.3 * truth,
                            "{law:?} {height}: {claimed} {truth}"
                        );
                    }
                }
            }
        }
        assert!(seen >= 15, "{seen}");
    }

    /// What claims a larger share for the person, or leaves out what dividing by g costs, is caught.
    #[test]
    fn broken_twins_are_caught() {
        let (mut more, mut free) = (false, false);
        for (sigma, rate, tilt) in LAWS {
            for side in [Side::Remove, Side::Add] {
                let law = SampledGaussian { sigma, rate, side, cut: None };
                let honest = Tilted::new(&law, tilt, 2.0).and_then(|tilted| tilted.decay()).unwrap();
                let (mut doubled, mut careless) = (honest.clone(), honest);
                doubled.cells.iter_mut().for_each(|cell| cell.share *= 2.0);
                careless.power = 0.0;
                careless.sigma /= 2.0;
                let (mut angle, mut other) = (20, 20);
                for i in 0..30 {
                    let height = 0.05 / law.cumulants(tilt).curvature.sqrt() * 1.25f64.powi(i);
                    if let Some(truth) = truth(&law, tilt, height) {
                        more |= doubled.fallen(height, &mut angle) > truth * 1.01;
                        free |= careless.fallen(height, &mut other) > truth * 1.01;
                    }
                }
            }
        }
        assert!(more && free);
    }
}
