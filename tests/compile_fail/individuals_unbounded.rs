//! Rows of individuals are bounded before they are added up or counted.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let space = || (people(), SymmetricIdDistance);
    (space() >> then_clamp((0.0, 1.0)) >> then_count()).map(drop)?;
    (space() >> then_clamp((0.0, 1.0)) >> then_sum()).map(drop)
}

fn people() -> VectorDomain<PairDomain<AtomDomain<u32>, AtomDomain<f64>>> {
    VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()))
}
