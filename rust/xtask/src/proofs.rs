//! Binds proofs to the code they speak of.
//!
//! A page under `proofs/` names the items it speaks of and the hash of their tokens. The check fails when an item has
//! changed or is gone, when a public constructor has no page, and when a page says too little about itself.

mod build;
mod coverage;
mod definitions;
mod index;
mod item;
mod moves;
mod page;
mod report;
mod rests;
mod review;
mod runs;
mod stamp;
mod uncovered;

use crate::code::{Sources, Tree, Unit};
use anyhow::{Context, Result, bail};
pub use coverage::{Count, Covered, counts};
pub use definitions::definitions;
use item::Named;
use moves::Moves;
use page::Page;
pub use report::{Move, Problem, Report};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use uncovered::Exception;

/// Compare pages, index and table of levels with the code.
pub fn check(root: &Path) -> Result<Report> {
    let mut state = State::read(root)?;
    state.compare();
    for (file, text) in state.generated() {
        if fs::read_to_string(root.join(&file)).unwrap_or_default() != text {
            state.problems.push(Problem::new(&file, "is not what the pages say: run `cargo xtask proofs --update`"));
        }
    }
    if let Some(what) = stamp::problem(root, &state.stamp(root)?) {
        state.problems.push(Problem::new(stamp::STAMP, what));
    }
    Ok(state.report())
}

/// What `make proofs` reads, with hashes: files, and the code that its certificates and tapes are of.
pub fn stamp(root: &Path) -> Result<String> {
    State::read(root)?.stamp(root)
}

/// Write into the pages where their code is now, if it has only moved since a commit, and the index and the table of
/// levels. All else that has changed stays a problem.
pub fn follow(root: &Path, since: &str) -> Result<Report> {
    let moved = State::read(root)?.follow(root, since)?;
    let mut state = State::read(root)?;
    state.compare();
    state.generate(root)?;
    Ok(Report { moved, ..state.report() })
}

/// Record the present code in all pages, and write the index and the table of levels. Of code that has only moved since
/// a commit, the report says so; all else is taken to have been read again. What cannot be recorded is reported, and
/// all else is written.
pub fn update(root: &Path, since: &str) -> Result<Report> {
    // Where there is no commit to compare with, nothing is known to have moved.
    let moved = State::read(root)?.follow(root, since).unwrap_or_default();
    let mut state = State::read(root)?;
    let mut read = Vec::new();
    for page in &state.pages {
        let mut items = BTreeMap::new();
        for entry in &page.code {
            match state.hash(&entry.item) {
                Ok(hash) => {
                    if hash != entry.hash {
                        read.push(format!("{}: {}", page.file, entry.item));
                    }
                    items.insert(entry.item.clone(), vec![format!("{} {hash}", entry.item)]);
                }
                Err(error) => state.problems.push(Problem::new(&page.file, format!("{}: {error:#}", entry.item))),
            }
        }
        write(&root.join(&page.file), &page.with_code(&items))?;
    }
    let written = State::read(root)?;
    written.generate(root)?;
    Ok(Report { moved, read, problems: state.problems, ..written.report() })
}

/// What each unit of code of the crates that make a release stands on: pages, or a reason.
pub fn coverage(root: &Path) -> Result<Vec<Covered>> {
    Ok(State::read(root)?.covered)
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

/// Where the crates are whose code pages speak of.
const CRATES: [&str; 1] = ["rust/"];

/// The paths of all public functions named `make_*`.
fn constructors(tree: &Tree) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for module in tree.modules() {
        let units = module.units.iter().filter(|unit| !unit.elsewhere);
        let names = units.flat_map(Unit::constructors);
        found.extend(names.map(|name| format!("{}::{name}", module.path)));
    }
    let mut names: Vec<_> = found.iter().filter_map(|path| path.rsplit("::").next()).collect();
    names.sort_unstable();
    let twice = names.iter().zip(names.iter().skip(1)).find(|(left, right)| left == right);
    if let Some((twice, _)) = twice {
        bail!("two constructors are named {twice}: a plan could not tell them apart");
    }
    Ok(found)
}

/// What is named as a constructor and is none, or is one under another name.
fn misnamed(tree: &Tree, constructors: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for module in tree.modules() {
        for unit in module.units.iter().filter(|unit| !unit.elsewhere) {
            let Some(name) = unit.name() else { continue };
            let path = format!("{}::{name}", module.path);
            let is_known = |meaning: &str| constructors.iter().any(|known| known == meaning);
            // The attribute writes `then_x` beside `make_x`.
            let made = name.strip_prefix("then_").map_or_else(|| name.to_owned(), |rest| format!("make_{rest}"));
            let is_its_own =
                |meaning: &str| meaning.strip_suffix(name).is_some_and(|module| is_known(&format!("{module}{made}")));
            if unit.is_import() && made.starts_with("make_") && !unit.meanings().all(is_its_own) {
                let means = unit.meanings().collect::<Vec<_>>().join(", ");
                found.push(format!("{path} means {means}, which is no constructor of this name"));
            }
            if unit.is_function && name.starts_with("then_") {
                found.push(format!("{path} has the name of a form of a constructor, which its attribute writes"));
            }
            if unit.is_function && unit.is_marked("constructor") && !is_known(&path) {
                found.push(format!("{path} is a constructor by its attribute, and not public or not named make_"));
            }
        }
    }
    found
}

