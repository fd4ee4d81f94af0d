//! The losses of measurements in a composition.

use super::{FrameMeasurement, FrameMetric, Functions, call::Call, stage::Stage, steps};
use crate::{
    core::{Error, ErrorKind, Fallible, Measurement, ProofLevel, Released, check_neighbors},
    frames::FrameDomain,
    measures::AdaptiveMeasure,
};

/// The conversions that take no parameter, and lose least, from one measure to another.
const CONVERSIONS: [(&str, &str, &[&str]); 10] = [
    ("RangeDivergence", "MaxDivergence", &["bounded_range_to_pureDP"]),
    ("MaxDivergence", "Approximate(MaxDivergence)", &["pureDP_to_approxDP"]),
    ("RangeDivergence", "Approximate(MaxDivergence)", &["bounded_range_to_pureDP", "pureDP_to_approxDP"]),
    ("MaxDivergence", "ZeroConcentratedDivergence", &["pureDP_to_zCDP"]),
    ("RangeDivergence", "ZeroConcentratedDivergence", &["bounded_range_to_zCDP"]),
    ("GaussianDivergence", "ZeroConcentratedDivergence", &["GDP_to_zCDP"]),
    ("MaxDivergence", "RenyiDivergence", &["pureDP_to_zCDP", "zCDP_to_RDP"]),
    ("RangeDivergence", "RenyiDivergence", &["bounded_range_to_zCDP", "zCDP_to_RDP"]),
    ("ZeroConcentratedDivergence", "RenyiDivergence", &["zCDP_to_RDP"]),
    ("GaussianDivergence", "RenyiDivergence", &["GDP_to_zCDP", "zCDP_to_RDP"]),
];

