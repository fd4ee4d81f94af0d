//! Angles in turns, as balls: the cosine and the sine of an angle, and the argument of a complex number, computed from
//! two tables of points on the unit circle and the arctangent's series.

use super::{Ball, mills::inverse_root_two_pi};
use rug::{Float, float::Constant};
use std::{f64::consts::TAU, sync::LazyLock};

/// Bits of the numbers from which tables are made. Their rounding errors are far below a ball's radius.
const BITS: u32 = 256;
/// More than the error of an angle below a turn: 2^-230.
const ANGLE_ERROR: f64 = f64::from_bits((1023 - 230) << 52);
/// The number of angles per turn in the finer table.
const FINEST: f64 = 4096.0;
/// An upper bound on the tangent of the angle that remains after the tables: the tangent of half a step of the finer
/// table is 0.00077.
const MOST: f64 = 0.001;
/// Adding this to a float below 2^51 in size rounds it to an integer, which is then in the low bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Cosines and sines of multiples of 1/64 of a turn, and of 1/4096.
static TABLES: LazyLock<[[(Ball, Ball); 64]; 2]> = LazyLock::new(|| {
    let table =
        |of_turn: f64| std::array::from_fn(|i| u32::try_from(i).map_or(EVERYWHERE, |i| at(f64::from(i) / of_turn)));
    [table(64.0), table(FINEST)]
});

const EVERYWHERE: (Ball, Ball) = (Ball::EVERYTHING, Ball::EVERYTHING);

/// Returns the cosine and the sine, computed by MPFR.
fn at(turns: f64) -> (Ball, Ball) {
    // Whole turns are subtracted exactly.
    let angle = Float::with_val(BITS, Constant::Pi) * 2u32 * (turns % 1.0);
    let (sine, cosine) = angle.sin_cos(Float::new(BITS));
    // If one of them is 0, only the rounding of the angle remains.
    let found = |x: &Float| Ball::from_mpfr(x).widen(ANGLE_ERROR);
    (found(&cosine), found(&sine))
}

/// Returns the cosine and the sine of an angle in turns.
///
/// ```
/// use indistinct_numeric::enclosure::{Enclosure, circle_point};
/// let (cosine, sine) = circle_point(1.0 / 8.0);
/// assert!((cosine.lower() - 0.5f64.sqrt()).abs() < 1e-15 && sine.upper() - sine.lower() < 1e-15);
/// ```
pub fn circle_point(turns: f64) -> (Ball, Ball) {
    if turns.is_finite() { at(turns) } else { EVERYWHERE }
}

/// Returns `1/(2 pi)`.
///
/// ```
/// use indistinct_numeric::enclosure::{Enclosure, one_over_two_pi};
/// assert!((one_over_two_pi().upper() - 0.15915494309189535).abs() < 1e-16);
/// ```
pub fn one_over_two_pi() -> Ball {
    let inverse = inverse_root_two_pi();
    inverse.mul(&inverse)
}

