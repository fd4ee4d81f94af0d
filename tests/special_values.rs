//! Every special float in every numeric position: an answer or a typed error, never a panic, never a NaN.

use indistinct::{core::Distance, domains::Norm, prelude::*};
use indistinct_tests::{float, vectors};
use serde_json::Value;

/// The 18 bit patterns of the vector file.
fn specials() -> Vec<f64> {
    let matrix = &vectors("special_values")["f64_matrix"];
    let values = matrix["values"].as_object().unwrap().values();
    let values: Vec<f64> = values.map(|bits| float(&Value::from(format!("bits:{}", bits.as_str().unwrap())))).collect();
    assert_eq!(values.len(), 18);
    values
}

fn rows() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64())
}

#[test]
fn bounds_and_rows() {
    for low in specials() {
        for high in specials() {
            let finite_and_ordered = low.is_finite() && high.is_finite() && low <= high;
            let domain = AtomDomain::f64().with_bounds((low, high));
            assert_eq!(domain.is_ok(), finite_and_ordered, "{low:e} {high:e}");
            let chain = (rows(), SymmetricDistance) >> then_clamp((low, high)) >> then_sum();
            assert_eq!(chain.is_ok(), finite_and_ordered);
            let Ok(sum) = chain else { continue };
            for row in specials() {
                let total = sum.invoke(&[row, 0.5, row]);
                // A NaN is outside the domain; all else is clamped and summed.
                assert_eq!(total.is_err(), row.is_nan(), "{row:e} in [{low:e}, {high:e}]");
            }
            for d_in in [0, 1, 2, u32::MAX] {
                let d_out = sum.map(&d_in).unwrap();
                assert!(d_out >= 0.0 && (d_in > 0 || d_out == 0.0));
            }
        }
    }
}

/// Special floats as diagonals, sensitivities, scales, and in the vectors of steps.
#[test]
fn steps_of_a_factor() {
    let parts = || VectorDomain::new(rows()).with_size(1);
    let metric = PartitionDistance(SymmetricDistance);
    let one = || ToeplitzFactor::new(vec![1.0], 2).unwrap();
    let make = |factor, sensitivity, scale| {
        make_matrix_factorization(parts(), metric, GaussianDivergence, factor, 1, (1, sensitivity), scale)
    };
    for special in specials() {
        let valid = special >= 0.0 && special.is_finite();
        assert_eq!(
            (make(one(), special, 1.0).is_ok(), make(one(), 1.0, special).is_ok()),
            (valid, valid),
            "{special:e}"
        );
        let factor = ToeplitzFactor::new(vec![special, special], 2);
        assert_eq!(factor.is_ok(), special.is_finite() && special != 0.0, "{special:e}");
        let Some(sums) = factor.ok().and_then(|factor| make(factor, 1.0, 1.0).ok()) else { continue };
        assert!(sums.map(&(1, 1, 1)).unwrap() >= special.abs() && sums.map(&(0, 0, 0)) == Ok(0.0), "{special:e}");
        for number in specials().into_iter().filter(|number| !number.is_nan()) {
            let vector = VectorDomain::new(AtomDomain::f64()).with_size(1);
            let step = (rows(), SymmetricDistance)
                >> then_map(vector, vec![0.0], move |_: &f64| vec![number])
                >> then_norm_clip(Norm::L2, 1.0)
                >> then_vector_sum(L2Distance::new());
            let session = sums.clone().accept_infinite_loss().invoke(&[vec![1.0, 2.0]]).unwrap();
            assert!((0..2).all(|_| session.eval(step.as_ref().unwrap()).is_ok()), "{special:e} {number:e}");
        }
    }
}

