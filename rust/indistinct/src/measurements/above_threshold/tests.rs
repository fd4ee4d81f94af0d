use super::*;
use crate::{
    metrics::SymmetricDistance,
    prelude::*,
    sampling::testing::{BitTape, SeededEntropy},
};
use indistinct_numeric::gmp::Integer;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

type Rows = VectorDomain<AtomDomain<i64>>;
type Count = ThresholdQuestion<Rows, SymmetricDistance, i64>;

fn space() -> (Rows, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::i64()), SymmetricDistance)
}

/// A query whose value is `value` on any data, and whose map is 1 per row.
fn fixed(value: i64) -> Count {
    question(move |_| value, |&d_in| Ok(f64::from(d_in)))
}

fn question(
    value: impl Fn(&[i64]) -> i64 + Send + Sync + 'static,
    map: impl Fn(&u32) -> Fallible<f64> + Send + Sync + 'static,
) -> Count {
    let output = (AtomDomain::i64(), AbsoluteDistance::new());
    Transformation::new(space(), output, Function::new(value), crate::core::StabilityMap::new(map)).unwrap()
}

fn sparse(
    limit: u32,
    scales: (f64, f64),
) -> Fallible<Measurement<Rows, Queryable<Count, bool>, SymmetricDistance, MaxDivergence>> {
    space() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, 0i64, limit, scales)
}

// ---------------------------------------------------------------------------------------------- the exact distribution

/// Discrete Laplace probabilities of -REACH, …, REACH; the ends hold the tails, which no value here can tell from them.
const REACH: i64 = 120;

fn float(x: i64) -> f64 {
    f64::from(i32::try_from(x).unwrap())
}

fn laplace(scale: f64) -> Vec<(i64, f64)> {
    if scale == 0.0 {
        return vec![(0, 1.0)];
    }
    let r = (-1.0 / scale).exp();
    let mass = |z: i64| r.powf(float(z.abs())) * if z.abs() == REACH { 1.0 / (1.0 + r) } else { (1.0 - r) / (1.0 + r) };
    (-REACH..=REACH).map(|z| (z, mass(z))).collect()
}

/// Noise of a given value: it drives the code that decides through all of its draws.
struct Told(i64);

impl ComparedNoise<i64> for Told {
    type Threshold = Integer;

    fn of_scale(_: f64) -> Fallible<Self> {
        Ok(Told(0))
    }

    fn threshold(&self, threshold: &i64, _: &mut dyn Entropy) -> Fallible<Integer> {
        Ok(Integer::from(self.0) + *threshold)
    }

    fn reaches(&self, value: &i64, threshold: &mut Integer, _: &mut dyn Entropy) -> Fallible<bool> {
        Ok(Integer::from(self.0) + *value >= *threshold)
    }
}

/// How a variant of the technique differs from the code: all false in the code itself.
#[derive(Clone, Copy, Default)]
struct Broken {
    /// The threshold's noise is drawn anew for every query.
    redraws: bool,
    /// A response of true also reveals the noisy value that was compared.
    tells: bool,
}

/// A response, and what a broken variant reveals besides.
type Answer = (bool, Option<i64>);
type Answers = Vec<Answer>;

/// The responses to a value, given the threshold's noise: each with its probability and one of the draws that lead to
/// it.
type Outcomes = Vec<(Answer, i64, f64)>;

/// The distribution of conversations under noise of two scales.
struct Laws {
    scales: (f64, f64),
    broken: Broken,
    /// By the threshold's noise and the value.
    known: RefCell<BTreeMap<(i64, i64), Outcomes>>,
}

impl Laws {
    fn new(scales: (f64, f64), broken: Broken) -> Self {
        Self { scales, broken, known: RefCell::default() }
    }

    /// One step of the code that decides, with given noise.
    fn step(z: i64, left: u32, value: i64, noise: i64) -> Fallible<(bool, u32)> {
        let mut nothing = BitTape::new(&[]);
        let mut session = Session::new(&0, left, &Told(z), &mut nothing)?;
        session.check_open()?;
        Ok((session.answer(&value, &Told(noise), &mut nothing)?, session.left))
    }

