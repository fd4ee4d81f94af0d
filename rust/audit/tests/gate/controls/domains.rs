//! Negative controls of domains, whose `member` lets in what they exclude. No member shows it: what is just outside
//! must be drawn.

use super::Family;
use crate::support::{datasets, on_neighbors, script};
use indistinct::{
    core::{Owned, Parameter, ToParameter},
    domains::Norm,
    prelude::*,
};
use indistinct_audit::{
    Report, Seen,
    members::{Described, Drawn},
    non_members::Fenced,
    stability::stability_by_edits,
};
use proptest::prelude::BoxedStrategy;
use std::{
    collections::BTreeMap,
    fmt::{self, Debug},
};

/// A domain that says of itself what another one says, and takes some values for members beside.
struct Sloppy<D: Domain> {
    said: D,
    beside: fn(&D, &D::Carrier) -> bool,
}

impl<D: Domain> Clone for Sloppy<D> {
    fn clone(&self) -> Self {
        Self { said: self.said.clone(), beside: self.beside }
    }
}

impl<D: Domain> Debug for Sloppy<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said.fmt(f)
    }
}

impl<D: Domain> PartialEq for Sloppy<D> {
    fn eq(&self, other: &Self) -> bool {
        self.said == other.said
    }
}

impl<D: Domain> Domain for Sloppy<D> {
    type Carrier = D::Carrier;

    fn member(&self, value: &D::Carrier) -> bool {
        self.said.member(value) || (self.beside)(&self.said, value)
    }
}

impl<D: Domain> ToParameter for Sloppy<D> {
    fn to_parameter(&self) -> Parameter {
        format!("{self:?}").to_parameter()
    }
}

impl<D: Described> Described for Sloppy<D> {
    fn describes(&self, value: &D::Carrier) -> bool {
        self.said.describes(value)
    }
}

impl<D: Drawn> Drawn for Sloppy<D> {
    fn ways(&self) -> Vec<BoxedStrategy<Owned<D>>> {
        self.said.ways()
    }

    fn spelled(&self, value: &D::Carrier) -> Owned<D> {
        self.said.spelled(value)
    }
}

impl<D: Fenced> Fenced for Sloppy<D> {
    fn non_members(&self) -> Vec<BoxedStrategy<Owned<D>>> {
        self.said.non_members()
    }
}

/// As the domain of the inputs of a function that does nothing.
fn sloppy<D>(said: D, beside: fn(&D, &D::Carrier) -> bool) -> Report
where
    D: Fenced,
    D::Carrier: Seen,
    Owned<D>: Debug,
{
    let (domain, truths) = (Sloppy { said, beside }, AtomDomain::bool());
    let control = make_user_transformation(domain, DiscreteDistance, truths, DiscreteDistance, |_| true, |d| Ok(*d));
    stability_by_edits(&control.unwrap(), &[], script())
}

/// As the domain of the outputs.
fn onto<D>(said: D, beside: fn(&D, &D::Carrier) -> bool, image: Owned<D>) -> Report
where
    D: Fenced,
    D::Carrier: Seen,
    Owned<D>: Debug,
{
    let (truths, domain) = (AtomDomain::bool(), Sloppy { said, beside });
    let image = move |_: &bool| image.clone();
    let control = make_user_transformation(truths, DiscreteDistance, domain, DiscreteDistance, image, |d| Ok(*d));
    stability_by_edits(&control.unwrap(), &[], script())
}

