use super::*;
use crate::{
    core::Stored, frames::*, metrics::AnyRowMetric, numeric::gmp::Rational, prelude::*, truth::sizes as scales,
};
use indistinct_marginals::{Reconstruction, Scales, Workload};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Integers in `columns` columns `a`, `b`, …
fn domain(columns: usize) -> FrameDomain {
    FrameDomain::new((0..columns).map(|axis| (name(axis), ColumnDomain::integer()))).unwrap()
}

fn name(axis: usize) -> String {
    char::from_u32(97 + u32::try_from(axis).unwrap()).unwrap().to_string()
}

fn axes(sizes: &[u32]) -> Vec<(String, u32)> {
    sizes.iter().enumerate().map(|(axis, size)| (name(axis), *size)).collect()
}

/// Rows at listed positions, and at others just outside and far away.
fn rows(sizes: &[u32], number: i64) -> Vec<Vec<i64>> {
    let row = |row: i64| {
        let cell = |(axis, size): (usize, &u32)| {
            let axis = i64::try_from(axis).unwrap();
            let at = (row * 7919 + axis * 104_729 + 13).wrapping_mul(row + 3 + axis) % (i64::from(*size) * 20);
            match at {
                17 => -1,
                18 => i64::from(*size),
                19 => i64::MIN + row,
                at => at % i64::from(*size),
            }
        };
        sizes.iter().enumerate().map(cell).collect()
    };
    (0..number).map(row).collect()
}

fn frame(rows: &[Vec<i64>], columns: usize) -> Vec<Batch> {
    let column = |axis: usize| (name(axis), rows.iter().map(|row| row[axis]).collect::<Column>());
    Frame::new((0..columns).map(column)).unwrap().to_vec()
}

/// All sets of at most `order` axes, in an order of their own.
fn up_to(axes: usize, order: usize) -> Vec<Vec<usize>> {
    let all = (0..1usize << axes).map(|bits| (0..axes).filter(|axis| bits >> axis & 1 == 1).collect::<Vec<_>>());
    let mut sets: Vec<Vec<usize>> = all.filter(|set| set.len() <= order).collect();
    sets.sort_by_key(|set| (set.len() * 7 + set.iter().sum::<usize>() * 5) % 11);
    sets
}

/// The entry of the residual's matrix: the product of all `n [i = j] - 1`.
fn entry(sizes: &[usize], to: &[usize], from: &[usize]) -> i64 {
    let factor = |((size, to), from): ((&usize, &usize), &usize)| {
        if to == from { i64::try_from(*size).unwrap() - 1 } else { -1 }
    };
    sizes.iter().zip(to).zip(from).map(factor).product()
}

/// All cells of a table, the last axis first.
fn cells(sizes: &[usize]) -> Vec<Vec<usize>> {
    sizes.iter().fold(vec![Vec::new()], |cells, size| {
        cells.iter().flat_map(|cell| (0..*size).map(move |at| [cell.as_slice(), &[at]].concat())).collect()
    })
}

/// The residual by its definition.
fn by_definition(rows: &[Vec<i64>], sizes: &[u32], set: &[usize]) -> Vec<i64> {
    let is_listed = |row: &&Vec<i64>| row.iter().zip(sizes).all(|(at, size)| (0..i64::from(*size)).contains(at));
    let of: Vec<usize> = set.iter().map(|axis| usize::try_from(sizes[*axis]).unwrap()).collect();
    let listed: Vec<Vec<usize>> = rows
        .iter()
        .filter(is_listed)
        .map(|row| set.iter().map(|axis| usize::try_from(row[*axis]).unwrap()).collect())
        .collect();
    cells(&of).iter().map(|cell| listed.iter().map(|row| entry(&of, cell, row)).sum()).collect()
}

type Marginals<M> = Measurement<FrameDomain, Vec<Vec<i64>>, M, ZeroConcentratedDivergence>;

fn exact(sizes: &[u32], sets: Vec<Vec<usize>>) -> Marginals<SymmetricDistance> {
    let scales = vec![0.0; sets.len()];
    make_marginals(domain(sizes.len()), SymmetricDistance, axes(sizes), sets, scales).unwrap().accept_infinite_loss()
}

