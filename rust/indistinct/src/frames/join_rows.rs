//! `make_join_rows`: joins the rows of two tables about the same individuals.

use super::{
    aggregate_individuals::keys,
    batch::{Batch, Name},
    bound_groups::first_rows,
    cell::Cell,
    column::Column,
    domain::{ColumnDomain, FrameDomain},
    expression::{Checked, Expr, check},
    individuals::{Groups, compare, sorted, whole},
};
use crate::{
    core::{Error, Fallible, Function, MetricSpace, Parameter, StabilityMap, ToParameter, Transformation, require},
    frames::Kind,
    metrics::IndividualMetric,
};
use indistinct_derive::constructor;
use std::{cmp::Ordering, str::FromStr, sync::Arc};

/// The maximum number of right rows matched with one left row, which is also the limit of
/// [`make_flat_map`](super::make_flat_map).
const MAX_MATCHES: u32 = 1 << 10;
/// If an individual's left rows times matches exceed this, fewer right rows are matched with each left row.
const MAX_ROWS: usize = 1 << 18;
/// Rows are passed on after at least this number.
const PIECE: usize = 1 << 12;

/// The treatment of a left row without a match.
///
/// In text it is `keep` or `drop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnmatchedRows {
    /// The row stays, with missing values (a left join).
    Keep,
    /// The row is dropped (an inner join).
    Drop,
}

impl FromStr for UnmatchedRows {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        match text {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            _ => Err(Error::parameter("unmatched", "must be `keep` or `drop`")),
        }
    }
}

impl ToParameter for UnmatchedRows {
    fn to_parameter(&self) -> Parameter {
        let text = match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
        };
        text.to_parameter()
    }
}

/// Matches the left rows of each individual with right rows of the same individual that are equal in some columns, and
/// adds values of the right rows. Rows that satisfy neither condition are dropped.
///
/// Two private tables about the same individuals are one domain ([`FrameDomain::stacked`]), whose column `table`
/// distinguishes left from right rows. The result has one row per match. If a left row has more than `max_matches`
/// matches, a keyed hash of the right rows' contents decides which matches are used. The choice depends on the
/// individual's own rows alone, ignores their order, and favors no value.
///
/// # Parameters
///
/// - `sides`: two conditions, for the left and the right rows. A row may satisfy both, or neither.
/// - `on`: the columns in which a right row must equal its left row; a missing cell never matches. With no columns,
///   each right row of the individual is a match.
/// - `columns`: new names, with values computed from the right row.
/// - `max_matches`: the maximum number of right rows matched with one left row, from 1 to 1,024. For an individual with
///   n left rows, the maximum is also at most max(1, 262,144 / n), so that the output for one individual, whose rows
///   somebody else may have chosen, does not grow with the square of their number. This reduction has no effect with
///   one match. With k matches it affects only individuals with more than 262,144 / k left rows.
/// - `unmatched`: the treatment of left rows without a match.
///
/// # Stability
///
/// `d_out = d_in`, in individuals, because the rows made for one individual depend neither on other individuals' rows
/// nor on the order of rows. After this step,
/// [`make_bound_contributions`](crate::transformations::make_bound_contributions) or
/// [`make_bound_groups`](super::make_bound_groups) bounds the number of rows of an individual.
///
/// # Errors
///
/// Returns an error if a condition is not Boolean, if a name is repeated or the domain has no such column, if a new
/// name already exists, if an expression does not match its columns, or if `max_matches` is 0 or above 1,024.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let patient = ColumnDomain::integer();
/// let stays = FrameDomain::new([
///     ("patient", patient.clone()),
///     ("stay", ColumnDomain::integer()),
///     ("region", ColumnDomain::category(["north", "south"])?),
/// ])?;
/// let payments = FrameDomain::new([
///     ("patient", patient),
///     ("stay", ColumnDomain::integer()),
///     ("paid", ColumnDomain::float().with_bounds(0.0, 500.0)?),
/// ])?;
/// let tables = [("stays", stays.with_individuals("patient")?), ("payments", payments.with_individuals("patient")?)];
/// let both = FrameDomain::stacked(tables)?;
/// // Of each patient three payments at most count, in a region that is known from the stay.
/// let sides = (col("table").eq("payments"), col("table").eq("stays"));
/// let total = ((both.clone(), SymmetricIdDistance)
///     >> then_join_rows(sides, vec!["stay"], vec![("where", col("region"))], 1, UnmatchedRows::Drop)
///     >> then_filter_rows(col("where").eq("south"))
///     >> then_with_columns(vec![("paid", col("paid").fill_null(0.0))])
///     >> then_rows_of_individuals::<i64, f64, _, _>(vec!["paid"])
///     >> then_bound_contributions(3)
///     >> then_sum())?;
/// let region = Column::from_cells(Kind::Category, [1i64, 0].map(Cell::from));
/// let stays = Frame::new([
///     ("patient", [7i64, 8].into_iter().collect::<Column>()),
///     ("stay", [70i64, 80].into_iter().collect()),
///     ("region", region),
/// ])?;
/// let payments = Frame::new([
///     ("patient", [7i64, 7, 8, 7].into_iter().collect::<Column>()),
///     ("stay", [70i64, 70, 80, 80].into_iter().collect()),
///     ("paid", [100.0, 50.0, 400.0, 25.0].into_iter().collect()),
/// ])?;
/// let frame = Frame::stacked(&both, [("stays", stays), ("payments", payments)])?;
/// assert_eq!((total.invoke(&frame)?.to_f64(), total.map(&1)?), (150.0, 1500.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_join_rows<B: Name, N: Name, M: IndividualMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    sides: (Expr, Expr),
    on: Vec<B>,
    columns: Vec<(N, Expr)>,
    max_matches: u32,
    unmatched: UnmatchedRows,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
{
    require((1..=MAX_MATCHES).contains(&max_matches), "max_matches", "must be from 1 to 1024")?;
    let side = |condition: &Expr| {
        let checked = check(condition, &input_domain)?;
        require(checked.domain.kind() == Kind::Bool, "sides", "must be Boolean")?;
        Ok::<_, Error>(checked)
    };
    let (left, right) = (side(&sides.0)?, side(&sides.1)?);
    let keys = keys(&input_domain, "on", on)?;
    let mut described: Vec<(String, ColumnDomain)> =
        input_domain.names().iter().cloned().zip(input_domain.columns().iter().cloned()).collect();
    let mut values = Vec::new();
    for (name, expression) in columns {
        let checked = check(&expression, &input_domain)?;
        let domain = checked.domain.clone();
        let domain = if unmatched == UnmatchedRows::Keep { domain.with_missing() } else { domain };
        described.push((name.into(), domain));
        values.push(checked);
    }
    let output_domain = input_domain.without_size().with_columns(described)?;
    let names = output_domain.names().clone();
    let join = Join { left, right, keys, values, names, max_matches, keeps: unmatched == UnmatchedRows::Keep };
    Transformation::new(
        (input_domain, input_metric),
        (output_domain, input_metric),
        Function::pieces_by_individuals(move |batches: &[Batch], put| {
            whole(batches).into_iter().for_each(|batch| join.joined(&batch, &mut |piece| put(vec![piece])));
        }),
        StabilityMap::new(|&d_in: &u32| Ok(d_in)),
    )
}

