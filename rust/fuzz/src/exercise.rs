//! What must hold of everything that a constructor builds.

use crate::{
    Source,
    distances::{Drawn, Given},
    record::told,
};
use indistinct::{prelude::*, sampling::testing::BitTape};
use std::borrow::Borrow;

/// A map is 0 at 0, rises, and refuses what is not a distance.
pub(crate) fn map<D: Drawn, R: Given>(source: &mut Source, map: &dyn Fn(&D) -> Fallible<R>) {
    if let Some(at_zero) = told(map(&D::ZERO)) {
        assert!(at_zero.is_none(), "{at_zero:?} at distance 0");
    }
    rises(source, map);
}

/// A map rises, and refuses what is not a distance.
pub(crate) fn rises<D: Drawn, R: Given>(source: &mut Source, map: &dyn Fn(&D) -> Fallible<R>) {
    let (one, other) = (D::draw(source), D::draw(source));
    let at = |d_in: &D| {
        let d_out = told(map(d_in));
        let valid = d_in.validate().is_ok();
        assert!(valid || d_out.is_none(), "{d_out:?} at {d_in:?}, which is no distance");
        if let Some(d_out) = &d_out {
            assert!(d_out.validate().is_ok(), "{d_out:?} at {d_in:?} is no distance");
        }
        d_out
    };
    let (low, high) = if one.is_within(&other) { (one, other) } else { (other, one) };
    if !low.is_within(&high) {
        // Of two triples neither may be within the other: then nothing is said.
        return;
    }
    if let (Some(least), Some(most)) = (at(&low), at(&high)) {
        assert!(least.is_at_most(&most), "{least:?} at {low:?}, but {most:?} at {high:?}");
    }
}

/// A plan is read back as it was written.
fn plan(plan: &Plan) {
    let text = serde_json::to_string(plan).unwrap();
    assert_eq!(&serde_json::from_str::<Plan>(&text).unwrap(), plan);
}

/// What an error says of data that are refused: a rule, and the domain that was declared. The data of all targets print
/// digits.
fn silent(error: &Error, domain: &impl Domain) {
    let text = error.to_string().replace(&format!("{domain:?}"), "the domain");
    assert!(text.len() > 10 && !text.contains(|c: char| c.is_ascii_digit()), "{text}");
}

/// A step: its map, its plan, and its function, which fails on nothing but what is outside of its domain.
pub(crate) fn transformation<DI, DO, MI, MO>(
    step: Option<Transformation<DI, DO, MI, MO>>,
    source: &mut Source,
    data: &DI::Carrier,
) where
    DI: Domain,
    DO: Domain,
    MI: Metric<Distance: Drawn>,
    MO: Metric<Distance: Given>,
{
    let Some(step) = step else { return };
    map(source, &|d_in| step.map(d_in));
    plan(step.plan());
    let d_in = MI::Distance::draw(source);
    assert_eq!(told(step.explain(&d_in)).is_some(), step.map(&d_in).is_ok());
    match step.invoke(data) {
        Ok(output) => {
            assert!(step.input_domain().member(data), "data outside of the domain are not refused: {step:?}");
            assert!(step.output_domain().member(output.borrow()), "outside of the output domain: {step:?}");
        }
        Err(error) => {
            assert!(!step.input_domain().member(data), "data inside of the domain are refused: {error}, {step:?}");
            silent(&error, step.input_domain());
        }
    }
}

/// A measurement: its map, its plan, and a release, which fails on nothing but what is outside of its domain.
pub(crate) fn measurement<DI, TO, MI, MO>(
    measurement: Option<Measurement<DI, TO, MI, MO>>,
    source: &mut Source,
    data: &DI::Carrier,
) where
    DI: Domain,
    TO: 'static,
    MI: Metric<Distance: Drawn>,
    MO: Measure<Distance: Given>,
{
    let Some(measurement) = measurement else { return };
    losses(source, &measurement);
    release(source, &measurement, data);
}

/// A measurement's map and plan.
pub(crate) fn losses<DI, TO, MI, MO>(source: &mut Source, measurement: &Measurement<DI, TO, MI, MO>)
where
    DI: Domain,
    TO: 'static,
    MI: Metric<Distance: Drawn>,
    MO: Measure<Distance: Given>,
{
    map(source, &|d_in| measurement.map(d_in));
    plan(measurement.plan());
    let d_in = MI::Distance::draw(source);
    assert_eq!(told(measurement.explain(&d_in)).is_some(), measurement.map(&d_in).is_ok());
}

/// One release, on enough bits and on too few, which is an error.
pub(crate) fn release<DI, TO, MI, MO>(
    source: &mut Source,
    measurement: &Measurement<DI, TO, MI, MO>,
    data: &DI::Carrier,
) -> Option<TO>
where
    DI: Domain,
    TO: 'static,
    MI: Metric,
    MO: Measure,
{
    let member = measurement.input_domain().member(data);
    let refused = measurement.invoke(data);
    let refused = refused.is_err_and(|error| error.kind() == ErrorKind::InfiniteLoss);
    let least = measurement.input_metric().least_distance(measurement.input_domain());
    let sizes = measurement.input_domain().sizes();
    // Where there are data of more than no rows, two of them are so close.
    assert!(sizes.contains(&Some(0)) || measurement.input_metric().check_neighbors(&sizes, &least).is_ok());
    if let Some(loss) = told(measurement.map(&least)) {
        let infinite = measurement.output_measure().is_infinite(&loss).unwrap();
        // An odometer promises nothing, which its constructor accepts.
        assert!(refused == infinite || measurement.is_interactive(), "{loss:?} at {least:?}: {measurement:?}");
    }
    let few: Vec<bool> = (0..source.below(16)).map(|bit| bit % 3 == 0).collect();
    if let Err(error) = measurement.invoke_with(data, &mut BitTape::new(&few)) {
        silent(&error, measurement.input_domain());
        assert_eq!(error.kind(), if member { ErrorKind::Entropy } else { ErrorKind::Domain });
    }
    let released = measurement.invoke_with(data, &mut source.entropy());
    match &released {
        Ok(_) => assert!(member, "data outside of the domain are not refused: {measurement:?}"),
        Err(error) => {
            assert!(!member, "data inside of the domain are refused: {error}, {measurement:?}");
            silent(error, measurement.input_domain());
        }
    }
    released.ok()
}
