//! A release in three commits: charged, drawn, released.

use crate::{
    accounts,
    chain::{append, hex},
    error::{Error, Fallible},
    loss::Loss,
    open::{Ledger, check_name},
};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::json;
use sha2::{Digest, Sha256};

/// What a key is found as.
#[derive(Debug)]
#[must_use]
pub enum Charge<'a> {
    /// Charged, now or before a crash: data may be touched.
    Charged(Charged<'a>),
    /// Released before: these bytes again, free.
    Released(Vec<u8>),
}

/// A charge whose noise has not been drawn. It is used up by that; dropped, it can be taken up again with its key.
#[derive(Debug)]
#[must_use]
pub struct Charged<'a> {
    ledger: &'a mut Ledger,
    account: String,
    key: String,
}

/// A charge whose noise may be drawn, once. Dropped, it is lost.
#[derive(Debug)]
#[must_use]
pub struct Drawn<'a> {
    ledger: &'a mut Ledger,
    account: String,
    key: String,
}

impl Ledger {
    /// Charge an account, and all above it, for a release of this plan; or find what became of an earlier charge under
    /// the same key. The charge is on the disk when this returns.
    ///
    /// # Parameters
    ///
    /// - `key`: a name for this release, chosen by the caller; one that is tried again has the same.
    /// - `plan`: what is released, such as the hash of a plan.
    /// - `loss`: the loss of the release in the measure of the account.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if an account on the way to the top has less left; [`Error::Conflict`] if the key was charged
    /// for another plan or loss; [`Error::Lost`] if a release under this key was interrupted after its noise was drawn.
    pub fn charge(&mut self, account: &str, key: &str, plan: &str, loss: &Loss) -> Fallible<Charge<'_>> {
        check_name("key", key)?;
        check_name("plan", plan)?;
        match self.commit(|transaction| find_or_charge(transaction, (account, key), plan, loss))? {
            Some(bytes) => Ok(Charge::Released(bytes)),
            None => Ok(Charge::Charged(Charged { ledger: self, account: account.into(), key: key.into() })),
        }
    }
}

/// The bytes, if they were released.
fn find_or_charge(
    transaction: &Transaction<'_>,
    (account, key): (&str, &str),
    plan: &str,
    loss: &Loss,
) -> Fallible<Option<Vec<u8>>> {
    let text = loss.text();
    let found: Option<(String, String, String, Option<Vec<u8>>)> = transaction
        .prepare_cached("SELECT plan, loss, state, result FROM request WHERE account = ?1 AND key = ?2")?
        .query_row([account, key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    if let Some((found_plan, found_loss, state, result)) = found {
        if found_plan != plan || found_loss != text {
            return Err(Error::Conflict { key: key.into() });
        }
        return match (state.as_str(), result) {
            ("charged", None) => Ok(None),
            ("released", Some(bytes)) => Ok(Some(bytes)),
            ("drawn", None) => Err(Error::Lost { key: key.into() }),
            _ => Err(Error::Tampered(format!("the state of {key:?}"))),
        };
    }
    let (mut next, mut above) = (Some(account.to_owned()), 0);
    while let Some(name) = next {
        if above >= accounts::MAX_DEPTH {
            return Err(Error::Tampered(format!("{name:?} is above itself, or below too many")));
        }
        above += 1;
        let budget = accounts::of(transaction, &name)?;
        let spent = budget.spent.plus(loss)?;
        if budget.total.minus(&spent)?.is_none() {
            return Err(Error::Budget { account: name, loss: loss.to_string(), left: budget.left.to_string() });
        }
        if spent.text().parse::<Loss>().is_err() {
            return Err(Error::parameter("loss", "is too great, or has too many digits, to be added up"));
        }
        transaction
            .prepare_cached("UPDATE account SET spent = ?2 WHERE name = ?1")?
            .execute(params![name, spent.text()])?;
        next = budget.parent;
    }
    append(transaction, "charge", &json!({ "account": account, "key": key, "loss": text, "plan": plan }))?;
    transaction
        .prepare_cached("INSERT INTO request(account, key, plan, loss, state) VALUES (?1, ?2, ?3, ?4, 'charged')")?
        .execute(params![account, key, plan, text])?;
    Ok(None)
}

impl<'a> Charged<'a> {
    /// Mark that noise is about to be drawn. From here on there is one attempt: a second draw after a crash would
    /// choose between two.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`] if another process went on with the same key. After an error of the storage the mark may be
    /// there or not: the same key tells.
    pub fn draw(self) -> Fallible<Drawn<'a>> {
        let Self { ledger, account, key } = self;
        ledger.commit(|transaction| {
            let changed = transaction
                .prepare_cached(
                    "UPDATE request SET state = 'drawn' WHERE account = ?1 AND key = ?2 AND state = 'charged'",
                )?
                .execute([&account, &key])?;
            if changed != 1 {
                return Err(Error::Lost { key: key.clone() });
            }
            append(transaction, "draw", &json!({ "account": account, "key": key }))
        })?;
        Ok(Drawn { ledger, account, key })
    }
}

impl Drawn<'_> {
    /// Store the release. Only once this has returned may anybody see it.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`] if it was stored already. After an error of the storage it must not be shown: it may be lost, or
    /// be there, and the same key tells.
    pub fn release(self, bytes: &[u8]) -> Fallible<()> {
        let Self { ledger, account, key } = self;
        ledger.commit(|transaction| {
            let changed = transaction
                .prepare_cached(
                    "UPDATE request SET state = 'released', result = ?3 WHERE account = ?1 AND key = ?2 AND state = 'drawn'",
                )?
                .execute(params![account, key, bytes])?;
            if changed != 1 {
                return Err(Error::Lost { key: key.clone() });
            }
            let hash = hex(&Sha256::digest(bytes));
            append(transaction, "release", &json!({ "account": account, "key": key, "sha256": hash })).map(|_| ())
        })
    }
}