#[test]
fn scales_distances_and_data() {
    for scale in specials() {
        let valid = scale >= 0.0 && scale.is_finite();
        let laplace = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale);
        let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale);
        let integers = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale);
        assert_eq!((laplace.is_ok(), gaussian.is_ok(), integers.is_ok()), (valid, valid, valid), "{scale:e}");
        let (Ok(laplace), Ok(gaussian), Ok(integers)) = (laplace, gaussian, integers) else { continue };
        let (laplace, gaussian) = (laplace.accept_infinite_loss(), gaussian.accept_infinite_loss());
        let integers = integers.accept_infinite_loss();
        for x in specials() {
            let is_distance = x >= 0.0;
            for loss in [laplace.map(&x), gaussian.map(&x), integers.map(&x)] {
                assert_eq!(loss.is_ok(), is_distance, "scale {scale:e}, distance {x:e}");
                assert!(loss.is_err() || loss.is_ok_and(|loss| loss >= 0.0 && (loss > 0.0) == (x > 0.0)));
            }
            for check in [laplace.check(&1.0, &x), gaussian.check(&1.0, &x)] {
                assert_eq!(check.is_ok(), is_distance);
            }
            for release in [laplace.invoke(&x), gaussian.invoke(&x)] {
                assert_eq!(release.is_err(), x.is_nan(), "scale {scale:e}, data {x:e}");
                assert!(release.is_err() || release.is_ok_and(|release| release.is_finite() == x.is_finite()));
            }
        }
        for x in [i64::MIN, -1, 0, i64::MAX] {
            assert!(integers.invoke(&x).is_ok());
        }
    }
    // The negative controls: a quotient is right where the scale alone is 0, and no number where both are; a scale is
    // refused if it is known to be wrong.
    let quotient = |d_in: f64, scale: f64| d_in / scale;
    assert!(quotient(f64::from_bits(1), 0.0) == f64::INFINITY && quotient(0.0, 0.0).is_nan(), "no power");
    let refused = |scale: f64| scale < 0.0;
    assert!(!refused(f64::NAN) && quotient(1.0, f64::NAN).is_nan(), "no power");
}

#[test]
fn scales_and_distances_of_thresholds() {
    let maps = || MapDomain::new(AtomDomain::u8(), AtomDomain::i64());
    for scale in specials() {
        let valid = scale >= 0.0 && scale.is_finite();
        let laplace = make_laplace_threshold(maps(), L01InfDistance, scale, 30);
        let gaussian = make_gaussian_threshold(maps(), L02InfDistance, scale, 30);
        assert_eq!((laplace.is_ok(), gaussian.is_ok()), (valid, valid), "{scale:e}");
        let floats = || MapDomain::new(AtomDomain::u8(), AtomDomain::f64());
        let of_floats = make_laplace_threshold(floats(), L01InfDistance, scale, 30.0);
        assert_eq!(of_floats.is_ok(), valid, "{scale:e}");
        for threshold in specials() {
            let valid = valid && threshold > 0.0 && threshold.is_finite();
            let of_floats = make_gaussian_threshold(floats(), L02InfDistance, scale, threshold);
            assert_eq!(of_floats.is_ok(), valid, "{scale:e} {threshold:e}");
            let Ok(of_floats) = of_floats else { continue };
            for greatest in specials().into_iter().filter(|x| *x > 0.0) {
                let (_, delta) = of_floats.map(&(1, greatest, greatest)).unwrap();
                assert!(
                    (0.0..=1.0).contains(&delta) && (delta == 1.0 || greatest < threshold),
                    "{scale:e} {threshold:e} {greatest:e}"
                );
            }
            for x in specials() {
                assert_eq!(of_floats.clone().accept_infinite_loss().invoke(&[(0, x)].into()).is_ok(), !x.is_nan());
            }
        }
        let alp = make_alp(floats(), L01InfDistance, scale, 1.0, 2, 3);
        assert_eq!(alp.is_ok(), valid && scale >= 1e-8, "{scale:e}");
        if let Ok(alp) = alp.and_then(|_| make_alp(floats(), L01InfDistance, scale.max(1e-3), 1.0, 2, 3)) {
            assert!(specials().iter().all(|&x| alp.invoke(&[(0, x)].into()).is_ok() != x.is_nan()));
        }
        let (Ok(laplace), Ok(gaussian)) = (laplace, gaussian) else { continue };
        let (laplace, gaussian) = (laplace.accept_infinite_loss(), gaussian.accept_infinite_loss());
        for norm in specials() {
            for greatest in specials() {
                for keys in [0, 1, u32::MAX] {
                    let d_in = (keys, norm, greatest);
                    for loss in [laplace.map(&d_in), gaussian.map(&d_in)] {
                        assert_eq!(loss.is_ok(), norm >= 0.0 && greatest >= 0.0, "scale {scale:e}, {d_in:?}");
                        let Ok((loss, delta)) = loss else { continue };
                        let differs = keys > 0 && norm > 0.0 && greatest > 0.0;
                        assert!(loss >= 0.0 && (loss > 0.0) == differs, "scale {scale:e}, {d_in:?}: {loss:e}");
                        assert!((0.0..=1.0).contains(&delta), "scale {scale:e}, {d_in:?}: {delta:e}");
                        // Without noise a key of fewer than 30 never shows; with some it may.
                        let may_show = differs && (scale > 0.0 || greatest >= 30.0);
                        assert_eq!(delta > 0.0, may_show, "scale {scale:e}, {d_in:?}: {delta:e}");
                    }
                }
            }
        }
        for x in [i64::MIN, -1, 0, i64::MAX] {
            assert!(laplace.invoke(&[(0, x)].into()).is_ok() && gaussian.invoke(&[(0, x)].into()).is_ok());
        }
    }
}

