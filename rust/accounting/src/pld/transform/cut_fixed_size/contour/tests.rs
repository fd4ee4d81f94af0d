use super::*;
use crate::pld::loss::{fixed_size_gaussian::FixedSizeGaussian, truncation::Sharpness};

/// A law, a tilt, a loss above which losses are large, and how likely are those that are far out, in logarithms.
type Case = (f64, f64, f64, f64, f64);
const CASES: [Case; 6] = [
    (1.0, 0.01, 5.0, 0.1, -40.0),
    (0.4, 1e-5, 20.0, 2e-3, -20.0),
    (5.0, 0.5, 20.0, 0.2, -40.0),
    (0.7, 0.2, 2.0, 0.9, -30.0),
    (30.0, 0.01, 900.0, 4e-4, -40.0),
    (0.7, 1e-4, 30.0, 1e-3, -22.0),
];

struct Prepared {
    cut: CutFixedSize,
    near: Truncation,
    tilt: f64,
    log_normalizer: f64,
}

fn prepared((sigma, rate, tilt, at, budget): Case, sharpness: Sharpness) -> Prepared {
    let law = FixedSizeGaussian { sigma, rate, end: None };
    let (cut, _) = CutFixedSize::new(&law, 3.0, budget, sharpness).unwrap();
    let table = cut.table(1.0);
    Prepared { cut, near: table.truncation(at).0, tilt, log_normalizer: table.log_mgf(tilt) }
}

/// What a cut keeps and drops, in floats, each to its own digits.
fn split(cut: &Truncation, ratio: f64) -> (f64, f64) {
    let (mean, order) = ((ratio + cut.shift).exp(), cut.growth());
    let mut log_factorial = 0.0;
    let (mut kept, mut dropped, mut j) = (0.0, 0.0, 0.0);
    while j < 4.0 * order + 2.0 * mean.min(400.0) + 60.0 {
        let term = (j * (ratio + cut.shift) - mean - log_factorial).exp();
        if j < order {
            kept += term
        } else {
            dropped += term
        }
        j += 1.0;
        log_factorial += f64::ln(j);
    }
    (kept, if mean > 300.0 { 1.0 } else { dropped })
}

/// A place on the real axis, where it counts: y, the densities of positive and of negative losses times the step, and
/// what the far and the near cut keep and drop.
struct Row {
    y: f64,
    ahead: f64,
    behind: f64,
    far: (f64, f64),
    near: (f64, f64),
}

/// Of the trapezoid rule in `s = ln v`.
fn rows(of: &Prepared) -> Vec<Row> {
    let FixedSizeGaussian { sigma, rate, .. } = of.cut.law;
    let log_factor = (sigma * 0.398_942_280_401_432_7).ln() - 0.125 / (sigma * sigma);
    let step = 1.0 / 256.0;
    let row = |i: u32| {
        let s = f64::from(i) * step - 36.0;
        let (u, y) = (s.exp().ln_1p(), (rate * s.exp()).ln_1p());
        let density = log_factor - u / 2.0 - sigma * sigma * u * u / 2.0 + s - u + step.ln();
        let (ahead, behind) = ((density + y).exp(), density.exp());
        (density > -600.0).then(|| Row { y, ahead, behind, far: split(&of.cut.far, s), near: split(&of.near, s) })
    };
    (0..20_000).map_while(row).collect()
}

/// The transforms of large losses and of the others.
fn reference(of: &Prepared, rows: &[Row], frequency: f64) -> ((f64, f64), (f64, f64)) {
    let Prepared { cut, tilt, log_normalizer, .. } = of;
    let (mut large, mut others) = ((0.0, 0.0), (midpoint(&cut.law.atom()).0 * (-log_normalizer).exp(), 0.0));
    for Row { y, ahead, behind, far, near } in rows {
        let ahead = if far.0 == 0.0 { 0.0 } else { ahead * far.0 * (tilt * y - log_normalizer).exp() };
        let behind = behind * (-tilt * y - log_normalizer).exp();
        let (sine, cosine) = (frequency * y).sin_cos();
        large = (large.0 + ahead * near.1 * cosine, large.1 + ahead * near.1 * sine);
        others = (others.0 + (ahead * near.0 + behind) * cosine, others.1 + (ahead * near.0 - behind) * sine);
    }
    (large, others)
}

