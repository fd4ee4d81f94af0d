//! Releases of samples, and of shuffled reports: the code itself, on all bits that matter.

use super::{combinators::leaking, formulas, responses::coins, support::*};
use indistinct::{
    numeric::enclosure::Enclosure,
    prelude::*,
    sampling::{Entropy, uniform_below_u64},
};
use indistinct_audit::{
    Law, Report, Seen,
    exact::{compare_laws, exact, exact_with},
    mass::Mass,
    tape::Probing,
};

rows! {
    tight make_poisson_sampling: poisson;
    tight make_population_amplification: population;
    tight make_sampling_without_replacement: without_replacement;
    loose make_shuffled_reports: shuffled, "loose: the constants of its theorem, for 3,000 reports; few reports attain their own loss";
}

type Rows = VectorDomain<AtomDomain<bool>>;

/// Says whether any row is true, by a response.
fn any_true<M: indistinct::bounds::RowMetric>(
    metric: M,
    size: Option<usize>,
) -> Measurement<Rows, bool, M, MaxDivergence> {
    let rows = VectorDomain::new(AtomDomain::bool());
    let rows = size.map_or(rows.clone(), |size| rows.with_size(size));
    let response = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75).unwrap();
    let loss = response.map(&1).unwrap();
    make_user_measurement(
        rows,
        metric,
        MaxDivergence,
        move |rows: &[bool], entropy: &mut dyn Entropy| response.invoke_with(&rows.contains(&true), entropy),
        move |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { loss }),
    )
    .unwrap()
}

/// The same, and whether any row is true is released outright with probability 1/8.
fn any_true_or_told<M: indistinct::bounds::RowMetric>(
    metric: M,
    size: Option<usize>,
) -> Measurement<Rows, (bool, bool), M, Approximate<MaxDivergence>> {
    let rows = VectorDomain::new(AtomDomain::bool());
    let rows = size.map_or(rows.clone(), |size| rows.with_size(size));
    let response = leaking(MaxDivergence, 3, 3f64.ln().next_up());
    let mapped = response.clone();
    make_user_measurement(
        rows,
        metric,
        Approximate(MaxDivergence),
        move |rows: &[bool], entropy: &mut dyn Entropy| response.invoke_with(&rows.contains(&true), entropy),
        move |d_in: &u32| mapped.map(&(*d_in).min(1)),
    )
    .unwrap()
}

/// The response of whether any row is true, as losses of its own, on samples: alone, and some of them composed, of
/// which the worse direction is the sum of the worse ones; and beside one of all rows, whose losses have no direction.
fn any_true_by_losses() -> Report {
    let inputs = [vec![], vec![true], vec![false], vec![true, false], vec![true, true]];
    parts(
        0.95,
        [0.25, 0.5, 0.9].map(|rate| {
            let losses = make_pureDP_to_PLD(any_true(SymmetricDistance, None)).unwrap();
            let sampled = make_poisson_sampling(losses.clone(), rate).unwrap();
            let two = make_composition(vec![sampled.clone(); 2]).unwrap();
            let mixed = make_composition((sampled.clone(), losses)).unwrap();
            let curve = make_PLD_to_RDP(sampled.clone()).unwrap();
            // At distance 1 what is lost is the pair itself.
            let one = &inputs[..2];
            part(0.95, exact(&sampled, &inputs, coins()))
                .and(part(0.95, exact(&two, one, coins().with_requests(8))))
                .and(part(0.95, exact(&mixed, one, coins().with_requests(8))))
                .and(Report { ratio: 0.0, ..exact(&curve, &inputs, coins()) })
        }),
    )
}

