//! Measurements that OpenDP has written, as plans.

use crate::{commands::text, failure::Failure};
use indistinct::{core::Place, plans::FrameMeasurement};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The version whose constructors are known.
const VERSION: &str = "0.16.";

/// The metrics between datasets, by their names there and here.
const METRICS: [(&str, &str); 4] = [
    ("symmetric_distance", "SymmetricDistance"),
    ("insert_delete_distance", "InsertDeleteDistance"),
    ("change_one_distance", "ChangeOneDistance"),
    ("hamming_distance", "HammingDistance"),
];

/// The types of cells, by their names there, and what they are here.
const KINDS: [(&str, &str); 13] = [
    ("i8", "integer"),
    ("i16", "integer"),
    ("i32", "integer"),
    ("i64", "integer"),
    ("u8", "integer"),
    ("u16", "integer"),
    ("u32", "integer"),
    ("u64", "integer"),
    ("usize", "integer"),
    ("isize", "integer"),
    ("f64", "float"),
    ("String", "text"),
    ("bool", "bool"),
];

/// Where a chain begins: the rows of one column.
#[derive(Debug, Clone, PartialEq)]
struct Input {
    column: String,
    domain: String,
    rows: Option<u64>,
    metric: &'static str,
}

/// The plan, in TOML, of a measurement that `opendp.mod.serialize` has written. The column has this name, unless the
/// measurement selects one by name. A constructor that does not exist here, or that means something else, is an error.
pub(crate) fn plan(path: &Path, column: &str) -> Result<String, Failure> {
    let text = text(path)?;
    let measurement: Value = serde_json::from_str(&text).map_err(|error| {
        let place = Some(Place::new(error.line(), error.column()));
        Failure::in_text(error.to_string(), &path.display().to_string(), &text, place)
    })?;
    let at = |rule: String| Failure::input(format!("{}: {rule}", path.display()));
    let (input, steps) = chain(&measurement, column).map_err(at)?;
    let Input { column, domain, rows, metric } = input;
    let rows = rows.map(|rows| format!("rows = {rows}\n")).unwrap_or_default();
    let plan = format!(
        "version = 2\nmetric = \"{metric}\"\n{rows}columns = {{ {} = {} }}\nsteps = [\n{}\n]\n",
        json!(column),
        json!(domain),
        texts(&steps, &column).join(",\n")
    );
    let plan = FrameMeasurement::from_toml(&plan).map_err(|error| at(error.to_string()))?;
    Ok(format!("# From OpenDP's measurement in {}: the unit is a row.\n{}", path.display(), plan.to_toml()?))
}

/// A call of a constructor, and its arguments.
fn call(value: &Value) -> Result<(&str, &Map<String, Value>), String> {
    let none = || format!("{value} is not a constructor call");
    let name = value.get("__function__").and_then(Value::as_str).ok_or_else(none)?;
    let version = value.get("__version__").and_then(Value::as_str).unwrap_or_default();
    if !version.starts_with(VERSION) {
        return Err(format!("{name}: it is from OpenDP {version:?}, but only {VERSION}x is supported"));
    }
    Ok((name, value.get("__kwargs__").and_then(Value::as_object).ok_or_else(none)?))
}

fn argument<'a>(arguments: &'a Map<String, Value>, of: &str, name: &str) -> Result<&'a Value, String> {
    arguments.get(name).ok_or_else(|| format!("{of}: it has no {name}"))
}

/// A step of a plan.
#[derive(Debug, Clone)]
enum Step {
    /// A column is replaced by its values between two bounds, before it is read as rows.
    Clamp(String, String),
    /// The parts of a composition, each from the table.
    Composition(Vec<Vec<Step>>),
    /// A step on rows or on a release, as a plan writes it.
    Text(String),
}

