//! Measurements on tables as text, and back.
//!
//! A [`FrameMeasurement`] is read from TOML, which people write, or from JSON, in which each plan has exactly one text
//! and one hash. It can also be built from the [`Plan`](crate::core::Plan) of a chain in Rust. The same constructors
//! build it, with the same checks, so it has the same maps and proofs.
//!
//! ```
//! use indistinct::{measures::MaxDivergence, plans::FrameMeasurement};
//! let plan = r#"
//!     version = 2
//!     metric = "SymmetricDistance"
//!
//!     [columns]
//!     age = "integer(0..=120, missing)"
//!     visits = "float"
//!
//!     [[steps]]
//!     make = "filter_rows"
//!     condition = "age >= 65"
//!
//!     [[steps]]
//!     make = "with_columns"
//!     columns = [["visits", "clamp(visits, 0.0, 40.0)"]]
//!
//!     [[steps]]
//!     make = "rows"
//!     columns = ["visits"]
//!
//!     [[steps]]
//!     make = "sum"
//!
//!     [[steps]]
//!     make = "laplace"
//!     scale = 40
//! "#;
//! let measurement = FrameMeasurement::from_toml(plan)?;
//! assert_eq!(measurement.under::<MaxDivergence>()?.map(&1)?, 1.0);
//! let wrong = plan.replace("\"sum\"", "\"som\"");
//! let error = FrameMeasurement::from_toml(&wrong).unwrap_err();
//! let told = "plan: line 22, column 12: steps[3].make: there is no step \"som\"; there is \"sum\"";
//! assert_eq!(error.to_string(), told);
//! # Ok::<(), indistinct::core::Error>(())
//! ```
//!
//! A plan has a `version`, the `columns` of the table with their domains, the `metric`, and `steps`, each with the name
//! of a constructor, without `make_`, and its parameters except the input space. It also has the column of
//! `individuals` and the number of `rows` if the domain has them; `individuals` may be replaced by
//! `individuals_or_null` ([`with_individuals_or_null`](crate::frames::FrameDomain::with_individuals_or_null)).
//! Constructors that take a measurement, such as `zCDP_to_approxDP`, are steps after it, and so are `group_means` and
//! `positions_to_categories`. A `composition` has `measurements`, each a list of steps that follow the steps before it.
//! The `measurements` of `sums_of_unknown_keys` end in maps from keys: the first one in counts, which decide which keys
//! are shown, and each other one in sums.
//!
//! A float may be written as a whole number (`scale = 40`); infinity is `inf`. `rows` reads one column, or two columns
//! of floats, as typed rows; statistics of several columns are steps on the table itself. [`constructors`] lists all
//! steps with their parameters, and the reason why some constructors are not steps: their release answers queries, they
//! need a user-defined function, they begin with a single value, or another step or an expression computes the same.
//! [`Functions`] are user-defined functions, which steps may name. JSON has the same entries, except that `columns` is
//! a list of pairs, because their order counts, and that a float is written as text: `{"float":"0.1"}`.

mod call;
mod cost;
mod document;
mod flat;
mod from_parameter;
mod functions;
mod hints;
mod json;
mod measurement;
mod metric;
mod own;
mod postprocessing;
mod registry;
mod released_text;
mod stage;
mod state;
mod steps;
#[cfg(test)]
pub(crate) mod tests;
mod texts;
mod toml;

pub use crate::core::Released;
pub(crate) use call::Call;
pub use functions::Functions;
pub use measurement::FrameMeasurement;
pub use metric::FrameMetric;
pub use registry::{Constructor, constructors};
pub use state::FrameState;
