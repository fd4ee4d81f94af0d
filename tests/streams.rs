//! Data that come by parts: however they are cut, absorbed and merged, what comes out is the same to the last bit.

use indistinct::{
    bounds::RowMetric,
    core::{Aggregate, Owned},
    numeric::{Dyadic, gmp::Rational},
    prelude::*,
    sampling::testing::SeededEntropy,
};
use proptest::{prelude::*, sample::Index};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

type Rows<T> = VectorDomain<AtomDomain<T>>;
type Pairs<K, T> = VectorDomain<PairDomain<AtomDomain<K>, AtomDomain<T>>>;

/// How data are cut and put together again: each part ends at a cut and goes to one of the aggregates, from which pairs
/// are merged until one is left.
#[derive(Debug, Clone)]
struct Script {
    cuts: Vec<Index>,
    homes: Vec<Index>,
    merges: Vec<(Index, Index)>,
    aggregates: usize,
}

fn scripts() -> impl Strategy<Value = Script> {
    let merges = prop::collection::vec((any::<Index>(), any::<Index>()), 6);
    let cuts = prop::collection::vec(any::<Index>(), 0..6);
    (cuts, prop::collection::vec(any::<Index>(), 8), merges, 1..6usize)
        .prop_map(|(cuts, homes, merges, aggregates)| Script { cuts, homes, merges, aggregates })
}

impl Script {
    fn run<D: Domain, TO: 'static, T>(
        &self,
        rows: &[T],
        start: impl Fn() -> Aggregate<VectorDomain<D>, TO>,
    ) -> Fallible<TO>
    where
        VectorDomain<D>: Domain<Carrier = [T]>,
    {
        let mut ends: Vec<usize> = self.cuts.iter().map(|cut| cut.index(rows.len() + 1)).chain([rows.len()]).collect();
        ends.sort_unstable();
        let starts = [0].into_iter().chain(ends.clone());
        let mut parts: Vec<&[T]> = starts.zip(ends).map(|(start, end)| &rows[start..end]).collect();
        if self.aggregates.is_multiple_of(2) {
            parts.reverse();
        }
        let mut pool: Vec<_> = (0..self.aggregates).map(|_| Some(start())).collect();
        for (part, home) in parts.into_iter().zip(&self.homes) {
            let home = home.index(pool.len());
            pool[home] = Some(pool[home].take().unwrap().absorb(part)?);
        }
        let mut pool: Vec<_> = pool.into_iter().flatten().collect();
        for (left, right) in &self.merges {
            if pool.len() > 1 {
                let left = pool.swap_remove(left.index(pool.len()));
                let right = pool.swap_remove(right.index(pool.len()));
                pool.push(left.merge(right)?);
            }
        }
        pool.into_iter().reduce(|left, right| left.merge(right).unwrap()).unwrap().finish()
    }
}

/// By parts, at once, and what the caller knows it to be.
fn agree<D, DO, M, MO, T>(
    chain: Fallible<Transformation<VectorDomain<D>, DO, M, MO>>,
    rows: &[T],
    script: &Script,
    truth: Owned<DO>,
) -> Result<(), TestCaseError>
where
    D: Domain,
    DO: Domain,
    M: RowMetric,
    MO: Metric,
    VectorDomain<D>: Domain<Carrier = [T]>,
    Owned<DO>: PartialEq + Debug,
{
    let chain = chain.unwrap();
    prop_assert_eq!(chain.invoke(rows), Ok(truth.clone()));
    prop_assert_eq!(script.run(rows, || chain.aggregate().unwrap()), Ok(truth));
    Ok(())
}

fn space<T: indistinct::bounds::Atom>() -> (Rows<T>, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::new()), SymmetricDistance)
}

fn pairs<K: indistinct::bounds::Atom, T: indistinct::bounds::Atom>() -> (Pairs<K, T>, SymmetricDistance) {
    (VectorDomain::new(PairDomain::new(AtomDomain::new(), AtomDomain::new())), SymmetricDistance)
}

