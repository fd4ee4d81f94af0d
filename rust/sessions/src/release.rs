//! Releases: charged, drawn, stored, and only then shown.

use crate::{
    certificate::Certificate,
    declaration::{DECLARATION, declare},
    error::{Error, Fallible, refuse},
    known::Known,
    priced::PricedQuery,
    question::Question,
    request::Request,
    session::{Payer, Session, UNIT, is_for, table_key},
    stored::Stored,
};
#[cfg(feature = "testing")]
use indistinct::sampling::Entropy;
use indistinct::{
    core::{Fallible as Measured, Released},
    plans::FrameMeasurement,
};
use indistinct_ledger::Charge;
use std::sync::Arc;

/// The answer to a question, with its certificate.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Release<A> {
    /// The answer.
    pub answer: A,
    /// The release as text, whose hash is in the certificate. The answer is computed from it.
    pub released: String,
    /// The certificate, which anyone may see.
    pub certificate: Certificate,
    /// True if it was released before under the same name. It is then the same release, at no further cost.
    pub is_replay: bool,
}

impl Session {
    /// Releases the answer to a priced question, under a name that is chosen for this release. If it fails, or the
    /// program ends, price the question again and retry with the same name: an earlier release is returned again, a
    /// charge is not repeated, and a release that was interrupted after noise was drawn is lost. A charge without a
    /// draw does not belong to a question yet: any question about the same table with the same cost can be released
    /// under the same name, such as the question with a corrected type of a column.
    ///
    /// The charge is on the disk before the table is read. The draw is recorded on the disk before noise is drawn, and
    /// the release before it is returned. The headers and footers of files, which are public, are checked before the
    /// charge: nothing is charged if a column is absent, or has a Parquet type or codec that cannot be read.
    ///
    /// # Errors
    ///
    /// Returns an error if the question was priced by another session, or if the session has no ledger.
    /// Returns `Error::Ledger` if too little budget remains, if the name has a release of a different question or loss,
    /// if the release is lost, or if storage failed. Returns `Error::Charged` if the name was charged for a different
    /// loss, or for a question about a different table. Returns `Error::Source` or `Error::Measurement` if rows cannot
    /// be read or are outside the table's domain; the charge is kept, and the name can be retried.
    ///
    /// An error after the charge reveals only that some rows cannot be read, or are outside the table's domain. It does
    /// not depend on the question, so retrying with questions about other columns reveals nothing more: rows of a
    /// [`Source`](crate::Source) are checked in all columns that the table declares, and each cell of a file becomes a
    /// value or missing. The exception is a Parquet file with damaged pages, because only the question's columns are
    /// read.
    pub fn release<Q: Question>(&mut self, priced: PricedQuery<Q>, name: &str) -> Fallible<Release<Q::Answer>> {
        self.release_by(priced, name, Known::release)
    }

    /// Releases with randomness from `entropy`, for tests and audits, with the feature `testing`.
    #[cfg(feature = "testing")]
    pub fn release_with<Q: Question>(
        &mut self,
        priced: PricedQuery<Q>,
        name: &str,
        entropy: &mut dyn Entropy,
    ) -> Fallible<Release<Q::Answer>> {
        self.release_by(priced, name, |known, measurement| known.release_with(measurement, entropy))
    }

    fn release_by<Q: Question>(
        &mut self,
        priced: PricedQuery<Q>,
        name: &str,
        draw: impl FnOnce(Known, &FrameMeasurement) -> Measured<Released>,
    ) -> Fallible<Release<Q::Answer>> {
        if !Arc::ptr_eq(&priced.identity, &self.identity) {
            return Err(refuse("the question was priced by another session"));
        }
        let PricedQuery { question, table, loss, .. } = &priced;
        let (plan, level) = (question.measurement().hash()?, question.measurement().weakest_proof()?);
        let request = Request { plan: &plan, table, level }.to_string();
        if name.starts_with(DECLARATION) {
            return Err(refuse(format!("a name must not begin with {DECLARATION:?}")));
        }
        let draft = Certificate::draft(self, &priced, name)?;
        let (private, payer) = (self.table(table)?, self.payer()?);
        let found = payer.ledger.request(&payer.account, name)?;
        if found.is_none() {
            private.check_headers(table, &question.measurement().input_space().0)?;
        }
        // Nothing was shown of a release that was charged and not drawn, so its name is free for another question with
        // the same cost.
        let charged_for = match found.filter(|found| found.draw.is_none()) {
            Some(found) if is_for(&found, &priced) => found.plan,
            Some(found) => match Request::read(&found.plan) {
                Some(Request { table, .. }) => {
                    let (name, asked) = (name.into(), format!("{loss}, about table {:?}", priced.table));
                    return Err(Error::Charged { name, table: table.into(), charged: found.loss, asked });
                }
                None => request.clone(),
            },
            None => request.clone(),
        };
        let Payer { ledger, account, .. } = self.payer_mut()?;
        let charge = ledger.charge(account, name, &charged_for, loss)?;
        if let Charge::Released(bytes) = charge
            && charged_for == request
        {
            return replay(&priced, &bytes);
        }
        let private = self.table(table)?;
        let known =
            private.known(table, self.parts(), question.measurement()).map_err(|error| after_charge(error, name))?;
        let (draft, rows_of, unit) = (draft.by(known.engine()), private.rows_of.clone(), self.unit.to_string());
        let Payer { ledger, account, .. } = self.payer_mut()?;
        // Declare before the draw how this release is counted: until then, another unit or column of individuals may be
        // declared.
        declare(ledger, account, UNIT, &unit)?;
        declare(ledger, account, &table_key(table), &rows_of)?;
        let charged = match ledger.charge(account, name, &charged_for, loss)? {
            Charge::Charged(charged) => charged,
            // Another process did this meanwhile.
            Charge::Released(bytes) if charged_for == request => return replay(&priced, &bytes),
            Charge::Released(_) => {
                let _ = ledger.charge(account, name, &request, loss)?;
                return Err(refuse("the name was used by another process"));
            }
        };
        let (charge, before, after) = (charged.entry(), charged.before().clone(), charged.after().clone());
        let drawn = charged.draw_for(&request)?;
        let paid = draft.paid((&before, &after), (charge, drawn.entry()));
        let stored = Stored::new(draw(known, question.measurement())?, paid);
        drawn.release(stored.text()?.as_bytes())?;
        answered(&priced, stored, false)
    }
}

/// Returns an earlier release.
fn replay<Q: Question>(priced: &PricedQuery<Q>, bytes: &[u8]) -> Fallible<Release<Q::Answer>> {
    answered(priced, Stored::read(bytes)?, true)
}

fn answered<Q: Question>(priced: &PricedQuery<Q>, stored: Stored, is_replay: bool) -> Fallible<Release<Q::Answer>> {
    let answer = priced.question.answer(&stored.released, priced.alpha)?;
    let released = stored.released.to_json();
    Ok(Release { answer, released, certificate: stored.certificate, is_replay })
}

/// Adds the name that was charged to the error of a source.
fn after_charge(error: Error, name: &str) -> Error {
    match error {
        Error::Source { table, source, .. } => Error::Source { table, source, charged_as: Some(name.into()) },
        other => other,
    }
}
