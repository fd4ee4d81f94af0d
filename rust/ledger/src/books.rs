//! The accounts and requests that follow from the entries.

use crate::{
    ledger::VERSION,
    loss::Loss,
    requests::Name,
    states::{self, State},
};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Accounts and requests, built from entries in order.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) accounts: BTreeMap<String, Account>,
    pub(crate) requests: HashMap<Name, Booked>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) parent: Option<String>,
    pub(crate) budget: Loss,
    pub(crate) spent: Loss,
    pub(crate) opened: i64,
    pub(crate) prepaid: Option<String>,
    pub(crate) closed: Option<i64>,
}

/// A request, with the numbers of its entries and the hash of its release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Booked {
    pub(crate) plan: String,
    pub(crate) loss: String,
    pub(crate) charged: i64,
    pub(crate) drawn: Option<i64>,
    pub(crate) released: Option<i64>,
    pub(crate) sha256: Option<String>,
}

impl Booked {
    fn state(&self) -> Option<State> {
        states::state(self.drawn.is_some(), self.released.is_some())
    }
}

impl Books {
    /// Adds an entry. Returns `None` if it cannot follow the entries before it.
    pub(crate) fn enter(&mut self, number: i64, kind: &str, body: &str) -> Option<()> {
        let body: Value = serde_json::from_str(body).ok()?;
        let text = |name: &str| body.get(name)?.as_str().map(str::to_owned);
        let name = || Some(Name { account: text("account")?, key: text("key")? });
        if (number == 1) != (kind == "genesis") {
            return None;
        }
        match kind {
            "genesis" => (body.get("version")?.as_i64()? == VERSION).then_some(()),
            "account" if body.get("closed").is_some() => {
                let account = self.accounts.get_mut(&text("closed")?)?;
                account.closed.is_none().then_some(())?;
                account.closed = Some(number);
                Some(())
            }
            "account" if body.get("parts").is_some() => {
                let (parent, budget): (_, Loss) = (text("parent")?, text("budget")?.parse().ok()?);
                self.pay(&parent, &budget, &text("spent")?)?;
                let parts = body.get("parts")?.as_object()?;
                parts.iter().try_for_each(|(name, of)| {
                    let prepaid = Some(of.as_str()?.to_owned());
                    self.open(name.clone(), Account::new(Some(parent.clone()), prepaid, budget.clone(), number))
                })
            }
            "account" => {
                let budget: Loss = text("budget")?.parse().ok()?;
                let parent = text("parent");
                // The first account is at the top, and each other account is below an existing one.
                let has_place = match &parent {
                    None => self.accounts.is_empty(),
                    Some(parent) => self.accounts.contains_key(parent),
                };
                has_place.then_some(())?;
                self.open(text("name")?, Account::new(parent, None, budget, number))
            }
            "charge" => {
                let (name, loss) = (name()?, text("loss")?);
                self.pay(&name.account, &loss.parse().ok()?, &text("spent")?)?;
                let plan = text("plan")?;
                let charged = Booked { plan, loss, charged: number, drawn: None, released: None, sha256: None };
                self.requests.insert(name, charged).is_none().then_some(())
            }
            "draw" => {
                let request = self.requests.get_mut(&name()?)?;
                states::draw(request.state()?)?;
                request.drawn = Some(number);
                if body.get("plan").is_some() {
                    request.plan = text("plan")?;
                }
                Some(())
            }
            "release" => {
                let request = self.requests.get_mut(&name()?)?;
                states::release(request.state()?)?;
                request.released = Some(number);
                request.sha256 = Some(text("sha256")?);
                Some(())
            }
            _ => None,
        }
    }

    fn open(&mut self, name: String, account: Account) -> Option<()> {
        self.accounts.insert(name, account).is_none().then_some(())
    }

    /// Charges a loss to the account and to all above it, up to a prepaid one. `said` is the account's spending after
    /// the charge, as the entry states it.
    fn pay(&mut self, account: &str, loss: &Loss, said: &str) -> Option<()> {
        let (mut next, mut is_paid) = (Some(account.to_owned()), false);
        while let Some(name) = next {
            let account = self.accounts.get_mut(&name)?;
            account.closed.is_none().then_some(())?;
            if !is_paid {
                account.spent = account.spent.plus(loss).ok()?;
                account.budget.minus(&account.spent).ok()??;
            }
            is_paid |= account.prepaid.is_some();
            next = account.parent.clone();
        }
        (self.accounts.get(account)?.spent.text() == said).then_some(())
    }
}

impl Account {
    /// Makes an account without spending.
    fn new(parent: Option<String>, prepaid: Option<String>, budget: Loss, opened: i64) -> Self {
        let spent = Loss::nothing(budget.measure());
        Self { parent, budget, spent, opened, prepaid, closed: None }
    }
}
