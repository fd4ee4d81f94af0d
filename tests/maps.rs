//! No map is ever below the exact rational truth, and none is needlessly above it.

use indistinct::{bounds::CompositionMeasure, core::Distance, numeric::gmp::Rational, prelude::*};
use indistinct_tests::{Exact, covers, float, fraction, is_least, is_tight, runs, vectors};
use proptest::{prelude::*, sample};

/// Positive floats of every size, with weight on those whose quotients round.
fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![
        sample::select(vec![5e-324, 1e-310, 1e-200, 0.1, 0.3, 1.0 / 3.0, 1.0, 3.0, 10.0, 1e16, 1e200, f64::MAX]),
        1e-3f64..1e3,
        any::<f64>().prop_map(f64::abs).prop_filter("positive and finite", |x| *x > 0.0 && x.is_finite()),
    ]
}

fn laplace(scale: f64) -> Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MaxDivergence> {
    make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale).unwrap()
}

fn gaussian(scale: f64) -> Measurement<AtomDomain<f64>, f64, AbsoluteDistance, ZeroConcentratedDivergence> {
    make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap()
}

/// `(d / scale)^2 / 2`.
fn rho(d: f64, scale: f64) -> Rational {
    (d.exact() / scale.exact()).square() / 2u32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn laplace_and_gaussian(d in positive(), scale in positive()) {
        let epsilon = laplace(scale).map(&d).unwrap();
        let truth = d.exact() / scale.exact();
        prop_assert!(is_least(epsilon, &truth), "{epsilon:e}");
        let reported = gaussian(scale).map(&d).unwrap();
        prop_assert!(is_least(reported, &rho(d, scale)), "{reported:e}");
        let integers = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap();
        prop_assert_eq!(integers.map(&d), Ok(reported));
        let mu = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale).unwrap();
        prop_assert!(is_least(mu.map(&d).unwrap(), &truth));
    }

    /// The greatest rise and the greatest fall together, at the corners of the ball of each norm, one of which attains
    /// the map. A corner of the monotonic form's ball moves some numbers up, and none down, or the other way.
    #[test]
    fn matrices_to_what_rises_and_falls(
        numbers in prop::collection::vec(prop_oneof![-1e3f64..1e3, (-3i32..4).prop_map(f64::from)], 9), d in positive(),
    ) {
        let matrix: Vec<Vec<f64>> = numbers.chunks(3).map(<[f64]>::to_vec).collect();
        let move_of = |corner: &[i32]| {
            let images: Vec<Rational> = matrix.iter().map(|row| row.iter().zip(corner).map(|(x, v)| x.exact() * *v).sum()).collect();
            let rise = images.iter().cloned().fold(Rational::new(), |greatest, y| greatest.max(y));
            let fall = images.into_iter().fold(Rational::new(), |greatest, y| greatest.max(-y));
            rise + fall
        };
        let corners = |digits: [i32; 2]| (0..8).map(move |code| [0, 1, 2].map(|at| digits[code >> at & 1])).collect::<Vec<_>>();
        let axes = vec![[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let truth = |corners: Vec<[i32; 3]>| corners.iter().map(|corner| move_of(corner)).max().unwrap() * d.exact();
        macro_rules! check {
            ($metric:expr, $corners:expr) => {
                let floats = VectorDomain::new(AtomDomain::f64()).with_size(3);
                let step = make_linear_queries(floats, $metric, matrix.clone(), LInfDistance::monotonic()).unwrap();
                let (bound, truth) = (step.map(&d).unwrap(), truth($corners));
                prop_assert!(covers(bound, &truth) && is_tight(bound, &truth), "{bound:e} {truth}");
            };
        }
        check!(L1Distance::new(), axes);
        check!(LInfDistance::new(), corners([-1, 1]));
        check!(LInfDistance::monotonic(), corners([0, 1]));
    }

    /// What rises in one node of a tree and falls in another is of different bins.
    #[test]
    fn trees_to_what_rises_and_falls(bins in 1usize..200, branching in 2usize..10, d in positive()) {
        let histogram = VectorDomain::new(AtomDomain::i64()).with_size(bins);
        let tree = make_b_ary_tree(histogram, L1Distance::new(), branching, LInfDistance::monotonic()).unwrap();
        prop_assert_eq!(tree.map(&d), Ok(d));
    }

    /// Of losses that are floats, halves and eighths of squares.
    #[test]
    fn conversions(loss in positive()) {
        let (mu, eta) = (indistinct::accounting::gaussian_to_zcdp(loss), indistinct::accounting::bounded_range_to_zcdp(loss));
        prop_assert!(is_least(mu.unwrap(), &(loss.exact().square() / 2u32)));
        prop_assert!(is_least(eta.unwrap(), &(loss.exact().square() / 8u32)));
    }

    /// Sensitivity over one scale, and so many times over another.
    #[test]
    fn sparse_vectors(sensitivity in positive(), a in positive(), b in positive(), limit in 1u32..1000) {
        for (monotonicity, moves) in [(Monotonicity::Unknown, 2), (Monotonicity::Assumed, 1)] {
            let sparse = make_above_threshold(
                AtomDomain::i64(), AbsoluteDistance::new(), (1.0, sensitivity), monotonicity, 0.0, limit, (a, b),
            );
            let truth = sensitivity.exact() / a.exact() + sensitivity.exact() * limit * moves / b.exact();
            let epsilon = sparse.unwrap().map(&1.0).unwrap();
            prop_assert!(is_least(epsilon, &truth), "{epsilon:e}");
        }
    }

    #[test]
    fn maps_are_monotone_and_zero_at_zero(d in positive(), more in positive(), scale in positive()) {
        let (near, far) = (d.min(more), d.max(more));
        prop_assert!(laplace(scale).map(&near).unwrap() <= laplace(scale).map(&far).unwrap());
        prop_assert!(gaussian(scale).map(&near).unwrap() <= gaussian(scale).map(&far).unwrap());
        prop_assert_eq!((laplace(scale).map(&0.0), gaussian(scale).map(&0.0)), (Ok(0.0), Ok(0.0)));
        prop_assert_eq!(laplace(scale).map(&f64::INFINITY), Ok(f64::INFINITY));
    }

    #[test]
    fn whole_chains(
        people in 0u32..1000, max_rows in 1u32..100, low in positive(), high in positive(), negative in any::<bool>(), scale in positive(), parts in 1usize..6,
    ) {
        let bounds = if negative { (-low, high) } else { (low.min(high), low.max(high)) };
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
        let sum = ((rows, SymmetricIdDistance) >> then_bound_contributions(max_rows) >> then_clamp(bounds) >> then_sum()).unwrap();
        let release = (sum.clone() >> then_laplace(scale)).unwrap();
        let all = make_composition(vec![release.clone(); parts]).unwrap();
        let sensitivity = Rational::from(people) * max_rows * bounds.0.exact().abs().max(bounds.1.exact().abs());
        prop_assert!(covers(sum.map(&people).unwrap(), &sensitivity));
        let truth = sensitivity / scale.exact();
        let epsilon = release.map(&people).unwrap();
        prop_assert!(covers(epsilon, &truth), "{epsilon:e}");
        // Steps that leave the normal floats cost precision, though never safety.
        let precise = sum.map(&people).unwrap().is_normal() && epsilon.is_normal();
        prop_assert!(!precise || is_tight(epsilon, &truth), "{epsilon:e}");
        let truth = truth * Rational::from(parts);
        let total = all.map(&people).unwrap();
        prop_assert!(covers(total, &truth), "{total:e}");
        prop_assert!(!precise || total.is_infinite() || is_tight(total, &truth), "{total:e}");
        // Check and map say the same, and the explanation ends where the map does.
        prop_assert!(all.check(&people, &total).unwrap());
        prop_assert!(total == 0.0 || !all.check(&people, &total.next_down()).unwrap());
        let end = all.explain(&people).unwrap().steps.last().unwrap().d_out.clone();
        prop_assert_eq!(end, format!("epsilon {total:?}"));
    }

    #[test]
    fn compositions_are_exact_sums_rounded_up(losses in prop::collection::vec(positive(), 1..20)) {
        let truth: Rational = losses.iter().map(f64::exact).sum();
        for total in [MaxDivergence.compose(&losses).unwrap(), ZeroConcentratedDivergence.compose(&losses).unwrap()] {
            prop_assert!(covers(total, &truth));
            prop_assert!(total == f64::INFINITY || total.next_down().exact() < truth, "not the least float above");
        }
        let pairs: Vec<(f64, f64)> = losses.iter().map(|&loss| (loss, loss)).collect();
        let (epsilon, delta) = Approximate(MaxDivergence).compose(&pairs).unwrap();
        prop_assert!(covers(epsilon, &truth) && covers(delta, &truth));
    }
}

proptest! {
    // Each case builds tables of noise.
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn thresholds(norm in positive(), scale in positive(), keys in 1u32..100, gap in 1i64..1000, greatest in 1i32..1000) {
        let maps = MapDomain::new(AtomDomain::string(), AtomDomain::i64());
        let threshold = gap + i64::from(greatest);
        let laplace = make_laplace_threshold(maps.clone(), L01InfDistance, scale, threshold).unwrap();
        let gaussian = make_gaussian_threshold(maps, L02InfDistance, scale, threshold).unwrap();
        let d_in = (keys, norm, f64::from(greatest));
        let ((epsilon, delta), (reported, delta_gaussian)) = (laplace.map(&d_in).unwrap(), gaussian.map(&d_in).unwrap());
        prop_assert!(is_least(epsilon, &(norm.exact() / scale.exact())) && is_least(reported, &rho(norm, scale)));
        // Each part of the distance can only make the loss larger; up to roundings, where all numbers together are less
        // than one may be.
        let is_whole = norm >= f64::from(greatest);
        let nearer = (keys.div_ceil(2), norm / 2.0, f64::from(greatest) / 2.0);
        let less = (laplace.map(&nearer).unwrap(), gaussian.map(&nearer).unwrap());
        prop_assert!(!is_whole || less.0.is_within(&(epsilon, delta)) && less.1.is_within(&(reported, delta_gaussian)));
        // Exact sums of floats: the same losses, and deltas above the tails of continuous noise.
        let sums = || MapDomain::new(AtomDomain::string(), AtomDomain::dyadic());
        let laplace = make_laplace_threshold(sums(), L01InfDistance, scale, f64::from(i32::try_from(threshold).unwrap())).unwrap();
        let gaussian = make_gaussian_threshold(sums(), L02InfDistance, scale, f64::from(i32::try_from(threshold).unwrap())).unwrap();
        let (floats, floats_gaussian) = (laplace.map(&d_in).unwrap(), gaussian.map(&d_in).unwrap());
        prop_assert!(floats.0 == epsilon && floats_gaussian.0 == reported);
        let less = (laplace.map(&nearer).unwrap(), gaussian.map(&nearer).unwrap());
        prop_assert!(!is_whole || less.0.is_within(&floats) && less.1.is_within(&floats_gaussian));
        let tail = (Rational::from(1) - Rational::from(gap) / scale.exact()) / 2u32;
        prop_assert!(!is_whole || covers(floats.1, &tail), "{:e}", floats.1);
        let alp = make_alp(sums(), L01InfDistance, scale.max(1e-3), 1e4, 2, 3).unwrap();
        prop_assert!(covers(alp.map(&d_in).unwrap(), &(norm.exact() / scale.max(1e-3).exact())));
        // The exact tail needs an exponential; a lower bound on it is a fraction: 1 - x <= exp(-x).
        let tail = (Rational::from(1) - Rational::from(gap) / scale.exact()) / 2u32;
        prop_assert!(!is_whole || covers(delta, &tail), "{delta:e}");
    }
}

/// Vectors of a failure: each was a unit of the last place above the least float, and a filter with that budget
/// refused it.
#[test]
fn rho_is_the_least_float_above() {
    for (scale, budget) in [(5.0, 0.02), (10.0, 0.005), (2.5, 0.08)] {
        assert_eq!(gaussian(scale).map(&1.0), Ok(budget));
        let space = (AtomDomain::f64(), AbsoluteDistance::new());
        let filter = (space >> then_privacy_filter(ZeroConcentratedDivergence, 1.0, budget)).unwrap();
        assert!(filter.invoke(&0.0).unwrap().eval(&gaussian(scale)).is_ok());
        // The search for a scale is the inverse.
        let make = |scale| make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale);
        assert_eq!(smallest_scale(make, &1.0, &budget), Ok(scale));
    }
}

