//! Binds proofs to the code they speak of.
//!
//! A page under `proofs/` names the items it speaks of and the hash of their tokens. The check fails when an item has
//! changed or is gone, when a public constructor has no page, and when a page says too little about itself.

mod index;
mod item;
mod normal;
mod page;
mod unit;
mod workspace;

use anyhow::{Context, Result};
use page::Page;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
};
use workspace::Workspace;

/// Something that must be mended before the proofs hold for the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The page or generated file, relative to the workspace.
    pub page: String,
    /// What is wrong, with the item's name.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.page, self.what)
    }
}

/// What a check or an update found.
#[derive(Debug, Clone)]
pub struct Report {
    /// The number of pages.
    pub pages: usize,
    /// The number of items that pages name.
    pub items: usize,
    /// The number of public constructors.
    pub constructors: usize,
    /// What must be mended.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { pages, items, constructors, problems } = self;
        write!(f, "{pages} proofs of {items} items, {constructors} constructors: {} problems", problems.len())
    }
}

/// Compare pages, index and table of levels with the code.
pub fn check(root: &Path) -> Result<Report> {
    let mut state = State::read(root)?;
    for page in &state.pages {
        for entry in &page.code {
            match state.workspace.hash(&entry.item) {
                Err(error) => state.problems.push(Problem::new(&page.file, format!("{}: {error:#}", entry.item))),
                Ok(hash) if hash == entry.hash => {}
                Ok(_) => {
                    let what = format!("{} has changed since this proof was last read against it", entry.item);
                    state.problems.push(Problem::new(&page.file, what));
                }
            }
        }
    }
    for (file, text) in state.generated() {
        if fs::read_to_string(root.join(&file)).unwrap_or_default() != text {
            state.problems.push(Problem::new(&file, "is not what the pages say: run `cargo xtask proofs --update`"));
        }
    }
    Ok(state.report())
}

/// Record the present code in all pages, and write the index and the table of levels. What cannot be recorded is reported,
/// and all else is written.
pub fn update(root: &Path) -> Result<Report> {
    let mut state = State::read(root)?;
    for page in &state.pages {
        let mut hashes = BTreeMap::new();
        for entry in &page.code {
            match state.workspace.hash(&entry.item) {
                Ok(hash) => drop(hashes.insert(entry.item.clone(), hash)),
                Err(error) => state.problems.push(Problem::new(&page.file, format!("{}: {error:#}", entry.item))),
            }
        }
        write(&root.join(&page.file), &page.with_hashes(&hashes))?;
    }
    for (file, text) in state.generated() {
        write(&root.join(&file), &text)?;
    }
    Ok(state.report())
}

/// The names of all theorems that pages stand on, in order.
pub fn theorems(root: &Path) -> Result<BTreeSet<String>> {
    let (pages, _) = Page::read_all(root)?;
    Ok(pages.into_iter().flat_map(|page| page.theorem).collect())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

struct State {
    workspace: Workspace,
    constructors: Vec<String>,
    pages: Vec<Page>,
    problems: Vec<Problem>,
}

impl Problem {
    fn new(page: &str, what: impl Into<String>) -> Self {
        Self { page: page.into(), what: what.into() }
    }
}

impl State {
    /// Read everything, and find what no hash is needed for.
    fn read(root: &Path) -> Result<Self> {
        let workspace = Workspace::open(root)?;
        let constructors = workspace.constructors()?;
        let (pages, mut problems) = Page::read_all(root)?;
        let theorems = fs::read_to_string(root.join(page::STATEMENTS)).unwrap_or_default();
        for page in &pages {
            problems.extend(page.problems(&theorems).into_iter().map(|what| Problem::new(&page.file, what)));
        }
        for constructor in &constructors {
            let named: Vec<_> = pages.iter().filter(|page| page.names(constructor)).map(|page| &page.file).collect();
            match named.as_slice() {
                [_] => {}
                [] => {
                    let what = format!("no page names the constructor {constructor}: see CONTRIBUTING.md");
                    problems.push(Problem::new("proofs", what));
                }
                [first, others @ ..] => {
                    problems.push(Problem::new(first, format!("{constructor} is also named by {others:?}")));
                }
            }
        }
        Ok(Self { workspace, constructors, pages, problems })
    }

    /// The generated files and their texts.
    fn generated(&self) -> Vec<(String, String)> {
        let entries = index::entries(&self.constructors, &self.pages);
        vec![(index::INDEX.into(), index::index(&entries)), (index::LEVELS.into(), index::levels(&entries))]
    }

    fn report(self) -> Report {
        Report {
            pages: self.pages.len(),
            items: self.pages.iter().map(|page| page.code.len()).sum(),
            constructors: self.constructors.len(),
            problems: self.problems,
        }
    }
}
