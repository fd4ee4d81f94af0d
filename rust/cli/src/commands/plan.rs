//! `plan`.

use crate::{
    arguments::{Format, PlanCommand},
    commands::{opendp, plan},
    failure::Failure,
    output::{Rows, print},
};
use serde_json::json;

pub(crate) fn run(command: &PlanCommand, format: Format) -> Result<(), Failure> {
    match command {
        PlanCommand::Check { plan: path } => {
            let measurement = plan(path)?;
            let (domain, metric) = measurement.input_space();
            let (table, metric) = (format!("{domain:?}"), format!("{metric:?}"));
            Rows::of_words(&["table", "metric", "measure"], vec![vec![table, metric, measurement.measure()]])
                .print(format)
        }
        PlanCommand::Explain { plan: path, units } => {
            let explanation = plan(path)?.explain(*units)?;
            match format {
                Format::Json => print(&format!("{:#}\n", json!(explanation))),
                _ => print(&explanation.to_string()),
            }
        }
        PlanCommand::Hash { plan: path } => print(&format!("{}\n", plan(path)?.hash()?)),
        PlanCommand::FromOpendp { measurement, column } => print(&opendp::plan(measurement, column)?),
        PlanCommand::Diff { first, second } => {
            let (first, second) = (plan(first)?, plan(second)?);
            if first.hash()? == second.hash()? {
                return print("the same\n");
            }
            let (left, right) = (first.to_toml()?, second.to_toml()?);
            let told: String = differences(&left, &right).map(|line| line + "\n").collect();
            print(&told)
        }
    }
}

/// The lines that only one of two texts has, in order: `-` the first, `+` the second.
fn differences<'a>(left: &'a str, right: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let only = |of: &'a str, other: &'a str, sign: char| {
        let lines: Vec<&str> = other.lines().collect();
        of.lines().filter(move |line| !lines.contains(line)).map(move |line| format!("{sign} {line}"))
    };
    only(left, right, '-').chain(only(right, left, '+'))
}
