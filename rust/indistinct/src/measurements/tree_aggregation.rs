//! `make_tree_aggregation`: the running sum of a stream.

mod stream;

use super::noise::{Law, Noise, Scale, half_square};
use crate::{
    core::{
        Answered, Error, ErrorKind, Fallible, Marks, Measure, Measurement, Owned, PrivacyMap, Queryable,
        RandomizedFunction, Sealed, State, ToParameter, check_member, require,
    },
    domains::VectorDomain,
    measures::{MaxDivergence, ZeroConcentratedDivergence},
    metrics::HammingDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{Extended, RoundedFrom, ToExtended, gmp::Integer};
use indistinct_sampling::{Entropy, IntegerNoise};
use std::borrow::Borrow;
pub use stream::StreamItem;

/// Releases the sum of all items of a stream so far, after each new item (continual counting, the binary mechanism).
///
/// The release is a [`Queryable`]: each query is the next item, and the response is the noisy sum of all items up to
/// it. The stream is split into blocks whose lengths are powers of two. Each block's sum gets noise once, when the
/// block is complete, and a response adds up the noisy sums of at most `log2(horizon) + 1` blocks. The queryable keeps
/// only these blocks.
///
/// The input of this measurement is the whole stream: the items given to [`invoke`](Measurement::invoke), often none,
/// followed by the items in queries. Two streams are at distance d if they have the same length and differ in d places
/// ([`HammingDistance`]); their length is public. Later items may depend on earlier responses.
///
/// # Parameters
///
/// - `input_domain`: streams of bounded integers, or of vectors of a known number of bounded integers.
/// - `output_measure`: [`MaxDivergence`] for discrete Laplace noise, [`ZeroConcentratedDivergence`] for discrete
///   Gaussian noise.
/// - `horizon`: the maximum number of items, at least 1.
/// - `scale`: the scale of the noise on each block, in the items' unit, finite and at least 0.
///
/// # Privacy
///
/// Let `L = floor(log2(horizon)) + 1` be the number of levels, let items consist of n integers (1 if they are not
/// vectors) from l to u, and let `r = d_in (u - l) / scale`. Then `epsilon = r L n`, or `rho = r^2 L n / 2`, rounded up
/// (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011).
///
/// The error of a response is a sum of at most L draws of noise. At a fixed epsilon its standard deviation is at most
/// `sqrt(2 L) L n (u - l) / epsilon`. Independent noise on each running sum would need `sqrt(2) horizon n (u - l) /
/// epsilon`.
///
/// # Errors
///
/// Returns an error if a parameter breaks a rule. The queryable returns [`ErrorKind::Domain`] for an item outside its
/// domain, which does not count, and [`ErrorKind::Exhausted`] for an item beyond the horizon.
///
/// ```
/// use indistinct::prelude::*;
/// let visits = VectorDomain::new(AtomDomain::i64().with_bounds((0, 20))?);
/// let running = make_tree_aggregation(visits, HammingDistance, MaxDivergence, 365, 180.0)?;
/// assert_eq!(running.map(&1)?, 1.0); // 9 levels
///
/// let sums = running.invoke(&[])?;
/// for day in [3, 0, 12, 7] {
///     let visits_so_far: i128 = sums.eval(&day)?;
///     # let _ = visits_so_far;
/// }
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries and is not a value"))]
pub fn make_tree_aggregation<D: StreamItem, MO: TreeMeasure + ToParameter>(
    input_domain: VectorDomain<D>,
    input_metric: HammingDistance,
    output_measure: MO,
    horizon: u32,
    scale: f64,
) -> Fallible<Measurement<VectorDomain<D>, Queryable<D::Carrier, D::Sum>, HammingDistance, MO>> {
    require(horizon >= 1, "horizon", "must be at least 1")?;
    let sized = input_domain.size().is_some();
    require(!sized, "input_domain", "must not declare a size: the horizon is the maximum length of the stream")?;
    let (width, range) = input_domain.element().shape()?;
    let noise = IntegerNoise::of(MO::LAW, Scale::new(scale))?;
    let numbers = levels(horizon).to_extended()?.mul(&width.to_extended()?)?;
    let items = input_domain.element().clone();
    let measurement = Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(move |data: &[Owned<D>], entropy| {
            let mut tree = Tree::new(horizon, width);
            for item in data {
                tree.check_open()?;
                tree.push(D::integers(item.borrow())?, &mut || Ok(noise.draw_gmp(entropy)?))?;
            }
            let (items, noise, tree) = (items.clone(), noise.clone(), State::new(tree));
            Ok(Queryable::new(Answered::nothing(), move |item: &D::Carrier, entropy: &mut dyn Entropy| {
                // An item that is refused is not looked at.
                tree.step(Tree::check_open, |_| Ok(()))?;
                check_member(&items, item)?;
                let integers = D::integers(item)?;
                let sums = tree.step(Tree::check_open, |tree| {
                    tree.push(integers, &mut || Ok(noise.draw_gmp(entropy)?))?;
                    Ok(tree.sums())
                })?;
                Ok(D::sum(sums))
            }))
        }),
        PrivacyMap::new(move |&d_in: &u32| {
            let moved = d_in.to_extended()?.mul(&range)?;
            if moved.is_zero() {
                return Ok(0.0);
            }
            Ok(f64::inf_from(&MO::loss(&moved.div(&scale.to_extended()?)?)?.mul(&numbers)?)?)
        }),
    )?;
    Ok(measurement.with_marks(Marks { interactive: true, ..Marks::default() }))
}

