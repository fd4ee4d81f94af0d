//! Edits that change a guarantee and that an outside audit found unnoticed: each is noticed now.
//!
//! They are made on a copy of this workspace, all of a list at once, since each problem names its own edit. Edits of
//! the kinds that stay outside are listed with the reason in `proofs/README.md`, under "Sabotages".

use crate::small::{Edit, copy_of_this_workspace};
use std::fs;
use xtask::proofs::check;

const fn edit(file: &'static str, from: &'static str, to: &'static str, told: &'static str) -> Edit {
    Edit { file, from, to, told }
}

/// Code of modules that no page covers, which reaches into code that pages cover.
#[rustfmt::skip] // a line for each edit
const CODE: &[Edit] = &[
    edit("rust/indistinct/src/search.rs", "impl SearchParameter for f64 {", "use crate::metrics::*;\nimpl CastMetric<InsertDeleteDistance> for SymmetricDistance { fn steps(&self) -> u32 { 1 } }\nimpl SearchParameter for f64 {", "search::<SymmetricDistance as CastMetric>::steps, which implements"),
    edit("rust/indistinct/src/postprocessing/quantiles.rs", "impl Block {", "impl crate::metrics::ChangeOneDistance { pub fn unit() -> u32 { 1 } }\nimpl Block {", "quantiles::ChangeOneDistance::unit, which implements"),
    edit("rust/indistinct/src/transformations/mod.rs", "pub use super::clamp::{make_clamp, then_clamp};", "pub use super::clamp::make_clamp;\n    pub use crate::search::then_clamp;", "transformations::constructors::then_clamp means indistinct::search::then_clamp, which is no constructor"),
    edit("rust/indistinct/src/transformations/mod.rs", "pub use super::count::{make_count, then_count};", "pub use super::count::make_count;\n    pub use super::count_distinct::then_count_distinct as then_count;", "transformations::constructors::then_count means"),
    edit("rust/indistinct/src/lib.rs", "pub mod accuracy;", "#[macro_use]\npub mod accuracy;", "indistinct::accuracy is under #[macro_use]"),
    edit("rust/indistinct/src/accuracy/gaussian.rs", "struct TwoTails(f64);", "macro_rules! matches { ($($t:tt)*) => { true } }\nstruct TwoTails(f64);", "indistinct::accuracy::gaussian: the macro matches has a name"),
    edit("rust/sampling/src/entropy.rs", "#[cfg(feature = \"testing\")]\npub mod testing;", "pub mod testing;", "indistinct_sampling::entropy::testing is no longer declared under"),
];

/// Which rows there are, and whose they are.
#[rustfmt::skip] // a line for each edit
const ROWS: &[Edit] = &[
    edit("rust/engine/src/spill.rs", "*rows = Vec::new();", "", "engine/rows.md: indistinct_engine::spill has changed"),
    edit("rust/engine/src/native.rs", "take(&mut dealt)?;", "take(&mut dealt.clone())?;", "engine/rows.md: indistinct_engine::native has changed"),
    edit("rust/tables/src/parquet.rs", "with_row_groups(vec![group])", "with_row_groups(vec![group, 0])", "engine/rows.md: indistinct_tables::parquet has changed"),
    edit("rust/cli/src/schema.rs", "Some(name) => domain.with_individuals(name),", "Some(name) => domain.with_individuals_or_null(name),", "cli/doors.md: indistinct_cli::schema::TableSchema::domain has changed"),
    edit("rust/python/src/rows.rs", "Some(name) if or_rows => domain.with_individuals_or_null(name)?,", "", "cli/doors.md: indistinct_python::rows::domain has changed"),
    edit("rust/ledger/src/lib.rs", "mod charge;", "mod charge;\nfn refund() {}", "no page covers indistinct_ledger::refund"),
    edit("rust/sql/Cargo.toml", "[dependencies]\n", "[dependencies]\nindistinct-sampling.workspace = true\n", "sql/questions.md: workspace::manifest::sql has changed"),
];

