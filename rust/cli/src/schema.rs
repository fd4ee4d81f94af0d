//! The schema file: the public facts about private tables, written once.

use crate::failure::Failure;
use indistinct::{
    core::{Fallible, Place},
    frames::{Cell, ColumnDomain, FrameDomain, PublicTable},
};
use indistinct_sessions::{Files, Unit};
use indistinct_tables::{Arrow, Csv, Encoding, FileKind, Reader};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// The tables, and whom they are about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Schema {
    /// The privacy unit: `1 individual added or removed`.
    unit: Spanned<String>,
    /// The body that is responsible for the releases, for certificates and pages.
    #[serde(default)]
    pub(crate) body: String,
    pub(crate) tables: BTreeMap<String, TableSchema>,
    /// Tables that anybody may see, for joins.
    #[serde(default)]
    public: BTreeMap<String, TableSchema>,
    /// Where the schema is: paths in it are from there.
    #[serde(skip)]
    folder: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableSchema {
    /// A CSV file, or a Parquet or Arrow IPC file if its name ends so.
    file: Option<PathBuf>,
    /// The column of individuals.
    individuals: Option<Spanned<String>>,
    /// True if rows without an identifier are each an individual of their own.
    null_is_own_individual: Option<Spanned<bool>>,
    /// Each column with what may be in it: `integer(0..=120, missing)`.
    columns: BTreeMap<String, Spanned<String>>,
    csv: Option<Spanned<CsvSchema>>,
    parquet: Option<Spanned<ArrowSchema>>,
    arrow: Option<Spanned<ArrowSchema>>,
}

/// How the file is written, and what becomes of its missing cells.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CsvSchema {
    delimiter: Option<char>,
    quote: Option<Quote>,
    decimal: Option<char>,
    thousands: Option<char>,
    /// The encoding of texts: `utf-8`, `utf-16`, `utf-16be`, `latin-1` or `windows-1252`.
    encoding: Option<Spanned<String>>,
    /// The names of its columns, if it has no header.
    header: Option<Vec<String>>,
    /// How dates and times are written, by column.
    formats: BTreeMap<Spanned<String>, String>,
    /// Texts that say that there is no value.
    missing: Vec<String>,
    /// Columns without whose value a row is left out.
    drop_null: Vec<Spanned<String>>,
    /// The replacement of a missing cell, by column.
    fill_null: BTreeMap<Spanned<String>, Fill>,
}

/// The quote around cells.
#[derive(Deserialize)]
#[serde(untagged, expecting = "csv.quote: must be a character, or false if cells are not quoted")]
enum Quote {
    Character(char),
    Is(bool),
}

/// The treatment of missing cells in a Parquet or Arrow IPC file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ArrowSchema {
    drop_null: Vec<Spanned<String>>,
    fill_null: BTreeMap<Spanned<String>, Fill>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Fill {
    Integer(i64),
    Float(f64),
    Bool(bool),
    Text(String),
}

