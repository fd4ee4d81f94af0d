//! Matrices times vectors: all pairs of small vectors and adversarial floats, under every pair of norms.

use super::support::*;
use indistinct::prelude::*;
use indistinct_audit::{
    Report,
    neighbors::{all_pairs, all_vectors},
    stability::stability_map_rises,
};

rows! {
    tight make_linear_queries: linear_queries;
}

/// Vectors of two numbers.
fn vectors() -> Vec<(Vec<f64>, Vec<f64>)> {
    let all = all_vectors(&[0.0, -0.0, 1.0, -2.0, f64::INFINITY, f64::NEG_INFINITY], 2);
    all_pairs(&all.into_iter().filter(|vector| vector.len() == 2).collect::<Vec<_>>())
}

fn linear_queries() -> Report {
    let (rank_one, mixed) = (vec![vec![2.0, -2.0], vec![-2.0, 2.0]], vec![vec![3.0, -1.0], vec![0.1, 1e-300]]);
    // What moves the one row does not move the other; and two rows that nothing moves apart.
    let (across, same) = (vec![vec![1.0, 1.0], vec![1.0, -1.0]], vec![vec![1.0, -1.0], vec![1.0, -1.0]]);
    let pairs = vectors();
    let ladder = [0.0, 5e-324, 0.5, 1.0, 1e300, f64::INFINITY];
    macro_rules! each_pair_of_norms {
        ($($floor:literal, $input:expr);+) => {
            all([$(
                each_pair_of_norms!(@ $floor, $input, L1Distance::new(), [&rank_one, &mixed]),
                each_pair_of_norms!(@ $floor, $input, L2Distance::new(), [&rank_one, &mixed]),
                each_pair_of_norms!(@ $floor, $input, LInfDistance::new(), [&rank_one, &mixed, &across, &same]),
                each_pair_of_norms!(@ $floor, $input, LInfDistance::monotonic(), [&rank_one, &mixed, &across, &same])
            ),+])
        };
        (@ $floor:literal, $input:expr, $output:expr, $matrices:expr) => {
            all($matrices.map(|matrix| {
                let floats = VectorDomain::new(AtomDomain::f64()).with_size(2);
                let step = make_linear_queries(floats, $input, matrix.clone(), $output).unwrap();
                on_neighbors($floor, &step, pairs.clone(), &[]).and(stability_map_rises(&step, &ladder, &0.0))
            }))
        };
    }
    each_pair_of_norms!(
        0.95, L1Distance::new();
        0.95, L2Distance::new();
        0.95, LInfDistance::new();
        0.95, LInfDistance::monotonic()
    )
}
