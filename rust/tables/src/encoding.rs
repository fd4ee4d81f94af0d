//! Bytes as text.

use crate::Error;
use std::{borrow::Cow, str::FromStr};

/// The encoding of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Encoding {
    /// As nearly all new files.
    #[default]
    Utf8,
    /// ISO 8859-1: every byte is a character.
    Latin1,
    /// The encoding of Windows in western Europe and the Americas, with `€` and typographic quotes. Files labelled
    /// Latin-1 usually mean this one.
    Windows1252,
}

/// Its name: `utf-8`, `latin-1` or `windows-1252`.
impl FromStr for Encoding {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "utf-8" => Ok(Encoding::Utf8),
            "latin-1" => Ok(Encoding::Latin1),
            "windows-1252" => Ok(Encoding::Windows1252),
            _ => Err(Error::option("encoding", format!("{name:?} is not one of utf-8, latin-1 and windows-1252"))),
        }
    }
}

/// The bytes from 0x80 to 0x9f in Windows-1252; five stand for nothing, as U+FFFD here.
const FROM_0X80: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

impl Encoding {
    /// The text, if the bytes are one.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            _ if bytes.is_ascii() => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Encoding::Utf8 => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Encoding::Latin1 => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
            Encoding::Windows1252 => {
                bytes.iter().map(|byte| windows(*byte)).collect::<Option<String>>().map(Cow::Owned)
            }
        }
    }
}

fn windows(byte: u8) -> Option<char> {
    match byte.checked_sub(0x80) {
        Some(place @ 0..32) => FROM_0X80.chars().nth(place.into()).filter(|character| *character != '\u{fffd}'),
        _ => Some(char::from(byte)),
    }
}