fn off(found: &ComplexBall, truth: (f64, f64)) -> f64 {
    (found.re - truth.0).hypot(found.im - truth.1)
}

/// Both parts contain what a quadrature on the real axis gives, across leaps and where terms are found afresh; bounds
/// are above that, and what is large falls.
#[test]
fn parts_against_quadrature() {
    for (case, sharpness) in CASES.into_iter().flat_map(|case| [(case, Sharpness::Soft), (case, Sharpness::Sharp)]) {
        let of = prepared(case, sharpness);
        let Prepared { cut, near, tilt, log_normalizer } = of;
        let (nodes, rows) = (Nodes::new(tilt, 300.0 / tilt, 1100), rows(&of));
        let bounds = cut.large(tilt, near, log_normalizer).unwrap();
        let found = cut.parts(near, &nodes, (log_normalizer, (-33.0, -33.0)), &bounds).unwrap();
        for n in [0, 1, 16, 17, 100, 511, 512, 1099u32] {
            let frequency = TAU * f64::from(n) / nodes.period;
            let (large, others) = reference(&of, &rows, frequency);
            let index = usize::try_from(n).unwrap();
            let (bulk, tail) = &found.parts()[index];
            let name = format!("{case:?} {sharpness:?} {n}");
            assert!(off(tail, large) <= tail.radius + 3e-12, "{name}: {tail:?} {large:?}");
            assert!(off(bulk, others) <= bulk.radius + 3e-12, "{name}: {bulk:?} {others:?}");
            assert!(tail.radius < 1e-10 && bulk.radius < 1e-12, "{name}: {tail:?} {bulk:?}");
            let bound = bounds.size_from(frequency * (1.0 - 1e-12)).get();
            assert!(large.0.hypot(large.1) <= bound + 1e-12, "{name}: {large:?} {bound:e}");
        }
        let (first, last) = (bounds.size_from(0.0).get(), bounds.size_from(3000.0 * tilt).get());
        assert!(last < 1e-3 * first, "{case:?} {sharpness:?}: {first:e} {last:e}");
    }
}

/// The first nodes to many digits are those of all nodes, over the same base; over another they are not.
#[test]
fn precise_parts_are_the_same() {
    let overlap = |x: &PreciseComplex, y: &ComplexBall| {
        let x = ComplexBall::of(&x.re, &x.im);
        (x.re - y.re).hypot(x.im - y.im) <= (x.radius + y.radius) * (1.0 + 1e-12)
    };
    for (case, sharpness) in CASES.into_iter().flat_map(|case| [(case, Sharpness::Soft), (case, Sharpness::Sharp)]) {
        let of = prepared(case, sharpness);
        let Prepared { cut, near, tilt, log_normalizer } = of;
        let nodes = Nodes::new(tilt, 300.0 / tilt, 40);
        let bounds = cut.large(tilt, near, log_normalizer).unwrap();
        let found = cut.parts(near, &nodes, (log_normalizer, (-33.0, -33.0)), &bounds).unwrap();
        let near_tail = found.near_tail.unwrap();
        // Goals that floats do not meet.
        let precisely = |near_tail: f64| {
            cut.precise_parts(near, &nodes, (log_normalizer, (-48.0, -48.0)), &bounds, near_tail).unwrap()
        };
        let PreciseParts { base, bulk, tail } = precisely(near_tail);
        let name = format!("{case:?} {sharpness:?}");
        assert!(base.lower() <= found.base.upper() && found.base.lower() <= base.upper(), "{name}");
        let less_one = |value: &PreciseComplex| value.add(&PreciseComplex::real(&Ball::exact(-1.0)));
        let width = |ball: &Ball| {
            let rest = ball.sub(&Ball::exact(midpoint(ball).0));
            rest.upper() - rest.lower()
        };
        assert_eq!((bulk.len(), tail.len()), (40, 40));
        for ((bulk, tail), (near_bulk, near_tail)) in
            bulk.iter().zip(&tail).zip(found.bulk_less_one.iter().zip(&found.tail))
        {
            assert!(overlap(&less_one(bulk), near_bulk) && overlap(tail, near_tail), "{name}");
            let widths = [width(&bulk.re), width(&bulk.im), width(&tail.re), width(&tail.im)];
            assert!(widths.iter().all(|width| *width < 1e-18), "{name}: {widths:?}");
        }
        let PreciseParts { bulk, tail, .. } = precisely(near_tail + 1e-9);
        let agree = overlap(&less_one(&bulk[1]), &found.bulk_less_one[1]) && overlap(&tail[1], &found.tail[1]);
        assert!(!agree, "{name}");
    }
}

