//! The steps of a guarantee, with their distances and proofs.

use super::{Fallible, Parameter, Plan, Proof, ProofLevel, plan::CHAIN};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::{fmt, sync::Arc};

/// The assumption about a post-processing function.
const LOOKS_AWAY: &str = "if the function does not look at the data";

/// One step of a construction, with its map evaluated.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[non_exhaustive]
pub struct Step {
    /// The constructor's name.
    pub name: String,
    /// The parameters other than the input space.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub parameters: Vec<(String, Parameter)>,
    /// The maximum distance between two inputs of this step.
    pub d_in: String,
    /// The maximum distance between its outputs, or output distributions, at that input distance.
    pub d_out: String,
    /// A warning if no two members of the domain are at this distance.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub note: Option<String>,
    /// The levels of proof of this step's map and of the code that it runs.
    pub proof: Proof,
    /// An assumption about a user-defined function that the step relies on, unless the plan states it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub condition: Option<String>,
    /// The steps of the values from which it was built.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub children: Vec<Step>,
}

impl Step {
    /// Makes a step of this plan, with the level of its map's proof and its distances in words.
    fn new(plan: &Plan, proof: Proof, (d_in, d_out): (String, String), children: Vec<Step>) -> Self {
        let Plan { name, parameters, .. } = plan.clone();
        Self { name, parameters, d_in, d_out, note: None, proof, condition: None, children }
    }

    /// Makes the step of a post-processing function, which does not change the loss. The caller vouches that a
    /// user-defined function does not look at the data.
    pub(crate) fn postprocessing(plan: &Plan, proof: Proof, loss: String) -> Self {
        let condition = plan.is_caller_trusted().then(|| LOOKS_AWAY.into());
        Self { condition, ..Self::new(plan, proof, (loss.clone(), loss), Vec::new()) }
    }
}

/// The steps of a transformation or measurement, with every map evaluated. It prints as an indented list, with the
/// proof levels of each step and the weakest level of all steps.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(transparent))]
#[non_exhaustive]
pub struct Explanation {
    /// The steps, in the order of the data flow.
    pub steps: Vec<Step>,
}

impl Explanation {
    /// Makes an explanation of these steps. The first step has a note if no two inputs are as close as the given
    /// distance.
    pub(crate) fn new(mut steps: Vec<Step>, neighbors: Fallible<()>) -> Self {
        if let (Some(first), Err(error)) = (steps.first_mut(), neighbors) {
            first.note = Some(error.message().into());
        }
        Self { steps }
    }

    /// Returns the weakest proof on which the guarantee relies, for maps and for the code that runs. Post-processing
    /// has the level of `>>`: the caller vouches that its function does not look at the data, and the explanation
    /// prints this condition beside the level.
    pub fn weakest_proof(&self) -> ProofLevel {
        ProofLevel::weakest(&self.steps)
    }

    /// Returns the weakest proof of a map. These proofs assume samplers, exact sums and enclosures.
    pub fn weakest_map(&self) -> ProofLevel {
        least(&self.steps, |proof| proof.map)
    }

    /// Returns both levels in words: `C (maps: B)`, or one level if they are equal.
    pub fn weakest(&self) -> String {
        let (weakest, of_maps) = (self.weakest_proof(), self.weakest_map());
        if weakest == of_maps { weakest.to_string() } else { format!("{weakest} (maps: {of_maps})") }
    }
}

/// Returns the weakest level of these steps and all inside them; for no steps, the strongest level.
fn least(steps: &[Step], level: fn(&Proof) -> ProofLevel) -> ProofLevel {
    steps.iter().map(|step| level(&step.proof).min(least(&step.children, level))).min().unwrap_or(ProofLevel::A)
}

/// Returns the condition of one of these steps or of a step inside them.
fn condition(steps: &[Step]) -> Option<&str> {
    steps.iter().find_map(|step| step.condition.as_deref().or_else(|| condition(&step.children)))
}

/// Prints a level with its condition, if it has one.
fn with_condition(level: impl fmt::Display, condition: Option<&str>) -> String {
    condition.map_or_else(|| level.to_string(), |condition| format!("{level}, {condition}"))
}

impl ProofLevel {
    /// Returns the weakest levels of these steps and all inside them, for maps and for the code that runs.
    pub(crate) fn weakest(steps: &[Step]) -> Self {
        least(steps, |proof| proof.map.min(proof.run))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.steps, 0, f)?;
        writeln!(f, "weakest proof: {}", with_condition(self.weakest(), condition(&self.steps)))
    }
}

fn print(steps: &[Step], depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for step in steps {
        let parameters: Vec<_> = step.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let Step { name, d_in, d_out, .. } = step;
        let proof = with_condition(step.proof, step.condition.as_deref());
        write!(f, "{:1$}{name}({2}): {d_in} -> {d_out} [{proof}", "", 2 * depth, parameters.join(", "))?;
        if !step.children.is_empty() {
            let weakest = ProofLevel::weakest(std::slice::from_ref(step));
            write!(f, ", weakest {}", with_condition(weakest, condition(&step.children)))?;
        }
        writeln!(f, "]")?;
        if let Some(note) = &step.note {
            writeln!(f, "{:1$}note: {note}", "", 2 * depth)?;
        }
        print(&step.children, depth + 1, f)?;
    }
    Ok(())
}

/// A function that lists the steps below a value at `d_in`, for `explain`.
pub(crate) struct Trace<D>(Arc<dyn Fn(&D) -> Fallible<Vec<Step>> + Send + Sync>);

impl<D> Trace<D> {
    pub(crate) fn new(below: impl Fn(&D) -> Fallible<Vec<Step>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(below))
    }

    pub(crate) fn leaf() -> Self {
        Self::new(|_| Ok(Vec::new()))
    }

    /// Returns the steps of a value with this plan. A chain has no step of its own.
    pub(crate) fn steps(
        &self,
        plan: &Plan,
        proof: Proof,
        d_in: &D,
        words: impl FnOnce() -> (String, String),
    ) -> Fallible<Vec<Step>> {
        let children = (self.0)(d_in)?;
        if plan.name == CHAIN {
            return Ok(children);
        }
        Ok(vec![Step::new(plan, proof, words(), children)])
    }
}

impl<D> Clone for Trace<D> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
