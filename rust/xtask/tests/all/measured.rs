//! Pages show the numbers that benchmarks measured.

use std::{fs, path::Path};
use tempfile::TempDir;
use xtask::measured::{pages, write};

#[test]
fn pages_show_what_was_measured() {
    let found = pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    for (file, there, written) in &found {
        assert!(there == written, "{file} shows another number than docs/measured.toml: run `cargo xtask measured`");
    }
    assert!(found.len() >= 3, "{} pages", found.len());
}

const MEASURED: &str = "[tables]\ncommand = \"make bench\"\ndate = 2026-11-24\nmachine = \"two cores\"\n\
                        sum = { ours = 1234.56, theirs = 8 }\n";
const PAGE: &str =
    "| 1,235<!--=tables.sum.ours--> | 8<!--=tables.sum.theirs--> |\nAbout 1,234.6<!--=tables.sum.ours--> ms.\n";

#[test]
fn another_number_is_found_and_written() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("docs")).unwrap();
    fs::write(place.path().join("README.md"), "").unwrap();
    let with = |measured: &str, page: &str| {
        fs::write(place.path().join("docs/measured.toml"), measured).unwrap();
        fs::write(place.path().join("docs/SPEED.md"), page).unwrap();
        pages(place.path()).map(|found| found.into_iter().all(|(_, there, written)| there == written))
    };
    assert!(with(MEASURED, PAGE).unwrap());
    for (from, to) in [("1,235", "1,234"), ("| 8<", "| 8.5<"), ("1,234.6", "1,234.5"), ("1,235", "1235")] {
        assert!(!with(MEASURED, &PAGE.replace(from, to)).unwrap(), "{to}");
        write(place.path()).unwrap();
        assert!(pages(place.path()).unwrap().iter().all(|(_, there, written)| there == written), "{to}");
    }
    for (from, to, why) in [
        ("sum.theirs-->", "sum.others-->", "has no tables.sum.others"),
        ("| 8<", "| <", "no number stands before tables.sum.theirs"),
        ("8<!--=tables.sum.theirs-->", "8", "no page shows tables.sum.theirs"),
    ] {
        let error = with(MEASURED, &PAGE.replace(from, to)).unwrap_err();
        assert!(format!("{error:#}").contains(why), "{error:#}");
    }
    let error = with(&MEASURED.replace("date = 2026-11-24\n", ""), PAGE).unwrap_err();
    assert!(error.to_string().contains("tables has no date"), "{error}");
}
