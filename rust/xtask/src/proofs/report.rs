//! What `xtask proofs` prints about pages and code.

use std::fmt;

/// Something that must be mended before the proofs hold for the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The page or generated file, relative to the workspace.
    pub page: String,
    /// What is wrong, with the item's name.
    pub what: String,
}

impl Problem {
    pub(super) fn new(page: &str, what: impl Into<String>) -> Self {
        Self { page: page.into(), what: what.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.page, self.what)
    }
}

/// Code that a page speaks of, and that has moved without a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The page, relative to the workspace.
    pub page: String,
    /// The item's path before.
    pub from: String,
    /// The items that cover now what it covered; itself, if only what it imports has moved.
    pub to: Vec<String>,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { page, from, to } = self;
        match to.as_slice() {
            [own] if own == from => write!(f, "{page}: {from}: what it imports has moved"),
            _ => write!(f, "{page}: {from} -> {}", to.join(", ")),
        }
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
    /// What an update found to have moved; nobody needs to read it again.
    pub moved: Vec<Move>,
    /// The pages whose code has changed, with the item, and that an update takes to have been read again.
    pub read: Vec<String>,
    /// What must be mended.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { pages, items, constructors, problems, .. } = self;
        write!(f, "{pages} proofs of {items} items, {constructors} constructors: {} problems", problems.len())
    }
}
