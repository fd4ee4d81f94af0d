//! The generated files: the index for people, and the table of levels for the library.

use super::{
    page::{Level, Page},
    rests::{Rests, Run},
};
use std::fmt::Write;

pub(super) const INDEX: &str = "proofs/INDEX.md";
/// The step that no constructor makes.
const POSTPROCESS: &str = "indistinct::core::measurement::Measurement::postprocess";

pub(super) const LEVELS: &str = "rust/derive/src/levels.rs";

/// What the generated files say of one constructor, or of a page that is not about one.
pub(super) struct Entry<'a> {
    /// The constructor's path.
    constructor: Option<&'a str>,
    page: &'a Page,
    /// Of the code that runs, where the map has the page's lowest level.
    run: Run<'a>,
    /// The same of each higher level of the map.
    under: Vec<(&'a str, Level, Level)>,
    /// The weakest page that it rests on.
    weakest: Option<&'a str>,
}

impl<'a> Entry<'a> {
    fn new(constructor: Option<&'a str>, page: &'a Page, rests: &Rests<'a>) -> Self {
        let under = page.under.iter().map(|(space, level)| (space.as_str(), *level, rests.run(page, *level).level));
        let (run, weakest) = (rests.run(page, page.level), rests.run(page, Level::A).page);
        Self { constructor, page, run, under: under.collect(), weakest }
    }
}

pub(super) fn entries<'a>(constructors: &'a [String], pages: &'a [Page]) -> Vec<Entry<'a>> {
    let rests = Rests::of(pages);
    let mut found: Vec<_> = constructors
        .iter()
        .filter_map(|path| {
            let page = pages.iter().find(|page| page.names(path))?;
            Some(Entry::new(Some(path), page, &rests))
        })
        .collect();
    let others = pages.iter().filter(|page| !constructors.iter().any(|path| page.names(path)));
    found.extend(others.map(|page| Entry::new(None, page, &rests)));
    found
}

fn name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// `proofs/INDEX.md`.
pub(super) fn index(entries: &[Entry<'_>]) -> String {
    let count = |is: &dyn Fn(&Entry<'_>) -> bool| entries.iter().filter(|entry| is(entry)).count();
    let mut text = String::from(
        "# Index of proofs\n\n\
         Written by `cargo xtask proofs --update` from the pages; [README.md](README.md) says what the levels mean.\n\
         A page may hold to a higher level under some measures of the output; it is counted at the lower one. \
         \"Run\" is the weakest level of the map and of all pages that it rests on.\n\n\
         | level | constructors, by map | constructors, by run | other pages |\n|---|---:|---:|---:|\n",
    );
    for level in [Level::A, Level::B, Level::C] {
        let maps = count(&|entry| entry.constructor.is_some() && entry.page.level == level);
        let runs = count(&|entry| entry.constructor.is_some() && entry.run.level == level);
        let others = count(&|entry| entry.constructor.is_none() && entry.page.level == level);
        let _ = writeln!(text, "| {level} | {maps} | {runs} | {others} |");
    }
    for constructor in [true, false] {
        let (title, first) = if constructor { ("Constructors", "constructor") } else { ("Other pages", "page") };
        let _ = write!(
            text,
            "\n## {title}\n\n| {first} | map | and | run | rests on | item | theorem | left out |\n|---|---|---|---|---|---|---|---|\n"
        );
        for entry in entries.iter().filter(|entry| entry.constructor.is_some() == constructor) {
            let Page { title, level, theorem, omits, code, rests, .. } = entry.page;
            let label = entry.constructor.map_or_else(|| title.clone(), |path| format!("`{}`", name(path)));
            let items = match entry.constructor {
                Some(path) => format!("`{path}`"),
                None => code.iter().map(|entry| format!("`{}`", entry.item)).collect::<Vec<_>>().join(", "),
            };
            let theorems = theorem.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let omits = omits.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
            let (page, higher, run) = (entry.page.link(), entry.page.higher(), entry.run.level);
            let rests = rests.iter().map(|page| format!("[{page}]({page})")).collect::<Vec<_>>().join(", ");
            let _ = writeln!(
                text,
                "| [{label}]({page}) | {level} | {higher} | {run} | {rests} | {items} | {theorems} | {omits} |"
            );
        }
    }
    text
}

/// The table that `#[constructor]` looks levels up in: part of the library, so that it builds without the pages.
pub(super) fn levels(entries: &[Entry<'_>]) -> String {
    let mut rows: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            let (page, level, run) = (entry.page, entry.page.level, entry.run.level);
            let name = name(entry.constructor.or_else(|| entry.page.names(POSTPROCESS).then_some(POSTPROCESS))?);
            let under = entry.under.iter().map(|(space, map, run)| format!("({space:?}, (\"{map}\", \"{run}\"))"));
            let (under, weakest) = (under.collect::<Vec<_>>().join(", "), entry.weakest.unwrap_or_default());
            Some(format!("    ({name:?}, (\"{level}\", \"{run}\"), &[{under}], {weakest:?}, {:?}),", page.link()))
        })
        .collect();
    rows.sort();
    format!(
        "//! The proof levels of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.\n\n\
         /// The level of a map, and the weakest of the map and of what runs.\n\
         type Levels = (&'static str, &'static str);\n\n\
         /// Name, levels, the higher levels under some measures or metrics of the output, the weakest page that the\n\
         /// map rests on, and page; both under `proofs`.\n\
         #[rustfmt::skip] // a row for each constructor\n\
         pub(crate) const LEVELS: &[(&str, Levels, &[(&str, Levels)], &str, &str)] = &[\n{}\n];\n",
        rows.join("\n")
    )
}
