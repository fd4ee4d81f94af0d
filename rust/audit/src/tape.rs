//! The law of a function of random bits, by running it on the bits that there are.
//!
//! The function is run on a tape of answers to its requests for bits; where it asks for more, the tape is continued in every way.
//! A request of few bits is answered by every word. A request of many is answered by words on a grid, and between two of them whose
//! continuations have different laws by bisection, until the words where the law changes are known; words between two that agree
//! are taken to agree too. Samplers that compare a word with thresholds, as those of tables and coins do, are so run on all that
//! matters. How much mass was not run itself is told.

use crate::{key::Key, law::Law, mass::fraction};
use indistinct::{
    numeric::{Integer, Rational},
    prelude::{Error, ErrorKind},
    sampling::{self, Entropy},
};
use std::{collections::BTreeMap, rc::Rc};

/// How finely words are tried.
#[derive(Debug, Clone, Copy)]
pub struct Probing {
    /// Requests of up to so many bits are answered by every word.
    pub whole: u32,
    /// Larger ones by `2^grid` words at equal distances, and by bisection.
    pub grid: u32,
    /// For each value of so many of the lowest bits, such as a sign that shares the word.
    pub low: u32,
    /// Bisection ends where words agree in so many of their first bits; what is between them is undecided.
    pub digits: u32,
    /// A run that asks more often than this is undecided.
    pub requests: usize,
    /// The greatest number of runs; what is left then is undecided.
    pub runs: u64,
}

impl Default for Probing {
    fn default() -> Self {
        Self { whole: 6, grid: 5, low: 1, digits: 64, requests: 4, runs: 5_000_000 }
    }
}

impl Probing {
    /// The same with a bisection that ends earlier.
    pub fn with_digits(self, digits: u32) -> Self {
        Self { digits, ..self }
    }

    /// The same with another limit on requests.
    pub fn with_requests(self, requests: usize) -> Self {
        Self { requests, ..self }
    }
}

/// A law that was found by running.
#[derive(Debug, Clone)]
pub struct Enumerated {
    /// The law.
    pub law: Law,
    /// How often the function was run.
    pub runs: u64,
    /// The mass of words between two that agree, which were not run themselves.
    pub between: f64,
}

/// The law of `run`.
///
/// # Errors
///
/// Whatever `run` fails with, but for want of bits.
pub fn enumerate(
    probing: Probing,
    run: &mut dyn FnMut(&mut dyn Entropy) -> Result<Key, Error>,
) -> Result<Enumerated, Error> {
    let mut search = Search { probing, run, path: Vec::new(), runs: 0 };
    let node = search.node()?;
    let masses = node.masses.iter().map(|(key, mass)| (key.clone(), fraction(mass)));
    let law = Law::partial(masses, fraction(&node.undecided));
    Ok(Enumerated { law, runs: search.runs, between: node.between })
}

/// Answers to requests, in order; a request beyond them is noted and fails.
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
            // A function that asks otherwise on the same answers: it has a memory, and no law.
            Some(_) => Err(sampling::Error::Range),
            None => {
                self.asked = Some(count.min(64));
                Err(sampling::Error::Entropy)
            }
        }
    }
}

/// The law of what follows a tape.
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

    /// Add another law with a weight, of which `between` was not run.
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
            all.add(self.after(count, word)?.as_ref(), &weight, &Rational::new());
        }
        Ok(all)
    }

    fn pieces(&mut self, count: u32) -> Result<Node, Error> {
        let low = self.probing.low.min(count - 1);
        let high = count - low;
        let grid = self.probing.grid.min(high);
        let last = u64::MAX >> (64 - high);
        let mut all = Node::default();
        for lowest in 0..1u64 << low {
            let mut at = |search: &mut Self, word: u64| search.after(count, word << low | lowest);
            let mut from = (0, at(self, 0)?);
            all.add(&from.1, &(Rational::from(1) >> count), &Rational::new());
            for position in 1..=1u64 << grid {
                // The last probe is the last word.
                let word = if position >> grid == 1 { last } else { position << (high - grid) };
                if word <= from.0 {
                    continue;
                }
                let to = (word, at(self, word)?);
                self.bisect(count, &from, &to, &mut at, &mut all)?;
                all.add(&to.1, &(Rational::from(1) >> count), &Rational::new());
                from = to;
            }
        }
        Ok(all)
    }

    /// Add the words between two.
    fn bisect(
        &mut self,
        count: u32,
        from: &(u64, Rc<Node>),
        to: &(u64, Rc<Node>),
        at: &mut impl FnMut(&mut Self, u64) -> Result<Rc<Node>, Error>,
        all: &mut Node,
    ) -> Result<(), Error> {
        let inside = to.0 - from.0 - 1;
        if inside == 0 {
            return Ok(());
        }
        if from.1.agrees(&to.1) {
            let weight = Rational::from(Integer::from(inside)) >> count;
            all.add(&from.1, &weight, &weight);
            return Ok(());
        }
        if (to.0 - from.0) >> (count - self.probing.low.min(count - 1)).saturating_sub(self.probing.digits) == 0 {
            all.undecided += Rational::from(Integer::from(inside)) >> count;
            return Ok(());
        }
        let word = from.0 + (to.0 - from.0) / 2;
        let middle = (word, at(self, word)?);
        self.bisect(count, from, &middle, at, all)?;
        all.add(&middle.1, &(Rational::from(1) >> count), &Rational::new());
        self.bisect(count, &middle, to, at, all)
    }
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
        let found = law(Probing::default().with_requests(2), |entropy| Ok(noise.sample_i64(entropy)?.key()));
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
        let run = |entropy: &mut dyn Entropy| Ok(noise.sample_i64(entropy)?.key());
        let (short, long) = (law(Probing::default().with_digits(20), run), law(Probing::default(), run));
        assert!(short.runs < long.runs / 2, "{} {}", short.runs, long.runs);
        assert_eq!(short.law.total().lower, 1.0);
        let left = short.law.undecided().upper();
        assert!(left > 1e-7 && left < 1e-4, "{left}");
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
