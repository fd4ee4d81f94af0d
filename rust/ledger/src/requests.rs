//! The changes of a request within one commit.

use crate::{
    accounts,
    chain::{Head, append, hex},
    error::{Error, Fallible},
    ledger::check_name,
    loss::Loss,
    states::{self, Answer, State},
    store::Tables,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A charge to make: one of the requests of [`Ledger::charge_all`](crate::Ledger::charge_all).
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The account to charge, with all accounts above it.
    pub account: &'r str,
    /// A name for this release, chosen by the caller. To retry a release, use the same key.
    pub key: &'r str,
    /// An identifier of the release, such as the hash of a plan.
    pub plan: &'r str,
    /// The loss, in the measure of the account.
    pub loss: &'r Loss,
}

/// The account's numbers in the entry of a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The entry: its number and its hash, which represents all entries up to it.
    pub entry: Head,
    /// The account's spending right before the charge.
    pub before: Loss,
    /// The account's spending right after the charge.
    pub after: Loss,
}

/// The record of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded {
    /// The charged plan, as it was given; after a draw for another plan, that plan.
    pub plan: String,
    /// The charged loss.
    pub loss: Loss,
    /// The entry of the charge, and the account's spending before and after it.
    pub charge: Receipt,
    /// The entry of the draw, if noise was about to be drawn.
    pub draw: Option<Head>,
    /// The released bytes, if there are any.
    pub released: Option<Vec<u8>>,
}

/// The name of a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name {
    pub(crate) account: String,
    pub(crate) key: String,
}

/// The state of a key.
#[derive(Debug)]
pub(crate) enum Found {
    Charged(Receipt),
    Released(Vec<u8>),
}

/// The row of a request.
struct Row {
    plan: String,
    loss: String,
    charged: i64,
    drawn: Option<i64>,
    released: Option<i64>,
    state: State,
    result: Option<Vec<u8>>,
}

impl Request<'_> {
    pub(crate) fn name(&self) -> Name {
        Name { account: self.account.into(), key: self.key.into() }
    }

    /// Charges the request, or finds the state of an earlier charge under its key.
    pub(crate) fn charge(&self, tables: &mut dyn Tables) -> Fallible<Found> {
        let Self { account, key, plan, loss } = *self;
        check_name("key", key)?;
        check_name("plan", plan)?;
        let text = loss.text();
        let found = row(tables, account, key)?;
        let is_same = found.as_ref().is_some_and(|row| row.plan == plan && row.loss == text);
        match (states::charge(found.as_ref().map(|row| row.state), is_same), found) {
            (Answer::GoOn, Some(row)) => Ok(Found::Charged(self.receipt(tables, row.charged, &text, None)?)),
            (Answer::Again, Some(Row { released: Some(number), result: Some(bytes), .. })) => {
                self.check_bytes(tables, number, &bytes)?;
                Ok(Found::Released(bytes))
            }
            (Answer::Lost, _) => Err(Error::Lost { key: key.into() }),
            (Answer::Conflict, _) => Err(Error::Conflict { key: key.into() }),
            (Answer::Charge, None) => self.charge_now(tables, &text),
            _ => Err(Error::Tampered(format!("the state of the release {key:?} is not possible"))),
        }
    }

    /// Charges the account and all accounts above it.
    fn charge_now(&self, tables: &mut dyn Tables, text: &str) -> Fallible<Found> {
        let Self { account, key, plan, loss } = *self;
        let (before, after) = accounts::spend(tables, account, loss)?;
        let body = json!({ "account": account, "key": key, "loss": text, "plan": plan, "spent": after.text() });
        let entry = append(tables, "charge", &body)?;
        tables.run(
            "INSERT INTO request(account, key, plan, loss, charged) VALUES ($1, $2, $3, $4, $5)",
            &[account.into(), key.into(), plan.into(), text.into(), entry.number().into()],
        )?;
        Ok(Found::Charged(Receipt { entry, before, after }))
    }
}

impl Request<'_> {
    /// The receipt of an earlier charge, from its entry. The charge is for another plan if the draw states one.
    fn receipt(&self, tables: &mut dyn Tables, number: i64, loss: &str, drawn: Option<String>) -> Fallible<Receipt> {
        let tampered = || Error::Tampered(format!("the contents of entry {number} cannot be read"));
        let (text, entry) = entry(tables, (number, "charge"), (self.account, self.key))?;
        let plan = drawn.or_else(|| text("plan"));
        let is_same = plan.as_deref() == Some(self.plan) && text("loss").as_deref() == Some(loss);
        let after: Loss = text("spent").filter(|_| is_same).ok_or_else(tampered)?.parse()?;
        let before = after.minus(self.loss)?.ok_or_else(tampered)?;
        Ok(Receipt { entry, before, after })
    }

    /// Checks that the stored bytes are the bytes that were released.
    fn check_bytes(&self, tables: &mut dyn Tables, number: i64, bytes: &[u8]) -> Fallible<()> {
        let (text, _) = entry(tables, (number, "release"), (self.account, self.key))?;
        let is_same = text("sha256") == Some(hex(&Sha256::digest(bytes)));
        if is_same {
            Ok(())
        } else {
            Err(Error::Tampered(format!("the stored release {:?} does not match its hash", self.key)))
        }
    }
}

