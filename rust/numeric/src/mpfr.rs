//! The reference: every operation on f64 by MPFR with directed rounding.
//!
//! MPFR rounds the real result once, in the given direction, to 53 bits with a practically unbounded exponent. The
//! conversion to f64 rounds once more in the same direction, which matters only for subnormals and overflow. Rounding
//! twice in one direction onto nested grids equals rounding once onto the coarser one, so each function returns exactly
//! the f64 next to the real result on the chosen side.
//!
//! The methods of [`RoundedArithmetic`](crate::RoundedArithmetic) return the same bits faster where they can; these
//! functions are their reference in tests.

use crate::{Direction, Error, Fallible};
use rug::{
    Float,
    float::Round,
    ops::{AssignRound, Pow},
};
use std::cmp::Ordering;

const PRECISION: u32 = f64::MANTISSA_DIGITS;

/// Returns an operand as an exact MPFR number; `-0.0` becomes `0.0`.
fn operand(x: f64, operation: &'static str) -> Fallible<Float> {
    if x.is_nan() {
        return Err(Error::NotANumber { operation });
    }
    Ok(Float::with_val(PRECISION, x + 0.0))
}

/// Evaluates an MPFR expression and converts the result to f64, both rounded in the same direction.
fn evaluate<E>(expression: E, direction: Direction, operation: &'static str) -> Fallible<f64>
where
    Float: AssignRound<E, Round = Round, Ordering = Ordering>,
{
    let round = direction.round();
    let (value, _) = Float::with_val_round(PRECISION, expression, round);
    let value = value.to_f64_round(round);
    if value.is_nan() {
        return Err(Error::Undefined { operation });
    }
    Ok(value + 0.0)
}

/// Returns `x + y`.
pub fn add(x: f64, y: f64, direction: Direction) -> Fallible<f64> {
    let (x, y) = (operand(x, "add")?, operand(y, "add")?);
    evaluate(&x + &y, direction, "add")
}

/// Returns `x - y`.
pub fn sub(x: f64, y: f64, direction: Direction) -> Fallible<f64> {
    let (x, y) = (operand(x, "sub")?, operand(y, "sub")?);
    evaluate(&x - &y, direction, "sub")
}

/// Returns `x * y`.
pub fn mul(x: f64, y: f64, direction: Direction) -> Fallible<f64> {
    let (x, y) = (operand(x, "mul")?, operand(y, "mul")?);
    evaluate(&x * &y, direction, "mul")
}

/// Returns `x / y`; for `y = 0`, the infinity with the sign of `x`.
pub fn div(x: f64, y: f64, direction: Direction) -> Fallible<f64> {
    let (x, y) = (operand(x, "div")?, operand(y, "div")?);
    evaluate(&x / &y, direction, "div")
}

/// Returns `x` to the integer power `exponent`.
pub fn powi(x: f64, exponent: i32, direction: Direction) -> Fallible<f64> {
    let x = operand(x, "powi")?;
    evaluate((&x).pow(exponent), direction, "powi")
}

/// Returns `x` to the power `exponent`, for `x >= 0`.
pub fn powf(x: f64, exponent: f64, direction: Direction) -> Fallible<f64> {
    let operation = "powf";
    let (x, exponent) = (operand(x, operation)?, operand(exponent, operation)?);
    if x < 0 {
        return Err(Error::Undefined { operation });
    }
    evaluate((&x).pow(&exponent), direction, operation)
}

/// Returns the square root of `x`.
pub fn sqrt(x: f64, direction: Direction) -> Fallible<f64> {
    evaluate(operand(x, "sqrt")?.sqrt_ref(), direction, "sqrt")
}

/// Returns `e^x`.
pub fn exp(x: f64, direction: Direction) -> Fallible<f64> {
    evaluate(operand(x, "exp")?.exp_ref(), direction, "exp")
}

/// Returns `e^x - 1`.
pub fn exp_m1(x: f64, direction: Direction) -> Fallible<f64> {
    evaluate(operand(x, "exp_m1")?.exp_m1_ref(), direction, "exp_m1")
}

/// Returns the natural logarithm of `x`.
pub fn ln(x: f64, direction: Direction) -> Fallible<f64> {
    evaluate(operand(x, "ln")?.ln_ref(), direction, "ln")
}

/// Returns `ln(1 + x)`.
pub fn ln_1p(x: f64, direction: Direction) -> Fallible<f64> {
    evaluate(operand(x, "ln_1p")?.ln_1p_ref(), direction, "ln_1p")
}

/// Returns the logarithm of `x` to base 2.
pub fn log2(x: f64, direction: Direction) -> Fallible<f64> {
    evaluate(operand(x, "log2")?.log2_ref(), direction, "log2")
}