    fn outcomes(&self, z: i64, value: i64) -> Outcomes {
        let compute = || {
            let mut outcomes: BTreeMap<Answer, (i64, f64)> = BTreeMap::new();
            for (noise, p) in laplace(self.scales.1) {
                let (above, _) = Self::step(z, 1, value, noise).unwrap();
                let told = (self.broken.tells && above).then_some(value + noise);
                outcomes.entry((above, told)).or_insert((noise, 0.0)).1 += p;
            }
            outcomes.into_iter().map(|(answer, (noise, p))| (answer, noise, p)).collect()
        };
        self.known.borrow_mut().entry((z, value)).or_insert_with(compute).clone()
    }

    /// The probabilities of all sequences of responses to queries whose values may depend on the responses before.
    fn law(&self, value: &dyn Fn(&[Answer]) -> i64, questions: usize, limit: u32) -> BTreeMap<Answers, f64> {
        let thresholds = laplace(self.scales.0);
        let start = if self.broken.redraws { vec![(0, 1.0)] } else { thresholds.clone() };
        let mut law = BTreeMap::new();
        for (z, p) in start {
            let mut open: Vec<(Answers, u32, f64)> = vec![(Vec::new(), limit, p)];
            while let Some((answers, left, p)) = open.pop() {
                if answers.len() == questions || Self::step(z, left, 0, 0).is_err() {
                    *law.entry(answers).or_insert(0.0) += p;
                    continue;
                }
                let value = value(&answers);
                let mut next: BTreeMap<Answer, (u32, f64)> = BTreeMap::new();
                for (z, r) in if self.broken.redraws { thresholds.clone() } else { vec![(z, 1.0)] } {
                    for (answer, noise, q) in self.outcomes(z, value) {
                        let (above, left) = Self::step(z, left, value, noise).unwrap();
                        assert_eq!(above, answer.0);
                        next.entry(answer).or_insert((left, 0.0)).1 += p * q * r;
                    }
                }
                let longer = |answer| [answers.clone(), vec![answer]].concat();
                open.extend(next.into_iter().map(|(answer, (left, p))| (longer(answer), left, p)));
            }
        }
        law
    }
}

/// The greatest log-ratio of the probabilities of two distributions, in both directions; what is below 1e-13 in both is
/// left to the rounding of the sums.
fn greatest_ratio(x: &BTreeMap<Answers, f64>, y: &BTreeMap<Answers, f64>) -> f64 {
    let of = |law: &BTreeMap<Answers, f64>, answers| law.get(answers).copied().unwrap_or(0.0);
    let keys: BTreeSet<_> = x.keys().chain(y.keys()).collect();
    let ratios = keys.into_iter().map(|answers| (of(x, answers), of(y, answers)));
    ratios.filter(|(p, q)| p.max(*q) > 1e-13).map(|(p, q)| (p / q).ln().abs()).fold(0.0, f64::max)
}

/// The greatest log-ratio over neighbors: all pairs of sequences of `questions` values, the first from -1, 0, 1 and the
/// other as many moves away in each place; as they are, and with each value after a response of true replaced by one
/// that is two lower.
fn greatest_over_neighbors(questions: u32, moves: &[i64], limit: u32, scales: (f64, f64)) -> f64 {
    let laws = Laws::new(scales, Broken::default());
    let steps = 3 * moves.len();
    let mut greatest = 0f64;
    for choice in 0..steps.pow(questions) {
        let digits: Vec<usize> = (0..questions).map(|place| choice / steps.pow(place) % steps).collect();
        let x: Vec<i64> = digits.iter().map(|digit| i64::try_from(digit % 3).unwrap() - 1).collect();
        let y: Vec<i64> = x.iter().zip(&digits).map(|(value, digit)| value + moves[digit / 3]).collect();
        for lowered in [0, 2] {
            let law = |values: &[i64]| {
                let lower = |answers: &[Answer]| if answers.last().is_some_and(|last| last.0) { lowered } else { 0 };
                laws.law(&|answers| values[answers.len()] - lower(answers), values.len(), limit)
            };
            greatest = greatest.max(greatest_ratio(&law(&x), &law(&y)));
        }
    }
    greatest
}

