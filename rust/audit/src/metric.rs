//! Computes the library's metrics a second time, from their definitions and in exact fractions.

use crate::{
    distances,
    key::{Key, Seen},
    members::Described,
};
use indistinct::{
    metrics::{
        AbsoluteDistance, ChangeOneDistance, DiscreteDistance, HammingDistance, InsertDeleteDistance, L1Distance,
        L01InfDistance, L2Distance, L02InfDistance, LInfDistance, PartitionDistance, SymmetricDistance,
        SymmetricIdDistance,
    },
    numeric::{Extended, RoundedFrom, ToExtended, gmp::Rational},
    prelude::Metric,
};
use std::collections::{BTreeMap, BTreeSet};

/// A metric whose distances an audit can compute by a second implementation.
pub trait Measured<C: ?Sized>: Metric {
    /// Returns the smallest distance that is at least the true one, or `None` if the true distance is infinite.
    fn distance(&self, x: &C, y: &C) -> Option<Self::Distance>;

    /// Returns the ratio of the true distance to the claimed one, and whether the true distance is greater.
    fn compare(&self, x: &C, y: &C, claimed: &Self::Distance) -> Comparison;

    /// Returns the same distance between members of a domain, if the domain determines what the distance is computed
    /// from.
    fn distance_in<D: Described<Carrier = C>>(&self, _: &D, x: &C, y: &C) -> Option<Self::Distance> {
        self.distance(x, y)
    }

    /// Like [`compare`](Measured::compare), for members of a domain.
    fn compare_in<D: Described<Carrier = C>>(&self, _: &D, x: &C, y: &C, claimed: &Self::Distance) -> Comparison {
        self.compare(x, y, claimed)
    }
}

/// The result of comparing a true distance with a claimed one.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// This is true if the claim is too small.
    pub exceeds: bool,
    /// The ratio of the true distance to the claimed one, or 0 if nothing is claimed. If a distance consists of several
    /// numbers, there is one ratio for each.
    pub ratios: Vec<f64>,
}

impl Comparison {
    fn of_numbers(truth: Option<&Rational>, claimed: f64) -> Self {
        let Some(truth) = truth else {
            let exceeds = claimed != f64::INFINITY;
            return Self { exceeds, ratios: vec![if exceeds { f64::INFINITY } else { 0.0 }] };
        };
        match Rational::from_f64(claimed) {
            Some(claimed) => {
                let ratio = if claimed == 0 { 0.0 } else { Rational::from(truth / &claimed).to_f64() };
                Self { exceeds: *truth > claimed, ratios: vec![ratio] }
            }
            None => Self { exceeds: claimed != f64::INFINITY, ratios: vec![0.0] },
        }
    }

    pub(crate) fn of_rows(truth: Option<u32>, claimed: u32) -> Self {
        Self::of_numbers(truth.map(Rational::from).as_ref(), claimed.into())
    }

    fn and(self, other: Self) -> Self {
        Self { exceeds: self.exceeds || other.exceeds, ratios: [self.ratios, other.ratios].concat() }
    }
}

fn keys<T: Seen>(rows: &[T]) -> Vec<Key> {
    rows.iter().map(Seen::key).collect()
}

macro_rules! dataset_metrics {
    ($($metric:ident $definition:ident;)+) => {$(
        impl<T: Seen> Measured<[T]> for $metric {
            fn distance(&self, x: &[T], y: &[T]) -> Option<u32> {
                distances::$definition(&keys(x), &keys(y))
            }

            fn compare(&self, x: &[T], y: &[T], claimed: &u32) -> Comparison {
                Comparison::of_rows(self.distance(x, y), *claimed)
            }
        }
    )+};
}

dataset_metrics! {
    SymmetricDistance symmetric;
    InsertDeleteDistance insert_delete;
    ChangeOneDistance change_one;
    HammingDistance hamming;
}

impl<K: Seen, T: Seen> Measured<[(K, T)]> for SymmetricIdDistance {
    fn distance(&self, x: &[(K, T)], y: &[(K, T)]) -> Option<u32> {
        let rows = |rows: &[(K, T)]| rows.iter().map(|(key, row)| (key.key(), row.key())).collect::<Vec<_>>();
        distances::symmetric_id(&rows(x), &rows(y))
    }

