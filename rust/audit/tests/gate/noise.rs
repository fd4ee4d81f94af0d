//! Noise. On integers the code itself, on all bits that matter; on floats by the distribution of the rounded noise, and
//! draws that follow it.

use super::{
    canaries::{Digests, FLOAT, NUMBER, Table, floats, release, some_floats},
    controls::{Control, Family, are_found},
    flow::{FLOATS, Flow, INTEGERS, alike, flow, of_size},
    formulas,
    support::*,
};
use indistinct::{
    core::Owned,
    measurements::Scale,
    numeric::{Dyadic, RoundedFrom, enclosure::Enclosure},
    prelude::*,
    sampling::Entropy,
};
use indistinct_audit::{
    Claims, Key, Law, Measured, Report, Seen, View,
    exact::{compare_laws, exact},
    last_digits,
    mass::Mass,
    stability::ladder_of_numbers,
    statistical::statistical,
    tape::Probing,
};
use std::{borrow::Borrow, fmt::Debug};

rows! {
    tight make_laplace: laplace;
    tight make_gaussian: gaussian;
    tight make_geometric: geometric;
    tight make_snapping: snapping;
    tight make_canonical_noise: canonical;
    tight make_staircase: staircase;
}

/// Each word of a vector multiplies the runs: their tails are left undecided earlier.
fn two_words() -> Probing {
    Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) }
}

/// Cells of a grid of whole numbers, each collecting what is rounded to it; the outermost collect the rest.
pub(crate) fn whole_law(cdf: impl Fn(f64) -> Mass) -> Law {
    let ends: Vec<f64> = (-12..12).map(|cell| f64::from(cell) + 0.5).collect();
    formulas::cells(&ends, cdf).image(|cell| match cell {
        Key::Number(cell) => Key::Number(cell - 12),
        other => other.clone(),
    })
}

/// The view of a float release that goes with it.
pub(crate) fn whole_number(key: Key) -> Key {
    match key {
        Key::Bits(bits) => {
            let cell = f64::from_bits(bits).clamp(-12.0, 12.0);
            Key::Number(
                (-12..=12i128).find(|n| (n.to_string().parse::<f64>().unwrap() - cell).abs() < 0.5).unwrap_or(99),
            )
        }
        other => other,
    }
}

/// A measurement that rounds Gaussian noise to whole numbers, by the distribution of that.
pub(crate) fn whole_numbers<MO: Claims>(
    measurement: &Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>,
    scale: f64,
) -> Report {
    let law = |x: &f64| whole_law(|end| formulas::gaussian_cdf(end - x, scale));
    by_formula(measurement, &NUMBERS, law, whole_number)
}

/// The distribution function of noise of a scale.
pub(crate) type Cdf = fn(f64, f64) -> Mass;

/// Float noise at the default grid, which is so fine that in cells the distribution of releases is that of the noise
/// itself, to one part in 10^6: the distribution of cells against the map, and draws against the distribution, on
/// shifts that take each of the sampler's paths: below `2^47` steps of the grid, below `2^62`, and above.
///
/// `number` makes an input of a float; `shifts` are in scales.
pub(crate) fn at_default_grid<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    number: fn(f64) -> Owned<DI>,
    (cdf, scale): (Cdf, f64),
    shifts: &[f64],
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug + Sync,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    // Symmetric about 0, with the middles between shifts, where Gaussian distributions are easiest to tell apart.
    let ends: Vec<f64> = (-40..=40).map(|end| f64::from(end) / 8.0).collect();
    let cells = u32::try_from(ends.len()).unwrap();
    let law_at = |shift: f64| formulas::cells(&ends, |end| cdf(end - shift, 1.0));
    let near: Vec<(Owned<DI>, Law)> =
        [0.0, 1.0, -1.0, 2.0, 4.0].map(|shift| (number(shift * scale), law_at(shift))).to_vec();
    // These multiples of a scale are floats, whatever it is.
    let law = compare_laws("formula", measurement, &near);
    // Cells that move with the shift; the upper ones hold their lower ends, as draws do with probability 0.
    let fold = |key: &Key| match key {
        Key::Number(cell) => Key::Number((*cell).min(i128::from(cells) - cell)),
        other => other.clone(),
    };
    let inputs: Vec<f64> = shifts.iter().copied().filter(|shift| (shift * scale).is_finite()).collect();
    let run = |shift: &f64, entropy: &mut dyn Entropy| {
        let (input, at) = (number(shift * scale), shift * scale);
        Ok(match measurement.invoke_with(input.borrow(), entropy)?.key() {
            // `(y - x) / scale` is as near to the noise in scales as the release is to the number with noise.
            Key::Bits(bits) => {
                let noise = (f64::from_bits(bits) - at) / scale;
                ends.partition_point(|end| *end <= noise).key()
            }
            other => other,
        })
    };
    // So many that a scale which is off by three parts in a hundred shows where both sides of the noise are folded into
    // one.
    law.and(fit((&run, 262_144), &inputs, |_| law_at(0.0), &[&fold]))
}

