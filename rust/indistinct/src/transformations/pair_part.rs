//! `make_pair_part`: selects one part of every row.

use crate::{
    core::{
        Domain, Fallible, Function, Metric, MetricSpace, Owned, Parameter, Sealed, StabilityMap, ToParameter,
        Transformation, sealed,
    },
    domains::{Atom, AtomDomain, PairDomain, VectorDomain},
    metrics::{RowByRowMetric, RowMetric, SymmetricIdDistance},
};
use indistinct_derive::constructor;
use std::borrow::Borrow;

/// Keeps one part of every row: a column of rows that are pairs, or pairs of pairs.
///
/// # Parameters
///
/// - `part`: [`First`] or [`Second`] of a pair, or the path to a nested part: `(Second, First)` is the first part of
///   the second. Under [`SymmetricIdDistance`] it is a part of the row after the identifier. The identifier stays, so a
///   selection cannot replace it with another column.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// ```
/// use indistinct::{prelude::*, transformations::Second};
/// let visit = PairDomain::new(AtomDomain::u32(), PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
/// let visits = VectorDomain::new(visit);
/// let rows = [(7, (1, 0.5)), (8, (2, 1.5))];
///
/// let costs = make_pair_part(visits.clone(), SymmetricDistance, (Second, Second))?;
/// assert_eq!(costs.invoke(&rows)?, [0.5, 1.5]);
/// let costs_of_individuals = make_pair_part(visits, SymmetricIdDistance, Second)?;
/// assert_eq!(costs_of_individuals.invoke(&rows)?, [(7, 0.5), (8, 1.5)]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias("make_select_column", "make_select_columns"))]
#[constructor(exempt("plans read single columns"))]
#[allow(private_bounds)]
pub fn make_pair_part<D: Domain + Sealed, P: Part, M: PairPartMetric<D, P>>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    part: P,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<M::Row>, M, M>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<M::Row>, M): MetricSpace,
{
    let output_domain = input_domain.with_element(M::row(input_domain.element()));
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::row_by_row(|row: &Owned<D>| M::image(row.borrow())),
        StabilityMap::new(|d_in: &<M as Metric>::Distance| Ok(d_in.clone())),
    )
}

/// The first part of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct First;

/// The second part of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Second;

/// The path to a part of a row: [`First`], [`Second`], or a pair of one of them and the path from there on.
#[allow(private_bounds)]
pub trait Part: Sealed + ToParameter + Send + Sync + 'static {}

sealed!(() First, () Second);

impl Part for First {}
impl Part for Second {}
impl<P: Part> Part for (First, P) {}
impl<P: Part> Part for (Second, P) {}

impl ToParameter for First {
    fn to_parameter(&self) -> Parameter {
        "first".to_parameter()
    }
}

impl ToParameter for Second {
    fn to_parameter(&self) -> Parameter {
        "second".to_parameter()
    }
}

/// Domains of rows that have this part.
#[allow(private_bounds)]
pub trait HasPart<P: Part>: Sealed + Domain {
    /// The domain of the part.
    type Of: Domain;
    /// Returns the domain of the part.
    fn part(&self) -> &Self::Of;
    /// Returns the part of a row.
    fn part_of(row: &Self::Carrier) -> &<Self::Of as Domain>::Carrier;
}

impl<A: Domain, B: Domain> HasPart<First> for PairDomain<A, B> {
    type Of = A;

    fn part(&self) -> &A {
        self.first()
    }
    fn part_of((first, _): &Self::Carrier) -> &A::Carrier {
        first.borrow()
    }
}

impl<A: Domain, B: Domain> HasPart<Second> for PairDomain<A, B> {
    type Of = B;

    fn part(&self) -> &B {
        self.second()
    }
    fn part_of((_, second): &Self::Carrier) -> &B::Carrier {
        second.borrow()
    }
}

impl<A: HasPart<P>, B: Domain, P: Part> HasPart<(First, P)> for PairDomain<A, B> {
    type Of = A::Of;

    fn part(&self) -> &A::Of {
        self.first().part()
    }
    fn part_of((first, _): &Self::Carrier) -> &<A::Of as Domain>::Carrier {
        <A as HasPart<P>>::part_of(first.borrow())
    }
}

impl<A: Domain, B: HasPart<P>, P: Part> HasPart<(Second, P)> for PairDomain<A, B> {
    type Of = B::Of;