/// The texts of steps on this column. The column is read as rows before the first step on rows.
fn texts(steps: &[Step], column: &str) -> Vec<String> {
    let mut written = Vec::new();
    let mut is_read = false;
    for step in steps {
        match step {
            Step::Clamp(low, high) => {
                let clamped = json!([[column, format!("clamp(col({column:?}), {low}, {high})")]]);
                written.push(format!("{{ make = \"with_columns\", columns = {clamped} }}"));
            }
            Step::Composition(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|steps| format!("[{}]", texts(steps, column).join(", "))).collect();
                written.push(format!("{{ make = \"composition\", measurements = [{}] }}", parts.join(", ")));
                is_read = true;
            }
            Step::Text(text) => {
                if !is_read {
                    written.push(format!("{{ make = \"rows\", columns = [{}] }}", json!(column)));
                    is_read = true;
                }
                written.push(text.clone());
            }
        }
    }
    written
}

/// Where a chain begins, and its steps in their order.
fn chain(value: &Value, column: &str) -> Result<(Input, Vec<Step>), String> {
    let (name, arguments) = call(value)?;
    let of = |argument_name: &str| argument(arguments, name, argument_name);
    let then = |first: &str, second: &str| -> Result<(Input, Vec<Step>), String> {
        let (input, mut steps) = chain(of(first)?, column)?;
        steps.extend(rest(of(second)?)?);
        Ok((input, steps))
    };
    match name {
        "make_chain_tt" => match selected(of("transformation0")?, of("transformation1")?)? {
            Some(input) => Ok((input, Vec::new())),
            None => then("transformation0", "transformation1"),
        },
        "make_chain_mt" => then("transformation0", "measurement1"),
        "make_pureDP_to_zCDP" | "make_zCDP_to_approxDP" | "make_fix_delta" => {
            let (input, mut steps) = chain(of("measurement")?, column)?;
            steps.push(Step::Text(match name {
                "make_fix_delta" => format!("{{ make = \"fix_delta\", delta = {} }}", number(of("delta")?)?),
                _ => format!("{{ make = {} }}", json!(name.trim_start_matches("make_"))),
            }));
            Ok((input, steps))
        }
        "make_composition" => {
            let measurements =
                of("measurements")?.as_array().ok_or("make_composition: its measurements must be a list")?;
            let parts = measurements.iter().map(|one| chain(one, column)).collect::<Result<Vec<_>, _>>()?;
            let (input, _) = parts.first().ok_or("make_composition: it has no measurements")?.clone();
            if parts.iter().any(|(other, _)| *other != input) {
                return Err("make_composition: its measurements start with different rows".into());
            }
            Ok((input, vec![Step::Composition(parts.into_iter().map(|(_, steps)| steps).collect())]))
        }
        _ => {
            let first = step(name, arguments)?;
            Ok((input(arguments, name, column)?, vec![first]))
        }
    }
}

/// The steps after another one, whose output is their input.
fn rest(value: &Value) -> Result<Vec<Step>, String> {
    let (name, arguments) = call(value)?;
    match name {
        "make_chain_tt" | "make_chain_mt" => {
            let second = if name == "make_chain_tt" { "transformation1" } else { "measurement1" };
            let mut steps = rest(argument(arguments, name, "transformation0")?)?;
            steps.extend(rest(argument(arguments, name, second)?)?);
            Ok(steps)
        }
        _ => Ok(vec![step(name, arguments)?]),
    }
}

/// A column that is selected of a table in one text.
fn selected(table: &Value, select: &Value) -> Result<Option<Input>, String> {
    let ((first, of_table), (second, of_column)) = (call(table)?, call(select)?);
    if (first, second) != ("make_split_dataframe", "make_select_column") {
        return Ok(None);
    }
    let key = argument(of_column, second, "key")?.as_str().ok_or("make_select_column: its key is not a text")?;
    let names = argument(of_table, first, "col_names")?.as_array().ok_or("make_split_dataframe: has no names")?;
    let is_text = argument(of_column, second, "TOA")? == "String";
    if !is_text || !names.iter().any(|name| name == key) {
        return Err(format!("make_select_column: {key:?} must be a column of texts"));
    }
    Ok(Some(Input { column: key.into(), domain: "text".into(), rows: None, metric: "SymmetricDistance" }))
}