/// Shifts of floats of 53 bits, and of 24, of which more would be rounded away.
const SHIFTS: [f64; 4] = [0.0, 0.25, -1e5, 2_147_483_648.0];
const SMALL_SHIFTS: [f64; 2] = [0.25, -100.0];

/// Ordinary scales, one that is no float of few digits, subnormal, tiny and huge.
const SCALES: [f64; 6] = [1.25, 0.1, 1e7, 1e-310, 1e-300, 1e300];

/// Laplace noise of one type after another.
fn fine_laplace() -> Report {
    let cdf = formulas::laplace_cdf;
    let metric = AbsoluteDistance::new;
    let floats = parts(
        0.95,
        SCALES.map(|scale| {
            at_default_grid(&make_laplace(AtomDomain::f64(), metric(), scale).unwrap(), |x| x, (cdf, scale), &SHIFTS)
        }),
    );
    let others = parts(
        0.95,
        [2.0, 2f64.powi(-66)].map(|scale| {
            let single = make_laplace(AtomDomain::f32(), metric(), scale).unwrap();
            let exact = make_laplace(AtomDomain::dyadic(), metric(), scale).unwrap();
            part(0.95, at_default_grid(&single, to_f32, (cdf, scale), &SMALL_SHIFTS)).and(at_default_grid(
                &exact,
                |x| Dyadic::from_f64(x).unwrap(),
                (cdf, scale),
                &[0.25],
            ))
        }),
    );
    floats.and(others)
}

/// Gaussian noise of one type after another, in both measures.
fn fine_gaussian() -> Report {
    let cdf = formulas::gaussian_cdf;
    let (metric, rho, mu) = (AbsoluteDistance::new, ZeroConcentratedDivergence, GaussianDivergence);
    let floats = parts(
        0.95,
        SCALES.map(|scale| {
            let at_mu = make_gaussian(AtomDomain::f64(), metric(), mu, scale).unwrap();
            let at_rho = make_gaussian(AtomDomain::f64(), metric(), rho, scale).unwrap();
            part(0.95, at_default_grid(&at_mu, |x| x, (cdf, scale), &SHIFTS)).and(at_default_grid(
                &at_rho,
                |x| x,
                (cdf, scale),
                &SHIFTS[1..2],
            ))
        }),
    );
    let others = parts(
        0.95,
        [2.0, 2f64.powi(-66)].map(|scale| {
            let single = make_gaussian(AtomDomain::f32(), metric(), mu, scale).unwrap();
            let exact = make_gaussian(AtomDomain::dyadic(), metric(), mu, scale).unwrap();
            part(0.95, at_default_grid(&single, to_f32, (cdf, scale), &SMALL_SHIFTS)).and(at_default_grid(
                &exact,
                |x| Dyadic::from_f64(x).unwrap(),
                (cdf, scale),
                &[0.25],
            ))
        }),
    );
    floats.and(others)
}

/// The nearest float of 24 bits.
fn to_f32(x: f64) -> f32 {
    f32::nearest_from(&x).unwrap()
}

