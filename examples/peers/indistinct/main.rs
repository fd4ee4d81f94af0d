//! The tasks of the table beside that are programs and no plans, each by its name.
//!
//!     cargo run --release --bin peers -- regression

mod accuracy;
mod cells_and_margin;
mod counts_by_category;
mod filter;
mod histogram_unknown_keys;
mod mean_and_variance;
mod mean_bounds_unknown;
mod noise_for_accuracy;
mod own_mechanism;
mod parallel_medians;
mod private_gradient_descent;
mod public_table;
mod quartiles;
mod regression;
mod six_releases_by_weights;
mod sparse_vector;
mod stored_and_rebuilt;
mod survey;
mod totals_of_individuals;
mod two_columns_listed;
mod two_columns_unknown;
mod zcdp_converted;

use std::error::Error;

type Task = (&'static str, fn() -> Result<(), Box<dyn Error>>);

const TASKS: [Task; 21] = [
    ("accuracy", accuracy::run),
    ("cells_and_margin", cells_and_margin::run),
    ("counts_by_category", counts_by_category::run),
    ("filter", filter::run),
    ("histogram_unknown_keys", histogram_unknown_keys::run),
    ("mean_and_variance", mean_and_variance::run),
    ("mean_bounds_unknown", mean_bounds_unknown::run),
    ("noise_for_accuracy", noise_for_accuracy::run),
    ("own_mechanism", own_mechanism::run),
    ("parallel_medians", parallel_medians::run),
    ("private_gradient_descent", private_gradient_descent::run),
    ("public_table", public_table::run),
    ("quartiles", quartiles::run),
    ("regression", regression::run),
    ("six_releases_by_weights", six_releases_by_weights::run),
    ("sparse_vector", sparse_vector::run),
    ("stored_and_rebuilt", stored_and_rebuilt::run),
    ("totals_of_individuals", totals_of_individuals::run),
    ("two_columns_listed", two_columns_listed::run),
    ("two_columns_unknown", two_columns_unknown::run),
    ("zcdp_converted", zcdp_converted::run),
];

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "regression".into());
    let (_, run) = TASKS.iter().find(|(task, _)| *task == name).ok_or_else(|| format!("there is no task {name}"))?;
    run()
}
