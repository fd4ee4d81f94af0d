//! Takes a module apart into units.

use super::{
    normal::{Normalize, functions, identifiers, last_identifier, text},
    unit::{Unit, leaves},
};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{Attribute, ImplItem, Item, TraitItem, Visibility, visit_mut::VisitMut};

/// Whether an item exists in tests only.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && text(attribute.meta.to_token_stream()) == "cfg ( test )"
    })
}

/// The units of a module; those of the modules inside it are their own.
pub(super) fn units(items: &[Item]) -> Vec<Unit> {
    let mut found = Vec::new();
    for item in items {
        let exported = matches!(item, Item::Use(item) if !matches!(item.vis, Visibility::Inherited));
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
                found.push(Unit { constructor, is_function: true, ..Unit::new(vec![name], item) });
            }
            Item::Impl(item) => found.extend(of_impl(&item)),
            Item::Trait(item) => found.extend(of_trait(&item)),
            Item::Macro(item) => found.push(of_macro(&item)),
            Item::Use(item) => {
                let leaves = leaves(&item.tree).into_iter();
                found.extend(leaves.map(|(name, path)| Unit::import(name, path, &item.attrs, exported)));
            }
            Item::ExternCrate(item) => {
                let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name).to_string();
                found.push(Unit::import(name, vec![item.ident.to_string()], &item.attrs, false));
            }
            Item::Struct(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Enum(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Union(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Type(item) => {
                found.push(Unit { is_alias: true, ..Unit::new(vec![item.ident.to_string()], item) });
            }
            Item::Const(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Static(item) => found.push(Unit::new(vec![item.ident.to_string()], item)),
            Item::Mod(_) => {}
            // What no page can name: the list of uncovered code shows it.
            other => found.push(Unit::new(Vec::new(), other)),
        }
    }
    found
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
    // A type without a name, such as a pair, stands for itself where nothing else names the unit.
    let whole = owner.clone().unwrap_or_else(|| text(item.self_ty.to_token_stream()));
    let of_trait = item.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|last| last.ident.to_string());
    let trait_path = item
        .trait_
        .as_ref()
        .map(|(path, _)| path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>());
    let is_marker = item.items.is_empty();
    let unit = |name: String, tokens: &dyn ToTokens| {
        let tokens = tokens.to_token_stream();
        let (owner, of_trait, trait_path) = (owner.clone(), of_trait.clone(), trait_path.clone());
        Unit {
            owner,
            of_trait,
            trait_path,
            is_of_impl: true,
            is_marker,
            ..Unit::new(vec![name], quote! { #head #tokens })
        }
    };
    let mut found = Vec::new();
    for inner in &item.items {
        match inner {
            ImplItem::Fn(inner) if is_test(&inner.attrs) => {}
            ImplItem::Fn(inner) => found.push(unit(inner.sig.ident.to_string(), inner)),
            ImplItem::Const(inner) => found.push(unit(inner.ident.to_string(), inner)),
            ImplItem::Type(inner) => found.push(unit(inner.ident.to_string(), inner)),
            other => found.push(Unit { owner: Some(whole.clone()), ..unit(whole.clone(), other) }),
        }
    }
    if item.items.is_empty() {
        // That a trait without methods is implemented is a promise, too.
        let mut marker = Unit { owner: Some(whole.clone()), ..unit(whole, &quote! {}) };
        marker.also_named(of_trait.clone());
        found.push(marker);
    }
    found
}

fn of_trait(item: &syn::ItemTrait) -> Vec<Unit> {
    let mut head = item.clone();
    head.items.clear();
    let (head, owner) = (head.into_token_stream(), item.ident.to_string());
    let unit = |name: String, tokens: &dyn ToTokens| {
        let tokens = tokens.to_token_stream();
        Unit { owner: Some(owner.clone()), is_trait: true, ..Unit::new(vec![name], quote! { #head #tokens }) }
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
    let mut unit = Unit { is_macro: true, ..Unit::new(names, item) };
    if item.ident.is_none() {
        // What it makes of what it is given may be an implementation.
        unit.heads = vec![unit.words.clone()];
    }
    unit
}
