//! What pages name and what there is: constructors, types, paths, files, targets of make, commands of programs.
//!
//! Names are read where they are written as code: between backticks, and in blocks of code. A name exists if the
//! sources use it outside of comments and texts; a constructor if it is defined; a file if some path ends so.

use crate::code::{Sources, Tree};
use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    str::FromStr,
};
use syn::{Fields, Item};
use walkdir::{DirEntry, WalkDir};

/// What the project consists of, as far as pages name it.
pub struct Named {
    tree: Tree,
    identifiers: BTreeSet<String>,
    functions: BTreeSet<String>,
    targets: BTreeSet<String>,
    /// The programs' commands, each with those below it.
    commands: BTreeMap<&'static str, BTreeMap<String, BTreeSet<String>>>,
    /// Files and folders, each after a slash.
    files: Vec<String>,
    top: BTreeSet<String>,
    /// What is looked up as if it were there, for the reason that the caller has.
    exceptions: BTreeSet<String>,
}

/// The programs that take commands, and where these are declared.
const PROGRAMS: [(&str, &str); 2] =
    [("indistinct", "rust/cli/src/arguments.rs"), ("cargo xtask", "rust/xtask/src/main.rs")];

/// Files of these kinds are ours wherever they are named; of others only by a path that begins with a folder of ours.
const ENDS: [&str; 6] = [".rs", ".md", ".v", ".sh", ".py", ".toml"];

