//! What the code does, in the form in which Coq checks it.

mod certificates;
mod gaussian;
mod source;
mod tapes;
mod theorems;

use clap::{Parser, Subcommand};
use std::{io::Write, num::NonZero};

#[derive(Parser)]
#[command(about = "What the code does, in the form in which Coq checks it")]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What the samplers answer on random tapes of bits.
    Tapes {
        /// The number of tapes for each sampler.
        #[arg(long, default_value_t = 100_000)]
        tapes: u32,
        /// The sampler that is to be replaced by one with a mistake.
        #[arg(long)]
        mutant: Option<tapes::Sampler>,
    },
    /// Values of the maps, for `Claims.v`.
    Certificates {
        /// The number of values for each map.
        #[arg(long, default_value_t = 100)]
        values: u32,
        /// The number of values for each map at parameters of all sizes, from subnormal to the greatest float.
        #[arg(long, default_value_t = 16)]
        extreme: u32,
        /// Which part of the maps, from 1.
        #[arg(long, default_value_t = 1)]
        part: usize,
        /// How many parts there are.
        #[arg(long, default_value = "1")]
        of: NonZero<usize>,
    },
    /// Values of the Gaussian maps, as goals for `Gaussian.v`.
    Gaussian {
        /// The number of values for each map.
        #[arg(long, default_value_t = 100)]
        values: u32,
        /// The number of goals for each map at parameters of all sizes.
        #[arg(long, default_value_t = 12)]
        extreme: usize,
    },
    /// What counts these, and prints what they rest on.
    Summary {
        /// The modules that they are in.
        #[arg(long)]
        modules: String,
    },
}

fn main() -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match Arguments::parse().what {
        What::Tapes { tapes, mutant } => tapes::print(tapes, mutant, &mut out)?,
        What::Certificates { values, extreme, part, of } => {
            certificates::print(values, extreme, (part, of.get()), &mut out)?;
        }
        What::Gaussian { values, extreme } => gaussian::print(values, extreme, &mut out)?,
        What::Summary { modules } => {
            theorems::summarize(modules.trim(), certificates::names(), gaussian::names(), &mut out)?;
        }
    }
    Ok(out.flush()?)
}
