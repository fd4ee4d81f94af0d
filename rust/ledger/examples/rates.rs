//! Measures how fast a ledger is on this disk, what the disk can do in the same run, and how long verification takes:
//!
//!     cargo run --release --package indistinct-ledger --example rates [FOLDER]
//!
//! With the feature, it also measures a PostgreSQL server whose data are on the same disk, with the ledger `rates` on
//! it:
//!
//!     rust/ledger/tests/server/run.sh with \
//!         cargo run --release --package indistinct-ledger --features postgres --example rates
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use indistinct_ledger::{Charge, Ledger, Loss, Request};
use std::{
    env,
    fs::OpenOptions,
    io::Write,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

const ROUND: Duration = Duration::from_secs(2);
const ROUNDS: u32 = 5;
const GROUP: u32 = 100;
const ENTRIES: u32 = 1_000_000;

/// Returns how often some work is done in a second.
fn rate(mut work: impl FnMut(u32) -> u32) -> f64 {
    let (start, mut done) = (Instant::now(), 0);
    while start.elapsed() < ROUND {
        done += work(done);
    }
    f64::from(done) / start.elapsed().as_secs_f64()
}

/// Writes one page after the others and syncs it, which every commit must do.
fn syncs(folder: &Path) -> f64 {
    let mut file = OpenOptions::new().create(true).append(true).open(folder.join("syncs")).unwrap();
    rate(|_| {
        file.write_all(&[7; 4096]).unwrap();
        file.sync_data().unwrap();
        1
    })
}

/// Opens a ledger in a file, or on the server of `run.sh`.
fn open(place: &str) -> Ledger {
    #[cfg(feature = "postgres")]
    if place.starts_with("host=") {
        return Ledger::open_on_server(place, "rates").unwrap();
    }
    Ledger::open(place).unwrap()
}

fn charges(place: &str, name: &str) -> f64 {
    let (mut ledger, loss) = (open(place), Loss::epsilon(0.1).unwrap());
    rate(|number| {
        assert!(matches!(ledger.charge("survey", &format!("{name}/{number}"), "plan", &loss), Ok(Charge::Charged(_))));
        1
    })
}

/// Measures charges in groups.
fn grouped(place: &str, name: &str) -> f64 {
    let (mut ledger, loss) = (open(place), Loss::epsilon(0.1).unwrap());
    rate(|number| {
        let keys: Vec<String> = (0..GROUP).map(|part| format!("{name}/{number}/{part}")).collect();
        let requests: Vec<_> =
            keys.iter().map(|key| Request { account: "survey", key, plan: "plan", loss: &loss }).collect();
        drop(ledger.charge_all(&requests).unwrap());
        GROUP
    })
}

/// Returns the sum of four processes' rates.
fn by_four(place: &str, how: &str, round: u32) -> f64 {
    let process = |one: u32| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.arg(how).arg(place).arg(format!("{how}/{round}/{one}"));
        thread::spawn(move || {
            String::from_utf8(command.output().unwrap().stdout).unwrap().trim().parse::<f64>().unwrap()
        })
    };
    let processes: Vec<_> = (0..4).map(process).collect();
    processes.into_iter().map(|process| process.join().unwrap()).sum()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    println!("{what}: {:.2} s", start.elapsed().as_secs_f64());
    done
}

/// Writes as many entries as an audit should be able to read: three for each release.
fn audit(path: &Path) {
    let loss = Loss::epsilon(0.1).unwrap();
    let mut ledger = Ledger::create(path, "survey", &Loss::epsilon(1e9).unwrap()).unwrap();
    ledger.add_account("ann", "survey", &Loss::epsilon(1e9).unwrap()).unwrap();
    for group in 0..ENTRIES.div_ceil(3000) {
        let keys: Vec<String> = (0..1000).map(|part| format!("2026-Q3/{group}/{part}")).collect();
        let requests: Vec<_> =
            keys.iter().map(|key| Request { account: "ann", key, plan: "plan", loss: &loss }).collect();
        let drawn = ledger.charge_all(&requests).unwrap().draw().unwrap();
        drawn.release(&[b"about 36 visits".as_slice(); 1000]).unwrap();
    }
    let checkpoint = timed("all of it verified", || ledger.checkpoint().unwrap());
    println!("entries: {}", checkpoint.head().entries);
    assert!(ledger.charge("ann", "one more", "plan", &loss).is_ok());
    timed("verified from a checkpoint", || ledger.verify_since(&checkpoint).unwrap());
    let text = checkpoint.to_string();
    println!("a checkpoint: {} bytes", text.len());
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [how, place, name] = arguments.as_slice() {
        let work = if how == "charges" { charges } else { grouped };
        println!("{}", work(place, name));
        return;
    }
    let folder = tempfile::tempdir_in(arguments.first().map_or(".", String::as_str)).unwrap();
    let path = folder.path().join("a.ledger");
    let budget = Loss::epsilon(1e9).unwrap();
    #[cfg(feature = "postgres")]
    if let Ok(server) = env::var("LEDGER_SERVER") {
        drop(Ledger::create_on_server(&server, "rates", "survey", &budget).unwrap());
        return rates(&server, folder.path());
    }
    drop(Ledger::create(&path, "survey", &budget).unwrap());
    rates(path.to_str().unwrap(), folder.path());
    audit(&folder.path().join("audit.ledger"));
}

fn rates(place: &str, folder: &Path) {
    let (mut disk, mut figures) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new(), Vec::new()]);
    for round in 0..ROUNDS {
        // Both are measured in turn, because a disk's speed varies from minute to minute.
        let mut beside = |at: usize, work: &dyn Fn() -> f64| {
            let before = syncs(folder);
            let own = work();
            let around = (before + syncs(folder)) / 2.0;
            disk.push(around);
            figures[at].push((own, own / around));
        };
        beside(0, &|| charges(place, &format!("one/{round}")));
        beside(1, &|| by_four(place, "charges", round));
        beside(2, &|| grouped(place, &format!("group/{round}")));
        beside(3, &|| by_four(place, "grouped", round));
    }
    println!("syncs of a page per second: {:.0}", median(disk));
    for (what, figures) in ["one writer", "four", "one, in groups of 100", "four, in groups of 100"].iter().zip(figures)
    {
        let (rates, ratios) = figures.into_iter().unzip();
        println!("charges per second, {what}: {:.0}, {:.2} for each sync", median(rates), median(ratios));
    }
}