impl Named {
    /// Reads the workspace. The exceptions are names that pages may use of things that are not the project's.
    pub fn read(root: &Path, exceptions: &[&str]) -> Result<Self> {
        let mut named = Self {
            tree: Tree::read(&Sources::on_disk(root)?, &["rust/", "examples", "tests", "proofs/oracle"])?,
            identifiers: BTreeSet::new(),
            functions: BTreeSet::new(),
            targets: BTreeSet::new(),
            commands: BTreeMap::new(),
            files: Vec::new(),
            top: BTreeSet::new(),
            exceptions: exceptions.iter().map(ToString::to_string).collect(),
        };
        let is_kept = |entry: &DirEntry| ![".git", "target"].iter().any(|name| entry.file_name() == *name);
        for found in WalkDir::new(root).min_depth(1).into_iter().filter_entry(is_kept) {
            let found = found?;
            let file = found.path().strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            if found.depth() == 1 {
                named.top.insert(file.clone());
            }
            if file.ends_with(".rs") {
                let text = fs::read_to_string(found.path()).with_context(|| format!("cannot read {file}"))?;
                // Programs that must not compile may not be Rust at all.
                if let Ok(tokens) = TokenStream::from_str(&text) {
                    named.take(tokens);
                }
            } else if file.ends_with(".pyi") || file.starts_with("rust/python/") && file.ends_with(".py") {
                let text = fs::read_to_string(found.path())?;
                named.identifiers.extend(identifiers(&text).map(str::to_owned));
            }
            // Modules and crates are named as their files.
            let stem = file.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
            named.identifiers.insert(stem.to_owned());
            named.files.push(format!("/{file}"));
        }
        let makefile = fs::read_to_string(root.join("Makefile")).context("no Makefile")?;
        let targets = makefile.lines().filter_map(|line| line.strip_prefix(".PHONY:")).flat_map(str::split_whitespace);
        named.targets = targets.map(str::to_owned).collect();
        let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
        let crates = manifest.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.replace('-', "_"));
        named.identifiers.extend(crates);
        for (program, file) in PROGRAMS {
            named.commands.insert(program, commands(&fs::read_to_string(root.join(file))?)?);
        }
        Ok(named)
    }

    fn take(&mut self, tokens: TokenStream) {
        let (mut is_function, mut follows_hash) = (false, false);
        for tree in tokens {
            let is_hash = matches!(&tree, TokenTree::Punct(mark) if matches!(mark.as_char(), '#' | '!') );
            match tree {
                TokenTree::Ident(name) => {
                    let name = name.to_string().trim_start_matches("r#").to_owned();
                    if is_function {
                        self.functions.insert(name.clone());
                    }
                    is_function = name == "fn";
                    self.identifiers.insert(name);
                }
                TokenTree::Group(group) => {
                    is_function = false;
                    let is_documentation = follows_hash && group.stream().to_string().starts_with("doc =");
                    if !is_documentation {
                        self.take(group.stream());
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => is_function = false,
            }
            follows_hash = is_hash;
        }
    }

    /// What a page names and does not exist: the number of the line, and the name.
    pub fn missing(&self, page: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (line, code, is_block) in code(page) {
            found.extend(self.missing_in(code, is_block).into_iter().map(|name| (line, name)));
        }
        found
    }

    /// What the comments of a source name and does not exist.
    pub fn missing_in_comments(&self, source: &str) -> Vec<(usize, String)> {
        let comment = |line: &str| {
            let line = line.trim_start();
            line.strip_prefix("//").map_or("", |comment| comment.trim_start_matches(['/', '!'])).to_owned()
        };
        self.missing(&source.lines().map(comment).collect::<Vec<_>>().join("\n"))
    }

    fn missing_in(&self, code: &str, is_block: bool) -> Vec<String> {
        let mut missing = Vec::new();
        let names = identifiers(code);
        missing.extend(names.filter(|name| !self.is_constructor(name)).map(str::to_owned));
        missing.extend(paths(code).filter(|path| !self.leads_somewhere(path)).map(str::to_owned));
        missing.extend(self.missing_command(code.trim().trim_start_matches("$ ")));
        if is_block {
            return missing;
        }
        missing.extend(self.missing_file(code));
        if !code.contains([' ', '/', '"', '\\', '$']) {
            let looks_like_ours = |name: &&str| {
                let is_type = name.starts_with(|first: char| first.is_ascii_uppercase())
                    && name.contains(|letter: char| letter.is_ascii_lowercase());
                is_type || code.contains("::") && !code.contains('.')
            };
            let unknown = |name: &&str| !self.identifiers.contains(*name) && !self.exceptions.contains(*name);
            missing.extend(identifiers(code).filter(looks_like_ours).filter(unknown).map(str::to_owned));
        }
        missing
    }

    /// Whether a path is right that begins with a crate of ours, or with a module of one: modules, then a name that the
    /// last of them has.
    fn leads_somewhere(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split("::").collect();
        let Some(first) = names.first() else { return true };
        let is_crate = |path: &&str| !path.contains("::");
        let crates = self.tree.modules().map(|module| module.path.as_str()).filter(is_crate);
        let roots: Vec<String> = if self.tree.get(first).is_some() {
            vec![String::new()]
        } else {
            crates
                .map(|name| format!("{name}::"))
                .filter(|root| self.tree.get(&format!("{root}{first}")).is_some())
                .collect()
        };
        roots.is_empty()
            || self.exceptions.contains(path)
            || roots.iter().any(|root| self.is_in(&format!("{root}{path}")))
    }

    fn is_in(&self, path: &str) -> bool {
        let Some((module, rest)) = self.tree.split(path) else { return false };
        let name = rest.split("::").next().unwrap_or_default();
        let made = name.strip_prefix("then_").map(|rest| format!("make_{rest}"));
        let is_there =
            |name: &str| module.units.iter().any(|unit| unit.everywhere || unit.names.iter().any(|own| own == name));
        name.is_empty() || is_there(name) || made.is_some_and(|made| is_there(&made))
    }

    /// Whether a name that looks like a constructor's is one; all others are.
    fn is_constructor(&self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix("make_").or_else(|| name.strip_prefix("then_")) else { return true };
        let made = format!("make_{rest}");
        self.exceptions.contains(name)
            || self.functions.contains(name)
            || self.functions.contains(&made)
            || rest.is_empty()
            || made.ends_with('_') && self.functions.iter().any(|function| function.starts_with(&made))
    }

    fn missing_command(&self, code: &str) -> Option<String> {
        let unknown = |name: String| (!self.exceptions.contains(&name)).then_some(name);
        if let Some(rest) = code.strip_prefix("make ") {
            let is_target = |word: &&str| word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
            let mut targets = rest.split_whitespace().take_while(is_target);
            return targets
                .find(|target| !self.targets.contains(*target))
                .and_then(|target| unknown(format!("make {target}")));
        }
        for (program, commands) in &self.commands {
            let Some(rest) = code.strip_prefix(program).and_then(|rest| rest.strip_prefix(' ')) else { continue };
            let mut words = rest.split_whitespace().filter(|word| !word.starts_with('-'));
            let Some(command) = words.next().filter(|word| is_word(word)) else { continue };
            let Some(below) = commands.get(command) else { return unknown(format!("{program} {command}")) };
            let missing = words.next().filter(|word| is_word(word) && !below.is_empty() && !below.contains(*word));
            return missing.and_then(|word| unknown(format!("{program} {command} {word}")));
        }
        None
    }

    fn missing_file(&self, code: &str) -> Option<String> {
        let path = code.trim_start_matches("../").trim_start_matches("./").trim_end_matches('/');
        let is_path = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
        let is_ours = ENDS.iter().any(|end| path.len() > end.len() && path.ends_with(end))
            || path.split_once('/').is_some_and(|(first, _)| self.top.contains(first));
        if path.is_empty() || !path.chars().all(is_path) || !is_ours || self.exceptions.contains(code) {
            return None;
        }
        let end = format!("/{path}");
        (!self.files.iter().any(|file| file.ends_with(&end))).then(|| code.to_owned())
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
}

fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|name| !name.is_empty())
}

