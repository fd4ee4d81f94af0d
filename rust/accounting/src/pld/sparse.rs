//! The integral where persons are hardly ever sampled: nearly all losses are near zero, and a few large ones decide.
//!
//! The law of each loss is split in two, near and large ([`Cut`]). What all near losses together come to is bounded, being next to nothing; the rest,
//! `product of M^k - product of near^k`, falls with the height as the large losses' transform does, and is computed without cancellation.

use super::{
    contour::Contour,
    cut::{Cut, Order},
    disk::{Disk, UNIT},
    large::Large,
    saddle::{Plan, estimate, short},
    sampled_gaussian::{SampledGaussian, Side},
    shape::{Shape, Shapes, number},
    shifted::split,
    table::{Looked, Table},
    transform::Line,
    wrapped::{Ceiling, Wrapped},
};
use crate::gaussian::gaussian_delta_bounds;
use indistinct_numeric::enclosure::{Ball, Enclosure};
use std::f64::consts::TAU;

/// Logarithms of the relative error that each of the charged parts is given: to find out where delta is, and to bound it, to about 1e-8.
const GOALS: (f64, f64) = (9.0, 18.5);
/// Where a person is expected to be in more samples than this, losses near zero alone come to something, or another line does as well: in general, and at rates below `RARE`.
const MOST_EXPECTED: (f64, f64) = (0.6, 3.0);
const RARE: f64 = 0.004;
/// Where in fewer, no other line does.
const HARDLY_EVER: f64 = 0.2;
/// No more points on a line than this.
const MOST_POINTS: f64 = 32_768.0;

/// For sampled Gaussians alone; none where that does not help.
pub(super) fn sparse(shapes: &Shapes, epsilon: f64, known: f64) -> Option<Contour> {
    let sampled = removed(shapes)?;
    if !is_rare(&sampled) {
        return None;
    }
    let goal = if known < 0.0 { GOALS.1 } else { GOALS.0 };
    let mut wanted = estimate(&Looked::new(shapes), epsilon)?.0.min(known);
    let mut parts = Parts::new(&sampled, (epsilon, known), (wanted, goal))?;
    // What is estimated at a saddle point where large losses are all there is may be far too much.
    for _ in 0..2 {
        if parts.estimate >= wanted - 1.0 {
            break;
        }
        wanted = parts.estimate;
        parts = Parts::new(&sampled, (epsilon, known), (wanted, goal))?;
    }
    let Parts { laws, beyond, tables, cuts, near_tilt, plan, .. } = parts;
    let shapes: Vec<_> = laws.iter().map(|(law, count)| (Shape::Sampled(*law), *count)).collect();
    let near: Vec<_> = laws
        .iter()
        .zip(&cuts)
        .map(|((law, count), cut)| (Shape::Sampled(SampledGaussian { cut: Some(*cut), ..*law }), *count))
        .collect();
    let near = Ceiling::new(&near, near_tilt)?;
    let Plan { tilt, period, .. } = plan;
    // About the whole at the foot, and bounds on the large losses.
    let (mut scales, mut feet, mut larges, mut whole) = (Vec::new(), Vec::new(), Vec::new(), -tilt * epsilon);
    for (((law, count), cut), table) in laws.iter().zip(&cuts).zip(&tables) {
        let scale = table.whole(tilt);
        whole += number(*count) * scale;
        scales.push((Ball::exact(scale), *count));
        feet.push(scale);
        larges.push(Large::new(law, tilt, *cut, scale)?);
    }
    let fallen = |height: f64| {
        let sum = larges.iter().zip(&laws).map(|(large, (_, count))| number(*count) * large.fallen(height));
        sum.sum::<f64>() * 1.000_001
    };
    let is_enough = |height: f64| {
        let found = fallen(height);
        (found.ln() + whole - (height * 3.0).ln() <= wanted - goal).then_some(found)
    };
    let (mut low, mut height) = (0.0, 20.0 / epsilon.max(1e-6));
    let mut found = is_enough(height);
    while found.is_none() {
        (low, height) = (height, height * 1.6);
        if height.is_nan() || height * period / TAU > MOST_POINTS {
            return None;
        }
        found = is_enough(height);
    }
    for _ in 0..3 {
        let middle = low + (height - low) / 2.0;
        match is_enough(middle) {
            Some(fallen) => (height, found) = (middle, Some(fallen)),
            None => low = middle,
        }
    }
    let wanted_points = height * period / TAU;
    let count = (2..=32_768u32).find(|count| f64::from(*count) > wanted_points)?;
    let line = Line { tilt, period, count };
    let mut excess = 0.0;
    let mut values = vec![(Disk::ONE, Disk::new(0.0, 0.0, 0.0)); usize::try_from(count).ok()?];
    for (((law, times), cut), (scale, large)) in laws.iter().zip(&cuts).zip(feet.iter().zip(&larges)) {
        let times_ln = number(*times).ln();
        let goals = (-goal - 5.0 - times_ln, wanted - goal - 3.0 - whole + (4.0 * tilt).ln() - times_ln);
        let found = split(law, *cut, &line, (*scale, goals), large)?;
        // Powers of what is a little above 1.
        excess += number(*times) * (found.near.first()?.add(found.large.first()?).modulus() - 1.0).max(0.0);
        for ((value, near), large) in values.iter_mut().zip(&found.near).zip(&found.large) {
            *value = times_power(*value, (*near, *large), *times);
        }
    }
    let values = (0..count).zip(values).map(|(n, (_, difference))| {
        let height = TAU * f64::from(n) / period;
        let point = |real: f64| Disk::new(real, height, 4.0 * UNIT * height);
        difference.mul(&point(tilt).mul(&point(tilt + 1.0)).inverse())
    });
    let values = values.collect();
    if excess.is_nan() || excess > 0.5 {
        return None;
    }
    let height = TAU * f64::from(count) / period * 0.999_999;
    let tail = found? * (1.0 + 2.0 * excess) * 2.0 * (1.0 / (height * height) + period / (TAU * height)) * 1.000_01;
    let wrapped = Wrapped::new(&shapes, &plan)?;
    let zero = Ball::exact(0.0);
    Some(Contour { tilt, period, values, scales, variance: zero, shift: zero, tail, wrapped, near: Some(near), beyond })
}

