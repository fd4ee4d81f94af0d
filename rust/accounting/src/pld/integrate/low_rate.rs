//! The integral where individuals are hardly ever sampled: nearly all losses are near zero, and a few large ones
//! decide.
//!
//! The distribution of each loss is split in two, near and large ([`Truncation`]). The delta of all near losses
//! together is next to nothing, and bounded; the rest, `product of M^k - product of near^k`, falls with the frequency
//! as the large losses' transform does, and is computed without cancellation.

use crate::{
    gaussian::gaussian_delta_bounds,
    pld::{
        integrate::{
            aliasing::Aliasing,
            chernoff::ChernoffBound,
            contour::Contour,
            difference::{Difference, Kind},
            kernel::Kernel,
            saddle_point::{Plan, ROOM, short},
            truncate::{estimate, estimate_at_saddle},
        },
        loss::{
            finite_loss::{FiniteLoss, FiniteLosses, number},
            sampled_gaussian::{SampledGaussian, Side},
            truncation::{Sharpness, Truncation},
        },
        transform::{nodes::Nodes, tabulated::TabulatedDensity, tail_bound::TailBound},
    },
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, Enclosure},
};
use std::{f64::consts::TAU, mem::take};

/// Minus the logarithm of the relative error that each of the charged parts is given, to find out where delta is.
const FIRST_GOAL: f64 = 9.0;
/// Where an individual is expected to be in more samples than this, losses near zero alone come to something, or
/// another contour does as well: in general, and at rates below `RARE`.
const MOST_EXPECTED: (f64, f64) = (0.6, 1000.0);
const RARE: f64 = 0.004;
/// Where in fewer, no other contour does.
const LOW_RATE: f64 = 0.2;
/// A contour to find out with is right down to so small a part of an epsilon.
const FURTHER: f64 = 0.6;
/// Where the whole is more than it was thought to be by so much, as a logarithm, what is left out is not little.
const MOST_EXCESS: f64 = 8.0;
/// Places that are tried for a cut: each so small a part of the one before, and how many.
const PLACES: (f64, i32) = (0.75, 14);
/// No more points on a contour than this.
pub(crate) const MOST_POINTS: f64 = 32_768.0;
/// So many times as many where bounds on all losses make the period longer than it was planned.
const ROOM_FOR_POINTS: f64 = 1.6;
/// And never more than what 18 MB hold, beside contours that were found before: of one kind, at some 80 bytes a point,
/// and of several, at some 160.
const MOST_IN_MEMORY: (f64, f64) = (225_000.0, 110_000.0);

/// For sampled Gaussians alone, to a goal, with no more points than are spent on it; none where that does not help.
pub(crate) fn low_rate(goal: (f64, f64), losses: &FiniteLosses, (epsilon, known): (f64, f64)) -> Option<Contour> {
    let sampled = sampled(losses).filter(|sampled| is_rare(sampled))?;
    // What is estimated where large losses are all there is may be far too much.
    let wanted = if known < 0.0 { estimate_at_saddle(losses, epsilon) } else { estimate(losses, epsilon) };
    by_large_losses(&sampled, (epsilon, known), (wanted?.0.min(known), goal))
}

