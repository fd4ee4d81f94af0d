//! Defines one type for all releases.

use std::{collections::BTreeMap, fmt};

/// The release of a measurement that was built from a plan.
///
/// It holds the same values as the release of the chain in Rust: integers of any type as [`Integer`](Self::Integer),
/// lists and tuples as [`List`](Self::List), and a composition as a list of its parts. JSON cannot represent NaN and
/// infinities, so these are written as `null`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Released {
    /// The absence of an optional value, such as bounds that were not found.
    None,
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A float.
    Float(f64),
    /// Text.
    Text(String),
    /// Values in order.
    List(Vec<Released>),
    /// Keys with their values, in the order of the keys.
    Keyed(Vec<(Released, Released)>),
}

/// The type of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Bool,
    Integer,
    /// An integer beyond 64 bits.
    Wide,
    /// The position of a selected candidate.
    Position,
    Float,
    Text,
    Option(Box<Shape>),
    List(Box<Shape>),
    /// A pair, or the release of a composition.
    Parts(Vec<Shape>),
    Keyed(Box<(Shape, Shape)>),
    /// The value of a user-defined function.
    Own,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Bool => f.write_str("a Boolean"),
            Shape::Integer => f.write_str("a 64-bit integer"),
            Shape::Wide => f.write_str("a 128-bit integer"),
            Shape::Position => f.write_str("a position"),
            Shape::Float => f.write_str("a float"),
            Shape::Text => f.write_str("a text"),
            Shape::Option(value) => write!(f, "{value} or nothing"),
            Shape::List(value) => write!(f, "a list of values, each {value}"),
            Shape::Parts(parts) => {
                write!(f, "{} parts: ", parts.len())?;
                f.write_str(&parts.iter().map(Shape::to_string).collect::<Vec<_>>().join("; "))
            }
            Shape::Own => f.write_str("the value of a user-defined function"),
            Shape::Keyed(of) => write!(f, "keys, each {}, with values, each {}", of.0, of.1),
        }
    }
}

/// Types of releases. Different values of one type have different representations.
pub(crate) trait Releasable: 'static {
    fn shape() -> Shape;
    fn released(&self) -> Released;
}

impl Releasable for bool {
    fn shape() -> Shape {
        Shape::Bool
    }

    fn released(&self) -> Released {
        Released::Bool(*self)
    }
}

impl Releasable for i64 {
    fn shape() -> Shape {
        Shape::Integer
    }

    fn released(&self) -> Released {
        Released::Integer((*self).into())
    }
}

impl Releasable for i128 {
    fn shape() -> Shape {
        Shape::Wide
    }

    fn released(&self) -> Released {
        Released::Integer(*self)
    }
}

/// A position in a list shorter than 2^64.
impl Releasable for usize {
    fn shape() -> Shape {
        Shape::Position
    }

    fn released(&self) -> Released {
        i128::try_from(*self).map_or(Released::None, Released::Integer)
    }
}

impl Releasable for f64 {
    fn shape() -> Shape {
        Shape::Float
    }

    fn released(&self) -> Released {
        Released::Float(*self)
    }
}

impl Releasable for String {
    fn shape() -> Shape {
        Shape::Text
    }

    fn released(&self) -> Released {
        Released::Text(self.clone())
    }
}

impl<T: Releasable> Releasable for Option<T> {
    fn shape() -> Shape {
        Shape::Option(Box::new(T::shape()))
    }

    fn released(&self) -> Released {
        self.as_ref().map_or(Released::None, T::released)
    }
}

impl<T: Releasable> Releasable for Vec<T> {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }

    fn released(&self) -> Released {
        Released::List(self.iter().map(T::released).collect())
    }
}

impl<A: Releasable, B: Releasable> Releasable for (A, B) {
    fn shape() -> Shape {
        Shape::Parts(vec![A::shape(), B::shape()])
    }

    fn released(&self) -> Released {
        Released::List(vec![self.0.released(), self.1.released()])
    }
}

impl<K: Releasable, V: Releasable> Releasable for BTreeMap<K, V> {
    fn shape() -> Shape {
        Shape::Keyed(Box::new((K::shape(), V::shape())))
    }

    fn released(&self) -> Released {
        Released::Keyed(self.iter().map(|(key, value)| (key.released(), value.released())).collect())
    }
}
