//! `>>`: chains steps.
//!
//! | left | right | result |
//! |---|---|---|
//! | `(domain, metric)` | `then_*` | a transformation or measurement |
//! | transformation | `then_*`, transformation, measurement | a transformation or measurement |
//! | measurement | [`Function`], [`Postprocessing`] | a measurement with the same loss and a different release |
//!
//! The left side may also be the [`Fallible`] result of an earlier `>>`; the result is always a `Fallible`. The
//! compiler checks that the types between two steps match; the call checks the domains and metrics.
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
//! and this does not, because a sum of floats is not a vector of rows that could be clamped:
//!
//! ```compile_fail,E0277
//! # use indistinct::prelude::*;
//! let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
//! let sum = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_clamp((0.0, 1.0)))?;
//! # Ok::<(), Error>(())
//! ```

use crate::core::{
    Domain, Fallible, Function, Measure, Measurement, Metric, PartialMeasurement, PartialTransformation,
    Postprocessing, Transformation,
};
use std::ops::Shr;

/// Steps that may follow values of the domain `D` under the metric `M`.
#[diagnostic::on_unimplemented(
    message = "this step cannot follow a step with the output `{D}` under `{M}`",
    label = "expects a different domain or metric",
    note = "if rows are pairs but numbers are expected, select the part first, such as with `then_pair_part(Second)`",
    note = "if rows of individuals (`SymmetricIdDistance`) are given but single rows are expected, bound them first with `then_bound_contributions`",
    note = "if rows are `String` but categories are `&str`, pass the categories as `String`, such as `\"a\".to_owned()`",
    note = "if a sum of floats (`Dyadic`) comes before a mechanism for `f64`, use `then_laplace` or `then_gaussian`, or `AtomDomain::dyadic()` as your domain",
    note = "if a selection follows counts in `L1Distance` or `L2Distance`, count in `LInfDistance::new()` or `LInfDistance::monotonic()` instead"
)]
#[allow(private_bounds)]
pub trait Follows<D: Domain, M: Metric>: Sized {
    /// The step, once its space is known.
    type Step;
    /// Returns the step on this space.
    #[doc(hidden)]
    fn on(self, space: impl FnOnce() -> (D, M)) -> Fallible<Self::Step>;
}

impl<D: Domain, DO: Domain, M: Metric, MO: Metric> Follows<D, M> for PartialTransformation<D, DO, M, MO> {
    type Step = Transformation<D, DO, M, MO>;

    fn on(self, space: impl FnOnce() -> (D, M)) -> Fallible<Self::Step> {
        self.fix(space())
    }
}

impl<D: Domain, TO, M: Metric, MO: Measure> Follows<D, M> for PartialMeasurement<D, TO, M, MO> {
    type Step = Measurement<D, TO, M, MO>;

    fn on(self, space: impl FnOnce() -> (D, M)) -> Fallible<Self::Step> {
        self.fix(space())
    }
}

impl<D: Domain, DO: Domain, M: Metric, MO: Metric> Follows<D, M> for Transformation<D, DO, M, MO> {
    type Step = Self;

    fn on(self, _: impl FnOnce() -> (D, M)) -> Fallible<Self> {
        Ok(self)
    }
}

impl<D: Domain, TO: 'static, M: Metric, MO: Measure> Follows<D, M> for Measurement<D, TO, M, MO> {
    type Step = Self;

    fn on(self, _: impl FnOnce() -> (D, M)) -> Fallible<Self> {
        Ok(self)
    }
}

/// `space >> then_transformation(…)`.
impl<DI: Domain, DP: Domain, DO: Domain, MI: Metric, MP: Metric, MO: Metric> Shr<PartialTransformation<DP, DO, MP, MO>>
    for (DI, MI)
where
    PartialTransformation<DP, DO, MP, MO>: Follows<DI, MI, Step = Transformation<DI, DO, MI, MO>>,
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: PartialTransformation<DP, DO, MP, MO>) -> Self::Output {
        next.on(|| self)
    }
}

/// `space >> then_measurement(…)`.
impl<DI: Domain, DP: Domain, TO, MI: Metric, MP: Metric, MO: Measure> Shr<PartialMeasurement<DP, TO, MP, MO>>
    for (DI, MI)
where
    PartialMeasurement<DP, TO, MP, MO>: Follows<DI, MI, Step = Measurement<DI, TO, MI, MO>>,
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: PartialMeasurement<DP, TO, MP, MO>) -> Self::Output {
        next.on(|| self)
    }
}

/// `transformation >> transformation`.
impl<DI: Domain, DX: Domain, DP: Domain, DO: Domain, MI: Metric, MX: Metric, MP: Metric, MO: Metric>
    Shr<Transformation<DP, DO, MP, MO>> for Transformation<DI, DX, MI, MX>