const NUMBERS: [f64; 5] = [0.0, 1.0, 0.25, -1.0, 3.0];

/// The whole law of noise: on integers the code itself, on floats the law in fine cells; of single numbers, and of
/// vectors, whose losses are those of one number that moves by as much as all.
fn whole_laws() -> Report {
    let metric = AbsoluteDistance::new;
    let integers = all([1.0, 3.0].map(|scale| {
        let noisy = make_pureDP_to_PLD(make_laplace(AtomDomain::i64(), metric(), scale).unwrap()).unwrap();
        let votes = make_geometric(AtomDomain::i64(), metric(), scale, Some((0, 2))).unwrap();
        let votes = make_pureDP_to_PLD(votes).unwrap();
        let curve = make_PLD_to_RDP(noisy.clone()).unwrap();
        let probing = || Probing::default().with_requests(2);
        part(0.95, exact(&noisy, &[0, 1, 2, 5], probing()))
            .and(part(0.95, exact(&curve, &[0, 1, 2], probing())))
            .and(Report { ratio: 0.0, ..exact(&votes, &[0, 1, 2], probing()) })
    }));
    let pairs = VectorDomain::new(AtomDomain::i64()).with_size(2);
    let pairs = make_pureDP_to_PLD(make_laplace(pairs, L1Distance::new(), 1.5).unwrap()).unwrap();
    let pairs = exact(&pairs, &[vec![0, 0], vec![1, 1], vec![2, 0], vec![0, 1]], two_words().with_digits(20));
    let gaussian = make_gaussian(AtomDomain::i64(), metric(), PrivacyLossDivergence, 1.5).unwrap();
    let gaussian = part(0.95, exact(&gaussian, &[0, 1, 2, 4], Probing::default().with_requests(2)));
    let ends: Vec<f64> = (-64..=64).map(|end| f64::from(end) / 8.0).collect();
    let cells = |cdf: Cdf| [0.0, 1.0, 2.0].map(|x| (x, formulas::cells(&ends, |end| cdf(end - x, 1.5))));
    let real = make_laplace(AtomDomain::f64(), metric(), 1.5).unwrap();
    let real = compare_laws("formula", &make_pureDP_to_PLD(real).unwrap(), &cells(formulas::laplace_cdf));
    let normal = make_gaussian(AtomDomain::f64(), metric(), PrivacyLossDivergence, 1.5).unwrap();
    let normal = compare_laws("formula", &normal, &cells(formulas::gaussian_cdf));
    integers.and(part(0.9, pairs)).and(gaussian).and(part(0.95, real)).and(part(0.95, normal))
}

fn laplace() -> Report {
    whole_laws().and(by_epsilon())
}

fn by_epsilon() -> Report {
    let integers = parts(
        0.95,
        [0.5, 1.0, 3.0].map(|scale| {
            let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale).unwrap();
            part(0.95, exact(&noisy, &[0, 1, 2, -1], Probing::default().with_requests(2)))
                .and(exact(&noisy, &[i64::MAX, i64::MAX - 1], Probing::default().with_requests(2)))
                .and(rises(&noisy, &ladder_of_numbers(), &0.0))
        }),
    );
    let small = make_laplace(AtomDomain::u8(), AbsoluteDistance::new(), 1.0).unwrap();
    let saturating =
        parts(0.95, [[0, 1], [254, 255]].map(|ends| exact(&small, &ends, Probing::default().with_requests(2))));
    let vectors = make_laplace(VectorDomain::new(AtomDomain::i64()), L1Distance::new(), 0.5).unwrap();
    let vectors = exact(&vectors, &[vec![0, 0], vec![1, 0], vec![1, -1]], two_words());
    let floats = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(1.25).on_grid(0)).unwrap();
    let law = |x: &f64| whole_law(|end| formulas::laplace_cdf(end - x, 1.25));
    let fine = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1.25).unwrap();
    let floats = by_formula(&floats, &NUMBERS, law, whole_number);
    parts(0.95, [integers, saturating, vectors, floats, fine_laplace()]).and(rises(&fine, &ladder_of_numbers(), &0.0))
}

