//! The attribute `#[constructor]`, which the constructors of `indistinct` carry.
//!
//! It does four things, so that none is ever written by hand:
//!
//! 1. records the constructor's name, parameters and children in the plan of what it builds;
//! 2. where the first two parameters are `input_domain` and `input_metric`, generates `then_x` from `make_x`: the same
//!    constructor, waiting for its space;
//! 3. adds the levels of the constructor's proof, in what it builds and in the documentation, with a link to its page.
//!    The levels come from a table that is written from the pages; [`proof_levels!`](macro@proof_levels) gives those of
//!    a step that no constructor makes;
//! 4. writes `entry`, by which a stored plan calls the constructor again, or which says why no plan can.
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
//!     built?.with_plan(plan, Levels::new(Proof { … }, &[]))
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
//!
//! `entry` calls the constructor with the types that its bounds say; `#[constructor(rebuilt(T = [f64, i64]))]` names
//! others, `rebuilt_by_hand()` says that the plan's own code calls it, and `exempt("…")` why no plan does.

mod levels;
mod options;
mod registry;
mod signature;

use levels::LEVELS;
use options::Options;
use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{format_ident, quote};
use signature::{built_type, is_of_space, parameters};
use syn::{Error, Ident, ItemFn, LitStr, Result, ReturnType, Type, parse_macro_input};

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

