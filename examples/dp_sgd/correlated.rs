//! Noise that is correlated between steps: each step looks at its own part of the people, and no sample is secret.

use crate::{
    Arguments,
    chain::{people, years},
    model::{FEATURES, PEOPLE, Person, Year, gradient, scores},
};
use indistinct::{domains::Norm, measurements::StepQuestion, prelude::*};
use std::{
    error::Error,
    io::{self, Write},
};

type Query = StepQuestion<VectorDomain<crate::chain::Years>, SymmetricDistance>;

/// The sum of the clipped gradients of a part, at these weights.
fn query(weights: &[f64], clip: f64) -> Fallible<Query> {
    let (weights, vectors) = (weights.to_vec(), VectorDomain::new(AtomDomain::f64()).with_size(FEATURES));
    people()
        >> then_map(vectors, vec![0.0; FEATURES], move |person: &[Year]| gradient(&weights, person))
        >> then_norm_clip(Norm::L2, clip)
        >> then_vector_sum(L2Distance::new())
}

pub(crate) fn run(arguments: &Arguments, train: &[(u64, Person)], test: &[Year]) -> Result<f64, Box<dyn Error>> {
    let &Arguments { epsilon, delta, epochs, clip, learning_rate, .. } = arguments;
    // As many parts as there are steps in an epoch; an individual's number decides which is theirs.
    let (parts, steps) = arguments.steps();
    let rows = (VectorDomain::new(PairDomain::new(AtomDomain::u32(), years())), SymmetricDistance);
    // What an individual moves in one epoch and in the next does not overlap.
    let factor = ToeplitzFactor::square_root(steps)?.banded(parts)?;
    let training = |noise: f64| {
        let parts = rows.clone() >> then_partition_by_categories((0..parts).collect(), UnknownCategories::Drop);
        parts >> then_matrix_factorization(GaussianDivergence, factor.clone(), FEATURES, (1, clip), noise)
    };
    let noise = match arguments.noise {
        Some(noise) => noise,
        None => {
            let at_epsilon = |noise| make_fix_epsilon(make_GDP_to_approxDP(training(noise)?)?, epsilon);
            smallest_scale(at_epsilon, &1, &(epsilon, delta))?
        }
    };
    let training = training(noise)?;
    let promised = make_GDP_to_approxDP(training.clone())?.map(&1)?.epsilon(delta)?;
    let error = factor.errors().last().map_or(noise, |error| noise * error);
    let length = noise / clip;
    writeln!(
        io::stdout(),
        "{steps} steps, {parts} of each epoch, noise of {length:.4} times the clipped length {clip}; {:.1} times in the \
         sum of all, and {:.1} if each step had its own",
        error / clip,
        noise_of_its_own(epochs, length, &factor)? * f64::from(steps).sqrt()
    )?;
    writeln!(io::stdout(), "{:>5} {:>6}   {:>8} {:>7}", "epoch", "steps", "accuracy", "ranking")?;
    let numbered: Vec<(u32, Person)> =
        train.iter().map(|(person, years)| (part_of(*person, parts), years.clone())).collect();
    let sums = training.invoke(&numbered)?;
    let mut weights = vec![0.0; FEATURES];
    for epoch in 1..=epochs {
        for _ in 0..parts {
            let so_far = sums.eval(&query(&weights, clip)?)?;
            let step = learning_rate * f64::from(parts) / PEOPLE;
            weights = so_far.iter().map(|sum| -step * sum).collect();
        }
        let (accuracy, ranking) = scores(&weights, test);
        writeln!(io::stdout(), "{epoch:>5} {:>6}   {accuracy:>8.4} {ranking:>7.4}", epoch * parts)?;
    }
    Ok(promised)
}

/// The part that an individual is in. One of five consecutive numbers is for tests.
fn part_of(person: u64, parts: u32) -> u32 {
    u32::try_from(person / 5 % u64::from(parts)).unwrap_or(0)
}

/// The noise, in clipped lengths, of the same loss if each step had noise of its own.
fn noise_of_its_own(epochs: u32, length: f64, factor: &ToeplitzFactor) -> Fallible<f64> {
    let parts = factor.steps() / epochs;
    let own = ToeplitzFactor::new(vec![1.0], factor.steps())?;
    Ok(length * own.sensitivity(parts)? / factor.sensitivity(parts)?)
}
