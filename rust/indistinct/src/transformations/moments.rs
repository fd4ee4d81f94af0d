//! The common parts of means, variances and covariances: a known number of rows, exact totals, and a grid for
//! fractions.

use super::sum::{Summable, Total};
use crate::{
    core::{Domain, Error, Fallible, Function, Metric, StabilityMap, Stored, require},
    domains::VectorDomain,
    metrics::{RowChange, SensitivityMetric, moved},
};
use indistinct_numeric::{
    Dyadic, ExactDot, RoundedArithmetic, RoundedFrom, ToExtended,
    gmp::{Integer, Rational},
};

/// Returns the known number of rows, or an error if it is unknown or below `least`.
pub(super) fn known_size<D: Domain>(rows: &VectorDomain<D>, least: usize) -> Fallible<usize> {
    let rule = "the number of rows must be known: resize them first, or divide a noisy sum by a noisy count";
    let size = rows.size().ok_or_else(|| Error::parameter("input_domain", rule))?;
    require(size >= least, "input_domain", "there must be a row, and for a variance two")?;
    Ok(size)
}

/// Returns the map of a statistic that changes by at most `step` when a row is replaced, on datasets of known size.
pub(super) fn map_of_replacements<M: Metric<Distance = u32>, MO: SensitivityMetric<Distance = f64>>(
    unit: RowChange,
    step: f64,
) -> StabilityMap<M, MO> {
    StabilityMap::new(move |&d_in: &u32| match unit {
        RowChange::Replace => moved(d_in, step),
        // As many rows come as go.
        RowChange::AddOrRemove => moved(d_in / 2, step),
    })
}

/// Returns `step / number`, rounded up.
pub(super) fn per(step: f64, number: usize) -> Fallible<f64> {
    Ok(step.inf_div(f64::neg_inf_from(&number)?)?)
}

/// Returns `step (number - 1) / number`, rounded up.
pub(super) fn share_of_others(step: f64, number: usize) -> Fallible<f64> {
    if number <= 1 {
        return Ok(0.0);
    }
    Ok(step.inf_mul(per(f64::inf_from(&(number - 1))?, number)?.min(1.0))?)
}

/// Returns the nearest multiple of 2^-1074, the unit of f64.
///
/// All distances in f64 are multiples of this unit. So the nearest multiples of two fractions are no further apart than
/// a distance that bounds the fractions, because rounding keeps order and commutes with adding a multiple.
pub(super) fn on_grid(fraction: &Rational) -> Fallible<Dyadic> {
    const GRID: i32 = -1074;
    let units: Rational = fraction.clone() << GRID.abs();
    let nearest = Rational::from((units + Rational::from((1, 2))).floor_ref());
    Ok(Dyadic::from_gmp(Integer::exact_from(&nearest)?, GRID)?)
}

/// Returns the number as a fraction.
pub(super) fn fraction(number: &impl ToExtended) -> Fallible<Rational> {
    Ok(Rational::exact_from(number)?)
}

/// Returns `sum of (x - mean of x) (y - mean of y)`, exactly, from the number of pairs, the sums and the sum of
/// products.
fn deviations(number: usize, (x, y): (&Rational, &Rational), products: &Rational) -> Rational {
    if number == 0 { Rational::new() } else { products - Rational::from(x * y) / number }
}

/// Numbers whose products have an exact sum.
pub trait Multipliable: Summable {
    /// Adds a product. Returns an error, and adds nothing, if a factor is not finite.
    #[doc(hidden)]
    fn add_product(self, other: Self, products: &mut ExactDot) -> Fallible<()>;
}

macro_rules! multipliable {
    ($($number:ty: $add:ident),+ $(,)?) => {$(
        impl Multipliable for $number {
            fn add_product(self, other: Self, products: &mut ExactDot) -> Fallible<()> {
                Ok(products.$add(self.into(), other.into())?)
            }
        }
    )+};
}

multipliable!(i8: add_integers, i16: add_integers, i32: add_integers, i64: add_integers);
multipliable!(u8: add_integers, u16: add_integers, u32: add_integers, u64: add_integers);
multipliable!(f32: add, f64: add);

/// The sums over rows of several columns: the sum of each column, and of its products with itself and with each later
/// one.
pub(super) struct Moments<T: Multipliable> {
    sums: Vec<T::Total>,
    products: Vec<ExactDot>,
}

impl<T: Multipliable> Stored for Moments<T> {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.sums.write(bytes)?;
        self.products.write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.sums.read(bytes)?;
        self.products.read(bytes)
    }
}

impl<T: Multipliable> Moments<T> {
    /// Makes the sums of no rows.
    pub(super) fn new(columns: usize) -> Self {
        let pairs = (1..=columns).sum();
        let sums = std::iter::repeat_with(T::Total::default).take(columns).collect();
        Self { sums, products: vec![ExactDot::new(); pairs] }
    }

