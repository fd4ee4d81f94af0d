//! `make_sum`: the exact sum of bounded numbers.

use crate::{
    core::{Encoded, Error, ErrorKind, Fallible, Function, StabilityMap, Stored, Transformation},
    domains::{Atom, AtomDomain, Number, VectorDomain, magnitude_and_range},
    metrics::{AbsoluteDistance, RowChange, RowMetric, moved},
};
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, ExactSum};

/// Computes the exact sum of all rows: a [`Dyadic`] for floats, an `i128` for integers.
///
/// The sum is not rounded, so its sensitivity is that of real numbers. It depends neither on the number nor on the
/// order of rows, and the size need not be known.
///
/// # Stability
///
/// For rows from L to U, rounded up: `d_in max(|L|, |U|)` if rows are added or removed, `d_in (U - L)` if they are
/// replaced. If rows are added or removed and the size is known, half of the changes are additions and half are
/// removals: `floor(d_in / 2) (U - L)`.
///
/// # Errors
///
/// Returns an error if rows have no bounds: clamp them first.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = VectorDomain::new(AtomDomain::i64().with_bounds((-2, 10))?);
/// let sum = make_sum(rows, SymmetricDistance)?;
/// assert_eq!(sum.invoke(&[1, 2, 3])?, 6);
/// assert_eq!(sum.map(&1)?, 10.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_sum<T: Summable, M: RowMetric>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
) -> Fallible<Transformation<VectorDomain<AtomDomain<T>>, AtomDomain<T::Sum>, M, AbsoluteDistance>> {
    let bounds = required_bounds(input_domain.element())?;
    let (magnitude, range) = magnitude_and_range(bounds)?;
    let (unit, sized) = (input_metric.unit(), input_domain.size().is_some());
    Transformation::new(
        (input_domain, input_metric),
        (AtomDomain::new(), AbsoluteDistance::new()),
        Function::fold(T::Total::default, T::Total::absorb, T::Total::merge, T::Total::finish),
        StabilityMap::new(move |&d_in: &u32| {
            Ok(match unit {
                RowChange::Replace => moved(d_in, range)?,
                RowChange::AddOrRemove if sized => moved(d_in / 2, range)?,
                RowChange::AddOrRemove => moved(d_in, magnitude)?,
            })
        }),
    )
}

/// Returns the bounds of a domain whose members are summed.
pub(crate) fn required_bounds<T: Atom>(domain: &AtomDomain<T>) -> Fallible<&(T, T)> {
    let rule = "rows must be bounded: clamp them first";
    let bounds = domain.bounds().ok_or_else(|| Error::parameter("input_domain", rule))?;
    crate::core::require(!domain.has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")?;
    Ok(bounds)
}

/// Numbers with an exact sum.
pub trait Summable: Number + Copy {
    /// The type of the sum, wide enough for as many rows as fit in memory.
    type Sum: Number;
    /// The accumulator of the rows seen so far.
    #[doc(hidden)]
    type Total: Total<Self, Sum = Self::Sum>;

    /// Returns the exact sum, or an error if a row is not finite.
    fn sum(rows: &[Self]) -> Fallible<Self::Sum> {
        let mut total = Self::Total::default();
        total.absorb(rows)?;
        total.finish()
    }
}

/// An exact sum of rows that arrive one after another. It does not depend on their order, or on how partial sums are
/// merged.
#[allow(private_bounds)]
#[doc(hidden)]
pub trait Total<T>: Stored + Default + Send + 'static {
    /// The type of the sum.
    type Sum;

    /// Adds rows. Floats are added by the same instructions whatever their values.
    fn absorb(&mut self, rows: &[T]) -> Fallible<()>;
    /// Adds one row to one of many totals, using little memory.
    fn absorb_one(&mut self, row: T) -> Fallible<()>;
    /// Adds another total.
    fn merge(&mut self, other: Self) -> Fallible<()>;
    /// Returns the sum.
    fn finish(self) -> Fallible<Self::Sum>;
}

/// A sum of integers. Fewer than 2^63 rows of 64 bits fit in 127 bits.
#[derive(Default)]
#[doc(hidden)]
pub struct IntegerTotal(i128);

impl IntegerTotal {
    fn add(&mut self, addend: i128) -> Fallible<()> {
        let overflow = || Error::new(ErrorKind::Numeric, "sum: the value does not fit the type");
        self.0 = self.0.checked_add(addend).ok_or_else(overflow)?;
        Ok(())
    }
}

/// A sum of floats.
#[derive(Default)]
#[doc(hidden)]
pub struct FloatTotal(ExactSum);

impl Stored for IntegerTotal {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.0.encode(bytes);
        Ok(())
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.0 = i128::decode(bytes)?;
        Some(())
    }
}

