//! `make_rows_of_individuals`: typed rows with the identifiers of their individuals.

use super::{
    batch::{Batch, Name},
    column::Column,
    domain::{ColumnDomain, FrameDomain},
    row::FrameRow,
    rows::{append, read_as},
};
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, Transformation},
    domains::{Atom, AtomDomain, PairDomain, VectorDomain},
    metrics::{IndividualMetric, SymmetricIdDistance},
};
use indistinct_derive::constructor;
use std::collections::HashMap;

/// Reads pairs of an identifier and a row of some columns as Rust types, for the steps that bound contributions of
/// individuals.
///
/// `then_rows_of_individuals::<String, f64, _, _>(vec!["days"])` makes pairs of a text, which is the identifier, and a
/// float. If rows without an identifier are separate individuals ([`FrameDomain::with_individuals_or_null`]),
/// identifiers are texts: the printed form of an identifier, or for a row without one, a text that no other row of the
/// table has.
///
/// # Parameters
///
/// - `columns`: a name for each part of a row, in order, without the identifier.
///
/// # Stability
///
/// `d_out = d_in`, in individuals added or removed, because an individual with equal rows has equal images. `2 d_in`
/// from [`ChangeOneIdDistance`](crate::metrics::ChangeOneIdDistance), because a replaced individual is one removed and
/// one added individual.
///
/// # Errors
///
/// Returns an error if the number of names differs from the number of parts of a row, if the domain has no such column,
/// or if a column or the identifier has another type. The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("days", ColumnDomain::float())])?;
/// let people = (stays.with_individuals("patient")?, SymmetricIdDistance);
/// let rows = (people >> then_rows_of_individuals::<i64, f64, _, _>(vec!["days"]))?;
/// let frame = Frame::new([
///     ("patient", [7i64, 8].into_iter().collect::<Column>()),
///     ("days", [3.0, 12.5].into_iter().collect()),
/// ])?;
/// assert_eq!(rows.invoke(&frame)?, [(7, 3.0), (8, 12.5)]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("bound_rows limits the rows of individuals in plans, and rows reads them"))]
pub fn make_rows_of_individuals<K, R, N, M>(
    input_domain: FrameDomain,
    input_metric: M,
    columns: Vec<N>,
) -> Fallible<Transformation<FrameDomain, VectorDomain<PairDomain<AtomDomain<K>, R::Domain>>, M, SymmetricIdDistance>>
where
    K: FrameRow<Domain = AtomDomain<K>> + Atom,
    R: FrameRow,
    N: Name,
    M: IndividualMetric,
    (FrameDomain, M): MetricSpace,
{
    let identifier = input_domain.individuals().map(str::to_owned);
    let identifier = identifier
        .ok_or_else(|| Error::parameter("input_domain", "must name the column of individuals: `with_individuals`"))?;
    let (row, function) = if input_domain.has_individuals_or_null() {
        let (place, (places, row)) = (input_domain.position(&identifier)?, read_as::<R, N>(&input_domain, columns)?);
        let rule = |_| {
            Error::parameter(
                "columns",
                "must be read as `String` if rows without an identifier are individuals of their own, because such rows \
                 get texts as identifiers",
            )
        };
        let identifiers = K::domain(&[(&identifier, &ColumnDomain::text())]).map_err(rule)?;
        let function = Function::batches_by_individuals(move |batches: &[Batch]| identified(batches, place, &places));
        (PairDomain::new(identifiers, row), function)
    } else {
        let names: Vec<String> = [identifier].into_iter().chain(columns.into_iter().map(Into::into)).collect();
        let (places, row) = read_as::<(K, R), String>(&input_domain, names)?;
        let append = move |batch: &Batch, all: &mut Vec<(K, R)>| append(batch, &places, all);
        (row, Function::rows_from_batches(append))
    };
    let output_domain = match input_domain.size() {
        Some(size) => VectorDomain::new(row).with_size(size),
        None => VectorDomain::new(row),
    };
    Transformation::<FrameDomain, VectorDomain<_>, M, SymmetricIdDistance>::new(
        (input_domain, input_metric),
        (output_domain, SymmetricIdDistance),
        function,
        StabilityMap::new(|&d_in: &u32| M::added_or_removed(d_in)),
    )
}

