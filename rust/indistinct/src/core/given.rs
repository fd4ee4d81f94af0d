//! The parameters of a step that is rebuilt from a plan.

use super::{Error, ErrorKind, Fallible, Parameter};
use std::cell::Cell;

/// The parameters of one step, by name.
pub(crate) struct Given<'a> {
    parameters: &'a [(String, Parameter)],
    /// The number of parameters read without an error. If several ways to call a constructor fail, the one that read
    /// most supplies the error.
    read: Cell<usize>,
}

impl<'a> Given<'a> {
    pub(crate) fn new(parameters: &'a [(String, Parameter)]) -> Self {
        Self { parameters, read: Cell::new(0) }
    }

    /// Reads the parameter of this name.
    pub(crate) fn read<T: FromParameter>(&self, name: &str) -> Fallible<T> {
        let value = match self.raw(name) {
            Some(parameter) => T::from_parameter(parameter),
            None => T::absent().ok_or_else(|| Unreadable { path: String::new(), rule: "is missing".into() }),
        };
        let Unreadable { path, rule } = match value {
            Ok(value) => {
                self.read.set(self.read.get().saturating_add(1));
                return Ok(value);
            }
            Err(error) => error,
        };
        Err(Error::new(ErrorKind::Plan, format!("{name}{path}: {rule}")))
    }

    /// Returns the stored parameter of this name.
    pub(crate) fn raw(&self, name: &str) -> Option<&'a Parameter> {
        self.parameters.iter().find(|(given, _)| given == name).map(|(_, parameter)| parameter)
    }

    /// Returns the number of parameters read since the last call.
    pub(crate) fn take_read(&self) -> usize {
        self.read.take()
    }
}

/// Types that can be read from a stored parameter.
///
/// Promise: the result of a value's `to_parameter` is read as an equal value.
pub(crate) trait FromParameter: Sized {
    fn from_parameter(parameter: &Parameter) -> Read<Self>;

    /// Returns the value of an absent parameter.
    fn absent() -> Option<Self> {
        None
    }
}

/// The reason that a parameter does not have a type: the position in it, such as `[2]`, and the rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unreadable {
    pub(crate) path: String,
    pub(crate) rule: String,
}

impl Unreadable {
    pub(crate) fn here(rule: impl Into<String>) -> Self {
        Self { path: String::new(), rule: rule.into() }
    }

    pub(crate) fn at(self, index: usize) -> Self {
        Self { path: format!("[{index}]{}", self.path), ..self }
    }
}

pub(crate) type Read<T> = Result<T, Unreadable>;
