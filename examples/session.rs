//! A data set with a budget, an analyst with a part of it, and two questions: priced, released, and released again.
//!
//!     cargo run --release --bin session -- /tmp/stays.ledger
//!
//! Run it twice: the second time finds what the first one released, and pays nothing.

use indistinct::{frames::*, queries::Budget};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Program, Session, Unit};
use indistinct_tables::Csv;
use std::{error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "stays.ledger".into());
    let stays = FrameDomain::new([
        ("patient", ColumnDomain::text()),
        ("region", ColumnDomain::text().with_missing()),
        ("sex", ColumnDomain::text().with_missing()),
        ("admitted", ColumnDomain::date().with_missing()),
        ("days", ColumnDomain::float().with_missing()),
    ])?
    .with_individuals("patient")?;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/stays.csv");
    let rows = {
        let (stays, csv) = (stays.clone(), Csv::new().delimiter(b';').decimal(',').format("admitted", "%d.%m.%Y"));
        move || csv.clone().missing(["NA", "."]).drop_null("patient").read(file, &stays)
    };

    // The curator, once: a budget for the data, and a part of it for Ann.
    if !Path::new(&path).exists() {
        let mut ledger = Ledger::create(&path, "stays of 2026", &Loss::epsilon(2.0)?)?;
        ledger.add_account("ann", "stays of 2026", &Loss::epsilon(1.0)?)?;
    }

    // Ann, at any time.
    let session = Session::new(Ledger::open(&path)?, "ann", Unit::Individuals(1))?;
    let program = Program::new("session", env!("CARGO_PKG_VERSION"), Some(include_str!("../Cargo.lock")));
    let mut session = session.with_table("stays", stays, rows)?.with_program(program);
    let by = KeySet::product([("region", ["north", "south"]), ("sex", ["f", "m"])])?;
    let query = session.query("stays")?.max_rows_per_individual(2).group_by(by).count().mean(col("days"), (0.0, 30.0));

    let priced = session.price("stays", &query.measurement(Budget::Epsilon(0.5))?)?;
    println!("{priced}\n");
    let release = session.release(priced, "days by region and sex")?;
    println!("{}\n{}", if release.is_replay { "as before:" } else { "released:" }, release.answer);
    release.certificate.verify(&release.released)?;

    // A question that is chosen in view of the first answer.
    let largest = release.answer.column("count").into_iter().flatten().filter_map(|count| count.value);
    if largest.fold(0.0, f64::max) > 100.0 {
        let median = session.query("stays")?.quantiles(col("days"), (0..=30).map(f64::from).collect(), &[0.5]);
        let priced = session.price("stays", &median.measurement(Budget::Epsilon(0.25))?)?;
        println!("\n{}", session.release(priced, "median days")?.answer);
    }
    println!("\nleft: {}", session.budget()?.remaining);
    std::fs::write(format!("{path}.certificate.json"), release.certificate.to_json()?)?;
    std::fs::write(format!("{path}.released.json"), &release.released)?;
    Ok(())
}
