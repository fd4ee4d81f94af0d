//! Counts, sums and means of unknown keys.

use super::{
    budget::{Budget, of_decimal},
    estimates::{Noisy, mean_within},
    limits::{Limit, Limits, in_words},
    parts::{Part, new_name},
    query::{Query, clash, least_scale},
    release::{of_parts, wrong_release},
    statistic::{Kind, Statistic},
    step::Step,
    table::{Estimate, Statistics, cell_in_words, note_of_hidden},
};
use crate::{
    accuracy::{Accuracy, share_of_alpha},
    combinators::split,
    core::{Error, ErrorKind, Fallible, Parameter, Released, ToParameter, require},
    frames::{Batch, Cell, Expr, KeySet, col, lit, read_text_key, text_key, when},
    measures::{AdaptiveMeasure, Approximate, MaxDivergence},
    plans::{Call, FrameMeasurement},
    search::smallest,
};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom};
use std::fmt;

/// A measurement that counts by the values of some columns, with sums and means beside the counts, and releases the
/// keys whose count is large enough. It is public, and can be inspected before anything is released.
#[derive(Debug, Clone)]
pub struct UnknownKeysMeasurement {
    measurement: FrameMeasurement,
    budget: Budget,
    units: u32,
    columns: Vec<String>,
    name: String,
    threshold: i64,
    limit: Option<Limit>,
    /// Each statistic with the places of the noisy numbers that it is computed from; 0 is the count, which decides.
    statistics: Vec<(Statistic, Vec<usize>)>,
    limit_of_statistics: Option<Limit>,
}

/// The keys that were released, each with its noisy count and its other statistics, in the order of their cells.
///
/// Among the releases that show a key, the interval of its count contains the count without noise with probability at
/// least `1 - alpha`. A threshold selects counts that noise has raised, so a symmetric interval around every shown
/// count would not suffice. If noise raises a count from at or below the threshold to the threshold or above, it raises
/// the count to more than `within` above the threshold with probability at most `alpha / 2`. Therefore a count that is
/// more than `within` above the threshold has the interval `within` to either side. The interval of any other count
/// begins at 1, because a shown key has a row.
///
/// The noise of sums is independent of the noise of counts, so its distribution does not depend on whether a key is
/// shown. Therefore the intervals of sums extend equally to either side for all shown keys. A mean is computed from a
/// sum and a count. Its interval contains the mean if the intervals of the sum and the count contain their values. Each
/// of these fails with probability at most `alpha / 2` among the releases that show the key.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FoundKeys {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Returns the name of the count.
    pub name: String,
    /// The cells of each key, in the order of the columns, and its count.
    pub counts: Vec<(Vec<Cell>, i64)>,
    /// The smallest noisy count that is shown.
    pub threshold: i64,
    /// The half-width of the intervals of counts.
    pub within: f64,
    /// The maximum number of keys in which an individual counts; `None` if there is no limit.
    pub limit: Option<Limit>,
    statistics: Vec<Statistics>,
}

/// The largest threshold that is tried.
const MAX_THRESHOLD: i64 = 1 << 40;

/// The most sums beside a count.
const MAX_SUMS: usize = 1 << 10;

