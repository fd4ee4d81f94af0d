//! Visits to a doctor by age: slope and intercept, one row of each person.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("age", ColumnDomain::float()),
        ("md_visits", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let x = (col("age") / 65.0).fill(0.0).clamp(0.0, 1.0);
    let y = (col("md_visits") / 40.0).fill(0.0).clamp(0.0, 1.0);
    let products = vec![("xx", (x.clone() * x.clone()).fill(0.0)), ("xy", (x.clone() * y.clone()).fill(0.0))];
    let columns = [vec![("n", lit(1.0)), ("x", x), ("y", y)], products].concat();
    let people = ((survey, SymmetricIdDistance) >> then_with_columns(columns))?;
    let total = |column: &'static str| {
        people.clone()
            >> then_rows_of_individuals::<i64, f64, _>(vec![column])
            >> then_bound_contributions(1)
            >> then_clamp((0.0, 1.0))
            >> then_sum()
            >> then_laplace(5.0)
    };
    let all = make_composition((total("n")?, total("x")?, total("y")?, total("xx")?, total("xy")?))?;
    let (n, x, y, xx, xy) = all.invoke(&frame)?;
    let slope = (xy - x * y / n) / (xx - x * x / n);
    println!("{:.4} a year of age, {:.2} at birth", 40.0 * slope / 65.0, 40.0 * (y - slope * x) / n);
    println!("epsilon {}", all.map(&1)?);
    Ok(())
}
