//! The pages of this workspace hold for its code; and the check that says so notices what it must, on a small tree.

use crate::small::{MAP, MAP_CODE, SAMPLER, SAMPLER_CODE, Small, copy_of_this_workspace, lines};
use std::{fs, path::Path};
use walkdir::WalkDir;
use xtask::proofs::{check, update};

#[test]
fn every_proof_speaks_of_the_code_as_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let report = check(&root).unwrap();
    // What has changed since Coq read it is a failure of its own, by `make_proofs_has_passed_on_what_is_here`.
    let problems: Vec<_> = report.problems.into_iter().filter(|problem| problem.page != "proofs/stamp.txt").collect();
    assert!(problems.is_empty(), "\n{}\n", lines(&problems));
    assert!(report.constructors >= 10 && report.pages >= report.constructors);
}

#[test]
fn every_link_of_a_page_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let mut links = 0;
    for page in WalkDir::new(root).into_iter().map(Result::unwrap) {
        if page.path().extension() != Some("md".as_ref()) {
            continue;
        }
        let text = fs::read_to_string(page.path()).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let to = page.path().with_file_name("").join(link);
            assert!(link.starts_with("http") || to.exists(), "{}: {link}", page.path().display());
            links += 1;
        }
    }
    assert!(links > 100);
}

#[test]
fn a_change_of_what_is_computed_names_the_page() {
    for (from, to) in [("8.0", "4.0"), ("inf_powi(2)", "inf_powi(1)"), ("inner.inf_mul(d_in)?", "inner * d_in")] {
        let small = Small::new();
        small.change(MAP, from, to);
        small.assert_problem("proofs/combinators/range.md: ", "small::combinators::range::make_range has changed");
    }
    let small = Small::new();
    small.change(SAMPLER, "bound <= word", "bound < word");
    small.assert_problem("proofs/sampler.md: ", "small::sampler::Table::sample has changed");
}

#[test]
fn an_imported_name_that_means_something_else_names_the_page() {
    let small = Small::new();
    small.change(MAP, "crate::numeric::RoundedArithmetic", "crate::numeric::other::RoundedArithmetic");
    assert_eq!(small.problems(), Vec::<String>::new(), "the trait's name does not occur");
    small.change(MAP, "pub fn make_range(inner: f64)", "pub fn make_range(inner: impl RoundedArithmetic)");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.change(MAP, "crate::numeric::other::RoundedArithmetic", "crate::numeric::RoundedArithmetic");
    small.assert_problem("proofs/combinators/range.md: ", "make_range has changed");
}

