//! Private bounds of a value.

use super::{
    budget::{Budget, of_decimal},
    parts::check_number,
    query::{Query, least_scale},
    release::wrong_release,
    step::Step,
};
use crate::{
    core::{Error, ErrorKind, Fallible, Released, ToParameter, require},
    frames::{Batch, ColumnDomain, Expr, col},
    measures::{AdaptiveMeasure, MaxDivergence},
    plans::{Call, FrameMeasurement},
};

/// A measurement that finds an interval which contains most values. It is public, and can be inspected before anything
/// is released.
#[derive(Debug, Clone)]
pub struct BoundsMeasurement {
    measurement: FrameMeasurement,
    budget: Budget,
    units: u32,
}

impl Query {
    /// Finds two powers of two between which most values lie: bounds for the sums, means and variances of the next
    /// query when none are known in advance. The few values outside are clamped; missing values do not count.
    ///
    /// The interval is found with [`make_private_bounds`](crate::measurements::make_private_bounds). Bins outside of it
    /// may contain as many rows as the noise can hide: some `27 / epsilon` per bin if each individual has one row. At
    /// most [`max_rows_per_individual`](Self::max_rows_per_individual) rows of each individual count.
    ///
    /// # Parameters
    ///
    /// - `value`: a number or a Boolean.
    /// - `exponents`: the public integers a and b, with `a < b`, from -1074 to 1023. Bounds are among `-2^b, …, -2^a,
    ///   0, 2^a, …, 2^b`: for example, `(0, 40)` suits incomes in any currency, and `(-20, 20)` suits values that may
    ///   be small.
    /// - `epsilon`: the cost of the release.
    ///
    /// # Errors
    ///
    /// Returns an error if the query has statistics or keys, if the value is not a number of the table, if the
    /// exponents are out of order or out of range, or if epsilon is not positive and finite, or is too small for any
    /// noise.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let individuals = FrameDomain::new([("income", ColumnDomain::float())])?;
    /// let bounds = Query::new(&individuals).bounds(col("income"), (0, 40), 0.125)?;
    /// let incomes = (0..8000).map(|row| 20_000.0 + 5.0 * f64::from(row));
    /// let frame = Frame::new([("income", incomes.collect::<Column>())])?;
    /// let found = bounds.release(&frame)?.ok_or(Error::user("too few rows"))?;
    /// assert_eq!((found, bounds.loss()?.as_str()), ((16_384.0, 65_536.0), "epsilon 0.125"));
    /// let mean = Query::new(&individuals).mean(col("income"), found).measurement(Budget::Epsilon(0.875))?;
    /// # let _ = mean;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn bounds(&self, value: Expr, exponents: (i32, i32), epsilon: f64) -> Fallible<BoundsMeasurement> {
        require(
            self.is_bare(),
            "statistics",
            "and keys must be left out of a query that finds bounds: add them to the next query",
        )?;
        self.check_individuals()?;
        check_number(&self.seen()?, &value)?;
        require(epsilon.is_finite() && epsilon > 0.0, "epsilon", "must be positive and finite")?;
        let (budget, epsilon) = (Budget::Epsilon(epsilon), of_decimal(epsilon));
        let build = |scale: f64| {
            let steps = self.bounds_steps(&value, exponents, scale)?;
            FrameMeasurement::of_steps(self.domain(), self.metric(), &steps)
        };
        let loss = |scale: f64| build(scale)?.under::<MaxDivergence>()?.map(&self.units());
        let scale = least_scale(loss(1.0)? / epsilon, epsilon, loss)?;
        let measurement = build(scale)?;
        if !measurement.under::<MaxDivergence>()?.check(&self.units(), &epsilon)? {
            return Err(Error::new(ErrorKind::Budget, format!("the query does not fit into {budget}")));
        }
        Ok(BoundsMeasurement { measurement, budget, units: self.units() })
    }

    fn bounds_steps(&self, value: &Expr, (least, greatest): (i32, i32), scale: f64) -> Fallible<Vec<Call>> {
        let name = self.unused_name("value")?;
        let number = value.clone().cast(ColumnDomain::float().with_missing());
        let mut steps = self.calls();
        steps.push(Step::Columns(vec![(name.clone(), number)]).call());
        steps.push(Step::Filter(!col(&name).is_null()).call());
        steps.push(Step::Columns(vec![(name.clone(), col(&name).fill_null(0.0))]).call());
        let rows = ("columns".to_owned(), vec![name].to_parameter());
        if let Some(limits) = self.limits() {
            let max_rows = ("max_rows".to_owned(), limits.rows.to_parameter());
            steps.push(Call::new("bound_rows", [rows.clone(), max_rows]));
        }
        steps.push(Call::new("rows", [rows]));
        let passes = ("empty_passes".to_owned(), EMPTY_PASSES.to_parameter());
        let exponents = ("exponents".to_owned(), (least, greatest).to_parameter());
        steps.push(Call::new("private_bounds", [exponents, ("scale".to_owned(), scale.to_parameter()), passes]));
        Ok(steps)
    }
}

/// The probability that a bin without rows passes: with 4,000 such bins, one passes in one of 250 million releases.
const EMPTY_PASSES: f64 = 1e-12;

impl BoundsMeasurement {
    /// Returns the measurement, with its plan, its explanation, and its loss at any distance.
    pub fn measurement(&self) -> &FrameMeasurement {
        &self.measurement
    }

    /// Returns the requested budget, for the whole group of [units](Self::units).
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Returns the size of the group that the query protects, in rows or individuals.
    pub fn units(&self) -> u32 {
        self.units
    }

    /// Returns the loss of a release, in words.
    pub fn loss(&self) -> Fallible<String> {
        self.measurement.loss(self.units)
    }

    /// Releases the bounds, or `None` if there are too few rows to find any. Each call costs [`loss`](Self::loss).
    ///
    /// # Errors
    ///
    /// Returns an error if the data are not in the table's domain, or if the operating system provides no randomness.
    /// Nothing is released in these cases.
    pub fn release(&self, data: &[Batch]) -> Fallible<Option<(f64, f64)>> {
        self.bounds(&self.measurement.invoke(data)?)
    }

    /// Returns the same query, with its loss in another measure: [`FrameMeasurement::in_measure`].
    pub fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        Ok(Self { measurement: self.measurement.in_measure::<MO>()?, ..self.clone() })
    }

    /// Returns the bounds from a release of [`measurement`](Self::measurement). This costs nothing.
    ///
    /// # Errors
    ///
    /// Returns an error for a release of a different measurement, if that can be detected.
    pub fn bounds(&self, released: &Released) -> Fallible<Option<(f64, f64)>> {
        match released {
            Released::None => Ok(None),
            Released::List(bounds) => match bounds.as_slice() {
                [Released::Float(lower), Released::Float(upper)] => Ok(Some((*lower, *upper))),
                _ => Err(wrong_release()),
            },
            _ => Err(wrong_release()),
        }
    }
}
