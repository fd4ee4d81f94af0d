//! A sum of floats is an exact number, not an `f64`.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let noise = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1.0)?;
    (rows >> then_clamp((0.0, 1.0)) >> then_sum() >> noise).map(drop)
}
