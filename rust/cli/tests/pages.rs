//! The commands of pages print what stands below them: see `rust/pages`. `UPDATE=1` writes it there.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use indistinct_pages::{Page, pages, seeded, shown};
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A command with what a page shows below it.
struct Session {
    command: String,
    output: String,
}

/// What an SQL block is run by, unless its page shows another command.
const BY: &str = "indistinct release \"$SQL\" --spend epsilon=1 --schema calls.toml --yes --name";

fn sessions(block: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            sessions.push(Session { command: format!("{command}\n"), output: String::new() });
        } else if let Some(further) = line.strip_prefix("> ") {
            sessions.last_mut().unwrap().command += &format!("{further}\n");
        } else {
            sessions.last_mut().expect("a command before its output").output += &format!("{line}\n");
        }
    }
    sessions
}

/// What the commands print, run one after another by one shell.
fn run(commands: &[String], here: &Path, library: &Path) -> Vec<String> {
    const END: &str = "--- the next command of the page ---";
    let script = commands.iter().map(|command| {
        // Noise follows from the command, and not from what else is on the page.
        format!("export PAGE_SEED={:?}\n{{ {command} }} 2>&1 < /dev/null\necho '{END}'\n", seed(command))
    });
    let program = Path::new(env!("CARGO_BIN_EXE_indistinct"));
    let path = std::env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var("PATH").unwrap())),
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &script.collect::<String>()]).current_dir(here).env("LD_PRELOAD", library);
    let output = shell.env("PATH", path.unwrap()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let printed: Vec<_> = printed.split(&format!("{END}\n")).map(str::to_owned).collect();
    assert_eq!(printed.len(), commands.len() + 1, "{printed:?}");
    printed[..commands.len()].to_vec()
}

/// The letters of a command, for a seed.
fn seed(command: &str) -> String {
    command.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The page with what its console blocks print.
fn printed(page: &Page, library: &Path) -> Page {
    let blocks: Vec<_> = match page.name.ends_with(".md") {
        true => page.snippets("console").into_iter().map(|(block, _)| block.place).collect(),
        // The help of a command.
        false => std::iter::once(0..page.text.len()).collect(),
    };
    if blocks.is_empty() {
        return page.clone();
    }
    let (_folder, here) = page.folder();
    let sessions: Vec<_> = blocks.iter().map(|place| sessions(page.at(place))).collect();
    let commands: Vec<_> = sessions.iter().flatten().map(|session| session.command.clone()).collect();
    let mut outputs = run(&commands, &here, library).into_iter();
    let block = |sessions: &Vec<Session>| -> String {
        let texts = sessions.iter().zip(outputs.by_ref()).map(|(session, output)| {
            let lines: Vec<_> = session.command.lines().collect();
            format!("$ {}\n{}", lines.join("\n> "), shown(&session.output, &output))
        });
        texts.collect()
    };
    let texts: Vec<_> = sessions.iter().map(block).collect();
    page.with(blocks.into_iter().zip(texts).collect())
}

/// The page with the tables that its SQL blocks release.
fn released(page: &Page, library: &Path) -> Page {
    let snippets: Vec<_> =
        page.snippets("sql").into_iter().filter_map(|(block, output)| Some((block, output?))).collect();
    if snippets.is_empty() {
        return page.clone();
    }
    let (_folder, here) = page.folder();
    let mut commands = vec!["indistinct budget open calls --budget epsilon=1000\n".to_owned()];
    let statements = snippets.iter().map(|(block, _)| page.at(&block.place));
    commands.extend(statements.enumerate().map(|(number, sql)| format!("SQL={}\n{BY} {number}\n", quoted(sql))));
    let outputs = run(&commands, &here, library).into_iter().skip(1);
    let texts = snippets.iter().zip(outputs).map(|((_, output), text)| {
        let table: Vec<_> = text.lines().filter(|line| !line.starts_with("note: ")).collect();
        (output.clone(), shown(page.at(output), &(table.join("\n") + "\n")))
    });
    page.with(texts.collect())
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.trim().replace('\'', r"'\''"))
}

#[test]
fn commands_print_what_pages_show() {
    let folder = tempfile::tempdir().unwrap();
    let library = seeded(folder.path());
    let help = ["price", "release", "accounting"].map(|name| Page::read(&format!("rust/cli/src/help/{name}.txt")));
    let pages = [pages(), help.to_vec()].concat();
    let checked: Vec<_> = pages.iter().map(|page| page.check(&released(&printed(page, &library), &library))).collect();
    let wrong: Vec<_> = checked.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The seeds are of this test alone: without it, two releases differ, whatever the environment says.
#[test]
fn the_program_takes_no_seed() {
    let page = Page { name: "page".into(), text: String::new() };
    let (_folder, here) = page.folder();
    let question = "indistinct release 'SELECT SUM(CLAMP(cost, 0, 2000)) FROM calls' --spend epsilon=1 \
                    --schema calls.toml --yes --name";
    let open = "rm -f budget.ledger && indistinct budget open calls --budget epsilon=1 > /dev/null\n".to_owned();
    let release = |library: &Path| run(&[open.clone(), format!("{question} sum\n")], &here, library)[1].clone();
    let library = seeded(&here);
    let none = Path::new("");
    assert_eq!(release(&library), release(&library), "the noise of a test is fixed");
    assert_ne!(release(none), release(none), "the program has taken a seed from its environment");
}
