//! A selection takes counts whose distance is the greatest change of one.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    let counts = rows >> then_count_by_categories(vec![1, 2, 3], UnknownCategories::Drop, L1Distance::new());
    (counts >> then_noisy_top_k(MaxDivergence, 2, 1.0)).map(drop)
}
