//! Negative controls of noise, randomized responses and thresholds: their own code, on all bits that matter.

use super::Family;
use indistinct::{
    core::{MetricSpace, ToParameter},
    prelude::*,
    sampling::{self, Entropy, IntegerNoise, bernoulli, uniform_below_u64},
};
use indistinct_audit::{Claims, Measured, Report, Seen, exact::exact, tape::Probing};
use std::{cell::RefCell, collections::BTreeMap, fmt::Debug, rc::Rc};

type Draw<X, Y> = fn(&X, &mut dyn Entropy) -> sampling::Fallible<Y>;

fn audit<DI, TO, MI, MO>(
    (domain, metric, measure): (DI, MI, MO),
    inputs: &[DI::Carrier],
    draw: Draw<DI::Carrier, TO>,
    map: impl Fn(&MI::Distance) -> MO::Distance + Send + Sync + 'static,
    probing: Probing,
) -> Report
where
    DI: Domain<Carrier: Sized + Clone + Debug + ToOwned<Owned = DI::Carrier>>,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims + ToParameter,
    (DI, MI): MetricSpace,
{
    let function = move |x: &DI::Carrier, entropy: &mut dyn Entropy| Ok(draw(x, entropy)?);
    let control = make_user_measurement(domain, metric, measure, function, move |d_in: &MI::Distance| Ok(map(d_in)));
    exact(&control.unwrap(), inputs, probing)
}

/// Of a truth value.
fn response(draw: Draw<bool, bool>, epsilon: f64) -> Report {
    let space = (AtomDomain::bool(), DiscreteDistance, MaxDivergence);
    audit(space, &[true, false], draw, move |d_in| if *d_in == 0 { 0.0 } else { epsilon }, Probing::default())
}

/// Of one of three categories.
fn category(draw: Draw<u64, u64>, epsilon: f64) -> Report {
    let space = (AtomDomain::u64(), DiscreteDistance, MaxDivergence);
    let probing = Probing::default().with_requests(8);
    audit(space, &[0, 1, 2], draw, move |d_in| if *d_in == 0 { 0.0 } else { epsilon }, probing)
}

/// Of an integer, in words of a table.
fn integer<MO: Claims + ToParameter>(measure: MO, draw: Draw<i64, i64>, map: fn(f64) -> MO::Distance) -> Report {
    let space = (AtomDomain::i64(), AbsoluteDistance::new(), measure);
    audit(space, &[0, 1, 3], draw, move |d_in| map(*d_in), Probing::default().with_requests(2).with_digits(26))
}

/// Of a pair of integers, under a metric of the library on it.
fn pair<MI, MO: Claims + ToParameter>(
    (metric, measure): (MI, MO),
    draw: fn(&[i64], &mut dyn Entropy) -> sampling::Fallible<Vec<i64>>,
    map: fn(f64) -> MO::Distance,
) -> Report
where
    MI: Measured<[i64]> + Metric<Distance = f64>,
    (VectorDomain<AtomDomain<i64>>, MI): MetricSpace,
{
    let function = move |x: &[i64], entropy: &mut dyn Entropy| Ok(draw(x, entropy)?);
    let domain = VectorDomain::new(AtomDomain::i64());
    let control = make_user_measurement(domain, metric, measure, function, move |d: &f64| Ok(map(*d))).unwrap();
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(16) };
    exact(&control, &[vec![0, 0], vec![1, 1], vec![1, 0]], probing)
}

/// Of a map from keys to counts.
fn keys(draw: Draw<BTreeMap<u8, i64>, BTreeMap<u8, i64>>, map: fn(u32, f64) -> (f64, f64)) -> Report {
    let space = (MapDomain::new(AtomDomain::u8(), AtomDomain::i64()), L01InfDistance, Approximate(MaxDivergence));
    let inputs = [[].into(), [(1, 1)].into(), [(1, 3)].into(), [(1, 1), (2, 1)].into(), [(1, 0)].into()];
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    let zero = |d: &(u32, f64, f64)| d.0 == 0;
    audit(space, &inputs, draw, move |d| if zero(d) { (0.0, 0.0) } else { map(d.0, d.2) }, probing)
}

