//! Rows of `String` have categories of `String`.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
    (rows >> then_count_by_categories(vec!["a", "b"], UnknownCategories::Drop, L1Distance::new())).map(drop)
}
