//! Text from elsewhere: plans, curves, profiles and loss distributions, damaged or made up. Read or refused, and
//! written again as it was read.

use crate::{Source, record::told};
use indistinct::accounting::{Delta, Epsilon, Rate, Scale, Sigma};
use indistinct::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

pub(crate) fn run(source: &mut Source) {
    match source.below(6) {
        0 => again::<Plan>(source.rest()),
        1 => {
            let plan = made_up(source, 3);
            again::<Plan>(plan.as_bytes());
        }
        2 => damaged(&a_plan(source.float()), source),
        3 => damaged(&a_curve(), source),
        4 => damaged(&PrivacyProfile::approximate(vec![(1.0, 1e-6), (2.0, 1e-9)]).unwrap(), source),
        _ => damaged(&some_losses(), source),
    }
}

fn a_plan(scale: f64) -> Plan {
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let chain = |scale| space() >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(scale);
    let noisy = told(chain(scale)).unwrap_or_else(|| chain(2.0).unwrap());
    make_composition((noisy.clone(), noisy)).unwrap().plan().clone()
}

fn a_curve() -> RenyiCurve {
    let parts = [
        PrivacyLossDistribution::laplace(Scale(2.0)),
        PrivacyLossDistribution::poisson_gaussian(Sigma(1.0), Rate(0.01)),
        PrivacyLossDistribution::discrete(&[(0.25, 0.75), (0.75, 0.25)]),
    ];
    RenyiCurve::total(&parts.map(|part| part.unwrap().renyi().unwrap())).unwrap()
}

fn some_losses() -> PrivacyLossDistribution {
    let parts = [
        PrivacyLossDistribution::gaussian(Sigma(1.5)),
        PrivacyLossDistribution::approximate(Epsilon(0.5), Delta(1e-9)),
        PrivacyLossDistribution::discrete(&[(0.25, 0.75), (0.75, 0.25)]),
    ];
    parts.into_iter().map(Result::unwrap).reduce(|all, part| all.compose(&part).unwrap()).unwrap()
}

/// A tree of names and parameters of every kind, as JSON.
fn made_up(source: &mut Source, depth: usize) -> String {
    let parameters = source.several(3, |source| format!("[{:?}, {}]", source.text(), parameter(source, 3)));
    let children = if depth == 0 { Vec::new() } else { source.several(3, |source| made_up(source, depth - 1)) };
    format!(
        r#"{{"name": {:?}, "space": {{"input": {:?}, "output": {:?}}}, "parameters": [{}], "children": [{}]}}"#,
        source.text(),
        source.text(),
        source.text(),
        parameters.join(","),
        children.join(",")
    )
}

fn parameter(source: &mut Source, depth: usize) -> String {
    match source.below(6) {
        0 => source.coin().to_string(),
        1 => source.integer().to_string(),
        2 => format!("{{\"float\":\"{:?}\"}}", source.float()),
        3 => source
            .choose(&["null", "1e400", "-0.0", "18446744073709551616", "0.1e-400", "\"NaN\"", "{\"float\":\"-inf\"}"])
            .to_owned(),
        4 if depth > 0 => {
            format!("[{}]", source.several(3, |source| parameter(source, depth - 1)).join(","))
        }
        _ => format!("{:?}", source.text()),
    }
}

/// A value as text, with a few bytes changed.
fn damaged<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, source: &mut Source) {
    let mut text = serde_json::to_vec(value).unwrap();
    assert_eq!(&serde_json::from_slice::<T>(&text).unwrap(), value);
    for _ in 0..source.below(6) {
        let at = (source.below(256) * 256 + source.below(256)) % text.len();
        let byte = source.byte();
        match source.below(4) {
            0 if text.len() > 1 => drop(text.remove(at)),
            1 => text.insert(at, byte),
            2 => text.extend_from_within(at..),
            _ => text[at] = b"{}[]\",:0123456789e-.naif"[usize::from(byte) % 24],
        }
    }
    again::<T>(&text);
}

/// What is read is written as it was read.
fn again<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &[u8]) {
    if let Ok(value) = serde_json::from_slice::<T>(text) {
        let again = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&again).unwrap(), value, "{again}");
        assert!(!format!("{value:?}").is_empty());
    }
}
