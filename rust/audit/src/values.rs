//! Draws single values in ways that break careless code: ends of types and of bounds, binades, cascades, cancellation,
//! subnormals.

use crate::neighbors::floats;
use indistinct::{
    bounds::Atom,
    numeric::{Dyadic, Extended, ToExtended, gmp::Rational},
};
use proptest::{
    arbitrary::any,
    num,
    prelude::{BoxedStrategy, Strategy},
    sample::select,
    strategy::{NewTree, ValueTree},
    test_runner::TestRunner,
};
use std::cmp::Ordering;

/// A type of single values that an audit can draw and compare. For your own type, list its values in
/// [`ways`](Value::ways), for example as one [`select`].
pub trait Value: Atom {
    /// The order of two values by their meaning. The result is `None` if one of them is NaN.
    fn order(&self, other: &Self) -> Option<Ordering>;

    /// Returns NaN, if the type has one.
    fn nan() -> Option<Self> {
        None
    }

    /// Returns an equal value that is written differently, if there is one: zero or NaN with the other sign.
    fn spelled(&self) -> Self {
        self.clone()
    }

    /// Returns ways to draw a value within bounds, or any value except NaN; the simplest way comes first.
    fn ways(bounds: Option<&(Self, Self)>) -> Vec<BoxedStrategy<Self>>;

    /// Returns values outside the bounds, each of which is tried: the next values beyond the bounds, and values far
    /// away. The list is empty if the bounds include all values.
    fn non_members(bounds: &(Self, Self)) -> Vec<Self>;
}

/// Returns those of some values that are outside the bounds, without repetition.
fn outside<T: PartialOrd + Clone>((lower, upper): &(T, T), values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut outside = Vec::new();
    for value in values {
        if (value < *lower || value > *upper) && !outside.contains(&value) {
            outside.push(value);
        }
    }
    outside
}

/// The exact order of the numbers that two values represent.
fn order_of_numbers<T: ToExtended>(one: &T, other: &T) -> Option<Ordering> {
    use Extended::{Finite, Infinity, NegInfinity};
    Some(match (one.to_extended().ok()?, other.to_extended().ok()?) {
        (Finite(one), Finite(other)) => one.cmp(&other),
        (NegInfinity, NegInfinity) | (Infinity, Infinity) => Ordering::Equal,
        (NegInfinity, _) | (_, Infinity) => Ordering::Less,
        (_, NegInfinity) | (Infinity, _) => Ordering::Greater,
    })
}

/// A strategy whose numbers are shrunk, regardless of how they were drawn.
#[derive(Debug)]
struct Small<T>(BoxedStrategy<T>);

/// Integers are shrunk by bisection.
macro_rules! small_integers {
    ($($number:ident),+) => {$(
        impl Strategy for Small<$number> {
            type Tree = num::$number::BinarySearch;
            type Value = $number;

            fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
                Ok(num::$number::BinarySearch::new(self.0.new_tree(runner)?.current()))
            }
        }
    )+};
}

small_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

/// A float is shrunk to the first number that also fails: 0, 1, a whole number, or a number with few digits.
#[derive(Debug)]
struct FloatTree<T> {
    drawn: T,
    current: T,
    next: Vec<T>,
}

macro_rules! small_floats {
    ($($float:ident),+) => {$(
        impl Strategy for Small<$float> {
            type Tree = FloatTree<$float>;
            type Value = $float;

            fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
                let x = self.0.new_tree(runner)?.current();
                // From the end: the simplest is tried first.
                let mut next = vec![(x * 8.0).round() / 8.0, x.trunc(), $float::copysign(1.0, x), 0.0];
                // Nothing is simpler than 0.
                next.retain(|simple| simple.is_finite() && *simple != x && x != 0.0);
                Ok(FloatTree { drawn: x, current: x, next })
            }
        }

        impl ValueTree for FloatTree<$float> {
            type Value = $float;

            fn current(&self) -> $float {
                self.current
            }

            fn simplify(&mut self) -> bool {
                let is_simple = self.current.to_bits() != self.drawn.to_bits();
                match self.next.pop() {
                    Some(simple) if !is_simple => {
                        self.current = simple;
                        true
                    }
                    _ => false,
                }
            }

            fn complicate(&mut self) -> bool {
                let is_simple = self.current.to_bits() != self.drawn.to_bits();
                self.current = self.drawn;
                is_simple
            }
        }
    )+};
}

