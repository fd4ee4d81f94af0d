//! Releases that answer questions, asked at random: no panic, no budget overrun, no answer after the last.

use crate::{
    Source, exercise,
    record::{make, told},
    spaces::{integer_domain, integers_for, one_of},
};
use indistinct::{core::Distance, domains::Norm, prelude::*};

pub(crate) fn run(source: &mut Source) {
    match source.below(6) {
        0 => filter(source),
        1 => declared(source),
        2 => odometer(source),
        3 => above_threshold(source),
        4 => steps(source),
        _ => running_sums(source),
    }
}

type Rows = VectorDomain<AtomDomain<i64>>;
type Count<MO> = Measurement<Rows, i64, SymmetricDistance, MO>;

fn rows() -> Rows {
    VectorDomain::new(AtomDomain::i64())
}

fn data(source: &mut Source) -> Vec<i64> {
    source.several(4, Source::integer)
}

/// A question that costs something, nothing, or has a domain of its own.
fn question(source: &mut Source) -> Option<Count<MaxDivergence>> {
    let rows = if source.below(8) == 0 { rows().with_size(2) } else { rows() };
    told((rows, SymmetricDistance) >> then_count() >> then_laplace(source.mostly_plain()))
}

/// One whose loss is a mu.
fn question_of_mu(source: &mut Source) -> Option<Measurement<Rows, f64, SymmetricDistance, GaussianDivergence>> {
    let rows = if source.below(8) == 0 { rows().with_size(2) } else { rows() };
    let one = (rows, SymmetricDistance) >> then_map(AtomDomain::f64(), 0.0, |_: &i64| 1.0) >> then_clamp((0.0, 1.0));
    told(one >> then_sum() >> then_gaussian(GaussianDivergence, source.mostly_plain()))
}

/// Bounds at one to three orders.
fn curve(source: &mut Source) -> RenyiCurve {
    let mut order = 1.0;
    let points = (0..=source.below(3)).map(|_| {
        order += 0.25 + source.plain();
        (order, source.plain())
    });
    RenyiCurve::from_points(points.collect()).unwrap()
}

/// Whether a loss was counted as spent: at the orders of a budget, if it is known at some alone.
trait Counted {
    fn is_counted(&self, spent: &Self) -> bool;
}

macro_rules! counted_numbers {
    ($($loss:ty),+) => {$(
        impl Counted for $loss {
            fn is_counted(&self, spent: &Self) -> bool {
                self.is_within(spent)
            }
        }
    )+};
}

counted_numbers!(f64, (f64, f64));

impl Counted for RenyiCurve {
    fn is_counted(&self, spent: &Self) -> bool {
        match spent.points() {
            Some(points) => points.iter().all(|(order, bound)| self.at(*order).unwrap() <= *bound),
            None => self.is_within(spent),
        }
    }
}

/// The same questions in each of several measures, whose ledgers keep numbers of one kind or another.
macro_rules! in_each_measure {
    ($source:ident: |$measure:ident, $loss:ident, $ask:ident| $body:expr) => {
        match $source.below(5) {
            0 => {
                let ($measure, $ask) = (MaxDivergence, question);
                let $loss = |source: &mut Source| source.mostly_plain();
                $body
            }
            1 => {
                let $measure = ZeroConcentratedDivergence;
                let $ask = |source: &mut Source| question(source).and_then(|asked| told(make_pureDP_to_zCDP(asked)));
                let $loss = |source: &mut Source| source.mostly_plain();
                $body
            }
            2 => {
                let $measure = GaussianDivergence;
                let $ask = question_of_mu;
                let $loss = |source: &mut Source| source.mostly_plain();
                $body
            }
            3 => {
                let $measure = RenyiDivergence;
                let $ask = |source: &mut Source| {
                    let asked = question(source).and_then(|asked| told(make_pureDP_to_zCDP(asked)))?;
                    told(make_zCDP_to_RDP(asked))
                };
                let $loss = curve;
                $body
            }
            _ => {
                let $measure = Approximate(MaxDivergence);
                let $ask =
                    |source: &mut Source| question(source).and_then(|asked| told(make_pureDP_to_approxDP(asked)));
                let $loss = |source: &mut Source| (source.mostly_plain(), source.probability());
                $body
            }
        }
    };
}

/// What is refused costs nothing: spent and remaining loss are the same before and after.
const REFUSALS: [ErrorKind; 5] =
    [ErrorKind::Budget, ErrorKind::Question, ErrorKind::Exhausted, ErrorKind::Distance, ErrorKind::InfiniteLoss];

