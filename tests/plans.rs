//! Plans are equal only where guarantees are: constructors in spaces and with types that differ in one respect each.
//!
//! `#[constructor]` records name, parameters and space for all constructors. The rows below have each kind of domain,
//! metric, measure and type.

use indistinct::{
    accounting::{Delta, Epsilon},
    bounds::Atom,
    core::{Parameter, Space, ToParameter},
    domains::Norm,
    frames::{
        ColumnDomain, FrameDomain, PerIndividual, UnmatchedRows, col, lit, make_aggregate_individuals,
        make_bound_groups, make_bound_rows, make_count_distinct_by, make_count_individuals_by_key, make_count_rows_by,
        make_filter_rows, make_flat_map, make_join_rows, make_marginals, make_rows, make_rows_of_individuals,
        make_sum_column_by, make_sum_column_by_key, make_sum_column_by_of_individuals, make_window_per_individual,
        make_with_columns,
    },
    numeric::Dyadic,
    prelude::*,
    sampling::Entropy,
    transformations::First,
};

fn rows<T: Atom>() -> VectorDomain<AtomDomain<T>> {
    VectorDomain::new(AtomDomain::new())
}

fn within(upper: f64) -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64().with_bounds((0.0, upper)).unwrap())
}

fn within_f32(upper: f32) -> VectorDomain<AtomDomain<f32>> {
    VectorDomain::new(AtomDomain::f32().with_bounds((0.0, upper)).unwrap())
}

fn with_nan() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64().with_nan())
}

fn optional() -> VectorDomain<OptionDomain<AtomDomain<f64>>> {
    VectorDomain::new(OptionDomain::new(AtomDomain::f64()))
}

/// Rows that begin with an individual or a category of type `K`.
fn keyed<K: Atom, D: Domain>(element: D) -> VectorDomain<PairDomain<AtomDomain<K>, D>> {
    VectorDomain::new(PairDomain::new(AtomDomain::new(), element))
}

/// The number of rows of each key, and the sum of their numbers.
fn counted() -> Transformation<Keyed, MapDomain<u8, AtomDomain<i64>>, SymmetricDistance, L01InfDistance> {
    (keyed_numbers() >> then_pair_part(First) >> then_count_by(L01InfDistance)).unwrap()
}

fn summed() -> Transformation<Keyed, MapDomain<u8, AtomDomain<i128>>, SymmetricDistance, L01InfDistance> {
    (keyed_numbers() >> then_sum_by(L01InfDistance)).unwrap()
}

type Keyed = VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<i64>>>;

fn keyed_numbers() -> (Keyed, SymmetricDistance) {
    (keyed(AtomDomain::i64().with_bounds((0, 9)).unwrap()), SymmetricDistance)
}

fn maps<K: Atom + Ord, T: Atom>() -> MapDomain<K, AtomDomain<T>> {
    MapDomain::new(AtomDomain::new(), AtomDomain::new())
}

fn ball(size: usize, norm: Norm, radius: f64) -> VectorDomain<BallDomain> {
    VectorDomain::new(BallDomain::new(size, norm, radius).unwrap())
}

/// Rows between two bounds.
fn items<T: Atom>(lower: T, upper: T) -> VectorDomain<AtomDomain<T>> {
    VectorDomain::new(AtomDomain::new().with_bounds((lower, upper)).unwrap())
}

/// Rows of one column of vectors.
fn parts<T: Atom>(count: usize) -> VectorDomain<VectorDomain<AtomDomain<T>>> {
    VectorDomain::new(rows()).with_size(count)
}

fn partition() -> PartitionDistance<SymmetricDistance> {
    PartitionDistance(SymmetricDistance)
}

fn root(steps: u32) -> ToeplitzFactor {
    ToeplitzFactor::square_root(steps).unwrap()
}

fn vectors(size: usize) -> VectorDomain<VectorDomain<AtomDomain<f64>>> {
    VectorDomain::new(rows().with_size(size))
}

/// Rows of two columns with bounds.
fn points(upper: f64, size: usize) -> VectorDomain<PairDomain<AtomDomain<f64>, AtomDomain<f64>>> {
    let column = |upper| within(upper).element().clone();
    VectorDomain::new(PairDomain::new(column(1.0), column(upper))).with_size(size)
}

fn absolute() -> AbsoluteDistance {
    AbsoluteDistance::new()
}

fn atom<T: Atom>() -> AtomDomain<T> {
    AtomDomain::new()
}

/// A constructor's plan.
macro_rules! plan {
    ($name:ident, ($($first:expr),+), ($($rest:expr),*)) => {
        $name($($first,)+ $($rest),*).unwrap().plan().clone()
    };
}

/// The name of a constructor, and its plans in several spaces: what stands in parentheses after the name follows
/// domain and metric.
macro_rules! spaces {
    ($name:ident $rest:tt: $($space:tt),+ $(,)?) => {
        (stringify!($name), vec![$(plan!($name, $space, $rest)),+])
    };
}

/// The name of a constructor, and its plans for several lists of arguments.
macro_rules! calls {
    ($name:ident: $(($($argument:expr),* $(,)?)),+ $(,)?) => {
        (stringify!($name), vec![$($name($($argument),*).unwrap().plan().clone()),+])
    };
}

/// The same in spaces of rows of numbers, for constructors that take any.
macro_rules! numbers {
    ($name:ident $rest:tt) => {
        spaces!($name $rest: (rows::<f64>(), SymmetricDistance), (rows::<f32>(), SymmetricDistance),
            (rows::<f64>(), InsertDeleteDistance), (rows::<f64>(), ChangeOneDistance), (rows::<f64>(), HammingDistance),
            (rows::<f64>().with_size(3), SymmetricDistance), (rows::<f64>().with_size(4), SymmetricDistance),
            (within(9.0), SymmetricDistance), (within(8.0), SymmetricDistance), (with_nan(), SymmetricDistance))
    };
}

/// The same for constructors that need bounds.
macro_rules! bounded {
    ($name:ident $rest:tt) => {
        spaces!($name $rest: (within(9.0).with_size(3), SymmetricDistance), (within_f32(9.0).with_size(3), SymmetricDistance),
            (within(9.0).with_size(3), InsertDeleteDistance), (within(9.0).with_size(3), ChangeOneDistance),
            (within(9.0).with_size(3), HammingDistance), (within(9.0).with_size(4), SymmetricDistance),
            (within(8.0).with_size(3), SymmetricDistance))
    };
}

