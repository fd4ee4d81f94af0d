//! Private tables, their budget, and questions.

#[cfg(feature = "files")]
use crate::files::Files;
use crate::{
    about::About,
    cost::cost,
    declaration::{self, DECLARATION},
    error::{Error, Fallible, refuse},
    measure,
    part::{self, Part},
    priced::PricedQuery,
    program::Program,
    question::Question,
    source::{Rows, Source},
    unit::Unit,
};
use indistinct::{
    core::ProofLevel,
    frames::{FrameDomain, PublicTable},
    queries::Query,
};
use indistinct_ledger::{Budget, Ledger, Loss, Measure, Recorded};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// Private tables and an account of a ledger, from which all questions about them are paid.
///
/// A session [without a ledger](Session::without_ledger) prices the same questions and releases none.
///
/// Several sessions, of several processes, may use one ledger: what they spend is spent for all. The first release
/// declares the unit in the ledger, and by which column the table's individuals are known, for ever: its budget counts
/// losses of that unit.
///
/// The tables' domains are the curator's word, and public. Nobody else may choose them, because a failed release
/// reveals that some row is outside its domain. A session may be moved to another thread.
pub struct Session {
    payer: Option<Payer>,
    pub(crate) unit: Unit,
    pub(crate) tables: BTreeMap<String, PrivateTable>,
    pub(crate) public: BTreeMap<String, PublicTable>,
    pub(crate) program: Program,
    pub(crate) about: About,
    /// Identifies the session that priced a question.
    pub(crate) identity: Arc<()>,
}

/// An account of a ledger.
pub(crate) struct Payer {
    pub(crate) ledger: Ledger,
    pub(crate) account: String,
    pub(crate) measure: Measure,
    /// The parts of a table that the account is prepaid for; none, if it is for all rows.
    pub(crate) parts: Vec<Part>,
}

pub(crate) struct PrivateTable {
    pub(crate) domain: FrameDomain,
    /// The individuals whose rows it has, as declared in the ledger.
    pub(crate) rows_of: String,
    pub(crate) rows: Rows,
    /// True if a record may be read as no row, as its rows said when the table was added.
    pub(crate) leaves_out_rows: bool,
}

/// The name under which the unit is declared.
pub(crate) const UNIT: &str = "unit";

/// The name under which it is declared whose rows a table has.
pub(crate) fn table_key(table: &str) -> String {
    format!("{TABLE}{table}")
}

/// The beginning of these names.
const TABLE: &str = "table ";

/// The default probability that an interval fails.
const ALPHA: f64 = 0.05;
/// The most bytes of a table's statement in a ledger.
const MAX_STATEMENT: usize = 1000;
/// The most characters of what a curator says of releases.
const MAX_ABOUT: usize = 1000;
/// The most characters of the name of a table.
const MAX_NAME: usize = 200;

impl Session {
    /// A session that spends from an account, and protects a unit.
    ///
    /// # Errors
    ///
    /// A unit of nothing; an account that is unknown or in a measure of which losses of measurements are not known; a
    /// ledger in which another unit was declared; an account that is prepaid for a part of a table, by a unit that may
    /// be in several.
    pub fn new(ledger: Ledger, account: &str, unit: Unit) -> Fallible<Self> {
        unit.check()?;
        let measure = ledger.budget(account)?.total.measure();
        measure::check(measure)?;
        declaration::check(&ledger, account, UNIT, &unit.to_string())?;
        let parts = part::parts(&ledger, account)?;
        part::check(&parts, unit)?;
        Ok(Self::of(unit, Some(Payer { ledger, account: account.into(), measure, parts })))
    }

