//! Errors of arithmetic: an operation that has no real result, or none that fits the type.

/// Why an operation returned no number. It names the operation and never its operands, which may be private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An operand is not a number.
    #[error("{operation}: an operand is not a number")]
    NotANumber {
        /// The operation that was asked for.
        operation: &'static str,
    },
    /// The operation has no value in the extended reals, such as infinity minus infinity or the logarithm of -1.
    #[error("{operation}: no real value at these operands")]
    Undefined {
        /// The operation that was asked for.
        operation: &'static str,
    },
    /// The value lies outside the range of an integer type, which has no infinity to round to.
    #[error("{operation}: the value does not fit the type")]
    Overflow {
        /// The operation that was asked for.
        operation: &'static str,
    },
    /// An exact conversion was asked for and the value is not representable.
    #[error("{operation}: the value is not representable exactly")]
    Inexact {
        /// The operation that was asked for.
        operation: &'static str,
    },
}

/// A number, or the reason for its absence.
pub type Fallible<T> = Result<T, Error>;
