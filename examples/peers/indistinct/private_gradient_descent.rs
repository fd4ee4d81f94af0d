//! Admission to hospital by age and visits, learned by noisy gradients of random samples of individuals.

use super::survey::read;
use indistinct::accounting::{Delta, Epsilon, Rate};
use indistinct::{domains::Norm, frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("year", ColumnDomain::integer()),
        ("age", ColumnDomain::float()),
        ("md_visits", ColumnDomain::float()),
        ("admissions", ColumnDomain::float()),
    ])?;
    let frame = read(&survey)?;
    // One row of each individual.
    let first_years = ((survey, SymmetricDistance)
        >> then_filter_rows(col("year").eq(1))
        >> then_rows::<(f64, (f64, f64)), _, _>(vec!["age", "md_visits", "admissions"]))?;
    let people = first_years.invoke(&frame)?;
    let (rate, steps, clip, learning_rate) = (0.05, 100, 2.0, 1.0);
    let noise = PrivacyLossDistribution::calibrate_sigma(Rate(rate), steps, Epsilon(1.0), Delta(1e-6))?;
    let mut weights = vec![0.0; 3];
    for _ in 0..steps {
        let now = weights.clone();
        let gradient = move |(age, (visits, admissions)): &(f64, (f64, f64))| {
            let features = [1.0, age / 20.0 - 1.5, visits / 5.0 - 0.5];
            let score: f64 = now.iter().zip(features).map(|(weight, x)| weight * x).sum();
            let residual = 1.0 / (1.0 + (-score).exp()) - if *admissions > 0.0 { 1.0 } else { 0.0 };
            features.map(|x| residual * x).to_vec()
        };
        let sum = (first_years.output_space()
            >> then_map(VectorDomain::new(AtomDomain::f64()).with_size(3), vec![0.0; 3], gradient)
            >> then_norm_clip(Norm::L2, clip)
            >> then_vector_sum(L2Distance::new())
            >> then_gaussian(GaussianDivergence, noise * clip))?;
        let sampled = make_poisson_sampling(make_fix_delta(make_GDP_to_approxDP(sum)?, 1e-9)?, rate)?;
        let total = sampled.invoke(&people)?;
        weights.iter_mut().zip(total).for_each(|(weight, sum)| *weight -= learning_rate * sum / (rate * 5_900.0));
    }
    println!("{weights:?}, epsilon 1, delta 1e-6");
    Ok(())
}
