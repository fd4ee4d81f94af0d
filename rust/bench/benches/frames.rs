//! Chains on frames beside the same chains on typed rows, and expressions beside Arrow's kernels and a closure on the
//! cells of a row. One thread: fewer rows than are worth a second.

use arrow_arith::numeric::{add_wrapping, mul_wrapping};
use arrow_array::{Float64Array, Scalar};
use arrow_ord::cmp::gt;
use arrow_schema::ArrowError;
use criterion::{Criterion, criterion_group, criterion_main};
use indistinct::{frames::*, plans::FrameMeasurement, prelude::*};
use indistinct_bench::FRAME_ROWS;
use std::hint::black_box;

fn numbers() -> Vec<f64> {
    (0..FRAME_ROWS).map(|row| f64::from(u32::try_from(row * 7919 % 1013).unwrap_or_default()) - 100.0).collect()
}

fn codes(of: usize, step: usize) -> Vec<i64> {
    (0..FRAME_ROWS).map(|row| i64::try_from(row * step % of).unwrap_or_default()).collect()
}

fn sums(criterion: &mut Criterion) -> Fallible<()> {
    let mut group = criterion.benchmark_group("frames");
    let data = numbers();
    let frame = Frame::new([("x", data.iter().copied().collect::<Column>())])?;
    let floats = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let typed = (floats() >> then_clamp((0.0, 500.0)) >> then_sum())?;
    let domain = FrameDomain::new([("x", ColumnDomain::float())])?;
    let frames = || (domain.clone(), SymmetricDistance);
    let erased = (frames() >> then_rows::<f64, _, _>(vec!["x"]) >> then_clamp((0.0, 500.0)) >> then_sum())?;
    let clamped = then_with_columns(vec![("x", col("x").clamp(0.0, 500.0))]);
    let expressed = (frames() >> clamped >> then_rows::<f64, _, _>(vec!["x"]) >> then_sum())?;
    group.bench_function("clamp_sum_typed", |bencher| bencher.iter(|| typed.invoke(black_box(&data))));
    group.bench_function("clamp_sum", |bencher| bencher.iter(|| erased.invoke(black_box(&frame))));
    group.bench_function("clamp_sum_expression", |bencher| bencher.iter(|| expressed.invoke(black_box(&frame))));
    let released = (expressed >> then_laplace(500.0))?;
    let planned = FrameMeasurement::from_plan(released.plan())?;
    group.bench_function("clamp_sum_chain", |bencher| bencher.iter(|| released.invoke(black_box(&frame))));
    group.bench_function("clamp_sum_plan", |bencher| bencher.iter(|| planned.invoke(black_box(&frame))));
    Ok(())
}

