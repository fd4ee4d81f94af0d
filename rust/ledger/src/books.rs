//! What entries say of accounts and requests.

use crate::{
    ledger::VERSION,
    loss::Loss,
    requests::Name,
    states::{self, State},
};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Accounts and requests, as entries say one after the other.
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
}

/// A request, with the numbers of its entries and the hash of what was released.
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
    /// One more entry; nothing, if it cannot follow on those before it.
    pub(crate) fn enter(&mut self, number: i64, kind: &str, body: &str) -> Option<()> {
        let body: Value = serde_json::from_str(body).ok()?;
        let text = |name: &str| body.get(name)?.as_str().map(str::to_owned);
        let name = || Some(Name { account: text("account")?, key: text("key")? });
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
                let account = Account { parent, budget, spent, opened: number };
                let is_new = self.accounts.insert(text("name")?, account).is_none();
                (is_new && has_place).then_some(())
            }
            "charge" => {
                let (name, loss) = (name()?, text("loss")?);
                self.spend(&name.account, &loss.parse().ok()?)?;
                // What it says that the account had spent then.
                if self.accounts.get(&name.account)?.spent.text() != text("spent")? {
                    return None;
                }
                let plan = text("plan")?;
                let charged = Booked { plan, loss, charged: number, drawn: None, released: None, sha256: None };
                self.requests.insert(name, charged).is_none().then_some(())
            }
            "draw" => {
                let request = self.requests.get_mut(&name()?)?;
                states::draw(request.state()?)?;
                request.drawn = Some(number);
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
}
