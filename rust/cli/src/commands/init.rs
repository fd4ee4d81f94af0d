//! `init`.

use crate::{
    arguments::InitArguments,
    commands::{smartnoise::schema, write},
    failure::Failure,
    output::print,
};
use indistinct::frames::{ColumnDomain, Kind};
use indistinct_tables::{Arrow, Csv, Encoding, FileKind, PublicSample, Suggestion};
use serde_json::json;
use std::path::Path;

/// The columns of a schema without a sample.
const COLUMNS: &str = "\
# Types: integer, float, bool, text, date, time, category(\"a\", \"b\"); bounds and missing cells in parentheses.
id = \"text\"
region = 'category(\"north\", \"south\")'
age = \"integer(0..=120, missing)\"
days = \"float(0.0..=365.0, missing)\"
";

/// The text for an unknown column of individuals. The schema is rejected until somebody decides.
const UNDECIDED: &str = "\
# DECIDE: the column that says whose row it is, here and under drop_null; its type must not say `missing`.
# No column is guessed: a wrong one protects nobody.
";

pub(crate) fn run(arguments: &InitArguments) -> Result<(), Failure> {
    let InitArguments { file, table, public_sample, smartnoise, .. } = arguments;
    if file.exists() {
        return Err(Failure::new(7, format!("{}: exists already and was not changed", file.display())));
    }
    if let Some(path) = smartnoise {
        write(file, &schema(path)?)?;
        return print(&format!("{}: read and correct it\n", file.display()));
    }
    let Proposed { individuals, columns, format, ending, remarks } = match public_sample {
        None => Proposed {
            individuals: Some("id".into()),
            columns: COLUMNS.into(),
            format: "delimiter = \",\"\n# formats = { admitted = \"%d.%m.%Y\" }\n".into(),
            ending: "csv",
            remarks: Vec::new(),
        },
        Some(path) => of_sample(path, arguments)?,
    };
    let comment = if individuals.is_some() { "# The column that says whose row it is.\n" } else { UNDECIDED };
    let is_decided = individuals.is_some();
    let individuals = json!(individuals.unwrap_or_default());
    let missing = if ending == "csv" { "missing = [\"NA\"]\n" } else { "" };
    let schema = format!(
        "# What is public of the tables: it must not be read off private data.\n\
         # Whom releases protect; also: 1 individual changed, 1 row added or removed, 1 row changed.\n\
         unit = \"1 individual added or removed\"\n\n\
         [tables.{table}]\n\
         # The private file, from this folder; or name it by --data.\n\
         file = \"{table}.{ending}\"\n\
         {comment}individuals = {individuals}\n\n\
         [tables.{table}.columns]\n{columns}\n\
         [tables.{table}.{ending}]\n\
         {format}{missing}\
         # Rows of nobody are left out.\n\
         drop_null = [{individuals}]\n"
    );
    write(file, &schema)?;
    let decide = if is_decided { "" } else { "; name the column of individuals there" };
    let remarks = remarks.iter().map(|remark| format!("{remark}\n")).collect::<String>();
    print(&format!("{remarks}{}: read and correct it{decide}\n", file.display()))
}

/// The proposal from a sample.
struct Proposed {
    individuals: Option<String>,
    columns: String,
    /// How its cells are written, in lines of a schema.
    format: String,
    /// That of the file's name, and the name of the part of the schema that says how it is written.
    ending: &'static str,
    remarks: Vec<String>,
}