#[test]
fn residuals_are_those_of_the_definition() {
    for (sizes, order) in
        [(vec![2u32, 3], 2), (vec![1, 4, 2], 3), (vec![5], 1), (vec![2; 7], 3), (vec![3, 2, 4, 3, 2, 2], 4)]
    {
        for number in [0, 1, 300] {
            let (rows, sets) = (rows(&sizes, number), up_to(sizes.len(), order));
            let released = exact(&sizes, sets.clone()).invoke(&frame(&rows, sizes.len())).unwrap();
            for (set, residual) in sets.iter().zip(&released) {
                assert_eq!(*residual, by_definition(&rows, &sizes, set), "{sizes:?} {set:?} {number}");
            }
        }
    }
    // A set without its subsets, and tables that are too large to be widened.
    let sizes = [50, 60, 3, 2];
    let rows = rows(&sizes, 200);
    let sets = vec![vec![0, 1], vec![1, 2, 3], vec![3]];
    let released = exact(&sizes, sets.clone()).invoke(&frame(&rows, 4)).unwrap();
    sets.iter().zip(&released).for_each(|(set, residual)| assert_eq!(*residual, by_definition(&rows, &sizes, set)));
}

/// The residuals of a workload are those from which its tables are computed, and the charge of its scales is the map.
#[test]
fn tables_of_exact_residuals_are_the_counts() {
    let sizes = [3u32, 2, 4];
    let of = sizes.iter().map(|size| usize::try_from(*size).unwrap()).collect();
    let workload = Workload::up_to(of, 2).unwrap();
    let sets: Vec<Vec<usize>> = workload.closure().iter().map(|set| set.positions().to_vec()).collect();
    let rows = rows(&sizes, 500);
    let residuals = exact(&sizes, sets.clone()).invoke(&frame(&rows, 3)).unwrap();
    let tables = Reconstruction::new(workload.clone(), residuals).unwrap();
    let listed = rows.iter().filter(|row| row.iter().zip(sizes).all(|(at, size)| (0..i64::from(size)).contains(at)));
    for (set, _) in workload.marginals() {
        let of = workload.sizes_of(set).unwrap();
        let mut truth = vec![0.0; of.iter().product()];
        for row in listed.clone() {
            let at = set
                .positions()
                .iter()
                .zip(&of)
                .fold(0, |at, (axis, size)| at * size + usize::try_from(row[*axis]).unwrap());
            truth[at] += 1.0;
        }
        assert_eq!(tables.table(set).unwrap().to_f64(), truth);
    }
    let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
    let deviations = scales.variances().iter().map(|variance| variance.sqrt()).collect();
    let noisy = make_marginals(domain(3), SymmetricDistance, axes(&sizes), sets, deviations).unwrap();
    // Never above the budget: the scales leave a part in 10^10 for rounding.
    assert!((0.5 - 1e-9..=0.5).contains(&noisy.map(&1).unwrap()));
}

/// The squared length by which each change of one row changes the residual, by the columns of its matrix.
#[test]
fn the_greatest_change_is_that_of_the_matrix() {
    for sizes in [
        vec![],
        vec![1],
        vec![2],
        vec![5],
        vec![2, 2],
        vec![2, 3],
        vec![3, 2],
        vec![3, 4],
        vec![4, 2],
        vec![1, 3],
        vec![3, 1],
        vec![2, 3, 4],
        vec![4, 3, 2],
        vec![3, 3, 3],
    ] {
        let cells = cells(&sizes);
        let column = |from: Option<&Vec<usize>>| -> Vec<i64> {
            cells.iter().map(|to| from.map_or(0, |from| entry(&sizes, to, from))).collect()
        };
        let columns: Vec<Vec<i64>> = std::iter::once(None).chain(cells.iter().map(Some)).map(column).collect();
        let apart =
            |one: &[i64], other: &[i64]| one.iter().zip(other).map(|(one, other)| (one - other).pow(2)).sum::<i64>();
        let added = columns.iter().map(|column| apart(column, &columns[0])).max().unwrap();
        let replaced = columns.iter().flat_map(|one| columns.iter().map(move |other| apart(one, other))).max().unwrap();
        let block = Block { sizes: sizes.clone(), scale: 1.0 };
        let square = |unit| i64::try_from(block.square(unit)).unwrap();
        assert_eq!((square(RowChange::AddOrRemove), square(RowChange::Replace)), (added, replaced), "{sizes:?}");
    }
}

