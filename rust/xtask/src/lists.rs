//! The lists of constructors that the framework keeps, written from its files: the names that a folder re-exports, and
//! so the prelude, and the constructors that a plan can call.

use anyhow::{Context, Result};
use std::{fmt::Write, fs, path::Path};
use syn::{FnArg, Item, ItemFn, Pat};

/// The folders with lists of all constructors below them, in their `mod.rs`.
const FOLDERS: [&str; 3] = ["combinators", "measurements", "transformations"];
pub(crate) const SOURCE: &str = "rust/indistinct/src";
const BEGIN: &str = "// Written by `cargo xtask lists` from the files of this folder.\n";
const END: &str = "// The end of what is written.\n";

/// A file with lists, and what it has and should have.
pub struct Lists {
    /// The path of the file from the workspace.
    pub file: String,
    /// Its text.
    pub present: String,
    /// The text with the lists of the code.
    pub written: String,
}

/// The lists of all folders.
pub fn lists(root: &Path) -> Result<Vec<Lists>> {
    let of_folder = |folder: &str| {
        let file = format!("{SOURCE}/{folder}/mod.rs");
        let present = fs::read_to_string(root.join(&file)).with_context(|| format!("cannot read {file}"))?;
        let (before, rest) = present.split_once(BEGIN).with_context(|| format!("{file} has no line {BEGIN}"))?;
        let (_, after) = rest.split_once(END).with_context(|| format!("{file} has no line {END}"))?;
        let written = format!("{before}{BEGIN}{}{END}{after}", text(&root.join(SOURCE), folder)?);
        Ok(Lists { file, written, present: present.clone() })
    };
    FOLDERS.into_iter().map(of_folder).collect()
}

/// Write the lists into the files.
pub fn write(root: &Path) -> Result<()> {
    for Lists { file, present, written } in lists(root)? {
        if present != written {
            fs::write(root.join(&file), written).with_context(|| format!("cannot write {file}"))?;
        }
    }
    Ok(())
}

fn text(source: &Path, folder: &str) -> Result<String> {
    let constructors = constructors(&source.join(folder), "")?;
    let mut text = String::from(
        "/// The constructors below this folder. The prelude re-exports all of them.\n\
         #[rustfmt::skip]\n\
         pub(crate) mod constructors {\n",
    );
    for (module, names) in &constructors {
        let _ = match names.as_slice() {
            [name] => writeln!(text, "    pub use super::{module}::{name};"),
            names => writeln!(text, "    pub use super::{module}::{{{}}};", names.join(", ")),
        };
    }
    text.push_str(
        "}\n\n\
         /// The calls of these constructors from plans.\n\
         #[cfg(feature = \"plans\")]\n\
         #[rustfmt::skip]\n\
         pub(crate) fn entries<B: crate::core::Builder>() -> Vec<crate::core::Entry<B>> {\n    \
             vec![\n",
    );
    for (module, _) in &constructors {
        let _ = writeln!(text, "        {module}::entry(),");
    }
    text.push_str("    ]\n}\n");
    Ok(text)
}

/// The modules below a folder that define a constructor, by their paths from it, with the names that each exports.
fn constructors(folder: &Path, path_of_folder: &str) -> Result<Vec<(String, Vec<String>)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let module = format!("{path_of_folder}{stem}");
        if path.join("mod.rs").is_file() {
            found.extend(constructors(&path, &format!("{module}::"))?);
        }
        if path.extension().is_none_or(|extension| extension != "rs") || stem == "mod" {
            continue;
        }
        let code = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let code = syn::parse_file(&code).with_context(|| format!("cannot parse {}", path.display()))?;
        let functions = code.items.iter().filter_map(|item| if let Item::Fn(item) = item { Some(item) } else { None });
        let names: Vec<String> = functions.filter(|item| is_constructor(item)).flat_map(exports).collect();
        if !names.is_empty() {
            found.push((module, names));
        }
    }
    found.sort();
    Ok(found)
}

fn is_constructor(item: &ItemFn) -> bool {
    item.attrs.iter().any(|attribute| attribute.path().is_ident("constructor"))
}

/// `make_x`, and `then_x` where the attribute writes it.
fn exports(item: &ItemFn) -> Vec<String> {
    let make = item.sig.ident.to_string();
    let parameter = |input: &FnArg| match input {
        FnArg::Typed(typed) => match typed.pat.as_ref() {
            Pat::Ident(name) => name.ident.to_string(),
            _ => String::new(),
        },
        FnArg::Receiver(_) => String::new(),
    };
    let first: Vec<String> = item.sig.inputs.iter().take(2).map(parameter).collect();
    let then = (first == ["input_domain", "input_metric"]).then(|| make.replacen("make_", "then_", 1));
    [make].into_iter().chain(then).collect()
}
