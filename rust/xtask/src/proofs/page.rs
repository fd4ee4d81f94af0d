//! A page: front matter, then prose.

use super::{
    report::Problem,
    review,
    runs::{self, RUNS},
};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::{collections::BTreeMap, fmt, fs, iter, path::Path};
use walkdir::WalkDir;

/// The statements and axioms of all theorems that pages stand on, as Coq printed them.
pub(super) const STATEMENTS: &str = "proofs/statements.txt";

/// How much of the argument a machine has checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) enum Level {
    A,
    B,
    C,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// An item that a page speaks of, and the hash of its tokens when the page was last read against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) item: String,
    pub(super) hash: String,
}

#[derive(Debug, Clone)]
pub(super) struct Page {
    /// Relative to the workspace, with forward slashes.
    pub(super) file: String,
    /// The first heading.
    pub(super) title: String,
    pub(super) code: Vec<Entry>,
    pub(super) theorem: Vec<String>,
    /// Of every measure or metric of the output that `under` does not name.
    pub(super) level: Level,
    /// The higher levels, by the measure or metric of the output, as Rust writes its type.
    pub(super) under: BTreeMap<String, Level>,
    pub(super) omits: String,
    /// The pages whose code the theorem or argument takes as given, relative to `proofs`.
    pub(super) rests: Vec<String>,
    /// The certificates and tapes of `RUNS` that bind its theorems to the code.
    runs: Vec<String>,
    text: String,
}

/// The front matter as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Matter {
    code: Vec<String>,
    #[serde(default)]
    theorem: Vec<String>,
    level: Level,
    #[serde(default)]
    under: BTreeMap<String, Level>,
    #[serde(default)]
    omits: String,
    #[serde(default)]
    rests: Vec<String>,
    #[serde(default)]
    runs: Vec<String>,
    #[serde(default)]
    reviewed: String,
}

impl Page {
    /// All pages, and those that cannot be read as such. `README.md` and `INDEX.md` are about pages and not pages.
    pub(super) fn read_all(root: &Path) -> Result<(Vec<Self>, Vec<Problem>)> {
        let (mut pages, mut problems) = (Vec::new(), Vec::new());
        for found in WalkDir::new(root.join("proofs")).sort_by_file_name() {
            let found = found?;
            let name = found.file_name().to_string_lossy();
            if !name.ends_with(".md") || name == "README.md" || name == "INDEX.md" {
                continue;
            }
            let file = found.path().strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(found.path()).with_context(|| format!("cannot read {file}"))?;
            match Self::parse(&file, &text) {
                Ok((page, reviewed)) => {
                    problems.extend(review::problem(&reviewed).map(|what| Problem::new(&file, what)));
                    pages.push(page);
                }
                Err(error) => problems.push(Problem::new(&file, format!("{error:#}"))),
            }
        }
        Ok((pages, problems))
    }

    fn parse(file: &str, text: &str) -> Result<(Self, String)> {
        let (matter, prose) = text
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .context("a page begins with front matter between lines of ---")?;
        let Matter { code, theorem, level, under, omits, rests, runs, reviewed } =
            serde_norway::from_str(matter).context("the front matter is not understood")?;
        let title = prose.lines().find_map(|line| line.strip_prefix("# ")).context("a page has a heading")?;
        let code = code.iter().map(|line| Entry::parse(line)).collect();
        let (file, title, text) = (file.into(), title.into(), text.to_owned());
        let page = Self { file, title, code, theorem, level, under, omits, rests, runs, text };
        Ok((page, reviewed))
    }