/// The rows that the first step of a chain takes.
fn input(arguments: &Map<String, Value>, of: &str, column: &str) -> Result<Input, String> {
    let (metric, _) = call(argument(arguments, of, "input_metric")?)?;
    let known = METRICS.iter().find(|(there, _)| *there == metric);
    let (_, metric) = known.ok_or_else(|| format!("{of}: {metric} is not a metric on rows of one column"))?;
    let (vector, rows) = call(argument(arguments, of, "input_domain")?)?;
    if vector != "vector_domain" {
        return Err(format!("{of}: it starts with {vector}, but a plan starts with rows"));
    }
    let size = match argument(rows, vector, "size")? {
        Value::Null => None,
        size => Some(size.as_u64().ok_or("vector_domain: its size is not a number")?),
    };
    let (kind, cells) = call(argument(rows, vector, "atom_domain")?)?;
    if kind != "atom_domain" {
        return Err(format!("{of}: rows of {kind} are not a column"));
    }
    let name = argument(cells, kind, "T")?.as_str().unwrap_or_default();
    let known = KINDS.iter().find(|(there, _)| *there == name);
    let (_, kind_here) = known.ok_or_else(|| format!("atom_domain: {name:?} is not a column type"))?;
    if *kind_here == "float" && cells.get("nan") != Some(&Value::Bool(false)) {
        return Err(
            "atom_domain: it may contain NaN, which a column cannot contain here: use nan=False in OpenDP".into()
        );
    }
    let bounds = match cells.get("bounds") {
        None | Some(Value::Null) => String::new(),
        Some(bounds) => {
            let (low, high) = pair(bounds)?;
            format!("({low}..={high})")
        }
    };
    Ok(Input { column: column.into(), domain: format!("{kind_here}{bounds}"), rows: size, metric })
}

/// A constructor that means here what it does there. Counts and sums of integers end there at the largest of their
/// type, and here nowhere.
fn step(name: &str, arguments: &Map<String, Value>) -> Result<Step, String> {
    let of = |argument_name: &str| argument(arguments, name, argument_name);
    let must_be = |argument_name: &str, value: Value| match arguments.get(argument_name) {
        Some(found) if *found != value => Err(format!("{name}: {argument_name} must be {value}, not {found}")),
        _ => Ok(()),
    };
    let short = name.trim_start_matches("make_");
    let text = match name {
        "make_count" | "make_count_distinct" | "make_sum" | "make_mean" => format!("{{ make = {} }}", json!(short)),
        "make_clamp" => {
            let (low, high) = pair(of("bounds")?)?;
            return Ok(Step::Clamp(low, high));
        }
        "make_laplace" | "make_geometric" => {
            must_be("k", Value::Null)?;
            must_be("bounds", Value::Null)?;
            must_be("MO", json!("MaxDivergence"))?;
            // The geometric mechanism is discrete Laplace noise on integers.
            format!("{{ make = \"laplace\", scale = {} }}", number(of("scale")?)?)
        }
        "make_gaussian" => {
            must_be("k", Value::Null)?;
            must_be("MO", json!("ZeroConcentratedDivergence"))?;
            let scale = number(of("scale")?)?;
            format!("{{ make = \"gaussian\", output_measure = \"ZeroConcentratedDivergence\", scale = {scale} }}")
        }
        _ => return Err(format!("{name}: indistinct has no equivalent constructor")),
    };
    Ok(Step::Text(text))
}

/// Two bounds.
fn pair(value: &Value) -> Result<(String, String), String> {
    match value.get("__tuple__").and_then(Value::as_array).map(Vec::as_slice) {
        Some([low, high]) => Ok((number(low)?, number(high)?)),
        _ => Err(format!("{value} is not a pair of bounds")),
    }
}

fn number(value: &Value) -> Result<String, String> {
    value.as_number().map(ToString::to_string).ok_or_else(|| format!("{value} is not a number"))
}
