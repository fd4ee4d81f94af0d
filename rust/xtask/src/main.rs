//! The project's own chores.
//!
//! `cargo xtask proofs` checks that every proof still speaks of the code as it is; `cargo xtask proofs --update`, a human
//! act after reading proof and code again, records that it does.

use clap::{Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};

#[derive(Parser)]
#[command(about = "The project's own chores")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check that every page under proofs/ speaks of the code as it is.
    Proofs {
        /// Record the present code in the pages, and write the index and the table of levels.
        #[arg(long)]
        update: bool,
        /// The workspace.
        #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))]
        root: PathBuf,
    },
    /// Print the names of the theorems that pages stand on, for Coq to print their statements and axioms.
    Theorems {
        /// The workspace.
        #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))]
        root: PathBuf,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    match Arguments::parse().chore {
        Chore::Proofs { update, root } => {
            let report = if update { xtask::proofs::update(&root)? } else { xtask::proofs::check(&root)? };
            report.problems.iter().for_each(|problem| eprintln!("{problem}"));
            println!("{report}");
            Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::Theorems { root } => {
            xtask::proofs::theorems(&root)?.iter().for_each(|theorem| println!("{theorem}"));
            Ok(ExitCode::SUCCESS)
        }
    }
}
