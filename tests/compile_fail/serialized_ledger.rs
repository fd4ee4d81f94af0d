//! A conversation is not written down: read back twice, it would be two ledgers.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let session = (rows >> then_privacy_filter(MaxDivergence, 1, 1.0))?.invoke(&[1.0])?;
    drop(serde_json::to_string(&session));
    Ok(())
}