/// Laws that are all of noise on a sample from which a person is removed.
fn removed(shapes: &Shapes) -> Option<Vec<(SampledGaussian, u64)>> {
    let law = |(shape, count): &(Shape, u64)| match shape {
        Shape::Sampled(law) if law.side == Side::Remove => Some((*law, *count)),
        _ => None,
    };
    shapes.iter().map(law).collect()
}

/// The laws without what is far out, where they are cut in two, and where to integrate.
struct Parts {
    laws: Vec<(SampledGaussian, u64)>,
    beyond: f64,
    tables: Vec<Table>,
    cuts: Vec<Cut>,
    near_tilt: f64,
    plan: Plan,
    /// Of the logarithm of delta.
    estimate: f64,
}

impl Parts {
    fn new(
        sampled: &[(SampledGaussian, u64)],
        (epsilon, known): (f64, f64),
        (wanted, goal): (f64, f64),
    ) -> Option<Self> {
        // A line to find out with has to be good further down.
        let least = if known < 0.0 { epsilon } else { epsilon * 0.6 };
        let (mut laws, mut beyond) = (Vec::new(), 0.0);
        for (law, count) in sampled {
            let (law, lost) = law.without_far(number(*count), wanted - goal - 1.0, Order::Soft).unwrap_or((*law, 0.0));
            beyond += lost;
            laws.push((law, *count));
        }
        let tabled = |laws: &[(SampledGaussian, u64)]| -> Vec<Table> {
            laws.iter().map(|(law, count)| Table::new(law, number(*count))).collect()
        };
        let mut tables = tabled(&laws);
        let (mut cuts, mut near_tilt) = self::cuts(&tables, least, wanted - goal)?;
        // What is near must not be far: then its measure is below that of what is kept, as the bounds ask.
        let is_ordered =
            |(law, _): &(SampledGaussian, u64), cut: &Cut| law.cut.is_none_or(|far| far.shift <= cut.shift);
        if !laws.iter().zip(&cuts).all(|(law, cut)| is_ordered(law, cut)) {
            (laws, beyond) = (sampled.to_vec(), 0.0);
            tables = tabled(&laws);
            (cuts, near_tilt) = self::cuts(&tables, least, wanted - goal)?;
        }
        let (plan, estimate) = plan(&tables, &cuts, epsilon, (wanted, goal))?;
        Some(Self { laws, beyond: beyond * 1.000_001, tables, cuts, near_tilt, plan, estimate })
    }
}

