//! Everything in the file computed again from its entries.

use crate::{
    chain::{Head, hex, link},
    error::{Error, Fallible},
    ledger::{Ledger, VERSION},
    loss::Loss,
    states::{self, State},
    store::Tables,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What entries say of accounts and requests.
#[derive(Default)]
struct Books {
    accounts: BTreeMap<String, Account>,
    requests: BTreeMap<(String, String), Request>,
}

struct Account {
    parent: Option<String>,
    budget: Loss,
    spent: Loss,
    opened: i64,
}

/// With the numbers of its entries.
#[derive(PartialEq)]
struct Request {
    plan: String,
    loss: String,
    charged: i64,
    drawn: Option<i64>,
    released: Option<i64>,
    /// The hash of what was released.
    sha256: Option<String>,
}

impl Request {
    fn state(&self) -> Option<State> {
        states::state(self.drawn.is_some(), self.released.is_some())
    }
}

impl Ledger {
    /// Read all entries, compute accounts and requests again, and compare them with what the file says, and the bytes
    /// of releases with their hashes. `known`, the head of an earlier time, must be one of the entries: then the file
    /// was not set back behind it.
    ///
    /// # Errors
    ///
    /// [`Error::Tampered`], with what does not follow.
    pub fn verify(&self, known: Option<Head>) -> Fallible<Head> {
        self.read(|tables| {
            let mut books = Books::default();
            let head = books.read(tables, known)?;
            books.compare_accounts(tables)?;
            books.compare_requests(tables)?;
            Ok(head)
        })
    }
}

fn tampered(what: impl Into<String>) -> Error {
    Error::Tampered(what.into())
}

impl Books {
    fn read(&mut self, tables: &mut dyn Tables, known: Option<Head>) -> Fallible<Head> {
        let (mut last, mut head) = (0i64, Head { entries: 0, hash: [0; 32] });
        let mut is_known = known.is_none_or(|known| known == head);
        tables.each("SELECT number, kind, body, hash FROM entry ORDER BY number", &[], &mut |mut row| {
            let (number, kind, body, hash) = (row.number()?, row.text()?, row.text()?, row.hash()?);
            if Some(number) != last.checked_add(1) || link(&head.hash, number, &kind, &body) != hash {
                return Err(tampered(format!("entry {number}")));
            }
            self.enter(number, &kind, &body).ok_or_else(|| tampered(format!("what entry {number} says")))?;
            (last, head) = (number, Head::new(number, hash));
            is_known |= known == Some(head);
            Ok(())
        })?;
        if head.entries == 0 {
            return Err(tampered("there are no entries"));
        }
        if is_known {
            Ok(head)
        } else {
            Err(tampered("the known head is not one of its entries: it was set back, or is another ledger"))
        }
    }

    /// One more entry; nothing, if it cannot follow on those before it.
    fn enter(&mut self, number: i64, kind: &str, body: &str) -> Option<()> {
        let body: Value = serde_json::from_str(body).ok()?;
        let text = |name: &str| body.get(name)?.as_str().map(str::to_owned);
        let request = || Some((text("account")?, text("key")?));
        if (number == 1) != (kind == "genesis") {
            return None;
        }
        match kind {
            "genesis" => (body.get("version")?.as_i64()? == i64::from(VERSION)).then_some(()),
            "account" => {
                let budget: Loss = text("budget")?.parse().ok()?;
                let parent = text("parent");
                // The first is at the top, and each other one below one that there is.
                let has_place = match &parent {
                    None => self.accounts.is_empty(),
                    Some(parent) => self.accounts.contains_key(parent),
                };
                let spent = Loss::nothing(budget.measure());
                let is_new =
                    self.accounts.insert(text("name")?, Account { parent, budget, spent, opened: number }).is_none();
                (is_new && has_place).then_some(())
            }
            "charge" => {
                let (account, loss) = (text("account")?, text("loss")?);
                self.spend(&account, &loss.parse().ok()?)?;
                // What it says that the account had spent then.
                if self.accounts.get(&account)?.spent.text() != text("spent")? {
                    return None;
                }
                let plan = text("plan")?;
                let charged = Request { plan, loss, charged: number, drawn: None, released: None, sha256: None };
                self.requests.insert(request()?, charged).is_none().then_some(())
            }
            "draw" => {
                let request = self.requests.get_mut(&request()?)?;
                states::draw(request.state()?)?;
                request.drawn = Some(number);
                Some(())
            }
            "release" => {
                let request = self.requests.get_mut(&request()?)?;
                states::release(request.state()?)?;
                request.released = Some(number);
                request.sha256 = Some(text("sha256")?);
                Some(())
            }
            _ => None,
        }
    }

    fn spend(&mut self, account: &str, loss: &Loss) -> Option<()> {
        let mut next = Some(account.to_owned());
        while let Some(name) = next {
            let account = self.accounts.get_mut(&name)?;
            account.spent = account.spent.plus(loss).ok()?;
            account.budget.minus(&account.spent).ok()??;
            next = account.parent.clone();
        }
        Some(())
    }

    fn compare_accounts(&self, tables: &mut dyn Tables) -> Fallible<()> {
        let mut found = 0usize;
        tables.each("SELECT name, parent, budget, spent, opened FROM account", &[], &mut |mut row| {
            let name = row.text()?;
            let (parent, budget, spent, opened) = (row.text_if_any()?, row.text()?, row.text()?, row.number()?);
            let is_so = self.accounts.get(&name).is_some_and(|account| {
                account.parent == parent
                    && account.budget.text() == budget
                    && account.spent.text() == spent
                    && account.opened == opened
            });
            found = found.saturating_add(1);
            if is_so { Ok(()) } else { Err(tampered(format!("the account {name:?}"))) }
        })?;
        if found == self.accounts.len() { Ok(()) } else { Err(tampered("an account is missing")) }
    }

    fn compare_requests(&self, tables: &mut dyn Tables) -> Fallible<()> {
        let mut found = 0usize;
        tables.each(
            "SELECT account, key, plan, loss, charged, drawn, released, result FROM request",
            &[],
            &mut |mut row| {
                let name = (row.text()?, row.text()?);
                let request = Request {
                    plan: row.text()?,
                    loss: row.text()?,
                    charged: row.number()?,
                    drawn: row.number_if_any()?,
                    released: row.number_if_any()?,
                    sha256: row.bytes_if_any()?.map(|bytes| hex(&Sha256::digest(bytes))),
                };
                found = found.saturating_add(1);
                let is_so = self.requests.get(&name) == Some(&request);
                if is_so { Ok(()) } else { Err(tampered(format!("the request {:?} of {:?}", name.1, name.0))) }
            },
        )?;
        if found == self.requests.len() { Ok(()) } else { Err(tampered("a request is missing")) }
    }
}
