//! `make_flat_map`: several rows from each row.

use super::{
    batch::{Batch, Name},
    column::Column,
    computed::Computed,
    domain::FrameDomain,
    expression::{Checked, Expr, check_alike},
};
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, Transformation, require},
    metrics::FlatMapMetric,
};
use indistinct_derive::constructor;
use std::iter::repeat_n;

/// The maximum number of rows made from one row, because all rows made from a batch are in memory together.
const MAX_TIMES: u32 = 1 << 10;

/// Makes several rows from each row: the first with the first value of each of these columns, the second with the
/// second, and so on. Each new row repeats the other columns.
///
/// So a wide table (`first_diagnosis`, `second_diagnosis`) becomes a long table (`diagnosis`). To drop unwanted rows,
/// such as those in which the value is missing, follow it with [`make_filter_rows`](super::make_filter_rows). A column
/// of constants or conditions can distinguish the rows.
///
/// # Parameters
///
/// - `columns`: names, each with a list of 1 to 1,024 expressions, one for each new row. All expressions use the
///   original columns. A column with one of these names is replaced; other columns stay. The column of individuals
///   cannot be changed.
///
/// # Stability
///
/// With k expressions, the map is `k d_in` in rows added, removed or replaced, because each row becomes k rows. `d_out
/// = d_in` in individuals.
///
/// # Errors
///
/// Returns an error if rows without an identifier are separate individuals, if there are no columns, if columns
/// have different numbers of expressions, if an expression names a column that the domain lacks, if the expressions of
/// one column have different types, or if a name is repeated or is the column of individuals. The map fails if `k d_in`
/// exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let diagnosis = ColumnDomain::text().with_missing();
/// let wide = FrameDomain::new([("first", diagnosis.clone()), ("second", diagnosis)])?;
/// let long = ((wide, SymmetricDistance)
///     >> then_flat_map(vec![("diagnosis", vec![col("first"), col("second")]), ("rank", vec![lit(1), lit(2)])])
///     >> then_filter_rows(!col("diagnosis").is_null()))?;
/// let frame = Frame::new([
///     ("first", [Some("I21"), Some("J45")].into_iter().collect::<Column>()),
///     ("second", [Some("I10"), None].into_iter().collect()),
/// ])?;
/// assert_eq!((Frame::from(long.invoke(&frame)?).rows(), long.map(&1)?), (3, 2));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_flat_map<N: Name, M: FlatMapMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    columns: Vec<(N, Vec<Expr>)>,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
{
    let rule = "must have an identifier in each row, because a row without one would become several individuals";
    require(!input_domain.has_individuals_or_null(), "input_domain", rule)?;
    let times = columns.first().map_or(0, |(_, expressions)| expressions.len());
    require(times >= 1, "columns", "must have at least one column, with one expression for each new row")?;
    let rows = u32::try_from(times).ok().filter(|rows| *rows <= MAX_TIMES);
    let rule = || Error::parameter("columns", format!("must have at most {MAX_TIMES} expressions each"));
    let rows = rows.ok_or_else(rule)?;
    let check = |(name, expressions): (N, Vec<Expr>)| {
        let (values, domain) = check_alike(&expressions, &input_domain)?;
        require(values.len() == times, "columns", "must all have the same number of expressions")?;
        Ok((name.into(), values, domain))
    };
    let (computed, described) = Computed::new(&input_domain, columns.into_iter().map(check))?;
    let output_domain = match input_domain.size() {
        Some(size) => {
            let size = size.checked_mul(times);
            let rule = "must not make more rows than the maximum number of rows";
            input_domain.clone().with_size(size.ok_or_else(|| Error::parameter("columns", rule))?)
        }
        None => input_domain.clone(),
    };
    let output_domain = output_domain.with_columns(described)?;
    let names = output_domain.names().clone();
    let metric = input_metric.clone();
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::batch_by_batch(move |batch: &Batch| {
            let rows: Vec<usize> = (0..batch.rows()).flat_map(|row| repeat_n(row, times)).collect();
            let column = |(column, place): (&Column, usize)| {
                if computed.replaces(place) { column.clone() } else { column.take(&rows) }
            };
            let columns = batch.columns().iter().zip(0..).map(column).collect();
            let columns = computed.put(columns, |values| in_turn(values, batch));
            Batch::new(names.clone(), columns, rows.len())
        }),
        StabilityMap::new(move |d_in: &M::Distance| metric.repeated_distance(d_in, rows)),
    )
}