/// How code is built, and what is trusted by its name.
#[rustfmt::skip] // a line for each edit
const BUILD: &[Edit] = &[
    edit("rust/cli/Cargo.toml", "indistinct = { workspace = true, features = [\"plans\"] }", "indistinct = { workspace = true, features = [\"plans\", \"testing\"] }", "rust/cli is built with the feature testing of indistinct, indistinct-sampling"),
    edit("rust/report/Cargo.toml", "[dependencies]\n", "[dependencies]\nindistinct-audit = { workspace = true, features = [\"seeds\"] }\n", "rust/report is built with the feature testing of"),
    edit(".cargo/config", "", "[build]\nrustflags = [\"-Coverflow-checks=no\"]\n", ".cargo/config decides how code is built"),
    edit("rust/sampling/.cargo/config.toml", "", "[patch.crates-io]\nrug = { path = \"evil\" }\n", "rust/sampling/.cargo/config.toml decides how code is built"),
    edit("docs/.cargo/config.toml", "", "", "docs/.cargo/config.toml decides how code is built"),
    edit("rust-toolchain.toml", "", "[toolchain]\nchannel = \"evil\"\n", "rust-toolchain.toml decides how code is built"),
    edit("rust/cluster/rust-toolchain", "", "evil", "rust/cluster/rust-toolchain decides how code is built"),
    edit("Cargo.lock", "name = \"rand_core\"\nversion = \"0.10.", "name = \"rand_core\"\nversion = \"0.11.", "workspace::locked::rand_core has changed"),
    edit("Cargo.lock", "name = \"libsqlite3-sys\"\nversion = \"0.", "name = \"libsqlite3-sys\"\nversion = \"9.", "workspace::locked::libsqlite3-sys has changed"),
    edit("Cargo.lock", "name = \"rusqlite\"\nversion = \"0.", "name = \"rusqlite\"\nversion = \"9.", "workspace::locked::rusqlite has changed"),
    edit("Cargo.lock", "name = \"zeroize\"\nversion = \"1.", "name = \"zeroize\"\nversion = \"9.", "workspace::locked::zeroize has changed"),
    edit("rust/cluster/Cargo.lock", "name = \"chacha20\"\nversion = \"0.", "name = \"chacha20\"\nversion = \"9.", "workspace::locked::chacha20 has changed"),
    edit("rust/cluster/Cargo.toml", "[profile.release]\noverflow-checks = true", "[profile.release]\noverflow-checks = false", "workspace::profiles has changed"),
    edit("rust/cluster/Cargo.toml", "[workspace.dependencies]\n", "[patch.crates-io]\nrug = { path = \"evil\" }\n\n[workspace.dependencies]\n", "workspace::settings has changed"),
    edit("rust/cluster/Cargo.toml", "indistinct-engine = { version = \"0.1.0\", path = \"../engine\" }", "indistinct-engine = { version = \"0.1.0\", path = \"../evil\" }", "workspace::manifest::cluster has changed"),
];

/// Features that reach other crates too, so that they are tried alone.
#[rustfmt::skip] // a line for each edit
const FEATURES: &[Edit] = &[
    edit("rust/sessions/Cargo.toml", "[features]\n", "[features]\ndefault = [\"testing\"]\n", "rust/sessions is built with the feature testing of indistinct, indistinct-sampling, indistinct-sessions"),
    edit("rust/python/Cargo.toml", "[dependencies]\n", "[dependencies]\nindistinct-sampling = { workspace = true, features = [\"testing\"] }\n", "rust/python is built with the feature testing of"),
];

#[test]
fn edits_that_went_unnoticed_are_noticed() {
    let copy = copy_of_this_workspace();
    for edits in [&[CODE, ROWS, BUILD].concat(), &FEATURES.to_vec()] {
        let texts: Vec<_> =
            edits.iter().map(|edit| (edit, fs::read_to_string(copy.path().join(edit.file)).ok())).collect();
        for Edit { file, from, to, .. } in edits {
            let path = copy.path().join(file);
            let text = fs::read_to_string(&path).unwrap_or_default();
            assert!(text.contains(from), "{file}: {from}");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replacen(from, to, 1)).unwrap();
        }
        let found: Vec<String> = check(copy.path()).unwrap().problems.iter().map(ToString::to_string).collect();
        for Edit { file, to, told, .. } in edits {
            assert!(found.iter().any(|problem| problem.contains(told)), "{file}: {to}\n{}", found.join("\n"));
        }
        for (Edit { file, .. }, text) in texts {
            let path = copy.path().join(file);
            text.map_or_else(|| fs::remove_file(&path).unwrap(), |text| fs::write(&path, text).unwrap());
        }
    }
    let left = check(copy.path()).unwrap().problems;
    assert!(left.is_empty(), "{}", crate::small::lines(&left));
}
