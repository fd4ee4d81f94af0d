//! Several releases as one, and one of several.

use crate::{
    Source, exercise,
    record::{make, told},
};
use indistinct::{prelude::*, sampling::Entropy, transformations::First};

pub(crate) fn run(source: &mut Source) {
    match source.below(5) {
        0 => together(source),
        1 => in_other_measures(source),
        2 => in_parallel(source),
        3 => of_unknown_keys(source),
        _ => selected(source),
    }
}

type Rows = VectorDomain<AtomDomain<i64>>;

fn rows(source: &mut Source) -> Rows {
    let rows = VectorDomain::new(AtomDomain::i64());
    if source.below(8) == 0 { rows.with_size(2) } else { rows }
}

fn noisy_count(source: &mut Source) -> Option<Measurement<Rows, i64, SymmetricDistance, MaxDivergence>> {
    told((rows(source), SymmetricDistance) >> then_count() >> then_laplace(source.mostly_plain()))
}

fn data(source: &mut Source) -> Vec<i64> {
    source.several(3, Source::integer)
}

fn together(source: &mut Source) {
    let counts: Vec<_> = source.several(4, noisy_count).into_iter().flatten().collect();
    let data = data(source);
    exercise::measurement(make!(make_composition(counts.clone())), source, &data);
    if let [first, second, ..] = counts.as_slice() {
        let both = make!(make_composition((first.clone(), second.clone())));
        exercise::measurement(both, source, &data);
    }
}

/// Parts whose losses are converted to one other measure.
fn in_other_measures(source: &mut Source) {
    let counts: Vec<_> = source.several(3, noisy_count).into_iter().flatten().collect();
    let data = data(source);
    macro_rules! under {
        ($convert:expr) => {{
            let parts: Vec<_> = counts.into_iter().filter_map(|count| told($convert(count))).collect();
            exercise::measurement(make!(make_composition(parts)), source, &data);
        }};
    }
    match source.below(5) {
        0 => under!(make_pureDP_to_zCDP),
        1 => under!(make_pureDP_to_bounded_range),
        2 => under!(make_pureDP_to_approxDP),
        3 => under!(|count| make_zCDP_to_RDP(make_pureDP_to_zCDP(count)?)),
        _ => under!(make_pureDP_to_PLD),
    }
}

fn in_parallel(source: &mut Source) {
    let counts: Vec<_> = source.several(3, noisy_count).into_iter().flatten().collect();
    let parts: Vec<Vec<i64>> =
        if source.coin() { counts.iter().map(|_| data(source)).collect() } else { source.several(4, data) };
    exercise::measurement(make!(make_parallel_composition(counts)), source, &parts);
}

/// Counts and sums of keys, of which a threshold for the counts decides.
fn of_unknown_keys(source: &mut Source) {
    let numbers = told(AtomDomain::i64().with_bounds((-9, 9)));
    let Some(numbers) = numbers else { return };
    let space = || (VectorDomain::new(PairDomain::new(AtomDomain::u8(), numbers.clone())), SymmetricDistance);
    let Some(counts) = told(space() >> then_pair_part(First) >> then_count_by(L01InfDistance)) else { return };
    let sums: Vec<_> =
        source.several(3, |_| told(space() >> then_sum_by(L01InfDistance))).into_iter().flatten().collect();
    // Mostly a scale for each sum, and a threshold that is one.
    let scales: Vec<f64> = match source.below(4) {
        0 => source.several(3, Source::mostly_plain),
        _ => sums.iter().map(|_| source.mostly_plain()).collect(),
    };
    let threshold = if source.coin() { source.integer() } else { i64::from(source.byte()) + 1 };
    let scale = source.mostly_plain();
    let data = source.several(5, |source| (source.byte() % 3, i64::from(source.byte() % 19) - 9));
    exercise::measurement(make!(make_sums_of_unknown_keys(counts, scale, threshold, sums, scales)), source, &data);
}

/// The best of as many tries as coins allow, which are few.
fn selected(source: &mut Source) {
    let score = source.float();
    let own = move |rows: &[i64], entropy: &mut dyn Entropy| Ok((if entropy.bit()? { 1.0 } else { score }, rows.len()));
    let factor = source.plain();
    let map = move |d_in: &u32| Ok(f64::from(*d_in) * factor);
    let tried = make!(make_user_measurement(rows(source), SymmetricDistance, MaxDivergence, own, map)).unwrap();
    let stop = source.probability();
    let threshold = source.coin().then(|| source.mostly_plain());
    let data = data(source);
    let Some(best) = make!(make_select_private_candidate(tried, stop, threshold)) else { return };
    exercise::losses(source, &best);
    if stop >= 1e-3 {
        exercise::release(source, &best, &data);
    }
}
