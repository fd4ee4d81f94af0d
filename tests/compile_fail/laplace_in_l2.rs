//! Laplace noise goes with L1, not with Euclidean lengths.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    make_laplace(VectorDomain::new(AtomDomain::i64()), L2Distance::new(), 1.0).map(drop)
}
