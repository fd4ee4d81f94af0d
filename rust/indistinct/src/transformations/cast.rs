//! `make_cast`: converts values to another type, or to `None`.

mod castable;

use super::row_by_row::on_last_part;
use crate::{
    core::{Domain, Fallible, MetricSpace, Transformation, require},
    domains::{AtomDomain, NullDomain, OptionDomain, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
pub use castable::Castable;
use indistinct_derive::constructor;

/// Converts each value to another type, or to `None` if that fails.
///
/// Follow it with [`make_impute_constant`](super::make_impute_constant) for a default, or with
/// [`make_drop_null`](super::make_drop_null). No row can make a release fail. In rows that are pairs, it applies to the
/// last part.
///
/// | from | to | value |
/// |---|---|---|
/// | number | number | the nearest number, ties to even; `None` if an integer type cannot represent it |
/// | text | number, Boolean | as Rust's `parse` reads it, without spaces; `None` for `NaN` |
/// | number, Boolean | text | as Rust's `to_string` writes it; -0.0 as 0, an `f32` as the equal `f64` |
/// | Boolean | number | 1 or 0 |
/// | number | Boolean | true for 1 and false for 0; `None` for all other numbers |
///
/// Nulls stay nulls: NaN becomes `None`.
///
/// # Parameters
///
/// - `to`: the domain of the new values. A value outside becomes `None`, so this step can also check bounds.
///
/// # Stability
///
/// `d_out = d_in`: equal rows have equal images.
///
/// # Errors
///
/// Returns an error if the domain `to` allows NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let ages = (space >> then_cast(AtomDomain::u8().with_bounds((0, 120))?))?;
/// let texts = ["37", "many", "", "121"].map(String::from);
/// assert_eq!(ages.invoke(&texts)?, [Some(37), None, None, None]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("with_columns casts columns in plans"))]
pub fn make_cast<D, N, S, T, M>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    to: AtomDomain<T>,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<OptionDomain<AtomDomain<T>>>>, M, M>>
where
    D: RowDomain<Last = N>,
    N: NullDomain<Present = AtomDomain<S>>,
    S: Castable,
    T: Castable,
    M: RowByRowMetric,
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<OptionDomain<AtomDomain<T>>>>, M): MetricSpace,
{
    require(!to.has_nan(), "to", "must not allow NaN, which becomes `None`")?;
    on_last_part((input_domain, input_metric), OptionDomain::new(to.clone()), move |row: &N::Carrier| {
        N::value(row).and_then(S::cast).filter(|value| to.member(value))
    })
}

#[cfg(test)]
mod tests {
    use crate::{numeric::RoundedFrom, prelude::*};
    use proptest::prelude::*;

    fn cast<S: super::Castable, T: super::Castable>(value: S) -> Option<T> {
        let cast =
            make_cast(VectorDomain::new(AtomDomain::<S>::new().with_nan()), SymmetricDistance, AtomDomain::<T>::new());
        cast.unwrap().invoke(&[value]).unwrap().pop().unwrap()
    }

    fn text(text: &str) -> String {
        text.into()
    }

    #[test]
    fn numbers_round_to_the_nearest_or_are_none() {
        for (x, y) in
            [(2.5, Some(2)), (3.5, Some(4)), (-0.5, Some(0)), (127.4, Some(127)), (127.5, None), (-128.5, Some(-128))]
        {
            assert_eq!(cast::<f64, i8>(x), y, "{x}");
        }
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 2f64.powi(127)] {
            assert_eq!((cast::<f64, i64>(x), cast::<f64, i128>(x)), (None, None), "{x}");
        }
        assert_eq!(
            (cast::<f64, u64>(2f64.powi(64)), cast::<f64, u64>(2f64.powi(64).next_down())),
            (None, Some(u64::MAX - 2047))
        );
        assert_eq!((cast::<f64, i64>(-2f64.powi(63)), cast::<f64, u8>(-0.4)), (Some(i64::MIN), Some(0)));
        assert_eq!(cast::<f64, i128>(-2f64.powi(126)), Some(-(1 << 126)));
        assert_eq!(
            (cast::<f64, f32>(0.1), cast::<f64, f32>(1e300), cast::<f64, f32>(f64::INFINITY)),
            (Some(0.1), Some(f32::INFINITY), Some(f32::INFINITY))
        );
        assert_eq!(
            (cast::<u64, f64>(u64::MAX), cast::<i64, f64>(-(1 << 53) - 1)),
            (Some(2f64.powi(64)), Some(-2f64.powi(53)))
        );
        assert_eq!((cast::<u64, i64>(1 << 63), cast::<i64, u8>(-1), cast::<i128, i64>(-3)), (None, None, Some(-3)));
    }

    #[test]
    fn texts_and_truth_values() {
        assert_eq!((cast::<_, f64>(text("1e400")), cast::<_, f64>(text("NaN"))), (Some(f64::INFINITY), None));
        assert_eq!(
            (cast::<_, i32>(text("-7")), cast::<_, i32>(text(" 7")), cast::<_, i32>(text("7.0"))),
            (Some(-7), None, None)
        );
        assert_eq!((cast::<_, bool>(text("true")), cast::<_, bool>(text("1"))), (Some(true), None));
        assert_eq!(
            (cast::<_, String>(-0.0), cast::<_, String>(0.0), cast::<_, String>(f64::NAN)),
            (Some(text("0")), Some(text("0")), None)
        );
        assert_eq!(
            (cast::<_, String>(1.5f32), cast::<_, String>(true), cast::<_, String>(-3i8)),
            (Some(text("1.5")), Some(text("true")), Some(text("-3")))
        );
        assert_eq!(
            (cast::<_, i8>(true), cast::<_, f64>(false), cast::<_, bool>(1u8), cast::<_, bool>(2u8)),
            (Some(1), Some(0.0), Some(true), None)
        );
        assert_eq!(
            (cast::<_, bool>(-0.0), cast::<_, bool>(0.5), cast::<_, bool>(1.0)),
            (Some(false), None, Some(true))
        );
    }

    #[test]
    fn nulls_and_what_lies_outside_are_none() {
        let rows =
            VectorDomain::new(PairDomain::new(AtomDomain::u32(), OptionDomain::new(AtomDomain::f64().with_nan())));
        let to = AtomDomain::i32().with_bounds((0, 9)).unwrap();
        let cast = make_cast(rows.clone(), SymmetricIdDistance, to).unwrap();
        let data = [(1, None), (2, Some(f64::NAN)), (3, Some(9.4)), (4, Some(9.6))];
        assert_eq!(cast.invoke(&data), Ok(vec![(1, None), (2, None), (3, Some(9)), (4, None)]));
        let error = make_cast(rows, SymmetricIdDistance, AtomDomain::f64().with_nan()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("to"));
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_exact_rounding(bits in any::<u64>(), integer in any::<i64>(), wide in any::<i128>(), shift in 0u32..128) {
            let (x, wide) = (f64::from_bits(bits), wide >> shift);
            prop_assert_eq!(cast::<f64, i64>(x), i64::nearest_from(&x).ok());
            prop_assert_eq!(cast::<f64, u64>(x), u64::nearest_from(&x).ok());
            prop_assert_eq!(cast::<f64, i128>(x / 1e200), i128::nearest_from(&(x / 1e200)).ok());
            prop_assert_eq!(cast::<f64, f32>(x), f32::nearest_from(&x).ok());
            prop_assert_eq!(cast::<i64, f64>(integer), f64::nearest_from(&integer).ok());
            prop_assert_eq!(cast::<i128, f64>(wide), f64::nearest_from(&wide).ok());
            prop_assert_eq!(cast::<i128, f32>(wide), f32::nearest_from(&wide).ok());
            prop_assert_eq!(cast::<f64, f64>(cast::<_, String>(x).unwrap_or_default().parse().unwrap_or(f64::NAN)), Some(x).filter(|x| !x.is_nan()));
        }
    }

    #[test]
    fn wide_floats_are_cast_digit_by_digit() {
        for exponent in 50..63u32 {
            for more in [0i64, 1, 2, 3] {
                let integer = (1i64 << exponent) + (more << exponent.saturating_sub(52)) + (more << (exponent - 20));
                for integer in [integer, -integer] {
                    let float = f64::nearest_from(&integer).unwrap();
                    assert_eq!((cast::<f64, i64>(float), cast::<i64, f64>(integer)), (Some(integer), Some(float)));
                }
            }
        }
        assert_eq!(cast::<f64, i64>(-2f64.powi(63)), Some(i64::MIN));
    }

    /// The domain of the images has no NaN.
    #[test]
    fn text_is_a_number_or_none() {
        assert_eq!((cast::<_, f32>(text("-0.5")), cast::<_, f64>(text("1e3"))), (Some(-0.5), Some(1000.0)));
        assert_eq!((cast::<_, f32>(text("NaN")), cast::<_, f64>(text("nan"))), (None, None));
    }
}
