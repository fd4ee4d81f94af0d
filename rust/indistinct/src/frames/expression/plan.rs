//! Expressions as a plan stores them.

use super::Expr;
use crate::core::{Parameter, ToParameter};

/// Stores the whole text, from which the expression can be parsed again. Different expressions have different texts.
impl ToParameter for Expr {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text(format!("{self:#}"))
    }
}