    fn part(&self) -> &B::Of {
        self.second().part()
    }
    fn part_of((_, second): &Self::Carrier) -> &<B::Of as Domain>::Carrier {
        <B as HasPart<P>>::part_of(second.borrow())
    }
}

/// Metrics of datasets, with the remaining row after a part is selected.
#[allow(private_bounds)]
pub trait PairPartMetric<D: Domain + Sealed, P: Part>: RowByRowMetric {
    /// The domain of the remaining row.
    type Row: Domain;
    /// Returns the domain of the remaining row.
    #[doc(hidden)]
    fn row(rows: &D) -> Self::Row;
    /// Returns the remaining part of a row.
    #[doc(hidden)]
    fn image(row: &D::Carrier) -> Owned<Self::Row>;
}

/// If rows are counted, only the part remains.
impl<D: HasPart<P>, P: Part, M: RowMetric> PairPartMetric<D, P> for M {
    type Row = D::Of;

    fn row(rows: &D) -> D::Of {
        rows.part().clone()
    }
    fn image(row: &D::Carrier) -> Owned<D::Of> {
        <D as HasPart<P>>::part_of(row).to_owned()
    }
}

/// If individuals are counted, the identifier and the part remain.
impl<K: Atom, D: HasPart<P>, P: Part> PairPartMetric<PairDomain<AtomDomain<K>, D>, P> for SymmetricIdDistance {
    type Row = PairDomain<AtomDomain<K>, D::Of>;

    fn row(rows: &PairDomain<AtomDomain<K>, D>) -> Self::Row {
        PairDomain::new(rows.first().clone(), rows.second().part().clone())
    }
    fn image((person, rest): &(K, Owned<D>)) -> (K, Owned<D::Of>) {
        (person.clone(), <D as HasPart<P>>::part_of(rest.borrow()).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        prelude::*,
        transformations::{First, Second},
    };

    type Row = PairDomain<AtomDomain<u32>, PairDomain<PairDomain<AtomDomain<u8>, AtomDomain<bool>>, AtomDomain<f64>>>;

    fn rows() -> VectorDomain<Row> {
        let bounded = AtomDomain::f64().with_bounds((0.0, 9.0)).unwrap();
        let pair = PairDomain::new(AtomDomain::u8(), AtomDomain::bool());
        VectorDomain::new(PairDomain::new(AtomDomain::u32(), PairDomain::new(pair, bounded))).with_size(2)
    }

    const DATA: [(u32, ((u8, bool), f64)); 2] = [(1, ((2, true), 3.0)), (4, ((5, false), 6.0))];

    #[test]
    fn parts_at_every_depth_with_their_domains() {
        let persons = make_pair_part(rows(), HammingDistance, First).unwrap();
        assert_eq!(persons.invoke(&DATA), Ok(vec![1, 4]));
        let costs = make_pair_part(rows(), ChangeOneDistance, (Second, Second)).unwrap();
        assert_eq!(costs.invoke(&DATA), Ok(vec![3.0, 6.0]));
        assert_eq!(costs.output_domain().element().bounds(), Some(&(0.0, 9.0)));
        assert_eq!((costs.output_domain().size(), costs.map(&3)), (Some(2), Ok(3)));
        let flags = make_pair_part(rows(), InsertDeleteDistance, (Second, (First, Second))).unwrap();
        assert_eq!(flags.invoke(&DATA), Ok(vec![true, false]));
    }

    #[test]
    fn individuals_stay() {
        let flags = make_pair_part(rows(), SymmetricIdDistance, (First, Second)).unwrap();
        assert_eq!((flags.invoke(&DATA), flags.map(&2)), (Ok(vec![(1, true), (4, false)]), Ok(2)));
        assert_eq!(flags.output_domain().element().first(), &AtomDomain::u32());
        let costs = ((rows(), SymmetricIdDistance) >> then_pair_part(Second)).unwrap();
        assert_eq!(costs.invoke(&DATA), Ok(vec![(1, 3.0), (4, 6.0)]));
    }

    #[test]
    fn the_plan_names_the_part() {
        let flags = make_pair_part(rows(), SymmetricDistance, (Second, (First, Second))).unwrap();
        let plan = format!("{:?}", flags.plan());
        assert!(plan.contains("second") && plan.contains("first"), "{plan}");
    }
}