impl Name {
    fn lost(&self) -> Error {
        Error::Lost { key: self.key.clone() }
    }

    /// Records that its noise is about to be drawn, for the charged plan or for another one.
    pub(crate) fn draw(&self, tables: &mut dyn Tables, plan: Option<&str>) -> Fallible<Head> {
        let Self { account, key } = self;
        let found = row(tables, account, key)?.ok_or_else(|| self.lost())?;
        states::draw(found.state).ok_or_else(|| self.lost())?;
        let other = plan.filter(|plan| *plan != found.plan);
        let mut body = json!({ "account": account, "key": key });
        if let (Some(body), Some(other)) = (body.as_object_mut(), other) {
            body.insert("plan".into(), other.into());
        }
        let entry = append(tables, "draw", &body)?;
        let plan = other.unwrap_or(&found.plan);
        let changed = tables.run(
            "UPDATE request SET drawn = $1, plan = $2 WHERE account = $3 AND key = $4 AND drawn IS NULL",
            &[entry.number().into(), plan.into(), account.as_str().into(), key.as_str().into()],
        )?;
        changed_one(changed, || self.lost())?;
        Ok(entry)
    }

    /// Stores the release of the draw at this entry.
    pub(crate) fn release(&self, tables: &mut dyn Tables, drawn: Head, bytes: &[u8]) -> Fallible<Head> {
        let Self { account, key } = self;
        let found = row(tables, account, key)?.filter(|row| row.drawn == Some(drawn.number()));
        states::release(found.ok_or_else(|| self.lost())?.state).ok_or_else(|| self.lost())?;
        let body = json!({ "account": account, "key": key, "sha256": hex(&Sha256::digest(bytes)) });
        let entry = append(tables, "release", &body)?;
        let changed = tables.run(
            "UPDATE request SET released = $1, result = $2 WHERE account = $3 AND key = $4 AND released IS NULL",
            &[entry.number().into(), bytes.into(), account.as_str().into(), key.as_str().into()],
        )?;
        changed_one(changed, || self.lost())?;
        Ok(entry)
    }
}

/// Returns the record of a request, after comparing it with its entries.
pub(crate) fn recorded(tables: &mut dyn Tables, account: &str, key: &str) -> Fallible<Option<Recorded>> {
    let Some(found) = row(tables, account, key)? else { return Ok(None) };
    let Row { plan, loss: text, charged, drawn, released, result, .. } = found;
    let loss: Loss = text.parse()?;
    let request = Request { account, key, plan: &plan, loss: &loss };
    let (draw, of_draw) = match drawn {
        Some(number) => {
            let (text, entry) = entry(tables, (number, "draw"), (account, key))?;
            (Some(entry), text("plan"))
        }
        None => (None, None),
    };
    let charge = request.receipt(tables, charged, &text, of_draw)?;
    if let (Some(number), Some(bytes)) = (released, &result) {
        request.check_bytes(tables, number, bytes)?;
    }
    Ok(Some(Recorded { plan, loss, charge, draw, released: result }))
}

fn changed_one(changed: u64, error: impl FnOnce() -> Error) -> Fallible<()> {
    if changed == 1 { Ok(()) } else { Err(error()) }
}

fn row(tables: &mut dyn Tables, account: &str, key: &str) -> Fallible<Option<Row>> {
    let found = tables.row(
        "SELECT plan, loss, charged, drawn, released, result FROM request WHERE account = $1 AND key = $2",
        &[account.into(), key.into()],
    )?;
    let Some(mut row) = found else { return Ok(None) };
    let (plan, loss, charged) = (row.text()?, row.text()?, row.number()?);
    let (drawn, released, result) = (row.number_if_any()?, row.number_if_any()?, row.bytes_if_any()?);
    let state = states::state(drawn.is_some(), released.is_some());
    let state = state.ok_or_else(|| Error::Tampered(format!("the state of the release {key:?} is not possible")))?;
    Ok(Some(Row { plan, loss, charged, drawn, released, state, result }))
}