type Plans = (&'static str, Vec<Plan>);

fn steps() -> Vec<Plans> {
    let person = || keyed::<u32, _>(atom::<f64>());
    vec![
        numbers!(make_count()),
        numbers!(make_count_distinct()),
        numbers!(make_filter(|x| *x > 0.0)),
        numbers!(make_resize(5, 0.5)),
        numbers!(make_map(atom::<u8>(), 0, |_| 0)),
        bounded!(make_clamp((0.0, 2.0))),
        bounded!(make_find_bin(vec![0.5, 1.5])),
        bounded!(make_is_equal(0.5)),
        numbers!(make_is_null()),
        numbers!(make_cast(atom::<i32>())),
        calls!(make_cast: (rows::<f64>(), SymmetricDistance, atom::<i32>()), (rows::<f64>(), SymmetricDistance, atom::<i64>()),
            (rows::<f64>(), SymmetricDistance, atom::<f32>())),
        bounded!(make_sum()),
        bounded!(make_mean()),
        bounded!(make_variance()),
        bounded!(make_sum_of_squared_deviations()),
        bounded!(make_quantile_scores(vec![1.0, 2.0], 0.5)),
        spaces!(make_drop_null(): (with_nan(), SymmetricDistance), (rows::<f64>(), SymmetricDistance), (optional(), SymmetricDistance),
            (with_nan(), HammingDistance), (with_nan().with_size(3), SymmetricDistance)),
        spaces!(make_impute_constant(0.5): (with_nan(), SymmetricDistance), (rows::<f64>(), SymmetricDistance),
            (optional(), SymmetricDistance), (with_nan(), HammingDistance), (with_nan().with_size(3), SymmetricDistance)),
        spaces!(make_find(vec![1, 2]): (rows::<u8>(), SymmetricDistance), (rows::<u16>(), SymmetricDistance),
            (rows::<u8>(), HammingDistance), (rows::<u8>().with_size(3), SymmetricDistance)),
        spaces!(make_bound_contributions(2): (person(), SymmetricIdDistance), (keyed::<u64, _>(atom::<f64>()), SymmetricIdDistance),
            (keyed::<u32, _>(atom::<f32>()), SymmetricIdDistance)),
        calls!(make_partition_individuals_by_categories:
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), atom::<f64>())), SymmetricIdDistance, vec![1, 2], UnknownCategories::Drop, 1),
            (keyed::<u64, _>(PairDomain::new(atom::<u8>(), atom::<f64>())), SymmetricIdDistance, vec![1, 2], UnknownCategories::Drop, 1),
            (keyed::<u32, _>(PairDomain::new(atom::<u16>(), atom::<f64>())), SymmetricIdDistance, vec![1, 2], UnknownCategories::Drop, 1),
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), atom::<f32>())), SymmetricIdDistance, vec![1, 2], UnknownCategories::Drop, 1)),
        spaces!(make_partition_by_categories(vec![1, 2], UnknownCategories::Drop): (keyed::<u8, _>(atom::<f64>()), SymmetricDistance),
            (keyed::<u16, _>(atom::<f64>()), SymmetricDistance), (keyed::<u8, _>(atom::<f32>()), SymmetricDistance),
            (keyed::<u8, _>(atom::<f64>()), HammingDistance)),
        spaces!(make_pair_part(First): (keyed::<u8, _>(atom::<f64>()), SymmetricDistance), (keyed::<u16, _>(atom::<f64>()), SymmetricDistance),
            (keyed::<u8, _>(atom::<f32>()), SymmetricDistance), (keyed::<u8, _>(atom::<f64>()), HammingDistance)),
        calls!(make_metric_cast: (rows::<f64>(), HammingDistance, InsertDeleteDistance),
            (rows::<f32>(), HammingDistance, InsertDeleteDistance), (rows::<f64>(), InsertDeleteDistance, SymmetricDistance),
            (rows::<f64>().with_size(3), SymmetricDistance, ChangeOneDistance), (rows::<f64>(), HammingDistance, ChangeOneDistance)),
        calls!(make_b_ary_tree: (rows::<i64>().with_size(4), L1Distance::new(), 2, L1Distance::new()),
            (rows::<i64>().with_size(4), L1Distance::new(), 2, L2Distance::new()),
            (rows::<i64>().with_size(5), L1Distance::new(), 2, L1Distance::new())),
        spaces!(make_count_by(L01InfDistance): (rows::<u8>(), SymmetricDistance), (rows::<u16>(), SymmetricDistance),
            (rows::<u8>(), HammingDistance), (rows::<u8>().with_size(3), SymmetricDistance)),
        calls!(make_count_individuals_by: (keyed::<u32, _>(atom::<u8>()), SymmetricIdDistance, 1, L01InfDistance),
            (keyed::<u64, _>(atom::<u8>()), SymmetricIdDistance, 1, L01InfDistance),
            (keyed::<u32, _>(atom::<u16>()), SymmetricIdDistance, 1, L01InfDistance),
            (keyed::<u32, _>(atom::<u8>()), SymmetricIdDistance, 1, L02InfDistance)),
        calls!(make_count_by_categories: (rows::<u8>(), SymmetricDistance, vec![1, 2], UnknownCategories::Drop, L1Distance::new()),
            (rows::<u16>(), SymmetricDistance, vec![1, 2], UnknownCategories::Drop, L1Distance::new()),
            (rows::<u8>(), HammingDistance, vec![1, 2], UnknownCategories::Drop, L1Distance::new()),
            (rows::<u8>(), SymmetricDistance, vec![1, 2], UnknownCategories::Drop, L2Distance::new())),
        calls!(make_count_distinct_by_categories:
            (keyed::<u8, _>(atom::<f64>()), SymmetricDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u16, _>(atom::<f64>()), SymmetricDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u8, _>(atom::<f32>()), SymmetricDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u8, _>(atom::<f64>()), HammingDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u8, _>(atom::<f64>()), SymmetricDistance, vec![1], UnknownCategories::Drop, L2Distance::new())),
        calls!(make_vector_sum: (ball(2, Norm::L2, 1.0), SymmetricDistance, L2Distance::new()),
            (ball(3, Norm::L2, 1.0), SymmetricDistance, L2Distance::new()), (ball(2, Norm::L2, 2.0), SymmetricDistance, L2Distance::new()),
            (ball(2, Norm::L1, 1.0), SymmetricDistance, L2Distance::new()), (ball(2, Norm::L2, 1.0), HammingDistance, L2Distance::new()),
            (ball(2, Norm::L2, 1.0), SymmetricDistance, L1Distance::new())),
        calls!(make_sum_by: (keyed::<u8, _>(within(1.0).element().clone()), SymmetricDistance, L01InfDistance),
            (keyed::<u8, _>(within_f32(1.0).element().clone()), SymmetricDistance, L01InfDistance),
            (keyed::<u8, _>(within(2.0).element().clone()), SymmetricDistance, L01InfDistance),
            (keyed::<u16, _>(within(1.0).element().clone()), SymmetricDistance, L01InfDistance),
            (keyed::<u8, _>(within(1.0).element().clone()), HammingDistance, L01InfDistance),
            (keyed::<u8, _>(within(1.0).element().clone()), SymmetricDistance, L02InfDistance)),
        calls!(make_sum_by_categories:
            (keyed::<u8, _>(within(1.0).element().clone()), SymmetricDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u8, _>(within_f32(1.0).element().clone()), SymmetricDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u16, _>(within(1.0).element().clone()), SymmetricDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u8, _>(within(1.0).element().clone()), HammingDistance, vec![1], UnknownCategories::Drop, L1Distance::new()),
            (keyed::<u8, _>(within(1.0).element().clone()), SymmetricDistance, vec![1], UnknownCategories::Drop, L2Distance::new())),
        calls!(make_sum_by_categories_of_individuals:
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), within(1.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 1, L1Distance::new()),
            (keyed::<u64, _>(PairDomain::new(atom::<u8>(), within(1.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 1, L1Distance::new()),
            (keyed::<u32, _>(PairDomain::new(atom::<u16>(), within(1.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 1, L1Distance::new()),
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), within(2.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 1, L1Distance::new()),
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), within_f32(1.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 1, L1Distance::new()),
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), within(1.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 2, L1Distance::new()),
            (keyed::<u32, _>(PairDomain::new(atom::<u8>(), within(1.0).element().clone())), SymmetricIdDistance, vec![1], UnknownCategories::Drop, 2, 1, L2Distance::new())),
        calls!(make_linear_queries: (rows::<f64>().with_size(1), L1Distance::new(), vec![vec![2.0]], L1Distance::new()),
            (rows::<f32>().with_size(1), L1Distance::new(), vec![vec![2.0]], L1Distance::new()),
            (rows::<f64>().with_size(1), L2Distance::new(), vec![vec![2.0]], L1Distance::new()),
            (rows::<f64>().with_size(1), L1Distance::new(), vec![vec![2.0]], L2Distance::new())),
        spaces!(make_norm_clip(Norm::L2, 1.0): (vectors(2), SymmetricDistance), (vectors(3), SymmetricDistance),
            (vectors(2), HammingDistance), (vectors(2).with_size(3), SymmetricDistance)),
        calls!(make_covariance: (points(1.0, 3), SymmetricDistance, L1Distance::new()), (points(2.0, 3), SymmetricDistance, L1Distance::new()),
            (points(1.0, 4), SymmetricDistance, L1Distance::new()), (points(1.0, 3), HammingDistance, L1Distance::new()),
            (points(1.0, 3), SymmetricDistance, L2Distance::new())),
        calls!(make_user_transformation: (rows::<f64>(), SymmetricDistance, atom::<u8>(), absolute(), |_: &[f64]| 0, |_: &u32| Ok(0.0)),
            (rows::<f32>(), SymmetricDistance, atom::<u8>(), absolute(), |_: &[f32]| 0, |_: &u32| Ok(0.0)),
            (rows::<f64>(), SymmetricDistance, atom::<u16>(), absolute(), |_: &[f64]| 0, |_: &u32| Ok(0.0))),
    ]
}

