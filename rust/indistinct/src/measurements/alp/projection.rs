//! The table of noisy bits: how numbers are written to it and read from it.

use crate::{
    core::{Error, ErrorKind, Fallible, require},
    domains::{Canonical, Number},
};
use indistinct_numeric::{
    Extended,
    gmp::{Integer, Rational},
};
use indistinct_sampling::{Entropy, gmp::bernoulli_rational, uniform_below_u64};
use std::{collections::BTreeMap, fmt, marker::PhantomData};

/// The maximum number of bits in a table.
const MAX_BITS: u64 = 1 << 31;
/// The maximum number of levels. A release draws and keeps 16 bytes for each level, and processes 8 bytes for each
/// level of a key.
const MAX_LEVELS: u64 = 1 << 22;

/// The projection of numbers onto bits.
#[derive(Debug, Clone)]
pub(super) struct Projection {
    /// The size of one level: `alpha * scale`, exactly.
    unit: Rational,
    limit: Rational,
    levels: usize,
    buckets: u64,
    /// One bit in this many is flipped.
    flip_one_in: u64,
}

impl Projection {
    pub(super) fn new(scale: f64, limit: f64, buckets: u32, alpha: u32) -> Fallible<Self> {
        let exact =
            |x, name| Rational::from_f64(x).ok_or_else(|| Error::parameter(name, "must be positive and finite"));
        let (unit, limit) = (exact(scale, "scale")? * alpha, exact(limit, "limit")?);
        let levels = Rational::from(&limit / &unit).ceil().into_numer_denom().0;
        let rule =
            format!("limit / (alpha * scale), the number of levels, must be at most 2^22, not {:e}", levels.to_f64());
        let levels = levels.to_u64().filter(|levels| *levels <= MAX_LEVELS);
        let levels = levels.ok_or_else(|| Error::parameter("limit", &rule))?;
        let rule = format!("the table may have at most 2^31 bits, not {levels} levels of {buckets} bits each");
        require(levels.checked_mul(buckets.into()).is_some_and(|bits| bits <= MAX_BITS), "buckets", &rule)?;
        let levels = usize::try_from(levels).map_err(|_| Error::parameter("limit", &rule))?;
        Ok(Self { unit, limit, levels, buckets: buckets.into(), flip_one_in: u64::from(alpha) + 2 })
    }

    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// Releases the table of a map. Each number sets one bit in each of its levels, from the first level up; the last
    /// level is filled with the probability of the remaining fraction. Then every bit of the table is flipped or kept.
    pub(super) fn release<K: Canonical, T: Number>(
        &self,
        map: &BTreeMap<K, T>,
        hash: KeyHash,
        entropy: &mut dyn Entropy,
    ) -> Fallible<ProjectedCounts<K>> {
        let mut table = ProjectedCounts::empty(self, hash)?;
        for (key, number) in map {
            let levels = self.round(number.to_extended()?, entropy)?;
            let positions: Vec<usize> = table.positions(key).take(levels).collect();
            positions.into_iter().for_each(|position| table.change(position, |bit, mask| bit | mask));
        }
        for position in 0..table.size {
            if uniform_below_u64(self.flip_one_in, entropy)? == 0 {
                table.change(position, |bit, mask| bit ^ mask);
            }
        }
        Ok(table)
    }

    /// Returns the number of levels that a number fills: `number / unit` rounded down, or rounded up with the
    /// probability of its fraction.
    fn round(&self, number: Extended, entropy: &mut dyn Entropy) -> Fallible<usize> {
        let bounded = match number {
            Extended::NegInfinity => Rational::new(),
            Extended::Finite(number) => number.clamp(&Rational::new(), &self.limit),
            Extended::Infinity => self.limit.clone(),
        };
        let (fraction, whole) = (bounded / &self.unit).fract_floor(Integer::new());
        let up = bernoulli_rational(&fraction, entropy)?;
        Ok(whole.to_usize().unwrap_or(self.levels) + usize::from(up))
    }
}

