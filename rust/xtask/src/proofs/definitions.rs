//! The definitions that statements speak of, out of all that Coq printed.

use anyhow::{Result, ensure};
use std::collections::{BTreeMap, BTreeSet};

/// What Coq printed of one name.
#[derive(Debug, Default)]
struct Printed {
    /// To be read; nothing of a proof.
    shown: String,
    /// With nothing implied.
    explicit: String,
}

/// The definitions that the statements name, and that these name, in order. Headings are `?? name` of a statement,
/// `== name` of a definition to be read, and `-- name` of the same with nothing implied.
pub fn definitions(printed: &str) -> Result<String> {
    let (mut statements, mut known) = (String::new(), BTreeMap::<&str, Printed>::new());
    let (mut kind, mut name) = ("??", "");
    for line in printed.lines() {
        match line.split_once(' ') {
            Some((heading @ ("??" | "==" | "--"), of)) => {
                (kind, name) = (heading, of);
                if kind == "==" {
                    ensure!(known.insert(name, Printed::default()).is_none(), "{name} is printed twice");
                }
            }
            _ => {
                let text = match kind {
                    "??" => &mut statements,
                    "==" => &mut known.entry(name).or_default().shown,
                    _ => &mut known.entry(name).or_default().explicit,
                };
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    let modules: BTreeSet<&str> =
        known.keys().filter_map(|name| name.split_once('.')).map(|(module, _)| module).collect();
    let (mut reached, mut texts) = (BTreeSet::new(), vec![statements.as_str()]);
    while let Some(text) = texts.pop() {
        for name in names(text, &modules) {
            if !reached.insert(name.clone()) {
                continue;
            }
            match known.get(name.as_str()) {
                Some(printed) => texts.extend([printed.shown.as_str(), &printed.explicit]),
                None => ensure!(is_part(&name, &known), "{name} is named, and was not printed"),
            }
        }
    }
    let shown = |name: &String| known.get(name.as_str()).filter(|printed| !printed.shown.is_empty());
    Ok(reached.iter().filter_map(|name| Some(format!("== {name}\n{}", shown(name)?.shown))).collect())
}

/// The names of things in these modules, as Coq writes them: `module.name`, with folders before it or not.
fn names(text: &str, modules: &BTreeSet<&str>) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '.')));
    let named = words.filter_map(|word| {
        let mut parts = word.trim_end_matches('.').rsplit('.');
        let (name, module) = (parts.next()?, parts.next()?);
        modules.contains(module).then(|| format!("{module}.{name}"))
    });
    named.collect()
}

/// Whether this is a constructor of a type that was printed, where it stands without its module.
fn is_part(name: &str, known: &BTreeMap<&str, Printed>) -> bool {
    let Some((module, name)) = name.split_once('.') else { return false };
    known.iter().any(|(of, printed)| {
        let kind = printed.shown.split_whitespace().next();
        let is_type = matches!(kind, Some("Inductive" | "CoInductive" | "Variant" | "Record"));
        let mut words = printed.shown.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'')));
        is_type && of.starts_with(&format!("{module}.")) && words.any(|word| word == name)
    })
}
