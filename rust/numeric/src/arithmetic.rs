//! The two traits of outward rounding: [`RoundedArithmetic`] for every number, [`RoundedMath`] for floats.

use crate::{Direction, Fallible};
use Direction::{Down, Up};

/// Addition, subtraction, multiplication, division and integer powers, rounded in a chosen direction.
///
/// `inf_*` never returns less than the real result, and `neg_inf_*` never more; both return the nearest representable
/// number on that side. Floats overflow to an infinity in the safe direction; integers, which have no infinity, return
/// [`Error::Overflow`](crate::Error::Overflow). A NaN operand, and an operation without a value in the extended reals,
/// are errors, so no result is ever NaN. Zero has no sign: `-0.0` counts as `0.0` and is never returned.
///
/// ```
/// use indistinct_numeric::RoundedArithmetic;
/// let third = 1f64.inf_div(3.0)?;
/// assert!(third > 1f64.neg_inf_div(3.0)?);
/// assert_eq!(7i64.inf_div(2)?, 4);
/// assert!(i64::MAX.inf_add(1).is_err());
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
pub trait RoundedArithmetic: Copy {
    /// Returns `self + other`, rounded towards `direction`.
    fn add_rounded(self, other: Self, direction: Direction) -> Fallible<Self>;
    /// Returns `self - other`, rounded towards `direction`.
    fn sub_rounded(self, other: Self, direction: Direction) -> Fallible<Self>;
    /// Returns `self * other`, rounded towards `direction`. Zero times infinity is undefined.
    fn mul_rounded(self, other: Self, direction: Direction) -> Fallible<Self>;
    /// Returns `self / other`, rounded towards `direction`. For floats, a nonzero number divided by zero is the
    /// infinity of its sign (zero counts as the limit from above, as for a scale); zero divided by zero is undefined.
    fn div_rounded(self, other: Self, direction: Direction) -> Fallible<Self>;
    /// Returns `self` to the integer power `exponent`, rounded towards `direction`; `x^0` is 1 for every x.
    fn powi_rounded(self, exponent: i32, direction: Direction) -> Fallible<Self>;

    /// Returns the smallest number not below `self + other`.
    #[inline]
    fn inf_add(self, other: Self) -> Fallible<Self> {
        self.add_rounded(other, Up)
    }
    /// Returns the largest number not above `self + other`.
    #[inline]
    fn neg_inf_add(self, other: Self) -> Fallible<Self> {
        self.add_rounded(other, Down)
    }
    /// Returns the smallest number not below `self - other`.
    #[inline]
    fn inf_sub(self, other: Self) -> Fallible<Self> {
        self.sub_rounded(other, Up)
    }
    /// Returns the largest number not above `self - other`.
    #[inline]
    fn neg_inf_sub(self, other: Self) -> Fallible<Self> {
        self.sub_rounded(other, Down)
    }
    /// Returns the smallest number not below `self * other`.
    #[inline]
    fn inf_mul(self, other: Self) -> Fallible<Self> {
        self.mul_rounded(other, Up)
    }
    /// Returns the largest number not above `self * other`.
    #[inline]
    fn neg_inf_mul(self, other: Self) -> Fallible<Self> {
        self.mul_rounded(other, Down)
    }
    /// Returns the smallest number not below `self / other`.
    #[inline]
    fn inf_div(self, other: Self) -> Fallible<Self> {
        self.div_rounded(other, Up)
    }
    /// Returns the largest number not above `self / other`.
    #[inline]
    fn neg_inf_div(self, other: Self) -> Fallible<Self> {
        self.div_rounded(other, Down)
    }
    /// Returns the smallest number not below `self^exponent`.
    #[inline]
    fn inf_powi(self, exponent: i32) -> Fallible<Self> {
        self.powi_rounded(exponent, Up)
    }
    /// Returns the largest number not above `self^exponent`.
    #[inline]
    fn neg_inf_powi(self, exponent: i32) -> Fallible<Self> {
        self.powi_rounded(exponent, Down)
    }
}

