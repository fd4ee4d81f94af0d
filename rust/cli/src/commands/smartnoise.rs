//! SmartNoise's metadata of tables as a schema.

use crate::{commands::text, failure::Failure};
use indistinct::core::Place;
use serde_json::json;
use serde_norway::{Mapping, Value};
use std::{fmt::Write, path::Path};

/// The schema of the tables that a YAML file of SmartNoise describes. An entry with another meaning here is an error.
pub(crate) fn schema(path: &Path) -> Result<String, Failure> {
    let text = text(path)?;
    let of_yaml = |error: serde_norway::Error| {
        let place = error.location().map(|at| Place::new(at.line(), at.column()));
        Failure::in_text(error.to_string(), &path.display().to_string(), &text, place)
    };
    let metadata: Mapping = serde_norway::from_str(&text).map_err(of_yaml)?;
    // Collections of schemas of tables.
    let tables: Vec<(String, &Mapping)> = entries(&metadata, "the metadata")?
        .into_iter()
        .filter(|(name, _)| name != "engine")
        .map(|(name, schemas)| entries(mapping(schemas, &name)?, &name))
        .collect::<Result<Vec<_>, Failure>>()?
        .into_iter()
        .flatten()
        .map(|(name, tables)| entries(mapping(tables, &name)?, &name))
        .collect::<Result<Vec<_>, Failure>>()?
        .into_iter()
        .flatten()
        .map(|(name, table)| Ok((name.clone(), mapping(table, &name)?)))
        .collect::<Result<_, Failure>>()?;
    let of_rows = tables.iter().map(|(_, table)| flag(table, "row_privacy")).collect::<Result<Vec<_>, _>>()?;
    let unit = match (of_rows.contains(&true), of_rows.contains(&false)) {
        (true, false) => "1 row added or removed",
        (false, true) => "1 individual added or removed",
        _ => {
            return Err(Failure::input(
                "row_privacy: must be the same for all tables, and there must be at least one table",
            ));
        }
    };
    let mut schema = format!("# From {}: read and correct it.\nunit = {}\n", path.display(), json!(unit));
    for (name, of_table) in tables {
        table(&name, of_table, unit.contains("individual"), &mut schema)?;
    }
    Ok(schema)
}

/// Attributes of a table that ask for nothing here: how it is read and computed elsewhere.
const OF_COMPUTATION: [&str; 4] = ["sample_max_ids", "censor_dims", "clamp_counts", "use_dpsu"];

fn table(name: &str, table: &Mapping, of_individuals: bool, schema: &mut String) -> Result<(), Failure> {
    let (mut columns, mut complete, mut individuals) = (String::new(), Vec::new(), None);
    let mut remarks = String::new();
    for (attribute, value) in entries(table, name)? {
        match (attribute.as_str(), value) {
            (_, Value::Mapping(column)) => {
                let (domain, is_private_id) = self::column(&attribute, column)?;
                if !domain.contains("missing") {
                    complete.push(attribute.clone());
                }
                if is_private_id && individuals.replace(attribute.clone()).is_some() {
                    return Err(Failure::input(format!("table {name:?}: two columns are private_id")));
                }
                let _ = writeln!(columns, "{} = {}", json!(attribute), json!(domain));
            }
            ("row_privacy", _) => {}
            ("max_ids", _) if !of_individuals => {}
            ("max_ids", value) => {
                let _ = writeln!(remarks, "# max_ids: ask with --max-rows-per-individual {}", shown(value));
            }
            // A number of rows is private here.
            ("rows", _) => {}
            ("clamp_columns", Value::Bool(true)) => {}
            (known, _) if OF_COMPUTATION.contains(&known) => {}
            (unknown, _) => {
                return Err(Failure::input(format!(
                    "table {name:?}: {unknown} is not supported, or has another meaning here"
                )));
            }
        }
    }
    let _ = write!(schema, "\n{remarks}[tables.{}]\nfile = {}\n", json!(name), json!(format!("{name}.csv")));
    match (individuals, of_individuals) {
        (Some(column), true) => {
            let _ = writeln!(schema, "individuals = {}", json!(column));
        }
        (None, true) => return Err(Failure::input(format!("table {name:?}: no column is private_id"))),
        (_, false) => {}
    }
    // Of these none is said to be missing.
    if !complete.is_empty() {
        let _ = writeln!(schema, "\n[tables.{}.csv]\ndrop_null = {}", json!(name), json!(complete));
    }
    let _ = write!(schema, "\n[tables.{}.columns]\n{columns}", json!(name));
    Ok(())
}

/// The domain of a column, and true if it is the column of individuals.
fn column(name: &str, column: &Mapping) -> Result<(String, bool), Failure> {
    let wrong = |rule: String| Failure::input(format!("column {name:?}: {rule}"));
    let (mut kind, mut bounds, mut is_nullable, mut is_private_id) = (None, (None, None), true, false);
    for (attribute, value) in entries(column, name)? {
        match (attribute.as_str(), value) {
            ("type", Value::String(text)) => kind = Some(text.as_str()),
            ("private_id", Value::Bool(value)) => is_private_id = *value,
            ("nullable", Value::Bool(value)) => is_nullable = *value,
            ("lower", Value::Number(number)) => bounds.0 = number.as_f64(),
            ("upper", Value::Number(number)) => bounds.1 = number.as_f64(),
            // Of nothing that is asked here.
            ("cardinality" | "sensitivity", _) => {}
            (unknown, value) => {
                return Err(wrong(format!(
                    "{unknown}: {} is not supported, or has another meaning here",
                    shown(value)
                )));
            }
        }
    }
    let of_bounds = match bounds {
        (Some(low), Some(high)) if kind == Some("int") => format!("{low:.0}..={high:.0}"),
        (Some(low), Some(high)) => format!("{low:?}..={high:?}"),
        _ => String::new(),
    };
    let kind = match kind {
        Some("int") => "integer",
        Some("float") => "float",
        Some("string") => "text",
        Some("boolean") => "bool",
        Some("datetime") => "time",
        Some(other) => return Err(wrong(format!("unknown type {other:?}"))),
        None => return Err(wrong("has no type".into())),
    };
    // Rows without an identifier are left out.
    let missing = if is_nullable && !is_private_id { "missing" } else { "" };
    let facts: Vec<&str> = [of_bounds.as_str(), missing].into_iter().filter(|fact| !fact.is_empty()).collect();
    let facts = if facts.is_empty() { String::new() } else { format!("({})", facts.join(", ")) };
    Ok((format!("{kind}{facts}"), is_private_id))
}

fn entries<'a>(mapping: &'a Mapping, of: &str) -> Result<Vec<(String, &'a Value)>, Failure> {
    let entry = |(name, value): (&'a Value, &'a Value)| match name {
        Value::String(name) => Ok((name.clone(), value)),
        _ => Err(Failure::input(format!("{of}: names must be texts"))),
    };
    mapping.iter().map(entry).collect()
}

fn mapping<'a>(value: &'a Value, of: &str) -> Result<&'a Mapping, Failure> {
    value.as_mapping().ok_or_else(|| Failure::input(format!("{of:?} is not a mapping")))
}

fn flag(table: &Mapping, name: &str) -> Result<bool, Failure> {
    match table.get(name) {
        None => Ok(false),
        Some(Value::Bool(value)) => Ok(*value),
        Some(_) => Err(Failure::input(format!("{name}: must be true or false"))),
    }
}

fn shown(value: &Value) -> String {
    serde_norway::to_string(value).map(|text| text.trim().to_owned()).unwrap_or_default()
}