impl Query {
    /// Finds the keys, combinations of values of these columns, that occur often enough (partition selection). Each key
    /// is released with its number of individuals, or of rows if the table has no individuals. The keys need not be
    /// listed in advance. The next query can group by the keys that were found: [`FoundKeys::key_set`].
    ///
    /// An individual counts in one key, or in as many keys as
    /// [`max_groups_per_individual`](Self::max_groups_per_individual) allows, once in each. The noise grows in
    /// proportion to this number, and the threshold grows with the noise.
    ///
    /// The query's counts, sums, means, variances and covariances are released for the same keys. At most
    /// [`max_rows_per_individual`](Self::max_rows_per_individual) rows of an individual count in each key for them. The
    /// number of individuals, or of rows, alone decides which keys are released. Epsilon is divided among the
    /// statistics by [`weight`](Self::weight), with weight 1 for the deciding number. The threshold uses all of delta.
    /// If one row of each individual counts in a key, the deciding number is also the number of rows, and the
    /// denominator of a mean without missing values.
    ///
    /// # Parameters
    ///
    /// - `columns`: columns of integers, Booleans, texts, categories, dates or times. A missing cell is also a key.
    /// - `budget`: an epsilon and a delta. Delta bounds the probability of releasing the key of a single individual.
    ///
    /// # Errors
    ///
    /// Returns an error if the query has quantiles, counts of distinct values or of individuals, or listed keys; if it
    /// limits the rows of each individual without a statistic of rows; if there are no columns; or if the budget is not
    /// positive and finite or its delta is not below 1.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let columns = [("customer", ColumnDomain::integer()), ("station", ColumnDomain::text()), ("km", ColumnDomain::float())];
    /// let rides = FrameDomain::new(columns)?.with_individuals("customer")?;
    /// let rides = Query::new(&rides).max_groups_per_individual(2).mean(col("km"), (0.0, 20.0)).alias("mean km");
    /// let stations = rides.count_unknown_keys(["station"], (2.0, 1e-9))?;
    /// let frame = Frame::new([
    ///     ("customer", (0..1000i64).collect::<Column>()),
    ///     ("station", (0..1000).map(|row| ["harbor", "park"][row % 2]).collect()),
    ///     ("km", (0..1000).map(|row| [3.0, 12.0][row % 2]).collect()),
    /// ])?;
    /// let found = stations.release(&frame, 0.05)?;
    /// println!("{found}");
    /// assert_eq!(found.key_set()?.len(), 2);
    /// assert!(found.estimate(0).and_then(|count| count.interval).is_some());
    /// let mean = found.column("mean km").and_then(|means| means[0].value);
    /// assert!(mean.is_some_and(|mean| (mean - 3.0).abs() < 2.0), "{found}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn count_unknown_keys(
        &self,
        columns: impl IntoIterator<Item = impl Into<String>>,
        (epsilon, delta): (f64, f64),
    ) -> Fallible<UnknownKeysMeasurement> {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        require(!self.has_keys(), "keys", "must not be listed in a query with unknown keys")?;
        self.check_statistics(&columns)?;
        self.statistics().iter().try_for_each(|statistic| statistic.kind.check_of_unknown_keys())?;
        require(!columns.is_empty(), "columns", "must not be empty")?;
        let is_twice =
            columns.iter().enumerate().any(|(place, name)| columns.iter().take(place).any(|other| other == name));
        require(!is_twice, "columns", "must not name a column twice")?;
        require(epsilon.is_finite() && epsilon > 0.0, "budget", "its epsilon must be positive and finite")?;
        require(delta > 0.0 && delta < 1.0, "budget", "its delta must be above 0 and below 1")?;
        let budget = Budget::EpsilonDelta(epsilon, delta);
        let (epsilon, delta) = (of_decimal(epsilon), of_decimal(delta));
        let (steps, places) = self.steps_of_unknown_keys(&columns)?;
        let loss = |last: Vec<Call>| {
            let steps = [steps.before.clone(), last].concat();
            let measurement = FrameMeasurement::of_steps(self.domain(), self.metric(), &steps)?;
            measurement.under::<Approximate<MaxDivergence>>()?.map(&self.units())
        };
        let mut shares = split(epsilon, &steps.weights)?.into_iter();
        let mut share = || shares.next().ok_or_else(wrong_release);
        let of_count = |scale: f64, threshold: i64| loss(with_threshold(&steps.counts, scale, threshold));
        // Epsilon at scale 1 is the greatest sum of all changes.
        let share_of_count = share()?;
        let guess = of_count(1.0, 1)?.0 / share_of_count;
        let scale = least_scale(guess, share_of_count, |scale| Ok(of_count(scale, 1)?.0))?;
        let threshold = smallest((1, MAX_THRESHOLD), |threshold| Ok(of_count(scale, threshold)?.1 <= delta))?;
        let mut scales = Vec::new();
        for (sum, magnitude) in &steps.sums {
            // The epsilon of a sum, which no threshold changes.
            let of_sum = |scale: f64| Ok(loss(with_threshold(sum, scale, 1.0))?.0);
            let (share, magnitude) = (share()?, magnitude.max(f64::MIN_POSITIVE));
            let guess = of_sum(magnitude)?.inf_div(share)?.inf_mul(magnitude)?;
            scales.push(least_scale(guess, share, of_sum)?);
        }
        let calls = [steps.before.clone(), steps.last(scale, threshold, scales)].concat();
        let measurement = FrameMeasurement::of_steps(self.domain(), self.metric(), &calls)?;
        if !measurement.under::<Approximate<MaxDivergence>>()?.check(&self.units(), &(epsilon, delta))? {
            return Err(Error::new(ErrorKind::Budget, format!("the query does not fit into {budget}")));
        }
        let limit = self.keys_of_individual().and_then(|(_, limit)| limit);
        let limit_of_statistics = self.limits_of_unknown_keys().and_then(|limits| match limits.is_joined {
            true => None,
            false => Some(Limit::RowsInGroups { groups: limits.groups.unwrap_or(1).into(), rows: limits.rows.into() }),
        });
        let statistics: Vec<(Statistic, Vec<usize>)> = self.statistics().iter().cloned().zip(places).collect();
        let names: Vec<&str> = statistics.iter().map(|(statistic, _)| statistic.name.as_str()).collect();
        // A name that no statistic and no end of an interval has; `alias` gives it another one.
        let mut name = "count".to_owned();
        while clash(&[name.as_str()], &columns)
            || names.iter().any(|other| *other == name || clash(&[name.as_str(), *other], &[]))
        {
            name.push('_');
        }
        let units = self.units();
        Ok(UnknownKeysMeasurement {
            measurement,
            budget,
            units,
            columns,
            name,
            threshold,
            limit,
            statistics,
            limit_of_statistics,
        })
    }

    /// How much of an individual counts in keys that nobody lists.
    fn limits_of_unknown_keys(&self) -> Option<Limits> {
        let (groups, _) = self.keys_of_individual()?;
        let limits = self.limits()?;
        Some(if limits.is_joined { limits } else { Limits { groups: Some(groups), ..limits } })
    }

    /// The steps, and the noisy numbers that each statistic needs.
    fn steps_of_unknown_keys(&self, columns: &[String]) -> Fallible<(Steps, Vec<Vec<usize>>)> {
        let (seen, limits) = (self.seen()?, self.limits_of_unknown_keys());
        let counted = if limits.is_some() { Part::Individuals } else { Part::Count(None) };
        // An individual with one row in each key is counted as often as their rows are.
        let is_of_one_row = limits.is_none_or(|limits| limits.rows == 1);
        let (parts, weights, places) = self.parts_after((vec![counted.clone()], vec![1.0]), &seen, |part| {
            Ok(if part == Part::Count(None) && is_of_one_row { counted.clone() } else { part })
        })?;
        let sums = parts.get(1..).unwrap_or_default();
        require(
            sums.len() <= MAX_SUMS,
            "statistics",
            "must be fewer: at most 1024 sums of unknown keys can be released",
        )?;
        let rule =
            "has no effect on unknown keys, because an individual counts once per key: use max_groups_per_individual";
        require(!sums.is_empty() || self.max_rows().is_none(), "max_rows_per_individual", rule)?;
        let key = new_name(&seen, "key");
        let value = text_key(columns.iter().map(|name| -> Expr { col(name) }));
        let mut before = self.calls();
        before.push(Step::Columns(vec![(key.clone(), value)]).call());
        if let Some(limits) = limits.filter(|limits| !sums.is_empty() && !limits.is_joined) {
            before.push(limits.bound_groups(Some(key.clone())));
        }
        let names = (0..sums.len()).map(|number| new_name(&seen, &format!("value {number}")));
        let values = names.zip(sums).map(|(name, part)| Ok((name, value_of(part)?)));
        let values: Vec<(String, Expr)> = values.collect::<Fallible<_>>()?;
        if !values.is_empty() {
            before.push(Step::Columns(values.clone()).call());
        }
        let metric = || ("output_metric".to_owned(), Parameter::Text("L01InfDistance".into()));
        let of_key = || ("key".to_owned(), key.to_parameter());
        let sum_of = |column: &str| {
            Call::new("sum_column_by_key", [of_key(), ("column".to_owned(), column.to_parameter()), metric()])
        };
        let counts = match self.keys_of_individual() {
            Some((max_keys, _)) => {
                let max_keys = ("max_keys".to_owned(), max_keys.to_parameter());
                vec![Call::new("count_individuals_by_key", [of_key(), max_keys, metric()])]
            }
            None => {
                let one = new_name(&seen, "one");
                vec![Step::Columns(vec![(one.clone(), lit(1i64))]).call(), sum_of(&one)]
            }
        };
        let sums = values.iter().zip(sums).map(|((value, _), part)| {
            let mut steps = Vec::new();
            if let Some(limits) = limits {
                let columns = ("columns".to_owned(), vec![key.clone(), value.clone()].to_parameter());
                steps.push(Call::new(
                    "bound_rows",
                    [columns, ("max_rows".to_owned(), limits.all_rows()?.to_parameter())],
                ));
            }
            steps.push(sum_of(value));
            Ok((steps, part.magnitude()?))
        });
        let sums = sums.collect::<Fallible<_>>()?;
        Ok((Steps { before, counts, sums, weights }, places))
    }
}

