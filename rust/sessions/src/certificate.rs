//! Certificates of releases, for readers who do not see the data.

use crate::{
    about::About,
    error::{Error, Fallible},
    hash::sha256,
    part,
    priced::PricedQuery,
    program::Program,
    question::Question,
    session::Session,
};
use chrono::Utc;
use indistinct::core::{Explanation, ProofLevel};
use indistinct_ledger::{Head, Loss};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A statement about a release and its cost, which anyone can check without the data.
///
/// [`to_json`](Self::to_json) writes a unique text for each certificate. [`verify`](Self::verify) rebuilds the
/// measurement from its plan, and recomputes everything that follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Certificate {
    /// The version of this form: 2.
    pub version: u32,
    /// The account that paid.
    pub account: String,
    /// The name of the release in the account.
    pub name: String,
    /// The name of the table.
    pub table: String,
    /// The rows of the table that the release covers: `all`, or the rows of the part for which the account is prepaid,
    /// such as `region = "north"`.
    #[serde(default = "all_rows", skip_serializing_if = "is_all_rows")]
    pub rows: String,
    /// The day of the release in UTC, such as `2026-11-23`, by the clock of the machine that made it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The body that makes the release and its purpose, in its own words; empty if not stated.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// The privacy unit, in words.
    pub unit: String,
    /// The plan of the measurement, in its canonical JSON.
    pub plan: String,
    /// The SHA-256 of the plan's text.
    pub plan_hash: String,
    /// The steps of the plan. Each has its map evaluated at the unit, and the proof levels of its map and of the code
    /// that runs.
    pub steps: Value,
    /// The weakest level of all steps.
    pub weakest_proof: ProofLevel,
    /// The weakest level of the maps alone, whose proofs assume samplers, exact sums and enclosures.
    pub weakest_map: ProofLevel,
    /// The measure of the loss, by the names of its numbers.
    pub measure: String,
    /// The cost of the release: exact decimals, none of which is below the loss of the plan.
    pub loss: String,
    /// The account's budget.
    pub budget: Spent,
    /// The ledger's entries of the charge and of the draw: number and hash.
    pub ledger: Entries,
    /// Bounds on the distances of the statistics from the values without noise.
    pub accuracy: Statistics,
    /// The SHA-256 of the release.
    pub released: String,
    /// The program that made the release.
    pub program: Program,
    /// The engine that processed the rows.
    pub engine: String,
    /// The source of the random bits.
    pub entropy: String,
    /// Facts that the guarantee does not cover.
    pub not_protected: Vec<String>,
    /// Assumptions of the guarantee that no program can verify.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
}

/// The budget of an account, in exact numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Spent {
    /// The total budget.
    pub total: String,
    /// The spending before the release.
    pub before: String,
    /// The spending after the release.
    pub after: String,
}

/// Entries of a ledger.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entries {
    /// The hash of the entry of the charge.
    pub charge: String,
    /// The hash of the entry of the draw, written right before it.
    pub draw: String,
}

/// The accuracy of statistics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Statistics {
    /// The probability of a larger error.
    pub alpha: String,
    /// Each statistic by name, with its accuracy in words.
    pub statistics: Vec<(String, String)>,
}

/// The default for certificates without an entry for rows, which cover all rows.
fn all_rows() -> String {
    part::ALL.into()
}

fn is_all_rows(rows: &str) -> bool {
    rows == part::ALL
}

/// The version of the form.
const VERSION: u32 = 2;

/// The facts that the guarantee does not protect, whatever the loss.
const NOT_PROTECTED: [&str; 5] = [
    "what is public: the table's columns and their domains, keys, bounds and all other numbers of the plan",
    "that a release was made, when, and how long it took",
    "facts about groups and populations that hold whether or not an individual is in the data",
    "releases of the same data that are not in this ledger",
    "data that leave the machine, or are read on it, in another way than by the release",
];