fn gaussian() -> Report {
    let integers = parts(
        0.95,
        [0.5, 1.0, 2.5].map(|scale| {
            let metric = AbsoluteDistance::new();
            let noisy = make_gaussian(AtomDomain::i64(), metric, ZeroConcentratedDivergence, scale).unwrap();
            exact(&noisy, &[0, 1, 2, -1], Probing::default().with_requests(2)).and(rises(
                &noisy,
                &ladder_of_numbers(),
                &0.0,
            ))
        }),
    );
    let space = VectorDomain::new(AtomDomain::i64());
    let vectors = make_gaussian(space, L2Distance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
    let vectors = exact(&vectors, &[vec![0, 0], vec![1, 0], vec![1, -1]], two_words());
    let scale = Scale::new(1.25).on_grid(0);
    let metric = AbsoluteDistance::new();
    let rho = make_gaussian(AtomDomain::f64(), metric, ZeroConcentratedDivergence, scale).unwrap();
    let mu = make_gaussian(AtomDomain::f64(), metric, GaussianDivergence, scale).unwrap();
    let fine = make_gaussian(AtomDomain::f64(), metric, GaussianDivergence, 1.25).unwrap();
    parts(0.95, [integers, vectors, whole_numbers(&rho, 1.25), whole_numbers(&mu, 1.25), fine_gaussian()]).and(rises(
        &fine,
        &ladder_of_numbers(),
        &0.0,
    ))
}

fn geometric() -> Report {
    all([(1.0, None), (2.0, Some((-2, 3))), (0.5, Some((0, 0))), (1.5, Some((0, 9)))].map(|(scale, bounds)| {
        let noisy = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), scale, bounds).unwrap();
        // Between equal bounds nothing is released.
        let floor = if bounds == Some((0, 0)) { 0.0 } else { 0.95 };
        part(floor, exact(&noisy, &[-4, -1, 0, 1, 3, 9], Probing::default().with_requests(2))).and(rises(
            &noisy,
            &ladder_of_numbers(),
            &0.0,
        ))
    }))
}

fn snapping() -> Report {
    parts(
        0.95,
        [(1.0, 8.0), (2.0, 6.0)].map(|(scale, bound)| {
            let noisy = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap();
            // Beyond the bound, inputs are clamped to it.
            let law = |x: &f64| formulas::snapped(scale, bound, x.clamp(-bound, bound));
            let law = by_formula(&noisy, &[0.0, 0.25, 1.0, -1.25, 3.0, 100.0], law, same);
            part(0.95, law).and(rises(&noisy, &ladder_of_numbers(), &0.0))
        }),
    )
    .and(arithmetic_of_snapping())
}

/// What is charged for the arithmetic, which is too little for draws or a formula to show, against the formula that the
/// page proves, in enclosures, and by no more than a part in 10^12 above it. Sizes up to `2^46` scales, where it is a
/// tenth.
fn arithmetic_of_snapping() -> Report {
    let number = formulas::number;
    let mut report = Report::new("map");
    for (scale, bound, d_in) in
        [(1.0, 8.0, 1.0), (2.0, 6.0, 0.5), (0.1, 0.11, 3.0), (1.0, 2f64.powi(30), 1e-3), (3.0, 2f64.powi(47), 1e-9)]
    {
        let noisy = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, bound).unwrap();
        let (five, scales) = (number(51.0).div(&number(10.0)), number(bound).div(&number(scale)));
        let exponent = five.mul(&scales).add(&five).mul(&number(2f64.powi(-53)));
        let r = exponent.exp().sub(&number(1.0)).mul(&number(2164.0).div(&number(1000.0)));
        let arithmetic = number(1.0).add(&r).div(&number(1.0).sub(&r)).ln();
        let least = number(d_in).div(&number(scale)).add(&arithmetic);
        report = report.and(at_least("snapping", noisy.map(&d_in).unwrap(), &least, 1e-12));
    }
    report
}