    /// Adds rows, given as columns.
    pub(super) fn absorb(&mut self, columns: &[impl AsRef<[T]>]) -> Fallible<()> {
        for (sum, column) in self.sums.iter_mut().zip(columns) {
            sum.absorb(column.as_ref())?;
        }
        let pairs = columns.iter().enumerate().flat_map(|(at, x)| columns.iter().skip(at).map(move |y| (x, y)));
        for (products, (x, y)) in self.products.iter_mut().zip(pairs) {
            for (x, y) in x.as_ref().iter().zip(y.as_ref()) {
                x.add_product(*y, products)?;
            }
        }
        Ok(())
    }

    /// Adds the sums of other rows.
    pub(super) fn merge(&mut self, others: Self) -> Fallible<()> {
        self.sums.iter_mut().zip(others.sums).try_for_each(|(sum, other)| sum.merge(other))?;
        self.products.iter_mut().zip(&others.products).try_for_each(|(sum, other)| Ok(sum.merge(other)?))
    }

    /// Returns, for each pair of columns, the exact sum of the products of their deviations from the mean, given the
    /// number of rows.
    pub(super) fn deviations(self, number: usize) -> Fallible<Vec<Rational>> {
        let sums = self.sums.into_iter().map(|sum| fraction(&sum.finish()?)).collect::<Fallible<Vec<_>>>()?;
        let pairs = sums.iter().enumerate().flat_map(|(at, x)| sums.iter().skip(at).map(move |y| (x, y)));
        let of_pair =
            |(products, pair): (&ExactDot, _)| Ok(deviations(number, pair, &products.total()?.to_gmp_rational()));
        self.products.iter().zip(pairs).map(of_pair).collect()
    }
}

/// Makes a statistic from the sum of squared deviations from the mean.
pub(super) fn of_squared_deviations<T: Multipliable>(
    size: usize,
    statistic: impl Fn(Rational) -> Rational + Send + Sync + 'static,
) -> Function<[T], Dyadic> {
    Function::fold(
        || Moments::new(1),
        |moments: &mut Moments<T>, rows: &[T]| moments.absorb(&[rows]),
        Moments::merge,
        move |moments| on_grid(&statistic(moments.deviations(size)?.pop().unwrap_or_default())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{covers, sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Numbers of rows that no float is, too.
        #[test]
        fn shares_are_rounded_up(step in sizes(-3, 3), number in prop_oneof![2usize..1000, any::<usize>().prop_map(|n| n.max(2))]) {
            let exact = Rational::from_f64(step).unwrap() / number;
            prop_assert!(covers(per(step, number).unwrap(), exact.clone()));
            prop_assert!(covers(share_of_others(step, number).unwrap(), exact * (number - 1)));
        }
    }

    #[test]
    fn fractions_end_on_the_grid_and_keep_their_distances() {
        let unit = Rational::from(1) >> 1074u32;
        let third = Rational::from((1, 3));
        for (fraction, units) in [
            (Rational::from((1, 2)), 1),
            (Rational::from((-1, 2)), 0),
            (third.clone(), 0),
            (-third, 0),
            (Rational::from((3, 2)), 2),
            (Rational::from((-3, 2)), -1),
        ] {
            assert_eq!(on_grid(&(fraction * &unit)).unwrap().to_gmp_rational(), Rational::from(units) * &unit);
        }
        let large = Rational::from((1, 3)) << 2000u32;
        assert!((on_grid(&large).unwrap().to_gmp_rational() - large).abs() <= unit);
    }

    #[test]
    fn deviations_are_those_of_the_definition() {
        let rows = [1e16, 1.0, -3.0, 0.1];
        let exact: Vec<Rational> = rows.iter().map(|x| Rational::from_f64(*x).unwrap()).collect();
        let mean: Rational = exact.iter().sum::<Rational>() / 4u32;
        let truth: Rational = exact.iter().map(|x| Rational::from(x - &mean).square()).sum();
        assert_eq!(squared_deviations(&rows), truth);
        assert_eq!(squared_deviations(&[u64::MAX, 0]), Rational::from(u64::MAX).square() / 2u32);
        assert_eq!(squared_deviations::<f64>(&[]), 0);
    }

    /// In two parts.
    fn squared_deviations<T: Multipliable>(rows: &[T]) -> Rational {
        let (left, right) = rows.split_at(rows.len() / 2);
        let (mut moments, mut others) = (Moments::new(1), Moments::new(1));
        moments.absorb(&[left]).unwrap();
        others.absorb(&[right]).unwrap();
        moments.merge(others).unwrap();
        moments.deviations(rows.len()).unwrap().pop().unwrap()
    }

    #[test]
    fn integers_have_products_too() {
        fn check<T: Multipliable>(rows: &[T]) {
            let mut moments = Moments::new(1);
            moments.absorb(&[rows]).unwrap();
            // The mean of -1, 0, 1 and 4 is 1.
            assert_eq!(moments.deviations(rows.len()).unwrap(), [Rational::from(14)]);
        }
        check(&[-1i8, 0, 1, 4]);
        check(&[99u64, 100, 101, 104]);
        check(&[-1f32, 0.0, 1.0, 4.0]);
    }
}
