//! Domains with drawn descriptors, and data for them that are members or just not.

use crate::{Source, record::told};
use indistinct::prelude::*;

/// One expression for one of several values of different types.
macro_rules! one_of {
    ($source:ident: [$($value:expr),+ $(,)?] |$name:ident| $body:expr) => {{
        let choice = $source.below([$(stringify!($value)),+].len());
        $crate::spaces::one_of!(choice; [$($value),+] |$name| $body)
    }};
    ($choice:ident; [$last:expr] |$name:ident| $body:expr) => {{
        let _ = $choice;
        let $name = $last;
        $body
    }};
    ($choice:ident; [$first:expr, $($rest:expr),+] |$name:ident| $body:expr) => {
        if $choice == 0 {
            let $name = $first;
            $body
        } else {
            let $choice = $choice - 1;
            $crate::spaces::one_of!($choice; [$($rest),+] |$name| $body)
        }
    };
}
pub(crate) use one_of;

/// One expression for a metric of rows that are added and removed, or for one of rows that are replaced, in their
/// places. The gate tries the others; here each would be another copy of all code.
macro_rules! each_metric {
    ($source:ident: |$name:ident| $body:expr) => {
        $crate::spaces::one_of!($source: [SymmetricDistance, HammingDistance] |$name| $body)
    };
}
pub(crate) use each_metric;

/// Rows whose number may be known, and may be right.
pub(crate) fn rows_of<D: Domain>(source: &mut Source, element: D, size: usize) -> VectorDomain<D> {
    let rows = VectorDomain::new(element);
    match source.below(4) {
        0 => rows,
        1 => rows.with_size(source.size()),
        _ => rows.with_size(size),
    }
}

/// Floats: with bounds, with NaN, both or neither.
pub(crate) fn float_domain(source: &mut Source) -> AtomDomain<f64> {
    let domain = if source.coin() { AtomDomain::f64() } else { AtomDomain::f64().with_nan() };
    let bounds = match source.below(4) {
        0 => return domain,
        1 => (source.float(), source.float()),
        _ => (-source.plain(), source.plain()),
    };
    told(domain.clone().with_bounds(bounds)).unwrap_or(domain)
}

/// Floats with bounds, as statistics need them.
pub(crate) fn bounded_floats(source: &mut Source) -> AtomDomain<f64> {
    let bounds = if source.coin() { (source.float(), source.float()) } else { (-source.plain(), source.plain()) };
    told(AtomDomain::f64().with_bounds(bounds)).unwrap_or(AtomDomain::f64())
}

pub(crate) fn integer_domain(source: &mut Source) -> AtomDomain<i64> {
    let bounds = (source.integer(), source.integer());
    if source.below(3) == 0 {
        AtomDomain::i64()
    } else {
        told(AtomDomain::i64().with_bounds(bounds)).unwrap_or_default()
    }
}

/// Floats that are most often inside of a domain.
pub(crate) fn floats_for(source: &mut Source, domain: &AtomDomain<f64>, most: usize) -> Vec<f64> {
    let strict = source.below(4) != 0;
    source.several(most, |source| {
        let x = source.mostly_plain();
        match domain.bounds() {
            Some((low, high)) if strict => {
                if x.is_nan() {
                    *low
                } else {
                    x.clamp(*low, *high)
                }
            }
            _ => x,
        }
    })
}

/// Integers that are most often inside of a domain.
pub(crate) fn integers_for(source: &mut Source, domain: &AtomDomain<i64>, most: usize) -> Vec<i64> {
    let strict = source.below(4) != 0;
    source.several(most, |source| {
        let x = source.integer();
        match domain.bounds() {
            Some((low, high)) if strict => x.clamp(*low, *high),
            _ => x,
        }
    })
}

/// A few keys, of which two may be the same.
pub(crate) fn keys(source: &mut Source) -> Vec<u8> {
    source.several(4, |source| source.byte() % 6)
}

pub(crate) fn unknown(source: &mut Source) -> UnknownCategories {
    source.choose(&[UnknownCategories::Drop, UnknownCategories::Other])
}
