//! Gaussian noise takes the measure before the scale.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let days = VectorDomain::new(AtomDomain::f64());
    ((days, SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum() >> then_gaussian(10.0, 1.0)).map(drop)
}