/// Tables of an individual and a number, the latter within a bound or missing.
fn tables(upper: f64) -> FrameDomain {
    let number = ColumnDomain::float().with_bounds(0.0, upper).unwrap().with_missing();
    FrameDomain::new([("person", ColumnDomain::integer()), ("x", number)]).unwrap()
}

/// A row may say nobody's identifier.
fn of_some() -> FrameDomain {
    let number = ColumnDomain::float().with_bounds(0.0, 1.0).unwrap();
    FrameDomain::new([("person", ColumnDomain::integer().with_missing()), ("x", number)]).unwrap()
}

fn of_people(upper: f64) -> (FrameDomain, SymmetricIdDistance) {
    (tables(upper).with_individuals("person").unwrap(), SymmetricIdDistance)
}

/// Two columns of places, and one of bounded numbers.
fn two_integers() -> FrameDomain {
    let number = ColumnDomain::float().with_bounds(0.0, 1.0).unwrap();
    let integer = ColumnDomain::integer;
    FrameDomain::new([("person", integer()), ("n", integer()), ("x", number)]).unwrap()
}

/// Two texts and a number up to this one.
fn keyed_tables(upper: f64) -> FrameDomain {
    let number = ColumnDomain::float().with_bounds(0.0, upper).unwrap();
    FrameDomain::new([("key", ColumnDomain::text()), ("other", ColumnDomain::text()), ("x", number)]).unwrap()
}

fn of_keys<M: indistinct::bounds::RowMetric, MO: indistinct::bounds::MapMetric + ToParameter>(
    metric: M,
    upper: f64,
    key: &'static str,
    output: MO,
) -> Plan
where
    (MapDomain<String, AtomDomain<Dyadic>>, MO): MetricSpace,
{
    make_sum_column_by_key::<f64, _, _, _>(keyed_tables(upper), metric, key, "x", output).unwrap().plan().clone()
}

fn of_places<M: indistinct::bounds::RowMetric, MO: indistinct::bounds::CategoryMetric + ToParameter>(
    metric: M,
    place: &'static str,
    places: u32,
    output: MO,
) -> Plan
where
    (VectorDomain<AtomDomain<Dyadic>>, MO): MetricSpace,
{
    make_sum_column_by::<f64, _, _, _>(two_integers(), metric, place, places, "x", output).unwrap().plan().clone()
}

fn of_two_limits<M: indistinct::bounds::IndividualMetric>(
    metric: M,
    place: &'static str,
    places: u32,
    most: u32,
    each: u32,
) -> Plan
where
    (FrameDomain, M): MetricSpace,
{
    let people = two_integers().with_individuals("person").unwrap();
    let (make, l1) = (make_sum_column_by_of_individuals::<f64, _, _, _>, L1Distance::new());
    make(people, metric, place, places, "x", most, each, l1).unwrap().plan().clone()
}

