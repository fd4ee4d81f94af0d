//! Check a certificate of a release, without data: by the text that was released, and by the ledger if it is at hand.
//!
//!     cargo run --release --bin verify_certificate -- CERTIFICATE RELEASED [LEDGER]

use indistinct_ledger::Ledger;
use indistinct_sessions::Certificate;
use std::{env::args, error::Error, fs::read_to_string};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = args().skip(1).collect();
    let (certificate, released, ledger) = match paths.as_slice() {
        [certificate, released] => (certificate, released, None),
        [certificate, released, ledger] => (certificate, released, Some(ledger)),
        _ => return Err("verify_certificate CERTIFICATE RELEASED [LEDGER]".into()),
    };
    let certificate = Certificate::from_json(&read_to_string(certificate)?)?;
    certificate.verify(&read_to_string(released)?)?;
    println!(
        "{:?}: {} for {}, weakest proof {}",
        certificate.name, certificate.loss, certificate.unit, certificate.weakest_proof
    );
    if let Some(path) = ledger {
        let ledger = Ledger::open(path)?;
        certificate.verify_in(&ledger)?;
        println!("the ledger has it, and holds: {}", ledger.verify(None)?);
    }
    Ok(())
}
