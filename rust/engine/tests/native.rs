//! The native engine on a job whose rows are numbers: what becomes of pieces, partitions, failures and crashes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use indistinct_engine::{Engine, Error, Folding, Job, Native, Piece, Progress, Result};
use std::{env, fs, path::Path, process, process::Command};

/// Numbers below `rows`, of which the one at `fails` cannot be taken in; each is dealt to a partition.
struct Numbers {
    rows: u64,
    fails: Option<u64>,
    deals: bool,
    crashes: bool,
}

struct Sum<'a> {
    job: &'a Numbers,
    sum: u64,
    partitions: Vec<u32>,
}

impl Job for Numbers {
    fn pieces(&self, (place, number): (u32, u32)) -> Result<Box<dyn Iterator<Item = Result<Piece>> + '_>> {
        let rows = (0..self.rows).filter(move |row| row % u64::from(number) == u64::from(place));
        Ok(Box::new(rows.map(|row| {
            let piece: Piece = Box::new(row);
            Ok(piece)
        })))
    }

    fn size(&self) -> u64 {
        self.rows * 8
    }

    fn needs_partitions(&self) -> bool {
        self.deals
    }

    fn folding(&self) -> Result<Box<dyn Folding + '_>> {
        Ok(Box::new(Sum { job: self, sum: 0, partitions: Vec::new() }))
    }

    fn deal(&self, piece: Piece, partitions: &mut [Vec<u8>]) -> Result<()> {
        let row = *piece.downcast::<u64>().unwrap();
        if self.fails == Some(row) {
            return Err(Error::job("cannot be dealt"));
        }
        let place = usize::try_from(row).unwrap() % partitions.len();
        partitions[place].extend_from_slice(&row.to_be_bytes());
        Ok(())
    }
}

impl Folding for Sum<'_> {
    fn absorb(&mut self, piece: Piece) -> Result<()> {
        let row = *piece.downcast::<u64>().unwrap();
        if self.job.fails == Some(row) {
            return Err(Error::job("cannot be added"));
        }
        self.sum += row;
        Ok(())
    }

    fn absorb_partition(&mut self, (place, number): (u32, u32), rows: Vec<u8>) -> Result<()> {
        if self.job.crashes {
            process::abort();
        }
        for row in rows.as_chunks().0 {
            let row = u64::from_be_bytes(*row);
            assert_eq!(row % u64::from(number), u64::from(place));
            self.sum += row;
        }
        self.partitions.push(place);
        Ok(())
    }

    fn merge(&mut self, state: &[u8]) -> Result<()> {
        let (sum, partitions) = state.split_at(8);
        self.sum += u64::from_be_bytes(sum.try_into().unwrap());
        self.partitions.extend(partitions.as_chunks().0.iter().map(|place| u32::from_be_bytes(*place)));
        self.partitions.sort_unstable();
        Ok(())
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let partitions = self.partitions.iter().flat_map(|place| place.to_be_bytes());
        Ok(self.sum.to_be_bytes().into_iter().chain(partitions).collect())
    }
}

const ROWS: u64 = 5000;

fn numbers(deals: bool) -> Numbers {
    Numbers { rows: ROWS, fails: None, deals, crashes: false }
}

fn left_in(place: &Path) -> usize {
    fs::read_dir(place).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
}

#[test]
fn every_row_is_taken_in_once() {
    let place = tempfile::tempdir().unwrap();
    let sum = ROWS * (ROWS - 1) / 2;
    for threads in [1, 2, 5] {
        let native = Native::new().threads(threads).directory(place.path());
        assert_eq!(native.run(&numbers(false)).unwrap(), sum.to_be_bytes());
        for partitions in [1, 2, 7, 16] {
            for held in [0, 1000, 1 << 30] {
                let native = native.clone().partitions(partitions).held(held).progress(Progress::Working);
                let expected = sum.to_be_bytes().into_iter().chain((0..partitions).flat_map(u32::to_be_bytes));
                assert_eq!(native.run(&numbers(true)).unwrap(), expected.collect::<Vec<_>>());
                assert_eq!(left_in(place.path()), 0);
            }
        }
    }
}

/// A failure ends the run, whoever meets it, and nothing is left behind.
#[test]
fn what_fails_is_told_and_cleaned_away() {
    let place = tempfile::tempdir().unwrap();
    let native = Native::new().threads(3).held(0).directory(place.path());
    for deals in [false, true] {
        for fails in [0, 77, ROWS - 1] {
            let error = native.run(&Numbers { fails: Some(fails), ..numbers(deals) }).unwrap_err();
            assert!(error.to_string().starts_with("the job failed: cannot be"), "{error}");
        }
    }
    assert_eq!(left_in(place.path()), 0);
    let missing = native.clone().directory(place.path().join("missing")).run(&numbers(true)).unwrap_err();
    assert_eq!(missing.to_string(), "temporary files cannot be used: entity not found");
    for refused in [native.clone().threads(0), native.clone().memory(1), native.partitions(0)] {
        assert!(matches!(refused.run(&numbers(true)), Err(Error::Setting { .. })));
    }
}

/// A process that dies leaves its directory, which the next run deletes.
#[test]
fn what_a_crash_leaves_is_deleted_at_the_next_start() {
    const PLACE: &str = "INDISTINCT_ENGINE_CRASHES_IN";
    if let Some(place) = env::var_os(PLACE) {
        let native = Native::new().held(0).partitions(3).directory(place);
        drop(native.run(&Numbers { crashes: true, ..numbers(true) }));
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let test = "what_a_crash_leaves_is_deleted_at_the_next_start";
    let child = Command::new(env::current_exe().unwrap()).args(["--exact", test]).env(PLACE, place.path()).output();
    assert!(!child.unwrap().status.success());
    assert_eq!(left_in(place.path()), 1);
    assert!(Native::new().held(0).directory(place.path()).run(&numbers(true)).is_ok());
    assert_eq!(left_in(place.path()), 0);
}

/// Neither the framework nor its samplers are among what this crate is built with.
#[test]
fn an_engine_cannot_draw() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree =
        ["tree", "--package", "indistinct-engine", "--edges", "normal", "--prefix", "none", "--locked", "--offline"];
    let tree = Command::new(cargo).args(tree).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.contains("indistinct-engine") && tree.contains("thiserror"), "{tree}");
    let ours = tree.lines().filter(|line| line.starts_with("indistinct"));
    assert!(ours.clone().all(|line| line.starts_with("indistinct-engine")), "{tree}");
    assert!(!tree.contains("rand") && !tree.contains("chacha"), "{tree}");
}
