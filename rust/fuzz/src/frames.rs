//! Steps on tables of named columns: expressions and frames out of bytes.

use crate::{
    Source, exercise,
    record::{make, told},
    spaces::one_of,
};
use indistinct::{frames::*, prelude::*};

pub(crate) fn run(source: &mut Source) {
    let domain = domain(source);
    let data = batches(source, &domain);
    let domain = match source.below(4) {
        0 => domain.with_size(source.size()),
        1 => domain.with_size(Frame::from(data.clone()).rows()),
        _ => domain,
    };
    assert_eq!(format!("{domain:?}").parse(), Ok(domain.clone()));
    if source.coin() {
        let name = domain.names()[source.below(domain.names().len())].clone();
        let persons = told(domain.clone().with_individuals(&name));
        if let Some(persons) = persons.or_else(|| told(domain.clone().with_individuals_or_null(&name))) {
            assert_eq!(format!("{persons:?}").parse(), Ok(persons.clone()));
            one_of!(source: [SymmetricIdDistance, ChangeOneIdDistance] |metric| {
                if source.coin() {
                    of_individuals(source, persons, metric, &data);
                } else {
                    of_rows(source, persons, metric, &data);
                }
            });
            return;
        }
    }
    one_of!(source: [SymmetricDistance, HammingDistance] |metric| {
        match source.below(4) {
            0 => typed(source, domain, metric, &data),
            1 => by_place(source, metric),
            _ => of_rows(source, domain, metric, &data),
        }
    });
}

fn of_rows<M>(source: &mut Source, domain: FrameDomain, metric: M, data: &[Batch])
where
    M: indistinct::bounds::FilterMetric<Distance = u32> + indistinct::bounds::FlatMapMetric,
    (FrameDomain, M): indistinct::core::MetricSpace,
    (FrameDomain, M::Output): indistinct::core::MetricSpace,
{
    if source.below(4) == 0 {
        let rows = 1 + source.below(3);
        let columns = source.several(3, |source| {
            let value = fitting(source, &domain);
            let other = |source: &mut Source| if source.below(4) == 0 { expression(source, 1) } else { value.clone() };
            let values: Vec<Expr> = (0..rows).map(|_| other(source)).collect();
            (name(source), values)
        });
        exercise::transformation(make!(make_flat_map(domain, metric, columns)), source, data);
    } else if source.coin() {
        let condition = match source.below(4) {
            0 => expression(source, 4),
            1 => expression(source, 2).is_null(),
            2 => expression(source, 2).le(expression(source, 1)),
            _ => fitting(source, &domain).is_null() | !fitting(source, &domain).eq(fitting(source, &domain)),
        };
        exercise::transformation(make!(make_filter_rows(domain, metric, condition)), source, data);
    } else {
        let depth = source.below(5);
        let columns = source.several(3, |source| (name(source), expression(source, depth)));
        exercise::transformation(make!(make_with_columns(domain, metric, columns)), source, data);
    }
}

/// A column that there is, most often.
pub(crate) fn column(source: &mut Source, domain: &FrameDomain) -> String {
    if source.below(8) == 0 { source.choose(NAMES).to_owned() } else { source.choose(domain.names()).clone() }
}

/// An expression that fits a column, if there is one.
pub(crate) fn fitting(source: &mut Source, domain: &FrameDomain) -> Expr {
    let name = column(source, domain);
    let x = col(&name);
    match domain.column(&name).map(ColumnDomain::kind) {
        Ok(Kind::Float | Kind::Integer) if source.coin() => x * source.integer() + source.float(),
        Ok(Kind::Bool) if source.coin() => !x,
        Ok(Kind::Text) if source.coin() => x.length(),
        Ok(Kind::Date | Kind::Time) if source.coin() => x.month(),
        _ => x,
    }
}

/// Which rows are left or right ones, most often.
pub(crate) fn condition(source: &mut Source, domain: &FrameDomain) -> Expr {
    if source.below(8) == 0 { expression(source, 2) } else { !fitting(source, domain).is_null() }
}

