//! Conversations: all that is seen of them is their outcome.

use super::{
    formulas,
    noise::{whole_law, whole_number},
    reals::on_reals,
    responses::coins,
    support::*,
};
use indistinct::{
    bounds::GaussianMeasure,
    domains::Norm,
    measurements::{Scale, StepQuestion},
    prelude::*,
    sampling::{Entropy, RoundedNoise},
};
use indistinct_audit::{Claims, Key, Report, Seen, exact::exact_with, tape::Probing};

rows! {
    tight make_above_threshold: above_threshold;
    tight make_adaptive_composition: adaptive_composition;
    tight make_fully_adaptive_composition: odometer;
    tight make_matrix_factorization: matrix_factorization;
    tight make_privacy_filter: privacy_filter;
    tight make_tree_aggregation: tree_aggregation;
}

type Numbers = (AtomDomain<i64>, AbsoluteDistance);

fn numbers() -> Numbers {
    (AtomDomain::i64(), AbsoluteDistance::new())
}

/// A query that rises or falls with the number.
fn question(
    sign: i64,
    offset: i64,
) -> Transformation<AtomDomain<i64>, AtomDomain<i64>, AbsoluteDistance, AbsoluteDistance> {
    let (domain, metric) = numbers();
    let function = move |x: &i64| sign * x + offset;
    make_user_transformation(domain.clone(), metric, domain, metric, function, |d_in: &f64| Ok(*d_in)).unwrap()
}

fn above_threshold() -> Report {
    let make = |monotonicity, limit, scales| {
        let (domain, metric) = numbers();
        make_above_threshold(domain, metric, (1.0, 1.0), monotonicity, 1i64, limit, scales).unwrap()
    };
    // The code itself, for one query.
    let one = make(Monotonicity::Unknown, 1, (0.5, 1.0));
    let ask_one = |x: &i64, entropy: &mut dyn Entropy| {
        Ok(one.invoke_with(x, entropy)?.eval_with(&question(1, 0), entropy)?.key())
    };
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(22) };
    // One answer shows a quarter of the whole loss, and three that fall and rise about half of it: all of it is
    // attained below.
    let by_code = part(0.2, exact_with(&one, &[0, 1, 2], probing, &ask_one));
    // Several queries, by formula: as many as the limit lets through.
    let several = all([(Monotonicity::Unknown, 1), (Monotonicity::Unknown, 2), (Monotonicity::Assumed, 1)].map(
        |(monotonicity, limit)| {
            let scales = (1.0, 2.0);
            let sparse = make(monotonicity, limit, scales);
            let signs: &[(i64, i64)] = match monotonicity {
                Monotonicity::Unknown => &[(1, 0), (1, 0), (-1, 3)],
                Monotonicity::Assumed => &[(1, 0), (1, -2), (1, 1)],
            };
            let run = |x: &i64, entropy: &mut dyn Entropy| {
                let (session, mut answers) = (sparse.invoke_with(x, entropy)?, Vec::new());
                for (sign, offset) in signs {
                    match session.eval_with(&question(*sign, *offset), entropy) {
                        Ok(answer) => answers.push(answer),
                        Err(error) if error.kind() == ErrorKind::Exhausted => break,
                        Err(error) => return Err(error),
                    }
                }
                Ok(answers.key())
            };
            let law = |x: &i64| {
                let values: Vec<i64> = signs.iter().map(|(sign, offset)| sign * x + offset).collect();
                formulas::sparse_vector(&values, 1, limit, scales, 60)
            };
            part(0.4, by_formula_with(&sparse, &[0, 1, 2], law, &run)).and(rises(
                &sparse,
                &[0.0, 0.5, 1.0, 2.0, 9.0],
                &0.0,
            ))
        },
    ));
    by_code.and(several).and(attained()).and(on_reals())
}

