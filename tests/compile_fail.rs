//! Programs that must not compile, and what the compiler says of them in words that a user knows.
//!
//! They are examples of this crate behind a feature, built with the dependencies that the tests have built already, and
//! programs of the crate beside it, which has the library without its feature for tests.

use serde_json::Value;
use std::{collections::BTreeMap, process::Command, sync::LazyLock};

/// What the compiler says of each program that cannot be compiled.
struct Refusals(BTreeMap<String, Vec<String>>);

impl Refusals {
    /// Of all programs of one call of cargo, which goes on where one has failed.
    fn of(arguments: &[&str]) -> Self {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--locked", "--offline", "--keep-going", "--message-format", "json"])
            .args(if cfg!(debug_assertions) { None } else { Some("--release") })
            .env_remove("RUSTFLAGS")
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .output()
            .unwrap();
        let mut errors = BTreeMap::<_, Vec<String>>::new();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
            let (program, message) = (text(&event["target"]["name"]), &event["message"]);
            if message["level"] == "error" && !text(&message["message"]).starts_with("aborting") {
                errors.entry(program).or_default().push(text(&message["rendered"]));
            }
        }
        assert!(!errors.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        Self(errors)
    }

    /// What the compiler says of a program, and in how many errors.
    fn text(&self, path: &str) -> (String, usize) {
        let name = path.rsplit('/').next().unwrap().trim_end_matches(".rs");
        let errors = self.0.get(name).cloned().unwrap_or_default();
        assert!(!errors.is_empty(), "{path} compiles");
        let text = errors.concat();
        assert!(text.contains(path), "{text}");
        (text, errors.len())
    }
}

#[test]
fn the_compiler_refuses_and_says_why() {
    let cases: [(&str, &[&str]); 15] = [
        (
            "different_measures",
            &["these measurements cannot be composed", "one input domain, metric and measure", "make_pureDP_to_zCDP"],
        ),
        ("mismatched_metrics", &["this step cannot follow", "ChangeOneDistance"]),
        // What is missing where the parts of a chain do not fit: the commonest ways, each with what the compiler is
        // given.
        (
            "individuals_unbounded",
            &[
                "this step cannot follow a step with the output",
                "SymmetricIdDistance",
                "single rows are expected, bound them first with `then_bound_contributions`",
                "this step takes rows that stand alone",
                "are bound first, by `then_bound_contributions`",
            ],
        ),
        (
            "sum_of_pairs",
            &["cannot follow", "PairDomain", "select the part first, such as with `then_pair_part(Second)`"],
        ),
        ("top_k_after_l1", &["cannot follow", "L1Distance", "if a selection follows counts"]),
        (
            "text_categories",
            &["cannot follow", "AtomDomain<String>", "categories are `&str`, pass the categories as `String`"],
        ),
        (
            "float_mechanism_after_sum",
            &[
                "cannot follow",
                "AtomDomain<Dyadic>",
                "before a mechanism for `f64`, use `then_laplace` or `then_gaussian`",
            ],
        ),
        ("clamp_of_missing", &["cannot be clamped", "OptionDomain", "with `then_drop_null` or `then_impute_constant`"]),
        (
            "gaussian_without_measure",
            &["on these numbers is known under `{float}`", "`then_gaussian(ZeroConcentratedDivergence, scale)`"],
        ),
        ("laplace_in_l2", &["no loss of Laplace noise is known for the metric", "L2Distance", "L1Distance"]),
        (
            "range_adaptively",
            &["RangeDivergence", "no rule of adaptive composition is known", "make_bounded_range_to_zCDP"],
        ),
        ("poisson_replaced_rows", &["ChangeOneDistance", "rows added or removed", "make_sampling_without_replacement"]),
        ("serialized_ledger", &["Serialize", "is not", "implemented for"]),
        ("way_of_my_own", &["Sealed", "is not implemented for `Mine`"]),
        (
            "sampled_rho",
            &["ZeroConcentratedDivergence", "no amplification by Poisson sampling is known", "make_fix_delta"],
        ),
    ];
    let mut arguments = vec!["build", "--features", "indistinct-tests/compile-fail"];
    arguments.extend(cases.iter().flat_map(|(example, _)| ["--example", example]));
    let refusals = Refusals::of(&arguments);
    for (example, words) in cases {
        let (text, _) = refusals.text(&format!("tests/compile_fail/{example}.rs"));
        for word in words {
            assert!(text.contains(word), "{example} lacks {word:?}:\n{text}");
        }
    }
}

/// Of programs against the library as it is released. They are checked and not built: no other build has the library
/// without `testing`.
static RELEASE: LazyLock<Refusals> = LazyLock::new(|| {
    Refusals::of(&["check", "--package", "indistinct-release-tests", "--bins", "--features", "compile-fail"])
});

/// A map trusts what atoms, encodings, metrics, measures, distances and spaces say of themselves, so that none can be a
/// caller's own; and no domain can deny that it is.
#[test]
fn what_maps_trust_is_the_librarys_own() {
    let cases: [(&str, &[&str], usize); 5] = [
        ("own_atom", &["Sealed` is not implemented for `City`", "Key` is not implemented for `City`"], 2),
        ("own_encoding", &["Sealed` is not implemented for `Visit`"], 1),
        (
            "own_space",
            &[
                "Sealed` is not implemented for `Near`",
                "required by this bound in `Metric`",
                "`Measure`",
                "`Distance`",
                "`MetricSpace`",
            ],
            4,
        ),
        ("own_pair", &["only traits defined in the current crate can be implemented for"], 1),
        ("own_word", &["`Internal` is private"], 1),
    ];
    for (name, words, errors) in cases {
        let (text, count) = RELEASE.text(&format!("tests/release/{name}.rs"));
        for word in words {
            assert!(text.contains(word), "{name} lacks {word:?}:\n{text}");
        }
        assert_eq!(count, errors, "{name}:\n{text}");
    }
}

/// Without the feature `testing`, which no release has, there is no seed and no source of one's own: of four ways that
/// tests have, none.
#[test]
fn no_release_takes_a_seed() {
    let (text, count) = RELEASE.text("tests/release/given_bits.rs");
    for method in ["invoke_with", "release_with", "eval_with"] {
        assert!(text.contains(&format!("no method named `{method}` found")), "{method}:\n{text}");
    }
    assert_eq!(count, 4, "{text}");
    let (text, count) = RELEASE.text("tests/release/seeded_source.rs");
    assert!(text.contains("`testing`") && count == 1, "{text}");
}
