//! The units that a module falls into: what a proof can name, and what its hash can reach.

use super::{
    heads::heads,
    normal::{Word, words},
};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{Attribute, ItemUse, UseTree};

/// All names of a module, in an import.
pub(super) const STAR: &str = "*";

/// One function, type, constant, macro or import; a method is a unit of its own, with the head of its block.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// What others call it, and for a macro also what it defines.
    pub(crate) names: Vec<String>,
    /// The type or trait to whose block it belongs.
    pub(crate) owner: Option<String>,
    /// The trait that the block implements.
    pub(crate) of_trait: Option<String>,
    /// The path of that trait as it is written, and what it means.
    pub(super) trait_path: Option<Vec<String>>,
    pub(super) trait_meaning: Option<String>,
    /// Whether it is of a trait's own block.
    pub(super) is_trait: bool,
    /// Whether it is of the block of an implementation.
    pub(super) is_of_impl: bool,
    /// Whether the block is empty: that the trait is implemented is all that it says.
    pub(super) is_marker: bool,
    /// Whether it stands elsewhere: in a module inside this one, or in any as the block of a marker trait of this one.
    pub(crate) elsewhere: bool,
    /// Whether it is a public function named `make_*`.
    pub(crate) constructor: bool,
    /// Whether it is a function that belongs to no type.
    pub(crate) is_function: bool,
    /// Whether it is a macro, or the use of one.
    pub(crate) is_macro: bool,
    /// Of an import, the path as it is written; a star stands for all names.
    pub(super) import: Option<Vec<String>>,
    /// Of an import, whether others may name it here.
    pub(crate) exported: bool,
    /// Whether it brings names that are not known here.
    pub(crate) everywhere: bool,
    pub(super) words: Vec<Word>,
    /// The heads of the implementations in it; of a macro's use, all that it is given.
    pub(super) heads: Vec<Vec<Word>>,
    /// What the names in these heads mean, one set for each.
    pub(crate) implements: Vec<Head>,
    /// Whether it is another name of a type.
    pub(crate) is_alias: bool,
    /// The normal form, with what its paths mean.
    pub(crate) text: String,
    /// All names that it mentions, but for those of the modules in a path.
    pub(crate) mentions: BTreeSet<String>,
}

/// What the head of an implementation names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head {
    /// The paths before `for`: the trait, and its arguments. Empty, where there is none.
    pub(crate) of_trait: BTreeSet<String>,
    /// All paths.
    pub(crate) names: BTreeSet<String>,
    /// Whether a macro fills in a part before `for`, or the type of an implementation without a trait.
    pub(crate) is_open: bool,
}

/// A module, without those inside it and without tests.
#[derive(Debug)]
pub(crate) struct Module {
    /// Such as `indistinct::core::map`.
    pub(crate) path: String,
    /// What its declarations, from the crate's root on, say of when it is compiled and from where.
    pub(crate) attributes: Vec<String>,
    /// Whether it stands in the file of the module around it.
    pub(super) is_inline: bool,
    /// What is in it; each name that a star imports is an import of its own.
    pub(crate) units: Vec<Unit>,
}

impl Unit {
    pub(super) fn new(names: Vec<String>, tokens: impl ToTokens) -> Self {
        let tokens = tokens.into_token_stream();
        let mut imports = Vec::new();
        inner_imports(tokens.clone(), &mut imports);
        let heads = heads(tokens.clone());
        let words = words(tokens).into_iter().chain(imports.into_iter().map(Word::Path)).collect();
        Self {
            names,
            owner: None,
            of_trait: None,
            trait_path: None,
            trait_meaning: None,
            is_trait: false,
            is_of_impl: false,
            is_marker: false,
            elsewhere: false,
            constructor: false,
            is_function: false,
            is_macro: false,
            import: None,
            exported: false,
            everywhere: false,
            words,
            heads,
            implements: Vec::new(),
            is_alias: false,
            text: String::new(),
            mentions: BTreeSet::new(),
        }
    }