/// The steps to counts and sums of unknown keys.
struct Steps {
    /// Those before the data divide.
    before: Vec<Call>,
    /// Those to the counts.
    counts: Vec<Call>,
    /// Those to each sum, and how much one row adds at most.
    sums: Vec<(Vec<Call>, f64)>,
    /// The shares of counts and sums in the budget.
    weights: Vec<f64>,
}

impl Steps {
    /// The steps after the data divide.
    fn last(self, scale: f64, threshold: i64, scales: Vec<f64>) -> Vec<Call> {
        if self.sums.is_empty() {
            return with_threshold(&self.counts, scale, threshold);
        }
        let parameters = [
            ("scale".to_owned(), scale.to_parameter()),
            ("threshold".to_owned(), threshold.to_parameter()),
            ("scales".to_owned(), scales.to_parameter()),
        ];
        let measurements = [self.counts].into_iter().chain(self.sums.into_iter().map(|(sum, _)| sum)).collect();
        vec![Call { measurements, ..Call::new("sums_of_unknown_keys", parameters) }]
    }
}

/// Steps that end in numbers by key, and a threshold for these.
fn with_threshold(steps: &[Call], scale: f64, threshold: impl ToParameter) -> Vec<Call> {
    let parameters = [("scale".to_owned(), scale.to_parameter()), ("threshold".to_owned(), threshold.to_parameter())];
    [steps, &[Call::new("laplace_threshold", parameters)]].concat()
}

