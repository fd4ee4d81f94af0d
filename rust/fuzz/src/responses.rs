//! Randomized responses.

use crate::{
    Source, exercise,
    record::make,
    spaces::{keys, rows_of},
};
use indistinct::prelude::*;

pub(crate) fn run(source: &mut Source) {
    let prob = source.probability();
    match source.below(3) {
        0 => {
            let domain = AtomDomain::bool();
            let response = make!(make_randomized_response_bool(domain, DiscreteDistance, prob));
            let data = source.coin();
            exercise::measurement(response, source, &data);
        }
        1 => {
            let data = source.several(8, Source::coin);
            let bits = rows_of(source, AtomDomain::bool(), data.len());
            let response = make!(make_randomized_response_bitvec(bits, HammingDistance, prob));
            exercise::measurement(response, source, &data);
        }
        _ => {
            let (data, categories) = (source.byte() % 9, keys(source));
            let response =
                make!(make_randomized_response(AtomDomain::u8(), DiscreteDistance, categories.clone(), prob));
            let told = response.as_ref().and_then(|response| exercise::release(source, response, &data));
            assert!(told.is_none_or(|told| categories.contains(&told)));
            exercise::measurement(response, source, &data);
        }
    }
}
