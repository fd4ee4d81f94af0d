//! `plan`.

use crate::{
    arguments::{Format, PlanArguments},
    failure::Failure,
};
use indistinct::plans::FrameMeasurement;
use indistinct_audit::{
    Verdict,
    plans::{Neighbors, check_plan},
    statistical::{Effort, progress_bar},
};
use indistinct_tables::{Csv, Error};
use serde_json::json;
use std::{
    fs,
    io::{self, IsTerminal},
    thread,
};

/// The printed report, and true if the claim is refuted.
pub(crate) fn run(arguments: &PlanArguments, confidence: f64, format: Format) -> Result<(String, bool), Failure> {
    let path = &arguments.plan;
    let text = fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let plan = if is_json { FrameMeasurement::from_json(&text) } else { FrameMeasurement::from_toml(&text) };
    let plan = plan.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let (domain, metric) = plan.input_space();
    let mut examples = Vec::new();
    // A row of nobody: where a plan takes no missing cell, rows that lack it are left out.
    let required = domain.names().iter().zip(domain.columns()).filter(|(_, column)| !column.has_missing());
    let reader = required.fold(Csv::new(), |reader, (name, _)| reader.drop_null(name));
    for rows in &arguments.rows {
        let table = reader.read(rows, &domain).map_err(|error| match error {
            Error::File { .. } => Failure::File(error.to_string()),
            _ => Failure::Input(error.to_string()),
        })?;
        examples.push(table.to_vec());
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let effort = Effort {
        draws: arguments.draws,
        confidence,
        threads: u32::try_from(cores).unwrap_or(1),
        seed: arguments.seed,
        progress: io::stderr().is_terminal().then_some(progress_bar),
    };
    let neighbors = Neighbors {
        drawn: arguments.pairs,
        chosen: usize::try_from(arguments.chosen).unwrap_or(usize::MAX),
        longest: usize::try_from(arguments.longest).unwrap_or(usize::MAX),
    };
    let report = check_plan(&plan, &examples, neighbors, &effort);
    if let Verdict::Untested { why } = &report.verdict {
        return Err(Failure::Nothing(why.clone()));
    }
    let claim = plan.loss(1).map_err(|error| Failure::Input(error.to_string()))?;
    let text = match format {
        Format::Text => format!("claimed at distance 1 ({metric:?}): {claim}\n{report}\n"),
        Format::Json => {
            let value = json!({
                "claim": claim,
                "metric": format!("{metric:?}"),
                "confidence": confidence,
                "seed": arguments.seed,
                "runs": report.runs,
                "ratio": report.ratio,
                "refuted": report.is_violated(),
                "verdict": report.verdict.to_string(),
            });
            format!("{value:#}\n")
        }
    };
    Ok((text, report.is_violated()))
}
