//! Draws neighbors under each metric: a member of a domain, and the result of editing it.

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
    sample::{Index, select},
};
use std::{borrow::Borrow, fmt::Debug, sync::Arc};

/// The parameters for drawing datasets and their edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Script {
    /// The maximum number of rows if the domain does not fix the number. Datasets of individuals, who have up to four
    /// rows each, have at most half as many individuals.
    pub longest: usize,
    /// The average number of edits for a dataset with the maximum number of rows. Shorter datasets have fewer edits,
    /// and some have none.
    pub edits: usize,
    /// The number of pairs to draw.
    pub cases: u32,
}

impl Default for Script {
    fn default() -> Self {
        Self { longest: 12, edits: 4, cases: 1_000 }
    }
}

/// Two datasets.
pub(crate) type Rows<T> = (Vec<T>, Vec<T>);

/// Two inputs.
pub(crate) type Pair<D> = (Owned<D>, Owned<D>);

/// A metric whose edits lead from a member of a domain to its neighbors.
pub trait Edits<D: Domain>: Metric {
    /// Returns pairs of members that are a few edits apart. Each edit is of a kind that this metric counts, or of a
    /// kind that does not change the distance. Parts of the examples are drawn too.
    fn neighbors(&self, domain: &D, examples: &[Owned<D>], script: Script) -> BoxedStrategy<Pair<D>>;
}

/// The change of a row from a dataset to its neighbor.
#[derive(Debug, Clone)]
pub(crate) enum Fate<T> {
    Stays,
    Leaves,
    Joins,
    Becomes(T),
    Moves(Index),
    /// The row is written differently, and no metric counts the difference.
    Spelled,
}

/// The kinds of [`Fate`], except the first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Edit {
    Leave,
    Join,
    Replace,
    Move,
    Spell,
}

/// Returns a strategy that draws a change for each of at most `rows` rows. Shrinking prefers unchanged rows.
pub(crate) fn fates<T: Debug + Clone + 'static>(
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
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let share = number(edits) / number(rows.max(1));
    let edited = any_of(kinds.iter().map(of).collect());
    weighted(share.clamp(0.0, 0.6), edited).prop_map(|fate| fate.unwrap_or(Fate::Stays)).boxed()
}

/// Builds a dataset and its neighbor from rows and the change of each row.
pub(crate) fn apply<T: Clone>(spelled: impl Fn(&T) -> T, rows: Vec<(T, Fate<T>)>) -> (Vec<T>, Vec<T>) {
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
            Fate::Spelled => other.push(spelled(&row)),
        }
        one.push(row);
    }
    for (to, row) in moved {
        other.insert(to.index(other.len() + 1), row);
    }
    (one, other)
}

/// Returns the ways of a domain, a way that draws from the examples, and a way that mixes all of them. The mixture is
/// as likely as all the others together.
pub(crate) fn ways_with<D: Drawn>(domain: &D, examples: Vec<Owned<D>>) -> Vec<BoxedStrategy<Owned<D>>>
where
    Owned<D>: Debug,
{
    with_examples(domain.ways(), examples)
}

/// Adds the same two ways to given ways.
pub(crate) fn with_examples<T: Debug + Clone + 'static>(
    mut ways: Vec<BoxedStrategy<T>>,
    examples: Vec<T>,
) -> Vec<BoxedStrategy<T>> {
    if !examples.is_empty() {
        ways.insert(0, select(examples).boxed());
    }
    let mixed = any_of(ways.clone());
    let times = ways.len();
    ways.extend(std::iter::repeat_n(mixed, times));
    ways
}

/// A function that writes a row differently.
pub(crate) type Spelling<T> = Arc<dyn Fn(&T) -> T>;

/// Draws datasets, in which either all rows are drawn in one way or each row in any way, and neighbors by edits of some
/// kinds.
pub(crate) fn edited<T: Debug + Clone + 'static>(
    (ways, spelled): (Vec<BoxedStrategy<T>>, Spelling<T>),
    size: Option<usize>,
    script: Script,
    kinds: &[Edit],
) -> BoxedStrategy<Rows<T>> {
    let sizes = size.map_or(0..=script.longest, |size| size..=size);
    let pairs = ways.into_iter().map(|way| {
        let (fates, spelled) = (fates(kinds, *sizes.end(), script.edits, &way), spelled.clone());
        vec((way, fates), sizes.clone()).prop_map(move |rows| apply(|row| spelled(row), rows)).boxed()
    });
    any_of(pairs.collect())
}