#[test]
fn guarantees_and_distances_of_selected_keys() {
    let select =
        |per_key| make_select_keys(MapDomain::new(AtomDomain::u8(), AtomDomain::i64()), L01InfDistance, per_key, 1);
    for x in specials() {
        assert_eq!(select((x, 0.5)).is_ok(), (2f64.powi(-40)..=1024.0).contains(&x), "{x:e}");
        assert_eq!(select((1.0, x)).is_ok(), x > 0.0 && x < 1.0, "{x:e}");
        let Ok(keys) = select((1.0, x)) else { continue };
        let all = specials();
        for (norm, greatest) in all.iter().flat_map(|norm| all.iter().map(move |greatest| (*norm, *greatest))) {
            for number in [0, 1, u32::MAX] {
                let d_in = (number, norm, greatest);
                let loss = keys.map(&d_in);
                assert_eq!(loss.is_ok(), norm >= 0.0 && greatest >= 0.0, "{d_in:?}");
                let Ok((loss, delta)) = loss else { continue };
                let differs = number > 0 && norm >= 1.0 && greatest >= 1.0;
                assert!((loss >= 1.0) == differs && (delta >= x) == differs, "{d_in:?}: {loss:e} {delta:e}");
                assert!(loss >= 0.0 && (0.0..=1.0).contains(&delta), "{d_in:?}: {loss:e} {delta:e}");
            }
        }
        assert!([i64::MIN, -1, 0, i64::MAX].iter().all(|&n| keys.invoke(&[(0, n)].into()).is_ok()));
    }
}

#[test]
fn budgets_and_significance() {
    for x in specials() {
        let make = |scale: f64| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale);
        for found in [smallest_scale(make, &x, &1.0), smallest_scale(make, &1.0, &x)] {
            assert!(found.is_err() || found.is_ok_and(|scale| scale >= 0.0 && scale.is_finite()));
        }
        let valid = x > 0.0 && x < 1.0;
        assert_eq!(laplace_accuracy(1.0, x).is_ok(), valid);
        assert_eq!(discrete_laplace_accuracy(1.0, x).is_ok(), valid);
        assert_eq!(laplace_accuracy(x, 0.05).is_ok(), x >= 0.0 && x.is_finite());
    }
}

/// The search of the vector: budgets and distances at their ends. What is found keeps the budget, the float below it
/// does not, and the map is asked no more than 200 times. The negative control halves an interval without an end.
#[test]
fn scale_search_terminates() {
    let params = &vectors("resources")["scale_search_terminates"]["params"];
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let make = |scale: f64| {
        asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale)
    };
    for target in params["target"].as_array().unwrap() {
        let budget = match target.as_str().unwrap().split_once('=').unwrap() {
            ("eps", "2^-1074") => f64::from_bits(1),
            (_, number) => number.parse().unwrap(),
        };
        for d_in in params["d_in"].as_array().unwrap() {
            let d_in: f64 = d_in.as_str().unwrap().parse().unwrap();
            asked.store(0, std::sync::atomic::Ordering::Relaxed);
            let found = smallest_scale(make, &d_in, &budget);
            assert!(asked.load(std::sync::atomic::Ordering::Relaxed) <= 200);
            let Ok(scale) = found else { continue };
            assert!(make(scale).unwrap().check(&d_in, &budget).unwrap(), "{d_in} {budget:e}: {scale:e}");
            assert!(scale == 0.0 || !make(scale.next_down()).unwrap().check(&d_in, &budget).unwrap());
        }
    }
    let (mut low, mut high, mut rounds) = (0.0, f64::INFINITY, 0);
    while high - low > 1e-6 && rounds < 100_000 {
        let middle: f64 = low + (high - low) / 2.0;
        if 1.0 / middle <= 0.0 {
            high = middle
        } else {
            low = middle
        }
        rounds += 1;
    }
    assert_eq!(rounds, 100_000, "no power");
}

