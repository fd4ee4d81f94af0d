//! The rules, each a pattern of words.

use super::texts::{Place, Sentence};
use std::fmt;

/// What is wrong with a sentence; the numbers are those of the rules in CONTRIBUTING.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Rule 2.
    Clause,
    /// Rule 3.
    Fronted,
    /// Rule 4.
    Told,
    /// Rule 7.
    Negation,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Rule::Clause => "2, a clause stands where a noun belongs",
            Rule::Fronted => "3, the sentence begins with its complement",
            Rule::Told => "4, `tell`, `is said` or `speak of`",
            Rule::Negation => "7, `is no X` or `there is none`",
        })
    }
}

const BE: [&str; 7] = ["is", "are", "was", "were", "be", "been", "being"];

/// After "is no", these compare: "is no longer".
const COMPARATIVES: [&str; 18] = [
    "longer", "more", "less", "greater", "larger", "smaller", "better", "worse", "higher", "lower", "fewer", "wider",
    "earlier", "later", "faster", "other", "further", "easier",
];

/// After "That", these begin a clause; "that is" and "that sum" do not.
const DETERMINERS: [&str; 17] = [
    "the", "a", "an", "no", "it", "they", "every", "each", "all", "these", "this", "two", "both", "there", "nothing",
    "any", "one",
];

/// The first rule that a sentence breaks.
pub fn broken(sentence: &Sentence) -> Option<Rule> {
    let words: Vec<String> = sentence.text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Messages continue after a name or a number: only one with a capital letter begins a sentence.
    let is_whole = sentence.place == Place::Prose
        || sentence.place == Place::Message && sentence.text.starts_with(|first: char| first.is_uppercase());
    let begins = is_whole && !sentence.text.trim_end_matches(['"', ')', '*']).ends_with('?');
    let starts = match words.as_slice() {
        ["what" | "whether" | "who" | "whoever" | "whose" | "which", _, ..] => Some(Rule::Clause),
        ["that", next, ..] if DETERMINERS.contains(next) => Some(Rule::Clause),
        ["of", next, ..] if !is_partitive(next, &words) => Some(Rule::Fronted),
        ["beside" | "besides", ..] => Some(Rule::Fronted),
        _ => None,
    };
    starts.filter(|_| begins).or_else(|| words.iter().enumerate().find_map(|(at, _)| within(&words, at)))
}

/// Of so many things, some: "Of 96 constructors, 85 …", "Of the 0.4 ns, …".
fn is_partitive(next: &str, words: &[&str]) -> bool {
    let counted = if next == "the" { words.get(2).copied().unwrap_or_default() } else { next };
    const NUMBERS: [&str; 10] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "course"];
    NUMBERS.contains(&counted) || counted.starts_with(|first: char| first.is_ascii_digit())
}

/// The rule that the words from a position on break, whatever stands before them.
fn within(words: &[&str], at: usize) -> Option<Rule> {
    let before = at.checked_sub(1).and_then(|before| words.get(before)).copied().unwrap_or_default();
    let after = words.get(at..)?;
    match after {
        // To distinguish, and to know.
        ["tell" | "tells" | "told" | "telling", rest @ ..] if rest.iter().take(8).any(|word| *word == "apart") => None,
        ["tell", ..] if before == "cannot" => None,
        ["tell" | "tells" | "told" | "telling", ..] => Some(Rule::Told),
        [be, "said", ..] if BE.contains(be) => Some(Rule::Told),
        ["speak" | "speaks" | "spoke" | "spoken" | "speaking", "of", ..] => Some(Rule::Told),
        ["there", be, "none", ..] if BE.contains(be) && !["if", "when"].contains(&before) => Some(Rule::Negation),
        ["there", be, "no", ..] if BE.contains(be) => None,
        [be, "no", next, ..] if BE.contains(be) => {
            (!before.ends_with("there") && !COMPARATIVES.contains(next)).then_some(Rule::Negation)
        }
        _ => None,
    }
}

/// A word in lower case without marks around it. Code and placeholders keep theirs, so that no rule reads them.
fn plain(word: &str) -> String {
    if word.contains(['`', '{', '_']) {
        return word.to_owned();
    }
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}