/// What one large loss of all steps comes to.
pub(super) struct OneStep {
    /// Where it has a given probability or so.
    pub(super) epsilon: f64,
    /// Of the logarithm of that.
    pub(super) slope: f64,
    /// The greatest rate.
    pub(super) rate: f64,
}

/// An epsilon for which one large loss, of all steps, has a probability of about `e^wanted`; none where more than one such loss is likely.
pub(super) fn by_one_step(shapes: &Shapes, wanted: f64) -> Option<OneStep> {
    let sampled = removed(shapes)?;
    if sampled.is_empty() || expected(&sampled) > MOST_EXPECTED.0 {
        return None;
    }
    let at = |epsilon: f64| {
        let mut total = 0.0;
        for (law, count) in &sampled {
            let inner = (epsilon.exp_m1() / law.rate).ln_1p();
            total += number(*count) * law.rate * gaussian_delta_bounds(1.0 / law.sigma, inner).ok()?.upper;
        }
        Some(total.ln())
    };
    let (mut low, mut high) = (1e-9f64, 1e3f64);
    for _ in 0..20 {
        let epsilon = (low * high).sqrt();
        if at(epsilon)? > wanted { low = epsilon } else { high = epsilon }
    }
    let epsilon = (low * high).sqrt();
    let slope = (at(epsilon * 1.01)? - at(epsilon)?) / (epsilon * 0.01);
    let rate = sampled.iter().fold(0f64, |most, (law, _)| most.max(law.rate));
    (slope < 0.0).then_some(OneStep { epsilon, slope, rate })
}

/// Whether a person is expected to be in so few samples that near losses have to be kept apart.
pub(super) fn is_hardly_ever(shapes: &Shapes) -> bool {
    removed(shapes).is_some_and(|sampled| expected(&sampled) <= HARDLY_EVER)
}

/// How often a person is expected to be in a sample.
fn expected(sampled: &[(SampledGaussian, u64)]) -> f64 {
    sampled.iter().map(|(law, count)| law.rate * number(*count)).sum()
}

/// Whether losses near zero alone come to little.
fn is_rare(sampled: &[(SampledGaussian, u64)]) -> bool {
    let is_rare = sampled.iter().all(|(law, _)| law.rate <= RARE);
    expected(sampled) <= if is_rare { MOST_EXPECTED.1 } else { MOST_EXPECTED.0 }
}

/// `(x X^k, (x + d) (X + D)^k - x X^k)` from (x, d) and (X, D), where D may be small beside X.
fn times_power(start: (Disk, Disk), base: (Disk, Disk), mut exponent: u64) -> (Disk, Disk) {
    let times = |(x, d): (Disk, Disk), (y, e): (Disk, Disk)| (x.mul(&y), x.mul(&e).add(&d.mul(&y.add(&e))));
    let (mut result, mut base) = (start, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        exponent >>= 1;
        if exponent > 0 {
            base = times(base, base);
        }
    }
    result
}

/// Cuts at about the greatest loss with which near losses alone have a delta whose logarithm is at most `least`, and the tilt that shows it.
fn cuts(tables: &[Table], epsilon: f64, least: f64) -> Option<(Vec<Cut>, f64)> {
    for part in 0..14u32 {
        let at = epsilon * 0.75f64.powi(i32::try_from(part).ok()?);
        let cuts: Vec<_> = tables.iter().map(|table| table.cut(at)).collect();
        let mut best = (f64::INFINITY, 1.0);
        let mut tilt = 2.0 / epsilon.max(1e-9);
        for _ in 0..14 {
            let near = tables.iter().zip(&cuts).map(|(table, (_, kept))| table.count * table.part(kept, tilt));
            let found = near.sum::<f64>() - tilt * epsilon - tilt.ln_1p();
            if found < best.0 {
                best = (found, tilt);
            }
            if found <= least {
                return Some((cuts.into_iter().map(|(cut, _)| cut).collect(), short(tilt)));
            }
            if found > best.0 + 20.0 {
                break;
            }
            tilt *= 1.4;
        }
    }
    None
}

