//! Plans as TOML, for people.

use super::document::Node;
use crate::core::{Error, ErrorKind, Fallible, Parameter, Place};
use indistinct_numeric::read_float;
use std::{fmt::Write, ops::Range};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A text, and its tree, in which places are found again.
pub(super) struct Source<'a> {
    text: &'a str,
    table: Spanned<DeTable<'a>>,
}

impl<'a> Source<'a> {
    /// # Errors
    ///
    /// A text that is not TOML, with its line and column.
    pub(super) fn read(text: &'a str) -> Fallible<Self> {
        let table = DeTable::parse(text).map_err(|error| {
            let place = error.span().map(|span| Place::at(text, span.start));
            Error::new(ErrorKind::Plan, error.message().trim()).in_text(place)
        })?;
        Ok(Self { text, table })
    }

    /// The tree. Columns are a table here, in the order of the text, which counts.
    ///
    /// # Errors
    ///
    /// A value of a type that no plan has, such as a date.
    pub(super) fn node(&self) -> Fallible<Node> {
        let refused =
            |(rule, span): Refused| Error::new(ErrorKind::Plan, rule).in_text(Some(Place::at(self.text, span.start)));
        let mut entries = entries(self.table.get_ref()).map_err(refused)?;
        for (_, node) in entries.iter_mut().filter(|(name, _)| name == "columns") {
            if let Node::Table(columns) = node {
                let pair = |(name, domain)| Node::List(vec![Node::Parameter(Parameter::Text(name)), domain]);
                *node = Node::List(std::mem::take(columns).into_iter().map(pair).collect());
            }
        }
        Ok(Node::Table(entries))
    }

    /// An error of a plan, with the line and column of the place that it begins with.
    pub(super) fn locate(&self, error: &Error) -> Error {
        if error.kind() != ErrorKind::Plan {
            return error.clone();
        }
        let path = error.message().split(": ").next().unwrap_or_default();
        error.clone().in_text(self.find(path).map(|span| Place::at(self.text, span.start)))
    }

    /// Where the value of this path is, or the last that is there on the way to it.
    fn find(&self, path: &str) -> Option<Range<usize>> {
        let (mut found, mut at) = (None, None::<&Spanned<DeValue<'_>>>);
        for part in path.split(['.', '[']).filter(|part| !part.is_empty()) {
            let next = match (part.strip_suffix(']'), at.map(Spanned::get_ref)) {
                (Some(index), Some(DeValue::Array(values))) => {
                    index.parse::<usize>().ok().and_then(|index| values.get(index))
                }
                // Columns, counted in the order of the text.
                (Some(index), Some(DeValue::Table(entries))) => {
                    let mut entries: Vec<_> = entries.iter().collect();
                    entries.sort_by_key(|(name, _)| name.span().start);
                    index.parse::<usize>().ok().and_then(|index| entries.get(index).map(|(_, value)| *value))
                }
                (None, Some(DeValue::Table(entries))) => entries.get(part),
                (None, None) => self.table.get_ref().get(part),
                _ => None,
            };
            let Some(next) = next else { break };
            (found, at) = (Some(next.span()), Some(next));
        }
        found
    }
}

type Refused = (&'static str, Range<usize>);

/// The entries of a table, in the order of the text.
fn entries(table: &DeTable<'_>) -> Result<Vec<(String, Node)>, Refused> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries.into_iter().map(|(name, value)| Ok((name.get_ref().to_string(), node(value)?))).collect()
}

fn node(value: &Spanned<DeValue<'_>>) -> Result<Node, Refused> {
    let parameter = |parameter| Ok(Node::Parameter(parameter));
    let refuse = |rule| Err((rule, value.span()));
    match value.get_ref() {
        DeValue::String(text) => parameter(Parameter::Text(text.to_string())),
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(value) => parameter(Parameter::Integer(value)),
            Err(_) => refuse("an integer beyond 64 bits must be written as text"),
        },
        DeValue::Float(text) => match read_float(text.as_str()) {
            Some(value) => parameter(Parameter::Float(value)),
            None => refuse("must be a number that a 64-bit float can represent"),
        },
        DeValue::Boolean(value) => parameter(Parameter::Bool(*value)),
        DeValue::Datetime(_) => refuse("a date must be written as text"),
        DeValue::Array(values) => Ok(Node::List(values.iter().map(node).collect::<Result<_, _>>()?)),
        DeValue::Table(table) => match entries(table)? {
            entries if is_none(&entries) => parameter(Parameter::None),
            entries => Ok(Node::Table(entries)),
        },
    }
}

/// `{ none = true }`: nothing, for which TOML has no word.
fn is_none(entries: &[(String, Node)]) -> bool {
    matches!(entries, [(name, Node::Parameter(Parameter::Bool(true)))] if name == "none")
}

/// The text of a plan's tree: its head, its columns, and a table for each step.
pub(super) fn write(node: &Node) -> String {
    let mut text = String::new();
    let Node::Table(entries) = node else { return text };
    let (lists, simple): (Vec<_>, Vec<_>) = entries.iter().partition(|(_, node)| matches!(node, Node::List(_)));
    for (name, node) in simple {
        let _ = writeln!(text, "{} = {}", key(name), inline(node));
    }
    for (name, node) in lists {
        let Node::List(values) = node else { continue };
        match name.as_str() {
            "columns" => {
                let _ = writeln!(text, "\n[columns]");
                for value in values {
                    if let Node::List(pair) = value
                        && let [Node::Parameter(Parameter::Text(name)), domain] = pair.as_slice()
                    {
                        let _ = writeln!(text, "{} = {}", key(name), inline(domain));
                    }
                }
            }
            _ => {
                for value in values {
                    let Node::Table(entries) = value else { continue };
                    let _ = writeln!(text, "\n[[{}]]", key(name));
                    for (name, node) in entries {
                        let _ = writeln!(text, "{} = {}", key(name), inline(node));
                    }
                }
            }
        }
    }
    text
}

/// A name, in quotes if it needs them.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { name.into() } else { quoted(name) }
}

/// As JSON writes it, except the one control character that TOML takes in its escaped form only.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn inline(node: &Node) -> String {
    match node {
        Node::Parameter(parameter) => inline_parameter(parameter),
        Node::List(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Node::Table(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(name, node)| format!("{} = {}", key(name), inline(node))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

fn inline_parameter(parameter: &Parameter) -> String {
    match parameter {
        Parameter::None => "{ none = true }".into(),
        Parameter::Bool(value) => value.to_string(),
        Parameter::Integer(value) => value.to_string(),
        Parameter::Float(value) if value.is_nan() => "nan".into(),
        Parameter::Float(value) => format!("{value:?}"),
        Parameter::Text(value) => quoted(value),
        Parameter::List(values) => {
            format!("[{}]", values.iter().map(inline_parameter).collect::<Vec<_>>().join(", "))
        }
    }
}
