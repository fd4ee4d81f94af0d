//! Interactive measurements, whose releases answer queries.

use super::{Answered, Error, ErrorKind, Fallible, Process, ProofLevel, RandomizedFunction};
use indistinct_sampling::{Entropy, OsEntropy};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// The release of an interactive measurement: it owns the data and answers queries about them.
///
/// An interactive measurement is a [`Measurement`](super::Measurement) whose release is a queryable. Its guarantee
/// covers the whole interaction: for two inputs at most `d_in` apart, the joint distributions of all responses are at
/// most `map(d_in)` apart, even if queries depend on earlier responses. Queries that are functions of the data run on
/// them. They are trusted like the steps of a chain, and a user-defined query can reveal the data.
/// [`weakest_proof`](Self::weakest_proof) returns the weakest proof on which the queries relied.
///
/// Queries and responses are typed. Each response draws fresh randomness from the operating system. Threads may share a
/// queryable; a clone is another handle on the same state, not a second interaction. A rejected query (see
/// [`ErrorKind::Question`], [`ErrorKind::Exhausted`]) draws nothing and costs nothing. A response that fails after it
/// drew randomness, or that panics, ends the interaction. A queryable belongs to the process that made it: in a forked
/// child every query is rejected.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
/// let sparse = (space.clone() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, 10i64, 1, (2.0, 4.0)))?;
/// let queryable = sparse.invoke(&[3, 5, 8])?;
/// let count = make_count(space.0, space.1)?;
/// let many: bool = queryable.eval(&count)?;
/// # let _ = many;
/// # Ok::<(), Error>(())
/// ```
pub struct Queryable<Q: ?Sized, A> {
    answer: RandomizedFunction<Q, A>,
    answered: Answered,
}

impl<Q: ?Sized, A> Queryable<Q, A> {
    /// Makes a queryable from the function that answers. The function keeps its memory in a [`State`], and records the
    /// levels of queries that are functions of the data.
    pub(crate) fn new(
        answered: Answered,
        answer: impl Fn(&Q, &mut dyn Entropy) -> Fallible<A> + Send + Sync + 'static,
    ) -> Self {
        Self { answer: RandomizedFunction::new(answer), answered }
    }

    /// Answers a query, with randomness from the operating system.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Question`] if the query breaks a rule, [`ErrorKind::Exhausted`] if no more queries may be
    /// answered, [`ErrorKind::Domain`] if a value in the query lies outside its domain, and [`ErrorKind::Process`] in a
    /// forked child. None of these costs anything. Returns [`ErrorKind::Entropy`] if the system provides no randomness,
    /// and [`ErrorKind::Interrupted`] after any response that failed midway.
    pub fn eval(&self, question: &Q) -> Fallible<A> {
        self.answer.eval(question, &mut OsEntropy::new())
    }

    /// Returns the weakest proof of all queries that were run on the data, on every handle. It is the strongest level
    /// if there were no queries, or if queries are values and not functions. The explanation of the measurement that
    /// made this queryable lists the other proofs. A user-defined post-processing function is assumed to use only the
    /// release; you vouch for that.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let space = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    /// let sparse = (space.clone() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, 10i64, 1, (2.0, 4.0)))?;
    /// let queryable = sparse.invoke(&[3, 5, 8])?;
    /// queryable.eval(&(space.clone() >> then_count())?)?;
    /// assert!(queryable.weakest_proof() > ProofLevel::Unproven);
    /// # let queryable = sparse.invoke(&[3, 5, 8])?;
    /// let large = (space >> then_filter(|x: &i64| *x > 4) >> then_count())?;
    /// queryable.eval(&large)?;
    /// assert_eq!(queryable.weakest_proof(), ProofLevel::Unproven);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn weakest_proof(&self) -> ProofLevel {
        self.answered.weakest()
    }

    /// Answers a query with randomness from `entropy`, for tests and audits, with the feature `testing`. The guarantee
    /// holds only if its bits are fair, independent and unknown to everyone who sees the responses.
    #[cfg(feature = "testing")]
    pub fn eval_with(&self, question: &Q, entropy: &mut dyn Entropy) -> Fallible<A> {
        self.answer.eval(question, entropy)
    }
}

impl<Q: ?Sized, A> Clone for Queryable<Q, A> {
    fn clone(&self) -> Self {
        Self { answer: self.answer.clone(), answered: self.answered.clone() }
    }
}

