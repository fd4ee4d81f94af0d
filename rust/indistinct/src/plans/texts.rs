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
    /// The measurement of a plan, by the same constructors with the same parameters.
    ///
    /// Its own plan is equal, but that steps before a composition, and before a measurement that is converted, are the
    /// first of each measurement in it, and chains inside chains one chain.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Plan`], with the place in the plan: a plan that does not begin at a table, that has a function of
    /// the program's in it or a step that is not part of stored plans, or whose spaces are not those of its steps.
    pub fn from_plan(plan: &Plan) -> Fallible<Self> {
        Self::from_plan_with(plan, &Functions::new())
    }

    /// The same of a plan that may call these functions by their names.
    ///
    /// # Errors
    ///
    /// As [`from_plan`](Self::from_plan); a function of a name that is not among these.
    pub fn from_plan_with(plan: &Plan, functions: &Functions) -> Fallible<Self> {
        let measurement = Self::built(&Document::of_plan(plan)?, functions)?;
        if !flat::are_same(&flat::steps(plan)?, &flat::steps(measurement.plan())?) {
            let rule = "steps: the spaces or parameters of the plan are not those of what its steps build";
            return Err(Error::new(ErrorKind::Plan, rule));
        }
        Ok(measurement)
    }

    /// The measurement of a plan in JSON, as [`to_json`](Self::to_json) writes it, with entries in any order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Plan`], with the place in the plan.
    pub fn from_json(text: &str) -> Fallible<Self> {
        Self::from_json_with(text, &Functions::new())
    }

    /// The same of a plan that may call these functions by their names.
    ///
    /// # Errors
    ///
    /// As [`from_json`](Self::from_json); a function of a name that is not among these.
    pub fn from_json_with(text: &str, functions: &Functions) -> Fallible<Self> {
        Self::built(&Document::of_node(&json::read(text)?)?, functions)
    }

    /// The measurement of a plan in TOML.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Plan`], with the line, the column and the place in the plan.
    pub fn from_toml(text: &str) -> Fallible<Self> {
        Self::from_toml_with(text, &Functions::new())
    }

    /// The same of a plan that may call these functions by their names.
    ///
    /// # Errors
    ///
    /// As [`from_toml`](Self::from_toml); a function of a name that is not among these.
    pub fn from_toml_with(text: &str, functions: &Functions) -> Fallible<Self> {
        let source = Source::read(text)?;
        let document = Document::of_node(&source.node()?);
        document.and_then(|document| Self::built(&document, functions)).map_err(|error| source.locate(&error))
    }

    /// The measurement of these steps on a table.
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

    /// The plan in JSON. Equal plans have equal text.
    ///
    /// # Errors
    ///
    /// None for what this type's functions built.
    pub fn to_json(&self) -> Fallible<String> {
        json::write(&Document::of_plan(self.plan())?.node())
    }

    /// The plan in TOML.
    ///
    /// # Errors
    ///
    /// None for what this type's functions built.
    pub fn to_toml(&self) -> Fallible<String> {
        Ok(toml::write(&Document::of_plan(self.plan())?.node()))
    }

    /// The SHA-256 of [`to_json`](Self::to_json), in hexadecimal digits: one for each plan.
    ///
    /// # Errors
    ///
    /// None for what this type's functions built.
    pub fn hash(&self) -> Fallible<String> {
        Ok(Sha256::digest(self.to_json()?).iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
