//! The parser of expressions.

use super::{
    Binary, Expr, Form, MAX_DEPTH, Unary, col, lit,
    table::Table,
    text::{Level, is_plain},
    text_key, too_large, when,
};
use crate::{
    core::{Error, Fallible},
    frames::{
        Cell, ColumnDomain,
        tokens::{Token, Tokens},
    },
};
use std::{
    ops::{Neg, Not},
    str::FromStr,
    sync::Arc,
};

/// The maximum nesting of parts and parentheses, so that no text exhausts the stack. A printed expression nests at most
/// twice for each operation, the part and its parentheses, plus once for itself.
const MAX_NESTING: usize = 2 * MAX_DEPTH + 20;

/// Parses the text that [`Display`](std::fmt::Display) writes.
///
/// Operators bind as usual, from the weakest: `or`, `and`, `not`, comparisons, `+ -`, `* /`. Functions have the names
/// of the methods: `fill_null(age, 0)`, `cast(age, text)`, `cut(age, [18, 65])`. A column whose name is not a word, or
/// is a reserved word, is written `col("…")`. Values are `1`, `1.0`, `"text"`, `true`, `missing`, `inf`; a text
/// combined with a column of dates or times is read as a date or time. `x in ["a", "b"]` is [`is_in`](Expr::is_in), and
/// `clamp(x, 0, 1)` is [`clamp`](Expr::clamp).
///
/// # Errors
///
/// Returns an error with the position, in characters from 1, if the text cannot be parsed or has too many parts.
///
/// ```
/// use indistinct::frames::{Expr, col, lit};
/// let text = r#"fill_null(age, 0) >= 18 and not (city == "Bern" or hours * 2 < 1.5)"#;
/// let same = col("age").fill_null(0).ge(18) & !(col("city").eq("Bern") | (col("hours") * 2).lt(1.5));
/// assert_eq!(text.parse::<Expr>()?, same);
/// let error = "age >= ".parse::<Expr>().unwrap_err();
/// assert_eq!(error.to_string(), "parameter expression: at character 8: expected a value");
/// # Ok::<(), indistinct::core::Error>(())
/// ```
impl FromStr for Expr {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let mut tokens = Tokens::of("expression", text)?;
        let expression = Parser { tokens: &mut tokens, nesting: 0 }.expression(Level::Or)?;
        tokens.end()?;
        if matches!(&*expression.form, Form::TooLarge) {
            return Err(too_large());
        }
        Ok(expression)
    }
}

/// Parses a name, and the expressions in parentheses after it.
pub(in crate::frames) fn call(text: &str) -> Fallible<(String, Vec<Expr>)> {
    let mut tokens = Tokens::of("expression", text)?;
    let Some(Token::Word(name)) = tokens.next() else { return Err(tokens.refuse("expected a name")) };
    tokens.expect("(")?;
    let parts = Parser { tokens: &mut tokens, nesting: 0 }.parts()?;
    tokens.expect(")")?;
    tokens.end()?;
    Ok((name, parts))
}

/// Parses the values of a [`text_key`] from its text.
///
/// # Errors
///
/// Returns an error if the text is not a key.
pub fn read_text_key(text: &str) -> Fallible<Vec<Cell>> {
    let mut tokens = Tokens::of("text_key", text)?;
    let cells = tokens.list(("(", ")"), cell)?;
    tokens.end()?;
    if cells.is_empty() || cells.iter().any(|cell| matches!(cell, Cell::Float(_))) {
        return Err(Error::parameter("text_key", "must contain at least one value, and no floats"));
    }
    Ok(cells)
}

enum Operator {
    Binary(Binary),
    /// Comes before a list in brackets.
    In,
}

/// The first token of a value.
enum Start {
    Not,
    Negative,
    Parenthesis,
    /// The name of a function, and its position.
    Call(String, usize),
    Value(Expr),
}

struct Parser<'a> {
    tokens: &'a mut Tokens,
    nesting: usize,
}