/// Returns rows with a text as the identifier, where some rows have no identifier.
fn identified<K: FrameRow, R: FrameRow>(batches: &[Batch], place: usize, places: &[usize]) -> Vec<(K, R)> {
    let (mut all, mut equal) = (Vec::new(), HashMap::new());
    for batch in batches.iter().filter(|batch| batch.rows() > 0) {
        let identifiers = identifiers(batch, place, &mut equal);
        let others = places.iter().filter_map(|&place| batch.columns().get(place));
        all.extend(<(K, R)>::rows(&[&identifiers].into_iter().chain(others).collect::<Vec<_>>()));
    }
    all
}

/// Returns each identifier as an expression prints it, which does not begin with a parenthesis. For a row without an
/// identifier, returns all its cells in parentheses, and its number among equal rows.
fn identifiers(batch: &Batch, place: usize, equal: &mut HashMap<String, u64>) -> Column {
    let cell = |column: &Column, row: usize| column.cell(row).canonical().to_string();
    let mut own = |row: usize| {
        let cells: Vec<String> = batch.columns().iter().map(|column| cell(column, row)).collect();
        let cells = format!("({})", cells.join(", "));
        let number = equal.entry(cells.clone()).or_default();
        *number += 1;
        format!("{cells} {number}")
    };
    let identifier = |row: usize| match batch.columns().get(place) {
        Some(column) if !column.cell(row).is_null() => cell(column, row),
        _ => own(row),
    };
    (0..batch.rows()).map(identifier).collect()
}

#[cfg(test)]
mod tests {
    use crate::{frames::*, prelude::*};

