//! The sentences of pages and of sources.

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page of Markdown.
    Page,
    /// A source in Rust: its documentation comments are a page, its string literals are messages.
    Code,
}

impl Kind {
    /// The kind of a file, or none if it is not read.
    pub fn of(file: &str) -> Option<Self> {
        match file.rsplit_once('.')?.1 {
            "md" => Some(Kind::Page),
            "rs" => Some(Kind::Code),
            _ => None,
        }
    }
}

/// Where a sentence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a paragraph or an item of a list.
    Prose,
    /// In a heading or in a cell of a table, where a phrase need not be a sentence.
    Title,
    /// In a string literal of a source.
    Message,
}

/// A sentence of a file.
#[derive(Debug)]
pub struct Sentence {
    /// The line on which its paragraph or literal begins.
    pub line: usize,
    /// The words, with code between backticks as one word.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// A string literal of fewer words is a name or a key.
const MESSAGE: usize = 3;

/// The sentences of a file.
pub fn sentences(kind: Kind, text: &str) -> Vec<Sentence> {
    match kind {
        Kind::Page => page(text.lines().zip(1..).map(|(line, number)| (number, line))),
        Kind::Code => {
            let (documentation, literals) = code(text);
            let mut found = page(documentation.into_iter());
            for (line, literal) in literals {
                if literal.split_whitespace().count() >= MESSAGE {
                    split(line, &literal, Place::Message, &mut found);
                }
            }
            found
        }
    }
}

/// The sentences of a page, from its lines with their numbers; a gap between numbers ends a paragraph.
fn page<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Sentence> {
    let (mut found, mut paragraph, mut start, mut last) = (Vec::new(), String::new(), 0, 0);
    // The mark that ends what is not prose: a block of code, a formula, a comment, the head of a proof.
    let mut until: Option<&str> = None;
    for (number, line) in lines {
        let text = line.trim();
        let follows = number == last + 1;
        last = number;
        if !follows {
            until = None;
        }
        if let Some(end) = until {
            if text.ends_with(end) || end == "```" && text.starts_with(end) {
                until = None;
            }
            continue;
        }
        let item = ["- ", "* ", "> "].into_iter().find_map(|mark| text.strip_prefix(mark)).or_else(|| numbered(text));
        let opens = match text {
            _ if text.starts_with("```") => Some("```"),
            "$$" => Some("$$"),
            "---" if number == 1 => Some("---"),
            _ if text.starts_with("<!--") && !text.contains("-->") => Some("-->"),
            _ => None,
        };
        let is_title = text.starts_with('#') || text.starts_with('|');
        if !follows || text.is_empty() || item.is_some() || opens.is_some() || is_title || text.starts_with(['<', '!'])
        {
            split(start, &std::mem::take(&mut paragraph), Place::Prose, &mut found);
        }
        until = opens;
        if opens.is_some() || text.is_empty() || text.starts_with(['<', '!']) {
            continue;
        }
        if is_title {
            for cell in text.split('|') {
                split(number, cell.trim_start_matches('#'), Place::Title, &mut found);
            }
            continue;
        }
        if paragraph.is_empty() {
            start = number;
        }
        paragraph.push_str(item.unwrap_or(text));
        paragraph.push(' ');
    }
    split(start, &paragraph, Place::Prose, &mut found);
    found
}

/// The text of a numbered item of a list.
fn numbered(line: &str) -> Option<&str> {
    let (number, text) = line.split_once(". ")?;
    number.bytes().all(|digit| digit.is_ascii_digit()).then_some(text)
}

/// Adds the sentences of a paragraph.
fn split(line: usize, paragraph: &str, place: Place, found: &mut Vec<Sentence>) {
    let paragraph = as_words(paragraph);
    let mut text = String::new();
    let mut words = paragraph.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
        let ends = word.trim_end_matches(['"', ')', '*', '”']).ends_with(['.', '?', '!', ':']);
        let begins = |next: &&str| !next.starts_with(|first: char| first.is_lowercase());
        if words.peek().is_none_or(|next| ends && begins(next)) {
            let is_title = text.starts_with('*') && text.ends_with('*');
            let place = if is_title { Place::Title } else { place };
            found.push(Sentence { line, text: std::mem::take(&mut text), place });
        }
    }
}