struct State {
    sources: Sources,
    tree: Tree,
    constructors: Vec<String>,
    pages: Vec<Page>,
    covered: Vec<Covered>,
    problems: Vec<Problem>,
}

impl State {
    /// Read everything, and find what no hash is needed for.
    fn read(root: &Path) -> Result<Self> {
        let sources = Sources::on_disk(root)?;
        let tree = Tree::read(&sources, &CRATES)?;
        let constructors = constructors(&tree)?;
        let (pages, mut problems) = Page::read_all(root)?;
        let theorems = fs::read_to_string(root.join(page::STATEMENTS)).unwrap_or_default();
        let ran = fs::read_to_string(root.join(runs::RUNS)).unwrap_or_default();
        let rests = rests::Rests::of(&pages);
        for page in &pages {
            let found = page.problems(&theorems, &ran, &constructors).into_iter().chain(rests.problems(page));
            problems.extend(found.map(|what| Problem::new(&page.file, what)));
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
        for item in build::required(&sources).iter().filter(|item| !pages.iter().any(|page| page.names(item))) {
            problems.push(Problem::new("proofs", format!("no page names {item}, on which the build depends")));
        }
        problems.extend(misnamed(&tree, &constructors).into_iter().map(|what| Problem::new("proofs", what)));
        let exceptions = Exception::read_all(root)?;
        let covered = coverage::coverage(&tree, &pages, &exceptions);
        problems.extend(coverage::problems(&covered, &exceptions));
        problems.extend(coverage::unseen(&tree));
        problems.extend(coverage::shadowing(&tree));
        problems.extend(coverage::unconditional(&tree, &exceptions));
        problems.extend(build::problems(&sources)?.into_iter().map(|what| Problem::new("proofs", what)));
        Ok(Self { sources, tree, constructors, pages, covered, problems })
    }

    /// The hash of an item: of its own tokens, and of all in the same module that it names, directly or not; or of a
    /// part of the build.
    fn hash(&self, item: &str) -> Result<String> {
        if build::is_build(item) {
            return build::text(&self.sources, item).map(|text| item::hash_of([text]));
        }
        Named::find(&self.tree, item).map(|named| named.hash())
    }

    /// What `make proofs` reads now.
    fn stamp(&self, root: &Path) -> Result<String> {
        let mut hashes = stamp::files(root)?;
        for entry in self.pages.iter().filter(|page| stamp::is_run(page)).flat_map(|page| &page.code) {
            // What is gone is a problem of its own.
            if let Ok(hash) = self.hash(&entry.item) {
                hashes.insert(entry.item.clone(), hash);
            }
        }
        Ok(stamp::text(&hashes))
    }

    /// Find what is gone or has changed since a page was read.
    fn compare(&mut self) {
        for page in &self.pages {
            for entry in &page.code {
                match self.hash(&entry.item) {
                    Err(error) => self.problems.push(Problem::new(&page.file, format!("{}: {error:#}", entry.item))),
                    Ok(hash) if hash == entry.hash => {}
                    Ok(_) => {
                        let what = format!("{} has changed since this proof was last read against it", entry.item);
                        self.problems.push(Problem::new(&page.file, what));
                    }
                }
            }
        }
    }

    /// Write into the pages where the code is now that has only moved.
    fn follow(&self, root: &Path, since: &str) -> Result<Vec<Move>> {
        let old = Tree::read(&Sources::in_commit(root, since)?, &CRATES)?;
        let (mut moves, mut moved) = (Moves::between(&old, &self.tree), Vec::new());
        for page in &self.pages {
            let mut items = BTreeMap::new();
            for entry in &page.code {
                if self.hash(&entry.item).is_ok_and(|hash| hash == entry.hash) {
                    continue;
                }
                if let Some(to) = moves.of(&entry.item, &entry.hash) {
                    let lines = to.iter().map(|item| Ok(format!("{item} {}", self.hash(item)?)));
                    items.insert(entry.item.clone(), lines.collect::<Result<Vec<_>>>()?);
                    moved.push(Move { page: page.file.clone(), from: entry.item.clone(), to });
                }
            }
            write(&root.join(&page.file), &page.with_code(&items))?;
        }
        Ok(moved)
    }

    /// Write the index and the table of levels.
    fn generate(&self, root: &Path) -> Result<()> {
        self.generated().iter().try_for_each(|(file, text)| write(&root.join(file), text))
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
            moved: Vec::new(),
            read: Vec::new(),
            problems: self.problems,
        }
    }
}
