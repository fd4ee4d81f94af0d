//! No release takes its bits from its caller: not a measurement, a conversation, an answer, nor an aggregate.

use indistinct::{
    prelude::*,
    sampling::{Entropy, Fallible as Sampled},
};

struct Zeros;

impl Entropy for Zeros {
    fn bits(&mut self, _: u32) -> Sampled<u64> {
        Ok(0)
    }
}

fn main() -> Fallible<()> {
    let rows = || (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    let noisy = (rows() >> then_count() >> then_laplace(1.0))?;
    drop(noisy.invoke_with(&[0], &mut Zeros));
    drop(noisy.aggregate()?.release_with(&mut Zeros));
    let filter = (rows() >> then_privacy_filter(MaxDivergence, 1, 1.0))?.invoke(&[0])?;
    drop(filter.eval_with(&noisy, &mut Zeros));
    let sparse =
        (rows() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, 1i64, 1, (2.0, 4.0)))?.invoke(&[0])?;
    let count = (rows() >> then_count())?;
    drop(sparse.eval_with(&count, &mut Zeros));
    Ok(())
}
