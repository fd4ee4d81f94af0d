//! Command-line arguments.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Evidence against a privacy claim, by running what makes it.
///
/// Releases are made on random bits that the program chooses: nothing that it prints is private.
#[derive(Parser)]
#[command(name = "indistinct-audit", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// How results are written
    #[arg(long, value_enum, global = true, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// The probability with which a sound mechanism passes
    #[arg(long, global = true, default_value_t = 1.0 - 1e-9, value_parser = probability)]
    pub(crate) confidence: f64,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Releases of a plan, on neighboring tables that are drawn from its columns
    Plan(PlanArguments),
    /// Releases of any program on two neighbors, one in each line of two files
    Draws(DrawsArguments),
}

#[derive(Args)]
pub(crate) struct PlanArguments {
    /// A plan in TOML, or in JSON if its name ends so
    pub(crate) plan: PathBuf,
    /// CSV with the plan's columns, of rows that anybody may see or that were made up: their cells are drawn, too
    #[arg(long)]
    pub(crate) rows: Vec<PathBuf>,
    /// Releases of each table that is looked at closely
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1000..))]
    pub(crate) draws: u64,
    /// Pairs of neighboring tables that are looked at by a few releases, to choose from
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pairs: u32,
    /// How many of them are looked at closely
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) chosen: u32,
    /// The most rows of a table
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) longest: u32,
    /// The seed of tables and draws
    #[arg(long, default_value_t = 20_261_121)]
    pub(crate) seed: u64,
}

#[derive(Args)]
pub(crate) struct DrawsArguments {
    /// Releases on one input, in the order of the runs
    pub(crate) first: PathBuf,
    /// Releases on its neighbor
    pub(crate) second: PathBuf,
    /// The epsilon that is claimed, in nats
    #[arg(long, value_parser = loss)]
    pub(crate) epsilon: Option<f64>,
    /// The delta that is claimed beside it
    #[arg(long, default_value_t = 0.0, value_parser = delta)]
    pub(crate) delta: f64,
    /// The rho that is claimed (zero-concentrated divergence)
    #[arg(long, value_parser = loss)]
    pub(crate) rho: Option<f64>,
    /// The mu that is claimed (Gaussian divergence)
    #[arg(long, value_parser = loss)]
    pub(crate) mu: Option<f64>,
}

fn number(text: &str, is_allowed: impl Fn(f64) -> bool, rule: &'static str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number| is_allowed(*number)).ok_or(rule)
}

fn loss(text: &str) -> Result<f64, &'static str> {
    number(text, |loss| loss >= 0.0, "must be a number from 0 on")
}

fn delta(text: &str) -> Result<f64, &'static str> {
    number(text, |delta| (0.0..=1.0).contains(&delta), "must be a number from 0 to 1")
}

fn probability(text: &str) -> Result<f64, &'static str> {
    number(text, |probability| probability > 0.0 && probability < 1.0, "must be a number between 0 and 1")
}