#[test]
fn known_traps() {
    // 1e400 read as a float is an infinity: outside a bounded domain, and clamped by a clamp.
    let infinite: f64 = "1e400".parse().unwrap();
    let bounded = AtomDomain::f64().with_bounds((0.0, 10.0)).unwrap();
    assert!(!bounded.member(&infinite));
    let sum = make_sum(VectorDomain::new(bounded), SymmetricDistance).unwrap();
    assert_eq!(sum.invoke(&[infinite]).unwrap_err().kind(), ErrorKind::Domain);
    let clamped = ((rows(), SymmetricDistance) >> then_clamp((0.0, 10.0)) >> then_sum()).unwrap();
    assert_eq!(clamped.invoke(&[infinite]).unwrap().to_f64(), 10.0);
    // A NaN passes neither.
    assert_eq!(clamped.invoke(&[f64::NAN]).unwrap_err().kind(), ErrorKind::Domain);
    // A tiny distance is not free.
    let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
    assert!(gaussian.map(&1e-200).unwrap() > 0.0);
    // A budget of (epsilon, delta) is kept only in both parts.
    assert!(!(1.0, 1e-5).is_within(&(2.0, 1e-7)));
    // The negative control compares pairs in the order of a dictionary.
    assert!((1.0, 1e-5) <= (2.0, 1e-7), "no power");
}

/// Every special float as a parameter of the mechanisms: a measurement or an error that names the parameter, and maps
/// that are distances, 0 at 0.
#[test]
fn parameters_of_mechanisms() {
    let scores = || VectorDomain::new(AtomDomain::f64()).with_size(2);
    let check = |loss: Fallible<f64>, d_in: f64| {
        assert_eq!(loss.is_ok(), d_in >= 0.0, "{d_in:e}");
        assert!(loss.is_err() || loss.is_ok_and(|loss| loss >= 0.0 && (d_in > 0.0 || loss == 0.0)), "{d_in:e}");
    };
    for x in specials() {
        let valid_scale = x >= 0.0 && x.is_finite();
        let maximum = make_noisy_max(scores(), LInfDistance::new(), MaxDivergence, x);
        let exponential = make_exponential(scores(), LInfDistance::monotonic(), ZeroConcentratedDivergence, x);
        let flip = make_permute_and_flip(scores(), LInfDistance::new(), x);
        let top = make_noisy_top_k(scores(), LInfDistance::new(), RangeDivergence, 2, x);
        assert_eq!((maximum.is_ok(), exponential.is_ok()), (valid_scale, valid_scale), "{x:e}");
        assert_eq!((flip.is_ok(), top.is_ok()), (valid_scale, valid_scale), "{x:e}");
        let geometric = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), x, Some((0, 9)));
        assert_eq!(geometric.is_ok(), valid_scale, "{x:e}");
        let quantile = make_private_quantile(rows(), SymmetricDistance, MaxDivergence, vec![0.0, 1.0], 0.5, x);
        assert_eq!(quantile.is_ok(), valid_scale, "{x:e}");
        let level = make_private_quantile(rows(), SymmetricDistance, MaxDivergence, vec![0.0, 1.0], x, 1.0);
        assert_eq!(level.is_ok(), (0.0..=1.0).contains(&x), "{x:e}");
        let candidate = make_private_quantile(rows(), SymmetricDistance, MaxDivergence, vec![x], 0.5, 1.0);
        assert_eq!(candidate.is_ok(), !x.is_nan(), "{x:e}");
        let bounds = make_private_bounds(rows(), SymmetricDistance, (0, 9), x, 0.1);
        assert!(bounds.is_err() || valid_scale, "{x:e}");
        let chosen = make_private_bounds(rows(), SymmetricDistance, (-1074, 1023), 1.0, x);
        assert_eq!(chosen.is_ok(), x > 0.0 && x < 1.0, "{x:e}");
        let coin = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, x);
        assert_eq!(coin.is_ok(), (0.5..=1.0).contains(&x), "{x:e}");
        let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), x, 1000.0);
        assert!(snapping.is_err() || x > 0.0 && x < 1000.0, "{x:e}");
        let canonical = make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), x, (1.0, 1e-6));
        assert_eq!(canonical.is_ok(), x > 0.0 && x.is_finite(), "{x:e}");
        let target = make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 1.0, (x, x));
        assert!(target.is_err() || x > 0.0 && x < 1.0, "{x:e}");
        for d_in in specials() {
            let losses = [
                maximum.as_ref().ok().map(|measurement| measurement.map(&d_in)),
                exponential.as_ref().ok().map(|measurement| measurement.map(&d_in)),
                flip.as_ref().ok().map(|measurement| measurement.map(&d_in)),
                top.as_ref().ok().map(|measurement| measurement.map(&d_in)),
                geometric.as_ref().ok().map(|measurement| measurement.map(&d_in)),
                snapping.as_ref().ok().map(|measurement| measurement.map(&d_in)),
                canonical.as_ref().ok().map(|measurement| measurement.map(&d_in).map(|(epsilon, _)| epsilon)),
                canonical.as_ref().ok().map(|measurement| measurement.map(&d_in).map(|(_, delta)| delta)),
            ];
            losses.into_iter().flatten().for_each(|loss| check(loss, d_in));
        }
        for y in specials() {
            // Data: an answer, or an error for NaN.
            for result in [
                maximum
                    .as_ref()
                    .ok()
                    .map(|measurement| measurement.clone().accept_infinite_loss().invoke(&[x, y]).map(|_| ())),
                quantile
                    .as_ref()
                    .ok()
                    .map(|measurement| measurement.clone().accept_infinite_loss().invoke(&[x, y]).map(|_| ())),
                bounds
                    .as_ref()
                    .ok()
                    .map(|measurement| measurement.clone().accept_infinite_loss().invoke(&[x, y]).map(|_| ())),
            ] {
                assert!(result.is_none_or(|result| result.is_err() == (x.is_nan() || y.is_nan())), "{x:e} {y:e}");
            }
            for result in [
                snapping.as_ref().ok().map(|measurement| measurement.clone().accept_infinite_loss().invoke(&y)),
                canonical.as_ref().ok().map(|measurement| measurement.clone().accept_infinite_loss().invoke(&y)),
            ] {
                assert!(result.as_ref().is_none_or(|result| result.is_err() == y.is_nan()), "{x:e} {y:e}");
                assert!(!matches!(result, Some(Ok(release)) if release.is_nan()), "{x:e} {y:e}");
            }
        }
    }
}

