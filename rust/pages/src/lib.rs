//! Snippets of pages with their output.
//!
//! The output of a snippet is the next block of the page, if it is a `text` block and only empty lines are between
//! them. In a `console` block, commands begin with `$ `, continuation lines of a command begin with `> `, and all other
//! lines are output. A line `…` in an output stands for any lines. Tests run all snippets of a page in a copy of
//! `examples/data`, beside the copies of blocks that begin with a comment with the name of a file, such as `#
//! schema.toml`.
//!
//! The noise is the same in each run, because a test replaces the random function of the operating system in the
//! process that it starts ([`seeded`]). No build of the program or of the Python package takes a seed.

// This crate only serves tests: a failure here is a failed test.
#![allow(clippy::expect_used, clippy::panic)]

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use walkdir::WalkDir;

/// A block of code in a page.
#[derive(Debug, Clone)]
pub struct Block {
    /// The word after the backticks, such as `rust`.
    pub language: String,
    /// The place of its text in the page.
    pub place: Range<usize>,
    /// True if only empty lines are between the previous block and this one.
    pub follows: bool,
}

impl Block {
    /// Returns a new block with an output, for insertion below this one.
    pub fn below(&self, output: &str) -> (Range<usize>, String) {
        let end = self.place.end + "```\n".len();
        (end..end, format!("\n```text\n{}```\n", shown("", output)))
    }
}

/// A page of the documentation.
#[derive(Debug, Clone)]
pub struct Page {
    /// The path of its file, relative to the folder of the project.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The folder of the project.
pub fn project() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("a folder of the project").to_owned()
}

/// All pages that have snippets for readers.
pub fn pages() -> Vec<Page> {
    let project = project();
    let is_page = |name: &str| {
        let is_readme = name == "README.md" || name.starts_with("rust/") && name.ends_with("/README.md");
        let is_documentation = name.starts_with("docs/") && name.ends_with(".md") && !name.starts_with("docs/dev/");
        is_readme || is_documentation
    };
    let files = ["README.md", "docs", "rust"].into_iter().flat_map(|place| {
        let depth = if place == "rust" { 2 } else { usize::MAX };
        WalkDir::new(project.join(place)).max_depth(depth).sort_by_file_name()
    });
    let files = files.map(|file| file.expect("a readable folder")).filter(|file| file.file_type().is_file());
    let names = files.map(|file| {
        let name = file.path().strip_prefix(&project).expect("a file of the project");
        name.to_str().expect("a name in UTF-8").to_owned()
    });
    names.filter(|name| is_page(name)).map(|name| Page::read(&name)).collect()
}

impl Page {
    /// Reads the page with this name.
    ///
    /// # Panics
    ///
    /// Panics if the page cannot be read.
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(project().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.into(), text }
    }

    /// Returns its blocks of code, in order.
    pub fn blocks(&self) -> Vec<Block> {
        let (mut blocks, mut open, mut at, mut follows) = (Vec::new(), None, 0, false);
        for line in self.text.split_inclusive('\n') {
            let next = at + line.len();
            match (&open, line.strip_prefix("```")) {
                (None, Some(language)) => open = Some((language.trim().to_owned(), next)),
                (Some(_), Some("\n")) => {
                    let (language, start): (String, usize) = open.take().expect("an open block");
                    blocks.push(Block { language, place: start..at, follows });
                    follows = true;
                }
                (None, None) => follows &= line.trim().is_empty(),
                (Some(_), _) => {}
            }
            at = next;
        }
        blocks
    }

    /// The text at a place.
    pub fn at(&self, place: &Range<usize>) -> &str {
        self.text.get(place.clone()).expect("a place in the page")
    }

    /// The blocks in a language, each with the place of its output, if it has one.
    pub fn snippets(&self, language: &str) -> Vec<(Block, Option<Range<usize>>)> {
        let blocks = self.blocks();
        let output = |number: usize| {
            let next = blocks.get(number + 1)?;
            (next.follows && next.language == "text").then(|| next.place.clone())
        };
        let numbered = blocks.iter().enumerate().filter(|(_, block)| block.language == language);
        numbered.map(|(number, block)| (block.clone(), output(number))).collect()
    }

    /// A folder for the snippets of the page, as the module's head says, and the place in it where they run.
    pub fn folder(&self) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        for part in ["examples/data", "examples/cookbook"] {
            for file in WalkDir::new(project().join(part)) {
                let file = file.expect("a readable folder");
                let to = folder.path().join(file.path().strip_prefix(project()).expect("a file of the project"));
                if file.file_type().is_dir() {
                    fs::create_dir_all(&to).expect("a new folder");
                } else {
                    fs::copy(file.path(), &to).expect("a copy");
                }
            }
        }
        let here = folder.path().join("examples/data");
        for block in self.blocks() {
            let text = self.at(&block.place);
            let first = text.lines().next().unwrap_or_default();
            let name = first.strip_prefix("# ").or_else(|| first.strip_prefix("-- ")).unwrap_or_default();
            let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
            if [".toml", ".sql", ".csv", ".json"].iter().any(|end| name.ends_with(end)) && is_name(name) {
                fs::write(here.join(name), text).expect("a file of the page");
            }
        }
        (folder, here)
    }

    /// The page with other texts at some of its places.
    #[must_use]
    pub fn with(&self, texts: Vec<(Range<usize>, String)>) -> Self {
        let mut changed = self.clone();
        for (place, text) in texts.into_iter().rev() {
            changed.text.replace_range(place, &text);
        }
        changed
    }

    /// Returns the lines of `printed`, the page with the outputs of this run, that the page does not show.
    pub fn difference(&self, printed: &Self) -> Option<String> {
        if self.text == printed.text {
            return None;
        }
        let there: Vec<_> = self.text.lines().collect();
        let (mut difference, mut from) = (format!("{}: the page differs from what its snippets print", self.name), 0);
        for line in printed.text.lines() {
            match there.iter().skip(from).position(|old| *old == line) {
                Some(distance) => from += distance + 1,
                None => difference += &format!("\n  printed: {line}"),
            }
        }
        Some(difference + "\n  UPDATE=1 writes what is printed into the page")
    }

    /// Writes `printed` if the variable `UPDATE` is set, or returns the difference.
    pub fn check(&self, printed: &Self) -> Option<String> {
        let difference = self.difference(printed)?;
        if std::env::var_os("UPDATE").is_none() {
            return Some(difference);
        }
        fs::write(project().join(&self.name), &printed.text).expect("a page that can be written");
        None
    }
}

