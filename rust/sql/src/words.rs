//! The words of a statement with their positions, for messages about parts that the parser does not keep.

use crate::error::{Error, place};
use indistinct::{core::Place, queries::Query};
use sqlparser::{
    keywords::Keyword,
    tokenizer::{Token, TokenWithSpan},
};

/// A word or a sign of a statement.
struct Word {
    text: String,
    /// True if it is a keyword of SQL.
    is_keyword: bool,
    place: Option<Place>,
}

/// The words and signs of a statement in their order.
pub(crate) struct Words(Vec<Word>);

impl Words {
    pub(crate) fn of(tokens: &[TokenWithSpan]) -> Self {
        let word = |token: &TokenWithSpan| {
            let (text, is_keyword) = match &token.token {
                Token::Whitespace(_) => return None,
                Token::Word(word) => {
                    (word.value.clone(), word.quote_style.is_none() && word.keyword != Keyword::NoKeyword)
                }
                other => (other.to_string(), false),
            };
            Some(Word { text, is_keyword, place: place(token.span.start) })
        };
        Self(tokens.iter().filter_map(word).collect())
    }

    /// Returns the words up to a position, the last of which is at that position.
    fn up_to(&self, error: &Error) -> impl Iterator<Item = &Word> {
        let place = error.place;
        self.0.iter().rev().skip_while(move |word| word.place > place)
    }

    /// Adds a hint to an error of the parser, if the word at its position or before it is the name of a column.
    pub(crate) fn quoted(&self, error: Error, tables: &[(&str, Query)]) -> Error {
        for word in self.up_to(&error).take(2).filter(|word| word.is_keyword) {
            let has = |(_, query): &&(&str, Query)| query.domain().column(&word.text).is_ok();
            if let Some((table, _)) = tables.iter().find(has) {
                let message = column_of(&word.text, table);
                return Error { place: word.place, message };
            }
        }
        error
    }
}

/// Returns the way to write a column whose name is a keyword of SQL.
pub(crate) fn column_of(name: &str, table: &str) -> String {
    format!("{name:?} is a column of {table} and a keyword of SQL: write it in double quotes")
}
