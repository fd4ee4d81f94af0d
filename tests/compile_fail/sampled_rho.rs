//! What sampling does to rho is not what it does to epsilon.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let sum = (rows >> then_clamp((0.0, 1.0)) >> then_sum() >> then_gaussian(ZeroConcentratedDivergence, 1.0))?;
    make_poisson_sampling(sum, 0.01).map(drop)
}
