//! Answers as tables: one form for text, files, pages and other languages.

use crate::{counted::limits_of, error::Fallible};
use indistinct::{
    core::Released,
    frames::{Cell, KeySet},
    queries::{Estimate, FoundKeys, Table, View, cell_in_words},
};
use serde_json::{Map, Value, json};

/// Answers that can be shown as a table.
pub trait Tabular {
    /// Returns the table.
    fn tabulated(&self) -> Tabulated;
}

/// The name of the last column for programs, if the numbers of an answer have a contribution limit. It contains the
/// limit in words.
pub const LIMIT_COLUMN: &str = "contribution limit";

/// A table of named columns, with sentences below it.
///
/// An estimate is one column for people, `4035 [4021, 4049]`, and three columns for programs: `stays`, `stays from`,
/// `stays to`. All outputs are made from this table, so they agree in names, order and digits, and mark the same
/// numbers as `n/a`.
#[derive(Debug, Clone, PartialEq)]
pub struct Tabulated {
    columns: Vec<Column>,
    rows: Vec<Vec<Item>>,
    limit: Option<String>,
    notes: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The kind of the column.
    pub kind: Kind,
}

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A part of the key of each row.
    Key,
    /// A noisy integer with its interval.
    Count,
    /// Any other noisy number with its interval.
    Number,
    /// Floats without an interval.
    Float,
    /// Other values.
    Value,
}

/// An item of a row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Item {
    /// A part of a key.
    Key(Cell),
    /// A noisy number with its interval.
    Estimate(Estimate),
    /// Another value.
    Value(Released),
}

impl Item {
    /// Returns the item as text for people.
    pub fn in_words(&self) -> String {
        match self {
            Item::Key(cell) => cell_in_words(cell),
            Item::Estimate(estimate) => estimate.to_string(),
            Item::Value(Released::None) => "none".into(),
            Item::Value(Released::Float(number)) => format!("{number:?}"),
            Item::Value(value) => match plain(value) {
                Value::String(text) => cell_in_words(&Cell::Text(text)),
                other => visible(&other),
            },
        }
    }

    /// Returns the item as values for programs: an estimate is three values, the last two of which are the ends of its
    /// interval.
    fn values(&self, kind: Kind) -> Vec<Released> {
        let number = |number: Option<f64>| match (number, kind) {
            (None, _) => Released::None,
            (Some(number), Kind::Count) => {
                format!("{number:.0}").parse().map_or(Released::Float(number), Released::Integer)
            }
            (Some(number), _) => Released::Float(number),
        };
        match self {
            Item::Key(cell) => vec![match cell {
                Cell::Bool(value) => Released::Bool(*value),
                Cell::Integer(number) => Released::Integer((*number).into()),
                Cell::Float(number) => Released::Float(*number),
                Cell::Text(text) => Released::Text(text.clone()),
                _ => Released::None,
            }],
            Item::Estimate(Estimate { value, interval }) => {
                vec![number(*value), number(interval.map(|ends| ends.0)), number(interval.map(|ends| ends.1))]
            }
            Item::Value(value) => vec![value.clone()],
        }
    }
}

impl Tabulated {
    /// Makes a table of values that are not an answer.
    pub fn of_values(head: &[&str], rows: Vec<Vec<Released>>) -> Self {
        let columns = head.iter().map(|name| column(*name, Kind::Value)).collect();
        let row = |row: Vec<Released>| row.into_iter().map(Item::Value).collect();
        Self { columns, rows: rows.into_iter().map(row).collect(), limit: None, notes: Vec::new() }
    }

    /// Returns the rows and columns of a view. A column that the view does not name comes before the others. If rows
    /// are left out, a sentence below the table says so.
    ///
    /// # Errors
    ///
    /// Returns an error if a column of the view cannot have missing values, and this table lacks it.
    pub fn viewed(self, view: &View) -> Fallible<Self> {
        let cell = |row: usize, name: &str| {
            let place = self.columns.iter().position(|column| column.name == name);
            let item = place.and_then(|place| self.rows.get(row)?.get(place));
            match item {
                Some(Item::Key(cell)) => cell.clone(),
                Some(Item::Estimate(estimate)) => estimate.value.into(),
                _ => Cell::Missing,
            }
        };
        let places = view.rows(self.rows.len(), cell)?;
        let rows: Vec<_> = places.iter().filter_map(|place| self.rows.get(*place).cloned()).collect();
        let rule = "an interval of a row that was chosen by its noisy numbers fails more often than stated";
        let (shown, all) = (rows.len(), self.rows.len());
        let note = (shown < all).then(|| format!("rows shown: {shown} of {all}; {rule}"));
        let notes = self.notes.into_iter().chain(note).collect();
        Ok(Self { rows, notes, ..self }.in_order(view.columns()))
    }

