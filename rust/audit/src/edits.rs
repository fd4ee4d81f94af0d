//! Neighbors under each metric: a member of a domain, and what a script of edits makes of it.

use crate::{
    members::{Drawn, any_of},
    values::Value,
};
use indistinct::{
    core::Owned,
    domains::{AtomDomain, PairDomain, VectorDomain},
    metrics::{
        AbsoluteDistance, ChangeOneDistance, DiscreteDistance, HammingDistance, InsertDeleteDistance, L1Distance,
        L2Distance, LInfDistance, SymmetricDistance, SymmetricIdDistance,
    },
    prelude::{Domain, Metric},
};
use proptest::{
    arbitrary::any,
    collection::vec,
    option::weighted,
    prelude::{BoxedStrategy, Just, Strategy},
    sample::Index,
};
use std::{borrow::Borrow, fmt::Debug};

/// How datasets and their edits are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Script {
    /// The most rows, where a domain leaves the number open.
    pub longest: usize,
    /// The most edits between two neighbors.
    pub edits: usize,
    /// How many pairs are drawn.
    pub cases: u32,
}

impl Default for Script {
    fn default() -> Self {
        Self { longest: 12, edits: 4, cases: 1_000 }
    }
}

/// Two inputs.
type Pair<D> = (Owned<D>, Owned<D>);

/// Metrics by whose edits an audit can walk from a member of a domain to its neighbors.
pub trait Edits<D: Domain>: Metric {
    /// Pairs of members, a few edits apart, each of a kind that this metric counts, or does not see.
    fn neighbors(&self, domain: &D, script: Script) -> BoxedStrategy<Pair<D>>;
}

/// What becomes of a row from a dataset to its neighbor.
#[derive(Debug, Clone)]
enum Fate<T> {
    Stays,
    Leaves,
    Joins,
    Becomes(T),
    Moves(Index),
    /// Is written otherwise, which no metric sees.
    Spelled,
}

/// Kinds of [`Fate`], but the first.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Leave,
    Join,
    Replace,
    Move,
    Spell,
}

/// Mostly to stay, so that about half of the edits of the script are done to a dataset that is half as long as it may be.
fn fate<T: Debug + Clone + 'static>(
    kinds: &[Edit],
    rows: usize,
    edits: usize,
    way: &BoxedStrategy<T>,
) -> BoxedStrategy<Fate<T>> {
    let of = |kind: &Edit| match kind {
        Edit::Leave => Just(Fate::Leaves).boxed(),
        Edit::Join => Just(Fate::Joins).boxed(),
        Edit::Replace => way.clone().prop_map(Fate::Becomes).boxed(),
        Edit::Move => any::<Index>().prop_map(Fate::Moves).boxed(),
        Edit::Spell => Just(Fate::Spelled).boxed(),
    };
    let share =
        f64::from(u32::try_from(edits).unwrap_or(u32::MAX)) / f64::from(u32::try_from(rows).unwrap_or(u32::MAX));
    let edited = any_of(kinds.iter().map(of).collect());
    // What is shrunk stays.
    weighted((share / 2.0).clamp(1e-3, 0.5), edited).prop_map(|fate| fate.unwrap_or(Fate::Stays)).boxed()
}

