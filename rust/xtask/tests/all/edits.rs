//! Small changes of the library's own code, each of which makes a map, a sampler or a check wrong, and is told by a
//! page whose hash covers it. Tests and layout would not all notice them; the binding must.

use crate::small::{Edit, assert_told, copy_of_this_workspace, lines};
use std::{collections::BTreeSet, fs};
use xtask::proofs::check;

const fn edit(file: &'static str, from: &'static str, to: &'static str, told: &'static str) -> Edit {
    Edit { file, from, to, told }
}

/// What maps, functions and samplers compute.
#[rustfmt::skip] // a line for each edit
const COMPUTED: &[Edit] = &[
    edit("indistinct/src/measurements/above_threshold.rs", "2 * u64::from(limit)", "u64::from(limit)", "above_threshold.md: indistinct::measurements::above_threshold::make_above_threshold"),
    edit("indistinct/src/measurements/above_threshold.rs", "self.left > 0", "self.left < u32::MAX", "above_threshold.md: indistinct::measurements::above_threshold::"),
    edit("indistinct/src/measurements/snapping.rs", "inf_mul(2.164)", "inf_mul(2.0)", "snapping.md: indistinct::measurements::snapping::"),
    edit("indistinct/src/measurements/snapping.rs", "(5.1)", "(5.10)", "snapping.md: indistinct::measurements::snapping::"),
    edit("indistinct/src/transformations/count.rs", "#[constructor(", "#[cfg(not(test))]\n#[constructor(", "count.md: indistinct::transformations::count::make_count"),
    edit("indistinct/src/transformations/clamp.rs", "at_least > *upper", "at_least < *upper", "clamp.md: indistinct::transformations::clamp::"),
    edit("indistinct/src/transformations/clamp.rs", "if row >= lower { row.clone() } else { lower.clone() }", "if row >= lower { row.clone() } else { upper.clone() }", "clamp.md: indistinct::transformations::clamp::"),
    edit("indistinct/src/transformations/resize.rs", "d_in.inf_mul(2)?", "d_in", "resize.md: indistinct::transformations::resize::make_resize"),
    edit("indistinct/src/metrics/dataset.rs", ".inf_mul(step)?", ".neg_inf_mul(step)?", "sum.md: indistinct::metrics::dataset::moved"),
    edit("indistinct/src/domains/atom.rs", "upper.inf_sub(lower)", "upper.neg_inf_sub(lower)", "sum.md: indistinct::domains::atom::magnitude_and_range"),
    edit("sampling/src/uniform.rs", "candidate < *bound", "candidate <= *bound", "coins.md: indistinct_sampling::uniform"),
    edit("sampling/src/widths.rs", "const COIN: u32 = 16", "const COIN: u32 = 15", "noise.md: indistinct_sampling::widths"),
    edit("indistinct/src/combinators/select_private_candidate.rs", "{ 2.0 } else { 3.0 }", "{ 2.0 } else { 2.0 }", "select_private_candidate.md: indistinct::combinators::select_private_candidate::make_select_private_candidate"),
    edit("indistinct/src/combinators/select_private_candidate.rs", "require(!measurement.is_interactive()", "require(true || measurement.is_interactive()", "select_private_candidate.md: indistinct::combinators::select_private_candidate::make_select_private_candidate"),
    edit("indistinct/src/combinators/privacy_filter.rs", "loss <= left", "loss >= left", "privacy_filter.md: indistinct::combinators::privacy_filter::"),
    edit("indistinct/src/combinators/amplification/poisson_sampling.rs", "sum.min(any).min(1.0)", "sum.min(any).min(0.5)", "poisson_sampling.md: indistinct::combinators::amplification::poisson_sampling::make_poisson_sampling"),
    edit("indistinct/src/measurements/threshold.rs", "*noisy >= self.threshold", "*noisy > self.threshold", "laplace_threshold.md: indistinct::measurements::threshold"),
    edit("indistinct/src/measurements/tail.rs", "TERMS: usize = 128", "TERMS: usize = 12", "gaussian_threshold.md: indistinct::measurements::tail"),
    edit("indistinct/src/transformations/norm_clip.rs", "0x5f30_0000_0000_0000", "0x7f30_0000_0000_0000", "norm_clip.md: indistinct::transformations::norm_clip::"),
    edit("numeric/src/arithmetic.rs", "self.mul_rounded(other, Up)", "self.mul_rounded(other, Down)", "fast.md: indistinct_numeric::arithmetic"),
    edit("numeric/src/fast.rs", "step(product, excess.cast_signed(), direction)", "step(product, -excess.cast_signed(), direction)", "fast.md: indistinct_numeric::fast"),
    edit("indistinct/src/transformations/bound_contributions.rs", "hashed.into_iter().take(most)", "hashed.into_iter().take(most + 1)", "bound_contributions.md: indistinct::transformations::bound_contributions::"),
    edit("indistinct/src/measurements/selection.rs", "if metric.is_monotonic() { d_in } else { d_in.add(&d_in)? }", "if metric.is_monotonic() { d_in.add(&d_in)? } else { d_in }", "exponential.md: indistinct::measurements::selection"),
    edit("indistinct/src/transformations/covariance.rs", "sum / (size - 1)", "sum / size", "covariance.md: indistinct::transformations::covariance::make_covariance"),
    edit("indistinct/src/measurements/laplace.rs", "Noise::of(Law::Laplace, scale)", "Noise::of(Law::Gaussian, scale)", "laplace.md: indistinct::measurements::laplace::make_laplace"),
    edit("sampling/src/snapped.rs", "uniform.ln_ref()", "uniform.log2_ref()", "snapping.md: indistinct_sampling::snapped"),
    edit("sampling/src/half_line.rs", "PARTS: u32 = 16", "PARTS: u32 = 8", "noise.md: indistinct_sampling::half_line"),
    edit("accounting/src/conversions/bounded_range.rs", "f64::inf_from", "f64::neg_inf_from", "conversions.md: indistinct_accounting::conversions::bounded_range"),
    edit("sampling/src/table.rs", "high <= least", "high < least", "noise.md: indistinct_sampling::table"),
    edit("sampling/src/uniform.rs", "candidate <= greatest", "candidate < greatest", "coins.md: indistinct_sampling::uniform"),
    edit("accounting/src/conversions/bounded_range.rs", "8.0", "4.0", "bounded_range_to_zCDP.md: indistinct_accounting::conversions::bounded_range::"),
    edit("numeric/src/exact_sum.rs", "if self.lanes.is_empty() { Ok(Integer::new()) }", "if true { Ok(Integer::new()) }", "exact_sum.md: indistinct_numeric::exact_sum"),
    edit("indistinct/src/combinators/fully_adaptive_composition.rs", "maps.push(map.clone());", "", "fully_adaptive_composition.md: indistinct::combinators::fully_adaptive_composition::"),
    edit("indistinct/src/combinators/compositor.rs", "measurement.is_interactive() && !measure.is_concurrent()", "measurement.is_interactive() && measure.is_concurrent()", "privacy_filter.md: indistinct::combinators::compositor"),
    edit("indistinct/src/measurements/tree_aggregation.rs", "f64::inf_from(&MO::loss", "f64::neg_inf_from(&MO::loss", "tree_aggregation.md: indistinct::measurements::tree_aggregation::"),
    edit("indistinct/src/measures/adaptive.rs", "impl AdaptiveMeasure for MaxDivergence {}", "impl AdaptiveMeasure for MaxDivergence {}\nimpl AdaptiveMeasure for super::RangeDivergence {}", "adaptive_composition.md: indistinct::measures::adaptive"),
];

