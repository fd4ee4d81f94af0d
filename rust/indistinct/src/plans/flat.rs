//! The steps of a plan, one after another.

use super::call::{Call, refuse};
use crate::core::{CHAIN, Fallible, Parameter, Plan};

/// The steps that are made of several chains on the same data.
const OF_SEVERAL: [&str; 2] = ["make_composition", "make_sums_of_unknown_keys"];

/// The most steps of a plan that is stored, each counted as often as it is written.
const MAX_STEPS: usize = 1 << 16;

/// The most that parameters of these steps may hold together, in characters and values: a canonical text is not much
/// longer.
const MAX_SIZE: usize = 1 << 26;

/// The most compositions of such a plan, one inside another: no parser of its text reads it much deeper.
const MAX_COMPOSITIONS: usize = 16;

/// A step, and of a composition what it is made of.
///
/// Steps before a composition are the first of each of its measurements, and those before a measurement under another
/// measure the first of its own: `a >> make_composition((b, c))` releases and loses what
/// `make_composition((a >> b, a >> c))` does.
#[derive(Clone)]
pub(super) struct FlatStep<'a> {
    pub(super) plan: &'a Plan,
    /// How much its parameters hold.
    size: usize,
    pub(super) measurements: Vec<Vec<FlatStep<'a>>>,
}

/// The steps of a plan.
///
/// # Errors
///
/// Too many steps; a step that has several inputs and is not a composition.
pub(super) fn steps(plan: &Plan) -> Fallible<Vec<FlatStep<'_>>> {
    let mut written = Written { steps: 0, size: 0, compositions: 0 };
    after(Vec::new(), plan, &mut written)
}

/// The number of steps that have been written, what their parameters hold, and inside how many compositions the next
/// one stands.
struct Written {
    steps: usize,
    size: usize,
    compositions: usize,
}

fn after<'a>(mut before: Vec<FlatStep<'a>>, plan: &'a Plan, written: &mut Written) -> Fallible<Vec<FlatStep<'a>>> {
    if plan.name == CHAIN {
        check_ends(plan)?;
        for step in plan.children.iter() {
            before = after(before, step, written)?;
        }
        return Ok(before);
    }
    if plan.children.iter().any(|child| child.space.input != plan.space.input) {
        return Err(refuse(
            "steps",
            &format!("{} has another input domain or metric than the steps inside it", plan.name),
        ));
    }
    let size = plan.parameters.iter().map(|(_, value)| size_of(value)).fold(0, usize::saturating_add);
    if OF_SEVERAL.contains(&plan.name.as_str()) {
        if before.iter().any(|step| !step.measurements.is_empty()) {
            return Err(refuse("steps", "a composition must follow data, not a release"));
        }
        written.enter()?;
        let mut measurements = Vec::new();
        for part in plan.children.iter() {
            written.count(before.len(), before.iter().map(|step| step.size).fold(0, usize::saturating_add))?;
            measurements.push(after(before.clone(), part, written)?);
        }
        written.compositions -= 1;
        written.count(1, size)?;
        return Ok(vec![FlatStep { plan, size, measurements }]);
    }
    let mut children = plan.children.iter();
    let child = children.next();
    if children.next().is_some() {
        return Err(refuse(
            "steps",
            &format!("{} contains several measurements, but only a composition can", plan.name),
        ));
    }
    if let Some(child) = child {
        before = after(before, child, written)?;
    }
    written.count(1, size)?;
    before.push(FlatStep { plan, size, measurements: Vec::new() });
    Ok(before)
}

/// Refuse as many steps as no plan that is stored has, before any of them is built: those of which each measurement
/// begins are counted once more for each.
pub(super) fn check_number(calls: &[Call]) -> Fallible<()> {
    let number = number(calls, 0);
    if number <= MAX_STEPS { Ok(()) } else { Err(refuse("steps", &too_many())) }
}

/// The number of steps that are written for these, of which so many more stand before.
fn number(calls: &[Call], before: usize) -> usize {
    let (mut written, mut chain) = (0usize, before);
    for call in calls {
        if call.measurements.is_empty() {
            chain = chain.saturating_add(1);
        } else {
            let parts = call.measurements.iter().map(|part| number(part, chain));
            written = parts.fold(written.saturating_add(1), usize::saturating_add);
            chain = 0;
        }
    }
    written.saturating_add(chain)
}

fn too_many() -> String {
    format!("must be at most {MAX_STEPS} steps, and a repeated step counts each time")
}

/// A chain leads from where its first step begins to where its last one ends.
fn check_ends(chain: &Plan) -> Fallible<()> {
    let begins = chain.children.iter().next().is_some_and(|first| first.space.input == chain.space.input);
    let ends = chain.children.iter().last().is_some_and(|last| last.space.output == chain.space.output);
    let rule = "the domains and metrics of a chain must be those of its first and last step";
    if begins && ends { Ok(()) } else { Err(refuse("steps", rule)) }
}

/// The characters and values of a parameter.
fn size_of(parameter: &Parameter) -> usize {
    match parameter {
        Parameter::Text(text) => text.len(),
        Parameter::List(values) => values.iter().map(size_of).fold(1, usize::saturating_add),
        _ => 1,
    }
}

impl Written {
    fn count(&mut self, steps: usize, size: usize) -> Fallible<()> {
        self.steps = self.steps.saturating_add(steps);
        self.size = self.size.saturating_add(size);
        let rule = match (self.steps <= MAX_STEPS, self.size <= MAX_SIZE) {
            (true, true) => return Ok(()),
            (false, _) => too_many(),
            (true, false) => {
                format!(
                    "must have parameters of at most {MAX_SIZE} characters in total, and a repeated step counts each time"
                )
            }
        };
        Err(refuse("steps", &rule))
    }

    fn enter(&mut self) -> Fallible<()> {
        self.compositions = self.compositions.saturating_add(1);
        let rule = || format!("compositions may be nested at most {MAX_COMPOSITIONS} deep");
        if self.compositions <= MAX_COMPOSITIONS { Ok(()) } else { Err(refuse("steps", &rule())) }
    }
}

/// Returns true if two plans are one up to where shared steps stand: the same steps, with the same parameters, between
/// the same spaces. Where a step is made of measurements, it begins where they do.
pub(super) fn are_same(left: &[FlatStep<'_>], right: &[FlatStep<'_>]) -> bool {
    let same = |(left, right): (&FlatStep<'_>, &FlatStep<'_>)| {
        let (x, y) = (left.plan, right.plan);
        let begins = x.space.input == y.space.input || !x.children.is_empty();
        let measurements = left.measurements.iter().zip(&right.measurements);
        (begins
            && x.name == y.name
            && x.children.is_empty() == y.children.is_empty()
            && x.space.output == y.space.output
            && x.parameters == y.parameters)
            && left.measurements.len() == right.measurements.len()
            && measurements.into_iter().all(|(left, right)| are_same(left, right))
    };
    left.len() == right.len() && left.iter().zip(right).all(same)
}