/// The assumptions of every release that no program can verify.
const ASSUMED: [&str; 6] = [
    "each individual has one identifier in all tables; two identifiers of one person have twice the loss",
    "the schema was written without looking at the data",
    "all releases of the data are charged to this ledger, and to no other",
    "the program that ran is the one that is published",
    "the operating system's random numbers are random, and nobody else knows them",
    "one individual is protected at a time: for several, a family for example, epsilon grows with their number",
];

impl Certificate {
    /// Makes the certificate from everything that is known before a charge.
    pub(crate) fn draft<Q: Question>(session: &Session, priced: &PricedQuery<Q>, name: &str) -> Fallible<Self> {
        let measurement = priced.question.measurement();
        let statistics = priced.accuracy()?.into_iter().map(|(name, accuracy)| (name, accuracy.to_string()));
        let budget = Spent { total: session.budget()?.total.text(), ..Spent::default() };
        Ok(Self {
            version: VERSION,
            account: session.account()?.into(),
            name: name.into(),
            table: priced.table.clone(),
            rows: part::words(session.parts()),
            date: Utc::now().date_naive().to_string(),
            about: session.about.clone(),
            unit: session.unit.to_string(),
            plan: measurement.to_json()?,
            plan_hash: measurement.hash()?,
            steps: steps(priced.explanation())?,
            weakest_proof: priced.explanation().weakest_proof(),
            weakest_map: priced.explanation().weakest_map(),
            measure: priced.loss.measure().name(),
            loss: priced.loss.text(),
            budget,
            ledger: Entries::default(),
            accuracy: Statistics { alpha: format!("{:?}", priced.alpha), statistics: statistics.collect() },
            released: String::new(),
            program: session.program.clone(),
            engine: String::new(),
            entropy: "the operating system, through a ChaCha12 stream for each release".into(),
            not_protected: NOT_PROTECTED.iter().map(|&it| it.into()).collect(),
            assumed: ASSUMED.iter().map(|&it| it.into()).collect(),
        })
    }

    /// Adds the engine that processed the rows.
    pub(crate) fn by(self, engine: String) -> Self {
        Self { engine, ..self }
    }

    /// Adds the ledger's entries.
    pub(crate) fn paid(self, (before, after): (&Loss, &Loss), (charge, draw): (Head, Head)) -> Self {
        let budget = Spent { before: before.text(), after: after.text(), ..self.budget };
        let ledger = Entries { charge: charge.to_string(), draw: draw.to_string() };
        Self { budget, ledger, ..self }
    }

    /// Adds the hash of the release.
    pub(crate) fn of_release(self, released: &str) -> Self {
        Self { released: sha256(released.as_bytes()), ..self }
    }

    /// Returns the text of the certificate as JSON. Each certificate has one text.
    ///
    /// # Errors
    ///
    /// Returns no error for a certificate that a session made.
    pub fn to_json(&self) -> Fallible<String> {
        let value = serde_json::to_value(self).map_err(|error| Error::Certificate(error.to_string()))?;
        Ok(canonical(&value))
    }

    /// Parses a certificate, with its entries in any order.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a certificate of this version.
    pub fn from_json(text: &str) -> Fallible<Self> {
        let certificate: Self = serde_json::from_str(text).map_err(|error| Error::Certificate(error.to_string()))?;
        match certificate.version {
            VERSION => Ok(certificate),
            version => Err(Error::Certificate(format!(
                "it has version {version}, but this program reads only version {VERSION}"
            ))),
        }
    }
}

pub(crate) fn steps(explanation: &Explanation) -> Fallible<Value> {
    serde_json::to_value(explanation).map_err(|error| Error::Certificate(error.to_string()))
}

/// Writes JSON without spaces, with the entries of objects in the order of their names, whatever features of
/// `serde_json` a program enables.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let entry =
                |(name, value): &(&String, &Value)| format!("{}:{}", Value::from(name.as_str()), canonical(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(","))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}
