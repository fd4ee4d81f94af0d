//! Code that has only moved needs no new reading, and all else does.

use crate::small::{MAP, MAP_CODE, SAMPLER, SAMPLER_CODE, Small};
use std::fs;
use xtask::proofs::{Report, follow};

const RANGE: &str = "proofs/combinators/range.md";
const TABLE: &str = "proofs/sampler.md";

/// A small workspace in which the map calls a function of another module, under version control.
fn committed() -> Small {
    let small = Small::new();
    small.write("rust/small/src/lib.rs", "mod combinators;\nmod numeric;\nmod other;\nmod sampler;\n");
    small.write("rust/small/src/numeric.rs", "pub fn half(x: f64) -> f64 { x / 2.0 }\n");
    small.write("rust/small/src/other.rs", "pub fn half(x: f64) -> f64 { x / 4.0 }\n");
    small.write(
        MAP,
        &MAP_CODE
            .replace("use crate::numeric::RoundedArithmetic", "use crate::numeric::half")
            .replace("8.0", "half(8.0)"),
    );
    assert!(xtask::proofs::update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.commit();
    small
}

fn moves(small: &Small) -> Report {
    follow(small.root(), "HEAD").unwrap()
}

impl Small {
    fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.path(from), to).unwrap();
    }

    /// All is accepted as moved, and then nothing is left to do; the moves as they are printed.
    fn accepted(&self) -> Vec<String> {
        let report = moves(self);
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        assert_eq!(self.problems(), Vec::<String>::new());
        report.moved.iter().map(ToString::to_string).collect()
    }

    /// This page must be read again, and stays as it is.
    fn refused(&self, page: &str) {
        let before = self.read(page);
        let report = moves(self);
        assert!(report.problems.iter().any(|problem| problem.page == page), "{:?} {:?}", report.problems, report.moved);
        assert!(report.moved.iter().all(|moved| moved.page != page), "{:?}", report.moved);
        assert_eq!(self.read(page), before);
    }
}

#[test]
fn a_module_in_another_folder() {
    let small = committed();
    small.rename(SAMPLER, "rust/small/src/draws/table.rs");
    small.change("rust/small/src/lib.rs", "mod sampler;", "mod draws;");
    small.write("rust/small/src/draws/mod.rs", "mod table;\n");
    assert_eq!(
        small.accepted(),
        ["proofs/sampler.md: small::sampler::Table::sample -> small::draws::table::Table::sample"]
    );
    assert!(small.read(TABLE).contains("  - small::draws::table::Table::sample "));
    // A second time there is nothing to do.
    assert!(moves(&small).moved.is_empty());
}

#[test]
fn a_module_under_another_name_and_its_importers() {
    let small = committed();
    small.rename("rust/small/src/numeric.rs", "rust/small/src/rounding.rs");
    small.change("rust/small/src/lib.rs", "mod numeric;", "mod rounding;");
    small.change(MAP, "crate::numeric::half", "crate::rounding::half");
    assert_eq!(
        small.accepted(),
        ["proofs/combinators/range.md: small::combinators::range::make_range: what it imports has moved"]
    );
}

#[test]
fn an_item_in_another_file() {
    let small = committed();
    small.rename(SAMPLER, "rust/small/src/table.rs");
    small.write(SAMPLER, "pub struct Left;\n");
    small.change("rust/small/src/lib.rs", "mod sampler;", "mod sampler;\nmod table;");
    assert_eq!(small.accepted(), ["proofs/sampler.md: small::sampler::Table::sample -> small::table::Table::sample"]);
}

#[test]
fn a_helper_that_moves_out_is_named_by_the_page() {
    let small = committed();
    let loss = "fn loss(eta: f64) -> Fallible<f64> {\n    Ok(eta.inf_powi(2)?.inf_div(half(8.0))?)\n}\n";
    small.change(MAP, loss, "");
    small.change(MAP, "use crate::numeric::half;", "use super::loss::loss;");
    small.change("rust/small/src/combinators/mod.rs", "mod range;", "mod loss;\nmod range;");
    let file = "rust/small/src/combinators/loss.rs";
    small.write(file, &format!("use crate::numeric::half;\n{}", loss.replacen("fn", "pub(super) fn", 1)));
    let path = "small::combinators::range::make_range";
    assert_eq!(small.accepted(), [format!("{RANGE}: {path} -> {path}, small::combinators::loss::loss")]);
    small.change(file, "2)", "1)");
    small.assert_problem(RANGE, "small::combinators::loss::loss has changed");
}