/// To the last bit, as the exact fraction says, rounded up once (python).
#[test]
fn the_loss_is_rounded_up_once() {
    let loss = |sensitivity, limit, scales| loss(sensitivity, Monotonicity::Unknown, limit, scales);
    assert_eq!(loss(0.32383276483316237, 7, (0.15084917392450192, 0.6509344730398537)), Ok(9.111578638888984));
    assert_eq!(loss(0.9801748474925821, 24, (0.11806577825496212, 0.4181228217852272)), Ok(120.82483916496999));
    assert_eq!(loss(f64::MAX, 1, (f64::MAX, 2.0)), Ok(f64::INFINITY), "one more than the greatest float");
}

#[test]
fn no_event_is_likelier_than_the_map_says_between_any_neighbors() {
    for (limit, scales) in [(1, (2.0, 4.0)), (2, (1.5, 4.0)), (2, (1.0, 1.0))] {
        let epsilon = sparse(limit, scales).unwrap().map(&1).unwrap();
        let truth = greatest_over_neighbors(2, &[-1, 0, 1], limit, scales);
        assert!(truth <= epsilon * (1.0 + 1e-9), "{limit} {scales:?}: {truth} {epsilon}");
        assert!(truth > 0.2 * epsilon, "{limit} {scales:?}: {truth} {epsilon}");
    }
}

/// Many queries that are answered false and rise, then one far below the threshold that is answered true and falls:
/// no map smaller by more than a few parts in a hundred would do.
#[test]
fn long_conversations_attain_the_map() {
    let scales = (2.0, 2.0);
    let laws = Laws::new(scales, Broken::default());
    let law = |low, high| laws.law(&|answers: &[Answer]| if answers.len() < 200 { low } else { high }, 201, 1);
    let truth = greatest_ratio(&law(0, -20), &law(1, -21));
    let epsilon = sparse(1, scales).unwrap().map(&1).unwrap();
    assert!(truth > 0.95 * epsilon && truth <= epsilon * (1.0 + 1e-9), "{truth} {epsilon}");
}

#[test]
fn monotonic_questions_cost_what_their_map_says() {
    let (limit, scales) = (2, (2.0, 3.0));
    let monotonic = space() >> then_above_threshold((1, 1.0), Monotonicity::Assumed, 0i64, limit, scales);
    let epsilon = monotonic.unwrap().map(&1).unwrap();
    for moves in [[0, 1], [0, -1]] {
        let truth = greatest_over_neighbors(3, &moves, limit, scales);
        assert!(truth <= epsilon * (1.0 + 1e-9) && truth > 0.3 * epsilon, "{truth} {epsilon}");
    }
    // A negative control: queries that move both ways exceed the bound for those that do not.
    let few = (1, (8.0, 1.0));
    let epsilon = 1.0 / 8.0 + 1.0;
    assert!(greatest_over_neighbors(2, &[-1, 0, 1], few.0, few.1) > epsilon);
}

