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

/// The audits of the gate find all of these, so many at the least, and none of the controls.
fn are_found(family: Family, least: usize) {
    assert!(family.twins.len() >= least && !family.controls.is_empty());
    for (name, report) in &family.twins {
        println!("{name}: {}\n", report.verdict);
    }
    let escaped: Vec<&str> =
        family.twins.iter().filter(|(_, report)| !report.is_violated()).map(|(name, _)| *name).collect();
    assert!(escaped.is_empty(), "{escaped:?}");
    for (name, report) in &family.controls {
        assert!(!report.is_violated() && report.pairs > 0, "{name}: {report}");
    }
}

macro_rules! found {
    ($($test:ident: $least:literal of $family:ident;)+) => {$(
        #[test]
        fn $test() {
            are_found($family::family(), $least);
        }
    )+};
}

found! {
    twins_of_steps_are_found: 48 of rows;
    twins_of_vectors_are_found: 23 of vectors;
    twins_of_matrices_are_found: 25 of matrices;
    twins_of_domains_are_found: 25 of domains;
    twins_of_noise_are_found: 38 of noise;
    twins_of_draws_are_found: 20 of fits;
    twins_of_flow_are_found: 13 of flow;
    twins_of_selections_are_found: 18 of selection;
    twins_of_samples_are_found: 4 of samples;
    twins_of_losses_are_found: 33 of accounting;
}