/// Where to integrate: near the saddle point of what is integrated, a little closer to zero where that makes the period much shorter; and about the logarithm of delta.
fn plan(tables: &[Table], cuts: &[Cut], epsilon: f64, (wanted, goal): (f64, f64)) -> Option<(Plan, f64)> {
    let dropped: Vec<Vec<f64>> = tables
        .iter()
        .zip(cuts)
        .map(|(table, cut)| {
            table.rows.iter().map(|(_, _, ratio)| -cut.log_most_kept(cut.mean(*ratio)).exp_m1()).collect()
        })
        .collect();
    // The logarithms of what is integrated, over its kernel, and of the moment generating function.
    let at = |tilt: f64| {
        let (mut share, mut value) = (0.0, 0.0);
        for (table, dropped) in tables.iter().zip(&dropped) {
            let (large, whole) = table.both(dropped, tilt);
            share += table.count * large;
            value += table.count * whole;
        }
        (share.min(1.0).ln() + value - tilt * epsilon - tilt.ln() - tilt.ln_1p(), value)
    };
    let tilts: Vec<f64> = (0..56).map(|i| 0.01 / epsilon.max(1e-9) * 1.2f64.powi(i)).collect();
    let sizes: Vec<(f64, f64, f64)> = tilts
        .iter()
        .map(|tilt| {
            let (size, value) = at(*tilt);
            (*tilt, size, value)
        })
        .collect();
    let least = sizes.iter().fold(f64::INFINITY, |least, (_, size, _)| least.min(*size));
    let mut best: Option<(f64, f64, f64)> = None;
    for (tilt, size, _) in &sizes {
        let lost = size - least;
        if lost.is_nan() || lost > 8.0 {
            continue;
        }
        let below = (goal - wanted) / tilt;
        for (higher, _, value) in sizes.iter().filter(|(higher, _, _)| higher > tilt) {
            let above = (goal - wanted + value - higher * epsilon - higher.ln_1p()) / (higher - tilt);
            let period = below.max(above) * 1.01;
            if period > 0.0 && best.is_none_or(|best| period * (0.3 * lost).exp() < best.2) {
                best = Some((*tilt, *higher, period * (0.3 * lost).exp()));
            }
        }
    }
    let (tilt, higher, _) = best?;
    let (tilt, higher) = (short(tilt), short(higher));
    let value = at(higher).1;
    let period =
        ((goal - wanted) / tilt).max((goal - wanted + value - higher * epsilon - higher.ln_1p()) / (higher - tilt));
    Some((Plan::new(tilt, period * 1.01, higher, wanted), least - 1.5))
}

#[cfg(test)]
mod tests {
    use super::super::{gridded::Gridded, law::Direction, tests::shapes};
    use super::*;
    use crate::PrivacyLossDistribution as P;
    use indistinct_numeric::enclosure::Bounds;
    use proptest::prelude::*;

    fn training(sigma: f64, rate: f64, steps: u64) -> Vec<(Shape, u64)> {
        shapes(&P::poisson_gaussian(sigma, rate).unwrap().repeat(steps).unwrap(), Direction::Remove)
    }

    fn grid(shapes: &Shapes, epsilon: f64) -> Bounds {
        let found = Gridded::new(shapes, epsilon, 0.0).and_then(|gridded| gridded.delta(epsilon));
        found.unwrap_or(Bounds { lower: 0.0, upper: 1.0 })
    }

    fn agree(x: Bounds, y: Bounds) -> bool {
        x.lower <= y.upper && y.lower <= x.upper
    }

    #[test]
    fn few_steps_have_narrow_bounds_that_a_grid_agrees_with() {
        for (sigma, rate, steps, epsilon) in
            [(0.7, 1e-3, 2, 0.3), (0.7, 1e-3, 20, 0.5), (1.0, 1e-2, 5, 0.4), (1.0, 0.1, 3, 1.0), (1.0, 1e-3, 1000, 0.9)]
        {
            let shapes = training(sigma, rate, steps);
            let first = sparse(&shapes, epsilon, 0.0).unwrap().delta(epsilon);
            let bounds = sparse(&shapes, epsilon, first.upper.ln()).unwrap().delta(epsilon);
            let name = format!("{sigma} {rate} {steps}: {bounds:?}");
            assert!(bounds.lower > 0.0 && bounds.upper - bounds.lower < 1e-6 * bounds.upper, "{name}");
            assert!(agree(first, bounds) && agree(grid(&shapes, epsilon), bounds), "{name}");
        }
    }

