//! Heads of implementations, wherever they stand: in a module, inside of a function, in a macro.

use super::normal::{Word, words};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The words between `impl` and the block, of each implementation in these tokens.
pub(super) fn heads(tokens: TokenStream) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Vec<Word>>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut before = None;
    for (place, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word) if word == "impl" && begins_an_item(before) => {
                found.extend(head(trees.get(place + 1..).unwrap_or_default()).map(words));
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
        before = Some(tree);
    }
}

/// Whether an item may begin after this; `impl` elsewhere is the type of an argument or of a result.
fn begins_an_item(before: Option<&TokenTree>) -> bool {
    match before {
        None => true,
        Some(TokenTree::Group(group)) => matches!(group.delimiter(), Delimiter::Brace | Delimiter::Bracket),
        Some(TokenTree::Punct(mark)) => mark.as_char() == ';',
        Some(TokenTree::Ident(word)) => word == "unsafe" || word == "default",
        Some(TokenTree::Literal(_)) => false,
    }
}

/// What stands before the block. Braces before `>` or `,` are an argument of a type.
fn head(after: &[TokenTree]) -> Option<TokenStream> {
    for (place, tree) in after.iter().enumerate() {
        match tree {
            TokenTree::Punct(mark) if mark.as_char() == ';' => return None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let is_argument =
                    |next: &TokenTree| matches!(next, TokenTree::Punct(mark) if ['>', ','].contains(&mark.as_char()));
                if !after.get(place + 1).is_some_and(is_argument) {
                    return Some(after.iter().take(place).cloned().collect());
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(code: &str) -> Vec<String> {
        let text = |word| match word {
            Word::Mark(word) | Word::Name(word) | Word::Means(word, _) => word,
            Word::Path(path) => path.join("::"),
        };
        let heads = heads(code.parse().unwrap()).into_iter();
        heads.map(|head| head.into_iter().map(text).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn implementations_are_found_wherever_they_stand() {
        for (code, expected) in [
            ("impl A for B { fn f() {} }", "A for B"),
            ("#[x] unsafe impl crate::A for B {}", "crate::A for B"),
            ("fn f() { let x = 1; impl A<{ 1 }> for B {} }", "A < { 1 } > for B"),
            ("macro_rules! m { ($t:ty) => {$( impl A for $t {} )+}; }", "A for $ t"),
            ("struct S {} impl S {}", "S"),
        ] {
            assert_eq!(spelled(code), [expected], "{code}");
        }
        for code in
            ["fn f(x: impl A) {}", "fn f() -> impl A { 1 }", "fn f() -> (impl A, impl B) {}", "let implied = {};"]
        {
            assert_eq!(spelled(code), [""; 0], "{code}");
        }
    }
}
