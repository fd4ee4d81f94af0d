//! The data, the model, and its evaluation without noise, for the reader alone.

use indistinct_examples::read;
use serde::Deserialize;
use std::{collections::BTreeMap, error::Error, path::Path};

/// About how many people take part, known from the experiment's design: a step's size depends on it, not its privacy.
pub(crate) const PEOPLE: f64 = 4700.0;
/// The model's inputs for a year: see `features`.
pub(crate) const FEATURES: usize = 10;

/// The columns that are used.
#[derive(Deserialize)]
struct Record {
    person_id: u64,
    coinsurance: f64,
    age: f64,
    female: f64,
    income: f64,
    education: Option<f64>,
    family_size: f64,
    mental_health: f64,
    md_visits: f64,
    admissions: f64,
}

impl Record {
    const COLUMNS: [&str; 10] = [
        "person_id",
        "coinsurance",
        "age",
        "female",
        "income",
        "education",
        "family_size",
        "mental_health",
        "md_visits",
        "admissions",
    ];
}

/// The facts about a year, and whether it saw an admission.
pub(crate) type Year = (Vec<f64>, bool);
/// All years of an individual.
pub(crate) type Person = Vec<Year>;

/// Numbers of about unit size, by constants chosen from general knowledge, not from the data.
fn features(row: &Record) -> Vec<f64> {
    let age = (row.age - 30.0) / 20.0;
    vec![
        1.0,
        row.female - 0.5,
        age,
        age * age - 1.0,
        row.md_visits.max(0.0).ln_1p() - 1.0,
        row.income / 10_000.0 - 1.0,
        (row.education.unwrap_or(12.0) - 12.0) / 4.0,
        (row.family_size - 4.0) / 2.0,
        (row.mental_health - 75.0) / 15.0,
        row.coinsurance / 100.0 - 0.25,
    ]
}

/// The people to learn from, each with their number, and the years to test on: which of the two an individual is for
/// depends on their number alone.
fn split(rows: &[Record]) -> (Vec<(u64, Person)>, Vec<Year>) {
    let (mut people, mut test): (BTreeMap<u64, Person>, Vec<Year>) = (BTreeMap::new(), Vec::new());
    for row in rows {
        let year = (features(row), row.admissions > 0.0);
        if row.person_id % 5 == 0 {
            test.push(year);
        } else {
            people.entry(row.person_id).or_default().push(year);
        }
    }
    (people.into_iter().collect(), test)
}

fn dot(weights: &[f64], features: &[f64]) -> f64 {
    weights.iter().zip(features).map(|(weight, x)| weight * x).sum()
}

/// The gradient of the logistic loss of all years of an individual.
pub(crate) fn gradient(weights: &[f64], person: &[Year]) -> Vec<f64> {
    let mut sum = vec![0.0; weights.len()];
    for (features, admitted) in person {
        let predicted = 1.0 / (1.0 + (-dot(weights, features)).exp());
        let residual = predicted - if *admitted { 1.0 } else { 0.0 };
        sum.iter_mut().zip(features).for_each(|(sum, x)| *sum += residual * x);
    }
    sum
}

/// The same without clipping, samples and noise, until nothing changes.
pub(crate) fn without_privacy(people: &[Person]) -> Vec<f64> {
    let mut weights = vec![0.0; FEATURES];
    let years: f64 = people.iter().map(|_| 1.0).sum();
    for _ in 0..500 {
        let mut total = vec![0.0; FEATURES];
        for person in people {
            total.iter_mut().zip(gradient(&weights, person)).for_each(|(sum, x)| *sum += x);
        }
        weights.iter_mut().zip(total).for_each(|(weight, sum)| *weight -= 0.5 * sum / years);
    }
    weights
}

/// The share of years that are predicted rightly, and the probability that a year with an admission is ranked above one
/// without.
pub(crate) fn scores(weights: &[f64], years: &[Year]) -> (f64, f64) {
    let mut ranked: Vec<(f64, bool)> =
        years.iter().map(|(features, admitted)| (dot(weights, features), *admitted)).collect();
    ranked.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (mut right, mut with, mut without, mut above) = (0.0, 0.0, 0.0, 0.0);
    for (score, admitted) in ranked {
        right += if (score > 0.0) == admitted { 1.0 } else { 0.0 };
        if admitted {
            with += 1.0;
            above += without;
        } else {
            without += 1.0;
        }
    }
    (right / (with + without), above / (with * without))
}

/// The people to learn from and the years to test on, from a file.
pub(crate) fn survey(file: &Path) -> Result<(Vec<(u64, Person)>, Vec<Year>), Box<dyn Error>> {
    let rows: Vec<Record> = read(file, &Record::COLUMNS)?;
    if let Some((_, line)) = rows.iter().zip(2..).find(|(row, _)| features(row).iter().any(|x| !x.is_finite())) {
        return Err(format!("{}: line {line} has a number that is not finite", file.display()).into());
    }
    Ok(split(&rows))
}

/// The length of a vector.
pub(crate) fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}