/// Returns the number that a row adds to a sum of its key. Rows are counted as ones.
fn value_of(part: &Part) -> Fallible<Expr> {
    Ok(match part {
        Part::Count(Some(value)) => when(value.clone().is_null(), lit(0.0), lit(1.0)).clamp(0.0, 1.0),
        other => other.columns(&lit(0i64), 1)?.1.unwrap_or_else(|| lit(1.0)),
    })
}

impl Kind {
    /// Refuse what is not computed from sums of rows.
    fn check_of_unknown_keys(&self) -> Fallible<()> {
        let what = match self {
            Kind::Individuals => {
                "numbers of individuals: if the table has individuals, the count of a key already is that number"
            }
            Kind::Distinct(_) => "numbers of distinct values",
            Kind::Quantile(..) => "quantiles",
            _ => return Ok(()),
        };
        let rule = "must be counts, sums, means, variances or covariances if the keys are unknown: list the keys for";
        Err(Error::parameter("statistics", format!("{rule} {what}")))
    }
}

impl UnknownKeysMeasurement {
    /// The maximum number of keys in which an individual counts; `None` if there is no limit.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
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

    /// Renames the count, which is named `count` by default.
    ///
    /// # Errors
    ///
    /// Returns an error if a key's column, another statistic, or the end of an interval has this name.
    pub fn alias(self, name: impl Into<String>) -> Fallible<Self> {
        let name = name.into();
        let others = self.statistics.iter().map(|(statistic, _)| statistic.name.as_str());
        let names: Vec<&str> = others.clone().chain([name.as_str()]).collect();
        let is_new = !others.clone().any(|other| other == name) && !clash(&names, &self.columns);
        require(is_new, "name", "must not be the name of a key or another statistic, nor of the end of an interval")?;
        Ok(Self { name, ..self })
    }