    /// Returns the table with its columns in this order. A column that is not named comes before the others.
    fn in_order(self, names: &[String]) -> Self {
        let place = |column: &Column| names.iter().position(|name| *name == column.name).map_or(0, |place| place + 1);
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|at| self.columns.get(*at).map_or(0, place));
        let columns = order.iter().filter_map(|at| self.columns.get(*at).cloned()).collect();
        let row = |row: Vec<Item>| order.iter().filter_map(|at| row.get(*at).cloned()).collect();
        Self { columns, rows: self.rows.into_iter().map(row).collect(), ..self }
    }

    /// Returns the columns, one for each statistic.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the rows, with an item for each column.
    pub fn rows(&self) -> &[Vec<Item>] {
        &self.rows
    }

    /// Returns the sentences below the table.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the names of the columns for people.
    pub fn head(&self) -> Vec<String> {
        self.columns.iter().map(|column| cell_in_words(&Cell::Text(column.name.clone()))).collect()
    }

    /// Returns the rows as text for people.
    pub fn words(&self) -> Vec<Vec<String>> {
        self.rows.iter().map(|row| row.iter().map(Item::in_words).collect()).collect()
    }

    /// Adds a sentence below the table.
    pub fn with_note(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }

    /// Adds a contribution limit: as the first sentence below the table for people, and as a column for programs.
    fn limited(mut self, limit: Option<String>) -> Self {
        self.notes.splice(0..0, limit.iter().map(|limit| format!("{LIMIT_COLUMN}: {limit}")));
        let is_new = self.columns.iter().all(|column| column.name != LIMIT_COLUMN);
        Self { limit: limit.filter(|_| is_new), ..self }
    }

    /// Adds the contribution limits of this plan, given as canonical JSON, unless the answer already has them.
    pub fn with_limits_of(self, plan: &str) -> Self {
        let is_said = self.notes.iter().any(|note| note.starts_with(LIMIT_COLUMN));
        let limits = limits_of(plan).unwrap_or_default();
        let words = limits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        if is_said || limits.is_empty() { self } else { self.limited(Some(words)) }
    }

    /// Returns the columns for programs: a statistic is followed by the ends of its interval, and [`LIMIT_COLUMN`] is
    /// last, if there is a limit.
    pub fn fields(&self) -> Vec<Column> {
        let of = |Column { name, kind }: &Column| match kind {
            Kind::Count | Kind::Number => ["", " from", " to"].map(|end| column(format!("{name}{end}"), *kind)).into(),
            _ => vec![column(name, *kind)],
        };
        let limit = self.limit.iter().map(|_| column(LIMIT_COLUMN, Kind::Value));
        self.columns.iter().flat_map(of).chain(limit).collect()
    }

    /// Returns the rows for programs, with a value for each of the [fields](Self::fields). A number that the noise
    /// exceeds is `Released::None`; counts are integers.
    pub fn values(&self) -> Vec<Vec<Released>> {
        let row = |row: &Vec<Item>| {
            let values = row.iter().zip(&self.columns).flat_map(|(item, column)| item.values(column.kind));
            values.chain(self.limit.clone().map(Released::Text)).collect()
        };
        self.rows.iter().map(row).collect()
    }

    /// Returns a JSON list with an object for each row, whose entries are in the order of the columns.
    pub fn to_json(&self) -> String {
        let names: Vec<String> = self.fields().iter().map(|field| visible(&json!(field.name))).collect();
        let object = |row: Vec<Released>| {
            let entries = names.iter().zip(&row).map(|(name, value)| format!("    {name}: {}", visible(&plain(value))));
            format!("  {{\n{}\n  }}", entries.collect::<Vec<_>>().join(",\n"))
        };
        match self.rows.is_empty() {
            true => "[]".into(),
            false => format!("[\n{}\n]", self.values().into_iter().map(object).collect::<Vec<_>>().join(",\n")),
        }
    }
}

fn column(name: impl Into<String>, kind: Kind) -> Column {
    Column { name: name.into(), kind }
}

/// Returns a released value as JSON without the names of types.
pub(crate) fn plain(value: &Released) -> Value {
    match value {
        Released::None => Value::Null,
        Released::Bool(value) => json!(value),
        Released::Integer(number) => i64::try_from(*number).map_or_else(|_| json!(number.to_string()), |it| json!(it)),
        Released::Float(number) => json!(number),
        Released::Text(text) => json!(text),
        Released::List(values) => values.iter().map(plain).collect(),
        Released::Keyed(pairs) => {
            let text = |(key, value): &(Released, Released)| match key {
                Released::Text(key) => Some((key.clone(), plain(value))),
                _ => None,
            };
            let object: Option<Map<String, Value>> = pairs.iter().map(text).collect();
            object.map_or_else(
                || pairs.iter().map(|(key, value)| json!([plain(key), plain(value)])).collect(),
                Value::Object,
            )
        }
        other => serde_json::from_str(&other.to_json()).unwrap_or(Value::Null),
    }
}

