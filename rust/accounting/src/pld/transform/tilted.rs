//! A sampled Gaussian's tilted density at the points of a quadrature rule: bounds on its mass, and in cells, for how
//! fast its transform falls.

use crate::pld::{
    loss::sampled_gaussian::{Exponent, SampledGaussian, Side},
    transform::decay::{Cell, GaussianDecay},
};
use indistinct_numeric::{Above, Below, Range};

/// Parts of `g(y)` at a point: `p = q e^w/g` is what the individual contributes.
struct Mixture {
    /// `ln g`.
    logarithm: Range,
    share: Range,
    /// `1 - p`.
    rest: Above,
}

/// A point of the noise.
struct Point {
    y: f64,
    /// The tilted density, over `e^log_normalizer`.
    low: Below,
    high: Above,
    /// The logarithm of the density without a truncation, and of what that keeps.
    whole: Above,
    kept: Above,
    /// s, and by how much the logarithm of Q may grow where it turns.
    mean: Above,
    most_growth: Above,
    loss: Range,
    ahead: Mixture,
    behind: Option<Mixture>,
}

/// The points, which are `step` apart, and the mass, over `e^log_normalizer`.
pub(crate) struct TiltedDensity<'a> {
    law: &'a SampledGaussian,
    tilt: f64,
    log_normalizer: f64,
    step: f64,
    points: Vec<Point>,
    least: Below,
    most: Above,
}

/// More than the error of the trapezoid rule, 2^-66, as a part of the whole or of `e^log_normalizer`.
const RULE: f64 = f64::from_bits((1023 - 63) << 52);

impl<'a> TiltedDensity<'a> {
    /// `finer` is what the step that the integral needs is divided by, a power of 2.
    pub(crate) fn new(law: &'a SampledGaussian, tilt: f64, finer: f64) -> Option<Self> {
        // So near to 1 a rate may leave no digits of g; so small a one may count beside `e^600`.
        if law.rate > 1.0 - 1e-6 || law.rate < 1e-200 {
            return None;
        }
        let guess = law.cumulants(tilt).value;
        let at = |log_normalizer: f64| {
            let step = law.step(tilt, Above::ZERO, log_normalizer)? / finer;
            let exponent = law.exponent();
            let points: Option<Vec<_>> =
                law.rule(tilt, step).map(|y| point(law, &exponent, (tilt, log_normalizer), y)).collect();
            let points = points?;
            // Beyond the ends the density falls by at least 10 a unit.
            let ends = points.first()?.high + points.last()?.high;
            let most: Above = points.iter().map(|point| point.high).sum();
            let least: Below = points.iter().map(|point| point.low).sum();
            let (most, least) = (most * step + ends, least * step - ends);
            let (most, least) = (most + most * RULE + RULE, least - most * RULE - RULE);
            Some(Self { law, tilt, log_normalizer, step, points, least, most })
        };
        let is_seen = |found: &Self| {
            let (least, most) = (found.least.get(), found.most.get());
            let is_near = law.truncation.is_none() || (least > 0.5 && most < 1.5);
            most.is_finite() && least > 0.0 && is_near
        };
        let found = at(guess)?;
        if is_seen(&found) {
            return Some(found);
        }
        // The guess was not good enough, but this may be.
        at(guess + found.most.get().ln()).filter(is_seen)
    }

    /// About the logarithm of the moment generating function.
    pub(crate) fn log_mgf_estimate(&self) -> f64 {
        self.log_normalizer + self.most.get().ln()
    }

    /// The logarithm of the moment generating function.
    pub(crate) fn log_mgf(&self) -> Above {
        self.most.ln() + self.log_normalizer
    }

