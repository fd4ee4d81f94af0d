//! A number that may be missing is dropped or replaced before it is clamped.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let fees = VectorDomain::new(OptionDomain::new(AtomDomain::f64()));
    ((fees, SymmetricDistance) >> then_clamp((0.0, 1.0))).map(drop)
}