/// A rule with steps four times as long is off by more than is claimed for the right one, and by no more than is
/// claimed for it.
#[test]
fn longer_steps_are_caught() {
    let (mut caught, mut cases) = (0, 0);
    for case in CASES {
        let of = prepared(case, Sharpness::Soft);
        let Prepared { cut, near, tilt, log_normalizer } = of;
        let law = cut.tilted(near, tilt);
        let bounds = cut.large(tilt, near, log_normalizer).unwrap();
        let goal = -33.0;
        let rule = law.rule(log_normalizer, (goal, Some(goal)), &bounds).unwrap();
        let long = |error: Above| Rule { step: rule.step * 4.0, large: error, ..rule };
        let value = |rule: Rule| {
            let point = Point::new(&law, &rule, log_normalizer).unwrap();
            let mut sums = [Sum::<()>::new(Part::Large, goal, -near.shift, rule.large)];
            let mut total = ComplexBall::new(0.0, 0.0, 0.0);
            point.sum(&mut sums, |sum, weights| total = total.add(&weights.of(sum.part))).unwrap();
            let [Sum { error, .. }] = sums;
            ComplexBall::new(total.re, total.im, total.radius + error.get())
        };
        let (truth, _) = reference(&of, &rows(&of), 0.0);
        let silent = value(long(rule.large));
        caught += u32::from(off(&silent, truth) > silent.radius + 1e-12);
        // A quarter of the exponent is left.
        let large = law.integral(&Ray::REAL, Part::Large, START, log_normalizer).get() + bounds.whole(6).get();
        let half = 2.0 * rule.half_tangent.atan();
        let claimed = large / (TAU * half / (rule.step * 4.0)).exp_m1();
        let told = value(long(Above::exact(claimed)));
        assert!(off(&told, truth) <= told.radius + 1e-12, "{case:?}: {told:?} {truth:?}");
        cases += 1;
    }
    assert!(caught * 2 > cases, "{caught} of {cases}");
}

