//! Questions about tables, out of bytes: answered within their budget, with intervals that are intervals, or refused.

use crate::{
    Source,
    frames::{batches, column, condition, domain, fitting, per_individual},
    record::told,
};
use indistinct::{frames::*, prelude::*, queries::*};

pub(crate) fn run(source: &mut Source) {
    let table = domain(source);
    let data = batches(source, &table);
    let individuals = column(source, &table);
    let persons = told(table.clone().with_individuals(&individuals));
    let table = match persons.or_else(|| told(table.clone().with_individuals_or_null(&individuals))) {
        Some(of_individuals) if source.coin() => of_individuals,
        _ => table,
    };
    let query = asked(source, &table);
    if source.below(4) == 0 {
        let columns = source.several(3, |source| column(source, &table));
        let budget = (source.plain().abs(), source.probability());
        if let Some(measurement) = told(query.count_unknown_keys(columns, budget)) {
            let loss = measurement.measurement().under::<Approximate<MaxDivergence>>().unwrap().map(&1).unwrap();
            assert!(loss.0 <= budget.0 && loss.1 <= budget.1, "{loss:?} {budget:?}");
            told(measurement.release(&data, source.probability()));
        }
        return;
    }
    let statistics = source.several(3, |source| source.below(8));
    let query = statistics.into_iter().fold(query, |query, statistic| with_statistic(source, &table, query, statistic));
    let number = source.plain().abs();
    let budget = match source.below(3) {
        0 => Budget::Epsilon(number),
        1 => Budget::Rho(number),
        _ => Budget::EpsilonDelta(number, source.probability()),
    };
    let Some(measurement) = told(query.measurement(budget)) else { return };
    let alpha = source.probability();
    told(measurement.accuracy(alpha));
    let Some(table) = told(measurement.release(&data, alpha)) else { return };
    assert!(!table.to_string().contains("NaN"), "{table}");
    for estimate in table.names().filter_map(|name| table.column(name)).flatten() {
        assert!(estimate.interval.is_none_or(|(from, to)| from <= to), "{estimate:?}");
    }
}

/// What comes before statistics.
fn asked(source: &mut Source, table: &FrameDomain) -> Query {
    let mut query = Query::new(table);
    for _ in 0..source.below(3) {
        query = match source.below(6) {
            0 => query.filter(condition(source, table)),
            1 => query.with_column(column(source, table), fitting(source, table)),
            2 => query.aggregate_per_individual([("total", per_individual(source, table))]),
            3 => query.max_rows_per_individual(source.word() % 4),
            4 => query.max_groups_per_individual(source.word() % 4),
            _ => query.group_size(source.word() % 3),
        };
    }
    query
}

fn with_statistic(source: &mut Source, table: &FrameDomain, query: Query, statistic: usize) -> Query {
    let (value, bounds) = (fitting(source, table), source.bounds());
    match statistic {
        0 => query.count(),
        1 => query.count_individuals(),
        2 => query.count_non_null(value),
        3 => query.sum(value, bounds),
        4 => query.mean(value, bounds),
        5 => query.standard_deviation(value, bounds),
        6 => query.covariance((value, bounds), (fitting(source, table), source.bounds())),
        _ => query.quantiles(value, source.rising(5), &[source.fraction()]).weight(source.plain()),
    }
}
