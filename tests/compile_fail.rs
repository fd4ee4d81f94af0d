//! Programs that must not compile, and what the compiler says of them in words that a user knows.
//!
//! They are examples of this crate behind a feature, built with the dependencies that the tests have built already.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// What the compiler says when it builds an example, which must fail.
fn refusal(example: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--workspace", "--locked", "--offline", "--example", example])
        .args(["--features", "indistinct-tests/compile-fail"])
        .env_remove("RUSTFLAGS")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{example} compiles");
    assert!(text.contains(&format!("tests/compile_fail/{example}.rs")), "{text}");
    text
}

#[test]
fn the_compiler_refuses_and_says_why() {
    let cases: [(&str, &[&str]); 7] = [
        (
            "different_measures",
            &["these measurements cannot be composed", "one input domain, metric and measure", "make_pureDP_to_zCDP"],
        ),
        ("mismatched_metrics", &["no implementation for", "SymmetricDistance"]),
        ("laplace_in_l2", &["Laplace noise has no loss in", "L2Distance", "L1Distance"]),
        (
            "range_adaptively",
            &["RangeDivergence", "is not known to hold for adaptive choices", "make_bounded_range_to_zCDP"],
        ),
        ("poisson_replaced_rows", &["ChangeOneDistance", "rows added or removed", "make_sampling_without_replacement"]),
        ("way_of_my_own", &["Sealed", "is not implemented for `Mine`"]),
        ("sampled_rho", &["ZeroConcentratedDivergence", "is not known in that measure", "make_fix_delta"]),
    ];
    for (example, words) in cases {
        let text = refusal(example);
        for word in words {
            assert!(text.contains(word), "{example} lacks {word:?}:\n{text}");
        }
    }
}
