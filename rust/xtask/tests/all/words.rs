//! Sentences and subjects of commits that break a rule of writing are found, and others are not.

use std::path::Path;
use xtask::words::{Kind, Place, Rule, SINCE, broken, commits, findings, problem, sentences, unused};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The rules that the sentences of a text break, with their lines.
fn found(kind: Kind, text: &str) -> Vec<(usize, Rule)> {
    let sentences = sentences(kind, text);
    sentences.iter().filter_map(|sentence| Some((sentence.line, broken(sentence)?))).collect()
}

#[test]
fn sentences_that_break_a_rule_are_found() {
    for (text, rule) in [
        ("What does not fit is refused.", Rule::Clause),
        ("Who writes a stored plan decides.", Rule::Clause),
        ("Whoever reads it sees all.", Rule::Clause),
        ("Whether it is so, as far as anybody knows.", Rule::Clause),
        ("That the loss is one that you allow, ask `loss`.", Rule::Clause),
        ("Which columns there are is public.", Rule::Clause),
        ("- What a chain costs.", Rule::Clause),
        ("Of each individual one row counts.", Rule::Fronted),
        ("(Of a CSV file, spaces do not count.)", Rule::Fronted),
        ("Beside it runs a naive one.", Rule::Fronted),
        ("A cell that is wrong is missing, and nobody is told.", Rule::Told),
        ("How long it takes is said in [a page](what.md).", Rule::Told),
        ("The code that they\nspeak of.", Rule::Told),
        ("A third is no float.", Rule::Negation),
        ("| 1 | text that is no number |", Rule::Negation),
        ("Beyond the last cell there is none.", Rule::Negation),
    ] {
        assert_eq!(found(Kind::Page, text), [(1, rule)], "{text}");
    }
}

#[test]
fn sentences_are_found_where_they_are() {
    let page = "It is public. What is not is marked.\n\nA paragraph.\n\nWhoever reads it.\n\n- An item.\n- Another that is no item.\n";
    assert_eq!(found(Kind::Page, page), [(1, Rule::Clause), (5, Rule::Clause), (8, Rule::Negation)]);
}

#[test]
fn other_sentences_are_not() {
    for text in [
        "# What is guaranteed",
        "| What | Where |",
        "What does it cost?",
        "**What runs.**",
        "`What is it`",
        "That is all.",
        "That sum has stability 1.",
        "It says what it costs.",
        "Of course.",
        "Of 96 constructors, 85 have a theorem.",
        "Of the 0.4 ns, 0.18 are the copy.",
        "Offline it works.",
        "The ledger cannot tell that two tables come from one file.",
        "Two values that are told apart by their encodings.",
        "There are no rows.",
        "An error if there are none.",
        "It is no longer there, and no more than 3.",
        "```sh\nWhat is told\n```",
        "<!-- What is told.\nWhat is no float. -->\nText.",
        "See [the topic](topics/that-is-no-float.md).",
    ] {
        assert_eq!(found(Kind::Page, text), [], "{text}");
    }
}

#[test]
fn sources_are_read_as_documentation_and_messages() {
    let source = "//! What a crate is.\n\n\
        /// It is fine, as\n/// nobody is told.\n///\n/// ```\n/// // What is code.\n/// ```\n\
        // What is not read.\n\
        fn f<'a>() -> &'a str {\n    let quote = '\"';\n    let escaped = '\\'';\n    \"a text that is \\\n        no number\"\n}\n\
        const RAW: &str = r#\"there is \"none\" of it\"#;\n\
        const REST: &str = \"what is left of it\";\n\
        const KEY: &str = \"is told\";\n\
        #[cfg(test)]\n#[path = \"x\"]\npub(crate) mod tests {\n    /// What is tested.\n}\n";
    let expected = [(1, Rule::Clause), (3, Rule::Told), (13, Rule::Negation), (16, Rule::Negation)];
    assert_eq!(found(Kind::Code, source), expected);
    let places: Vec<Place> = sentences(Kind::Code, source).iter().map(|sentence| sentence.place).collect();
    assert_eq!(places, [Place::Prose, Place::Prose, Place::Message, Place::Message, Place::Message]);
}

#[test]
fn subjects_of_commits_keep_to_the_form() {
    for subject in [
        "tables: reject duplicate column names",
        "tables, engine: keep comments to 120 columns, name the edited line",
        "ledger: read the first page again (its own journal was refused)",
        "rust/cli: rename `check`",
        "sql: pass times of day as numbers",
        "frames: seed the order of keys",
    ] {
        assert_eq!(problem(subject), None, "{subject}");
    }
    for subject in [
        "reject duplicate column names",
        "tables: duplicate",
        "tables: rejected duplicate names",
        "tables: rejecting duplicate names",
        "tables: columns of one name",
        "docs: plain words in the guide",
        "docs: update figures of the last code",
        "proofs: record pages once more",
        "What cancels, once: compute it once",
        "tables: the names of columns",
        "tables: Reject duplicate column names",
    ] {
        assert!(problem(subject).is_some(), "{subject}");
    }
}

#[test]
fn pages_comments_and_messages_keep_to_the_rules() {
    let broken: Vec<String> = findings(root()).unwrap().iter().map(ToString::to_string).collect();
    assert!(broken.is_empty(), "{} sentences break a rule of CONTRIBUTING.md:\n{}", broken.len(), broken.join("\n"));
    assert_eq!(unused(root()).unwrap(), [""; 0], "allowed, and found nowhere");
}

/// Sources without a history, as in an archive, have no subjects.
#[test]
fn commits_keep_to_the_form() {
    if root().join(".git").exists() {
        assert_eq!(commits(root(), SINCE).unwrap(), [""; 0]);
    }
}
