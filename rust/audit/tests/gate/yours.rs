//! What users bring: sound examples hold, and what is wrong with others is found (`controls`).

use super::support::*;
use indistinct::{
    prelude::*,
    sampling::{Entropy, bernoulli},
};
use indistinct_audit::{Report, check, statistical::Effort, tape::Probing};

rows! {
    tight make_user_measurement: user_measurement;
    tight make_user_transformation: user_transformation;
}

fn user_measurement() -> Report {
    let response = make_user_measurement(
        AtomDomain::bool(),
        DiscreteDistance,
        MaxDivergence,
        |bit: &bool, entropy: &mut dyn Entropy| Ok(bernoulli(0.75, entropy)? == *bit),
        |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 3f64.ln().next_up() }),
    )
    .unwrap();
    let checked = check(&response, &[true, false], Probing::default(), &[], &Effort::default());
    part(0.95, checked).and(rises(&response, &[0, 1, 2], &0.0))
}

fn user_transformation() -> Report {
    let rows = VectorDomain::new(AtomDomain::i64());
    let longest = make_user_transformation(
        rows,
        SymmetricDistance,
        AtomDomain::i64(),
        AbsoluteDistance::new(),
        |rows: &[i64]| i64::try_from(rows.len()).unwrap_or(i64::MAX).saturating_mul(2),
        |d_in: &u32| Ok(2.0 * f64::from(*d_in)),
    )
    .unwrap();
    stable(0.95, &longest, &[0, 1])
}
