//! Functions of a program's own, which its plans name.

use super::call::refuse;
use crate::{
    core::{Error, Fallible, Released},
    frames::{Cell, OfRow},
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt,
    sync::Arc,
};

/// User-defined functions of a program, each with a name by which steps of a plan call it.
///
/// The text names the function and its inputs, but only the program knows what the function does. So a plan with one is
/// not [complete](crate::core::Plan::is_complete), and its hash covers only the function's name. Give a different name
/// to a function that computes something else.
///
/// | step | parameters | proof |
/// |---|---|---|
/// | `own_function` | `name`: a function of the release | the proof of the release, if the function does not look at the data |
/// | `own_column` | `name`: a function of one row; `of`: the columns whose cells are its arguments, in order; `column`: the name of the result's column; `domain`: the domain of that column, in which cells may also be missing | unproven |
///
/// ```
/// use indistinct::{core::Released, frames::{Cell, Column, Frame}, plans::{FrameMeasurement, Functions}};
/// let functions = Functions::new()
///     .column("risk", |cells| match cells {
///         [Cell::Float(pressure), Cell::Bool(smokes)] => (pressure / 10.0 + if *smokes { 5.0 } else { 0.0 }).into(),
///         _ => Cell::Missing,
///     })?
///     .postprocessing("at_least_0", |released| match released {
///         Released::Float(value) => Ok(Released::Float(value.max(0.0))),
///         other => Ok(other.clone()),
///     })?;
/// let plan = r#"
///     version = 2
///     metric = "SymmetricDistance"
///     columns = { pressure = "float(0..=250)", smokes = "bool" }
///     steps = [
///         { make = "own_column", name = "risk", of = ["pressure", "smokes"], column = "risk", domain = "float(0..=30)" },
///         { make = "with_columns", columns = [["risk", "fill_null(risk, 0.0)"]] },
///         { make = "rows", columns = ["risk"] },
///         { make = "sum" },
///         { make = "laplace", scale = 30 },
///         { make = "own_function", name = "at_least_0" },
///     ]
/// "#;
/// let risks = FrameMeasurement::from_toml_with(plan, &functions)?;
/// assert_eq!((risks.loss(1)?.as_str(), risks.plan().is_complete()), ("epsilon 1.0", false));
/// let frame = Frame::new([
///     ("pressure", [120.0, 180.0].into_iter().collect::<Column>()),
///     ("smokes", [false, true].into_iter().collect()),
/// ])?;
/// assert!(matches!(risks.invoke(&frame)?, Released::Float(0.0..)));
/// let told = "plan: line 6, column 39: steps[0].name: the program registers no function \"risk\"";
/// assert_eq!(FrameMeasurement::from_toml(plan).unwrap_err().to_string(), told);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Functions {
    by_name: BTreeMap<String, Own>,
}

/// A function of what was released.
pub(super) type OfRelease = Arc<dyn Fn(&Released) -> Fallible<Released> + Send + Sync>;

#[derive(Clone)]
enum Own {
    OfRelease(OfRelease),
    OfRow(OfRow),
}

impl Functions {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function of the release, for steps `own_function`. The function must not look at the data, which nothing
    /// can check. If it returns an error, such as [`Error::user`], the release fails with this error, and its loss is
    /// spent.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is already in use.
    pub fn postprocessing(
        self,
        name: impl Into<String>,
        function: impl Fn(&Released) -> Fallible<Released> + Send + Sync + 'static,
    ) -> Fallible<Self> {
        self.with(name.into(), Own::OfRelease(Arc::new(function)))
    }

    /// Adds a function of some cells of one row, for steps `own_column`. It must depend on these cells alone, which
    /// nothing can check: it must return, not panic, and use no randomness, clock or state.
    ///
    /// Categories are passed and returned as their labels, dates as days and times as microseconds since 1970-01-01.
    /// All missing cells are passed as [`Cell::Missing`], and all zeros as 0.0. A result outside the column's domain is
    /// missing, so no row decides whether a release succeeds.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is already in use.
    pub fn column(
        self,
        name: impl Into<String>,
        function: impl Fn(&[Cell]) -> Cell + Send + Sync + 'static,
    ) -> Fallible<Self> {
        self.with(name.into(), Own::OfRow(Arc::new(function)))
    }

    fn with(mut self, name: String, own: Own) -> Fallible<Self> {
        match self.by_name.entry(name) {
            Entry::Vacant(place) => {
                place.insert(own);
                Ok(self)
            }
            Entry::Occupied(place) => {
                Err(Error::parameter("name", format!("the function {:?} is already registered", place.key())))
            }
        }
    }

    /// The function of releases of this name.
    pub(super) fn of_release(&self, name: &str) -> Fallible<OfRelease> {
        match self.find(name)? {
            Own::OfRelease(function) => Ok(function.clone()),
            Own::OfRow(_) => {
                Err(refuse("name", &format!("{name:?} is a function of rows, which only own_column can call")))
            }
        }
    }

    /// The function of rows of this name.
    pub(super) fn of_row(&self, name: &str) -> Fallible<OfRow> {
        match self.find(name)? {
            Own::OfRow(function) => Ok(function.clone()),
            Own::OfRelease(_) => {
                Err(refuse("name", &format!("{name:?} is a function of releases, which only own_function can call")))
            }
        }
    }

    fn find(&self, name: &str) -> Fallible<&Own> {
        self.by_name.get(name).ok_or_else(|| {
            let names: Vec<_> = self.by_name.keys().map(|name| format!("{name:?}")).collect();
            let others = if names.is_empty() { String::new() } else { format!("; it registers {}", names.join(", ")) };
            refuse("name", &format!("the program registers no function {name:?}{others}"))
        })
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}
