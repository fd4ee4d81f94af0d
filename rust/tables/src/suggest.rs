//! A schema from a sample that is public.

use crate::{Csv, Error, Result};
use indistinct::frames::{Cell, ColumnDomain, FrameDomain, Kind};
use std::collections::BTreeSet;

/// Some rows of a CSV file, with its header, that anybody may see: made up, published, or of people who agreed to it.
///
/// A schema is public. What is suggested after looking at private rows would say something about them, without noise;
/// so it takes a sample of this name, and rows of the file that is to be protected must not be in it.
#[derive(Clone)]
pub struct PublicSample(String);

impl PublicSample {
    /// A text that is public.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// The greatest number of different texts that are taken for labels, each seen twice on average.
const MAX_LABELS: usize = 20;

const TWICE: &str = "two columns have one name";

fn label(cell: Cell) -> Option<String> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}

/// What a program makes the domain of a column with.
fn code(column: &ColumnDomain) -> String {
    let labels = column.labels().map(|labels| labels.iter().map(|label| format!("{label:?}")).collect::<Vec<_>>());
    let made = match (column.kind(), labels) {
        (Kind::Category, Some(labels)) => format!("category([{}])?", labels.join(", ")),
        (kind, _) => format!("{kind}()"),
    };
    format!("ColumnDomain::{made}{}", if column.has_missing() { ".with_missing()" } else { "" })
}

impl Csv {
    /// A domain for a file like this sample, as a text to put into a program: a proposal, to be read and corrected.
    ///
    /// A column has the narrowest type that all its cells have; all cells may be missing, and there are no bounds.
    ///
    /// ```
    /// use indistinct_tables::{Csv, PublicSample};
    /// let sample = PublicSample::new("id;age;since\n1;30,5;01.02.2020\n2;;17.12.2021\n");
    /// let code = Csv::new().delimiter(b';').decimal(',').format("since", "%d.%m.%Y").suggest(&sample)?;
    /// assert_eq!(code, r#"FrameDomain::new([
    ///     ("id", ColumnDomain::integer().with_missing()),
    ///     ("age", ColumnDomain::float().with_missing()),
    ///     ("since", ColumnDomain::date().with_missing()),
    /// ])?
    /// "#);
    /// # Ok::<(), indistinct_tables::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`read`](Csv::read).
    pub fn suggest(&self, sample: &PublicSample) -> Result<String> {
        let domain = self.suggest_domain(sample)?;
        let line = |(name, column): (&String, &ColumnDomain)| format!("    ({name:?}, {}),\n", code(column));
        let lines = domain.names().iter().zip(domain.columns()).map(line);
        Ok(format!("FrameDomain::new([\n{}])?\n", lines.collect::<String>()))
    }

    /// The same as a domain. It prints as a schema has it.
    ///
    /// # Errors
    ///
    /// As for [`suggest`](Self::suggest).
    pub fn suggest_domain(&self, sample: &PublicSample) -> Result<FrameDomain> {
        let format = &self.format;
        format.check()?;
        let names = match &format.names {
            Some(names) => names.clone(),
            None => format.header(&mut format.blocks(sample.0.as_bytes())?)?.0,
        };
        let columns = names.iter().zip(0..).map(|(name, place)| {
            let column = self.suggested(&names, place, sample)?;
            Ok((name.clone(), column.with_missing()))
        });
        FrameDomain::new(columns.collect::<Result<Vec<_>>>()?).map_err(|_| Error::option("suggest", TWICE))
    }

    /// The narrowest type that all cells of a column have.
    fn suggested(&self, names: &[String], place: usize, sample: &PublicSample) -> Result<ColumnDomain> {
        let texts = self.cells(names, place, ColumnDomain::text(), sample)?;
        let many = texts.len();
        let narrow = [
            ColumnDomain::integer(),
            ColumnDomain::float(),
            ColumnDomain::bool(),
            ColumnDomain::date(),
            ColumnDomain::time(),
        ];
        for column in narrow {
            // A format of dates does not go with numbers, nor always with times.
            let values = self.cells(names, place, column.clone(), sample).unwrap_or_default();
            if !values.is_empty() && values.len() == many {
                return Ok(column);
            }
        }
        let labels: BTreeSet<String> = texts.into_iter().filter_map(label).collect();
        let is_category = !labels.is_empty() && labels.len() <= MAX_LABELS && many >= labels.len().saturating_mul(2);
        let category = ColumnDomain::category(labels).ok().filter(|_| is_category);
        Ok(category.unwrap_or_else(ColumnDomain::text))
    }

    /// The cells of a column that have a value of this type.
    fn cells(&self, names: &[String], place: usize, column: ColumnDomain, sample: &PublicSample) -> Result<Vec<Cell>> {
        let is_dated = matches!(column.kind(), Kind::Date | Kind::Time);
        let of_texts = names.iter().map(|name| (name.clone(), ColumnDomain::text().with_missing()));
        let mut columns: Vec<_> = of_texts.collect();
        if let Some((_, described)) = columns.get_mut(place) {
            *described = column.with_missing();
        }
        let domain = FrameDomain::new(columns).map_err(|_| Error::option("suggest", TWICE))?;
        let mut reader = Csv { format: self.format.clone(), ..Csv::new() };
        reader.format.formats.retain(|(column, _)| is_dated && names.get(place) == Some(column));
        let frame = reader.from_reader(sample.0.as_bytes(), &domain)?;
        let cells = frame.iter().filter_map(|batch| Some((batch.rows(), batch.columns().get(place)?)));
        let cells = cells.flat_map(|(rows, column)| (0..rows).map(|row| column.cell(row)));
        Ok(cells.filter(|cell| !cell.is_missing()).collect())
    }
}