impl Schema {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let rule = "there is no schema; `indistinct init` proposes one, and --schema names another file";
                Failure::new(7, format!("{}: {rule}", path.display()))
            }
            _ => Failure::file(path, &error),
        })?;
        let at = |place: Range<usize>, message: &str| {
            Failure::in_text(message, &path.display().to_string(), &text, Some(Place::at(&text, place.start)))
        };
        let schema: Self =
            toml::from_str(&text).map_err(|error| at(error.span().unwrap_or_default(), error.message()))?;
        if let Err(message) = read_unit(schema.unit.get_ref()) {
            return Err(at(schema.unit.span(), &message));
        }
        for (name, table) in schema.tables.iter().chain(&schema.public) {
            for (column, domain) in &table.columns {
                domain
                    .get_ref()
                    .parse::<ColumnDomain>()
                    .map_err(|error| at(domain.span(), &format!("column {column:?} of table {name:?}: {error}")))?;
            }
            let csv = table.csv.as_ref().map(Spanned::get_ref);
            if let Some(encoding) = csv.and_then(|csv| csv.encoding.as_ref())
                && let Err(error) = encoding.get_ref().parse::<Encoding>()
            {
                return Err(at(encoding.span(), &format!("csv.{error}")));
            }
            if let Some((section, rule)) = table.file.as_ref().and_then(|file| table.ignored(file)) {
                return Err(at(section, &format!("table {name:?}: {rule}")));
            }
            if let Some(or_rows) = table.null_is_own_individual.as_ref().filter(|or_rows| *or_rows.get_ref())
                && table.individuals.is_none()
            {
                let rule = "null_is_own_individual applies to rows without an identifier: name the column of identifiers with \
                            `individuals`";
                return Err(at(or_rows.span(), &format!("table {name:?}: {rule}")));
            }
            if let Some(individuals) = table.individuals.as_ref().filter(|column| column.get_ref().is_empty()) {
                let names: Vec<&str> = table.columns.keys().map(String::as_str).collect();
                let (names, rows) = (names.join(", "), "1 row added or removed");
                let rule = format!(
                    "table {name:?}: decide which column identifies individuals, name it here and under drop_null, and \
                     declare its type without `missing`; or run `init` with --individuals. The columns are: {names}. \
                     If each row is about another person, set unit = \"{rows}\" and leave out both lines"
                );
                return Err(at(individuals.span(), &rule));
            }
            let of_arrow = table.parquet.iter().chain(&table.arrow).map(Spanned::get_ref);
            let of_arrow = of_arrow.flat_map(|section| section.drop_null.iter().chain(section.fill_null.keys()));
            let of_csv =
                csv.into_iter().flat_map(|csv| csv.formats.keys().chain(&csv.drop_null).chain(csv.fill_null.keys()));
            let mut named = of_csv.chain(of_arrow).chain(&table.individuals);
            if let Some(column) = named.find(|column| !table.columns.contains_key(column.get_ref())) {
                let names: Vec<&str> = table.columns.keys().map(String::as_str).collect();
                let (unknown, names) = (column.get_ref(), names.join(", "));
                let rule = format!("table {name:?} has no column {unknown:?}; its columns are: {names}");
                return Err(at(column.span(), &rule));
            }
            if let (Err(error), Some(individuals)) = (table.domain(), &table.individuals) {
                return Err(at(individuals.span(), &format!("table {name:?}: {error}")));
            }
        }
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        for (name, table) in &schema.public {
            if let Some(individuals) = &table.individuals {
                return Err(at(
                    individuals.span(),
                    &format!(
                        "public table {name:?}: must not name a column of individuals, because its rows are public"
                    ),
                ));
            }
            if schema.tables.contains_key(name) {
                return Err(Failure::input(format!("public table {name:?}: a private table has the same name")));
            }
        }
        Ok(Self { folder, ..schema })
    }

    pub(crate) fn unit(&self) -> Result<Unit, Failure> {
        read_unit(self.unit.get_ref()).map_err(Failure::input)
    }

    /// A table, which must be there.
    pub(crate) fn table(&self, name: &str) -> Result<&TableSchema, Failure> {
        self.tables.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.tables.keys().map(String::as_str).collect();
            Failure::input(format!("the schema has no table {name:?}; its tables are: {}", names.join(", ")))
        })
    }

    /// A public table, if the schema has one of this name: a statement joins it.
    pub(crate) fn public_table(&self, name: &str) -> Result<Option<PublicTable>, Failure> {
        let Some(table) = self.public.get(name) else { return Ok(None) };
        let wrong = |error: String| Failure::input(format!("public table {name:?}: {error}"));
        let file = table.file.as_ref().ok_or_else(|| wrong("the schema names no file".into()))?;
        let (file, domain) = (self.folder.join(file), with_missing(&table.domain()?)?);
        let rows = match FileKind::of(&file) {
            FileKind::Parquet => table.arrow_reader(FileKind::Parquet).strict().parquet(&file, &domain),
            FileKind::Arrow => table.arrow_reader(FileKind::Arrow).strict().ipc(&file, &domain),
            FileKind::Csv => table.reader()?.strict().read(&file, &domain),
        };
        let rows = rows.map_err(|error| wrong(error.to_string()))?;
        Ok(Some(PublicTable::new(&domain, &rows).map_err(|error| wrong(error.to_string()))?))
    }

    /// The files of all tables that it names.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let tables = self.tables.values().chain(self.public.values());
        tables.filter_map(|table| Some(self.folder.join(table.file.as_ref()?))).collect()
    }

    /// The file of a table.
    pub(crate) fn file(&self, table: &str, given: Option<&Path>) -> Result<PathBuf, Failure> {
        let of_schema = || self.tables.get(table)?.file.as_ref().map(|file| self.folder.join(file));
        let none = || Failure::input(format!("table {table:?}: name its file by --data, or in the schema"));
        given.map(Path::to_owned).or_else(of_schema).ok_or_else(none)
    }
}

