//! Programs that must not compile, and what the compiler says of them in words that a user knows.
//!
//! They are examples of this crate behind a feature, built with the dependencies that the tests have built already.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// What the compiler says when it builds an example, which must fail.
fn refusal(example: &str) -> String {
    let arguments = ["--workspace", "--example", example, "--features", "indistinct-tests/compile-fail"];
    refusal_of(&arguments, &format!("tests/compile_fail/{example}.rs"))
}

/// What it says when it builds the program at a path.
fn refusal_of(arguments: &[&str], path: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--offline"])
        .args(arguments)
        .env_remove("RUSTFLAGS")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{path} compiles");
    assert!(text.contains(path), "{text}");
    text
}

#[test]
fn the_compiler_refuses_and_says_why() {
    let cases: [(&str, &[&str]); 13] = [
        (
            "different_measures",
            &["these measurements cannot be composed", "one input domain, metric and measure", "make_pureDP_to_zCDP"],
        ),
        ("mismatched_metrics", &["this step does not follow", "ChangeOneDistance"]),
        // What is missing where the parts of a chain do not fit: the commonest ways, each with what the compiler is given.
        (
            "persons_unbounded",
            &[
                "this step does not follow: what comes before it gives",
                "SymmetricIdDistance",
                "where single rows are expected: bound them first, by `then_bound_contributions`",
                "this step takes rows that stand alone",
                "are bound first, by `then_bound_contributions`",
            ],
        ),
        (
            "sum_of_pairs",
            &[
                "does not follow",
                "PairDomain",
                "where numbers are expected: choose the part first, such as by `then_select(Second)`",
            ],
        ),
        (
            "top_k_after_l1",
            &["does not follow", "L1Distance", "where a selection is to follow: count in `LInfDistance::new()`"],
        ),
        (
            "text_categories",
            &["does not follow", "AtomDomain<String>", "categories of `&str`: give the categories as `String`"],
        ),
        (
            "float_mechanism_after_sum",
            &[
                "does not follow",
                "AtomDomain<Dyadic>",
                "and a mechanism for `f64`: say `then_laplace` or `then_gaussian`",
            ],
        ),
        ("laplace_in_l2", &["Laplace noise has no loss in", "L2Distance", "L1Distance"]),
        (
            "range_adaptively",
            &["RangeDivergence", "is not known to hold for adaptive choices", "make_bounded_range_to_zCDP"],
        ),
        ("poisson_replaced_rows", &["ChangeOneDistance", "rows added or removed", "make_sampling_without_replacement"]),
        ("serialized_ledger", &["Serialize", "is not", "implemented for"]),
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

/// Without the feature `testing`, which no release has, there is no seed and no source of one's own: of four ways that tests have, none.
#[test]
fn no_release_takes_a_seed() {
    let program = |name: &str| {
        let arguments = ["--package", "indistinct-release-tests", "--bin", name, "--features", "compile-fail"];
        refusal_of(&arguments, &format!("tests/release/{name}.rs"))
    };
    let text = program("given_bits");
    for method in ["invoke_with", "release_with", "eval_with"] {
        assert!(text.contains(&format!("no method named `{method}` found")), "{method}:\n{text}");
    }
    assert!(
        text.contains("could not compile `indistinct-release-tests` (bin \"given_bits\") due to 4 previous errors"),
        "{text}"
    );
    let text = program("seeded_source");
    assert!(text.contains("`testing`") && text.contains("due to 1 previous error"), "{text}");
}
