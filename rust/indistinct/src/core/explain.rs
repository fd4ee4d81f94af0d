//! A guarantee, step by step.

use super::{Fallible, Parameter, Plan, ProofLevel, plan::CHAIN};
use serde::Serialize;
use std::{any::TypeId, fmt, sync::Arc};

/// One step of a construction, with its map evaluated.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// The constructor's name.
    pub name: String,
    /// The parameters besides the input space.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<(String, Parameter)>,
    /// How far apart two inputs of this step may be.
    pub d_in: String,
    /// How far apart its two outputs, or output distributions, may then be.
    pub d_out: String,
    /// What the distances do not say: that no two inputs are so far apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What stands behind this step's own map.
    pub proof: ProofLevel,
    /// The steps of the values that it was built from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Step>,
}

impl Step {
    /// A step of this plan, whose output has a measure or metric of this type, with its distances in words.
    pub(crate) fn new(plan: &Plan, space: TypeId, (d_in, d_out): (String, String), children: Vec<Step>) -> Self {
        let Plan { name, parameters, .. } = plan.clone();
        Self { name, parameters, d_in, d_out, note: None, proof: ProofLevel::of(plan, space), children }
    }
}

/// The construction of a transformation or measurement, with every map evaluated; prints as an indented list, with the
/// level of each step's proof and the weakest of all.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
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

    /// The weakest of the proofs that the guarantee stands on.
    pub fn weakest_proof(&self) -> ProofLevel {
        ProofLevel::weakest(&self.steps)
    }
}

impl ProofLevel {
    /// The weakest level of these steps and all inside them; for no steps at all, the strongest.
    pub(crate) fn weakest(steps: &[Step]) -> Self {
        steps.iter().map(|step| step.proof.min(Self::weakest(&step.children))).min().unwrap_or(Self::A)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.steps, 0, f)?;
        writeln!(f, "weakest proof: {}", self.weakest_proof())
    }
}

fn print(steps: &[Step], depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for step in steps {
        let parameters: Vec<_> = step.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let Step { name, d_in, d_out, proof, .. } = step;
        write!(f, "{:1$}{name}({2}): {d_in} -> {d_out} [{proof}", "", 2 * depth, parameters.join(", "))?;
        if !step.children.is_empty() {
            write!(f, ", weakest {}", ProofLevel::weakest(std::slice::from_ref(step)))?;
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
        space: TypeId,
        d_in: &D,
        words: impl FnOnce() -> (String, String),
    ) -> Fallible<Vec<Step>> {
        let children = (self.0)(d_in)?;
        if plan.name == CHAIN {
            return Ok(children);
        }
        Ok(vec![Step::new(plan, space, words(), children)])
    }
}

impl<D> Clone for Trace<D> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