fn by_large_losses(
    laws: &[(SampledGaussian, u64)],
    (epsilon, known): (f64, f64),
    (mut wanted, (goal, most)): (f64, (f64, f64)),
) -> Option<Contour> {
    let in_memory = if laws.len() == 1 { MOST_IN_MEMORY.0 } else { MOST_IN_MEMORY.1 };
    let most = most.min(in_memory);
    let mut parts = Split::new(laws, (epsilon, known), (wanted, goal))?;
    // What is estimated at a saddle point where large losses are all there is may be far too much.
    for _ in 0..2 {
        if parts.estimate >= wanted - 1.0 {
            break;
        }
        wanted = parts.estimate;
        parts = Split::new(laws, (epsilon, known), (wanted, goal))?;
    }
    let Split { laws, truncated_mass, tables, truncations, bulk_tilt, plan, .. } = parts;
    let mut plan = Plan { estimate: wanted, ..plan };
    let tilt = plan.tilt;
    let (mut kinds, mut whole) = (Vec::new(), -tilt * epsilon);
    for (((law, count), near), table) in laws.iter().zip(&truncations).zip(&tables) {
        let log_normalizer = table.log_mgf(tilt);
        whole += number(*count) * log_normalizer;
        let large = TailBound::new(law, tilt, *near, log_normalizer)?;
        kinds.push(Kind { law: *law, count: *count, near: *near, log_normalizer, large });
    }
    let size_of = |kind: &Kind, frequency: f64| kind.large.size_from(frequency) * number(kind.count);
    let tail_size = |frequency: f64| kinds.iter().map(|kind| size_of(kind, frequency)).sum::<Above>();
    let is_enough = |frequency: f64| {
        let found = tail_size(frequency);
        (found.get().ln() + whole - (frequency * 3.0).ln() <= wanted - goal).then_some(found)
    };
    let (mut low, mut frequency) = (0.0, 20.0 / epsilon.max(1e-6));
    let mut found = is_enough(frequency);
    while found.is_none() {
        let points = low * plan.period / TAU;
        if points.is_nan() || points > most {
            return None;
        }
        (low, frequency) = (frequency, frequency * 1.6);
        found = is_enough(frequency);
    }
    for _ in 0..3 {
        let middle = low + (frequency - low) / 2.0;
        match is_enough(middle) {
            Some(tail_size) => (frequency, found) = (middle, Some(tail_size)),
            None => low = middle,
        }
    }
    let points = frequency * plan.period / TAU;
    if points > most {
        return None;
    }
    // Last, as bounds on all losses take long.
    let bulk = chernoff(&laws, Some(&truncations), bulk_tilt)?;
    let above = chernoff(&laws, None, plan.higher)?;
    plan.make_room(goal, &above, epsilon);
    let period = plan.period;
    let most = (most * ROOM_FOR_POINTS).min(in_memory);
    let count = Nodes::up_to(frequency, period).filter(|count| f64::from(*count) <= most)?;
    let nodes = Nodes::new(tilt, period, count);
    // For the near and the large part of each of so many releases.
    let goals = |times: f64| (-goal - 5.0 - times.ln(), wanted - goal - 3.0 - whole + (4.0 * tilt).ln() - times.ln());
    let mut difference = Difference::new(&kinds, &nodes, &goals)?;
    if difference.excess.get().is_nan() || difference.excess.get() > MOST_EXCESS {
        return None;
    }
    let kernel = Kernel::new(tilt, period);
    let values = (0..count).zip(take(&mut difference.values)).map(|(n, value)| (n, value.mul(&kernel.at(n)))).collect();
    let beyond = difference.excess.exp() * nodes.remainder() * difference.less.exp();
    let zero = Ball::exact(0.0);
    Some(Contour {
        tilt,
        period,
        values,
        log_normalizer: difference.log_normalizer.clone(),
        variance: zero,
        shift: zero,
        remainder: found? * beyond,
        wrapped: Aliasing::below(above, &plan)?,
        bulk: Some(bulk),
        truncated_mass,
    })
}

/// Chernoff's bound on all, or on what is near in each.
fn chernoff(laws: &[(SampledGaussian, u64)], near: Option<&[Truncation]>, tilt: f64) -> Option<ChernoffBound> {
    let cut = |(i, (law, count)): (usize, &(SampledGaussian, u64))| {
        let truncation = near.map_or(law.truncation, |near| near.get(i).copied());
        (FiniteLoss::Sampled(SampledGaussian { truncation, ..*law }), *count)
    };
    ChernoffBound::new(&laws.iter().enumerate().map(cut).collect::<Vec<_>>(), tilt)
}

/// Noise on Poisson samples alone, removing.
fn sampled(losses: &FiniteLosses) -> Option<Vec<(SampledGaussian, u64)>> {
    let law = |(loss, count): &(FiniteLoss, u64)| match loss {
        FiniteLoss::Sampled(law) if law.side == Side::Remove => Some((*law, *count)),
        _ => None,
    };
    losses.iter().map(law).collect()
}

/// The distributions without what is far out, where they are cut in two, and where to integrate.
struct Split {
    laws: Vec<(SampledGaussian, u64)>,
    truncated_mass: Above,
    tables: Vec<TabulatedDensity>,
    truncations: Vec<Truncation>,
    bulk_tilt: f64,
    plan: Plan,
    /// An estimate of the logarithm of delta.
    estimate: f64,
}

