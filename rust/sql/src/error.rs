//! Errors of statements.

use sqlparser::{ast::Spanned, parser::ParserError};
use std::fmt;

/// The reason that a statement is refused, and its position.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Error {
    /// The line, counted from 1; 0 if the position is unknown.
    pub line: u64,
    /// The column, counted from 1; 0 if the position is unknown.
    pub column: u64,
    /// The message.
    pub message: String,
}

impl Error {
    /// Makes an error at the first character of a part of the statement.
    pub(crate) fn at(part: &impl Spanned, message: impl Into<String>) -> Self {
        let start = part.span().start;
        Self { line: start.line, column: start.column, message: message.into() }
    }

    pub(crate) fn somewhere(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into() }
    }

    /// Makes an error from the parser's, whose message ends with the position.
    pub(crate) fn of_parser(error: ParserError) -> Self {
        let message = match error {
            ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
            ParserError::RecursionLimitExceeded => "is nested too deeply".into(),
        };
        let place = message.rsplit_once(" at Line: ").and_then(|(what, place)| {
            let (line, column) = place.split_once(", Column: ")?;
            Some(Self { line: line.parse().ok()?, column: column.trim().parse().ok()?, message: what.into() })
        });
        place.unwrap_or_else(|| Self::somewhere(message))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}, column {}: {}", self.column, self.message),
        }
    }
}

/// Writes the sentence, which a program that ends with this error prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