    /// What was chosen for one epsilon bounds delta at any other, if not as narrowly.
    #[test]
    fn a_line_is_true_elsewhere() {
        let shapes = training(1.0, 1e-2, 10);
        let line = sparse(&shapes, 0.5, -14.0).unwrap();
        let mut wide = false;
        for epsilon in [0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 2.0] {
            let (there, grid) = (line.delta(epsilon), grid(&shapes, epsilon));
            assert!(agree(there, grid), "{epsilon}: {there:?} {grid:?}");
            wide |= there.upper - there.lower > 0.1 * there.upper;
        }
        assert!(wide);
        // A twin that forgets the losses near zero claims too little where they count; one that forgets what wraps around, too much.
        let mut near = sparse(&shapes, 0.5, -14.0).unwrap();
        near.near = None;
        assert!(near.delta(0.01).upper < grid(&shapes, 0.01).lower);
    }

    /// Laws whose rates are far apart, so that the near losses of one are far for another: there, nothing is far.
    #[test]
    fn near_is_never_beyond_far() {
        for (first, second, epsilon) in [
            ((2.092, 0.002725, 10), (3.839, 6.546e-6, 3), 0.014_053_684),
            ((2.717, 0.006525, 1), (2.658, 3.354e-5, 1), 0.129_214),
        ] {
            let mut laws = training(first.0, first.1, first.2);
            laws.extend(training(second.0, second.1, second.2));
            let sampled: Vec<_> = [first, second]
                .iter()
                .map(|(sigma, rate, count)| {
                    (SampledGaussian { sigma: *sigma, rate: *rate, side: Side::Remove, cut: None }, *count)
                })
                .collect();
            let wanted = estimate(&Looked::new(&laws), epsilon).unwrap().0;
            if let Some(parts) = Parts::new(&sampled, (epsilon, 0.0), (wanted, GOALS.0)) {
                for ((law, _), cut) in parts.laws.iter().zip(&parts.cuts) {
                    assert!(law.cut.is_none_or(|far| far.shift <= cut.shift), "{law:?} {cut:?}");
                }
            }
            if let Some(line) = sparse(&laws, epsilon, 0.0) {
                assert!(agree(line.delta(epsilon), grid(&laws, epsilon)), "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn powers_of_a_sum_and_their_difference() {
        let real = |x: f64| Disk::new(x, 0.0, 0.0);
        let (power, difference) = times_power((Disk::ONE, real(0.0)), (real(0.999), real(1e-20)), 1000);
        let truth = 1e-17 * 0.999f64.powi(999);
        assert!((power.re - 0.999f64.powi(1000)).abs() < 1e-12);
        assert!(
            (difference.re - truth).abs() <= difference.radius + 1e-12 * truth && difference.radius < 1e-11 * truth
        );
        let (_, two) =
            times_power(times_power((Disk::ONE, real(0.0)), (real(2.0), real(1.0)), 2), (real(3.0), real(1.0)), 1);
        assert!((two.re - (9.0 * 4.0 - 4.0 * 3.0)).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn agrees_with_a_grid_anywhere(
            sigma in 0.6f64..3.0, rate in -4.0f64..-1.0, steps in 2u64..40, other in 1u64..5, share in 0.05f64..1.5,
        ) {
            let rate = 10f64.powf(rate);
            let mut laws = training(sigma, rate, steps);
            laws.extend(training(sigma * 1.5, rate / 2.0, other));
            let epsilon = share / sigma;
            if let Some(line) = sparse(&laws, epsilon, 0.0) {
                let (bounds, grid) = (line.delta(epsilon), grid(&laws, epsilon));
                prop_assert!(agree(bounds, grid), "{:?} {:?}", bounds, grid);
            }
        }
    }
}
