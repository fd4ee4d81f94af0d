//! The entries: an append-only chain of hashes, from which everything else in a ledger follows.

use crate::{
    error::{Error, Fallible},
    store::Tables,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{fmt, str::FromStr};

/// An entry's number and hash, which represent all entries up to it: the last entry, or the entry that recorded
/// something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head {
    /// The entry's number, which is also the number of entries up to it.
    pub entries: u64,
    /// The entry's hash.
    pub hash: [u8; 32],
}

/// Writes `17:` and 64 digits.
impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.entries, hex(&self.hash))
    }
}

impl FromStr for Head {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let refuse = || Error::parameter("head", "must be a number, a colon and 64 hexadecimal digits");
        let (entries, digits) = text.split_once(':').ok_or_else(refuse)?;
        let hash = bytes_of_hex(digits).ok_or_else(refuse)?;
        let head = Self { entries: entries.parse().map_err(|_| refuse())?, hash };
        if head.to_string() == text { Ok(head) } else { Err(refuse()) }
    }
}

/// Parses a hash from 64 digits.
pub(crate) fn bytes_of_hex(digits: &str) -> Option<[u8; 32]> {
    let mut hash = [0u8; 32];
    let is_hex = digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pairs = digits.as_bytes().chunks(2);
    for (byte, pair) in hash.iter_mut().zip(pairs).filter(|_| is_hex) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    is_hex.then_some(hash)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or('?');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns the hash of an entry: over the previous hash, its number, its kind and its body, each with its length.
pub(crate) fn link(previous: &[u8], number: i64, kind: &str, body: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"indistinct-ledger-1\0");
    hash.update(previous);
    hash.update(number.to_be_bytes());
    for part in [kind, body] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Appends an entry.
pub(crate) fn append(tables: &mut dyn Tables, kind: &str, body: &Value) -> Fallible<Head> {
    let (last, previous) = match tables.row("SELECT number, hash FROM entry ORDER BY number DESC LIMIT 1", &[])? {
        Some(mut row) => (row.number()?, row.hash()?),
        None => (0, [0; 32]),
    };
    let number = last.checked_add(1).ok_or_else(|| Error::Refused("it has no room for another entry".into()))?;
    // A `Value`'s tables are written in the order of their keys, so each body has one text.
    let body = body.to_string();
    let hash = link(&previous, number, kind, &body);
    tables.run(
        "INSERT INTO entry(number, kind, body, hash) VALUES ($1, $2, $3, $4)",
        &[number.into(), kind.into(), body.as_str().into(), hash.as_slice().into()],
    )?;
    Ok(Head::new(number, hash))
}

impl Head {
    /// Makes the head at an entry of a ledger, whose number is at least 1.
    pub(crate) fn new(number: i64, hash: [u8; 32]) -> Self {
        Self { entries: u64::try_from(number).unwrap_or(0), hash }
    }

    /// Returns the number of the entry, as tables store it.
    pub(crate) fn number(self) -> i64 {
        i64::try_from(self.entries).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_back() {
        let head = Head { entries: 17, hash: link(&[0; 32], 1, "a", "b") };
        assert_eq!(head.to_string().parse::<Head>().unwrap(), head);
        let upper = head.to_string().to_uppercase();
        for text in ["", "17", "17:", "17:ab", upper.as_str(), "+1:0"] {
            assert!(text.parse::<Head>().is_err(), "{text}");
        }
    }

    /// No part of an entry can be taken for another's.
    #[test]
    fn links_tell_their_parts_apart() {
        let links = [
            link(&[0; 32], 1, "ab", "c"),
            link(&[0; 32], 1, "a", "bc"),
            link(&[1; 32], 1, "ab", "c"),
            link(&[0; 32], 2, "ab", "c"),
        ];
        for (number, hash) in links.iter().enumerate() {
            assert!(!links[..number].contains(hash));
        }
    }
}
