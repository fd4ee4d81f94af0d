//! States of plans: bytes with a checksum that fits, and anything before it. Read or refused, written again as they
//! were read, merged and released without a panic.

use crate::{Source, record::told};
use indistinct::{
    frames::*,
    plans::{FrameMeasurement, FrameState},
    prelude::*,
    queries::{Budget, Query},
};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

const CHECKSUM: usize = 32;

pub(crate) fn run(source: &mut Source) {
    static PLANS: LazyLock<Vec<FrameMeasurement>> =
        LazyLock::new(|| (0..7).map(|which| plan(which, &table())).collect());
    let plan = &PLANS[source.below(7)];
    let data = rows(source);
    let state = |rows: &[Batch]| {
        let empty = plan.state().unwrap();
        if empty.needs_individuals() { empty.absorb_partition((0, 1), rows) } else { empty.absorb(rows) }
    };
    let mut bytes = state(&data).unwrap().to_bytes().unwrap();
    bytes.truncate(bytes.len() - CHECKSUM);
    // The head is that of the plan, or not; the rest is often damaged.
    for _ in 0..source.below(5) {
        let place = source.below(256) + 256 * source.below(4);
        let first = if source.below(9) == 0 { 0 } else { 49 };
        let place = first + place % (bytes.len() - first);
        match source.below(4) {
            0 => bytes[place] ^= 1 << source.below(8),
            1 => bytes[place] = source.byte(),
            2 => bytes.truncate(place),
            _ => drop(bytes.splice(place..place, source.several(9, Source::byte))),
        }
        if bytes.len() <= 50 {
            break;
        }
    }
    bytes.extend_from_slice(&Sha256::digest(&bytes));
    let Some(read) = told(plan.read_state(&bytes)) else { return };
    assert_eq!(read.to_bytes(), Ok(bytes.clone()));
    let again = || plan.read_state(&bytes).unwrap();
    told(again().release());
    // With itself, twice as much each time, as often as partitions allow; and with other rows.
    let doublings = if source.below(8) == 0 { source.below(70) } else { source.below(3) };
    let double = |all: FrameState, _| {
        let same = plan.read_state(&all.to_bytes()?)?;
        all.merge(same)
    };
    told((0..doublings).try_fold(read, double).and_then(FrameState::release));
    told(state(&rows(source)).and_then(|state| state.merge(again())).and_then(FrameState::release));
}

fn table() -> FrameDomain {
    FrameDomain::new([
        ("id", ColumnDomain::integer()),
        ("word", ColumnDomain::text().with_missing()),
        ("n", ColumnDomain::integer().with_bounds(-9.0, 9.0).unwrap()),
        ("x", ColumnDomain::float()),
    ])
    .unwrap()
}

fn rows(source: &mut Source) -> Frame {
    let rows: Vec<_> = source.several(6, |source| (source.below(4), source.below(3), source.below(10), source.float()));
    let number = |number: usize| i64::try_from(number).unwrap();
    let word = |word: usize| [None, Some("a"), Some("bc")][word];
    let float = |x: f64| if x.is_nan() { 0.5 } else { x };
    Frame::new([
        ("id", rows.iter().map(|row| number(row.0)).collect::<Column>()),
        ("word", rows.iter().map(|row| word(row.1)).collect()),
        ("n", rows.iter().map(|row| number(row.2) - 3).collect()),
        ("x", rows.iter().map(|row| float(row.3)).collect()),
    ])
    .unwrap()
}

/// Each kind of state.
fn plan(which: usize, table: &FrameDomain) -> FrameMeasurement {
    let persons = table.clone().with_individuals("id").unwrap();
    let one = Budget::Epsilon(1.0);
    let query = |query: Query| query.measurement(one).unwrap().measurement().clone();
    let keys = || KeySet::list(["n"], (0..3i64).map(|n| vec![Cell::from(n)])).unwrap();
    let rows = || (table.clone(), SymmetricDistance);
    match which {
        0 => query(Query::new(table).group_by(keys()).count().sum(col("x"), (-1.0, 3.0))),
        1 => query(Query::new(&persons).group_by(keys()).mean(col("x"), (0.0, 9.0)).count_individuals()),
        2 => query(Query::new(table).count_distinct(col("word")).group_by(keys())),
        3 => Query::new(table).count_unknown_keys(["word", "n"], (1.0, 1e-6)).unwrap().measurement().clone(),
        4 => Query::new(&persons).count_unknown_keys(["word"], (1.0, 1e-6)).unwrap().measurement().clone(),
        5 => {
            let scores = rows()
                >> then_rows::<i64, _, _>(vec!["n"])
                >> then_quantile_scores(vec![-3, 0, 4], 0.3)
                >> then_noisy_max(MaxDivergence, 1.0);
            FrameMeasurement::from_plan(scores.unwrap().plan()).unwrap()
        }
        _ => {
            let sum = rows() >> then_rows::<i64, _, _>(vec!["n"]) >> then_sum() >> then_laplace(9.0);
            FrameMeasurement::from_plan(sum.unwrap().plan()).unwrap()
        }
    }
}