/// Returns JSON in which each character that a terminal interprets is an escape.
fn visible(value: &Value) -> String {
    let escaped = |character: char| {
        let text = character.to_string();
        match cell_in_words(&Cell::Text(text.clone())) == text {
            true => text,
            // Each of these characters has at most four hexadecimal digits.
            false => format!("\\u{:04x}", u32::from(character)),
        }
    };
    value.to_string().chars().map(escaped).collect()
}

/// Each statistic with its interval.
impl Tabular for Table {
    fn tabulated(&self) -> Tabulated {
        let keys = self.keys().map(KeySet::columns).unwrap_or_default();
        let kind = |name: &str| if self.is_count(name) { Kind::Count } else { Kind::Number };
        let statistics = self.names().map(|name| column(name, kind(name)));
        let columns = keys.iter().map(|name| column(name, Kind::Key)).chain(statistics).collect();
        let row = |row: usize| {
            let key = self.keys().and_then(|keys| keys.key(row)).unwrap_or_default();
            let estimates = self.names().filter_map(|name| self.estimate(row, name)).map(Item::Estimate);
            key.iter().cloned().map(Item::Key).chain(estimates).collect()
        };
        let (rows, notes) = ((0..Table::rows(self)).map(row).collect(), self.note().into_iter().collect());
        Tabulated { columns, rows, limit: None, notes }.limited(self.limits_in_words())
    }
}

impl Tabular for FoundKeys {
    fn tabulated(&self) -> Tabulated {
        let keys = self.columns.iter().map(|name| column(name, Kind::Key));
        let kind = |name: &str| if self.is_count(name) { Kind::Count } else { Kind::Number };
        let others = self.names().map(|name| column(name, kind(name)));
        let columns = keys.chain([column(&self.name, Kind::Count)]).chain(others).collect();
        let row = |(row, (key, _)): (usize, &(Vec<Cell>, i64))| {
            let others = self.names().filter_map(|name| self.column(name)?.get(row).copied());
            let estimates = self.estimate(row).into_iter().chain(others).map(Item::Estimate);
            key.iter().cloned().map(Item::Key).chain(estimates).collect()
        };
        let (rows, notes) = (self.counts.iter().enumerate().map(row).collect(), self.notes());
        Tabulated { columns, rows, limit: None, notes }.limited(self.limits_in_words())
    }
}

/// There is no row if there were too few rows to find bounds.
impl Tabular for Option<(f64, f64)> {
    fn tabulated(&self) -> Tabulated {
        let value = |number: f64| Item::Value(Released::Float(number));
        Tabulated {
            columns: ["from", "to"].map(|name| column(name, Kind::Float)).into(),
            rows: self.iter().map(|(from, to)| vec![value(*from), value(*to)]).collect(),
            limit: None,
            notes: Vec::new(),
        }
    }
}

