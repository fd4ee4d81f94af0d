//! Chains of a step and noise. The size of the data is not among what decides how much is drawn, unless what is
//! released has it.

use super::{FLOATS, Flow, INTEGERS, alike, but, datasets, flow, of_size, rows};
use indistinct::{domains::Norm, prelude::*, transformations::Second};
use indistinct_audit::{Report, silence::frozen};

pub(super) const FLOWS: &[Flow] = &[
    alike("make_b_ary_tree", || {
        let counts = rows().0.with_size(3);
        let tree = make_b_ary_tree(counts, L1Distance::new(), 2, L1Distance::new());
        flow(tree >> then_laplace(1.0), &of_size(3, &[0, 1, -1, i64::MAX]))
    }),
    alike("make_bound_contributions", || {
        let bounded = make_bound_contributions(visits(AtomDomain::i64()), SymmetricIdDistance, 1);
        flow(bounded >> then_count() >> then_laplace(1.0), &datasets(&VISITS.map(|(person, x)| (person.into(), x))))
    }),
    alike("make_cast", || {
        let (rows, metric) = words();
        flow(
            make_cast(rows, metric, AtomDomain::i64()) >> then_drop_null() >> then_count() >> then_laplace(1.0),
            &texts(),
        )
    }),
    alike("make_clamp", || {
        flow((floats() >> then_clamp((0.0, 10.0))) >> then_sum() >> then_laplace(10.0), &datasets(&FLOATS))
    }),
    alike("make_count", || flow((words() >> then_count()) >> then_laplace(1.0), &texts())),
    but(
        "make_count_by",
        || counted(&[&["37", "x"], &["37", "x", "x"], &["x", "x", "x", "37"]]),
        "keys that are not in the data have no noise: nobody knows them",
        || counted(&[&["37", "x"], &["37"]]),
    ),
    alike("make_count_by_categories", || {
        let (rows, metric) = words();
        let drop = UnknownCategories::Drop;
        flow(
            make_count_by_categories(rows, metric, categories(), drop, L1Distance::new()) >> then_laplace(1.0),
            &texts(),
        )
    }),
    alike("make_count_distinct", || flow((words() >> then_count_distinct()) >> then_laplace(1.0), &texts())),
    alike("make_count_distinct_by_categories", || {
        let (cells, drop) = (visits(AtomDomain::i64()), UnknownCategories::Drop);
        let distinct =
            make_count_distinct_by_categories(cells, SymmetricDistance, categories(), drop, L1Distance::new());
        flow(distinct >> then_laplace(1.0), &datasets(&CELLS.map(|(key, x)| (key.into(), x))))
    }),
    but(
        "make_count_individuals_by",
        || persons(&[&[("a", 1), ("b", 2)], &[("a", 1), ("b", 2), ("c", 2)], &[("a", 2), ("c", 1), ("d", 1)]]),
        "as those of a count by key",
        || persons(&[&[("a", 1), ("b", 2)], &[("a", 1)]]),
    ),
    alike("make_covariance", || {
        let columns = VectorDomain::new(PairDomain::new(unit(), unit())).with_size(2);
        let covariance = make_covariance(columns, ChangeOneDistance, L2Distance::new());
        let inputs = of_size(2, &[(0.0, 0.0), (1.0, 1.0), (0.1, -0.0), (5e-324, 1.0)]);
        flow(covariance >> then_gaussian(ZeroConcentratedDivergence, 1.0), &inputs)
    }),
    alike("make_drop_null", || {
        flow((missing() >> then_drop_null()) >> then_count() >> then_laplace(1.0), &datasets(&OPTIONS))
    }),
    alike("make_filter", || {
        flow((rows() >> then_filter(|x: &i64| *x > 0)) >> then_count() >> then_laplace(1.0), &datasets(&INTEGERS))
    }),
    alike("make_find", || {
        flow((words() >> then_find(categories())) >> then_drop_null() >> then_count() >> then_laplace(1.0), &texts())
    }),
    alike("make_find_bin", || {
        flow((rows() >> then_find_bin(vec![0, 10])) >> then_count() >> then_laplace(1.0), &datasets(&INTEGERS))
    }),
    alike("make_impute_constant", || {
        let imputed = missing() >> then_impute_constant(0.0) >> then_clamp((0.0, 10.0));
        flow(imputed >> then_sum() >> then_laplace(10.0), &datasets(&OPTIONS))
    }),
    alike("make_is_equal", || {
        flow((rows() >> then_is_equal(7)) >> then_count() >> then_laplace(1.0), &datasets(&INTEGERS))
    }),
    alike("make_is_null", || {
        flow((missing() >> then_is_null()) >> then_count() >> then_laplace(1.0), &datasets(&OPTIONS))
    }),
    alike("make_linear_queries", || {
        let pairs = floats().0.with_size(2);
        let step = make_linear_queries(pairs, L1Distance::new(), vec![vec![1.0, -1.0]], L1Distance::new());
        flow(step >> then_laplace(1.0), &of_size(2, &FLOATS))
    }),
    alike("make_map", || {
        let half = AtomDomain::i64().with_bounds((-9, 9)).unwrap();
        flow(
            (rows() >> then_map(half, 0, |x: &i64| (x / 2).clamp(-9, 9))) >> then_sum() >> then_laplace(9.0),
            &datasets(&INTEGERS),
        )
    }),
    alike("make_mean", || flow(make_mean(units(), SymmetricDistance) >> then_laplace(1.0), &of_size(2, &UNITS))),
    alike("make_metric_cast", || {
        let sized = (rows().0.with_size(2), SymmetricDistance);
        let cast = sized >> then_metric_cast(ChangeOneDistance) >> then_clamp((0, 9));
        flow(cast >> then_sum() >> then_laplace(9.0), &of_size(2, &INTEGERS))
    }),
    alike("make_norm_clip", || {
        let vectors = VectorDomain::new(floats().0.with_size(2));
        let clipped = make_norm_clip(vectors, SymmetricDistance, Norm::L2, 1.0) >> then_vector_sum(L2Distance::new());
        flow(
            clipped >> then_gaussian(ZeroConcentratedDivergence, 1.0),
            &datasets(&of_size(2, &[0.0, 1.0, -7.5, 1e300])),
        )
    }),
    alike("make_partition_by_categories", || {
        let drop = UnknownCategories::Drop;
        let parts =
            make_partition_by_categories(visits(AtomDomain::i64()), SymmetricDistance, categories(), drop).unwrap();
        let count = (rows() >> then_count() >> then_laplace(1.0)).unwrap();
        let each = make_parallel_composition(vec![count; 2]).unwrap();
        flow(parts >> each, &datasets(&VISITS.map(|(person, x)| (person.into(), x))))
    }),
    alike("make_partition_individuals_by_categories", || {
        let visits = visits(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
        let drop = UnknownCategories::Drop;
        let parts = make_partition_individuals_by_categories(visits, SymmetricIdDistance, vec![1, 2], drop, 1).unwrap();
        let part = VectorDomain::new(PairDomain::new(AtomDomain::string(), AtomDomain::i64()));
        let count = (part, SymmetricIdDistance) >> then_bound_contributions(1) >> then_count() >> then_laplace(1.0);
        let each = make_parallel_composition(vec![count.unwrap(); 2]).unwrap();
        let placed = VISITS.map(|(person, x)| (person.to_string(), (u8::try_from(x).unwrap_or(2), x)));
        flow(parts >> each, &datasets(&placed))
    }),
    but(
        "make_quantile_scores",
        // The same numbers of rows below and above each candidate.
        || quantiles(&[&[0, 0, 5], &[9, 0, 0], &[0, i64::MAX, 0]]),
        "as those of a selection",
        || quantiles(&[&[0, 0, 5], &[3; 30]]),
    ),
    alike("make_resize", || {
        flow(
            (rows() >> then_resize(2, 0)) >> then_clamp((0, 9)) >> then_sum() >> then_laplace(9.0),
            &datasets(&INTEGERS),
        )
    }),
    alike("make_pair_part", || {
        let numbers = make_pair_part(visits(AtomDomain::i64()), SymmetricDistance, Second) >> then_clamp((0, 9));
        flow(numbers >> then_sum() >> then_laplace(9.0), &datasets(&VISITS.map(|(person, x)| (person.into(), x))))
    }),
    alike("make_sum", || {
        flow((rows() >> then_clamp((-9, 9))) >> then_sum() >> then_laplace(9.0), &datasets(&INTEGERS))
            .and(flow((floats() >> then_clamp((-9.0, 9.0))) >> then_sum() >> then_laplace(9.0), &datasets(&FLOATS)))
    }),
    but(
        "make_sum_by",
        || summed(&[&[("a", 1), ("b", 2)], &[("a", 9), ("b", 2), ("b", 1)], &[("b", 9), ("a", 9)]]),
        "keys that are not in the data, or have a sum of 0, have no noise",
        || summed(&[&[("a", 1), ("b", 2)], &[("a", 1), ("b", 0)]]),
    ),
    alike("make_sum_by_categories", || {
        let cells = visits(AtomDomain::i64().with_bounds((0, 9)).unwrap());
        let drop = UnknownCategories::Drop;
        let sums = make_sum_by_categories(cells, SymmetricDistance, categories(), drop, L1Distance::new());
        flow(sums >> then_laplace(9.0), &datasets(&CELLS.map(|(key, x)| (key.into(), x))))
    }),
    alike("make_sum_by_categories_of_individuals", || {
        let rest = PairDomain::new(AtomDomain::u8(), AtomDomain::i64().with_bounds((0, 9)).unwrap());
        let (cells, drop, l1) = (visits(rest), UnknownCategories::Drop, L1Distance::new());
        let sums =
            make_sum_by_categories_of_individuals(cells, SymmetricIdDistance, vec![1, 2], drop, 2, 1, l1).unwrap();
        let placed = CELLS.map(|(key, x)| (key.to_string(), (u8::try_from(x).unwrap_or(2), x)));
        flow(sums >> then_laplace(18.0), &datasets(&placed))
    }),
    alike("make_sum_of_squared_deviations", || {
        flow(make_sum_of_squared_deviations(units(), ChangeOneDistance) >> then_laplace(1.0), &of_size(2, &UNITS))
    }),
    alike("make_variance", || {
        flow(make_variance(units(), ChangeOneDistance) >> then_laplace(1.0), &of_size(2, &UNITS))
    }),
    alike("make_vector_sum", || {
        let balls = VectorDomain::new(BallDomain::new(2, Norm::L2, 1.0).unwrap());
        let sum = make_vector_sum(balls, SymmetricDistance, L2Distance::new());
        flow(sum >> then_gaussian(ZeroConcentratedDivergence, 1.0), &datasets(&of_size(2, &[0.0, 0.5, -0.0, 5e-324])))
    }),
    alike("make_user_transformation", || {
        let length = |rows: &[i64]| i64::try_from(rows.len()).unwrap_or(0);
        let (domain, metric) = rows();
        let step =
            make_user_transformation(domain, metric, AtomDomain::i64(), AbsoluteDistance::new(), length, |d: &u32| {
                Ok(f64::from(*d))
            });
        // Noise, and a part of which nothing but that it is run can be seen.
        let part =
            frozen((AtomDomain::i64(), AbsoluteDistance::new()), MaxDivergence, 9, |d_in: &f64| Ok(*d_in)).unwrap();
        flow(step.clone() >> then_laplace(1.0), &datasets(&INTEGERS))
            .and(super::replay(step >> part, &datasets(&INTEGERS)))
    }),
];

const UNITS: [f64; 5] = [0.0, -0.0, 1.0, 0.1, 5e-324];
const OPTIONS: [Option<f64>; 5] = [None, Some(0.0), Some(1.0), Some(-7.5), Some(1e300)];
const VISITS: [(&str, i64); 5] = [("a", 0), ("a", 1), ("b", 1), ("37", i64::MIN), ("x", 2)];
const CELLS: [(&str, i64); 5] = [("a", 0), ("37", 1), ("x", 9), ("x", 0), ("37", 9)];

fn floats() -> (VectorDomain<AtomDomain<f64>>, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::f64()), SymmetricDistance)
}