    /// A session that protects a unit and spends from no account. It prices questions, each in the measure that the
    /// question itself is in: an epsilon, an epsilon and a delta, or a rho. It releases nothing.
    ///
    /// Tables and questions are refused as in a session with a ledger. A question in Renyi divergences is refused, too:
    /// its loss depends on the order of an account.
    ///
    /// # Errors
    ///
    /// A unit of nothing.
    ///
    /// ```
    /// use indistinct::{frames::*, queries::Budget};
    /// use indistinct_sessions::{Session, Unit};
    /// let visits = FrameDomain::new([("age", ColumnDomain::integer())])?;
    /// let no_rows = Frame::new([("age", (0..0i64).collect())])?;
    /// let session = Session::without_ledger(Unit::Rows(1))?.with_table("visits", visits, no_rows)?;
    /// let count = session.query("visits")?.count().measurement(Budget::Rho(0.125))?;
    /// assert_eq!(session.price("visits", &count)?.loss().to_string(), "rho 0.125");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_ledger(unit: Unit) -> Fallible<Self> {
        unit.check()?;
        Ok(Self::of(unit, None))
    }

    fn of(unit: Unit, payer: Option<Payer>) -> Self {
        let (tables, public) = (BTreeMap::new(), BTreeMap::new());
        let (program, about, identity) = (Program::library(), About::default(), Arc::new(()));
        Self { payer, unit, tables, public, program, about, identity }
    }

    /// One more private table, of this domain, whose rows are read when a release needs them.
    ///
    /// If the unit is of individuals, an individual is one in all tables of the session: an identifier of one table
    /// means the same individual in another.
    ///
    /// # Errors
    ///
    /// A name that is taken, empty or longer than 200 characters; a domain without a column of individuals where the
    /// unit is of individuals, or with a number of rows where rows come and go or may be left out
    /// ([`Source::keeps_every_record`]); a table of that name that was declared in this ledger with another column;
    /// another table than that of the part for which the account is prepaid.
    pub fn with_table(
        mut self,
        name: &str,
        domain: FrameDomain,
        source: impl Source + Send + 'static,
    ) -> Fallible<Self> {
        self.add_table(name, domain, source)?;
        Ok(self)
    }

    /// [`with_table`](Self::with_table) for a session that is to stay what it was where the table is refused.
    ///
    /// # Errors
    ///
    /// As for [`with_table`](Self::with_table).
    pub fn add_table(&mut self, name: &str, domain: FrameDomain, source: impl Source + Send + 'static) -> Fallible<()> {
        self.add(name, domain, Rows::Source(Box::new(source)))
    }

    /// One more private table, whose rows are in files of any size: with the feature `files`.
    ///
    /// # Errors
    ///
    /// As for [`with_table`](Self::with_table).
    #[cfg(feature = "files")]
    pub fn with_files(mut self, name: &str, files: Files) -> Fallible<Self> {
        self.add_files(name, files)?;
        Ok(self)
    }

    /// [`with_files`](Self::with_files) for a session that is to stay what it was where the table is refused.
    ///
    /// # Errors
    ///
    /// As for [`with_table`](Self::with_table).
    #[cfg(feature = "files")]
    pub fn add_files(&mut self, name: &str, files: Files) -> Fallible<()> {
        self.add(name, files.domain().clone(), Rows::Files(Box::new(files)))
    }

    fn add(&mut self, name: &str, domain: FrameDomain, rows: Rows) -> Fallible<()> {
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            return Err(refuse("a table's name must have 1 to 200 characters, none of them a control character"));
        }
        if self.tables.contains_key(name) || self.public.contains_key(name) {
            return Err(refuse(format!("table {name:?} exists already")));
        }
        let leaves_out_rows = rows.leaves_out_rows();
        if domain.size().is_some() && !matches!(self.unit, Unit::ChangedRows(_)) {
            let rule = "its number of rows is private, because the unit is rows added or removed: leave the number out";
            return Err(refuse(format!("table {name:?}: {rule}")));
        }
        if domain.size().is_some() && leaves_out_rows {
            let rule = "its number of rows is private, because rows may be left out: state no number of rows, or keep \
                        every row (EveryRecord in Rust)";
            return Err(refuse(format!("table {name:?}: {rule}")));
        }
        part::check_table(self.parts(), name, &domain)?;
        let rows_of = match (self.unit.is_of_individuals(), domain.individuals()) {
            (true, Some(column)) => {
                // What is one identifier depends on how it is read: "07" and "7" are one number and two texts.
                let identifier = format!("rows of individuals by {column:?}, {:?}", domain.column(column)?);
                let or_rows =
                    if domain.has_individuals_or_null() { ", each row without one an individual" } else { "" };
                identifier + or_rows
            }
            (true, None) => {
                let rule = "must name the column of individuals";
                return Err(refuse(format!("table {name:?}: {rule}")));
            }
            (false, _) => "rows".into(),
        };
        if rows_of.len() > MAX_STATEMENT {
            let rule = "the type of its column of individuals is longer than 1000 bytes";
            return Err(refuse(format!("table {name:?}: {rule}")));
        }
        if let Some(Payer { ledger, account, .. }) = &self.payer {
            declaration::check(ledger, account, &table_key(name), &rows_of)?;
        }
        self.tables.insert(name.into(), PrivateTable { domain, rows_of, rows, leaves_out_rows });
        Ok(())
    }

    /// Adds a public table, whose values may appear in questions: [`PublicTable::lookup`], [`PublicTable::keys`], and
    /// joins in SQL. Its values become a part of the question's plan, which everybody may read.
    ///
    /// # Errors
    ///
    /// A name that is taken.
    pub fn with_public_table(mut self, name: &str, table: PublicTable) -> Fallible<Self> {
        self.add_public_table(name, table)?;
        Ok(self)
    }

    /// [`with_public_table`](Self::with_public_table) for a session that is to stay what it was where the table is
    /// refused.
    ///
    /// # Errors
    ///
    /// As for [`with_public_table`](Self::with_public_table).
    pub fn add_public_table(&mut self, name: &str, table: PublicTable) -> Fallible<()> {
        if self.tables.contains_key(name) || self.public.contains_key(name) {
            return Err(refuse(format!("table {name:?} exists already")));
        }
        self.public.insert(name.into(), table);
        Ok(())
    }

    /// The names of the private tables.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// A public table.
    pub fn public_table(&self, name: &str) -> Option<&PublicTable> {
        self.public.get(name)
    }

    /// Sets the program that certificates name.
    pub fn with_program(self, program: Program) -> Self {
        Self { program, ..self }
    }

    /// Sets the body that makes the releases, and their purpose, for certificates and pages.
    ///
    /// # Errors
    ///
    /// More than 1,000 characters in either.
    pub fn with_about(self, about: About) -> Fallible<Self> {
        if [&about.body, &about.purpose].iter().any(|text| text.chars().count() > MAX_ABOUT) {
            return Err(refuse("body and purpose must have at most 1000 characters each"));
        }
        Ok(Self { about, ..self })
    }

    /// A query of a table that protects the session's unit, to be asked of it.
    ///
    /// # Errors
    ///
    /// A table that is unknown.
    pub fn query(&self, table: &str) -> Fallible<Query> {
        let private = self.table(table)?;
        Ok(self.unit.query(&private.domain, private.leaves_out_rows))
    }

    /// The cost of a question about a table, and the accuracy of its answer. The cost is in the measure of the account
    /// if a conversion leads there; without a ledger, it is in the question's own measure. No data are opened and
    /// nothing is spent.
    ///
    /// A query costs the decimals that were asked for: `Budget::Epsilon(0.1)` is one tenth. A plan, and a query that is
    /// converted to another measure, cost the bound that the map gives, rounded up to 17 digits.
    ///
    /// # Errors
    ///
    /// A table that is unknown; a question about anything but some of the table's columns, each as the table declares
    /// it, and about the same individuals; a question that does not name a column which decides whether a row is left
    /// out; one in a metric that says nothing of the unit, or in a measure that is not converted to that of the
    /// account; one that may not be released beside others.
    ///
    /// A price that is more than what remains is a price, too: [`PricedQuery::is_affordable`].
    pub fn price<Q: Question>(&self, table: &str, question: &Q) -> Fallible<PricedQuery<Q>> {
        let private = self.table(table)?;
        let (asked, metric) = question.measurement().input_space();
        if let Some(difference) = private.difference(&asked, self.parts()) {
            return Err(refuse(format!("the question is not about a table like {table:?}: {difference}")));
        }
        let distance = self.unit.distance(metric, private.leaves_out_rows)?;
        let (question, bound) = match &self.payer {
            Some(payer) => measure::in_measure(question, payer.measure, distance)?,
            None => measure::as_asked(question, distance)?,
        };
        let (loss, is_asked) = cost(question.asked(distance), &bound)?;
        let explanation = question.measurement().explain(distance)?;
        let (unit, identity) = (self.unit, self.identity.clone());
        let budgets = self.budgets()?;
        let table = table.to_owned();
        let priced =
            PricedQuery { question, table, loss, bound, is_asked, alpha: ALPHA, unit, explanation, budgets, identity };
        priced.with_alpha(ALPHA)
    }

    /// The ledger's record of this name, if it pays for this question: noise was drawn for the question under this
    /// name, or a question of the same cost about the same table was charged and no noise drawn.
    ///
    /// # Errors
    ///
    /// A ledger that cannot be read; a session without one.
    pub fn paid<Q: Question>(&self, priced: &PricedQuery<Q>, name: &str) -> Fallible<Option<Recorded>> {
        let measurement = priced.question.measurement();
        let request = request(&measurement.hash()?, &priced.table, measurement.weakest_proof()?);
        let Payer { ledger, account, .. } = self.payer()?;
        let found = ledger.request(account, name)?;
        Ok(found.filter(|found| is_for(found, priced) && (found.draw.is_none() || found.plan == request)))
    }

    /// The tables that the ledger has counted releases of, in the order of their first releases. Their losses add up.
    ///
    /// # Errors
    ///
    /// A ledger that cannot be read; a session without one.
    pub fn counted_tables(&self) -> Fallible<Vec<String>> {
        let Payer { ledger, account, .. } = self.payer()?;
        declaration::names(ledger, account, TABLE)
    }

    /// The account and those above it that pay, too; without a ledger none.
    fn budgets(&self) -> Fallible<Vec<(String, Budget)>> {
        let mut budgets = Vec::new();
        let Some(Payer { ledger, account, .. }) = &self.payer else { return Ok(budgets) };
        let mut next = Some(account.clone());
        while let Some(name) = next {
            let budget = ledger.budget(&name)?;
            next = budget.parent.clone().filter(|_| budget.prepaid.is_none());
            budgets.push((name, budget));
        }
        Ok(budgets)
    }

    /// The budget of the session's account: total, spent and remaining. Less may remain in accounts above it.
    ///
    /// # Errors
    ///
    /// A ledger that cannot be read; a session without one.
    pub fn budget(&self) -> Fallible<Budget> {
        let Payer { ledger, account, .. } = self.payer()?;
        Ok(ledger.budget(account)?)
    }

    /// The weakest proof of all charges ever made in the ledger, by this session or another one; the strongest level if
    /// there are none. A release by a user-defined function marks the ledger for ever, and so does a charge that no
    /// session made.
    ///
    /// # Errors
    ///
    /// A ledger that cannot be read; a session without one.
    pub fn weakest_proof(&self) -> Fallible<ProofLevel> {
        let (mut weakest, ledger) = (ProofLevel::A, self.ledger()?);
        for account in ledger.accounts()? {
            for entry in ledger.history(&account)? {
                let is_free = entry.loss.is_some_and(|loss| loss == Loss::nothing(loss.measure()));
                let is_declaration = is_free && entry.key.is_some_and(|key| key.starts_with(DECLARATION));
                if let Some(request) = entry.plan.filter(|_| !is_declaration) {
                    weakest = weakest.min(request_level(&request));
                }
            }
        }
        Ok(weakest)
    }

    /// The name of its account.
    ///
    /// # Errors
    ///
    /// A session without a ledger.
    pub fn account(&self) -> Fallible<&str> {
        Ok(&self.payer()?.account)
    }

    /// Whom it protects.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The ledger.
    ///
    /// # Errors
    ///
    /// A session without one.
    pub fn ledger(&self) -> Fallible<&Ledger> {
        Ok(&self.payer()?.ledger)
    }

    pub(crate) fn payer(&self) -> Fallible<&Payer> {
        self.payer.as_ref().ok_or_else(no_ledger)
    }

    pub(crate) fn payer_mut(&mut self) -> Fallible<&mut Payer> {
        self.payer.as_mut().ok_or_else(no_ledger)
    }

    /// The parts that the account is prepaid for.
    pub(crate) fn parts(&self) -> &[Part] {
        self.payer.as_ref().map_or(&[], |payer| &payer.parts)
    }

    pub(crate) fn table(&self, name: &str) -> Fallible<&PrivateTable> {
        self.tables.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.tables.keys().map(String::as_str).collect();
            refuse(format!("there is no table {name:?}; the tables are: {}", names.join(", ")))
        })
    }
}