impl Stored for FloatTotal {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.0.write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.0.read(bytes)
    }
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl Summable for $integer {
            type Sum = i128;
            type Total = IntegerTotal;
        }

        impl Total<$integer> for IntegerTotal {
            type Sum = i128;

            fn absorb(&mut self, rows: &[$integer]) -> Fallible<()> {
                rows.iter().try_for_each(|&row| self.add(row.into()))
            }

            fn absorb_one(&mut self, row: $integer) -> Fallible<()> {
                self.add(row.into())
            }

            fn merge(&mut self, other: Self) -> Fallible<()> {
                self.add(other.0)
            }

            fn finish(self) -> Fallible<i128> {
                Ok(self.0)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! impl_floats {
    ($($float:ty),+) => {$(
        impl Summable for $float {
            type Sum = Dyadic;
            type Total = FloatTotal;
        }

        impl Total<$float> for FloatTotal {
            type Sum = Dyadic;

            fn absorb(&mut self, rows: &[$float]) -> Fallible<()> {
                Ok(self.0.add_all(rows)?)
            }

            fn absorb_one(&mut self, row: $float) -> Fallible<()> {
                Ok(self.0.add(row.into())?)
            }

            fn merge(&mut self, other: Self) -> Fallible<()> {
                Ok(self.0.merge(&other.0)?)
            }

            fn finish(self) -> Fallible<Dyadic> {
                Ok(self.0.total()?)
            }
        }
    )+};
}

impl_floats!(f64, f32);

#[cfg(test)]
mod tests {
    use crate::{prelude::*, transformations::Summable};

    fn rows(bounds: (f64, f64)) -> VectorDomain<AtomDomain<f64>> {
        VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap())
    }

    #[test]
    fn sensitivity_by_metric() {
        let bounds = (-3.0, 2.0);
        assert_eq!(make_sum(rows(bounds), SymmetricDistance).unwrap().map(&2), Ok(6.0));
        assert_eq!(make_sum(rows(bounds), InsertDeleteDistance).unwrap().map(&2), Ok(6.0));
        assert_eq!(make_sum(rows(bounds), ChangeOneDistance).unwrap().map(&2), Ok(10.0));
        assert_eq!(make_sum(rows(bounds), HammingDistance).unwrap().map(&1), Ok(5.0));
        let sized = make_sum(rows(bounds).with_size(4), SymmetricDistance).unwrap();
        assert_eq!((sized.map(&1), sized.map(&2), sized.map(&5)), (Ok(0.0), Ok(5.0), Ok(10.0)));
    }

    #[test]
    fn rows_need_bounds() {
        let error = make_sum(VectorDomain::new(AtomDomain::f64()), SymmetricDistance).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }

    #[test]
    fn integers_at_the_ends_of_their_type() {
        let domain = AtomDomain::i64().with_bounds((i64::MIN, i64::MAX)).unwrap();
        let sum = make_sum(VectorDomain::new(domain), SymmetricDistance).unwrap();
        assert_eq!(sum.invoke(&[i64::MIN; 4]), Ok(4 * i128::from(i64::MIN)));
        assert_eq!(sum.map(&1), Ok(2f64.powi(63)));
        let domain = AtomDomain::u64().with_bounds((0, u64::MAX)).unwrap();
        let sum = make_sum(VectorDomain::new(domain), ChangeOneDistance).unwrap();
        assert_eq!(sum.map(&1), Ok(2f64.powi(64)), "2^64 - 1 rounds up");
    }

    #[test]
    fn one_row_changed_by_one_changes_the_sum_by_one() {
        let low = 2f64.powi(50);
        let mut x: Vec<f64> = (0..1024).map(|row| low + f64::from(row % 5) / 4.0).collect();
        let sum = make_sum(rows((low, low + 1.0)), ChangeOneDistance).unwrap();
        x[0] = low;
        let before = sum.invoke(&x).unwrap().to_gmp_rational();
        x[0] = low + 1.0;
        let after = sum.invoke(&x).unwrap().to_gmp_rational();
        assert_eq!(after - before, 1);
        assert_eq!(sum.map(&1), Ok(1.0));
    }

    #[test]
    fn sums_of_every_type_and_of_parts() {
        fn check<T: Summable>(rows: &[T], bounds: (T, T), truth: &T::Sum)
        where
            (AtomDomain<T::Sum>, AbsoluteDistance): MetricSpace,
        {
            let domain = VectorDomain::new(AtomDomain::new().with_bounds(bounds).unwrap());
            let sum = make_sum(domain, SymmetricDistance).unwrap();
            assert_eq!(sum.invoke(rows).unwrap(), *truth);
            let absorbed = |rows: &[T]| sum.aggregate().unwrap().absorb(rows).unwrap();
            let (left, right) = rows.split_at(2);
            assert_eq!(absorbed(left).merge(absorbed(right)).unwrap().finish().unwrap(), *truth);
        }
        check(&[100i8, 100, -1, 3], (-128, 127), &202);
        check(&[u64::MAX, u64::MAX, 1], (0, u64::MAX), &((1i128 << 65) - 1));
        let half = |halves: i32| crate::numeric::Dyadic::new(halves, -1).unwrap();
        check(&[1.5f32, -0.5, 2.0], (-4.0, 4.0), &half(6));
        check(&[1.5f64, -0.5, 2.0], (-4.0, 4.0), &half(6));
    }
}
