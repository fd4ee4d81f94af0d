//! The text form of domains of columns and tables, and its parser.

use super::{
    domain::{ColumnDomain, FrameDomain, Values},
    tokens::{Token, Tokens},
};
use crate::{
    core::{Error, Fallible},
    domains::{Atom, AtomDomain},
};
use std::{fmt, str::FromStr, sync::Arc};

impl fmt::Debug for ColumnDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind())?;
        let mut facts = Vec::new();
        match self.values() {
            Values::Float(floats) => {
                facts.extend(floats.bounds().map(|(lower, upper)| format!("{lower:?}..={upper:?}")))
            }
            Values::Integer(integers) => {
                facts.extend(integers.bounds().map(|(lower, upper)| format!("{lower}..={upper}")));
            }
            Values::Category(labels) => facts.extend(labels.iter().map(|label| format!("{label:?}"))),
            _ => {}
        }
        facts.extend(self.has_missing().then(|| "missing".to_owned()));
        if facts.is_empty() { Ok(()) } else { write!(f, "({})", facts.join(", ")) }
    }
}

/// Parses the text that `Debug` writes: `integer(0..=120, missing)`, `category("a", "b")`, `text`.
///
/// ```
/// use indistinct::frames::ColumnDomain;
/// let age: ColumnDomain = "integer(0..=120, missing)".parse()?;
/// assert_eq!(age, ColumnDomain::integer().with_bounds(0.0, 120.0)?.with_missing());
/// let error = "category(37)".parse::<ColumnDomain>().unwrap_err();
/// assert_eq!(error.to_string(), "parameter domain: at character 10: expected text in quotes");
/// # Ok::<(), indistinct::core::Error>(())
/// ```
impl FromStr for ColumnDomain {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let mut tokens = Tokens::of("domain", text)?;
        let domain = Self::read(&mut tokens)?;
        tokens.end()?;
        Ok(domain)
    }
}

impl ColumnDomain {
    /// Reads the next domain.
    pub(super) fn read(tokens: &mut Tokens) -> Fallible<Self> {
        let (at, kind) = (tokens.at(), tokens.peek().cloned());
        let mut values = match &kind {
            Some(Token::Word(kind)) => match kind.as_str() {
                "float" => Values::Float(AtomDomain::f64()),
                "integer" => Values::Integer(AtomDomain::i64()),
                "bool" => Values::Bool,
                "text" => Values::Text,
                "category" => Values::Category(Arc::default()),
                "date" => Values::Date,
                "time" => Values::Time,
                _ => return Err(tokens.refuse(KINDS)),
            },
            _ => return Err(tokens.refuse(KINDS)),
        };
        tokens.next();
        let (mut labels, mut missing) = (Vec::new(), false);
        if tokens.is_sign("(") {
            tokens.list(("(", ")"), |tokens| {
                if missing {
                    return Err(tokens.refuse("expected `)` after `missing`"));
                }
                if tokens.takes_word("missing") {
                    missing = true;
                    return Ok(());
                }
                match &mut values {
                    Values::Float(floats) if floats.bounds().is_none() => {
                        *floats = bounded(tokens, floats, Tokens::float)?;
                    }
                    Values::Integer(integers) if integers.bounds().is_none() => {
                        *integers = bounded(tokens, integers, Tokens::integer)?;
                    }
                    Values::Category(_) => labels.push(tokens.text()?),
                    _ => return Err(tokens.refuse("expected `missing`")),
                }
                Ok(())
            })?;
        }
        let domain = match values {
            Values::Category(_) => tokens.made(at, Self::category(labels))?,
            values => Self::of(values),
        };
        Ok(if missing { domain.with_missing() } else { domain })
    }
}

const KINDS: &str = "expected a type: float, integer, bool, text, category, date or time";

/// Reads two bounds, and makes the domain between them.
fn bounded<T: Atom>(
    tokens: &mut Tokens,
    numbers: &AtomDomain<T>,
    number: impl Fn(&mut Tokens) -> Fallible<T>,
) -> Fallible<AtomDomain<T>> {
    let (at, lower) = (tokens.at(), number(tokens)?);
    tokens.expect("..=")?;
    let upper = number(tokens)?;
    tokens.made(at, numbers.clone().with_bounds((lower, upper)))
}

impl fmt::Debug for FrameDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> =
            self.names().iter().zip(self.columns()).map(|(name, column)| format!("{name:?}: {column:?}")).collect();
        write!(f, "FrameDomain({}", columns.join(", "))?;
        if let Some(name) = self.individuals() {
            write!(f, "; individuals {name:?}{}", if self.has_individuals_or_null() { " or rows" } else { "" })?;
        }
        if let Some(rows) = self.size() {
            write!(f, "; {rows} rows")?;
        }
        f.write_str(")")
    }
}

/// Parses the text that `Debug` writes.
///
/// ```
/// use indistinct::frames::{ColumnDomain, FrameDomain};
/// let text = r#"FrameDomain("id": integer, "city": text(missing); individuals "id"; 500 rows)"#;
/// let domain: FrameDomain = text.parse()?;
/// let columns = [("id", ColumnDomain::integer()), ("city", ColumnDomain::text().with_missing())];
/// assert_eq!(domain, FrameDomain::new(columns)?.with_individuals("id")?.with_size(500));
/// assert_eq!(format!("{domain:?}"), text);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
impl FromStr for FrameDomain {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let mut tokens = Tokens::of("domain", text)?;
        tokens.expect_word("FrameDomain")?;
        let (at, mut columns) = (tokens.at(), Vec::new());
        tokens.expect("(")?;
        while !tokens.is_sign(";") && !tokens.is_sign(")") {
            if !columns.is_empty() {
                tokens.expect(",")?;
            }
            let name = tokens.text()?;
            tokens.expect(":")?;
            columns.push((name, ColumnDomain::read(&mut tokens)?));
        }
        let mut domain = tokens.made(at, Self::new(columns))?;
        while tokens.takes(";") {
            let at = tokens.at();
            let is_first = domain.individuals().is_none() && domain.size().is_none();
            if is_first && tokens.takes_word("individuals") {
                let name = tokens.text()?;
                let named = if tokens.takes_word("or") {
                    tokens.expect_word("rows")?;
                    domain.with_individuals_or_null(&name)
                } else {
                    domain.with_individuals(&name)
                };
                domain = tokens.made(at, named)?;
            } else if domain.size().is_none() {
                domain = domain.with_size(tokens.integer()?);
                tokens.expect_word("rows")?;
            } else {
                return Err(tokens.refuse("expected `)` after the number of rows"));
            }
        }
        tokens.expect(")")?;
        tokens.end()?;
        Ok(domain)
    }
}
