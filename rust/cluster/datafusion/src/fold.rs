//! The rows of partitions, each absorbed when it is complete.

use crate::{
    layout::{Record, broken, outward, read_chunks},
    request::Request,
};
use datafusion::{arrow::array::RecordBatch, error::Result, execution::memory_pool::MemoryReservation};
use indistinct_engine::Job;

/// A partition of which not all is there: the part and the number of the next chunk, and the rows until now.
struct Open {
    partition: u32,
    part: u32,
    number: u64,
    rows: Vec<u8>,
}

/// The state of all partitions whose chunks come, by partition, part and number.
pub(crate) fn fold(
    job: &dyn Job,
    request: &Request,
    input: &mut dyn Iterator<Item = RecordBatch>,
    memory: &MemoryReservation,
) -> Result<Record> {
    let mut folding = job.folding().map_err(outward)?;
    let mut partitions = Vec::new();
    let mut open: Option<Open> = None;
    for batch in input {
        for (partition, part, number, rows) in read_chunks(&batch)? {
            let mut all = open.take().unwrap_or(Open { partition, part: 0, number: 0, rows: Vec::new() });
            if (partition, part, number) != (all.partition, all.part, all.number) || partition >= request.partitions {
                return Err(broken());
            }
            match rows {
                Some(rows) => {
                    memory.try_grow(rows.len())?;
                    all.rows.extend_from_slice(rows);
                    all.number = number.checked_add(1).ok_or_else(broken)?;
                }
                None => (all.part, all.number) = (part.checked_add(1).ok_or_else(broken)?, 0),
            }
            if all.part < request.parts {
                open = Some(all);
            } else {
                folding.absorb_partition((partition, request.partitions), all.rows).map_err(outward)?;
                partitions.push(partition);
                memory.free();
            }
        }
    }
    match open {
        Some(_) => Err(broken()),
        None => Ok((partitions, job.sample().map_err(outward)?, folding.bytes().map_err(outward)?)),
    }
}