#[test]
fn a_module_that_becomes_two() {
    let small = committed();
    small.change(TABLE, "small::sampler::Table::sample", "small::sampler");
    assert!(xtask::proofs::update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.change(SAMPLER, "//! A sampler.", "const FIRST: u64 = 1;");
    assert!(xtask::proofs::update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.commit();
    small.change(SAMPLER, "const FIRST: u64 = 1;", "");
    small.change("rust/small/src/lib.rs", "mod other;", "mod first;\nmod other;");
    small.write("rust/small/src/first.rs", "pub(crate) const FIRST: u64 = 1;\n");
    small.write("rust/small/src/first.rs", "pub(crate) const FIRST: u64 = 1;\nconst SECOND: u64 = 2;\n");
    small.refused(TABLE);
    small.write("rust/small/src/first.rs", "pub(crate) const FIRST: u64 = 1;\n");
    let told = format!("{TABLE}: small::sampler -> small::first, small::sampler");
    assert_eq!(small.accepted(), [told]);
    // All in a module is what the page speaks of: more is no move.
    small.commit();
    small.change(SAMPLER, "pub struct", "const SECOND: u64 = 2;\npub struct");
    small.refused(TABLE);
}

#[test]
fn a_move_and_a_changed_token() {
    let small = committed();
    small.rename(SAMPLER, "rust/small/src/table.rs");
    small.change("rust/small/src/lib.rs", "mod sampler;", "mod table;");
    small.change("rust/small/src/table.rs", "bound <= word", "bound < word");
    small.refused(TABLE);
}

#[test]
fn an_import_that_leads_to_another_function_of_that_name() {
    let small = committed();
    small.change(MAP, "crate::numeric::half", "crate::other::half");
    small.refused(RANGE);
    // Nor if the right one is gone, or moves with a change, or has moved elsewhere.
    let old = small.read("rust/small/src/numeric.rs");
    small.write("rust/small/src/numeric.rs", "");
    small.refused(RANGE);
    small.write("rust/small/src/rounding.rs", &old);
    small.change("rust/small/src/lib.rs", "mod numeric;", "mod numeric;\nmod rounding;");
    small.refused(RANGE);
    small.change(MAP, "crate::other::half", "crate::rounding::half");
    small.change("rust/small/src/rounding.rs", "2.0", "3.0");
    small.refused(RANGE);
    small.write("rust/small/src/rounding.rs", &old);
    assert_eq!(small.accepted().len(), 1);
}

#[test]
fn a_re_export_leads_to_what_it_exports() {
    let small = committed();
    // A way through a re-export is no change at all.
    small.write("rust/small/src/numeric/mod.rs", "mod half;\npub use half::half;\n");
    small.rename("rust/small/src/numeric.rs", "rust/small/src/numeric/half.rs");
    assert_eq!(small.accepted().len(), 1);
    small.commit();
    small.change(MAP, "crate::numeric::half", "crate::exported");
    small.change("rust/small/src/lib.rs", "mod numeric;", "mod numeric;\npub use numeric::half as exported;");
    small.refused(RANGE);
    small.change(MAP, "crate::exported", "crate::half");
    small.change("rust/small/src/lib.rs", "half as exported", "half");
    assert_eq!(small.problems(), Vec::<String>::new());
    small.change("rust/small/src/lib.rs", "pub use numeric::half", "pub use other::half");
    small.refused(RANGE);
}

#[test]
fn a_copy_is_no_move() {
    let small = committed();
    // Something else stands at the old place.
    small.rename(SAMPLER, "rust/small/src/table.rs");
    small.change("rust/small/src/lib.rs", "mod sampler;", "mod sampler;\nmod table;");
    small.write(SAMPLER, &SAMPLER_CODE.replace("bound <= word", "bound < word"));
    small.refused(TABLE);
    // There are two new places.
    small.write(SAMPLER, "");
    small.write("rust/small/src/twin.rs", SAMPLER_CODE);
    small.change("rust/small/src/lib.rs", "mod table;", "mod table;\nmod twin;");
    small.refused(TABLE);
}

#[test]
fn a_page_that_was_out_of_date_stays_so() {
    let small = committed();
    small.change(SAMPLER, "bound <= word", "bound < word");
    small.commit();
    small.rename(SAMPLER, "rust/small/src/table.rs");
    small.change("rust/small/src/lib.rs", "mod sampler;", "mod table;");
    small.refused(TABLE);
}

#[test]
fn the_new_place_adds_nothing() {
    let small = committed();
    small.rename(SAMPLER, "rust/small/src/table.rs");
    small.change("rust/small/src/lib.rs", "mod sampler;", "mod table;");
    let moved = small.read("rust/small/src/table.rs");
    for more in ["impl Iterator for Table { fn take_while(self) {} }", "use crate::other::half as take_while;"] {
        small.write("rust/small/src/table.rs", &format!("{moved}\n{more}\n"));
        small.refused(TABLE);
    }
    small.write("rust/small/src/table.rs", &format!("{moved}\nfn unrelated() {{}}\n"));
    assert_eq!(small.accepted().len(), 1);
}

#[test]
fn what_an_import_needs_moves_with_it() {
    let small = committed();
    let half = "pub fn half(x: f64) -> f64 { x / parts() }\nfn parts() -> f64 { 2.0 }\n";
    small.write("rust/small/src/numeric.rs", half);
    small.commit();
    small.change("rust/small/src/lib.rs", "mod numeric;", "mod rounding;");
    small.rename("rust/small/src/numeric.rs", "rust/small/src/rounding.rs");
    small.change(MAP, "crate::numeric::half", "crate::rounding::half");
    small.change("rust/small/src/rounding.rs", "2.0", "3.0");
    small.refused(RANGE);
    small.write("rust/small/src/other.rs", "pub fn parts() -> f64 { 3.0 }\n");
    small.write("rust/small/src/rounding.rs", &half.replace("fn parts() -> f64 { 2.0 }", "use crate::other::parts;"));
    small.refused(RANGE);
    small.write("rust/small/src/other.rs", "pub fn half(x: f64) -> f64 { x / 4.0 }\n");
    small.write("rust/small/src/rounding.rs", half);
    assert_eq!(small.accepted().len(), 1);
}
