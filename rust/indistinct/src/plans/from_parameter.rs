//! Parameters as the types that constructors take.

use crate::{
    core::{FromParameter, Parameter, Read, ToParameter, Unreadable},
    frames::{ColumnDomain, Expr, PerIndividual, UnmatchedRows},
    measurements::Scale,
    measures::{GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RangeDivergence, ZeroConcentratedDivergence},
    metrics::{L1Distance, L01InfDistance, L2Distance, L02InfDistance, LInfDistance},
    numeric::RoundedFrom,
};
use std::str::FromStr;

fn expected<T>(what: &str, parameter: &Parameter) -> Read<T> {
    let kind = if matches!(parameter, Parameter::Text(_)) { "the text " } else { "" };
    Err(Unreadable::here(format!("expected {what}, not {kind}{parameter}")))
}

macro_rules! integers {
    ($($integer:ty),+) => {$(
        /// Beyond 64 bits as text.
        impl FromParameter for $integer {
            fn from_parameter(parameter: &Parameter) -> Read<Self> {
                let value = match parameter {
                    Parameter::Integer(value) => <$integer>::try_from(*value).ok(),
                    Parameter::Text(digits) => digits.parse().ok().filter(|value: &$integer| value.to_parameter() == *parameter),
                    _ => None,
                };
                let range = format!("a whole number from {} to {}", <$integer>::MIN, <$integer>::MAX);
                value.map_or_else(|| expected(&range, parameter), Ok)
            }
        }
    )+};
}

integers!(i32, i64, i128, u32, usize);

/// Whole numbers are floats, too, where they are one.
impl FromParameter for f64 {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        match parameter {
            Parameter::Float(value) => Ok(*value),
            Parameter::Integer(value) => f64::exact_from(value)
                .or_else(|_| expected("a number that a 64-bit float represents exactly", parameter)),
            _ => expected("a number", parameter),
        }
    }
}

impl FromParameter for bool {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        match parameter {
            Parameter::Bool(value) => Ok(*value),
            _ => expected("true or false", parameter),
        }
    }
}

fn text(parameter: &Parameter) -> Read<&str> {
    match parameter {
        Parameter::Text(text) => Ok(text),
        _ => expected("text", parameter),
    }
}

impl FromParameter for String {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        Ok(text(parameter)?.to_owned())
    }
}

fn list(parameter: &Parameter) -> Read<&[Parameter]> {
    match parameter {
        Parameter::List(values) => Ok(values),
        _ => expected("a list", parameter),
    }
}

fn element<T: FromParameter>(values: &[Parameter], index: usize) -> Read<T> {
    let Some(value) = values.get(index) else {
        return Err(Unreadable::here(format!("has only {} values, but at least one more is needed", values.len())));
    };
    T::from_parameter(value).map_err(|error| error.at(index))
}

impl<T: FromParameter> FromParameter for Vec<T> {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        let values = list(parameter)?;
        (0..values.len()).map(|index| element(values, index)).collect()
    }
}

impl<A: FromParameter, B: FromParameter> FromParameter for (A, B) {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        match list(parameter)? {
            values @ [_, _] => Ok((element(values, 0)?, element(values, 1)?)),
            values => Err(Unreadable::here(format!("expected a pair, not {} values", values.len()))),
        }
    }
}