fn of_individuals<M>(source: &mut Source, domain: FrameDomain, metric: M, data: &[Batch])
where
    M: indistinct::bounds::IndividualMetric,
    (FrameDomain, M): indistinct::core::MetricSpace,
{
    let by = source.several(2, |source| column(source, &domain));
    match source.below(10) {
        8 => {
            let columns = source.several(3, |source| column(source, &domain));
            exercise::transformation(make!(make_bound_rows(domain, metric, columns, source.word())), source, data);
        }
        9 => {
            let (domain, data) = placed(source);
            let domain = told(domain.clone().with_individuals("a")).unwrap_or(domain);
            let (most, each, places) = (source.word(), source.word(), places(source));
            one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| if is_float(&domain) {
                let sums = make!(make_sum_column_by_of_individuals::<f64, _, _, _>(
                    domain, metric, "b", places, "c", most, each, norm
                ));
                exercise::transformation(sums, source, &data)
            } else {
                let sums = make!(make_sum_column_by_of_individuals::<i64, _, _, _>(
                    domain, metric, "b", places, "c", most, each, norm
                ));
                exercise::transformation(sums, source, &data)
            });
        }
        0 | 1 => {
            let columns = source.several(3, |source| (name(source), per_individual(source, &domain)));
            exercise::transformation(make!(make_aggregate_individuals(domain, metric, by, columns)), source, data);
        }
        2 | 3 => {
            let columns = source.several(3, |source| (name(source), per_individual(source, &domain)));
            exercise::transformation(make!(make_window_per_individual(domain, metric, by, columns)), source, data);
        }
        4 | 5 => {
            let (left, right) = (condition(source, &domain), condition(source, &domain));
            // Mostly names that are not there yet.
            let columns =
                source.several(2, |source| (name(source) + source.choose(&["", "2", "3"]), fitting(source, &domain)));
            let unmatched = if source.coin() { UnmatchedRows::Keep } else { UnmatchedRows::Drop };
            let most = source.word();
            let step = make!(make_join_rows(domain, metric, (left, right), by, columns, most, unmatched));
            exercise::transformation(step, source, data);
        }
        6 => {
            let (groups, rows) = (source.word(), source.word());
            exercise::transformation(make!(make_bound_groups(domain, metric, by, groups, rows)), source, data);
        }
        _ => of_kind(source, &domain, |source, names, kind| match kind {
            Kind::Float => {
                let step = make!(make_rows_of_individuals::<i64, Option<f64>, _, _>(domain.clone(), metric, names));
                exercise::transformation(step, source, data);
            }
            Kind::Text => {
                let step =
                    make!(make_rows_of_individuals::<String, Option<String>, _, _>(domain.clone(), metric, names));
                exercise::transformation(step, source, data);
            }
            Kind::Bool => {
                let step = make!(make_rows_of_individuals::<i64, Option<bool>, _, _>(domain.clone(), metric, names));
                exercise::transformation(step, source, data);
            }
            _ => {
                let step = make!(make_rows_of_individuals::<i64, Option<i64>, _, _>(domain.clone(), metric, names));
                exercise::transformation(step, source, data);
            }
        }),
    }
}

/// A name, most often of a column, and of which kind it is.
fn of_kind(source: &mut Source, domain: &FrameDomain, with: impl FnOnce(&mut Source, Vec<String>, Kind)) {
    let name = column(source, domain);
    let kind = domain.column(&name).map_or(Kind::Integer, ColumnDomain::kind);
    with(source, vec![name], kind);
}

pub(crate) fn per_individual(source: &mut Source, domain: &FrameDomain) -> PerIndividual {
    let value = if source.below(4) > 0 { fitting(source, domain) } else { expression(source, 2) };
    match source.below(9) {
        0 => PerIndividual::count(),
        1 => PerIndividual::distinct(value),
        2 => PerIndividual::sum(value),
        3 => PerIndividual::min(value),
        4 => PerIndividual::max(value),
        5 => PerIndividual::any(value),
        6 => PerIndividual::all(value),
        7 => PerIndividual::first(value, fitting(source, domain)),
        _ => PerIndividual::last(value, fitting(source, domain)),
    }
}

/// A few places, most often.
fn places(source: &mut Source) -> u32 {
    let few = 1 + u32::try_from(source.below(5)).unwrap();
    if source.below(8) == 0 { source.word().min(1 << 12) } else { few }
}

/// Individuals, places and numbers, and some other column: most often such as sums need.
fn placed(source: &mut Source) -> (FrameDomain, Vec<Batch>) {
    let (lower, upper) = source.bounds();
    let number = if source.coin() { ColumnDomain::float() } else { ColumnDomain::integer() };
    let number = told(number.clone().with_bounds(lower.round(), upper.round())).unwrap_or(number);
    let place = told(ColumnDomain::integer().with_bounds(-1.0, 4.0)).unwrap_or(ColumnDomain::integer());
    let other = column_domain(source);
    let columns = [("a", ColumnDomain::integer()), ("b", place), ("c", number), ("d", other)];
    let domain = FrameDomain::new(columns).unwrap();
    let data = batches(source, &domain);
    (domain, data)
}

fn is_float(domain: &FrameDomain) -> bool {
    matches!(domain.column("c").map(ColumnDomain::kind), Ok(Kind::Float))
}