/// Gaussian noise on a sum over a Poisson sample of up to two rows of ones, each at a whole number: its law is a
/// mixture of normal ones.
fn sampled_gaussian() -> Report {
    let rows = VectorDomain::new(AtomDomain::f64());
    let sum = (rows, SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum();
    let noisy = (sum >> then_gaussian(GaussianDivergence, 1.25)).unwrap();
    let sampled = make_poisson_sampling(make_GDP_to_PLD(noisy).unwrap(), 0.25).unwrap();
    let ends: Vec<f64> = (-40..=40).map(|end| f64::from(end) / 8.0).collect();
    let number = formulas::number;
    let law = |ones: u32| {
        formulas::cells(&ends, |end| {
            let (rate, rest) = (number(0.25), number(0.75));
            let at = |shift: f64| formulas::gaussian_cdf(end - shift, 1.25);
            match ones {
                0 => at(0.0),
                1 => rest.mul(&at(0.0)).add(&rate.mul(&at(1.0))),
                _ => {
                    let one = number(2.0).mul(&rate).mul(&rest);
                    rest.mul(&rest).mul(&at(0.0)).add(&one.mul(&at(1.0))).add(&rate.mul(&rate).mul(&at(2.0)))
                }
            }
        })
    };
    let laws = [0u32, 1, 2].map(|ones| (vec![1.0; usize::try_from(ones).unwrap()], law(ones)));
    let curve = make_PLD_to_RDP(sampled.clone()).unwrap();
    part(0.95, compare_laws("formula", &sampled, &laws))
        .and(Report { ratio: 0.0, ..compare_laws("formula", &curve, &laws) })
}

fn poisson() -> Report {
    by_epsilon().and(any_true_by_losses()).and(sampled_gaussian())
}

fn by_epsilon() -> Report {
    let inputs = [vec![], vec![true], vec![false], vec![true, false], vec![true, true], vec![true; 3]];
    all([0.25, 0.5, 0.9, 0.0, 1.0].map(|rate| {
        let sampled = make_poisson_sampling(any_true(SymmetricDistance, None), rate).unwrap();
        let floor = if rate == 0.0 { 0.0 } else { 0.95 };
        let report = part(floor, exact(&sampled, &inputs, coins()));
        let told = make_poisson_sampling(any_true_or_told(SymmetricDistance, None), rate).unwrap();
        report
            .and(part(floor, exact(&told, &inputs[..5], coins().with_requests(8))))
            .and(rises(&sampled, &[0, 1, 2, 3, 100, u32::MAX], &0.0))
            .and(rises(&told, &[0, 1, 2, 3, 100, u32::MAX], &(0.0, 0.0)))
    }))
}

/// All populations of four rows.
fn populations() -> Vec<Vec<bool>> {
    (0..16u32).map(|bits| (0..4).map(|i| bits >> i & 1 == 1).collect()).collect()
}

fn without_replacement() -> Report {
    let losses = all([1, 2].map(|size| {
        let response = any_true(ChangeOneDistance, Some(size));
        let losses = make_pureDP_to_PLD(response.clone()).unwrap();
        let sampled = make_sampling_without_replacement(losses.clone(), 4).unwrap();
        let curve = make_sampling_without_replacement(make_PLD_to_RDP(losses).unwrap(), 4).unwrap();
        let probing = Probing { requests: 12, ..coins() };
        // A guarantee that is amplified has the losses of a response, which are a little more; the curve is a bound.
        let report = exact(&sampled, &populations(), probing).and(exact(&curve, &populations(), probing));
        Report { ratio: 0.0, ..report }
    }));
    losses.and(all([1, 2, 4].map(|size| {
        let sampled = make_sampling_without_replacement(any_true(ChangeOneDistance, Some(size)), 4).unwrap();
        let probing = Probing { requests: 12, ..coins() };
        let told = make_sampling_without_replacement(any_true_or_told(ChangeOneDistance, Some(size)), 4).unwrap();
        part(0.95, exact(&sampled, &populations(), probing))
            .and(part(0.95, exact(&told, &populations(), probing)))
            .and(rises(&sampled, &[0, 1, 2, 3, 4, u32::MAX], &0.0))
            .and(rises(&told, &[0, 1, 2, 3, 4, u32::MAX], &(0.0, 0.0)))
    })))
}

/// The sample is the caller's word; here it is drawn as promised.
fn population() -> Report {
    let amplified = make_population_amplification(any_true(ChangeOneDistance, Some(1)), 4, AssumeSecretSample).unwrap();
    let run = |population: &Vec<bool>, entropy: &mut dyn Entropy| {
        let chosen = usize::try_from(uniform_below_u64(4, entropy)?).unwrap();
        Ok(amplified.invoke_with(&population[chosen..=chosen], entropy)?.key())
    };
    let told = any_true_or_told(ChangeOneDistance, Some(1));
    let told = make_population_amplification(told, 4, AssumeSecretSample).unwrap();
    let run_told = |population: &Vec<bool>, entropy: &mut dyn Entropy| {
        let chosen = usize::try_from(uniform_below_u64(4, entropy)?).unwrap();
        Ok(told.invoke_with(&population[chosen..=chosen], entropy)?.key())
    };
    part(0.95, exact_with(&amplified, &populations(), coins(), &run))
        .and(part(0.95, exact_with(&told, &populations(), coins().with_requests(8), &run_told)))
        .and(rises(&amplified, &[0, 1, 2, 3, 4, 9], &0.0))
}

fn shuffled() -> Report {
    let report = || make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75).unwrap();
    let few = all([1, 2].map(|size| {
        let reports = make_shuffled_reports(report(), size, 1e-6).unwrap();
        let inputs: Vec<Vec<bool>> = populations().into_iter().map(|rows| rows[..size].to_vec()).collect();
        // That two reports attain their own loss says nothing of the theorem for many.
        Report { ratio: 0.0, ..exact(&reports, &inputs, coins()) }.and(rises(&reports, &[0, 1, 2], &(0.0, 0.0)))
    }));
    // Of many reports all that is seen is how many are true: a sum of coins.
    let size = 3000;
    few.and(by_counts(&make_shuffled_reports(report(), size, 1e-6).unwrap(), size)).and(theorem())
}

