//! The samplers as distributions of the crate `rand`.

use crate::{
    Error, Fallible, IntegerNoise, Real, RealNoise, RoundedNoise, SnappedNoise, TruncatedNoise, entropy::Generator,
};
use indistinct_numeric::BigInt;
use rand::{Rng, distr::Distribution};

macro_rules! impl_distributions {
    ($($(#[$attribute:meta])* $noise:ty: $outcome:ty, |$law:ident, $entropy:ident| $draw:expr;)+) => {$(
        $(#[$attribute])*
        ///
        /// Any error except [`Error::Range`] means that the generator is stuck; a fair generator causes one with
        /// probability below `2^-1000`.
        ///
        /// Use these for simulations only: a draw is as good as its generator, and is not a private release.
        /// `indistinct` draws its releases from [`OsEntropy`](crate::OsEntropy), and states their privacy loss.
        impl Distribution<Fallible<$outcome>> for $noise {
            fn sample<R: Rng + ?Sized>(&self, generator: &mut R) -> Fallible<$outcome> {
                let ($law, $entropy) = (self, &mut Generator::new(generator));
                $draw
            }
        }
    )+};
}

impl_distributions! {
    /// Draws an integer of any size.
    IntegerNoise: BigInt, |law, entropy| law.draw(entropy);
    /// Draws an integer, or returns [`Error::Range`] if it does not fit in an `i64`. Noise with a scale below `2^50`
    /// always fits.
    IntegerNoise: i64, |law, entropy| law.draw_gmp(entropy)?.to_i64().ok_or(Error::Range);
    /// Draws an integer.
    TruncatedNoise: i64, |law, entropy| law.draw(entropy);
    /// Draws a number whose further digits can be drawn later, from the same generator or another.
    RealNoise: Real, |law, entropy| law.draw(entropy);
    /// Draws noise: the number 0 with noise added.
    RoundedNoise: f64, |law, entropy| law.add(0.0, entropy);
    /// Draws noise: the number 0 with noise added.
    SnappedNoise: f64, |law, entropy| law.add(0.0, entropy);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::RngEntropy;
    use chacha20::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};
    use std::convert::Infallible;

    fn generator(seed: u64) -> ChaCha12Rng {
        ChaCha12Rng::seed_from_u64(seed)
    }

    /// Each begins with a word of its own.
    #[test]
    fn a_sample_is_a_draw_from_the_generator() {
        let integers = IntegerNoise::laplace(1e20).unwrap();
        let small = IntegerNoise::gaussian(3.0).unwrap();
        let truncated = TruncatedNoise::laplace(9.0, 2, 40).unwrap();
        let rounded = RoundedNoise::gaussian(2.5, -20).unwrap();
        let snapped = SnappedNoise::new(3.0, 100.0).unwrap();
        let real = RealNoise::gumbel();
        for seed in 0..50 {
            let entropy = || RngEntropy::new(generator(seed));
            assert_eq!(generator(seed).sample::<Fallible<BigInt>, _>(&integers), integers.draw(&mut entropy()));
            assert_eq!(generator(seed).sample::<Fallible<i64>, _>(&small), small.draw_i64(&mut entropy()));
            assert_eq!(truncated.sample(&mut generator(seed)), truncated.draw(&mut entropy()));
            assert_eq!(rounded.sample(&mut generator(seed)), rounded.add(0.0, &mut entropy()));
            assert_eq!(snapped.sample(&mut generator(seed)), snapped.add(0.0, &mut entropy()));
            let (one, other) = (real.sample(&mut generator(seed)).unwrap(), real.draw(&mut entropy()).unwrap());
            assert_eq!(one.interval(), other.interval());
        }
    }

    #[test]
    fn a_draw_that_does_not_fit_is_refused_and_not_clamped() {
        let noise = IntegerNoise::laplace(1e30).unwrap();
        let mut large = 0;
        for seed in 0..20 {
            let exact: Fallible<BigInt> = noise.sample(&mut generator(seed));
            let word: Fallible<i64> = noise.sample(&mut generator(seed));
            let fits = i64::try_from(exact.unwrap()).map_err(|_| Error::Range);
            large += u32::from(fits.is_err());
            assert_eq!(word, fits);
        }
        assert!(large > 15);
    }

    /// Tests the code that users of `rand` write.
    #[test]
    fn samples_are_collected() {
        let noise = IntegerNoise::geometric(4.0).unwrap();
        let draws: Result<Vec<i64>, Error> = noise.sample_iter(generator(1)).take(2000).collect();
        let draws = draws.unwrap();
        // Mean 1 / (e^(1/4) - 1) = 3.52, deviation 4.0: seven deviations of the mean; the seed is fixed.
        let mean = f64::from(i32::try_from(draws.iter().sum::<i64>()).unwrap()) / 2000.0;
        assert!((mean - 3.52).abs() < 0.63 && draws.iter().all(|z| *z >= 0), "{mean}");
    }

    /// A generator that repeats one word.
    struct Stuck(u64);

    impl rand::TryRng for Stuck {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            u32::try_from(self.0 >> 32).map_or(Ok(0), Ok)
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill(0);
            Ok(())
        }
    }

    #[test]
    fn a_stuck_generator_is_an_error() {
        let noise = IntegerNoise::laplace(100.0).unwrap();
        let (integer, word): (Fallible<BigInt>, Fallible<i64>) =
            (noise.sample(&mut Stuck(u64::MAX)), noise.sample(&mut Stuck(u64::MAX)));
        assert_eq!((integer, word), (Err(Error::Entropy), Err(Error::Entropy)));
        assert_eq!(SnappedNoise::new(3.0, 100.0).unwrap().sample(&mut Stuck(0)), Err(Error::Entropy));
    }
}