fn unit() -> AtomDomain<f64> {
    AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap()
}

fn units() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(unit()).with_size(2)
}

fn missing() -> (VectorDomain<OptionDomain<AtomDomain<f64>>>, SymmetricDistance) {
    (VectorDomain::new(OptionDomain::new(AtomDomain::f64())), SymmetricDistance)
}

fn words() -> (VectorDomain<AtomDomain<String>>, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::string()), SymmetricDistance)
}

fn texts() -> Vec<Vec<String>> {
    datasets(&["37", "x", "", "9", "é"].map(String::from))
}

fn categories() -> Vec<String> {
    vec!["37".into(), "x".into()]
}

fn visits<D: Domain>(last: D) -> VectorDomain<PairDomain<AtomDomain<String>, D>> {
    VectorDomain::new(PairDomain::new(AtomDomain::string(), last))
}

fn owned(datasets: &[&[(&str, i64)]]) -> Vec<Vec<(String, i64)>> {
    datasets.iter().map(|rows| rows.iter().map(|(key, x)| (key.to_string(), *x)).collect()).collect()
}

fn counted(datasets: &[&[&str]]) -> Report {
    let inputs: Vec<Vec<String>> =
        datasets.iter().map(|rows| rows.iter().map(|row| row.to_string()).collect()).collect();
    flow((words() >> then_count_by(L01InfDistance)) >> then_laplace_threshold(1.0, 3), &inputs)
}

fn persons(datasets: &[&[(&str, i64)]]) -> Report {
    let counts = make_count_individuals_by(visits(AtomDomain::i64()), SymmetricIdDistance, 1, L01InfDistance);
    flow(counts >> then_laplace_threshold(1.0, 3), &owned(datasets))
}

fn summed(datasets: &[&[(&str, i64)]]) -> Report {
    let cells = visits(AtomDomain::i64().with_bounds((0, 9)).unwrap());
    let sums = make_sum_by(cells, SymmetricDistance, L01InfDistance);
    flow(sums >> then_laplace_threshold(9.0, 30), &owned(datasets))
}

fn quantiles(datasets: &[&[i64]]) -> Report {
    let inputs: Vec<Vec<i64>> = datasets.iter().map(|rows| rows.to_vec()).collect();
    // Scores are in units of 2^-16 rows.
    flow((rows() >> then_quantile_scores(vec![0, 3], 0.5)) >> then_noisy_max(MaxDivergence, 4.0 * 65_536.0), &inputs)
}