fn canonical() -> Report {
    parts(
        0.95,
        [(1.0, 0.01), (0.5, 0.1), (2.0, 0.0), (0.25, 0.25)].map(|(epsilon, delta)| {
            let metric = AbsoluteDistance::new();
            let noisy = make_canonical_noise(AtomDomain::f64(), metric, 1.0, (epsilon, delta)).unwrap();
            let ends: Vec<f64> = (-32..=32).map(|cell| f64::from(cell) / 4.0).collect();
            let law = |x: &f64| formulas::cells(&ends, |end| formulas::tulap_cdf(end - x, (epsilon, delta)));
            // A release on the border of two cells belongs to the upper one in either view, but for the rounding to the
            // grid, of 2^-33.
            let cell = |key: Key| match key {
                Key::Bits(bits) => ends.iter().filter(|end| **end < f64::from_bits(bits)).count().key(),
                other => other,
            };
            by_formula(&noisy, &[0.0, 0.25, 0.5, 1.0, 2.0], law, cell).and(rises(
                &noisy,
                &ladder_of_numbers(),
                &(0.0, 0.0),
            ))
        }),
    )
}

/// Releases of floats at the default grid give nothing away by their last digits.
#[test]
fn last_digits_tell_nothing() {
    let views: [View; 1] = [&last_digits];
    let (domain, metric) = (AtomDomain::f64(), AbsoluteDistance::new());
    let laplace = make_laplace(domain.clone(), metric, 1.0).unwrap();
    let gaussian = make_gaussian(domain, metric, GaussianDivergence, 1.0).unwrap();
    let pairs = [(0.0, 1.0), (0.0, 2f64.powi(40))];
    let reports = [statistical(&laplace, &pairs, &views, &effort()), statistical(&gaussian, &pairs, &views, &effort())];
    assert!(reports.iter().all(|report| report.pairs == 4 && !report.is_violated()), "{reports:?}");
}

/// The code on all bits that matter, where few steps have nearly all of the mass and no place is drawn again; the ends
/// of a type; and by the definition, for steps of one integer, for many small steps and for a large epsilon. Inputs
/// cross up to three steps.
fn staircase() -> Report {
    let metric = AbsoluteDistance::new;
    // An irrational probability decides about step 0, so that no enumeration of bits ends: draws are compared with the
    // distribution instead.
    let by_definition = parts(
        0.95,
        [(1, 1, 0.5), (4, 2, 0.25), (25, 2, 5.5)].map(|(width, split, epsilon)| {
            let noisy = make_staircase(AtomDomain::i64(), metric(), f64::from(width), epsilon).unwrap();
            let of_step_0 = i64::from(2 * split - 1);
            let law = |x: &i64| staircase_law((width.into(), split.into()), of_step_0, epsilon, *x);
            by_formula(&noisy, &[0, 1, i64::from(width), i64::from(width) + 1, -50], law, same)
        }),
    );
    by_definition.and(all([(1.0, 2.0), (2.0, 2.0), (4.0, 3.0)].map(|(d_in, d_out)| {
        rises(&make_staircase(AtomDomain::i64(), metric(), d_in, d_out).unwrap(), &ladder_of_numbers(), &0.0)
    })))
}

/// The distribution of staircase noise around a number: uniform on sizes below the split with the probability that
/// belongs to so many integers there, otherwise on a step of either sign. Beyond 600 integers it is undecided.
fn staircase_law((width, split): (i64, i64), of_step_0: i64, epsilon: f64, at: i64) -> Law {
    let number = |n: i64| formulas::number(f64::from(i32::try_from(n).unwrap()));
    let (b, one) = (formulas::number(-epsilon).exp(), number(1));
    let outside = number(2 * width).mul(&b).div(&one.sub(&b));
    let all = number(of_step_0).add(&outside);
    let mass = |z: i64| match (z.abs() + width - split) / width {
        0 => number(of_step_0).div(&number(2 * split - 1)).div(&all),
        step => (0..step).fold(one.clone(), |power, _| power.mul(&b)).div(&all),
    };
    let masses: Vec<_> = (-600..=600).map(|z| ((at + z).key(), mass(z))).collect();
    let inside = masses.iter().fold(number(0), |sum, (_, mass)| sum.add(mass));
    Law::partial(masses, one.sub(&inside))
}

