//! Broken twins: what a slip of the pen would have made of a constructor. The audits of the gate must find every one.
//!
//! Each family has controls, which are sound and built in the same way, so that a twin is not found for a wrong reason.

mod accounting;
mod domains;
mod fits;
mod flow;
mod matrices;
mod noise;
mod rows;
mod samples;
mod selection;
mod vectors;

use indistinct_audit::Report;

/// A slip in words, and the audit of what it gives.
type Twin = (&'static str, Report);

/// All twins and all controls of a family.
struct Family {
    twins: Vec<Twin>,
    controls: Vec<Twin>,
}

fn families() -> [Family; 10] {
    [
        rows::family(),
        vectors::family(),
        matrices::family(),
        domains::family(),
        noise::family(),
        fits::family(),
        flow::family(),
        selection::family(),
        samples::family(),
        accounting::family(),
    ]
}

#[test]
fn every_twin_is_found_and_no_control() {
    let (mut found, mut escaped) = (0, Vec::new());
    for family in families() {
        for (name, report) in &family.twins {
            println!("{name}: {}\n", report.verdict);
            found += u32::from(report.is_violated());
            if !report.is_violated() {
                escaped.push(*name);
            }
        }
        assert!(!family.controls.is_empty());
        for (name, report) in &family.controls {
            assert!(!report.is_violated() && report.pairs > 0, "{name}: {report}");
        }
    }
    assert!(escaped.is_empty(), "{escaped:?}");
    assert!(found >= 60, "{found} twins");
    println!("{found} twins");
}
