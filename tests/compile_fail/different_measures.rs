//! Epsilon and rho do not add up.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let space = || (AtomDomain::i64(), AbsoluteDistance::new());
    let laplace = (space() >> then_laplace(1.0))?;
    let gaussian = (space() >> then_gaussian(ZeroConcentratedDivergence, 1.0))?;
    make_composition((laplace, gaussian)).map(drop)
}
