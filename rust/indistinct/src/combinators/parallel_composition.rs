//! `make_parallel_composition`: one release of each part of the data.

use super::composition::{Composable, check_concurrent};
use crate::{
    core::{
        Deviation, Domain, Fallible, Measurement, Metric, MetricSpace, Owned, PrivacyMap, RandomizedFunction, Trace,
        require,
    },
    domains::VectorDomain,
    measures::AdditiveMeasure,
    metrics::PartitionDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::gmp::Integer;
use std::borrow::Borrow;

/// Releases a measurement of each part of the data, such as the parts of
/// [`make_partition_by_categories`](crate::transformations::make_partition_by_categories). An added row changes few
/// parts, and only these contribute to the loss.
///
/// # Parameters
///
/// - `measurements`: one for each part, in order, with the same input domain, metric and measure.
///
/// # Privacy
///
/// For `d_in = (parts, total, greatest)`, the loss is the maximum sum of losses over all ways to split the total among
/// parts, each at most `greatest`, and at most the sum of the `parts` largest losses at `greatest`. The largest single
/// loss is not a bound if maps are not linear: two parts that change by one row each may cost more than one part that
/// changes by two. Sums are exact, and rounded up once. If `measurements * total * greatest` exceeds 2^18, losses are
/// charged at distances some percent apart, and a price for each row bounds the first sum (its Lagrangian dual). This
/// is exact for maps that are linear up to distance 64.
///
/// # Errors
///
/// Returns an error if there are no measurements, or if their domains, metrics or measures differ. The map fails if a
/// measurement has a loss at distance 0.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
/// let parts = ((rows, SymmetricDistance) >> then_partition_by_categories(vec![0, 95], UnknownCategories::Drop))?;
/// let part = (parts.output_domain().element().clone(), SymmetricDistance);
/// let mean = (part >> then_clamp((0.0, 10.0)) >> then_sum() >> then_laplace(20.0))?;
/// let by_category = (parts >> make_parallel_composition(vec![mean.clone(), mean])?)?;
/// let sums: Vec<f64> = by_category.invoke(&[(95, 2.0), (50, 9.0), (0, 1.0)])?;
/// assert_eq!((sums.len(), by_category.map(&1)?), (2, 0.5));
/// # Ok::<(), Error>(())
/// ```
#[constructor(
    shared(measurements),
    exempt("its measurements start with the rows of a part, but measurements in a plan start with a table")
)]
pub fn make_parallel_composition<D: Domain, TO: 'static, M: Metric<Distance = u32>, MO: AdditiveMeasure>(
    measurements: Vec<Measurement<D, TO, M, MO>>,
) -> Fallible<Measurement<VectorDomain<D>, Vec<TO>, PartitionDistance<M>, MO>>
where
    (VectorDomain<D>, PartitionDistance<M>): MetricSpace,
{
    let ((part, metric), measure) = measurements.common_space()?;
    let marks = check_concurrent(measurements.as_ref(), &measure)?;
    let deviation = Deviation::Parts(measurements.deviations().into());
    let (released, traced, parts) = (measurements.clone(), measurements.clone(), measurements);
    let composition = Measurement::new(
        (VectorDomain::new(part).with_size(parts.len()), PartitionDistance(metric)),
        measure,
        RandomizedFunction::new(move |data: &[Owned<D>], entropy| {
            released.iter().zip(data).map(|(part, rows)| part.function().eval(rows.borrow(), entropy)).collect()
        }),
        PrivacyMap::new(move |d_in: &(u32, u32, u32)| {
            supremum::<MO>(parts.len(), *d_in, |part, distance| match parts.get(part) {
                Some(part) => part.map(&distance),
                None => MO::rounded_up(&[]),
            })
        }),
    )?;
    let trace = Trace::new(move |&(_, total, greatest): &(u32, u32, u32)| {
        let steps = traced.iter().map(|part| part.steps(&total.min(greatest)));
        Ok(steps.collect::<Fallible<Vec<_>>>()?.concat())
    });
    Ok(composition.with_marks(marks).with_deviation(deviation).with_trace(trace))
}

