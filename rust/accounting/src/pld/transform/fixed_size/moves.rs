//! By how much the transform has moved at a node from the base point, apart by the powers of the angle: what rounds is
//! small where that is. The arguments are in `proofs/accounting/pld_lemmas.md`.

use indistinct_numeric::enclosure::{
    Ball, CompensatedSum, ComplexBall, Enclosure, UNIT_ROUNDOFF, midpoint, unit_circle,
};
use std::f64::consts::TAU;

/// So many terms are summed by themselves.
const CHUNK: usize = 16;
/// More than an angle or a sine may be off by.
const LARGEST_ERROR: f64 = 1e-6;
/// Angles up to here have a series.
const SMALL: f64 = 0.5;

/// The parts of a sum over points: the turns of half the loss for a node, how much these may be off in radians, and A
/// and B with what they are off by.
pub(super) struct Term {
    pub(super) turns: f64,
    pub(super) spread: f64,
    pub(super) even: (f64, f64),
    pub(super) odd: (f64, f64),
}

/// Constants of all nodes.
pub(super) struct Moves<'a> {
    pub(super) terms: &'a [Term],
    /// One over M at the base point, and the mean loss there.
    pub(super) share: Ball,
    pub(super) mean: Ball,
    /// The float by which losses are turned back.
    pub(super) center: f64,
    /// Other errors of M, at each node.
    pub(super) error: f64,
    /// An angle per loss, for a node.
    pub(super) frequency: Ball,
    pub(super) period: f64,
}

impl Moves<'_> {
    /// `e^(-i t m) M(c + it)/M(c) - 1` at the n-th node for the center m; none if an angle is not known.
    pub(super) fn at(&self, n: f64) -> Option<ComplexBall> {
        let Self { center, .. } = *self;
        let (real, cubic) = self.sums(n)?;
        let share = ComplexBall::real(midpoint(&self.share));
        let (real, cubic) = (real.mul(&share), cubic.mul(&share));
        let frequency = Ball::exact(n).mul(&self.frequency);
        let imaginary = |x: &Ball| ComplexBall::real(midpoint(x)).mul(&ComplexBall::new(0.0, 1.0, 0.0));
        let linear = imaginary(&frequency.mul(&self.mean));
        let rest = imaginary(&frequency.mul(&self.mean.sub(&Ball::exact(center))));
        let Back { whole, real: back, cubic: turned } = Back::by(n * (center / (2.0 * self.period)));
        // The angles themselves cancel but for the rest.
        let first = real.add(&back).add(&rest).add(&cubic).add(&turned.neg());
        Some(first.add(&real.add(&linear).add(&cubic).mul(&whole)))
    }

    /// The real part of `M(c + it) - M(c)`, and the imaginary one (times i) less t times the mean loss times M(c).
    fn sums(&self, n: f64) -> Option<(ComplexBall, ComplexBall)> {
        let (mut squares, mut cubes) = (Sum::default(), Sum::default());
        let mut worst = 0f64;
        for chunk in self.terms.chunks(CHUNK) {
            let (mut square_part, mut cube_part) = (Part::default(), Part::default());
            for Term { turns, spread, even: (even, off_even), odd: (odd, off_odd) } in chunk {
                let half = n * turns;
                let (cosine, sine) = unit_circle(half);
                let (height, along) = (sine.abs(), n * spread);
                let wrong = along + 8.0 * UNIT_ROUNDOFF * height;
                worst = worst.max(wrong);
                let above = (height + LARGEST_ERROR) * (height + LARGEST_ERROR);
                square_part
                    .add(-even * (sine * sine), even * (2.0 * height + LARGEST_ERROR) * wrong + off_even * above);
                let (cube, off) = sine_less_angle(half, (cosine, sine), along);
                cube_part.add(odd / 2.0 * cube, odd.abs() / 2.0 * off + off_odd * (cube.abs() + off));
            }
            squares.add(square_part);
            cubes.add(cube_part);
        }
        let ((real, off_real), (imaginary, off)) = (squares.bounds()?, cubes.bounds()?);
        let real = ComplexBall::new(real, 0.0, off_real + 2.0 * self.error);
        (worst <= LARGEST_ERROR).then_some((real, ComplexBall::new(0.0, imaginary, off)))
    }
}