fn filter(source: &mut Source) {
    let (d_in, data) = (source.word(), data(source));
    in_each_measure!(source: |measure, loss, ask| {
        let budget = loss(source);
        let filter = make!(make_privacy_filter(rows(), SymmetricDistance, measure, d_in, Clone::clone(&budget)));
        let Some(filter) = filter else { return };
        exercise::losses(source, &filter);
        let Some(session) = exercise::release(source, &filter, &data) else { return };
        for _ in 0..source.below(12) {
            let Some(asked) = ask(source) else { continue };
            let before = session.spent().unwrap();
            match session.eval_with(&asked, &mut source.entropy()) {
                Ok(_) => {
                    let spent = session.spent().unwrap();
                    assert!(before.is_within(&spent), "{before:?} then {spent:?}");
                    assert!(asked.map(&d_in).unwrap().is_counted(&spent), "an answer was not charged: {spent:?}");
                }
                Err(error) => {
                    assert!(REFUSALS.contains(&error.kind()) || asked.map(&d_in).is_err(), "{error}");
                    assert_eq!(session.spent().unwrap(), before);
                }
            }
            assert!(session.spent().unwrap().is_within(&budget), "{:?} of {budget:?}", session.spent());
        }
    });
}

fn declared(source: &mut Source) {
    let (d_in, data) = (source.word(), data(source));
    in_each_measure!(source: |measure, loss, ask| {
        let losses = source.several(4, loss);
        let all = losses.len();
        let declared = make!(make_adaptive_composition(rows(), SymmetricDistance, measure, d_in, losses));
        let Some(declared) = declared else { return };
        exercise::losses(source, &declared);
        let Some(session) = exercise::release(source, &declared, &data) else { return };
        let mut answers = 0;
        for _ in 0..source.below(12) {
            let Some(asked) = ask(source) else { continue };
            let before = session.remaining().unwrap();
            match session.eval_with(&asked, &mut source.entropy()) {
                Ok(_) => {
                    assert!(asked.map(&d_in).unwrap().is_within(&before[0]), "more than was declared");
                    answers += 1;
                }
                Err(error) => {
                    assert!(REFUSALS.contains(&error.kind()) || asked.map(&d_in).is_err(), "{error}");
                }
            }
            assert_eq!(session.remaining().unwrap().len(), all - answers);
        }
    });
}

fn odometer(source: &mut Source) {
    let (d_in, data) = (source.word(), data(source));
    in_each_measure!(source: |measure, _loss, ask| {
        let Some(odometer) = make!(make_fully_adaptive_composition(rows(), SymmetricDistance, measure)) else { return };
        exercise::losses(source, &odometer);
        let Some(session) = exercise::release(source, &odometer, &data) else { return };
        for _ in 0..source.below(8) {
            let Some(asked) = ask(source) else { continue };
            let before = told(session.spent(&d_in));
            if session.eval_with(&asked, &mut source.entropy()).is_ok()
                && let (Some(before), Some(spent)) = (before, told(session.spent(&d_in)))
            {
                assert!(before.is_within(&spent) && asked.map(&d_in).unwrap().is_counted(&spent), "{spent:?}");
            }
        }
        exercise::map(source, &|d_in| session.spent(d_in));
    });
}

fn above_threshold(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 1).pop().unwrap_or(0);
    let space = || (element.clone(), AbsoluteDistance::new());
    let stability = (source.mostly_plain(), source.mostly_plain());
    let monotonicity = source.choose(&[Monotonicity::Unknown, Monotonicity::Assumed]);
    let (limit, scales) = (source.word(), (source.mostly_plain(), source.mostly_plain()));
    let (threshold, (domain, metric)) = (source.integer(), space());
    let sparse = make!(make_above_threshold(domain, metric, stability, monotonicity, threshold, limit, scales));
    let Some(sparse) = sparse else { return };
    exercise::losses(source, &sparse);
    let Some(session) = exercise::release(source, &sparse, &data) else { return };
    let mut positives = 0;
    for _ in 0..source.below(12) {
        let (factor, shift) = (source.integer() % 4, source.integer());
        let function = move |x: &i64| x.saturating_mul(factor).saturating_add(shift);
        let slope = if source.below(8) == 0 { source.float() } else { 1.0 };
        let (domain, metric) = space();
        let output = (AtomDomain::i64(), AbsoluteDistance::new());
        let map = move |d_in: &f64| Ok(d_in * slope);
        let Some(asked) = told(make_user_transformation(domain, metric, output.0, output.1, function, map)) else {
            continue;
        };
        match session.eval_with(&asked, &mut source.entropy()) {
            Ok(answer) => {
                assert!(positives < limit, "an answer after the last");
                assert!(asked.map(&stability.0).unwrap() <= stability.1, "a question that moves too far was answered");
                positives += u32::from(answer);
            }
            Err(error) if error.kind() == ErrorKind::Exhausted => assert_eq!(positives, limit),
            Err(error) => assert!(error.kind() == ErrorKind::Question || asked.map(&stability.0).is_err(), "{error}"),
        }
    }
}