macro_rules! edits_of_rows {
    ($($metric:ident, any size: $kinds:ident, of one size: $sized:ident;)+) => {$(
        impl<R: Drawn> Edits<VectorDomain<R>> for $metric
        where
            Owned<R>: Debug,
        {
            fn neighbors(
                &self,
                domain: &VectorDomain<R>,
                examples: &[Vec<Owned<R>>],
                script: Script,
            ) -> BoxedStrategy<Pair<VectorDomain<R>>> {
                let kinds = if domain.size().is_none() { $kinds } else { $sized };
                let element = domain.element().clone();
                let ways = ways_with(&element, examples.concat());
                edited((ways, Arc::new(move |row| element.spelled(row.borrow()))), domain.size(), script, kinds)
            }
        }
    )+};
}

// Three of four edits are of a kind that is counted, or more. Moves are free for metrics that do not see order; for
// others they are a deletion and an insertion.
pub(crate) const ADDED: &[Edit] =
    &[Edit::Leave, Edit::Join, Edit::Leave, Edit::Join, Edit::Leave, Edit::Join, Edit::Move, Edit::Spell];
pub(crate) const REPLACED: &[Edit] =
    &[Edit::Replace, Edit::Replace, Edit::Replace, Edit::Replace, Edit::Move, Edit::Spell];
pub(crate) const IN_PLACE: &[Edit] = &[Edit::Replace, Edit::Replace, Edit::Replace, Edit::Spell];

edits_of_rows! {
    SymmetricDistance, any size: ADDED, of one size: REPLACED;
    InsertDeleteDistance, any size: ADDED, of one size: REPLACED;
    ChangeOneDistance, any size: REPLACED, of one size: REPLACED;
    HammingDistance, any size: IN_PLACE, of one size: IN_PLACE;
    L1Distance, any size: IN_PLACE, of one size: IN_PLACE;
    L2Distance, any size: IN_PLACE, of one size: IN_PLACE;
    LInfDistance, any size: IN_PLACE, of one size: IN_PLACE;
}

impl<K: Drawn, R: Drawn> Edits<VectorDomain<PairDomain<K, R>>> for SymmetricIdDistance
where
    Owned<K>: Debug,
    Owned<R>: Debug,
{
    fn neighbors(
        &self,
        domain: &VectorDomain<PairDomain<K, R>>,
        examples: &[Vec<(Owned<K>, Owned<R>)>],
        script: Script,
    ) -> BoxedStrategy<Pair<VectorDomain<PairDomain<K, R>>>> {
        let element = domain.element().clone();
        let ways = ways_with(&element, examples.concat());
        edited_individuals((ways, Arc::new(move |row| element.spelled(row))), domain.size(), script)
    }
}

/// Draws individuals with one to four rows each, who join or leave, or whose rows are replaced or reordered. If the
/// size is fixed, both datasets are filled up with the same rows of further individuals, and then cut to the size, so
/// the last individual may keep only some rows.
pub(crate) fn edited_individuals<K, R>(
    (ways, spelled): (Vec<BoxedStrategy<(K, R)>>, Spelling<(K, R)>),
    size: Option<usize>,
    script: Script,
) -> BoxedStrategy<Rows<(K, R)>>
where
    K: Debug + Clone + 'static,
    R: Debug + Clone + 'static,
{
    use Edit::{Join, Leave, Move, Replace, Spell};
    const ANY_NUMBER: &[Edit] = &[Leave, Join, Replace, Move, Spell];
    const SAME_NUMBER: &[Edit] = &[Leave, Join, Replace, Replace, Replace, Replace, Move, Spell];
    let longest = size.unwrap_or(script.longest);
    let most = longest.div_ceil(2);
    let (kinds, edits, least) = match size {
        // Where who joins moves out who comes last, one edit is two: there are half as many, mostly of as many
        // rows. Where there are no individuals, there are no neighbors.
        Some(_) => (SAME_NUMBER, script.edits.div_ceil(2), most.min(1)),
        None => (ANY_NUMBER, script.edits, 0),
    };
    let pairs = ways.into_iter().map(|way| {
        let person = vec(way, 1..=4).boxed();
        let (fates, spelled) = (fates(kinds, most, edits, &person), spelled.clone());
        let person = person.prop_map(of_one).boxed();
        // Each has a row at least: that is enough, no matter which of them leaves.
        let others = vec(person.clone(), size.unwrap_or(0));
        (vec((person, fates, any::<bool>()), least..=most), others)
            .prop_map(move |(rows, others)| {
                let fated = rows.into_iter().map(|(rows, fate, is_other)| {
                    let fate = of_individual(&rows, fate, is_other, size.is_some());
                    (rows, fate)
                });
                // All rows of an individual are spelled otherwise.
                let spelled = |person: &Vec<(K, R)>| person.iter().map(|row| spelled(row)).collect();
                let (one, other) = apply(spelled, fated.collect());
                let whole = |persons: Vec<Vec<_>>| {
                    let rows = persons.into_iter().chain(others.iter().cloned()).flatten();
                    rows.take(size.unwrap_or(usize::MAX)).collect()
                };
                (whole(one), whole(other))
            })
            .boxed()
    });
    any_of(pairs.collect())
}