/// The columns of a sample, with what is to be decided in comments.
fn of_sample(path: &Path, arguments: &InitArguments) -> Result<Proposed, Failure> {
    let sample = PublicSample::file(path).first(arguments.rows);
    let arrow = |suggestions: Result<Vec<Suggestion>, indistinct_tables::Error>| {
        Ok((suggestions.map_err(|error| Failure::new(7, error.to_string()))?, String::new()))
    };
    let (suggested, ending) = match FileKind::of(path) {
        FileKind::Csv => (of_csv(&sample, arguments), "csv"),
        FileKind::Parquet => (arrow(Arrow::new().suggest_parquet(&sample)), "parquet"),
        FileKind::Arrow => (arrow(Arrow::new().suggest_ipc(&sample)), "arrow"),
    };
    let (suggestions, mut format) = suggested?;
    let chosen = arguments.individuals.as_deref();
    let names: Vec<&str> =
        suggestions.iter().filter(|column| column.domain.is_some()).map(|column| column.name.as_str()).collect();
    if let Some(unknown) = chosen.filter(|chosen| !names.contains(chosen)) {
        let rule =
            format!("--individuals: the sample has no column {unknown:?}; its columns are: {}", names.join(", "));
        return Err(Failure::new(2, rule));
    }
    let (mut columns, mut formats, mut remarks) = (String::new(), Vec::new(), Vec::new());
    for Suggestion { name, domain, format, remarks: of_column, .. } in &suggestions {
        let is_chosen = chosen == Some(name);
        let of_column = of_column.iter().filter(|_| !is_chosen || domain.is_none());
        for remark in of_column {
            columns += &format!("# {}: {remark}.\n", json!(name));
            remarks.push(format!("{name:?}: {remark}"));
        }
        let Some(domain) = domain else { continue };
        let words = if is_chosen { identifier(domain, &mut columns) } else { format!("{domain:?}") };
        // Texts of JSON are texts of TOML.
        columns += &format!("{} = {}\n", json!(name), json!(words));
        if let Some(format) = format.as_ref().filter(|_| !is_chosen) {
            formats.push(format!("{} = {}", json!(name), json!(format)));
        }
    }
    if !formats.is_empty() {
        format += &format!("formats = {{ {} }}\n", formats.join(", "));
    }
    Ok(Proposed { individuals: chosen.map(str::to_owned), columns, format, ending, remarks })
}

/// The type of the column of individuals, with a comment on what is one individual.
fn identifier(domain: &ColumnDomain, columns: &mut String) -> String {
    let (words, comment) = match domain.kind() {
        Kind::Integer => ("integer", "7, 07, +7 and 7.0 are one individual. A cell that is not a number is nobody"),
        _ => ("text", "P1 and p1 are two individuals, and so are 7 and 07; spaces around an identifier do not count"),
    };
    *columns += &format!("# {comment}.\n");
    words.to_owned()
}

/// The columns of a CSV file, and how it is written; where commas make more columns numbers than points do, they are
/// decimal.
fn of_csv(sample: &PublicSample, arguments: &InitArguments) -> Result<(Vec<Suggestion>, String), Failure> {
    let delimiter = arguments.delimiter;
    let byte = u8::try_from(delimiter).map_err(|_| Failure::new(2, "--delimiter: must be an ASCII character"))?;
    let encoding: Encoding = arguments.encoding.parse().map_err(|error| Failure::new(2, format!("--{error}")))?;
    let reader = || Csv::new().delimiter(byte).encoding(encoding).missing(["NA"]);
    let suggested = |reader: Csv| {
        let columns = reader.suggest_columns(sample);
        columns.map_err(|error| Failure::new(7, error.to_string().replace("encoding: a", "--encoding: a")))
    };
    let numbers = |columns: &[Suggestion]| {
        let is_number = |kind| matches!(kind, Kind::Integer | Kind::Float);
        columns.iter().filter_map(|column| column.domain.as_ref()).filter(|domain| is_number(domain.kind())).count()
    };
    let points = suggested(reader())?;
    check_delimiter(&points, delimiter)?;
    let commas = suggested(reader().decimal(','))?;
    let mut format = format!("delimiter = {}\n", json!(delimiter));
    if encoding != Encoding::Utf8 {
        format += &format!("encoding = {}\n", json!(arguments.encoding));
    }
    if numbers(&commas) > numbers(&points) {
        format += "decimal = \",\"\n";
        return Ok((commas, format));
    }
    Ok((points, format))
}

/// Refuse what stands nowhere in the header, where something else seems to be what stands between cells.
fn check_delimiter(columns: &[Suggestion], delimiter: char) -> Result<(), Failure> {
    let [Suggestion { name, .. }] = columns else { return Ok(()) };
    let times = |other: &char| name.matches(*other).count();
    match [';', '\t', '|', ','].into_iter().max_by_key(times).filter(|other| times(other) > 0) {
        Some(other) => {
            let (many, shown) = (times(&other), if other == '\t' { "$'\\t'".into() } else { format!("'{other}'") });
            let rule = format!("the first line has {many} {shown} and no '{delimiter}': use --delimiter {shown}");
            Err(Failure::new(2, format!("--delimiter: {rule}")))
        }
        None => Ok(()),
    }
}
