//! Quantiles of what an individual spends in a year, all from one noisy tree, with epsilon-differential privacy for
//! each individual.
//!
//!     cargo run --release --bin tree_quantiles -- --epsilon 1

use indistinct::prelude::*;
use indistinct_examples::{PersonYear, run};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Bins of ten dollars each, and the children of a node of the tree.
const BINS: u32 = 256;
const BRANCHING: usize = 16;
const LEVELS: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        let spending: Vec<(u64, f64)> = rows.iter().map(|row| (row.person_id, row.medical_spend)).collect();
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), AtomDomain::f64()));
        // Whatever lies beyond an end counts in the last bin at that end.
        let edges: Vec<f64> = (0..=BINS).map(|bin| 10.0 * f64::from(bin)).collect();
        let inner: Vec<f64> = edges.iter().copied().skip(1).take(edges.len() - 2).collect();
        let tree = ((people, SymmetricIdDistance)
            >> then_bound_contributions(1)
            >> then_find_bin(inner)
            >> then_count_by_categories((0..BINS).collect(), UnknownCategories::Drop, L1Distance::new())
            >> then_b_ary_tree(BRANCHING, L1Distance::new()))?;
        let bins = edges.len() - 1;
        let make = |scale: f64| {
            let edges = edges.clone();
            let quantiles = move |nodes: &Vec<i128>| {
                quantiles_from_counts(&edges, &consistent_b_ary_tree(nodes, bins, BRANCHING)?, &LEVELS)
            };
            tree.clone() >> then_laplace(scale) >> Function::new_fallible(quantiles)
        };
        let release = make(smallest_scale(make, &1, &epsilon)?)?;
        for (level, dollars) in LEVELS.iter().zip(release.invoke(&spending)?) {
            writeln!(io::stdout(), "{:.0} % spend less than about {dollars:.0} dollars in a year", 100.0 * level)?;
        }
        writeln!(io::stdout(), "Privacy spent: epsilon {} per individual.", release.map(&1)?)?;
        Ok(())
    })
}
