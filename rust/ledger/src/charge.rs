//! A release in three commits: charged, drawn, released.

use crate::{
    accounts,
    chain::{Head, append, hex},
    error::{Error, Fallible},
    loss::Loss,
    open::{Ledger, check_name},
};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::{Value, json};
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
    request: Request,
    receipt: Receipt,
}

/// A charge whose noise may be drawn, once. Dropped, it is lost.
#[derive(Debug)]
#[must_use]
pub struct Drawn<'a> {
    ledger: &'a mut Ledger,
    request: Request,
    entry: Head,
}

#[derive(Debug)]
struct Request {
    account: String,
    key: String,
}

/// What the entry of a charge says of the account.
#[derive(Debug)]
struct Receipt {
    entry: Head,
    before: Loss,
    after: Loss,
}

/// What a key is found as, in one transaction.
enum Found {
    Charged(Receipt),
    Released(Vec<u8>),
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
            Found::Released(bytes) => Ok(Charge::Released(bytes)),
            Found::Charged(receipt) => {
                let request = Request { account: account.into(), key: key.into() };
                Ok(Charge::Charged(Charged { ledger: self, request, receipt }))
            }
        }
    }
}

/// A request as its row says: plan, loss, and the number of the entry that charged it; whether it was drawn; its bytes,
/// if it was released.
type Row = (String, String, i64, bool, Option<Vec<u8>>);

fn find_or_charge(
    transaction: &Transaction<'_>,
    (account, key): (&str, &str),
    plan: &str,
    loss: &Loss,
) -> Fallible<Found> {
    let text = loss.text();
    let found: Option<Row> = transaction
        .prepare_cached(
            "SELECT plan, loss, charged, drawn IS NOT NULL, result FROM request WHERE account = ?1 AND key = ?2",
        )?
        .query_row([account, key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .optional()?;
    if let Some((found_plan, found_loss, charged, is_drawn, result)) = found {
        if found_plan != plan || found_loss != text {
            return Err(Error::Conflict { key: key.into() });
        }
        return match (is_drawn, result) {
            (false, None) => Ok(Found::Charged(receipt(transaction, charged, loss)?)),
            (true, Some(bytes)) => Ok(Found::Released(bytes)),
            (true, None) => Err(Error::Lost { key: key.into() }),
            (false, Some(_)) => Err(Error::Tampered(format!("the state of {key:?}"))),
        };
    }
    let (mut next, mut above, mut own) = (Some(account.to_owned()), 0, None);
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
        own = own.or(Some((budget.spent, spent)));
        next = budget.parent;
    }
    let (before, after) = own.ok_or_else(|| Error::Tampered(format!("the account {account:?}")))?;
    let body = json!({ "account": account, "key": key, "loss": text, "plan": plan, "spent": after.text() });
    let entry = append(transaction, "charge", &body)?;
    transaction
        .prepare_cached("INSERT INTO request(account, key, plan, loss, charged) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![account, key, plan, text, entry.number()])?;
    Ok(Found::Charged(Receipt { entry, before, after }))
}

/// Of a charge that was made before, from its entry.
fn receipt(transaction: &Transaction<'_>, number: i64, loss: &Loss) -> Fallible<Receipt> {
    let tampered = || Error::Tampered(format!("what entry {number} says"));
    let (body, hash): (String, [u8; 32]) = transaction
        .prepare_cached("SELECT body, hash FROM entry WHERE number = ?1 AND kind = 'charge'")?
        .query_row([number], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(tampered)?;
    let body: Value = serde_json::from_str(&body).map_err(|_| tampered())?;
    let after: Loss = body.get("spent").and_then(Value::as_str).ok_or_else(tampered)?.parse()?;
    let before = after.minus(loss)?.ok_or_else(tampered)?;
    Ok(Receipt { entry: Head { entries: u64::try_from(number).map_err(|_| tampered())?, hash }, before, after })
}

impl<'a> Charged<'a> {
    /// The entry of the charge: its number and its hash, which stands for all entries up to it.
    pub fn entry(&self) -> Head {
        self.receipt.entry
    }

    /// What the account had spent right before this charge, also if the charge was taken up again since.
    pub fn before(&self) -> &Loss {
        &self.receipt.before
    }

    /// What the account had spent right after it.
    pub fn after(&self) -> &Loss {
        &self.receipt.after
    }

    /// Mark that noise is about to be drawn. From here on there is one attempt: a second draw after a crash would
    /// choose between two.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`] if another process went on with the same key; [`Error::Process`] in a fork of the process that
    /// charged. After an error of the storage the mark may be there or not: the same key tells.
    pub fn draw(self) -> Fallible<Drawn<'a>> {
        let Self { ledger, request, .. } = self;
        let Request { account, key } = &request;
        let entry = ledger.commit(|transaction| {
            let entry = append(transaction, "draw", &json!({ "account": account, "key": key }))?;
            let changed = transaction
                .prepare_cached(
                    "UPDATE request SET drawn = ?3 WHERE account = ?1 AND key = ?2 AND drawn IS NULL AND released IS NULL",
                )?
                .execute(params![account, key, entry.number()])?;
            if changed == 1 { Ok(entry) } else { Err(Error::Lost { key: key.clone() }) }
        })?;
        Ok(Drawn { ledger, request, entry })
    }
}

impl Drawn<'_> {
    /// The entry of the draw: its number and its hash.
    pub fn entry(&self) -> Head {
        self.entry
    }

    /// Store the release. Only once this has returned may anybody see it.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`] if it was stored already. After an error of the storage it must not be shown: it may be lost, or
    /// be there, and the same key tells.
    pub fn release(self, bytes: &[u8]) -> Fallible<()> {
        let Self { ledger, request: Request { account, key }, entry: drawn } = self;
        ledger.commit(|transaction| {
            let hash = hex(&Sha256::digest(bytes));
            let entry = append(transaction, "release", &json!({ "account": account, "key": key, "sha256": hash }))?;
            let changed = transaction
                .prepare_cached(
                    "UPDATE request SET released = ?3, result = ?4 \
                     WHERE account = ?1 AND key = ?2 AND drawn = ?5 AND released IS NULL",
                )?
                .execute(params![account, key, entry.number(), bytes, drawn.number()])?;
            if changed == 1 { Ok(()) } else { Err(Error::Lost { key: key.clone() }) }
        })
    }
}