/// Assigns all rows to the individual of the first row.
fn of_one<K: Clone, R>(mut rows: Vec<(K, R)>) -> Vec<(K, R)> {
    let person = rows.first().map(|row| row.0.clone());
    rows.iter_mut().for_each(|row| person.iter().for_each(|person| row.0 = person.clone()));
    rows
}

/// Replaces an individual's rows by others, of the same individual or of another one, or reverses their order. If the
/// size is fixed, the number of rows stays the same.
fn of_individual<K: Clone, R: Clone>(
    rows: &[(K, R)],
    fate: Fate<Vec<(K, R)>>,
    is_other: bool,
    same_number: bool,
) -> Fate<Vec<(K, R)>> {
    let new = match fate {
        Fate::Becomes(new) => new,
        Fate::Moves(to) if to.index(2) == 0 => return Fate::Becomes(rows.iter().rev().cloned().collect()),
        _ => return fate,
    };
    let person = if is_other { new.first() } else { rows.first() }.map(|row| row.0.clone());
    let number = if same_number { rows.len() } else { new.len() };
    let all = new.iter().chain(rows.iter().skip(new.len())).take(number);
    Fate::Becomes(all.filter_map(|(_, row)| Some((person.clone()?, row.clone()))).collect())
}

/// Implements neighbors for numbers, including other numeric types.
macro_rules! any_two_members {
    ($(($($generics:tt)*) $metric:ident of $domain:ty;)+) => {$(
        impl<$($generics)*> Edits<$domain> for $metric
        where
            Owned<$domain>: Debug,
        {
            fn neighbors(&self, domain: &$domain, examples: &[Owned<$domain>], _: Script) -> BoxedStrategy<Pair<$domain>> {
                any_of(ways_with(domain, examples.to_vec()).into_iter().map(|way| (way.clone(), way).boxed()).collect())
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

    /// The distances between neighbors that are drawn: all finite, and all neighbors members.
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
        let strategy = metric.neighbors(domain, &[], Script::default());
        runner
            .run(&strategy, |(x, y)| {
                assert!(domain.member(x.borrow()) && domain.member(y.borrow()), "{x:?} and {y:?}");
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
            distances(&SymmetricIdDistance, &persons.clone().with_size(3)),
            distances(&SymmetricIdDistance, &persons.with_size(8)),
        ] {
            // Neighbors at the least distance are the most likely to break a claim.
            assert!(distances.iter().filter(|d| (1..=2).contains(*d)).count() > 100, "{distances:?}");
            assert!(distances.contains(&0) && distances.iter().any(|d| *d > 2), "{distances:?}");
        }
    }

    /// Datasets with the same number of rows differ in at least two individuals: one who leaves and one who joins, or
    /// the same one before and after.
    #[test]
    fn individuals_in_datasets_of_one_size_are_drawn() {
        let persons = |size| VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64())).with_size(size);
        assert!(distances(&SymmetricIdDistance, &persons(0)).iter().all(|d| *d == 0));
        for size in [1, 2, 3, 4, 12, 40] {
            let distances = distances(&SymmetricIdDistance, &persons(size));
            let [nearest, apart] = [2, 2000].map(|most| distances.iter().filter(|d| (2..=most).contains(*d)).count());
            assert!(nearest >= 75 && apart >= 200, "{nearest} and {apart} of {} at size {size}", distances.len());
            assert!(!distances.contains(&1));
        }
    }
}
