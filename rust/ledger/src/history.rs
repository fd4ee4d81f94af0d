//! The entries of an account.

use crate::{
    accounts,
    chain::Head,
    error::{Error, Fallible},
    ledger::Ledger,
    loss::Loss,
};
use serde_json::Value;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// An account was opened.
    Account,
    /// Accounts for the parts of a partition were opened below it, and their budget was charged once.
    Partition,
    /// The account was closed.
    Closed,
    /// A release was charged.
    Charge,
    /// The noise of a release was about to be drawn.
    Draw,
    /// A release was stored.
    Release,
}

/// An entry of an account. Entries have no time; they are in the order in which they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The entry's number and hash.
    pub entry: Head,
    /// The kind of the entry.
    pub kind: Kind,
    /// The key of a release.
    pub key: Option<String>,
    /// The charged loss, or the budget of the opened account or of each part.
    pub loss: Option<Loss>,
    /// The charged plan, as it was given; for a draw, its plan if that differs from the charged one.
    pub plan: Option<String>,
}

impl Ledger {
    /// Returns the entries of an account in order: its opening and closing, the partitions for which it paid, and the
    /// charge, draw and release of each of its own requests. Entries of accounts below it are not included. Readers do
    /// not wait for writers.
    ///
    /// # Errors
    ///
    /// Returns an error if the account is unknown, and [`Error::Tampered`] if an entry cannot be read.
    pub fn history(&self, account: &str) -> Fallible<Vec<Entry>> {
        self.read(|tables| {
            accounts::of(tables, account)?;
            let mut entries = Vec::new();
            tables.each(OWN_ENTRIES, &[account.into()], &mut |mut row| {
                let (number, kind, body) = (row.number()?, row.text()?, row.text()?);
                let read = entry(Head::new(number, row.hash()?), &kind, &body);
                entries.push(
                    read.ok_or_else(|| Error::Tampered(format!("the contents of entry {number} cannot be read")))?,
                );
                Ok(())
            })?;
            Ok(entries)
        })
    }
}

const OWN_ENTRIES: &str = "
SELECT entry.number, entry.kind, entry.body, entry.hash FROM entry JOIN (
    SELECT opened AS number FROM account WHERE name = $1
    UNION SELECT closed FROM account WHERE name = $1
    UNION SELECT opened FROM account WHERE above = $1 AND prepaid IS NOT NULL
    UNION ALL SELECT charged FROM request WHERE account = $1
    UNION ALL SELECT drawn FROM request WHERE account = $1
    UNION ALL SELECT released FROM request WHERE account = $1
) AS own ON entry.number = own.number ORDER BY entry.number";

fn entry(entry: Head, kind: &str, body: &str) -> Option<Entry> {
    let body: Value = serde_json::from_str(body).ok()?;
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let loss = |name| text(name)?.parse().ok();
    let (kind, loss) = match kind {
        "account" if body.get("closed").is_some() => (Kind::Closed, None),
        "account" if body.get("parts").is_some() => (Kind::Partition, Some(loss("budget")?)),
        "account" => (Kind::Account, Some(loss("budget")?)),
        "charge" => (Kind::Charge, Some(loss("loss")?)),
        "draw" => (Kind::Draw, None),
        "release" => (Kind::Release, None),
        _ => return None,
    };
    let is_request = matches!(kind, Kind::Charge | Kind::Draw | Kind::Release);
    let key = if is_request { Some(text("key")?.to_owned()) } else { None };
    let plan = match kind {
        Kind::Charge => Some(text("plan")?.to_owned()),
        Kind::Draw => text("plan").map(str::to_owned),
        _ => None,
    };
    Some(Entry { entry, kind, key, loss, plan })
}