/// The key of the options of a format.
fn section(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Csv => "csv",
        FileKind::Parquet => "parquet",
        FileKind::Arrow => "arrow",
    }
}

fn read_unit(text: &str) -> Result<Unit, String> {
    text.parse().map_err(|_| {
        let units = "1 individual added or removed, 1 individual changed, 1 row added or removed, or 1 row changed";
        format!("unit: {text:?} is not a unit; units are {units}, or another number of them")
    })
}

/// The same columns, in which values may be missing: of a public table that is nothing to be declared.
fn with_missing(domain: &FrameDomain) -> Fallible<FrameDomain> {
    let columns = domain.names().iter().cloned().zip(domain.columns());
    FrameDomain::new(columns.map(|(name, column)| (name, column.clone().with_missing())))
}

impl TableSchema {
    pub(crate) fn domain(&self) -> Fallible<FrameDomain> {
        let columns =
            self.columns.iter().map(|(name, domain)| Ok((name.clone(), domain.get_ref().parse::<ColumnDomain>()?)));
        let domain = FrameDomain::new(columns.collect::<Fallible<Vec<_>>>()?)?;
        match self.individuals.as_ref().map(Spanned::get_ref) {
            Some(name) if self.null_is_own_individual.as_ref().is_some_and(|or_rows| *or_rows.get_ref()) => {
                domain.with_individuals_or_null(name)
            }
            Some(name) => domain.with_individuals(name),
            None => Ok(domain),
        }
    }

    /// This file with its rows; without one, what is declared of a file of this kind, or of CSV.
    pub(crate) fn files(&self, file: Option<&Path>) -> Result<Files, Failure> {
        let (domain, known) = (self.domain()?, file.or(self.file.as_deref()));
        if let Some((_, rule)) = known.and_then(|file| self.ignored(file)) {
            return Err(Failure::input(rule));
        }
        let csv = || Ok(Files::csv(domain.clone(), self.reader()?, file)?);
        let parquet = || Files::parquet(domain.clone(), self.arrow_reader(FileKind::Parquet), file);
        let arrow = || Files::ipc(domain.clone(), self.arrow_reader(FileKind::Arrow), file);
        match known.map(FileKind::of) {
            Some(FileKind::Csv) => csv(),
            Some(FileKind::Parquet) => Ok(parquet()?),
            Some(FileKind::Arrow) => Ok(arrow()?),
            // If no file is named, it may be of any format.
            None => csv().or_else(|error: Failure| parquet().or_else(|_| arrow()).map_err(|_| error)),
        }
    }

