//! A thousand forks: no release of a child repeats one of its parent's or of another child's.
//!
//! A program of its own, with one thread, for only then may a forked child do as it likes.
#![allow(clippy::unwrap_used)]

use fork::{Fork, fork, waitpid};
use indistinct_sampling::{Entropy, OsEntropy};
use std::{
    collections::HashSet,
    io::{Read, Write},
};

const FORKS: usize = 1000;
/// Releases of each process, of 128 bits.
const RELEASES: usize = 4;

/// What a release does: a source of its own, made when it begins.
fn release() -> [u8; 16] {
    let mut entropy = OsEntropy::new();
    let mut bytes = [0; 16];
    bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&entropy.bits(64).unwrap().to_le_bytes()));
    bytes
}

fn main() {
    // Warm up: whatever state there is has been used before the first fork.
    let mut seen: HashSet<[u8; 16]> = (0..RELEASES).map(|_| release()).collect();
    for _ in 0..FORKS {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        match fork().unwrap() {
            Fork::Child => {
                (0..RELEASES).for_each(|_| writer.write_all(&release()).unwrap());
                drop(writer);
                std::process::exit(0);
            }
            Fork::Parent(child) => {
                drop(writer);
                // The parent goes on as well.
                (0..RELEASES).for_each(|_| assert!(seen.insert(release()), "the parent repeats a release"));
                for _ in 0..RELEASES {
                    let mut bytes = [0; 16];
                    reader.read_exact(&mut bytes).unwrap();
                    assert!(seen.insert(bytes), "a child repeats a release");
                }
                waitpid(child).unwrap();
            }
        }
    }
    assert_eq!(seen.len(), RELEASES * (1 + 2 * FORKS));
    control();
    println!("{FORKS} forks: no release is repeated");
}

/// The negative control: a source that was made before the fork gives the child what it gives the parent.
fn control() {
    let mut warm = OsEntropy::new();
    warm.bits(64).unwrap();
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    match fork().unwrap() {
        Fork::Child => {
            writer.write_all(&warm.bits(64).unwrap().to_le_bytes()).unwrap();
            drop(writer);
            std::process::exit(0);
        }
        Fork::Parent(child) => {
            drop(writer);
            let mut bytes = [0; 8];
            reader.read_exact(&mut bytes).unwrap();
            assert_eq!(u64::from_le_bytes(bytes), warm.bits(64).unwrap(), "no power");
            waitpid(child).unwrap();
        }
    }
}