    #[test]
    fn a_replaced_individual_is_one_removed_and_one_added() {
        let people = || {
            let columns = [("who", ColumnDomain::integer()), ("x", ColumnDomain::float())];
            FrameDomain::new(columns).unwrap().with_individuals("who").unwrap()
        };
        let added = make_rows_of_individuals::<i64, f64, _, _>(people(), SymmetricIdDistance, vec!["x"]).unwrap();
        assert_eq!((added.map(&3), added.map(&u32::MAX)), (Ok(3), Ok(u32::MAX)));
        let replaced = make_rows_of_individuals::<i64, f64, _, _>(people(), ChangeOneIdDistance, vec!["x"]).unwrap();
        assert_eq!((replaced.map(&0), replaced.map(&3)), (Ok(0), Ok(6)));
        assert_eq!(replaced.map(&(u32::MAX / 2)), Ok(u32::MAX - 1));
        assert_eq!(replaced.map(&(u32::MAX / 2 + 1)).unwrap_err().kind(), ErrorKind::Numeric);
        // Data of a known size have neighbors at distance 1, too.
        let sized = make_rows_of_individuals::<i64, f64, _, _>(people().with_size(2), ChangeOneIdDistance, vec!["x"]);
        let sums = (sized.unwrap() >> then_bound_contributions(1) >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
        assert_eq!(sums.map(&1), Ok(2.0));
    }

    fn or_rows() -> FrameDomain {
        let who = ColumnDomain::text().with_missing();
        let columns = [("who", who), ("x", ColumnDomain::float().with_missing()), ("n", ColumnDomain::integer())];
        FrameDomain::new(columns).unwrap().with_individuals_or_null("who").unwrap()
    }

    /// Rows without an identifier, two of them equal, and individuals whose identifiers look like theirs.
    fn frame() -> Frame {
        let persons = [None, Some("a"), None, Some("(missing, 0.0, 7) 1"), None, Some("a")];
        Frame::new([
            ("who", persons.into_iter().collect::<Column>()),
            ("x", [-0.0, 1.5, 0.0, f64::NAN, f64::NAN, 2.0].into_iter().collect()),
            ("n", [7i64, 7, 7, 8, 7, 7].into_iter().collect()),
        ])
        .unwrap()
    }

    #[test]
    fn a_row_without_an_identifier_has_one_of_its_own() {
        let step = make_rows_of_individuals::<String, i64, _, _>(or_rows(), SymmetricIdDistance, vec!["n"]).unwrap();
        let rows = step.invoke(&frame()).unwrap();
        let told = [
            ("(missing, 0.0, 7) 1", 7),
            ("\"a\"", 7),
            ("(missing, 0.0, 7) 2", 7),
            ("\"(missing, 0.0, 7) 1\"", 8),
            ("(missing, missing, 7) 1", 7),
            ("\"a\"", 7),
        ];
        assert_eq!(rows, told.map(|(who, n)| (who.to_owned(), n)));
        assert_eq!((step.map(&3), step.plan().is_complete()), (Ok(3), true));
        let sized = or_rows().with_size(6);
        let replaced = make_rows_of_individuals::<String, f64, _, _>(sized, ChangeOneIdDistance, vec!["x"]);
        assert_eq!(replaced.unwrap_err().kind(), ErrorKind::Parameter("columns"));
        let columns = vec!["who", "x"];
        type Row = (Option<String>, Option<f64>);
        let replaced = make_rows_of_individuals::<String, Row, _, _>(or_rows(), ChangeOneIdDistance, columns).unwrap();
        assert_eq!((replaced.map(&2), replaced.invoke(&frame()).unwrap().len()), (Ok(4), 6));
        let numbers = make_rows_of_individuals::<i64, i64, _, _>(or_rows(), SymmetricIdDistance, vec!["n"]);
        assert!(numbers.unwrap_err().to_string().contains("must be read as `String`"));
    }

    /// A row without an identifier is alone in every step on individuals, and none makes several of it.
    #[test]
    fn steps_on_individuals_treat_such_a_row_alone() {
        let space = || (or_rows(), SymmetricIdDistance);
        let (nothing, count) = (Vec::<&str>::new, || vec![("rows", PerIndividual::count())]);
        let counts = |step: PartialTransformation<_, _, _, _>| {
            let rows = then_rows_of_individuals::<String, i64, _, _>(vec!["rows"]);
            let mut rows = (space() >> step >> rows).unwrap().invoke(&frame()).unwrap();
            rows.sort_unstable();
            rows.into_iter().map(|(_, rows)| rows).collect::<Vec<_>>()
        };
        // What comes of individuals is sorted first: a quote is before a parenthesis.
        assert_eq!(counts(then_aggregate_individuals(nothing(), count())), [1, 2, 1, 1, 1]);
        assert_eq!(counts(then_window_per_individual(nothing(), count())), [1, 2, 2, 1, 1, 1]);
        let of = |step: Fallible<Transformation<_, FrameDomain, _, _>>| {
            let step: Transformation<FrameDomain, _, SymmetricIdDistance, SymmetricIdDistance> = step.unwrap();
            let out = step.invoke(&frame()).unwrap();
            assert!(step.output_domain().member(&out) && step.output_domain().has_individuals_or_null());
            Frame::from(out).rows()
        };
        assert_eq!(of(space() >> then_bound_groups(nothing(), 1, 1)), 5);
        let sides = || (lit(true), lit(true));
        let join = |most| then_join_rows(sides(), nothing(), vec![("other", col("n"))], most, UnmatchedRows::Drop);
        // Of the individual with two rows each is matched with both.
        assert_eq!((of(space() >> join(1)), of(space() >> join(5))), (6, 8));
        let two = make_flat_map(or_rows(), SymmetricIdDistance, vec![("n", vec![lit(1), lit(2)])]).unwrap_err();
        assert_eq!(two.kind(), ErrorKind::Parameter("input_domain"));
        // Who has an identifier, and who has none.
        let known = |condition: Expr| {
            let rows = then_rows_of_individuals::<String, i64, _, _>(vec!["n"]);
            (space() >> then_filter_rows(condition) >> rows >> then_bound_contributions(1) >> then_count()).unwrap()
        };
        let (without, with) = (known(col("who").is_null()), known(!col("who").is_null()));
        assert_eq!((without.invoke(&frame()), with.invoke(&frame()), with.map(&1)), (Ok(3), Ok(2), Ok(1.0)));
    }

    #[test]
    fn it_is_declared() {
        let refused = |column: ColumnDomain| {
            let domain = FrameDomain::new([("who", column)]).unwrap().with_individuals_or_null("who");
            domain.unwrap_err().kind()
        };
        assert_eq!(refused(ColumnDomain::text()), ErrorKind::Parameter("individuals"));
        assert_eq!(refused(ColumnDomain::float().with_missing()), ErrorKind::Parameter("individuals"));
        assert!(or_rows().with_individuals("who").is_err());
        let text = format!("{:?}", or_rows().with_size(6));
        assert!(text.ends_with("; individuals \"who\" or rows; 6 rows)"), "{text}");
        assert_eq!(text.parse(), Ok(or_rows().with_size(6)));
        let columns = || or_rows().names().iter().cloned().zip(or_rows().columns().to_vec()).collect::<Vec<_>>();
        assert_ne!(FrameDomain::new(columns()).unwrap(), or_rows());
        let both = FrameDomain::stacked([("a", or_rows()), ("b", or_rows())]).unwrap();
        assert!(both.has_individuals_or_null());
        let who = ColumnDomain::text();
        let with = FrameDomain::new([("who", who)]).unwrap().with_individuals("who").unwrap();
        assert!(FrameDomain::stacked([("a", or_rows()), ("b", with)]).is_err());
    }
}