small_floats!(f64, f32);

macro_rules! values_of_floats {
    ($($float:ident, $floats:expr;)+) => {$(
        impl Value for $float {
            fn order(&self, other: &Self) -> Option<Ordering> {
                order_of_numbers(self, other)
            }

            fn nan() -> Option<Self> {
                Some($float::NAN)
            }

            fn spelled(&self) -> Self {
                if *self == 0.0 || self.is_nan() { -self } else { *self }
            }

            fn ways(bounds: Option<&(Self, Self)>) -> Vec<BoxedStrategy<Self>> {
                let bounds = bounds.copied();
                let (lower, upper) = bounds.unwrap_or(($float::NEG_INFINITY, $float::INFINITY));
                let within = move |x: $float| x.clamp(lower, upper);
                let above = |base: $float, steps: u8| (0..steps).fold(base, |x, _| x.next_up());
                let below = |base: $float, steps: u8| (0..steps).fold(base, |x, _| x.next_down());
                // Two neighbors of a power of two and beyond: their sums cross a binade.
                let cascade = |base: $float| {
                    (any::<bool>(), 0..8u8).prop_map(move |(up, steps)| if up { above(base, steps) } else { below(base, steps) })
                };
                let mut ways = vec![
                    select(vec![0.0, 1.0, -1.0, 2.0, 0.5, -3.0]).boxed(),
                    select(vec![0.1, 0.2, 0.3, -0.3, 0.7]).boxed(),
                    cascade(1.0).boxed(),
                    cascade(1125899906842624.0).boxed(), // 2^50
                    // What is small is lost beside what is large, and back when that cancels.
                    select(vec![1.0, -1.0, 0.5, 9007199254740992.0, -9007199254740992.0, 1e30, -1e30]).boxed(),
                    cascade(0.0).boxed(), // subnormal
                    select(vec![$float::MAX, $float::MIN, $float::MAX / 2.0, $float::MIN / 2.0, $float::MIN_POSITIVE, 1.0])
                        .boxed(),
                    num::$float::ANY.prop_map(move |x| within(if x.is_nan() { 0.0 } else { x })).boxed(),
                    select($floats).boxed(),
                ];
                if bounds.is_some() {
                    let ends = (any::<bool>(), 0..3u8).prop_map(move |(low, steps)| {
                        within(if low { above(lower, steps) } else { below(upper, steps) })
                    });
                    ways.insert(0, select(vec![lower, upper, within(0.0)]).boxed());
                    ways.extend([ends.boxed(), (lower..=upper).boxed()]);
                }
                ways.into_iter().map(|way| Small(way).prop_map(within).boxed()).collect()
            }

            fn non_members(bounds: &(Self, Self)) -> Vec<Self> {
                let (lower, upper) = *bounds;
                let far = [$float::NEG_INFINITY, $float::INFINITY, $float::MIN, $float::MAX, -lower, -upper, 0.0];
                outside(bounds, [lower.next_down(), upper.next_up()].into_iter().chain(far))
            }
        }
    )+};
}

values_of_floats! {
    f64, floats();
    f32, vec![0.0, -0.0, 0.1, 16777217.0, -16777216.0, 1e-45, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY];
}

macro_rules! values_of_integers {
    ($($integer:ident, $($simple:literal),+;)+) => {$(
        impl Value for $integer {
            fn order(&self, other: &Self) -> Option<Ordering> {
                order_of_numbers(self, other)
            }

            fn ways(bounds: Option<&(Self, Self)>) -> Vec<BoxedStrategy<Self>> {
                let (lower, upper) = bounds.copied().unwrap_or(($integer::MIN, $integer::MAX));
                let within = move |x: $integer| x.clamp(lower, upper);
                let (least, most) = ($integer::MIN, $integer::MAX);
                let mut ways = vec![
                    select(vec![$($simple),+]).boxed(),
                    select(vec![least, least + 1, least / 2, most / 2, most - 1, most, 1]).boxed(),
                    num::$integer::ANY.boxed(),
                ];
                if bounds.is_some() {
                    ways.insert(0, select(vec![lower, upper, within(0)]).boxed());
                    if lower < upper {
                        ways.push((lower..=upper).boxed());
                    }
                }
                ways.into_iter().map(|way| Small(way).prop_map(within).boxed()).collect()
            }

            fn non_members(bounds: &(Self, Self)) -> Vec<Self> {
                let (lower, upper) = *bounds;
                let far = [$integer::MIN, $integer::MAX, lower.wrapping_neg(), upper.wrapping_neg(), 0];
                let next = [lower.checked_sub(1), upper.checked_add(1)].into_iter().flatten();
                outside(bounds, next.chain(far))
            }
        }
    )+};
}