/// The paths of Rust in a piece of code.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let parts = code.split(|letter: char| !letter.is_ascii_alphanumeric() && !"_:".contains(letter));
    parts.map(|path| path.trim_matches(':')).filter(|path| path.contains("::") && !path.contains(":::"))
}

/// The code on a page: the number of its line, its text, and whether it is a line of a block.
fn code(page: &str) -> Vec<(usize, &str, bool)> {
    let (mut found, mut in_block) = (Vec::new(), false);
    for (number, line) in (1..).zip(page.lines()) {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            found.push((number, line, true));
        } else {
            // Between backticks, single or double, is every other part.
            let parts = line.split('`').skip(1).step_by(2).filter(|part| !part.is_empty());
            found.extend(parts.map(|part| (number, part, false)));
        }
    }
    found
}

/// The commands that a source declares by enums that derive `Subcommand`: those of the first, with those below each.
fn commands(source: &str) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut enums = BTreeMap::new();
    let mut order = Vec::new();
    for item in syn::parse_file(source)?.items {
        let Item::Enum(item) = item else { continue };
        let derives = item.attrs.iter().any(|attribute| {
            attribute.path().is_ident("derive")
                && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string().contains("Subcommand"))
        });
        if derives {
            order.push(item.ident.to_string());
            enums.insert(item.ident.to_string(), item);
        }
    }
    let first = order.first().and_then(|name| enums.get(name)).context("no commands")?;
    let mut found = BTreeMap::new();
    for variant in &first.variants {
        let below = match &variant.fields {
            Fields::Unnamed(fields) => fields.unnamed.first().and_then(|field| match &field.ty {
                syn::Type::Path(path) => path.path.get_ident().and_then(|name| enums.get(&name.to_string())),
                _ => None,
            }),
            _ => None,
        };
        let names = below.iter().flat_map(|below| &below.variants).map(|variant| kebab(&variant.ident.to_string()));
        let names: BTreeSet<String> = names.collect();
        for attribute in variant.attrs.iter().filter(|attribute| attribute.path().is_ident("command")) {
            if let syn::Meta::List(list) = &attribute.meta
                && let Some((_, alias)) = list.tokens.to_string().split_once("alias = \"")
                && let Some((alias, _)) = alias.split_once('"')
            {
                found.insert(alias.to_owned(), names.clone());
            }
        }
        found.insert(kebab(&variant.ident.to_string()), names);
    }
    Ok(found)
}

/// A name as clap writes it.
fn kebab(name: &str) -> String {
    let mut written = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !written.is_empty() {
            written.push('-');
        }
        written.push(letter.to_ascii_lowercase());
    }
    written
}