impl<Q: ?Sized, A> fmt::Debug for Queryable<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queryable(weakest proof of what it was asked: {})", self.weakest_proof())
    }
}

/// The state of a queryable between responses, behind one lock, in the process that made it.
///
/// The lock is held only for the library's own bookkeeping and noise, never while a user-defined function runs, because
/// such a function may query the same queryable, or panic.
pub(crate) struct State<S> {
    process: Process,
    held: Arc<Mutex<Option<S>>>,
}

impl<S> State<S> {
    pub(crate) fn new(state: S) -> Self {
        Self { process: Process::this(), held: Arc::new(Mutex::new(Some(state))) }
    }

    /// Runs one step with exclusive access to the state, if it is `allowed`. A refused step leaves the state unchanged.
    /// A step that fails or panics removes the state: part of a response may have been drawn, so no query may follow.
    pub(crate) fn step<T>(
        &self,
        allowed: impl FnOnce(&S) -> Fallible<()>,
        step: impl FnOnce(&mut S) -> Fallible<T>,
    ) -> Fallible<T> {
        // Before the lock, which a forked child may have been left holding.
        self.process.check()?;
        // A lock is poisoned by a panic, which has left no state behind.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = held.take().ok_or_else(|| {
            Error::new(
                ErrorKind::Interrupted,
                "an earlier answer failed midway, so this queryable answers no more queries",
            )
        })?;
        if let Err(refusal) = allowed(&state) {
            *held = Some(state);
            return Err(refusal);
        }
        let answer = step(&mut state)?;
        *held = Some(state);
        Ok(answer)
    }
}

impl<S> Clone for State<S> {
    fn clone(&self) -> Self {
        Self { process: self.process, held: self.held.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::testing::BitTape;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Counts its queries, and answers each with a random bit; it answers no number above `most`.
    fn counting(most: u32) -> Queryable<u32, (u32, bool)> {
        let asked = State::new(0);
        Queryable::new(Answered::nothing(), move |question: &u32, entropy| {
            asked.step(
                |_| match *question > most {
                    true => Err(Error::new(ErrorKind::Question, "too large")),
                    false => Ok(()),
                },
                |asked| {
                    assert!(*question != 13, "a panic in an answer");
                    *asked += 1;
                    Ok((*asked, entropy.bit()?))
                },
            )
        })
    }

    #[test]
    fn a_refused_question_changes_nothing() {
        let queryable = counting(100);
        let mut tape = BitTape::new(&[true]);
        assert_eq!(queryable.eval_with(&101, &mut tape).unwrap_err().kind(), ErrorKind::Question);
        assert_eq!(queryable.eval_with(&1, &mut tape), Ok((1, true)));
    }

    #[test]
    fn a_failure_or_a_panic_midway_ends_the_conversation() {
        let queryable = counting(100);
        assert_eq!(queryable.eval_with(&1, &mut BitTape::new(&[])).unwrap_err().kind(), ErrorKind::Entropy);
        assert_eq!(queryable.eval(&1).unwrap_err().kind(), ErrorKind::Interrupted);

        let queryable = counting(100);
        assert!(queryable.eval(&1).is_ok());
        assert!(catch_unwind(AssertUnwindSafe(|| queryable.eval(&13))).is_err());
        for _ in 0..2 {
            assert_eq!(queryable.eval(&1).unwrap_err().kind(), ErrorKind::Interrupted);
        }
    }

    #[test]
    fn threads_and_clones_share_one_state() {
        let queryable = counting(100);
        let ask = || (0..50).map(|_| queryable.clone().eval(&7).unwrap().0).collect::<Vec<_>>();
        let mut numbers: Vec<u32> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=400).collect::<Vec<_>>());
    }

    /// Two queryables that answer 64 queries with the same bits would share their randomness: a false alarm has
    /// probability 2^-64.
    #[test]
    fn each_answer_draws_fresh_randomness() {
        let bits = |queryable: Queryable<u32, (u32, bool)>| -> Vec<bool> {
            (0..64).map(|_| queryable.eval(&0).unwrap().1).collect()
        };
        let first = bits(counting(0));
        assert!(first.contains(&true) && first.contains(&false));
        assert_ne!(first, bits(counting(0)));
    }

    #[test]
    fn nothing_of_the_state_is_printed() {
        assert_eq!(format!("{:?}", counting(7)), "Queryable(weakest proof of what it was asked: A)");
        fn shared<T: Send + Sync>(_: &T) {}
        shared(&counting(7));
    }
}
