//! The arguments of a constructor, as a plan stores them.

use indistinct_numeric::{Dyadic, Rounding};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a parameter, as it is stored in a plan.
///
/// A float is stored as text, `{"float": "0.1"}`, in the shortest form that is read back as the same float. So no
/// format and no parser rounds it, and it is distinct from a text that looks like a number.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use indistinct::core::{Parameter, ToParameter};
/// let text = serde_json::to_string(&0.1.to_parameter()).unwrap();
/// assert_eq!(text, r#"{"float":"0.1"}"#);
/// assert_eq!(serde_json::from_str::<Parameter>(&text).unwrap(), Parameter::Float(0.1));
/// # }
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(untagged))]
#[non_exhaustive]
pub enum Parameter {
    /// No value.
    None,
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A float. All NaN are equal, and so are -0.0 and 0.0.
    Float(#[cfg_attr(feature = "serde", serde(with = "as_text"))] f64),
    /// Text, or an integer beyond 64 bits.
    Text(String),
    /// Several values.
    List(Vec<Parameter>),
}

impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Parameter::None, Parameter::None) => true,
            (Parameter::Bool(x), Parameter::Bool(y)) => x == y,
            (Parameter::Integer(x), Parameter::Integer(y)) => x == y,
            (Parameter::Float(x), Parameter::Float(y)) => x == y || (x.is_nan() && y.is_nan()),
            (Parameter::Text(x), Parameter::Text(y)) => x == y,
            (Parameter::List(x), Parameter::List(y)) => x == y,
            _ => false,
        }
    }
}

/// Stores a float as a map with one entry, its text.
#[cfg(feature = "serde")]
mod as_text {
    use indistinct_numeric::read_float;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::collections::BTreeMap;