fn exact_sum(rows: impl Iterator<Item = f64>) -> Dyadic {
    let sum: Rational = rows.map(|x| Rational::from_f64(x).unwrap()).sum();
    let zeros = sum.denom().find_one(0).unwrap();
    Dyadic::from_gmp(sum.numer().clone(), -i32::try_from(zeros).unwrap()).unwrap()
}

/// Floats that make careless sums depend on their order.
fn floats() -> impl Strategy<Value = f64> {
    let bits = any::<u64>().prop_map(f64::from_bits).prop_filter("NaN", |x| !x.is_nan());
    let special = prop::sample::select(vec![0.1, 0.3, 1e16, -1e16, 5e-324, 1e308, -1e308, -0.0, f64::INFINITY]);
    prop_oneof![bits, special, -4f64..4.0]
}

/// Repeats a few rows so often that there are many chunks.
fn many<T: Clone>(rows: &[T], times: usize) -> Vec<T> {
    rows.iter().cloned().cycle().take(rows.len() * times).collect()
}

const BOUNDS: (f64, f64) = (-1e300, 3e307);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn sums_and_counts(rows in prop::collection::vec(floats(), 0..20), times in 1..200usize, script in scripts()) {
        let rows = many(&rows, times);
        let clamped = || rows.iter().map(|x| x.clamp(BOUNDS.0, BOUNDS.1));
        agree(space() >> then_clamp(BOUNDS) >> then_sum(), &rows, &script, exact_sum(clamped()))?;
        let halved = |x: &f64| x / 2.0;
        let two_steps = space() >> then_clamp(BOUNDS) >> then_map(AtomDomain::f64(), 0.0, halved) >> then_clamp((-1.0, 1e300)) >> then_sum();
        agree(two_steps, &rows, &script, exact_sum(clamped().map(|x| (x / 2.0).clamp(-1.0, 1e300))))?;
        agree(space::<f64>() >> then_clamp(BOUNDS) >> then_count(), &rows, &script, i64::try_from(rows.len()).unwrap())?;
    }

    #[test]
    fn means_of_a_known_number_of_rows(rows in prop::collection::vec(floats(), 1..20), times in 1..200usize, script in scripts()) {
        let rows = many(&rows, times);
        let sized = (VectorDomain::new(AtomDomain::f64()).with_size(rows.len()), SymmetricDistance);
        let mean = (sized >> then_metric_cast(ChangeOneDistance) >> then_clamp(BOUNDS) >> then_mean()).unwrap();
        let value = mean.invoke(&rows).unwrap();
        prop_assert_eq!(script.run(&rows, || mean.aggregate().unwrap()), Ok(value.clone()));
        let sum = exact_sum(rows.iter().map(|x| x.clamp(BOUNDS.0, BOUNDS.1))).to_gmp_rational();
        let number = Rational::from(u64::try_from(rows.len()).unwrap());
        let off = (value.to_gmp_rational() * &number - sum).abs();
        prop_assert!(off <= number >> 1075u32, "half a step of the grid for each row");
        prop_assert!(script.run(&rows[1..], || mean.aggregate().unwrap()).is_err(), "a row less");
    }

    #[test]
    fn sums_of_integers_and_narrow_floats(rows in prop::collection::vec(any::<i64>(), 0..20), times in 1..200usize, script in scripts()) {
        let rows = many(&rows, times);
        let truth = rows.iter().map(|&x| i128::from(x)).sum();
        agree(space() >> then_clamp((i64::MIN, i64::MAX)) >> then_sum(), &rows, &script, truth)?;
        let narrow: Vec<f32> = rows.iter().map(|x| f32::from_bits(u32::try_from(x & 0x7eff_ffff).unwrap())).collect();
        let truth = exact_sum(narrow.iter().map(|x| f64::from(x.clamp(0.0, 1e30))));
        agree(space() >> then_clamp((0.0, 1e30f32)) >> then_sum(), &narrow, &script, truth)?;
    }

    #[test]
    fn counts_and_sums_by_key(rows in prop::collection::vec((-2i32..6, floats()), 0..20), times in 1..100usize, collect in any::<bool>(), script in scripts()) {
        let rows = many(&rows, times);
        let keys: Vec<i32> = rows.iter().map(|row| row.0).collect();
        let unknown = if collect { UnknownCategories::Other } else { UnknownCategories::Drop };
        let categories = vec![3, -1, 0];
        let position = |key: i32| categories.iter().position(|&category| category == key).or(collect.then_some(3));
        let entries = 3 + usize::from(collect);
        let numbers_of = |entry| rows.iter().filter(move |row| position(row.0) == Some(entry)).map(|row| row.1.clamp(BOUNDS.0, BOUNDS.1));

        let counts = (0..entries).map(|entry| i64::try_from(numbers_of(entry).count()).unwrap()).collect();
        agree(space() >> then_count_by_categories(categories.clone(), unknown, L1Distance::new()), &keys, &script, counts)?;
        let different = |entry| numbers_of(entry).map(|x| (x + 0.0).to_bits()).collect::<BTreeSet<_>>().len();
        let distinct = (0..entries).map(|entry| i64::try_from(different(entry)).unwrap()).collect();
        let chain = pairs() >> then_clamp(BOUNDS) >> then_count_distinct_by_categories(categories.clone(), unknown, L1Distance::new());
        agree(chain, &rows, &script, distinct)?;
        let sums = (0..entries).map(|entry| exact_sum(numbers_of(entry))).collect();
        let chain = pairs() >> then_clamp(BOUNDS) >> then_sum_by_categories(categories.clone(), unknown, L1Distance::new());
        agree(chain, &rows, &script, sums)?;

        let mut groups: BTreeMap<i32, Vec<f64>> = BTreeMap::new();
        rows.iter().for_each(|row| groups.entry(row.0).or_default().push(row.1.clamp(BOUNDS.0, BOUNDS.1)));
        let counts = groups.iter().map(|(&key, group)| (key, i64::try_from(group.len()).unwrap())).collect();
        agree(space() >> then_count_by(L01InfDistance), &keys, &script, counts)?;
        let sums = groups.into_iter().map(|(key, group)| (key, exact_sum(group.into_iter()))).collect();
        agree(pairs() >> then_clamp(BOUNDS) >> then_sum_by(L01InfDistance), &rows, &script, sums)?;
    }

    #[test]
    fn a_release_is_the_same_with_the_same_bits(rows in prop::collection::vec(floats(), 0..3000), cut in any::<Index>(), seed in any::<u64>()) {
        let release = (space() >> then_clamp((0.0, 10.0)) >> then_sum() >> then_laplace(10.0) >> Function::new(|x: &f64| 2.0 * x)).unwrap();
        let (left, right) = rows.split_at(cut.index(rows.len() + 1));
        let parts = release.aggregate().unwrap().absorb(right).unwrap().merge(release.aggregate().unwrap().absorb(left).unwrap()).unwrap();
        let once = release.invoke_with(&rows, &mut SeededEntropy::new(seed)).unwrap();
        prop_assert_eq!(parts.release_with(&mut SeededEntropy::new(seed)).unwrap().to_bits(), once.to_bits());
    }
}