    /// Returns the name of the count.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the counted units: individuals, or rows if the table has no individuals.
    pub fn counted(&self) -> &'static str {
        if self.measurement.input_space().0.individuals().is_some() { "individuals" } else { "rows" }
    }

    /// Returns the smallest noisy count that is released.
    pub fn threshold(&self) -> i64 {
        self.threshold
    }

    /// Releases the keys with their statistics. Each interval fails with probability at most `alpha`. Each call costs
    /// [`loss`](Self::loss).
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1), if the data are not in the table's domain, or if the operating
    /// system provides no randomness. Nothing is released in these cases.
    pub fn release(&self, data: &[Batch], alpha: f64) -> Fallible<FoundKeys> {
        let widths = self.widths(alpha)?;
        self.found_within(&self.measurement.invoke(data)?, widths)
    }

    /// Returns the count and the other statistics by name, each with a bound on its distance from the value without
    /// noise. The bound fails in at most a share `alpha` of releases. For a count, this holds for a key that is named
    /// beforehand, because a key is shown only at the threshold or above. A statistic that is computed from several
    /// noisy numbers has an interval only after the release.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1) or so small that a share of it is 0, as [`found`](Self::found)
    /// does.
    pub fn accuracy(&self, alpha: f64) -> Fallible<Vec<(&str, Accuracy)>> {
        self.widths(alpha)?;
        let accuracy = self.measurement.accuracy(alpha)?;
        let part = |place: usize| accuracy.part(place).unwrap_or(&accuracy).clone();
        let of = |(statistic, places): &(Statistic, Vec<usize>)| match (&statistic.kind, places.as_slice()) {
            (Kind::Count(_), [place]) if *place > 0 => match part(*place) {
                Accuracy::Number(within) => of_whole(within).map(Accuracy::Number),
                other => Ok(other),
            },
            (Kind::Count(_) | Kind::Sum(..), [place]) => Ok(part(*place)),
            _ => Ok(Accuracy::Unknown),
        };
        let statistics = self.statistics.iter().map(|all| Ok((all.0.name.as_str(), of(all)?)));
        [Ok((self.name(), part(0)))].into_iter().chain(statistics).collect()
    }

    /// Returns the means by name, each with a bound on the error of the noise for a key with this many values, like
    /// [`QueryMeasurement::accuracy_of_means`](super::QueryMeasurement::accuracy_of_means). If the deciding count is
    /// the number of values, the bound holds among the releases that show the key, and is `None` for a number of values
    /// that is not above the threshold.
    ///
    /// # Errors
    ///
    /// `alpha` outside (0, 1).
    pub fn accuracy_of_means(&self, values: u32, alpha: f64) -> Fallible<Vec<(&str, Option<f64>)>> {
        let Widths { of_statistics, .. } = self.widths(alpha)?;
        let mut means = Vec::new();
        for ((statistic, places), widths) in self.statistics.iter().zip(of_statistics) {
            if let (Kind::Mean(_, bounds), [_, of], [sum, count]) = (&statistic.kind, places.as_slice(), &*widths) {
                let is_shown = *of > 0 || i64::from(values) > self.threshold;
                let within = if is_shown { mean_within(values, (*sum, *count), *bounds)? } else { None };
                means.push((statistic.name.as_str(), within));
            }
        }
        Ok(means)
    }

    /// A half-width that the noise of a count exceeds with probability at most half of alpha.
    ///
    /// Write `T` for the threshold, `c` for a count and `Z` for the noise, which is symmetric, with
    /// `P(Z >= k) = r^k / (1 + r)` for integers `k >= 0`. Let `P(|Z| > w) <= alpha / 2`. Given that the key is shown,
    /// `c + Z >= T`: (1) if `c > T`, it is shown with probability above 1/2, so that `|Z| > w` has probability at most
    /// `alpha`; (2) if `c <= T`, `P(c + Z - T > w) = r^(floor(w) + 1) = (1 + r) P(Z > w) <= 2 alpha / 4`, and otherwise
    /// the interval begins at 1 and ends at `c + Z + w >= T >= c`.
    fn within(&self, alpha: f64) -> Fallible<f64> {
        let accuracy = self.measurement.accuracy(share_of_alpha(alpha, 2.0)?)?;
        accuracy.part(0).unwrap_or(&accuracy).greatest().ok_or_else(wrong_release)
    }

    /// The half-widths of the count, and for each statistic those of the numbers that it is computed from.
    ///
    /// The noise of a sum is independent of the noise of the count, and so of whether the key is shown. Hence a sum is
    /// further off than its half-width with the same probability among the releases that show the key. Each of the
    /// numbers of a statistic has its share of alpha, so that all of them are within their intervals with probability
    /// at least `1 - alpha` among these releases, the count by the argument at `within`.
    fn widths(&self, alpha: f64) -> Fallible<Widths> {
        let of = |(_, places): &(Statistic, Vec<usize>)| {
            let share = share_of_alpha(alpha, f64::inf_from(&places.len())?)?;
            let accuracy = self.measurement.accuracy(share)?;
            let width = |place: &usize| match place {
                0 => self.within(share),
                _ => accuracy.part(*place).and_then(Accuracy::number).ok_or_else(wrong_release),
            };
            places.iter().map(width).collect()
        };
        Ok(Widths {
            of_count: self.within(alpha)?,
            of_statistics: self.statistics.iter().map(of).collect::<Fallible<_>>()?,
        })
    }

    /// Returns the same query, with its loss in another measure: [`FrameMeasurement::in_measure`].
    pub fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        Ok(Self { measurement: self.measurement.in_measure::<MO>()?, ..self.clone() })
    }

    /// Returns the keys from a release of [`measurement`](Self::measurement), for example with intervals at a different
    /// `alpha`. This costs nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1) or so small that a share of it is 0, or for a release of a
    /// different measurement, if that can be detected.
    pub fn found(&self, released: &Released, alpha: f64) -> Fallible<FoundKeys> {
        self.found_within(released, self.widths(alpha)?)
    }

    fn found_within(&self, released: &Released, widths: Widths) -> Fallible<FoundKeys> {
        let Released::Keyed(found) = released else { return Err(wrong_release()) };
        let mut rows: Vec<(Vec<Cell>, i64, Vec<f64>)> = found.iter().map(row).collect::<Fallible<_>>()?;
        rows.sort_by(|(key, ..), (other, ..)| rank(key).cmp(&rank(other)));
        let mut statistics = Vec::new();
        for ((statistic, places), widths) in self.statistics.iter().zip(&widths.of_statistics) {
            let of_row = |(_, count, sums): &(Vec<Cell>, i64, Vec<f64>)| {
                let noisy = |(place, within): (&usize, &f64)| match place.checked_sub(1) {
                    None => shown(*count, self.threshold, *within),
                    Some(place) => {
                        let sum = *sums.get(place).ok_or_else(wrong_release)?;
                        match statistic.kind {
                            Kind::Count(_) => Ok(Noisy::new(sum.round(), of_whole(*within)?)),
                            _ => Ok(Noisy::new(sum, *within)),
                        }
                    }
                };
                let noisy = places.iter().zip(widths).map(noisy).collect::<Fallible<Vec<_>>>()?;
                of_parts(&statistic.kind, &noisy)
            };
            statistics.push(Statistics {
                name: statistic.name.clone(),
                is_count: statistic.is_count(),
                limit: self.limit_of_statistics,
                estimates: rows.iter().map(of_row).collect::<Fallible<_>>()?,
            });
        }
        let counts = rows.into_iter().map(|(key, count, _)| (key, count)).collect();
        let (columns, name, threshold) = (self.columns.clone(), self.name.clone(), self.threshold);
        Ok(FoundKeys { columns, name, counts, threshold, within: widths.of_count, limit: self.limit, statistics })
    }
}