fn frames() -> Vec<Plans> {
    const NONE: [&str; 0] = [];
    let total = |value| vec![("total", PerIndividual::sum(value))];
    let aggregated = |upper, value| {
        let (domain, metric) = of_people(upper);
        make_aggregate_individuals(domain, metric, NONE.into(), total(value)).unwrap().plan().clone()
    };
    let beside = |upper, value| {
        let (domain, metric) = of_people(upper);
        make_window_per_individual(domain, metric, NONE.into(), total(value)).unwrap().plan().clone()
    };
    let replaced = |upper| (of_people(upper).0, ChangeOneIdDistance);
    let (yes, same) = (|| (lit(true), lit(true)), || vec![("y", col("x"))]);
    let (keep, drop) = (UnmatchedRows::Keep, UnmatchedRows::Drop);
    let bounded_by = |upper, max_groups, max_rows| {
        let (domain, metric) = of_people(upper);
        make_bound_groups(domain, metric, vec!["x"], max_groups, max_rows).unwrap().plan().clone()
    };
    let of_individuals = |upper, name| {
        let (domain, metric) = of_people(upper);
        make_rows_of_individuals::<i64, Option<f64>, _, _>(domain, metric, vec![name]).unwrap().plan().clone()
    };
    let [one, other] =
        [1.0, 2.0].map(|upper| make_rows::<Option<f64>, _, _>(tables(upper), SymmetricDistance, vec!["x"]).unwrap());
    let of_integers = make_rows::<i64, _, _>(tables(1.0), SymmetricDistance, vec!["person"]).unwrap();
    let positive = || col("x").gt(0.0);
    let holders = |upper| keyed_tables(upper).with_individuals("other").unwrap();
    let doubled = |times: f64| vec![("y", col("x") * times)];
    let twice = |times: f64| vec![("y", vec![col("x"), col("x") * times])];
    vec![
        calls!(make_filter_rows: (tables(1.0), SymmetricDistance, positive()), (tables(2.0), SymmetricDistance, positive()),
            (tables(1.0), HammingDistance, positive()), (tables(1.0).with_size(3), SymmetricDistance, positive()),
            (tables(1.0).with_individuals("person").unwrap(), SymmetricDistance, positive()),
            (of_some(), SymmetricDistance, positive()),
            (of_some().with_individuals_or_null("person").unwrap(), SymmetricDistance, positive()),
            (tables(1.0), SymmetricDistance, col("x").ge(0.0)), (tables(1.0), SymmetricDistance, col("x").gt(0)),
            (tables(1.0), SymmetricDistance, !positive()), (tables(1.0), SymmetricDistance, col("x").is_null())),
        calls!(make_with_columns: (tables(1.0), SymmetricDistance, doubled(2.0)), (tables(2.0), SymmetricDistance, doubled(2.0)),
            (tables(1.0), SymmetricDistance, doubled(3.0)), (tables(1.0), SymmetricDistance, vec![("x", col("x") * 2.0)])),
        calls!(make_flat_map: (tables(1.0), SymmetricDistance, twice(2.0)), (tables(2.0), SymmetricDistance, twice(2.0)),
            (tables(1.0), HammingDistance, twice(2.0)), (tables(1.0), SymmetricDistance, twice(3.0)),
            (tables(1.0), SymmetricDistance, vec![("y", vec![col("x") * 2.0, col("x")])]),
            (of_people(1.0).0, SymmetricIdDistance, twice(2.0)), (replaced(1.0).0, ChangeOneIdDistance, twice(2.0))),
        calls!(make_join_rows: (of_people(1.0).0, SymmetricIdDistance, yes(), vec!["x"], same(), 2, keep),
            (of_people(2.0).0, SymmetricIdDistance, yes(), vec!["x"], same(), 2, keep),
            (replaced(1.0).0, ChangeOneIdDistance, yes(), vec!["x"], same(), 2, keep),
            (of_people(1.0).0, SymmetricIdDistance, (lit(true), lit(false)), vec!["x"], same(), 2, keep),
            (of_people(1.0).0, SymmetricIdDistance, (lit(false), lit(true)), vec!["x"], same(), 2, keep),
            (of_people(1.0).0, SymmetricIdDistance, yes(), NONE.into(), same(), 2, keep),
            (of_people(1.0).0, SymmetricIdDistance, yes(), vec!["x"], vec![("z", col("x"))], 2, keep),
            (of_people(1.0).0, SymmetricIdDistance, yes(), vec!["x"], same(), 3, keep),
            (of_people(1.0).0, SymmetricIdDistance, yes(), vec!["x"], same(), 2, drop)),
        calls!(make_count_rows_by: (tables(1.0), SymmetricDistance, "person", 2, L1Distance::new()),
            (tables(2.0), SymmetricDistance, "person", 2, L1Distance::new()),
            (tables(1.0), HammingDistance, "person", 2, L1Distance::new()),
            (two_integers(), SymmetricDistance, "person", 2, L1Distance::new()),
            (two_integers(), SymmetricDistance, "n", 2, L1Distance::new()),
            (tables(1.0), SymmetricDistance, "person", 3, L1Distance::new()),
            (tables(1.0), SymmetricDistance, "person", 2, L2Distance::new())),
        calls!(make_marginals:
            (two_integers(), SymmetricDistance, vec![("person", 2), ("n", 3)], vec![vec![0], vec![1]], vec![1.0, 2.0]),
            (tables(1.0), SymmetricDistance, vec![("person", 2), ("person", 3)], vec![vec![0], vec![1]], vec![1.0, 2.0]),
            (two_integers(), HammingDistance, vec![("person", 2), ("n", 3)], vec![vec![0], vec![1]], vec![1.0, 2.0]),
            (two_integers(), SymmetricDistance, vec![("n", 2), ("n", 3)], vec![vec![0], vec![1]], vec![1.0, 2.0]),
            (two_integers(), SymmetricDistance, vec![("person", 2), ("n", 4)], vec![vec![0], vec![1]], vec![1.0, 2.0]),
            (two_integers(), SymmetricDistance, vec![("person", 2), ("n", 3)], vec![vec![0], vec![0, 1]], vec![1.0, 2.0]),
            (two_integers(), SymmetricDistance, vec![("person", 2), ("n", 3)], vec![vec![0], vec![1]], vec![1.0, 3.0])),
        calls!(make_count_distinct_by: (tables(1.0), SymmetricDistance, "person", 2, "x", L1Distance::new()),
            (tables(2.0), SymmetricDistance, "person", 2, "x", L1Distance::new()),
            (tables(1.0), HammingDistance, "person", 2, "x", L1Distance::new()),
            (tables(1.0), SymmetricDistance, "person", 3, "x", L1Distance::new()),
            (tables(1.0), SymmetricDistance, "person", 2, "person", L1Distance::new()),
            (tables(1.0), SymmetricDistance, "person", 2, "x", L2Distance::new())),
        (
            "make_sum_column_by",
            vec![
                of_places(SymmetricDistance, "person", 2, L1Distance::new()),
                of_places(HammingDistance, "person", 2, L1Distance::new()),
                of_places(SymmetricDistance, "n", 2, L1Distance::new()),
                of_places(SymmetricDistance, "person", 3, L1Distance::new()),
                of_places(SymmetricDistance, "person", 2, L2Distance::new()),
            ],
        ),
        (
            "make_sum_column_by_key",
            vec![
                of_keys(SymmetricDistance, 1.0, "key", L01InfDistance),
                of_keys(SymmetricDistance, 2.0, "key", L01InfDistance),
                of_keys(HammingDistance, 1.0, "key", L01InfDistance),
                of_keys(SymmetricDistance, 1.0, "other", L01InfDistance),
                of_keys(SymmetricDistance, 1.0, "key", L02InfDistance),
            ],
        ),
        calls!(make_count_individuals_by_key: (holders(1.0), SymmetricIdDistance, "key", 1, L01InfDistance),
            (holders(2.0), SymmetricIdDistance, "key", 1, L01InfDistance),
            (holders(1.0), ChangeOneIdDistance, "key", 1, L01InfDistance),
            (holders(1.0), SymmetricIdDistance, "other", 1, L01InfDistance),
            (holders(1.0), SymmetricIdDistance, "key", 2, L01InfDistance),
            (holders(1.0), SymmetricIdDistance, "key", 1, L02InfDistance)),
        calls!(make_bound_rows: (of_people(1.0).0, SymmetricIdDistance, vec!["x"], 2),
            (of_people(2.0).0, SymmetricIdDistance, vec!["x"], 2), (replaced(1.0).0, ChangeOneIdDistance, vec!["x"], 2),
            (of_people(1.0).0, SymmetricIdDistance, vec!["x", "person"], 2),
            (of_people(1.0).0, SymmetricIdDistance, vec!["x"], 3)),
        (
            "make_sum_column_by_of_individuals",
            vec![
                of_two_limits(SymmetricIdDistance, "person", 2, 2, 1),
                of_two_limits(ChangeOneIdDistance, "person", 2, 2, 1),
                of_two_limits(SymmetricIdDistance, "n", 2, 2, 1),
                of_two_limits(SymmetricIdDistance, "person", 3, 2, 1),
                of_two_limits(SymmetricIdDistance, "person", 2, 3, 1),
                of_two_limits(SymmetricIdDistance, "person", 2, 2, 2),
            ],
        ),
        ("make_rows", vec![one.plan().clone(), other.plan().clone(), of_integers.plan().clone()]),
        ("make_rows_of_individuals", vec![of_individuals(1.0, "x"), of_individuals(2.0, "x")]),
        (
            "make_aggregate_individuals",
            vec![aggregated(1.0, col("x")), aggregated(2.0, col("x")), aggregated(1.0, -col("x"))],
        ),
        ("make_window_per_individual", vec![beside(1.0, col("x")), beside(2.0, col("x")), beside(1.0, -col("x"))]),
        ("make_bound_groups", vec![bounded_by(1.0, 1, 2), bounded_by(2.0, 1, 2), bounded_by(1.0, 2, 1)]),
    ]
}

