//! Releases of their own: noise, responses, histograms, selections, conversations with noise.

use super::super::combinators::keyed_sums;
use super::{Flow, INTEGERS, SEEDS, alike, but, flow, of_size, replay, rows};
use crate::interactive::{parts_of, step};
use indistinct::{
    bounds::{ComparedNumber, TreeMeasure},
    measurements::ProjectedCounts,
    prelude::*,
    sampling::{Entropy, bernoulli},
};
use indistinct_audit::{
    Key, Report, Seen,
    silence::{frozen, same_control_flow, same_flow_of_releases},
};
use std::collections::BTreeMap;

pub(super) const FLOWS: &[Flow] = &[
    but("make_laplace_threshold", || laplace(&present()), KEYS, || laplace(&absent())),
    but(
        "make_sums_of_unknown_keys",
        || {
            let inputs = [vec![(1, 2), (2, 1)], vec![(1, -2), (2, 2)], vec![(1, 0), (2, -1)]];
            flow(Ok(keyed_sums((1.0, 2), &[1.0, 9.0])), &inputs)
        },
        "a key draws noise if it is in the data, and noise for its sums if its noisy count is released",
        || flow(Ok(keyed_sums((1.0, 2), &[1.0])), &[vec![(1, 2), (2, 1)], vec![(1, 2)]]),
    ),
    but("make_select_keys", || keys_alone(&present()), KEYS, || keys_alone(&absent())),
    but("make_gaussian_threshold", || gaussian(&present()), KEYS, || gaussian(&absent())),
    but(
        "make_alp",
        || projected(&[&[(1, 1), (2, 2)], &[(1, 4), (2, 400)], &[(7, 7), (9, 8)]]),
        "a number on a level is not rounded, nor one that is absent",
        || projected(&[&[(1, 1), (2, 2)], &[(1, 3), (2, 2)]]),
    ),
    but(
        "make_exponential",
        || selected(|scores| (scores, metric()) >> then_exponential(MaxDivergence, 1.5), &MOVED),
        SELECTED,
        || selected(|scores| (scores, metric()) >> then_exponential(MaxDivergence, 1.5), &APART),
    ),
    but(
        "make_noisy_max",
        || {
            selected(|scores| (scores, metric()) >> then_noisy_max(MaxDivergence, 1.5), &MOVED)
                .and(selected(|scores| (scores, metric()) >> then_noisy_max(RangeDivergence, 1.5), &MOVED))
        },
        SELECTED,
        || selected(|scores| (scores, metric()) >> then_noisy_max(MaxDivergence, 1.5), &APART),
    ),
    but(
        "make_permute_and_flip",
        || selected(|scores| (scores, metric()) >> then_permute_and_flip(1.5), &MOVED),
        SELECTED,
        || selected(|scores| (scores, metric()) >> then_permute_and_flip(1.5), &APART),
    ),
    but(
        "make_noisy_top_k",
        || {
            let many = (VectorDomain::new(AtomDomain::i64()).with_size(80), metric());
            // Beyond 64 winners all numbers are drawn.
            let inputs: Vec<Vec<i64>> = INTEGERS.iter().map(|last| [vec![0; 79], vec![*last]].concat()).collect();
            selected(|scores| (scores, metric()) >> then_noisy_top_k(MaxDivergence, 2, 1.5), &MOVED)
                .and(flow(many >> then_noisy_top_k(MaxDivergence, 65, 1.5), &inputs))
        },
        SELECTED,
        || selected(|scores| (scores, metric()) >> then_noisy_top_k(MaxDivergence, 2, 1.5), &APART),
    ),
    alike("make_private_bounds", || {
        let inputs = [[0.5, 3.0, -1e300], [f64::INFINITY, -0.0, 5e-324], [2.0, 2.0, 2.0]].map(Vec::from);
        let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        flow(space >> then_private_bounds((0, 3), 2.0, 0.01), &inputs)
    }),
    but(
        "make_private_quantile",
        || quantile(&[&[0, 0, 5], &[9, 0, 0], &[0, i64::MAX, 0]]),
        SELECTED,
        || quantile(&[&[0, 0, 5], &[3; 30]]),
    ),
    alike("make_randomized_response", || category(&["a", "b", "c", "elsewhere"])),
    alike("make_randomized_response_bool", || {
        flow((AtomDomain::bool(), DiscreteDistance) >> then_randomized_response_bool(0.7), &[true, false])
    }),
    alike("make_randomized_response_bitvec", || {
        let bits = (VectorDomain::new(AtomDomain::bool()), HammingDistance);
        flow(bits >> then_randomized_response_bitvec(0.7), &of_size(5, &[true, false]))
    }),
    alike("make_tree_aggregation", || {
        streams(MaxDivergence).and(streams(ZeroConcentratedDivergence)).and(streams_of_vectors())
    }),
    alike("make_matrix_factorization", || {
        steps(GaussianDivergence, 3).and(steps(ZeroConcentratedDivergence, 3)).and(steps(GaussianDivergence, 1))
    }),
    // A conversation ends with the last response of true.
    alike("make_above_threshold", || {
        let integers = |x: &i64| *x;
        let question = |sign: i64| user_question(AtomDomain::i64(), move |x: &i64| sign * integers(x));
        let floats =
            |sign: f64| user_question(AtomDomain::f64(), move |x: &i64| sign * f64::from(i32::try_from(*x).unwrap()));
        above(3i64, &[question(1), question(-1), question(1), question(1), question(-1)])
            .and(above(3.0, &[floats(1.0), floats(-0.1), floats(1e9), floats(1e-300), floats(-1.0)]))
    }),
    alike("make_user_measurement", || {
        let noisy = |rows: &[i64], entropy: &mut dyn Entropy| Ok(bernoulli(0.75, entropy)? == rows.contains(&1));
        let (domain, metric) = rows();
        let response = make_user_measurement(domain, metric, MaxDivergence, noisy, |d: &u32| Ok(f64::from(*d)));
        let part = frozen(rows(), MaxDivergence, 7, |d: &u32| Ok(f64::from(*d)));
        flow(response, &super::datasets(&INTEGERS)).and(replay(part, &super::datasets(&INTEGERS)))
    }),
];