/// Staircase noise with steps of a width and epsilon 1, by its distribution, with a claim.
fn custom_staircase((width, split): (i64, i64), of_step_0: i64, claimed: fn(f64) -> f64) -> Report {
    of_laws(claimed, |x| staircase_law((width, split), of_step_0, 1.0, x))
}

/// A distribution for each of a few numbers, with a claim.
fn of_laws(claimed: fn(f64) -> f64, law: impl Fn(i64) -> Law) -> Report {
    let never = |_: &i64, _: &mut dyn Entropy| Ok(0i64);
    let (domain, metric, map) = (AtomDomain::i64(), AbsoluteDistance::new(), move |d: &f64| Ok(claimed(*d)));
    let control = make_user_measurement(domain, metric, MaxDivergence, never, map).unwrap();
    compare_laws("formula", &control, &[0, 1, 2, 3, 4, 7].map(|x| (x, law(x))))
}

/// Of sensitivity 3, with a loss of 1 at distances up to 3.
#[test]
fn controls_of_staircase_noise_are_found() {
    fn honest(d: f64) -> f64 {
        (d / 3.0).ceil() * (1.0 + 1e-12)
    }
    let controls: Vec<Control> = vec![
        ("staircase: each step has one integer less", custom_staircase((2, 1), 1, honest)),
        ("staircase: one more step of distance is free", custom_staircase((3, 1), 1, |d| honest((d - 1.0).max(1.0)))),
        ("staircase: a third of the distance costs a third", custom_staircase((3, 1), 1, |d| d / 3.0)),
        ("staircase: one step for all distances", custom_staircase((3, 2), 3, |d| honest(d.min(1.0)))),
        ("staircase: step 0 is as likely as with the next split", custom_staircase((3, 1), 3, honest)),
        ("staircase: step 0 has 0 twice", custom_staircase((3, 2), 4, honest)),
        (
            "staircase: the split depends on the data",
            of_laws(honest, |x| {
                let split = if x == 0 { 1 } else { 3 };
                staircase_law((3, split), 2 * split - 1, 1.0, x)
            }),
        ),
    ];
    let sound = [1, 2, 3].map(|split| ("staircase", custom_staircase((3, split), 2 * split - 1, honest))).to_vec();
    are_found(Family { controls, sound }, 7);
}

pub(crate) const FLOWS: &[Flow] = &[
    alike("make_laplace", || {
        let atom = || (AtomDomain::i64(), AbsoluteDistance::new());
        let vector = || (VectorDomain::new(AtomDomain::i64()), L1Distance::new());
        flow(atom() >> then_laplace(2.0), &INTEGERS)
            .and(flow(atom() >> then_laplace(1e12), &INTEGERS))
            .and(flow(vector() >> then_laplace(2.0), &of_size(2, &INTEGERS)))
            .and(flow((AtomDomain::u8(), AbsoluteDistance::new()) >> then_laplace(2.0), &[0, 1, 7, 254, 255]))
            .and(of_floats(|scale| (AtomDomain::f64(), AbsoluteDistance::new()) >> then_laplace(scale)))
            .and(flow((AtomDomain::f32(), AbsoluteDistance::new()) >> then_laplace(2.0), &singles()))
            .and(flow((AtomDomain::dyadic(), AbsoluteDistance::new()) >> then_laplace(2.0), &exact_floats()))
    }),
    alike("make_gaussian", || {
        let rho = ZeroConcentratedDivergence;
        let atom = || (AtomDomain::i64(), AbsoluteDistance::new());
        let vector = || (VectorDomain::new(AtomDomain::i64()), L2Distance::new());
        flow(atom() >> then_gaussian(rho, 2.0), &INTEGERS)
            .and(flow(atom() >> then_gaussian(rho, 1e12), &INTEGERS))
            .and(flow(vector() >> then_gaussian(rho, 2.0), &of_size(2, &INTEGERS)))
            .and(of_floats(|scale| (AtomDomain::f64(), AbsoluteDistance::new()) >> then_gaussian(rho, scale)))
            .and(of_floats(|scale| {
                (AtomDomain::f64(), AbsoluteDistance::new()) >> then_gaussian(GaussianDivergence, scale)
            }))
            .and(flow((AtomDomain::f32(), AbsoluteDistance::new()) >> then_gaussian(rho, 2.0), &singles()))
            .and(flow((AtomDomain::dyadic(), AbsoluteDistance::new()) >> then_gaussian(rho, 2.0), &exact_floats()))
    }),
    alike("make_geometric", || {
        let space = || (AtomDomain::i64(), AbsoluteDistance::new());
        flow(space() >> then_geometric(2.0, None), &INTEGERS)
            .and(flow(space() >> then_geometric(2.0, Some((0, 7))), &INTEGERS))
    }),
    alike("make_canonical_noise", || {
        flow((AtomDomain::f64(), AbsoluteDistance::new()) >> then_canonical_noise(1.0, (1.0, 1e-6)), &FLOATS)
    }),
    alike("make_snapping", || flow((AtomDomain::f64(), AbsoluteDistance::new()) >> then_snapping(1.0, 100.0), &FLOATS)),
    alike("make_staircase", || {
        let space = || (AtomDomain::i64(), AbsoluteDistance::new());
        flow(space() >> then_staircase(3.0, 0.5), &INTEGERS).and(flow(space() >> then_staircase(1e15, 9.0), &INTEGERS))
    }),
];

