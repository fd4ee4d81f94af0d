//! What a page takes as given: code that other pages argue for. A step is worth as much as the weakest page that it
//! rests on, directly or not.

use super::page::{Level, Page};
use std::collections::BTreeMap;

/// The level of what runs, and where it is lower than the page's own, the page that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub(super) level: Level,
    pub(super) page: Option<&'a str>,
}

/// The pages by their files, relative to `proofs`.
pub(super) struct Rests<'a>(BTreeMap<&'a str, &'a Page>);

impl<'a> Rests<'a> {
    pub(super) fn of(pages: &'a [Page]) -> Self {
        Self(pages.iter().map(|page| (page.link(), page)).collect())
    }

    /// The level of what runs where a map has this level by a page. A page that cannot be found counts as nothing: it
    /// is a problem of its own.
    pub(super) fn run(&self, page: &'a Page, map: Level) -> Run<'a> {
        let own = Run { level: map, page: None };
        // The first of the weakest, in the order in which a page names them.
        self.all(page).into_iter().fold(own, |weakest, next| {
            if next.level > weakest.level { Run { level: next.level, page: Some(next.link()) } } else { weakest }
        })
    }

    /// The pages that a page rests on, directly or not; each once.
    fn all(&self, page: &Page) -> Vec<&'a Page> {
        let mut found: Vec<&'a Page> = Vec::new();
        let mut todo: Vec<&str> = page.rests.iter().rev().map(String::as_str).collect();
        while let Some(next) = todo.pop() {
            if let Some(&next) = self.0.get(next)
                && !found.iter().any(|page| page.file == next.file)
            {
                found.push(next);
                todo.extend(next.rests.iter().rev().map(String::as_str));
            }
        }
        found
    }

    /// What is wrong with what a page rests on.
    pub(super) fn problems(&self, page: &Page) -> Vec<String> {
        let mut problems = Vec::new();
        for name in &page.rests {
            if !self.0.contains_key(name.as_str()) {
                problems.push(format!("rests: there is no page {name}"));
            }
        }
        if self.all(page).iter().any(|other| other.file == page.file) {
            problems.push("rests: the page rests on itself".to_owned());
        }
        problems
    }
}
