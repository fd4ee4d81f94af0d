//! Finds the distribution of a function of random bits by running it on the possible bits.
//!
//! The function is run on a tape, which contains the answers to its requests for bits. If the function requests more
//! bits, the tape is continued in every way. A request for few bits is answered by every word. A request for many bits
//! is answered by words on a grid. If two neighboring words lead to different distributions, bisection between them
//! finds the words where the distribution changes; words between two words with the same distribution are assumed to
//! have that distribution too. So samplers that compare a word with thresholds, such as those of tables and coins, are
//! run on all bits that matter. The probability mass that was not run is reported. Random words in it are tried as
//! well. If one of them has another distribution, the function does not compare with thresholds, and all words of its
//! request that were not run are undecided.

use crate::{key::Key, law::Law, mass::fraction};
use indistinct::{
    numeric::gmp::{Integer, Rational},
    prelude::{Error, ErrorKind},
    sampling::{self, Entropy, testing::SeededEntropy},
};
use std::{collections::BTreeMap, rc::Rc};

/// The choice of the words that are tried.
#[derive(Debug, Clone, Copy)]
pub struct Probing {
    /// Requests for at most this many bits are answered by every word.
    pub whole: u32,
    /// Larger requests are answered by `2^grid` words at equal distances, and by bisection.
    pub grid: u32,
    /// All values of this number of lowest bits are tried at each point of the grid, because the lowest bit of a word
    /// may be a sign.
    pub low: u32,
    /// Bisection ends when two words agree in this number of first bits; the words between them are undecided.
    pub digits: u32,
    /// A run with more requests than this is undecided.
    pub requests: usize,
    /// The number of random words that are tried between words with the same distribution, at the first request. Each
    /// later request gets a sixteenth of this number. If the rest of the function takes many runs, fewer words are
    /// tried, so that they take at most a quarter of the previous runs.
    pub probes: u32,
    /// The maximum number of runs. Everything that is left after these runs is undecided.
    pub runs: u64,
}

impl Default for Probing {
    fn default() -> Self {
        Self { whole: 6, grid: 5, low: 1, digits: 64, requests: 4, probes: 4096, runs: 5_000_000 }
    }
}

impl Probing {
    /// Returns the same choice with a bisection that ends earlier.
    pub fn with_digits(self, digits: u32) -> Self {
        Self { digits, ..self }
    }

    /// Limits the numbers so that the search ends. Greater numbers would find nothing more.
    fn within_reason(self) -> Self {
        Self { whole: self.whole.min(20), grid: self.grid.min(20), low: self.low.min(12), ..self }
    }

    /// Returns the same choice with another limit on requests.
    pub fn with_requests(self, requests: usize) -> Self {
        Self { requests, ..self }
    }
}

/// A distribution that was found by running a function.
#[derive(Debug, Clone)]
pub struct Enumerated {
    /// The distribution.
    pub law: Law,
    /// The number of runs of the function.
    pub runs: u64,
    /// The mass of words that were not run themselves because they lie between two words with the same distribution.
    pub between: f64,
    /// The number of these words that were tried at random and had the same distribution too.
    pub probes: u64,
}

/// Computes the distribution of `run`.
///
/// # Errors
///
/// Returns any error of `run` except a lack of bits.
pub fn enumerate(
    probing: Probing,
    run: &mut dyn FnMut(&mut dyn Entropy) -> Result<Key, Error>,
) -> Result<Enumerated, Error> {
    let mut search = Search { probing: probing.within_reason(), run, path: Vec::new(), runs: 0, probes: 0 };
    let node = search.node()?;
    let masses = node.masses.iter().map(|(key, mass)| (key.clone(), fraction(mass)));
    let law = Law::partial(masses, fraction(&node.undecided));
    Ok(Enumerated { law, runs: search.runs, between: node.between, probes: search.probes })
}

/// A list of answers to requests, in order. A request beyond the end of the list is recorded and fails.
struct Tape<'a> {
    answers: std::slice::Iter<'a, (u32, u64)>,
    asked: Option<u32>,
}

