//! `make_linear_queries`: the exact product of a matrix and a vector of numbers.

use super::categories::CategoryMetric;
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{AtomDomain, BallDomain, Norm, Number, VectorDomain},
    metrics::{L1Distance, L2Distance, LInfDistance},
};
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, Extended, RoundedArithmetic, RoundedFrom, RoundedMath, gmp::Rational};

/// Computes the exact product of a public matrix and a vector of numbers: linear queries of a histogram, contrasts of
/// sums, prefix sums, or a change of basis.
///
/// An infinity counts as the largest finite f64 of its sign.
///
/// # Parameters
///
/// - `matrix`: its rows, each with as many finite numbers as the vectors. The output has one number for each row.
/// - `output_metric`: [`L1Distance`] for Laplace noise, [`L2Distance`] for Gaussian noise, [`LInfDistance`] for a
///   selection.
///
/// # Stability
///
/// `d_in` times a bound on the operator norm of the matrix, rounded up: the smallest of three bounds (Horn and Johnson,
/// Matrix Analysis, chapter 5).
///
/// - *By columns*: take the length of each column in the output metric, and the length of these lengths in the dual
///   norm of the input metric. From L1, this is the longest column, which is the norm itself.
/// - *By rows*: take the length of each row in the dual norm of the input metric, and the length of these lengths in
///   the output metric. To LInf, this is the longest row, which is the norm itself. In the monotonic form of LInf, a
///   length is the largest change of a number or of the difference of two numbers. The bound is then the longest of all
///   rows and of all differences of two rows, which is also the norm itself. For large matrices (rows^2 columns above
///   2^21), the bound is the sum of the two longest rows.
/// - *By interpolation*: `sqrt(norm_1 norm_inf)` bounds the Euclidean norm, where norm_1 and norm_inf are the largest
///   sums of absolute values in a column and in a row. This bound is multiplied by `sqrt(n)` if the input metric is
///   LInf, for n columns, and by `sqrt(m)` if the output metric is L1, for m rows.
///
/// From L2 to L2, the first two bounds are the Frobenius norm, which is far above the third bound for many matrices.
/// The dual norm of the monotonic form of LInf is the larger of the sum of all positive and the sum of all negative
/// numbers, because increases and decreases share one distance.
///
/// # Errors
///
/// Returns an error if the length of vectors is unknown or 0, if the matrix has no rows, a row of a different length,
/// or a number that is not finite, or if its norm exceeds f64.
///
/// ```
/// use indistinct::prelude::*;
/// let counts = VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let all_and_first_without_last = vec![vec![1.0, 1.0, 1.0], vec![1.0, 0.0, -1.0]];
/// let queries = make_linear_queries(counts, L1Distance::new(), all_and_first_without_last, L1Distance::new())?;
/// let answers = queries.invoke(&[5, 3, 1])?;
/// assert_eq!(answers.iter().map(|answer| answer.to_f64()).collect::<Vec<_>>(), [9.0, 4.0]);
/// assert_eq!(queries.map(&1.0)?, 2.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(T = [i64, i128, Dyadic], (M, MO) = [
    (L1Distance, L1Distance),
    (L1Distance, L2Distance),
    (L1Distance, LInfDistance),
    (L2Distance, L2Distance),
]))]
pub fn make_linear_queries<T: Number, M: DualMetric, MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
    matrix: Vec<Vec<f64>>,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<AtomDomain<T>>, VectorDomain<AtomDomain<Dyadic>>, M, MO>>
where
    (VectorDomain<AtomDomain<T>>, M): MetricSpace,
    (VectorDomain<AtomDomain<Dyadic>>, MO): MetricSpace,
{
    let rule = "the length of the vectors must be known, and at least one";
    let columns =
        input_domain.size().filter(|size| *size >= 1).ok_or_else(|| Error::parameter("input_domain", rule))?;
    require(!matrix.is_empty(), "matrix", "must have a row")?;
    require(matrix.iter().all(|row| row.len() == columns), "matrix", "each row must be as long as the vectors")?;
    require(matrix.iter().flatten().all(|entry| entry.is_finite()), "matrix", "must be finite")?;
    let norm = norm(&matrix, &input_metric, &output_metric)?;
    require(norm.is_finite(), "matrix", "its norm must be within the range of f64")?;
    let output_domain = VectorDomain::new(AtomDomain::dyadic()).with_size(matrix.len());
    let rows: Vec<Vec<Rational>> = matrix.iter().map(|row| row.iter().map(exact).collect()).collect::<Fallible<_>>()?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::new_fallible(move |vector: &[T]| {
            let vector = vector.iter().map(exact).collect::<Fallible<Vec<_>>>()?;
            rows.iter().map(|row| product(row, &vector)).collect()
        }),
        // A matrix of zeros moves nothing, however far apart its arguments are.
        StabilityMap::new(move |d_in: &f64| if norm == 0.0 { Ok(0.0) } else { Ok(d_in.inf_mul(norm)?) }),
    )
}