fn no_ledger() -> Error {
    refuse("the session has no ledger: it prices questions, and to release one takes a session with a ledger")
}

/// The text of a question in a ledger. Another plan or another table is another request; the proof level is there for
/// readers of the ledger.
pub(crate) fn request(plan: &str, table: &str, level: ProofLevel) -> String {
    format!("plan {plan} of table {table}, proof {level}")
}

/// Returns true if a charge is of the cost of a question and was made for one about the same table.
pub(crate) fn is_for<Q: Question>(found: &Recorded, priced: &PricedQuery<Q>) -> bool {
    found.loss == priced.loss && request_table(&found.plan) == Some(&priced.table)
}

/// The table that a request is about.
pub(crate) fn request_table(request: &str) -> Option<&str> {
    let (_, rest) = request.strip_prefix("plan ")?.split_once(" of table ")?;
    Some(rest.rsplit_once(", proof ")?.0)
}

/// The proof level in the text of a request; unproven if no session wrote it.
fn request_level(request: &str) -> ProofLevel {
    let level = request.strip_prefix("plan ").and_then(|rest| rest.rsplit_once(", proof "));
    level.and_then(|(_, level)| level.parse().ok()).unwrap_or(ProofLevel::Unproven)
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables: Vec<&String> = self.tables.keys().collect();
        let mut of = f.debug_struct("Session");
        let account = self.payer.as_ref().map(|payer| &payer.account);
        of.field("account", &account).field("unit", &self.unit).field("tables", &tables).finish_non_exhaustive()
    }
}