/// The variants that Lyu, Su, Li 2017 (Table 1 and Section 3) show to be broken, each with its own claim of epsilon = 1
/// for sensitivity 1: the check that the code passes rejects them.
#[test]
fn the_broken_variants_exceed_what_they_claim() {
    let long = |below: usize, above: usize, moves: (i64, i64), limit, scales, broken| {
        let laws = Laws::new(scales, broken);
        let law = |low: i64, high: i64| {
            laws.law(&|answers| if answers.len() < below { low } else { high }, below + above, limit)
        };
        greatest_ratio(&law(0, 1), &law(moves.0, 1 + moves.1))
    };
    // Variant 3: the noisy value that was compared is released.
    let told = long(8, 1, (1, -1), 1, (2.0, 2.0), Broken { tells: true, ..Broken::default() });
    assert!(told > 3.0, "{told}");
    // Variant 4: the noise of a value does not grow with the limit (the paper's scales, for limit 3: 4 and 4/3).
    let unscaled = greatest_over_neighbors(3, &[-1, 0, 1], 3, (4.0, 4.0 / 3.0));
    assert!(unscaled > 1.0, "{unscaled}");
    // Variant 5: no noise on values. Variant 6: no limit.
    let noiseless = long(1, 1, (1, -1), 2, (2.0, 0.0), Broken::default());
    assert_eq!(noiseless, f64::INFINITY);
    let unlimited = long(4, 4, (1, -2), u32::MAX, (2.0, 2.0), Broken::default());
    assert!(unlimited > 1.0, "{unlimited}");
    let longer = long(6, 6, (1, -2), u32::MAX, (2.0, 2.0), Broken::default());
    assert!(longer > unlimited + 0.5, "it grows without end: {longer} {unlimited}");
}

// ------------------------------------------------------------------------------------------------- the code as it runs

/// How often each sequence of responses to these values is seen, in `runs` conversations with seeded bits.
fn observed(values: &[i64], limit: u32, scales: (f64, f64), runs: u32) -> BTreeMap<Answers, f64> {
    let sparse = sparse(limit, scales).unwrap();
    let questions: Vec<Count> = values.iter().map(|value| fixed(*value)).collect();
    let mut entropy = SeededEntropy::new(17);
    let mut seen = BTreeMap::new();
    for _ in 0..runs {
        let queryable = sparse.invoke_with(&[], &mut entropy).unwrap();
        let answers = questions.iter().map_while(|question| queryable.eval_with(question, &mut entropy).ok());
        let answers: Answers = answers.map(|answer| (answer, None)).collect();
        *seen.entry(answers).or_insert(0.0) += 1.0 / f64::from(runs);
    }
    seen
}

/// Each frequency is within its Hoeffding bound at 1e-10 of the law: about 50 comparisons give a false alarm with
/// probability below 1e-8 over all seeds. The seed is fixed.
#[test]
fn conversations_have_the_exact_law() {
    let (values, limit, scales, runs) = ([-1, 1, 0, 2], 2, (3.0, 1.5), 100_000);
    let bound = (f64::ln(2e10) / (2.0 * f64::from(runs))).sqrt();
    let seen = observed(&values, limit, scales, runs);
    let gap = |law: BTreeMap<Answers, f64>| {
        let keys: BTreeSet<_> = law.keys().chain(seen.keys()).collect();
        let of = |law: &BTreeMap<Answers, f64>, answers| law.get(answers).copied().unwrap_or(0.0);
        keys.into_iter().map(|answers| (of(&law, answers) - of(&seen, answers)).abs()).fold(0.0, f64::max)
    };
    let expected =
        |limit, scales, broken| Laws::new(scales, broken).law(&|answers| values[answers.len()], values.len(), limit);
    assert!(gap(expected(limit, scales, Broken::default())) < bound);
    // Negative controls: scales exchanged, the threshold's noise drawn anew, another limit.
    assert!(gap(expected(limit, (scales.1, scales.0), Broken::default())) > bound);
    assert!(gap(expected(limit, scales, Broken { redraws: true, ..Broken::default() })) > bound);
    assert!(gap(expected(1, scales, Broken::default())) > bound);
}

#[test]
fn after_the_last_answer_of_true_nothing_is_answered() {
    let queryable = sparse(2, (0.0, 0.0)).unwrap().accept_infinite_loss().invoke(&[1, 2]).unwrap();
    assert_eq!([-1, 0, -1, 5].map(|value| queryable.eval(&fixed(value)).unwrap()), [false, true, false, true]);
    for _ in 0..3 {
        assert_eq!(queryable.eval(&fixed(-9)).unwrap_err().kind(), ErrorKind::Exhausted);
    }
}