/// Without a table of `n - 1` for `n`, and with residuals that are all charged.
#[test]
fn the_map_adds_up_the_losses_of_all_residuals() {
    let noisy = |metric: AnyRowMetric, scales: Vec<f64>| {
        make_marginals(domain(2), metric, axes(&[2, 4]), vec![vec![], vec![0], vec![1], vec![0, 1]], scales)
    };
    let added = noisy(SymmetricDistance.into(), vec![1.0, 2.0, 4.0, 8.0]).unwrap();
    // 1; 2 / 16, 12 / 256, 24 / 64^2.
    let rho = (1.0 + 2.0 / 16.0 + 12.0 / 256.0 + 24.0 / 4096.0) / 2.0;
    assert_eq!([0, 1, 2, 3].map(|d_in| added.map(&d_in).unwrap()), [0.0, rho, 4.0 * rho, 9.0 * rho]);
    let replaced = noisy(HammingDistance.into(), vec![1.0, 2.0, 4.0, 8.0]).unwrap();
    let rho = (1.0 + 8.0 / 16.0 + 32.0 / 256.0 + 96.0 / 4096.0) / 2.0;
    assert_eq!([0, 1, 2].map(|d_in| replaced.map(&d_in).unwrap()), [0.0, rho, 4.0 * rho]);
    let exact = noisy(ChangeOneDistance.into(), vec![1.0, 0.0, 1.0, 1.0]).unwrap();
    assert_eq!((exact.map(&0), exact.map(&1)), (Ok(0.0), Ok(f64::INFINITY)));
    assert_eq!(exact.invoke(&frame(&[], 2)).unwrap_err().kind(), ErrorKind::InfiniteLoss);
    // An axis of one position adds nothing, whatever the noise.
    let sets = vec![vec![0, 1]];
    let one = make_marginals(domain(2), HammingDistance, axes(&[1, 4]), sets, vec![0.0]).unwrap();
    assert_eq!(one.map(&u32::MAX), Ok(0.0));
}

proptest! {
    #[test]
    fn the_map_is_rounded_up(one in scales(-3, 6), other in scales(-3, 6), d_in in 1u32..) {
        let sets = vec![vec![1, 2], vec![0, 1, 2]];
        let noisy = make_marginals(domain(3), SymmetricDistance, axes(&[3, 5, 7]), sets, vec![one, other]).unwrap();
        let fraction = |x: f64| Rational::from_f64(x).unwrap();
        let loss = |square: u32, cells: u32, scale: f64| {
            // No more noise is promised than what is drawn: the scale is rounded up, and the loss is that of the float.
            let drawn = Scale::new(scale.inf_mul(f64::from(cells)).unwrap()).value();
            Rational::from(square) / (fraction(drawn).square() * 2u32)
        };
        let truth = (loss(35 * 24, 35, one) + loss(105 * 48, 105, other)) * Rational::from(d_in).square();
        let map = noisy.map(&d_in).unwrap();
        prop_assert!(fraction(map) >= truth && fraction(map) <= truth * fraction(1.0 + 8.0 * f64::EPSILON));
        // Nor more than of the scale that was asked for.
        let asked = Rational::from(35 * 24) / ((fraction(one) * 35u32).square() * 2u32)
            + Rational::from(105 * 48) / ((fraction(other) * 105u32).square() * 2u32);
        prop_assert!(fraction(map) <= asked * Rational::from(d_in).square() * fraction(1.0 + 1e-14));
    }
}

