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

/// Functions of a program's own, each with a name by which a plan's steps call it.
///
/// The text names the function and its inputs, but only the program knows what the function does. So a plan with one is
/// not [complete](crate::core::Plan::is_complete), and its hash covers only the function's name. Give another name to a
/// function that computes something else.
///
/// | step | parameters | proof |
/// |---|---|---|
/// | `own_function` | `name`: a function of what has been released | that of the release, if the function does not look at the data |
/// | `own_column` | `name`: a function of one row; `of`: the columns whose cells it is given, in order; `column`: the name of the result's column; `domain`: what that may hold, besides missing cells | unproven |
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
///     version = 1
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

    /// Like these, with a function of the release for steps `own_function`. It must not look at the data, which nothing
    /// can check. Its error, such as [`Error::user`], becomes that of the release, whose loss is then spent.
    ///
    /// # Errors
    ///
    /// A name that is there already.
    pub fn postprocessing(
        self,
        name: impl Into<String>,
        function: impl Fn(&Released) -> Fallible<Released> + Send + Sync + 'static,
    ) -> Fallible<Self> {
        self.with(name.into(), Own::OfRelease(Arc::new(function)))
    }

    /// These, and a function of some cells of one row, for steps `own_column`. It must be a function of these cells
    /// alone, which nothing can check: it ends, does not panic, and uses no randomness, clock or memory.
    ///
    /// A category is given, and taken, as its label; a date as days and a time as microseconds since 1970-01-01.
    /// Missing cells are all given as [`Cell::Missing`], and zeros as 0.0. A result that is not in the column's domain
    /// is missing, so that no row decides whether a release succeeds.
    ///
    /// # Errors
    ///
    /// A name that is there already.
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
                Err(Error::parameter("name", format!("there is a function {:?} already", place.key())))
            }
        }
    }

    /// The function of releases of this name.
    pub(super) fn of_release(&self, name: &str) -> Fallible<OfRelease> {
        match self.find(name)? {
            Own::OfRelease(function) => Ok(function.clone()),
            Own::OfRow(_) => Err(refuse("name", &format!("{name:?} is a function of rows, for own_column"))),
        }
    }

    /// The function of rows of this name.
    pub(super) fn of_row(&self, name: &str) -> Fallible<OfRow> {
        match self.find(name)? {
            Own::OfRow(function) => Ok(function.clone()),
            Own::OfRelease(_) => Err(refuse("name", &format!("{name:?} is a function of releases, for own_function"))),
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
