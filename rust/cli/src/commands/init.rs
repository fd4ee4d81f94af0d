//! `init`.

use crate::{
    arguments::InitArguments,
    commands::{smartnoise::schema, text, write},
    failure::Failure,
    output::print,
};
use indistinct_tables::{Csv, PublicSample};
use serde_json::json;

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
    let (individuals, columns) = match public_sample {
        None => ("id".to_owned(), COLUMNS.to_owned()),
        Some(path) => {
            let byte =
                u8::try_from(*delimiter).map_err(|_| Failure::new(2, "--delimiter: must be an ASCII character"))?;
            let domain = Csv::new().delimiter(byte).suggest_domain(&PublicSample::new(text(path)?));
            let domain = domain.map_err(|error| Failure::new(7, error.to_string()))?;
            // Texts of JSON are texts of TOML.
            let line = |(name, column): (&String, _)| format!("{} = {}\n", json!(name), json!(format!("{column:?}")));
            let first = domain.names().first().cloned().unwrap_or_default();
            (first, domain.names().iter().zip(domain.columns()).map(line).collect())
        }
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
         # formats = {{ admitted = \"%d.%m.%Y\" }}\n"
    );
    write(file, &schema)?;
    print(&format!("{}: to be read and corrected\n", file.display()))
}
