//! How much of the argument for a step has been checked, and by whom.

use super::Plan;
#[cfg(feature = "serde")]
use serde::Serialize;
use std::{
    any::TypeId,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What stands behind the map of a constructor, from the weakest up. The pages are under `proofs` in the project's
/// repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[non_exhaustive]
pub enum ProofLevel {
    /// Nothing that has been checked: a function of the data, or a domain, of the caller's own.
    #[cfg_attr(feature = "serde", serde(rename = "unproven"))]
    Unproven,
    /// An argument in prose, reviewed by someone other than its author, and bound to the code by a hash.
    C,
    /// A theorem that a machine has checked, bound to the code by a hash and a written correspondence.
    B,
    /// A theorem that a machine has checked, bound to the code by a model or certificates that run against it.
    A,
}

/// What the page of a constructor says: its level, and the higher ones under some measures or metrics of the output.
/// `#[constructor]` writes it from the table of all pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels {
    lowest: ProofLevel,
    higher: &'static [(fn() -> TypeId, ProofLevel)],
}

impl Levels {
    /// These levels; a type is given by `TypeId::of`.
    pub(crate) const fn new(lowest: ProofLevel, higher: &'static [(fn() -> TypeId, ProofLevel)]) -> Self {
        Self { lowest, higher }
    }

    /// The level under a measure or metric of the output.
    pub(crate) fn under<S: 'static>(self) -> ProofLevel {
        let is = |(space, _): &&(fn() -> TypeId, ProofLevel)| space() == TypeId::of::<S>();
        self.higher.iter().find(is).map_or(self.lowest, |(_, higher)| *higher)
    }

    /// The level of a step with this plan, under a measure or metric of the output: unproven, where a function or a
    /// domain of the caller's decides what is promised.
    pub(crate) fn of<S: 'static>(self, plan: &Plan) -> ProofLevel {
        if plan.is_caller_trusted() { ProofLevel::Unproven } else { self.under::<S>() }
    }
}

/// The weakest level of all queries that a conversation has run on its data; its handles share it.
///
/// It is no secret: the analyst knows the queries.
#[derive(Debug, Clone)]
pub(crate) struct Answered(Arc<AtomicUsize>);

/// All levels, in their order.
const ASCENDING: [ProofLevel; 4] = [ProofLevel::Unproven, ProofLevel::C, ProofLevel::B, ProofLevel::A];

impl Answered {
    /// No query yet.
    pub(crate) fn nothing() -> Self {
        Self(Arc::new(AtomicUsize::new(ASCENDING.len())))
    }

    /// Remember a query of this level, before it is run.
    pub(crate) fn note(&self, level: ProofLevel) {
        let place = ASCENDING.iter().position(|other| *other == level).unwrap_or(0);
        self.0.fetch_min(place, Ordering::Relaxed);
    }

    /// The weakest level so far; for no queries, the strongest.
    pub(crate) fn weakest(&self) -> ProofLevel {
        ASCENDING.get(self.0.load(Ordering::Relaxed)).copied().unwrap_or(ProofLevel::A)
    }
}

impl fmt::Display for ProofLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unproven => "unproven",
            Self::C => "C",
            Self::B => "B",
            Self::A => "A",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_may_depend_on_the_measure_and_is_none_for_the_callers_own() {
        struct Under;
        let levels = Levels::new(ProofLevel::C, &[(TypeId::of::<Under>, ProofLevel::A)]);
        assert_eq!((levels.under::<Under>(), levels.under::<()>()), (ProofLevel::A, ProofLevel::C));
        let plan = Plan::new("make_composition");
        assert_eq!(levels.of::<Under>(&plan), ProofLevel::A);
        assert_eq!(levels.of::<Under>(&plan.caller_trusted("function")), ProofLevel::Unproven);
    }

    #[test]
    fn the_weakest_answer_is_remembered() {
        let answered = Answered::nothing();
        assert_eq!(answered.weakest(), ProofLevel::A);
        let handle = answered.clone();
        for (level, weakest) in [
            (ProofLevel::A, ProofLevel::A),
            (ProofLevel::B, ProofLevel::B),
            (ProofLevel::A, ProofLevel::B),
            (ProofLevel::C, ProofLevel::C),
            (ProofLevel::Unproven, ProofLevel::Unproven),
            (ProofLevel::C, ProofLevel::Unproven),
        ] {
            handle.note(level);
            assert_eq!(answered.weakest(), weakest);
        }
        assert!(ASCENDING.is_sorted() && ASCENDING.contains(&ProofLevel::A));
    }
}