    const NAME: &str = "float";

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(NAME, format!("{value:?}"))])
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let entries = BTreeMap::<String, String>::deserialize(deserializer)?;
        match (entries.len(), entries.get(NAME)) {
            (1, Some(text)) => read_float(text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a float"))),
            _ => Err(D::Error::custom("a float must be a map with one entry: the number as text")),
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Parameter::None => f.write_str("none"),
            Parameter::Bool(value) => value.fmt(f),
            Parameter::Integer(value) => value.fmt(f),
            Parameter::Float(value) => write!(f, "{value:?}"),
            Parameter::Text(value) if is_word(value) => value.fmt(f),
            Parameter::Text(value) => f.write_str(&quoted(value)),
            Parameter::List(values) => {
                let text = |value: &Parameter| match value {
                    // So that one text differs from two, and none from an empty one.
                    Parameter::Text(value) => quoted(value),
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

/// The maximum number of values of a list that are printed one by one.
const MAX_LISTED: usize = 8;
/// The maximum number of characters of a text that are printed. Three quarters of them come from the beginning of a
/// longer text.
const MAX_CHARACTERS: usize = 400;

/// Quotes a text, so that it cannot be mistaken for another value. Only the ends of a long text are printed.
fn quoted(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_CHARACTERS {
        return format!("{text:?}");
    }
    let first: String = text.chars().take(MAX_CHARACTERS / 4 * 3).collect();
    let last: String = text.chars().skip(length - MAX_CHARACTERS / 4).collect();
    format!("{first:?} .. {last:?}; {length} characters")
}

/// Returns true if a text can be printed without quotes: names of types, numbers and fractions, which cannot be
/// mistaken for another parameter or another line.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.+/^<>".contains(c))
}

/// Types that may be parameters of a constructor.
///
/// Promise: two values of one type have the same parameter only if constructors treat them alike.
pub trait ToParameter {
    /// Returns the value as a plan stores it.
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

/// -0.0 is stored as 0.0, so that equal plans have equal text.
impl ToParameter for f64 {
    fn to_parameter(&self) -> Parameter {
        Parameter::Float(*self + 0.0)
    }
}

impl ToParameter for f32 {
    fn to_parameter(&self) -> Parameter {
        f64::from(*self).to_parameter()
    }
}

/// Stored as a float if it is one.
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

/// `None` is stored as `Parameter::None`. A value that would itself be stored so is wrapped in a list.
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

/// Records a parameter as its `Debug` text, such as a domain or a metric, including its types.
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
        let long = |length: usize| format!("{}{}", "é ".repeat(150), "x".repeat(length - 300));
        assert_eq!(text(&|| long(400).to_parameter()), format!("{:?}", long(400)));
        let shortened = format!("{:?} .. {:?}; 401 characters", "é ".repeat(150), "x".repeat(100));
        assert_eq!(text(&|| long(401).to_parameter()), shortened);
        assert_eq!(text(&|| list(&[&long(401), "a"])), format!("[{shortened}, \"a\"]"));
        assert_eq!(text(&|| (1..=24).collect::<Vec<i64>>().to_parameter()), "[1, .., 24; 24 values]");
    }

    #[cfg(feature = "serde")]
    fn stored(value: &Parameter) -> Parameter {
        serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
    }

    #[cfg(feature = "serde")]
    fn bits(value: &Parameter) -> u64 {
        let Parameter::Float(value) = value else { panic!("{value:?}") };
        value.to_bits()
    }

    /// The digits are a text, because a parser of JSON may round numbers, as this one does without its feature
    /// `float_roundtrip`.
    #[test]
    #[cfg(feature = "serde")]
    fn floats_are_read_as_they_were_written() {
        assert_eq!(serde_json::to_string(&Parameter::Float(1.2e-306)).unwrap(), r#"{"float":"1.2e-306"}"#);
        let ends = [0.0, 5e-324, f64::MIN_POSITIVE.next_down(), f64::MIN_POSITIVE, 0.1, 1.0 / 3.0, 1e22, 1e23];
        let ends = ends.into_iter().chain([9_007_199_254_740_993.0, f64::MAX, f64::INFINITY, f64::EPSILON]);
        // All exponents, with fractions of all lengths.
        let drawn = (0..200_000u64).map(|i| f64::from_bits(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 50)));
        for x in ends.flat_map(|x| [x, -x, x.next_up(), x.next_down()]).chain(drawn.filter(|x| !x.is_nan())) {
            assert_eq!(bits(&stored(&Parameter::Float(x))), x.to_bits(), "{x:?}");
        }
        assert!(matches!(stored(&f64::NAN.to_parameter()), Parameter::Float(x) if x.is_nan()));
        assert_eq!(stored(&f64::NAN.to_parameter()), f64::NAN.to_parameter());
        assert_eq!(bits(&(-0.0).to_parameter()), 0, "equal plans are written alike");
    }

    /// Whatever could pass for a float in store is read as what it was.
    #[test]
    #[cfg(feature = "serde")]
    fn floats_are_told_from_all_else() {
        let text = |text: &str| Parameter::Text(text.into());
        let list = |values: &[Parameter]| Parameter::List(values.to_vec());
        let half = Parameter::Float(0.5);
        let values = [half.clone(), text("0.5"), text("inf"), text("NaN"), text(r#"{"float":"0.5"}"#), list(&[half])];
        let values = values.into_iter().chain([list(&[text("0.5")]), list(&[text("float"), text("0.5")]), list(&[])]);
        let values = values.chain([Parameter::None, Parameter::Bool(true), Parameter::Integer(1)]);
        let values: Vec<_> = values.chain([Parameter::Float(1.0), Parameter::Float(f64::INFINITY)]).collect();
        for (i, x) in values.iter().enumerate() {
            assert_eq!(&stored(x), x);
            assert!(values.iter().enumerate().all(|(j, y)| (i == j) == (x == y)), "{x:?}");
        }
        let others = ["0.5", "1e400", r#"{"float":0.5}"#, r#"{"float":"x"}"#, r#"{"float":"1","more":"2"}"#, "{}"];
        let beyond =
            ["1e400", "-1e400", "1e-400", "-0.01E-324", "2e-324"].map(|text| format!(r#"{{"float":"{text}"}}"#));
        let others = others.into_iter().chain(beyond.iter().map(String::as_str));
        for other in others {
            assert!(serde_json::from_str::<Parameter>(other).is_err(), "{other}");
        }
    }
}
