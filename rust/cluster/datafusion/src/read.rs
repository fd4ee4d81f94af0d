//! The rows of parts of a job's files: distributed to partitions, or folded immediately.

use crate::{
    layout::{Chunk, Record, broken, chunks, outward, read_parts, record},
    request::Request,
};
use datafusion::{arrow::array::RecordBatch, error::Result};
use indistinct_engine::{Error, Job};

/// From so many bytes on, what is dealt is handed over.
const DEALT: usize = 4 << 20;
/// About so many bytes of a partition are a chunk, or as many as a piece has: rows that are sorted are in memory by a
/// hundred chunks.
const CHUNK: usize = 16 << 10;

/// Receives the results of a read. It returns false if nobody takes them any more.
pub(crate) type Take<'a> = &'a mut dyn FnMut(Result<RecordBatch>) -> bool;

/// All parts whose numbers come.
pub(crate) fn read(
    job: &dyn Job,
    request: &Request,
    input: &mut dyn Iterator<Item = RecordBatch>,
    take: Take,
) -> Result<()> {
    for batch in input {
        for part in read_parts(&batch)? {
            if part >= request.parts {
                return Err(broken());
            }
            let is_taken = match request.partitions {
                0 => take(fold_part(job, request, part).and_then(|known| record(&known))),
                partitions => deal_part(job, (part, request.parts), partitions, take)?,
            };
            if !is_taken {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The state of a part, whose rows need not be together.
fn fold_part(job: &dyn Job, request: &Request, part: u32) -> Result<Record> {
    let known = || {
        let mut folding = job.folding()?;
        job.pieces((part, request.parts))?.try_for_each(|piece| folding.absorb(piece?))?;
        Ok((vec![part], job.sample()?, folding.bytes()?))
    };
    known().map_err(outward)
}

/// The rows of a part in chunks, and of each partition how many chunks there were.
fn deal_part(job: &dyn Job, part: (u32, u32), partitions: u32, take: Take) -> Result<bool> {
    let number = usize::try_from(partitions).map_err(|_| broken())?;
    let mut dealt = vec![Vec::new(); number];
    let mut numbers = vec![0u64; number];
    for piece in job.pieces(part).map_err(outward)? {
        let piece = piece.map_err(outward)?;
        job.deal(piece, &mut dealt).map_err(outward)?;
        let held: usize = dealt.iter().map(Vec::len).sum();
        if held >= DEALT.min(number.saturating_mul(CHUNK)) && !take(hand_over(part.0, &mut dealt, &mut numbers)) {
            return Ok(false);
        }
    }
    if !take(hand_over(part.0, &mut dealt, &mut numbers)) {
        return Ok(false);
    }
    Ok(take(chunks((0..).zip(&numbers).map(|(partition, number)| -> Chunk { (partition, part.0, *number, None) }))))
}

/// The rows dealt so far, as the next chunk of each partition that has some.
fn hand_over(part: u32, dealt: &mut [Vec<u8>], numbers: &mut [u64]) -> Result<RecordBatch> {
    let some = (0..).zip(dealt.iter().zip(numbers.iter())).filter(|(_, (rows, _))| !rows.is_empty());
    let batch = chunks(some.map(|(partition, (rows, number))| -> Chunk { (partition, part, *number, Some(rows)) }));
    for (rows, number) in dealt.iter_mut().zip(numbers) {
        if !rows.is_empty() {
            *number = number.checked_add(1).ok_or_else(|| outward(Error::Engine))?;
            rows.clear();
        }
    }
    batch
}
