//! Noise and samples in bulk, as bytes that numpy takes over without a copy.

use crate::failure::{Failure, Fallible};
use indistinct::sampling::{IntegerNoise, OsEntropy, RoundedNoise, bernoulli};
use pyo3::{prelude::*, types::PyByteArray};

/// How many numbers are drawn between two writes.
const BLOCK: usize = 4096;

/// No draw of discrete Gaussian noise of this sigma is beyond 64 bits.
const MOST_SIGMA: f64 = 1_125_899_906_842_624.0;

impl From<indistinct::sampling::Error> for Failure {
    fn from(error: indistinct::sampling::Error) -> Self {
        match error {
            indistinct::sampling::Error::Parameter(_) => Self::question(error.to_string()),
            _ => Self::other(error.to_string()),
        }
    }
}

/// The bytes of `count` numbers of 8 bytes, written in blocks. Nobody else sees them before they are returned, and the
/// interpreter's lock is released meanwhile.
fn numbers<'py>(
    py: Python<'py>,
    count: usize,
    write: impl FnOnce(&mut [u8]) -> Fallible<()> + Send,
) -> Fallible<Bound<'py, PyByteArray>> {
    let length = count.checked_mul(8).ok_or_else(|| Failure::question("size must fit into memory"))?;
    Ok(PyByteArray::new_with(py, length, |bytes| Ok(py.detach(|| write(bytes))?))?)
}

fn positive(sigma: f64) -> Fallible<()> {
    if sigma > 0.0 && sigma < MOST_SIGMA {
        return Ok(());
    }
    Err(Failure::question("sigma must be above 0 and below 2^50"))
}

/// Returns draws of discrete Gaussian noise, as the bytes of 64-bit integers.
#[pyfunction]
pub(crate) fn discrete_gaussian_bytes(py: Python<'_>, sigma: f64, count: usize) -> Fallible<Bound<'_, PyByteArray>> {
    positive(sigma)?;
    numbers(py, count, |bytes| {
        let (noise, mut entropy) = (IntegerNoise::gaussian(sigma)?, OsEntropy::new());
        let mut draws = vec![0i64; BLOCK.min(bytes.len() / 8)];
        for block in bytes.chunks_mut(BLOCK * 8) {
            noise.fill(&mut draws, &mut entropy)?;
            block.chunks_exact_mut(8).zip(&draws).for_each(|(to, draw)| to.copy_from_slice(&draw.to_ne_bytes()));
        }
        Ok(())
    })
}

/// Returns floats, given as their bytes, with Gaussian noise that is rounded to multiples of `2^exponent`.
#[pyfunction]
pub(crate) fn gaussian_bytes<'py>(
    py: Python<'py>,
    values: &[u8],
    sigma: f64,
    exponent: i32,
) -> Fallible<Bound<'py, PyByteArray>> {
    positive(sigma)?;
    numbers(py, values.len() / 8, |bytes| {
        let (noise, mut entropy) = (RoundedNoise::gaussian(sigma, exponent)?, OsEntropy::new());
        for (to, from) in bytes.chunks_exact_mut(8).zip(values.chunks_exact(8)) {
            let value = <[u8; 8]>::try_from(from).map_or(f64::NAN, f64::from_ne_bytes);
            if !value.is_finite() {
                return Err(Failure::question("values must be finite numbers"));
            }
            to.copy_from_slice(&noise.add(value, &mut entropy)?.to_ne_bytes());
        }
        Ok(())
    })
}

/// Returns a byte for each individual: 1 with probability `rate`, and 0 otherwise.
#[pyfunction]
pub(crate) fn poisson_sample_bytes(py: Python<'_>, rate: f64, population: usize) -> Fallible<Bound<'_, PyByteArray>> {
    if !(0.0..=1.0).contains(&rate) {
        return Err(Failure::question("rate must be between 0 and 1"));
    }
    let sample = |bytes: &mut [u8]| -> Fallible<()> {
        let mut entropy = OsEntropy::new();
        bytes.iter_mut().try_for_each(|byte| {
            *byte = u8::from(bernoulli(rate, &mut entropy)?);
            Ok(())
        })
    };
    Ok(PyByteArray::new_with(py, population, |bytes| Ok(py.detach(|| sample(bytes))?))?)
}