/// A measurement of a caller's own that loses so much.
fn losing<D: Domain, M: Metric, MO: Measure + ToParameter>(
    domain: D,
    metric: M,
    measure: MO,
    loss: MO::Distance,
) -> Measurement<D, (), M, MO>
where
    (D, M): MetricSpace,
{
    let release = |_: &D::Carrier, _: &mut dyn Entropy| Ok(());
    make_user_measurement(domain, metric, measure, release, move |_: &M::Distance| Ok(loss.clone())).unwrap()
}

/// Noise on numbers, vectors and integers, in a metric of numbers and one of vectors.
macro_rules! noise {
    ($name:ident $rest:tt, $vectors:ident) => {
        spaces!($name $rest: (atom::<f64>(), absolute()), (atom::<f32>(), absolute()), (atom::<i32>(), absolute()),
            (atom::<i64>(), absolute()), (atom::<Dyadic>(), absolute()), (within(1.0).element().clone(), absolute()),
            (rows::<f64>(), $vectors::new()), (rows::<f32>(), $vectors::new()),
            (rows::<f64>().with_size(3), $vectors::new()))
    };
}

/// Selections among numbers.
macro_rules! selection {
    ($name:ident $rest:tt) => {
        spaces!($name $rest: (rows::<f64>().with_size(3), LInfDistance::new()),
            (rows::<f32>().with_size(3), LInfDistance::new()), (rows::<i64>().with_size(3), LInfDistance::new()),
            (rows::<f64>().with_size(3), LInfDistance::monotonic()),
            (rows::<f64>().with_size(4), LInfDistance::new()))
    };
}

