//! The format of a CSV file, and how its cells are read.

use crate::failure::{Failure, Fallible};
use indistinct_tables::Csv;
use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyString},
};
use std::collections::BTreeMap;

/// A reader with the options of a dictionary.
pub(crate) fn reader(options: Option<&Bound<'_, PyDict>>) -> Fallible<Csv> {
    let mut reader = Csv::new();
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        let name: String = name.extract().map_err(|_| Failure::question("csv: names of options must be texts"))?;
        reader = match name.as_str() {
            "delimiter" => reader.delimiter(ascii(&name, &value)?),
            "quote" if value.is_instance_of::<PyBool>() => match value.extract()? {
                true => reader,
                false => reader.without_quotes(),
            },
            "quote" => reader.quote(ascii(&name, &value)?),
            "encoding" => {
                let encoding: String = option(&name, &value, "a text")?;
                reader.encoding(encoding.parse().map_err(|error| Failure::question(format!("csv: {error}")))?)
            }
            "decimal" => reader.decimal(option(&name, &value, "a character")?),
            "thousands" => reader.thousands(option(&name, &value, "a character")?),
            "header" => reader.without_header(texts(&name, &value)?),
            "missing" => reader.missing(texts(&name, &value)?),
            "formats" => {
                let formats: BTreeMap<String, String> = option(&name, &value, "texts by column")?;
                formats.iter().fold(reader, |reader, (column, format)| reader.format(column, format))
            }
            _ => {
                let known = "delimiter, quote, encoding, decimal, thousands, header, missing, formats";
                return Err(Failure::question(format!("csv: there is no option {name:?}; the options are: {known}")));
            }
        };
    }
    Ok(reader)
}

fn option<'py, T: for<'a> FromPyObject<'a, 'py>>(name: &str, value: &Bound<'py, PyAny>, what: &str) -> Fallible<T> {
    value.extract().map_err(|_| Failure::question(format!("csv: {name} must be {what}")))
}

fn ascii(name: &str, value: &Bound<'_, PyAny>) -> Fallible<u8> {
    let character: char = option(name, value, "an ASCII character")?;
    let wrong = |_| Failure::question(format!("csv: {name} must be an ASCII character"));
    u8::try_from(character).map_err(wrong)
}

/// A list of texts; one text alone is a sequence of its characters to Python, and is refused.
fn texts(name: &str, value: &Bound<'_, PyAny>) -> Fallible<Vec<String>> {
    let wrong = || Failure::question(format!("csv: {name} must be a list of texts"));
    if value.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    value.extract().map_err(|_| wrong())
}