const KEYS: &str = "keys that are not in the data have no noise: nobody knows them";
const SELECTED: &str = "what is seen from a few digits not to win draws no more of them";

/// Scores that all move together, and scores that do not.
const MOVED: [[i64; 3]; 4] = [[0, 1, 3], [1, 2, 4], [-9, -8, -6], [100, 101, 103]];
const APART: [[i64; 3]; 2] = [[0, 1, 3], [0, 1, 99]];

fn metric() -> LInfDistance {
    LInfDistance::new()
}

fn selected<TO: Seen + 'static, MO: Measure>(
    make: impl Fn(
        VectorDomain<AtomDomain<i64>>,
    ) -> Fallible<Measurement<VectorDomain<AtomDomain<i64>>, TO, LInfDistance, MO>>,
    inputs: &[[i64; 3]],
) -> Report {
    let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
    flow(make(scores), &inputs.iter().map(|scores| scores.to_vec()).collect::<Vec<_>>())
}

fn quantile(datasets: &[&[i64]]) -> Report {
    let inputs: Vec<Vec<i64>> = datasets.iter().map(|rows| rows.to_vec()).collect();
    flow(rows() >> then_private_quantile(MaxDivergence, vec![0, 3], 0.5, 4.0), &inputs)
}

fn category(inputs: &[&'static str]) -> Report {
    let space = (AtomDomain::<&'static str>::new(), DiscreteDistance);
    flow(space >> then_randomized_response(vec!["a", "b", "c"], 0.5), inputs)
}

type Counts = BTreeMap<u8, i64>;

/// Maps of two keys, and of one or with a number of 0.
fn present() -> Vec<Counts> {
    [[(1, 1), (2, 1)], [(1, 5), (2, -7)], [(3, i64::MAX), (9, i64::MIN)]].map(BTreeMap::from).to_vec()
}

fn absent() -> Vec<Counts> {
    vec![[(1, 1), (2, 1)].into(), [(1, 1), (2, 0)].into()]
}

fn maps() -> MapDomain<u8, AtomDomain<i64>> {
    MapDomain::new(AtomDomain::u8(), AtomDomain::i64())
}

fn laplace(inputs: &[Counts]) -> Report {
    flow((maps(), L01InfDistance) >> then_laplace_threshold(1.0, 3), inputs)
}

fn keys_alone(inputs: &[Counts]) -> Report {
    flow((maps(), L01InfDistance) >> then_select_keys((1.0, 0.01), 1), inputs)
}

fn gaussian(inputs: &[Counts]) -> Report {
    flow((maps(), L02InfDistance) >> then_gaussian_threshold(1.0, 3), inputs)
}

/// Levels at multiples of 3.
fn projected(inputs: &[&[(u8, i64)]]) -> Report {
    let bits = Function::new(|counts: &ProjectedCounts<u8>| counts.bits().collect::<Vec<bool>>());
    let inputs: Vec<Counts> = inputs.iter().map(|entries| entries.iter().copied().collect()).collect();
    flow(((maps(), L01InfDistance) >> then_alp(1.0, 1000.0, 8, 3)) >> bits, &inputs)
}

fn streams<MO: TreeMeasure + indistinct::core::ToParameter>(measure: MO) -> Report {
    let items = VectorDomain::new(AtomDomain::i64().with_bounds((-9, 9)).unwrap());
    let tree = make_tree_aggregation(items, HammingDistance, measure, 7, 2.0).unwrap();
    let run = |stream: &Vec<i64>, entropy: &mut dyn Entropy| {
        // Some in advance.
        let sums = tree.invoke_with(&stream[..2], entropy)?;
        Ok(stream[2..].iter().map(|item| sums.eval_with(item, entropy)).collect::<Fallible<Vec<i128>>>()?.key())
    };
    let constant = [0, 1, -9, 9].map(|item| vec![item; 7]);
    let inputs: Vec<Vec<i64>> = constant
        .into_iter()
        .chain(
            of_size(2, &[0, 1, 9, -9])
                .into_iter()
                .map(|ends| [ends[..1].to_vec(), vec![0; 5], ends[1..].to_vec()].concat()),
        )
        .collect();
    same_control_flow(&run, &inputs, SEEDS)
}

fn streams_of_vectors() -> Report {
    let items = VectorDomain::new(VectorDomain::new(AtomDomain::i64().with_bounds((-9, 9)).unwrap()).with_size(2));
    let tree = make_tree_aggregation(items, HammingDistance, MaxDivergence, 3, 2.0).unwrap();
    let run = |stream: &Vec<Vec<i64>>, entropy: &mut dyn Entropy| {
        let sums = tree.invoke_with(&[], entropy)?;
        Ok(stream.iter().map(|item| sums.eval_with(item, entropy)).collect::<Fallible<Vec<_>>>()?.key())
    };
    same_control_flow(&run, &of_size(3, &[vec![0, 0], vec![1, -9], vec![9, 9]]), SEEDS)
}

/// Three steps of one or of three parts.
fn steps<MO: indistinct::bounds::GaussianMeasure<indistinct::sampling::RoundedNoise, L2Distance>>(
    measure: MO,
    parts: usize,
) -> Report {
    let (factor, metric) = (ToeplitzFactor::square_root(3).unwrap(), PartitionDistance(SymmetricDistance));
    let sums = make_matrix_factorization(parts_of(parts), metric, measure, factor, 1, (1, 1.0), 2.0).unwrap();
    let run = |data: &Vec<Vec<bool>>, entropy: &mut dyn Entropy| {
        let session = sums.invoke_with(data, entropy)?;
        Ok((0..3).map(|_| session.eval_with(&step(), entropy)).collect::<Fallible<Vec<_>>>()?.concat().key())
    };
    let of_part = [vec![], vec![true], vec![false], vec![true; 7], vec![false, true, false]];
    same_control_flow(&run, &of_size(parts, &of_part), SEEDS)
}

type Question<T> = Transformation<AtomDomain<i64>, AtomDomain<T>, AbsoluteDistance, AbsoluteDistance>;

fn user_question<T: indistinct::bounds::Number>(
    output: AtomDomain<T>,
    value: impl Fn(&i64) -> T + Send + Sync + 'static,
) -> Question<T>
where
    AtomDomain<T>: Domain<Carrier = T> + indistinct::core::ToParameter,
{
    let (domain, metric) = (AtomDomain::i64(), AbsoluteDistance::new());
    make_user_transformation(domain, metric, output, metric, value, |d_in: &f64| Ok(*d_in)).unwrap()
}

/// Where the responses are the same, so are the draws; whatever the query.
fn above<T: ComparedNumber + indistinct::core::ToParameter>(threshold: T, questions: &[Question<T>]) -> Report {
    let (domain, metric) = (AtomDomain::i64(), AbsoluteDistance::new());
    let sparse =
        make_above_threshold(domain, metric, (1.0, 1.0), Monotonicity::Unknown, threshold, 2, (2.0, 4.0)).unwrap();
    let run = |x: &i64, entropy: &mut dyn Entropy| -> Fallible<Key> {
        let session = sparse.invoke_with(x, entropy)?;
        let mut answers = Vec::new();
        for question in questions {
            match session.eval_with(question, entropy) {
                Ok(answer) => answers.push(Some(answer)),
                Err(error) if error.kind() == ErrorKind::Exhausted => answers.push(None),
                Err(error) => return Err(error),
            }
        }
        Ok(answers.key())
    };
    same_flow_of_releases(&run, &[0, 1, 2, 3, 4, -1, -2, 7, 60, -60], SEEDS)
}
