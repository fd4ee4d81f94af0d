//! Queries with noise, and their releases.

use super::{
    budget::{Budget, Noise},
    estimates::{Noisy, covariance, mean, mean_within, quantile, quantile_widths, root, variance},
    limits::Limit,
    statistic::{Kind, Statistic},
    table::{Estimate, Statistics, Table},
};
use crate::{
    accuracy::{Accuracy, share_of_alpha},
    core::{Error, ErrorKind, Fallible, Released},
    frames::{Batch, KeySet},
    measures::AdaptiveMeasure,
    plans::FrameMeasurement,
};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom};

/// A query with the noise for its budget. It is public, and can be inspected before anything is released.
#[derive(Debug, Clone)]
pub struct QueryMeasurement {
    measurement: FrameMeasurement,
    budget: Budget,
    units: u32,
    keys: Option<KeySet>,
    statistics: Vec<(Statistic, Vec<usize>)>,
    limits: Vec<Option<Limit>>,
    parts: Vec<NoisyPart>,
}

/// The number of numbers in a part for each group, and their noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoisyPart {
    pub(super) width: usize,
    pub(super) noise: Noise,
    pub(super) scale: f64,
}

impl QueryMeasurement {
    /// Makes this from each statistic with the positions of its parts and its limit, and from these parts.
    pub(super) fn new(
        measurement: FrameMeasurement,
        (budget, units): (Budget, u32),
        keys: Option<KeySet>,
        (statistics, limits): (Vec<(Statistic, Vec<usize>)>, Vec<Option<Limit>>),
        parts: Vec<NoisyPart>,
    ) -> Self {
        Self { measurement, budget, units, keys, statistics, limits, parts }
    }

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

    /// Returns the statistics by name, each with a bound on its distance from the value without noise. The bound fails
    /// in at most a share `alpha` of releases. It is known for counts and sums; a statistic that is computed from
    /// several noisy numbers has an interval only after the release.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1) or so small that a share of it is 0, as [`table`](Self::table)
    /// does.
    pub fn accuracy(&self, alpha: f64) -> Fallible<Vec<(&str, Accuracy)>> {
        // No alpha is accepted before a release for which its table is refused.
        self.half_widths(alpha)?;
        let parts = self.measurement.accuracy(alpha)?;
        let of = |(statistic, places): &(Statistic, Vec<usize>)| match (&statistic.kind, places.as_slice()) {
            (Kind::Count(_) | Kind::Individuals | Kind::Distinct(_) | Kind::Sum(..), [place]) => {
                parts.part(*place).cloned().unwrap_or(Accuracy::Unknown)
            }
            _ => Accuracy::Unknown,
        };
        Ok(self.statistics.iter().map(|statistic| (statistic.0.name.as_str(), of(statistic))).collect())
    }

    /// Returns the statistics by name, each with its contribution limit; `None` if all rows of each individual count.
    pub fn limits(&self) -> impl Iterator<Item = (&str, Option<Limit>)> {
        let names = self.statistics.iter().map(|(statistic, _)| statistic.name.as_str());
        names.zip(self.limits.iter().copied())
    }

    /// Returns the means by name, each with a bound on the error of the noise, up to the rounding of floats, for a
    /// group with this many values. The bound fails in a share `alpha` of releases. The bound is `None` if there are so
    /// few values that their noisy number may be less than 1. It uses no data, so you know the accuracy of a mean
    /// before the release, for groups of an assumed size.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1).
    ///
    /// ```
    /// use indistinct::{frames::*, queries::*};
    /// let stays = FrameDomain::new([("days", ColumnDomain::float())])?;
    /// let mean = Query::new(&stays).mean(col("days"), (0.0, 30.0)).measurement(Budget::Epsilon(1.0))?;
    /// let within = |values| mean.accuracy_of_means(values, 0.05).map(|means| means[0].1);
    /// assert!(within(1000)?.is_some_and(|within| (0.1..0.5).contains(&within)));
    /// assert_eq!(within(1)?, None);
    /// # Ok::<(), indistinct::core::Error>(())
    /// ```
    pub fn accuracy_of_means(&self, values: u32, alpha: f64) -> Fallible<Vec<(&str, Option<f64>)>> {
        let mut means = Vec::new();
        for ((statistic, _), half_widths) in self.statistics.iter().zip(self.half_widths(alpha)?) {
            if let (Kind::Mean(_, bounds), [sum, count]) = (&statistic.kind, half_widths.as_slice()) {
                means.push((statistic.name.as_str(), mean_within(values, (*sum, *count), *bounds)?));
            }
        }
        Ok(means)
    }

