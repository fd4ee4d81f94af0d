//! Measurements from plans and texts, and back.

use super::{
    FrameMetric,
    call::Call,
    document::Document,
    flat,
    functions::Functions,
    json,
    measurement::FrameMeasurement,
    steps,
    toml::{self, Source},
};
use crate::{
    core::{Error, ErrorKind, Fallible, Plan},
    frames::FrameDomain,
};
use sha2::{Digest, Sha256};

impl FrameMeasurement {
    /// Builds the measurement of a plan, with the same constructors and the same parameters.
    ///
    /// Its own plan is equal to the given one, with two exceptions. Steps before a composition, or before a conversion,
    /// become the first steps of each measurement in it. Chains inside chains become one chain.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Plan`], with the position in the plan, if the plan does not begin with a table, if it
    /// contains a user-defined function or a step that stored plans cannot have, or if its spaces are not the spaces of
    /// its steps.
    pub fn from_plan(plan: &Plan) -> Fallible<Self> {
        Self::from_plan_with(plan, &Functions::new())
    }

    /// Does the same for a plan that may call these user-defined functions by their names.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_plan`](Self::from_plan), and an error for a function with any other name.
    pub fn from_plan_with(plan: &Plan, functions: &Functions) -> Fallible<Self> {
        let measurement = Self::built(&Document::of_plan(plan)?, functions)?;
        if !flat::are_same(&flat::steps(plan)?, &flat::steps(measurement.plan())?) {
            let rule = "steps: the plan's spaces or parameters differ from those that its steps build";
            return Err(Error::new(ErrorKind::Plan, rule));
        }
        Ok(measurement)
    }

    /// Builds the measurement of a plan in JSON, as [`to_json`](Self::to_json) writes it, with entries in any order.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Plan`], with the position in the plan.
    pub fn from_json(text: &str) -> Fallible<Self> {
        Self::from_json_with(text, &Functions::new())
    }

    /// Does the same for a plan that may call these user-defined functions by their names.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_json`](Self::from_json), and an error for a function with any other name.
    pub fn from_json_with(text: &str, functions: &Functions) -> Fallible<Self> {
        Self::built(&Document::of_node(&json::read(text)?)?, functions)
    }

    /// Builds the measurement of a plan in TOML.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Plan`], with the line, the column and the position in the plan.
    pub fn from_toml(text: &str) -> Fallible<Self> {
        Self::from_toml_with(text, &Functions::new())
    }

    /// Does the same for a plan that may call these user-defined functions by their names.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_toml`](Self::from_toml), and an error for a function with any other name.
    pub fn from_toml_with(text: &str, functions: &Functions) -> Fallible<Self> {
        let source = Source::read(text)?;
        let document = Document::of_node(&source.node()?);
        document.and_then(|document| Self::built(&document, functions)).map_err(|error| source.locate(&error))
    }

    /// Builds the measurement of these steps on a table.
    pub(crate) fn of_steps(domain: &FrameDomain, metric: FrameMetric, calls: &[Call]) -> Fallible<Self> {
        let document = Document { domain: domain.clone(), metric, calls: calls.to_vec() };
        Self::built(&document, &Functions::new())
    }

    fn built(document: &Document, functions: &Functions) -> Fallible<Self> {
        flat::check_number(&document.calls)?;
        let measurement = steps::build(&document.domain, document.metric, &document.calls, functions)?;
        // What is built can be written.
        flat::steps(measurement.plan())?;
        Ok(measurement)
    }

    /// Returns the plan in JSON. Equal plans have equal text.
    ///
    /// # Errors
    ///
    /// Returns no error for measurements that the functions of this type built.
    pub fn to_json(&self) -> Fallible<String> {
        json::write(&Document::of_plan(self.plan())?.node())
    }

    /// Returns the plan in TOML.
    ///
    /// # Errors
    ///
    /// Returns no error for measurements that the functions of this type built.
    pub fn to_toml(&self) -> Fallible<String> {
        Ok(toml::write(&Document::of_plan(self.plan())?.node()))
    }

    /// Returns the SHA-256 hash of [`to_json`](Self::to_json) in hexadecimal digits.
    ///
    /// # Errors
    ///
    /// Returns no error for measurements that the functions of this type built.
    pub fn hash(&self) -> Fallible<String> {
        Ok(Sha256::digest(self.to_json()?).iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
