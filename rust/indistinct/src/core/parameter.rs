//! What a constructor was given, as a plan stores it.

use indistinct_numeric::{Dyadic, Rounding};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a parameter, as it is stored in a plan.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(untagged))]
pub enum Parameter {
    /// Nothing.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A finite float.
    Float(f64),
    /// Text; also integers beyond 64 bits and numbers that are not finite.
    Text(String),
    /// Several values.
    List(Vec<Parameter>),
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Parameter::None => f.write_str("none"),
            Parameter::Bool(value) => value.fmt(f),
            Parameter::Integer(value) => value.fmt(f),
            Parameter::Float(value) => write!(f, "{value:?}"),
            Parameter::Text(value) if is_word(value) => value.fmt(f),
            Parameter::Text(value) => write!(f, "{value:?}"),
            Parameter::List(values) => {
                let text = |value: &Parameter| match value {
                    // So that one text differs from two, and none from an empty one.
                    Parameter::Text(value) => format!("{value:?}"),
                    other => other.to_string(),
                };
                match values.as_slice() {
                    [first, .., last] if values.len() > MAX_LISTED => {
                        write!(f, "[{}, .., {}; {} values]", text(first), text(last), values.len())
                    }
                    values => write!(f, "[{}]", values.iter().map(text).collect::<Vec<_>>().join(", ")),
                }
            }
        }
    }
}

/// The most values of a list that are printed one by one.
const MAX_LISTED: usize = 8;

/// Whether a text may stand without quotes: names of types, numbers, fractions; nothing that could pass for another
/// parameter or another line.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.+/^<>".contains(c))
}

/// Types that may be parameters of a constructor.
///
/// Promise: two values of one type have the same parameter only if constructors make the same of them.
pub trait ToParameter {
    /// The value as it is stored in a plan.
    fn to_parameter(&self) -> Parameter;
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl ToParameter for $integer {
            fn to_parameter(&self) -> Parameter {
                i64::try_from(*self).map_or_else(|_| Parameter::Text(self.to_string()), Parameter::Integer)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// -0.0 is 0.0: equal plans are written alike.
impl ToParameter for f64 {
    fn to_parameter(&self) -> Parameter {
        if self.is_finite() { Parameter::Float(*self + 0.0) } else { Parameter::Text(self.to_string()) }
    }
}

impl ToParameter for f32 {
    fn to_parameter(&self) -> Parameter {
        f64::from(*self).to_parameter()
    }
}

/// As the float, where it is one.
impl ToParameter for Dyadic {
    fn to_parameter(&self) -> Parameter {
        self.to_f64_rounded(Rounding::Exact).map_or_else(|_| format!("{self:?}").to_parameter(), |x| x.to_parameter())
    }
}

impl ToParameter for bool {
    fn to_parameter(&self) -> Parameter {
        Parameter::Bool(*self)
    }
}

impl ToParameter for &str {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text((*self).into())
    }
}

impl ToParameter for String {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text(self.clone())
    }
}

impl<A: ToParameter, B: ToParameter> ToParameter for (A, B) {
    fn to_parameter(&self) -> Parameter {
        Parameter::List(vec![self.0.to_parameter(), self.1.to_parameter()])
    }
}

/// Nothing where there is none; a value that would itself read as nothing, in a list or in none, stands in one more
/// list.
impl<T: ToParameter> ToParameter for Option<T> {
    fn to_parameter(&self) -> Parameter {
        fn is_nothing(value: &Parameter) -> bool {
            match value {
                Parameter::None => true,
                Parameter::List(values) => matches!(values.as_slice(), [value] if is_nothing(value)),
                _ => false,
            }
        }
        let Some(value) = self else { return Parameter::None };
        match value.to_parameter() {
            nothing if is_nothing(&nothing) => Parameter::List(vec![nothing]),
            value => value,
        }
    }
}

impl<T: ToParameter> ToParameter for Vec<T> {
    fn to_parameter(&self) -> Parameter {
        Parameter::List(self.iter().map(T::to_parameter).collect())
    }
}

/// A parameter that is recorded as its own `Debug` text, such as a domain or a metric, which includes its types.
macro_rules! parameter_by_debug {
    ($(($($generics:tt)*) $type:ty),+ $(,)?) => {$(
        impl<$($generics)*> crate::core::ToParameter for $type {
            fn to_parameter(&self) -> crate::core::Parameter {
                crate::core::Parameter::Text(format!("{self:?}"))
            }
        }
    )+};
}
pub(crate) use parameter_by_debug;

#[cfg(test)]
mod tests {
    use super::*;

    /// What a caller names can pass for nothing else: no other list, no other parameter, no step of its own.
    #[test]
    fn texts_are_quoted_and_long_lists_shortened() {
        let text = |value: &dyn Fn() -> Parameter| value().to_string();
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>().to_parameter();
        assert_eq!(text(&|| list(&["Z99, other", "a"])), r#"["Z99, other", "a"]"#);
        assert_eq!(text(&|| list(&["Z99", " other", "a"])), r#"["Z99", " other", "a"]"#);
        assert_eq!((text(&|| list(&[""])), text(&|| list(&[]))), (r#"[""]"#.to_owned(), "[]".to_owned()));
        let forged = "a]): 1 row -> epsilon 0.0 [A]\nmake_b(";
        assert!(!text(&|| list(&[forged])).contains('\n') && !text(&|| forged.to_parameter()).contains('\n'));
        for word in ["caller-trusted", "inf", "1/3", "AtomDomain<f64>", "2^70"] {
            assert_eq!(text(&|| word.to_parameter()), word);
        }
        for quoted in ["", "a b", "a,b", "a = b", "a)", "é"] {
            assert_eq!(text(&|| quoted.to_parameter()), format!("{quoted:?}"));
        }
        assert_eq!(text(&|| (1..=8).collect::<Vec<i64>>().to_parameter()), "[1, 2, 3, 4, 5, 6, 7, 8]");
        assert_eq!(text(&|| (1..=24).collect::<Vec<i64>>().to_parameter()), "[1, .., 24; 24 values]");
    }
}
