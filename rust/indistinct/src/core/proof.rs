//! How much of the argument for a step has been checked, and by whom.

use super::Plan;
// The measures that pages name, for the table below.
use crate::measures::*;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum ProofLevel {
    /// Nothing that has been checked: a function of the caller's own.
    #[serde(rename = "unproven")]
    Unproven,
    /// An argument in prose, reviewed by someone other than its author, and bound to the code by a hash.
    C,
    /// A theorem that a machine has checked, bound to the code by a hash and a written correspondence.
    B,
    /// A theorem that a machine has checked, bound to the code by a model or certificates that run against it.
    A,
}

/// A constructor, its level, and the higher levels under some measures or metrics of the output.
type Levels = (&'static str, ProofLevel, &'static [(fn(TypeId) -> bool, ProofLevel)]);

/// The levels of all constructors, from the pages of their proofs.
const LEVELS: &[Levels] = &indistinct_derive::proof_levels!();

fn same_type<M: 'static>(space: TypeId) -> bool {
    space == TypeId::of::<M>()
}

impl ProofLevel {
    /// The level of the constructor that made this plan, for a measure or metric of the output of this type; what was
    /// given a function of the caller's is unproven.
    pub(crate) fn of(plan: &Plan, space: TypeId) -> Self {
        let level = LEVELS.iter().find(|(name, ..)| *name == plan.name).map_or(Self::Unproven, |(_, lowest, under)| {
            under.iter().find(|(is, _)| is(space)).map_or(*lowest, |(_, higher)| *higher)
        });
        if plan.is_caller_trusted() { Self::Unproven } else { level }
    }
}

/// The weakest level of all questions that a conversation has run on its data; its handles share it.
///
/// It is no secret: whoever asks knows the questions.
#[derive(Debug, Clone)]
pub(crate) struct Answered(Arc<AtomicUsize>);

/// All levels, in their order.
const ASCENDING: [ProofLevel; 4] = [ProofLevel::Unproven, ProofLevel::C, ProofLevel::B, ProofLevel::A];

impl Answered {
    /// No question yet.
    pub(crate) fn nothing() -> Self {
        Self(Arc::new(AtomicUsize::new(ASCENDING.len())))
    }

    /// Remember a question of this level, before it is run.
    pub(crate) fn note(&self, level: ProofLevel) {
        let place = ASCENDING.iter().position(|other| *other == level).unwrap_or(0);
        self.0.fetch_min(place, Ordering::Relaxed);
    }

    /// The weakest level so far; for no questions, the strongest.
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
    fn only_what_has_a_page_has_a_level() {
        assert!(
            LEVELS.len() >= 10
                && LEVELS.iter().all(|(name, level, under)| {
                    name.starts_with("make_")
                        && ProofLevel::of(&Plan::new(name), TypeId::of::<()>()) == *level
                        && under.iter().all(|(_, higher)| higher > level)
                        && *level > ProofLevel::Unproven
                })
        );
        assert_eq!(ProofLevel::of(&Plan::new("make_nothing"), TypeId::of::<MaxDivergence>()), ProofLevel::Unproven);
        let trusted = Plan::new("make_composition").caller_trusted("function");
        assert_eq!(ProofLevel::of(&trusted, TypeId::of::<MaxDivergence>()), ProofLevel::Unproven);
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

    /// The rules of composition for these measures are checked by a machine; that for approximate Gaussian divergence
    /// is prose.
    #[test]
    fn a_level_may_depend_on_the_measure() {
        let composition = Plan::new("make_composition");
        assert_eq!(ProofLevel::of(&composition, TypeId::of::<MaxDivergence>()), ProofLevel::A);
        assert_eq!(ProofLevel::of(&composition, TypeId::of::<Approximate<MaxDivergence>>()), ProofLevel::A);
        assert_eq!(ProofLevel::of(&composition, TypeId::of::<GaussianDivergence>()), ProofLevel::A);
        assert_eq!(ProofLevel::of(&composition, TypeId::of::<Approximate<GaussianDivergence>>()), ProofLevel::C);
    }
}
