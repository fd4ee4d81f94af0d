//! `init`.

use crate::{
    arguments::InitArguments,
    commands::{smartnoise::schema, text, write},
    failure::Failure,
    output::print,
};
use indistinct::frames::{FrameDomain, Kind};
use indistinct_tables::{Csv, PublicSample};
use serde_json::json;
use std::path::Path;

/// What a schema looks like, where nothing is known.
const COLUMNS: &str = "\
# Types: integer, float, bool, text, date, time, category(\"a\", \"b\"); bounds and missing cells in parentheses.
id = \"text\"
region = 'category(\"north\", \"south\")'
age = \"integer(0..=120, missing)\"
days = \"float(0.0..=365.0, missing)\"
";

pub(crate) fn run(arguments: &InitArguments) -> Result<(), Failure> {
    let InitArguments { file, table, public_sample, smartnoise, delimiter } = arguments;
    if file.exists() {
        return Err(Failure::new(7, format!("{}: is there already, and is left as it is", file.display())));
    }
    if let Some(path) = smartnoise {
        write(file, &schema(path)?)?;
        return print(&format!("{}: to be read and corrected\n", file.display()));
    }
    let Proposed { individuals, columns, format } = match public_sample {
        None => Proposed {
            individuals: "id".into(),
            columns: COLUMNS.into(),
            format: "# formats = { admitted = \"%d.%m.%Y\" }\n".into(),
        },
        Some(path) => of_sample(path, *delimiter)?,
    };
    let individuals = json!(individuals);
    let schema = format!(
        "# What is public of the tables: it must not be read off private data.\n\
         # Whom releases protect; also: 1 individual changed, 1 row added or removed, 1 row changed.\n\
         unit = \"1 individual added or removed\"\n\n\
         [tables.{table}]\n\
         # The private file, from this folder; or name it by --data.\n\
         file = \"{table}.csv\"\n\
         # The column that says whose row it is.\n\
         individuals = {individuals}\n\n\
         [tables.{table}.columns]\n{columns}\n\
         [tables.{table}.csv]\n\
         delimiter = \"{delimiter}\"\n\
         missing = [\"NA\"]\n\
         # Rows of nobody are left out.\n\
         drop_rows_without = [{individuals}]\n\
         {format}"
    );
    write(file, &schema)?;
    print(&format!("{}: to be read and corrected\n", file.display()))
}

/// What a sample looks like.
struct Proposed {
    individuals: String,
    columns: String,
    /// How its cells are written, in lines of a schema.
    format: String,
}

/// How Swiss and German dates are written.
const DATES: &str = "%d.%m.%Y";

/// The columns of a sample. The first one is taken for that of individuals, who are in every row that counts; where
/// commas make more columns numbers than points do, they are decimal.
fn of_sample(path: &Path, delimiter: char) -> Result<Proposed, Failure> {
    let byte = u8::try_from(delimiter).map_err(|_| Failure::new(2, "--delimiter: must be an ASCII character"))?;
    let text = text(path)?;
    check_delimiter(path, text.lines().next().unwrap_or_default(), delimiter)?;
    let sample = PublicSample::new(text);
    let suggested = |reader: Csv| {
        let domain = reader.delimiter(byte).suggest_domain(&sample);
        domain.map_err(|error| Failure::new(7, format!("{}: {error}", path.display())))
    };
    let numbers = |domain: &FrameDomain| {
        domain.columns().iter().filter(|column| matches!(column.kind(), Kind::Integer | Kind::Float)).count()
    };
    let (points, commas) = (suggested(Csv::new())?, suggested(Csv::new().decimal(',')).ok());
    let (domain, mut format) = match commas.filter(|commas| numbers(commas) > numbers(&points)) {
        Some(commas) => (commas, "decimal = \",\"\n".to_owned()),
        None => (points, String::new()),
    };
    let individuals = domain.names().first().cloned().unwrap_or_default();
    let (mut columns, mut dates) = (String::new(), Vec::new());
    for (name, column) in domain.names().iter().zip(domain.columns()) {
        let is_text = matches!(column.kind(), Kind::Text | Kind::Category);
        let dated = || suggested(Csv::new().format(name, DATES)).ok()?.column(name).ok().cloned();
        let words = match dated().filter(|column| is_text && column.kind() == Kind::Date) {
            _ if *name == individuals => if column.kind() == Kind::Integer { "integer" } else { "text" }.to_owned(),
            Some(date) => {
                dates.push(format!("{} = \"{DATES}\"", json!(name)));
                format!("{date:?}")
            }
            None => format!("{column:?}"),
        };
        // Texts of JSON are texts of TOML.
        columns += &format!("{} = {}\n", json!(name), json!(words));
    }
    if !dates.is_empty() {
        format += &format!("formats = {{ {} }}\n", dates.join(", "));
    }
    Ok(Proposed { individuals, columns, format })
}

/// Refuse what stands nowhere in the first line, where something else seems to be what stands between cells.
fn check_delimiter(path: &Path, line: &str, delimiter: char) -> Result<(), Failure> {
    let times = |other: &char| line.matches(*other).count();
    let seems = [';', '\t', '|', ','].into_iter().max_by_key(times).filter(|other| times(other) > 0);
    match seems {
        Some(other) if times(&delimiter) == 0 => {
            let (many, shown) = (times(&other), if other == '\t' { "$'\\t'".into() } else { format!("'{other}'") });
            let rule = format!("the first line has {many} {shown} and no '{delimiter}': say --delimiter {shown}");
            Err(Failure::new(2, format!("{}: {rule}", path.display())))
        }
        _ => Ok(()),
    }
}
