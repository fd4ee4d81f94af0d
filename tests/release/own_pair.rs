//! A space of the library's metric and a domain of one's own, for which no such distance is defined.

use indistinct::prelude::*;

#[derive(Debug, Clone, PartialEq)]
struct Numbers;

impl Domain for Numbers {
    type Carrier = i64;

    fn member(&self, _: &i64) -> bool {
        true
    }
}

impl MetricSpace for (Numbers, AbsoluteDistance) {
    fn check_space(&self) -> Fallible<()> {
        Ok(())
    }
}

fn main() {}