impl Entropy for Tape<'_> {
    fn bits(&mut self, count: u32) -> sampling::Fallible<u64> {
        if count == 0 {
            return Ok(0);
        }
        match self.answers.next() {
            Some((known, word)) if *known == count => Ok(*word),
            // A function that asks otherwise on the same answers: it has a memory, and no distribution.
            Some(_) => Err(sampling::Error::Range),
            None => {
                self.asked = Some(count.min(64));
                Err(sampling::Error::Entropy)
            }
        }
    }
}

/// The distribution of the outcomes that begin with a tape.
#[derive(Debug, Clone, Default)]
struct Node {
    masses: BTreeMap<Key, Rational>,
    undecided: Rational,
    between: f64,
}

impl Node {
    fn agrees(&self, other: &Self) -> bool {
        self.undecided == other.undecided && self.masses == other.masses
    }

    fn undecided() -> Self {
        Self { undecided: Rational::from(1), ..Self::default() }
    }

    /// Adds another distribution with a weight. The mass `between` of the other distribution was not run.
    fn add(&mut self, other: &Self, weight: &Rational, between: &Rational) {
        for (key, mass) in &other.masses {
            let part = Rational::from(mass * weight);
            match self.masses.get_mut(key) {
                Some(sum) => *sum += part,
                None => drop(self.masses.insert(key.clone(), part)),
            }
        }
        self.undecided += Rational::from(&other.undecided * weight);
        self.between += between.to_f64() + other.between * (weight.to_f64() - between.to_f64());
    }
}

struct Search<'a> {
    probing: Probing,
    run: &'a mut dyn FnMut(&mut dyn Entropy) -> Result<Key, Error>,
    path: Vec<(u32, u64)>,
    runs: u64,
    probes: u64,
}

/// The words between two words with the same distribution.
struct Gap {
    lowest: u64,
    from: u64,
    to: u64,
    node: Rc<Node>,
}

