//! A domain of one's own that says of itself that it is none.

use indistinct::{core::Internal, prelude::*};

#[derive(Debug, Clone, PartialEq)]
struct Numbers;

impl Domain for Numbers {
    type Carrier = i64;

    fn member(&self, _: &i64) -> bool {
        true
    }

    fn is_callers_own(&self, _: Internal) -> bool {
        false
    }
}

fn main() {}
