//! Counts of unknown keys.

use super::{
    budget::{Budget, of_decimal},
    limits::Limit,
    query::{Query, least_scale},
    release::wrong_release,
    step::Step,
    table::{Estimate, cell_in_words},
};
use crate::{
    accuracy::{Accuracy, share_of_alpha},
    core::{Error, ErrorKind, Fallible, Parameter, Released, ToParameter, require},
    frames::{Batch, Cell, Expr, KeySet, col, read_text_key, text_key},
    measures::{AdaptiveMeasure, Approximate, MaxDivergence},
    plans::{Call, FrameMeasurement},
    search::smallest,
};
use indistinct_numeric::RoundedFrom;
use std::fmt;

/// Counts by the values of some columns, of which those are released that are large enough: public, and to be read
/// before anything is released.
#[derive(Debug, Clone)]
pub struct UnknownKeysMeasurement {
    measurement: FrameMeasurement,
    budget: Budget,
    units: u32,
    columns: Vec<String>,
    name: String,
    threshold: i64,
    limit: Option<Limit>,
}

/// The keys that were released, each with its noisy count, in the order of their cells.
///
/// The interval of a shown count holds the count without noise with probability at least `1 - alpha` among the releases
/// that show the key. A threshold selects counts that noise has raised, so that an interval around every shown count
/// would not do. Noise lifts a count that is at or below the threshold to more than `within` above the threshold with
/// probability at most `alpha / 2`, given that it lifts it to the threshold at all; therefore a count further above the
/// threshold than `within` has the interval `within` to either side, and the interval of any other one begins at 1, for
/// a key that is shown has a row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FoundKeys {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The name of the count.
    pub name: String,
    /// The cells of each key, in the order of the columns, and its count.
    pub counts: Vec<(Vec<Cell>, i64)>,
    /// The least noisy count that is shown.
    pub threshold: i64,
    /// The half-width of intervals.
    pub within: f64,
    /// The number of keys each individual counts in; none if in all of theirs.
    pub limit: Option<Limit>,
}

/// The greatest threshold that is tried.
const MAX_THRESHOLD: i64 = 1 << 40;