fn running_sums(source: &mut Source) {
    let element = integer_domain(source);
    let (ahead, items) = (integers_for(source, &element, 3), integers_for(source, &element, 12));
    let (horizon, scale) = (source.word(), source.mostly_plain());
    one_of!(source: [MaxDivergence, ZeroConcentratedDivergence] |measure| {
        let stream = VectorDomain::new(element.clone());
        let sums = make!(make_tree_aggregation(stream, HammingDistance, measure, horizon, scale));
        let Some(sums) = sums else { return };
        exercise::losses(source, &sums);
        let Ok(session) = sums.invoke_with(&ahead, &mut source.entropy()) else {
            let fits = u32::try_from(ahead.len()).unwrap() <= horizon;
            assert!(!fits || !sums.input_domain().member(&ahead));
            return;
        };
        let mut time = u32::try_from(ahead.len()).unwrap();
        for item in &items {
            match session.eval_with(item, &mut source.entropy()) {
                Ok(_) => {
                    time += 1;
                    assert!(element.member(item) && time <= horizon);
                }
                Err(error) if error.kind() == ErrorKind::Exhausted => assert_eq!(time, horizon),
                Err(error) => assert!(error.kind() == ErrorKind::Domain && !element.member(item), "{error}"),
            }
        }
    });
}

/// Steps of parts, of factors of all kinds: as many responses as there are steps, and none to what moves too far.
fn steps(source: &mut Source) {
    let steps = if source.below(4) == 0 { source.word() } else { 1 + source.word() % 9 };
    let factor = match source.below(3) {
        0 => told(ToeplitzFactor::new(source.several(5, Source::mostly_plain), steps)),
        _ => {
            let root = told(ToeplitzFactor::square_root(steps % 4096));
            if source.coin() { root.and_then(|root| told(root.banded(source.word()))) } else { root }
        }
    };
    let Some(factor) = factor else { return };
    let parts = 1 + source.below(4);
    let data: Vec<Vec<i64>> = (0..parts).map(|_| data(source)).collect();
    let (width, stability, scale) =
        (source.below(4), (source.word() % 4, source.mostly_plain()), source.mostly_plain());
    let metric = PartitionDistance(SymmetricDistance);
    one_of!(source: [GaussianDivergence, ZeroConcentratedDivergence, RenyiDivergence] |measure| {
        let domain = VectorDomain::new(rows()).with_size(parts);
        let sums = make!(make_matrix_factorization(domain, metric, measure, factor, width, stability, scale));
        let Some(sums) = sums else { return };
        exercise::losses(source, &sums);
        let Some(session) = exercise::release(source, &sums, &data) else { return };
        let mut answers = 0;
        for _ in 0..source.below(12) {
            let length = if source.below(8) == 0 { source.below(4) } else { width };
            let vector = VectorDomain::new(AtomDomain::f64()).with_size(length);
            let (radius, number) = (source.mostly_plain(), source.float());
            let asked = (rows(), SymmetricDistance)
                >> then_map(vector, vec![0.0; length], move |x: &i64| vec![if *x > 0 { number } else { 1.0 }; length])
                >> then_norm_clip(Norm::L2, radius)
                >> then_vector_sum(L2Distance::new());
            let Some(asked) = told(asked) else { continue };
            match session.eval_with(&asked, &mut source.entropy()) {
                Ok(answer) => {
                    assert!(answer.len() == width && length == width && answers < steps, "{answers} of {steps}");
                    assert!(asked.map(&stability.0).unwrap() <= stability.1, "a question that moves too far was answered");
                    answers += 1;
                }
                Err(error) if error.kind() == ErrorKind::Exhausted => assert_eq!(answers, steps),
                Err(error) => assert!(error.kind() == ErrorKind::Question || asked.map(&stability.0).is_err(), "{error}"),
            }
        }
    });
}
