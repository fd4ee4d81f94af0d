//! Floats as text, so that no format rounds them: a guarantee that comes back smaller than it was stored would be a
//! false one.
//!
//! The text is Rust's shortest that reads back as the same float, which its parser does to the last bit; infinity is
//! `inf`. A number that is beyond all floats, or below them, is refused.

use indistinct_numeric::read_float;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Floats, alone or in lists, and what stands for them in store.
pub(crate) trait Stored: Sized {
    type Text: Serialize + for<'de> Deserialize<'de>;
    fn text(&self) -> Self::Text;
    fn read(text: Self::Text) -> Option<Self>;
}

impl Stored for f64 {
    type Text = String;

    fn text(&self) -> String {
        format!("{self:?}")
    }

    fn read(text: String) -> Option<Self> {
        read_float(&text)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    type Text = (A::Text, B::Text);

    fn text(&self) -> Self::Text {
        (self.0.text(), self.1.text())
    }

    fn read((first, second): Self::Text) -> Option<Self> {
        Some((A::read(first)?, B::read(second)?))
    }
}

impl<T: Stored> Stored for Vec<T> {
    type Text = Vec<T::Text>;

    fn text(&self) -> Self::Text {
        self.iter().map(T::text).collect()
    }

    fn read(text: Self::Text) -> Option<Self> {
        text.into_iter().map(T::read).collect()
    }
}

/// For `#[serde(with = "…")]`.
pub(crate) fn serialize<T: Stored, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.text().serialize(serializer)
}

/// For `#[serde(with = "…")]`.
pub(crate) fn deserialize<'de, T: Stored, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(T::Text::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("a stored number cannot be read"))
}
