//! Random neighbors: pairs of datasets that are a few edits apart, in great numbers, and the distances between them.

#![allow(clippy::ptr_arg)] // a distance takes what a statistic's function returns

use crate::{Exact, Float, distances};
use indistinct::{core::Owned, numeric::gmp::Rational, prelude::*};

/// Floats that break careless code: binades, cancellation, subnormals, the ends of the range; and numbers that are
/// equal to others.
pub const SPECIAL: [f64; 24] = [
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    1.5,
    2.0,
    3.0,
    -3.0,
    0.1,
    0.3,
    1e16,
    -1e16,
    1125899906842624.0, // 2^50
    1125899906842624.5,
    1e-200,
    1e154,
    1e308,
    -1e308,
    5e-324,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// A stream of random choices, the same in every run.
pub struct Random(u64);

impl Random {
    /// A stream of this number.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// 64 random bits (Marsaglia 2003, xorshift, with a multiplication).
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.bits() % u64::try_from(bound).expect("a small bound")).expect("below the bound")
    }

    /// One of several values.
    pub fn of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// A float, mostly a special one; not NaN.
    pub fn float(&mut self) -> f64 {
        match self.below(8) {
            0 => f64::from_bits(self.bits()),
            1 => f64::from(u32::try_from(self.below(1 << 20)).expect("20 bits")) / 65_536.0 - 8.0,
            _ => self.of(&SPECIAL),
        }
        .max(f64::NEG_INFINITY) // the greater of NaN and this
    }

    /// Two datasets of so many rows, up to four of which differ or have changed places.
    pub fn pair_of_size<T: Clone>(&mut self, size: usize, mut row: impl FnMut(&mut Self) -> T) -> (Vec<T>, Vec<T>) {
        let x: Vec<T> = (0..size).map(|_| row(self)).collect();
        let mut y = x.clone();
        for _ in 0..self.below(5) {
            match self.below(3) {
                0 => y.swap(self.below(size), self.below(size)),
                _ => y[self.below(size)] = row(self),
            }
        }
        (x, y)
    }

    /// Two datasets, the second of which is the first after up to three insertions, deletions, replacements and swaps.
    pub fn pair<T: Clone>(&mut self, mut row: impl FnMut(&mut Self) -> T) -> (Vec<T>, Vec<T>) {
        let rows = self.below(9);
        let x: Vec<T> = (0..rows).map(|_| row(self)).collect();
        let mut y = x.clone();
        for _ in 0..self.below(4) {
            let length = y.len();
            match (self.below(5), length) {
                (0, _) => y.insert(self.below(length + 1), row(self)),
                (_, 0) => {}
                (1, _) => drop(y.remove(self.below(length))),
                (2, _) => y.swap(self.below(length), self.below(length)),
                _ => y[self.below(length)] = row(self),
            }
        }
        (x, y)
    }
}

/// Rows as values that are ordered and compared as the library sees them.
pub trait Row: Clone {
    /// The ordered value.
    type Key: Ord + Clone + std::fmt::Debug;
    /// The row as one.
    fn key(&self) -> Self::Key;
}

macro_rules! rows_are_keys {
    ($($row:ty),+) => {$(
        impl Row for $row {
            type Key = Self;
            fn key(&self) -> Self {
                self.clone()
            }
        }
    )+};
}

rows_are_keys!(u8, i32, u32, i64, i128, bool, String);

impl Row for f64 {
    type Key = Float;
    fn key(&self) -> Float {
        Float(*self)
    }
}

impl<A: Row, B: Row> Row for (A, B) {
    type Key = (A::Key, B::Key);
    fn key(&self) -> Self::Key {
        (self.0.key(), self.1.key())
    }
}

impl<T: Row> Row for Option<T> {
    type Key = Option<T::Key>;
    fn key(&self) -> Self::Key {
        self.as_ref().map(T::key)
    }
}

impl<T: Row> Row for Vec<T> {
    type Key = Vec<T::Key>;
    fn key(&self) -> Self::Key {
        keys(self)
    }
}

/// All rows as ordered values.
pub fn keys<T: Row>(rows: &[T]) -> Vec<T::Key> {
    rows.iter().map(T::key).collect()
}

/// Metrics by their definitions, a second time.
pub trait Definition<T>: Metric<Distance = u32> {
    /// The distance; `None` is infinity.
    fn distance(x: &[T], y: &[T]) -> Option<u32>;
}

macro_rules! definitions {
    ($($metric:ident $definition:ident),+) => {$(
        impl<T: Ord + Clone> Definition<T> for $metric {
            fn distance(x: &[T], y: &[T]) -> Option<u32> {
                distances::$definition(x, y)
            }
        }
    )+};
}

definitions!(SymmetricDistance symmetric, InsertDeleteDistance insert_delete, ChangeOneDistance change_one, HammingDistance hamming);

impl<K: Ord + Clone, T: Ord + Clone> Definition<(K, T)> for SymmetricIdDistance {
    fn distance(x: &[(K, T)], y: &[(K, T)]) -> Option<u32> {
        distances::symmetric_id(x, y)
    }
}

