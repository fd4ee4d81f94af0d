//! Functions of releases that the library knows by name.

use super::{Function, Plan, ToParameter};

/// A function of a release that was built from public parameters alone. `measurement >> postprocessing` costs nothing,
/// and the plan names the function, while a user-defined [`Function`] has no name there.
pub struct Postprocessing<TO, TX> {
    pub(crate) plan: Plan,
    pub(crate) function: Function<TO, TX>,
}

impl<TO, TX> Postprocessing<TO, TX> {
    /// By its name, and a parameter with its name.
    pub(crate) fn new(name: &str, parameter: (&str, &impl ToParameter), function: Function<TO, TX>) -> Self {
        Self { plan: Plan::new(name).parameter(parameter.0, parameter.1), function }
    }
}
