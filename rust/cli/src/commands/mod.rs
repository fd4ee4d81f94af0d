//! The commands, one file each.

pub(crate) mod accounting;
pub(crate) mod accuracy;
pub(crate) mod budget;
pub(crate) mod certificate;
pub(crate) mod init;
pub(crate) mod inspect_private;
pub(crate) mod ledger;
mod opendp;
pub(crate) mod plan;
mod question;
pub(crate) mod release;
pub(crate) mod report;
mod rest;
pub(crate) mod shell;
mod smartnoise;

use crate::failure::Failure;
use indistinct::plans::FrameMeasurement;
use indistinct_ledger::{Amount, Loss};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::file(path, &error))
}

/// A ledger's file, and those that it keeps beside it.
pub(crate) fn of_ledger(ledger: &Path) -> Vec<PathBuf> {
    let beside = |ending: &str| {
        let mut name = ledger.as_os_str().to_owned();
        name.push(ending);
        name.into()
    };
    ["", "-journal", "-wal"].map(beside).to_vec()
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file(path, &error))
}

/// A plan in TOML or, if its name ends so, in JSON.
pub(crate) fn plan(path: &Path) -> Result<FrameMeasurement, Failure> {
    let text = text(path)?;
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let plan = if is_json { FrameMeasurement::from_json(&text) } else { FrameMeasurement::from_toml(&text) };
    plan.map_err(|error| Failure::in_text(error.to_string(), &path.display().to_string(), &text, error.place()))
}

/// `epsilon=1`, `rho=0.5`, or `epsilon=1,delta=1e-6`.
fn numbers(text: &str) -> Result<Vec<(&str, Amount)>, Failure> {
    let wrong = || {
        Failure::new(2, format!("{text:?} is not a budget; examples are epsilon=1, rho=0.5 and epsilon=1,delta=1e-6"))
    };
    let pairs = text.split(',').map(|part| {
        let (name, number_text) = part.split_once('=').ok_or_else(wrong)?;
        let name =
            ["epsilon", "delta", "rho", "mu"].into_iter().find(|known| *known == name.trim()).ok_or_else(wrong)?;
        let amount = number_text.trim().parse::<Amount>();
        Ok((name, amount.map_err(|error| Failure::new(3, format!("{text:?} is not a budget: {error}")))?))
    });
    pairs.collect()
}

/// Parses a guarantee.
pub(crate) fn guarantee(text: &str) -> Result<Loss, Failure> {
    match numbers(text)?.as_slice() {
        [("mu", mu)] => Ok(Loss::mu(mu.clone())?),
        _ => loss(text),
    }
}

/// Parses the budget of an account or of a question, as exact decimals.
pub(crate) fn loss(text: &str) -> Result<Loss, Failure> {
    Ok(match numbers(text)?.as_slice() {
        [("epsilon", epsilon)] => Loss::epsilon(epsilon.clone())?,
        [("rho", rho)] => Loss::rho(rho.clone())?,
        [("epsilon", epsilon), ("delta", delta)] => Loss::epsilon_delta(epsilon.clone(), delta.clone())?,
        _ => return Err(Failure::new(2, format!("{text:?}: use epsilon, rho, or epsilon with delta"))),
    })
}
