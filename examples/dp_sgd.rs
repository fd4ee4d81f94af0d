//! Logistic regression by noisy gradients (DP-SGD, DP-FTRL): who will be in hospital this year?
//!
//! The model is trained on the years of four in five people of the RAND Health Insurance Experiment (see
//! `data/README.md`) and protects each *individual* with all their years: it is (epsilon, delta)-differentially private
//! where neighbors differ by one individual added or removed.
//!
//!     cargo run --release --bin dp_sgd -- --epsilon 2
//!     cargo run --release --bin dp_sgd -- --epsilon 2 --quantile 0.5
//!     cargo run --release --bin dp_sgd -- --epsilon 2 --way followed --quantile 0.5
//!     cargo run --release --bin dp_sgd -- --epsilon 2 --way correlated
//!
//! # What is run
//!
//! A step is one measurement, a chain (`dp_sgd/chain.rs`):
//!
//! 1. each individual is taken by a fresh coin of their own (`make_poisson_sampling`, which forgets the sample);
//! 2. the gradients of an individual's years are added up, and what comes out is shortened to at most `--clip`
//!    (`make_norm_clip`, in L2);
//! 3. the vectors of all who were taken are added up exactly (`make_vector_sum`), and Gaussian noise is added
//!    (`make_gaussian`);
//! 4. with `--quantile`, how many gradients were *not* shortened is counted with noise, of the same sample
//!    (`make_composition`), and the length follows that share of them: what is chosen by a release costs nothing more.
//!
//! How many people were taken is secret: the noisy sum is divided by a number that is chosen beforehand, about how many
//! are *expected*. The weights after a step are computed from what was released, so that the next step may use them:
//! composition is adaptive.
//!
//! # Who charges what
//!
//! Nobody has to state a rate, a number of steps or a scale to an accountant: the loss is read off the measurements.
//! The noisy sum has a mu (`GaussianDivergence`), which `make_GDP_to_PLD` converts to a privacy loss distribution. For
//! Poisson samples the worst pair of distributions is known, in each direction (an individual more, an individual
//! less), and that is the map of a step under `PrivacyLossDivergence`. There are three ways to go on:
//!
//! - `planned` (`dp_sgd/planned.rs`): `make_adaptive_composition` declares one such loss for each step and allows no
//!   other. Its map is the privacy of the training, and what it says was `spent` so far that of the steps until now,
//!   with a proven bound on either side; the upper one counts. The other columns are for comparison: the Renyi
//!   divergences of the same losses, and what basic and advanced composition make of one (epsilon, delta) for each
//!   step, sampling included.
//! - `followed` (`dp_sgd/followed.rs`): `make_privacy_filter` keeps a budget of Renyi divergence at one order, which is
//!   chosen beforehand, and counts each step as it comes, with as much noise as it has. So the noise can be chosen in
//!   view of the run, and the end, too; somewhat more is charged for each step.
//! - `correlated` (`dp_sgd/correlated.rs`): no sample is secret. Each step looks at its own part of the people, and
//!   `make_matrix_factorization` correlates the noise of the steps so that their sum has little of it.
//!
//! The noise is the least with which the map of the training is within the budget, found by asking it.
//!
//! The scores on the other people's years are for the reader, and no part of the release: they are computed without
//! noise.

#[path = "dp_sgd/chain.rs"]
mod chain;
#[path = "dp_sgd/correlated.rs"]
mod correlated;
#[path = "dp_sgd/followed.rs"]
mod followed;
#[path = "dp_sgd/model.rs"]
mod model;
#[path = "dp_sgd/planned.rs"]
mod planned;

use clap::{Parser, ValueEnum};
use indistinct_examples::{end, positive, probability};
use model::{scores, survey, without_privacy};
use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// Logistic regression by noisy gradients, private for each individual.
#[derive(Parser)]
struct Arguments {
    /// How steps are chosen, and counted
    #[arg(long, value_enum, default_value_t = Way::Planned)]
    way: Way,
    /// The privacy loss allowed for each individual
    #[arg(long, default_value_t = 2.0, value_parser = positive)]
    epsilon: f64,
    /// The probability allowed that more is lost
    #[arg(long, default_value_t = 1e-6, value_parser = probability)]
    delta: f64,
    /// The probability with which a step looks at an individual, or the share of people in its part
    #[arg(long, default_value_t = 0.05, value_parser = rate)]
    rate: f64,
    /// How many times as many people are looked at as there are
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// The greatest length of an individual's gradient, at first if there is a quantile
    #[arg(long, default_value_t = 2.0, value_parser = positive)]
    clip: f64,
    /// The share of gradients that the greatest length shall leave as they are, found by noisy counts
    #[arg(long, value_parser = probability)]
    quantile: Option<f64>,
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

/// How the steps of a training are chosen, and counted.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Way {
    /// All alike and as many as planned, by the distribution of their losses
    Planned,
    /// With noise chosen on the way, until a budget of Renyi divergence is spent
    Followed,
    /// One part of the people after another, with noise that is correlated
    Correlated,
}

impl Arguments {
    /// How many steps there are in an epoch, and in all.
    fn steps(&self) -> (u32, u32) {
        let per_epoch = (1..=10_000u32).find(|steps| f64::from(*steps) * self.rate >= 1.0).unwrap_or(10_000);
        (per_epoch, per_epoch * self.epochs)
    }
}

fn rate(text: &str) -> Result<f64, &'static str> {
    let rate: f64 = text.parse().map_err(|_| "must be a number")?;
    if (1e-4..=1.0).contains(&rate) { Ok(rate) } else { Err("must be from 0.0001 to 1") }
}

fn main() -> ExitCode {
    end(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (train, test) = survey(&arguments.data)?;
    if arguments.way == Way::Correlated && arguments.quantile.is_some() {
        return Err("--quantile: the noise is correlated between steps of one length".into());
    }
    let years: Vec<model::Person> = train.iter().map(|(_, years)| years.clone()).collect();
    let spent = match arguments.way {
        Way::Planned => planned::run(arguments, &years, &test)?,
        Way::Followed => followed::run(arguments, &years, &test)?,
        Way::Correlated => correlated::run(arguments, &train, &test)?,
    };
    let (accuracy, ranking) = scores(&without_privacy(&years), &test);
    writeln!(io::stdout(), "Without privacy: accuracy {accuracy:.4}, ranking {ranking:.4}.")?;
    writeln!(io::stdout(), "Privacy spent: epsilon {spent:.6}, delta {:e} per individual.", arguments.delta)?;
    Ok(())
}