/// Norms of vectors, with their dual norms: `sum of a_i x_i <= |a| |x|`.
pub trait DualMetric: CategoryMetric {
    /// The norm. It is at most the metric.
    #[doc(hidden)]
    const NORM: Norm;
    /// Returns the smallest number for which this inequality holds for all x, rounded up.
    #[doc(hidden)]
    fn dual_length(&self, functional: &[f64]) -> Fallible<f64>;
}

impl DualMetric for L1Distance {
    const NORM: Norm = Norm::L1;

    fn dual_length(&self, functional: &[f64]) -> Fallible<f64> {
        LInfDistance::new().length_of(functional)
    }
}

impl DualMetric for L2Distance {
    const NORM: Norm = Norm::L2;

    fn dual_length(&self, functional: &[f64]) -> Fallible<f64> {
        self.length_of(functional)
    }
}

/// For both forms: the plain form is the norm, and the monotonic form is at least the norm.
impl DualMetric for LInfDistance {
    const NORM: Norm = Norm::LInf;

    fn dual_length(&self, functional: &[f64]) -> Fallible<f64> {
        if !self.is_monotonic() {
            return L1Distance::new().length_of(functional);
        }
        // Where x rises it has the one part, where it falls the other, and these share the length.
        let part = |sign: f64| functional.iter().map(|number| (sign * number).max(0.0)).collect::<Vec<_>>();
        let (positive, negative) = (L1Distance::new().norm(&part(1.0))?, L1Distance::new().norm(&part(-1.0))?);
        Ok(positive.max(negative))
    }
}

/// Returns a bound on the length of the image of a vector of length 1, rounded up; infinite if it exceeds f64.
fn norm<M: DualMetric>(rows: &[Vec<f64>], input: &M, output: &impl CategoryMetric) -> Fallible<f64> {
    let columns = transposed(rows);
    let by_columns = input.dual_length(&lengths(&columns, output)?)?;
    let by_rows = if output.is_of_differences() && are_few(rows.len(), columns.len()) {
        greatest_apart(rows, input)?
    } else {
        output.norm(&rows.iter().map(|row| input.dual_length(row)).collect::<Fallible<Vec<_>>>()?)?
    };

    let greatest_sum = |vectors| LInfDistance::new().norm(&lengths(vectors, &L1Distance::new())?);
    let euclidean = greatest_sum(&columns)?.inf_mul(greatest_sum(rows)?)?.inf_sqrt()?;
    let from_input = L2Distance::new().length(&BallDomain::new(columns.len(), M::NORM, 1.0)?)?;
    let by_interpolation = euclidean.inf_mul(from_input)?.inf_mul(output.per_euclidean(rows.len())?)?;
    Ok(by_columns.min(by_rows).min(by_interpolation))
}

fn lengths(vectors: &[Vec<f64>], metric: &impl CategoryMetric) -> Fallible<Vec<f64>> {
    vectors.iter().map(|vector| metric.length_of(vector)).collect()
}

fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).map(|column| rows.iter().filter_map(|row| row.get(column).copied()).collect()).collect()
}

/// Returns true if there are few enough rows to compute all their differences, within some tenth of a second.
fn are_few(rows: usize, columns: usize) -> bool {
    rows.checked_mul(rows).and_then(|pairs| pairs.checked_mul(columns)).is_some_and(|numbers| numbers <= 1 << 21)
}

/// Returns the largest dual length of a row or of the difference of two rows.
fn greatest_apart(rows: &[Vec<f64>], input: &impl DualMetric) -> Fallible<f64> {
    let (mut greatest, mut rest) = (0.0f64, rows);
    while let Some((row, others)) = rest.split_first() {
        greatest = greatest.max(input.dual_length(row)?);
        for other in others {
            greatest = greatest.max(input.dual_length(&apart(row, other)?)?);
        }
        rest = others;
    }
    Ok(greatest)
}

/// Returns a difference, with each number rounded away from 0.
fn apart(left: &[f64], right: &[f64]) -> Fallible<Vec<f64>> {
    let difference = |(left, right): (&f64, &f64)| -> Fallible<f64> {
        Ok(if left >= right { left.inf_sub(*right)? } else { -right.inf_sub(*left)? })
    };
    left.iter().zip(right).map(difference).collect()
}

