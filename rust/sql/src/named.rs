//! The names of tables in a statement.

use crate::error::Error;
use sqlparser::ast::{ObjectNamePart, TableFactor};

/// A table in a statement.
pub(crate) struct Table {
    pub(crate) name: String,
    /// The alias given in the statement.
    pub(crate) alias: Option<String>,
}

/// Returns the name and the alias of a table, if there is nothing else.
pub(crate) fn named(relation: &TableFactor) -> Result<Table, Error> {
    if let TableFactor::Table { name, alias, .. } = relation
        && let [ObjectNamePart::Identifier(table)] = name.0.as_slice()
    {
        let alias_text = alias.as_ref().map(|alias| alias.name.value.clone());
        if let Some(alias) = alias.as_ref().filter(|alias| {
            let shown = alias.to_string();
            shown != alias.name.to_string() && shown != format!("AS {}", alias.name)
        }) {
            return Err(Error::at(
                relation,
                format!("the alias {alias} must be a name for the table alone, without columns"),
            ));
        }
        let shown = [table.to_string()].into_iter().chain(alias.as_ref().map(ToString::to_string));
        let shown: Vec<String> = shown.collect();
        if relation.to_string() == shown.join(" ") || relation.to_string() == shown.join(" AS ") {
            return Ok(Table { name: table.value.clone(), alias: alias_text });
        }
    }
    Err(Error::at(relation, format!("{relation} is not a table")))
}
