//! A key whose equality forgets what is released with it: the spelling of one row, whatever the threshold.

use indistinct::{bounds::Atom, prelude::*};
use std::cmp::Ordering;

#[derive(Debug, Clone)]
struct City(String);

impl PartialEq for City {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for City {}

impl PartialOrd for City {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for City {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.to_lowercase().cmp(&other.0.to_lowercase())
    }
}

impl Atom for City {
    const NAME: &'static str = "City";
}

fn main() -> Fallible<()> {
    let space = (VectorDomain::new(AtomDomain::<City>::new()), SymmetricDistance);
    let release = (space >> then_count_by(L01InfDistance) >> then_laplace_threshold(2.0, 40))?;
    println!("{:?}", release.invoke(&[City("Dayton".into())])?);
    Ok(())
}
