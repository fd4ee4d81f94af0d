//! Several releases with common commits.

use crate::{
    chain::Head,
    error::{Error, Fallible},
    ledger::Ledger,
    requests::{Found, Name, Receipt, Request},
};
use std::collections::BTreeSet;

/// The state in which a charge finds one of several requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part<'c> {
    /// Charged, now or before a crash, with the numbers in its entry.
    Charged(&'c Receipt),
    /// Released before: returns the same bytes at no cost.
    Released(&'c [u8]),
}

/// Several requests, each charged or already released, in the order of the requests.
#[derive(Debug)]
#[must_use]
pub struct ChargedAll<'a> {
    ledger: &'a mut Ledger,
    parts: Vec<(Name, Found)>,
}

/// Several charges whose noise may be drawn once each. If they are dropped, their releases are lost.
#[derive(Debug)]
#[must_use]
pub struct DrawnAll<'a> {
    ledger: &'a mut Ledger,
    drawn: Vec<(Name, Head)>,
}

impl Ledger {
    /// Charges several requests in one commit, all or none of them, with the same result as [`Ledger::charge`] for one
    /// after the other.
    ///
    /// ```
    /// use indistinct_ledger::{Ledger, Loss, Part, Request};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("survey.ledger");
    /// let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
    /// let loss = Loss::epsilon(0.25)?;
    /// let request = |key| Request { account: "survey", key, plan: "hash of the plan", loss: &loss };
    /// let charged = ledger.charge_all(&[request("visits"), request("days")])?;
    /// assert!(charged.parts().all(|part| matches!(part, Part::Charged(_))));
    /// let drawn = charged.draw()?;
    /// // … draw the noise of both …
    /// drawn.release(&[b"about 36", b"about 7"])?;
    /// assert_eq!(ledger.budget("survey")?.remaining, Loss::epsilon(0.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Ledger::charge`] for any of them, in which case none is charged, and an error if two
    /// requests have the same account and key.
    pub fn charge_all(&mut self, requests: &[Request<'_>]) -> Fallible<ChargedAll<'_>> {
        let mut names = BTreeSet::new();
        if !requests.iter().all(|request| names.insert((request.account, request.key))) {
            return Err(Error::parameter("requests", "must differ in their name or account"));
        }
        let parts = self.commit(|tables| {
            requests.iter().map(|request| Ok((request.name(), request.charge(tables)?))).collect::<Fallible<_>>()
        })?;
        Ok(ChargedAll { ledger: self, parts })
    }
}

impl<'a> ChargedAll<'a> {
    /// Returns the state of each request, in the order of the requests.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts.iter().map(|(_, found)| match found {
            Found::Charged(receipt) => Part::Charged(receipt),
            Found::Released(bytes) => Part::Released(bytes),
        })
    }

    /// Records in one commit that the noise of all charged requests is about to be drawn, as
    /// [`Charged::draw`](crate::Charged::draw) does for one: all of them or none.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Lost`] if another process continued with one of them. None is recorded, and the others can be
    /// resumed with their keys.
    pub fn draw(self) -> Fallible<DrawnAll<'a>> {
        let Self { ledger, parts } = self;
        let is_charged = |found: &Found| matches!(found, Found::Charged(_));
        let names: Vec<Name> = parts.into_iter().filter(|(_, found)| is_charged(found)).map(|(name, _)| name).collect();
        let drawn = ledger.commit(|tables| {
            names.iter().map(|name| Ok((name.clone(), name.draw(tables, None)?))).collect::<Fallible<_>>()
        })?;
        Ok(DrawnAll { ledger, drawn })
    }
}

impl DrawnAll<'_> {
    /// Returns the entries of the draws, in the order of the charged requests.
    pub fn entries(&self) -> impl Iterator<Item = Head> {
        self.drawn.iter().map(|(_, entry)| *entry)
    }

    /// Stores the releases in one commit, one for each entry of [`DrawnAll::entries`], in their order. They may be
    /// shown to anyone only after this returns.
    ///
    /// # Errors
    ///
    /// Returns an error, and all releases are lost, if their number differs from that of the draws; and [`Error::Lost`]
    /// if one was stored already. After a storage error, do not show any of them, because they may or may not be
    /// stored; charge the same keys again to find out.
    pub fn release(self, releases: &[&[u8]]) -> Fallible<()> {
        let Self { ledger, drawn } = self;
        if drawn.len() != releases.len() {
            return Err(Error::parameter("releases", format!("must be {}, one for each draw", drawn.len())));
        }
        ledger.commit(|tables| {
            for ((name, entry), bytes) in drawn.iter().zip(releases) {
                name.release(tables, *entry, bytes)?;
            }
            Ok(())
        })
    }
}
