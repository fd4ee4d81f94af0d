//! Named functions of releases.

use super::{Function, Plan, ToParameter};

/// A function of a release that was built from public parameters alone. `measurement >> postprocessing` costs nothing,
/// and the plan names the function; a user-defined [`Function`] has no name in a plan.
pub struct Postprocessing<TO, TX> {
    pub(crate) plan: Plan,
    pub(crate) function: Function<TO, TX>,
}

impl<TO, TX> Postprocessing<TO, TX> {
    /// Makes a function from its name, and a parameter with the parameter's name.
    pub(crate) fn new(name: &str, parameter: (&str, &impl ToParameter), function: Function<TO, TX>) -> Self {
        Self { plan: Plan::new(name).parameter(parameter.0, parameter.1), function }
    }
}
