//! How much of the argument for a step has been checked, and by whom.

use super::{Plan, Step};
use serde::Serialize;
use std::fmt;

/// What stands behind the map of a constructor, from the weakest up. The pages are under `proofs` in the project's
/// repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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

/// The levels of all constructors, from the pages of their proofs.
const LEVELS: &[(&str, ProofLevel)] = &indistinct_derive::proof_levels!();

impl ProofLevel {
    /// The level of the constructor that made this plan; what was given a function of the caller's is unproven.
    pub(crate) fn of(plan: &Plan) -> Self {
        let level = LEVELS.iter().find(|(name, _)| *name == plan.name).map_or(Self::Unproven, |(_, level)| *level);
        if plan.is_caller_trusted() { Self::Unproven } else { level }
    }

    /// The weakest level of these steps and all inside them; for no steps at all, the strongest.
    pub(crate) fn weakest(steps: &[Step]) -> Self {
        steps.iter().map(|step| step.proof.min(Self::weakest(&step.children))).min().unwrap_or(Self::A)
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
                && LEVELS.iter().all(|(name, level)| {
                    name.starts_with("make_")
                        && ProofLevel::of(&Plan::new(name)) == *level
                        && *level > ProofLevel::Unproven
                })
        );
        assert_eq!(ProofLevel::of(&Plan::new("make_nothing")), ProofLevel::Unproven);
        let trusted = Plan::new("make_sum").caller_trusted("function");
        assert_eq!(ProofLevel::of(&trusted), ProofLevel::Unproven);
    }
}
