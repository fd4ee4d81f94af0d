//! Measurements of measurements: their parts are frozen, so that whatever differs is of their own making.

use super::{Flow, INTEGERS, SEEDS, alike, but, datasets, of_size, replay, rows};
use indistinct::{
    bounds::RowMetric,
    core::{MetricSpace, ToParameter},
    prelude::*,
    sampling::Entropy,
};
use indistinct_audit::{
    Key, Report, Seen,
    silence::{frozen, same_control_flow, same_replay},
};

pub(super) const FLOWS: &[Flow] = &[
    alike("make_composition", || {
        let pair = || make_composition((part(3), part(5)));
        let many = make_composition(vec![part(3), part(64), part(1), part(9)]);
        let eight = make_composition((part(1), part(2), part(3), part(4), part(5), part(6), part(7), part(8)));
        let nested = make_composition((pair().unwrap(), part(7), many.clone().unwrap()));
        let noise = || (rows() >> then_count() >> then_laplace(1.0)).unwrap();
        let bits = || (noise() >> Function::new(|_: &i64| 0u64)).unwrap();
        // With noise among the parts nothing is frozen but what is drawn.
        let noisy = make_composition(vec![bits(), part(3), bits()]);
        let flat = Function::new(|((a, b), c, d): &((u64, u64), u64, Vec<u64>)| [vec![*a, *b, *c], d.clone()].concat());
        let list = Function::new(|(a, b, c, d, e, f, g, h): &(u64, u64, u64, u64, u64, u64, u64, u64)| {
            vec![*a, *b, *c, *d, *e, *f, *g, *h]
        });
        replay(pair(), &all())
            .and(replay(many, &all()))
            .and(replay(eight >> list, &all()))
            .and(replay(nested >> flat, &all()))
            .and(replay(noisy, &all()))
    }),
    alike("make_parallel_composition", || {
        let each = make_parallel_composition(vec![part(3), part(5), part(7)]);
        // Parts without rows among them.
        let inputs = of_size(3, &[vec![], vec![0], vec![7, i64::MAX], vec![1; 9]]);
        replay(each, &inputs)
    }),
    but(
        "make_select_private_candidate",
        || {
            let scored = |bits: u32| {
                let score = Function::new(|bits: &u64| (f64::from(u32::try_from(bits % 7).unwrap()), *bits));
                (part(bits) >> score).unwrap()
            };
            let best = make_select_private_candidate(scored(8), 0.25, None);
            let first = make_select_private_candidate(scored(8), 0.25, Some(4.0));
            replay(best, &all()).and(replay(first, &all()))
        },
        "with a threshold, the number of runs follows from what they release",
        || {
            let response = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.9).unwrap();
            let score = Function::new(|answer: &bool| (if *answer { 1.0 } else { 0.0 }, *answer));
            let first = make_select_private_candidate((response >> score).unwrap(), 0.25, Some(1.0)).unwrap();
            let run = |x: &bool, entropy: &mut dyn Entropy| Ok(first.invoke_with(x, entropy)?.key());
            same_control_flow(&run, &[true, false], SEEDS)
        },
    ),
    but(
        "make_poisson_sampling",
        || {
            let sampled = |rate| make_poisson_sampling(part(3), rate);
            [0.0, 0.25, 1.0]
                .map(|rate| replay(sampled(rate), &of_size(3, &INTEGERS)))
                .into_iter()
                .reduce(Report::and)
                .unwrap()
        },
        "a coin for each row",
        || replay(make_poisson_sampling(part(3), 0.25), &[vec![1], vec![1, 1]]),
    ),
    alike("make_sampling_without_replacement", || {
        let sampled = |size| make_sampling_without_replacement(part_of(ChangeOneDistance, Some(size)), 4);
        [1, 2, 4]
            .map(|size| replay(sampled(size), &of_size(4, &[0, 7, -1, i64::MAX])))
            .into_iter()
            .reduce(Report::and)
            .unwrap()
    }),
    alike("make_population_amplification", || {
        replay(
            make_population_amplification(part_of(ChangeOneDistance, Some(2)), 9, AssumeSecretSample),
            &of_size(2, &INTEGERS),
        )
    }),
    alike("make_shuffled_reports", || {
        let report =
            || frozen((AtomDomain::i64(), DiscreteDistance), MaxDivergence, 9, |d_in: &u32| Ok(f64::from(*d_in)));
        let response = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75).unwrap();
        let noisy = make_shuffled_reports(response, 5, 1e-6).unwrap();
        let run = |rows: &Vec<bool>, entropy: &mut dyn Entropy| Ok(noisy.invoke_with(rows, entropy)?.key());
        replay(make_shuffled_reports(report().unwrap(), 3, 1e-6), &of_size(3, &INTEGERS)).and(same_control_flow(
            &run,
            &of_size(5, &[true, false]),
            SEEDS,
        ))
    }),
    alike("make_privacy_filter", || {
        let (domain, metric) = rows();
        let filter = make_privacy_filter(domain, metric, MaxDivergence, 1, 3.5).unwrap();
        conversation(|data, entropy| {
            let session = filter.invoke_with(data, entropy)?;
            talk(|bits| session.eval_with(&part(bits), entropy))
        })
    }),
    alike("make_adaptive_composition", || {
        let (domain, metric) = rows();
        let declared = make_adaptive_composition(domain, metric, MaxDivergence, 1, vec![1.0, 0.5, 1.0, 1.0]).unwrap();
        conversation(|data, entropy| {
            let session = declared.invoke_with(data, entropy)?;
            talk(|bits| session.eval_with(&part(bits), entropy))
        })
    }),
    alike("make_fully_adaptive_composition", || {
        let (domain, metric) = rows();
        let odometer = make_fully_adaptive_composition(domain, metric, MaxDivergence).unwrap();
        conversation(|data, entropy| {
            let session = odometer.invoke_with(data, entropy)?;
            Ok((talk(|bits| session.eval_with(&part(bits), entropy))?, session.spent(&1)?).key())
        })
    }),
    alike("make_approximate", || replay(make_approximate(part(3)), &all())),
    alike("make_pureDP_to_approxDP", || replay(make_pureDP_to_approxDP(part(3)), &all())),
    alike("make_fixed_approxDP_to_approxDP", || {
        replay(make_fixed_approxDP_to_approxDP(make_pureDP_to_approxDP(part(3)).unwrap()), &all())
    }),
    alike("make_pureDP_to_bounded_range", || replay(make_pureDP_to_bounded_range(part(3)), &all())),
    alike("make_bounded_range_to_pureDP", || replay(make_bounded_range_to_pureDP(with(RangeDivergence)), &all())),
    alike("make_bounded_range_to_zCDP", || replay(make_bounded_range_to_zCDP(with(RangeDivergence)), &all())),
    alike("make_pureDP_to_zCDP", || replay(make_pureDP_to_zCDP(part(3)), &all())),
    alike("make_zCDP_to_RDP", || replay(make_zCDP_to_RDP(with(ZeroConcentratedDivergence)), &all())),
    alike("make_zCDP_to_approxDP", || replay(make_zCDP_to_approxDP(with(ZeroConcentratedDivergence)), &all())),
    alike("make_RDP_to_approxDP", || {
        replay(make_RDP_to_approxDP(make_zCDP_to_RDP(with(ZeroConcentratedDivergence)).unwrap()), &all())
    }),
    alike("make_GDP_to_zCDP", || replay(make_GDP_to_zCDP(with(GaussianDivergence)), &all())),
    alike("make_GDP_to_approxDP", || replay(make_GDP_to_approxDP(with(GaussianDivergence)), &all())),
    alike("make_GDP_to_PLD", || replay(make_GDP_to_PLD(with(GaussianDivergence)), &all())),
    alike("make_pureDP_to_PLD", || replay(make_pureDP_to_PLD(part(3)), &all())),
    alike("make_fixed_approxDP_to_PLD", || {
        replay(make_fixed_approxDP_to_PLD(make_pureDP_to_approxDP(part(3)).unwrap()), &all())
    }),
    alike("make_bounded_range_to_PLD", || replay(make_bounded_range_to_PLD(with(RangeDivergence)), &all())),
    alike("make_PLD_to_RDP", || replay(make_PLD_to_RDP(make_pureDP_to_PLD(part(3)).unwrap()), &all())),
    alike("make_PLD_to_approxDP", || replay(make_PLD_to_approxDP(make_pureDP_to_PLD(part(3)).unwrap()), &all())),
    alike("make_fix_delta", || {
        let profile = make_zCDP_to_approxDP(with(ZeroConcentratedDivergence)).unwrap();
        replay(make_fix_delta(profile, 1e-6), &all())
    }),
    alike("make_fix_epsilon", || {
        let profile = make_zCDP_to_approxDP(with(ZeroConcentratedDivergence)).unwrap();
        replay(make_fix_epsilon(profile, 1.0), &all())
    }),
];

