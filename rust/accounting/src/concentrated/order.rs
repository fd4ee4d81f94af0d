//! Where the bound is best: orders found in plain floats. Nothing here needs to be right, only close.

/// The root of an increasing function of `s = ln t`, by Newton's steps, or by bisection where these leave what is known
/// to bracket it.
///
/// `function` gives the value, the slope (in s), and how far in s the slope holds, at t.
pub(super) fn root(start: f64, function: impl Fn(f64) -> (f64, f64, f64)) -> f64 {
    let (mut low, mut high) = (1e-300, 1e300);
    let mut t = start.clamp(low, high);
    for _ in 0..200 {
        let (value, slope, scale) = function(t);
        if value > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let step = (value / slope).clamp(-3.0, 3.0);
        // To third order e^-step, which is all that a step this short needs.
        let factor = if step.abs() < 0.01 { 1.0 - step * (1.0 - step / 2.0) } else { (-step).exp() };
        let next = t * factor;
        // The next step would be about the square of this one.
        if step.abs() < 1e-6 * scale {
            return next.clamp(1e-300, 1e300);
        }
        t = if next > low && next < high { next } else { low.sqrt() * high.sqrt() };
        if high <= low * (1.0 + 1e-14) {
            break;
        }
    }
    t
}