impl Split {
    fn new(whole: &[(SampledGaussian, u64)], (epsilon, known): (f64, f64), (wanted, goal): (f64, f64)) -> Option<Self> {
        // A contour to find out with has to be good further down.
        let least = if known < 0.0 { epsilon } else { epsilon * FURTHER };
        let (mut laws, mut truncated_mass) = (Vec::new(), Above::ZERO);
        for (law, count) in whole {
            let budget = wanted - goal - 1.0;
            let cells = law.density_cells();
            let found = cells.and_then(|cells| law.truncated(&cells, number(*count), budget, (Sharpness::Soft, 1.0)));
            let (law, lost) = found.unwrap_or((*law, Above::ZERO));
            truncated_mass += lost;
            laws.push((law, *count));
        }
        let tabled = |laws: &[(SampledGaussian, u64)]| -> Vec<TabulatedDensity> {
            laws.iter().map(|(law, count)| TabulatedDensity::new(law, number(*count))).collect()
        };
        let mut tables = tabled(&laws);
        let (mut truncations, mut bulk_tilt) = self::truncations(&tables, least, wanted - goal)?;
        // What is near must not be far: then its measure is below that of what is kept, as the bounds ask. Cuts of two
        // orders cannot be compared.
        let is_ordered = |(law, _): &(SampledGaussian, u64), truncation: &Truncation| {
            law.truncation.is_none_or(|far| truncation.is_nearer(&far))
        };
        if !laws.iter().zip(&truncations).all(|(law, truncation)| is_ordered(law, truncation)) {
            (laws, truncated_mass) = (whole.to_vec(), Above::ZERO);
            tables = tabled(&laws);
            (truncations, bulk_tilt) = self::truncations(&tables, least, wanted - goal)?;
        }
        let (plan, estimate) = plan(&tables, &truncations, epsilon, (wanted, goal))?;
        Some(Self { laws, truncated_mass, tables, truncations, bulk_tilt, plan, estimate })
    }
}

/// The contribution of one large loss among all steps.
pub(crate) struct SingleLoss {
    /// Where it has a given probability or so.
    pub(crate) epsilon: f64,
    /// Its logarithm.
    pub(crate) slope: f64,
    /// The greatest rate.
    pub(crate) rate: f64,
}