/// Neither after the last response of true nor after a response that failed midway: the time of a refusal reveals
/// nothing of the data.
#[test]
fn a_question_that_is_refused_does_not_run_on_the_data() {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };
    let runs = Arc::new(AtomicU32::new(0));
    let counted = {
        let runs = runs.clone();
        let value = move |_: &[i64]| i64::from(runs.fetch_add(1, Ordering::Relaxed) + 1);
        question(value, |&d_in| Ok(f64::from(d_in)))
    };
    let queryable = sparse(1, (0.0, 0.0)).unwrap().accept_infinite_loss().invoke(&[1, 2, 3]).unwrap();
    assert_eq!((queryable.eval(&counted), runs.load(Ordering::Relaxed)), (Ok(true), 1));
    for _ in 0..10 {
        assert_eq!(queryable.eval(&counted).unwrap_err().kind(), ErrorKind::Exhausted);
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    }
    let interrupted = sparse(5, (1.0, 1.0)).unwrap().invoke(&[1]).unwrap();
    assert_eq!(interrupted.eval_with(&counted, &mut BitTape::new(&[])).unwrap_err().kind(), ErrorKind::Entropy);
    assert_eq!(runs.load(Ordering::Relaxed), 2);
    assert_eq!(interrupted.eval(&counted).unwrap_err().kind(), ErrorKind::Interrupted);
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

#[test]
fn sixty_four_threads_share_one_limit() {
    let queryable = sparse(10, (0.0, 0.0)).unwrap().accept_infinite_loss().invoke(&[1]).unwrap();
    let above = std::thread::scope(|scope| {
        let ask = || (0..20).filter(|_| queryable.eval(&fixed(1)) == Ok(true)).count();
        let threads: Vec<_> = (0..64).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    assert_eq!(above, 10);
}

#[test]
fn a_question_that_may_not_be_asked_draws_nothing_and_costs_nothing() {
    let queryable = sparse(1, (1.0, 1.0)).unwrap().invoke(&[1]).unwrap();
    let mut nothing = BitTape::new(&[]);
    let sized = make_count(VectorDomain::new(AtomDomain::i64()).with_size(1), SymmetricDistance).unwrap();
    let refused = [
        question(|_| 5, |&d_in| Ok(f64::from(d_in) * 1.0f64.next_up())),
        question(|_| 5, |_| Ok(0.5)), // moves between equal inputs
        question(|_| 5, |&d_in| Ok(if d_in == 0 { 0.0 } else { f64::INFINITY })),
        sized,
    ];
    for question in &refused {
        let error = queryable.eval_with(question, &mut nothing).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Question, "{error}");
    }
    // The queryable is as it was: a query that may be asked is answered.
    assert!(queryable.eval(&fixed(0)).is_ok());
}

#[test]
fn a_question_may_ask_the_same_queryable() {
    let queryable = sparse(2, (0.0, 0.0)).unwrap().accept_infinite_loss().invoke(&[1]).unwrap();
    let inner = queryable.clone();
    let nested = question(move |_| i64::from(inner.eval(&fixed(3)).unwrap()), |&d_in| Ok(f64::from(d_in)));
    assert_eq!(queryable.eval(&nested), Ok(true));
    assert_eq!(queryable.eval(&fixed(3)).unwrap_err().kind(), ErrorKind::Exhausted);
}

#[test]
fn exact_sums_of_floats_are_compared_exactly() {
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap());
    let sum = make_sum(rows.clone(), SymmetricDistance).unwrap();
    let threshold = crate::numeric::Dyadic::from_f64(0.75).unwrap();
    let make = |limit| {
        ((rows.clone(), SymmetricDistance)
            >> then_above_threshold((1, 1.0), Monotonicity::Unknown, threshold.clone(), limit, (0.0, 0.0)))
        .unwrap()
        .accept_infinite_loss()
    };
    assert_eq!(make(1).invoke(&[0.5, 0.25]).unwrap().eval(&sum), Ok(true));
    assert_eq!(make(1).invoke(&[0.5, 0.25f64.next_down()]).unwrap().eval(&sum), Ok(false));
    assert_eq!(make(1).plan().parameters[2], ("threshold".into(), crate::core::Parameter::Float(0.75)));
}