/// Measures for which the loss of a running sum is known, each with its noise.
#[allow(private_bounds, private_interfaces)]
pub trait TreeMeasure: Sealed + Measure<Distance = f64> {
    #[doc(hidden)]
    const LAW: Law;
    /// Returns the exact loss of a number that changes by `ratio` scales.
    #[doc(hidden)]
    fn loss(ratio: &Extended) -> Fallible<Extended>;
}

#[allow(private_interfaces)]
impl TreeMeasure for MaxDivergence {
    const LAW: Law = Law::Laplace;

    fn loss(ratio: &Extended) -> Fallible<Extended> {
        Ok(ratio.clone())
    }
}

#[allow(private_interfaces)]
impl TreeMeasure for ZeroConcentratedDivergence {
    const LAW: Law = Law::Gaussian;

    fn loss(ratio: &Extended) -> Fallible<Extended> {
        half_square(ratio)
    }
}

/// Returns the number of block lengths 1, 2, 4, … within the horizon: an item lies in at most one block of each length.
fn levels(horizon: u32) -> u32 {
    u32::BITS - horizon.leading_zeros()
}

/// The blocks from which the next responses are computed.
struct Tree {
    horizon: u32,
    /// The number of items.
    time: u32,
    /// The last complete block of each length, the shortest first.
    blocks: Vec<Block>,
}

/// The exact and the noisy sums of the items of a block, for each number of an item.
#[derive(Clone)]
struct Block {
    exact: Vec<i128>,
    noisy: Vec<Integer>,
}

impl Tree {
    fn new(horizon: u32, width: usize) -> Self {
        let empty = Block { exact: vec![0; width], noisy: vec![Integer::new(); width] };
        Self { horizon, time: 0, blocks: (0..levels(horizon)).map(|_| empty.clone()).collect() }
    }

    fn check_open(&self) -> Fallible<()> {
        let rule = "the stream has reached its horizon";
        if self.time < self.horizon { Ok(()) } else { Err(Error::new(ErrorKind::Exhausted, rule)) }
    }

    /// Adds an item, and adds noise to the one block that it completes and that responses will use: at time `m 2^j` for
    /// an odd m, the last `2^j` items.
    fn push(&mut self, item: Vec<i128>, draw: &mut dyn FnMut() -> Fallible<Integer>) -> Fallible<()> {
        self.time = self.time.saturating_add(1);
        let mut blocks = self.blocks.iter_mut();
        let mut exact = item;
        // The shorter blocks are those that the sum before this item was made of, and end where this item begins.
        for (_, block) in (0..self.time.trailing_zeros()).zip(blocks.by_ref()) {
            exact.iter_mut().zip(&block.exact).for_each(|(sum, part)| *sum += part);
        }
        let noisy = exact.iter().map(|sum| Ok(draw()? + *sum)).collect::<Fallible<_>>()?;
        if let Some(block) = blocks.next() {
            *block = Block { exact, noisy };
        }
        Ok(())
    }

    /// Returns the noisy sums of all items so far, from one block for each binary digit 1 of the time.
    fn sums(&self) -> Vec<Integer> {
        let width = self.blocks.first().map_or(0, |block| block.noisy.len());
        let mut sums = vec![Integer::new(); width];
        for (level, block) in (0..).zip(&self.blocks) {
            if self.time >> level & 1 == 1 {
                sums.iter_mut().zip(&block.noisy).for_each(|(sum, part)| *sum += part);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests;
