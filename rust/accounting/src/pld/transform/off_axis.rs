//! The transform of a sampled Gaussian's loss along a [`ShiftedContour`]: all of it, or taken apart into the bulk,
//! losses near zero, and the tail, large losses.
//!
//! The tail is what a [`Truncation`] drops. Where most losses are nearly zero the bulk's transform falls slowly, and
//! the tail's fast.
//!
//! The arguments are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    loss::{
        sampled_gaussian::{Exponent, SampledGaussian},
        truncation::Truncation,
    },
    transform::{
        nodes::{Nodes, Values},
        recurrence::{BasePoint, RotatingTerm, from_base_point, moves_along, sums_along},
        shifted_contour::{Integrand, ShiftedContour},
        tail_bound::{ANGLES, Angle, TailBound},
        tilted::TiltedDensity,
    },
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{Ball, CompensatedSum, ComplexBall, Enclosure},
};

/// The logarithm of what the rule may leave out of the whole, and of what is not summed but charged.
const GOAL: f64 = -42.0;
/// No more points than this.
const MOST: f64 = 8192.0;
/// So many points on the real axis are few.
const FEW_POINTS: f64 = 400.0;
/// For so many steps, only frequencies count at which the transform has moved little from the base point: the sum of
/// the moves is known to more digits there than that of the terms.
const MANY_STEPS: u64 = 300;
/// Angles of the strip's upper edge that are tried, times the steepness of a cut that is right beside so much noise.
const EDGES: [f64; 8] = [0.03, 0.1, 0.2, 0.3, 0.5, 0.8, 1.04, 1.5];

/// The logarithm of what a truncation keeps at a point of the contour.
fn log_kept(truncation: Option<Truncation>, exponent: Range, cosine: Below) -> Above {
    truncation.map_or(Above::ZERO, |truncation| truncation.log_kept_off_axis(truncation.log_mean(exponent), cosine))
}

/// The transform at the nodes; none where that takes too many points. `log_normalizer` is about its logarithm at the
/// base point.
pub(crate) fn along_shifted_contour(law: &SampledGaussian, nodes: &Nodes, log_normalizer: f64) -> Option<Values> {
    // Below, g may be near zero; and the loss for neighbors of a fixed size has no smooth density.
    if law.rate > 0.5 {
        return None;
    }
    let kept = law.growth_at_angles(nodes.tilt, log_normalizer)?;
    let mut best: Option<(ShiftedContour, Above)> = None;
    let steepness = law.steepness();
    for edge in EDGES.map(|edge| edge / steepness) {
        let Some((_, kept)) = kept.iter().find(|(most, _)| edge <= *most) else { continue };
        let log_growth = |angle: f64| {
            (Above::exact(angle) * law.sigma).squared() * 0.5 + law.log_growth(nodes.tilt, Above::exact(angle))
        };
        // Without a truncation the integral is that of the whole, which is seen below to be at most twice
        // e^log_normalizer: 0.7 is above ln 2.
        let integral = *kept + log_growth(edge) + 0.7;
        // What is added up on the contour is larger than what it comes to, and rounds: about by so much, where powers
        // of g grow as they do at small rates.
        let of_rate = nodes.tilt * law.rate * edge * edge / 4.0;
        let of_noise = edge * law.sigma / 2.0;
        let grown = law.log_growth(nodes.tilt, Above::exact(edge / 2.0)).get().min(of_rate);
        if best.is_some() && of_noise * of_noise / 2.0 + grown > 3.0 {
            break;
        }
        let Some(contour) = ShiftedContour::new(edge, law.sigma, integral.get() - GOAL) else { continue };
        if best.as_ref().is_none_or(|(best, _)| contour.step > best.step) {
            let error = contour.left_out(integral);
            best = Some((contour, error));
        }
    }
    let (contour, mut error) = best?;
    let (left, right) = law.window(nodes.tilt);
    let all = ((left + right) / contour.step).ceil();
    if all.is_nan() || all > MOST {
        return None;
    }
    let points = Integrand::new(law, nodes, log_normalizer, &contour);
    let exponent: Exponent = law.exponent();
    let mut terms = Vec::new();
    let (mut first, mut last) = (None, Above::UNKNOWN);
    for x in law.rule(nodes.tilt, contour.step) {
        let size =
            points.log_size(x) + log_kept(law.truncation, exponent.at(x), Below::of(&points.angle_of_mean.cosine));
        last = size.exp();
        first = first.or(Some(last));
        if size.get() > GOAL - 6.0 {
            let point = points.at(x)?;
            let kept = law.truncation.map_or(ComplexBall::ONE, |truncation| {
                truncation.split(&points.ratio(x), &points.angle_of_mean, false).0
            });
            terms.push(RotatingTerm { at: point.at.mul(&kept), ..point });
        } else {
            error += last;
        }
    }
    // Beyond the ends the sizes fall by 10 a unit.
    error += (first? + last) * 0.1 / contour.step;
    let (base, less_one) = from_base_point(&terms, nodes.count, error)?;
    let is_seen = base.lower() > 0.5 && base.upper() < 1.5;
    is_seen.then(|| Values { log_normalizer: Ball::exact(log_normalizer).add(&base.ln()), center: 0.0, less_one })
}

