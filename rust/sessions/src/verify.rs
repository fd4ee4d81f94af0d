//! The check of a certificate without data.

use crate::{
    certificate::{Certificate, steps},
    cost::covers,
    declaration::declared,
    error::{Error, Fallible},
    hash::sha256,
    measure, part,
    request::Request,
    session::UNIT,
    stored::Stored,
    unit::Unit,
};
use indistinct::plans::{FrameMeasurement, Functions};
use indistinct_ledger::{Ledger, Loss};

impl Certificate {
    /// Checks a certificate against a release, the text of [`Release::released`](crate::Release::released). It rebuilds
    /// the measurement from its plan. It recomputes the plan's hash, its loss at the unit, which must not exceed the
    /// certificate's, and each step's map and proof. It also checks that the certificate's loss and the spending before
    /// add up to the spending after, and that the release has the stated hash.
    ///
    /// It does not check names, the rows of the table that count, accuracy, program, engine, or the list of what is not
    /// protected. No check without data can show that the rows were those of the named table, or that the program ran
    /// as stated.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Certificate`] with the first entry that is false, and [`Error::Measurement`] for a plan that
    /// cannot be rebuilt.
    pub fn verify(&self, released: &str) -> Fallible<()> {
        self.verify_with(released, &Functions::new())
    }

    /// Like [`verify`](Self::verify), for a plan with user-defined functions, which are looked up by name. The
    /// caller vouches that they are the functions of the release.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`verify`](Self::verify).
    pub fn verify_with(&self, released: &str, functions: &Functions) -> Fallible<()> {
        self.verify_plan_with(functions)?;
        check("released", &self.released, &sha256(released.as_bytes()))
    }

    /// Like [`verify`](Self::verify) without the release: checks everything that follows from the plan, and nothing
    /// about the released numbers.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`verify`](Self::verify).
    pub fn verify_plan(&self) -> Fallible<()> {
        self.verify_plan_with(&Functions::new())
    }

    fn verify_plan_with(&self, functions: &Functions) -> Fallible<()> {
        let measurement = FrameMeasurement::from_json_with(&self.plan, functions)?;
        check("plan", &self.plan, &measurement.to_json()?)?;
        check("plan_hash", &self.plan_hash, &measurement.hash()?)?;
        let (unit, loss): (Unit, Loss) = (self.unit.parse()?, self.loss.parse()?);
        let (_, metric) = measurement.input_space();
        // A certificate does not state whether rows were dropped; the session that priced the release checked that.
        let distance = unit.distance(metric, false)?;
        let (measurement, computed) = measure::in_measure(&measurement, loss.measure(), distance)?;
        check("plan", &self.plan, &measurement.to_json()?)?;
        if !covers(&loss, &computed) {
            return Err(Error::Certificate("loss is less than the computed loss".into()));
        }
        check("measure", &self.measure, &computed.measure().name())?;
        let explanation = measurement.explain(distance)?;
        check("steps", &self.steps, &steps(&explanation)?)?;
        check("weakest_proof", &self.weakest_proof, &explanation.weakest_proof())?;
        check("weakest_map", &self.weakest_map, &explanation.weakest_map())?;
        let (total, before): (Loss, Loss) = (self.budget.total.parse()?, self.budget.before.parse()?);
        let after = before.plus(&loss)?;
        check("budget.after", &self.budget.after, &after.text())?;
        if total.minus(&after)?.is_none() {
            return Err(Error::Certificate("budget.after is more than budget.total".into()));
        }
        Ok(())
    }

    /// Checks that a ledger has recorded this release: under its name the plan, the table, its rows, the loss, the
    /// spending before and after, the entries, and this certificate with its release; and the unit.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Certificate`] with the entry that is false, and [`Error::Ledger`] for an unknown account.
    pub fn verify_in(&self, ledger: &Ledger) -> Fallible<()> {
        let missing = |name: &str| Error::Certificate(format!("{name}: the ledger has no such entry"));
        let found = ledger.request(&self.account, &self.name)?.ok_or_else(|| missing("ledger.charge"))?;
        let plan = Request { plan: &self.plan_hash, table: &self.table, level: self.weakest_proof }.to_string();
        check("plan_hash, table or weakest_proof", &plan, &found.plan)?;
        check("rows", &self.rows, &part::words(&part::parts(ledger, &self.account)?))?;
        check("loss", &self.loss, &found.loss.text())?;
        check("ledger.charge", &self.ledger.charge, &found.charge.entry.to_string())?;
        check("budget.before", &self.budget.before, &found.charge.before.text())?;
        check("budget.after", &self.budget.after, &found.charge.after.text())?;
        check("budget.total", &self.budget.total, &ledger.budget(&self.account)?.total.text())?;
        let draw = found.draw.ok_or_else(|| missing("ledger.draw"))?;
        check("ledger.draw", &self.ledger.draw, &draw.to_string())?;
        let unit = declared(ledger, &self.account, UNIT)?.ok_or_else(|| missing("unit"))?;
        check("unit", &self.unit, &unit)?;
        let stored = Stored::read(&found.released.ok_or_else(|| missing("released"))?)?;
        check("released", &self.released, &sha256(stored.released.to_json().as_bytes()))?;
        check("the certificate", &self.to_json()?, &stored.certificate.to_json()?)
    }
}

fn check<T: PartialEq>(entry: &str, said: &T, computed: &T) -> Fallible<()> {
    if said == computed { Ok(()) } else { Err(Error::Certificate(format!("{entry} differs from the computed value"))) }
}