/// Conversions at every special distance: a distance, or the error of the map before them.
#[test]
fn conversions() {
    let gaussian =
        || make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
    let laplace = || make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1.0).unwrap();
    let concentrated = make_pureDP_to_zCDP(laplace()).unwrap();
    let ranged = make_bounded_range_to_zCDP(make_pureDP_to_bounded_range(laplace()).unwrap()).unwrap();
    let curve = make_RDP_to_approxDP(make_zCDP_to_RDP(gaussian()).unwrap()).unwrap();
    let profile = make_zCDP_to_approxDP(gaussian()).unwrap();
    for d_in in specials() {
        let valid = d_in >= 0.0;
        for loss in [concentrated.map(&d_in), ranged.map(&d_in)] {
            assert_eq!(loss.is_ok(), valid, "{d_in:e}");
            assert!(loss.is_err() || loss.is_ok_and(|rho| rho >= 0.0 && (rho > 0.0) == (d_in > 0.0)), "{d_in:e}");
        }
        // The tight conversion is never above the one by way of a range: 4 epsilon^2 / 8.
        assert!(!valid || concentrated.map(&d_in).unwrap() <= ranged.map(&d_in).unwrap(), "{d_in:e}");
        for profile in [curve.map(&d_in), profile.map(&d_in)] {
            assert_eq!(profile.is_ok(), valid, "{d_in:e}");
            let Ok(profile) = profile else { continue };
            for at in specials() {
                let delta = profile.delta(at);
                assert_eq!(delta.is_ok(), at >= 0.0, "{d_in:e} {at:e}");
                assert!(delta.is_err() || delta.is_ok_and(|delta| (0.0..=1.0).contains(&delta)), "{d_in:e} {at:e}");
                let epsilon = profile.epsilon(at);
                // A delta that is given is a probability.
                assert_eq!(epsilon.is_ok(), (0.0..=1.0).contains(&at), "{d_in:e} {at:e}");
                assert!(epsilon.is_err() || epsilon.is_ok_and(|epsilon| epsilon >= 0.0), "{d_in:e} {at:e}");
            }
        }
    }
}