/// Counts by key, of keys that are equal by the comparison at hand: what `make_count_by` would be for a key type with
/// that equality.
fn counts(are_equal: fn(&str, &str) -> bool) -> Report {
    let (rows, keys) = (VectorDomain::new(AtomDomain::<&'static str>::new()), AtomDomain::<&'static str>::new());
    let count = move |rows: &[&'static str]| {
        let mut counts: BTreeMap<&'static str, i64> = BTreeMap::new();
        for row in rows {
            let known = counts.keys().copied().find(|key| are_equal(key, row)).unwrap_or(*row);
            *counts.entry(known).or_default() += 1;
        }
        counts
    };
    let maps = MapDomain::new(keys, AtomDomain::i64());
    let map = |d: &u32| Ok((*d, f64::from(*d), f64::from(*d)));
    let control = make_user_transformation(rows, SymmetricDistance, maps, L01InfDistance, count, map);
    on_neighbors(0.0, &control.unwrap(), datasets(&["Dayton", "DAYTON", "Salem"]), &[])
}

fn percent() -> AtomDomain<f64> {
    AtomDomain::f64().with_bounds((0.0, 100.0)).unwrap()
}

fn digit() -> AtomDomain<i64> {
    AtomDomain::i64().with_bounds((0, 9)).unwrap()
}

fn ball(norm: Norm) -> BallDomain {
    BallDomain::new(2, norm, 5.0).unwrap()
}

pub(super) fn family() -> Family {
    let members = vec![
        ("domain: a lower bound that nobody asks for", sloppy(percent(), |_, x| *x <= 100.0)),
        (
            "domain: bounds by their size",
            sloppy(AtomDomain::i64().with_bounds((3, 9)).unwrap(), |_, x| (3..=9).contains(&x.unsigned_abs())),
        ),
        ("domain: bounds within a tolerance", sloppy(percent(), |_, x| *x > -1e-9 && *x - 100.0 < 1e-9)),
        ("domain: up to the bound and one more", sloppy(digit(), |_, x| *x == 10)),
        ("domain: not above and not below, as NaN is", sloppy(percent(), |_, x| !(*x < 0.0 || *x > 100.0))),
        ("domain: infinities, which nothing clamps", sloppy(percent(), |_, x| x.is_infinite())),
        (
            "domain: a size as the most rows",
            sloppy(VectorDomain::new(digit()).with_size(3), |rows, x| {
                x.len() < 3 && x.iter().all(|row| rows.element().member(row))
            }),
        ),
        (
            "domain: a size as the least rows",
            sloppy(VectorDomain::new(digit()).with_size(3), |rows, x| {
                x.len() > 3 && x.iter().all(|row| rows.element().member(row))
            }),
        ),
        (
            "domain: the first row for all",
            sloppy(VectorDomain::new(digit()), |rows, x| x.first().is_some_and(|row| rows.element().member(row))),
        ),
        (
            "domain: any row for all",
            sloppy(VectorDomain::new(digit()), |rows, x| x.iter().any(|row| rows.element().member(row))),
        ),
        (
            "domain: a column that nobody looks at",
            sloppy(PairDomain::new(digit(), percent()), |pair, x| pair.second().member(&x.1)),
        ),
        (
            "domain: one column or the other",
            sloppy(PairDomain::new(digit(), percent()), |pair, x| pair.first().member(&x.0)),
        ),
        ("domain: what is there is any number", sloppy(OptionDomain::new(percent()), |_, _| true)),
        (
            "domain: a key beyond its bounds",
            sloppy(MapDomain::new(digit(), percent()), |maps, x| x.values().all(|number| maps.value().member(number))),
        ),
        (
            "domain: a number beyond its bounds under a key",
            sloppy(MapDomain::new(digit(), percent()), |maps, x| x.keys().all(|key| maps.key().member(key))),
        ),
        (
            "domain: a comparison that forgets the cents",
            sloppy(AtomDomain::i64().with_bounds((0, 10_000)).unwrap(), |_, cents| (0..=100).contains(&(cents / 100))),
        ),
        ("key: an equality that ignores case", counts(str::eq_ignore_ascii_case)),
        ("domain of images: a lower bound that nobody asks for", onto(percent(), |_, x| *x <= 100.0, 50.0)),
    ];
    let balls = vec![
        ("ball: a length in floats, L1", sloppy(ball(Norm::L1), |_, x| x.len() == 2 && x[0].abs() + x[1].abs() <= 5.0)),
        ("ball: a length in floats, L2", sloppy(ball(Norm::L2), |_, x| x.len() == 2 && x[0].hypot(x[1]) <= 5.0)),
        (
            "ball: each number for itself",
            sloppy(ball(Norm::L2), |_, x| x.len() == 2 && x.iter().all(|x| x.abs() <= 5.0)),
        ),
        ("ball: the first number for all", sloppy(ball(Norm::LInf), |_, x| x.len() == 2 && x[0].abs() <= 5.0)),
        ("ball: one number more", sloppy(ball(Norm::L2), |_, x| *x == [0.0; 3])),
        ("ball: no more than so many numbers", sloppy(ball(Norm::L2), |_, x| *x == [0.0])),
        (
            "ball: a number that is none",
            sloppy(ball(Norm::LInf), |_, x| x.len() == 2 && !x.iter().any(|x| x.abs() > 5.0)),
        ),
    ];
    let mut sound = vec![
        ("domain", sloppy(percent(), |_, _| false)),
        ("domain of rows", sloppy(VectorDomain::new(PairDomain::new(digit(), percent())).with_size(3), |_, _| false)),
        ("domain of maps", sloppy(MapDomain::new(digit(), OptionDomain::new(percent())), |_, _| false)),
        ("domain of vectors", sloppy(ball(Norm::L2), |_, _| false)),
        ("domain of images", onto(percent(), |_, _| false, 50.0)),
    ];
    assert!(sound.iter().all(|(_, report): &(&str, Report)| report.non_members > 10));
    sound.push(("keys", counts(|left, right| left == right)));
    Family { controls: [members, balls].into_iter().flatten().collect(), sound }
}