    /// The section that would say nothing of a file of this kind, and why it is refused: unless both are there.
    fn ignored(&self, file: &Path) -> Option<(Range<usize>, String)> {
        let csv = self.csv.as_ref().map(|section| (FileKind::Csv, section.span()));
        let parquet = self.parquet.as_ref().map(|section| (FileKind::Parquet, section.span()));
        let arrow = self.arrow.as_ref().map(|section| (FileKind::Arrow, section.span()));
        let sections = [csv, parquet, arrow].into_iter().flatten();
        let kind = FileKind::of(file);
        if sections.clone().any(|(section, _)| section == kind) {
            return None;
        }
        let (other, place) = sections.into_iter().next()?;
        let (other, file) = (section(other), file.display());
        let rule = format!("`{other}` does not apply to {file}, which is {kind} by its name");
        Some((place, format!("{rule}: use `{}` to declare how it is read", section(kind))))
    }

    /// Returns true if rows of a file may be left out, of whichever kind it is: the question is the same for both.
    pub(crate) fn leaves_out_rows(&self, domain: &FrameDomain) -> Result<bool, Failure> {
        let arrow = [FileKind::Parquet, FileKind::Arrow].map(|kind| self.arrow_reader(kind));
        Ok(self.reader()?.leaves_out_rows(domain) || arrow.iter().any(|reader| reader.leaves_out_rows(domain)))
    }

    /// The reader of its file, if that is Parquet or Arrow IPC.
    pub(crate) fn arrow_reader(&self, kind: FileKind) -> Arrow {
        let section = if kind == FileKind::Parquet { &self.parquet } else { &self.arrow };
        match section.as_ref().map(Spanned::get_ref) {
            Some(ArrowSchema { drop_null, fill_null }) => rules(Arrow::new(), drop_null, fill_null),
            None => Arrow::new(),
        }
    }

    /// How its file is read, if that is CSV.
    pub(crate) fn reader(&self) -> Result<Csv, Failure> {
        let mut reader = Csv::new();
        let Some(csv) = self.csv.as_ref().map(Spanned::get_ref) else { return Ok(reader) };
        let ascii = |option: &str, character: char| {
            let wrong = |_| Failure::input(format!("csv.{option}: must be an ASCII character"));
            u8::try_from(character).map_err(wrong)
        };
        if let Some(delimiter) = csv.delimiter {
            reader = reader.delimiter(ascii("delimiter", delimiter)?);
        }
        match csv.quote {
            None | Some(Quote::Is(true)) => {}
            Some(Quote::Is(false)) => reader = reader.without_quotes(),
            Some(Quote::Character(quote)) => reader = reader.quote(ascii("quote", quote)?),
        }
        if let Some(decimal) = csv.decimal {
            reader = reader.decimal(decimal);
        }
        if let Some(thousands) = csv.thousands {
            reader = reader.thousands(thousands);
        }
        if let Some(encoding) = &csv.encoding {
            let read = encoding.get_ref().parse();
            reader = reader.encoding(read.map_err(|error| Failure::input(format!("csv.{error}")))?);
        }
        if let Some(names) = &csv.header {
            reader = reader.without_header(names.clone());
        }
        for (column, format) in &csv.formats {
            reader = reader.format(column.get_ref(), format);
        }
        reader = reader.missing(csv.missing.clone());
        Ok(rules(reader, &csv.drop_null, &csv.fill_null))
    }
}

/// A reader that knows what becomes of missing cells.
fn rules<F>(
    mut reader: Reader<F>,
    drop_null: &[Spanned<String>],
    fill_null: &BTreeMap<Spanned<String>, Fill>,
) -> Reader<F> {
    for column in drop_null {
        reader = reader.drop_null(column.get_ref());
    }
    for (column, fill) in fill_null {
        let cell = match fill {
            Fill::Integer(number) => Cell::from(*number),
            Fill::Float(number) => Cell::from(*number),
            Fill::Bool(value) => Cell::from(*value),
            Fill::Text(text) => Cell::from(text.as_str()),
        };
        reader = reader.fill_null(column.get_ref(), cell);
    }
    reader
}