/// The two sides of a join, its keys and its values.
struct Join {
    left: Checked,
    right: Checked,
    /// The position of the identifier, followed by those of the columns in which rows must be equal.
    keys: Vec<usize>,
    values: Vec<Checked>,
    names: Arc<[String]>,
    max_matches: u32,
    keeps: bool,
}

/// A left row with a matching right row, if there is one.
type Pair = (usize, Option<usize>);

impl Join {
    /// Emits the left rows, each with the values of one match or of none, some thousand at a time and with whole
    /// individuals. Rows without an identifier stay together, because a later step numbers equal ones.
    fn joined(&self, batch: &Batch, put: &mut dyn FnMut(Batch)) {
        let values: Vec<Column> = self.values.iter().map(|value| value.column(batch)).collect();
        let mut pairs = Vec::new();
        self.each_individual(batch, |of_one, has_identifier| {
            pairs.extend(of_one);
            if pairs.len() >= PIECE && has_identifier {
                put(self.beside(batch, &values, &pairs));
                pairs.clear();
            }
        });
        if !pairs.is_empty() {
            put(self.beside(batch, &values, &pairs));
        }
    }

    /// Returns these left rows with values of the right rows.
    fn beside(&self, batch: &Batch, values: &[Column], pairs: &[Pair]) -> Batch {
        let lefts: Vec<usize> = pairs.iter().map(|(left, _)| *left).collect();
        let of_rights = self.values.iter().zip(values).map(|(value, column)| {
            let cell = |(_, right): &Pair| right.map_or(Cell::Missing, |row| column.cell(row));
            Column::from_cells(value.domain.kind(), pairs.iter().map(cell))
        });
        let columns = batch.columns().iter().map(|column| column.take(&lefts)).chain(of_rights);
        Batch::new(self.names.clone(), columns.collect(), lefts.len())
    }

