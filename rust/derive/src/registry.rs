//! The registry entry of a constructor, by which plans are rebuilt.

use crate::{
    options::{Options, Rebuilt, Types},
    signature::{built_type, is_of_space, parameters},
};
use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, quote};
use syn::{
    Error, FnArg, GenericArgument, Ident, ItemFn, PathArguments, Result, Type, TypeParam, TypeParamBound,
    WherePredicate,
};

/// The types that stand for a generic parameter with one of these bounds, unless the attribute names others.
const BY_BOUND: &[(&str, &[&str])] = &[
    ("Name", &["String"]),
    ("RowMetric", ROW_METRICS),
    ("RowByRowMetric", ROW_BY_ROW_METRICS),
    ("FilterMetric", ROW_BY_ROW_METRICS),
    ("FlatMapMetric", ROW_BY_ROW_METRICS),
    ("IndividualMetric", INDIVIDUAL_METRICS),
    ("CategoryMetric", &["L1Distance", "L2Distance", "LInfDistance"]),
    ("MapMetric", &["L01InfDistance", "L02InfDistance"]),
    ("SelectionMeasure", &["MaxDivergence", "RangeDivergence", "ZeroConcentratedDivergence"]),
    ("ProfileMeasure", &["SmoothedMaxDivergence", "Approximate<SmoothedMaxDivergence>"]),
    ("ConcentratedMeasure", &["ZeroConcentratedDivergence", "Approximate<ZeroConcentratedDivergence>"]),
    ("Measure", MEASURES),
    ("Number", NUMBERS),
    ("Summable", NUMBERS),
    ("Multipliable", NUMBERS),
    ("ScoreNumber", &["i64", "Dyadic"]),
    ("ThresholdAtom", SUMS),
    ("Atom", KEYS),
];

/// Whichever counts rows.
const ROW_METRICS: &[&str] = &["AnyRowMetric"];
const ROW_BY_ROW_METRICS: &[&str] = &["AnyRowMetric", "SymmetricIdDistance", "ChangeOneIdDistance"];
const INDIVIDUAL_METRICS: &[&str] = &["SymmetricIdDistance", "ChangeOneIdDistance"];
const NUMBERS: &[&str] = &["f64", "i64"];
/// Counts, and sums of integers and of floats.
const SUMS: &[&str] = &["i64", "i128", "Dyadic"];
/// Keys of maps.
const KEYS: &[&str] = &["String"];
const MEASURES: &[&str] = &[
    "MaxDivergence",
    "RangeDivergence",
    "ZeroConcentratedDivergence",
    "RenyiDivergence",
    "GaussianDivergence",
    "SmoothedMaxDivergence",
    "PrivacyLossDivergence",
];

