//! The transform of a sampled Gaussian's loss along a [`Path`] beside the real line: all of it, or taken apart into what is near zero and the large losses.
//!
//! What is [`Cut`] off rises to 1 with large losses; without them the transform falls slowly where most losses are nearly zero, so they are kept apart to the end.
//!
//! The arguments are in `proofs/accounting/pld.md`.

use super::{
    cut::Cut,
    disk::Disk,
    large::{ANGLES, Large},
    moving::{Moving, from_foot, values},
    path::{Path, Points},
    sampled_gaussian::{SampledGaussian, Side},
    transform::{Line, Values},
};
use indistinct_numeric::enclosure::{Ball, Enclosure, exp_near};

/// The logarithm of what the rule may leave out of the whole, and of what is not summed but charged.
const GOAL: f64 = -42.0;
/// No more points than this.
const MOST: f64 = 8192.0;
/// Angles of the strip's upper edge that are tried.
const EDGES: [f64; 8] = [0.03, 0.1, 0.2, 0.3, 0.5, 0.8, 1.04, 1.5];

/// An upper bound on the logarithm of |s| at a point of the path.
fn log_mean(law: &SampledGaussian, cut: Cut, x: f64) -> f64 {
    let mu = 1.0 / law.sigma;
    let ratio = mu * x - mu * mu / 2.0;
    ratio + cut.shift + (ratio.abs() + cut.shift.abs() + 1.0) * 1e-9
}

/// The transform on a line; none where that takes too many points. `scale` is about the logarithm of it at the foot.
pub(super) fn whole(law: &SampledGaussian, line: &Line, scale: f64) -> Option<Values> {
    // Below, g may be near zero; and neighbors of a fixed size have no smooth law.
    if law.rate > 0.5 || law.side == Side::Fixed {
        return None;
    }
    let kept = law.turned(line.tilt, scale)?;
    let mut best: Option<(Path, f64)> = None;
    for edge in EDGES {
        let Some((_, kept)) = kept.iter().find(|(most, _)| edge <= *most) else { continue };
        let grown = |angle: f64| {
            let shift = angle * law.sigma;
            shift * shift / 2.0 * 1.000_001 + law.grown(line.tilt, angle) * 1.000_001
        };
        // Without a cut the integral is that of the whole, which is seen below to be at most twice e^scale.
        let integral = kept + grown(edge) + 0.7;
        // What is added up on the path is larger than what it comes to, and rounds.
        if best.is_some() && grown(edge / 2.0) > 3.0 {
            break;
        }
        let path = Path::new(edge, law.sigma, integral - GOAL)?;
        if best.as_ref().is_none_or(|(best, _)| path.step > best.step) {
            let error = path.left_out(integral);
            best = Some((path, error));
        }
    }
    let (path, mut error) = best?;
    let (left, right) = law.window(line.tilt);
    let all = ((left + right) / path.step).ceil();
    if all.is_nan() || all > MOST {
        return None;
    }
    let points = Points::new(law, line, scale, &path);
    let mut moving = Vec::new();
    let (mut first, mut last) = (None, f64::INFINITY);
    for x in law.rule(line.tilt, path.step) {
        let kept = law.cut.map_or(0.0, |cut| cut.most_kept(log_mean(law, cut, x), points.angle.0.lower()));
        let size = points.rough(x) + kept;
        last = exp_near(size.clamp(-690.0, 690.0));
        first = first.or(Some(last));
        if size > GOAL - 6.0 {
            let point = points.at(x)?;
            let kept = law.cut.map_or(Disk::ONE, |cut| cut.split(&points.ratio(x), points.angle, false).0);
            moving.push(Moving { at: point.at.mul(&kept), ..point });
        } else {
            error += last;
        }
    }
    // Beyond the ends the sizes fall by 10 a unit.
    error = (error + (first? + last) * (0.1 / path.step)) * 1.000_001;
    let (foot, less_one) = from_foot(&moving, line.count, error)?;
    let is_seen = foot.lower() > 0.5 && foot.upper() < 1.5;
    is_seen.then(|| Values { scale: Ball::exact(scale).add(&foot.ln()), center: 0.0, less_one })
}

/// The values on a line, over `e^scale`.
pub(super) struct Split {
    pub(super) near: Vec<Disk>,
    pub(super) large: Vec<Disk>,
}

