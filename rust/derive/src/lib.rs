//! The attribute `#[constructor]`, which the constructors of `indistinct` carry.
//!
//! It does three things, so that none is ever written by hand:
//!
//! 1. records the constructor's name, parameters and children in the plan of what it builds;
//! 2. where the first two parameters are `input_domain` and `input_metric`, generates `then_x` from `make_x`: the same
//!    constructor, waiting for its space;
//! 3. adds the level of the constructor's proof, in what it builds and in the documentation, with a link to its page.
//!    The levels come from a table that is written from the pages; [`proof_levels!`](macro@proof_levels) tells them for
//!    a step that no constructor makes.
//!
//! For
//!
//! ```text
//! #[constructor]
//! pub fn make_x<M: Metric>(input_domain: D, input_metric: M, limit: u32) -> Fallible<Transformation<D, E, M, M>> {
//!     body
//! }
//! ```
//!
//! it writes
//!
//! ```text
//! pub fn make_x<M: Metric>(input_domain: D, input_metric: M, limit: u32) -> Fallible<Transformation<D, E, M, M>> {
//!     let plan = Plan::new("make_x").parameter("limit", &limit);
//!     let built: Fallible<Transformation<D, E, M, M>> = (move || body)();
//!     built?.with_plan(plan, Levels::new(ProofLevel::B, &[]))
//! }
//!
//! pub fn then_x<M: Metric>(limit: u32) -> PartialTransformation<D, E, M, M> {
//!     PartialTransformation::new(move |input_domain, input_metric| make_x(input_domain, input_metric, limit))
//! }
//! ```
//!
//! `#[constructor(children(a, b))]` records the plans of the parameters `a` and `b` as children,
//! `#[constructor(shared(a))]` those of all that `a` holds, which the body gets in an `Arc` that the plan shares, and
//! `#[constructor(caller_trusted(f))]` records that `f` is a function of the caller's, whose promise nothing checks.
//! The spaces are recorded, with their types, by `with_plan`; `#[constructor(types(T))]` records the name of a type of
//! numbers that neither a space nor a parameter shows.

mod levels;

use levels::LEVELS;
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{
    Error, FnArg, GenericArgument, Ident, ItemFn, LitStr, Pat, PathArguments, Result, ReturnType, Token, Type,
    parenthesized,
    parse::{Parse, ParseStream},
    parse_macro_input,
    punctuated::Punctuated,
};

