//! The levels of proof: how the argument for a step was checked.

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

/// The level to which an argument has been checked, in ascending order. The pages are under `proofs` in the project's
/// repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum ProofLevel {
    /// The step has no proof: it is a user-defined function of the data, or a user-defined domain.
    #[cfg_attr(feature = "serde", serde(rename = "unproven"))]
    Unproven,
    /// An argument in prose, reviewed by someone other than its author, and bound to the code by a hash.
    C,
    /// A theorem that a machine has checked, bound to the code by a hash and a written correspondence.
    B,
    /// A theorem that a machine has checked, bound to the code by a model or certificates that run against it.
    A,
}

/// The proof levels of one step: of its map, and of the code that runs.
///
/// A theorem about a map makes assumptions about code: that a sampler has its distribution, that a sum is exact, that
/// an enclosure contains the real value. These assumptions have separate pages, which may have a lower level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[non_exhaustive]
pub struct Proof {
    /// The level of the argument for the map.
    pub map: ProofLevel,
    /// The weakest level of the map's argument and of all assumptions that it makes.
    pub run: ProofLevel,
    /// The page under `proofs` with this level, if it is lower than the map's.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rests: Option<&'static str>,
}

impl Proof {
    /// No checked argument.
    pub(crate) const UNPROVEN: Self = Self { map: ProofLevel::Unproven, run: ProofLevel::Unproven, rests: None };
}

/// Prints as `B`, or as `B, run C: sampling/noise.md`.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.map)?;
        match self.rests {
            Some(page) if self.run != self.map => write!(f, ", run {}: {page}", self.run),
            _ => Ok(()),
        }
    }
}

/// The levels on a constructor's page, and higher levels under some measures or metrics of the output. `#[constructor]`
/// fills them in from the table of all pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels {
    lowest: Proof,
    higher: &'static [(fn() -> TypeId, Proof)],
}

impl Levels {
    /// Makes these levels. A type is given by `TypeId::of`.
    pub(crate) const fn new(lowest: Proof, higher: &'static [(fn() -> TypeId, Proof)]) -> Self {
        Self { lowest, higher }
    }

    /// Returns the levels under a measure or metric of the output.
    pub(crate) fn under<S: 'static>(self) -> Proof {
        let is = |(space, _): &&(fn() -> TypeId, Proof)| space() == TypeId::of::<S>();
        self.higher.iter().find(is).map_or(self.lowest, |(_, higher)| *higher)
    }

    /// Returns the levels of a step with this plan, under a measure or metric of the output. They are `Unproven` if the
    /// guarantee depends on a user-defined function or domain.
    pub(crate) fn of<S: 'static>(self, plan: &Plan) -> Proof {
        if plan.is_caller_trusted() { Proof::UNPROVEN } else { self.under::<S>() }
    }
}

/// The weakest level of all queries that a queryable has run on its data; its handles share it.
///
/// The level is public, because the analyst knows the queries.
#[derive(Debug, Clone)]
pub(crate) struct Answered(Arc<AtomicUsize>);

/// All levels, in their order.
const ASCENDING: [ProofLevel; 4] = [ProofLevel::Unproven, ProofLevel::C, ProofLevel::B, ProofLevel::A];

impl Answered {
    /// Makes the record of a queryable without queries.
    pub(crate) fn nothing() -> Self {
        Self(Arc::new(AtomicUsize::new(ASCENDING.len())))
    }

    /// Records a query of this level, before it is run.
    pub(crate) fn note(&self, level: ProofLevel) {
        let place = ASCENDING.iter().position(|other| *other == level).unwrap_or(0);
        self.0.fetch_min(place, Ordering::Relaxed);
    }

    /// Returns the weakest level so far, or the strongest level if there are no queries.
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

/// Parses a level from the name that it prints.
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