impl Search<'_> {
    fn node(&mut self) -> Result<Node, Error> {
        if self.runs >= self.probing.runs {
            return Ok(Node::undecided());
        }
        self.runs += 1;
        let mut tape = Tape { answers: self.path.iter(), asked: None };
        match ((self.run)(&mut tape), tape.asked) {
            (Ok(key), _) => Ok(Node { masses: BTreeMap::from([(key, Rational::from(1))]), ..Node::default() }),
            (Err(error), Some(count)) if error.kind() == ErrorKind::Entropy => {
                if self.path.len() >= self.probing.requests {
                    Ok(Node::undecided())
                } else if count <= self.probing.whole {
                    self.every_word(count)
                } else {
                    self.pieces(count)
                }
            }
            (Err(error), _) => Err(error),
        }
    }

    fn after(&mut self, count: u32, word: u64) -> Result<Rc<Node>, Error> {
        self.path.push((count, word));
        let node = self.node();
        self.path.pop();
        node.map(Rc::new)
    }

    fn every_word(&mut self, count: u32) -> Result<Node, Error> {
        let mut all = Node::default();
        let weight = Rational::from(1) >> count;
        for word in 0..1u64 << count {
            if self.runs >= self.probing.runs {
                all.undecided += Rational::from(Integer::from((1u64 << count) - word)) >> count;
                break;
            }
            all.add(self.after(count, word)?.as_ref(), &weight, &Rational::new());
        }
        Ok(all)
    }

    fn pieces(&mut self, count: u32) -> Result<Node, Error> {
        let low = self.probing.low.min(count - 1);
        let high = count - low;
        let grid = self.probing.grid.min(high);
        let last = u64::MAX >> (64 - high);
        let (mut all, mut gaps, before) = (Node::default(), Vec::new(), self.runs);
        let share = |words: u64| Rational::from(Integer::from(words)) >> count;
        for lowest in 0..1u64 << low {
            if self.runs >= self.probing.runs {
                all.undecided += share((1u64 << low) - lowest) << high;
                break;
            }
            let mut at = |search: &mut Self, word: u64| search.after(count, word << low | lowest);
            let mut from = (0, at(self, 0)?);
            all.add(&from.1, &(Rational::from(1) >> count), &Rational::new());
            for position in 1..=1u64 << grid {
                // The last probe is the last word.
                let word = if position >> grid == 1 { last } else { position << (high - grid) };
                if word <= from.0 {
                    continue;
                }
                if self.runs >= self.probing.runs {
                    all.undecided += share(last - from.0);
                    break;
                }
                let to = (word, at(self, word)?);
                let mut agreeing = |from, to, node| gaps.push(Gap { lowest, from, to, node });
                self.bisect(count, &from, &to, &mut at, &mut all, &mut agreeing)?;
                all.add(&to.1, &(Rational::from(1) >> count), &Rational::new());
                from = to;
            }
        }
        let agree = self.try_between(count, &gaps, self.runs - before)?;
        for gap in gaps {
            let weight = share(gap.to - gap.from - 1);
            if agree {
                all.add(&gap.node, &weight, &weight);
            } else {
                all.undecided += weight;
            }
        }
        Ok(all)
    }

    /// Adds the words between two words. Those between two words with the same distribution are stored separately.
    fn bisect(
        &mut self,
        count: u32,
        from: &(u64, Rc<Node>),
        to: &(u64, Rc<Node>),
        at: &mut impl FnMut(&mut Self, u64) -> Result<Rc<Node>, Error>,
        all: &mut Node,
        agreeing: &mut impl FnMut(u64, u64, Rc<Node>),
    ) -> Result<(), Error> {
        let inside = to.0 - from.0 - 1;
        if inside == 0 {
            return Ok(());
        }
        if from.1.agrees(&to.1) {
            agreeing(from.0, to.0, from.1.clone());
            return Ok(());
        }
        if (to.0 - from.0) >> (count - self.probing.low.min(count - 1)).saturating_sub(self.probing.digits) == 0 {
            all.undecided += Rational::from(Integer::from(inside)) >> count;
            return Ok(());
        }
        let word = from.0 + (to.0 - from.0) / 2;
        let middle = (word, at(self, word)?);
        self.bisect(count, from, &middle, at, all, agreeing)?;
        all.add(&middle.1, &(Rational::from(1) >> count), &Rational::new());
        self.bisect(count, &middle, to, at, all, agreeing)
    }

    /// Returns true if random words in the gaps agree with the ends of the gaps, which `spent` runs have found. An
    /// undecided outcome agrees with any outcome.
    fn try_between(&mut self, count: u32, gaps: &[Gap], spent: u64) -> Result<bool, Error> {
        let low = self.probing.low.min(count - 1);
        let depth = u32::try_from(self.path.len()).unwrap_or(u32::MAX);
        let probes = u64::from(self.probing.probes.checked_shr(4 * depth.min(8)).unwrap_or(0));
        let (start, most) = (self.runs, probes.max(spent / 4));
        // Of each class of lowest bits, in order.
        let mut dice =
            SeededEntropy::new(self.path.iter().fold(u64::from(count), |seed, (_, word)| seed.rotate_left(7) ^ word));
        for _ in 0..probes {
            if self.runs - start >= most || self.runs >= self.probing.runs || gaps.is_empty() {
                break;
            }
            let word = dice.bits(count)?;
            let (lowest, high) = (word & !(u64::MAX << low), word >> low);
            let next = gaps.partition_point(|gap| (gap.lowest, gap.to) <= (lowest, high));
            let Some(gap) = gaps.get(next).filter(|gap| gap.lowest == lowest && gap.from < high) else { continue };
            let node = self.after(count, word)?;
            if !node.agrees(&gap.node) && is_zero(&node.undecided) && is_zero(&gap.node.undecided) {
                return Ok(false);
            }
            self.probes += 1;
        }
        Ok(true)
    }
}