/// Returns all values of the first row, then all values of the next row, and so on.
fn in_turn(values: &[Checked], batch: &Batch) -> Column {
    let columns: Vec<Column> = values.iter().map(|value| value.column(batch)).collect();
    let kind = values.first().map_or(super::Kind::Float, |value| value.domain.kind());
    let columns = &columns;
    Column::from_cells(kind, (0..batch.rows()).flat_map(|row| columns.iter().map(move |column| column.cell(row))))
}

#[cfg(test)]
mod tests {
    use crate::{core::MetricSpace, frames::*, metrics::FlatMapMetric, prelude::*};

    fn wide() -> FrameDomain {
        let grade = |upper| ColumnDomain::integer().with_bounds(0.0, upper).unwrap();
        FrameDomain::new([
            ("who", ColumnDomain::integer()),
            ("a", grade(5.0)),
            ("b", grade(9.0).with_missing()),
            ("x", ColumnDomain::float()),
        ])
        .unwrap()
    }

    fn map<M: FlatMapMetric<Distance = u32>>(domain: FrameDomain, metric: M, d_in: u32) -> Fallible<u32>
    where
        (FrameDomain, M): MetricSpace,
    {
        make_flat_map(domain, metric, vec![("grade", vec![col("a"), col("b"), lit(7)])])?.map(&d_in)
    }

    #[test]
    fn distances_by_metric() {
        assert_eq!(map(wide(), SymmetricDistance, 2), Ok(6));
        assert_eq!(map(wide(), InsertDeleteDistance, 2), Ok(6));
        assert_eq!(map(wide(), ChangeOneDistance, 2), Ok(6));
        assert_eq!(map(wide(), HammingDistance, 2), Ok(6));
        let people = wide().with_individuals("who").unwrap();
        assert_eq!((map(people.clone(), SymmetricIdDistance, 2), map(people, ChangeOneIdDistance, 2)), (Ok(2), Ok(2)));
        let greatest = u32::MAX / 3;
        assert_eq!(map(wide(), SymmetricDistance, greatest), Ok(u32::MAX));
        assert_eq!(map(wide(), SymmetricDistance, greatest + 1).unwrap_err().kind(), ErrorKind::Numeric);
    }

    /// The images of a row are one after the other, and all columns are computed from what was there.
    #[test]
    fn rows_in_order() {
        let columns = vec![("a", vec![col("b"), col("a")]), ("rank", vec![lit(1), lit(2)])];
        let step = make_flat_map(wide().with_size(2), HammingDistance, columns).unwrap();
        let domain = step.output_domain();
        assert_eq!((domain.size(), domain.names().join(" ")), (Some(4), "who a b x rank".to_owned()));
        assert_eq!(format!("{:?}", domain.column("a").unwrap()), "integer(0..=9, missing)");
        assert_eq!(format!("{:?}", domain.column("rank").unwrap()), "integer(1..=2)");
        let frame = Frame::new([
            ("who", [1i64, 2].into_iter().collect::<Column>()),
            ("a", [3i64, 4].into_iter().collect()),
            ("b", [Some(8i64), None].into_iter().collect()),
            ("x", [0.5, f64::INFINITY].into_iter().collect()),
        ])
        .unwrap();
        let out = step.invoke(&frame).unwrap();
        assert!(domain.member(&out));
        let cells = |place: usize| (0..4).map(|row| out[0].columns()[place].cell(row)).collect::<Vec<_>>();
        let integers = |cells: [Option<i64>; 4]| cells.map(Cell::from).to_vec();
        assert_eq!(cells(0), integers([Some(1), Some(1), Some(2), Some(2)]));
        assert_eq!(cells(1), integers([Some(8), Some(3), None, Some(4)]));
        assert_eq!(cells(2), integers([Some(8), Some(8), None, None]));
        assert_eq!(cells(3), [0.5, 0.5, f64::INFINITY, f64::INFINITY].map(Cell::from));
        assert_eq!(cells(4), integers([Some(1), Some(2), Some(1), Some(2)]));
    }