/// Returns the argument of `re + i im` in turns, from slightly below -1/2 to slightly above 1/2; `None` if almost
/// nothing is known about it.
///
/// ```
/// use indistinct_numeric::enclosure::{Ball, Enclosure, argument};
/// let quarter = argument(&Ball::exact(0.0), &Ball::exact(3.0)).unwrap();
/// assert!((quarter.lower() - 0.25).abs() < 1e-15 && (quarter.upper() - 0.25).abs() < 1e-15);
/// ```
pub fn argument(re: &Ball, im: &Ball) -> Option<Ball> {
    // Any multiple near it would be correct.
    let shifted = im.center().atan2(re.center()) * (FINEST / TAU) + TO_INTEGER;
    let multiple = shifted - TO_INTEGER;
    let integer = shifted.to_bits().wrapping_sub(TO_INTEGER.to_bits());
    let [coarse, fine] = &*TABLES;
    let entry = |table: &[(Ball, Ball); 64], index: u64| table.get(usize::try_from(index & 63).ok()?).copied();
    // Rotate back by the two angles.
    let turned = |(x, y): (Ball, Ball), (cosine, sine): (Ball, Ball)| {
        (x.mul(&cosine).add(&y.mul(&sine)), y.mul(&cosine).sub(&x.mul(&sine)))
    };
    let (along, across) = turned(turned((*re, *im), entry(coarse, integer >> 6)?), entry(fine, integer)?);
    let tangent = across.div(&along);
    if !(along.lower() > 0.0 && tangent.upper() <= MOST && tangent.lower() >= -MOST) {
        return None;
    }
    // The series is x - x^3/3 + x^5 (1/5 - x^2/7 + x^4/9), with a remainder of at most x^11/11 < 2^-112.
    let square = tangent.mul(&tangent);
    let near = square.center();
    let rest = Ball::new(0.2 - near * (1.0 / 7.0 - near / 9.0), 2f64.powi(-52) + square.radius());
    let series = square.mul(&rest.mul(&square).sub(&Ball::exact(1.0).div(&Ball::exact(3.0))));
    let angle = tangent.add(&tangent.mul(&series)).widen(2f64.powi(-112));
    Some(Ball::exact(multiple / FINEST).add(&angle.mul(&one_over_two_pi())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares angles in all directions and next to the axes with MPFR: each ball contains the true value and is
    /// narrow.
    #[test]
    fn as_mpfr_says() {
        for k in -500..=500i32 {
            for size in [1e-9, 1e-3, 1.0, 7.3, 1e12] {
                let turns = f64::from(k) / 1000.0 + f64::from(k % 7) * 1e-7;
                let (x, y) = ((TAU * turns).cos() * size, (TAU * turns).sin() * size);
                let truth = Float::with_val(300, y).atan2(&Float::with_val(300, x))
                    / (Float::with_val(300, Constant::Pi) * 2u32);
                let found = argument(&Ball::exact(x), &Ball::exact(y)).unwrap();
                assert!(found.lower() <= truth && truth <= found.upper(), "{k} {size}");
                let (off, radius) = ((truth.clone() - found.center()).to_f64(), found.radius());
                assert!(radius < 1e-28 && off.abs() < 1e-15, "{k} {size}: {off:e} {radius:e}");
                let (cosine, sine) = circle_point(turns);
                let angle = Float::with_val(300, Constant::Pi) * 2u32 * turns;
                for (found, truth) in [(cosine, angle.clone().cos()), (sine, angle.sin())] {
                    assert!(found.lower() <= truth && truth <= found.upper(), "{k}");
                    assert!(found.radius() <= 1e-30, "{k}");
                }
            }
        }
        // A ball is in turns what its ends are.
        let found = argument(&Ball::exact(1.0), &Ball::between(1e-10, 2e-10)).unwrap();
        assert!(found.lower() <= 1e-10 / TAU && found.upper() >= 2e-10 / TAU && found.radius() < 1e-11);
    }

    /// Nothing is known about the argument of a ball that is next to zero, is wide, or is not a number.
    #[test]
    fn what_is_not_known() {
        let ball = Ball::between;
        for (re, im) in [
            (ball(0.0, 0.0), ball(0.0, 0.0)),
            (ball(-1.0, 1.0), ball(-1.0, 1.0)),
            (ball(1.0, 1.0), ball(-0.1, 0.1)),
            (Ball::exact(f64::NAN), ball(1.0, 1.0)),
            (Ball::exact(1.0), Ball::exact(f64::INFINITY)),
        ] {
            assert!(argument(&re, &im).is_none());
        }
        assert!(circle_point(f64::NAN).0.upper() == f64::INFINITY);
        // Exactly 0 is within, too.
        for quarters in -8..=8i32 {
            let (cosine, sine) = circle_point(f64::from(quarters) / 4.0);
            let zero = if quarters % 2 == 0 { sine } else { cosine };
            assert!(zero.lower() <= 0.0 && zero.upper() >= 0.0 && zero.radius() < 1e-60, "{quarters}");
        }
        // Beyond 2^52 all turns are whole.
        let (cosine, _) = circle_point(1e300);
        assert!(cosine.lower() > 1.0 - 1e-15 && cosine.upper() < 1.0 + 1e-15);
    }
}
