//! The state of a job over synthetic rows.

use indistinct::{
    core::Fallible,
    frames::{Cell, Column, ColumnDomain, Frame, FrameDomain, Kind},
    plans::FrameMeasurement,
};
use sha2::{Digest, Sha256};

const ROWS: u32 = 64;
/// The number of partitions into which rows are split.
const PARTITIONS: u32 = 3;

/// Returns a hash of synthetic rows, split into partitions, and of the state of a plan on these rows.
pub(crate) fn sample(domain: &FrameDomain, plan: &FrameMeasurement) -> Fallible<Vec<u8>> {
    let columns = domain.columns().iter().map(made_up);
    let rows = Frame::new(domain.names().iter().cloned().zip(columns))?;
    let mut dealt = vec![Vec::new(); usize::try_from(PARTITIONS).unwrap_or(1)];
    rows.iter().for_each(|batch| domain.deal(batch, &mut dealt));
    let mut hash = Sha256::new();
    let mut state = plan.state()?;
    for (place, bytes) in (0..).zip(&dealt) {
        hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(bytes);
        let part = plan.state()?.absorb_partition((place, PARTITIONS), &domain.dealt(bytes)?)?;
        state = state.merge(plan.read_state(&part.to_bytes()?)?)?;
    }
    hash.update(state.to_bytes()?);
    Ok(hash.finalize().to_vec())
}

/// Returns synthetic values of a column.
fn made_up(column: &ColumnDomain) -> Column {
    let rows = || 0..ROWS;
    let is_null = |row: u32| column.has_missing() && row % 7 == 3;
    match column.kind() {
        Kind::Float => {
            let (lower, upper) = match column.bounds() {
                Some((Cell::Float(lower), Cell::Float(upper))) => (lower, upper),
                _ => (-1e300, 1e300),
            };
            let value = |row: u32| match row % 4 {
                0 => lower,
                1 => upper,
                _ => (f64::from(row) * 0.3 - 3.0).clamp(lower, upper),
            };
            rows().map(|row| if is_null(row) { f64::NAN } else { value(row) }).collect()
        }
        Kind::Bool => rows().map(|row| (!is_null(row)).then_some(row % 3 > 0)).collect(),
        Kind::Text => rows().map(|row| (!is_null(row)).then(|| format!("text {}", row % 11))).collect(),
        _ => {
            let labels = column.labels().map(|labels| i64::try_from(labels.len()).unwrap_or(i64::MAX));
            let value = |row: u32| match (column.bounds(), labels) {
                (Some((Cell::Integer(lower), Cell::Integer(upper))), _) => (i64::from(row) % 9).clamp(lower, upper),
                (_, Some(labels)) => i64::from(row) % labels.max(1),
                _ => i64::from(row) % 9 - 1,
            };
            rows().map(|row| (!is_null(row)).then(|| value(row))).collect()
        }
    }
}