/// Every special float as a row, a parameter and a bound of the steps on single rows and of statistics: an answer or an
/// error that names the parameter.
#[test]
fn rows_parameters_and_statistics() {
    let nullable = || VectorDomain::new(OptionDomain::new(AtomDomain::f64().with_nan()));
    for x in specials() {
        let impute = make_impute_constant(nullable(), SymmetricDistance, x);
        let equal = make_is_equal(nullable(), SymmetricDistance, x);
        let bins = make_find_bin(rows(), SymmetricDistance, vec![x]);
        let scores = make_quantile_scores(rows(), SymmetricDistance, vec![x], 0.5);
        assert_eq!((impute.is_ok(), equal.is_ok()), (!x.is_nan(), !x.is_nan()), "{x:e}");
        assert_eq!((bins.is_ok(), scores.is_ok()), (!x.is_nan(), !x.is_nan()), "{x:e}");
        let level = make_quantile_scores(rows(), SymmetricDistance, vec![0.0], x);
        assert_eq!(level.is_ok(), (0.0..=1.0).contains(&x), "{x:e}");
        assert_eq!(make_resize(rows(), SymmetricDistance, 2, x).is_ok(), !x.is_nan(), "{x:e}");
        let dropped = make_drop_null(nullable(), SymmetricDistance).unwrap();
        let integers = make_cast(nullable(), SymmetricDistance, AtomDomain::i64()).unwrap();
        let texts = make_cast(nullable(), SymmetricDistance, AtomDomain::string()).unwrap();
        for y in specials() {
            // Nothing that may be null fails, and no null is left.
            let data = [Some(y), None];
            for filled in [impute.as_ref().ok().map(|impute| impute.invoke(&data)), Some(dropped.invoke(&data))] {
                let Some(filled) = filled else { continue };
                assert!(filled.unwrap().iter().all(|value| !value.is_nan()), "{x:e} {y:e}");
            }
            assert!(equal.as_ref().is_ok_and(|equal| equal.invoke(&data) == Ok(vec![x == y, false])) || x.is_nan());
            let inside = y.is_finite() && y.round_ties_even() >= -2f64.powi(63) && y.round_ties_even() < 2f64.powi(63);
            assert_eq!(integers.invoke(&data).unwrap().first().unwrap().is_some(), inside, "{y:e}");
            assert_eq!(texts.invoke(&data).unwrap().first().unwrap().is_some(), !y.is_nan(), "{y:e}");
            for result in [
                bins.as_ref().ok().map(|bins| bins.invoke(&[y]).map(|_| ())),
                scores.as_ref().ok().map(|scores| scores.invoke(&[y]).map(|_| ())),
            ] {
                assert!(result.is_none_or(|result| result.is_err() == y.is_nan()), "{x:e} {y:e}");
            }
            let Ok(bounded) = AtomDomain::f64().with_bounds((x, y)) else { continue };
            let three = VectorDomain::new(bounded.clone()).with_size(3);
            let columns = VectorDomain::new(PairDomain::new(bounded.clone(), bounded)).with_size(3);
            let mean = make_mean(three.clone(), SymmetricDistance).unwrap();
            let deviations = make_sum_of_squared_deviations(three.clone(), SymmetricDistance).unwrap();
            let variance = make_variance(three, SymmetricDistance).unwrap();
            let covariance = make_covariance(columns, SymmetricDistance, L2Distance::new()).unwrap();
            for d_in in [0, 1, 2, 3, u32::MAX] {
                for d_out in [mean.map(&d_in), deviations.map(&d_in), variance.map(&d_in), covariance.map(&d_in)] {
                    let d_out = d_out.unwrap();
                    assert!(d_out >= 0.0 && (d_out == 0.0) == (d_in < 2 || x == y), "{x:e} {y:e}: {d_in} -> {d_out:e}");
                }
            }
            for statistic in [&mean, &deviations, &variance] {
                assert!(statistic.invoke(&[x, y, x]).is_ok());
                assert!(statistic.invoke(&[x, f64::NAN, x]).is_err());
            }
            assert!(covariance.invoke(&[(x, y), (y, x), (x, x)]).is_ok());
        }
    }
}