/// `sin 2x - 2x` for x in turns, of which the cosine and the sine are given, and what it is off by if x is off by
/// `along` in radians, beside some roundings.
#[inline]
fn sine_less_angle(turns: f64, (cosine, sine): (f64, f64), along: f64) -> (f64, f64) {
    let angle = 2.0 * TAU * turns;
    let y = angle * angle;
    let series = angle
        * y
        * (-1.0 / 6.0
            + y * (1.0 / 120.0
                + y * (-1.0 / 5040.0
                    + y * (1.0 / 362_880.0
                        + y * (-1.0 / 39_916_800.0 + y * (1.0 / 6_227_020_800.0 - y / 1_307_674_368_000.0))))));
    let is_small = angle.abs() < SMALL;
    let plain = 2.0 * sine * cosine - angle;
    let value = if is_small { series } else { plain };
    let rounding = if is_small { 8.0 * value.abs() } else { 24.0 + 4.0 * plain.abs() };
    // The derivative by the angle is `1 - cos`, twice the square of the sine of its half.
    let above = sine.abs() + LARGEST_ERROR;
    (value, rounding * UNIT_ROUNDOFF + 4.0 * above * above * (along + 2.0 * UNIT_ROUNDOFF * angle.abs()))
}

/// `e^(-2 i x) - 1 = -2 sin^2 x - 2 i sin x cos x`: all of it, its real part, and `i (sin 2x - 2x)`.
struct Back {
    whole: ComplexBall,
    real: ComplexBall,
    cubic: ComplexBall,
}

impl Back {
    /// For x in turns, which is a float of two roundings.
    fn by(turns: f64) -> Self {
        let (cosine, sine) = unit_circle(turns);
        let along = 14.0 * UNIT_ROUNDOFF * turns.abs();
        let wrong = along + 8.0 * UNIT_ROUNDOFF * sine.abs();
        let square = 2.0 * sine * sine;
        let off_real = 2.0 * wrong * (2.0 * sine.abs() + wrong) + 4.0 * UNIT_ROUNDOFF * square;
        // The sine is off by `wrong`, the cosine by `along` and 3 units, and products round.
        let off = off_real + 2.0 * wrong + sine.abs() * (2.0 * along + 12.0 * UNIT_ROUNDOFF);
        let (cube, off_cube) = sine_less_angle(turns, (cosine, sine), along);
        Self {
            whole: ComplexBall::new(-square, -2.0 * sine * cosine, off * 1.01),
            real: ComplexBall::new(-square, 0.0, off_real * 1.01),
            cubic: ComplexBall::new(0.0, cube, off_cube * 1.01),
        }
    }
}

/// A few terms, their sizes, and what they are off by.
#[derive(Default)]
struct Part {
    value: f64,
    size: f64,
    off: f64,
}

impl Part {
    #[inline]
    fn add(&mut self, term: f64, off: f64) {
        self.value += term;
        self.size += term.abs();
        self.off += off;
    }
}

/// All terms, compensated from part to part.
#[derive(Default)]
struct Sum {
    value: CompensatedSum,
    size: f64,
    off: f64,
}

impl Sum {
    fn add(&mut self, part: Part) {
        self.value.add(part.value, 0.0);
        self.size += part.size;
        self.off += part.off;
    }

    /// The sum, and what it is off by.
    fn bounds(&self) -> Option<(f64, f64)> {
        let (value, off) = self.value.bounds();
        let rounded = f64::from(u32::try_from(CHUNK + 8).ok()?) * UNIT_ROUNDOFF * self.size;
        Some((value, (self.off + rounded + off) * 1.001))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::{Float, float::Constant};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Against 200 bits, of an angle that is off by as much as is said: to its own digits where it is small.
        #[test]
        fn a_sine_less_its_angle(size in -9.0f64..2.0, is_negative: bool, share in -1.0f64..1.0, off in -16.0f64..-6.5) {
            let turns = 10f64.powf(size) * if is_negative { -1.0 } else { 1.0 };
            let along = 10f64.powf(off);
            let (found, error) = sine_less_angle(turns, unit_circle(turns), along);
            let radians = Float::with_val(200, turns) * Float::with_val(200, Constant::Pi) * 2u32 + share * along;
            let angle = radians * 2u32;
            let truth = angle.clone().sin() - &angle;
            let distance = (truth.clone() - found).abs().to_f64();
            prop_assert!(distance <= error, "{distance:e} {error:e}");
            let (_, known) = sine_less_angle(turns, unit_circle(turns), 0.0);
            let truth = truth.abs().to_f64();
            prop_assert!(known <= 40.0 * UNIT_ROUNDOFF * (truth + f64::from(turns.abs() > 0.01)) + 1e-28, "{known:e}");
        }
    }
}
