//! Command-line arguments.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Search for evidence against a privacy claim, by running the mechanism.
///
/// The program chooses the random bits of all releases, so nothing that it prints is protected.
#[derive(Parser)]
#[command(name = "indistinct-audit", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, global = true, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Probability that a correct mechanism passes
    #[arg(long, global = true, default_value_t = 1.0 - 1e-9, value_parser = probability)]
    pub(crate) confidence: f64,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables and sentences for people
    Text,
    /// JSON for programs
    Json,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Audit a plan, on neighboring tables drawn from the domains of its columns
    Plan(PlanArguments),
    /// Audit the releases of any program on two neighboring inputs, given as two files with one release per line
    Draws(DrawsArguments),
}

#[derive(Args)]
pub(crate) struct PlanArguments {
    /// Plan, in TOML, or in JSON if its file name ends in .json
    pub(crate) plan: PathBuf,
    /// CSV file with the plan's columns, of public or synthetic rows: drawn tables also contain their cells
    #[arg(long)]
    pub(crate) rows: Vec<PathBuf>,
    /// Number of releases of each table in the chosen pairs
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1000..))]
    pub(crate) draws: u64,
    /// Number of pairs of neighboring tables to choose from, each tried with a few releases
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pairs: u32,
    /// Number of pairs to choose
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) chosen: u32,
    /// Maximum number of rows of a table
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) longest: u32,
    /// Seed of the tables and the draws
    #[arg(long, default_value_t = 20_261_121)]
    pub(crate) seed: u64,
}

#[derive(Args)]
pub(crate) struct DrawsArguments {
    /// File with the releases on one input, in the order of the runs
    pub(crate) first: PathBuf,
    /// File with the releases on the neighboring input
    pub(crate) second: PathBuf,
    /// Claimed epsilon
    #[arg(long, value_parser = loss)]
    pub(crate) epsilon: Option<f64>,
    /// Claimed delta, together with epsilon
    #[arg(long, default_value_t = 0.0, value_parser = delta)]
    pub(crate) delta: f64,
    /// Claimed rho (zero-concentrated differential privacy, zCDP)
    #[arg(long, value_parser = loss)]
    pub(crate) rho: Option<f64>,
    /// Claimed mu (Gaussian differential privacy, GDP)
    #[arg(long, value_parser = loss)]
    pub(crate) mu: Option<f64>,
}

fn number(text: &str, is_allowed: impl Fn(f64) -> bool, rule: &'static str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number| is_allowed(*number)).ok_or(rule)
}

fn loss(text: &str) -> Result<f64, &'static str> {
    number(text, |loss| loss >= 0.0, "must be a number of at least 0")
}

fn delta(text: &str) -> Result<f64, &'static str> {
    number(text, |delta| (0.0..=1.0).contains(&delta), "must be a number from 0 to 1")
}

fn probability(text: &str) -> Result<f64, &'static str> {
    number(text, |probability| probability > 0.0 && probability < 1.0, "must be a number between 0 and 1")
}
