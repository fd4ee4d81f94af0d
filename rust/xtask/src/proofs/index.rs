//! The generated files: the index for people, and the table of levels for the library.

use super::page::{Level, Page};
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
}

pub(super) fn entries<'a>(constructors: &'a [String], pages: &'a [Page]) -> Vec<Entry<'a>> {
    let mut found: Vec<_> = constructors
        .iter()
        .filter_map(|path| {
            let page = pages.iter().find(|page| page.names(path))?;
            Some(Entry { constructor: Some(path), page })
        })
        .collect();
    let others = pages.iter().filter(|page| !constructors.iter().any(|path| page.names(path)));
    found.extend(others.map(|page| Entry { constructor: None, page }));
    found
}

fn name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The page's file, relative to `proofs`.
fn link(page: &Page) -> &str {
    page.file.strip_prefix("proofs/").unwrap_or(&page.file)
}

/// `proofs/INDEX.md`.
pub(super) fn index(entries: &[Entry<'_>]) -> String {
    let count = |level, constructor: bool| {
        entries.iter().filter(|entry| entry.page.level == level && entry.constructor.is_some() == constructor).count()
    };
    let mut text = String::from(
        "# Index of proofs\n\n\
         Written by `cargo xtask proofs --update` from the pages; [README.md](README.md) says what the levels mean.\n\
         A page may hold to a higher level under some measures of the output; it is counted at the lower one.\n\n\
         | level | constructors | other pages |\n|---|---:|---:|\n",
    );
    for level in [Level::A, Level::B, Level::C] {
        let _ = writeln!(text, "| {level} | {} | {} |", count(level, true), count(level, false));
    }
    for constructor in [true, false] {
        let (title, first) = if constructor { ("Constructors", "constructor") } else { ("Other pages", "page") };
        let _ = write!(
            text,
            "\n## {title}\n\n| {first} | level | and | item | theorem | left out |\n|---|---|---|---|---|---|\n"
        );
        for entry in entries.iter().filter(|entry| entry.constructor.is_some() == constructor) {
            let Page { title, level, theorem, omits, code, .. } = entry.page;
            let label = entry.constructor.map_or_else(|| title.clone(), |path| format!("`{}`", name(path)));
            let items = match entry.constructor {
                Some(path) => format!("`{path}`"),
                None => code.iter().map(|entry| format!("`{}`", entry.item)).collect::<Vec<_>>().join(", "),
            };
            let theorems = theorem.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let omits = omits.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
            let (page, higher) = (link(entry.page), entry.page.higher());
            let _ = writeln!(text, "| [{label}]({page}) | {level} | {higher} | {items} | {theorems} | {omits} |");
        }
    }
    text
}

/// The table that `#[constructor]` looks levels up in: part of the library, so that it builds without the pages.
pub(super) fn levels(entries: &[Entry<'_>]) -> String {
    let mut rows: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            let Page { level, under, .. } = entry.page;
            let name = name(entry.constructor.or_else(|| entry.page.names(POSTPROCESS).then_some(POSTPROCESS))?);
            let under: Vec<_> = under.iter().map(|(space, level)| format!("({space:?}, \"{level}\")")).collect();
            Some(format!("    ({name:?}, \"{level}\", &[{}], {:?}),", under.join(", "), link(entry.page)))
        })
        .collect();
    rows.sort();
    format!(
        "//! The proof level of each constructor. Written by `cargo xtask proofs --update` from the pages under `proofs`.\n\n\
         /// Name, level, the higher levels under some measures or metrics of the output, and page under `proofs`.\n\
         #[rustfmt::skip] // a row for each constructor\n\
         pub(crate) const LEVELS: &[(&str, &str, &[(&str, &str)], &str)] = &[\n{}\n];\n",
        rows.join("\n")
    )
}
