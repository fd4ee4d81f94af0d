//! Renyi curves: values, interpolation, conversion.

use crate::common::{BITS, cases, is_above, number, truth};
use indistinct_accounting::{
    Delta, Epsilon, Fallible, Mu, Order, PrivacyLossDistribution, Rate, RenyiCurve, Rho, Scale, Sigma, cdp_delta,
    cdp_epsilon, pure_to_renyi,
};
use proptest::prelude::*;
use rug::Float;

type P = PrivacyLossDistribution;

fn sampled_gaussian(sigma: f64, rate: f64) -> Fallible<RenyiCurve> {
    P::poisson_gaussian(Sigma(sigma), Rate(rate))?.renyi()
}

fn laplace(scale: f64) -> Fallible<RenyiCurve> {
    P::laplace(Scale(scale))?.renyi()
}

fn discrete_laplace(scale: f64, sensitivity: u32) -> Fallible<RenyiCurve> {
    P::discrete_laplace(Scale(scale), sensitivity)?.renyi()
}

fn discrete(weights: &[(f64, f64)]) -> Fallible<RenyiCurve> {
    P::discrete(weights)?.renyi()
}

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

#[test]
fn gaussian_references() {
    for case in cases("rdp", "gaussian") {
        let (alpha, sigma) = (number(&case, "alpha"), number(&case, "sigma"));
        let mu = indistinct_numeric::RoundedArithmetic::inf_div(1f64, sigma).unwrap();
        let divergence = RenyiCurve::gaussian(Mu(mu)).unwrap().at(alpha).unwrap();
        assert!(is_above(divergence, &truth(&case, "rdp"), 1e-15), "{case}: {divergence:e}");
    }
}

#[test]
fn laplace_references() {
    for case in cases("rdp", "laplace") {
        let (alpha, scale) = (number(&case, "alpha"), number(&case, "b"));
        if alpha == 1.0 {
            // Orders start above 1, where divergences are not less.
            assert!(laplace(scale).unwrap().at(1f64.next_up()).unwrap() >= truth(&case, "rdp") * (1.0 - 1e-14));
            continue;
        }
        let divergence = laplace(scale).unwrap().at(alpha).unwrap();
        // The inverse of the scale is not always a float, and the reference is for one.
        let tolerance = if scale.log2().fract() == 0.0 { 1e-15 } else { 1e-15 * 8.0 };
        let shift = (Float::with_val(BITS, divergence) / truth(&case, "rdp") - 1u32).to_f64();
        assert!(shift.abs() < tolerance, "{case}: {divergence:e}");
        let exact = true_laplace(&wide(scale).recip(), &(wide(alpha) - 1u32));
        assert!(is_above(divergence, &exact, 1e-15), "{case}: {divergence:e}");
    }
}

/// Mironov 2017, Proposition 6, as printed.
fn true_laplace(epsilon: &Float, t: &Float) -> Float {
    let alpha = Float::with_val(BITS, t + 1u32);
    let twice = Float::with_val(BITS, &alpha * 2u32) - 1u32;
    let first = Float::with_val(BITS, &alpha / &twice) * Float::with_val(BITS, epsilon * t).exp();
    let second = Float::with_val(BITS, t / &twice) * (-Float::with_val(BITS, epsilon * &alpha)).exp();
    (first + second).ln() / t
}

#[test]
fn randomized_response_references() {
    for case in cases("rdp", "rr") {
        let (alpha, epsilon) = (number(&case, "alpha"), number(&case, "eps0"));
        let divergence = RenyiCurve::pure(epsilon).unwrap().at(alpha).unwrap();
        assert!(is_above(divergence, &truth(&case, "rdp"), 1e-14), "{case}: {divergence:e}");
    }
}

#[test]
fn sampled_gaussian_references() {
    let (mut removing, mut adding) = (0, 0);
    for case in cases("rdp", "sgm") {
        let (alpha, truth) = (number(&case, "alpha"), truth(&case, "rdp"));
        let curve = sampled_gaussian(number(&case, "sigma"), number(&case, "q")).unwrap();
        let divergence = curve.at(alpha).unwrap();
        if case["direction"] == "remove" {
            assert!(is_above(divergence, &truth, 1e-10), "{case}: {divergence:e}");
            removing += 1;
        } else {
            // The other direction is never worse.
            assert!(divergence >= truth, "{case}: {divergence:e}");
            adding += 1;
        }
    }
    assert!(removing > 70 && adding > 15);
}

