//! Transformations against their maps: on pairs of inputs, with distances computed a second time.

use crate::{
    metric::Measured,
    neighbors::Shrink,
    report::{Report, Verdict},
};
use indistinct::{
    core::Owned,
    prelude::{Distance, Domain, Metric, Transformation},
};
use std::{borrow::Borrow, fmt::Debug};

/// Check a transformation on pairs of inputs: it fails on no member of its domain, its outputs are members of the output domain and
/// the same when it is run again, and they are no further apart than the map says at the inputs' distance.
///
/// Pairs that are not in the domain, or infinitely far apart, are passed over. A pair for which the claim is false is shrunk to
/// a smallest one.
pub fn stability<DI, DO, MI, MO>(
    transformation: &Transformation<DI, DO, MI, MO>,
    pairs: impl IntoIterator<Item = (Owned<DI>, Owned<DI>)>,
) -> Report
where
    DI: Domain,
    DO: Domain,
    Owned<DI>: Debug + Shrink,
    Owned<DO>: Debug + PartialEq,
    MI: Measured<DI::Carrier>,
    MO: Measured<DO::Carrier>,
{
    let mut report = Report::new("stability");
    for (x, y) in pairs {
        match try_pair(transformation, &x, &y) {
            Tried::Nothing => {}
            Tried::Holds(ratio) => {
                report.pairs += 1;
                report.runs += 4;
                report.ratio = report.ratio.max(ratio);
            }
            Tried::Violated(reason) => {
                let witness = smallest(transformation, (x, y), reason);
                report.pairs += 1;
                report.note(Verdict::Violated { witness });
                return report;
            }
        }
    }
    report
}

enum Tried {
    Nothing,
    Holds(f64),
    Violated(String),
}

fn try_pair<DI, DO, MI, MO>(transformation: &Transformation<DI, DO, MI, MO>, x: &Owned<DI>, y: &Owned<DI>) -> Tried
where
    DI: Domain,
    DO: Domain,
    Owned<DO>: Debug + PartialEq,
    MI: Measured<DI::Carrier>,
    MO: Measured<DO::Carrier>,
{
    let (x, y): (&DI::Carrier, &DI::Carrier) = (x.borrow(), y.borrow());
    if !(transformation.input_domain().member(x) && transformation.input_domain().member(y)) {
        return Tried::Nothing;
    }
    let Some(d_in) = transformation.input_metric().distance(x, y) else { return Tried::Nothing };
    let mut images = Vec::new();
    for input in [x, y] {
        let image = match (transformation.invoke(input), transformation.invoke(input)) {
            (Ok(image), Ok(again)) if image == again => image,
            (Ok(_), Ok(_)) => return Tried::Violated("two runs on one input differ".into()),
            (Err(error), _) | (_, Err(error)) => return Tried::Violated(format!("it fails on a member: {error}")),
        };
        if !transformation.output_domain().member(image.borrow()) {
            return Tried::Violated(format!("an output {image:?} outside of the declared domain"));
        }
        images.push(image);
    }
    let claimed = match transformation.map(&d_in) {
        Ok(claimed) => claimed,
        // A distance that does not fit its type is refused: nothing is claimed.
        Err(_) => return Tried::Nothing,
    };
    let [one, two] = images.as_slice() else { return Tried::Nothing };
    let compared = transformation.output_metric().compare(one.borrow(), two.borrow(), &claimed);
    if compared.exceeds {
        return Tried::Violated(format!(
            "{d_in:?} apart, their images {one:?} and {two:?} are further than {claimed:?}"
        ));
    }
    Tried::Holds(compared.ratio)
}

/// Take rows away as long as the claim stays false.
fn smallest<DI, DO, MI, MO>(
    transformation: &Transformation<DI, DO, MI, MO>,
    (mut x, mut y): (Owned<DI>, Owned<DI>),
    mut reason: String,
) -> String
where
    DI: Domain,
    DO: Domain,
    Owned<DI>: Debug + Shrink,
    Owned<DO>: Debug + PartialEq,
    MI: Measured<DI::Carrier>,
    MO: Measured<DO::Carrier>,
{
    while let Some((smaller, why)) =
        x.smaller(&y).into_iter().find_map(|pair| match try_pair(transformation, &pair.0, &pair.1) {
            Tried::Violated(why) => Some((pair, why)),
            _ => None,
        })
    {
        ((x, y), reason) = (smaller, why);
    }
    format!("{x:?} and {y:?}: {reason}")
}