where
    Transformation<DP, DO, MP, MO>: Follows<DX, MX, Step = Transformation<DX, DO, MX, MO>>,
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: Transformation<DP, DO, MP, MO>) -> Self::Output {
        let next = next.on(|| self.output_space())?;
        self.chain(next)
    }
}

/// `transformation >> then_transformation(…)`.
impl<DI: Domain, DX: Domain, DP: Domain, DO: Domain, MI: Metric, MX: Metric, MP: Metric, MO: Metric>
    Shr<PartialTransformation<DP, DO, MP, MO>> for Transformation<DI, DX, MI, MX>
where
    PartialTransformation<DP, DO, MP, MO>: Follows<DX, MX, Step = Transformation<DX, DO, MX, MO>>,
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: PartialTransformation<DP, DO, MP, MO>) -> Self::Output {
        let next = next.on(|| self.output_space())?;
        self.chain(next)
    }
}

/// `transformation >> measurement`.
impl<DI: Domain, DX: Domain, DP: Domain, TO: 'static, MI: Metric, MX: Metric, MP: Metric, MO: Measure>
    Shr<Measurement<DP, TO, MP, MO>> for Transformation<DI, DX, MI, MX>
where
    Measurement<DP, TO, MP, MO>: Follows<DX, MX, Step = Measurement<DX, TO, MX, MO>>,
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: Measurement<DP, TO, MP, MO>) -> Self::Output {
        next.on(|| self.output_space())?.after(self)
    }
}

/// `transformation >> then_measurement(…)`.
impl<DI: Domain, DX: Domain, DP: Domain, TO: 'static, MI: Metric, MX: Metric, MP: Metric, MO: Measure>
    Shr<PartialMeasurement<DP, TO, MP, MO>> for Transformation<DI, DX, MI, MX>
where
    PartialMeasurement<DP, TO, MP, MO>: Follows<DX, MX, Step = Measurement<DX, TO, MX, MO>>,
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: PartialMeasurement<DP, TO, MP, MO>) -> Self::Output {
        next.on(|| self.output_space())?.after(self)
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

/// `measurement >> postprocessing`: post-processing by a named function.
impl<DI: Domain, TO: 'static, TX: 'static, MI: Metric, MO: Measure> Shr<Postprocessing<TO, TX>>
    for Measurement<DI, TO, MI, MO>
{
    type Output = Fallible<Measurement<DI, TX, MI, MO>>;

    fn shr(self, next: Postprocessing<TO, TX>) -> Self::Output {
        self.postprocess_by(next.plan, next.function)
    }
}

// The result of an earlier `>>`, if it succeeded, goes on as the value in it does.

impl<DI: Domain, DX: Domain, DP: Domain, DO: Domain, MI: Metric, MX: Metric, MP: Metric, MO: Metric>
    Shr<Transformation<DP, DO, MP, MO>> for Fallible<Transformation<DI, DX, MI, MX>>
where
    Transformation<DP, DO, MP, MO>: Follows<DX, MX, Step = Transformation<DX, DO, MX, MO>>,
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: Transformation<DP, DO, MP, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, DX: Domain, DP: Domain, DO: Domain, MI: Metric, MX: Metric, MP: Metric, MO: Metric>
    Shr<PartialTransformation<DP, DO, MP, MO>> for Fallible<Transformation<DI, DX, MI, MX>>
where
    PartialTransformation<DP, DO, MP, MO>: Follows<DX, MX, Step = Transformation<DX, DO, MX, MO>>,
{
    type Output = Fallible<Transformation<DI, DO, MI, MO>>;

    fn shr(self, next: PartialTransformation<DP, DO, MP, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, DX: Domain, DP: Domain, TO: 'static, MI: Metric, MX: Metric, MP: Metric, MO: Measure>
    Shr<Measurement<DP, TO, MP, MO>> for Fallible<Transformation<DI, DX, MI, MX>>
where
    Measurement<DP, TO, MP, MO>: Follows<DX, MX, Step = Measurement<DX, TO, MX, MO>>,
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: Measurement<DP, TO, MP, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, DX: Domain, DP: Domain, TO: 'static, MI: Metric, MX: Metric, MP: Metric, MO: Measure>
    Shr<PartialMeasurement<DP, TO, MP, MO>> for Fallible<Transformation<DI, DX, MI, MX>>
where
    PartialMeasurement<DP, TO, MP, MO>: Follows<DX, MX, Step = Measurement<DX, TO, MX, MO>>,
{
    type Output = Fallible<Measurement<DI, TO, MI, MO>>;

    fn shr(self, next: PartialMeasurement<DP, TO, MP, MO>) -> Self::Output {
        self? >> next
    }
}

impl<DI: Domain, TO: 'static, TX: 'static, MI: Metric, MO: Measure> Shr<Postprocessing<TO, TX>>
    for Fallible<Measurement<DI, TO, MI, MO>>
{
    type Output = Fallible<Measurement<DI, TX, MI, MO>>;

    fn shr(self, next: Postprocessing<TO, TX>) -> Self::Output {
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