/// A draw of a distribution and scale, whose table is built once.
pub(super) fn draw(
    (name, make): (&'static str, fn(f64) -> sampling::Fallible<IntegerNoise>),
    scale: f64,
    entropy: &mut dyn Entropy,
) -> sampling::Fallible<i64> {
    thread_local! {
        static TABLES: RefCell<BTreeMap<(&'static str, u64), Rc<IntegerNoise>>> = RefCell::default();
    }
    let known = TABLES.with_borrow(|tables| tables.get(&(name, scale.to_bits())).cloned());
    let noise = match known {
        Some(noise) => noise,
        None => {
            let noise = Rc::new(make(scale)?);
            TABLES.with_borrow_mut(|tables| tables.insert((name, scale.to_bits()), noise.clone()));
            noise
        }
    };
    noise.draw_i64(entropy)
}

pub(super) fn laplace(scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<i64> {
    draw(("laplace", |scale| IntegerNoise::laplace(scale)), scale, entropy)
}

pub(super) fn gaussian(scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<i64> {
    draw(("gaussian", |scale| IntegerNoise::gaussian(scale)), scale, entropy)
}

fn geometric(entropy: &mut dyn Entropy) -> sampling::Fallible<i64> {
    draw(("geometric", |scale| IntegerNoise::geometric(scale)), 1.0, entropy)
}

/// Keep what is at least 3 with noise of scale 1.
fn threshold(map: &BTreeMap<u8, i64>, least: i64, entropy: &mut dyn Entropy) -> sampling::Fallible<BTreeMap<u8, i64>> {
    let mut kept = BTreeMap::new();
    for (key, count) in map.iter().filter(|(_, count)| **count != 0) {
        let noisy = count + laplace(1.0, entropy)?;
        if noisy >= least {
            kept.insert(*key, noisy);
        }
    }
    Ok(kept)
}

/// Of rows of the key 1 with a number each; epsilon, and the threshold of delta, by the number of rows that differ.
fn keyed(
    draw: fn(&[(u8, i64)], &mut dyn Entropy) -> sampling::Fallible<KeyedSums>,
    map: fn(f64) -> (f64, f64),
) -> Report {
    let numbers = AtomDomain::i64().with_bounds((-2, 2)).unwrap();
    let domain = VectorDomain::new(PairDomain::new(AtomDomain::u8(), numbers));
    let function = move |rows: &[(u8, i64)], entropy: &mut dyn Entropy| Ok(draw(rows, entropy)?);
    let map = move |d_in: &u32| {
        let (epsilon, least) = map(f64::from(*d_in));
        Ok(if *d_in == 0 { (0.0, 0.0) } else { (epsilon, delta(1, f64::from(*d_in), least)) })
    };
    let control = make_user_measurement(domain, SymmetricDistance, Approximate(MaxDivergence), function, map);
    let inputs = [vec![], vec![(1, 2)], vec![(1, 2), (1, 2)], vec![(1, -2)], vec![(1, 2); 4], vec![(1, 2); 5]];
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    exact(&control.unwrap(), &inputs, probing)
}

/// A key with its noisy count and sum.
type KeyedSums = BTreeMap<u8, (i64, i64)>;

/// Count and sum of the key 1, if its count with noise of scale 1 is at least so much.
fn counted_and_summed(
    rows: &[(u8, i64)],
    (least, scale): (i64, f64),
    entropy: &mut dyn Entropy,
) -> sampling::Fallible<KeyedSums> {
    let counts = if rows.is_empty() { [].into() } else { [(1, i64::try_from(rows.len()).unwrap())].into() };
    let sum: i64 = rows.iter().map(|(_, number)| number).sum();
    let kept = threshold(&counts, least, entropy)?;
    kept.into_iter().map(|(key, count)| Ok((key, (count, sum + laplace(scale, entropy)?)))).collect()
}

/// P(Z >= gap) for discrete Laplace Z of scale 1, a little more.
fn tail(gap: f64) -> f64 {
    if gap < 1.0 { 1.0 } else { (-gap).exp() / (1.0 + (-1f64).exp()) * (1.0 + 1e-12) }
}

/// The delta of keys whose counts change by at most `greatest`, for a threshold.
fn delta(keys: u32, greatest: f64, least: f64) -> f64 {
    (1.0 - (1.0 - tail(least - greatest)).powi(i32::try_from(keys).unwrap())) * (1.0 + 1e-12)
}

fn truth(x: &bool, entropy: &mut dyn Entropy) -> sampling::Fallible<bool> {
    Ok(bernoulli(0.75, entropy)? == *x)
}

/// The truth with a probability, else one of the others.
fn of_three(x: &u64, prob: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<u64> {
    if bernoulli(prob, entropy)? {
        return Ok(*x);
    }
    Ok((x + 1 + uniform_below_u64(2, entropy)?) % 3)
}

pub(super) fn family() -> Family {
    let (ln3, rho) = (3f64.ln(), ZeroConcentratedDivergence);
    let responses = vec![
        ("response: half of the loss", response(truth, ln3 / 2.0)),
        ("response: the probability, not the odds", response(truth, -(0.75f64.ln()))),
        ("response: rounded down by a bit", response(truth, ln3.next_down().next_down())),
        ("response: a coin for another bias", response(|x, e| Ok(bernoulli(0.8, e)? == *x), ln3.next_up())),
        (
            "response: the truth now and then",
            response(|x, e| Ok(if e.bits(5)? == 0 { *x } else { truth(x, e)? }), ln3.next_up()),
        ),
        (
            "response: a bias that depends on the data",
            response(|x, e| Ok(bernoulli(if *x { 0.75 } else { 0.85 }, e)? == *x), ln3.next_up()),
        ),
        ("response: `<=` for `<` in a coin of two bits", response(|x, e| Ok((e.bits(2)? <= 3) == *x), ln3)),
        ("categories: the odds of two", category(|x, e| of_three(x, 0.5, e), 0.0)),
        (
            "categories: the truth among the others",
            category(|x, e| if bernoulli(0.5, e)? { Ok(*x) } else { uniform_below_u64(3, e) }, 2f64.ln().next_up()),
        ),
        (
            "categories: one of the others is never told",
            category(|x, e| Ok(if bernoulli(0.5, e)? { *x } else { (x + 1) % 3 }), 2f64.ln().next_up()),
        ),
    ];
    let integers = vec![
        ("laplace: half of the loss", integer(MaxDivergence, |x, e| Ok(x + laplace(1.0, e)?), |d| d / 2.0)),
        ("laplace: one step for all", integer(MaxDivergence, |x, e| Ok(x + laplace(1.0, e)?), |d| d.min(1.0))),
        ("laplace: less noise than claimed by a tenth", integer(MaxDivergence, |x, e| Ok(x + laplace(0.9, e)?), |d| d)),
        ("laplace: noise on one side", integer(MaxDivergence, |x, e| Ok(x + geometric(e)?), |d| d)),
        (
            "laplace: zero drawn with both signs",
            integer(
                MaxDivergence,
                |x, e| {
                    let size = geometric(e)?;
                    Ok(if e.bit()? { x - size } else { x + size })
                },
                |d| d,
            ),
        ),
        (
            "laplace: redrawn until it fits",
            integer(
                MaxDivergence,
                |x, e| {
                    for _ in 0..2 {
                        let noisy = x + laplace(1.0, e)?;
                        if (0..=3).contains(&noisy) {
                            return Ok(noisy);
                        }
                    }
                    Ok(0)
                },
                |d| d,
            ),
        ),
        (
            "laplace: noise scaled after it was drawn",
            integer(MaxDivergence, |x, e| Ok(x + 2 * laplace(0.5, e)?), |d| d),
        ),
        ("laplace: an odd number is told", integer(MaxDivergence, |x, e| Ok(x * 2 + laplace(1.0, e)?), |d| d)),
        (
            "laplace: no noise in one of 32 releases",
            integer(MaxDivergence, |x, e| if e.bits(5)? == 0 { Ok(*x) } else { Ok(x + laplace(1.0, e)?) }, |d| d),
        ),
        ("gaussian: as if it were pure", integer(MaxDivergence, |x, e| Ok(x + gaussian(1.0, e)?), |d| d)),
        ("gaussian: half of rho", integer(rho, |x, e| Ok(x + gaussian(1.0, e)?), |d| d * d / 4.0)),
        ("gaussian: rho that is not squared", integer(rho, |x, e| Ok(x + gaussian(1.0, e)?), |d| d / 2.0)),
        ("gaussian: a variance for a scale", integer(rho, |x, e| Ok(x + gaussian(2f64.sqrt(), e)?), |d| d * d / 8.0)),
        ("gaussian: laplace noise under its claim", integer(rho, |x, e| Ok(x + laplace(0.5, e)?), |d| d * d / 2.0)),
        ("gaussian: mu as rho", integer(GaussianDivergence, |x, e| Ok(x + gaussian(1.0, e)?), |d| d * d / 2.0 * 0.9)),
        ("pair: max for sum", pair((LInfDistance::new(), MaxDivergence), each, |d| d)),
        (
            "pair: one draw for both",
            pair(
                (L1Distance::new(), MaxDivergence),
                |x, e| {
                    let z = laplace(0.5, e)?;
                    Ok(x.iter().map(|x| x + z).collect())
                },
                |d| 2.0 * d,
            ),
        ),
        (
            "pair: the second without noise",
            pair((L1Distance::new(), MaxDivergence), |x, e| Ok(vec![x[0] + laplace(0.5, e)?, x[1]]), |d| 2.0 * d),
        ),
        ("pair: laplace in the metric of gaussian", pair((L2Distance::new(), MaxDivergence), each, |d| 2.0 * d)),
        (
            "pair: gaussian in the greatest difference",
            pair(
                (LInfDistance::new(), rho),
                |x, e| x.iter().map(|x| Ok(x + gaussian(0.7, e)?)).collect(),
                |d| d * d / 0.98,
            ),
        ),
    ];
    let thresholds = vec![
        (
            "threshold: the tail of `>` for `>=`",
            keys(|map, e| threshold(map, 3, e), |keys, most| (f64::from(keys) * most, delta(keys, most, 4.0))),
        ),
        (
            "threshold: one lower than told",
            keys(|map, e| threshold(map, 2, e), |keys, most| (f64::from(keys) * most, delta(keys, most, 3.0))),
        ),
        (
            "threshold: delta of one key",
            keys(|map, e| threshold(map, 3, e), |keys, most| (f64::from(keys) * most, delta(1, most, 3.0))),
        ),
        (
            "threshold: delta of a count of one",
            keys(|map, e| threshold(map, 3, e), |keys, most| (f64::from(keys) * most, delta(keys, 1.0, 3.0))),
        ),
        ("threshold: no delta", keys(|map, e| threshold(map, 3, e), |keys, most| (f64::from(keys) * most, 0.0))),
        (
            "threshold: compared before the noise",
            keys(
                |map, e| {
                    let mut kept = BTreeMap::new();
                    for (key, count) in map.iter().filter(|(_, count)| **count >= 3) {
                        kept.insert(*key, count + laplace(1.0, e)?);
                    }
                    Ok(kept)
                },
                |keys, most| (f64::from(keys) * most, delta(keys, most, 3.0)),
            ),
        ),
        (
            "threshold: the count without noise where it is kept",
            keys(
                |map, e| Ok(threshold(map, 3, e)?.into_keys().map(|key| (key, map[&key])).collect()),
                |keys, most| (f64::from(keys) * most, delta(keys, most, 3.0)),
            ),
        ),
        (
            "threshold: a key with 0 rows takes part",
            keys(
                |map, e| {
                    let mut kept = BTreeMap::new();
                    for (key, count) in map {
                        let noisy = count + laplace(1.0, e)?;
                        if noisy >= 3 {
                            kept.insert(*key, noisy);
                        }
                    }
                    Ok(kept)
                },
                |keys, most| (f64::from(keys) * most, delta(keys, most, 3.0)),
            ),
        ),
    ];
    // Counts with noise of scale 1 and a threshold of 3, sums of rows up to 2 with noise of scale 2: one row costs 2.
    let sums = vec![
        (
            "sums of unknown keys: one lower than told",
            keyed(|rows, e| counted_and_summed(rows, (2, 2.0), e), |rows| (2.0 * rows, 3.0)),
        ),
        (
            "sums of unknown keys: a sum without the threshold",
            keyed(
                |rows, e| {
                    let mut all = counted_and_summed(rows, (3, 2.0), e)?;
                    for (key, sum) in rows {
                        if !all.contains_key(key) {
                            all.insert(*key, (0, sum + laplace(2.0, e)?));
                        }
                    }
                    Ok(all)
                },
                |rows| (2.0 * rows, 3.0),
            ),
        ),
        (
            "sums of unknown keys: the sum without noise",
            keyed(|rows, e| counted_and_summed(rows, (3, 0.0), e), |rows| (2.0 * rows, 3.0)),
        ),
        (
            "sums of unknown keys: sums for nothing",
            keyed(|rows, e| counted_and_summed(rows, (3, 2.0), e), |rows| (rows, 3.0)),
        ),
        (
            "sums of unknown keys: the sum of one row for those of two",
            keyed(|rows, e| counted_and_summed(rows, (3, 2.0), e), |rows| (rows + rows.min(1.0), 3.0)),
        ),
        (
            "sums of unknown keys: one draw for count and sum",
            keyed(
                |rows, e| {
                    let noise = laplace(1.0, e)?;
                    let count = i64::try_from(rows.len()).unwrap() + noise;
                    let sum: i64 = rows.iter().map(|(_, number)| number).sum();
                    Ok(if rows.is_empty() || count < 3 { [].into() } else { [(1, (count, sum + noise))].into() })
                },
                |rows| (2.0 * rows, 3.0),
            ),
        ),
    ];
    let sound = vec![
        ("sums of unknown keys", keyed(|rows, e| counted_and_summed(rows, (3, 2.0), e), |rows| (2.0 * rows, 3.0))),
        ("response", response(truth, ln3.next_up())),
        ("categories", category(|x, e| of_three(x, 0.5, e), 2f64.ln().next_up())),
        ("laplace", integer(MaxDivergence, |x, e| Ok(x + laplace(1.0, e)?), |d| d)),
        ("gaussian", integer(rho, |x, e| Ok(x + gaussian(1.0, e)?), |d| d * d / 2.0)),
        ("pair", pair((L1Distance::new(), MaxDivergence), each, |d| 2.0 * d)),
        (
            "threshold",
            keys(|map, e| threshold(map, 3, e), |keys, most| (f64::from(keys) * most, delta(keys, most, 3.0))),
        ),
    ];
    Family { controls: [responses, integers, thresholds, sums].into_iter().flatten().collect(), sound }
}

/// Noise of scale 1/2 on each.
fn each(x: &[i64], entropy: &mut dyn Entropy) -> sampling::Fallible<Vec<i64>> {
    x.iter().map(|x| Ok(x + laplace(0.5, entropy)?)).collect()
}
