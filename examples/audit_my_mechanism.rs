//! Three mechanisms as they have been written before, each with a classic bug, and what an audit says to them.
//!
//!     cargo run --release -p indistinct-examples --example audit_my_mechanism

use indistinct::{
    prelude::*,
    sampling::{Entropy, IntegerNoise},
};
use indistinct_audit::{
    Report, View, cells, check,
    exact::exact,
    last_digits,
    statistical::{Effort, progress_bar},
    tape::Probing,
};
use std::{collections::BTreeMap, process::ExitCode};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// True if all three bugs were found.
fn run() -> Fallible<bool> {
    let mut found = true;
    for (name, report) in [
        ("Laplace noise by the textbook, in floats", textbook_laplace()?),
        ("Sparse vector that releases the numbers it compared", sparse_vector()?),
        ("A threshold that keeps by >= and is charged for >", threshold()?),
    ] {
        found &= report.is_violated();
        println!("{name}\n{report}\n");
    }
    Ok(found)
}

/// `x - scale * sign * ln(u)`, as in textbooks. Near 0 a release has digits that no sum with 1 can have (Mironov 2012).
fn textbook_laplace() -> Fallible<Report> {
    let mine = make_user_measurement(
        AtomDomain::f64(),
        AbsoluteDistance::new(),
        MaxDivergence,
        |x: &f64, entropy: &mut dyn Entropy| {
            let (negative, bits) = (entropy.bit()?, entropy.bits(53)? | 1 << 53);
            // A float from 1 to 2 less one, and not 0.
            let uniform = (f64::from_bits(bits >> 1 | 0x3ff0_0000_0000_0000) - 1.0).max(2f64.powi(-53));
            let noise = -uniform.ln();
            Ok(if negative { x - noise } else { x + noise })
        },
        |d_in: &f64| Ok(*d_in),
    )?;
    // A release as it is, in which of some cells it lies, and where its last digit is.
    let in_cells = cells((-8..8).map(f64::from).collect());
    let views: [View; 2] = [&in_cells, &last_digits];
    let effort = Effort { progress: Some(progress_bar), ..Effort::default() };
    // So many bits in one word are left to draws.
    let probing = Probing { runs: 1000, ..Probing::default() };
    Ok(check(&mine, &[0.0, 1.0], probing, &views, &effort))
}

/// Algorithm 3 of Lyu, Su, Li 2017: after responses of false, the first positive response includes its noisy number.
/// From it one knows that the noisy threshold is below, and so more about every query before it.
fn sparse_vector() -> Fallible<Report> {
    let (threshold_noise, value_noise) = (IntegerNoise::laplace(2.0)?, IntegerNoise::laplace(1.0)?);
    let mine = make_user_measurement(
        // The responses to five queries.
        VectorDomain::new(AtomDomain::i64()).with_size(5),
        LInfDistance::new(),
        MaxDivergence,
        move |answers: &[i64], entropy: &mut dyn Entropy| {
            let threshold = threshold_noise.draw_i64(entropy)?;
            for (position, answer) in answers.iter().enumerate() {
                let noisy = answer + value_noise.draw_i64(entropy)?;
                if noisy >= threshold {
                    return Ok(Some((position, noisy)));
                }
            }
            Ok(None)
        },
        // 1 / 2 for the threshold, 2 / 1 for the positive response.
        |d_in: &f64| Ok(2.5 * d_in),
    )?;
    // Four answers rise, and the last falls. Six draws are too many for all bits.
    let probing = Probing { runs: 1000, ..Probing::default() };
    let effort = Effort { draws: 2_000_000, progress: Some(progress_bar), ..Effort::default() };
    Ok(check(&mine, &[vec![0, 0, 0, 0, 0], vec![1, 1, 1, 1, -1]], probing, &[], &effort))
}

/// Counts of unknown keys with noise, kept if they reach 5; delta is the probability that a count of one comes to
/// be *above* 5.
fn threshold() -> Fallible<Report> {
    let noise = IntegerNoise::laplace(1.0)?;
    let mine = make_user_measurement(
        MapDomain::new(AtomDomain::string(), AtomDomain::i64()),
        L01InfDistance,
        Approximate(MaxDivergence),
        move |counts: &BTreeMap<String, i64>, entropy: &mut dyn Entropy| {
            let mut kept = BTreeMap::new();
            for (key, count) in counts {
                let noisy = count + noise.draw_i64(entropy)?;
                if noisy >= 5 {
                    kept.insert(key.clone(), noisy);
                }
            }
            Ok(kept)
        },
        // P(1 + Z > 5) for discrete Laplace noise Z of scale 1, for one key.
        |&(_, l1, _): &(u32, f64, f64)| Ok((l1, if l1 == 0.0 { 0.0 } else { (-5f64).exp() / (1.0 + (-1f64).exp()) })),
    )?;
    let counts = |counts: &[(&str, i64)]| counts.iter().map(|(key, count)| (String::from(*key), *count)).collect();
    Ok(exact(&mine, &[counts(&[]), counts(&[("rare", 1)])], Probing::default().with_requests(2)))
}

#[test]
fn every_bug_is_found() {
    assert_eq!(run(), Ok(true));
}