/// Check a map alone: 0 at the first distance of a rising ladder, which is that of equal inputs, and never falling from one to the
/// next.
pub fn map_rises<D: Distance, R: Distance>(map: impl Fn(&D) -> Option<R>, ladder: &[D], zero: &R) -> Report {
    let mut report = Report::new("map");
    let at_zero = ladder.first().and_then(&map);
    if !at_zero.as_ref().is_some_and(|loss| loss.is_within(zero)) {
        return Report::violated("map", format!("{at_zero:?} between equal inputs"));
    }
    for rungs in ladder.windows(2) {
        let [lower, upper] = rungs else { continue };
        report.pairs += 1;
        // An error is a refusal, which claims nothing, as an infinite distance does.
        let (Some(low), high) = (map(lower), map(upper)) else {
            if let Some(high) = map(upper) {
                return Report::violated("map", format!("an error at {lower:?}, and {high:?} at {upper:?}"));
            }
            continue;
        };
        if let Some(high) = high.filter(|high| !low.is_within(high)) {
            return Report::violated("map", format!("{low:?} at {lower:?}, but {high:?} at {upper:?}"));
        }
    }
    report
}

/// The distances of datasets at which maps are compared: 0, 1, 2, …, where a product with 2 or 3 would wrap, and the greatest.
pub fn ladder_of_rows() -> Vec<u32> {
    (0..12)
        .chain([100, 101, 65_535, 1 << 24, u32::MAX / 3, u32::MAX / 3 + 1, 1 << 31, u32::MAX - 1, u32::MAX])
        .collect()
}

/// The distances of numbers at which maps are compared: subnormal, tiny, ordinary, next to each other, huge.
pub fn ladder_of_numbers() -> Vec<f64> {
    let mut ladder = vec![0.0, 5e-324, 1e-320, 2.2250738585072014e-308, 1e-300, 1e-17];
    ladder.extend([0.1, 0.3, 0.5, 1f64.next_down(), 1.0, 1f64.next_up(), 2.0, 3.0, 10.0, 1e16, 1e200, f64::MAX]);
    ladder.push(f64::INFINITY);
    ladder
}

/// A transformation's map on a ladder.
pub fn stability_map_rises<DI: Domain, DO: Domain, MI: Metric, MO: Metric>(
    transformation: &Transformation<DI, DO, MI, MO>,
    ladder: &[MI::Distance],
    zero: &MO::Distance,
) -> Report {
    map_rises(|d_in| transformation.map(d_in).ok(), ladder, zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::{all_pairs, all_vectors};
    use indistinct::prelude::*;

    fn rows() -> VectorDomain<AtomDomain<i32>> {
        VectorDomain::new(AtomDomain::i32().with_bounds((0, 2)).unwrap())
    }

    #[test]
    fn a_sum_holds_and_attains_its_map() {
        let sum = make_sum(rows(), SymmetricDistance).unwrap();
        let report = stability(&sum, all_pairs(&all_vectors(&[0, 1, 2], 3)));
        assert_eq!((report.verdict.clone(), report.pairs, report.ratio), (Verdict::Holds, 1600, 1.0), "{report}");
    }

    #[test]
    fn a_forgotten_factor_is_shrunk_to_its_smallest_witness() {
        let twin = make_user_transformation(
            rows(),
            SymmetricDistance,
            AtomDomain::i64(),
            AbsoluteDistance::new(),
            |rows: &[i32]| rows.iter().map(|row| i64::from(*row)).sum(),
            |d_in: &u32| Ok(f64::from(*d_in)),
        )
        .unwrap();
        let report = stability(&twin, all_pairs(&all_vectors(&[1, 2], 3)));
        let Verdict::Violated { witness } = &report.verdict else { panic!("{report}") };
        assert!(witness.starts_with("[] and [2]") || witness.starts_with("[2] and []"), "{witness}");
    }

    #[test]
    fn maps_that_fall_are_found() {
        let ladder = ladder_of_numbers();
        assert_eq!(map_rises(|d: &f64| Some(*d), &ladder, &0.0).verdict, Verdict::Holds);
        assert!(map_rises(|d: &f64| Some(d.min(2.0) - if *d > 5.0 { 1.0 } else { 0.0 }), &ladder, &0.0).is_violated());
        assert!(map_rises(|d: &f64| Some(d + 1e-9), &ladder, &0.0).is_violated());
    }
}
