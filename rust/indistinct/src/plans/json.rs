//! Plans as JSON, one text for each.

use super::{call::refuse, document::Node};
use crate::core::{Error, ErrorKind, Fallible, Parameter, Place};
use indistinct_numeric::read_float;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::{
    collections::HashSet,
    fmt::{self, Write},
};

/// The name of the only entry of a float: its text, so that no parser rounds it.
const FLOAT: &str = "float";

/// The tree that a text says.
pub(super) fn read(text: &str) -> Fallible<Node> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column, message) = (error.line(), error.column(), error.to_string());
        let message = message.trim_end_matches(&format!(" at line {line} column {column}"));
        let place = (line > 0).then(|| Place::new(line, column.max(1)));
        Error::new(ErrorKind::Plan, message).in_text(place)
    })
}

/// The canonical text: without spaces, the entries of tables in the order of their names.
pub(super) fn write(node: &Node) -> Fallible<String> {
    let mut text = String::new();
    write_node(node, &mut text).map_err(|_| refuse("plan", "cannot be written"))?;
    Ok(text)
}

fn write_node(node: &Node, text: &mut String) -> fmt::Result {
    match node {
        Node::Parameter(parameter) => write_parameter(parameter, text),
        Node::List(values) => write_list(values, text, write_node),
        Node::Table(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| name);
            text.push('{');
            for (place, (name, node)) in entries.into_iter().enumerate() {
                text.push_str(if place == 0 { "" } else { "," });
                write_text(name, text)?;
                text.push(':');
                write_node(node, text)?;
            }
            text.push('}');
            Ok(())
        }
    }
}

fn write_parameter(parameter: &Parameter, text: &mut String) -> fmt::Result {
    match parameter {
        Parameter::None => text.write_str("null"),
        Parameter::Bool(value) => write!(text, "{value}"),
        Parameter::Integer(value) => write!(text, "{value}"),
        Parameter::Float(value) => write!(text, "{{\"{FLOAT}\":\"{value:?}\"}}"),
        Parameter::Text(value) => write_text(value, text),
        Parameter::List(values) => write_list(values, text, write_parameter),
    }
}

fn write_list<T>(values: &[T], text: &mut String, one: impl Fn(&T, &mut String) -> fmt::Result) -> fmt::Result {
    text.push('[');
    for (place, value) in values.iter().enumerate() {
        text.push_str(if place == 0 { "" } else { "," });
        one(value, text)?;
    }
    text.push(']');
    Ok(())
}

fn write_text(value: &str, text: &mut String) -> fmt::Result {
    text.write_str(&serde_json::to_string(value).map_err(|_| fmt::Error)?)
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a plan")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Parameter(Parameter::None))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Parameter(Parameter::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Parameter(Parameter::Integer(value)))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Node, E> {
        let value = i64::try_from(value).map_err(|_| E::custom("an integer beyond 64 bits must be written as text"))?;
        Ok(Node::Parameter(Parameter::Integer(value)))
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Node, E> {
        Err(E::custom("a float must be written as text, so that it is not rounded: {\"float\": \"0.1\"}"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Parameter(Parameter::Text(value.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Node, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = values.next_element()? {
            all.push(value);
        }
        Ok(Node::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let (mut all, mut names): (Vec<(String, Node)>, _) = (Vec::new(), HashSet::new());
        while let Some((name, node)) = entries.next_entry::<String, Node>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format!("{name:?} is repeated")));
            }
            all.push((name, node));
        }
        match all.as_slice() {
            [(name, Node::Parameter(Parameter::Text(text)))] if name == FLOAT => {
                let value = read_float(text).ok_or_else(|| A::Error::custom(format!("{text:?} is not a float")))?;
                Ok(Node::Parameter(Parameter::Float(value)))
            }
            _ => Ok(Node::Table(all)),
        }
    }
}
