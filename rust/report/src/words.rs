//! Numbers with few digits, rounded so that a bound stays a bound.

/// The number of digits after the first one.
const DIGITS: u8 = 2;

/// Returns a number with three digits, rounded up, for upper bounds.
pub fn up(number: f64) -> String {
    near(number, |shown| shown >= number, 0.5)
}

/// Returns a number with three digits, rounded down, for lower bounds.
pub fn down(number: f64) -> String {
    near(number, |shown| shown <= number, -0.5)
}

/// Returns the nearest number with three digits if it bounds `number`, and otherwise the next one.
fn near(number: f64, holds: impl Fn(f64) -> bool, towards: f64) -> String {
    if !number.is_finite() {
        return "infinite".into();
    }
    let exact = format!("{number:e}");
    let digits = usize::from(DIGITS);
    let nearest = format!("{number:.digits$e}");
    let moved = || {
        let (_, exponent) = exact.split_once('e')?;
        let unit: f64 = format!("1e{}", exponent.parse::<i32>().ok()? - i32::from(DIGITS)).parse().ok()?;
        Some(format!("{:.digits$e}", number + towards * unit))
    };
    let shown = |text: &String| text.parse().is_ok_and(&holds);
    plain([Some(nearest.clone()), moved()].into_iter().flatten().find(shown).unwrap_or(exact))
}

/// Converts a text with a power of ten to the form that people write.
pub(crate) fn plain(text: String) -> String {
    let Ok(number) = text.parse::<f64>() else { return text };
    if number == 0.0 || (1e-3..1e5).contains(&number.abs()) {
        return number.to_string();
    }
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => {
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// Returns a round number as text.
pub(crate) fn round(number: f64) -> String {
    plain(format!("{number:e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stay_bounds() {
        assert_eq!((up(0.12349), down(0.12349)), ("0.124".into(), "0.123".into()));
        assert_eq!((up(0.12341), down(0.12359)), ("0.124".into(), "0.123".into()));
        assert_eq!((up(1.0), down(1.0), up(0.0)), ("1".into(), "1".into(), "0".into()));
        assert_eq!((up(0.9999999), down(0.9999999)), ("1".into(), "0.999".into()));
        assert_eq!((up(9.9996), down(1e-7 * 1.00001)), ("10".into(), "1e-7".into()));
        assert_eq!((up(1.0000001e-7), up(2e5), up(f64::INFINITY)), ("1.01e-7".into(), "2e5".into(), "infinite".into()));
        let mut number = 1e-300;
        while number < 1e300 {
            let (above, below): (f64, f64) = (up(number).parse().unwrap(), down(number).parse().unwrap());
            assert!(below <= number && number <= above && above - below <= number * 2e-2, "{number}");
            number *= 1.7;
        }
        assert!(up(5e-324).parse::<f64>().unwrap() >= 5e-324 && down(f64::MAX).parse::<f64>().unwrap() <= f64::MAX);
    }
}