/// An epsilon for which one large loss, of all steps, has a probability of about `e^wanted`; none where more than one
/// such loss is likely.
pub(crate) fn by_single_loss(losses: &FiniteLosses, wanted: f64) -> Option<SingleLoss> {
    // Of the deviation, the rate and the count.
    let noise = |(loss, count): &(FiniteLoss, u64)| match loss {
        FiniteLoss::Sampled(law) if law.side == Side::Remove => Some((law.sigma, law.rate, number(*count))),
        FiniteLoss::FixedSize(law) => Some((law.sigma, law.rate, number(*count))),
        _ => None,
    };
    let noises = losses.iter().map(noise).collect::<Option<Vec<_>>>()?;
    if noises.is_empty() || noises.iter().map(|(_, rate, count)| rate * count).sum::<f64>() > MOST_EXPECTED.0 {
        return None;
    }
    let at = |epsilon: f64| {
        let mut total = 0.0;
        for (sigma, rate, count) in &noises {
            let inner = (epsilon.exp_m1() / rate).ln_1p();
            total += count * rate * gaussian_delta_bounds(1.0 / sigma, inner).ok()?.upper;
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
    let rate = noises.iter().fold(0f64, |most, (_, rate, _)| most.max(*rate));
    (slope < 0.0).then_some(SingleLoss { epsilon, slope, rate })
}

/// True if an individual is expected to be in so few samples that near losses have to be kept apart.
pub(crate) fn is_low_rate(losses: &FiniteLosses) -> bool {
    // Beside much noise losses that decide are not large.
    let is_large = |sampled: &[(SampledGaussian, u64)]| sampled.iter().all(|(law, _)| law.steepness() == 1.0);
    sampled(losses).is_some_and(|sampled| expected(&sampled) <= LOW_RATE && is_large(&sampled))
}

/// How often an individual is expected to be in a sample.
fn expected(sampled: &[(SampledGaussian, u64)]) -> f64 {
    sampled.iter().map(|(law, count)| law.rate * number(*count)).sum()
}

/// True if losses near zero alone come to little.
fn is_rare(sampled: &[(SampledGaussian, u64)]) -> bool {
    let is_rare = sampled.iter().all(|(law, _)| law.rate <= RARE);
    expected(sampled) <= if is_rare { MOST_EXPECTED.1 } else { MOST_EXPECTED.0 }
}

/// Cuts at about the greatest loss with which near losses alone have a delta whose logarithm is at most `least`, and
/// the tilt that shows it.
fn truncations(tables: &[TabulatedDensity], epsilon: f64, least: f64) -> Option<(Vec<Truncation>, f64)> {
    for part in 0..PLACES.1 {
        let at = epsilon * PLACES.0.powi(part);
        let truncations: Vec<_> = tables.iter().map(|table| table.truncation(at)).collect();
        let mut best = (f64::INFINITY, 1.0);
        let mut tilt = 2.0 / epsilon.max(1e-9);
        for _ in 0..14 {
            let bulk = tables
                .iter()
                .zip(&truncations)
                .map(|(table, (_, kept))| table.count * table.log_mgf_of_kept(kept, tilt));
            let found = bulk.sum::<f64>() - tilt * epsilon - tilt.ln_1p();
            if found < best.0 {
                best = (found, tilt);
            }
            if found <= least {
                return Some((truncations.into_iter().map(|(truncation, _)| truncation).collect(), short(tilt)));
            }
            if found > best.0 + 20.0 {
                break;
            }
            tilt *= 1.4;
        }
    }
    None
}

/// Where to integrate: near the saddle point of what is integrated, a little closer to zero where that makes the period
/// much shorter; and about the logarithm of delta.
fn plan(
    tables: &[TabulatedDensity],
    truncations: &[Truncation],
    epsilon: f64,
    (wanted, goal): (f64, f64),
) -> Option<(Plan, f64)> {
    let dropped: Vec<Vec<f64>> = tables
        .iter()
        .zip(truncations)
        .map(|(table, truncation)| {
            table
                .rows
                .iter()
                .map(|(_, _, ratio)| -truncation.log_kept(truncation.mean(*ratio)).get().exp_m1())
                .collect()
        })
        .collect();
    // The logarithms of what is integrated, over its kernel, and of the moment generating function.
    let at = |tilt: f64| {
        let (mut share, mut value) = (0.0, 0.0);
        for (table, dropped) in tables.iter().zip(&dropped) {
            let (tail, whole) = table.tail_share(dropped, tilt);
            share += table.count * tail;
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
    // To bound delta, and not only to find out where it is, cancellation has to leave the digits: some 37, less the
    // goal and less what powers round.
    let count: f64 = tables.iter().map(|table| table.count).sum();
    let most_lost = if goal > FIRST_GOAL { (37.0 - goal - count.ln() - (least - wanted)).clamp(0.5, 8.0) } else { 8.0 };
    let mut best: Option<(f64, f64, f64)> = None;
    for (tilt, size, _) in &sizes {
        let lost = size - least;
        if lost.is_nan() || lost > most_lost {
            continue;
        }
        let below = (goal - wanted) / tilt;
        for (higher, _, value) in sizes.iter().filter(|(higher, _, _)| higher > tilt) {
            let above = (goal - wanted + value - higher * epsilon - higher.ln_1p()) / (higher - tilt);
            let period = below.max(above) * ROOM;
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
    let base = at(tilt).0 + tilt.ln() + tilt.ln_1p();
    Some((Plan { base, ..Plan::new(tilt, period * ROOM, higher, wanted) }, least - 1.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{
            distribution::losses,
            integrate::discretized::Discretized,
            loss::{direction::Direction, finite_loss::whole},
        },
        units::{Rate, Sigma},
    };
    use indistinct_numeric::enclosure::Bounds;
    use proptest::prelude::*;

    fn low_rate(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
        let goals: &[f64] = if known < 0.0 { &[18.5, 17.0, 15.5] } else { &[FIRST_GOAL] };
        let to = |goal: &f64| super::low_rate((*goal, MOST_POINTS), losses, (epsilon, known));
        goals.iter().find_map(to)
    }

    fn training(sigma: f64, rate: f64, steps: u64) -> Vec<(FiniteLoss, u64)> {
        losses(&P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap(), Direction::Remove)
    }

    fn grid(losses: &FiniteLosses, epsilon: f64) -> Bounds {
        let found = Discretized::new(losses, epsilon, 0.0).and_then(|discretized| discretized.delta(epsilon));
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
            let losses = training(sigma, rate, steps);
            let first = low_rate(&losses, epsilon, 0.0).unwrap().delta(epsilon);
            let bounds = low_rate(&losses, epsilon, first.upper.ln()).unwrap().delta(epsilon);
            let name = format!("{sigma} {rate} {steps}: {bounds:?}");
            assert!(bounds.lower > 0.0 && bounds.upper - bounds.lower < 1e-6 * bounds.upper, "{name}");
            assert!(agree(first, bounds) && agree(grid(&losses, epsilon), bounds), "{name}");
        }
    }

    /// Where an individual is in many samples, and near losses come to something.
    #[test]
    fn many_steps_agree_with_another_contour() {
        for (sigma, rate, expected, epsilon) in [
            (0.5, 1e-5, 5.0, 0.3),
            (0.5, 1e-5, 5.0, 3.0),
            (0.5, 1e-5, 300.0, 0.3),
            (0.7, 1e-4, 30.0, 0.3),
            (0.7, 1e-4, 30.0, 3.0),
            (1.0, 1e-3, 5.0, 1.0),
            (1.0, 1e-3, 300.0, 1.0),
        ] {
            let losses = training(sigma, rate, whole(expected / rate));
            let first = low_rate(&losses, epsilon, 0.0).unwrap().delta(epsilon);
            let bounds = low_rate(&losses, epsilon, first.upper.ln()).unwrap().delta(epsilon);
            let other = Contour::to((19.0, 32_768.0), &losses, epsilon, first.upper.ln()).unwrap().delta(epsilon);
            let name = format!("{sigma} {rate} {expected}: {first:?} {bounds:?} {other:?}");
            assert!(agree(first, bounds) && agree(other, bounds) && agree(other, first), "{name}");
            for found in [bounds, other] {
                assert!(found.lower > 0.0 && found.upper - found.lower < 1e-4 * found.upper, "{name}");
            }
        }
    }

    /// What was chosen for one epsilon bounds delta at any other, if not as narrowly.
    #[test]
    fn a_line_is_true_elsewhere() {
        let losses = training(1.0, 1e-2, 10);
        let nodes = low_rate(&losses, 0.5, -14.0).unwrap();
        let mut wide = false;
        for epsilon in [0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 2.0] {
            let (there, grid) = (nodes.delta(epsilon), grid(&losses, epsilon));
            assert!(agree(there, grid), "{epsilon}: {there:?} {grid:?}");
            wide |= there.upper - there.lower > 0.1 * there.upper;
        }
        assert!(wide);
        // A negative control that forgets the losses near zero claims too little where they count; one that forgets
        // what wraps around, too much.
        let mut bulk = low_rate(&losses, 0.5, -14.0).unwrap();
        bulk.bulk = None;
        assert!(bulk.delta(0.01).upper < grid(&losses, 0.01).lower);
    }

    /// Distributions whose rates are far apart, so that the near losses of one are far for another: there, nothing is
    /// far.
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
                    (SampledGaussian { sigma: *sigma, rate: *rate, side: Side::Remove, truncation: None }, *count)
                })
                .collect();
            let wanted = estimate(&laws, epsilon).unwrap().0;
            if let Some(parts) = Split::new(&sampled, (epsilon, 0.0), (wanted, FIRST_GOAL)) {
                for ((law, _), truncation) in parts.laws.iter().zip(&parts.truncations) {
                    assert!(law.truncation.is_none_or(|far| truncation.is_nearer(&far)), "{law:?} {truncation:?}");
                }
            }
            if let Some(nodes) = low_rate(&laws, epsilon, 0.0) {
                assert!(agree(nodes.delta(epsilon), grid(&laws, epsilon)), "{first:?} {second:?}");
            }
        }
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
            if let Some(nodes) = low_rate(&laws, epsilon, 0.0) {
                let (bounds, grid) = (nodes.delta(epsilon), grid(&laws, epsilon));
                prop_assert!(agree(bounds, grid), "{:?} {:?}", bounds, grid);
            }
        }
    }
}