/// Returns the fields of an entry of this request, and its hash.
fn entry(
    tables: &mut dyn Tables,
    (number, kind): (i64, &str),
    name: (&str, &str),
) -> Fallible<(impl Fn(&str) -> Option<String>, Head)> {
    let tampered = || Error::Tampered(format!("the contents of entry {number} cannot be read"));
    let query = "SELECT body, hash FROM entry WHERE number = $1 AND kind = $2";
    let mut row = tables.row(query, &[number.into(), kind.into()])?.ok_or_else(tampered)?;
    let body: Value = serde_json::from_str(&row.text()?).map_err(|_| tampered())?;
    let text = move |name: &str| body.get(name)?.as_str().map(str::to_owned);
    let (account, key) = (text("account"), text("key"));
    let is_own = (account.as_deref(), key.as_deref()) == (Some(name.0), Some(name.1));
    if is_own { Ok((text, Head::new(number, row.hash()?))) } else { Err(tampered()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ledger;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone)]
    enum Step {
        Charge(usize, usize, usize),
        Draw(usize),
        Release(usize),
        Drop(usize),
        /// The process ends, and another one opens the ledger.
        Crash(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0..3usize, 0..3usize, 0..2usize).prop_map(|(client, key, plan)| Step::Charge(client, key, plan)),
            3 => (0..3usize).prop_map(Step::Draw),
            3 => (0..3usize).prop_map(Step::Release),
            1 => (0..3usize).prop_map(Step::Drop),
            1 => (0..3usize).prop_map(Step::Crash),
        ]
    }

    enum Ticket {
        Charged(Name),
        Drawn(Name, Head),
    }

    const LOSSES: [f64; 2] = [1.0, 3.0];

    /// A ledger with three processes that come and go does what the states of the model do.
    fn agree(steps: &[Step], open: impl Fn() -> Ledger) {
        let mut clients = [0; 3].map(|_| (open(), None::<Ticket>));
        let losses = LOSSES.map(|loss| Loss::epsilon(loss).unwrap());
        let (mut model, mut spent) = (BTreeMap::<usize, (State, usize, Vec<u8>)>::new(), 0.0);
        for (number, step) in steps.iter().enumerate() {
            match *step {
                Step::Charge(client, key, plan) => {
                    let text = key.to_string();
                    let request =
                        Request { account: "survey", key: &text, plan: ["one", "two"][plan], loss: &losses[plan] };
                    let done = clients[client].0.commit(|tables| request.charge(tables));
                    let found = model.get(&key).map(|(state, ..)| *state);
                    let is_same = model.get(&key).is_some_and(|(_, own, _)| *own == plan);
                    let answer = states::charge(found, is_same);
                    match (answer, done) {
                        (Answer::Charge, Ok(Found::Charged(receipt))) => {
                            assert_eq!(receipt.before.numbers()[0].to_f64(), spent);
                            spent += LOSSES[plan];
                            model.insert(key, (State::Charged, plan, Vec::new()));
                            clients[client].1 = Some(Ticket::Charged(request.name()));
                        }
                        (Answer::Charge, Err(Error::Budget { .. })) => assert!(spent + LOSSES[plan] > 5.0),
                        (Answer::GoOn, Ok(Found::Charged(_))) => {
                            clients[client].1 = Some(Ticket::Charged(request.name()))
                        }
                        (Answer::Again, Ok(Found::Released(bytes))) => assert_eq!(&bytes, &model[&key].2),
                        (Answer::Lost, Err(Error::Lost { .. })) | (Answer::Conflict, Err(Error::Conflict { .. })) => {}
                        (answer, done) => panic!("{answer:?} {done:?}"),
                    }
                }
                Step::Draw(client) => {
                    let Some(Ticket::Charged(name)) = clients[client].1.take() else { continue };
                    let done = clients[client].0.commit(|tables| name.draw(tables, None));
                    let of_model = model.get_mut(&name.key.parse().unwrap()).unwrap();
                    match (states::draw(of_model.0), done) {
                        (Some(state), Ok(entry)) => {
                            of_model.0 = state;
                            clients[client].1 = Some(Ticket::Drawn(name, entry));
                        }
                        (None, Err(Error::Lost { .. })) => {}
                        other => panic!("{other:?}"),
                    }
                }
                Step::Release(client) => {
                    let Some(Ticket::Drawn(name, entry)) = clients[client].1.take() else { continue };
                    let bytes = number.to_string().into_bytes();
                    let done = clients[client].0.commit(|tables| name.release(tables, entry, &bytes));
                    let of_model = model.get_mut(&name.key.parse().unwrap()).unwrap();
                    assert!(done.is_ok());
                    of_model.0 = states::release(of_model.0).unwrap();
                    of_model.2 = bytes;
                    // Whoever has a copy of what it held cannot store another.
                    let again = clients[client].0.commit(|tables| name.release(tables, entry, b"another"));
                    let is_lost = matches!(again, Err(Error::Lost { .. }));
                    assert!(is_lost);
                }
                Step::Drop(client) => clients[client].1 = None,
                Step::Crash(client) => clients[client] = (open(), None),
            }
            assert_eq!(clients[0].0.budget("survey").unwrap().spent, Loss::epsilon(spent).unwrap());
        }
        clients[0].0.verify(None).unwrap();
    }

    fn budget() -> Loss {
        Loss::epsilon(5.0).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn files_agree_with_the_model(steps in prop::collection::vec(step(), 1..60)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.ledger");
            drop(Ledger::create(&path, "survey", &budget()).unwrap());
            agree(&steps, || Ledger::open(&path).unwrap());
        }
    }

    #[cfg(feature = "postgres")]
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn servers_agree_with_the_model(steps in prop::collection::vec(step(), 1..60)) {
            use std::sync::atomic::{AtomicU32, Ordering};
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let url = std::env::var("LEDGER_SERVER").expect("make test-postgres starts a server");
            let name = format!("model_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
            drop(Ledger::create_on_server(&url, &name, "survey", &budget()).unwrap());
            agree(&steps, || Ledger::open_on_server(&url, &name).unwrap());
        }
    }
}
