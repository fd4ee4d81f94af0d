//! A transformation and a mechanism of one's own: visits beyond ten, and geometric noise written by hand.

use super::survey::read;
use indistinct::{frames::*, prelude::*, sampling::bernoulli};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("md_visits", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let beyond_ten = ((survey, SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, i64, _, _>(vec!["md_visits"])
        >> then_bound_contributions(5)
        >> then_map(AtomDomain::i64(), 0, |visits: &i64| (visits - 10).max(0))
        >> then_clamp((0, 30))
        >> then_sum())?;
    let mechanism = make_user_measurement(
        AtomDomain::i128(),
        AbsoluteDistance::new(),
        MaxDivergence,
        |total: &i128, entropy| {
            let rate = (-1.0f64 / 150.0).exp();
            let mut noisy = *total;
            while bernoulli(rate, entropy)? {
                noisy += 1;
            }
            while bernoulli(rate, entropy)? {
                noisy -= 1;
            }
            Ok(noisy)
        },
        |d_in: &f64| Ok(d_in / 150.0),
    )?;
    let noisy = (beyond_ten >> mechanism)?;
    print!("{}\n{}", noisy.invoke(&frame)?, noisy.explain(&1)?);
    Ok(())
}