    /// Emits the pairs of each individual, and whether the individual has an identifier. Rows without an identifier
    /// come one after another.
    fn each_individual(&self, batch: &Batch, mut put: impl FnMut(Vec<Pair>, bool)) {
        let (left_rows, right_rows) = (self.left.holds(batch), self.right.holds(batch));
        // In order, as they are found.
        let is = |side: &[usize], row: usize| side.binary_search(&row).is_ok();
        let all: Vec<&Column> = batch.columns().iter().collect();
        let keys: Vec<&Column> = self.keys.iter().filter_map(|&key| batch.columns().get(key)).collect();
        let (identifier, on) = keys.split_at_checked(1).unwrap_or_default();
        for individual in Groups::of(identifier, batch.rows()).iter() {
            let most = self.most(individual.iter().filter(|&&row| is(&left_rows, row)).count());
            let mut pairs = Vec::new();
            let rows = sorted(on, individual);
            // All rows of the individual that agree in the columns, left and right ones.
            for group in rows.chunk_by(|&left, &right| compare(on, left, right) == Ordering::Equal) {
                let lefts = group.iter().copied().filter(|&row| is(&left_rows, row));
                let is_null = |row: usize| on.iter().any(|column| column.cell(row).is_null());
                let rights = group.iter().copied().filter(|&row| is(&right_rows, row) && !is_null(row));
                let matches = first_rows(&all, &rights.collect::<Vec<_>>(), most);
                for left in lefts {
                    pairs.extend(matches.iter().map(|right| (left, Some(*right))));
                    pairs.extend((self.keeps && matches.is_empty()).then_some((left, None)));
                }
            }
            let is_null = |column: &&Column| individual.iter().any(|&row| column.cell(row).is_null());
            put(pairs, !identifier.iter().any(is_null));
        }
    }

