//! The form of a plan in files: a table's columns, a metric, and steps.

use super::{
    FrameMetric,
    call::{Call, MEASUREMENTS, refuse},
    flat::{self, FlatStep},
};
use crate::{
    core::{Fallible, FromParameter, Parameter, Plan, ToParameter},
    frames::{ColumnDomain, FrameDomain},
};

/// A value in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Parameter(Parameter),
    List(Vec<Node>),
    /// No name is repeated.
    Table(Vec<(String, Node)>),
}

/// The version of this form.
const VERSION: i64 = 2;

/// The version whose steps read typed rows of individuals.
const OF_TYPED_ROWS: i64 = 1;

/// In the place of `individuals`, where rows without an identifier are individuals of their own.
const OR_ROWS: &str = "individuals_or_null";

/// The contents of a plan's file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Document {
    pub(super) domain: FrameDomain,
    pub(super) metric: FrameMetric,
    pub(super) calls: Vec<Call>,
}

impl Document {
    /// The document of a plan that begins at tables.
    pub(super) fn of_plan(plan: &Plan) -> Fallible<Self> {
        let rule = "the plan does not start with a table of named columns";
        let (domain, metric) = plan.space.input.rsplit_once(", ").ok_or_else(|| refuse("space", rule))?;
        let domain = domain.parse::<FrameDomain>().map_err(|error| refuse("space.input", error.message()))?;
        let metric = metric.parse::<FrameMetric>().map_err(|error| refuse("space.input", error.message()))?;
        Ok(Self { calls: flat::steps(plan)?.into_iter().map(call).collect(), domain, metric })
    }

    /// Reads the document from a file's tree.
    pub(super) fn of_node(node: &Node) -> Fallible<Self> {
        let mut fields = Fields::of("", node)?;
        let version = fields.take("version")?;
        match version {
            Node::Parameter(Parameter::Integer(VERSION)) => {}
            Node::Parameter(Parameter::Integer(OF_TYPED_ROWS)) => {
                let instead = "bound_rows stands for rows_of_individuals with bound_contributions, count_rows_by, \
                               sum_column_by, count_individuals_by_key and sum_column_by_key for counts and sums by \
                               categories and keys, and expressions for cast, find, clamp and others";
                return Err(refuse("version", &format!("must be {VERSION}, where {instead}")));
            }
            _ => return Err(refuse("version", &format!("must be {VERSION}"))),
        }
        let (columns, metric) = (columns(fields.take("columns")?)?, text("metric", fields.take("metric")?)?);
        let mut domain = FrameDomain::new(columns).map_err(|error| refuse("columns", error.message()))?;
        if let Some(name) = fields.option("individuals") {
            let name = text("individuals", name)?;
            domain = domain.with_individuals(name).map_err(|error| refuse("individuals", error.message()))?;
        } else if let Some(name) = fields.option(OR_ROWS) {
            let name = text(OR_ROWS, name)?;
            domain = domain.with_individuals_or_null(name).map_err(|error| refuse(OR_ROWS, error.message()))?;
        }
        if let Some(rows) = fields.option("rows") {
            let rows = parameter_of("rows", rows)?;
            let rows = usize::from_parameter(&rows).map_err(|error| refuse("rows", &error.rule))?;
            domain = domain.with_size(rows);
        }
        let metric = metric.parse::<FrameMetric>().map_err(|error| refuse("metric", error.message()))?;
        let calls = calls_of("steps", fields.take("steps")?)?;
        fields.end()?;
        Ok(Self { domain, metric, calls })
    }

    /// The tree of a file.
    pub(super) fn node(&self) -> Node {
        let text = |text: String| Node::Parameter(Parameter::Text(text));
        let pair = |(name, column): (&String, &ColumnDomain)| {
            Node::List(vec![text(name.clone()), text(format!("{column:?}"))])
        };
        let columns = self.domain.names().iter().zip(self.domain.columns()).map(pair).collect();
        let key = if self.domain.has_individuals_or_null() { OR_ROWS } else { "individuals" };
        let individuals = self.domain.individuals().map(|name| (key, text(name.into())));
        let rows = self.domain.size().map(|rows| ("rows", Node::Parameter(rows.to_parameter())));
        let head = [("version", Node::Parameter(Parameter::Integer(VERSION))), ("columns", Node::List(columns))];
        let fields = head.into_iter().chain(individuals).chain(rows);
        let last = [("metric", text(format!("{:?}", self.metric))), ("steps", nodes_of(&self.calls))];
        Node::Table(fields.chain(last).map(|(name, node)| (name.to_owned(), node)).collect())
    }
}

fn call(step: FlatStep<'_>) -> Call {
    let name = step.plan.name.strip_prefix("make_").unwrap_or(&step.plan.name).to_owned();
    let parameters = step.plan.parameters.clone();
    let measurements = step.measurements.into_iter().map(|steps| steps.into_iter().map(call).collect()).collect();
    Call { name, parameters, measurements }
}

