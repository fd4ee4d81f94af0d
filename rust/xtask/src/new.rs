//! The files of a new constructor. They do not compile, or do not pass, until their author has filled them in: each gap
//! is a `compile_error!` that says what belongs there, and the page of the proof names no reader.

use crate::lists;
use anyhow::{Context, Result, bail, ensure};
use std::{fs, path::Path};

/// Where a constructor goes.
pub struct Place<'a> {
    /// Its name, such as `make_x`.
    pub name: &'a str,
    /// Its folder in the framework, such as `measurements`.
    pub folder: &'a str,
    /// The file of the gate with its audit, such as `noise`.
    pub family: &'a str,
}

/// The folders of constructors.
const FOLDERS: [&str; 5] =
    ["combinators", "combinators/amplification", "combinators/measure_cast", "measurements", "transformations"];

/// The file of the gate for most constructors of a folder.
pub fn family_of(folder: &str) -> &str {
    match folder.split('/').next() {
        Some("measurements") | None => "noise",
        Some(folder) => folder,
    }
}

/// Write the files, and return what was written and what is left to do.
pub fn write(root: &Path, place: &Place<'_>) -> Result<String> {
    let Place { name, folder, family } = place;
    let stem = name.strip_prefix("make_").filter(|stem| !stem.is_empty()).context("a constructor is named make_*")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    ensure!(stem.chars().all(is_name), "{name} is not a name");
    ensure!(FOLDERS.contains(folder), "{folder} is not one of {}", FOLDERS.join(", "));
    let code = format!("{}/{folder}/{stem}.rs", lists::SOURCE);
    let (module, page) = (format!("{}/{folder}/mod.rs", lists::SOURCE), format!("proofs/{folder}/{stem}.md"));
    let gate = format!("rust/audit/tests/gate/{family}.rs");
    for file in [&code, &page] {
        ensure!(!root.join(file).exists(), "{file} exists already");
    }
    let read = |file: &str| fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"));
    // All texts are made before the first is written.
    let with_module = with_module(&read(&module)?, stem, folder).with_context(|| format!("cannot add to {module}"))?;
    let audited = with_audit(&read(&gate)?, name, stem).with_context(|| format!("cannot add to {gate}"))?;
    let crate_path = format!("indistinct::{}::{stem}::{name}", folder.replace('/', "::"));
    for (file, text) in [
        (&code, self::code(name, stem, folder)),
        (&module, with_module),
        (&page, self::page(name, &crate_path)),
        (&gate, audited),
    ] {
        fs::write(root.join(file), text).with_context(|| format!("cannot write {file}"))?;
    }
    lists::write(root)?;
    Ok(format!(
        "written: {code}, {module}, {page}, {gate}\n\
         next: the argument in the page; the code, and a row in the table of {module}; the audit, its control flow, its \
         canary and its negative controls in the gate; a call by make!({name}(…)) in rust/fuzz/src; `cargo xtask proofs \
         --update` once page and code agree"
    ))
}

/// The folder's file with `mod x;` among the modules, by the order of their names.
fn with_module(text: &str, stem: &str, folder: &str) -> Result<String> {
    // The lists are in the uppermost folder.
    let visible = if folder.contains('/') { "pub(crate) " } else { "" };
    let is_module = |line: &&str| line.ends_with(';') && name_of(line).is_some();
    let after = text.lines().filter(is_module).find(|line| name_of(line).is_some_and(|other| other > stem));
    let last = text.lines().rfind(is_module).context("it has no modules")?;
    let (line, new) = match after {
        Some(line) => (line, format!("{visible}mod {stem};\n{line}")),
        None => (last, format!("{last}\n{visible}mod {stem};")),
    };
    Ok(text.replacen(&format!("\n{line}\n"), &format!("\n{new}\n"), 1))
}

fn name_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub(crate) ").unwrap_or(line);
    rest.strip_prefix("mod ")?.strip_suffix(';')
}

/// The file of the gate with a row and what it names.
fn with_audit(text: &str, name: &str, stem: &str) -> Result<String> {
    let (before, rows) = text.split_once("rows! {\n").context("it has no rows")?;
    let (rows, after) = rows.split_once("\n}\n").context("its rows do not end")?;
    if rows.contains(&format!(" {name}:")) {
        bail!("it has a row of {name}");
    }
    Ok(format!(
        "{before}rows! {{\n{rows}\n    tight {name}: {stem};\n}}\n{after}\n\
         fn {stem}() -> Report {{\n    \
             compile_error!(\"{name}: audit it by stable, exact or by_formula, and add its slips to the negative controls\");\n\
         }}\n"
    ))
}

/// The constructor, in the order of a proof.
fn code(name: &str, stem: &str, folder: &str) -> String {
    let (kind, output, last) = match folder.split('/').next() {
        Some("transformations") => ("Transformation", "output_metric", "stability"),
        _ => ("Measurement", "output_measure", "privacy"),
    };
    format!(
        "//! `{name}`.\n\n\
         use crate::core::{{Fallible, {kind}, require}};\n\
         use indistinct_derive::constructor;\n\n\
         compile_error!(\"{name}: a summary, parameters with units, {last} with its source, errors, and an example\");\n\
         #[constructor]\n\
         pub fn {name}(\n    \
             input_domain: (),\n    \
             input_metric: (),\n    \
             limit: u32,\n\
         ) -> Fallible<{kind}<(), (), (), ()>> {{\n    \
             require(limit >= 1, \"limit\", \"must be at least 1\")?;\n    \
             compile_error!(\"{name}: the space, the function and the map, as the page of the proof has them\");\n    \
             {kind}::new((input_domain, input_metric), {output}, function, map)\n\
         }}\n\n\
         #[cfg(test)]\n\
         mod tests {{\n    \
             #[test]\n    \
             fn the_map_of_{stem}_and_bad_parameters() {{\n        \
                 compile_error!(\"{name}: the map at each metric, and each bad parameter by its name\");\n    \
             }}\n\
         }}\n"
    )
}

/// The page, without the parts that only its author knows.
fn page(name: &str, path: &str) -> String {
    format!(
        "---\ncode:\n  - {path} 0000000000000000\nlevel: C\nomits:\nreviewed:\n---\n\
         # `{name}`\n\n**Preconditions.**\n\n**Postcondition.**\n\n**Argument.**\n"
    )
}