impl Query {
    /// The values of these columns that are there often enough, each with its number of individuals, or of rows where
    /// the table has no individuals. Nobody has to list them. The keys that are found can be those of the next query:
    /// [`FoundKeys::key_set`].
    ///
    /// An individual counts in one key, or in as many as [`max_groups_per_individual`](Self::max_groups_per_individual)
    /// says, once in each. The noise grows in proportion, and the threshold with it.
    ///
    /// # Parameters
    ///
    /// - `columns`: of integers, truth values, texts, categories, dates or times; a missing cell is a key, too.
    /// - `budget`: an epsilon, and a delta, with which a key is released that should not have been.
    ///
    /// # Errors
    ///
    /// Statistics, keys or a number of rows per individual that were asked for before; no columns; a budget whose
    /// numbers are not positive and finite, or whose delta is not below 1.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let rides = FrameDomain::new([("customer", ColumnDomain::integer()), ("station", ColumnDomain::text())])?;
    /// let rides = rides.with_individuals("customer")?;
    /// let stations = Query::new(&rides).max_groups_per_individual(2).count_unknown_keys(["station"], (1.0, 1e-9))?;
    /// let frame = Frame::new([
    ///     ("customer", (0..1000i64).collect::<Column>()),
    ///     ("station", (0..1000).map(|row| ["harbor", "park"][row % 2]).collect()),
    /// ])?;
    /// let found = stations.release(&frame, 0.05)?;
    /// println!("{found}");
    /// assert_eq!(found.key_set()?.len(), 2);
    /// assert!(found.estimate(0).and_then(|count| count.interval).is_some());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn count_unknown_keys(
        &self,
        columns: impl IntoIterator<Item = impl Into<String>>,
        (epsilon, delta): (f64, f64),
    ) -> Fallible<UnknownKeysMeasurement> {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        require(self.is_bare(), "statistics", "and keys are not asked for beside keys that nobody lists")?;
        self.check_individuals()?;
        let rule =
            "does not limit keys that nobody lists, in which an individual counts once: max_groups_per_individual does";
        require(!self.limits_rows(), "max_rows_per_individual", rule)?;
        require(!columns.is_empty(), "columns", "must not be empty")?;
        let is_twice =
            columns.iter().enumerate().any(|(place, name)| columns.iter().take(place).any(|other| other == name));
        require(!is_twice, "columns", "must not name a column twice")?;
        require(epsilon.is_finite() && epsilon > 0.0, "budget", "its epsilon must be positive and finite")?;
        require(delta > 0.0 && delta < 1.0, "budget", "its delta must lie between 0 and 1, both excluded")?;
        let budget = Budget::EpsilonDelta(epsilon, delta);
        let (epsilon, delta) = (of_decimal(epsilon), of_decimal(delta));
        let build = |scale: f64, threshold: i64| {
            FrameMeasurement::of_steps(
                self.domain(),
                self.metric(),
                &self.unknown_keys_steps(&columns, scale, threshold)?,
            )
        };
        let loss = |scale: f64, threshold: i64| {
            build(scale, threshold)?.under::<Approximate<MaxDivergence>>()?.map(&self.units())
        };
        // Epsilon at scale 1 is the greatest sum of all changes.
        let scale = least_scale(loss(1.0, 1)?.0 / epsilon, epsilon, |scale| Ok(loss(scale, 1)?.0))?;
        let threshold = smallest((1, MAX_THRESHOLD), |threshold| Ok(loss(scale, threshold)?.1 <= delta))?;
        let measurement = build(scale, threshold)?;
        if !measurement.under::<Approximate<MaxDivergence>>()?.check(&self.units(), &(epsilon, delta))? {
            return Err(Error::new(ErrorKind::Budget, format!("the query does not fit into {budget}")));
        }
        let limit = self.keys_of_individual().and_then(|(_, limit)| limit);
        let (units, name) = (self.units(), "count".into());
        Ok(UnknownKeysMeasurement { measurement, budget, units, columns, name, threshold, limit })
    }

    fn unknown_keys_steps(&self, columns: &[String], scale: f64, threshold: i64) -> Fallible<Vec<Call>> {
        let key = self.unused_name("key")?;
        let value = text_key(columns.iter().map(|name| -> Expr { col(name) }));
        let mut steps = self.calls();
        steps.push(Step::Columns(vec![(key.clone(), value)]).call());
        let rows = ("columns".to_owned(), vec![key].to_parameter());
        let metric = ("output_metric".to_owned(), Parameter::Text("L01InfDistance".into()));
        match self.keys_of_individual() {
            Some((max_keys, _)) => {
                steps.push(Call::new("rows_of_individuals", [rows]));
                steps.push(Call::new(
                    "count_individuals_by",
                    [("max_keys".to_owned(), max_keys.to_parameter()), metric],
                ));
            }
            None => {
                steps.push(Call::new("rows", [rows]));
                steps.push(Call::new("count_by", [metric]));
            }
        }
        let scale = ("scale".to_owned(), scale.to_parameter());
        steps.push(Call::new("laplace_threshold", [scale, ("threshold".to_owned(), threshold.to_parameter())]));
        Ok(steps)
    }
}

impl UnknownKeysMeasurement {
    /// The number of keys each individual counts in; none if in all of theirs.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// The measurement itself: its plan, its explanation, its loss at any distance.
    pub fn measurement(&self) -> &FrameMeasurement {
        &self.measurement
    }

    /// The budget that was asked for, for the whole group of [units](Self::units).
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The size of the group that the query protects, in rows or individuals.
    pub fn units(&self) -> u32 {
        self.units
    }

    /// The loss of a release, in words.
    pub fn loss(&self) -> Fallible<String> {
        self.measurement.loss(self.units)
    }

    /// The name of the count, in place of `count`.
    pub fn alias(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The name of the count.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The counted units: individuals, or rows where the table has no individuals.
    pub fn counted(&self) -> &'static str {
        if self.measurement.input_space().0.individuals().is_some() { "individuals" } else { "rows" }
    }

    /// The least noisy count that is released.
    pub fn threshold(&self) -> i64 {
        self.threshold
    }

    /// A release. The interval of each count that it shows fails with probability at most `alpha`. It costs
    /// [`loss`](Self::loss), each time.
    ///
    /// # Errors
    ///
    /// `alpha` outside (0, 1), data that are not of the table's domain, or an operating system that has no randomness
    /// to give; nothing was released then.
    pub fn release(&self, data: &[Batch], alpha: f64) -> Fallible<FoundKeys> {
        let within = self.within(alpha)?;
        self.found_within(&self.measurement.invoke(data)?, within)
    }

    /// How far the count of a key is from what it would be without noise in all but a share `alpha` of releases:
    /// unknown, since it is shown only at the threshold or above.
    ///
    /// # Errors
    ///
    /// `alpha` outside (0, 1), or so small that a share of it is 0: as [`found`](Self::found).
    pub fn accuracy(&self, alpha: f64) -> Fallible<Accuracy> {
        self.within(alpha)?;
        self.measurement.accuracy(alpha)
    }