/// Eight responses of false to queries that rise, by which the threshold must lie above them all, then as many of true
/// as the limit lets through, to queries that move as far in the other direction as they may: the whole loss,
/// whatever the scales and the limit.
fn attained() -> Report {
    let fall = |monotonicity| match monotonicity {
        Monotonicity::Unknown => -1,
        // None may fall where others rise.
        Monotonicity::Assumed => 0,
    };
    let each = [Monotonicity::Unknown, Monotonicity::Assumed].into_iter().flat_map(|monotonicity| {
        [(1, (1.0, 2.0)), (2, (1.0, 2.0)), (3, (2.0, 3.0))].map(|(limit, scales)| (monotonicity, limit, scales))
    });
    parts(
        0.95,
        each.map(|(monotonicity, limit, scales)| {
            let (domain, metric) = numbers();
            let sparse = make_above_threshold(domain, metric, (1.0, 1.0), monotonicity, 1i64, limit, scales).unwrap();
            let falls = vec![fall(monotonicity); usize::try_from(limit).unwrap()];
            let signs = [vec![1; 8], falls].concat();
            let run = |x: &i64, entropy: &mut dyn Entropy| {
                let (session, mut answers) = (sparse.invoke_with(x, entropy)?, Vec::new());
                for sign in &signs {
                    match session.eval_with(&question(*sign, 0), entropy) {
                        Ok(answer) => answers.push(answer),
                        Err(error) if error.kind() == ErrorKind::Exhausted => break,
                        Err(error) => return Err(error),
                    }
                }
                Ok(answers.key())
            };
            let law = |x: &i64| {
                let values: Vec<i64> = signs.iter().map(|sign| sign * x).collect();
                formulas::sparse_vector(&values, 1, limit, scales, 60)
            };
            by_formula_with(&sparse, &[0, 1], law, &run)
        }),
    )
}

/// Conversations in which each response decides the next query, within a budget.
fn privacy_filter() -> Report {
    let space = || (AtomDomain::bool(), DiscreteDistance);
    let losses = [0.75, 0.6, 0.9].map(|prob| response(prob).map(&1).unwrap());
    // Just enough for the first and either of the others, so that a filter that let through more would be seen.
    let budget = losses[0] + losses[2].max(losses[1]);
    let filter = make_privacy_filter(space().0, space().1, MaxDivergence, 1, budget.next_up()).unwrap();
    let run = |x: &bool, entropy: &mut dyn Entropy| {
        let session = filter.invoke_with(x, entropy)?;
        let mut answers = vec![session.eval_with(&response(0.75), entropy)?];
        for prob in if answers[0] { [0.9, 0.6, 0.9] } else { [0.6, 0.9, 0.75] } {
            match session.eval_with(&response(prob), entropy) {
                Ok(answer) => answers.push(answer),
                Err(error) if error.kind() == ErrorKind::Budget => {}
                Err(error) => return Err(error),
            }
        }
        Ok(answers.key())
    };
    part(0.95, exact_with(&filter, &[true, false], coins(), &run)).and(rises(&filter, &[0, 1, 2], &0.0))
}

fn response(prob: f64) -> Measurement<AtomDomain<bool>, bool, DiscreteDistance, MaxDivergence> {
    make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap()
}

