//! A certificate, checked without data.

use crate::{
    certificate::{Certificate, steps},
    error::{Error, Fallible},
    hash::sha256,
    measure,
    unit::Unit,
};
use indistinct::plans::{FrameMeasurement, Functions};
use indistinct_ledger::{Kind, Ledger, Loss};

impl Certificate {
    /// Check what the certificate says of what was released: the text of
    /// [`Release::released`](crate::Release::released). The measurement is built again from its plan; its hash, its
    /// loss at the unit, each step's map and proof, and its accuracy are computed again; the loss is added to what was
    /// spent before; and the text is hashed.
    ///
    /// That the rows were of the table that is named, and that the program did as it says, no check without data can
    /// tell.
    ///
    /// # Errors
    ///
    /// [`Error::Certificate`], naming the first entry that is not so; [`Error::Measurement`] for a plan that is not
    /// built again.
    pub fn verify(&self, released: &str) -> Fallible<()> {
        self.verify_with(released, &Functions::new())
    }

    /// The same for a plan with functions of the program's own, found by their names: that they are those which were
    /// released with is the word of whoever gives them.
    ///
    /// # Errors
    ///
    /// As for [`verify`](Self::verify).
    pub fn verify_with(&self, released: &str, functions: &Functions) -> Fallible<()> {
        let measurement = FrameMeasurement::from_json_with(&self.plan, functions)?;
        check("plan", &self.plan, &measurement.to_json()?)?;
        check("plan_hash", &self.plan_hash, &measurement.hash()?)?;
        let (unit, loss): (Unit, Loss) = (self.unit.parse()?, self.loss.parse()?);
        let (_, metric) = measurement.input_space();
        let distance = unit.distance(metric)?;
        let (measurement, computed) = measure::in_measure(&measurement, loss.measure(), distance)?;
        check("plan", &self.plan, &measurement.to_json()?)?;
        check("loss", &self.loss, &computed.text())?;
        check("measure", &self.measure, &computed.measure().name())?;
        let explanation = measurement.explain(distance)?;
        check("steps", &self.steps, &steps(&explanation)?)?;
        check("weakest_proof", &self.weakest_proof, &explanation.weakest_proof().to_string())?;
        let (total, before): (Loss, Loss) = (self.budget.total.parse()?, self.budget.before.parse()?);
        let after = before.plus(&computed)?;
        check("budget.after", &self.budget.after, &after.text())?;
        if total.minus(&after)?.is_none() {
            return Err(Error::Certificate("budget.after is more than budget.total".into()));
        }
        check("released", &self.released, &sha256(released.as_bytes()))
    }

    /// Check that a ledger has the entries of the certificate: the charge of its loss under its key, and the draw.
    ///
    /// # Errors
    ///
    /// [`Error::Certificate`], naming the entry that is not so; [`Error::Ledger`] for an account that is unknown.
    pub fn verify_in(&self, ledger: &Ledger) -> Fallible<()> {
        let history = ledger.history(&self.account)?;
        let entry = |kind| history.iter().find(|entry| entry.kind == kind && entry.key.as_deref() == Some(&self.key));
        let missing = |name: &str| Error::Certificate(format!("{name}: the ledger has no such entry"));
        let charge = entry(Kind::Charge).ok_or_else(|| missing("ledger.charge"))?;
        check("ledger.charge", &self.ledger.charge, &charge.entry.to_string())?;
        let loss = charge.loss.as_ref().map(Loss::text).unwrap_or_default();
        check("loss", &self.loss, &loss)?;
        let draw = entry(Kind::Draw).ok_or_else(|| missing("ledger.draw"))?;
        check("ledger.draw", &self.ledger.draw, &draw.entry.to_string())
    }
}

fn check<T: PartialEq>(entry: &str, said: &T, computed: &T) -> Fallible<()> {
    if said == computed { Ok(()) } else { Err(Error::Certificate(format!("{entry} is not what was computed"))) }
}
