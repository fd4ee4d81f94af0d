//! Rows that are replaced are not rows that are added or removed.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = || VectorDomain::new(AtomDomain::f64());
    let clamp = make_clamp(rows(), ChangeOneDistance, (0.0, 1.0))?;
    let count = make_count(rows(), SymmetricDistance)?;
    (clamp >> count).map(drop)
}