/// The half-widths of intervals.
struct Widths {
    of_count: f64,
    of_statistics: Vec<Vec<f64>>,
}

/// The half-width of a whole number that was rounded to the nearest.
fn of_whole(within: f64) -> Fallible<f64> {
    Ok(within.inf_add(0.5)?)
}

/// A key with its count and its sums.
fn row((key, numbers): &(Released, Released)) -> Fallible<(Vec<Cell>, i64, Vec<f64>)> {
    let Released::Text(key) = key else { return Err(wrong_release()) };
    let key = read_text_key(key).map_err(|_| wrong_release())?;
    let count = |count: &Released| match count {
        Released::Integer(count) => Ok(i64::try_from(*count).unwrap_or(i64::MAX)),
        _ => Err(wrong_release()),
    };
    let sum = |sum: &Released| match sum {
        Released::Float(sum) => Ok(*sum),
        _ => Err(wrong_release()),
    };
    match numbers {
        Released::List(numbers) => match numbers.as_slice() {
            [number, Released::List(sums)] => Ok((key, count(number)?, sums.iter().map(sum).collect::<Fallible<_>>()?)),
            _ => Err(wrong_release()),
        },
        number => Ok((key, count(number)?, Vec::new())),
    }
}

/// A count that passed the threshold, with an interval that holds it among the releases that show it.
fn shown(count: i64, threshold: i64, within: f64) -> Fallible<Noisy> {
    let (value, threshold) = (f64::nearest_from(&count)?, f64::nearest_from(&threshold)?);
    let from = if value - threshold > within { (value - within).ceil().max(1.0) } else { 1.0 };
    Ok(Noisy { value, within, from: Some(from) })
}