/// The noisy bits of [`make_alp`](super::make_alp), from which the number of any key is estimated.
///
/// It is a release: reading it costs nothing.
#[derive(Clone, PartialEq)]
pub struct ProjectedCounts<K> {
    hash: KeyHash,
    buckets: u64,
    /// The size of one level, to the nearest float.
    unit: f64,
    limit: f64,
    /// The bits of all levels, level by level.
    bits: Vec<u64>,
    size: usize,
    key: PhantomData<fn(&K)>,
}

impl<K: Canonical> ProjectedCounts<K> {
    fn empty(projection: &Projection, hash: KeyHash) -> Fallible<Self> {
        let buckets = usize::try_from(projection.buckets).ok();
        let size = buckets.and_then(|buckets| buckets.checked_mul(projection.levels));
        let size = size.ok_or_else(|| Error::new(ErrorKind::Numeric, "the table is larger than memory"))?;
        Ok(Self {
            hash,
            buckets: projection.buckets,
            unit: projection.unit.to_f64(),
            limit: projection.limit.to_f64(),
            bits: vec![0; size.div_ceil(64)],
            size,
            key: PhantomData,
        })
    }

    /// Estimates a key's number from the bits. They do not reveal whether the key was in the data.
    ///
    /// The bit of a key tends to be set in the levels up to the key's number, and not in higher levels. The estimate is
    /// the number of levels up to which set bits exceed the others by most, or the mean of these numbers if there are
    /// several.
    pub fn estimate(&self, key: &K) -> f64 {
        let (mut ahead, mut most, mut sum, mut ties) = (0i64, 0i64, 0.0, 1.0);
        let mut level = 0.0;
        for position in self.positions(key) {
            level += 1.0;
            ahead += if self.bit(position) { 1 } else { -1 };
            if ahead > most {
                (most, sum, ties) = (ahead, level, 1.0);
            } else if ahead == most {
                (sum, ties) = (sum + level, ties + 1.0);
            }
        }
        if sum == 0.0 { 0.0 } else { (sum / ties * self.unit).min(self.limit) }
    }

    /// Returns the bits of the table, level by level with `buckets` bits each.
    pub fn bits(&self) -> impl Iterator<Item = bool> {
        (0..self.size).map(|position| self.bit(position))
    }

    /// Returns the positions of a key's bits, one in each level.
    fn positions(&self, key: &K) -> impl Iterator<Item = usize> {
        let buckets = usize::try_from(self.buckets).unwrap_or(usize::MAX);
        self.hash.buckets(key, self.buckets).enumerate().map(move |(level, bucket)| level * buckets + bucket)
    }

    fn bit(&self, position: usize) -> bool {
        self.bits.get(position / 64).is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    fn change(&mut self, position: usize, with: impl Fn(u64, u64) -> u64) {
        if let Some(word) = self.bits.get_mut(position / 64) {
            *word = with(*word, 1 << (position % 64));
        }
    }
}

impl<K> fmt::Debug for ProjectedCounts<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProjectedCounts").field("buckets", &self.buckets).field("size", &self.size).finish()
    }
}

/// The assignment of one bit of each level to a key: a polynomial of the key's encoding and, for each level, a linear
/// function of its value, modulo the prime 2^61 - 1. It is drawn independently of the data, and released.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyHash {
    point: u64,
    lines: Vec<(u64, u64)>,
}

const PRIME: u64 = (1 << 61) - 1;

impl KeyHash {
    pub(super) fn draw(levels: usize, entropy: &mut dyn Entropy) -> Fallible<Self> {
        let point = uniform_below_u64(PRIME, entropy)?;
        let mut line = || Ok((uniform_below_u64(PRIME - 1, entropy)? + 1, uniform_below_u64(PRIME, entropy)?));
        Ok(Self { point, lines: (0..levels).map(|_| line()).collect::<Fallible<_>>()? })
    }

