//! A way to a part of a row that claims bounds which the part does not have.

use indistinct::{
    bounds::{HasPart, Part},
    core::{Parameter, ToParameter},
    prelude::*,
};

struct Mine;

impl ToParameter for Mine {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text("mine".into())
    }
}

impl Part for Mine {}

impl HasPart<Mine> for PairDomain<AtomDomain<u32>, AtomDomain<f64>> {
    type Of = AtomDomain<f64>;

    fn part(&self) -> &AtomDomain<f64> {
        self.second()
    }
    fn part_of((_, second): &(u32, f64)) -> &f64 {
        second
    }
}

fn main() {}
