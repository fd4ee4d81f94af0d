//! Pairs are not added up, but a part of them.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::string(), AtomDomain::f64()));
    ((rows, SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum()).map(drop)
}