fn by_place<M: indistinct::bounds::RowMetric>(source: &mut Source, metric: M) {
    let (domain, data) = placed(source);
    let places = places(source);
    if source.below(3) == 0 {
        return by_key(source, metric, domain, &data);
    }
    if source.below(4) == 0 {
        let axes = vec![("b", places), (if source.coin() { "b" } else { "c" }, 1 + source.word() % 9)];
        if source.below(4) > 0 {
            let sets = [vec![], vec![1], vec![0], vec![0, 1]].into_iter().take(1 + source.below(4)).collect::<Vec<_>>();
            let scales = sets.iter().map(|_| f64::from(1 + source.word() % 64) / 4.0).collect();
            return exercise::measurement(make!(make_marginals(domain, metric, axes, sets, scales)), source, &data);
        }
        let sets = source.several(4, |source| source.several(2, |source| source.below(3)));
        let scales = sets.iter().map(|_| source.float()).collect();
        return exercise::measurement(make!(make_marginals(domain, metric, axes, sets, scales)), source, &data);
    }
    one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| match source.below(4) {
        0 => exercise::transformation(make!(make_count_rows_by(domain, metric, "b", places, norm)), source, &data),
        1 => {
            let distinct = make!(make_count_distinct_by(domain, metric, "b", places, "d", norm));
            exercise::transformation(distinct, source, &data)
        }
        _ if is_float(&domain) => {
            let sums = make!(make_sum_column_by::<f64, _, _, _>(domain, metric, "b", places, "c", norm));
            exercise::transformation(sums, source, &data)
        }
        _ => {
            let sums = make!(make_sum_column_by::<i64, _, _, _>(domain, metric, "b", places, "c", norm));
            exercise::transformation(sums, source, &data)
        }
    });
}

/// Mostly by a key of texts: sums of rows, and numbers of individuals.
fn by_key<M: indistinct::bounds::RowMetric>(source: &mut Source, metric: M, domain: FrameDomain, data: &[Batch]) {
    let key = vec![("d", text_key([col("b"), col("d")]))];
    let keyed = told(make_with_columns(domain.clone(), SymmetricDistance, key));
    let (domain, data) = match keyed.filter(|_| source.below(8) > 0) {
        Some(keyed) => (keyed.output_domain().clone(), told(keyed.invoke(data)).unwrap_or_default()),
        None => (domain, data.to_vec()),
    };
    let (people, most) = (told(domain.clone().with_individuals("a")).unwrap_or(domain.clone()), source.word());
    one_of!(source: [L01InfDistance, L02InfDistance] |norm| {
        let counts = make!(make_count_individuals_by_key(people, SymmetricIdDistance, "d", most, norm));
        exercise::transformation(counts, source, &data);
        if is_float(&domain) {
            let sums = make!(make_sum_column_by_key::<f64, _, _, _>(domain, metric, "d", "c", norm));
            exercise::transformation(sums, source, &data);
        } else {
            let sums = make!(make_sum_column_by_key::<i64, _, _, _>(domain, metric, "d", "c", norm));
            exercise::transformation(sums, source, &data);
        }
    });
}

fn typed<M: indistinct::bounds::RowMetric>(source: &mut Source, domain: FrameDomain, metric: M, data: &[Batch]) {
    macro_rules! read_as {
        ($row:ty) => {{
            let names = source.several(4, |source| source.choose(NAMES).to_owned());
            let domain = domain.clone();
            exercise::transformation(make!(make_rows::<$row, _, _>(domain, metric, names)), source, data)
        }};
    }
    match source.below(8) {
        0 => read_as!(f64),
        1 => read_as!(Option<i64>),
        2 => read_as!((Option<String>, bool)),
        3 => read_as!((i64, (Option<f64>, Option<bool>))),
        _ => of_kind(source, &domain, |source, names, kind| {
            macro_rules! of_column {
                ($row:ty) => {
                    exercise::transformation(
                        make!(make_rows::<$row, _, _>(domain.clone(), metric, names)),
                        source,
                        data,
                    )
                };
            }
            match kind {
                Kind::Float => of_column!(Option<f64>),
                Kind::Text => of_column!(Option<String>),
                Kind::Bool => of_column!(Option<bool>),
                _ => of_column!(Option<i64>),
            }
        }),
    }
}

const NAMES: &[&str] = &["a", "b", "c", "d", "e", "f", "g"];

fn name(source: &mut Source) -> String {
    if source.below(4) == 0 { source.text() } else { source.choose(NAMES).to_owned() }
}

fn column_domain(source: &mut Source) -> ColumnDomain {
    let domain = match source.below(7) {
        0 => ColumnDomain::float(),
        1 => ColumnDomain::integer(),
        2 => ColumnDomain::bool(),
        3 => ColumnDomain::text(),
        4 => {
            let labels = source.several(3, Source::text);
            told(ColumnDomain::category(labels)).unwrap_or(ColumnDomain::bool())
        }
        5 => ColumnDomain::date(),
        _ => ColumnDomain::time(),
    };
    let (lower, upper) = source.bounds();
    let bounded = if source.coin() { told(domain.clone().with_bounds(lower.round(), upper.round())) } else { None };
    let domain = bounded.unwrap_or(domain);
    if source.coin() { domain.with_missing() } else { domain }
}