    pub(super) fn import(name: String, path: Vec<String>, attributes: &[Attribute], exported: bool) -> Self {
        let attributes = attributes.iter().filter(|attribute| !is_lint(attribute));
        let mut unit = Self::new(vec![name], quote! { #(#attributes)* use });
        unit.words.push(Word::Path(path.clone()));
        Self { import: Some(path), exported, ..unit }
    }

    pub(crate) fn is_import(&self) -> bool {
        self.import.is_some()
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.names.first().map(String::as_str)
    }

    /// All that others call it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The public constructors among its names; a macro that writes one out counts as public.
    pub(crate) fn constructors(&self) -> Vec<&str> {
        let counts = |name: &&str| if self.is_macro { name.starts_with("make_") } else { self.constructor };
        self.names.iter().map(String::as_str).filter(counts).collect()
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// The names that it gives to its module, and not to a type.
    pub(super) fn defined(&self) -> impl Iterator<Item = &str> {
        let is_own = |name: &&String| self.owner.as_ref().is_none_or(|owner| owner == *name && self.of_trait.is_none());
        self.names.iter().filter(is_own).map(String::as_str)
    }

    /// Let it be reached by these names too.
    pub(super) fn also_named(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            if !self.is_named(&name) {
                self.names.push(name);
            }
        }
    }

    /// Whether an implementation stands inside of its code.
    pub(crate) fn has_inner_implementation(&self) -> bool {
        !self.is_macro && self.implements.len() > usize::from(self.is_of_impl)
    }

    /// The macros that it defines, at any depth.
    pub(crate) fn defined_macros(&self) -> impl Iterator<Item = &str> {
        self.words.windows(3).filter_map(|words| match words {
            [Word::Name(rules), Word::Mark(mark), Word::Name(name)] if rules == "macro_rules" && mark == "!" => {
                Some(name.as_str())
            }
            _ => None,
        })
    }

    /// Whether an attribute of this name stands first.
    pub(crate) fn is_marked(&self, attribute: &str) -> bool {
        let mut marks =
            self.words.windows(3).take_while(|words| matches!(words, [Word::Mark(mark), ..] if mark == "#"));
        marks.any(|words| matches!(words, [_, _, Word::Name(name)] if name == attribute))
    }

    /// How a page names it, in a module of this path.
    pub(crate) fn path_in(&self, module: &str) -> Option<String> {
        let name = self.name()?;
        Some(match (&self.owner, &self.of_trait) {
            (Some(owner), None) if owner == name => format!("{module}::{owner}"),
            (Some(owner), Some(of_trait)) if owner == name => format!("{module}::<{owner} as {of_trait}>"),
            (Some(owner), Some(of_trait)) => format!("{module}::<{owner} as {of_trait}>::{name}"),
            (Some(owner), None) => format!("{module}::{owner}::{name}"),
            (None, _) if self.is_macro => format!("{module}::{name}!"),
            (None, _) => format!("{module}::{name}"),
        })
    }

    /// Whether it reads code from a file that no module names.
    pub(super) fn includes(&self) -> bool {
        self.calls(&["include"])
    }

    /// Whether what it does depends on a file that is no module, or on the environment in which it is compiled.
    pub(crate) fn reads_when_compiled(&self) -> bool {
        self.calls(&["include_str", "include_bytes", "env", "option_env"])
    }

    /// Whether it calls one of these macros, by whatever path, or imports it.
    fn calls(&self, macros: &[&str]) -> bool {
        let is_one = |name: &String| macros.contains(&name.as_str());
        let last = |word: &Word| match word {
            Word::Name(name) | Word::Means(_, name) => is_one(name),
            Word::Path(path) => path.last().is_some_and(is_one),
            Word::Mark(_) => false,
        };
        let call = |pair: &[Word]| matches!(pair, [name, Word::Mark(mark)] if last(name) && mark == "!");
        self.words.windows(2).any(call) || self.import.iter().flat_map(|path| path.last()).any(is_one)
    }

    /// One of the names of an import of all.
    pub(super) fn for_star(&self, name: String) -> Self {
        let mut path = self.import.clone().unwrap_or_default();
        path.pop();
        path.push(name.clone());
        let mut unit = Self { names: vec![name], import: Some(path.clone()), ..self.clone() };
        unit.words.pop();
        unit.words.push(Word::Path(path));
        unit
    }

    /// Replace each path that begins with a module, and all of an import's, by what it means.
    pub(super) fn resolve(&mut self, means: impl Fn(&[String]) -> Option<String>) {
        for word in &mut self.words {
            if let Word::Path(path) = word
                && let (Some(label), Some(last)) = (means(path), path.last())
            {
                *word = Word::Means(label, last.clone());
            }
        }
        for word in &self.words {
            match word {
                Word::Mark(_) => {}
                Word::Name(name) | Word::Means(_, name) => drop(self.mentions.insert(name.clone())),
                Word::Path(path) => self.mentions.extend(path.iter().cloned()),
            }
        }
        self.text = self.spelled(|label| format!("`{label}`"));
    }

    /// The normal form, without what its paths mean.
    pub(crate) fn shape(&self) -> String {
        self.spelled(|_| "`".to_owned())
    }

    /// Find what the heads of its implementations name.
    pub(super) fn resolve_heads(&mut self, means: impl Fn(&[String]) -> Option<String>) {
        let names = |words: &[Word]| {
            let means = |word: &Word| match word {
                Word::Mark(_) => None,
                Word::Name(name) | Word::Means(_, name) => means(std::slice::from_ref(name)),
                Word::Path(path) => means(path),
            };
            let labels: Vec<String> = words.iter().filter_map(means).collect();
            labels.iter().flat_map(|label| label.split('|')).map(str::to_owned).collect()
        };
        let of = |head: &Vec<Word>| {
            let is_for = |pair: &[Word]| {
                // `for<'a>` is part of a type.
                let is_higher = |next: &Word| matches!(next, Word::Mark(mark) if mark.starts_with('<'));
                matches!(pair, [Word::Name(word), next] if word == "for" && !is_higher(next))
            };
            let before = head.windows(2).position(is_for);
            let (of_trait, of_type) = before.and_then(|end| head.split_at_checked(end)).unwrap_or((&[], head));
            let open = if of_trait.is_empty() { of_type } else { of_trait };
            let is_filled = |pair: &[Word]| match pair {
                [_, Word::Path(path)] if path.first().is_some_and(|first| first == "crate") => false,
                [Word::Mark(mark), _] => mark.ends_with('$'),
                _ => false,
            };
            let is_open = open.windows(2).any(is_filled);
            Head { of_trait: names(of_trait), names: names(head), is_open }
        };
        self.implements = self.heads.iter().map(of).collect();
    }

    /// What its paths mean, in order.
    pub(crate) fn meanings(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter_map(|word| if let Word::Means(label, _) = word { Some(label.as_str()) } else { None })
    }

    fn spelled(&self, label: impl Fn(&str) -> String) -> String {
        let mut texts: Vec<String> = self
            .words
            .iter()
            .map(|word| match word {
                Word::Mark(word) | Word::Name(word) => word.clone(),
                Word::Path(path) => path.join(" :: "),
                Word::Means(means, _) => label(means),
            })
            .collect();
        if self.is_import() {
            texts.splice(0..0, self.names.first().cloned());
        }
        texts.join(" ")
    }
}

/// Whether an attribute only asks the compiler for silence or words.
pub(super) fn is_lint(attribute: &Attribute) -> bool {
    ["doc", "allow", "warn", "deny", "expect", "forbid"].iter().any(|name| attribute.path().is_ident(name))
}

/// The names that an import makes, each with its whole path; a star where it makes all names of a module.
pub(super) fn leaves(tree: &UseTree) -> Vec<(String, Vec<String>)> {
    let leaf = |name: &syn::Ident, path: &syn::Ident| vec![(name.to_string(), vec![path.to_string()])];
    match tree {
        UseTree::Path(path) => {
            let module = path.ident.to_string();
            let inner = leaves(&path.tree).into_iter();
            inner
                .map(|(name, rest)| match rest.as_slice() {
                    [own] if own == "self" => {
                        (if name == "self" { module.clone() } else { name }, vec![module.clone()])
                    }
                    _ => (name, [vec![module.clone()], rest].concat()),
                })
                .collect()
        }
        UseTree::Name(name) => leaf(&name.ident, &name.ident),
        UseTree::Rename(name) => leaf(&name.rename, &name.ident),
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Glob(_) => vec![(STAR.into(), vec![STAR.into()])],
    }
}

/// The paths of the imports that stand inside of code.
fn inner_imports(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => inner_imports(group.stream(), found),
            TokenTree::Ident(word) if word == "use" => {
                let mut import = TokenStream::from(TokenTree::Ident(word));
                while let Some(next) = trees.peek() {
                    let is_end = matches!(next, TokenTree::Punct(mark) if mark.as_char() == ';');
                    import.extend(trees.next());
                    if is_end {
                        break;
                    }
                }
                // What does not parse is a word of something else, such as the captures of a type.
                let import = syn::parse2::<ItemUse>(import);
                found.extend(import.iter().flat_map(|import| leaves(&import.tree)).map(|(_, path)| path));
            }
            _ => {}
        }
    }
}
