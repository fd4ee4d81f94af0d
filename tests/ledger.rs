//! Budgets that are spent twice, given back or shared: the vectors of `ledger.json` that speak of conversations, which
//! keep their ledger in memory. Each has a naive ledger, which is run and overspends. Those about journals on disk, and
//! these once more, are asked of the ledger on disk: `rust/ledger/tests/integration/attacks.rs`.

use indistinct::{
    combinators::PrivacyFilter,
    numeric::gmp::Integer,
    prelude::*,
    sampling::{Entropy, testing::SeededEntropy},
};
use indistinct_audit::silence::Recorder;
use indistinct_tests::{fraction, vectors};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    hint::black_box,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Barrier, Mutex, mpsc},
    time::{Duration, Instant},
};

type Number = AtomDomain<i64>;
type Question = Measurement<Number, i64, AbsoluteDistance, MaxDivergence>;
type Parent =
    Measurement<Number, PrivacyFilter<Number, AbsoluteDistance, MaxDivergence>, AbsoluteDistance, MaxDivergence>;

/// A case, whose budget is this.
fn case(name: &str, budget: f64) -> Value {
    let mut cases: BTreeMap<String, Value> = vectors("ledger");
    let case = cases.remove(name).unwrap();
    assert_eq!(fraction(&case["budget"]).to_f64(), budget, "{name}");
    case
}

fn space() -> (Number, AbsoluteDistance) {
    (AtomDomain::i64(), AbsoluteDistance::new())
}

fn filter(budget: f64) -> Parent {
    (space() >> then_privacy_filter(MaxDivergence, 1.0, budget)).unwrap()
}

/// A query that costs this much, and draws one bit.
fn costing(loss: f64) -> Question {
    let release = |_: &i64, entropy: &mut dyn Entropy| Ok(i64::from(entropy.bit().is_ok_and(|bit| bit)));
    let map = move |d_in: &f64| Ok(if *d_in == 0.0 { 0.0 } else { loss });
    make_user_measurement(space().0, space().1, MaxDivergence, release, map).unwrap()
}

/// A ledger as one writes it first: a number that is copied with its owner.
#[derive(Clone)]
struct Naive {
    budget: f64,
    spent: f64,
}

impl Naive {
    fn charge(&mut self, loss: f64) -> bool {
        let allowed = self.spent + loss <= self.budget;
        self.spent += if allowed { loss } else { 0.0 };
        allowed
    }
}

/// A clone of a conversation is another handle on the same ledger: what one spends, the other has not. What is refused
/// draws nothing. That a conversation cannot be written down and read back is a program that does not compile:
/// `tests/compile_fail/serialized_ledger.rs`.
#[test]
fn clone_handle() {
    case("clone_handle", 1.0);
    let whole = costing(1.0);
    let one = filter(1.0).invoke(&7).unwrap();
    let other = one.clone();
    let mut entropy = Recorder::new(SeededEntropy::new(1));
    assert!(one.eval_with(&whole, &mut entropy).is_ok());
    assert_eq!(entropy.requests().len(), 1);
    let mut entropy = Recorder::new(SeededEntropy::new(2));
    for handle in [&other, &one, &other.clone()] {
        assert_eq!(handle.eval_with(&whole, &mut entropy).unwrap_err().kind(), ErrorKind::Budget);
        assert_eq!(handle.spent(), Ok(1.0));
    }
    assert!(entropy.requests().is_empty(), "a refused question draws bits");
    // The same of a release that answers once: its clone has been used up with it.
    let sparse = make_above_threshold(space().0, space().1, (1.0, 1.0), Monotonicity::Unknown, 0i64, 1, (1e-3, 1e-3));
    let first = sparse.unwrap().invoke(&7).unwrap();
    let second = first.clone();
    let same = itself();
    assert_eq!(first.eval(&same), Ok(true));
    assert_eq!(second.eval(&same).unwrap_err().kind(), ErrorKind::Exhausted);
    // The negative control's clone has a ledger of its own.
    let mut one = Naive { budget: 1.0, spent: 0.0 };
    let mut other = one.clone();
    assert!(one.charge(1.0) && other.charge(1.0) && one.spent + other.spent > 1.0, "no power");
}

/// The number itself, as a query.
fn itself() -> Transformation<Number, Number, AbsoluteDistance, AbsoluteDistance> {
    make_user_transformation(space().0, space().1, space().0, space().1, |x: &i64| *x, |d: &f64| Ok(*d)).unwrap()
}

