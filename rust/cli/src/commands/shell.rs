//! `completions` and `man`.

use crate::{arguments::Arguments, failure::Failure, output::print};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::{fs, path::Path};

pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    generate(shell, &mut Arguments::command(), "indistinct", &mut text);
    print(&String::from_utf8_lossy(&text))
}

pub(crate) fn man(folder: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)
}
