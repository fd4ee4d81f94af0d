//! Errors of statements.

use indistinct::core::Place;
use sqlparser::{ast::Spanned, parser::ParserError, tokenizer::Location};
use std::fmt;

/// The reason that a statement is refused, and its position.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Error {
    /// The position in the statement, if it is known.
    pub place: Option<Place>,
    /// The message.
    pub message: String,
}

/// The position of a location, which is 0 if the parser knows none.
pub(crate) fn place(at: Location) -> Option<Place> {
    let [line, column] = [at.line, at.column].map(usize::try_from);
    Some(Place::new(line.ok().filter(|line| *line > 0)?, column.ok()?))
}

impl Error {
    /// Makes an error at the first character of a part of the statement.
    pub(crate) fn at(part: &impl Spanned, message: impl Into<String>) -> Self {
        Self { place: place(part.span().start), message: message.into() }
    }

    pub(crate) fn somewhere(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    /// Makes an error from the parser's, whose message ends with the position.
    pub(crate) fn of_parser(error: ParserError) -> Self {
        let message = match error {
            ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
            ParserError::RecursionLimitExceeded => "is nested too deeply".into(),
        };
        let place = message.rsplit_once(" at Line: ").and_then(|(what, place)| {
            let (line, column) = place.split_once(", Column: ")?;
            let place = Place::new(line.parse().ok()?, column.trim().parse().ok()?);
            Some(Self { place: Some(place), message: what.into() })
        });
        place.unwrap_or_else(|| Self::somewhere(message))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.map_or(Ok(()), |place| write!(f, "{place}: "))?;
        f.write_str(&self.message)
    }
}

/// Writes the sentence, which a program that ends with this error prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
