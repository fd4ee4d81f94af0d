//! Errors of arithmetic: an operation without a real result, or with a result that does not fit the type.

/// The reason that an operation returned no number. It names the operation and never its operands, which may be
/// private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An operand is not a number.
    #[error("{operation}: an operand is not a number")]
    NotANumber {
        /// The name of the operation.
        operation: &'static str,
    },
    /// The operation has no value in the extended reals, such as infinity minus infinity or the logarithm of -1.
    #[error("{operation}: no real number is the result for these operands")]
    Undefined {
        /// The name of the operation.
        operation: &'static str,
    },
    /// The value lies outside the range of an integer type, which has no infinity to round to.
    #[error("{operation}: the value does not fit the type")]
    Overflow {
        /// The name of the operation.
        operation: &'static str,
    },
    /// An exact conversion was requested, and the value is not representable.
    #[error("{operation}: the value is not representable exactly")]
    Inexact {
        /// The name of the operation.
        operation: &'static str,
    },
}

/// A result with this crate's error type.
pub type Fallible<T> = Result<T, Error>;
