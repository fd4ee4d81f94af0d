//! The normal form of code: its tokens, without what a formatter or a writer of comments may change.

use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{
    Block, Expr, Stmt,
    punctuated::Punctuated,
    visit_mut::{self, VisitMut},
};

/// Bring to one form what means the same: what rustfmt chooses between, which are trailing commas and braces around the
/// single expression of a closure or a match arm; and who in its crate sees what only its crate sees.
pub(super) struct Normalize;

/// Drop a trailing comma.
fn trim<T, P>(list: &mut Punctuated<T, P>) {
    list.pop_punct();
}

/// Drop a trailing comma unless it makes a tuple of a single element.
fn trim_tuple<T, P>(list: &mut Punctuated<T, P>) {
    if list.len() > 1 {
        list.pop_punct();
    }
}

macro_rules! trims {
    ($($visit:ident($node:ident) . $($field:ident).+ by $trim:ident;)+) => {$(
        fn $visit(&mut self, node: &mut syn::$node) {
            $trim(&mut node.$($field).+);
            visit_mut::$visit(self, node);
        }
    )+};
}

impl VisitMut for Normalize {
    trims! {
        visit_expr_call_mut(ExprCall).args by trim;
        visit_expr_method_call_mut(ExprMethodCall).args by trim;
        visit_expr_array_mut(ExprArray).elems by trim;
        visit_expr_tuple_mut(ExprTuple).elems by trim_tuple;
        visit_expr_struct_mut(ExprStruct).fields by trim;
        visit_signature_mut(Signature).inputs by trim;
        visit_generics_mut(Generics).params by trim;
        visit_where_clause_mut(WhereClause).predicates by trim;
        visit_angle_bracketed_generic_arguments_mut(AngleBracketedGenericArguments).args by trim;
        visit_parenthesized_generic_arguments_mut(ParenthesizedGenericArguments).inputs by trim;
        visit_type_tuple_mut(TypeTuple).elems by trim_tuple;
        visit_pat_struct_mut(PatStruct).fields by trim;
        visit_pat_tuple_struct_mut(PatTupleStruct).elems by trim;
        visit_pat_tuple_mut(PatTuple).elems by trim_tuple;
        visit_pat_slice_mut(PatSlice).elems by trim;
        visit_fields_named_mut(FieldsNamed).named by trim;
        visit_fields_unnamed_mut(FieldsUnnamed).unnamed by trim;
        visit_item_enum_mut(ItemEnum).variants by trim;
    }

    fn visit_expr_closure_mut(&mut self, node: &mut syn::ExprClosure) {
        trim(&mut node.inputs);
        unwrap(&mut node.body);
        visit_mut::visit_expr_closure_mut(self, node);
    }

    fn visit_arm_mut(&mut self, node: &mut syn::Arm) {
        unwrap(&mut node.body);
        node.comma = None;
        visit_mut::visit_arm_mut(self, node);
    }

    fn visit_visibility_mut(&mut self, node: &mut syn::Visibility) {
        if matches!(node, syn::Visibility::Restricted(_)) {
            *node = syn::Visibility::Inherited;
        }
    }

    /// How a stored plan calls a constructor again is not what the constructor does.
    fn visit_attribute_mut(&mut self, node: &mut syn::Attribute) {
        if let syn::Meta::List(list) = &mut node.meta
            && list.path.is_ident("constructor")
        {
            list.tokens = without_calls(&list.tokens);
            if list.tokens.is_empty() {
                node.meta = syn::Meta::Path(list.path.clone());
            }
        }
        visit_mut::visit_attribute_mut(self, node);
    }

    fn visit_pat_or_mut(&mut self, node: &mut syn::PatOr) {
        node.leading_vert = None;
        visit_mut::visit_pat_or_mut(self, node);
    }

    fn visit_macro_mut(&mut self, node: &mut syn::Macro) {
        node.tokens = without_trailing_comma(&node.tokens);
        visit_mut::visit_macro_mut(self, node);
    }
}

/// The expression in a block that holds nothing else.
fn unwrap(body: &mut Expr) {
    while let Expr::Block(outer) = body
        && let Block { stmts, .. } = &outer.block
        && let [Stmt::Expr(inner, None)] = stmts.as_slice()
        && outer.attrs.is_empty()
        && outer.label.is_none()
    {
        let inner = inner.clone();
        *body = inner;
    }
}

/// The options of `#[constructor(…)]` but those that say how plans call it.
fn without_calls(options: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = options.clone().into_iter().collect();
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ',');
    let is_call = |option: &&[TokenTree]| {
        let name = option.first().map(ToString::to_string).unwrap_or_default();
        option.is_empty() || ["rebuilt", "rebuilt_by_hand", "exempt"].contains(&name.as_str())
    };
    let kept: Vec<&[TokenTree]> = trees.split(is_comma).filter(|option| !is_call(option)).collect();
    let comma = TokenTree::Punct(Punct::new(',', Spacing::Alone));
    kept.join(&comma).into_iter().collect()
}

fn without_trailing_comma(tokens: &TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    if trees.len() > 1 && matches!(trees.last(), Some(TokenTree::Punct(last)) if last.as_char() == ',') {
        trees.pop();
    }
    trees.into_iter().collect()
}

/// A word of a normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// Punctuation, a bracket or a literal.
    Mark(String),
    /// An identifier by itself.
    Name(String),
    /// Identifiers with `::` between them, as they are written.
    Path(Vec<String>),
    /// What a path means, with the last of its names.
    Means(String, String),
}

