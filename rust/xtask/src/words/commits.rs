//! The form of commit subjects: `area: verb object (reason)`.

use crate::code::git;
use anyhow::{Context, Result};
use std::path::Path;

/// The last commit before the form was checked.
pub const SINCE: &str = "3ad60034";

/// Words that no subject has: they do not say what was changed.
const EMPTY: [&str; 3] = ["words", "figures", "once more"];

/// Words that begin a phrase without a verb.
const NO_VERBS: [&str; 22] = [
    "a", "an", "the", "what", "whether", "who", "which", "that", "how", "where", "of", "by", "from", "no", "not",
    "all", "more", "some", "its", "it", "and", "also",
];

/// Verbs that end like a participle or a noun in the plural.
const VERBS: [&str; 14] = [
    "bring", "string", "ping", "embed", "feed", "seed", "need", "exceed", "proceed", "speed", "focus", "alias", "bias",
    "canvas",
];

/// The subjects since a commit that break the form: each with its short hash and the reason.
pub fn commits(root: &Path, since: &str) -> Result<Vec<String>> {
    let range = format!("{since}..HEAD");
    let log = git(root, &["log", "--no-merges", "--format=%h %s", &range], String::new())
        .with_context(|| format!("no history since {since}: fetch all commits, or name another by --since"))?;
    let log = String::from_utf8(log)?;
    let broken = log.lines().filter_map(|line| {
        let (hash, subject) = line.split_once(' ')?;
        Some(format!("{hash}: {}: {subject}", problem(subject)?))
    });
    Ok(broken.collect())
}

/// What is wrong with a subject.
pub fn problem(subject: &str) -> Option<&'static str> {
    let Some((area, text)) = subject.split_once(": ") else { return Some("no `area: verb object`") };
    let is_area = |letter: char| letter.is_alphanumeric() || "-_/.".contains(letter);
    let is_areas = area.split(", ").all(|area| !area.is_empty() && area.chars().all(is_area));
    let plain = subject.to_lowercase();
    let plain: Vec<&str> =
        plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let spaced = format!(" {} ", plain.join(" "));
    let mut words = text.split_whitespace();
    let verb = words.next().unwrap_or_default();
    let is_verb = verb.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        && !NO_VERBS.contains(&verb)
        && (VERBS.contains(&verb)
            || !(verb.ends_with("ing") || verb.ends_with("ed") || verb.ends_with('s') && !verb.ends_with("ss")));
    match () {
        () if !is_areas => Some("no `area: verb object`"),
        () if EMPTY.iter().any(|word| spaced.contains(&format!(" {word} "))) => {
            Some("`words`, `figures` or `once more`")
        }
        () if !is_verb => Some("no verb in the imperative after the area"),
        () if words.next().is_none() => Some("no object after the verb"),
        () => None,
    }
}
