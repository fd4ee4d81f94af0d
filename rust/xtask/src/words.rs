//! A lint for the project's English: sentences of pages, documentation comments and messages, and subjects of commits.
//!
//! Sentences are found by their words, not by grammar, so the rules are few and narrow: no clause as the subject, no
//! fronted complement, no "told" or "is said", no "is no X". The whole set of rules for writing is in CONTRIBUTING.md.

mod commits;
mod rules;
mod texts;

pub use commits::{SINCE, commits, problem};
pub use rules::{Rule, broken};
pub use texts::{Kind, Place, Sentence, sentences};

use anyhow::{Context, Result};
use std::{fmt, fs, path::Path};
use walkdir::WalkDir;

/// A sentence that breaks a rule.
pub struct Finding {
    /// The file, relative to the workspace.
    pub file: String,
    /// The line on which the sentence's paragraph begins.
    pub line: usize,
    /// The rule that it breaks.
    pub rule: Rule,
    /// The sentence.
    pub sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.rule, self.sentence)
    }
}

/// The pages and sources that are read.
const PLACES: [&str; 7] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "examples", "rust"];

/// Files and folders that are not read, with the reason.
const LEFT_OUT: [(&str, &str); 6] = [
    ("docs/dev/", "notes for those who change the code"),
    ("rust/indistinct/src/frames/interpreter.rs", "tests"),
    ("rust/bench/", "a tool of the project: its documentation is not public"),
    ("rust/fuzz/", "a tool of the project"),
    ("rust/xtask/", "a tool of the project"),
    ("rust/cluster/speed/", "a tool of the project"),
];

/// Sentences that break a rule and stay: the file, a phrase of the sentence, and the reason.
pub const ALLOWED: &[(&str, &str, &str)] = &[
    ("CONTRIBUTING.md", "not \"nobody is told\"", "an example of what rule 4 forbids"),
    ("CONTRIBUTING.md", "Avoid \"tell\"", "rule 4 itself"),
    ("CONTRIBUTING.md", "not \"is no float\"", "an example of what rule 7 forbids"),
];

/// The sentences of the workspace that break a rule, except those in [`ALLOWED`].
pub fn findings(root: &Path) -> Result<Vec<Finding>> {
    let mut found = all(root)?;
    found.retain(|finding| !ALLOWED.iter().any(|allowed| covers(allowed, finding)));
    Ok(found)
}

/// The phrases in [`ALLOWED`] that no finding needs any more.
pub fn unused(root: &Path) -> Result<Vec<&'static str>> {
    let found = all(root)?;
    let unused = ALLOWED.iter().filter(|allowed| !found.iter().any(|finding| covers(allowed, finding)));
    Ok(unused.map(|(_, phrase, _)| *phrase).collect())
}

fn covers((file, phrase, _): &(&str, &str, &str), finding: &Finding) -> bool {
    finding.file == *file && finding.sentence.contains(phrase)
}

fn all(root: &Path) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for place in PLACES {
        let is_kept =
            |entry: &walkdir::DirEntry| !["target", "tests", "tests.rs"].iter().any(|name| entry.file_name() == *name);
        for entry in WalkDir::new(root.join(place)).sort_by_file_name().into_iter().filter_entry(is_kept) {
            let entry = entry?;
            let file = entry.path().strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            let Some(kind) = Kind::of(&file) else { continue };
            if entry.file_type().is_dir() || LEFT_OUT.iter().any(|(left_out, _)| file.starts_with(left_out)) {
                continue;
            }
            let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read {file}"))?;
            for sentence in sentences(kind, &text) {
                if let Some(rule) = broken(&sentence) {
                    found.push(Finding { file: file.clone(), line: sentence.line, rule, sentence: sentence.text });
                }
            }
        }
    }
    Ok(found)
}