/// Rows in parts, in states that are merged and sent as bytes, make the release of the rows at once.
#[test]
fn parts_of_the_data_make_one_release() {
    let sizes = [3, 2, 4, 3, 2, 2];
    let sets = up_to(6, 3);
    let scales = (0..sets.len()).map(|set| 1.0 + f64::from(u32::try_from(set).unwrap())).collect();
    let noisy = make_marginals(domain(6), SymmetricDistance, axes(&sizes), sets, scales).unwrap();
    let rows = rows(&sizes, 3000);
    let seeded = || crate::sampling::testing::SeededEntropy::new(5);
    let whole = noisy.invoke_with(&frame(&rows, 6), &mut seeded()).unwrap();
    let parts = rows.chunks(700).map(|rows| noisy.aggregate().unwrap().absorb(&frame(rows, 6)).unwrap());
    let merged = parts.reduce(|all, part| part.merge(all).unwrap()).unwrap();
    assert_eq!(merged.release_with(&mut seeded()).unwrap(), whole);
    // Each residual has noise of its own.
    let all: BTreeSet<&Vec<i64>> = whole.iter().collect();
    assert!(all.len() > whole.len() / 2);
}

fn layout(sizes: &[u32], sets: Vec<Vec<usize>>) -> Arc<Layout> {
    let domain = domain(sizes.len());
    let axes = sizes.iter().enumerate().map(|(axis, size)| Places::new(&domain, &name(axis), *size).unwrap());
    Arc::new(Layout::new(axes.collect(), sets))
}

/// The bytes depend on the rows alone, not on which of them wait; what is no state of this shape is refused.
#[test]
fn states_of_the_same_rows_write_the_same_bytes() {
    let sizes = [3, 2, 4, 3];
    let layout = layout(&sizes, up_to(4, 3));
    let rows = rows(&sizes, 500);
    let state = |parts: &[&[Vec<i64>]]| {
        parts.iter().fold(Counts::new(layout.clone()), |mut counts, rows| {
            frame(rows, 4).iter().for_each(|batch| counts.absorb(batch).unwrap());
            counts
        })
    };
    let bytes = |counts: &Counts| {
        let mut bytes = Vec::new();
        counts.write(&mut bytes).unwrap();
        bytes
    };
    let whole = bytes(&state(&[&rows]));
    let mut counted = Counts::new(layout.clone());
    let mut read = whole.as_slice();
    assert_eq!((counted.read(&mut read), read.len()), (Some(()), 0));
    assert_eq!(bytes(&counted), whole);
    for (one, other) in [(0, 500), (123, 377), (500, 0)] {
        let (first, last) = rows.split_at(one);
        assert_eq!(last.len(), other);
        let [mut waits, mut counted] = [last, first].map(|rows| state(&[rows]));
        let mut begun = Counts::new(layout.clone());
        begun.read(&mut bytes(&counted).as_slice()).unwrap();
        counted.merge(state(&[last])).unwrap();
        waits.merge(begun).unwrap();
        assert_eq!((bytes(&counted), bytes(&waits)), (whole.clone(), whole.clone()));
        assert_eq!(waits.finish(), state(&[&rows]).finish());
    }
    let refused = |bytes: &[u8]| Counts::new(layout.clone()).read(&mut &*bytes).is_none();
    assert!(refused(&whole[1..]) && refused(&[]));
    // One row more in one table.
    let more = [&whole[..7], &[whole[7] + 1], &whole[8..]].concat();
    assert!(refused(&more));
}

/// Threads, and more rows than wait.
#[test]
fn many_rows_are_counted_by_several_threads() {
    let (sizes, rows) = ([3, 2, 4, 3, 2], [150_000usize, 7]);
    let layout = layout(&sizes, up_to(5, 2));
    let position = |axis: usize, row: usize| (row * (axis + 3) + row / 7) % usize::try_from(sizes[axis]).unwrap();
    let rows: usize = rows.iter().sum();
    let column = |axis: usize| {
        (name(axis), (0..rows).map(|row| i64::try_from(position(axis, row)).unwrap()).collect::<Column>())
    };
    let mut counts = Counts::new(layout.clone());
    Frame::new((0..5).map(column)).unwrap().iter().for_each(|batch| counts.absorb(batch).unwrap());
    let tables = counts.finish().unwrap();
    for (set, table) in up_to(5, 2).iter().zip(&tables) {
        let mut truth = vec![0i64; table.len()];
        for row in 0..rows {
            truth[set.iter().fold(0, |at, axis| at * usize::try_from(sizes[*axis]).unwrap() + position(*axis, row))] +=
                1;
        }
        assert_eq!(*table, truth, "{set:?}");
    }
    assert_eq!(counts::tests::by_threads(&layout, 3), counts::tests::by_threads(&layout, 1));
}