    /// Returns the quantiles by name, each with an approximate number of values. So many values of a group lie between
    /// the quantile and either end of its interval, in addition to the values in the bin of that end. The number is
    /// twice the width that the noise at an edge exceeds with probability `alpha / 2`. Compared with the size of a
    /// group, it shows the accuracy of a quantile before the release. Finer edges help until the noise dominates, which
    /// grows with the square root of the number of bins.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1).
    ///
    /// ```
    /// use indistinct::{frames::*, queries::*};
    /// let stays = FrameDomain::new([("days", ColumnDomain::float())])?;
    /// let within = |bins: u32| -> Result<f64, indistinct::core::Error> {
    ///     let edges = (0..=bins).map(|bin| 30.0 * f64::from(bin) / f64::from(bins)).collect();
    ///     let median = Query::new(&stays).quantiles(col("days"), edges, &[0.5]).measurement(Budget::Epsilon(1.0))?;
    ///     Ok(median.accuracy_of_quantiles(0.05)?[0].1)
    /// };
    /// assert!((10.0..60.0).contains(&within(100)?) && within(10)? < within(100)?);
    /// # Ok::<(), indistinct::core::Error>(())
    /// ```
    pub fn accuracy_of_quantiles(&self, alpha: f64) -> Fallible<Vec<(&str, f64)>> {
        let mut quantiles = Vec::new();
        for ((statistic, _), half_widths) in self.statistics.iter().zip(self.half_widths(alpha)?) {
            if let Kind::Quantile(..) = &statistic.kind {
                let widest = half_widths.iter().copied().fold(0.0, f64::max);
                quantiles.push((statistic.name.as_str(), widest.inf_mul(2.0)?));
            }
        }
        Ok(quantiles)
    }

    /// Returns the same query, with its loss in another measure: [`FrameMeasurement::in_measure`].
    pub fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        Ok(Self { measurement: self.measurement.in_measure::<MO>()?, ..self.clone() })
    }

    /// Releases each statistic of each group, with a confidence interval. Each single interval misses the value without
    /// noise, up to the rounding of floats, with probability at most `alpha`. Each call costs [`loss`](Self::loss).
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1), if the data are not in the table's domain, or if the operating
    /// system provides no randomness. Nothing is released in these cases.
    pub fn release(&self, data: &[Batch], alpha: f64) -> Fallible<Table> {
        let widths = self.half_widths(alpha)?;
        let released = self.measurement.invoke(data)?;
        self.table_within(&released, &widths)
    }

    /// Returns the table from a release of [`measurement`](Self::measurement), for example with intervals at a
    /// different `alpha`. This costs nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1) or so small that a share of it is 0, or for a release of a
    /// different measurement, if that can be detected.
    pub fn table(&self, released: &Released, alpha: f64) -> Fallible<Table> {
        self.table_within(released, &self.half_widths(alpha)?)
    }

    /// Returns for each statistic the half-widths of the numbers from which it is computed, each with its share of
    /// alpha; for a quantile, those of sums of counts.
    fn half_widths(&self, alpha: f64) -> Fallible<Vec<Vec<f64>>> {
        // Refuses what is no alpha.
        self.measurement.accuracy(alpha)?;
        let mut shares: Vec<(f64, Accuracy)> = Vec::new();
        let of = |(statistic, places): &(Statistic, Vec<usize>)| {
            if let (Kind::Quantile(_, _, level), [place]) = (&statistic.kind, places.as_slice()) {
                let part = self.parts.get(*place).ok_or_else(wrong_release)?;
                return quantile_widths(part.width, *level, (part.noise, part.scale), alpha);
            }
            let share = share_of_alpha(alpha, f64::inf_from(&places.len())?)?;
            let accuracy = match shares.iter().find(|(other, _)| *other == share) {
                Some((_, accuracy)) => accuracy.clone(),
                None => {
                    let accuracy = self.measurement.accuracy(share)?;
                    shares.push((share, accuracy.clone()));
                    accuracy
                }
            };
            let width = |place: &usize| accuracy.part(*place).and_then(Accuracy::number).ok_or_else(wrong_release);
            places.iter().map(width).collect()
        };
        self.statistics.iter().map(of).collect()
    }

    fn table_within(&self, released: &Released, half_widths: &[Vec<f64>]) -> Fallible<Table> {
        let parts = numbers(released)?;
        let groups = self.keys.as_ref().map_or(1, KeySet::len);
        let mut columns = Vec::new();
        for (((statistic, places), limit), half_widths) in self.statistics.iter().zip(&self.limits).zip(half_widths) {
            let of_group = |group: usize| {
                let chunk = |place: &usize| {
                    let width = self.parts.get(*place)?.width;
                    let all = parts.get(*place)?;
                    all.get(group.checked_mul(width)?..)?.get(..width)
                };
                let chunks: Vec<&[f64]> = places.iter().map(chunk).collect::<Option<_>>().ok_or_else(wrong_release)?;
                estimate(statistic, &chunks, half_widths)
            };
            columns.push(Statistics {
                name: statistic.name.clone(),
                is_count: statistic.is_count(),
                limit: *limit,
                estimates: (0..groups).map(of_group).collect::<Fallible<_>>()?,
            });
        }
        Ok(Table::new(self.keys.clone(), columns))
    }
}

