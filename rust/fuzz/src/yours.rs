//! Functions and maps of a caller's own, which nothing checks: whatever they give is passed on or refused.

use crate::{
    Source, exercise,
    record::{make, told},
    spaces::{integer_domain, integers_for, rows_of},
};
use indistinct::{prelude::*, sampling::Entropy};

pub(crate) fn run(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let (factor, shift, answer) = (source.mostly_plain(), source.float(), source.float());
    let map = move |d_in: &u32| Ok(f64::from(*d_in) * factor + shift);
    if source.coin() {
        let function = |rows: &[i64]| i64::try_from(rows.len()).unwrap();
        let numbers = (AtomDomain::i64(), AbsoluteDistance::new());
        let count = make!(make_user_transformation(rows, SymmetricDistance, numbers.0, numbers.1, function, map));
        let Some(count) = count else { return };
        valid(source, |d_in| count.map(d_in));
        assert_eq!(count.invoke(&data).is_ok(), count.input_domain().member(&data));
        if let Some(noisy) = told(count >> then_laplace(source.mostly_plain())) {
            valid(source, |d_in| noisy.map(d_in));
        }
    } else {
        let release = move |_: &[i64], entropy: &mut dyn Entropy| Ok(if entropy.bit()? { answer } else { 0.0 });
        let own = make!(make_user_measurement(rows, SymmetricDistance, MaxDivergence, release, map));
        let Some(own) = own else { return };
        valid(source, |d_in| own.map(d_in));
        exercise::release(source, &own, &data);
    }
}

/// What a map gives is a distance, even where the caller's function gives none.
fn valid(source: &mut Source, map: impl Fn(&u32) -> Fallible<f64>) {
    for d_in in [0, source.word()] {
        assert!(told(map(&d_in)).is_none_or(|d_out| d_out >= 0.0));
    }
}
