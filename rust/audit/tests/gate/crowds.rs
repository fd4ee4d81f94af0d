//! One score above a crowd of equal ones: distributions of selections of many winners, and among many candidates.
//!
//! With Gumbel noise each place goes to one of those that are left, by weight `exp(score / scale)`: the rank of the one
//! above is a product, and the others come in any order, each as likely.

use super::{formulas::number, selection::SCALE, support::*};
use indistinct::{numeric::enclosure::Enclosure, prelude::*, sampling::Entropy};
use indistinct_audit::{Claims, Key, Law, Report, Seen, exact::compare_laws, mass::Mass};

type Scores = VectorDomain<AtomDomain<i64>>;

pub(crate) const DRAWS: u64 = 40_960;

/// So many equal candidates, one that has more by this much, and how many of all are released.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) others: usize,
    pub(crate) above: i64,
    pub(crate) winners: usize,
}

impl Crowd {
    pub(crate) fn domain(self) -> Scores {
        VectorDomain::new(AtomDomain::i64()).with_size(self.others + 1)
    }

    /// Among the others, not at an end.
    fn place(self) -> usize {
        self.others / 3
    }

    fn scores(self, crowd: i64, above: i64) -> Vec<i64> {
        let mut scores = vec![crowd; self.others];
        scores.insert(self.place(), above);
        scores
    }

    /// What is released of the order of the winners: the rank of the one above, and the first and the last of the
    /// others.
    fn seen(self, winners: &[usize]) -> Key {
        let rank = winners.iter().position(|winner| *winner == self.place()).unwrap_or(self.winners);
        let mut others = winners.iter().filter(|winner| **winner != self.place());
        let first = others.next().copied();
        (rank, first, others.next_back().copied()).key()
    }

    /// The distribution of the rank, for a difference of scores.
    fn ranks(self, above: i64) -> Law {
        let float = |n: usize| number(f64::from(u32::try_from(n).unwrap()));
        let weight = number(f64::from(i32::try_from(above).unwrap())).div(&number(SCALE)).exp();
        let (mut left, mut masses) = (number(1.0), Vec::new());
        for rank in 0..self.winners {
            let crowd = self.others.saturating_sub(rank);
            let all = float(crowd).add(&weight);
            masses.push((rank.key(), left.mul(&weight).div(&all)));
            left = left.mul(&float(crowd)).div(&all);
        }
        masses.push((self.winners.key(), left));
        Law::new(masses)
    }

    /// The distribution of what is released, by the part of it at a position.
    fn law(self, position: usize) -> Law {
        if position == 0 {
            return self.ranks(self.above);
        }
        let others = (0..=self.others).filter(|other| *other != self.place());
        let each = number(1.0).div(&number(f64::from(u32::try_from(self.others).unwrap())));
        Law::new(others.map(|other| (Some(other).key(), each.clone())))
    }
}

/// Draws of the winners against their distribution, so many of the rank: with [`DRAWS`] a scale that is off by three
/// parts in a hundred shows. Three winners at least, or there are no first and last of the others for certain.
pub(crate) fn of_crowd(
    (crowd, rank_draws): (Crowd, u64),
    select: &(dyn Fn(&[i64], &mut dyn Entropy) -> Fallible<Vec<usize>> + Sync),
) -> Report {
    assert!(crowd.winners >= 3);
    let scores = crowd.scores(0, crowd.above);
    all([(0, rank_draws), (1, 4_096), (2, 4_096)].map(|(position, draws)| {
        let part = move |key: Key| match key {
            Key::List(parts) => parts[position].clone(),
            other => other,
        };
        let run = |scores: &Vec<i64>, entropy: &mut dyn Entropy| Ok(part(crowd.seen(&select(scores, entropy)?)));
        fit((&run, draws), std::slice::from_ref(&scores), |_| crowd.law(position), &[])
    }))
}

/// That the one far above is not among the winners, though the others move up and it down: the whole loss of all places
/// but its own.
pub(crate) fn left_out<TO: 'static, MO: Claims>(
    measurement: &Measurement<Scores, TO, LInfDistance, MO>,
    crowd: Crowd,
) -> Report {
    let x = (crowd.scores(0, crowd.above), crowd.ranks(crowd.above));
    let y = (crowd.scores(1, crowd.above - 1), crowd.ranks(crowd.above - 2));
    compare_laws("formula", measurement, &[x, y])
}

fn top(crowd: Crowd) -> Measurement<Scores, Vec<usize>, LInfDistance, MaxDivergence> {
    make_noisy_top_k(crowd.domain(), LInfDistance::new(), MaxDivergence, crowd.winners, SCALE).unwrap()
}

/// Up to 64 winners are kept in order one by one, and whatever is seen from a few digits not to be among them draws no
/// more; more winners are sorted.
pub(crate) fn many_winners() -> Report {
    let drawn = [(65, 66, DRAWS), (99, 65, 8_192), (99, 64, 8_192), (999, 3, 8_192)].map(|(others, winners, draws)| {
        let crowd = Crowd { others, above: if others > 500 { 9 } else { 6 }, winners };
        let top = top(crowd);
        of_crowd((crowd, draws), &|scores, entropy| top.invoke_with(scores, entropy))
    });
    // So far above that it keeps nearly all of the weight.
    let claimed = [65, 64, 3].map(|winners| {
        let crowd = Crowd { others: winners, above: 17, winners };
        left_out(&top(crowd), crowd)
    });
    all(drawn).and(parts(0.99, claimed))
}

#[test]
fn ranks_are_laws() {
    let one = |law: &Law| law.total().lower > 1.0 - 1e-12 && law.total().upper < 1.0 + 1e-12;
    let crowd = Crowd { others: 65, above: 6, winners: 66 };
    assert!(one(&crowd.law(0)) && one(&crowd.law(1)) && one(&Crowd { winners: 3, ..crowd }.law(0)));
    // Two candidates: as the exponential mechanism.
    let two = Crowd { others: 1, above: 1, winners: 1 }.ranks(1);
    let expected: Mass = number(1.0).div(&number(1.0).add(&number(-1.0).div(&number(SCALE)).exp()));
    assert!((two.mass(&0usize.key()).lower() - expected.lower()).abs() < 1e-15);
}
