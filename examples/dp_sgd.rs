//! Logistic regression by noisy gradients (DP-SGD): who will be in hospital this year?
//!
//! The model is trained on the years of four in five people of the RAND Health Insurance Experiment (see
//! `data/README.md`) and protects each *person* with all their years: it is (epsilon, delta)-differentially private
//! where neighbors differ by one person added or removed.
//!
//!     cargo run --release --bin dp_sgd -- --epsilon 2
//!
//! # What is run
//!
//! A step is one measurement, a chain (`step`):
//!
//! 1. each person is taken by a fresh coin of their own (`make_poisson_sampling`, which forgets the sample);
//! 2. the gradients of a person's years are added up, and what comes out is shortened to at most `--clip`
//!    (`make_norm_clip`, in L2);
//! 3. the vectors of all who were taken are added up exactly (`make_vector_sum`), and Gaussian noise is added
//!    (`make_gaussian`).
//!
//! How many people were taken is secret: the noisy sum is divided by a number that is chosen beforehand, about how many
//! are *expected*. The weights after a step are computed from what was released, so that the next step may use them:
//! composition is adaptive (`training`).
//!
//! # Who charges what
//!
//! Nobody tells an accountant a rate, a number of steps or a scale: what is spent is read off the measurements. The
//! noisy sum has a mu (`GaussianDivergence`), which `make_GDP_to_PLD` tells as losses; of these on a Poisson sample the
//! worst pair of distributions is known, in each direction (a person more, a person less), and that is the map of a
//! step under `PrivacyLossDivergence`. `make_adaptive_composition` declares one such loss for each step and allows no
//! other. Its map is the privacy of the training, and what it says was `spent` so far that of the steps until now, with
//! a proven bound on either side; the upper one counts. The noise is the least with which the map of the training is
//! within the budget, found by asking it.
//!
//! The other columns are for comparison: the Renyi divergences of the same losses, and what basic and advanced
//! composition make of one (epsilon, delta) for each step, sampling included (`apart`).
//!
//! The scores on the other people's years are for the reader, and no part of the release: they are computed without
//! noise.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use indistinct::{
    accounting::{Delta, Epsilon, advanced_composition},
    combinators::AdaptiveComposition,
    domains::Norm,
    numeric::RoundedArithmetic,
    prelude::*,
};
use indistinct_examples::{end, positive, probability, read};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// About how many people take part, known from the experiment's design: a step's size depends on it, not its privacy.
const PEOPLE: f64 = 4700.0;
/// What the model knows of a year: see `features`.
const FEATURES: usize = 10;

/// Logistic regression by noisy gradients, private for each person.
#[derive(Parser)]
struct Arguments {
    /// The privacy loss allowed for each person
    #[arg(long, default_value_t = 2.0, value_parser = positive)]
    epsilon: f64,
    /// The probability allowed that more is lost
    #[arg(long, default_value_t = 1e-6, value_parser = probability)]
    delta: f64,
    /// The probability with which a step looks at a person
    #[arg(long, default_value_t = 0.05, value_parser = rate)]
    rate: f64,
    /// How many times as many people are looked at as there are
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// The greatest length of a person's gradient
    #[arg(long, default_value_t = 2.0, value_parser = positive)]
    clip: f64,
    /// The standard deviation of the noise; the least that the budget allows, if it is not given
    #[arg(long, value_parser = positive)]
    noise: Option<f64>,
    /// How far a step goes
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    learning_rate: f64,
    /// The survey, a CSV file with a header
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"))]
    data: PathBuf,
}

fn rate(text: &str) -> Result<f64, &'static str> {
    let rate: f64 = text.parse().map_err(|_| "must be a number")?;
    if (1e-4..=1.0).contains(&rate) { Ok(rate) } else { Err("must be from 0.0001 to 1") }
}

fn main() -> ExitCode {
    end(run(&Arguments::parse()))
}

// ------------------------------------------------------------------------------------------------------------ the data

/// The columns that are used.
#[derive(Deserialize)]
struct Record {
    person_id: u64,
    coinsurance: f64,
    age: f64,
    female: f64,
    income: f64,
    education: Option<f64>,
    family_size: f64,
    mental_health: f64,
    md_visits: f64,
    admissions: f64,
}

impl Record {
    const COLUMNS: [&str; 10] = [
        "person_id",
        "coinsurance",
        "age",
        "female",
        "income",
        "education",
        "family_size",
        "mental_health",
        "md_visits",
        "admissions",
    ];
}

/// What is known of a year, and whether it saw an admission.
type Year = (Vec<f64>, bool);
/// All years of a person.
type Person = Vec<Year>;

