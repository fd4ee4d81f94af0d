//! Questions about a table.

use crate::answer::Tabular;
use indistinct::{
    accuracy::Accuracy,
    bounds::AdaptiveMeasure,
    core::{Fallible, Released},
    plans::FrameMeasurement,
    queries::{BoundsMeasurement, Budget, FoundKeys, QueryMeasurement, Table, UnknownKeysMeasurement},
};

/// A question about a table: a query with its noise, or a measurement of a plan.
pub trait Question: Sealed + Sized {
    /// The type of the answer.
    type Answer: Tabular;

    /// Returns the measurement to release.
    fn measurement(&self) -> &FrameMeasurement;
    /// Returns the budget requested for it, for this number of units together; `None` if there is none, or it is for
    /// another number.
    fn asked(&self, units: u32) -> Option<Budget> {
        let _ = units;
        None
    }
    /// Returns the same question, with its loss in another measure.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`FrameMeasurement::in_measure`].
    fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self>;
    /// Returns bounds, by name, on the error that noise adds to its statistics. Each bound fails with probability at
    /// most `alpha`.
    ///
    /// # Errors
    ///
    /// Returns an error for every `alpha` that [`answer`](Self::answer) refuses: outside (0, 1), or so small that a
    /// share of it is 0.
    fn accuracy(&self, alpha: f64) -> Fallible<Vec<(String, Accuracy)>>;
    /// Returns bounds, by name, on the error that noise adds to a mean of a group with this many values. Each bound
    /// fails with probability at most `alpha`, and is `None` if the group is too small for one.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1).
    fn accuracy_of_means(&self, values: u32, alpha: f64) -> Fallible<Vec<(String, Option<f64>)>> {
        let _ = (values, alpha);
        Ok(Vec::new())
    }
    /// Returns by name the approximate number of a group's values between a quantile and either end of its interval, in
    /// addition to those in the bin of that end. The interval misses the quantile with probability `alpha`.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1).
    fn accuracy_of_quantiles(&self, alpha: f64) -> Fallible<Vec<(String, f64)>> {
        let _ = alpha;
        Ok(Vec::new())
    }
    /// Returns sentences about what the answer leaves out, to be read before the release is charged.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns the answer from a release of the measurement, with intervals that fail with probability `alpha`, if it
    /// has intervals.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1), or for a release of another measurement.
    fn answer(&self, released: &Released, alpha: f64) -> Fallible<Self::Answer>;
}

/// Questions cannot be user-defined: the loss of a question is the loss of its measurement.
pub trait Sealed {}
impl Sealed for QueryMeasurement {}
impl Sealed for UnknownKeysMeasurement {}
impl Sealed for BoundsMeasurement {}
impl Sealed for FrameMeasurement {}

impl Question for QueryMeasurement {
    type Answer = Table;

    fn measurement(&self) -> &FrameMeasurement {
        self.measurement()
    }

    fn asked(&self, units: u32) -> Option<Budget> {
        (self.units() == units).then(|| self.budget())
    }

    fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        self.in_measure::<MO>()
    }

    fn accuracy(&self, alpha: f64) -> Fallible<Vec<(String, Accuracy)>> {
        Ok(self.accuracy(alpha)?.into_iter().map(|(name, accuracy)| (name.to_owned(), accuracy)).collect())
    }

    fn accuracy_of_means(&self, values: u32, alpha: f64) -> Fallible<Vec<(String, Option<f64>)>> {
        let means = self.accuracy_of_means(values, alpha)?;
        Ok(means.into_iter().map(|(name, within)| (name.to_owned(), within)).collect())
    }

    fn accuracy_of_quantiles(&self, alpha: f64) -> Fallible<Vec<(String, f64)>> {
        let quantiles = self.accuracy_of_quantiles(alpha)?;
        Ok(quantiles.into_iter().map(|(name, values)| (name.to_owned(), values)).collect())
    }

    fn answer(&self, released: &Released, alpha: f64) -> Fallible<Table> {
        self.table(released, alpha)
    }
}

impl Question for UnknownKeysMeasurement {
    type Answer = FoundKeys;

    fn measurement(&self) -> &FrameMeasurement {
        self.measurement()
    }

    fn asked(&self, units: u32) -> Option<Budget> {
        (self.units() == units).then(|| self.budget())
    }

    fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        self.in_measure::<MO>()
    }

    fn accuracy(&self, alpha: f64) -> Fallible<Vec<(String, Accuracy)>> {
        Ok(self.accuracy(alpha)?.into_iter().map(|(name, accuracy)| (name.to_owned(), accuracy)).collect())
    }

    fn accuracy_of_means(&self, values: u32, alpha: f64) -> Fallible<Vec<(String, Option<f64>)>> {
        let means = self.accuracy_of_means(values, alpha)?;
        Ok(means.into_iter().map(|(name, within)| (name.to_owned(), within)).collect())
    }

    fn notes(&self) -> Vec<String> {
        let (threshold, counted) = (grouped(self.threshold()), self.counted());
        let rule = format!("a key is shown if its noisy count is {threshold} or more");
        vec![format!("keys with fewer than about {threshold} {counted} will not appear: {rule}")]
    }

    fn answer(&self, released: &Released, alpha: f64) -> Fallible<FoundKeys> {
        self.found(released, alpha)
    }
}

impl Question for BoundsMeasurement {
    type Answer = Option<(f64, f64)>;

    fn measurement(&self) -> &FrameMeasurement {
        self.measurement()
    }

    fn asked(&self, units: u32) -> Option<Budget> {
        (self.units() == units).then(|| self.budget())
    }

    fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        self.in_measure::<MO>()
    }

    fn accuracy(&self, alpha: f64) -> Fallible<Vec<(String, Accuracy)>> {
        Ok(vec![("bounds".into(), self.measurement().accuracy(alpha)?)])
    }

    fn answer(&self, released: &Released, _: f64) -> Fallible<Option<(f64, f64)>> {
        self.bounds(released)
    }
}

impl Question for FrameMeasurement {
    type Answer = Released;

    fn measurement(&self) -> &FrameMeasurement {
        self
    }

    fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        self.in_measure::<MO>()
    }

    fn accuracy(&self, alpha: f64) -> Fallible<Vec<(String, Accuracy)>> {
        Ok(vec![("release".into(), self.accuracy(alpha)?)])
    }

    fn answer(&self, released: &Released, _: f64) -> Fallible<Released> {
        Ok(released.clone())
    }
}

/// Returns an integer with a comma after each three digits from the right.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_are_in_groups_of_three() {
        assert_eq!([1, 999, 1775, 1_234_567].map(super::grouped), ["1", "999", "1,775", "1,234,567"]);
    }
}
