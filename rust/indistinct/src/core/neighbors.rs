//! The check that a domain has members at a distance.

use super::{Distance, Domain, Fallible, Metric};

/// Returns an error if `d_in` is not a distance, or if it is above 0 and no two different members of the domain are
/// that close. Maps are 0 there, with or without noise, so they would guarantee no protection.
pub(crate) fn check_neighbors<D: Domain, M: Metric>(domain: &D, metric: &M, d_in: &M::Distance) -> Fallible<()> {
    d_in.validate()?;
    metric.check_neighbors(&domain.sizes(), d_in)
}

#[cfg(test)]
mod tests {
    use crate::{
        prelude::*,
        search::{largest, smallest},
    };

    fn rows(size: usize) -> VectorDomain<AtomDomain<f64>> {
        VectorDomain::new(AtomDomain::f64()).with_size(size)
    }

    fn mean(scale: f64) -> Fallible<Measurement<VectorDomain<AtomDomain<f64>>, f64, SymmetricDistance, MaxDivergence>> {
        (rows(4), SymmetricDistance) >> then_clamp((0.0, 10.0)) >> then_mean() >> then_laplace(scale)
    }

    /// If no neighbors can be distinguished, the least scale would be 0, and the release would be the exact mean with
    /// "epsilon 0".
    #[test]
    fn a_known_size_is_no_way_to_do_without_noise() {
        let error = smallest_scale(mean, &1, &1.0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Distance);
        let message = error.to_string();
        assert!(message.contains("no two datasets of 4 rows are 1 row added or removed apart"), "{message}");
        assert!(message.contains("2"), "{message}");
        assert_eq!(smallest_scale(mean, &2, &1.0), Ok(2.5));
        let (mean, exact) = (mean(2.5).unwrap(), mean(0.0).unwrap());
        // What is true stays what it is.
        assert_eq!((mean.map(&0), mean.map(&1), mean.map(&2), mean.map(&3)), (Ok(0.0), Ok(0.0), Ok(1.0), Ok(1.0)));
        assert_eq!((exact.map(&1), exact.map(&2)), (Ok(0.0), Ok(f64::INFINITY)));
        assert!(
            exact.check(&1, &1.0).is_err() && exact.check(&2, &1.0) == Ok(false) && exact.check(&0, &1.0) == Ok(true)
        );
        let within = |size| mean.check(&size, &10.0);
        assert_eq!(smallest((1u32, 9), within).unwrap_err().kind(), ErrorKind::Distance);
        assert_eq!(largest((1u32, 9), within).unwrap_err().kind(), ErrorKind::Distance);
        assert_eq!(largest((2u32, 100), within), Ok(21));
        let step = (rows(4), SymmetricDistance) >> then_clamp((0.0, 10.0)) >> then_mean();
        assert_eq!(step.unwrap().check(&1, &0.0).unwrap_err().kind(), ErrorKind::Distance);
    }

    #[test]
    fn an_explanation_says_that_there_are_no_neighbors() {
        let words = |d_in| mean(0.0).unwrap().explain(&d_in).unwrap().to_string();
        let note = "note: no two datasets of 4 rows are 1 row added or removed apart";
        assert!(words(1).lines().nth(1).unwrap().starts_with(note), "{}", words(1));
        assert!(words(1).matches("note").count() == 1 && !words(0).contains("note") && !words(2).contains("note"));
        let both = make_composition((mean(1.0).unwrap(), mean(2.0).unwrap())).unwrap();
        assert_eq!(both.explain(&1).unwrap().to_string().matches("note").count(), 1);
    }

    /// Each metric, with the least distance at which two datasets of some size can differ.
    #[test]
    fn the_least_distance_of_each_metric() {
        fn refused<DI: Domain, M: Metric<Distance = u32>>(domain: &DI, metric: M) -> Vec<u32> {
            (0..5).filter(|d_in| super::check_neighbors(domain, &metric, d_in).is_err()).collect()
        }
        for size in [1, 2, 4] {
            assert_eq!(refused(&rows(size), SymmetricDistance), [1]);
            assert_eq!(refused(&rows(size), InsertDeleteDistance), [1]);
            assert!(refused(&rows(size), ChangeOneDistance).is_empty());
            assert!(refused(&rows(size), HammingDistance).is_empty());
            let keyed = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
            assert!(refused(&keyed, SymmetricIdDistance).is_empty());
            assert_eq!(refused(&keyed.with_size(size), SymmetricIdDistance), [1]);
        }
        // There is one empty dataset.
        assert_eq!(refused(&rows(0), SymmetricDistance), [1, 2, 3, 4]);
        assert_eq!(refused(&rows(0), HammingDistance), [1, 2, 3, 4]);
        assert!(refused(&VectorDomain::new(AtomDomain::f64()), SymmetricDistance).is_empty());
    }

    #[test]
    fn parts_of_a_known_size() {
        let refused = |parts: VectorDomain<VectorDomain<AtomDomain<f64>>>, d_in| {
            super::check_neighbors(&parts, &PartitionDistance(SymmetricDistance), &d_in).is_err()
        };
        let (any, four) = (VectorDomain::new(AtomDomain::f64()), rows(4));
        assert!(!refused(VectorDomain::new(any.clone()).with_size(3), (1, 1, 1)));
        assert!(refused(VectorDomain::new(any).with_size(0), (1, 1, 1)));
        let parts = || VectorDomain::new(four.clone());
        // Every part that differs differs by two rows at least.
        assert!(refused(parts(), (1, 1, 1)) && refused(parts(), (2, 2, 1)) && refused(parts(), (2, 1, 2)));
        assert!(!refused(parts(), (1, 2, 2)) && !refused(parts(), (0, 0, 0)) && !refused(parts(), (0, 1, 1)));
    }

    /// Numbers, vectors and metrics that are infinite between sizes have neighbors at every distance.
    #[test]
    fn vectors_of_a_known_size_have_neighbors() {
        let scores = VectorDomain::new(AtomDomain::f64()).with_size(4);
        assert!(super::check_neighbors(&scores, &LInfDistance::new(), &1e-300).is_ok());
        assert!(super::check_neighbors(&scores, &LInfDistance::new(), &f64::NAN).is_err());
        let noisy = (scores, L1Distance::new()) >> then_laplace(1.0);
        assert_eq!(noisy.unwrap().check(&1.0, &1.0), Ok(true));
    }

    /// A budget at such a distance would never be spent.
    #[test]
    fn no_budget_is_kept_where_there_are_no_neighbors() {
        let refused = |error: Error| error.kind() == ErrorKind::Distance;
        let filter = |d_in| make_privacy_filter(rows(4), SymmetricDistance, MaxDivergence, d_in, 1.0).map(|_| ());
        assert!(filter(1).is_err_and(refused) && filter(2).is_ok());
        let losses =
            |d_in| make_adaptive_composition(rows(4), SymmetricDistance, MaxDivergence, d_in, vec![1.0]).map(|_| ());
        assert!(losses(1).is_err_and(refused) && losses(2).is_ok());
        let above = |d_in| {
            let (stability, unknown) = ((d_in, 1.0), Monotonicity::Unknown);
            make_above_threshold(rows(4), SymmetricDistance, stability, unknown, 3.0, 1, (2.0, 4.0)).map(|_| ())
        };
        assert!(above(1).is_err_and(refused) && above(2).is_ok());
    }
}