/// A paragraph with each piece of code as one word, and links as their texts.
fn as_words(paragraph: &str) -> String {
    let mut words = String::new();
    let (mut in_code, mut in_target) = (false, false);
    let mut before = ' ';
    for letter in paragraph.chars() {
        match letter {
            '`' => in_code = !in_code,
            '(' if before == ']' && !in_code => in_target = true,
            _ => {}
        }
        match letter {
            ')' if in_target => in_target = false,
            _ if in_target => {}
            ' ' if in_code => words.push('_'),
            '[' | ']' if !in_code => {}
            _ => words.push(letter),
        }
        before = letter;
    }
    words
}

/// A line's number with its text.
type Numbered<T> = Vec<(usize, T)>;

/// The lines of documentation comments and the string literals of a source, up to its tests.
fn code(text: &str) -> (Numbered<&str>, Numbered<String>) {
    let (mut documentation, mut literals) = (Vec::new(), Vec::new());
    let mut rest = before_tests(text);
    let (mut line, mut before) = (1, ' ');
    while let Some(first) = rest.chars().next() {
        let is_name = before.is_alphanumeric() || before == '_';
        let taken = if rest.starts_with("//") {
            let comment = rest.lines().next().unwrap_or_default();
            let is_documentation = ["///", "//!"].iter().any(|mark| comment.starts_with(mark));
            if is_documentation && !comment.starts_with("////") {
                documentation.push((line, comment.get(3..).unwrap_or_default()));
            }
            comment.len()
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(marks) = raw(rest).filter(|_| !is_name) {
            let end = format!("\"{}", "#".repeat(marks));
            let start = marks + 2;
            let length = rest.get(start..).and_then(|inner| inner.find(&end)).unwrap_or_default();
            literals.push((line, rest.get(start..start + length).unwrap_or_default().to_owned()));
            start + length + end.len()
        } else if first == '"' {
            let (literal, taken) = literal(rest);
            literals.push((line, literal));
            taken
        } else if first == '\'' {
            letter(rest)
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        line += piece.matches('\n').count();
        before = piece.chars().last().unwrap_or(' ');
        rest = after;
    }
    (documentation, literals)
}

/// A source up to its module of tests.
fn before_tests(text: &str) -> &str {
    let is_module = |rest: &&str| {
        let item = rest.lines().skip(1).find(|line| !line.starts_with("#["));
        item.is_some_and(|item| item.split_whitespace().any(|word| word == "mod"))
    };
    let tests = text.match_indices("#[cfg(test)]").find(|(at, _)| text.get(*at..).is_some_and(|rest| is_module(&rest)));
    tests.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// The number of marks of a raw literal that begins here.
fn raw(text: &str) -> Option<usize> {
    let marks = text.strip_prefix('r')?;
    let inner = marks.trim_start_matches('#');
    inner.starts_with('"').then(|| marks.len() - inner.len())
}

/// A string literal without its escapes, and its length in the source.
fn literal(text: &str) -> (String, usize) {
    let mut written = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (written, at + 1),
            '\\' => match letters.next() {
                // A line that is continued.
                Some((_, '\n')) => while letters.next_if(|(_, next)| next.is_whitespace()).is_some() {},
                Some((_, 'n' | 't' | 'r')) => written.push(' '),
                Some((_, escaped)) => written.push(escaped),
                None => {}
            },
            _ => written.push(letter),
        }
    }
    (written, text.len())
}

/// The length of a character literal, or of the mark of a lifetime.
fn letter(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let after = at + escaped.len_utf8();
            text.get(after..).and_then(|rest| rest.find('\'')).map_or(1, |end| after + end + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}