/// Bounds on moment generating functions and on what is dropped are above a quadrature's, and near it; masses contain
/// it.
#[test]
fn bounds_against_quadrature() {
    for (case, sharpness) in CASES.into_iter().flat_map(|case| [(case, Sharpness::Soft), (case, Sharpness::Sharp)]) {
        let of = prepared(case, sharpness);
        let (Prepared { cut, near, tilt, .. }, rows) = (&of, rows(&of));
        let (name, tilt) = (format!("{case:?} {sharpness:?}"), *tilt);
        let sum = |integrand: &dyn Fn(&Row) -> f64| -> f64 { rows.iter().map(integrand).sum() };
        for is_near in [false, true] {
            let kept = |row: &Row| row.far.0 * if is_near { row.near.0 } else { 1.0 };
            let excess = sum(&|row: &Row| {
                let tilted = if kept(row) == 0.0 { 0.0 } else { kept(row) * (tilt * row.y).exp() };
                row.ahead * (tilted - 1.0) + row.behind * (-tilt * row.y).exp_m1()
            });
            // What is not kept is taken off, but for what the far cut drops of it.
            let missed = sum(&|row: &Row| row.ahead * (1.0 - kept(row)));
            let left = if is_near { 0.1 * missed } else { missed };
            let (truth, bound) = (excess.ln_1p(), cut.log_mgf(tilt, is_near.then_some(*near)).unwrap().get());
            assert!(truth <= bound + 1e-12, "{name} {is_near}: {truth:e} {bound:e}");
            let most = (excess + left).ln_1p() + 0.15 * (excess.abs() + missed);
            assert!(bound <= most, "{name} {is_near}: {truth:e} {bound:e} {most:e}");
        }
        let (truth, bound) = (sum(&|row| row.far.1 * row.ahead), cut.dropped().get());
        assert!(truth <= bound * (1.0 + 1e-9) && bound <= truth * 200.0, "{name}: {truth:e} {bound:e}");
        let truth = sum(&|row| row.far.1 * row.behind * (-tilt * row.y).exp());
        let bound = cut.dropped_behind(tilt).get();
        assert!(truth <= bound * (1.0 + 1e-9) && bound <= truth * 30.0, "{name}: {truth:e} {bound:e}");
        let Masses { first, second } = cut.masses_above(*near).unwrap();
        let truths = (sum(&|row| row.far.0 * row.near.1 * row.ahead), sum(&|row| row.far.0 * row.near.1 * row.behind));
        for (found, truth) in [(first, truths.0), (second, truths.1)] {
            let (lower, upper) = (found.lower(), found.upper());
            assert!(lower <= truth * (1.0 + 1e-10) && truth * (1.0 - 1e-10) <= upper, "{name}: {truth:e} {found:?}");
            assert!(upper - lower < 1e-8 * truth, "{name}: {truth:e} {found:?}");
        }
    }
}

/// What moment generating functions lack without large losses is no more than a quadrature says, and nearly that, also
/// where it is most of what there is.
#[test]
fn what_is_missed_without_large_losses() {
    for case in CASES.into_iter().chain([(1.0, 0.3, 3.0, 0.02, -40.0)]) {
        let of = prepared(case, Sharpness::Soft);
        let Prepared { cut, near, tilt, .. } = &of;
        let lacks = |row: &Row| row.near.1 * (row.ahead - row.behind * (-tilt * row.y).exp_m1());
        let truth: f64 = rows(&of).iter().map(lacks).sum();
        let found = cut.missed(*tilt, near, 30.0).get();
        assert!(found <= truth * (1.0 + 1e-9) && truth <= 1.25 * found, "{case:?}: {found:e} {truth:e}");
    }
    let Prepared { cut, near, tilt, .. } = prepared((1.0, 0.3, 3.0, 0.02, -40.0), Sharpness::Soft);
    assert!(cut.log_mgf(tilt, Some(near)).unwrap().get() < -0.3);
}

/// The cut that is not before the far one has no bounds.
#[test]
fn near_is_before_far() {
    let Prepared { cut, tilt, .. } = prepared((1.0, 0.01, 5.0, 0.1, -40.0), Sharpness::Soft);
    let later = Truncation { shift: cut.far.shift - 0.1, ..cut.far };
    assert!(cut.large(tilt, later, 0.0).is_none() && cut.log_mgf(tilt, Some(later)).is_none());
    assert!(
        CutFixedSize::new(&FixedSizeGaussian { sigma: 0.01, rate: 0.1, end: None }, 1.0, -40.0, Sharpness::Soft)
            .is_none()
    );
}
