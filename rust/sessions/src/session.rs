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
    request::Request,
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

/// Private tables, and an account of a ledger to which all questions about them are charged.
///
/// A session [without a ledger](Session::without_ledger) prices the same questions, but cannot release them.
///
/// Several sessions, in several processes, may use one ledger, and share its budget. The first release declares in the
/// ledger, permanently, the unit and the column that identifies the table's individuals, because its budget counts
/// losses of that unit.
///
/// The curator declares the tables' domains, which are public. Nobody else may choose the domains, because a failed
/// release reveals that some row is outside its domain. A session may be moved to another thread.
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
    /// The parts of a table for which the account is prepaid; empty if it is for all rows.
    pub(crate) parts: Vec<Part>,
}

pub(crate) struct PrivateTable {
    pub(crate) domain: FrameDomain,
    /// The individuals whose rows it has, as declared in the ledger.
    pub(crate) rows_of: String,
    pub(crate) rows: Rows,
    /// True if a record may be dropped, as the source stated when the table was added.
    pub(crate) leaves_out_rows: bool,
}

/// The name of the declaration of the unit.
pub(crate) const UNIT: &str = "unit";

/// Returns the name of the declaration of a table's individuals.
pub(crate) fn table_key(table: &str) -> String {
    format!("{TABLE}{table}")
}

/// The beginning of these names.
const TABLE: &str = "table ";

/// The default probability that an interval fails.
const ALPHA: f64 = 0.05;
/// The maximum number of bytes of a table's statement in a ledger.
const MAX_STATEMENT: usize = 1000;
/// The maximum number of characters of each of a curator's statements about releases.
const MAX_ABOUT: usize = 1000;
/// The maximum number of characters of a table's name.
const MAX_NAME: usize = 200;

impl Session {
    /// Makes a session that spends from an account and protects a unit.
    ///
    /// # Errors
    ///
    /// Returns an error if the unit is 0, if the account is unknown or has a measure that sessions do not support, if
    /// the ledger declares a different unit, or if the account is prepaid for a part of a table and the unit may be in
    /// several parts.
    pub fn new(ledger: Ledger, account: &str, unit: Unit) -> Fallible<Self> {
        unit.check()?;
        let measure = ledger.budget(account)?.total.measure();
        measure::check(measure)?;
        declaration::check(&ledger, account, UNIT, &unit.to_string())?;
        let parts = part::parts(&ledger, account)?;
        part::check(&parts, unit)?;
        Ok(Self::of(unit, Some(Payer { ledger, account: account.into(), measure, parts })))
    }

    /// Makes a session that protects a unit and has no account. It prices questions, each in its own measure:
    /// an epsilon, an epsilon and a delta, or a rho. It releases nothing.
    ///
    /// It refuses the same tables and questions as a session with a ledger. It also refuses a question in Renyi
    /// divergences, whose loss depends on the order of an account.
    ///
    /// # Errors
    ///
    /// Returns an error if the unit is 0.
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

    /// Adds a private table of this domain, whose rows are read when a release needs them.
    ///
    /// If the unit is an individual, identifiers refer to the same individuals in all tables of the session.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is taken, empty or longer than 200 characters; if the unit is an individual and the
    /// domain has no column of individuals; if the domain has a number of rows and rows are added or removed, or may be
    /// dropped ([`Source::keeps_every_record`]); if the ledger declares a different column for a table of that name; or
    /// if the account is prepaid for a part of a different table.
    pub fn with_table(
        mut self,
        name: &str,
        domain: FrameDomain,
        source: impl Source + Send + 'static,
    ) -> Fallible<Self> {
        self.add_table(name, domain, source)?;
        Ok(self)
    }

    /// Like [`with_table`](Self::with_table), but keeps the session if the table is refused.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`with_table`](Self::with_table).
    pub fn add_table(&mut self, name: &str, domain: FrameDomain, source: impl Source + Send + 'static) -> Fallible<()> {
        self.add(name, domain, Rows::Source(Box::new(source)))
    }