/// Returns the number exactly; for an infinity, the largest finite f64 of its sign.
fn exact<T: Number>(number: &T) -> Fallible<Rational> {
    Ok(match number.to_extended()? {
        Extended::Finite(number) => number,
        Extended::Infinity => Rational::exact_from(&f64::MAX)?,
        Extended::NegInfinity => Rational::exact_from(&f64::MIN)?,
    })
}

fn product(row: &[Rational], vector: &[Rational]) -> Fallible<Dyadic> {
    let products = row.iter().zip(vector).filter(|(entry, _)| **entry != 0).map(|(entry, x)| Rational::from(entry * x));
    Ok(Dyadic::from_gmp_rational(&products.sum())?)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn floats(size: usize) -> VectorDomain<AtomDomain<f64>> {
        VectorDomain::new(AtomDomain::f64()).with_size(size)
    }

    macro_rules! norm {
        ($matrix:expr, $input:expr, $output:expr) => {{
            let matrix: Vec<Vec<f64>> = $matrix.iter().map(|row| row.to_vec()).collect();
            make_linear_queries(floats(matrix[0].len()), $input, matrix, $output).unwrap().map(&1.0).unwrap()
        }};
    }

    /// Columns (3, 0, 4) and (-3, 1, 0).
    const MATRIX: [[f64; 2]; 3] = [[3.0, -3.0], [0.0, 1.0], [4.0, 0.0]];

    #[test]
    fn norms_by_metric() {
        let (l1, l2, linf) = (L1Distance::new, L2Distance::new, LInfDistance::new);
        assert_eq!(norm!(MATRIX, l1(), l1()), 7.0);
        assert_eq!(norm!(MATRIX, l1(), l2()), 5.0);
        assert_eq!(norm!(MATRIX, l1(), linf()), 4.0);
        assert_eq!(norm!(MATRIX, linf(), linf()), 6.0);
        // By the sums of one sign: 3 or 3, 1, and 4.
        assert_eq!(norm!(MATRIX, LInfDistance::monotonic(), linf()), 4.0);
        // By columns: 4 rise, or 3 fall and 1 rises.
        assert_eq!(norm!(MATRIX, l1(), LInfDistance::monotonic()), 4.0);
        // The rows' lengths are sqrt(18), 1 and 4.
        let near = |x: f64, y: f64| x >= y * (1.0 - 1e-15) && x <= y * (1.0 + 1e-14);
        assert!(near(norm!(MATRIX, l2(), linf()), 18f64.sqrt()));
        assert!(near(norm!(MATRIX, l2(), l2()), 35f64.sqrt()));
        assert!(near(norm!(MATRIX, l2(), l1()), 65f64.sqrt()), "by columns: 7 and 4");
        assert!(near(norm!(MATRIX, linf(), l2()), 53f64.sqrt()), "by rows: 6, 1 and 4");
        assert_eq!(norm!(MATRIX, linf(), l1()), 11.0);
    }

    /// The norm itself: of (1, -1) twice, 1 rises or falls as a whole; of (1, 1) and (1, -1) the first is not moved by
    /// what moves both apart.
    #[test]
    fn what_rises_and_what_falls_share_a_distance() {
        let (l2, linf, monotonic) = (L2Distance::new, LInfDistance::new, LInfDistance::monotonic);
        let (same, across) = ([[1.0, -1.0]; 2], [[1.0, 1.0], [1.0, -1.0]]);
        assert_eq!((norm!(same, monotonic(), monotonic()), norm!(same, linf(), monotonic())), (1.0, 2.0));
        assert_eq!((norm!(across, monotonic(), monotonic()), norm!(across, linf(), monotonic())), (2.0, 2.0));
        assert_eq!(
            (norm!([[1.0, 0.0], [-1.0, 0.0]], l2(), monotonic()), norm!([[3.0, 4.0]; 5], l2(), monotonic())),
            (2.0, 5.0)
        );
        // Rows of one sign: what falls cannot help what rises.
        assert_eq!((norm!([[2.0, 3.0]], monotonic(), linf()), norm!([[2.0, -3.0]], monotonic(), linf())), (5.0, 3.0));
    }

    /// Of many rows the differences are not looked at, and the two longest rows are taken together.
    #[test]
    fn of_large_matrices_the_two_longest_rows() {
        let step = |rows| {
            let row = (0..128).map(|column| if column % 2 == 0 { 1.0 } else { -1.0 }).collect();
            let monotonic = LInfDistance::monotonic();
            make_linear_queries(floats(128), monotonic, vec![row; rows], monotonic).unwrap().map(&1.0)
        };
        assert_eq!((step(128), step(129)), (Ok(64.0), Ok(128.0)));
        assert!(super::are_few(1, 1 << 21) && !super::are_few(1, (1 << 21) + 1) && !super::are_few(usize::MAX, 2));
    }

    #[test]
    fn differences_are_rounded_away_from_zero() {
        let (one, tiny) = (1f64, 1e-300);
        let differences = super::apart(&[one, -one, tiny, 0.5, f64::MAX], &[-tiny, tiny, one, 0.25, f64::MIN]).unwrap();
        assert_eq!(differences, [1f64.next_up(), -1f64.next_up(), -1.0, 0.25, f64::INFINITY]);
    }

    #[test]
    fn interpolation_wins_for_long_matrices_near_the_identity() {
        let identity: Vec<[f64; 9]> = (0..9).map(|i| std::array::from_fn(|j| if i == j { 2.0 } else { 0.0 })).collect();
        assert_eq!(norm!(identity, L2Distance::new(), L2Distance::new()), 2.0);
        assert_eq!(norm!(identity, L2Distance::new(), L1Distance::new()), 6.0);
        assert_eq!(norm!(identity, LInfDistance::new(), L2Distance::new()), 6.0);
        assert_eq!(norm!(identity, LInfDistance::new(), L1Distance::new()), 18.0);
    }

    #[test]
    fn products_are_exact_and_total() {
        let step =
            |row: [f64; 3]| make_linear_queries(floats(3), L1Distance::new(), vec![row.to_vec()], L1Distance::new());
        let value = |row, vector: [f64; 3]| step(row).unwrap().invoke(&vector).unwrap()[0].to_f64();
        assert_eq!(value([1.0; 3], [1e300, 0.5, -1e300]), 0.5);
        assert_eq!(value([1e300, 1.0, -1e300], [1e300, 0.25, 1e300]), 0.25);
        assert_eq!(value([0.5, 0.0, 0.0], [f64::INFINITY, f64::NEG_INFINITY, -0.0]), f64::MAX / 2.0);
        assert_eq!(value([-1.0, 0.0, 1.0], [f64::INFINITY, 1.0, f64::INFINITY]), 0.0);
        let fine = VectorDomain::new(AtomDomain::dyadic()).with_size(1);
        let fine = make_linear_queries(fine, L1Distance::new(), vec![vec![5e-324]], L1Distance::new()).unwrap();
        let least = crate::numeric::Dyadic::new(1, -crate::numeric::Dyadic::MAX_EXPONENT).unwrap();
        assert_eq!(fine.invoke(&[least]).unwrap()[0].exponent(), -65536 - 1074);
    }

    #[test]
    fn maps_at_the_ends() {
        let step =
            |row: Vec<f64>| make_linear_queries(floats(2), L2Distance::new(), vec![row], L2Distance::new()).unwrap();
        let zeros = step(vec![0.0, -0.0]);
        assert_eq!((zeros.map(&7.0), zeros.map(&f64::INFINITY)), (Ok(0.0), Ok(0.0)));
        assert_eq!(step(vec![5e-324, 0.0]).map(&5e-324), Ok(5e-324));
        assert_eq!(step(vec![f64::MAX, 0.0]).map(&2.0), Ok(f64::INFINITY));
        assert!(step(vec![1.0, 1.0]).map(&-1.0).is_err() && step(vec![1.0, 1.0]).map(&f64::NAN).is_err());
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |domain, matrix| {
            let step = make_linear_queries(domain, L1Distance::new(), matrix, L1Distance::new());
            step.map(|_| ()).map_err(|error| error.kind())
        };
        let matrix = || vec![vec![1.0, 2.0]];
        assert_eq!(kind(floats(2), matrix()), Ok(()));
        for domain in [floats(0), VectorDomain::new(AtomDomain::f64())] {
            assert_eq!(kind(domain, matrix()), Err(ErrorKind::Parameter("input_domain")));
        }
        let nan = VectorDomain::new(AtomDomain::f64().with_nan()).with_size(2);
        assert_eq!(kind(nan, matrix()), Err(ErrorKind::Parameter("input_domain")));
        let huge = vec![vec![f64::MAX, 0.0], vec![f64::MAX, 0.0]];
        for matrix in [vec![], vec![vec![1.0]], vec![vec![1.0, f64::NAN]], vec![vec![f64::INFINITY, 1.0]], huge] {
            assert_eq!(kind(floats(2), matrix), Err(ErrorKind::Parameter("matrix")));
        }
    }
}