/// Scales and numbers by which a sum of both takes each of the paths of the sampler.
fn of_floats<MO: Measure>(
    noisy: impl Fn(f64) -> Fallible<Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>>,
) -> Report {
    [1.25, 0.1, 1e-310, 1e300].map(|scale| flow(noisy(scale), &FLOATS)).into_iter().reduce(Report::and).unwrap()
}

fn singles() -> Vec<f32> {
    FLOATS.iter().map(|x| f32::nearest_from(x).unwrap().clamp(f32::MIN, f32::MAX)).collect()
}

fn exact_floats() -> Vec<Dyadic> {
    FLOATS.iter().map(|x| Dyadic::from_f64(*x).unwrap()).collect()
}

pub(crate) fn canaries() -> Table {
    let number = || (AtomDomain::f64(), AbsoluteDistance::new());
    let some_numbers = || [FLOAT, f64::NAN];
    let bounded = || AtomDomain::i64().with_bounds((0, 9)).unwrap();
    vec![
        ("make_laplace", release(make_laplace(floats(), L1Distance::new(), 1.0), some_floats(), 1.0)),
        (
            "make_gaussian",
            release(make_gaussian(floats(), L2Distance::new(), ZeroConcentratedDivergence, 1.0), some_floats(), 1.0),
        ),
        (
            "make_geometric",
            release(make_geometric(bounded(), AbsoluteDistance::new(), 1.0, Some((0, 9))), [NUMBER, -NUMBER, 5], 1.0),
        ),
        ("make_canonical_noise", {
            let (domain, metric) = number();
            release(make_canonical_noise(domain, metric, 1.0, (1.0, 1e-6)), some_numbers(), 1.0)
        }),
        ("make_snapping", {
            let (domain, metric) = number();
            release(make_snapping(domain, metric, 1.0, 100.0), some_numbers(), 1.0)
        }),
        (
            "make_staircase",
            release(make_staircase(bounded(), AbsoluteDistance::new(), 3.0, 0.5), [NUMBER, -NUMBER, 5], 1.0),
        ),
    ]
}

pub(crate) const DIGESTS: Digests = &[
    ("make_laplace", 0x4e02_a337_82f5_e46b),
    ("make_gaussian", 0x2e6f_e8fe_bd5e_dbd4),
    ("make_geometric", 0x22c9_9618_0482_5d6f),
    ("make_canonical_noise", 0x5db6_71b4_25c7_add4),
    ("make_snapping", 0x4a89_62de_661d_076f),
    ("make_staircase", 0x1b4a_62a7_c99c_90ba),
];