impl FrameMeasurement {
    /// Returns the same release with its loss in another measure, if a conversion without parameters exists: for
    /// example, from bounded range or max divergence to zero-concentrated divergence. The plan of the result has the
    /// steps of the conversion.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Mismatch`] if there is no such conversion, such as from zero-concentrated to approximate
    /// max divergence, which needs a delta.
    ///
    /// ```
    /// use indistinct::{frames::*, measures::ZeroConcentratedDivergence, queries::*};
    /// let visits = FrameDomain::new([("days", ColumnDomain::float())])?;
    /// let count = Query::new(&visits).count().measurement(Budget::Epsilon(1.0))?;
    /// let concentrated = count.measurement().in_measure::<ZeroConcentratedDivergence>()?;
    /// assert_eq!(concentrated.loss(1)?, "rho 0.4621171572600098");
    /// # Ok::<(), indistinct::core::Error>(())
    /// ```
    pub fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        let (from, to) = (self.measure(), format!("{:?}", MO::default()));
        if from == to {
            return Ok(self.clone());
        }
        let conversion = CONVERSIONS.iter().find(|(input, output, _)| (*input, *output) == (&from, &to));
        let rule = || format!("no conversion without a parameter leads from `{from}` to `{to}`");
        let (_, _, names) = conversion.ok_or_else(|| Error::new(ErrorKind::Mismatch, rule()))?;
        let calls: Vec<Call> = names.iter().map(|name| Call::new(name, [])).collect();
        steps::build_after(Stage::Release(self.clone()), "conversion", &calls, &Functions::new())
    }

    /// Returns the loss at `d_in` for an adaptive composition: several releases on the same data, each chosen after
    /// seeing the earlier ones. It makes the same checks as [`Compositor::eval`](crate::combinators::Compositor::eval).
    /// The caller composes such losses: epsilons, deltas and rhos add up, and so do Renyi divergences at one order and
    /// squares of mus.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Mismatch`] if the loss is in another measure (see [`in_measure`](Self::in_measure)), or
    /// holds only for one release of a secret sample. Returns [`ErrorKind::Question`] if there is a loss at distance 0,
    /// and [`ErrorKind::InfiniteLoss`] if the loss is infinite at every distance, unless that was accepted. Also
    /// returns an error if no two different inputs are within `d_in`, like [`Measurement::check`].
    pub fn adaptive_loss<MO>(&self, d_in: u32) -> Fallible<MO::Distance>
    where
        MO: AdaptiveMeasure + Default,
    {
        let measurement: Measurement<FrameDomain, Released, FrameMetric, MO> = self.under::<MO>()?;
        measurement.check_repeatable()?;
        if !measurement.check(&0, &MO::default().compose(&[])?)? {
            return Err(Error::new(ErrorKind::Question, "a measurement must cost nothing at distance 0"));
        }
        measurement.check_finite_loss()?;
        // Where no two inputs are so close, the map is 0 of everything, noise or not.
        check_neighbors(measurement.input_domain(), measurement.input_metric(), &d_in)?;
        measurement.map(&d_in)
    }

    /// Returns the weakest proof on which the guarantee relies: [`Explanation::weakest_proof`], at any distance.
    ///
    /// [`Explanation::weakest_proof`]: crate::core::Explanation::weakest_proof
    pub fn weakest_proof(&self) -> Fallible<ProofLevel> {
        Ok(self.explain(0)?.weakest_proof())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        frames::{ColumnDomain, col},
        measures::{Approximate, MaxDivergence, ZeroConcentratedDivergence},
        queries::{Budget, Query},
    };

    fn count(budget: Budget) -> FrameMeasurement {
        let table = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
        Query::new(&table).filter(col("x").gt(0.0)).count().measurement(budget).unwrap().measurement().clone()
    }

    #[test]
    fn conversions_are_steps_of_the_plan() {
        let pure = count(Budget::Epsilon(0.5));
        assert_eq!(pure.adaptive_loss::<MaxDivergence>(1), Ok(0.5));
        assert_eq!(pure.adaptive_loss::<MaxDivergence>(0), Ok(0.0));
        let kind = pure.adaptive_loss::<ZeroConcentratedDivergence>(1).unwrap_err();
        assert_eq!(kind.kind(), ErrorKind::Mismatch);
        let approximate = pure.in_measure::<Approximate<MaxDivergence>>().unwrap();
        assert_eq!(approximate.adaptive_loss::<Approximate<MaxDivergence>>(1), Ok((0.5, 0.0)));
        assert!(approximate.to_json().unwrap().contains("pureDP_to_approxDP"));
        assert_eq!(FrameMeasurement::from_json(&approximate.to_json().unwrap()).unwrap().plan(), approximate.plan());
        assert_eq!(approximate.in_measure::<Approximate<MaxDivergence>>().unwrap().plan(), approximate.plan());
        assert_eq!(approximate.in_measure::<MaxDivergence>().unwrap_err().kind(), ErrorKind::Mismatch);
        let rho = count(Budget::Rho(0.25));
        let loss = rho.adaptive_loss::<ZeroConcentratedDivergence>(1).unwrap();
        assert!((0.2499..=0.25).contains(&loss), "{loss}");
        assert_eq!(rho.in_measure::<Approximate<MaxDivergence>>().unwrap_err().kind(), ErrorKind::Mismatch);
        assert_eq!(rho.weakest_proof(), Ok(rho.explain(1).unwrap().weakest_proof()));
    }

    /// Each conversion that is listed is one.
    #[test]
    fn every_conversion_is_known() {
        for (_, _, names) in CONVERSIONS {
            for name in names {
                assert!(super::super::constructors().any(|it| it.name == format!("make_{name}")), "{name}");
            }
        }
    }

    /// Four rows are never one row added or removed from four others: the map says 0, and nothing is promised.
    #[test]
    fn a_distance_without_neighbors_has_no_loss() {
        let plan = r#"
            version = 2
            metric = "SymmetricDistance"
            rows = 3
            columns = { x = "float(0..=10)" }
            steps = [{ make = "rows", columns = ["x"] }, { make = "sum" }, { make = "laplace", scale = 1e-6 }]
        "#;
        let sum = FrameMeasurement::from_toml(plan).unwrap();
        assert_eq!(sum.under::<MaxDivergence>().unwrap().map(&1), Ok(0.0));
        assert!(sum.adaptive_loss::<MaxDivergence>(1).is_err());
        assert!(sum.adaptive_loss::<MaxDivergence>(2).unwrap() > 1e6);
    }

    #[test]
    fn what_promises_nothing_is_refused_beside_others() {
        let plan = r#"
            version = 2
            metric = "SymmetricDistance"
            columns = { x = "float" }
            steps = [{ make = "rows", columns = ["x"] }, { make = "count" }, { make = "laplace", scale = 0 }]
        "#;
        let exact = FrameMeasurement::from_toml(plan).unwrap();
        assert_eq!(exact.adaptive_loss::<MaxDivergence>(1).unwrap_err().kind(), ErrorKind::InfiniteLoss);
    }
}
