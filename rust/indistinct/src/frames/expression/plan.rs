//! Expressions as a plan stores them.

use super::Expr;
use crate::core::{Parameter, ToParameter};

/// The whole text, from which the expression can be read again. Different expressions differ in it.
impl ToParameter for Expr {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text(format!("{self:#}"))
    }
}