/// Numbers of about unit size, by constants chosen from general knowledge, not from the data.
fn features(row: &Record) -> Vec<f64> {
    let age = (row.age - 30.0) / 20.0;
    vec![
        1.0,
        row.female - 0.5,
        age,
        age * age - 1.0,
        row.md_visits.max(0.0).ln_1p() - 1.0,
        row.income / 10_000.0 - 1.0,
        (row.education.unwrap_or(12.0) - 12.0) / 4.0,
        (row.family_size - 4.0) / 2.0,
        (row.mental_health - 75.0) / 15.0,
        row.coinsurance / 100.0 - 0.25,
    ]
}

/// The people to learn from and the years to test on: which of the two a person is for depends on their number alone.
fn split(rows: &[Record]) -> (Vec<Person>, Vec<Year>) {
    let (mut people, mut test): (BTreeMap<u64, Person>, Vec<Year>) = (BTreeMap::new(), Vec::new());
    for row in rows {
        let year = (features(row), row.admissions > 0.0);
        if row.person_id % 5 == 0 {
            test.push(year);
        } else {
            people.entry(row.person_id).or_default().push(year);
        }
    }
    (people.into_values().collect(), test)
}

// ----------------------------------------------------------------------------------------------------------- the model

fn dot(weights: &[f64], features: &[f64]) -> f64 {
    weights.iter().zip(features).map(|(weight, x)| weight * x).sum()
}

/// The gradient of the logistic loss of all years of a person.
fn gradient(weights: &[f64], person: &[Year]) -> Vec<f64> {
    let mut sum = vec![0.0; weights.len()];
    for (features, admitted) in person {
        let predicted = 1.0 / (1.0 + (-dot(weights, features)).exp());
        let residual = predicted - if *admitted { 1.0 } else { 0.0 };
        sum.iter_mut().zip(features).for_each(|(sum, x)| *sum += residual * x);
    }
    sum
}

/// A row is a person with all their years.
type People = VectorDomain<PairDomain<VectorDomain<AtomDomain<f64>>, AtomDomain<bool>>>;

fn people() -> VectorDomain<People> {
    let features = VectorDomain::new(AtomDomain::f64()).with_size(FEATURES);
    VectorDomain::new(VectorDomain::new(PairDomain::new(features, AtomDomain::bool())))
}

/// A release on people.
type OnPeople<TO, MO> = Measurement<VectorDomain<People>, TO, SymmetricDistance, MO>;
/// A training under way: it answers one step after another.
type Conversation = AdaptiveComposition<VectorDomain<People>, SymmetricDistance, PrivacyLossDivergence>;

/// The noisy sum of clipped gradients at these weights.
fn noisy(weights: Vec<f64>, clip: f64, noise: f64) -> Fallible<OnPeople<Vec<f64>, GaussianDivergence>> {
    let gradients = VectorDomain::new(AtomDomain::f64()).with_size(FEATURES);
    (people(), SymmetricDistance)
        >> then_map(gradients, vec![0.0; FEATURES], move |person: &[Year]| gradient(&weights, person))
        >> then_norm_clip(Norm::L2, clip)
        >> then_vector_sum(L2Distance::new())
        >> then_gaussian(GaussianDivergence, noise)
}

/// The same of a Poisson sample: a step of the training.
fn step(weights: Vec<f64>, clip: f64, noise: f64, rate: f64) -> Fallible<OnPeople<Vec<f64>, PrivacyLossDivergence>> {
    make_poisson_sampling(make_GDP_to_PLD(noisy(weights, clip, noise)?)?, rate)
}

/// So many steps like this one, each chosen in view of those before it. What a step loses does not depend on weights.
fn training(
    step: &OnPeople<Vec<f64>, PrivacyLossDivergence>,
    steps: u32,
) -> Fallible<OnPeople<Conversation, PrivacyLossDivergence>> {
    let losses = (0..steps).map(|_| step.map(&1)).collect::<Fallible<_>>()?;
    make_adaptive_composition(people(), SymmetricDistance, PrivacyLossDivergence, 1, losses)
}

/// A step as (epsilon, delta), sampling included. `each` is the delta at which the sum's guarantee is read; the noise
/// does not depend on it.
fn apart(noise: f64, each: f64, arguments: &Arguments) -> Fallible<(f64, f64)> {
    let pair = make_fix_delta(make_GDP_to_approxDP(noisy(vec![0.0; FEATURES], arguments.clip, noise)?)?, each)?;
    make_poisson_sampling(pair, arguments.rate)?.map(&1)
}

/// The same without clipping, samples and noise, until nothing changes.
fn without_privacy(people: &[Person]) -> Vec<f64> {
    let mut weights = vec![0.0; FEATURES];
    let years: f64 = people.iter().map(|_| 1.0).sum();
    for _ in 0..500 {
        let mut total = vec![0.0; FEATURES];
        for person in people {
            total.iter_mut().zip(gradient(&weights, person)).for_each(|(sum, x)| *sum += x);
        }
        weights.iter_mut().zip(total).for_each(|(weight, sum)| *weight -= 0.5 * sum / years);
    }
    weights
}

