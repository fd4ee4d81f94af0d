//! Complex numbers known to within little: angles in turns, points of the unit circle at them, and two parts.

use indistinct_numeric::enclosure::{Ball, ComplexBall, Enclosure, circle_point, midpoint};

/// An angle, its cosine and its sine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Angle {
    pub(crate) turns: Ball,
    pub(crate) cosine: Ball,
    pub(crate) sine: Ball,
}

impl Angle {
    pub(crate) fn of_turns(turns: f64) -> Self {
        let (cosine, sine) = circle_point(turns);
        Self { turns: Ball::exact(turns), cosine, sine }
    }
}

/// The unit circle's point at an angle in turns. Whole turns are taken off first: a float near what is left is off by
/// less.
pub(crate) fn on_circle(turns: &Ball) -> ComplexBall {
    let whole = midpoint(turns).0.round();
    let (rest, error) = midpoint(&turns.sub(&Ball::exact(whole)));
    ComplexBall::on_circle(rest, error)
}

/// From its two parts.
pub(crate) fn of_parts(re: &Ball, im: &Ball) -> ComplexBall {
    let ((re, off_re), (im, off_im)) = (midpoint(re), midpoint(im));
    ComplexBall::new(re, im, off_re + off_im)
}