/// The constants of the theorem are far above what reports lose, so that no distribution shows them: the map against
/// the theorem as it is printed (Feldman, McMillan, Talwar 2021, Theorem 3.1), in enclosures, and where many rows
/// change against group privacy. The two figures were computed with mpmath 1.3, at 50 digits.
fn theorem() -> Report {
    let number = formulas::number;
    let map = |prob: f64, size: usize, delta: f64| {
        let report = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap();
        let local = report.map(&1).unwrap();
        (make_shuffled_reports(report, size, delta).unwrap(), local)
    };
    let mut report = Report { ratio: 0.0, ..Report::new("map") };
    for (prob, size, delta) in [
        (0.75, 3_000, 1e-6),
        (0.75, 100_000, 1e-6),
        (0.6, 1_000, 1e-3),
        (0.9, 1_000_000, 1e-9),
        (0.99, 10_000_000, 1e-2),
    ] {
        let (shuffled, local) = map(prob, size, delta);
        let (growth, one) = (number(local).exp(), number(1.0));
        let n = number(f64::from(u32::try_from(size).unwrap()));
        let share = growth.sub(&one).div(&growth.add(&one));
        let square = growth.mul(&number(4.0).div(&number(delta)).ln()).div(&n);
        let root = square.ln().div(&number(2.0)).exp();
        let spread = number(8.0).mul(&root).add(&number(8.0).mul(&growth).div(&n));
        let epsilon = one.add(&share.mul(&spread)).ln();
        let (claimed, told) = shuffled.map(&1).unwrap();
        assert!(
            told == delta && claimed < local,
            "the theorem holds at {prob} {size} {delta}, and says less than {local}"
        );
        let of_three = shuffled.map(&3).unwrap();
        let group = number(3.0).mul(&number(delta)).mul(&number(2.0).mul(&epsilon).exp());
        report = report
            .and(at_least("shuffling", claimed, &epsilon, 1e-12))
            .and(at_least("shuffling, three rows", of_three.0, &number(3.0).mul(&epsilon), 1e-12))
            .and(at_least("shuffling, delta of three rows", of_three.1, &group, 1e-12));
    }
    for (size, figure) in [(3_000, 0.403584941049470), (100_000, 0.0820791225422723)] {
        report = report.and(at_least("shuffling", map(0.75, size, 1e-6).0.map(&1).unwrap().0, &number(figure), 1e-12));
    }
    // That the map is the theorem's says nothing of how near the truth is to it.
    Report { ratio: 0.0, ..report }
}

/// The distribution of the number of true reports, where the first rows are true and the others false: a binomial count
/// of each.
fn by_counts(
    reports: &Measurement<Rows, Vec<bool>, ChangeOneDistance, Approximate<MaxDivergence>>,
    size: usize,
) -> Report {
    // All false, and all but one or two: the count of the others is binomial, and the one is a coin of its own.
    let quarter = formulas::number(0.25);
    let three_quarters = formulas::number(0.75);
    let binomial = |n: usize| {
        // From P(0) upwards, each by its ratio to the one before.
        let mut mass = (0..n).fold(formulas::number(1.0), |mass, _| mass.mul(&three_quarters));
        let mut masses = vec![mass.clone()];
        for k in 1..=n {
            let float = |n: usize| f64::from(u32::try_from(n).unwrap());
            mass = mass.mul(&formulas::number(float(n - k + 1))).div(&formulas::number(3.0 * float(k)));
            masses.push(mass.clone());
        }
        masses
    };
    let shifted = |masses: &[Mass], p: &Mass, q: &Mass| -> Vec<Mass> {
        let at = |i: Option<usize>| i.and_then(|i| masses.get(i)).cloned().unwrap_or_else(|| formulas::number(0.0));
        (0..=masses.len()).map(|i| at(Some(i)).mul(q).add(&at(i.checked_sub(1)).mul(p))).collect()
    };
    let rest = binomial(size - 1);
    let law = |one: bool| {
        let (p, q) = if one { (&three_quarters, &quarter) } else { (&quarter, &three_quarters) };
        Law::new((0usize..).zip(shifted(&rest, p, q)).map(|(count, mass)| (count.key(), mass)))
    };
    let mut with_one = vec![false; size];
    with_one[0] = true;
    compare_laws("formula", reports, &[(vec![false; size], law(false)), (with_one, law(true))])
}