#[test]
fn texts_as_categories_and_integers_far_apart() {
    let rows = ["b", "a", "b", "z"].map(String::from);
    let texts = vec![String::from("a"), String::from("b")];
    let counts = space() >> then_count_by_categories(texts, UnknownCategories::Other, L1Distance::new());
    assert_eq!(counts.unwrap().invoke(&rows), Ok(vec![1, 2, 1]));
    for categories in [vec![i64::MIN, -1, 0, 1023, i64::MAX], vec![-1, 0, 1022], vec![i64::MAX, i64::MIN], vec![0]] {
        let near = |category: &i64| [category.wrapping_sub(1), *category, category.wrapping_add(1)];
        let rows: Vec<i64> = categories.iter().flat_map(near).chain([1024, -1024, 7]).collect();
        let counts =
            space() >> then_count_by_categories(categories.clone(), UnknownCategories::Drop, L1Distance::new());
        let truth = categories
            .iter()
            .map(|category| i64::try_from(rows.iter().filter(|row| row == &category).count()).unwrap());
        assert_eq!(counts.unwrap().invoke(&rows), Ok(truth.collect()), "{categories:?}");
    }
}

#[test]
fn several_threads_change_no_bit() {
    let rows: Vec<f64> = (0..5_000_000u32).map(|row| f64::from(row % 1009) / 7.0 - 20.0).collect();
    let chain = (space() >> then_clamp((0.0, 100.0)) >> then_sum()).unwrap();
    let by_parts = chain.aggregate().unwrap().absorb(&rows).unwrap().finish();
    assert_eq!(chain.invoke(&rows), by_parts);
    let mut bad = rows;
    for at in [0, 2_500_000, 4_999_999] {
        let row = std::mem::replace(&mut bad[at], f64::NAN);
        assert_eq!(chain.invoke(&bad).unwrap_err().kind(), ErrorKind::Domain, "row {at}");
        bad[at] = row;
    }
}