/// The path with the longest step that is good for both parts, and bounds on what the rule leaves out of either.
fn path(
    law: &SampledGaussian,
    (tilt, cut, scale): (f64, Cut, f64),
    large: &Large,
    goals: (f64, f64),
) -> Option<(Path, f64, f64)> {
    let kept = SampledGaussian { cut: Some(cut), ..*law }.turned(tilt, scale)?;
    let mut best: Option<(Path, f64, f64)> = None;
    for angle in ANGLES {
        let Some((_, kept)) = kept.iter().find(|(most, _)| angle.0 <= *most) else { continue };
        let shift = angle.0 * law.sigma;
        let near = kept + shift * shift / 2.0;
        let large = large.at(0.0, angle);
        let Some(path) = Path::new(angle.0, law.sigma, (near - goals.0).max(large.ln() - goals.1 + 3.0)) else {
            continue;
        };
        if best.as_ref().is_none_or(|(best, ..)| path.step > best.step) {
            let errors = (path.left_out(near), path.left_out(0.0) * large);
            best = Some((path, errors.0, errors.1));
        }
    }
    best
}

/// Both parts on a line; `scale` is the logarithm of about the whole at its foot, and `goals` are logarithms of small errors for either part.
pub(super) fn split(
    law: &SampledGaussian,
    cut: Cut,
    line: &Line,
    (scale, goals): (f64, (f64, f64)),
    bound: &Large,
) -> Option<Split> {
    let (path, mut near_error, mut large_error) = path(law, (line.tilt, cut, scale), bound, goals)?;
    let points = Points::new(law, line, scale, &path);
    let (left, right) = law.window(line.tilt);
    let all = ((left + right) / path.step).ceil();
    if all.is_nan() || all > MOST {
        return None;
    }
    let (mut near, mut large) = (Vec::new(), Vec::new());
    // What lies beyond the ends falls by 10 a unit on the right, where next to nothing is kept, and is nothing on the left.
    if log_mean(law, cut, right) < 4.0 {
        return None;
    }
    let grown = exp_near(points.shift * points.shift / 2.0 * 1.000_001);
    near_error += exp_near((-51.0 - scale).clamp(-690.0, 690.0)) * grown;
    large_error += bound.left * grown;
    let cosine = points.angle.0.lower();
    let (mut last_near, mut last_large) = (f64::INFINITY, f64::INFINITY);
    for x in law.rule(line.tilt, path.step) {
        let (size, mean) = (points.rough(x), log_mean(law, cut, x));
        let far = law.cut.map_or(0.0, |far| far.most_kept(log_mean(law, far, x), cosine));
        let (kept, dropped) = (size + cut.most_kept(mean, cosine), size + far + cut.most_dropped(mean, cosine));
        (last_near, last_large) = (exp_near(kept.clamp(-690.0, 690.0)), exp_near(dropped.clamp(-690.0, 690.0)));
        let (is_near, is_large) = (kept > goals.0 - 6.0, dropped > goals.1 - 6.0);
        if is_near || is_large {
            let Moving { at, step, leap } = points.at(x)?;
            let ratio = points.ratio(x);
            let (kept, mut dropped) = cut.split(&ratio, points.angle, true);
            // Neither near nor far.
            if let Some(far) = &law.cut {
                dropped = dropped.add(&far.split(&ratio, points.angle, true).1.neg());
            }
            if is_near {
                near.push(Moving { at: at.mul(&kept), step, leap });
            }
            if is_large {
                large.push(Moving { at: at.mul(&dropped), step, leap });
            }
        }
        near_error += if is_near { 0.0 } else { last_near };
        large_error += if is_large { 0.0 } else { last_large };
    }
    let after = 1.0 + 0.1 / path.step;
    near_error = (near_error + last_near * after) * 1.000_001;
    large_error = (large_error + last_large * after) * 1.000_001;
    let (near, large) = (values(near, line.count, near_error), values(large, line.count, large_error));
    // The integral that the rule's error is a part of.
    (near.first()?.modulus() < 1.5).then_some(Split { near, large })
}

#[cfg(test)]
mod tests {
    use super::super::{cut::Order, disk::circle};
    use super::*;
    use std::f64::consts::TAU;

    const LAWS: [(f64, f64, f64, f64); 4] =
        [(0.7, 0.001, 5.0, 0.3), (1.0, 0.01, 6.0, 0.2), (1.0, 0.1, 3.0, 0.5), (3.0, 0.002, 60.0, 0.02)];

    fn parts((sigma, rate, tilt, at): (f64, f64, f64, f64)) -> (SampledGaussian, Cut, Line, f64, Large) {
        let law = SampledGaussian { sigma, rate, side: Side::Remove, cut: None };
        let cut = Cut::at((at.exp_m1() / rate).ln_1p());
        let line = Line { tilt, period: 6.0 / tilt, count: 200 };
        let scale = law.cumulants(tilt).value;
        let large = Large::new(&law, tilt, cut, scale).unwrap();
        (law, cut, line, scale, large)
    }

