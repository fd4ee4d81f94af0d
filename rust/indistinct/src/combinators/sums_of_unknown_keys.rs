//! `make_sums_of_unknown_keys`: noisy sums beside the noisy counts of unknown keys.

use crate::{
    core::{
        Deviation, Domain, Error, ErrorKind, Fallible, Measurement, Metric, Plan, Planned, PrivacyMap,
        RandomizedFunction, Trace, Transformation, in_words, require,
    },
    domains::{Atom, AtomDomain, MapDomain},
    measurements::{
        noise::{Law, Noise, NoiseAtom},
        then_laplace_threshold,
        threshold::ThresholdAtom,
    },
    measures::{Approximate, CompositionMeasure, MaxDivergence},
    metrics::L01InfDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use std::collections::BTreeMap;

/// Adds Laplace noise to the count of each key and to one or more sums of each key, and releases the keys whose noisy
/// count is at least a threshold, each with its noisy count and its noisy sums.
///
/// The counts alone decide which keys are released, as in
/// [`make_laplace_threshold`](crate::measurements::make_laplace_threshold). The sums need no threshold: a sum is shown
/// for a key only if its count is shown. A key that the sums do not contain has the sum 0, with noise. Integers get
/// discrete Laplace noise; floats and exact sums are rounded to a grid of some 2^-32 of the scale. All noise is
/// independent.
///
/// # Parameters
///
/// - `counts`: a transformation that ends in the count of each key, such as
///   [`make_count_individuals_by`](crate::transformations::make_count_individuals_by).
/// - `scale`: the scale of the noise of each count, finite and at least 0.
/// - `threshold`: the smallest noisy count that is released: at least 1 for integers, and positive and finite for
///   floats.
/// - `sums`: transformations from the same domain and metric that end in a sum of each key, such as
///   [`make_sum_by`](crate::transformations::make_sum_by).
/// - `scales`: the scale of the noise of each of these sums, in order.
///
/// # Privacy
///
/// Let counts be at most `(keys, L1, greatest)` apart, and sums at most `(_, L1_j, _)` apart. Then `epsilon` is the sum
/// of `L1 / scale` and of all `L1_j / scale_j`, each rounded up; `delta` is the delta of
/// [`make_laplace_threshold`](crate::measurements::make_laplace_threshold) for the counts. The release is a function of
/// a composition of the thresholded counts and of the noisy sums of all possible keys (Wilson, Zhang, Lam,
/// Desfontaines, Simmons-Marengo, Gipson 2020).
///
/// # Errors
///
/// Returns an error if there are no sums, if the number of scales differs from the number of sums, if the domains or
/// metrics of the transformations differ, if a scale is negative, infinite or NaN, or if the threshold is below 1 for
/// integers, or not positive and finite for floats.
///
/// ```
/// use indistinct::{prelude::*, transformations::First};
/// let rows = VectorDomain::new(PairDomain::new(AtomDomain::string(), AtomDomain::f64()));
/// let space = (rows, SymmetricDistance);
/// let prices = (space.clone() >> then_clamp((0.0, 10.0)) >> then_sum_by(L01InfDistance))?;
/// let keys = space >> then_pair_part(First) >> then_count_by(L01InfDistance);
/// let tea = make_sums_of_unknown_keys(keys?, 2.0, 40, vec![prices], vec![20.0])?;
/// let mut rows = vec![(String::from("tea"), 2.5); 1000];
/// rows.push(("absinthe".into(), 9.0));
/// let released = tea.invoke(&rows)?;
/// assert!(released.keys().eq(["tea"])); // except in one run in 10^8
/// let (epsilon, delta) = tea.map(&1)?;
/// assert!(epsilon == 1.0 && delta < 1e-8);
/// # Ok::<(), Error>(())
/// ```
#[constructor(shared(counts, sums), rebuilt_by_hand())]
pub fn make_sums_of_unknown_keys<DI: Domain, K: Atom + Ord, T: ThresholdAtom, S: ThresholdAtom, MI: Metric>(
    counts: Transformation<DI, MapDomain<K, AtomDomain<T>>, MI, L01InfDistance>,
    scale: f64,
    threshold: T::Release,
    sums: Vec<Transformation<DI, MapDomain<K, AtomDomain<S>>, MI, L01InfDistance>>,
    scales: Vec<f64>,
) -> Fallible<Measurement<DI, KeysWithSums<K, T, S>, MI, Approximate<MaxDivergence>>> {
    require(!sums.is_empty(), "sums", "must not be empty: use make_laplace_threshold to release counts alone")?;
    require(scales.len() == sums.len(), "scales", "must have one number for each sum")?;
    sums.iter().try_for_each(|sum| check_space(&counts, sum))?;
    let noises = scales.iter().map(|scale| S::Noise::of(Law::Laplace, (*scale).into()));
    let noises = noises.collect::<Fallible<Vec<S::Noise>>>()?;
    let kept = (counts.as_ref().clone() >> then_laplace_threshold(scale, threshold))?;
    let of_sums = scales.iter().map(|scale| S::Noise::deviation(Law::Laplace, (*scale).into()));
    let deviations: Vec<Deviation> = [kept.deviation().clone()].into_iter().chain(of_sums).collect();
    let exact = sums.iter().map(|sum| {
        let exact = RandomizedFunction::new(|sums: &BTreeMap<K, S>, _| Ok(sums.clone()));
        exact.after(sum.function().clone())
    });
    let function = kept.function().clone().both(RandomizedFunction::all(exact.collect()));
    let function = function.and_draw(move |(kept, sums): (BTreeMap<K, T::Release>, Vec<BTreeMap<K, S>>), entropy| {
        let mut released = BTreeMap::new();
        for (key, count) in kept {
            let of_key = sums.iter().zip(&noises).map(|(sums, noise)| {
                // A key without an entry has the sum 0.
                sums.get(&key).unwrap_or(&S::ZERO).add_noise(noise, entropy)
            });
            let of_key = of_key.collect::<Fallible<Vec<S::Release>>>()?;
            released.insert(key, (count, of_key));
        }
        Ok(released)
    });
    let (mapped, traced) = (sums.clone(), (counts.clone(), sums));
    let measurement = Measurement::in_checked_space(
        counts.input_space(),
        Approximate(MaxDivergence),
        function,
        PrivacyMap::new(move |d_in| {
            let mut losses = vec![kept.map(d_in)?];
            for (sum, scale) in mapped.iter().zip(&scales) {
                let (_, norm, _) = sum.map(d_in)?;
                losses.push((if norm == 0.0 { 0.0 } else { norm.inf_div(*scale)? }, 0.0));
            }
            Approximate(MaxDivergence).compose(&losses)
        }),
    );
    let traced = Trace::new(move |d_in| {
        let (counts, sums) = &traced;
        let of_sums = sums.iter().map(|sum| sum.steps(d_in)).collect::<Fallible<Vec<_>>>()?;
        Ok([vec![counts.steps(d_in)?], of_sums].concat().concat())
    });
    Ok(measurement.with_deviation(Deviation::Parts(deviations.into())).with_trace(traced))
}

/// The released keys, each with its noisy count and its noisy sums.
type KeysWithSums<K, T, S> = BTreeMap<K, (<T as NoiseAtom>::Release, Vec<<S as NoiseAtom>::Release>)>;

/// Refuse a sum of other data than those that are counted.
fn check_space<DI: Domain, D: Domain, DX: Domain, MI: Metric, MO: Metric>(
    counts: &Transformation<DI, D, MI, MO>,
    sum: &Transformation<DI, DX, MI, MO>,
) -> Fallible<()> {
    let rule = |what, (counts, sum): (String, String)| {
        let message = format!("counts and sums must share their {what}: the counts have `{counts}`, a sum has `{sum}`");
        Err(Error::new(ErrorKind::Mismatch, message))
    };
    if counts.input_domain() != sum.input_domain() {
        return rule("input domain", in_words(counts.input_domain(), sum.input_domain()));
    }
    if counts.input_metric() != sum.input_metric() {
        return rule("input metric", in_words(counts.input_metric(), sum.input_metric()));
    }
    Ok(())
}

impl<DI: Domain, D: Domain, MI: Metric, MO: Metric> Planned for Transformation<DI, D, MI, MO> {
    fn plans(&self) -> Vec<&Plan> {
        vec![self.plan()]
    }
}

impl<DI: Domain, D: Domain, MI: Metric, MO: Metric> Planned for Vec<Transformation<DI, D, MI, MO>> {
    fn plans(&self) -> Vec<&Plan> {
        self.iter().map(Transformation::plan).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{prelude::*, sampling::testing::SeededEntropy, transformations::First};
    use std::collections::BTreeMap;

    type Rows = VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<i64>>>;
    type Counts = Transformation<Rows, MapDomain<u8, AtomDomain<i64>>, SymmetricDistance, L01InfDistance>;
    type Sums = Transformation<Rows, MapDomain<u8, AtomDomain<i128>>, SymmetricDistance, L01InfDistance>;
    type Released = Measurement<Rows, BTreeMap<u8, (i64, Vec<i128>)>, SymmetricDistance, Approximate<MaxDivergence>>;

    fn rows() -> (Rows, SymmetricDistance) {
        let numbers = AtomDomain::i64().with_bounds((-5, 3)).unwrap();
        (VectorDomain::new(PairDomain::new(AtomDomain::u8(), numbers)), SymmetricDistance)
    }

    fn counts() -> Counts {
        (rows() >> then_pair_part(First) >> then_count_by(L01InfDistance)).unwrap()
    }

    fn sums() -> Sums {
        (rows() >> then_sum_by(L01InfDistance)).unwrap()
    }

    fn released(scale: f64, threshold: i64, scales: &[f64]) -> Fallible<Released> {
        make_sums_of_unknown_keys(counts(), scale, threshold, scales.iter().map(|_| sums()).collect(), scales.to_vec())
    }

    /// Every sum is charged, and delta is that of the counts alone.
    #[test]
    fn the_map_adds_up_counts_and_sums() {
        let alone = (counts() >> then_laplace_threshold(2.0, 20)).unwrap();
        for d_in in [0u32, 1, 3] {
            let (epsilon, delta) = released(2.0, 20, &[10.0, 40.0]).unwrap().map(&d_in).unwrap();
            let of_counts = alone.map(&d_in).unwrap();
            assert_eq!((epsilon, delta), (f64::from(d_in) * (0.5 + 0.5 + 0.125), of_counts.1), "{d_in}");
            assert_eq!(released(2.0, 20, &[10.0]).unwrap().map(&d_in).unwrap(), (f64::from(d_in), of_counts.1));
        }
        assert_eq!(released(2.0, 20, &[0.0]).unwrap().map(&0), Ok((0.0, 0.0)));
        assert_eq!(released(2.0, 20, &[0.0]).unwrap().map(&1).unwrap().0, f64::INFINITY);
        let third = released(3.0, 20, &[30.0]).unwrap().map(&1).unwrap().0;
        assert!((0.5..=0.5f64.next_up().next_up()).contains(&third), "{third}");
    }

    /// Of a key below the threshold neither count nor sum is there, whatever its sum; a key without an entry among the
    /// sums has the sum 0.
    #[test]
    fn counts_alone_decide() {
        let data = [(1, 3), (1, 3), (1, -5), (2, 3), (2, 3), (9, 3)];
        let exact = released(0.0, 3, &[0.0, 0.0]).unwrap().accept_infinite_loss();
        assert_eq!(exact.invoke(&data), Ok(BTreeMap::from([(1, (3, vec![1, 1]))])));
        assert_eq!(exact.invoke(&[]), Ok(BTreeMap::new()));
        let none = (rows() >> then_filter(|_: &(u8, i64)| false) >> then_sum_by(L01InfDistance)).unwrap();
        let exact = make_sums_of_unknown_keys(counts(), 0.0, 2, vec![none], vec![0.0]).unwrap().accept_infinite_loss();
        assert_eq!(exact.invoke(&data), Ok(BTreeMap::from([(1, (3, vec![0])), (2, (2, vec![0]))])));
    }

    /// The noise of sums is their own, and a sum that is absent has noise, too.
    #[test]
    fn each_sum_has_noise_of_its_own() {
        let none = (rows() >> then_filter(|_: &(u8, i64)| false) >> then_sum_by(L01InfDistance)).unwrap();
        let noisy = make_sums_of_unknown_keys(counts(), 0.0, 1, vec![sums(), none], vec![1.0, 50.0]).unwrap();
        let data: Vec<(u8, i64)> = (0..200).map(|key| (key, 1)).collect();
        let found = noisy.invoke_with(&data, &mut SeededEntropy::new(1)).unwrap();
        let spread = |which: usize| {
            let sum: i128 = found.values().map(|(_, sums)| (sums[which] - i128::from(which == 0)).abs()).sum();
            f64::from(i32::try_from(sum).unwrap()) / 200.0
        };
        // The mean size of discrete Laplace noise is about its scale: 0.85 and 50, give or take six deviations of 200.
        assert!((0.4..1.3).contains(&spread(0)) && (28.0..72.0).contains(&spread(1)), "{} {}", spread(0), spread(1));
    }

    /// Data that come by parts are released as data at once.
    #[test]
    fn parts_of_the_data_make_one_release() {
        let noisy = released(1.0, 2, &[4.0, 9.0]).unwrap();
        let data: Vec<(u8, i64)> =
            (0..4000).map(|row: u16| (u8::try_from(row % 7).unwrap(), i64::from(row % 3))).collect();
        let parts = data.chunks(999).try_fold(noisy.aggregate().unwrap(), |all, part| all.absorb(part)).unwrap();
        let whole = noisy.invoke_with(&data, &mut SeededEntropy::new(3)).unwrap();
        assert_eq!(parts.release_with(&mut SeededEntropy::new(3)).unwrap(), whole);
        assert_eq!(whole.len(), 7);
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |result: Fallible<Released>| result.unwrap_err().kind();
        assert_eq!(kind(released(1.0, 5, &[])), ErrorKind::Parameter("sums"));
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(kind(released(scale, 5, &[1.0])), ErrorKind::Parameter("scale"));
            assert_eq!(kind(released(1.0, 5, &[1.0, scale])), ErrorKind::Parameter("scale"));
        }
        assert_eq!(kind(released(1.0, 0, &[1.0])), ErrorKind::Parameter("threshold"));
        let one = make_sums_of_unknown_keys(counts(), 1.0, 5, vec![sums()], vec![1.0, 2.0]);
        assert_eq!(kind(one), ErrorKind::Parameter("scales"));
        let sized = (rows().0.with_size(3), SymmetricDistance);
        let other = (sized >> then_sum_by(L01InfDistance)).unwrap();
        assert_eq!(kind(make_sums_of_unknown_keys(counts(), 1.0, 5, vec![other], vec![1.0])), ErrorKind::Mismatch);
    }

    #[test]
    fn the_plan_names_counts_and_sums() {
        let text = released(2.0, 30, &[10.0]).unwrap().explain(&1).unwrap().to_string();
        let head =
            "make_sums_of_unknown_keys(scale = 2.0, threshold = 30, scales = [10.0]): 1 row added or removed -> ";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("make_count_by") && text.contains("make_sum_by") && !text.contains("unproven"), "{text}");
    }
}
