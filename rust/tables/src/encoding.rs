//! Encodings of text.

use crate::Error;
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::{borrow::Cow, io::Read, str::FromStr};

/// The encoding of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "engine", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Encoding {
    /// The encoding of nearly all new files.
    #[default]
    Utf8,
    /// UTF-16 in the byte order of the file's byte order mark, or little-endian without one, as Windows writes it. A
    /// cell with an unpaired surrogate is unreadable.
    Utf16,
    /// UTF-16 in big-endian byte order, without a byte order mark.
    Utf16Be,
    /// ISO 8859-1: every byte is a character.
    Latin1,
    /// The encoding of Windows in western Europe and the Americas, with `€` and typographic quotes. Files labelled
    /// Latin-1 usually have this encoding.
    Windows1252,
}

/// Parses the name: `utf-8`, `utf-16`, `utf-16be`, `latin-1` or `windows-1252`.
impl FromStr for Encoding {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "utf-8" => Ok(Encoding::Utf8),
            "utf-16" => Ok(Encoding::Utf16),
            "utf-16be" => Ok(Encoding::Utf16Be),
            "latin-1" => Ok(Encoding::Latin1),
            "windows-1252" => Ok(Encoding::Windows1252),
            _ => {
                let rule = "is not one of utf-8, utf-16, utf-16be, latin-1 and windows-1252";
                Err(Error::option("encoding", format!("{name:?} {rule}")))
            }
        }
    }
}

/// The characters of bytes 0x80 to 0x9f in Windows-1252; five bytes have none, shown as U+FFFD here.
const FROM_0X80: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

impl Encoding {
    /// Returns bytes with single-byte delimiters: UTF-16 is converted to UTF-8, other encodings are unchanged.
    pub(crate) fn read<'r>(self, data: impl Read + 'r) -> Box<dyn Read + 'r> {
        let wide = match self {
            Encoding::Utf16 => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
            _ => return Box::new(data),
        };
        let mut decoder = DecodeReaderBytesBuilder::new();
        Box::new(decoder.encoding(Some(wide)).bom_override(true).strip_bom(true).build(data))
    }

    /// Returns the bytes as text, if they are valid. [`read`](Self::read) wrote U+FFFD for units that it could not
    /// decode.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            _ if bytes.is_ascii() => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Encoding::Utf8 => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Encoding::Utf16 | Encoding::Utf16Be => {
                str::from_utf8(bytes).ok().filter(|text| !text.contains('\u{fffd}')).map(Cow::Borrowed)
            }
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
