//! Vectors of bounded length.

use crate::core::{Domain, Error, Fallible, Internal, Parameter, ToParameter, parameter_by_debug, require, sealed};
use indistinct_numeric::{Dyadic, ExactDot, ExactSum};
use std::{fmt, str::FromStr};

/// Norms for the length of a vector.
///
/// In text it is `L1`, `L2` or `LInf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Norm {
    /// The sum of absolute values.
    L1,
    /// The root of the sum of squares.
    L2,
    /// The largest absolute value.
    LInf,
}

impl FromStr for Norm {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        match text {
            "L1" => Ok(Self::L1),
            "L2" => Ok(Self::L2),
            "LInf" => Ok(Self::LInf),
            _ => Err(Error::parameter("norm", "must be `L1`, `L2` or `LInf`")),
        }
    }
}

impl ToParameter for Norm {
    fn to_parameter(&self) -> Parameter {
        format!("{self:?}").to_parameter()
    }
}

/// The domain of all vectors with a given number of floats whose length is at most a radius, exactly.
///
/// ```
/// use indistinct::{domains::Norm, prelude::*};
/// let disk = BallDomain::new(2, Norm::L2, 5.0)?;
/// assert!(disk.member(&[3.0, -4.0]) && !disk.member(&[3.0, 4f64.next_up()]) && !disk.member(&[0.0]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct BallDomain {
    size: usize,
    norm: Norm,
    radius: f64,
}

impl BallDomain {
    /// Makes the domain of vectors of `size` floats whose `norm` is at most `radius`.
    ///
    /// # Errors
    ///
    /// Returns an error if the radius is not positive and finite, or for 2^32 numbers or more, before any memory is
    /// allocated.
    pub fn new(size: usize, norm: Norm, radius: f64) -> Fallible<Self> {
        require(u32::try_from(size).is_ok(), "size", "must be fewer than 2^32")?;
        require(radius > 0.0 && radius.is_finite(), "radius", "must be positive and finite")?;
        Ok(Self { size, norm, radius })
    }

    /// Returns the number of floats in a vector.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the norm of the length.
    pub fn norm(&self) -> Norm {
        self.norm
    }

    /// Returns the largest length.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns true if the length is at most the radius, decided exactly. Returns an error if a number is not finite.
    fn holds(&self, vector: &[f64]) -> Fallible<bool> {
        Ok(match self.norm {
            Norm::LInf => vector.iter().all(|x| x.abs() <= self.radius),
            Norm::L1 => {
                let mut sum = ExactSum::new();
                vector.iter().try_for_each(|x| sum.add(x.abs()))?;
                sum.total()? <= Dyadic::from_f64(self.radius)?
            }
            Norm::L2 => {
                let (mut squares, mut square) = (ExactDot::new(), ExactDot::new());
                vector.iter().try_for_each(|x| squares.add(*x, *x))?;
                square.add(self.radius, self.radius)?;
                squares.total()? <= square.total()?
            }
        })
    }
}

impl fmt::Debug for BallDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BallDomain({:?} at most {:?}, size {})", self.norm, self.radius, self.size)
    }
}

impl Domain for BallDomain {
    type Carrier = [f64];

    fn member(&self, vector: &[f64]) -> bool {
        vector.len() == self.size && self.holds(vector).unwrap_or(false)
    }

    fn is_callers_own(&self, _: Internal) -> bool {
        false
    }
}

sealed!(() BallDomain);
parameter_by_debug!(() BallDomain);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_memory_holds_are_refused() {
        for size in [usize::MAX, 1 << 32] {
            let error = BallDomain::new(size, Norm::LInf, 1.0).unwrap_err();
            assert_eq!(error.kind(), crate::core::ErrorKind::Parameter("size"));
        }
    }

    #[test]
    fn membership_is_exact() {
        let ball = |norm, radius| BallDomain::new(2, norm, radius).unwrap();
        assert!(ball(Norm::L1, 1.0).member(&[0.5, -0.5]) && !ball(Norm::L1, 1.0).member(&[1.0, 5e-324]));
        assert!(ball(Norm::L2, 1.0).member(&[1.0, 0.0]) && !ball(Norm::L2, 1.0).member(&[1.0, 5e-324]));
        assert!(
            ball(Norm::L2, f64::MAX).member(&[f64::MAX, 0.0]) && !ball(Norm::L2, f64::MAX).member(&[f64::MAX, 1.0])
        );
        assert!(ball(Norm::LInf, 1.0).member(&[1.0, -1.0]) && !ball(Norm::LInf, 1.0).member(&[1.0, 1f64.next_up()]));
        for norm in [Norm::L1, Norm::L2, Norm::LInf] {
            for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert!(!ball(norm, 1e308).member(&[0.0, x]));
            }
            assert_eq!(format!("{norm:?}").parse(), Ok(norm));
            for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert!(BallDomain::new(2, norm, radius).is_err());
            }
        }
        assert!("l2".parse::<Norm>().is_err());
    }
}