    /// Returns the maximum number of matches of a left row, for an individual with this number of left rows.
    fn most(&self, lefts: usize) -> u32 {
        let fit = MAX_ROWS.checked_div(lefts).map_or(1, |fit| fit.max(1));
        self.max_matches.min(u32::try_from(fit).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{frames::*, prelude::*};

    const STAY: i64 = 0;
    const PAYMENT: i64 = 1;

    /// Stays and payments of individuals.
    fn both() -> FrameDomain {
        let key = ColumnDomain::integer().with_missing();
        FrameDomain::new([
            ("person", ColumnDomain::integer()),
            ("table", ColumnDomain::category(["stays", "payments"]).unwrap()),
            ("key", key),
            ("paid", ColumnDomain::integer().with_bounds(0.0, 99.0).unwrap().with_missing()),
        ])
        .unwrap()
        .with_individuals("person")
        .unwrap()
    }

    fn frame(rows: &[(i64, i64, Option<i64>, Option<i64>)]) -> Vec<Batch> {
        let columns = [
            ("person", rows.iter().map(|row| row.0).collect::<Column>()),
            ("table", Column::from_cells(Kind::Category, rows.iter().map(|row| row.1.into()))),
            ("key", rows.iter().map(|row| row.2).collect()),
            ("paid", rows.iter().map(|row| row.3).collect()),
        ];
        Frame::new(columns).unwrap().to_vec()
    }

    fn sides() -> (Expr, Expr) {
        (col("table").eq("stays"), col("table").eq("payments"))
    }

    type Step = Transformation<FrameDomain, FrameDomain, SymmetricIdDistance, SymmetricIdDistance>;

    fn join(on: Vec<&'static str>, most: u32, unmatched: UnmatchedRows) -> Step {
        let columns = vec![("amount", col("paid"))];
        make_join_rows(both(), SymmetricIdDistance, sides(), on, columns, most, unmatched).unwrap()
    }

    /// Individuals, keys and the remaining cells, in their own order.
    fn rows(step: &Step, data: &[Batch]) -> Vec<(i64, Option<i64>, Option<i64>)> {
        let out = step.invoke(data).unwrap();
        assert!(step.output_domain().member(&out));
        let integer = |cell| if let Cell::Integer(value) = cell { Some(value) } else { None };
        let row = |batch: &Batch, row: usize| {
            let cell = |place: usize| integer(batch.columns()[place].cell(row));
            (cell(0).unwrap(), cell(2), cell(4))
        };
        let mut rows: Vec<_> = out.iter().flat_map(|batch| (0..batch.rows()).map(move |at| row(batch, at))).collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn matches_are_of_the_same_individual_and_key() {
        let data = frame(&[
            (1, STAY, Some(10), None),
            (2, PAYMENT, Some(10), Some(1)),
            (1, PAYMENT, Some(10), Some(2)),
            (1, PAYMENT, Some(11), Some(3)),
            (1, PAYMENT, Some(10), Some(4)),
            (1, STAY, None, None),
            (1, PAYMENT, None, Some(5)),
            (2, STAY, Some(12), None),
            (3, PAYMENT, Some(10), Some(6)),
        ]);
        use UnmatchedRows::{Drop, Keep};
        let matched = [(1, Some(10), Some(2)), (1, Some(10), Some(4))];
        let unmatched = [(1, None, None), matched[0], matched[1], (2, Some(12), None)];
        assert_eq!(rows(&join(vec!["key"], 5, Drop), &data), matched);
        assert_eq!(rows(&join(vec!["key"], 5, Keep), &data), unmatched);
        // Of two matches one.
        let one = rows(&join(vec!["key"], 1, Drop), &data);
        assert!(one.len() == 1 && matched.contains(&one[0]));
        // Without columns to agree in, all of an individual's payments are beside each stay.
        assert_eq!(rows(&join(vec![], 9, Drop), &data).len(), 2 * 4 + 1);
        assert_eq!(rows(&join(vec![], 3, Drop), &data).len(), 2 * 3 + 1);
    }

    /// The matched rows depend only on the multiset of rows, and not on their division into batches.
    #[test]
    fn the_order_of_rows_does_not_matter() {
        let some = |key| Some(key % 3).filter(|key| *key > 0);
        let mut data: Vec<_> =
            (0..60).map(|i| (i % 2, if i % 5 < 2 { STAY } else { PAYMENT }, some(i), Some(i % 7))).collect();
        let step = join(vec!["key"], 2, UnmatchedRows::Keep);
        let expected = rows(&step, &frame(&data));
        assert!(expected.len() > 20);
        for turn in 1..20 {
            data.rotate_left(7);
            data.swap(turn, 3);
            let (one, other) = data.split_at(turn);
            assert_eq!(rows(&step, &[frame(one), frame(other)].concat()), expected);
        }
        assert!(step.invoke(&[]).unwrap().is_empty());
    }

    /// One individual's rows do not become the square of their number: fewer are matched with each, by a rule that sees
    /// the individual's left rows alone, and nobody else's rows matter.
    #[test]
    fn many_rows_of_one_individual() {
        let number = 1500usize;
        let most = MAX_ROWS / number;
        let of =
            |person: i64, n: usize| (0..n).map(move |row| (person, STAY, None, Some(i64::try_from(row).unwrap() % 90)));
        let step = make_join_rows(
            both(),
            SymmetricIdDistance,
            (lit(true), lit(true)),
            Vec::<&str>::new(),
            vec![("amount", col("paid"))],
            MAX_MATCHES,
            UnmatchedRows::Drop,
        );
        let step = step.unwrap();
        let rows = |rows: Vec<_>| Frame::from(step.invoke(&frame(&rows)).unwrap()).rows();
        assert!(most < number && rows(of(1, number).collect()) == number * most);
        assert_eq!(rows(of(1, number).chain(of(2, 30)).collect()), number * most + 30 * 30);
        assert_eq!(rows(of(1, 300).collect()), 300 * 300);
        // A piece ends with an individual, and every row is in one.
        let pieces = step.invoke(&frame(&(0..60).flat_map(|person| of(person, 20)).collect::<Vec<_>>())).unwrap();
        let persons = pieces.iter().map(|piece| (0..piece.rows()).map(|row| piece.columns()[0].cell(row)));
        let persons: Vec<Vec<Cell>> = persons.map(|piece| piece.collect()).collect();
        assert!(persons.len() > 3 && persons.iter().map(Vec::len).sum::<usize>() == 60 * 400);
        for (piece, next) in persons.iter().zip(persons.iter().skip(1)) {
            assert!(piece.iter().all(|person| !next.contains(person)));
        }
    }

    /// Equal rows without an identifier are individuals of their own, however many there are. Pieces that cut them
    /// apart would give two of them one identifier, and the rows of somebody else would decide which.
    #[test]
    fn equal_rows_without_an_identifier_stay_apart() {
        let visits =
            FrameDomain::new([("person", ColumnDomain::integer().with_missing()), ("day", ColumnDomain::integer())]);
        let space = (visits.unwrap().with_individuals_or_null("person").unwrap(), SymmetricIdDistance);
        let (both, other) = ((lit(true), lit(true)), vec![("other", col("day"))]);
        let step = space
            >> then_join_rows(both, Vec::<&str>::new(), other, 1024, UnmatchedRows::Keep)
            >> then_rows_of_individuals::<String, i64, _, _>(vec!["day"]);
        let step = step.unwrap();
        let individuals = |rows_of_one: usize| {
            let persons = (0..rows_of_one).map(|_| Some(1)).chain((0..10_000).map(|_| None)).collect::<Column>();
            let days = (0..rows_of_one + 10_000).map(|_| 7).collect();
            let frame = Frame::new([("person", persons), ("day", days)]).unwrap();
            let rows = step.invoke(&frame).unwrap();
            rows.into_iter().map(|(individual, _)| individual).collect::<std::collections::HashSet<_>>().len()
        };
        assert_eq!([0, 1, 40, 70].map(individuals), [10_000, 10_001, 10_001, 10_001]);
    }

    /// Rows that are both match themselves, too.
    #[test]
    fn a_table_joined_with_itself() {
        let all = (lit(true), col("paid").gt(0));
        let columns = vec![("amount", col("paid") * 2)];
        let step =
            make_join_rows(both(), SymmetricIdDistance, all, vec!["key"], columns, 2, UnmatchedRows::Keep).unwrap();
        let data = frame(&[(1, STAY, Some(1), Some(3)), (1, STAY, Some(2), Some(0)), (1, STAY, Some(1), Some(0))]);
        assert_eq!(rows(&step, &data), [(1, Some(1), Some(6)), (1, Some(1), Some(6)), (1, Some(2), None)]);
        assert!(step.output_domain().column("amount").unwrap().has_missing());
    }

    #[test]
    fn domains_and_maps() {
        let of = |unmatched| {
            let columns = vec![("amount", col("paid").fill_null(0)), ("far", col("person"))];
            let step =
                make_join_rows(both().with_size(3), ChangeOneIdDistance, sides(), vec!["key"], columns, 1, unmatched);
            let step = step.unwrap();
            assert_eq!((step.map(&0), step.map(&3), step.map(&u32::MAX)), (Ok(0), Ok(3), Ok(u32::MAX)));
            let domain = step.output_domain();
            assert_eq!((domain.size(), domain.individuals()), (None, Some("person")));
            ["amount", "far"].map(|name| format!("{:?}", domain.column(name).unwrap()))
        };
        assert_eq!(of(UnmatchedRows::Keep), ["integer(0..=99, missing)", "integer(missing)"]);
        assert_eq!(of(UnmatchedRows::Drop), ["integer(0..=99)", "integer"]);
    }

    #[test]
    fn what_is_refused() {
        let made = |sides: (Expr, Expr), on: Vec<&'static str>, columns: Vec<(&'static str, Expr)>, most: u32| {
            let step = make_join_rows(both(), SymmetricIdDistance, sides, on, columns, most, UnmatchedRows::Drop);
            step.unwrap_err().kind()
        };
        let parameter = ErrorKind::Parameter;
        assert_eq!(made(sides(), vec![], vec![], 0), parameter("max_matches"));
        assert_eq!(made(sides(), vec![], vec![], 1025), parameter("max_matches"));
        assert_eq!(made(sides(), vec![], vec![], u32::MAX), parameter("max_matches"));
        assert_eq!(made((col("paid"), lit(true)), vec![], vec![], 1), parameter("sides"));
        assert_eq!(made((lit(true), lit(1)), vec![], vec![], 1), parameter("sides"));
        assert_eq!(made(sides(), vec!["person"], vec![], 1), parameter("on"));
        assert_eq!(made(sides(), vec!["key", "key"], vec![], 1), parameter("on"));
        assert_eq!(made(sides(), vec!["none"], vec![], 1), parameter("columns"));
        assert_eq!(made(sides(), vec![], vec![("paid", col("paid"))], 1), parameter("columns"));
        let nobody = FrameDomain::new([("a", ColumnDomain::bool())]).unwrap();
        let step = make_join_rows(
            nobody,
            SymmetricIdDistance,
            (col("a"), col("a")),
            Vec::<&str>::new(),
            Vec::<(&str, Expr)>::new(),
            1,
            UnmatchedRows::Drop,
        );
        assert_eq!(step.unwrap_err().kind(), parameter("input_domain"));
        assert_eq!("maybe".parse::<UnmatchedRows>().unwrap_err().kind(), parameter("unmatched"));
        assert_eq!(("keep".parse(), "drop".parse()), (Ok(UnmatchedRows::Keep), Ok(UnmatchedRows::Drop)));
    }
}