    /// Along either path the transform is the same, for all sides, with a cut and without.
    #[test]
    fn both_paths_agree() {
        let mut beside = 0;
        for (sigma, rate, tilt, _) in LAWS {
            for side in [Side::Remove, Side::Add, Side::Replace] {
                let law = SampledGaussian { sigma, rate, side, cut: None };
                let cut = law.without_far(1.0, -20.0, Order::Soft).map(|found| found.0);
                assert_eq!(cut.is_some(), side != Side::Add);
                for law in [Some(law), cut].into_iter().flatten() {
                    let line = Line { tilt, period: 6.0 / tilt, count: 200 };
                    let scale = law.cumulants(tilt).value;
                    // High up, the real line takes too many points.
                    let (Some(there), Some(here)) = (whole(&law, &line, scale), law.values(&line)) else { continue };
                    let factor = (there.scale.upper() - here.scale.upper()).exp();
                    for (n, (x, y)) in (0..200u32).zip(there.less_one.iter().zip(&here.less_one)) {
                        let angle = f64::from(n) * here.center / line.period;
                        let (x, y) = (Disk::ONE.add(x).scale(factor), Disk::ONE.add(y).mul(&circle(angle, 1e-13)));
                        let off = (x.re - y.re).hypot(x.im - y.im);
                        assert!(
                            off <= x.radius + y.radius + 1e-14,
                            "{law:?} {n}: {off:e} {:e} {:e}",
                            x.radius,
                            y.radius
                        );
                        assert!(x.radius < 1e-10, "{law:?} {n}: {:e}", x.radius);
                    }
                    beside += 1;
                }
            }
        }
        assert!(beside >= 15, "{beside}");
    }

    /// Both parts together are the transform, which is known along the real line; beside it they are summed at another path.
    #[test]
    fn the_parts_add_up_to_the_whole() {
        for given in LAWS {
            let (law, cut, line, scale, large) = parts(given);
            let split = split(&law, cut, &line, (scale, (-36.0, -50.0)), &large).unwrap();
            let whole = law.values(&line).unwrap();
            assert_eq!(split.near.len(), whole.less_one.len());
            let factor = (whole.scale.upper() - scale).exp();
            for (n, ((near, large), whole_disk)) in
                (0..200u32).zip(split.near.iter().zip(&split.large).zip(&whole.less_one))
            {
                let sum = near.add(large);
                let angle = f64::from(n) * whole.center / line.period;
                let there = Disk::ONE.add(whole_disk).mul(&circle(angle, 1e-13)).scale(factor);
                let off = (sum.re - there.re).hypot(sum.im - there.im);
                assert!(off <= sum.radius + there.radius + 1e-12, "{given:?} {n}: {off:e}");
                assert!(sum.radius < 1e-11, "{given:?} {n}: {:e}", sum.radius);
            }
        }
    }

    /// The bound on large losses holds, is not idle, and a twin that claims twice the person's share is caught.
    #[test]
    fn large_losses_fall_as_is_claimed() {
        let mut caught = false;
        for given in LAWS {
            let (law, cut, line, scale, large) = parts(given);
            let split = split(&law, cut, &line, (scale, (-36.0, -50.0)), &large).unwrap();
            let mut twin = Large::new(&law, line.tilt, cut, scale).unwrap();
            twin.cells.iter_mut().for_each(|cell| cell.share *= 4.0);
            for (n, disk) in (0..200u32).zip(&split.large) {
                let height = TAU * f64::from(n) / line.period;
                let least = disk.re.hypot(disk.im) - disk.radius;
                assert!(least <= large.fallen(height), "{given:?} {n}");
                caught |= least > twin.fallen(height);
            }
            assert!(large.fallen(1e5) < 1e-6 * large.fallen(0.0), "{given:?}");
            // Without what is far, as well.
            let (law, _) = law.without_far(1.0, -30.0, Order::Soft).unwrap();
            let scale = law.cumulants(line.tilt).value;
            let large = Large::new(&law, line.tilt, cut, scale).unwrap();
            let split = super::split(&law, cut, &line, (scale, (-36.0, -50.0)), &large).unwrap();
            for (n, disk) in (0..200u32).zip(&split.large) {
                let height = TAU * f64::from(n) / line.period;
                assert!(disk.re.hypot(disk.im) - disk.radius <= large.fallen(height), "{given:?} {n}");
            }
        }
        assert!(caught);
    }

    /// What is far out is left out by a cut, and bounded.
    #[test]
    fn what_is_far_is_charged() {
        for (sigma, rate, ..) in LAWS {
            let law = SampledGaussian { sigma, rate, side: Side::Remove, cut: None };
            let (near, beyond) = law.without_far(10.0, -20.0, Order::Soft).unwrap();
            let mass = |law: &SampledGaussian| {
                let values = law.values(&Line::point(f64::MIN_POSITIVE)).unwrap();
                values.scale.upper().exp()
            };
            let lost = 10.0 * (mass(&law) - mass(&near));
            assert!(lost <= beyond + 1e-13 && beyond < 1e-7 && beyond > 0.0, "{sigma} {rate}: {lost:e} {beyond:e}");
        }
    }
}
