//! Floats from texts.

/// Parses a float. Returns `None` for a text whose number overflows, instead of an infinity, or underflows, instead of
/// 0.
///
/// ```
/// use indistinct_numeric::read_float;
/// assert_eq!(read_float("2.5e-3"), Some(0.0025));
/// assert_eq!((read_float("1e400"), read_float("1e-400")), (None, None));
/// ```
pub fn read_float(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    let is_number = digits.contains(|digit: char| digit.is_ascii_digit());
    let is_zero = !digits.contains(|digit: char| ('1'..='9').contains(&digit));
    (!is_number || value.is_finite() && (value == 0.0) == is_zero).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_none_is_not_rounded_to_one() {
        for text in ["1e400", "-1e400", "1.8e308", "1e-400", "-1e-400", "2e-324", "0.0000001e-320", "7E-999"] {
            assert_eq!(read_float(text), None, "{text}");
        }
        let same =
            |text: &str, value: f64| assert_eq!(read_float(text).map(f64::to_bits), Some(value.to_bits()), "{text}");
        let zeros = [("0", 0.0), ("0.0", 0.0), ("-0.0", -0.0), ("0e400", 0.0), ("0.00e-400", 0.0), ("+0", 0.0)];
        let others = [("inf", f64::INFINITY), ("-inf", f64::NEG_INFINITY), ("infinity", f64::INFINITY), (".5", 0.5)];
        let ends = [("5e-324", 5e-324), ("3e-324", 5e-324), ("1.7976931348623157e308", f64::MAX), ("1e0", 1.0)];
        zeros.into_iter().chain(others).chain(ends).for_each(|(text, value)| same(text, value));
        assert!(read_float("NaN").is_some_and(f64::is_nan) && read_float("x").is_none() && read_float("").is_none());
    }
}
