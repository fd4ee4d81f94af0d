//! Expressions as a plan stores them.

use super::{Expr, Form};
use crate::core::{Parameter, ToParameter};

/// A list: the name of what is computed, then its parts. Different expressions differ in it.
impl ToParameter for Expr {
    fn to_parameter(&self) -> Parameter {
        let named = |name: &str, parts: Vec<Parameter>| {
            Parameter::List([Parameter::Text(name.to_owned())].into_iter().chain(parts).collect())
        };
        match &*self.form {
            Form::Column(name) => named("column", vec![name.to_parameter()]),
            Form::Literal(cell) => named("literal", vec![cell.to_parameter()]),
            Form::Unary(operation, part) => named(operation.symbol().trim_end(), vec![part.to_parameter()]),
            Form::Binary(operation, left, right) => {
                named(operation.symbol(), vec![left.to_parameter(), right.to_parameter()])
            }
            Form::When(condition, then, otherwise) => {
                named("when", [condition, then, otherwise].map(Expr::to_parameter).into())
            }
            Form::Cast(part, domain) => named("cast", vec![part.to_parameter(), domain.to_parameter()]),
            Form::Bins(part, edges) => named("bins", vec![part.to_parameter(), edges.to_parameter()]),
            Form::Lookup(keys, table) => {
                named("lookup", vec![keys.to_parameter(), table.rows.to_parameter(), table.otherwise.to_parameter()])
            }
            Form::TooLarge => named("too large", Vec::new()),
        }
    }
}
