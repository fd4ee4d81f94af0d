//! The options in the parentheses of the attribute.

use syn::{
    Error, Ident, LitStr, Result, Token, Type, bracketed, parenthesized,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

/// The options in the parentheses of the attribute.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) children: Vec<Ident>,
    pub(crate) shared: Vec<Ident>,
    pub(crate) caller_trusted: Vec<Ident>,
    pub(crate) types: Vec<Ident>,
    pub(crate) rebuilt: Rebuilt,
}

impl Parse for Options {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut options = Options::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            let content;
            parenthesized!(content in input);
            match key.to_string().as_str() {
                "rebuilt" => {
                    let types = Punctuated::<Types, Token![,]>::parse_terminated(&content)?;
                    options.rebuilt = Rebuilt::With(types.into_iter().collect());
                }
                "rebuilt_by_hand" => options.rebuilt = Rebuilt::ByHand,
                "exempt" => options.rebuilt = Rebuilt::Exempt(content.parse()?),
                _ => options.names(&key, &content)?,
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    /// Names of parameters, or of types, in parentheses.
    fn names(&mut self, key: &Ident, content: ParseStream) -> Result<()> {
        let names = Punctuated::<Ident, Token![,]>::parse_terminated(content)?;
        match key.to_string().as_str() {
            "children" => self.children.extend(names),
            "shared" => self.shared.extend(names),
            "caller_trusted" => self.caller_trusted.extend(names),
            "types" => self.types.extend(names),
            _ => {
                let expected = "expected `children(…)`, `shared(…)`, `caller_trusted(…)`, `types(…)`, `rebuilt(…)`, \
                                `rebuilt_by_hand()` or `exempt(\"…\")`";
                return Err(Error::new(key.span(), expected));
            }
        }
        Ok(())
    }
}

/// How a constructor is called again by a plan.
#[derive(Default)]
pub(crate) enum Rebuilt {
    /// With the types that the bounds of its generic parameters say.
    #[default]
    ByBounds,
    /// With these types for some of them.
    With(Vec<Types>),
    /// By code of the plan's own.
    ByHand,
    /// Not, for this reason.
    Exempt(LitStr),
}

/// The types that stand for some generic parameters together.
pub(crate) struct Types {
    pub(crate) names: Vec<Ident>,
    pub(crate) choices: Vec<Vec<Type>>,
}

/// `T = [f64, i64]`, or `(T, M) = [(f64, X), (i64, Y)]`.
impl Parse for Types {
    fn parse(input: ParseStream) -> Result<Self> {
        let names: Vec<Ident> = if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            Punctuated::<Ident, Token![,]>::parse_terminated(&content)?.into_iter().collect()
        } else {
            vec![input.parse()?]
        };
        input.parse::<Token![=]>()?;
        let content;
        bracketed!(content in input);
        let choices = Punctuated::<Type, Token![,]>::parse_terminated(&content)?;
        let choices = choices.into_iter().map(|choice| match (&choice, names.len()) {
            (_, 1) => Ok(vec![choice]),
            (Type::Tuple(tuple), length) if tuple.elems.len() == length => Ok(tuple.elems.iter().cloned().collect()),
            _ => Err(Error::new_spanned(choice, "a type is needed for each of the names")),
        });
        Ok(Self { choices: choices.collect::<Result<_>>()?, names })
    }
}
