//! Histograms of unknown keys: the code itself, on all bits that matter, for maps of up to two keys.

use super::{formulas, support::*};
use indistinct::{
    bounds::Number,
    numeric::{Dyadic, Extended, enclosure::Enclosure},
    prelude::*,
    sampling::Entropy,
};
use indistinct_audit::{Claims, Key, Law, Measured, Report, Seen, exact::exact, mass::Mass, tape::Probing};
use std::{collections::BTreeMap, fmt::Debug};

rows! {
    tight make_alp: alp;
    tight make_gaussian_threshold: gaussian;
    tight make_laplace_threshold: laplace;
    tight make_select_keys: selected;
}

type Counts = BTreeMap<u8, i64>;

fn maps() -> MapDomain<u8, AtomDomain<i64>> {
    MapDomain::new(AtomDomain::u8(), AtomDomain::i64())
}

fn one_key() -> Vec<Counts> {
    [0, 1, 2, 3, 5].map(|count| BTreeMap::from([(1, count)])).into_iter().chain([BTreeMap::new()]).collect()
}

fn two_keys() -> Vec<Counts> {
    vec![BTreeMap::new(), BTreeMap::from([(1, 1)]), BTreeMap::from([(1, 1), (2, 1)]), BTreeMap::from([(2, 2), (1, 1)])]
}

/// Distances that rise in every part.
fn ladder() -> Vec<(u32, f64, f64)> {
    vec![(0, 0.0, 0.0), (1, 1.0, 1.0), (1, 1.5, 1.5), (2, 2.0, 1.5), (2, 3.0, 3.0), (9, 27.0, 3.0), (9, 1e9, 1e9)]
}

/// Two words: their tails are left undecided earlier.
fn two_words() -> Probing {
    Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) }
}

fn laplace() -> Report {
    // A threshold of 1 keeps a key more often than not: such a delta shows nothing, but must not be exceeded.
    all([(0.95, 1.0, 4), (0.0, 1.0, 1), (0.95, 2.0, 9)].map(|(floor, scale, threshold)| {
        let noisy = make_laplace_threshold(maps(), L01InfDistance, scale, threshold).unwrap();
        part(floor, exact(&noisy, &one_key(), Probing::default().with_requests(2))).and(rises(
            &noisy,
            &ladder(),
            &(0.0, 0.0),
        ))
    }))
    .and(part(0.95, exact(&make_laplace_threshold(maps(), L01InfDistance, 0.5, 2).unwrap(), &two_keys(), two_words())))
    .and(laplace_on_floats())
}

/// Keys alone: by the recursion, at maps of one key and of two, with numbers below the minimum and far above it.
fn selected() -> Report {
    let counts = |numbers: &[(u8, i64)]| numbers.iter().copied().collect::<Counts>();
    let one_key = (0..14).map(|n| counts(&[(1, n)])).chain([counts(&[]), counts(&[(1, -3)])]);
    let two_keys = (0..4).flat_map(|n| (0..4).map(move |other| counts(&[(1, n), (2, other)])));
    let inputs: Vec<Counts> = one_key.chain(two_keys).collect();
    parts(
        0.95,
        [((1.0, 0.01), 1u32), ((0.5, 0.125), 1), ((2.0, 1e-6), 1), ((0.25, 0.25), 3)].map(|(per_key, min)| {
            let keys = make_select_keys(maps(), L01InfDistance, per_key, min).unwrap();
            let law = |map: &Counts| {
                let above = |(key, n): (&u8, &i64)| (*key, (n - i64::from(min - 1)).max(0));
                formulas::selected_keys(per_key, &map.iter().map(above).collect::<Vec<_>>())
            };
            by_formula(&keys, &inputs, law, same).and(rises(&keys, &ladder(), &(0.0, 0.0)))
        }),
    )
}

fn gaussian() -> Report {
    // A threshold of 1 keeps a key more often than not: such a delta shows nothing, but must not be exceeded.
    all([(0.95, 1.0, 4), (0.0, 1.0, 1), (0.95, 2.0, 9)].map(|(floor, scale, threshold)| {
        let noisy = make_gaussian_threshold(maps(), L02InfDistance, scale, threshold).unwrap();
        part(floor, exact(&noisy, &one_key(), Probing::default().with_requests(2))).and(rises(
            &noisy,
            &ladder(),
            &(0.0, 0.0),
        ))
    }))
    .and(part(0.95, exact(&make_gaussian_threshold(maps(), L02InfDistance, 0.5, 2).unwrap(), &two_keys(), two_words())))
    .and(gaussian_on_floats())
}