// What calls itself keeps little on the stack: what is done with the parts are functions of their own.
impl Parser<'_> {
    /// Parses an expression whose operators bind at least this strongly.
    fn expression(&mut self, least: Level) -> Fallible<Expr> {
        self.enter()?;
        let mut left = self.first(least)?;
        while let Some((operator, level)) = self.operator(least) {
            left = self.joined(left, operator, level)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn enter(&mut self) -> Fallible<()> {
        self.nesting += 1;
        match self.nesting {
            0..=MAX_NESTING => Ok(()),
            _ => Err(self.tokens.refuse("parts are nested too deeply")),
        }
    }

    fn joined(&mut self, left: Expr, operator: Operator, level: Level) -> Fallible<Expr> {
        let joined = match operator {
            Operator::Binary(operation) => binary(operation, left, self.expression(level.above())?),
            Operator::In => left.is_in(self.tokens.list(("[", "]"), cell)?),
        };
        self.check_comparison(level).map(|()| joined)
    }

    /// Returns the next operator, if it binds at least this strongly.
    fn operator(&mut self, least: Level) -> Option<(Operator, Level)> {
        let found = self.peek_operator().filter(|(_, level)| *level >= least)?;
        self.tokens.next();
        Some(found)
    }

    fn peek_operator(&self) -> Option<(Operator, Level)> {
        let symbol = match self.tokens.peek()? {
            Token::Word(word) if word == "in" => return Some((Operator::In, Level::Comparison)),
            Token::Word(word) => word.as_str(),
            Token::Sign(sign) => sign,
            _ => return None,
        };
        let operation = Binary::ALL.into_iter().find(|operation| operation.symbol() == symbol)?;
        Some((Operator::Binary(operation), operation.level()?))
    }

    /// Returns an error if a comparison follows another comparison.
    fn check_comparison(&self, level: Level) -> Fallible<()> {
        if level == Level::Comparison && self.peek_operator().is_some_and(|(_, next)| next == level) {
            return Err(self.tokens.refuse("put a comparison of a comparison in parentheses"));
        }
        Ok(())
    }

    fn first(&mut self, least: Level) -> Fallible<Expr> {
        match self.start(least)? {
            Start::Not => self.expression(Level::Not).map(Expr::not),
            Start::Negative => self.expression(Level::Negative).map(Expr::neg),
            Start::Parenthesis => {
                let inner = self.expression(Level::Or)?;
                self.tokens.expect(")").map(|()| inner)
            }
            Start::Call(name, at) => self.call(&name, at),
            Start::Value(value) => Ok(value),
        }
    }

    fn start(&mut self, least: Level) -> Fallible<Start> {
        if least <= Level::Not && self.tokens.takes_word("not") {
            return Ok(Start::Not);
        }
        let is_infinite = self.tokens.peek_second() == Some(&Token::Word("inf".into()));
        if !is_infinite && self.tokens.takes("-") {
            return Ok(Start::Negative);
        }
        if self.tokens.takes("(") {
            return Ok(Start::Parenthesis);
        }
        let at = self.tokens.at();
        match (self.tokens.peek().cloned(), self.tokens.peek_second()) {
            (Some(Token::Word(name)), Some(Token::Sign("("))) => {
                self.tokens.next();
                self.tokens.next();
                Ok(Start::Call(name, at))
            }
            (Some(Token::Word(name)), _) if is_plain(&name) => {
                self.tokens.next();
                Ok(Start::Value(col(&name)))
            }
            _ => Ok(Start::Value(lit(cell(self.tokens)?))),
        }
    }

    /// Parses a call of the function with this name, at this position in the text.
    fn call(&mut self, name: &str, at: usize) -> Fallible<Expr> {
        let parts = match name {
            "col" => Vec::new(),
            "clamp" | "cast" | "cut" => vec![self.expression(Level::Or)?],
            "lookup" => self.keys()?,
            _ => self.parts()?,
        };
        self.called(name, at, parts)
    }

    fn keys(&mut self) -> Fallible<Vec<Expr>> {
        self.tokens.expect("(")?;
        let keys = self.parts()?;
        self.tokens.expect(")").map(|()| keys)
    }

    /// Parses expressions separated by commas, up to a closing parenthesis.
    fn parts(&mut self) -> Fallible<Vec<Expr>> {
        let mut parts = Vec::new();
        while !self.tokens.is_sign(")") {
            if !parts.is_empty() {
                self.tokens.expect(",")?;
            }
            parts.push(self.expression(Level::Or)?);
        }
        Ok(parts)
    }

    /// Applies the function to these parts and to its other arguments in the parentheses.
    fn called(&mut self, name: &str, at: usize, parts: Vec<Expr>) -> Fallible<Expr> {
        let unary = Unary::FUNCTIONS.into_iter().find(|operation| operation.symbol() == name);
        let operation = Binary::ALL.into_iter().find(|one| one.symbol() == name && one.level().is_none());
        let called = match (name, unary, operation) {
            (_, Some(operation), _) => {
                let [part] = self.exactly(at, parts)?;
                Expr::new(Form::Unary(operation, part))
            }
            (_, _, Some(operation)) => {
                let [left, right] = self.exactly(at, parts)?;
                binary(operation, left, right)
            }
            ("when", ..) => {
                let [condition, then, otherwise] = self.exactly(at, parts)?;
                when(condition, then, otherwise)
            }
            ("text_key", ..) => text_key(parts),
            ("col", ..) => col(&self.tokens.text()?),
            ("lookup", ..) => {
                self.tokens.expect(",")?;
                Expr::new(Form::Lookup(parts, Arc::new(table(self.tokens)?)))
            }
            ("clamp", ..) => {
                let (part, lower) = (self.before_comma(at, parts)?, cell(self.tokens)?);
                self.tokens.expect(",")?;
                part.clamp(lower, cell(self.tokens)?)
            }
            ("cast", ..) => self.before_comma(at, parts)?.cast(ColumnDomain::read(self.tokens)?),
            ("cut", ..) => self.before_comma(at, parts)?.cut(self.tokens.list(("[", "]"), edge)?),
            _ => return Err(self.tokens.refuse_at(at, &format!("unknown function {name:?}"))),
        };
        self.tokens.expect(")")?;
        Ok(called)
    }

    fn before_comma(&mut self, at: usize, parts: Vec<Expr>) -> Fallible<Expr> {
        let [part] = self.exactly(at, parts)?;
        self.tokens.expect(",")?;
        Ok(part)
    }

    /// Returns exactly `N` parts of the function at this position, or an error.
    fn exactly<const N: usize>(&self, at: usize, parts: Vec<Expr>) -> Fallible<[Expr; N]> {
        let rule =
            |parts: Vec<Expr>| format!("expected {N} argument{}, not {}", if N == 1 { "" } else { "s" }, parts.len());
        parts.try_into().map_err(|parts| self.tokens.refuse_at(at, &rule(parts)))
    }
}

fn binary(operation: Binary, left: Expr, right: Expr) -> Expr {
    Expr::new(Form::Binary(operation, left, right))
}

/// Parses an edge of bins. A missing edge is an error when a step is made.
fn edge(tokens: &mut Tokens) -> Fallible<f64> {
    if tokens.takes_word("missing") { Ok(f64::NAN) } else { tokens.float() }
}

/// Parses a single value.
fn cell(tokens: &mut Tokens) -> Fallible<Cell> {
    let cell = match tokens.peek() {
        Some(Token::Integer(_)) => return tokens.integer().map(Cell::Integer),
        Some(Token::Text(text)) => Cell::Text(text.clone()),
        Some(Token::Word(word)) if word == "true" => Cell::Bool(true),
        Some(Token::Word(word)) if word == "false" => Cell::Bool(false),
        Some(Token::Word(word)) if word == "missing" => Cell::Missing,
        _ => return tokens.float().map(Cell::Float).map_err(|_| tokens.refuse("expected a value")),
    };
    tokens.next();
    Ok(cell)
}

/// Parses a table, such as `{(1, "a"): 2, else missing}`.
fn table(tokens: &mut Tokens) -> Fallible<Table> {
    tokens.expect("{")?;
    let mut rows = Vec::new();
    while !tokens.takes_word("else") {
        let key = tokens.list(("(", ")"), cell)?;
        tokens.expect(":")?;
        rows.push((key, cell(tokens)?));
        tokens.expect(",")?;
    }
    let otherwise = cell(tokens)?;
    tokens.expect("}")?;
    Ok(Table::new(rows, otherwise))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        frames::{Column, Frame, FrameDomain, make_with_columns},
        prelude::*,
    };

    /// Different keys have different texts, and a text gives its key back.
    #[test]
    fn keys_are_read_back() {
        let texts = ["a", "b", "a\", \"b", "a, b", "(", "missing", "1", "", "\n\u{202e}é"];
        let parts: Vec<Option<&str>> = texts.into_iter().map(Some).chain([None]).collect();
        let pairs: Vec<(Option<&str>, Option<i64>)> =
            parts.iter().flat_map(|part| [Some(1), Some(-1), None].map(|number| (*part, number))).collect();
        let (text, number) = (ColumnDomain::text().with_missing(), ColumnDomain::integer().with_missing());
        let day = ColumnDomain::date();
        let domain = FrameDomain::new([("text", text), ("number", number), ("day", day)]).unwrap();
        let key = text_key([col("text"), col("number"), col("day"), lit(true)]);
        let step = make_with_columns(domain, SymmetricDistance, vec![("key", key)]).unwrap();
        assert!(!step.output_domain().column("key").unwrap().has_missing());
        let frame = Frame::new([
            ("text", pairs.iter().map(|(text, _)| *text).collect::<Column>()),
            ("number", pairs.iter().map(|(_, number)| *number).collect()),
            ("day", pairs.iter().map(|_| 20_000i64).collect()),
        ])
        .unwrap();
        let out = step.invoke(&frame).unwrap();
        let cells: Vec<Vec<Cell>> = out
            .iter()
            .flat_map(|batch| (0..batch.rows()).map(|row| batch.columns()[3].cell(row)).collect::<Vec<_>>())
            .map(|cell| match cell {
                Cell::Text(text) => read_text_key(&text).unwrap(),
                other => panic!("{other}"),
            })
            .collect();
        let expected: Vec<Vec<Cell>> = pairs
            .iter()
            .map(|(text, number)| vec![(*text).into(), (*number).into(), "2024-10-04".into(), true.into()])
            .collect();
        assert_eq!(cells, expected);
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "(", "()", "()x", "1", "(a)", "(1", "(1,,2)", "(1.5)", "(inf)"] {
            assert!(read_text_key(text).is_err(), "{text}");
        }
        let domain = || FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
        for key in [text_key([]), text_key([col("x")]), text_key([col("y")])] {
            assert!(make_with_columns(domain(), SymmetricDistance, vec![("key", key)]).is_err());
        }
    }
}
