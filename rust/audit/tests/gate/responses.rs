//! Randomized responses: their own code on all bits that matter.

use super::support::*;
use indistinct::prelude::*;
use indistinct_audit::{Report, exact::exact, neighbors::all_vectors, tape::Probing};

rows! {
    tight make_randomized_response: categories;
    tight make_randomized_response_bitvec: bits;
    tight make_randomized_response_bool: bool;
}

/// Several coins in a row: each is a comparison with its word.
pub(crate) fn coins() -> Probing {
    Probing { grid: 1, low: 0, ..Probing::default() }
}

fn categories() -> Report {
    parts(
        0.95,
        [(vec!["a", "b"], 0.75), (vec!["a", "b", "c"], 0.5), (vec!["a", "b", "c", "d"], 0.9)].map(
            |(categories, prob)| {
                let inputs = [categories.clone(), vec!["elsewhere"]].concat();
                let space = AtomDomain::<&'static str>::new();
                let response = make_randomized_response(space, DiscreteDistance, categories, prob).unwrap();
                let losses = make_pureDP_to_PLD(response.clone()).unwrap();
                let curve = make_PLD_to_RDP(losses.clone()).unwrap();
                let probing = || Probing::default().with_requests(20);
                part(0.95, exact(&response, &inputs, probing()))
                    .and(part(0.95, exact(&losses, &inputs, probing())))
                    .and(part(0.95, exact(&curve, &inputs, probing())))
                    .and(rises(&response, &[0, 1, 2], &0.0))
            },
        ),
    )
}

fn bool() -> Report {
    all([0.5, 0.6, 0.75, 0.999, 1.0 - 2f64.powi(-53)].map(|prob| {
        let response = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap();
        // A fair coin loses nothing.
        let floor = if prob == 0.5 { 0.0 } else { 0.95 };
        part(floor, exact(&response, &[true, false], Probing::default())).and(rises(&response, &[0, 1, 2], &0.0))
    }))
}

fn bits() -> Report {
    let rows = || VectorDomain::new(AtomDomain::bool());
    parts(
        0.95,
        [0.6, 0.75].map(|prob| {
            let response = make_randomized_response_bitvec(rows(), HammingDistance, prob).unwrap();
            // Vectors of another length are infinitely far.
            let vectors = all_vectors(&[true, false], 2);
            let losses = make_pureDP_to_PLD(response.clone()).unwrap();
            let own = part(0.95, exact(&losses, &vectors, coins()));
            exact(&response, &vectors, coins()).and(own).and(rises(&response, &[0, 1, 2, 3, u32::MAX], &0.0))
        }),
    )
}