fn releases() -> Vec<Plans> {
    let (mu, rho, unknown) = (GaussianDivergence, ZeroConcentratedDivergence, Monotonicity::Unknown);
    vec![
        noise!(make_laplace(1.0), L1Distance),
        noise!(make_gaussian(rho, 1.0), L2Distance),
        calls!(make_gaussian: (atom::<f64>(), absolute(), rho, 1.0), (atom::<f64>(), absolute(), mu, 1.0)),
        spaces!(make_geometric(1.0, Some((0, 9))): (atom::<i64>(), absolute()), (atom::<i32>(), absolute())),
        spaces!(make_snapping(1.0, 8.0): (atom::<f64>(), absolute()),
            (within(1.0).element().clone(), absolute())),
        spaces!(make_canonical_noise(1.0, (1.0, 1e-6)): (atom::<f64>(), absolute()),
            (within(1.0).element().clone(), absolute())),
        spaces!(make_laplace_threshold(1.0, 5): (maps::<u8, i64>(), L01InfDistance), (maps::<u16, i64>(), L01InfDistance),
            (maps::<u8, i32>(), L01InfDistance)),
        spaces!(make_laplace_threshold(1.0, 5.0): (maps::<u8, f64>(), L01InfDistance), (maps::<u8, Dyadic>(), L01InfDistance)),
        spaces!(make_gaussian_threshold(1.0, 5): (maps::<u8, i64>(), L02InfDistance), (maps::<u16, i64>(), L02InfDistance),
            (maps::<u8, i32>(), L02InfDistance)),
        spaces!(make_select_keys((1.0, 1e-6), 2): (maps::<u8, i64>(), L01InfDistance), (maps::<u16, i64>(), L01InfDistance)),
        spaces!(make_alp(1.0, 9.0, 2, 3): (maps::<u8, i64>(), L01InfDistance), (maps::<u16, i64>(), L01InfDistance),
            (maps::<u8, f64>(), L01InfDistance)),
        selection!(make_noisy_max(MaxDivergence, 1.0)),
        selection!(make_exponential(MaxDivergence, 1.0)),
        selection!(make_permute_and_flip(1.0)),
        selection!(make_noisy_top_k(MaxDivergence, 2, 1.0)),
        calls!(make_noisy_max: (rows::<f64>().with_size(3), LInfDistance::new(), MaxDivergence, 1.0),
            (rows::<f64>().with_size(3), LInfDistance::new(), RangeDivergence, 1.0)),
        bounded!(make_private_bounds((0, 5), 1.0, 0.01)),
        bounded!(make_private_quantile(MaxDivergence, vec![1.0, 2.0], 0.5, 1.0)),
        spaces!(make_randomized_response(vec![1, 2], 0.75): (atom::<u8>(), DiscreteDistance), (atom::<u16>(), DiscreteDistance),
            (atom::<u8>().with_bounds((0, 9)).unwrap(), DiscreteDistance)),
        spaces!(make_randomized_response_bool(0.75): (atom::<bool>(), DiscreteDistance),
            (atom::<bool>().with_bounds((false, true)).unwrap(), DiscreteDistance)),
        spaces!(make_randomized_response_bitvec(0.75): (rows::<bool>(), HammingDistance), (rows::<bool>().with_size(3), HammingDistance)),
        calls!(make_above_threshold: (atom::<i64>(), absolute(), (1.0, 1.0), unknown, 5i64, 1, (2.0, 4.0)),
            (atom::<i32>(), absolute(), (1.0, 1.0), unknown, 5i64, 1, (2.0, 4.0)),
            (atom::<i64>(), absolute(), (1.0, 1.0), unknown, 5i32, 1, (2.0, 4.0)),
            (atom::<i64>(), absolute(), (1.0, 1.0), unknown, 5f64, 1, (2.0, 4.0)),
            (atom::<i64>(), absolute(), (1.0, 1.0), unknown, 5f32, 1, (2.0, 4.0))),
        calls!(make_tree_aggregation: (items::<i64>(0, 9), HammingDistance, MaxDivergence, 8, 1.0),
            (items::<i32>(0, 9), HammingDistance, MaxDivergence, 8, 1.0), (items::<i64>(0, 8), HammingDistance, MaxDivergence, 8, 1.0),
            (items::<i64>(0, 9), HammingDistance, rho, 8, 1.0)),
        calls!(make_matrix_factorization: (parts::<f64>(2), partition(), mu, root(4), 1, (1, 1.0), 1.0),
            (parts::<f32>(2), partition(), mu, root(4), 1, (1, 1.0), 1.0), (parts::<f64>(3), partition(), mu, root(4), 1, (1, 1.0), 1.0),
            (parts::<f64>(2), partition(), rho, root(4), 1, (1, 1.0), 1.0), (parts::<f64>(2), partition(), mu, root(5), 1, (1, 1.0), 1.0),
            (parts::<f64>(2), partition(), mu, root(4).banded(2).unwrap(), 1, (1, 1.0), 1.0),
            (parts::<f64>(2), partition(), mu, root(4), 2, (1, 1.0), 1.0), (parts::<f64>(2), partition(), mu, root(4), 1, (2, 1.0), 1.0),
            (parts::<f64>(2), partition(), mu, root(4), 1, (1, 2.0), 1.0), (parts::<f64>(2), partition(), mu, root(4), 1, (1, 1.0), 2.0)),
        calls!(make_privacy_filter: (rows::<f64>(), SymmetricDistance, MaxDivergence, 1, 1.0),
            (rows::<f32>(), SymmetricDistance, MaxDivergence, 1, 1.0), (rows::<f64>(), HammingDistance, MaxDivergence, 1, 1.0),
            (rows::<f64>(), SymmetricDistance, rho, 1, 1.0)),
        calls!(make_adaptive_composition: (rows::<f64>(), SymmetricDistance, MaxDivergence, 1, vec![1.0]),
            (rows::<f32>(), SymmetricDistance, MaxDivergence, 1, vec![1.0]), (rows::<f64>(), HammingDistance, MaxDivergence, 1, vec![1.0]),
            (rows::<f64>(), SymmetricDistance, mu, 1, vec![1.0])),
        numbers!(make_fully_adaptive_composition(MaxDivergence)),
        calls!(make_fully_adaptive_composition: (rows::<f64>(), SymmetricDistance, MaxDivergence), (rows::<f64>(), SymmetricDistance, rho)),
        numbers!(make_user_measurement(MaxDivergence, |_, _| Ok(()), |_: &u32| Ok(1.0))),
        calls!(make_user_measurement: (rows::<f64>(), SymmetricDistance, rho, |_: &[f64], _: &mut dyn Entropy| Ok(()), |_: &u32| Ok(1.0)),
            (rows::<f64>(), SymmetricDistance, mu, |_: &[f64], _: &mut dyn Entropy| Ok(()), |_: &u32| Ok(1.0))),
    ]
}

/// A constructor of measurements from one, in spaces of the measurement.
macro_rules! of_one {
    ($name:ident $rest:tt, $measure:expr, $loss:expr) => {
        spaces!($name $rest: (losing(rows::<f64>(), SymmetricDistance, $measure, $loss)),
            (losing(rows::<f32>(), SymmetricDistance, $measure, $loss)),
            (losing(rows::<f64>(), HammingDistance, $measure, $loss)),
            (losing(rows::<f64>().with_size(3), SymmetricDistance, $measure, $loss)),
            (losing(within(1.0), SymmetricDistance, $measure, $loss)),
            (losing(with_nan(), SymmetricDistance, $measure, $loss)))
    };
}

/// The same where the metric is one of rows that are replaced, and their number known.
macro_rules! of_one_sample {
    ($name:ident $rest:tt) => {
        spaces!($name $rest: (losing(rows::<f64>().with_size(3), ChangeOneDistance, MaxDivergence, 1.0)),
            (losing(rows::<f32>().with_size(3), ChangeOneDistance, MaxDivergence, 1.0)),
            (losing(rows::<f64>().with_size(4), ChangeOneDistance, MaxDivergence, 1.0)),
            (losing(rows::<f64>().with_size(3), ChangeOneDistance, Approximate(MaxDivergence), (1.0, 0.0))))
    };
}