/// Returns a statistic of a group, from its released numbers.
fn estimate(statistic: &Statistic, chunks: &[&[f64]], half_widths: &[f64]) -> Fallible<Estimate> {
    let kind = &statistic.kind;
    if let (Kind::Quantile(_, edges, level), [counts]) = (kind, chunks) {
        return quantile((edges, statistic.limits), counts, *level, half_widths);
    }
    let first = |chunk: &&[f64]| chunk.first().copied();
    let noisy = |(value, within): (Option<f64>, &f64)| Some(Noisy::new(value?, *within));
    let noisy: Option<Vec<Noisy>> = chunks.iter().map(first).zip(half_widths).map(noisy).collect();
    of_parts(kind, &noisy.ok_or_else(wrong_release)?)
}

/// A statistic other than a quantile, from the noisy numbers of its parts.
pub(super) fn of_parts(kind: &Kind, noisy: &[Noisy]) -> Fallible<Estimate> {
    match (kind, noisy) {
        (Kind::Count(_) | Kind::Individuals | Kind::Distinct(_), [count]) => count.number(),
        (Kind::Sum(..), [sum]) => sum.estimate(),
        (Kind::Covariance((_, bounds), (_, others)), [first, second, products, count]) => {
            covariance((*first, *bounds), (*second, *others), *products, *count)
        }
        (Kind::Mean(_, bounds), [centered, count]) => mean(*centered, *count, *bounds),
        (Kind::Variance(_, bounds), [centered, squares, count]) => variance(*centered, *squares, *count, *bounds),
        (Kind::Deviation(_, bounds), [centered, squares, count]) => {
            Ok(root(variance(*centered, *squares, *count, *bounds)?))
        }
        _ => Err(wrong_release()),
    }
}

/// Returns the numbers of each part.
fn numbers(released: &Released) -> Fallible<Vec<Vec<f64>>> {
    let number = |released: &Released| match released {
        Released::Integer(number) => f64::nearest_from(number).ok(),
        Released::Float(number) => Some(*number),
        _ => None,
    };
    // A number that is of no list is that of the one group.
    let part = |released: &Released| match released {
        Released::List(numbers) => numbers.iter().map(number).collect::<Option<Vec<_>>>(),
        released => Some(vec![number(released)?]),
    };
    match released {
        Released::List(parts) => parts.iter().map(part).collect::<Option<_>>().ok_or_else(wrong_release),
        _ => Err(wrong_release()),
    }
}

/// Returns the error for a release that does not have the form of the query's measurement.
pub(super) fn wrong_release() -> Error {
    Error::new(ErrorKind::Plan, "the release does not belong to the query")
}