/// Floats and exact numbers with continuous noise, by formula: what is below the threshold is not released, what is
/// above is seen in cells. The shift of a float by noise at the default grid is as good as exact.
fn of_floats<T, MI, MO>(
    measurement: &Measurement<MapDomain<u8, AtomDomain<T>>, BTreeMap<u8, f64>, MI, MO>,
    number: fn(f64) -> T,
    threshold: f64,
    cdf: impl Fn(f64) -> Mass,
) -> Report
where
    T: Number + Seen,
    BTreeMap<u8, T>: ToOwned<Owned = BTreeMap<u8, T>> + Debug,
    MapDomain<u8, AtomDomain<T>>: Domain<Carrier = BTreeMap<u8, T>>,
    MI: Measured<BTreeMap<u8, T>>,
    MO: Claims,
{
    let ends: Vec<f64> = (0..40).map(|end| threshold + f64::from(end) / 8.0).collect();
    let law = |map: &BTreeMap<u8, T>| match map.get(&1).map(|x| x.to_extended().unwrap()) {
        Some(Extended::Finite(x)) if x != 0 => formulas::cells(&ends, |end| cdf(end - x.to_f64())),
        _ => Law::new([(0usize.key(), formulas::number(1.0))]),
    };
    let cell = |key: Key| match key {
        Key::List(entries) => match entries.first() {
            Some(Key::List(entry)) => match entry.last() {
                Some(Key::Bits(bits)) => ends.partition_point(|end| *end <= f64::from_bits(*bits)).key(),
                _ => Key::Number(-1),
            },
            _ => 0usize.key(),
        },
        _ => Key::Number(-1),
    };
    let inputs: Vec<BTreeMap<u8, T>> = std::iter::once(BTreeMap::new())
        .chain([0.0, 0.5, 1.0, 2.0, 3.5].map(|x| BTreeMap::from([(1, number(x))])))
        .collect();
    by_formula(measurement, &inputs, law, cell)
}

fn laplace_on_floats() -> Report {
    parts(
        0.95,
        [(1.0, 4.0), (0.5, 2.5), (2.0, 9.0)].map(|(scale, threshold)| {
            let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::f64());
            let exact_maps = MapDomain::new(AtomDomain::u8(), AtomDomain::dyadic());
            let floats = make_laplace_threshold(maps, L01InfDistance, scale, threshold).unwrap();
            let exact = make_laplace_threshold(exact_maps, L01InfDistance, scale, threshold).unwrap();
            let cdf = |x| formulas::laplace_cdf(x, scale);
            part(0.95, of_floats(&floats, |x| x, threshold, cdf))
                .and(part(0.95, of_floats(&exact, |x| Dyadic::from_f64(x).unwrap(), threshold, cdf)))
                .and(rises(&floats, &ladder(), &(0.0, 0.0)))
        }),
    )
}

fn gaussian_on_floats() -> Report {
    parts(
        0.95,
        [(1.0, 4.0), (0.5, 2.5), (2.0, 9.0)].map(|(scale, threshold)| {
            let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::f64());
            let exact_maps = MapDomain::new(AtomDomain::u8(), AtomDomain::dyadic());
            let floats = make_gaussian_threshold(maps, L02InfDistance, scale, threshold).unwrap();
            let exact = make_gaussian_threshold(exact_maps, L02InfDistance, scale, threshold).unwrap();
            let cdf = |x| formulas::gaussian_cdf(x, scale);
            part(0.95, of_floats(&floats, |x| x, threshold, cdf))
                .and(part(0.95, of_floats(&exact, |x| Dyadic::from_f64(x).unwrap(), threshold, cdf)))
                .and(rises(&floats, &ladder(), &(0.0, 0.0)))
        }),
    )
}

/// A table of one bit a level, so that the hash says nothing: a number is rounded at random to levels, whose bits are
/// set, and each bit is flipped.
fn alp() -> Report {
    let (alpha, levels) = (3u32, 3usize);
    let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::f64());
    let unit = f64::from(alpha);
    let projection = make_alp(maps, L01InfDistance, 1.0, 3.0 * unit, 1, alpha).unwrap();
    let number = formulas::number;
    let law = |map: &BTreeMap<u8, f64>| {
        let x = map.get(&1).copied().unwrap_or(0.0).clamp(0.0, 3.0 * unit);
        let whole = (0..=levels).rev().find(|n| f64::from(u32::try_from(*n).unwrap()) * unit <= x).unwrap();
        let up = number(x - f64::from(u32::try_from(whole).unwrap()) * unit).div(&number(unit));
        let flip = number(1.0).div(&number(unit + 2.0));
        let one = number(1.0);
        let of_rounded = |set: usize, weight: &indistinct_audit::mass::Mass| {
            (0..1u32 << levels)
                .map(|outcome| {
                    let bits: Vec<bool> = (0..levels).map(|level| outcome >> level & 1 == 1).collect();
                    let mass = bits.iter().enumerate().fold(weight.clone(), |mass, (level, bit)| {
                        let flipped = *bit != (level < set);
                        mass.mul(&if flipped { flip.clone() } else { one.sub(&flip) })
                    });
                    (bits.key(), mass)
                })
                .collect::<Vec<_>>()
        };
        Law::new([of_rounded(whole, &one.sub(&up)), of_rounded(whole + 1, &up)].concat())
    };
    let run = |map: &BTreeMap<u8, f64>, entropy: &mut dyn Entropy| {
        Ok(projection.invoke_with(map, entropy)?.bits().collect::<Vec<bool>>().key())
    };
    let inputs = [0.0, 0.0625, 1.5, 3.0, 4.0, 9.0, 20.0].map(|x| BTreeMap::from([(1, x)]));
    part(0.95, by_formula_with(&projection, &inputs, law, &run)).and(rises(&projection, &ladder(), &0.0))
}