fn combined() -> Vec<Plans> {
    let (pure, range, rho, mu) = (MaxDivergence, RangeDivergence, ZeroConcentratedDivergence, GaussianDivergence);
    let losses = || PrivacyLossDistribution::approximate(Epsilon(1.0), Delta(0.0)).unwrap();
    let response = || make_randomized_response_bool(atom::<bool>(), DiscreteDistance, 0.75).unwrap();
    let bounded = || {
        let domain = atom::<bool>().with_bounds((false, true)).unwrap();
        make_randomized_response_bool(domain, DiscreteDistance, 0.75).unwrap()
    };
    let candidate = |rows: VectorDomain<AtomDomain<f64>>| {
        let release = |_: &[f64], _: &mut dyn Entropy| Ok((0.0, ()));
        make_user_measurement(rows, SymmetricDistance, MaxDivergence, release, |d_in: &u32| Ok(f64::from(*d_in)))
            .unwrap()
    };
    vec![
        of_one!(make_pureDP_to_zCDP(), pure, 1.0),
        of_one!(make_pureDP_to_bounded_range(), pure, 1.0),
        of_one!(make_pureDP_to_approxDP(), pure, 1.0),
        of_one!(make_pureDP_to_PLD(), pure, 1.0),
        of_one!(make_approximate(), pure, 1.0),
        calls!(make_approximate: (losing(rows::<f64>(), SymmetricDistance, pure, 1.0)), (losing(rows::<f64>(), SymmetricDistance, rho, 1.0))),
        of_one!(make_bounded_range_to_pureDP(), range, 1.0),
        of_one!(make_bounded_range_to_zCDP(), range, 1.0),
        of_one!(make_bounded_range_to_PLD(), range, 1.0),
        of_one!(make_zCDP_to_RDP(), rho, 1.0),
        of_one!(make_zCDP_to_approxDP(), rho, 1.0),
        of_one!(make_RDP_to_approxDP(), RenyiDivergence, RenyiCurve::concentrated(1.0).unwrap()),
        of_one!(make_GDP_to_zCDP(), mu, 1.0),
        of_one!(make_GDP_to_approxDP(), mu, 1.0),
        of_one!(make_GDP_to_PLD(), mu, 1.0),
        of_one!(make_PLD_to_RDP(), PrivacyLossDivergence, losses()),
        of_one!(make_PLD_to_approxDP(), PrivacyLossDivergence, losses()),
        of_one!(make_fixed_approxDP_to_approxDP(), Approximate(pure), (1.0, 0.0)),
        of_one!(make_fixed_approxDP_to_PLD(), Approximate(pure), (1.0, 0.0)),
        of_one!(make_fix_delta(1e-6), SmoothedMaxDivergence, PrivacyProfile::pure(1.0).unwrap()),
        of_one!(make_fix_epsilon(1.0), SmoothedMaxDivergence, PrivacyProfile::pure(1.0).unwrap()),
        calls!(make_fix_delta: (losing(rows::<f64>(), SymmetricDistance, SmoothedMaxDivergence, PrivacyProfile::pure(1.0).unwrap()), 1e-6),
            (losing(rows::<f64>(), SymmetricDistance, Approximate(SmoothedMaxDivergence), (PrivacyProfile::pure(1.0).unwrap(), 0.0)), 1e-6)),
        calls!(make_composition: (vec![losing(rows::<f64>(), SymmetricDistance, pure, 1.0)]),
            (vec![losing(rows::<f32>(), SymmetricDistance, pure, 1.0)]), (vec![losing(rows::<f64>(), HammingDistance, pure, 1.0)]),
            (vec![losing(rows::<f64>(), SymmetricDistance, rho, 1.0)])),
        calls!(make_sums_of_unknown_keys: (counted(), 1.0, 5, vec![summed()], vec![1.0]),
            (counted(), 2.0, 5, vec![summed()], vec![1.0]), (counted(), 1.0, 6, vec![summed()], vec![1.0]),
            (counted(), 1.0, 5, vec![summed()], vec![2.0]), (counted(), 1.0, 5, vec![summed(); 2], vec![1.0; 2])),
        calls!(make_parallel_composition: (vec![losing(rows::<f64>(), SymmetricDistance, pure, 1.0)]),
            (vec![losing(rows::<f32>(), SymmetricDistance, pure, 1.0)]), (vec![losing(rows::<f64>(), HammingDistance, pure, 1.0)]),
            (vec![losing(rows::<f64>(), SymmetricDistance, rho, 1.0)])),
        calls!(make_select_private_candidate: (candidate(rows()), 0.1, None), (candidate(within(1.0)), 0.1, None),
            (candidate(rows().with_size(3)), 0.1, None)),
        calls!(make_poisson_sampling: (losing(rows::<f64>(), SymmetricDistance, pure, 1.0), 0.5),
            (losing(rows::<f32>(), SymmetricDistance, pure, 1.0), 0.5), (losing(rows::<f64>(), InsertDeleteDistance, pure, 1.0), 0.5),
            (losing(rows::<f64>(), SymmetricDistance, Approximate(pure), (1.0, 0.0)), 0.5)),
        of_one_sample!(make_sampling_without_replacement(30)),
        of_one_sample!(make_population_amplification(30, AssumeSecretSample)),
        calls!(make_shuffled_reports: (response(), 1000, 1e-6), (bounded(), 1000, 1e-6)),
    ]
}

#[test]
fn spaces_that_differ_have_plans_that_differ() {
    let all = [steps(), frames(), releases(), combined()].concat();
    for (name, plans) in &all {
        assert!(plans.len() > 1 && plans.iter().all(|plan| plan.name == *name), "{name}");
        for (at, plan) in plans.iter().enumerate() {
            let same: Vec<_> = plans.iter().skip(at + 1).filter(|other| plan == *other).collect();
            assert!(same.is_empty(), "{same:?}");
            let (text, other) = (serde_json::to_string(plan).unwrap(), plans.iter().rev().find(|other| *other != plan));
            assert_eq!(&serde_json::from_str::<Plan>(&text).unwrap(), plan);
            assert_ne!(text, serde_json::to_string(&other).unwrap());
        }
    }
}

/// The negative control: name, parameters and children alone, which is what plans were, do not tell floats of 32
/// bits from those of 64.
#[test]
fn without_its_space_a_plan_tells_less() {
    let bare = |plan: &Plan| {
        let mut plan = plan.clone();
        plan.space = Space::default();
        plan
    };
    let (wide, narrow) = (make_laplace(atom::<f64>(), absolute(), 1.0), make_laplace(atom::<f32>(), absolute(), 1.0));
    let (wide, narrow) = (wide.unwrap(), narrow.unwrap());
    assert!(wide.plan() != narrow.plan() && bare(wide.plan()) == bare(narrow.plan()));
}

/// What stands in stored plans must not change with a compiler or a release of this library.
#[test]
fn the_words_for_spaces_stay() {
    let ages = || OptionDomain::new(AtomDomain::u8().with_bounds((0, 120)).unwrap());
    let words = [
        (format!("{:?}", AtomDomain::f64()), "AtomDomain<f64>"),
        (format!("{:?}", AtomDomain::f64().with_nan()), "AtomDomain<f64>(NaN)"),
        (format!("{:?}", within(0.1).element().clone().with_nan()), "AtomDomain<f64>(0.0..=0.1, NaN)"),
        (
            format!("{:?}", VectorDomain::new(ages()).with_size(3)),
            "VectorDomain(OptionDomain(AtomDomain<u8>(0..=120)), size 3)",
        ),
        (
            format!("{:?}", keyed::<String, _>(atom::<bool>())),
            "VectorDomain(PairDomain(AtomDomain<String>, AtomDomain<bool>))",
        ),
        (format!("{:?}", maps::<char, i128>()), "MapDomain(AtomDomain<char>, AtomDomain<i128>)"),
        (format!("{:?}", ball(2, Norm::L2, 5.0)), "VectorDomain(BallDomain(L2 at most 5.0, size 2))"),
        (format!("{:?}", (L1Distance::new(), LInfDistance::monotonic())), "(L1Distance, LInfDistance(monotonic))"),
        (
            format!("{:?}", (absolute(), PartitionDistance(HammingDistance))),
            "(AbsoluteDistance, PartitionDistance(HammingDistance))",
        ),
        (format!("{:?}", Approximate(ZeroConcentratedDivergence)), "Approximate(ZeroConcentratedDivergence)"),
    ];
    for (told, expected) in words {
        assert_eq!(told, expected);
    }
    let sum = ((within(9.0), SymmetricDistance) >> then_sum() >> then_laplace(2.0)).unwrap();
    let expected = "VectorDomain(AtomDomain<f64>(0.0..=9.0)), SymmetricDistance -> MaxDivergence";
    assert_eq!(sum.plan().space.to_string(), expected);
    let first = sum.plan().children.iter().next().unwrap().space.to_string();
    let expected =
        "VectorDomain(AtomDomain<f64>(0.0..=9.0)), SymmetricDistance -> AtomDomain<Dyadic>, AbsoluteDistance";
    assert_eq!(first, expected);
}