/// Check that a step from datasets to datasets has true outputs and moves no pair further apart than it says; that so
/// many pairs at a finite distance were seen; and that its map is attained, so that a smaller one would fail.
pub fn check_rows<DI: Domain, DO: Domain, MI, MO>(
    step: &Transformation<VectorDomain<DI>, VectorDomain<DO>, MI, MO>,
    pairs: usize,
    mut pair: impl FnMut() -> (Vec<Owned<DI>>, Vec<Owned<DI>>),
) where
    Owned<DI>: Row,
    Owned<DO>: Row,
    MI: Definition<<Owned<DI> as Row>::Key>,
    MO: Definition<<Owned<DO> as Row>::Key>,
{
    let (mut seen, mut attained) = (0, 0);
    while seen < pairs {
        let (x, y) = pair();
        let Some(d_in) = MI::distance(&keys(&x), &keys(&y)) else { continue };
        let (fx, fy) = (step.invoke(&x).expect("data in the domain"), step.invoke(&y).expect("data in the domain"));
        assert!(step.output_domain().member(&fx) && step.output_domain().member(&fy), "{step:?}");
        let d_out = MO::distance(&keys(&fx), &keys(&fy)).expect("a finite distance");
        let bound = step.map(&d_in).expect("a bound");
        assert!(d_out <= bound, "{step:?}: {d_in} -> {d_out} > {bound}");
        seen += 1;
        attained += u32::from(d_in > 0 && d_out == bound);
    }
    assert!(attained > 0, "{step:?}: the map is never attained");
}

/// Check that a statistic of datasets is in its domain and moves no further than its map says, under the exact distance
/// between two of its values (its square, for a Euclidean length); and, where the map is to be attained, that one
/// smaller by a part in 10^12, which rounding may cost, would fail.
pub fn check_statistic<DI: Domain, DO: Domain, MI, MO>(
    statistic: &Transformation<VectorDomain<DI>, DO, MI, MO>,
    (pairs, to_be_attained): (usize, bool),
    mut pair: impl FnMut() -> (Vec<Owned<DI>>, Vec<Owned<DI>>),
    distance: impl Fn(&Owned<DO>, &Owned<DO>) -> Truth,
) where
    Owned<DI>: Row,
    MI: Definition<<Owned<DI> as Row>::Key>,
    MO: Metric<Distance = f64>,
{
    use std::borrow::Borrow;
    let (mut seen, mut attained) = (0, 0);
    while seen < pairs {
        let (x, y) = pair();
        let Some(d_in) = MI::distance(&keys(&x), &keys(&y)) else { continue };
        let value = |rows: &[Owned<DI>]| statistic.invoke(rows).expect("data in the domain");
        let (fx, fy) = (value(&x), value(&y));
        let member = |value: &Owned<DO>| statistic.output_domain().member(value.borrow());
        assert!(member(&fx) && member(&fy), "{statistic:?}");
        let (truth, bound) = (distance(&fx, &fy), statistic.map(&d_in).expect("a bound"));
        assert!(truth.is_covered_by(bound), "{statistic:?}: {d_in} -> {truth:?} > {bound:e}");
        assert!(d_in > 0 || bound == 0.0, "{statistic:?}: no change has the bound {bound:e}");
        seen += 1;
        attained += u32::from(bound > 0.0 && !truth.is_covered_by(bound.next_down().min(bound * (1.0 - 1e-12))));
    }
    assert!(attained > 0 || !to_be_attained, "{statistic:?}: the map is never attained");
}

/// An exact distance.
#[derive(Debug)]
pub enum Truth {
    /// As it is.
    Plain(Rational),
    /// Its square.
    Squared(Rational),
}

impl Truth {
    /// Whether a reported bound is at least this.
    pub fn is_covered_by(&self, bound: f64) -> bool {
        match self {
            Self::Plain(truth) => crate::covers(bound, truth),
            Self::Squared(truth) => bound == f64::INFINITY || bound.exact().square() >= *truth,
        }
    }
}

fn differences<T: Exact>(x: &[T], y: &[T]) -> Vec<Rational> {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(x, y)| (x.exact() - y.exact()).abs()).collect()
}

/// The absolute distance.
pub fn absolute<T: Exact>(x: &T, y: &T) -> Truth {
    Truth::Plain((x.exact() - y.exact()).abs())
}

/// The L1 distance.
pub fn l1<T: Exact>(x: &Vec<T>, y: &Vec<T>) -> Truth {
    Truth::Plain(differences(x, y).into_iter().sum())
}

/// The L2 distance.
pub fn l2<T: Exact>(x: &Vec<T>, y: &Vec<T>) -> Truth {
    Truth::Squared(differences(x, y).into_iter().map(Rational::square).sum())
}

/// The greatest difference.
pub fn linf<T: Exact>(x: &Vec<T>, y: &Vec<T>) -> Truth {
    Truth::Plain(differences(x, y).into_iter().max().unwrap_or_default())
}

/// The greatest rise plus the greatest fall.
pub fn linf_monotonic<T: Exact>(x: &Vec<T>, y: &Vec<T>) -> Truth {
    let greatest = |x: &Vec<T>, y: &Vec<T>| {
        let rises = x.iter().zip(y).map(|(x, y)| y.exact() - x.exact());
        rises.max().unwrap_or_default().max(Rational::new())
    };
    Truth::Plain(greatest(x, y) + greatest(y, x))
}
