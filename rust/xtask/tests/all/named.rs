//! No page names a thing that does not exist.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};
use walkdir::WalkDir;
use xtask::named::Named;

/// What pages name of others, and why it is no mistake.
const EXCEPTIONS: &[(&str, &[&str])] = &[
    ("a constructor yet to be written", &["make_x", "then_x"]),
    ("of `num-traits`, which is not used", &["NumCast", "FloatCore", "integer_decode"]),
    ("of dashu, which OpenDP computes with", &["RBig", "IBig"]),
    ("a word in a column of the examples' data", &["Gast"]),
    ("written by `make fuzz` where it finds something", &["rust/fuzz/corpus"]),
    ("what a mutant of an earlier version changed", &["of_range"]),
    (
        "OpenDP's",
        &[
            "make_chain_tt",
            "make_chain_mt",
            "make_chain_pm",
            "make_sized_bounded_",
            "make_sized_bounded_covariance",
            "make_cdf",
            "make_quantiles_from_counts",
            "make_consistent_b_ary_tree",
            "make_index",
            "make_quantile_score_candidates",
            "make_metric_bounded",
            "make_metric_unbounded",
            "make_ordered_random",
            "make_unordered",
            "make_impute_uniform_float",
            "make_cast_default",
            "make_cast_inherent",
            "make_create_dataframe",
            "make_select_column",
            "make_split_dataframe",
            "make_stable_truncate",
            "make_stable_group_by",
            "make_noise_threshold",
            "make_report_noisy_max_gumbel",
            "make_alp_queryable",
            "Margin",
        ],
    ),
    (
        "Tumult's",
        &[
            "PureDPBudget",
            "RhoZCDPBudget",
            "AddOneRow",
            "AddMaxRows",
            "MaxRowsPerID",
            "MaxGroupsPerID",
            "MaxRowsPerGroupPerID",
        ],
    ),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

static NAMED: LazyLock<Named> = LazyLock::new(|| {
    let names: Vec<&str> = EXCEPTIONS.iter().flat_map(|(_, names)| *names).copied().collect();
    Named::read(root(), &names).unwrap()
});

/// The newest version's part of the changelog.
fn newest(changelog: &str) -> &str {
    let parts: Vec<usize> = changelog.match_indices("\n## ").map(|(at, _)| at).collect();
    &changelog[..parts.get(1).copied().unwrap_or(changelog.len())]
}

#[test]
fn what_pages_name_exists() {
    let mut wrong = Vec::new();
    let mut read = 0;
    for place in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "examples"]
    {
        for found in WalkDir::new(root().join(place)) {
            let found = found.unwrap();
            let file = found.path().strip_prefix(root()).unwrap().display().to_string();
            let missing = match found.path().extension().and_then(|end| end.to_str()) {
                Some("md") => {
                    let text = fs::read_to_string(found.path()).unwrap();
                    NAMED.missing(if place == "CHANGELOG.md" { newest(&text) } else { &text })
                }
                Some("rs") => NAMED.missing_in_comments(&fs::read_to_string(found.path()).unwrap()),
                _ => continue,
            };
            wrong.extend(missing.into_iter().map(|(line, name)| format!("{file}:{line}: {name}")));
            read += 1;
        }
    }
    assert!(wrong.is_empty(), "{} names of nothing:\n{}", wrong.len(), wrong.join("\n"));
    assert!(read > 50, "only {read} pages");
}

#[test]
fn names_of_nothing_are_found() {
    let page = "`make_sum` and `then_sum`, `make_nothing`, `VectorDomain`, `VectorRealm`, `make test` and `make tset`.\n\
        `indistinct::transformations::make_sum`, `indistinct::transfigurations`, `indistinct::transformations::make_laplace`, `indistinct price`, `indistinct prize`.\n\
        ```sh\nindistinct budget open x\nindistinct budget drain x\ncargo xtask circles\ncargo xtask squares\nmake demo\n```\n\
        `core/function.rs`, `core/funktion.rs`, `docs/GLOSSARY.md`, `docs/glossar`, `make_count_*`, `make_cuont_*`\n";
    let expected = [
        (1, "make_nothing"),
        (1, "VectorRealm"),
        (1, "make tset"),
        (2, "indistinct::transfigurations"),
        (2, "transfigurations"),
        (2, "indistinct::transformations::make_laplace"),
        (2, "indistinct prize"),
        (5, "indistinct budget drain"),
        (7, "cargo xtask squares"),
        (10, "core/funktion.rs"),
        (10, "docs/glossar"),
        (10, "make_cuont_"),
    ];
    let found = NAMED.missing(page);
    assert_eq!(found, expected.map(|(line, name)| (line, name.to_owned())));
}

/// An exception that no page needs any more hides the next mistake.
#[test]
fn every_exception_is_needed() {
    let mut texts = String::new();
    for place in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "examples"]
    {
        for found in WalkDir::new(root().join(place)).into_iter().map(Result::unwrap) {
            if found.path().extension().is_some_and(|end| end == "md" || end == "rs") {
                texts += &fs::read_to_string(found.path()).unwrap();
            }
        }
    }
    let unused: BTreeSet<&str> =
        EXCEPTIONS.iter().flat_map(|(_, names)| *names).copied().filter(|name| !texts.contains(*name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
