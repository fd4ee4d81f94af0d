//! The discrete Fourier transform, written so that the bound on its rounding error has a short proof: see
//! `proofs/accounting/pld_lemmas.md`.

use crate::enclosure::{Above, CIRCLE_ERROR, UNIT_ROUNDOFF, unit_circle};

/// A complex float.
pub type Complex = (f64, f64);

/// Returns the points `e^(2 pi i k/n)` for k below n/2, where n is a power of two.
pub fn roots(size: u32) -> Vec<Complex> {
    (0..size / 2).map(|k| unit_circle(f64::from(k) / f64::from(size))).collect()
}

/// Replaces `x` by `sum over j of x[j] e^(2 pi i j n/size)`, at the position whose bits are those of n reversed, by
/// halving (decimation in frequency).
pub fn transform(data: &mut [Complex], roots: &[Complex]) {
    let (mut length, mut stride) = (data.len(), 1);
    while length >= 2 {
        for block in data.chunks_exact_mut(length) {
            let (front, back) = block.split_at_mut(length / 2);
            for ((x, y), root) in front.iter_mut().zip(back).zip(roots.iter().step_by(stride)) {
                let difference = (x.0 - y.0, x.1 - y.1);
                *x = (x.0 + y.0, x.1 + y.1);
                *y = (difference.0 * root.0 - difference.1 * root.1, difference.0 * root.1 + difference.1 * root.0);
            }
        }
        length /= 2;
        stride *= 2;
    }
}

/// Returns a bound on the error of each output, divided by the sum of the sizes of the inputs: each stage adds at most
/// one sum (one unit), one product (less than 3) and the error of a root, relative to the sum of sizes that reaches the
/// output.
pub fn error(size: u32) -> Above {
    let stage = Above::exact(CIRCLE_ERROR) + 5.0 * UNIT_ROUNDOFF;
    let stages = size.ilog2();
    // The growth of errors from stage to stage.
    stage * f64::from(stages) * (stage + 1.0).power(stages)
}

/// Returns the position of frequency n.
pub fn position(n: u32, size: u32) -> u32 {
    if size < 2 { 0 } else { n.reverse_bits() >> (32 - size.ilog2()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum as it is defined, with compensated accuracy from exact angles.
    #[test]
    fn matches_the_definition_within_its_bound() {
        for size in [1u32, 2, 8, 64, 512] {
            let input: Vec<Complex> =
                (0..size).map(|j| (f64::from((j * j + 3) % 17) / 17.0, f64::from(j % 5) / 7.0)).collect();
            let total: f64 = input.iter().map(|x| x.0.hypot(x.1)).sum();
            let mut output = input.clone();
            transform(&mut output, &roots(size));
            for n in 0..size {
                let mut sum = [rug::Float::with_val(160, 0), rug::Float::with_val(160, 0)];
                for (j, x) in (0..size).zip(&input) {
                    let turn = rug::Float::with_val(160, rug::float::Constant::Pi) * 2u32 * ((j * n) % size) / size;
                    let (sine, cosine) = (turn.clone().sin(), turn.cos());
                    sum[0] += rug::Float::with_val(160, &cosine * x.0) - rug::Float::with_val(160, &sine * x.1);
                    sum[1] += rug::Float::with_val(160, &cosine * x.1) + rug::Float::with_val(160, &sine * x.0);
                }
                let found = output[usize::try_from(position(n, size)).unwrap()];
                let off = (sum[0].clone() - found.0).hypot(&(sum[1].clone() - found.1)).to_f64();
                assert!(off <= error(size).get() * total, "{size} {n}: {off:e}");
            }
        }
    }
}