impl SampledGaussian {
    /// The transform at the nodes along a shifted contour, where the real axis takes many points.
    pub(crate) fn off_axis(&self, nodes: &Nodes) -> Option<Values> {
        let log_normalizer = TiltedDensity::new(self, nodes.tilt, 1.0)?.log_mgf_estimate();
        let (left, right) = self.window(nodes.tilt);
        let step = self.step(nodes.tilt, nodes.frequency(), log_normalizer);
        let is_worth = step.is_none_or(|step| (left + right) / step > FEW_POINTS);
        if is_worth { along_shifted_contour(self, nodes, log_normalizer) } else { None }
    }
}

/// A number near the whole at the base point over `e^log_normalizer`; and over that, at the nodes, the bulk, less one,
/// and the tail.
pub(crate) struct BulkAndTail {
    pub(crate) base: Ball,
    pub(crate) bulk_less_one: Vec<ComplexBall>,
    pub(crate) tail: Vec<ComplexBall>,
}

#[cfg(test)]
impl BulkAndTail {
    /// Both at all nodes, over `e^log_normalizer`.
    pub(crate) fn parts(&self) -> Vec<(ComplexBall, ComplexBall)> {
        let base = ComplexBall::real(indistinct_numeric::enclosure::midpoint(&self.base));
        let parts = self.bulk_less_one.iter().zip(&self.tail);
        parts.map(|(bulk, tail)| (ComplexBall::ONE.add(bulk).mul(&base), tail.mul(&base))).collect()
    }
}

/// The contour with the longest step that is good for both parts, and what the rule leaves out of either.
fn longest_step(
    law: &SampledGaussian,
    (tilt, truncation, log_normalizer): (f64, Truncation, f64),
    tail: &TailBound,
    goals: (f64, f64),
) -> Option<(ShiftedContour, Above, Above)> {
    let kept = SampledGaussian { truncation: Some(truncation), ..*law }.growth_at_angles(tilt, log_normalizer)?;
    let mut best: Option<(ShiftedContour, Above, Above)> = None;
    for (index, Angle { angle, .. }) in ANGLES.into_iter().enumerate() {
        let Some((_, kept)) = kept.iter().find(|(most, _)| angle <= *most) else { continue };
        let bulk = *kept + (Above::exact(angle) * law.sigma).squared() * 0.5;
        let tail = tail.at(0.0, index);
        let need = (bulk.get() - goals.0).max(tail.get().ln() - goals.1 + 3.0);
        let Some(contour) = ShiftedContour::new(angle, law.sigma, need) else { continue };
        if best.as_ref().is_none_or(|(best, ..)| contour.step > best.step) {
            let errors = (contour.left_out(bulk), contour.left_out(Above::ZERO) * tail);
            best = Some((contour, errors.0, errors.1));
        }
    }
    best
}

