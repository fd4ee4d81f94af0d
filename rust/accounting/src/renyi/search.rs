//! Golden-section search, in floats: it decides where a bound is evaluated, not what it is.

/// A point near the minimum of a function with one minimum between `low` and `high`.
pub(crate) fn golden(mut low: f64, mut high: f64, steps: u32, function: impl Fn(f64) -> f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let (mut left, mut right) = (high - RATIO * (high - low), low + RATIO * (high - low));
    let (mut at_left, mut at_right) = (function(left), function(right));
    for _ in 0..steps {
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - RATIO * (high - low);
            at_left = function(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + RATIO * (high - low);
            at_right = function(right);
        }
    }
    if at_left <= at_right { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn minima_are_found() {
        for place in [-4.9, -1.0, 2.0, 9.75] {
            let calls = Cell::new(0);
            let found = golden(-5.0, 10.0, 30, |x: f64| {
                calls.set(calls.get() + 1);
                (x - place).abs()
            });
            // 15 * 0.618^30 is 8e-6.
            assert!((found - place).abs() < 8e-6 && calls.get() == 32, "{place}: {found}");
        }
        // The better of the last two.
        assert_eq!(golden(0.0, 1.0, 0, |x| x), 1.0 - 0.618_033_988_749_894_9);
        assert_eq!(golden(0.0, 1.0, 0, |x| -x), 0.618_033_988_749_894_9);
    }
}
