//! How many more visits to a doctor a year of age brings: least squares from a private covariance, with
//! epsilon-differential privacy for each individual.
//!
//!     cargo run --release --bin regression -- --epsilon 1

use indistinct::prelude::*;
use indistinct_examples::{PersonYear, run};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Ages and visits are used up to these, and measured in units of them.
const MAX_AGE: f64 = 65.0;
const MAX_VISITS: f64 = 20.0;
/// How many years of different people are used: chosen in advance.
const SAMPLE: usize = 5000;

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        let rows: Vec<(u64, (f64, f64))> = rows.iter().map(|row| (row.person_id, (row.age, row.md_visits))).collect();
        let years = PairDomain::new(AtomDomain::f64(), AtomDomain::f64());
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), years));
        let unit = || AtomDomain::f64().with_bounds((0.0, 1.0));
        let scaled =
            |(age, visits): &(f64, f64)| ((age / MAX_AGE).clamp(0.0, 1.0), (visits / MAX_VISITS).clamp(0.0, 1.0));
        let sample = ((people, SymmetricIdDistance)
            >> then_bound_contributions(1)
            >> then_map(PairDomain::new(unit()?, unit()?), (0.5, 0.0), scaled)
            >> then_resize(SAMPLE, (0.5, 0.0)))?;

        let make = |scale: f64| {
            let (age, visits) = (unit()?, unit()?);
            let matrix = (sample.output_space() >> then_covariance(L1Distance::new()) >> then_laplace(scale))?;
            let mean_age = (sample.output_space()
                >> then_map(age, 0.0, |row: &(f64, f64)| row.0)
                >> then_mean()
                >> then_laplace(scale))?;
            let mean_visits = (sample.output_space()
                >> then_map(visits, 0.0, |row: &(f64, f64)| row.1)
                >> then_mean()
                >> then_laplace(scale))?;
            sample.clone() >> make_composition((matrix, mean_age, mean_visits))?
        };
        let moments = make(smallest_scale(make, &1, &epsilon)?)?;
        let (matrix, mean_age, mean_visits) = moments.invoke(&rows)?;
        let &[variance, covariance, _] = matrix.as_slice() else {
            return Err("a matrix of two columns has three entries".into());
        };
        if variance <= 0.0 {
            return Err("the noise hid how ages vary: choose a larger epsilon".into());
        }
        let slope = covariance / variance;
        let intercept = mean_visits - slope * mean_age;
        writeln!(
            io::stdout(),
            "visits a year = {:.2} + {:.4} age",
            MAX_VISITS * intercept,
            MAX_VISITS / MAX_AGE * slope
        )?;
        write!(io::stdout(), "{}", moments.explain(&1)?)?;
        Ok(())
    })
}
