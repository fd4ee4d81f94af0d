//! Releases as text, and back.

use super::call::refuse;
use crate::core::{Error, ErrorKind, Fallible, Released};
use indistinct_numeric::read_float;
use serde_json::{Map, Number, Value};

/// The names for values that JSON cannot represent. Floats are written as in plans.
const FLOAT: &str = "float";
const INTEGER: &str = "integer";
const KEYED: &str = "keyed";

impl Released {
    /// Returns the JSON text of the release, which is unique: floats as `{"float":"0.1"}`, integers beyond 64 bits as
    /// `{"integer":"…"}`, keys with their values as `{"keyed":[[key,value],…]}`.
    ///
    /// ```
    /// use indistinct::plans::Released;
    /// let released = Released::List(vec![Released::Integer(7), Released::Float(0.1), Released::None]);
    /// assert_eq!(released.to_json(), r#"[7,{"float":"0.1"},null]"#);
    /// assert_eq!(Released::from_json(&released.to_json())?, released);
    /// # Ok::<(), indistinct::core::Error>(())
    /// ```
    pub fn to_json(&self) -> String {
        value(self).to_string()
    }

    /// Reads a release from a text that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Plan`] for any other text.
    pub fn from_json(text: &str) -> Fallible<Self> {
        let value = serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Plan, error.to_string()))?;
        let released = released(&value).ok_or_else(not_written)?;
        if released.to_json() == text { Ok(released) } else { Err(not_written()) }
    }
}

fn not_written() -> Error {
    refuse("release", "must be a release in the JSON form that `to_json` writes")
}

fn value(released: &Released) -> Value {
    let named = |name: &str, value: Value| Value::Object(Map::from_iter([(name.to_owned(), value)]));
    match released {
        Released::None => Value::Null,
        Released::Bool(value) => Value::Bool(*value),
        Released::Integer(number) => match i64::try_from(*number) {
            Ok(number) => Value::Number(Number::from(number)),
            Err(_) => named(INTEGER, Value::String(number.to_string())),
        },
        Released::Float(number) => named(FLOAT, Value::String(format!("{number:?}"))),
        Released::Text(text) => Value::String(text.clone()),
        Released::List(values) => Value::Array(values.iter().map(value).collect()),
        Released::Keyed(pairs) => {
            let pair = |(key, of_key): &(Released, Released)| Value::Array(vec![value(key), value(of_key)]);
            named(KEYED, Value::Array(pairs.iter().map(pair).collect()))
        }
    }
}

fn released(value: &Value) -> Option<Released> {
    Some(match value {
        Value::Null => Released::None,
        Value::Bool(value) => Released::Bool(*value),
        Value::Number(number) => Released::Integer(number.as_i64()?.into()),
        Value::String(text) => Released::Text(text.clone()),
        Value::Array(values) => Released::List(values.iter().map(released).collect::<Option<_>>()?),
        Value::Object(entries) => match entries.iter().next()? {
            (name, Value::String(text)) if name == FLOAT => Released::Float(read_float(text)?),
            (name, Value::String(text)) if name == INTEGER => Released::Integer(text.parse().ok()?),
            (name, Value::Array(pairs)) if name == KEYED => {
                let pair = |pair: &Value| match pair.as_array()?.as_slice() {
                    [key, of_key] => Some((released(key)?, released(of_key)?)),
                    _ => None,
                };
                Released::Keyed(pairs.iter().map(pair).collect::<Option<_>>()?)
            }
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_released() -> impl Strategy<Value = Released> {
        let leaf = prop_oneof![
            Just(Released::None),
            any::<bool>().prop_map(Released::Bool),
            any::<i128>().prop_map(Released::Integer),
            any::<i64>().prop_map(|number| Released::Integer(number.into())),
            any::<f64>().prop_map(Released::Float),
            Just(Released::Float(f64::INFINITY)),
            Just(Released::Float(-0.0)),
            ".*".prop_map(Released::Text),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Released::List),
                prop::collection::vec((inner.clone(), inner), 0..8).prop_map(Released::Keyed),
            ]
        })
    }

    proptest! {
        #[test]
        fn releases_are_read_back(released in any_released()) {
            let text = released.to_json();
            prop_assert_eq!(Released::from_json(&text).unwrap().to_json(), text);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]{}\",:0-9a-z. -]{0,40}") {
            let _ = Released::from_json(&text);
        }
    }

    #[test]
    fn special_floats_and_great_integers_have_their_text() {
        let all = [
            (Released::Float(f64::NEG_INFINITY), r#"{"float":"-inf"}"#),
            (Released::Float(-0.0), r#"{"float":"-0.0"}"#),
            (Released::Integer(i128::MAX), r#"{"integer":"170141183460469231731687303715884105727"}"#),
            (Released::Keyed(vec![(Released::Text("a".into()), Released::Integer(1))]), r#"{"keyed":[["a",1]]}"#),
        ];
        for (released, text) in all {
            assert_eq!(released.to_json(), text);
            assert_eq!(Released::from_json(text), Ok(released));
        }
        assert_eq!(Released::from_json(&Released::Float(f64::NAN).to_json()).unwrap().to_json(), r#"{"float":"NaN"}"#);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "[1, 2]", "1.5", r#"{"float":"1"}"#, r#"{"float":0.5}"#, r#"{"integer":"7"}"#, r#"{"a":1}"#] {
            assert_eq!(Released::from_json(text).unwrap_err().kind(), ErrorKind::Plan, "{text}");
        }
        assert!(Released::from_json(r#"{"float":"0.5","keyed":[]}"#).is_err());
        assert!(Released::from_json(&"[".repeat(100_000)).is_err());
    }
}
