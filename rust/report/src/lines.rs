//! Curves as pictures. A bound at some points is drawn as steps, so that the picture is a bound everywhere.

use crate::{
    html::{escaped, figure},
    words::round,
};
use std::fmt::Write;

/// An axis of a picture.
pub(crate) struct Axis<'a> {
    pub(crate) name: &'a str,
    pub(crate) ends: (f64, f64),
    pub(crate) is_logarithmic: bool,
}

/// The transition from one value to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A value holds until the next one, as an upper bound on a decreasing curve, or a sum that jumps.
    Until,
    /// A value holds from the previous one, as an upper bound on an increasing curve, or a lower bound on a decreasing
    /// one.
    Since,
}

/// A line across a picture, with its name.
pub(crate) struct Level<'a> {
    pub(crate) name: &'a str,
    pub(crate) from: (f64, f64),
    pub(crate) to: (f64, f64),
}

/// The place of the curve in a picture of this size, in pixels.
const SIZE: (f64, f64) = (660.0, 300.0);
const LEFT: f64 = 70.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 250.0;

impl Axis<'_> {
    /// Returns the position of a value, from 0 to 1. Values beyond the ends are at the ends.
    fn share(&self, value: f64) -> f64 {
        let of = |value: f64| if self.is_logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let (low, high) = (of(self.ends.0), of(self.ends.1));
        ((of(value) - low) / (high - low)).clamp(0.0, 1.0)
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * self.share(value)
    }

    fn up(&self, value: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * self.share(value)
    }

    /// Returns some five to eight round values between the ends.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.ends;
        if !self.is_logarithmic {
            return between(low, high);
        }
        let ratio = (high / low).ln();
        // By twos over few, by tens over many; every so many of them.
        let factor = if ratio < 12.0 { 2.0 } else { 10.0 };
        let steps = f64::ln(factor);
        let every = (ratio / steps / 7.0).ceil().max(1.0);
        let first = (low.ln() / steps - 1e-9).ceil() + 0.0;
        let exponents = std::iter::successors(Some(first), |exponent| Some(exponent + every));
        let exponents = exponents.take_while(|exponent| exponent * steps <= high.ln() + 1e-9);
        exponents.map(|exponent| if factor == 2.0 { exponent.exp2() } else { power(exponent) }).collect()
    }
}

/// Returns a power of ten as its text is parsed, so that it is shown without further digits.
fn power(exponent: f64) -> f64 {
    format!("1e{exponent}").parse().unwrap_or_default()
}

/// Returns multiples of 1, 2 or 5 times a power of ten.
pub(crate) fn between(low: f64, high: f64) -> Vec<f64> {
    let wide = (high - low) / 5.0;
    if !(wide > 0.0 && wide.is_finite()) {
        return vec![low];
    }
    let unit = power(wide.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit).into_iter().find(|step| *step >= wide).unwrap_or(wide);
    // Without the sign of a zero.
    let first = (low / step - 1e-9).ceil() + 0.0;
    let counts = std::iter::successors(Some(first), |count| Some(count + 1.0)).take(12);
    // Divided, for a multiple of a tenth has digits of its own.
    let value = move |count: f64| if unit < 1.0 { count * (step / unit) / (1.0 / unit).round() } else { count * step };
    counts.map(value).take_while(|value| *value <= high + step * 1e-9).collect()
}

/// Draws a curve through points with ascending first coordinates. The area below it may be shaded.
pub(crate) fn picture(
    caption: &str,
    (across, up): (&Axis<'_>, &Axis<'_>),
    points: &[(f64, f64)],
    step: Step,
    levels: &[Level<'_>],
    shaded: Option<&str>,
) -> String {
    let mut drawn = String::new();
    for tick in across.ticks() {
        let at = across.across(tick);
        let _ = write!(
            drawn,
            "<path d=\"M{at:.1} {BOTTOM}V{TOP}\" stroke=\"var(--line)\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 18.0,
            round(tick)
        );
    }
    for tick in up.ticks() {
        let at = up.up(tick);
        let _ = write!(
            drawn,
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"var(--line)\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            round(tick)
        );
    }
    let mut path = String::new();
    let mut last: Option<(f64, f64)> = None;
    for (x, y) in points {
        let (x, y) = (across.across(*x), up.up(*y));
        match last {
            None => {
                let _ = write!(path, "M{x:.1} {y:.1}");
            }
            // What is seen of a line that goes straight on is its end.
            Some((_, before)) if format!("{before:.1}") == format!("{y:.1}") => {}
            Some((before, _)) if step == Step::Since => {
                let _ = write!(path, "H{before:.1}V{y:.1}H{x:.1}");
            }
            Some(_) => {
                let _ = write!(path, "H{x:.1}V{y:.1}");
            }
        }
        last = Some((x, y));
    }
    if let (Some((x, _)), Some((first, _))) = (last, points.first()) {
        let _ = write!(path, "H{x:.1}");
        if let Some(name) = shaded {
            let start = across.across(*first);
            let _ = write!(
                drawn,
                "<path d=\"{path}V{BOTTOM}H{start:.1}Z\" fill=\"var(--shade)\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text>",
                LEFT + 12.0,
                BOTTOM - 12.0,
                escaped(name)
            );
        }
    }
    for Level { name, from, to } in levels {
        let (from, to) = ((across.across(from.0), up.up(from.1)), (across.across(to.0), up.up(to.1)));
        let _ = write!(
            drawn,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"currentColor\" stroke-dasharray=\"6 4\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"start\">{}</text>",
            from.0,
            from.1,
            to.0,
            to.1,
            from.0 + (to.0 - from.0) * 0.6 + 10.0,
            from.1 + (to.1 - from.1) * 0.6 - 6.0,
            escaped(name)
        );
    }
    let _ = write!(
        drawn,
        "<path d=\"{path}\" fill=\"none\" stroke=\"var(--bar)\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\
         <text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"4\" y=\"14\">{}</text>",
        SIZE.1 - 8.0,
        escaped(across.name),
        escaped(up.name)
    );
    figure(caption, SIZE, &drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let axis = |ends, is_logarithmic| Axis { name: "", ends, is_logarithmic };
        assert_eq!(axis((0.0, 1.0), false).ticks(), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(axis((0.0, 3.3), false).ticks(), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(axis((0.0, 0.03), false).ticks(), [0.0, 0.01, 0.02, 0.03]);
        assert_eq!(axis((0.0, 240.0), false).ticks(), [0.0, 50.0, 100.0, 150.0, 200.0]);
        assert_eq!(axis((1e-12, 1.0), true).ticks(), [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1.0]);
        assert_eq!(axis((2.0, 64.0), true).ticks(), [2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
        assert_eq!(axis((0.0, 0.0), false).ticks(), [0.0]);
        assert!(
            axis((0.0, 1.0), false).ticks().iter().chain(&axis((1.0, 9.0), true).ticks()).all(|x| x.is_sign_positive())
        );
    }

    /// Between two points the drawn line is the greater of both where the bound is an upper one, and falls.
    #[test]
    fn steps_hold_until_or_since() {
        let axis = |name| Axis { name, ends: (0.0, 1.0), is_logarithmic: false };
        let drawn =
            |step| picture("c", (&axis("x"), &axis("y")), &[(0.0, 1.0), (0.5, 0.0), (1.0, 0.0)], step, &[], None);
        assert!(drawn(Step::Until).contains("d=\"M70.0 24.0H355.0V250.0H640.0\""));
        assert!(drawn(Step::Since).contains("d=\"M70.0 24.0H70.0V250.0H355.0H640.0\""));
    }
}