/// Tables of losses beyond this size are not searched for the best split.
const MAX_SPLITS: u64 = 1 << 18;

/// Returns an upper bound on the sum of the losses of all parts, over all ways to change at most `changed` of them,
/// each by at most `greatest` and all together by at most `total`. Each number of the distance is bounded separately.
fn supremum<MO: AdditiveMeasure>(
    parts: usize,
    (changed, total, greatest): (u32, u32, u32),
    loss: impl Fn(usize, u32) -> Fallible<MO::Distance>,
) -> Fallible<MO::Distance> {
    let greatest = greatest.min(total);
    let count = u64::try_from(parts).unwrap_or(u64::MAX);
    let changed = usize::try_from(changed).unwrap_or(usize::MAX).min(parts);
    for part in 0..parts {
        let nothing = MO::exact(&loss(part, 0)?)?.is_some_and(|loss| loss.iter().all(|number| *number == 0));
        require(nothing, "measurements", "must cost nothing at distance 0")?;
    }
    if changed == 0 || greatest == 0 {
        return MO::rounded_up(&[]);
    }
    // The losses of each part at distances 1 to greatest, or at some of them.
    let searched = count.saturating_mul(total.into()).saturating_mul(greatest.into()) <= MAX_SPLITS;
    let distances = if searched { (1..=greatest).collect() } else { distances(parts, greatest) };
    let mut losses = Vec::with_capacity(parts);
    for part in 0..parts {
        let exact = distances.iter().map(|distance| MO::exact(&loss(part, *distance)?));
        match exact.collect::<Fallible<Option<Vec<_>>>>()? {
            Some(exact) => losses.push(exact),
            None => return MO::infinite(),
        }
    }
    let numbers = losses.iter().flatten().map(Vec::len).max().unwrap_or(0);
    let best = (0..numbers).map(|number| {
        let of_part = |losses: &Vec<Vec<Integer>>| -> Vec<Integer> {
            losses.iter().map(|loss| loss.get(number).cloned().unwrap_or_default()).collect()
        };
        let losses: Vec<Vec<Integer>> = losses.iter().map(of_part).collect();
        let all = largest(&losses, changed);
        all.min(if searched { best_split(&losses, total) } else { priced(losses, &distances, changed, total) })
    });
    MO::rounded_up(&best.collect::<Vec<_>>())
}

/// The maximum number of losses that are evaluated if not all are.
const MAX_LOSSES: usize = 1 << 16;

/// Returns distances up to `greatest`, as close together as this number of parts allows; at least `greatest` itself.
fn distances(parts: usize, greatest: u32) -> Vec<u32> {
    let near = |ratio: u32| {
        let next = |distance: &u32| {
            (*distance < greatest).then(|| greatest.min(distance.saturating_add(1).saturating_add(distance / ratio)))
        };
        std::iter::successors(Some(1), next).take(MAX_LOSSES).collect::<Vec<u32>>()
    };
    let fits = |distances: &Vec<u32>| {
        parts.saturating_mul(distances.len()) <= MAX_LOSSES && distances.last() == Some(&greatest)
    };
    [1024, 256, 64, 16, 4, 1].into_iter().map(near).find(fits).unwrap_or(vec![greatest])
}