    #[test]
    fn values_of_one_type() {
        let made = |values: Vec<Expr>| make_flat_map(wide(), SymmetricDistance, vec![("v", values)]);
        let of = |values| format!("{:?}", made(values).unwrap().output_domain().column("v").unwrap());
        assert_eq!(of(vec![lit(Cell::Missing), col("a"), lit(Cell::Missing)]), "integer(0..=5, missing)");
        assert_eq!(of(vec![col("x").clamp(-1.0, 2.0), lit(3.5)]), "float(-1.0..=3.5)");
        let refused = |values| {
            let error = made(values).unwrap_err();
            (error.kind(), error.message().to_owned())
        };
        let kind = ErrorKind::Parameter("expression");
        assert_eq!(refused(vec![col("a"), col("x")]).0, kind);
        assert_eq!(refused(vec![lit(Cell::Missing)]).0, kind);
        assert_eq!(refused(vec![]).0, ErrorKind::Parameter("columns"));
        let labels = |label| ColumnDomain::category([label, "z"]).unwrap();
        assert_eq!(refused(vec![lit("y").cast(labels("y")), lit("y").cast(labels("x"))]).0, kind);
    }

    #[test]
    fn names_and_numbers() {
        let people = || wide().with_individuals("who").unwrap();
        let refused = |domain: FrameDomain, columns: Vec<(&'static str, Vec<Expr>)>| {
            make_flat_map(domain, SymmetricDistance, columns).unwrap_err().kind()
        };
        let columns = ErrorKind::Parameter("columns");
        assert_eq!(refused(wide(), vec![]), columns);
        assert_eq!(refused(wide(), vec![("v", vec![col("a")]), ("w", vec![col("a"), col("b")])]), columns);
        assert_eq!(refused(wide(), vec![("v", vec![lit(1); 1025])]), columns);
        assert!(make_flat_map(wide(), SymmetricDistance, vec![("v", vec![lit(1); 1024])]).is_ok());
        assert_eq!(refused(wide(), vec![("v", vec![col("a")]), ("v", vec![col("b")])]), columns);
        assert_eq!(refused(people(), vec![("who", vec![col("a")])]), columns);
        assert_eq!(refused(wide(), vec![("v", vec![col("none")])]), columns);
        assert_eq!(refused(wide().with_size(usize::MAX), vec![("v", vec![lit(1), lit(2)])]), columns);
    }

    /// A batch without rows may have other columns, and no rows come of it.
    #[test]
    fn batches_without_rows() {
        let step = make_flat_map(wide(), SymmetricDistance, vec![("a", vec![col("b"), col("a")])]).unwrap();
        let other = FrameDomain::new([("other", ColumnDomain::text())]).unwrap();
        let texts = Frame::new([("other", ["x"].into_iter().collect::<Column>())]).unwrap();
        let empty = make_filter_rows(other, SymmetricDistance, lit(false)).unwrap().invoke(&texts).unwrap();
        assert_eq!(empty.len(), 1);
        let out = step.invoke(&empty).unwrap();
        assert!(step.output_domain().member(&out) && Frame::from(out).rows() == 0);
        assert!(step.invoke(&[]).unwrap().is_empty());
    }
}