/// All datasets of up to two rows, and a long one.
fn all() -> Vec<Vec<i64>> {
    datasets(&INTEGERS)
}

type Part<M, MO> = Measurement<VectorDomain<AtomDomain<i64>>, u64, M, MO>;

fn part(bits: u32) -> Part<SymmetricDistance, MaxDivergence> {
    frozen(rows(), MaxDivergence, bits, |d_in: &u32| Ok(f64::from(*d_in))).unwrap()
}

fn part_of<M: RowMetric>(metric: M, size: Option<usize>) -> Part<M, MaxDivergence>
where
    (VectorDomain<AtomDomain<i64>>, M): MetricSpace,
{
    let rows = size.map_or(rows().0, |size| rows().0.with_size(size));
    frozen((rows, metric), MaxDivergence, 3, |d_in: &u32| Ok(f64::from(*d_in))).unwrap()
}

fn with<MO: Measure<Distance = f64> + ToParameter>(measure: MO) -> Part<SymmetricDistance, MO> {
    frozen(rows(), measure, 3, |d_in: &u32| Ok(f64::from(*d_in))).unwrap()
}

fn conversation(run: impl Fn(&Vec<i64>, &mut dyn Entropy) -> Fallible<Key> + Sync) -> Report {
    same_replay(&run, &all(), SEEDS)
}

/// Queries that depend on the responses, more of them than there are responses; what is refused, and how, is part of
/// the outcome.
fn talk(mut ask: impl FnMut(u32) -> Fallible<u64>) -> Fallible<Key> {
    let mut heard: Vec<Option<u64>> = Vec::new();
    for turn in 0..6u32 {
        let odd = heard.last().is_some_and(|last| last.is_some_and(|bits| bits % 2 == 1));
        heard.push(match ask(if odd { 2 + turn } else { 20 + turn }) {
            Ok(bits) => Some(bits),
            Err(error) if matches!(error.kind(), ErrorKind::Budget | ErrorKind::Exhausted) => None,
            Err(error) => return Err(error),
        });
    }
    Ok(heard.key())
}