/// A value that would itself read as nothing stands in one more list.
impl<T: FromParameter> FromParameter for Option<T> {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        fn is_nothing(value: &Parameter) -> bool {
            match value {
                Parameter::None => true,
                Parameter::List(values) => matches!(values.as_slice(), [value] if is_nothing(value)),
                _ => false,
            }
        }
        match parameter {
            Parameter::None => Ok(None),
            Parameter::List(values) if is_nothing(parameter) => Ok(Some(element(values, 0)?)),
            value => Ok(Some(T::from_parameter(value)?)),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// A number, or a number and a grid: `[0.5, "grid 2^-10"]`.
impl FromParameter for Scale {
    fn from_parameter(parameter: &Parameter) -> Read<Self> {
        let Parameter::List(_) = parameter else { return Ok(Scale::new(f64::from_parameter(parameter)?)) };
        let (value, grid) = <(f64, String)>::from_parameter(parameter)?;
        let exponent = grid.strip_prefix("grid 2^").and_then(|exponent| exponent.parse().ok());
        let rule = || Unreadable::here("a grid must be written as \"grid 2^-10\"").at(1);
        exponent.map(|exponent| Scale::new(value).on_grid(exponent)).ok_or_else(rule)
    }
}

/// Types that read their own text.
macro_rules! by_text {
    ($($type:ty),+) => {$(
        impl FromParameter for $type {
            fn from_parameter(parameter: &Parameter) -> Read<Self> {
                <$type>::from_str(text(parameter)?).map_err(|error| Unreadable::here(error.message()))
            }
        }
    )+};
}

by_text!(ColumnDomain, Expr, PerIndividual, UnmatchedRows);

/// Types of few values, each known by what a plan says of it.
macro_rules! one_of {
    ($($type:ty: $($value:expr),+;)+) => {$(
        impl FromParameter for $type {
            fn from_parameter(parameter: &Parameter) -> Read<Self> {
                let values: [$type; _] = [$($value),+];
                let names = values.each_ref().map(|value| value.to_parameter().to_string());
                let found = values.into_iter().find(|value| value.to_parameter() == *parameter);
                found.map_or_else(|| expected(&names.join(" or "), parameter), Ok)
            }
        }
    )+};
}

one_of! {
    L1Distance: L1Distance::new();
    L2Distance: L2Distance::new();
    LInfDistance: LInfDistance::new(), LInfDistance::monotonic();
    L01InfDistance: L01InfDistance;
    L02InfDistance: L02InfDistance;
    MaxDivergence: MaxDivergence;
    RangeDivergence: RangeDivergence;
    ZeroConcentratedDivergence: ZeroConcentratedDivergence;
    GaussianDivergence: GaussianDivergence;
    PrivacyLossDivergence: PrivacyLossDivergence;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    #[track_caller]
    fn read<T: FromParameter + ToParameter + PartialEq + Debug>(values: impl IntoIterator<Item = T>) {
        for value in values {
            assert_eq!(T::from_parameter(&value.to_parameter()).as_ref(), Ok(&value));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        read([0, 1, i128::from(i64::MAX), i128::from(i64::MAX) + 1, i128::MIN]);
        read([usize::MAX, 0]);
        read([0.0, 0.1, 5e-324, f64::MAX, f64::INFINITY]);
        read([None, Some(None), Some(Some(1i64))]);
        read([Some(Some(None)), Some(None), None, Some(Some(Some(vec![1i64])))]);
        read([(vec!["none".to_owned(), String::new()], Some(true)), (vec![], None)]);
        read([Scale::new(0.1), Scale::new(3.0).on_grid(-1074)]);
        read([LInfDistance::new(), LInfDistance::monotonic()]);
    }

    #[test]
    fn what_is_no_value_of_the_type_is_told_with_its_place() {
        let told = |error: Unreadable| (error.path, error.rule);
        let list = vec![vec![Some(1.5)], vec![None, Some(2.0)]].to_parameter();
        let error = Vec::<Vec<Option<u32>>>::from_parameter(&list).map_err(told);
        let rule = "expected a whole number from 0 to 4294967295, not 1.5".to_owned();
        assert_eq!(error, Err(("[0][0]".to_owned(), rule)));
        for (digits, is_read) in [("9223372036854775808", true), ("1", false), ("+9223372036854775808", false)] {
            assert_eq!(i128::from_parameter(&Parameter::Text(digits.into())).is_ok(), is_read, "{digits}");
        }
        assert_eq!(f64::from_parameter(&Parameter::Integer(1 << 60)), Ok(2f64.powi(60)));
        assert!(f64::from_parameter(&Parameter::Integer((1 << 60) + 1)).is_err());
        assert!(Scale::from_parameter(&(1.0, "grid -10").to_parameter()).is_err());
    }
}
