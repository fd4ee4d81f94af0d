//! A sample of random size is not charged for rows that are replaced.

use indistinct::prelude::*;

fn main() -> Fallible<()> {
    let rows = (VectorDomain::new(AtomDomain::f64()), ChangeOneDistance);
    let sum = (rows >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(1.0))?;
    make_poisson_sampling(sum, 0.01).map(drop)
}