    /// A half-width that noise exceeds with probability at most half of alpha.
    ///
    /// Write `T` for the threshold, `c` for a count and `Z` for the noise, which is symmetric, with
    /// `P(Z >= k) = r^k / (1 + r)` for integers `k >= 0`. Let `P(|Z| > w) <= alpha / 2`. Given that the key is shown,
    /// `c + Z >= T`: (1) if `c > T`, it is shown with probability above 1/2, so that `|Z| > w` has probability at most
    /// `alpha`; (2) if `c <= T`, `P(c + Z - T > w) = r^(floor(w) + 1) = (1 + r) P(Z > w) <= 2 alpha / 4`, and otherwise
    /// the interval begins at 1 and ends at `c + Z + w >= T >= c`.
    fn within(&self, alpha: f64) -> Fallible<f64> {
        self.measurement.accuracy(share_of_alpha(alpha, 2.0)?)?.greatest().ok_or_else(wrong_release)
    }

    /// The same query, expressed in another measure: [`FrameMeasurement::in_measure`].
    pub fn in_measure<MO: AdaptiveMeasure + Default>(&self) -> Fallible<Self> {
        Ok(Self { measurement: self.measurement.in_measure::<MO>()?, ..self.clone() })
    }

    /// The keys from a release of [`measurement`](Self::measurement), with intervals at another `alpha`, say. It costs
    /// nothing.
    ///
    /// # Errors
    ///
    /// `alpha` outside (0, 1), or so small that a share of it is 0; a release of another measurement, where that can be
    /// seen.
    pub fn found(&self, released: &Released, alpha: f64) -> Fallible<FoundKeys> {
        self.found_within(released, self.within(alpha)?)
    }

    fn found_within(&self, released: &Released, within: f64) -> Fallible<FoundKeys> {
        let Released::Keyed(found) = released else { return Err(wrong_release()) };
        let count = |(key, count): &(Released, Released)| match (key, count) {
            (Released::Text(key), Released::Integer(count)) => {
                let count = i64::try_from(*count).unwrap_or(i64::MAX);
                Ok((read_text_key(key).map_err(|_| wrong_release())?, count))
            }
            _ => Err(wrong_release()),
        };
        let mut counts: Vec<(Vec<Cell>, i64)> = found.iter().map(count).collect::<Fallible<_>>()?;
        counts.sort_by(|(key, _), (other, _)| rank(key).cmp(&rank(other)));
        let (columns, name, threshold) = (self.columns.clone(), self.name.clone(), self.threshold);
        Ok(FoundKeys { columns, name, counts, threshold, within, limit: self.limit })
    }
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
    /// The keys as those of another query. They are public now.
    ///
    /// # Errors
    ///
    /// No keys.
    pub fn key_set(&self) -> Fallible<KeySet> {
        KeySet::list(self.columns.clone(), self.counts.iter().map(|(key, _)| key.clone()))
    }

    /// The count of a row, counted from 0, with its interval.
    pub fn estimate(&self, row: usize) -> Option<Estimate> {
        let (_, count) = self.counts.get(row)?;
        let (value, threshold) = (f64::nearest_from(count).ok()?, f64::nearest_from(&self.threshold).ok()?);
        let from = if value - threshold > self.within { (value - self.within).ceil().max(1.0) } else { 1.0 };
        Some(Estimate { value: Some(value), interval: Some((from, (value + self.within).floor())) })
    }

    /// A sentence about the threshold: which keys are shown, and that none is.
    pub fn note(&self) -> String {
        let threshold = self.threshold;
        match self.counts.is_empty() {
            true => format!("no key is shown, because each noisy {} is below {threshold}", self.name),
            false => {
                let rule = "counts near the threshold are too large on average, so that their intervals begin at 1";
                format!("keys whose noisy {} is {threshold} or more are shown; {rule}", self.name)
            }
        }
    }
}

/// A line for each key.
impl fmt::Display for FoundKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.columns.join(", "), self.name)?;
        for (row, (key, _)) in self.counts.iter().enumerate() {
            let cells: Vec<String> = key.iter().map(cell_in_words).collect();
            let count = self.estimate(row).map(|count| count.to_string()).unwrap_or_default();
            write!(f, "\n{}: {count}", cells.join(", "))?;
        }
        self.limit.map_or(Ok(()), |limit| write!(f, "\ncontribution limit: {limit}"))?;
        write!(f, "\n{}", self.note())
    }
}