    /// Adds a private table, whose rows are in files of any size. It requires the feature `files`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`with_table`](Self::with_table).
    #[cfg(feature = "files")]
    pub fn with_files(mut self, name: &str, files: Files) -> Fallible<Self> {
        self.add_files(name, files)?;
        Ok(self)
    }

    /// Like [`with_files`](Self::with_files), but keeps the session if the table is refused.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`with_table`](Self::with_table).
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
            let rule = "its number of rows is private, because rows may be added or removed: do not declare it";
            return Err(refuse(format!("table {name:?}: {rule}")));
        }
        if domain.size().is_some() && leaves_out_rows {
            let rule = "its number of rows is private, because rows may be left out: do not declare it, or keep \
                        every row (EveryRecord in Rust)";
            return Err(refuse(format!("table {name:?}: {rule}")));
        }
        part::check_table(self.parts(), name, &domain)?;
        let rows_of = match (self.unit.is_of_individuals(), domain.individuals()) {
            (true, Some(column)) => {
                // The type of a column determines which identifiers are equal: "07" and "7" are one number and two
                // texts.
                let identifier = format!("rows of individuals identified by {column:?}, {:?}", domain.column(column)?);
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
    /// joins in SQL. Its values become part of the question's plan, which anyone may read.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is taken.
    pub fn with_public_table(mut self, name: &str, table: PublicTable) -> Fallible<Self> {
        self.add_public_table(name, table)?;
        Ok(self)
    }

    /// Like [`with_public_table`](Self::with_public_table), but keeps the session if the table is refused.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`with_public_table`](Self::with_public_table).
    pub fn add_public_table(&mut self, name: &str, table: PublicTable) -> Fallible<()> {
        if self.tables.contains_key(name) || self.public.contains_key(name) {
            return Err(refuse(format!("table {name:?} exists already")));
        }
        self.public.insert(name.into(), table);
        Ok(())
    }

    /// Returns the names of the private tables.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Returns a public table.
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
    /// Returns an error if either text has more than 1,000 characters.
    pub fn with_about(self, about: About) -> Fallible<Self> {
        if [&about.body, &about.purpose].iter().any(|text| text.chars().count() > MAX_ABOUT) {
            return Err(refuse("body and purpose must have at most 1000 characters each"));
        }
        Ok(Self { about, ..self })
    }

    /// Makes a query of a table that protects the session's unit, to be priced by this session.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is unknown.
    pub fn query(&self, table: &str) -> Fallible<Query> {
        let private = self.table(table)?;
        Ok(self.unit.query(&private.domain, private.leaves_out_rows))
    }

    /// Returns the cost of a question about a table, and the accuracy of its answer. The cost is in the measure of the
    /// account, if the question converts to it. Without a ledger, it is in the question's own measure. This reads no
    /// data and spends nothing.
    ///
    /// A query costs the requested decimals: `Budget::Epsilon(0.1)` is one tenth. A plan, and a query that is converted
    /// to another measure, cost the bound from the map, rounded up to 17 digits.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is unknown; if the question's columns are not columns of the table, with the same
    /// declarations and the same individuals; if it omits a column that decides whether a row is dropped; if its metric
    /// gives no guarantee for the unit; if its measure does not convert to the measure of the account; or if it may not
    /// be released together with other measurements.
    ///
    /// A price above the remaining budget is not an error: see [`PricedQuery::is_affordable`].
    pub fn price<Q: Question>(&self, table: &str, question: &Q) -> Fallible<PricedQuery<Q>> {
        let private = self.table(table)?;
        let (asked, metric) = question.measurement().input_space();
        if let Some(difference) = private.difference(&asked, self.parts()) {
            return Err(refuse(format!("the question does not fit the table {table:?}: {difference}")));
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

    /// Returns the ledger's record of this name if it pays for this question: noise was drawn for the question under
    /// this name, or a question with the same cost about the same table was charged and no noise was drawn.
    ///
    /// # Errors
    ///
    /// Returns an error if the ledger cannot be read, or if the session has none.
    pub fn paid<Q: Question>(&self, priced: &PricedQuery<Q>, name: &str) -> Fallible<Option<Recorded>> {
        let measurement = priced.question.measurement();
        let (plan, level) = (measurement.hash()?, measurement.weakest_proof()?);
        let request = Request { plan: &plan, table: &priced.table, level }.to_string();
        let Payer { ledger, account, .. } = self.payer()?;
        let found = ledger.request(account, name)?;
        Ok(found.filter(|found| is_for(found, priced) && (found.draw.is_none() || found.plan == request)))
    }

    /// Returns the tables whose releases the ledger has counted, in the order of their first releases. Their losses add
    /// up.
    ///
    /// # Errors
    ///
    /// Returns an error if the ledger cannot be read, or if the session has none.
    pub fn counted_tables(&self) -> Fallible<Vec<String>> {
        let Payer { ledger, account, .. } = self.payer()?;
        declaration::names(ledger, account, TABLE)
    }

    /// Returns the account and those above it that pay; empty without a ledger.
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

    /// Returns the budget of the session's account: total, spent and remaining. Less may remain in accounts above it.
    ///
    /// # Errors
    ///
    /// Returns an error if the ledger cannot be read, or if the session has none.
    pub fn budget(&self) -> Fallible<Budget> {
        let Payer { ledger, account, .. } = self.payer()?;
        Ok(ledger.budget(account)?)
    }

    /// Returns the weakest proof of all charges ever made in the ledger, by any session; the strongest level if there
    /// are none. A release with a user-defined function lowers it permanently, and so does a charge that no session
    /// made.
    ///
    /// # Errors
    ///
    /// Returns an error if the ledger cannot be read, or if the session has none.
    pub fn weakest_proof(&self) -> Fallible<ProofLevel> {
        let (mut weakest, ledger) = (ProofLevel::A, self.ledger()?);
        for account in ledger.accounts()? {
            for entry in ledger.history(&account)? {
                let is_free = entry.loss.is_some_and(|loss| loss == Loss::nothing(loss.measure()));
                let is_declaration = is_free && entry.key.is_some_and(|key| key.starts_with(DECLARATION));
                if let Some(request) = entry.plan.filter(|_| !is_declaration) {
                    // A charge that no session made has no proof.
                    weakest = weakest.min(Request::read(&request).map_or(ProofLevel::Unproven, |it| it.level));
                }
            }
        }
        Ok(weakest)
    }

    /// Returns the name of its account.
    ///
    /// # Errors
    ///
    /// Returns an error for a session without a ledger.
    pub fn account(&self) -> Fallible<&str> {
        Ok(&self.payer()?.account)
    }

    /// Returns the privacy unit.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the ledger.
    ///
    /// # Errors
    ///
    /// Returns an error for a session without a ledger.
    pub fn ledger(&self) -> Fallible<&Ledger> {
        Ok(&self.payer()?.ledger)
    }

    pub(crate) fn payer(&self) -> Fallible<&Payer> {
        self.payer.as_ref().ok_or_else(no_ledger)
    }

    pub(crate) fn payer_mut(&mut self) -> Fallible<&mut Payer> {
        self.payer.as_mut().ok_or_else(no_ledger)
    }

    /// Returns the parts for which the account is prepaid.
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
    refuse("the session has no ledger, so it can only price questions: use a session with a ledger to release one")
}

/// Returns true if a charge has the cost of a question and was made for a question about the same table.
pub(crate) fn is_for<Q: Question>(found: &Recorded, priced: &PricedQuery<Q>) -> bool {
    found.loss == priced.loss && Request::read(&found.plan).is_some_and(|request| request.table == priced.table)
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables: Vec<&String> = self.tables.keys().collect();
        let mut of = f.debug_struct("Session");
        let account = self.payer.as_ref().map(|payer| &payer.account);
        of.field("account", &account).field("unit", &self.unit).field("tables", &tables).finish_non_exhaustive()
    }
}
