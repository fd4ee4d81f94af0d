//! The levels of proof: who or what has checked the argument for a step.

use super::{Error, Fallible, Plan};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{
    any::TypeId,
    fmt,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The degree to which an argument has been checked, from the weakest up. The pages are under `proofs` in the project's
/// repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
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

/// The proof of one step, in two parts: its map, and the code that runs.
///
/// A theorem about a map takes some code as given: that a sampler has its distribution, that a sum is exact, that an
/// enclosure contains the real value. Arguments for that code are on pages of their own, which may have a lower level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[non_exhaustive]
pub struct Proof {
    /// The level of the argument for the map.
    pub map: ProofLevel,
    /// The weakest level of the map and of all that the argument for the map takes as given.
    pub run: ProofLevel,
    /// The page under `proofs` that has this level, where it is lower than the map's.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rests: Option<&'static str>,
}

impl Proof {
    /// No argument that has been checked.
    pub(crate) const UNPROVEN: Self = Self { map: ProofLevel::Unproven, run: ProofLevel::Unproven, rests: None };
}

/// `B`, or `B, run C: sampling/noise.md`.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.map)?;
        match self.rests {
            Some(page) if self.run != self.map => write!(f, ", run {}: {page}", self.run),
            _ => Ok(()),
        }
    }
}

/// The levels on a constructor's page, and the higher ones under some measures or metrics of the output.
/// `#[constructor]` writes them from the table of all pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels {
    lowest: Proof,
    higher: &'static [(fn() -> TypeId, Proof)],
}

impl Levels {
    /// These levels; a type is given by `TypeId::of`.
    pub(crate) const fn new(lowest: Proof, higher: &'static [(fn() -> TypeId, Proof)]) -> Self {
        Self { lowest, higher }
    }

    /// The levels under a measure or metric of the output.
    pub(crate) fn under<S: 'static>(self) -> Proof {
        let is = |(space, _): &&(fn() -> TypeId, Proof)| space() == TypeId::of::<S>();
        self.higher.iter().find(is).map_or(self.lowest, |(_, higher)| *higher)
    }

    /// The levels of a step with this plan, under a measure or metric of the output: unproven, where a function or a
    /// domain of the caller's decides what is promised.
    pub(crate) fn of<S: 'static>(self, plan: &Plan) -> Proof {
        if plan.is_caller_trusted() { Proof::UNPROVEN } else { self.under::<S>() }
    }
}

/// The weakest level of all queries that a conversation has run on its data; its handles share it.
///
/// The level is public, because the analyst knows the queries.
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

/// A level by the name that it prints as.
impl FromStr for ProofLevel {
    type Err = Error;

    fn from_str(name: &str) -> Fallible<Self> {
        let found = ASCENDING.into_iter().find(|level| level.to_string() == name);
        found.ok_or_else(|| Error::parameter("level", "must be A, B, C or unproven"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_may_depend_on_the_measure_and_is_none_for_the_callers_own() {
        struct Under;
        const LOW: Proof = Proof { map: ProofLevel::C, run: ProofLevel::C, rests: None };
        const HIGH: Proof = Proof { map: ProofLevel::A, run: ProofLevel::B, rests: Some("sum.md") };
        let levels = Levels::new(LOW, &[(TypeId::of::<Under>, HIGH)]);
        assert_eq!((levels.under::<Under>(), levels.under::<()>()), (HIGH, LOW));
        let plan = Plan::new("make_composition");
        assert_eq!(levels.of::<Under>(&plan), HIGH);
        assert_eq!(levels.of::<Under>(&plan.caller_trusted("function")), Proof::UNPROVEN);
        let words = [HIGH, LOW, Proof::UNPROVEN].map(|proof| proof.to_string());
        assert_eq!(words, ["A, run B: sum.md", "C", "unproven"]);
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
        for level in ASCENDING {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert!("D".parse::<ProofLevel>().is_err());
    }
}