    fn compare(&self, x: &[(K, T)], y: &[(K, T)], claimed: &u32) -> Comparison {
        Comparison::of_rows(self.distance(x, y), *claimed)
    }
}

/// The distance has three numbers: how many parts differ, the total of their distances, and the largest of their
/// distances.
impl<T, M: Metric<Distance = u32> + Measured<[T]>> Measured<[Vec<T>]> for PartitionDistance<M> {
    fn distance(&self, x: &[Vec<T>], y: &[Vec<T>]) -> Option<(u32, u32, u32)> {
        if x.len() != y.len() {
            return None;
        }
        let parts: Option<Vec<u32>> = x.iter().zip(y).map(|(x, y)| self.0.distance(x, y)).collect();
        let changed: Vec<u32> = parts?.into_iter().filter(|d| *d > 0).collect();
        let most = changed.iter().copied().max().unwrap_or(0);
        Some((u32::try_from(changed.len()).ok()?, changed.iter().sum(), most))
    }

    fn compare(&self, x: &[Vec<T>], y: &[Vec<T>], claimed: &(u32, u32, u32)) -> Comparison {
        let truth = self.distance(x, y);
        Comparison::of_rows(truth.map(|d| d.0), claimed.0)
            .and(Comparison::of_rows(truth.map(|d| d.1), claimed.1))
            .and(Comparison::of_rows(truth.map(|d| d.2), claimed.2))
    }
}

impl<C: Seen + ?Sized> Measured<C> for DiscreteDistance {
    fn distance(&self, x: &C, y: &C) -> Option<u32> {
        Some(u32::from(x.key() != y.key()))
    }

    fn compare(&self, x: &C, y: &C, claimed: &u32) -> Comparison {
        Comparison::of_rows(self.distance(x, y), *claimed)
    }
}

/// Returns `y - x`, or `None` if the difference is infinite.
fn gap(x: Extended, y: Extended) -> Option<Rational> {
    match (x, y) {
        (Extended::Finite(x), Extended::Finite(y)) => Some(y - x),
        (Extended::Infinity, Extended::Infinity) | (Extended::NegInfinity, Extended::NegInfinity) => {
            Some(Rational::new())
        }
        _ => None,
    }
}

fn difference<T: ToExtended>(x: &T, y: &T) -> Option<Rational> {
    gap(x.to_extended().ok()?, y.to_extended().ok()?)
}

fn differences<T: ToExtended>(x: &[T], y: &[T]) -> Option<Vec<Rational>> {
    if x.len() != y.len() {
        return None;
    }
    x.iter().zip(y).map(|(x, y)| difference(x, y)).collect()
}

fn up(x: &Rational) -> Option<f64> {
    f64::inf_from(x).ok()
}

impl<T: ToExtended> Measured<T> for AbsoluteDistance {
    fn distance(&self, x: &T, y: &T) -> Option<f64> {
        up(&difference(x, y)?.abs())
    }

    fn compare(&self, x: &T, y: &T, claimed: &f64) -> Comparison {
        Comparison::of_numbers(difference(x, y).map(Rational::abs).as_ref(), *claimed)
    }
}

fn l1(differences: &[Rational]) -> Rational {
    differences.iter().map(|d| d.clone().abs()).sum()
}

fn squares(differences: &[Rational]) -> Rational {
    differences.iter().map(|d| d.clone().square()).sum()
}

/// Returns the smallest float whose square is at least a sum of squares, found by bisection over all floats. The result
/// is `None` if no float is large enough.
fn root(squares: &Rational) -> Option<f64> {
    let is_enough = |bits: u64| Rational::from_f64(f64::from_bits(bits)).is_some_and(|root| root.square() >= *squares);
    let (mut below, mut enough) = (0, f64::MAX.to_bits());
    if is_enough(below) || !is_enough(enough) {
        return is_enough(below).then_some(0.0);
    }
    while enough - below > 1 {
        let middle = u64::midpoint(below, enough);
        *(if is_enough(middle) { &mut enough } else { &mut below }) = middle;
    }
    Some(f64::from_bits(enough))
}

/// Compares the square of a claim with a sum of squares. The square of an infinite claim is infinite.
fn compare_squares(truth: Option<&Rational>, claimed: f64) -> Comparison {
    let (Some(truth), Some(exact)) = (truth, Rational::from_f64(claimed)) else {
        return Comparison::of_numbers(truth, claimed);
    };
    let square = exact.square();
    let ratio = if square == 0 { 0.0 } else { Rational::from(truth / &square).to_f64().sqrt() };
    Comparison { exceeds: *truth > square, ratios: vec![ratio] }
}

