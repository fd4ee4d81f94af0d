//! Why a command ends without a result, and with which code.

use crate::visible::{acts, visible};
use indistinct::core::{Error as CoreError, ErrorKind, Place};
use indistinct_ledger::Error as LedgerError;
use indistinct_report::Error as ReportError;
use indistinct_sessions::Error as SessionError;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use std::{
    fmt,
    io::{self, IsTerminal},
    path::Path,
};

/// Why a command ends without a result. The code of the program:
///
/// | code | |
/// |---:|---|
/// | 2 | the command line |
/// | 3 | a schema, a plan or a statement |
/// | 4 | too little remains of a budget |
/// | 5 | a name that was used for another question, or whose release is drawn and not stored: perhaps in progress, else lost |
/// | 6 | a ledger, or a certificate that does not hold |
/// | 7 | a file or the system |
/// | 8 | not confirmed: nothing was spent |
///
/// None depends on what is in a table's cells, but that 7 says that rows could not be read.
pub(crate) struct Failure {
    code: u8,
    message: String,
    /// The text that it is about, with its name and the place in it.
    source: Option<(String, String, Place)>,
}

impl Failure {
    pub(crate) fn new(code: u8, message: impl Into<String>) -> Self {
        // A line of it may be of a file that somebody else wrote.
        let message = message.into().split('\n').map(visible).collect::<Vec<_>>().join("\n");
        Self { code, message, source: None }
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(3, message)
    }

    /// At a line and a column of a text, both counted from 1.
    pub(crate) fn in_text(message: impl Into<String>, name: &str, text: &str, place: Option<Place>) -> Self {
        let Some(place) = place else { return Self::input(format!("{name}: {}", message.into())) };
        // A character that a terminal acts upon becomes another one, so that places stay what they are.
        let shown = |character: char| match character {
            '\n' | '\t' => character,
            _ if acts(character) => '\u{fffd}',
            _ => character,
        };
        let text: String = text.replace("\r\n", "\n").chars().map(shown).collect();
        Self { source: Some((name.into(), text, place)), ..Self::input(message) }
    }

    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::new(7, format!("{}: {error}", path.display()))
    }

    /// The same with something to add.
    pub(crate) fn with(self, more: &str) -> Self {
        Self { message: format!("{}\n{more}", self.message), ..self }
    }

    pub(crate) fn code(&self) -> u8 {
        self.code
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Ledger(error) => error.into(),
            SessionError::Measurement(error) => error.into(),
            SessionError::Charged { .. } => Self::new(5, error.to_string()),
            SessionError::Source { charged_as: Some(ref name), .. } => {
                let command =
                    format!("once the file is corrected, use `indistinct release` with --name {name:?} again");
                Self::new(7, format!("{error}: {command}"))
            }
            SessionError::Source { .. } => Self::new(7, error.to_string()),
            SessionError::Certificate(_) => Self::new(6, error.to_string()),
            _ => Self::input(error.to_string()),
        }
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        let code = match error {
            LedgerError::Parameter { .. } => 3,
            LedgerError::Budget { .. } | LedgerError::Spent { .. } => 4,
            LedgerError::Conflict { .. } | LedgerError::Lost { .. } => 5,
            LedgerError::System(_) => 7,
            _ => 6,
        };
        Self::new(code, error.to_string())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Plan(error) => error.into(),
            _ => Self::input(error.to_string()),
        }
    }
}

impl From<CoreError> for Failure {
    fn from(error: CoreError) -> Self {
        let code = match error.kind() {
            ErrorKind::Domain | ErrorKind::Entropy => 7,
            _ => 3,
        };
        Self::new(code, error.to_string())
    }
}

/// With the line that it is about and a mark under it, if there is one.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((name, text, Place { line, column, .. })) = &self.source else {
            return write!(f, "error: {}", self.message);
        };
        let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let rest = text.get(before..).unwrap_or_default();
        let column = column + within_text(&self.message, rest.chars().nth(column.saturating_sub(1)));
        let within: usize = rest.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
        let start = before.saturating_add(within).min(text.len());
        let word = text.get(start..).unwrap_or_default();
        let length = word.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '"')).unwrap_or(word.len()).max(1);
        let shown = Shown {
            message: self.message.clone(),
            text: NamedSource::new(name, text.clone()),
            label: LabeledSpan::new(None, start, length.min(text.len() - start.min(text.len()))),
        };
        let has_colors = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let theme = if has_colors { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let mut told = String::new();
        GraphicalReportHandler::new_themed(theme).render_report(&mut told, &shown)?;
        f.write_str(told.trim_end())
    }
}

/// How far behind the beginning of a text in quotes the character is that a message counts from 1, if it does.
fn within_text(message: &str, quote: Option<char>) -> usize {
    let digits = message.split("at character ").nth(1).and_then(|rest| rest.split(':').next());
    match (digits.and_then(|digits| digits.parse().ok()), quote) {
        (Some(character), Some('"' | '\'')) => character,
        _ => 0,
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Shown {
    message: String,
    text: NamedSource<String>,
    label: LabeledSpan,
}

impl Diagnostic for Shown {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new([self.label.clone()].into_iter()))
    }
}