/// The `Levels` that the table has for a name: the lowest of map and of what runs, and the higher ones, each with the
/// type that they hold for; what has no page is unproven.
fn levels(name: &str) -> Result<Tokens> {
    let Some((_, lowest, higher, rests, _)) = LEVELS.iter().find(|(listed, ..)| *listed == name) else {
        return Ok(quote! { crate::core::Levels::new(crate::core::Proof::UNPROVEN, &[]) });
    };
    let proof = |(map, run): &(&str, &str)| {
        let rests = if map == run {
            quote! { None }
        } else {
            quote! { Some(#rests) }
        };
        let (map, run) = (format_ident!("{map}"), format_ident!("{run}"));
        quote! {
            crate::core::Proof {
                map: crate::core::ProofLevel::#map,
                run: crate::core::ProofLevel::#run,
                rests: ::std::option::Option::#rests
            }
        }
    };
    let rows = higher.iter().map(|(space, levels)| {
        let (space, proof) = (syn::parse_str::<Type>(space)?, proof(levels));
        Ok(quote! { (::std::any::TypeId::of::<#space>, #proof) })
    });
    let (rows, lowest) = (rows.collect::<Result<Vec<_>>>()?, proof(lowest));
    let imports = (!rows.is_empty()).then(|| quote! { use crate::measures::*; });
    Ok(quote! { { #imports crate::core::Levels::new(#lowest, &[#(#rows),*]) } })
}

/// The documentation of the proof. The link leads from `target/doc` to the page.
fn proof_documentation(constructor: &str) -> String {
    match LEVELS.iter().find(|(name, ..)| *name == constructor) {
        Some((_, (map, run), under, rests, page)) => {
            let higher: String = under.iter().map(|(space, (map, _))| format!(", {map} under `{space}`")).collect();
            let link = |page: &str| format!("[`proofs/{page}`](../../../../proofs/{page})");
            let of_map = format!("\n# Proof\n\nLevel {map}{higher}: {}.", link(page));
            if map == run { of_map } else { format!("{of_map} It runs code of level {run}: {}.", link(rests)) }
        }
        None => "\n# Proof\n\nNone: unproven.".to_owned(),
    }
}

fn expand(options: &Options, item: &ItemFn) -> Result<Tokens> {
    let make = recorded(options, item)?;
    let names = parameters(item)?;
    let then = match names.as_slice() {
        [domain, metric, ..] if domain == "input_domain" && metric == "input_metric" => partial(item)?,
        names => match names.iter().find(|name| is_of_space(name)) {
            Some(name) => {
                return Err(Error::new_spanned(name, "the input space comes first: input_domain, input_metric"));
            }
            None => Tokens::new(),
        },
    };
    let entry = entry(options, item)?;
    Ok(quote! { #make #then #entry })
}

/// `fn entry`, by which a stored plan calls the constructor again.
fn entry(options: &Options, item: &ItemFn) -> Result<Tokens> {
    let (title, how) = (item.sig.ident.to_string(), registry::how(options, item)?);
    let domain = registry::takes_frames(item).then(|| quote! { <Domain = FrameDomain> });
    Ok(quote! {
        #[cfg(feature = "plans")]
        pub(crate) fn entry<B: crate::core::Builder #domain>() -> crate::core::Entry<B> {
            #[allow(unused_imports)]
            use crate::{core::{How, Instance}, domains::*, measures::*, metrics::*, numeric::Dyadic};
            crate::core::Entry { name: #title, how: #how }
        }
    })
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
    let names = parameters(item)?;
    let Options { children, shared, caller_trusted, .. } = options;
    if let Some(stranger) = [children, shared, caller_trusted].into_iter().flatten().find(|name| !names.contains(name))
    {
        return Err(Error::new_spanned(stranger, "no parameter has this name"));
    }
    let entries = names.into_iter().filter(|name| !is_of_space(name)).map(|name| {
        let label = name.to_string();
        if children.contains(&name) {
            quote! { .child(#name.shared_plan()) }
        } else if shared.contains(&name) {
            quote! { .child(#name.clone()) }
        } else if caller_trusted.contains(&name) {
            quote! { .caller_trusted(#label) }
        } else {
            quote! { .parameter(#label, &#name) }
        }
    });
    let types = options.types.iter().map(|name| {
        let label = name.to_string();
        quote! { .parameter(#label, &<#name as crate::domains::Atom>::NAME) }
    });
    let (proof, levels) = (proof_documentation(&title), levels(&title)?);
    // The body sees its parameters, and not these.
    let (plan, built) = (Ident::new("plan", Span::mixed_site()), Ident::new("built", Span::mixed_site()));
    Ok(quote! {
        #(#attrs)*
        #[doc = #proof]
        #vis #sig {
            #(let #shared = ::std::sync::Arc::new(#shared);)*
            let #plan = crate::core::Plan::new(#title) #(#entries)* #(#types)*;
            #[allow(clippy::redundant_closure_call)]
            let #built: #output = (move || #block)();
            #built?.with_plan(#plan, #levels)
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
    // A type may show in the body alone.
    let turbofish = (generics.type_params().count() > 0).then(|| {
        let types = generics.type_params().map(|parameter| &parameter.ident);
        quote! { ::<#(#types),*> }
    });
    let doc = format!("[`{name}`], waiting for its input space: `space >> {then}(…)`.");
    Ok(quote! {
        #[doc = #doc]
        #vis fn #then #generics (#(#rest),*) -> crate::core::#partial<#arguments> #where_clause {
            crate::core::#partial::new(move |input_domain, input_metric| #make #turbofish(input_domain, input_metric, #(#names),*))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(options: &str, item: &str) -> Result<String> {
        let options = syn::parse_str(options)?;
        expand(&options, &syn::parse_str(item)?).map(|tokens| tokens.to_string().replace(' ', ""))
    }

    const RETURNS: &str = "-> Fallible<Transformation<D, E, M, M>> { body }";

    #[test]
    fn a_body_is_left_as_it_is_and_what_it_builds_gets_the_plan() {
        let item = format!("pub fn make_x(input_domain: D, input_metric: M, limit: u32) {RETURNS}");
        let written = expanded("", &item).unwrap();
        let body = "letplan=crate::core::Plan::new(\"make_x\").parameter(\"limit\",&limit);\
                    #[allow(clippy::redundant_closure_call)]letbuilt:Fallible<Transformation<D,E,M,M>>=(move||{body})();\
                    built?.with_plan(plan,crate::core::Levels::new(crate::core::Proof::UNPROVEN,&[]))";
        assert!(written.contains(body), "{written}");
        let partial = "pubfnthen_x(limit:u32)->crate::core::PartialTransformation<D,E,M,M>{\
                       crate::core::PartialTransformation::new(move|input_domain,input_metric|make_x(input_domain,input_metric,limit))}";
        assert!(written.contains(partial), "{written}");
    }

    #[test]
    fn levels_are_those_of_the_table() {
        let composition = levels("make_composition").unwrap().to_string();
        let (_, (map, run), higher, ..) = LEVELS.iter().find(|(name, ..)| *name == "make_composition").unwrap();
        assert!(higher.len() > 1);
        let level = |(map, run): (&str, &str), rests: &str| {
            format!(
                "crate::core::Proof{{map:crate::core::ProofLevel::{map},run:crate::core::ProofLevel::{run},\
                 rests:::std::option::Option::{rests}}}"
            )
        };
        let written = composition.replace(' ', "");
        assert!(written.contains(&format!("Levels::new({},", level((map, run), "None"))), "{written}");
        for (space, levels) in *higher {
            let row = format!("(::std::any::TypeId::of::<{space}>,{})", level(*levels, "None"));
            assert!(written.contains(&row), "{written}");
        }
        let laplace = levels("make_laplace").unwrap().to_string().replace(' ', "");
        assert!(laplace.contains(&level(("B", "C"), "Some(\"sampling/noise.md\")")), "{laplace}");
    }

    #[test]
    fn parameters_are_recorded_as_the_options_say() {
        let item = format!("pub fn make_x(a: A, b: B, f: F) {RETURNS}");
        let written = expanded("children(a), shared(b), caller_trusted(f), types(T)", &item).unwrap();
        let plan = "letb=::std::sync::Arc::new(b);letplan=crate::core::Plan::new(\"make_x\").child(a.shared_plan())\
                    .child(b.clone()).caller_trusted(\"f\").parameter(\"T\",&<Tascrate::domains::Atom>::NAME);";
        assert!(written.contains(plan) && !written.contains("then_x"), "{written}");
    }

    #[test]
    fn what_would_be_recorded_wrongly_is_refused() {
        for (options, parameters, told) in [
            ("", "input_metric: M, input_domain: D", "the input space comes first"),
            ("", "limit: u32, input_domain: D", "the input space comes first"),
            ("", "input_domain: D", "the input space comes first"),
            ("children(b)", "a: A", "no parameter has this name"),
            ("caller_trusted(g)", "f: F", "no parameter has this name"),
            ("childs(a)", "a: A", "expected `children"),
            ("", "(a, b): (A, B)", "a plain name"),
        ] {
            let error = expanded(options, &format!("pub fn make_x({parameters}) {RETURNS}")).unwrap_err().to_string();
            assert!(error.contains(told), "{parameters}: {error}");
        }
        let item = format!("pub fn x(input_domain: D, input_metric: M) {RETURNS}");
        assert!(expanded("", &item).unwrap_err().to_string().contains("named make_*"));
        assert!(expanded("", "pub fn make_x(a: A) {}").is_err());
        assert!(expanded("", "pub fn make_x(input_domain: D, input_metric: M) -> u8 { 1 }").is_err());
    }

    /// How often an entry calls the constructor, with which types.
    fn calls(options: &str, item: &str) -> Vec<String> {
        let written = expanded(options, item).unwrap();
        let entry = written.split("fnentry<").nth(1).unwrap();
        entry.split("make_x::<").skip(1).map(|call| call.split(">(").next().unwrap().to_owned()).collect()
    }

    #[test]
    fn an_entry_has_a_call_for_each_choice_of_types() {
        let item = "pub fn make_x<T: Number, M>(input_domain: A<T>, input_metric: M, limit: T) \
                    -> Fallible<Measurement<A<T>, T, M, MO>> \
                    where M: Metric + RowMetric, (A<T>, M): MetricSpace { body }";
        assert_eq!(calls("", item), ["f64,AnyRowMetric", "i64,AnyRowMetric"]);
        assert_eq!(calls("rebuilt(T = [u8])", item), ["u8,AnyRowMetric"]);
        assert_eq!(calls("rebuilt((T, M) = [(u8, X), (f32, Y)])", item), ["u8,X", "f32,Y"]);
        let written = expanded("rebuilt(T = [u8])", item).unwrap();
        let call = "chain.release(|domain,metric|make_x::<u8,AnyRowMetric>(domain,metric,given.read(\"limit\")?))";
        assert!(written.contains(call) && written.contains("parameters:&[\"limit\"]"), "{written}");
        let written = expanded("exempt(\"why\")", item).unwrap();
        assert!(written.contains("How::Exempt(\"why\")") && !written.contains("given"), "{written}");
        let of_measurement = "pub fn make_x<DI, TO, MI, MO: ProfileMeasure>( \
                              measurement: Measurement<DI, TO, MI, MO>, delta: f64) \
                              -> Fallible<Measurement<DI, TO, MI, X>> { body }";
        let types = "B::Domain,B::Release,B::Metric,";
        let profiles = ["SmoothedMaxDivergence", "Approximate<SmoothedMaxDivergence>"];
        assert_eq!(calls("children(measurement)", of_measurement), profiles.map(|measure| format!("{types}{measure}")));
    }

    #[test]
    fn an_entry_that_cannot_be_written_does_not_compile() {
        let item = format!("pub fn make_x<T: Unheard>(a: T) {RETURNS}");
        for (options, told) in [
            ("", "which types stand for this parameter"),
            ("rebuilt(T = numbers)", "expected square brackets"),
            ("rebuilt((T, M) = [f64])", "a type is needed for each of the names"),
            ("exempt()", "expected string literal"),
        ] {
            let error = expanded(options, &item).unwrap_err().to_string();
            assert!(error.contains(told), "{options}: {error}");
        }
    }
}
