//! Matrices times vectors: all pairs of toy vectors and adversarial floats, under every pair of norms.

use super::{Row, support::*, tight};
use indistinct::prelude::*;
use indistinct_audit::{
    Report,
    neighbors::{all_pairs, all_vectors},
    stability::{stability, stability_by_edits, stability_map_rises},
};

pub(crate) const ROWS: &[Row] = &[tight("make_lipschitz", lipschitz)];

/// Vectors of two numbers.
fn vectors() -> Vec<(Vec<f64>, Vec<f64>)> {
    let all = all_vectors(&[0.0, -0.0, 1.0, -2.0, f64::INFINITY, f64::NEG_INFINITY], 2);
    all_pairs(&all.into_iter().filter(|vector| vector.len() == 2).collect::<Vec<_>>())
}

fn lipschitz() -> Report {
    let (rank_one, mixed) = (vec![vec![2.0, -2.0], vec![-2.0, 2.0]], vec![vec![3.0, -1.0], vec![0.1, 1e-300]]);
    let pairs = vectors();
    let ladder = [0.0, 5e-324, 0.5, 1.0, 1e300, f64::INFINITY];
    macro_rules! each_pair_of_norms {
        ($($input:expr),+) => {
            all([$(
                each_pair_of_norms!(@ $input, L1Distance::new()),
                each_pair_of_norms!(@ $input, L2Distance::new()),
                each_pair_of_norms!(@ $input, LInfDistance::new()),
                each_pair_of_norms!(@ $input, LInfDistance::monotonic())
            ),+])
        };
        (@ $input:expr, $output:expr) => {
            all([&rank_one, &mixed].map(|matrix| {
                let floats = VectorDomain::new(AtomDomain::f64()).with_size(2);
                let step = make_lipschitz(floats, $input, matrix.clone(), $output).unwrap();
                let drawn = stability_by_edits(&step, script());
                stability(&step, pairs.clone()).and(drawn).and(stability_map_rises(&step, &ladder, &0.0))
            }))
        };
    }
    each_pair_of_norms!(L1Distance::new(), L2Distance::new(), LInfDistance::new(), LInfDistance::monotonic())
}