/// The greatest counts that there are, and noise at the ends of 64 bits.
#[test]
fn nothing_overflows() {
    let most = 1i64 << 60;
    assert_eq!(residual(&[most, 0, 0, 0], &[2, 2]), [1i128 << 60, -(1 << 60), -(1 << 60), 1 << 60]);
    let mut table = vec![most; 1 << 20];
    table[0] = 0;
    let residual = residual(&table, &[2; 20]);
    assert!(residual.iter().all(|cell| cell.abs() == 1 << 60));
    let block = Block { sizes: vec![2; 20], scale: 0.0 };
    let released = noisy(&[table], &[block], &mut crate::sampling::testing::SeededEntropy::new(1)).unwrap();
    assert!(released[0].iter().all(|cell| cell.abs() == 1 << 60));
    let block = Block { sizes: vec![], scale: 1e30 };
    let released = noisy(&[vec![0]], &[block], &mut crate::sampling::testing::SeededEntropy::new(1)).unwrap();
    assert!(released[0] == [i64::MIN] || released[0] == [i64::MAX]);
}

#[test]
fn accuracy_is_that_of_each_residual() {
    let noisy = make_marginals(domain(2), SymmetricDistance, axes(&[2, 3]), vec![vec![], vec![0, 1]], vec![2.0, 5.0]);
    let accuracy = noisy.unwrap().accuracy(0.05).unwrap();
    assert_eq!(accuracy.part(0).unwrap().number(), crate::accuracy::discrete_gaussian_accuracy(2.0, 0.05).ok());
    assert_eq!(accuracy.part(1).unwrap().number(), crate::accuracy::discrete_gaussian_accuracy(30.0, 0.05).ok());
}

#[test]
fn bad_parameters_are_named() {
    let kind = |axes: Vec<(&'static str, u32)>, sets: Vec<Vec<usize>>, scales: Vec<f64>| {
        let columns = [
            ("a", ColumnDomain::integer()),
            ("b", ColumnDomain::integer()),
            ("m", ColumnDomain::integer().with_missing()),
            ("f", ColumnDomain::float()),
        ];
        let noisy = make_marginals(FrameDomain::new(columns).unwrap(), SymmetricDistance, axes, sets, scales);
        noisy.map(|_| ()).unwrap_err().kind()
    };
    let (one, two) = (|| vec![vec![0]], || vec![("a", 2), ("b", 3)]);
    assert_eq!(kind(vec![], one(), vec![1.0]), ErrorKind::Parameter("axes"));
    for positions in [0, 65_537, u32::MAX] {
        assert_eq!(kind(vec![("a", positions)], one(), vec![1.0]), ErrorKind::Parameter("axes"));
    }
    assert_eq!(kind(vec![("z", 2)], one(), vec![1.0]), ErrorKind::Parameter("columns"));
    for name in ["m", "f"] {
        assert!(matches!(kind(vec![(name, 2)], one(), vec![1.0]), ErrorKind::Parameter(_)));
    }
    for sets in [vec![], vec![vec![2]], vec![vec![1, 0]], vec![vec![0, 0]], vec![vec![0], vec![1], vec![0]]] {
        let scales = vec![1.0; sets.len()];
        assert_eq!(kind(two(), sets, scales), ErrorKind::Parameter("sets"));
    }
    assert_eq!(kind(vec![("a", 65_536), ("b", 257)], vec![vec![0, 1]], vec![1.0]), ErrorKind::Parameter("sets"));
    for scales in [vec![], vec![1.0, 2.0], vec![-1.0], vec![f64::NAN], vec![f64::INFINITY], vec![f64::MAX]] {
        assert_eq!(kind(two(), one(), scales), ErrorKind::Parameter("scales"));
    }
    // 17 tables of 2^24 cells.
    let many: Vec<(&str, u32)> = (0..17).map(|_| ("a", 256)).chain([("b", 65_536)]).collect();
    let sets = (0..17).map(|axis| vec![axis, 17]).collect();
    assert_eq!(kind(many, sets, vec![1.0; 17]), ErrorKind::Parameter("sets"));
}