/// Equal plans with functions of a caller's say nothing of these functions; the plan says that it is not complete,
/// wherever they stand.
/// From its words alone: the domain and the condition of a stored step on tables are read, and make the same plan.
#[test]
fn a_stored_step_on_tables_is_rebuilt() {
    let region = ColumnDomain::category(["north", "\"south\"; 5 rows"]).unwrap();
    let columns =
        [("person", ColumnDomain::text()), ("the region", region.with_missing()), ("x", ColumnDomain::float())];
    let stays = FrameDomain::new(columns).unwrap().with_individuals("person").unwrap().with_size(500);
    let codes = (-9..9).map(|code| (code, if code % 2 == 0 { Some(0.5) } else { None }));
    let code = col("x").clamp(-1.5, f64::INFINITY).cut([-1.0, 0.0, 7.25]).replace(codes).fill_null(-0.0);
    let condition = (code - 1).gt(i64::MIN) & !col("the region").eq("\"south\"; 5 rows");
    let step = make_filter_rows(stays, SymmetricDistance, condition).unwrap();
    let plan: Plan = serde_json::from_str(&serde_json::to_string(step.plan()).unwrap()).unwrap();
    let domain: FrameDomain = plan.space.input.strip_suffix(", SymmetricDistance").unwrap().parse().unwrap();
    let [(name, Parameter::Text(condition))] = &plan.parameters[..] else { panic!("{plan:?}") };
    let again = make_filter_rows(domain, SymmetricDistance, condition.parse().unwrap()).unwrap();
    assert_eq!((name.as_str(), again.plan()), ("condition", step.plan()));
}

#[test]
fn a_plan_with_a_function_of_the_callers_is_not_complete() {
    let map = |add: f64| make_map(rows::<f64>(), SymmetricDistance, atom::<f64>(), 0.0, move |x| x + add).unwrap();
    assert!(map(1.0).plan() == map(2.0).plan() && !map(1.0).plan().is_complete());
    let count = |add| (map(add) >> then_count() >> then_laplace(1.0)).unwrap();
    assert!(!make_composition(vec![count(1.0)]).unwrap().plan().is_complete());
    let noisy = || ((rows::<f64>(), SymmetricDistance) >> then_count() >> then_laplace(1.0)).unwrap();
    assert!(noisy().plan().is_complete() && make_composition(vec![noisy()]).unwrap().plan().is_complete());
    assert!(!(noisy() >> Function::new(|x: &i64| *x)).unwrap().plan().is_complete());
}

/// Lists of numbers in a guarantee are in the plan, although an explanation counts them.
#[test]
fn losses_that_differ_in_a_number_have_plans_that_differ() {
    let declared = |curve: RenyiCurve| {
        let (domain, metric) = (rows::<f64>(), SymmetricDistance);
        let data = make_adaptive_composition(domain, metric, RenyiDivergence, 1, vec![curve.repeat(2).unwrap()]);
        data.unwrap().plan().clone()
    };
    let weights = |x| PrivacyLossDistribution::discrete(&[(1.0, x), (2.0, 1.0)])?.renyi();
    for curve in [weights, |x| RenyiCurve::from_points(vec![(2.0, x)])] {
        let (small, large) = (curve(0.25).unwrap(), curve(0.5).unwrap());
        assert_eq!(small.to_string(), large.to_string());
        assert!(declared(small.clone()) == declared(small.clone()) && declared(small) != declared(large));
    }
    let losses = |x| {
        let pair = PrivacyLossDistribution::discrete(&[(1.0, x), (x, 1.0)]).unwrap();
        [pair.clone(), pair.poisson_sampled(0.5).unwrap()]
    };
    for (small, large) in losses(0.25).into_iter().zip(losses(0.5)) {
        assert_eq!(small.to_string(), large.to_string());
        assert!(small.to_parameter() != large.to_parameter());
        let profile = PrivacyProfile::losses;
        assert!(profile(small).to_parameter() != profile(large).to_parameter());
    }
}

/// A missing value and a text are told apart, at any depth.
#[test]
fn nothing_is_told_from_a_text() {
    let text = |word: &str| Some(word.to_owned());
    let resize = |constant: Option<String>| {
        let rows = VectorDomain::new(OptionDomain::new(AtomDomain::string()));
        make_resize(rows, SymmetricDistance, 3, constant).unwrap()
    };
    assert!(resize(None).plan() != resize(text("none")).plan());
    let told: [Option<Option<Vec<Option<u8>>>>; 7] = [
        None,
        Some(None),
        Some(Some(vec![])),
        Some(Some(vec![None])),
        Some(Some(vec![Some(1)])),
        Some(Some(vec![None, None])),
        Some(Some(vec![Some(2)])),
    ];
    let told = told.map(|value| value.to_parameter());
    for (at, value) in told.iter().enumerate() {
        assert!(!told.iter().skip(at + 1).any(|other| other == value), "{value}");
        assert_eq!(&serde_json::from_str::<Parameter>(&serde_json::to_string(value).unwrap()).unwrap(), value);
    }
}

#[test]
fn a_plan_without_a_space_is_refused() {
    let plan =
        |space: &str, scale: &str| format!(r#"{{"name":"make_laplace",{space}"parameters":[["scale",{scale}]]}}"#);
    let (space, scale) = (r#""space":{"input":"a","output":"b"},"#, r#"{"float":"1.0"}"#);
    let read = |text: String| serde_json::from_str::<Plan>(&text).map_err(|error| error.to_string());
    assert_eq!(read(plan(space, scale)).unwrap().parameters, [("scale".to_owned(), 1.0.to_parameter())]);
    assert!(read(plan("", scale)).unwrap_err().contains("missing field `space`"));
    assert!(read(plan(space, "1.0")).is_err(), "a number that a parser may have rounded");
}
