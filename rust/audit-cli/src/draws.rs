//! `draws`.

use crate::{
    arguments::{DrawsArguments, Format},
    failure::Failure,
};
use indistinct_audit::{Draws, Key, Seen};
use serde_json::{Value, json};
use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

/// The printed report, and true if the claim is refuted.
pub(crate) fn run(arguments: &DrawsArguments, confidence: f64, format: Format) -> Result<(String, bool), Failure> {
    let (first, second) = (read(&arguments.first)?, read(&arguments.second)?);
    let given = (arguments.epsilon.unwrap_or(0.0), arguments.delta);
    let few = || Failure::Nothing("each file must contain at least two releases".into());
    let least = first.empirical_lower_bounds(&second, given, &[], confidence).ok_or_else(few)?;
    // An epsilon is refuted beside its delta; one bound says as much as the other.
    let claims = [
        ("epsilon", arguments.epsilon, least.epsilon),
        ("rho", arguments.rho, least.rho),
        ("mu", arguments.mu, least.mu),
    ];
    let refuted: Vec<&str> = claims
        .iter()
        .filter(|(_, claim, least)| claim.is_some_and(|claim| *least > claim))
        .map(|claim| claim.0)
        .collect();
    let draws = [first.number(), second.number()];
    let text = match format {
        Format::Json => {
            let value = json!({
                "draws": draws,
                "confidence": confidence,
                "least": { "epsilon": finite(least.epsilon), "delta": least.delta, "rho": finite(least.rho), "mu": finite(least.mu) },
                "given": { "epsilon": given.0, "delta": given.1 },
                "refuted": refuted,
            });
            format!("{value:#}\n")
        }
        Format::Text => {
            let mut text =
                format!("{} and {} draws; at confidence {confidence}, no less is true than\n", draws[0], draws[1]);
            text += &format!("epsilon {} (delta {})\n", least.epsilon, given.1);
            text += &format!("delta {} (epsilon {})\n", least.delta, given.0);
            text += &format!("rho {}\nmu {}\n", least.rho, least.mu);
            for (name, claim, least) in claims {
                let Some(claim) = claim else { continue };
                let verdict = if least > claim { "REFUTED" } else { "not refuted" };
                text += &format!("{name} {claim}: {verdict}\n");
            }
            text
        }
    };
    Ok((text, !refuted.is_empty()))
}

/// JSON has no infinity; its place is a text.
fn finite(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!("inf") }
}

/// Releases, one in each line that is not empty.
fn read(path: &Path) -> Result<Draws, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, &error))?;
    let mut keys = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| Failure::file(path, &error))?;
        let text = line.trim();
        if !text.is_empty() {
            keys.push(outcome(text));
        }
    }
    Ok(Draws::new(keys))
}

/// A number, or JSON, or text as it stands.
fn outcome(text: &str) -> Key {
    if let Ok(number) = text.parse::<i128>() {
        return number.key();
    }
    if let Ok(number) = text.parse::<f64>() {
        return number.key();
    }
    serde_json::from_str::<Value>(text).map_or_else(|_| text.key(), |value| key(&value))
}

fn key(value: &Value) -> Key {
    match value {
        Value::Null => Key::List(Vec::new()),
        Value::Bool(value) => value.key(),
        Value::Number(number) => outcome(&number.to_string()),
        Value::String(text) => text.key(),
        Value::Array(values) => Key::List(values.iter().map(key).collect()),
        Value::Object(entries) => {
            Key::List(entries.iter().map(|(name, value)| Key::List(vec![name.key(), key(value)])).collect())
        }
    }
}