/// The text that a page shows for an output: the text that is there if it fits, with its lines `…` for any lines, or
/// the output.
pub fn shown(there: &str, printed: &str) -> String {
    let printed: String = printed.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if fits(&there.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>()) {
        return there.into();
    }
    printed
}

fn fits(there: &[&str], printed: &[&str]) -> bool {
    match (there, printed) {
        (["…", rest @ ..], _) => (1..=printed.len()).any(|skip| fits(rest, printed.get(skip..).unwrap_or_default())),
        ([first, rest @ ..], [line, lines @ ..]) => first == line && fits(rest, lines),
        _ => there.is_empty() && printed.is_empty(),
    }
}

/// The replacement of the system's random function, compiled into `folder`.
///
/// # Panics
///
/// Panics if the C compiler fails, which the library also needs.
pub fn seeded(folder: &Path) -> PathBuf {
    let library = folder.join("seeded.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/seeded.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(compiler).args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
    assert!(compiled.expect("a C compiler").success(), "the C compiler has failed");
    library
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "A\n\n```rust\nprint\n```\n\n```text\n1\n```\n\n```rust\nx\n```\nB\n```text\n2\n```\n";

    fn page(text: &str) -> Page {
        Page { name: "page.md".into(), text: text.into() }
    }

    #[test]
    fn an_output_follows_its_snippet_directly() {
        let page = page(TEXT);
        let snippets = page.snippets("rust");
        let found: Vec<_> = snippets
            .iter()
            .map(|(block, output)| (page.at(&block.place), output.as_ref().map(|output| page.at(output))))
            .collect();
        assert_eq!(found, [("print\n", Some("1\n")), ("x\n", None)]);
    }

    #[test]
    fn a_line_of_dots_stands_for_lines() {
        for (there, printed, is_shown) in [
            ("a\n", "a\n", true),
            ("a\n", "b\n", false),
            ("a\n…\nd\n", "a\nb\nc\nd\n", true),
            ("a\n…\n", "a\n", false),
            ("…\n", "a\n", true),
            ("a\n…\nd\n", "a\nb\n", false),
        ] {
            assert_eq!(shown(there, printed) == there, is_shown, "{there} {printed}");
        }
    }

    #[test]
    fn a_page_that_shows_another_output_is_refused() {
        let page = page(TEXT);
        let output = page.snippets("rust").into_iter().find_map(|(_, output)| output).expect("an output");
        let printed = page.with(vec![(output, "3\n".into())]);
        let difference = page.difference(&printed).expect("a difference");
        assert!(difference.contains("page.md") && difference.contains("printed: 3"), "{difference}");
        assert_eq!(page.difference(&page), None);
    }
}