fn categories(criterion: &mut Criterion) -> Fallible<()> {
    let mut group = criterion.benchmark_group("frames");
    let (keys, others, data) = (codes(10, 31), codes(7, 17), numbers());
    let rows: Vec<(i64, f64)> = keys.iter().copied().zip(data.iter().copied()).collect();
    let pairs: Vec<((i64, i64), f64)> =
        keys.iter().zip(&others).zip(&data).map(|((&key, &other), &x)| ((key, other), x)).collect();
    let frame = Frame::new([
        ("key", keys.iter().copied().collect::<Column>()),
        ("other", others.iter().copied().collect()),
        ("x", data.iter().copied().collect()),
    ])?;
    let columns = [("key", ColumnDomain::integer()), ("other", ColumnDomain::integer()), ("x", ColumnDomain::float())];
    let domain = FrameDomain::new(columns)?;
    let frames = || (domain.clone(), SymmetricDistance);
    let ten = || then_sum_by_categories((0..10i64).collect(), UnknownCategories::Drop, L1Distance::new());
    let keyed = VectorDomain::new(PairDomain::new(AtomDomain::i64(), AtomDomain::f64()));
    let typed = ((keyed, SymmetricDistance) >> then_clamp((0.0, 500.0)) >> ten())?;
    let clamped = || ("x", col("x").clamp(0.0, 500.0));
    let erased = (frames()
        >> then_with_columns(vec![clamped()])
        >> then_sum_column_by::<f64, _, _, _>("key", 10, "x", L1Distance::new()))?;
    group.bench_function("ten_categories_typed", |bencher| bencher.iter(|| typed.invoke(black_box(&rows))));
    group.bench_function("ten_categories", |bencher| bencher.iter(|| erased.invoke(black_box(&frame))));
    let released = (erased >> then_laplace(500.0))?;
    let planned = FrameMeasurement::from_plan(released.plan())?;
    group.bench_function("ten_categories_chain", |bencher| bencher.iter(|| released.invoke(black_box(&frame))));
    group.bench_function("ten_categories_plan", |bencher| bencher.iter(|| planned.invoke(black_box(&frame))));

    let keys = KeySet::product([("key", (0..10i64).collect::<Vec<_>>()), ("other", (0..7).collect())])?;
    let seventy = || then_sum_by_categories((0..70i64).collect(), UnknownCategories::Drop, L1Distance::new());
    let of_pairs =
        VectorDomain::new(PairDomain::new(PairDomain::new(AtomDomain::i64(), AtomDomain::i64()), AtomDomain::f64()));
    let place = |row: &((i64, i64), f64)| {
        let ((key, other), x) = *row;
        let is_listed = (0..10).contains(&key) && (0..7).contains(&other);
        (if is_listed { key * 7 + other } else { 70 }, x)
    };
    let element = PairDomain::new(AtomDomain::i64(), AtomDomain::f64());
    let typed = ((of_pairs, SymmetricDistance)
        >> then_map(element, (70, 0.0), place)
        >> then_clamp((0.0, 500.0))
        >> seventy())?;
    let erased = (frames()
        >> then_with_columns(vec![("place", keys.position()), clamped()])
        >> then_sum_column_by::<f64, _, _, _>("place", 70, "x", L1Distance::new()))?;
    group.bench_function("two_keys_typed", |bencher| bencher.iter(|| typed.invoke(black_box(&pairs))));
    group.bench_function("two_keys", |bencher| bencher.iter(|| erased.invoke(black_box(&frame))));
    let released = (erased >> then_laplace(500.0))?;
    let planned = FrameMeasurement::from_plan(released.plan())?;
    group.bench_function("two_keys_chain", |bencher| bencher.iter(|| released.invoke(black_box(&frame))));
    group.bench_function("two_keys_plan", |bencher| bencher.iter(|| planned.invoke(black_box(&frame))));
    Ok(())
}

/// `(a * b + 3) > 1000`, and the sum of `a` where it holds.
fn expressions(criterion: &mut Criterion) -> Fallible<()> {
    let mut group = criterion.benchmark_group("frames");
    let (a, b) = (numbers(), numbers().into_iter().rev().collect::<Vec<_>>());
    let frame = Frame::new([("a", a.iter().copied().collect::<Column>()), ("b", b.iter().copied().collect())])?;
    let columns = [("a", ColumnDomain::float()), ("b", ColumnDomain::float())];
    let frames = (FrameDomain::new(columns)?, SymmetricDistance);
    let holds = (frames >> then_with_columns(vec![("c", (col("a") * col("b") + 3.0).gt(1000.0))]))?;
    group.bench_function("expression", |bencher| bencher.iter(|| holds.invoke(black_box(&frame))));
    group.bench_function("closure_on_cells", |bencher| {
        bencher.iter(|| {
            let of_row = |batch: &Batch, row: usize| {
                let cell = |place: usize| batch.columns().get(place).map(|column| column.cell(row));
                match (cell(0), cell(1)) {
                    (Some(Cell::Float(a)), Some(Cell::Float(b))) => Cell::Bool(a * b + 3.0 > 1000.0),
                    _ => Cell::Missing,
                }
            };
            let column =
                |batch: &Batch| Column::from_cells(Kind::Bool, (0..batch.rows()).map(|row| of_row(batch, row)));
            black_box(&frame).iter().map(column).collect::<Vec<_>>()
        });
    });
    let arrays =
        |numbers: &[f64]| numbers.chunks(4096).map(|part| Float64Array::from(part.to_vec())).collect::<Vec<_>>();
    let (a, b) = (arrays(&a), arrays(&b));
    let (three, thousand) = (Scalar::new(Float64Array::from(vec![3.0])), Scalar::new(Float64Array::from(vec![1000.0])));
    group.bench_function("arrow_kernels", |bencher| {
        bencher.iter(|| {
            let of_batch = |(a, b): (&Float64Array, &Float64Array)| -> Result<usize, ArrowError> {
                let product = mul_wrapping(a, b)?;
                let sum = add_wrapping(&product, &three)?;
                Ok(gt(&sum, &thousand)?.len())
            };
            black_box(&a).iter().zip(black_box(&b)).map(of_batch).sum::<Result<usize, ArrowError>>()
        });
    });
    Ok(())
}

/// What fails is missed by the table of ratios.
fn all(criterion: &mut Criterion) {
    for run in [sums, categories, expressions] {
        if let Err(error) = run(criterion) {
            eprintln!("{error}");
        }
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