/// In the order of numbers, and of texts by their bytes; missing cells last.
fn rank(key: &[Cell]) -> Vec<(u8, i64, &str)> {
    fn of(cell: &Cell) -> (u8, i64, &str) {
        match cell {
            Cell::Bool(value) => (0, i64::from(*value), ""),
            Cell::Integer(value) => (1, *value, ""),
            Cell::Text(text) => (2, 0, text.as_str()),
            _ => (3, 0, ""),
        }
    }
    key.iter().map(of).collect()
}

impl FoundKeys {
    /// Returns the keys as a list for another query. They are public now.
    ///
    /// # Errors
    ///
    /// No keys.
    pub fn key_set(&self) -> Fallible<KeySet> {
        KeySet::list(self.columns.clone(), self.counts.iter().map(|(key, _)| key.clone()))
    }

    /// Returns the count of a row, counted from 0, with its interval.
    pub fn estimate(&self, row: usize) -> Option<Estimate> {
        let (_, count) = self.counts.get(row)?;
        shown(*count, self.threshold, self.within).and_then(Noisy::number).ok()
    }

    /// Returns the names of the statistics beside the count, in the order of the query.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.statistics.iter().map(|column| column.name.as_str())
    }

    fn statistics(&self, name: &str) -> Option<&Statistics> {
        self.statistics.iter().find(|column| column.name == name)
    }

    /// Returns the statistic of this name, for each row.
    pub fn column(&self, name: &str) -> Option<&[Estimate]> {
        self.statistics(name).map(|column| column.estimates.as_slice())
    }

    /// Returns true if the statistic of this name is a number of rows: a whole number.
    pub fn is_count(&self, name: &str) -> bool {
        self.statistics(name).is_some_and(|column| column.is_count)
    }

    /// Returns the limits of the count and of all statistics in one line; `None` if there are none.
    pub fn limits_in_words(&self) -> Option<String> {
        let others = self.statistics.iter().map(|column| (column.name.as_str(), column.limit));
        in_words([(self.name.as_str(), self.limit)].into_iter().chain(others))
    }

    /// Returns sentences about the threshold, about an empty list of keys, and about numbers that the noise hides.
    pub fn notes(&self) -> Vec<String> {
        let threshold = self.threshold;
        let of_threshold = match self.counts.is_empty() {
            true => format!("no key is shown, because each noisy {} is below {threshold}", self.name),
            false => {
                let rule = "counts near the threshold are too large on average, so that their intervals begin at 1";
                format!("keys whose noisy {} is {threshold} or more are shown; {rule}", self.name)
            }
        };
        [of_threshold].into_iter().chain(note_of_hidden(&self.statistics)).collect()
    }
}

/// A line for each key.
impl fmt::Display for FoundKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [self.name.as_str()].into_iter().chain(self.names()).collect::<Vec<_>>().join(", ");
        write!(f, "{}: {names}", self.columns.join(", "))?;
        for (row, (key, _)) in self.counts.iter().enumerate() {
            let cells: Vec<String> = key.iter().map(cell_in_words).collect();
            let others = self.statistics.iter().filter_map(|column| column.estimates.get(row).copied());
            let numbers: Vec<String> = self.estimate(row).into_iter().chain(others).map(|it| it.to_string()).collect();
            write!(f, "\n{}: {}", cells.join(", "), numbers.join(", "))?;
        }
        self.limits_in_words().map_or(Ok(()), |limits| write!(f, "\ncontribution limit: {limits}"))?;
        self.notes().into_iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}