#[test]
fn privacy_map_vectors() {
    let mut right = Vec::new();
    for (name, vector) in vectors("privacy_maps") {
        let params = &vector["params"];
        // The negative control divides in floats, to nearest.
        let (reported, naive) = match vector["map"].as_str().unwrap() {
            "laplace eps = d_in/scale" => {
                let (d_in, scale) = (float(&params["d_in"]), float(&params["scale"]));
                (laplace(scale).map(&d_in), d_in / scale)
            }
            "gaussian rho = d_in^2/(2 sigma^2)" => {
                let (d_in, scale) = (float(&params["d_in"]), float(&params["sigma"]));
                (gaussian(scale).map(&d_in), (d_in / scale) * (d_in / scale) / 2.0)
            }
            _ => continue,
        };
        let (reported, truth) = (reported.unwrap(), fraction(&vector["truth"]));
        assert!(covers(reported, &truth) && is_tight(reported, &truth), "{name}: {reported:e}");
        assert!(reported >= float(&vector["round_up_f64"]), "{name}: {reported:e}");
        assert_eq!(!covers(naive, &truth), vector["naive"]["below_truth"] == true, "{name}: {naive:e}");
        if covers(naive, &truth) {
            right.push(name);
        }
    }
    assert_eq!(
        right,
        ["laplace_1_over_tenth", "laplace_overflow_to_inf", "zcdp_07_13"],
        "where rounding to nearest is right"
    );
}

#[test]
fn composition_vectors() {
    let mut right = Vec::new();
    for (name, vector) in vectors("composition").into_iter().filter(|(_, vector)| vector["charges"][0].is_array()) {
        let (charges, budget) = (runs(&vector["charges"]), float(&vector["budget"]));
        let (total, truth) = (MaxDivergence.compose(&charges).unwrap(), fraction(&vector["truth"]));
        assert_eq!(total, float(&vector["round_up_f64"]), "{name}");
        assert!(covers(total, &truth), "{name}");
        assert_eq!(total <= budget, vector["decision"] == "accept", "{name}");
        // The negative control adds floats in order: its total is below the truth, and it accepts what is to be
        // rejected.
        let naive: f64 = charges.iter().sum();
        let decided = (naive <= budget) == (vector["decision"] == "accept");
        assert_eq!(covers(naive, &truth), decided, "{name}: {naive:e}");
        if decided {
            right.push(name);
        }
    }
    assert_eq!(right, ["tenth_plus_two_tenths", "third_times_three"], "where a sum of floats is right");
}
