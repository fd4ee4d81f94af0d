//! Each piece of Rust on a page prints what stands below it, and no piece prints what does not: see `rust/pages`.
//! `UPDATE=1` writes it there.

use indistinct_pages::{Page, pages, seeded, shown};
use std::{
    env,
    path::Path,
    process::{Command, ExitCode},
};

#[allow(warnings, clippy::all, clippy::restriction)]
mod snippets {
    include!(concat!(env!("OUT_DIR"), "/snippets.rs"));

    pub(super) fn run(page: &str, place: usize) -> Result<(), String> {
        let found = SNIPPETS.iter().find(|(key, _)| *key == (page, place));
        found.ok_or("there is no such snippet")?.1()
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    // This program again, with the noise of tests.
    if let [option, page, place] = arguments.as_slice()
        && option == "--snippet"
    {
        return match place.parse().map_err(|_| "no number".to_owned()).and_then(|place| snippets::run(page, place)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    if !cfg!(target_os = "linux") {
        return ExitCode::SUCCESS;
    }
    match check() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn check() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let library = seeded(folder.path());
    let mut wrong = Vec::new();
    for page in pages() {
        match printed(&page, &library) {
            Ok(printed) => wrong.extend(page.check(&printed)),
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}

/// The page with what its Rust prints.
fn printed(page: &Page, library: &Path) -> Result<Page, String> {
    let snippets = page.snippets("rust");
    if snippets.is_empty() {
        return Ok(page.clone());
    }
    let (_folder, here) = page.folder();
    let mut texts = Vec::new();
    for (place, (block, output)) in snippets.into_iter().enumerate() {
        let name = format!("{}, piece {} of Rust", page.name, place + 1);
        let program = env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(["--snippet", &page.name, &place.to_string()]).current_dir(&here);
        command.env("LD_PRELOAD", library).env("PAGE_SEED", &name);
        let run = command.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        if !run.status.success() {
            return Err(format!("{name}: {text}{}", String::from_utf8_lossy(&run.stderr)));
        }
        match output {
            Some(output) => texts.push((output.clone(), shown(page.at(&output), &text))),
            None if text.is_empty() => {}
            None => texts.push(block.below(&text)),
        }
    }
    Ok(page.with(texts))
}