/// Record the plan of a `make_*` constructor, and generate its `then_*` form. See the crate's documentation.
#[proc_macro_attribute]
pub fn constructor(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(options as Options);
    let item = parse_macro_input!(item as ItemFn);
    expand(&options, &item).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The `Levels` of the step of this name: `proof_levels!("postprocess")`.
#[proc_macro]
pub fn proof_levels(name: TokenStream) -> TokenStream {
    let name = parse_macro_input!(name as LitStr);
    levels(&name.value()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The `Levels` that the table has for a name: the lowest, and the higher ones, each with the type that it holds for.
fn levels(name: &str) -> Result<Tokens> {
    let Some((_, lowest, higher, _)) = LEVELS.iter().find(|(listed, ..)| *listed == name) else {
        return Ok(quote! { crate::core::Levels::UNPROVEN });
    };
    let level = |name: &str| format_ident!("{name}");
    let rows = higher.iter().map(|(space, higher)| {
        let (space, higher) = (syn::parse_str::<Type>(space)?, level(higher));
        Ok(quote! { (::std::any::TypeId::of::<#space>, crate::core::ProofLevel::#higher) })
    });
    let (rows, lowest) = (rows.collect::<Result<Vec<_>>>()?, level(lowest));
    let imports = (!rows.is_empty()).then(|| quote! { use crate::measures::*; });
    Ok(quote! { { #imports crate::core::Levels::new(crate::core::ProofLevel::#lowest, &[#(#rows),*]) } })
}

/// What the documentation says of the proof. The link leads from `target/doc` to the page.
fn proof_documentation(constructor: &str) -> String {
    match LEVELS.iter().find(|(name, ..)| *name == constructor) {
        Some((_, level, under, page)) => {
            let higher: String = under.iter().map(|(space, level)| format!(", {level} under `{space}`")).collect();
            format!("\n# Proof\n\nLevel {level}{higher}: [`proofs/{page}`](../../../../proofs/{page}).")
        }
        None => "\n# Proof\n\nNone: unproven.".to_owned(),
    }
}

/// What stands in the parentheses of the attribute.
#[derive(Default)]
struct Options {
    children: Vec<Ident>,
    shared: Vec<Ident>,
    caller_trusted: Vec<Ident>,
    types: Vec<Ident>,
}

impl Parse for Options {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut options = Options::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            let content;
            parenthesized!(content in input);
            let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
            match key.to_string().as_str() {
                "children" => options.children.extend(names),
                "shared" => options.shared.extend(names),
                "caller_trusted" => options.caller_trusted.extend(names),
                "types" => options.types.extend(names),
                _ => {
                    let expected = "expected `children(…)`, `shared(…)`, `caller_trusted(…)` or `types(…)`";
                    return Err(Error::new(key.span(), expected));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

fn expand(options: &Options, item: &ItemFn) -> Result<Tokens> {
    let make = recorded(options, item)?;
    let then = if parameters(item)?.iter().any(|name| name == "input_domain") { partial(item)? } else { Tokens::new() };
    Ok(quote! { #make #then })
}

/// The names of the function's parameters.
fn parameters(item: &ItemFn) -> Result<Vec<Ident>> {
    let name = |argument: &FnArg| match argument {
        FnArg::Typed(typed) => match typed.pat.as_ref() {
            Pat::Ident(name) => Ok(name.ident.clone()),
            other => Err(Error::new_spanned(other, "a constructor's parameter is a plain name")),
        },
        FnArg::Receiver(receiver) => Err(Error::new_spanned(receiver, "a constructor is not a method")),
    };
    item.sig.inputs.iter().map(name).collect()
}

/// The constructor itself, with its plan recorded in what it builds.
fn recorded(options: &Options, item: &ItemFn) -> Result<Tokens> {
    let ItemFn { attrs, vis, sig, block, .. } = item;
    let ReturnType::Type(_, output) = &sig.output else {
        return Err(Error::new_spanned(
            sig,
            "a constructor returns Fallible<Transformation<…>> or Fallible<Measurement<…>>",
        ));
    };
    let title = sig.ident.to_string();
    let entries =
        parameters(item)?.into_iter().filter(|name| name != "input_domain" && name != "input_metric").map(|name| {
            let label = name.to_string();
            if options.children.contains(&name) {
                quote! { .child(#name.shared_plan()) }
            } else if options.shared.contains(&name) {
                quote! { .child(#name.clone()) }
            } else if options.caller_trusted.contains(&name) {
                quote! { .caller_trusted(#label) }
            } else {
                quote! { .parameter(#label, &#name) }
            }
        });
    let names = options.types.iter().map(|name| {
        let label = name.to_string();
        quote! { .parameter(#label, &<#name as crate::domains::Atom>::NAME) }
    });
    let (proof, levels, shared) = (proof_documentation(&title), levels(&title)?, &options.shared);
    Ok(quote! {
        #(#attrs)*
        #[doc = #proof]
        #vis #sig {
            #(let #shared = ::std::sync::Arc::new(#shared);)*
            let plan = crate::core::Plan::new(#title) #(#entries)* #(#names)*;
            #[allow(clippy::redundant_closure_call)]
            let built: #output = (move || #block)();
            built?.with_plan(plan, #levels)
        }
    })
}

/// The `then_*` form of a `make_*` constructor.
fn partial(item: &ItemFn) -> Result<Tokens> {
    let ItemFn { vis, sig, .. } = item;
    let make = &sig.ident;
    let name = make.to_string();
    let Some(stem) = name.strip_prefix("make_") else {
        return Err(Error::new_spanned(make, "a constructor is named make_*"));
    };
    let then = format_ident!("then_{stem}", span = make.span());
    let (kind, arguments) = built_type(&sig.output)?;
    let partial = format_ident!("Partial{kind}");
    let rest: Vec<_> = sig.inputs.iter().skip(2).collect();
    let names: Vec<_> = parameters(item)?.into_iter().skip(2).collect();
    let (generics, where_clause) = (&sig.generics, &sig.generics.where_clause);
    let doc = format!("[`{name}`], waiting for its input space: `space >> {then}(…)`.");
    Ok(quote! {
        #[doc = #doc]
        #vis fn #then #generics (#(#rest),*) -> crate::core::#partial<#arguments> #where_clause {
            crate::core::#partial::new(move |input_domain, input_metric| #make(input_domain, input_metric, #(#names),*))
        }
    })
}

/// From `Fallible<Transformation<A, B, C, D>>`: the name `Transformation` and the arguments `A, B, C, D`.
fn built_type(output: &ReturnType) -> Result<(Ident, Tokens)> {
    let wrong = || Error::new_spanned(output, "expected Fallible<Transformation<…>> or Fallible<Measurement<…>>");
    let ReturnType::Type(_, fallible) = output else { return Err(wrong()) };
    let (_, inner) = last_segment(fallible).ok_or_else(wrong)?;
    let Some(GenericArgument::Type(built)) = inner.first() else { return Err(wrong()) };
    let (kind, arguments) = last_segment(built).ok_or_else(wrong)?;
    Ok((kind, quote! { #arguments }))
}

fn last_segment(path: &Type) -> Option<(Ident, Punctuated<GenericArgument, Token![,]>)> {
    let Type::Path(path) = path else { return None };
    let segment = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    Some((segment.ident.clone(), arguments.args.clone()))
}