    /// Returns the bucket of a key in each level, below `buckets`.
    fn buckets<K: Canonical>(&self, key: &K, buckets: u64) -> impl Iterator<Item = usize> {
        // No encoding is a prefix of another, so that zeros at the end make no two alike.
        let value = key.encoding().chunks(7).fold(0, |value, chunk| {
            let digit = chunk.iter().fold(0, |digit, byte| digit << 8 | u64::from(*byte));
            fused(value, self.point, digit << (8 * (7 - chunk.len())))
        });
        self.lines
            .iter()
            .map(move |(slope, offset)| usize::try_from(fused(*slope, value, *offset) % buckets).unwrap_or_default())
    }
}

/// Returns `a b + c` modulo the prime.
fn fused(a: u64, b: u64, c: u64) -> u64 {
    let remainder = (u128::from(a) * u128::from(b) + u128::from(c)) % u128::from(PRIME);
    u64::try_from(remainder).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::testing::enumerate;

    type Law = BTreeMap<Vec<bool>, f64>;
    type Numbers = BTreeMap<u8, i64>;

    /// A hash that puts key 0 on bucket 0 and key 1 on bucket 1 of 2, or both on the only one.
    fn hash(levels: usize) -> KeyHash {
        // 2^48 is the weight of the byte; 2^48 times 2^13 is 1 modulo the prime.
        KeyHash { point: 1, lines: vec![(1 << 13, 0); levels] }
    }

    fn law(release: impl Fn(&mut dyn Entropy) -> Fallible<Vec<bool>>) -> Law {
        let law = enumerate(40, |entropy| release(entropy).map_err(|_| indistinct_sampling::Error::Entropy)).unwrap();
        assert_eq!(law.undecided, 0.0, "with dyadic probabilities every tape decides");
        law.mass
    }

    fn all_maps(limit: i64) -> Vec<Numbers> {
        let others = (0..=limit + 1).step_by(usize::try_from(limit / 3).unwrap().max(1));
        others.flat_map(|b| (0..=limit + 1).map(move |a| Numbers::from([(0, a), (1, b)]))).collect()
    }

    /// The greatest ratio of log-probabilities to L1 distance, over all pairs.
    fn loss_per_unit(laws: &[(Numbers, Law)]) -> f64 {
        let mut greatest: f64 = 0.0;
        for (x, p) in laws {
            for (y, q) in laws.iter().filter(|(y, _)| y != x) {
                let distance: i64 = [0, 1].map(|key| (x[&key] - y[&key]).abs()).iter().sum();
                for (bits, mass) in p {
                    let other = q.get(bits).copied().unwrap_or(0.0);
                    greatest = greatest.max((mass / other).ln() / f64::from(i32::try_from(distance).unwrap()));
                }
            }
        }
        greatest
    }

    fn exact_loss(unit: f64, limit: i64, buckets: u32, control: impl Fn(Projection) -> Projection) -> f64 {
        let projection =
            control(Projection::new(unit / 2.0, f64::from(i32::try_from(limit).unwrap()), buckets, 2).unwrap());
        let release = |map: &Numbers| {
            law(|entropy| Ok(projection.release(map, hash(projection.levels), entropy)?.bits().collect()))
        };
        loss_per_unit(&all_maps(limit).into_iter().map(|map| (map.clone(), release(&map))).collect::<Vec<_>>())
    }

    /// All bits that can be drawn, for all pairs of two keys' numbers: the loss is within `1 / scale` a unit, and close
    /// to it.
    #[test]
    fn the_exact_loss_is_within_the_map() {
        for (unit, limit, buckets) in [(2.0, 4, 1), (2.0, 4, 2), (4.0, 5, 1), (16.0, 17, 1), (64.0, 3, 2), (0.5, 1, 2)]
        {
            let (loss, claim) = (exact_loss(unit, limit, buckets, |same| same), 2.0 / unit);
            assert!(loss <= claim * (1.0 + 1e-12), "{unit} {limit} {buckets}: {loss} {claim}");
            assert!(unit < 16.0 || loss > 0.93 * claim, "the bound is met closely: {loss} {claim}");
        }
    }

    #[test]
    fn negative_controls_exceed_it() {
        // Bits flipped too seldom; a unit that is too small.
        assert!(exact_loss(16.0, 17, 1, |right| Projection { flip_one_in: 8, ..right }) > 1.05 * 2.0 / 16.0);
        assert!(exact_loss(16.0, 17, 1, |right| Projection { unit: 8.into(), levels: 3, ..right }) > 1.05 * 2.0 / 16.0);
        // Numbers rounded to the nearest level instead of at random.
        let nearest = |map: &Numbers| {
            let rounded = map.iter().map(|(key, number)| (*key, (number + 8) / 16 * 16)).collect();
            let projection = Projection::new(8.0, 17.0, 1, 2).unwrap();
            law(|entropy| Ok(projection.release(&rounded, hash(2), entropy)?.bits().collect()))
        };
        let laws: Vec<_> = all_maps(17).into_iter().map(|map| (map.clone(), nearest(&map))).collect();
        assert!(loss_per_unit(&laws) > 1.05 * 2.0 / 16.0);
    }

    #[test]
    fn equal_keys_and_only_those_meet_in_every_level() {
        let mut entropy = crate::sampling::testing::SeededEntropy::new(3);
        let hash = KeyHash::draw(64, &mut entropy).unwrap();
        let buckets = |key: &str| hash.buckets(&String::from(key), 1 << 20).collect::<Vec<_>>();
        assert_eq!(buckets("a long key that spans chunks"), buckets("a long key that spans chunks"));
        for other in ["a long key that spans chunkz", "a long key that spans chunks ", "", "a"] {
            let meet =
                buckets("a long key that spans chunks").iter().zip(buckets(other)).filter(|(a, b)| **a == *b).count();
            assert!(meet < 4, "{other}");
        }
        // Positions spread evenly: each of 8 buckets has 64 of 512, give or take 6.5 deviations of 7.5.
        let mut counts = [0; 8];
        for key in 0u8..8 {
            hash.buckets(&key, 8).for_each(|bucket| counts[bucket] += 1);
        }
        assert!(counts.iter().all(|count| (15..113).contains(count)), "{counts:?}");
    }

    #[test]
    fn no_draw_depends_on_keys_without_numbers() {
        let projection = Projection::new(1.0, 8.0, 4, 2).unwrap();
        let release = |map: Numbers| {
            let mut entropy = crate::sampling::testing::SeededEntropy::new(9);
            projection.release(&map, hash(projection.levels), &mut entropy).unwrap()
        };
        assert!(release(Numbers::new()) == release(Numbers::from([(0, 0), (1, -5), (7, 0)])));
    }

    /// A slope is never 0, for which all keys would share one bucket.
    #[test]
    fn slopes_are_from_one_to_the_prime_and_offsets_from_zero() {
        let word = |value: u64| (0..61).rev().map(move |bit| value >> bit & 1 == 1);
        let draws = |values: &[u64]| -> KeyHash {
            let tape: Vec<bool> = values.iter().flat_map(|value| word(*value)).collect();
            KeyHash::draw(1, &mut crate::sampling::testing::BitTape::new(&tape)).unwrap()
        };
        assert_eq!(draws(&[0, 0, 0]), KeyHash { point: 0, lines: vec![(1, 0)] });
        assert_eq!(draws(&[7, 8, 9]), KeyHash { point: 7, lines: vec![(9, 9)] });
        let last = PRIME - 1;
        assert_eq!(draws(&[last, last - 1, last]), KeyHash { point: last, lines: vec![(last, last)] });
        // What is beyond the range is drawn again.
        assert_eq!(draws(&[PRIME, 5, last, 3, PRIME, 4]), KeyHash { point: 5, lines: vec![(4, 4)] });
    }
}