/// One number, text or list in each row; if there are keys, a key and its number.
impl Tabular for Released {
    fn tabulated(&self) -> Tabulated {
        let value = |value: &Released| Item::Value(value.clone());
        let (names, rows): (&[&str], Vec<Vec<Item>>) = match self {
            Released::List(values) => (&["release"], values.iter().map(|one| vec![value(one)]).collect()),
            Released::Keyed(pairs) => {
                (&["key", "release"], pairs.iter().map(|(key, one)| vec![value(key), value(one)]).collect())
            }
            other => (&["release"], vec![vec![value(other)]]),
        };
        let columns = names.iter().map(|name| column(*name, Kind::Value)).collect();
        Tabulated { columns, rows, limit: None, notes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::frames::{ColumnDomain, FrameDomain, col};

    /// Key, count and mean in an order of their own; a mean that is hidden; a key that would move a cursor.
    fn table() -> Tabulated {
        let estimate = |value, from, to| Item::Estimate(Estimate { value, interval: Some((from, to)) });
        let row = |key: &str, mean| vec![Item::Key(key.into()), estimate(Some(-3.0), -3.0, 2.0), mean];
        Tabulated {
            columns: vec![column("region", Kind::Key), column("stays", Kind::Count), column("mean", Kind::Number)],
            rows: vec![
                row("north", estimate(Some(4.331_4), -33.118_1, 34.233_8)),
                row("\u{1b}\u{202e}", estimate(None, 0.0, 30.0)),
            ],
            limit: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn people_and_programs_read_one_table() {
        let table = table().in_order(&["mean".into(), "region".into(), "stays".into()]);
        assert_eq!(table.head(), ["mean", "region", "stays"]);
        assert_eq!(
            table.words(),
            [["4 [-33, 34]", "north", "-3 [-3, 2]"], ["n/a [0, 30]", r"\u{1b}\u{202e}", "-3 [-3, 2]"],]
        );
        let fields: Vec<String> = table.fields().into_iter().map(|field| field.name).collect();
        assert_eq!(fields, ["mean", "mean from", "mean to", "region", "stays", "stays from", "stays to"]);
        let second = &table.values()[1];
        assert_eq!((&second[0], &second[4]), (&Released::None, &Released::Integer(-3)));
        let json = table.to_json();
        let order = ["\"mean\": 4.3314", "\"mean to\"", "\"region\": \"north\"", "\"stays\": -3,", "\"mean\": null"];
        let places: Vec<usize> = order.iter().map(|part| json.find(part).unwrap()).collect();
        assert!(places.is_sorted(), "{json}");
        assert!(json.contains(r#""\u001b\u202e""#) && !json.contains('\u{202e}'), "{json}");
        let read: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read[1]["region"], "\u{1b}\u{202e}");
        // What is not named comes first.
        assert_eq!(table.in_order(&["stays".into()]).head(), ["mean", "region", "stays"]);
    }

    /// Rows are chosen by released numbers; a number that noise exceeds satisfies no condition.
    #[test]
    fn a_view_chooses_rows() {
        let columns = ["region", "stays", "mean"].map(|name| {
            let domain = if name == "region" { ColumnDomain::text() } else { ColumnDomain::float() };
            (name, domain.with_missing())
        });
        let view = View::new(vec!["mean".into(), "region".into()], FrameDomain::new(columns).unwrap());
        let all = table().viewed(&view).unwrap();
        assert_eq!((all.rows().len(), all.notes().len(), all.head()[1].as_str()), (2, 0, "mean"));
        let view = view.having(col("mean").gt(0.0)).unwrap();
        let chosen = table().viewed(&view).unwrap();
        assert_eq!(chosen.words(), [["-3 [-3, 2]", "4 [-33, 34]", "north"]]);
        assert!(chosen.notes()[0].starts_with("rows shown: 1 of 2;"));
    }

    /// A limit is a sentence for people, and the last column for programs, unless a column has its name.
    #[test]
    fn limits_stand_beside_numbers() {
        let limited = table().limited(Some("1 row".into())).in_order(&["mean".into()]);
        assert_eq!((limited.notes(), limited.head().len()), (&["contribution limit: 1 row".to_owned()][..], 3));
        assert_eq!(limited.fields().last(), Some(&column(LIMIT_COLUMN, Kind::Value)));
        assert!(limited.values().iter().all(|row| row.len() == 8 && row[7] == Released::Text("1 row".into())));
        assert_eq!(limited.to_json().matches(r#""contribution limit": "1 row""#).count(), 2);
        let mut named = table();
        named.columns[0].name = LIMIT_COLUMN.into();
        let named = named.limited(Some("1 row".into()));
        assert_eq!((named.fields().len(), named.values()[0].len(), named.notes().len()), (7, 7, 1));
        assert_eq!(table().limited(None), table());
        let plan = r#"{"individuals":"p","steps":[{"make":"bound_rows","max_rows":2},{"make":"count"}]}"#;
        let (said, rows) = (limited.clone().with_limits_of(plan), table().with_limits_of(r#"{"steps":[]}"#));
        assert_eq!((said, rows), (limited, table()));
        let of_plan = Released::List(vec![Released::Integer(7)]).tabulated().with_limits_of(plan);
        assert_eq!(of_plan.notes(), ["contribution limit: of each individual, at most 2 rows count"]);
        let fields: Vec<String> = of_plan.fields().into_iter().map(|field| field.name).collect();
        assert_eq!(fields, ["release", LIMIT_COLUMN]);
    }

    #[test]
    fn releases_of_plans_are_numbers() {
        let list = Released::List(vec![Released::Float(2.5), Released::Integer(7), Released::Text("a".into())]);
        assert_eq!(list.tabulated().words(), [["2.5"], ["7"], ["a"]]);
        let keyed = Released::Keyed(vec![(Released::Text("a".into()), Released::Integer(1))]);
        assert_eq!(
            (keyed.tabulated().head(), keyed.tabulated().words()),
            (vec!["key".into(), "release".into()], vec![vec!["a".into(), "1".into()]])
        );
        assert_eq!(None::<(f64, f64)>.tabulated().to_json(), "[]");
    }
}