    pub(crate) fn decay(&self) -> Option<GaussianDecay> {
        let Self { law, tilt, log_normalizer, step, least, most, .. } = *self;
        let square = law.exponent().mu.above.squared();
        // The second derivative of the logarithm of g is this times `4 p (1 - p)`.
        let quarter = square * 0.25;
        // By how much a logarithm with a second derivative may leave its chord, as a factor.
        let sag = |bend: Above| {
            let is_none = bend.get() <= 0.0;
            if is_none { Above::exact(1.0) } else { (bend * Above::exact(step).squared() * 0.125).exp() }
        };
        let mut cells = Vec::with_capacity(self.points.len());
        let mut pieces = Vec::with_capacity(self.points.len());
        let mu = law.exponent().mu.above;
        for pair in self.points.windows(2) {
            let [from, to] = pair else { continue };
            let difference = to.loss - from.loss;
            let width = difference.below.or(-difference.above).or(Below::ZERO);
            // The density of the loss is that of y over its slope, mu p.
            let slope = |point: &Point| {
                let behind = point.behind.as_ref().map_or(Above::ZERO, |behind| behind.share.above);
                point.low / ((point.ahead.share.above + behind) * mu + 1e-200)
            };
            // p grows in y.
            let (mut share, mut spread) = (from.ahead.share.below, most_spread(&from.ahead, &to.ahead));
            let ahead = quarter * spread;
            if let (Some(from), Some(to)) = (&from.behind, &to.behind) {
                share += to.share.below;
                spread = most_spread(to, from);
            }
            let divided = quarter * spread * tilt;
            // The second derivative of the logarithm of the density in y, from above and, its negative, from below, and
            // that of the loss from above.
            let (above, below, bend) = match law.side {
                Side::Remove => (ahead * tilt + ahead - 1.0, Above::exact(1.0), ahead * tilt + ahead * 2.0 - 1.0),
                Side::Add => {
                    let left = (Above::exact(1.0) - tilt).max(Above::ZERO);
                    (Above::exact(-1.0), divided + 1.0, ahead * left - 1.0)
                }
                Side::Replace => {
                    let above = ahead * tilt + ahead - 1.0;
                    (above, divided + 1.0, above + square * 2.0)
                }
            };
            let (above, below, bend) = (sag(above), sag(below), sag(bend));
            pieces.push((slope(from).min(slope(to)) / bend, width));
            // What is kept falls in y: the chord of the rest, times what is kept at the left.
            let high = (from.high + (to.whole + from.kept).exp()) * 0.5;
            cells.push(Cell {
                low: (from.low * to.low).sqrt() * step / above / most,
                high: high * step * below / least,
                share,
                spread,
                truncation_mean: to.mean,
                most_growth: to.most_growth,
            });
        }
        let (first, last) = (self.points.first()?, self.points.last()?);
        // To the left of it p is less, if there is one, and below a half if it is there.
        let is_small = law.side == Side::Add && first.ahead.share.above.get() < 0.5;
        let spread_of_rest = if is_small { first.ahead.spread() } else { Above::exact(1.0) };
        // Powers of g that are divided by are at most those of 1 - q, beside a normal tail beyond 10.
        let log_beyond_by_rate =
            law.growth_by_rate(tilt, Above::ZERO) - Range::square(last.y).below * 0.5 - log_normalizer - least.ln();
        Some(GaussianDecay {
            rectangles: rectangles(&pieces, most),
            cells,
            rest: first.high / least,
            spread_of_rest,
            mean_of_rest: first.mean,
            log_beyond: last.whole + last.kept - least.ln(),
            log_beyond_by_rate,
            steepness: law.truncation.map_or(1.0, |truncation| truncation.steepness),
            truncation_mean: last.mean,
            power: if law.side == Side::Remove { 0.0 } else { tilt / 2.0 },
            sigma: law.sigma,
        })
    }
}

impl Mixture {
    /// `4 p (1 - p)`.
    fn spread(&self) -> Above {
        (self.share.above * self.rest * 4.0).or(Above::exact(1.0))
    }

    /// From the exponent w.
    fn new(law: &SampledGaussian, exponent: Range) -> Option<Self> {
        // Beyond, nothing is known that is of use.
        if exponent.width().get() >= 1e-7 {
            return None;
        }
        // It is known up to 600, beyond which p is all but 1; and rises in w.
        let least = (exponent.below.min(Below::exact(600.0)).exp() * law.rate).get();
        let one_less = Range { below: Below::exact(1.0) - law.rate, above: Above::exact(1.0) - law.rate };
        let below = Below::exact(least) / (one_less.above + least);
        let rest = one_less.above / (one_less.below + least);
        let most = (exponent.above.exp() * law.rate).get();
        let above = if most < 1e250 { Above::exact(most) / (one_less.below + most) } else { Above::exact(1.0) };
        let logarithm = law.log_mixture_between(exponent);
        let is_known = logarithm.width().get() < f64::INFINITY;
        is_known.then_some(Self { logarithm, share: Range { below, above: above.or(Above::exact(1.0)) }, rest })
    }
}

/// `ln sqrt(2 pi)`.
const LN_ROOT_TWO_PI: (f64, f64) = (0.918_938_533_204_672_7, f64::EPSILON);

