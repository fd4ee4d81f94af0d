//! There is no source with a seed, nor one that draws from a generator of the caller's.

use indistinct::sampling::testing::{RngEntropy, SeededEntropy};

fn draw_from<R>(_: RngEntropy<R>) {}

fn main() {
    drop(SeededEntropy::new(1));
}