// --------------------------------------------------------------------------------------------------- map and
// parameters

#[test]
fn the_map_is_rounded_up_and_infinite_beyond_what_was_declared() {
    let map = |limit, scales, distance: u32| sparse(limit, scales).unwrap().map(&distance).unwrap();
    assert_eq!((map(1, (2.0, 4.0), 1), map(3, (2.0, 4.0), 1)), (1.0, 2.0));
    assert_eq!((map(1, (2.0, 4.0), 0), map(1, (2.0, 4.0), 2)), (0.0, f64::INFINITY));
    // 1/3 and 2/3, of which neither is a float, and their sum is.
    assert_eq!((map(1, (3.0, 3.0), 1), map(1, (7.0, 3.0), 1)), (1.0, 0.8095238095238095));
    assert_eq!(
        (map(1, (0.0, 1.0), 1), map(1, (1.0, 0.0), 1), map(1, (0.0, 0.0), 0)),
        (f64::INFINITY, f64::INFINITY, 0.0)
    );
    assert_eq!(map(u32::MAX, (1.0, 1.0), 1), 2.0 * f64::from(u32::MAX) + 1.0);
    // No sensitivity, no loss; and a declared distance of its own.
    let constant =
        make_above_threshold(space().0, space().1, (3, 0.0), Monotonicity::Unknown, 0i64, 1, (0.0, 0.0)).unwrap();
    assert_eq!((constant.map(&3), constant.map(&4)), (Ok(0.0), Ok(f64::INFINITY)));
}

#[test]
fn trust_in_the_caller_is_recorded() {
    let of = |monotonicity| (space() >> then_above_threshold((1, 1.0), monotonicity, 0i64, 1, (1.0, 1.0))).unwrap();
    assert_eq!(of(Monotonicity::Unknown).explain(&1).unwrap().weakest_proof(), ProofLevel::C);
    assert_eq!(of(Monotonicity::Assumed).explain(&1).unwrap().weakest_proof(), ProofLevel::Unproven);
    assert_eq!(of(Monotonicity::Assumed).map(&1), Ok(2.0));
}

#[test]
fn bad_parameters_are_named() {
    let named = |sensitivity, limit, scales| {
        let made = space() >> then_above_threshold((1, sensitivity), Monotonicity::Unknown, 0i64, limit, scales);
        made.unwrap_err().kind()
    };
    for sensitivity in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(named(sensitivity, 1, (1.0, 1.0)), ErrorKind::Parameter("stability"));
    }
    assert_eq!(named(1.0, 0, (1.0, 1.0)), ErrorKind::Parameter("limit"));
    for scales in [(-1.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 1.0)] {
        assert_eq!(named(1.0, 1, scales), ErrorKind::Parameter("scale"));
    }
    for threshold in [f64::NAN, f64::INFINITY] {
        let made = space() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, threshold, 1, (1.0, 1.0));
        assert_eq!(made.unwrap_err().kind(), ErrorKind::Parameter("threshold"));
    }
}

#[test]
fn nothing_of_the_data_is_printed() {
    let secret = 98_765_432_123;
    let sparse = sparse(1, (1.0, 1.0)).unwrap();
    let queryable = sparse.invoke(&[secret]).unwrap();
    let _ = queryable.eval(&question(|rows| rows[0], |&d_in| Ok(f64::from(d_in))));
    let error = queryable.eval(&question(|rows| rows[0], |_| Ok(9.0))).unwrap_err();
    let printed = format!("{sparse:?} {queryable:?} {error:?} {error} {:?}", sparse.plan());
    assert!(!printed.contains("98765432"), "{printed}");
}