/// Returns an upper bound on the largest loss of at most `changed` parts whose distances add up to at most `total`.
/// For any price of a step, the bound is the price of `total` steps, plus the excesses of the `changed` parts, where a
/// distance costs at least one step more than the distance before it in the list. The result is the smallest bound over
/// several prices.
fn priced(mut losses: Vec<Vec<Integer>>, distances: &[u32], changed: usize, total: u32) -> Integer {
    losses.sort_unstable();
    // Alike, so many times.
    let alike: Vec<(&Vec<Integer>, usize)> =
        losses.chunk_by(|x, y| x == y).filter_map(|same| Some((same.first()?, same.len()))).collect();
    let least: Vec<u32> =
        std::iter::once(1).chain(distances.iter().map(|distance| distance.saturating_add(1))).collect();
    // The bound at a price, and whether it falls as the price rises.
    let at = |price: &Integer| {
        let mut beyond: Vec<(Integer, u32, usize)> = Vec::with_capacity(alike.len());
        for (losses, times) in &alike {
            let gains = losses.iter().zip(&least).map(|(loss, steps)| (Integer::from(loss - price * *steps), *steps));
            match gains.max() {
                Some((gain, steps)) if gain > 0 => beyond.push((gain, steps, *times)),
                _ => {}
            }
        }
        beyond.sort_unstable_by(|x, y| y.0.cmp(&x.0));
        let (mut bound, mut left, mut steps) = (Integer::from(price * total), changed, 0u64);
        for (gain, each, times) in beyond {
            let taken = times.min(left);
            left -= taken;
            let taken = u64::try_from(taken).unwrap_or(u64::MAX);
            bound += gain * taken;
            steps = steps.saturating_add(taken.saturating_mul(each.into()));
        }
        (bound, steps > u64::from(total))
    };
    let dearest = alike.iter().flat_map(|(losses, _)| losses.iter().zip(&least));
    let mut high = dearest.map(|(loss, steps)| Integer::from(loss + (steps - 1)) / *steps).max().unwrap_or_default();
    let (mut low, mut best) = (Integer::new(), at(&high).0);
    for _ in 0..MOST_PRICES {
        let middle = Integer::from(&low + &high) / 2u32;
        let (bound, is_falling) = at(&middle);
        best = best.min(bound);
        if is_falling { low = middle } else { high = middle }
    }
    best
}

/// The number of prices that are tried.
const MOST_PRICES: u32 = 32;

/// Returns the sum of the `changed` largest losses, each at the part's largest distance.
fn largest(losses: &[Vec<Integer>], changed: usize) -> Integer {
    let mut ends: Vec<Integer> = losses.iter().filter_map(|part| part.iter().max().cloned()).collect();
    ends.sort_unstable_by(|a, b| b.cmp(a));
    ends.into_iter().take(changed).sum()
}

