//! Negative controls: what a slip of the pen would have made of a constructor. The audits of the gate must find every
//! one.
//!
//! Each family also has sound ones, built in the same way, so that a negative control is not found for a wrong reason.

mod accounting;
mod domains;
mod fits;
mod flow;
mod frames;
mod marginals;
mod matrices;
mod noise;
mod rows;
mod samples;
mod selection;
mod steps;
mod vectors;

use indistinct_audit::Report;

/// A slip in words, and the audit of what it gives.
pub(crate) type Control = (&'static str, Report);

/// All negative controls of a family, and sound ones beside them.
pub(crate) struct Family {
    pub(crate) controls: Vec<Control>,
    pub(crate) sound: Vec<Control>,
}

/// The audits of the gate find all of these, so many at the least, and none of the sound ones.
pub(crate) fn are_found(family: Family, least: usize) {
    assert!(family.controls.len() >= least && !family.sound.is_empty());
    for (name, report) in &family.controls {
        println!("{name}: {}\n", report.verdict);
    }
    let escaped: Vec<&str> =
        family.controls.iter().filter(|(_, report)| !report.is_violated()).map(|(name, _)| *name).collect();
    assert!(escaped.is_empty(), "{escaped:?}");
    for (name, report) in &family.sound {
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
    controls_of_steps_are_found: 48 of rows;
    controls_of_vectors_are_found: 31 of vectors;
    controls_of_matrices_are_found: 25 of matrices;
    controls_of_domains_are_found: 25 of domains;
    controls_of_noise_are_found: 44 of noise;
    controls_of_draws_are_found: 25 of fits;
    controls_of_flow_are_found: 13 of flow;
    controls_of_selections_are_found: 24 of selection;
    controls_of_samples_are_found: 4 of samples;
    controls_of_factors_are_found: 5 of steps;
    controls_of_frames_are_found: 26 of frames;
    controls_of_marginals_are_found: 8 of marginals;
    controls_of_losses_are_found: 33 of accounting;
}