/// Theorem 9 of Wang, Balle, Kasiviswanathan 2019, as printed, for Gaussian noise.
#[test]
fn without_replacement_references() {
    let mut same = 0;
    for case in cases("rdp", "swor") {
        let (alpha, sigma) = (number(&case, "alpha"), number(&case, "sigma"));
        let mu = indistinct_numeric::RoundedArithmetic::inf_div(1f64, sigma).unwrap();
        let noise = RenyiCurve::gaussian(Mu(mu)).unwrap();
        let curve = noise.sampled_without_replacement(number(&case, "gamma"), 128).unwrap();
        let (bound, printed) = (curve.at(alpha).unwrap(), truth(&case, "rdp_wbk_thm9"));
        let whole = noise.at(alpha).unwrap();
        assert!(is_above(bound, &printed, 1e-10) || bound == whole && whole < printed, "{case}: {bound:e}");
        same += u32::from(bound < whole);
    }
    assert!(same > 15, "{same}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// For pure mechanisms the bound is above what sampling randomized response truly gives: a loss of ln(1 + rate
    /// (e^epsilon - 1)) at most, attained where a dataset of one row beside others that do not matter is replaced.
    #[test]
    fn without_replacement_is_a_bound(epsilon in 0.01f64..4.0, rate in 0.001f64..1.0, order in 2u32..64) {
        let curve = RenyiCurve::pure(epsilon)?.sampled_without_replacement(rate, 64)?;
        // With probability `rate` the row is in the sample and answers for itself; else a coin's answer that does not
        // depend on it.
        let truth = 1.0 / (1.0 + (-epsilon).exp());
        let own = |says: f64| rate * says + (1.0 - rate) * 0.5;
        let pairs = vec![(own(truth), own(1.0 - truth)), (own(1.0 - truth), own(truth))];
        let attained = discrete(&pairs)?.at(f64::from(order))?;
        prop_assert!(curve.at(f64::from(order))? >= attained * (1.0 - 1e-12), "{attained:e}");
        prop_assert!(curve.at(f64::from(order))? <= RenyiCurve::pure(epsilon)?.at(f64::from(order))?);
    }
}

#[test]
fn without_replacement_extremes() {
    let noise = RenyiCurve::gaussian(Mu(1.0)).unwrap();
    for (rate, order, name) in
        [(1.5, 8, "rate"), (f64::NAN, 8, "rate"), (0.5, 1, "greatest_order"), (0.5, 5000, "greatest_order")]
    {
        assert!(noise.sampled_without_replacement(rate, order).unwrap_err().to_string().starts_with(name));
    }
    assert_eq!(noise.sampled_without_replacement(0.0, 8).unwrap().at(8.0).unwrap(), 0.0);
    let all = noise.sampled_without_replacement(1.0, 8).unwrap();
    assert_eq!(all.at(8.0).unwrap(), noise.at(8.0).unwrap());
    for mu in [0.0, 1e-9, 1e-3, 30.0, 1e9, f64::INFINITY] {
        for rate in [1e-300, 1e-9, 0.3] {
            let noise = RenyiCurve::gaussian(Mu(mu)).unwrap();
            let curve = noise.sampled_without_replacement(rate, 4096).unwrap();
            for order in [2.0, 3.0, 64.0, 4096.0] {
                assert!(curve.at(order).unwrap() <= noise.at(order).unwrap(), "{mu} {rate}");
            }
        }
    }
    let nothing = RenyiCurve::pure(0.0).unwrap().sampled_without_replacement(0.5, 16).unwrap();
    assert!(nothing.at(16.0).unwrap() < 1e-300);
}

/// The binomial sum of a whole order (Mironov, Talwar, Zhang 2019, Section 3.3), at 600 bits.
fn true_sampled(rate: f64, sigma: f64, order: u32) -> Float {
    const WIDE: u32 = 600;
    let (rate, sigma) = (Float::with_val(WIDE, rate), Float::with_val(WIDE, sigma));
    let rest = Float::with_val(WIDE, 1u32 - &rate);
    let mut less_one = Float::with_val(WIDE, 0);
    for k in 2..=order {
        let exponent = Float::with_val(WIDE, k * (k - 1)) / (Float::with_val(WIDE, sigma.square_ref()) * 2u32);
        let choices = Float::with_val(WIDE, rug::Integer::from(rug::Integer::binomial_u(order, k)));
        let weight = choices * rug::ops::Pow::pow(rate.clone(), k) * rug::ops::Pow::pow(rest.clone(), order - k);
        less_one += weight * exponent.exp_m1();
    }
    less_one.ln_1p() / (order - 1)
}

/// Where the normal density is below all floats at points that are the bulk of the sum. Half of the first value was
/// missing once, and seven tenths of the sixth.
#[test]
fn sampled_gaussian_at_rates_of_nearly_nothing() {
    for (rate, sigma, order) in [
        (2e-43, 0.16, 6),
        (1e-40, 0.166, 6),
        (4e-40, 0.166, 6),
        (1e-35, 0.195, 7),
        (2e-70, 0.08, 3),
        (1e-73, 0.079, 3),
        (1e-30, 0.2, 8),
    ] {
        let divergence = sampled_gaussian(sigma, rate).unwrap().at(f64::from(order)).unwrap();
        let truth = true_sampled(rate, sigma, order);
        assert!(is_above(divergence, &truth, 1e-10), "{rate:e} {sigma:e} {order}: {divergence:e} {truth:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sampled_gaussian_at_rates_down_to_1e_80(power in -80.0f64..-9.0, sigma in 0.07f64..0.3, order in 2u32..9) {
        let rate = 10f64.powf(power);
        let divergence = sampled_gaussian(sigma, rate)?.at(f64::from(order))?;
        let truth = true_sampled(rate, sigma, order);
        prop_assert!(is_above(divergence, &truth, 1e-6), "{rate:e} {sigma:e} {order}: {divergence:e} {truth:e}");
    }

    #[test]
    fn sampled_gaussian_at_whole_orders(power in -9.0f64..0.0, spread in -1.0f64..2.0, order in 2u32..200) {
        let (rate, sigma) = (10f64.powf(power), 10f64.powf(spread));
        let divergence = sampled_gaussian(sigma, rate)?.at(f64::from(order))?;
        let truth = true_sampled(rate, sigma, order);
        prop_assert!(is_above(divergence, &truth, 1e-10), "{rate:e} {sigma:e} {order}: {divergence:e} {truth:e}");
    }

    /// Far up, where the sum ends long before it reaches zero, and with little noise.
    #[test]
    fn sampled_gaussian_at_far_orders(power in -9.0f64..0.0, spread in -2.3f64..1.0, order in prop_oneof![2u32..6, 200u32..3000]) {
        let (rate, sigma) = (10f64.powf(power), 10f64.powf(spread));
        // The truth's powers are no numbers of 600 bits beyond.
        prop_assume!(f64::from(order) < 3e4 * sigma);
        let divergence = sampled_gaussian(sigma, rate)?.at(f64::from(order))?;
        let truth = true_sampled(rate, sigma, order);
        prop_assert!(is_above(divergence, &truth, 1e-10), "{rate:e} {sigma:e} {order}: {divergence:e} {truth:e}");
    }

    /// Between whole orders the logarithm of the moment is convex, and divergences rise.
    #[test]
    fn sampled_gaussian_between_orders(power in -6.0f64..0.0, spread in -0.5f64..1.0, order in 1.01f64..40.0, step in 0.01f64..1.0) {
        let curve = sampled_gaussian(10f64.powf(spread), 10f64.powf(power))?;
        let height = |alpha: f64| Ok::<_, indistinct_accounting::Error>((alpha - 1.0) * curve.at(alpha)?);
        let (low, middle, high) = (height(order)?, height(order + step)?, height(order + 2.0 * step)?);
        prop_assert!(middle <= (low + high) / 2.0 * (1.0 + 1e-9), "{low:e} {middle:e} {high:e}");
        prop_assert!(curve.at(order)? <= curve.at(order + step)? * (1.0 + 1e-9));
        let denser = sampled_gaussian(10f64.powf(spread), (10f64.powf(power) * 1.1).min(1f64.next_down()))?;
        prop_assert!(curve.at(order)? <= denser.at(order)? * (1.0 + 1e-9) && curve <= denser);
    }

    #[test]
    fn laplace_and_discrete_laplace(power in -6.0f64..1.5, excess in -6.0f64..3.0, steps in 1u32..40) {
        let (scale, t) = (10f64.powf(-power), 10f64.powf(excess));
        let alpha = 1.0 + t;
        let divergence = laplace(scale)?.at(alpha)?;
        let t = wide(alpha) - 1u32;
        let truth = true_laplace(&wide(scale).recip(), &t);
        prop_assert!(is_above(divergence, &truth, 1e-13), "{scale:e} {alpha:e}: {divergence:e}");
        // The sum over all integers between, and both ends.
        let scale = scale * f64::from(steps);
        let own = wide(scale).recip();
        let weight = Float::with_val(BITS, &own / 2u32).tanh();
        let end = Float::with_val(BITS, 1u32 + Float::with_val(BITS, -&own).exp()).recip();
        let loss = |x: u32| own.clone() * (i64::from(steps) - 2 * i64::from(x)) * &t;
        let fallen = |x: u32| (own.clone() * -f64::from(x)).exp();
        let mut moment = Float::with_val(BITS, &end * loss(0).exp());
        moment += Float::with_val(BITS, &end * fallen(steps)) * loss(steps).exp();
        for x in 1..steps {
            moment += Float::with_val(BITS, &weight * fallen(x)) * loss(x).exp();
        }
        let truth = moment.ln() / &t;
        let divergence = discrete_laplace(scale, steps)?.at(alpha)?;
        prop_assert!(is_above(divergence, &truth, 1e-12), "{scale:e} {steps} {alpha:e}: {divergence:e} {truth:e}");
    }

    #[test]
    fn given_weights(pairs in prop::collection::vec((1e-6f64..1.0, 1e-6f64..1.0), 1..8), excess in -3.0f64..3.0) {
        let alpha = 1.0 + 10f64.powf(excess);
        let t = wide(alpha) - 1u32;
        let one_way = |pairs: &[(f64, f64)]| {
            let (p, q) = pairs.iter().fold((wide(0.0), wide(0.0)), |(p, q), pair| (p + pair.0, q + pair.1));
            let terms = pairs.iter().map(|pair| {
                let (own, other) = (wide(pair.0) / &p, wide(pair.1) / &q);
                let ratio = Float::with_val(BITS, &own / &other).ln() * &t;
                own * ratio.exp()
            });
            terms.fold(wide(0.0), |sum, term| sum + term).ln() / &t
        };
        let swapped: Vec<_> = pairs.iter().map(|&(p, q)| (q, p)).collect();
        let truth = one_way(&pairs).max(&one_way(&swapped));
        let curve = discrete(&pairs)?;
        let divergence = curve.at(alpha)?;
        prop_assert!(is_above(divergence, &truth, 1e-12) || truth < 1e-12 && divergence >= truth && divergence < 1e-11, "{divergence:e} {truth:e}");
        prop_assert!(curve.at(f64::INFINITY)? >= divergence - 1e-15);
    }

    /// Many curves at once, one by one, or by counting: the same; and what is less is below.
    #[test]
    fn totals(epsilons in prop::collection::vec(prop_oneof![Just(0.1f64), Just(0.2), 0.01f64..1.0], 0..20), order in 1.1f64..50.0) {
        let curves = epsilons.iter().map(|&epsilon| RenyiCurve::pure(epsilon)).collect::<Result<Vec<_>, _>>()?;
        let total = RenyiCurve::total(&curves)?;
        let folded = curves.iter().try_fold(RenyiCurve::concentrated(0.0)?, |sum, curve| sum.compose(curve))?;
        prop_assert_eq!(&total, &folded);
        let sum: f64 = epsilons.iter().map(|&epsilon| pure_to_renyi(Epsilon(epsilon), Order(order)).unwrap()).sum();
        prop_assert!((total.at(order)? - sum).abs() <= 1e-12 * sum);
        prop_assert_eq!(total.repeat(3)?, RenyiCurve::total([&total, &total, &total])?);
        prop_assert!(total <= total.compose(&RenyiCurve::pure(0.3)?)? && total <= total.repeat(2)?);
        #[cfg(feature = "serde")]
        {
            let stored = serde_json::to_string(&total).unwrap();
            prop_assert_eq!(serde_json::from_str::<RenyiCurve>(&stored).unwrap(), total);
        }
    }
}

#[test]
fn parameters_and_extremes() {
    for (curve, name) in [
        (sampled_gaussian(1.0, 1.5), "rate"),
        (sampled_gaussian(1.0, f64::NAN), "rate"),
        (sampled_gaussian(1.0, -0.1), "rate"),
        (sampled_gaussian(0.0, 0.1), "sigma"),
        (sampled_gaussian(f64::NAN, 0.1), "sigma"),
        (laplace(-1.0), "scale"),
        (discrete_laplace(f64::NAN, 1), "scale"),
        (discrete(&[]), "weights"),
        (discrete(&[(1.0, -1.0)]), "weights"),
        (discrete(&[(1.0, 0.0)]), "weights"),
    ] {
        assert!(curve.unwrap_err().to_string().starts_with(name));
    }
    let exact = |rate, sigma: f64| sampled_gaussian(sigma, rate).unwrap();
    // Without sampling, or without a sample.
    assert!(is_above(exact(1.0, 2.0).at(8.0).unwrap(), &wide(1.0), 1e-15));
    assert_eq!(exact(0.0, 2.0).at(8.0).unwrap(), 0.0);
    for sigma in [1e-100, 1e-9, 1e-3, 0.03, 1.0, 1e4, 1e9, 1e100] {
        for rate in [1e-300, 1e-17, 1e-9, 0.5, 1.0f64.next_down()] {
            for alpha in [1f64.next_up(), 1.0 + 1e-9, 1.5, 2.0, 77.7, 1e6, 1e300, f64::INFINITY] {
                let divergence = exact(rate, sigma).at(alpha).unwrap();
                let whole = if sigma < 1e-99 { f64::INFINITY } else { alpha / sigma / sigma * (0.5 + 1e-15) };
                assert!(
                    divergence >= 0.0 && divergence <= whole.max(f64::MIN_POSITIVE),
                    "{sigma:e} {rate:e} {alpha:e}: {divergence:e}"
                );
            }
            let steps = exact(rate, sigma).repeat(10_000_000).unwrap();
            let (epsilon, delta) = (steps.epsilon(1e-9).unwrap(), steps.delta(1.0).unwrap());
            assert!(epsilon >= 0.0 && (0.0..=1.0).contains(&delta), "{sigma:e} {rate:e}: {epsilon} {delta}");
        }
    }
    let curve = discrete(&[(1.0, 1.0), (1.0, 0.0)]).unwrap();
    assert_eq!((curve.at(2.0).unwrap(), curve.delta(1.0).unwrap()), (f64::INFINITY, 1.0));
    assert!(RenyiCurve::pure(0.1).unwrap().repeat(u32::MAX).unwrap().repeat(u32::MAX).is_err());
    assert_eq!(laplace(1.0).unwrap().repeat(0).unwrap(), RenyiCurve::concentrated(0.0).unwrap());
    let kinds = RenyiCurve::total(&[
        exact(0.01, 1.0).repeat(100).unwrap(),
        laplace(2.0).unwrap(),
        discrete_laplace(4.0, 2).unwrap(),
        discrete(&[(1.0, 2.0), (2.0, 1.0)]).unwrap(),
    ]);
    let kinds = kinds.unwrap();
    assert_eq!(
        kinds.to_string(),
        "Laplace 0.5 + discrete Laplace 0.25 at 2 + 100 times Gaussian 1.0 sampled at 0.01 + 2 weights"
    );
    #[cfg(feature = "serde")]
    {
        let stored = serde_json::to_string(&kinds).unwrap();
        assert_eq!(serde_json::from_str::<RenyiCurve>(&stored).unwrap(), kinds);
        for (good, bad) in [
            ("\"0.01\"", "\"1.01\""),
            ("100", "0"),
            ("\"0.5\"", "\"-0.5\""),
            ("[\"1.0\",\"2.0\"]", "[\"-1.0\",\"2.0\"]"),
        ] {
            let damaged = serde_json::from_str::<RenyiCurve>(&stored.replace(good, bad));
            assert!(stored.contains(good) && damaged.is_err(), "{good}");
        }
    }
}

/// The trapezoid's error is real: with too few points, or read off the wrong way, the bound would be below.
#[test]
fn negative_control_plain_sum() {
    // (1 - q + q e^x)^2 averaged over three points is far from its integral.
    let (rate, sigma) = (0.1, 0.5);
    let coarse: f64 = (-1..=2)
        .map(|z| f64::from(z) * 1.5)
        .map(|z| {
            let l = 1.0 - rate + rate * ((z - 0.5) / (sigma * sigma)).exp();
            1.5 * 0.398_942_280_401_432_7 / sigma * (-z * z / (2.0 * sigma * sigma)).exp() * l * l
        })
        .sum();
    assert!(!is_above(coarse.ln(), &true_sampled(rate, sigma, 2), 1e-3));
    let curve = sampled_gaussian(sigma, rate).unwrap();
    assert!(is_above(curve.at(2.0).unwrap(), &true_sampled(rate, sigma, 2), 1e-10));
}

/// The references convert one order by one bound; a point says something about the smaller ones too, and there is a
/// better bound where delta is small, so we may do better, never worse.
#[test]
fn conversion_references() {
    let mut same = 0;
    for case in cases("rdp", "conv_eps") {
        let curve = RenyiCurve::from_points(vec![(number(&case, "alpha"), number(&case, "rdp"))]).unwrap();
        let epsilon = curve.epsilon(number(&case, "delta")).unwrap();
        let (improved, classic) = (truth(&case, "eps_improved").max(&wide(0.0)), truth(&case, "eps_classic"));
        assert!(epsilon <= improved.clone() * (1.0 + 1e-15) && epsilon <= classic, "{case}: {epsilon:e}");
        same += u32::from(is_above(epsilon, &improved, 1e-14));
    }
    for case in cases("rdp", "conv_delta") {
        let curve = RenyiCurve::from_points(vec![(number(&case, "alpha"), number(&case, "rdp"))]).unwrap();
        let delta = curve.delta(number(&case, "eps")).unwrap();
        let at_order = truth(&case, "delta").min(&wide(1.0));
        assert!(delta <= at_order.clone() * (1.0 + 1e-15) || delta == 5e-324, "{case}: {delta:e}");
        same += u32::from(is_above(delta, &at_order, 1e-14));
    }
    assert!(same > 10, "{same}");
}

/// The least of the printed bound over all orders, for a true curve, by scanning at high precision.
fn scanned_delta(divergence: impl Fn(&Float) -> Float, epsilon: f64) -> Float {
    let mut least = wide(1.0);
    for step in -3000i32..3000 {
        let t = wide(f64::from(step) / 200.0).exp();
        let alpha = Float::with_val(BITS, &t + 1u32);
        let constant = Float::with_val(BITS, t.recip_ref()).ln_1p() * &alpha;
        let logarithm = (divergence(&alpha) - epsilon) * &t - constant - Float::with_val(BITS, t.ln_ref());
        least = least.min(&logarithm.exp());
    }
    least
}

#[test]
fn pure_curves_convert_at_the_best_order() {
    for (own, epsilon) in [(0.1f64, 0.05), (1.0, 0.5), (1.0, 0.0), (5.0, 3.0), (0.01, 0.009)] {
        let divergence = |alpha: &Float| {
            let ratio = (Float::with_val(BITS, alpha - 0.5) * own).cosh() / (wide(own) / 2u32).cosh();
            ratio.ln() / Float::with_val(BITS, alpha - 1u32)
        };
        let delta = RenyiCurve::pure(own).unwrap().delta(epsilon).unwrap();
        let scanned = scanned_delta(divergence, epsilon);
        // The scan's steps in ln t are 1/200 wide; where the best order is infinite delta vanishes with it.
        assert!(delta <= scanned && delta >= scanned * (1.0 - 1e-3), "{own} {epsilon}: {delta:e}");
    }
}

fn orders() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(1.01f64..200.0, 1..30).prop_map(|mut orders| {
        orders.sort_by(f64::total_cmp);
        orders.dedup();
        orders
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Points on a true curve give bounds above it everywhere.
    #[test]
    fn interpolation_is_above_the_curve(orders in orders(), epsilon in 0.01f64..5.0, probe in 1.0001f64..250.0) {
        let points = orders.iter().map(|&order| (order, pure_to_renyi(Epsilon(epsilon), Order(order)).unwrap())).collect();
        let curve = RenyiCurve::from_points(points)?;
        let ratio = (Float::with_val(BITS, wide(probe) - 0.5) * epsilon).cosh() / (wide(epsilon) / 2u32).cosh();
        let truth = ratio.ln() / Float::with_val(BITS, wide(probe) - 1u32);
        prop_assert!(curve.at(probe)? >= truth);
        prop_assert_eq!(curve.at(probe)?.is_finite(), probe <= *orders.last().unwrap());
    }

    /// What points on a line imply is no better than what the line implies.
    #[test]
    fn points_are_no_better_than_the_line(orders in orders(), power in -4f64..2.0, deviations in 0.0f64..10.0) {
        let rho = 10f64.powf(power);
        let points = orders.iter().map(|&order| (order, indistinct_numeric::RoundedArithmetic::inf_mul(order, rho).unwrap()));
        let curve = RenyiCurve::from_points(points.collect())?;
        let epsilon = rho + deviations * (2.0 * rho).sqrt();
        let line = RenyiCurve::concentrated(rho)?;
        prop_assert!(curve.delta(epsilon)? >= line.delta(epsilon)? * (1.0 - 1e-8));
        prop_assert!(curve.epsilon(1e-6)? >= line.epsilon(1e-6)? * (1.0 - 1e-8));
        prop_assert!(line.delta(epsilon)? <= cdp_delta(Rho(rho), Epsilon(epsilon))? && line.epsilon(1e-6)? <= cdp_epsilon(Rho(rho), Delta(1e-6))?);
    }

    /// Converting after composing is no worse than the sum of what was converted before, deltas being halved.
    #[test]
    fn composition_commutes_safely(rho in 0.001f64..1.0, epsilon in 0.01f64..1.0) {
        let (first, second) = (RenyiCurve::concentrated(rho)?, RenyiCurve::pure(epsilon)?);
        let both = first.compose(&second)?;
        prop_assert_eq!(&both, &second.compose(&first)?);
        prop_assert!(both.epsilon(1e-6)? <= first.epsilon(1e-6)? + epsilon + 1e-12);
        prop_assert!(both.at(3.0)? >= first.at(3.0)? && both.at(3.0)? >= second.at(3.0)?);
        prop_assert!(first <= RenyiCurve::concentrated(rho * 2.0)? && first.partial_cmp(&second).is_none());
    }
}

#[test]
fn bad_points_are_refused_and_stored_curves_are_checked() {
    for points in [
        vec![],
        vec![(1.0, 0.5)],
        vec![(2.0, 0.5), (2.0, 0.6)],
        vec![(2.0, -0.5)],
        vec![(2.0, f64::NAN)],
        vec![(f64::NAN, 1.0)],
    ] {
        assert!(RenyiCurve::from_points(points.clone()).is_err(), "{points:?}");
    }
    let curve = RenyiCurve::from_points(vec![(2.0, 0.5), (3.0, 0.75)]).unwrap();
    let curve = curve
        .compose(&RenyiCurve::pure(0.1).unwrap())
        .unwrap()
        .compose(&RenyiCurve::gaussian(Mu(0.5)).unwrap())
        .unwrap();
    assert_eq!(curve.to_string(), "0.125 alpha + pure 0.1 + 2 points");
    #[cfg(feature = "serde")]
    {
        let stored = serde_json::to_string(&curve).unwrap();
        assert_eq!(serde_json::from_str::<RenyiCurve>(&stored).unwrap(), curve);
        assert!(serde_json::from_str::<RenyiCurve>(&stored.replace("\"0.125", "\"-0.125")).is_err());
        assert!(serde_json::from_str::<RenyiCurve>(&stored.replace("[\"2.0", "[\"0.5")).is_err());
    }
    // A bound of infinite order holds at all, and above the greatest order nothing does.
    let curve = RenyiCurve::from_points(vec![(2.0, 0.5), (f64::INFINITY, 1.0)]).unwrap();
    assert_eq!((curve.at(1e9).unwrap(), curve.epsilon(0.0).unwrap()), (1.0, 1.0));
    let curve = RenyiCurve::from_points(vec![(2.0, 0.5)]).unwrap();
    assert_eq!((curve.epsilon(0.0).unwrap(), curve.delta(f64::INFINITY).unwrap()), (f64::INFINITY, 0.0));
    assert!(curve.at(1.0).is_err() && curve.delta(f64::NAN).is_err() && curve.epsilon(-0.1).is_err());
    assert_eq!(RenyiCurve::pure(0.5).unwrap().delta(0.5), Ok(0.0));
    // Nothing known.
    let curve = RenyiCurve::from_points(vec![(2.0, f64::INFINITY)]).unwrap();
    assert_eq!((curve.epsilon(0.5).unwrap(), curve.delta(5.0).unwrap()), (f64::INFINITY, 1.0));
    assert_eq!(curve.delta(f64::INFINITY), Ok(1.0));
}

/// Interpolating the divergence itself, not the logarithm of the moment, would be unsound: it falls below a true curve.
#[test]
fn negative_control_straight_interpolation() {
    let at = |order: f64| pure_to_renyi(Epsilon(3.0), Order(order)).unwrap();
    let straight = (at(1.1) + at(20.0)) / 2.0;
    let middle = (1.1 + 20.0) / 2.0;
    assert!(straight < at(middle));
    let curve = RenyiCurve::from_points(vec![(1.1, at(1.1)), (20.0, at(20.0))]).unwrap();
    assert!(curve.at(middle).unwrap() >= at(middle));
}

/// The order is found by a search over all orders, not looked up in a list: no order on a fine grid does better.
#[test]
fn sampled_gaussian_converts_at_the_best_order() {
    for (rate, sigma, steps, delta) in [
        (0.01, 1.0, 1000, 1e-5),
        (0.001, 0.7, 10_000, 1e-9),
        (0.1, 5.0, 500, 1e-12),
        (1e-5, 0.8, 1_000_000, 1e-6),
        (0.5, 20.0, 30, 1e-3),
    ] {
        let curve = sampled_gaussian(sigma, rate).unwrap().repeat(steps).unwrap();
        let at = |t: f64| {
            let constant = t.ln_1p() + t * t.recip().ln_1p();
            let divergence = curve.at(1.0 + t).unwrap();
            let little = ((t * divergence).exp_m1() * (-constant).exp() / delta + 1.0 + t).ln() / t;
            little.min(divergence + (-f64::ln(delta) - constant) / t)
        };
        let scanned = (-400..900).map(|step| at((f64::from(step) / 100.0).exp())).fold(f64::INFINITY, f64::min);
        let epsilon = curve.epsilon(delta).unwrap();
        assert!(
            epsilon <= scanned * (1.0 + 1e-9) && epsilon >= scanned * (1.0 - 1e-2),
            "{rate} {sigma}: {epsilon} {scanned}"
        );
        let back = curve.delta(epsilon).unwrap();
        assert!((back / delta - 1.0).abs() < 1e-6, "{rate} {sigma}: {back:e}");
    }
}

/// `ln E L^alpha / (alpha - 1)` for real orders, by the trapezoid rule at 900 bits: of `L^alpha - 1 - alpha (L - 1)`,
/// with an error below `e^-100` of it or so.
fn by_rule(rate: f64, sigma: f64, alpha: f64) -> Float {
    const WIDE: u32 = 900;
    let wide = |x: f64| Float::with_val(WIDE, x);
    let square = wide(sigma) * sigma;
    let distance = (std::f64::consts::FRAC_PI_2 * sigma * sigma).min(14.0 * sigma);
    let step = 6.0 * distance / (110.0 + distance * distance / (2.0 * sigma * sigma));
    let (mut sum, mut z) = (wide(0.0), wide(-16.0 * sigma));
    while z < alpha.max(2.0) + 16.0 * sigma {
        let x = Float::with_val(WIDE, &z - 0.5f64) / &square;
        let less = x.exp_m1() * rate;
        let power = (Float::with_val(WIDE, less.ln_1p_ref()) * alpha).exp_m1();
        let normal = -Float::with_val(WIDE, z.square_ref()) / &square / 2u32;
        sum += (power - less * alpha) * normal.exp();
        z += step;
    }
    let root = (Float::with_val(WIDE, rug::float::Constant::Pi) * 2u32).sqrt();
    (sum * step / root / sigma).ln_1p() / (wide(alpha) - 1u32)
}

/// What the documentation promises of small rates, and of orders next to 1.
#[test]
fn sampled_gaussian_where_next_to_nothing_is_lost() {
    let at = |rate: f64, sigma: f64, alpha: f64| sampled_gaussian(sigma, rate).unwrap().at(alpha).unwrap();
    // At order 2 the moment exceeds 1 by rate^2 (e^(1/sigma^2) - 1).
    let second = |rate: f64, sigma: f64| {
        let growth = (Float::with_val(700, 1) / sigma / sigma).exp_m1();
        Float::with_val(300, (growth * rate * rate).ln_1p())
    };
    for sigma in [0.005, 0.02, 0.1, 0.3, 1.0, 3.0, 100.0, 1e4] {
        for rate in [1e-3, 1e-10, 1e-30, 1e-45, 1e-60, 1e-90].into_iter().filter(|rate| *rate >= 1e-60 || sigma >= 0.3)
        {
            assert!(is_above(at(rate, sigma, 2.0), &second(rate, sigma), 1e-10), "{rate:e} {sigma}");
        }
    }
    for sigma in [0.3, 0.5, 1.0, 10.0, 1e4] {
        for alpha in [1.0 + 1e-12, 1.0 + 1e-8, 1.001, 1.1, 1.5, 2.5] {
            for rate in [0.9, 0.5, 1e-3, 1e-10, 1e-90] {
                assert!(
                    is_above(at(rate, sigma, alpha), &by_rule(rate, sigma, alpha), 1e-10),
                    "{rate:e} {sigma} {alpha}"
                );
            }
        }
    }
}
