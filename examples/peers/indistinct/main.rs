//! The tasks of the table beside that no plan of the cookbook does, each by its name.
//!
//!     cargo run --release --bin peers -- regression

mod accuracy;
mod mean_and_variance;
mod mean_bounds_unknown;
mod noise_for_accuracy;
mod own_mechanism;
mod parallel_medians;
mod private_gradient_descent;
mod regression;
mod six_releases_by_weights;
mod sparse_vector;
mod stored_and_rebuilt;
mod survey;

use std::error::Error;

type Task = (&'static str, fn() -> Result<(), Box<dyn Error>>);

const TASKS: [Task; 11] = [
    ("accuracy", accuracy::run),
    ("mean_and_variance", mean_and_variance::run),
    ("mean_bounds_unknown", mean_bounds_unknown::run),
    ("noise_for_accuracy", noise_for_accuracy::run),
    ("own_mechanism", own_mechanism::run),
    ("parallel_medians", parallel_medians::run),
    ("private_gradient_descent", private_gradient_descent::run),
    ("regression", regression::run),
    ("six_releases_by_weights", six_releases_by_weights::run),
    ("sparse_vector", sparse_vector::run),
    ("stored_and_rebuilt", stored_and_rebuilt::run),
];

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "regression".into());
    let (_, run) = TASKS.iter().find(|(task, _)| *task == name).ok_or_else(|| format!("there is no task {name}"))?;
    run()
}
