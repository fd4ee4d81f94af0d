//! The result of a verification, from which the next one can begin.

use crate::{
    books::{Account, Booked},
    chain::{Head, bytes_of_hex, hex},
    error::{Error, Fallible},
    requests::Name,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// The state of a ledger when it was verified: its head, its accounts, the requests not yet released, and a hash of all
/// released ones.
///
/// A checkpoint is a text. Keep it in a place where people who can change the ledger cannot write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub(crate) head: Head,
    pub(crate) accounts: BTreeMap<String, Account>,
    pub(crate) open: BTreeMap<Name, Booked>,
    pub(crate) settled: Settled,
}

/// Released requests, which can no longer change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) count: u64,
    pub(crate) sha256: [u8; 32],
}

/// The running hash of requests, in the order of their names.
#[derive(Default)]
pub(crate) struct Settling {
    count: u64,
    hash: Sha256,
}

impl Settling {
    pub(crate) fn add(&mut self, name: &Name, request: &Booked) {
        self.count = self.count.saturating_add(1);
        let sha256 = request.sha256.as_deref().unwrap_or("");
        for text in [&name.account, &name.key, &request.plan, &request.loss, sha256] {
            self.hash.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
            self.hash.update(text);
        }
        for number in [Some(request.charged), request.drawn, request.released] {
            self.hash.update(number.unwrap_or(0).to_be_bytes());
        }
    }

    pub(crate) fn settled(self) -> Settled {
        Settled { count: self.count, sha256: self.hash.finalize().into() }
    }
}

impl Checkpoint {
    /// Returns the state before the first entry.
    pub(crate) fn nothing() -> Self {
        Self {
            head: Head { entries: 0, hash: [0; 32] },
            accounts: BTreeMap::new(),
            open: BTreeMap::new(),
            settled: Settling::default().settled(),
        }
    }

    /// Returns the last verified entry.
    pub fn head(&self) -> Head {
        self.head
    }
}

/// Writes one line of JSON; each checkpoint has one text.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let account = |(name, account): (&String, &Account)| {
            let Account { parent, budget, spent, opened, prepaid, closed } = account;
            let facts = [
                ("budget", Some(json!(budget.text()))),
                // Omitted if false.
                ("closed", closed.map(|closed| json!(closed))),
                ("opened", Some(json!(opened))),
                ("parent", Some(json!(parent))),
                ("prepaid", prepaid.as_ref().map(|prepaid| json!(prepaid))),
                ("spent", Some(json!(spent.text()))),
            ];
            let facts = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
            (name.clone(), Value::Object(facts.collect()))
        };
        let open = |(name, request): (&Name, &Booked)| {
            let (Name { account, key }, Booked { plan, loss, charged, drawn, .. }) = (name, request);
            json!({ "account": account, "charged": charged, "drawn": drawn, "key": key, "loss": loss, "plan": plan })
        };
        let text = json!({
            "accounts": self.accounts.iter().map(account).collect::<Map<_, _>>(),
            "head": self.head.to_string(),
            "open": self.open.iter().map(open).collect::<Vec<_>>(),
            "settled": { "count": self.settled.count, "sha256": hex(&self.settled.sha256) },
        });
        write!(f, "{text}")
    }
}

/// Parses the text of a checkpoint, and no other form of it.
impl FromStr for Checkpoint {
    type Err = Error;

    fn from_str(text: &str) -> Fallible<Self> {
        let refuse = || Error::parameter("checkpoint", "must be the text of a checkpoint");
        let checkpoint = read(text).ok_or_else(refuse)?;
        if checkpoint.to_string() == text { Ok(checkpoint) } else { Err(refuse()) }
    }
}

fn read(text: &str) -> Option<Checkpoint> {
    let value: Value = serde_json::from_str(text).ok()?;
    let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
    let account = |(name, value): (&String, &Value)| {
        let (parent, opened) = (text(value, "parent"), value.get("opened")?.as_i64()?);
        let (budget, spent) = (text(value, "budget")?.parse().ok()?, text(value, "spent")?.parse().ok()?);
        let (prepaid, closed) = (text(value, "prepaid"), value.get("closed").and_then(Value::as_i64));
        Some((name.clone(), Account { parent, budget, spent, opened, prepaid, closed }))
    };
    let open = |value: &Value| {
        let name = Name { account: text(value, "account")?, key: text(value, "key")? };
        let (charged, drawn) = (value.get("charged")?.as_i64()?, value.get("drawn")?.as_i64());
        let (plan, loss) = (text(value, "plan")?, text(value, "loss")?);
        Some((name, Booked { plan, loss, charged, drawn, released: None, sha256: None }))
    };
    let settled = value.get("settled")?;
    Some(Checkpoint {
        head: text(&value, "head")?.parse().ok()?,
        accounts: value.get("accounts")?.as_object()?.iter().map(account).collect::<Option<_>>()?,
        open: value.get("open")?.as_array()?.iter().map(open).collect::<Option<_>>()?,
        settled: Settled {
            count: settled.get("count")?.as_u64()?,
            sha256: bytes_of_hex(settled.get("sha256")?.as_str()?)?,
        },
    })
}