/// How a constructor is called again: a `How`.
pub(crate) fn how(options: &Options, item: &ItemFn) -> Result<Tokens> {
    match &options.rebuilt {
        Rebuilt::Exempt(reason) => Ok(quote! { How::Exempt(#reason) }),
        Rebuilt::ByHand => {
            // A plan has the parts of a composition under one name, whatever the parameters are called.
            let names = parameters(item)?;
            let labels = names.iter().filter(|name| !options.shared.contains(name)).map(ToString::to_string);
            Ok(quote! { How::ByHand(&[#(#labels,)* "measurements"]) })
        }
        Rebuilt::ByBounds => instances(options, item, &[]),
        Rebuilt::With(types) => instances(options, item, types),
    }
}

fn instances(options: &Options, item: &ItemFn, given: &[Types]) -> Result<Tokens> {
    let make = &item.sig.ident;
    let generics: Vec<&TypeParam> = item.sig.generics.type_params().collect();
    let of_measurement = !options.children.is_empty();
    let mut choices = vec![Vec::<(Ident, Type)>::new()];
    for types in given {
        choices = product(&choices, &types.names, &types.choices);
    }
    let left = generics.iter().filter(|generic| !given.iter().any(|types| types.names.contains(&generic.ident)));
    for generic in left {
        let types = standing_for(generic, item, of_measurement)?;
        choices = product(&choices, std::slice::from_ref(&generic.ident), &types);
    }
    let names = parameters(item)?;
    let read: Vec<&Ident> =
        names.iter().filter(|name| !is_of_space(name) && !options.children.contains(name)).collect();
    let labels: Vec<String> = read.iter().map(ToString::to_string).collect();
    let (kind, _) = built_type(&item.sig.output)?;
    let arguments = item.sig.inputs.iter().zip(&names).filter(|(_, name)| read.contains(name)).map(|(input, name)| {
        let label = name.to_string();
        match into(input) {
            Some(converted) => quote! { given.read::<#converted>(#label)? },
            None => quote! { given.read(#label)? },
        }
    });
    let arguments: Vec<Tokens> = arguments.collect();
    let calls = choices.iter().map(|choice| {
        let of = |generic: &Ident| choice.iter().find(|(name, _)| name == generic).map(|(_, chosen)| chosen);
        let types: Vec<_> = generics.iter().filter_map(|generic| of(&generic.ident)).collect();
        let turbofish = (!types.is_empty()).then(|| quote! { ::<#(#types),*> });
        let call = match (of_measurement, takes_frames(item), kind == "Measurement") {
            (true, ..) => quote! { chain.convert(|measurement| #make #turbofish(measurement, #(#arguments),*)) },
            (_, true, true) => {
                quote! { chain.release_first(|domain, metric| #make #turbofish(domain, metric, #(#arguments),*)) }
            }
            (_, true, _) => quote! { chain.first(|domain, metric| #make #turbofish(domain, metric, #(#arguments),*)) },
            (.., true) => quote! { chain.release(|domain, metric| #make #turbofish(domain, metric, #(#arguments),*)) },
            _ => quote! { chain.then(|domain, metric| #make #turbofish(domain, metric, #(#arguments),*)) },
        };
        quote! { |chain, given| { let _ = given; #call } }
    });
    let number = choices.len();
    Ok(quote! {
        How::Rebuilt {
            parameters: &[#(#labels),*],
            instances: {
                let instances: [Instance<B>; #number] = [#(#calls),*];
                instances.to_vec()
            },
        }
    })
}

/// Each of some choices with each of more.
fn product(choices: &[Vec<(Ident, Type)>], names: &[Ident], more: &[Vec<Type>]) -> Vec<Vec<(Ident, Type)>> {
    let with = |choice: &Vec<(Ident, Type)>, types: &Vec<Type>| {
        choice.iter().cloned().chain(names.iter().cloned().zip(types.iter().cloned())).collect()
    };
    choices.iter().flat_map(|choice| more.iter().map(move |types| with(choice, types))).collect()
}

/// The types that stand for a generic parameter.
fn standing_for(generic: &TypeParam, item: &ItemFn, of_measurement: bool) -> Result<Vec<Vec<Type>>> {
    let of_chain = match generic.ident.to_string().as_str() {
        "DI" => Some("B::Domain"),
        "TO" => Some("B::Release"),
        "MI" => Some("B::Metric"),
        _ => None,
    };
    if let (true, Some(name)) = (of_measurement, of_chain) {
        return Ok(vec![vec![syn::parse_str(name)?]]);
    }
    let bounds = bounds(generic, item);
    let Some((_, types)) = BY_BOUND.iter().find(|(bound, _)| bounds.iter().any(|named| named == bound)) else {
        let rule =
            "which types stand for this parameter when a plan is rebuilt: `rebuilt(T = [..])`, or `exempt(\"why\")`";
        return Err(Error::new_spanned(generic, rule));
    };
    parsed(types)
}

/// Types, one by one.
fn parsed(names: &[&str]) -> Result<Vec<Vec<Type>>> {
    names.iter().map(|name| Ok(vec![syn::parse_str(name)?])).collect()
}

/// The names of a generic parameter's bounds.
fn bounds(generic: &TypeParam, item: &ItemFn) -> Vec<String> {
    let of_clause = item.sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of_clause = of_clause.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => match &predicate.bounded_ty {
            Type::Path(path) if path.path.is_ident(&generic.ident) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    let all = std::iter::once(&generic.bounds).chain(of_clause).flatten();
    all.filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound.path.segments.last()?.ident.to_string()),
        _ => None,
    })
    .collect()
}

/// Returns true if the constructor's input domain is that of tables of named columns.
pub(crate) fn takes_frames(item: &ItemFn) -> bool {
    item.sig.inputs.iter().any(|input| {
        let FnArg::Typed(typed) = input else { return false };
        let name = typed.pat.to_token_stream().to_string();
        name == "input_domain" && typed.ty.to_token_stream().to_string() == "FrameDomain"
    })
}

/// `Scale`, of a parameter of type `impl Into<Scale> + …`.
fn into(input: &FnArg) -> Option<Type> {
    let FnArg::Typed(typed) = input else { return None };
    let Type::ImplTrait(of) = typed.ty.as_ref() else { return None };
    of.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let segment = bound.path.segments.last().filter(|segment| segment.ident == "Into")?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        match arguments.args.first()? {
            GenericArgument::Type(converted) => Some(converted.clone()),
            _ => None,
        }
    })
}
