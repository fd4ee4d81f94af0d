//! A small workspace to try changes on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use walkdir::WalkDir;
use xtask::proofs::{Problem, check, stamp, update};

pub(crate) fn lines(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A copy of this workspace's code and pages, to try changes on, as if `make proofs` had passed.
pub(crate) fn copy_of_this_workspace() -> TempDir {
    let (root, copy) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), TempDir::new().unwrap());
    for file in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"].map(Path::new) {
        fs::create_dir_all(copy.path().join(file.parent().unwrap())).unwrap();
        fs::copy(root.join(file), copy.path().join(file)).unwrap();
    }
    for folder in ["rust", "proofs"] {
        let files = WalkDir::new(root.join(folder))
            .into_iter()
            .filter_entry(|entry| entry.file_name() != "target" && !entry.path().ends_with("proofs/build"));
        for file in files.map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
            let ends = ["rs", "toml", "lock", "md", "txt", "v", "sh", "ml"];
            let is_read = ends.iter().any(|end| file.path().extension() == Some(end.as_ref()))
                || ["Makefile", "_CoqProject"].iter().any(|name| file.file_name() == *name);
            if is_read {
                let to = copy.path().join(file.path().strip_prefix(&root).unwrap());
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(file.path(), to).unwrap();
            }
        }
    }
    fs::write(copy.path().join("proofs/stamp.txt"), stamp(copy.path()).unwrap()).unwrap();
    copy
}

/// A change of one file, and what a problem must then say.
#[derive(Clone)]
pub(crate) struct Edit {
    pub(crate) file: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) told: &'static str,
}

/// Make each edit under a folder of a copy of this workspace, and see that it is told: many at a time, but of one file
/// and of one problem one.
pub(crate) fn assert_told(folder: &str, edits: &[Edit]) {
    let copy = copy_of_this_workspace();
    let place = |file| copy.path().join(folder).join(file);
    let problems = || check(copy.path()).unwrap().problems;
    assert_eq!(lines(&problems()), "");
    let mut left: Vec<&Edit> = edits.iter().collect();
    while !left.is_empty() {
        let (mut files, mut told) = (BTreeMap::new(), BTreeSet::new());
        let (round, later) = left.into_iter().partition::<Vec<_>, _>(|edit| {
            let is_first = !files.contains_key(edit.file) && !told.contains(edit.told);
            if is_first {
                files.insert(edit.file, fs::read_to_string(place(edit.file)).unwrap());
                told.insert(edit.told);
            }
            is_first
        });
        for Edit { file, from, to, .. } in &round {
            assert!(files[file].contains(from), "{file}: {from}");
            fs::write(place(file), files[file].replacen(from, to, 1)).unwrap();
        }
        let found: Vec<String> = problems().iter().map(ToString::to_string).collect();
        for Edit { file, to, told, .. } in &round {
            let is_told = |problem: &String| problem.contains(told) && problem.contains("has changed since");
            assert!(found.iter().any(is_told), "{file}: {to}\n{}", found.join("\n"));
        }
        for (file, text) in files {
            fs::write(place(file), text).unwrap();
        }
        left = later;
    }
}

pub(crate) const MAP: &str = "rust/small/src/combinators/range.rs";
pub(crate) const SAMPLER: &str = "rust/small/src/sampler.rs";

pub(crate) const MAP_CODE: &str = r#"//! From bounded range.

use crate::numeric::RoundedArithmetic;

/// Squares and divides.
#[constructor]
pub fn make_range(inner: f64) -> Fallible<f64> {
    let map = move |d_in: f64| loss(inner.inf_mul(d_in)?);
    map(1.0)
}

// The textbook's formula.
fn loss(eta: f64) -> Fallible<f64> {
    Ok(eta.inf_powi(2)?.inf_div(8.0)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn one() {
        assert_eq!(super::make_range(1.0), Ok(0.125));
    }
}
"#;

pub(crate) const SAMPLER_CODE: &str = r#"//! A sampler.

pub struct Table {
    bounds: Vec<u64>,
}

impl Table {
    pub fn sample(&self, word: u64) -> usize {
        self.bounds.iter().take_while(|bound| self.is_beyond(word, **bound)).count()
    }

    fn is_beyond(&self, word: u64, bound: u64) -> bool {
        bound <= word
    }
}
"#;

/// A workspace with one constructor, one sampler, and a page for each, up to date.
pub(crate) struct Small(TempDir);

impl Small {
    pub(crate) fn new() -> Self {
        let small = Self(TempDir::new().unwrap());
        small.write("rust/small/Cargo.toml", "[package]\nname = \"small\"\n");
        small.write("rust/small/src/lib.rs", "mod combinators;\nmod sampler;\n");
        small.write("rust/small/src/combinators/mod.rs", "mod range;\n");
        small.write("rust/derive/src/levels.rs", "");
        small.write(MAP, MAP_CODE);
        small.write(SAMPLER, SAMPLER_CODE);
        small.write("proofs/statements.txt", "== range.zCDP\n");
        small.write("proofs/oracle/runs.txt", "make_range 200 goals\nmake_other 99 goals\n");
        small.write(
            "proofs/combinators/range.md",
            "---\ncode:\n  - small::combinators::range::make_range\ntheorem: [range.zCDP]\nlevel: B\nomits: overflow\n\
             runs: [make_range]\nreviewed: 2026-11-21 by the authors\n---\n# Range\n\n- text\n",
        );
        small.write(
            "proofs/sampler.md",
            "---\ncode:\n  - small::sampler::Table::sample\nlevel: C\nomits: time\nreviewed: 2026-11-21 by the authors\n---\n# Table\n",
        );
        let report = update(small.root(), "HEAD").unwrap();
        assert!(report.problems.is_empty(), "{}", lines(&report.problems));
        small.stamp();
        assert_eq!(small.problems(), Vec::<String>::new());
        small
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// Replace what is there exactly once.
    pub(crate) fn change(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert_eq!(text.matches(from).count(), 1, "{from}");
        self.write(file, &text.replace(from, to));
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        check(self.root()).unwrap().problems.iter().map(ToString::to_string).collect()
    }

    /// As if `make proofs` had passed.
    pub(crate) fn stamp(&self) {
        self.write("proofs/stamp.txt", &stamp(self.root()).unwrap());
    }

    /// The one problem there is, which names this page and says this.
    pub(crate) fn assert_problem(&self, page: &str, words: &str) {
        let problems = self.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with(page) && problems[0].contains(words), "{problems:?}");
    }

    /// Make all that is there a commit of a repository.
    pub(crate) fn commit(&self) {
        for words in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message", "All"]] {
            let identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@localhost"];
            let git = Command::new("git").arg("-C").arg(self.root()).args(identity).args(words).status();
            assert!(git.unwrap().success());
        }
    }
}
