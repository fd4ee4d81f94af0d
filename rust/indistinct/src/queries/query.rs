//! A query of a table, built step by step.

use super::{
    budget::Budget,
    limits::{Limit, Limits},
    parts::{Names, Part, described, group, new_name},
    release::{NoisyPart, QueryMeasurement},
    statistic::{Kind, Statistic},
    step::Step,
};
use crate::{
    core::{Error, ErrorKind, Fallible, require},
    frames::{Expr, FrameDomain, KeySet, PerIndividual, col, lit},
    metrics::{ChangeOneDistance, SymmetricDistance, SymmetricIdDistance},
    plans::{Call, FrameMeasurement, FrameMetric},
    search::smallest,
};
use indistinct_numeric::RoundedArithmetic;
use std::slice;

/// A query of a table: rows, groups, and statistics.
///
/// The privacy unit is an individual with all their rows if the table's domain names the column of individuals.
/// Otherwise it is a row that is added or removed, or a row that is replaced
/// ([`protect_replaced`](Self::protect_replaced)). A row without an identifier is a separate individual if the
/// [domain](FrameDomain::with_individuals_or_null) declares it.
///
/// Filters and added columns apply first, in their order, then keys, then statistics, whatever the order of the calls.
/// A query releases at most 1,048,576 numbers: the number of groups, times bins for quantiles, summed over all noisy
/// vectors.
#[derive(Debug, Clone)]
pub struct Query {
    table: FrameDomain,
    units: u32,
    /// True if the units are rows that are replaced.
    is_replaced: bool,
    steps: Vec<Step>,
    max_rows: Option<u32>,
    max_groups: Option<u32>,
    keys: Option<KeySet>,
    statistics: Vec<Statistic>,
    /// True if a name or a weight was given before any statistic.
    is_misplaced: bool,
}

/// The maximum number of numbers that a query releases: the number of groups, times bins if there are any, summed over
/// all vectors.
const MAX_NUMBERS: usize = 1 << 20;
/// The maximum number of characters in the keys of a query, counted once for each noisy vector.
const MAX_CHARACTERS: usize = 1 << 25;

impl Query {
    /// Makes a query of all rows of a table with this domain.
    pub fn new(table: &FrameDomain) -> Self {
        Self {
            table: table.clone(),
            units: 1,
            is_replaced: false,
            steps: Vec::new(),
            max_rows: None,
            max_groups: None,
            keys: None,
            statistics: Vec::new(),
            is_misplaced: false,
        }
    }

    /// Protects a group of this many individuals or rows instead of one, such as a household.
    pub fn group_size(self, units: u32) -> Self {
        Self { units, is_replaced: false, ..self }
    }

