//! What other crates may implement: it is marked wherever it takes part.

use indistinct::{domains::Norm, prelude::*};

/// A record of one's own.
#[derive(Debug, Clone)]
struct Visit {
    person: u32,
    hours: f64,
}

/// Records whose hours are those of a day. (What it takes for a member, and for equal, is its own business.)
#[derive(Debug, Clone, PartialEq)]
struct Visits;

impl Domain for Visits {
    type Carrier = Visit;

    fn member(&self, visit: &Visit) -> bool {
        (0.0..=24.0).contains(&visit.hours)
    }
}

fn marked<DI: Domain, TO: 'static, MI: Metric, MO: Measure>(
    measurement: &Measurement<DI, TO, MI, MO>,
    d_in: &MI::Distance,
) -> bool {
    let explanation = measurement.explain(d_in).unwrap();
    explanation.weakest_proof() == ProofLevel::Unproven
        && explanation.to_string().contains("input_domain = caller-trusted")
}

#[test]
fn a_domain_of_ones_own_is_marked_in_every_plan_that_starts_there() {
    fn count<D: Domain>(row: D) -> Measurement<VectorDomain<D>, i64, SymmetricDistance, MaxDivergence> {
        ((VectorDomain::new(row), SymmetricDistance) >> then_count() >> then_laplace(1.0)).unwrap()
    }
    assert!(marked(&count(Visits), &1));
    assert!(marked(&count(PairDomain::new(AtomDomain::u32(), Visits)), &1));
    assert!(marked(&count(PairDomain::new(Visits, AtomDomain::u32())), &1));
    assert!(marked(&count(OptionDomain::new(Visits)), &1));
    assert!(marked(&count(VectorDomain::new(Visits)), &1));
    assert!(marked(&count(MapDomain::new(AtomDomain::u32(), Visits)), &1));
    // The library's own domains are not.
    assert!(!marked(&count(PairDomain::new(AtomDomain::u32(), OptionDomain::new(AtomDomain::f64()))), &1));
    assert!(!marked(&count(MapDomain::new(AtomDomain::u32(), VectorDomain::new(AtomDomain::string()))), &1));
    assert!(!marked(&count(BallDomain::new(2, Norm::L2, 1.0).unwrap()), &1));
}

#[test]
fn what_is_built_on_it_is_marked_too() {
    let space = || (VectorDomain::new(Visits), SymmetricDistance);
    let filter = (space() >> then_privacy_filter(MaxDivergence, 1, 1.0)).unwrap();
    assert!(marked(&filter, &1));
    let data = filter.invoke(&[Visit { person: 7, hours: 1.5 }]).unwrap();
    let count = (space() >> then_count() >> then_laplace(2.0)).unwrap();
    data.eval(&count).unwrap();
    assert_eq!(data.weakest_proof(), ProofLevel::Unproven);
    assert!(marked(&make_composition(vec![count.clone()]).unwrap(), &1));
    assert!(marked(&make_pureDP_to_zCDP(count.clone()).unwrap(), &1));
    assert!(marked(&make_poisson_sampling(count, 0.5).unwrap(), &1));
    // A function of one's own leads to the library's domains, and is marked itself.
    let hours = AtomDomain::f64().with_bounds((0.0, 24.0)).unwrap();
    let sum = space() >> then_map(hours, 0.0, |visit: &Visit| visit.hours) >> then_sum() >> then_laplace(24.0);
    assert!(marked(&sum.unwrap(), &1));
    let persons = space() >> then_map(AtomDomain::u32(), 0, |visit: &Visit| visit.person) >> then_count_distinct();
    assert!(marked(&(persons >> then_laplace(1.0)).unwrap(), &1));
}
