//! States of plans: the same bytes however rows are cut and ordered, and no others.

use super::{columns, frame};
use crate::{
    core::{ErrorKind, Plan},
    frames::{Batch, FrameDomain, col},
    plans::{FrameMeasurement, FrameState},
    prelude::*,
    queries::{Budget, Query},
    sampling::testing::SeededEntropy,
};
use sha2::{Digest, Sha256};
use std::{cell::RefCell, collections::BTreeSet};

thread_local! {
    /// The constructors of all plans whose states were compared.
    static SEEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn note(plan: &Plan) {
    SEEN.with_borrow_mut(|seen| seen.insert(plan.name.clone()));
    plan.children.iter().for_each(note);
}

/// The rows of the table in another order, in batches of one or a few.
fn shuffled(turn: usize) -> Vec<Batch> {
    let mut rows: Vec<Batch> = frame().iter().flat_map(|batch| columns().partitions(batch, 64)).collect();
    rows.rotate_left(turn * 17 % 64);
    rows
}

/// A state for each part of these rows, in so many parts.
fn states(plan: &FrameMeasurement, rows: &[Batch], number: u32) -> Vec<FrameState> {
    let domain = plan.input_space().0;
    let empty = || plan.state().unwrap();
    if empty().needs_individuals() {
        let of = |place: u32| {
            let part = |batch: &Batch| domain.partitions(batch, number).swap_remove(usize::try_from(place).unwrap());
            let rows: Vec<Batch> = rows.iter().map(part).collect();
            empty().absorb_partition((place, number), &rows).unwrap()
        };
        (0..number).map(of).collect()
    } else {
        let size = rows.len().div_ceil(usize::try_from(number).unwrap());
        rows.chunks(size).map(|rows| empty().absorb(rows).unwrap()).collect()
    }
}

/// A plan's state is the same bytes for any cut and order, read and written; it releases as all rows in memory do.
#[track_caller]
pub(super) fn check(plan: &FrameMeasurement) {
    match plan.state() {
        Ok(_) => note(plan.plan()),
        Err(error) => return assert_eq!(error.kind(), ErrorKind::Whole),
    }
    let mut expected = None;
    for (turn, number) in [1, 2, 7, 16].into_iter().enumerate() {
        let parts = states(plan, &shuffled(turn), number);
        let read = |state: &FrameState| plan.read_state(&state.to_bytes().unwrap()).unwrap();
        let mut parts: Vec<FrameState> = parts.iter().map(read).collect();
        let first = turn % parts.len();
        parts.rotate_left(first);
        let all = parts.into_iter().fold(plan.state().unwrap(), |all, part| all.merge(part).unwrap());
        let bytes = all.to_bytes().unwrap();
        assert_eq!(read(&all).to_bytes().as_ref(), Ok(&bytes));
        assert_eq!((all.rows(), expected.get_or_insert_with(|| bytes.clone())), (40, &mut bytes.clone()));
        let release = all.release_with(&mut SeededEntropy::new(9));
        let in_memory = plan.invoke_with(&frame(), &mut SeededEntropy::new(9));
        assert_eq!(format!("{release:?}"), format!("{in_memory:?}"));
    }
    let bytes = expected.unwrap_or_default();
    let refused = |bytes: &[u8]| {
        assert_eq!(plan.read_state(bytes).map(drop).unwrap_err().kind(), ErrorKind::Mismatch);
    };
    for place in (0..bytes.len()).step_by(bytes.len() / 9 + 1) {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        refused(&changed);
        refused(&bytes[..place]);
        // Of whoever computes the checksum anew: the head of another plan, another version, a body of another length.
        if place < 49 {
            refused(&signed(changed));
        }
    }
    let end = bytes.len() - 32;
    refused(&signed([&bytes[..end], &[0; 33]].concat()));
    refused(&signed([&bytes[..end - 1], &[0; 32]].concat()));
}

/// The same with its own checksum.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len().saturating_sub(32));
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// Every fold that plans have stood in a plan whose states were compared.
pub(super) fn seen_all() {
    let seen = SEEN.take();
    let folds = [
        "make_aggregate_individuals",
        "make_bound_groups",
        "make_bound_rows",
        "make_composition",
        "make_count",
        "make_count_distinct",
        "make_count_distinct_by",
        "make_count_individuals_by_key",
        "make_count_rows_by",
        "make_covariance",
        "make_join_rows",
        "make_marginals",
        "make_mean",
        "make_window_per_individual",
        "make_quantile_scores",
        "make_sum",
        "make_sum_column_by",
        "make_sum_column_by_key",
        "make_sum_column_by_of_individuals",
        "make_sum_of_squared_deviations",
        "make_sums_of_unknown_keys",
        "make_variance",
    ];
    let missing: Vec<_> = folds.into_iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn persons() -> FrameDomain {
    columns().with_individuals("id").unwrap()
}

#[test]
fn queries_have_states() {
    for table in [columns(), persons()] {
        let query = Query::new(&table).mean(col("x"), (0.0, 9.0)).quantiles(col("y"), vec![0.0, 0.3, 1.0], &[0.5]);
        let query = query.count_distinct(col("ward")).filter(col("age").ge(3));
        check(query.measurement(Budget::Epsilon(1.0)).unwrap().measurement());
        check(Query::new(&table).count_unknown_keys(["ward", "note"], (1.0, 1e-9)).unwrap().measurement());
    }
}

#[test]
fn partitions_are_those_of_individuals_each_once() {
    let plan = Query::new(&persons()).count().measurement(Budget::Epsilon(1.0)).unwrap();
    let plan = plan.measurement();
    let rows = frame();
    let kind = |state: Fallible<FrameState>| state.map(drop).unwrap_err().kind();
    let empty = || plan.state().unwrap();
    assert_eq!(kind(empty().absorb(&rows)), ErrorKind::Whole);
    assert_eq!(kind(empty().absorb_partition((0, 2), &rows)), ErrorKind::Mismatch);
    for partition in [(0, 0), (2, 2), (0, 1 << 17)] {
        assert_eq!(kind(empty().absorb_partition(partition, &[])), ErrorKind::Parameter("partitions"));
    }
    let part = |number| states(plan, &rows, number).swap_remove(1);
    let first = || states(plan, &rows, 3).swap_remove(0);
    assert_eq!(kind(part(3).merge(part(3))), ErrorKind::Mismatch);
    assert_eq!(kind(first().merge(part(2))), ErrorKind::Mismatch);
    assert_eq!(kind(part(3).absorb_partition((1, 3), &[])), ErrorKind::Mismatch);
    let two = first().merge(part(3)).unwrap();
    assert_eq!(two.release().unwrap_err().kind(), ErrorKind::Whole);
    assert_eq!(empty().release().unwrap_err().kind(), ErrorKind::Whole);
    assert_eq!(kind(empty().absorb_partition((0, 1), &rows).unwrap().merge(part(3))), ErrorKind::Mismatch);
    let other = Query::new(&persons()).count().measurement(Budget::Epsilon(2.0)).unwrap();
    assert_eq!(kind(other.measurement().state().unwrap().merge(part(3))), ErrorKind::Mismatch);
    let refused = other.measurement().read_state(&part(3).to_bytes().unwrap());
    assert_eq!(kind(refused), ErrorKind::Mismatch);
    // Without a step on individuals, any cut will do, by partitions or not; and data are members or not.
    let plan = Query::new(&columns()).count().measurement(Budget::Epsilon(1.0)).unwrap();
    let state = plan.measurement().state().unwrap().absorb_partition((5, 9), &rows).unwrap();
    assert!(!state.needs_individuals() && state.absorb(&rows).unwrap().release().is_ok());
}
