//! `>>`: one step after another.
//!
//! | left | right | result |
//! |---|---|---|
//! | `(domain, metric)` | `then_*` | a transformation or measurement |
//! | transformation | `then_*`, transformation, measurement | a transformation or measurement |
//! | measurement | [`Function`] | the same loss, another release |
//!
//! The left side may also be the [`Fallible`] result of an earlier `>>`; the result always is one. That the types in
//! between agree is checked when the program is compiled; that the domains and metrics do, when it runs.
//!
//! This compiles:
//!
//! ```
//! # use indistinct::prelude::*;
//! let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
//! let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(1.0))?;
//! # Ok::<(), Error>(())
//! ```
//!
//! and this does not, for a sum of floats is not a vector of rows that could be clamped:
//!
//! ```compile_fail,E0308
//! # use indistinct::prelude::*;
//! let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
//! let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_clamp((0.0, 1.0)))?;
//! # Ok::<(), Error>(())
//! ```

use crate::core::{
    Domain, Fallible, Function, Measure, Measurement, Metric, PartialMeasurement, PartialTransformation, Transformation,
};
use std::ops::Shr;

/// `space >> then_transformation(…)`.
impl<DI: Domain, DO: Domain, MI: Metric, MO: Metric> Shr<PartialTransformation<DI, DO, MI, MO>> for (DI, MI) {
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: PartialTransformation<DI, DO, MI, MO>) -> Self::Output {
        next.fix(self)
    }
}

/// `space >> then_measurement(…)`.
impl<DI: Domain, TO, MI: Metric, MO: Measure> Shr<PartialMeasurement<DI, TO, MI, MO>> for (DI, MI) {
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: PartialMeasurement<DI, TO, MI, MO>) -> Self::Output {
        next.fix(self)
    }
}

/// `transformation >> transformation`.
impl<DI: Domain, DX: Domain, DO: Domain, MI: Metric, MX: Metric, MO: Metric> Shr<Transformation<DX, DO, MX, MO>>
    for Transformation<DI, DX, MI, MX>
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: Transformation<DX, DO, MX, MO>) -> Self::Output {
        self.chain(next)
    }
}

/// `transformation >> then_transformation(…)`.
impl<DI: Domain, DX: Domain, DO: Domain, MI: Metric, MX: Metric, MO: Metric> Shr<PartialTransformation<DX, DO, MX, MO>>
    for Transformation<DI, DX, MI, MX>
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: PartialTransformation<DX, DO, MX, MO>) -> Self::Output {
        let next = next.fix(self.output_space())?;
        self.chain(next)
    }
}

/// `transformation >> measurement`.
impl<DI: Domain, DX: Domain, TO: 'static, MI: Metric, MX: Metric, MO: Measure> Shr<Measurement<DX, TO, MX, MO>>
    for Transformation<DI, DX, MI, MX>
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: Measurement<DX, TO, MX, MO>) -> Self::Output {
        next.after(self)
    }
}

/// `transformation >> then_measurement(…)`.
impl<DI: Domain, DX: Domain, TO: 'static, MI: Metric, MX: Metric, MO: Measure> Shr<PartialMeasurement<DX, TO, MX, MO>>
    for Transformation<DI, DX, MI, MX>
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: PartialMeasurement<DX, TO, MX, MO>) -> Self::Output {
        next.fix(self.output_space())?.after(self)
    }
}

/// `measurement >> function`: post-processing, which costs nothing.
impl<DI: Domain, TO: 'static, TX: 'static, MI: Metric, MO: Measure> Shr<Function<TO, TX>>
    for Measurement<DI, TO, MI, MO>
{
    type Output = Fallible<Measurement<DI, TX, MI, MO>>;

    fn shr(self, function: Function<TO, TX>) -> Self::Output {
        self.postprocess(function)
    }
}

// The result of an earlier `>>`, if it succeeded, goes on as the value in it does.

impl<DI: Domain, DX: Domain, DO: Domain, MI: Metric, MX: Metric, MO: Metric> Shr<Transformation<DX, DO, MX, MO>>
    for Fallible<Transformation<DI, DX, MI, MX>>
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: Transformation<DX, DO, MX, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, DX: Domain, DO: Domain, MI: Metric, MX: Metric, MO: Metric> Shr<PartialTransformation<DX, DO, MX, MO>>
    for Fallible<Transformation<DI, DX, MI, MX>>
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: PartialTransformation<DX, DO, MX, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, DX: Domain, TO: 'static, MI: Metric, MX: Metric, MO: Measure> Shr<Measurement<DX, TO, MX, MO>>
    for Fallible<Transformation<DI, DX, MI, MX>>
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: Measurement<DX, TO, MX, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, DX: Domain, TO: 'static, MI: Metric, MX: Metric, MO: Measure> Shr<PartialMeasurement<DX, TO, MX, MO>>
    for Fallible<Transformation<DI, DX, MI, MX>>
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: PartialMeasurement<DX, TO, MX, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, TO: 'static, TX: 'static, MI: Metric, MO: Measure> Shr<Function<TO, TX>>
    for Fallible<Measurement<DI, TO, MI, MO>>
{
    type Output = Fallible<Measurement<DI, TX, MI, MO>>;

    fn shr(self, next: Function<TO, TX>) -> Self::Output {
        self? >> next
    }
}