/// 64 threads, of which each asks a hundred times for a sixty-fourth of the budget: 64 of 6,400 are allowed, each time.
#[test]
fn concurrent_last_unit() {
    case("concurrent_last_unit", 1.0);
    let (question, parent) = (costing(1.0 / 64.0), filter(1.0));
    for _ in 0..crate::tries(1000) {
        let session = parent.invoke(&7).unwrap();
        let start = Barrier::new(64);
        let accepted: usize = std::thread::scope(|scope| {
            let race = || {
                start.wait();
                (0..100).filter(|_| session.eval(&question).is_ok()).count()
            };
            let threads: Vec<_> = (0..64).map(|_| scope.spawn(race)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!((accepted, session.spent()), (64, Ok(1.0)));
    }
    // The negative control locks to look and locks to write: with one unit left, all threads have looked before one
    // writes.
    let ledger = Mutex::new(Naive { budget: 1.0, spent: 63.0 / 64.0 });
    let between = Barrier::new(64);
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                let allowed = ledger.lock().unwrap().spent + 1.0 / 64.0 <= 1.0;
                between.wait();
                ledger.lock().unwrap().spent += if allowed { 1.0 / 64.0 } else { 0.0 };
            });
        }
    });
    assert!(ledger.into_inner().unwrap().spent > 1.9, "no power");
}

/// A function of the release that fails, or panics, where the release is positive: what it reveals is charged, and the
/// conversation goes on.
#[test]
fn error_after_noise_not_refunded() {
    case("error_after_noise_not_refunded", 1.0);
    // The budget of ten charges that are the double next to a tenth, for these are more than 1.
    let (budget, tenth) = (1f64.next_up(), 0.1);
    let noisy = || make_laplace(space().0, space().1, 1.0 / tenth).unwrap();
    assert_eq!(noisy().map(&1.0), Ok(tenth));
    let failing =
        Function::new_fallible(|x: &i64| if *x > 0 { "x".parse::<UnknownCategories>() } else { "drop".parse() });
    let failing = (noisy() >> failing).unwrap();
    let panicking = (noisy() >> Function::new(|x: &i64| assert!(*x <= 0, "the caller's own panic"))).unwrap();
    for panics in [false, true] {
        let session = filter(budget).invoke(&0).unwrap();
        let (mut run, mut failed) = (0, 0);
        for _ in 0..1000 {
            let kind = if panics {
                match catch_unwind(AssertUnwindSafe(|| session.eval(&panicking))) {
                    Ok(result) => result.err().map(|error| error.kind()),
                    // Whatever the panic says, it is the release's.
                    Err(_) => Some(ErrorKind::Numeric),
                }
            } else {
                session.eval(&failing).err().map(|error| error.kind())
            };
            if kind != Some(ErrorKind::Budget) {
                run += 1;
                failed += u32::from(kind.is_some());
            }
        }
        // That none or all of ten fail has a probability of some 2^-9.
        assert_eq!((run, session.spent()), (10, Ok(1f64.next_up())), "{failed} failed");
    }
    // The negative control gives back what it charged for a release that fails: each failure reveals that the release
    // was positive, for nothing.
    let mut ledger = Naive { budget, spent: 0.0 };
    let (mut told, mut entropy) = (0, SeededEntropy::new(3));
    for _ in 0..1000 {
        if ledger.charge(tenth) && failing.invoke_with(&0, &mut entropy).is_err() {
            ledger.spent -= tenth;
            told += 1;
        } else {
            // What succeeds is not asked for: the attack is on the failures.
            ledger.spent = 0.0;
        }
    }
    assert!(told > 100, "no power: {told}");
}

/// Four times as many queries take four times as long, and as much memory for each.
#[test]
fn filter_10k_queries_time() {
    case("filter_10k_queries_time", 1e9);
    let (question, parent) = (costing(1.0), filter(1e9));
    let allocated = |questions: u32| {
        let session = parent.invoke(&7).unwrap();
        let used =
            allocation_counter::measure(|| (0..questions).for_each(|_| assert!(session.eval(&question).is_ok())));
        assert_eq!(session.spent(), Ok(f64::from(questions)));
        (used.bytes_total, used.bytes_max)
    };
    let [(few, least), (_, _), (many, most)] = [10_000, 20_000, 40_000].map(allocated);
    assert!(many <= 4 * few + 100_000 && most <= least + 10_000, "{few} {many} bytes, at most {least} {most} at once");
    // Other tests and programs run on this machine as well: of some tries, each the best of three, one is undisturbed.
    // What is quadratic takes sixteen times as long in all of them.
    let best = |run: &dyn Fn(u32)| {
        let time = |n: u32| {
            let runs = (0..3).map(|_| {
                let start = Instant::now();
                run(n);
                start.elapsed()
            });
            runs.min().unwrap().as_secs_f64()
        };
        time(40_000) / time(10_000)
    };
    let ask = |questions| {
        let session = parent.invoke(&7).unwrap();
        (0..questions).for_each(|_| assert!(session.eval(&question).is_ok()));
    };
    let ours = (0..10).map(|_| best(&ask)).find(|ratio| *ratio <= 5.0);
    assert!(ours.is_some(), "more than five times as long, in ten tries");
    // The negative control keeps all charges, and adds them up for each query.
    let add = |questions| {
        let mut charges = Vec::new();
        for _ in 0..questions {
            charges.push(1.0f64);
            black_box(charges.iter().sum::<f64>());
        }
    };
    assert!(best(&add) > 5.0, "no power");
}