impl<T: ToExtended> Measured<[T]> for L1Distance {
    fn distance(&self, x: &[T], y: &[T]) -> Option<f64> {
        up(&l1(&differences(x, y)?))
    }

    fn compare(&self, x: &[T], y: &[T], claimed: &f64) -> Comparison {
        Comparison::of_numbers(differences(x, y).map(|d| l1(&d)).as_ref(), *claimed)
    }
}

impl<T: ToExtended> Measured<[T]> for L2Distance {
    fn distance(&self, x: &[T], y: &[T]) -> Option<f64> {
        root(&squares(&differences(x, y)?))
    }

    fn compare(&self, x: &[T], y: &[T], claimed: &f64) -> Comparison {
        compare_squares(differences(x, y).map(|d| squares(&d)).as_ref(), *claimed)
    }
}

/// The largest absolute difference; in the monotonic form, the largest rise plus the largest fall.
fn greatest(differences: &[Rational], monotonic: bool) -> Rational {
    let zero = Rational::new();
    let rise = differences.iter().max().unwrap_or(&zero).clone().max(Rational::new());
    let fall = (-differences.iter().min().unwrap_or(&zero).clone()).max(Rational::new());
    if monotonic { rise + fall } else { rise.max(fall) }
}

impl<T: ToExtended> Measured<[T]> for LInfDistance {
    fn distance(&self, x: &[T], y: &[T]) -> Option<f64> {
        up(&greatest(&differences(x, y)?, self.is_monotonic()))
    }

    fn compare(&self, x: &[T], y: &[T], claimed: &f64) -> Comparison {
        let truth = differences(x, y).map(|d| greatest(&d, self.is_monotonic()));
        Comparison::of_numbers(truth.as_ref(), *claimed)
    }
}

/// Returns the nonzero differences of two maps, key by key. An absent key has the value 0. Some differences may be
/// infinite.
fn changes<K: Ord, T: ToExtended>(x: &BTreeMap<K, T>, y: &BTreeMap<K, T>) -> Vec<Option<Rational>> {
    let number = |map: &BTreeMap<K, T>, key: &K| match map.get(key) {
        None => Some(Extended::Finite(Rational::new())),
        Some(number) => number.to_extended().ok(),
    };
    let keys: BTreeSet<&K> = x.keys().chain(y.keys()).collect();
    let all = keys.into_iter().map(|key| gap(number(x, key)?, number(y, key)?));
    all.filter(|difference| difference.as_ref().is_none_or(|d| *d != 0)).collect()
}

macro_rules! map_metrics {
    ($($metric:ident, |$differences:ident| $norm:expr, $compare:expr, $sum:ident;)+) => {$(
        impl<K: Ord, T: ToExtended> Measured<BTreeMap<K, T>> for $metric {
            fn distance(&self, x: &BTreeMap<K, T>, y: &BTreeMap<K, T>) -> Option<(u32, f64, f64)> {
                let $differences: Vec<Rational> = changes(x, y).into_iter().collect::<Option<_>>()?;
                Some((u32::try_from($differences.len()).ok()?, $norm, up(&greatest(&$differences, false))?))
            }

            fn compare(&self, x: &BTreeMap<K, T>, y: &BTreeMap<K, T>, claimed: &(u32, f64, f64)) -> Comparison {
                let changes = changes(x, y);
                let number = u32::try_from(changes.len()).ok();
                let finite: Option<Vec<Rational>> = changes.into_iter().collect();
                let (sum, greatest) = (finite.as_deref().map($sum), finite.as_deref().map(|all| greatest(all, false)));
                Comparison::of_rows(number, claimed.0)
                    .and($compare(sum.as_ref(), claimed.1))
                    .and(Comparison::of_numbers(greatest.as_ref(), claimed.2))
            }
        }
    )+};
}