/// Roots, powers, exponentials and logarithms of floats, rounded in a chosen direction, with the promises of
/// [`RoundedArithmetic`].
///
/// ```
/// use indistinct_numeric::RoundedMath;
/// // An upper bound on e^-1000 is the least positive float, not zero.
/// assert!((-1000f64).inf_exp()? > 0.0);
/// assert!((-1f64).inf_ln().is_err());
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
pub trait RoundedMath: RoundedArithmetic {
    /// Returns `self` to the power `exponent`, rounded towards `direction`. A negative base is undefined (see
    /// [`powi_rounded`](RoundedArithmetic::powi_rounded) for integer exponents); zero to a negative power is +infinity,
    /// and `x^0` and `1^x` are 1.
    fn powf_rounded(self, exponent: Self, direction: Direction) -> Fallible<Self>;
    /// Returns the square root, rounded towards `direction`; undefined below zero.
    fn sqrt_rounded(self, direction: Direction) -> Fallible<Self>;
    /// Returns `e^self`, rounded towards `direction`.
    fn exp_rounded(self, direction: Direction) -> Fallible<Self>;
    /// Returns `e^self - 1`, rounded towards `direction`.
    fn exp_m1_rounded(self, direction: Direction) -> Fallible<Self>;
    /// Returns the natural logarithm, rounded towards `direction`; -infinity at zero, undefined below.
    fn ln_rounded(self, direction: Direction) -> Fallible<Self>;
    /// Returns `ln(1 + self)`, rounded towards `direction`; -infinity at -1, undefined below.
    fn ln_1p_rounded(self, direction: Direction) -> Fallible<Self>;
    /// Returns the logarithm to base 2, rounded towards `direction`; -infinity at zero, undefined below.
    fn log2_rounded(self, direction: Direction) -> Fallible<Self>;

    /// The smallest number not below `self^exponent`.
    #[inline]
    fn inf_powf(self, exponent: Self) -> Fallible<Self> {
        self.powf_rounded(exponent, Up)
    }
    /// The largest number not above `self^exponent`.
    #[inline]
    fn neg_inf_powf(self, exponent: Self) -> Fallible<Self> {
        self.powf_rounded(exponent, Down)
    }
    /// The smallest number not below the square root.
    #[inline]
    fn inf_sqrt(self) -> Fallible<Self> {
        self.sqrt_rounded(Up)
    }
    /// The largest number not above the square root.
    #[inline]
    fn neg_inf_sqrt(self) -> Fallible<Self> {
        self.sqrt_rounded(Down)
    }
    /// The smallest number not below `e^self`.
    #[inline]
    fn inf_exp(self) -> Fallible<Self> {
        self.exp_rounded(Up)
    }
    /// The largest number not above `e^self`.
    #[inline]
    fn neg_inf_exp(self) -> Fallible<Self> {
        self.exp_rounded(Down)
    }
    /// The smallest number not below `e^self - 1`.
    #[inline]
    fn inf_exp_m1(self) -> Fallible<Self> {
        self.exp_m1_rounded(Up)
    }
    /// The largest number not above `e^self - 1`.
    #[inline]
    fn neg_inf_exp_m1(self) -> Fallible<Self> {
        self.exp_m1_rounded(Down)
    }
    /// The smallest number not below the natural logarithm.
    #[inline]
    fn inf_ln(self) -> Fallible<Self> {
        self.ln_rounded(Up)
    }
    /// The largest number not above the natural logarithm.
    #[inline]
    fn neg_inf_ln(self) -> Fallible<Self> {
        self.ln_rounded(Down)
    }
    /// The smallest number not below `ln(1 + self)`.
    #[inline]
    fn inf_ln_1p(self) -> Fallible<Self> {
        self.ln_1p_rounded(Up)
    }
    /// The largest number not above `ln(1 + self)`.
    #[inline]
    fn neg_inf_ln_1p(self) -> Fallible<Self> {
        self.ln_1p_rounded(Down)
    }
    /// The smallest number not below the logarithm to base 2.
    #[inline]
    fn inf_log2(self) -> Fallible<Self> {
        self.log2_rounded(Up)
    }
    /// The largest number not above the logarithm to base 2.
    #[inline]
    fn neg_inf_log2(self) -> Fallible<Self> {
        self.log2_rounded(Down)
    }
}
