//! The scores to which noise is added.

use indistinct_numeric::Dyadic;
use rug::Rational;

/// Numbers that can be compared after noise is added: floats, integers of up to 64 bits, and exact [`Dyadic`]s.
pub trait Score {
    /// Returns a float that is at most the number, and one that is at least the number.
    fn bounds(&self) -> (f64, f64);
    /// Returns the number exactly. An infinity counts as the largest finite float of its sign, and NaN as the least.
    #[doc(hidden)]
    fn exact(&self) -> Rational;
}

impl Score for f64 {
    #[inline]
    fn bounds(&self) -> (f64, f64) {
        let finite = finite(*self);
        (finite, finite)
    }

    fn exact(&self) -> Rational {
        Rational::from_f64(finite(*self)).unwrap_or_default()
    }
}

#[inline]
fn finite(score: f64) -> f64 {
    if score.is_nan() { f64::MIN } else { score.clamp(f64::MIN, f64::MAX) }
}

macro_rules! impl_small {
    ($($integer:ty),+) => {$(
        impl Score for $integer {
            #[inline]
            fn bounds(&self) -> (f64, f64) {
                ((*self).into(), (*self).into())
            }

            fn exact(&self) -> Rational {
                (*self).into()
            }
        }
    )+};
}

impl_small!(i8, i16, i32, u8, u16, u32);

impl Score for f32 {
    #[inline]
    fn bounds(&self) -> (f64, f64) {
        f64::from(*self).bounds()
    }

    fn exact(&self) -> Rational {
        f64::from(*self).exact()
    }
}

impl Score for Dyadic {
    fn bounds(&self) -> (f64, f64) {
        // The nearest float is adjacent to any tighter bound.
        let nearest = self.to_f64().clamp(f64::MIN, f64::MAX);
        (nearest.next_down(), nearest.next_up())
    }

    fn exact(&self) -> Rational {
        self.to_gmp_rational()
    }
}

macro_rules! impl_large {
    ($($integer:ty: $half:ty),+) => {$(
        impl Score for $integer {
            #[inline]
            fn bounds(&self) -> (f64, f64) {
                // The two parts are exact, so this is one rounding.
                let parts = (<$half>::try_from(*self >> 32), u32::try_from(*self & 0xffff_ffff));
                let (Ok(high), Ok(low)) = parts else { return (f64::NEG_INFINITY, f64::INFINITY) };
                let high = f64::from(high) * 4_294_967_296.0;
                let rounded = high + f64::from(low);
                if rounded - high == f64::from(low) { (rounded, rounded) } else { (rounded.next_down(), rounded.next_up()) }
            }

            fn exact(&self) -> Rational {
                (*self).into()
            }
        }
    )+};
}

impl_large!(i64: i32, u64: u32);