/// A dataset and its neighbor, from rows and what becomes of each.
fn neighbors<R: Drawn>(domain: &R, rows: Vec<(Owned<R>, Fate<Owned<R>>)>) -> (Vec<Owned<R>>, Vec<Owned<R>>) {
    let (mut one, mut other, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    for (row, fate) in rows {
        match fate {
            Fate::Joins => {
                other.push(row);
                continue;
            }
            Fate::Stays => other.push(row.clone()),
            Fate::Leaves => {}
            Fate::Becomes(new) => other.push(new),
            Fate::Moves(to) => moved.push((to, row.clone())),
            Fate::Spelled => other.push(domain.spelled(row.borrow())),
        }
        one.push(row);
    }
    for (to, row) in moved {
        other.insert(to.index(other.len() + 1), row);
    }
    (one, other)
}

/// Datasets of rows that are all drawn in one way, or in any, and their neighbors by edits of some kinds.
fn edited<R: Drawn>(domain: &VectorDomain<R>, script: Script, kinds: &[Edit]) -> BoxedStrategy<Pair<VectorDomain<R>>>
where
    Owned<R>: Debug,
{
    let sizes = domain.size().map_or(0..=script.longest, |size| size..=size);
    let mut ways = domain.element().ways();
    ways.push(any_of(ways.clone()));
    let pairs = ways.into_iter().map(|way| {
        let (fate, element) = (fate(kinds, *sizes.end(), script.edits, &way), domain.element().clone());
        vec((way, fate), sizes.clone()).prop_map(move |rows| neighbors(&element, rows)).boxed()
    });
    any_of(pairs.collect())
}

macro_rules! edits_of_rows {
    ($($metric:ident, any size: $($kind:ident)|+, of one size: $($sized:ident)|+;)+) => {$(
        impl<R: Drawn> Edits<VectorDomain<R>> for $metric
        where
            Owned<R>: Debug,
        {
            fn neighbors(&self, domain: &VectorDomain<R>, script: Script) -> BoxedStrategy<Pair<VectorDomain<R>>> {
                let kinds: &[Edit] = if domain.size().is_none() { &[$(Edit::$kind),+] } else { &[$(Edit::$sized),+] };
                edited(domain, script, kinds)
            }
        }
    )+};
}

// Moves are free for metrics that do not see order; for others they are a deletion and an insertion.
edits_of_rows! {
    SymmetricDistance, any size: Leave | Join | Move | Spell, of one size: Replace | Move | Spell;
    InsertDeleteDistance, any size: Leave | Join | Move | Spell, of one size: Replace | Move | Spell;
    ChangeOneDistance, any size: Replace | Move | Spell, of one size: Replace | Move | Spell;
    HammingDistance, any size: Replace | Spell, of one size: Replace | Spell;
    L1Distance, any size: Replace | Spell, of one size: Replace | Spell;
    L2Distance, any size: Replace | Spell, of one size: Replace | Spell;
    LInfDistance, any size: Replace | Spell, of one size: Replace | Spell;
}

/// Persons with one to four rows, who join and leave, whose rows are replaced, or stand in another order.
impl<K: Drawn, R: Drawn> Edits<VectorDomain<PairDomain<K, R>>> for SymmetricIdDistance
where
    Owned<K>: Debug,
    Owned<R>: Debug,
{
    fn neighbors(
        &self,
        domain: &VectorDomain<PairDomain<K, R>>,
        script: Script,
    ) -> BoxedStrategy<Pair<VectorDomain<PairDomain<K, R>>>> {
        /// All rows are the first one's person's.
        fn of_one<K: Clone, R>(mut rows: Vec<(K, R)>) -> Vec<(K, R)> {
            let person = rows.first().map(|row| row.0.clone());
            rows.iter_mut().for_each(|row| person.iter().for_each(|person| row.0 = person.clone()));
            rows
        }
        const KINDS: [Edit; 5] = [Edit::Leave, Edit::Join, Edit::Replace, Edit::Move, Edit::Spell];
        let most = script.longest / 2;
        let mut ways = domain.element().ways();
        ways.push(any_of(ways.clone()));
        let pairs = ways.into_iter().map(|way| {
            let person = vec(way, 1..=4).boxed();
            let fate = fate(&KINDS, most, script.edits, &person);
            // The rows of all persons are a dataset of which each element is the list of one: its domain spells all of them.
            let persons = VectorDomain::new(domain.element().clone());
            vec((person.prop_map(of_one), fate), 0..=most)
                .prop_map(move |rows| {
                    let rows = rows.into_iter().map(|(rows, fate)| (rows.clone(), of_the_same(&rows, fate))).collect();
                    let (one, other): Pair<VectorDomain<VectorDomain<PairDomain<K, R>>>> = neighbors(&persons, rows);
                    (one.concat(), other.concat())
                })
                .boxed()
        });
        any_of(pairs.collect())
    }
}

/// A person's rows become others of the same person, or the same in reverse.
fn of_the_same<K: Clone, R: Clone>(rows: &[(K, R)], fate: Fate<Vec<(K, R)>>) -> Fate<Vec<(K, R)>> {
    let new = match fate {
        Fate::Becomes(new) => new,
        Fate::Moves(to) if to.index(2) == 0 => rows.iter().rev().cloned().collect(),
        _ => return fate,
    };
    let person = rows.first().map(|row| row.0.clone());
    Fate::Becomes(new.into_iter().filter_map(|(_, row)| Some((person.clone()?, row))).collect())
}

/// Numbers drawn in one way; those of other types too.
macro_rules! any_two_members {
    ($(($($generics:tt)*) $metric:ident of $domain:ty;)+) => {$(
        impl<$($generics)*> Edits<$domain> for $metric
        where
            Owned<$domain>: Debug,
        {
            fn neighbors(&self, domain: &$domain, _: Script) -> BoxedStrategy<Pair<$domain>> {
                any_of(domain.ways().into_iter().map(|way| (way.clone(), way).boxed()).collect())
            }
        }
    )+};
}

any_two_members! {
    (T: Value) AbsoluteDistance of AtomDomain<T>;
    (D: Drawn) DiscreteDistance of D;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Measured;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    use std::cell::RefCell;

    /// The distances between neighbors that are drawn: all finite.
    fn distances<D: Domain, M: Edits<D> + Measured<D::Carrier> + Metric<Distance = u32>>(
        metric: &M,
        domain: &D,
    ) -> Vec<u32>
    where
        Owned<D>: Debug,
    {
        use std::borrow::Borrow;
        let config = Config { cases: 500, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let seen = RefCell::new(Vec::new());
        let strategy = metric.neighbors(domain, Script::default());
        runner
            .run(&strategy, |(x, y)| {
                seen.borrow_mut().push(metric.distance(x.borrow(), y.borrow()).expect("finite"));
                Ok(())
            })
            .unwrap();
        seen.into_inner()
    }

    #[test]
    fn each_edit_is_of_a_kind_that_the_metric_counts() {
        let rows = VectorDomain::new(AtomDomain::i64());
        let sized = rows.clone().with_size(3);
        let persons = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
        for distances in [
            distances(&SymmetricDistance, &rows),
            distances(&SymmetricDistance, &sized),
            distances(&InsertDeleteDistance, &rows),
            distances(&InsertDeleteDistance, &sized),
            distances(&ChangeOneDistance, &rows),
            distances(&HammingDistance, &sized),
            distances(&SymmetricIdDistance, &persons),
        ] {
            // Neighbors at the least distance are the most likely to break a claim.
            assert!(distances.iter().filter(|d| (1..=2).contains(*d)).count() > 100, "{distances:?}");
            assert!(distances.contains(&0) && distances.iter().any(|d| *d > 2), "{distances:?}");
        }
    }
}
