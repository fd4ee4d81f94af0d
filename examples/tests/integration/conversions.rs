//! The chain of conversions on the survey: every number that it prints against references of 50 digits.

use indistinct::numeric::{BigInt, BigRational};
use std::process::Command;

/// The references, of the scale that is printed: `1/s`, `1/(8 s^2)`, three times that, and the epsilon at which the
/// least of `exp((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1)` over orders a is 1e-6 (at a = 21.98), by root finding
/// with 60 digits.
const SCALE: &str = "3.9238546847791604";
const ETA: &str = "0.25485143572697857921448743804243211563995216553139";
const RHO: &str = "0.0081186567865127867228305559232362022513420060969828";
const ALL: &str = "0.024355970359538360168491667769708606754026018290948";
const EPSILON: &str = "0.99999999999999972238667904008042692300245147732008";

/// A decimal with 50 digits or so, exactly.
fn decimal(text: &str) -> BigRational {
    let (whole, fraction) = text.split_once('.').unwrap();
    let digits: BigInt = format!("{whole}{fraction}").parse().unwrap();
    let tens: BigInt = format!("1{}", "0".repeat(fraction.len())).parse().unwrap();
    BigRational::new(digits, tens)
}

#[test]
fn every_number_of_the_chain_is_safe_and_close() {
    let output = Command::new(env!("CARGO_BIN_EXE_conversions")).args(["--epsilon", "1"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.starts_with("most common: plan 11, age "), "{text}");
    assert_eq!(text.matches(&format!("scale = {SCALE})")).count(), 3, "{text}");
    // After this word of that step, a number.
    for (step, word, reference, times) in [
        ("make_exponential(", "-> eta ", ETA, 3),
        ("make_bounded_range_to_zCDP(", "-> rho ", RHO, 3),
        ("make_composition(", "-> rho ", ALL, 1),
        ("make_zCDP_to_approxDP(", "-> profile of rho ", ALL, 1),
        ("make_fix_delta(", "-> epsilon ", EPSILON, 1),
    ] {
        let lines: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with(step)).collect();
        assert_eq!(lines.len(), times, "{step}");
        let truth = decimal(reference);
        for line in lines {
            let printed = line.split_once(word).unwrap().1.split([' ', ',']).next().unwrap();
            let printed = BigRational::from_float(printed.parse::<f64>().unwrap()).unwrap();
            assert!(printed >= truth, "{line}: below the truth");
            assert!(printed <= &truth * BigRational::from_float(1.0 + 1e-12).unwrap(), "{line}: not close");
        }
    }
    assert!(text.contains("delta 1e-6 ["), "{text}");
}