/// Both parts at the nodes, for so many steps; `log_normalizer` is about the logarithm of the whole at the base point,
/// and `goals` are logarithms of small errors for either part.
pub(crate) fn bulk_and_tail(
    law: &SampledGaussian,
    truncation: Truncation,
    nodes: &Nodes,
    (log_normalizer, goals): (f64, (f64, f64)),
    (bound, steps): (&TailBound, u64),
) -> Option<BulkAndTail> {
    let (contour, mut bulk_error, mut tail_error) =
        longest_step(law, (nodes.tilt, truncation, log_normalizer), bound, goals)?;
    let points = Integrand::new(law, nodes, log_normalizer, &contour);
    let (left, right) = law.window(nodes.tilt);
    let all = ((left + right) / contour.step).ceil();
    if all.is_nan() || all > MOST {
        return None;
    }
    let exponent = law.exponent();
    let (mut bulk, mut tail) = (Vec::new(), Vec::new());
    // What lies beyond the ends falls by 10 a unit on the right, where next to nothing is kept, and is nothing on the
    // left.
    if truncation.log_mean(exponent.at(right)).below.get() < 4.0 {
        return None;
    }
    let growth = (points.shift.squared() * 0.5).exp();
    bulk_error += (Above::exact(-51.0) - log_normalizer).exp() * growth;
    tail_error += bound.left * growth;
    // A bound on the tail is for cuts whose s turns as the ratio.
    let cosine = Below::of(&points.angle.cosine);
    let saturated = truncation.saturated(cosine);
    let (mut last_bulk, mut last_tail) = (Above::UNKNOWN, Above::UNKNOWN);
    for x in law.rule(nodes.tilt, contour.step) {
        let (size, exponent) = (points.log_size(x), exponent.at(x));
        let kept = size + log_kept(Some(truncation), exponent, cosine);
        let mean = truncation.log_mean(exponent).above;
        let dropped = size + log_kept(law.truncation, exponent, cosine) + truncation.log_dropped(mean, saturated);
        (last_bulk, last_tail) = (kept.exp(), dropped.exp());
        let (is_in_bulk, is_in_tail) = (kept.get() > goals.0 - 6.0, dropped.get() > goals.1 - 6.0);
        if is_in_bulk || is_in_tail {
            let point = points.at(x)?;
            let ratio = points.ratio(x);
            let (kept, mut dropped): (ComplexBall, ComplexBall) = truncation.split(&ratio, &points.angle, is_in_tail);
            // Neither in the bulk nor truncated: the difference of what is small.
            if let Some(truncated) = law.truncation.as_ref().filter(|_| is_in_tail) {
                let (not_truncated, truncated) = truncated.split(&ratio, &points.angle_of_mean, true);
                let is_most_dropped = kept.modulus() < 0.5;
                let (more, less) = if is_most_dropped { (not_truncated, kept) } else { (dropped, truncated) };
                dropped = more.add(&less.neg());
            }
            if is_in_bulk {
                bulk.push(RotatingTerm { at: point.at.mul(&kept), ..point });
            }
            if is_in_tail {
                tail.push(RotatingTerm { at: point.at.mul(&dropped), ..point });
            }
        }
        if !is_in_bulk {
            bulk_error += last_bulk;
        }
        if !is_in_tail {
            tail_error += last_tail;
        }
    }
    let after = Above::exact(0.1) / contour.step + 1.0;
    bulk_error += last_bulk * after;
    tail_error += last_tail * after;
    let tail = sums_along(&tail, nodes.count, tail_error);
    // The integral that the rule's error is a part of.
    let is_seen = |whole: f64| whole < 1.5;
    if steps < MANY_STEPS {
        let whole = sums_along(&bulk, nodes.count, bulk_error);
        whole.first().filter(|whole| is_seen(whole.modulus()))?;
        let less = ComplexBall::ONE.neg();
        return Some(BulkAndTail {
            base: Ball::exact(1.0),
            bulk_less_one: whole.iter().map(|value| value.add(&less)).collect(),
            tail,
        });
    }
    // Over a number near the whole at the base point: the bulk there, which is real, and a float near the tail.
    let first = tail.first()?;
    let mut sum = CompensatedSum::default();
    bulk.iter().for_each(|term| sum.add(term.at.re, term.at.radius));
    sum.add(first.re, 0.0);
    let base = BasePoint::new(&sum, bulk_error)?;
    if !is_seen(base.ball().upper() + first.radius) {
        return None;
    }
    let less = ComplexBall::new(-first.re, 0.0, 0.0);
    let moved = moves_along(&bulk, nodes.count);
    Some(BulkAndTail {
        base: base.ball(),
        bulk_less_one: moved.iter().map(|moved| base.moved(&moved.add(&less))).collect(),
        tail: tail.iter().map(|tail| base.share(tail)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::loss::{sampled_gaussian::Side, truncation::Sharpness};
    use indistinct_numeric::enclosure::ComplexBall;
    use std::f64::consts::TAU;

    fn truncated(
        law: &SampledGaussian,
        count: f64,
        budget: f64,
        sharpness: Sharpness,
    ) -> Option<(SampledGaussian, indistinct_numeric::Above)> {
        law.truncated(&law.density_cells()?, count, budget, (sharpness, 1.0))
    }

    const LAWS: [(f64, f64, f64, f64); 4] =
        [(0.7, 0.001, 5.0, 0.3), (1.0, 0.01, 6.0, 0.2), (1.0, 0.1, 3.0, 0.5), (3.0, 0.002, 60.0, 0.02)];

    fn parts((sigma, rate, tilt, at): (f64, f64, f64, f64)) -> (SampledGaussian, Truncation, Nodes, f64, TailBound) {
        let law = SampledGaussian { sigma, rate, side: Side::Remove, truncation: None };
        let truncation = Truncation::at((at.exp_m1() / rate).ln_1p());
        let nodes = Nodes::new(tilt, 6.0 / tilt, 200);
        let log_normalizer = law.cumulants(tilt).value;
        let tail = TailBound::new(&law, tilt, truncation, log_normalizer).unwrap();
        (law, truncation, nodes, log_normalizer, tail)
    }

    /// Along either path the transform is the same, for all sides, with a truncation and without.
    #[test]
    fn both_paths_agree() {
        let mut off_axis = 0;
        let laws = LAWS.map(|(sigma, rate, tilt, _)| (sigma, rate, tilt, 200)).into_iter();
        let steep = [(50.0, 1e-3, 5e4, 16), (9.0, 0.01, 900.0, 16), (400.0, 1e-6, 1e8, 16)];
        for (sigma, rate, tilt, count) in laws.chain(steep) {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, truncation: None };
                let soft = truncated(&law, 1.0, -20.0, Sharpness::Soft).map(|found| found.0);
                let steep = law
                    .density_cells()
                    .and_then(|cells| law.truncated(&cells, 1.0, -20.0, (Sharpness::Sharp, law.steepness())));
                assert!(steep.is_some() == (side != Side::Add) && (soft.is_some() == steep.is_some() || sigma > 9.0));
                for law in [Some(law), soft, steep.map(|found| found.0)].into_iter().flatten() {
                    let nodes = Nodes::new(tilt, 6.0 / tilt, count);
                    let log_normalizer = law.cumulants(tilt).value;
                    // At high frequencies the real axis takes too many points.
                    let (Some(there), Some(here)) =
                        (along_shifted_contour(&law, &nodes, log_normalizer), law.values(&nodes))
                    else {
                        continue;
                    };
                    let factor = (there.log_normalizer.upper() - here.log_normalizer.upper()).exp();
                    for (n, (x, y)) in (0..count).zip(there.less_one.iter().zip(&here.less_one)) {
                        let angle = f64::from(n) * here.center / nodes.period;
                        let (x, y) = (
                            ComplexBall::ONE.add(x).scale(factor),
                            ComplexBall::ONE.add(y).mul(&ComplexBall::on_circle(angle, 1e-13)),
                        );
                        let off = (x.re - y.re).hypot(x.im - y.im);
                        assert!(
                            off <= x.radius + y.radius + 1e-14,
                            "{law:?} {n}: {off:e} {:e} {:e}",
                            x.radius,
                            y.radius
                        );
                        assert!(x.radius < 1e-9, "{law:?} {n}: {:e}", x.radius);
                    }
                    off_axis += 1;
                }
            }
        }
        assert!(off_axis >= 25, "{off_axis}");
    }

    /// What a point is at most before it is summed; where powers of g are divided by, it is not much more.
    #[test]
    fn no_point_is_larger_than_its_bound() {
        let mut near = 0;
        for (sigma, rate, tilt) in
            [(16.0, 1.6e-4, 6e5), (28.0, 8e-5, 1e6), (1.0, 0.3, 20.0), (0.6, 1e-3, 50.0), (400.0, 1e-6, 1e8)]
        {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, truncation: None };
                let nodes = Nodes::new(tilt, 6.0 / tilt, 2);
                let log_normalizer = law.cumulants(tilt).value;
                for angle in [0.01, 0.1, 0.4, 1.0].map(|angle| angle / law.steepness()) {
                    let Some(contour) = ShiftedContour::new(angle, sigma, 40.0) else { continue };
                    let points = Integrand::new(&law, &nodes, log_normalizer, &contour);
                    for x in (-60..=60).map(|i| f64::from(i) * 0.25) {
                        let (Some(point), most) = (points.at(x), points.log_size(x)) else { continue };
                        let size = point.at.re.hypot(point.at.im) - point.at.radius;
                        assert!(size <= most.exp().get(), "{law:?} {angle} {x}: {size:e} {most:?}");
                        near += u32::from(side == Side::Add && size > 1e-30 && most.get() < size.ln() + 1e-3);
                    }
                }
            }
        }
        assert!(near > 500, "{near}");
    }

    /// Both parts together are the transform, which is known along the real axis; beside it they are summed at another
    /// path.
    #[test]
    fn the_parts_add_up_to_the_whole() {
        for (given, steps) in LAWS.into_iter().flat_map(|law| [(law, 1), (law, MANY_STEPS)]) {
            let (law, truncation, nodes, log_normalizer, tail) = parts(given);
            let bulk_and_tail =
                bulk_and_tail(&law, truncation, &nodes, (log_normalizer, (-36.0, -50.0)), (&tail, steps)).unwrap();
            let along_shifted_contour = law.values(&nodes).unwrap();
            assert_eq!(bulk_and_tail.bulk_less_one.len(), along_shifted_contour.less_one.len());
            let factor = (along_shifted_contour.log_normalizer.upper() - log_normalizer).exp();
            for (n, ((bulk, tail), whole_disk)) in
                (0..200u32).zip(bulk_and_tail.parts().iter().zip(&along_shifted_contour.less_one))
            {
                let sum = bulk.add(tail);
                let angle = f64::from(n) * along_shifted_contour.center / nodes.period;
                let there = ComplexBall::ONE.add(whole_disk).mul(&ComplexBall::on_circle(angle, 1e-13)).scale(factor);
                let off = (sum.re - there.re).hypot(sum.im - there.im);
                assert!(off <= sum.radius + there.radius + 1e-12, "{given:?} {n}: {off:e}");
                assert!(sum.radius < if steps == 1 { 1e-11 } else { 1e-10 }, "{given:?} {n}: {:e}", sum.radius);
            }
        }
    }

    /// The bound on large losses holds, is not idle, and a negative control that claims twice the individual's share is
    /// caught.
    #[test]
    fn large_losses_fall_as_is_claimed() {
        let mut caught = false;
        for given in LAWS {
            let (law, truncation, nodes, log_normalizer, tail) = parts(given);
            let bulk_and_tail =
                bulk_and_tail(&law, truncation, &nodes, (log_normalizer, (-36.0, -50.0)), (&tail, 1)).unwrap();
            let mut control = TailBound::new(&law, nodes.tilt, truncation, log_normalizer).unwrap();
            control.cells.iter_mut().for_each(|cell| cell.share = cell.share * 4.0);
            for (n, (_, disk)) in (0..200u32).zip(&bulk_and_tail.parts()) {
                let frequency = TAU * f64::from(n) / nodes.period;
                let least = disk.re.hypot(disk.im) - disk.radius;
                assert!(least <= tail.size_from(frequency).get(), "{given:?} {n}");
                caught |= least > control.size_from(frequency).get();
            }
            assert!(tail.size_from(1e5).get() < 1e-6 * tail.size_from(0.0).get(), "{given:?}");
            // Without what is far, as well.
            let (law, _) = truncated(&law, 1.0, -30.0, Sharpness::Soft).unwrap();
            let log_normalizer = law.cumulants(nodes.tilt).value;
            let tail = TailBound::new(&law, nodes.tilt, truncation, log_normalizer).unwrap();
            let bulk_and_tail =
                super::bulk_and_tail(&law, truncation, &nodes, (log_normalizer, (-36.0, -50.0)), (&tail, 1)).unwrap();
            for (n, (_, disk)) in (0..200u32).zip(&bulk_and_tail.parts()) {
                let frequency = TAU * f64::from(n) / nodes.period;
                assert!(disk.re.hypot(disk.im) - disk.radius <= tail.size_from(frequency).get(), "{given:?} {n}");
            }
        }
        assert!(caught);
    }

    /// What is far out is left out by a truncation, and bounded.
    #[test]
    fn what_is_far_is_charged() {
        for (sigma, rate, ..) in LAWS {
            let law = SampledGaussian { sigma, rate, side: Side::Remove, truncation: None };
            let (bulk, beyond) = truncated(&law, 10.0, -20.0, Sharpness::Soft).unwrap();
            let mass = |law: &SampledGaussian| {
                let values = law.values(&Nodes::point(f64::MIN_POSITIVE)).unwrap();
                values.log_normalizer.upper().exp()
            };
            let lost = 10.0 * (mass(&law) - mass(&bulk));
            let beyond = beyond.get();
            assert!(lost <= beyond + 1e-13 && beyond < 1e-7 && beyond > 0.0, "{sigma} {rate}: {lost:e} {beyond:e}");
        }
    }
}