/// The words of a normal form as one text.
pub(super) fn text(tokens: TokenStream) -> String {
    let words = words(tokens).into_iter().map(|word| match word {
        Word::Mark(word) | Word::Name(word) | Word::Means(word, _) => word,
        Word::Path(path) => path.join(" :: "),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The tokens without documentation (which is also an attribute inside of macros).
pub(super) fn words(tokens: TokenStream) -> Vec<Word> {
    let mut words = Vec::new();
    spell(tokens, &mut words);
    words
}

fn spell(tokens: TokenStream, words: &mut Vec<Word>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = trees.as_slice();
    while let Some((tree, after)) = rest.split_first() {
        rest = after;
        match tree {
            TokenTree::Punct(mark) if mark.as_char() == '#' => match documentation(after) {
                Some(after) => rest = after,
                None => words.push(Word::Mark("#".into())),
            },
            // Marks without a space between them are one: `&&` may end a computation, and `& &` does not.
            TokenTree::Punct(mark) => {
                let (mut marks, mut last) = (mark.to_string(), mark);
                while last.spacing() == Spacing::Joint
                    && let Some((TokenTree::Punct(next), after)) = rest.split_first()
                    && next.as_char() != '#'
                {
                    marks.push(next.as_char());
                    (last, rest) = (next, after);
                }
                words.push(Word::Mark(marks));
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                words.push(Word::Mark(open.into()));
                spell(group.stream(), words);
                words.push(Word::Mark(close.into()));
            }
            TokenTree::Ident(name) => {
                let mut path = vec![name.to_string()];
                while let Some((name, after)) = next_in_path(rest) {
                    path.push(name);
                    rest = after;
                }
                words.push(if path.len() == 1 { Word::Name(name.to_string()) } else { Word::Path(path) });
            }
            TokenTree::Literal(literal) => words.push(Word::Mark(literal.to_string())),
        }
    }
}

/// The name after `::`, if that is what comes next.
fn next_in_path(rest: &[TokenTree]) -> Option<(String, &[TokenTree])> {
    match rest {
        [TokenTree::Punct(first), TokenTree::Punct(second), TokenTree::Ident(name), after @ ..]
            if first.as_char() == ':' && second.as_char() == ':' =>
        {
            Some((name.to_string(), after))
        }
        _ => None,
    }
}

/// What follows the rest of `#[doc …]` or `#![doc …]`, if that is what stands here.
fn documentation(after: &[TokenTree]) -> Option<&[TokenTree]> {
    let after = match after.split_first()? {
        (TokenTree::Punct(mark), after) if mark.as_char() == '!' => after,
        _ => after,
    };
    match after.split_first()? {
        (TokenTree::Group(group), after) if group.delimiter() == Delimiter::Bracket => {
            let first = group.stream().into_iter().next()?;
            matches!(first, TokenTree::Ident(name) if name == "doc").then_some(after)
        }
        _ => None,
    }
}

/// All identifiers, at any depth.
pub(super) fn identifiers(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) => drop(found.insert(name.to_string())),
            TokenTree::Group(group) => identifiers(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The names of the functions that are written out in a macro.
pub(super) fn functions(tokens: TokenStream, found: &mut Vec<String>) {
    let mut after_fn = false;
    for tree in tokens {
        match &tree {
            TokenTree::Ident(name) if after_fn => found.push(name.to_string()),
            TokenTree::Group(group) => functions(group.stream(), found),
            _ => {}
        }
        after_fn = matches!(&tree, TokenTree::Ident(name) if name == "fn");
    }
}

/// The name of a type, without its path and parameters.
pub(super) fn last_identifier(kind: &syn::Type) -> Option<String> {
    match kind {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        syn::Type::Reference(inner) => last_identifier(&inner.elem),
        syn::Type::Slice(inner) => last_identifier(&inner.elem),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    fn normal(code: &str) -> String {
        let mut file = syn::parse_file(code).unwrap();
        Normalize.visit_file_mut(&mut file);
        text(file.into_token_stream())
    }

    #[test]
    fn layout_and_comments_do_not_count() {
        let plain = "fn f(x: u8, y: u8) -> u8 { match g(x, y) { 0 => 1, _ => x } }";
        for same in [
            "/// Words.\nfn f(x: u8, y: u8,) -> u8 {\n match g(\n x,\n y,\n ) { 0 => { 1 } _ => x, } // words\n }",
            "#[doc = \"w\"] fn f(x: u8, y: u8) -> u8 { match /* w */ g(x, y) { 0 => 1, _ => { x } } }",
        ] {
            assert_eq!(normal(plain), normal(same));
        }
        assert_eq!(normal("m! { /// words\n fn f() {} }"), normal("m! { fn f() {} }"));
        assert_eq!(normal("fn f() { v(|x| { x + 1 }); }"), normal("fn f() { v(|x| x + 1); }"));
        assert_eq!(normal("pub(super) fn f() {} struct S(pub(crate) u8);"), normal("fn f() {} struct S(u8);"));
        assert_ne!(normal("pub fn f() {}"), normal("fn f() {}"));
    }

    #[test]
    fn what_changes_the_meaning_counts() {
        let plain = normal("fn f(x: f64) -> (f64,) { (x * 8.0,) }");
        for other in [
            "fn f(x: f64) -> (f64,) { (x * 4.0,) }",
            "fn f(x: f64) -> (f64) { (x * 8.0) }",
            "fn f(x: f64) -> (f64,) { (x + 8.0,) }",
            "#[inline] fn f(x: f64) -> (f64,) { (x * 8.0,) }",
        ] {
            assert_ne!(plain, normal(other));
        }
        assert_ne!(normal("fn f() -> bool { a() && b() }"), normal("fn f() -> bool { a() & &b() }"));
        assert_eq!(normal("fn f(x: V<V<u8>>) {}"), normal("fn f(x: V<V<u8> >) {}"));
    }
}