values_of_integers! {
    i8, 0, 1, 2, 5, -1;
    i16, 0, 1, 2, 5, -1;
    i32, 0, 1, 2, 5, -1;
    i64, 0, 1, 2, 5, -1;
    i128, 0, 1, 2, 5, -1;
    u8, 0, 1, 2, 5;
    u16, 0, 1, 2, 5;
    u32, 0, 1, 2, 5;
    u64, 0, 1, 2, 5;
    u128, 0, 1, 2, 5;
}

macro_rules! values_of_other_types {
    ($($type:ty, |$bounds:ident| $ways:expr, |$beyond:ident| $non_members:expr;)+) => {$(
        impl Value for $type {
            fn order(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }

            fn ways($bounds: Option<&(Self, Self)>) -> Vec<BoxedStrategy<Self>> {
                $ways
            }

            fn non_members($beyond: &(Self, Self)) -> Vec<Self> {
                outside($beyond, $non_members)
            }
        }
    )+};
}

/// Words: some are similar to each other, and some are numbers or almost numbers.
const WORDS: [&str; 5] = ["a", "b", "c", "z", ""];
const NUMBERS: [&str; 10] = ["37", "0", "-1", "121", "1e3", "8.0", " 5", "nan", "inf", "٣"];

/// Returns the values within bounds, or the bounds if no value is within them.
fn between<T: Atom + Ord>(values: Vec<T>, bounds: Option<&(T, T)>) -> Vec<T> {
    let Some((lower, upper)) = bounds else { return values };
    let within: Vec<T> = values.into_iter().filter(|value| lower <= value && value <= upper).collect();
    if within.is_empty() { vec![lower.clone(), upper.clone()] } else { within }
}

/// Returns texts just outside of bounds: one after the upper bound, and one before the lower bound, unless no text
/// comes before it.
fn next_to((lower, upper): &(String, String)) -> [String; 2] {
    let mut shorter = lower.clone();
    shorter.pop();
    [shorter, format!("{upper}\0")]
}

/// Returns a number that is closer to a given number than any float.
fn beside(number: &Dyadic, sign: f64) -> Option<Dyadic> {
    let tiny = Rational::from_f64(sign)? >> 1100;
    Dyadic::from_gmp_rational(&(number.to_gmp_rational() + tiny)).ok()
}

/// Returns all texts that are drawn.
fn texts() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().chain(NUMBERS)
}

fn dyadics() -> Vec<Dyadic> {
    floats().into_iter().filter_map(|x| Dyadic::from_f64(x).ok()).collect()
}

values_of_other_types! {
    bool, |bounds| vec![select(between(vec![false, true], bounds)).boxed()], |bounds| [false, true];
    char, |bounds| vec![select(between(vec!['a', 'b', 'z', '\0', 'é', '\u{10ffff}'], bounds)).boxed()],
        |bounds| ('\0'..bounds.0).next_back().into_iter().chain((bounds.1..=char::MAX).nth(1)).chain(['\0', char::MAX]);
    &'static str,
        |bounds| vec![select(between(WORDS.to_vec(), bounds)).boxed(), select(between(NUMBERS.to_vec(), bounds)).boxed()],
        |bounds| texts();
    String,
        |bounds| [WORDS.as_slice(), &NUMBERS]
            .map(|words| select(between(words.iter().map(|word| String::from(*word)).collect(), bounds)).boxed())
            .to_vec(),
        |bounds| next_to(bounds).into_iter().chain(texts().map(String::from));
    Dyadic,
        |bounds| vec![select(between(dyadics(), bounds)).boxed()],
        |bounds| [beside(&bounds.0, -1.0), beside(&bounds.1, 1.0)].into_iter().flatten().chain(dyadics());
}