    /// Protects this many rows, each of which may be replaced with another row, instead of rows that are added or
    /// removed. The number of rows of the table is then public, and [`count`](Self::count) without a filter and without
    /// keys releases it exactly.
    ///
    /// This requires that no row of the table was dropped because of its contents. If a reader or an earlier filter
    /// drops rows, a replaced row may appear or disappear; then protect twice as many rows that are added or removed
    /// ([`group_size`](Self::group_size)).
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let stays = FrameDomain::new([("days", ColumnDomain::float())])?;
    /// let query = Query::new(&stays).protect_replaced(1).count().mean(col("days"), (0.0, 30.0));
    /// let measurement = query.measurement(Budget::Epsilon(1.0))?;
    /// let frame = Frame::new([("days", (0..4000).map(|row| [2.0, 9.0][row % 2]).collect::<Column>())])?;
    /// let count = measurement.release(&frame, 0.05)?.estimate(0, "count").and_then(|estimate| estimate.interval);
    /// assert_eq!((count, measurement.loss()?.as_str()), (Some((4000.0, 4000.0)), "epsilon 1.0"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn protect_replaced(self, rows: u32) -> Self {
        Self { units: rows, is_replaced: true, ..self }
    }

    /// Keeps the rows that satisfy a condition.
    pub fn filter(mut self, condition: Expr) -> Self {
        self.steps.push(Step::Filter(condition));
        self
    }

    /// Adds or replaces a column that is computed from the other columns of a row.
    pub fn with_column(mut self, name: impl Into<String>, value: Expr) -> Self {
        self.steps.push(Step::Columns(vec![(name.into(), value)]));
        self
    }

    /// Combines the rows of each individual into one row: the identifier and values computed from all of their rows,
    /// such as totals. Each individual then counts once, however many rows they had.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let stays = FrameDomain::new([("patient", ColumnDomain::text()), ("days", ColumnDomain::float())])?;
    /// let query = Query::new(&stays.with_individuals("patient")?)
    ///     .aggregate_per_individual([("total", PerIndividual::sum(col("days"))), ("stays", PerIndividual::count())])
    ///     .mean(col("total"), (0.0, 60.0))
    ///     .mean(col("stays"), (0.0, 10.0));
    /// assert_eq!(query.measurement(Budget::Epsilon(1.0))?.loss()?, "epsilon 1.0");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn aggregate_per_individual(
        mut self,
        columns: impl IntoIterator<Item = (impl Into<String>, PerIndividual)>,
    ) -> Self {
        let columns = columns.into_iter().map(|(name, value)| (name.into(), value));
        self.steps.push(Step::PerIndividual(columns.collect()));
        self
    }

    /// Limits how many rows of each individual count. The rows with the smallest keyed hashes count. Rows that a filter
    /// drops, or whose key is not listed, do not count toward the limit. The default is one row. A table without
    /// individuals has no such limit.
    ///
    /// The limit applies to all groups together, or to each group with
    /// [`max_groups_per_individual`](Self::max_groups_per_individual). The noise grows in proportion to the limit. It
    /// does not apply to [`count_individuals`](Self::count_individuals), which only `max_groups_per_individual` limits.
    pub fn max_rows_per_individual(self, max_rows: u32) -> Self {
        Self { max_rows: Some(max_rows), ..self }
    }

    /// Limits the number of groups in which each individual counts. The groups with the smallest keyed hashes count.
    ///
    /// [`count_individuals`](Self::count_individuals) and [`count_unknown_keys`](Self::count_unknown_keys) count an
    /// individual once in each of at most this many groups, by default one. For all other statistics, at most
    /// [`max_rows_per_individual`](Self::max_rows_per_individual) rows of an individual count in each of these groups.
    ///
    /// Laplace noise ([`Budget::Epsilon`]) grows in proportion to the number of groups times the number of rows in
    /// each. Gaussian noise grows with the square root of the number of groups, and in proportion to the number of rows
    /// in each. The noise of distinct values ([`count_distinct`](Self::count_distinct)) is for the number of all these
    /// rows, with both kinds of noise.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("city", ColumnDomain::text())])?;
    /// let frame = Frame::new([
    ///     ("person", (0..2000i64).map(|row| row / 2).collect::<Column>()),
    ///     ("city", (0..2000).map(|row| ["Bern", "Chur"][row % 2]).collect()),
    /// ])?;
    /// let cities = KeySet::product([("city", ["Bern", "Chur"])])?;
    /// let people = Query::new(&visits.with_individuals("person")?).group_by(cities).count_individuals();
    /// for (query, in_bern) in [(people.clone(), 500.0), (people.max_groups_per_individual(2), 1000.0)] {
    ///     let table = query.measurement(Budget::Epsilon(2.0))?.release(&frame, 0.05)?;
    ///     let found = table.estimate(0, "individuals").and_then(|estimate| estimate.value);
    ///     assert!(found.is_some_and(|found| (found - in_bern).abs() < 100.0), "{table}");
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn max_groups_per_individual(self, max_groups: u32) -> Self {
        Self { max_groups: Some(max_groups), ..self }
    }

    /// Computes the statistics for each of these keys; rows with any other key are dropped. Keys are public. They
    /// replace the keys of an earlier call.
    pub fn group_by(self, keys: KeySet) -> Self {
        Self { keys: Some(keys), ..self }
    }

    fn with(mut self, name: String, kind: Kind) -> Self {
        self.statistics.push(Statistic { name, kind, weight: 1.0, limits: None });
        self
    }

    /// Adds the number of rows, named `count`. As for all statistics, rows that filters and
    /// [`max_rows_per_individual`](Self::max_rows_per_individual) drop are not included in the number or its interval.
    pub fn count(self) -> Self {
        self.with("count".into(), Kind::Count(None))
    }

    /// Adds the number of individuals with a row, named `individuals`. In each group it counts the individuals with a
    /// row in the group. Each individual counts in one group, or in as many as
    /// [`max_groups_per_individual`](Self::max_groups_per_individual) allows.
    pub fn count_individuals(self) -> Self {
        self.with("individuals".into(), Kind::Individuals)
    }

    /// Adds the number of rows in which a value is not missing, named `count(value)`.
    pub fn count_non_null(self, value: Expr) -> Self {
        self.with(format!("count({value})"), Kind::Count(Some(value)))
    }

    /// Adds the number of distinct non-missing values, named `distinct(value)`. At most
    /// [`max_rows_per_individual`](Self::max_rows_per_individual) rows of each individual count. A value of a single
    /// individual also counts.
    pub fn count_distinct(self, value: Expr) -> Self {
        self.with(format!("distinct({value})"), Kind::Distinct(value))
    }

    /// Adds the sum of a value, clamped between bounds, named `sum(value)`.
    pub fn sum(self, value: Expr, bounds: (f64, f64)) -> Self {
        self.with(format!("sum({value})"), Kind::Sum(value, bounds))
    }

    /// Adds the mean of a value, clamped between bounds, over the rows in which it is not missing, named `mean(value)`.
    pub fn mean(self, value: Expr, bounds: (f64, f64)) -> Self {
        self.with(format!("mean({value})"), Kind::Mean(value, bounds))
    }

    /// Adds the variance of a value, clamped between bounds, over the rows in which it is not missing, named
    /// `variance(value)`. The sum of squares is divided by the number of rows.
    pub fn variance(self, value: Expr, bounds: (f64, f64)) -> Self {
        self.with(format!("variance({value})"), Kind::Variance(value, bounds))
    }

    /// Adds the square root of the variance, named `standard_deviation(value)`.
    pub fn standard_deviation(self, value: Expr, bounds: (f64, f64)) -> Self {
        self.with(format!("standard_deviation({value})"), Kind::Deviation(value, bounds))
    }

    /// Adds the covariance of two values, each clamped between bounds, over the rows in which neither is missing, named
    /// `covariance(value, other)`. The sum of products is divided by the number of rows.
    pub fn covariance(self, (value, bounds): (Expr, (f64, f64)), (other, others): (Expr, (f64, f64))) -> Self {
        let name = format!("covariance({value}, {other})");
        self.with(name, Kind::Covariance((value, bounds), (other, others)))
    }

    /// Adds quantiles of a value at levels from 0 to 1, named such as `quantile(value, 0.5)`, from counts of the bins
    /// between ascending edges. Values outside are counted in the first or the last bin. Finer edges are more accurate
    /// with many rows, and coarser edges with few rows.
    pub fn quantiles(self, value: Expr, edges: Vec<f64>, levels: &[f64]) -> Self {
        levels.iter().fold(self, |query, level| {
            let name = format!("quantile({value}, {level})");
            query.with(name, Kind::Quantile(value.clone(), edges.clone(), *level))
        })
    }

    /// Renames the last statistic; after several quantiles, the quantile of the last level.
    pub fn alias(mut self, name: impl Into<String>) -> Self {
        match self.statistics.last_mut() {
            Some(last) => last.name = name.into(),
            None => self.is_misplaced = true,
        }
        self
    }

    /// Sets the weight of the last statistic, or of the last of several quantiles. The budget is divided in proportion
    /// to weights, which are 1 by default.
    ///
    /// Shares belong to statistics, not to noisy numbers. A statistic that is computed from several numbers divides its
    /// share among them evenly, and a number that two statistics need gets a share from both. So a covariance, which is
    /// computed from four numbers, has as little noise in each as a count if it has `weight(4.0)`, a variance with
    /// `weight(3.0)`, and a mean with `weight(2.0)`.
    pub fn weight(mut self, weight: f64) -> Self {
        match self.statistics.last_mut() {
            Some(last) => last.weight = weight,
            None => self.is_misplaced = true,
        }
        self
    }

    /// Builds the measurement for a budget, with as little noise as the budget allows.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no statistics or two of them have the same name, if bounds, edges or levels are
    /// invalid, if an expression does not match the table, or if the budget is not positive and finite, or is too small
    /// for any noise.
    pub fn measurement(&self, budget: Budget) -> Fallible<QueryMeasurement> {
        self.check()?;
        let seen = self.seen()?;
        self.check_keys(&seen)?;
        let (parts, weights, places) = self.parts(&seen)?;
        self.check_size(&parts)?;
        let (asked, budget) = (budget, budget.in_floats());
        let noise = budget.noise();
        // What is known exactly costs nothing.
        let noisy: Vec<f64> =
            parts.iter().zip(&weights).filter(|(part, _)| !part.is_public()).map(|(_, weight)| *weight).collect();
        let mut shares = budget.shares(&noisy)?.into_iter();
        let (groups, limits) = (self.groups(), self.limits());
        let of_part = |part: &Part, names: &Names, scale| part.steps(names, groups, limits, (noise, scale));
        let build = |parts: &[Part], scales: &[f64], after: Vec<Call>| {
            let (before, names) = self.before(&seen, parts)?;
            let measurements = parts.iter().zip(&names).zip(scales);
            let measurements = measurements.map(|((part, names), scale)| of_part(part, names, *scale));
            let measurements = measurements.collect::<Fallible<_>>()?;
            let composition = Call { measurements, ..Call::new("composition", []) };
            FrameMeasurement::of_steps(&self.table, self.metric(), &[before, vec![composition], after].concat())
        };
        let mut scales = Vec::new();
        for part in &parts {
            let Some(share) = (!part.is_public()).then(|| shares.next()).flatten() else {
                scales.push(0.0);
                continue;
            };
            let loss = |scale| noise.loss(&build(slice::from_ref(part), &[scale], Vec::new())?, self.units);
            // At this scale the loss is that of so many rows, neither too great nor too small for a float.
            let magnitude = part.magnitude()?.max(f64::MIN_POSITIVE);
            let guess = noise.scale(loss(magnitude)?, share)?.inf_mul(magnitude)?;
            scales.push(least_scale(guess, share, loss)?);
        }
        let measurement = build(&parts, &scales, budget.conversion())?;
        if !budget.allows(&measurement, self.units)? {
            return Err(Error::new(ErrorKind::Budget, format!("the query does not fit into {asked}")));
        }
        let with_places = |(statistic, places): (&Statistic, _)| Ok((statistic.clone().of(&seen)?, places));
        let statistics = self.statistics.iter().zip(places).map(with_places).collect::<Fallible<Vec<_>>>()?;
        let noisy = parts.iter().zip(scales).map(|(part, scale)| NoisyPart { width: part.width(), noise, scale });
        let noisy = noisy.collect();
        let of = |(statistic, _): &(Statistic, _)| limits.and_then(|limits| statistic.kind.limit(limits, groups));
        let limits = statistics.iter().map(of).collect();
        Ok(QueryMeasurement::new(measurement, (asked, self.units), self.keys.clone(), (statistics, limits), noisy))
    }

    /// Returns the smallest budget of the whole query that gives one statistic this accuracy, rounded up to three
    /// significant digits. The statistic of this name, a count or a sum, is then further than `accuracy` from the value
    /// without noise with probability at most `alpha`. `kind` is the kind of budget, such as [`Budget::Epsilon`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`measurement`](Self::measurement), and an error if no statistic has this name or its
    /// accuracy is unknown before the release. Returns [`ErrorKind::Search`] if no budget from 2^-30 to 2^10 is enough.
    ///
    /// ```
    /// use indistinct::{frames::*, prelude::*, queries::*};
    /// let visits = FrameDomain::new([("days", ColumnDomain::float())])?;
    /// let query = Query::new(&visits).count();
    /// let Budget::Epsilon(epsilon) = query.least_budget(Budget::Epsilon, "count", 10.0, 0.05)? else { unreachable!() };
    /// assert_eq!(epsilon, 0.285);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn least_budget(
        &self,
        kind: impl Fn(f64) -> Budget,
        statistic: &str,
        accuracy: f64,
        alpha: f64,
    ) -> Fallible<Budget> {
        let unknown =
            || Error::parameter("statistic", "must be a statistic whose accuracy is known before the release");
        let holds = |number: f64| {
            let measurement = self.measurement(kind(number))?;
            let all = measurement.accuracy(alpha)?;
            let found = all.iter().find(|(name, _)| *name == statistic).and_then(|(_, accuracy)| accuracy.number());
            Ok(found.ok_or_else(unknown)? <= accuracy)
        };
        let least = smallest((2f64.powi(-30), 1024.0), holds)?;
        short_from(least, holds).map(kind)
    }

    fn check(&self) -> Fallible<()> {
        require(
            !self.statistics.is_empty(),
            "statistics",
            "must not be empty: add a count, a mean or another statistic",
        )?;
        self.check_statistics(self.keys.as_ref().map(KeySet::columns).unwrap_or_default())
    }

    /// Refuse statistics that are none, or whose names are those of others or of these keys.
    pub(super) fn check_statistics(&self, keys: &[String]) -> Fallible<()> {
        require(!self.is_misplaced, "statistics", "must be added before their names and weights")?;
        let mut names: Vec<&str> = self.statistics.iter().map(|statistic| statistic.name.as_str()).collect();
        names.sort_unstable();
        let is_twice = names.iter().zip(names.iter().skip(1)).any(|(name, next)| name == next);
        require(!is_twice, "statistics", "must have different names")?;
        let rule = "must not have the names of keys or of the ends of intervals, such as \"count from\"";
        require(!clash(&names, keys), "statistics", rule)?;
        let levels = self.statistics.iter().all(|statistic| match statistic.kind {
            Kind::Quantile(_, _, level) => (0.0..=1.0).contains(&level),
            _ => true,
        });
        require(levels, "levels", "must be from 0 to 1")?;
        let weights = self.statistics.iter().all(|statistic| statistic.weight > 0.0 && statistic.weight.is_finite());
        require(weights, "weight", "must be positive and finite")?;
        self.check_individuals()
    }

    /// Returns an error if a statistic needs individuals and the table has none.
    pub(super) fn check_individuals(&self) -> Fallible<()> {
        let is_of_individuals = self.table.individuals().is_some();
        for (name, limit) in
            [("max_rows_per_individual", self.max_rows), ("max_groups_per_individual", self.max_groups)]
        {
            require(
                is_of_individuals || limit.is_none(),
                name,
                "needs a column of individuals: `FrameDomain::with_individuals`",
            )?;
            require(limit != Some(0), name, "must be at least 1")?;
        }
        let counts_individuals = self.statistics.iter().any(|statistic| matches!(statistic.kind, Kind::Individuals));
        require(
            is_of_individuals || !counts_individuals,
            "count_individuals",
            "needs a column of individuals: `FrameDomain::with_individuals`",
        )?;
        require(
            is_of_individuals || !self.joins_rows(),
            "per_individual",
            "needs a column of individuals: `FrameDomain::with_individuals`",
        )?;
        let rule = "must not be used for a table with a column of individuals, because it protects rows";
        require(!(is_of_individuals && self.is_replaced), "protect_replaced", rule)?;
        require(self.units >= 1, "group_size", "must be at least 1")
    }

    pub(super) fn metric(&self) -> FrameMetric {
        match self.table.individuals() {
            Some(_) => FrameMetric::SymmetricId(SymmetricIdDistance),
            None if self.is_replaced => FrameMetric::ChangeOne(ChangeOneDistance),
            None => FrameMetric::Symmetric(SymmetricDistance),
        }
    }

    /// Returns the domain of the table.
    pub fn domain(&self) -> &FrameDomain {
        &self.table
    }

    /// Returns true if the rows of each individual are combined into one row, which filters may drop and nothing
    /// splits.
    fn joins_rows(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::PerIndividual(_)))
    }

    fn groups(&self) -> usize {
        self.keys.as_ref().map_or(1, KeySet::len)
    }

    /// Returns the contribution limits, if rows have individuals. If each individual has one row, the limits are at
    /// most that.
    pub(super) fn limits(&self) -> Option<Limits> {
        self.table.individuals()?;
        if self.joins_rows() {
            return Some(Limits { groups: None, rows: 1, is_joined: true });
        }
        let all = u32::try_from(self.groups()).unwrap_or(u32::MAX);
        let groups = self.max_groups.map(|groups| groups.min(all));
        Some(Limits { groups, rows: self.max_rows.unwrap_or(1), is_joined: false })
    }

    /// Returns the number of unknown keys in which an individual counts, if rows have individuals; and the limit, if it
    /// is one.
    pub(super) fn keys_of_individual(&self) -> Option<(u32, Option<Limit>)> {
        self.table.individuals()?;
        let groups = self.max_groups.unwrap_or(1);
        Some(if self.joins_rows() { (1, None) } else { (groups, Some(Limit::Groups(groups.into()))) })
    }

    /// Returns true if keys were listed.
    pub(super) fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// The most rows of an individual that count, if it was given.
    pub(super) fn max_rows(&self) -> Option<u32> {
        self.max_rows
    }

    pub(super) fn statistics(&self) -> &[Statistic] {
        &self.statistics
    }

    pub(super) fn units(&self) -> u32 {
        self.units
    }

    /// Returns true if the query has no steps yet.
    pub(super) fn is_bare(&self) -> bool {
        self.statistics.is_empty() && self.keys.is_none() && !self.is_misplaced
    }

    /// Returns the steps of a plan before statistics.
    pub(super) fn calls(&self) -> Vec<Call> {
        self.steps.iter().map(Step::call).collect()
    }

    /// Returns a name that no column has after these steps.
    pub(super) fn unused_name(&self, wanted: &str) -> Fallible<String> {
        Ok(new_name(&self.seen()?, wanted))
    }

    /// Returns the table after all steps, from which statistics are computed.
    pub(super) fn seen(&self) -> Fallible<FrameDomain> {
        self.steps.iter().try_fold(self.table.clone(), |table, step| step.after(table))
    }

    /// Returns an error, in terms of keys and columns, if the columns do not have these keys.
    fn check_keys(&self, seen: &FrameDomain) -> Fallible<()> {
        let Some(keys) = &self.keys else { return Ok(()) };
        let position = keys.position();
        described(seen, &position).map(drop).map_err(|error| {
            let rule = error.message().strip_prefix(&position.to_string()).map(str::trim_start);
            rule.map_or(error.clone(), |rule| {
                Error::parameter("keys", format!("for {}: {rule}", keys.columns().join(", ")))
            })
        })
    }

    /// Returns an error if the query would take too much memory.
    fn check_size(&self, parts: &[Part]) -> Fallible<()> {
        let groups = self.groups();
        let numbers = parts.iter().try_fold(0usize, |all, part| all.checked_add(groups.checked_mul(part.width())?));
        let rule = "must be fewer: the number of groups, times the number of bins if there are any, exceeds 1048576";
        require(numbers.is_some_and(|numbers| numbers <= MAX_NUMBERS), "keys", rule)?;
        let length = |keys: &KeySet| format!("{:#}", keys.position()).len();
        let written = self.keys.as_ref().map_or(0, length).checked_mul(parts.len());
        let rule = "must be fewer or shorter: they are written once for each noisy vector, with at most 33554432 characters in total";
        require(written.is_some_and(|written| written <= MAX_CHARACTERS), "keys", rule)
    }

    /// Returns the parts to release, each once; for each, the sum of the shares of the statistics that need it; and the
    /// parts of each statistic.
    fn parts(&self, seen: &FrameDomain) -> Fallible<(Vec<Part>, Vec<f64>, Vec<Vec<usize>>)> {
        self.parts_after((Vec::new(), Vec::new()), seen, |part| self.of_unit(part, seen))
    }

    /// The same after parts that are released in any case, with their shares, where a function says as what each part
    /// is released.
    pub(super) fn parts_after(
        &self,
        (mut parts, mut weights): (Vec<Part>, Vec<f64>),
        seen: &FrameDomain,
        of: impl Fn(Part) -> Fallible<Part>,
    ) -> Fallible<(Vec<Part>, Vec<f64>, Vec<Vec<usize>>)> {
        let mut places = Vec::new();
        for statistic in &self.statistics {
            let mut needed = Vec::new();
            for part in statistic.kind.parts(seen)? {
                part.check()?;
                needed.push(of(part.checked(seen)?)?);
            }
            let mut found = Vec::new();
            let noisy = needed.iter().filter(|part| !part.is_public());
            let share = noisy.fold(0.0, |number: f64, _| number + 1.0).recip() * statistic.weight;
            for part in needed {
                let place = parts.iter().position(|other| *other == part).unwrap_or(parts.len());
                match weights.get_mut(place) {
                    Some(weight) => *weight += share,
                    None => {
                        parts.push(part);
                        weights.push(share);
                    }
                }
                found.push(place);
            }
            places.push(found);
        }
        Ok((parts, weights, places))
    }

    /// Returns the part as it is released if rows are replaced and there is one group: the number of rows is public if
    /// no row is dropped, and a sum changes by the range of its values.
    fn of_unit(&self, part: Part, seen: &FrameDomain) -> Fallible<Part> {
        let keeps_rows = self.steps.iter().all(|step| matches!(step, Step::Columns(_)));
        Ok(match part {
            part if !self.is_replaced || self.keys.is_some() => part,
            Part::Count(None) if keeps_rows => Part::Rows,
            Part::Sum(value, bounds) => {
                let is_null = described(seen, &value)?.has_missing();
                Part::Total(value, bounds, is_null)
            }
            part => part,
        })
    }

    /// Returns the steps before the composition, and the columns of each part.
    fn before(&self, seen: &FrameDomain, parts: &[Part]) -> Fallible<(Vec<Call>, Vec<Names>)> {
        let mut steps = self.calls();
        let group_name = new_name(seen, "group");
        let groups = i64::try_from(self.groups()).map_err(|_| Error::parameter("keys", "must be fewer"))?;
        let (position, group) = group(self.keys.as_ref(), &group_name);
        steps.push(Step::Columns(vec![(group_name.clone(), position)]).call());
        // Rows of other keys would take an individual's places; where there are none, their group is not listed.
        if self.keys.is_some() && !self.is_replaced {
            steps.push(Step::Filter(col(&group_name).lt(groups)).call());
        }
        // All parts are of the same rows; individuals are counted by all of theirs, if nothing else is asked.
        let counts_rows = parts.iter().any(|part| *part != Part::Individuals);
        if let Some(limits) = self.limits().filter(|limits| counts_rows && !limits.is_joined) {
            steps.push(limits.bound_groups(limits.groups.map(|_| group_name.clone())));
        }
        let (mut computed, mut names) = (Vec::new(), Vec::new());
        for (number, part) in parts.iter().enumerate() {
            let (place, value) = part.columns(&group, groups)?;
            let limits = self.limits().map(|limits| part.rows_of_individual(limits)).transpose()?;
            // What sums the rows of individuals counts them as ones.
            let is_sum = limits.is_some_and(|limits| limits.of_group.is_some());
            let value = value.or_else(|| is_sum.then(|| lit(1i64)));
            let mut add = |wanted: &str, value: Expr| {
                let name = new_name(seen, &format!("{wanted} {number}"));
                computed.push((name.clone(), value));
                name
            };
            let place = add("place", place);
            names.push(Names { place, value: value.map(|value| add("value", value)) });
        }
        steps.push(Step::Columns(computed).call());
        Ok((steps, names))
    }
}