pub(crate) fn domain(source: &mut Source) -> FrameDomain {
    let columns: Vec<_> =
        NAMES.iter().take(1 + source.below(NAMES.len())).map(|name| (*name, column_domain(source))).collect();
    FrameDomain::new(columns).unwrap()
}

/// Rows that are most often inside of a domain, in several batches.
pub(crate) fn batches(source: &mut Source, domain: &FrameDomain) -> Vec<Batch> {
    let strict = source.below(4) != 0;
    let batches = source.several(3, |source| {
        let rows = source.below(4);
        let columns = domain.names().iter().zip(domain.columns()).map(|(name, column)| {
            let cells: Vec<Cell> = (0..rows).map(|_| cell_of(source, column, strict)).collect();
            (name.clone(), Column::from_cells(column.kind(), cells))
        });
        Frame::new(columns.collect::<Vec<_>>()).unwrap().to_vec()
    });
    batches.concat()
}

fn cell_of(source: &mut Source, column: &ColumnDomain, strict: bool) -> Cell {
    if source.below(4) == 0 && (column.has_missing() || !strict) {
        return Cell::Missing;
    }
    match (column.kind(), column.bounds()) {
        (Kind::Float, Some((Cell::Float(lower), Cell::Float(upper)))) if strict => {
            let x = source.mostly_plain();
            if x.is_nan() { lower.into() } else { x.clamp(lower, upper).into() }
        }
        (Kind::Integer, Some((Cell::Integer(lower), Cell::Integer(upper)))) if strict => {
            source.integer().clamp(lower, upper).into()
        }
        (Kind::Float, _) => {
            let x = source.float();
            if x.is_nan() && strict { 0.5.into() } else { x.into() }
        }
        (Kind::Bool, _) => source.coin().into(),
        (Kind::Text, _) => source.text().into(),
        (Kind::Category, _) if strict => {
            let labels = column.labels().map_or(1, |labels| labels.len());
            i64::try_from(source.below(labels)).unwrap().into()
        }
        _ => source.integer().into(),
    }
}

fn cell(source: &mut Source) -> Cell {
    match source.below(6) {
        0 => Cell::Missing,
        1 | 2 => source.integer().into(),
        3 => source.float().into(),
        4 => source.coin().into(),
        _ => source.choose(&["", "0", "17", "2026-11-23", "2026-11-23T06:17:45", "1e400"]).into(),
    }
}

/// Anything put together with anything, mostly what fits; what is written of it is read back.
fn expression(source: &mut Source, depth: usize) -> Expr {
    let expression = part(source, depth);
    assert_eq!(format!("{expression:#}").parse(), Ok(expression.clone()));
    expression
}

fn part(source: &mut Source, depth: usize) -> Expr {
    if depth == 0 {
        return if source.below(4) == 0 { lit(cell(source)) } else { col(source.choose(NAMES)) };
    }
    let part = |source: &mut Source| part(source, depth - 1);
    match source.below(33) {
        0 => part(source) + part(source),
        1 => part(source) - part(source),
        2 => part(source) * part(source),
        3 => part(source) / part(source),
        4 => -part(source),
        5 => part(source).eq(part(source)),
        6 => part(source).ne(part(source)),
        7 => part(source).lt(part(source)),
        8 => part(source).le(part(source)),
        9 => part(source).gt(part(source)),
        10 => part(source).ge(part(source)),
        11 => part(source) & part(source),
        12 => part(source) | part(source),
        13 => !part(source),
        14 => part(source).is_null(),
        15 => part(source).fill_null(part(source)),
        16 => when(part(source), part(source), part(source)),
        17 => part(source).min(part(source)),
        18 => part(source).max(part(source)),
        19 => part(source).clamp(cell(source), cell(source)),
        20 | 21 => part(source).cast(column_domain(source)),
        22 => part(source).cut(source.rising(4)),
        23 => part(source).is_in(source.several(3, cell)),
        24 => part(source).replace(source.several(3, |source| (cell(source), cell(source)))),
        25 => {
            let keys = source.several(3, part);
            let table = source.several(3, |source| (source.several(3, cell), cell(source)));
            lookup(keys, table)
        }
        26 => {
            let names = source.several(2, |source| source.choose(NAMES).to_owned());
            let keys = source.several(3, |source| names.iter().map(|_| cell(source)).collect());
            told(KeySet::list(names, keys)).map_or(col("a"), |keys| keys.position())
        }
        27 => part(source).year().fill_null(part(source).month()),
        28 => part(source).day() - part(source).weekday(),
        29 => part(source).hour(),
        30 => part(source).date(),
        31 => text_key(source.several(3, part)),
        _ => part(source).length(),
    }
}