/// Children are charged in full when they are made, answer no more than that, and may be asked in turn with each other
/// and their parent.
#[test]
fn interactive_children_share_parent() {
    case("interactive_children_share_parent", 1.0);
    let (done, wait) = mpsc::channel();
    let conversation = std::thread::spawn(move || {
        let parent = filter(1.0).invoke(&7).unwrap();
        let child = parent.eval(&filter(0.5)).unwrap();
        assert_eq!((parent.spent(), child.spent()), (Ok(0.5), Ok(0.0)));
        assert!(child.eval(&costing(0.25)).is_ok());
        assert!(parent.eval(&costing(0.5)).is_ok());
        // The parent has nothing left, the child a quarter: it is asked after the parent, and not beyond its half.
        assert_eq!(child.eval(&costing(0.5)).unwrap_err().kind(), ErrorKind::Budget);
        assert!(child.eval(&costing(0.25)).is_ok());
        for refused in [child.eval(&costing(5e-324)), parent.eval(&costing(5e-324))] {
            assert_eq!(refused.unwrap_err().kind(), ErrorKind::Budget);
        }
        assert_eq!(parent.eval(&filter(5e-324)).unwrap_err().kind(), ErrorKind::Budget);
        assert_eq!((parent.spent(), child.spent()), (Ok(1.0), Ok(0.5)));
        // Two children in turn.
        let parent = filter(1.0).invoke(&7).unwrap();
        let children = [0, 1].map(|_| parent.eval(&filter(0.5)).unwrap());
        let answered = (0..20).filter(|i| children[i % 2].eval(&costing(0.125)).is_ok()).count();
        assert_eq!((answered, parent.spent()), (8, Ok(1.0)));
        // Where no theorem lets children be asked in turn, there are none.
        let range = (space() >> then_privacy_filter(MaxDivergence, 1.0, 0.5)).unwrap();
        let range = make_pureDP_to_bounded_range(range).unwrap();
        assert!(make_composition((range.clone(), range)).is_err());
        done.send(()).unwrap();
    });
    // A lock that is held for ever would be noticed here.
    assert!(wait.recv_timeout(Duration::from_secs(5)).is_ok(), "no answer within 5 s, or a wrong one");
    conversation.join().unwrap();
    // The negative control gives a child a budget of its own, and the parent does not hear of it.
    let mut parent = Naive { budget: 1.0, spent: 0.0 };
    let mut child = Naive { budget: 0.5, spent: 0.0 };
    assert!(parent.charge(1.0) && child.charge(0.5) && parent.spent + child.spent > 1.0, "no power");
}

/// Budgets as great as a word and beyond: they are integers of any size, which do not wrap. Charges are floats, so that
/// none has 4096 bits.
#[test]
fn counter_width() {
    let vector = case("counter_width", 18446744073709549568.0);
    // The greatest float that is not above the budget, which has 64 bits, all of them 1.
    let budget = 18446744073709551616f64.next_down();
    let session = filter(budget).invoke(&7).unwrap();
    let half = costing(2f64.powi(63));
    assert!(session.eval(&half).is_ok());
    for loss in [2f64.powi(63), budget, 2f64.powi(64), f64::MAX] {
        assert_eq!(session.eval(&costing(loss)).unwrap_err().kind(), ErrorKind::Budget);
    }
    assert_eq!(session.spent(), Ok(2f64.powi(63)));
    // Exactly what is left, in steps that a float of the total cannot see.
    assert!(session.eval(&costing(2f64.powi(63) - 4096.0)).is_ok());
    assert_eq!((0..4000).filter(|_| session.eval(&costing(1.0)).is_ok()).count(), 2048);
    let most = filter(f64::MAX).invoke(&7).unwrap();
    assert!(most.eval(&costing(f64::MAX)).is_ok() && most.eval(&costing(5e-324)).is_err());
    // The negative controls: a counter of 64 bits, which wraps, and a float, in which the last 2,048 units and all more
    // are lost.
    let limit = Integer::from_str_radix(vector["budget"].as_str().unwrap().trim_end_matches("/1"), 10)
        .unwrap()
        .to_u64()
        .unwrap();
    let word = (1u64 << 63).wrapping_add(1 << 63);
    assert!(word <= limit, "no power");
    let mut float = Naive { budget, spent: budget - 2048.0 };
    assert_eq!((0..4000).filter(|_| float.charge(1.0)).count(), 4000, "no power");
}
