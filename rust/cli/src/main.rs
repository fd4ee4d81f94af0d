//! `indistinct`: private releases from a shell.
//!
//! Only results go to standard output. The cost of a release is shown and confirmed before it is paid. Sessions, plans
//! and the ledger make all decisions about privacy, and the program none.

mod arguments;
mod commands;
mod failure;
mod output;
mod schema;
mod targets;
mod visible;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use std::{env, ffi::OsString, panic, process::ExitCode};

fn main() -> ExitCode {
    // A library that meets what it did not expect may quote it.
    panic::set_hook(Box::new(|panic| {
        // A malformed file is no mistake in the program: the library's panic becomes an error about the file.
        if indistinct_tables::is_reading() {
            return;
        }
        let place = panic.location().map(|place| format!(", at {place}")).unwrap_or_default();
        eprintln!("error: a bug in the program{place}");
    }));
    match run(Arguments::parse_from(env::args_os().map(value))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// A statement that begins with a comment of SQL looks like an option. With a space before it, it is a value.
fn value(argument: OsString) -> OsString {
    let is_comment = |text: &str| {
        let (first, has_more) = text.split_once('\n').map_or((text, false), |(first, _)| (first, true));
        text.strip_prefix("--").is_some_and(|rest| rest.starts_with(char::is_whitespace))
            || (first.starts_with("--") && has_more && !first.contains('='))
    };
    match argument.to_str() {
        Some(text) if is_comment(text) => format!(" {text}").into(),
        _ => argument,
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let format = arguments.format;
    match arguments.command {
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::InspectPrivate(arguments) => commands::inspect_private::run(&arguments, format),
        Command::Plan(command) => commands::plan::run(&command, format),
        Command::Price(arguments) => commands::release::price(&arguments, format),
        Command::Release(arguments) => commands::release::release(&arguments, format),
        Command::Budget(command) => commands::budget::run(&command, format),
        Command::Ledger(command) => commands::ledger::run(&command, format),
        Command::Certificate(command) => commands::certificate::run(&command, format),
        Command::Accuracy(command) => commands::accuracy::run(&command, format),
        Command::Accounting(command) => commands::accounting::run(&command, format),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man { folder } => commands::shell::man(&folder),
    }
}
