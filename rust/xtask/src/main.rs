//! The project's own chores.
//!
//! `cargo xtask proofs` checks that every proof still speaks of the code as it is; `cargo xtask proofs --update`, a
//! human act after reading proof and code again, records that it does. Code that has only moved need not be read again:
//! `cargo xtask proofs --moves`.

use anyhow::Context;
use clap::{Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};

#[derive(Parser)]
#[command(about = "The project's own chores")]
struct Arguments {
    /// The workspace; the one around the present folder, if none is named.
    #[arg(long, global = true)]
    root: Option<PathBuf>,
    #[command(subcommand)]
    chore: Option<Chore>,
}

#[derive(Subcommand)]
enum Chore {
    /// Print the circles of imports between modules and between folders; what is done if nothing else is asked for.
    Circles,
    /// Check that every page under proofs/ speaks of the code as it is.
    Proofs {
        /// Record the present code in the pages, and write the index and the table of levels.
        #[arg(long)]
        update: bool,
        /// Record only where code is that has moved without a change: nothing needs to be read again.
        #[arg(long, conflicts_with = "update")]
        moves: bool,
        /// List the code of the crates that make a release, with the pages whose hashes cover it, or why none has to.
        #[arg(long, conflicts_with_all = ["update", "moves"])]
        coverage: bool,
        /// The commit since which code has moved.
        #[arg(long, default_value = "HEAD")]
        since: String,
    },
    /// Write the drawings in docs/figures that show crates and neighbors.
    Drawings,
    /// Print the sentences of pages, doc comments and messages, and the subjects of commits, that break a rule.
    Words {
        /// The commit since which subjects are read.
        #[arg(long, default_value = xtask::words::SINCE)]
        since: String,
    },
    /// Write the files of a new constructor: its code, its page, its row in the gate, and the lists.
    New {
        /// The constructor, such as `make_x`.
        name: String,
        /// Its folder in rust/indistinct/src.
        #[arg(long = "in")]
        folder: String,
        /// The file of rust/audit/tests/gate for its audit; `noise` for a measurement, otherwise named as the folder.
        #[arg(long)]
        family: Option<String>,
    },
    /// Write the lists of constructors: the names that folders re-export, and the calls from plans.
    Lists,
    /// Write the numbers of docs/measured.toml into the pages that name them.
    Measured,
    /// Print the names of the theorems that pages stand on, for Coq to print their statements and axioms.
    Theorems,
    /// Print what `make proofs` reads, with hashes. It writes this to `proofs/stamp.txt` when it has passed.
    Stamp,
    /// Print the definitions that these theorems speak of, out of all that `proofs/definitions.sh` has printed by Coq.
    Definitions {
        /// What Coq printed.
        printed: PathBuf,
    },
}

/// Where the present folder lies: a copy of this program must not write to the workspace that it was built in.
fn workspace() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir()?;
    let found = here.ancestors().find(|folder| folder.join("rust/xtask/Cargo.toml").is_file());
    Ok(found.context("the present folder is in no workspace of this project; name one by --root")?.into())
}

fn main() -> anyhow::Result<ExitCode> {
    let Arguments { root, chore } = Arguments::parse();
    let root = root.map_or_else(workspace, Ok)?;
    match chore.unwrap_or(Chore::Circles) {
        Chore::Circles => {
            let circles = xtask::circles::circles(&root)?;
            circles.iter().for_each(|circle| println!("{circle}"));
            println!("{} circles of imports", circles.len());
            Ok(if circles.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::Proofs { coverage: true, .. } => {
            let covered = xtask::proofs::coverage(&root)?;
            covered.iter().for_each(|covered| println!("{covered}"));
            let counts = xtask::proofs::counts(&covered);
            counts.iter().for_each(|count| println!("{count}"));
            let missing = covered.iter().filter(|covered| !covered.is_accounted_for()).count();
            println!("{} of {} units stand on a page or a reason", covered.len() - missing, covered.len());
            Ok(if missing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::Proofs { update, moves, since, .. } => {
            let report = match (update, moves) {
                (true, _) => xtask::proofs::update(&root, &since)?,
                (_, true) => xtask::proofs::follow(&root, &since)?,
                _ => xtask::proofs::check(&root)?,
            };
            report.moved.iter().for_each(|moved| println!("moved: {moved}"));
            report.read.iter().for_each(|page| println!("changed, and recorded as read again: {page}"));
            report.problems.iter().for_each(|problem| eprintln!("{problem}"));
            println!("{report}");
            Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::Drawings => {
            xtask::drawings::write(&root)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Words { since } => {
            let sentences = xtask::words::findings(&root)?;
            sentences.iter().for_each(|sentence| println!("{sentence}"));
            let subjects = xtask::words::commits(&root, &since)?;
            subjects.iter().for_each(|subject| println!("{subject}"));
            println!("{} sentences and {} subjects break a rule", sentences.len(), subjects.len());
            Ok(if sentences.is_empty() && subjects.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::New { name, folder, family } => {
            let family = family.as_deref().unwrap_or_else(|| xtask::new::family_of(&folder));
            let place = xtask::new::Place { name: &name, folder: &folder, family };
            println!("{}", xtask::new::write(&root, &place)?);
            Ok(ExitCode::SUCCESS)
        }
        Chore::Lists => {
            xtask::lists::write(&root)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Measured => {
            xtask::measured::write(&root)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Theorems => {
            xtask::proofs::theorems(&root)?.iter().for_each(|theorem| println!("{theorem}"));
            Ok(ExitCode::SUCCESS)
        }
        Chore::Stamp => {
            print!("{}", xtask::proofs::stamp(&root)?);
            Ok(ExitCode::SUCCESS)
        }
        Chore::Definitions { printed } => {
            print!("{}", xtask::proofs::definitions(&std::fs::read_to_string(printed)?)?);
            Ok(ExitCode::SUCCESS)
        }
    }
}