    /// What the page fails to say, but for the state of the code. `statements` are those that Coq printed, and `ran` is
    /// what `make proofs` ran.
    pub(super) fn problems(&self, statements: &str, ran: &str, constructors: &[String]) -> Vec<String> {
        let mut problems = Vec::new();
        if self.code.is_empty() {
            problems.push("code: must name at least one item".to_owned());
        }
        if self.omits.trim().is_empty() {
            problems.push("omits: must say what the argument leaves out".to_owned());
        }
        for level in self.levels() {
            if level != Level::C && self.theorem.is_empty() {
                problems.push(format!("theorem: level {level} needs one"));
            }
        }
        for (space, level) in &self.under {
            if *level >= self.level {
                problems.push(format!("under: {space} must have a higher level than {}", self.level));
            }
        }
        for theorem in &self.theorem {
            let heading = format!("== {theorem}");
            if !statements.lines().any(|line| line == heading) {
                problems.push(format!("theorem: {theorem} is not among the statements in {STATEMENTS}"));
            }
        }
        if self.levels().any(|level| level == Level::A) {
            problems.extend(self.unearned(ran, constructors));
        }
        problems
    }

    /// What level A is owed: runs of its own, which are enough, and of a constructor its own theorem.
    fn unearned(&self, ran: &str, constructors: &[String]) -> Vec<String> {
        let mut problems = Vec::new();
        if self.runs.is_empty() {
            problems.push(format!("runs: level A needs certificates or tapes of {RUNS}"));
        }
        problems.extend(self.runs.iter().filter_map(|name| runs::problem(name, ran)));
        let stem = Path::new(&self.file).file_stem().unwrap_or_default().to_string_lossy();
        for path in constructors.iter().filter(|path| self.names(path)) {
            let name = path.rsplit("::").next().unwrap_or(path);
            if !self.runs.iter().any(|run| run == name) {
                problems.push(format!("runs: level A needs certificates of {name} itself"));
            }
            if !self.theorem.iter().any(|theorem| theorem.split_once('.').is_some_and(|(module, _)| module == stem)) {
                problems.push(format!("theorem: level A needs one of {stem}.v, which is about {name}"));
            }
        }
        problems
    }

    /// The page's file, relative to `proofs`.
    pub(super) fn link(&self) -> &str {
        self.file.strip_prefix("proofs/").unwrap_or(&self.file)
    }

    /// `A under X, Y`, of each higher level.
    pub(super) fn higher(&self) -> String {
        let named = |level| {
            let spaces: Vec<_> = self.under.iter().filter(|(_, found)| **found == level).collect();
            let spaces: Vec<_> = spaces.into_iter().map(|(space, _)| format!("`{space}`")).collect();
            (!spaces.is_empty()).then(|| format!("{level} under {}", spaces.join(", ")))
        };
        [Level::A, Level::B].into_iter().filter_map(named).collect::<Vec<_>>().join("; ")
    }

    /// Of all measures and metrics of the output.
    pub(super) fn levels(&self) -> impl Iterator<Item = Level> {
        iter::once(self.level).chain(self.under.values().copied())
    }

    pub(super) fn names(&self, item: &str) -> bool {
        self.code.iter().any(|entry| entry.item == item)
    }

    /// The page's text, with other lines for these items of its code; none stands twice.
    pub(super) fn with_code(&self, items: &BTreeMap<String, Vec<String>>) -> String {
        let (mut lines, mut fences) = (Vec::new(), 0);
        for line in self.text.split_inclusive('\n') {
            fences += usize::from(line == "---\n");
            let entry = line.trim().strip_prefix("- ").map(Entry::parse).filter(|_| fences == 1);
            match entry.and_then(|entry| items.get(&entry.item)) {
                Some(found) => {
                    for line in found.iter().map(|line| format!("  - {line}\n")) {
                        if !lines.contains(&line) {
                            lines.push(line);
                        }
                    }
                }
                None => lines.push(line.to_owned()),
            }
        }
        lines.concat()
    }
}

impl Entry {
    /// The hash is the last word, if it looks like one; a page is written without.
    fn parse(line: &str) -> Self {
        let is_hash = |word: &str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        match line.trim().rsplit_once(' ') {
            Some((item, hash)) if is_hash(hash) => Self { item: item.trim().into(), hash: hash.into() },
            _ => Self { item: line.trim().into(), hash: String::new() },
        }
    }
}