#[test]
fn each_part_is_checked_and_the_size_at_the_end() {
    let sized = VectorDomain::new(AtomDomain::f64()).with_size(3);
    let chain = ((sized, ChangeOneDistance) >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    let part = || chain.aggregate().unwrap().absorb(&[0.5, 0.5]).unwrap();
    assert_eq!(part().absorb(&[f64::NAN]).unwrap_err().kind(), ErrorKind::Domain);
    assert_eq!(part().finish().unwrap_err().kind(), ErrorKind::Domain);
    assert_eq!(part().merge(part()).unwrap().finish().unwrap_err().kind(), ErrorKind::Domain);
    assert_eq!(part().absorb(&[3.0]).unwrap().finish().unwrap().to_f64(), 2.0);
    for rows in [vec![0.5; 2], vec![0.5; 4], vec![0.5, 0.5, f64::NAN]] {
        assert_eq!(chain.invoke(&rows).unwrap_err().kind(), ErrorKind::Domain);
    }
    let bounded = VectorDomain::new(AtomDomain::i64().with_bounds((0, 9)).unwrap());
    let sum = make_sum(bounded, SymmetricDistance).unwrap();
    let mut rows = vec![1; 5000];
    rows[4321] = 10;
    assert_eq!(sum.invoke(&rows).unwrap_err().kind(), ErrorKind::Domain);
    assert_eq!(sum.aggregate().unwrap().absorb(&rows).unwrap_err().kind(), ErrorKind::Domain);
}

#[test]
fn only_aggregates_of_one_construction_merge() {
    // The same types, but a sum that no map speaks of.
    let chain = |bound| (space() >> then_clamp((0.0, bound)) >> then_sum()).unwrap();
    let (one, hundred) = (chain(1.0), chain(100.0));
    let error = one.aggregate().unwrap().merge(hundred.aggregate().unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(one.aggregate().unwrap().merge(one.clone().aggregate().unwrap()).is_ok());
    let noisy = |scale| (space() >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(scale)).unwrap();
    let (little, much) = (noisy(1.0), noisy(9.0));
    let error = little.aggregate().unwrap().merge(much.aggregate().unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
}

#[test]
fn a_function_of_all_rows_at_once_has_no_aggregate() {
    fn whole<T>(result: Fallible<T>) -> bool {
        result.is_err_and(|error| error.kind() == ErrorKind::Whole)
    }
    assert!(whole((space() >> then_clamp((0.0, 1.0))).unwrap().aggregate()));
    let keyed = (pairs::<u32, f64>().0, SymmetricIdDistance);
    assert!(whole((keyed >> then_bound_contributions(1) >> then_count()).unwrap().aggregate()));
    let (rows, metric) = space::<bool>();
    let whatever = |_: &u32| Ok(f64::INFINITY);
    let of_all =
        make_user_measurement(rows, metric, MaxDivergence, |rows: &[bool], _| Ok(rows.len()), whatever).unwrap();
    assert!(whole(of_all.accept_infinite_loss().aggregate()));
}

#[test]
fn aggregates_print_nothing_of_their_data() {
    let chain = (space() >> then_clamp((0, 99)) >> then_sum()).unwrap();
    assert_eq!(format!("{:?}", chain.aggregate().unwrap().absorb(&[41i64]).unwrap()), "Aggregate");
    let noisy = (chain >> then_laplace(1.0)).unwrap();
    assert_eq!(format!("{:?}", noisy.aggregate().unwrap().absorb(&[41]).unwrap()), "PrivateAggregate");
}