/// What every constructor and every release goes through.
#[rustfmt::skip] // a line for each edit
const AROUND: &[Edit] = &[
    edit("indistinct/src/core/error.rs", "if holds { Ok(()) }", "if holds || true { Ok(()) }", "checks.md: indistinct::core::error"),
    edit("accounting/src/error.rs", "if holds { Ok(()) }", "if holds || true { Ok(()) }", "checks.md: indistinct_accounting::error"),
    edit("accounting/src/error.rs", "require(x >= 0.0,", "require(x >= 0.0 || x.is_nan(),", "checks.md: indistinct_accounting::error"),
    edit("accounting/src/error.rs", "delta <= 1.0", "delta <= 2.0", "checks.md: indistinct_accounting::error"),
    edit("indistinct/src/core/member.rs", "admitted(domain.member(data), domain)", "admitted(true, domain)", "checks.md: indistinct::core::member"),
    edit("indistinct/src/core/member.rs", "if is_member { Ok(()) }", "if is_member || true { Ok(()) }", "checks.md: indistinct::core::member"),
    edit("indistinct/src/core/measurement.rs", "function.eval_in(&self.input_domain, data, entropy)", "function.eval(data, entropy)", "releases.md: indistinct::core::measurement"),
    edit("indistinct/src/core/measurement.rs", "Ok(self.map(d_in)?.is_within(d_out))", "Ok(true)", "releases.md: indistinct::core::measurement"),
    edit("indistinct/src/core/measurement.rs", "self.marks.interactive\n", "false\n", "releases.md: indistinct::core::measurement"),
    edit("indistinct/src/core/measurement.rs", "Parts { plan, proof, ..parts }", "Parts { privacy_map: PrivacyMap::new(|_| MO::none()), plan, proof, ..parts }", "releases.md: indistinct::core::measurement"),
    edit("indistinct/src/core/transformation.rs", "Ok(self.map(d_in)?.is_within(d_out))", "Ok(true)", "releases.md: indistinct::core::transformation"),
    edit("indistinct/src/measures/composition.rs", "fn is_concurrent(&self) -> bool {\n        false", "fn is_concurrent(&self) -> bool {\n        true", "composition.md: indistinct::measures::composition"),
    edit("derive/src/lib.rs", "(move || #block)()", "(move || #block)().map(crate::evil::changed)", "constructor.md: indistinct_derive"),
    edit("derive/src/lib.rs", "let make = recorded(options, item)?;", "let make = quote! { #item };", "constructor.md: indistinct_derive"),
    edit("derive/src/lib.rs", "#make #turbofish(input_domain, input_metric, #(#names),*)", "crate::evil::make(input_domain, input_metric, #(#names),*)", "constructor.md: indistinct_derive"),
    edit("indistinct/src/domains/atom.rs", "Some(checked_bounds(bounds)?)", "Some(bounds)", "members.md: indistinct::domains::atom"),
    edit("indistinct/src/domains/atom.rs", "pub fn has_nan(&self) -> bool {\n        self.nan", "pub fn has_nan(&self) -> bool {\n        false", "members.md: indistinct::domains::atom"),
    edit("indistinct/src/domains/pair.rs", " && self.second.member(second.borrow())", "", "members.md: indistinct::domains::pair"),
    edit("indistinct/src/metrics/norm.rs", "require(!self.0.has_numbers_missing(),", "require(true,", "members.md: indistinct::metrics::norm"),
    edit("indistinct/src/metrics/individual.rs", "require(!rows.element().first().has_nan(),", "require(true,", "members.md: indistinct::metrics::individual::check_space"),
    edit("indistinct/src/combinators/amplification/poisson_sampling.rs", "pub(super) fn any_of(", "impl PoissonMetric for crate::metrics::ChangeOneDistance {}\npub(super) fn any_of(", "poisson_sampling.md: indistinct::combinators::amplification::poisson_sampling::make_poisson_sampling"),
    edit("indistinct/src/combinators/chain.rs", "next.on(|| self.output_space())?.after(self)", "next.on(|| self.output_space())", "chain.md: indistinct::combinators::chain"),
    edit("indistinct/src/core/partial.rs", "(self.0)(input_domain, input_metric)", "crate::evil::built(self.0, input_domain, input_metric)", "chain.md: indistinct::core::partial"),
    edit("sampling/src/entropy.rs", "let bits = self.rest >> 1 >> (63 - count);", "let bits = self.rest >> 1 >> (63 - count) & !1;", "entropy.md: indistinct_sampling::entropy"),
    edit("sampling/src/entropy/os.rs", "getrandom::fill(seed).map_err(Error::system)", "Ok(seed.fill(7))", "entropy.md: indistinct_sampling::entropy::os"),
    edit("sampling/src/lib.rs", "const MAX_ROUNDS: u32 = 1 << 14;", "const MAX_ROUNDS: u32 = 1;", "entropy.md: indistinct_sampling::MAX_ROUNDS"),
    edit("sampling/src/lib.rs", "pub use bernoulli::bernoulli;", "pub use reference::bernoulli;", "select_private_candidate.md: indistinct::combinators::select_private_candidate::make_select_private_candidate"),
    edit("accounting/src/stored.rs", "read_float(&text)", "Some(text.parse().unwrap_or(0.0))", "stored.md: indistinct_accounting::stored"),
    edit("indistinct/src/core/proof.rs", "if plan.is_caller_trusted() { Proof::UNPROVEN }", "if false { Proof::UNPROVEN }", "levels.md: indistinct::core::proof"),
    edit("indistinct/src/transformations/pair_part.rs", "impl<P: Part> Part for (First, P) {}", "impl<P: Part> Part for (First, P) {}\nimpl<P: Part, Q: Part> Part for (First, P, Q) {}", "pair_part.md: indistinct::transformations::pair_part::"),
    edit("numeric/src/lib.rs", "pub use arithmetic::", "pub use crate::evil::", "resize.md: indistinct::transformations::resize::make_resize"),
];

#[test]
fn an_edit_of_what_is_computed_is_told() {
    assert_told("rust", COMPUTED);
}

#[test]
fn an_edit_of_what_stands_around_every_computation_is_told() {
    assert_told("rust", AROUND);
}

#[test]
fn layout_and_comments_are_no_edits() {
    let copy = copy_of_this_workspace();
    let edited = COMPUTED.iter().chain(AROUND).map(|edit| edit.file).collect::<BTreeSet<_>>();
    for file in edited {
        let path = copy.path().join("rust").join(file);
        let code = fs::read_to_string(&path).unwrap();
        // Documentation of a file stands first.
        let (first, rest) = code.split_at(code.find("\n\n").unwrap());
        let rest = rest.replace(" {\n", " { // words\n\n").replace(";\n", "; /* words */\n\n");
        fs::write(path, format!("{first}{rest}")).unwrap();
    }
    let problems = check(copy.path()).unwrap().problems;
    assert!(problems.is_empty(), "{}", lines(&problems));
}