/// Returns true if a statistic, or an end of its interval (`x from`, `x to`), has the name of another column of the
/// table.
pub(super) fn clash(statistics: &[&str], keys: &[String]) -> bool {
    let is_statistic = |name: &str| statistics.contains(&name);
    let is_end = |name: &str| {
        let of = name.strip_suffix(" from").or_else(|| name.strip_suffix(" to"));
        of.is_some_and(is_statistic)
    };
    statistics.iter().any(|name| is_end(name)) || keys.iter().any(|name| is_statistic(name) || is_end(name))
}

/// Returns the first number of at most three digits that is at least `number` and for which `holds` is true; `number`
/// itself if none of the next few is one.
fn short_from(number: f64, mut holds: impl FnMut(f64) -> Fallible<bool>) -> Fallible<f64> {
    const TRIED: usize = 20;
    let text = format!("{number:.2e}");
    let Some((digits, exponent)) = text.split_once('e') else { return Ok(number) };
    let (Ok(digits), Ok(exponent)) = (digits.replace('.', "").parse::<u32>(), exponent.parse::<i32>()) else {
        return Ok(number);
    };
    for digits in (digits..).take(TRIED) {
        let short: f64 = format!("{digits}e{}", exponent - 2).parse().unwrap_or(number);
        if short >= number && holds(short)? {
            return Ok(short);
        }
    }
    Ok(number)
}

/// Returns the first scale, starting from a good guess, whose loss is within a share: within a few rounding steps.
pub(super) fn least_scale(guess: f64, share: f64, loss: impl Fn(f64) -> Fallible<f64>) -> Fallible<f64> {
    const STEPS: i32 = 40;
    let mut scale = guess;
    for step in 0..STEPS {
        if loss(scale)? <= share {
            return Ok(scale);
        }
        // Wider each time: a map may round several times.
        scale = scale.inf_mul(1.0 + f64::EPSILON * 2f64.powi(step))?;
    }
    Err(Error::new(ErrorKind::Search, "no amount of noise satisfies this share of the budget"))
}
