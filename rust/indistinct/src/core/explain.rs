//! A guarantee, step by step.

use super::{Fallible, Parameter, Plan, Proof, ProofLevel, plan::CHAIN};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::{fmt, sync::Arc};

/// The assumption of post-processing.
const LOOKS_AWAY: &str = "if the function does not look at the data";

/// One step of a construction, with its map evaluated.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[non_exhaustive]
pub struct Step {
    /// The constructor's name.
    pub name: String,
    /// The parameters besides the input space.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub parameters: Vec<(String, Parameter)>,
    /// The greatest distance of two inputs of this step.
    pub d_in: String,
    /// The greatest distance of its outputs, or output distributions, at that input distance.
    pub d_out: String,
    /// A warning if no two members of the domain are at this distance.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub note: Option<String>,
    /// The proofs of this step's own map and of the code that it runs.
    pub proof: Proof,
    /// An assumption about a user-defined function that the step relies on, if the plan does not state it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub condition: Option<String>,
    /// The steps of the values that it was built from.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub children: Vec<Step>,
}

impl Step {
    /// A step of this plan, whose own map is proved so far, with its distances in words.
    fn new(plan: &Plan, proof: Proof, (d_in, d_out): (String, String), children: Vec<Step>) -> Self {
        let Plan { name, parameters, .. } = plan.clone();
        Self { name, parameters, d_in, d_out, note: None, proof, condition: None, children }
    }

    /// A function of the release, by this plan, which leaves the loss as it is; that a caller's does not look at the
    /// data is the caller's word.
    pub(crate) fn postprocessing(plan: &Plan, proof: Proof, loss: String) -> Self {
        let condition = plan.is_caller_trusted().then(|| LOOKS_AWAY.into());
        Self { condition, ..Self::new(plan, proof, (loss.clone(), loss), Vec::new()) }
    }
}

/// The construction of a transformation or measurement, with every map evaluated; prints as an indented list, with the
/// levels of each step's proof and the weakest of all.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(transparent))]
#[non_exhaustive]
pub struct Explanation {
    /// The steps, in the order in which data flow through them.
    pub steps: Vec<Step>,
}

impl Explanation {
    /// These steps, the first of which says so if there are no inputs as close as asked.
    pub(crate) fn new(mut steps: Vec<Step>, neighbors: Fallible<()>) -> Self {
        if let (Some(first), Err(error)) = (steps.first_mut(), neighbors) {
            first.note = Some(error.message().into());
        }
        Self { steps }
    }

    /// The weakest of the proofs that the guarantee stands on, of maps and of the code that runs. Post-processing
    /// counts at the level of `>>`: that its function does not look at the data is the caller's word, and printed
    /// beside the level.
    pub fn weakest_proof(&self) -> ProofLevel {
        ProofLevel::weakest(&self.steps)
    }

    /// The weakest of the proofs of maps alone, which take samplers, exact sums and enclosures as given.
    pub fn weakest_map(&self) -> ProofLevel {
        least(&self.steps, |proof| proof.map)
    }

    /// Both in words: `C (maps: B)`, or one level where they are equal.
    pub fn weakest(&self) -> String {
        let (weakest, of_maps) = (self.weakest_proof(), self.weakest_map());
        if weakest == of_maps { weakest.to_string() } else { format!("{weakest} (maps: {of_maps})") }
    }
}

/// The least level of these steps and all inside them; for no steps at all, the strongest.
fn least(steps: &[Step], level: fn(&Proof) -> ProofLevel) -> ProofLevel {
    steps.iter().map(|step| level(&step.proof).min(least(&step.children, level))).min().unwrap_or(ProofLevel::A)
}

/// The condition of one of these steps or of a step inside them.
fn condition(steps: &[Step]) -> Option<&str> {
    steps.iter().find_map(|step| step.condition.as_deref().or_else(|| condition(&step.children)))
}

/// A level with its condition, if it has one.
fn with_condition(level: impl fmt::Display, condition: Option<&str>) -> String {
    condition.map_or_else(|| level.to_string(), |condition| format!("{level}, {condition}"))
}

impl ProofLevel {
    /// The weakest level of these steps and all inside them, of maps and of what runs.
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

/// A value's own account of the steps below it: what `explain` calls with `d_in`.
pub(crate) struct Trace<D>(Arc<dyn Fn(&D) -> Fallible<Vec<Step>> + Send + Sync>);

impl<D> Trace<D> {
    pub(crate) fn new(below: impl Fn(&D) -> Fallible<Vec<Step>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(below))
    }

    pub(crate) fn leaf() -> Self {
        Self::new(|_| Ok(Vec::new()))
    }

    /// The steps of a value with this plan; a chain has no step of its own.
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