/// The share of years that are predicted rightly, and the probability that a year with an admission is ranked above one
/// without.
fn scores(weights: &[f64], years: &[Year]) -> (f64, f64) {
    let mut ranked: Vec<(f64, bool)> =
        years.iter().map(|(features, admitted)| (dot(weights, features), *admitted)).collect();
    ranked.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (mut right, mut with, mut without, mut above) = (0.0, 0.0, 0.0, 0.0);
    for (score, admitted) in ranked {
        right += if (score > 0.0) == admitted { 1.0 } else { 0.0 };
        if admitted {
            with += 1.0;
            above += without;
        } else {
            without += 1.0;
        }
    }
    (right / (with + without), above / (with * without))
}

// -------------------------------------------------------------------------------------------------------- the training

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let &Arguments { epsilon, delta, rate, epochs, clip, learning_rate, .. } = arguments;
    let rows: Vec<Record> = read(&arguments.data, &Record::COLUMNS)?;
    if let Some((_, line)) = rows.iter().zip(2..).find(|(row, _)| features(row).iter().any(|x| !x.is_finite())) {
        return Err(format!("{}: line {line} has a number that is not finite", arguments.data.display()).into());
    }
    let (train, test) = split(&rows);

    let per_epoch = (1..=10_000u32).find(|steps| f64::from(*steps) * rate >= 1.0).unwrap_or(10_000);
    let steps = per_epoch * epochs;
    let start = vec![0.0; FEATURES];
    let planned = |noise| training(&step(start.clone(), clip, noise, rate)?, steps);
    let noise = match arguments.noise {
        Some(noise) => noise,
        None => {
            let at_epsilon = |noise| make_fix_epsilon(make_PLD_to_approxDP(planned(noise)?)?, epsilon);
            smallest_scale(at_epsilon, &1, &(epsilon, delta))?
        }
    };
    // Half of delta for all steps, half for advanced composition's own.
    let each = (delta / 2.0 / f64::from(steps) / rate).min(1.0) * (1.0 - 1e-12);
    let (one_epsilon, one_delta) = apart(noise, each, arguments)?;

    let length = noise / clip;
    writeln!(io::stdout(), "{steps} steps at rate {rate}, noise of {length:.4} times the clipped length {clip}")?;
    writeln!(
        io::stdout(),
        "{:>5} {:>6} {:>48}   {:>16}",
        "",
        "",
        "epsilon so far, by four ways of counting",
        "on other people"
    )?;
    writeln!(
        io::stdout(),
        "{:>5} {:>6} {:>22} {:>7} {:>9} {:>7}   {:>8} {:>7}",
        "epoch",
        "steps",
        "losses, both bounds",
        "Renyi",
        "advanced",
        "basic",
        "accuracy",
        "ranking"
    )?;
    let bar = ProgressBar::new(u64::from(steps)).with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len}")?);
    let data = planned(noise)?.invoke(&train)?;
    let mut weights = start;
    let mut spent = 0.0;
    for epoch in 1..=epochs {
        for _ in 0..per_epoch {
            let sum = data.eval(&step(weights.clone(), clip, noise, rate)?)?;
            weights.iter_mut().zip(sum).for_each(|(weight, sum)| *weight -= learning_rate * sum / (rate * PEOPLE));
            bar.inc(1);
        }
        let (count, composed) = (epoch * per_epoch, data.spent()?);
        let losses = composed.epsilon(delta)?;
        let renyi = composed.renyi()?.epsilon(delta)?;
        let advanced = advanced_composition(count, Epsilon(one_epsilon), Delta(one_delta), delta / 2.0)?.0;
        let basic = one_epsilon.inf_mul(f64::from(count))?;
        let (accuracy, ranking) = scores(&weights, &test);
        let bounds = format!("{:.6} to {:.6}", losses.lower, losses.upper);
        bar.suspend(|| {
            writeln!(
            io::stdout(),
            "{epoch:>5} {count:>6} {bounds:>22} {renyi:>7.4} {advanced:>9.3} {basic:>7.3}   {accuracy:>8.4} {ranking:>7.4}"
            )
        })?;
        // An epsilon whose delta is seen to do is one, also where another is printed for its bounds are a little apart.
        spent = if composed.delta(epsilon)?.upper <= delta { losses.upper.min(epsilon) } else { losses.upper };
    }
    bar.finish_and_clear();
    let (accuracy, ranking) = scores(&without_privacy(&train), &test);
    writeln!(io::stdout(), "Without privacy: accuracy {accuracy:.4}, ranking {ranking:.4}.")?;
    writeln!(io::stdout(), "Privacy spent: epsilon {spent:.6}, delta {delta:e} per person.")?;
    Ok(())
}