fn point(law: &SampledGaussian, exponent: &Exponent, (tilt, log_normalizer): (f64, f64), y: f64) -> Option<Point> {
    let w = exponent.at(y);
    let ahead = Mixture::new(law, w)?;
    let behind = match law.side {
        Side::Replace => Some(Mixture::new(law, exponent.at(-y))?),
        _ => None,
    };
    let (loss, base) = match (law.side, &behind) {
        (Side::Replace, Some(behind)) => (ahead.logarithm - behind.logarithm, ahead.logarithm),
        (Side::Add, _) => (-ahead.logarithm, Range::exact(0.0)),
        _ => (ahead.logarithm, ahead.logarithm),
    };
    let square = Range::square(y) * 0.5;
    let root = Range::around(LN_ROOT_TWO_PI.0, Above::promised(LN_ROOT_TWO_PI.1));
    let whole = base + loss * tilt - square - root - log_normalizer;
    let (kept, mean, most_growth) = match law.truncation {
        None => (Range::exact(0.0), Above::ZERO, Above::ZERO),
        Some(_) if w.width().get() >= 1e-11 => return None,
        Some(truncation) => {
            let log_mean = truncation.log_mean(w);
            let mean = log_mean.exp();
            // ln((1 + x)/(1 - x)), for 1 - Q of at most x.
            let dropped = truncation.dropped_at_most(log_mean.above);
            let most_growth = if dropped.get() < 0.5 { dropped * 3.0 } else { Above::UNKNOWN };
            let (least, most) = (mean.below.get().max(0.0), mean.above.get());
            // Farther out, nothing is known from below.
            let below = if most < 9e3 { truncation.log_kept_at_least(most) } else { Below::UNKNOWN };
            (Range { below, above: truncation.log_kept(least) }, mean.above, most_growth)
        }
    };
    let density = whole + kept;
    let (low, high) = (density.below.exp(), density.above.exp());
    Some(Point { y, low, high, whole: whole.above, kept: kept.above, mean, most_growth, loss, ahead, behind })
}

/// `4 p (1 - p)` between two points, the first with the smaller p.
fn most_spread(low: &Mixture, high: &Mixture) -> Above {
    // It rises up to a half, and falls from there.
    if low.share.below.get() < 0.5 && high.share.above.get() > 0.5 {
        return Above::exact(1.0);
    }
    low.spread().max(high.spread())
}

/// Nested rectangles, as masses and widths, from lower bounds on the density on adjacent pieces, with their widths, and
/// the whole mass.
fn rectangles(pieces: &[(Below, Below)], mass: Above) -> Vec<(Below, Below)> {
    let top = pieces.iter().fold(0f64, |most, piece| most.max(piece.0.get()));
    let at = pieces.iter().position(|piece| piece.0.get() >= top).unwrap_or(0);
    let levels = 24u32;
    let (mut rectangles, mut below) = (Vec::new(), 0.0);
    for i in 1..=levels {
        // Finer towards the ground: half of the levels below a hundredth. The last is the top.
        let share = f64::from(i) / f64::from(levels);
        let level = top * share * share * share;
        let (front, back) = pieces.split_at(at.min(pieces.len()));
        let run = |pieces: &mut dyn Iterator<Item = &(Below, Below)>| -> Below {
            pieces.take_while(|piece| piece.0.get() >= level).map(|piece| piece.1).sum()
        };
        let width = run(&mut front.iter().rev()) + run(&mut back.iter());
        rectangles.push(((Below::exact(level) - below) * width / mass, width));
        below = level;
    }
    rectangles
}

#[cfg(test)]
mod tests {
    use crate::pld::{
        loss::{
            sampled_gaussian::{SampledGaussian, Side},
            truncation::Sharpness,
        },
        transform::{nodes::Nodes, tilted::TiltedDensity},
    };
    use indistinct_numeric::enclosure::{ComplexBall, Enclosure};
    use std::f64::consts::TAU;

