//! Ranges of measurements that are chosen along the way do not add up.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let scores = (VectorDomain::new(AtomDomain::i64()).with_size(3), LInfDistance::new());
    (scores >> then_adaptive_composition(RangeDivergence, 1.0, vec![0.5, 0.5])).map(drop)
}
