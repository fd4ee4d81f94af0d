//! Jobs as bytes.

use crate::{Csv, Error, Result};
use serde::{Deserialize, Serialize};

#[cfg(any(feature = "parquet", feature = "ipc"))]
use crate::Arrow;

/// The parts of a job: options, names and conditions, which are public, and no rows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Told {
    /// The plan's own text, which contains the domain.
    pub(crate) plan: String,
    pub(crate) reader: ToldReader,
    pub(crate) names: Vec<String>,
    pub(crate) conditions: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToldReader {
    Csv(Csv),
    #[cfg(feature = "parquet")]
    Parquet(Arrow),
    #[cfg(feature = "ipc")]
    Ipc(Arrow),
}

/// The first bytes, which identify the version; other versions are rejected.
const HEAD: &[u8] = b"indistinct job 1\n";

impl Told {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>> {
        let text = serde_json::to_vec(self).map_err(|error| Error::option("plan", error.to_string()))?;
        Ok([HEAD, &text].concat())
    }

    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes.strip_prefix(HEAD)?).ok()
    }
}

/// Serializes values for missing cells; floats by their bits.
pub(crate) mod cells {
    use indistinct::frames::Cell;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Value {
        Missing,
        Float(u64),
        Integer(i64),
        Bool(bool),
        Text(String),
    }

    pub(crate) fn serialize<S: Serializer>(cells: &[(String, Cell)], to: S) -> Result<S::Ok, S::Error> {
        let value = |(column, cell): &(String, Cell)| {
            let value = match cell {
                Cell::Float(value) => Value::Float(value.to_bits()),
                Cell::Integer(value) => Value::Integer(*value),
                Cell::Bool(value) => Value::Bool(*value),
                Cell::Text(value) => Value::Text(value.clone()),
                _ => Value::Missing,
            };
            (column.clone(), value)
        };
        cells.iter().map(value).collect::<Vec<_>>().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Cell)>, D::Error> {
        let cell = |(column, value): (String, Value)| {
            let cell = match value {
                Value::Float(bits) => Cell::Float(f64::from_bits(bits)),
                Value::Integer(value) => Cell::Integer(value),
                Value::Bool(value) => Cell::Bool(value),
                Value::Text(value) => Cell::Text(value),
                Value::Missing => return Err(D::Error::custom("a missing cell is not a value")),
            };
            Ok((column, cell))
        };
        Vec::<(String, Value)>::deserialize(from)?.into_iter().map(cell).collect()
    }
}