    /// The bounds in floats contain what the integral has in balls, and are near it.
    #[test]
    fn the_mass_is_within_its_bounds() {
        let mut seen = 0;
        for (sigma, rate) in [(0.7, 0.001), (1.0, 0.3), (5.0, 0.01), (0.3, 1e-6), (2.0, 0.999)] {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, truncation: None };
                let truncation = truncated(&law, 1.0, -12.0, Sharpness::Sharp).map(|found| found.0);
                for law in [Some(law), truncation].into_iter().flatten() {
                    for tilt in [0.5, 3.0, 20.0] {
                        let (Some(tilted), Some(values)) =
                            (TiltedDensity::new(&law, tilt, 1.0), law.values(&Nodes::point(tilt)))
                        else {
                            continue;
                        };
                        seen += 1;
                        let (most, truth) = (tilted.log_mgf().get(), values.log_normalizer);
                        assert!(most >= truth.lower() && most <= truth.upper() + 1e-7, "{law:?} {tilt}: {most}");
                        let least = tilted.least.get().ln() + tilted.log_normalizer;
                        assert!(least <= truth.upper() && least >= truth.lower() - 1e-6, "{law:?} {tilt}: {least}");
                    }
                }
            }
        }
        assert!(seen > 50, "{seen}");
    }

    fn truncated(
        law: &SampledGaussian,
        count: f64,
        budget: f64,
        sharpness: Sharpness,
    ) -> Option<(SampledGaussian, indistinct_numeric::Above)> {
        law.truncated(&law.density_cells()?, count, budget, (sharpness, 1.0))
    }

    const LAWS: [(f64, f64, f64); 6] =
        [(0.7, 0.001, 6.0), (1.0, 0.01, 8.0), (1.0, 0.1, 3.0), (5.0, 0.001, 240.0), (2.0, 0.5, 1.5), (0.5, 1e-4, 0.5)];

    /// Minus the logarithm of the tilted characteristic function's size at a frequency; none where that is small or
    /// takes long.
    fn truth(law: &SampledGaussian, tilt: f64, frequency: f64) -> Option<f64> {
        let values = law.values(&Nodes::new(tilt, TAU / frequency, 2))?;
        let there = ComplexBall::ONE.add(&values.less_one[1]);
        Some(-there.re.hypot(there.im).ln()).filter(|truth| *truth < 22.0)
    }

    #[test]
    fn never_claims_more_than_there_is_and_not_much_less_far_out() {
        let mut seen = 0;
        for (sigma, rate, tilt) in LAWS.into_iter().chain([(60.0, 1e-3, 6e4), (9.0, 0.01, 900.0), (400.0, 1e-6, 1e8)]) {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, truncation: None };
                let steep = [-20.0, -60.0].map(|budget| {
                    let steep = (Sharpness::Sharp, law.steepness());
                    law.truncated(&law.density_cells()?, 1.0, budget, steep).map(|found| found.0)
                });
                // With a truncation in the middle of what counts at the tilt, and one further out.
                let truncations = [
                    (-6.0, Sharpness::Soft),
                    (-30.0, Sharpness::Soft),
                    (-6.0, Sharpness::Sharp),
                    (-30.0, Sharpness::Sharp),
                ]
                .map(|(budget, order)| truncated(&law, 1.0, budget, order).map(|found| found.0));
                for law in [Some(law)].into_iter().chain(truncations).chain(steep).flatten() {
                    let finer = if law.truncation.is_some() { 1.0 } else { 2.0 };
                    let Some(decay) = TiltedDensity::new(&law, tilt, finer).and_then(|tilted| tilted.decay()) else {
                        continue;
                    };
                    let deviation = law.cumulants(tilt).curvature.sqrt();
                    seen += u32::from(law.truncation.is_some());
                    let mut angle = 20;
                    for i in 0..40 {
                        let frequency = 0.05 / deviation * 1.25f64.powi(i);
                        let (claimed, Some(truth)) =
                            (decay.log_decay(frequency, &mut angle).get(), truth(&law, tilt, frequency))
                        else {
                            break;
                        };
                        assert!(claimed <= truth + 1e-12, "{law:?} {frequency}: {claimed} {truth}");
                        assert!(
                            side == Side::Replace || truth < 4.0 || claimed > 0.3 * truth,
                            "{law:?} {frequency}: {claimed} {truth}"
                        );
                    }
                }
            }
        }
        assert!(seen >= 40, "{seen}");
    }

    /// What claims a larger share for the individual, or leaves out what dividing by g costs, is caught.
    #[test]
    fn negative_controls_are_caught() {
        let (mut more, mut free) = (false, false);
        for (sigma, rate, tilt) in LAWS {
            for side in [Side::Remove, Side::Add] {
                let law = SampledGaussian { sigma, rate, side, truncation: None };
                let honest = TiltedDensity::new(&law, tilt, 2.0).and_then(|tilted| tilted.decay()).unwrap();
                let (mut doubled, mut careless) = (honest.clone(), honest);
                doubled.cells.iter_mut().for_each(|cell| cell.share = cell.share * 2.0);
                careless.power = 0.0;
                careless.sigma /= 2.0;
                let (mut angle, mut other) = (20, 20);
                for i in 0..30 {
                    let frequency = 0.05 / law.cumulants(tilt).curvature.sqrt() * 1.25f64.powi(i);
                    if let Some(truth) = truth(&law, tilt, frequency) {
                        more |= doubled.log_decay(frequency, &mut angle).get() > truth * 1.01;
                        free |= careless.log_decay(frequency, &mut other).get() > truth * 1.01;
                    }
                }
            }
        }
        assert!(more && free);
    }
}