fn is_zero(x: &Rational) -> bool {
    *x == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Seen;
    use indistinct::{
        numeric::enclosure::Enclosure,
        sampling::{IntegerNoise, bernoulli, uniform_below_u64},
    };

    fn law(probing: Probing, run: impl Fn(&mut dyn Entropy) -> Result<Key, sampling::Error>) -> Enumerated {
        enumerate(probing, &mut |entropy| Ok(run(entropy)?)).unwrap()
    }

    #[test]
    fn small_requests_are_run_on_every_word() {
        let found = law(Probing::default(), |entropy| Ok((entropy.bits(3)? == 5).key()));
        assert_eq!(found.runs, 9);
        assert_eq!((found.law.mass(&true.key()).lower(), found.between), (0.125, 0.0));
    }

    #[test]
    fn rejection_leaves_what_its_depth_leaves() {
        let found = law(Probing::default().with_requests(5), |entropy| Ok(uniform_below_u64(3, entropy)?.key()));
        assert_eq!(found.law.undecided().lower(), 0.25f64.powi(5));
        assert_eq!(found.law.total().lower, 1.0);
    }

    #[test]
    fn coins_of_32_bits_are_found_exactly() {
        for p in [0.75, 0.3, 1e-9, 1.0, 0.0] {
            let found = law(Probing::default(), |entropy| Ok(bernoulli(p, entropy)?.key()));
            assert_eq!(found.law.mass(&true.key()).lower(), p, "all digits, by a second word where there are more");
            assert!(found.runs < 10_000);
        }
    }

    #[test]
    fn tables_are_found_to_their_last_digit() {
        let noise = IntegerNoise::laplace(1.0).unwrap();
        let found = law(Probing::default().with_requests(2), |entropy| Ok(noise.draw_i64(entropy)?.key()));
        let r = (-1f64).exp();
        for z in -9i64..=9 {
            let p = (1.0 - r) / (1.0 + r) * r.powi(i32::try_from(z.abs()).unwrap());
            let mass = found.law.mass(&z.key()).bounds();
            assert!((mass.lower - p).abs() < 1e-15, "{z}: {} {p}", mass.lower);
        }
        assert!(found.law.undecided().upper() < 1e-17, "{}", found.law.undecided().upper());
    }

    #[test]
    fn a_shorter_bisection_is_cheaper_and_leaves_more() {
        let noise = IntegerNoise::laplace(1.0).unwrap();
        let run = |entropy: &mut dyn Entropy| Ok(noise.draw_i64(entropy)?.key());
        let (short, long) = (law(Probing::default().with_digits(20), run), law(Probing::default(), run));
        assert!(short.runs < long.runs / 2, "{} {}", short.runs, long.runs);
        assert_eq!(short.law.total().lower, 1.0);
        let left = short.law.undecided().upper();
        assert!(left > 1e-7 && left < 1e-4, "{left}");
    }

    /// Tests functions that hide another outcome between words of the grid with the same outcome: by a remainder, by
    /// bits in the middle, or by a low half.
    #[test]
    fn words_that_are_not_compared_with_thresholds_are_undecided() {
        let hidden: [fn(u64) -> bool; 5] = [
            |word| word % 100 < 75,
            |word| word % 4 != 0,
            |word| word >> 24 & 7 != 0,
            |word| word >> 20 & 1023 == 7,
            |word| word & 0xffff_ffff > 1 << 30,
        ];
        for hides in hidden {
            let found = law(Probing::default(), |entropy| Ok(hides(entropy.bits(64)?).key()));
            assert!(found.law.undecided().lower() > 0.99, "{}", found.law.undecided().lower());
            assert_eq!(found.law.total().lower, 1.0);
            // At a later request.
            let later =
                law(Probing::default(), |entropy| Ok((entropy.bits(2)?.key(), hides(entropy.bits(64)?).key()).key()));
            assert!(later.law.undecided().lower() > 0.2, "{}", later.law.undecided().lower());
        }
        let threshold = law(Probing::default(), |entropy| Ok((entropy.bits(64)? < u64::MAX / 3).key()));
        assert!(threshold.law.undecided().upper() < 1e-18 && threshold.probes > 4000);
    }

    #[test]
    fn limits_are_kept() {
        for probing in [
            Probing { whole: 64, runs: 100, ..Probing::default() },
            Probing { grid: 64, low: 64, runs: 1000, ..Probing::default() },
        ] {
            let found = law(probing, |entropy| Ok(entropy.bits(64)?.key()));
            assert!(found.runs < 10_000_000, "{}", found.runs);
            assert_eq!(found.law.total().lower, 1.0);
        }
    }

    #[test]
    fn a_function_with_a_memory_is_refused() {
        let mut calls = 0;
        let result = enumerate(Probing::default(), &mut |entropy| {
            calls += 1;
            Ok(entropy.bits(1 + calls % 3)?.key())
        });
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Numeric);
    }
}
