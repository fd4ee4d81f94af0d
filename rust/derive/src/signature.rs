//! The parameters of a constructor and the type that it builds.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{
    Error, FnArg, GenericArgument, Ident, ItemFn, Pat, PathArguments, Result, ReturnType, Token, Type,
    punctuated::Punctuated,
};

/// Returns true if a parameter is part of the plan's space, so that the plan does not record it separately.
pub(crate) fn is_of_space(name: &Ident) -> bool {
    name == "input_domain" || name == "input_metric"
}

/// The names of the function's parameters.
pub(crate) fn parameters(item: &ItemFn) -> Result<Vec<Ident>> {
    let name = |argument: &FnArg| match argument {
        FnArg::Typed(typed) => match typed.pat.as_ref() {
            Pat::Ident(name) => Ok(name.ident.clone()),
            other => Err(Error::new_spanned(other, "a constructor's parameter is a plain name")),
        },
        FnArg::Receiver(receiver) => Err(Error::new_spanned(receiver, "a constructor is not a method")),
    };
    item.sig.inputs.iter().map(name).collect()
}

/// From `Fallible<Transformation<A, B, C, D>>`: the name `Transformation` and the arguments `A, B, C, D`.
pub(crate) fn built_type(output: &ReturnType) -> Result<(Ident, Tokens)> {
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
