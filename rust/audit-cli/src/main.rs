//! `indistinct-audit`: evidence against a privacy claim.

mod arguments;
mod draws;
mod failure;
mod plan;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use std::{
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// Returns true if the claim is refuted.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let (text, is_refuted) = match &arguments.command {
        Command::Plan(plan) => plan::run(plan, arguments.confidence, arguments.format),
        Command::Draws(draws) => draws::run(draws, arguments.confidence, arguments.format),
    }?;
    print(&text)?;
    Ok(is_refuted)
}

/// To standard output; a reader that has closed it has read enough.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::File(format!("output: {error}"))),
        _ => Ok(()),
    }
}