/// Each response decides the next query, within declared losses; whatever is beyond them is refused.
fn adaptive_composition() -> Report {
    let losses: Vec<f64> = [0.75, 0.9].map(|prob| response(prob).map(&1).unwrap()).to_vec();
    let (domain, metric) = (AtomDomain::bool(), DiscreteDistance);
    let declared = make_adaptive_composition(domain, metric, MaxDivergence, 1, losses).unwrap();
    let run = |x: &bool, entropy: &mut dyn Entropy| {
        let session = declared.invoke_with(x, entropy)?;
        let mut answers = Vec::new();
        for prob in [0.9, 0.75, 0.75, 0.6, 0.9, 0.9] {
            let prob = if answers == [true] { 0.9 } else { prob };
            match session.eval_with(&response(prob), entropy) {
                Ok(answer) => answers.push(answer),
                Err(error) if matches!(error.kind(), ErrorKind::Budget | ErrorKind::Exhausted) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(answers.key())
    };
    part(0.95, exact_with(&declared, &[true, false], coins(), &run)).and(rises(&declared, &[0, 1, 2], &0.0))
}

/// Nothing is claimed of the whole, but what the odometer shows after two releases, of which the first decides the
/// second, is a claim about these.
fn odometer() -> Report {
    let odometer = make_fully_adaptive_composition(AtomDomain::bool(), DiscreteDistance, MaxDivergence).unwrap();
    let talk = move |x: &bool, entropy: &mut dyn Entropy| -> Fallible<(Vec<bool>, f64)> {
        let session = odometer.invoke_with(x, entropy)?;
        let first = session.eval_with(&response(0.75), entropy)?;
        let second = session.eval_with(&response(if first { 0.9 } else { 0.6 }), entropy)?;
        Ok((vec![first, second], session.spent(&1)?))
    };
    let shown = [1u64, 2, 3, 4, 5, 6, 7, 8].map(|seed| {
        let mut entropy = indistinct::sampling::testing::SeededEntropy::new(seed);
        talk(&true, &mut entropy).unwrap().1
    });
    // The greater of the two losses that are ever shown: whoever stops there may have lost so much.
    let most = shown.into_iter().fold(0.0, f64::max);
    let stopped = make_user_measurement(
        AtomDomain::bool(),
        DiscreteDistance,
        MaxDivergence,
        move |x: &bool, entropy: &mut dyn Entropy| Ok(talk(x, entropy)?.0),
        move |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { most }),
    )
    .unwrap();
    part(0.95, indistinct_audit::exact::exact(&stopped, &[true, false], coins()))
}

pub(crate) type Parts = VectorDomain<VectorDomain<AtomDomain<bool>>>;

pub(crate) fn parts_of(count: usize) -> Parts {
    VectorDomain::new(VectorDomain::new(AtomDomain::bool())).with_size(count)
}

/// The number of rows, as a vector of one number; a row that is false counts less than none.
pub(crate) fn step() -> StepQuestion<VectorDomain<AtomDomain<bool>>, SymmetricDistance> {
    let (rows, number) = (VectorDomain::new(AtomDomain::bool()), VectorDomain::new(AtomDomain::f64()).with_size(1));
    let counted = (rows, SymmetricDistance)
        >> then_map(number, vec![0.0], |x: &bool| vec![if *x { 1.0 } else { -1.0 }])
        >> then_norm_clip(Norm::L2, 1.0)
        >> then_vector_sum(L2Distance::new());
    counted.unwrap()
}

/// Two steps with diagonals (1, 1/2), of two parts or of one part twice, with noise on whole numbers: the law of both
/// is a product. What is shown is turned back into what the noise was added to, and compared with what is claimed.
pub(crate) fn two_steps<TO: 'static, MO: Claims>(
    claimed: &Measurement<Parts, TO, PartitionDistance<SymmetricDistance>, MO>,
) -> Report {
    let parts = claimed.input_domain().size().unwrap();
    let sums = sums_of(GaussianDivergence, parts);
    let run = |data: &Vec<Vec<bool>>, entropy: &mut dyn Entropy| {
        let session = sums.invoke_with(data, entropy)?;
        let (first, both) = (session.eval_with(&step(), entropy)?[0], session.eval_with(&step(), entropy)?[0]);
        let second = both - first + 0.5 * first;
        Ok(Key::List(vec![whole_number(first.key()), whole_number(second.key())]))
    };
    let law = |data: &Vec<Vec<bool>>| {
        let sum = |part: &[bool]| part.iter().map(|x| if *x { 1.0 } else { -1.0 }).sum::<f64>();
        let (one, two) = (sum(&data[0]), sum(&data[parts - 1]));
        let of = |center: f64| whole_law(move |end| formulas::gaussian_cdf(end - center, 1.25));
        of(one).product(&of(0.5 * one + two))
    };
    let inputs = match parts {
        1 => vec![vec![vec![]], vec![vec![true]], vec![vec![true, true]]],
        _ => vec![vec![vec![], vec![]], vec![vec![true], vec![]], vec![vec![], vec![false]], vec![vec![true]; 2]],
    };
    by_formula_with(claimed, &inputs, law, &run)
}

type Sums<MO> = Measurement<
    Parts,
    Queryable<StepQuestion<VectorDomain<AtomDomain<bool>>, SymmetricDistance>, Vec<f64>>,
    PartitionDistance<SymmetricDistance>,
    MO,
>;

fn sums_of<MO: GaussianMeasure<RoundedNoise, L2Distance>>(measure: MO, parts: usize) -> Sums<MO> {
    let (factor, metric) = (ToeplitzFactor::new(vec![1.0, 0.5], 2).unwrap(), PartitionDistance(SymmetricDistance));
    let scale = Scale::new(1.25).on_grid(0);
    make_matrix_factorization(parts_of(parts), metric, measure, factor, 1, (1, 1.0), scale).unwrap()
}

