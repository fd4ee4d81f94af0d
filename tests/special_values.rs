//! Every special float in every numeric position: an answer or a typed error, never a panic, never a NaN.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use indistinct::prelude::*;
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

#[test]
fn scales_distances_and_data() {
    for scale in specials() {
        let valid = scale >= 0.0 && scale.is_finite();
        let laplace = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale);
        let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), scale);
        let integers = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale);
        assert_eq!((laplace.is_ok(), gaussian.is_ok(), integers.is_ok()), (valid, valid, valid), "{scale:e}");
        let (Ok(laplace), Ok(gaussian), Ok(integers)) = (laplace, gaussian, integers) else { continue };
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
}

#[test]
fn scales_and_distances_of_thresholds() {
    let maps = || MapDomain::new(AtomDomain::u8(), AtomDomain::i64());
    for scale in specials() {
        let valid = scale >= 0.0 && scale.is_finite();
        let laplace = make_laplace_threshold(maps(), L01InfDistance, scale, 30);
        let gaussian = make_gaussian_threshold(maps(), L02InfDistance, scale, 30);
        assert_eq!((laplace.is_ok(), gaussian.is_ok()), (valid, valid), "{scale:e}");
        let (Ok(laplace), Ok(gaussian)) = (laplace, gaussian) else { continue };
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
    let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), 1.0).unwrap();
    assert!(gaussian.map(&1e-200).unwrap() > 0.0);
    // A budget of (epsilon, delta) is kept only in both parts.
    assert!(!(1.0, 1e-5).is_within(&(2.0, 1e-7)));
}
