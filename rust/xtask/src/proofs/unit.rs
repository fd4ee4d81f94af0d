//! The units that a module falls into: what a proof can name, and what its hash can reach.

use super::normal::{Normalize, functions, identifiers, last_identifier, text};
use anyhow::Result;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{Attribute, ImplItem, Item, TraitItem, UseTree, Visibility, visit_mut::VisitMut};

/// One function, type, constant, macro or import; a method is a unit of its own, with the head of its block.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// What others call it, and for a macro also what it defines.
    names: Vec<String>,
    /// The type or trait to whose block it belongs.
    pub(super) owner: Option<String>,
    /// The trait that the block implements.
    pub(super) of_trait: Option<String>,
    /// Whether it is a public function named `make_*`.
    pub(super) constructor: bool,
    /// Whether it is a macro, or the use of one.
    pub(super) is_macro: bool,
    /// Whether it is only a name for something elsewhere.
    pub(super) import: bool,
    /// The normal form.
    pub(super) text: String,
    /// All identifiers that it mentions.
    pub(super) mentions: BTreeSet<String>,
}

impl Unit {
    fn new(names: Vec<String>, tokens: impl ToTokens) -> Self {
        let tokens = tokens.into_token_stream();
        let mut mentions = BTreeSet::new();
        identifiers(tokens.clone(), &mut mentions);
        let text = text(tokens);
        Self { names, owner: None, of_trait: None, constructor: false, is_macro: false, import: false, text, mentions }
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.names.first().map(String::as_str)
    }

    /// The public constructors among its names; a macro that writes one out counts as public.
    pub(super) fn constructors(&self) -> Vec<&str> {
        let counts = |name: &&str| if self.is_macro { name.starts_with("make_") } else { self.constructor };
        self.names.iter().map(String::as_str).filter(counts).collect()
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }
}

/// Whether an item exists in tests only.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && text(attribute.meta.to_token_stream()) == "cfg ( test )"
    })
}

/// The units of a module; those of the modules inside it are their own.
pub(super) fn units(items: &[Item]) -> Result<Vec<Unit>> {
    let mut found = Vec::new();
    for item in items {
        let mut item = item.clone();
        Normalize.visit_item_mut(&mut item);
        if is_test(attributes(&item)) {
            continue;
        }
        match item {
            Item::Fn(item) => {
                let name = item.sig.ident.to_string();
                let public = matches!(item.vis, Visibility::Public(_));
                let constructor = public && name.starts_with("make_");
                found.push(Unit { constructor, ..Unit::new(vec![name], item) });
            }
            Item::Impl(item) => found.extend(of_impl(&item)),
            Item::Trait(item) => found.extend(of_trait(&item)),
            Item::Macro(item) => found.push(of_macro(&item)),
            Item::Use(item) => {
                for (name, path) in leaves(&item.tree) {
                    found.push(Unit { import: true, ..Unit::new(vec![name], path) });
                }
            }
            Item::Struct(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Enum(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Union(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Type(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Const(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Static(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            _ => {}
        }
    }
    Ok(found)
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn of_impl(item: &syn::ItemImpl) -> Vec<Unit> {
    let mut head = item.clone();
    head.items.clear();
    let head = head.into_token_stream();
    let owner = last_identifier(&item.self_ty);
    let of_trait = item.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|last| last.ident.to_string());
    let unit = |name: String, tokens: &dyn ToTokens| {
        let tokens = tokens.to_token_stream();
        Unit { owner: owner.clone(), of_trait: of_trait.clone(), ..Unit::new(vec![name], quote! { #head #tokens }) }
    };
    let mut found = Vec::new();
    for inner in &item.items {
        match inner {
            ImplItem::Fn(inner) if is_test(&inner.attrs) => {}
            ImplItem::Fn(inner) => found.push(unit(inner.sig.ident.to_string(), inner)),
            ImplItem::Const(inner) => found.push(unit(inner.ident.to_string(), inner)),
            ImplItem::Type(inner) => found.push(unit(inner.ident.to_string(), inner)),
            other => found.extend(owner.clone().map(|owner| unit(owner, other))),
        }
    }
    if item.items.is_empty() {
        // That a trait without methods is implemented is a promise, too.
        found.extend(owner.clone().map(|owner| unit(owner, &quote! {})));
    }
    found
}

fn of_trait(item: &syn::ItemTrait) -> Vec<Unit> {
    let mut head = item.clone();
    head.items.clear();
    let (head, owner) = (head.into_token_stream(), item.ident.to_string());
    let unit = |name: String, tokens: &dyn ToTokens| {
        let tokens = tokens.to_token_stream();
        Unit { owner: Some(owner.clone()), ..Unit::new(vec![name], quote! { #head #tokens }) }
    };
    let mut found = vec![unit(owner.clone(), &quote! {})];
    for inner in &item.items {
        match inner {
            TraitItem::Fn(inner) => found.push(unit(inner.sig.ident.to_string(), inner)),
            TraitItem::Const(inner) => found.push(unit(inner.ident.to_string(), inner)),
            TraitItem::Type(inner) => found.push(unit(inner.ident.to_string(), inner)),
            other => found.push(unit(owner.clone(), other)),
        }
    }
    found
}

/// A macro defines the functions written out in it; its use, whatever it is given.
fn of_macro(item: &syn::ItemMacro) -> Unit {
    let mut names = Vec::new();
    match &item.ident {
        Some(name) => {
            names.push(name.to_string());
            functions(item.mac.tokens.clone(), &mut names);
        }
        None => {
            names.extend(item.mac.path.segments.last().map(|segment| segment.ident.to_string()));
            let mut given = BTreeSet::new();
            identifiers(item.mac.tokens.clone(), &mut given);
            names.extend(given.into_iter().filter(|name| name.starts_with(char::is_uppercase)));
        }
    }
    Unit { is_macro: true, ..Unit::new(names, item) }
}

/// The names that an import makes, each with its whole path.
fn leaves(tree: &UseTree) -> Vec<(String, proc_macro2::TokenStream)> {
    match tree {
        UseTree::Path(path) => {
            let name = &path.ident;
            leaves(&path.tree).into_iter().map(|(leaf, rest)| (leaf, quote! { #name :: #rest })).collect()
        }
        UseTree::Name(leaf) => vec![(leaf.ident.to_string(), leaf.ident.to_token_stream())],
        UseTree::Rename(leaf) => vec![(leaf.rename.to_string(), leaf.to_token_stream())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}
