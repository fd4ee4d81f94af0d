//! There is no source with a seed.

use indistinct::sampling::testing::SeededEntropy;

fn main() {
    drop(SeededEntropy::new(1));
}