/// The entries of a table, each taken once.
struct Fields<'a> {
    path: String,
    left: Vec<(&'a str, &'a Node)>,
}

impl<'a> Fields<'a> {
    fn of(path: &str, node: &'a Node) -> Fallible<Self> {
        let Node::Table(entries) = node else { return Err(refuse(path, "expected a table")) };
        Ok(Self { path: path.into(), left: entries.iter().map(|(name, node)| (name.as_str(), node)).collect() })
    }

    fn option(&mut self, name: &str) -> Option<&'a Node> {
        let at = self.left.iter().position(|(found, _)| *found == name)?;
        Some(self.left.remove(at).1)
    }

    fn take(&mut self, name: &str) -> Fallible<&'a Node> {
        self.option(name).ok_or_else(|| refuse(&below(&self.path, name), "is missing"))
    }

    fn end(self) -> Fallible<()> {
        match self.left.first() {
            None => Ok(()),
            Some((name, _)) => Err(refuse(&below(&self.path, name), "is unknown")),
        }
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { format!("{path}.{name}") }
}

fn text<'a>(path: &str, node: &'a Node) -> Fallible<&'a str> {
    match node {
        Node::Parameter(Parameter::Text(text)) => Ok(text),
        _ => Err(refuse(path, "expected text")),
    }
}

fn list<'a>(path: &str, node: &'a Node) -> Fallible<&'a [Node]> {
    match node {
        Node::List(values) => Ok(values),
        _ => Err(refuse(path, "expected a list")),
    }
}

/// Pairs of a name and a domain, in order.
fn columns(node: &Node) -> Fallible<Vec<(String, ColumnDomain)>> {
    let domain = |path: &str, node: &Node| {
        text(path, node)?.parse::<ColumnDomain>().map_err(|error| refuse(path, error.message()))
    };
    let column = |(index, node): (usize, &Node)| {
        let path = format!("columns[{index}]");
        match list(&path, node)? {
            [name, column] => {
                Ok((text(&format!("{path}[0]"), name)?.to_owned(), domain(&format!("{path}[1]"), column)?))
            }
            _ => Err(refuse(&path, "expected a name and a domain")),
        }
    };
    list("columns", node)?.iter().enumerate().map(column).collect()
}

fn calls_of(path: &str, node: &Node) -> Fallible<Vec<Call>> {
    let one = |(index, node)| call_of(&format!("{path}[{index}]"), node);
    list(path, node)?.iter().enumerate().map(one).collect()
}

fn call_of(path: &str, node: &Node) -> Fallible<Call> {
    let mut fields = Fields::of(path, node)?;
    let name = text(&below(path, "make"), fields.take("make")?)?.to_owned();
    let measurements = match fields.option(MEASUREMENTS) {
        None => Vec::new(),
        Some(node) => {
            let path = below(path, MEASUREMENTS);
            if list(&path, node)?.is_empty() {
                return Err(refuse(&path, "must not be empty"));
            }
            let one = |(index, node)| calls_of(&format!("{path}[{index}]"), node);
            list(&path, node)?.iter().enumerate().map(one).collect::<Fallible<_>>()?
        }
    };
    let parameter = |(name, node): (&str, &Node)| Ok((name.to_owned(), parameter_of(&below(path, name), node)?));
    Ok(Call { name, parameters: fields.left.into_iter().map(parameter).collect::<Fallible<_>>()?, measurements })
}

fn parameter_of(path: &str, node: &Node) -> Fallible<Parameter> {
    match node {
        Node::Parameter(parameter) => Ok(parameter.clone()),
        Node::List(values) => {
            let one = |(index, node)| parameter_of(&format!("{path}[{index}]"), node);
            Ok(Parameter::List(values.iter().enumerate().map(one).collect::<Fallible<_>>()?))
        }
        Node::Table(_) => Err(refuse(path, "expected a value")),
    }
}

fn nodes_of(calls: &[Call]) -> Node {
    Node::List(calls.iter().map(node_of).collect())
}

fn node_of(call: &Call) -> Node {
    let make = ("make".to_owned(), Node::Parameter(Parameter::Text(call.name.clone())));
    let parameters = call.parameters.iter().map(|(name, value)| (name.clone(), node_of_parameter(value)));
    let measurements = Node::List(call.measurements.iter().map(|calls| nodes_of(calls)).collect());
    let measurements = (!call.measurements.is_empty()).then(|| (MEASUREMENTS.to_owned(), measurements));
    Node::Table([make].into_iter().chain(parameters).chain(measurements).collect())
}

fn node_of_parameter(parameter: &Parameter) -> Node {
    match parameter {
        Parameter::List(values) => Node::List(values.iter().map(node_of_parameter).collect()),
        other => Node::Parameter(other.clone()),
    }
}