fn matrix_factorization() -> Report {
    let (factor, metric) = (ToeplitzFactor::square_root(9).unwrap(), PartitionDistance(SymmetricDistance));
    let mu = make_matrix_factorization(parts_of(3), metric, GaussianDivergence, factor, 1, (2, 1.0), 5.0).unwrap();
    let ladder = [(0, 0, 0), (1, 1, 1), (1, 2, 2), (2, 3, 2), (3, 9, 2), (3, 9, 3)];
    part(0.9, two_steps(&sums_of(GaussianDivergence, 2)))
        .and(part(0.9, two_steps(&sums_of(ZeroConcentratedDivergence, 2))))
        .and(part(0.9, two_steps(&sums_of(GaussianDivergence, 1))))
        .and(part(0.9, two_steps(&sums_of(RenyiDivergence, 1))))
        .and(rises(&mu, &ladder, &0.0))
}

fn tree_aggregation() -> Report {
    let items = || VectorDomain::new(AtomDomain::i64().with_bounds((0, 1)).unwrap());
    // A horizon of two: one level more than one item needs. The first item is in both blocks.
    let pure = make_tree_aggregation(items(), HammingDistance, MaxDivergence, 2, 0.5).unwrap();
    let rho = make_tree_aggregation(items(), HammingDistance, ZeroConcentratedDivergence, 2, 0.5).unwrap();
    let inputs = [vec![0, 0], vec![1, 0], vec![1, 1]];
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(22) };
    macro_rules! conversation {
        ($tree:expr) => {
            |stream: &Vec<i64>, entropy: &mut dyn Entropy| {
                let sums = $tree.invoke_with(&[], entropy)?;
                let answers: Fallible<Vec<i128>> = stream.iter().map(|item| sums.eval_with(item, entropy)).collect();
                Ok(answers?.key())
            }
        };
    }
    // Sums in advance are those of a conversation: what is released of them is released of these.
    let ahead = |stream: &Vec<i64>, entropy: &mut dyn Entropy| -> Fallible<Key> {
        let sums = pure.invoke_with(&stream[..1], entropy)?;
        Ok(sums.eval_with(&stream[1], entropy)?.key())
    };
    part(0.95, exact_with(&pure, &inputs, probing, &conversation!(pure)))
        .and(part(0.95, exact_with(&rho, &inputs, probing, &conversation!(rho))))
        // Of two blocks with the first item one is never released, and its share of the loss, a half, is not seen.
        .and(part(0.45, exact_with(&pure, &inputs, probing, &ahead)))
        .and(items_of_two())
        .and(sums_beyond_their_items())
        .and(rises(&pure, &[0, 1, 2, 100, u32::MAX], &0.0))
}

/// Items whose sum crosses the end of `i32`, and of what floats hold exactly, where one row moves it: what wraps or
/// rounds there is far from what does not.
fn sums_beyond_their_items() -> Report {
    let audit = |item: i64| {
        let items = VectorDomain::new(AtomDomain::i64().with_bounds((item - 1, item)).unwrap());
        let tree = make_tree_aggregation(items, HammingDistance, MaxDivergence, 2, 0.5).unwrap();
        let run = |stream: &Vec<i64>, entropy: &mut dyn Entropy| {
            let sums = tree.invoke_with(&[], entropy)?;
            Ok(stream.iter().map(|item| sums.eval_with(item, entropy)).collect::<Fallible<Vec<i128>>>()?.key())
        };
        let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
        part(0.95, exact_with(&tree, &[vec![item - 1, item], vec![item, item]], probing, &run))
    };
    audit(1 << 30).and(audit(1 << 52))
}

/// Items of two integers, each with noise of its own: one row moves both.
fn items_of_two() -> Report {
    let items = || VectorDomain::new(VectorDomain::new(AtomDomain::i64().with_bounds((0, 1)).unwrap()).with_size(2));
    let inputs = [vec![vec![0, 0]], vec![vec![1, 1]], vec![vec![1, 0]]];
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(22) };
    macro_rules! one_item {
        ($measure:expr) => {{
            let tree = make_tree_aggregation(items(), HammingDistance, $measure, 1, 0.5).unwrap();
            let run = |stream: &Vec<Vec<i64>>, entropy: &mut dyn Entropy| {
                Ok(tree.invoke_with(&[], entropy)?.eval_with(&stream[0], entropy)?.key())
            };
            part(0.95, exact_with(&tree, &inputs, probing, &run))
        }};
    }
    one_item!(MaxDivergence).and(one_item!(ZeroConcentratedDivergence))
}