/// Returns the largest sum of losses whose distances sum to at most `total`. Part i costs `losses[i][d - 1]` at
/// distance d, and nothing at 0.
fn best_split(losses: &[Vec<Integer>], total: u32) -> Integer {
    // best[j] for what may be spent on the parts so far, j.
    let mut best = vec![Integer::new(); usize::try_from(total).unwrap_or(0) + 1];
    for part in losses {
        let previous = best.clone();
        for (spent, best) in best.iter_mut().enumerate() {
            for (distance, loss) in (1..=spent).zip(part) {
                if let Some(rest) = previous.get(spent - distance) {
                    let sum = Integer::from(rest + loss);
                    if sum > *best {
                        *best = sum;
                    }
                }
            }
        }
    }
    best.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    type Part = Measurement<VectorDomain<AtomDomain<i64>>, usize, SymmetricDistance, MaxDivergence>;

    /// A measurement that costs `losses[d - 1]` at distance d, and the last of them beyond.
    fn costing(losses: &[f64]) -> Part {
        let losses = losses.to_vec();
        let map = PrivacyMap::new(move |d_in: &u32| {
            let index = usize::try_from(*d_in).unwrap().min(losses.len());
            Ok(index.checked_sub(1).map_or(0.0, |index| losses[index]))
        });
        let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        Measurement::new(rows, MaxDivergence, RandomizedFunction::new(|rows: &[i64], _| Ok(rows.len())), map).unwrap()
    }

    fn map(parts: &[&[f64]], d_in: (u32, u32, u32)) -> f64 {
        make_parallel_composition(parts.iter().map(|part| costing(part)).collect()).unwrap().map(&d_in).unwrap()
    }

    #[test]
    fn the_supremum_is_over_splits() {
        // A vector of a known failure: two maps that are 1 at 1 and at 2. The maximum of the maps at 2 is 1.
        assert_eq!(map(&[&[1.0, 1.0], &[1.0, 1.0]], (2, 2, 2)), 2.0);
        assert_eq!(map(&[&[1.0, 1.0], &[1.0, 1.0]], (1, 2, 2)), 1.0, "one part alone may differ");
        // Quadratic maps: all in one part.
        assert_eq!(map(&[&[1.0, 4.0, 9.0], &[1.0, 4.0, 9.0]], (3, 3, 3)), 9.0);
        assert_eq!(map(&[&[1.0, 4.0, 9.0], &[1.0, 4.0, 9.0]], (3, 3, 2)), 5.0, "two in one, one in the other");
        assert_eq!(map(&[&[1.0, 4.0, 9.0], &[2.0, 2.5, 3.0]], (2, 3, 3)), 9.0);
        assert_eq!(map(&[&[1.0, 4.0, 4.5], &[2.0, 2.5, 3.0]], (2, 3, 3)), 6.0);
        assert_eq!(map(&[&[1.0], &[3.0], &[2.0]], (1, 1, 1)), 3.0);
        assert_eq!((map(&[&[1.0]], (0, 5, 5)), map(&[&[1.0]], (5, 0, 5)), map(&[&[1.0]], (5, 5, 0))), (0.0, 0.0, 0.0));
    }

    #[test]
    fn all_splits_by_brute_force() {
        let tables: [[f64; 4]; 3] = [[0.5, 3.0, 3.25, 8.0], [1.0, 1.5, 6.0, 6.5], [2.0, 2.25, 2.5, 7.0]];
        let at = |part: usize, d: usize| if d == 0 { 0.0 } else { tables[part][d - 1] };
        for total in 0..=6usize {
            for greatest in 0..=4usize {
                let mut most = 0f64;
                for a in 0..=greatest {
                    for b in 0..=greatest {
                        for c in (0..=greatest).filter(|c| a + b + c <= total) {
                            most = most.max(at(0, a) + at(1, b) + at(2, c));
                        }
                    }
                }
                let d_in = (3, u32::try_from(total).unwrap(), u32::try_from(greatest).unwrap());
                assert_eq!(map(&[&tables[0], &tables[1], &tables[2]], d_in), most, "{d_in:?}");
            }
        }
    }

    #[test]
    fn large_distances_are_bounded_by_the_largest_losses_and_by_prices() {
        let (d, far) = (1000, f64::from(1000u32));
        assert_eq!(map(&[&[1.0, 2.0], &[1.0, 3.0]], (d, d, d)), 5.0);
        let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        let count = (rows >> then_count() >> then_laplace(1.0)).unwrap();
        let all = make_parallel_composition(vec![count; 3]).unwrap();
        assert_eq!((all.map(&(10, 10, 10)), all.map(&(d, d, d))), (Ok(10.0), Ok(far)));
    }

    #[test]
    fn infinite_losses_and_losses_at_nothing() {
        assert_eq!(map(&[&[f64::INFINITY], &[1.0]], (1, 1, 1)), f64::INFINITY);
        // Where no part may differ, or none at all, an infinite loss does not count.
        assert_eq!([(0, 1, 1), (1, 0, 1), (1, 1, 0)].map(|d_in| map(&[&[f64::INFINITY], &[1.0]], d_in)), [0.0; 3]);
        let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        let release = RandomizedFunction::new(|rows: &[i64], _: &mut dyn indistinct_sampling::Entropy| Ok(rows.len()));
        let always = Measurement::new(rows, MaxDivergence, release, PrivacyMap::new(|_: &u32| Ok(0.5))).unwrap();
        let error = make_parallel_composition(vec![always]).unwrap().map(&(1, 1, 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("measurements"));
        assert!(make_parallel_composition(Vec::<Part>::new()).is_err());
    }

    #[test]
    fn each_part_gets_its_rows_and_there_are_as_many_as_measurements() {
        let both = make_parallel_composition(vec![costing(&[1.0]), costing(&[1.0])]).unwrap();
        assert_eq!(both.invoke(&[vec![1, 2, 3], vec![4]]), Ok(vec![3, 1]));
        assert_eq!(both.invoke(&[vec![1]]).unwrap_err().kind(), ErrorKind::Domain);
    }

    /// Vectors of a looseness: one row more made the loss a hundredfold.
    #[test]
    fn there_is_no_cliff() {
        let linear = |scale: f64| {
            let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
            (rows >> then_count() >> then_laplace(scale)).unwrap()
        };
        let many = make_parallel_composition(vec![linear(4.0); 300]).unwrap();
        for total in [10, 29, 30, 64, 65, 1000, 100_000] {
            let (loss, truth) = (many.map(&(total, total, total)).unwrap(), f64::from(total) / 4.0);
            assert!(loss >= truth && loss <= truth * 1.07, "{total}: {loss}");
            assert!(total > 64 || loss == truth, "{total}: {loss}");
        }
        assert_eq!(many.map(&(2, 1000, 300)), Ok(150.0));
        let far = many.map(&(u32::MAX, u32::MAX, u32::MAX)).unwrap();
        assert!(far >= f64::from(u32::MAX) / 4.0 && far <= f64::from(u32::MAX) / 3.0, "{far}");
        // Of which most cost little.
        let mut parts = vec![linear(64.0); 299];
        parts.push(linear(1.0));
        assert_eq!(make_parallel_composition(parts).unwrap().map(&(50, 50, 50)), Ok(50.0));
    }

    /// Never below the best split, and within one part's greatest loss of it.
    #[test]
    fn prices_bound_the_best_split() {
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(random >> 50).unwrap()
        };
        for case in 0..200usize {
            let (parts, greatest) = (1 + case % 5, 1 + u32::try_from(case % 7).unwrap());
            let tables: Vec<Vec<Integer>> = (0..parts)
                .map(|_| {
                    let mut sum = 0u32;
                    let mut costs = || {
                        sum += next();
                        Integer::from(sum)
                    };
                    (0..greatest).map(|_| costs()).collect()
                })
                .collect();
            for total in 1..20 {
                let distances: Vec<u32> = (1..=greatest).collect();
                let (bound, best) = (priced(tables.clone(), &distances, parts, total), best_split(&tables, total));
                let most = tables.iter().flatten().max().unwrap();
                assert!(best <= bound && bound <= Integer::from(&best + most), "{case} {total}: {best} {bound}");
                // Some distances alone.
                let some: Vec<u32> = distances.iter().copied().filter(|d| *d == greatest || d % 3 == 0).collect();
                let at = |table: &Vec<Integer>| {
                    some.iter().map(|d| table[usize::try_from(*d).unwrap() - 1].clone()).collect::<Vec<_>>()
                };
                assert!(best <= priced(tables.iter().map(at).collect(), &some, parts, total), "{case} {total}");
            }
        }
        assert_eq!(distances(1, 5), [1, 2, 3, 4, 5]);
        assert_eq!((distances(1 << 15, 9), distances(1 << 20, 9)), (vec![9], vec![9]));
        let far = distances(300, u32::MAX);
        assert!(far.last() == Some(&u32::MAX) && far.len() < 219 && far.is_sorted());
    }

    #[test]
    fn deltas_are_bounded_by_themselves() {
        let rows = || (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        let part = |losses: [(f64, f64); 2]| {
            let map =
                PrivacyMap::new(move |d: &u32| Ok(if *d == 0 { (0.0, 0.0) } else { losses[usize::from(*d > 1)] }));
            let release = RandomizedFunction::new(|_: &[i64], _: &mut dyn indistinct_sampling::Entropy| Ok(0));
            Measurement::new(rows(), Approximate(MaxDivergence), release, map).unwrap()
        };
        // Epsilon is greatest if both change, delta if one does.
        let parts = vec![part([(1.0, 0.125), (1.0, 0.5)]), part([(1.0, 0.125), (1.0, 0.5)])];
        assert_eq!(make_parallel_composition(parts).unwrap().map(&(2, 2, 2)), Ok((2.0, 0.5)));
    }
}