map_metrics! {
    L01InfDistance, |differences| up(&l1(&differences))?, Comparison::of_numbers, l1;
    L02InfDistance, |differences| root(&squares(&differences))?, compare_squares, squares;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_between_numbers_and_vectors() {
        // The floats nearest to 0.1 and 0.3 are less than 0.2 apart, by 1.7e-17.
        assert_eq!(AbsoluteDistance::new().distance(&0.1, &0.3), Some(0.19999999999999998));
        let close = 1e-17f64;
        assert!(AbsoluteDistance::new().distance(&-close, &1.0).is_some_and(|d| d == 1f64.next_up()));
        assert_eq!(AbsoluteDistance::new().distance(&f64::INFINITY, &f64::INFINITY), Some(0.0));
        assert_eq!(AbsoluteDistance::new().distance(&f64::INFINITY, &1.0), None);
        let (x, y) = ([0i64, 5, 2], [3i64, 1, 2]);
        assert_eq!(L1Distance::new().distance(&x, &y), Some(7.0));
        assert_eq!(L2Distance::new().distance(&x, &y), Some(5.0));
        assert_eq!(LInfDistance::new().distance(&x, &y), Some(4.0));
        assert_eq!(LInfDistance::monotonic().distance(&x, &y), Some(7.0));
        assert_eq!(L1Distance::new().distance(&x[..2], &y), None);
    }

    #[test]
    fn a_claim_below_the_truth_exceeds_by_one_bit() {
        let (x, y) = ([0i64, 0], [1i64, 1]);
        let root = L2Distance::new().distance(&x, &y).unwrap();
        assert!(!L2Distance::new().compare(&x, &y, &root).exceeds);
        assert!(L2Distance::new().compare(&x, &y, &root.next_down()).exceeds);
        assert!((L2Distance::new().compare(&x, &y, &root).ratios[0] - 1.0).abs() < 1e-15);
        assert!(AbsoluteDistance::new().compare(&1u8, &2u8, &1f64.next_down()).exceeds);
        assert!(!AbsoluteDistance::new().compare(&1u8, &2u8, &1.0).exceeds);
        assert!(AbsoluteDistance::new().compare(&f64::INFINITY, &2.0, &1e300).exceeds);
    }

    #[test]
    fn maps_count_an_absent_key_as_zero() {
        let (x, y) = (BTreeMap::from([(1, 3i64), (2, 0)]), BTreeMap::from([(3, -4i64)]));
        assert_eq!(L01InfDistance.distance(&x, &y), Some((2, 7.0, 4.0)));
        assert_eq!(L02InfDistance.distance(&x, &y), Some((2, 5.0, 4.0)));
        for claimed in [(1, 7.0, 4.0), (2, 6.0, 4.0), (2, 7.0, 3.0)] {
            assert!(L01InfDistance.compare(&x, &y, &claimed).exceeds);
        }
        let compared = L01InfDistance.compare(&x, &y, &(4, 7.0, 8.0));
        assert_eq!((compared.exceeds, compared.ratios), (false, vec![0.5, 1.0, 0.5]));
    }

    #[test]
    fn an_infinite_number_of_a_map_is_a_change_without_bound_unless_both_have_it() {
        let (x, y) = (BTreeMap::from([(1, f64::INFINITY)]), BTreeMap::from([(1, f64::INFINITY), (2, 1.0)]));
        assert_eq!(L01InfDistance.distance(&x, &x), Some((0, 0.0, 0.0)));
        assert_eq!(L01InfDistance.distance(&x, &y), Some((1, 1.0, 1.0)));
        let none = BTreeMap::new();
        assert_eq!(L02InfDistance.distance(&x, &none), None);
        for claimed in [(0, f64::INFINITY, f64::INFINITY), (1, f64::INFINITY, 1.0), (1, 1.0, f64::INFINITY)] {
            assert!(L02InfDistance.compare(&x, &none, &claimed).exceeds, "{claimed:?}");
        }
        let compared = L02InfDistance.compare(&x, &none, &(1, f64::INFINITY, f64::INFINITY));
        assert_eq!((compared.exceeds, compared.ratios), (false, vec![1.0, 0.0, 0.0]));
    }

    #[test]
    fn roots_of_squares_beyond_all_floats() {
        for size in [5e-324, 1e-200, 1.0, 1e300, f64::MAX] {
            assert_eq!(L2Distance::new().distance(&[0.0], &[size]), Some(size));
        }
        assert_eq!(L2Distance::new().distance(&[0.0, f64::MAX], &[1.0, -f64::MAX]), None);
        assert_eq!(L2Distance::new().distance(&[0.0, 0.0], &[1.0, 1.0]), Some(2f64.sqrt()));
    }
}