#[test]
fn layout_comments_and_tests_do_not_count() {
    let small = Small::new();
    small.change(MAP, "// The textbook's formula.", "// Another word.\n/// And documentation.");
    small.change(MAP, "/// Squares and divides.", "/** Divides. */");
    small.change(
        MAP,
        "Ok(eta.inf_powi(2)?.inf_div(8.0)?)",
        "Ok(\n        eta\n.inf_powi(2,)?.inf_div( 8.0, )?,\n    )",
    );
    small.change(MAP, "loss(inner.inf_mul(d_in)?);", "{ loss(inner.inf_mul(d_in)?) };");
    small.change(MAP, "Ok(0.125)", "Ok(0.5)");
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn a_constructor_without_a_page_is_refused() {
    let small = Small::new();
    let code = format!("{MAP_CODE}\n/// New.\npub fn make_other() -> f64 {{ 1.0 }}\n");
    small.write(MAP, &code);
    small.assert_problem("proofs: ", "no page names the constructor small::combinators::range::make_other");
    // A private function, one in a test and one without the prefix need none.
    small.write(MAP, &code.replace("pub fn make_other", "pub fn other"));
    assert_eq!(small.problems(), Vec::<String>::new());
    small.write(MAP, &code.replace("pub fn make_other", "pub(crate) fn make_other"));
    assert_eq!(small.problems(), Vec::<String>::new());
    small.write(MAP, &code.replace("/// New.", "#[cfg(test)]"));
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn a_constructor_that_a_macro_writes_out_needs_a_page() {
    let small = Small::new();
    small.write(
        MAP,
        &format!("{MAP_CODE}\nmacro_rules! write {{ () => {{ pub fn make_other() {{}} }}; }}\nwrite!();\n"),
    );
    small.assert_problem("proofs: ", "no page names the constructor small::combinators::range::make_other");
    small.change("proofs/combinators/range.md", "code:\n", "code:\n  - small::combinators::range::make_other\n");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.change(MAP, "make_other() {}", "make_other() { loop {} }");
    small.assert_problem("proofs/combinators/range.md: ", "make_other has changed");
}

#[test]
fn an_item_that_is_gone_is_named() {
    let small = Small::new();
    small.change(SAMPLER, "pub fn sample", "pub fn draw");
    small.assert_problem("proofs/sampler.md: ", "small::sampler::Table::sample: there is no such item");
    // An update reports it too, and leaves the page alone.
    let page = small.read("proofs/sampler.md");
    assert_eq!(update(small.root(), "HEAD").unwrap().problems.len(), 1);
    assert_eq!(small.read("proofs/sampler.md"), page);
}

#[test]
fn a_page_must_say_what_it_is() {
    for (from, to, words) in [
        ("omits: overflow", "omits: ''", "omits: must say"),
        ("level: B", "level: D", "front matter"),
        ("theorem: [range.zCDP]\n", "", "theorem: level B needs one"),
        ("theorem: [range.zCDP]\nlevel: B", "level: C\nunder: {Max: A}", "theorem: level A needs one"),
        ("level: B", "level: B\nunder: {Max: C}", "under: Max must have a higher level than B"),
        ("[range.zCDP]", "[range.zCDQ]", "range.zCDQ is not among the statements"),
        ("reviewed: 2026-11-21 by the authors\n", "", "reviewed: must say when"),
        ("2026-11-21 by the authors", "2026-11-21", "reviewed: must say when"),
        ("2026-11-21", "0000-00-00", "reviewed: 0000-00-00 is no date"),
        ("2026-11-21", "9999-12-31", "reviewed: 9999-12-31 is before the first page, or yet to come"),
        (
            "level: B\nomits: overflow\nruns: [make_range]",
            "level: A\nomits: overflow",
            "level A needs certificates or tapes",
        ),
        (
            "level: B\nomits: overflow\nruns: [make_range]",
            "level: A\nomits: overflow\nruns: [make_other]",
            "certificates of make_range itself",
        ),
        (
            "level: B\nomits: overflow\nruns: [make_range]",
            "level: A\nomits: overflow\nruns: [make_other]",
            "99 goals of make_other are too few",
        ),
        (
            "level: B\nomits: overflow\nruns: [make_range]",
            "level: A\nomits: overflow\nruns: [make_it]",
            "make_it is not in proofs/oracle/runs.txt",
        ),
        ("reviewed", "viewed", "front matter"),
    ] {
        let small = Small::new();
        small.change("proofs/combinators/range.md", from, to);
        let problems = small.problems();
        assert!(problems.iter().any(|problem| problem.contains("range.md") && problem.contains(words)), "{problems:?}");
    }
}

#[test]
fn the_index_has_a_row_for_each_constructor_and_goes_stale() {
    let small = Small::new();
    let index = small.read("proofs/INDEX.md");
    let row = "| [`make_range`](combinators/range.md) | B |  | B |  | `small::combinators::range::make_range` \
               | `range.zCDP` | overflow |";
    assert!(index.contains(row), "{index}");
    assert!(index.contains("| B | 1 | 1 | 0 |") && index.contains("| C | 0 | 0 | 1 |"), "{index}");
    assert!(
        small
            .read("rust/derive/src/levels.rs")
            .contains("(\"make_range\", (\"B\", \"B\"), &[], \"\", \"combinators/range.md\")")
    );
    small.change("proofs/combinators/range.md", "omits: overflow", "omits: overflow and NaN");
    small.assert_problem("proofs/INDEX.md: ", "is not what the pages say");
}

#[test]
fn a_level_may_be_higher_under_some_measures() {
    let small = Small::new();
    small.change("proofs/combinators/range.md", "level: B", "level: B\nunder:\n  Max: A\n  Other<Max>: A");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    let index = small.read("proofs/INDEX.md");
    assert!(
        index.contains("| [`make_range`](combinators/range.md) | B | A under `Max`, `Other<Max>` | B |"),
        "{index}"
    );
    assert!(index.contains("| A | 0 | 0 | 0 |") && index.contains("| B | 1 | 1 | 0 |"), "{index}");
    let row =
        r#"("make_range", ("B", "B"), &[("Max", ("A", "A")), ("Other<Max>", ("A", "A"))], "", "combinators/range.md")"#;
    assert!(small.read("rust/derive/src/levels.rs").contains(row));
}

/// Of what a page rests on, the weakest counts, wherever it is named; under each measure.
#[test]
fn what_runs_is_worth_as_much_as_the_weakest_page() {
    let small = Small::new();
    small.change("proofs/combinators/range.md", "level: B", "level: B\nunder: {Max: A}\nrests: [table.md]");
    let told = |words: &str| small.problems().iter().any(|problem| problem.contains(words));
    assert!(told("proofs/combinators/range.md: rests: there is no page table.md"));
    let own = "---\ncode:\n  - small::sampler::Table\ntheorem: [range.zCDP]\nlevel: B\nomits: time\n\
               reviewed: 2026-11-21 by the authors\n---\n# Tables\n";
    small.write("proofs/table.md", own);
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    let levels = || small.read("rust/derive/src/levels.rs");
    let row = r#"("make_range", ("B", "B"), &[("Max", ("A", "B"))], "table.md", "combinators/range.md")"#;
    assert!(levels().contains(row), "{}", levels());
    // The page that this one names is prose.
    small.change("proofs/table.md", "level: B", "level: B\nrests: [sampler.md]");
    assert!(told("proofs/INDEX.md: is not what the pages say"));
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    let row = r#"("make_range", ("B", "C"), &[("Max", ("A", "C"))], "sampler.md", "combinators/range.md")"#;
    assert!(levels().contains(row), "{}", levels());
    let index = small.read("proofs/INDEX.md");
    assert!(index.contains("| B | A under `Max` | C | [table.md](table.md) |"), "{index}");
    assert!(index.contains("| B | 1 | 0 | 1 |") && index.contains("| C | 0 | 1 | 1 |"), "{index}");
    small.change("proofs/sampler.md", "level: C", "level: C\nrests: [combinators/range.md]");
    let problems = update(small.root(), "HEAD").unwrap().problems;
    assert_eq!(lines(&problems).matches("rests: the page rests on itself").count(), 3, "{}", lines(&problems));
}

#[test]
fn an_ambiguous_name_is_refused_and_can_be_made_precise() {
    let small = Small::new();
    let code = format!("{SAMPLER_CODE}\nimpl Other for Table {{ fn sample(&self) {{}} }}\n");
    small.write(SAMPLER, &code);
    small.assert_problem("proofs/sampler.md: ", "means 2 methods");
    small.change("proofs/sampler.md", "Table::sample", "<Table as Other>::sample");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.change(SAMPLER, "fn sample(&self) {}", "fn sample(&self) { loop {} }");
    small.assert_problem("proofs/sampler.md: ", "<Table as Other>::sample has changed");
}

#[test]
fn functions_that_a_macro_writes_out_count() {
    let small = Small::new();
    let code = format!(
        "{MAP_CODE}\nmacro_rules! impl_all {{ ($($t:ty),+) => {{$( /** D. */ impl Loss for $t {{ fn inf_mul(self) -> u8 {{ 1 }} }} )+}}; }}\n\
         impl_all!(u8);\n"
    );
    small.write(MAP, &code);
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.write(MAP, &code.replace("/** D. */", "/** Other. */"));
    assert_eq!(small.problems(), Vec::<String>::new());
    small.write(MAP, &code.replace("{ 1 }", "{ 2 }"));
    small.assert_problem("proofs/combinators/range.md: ", "make_range has changed");
    small.write(MAP, &code.replace("impl_all!(u8)", "impl_all!(u8, u16)"));
    small.assert_problem("proofs/combinators/range.md: ", "make_range has changed");
}

/// What an audit did: the level of another page's theorem and certificates for a constructor that has neither.
#[test]
fn the_highest_level_cannot_be_claimed() {
    let copy = copy_of_this_workspace();
    let page = copy.path().join("proofs/transformations/clamp.md");
    let text = fs::read_to_string(&page).unwrap();
    let (start, end) = (text.find("theorem:").unwrap(), text.find("level:").unwrap());
    let front = |theorem: &str, runs: &str| {
        let own = &text[start..end];
        let other = if theorem.is_empty() { own.to_owned() } else { format!("theorem: [{theorem}]\n") };
        text.replace(own, &other).replace("level: B\n", &format!("level: A\n{runs}"))
    };
    for (theorem, runs, told) in [
        ("sum.make_sum_stable", "", "level A needs certificates or tapes"),
        ("sum.make_sum_stable", "runs: [make_clamp]\n", "make_clamp is not in proofs/oracle/runs.txt"),
        ("sum.make_sum_stable", "runs: [make_sum]\n", "level A needs certificates of make_clamp itself"),
        ("sum.make_sum_stable", "runs: [make_sum]\n", "level A needs one of clamp.v"),
        ("", "runs: [uniform_below]\n", "level A needs certificates of make_clamp itself"),
    ] {
        fs::write(&page, front(theorem, runs)).unwrap();
        let problems = update(copy.path(), "HEAD").unwrap().problems;
        let named =
            |problem: &xtask::proofs::Problem| problem.page.ends_with("clamp.md") && problem.what.contains(told);
        assert!(problems.iter().any(named), "{told}: {}", lines(&problems));
    }
}
