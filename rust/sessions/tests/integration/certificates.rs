//! Certificates, checked by those who have no data.

use crate::{individuals, place, session};
use indistinct::{frames::*, queries::*};
use indistinct_ledger::Loss;
use indistinct_sessions::{About, Certificate, Product, Program, Release, Session, SigningKey};
use serde_json::{Value, json};

fn released(session: &mut Session, key: &str) -> Release<Table> {
    let query = session.query("stays").unwrap().group_by(KeySet::product([("region", ["north", "south"])]).unwrap());
    let query = query.count().mean(col("days"), (0.0, 30.0)).measurement(Budget::Epsilon(0.125)).unwrap();
    session.release(session.price("stays", &query).unwrap(), key).unwrap()
}

#[test]
fn a_certificate_is_read_back_and_holds() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 100);
    session = session.with_program(Program::new("survey", "1.2.3", Some("the lock file")));
    let about = About { body: "Bureau of Statistics".into(), purpose: "the yearbook".into() };
    session = session.with_about(about).unwrap();
    let release = released(&mut session, "first");
    let text = release.certificate.to_json().unwrap();
    let read = Certificate::from_json(&text).unwrap();
    assert_eq!((&read, read.to_json().unwrap()), (&release.certificate, text));
    read.verify(&release.released).unwrap();
    read.verify_plan().unwrap();
    read.verify_in(session.ledger().unwrap()).unwrap();
    assert_eq!((read.program.name.as_str(), read.program.lock_file.as_ref().map(String::len)), ("survey", Some(64)));
    assert_eq!(read.unit, "1 individual added or removed");
    assert_eq!((read.about.body.as_str(), read.about.purpose.as_str()), ("Bureau of Statistics", "the yearbook"));
    assert!(read.date.len() == 10 && read.date.starts_with("20") && !read.assumed.is_empty(), "{}", read.date);
    assert!(!read.not_protected.is_empty() && read.steps.as_array().is_some_and(|steps| !steps.is_empty()));
    let second = released(&mut session, "second");
    assert_eq!(second.certificate.budget.before, read.budget.after);
    assert!(read.verify(&second.released).is_err(), "of another release");
}

/// Whatever is changed is found, except what no computation can know.
#[test]
fn each_change_of_a_certificate_is_found() {
    let (_folder, path) = place();
    let about = About { body: "Bureau of Statistics".into(), purpose: "the yearbook".into() };
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 100).with_about(about).unwrap();
    let release = released(&mut session, "first");
    let honest: Value = serde_json::from_str(&release.certificate.to_json().unwrap()).unwrap();
    let verified = |value: &Value| {
        let certificate = Certificate::from_json(&value.to_string())?;
        certificate.verify(&release.released)?;
        certificate.verify_in(session.ledger().unwrap())
    };
    verified(&honest).unwrap();
    let changed = |path: &str, value: Value| {
        let mut other = honest.clone();
        *other.pointer_mut(path).unwrap() = value;
        other
    };
    let half = Loss::epsilon(0.0625).unwrap().text();
    let plan = honest["plan"].as_str().unwrap();
    for (path, value) in [
        ("/version", json!(1)),
        ("/name", json!("second")),
        ("/account", json!("ann")),
        ("/unit", json!("2 individuals added or removed")),
        ("/unit", json!("1 row added or removed")),
        ("/plan", json!(plan.replace("30.0", "31.0"))),
        ("/plan", json!(format!("{plan} "))),
        ("/plan_hash", json!("0".repeat(64))),
        ("/steps/0/d_in", json!("0")),
        ("/steps", json!([])),
        ("/weakest_proof", json!("A")),
        ("/weakest_map", json!("A")),
        ("/steps/0/proof/run", json!("unproven")),
        ("/measure", json!("rho")),
        ("/loss", json!(half)),
        ("/loss", json!("rho 0.125")),
        ("/loss", json!("epsilon 0.75")),
        ("/loss", json!("epsilon 0.10")),
        ("/budget/total", json!(half)),
        ("/budget/before", json!(half)),
        ("/budget/after", json!(half)),
        ("/ledger/charge", json!(format!("9:{}", "0".repeat(64)))),
        ("/ledger/draw", json!(format!("9:{}", "0".repeat(64)))),
        ("/released", json!("0".repeat(64))),
        ("/table", json!("visits")),
        ("/accuracy/alpha", json!("0.01")),
        ("/not_protected", json!([])),
        ("/assumed", json!([])),
        ("/date", json!("1999-12-31")),
        ("/about/body", json!("another body")),
        ("/about/purpose", json!("another purpose")),
        ("/program/name", json!("another")),
    ] {
        assert!(verified(&changed(path, value.clone())).is_err(), "{path}: {value}");
    }
    let mut unknown = honest.clone();
    unknown.as_object_mut().unwrap().insert("certified".into(), json!(true));
    assert!(verified(&unknown).is_err());
}

#[test]
fn a_signature_is_of_one_text_by_one_key() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 100);
    let release = released(&mut session, "first");
    let (key, other) = (SigningKey::from_bytes(&[7; 32]), SigningKey::from_bytes(&[8; 32]));
    let signed = release.certificate.sign(&key).unwrap();
    assert_eq!(signed.verify(&key.verifying_key()).unwrap(), release.certificate);
    assert!(signed.verify(&other.verifying_key()).is_err());
    for (from, to) in [("first", "other"), ("\"version\":2", "\"version\":2 ")] {
        let mut changed = signed.clone();
        changed.certificate = changed.certificate.replace(from, to);
        assert_ne!(changed, signed);
        assert!(changed.verify(&key.verifying_key()).is_err());
    }
    let read: indistinct_sessions::Signed = serde_json::from_str(&serde_json::to_string(&signed).unwrap()).unwrap();
    assert_eq!(read, signed);
}

/// In the words of the registry's schema, with what nobody but the curator knows left open.
#[test]
fn the_registry_of_deployments_gets_what_it_asks_for() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::rho(1.0).unwrap(), 100);
    let count = individuals(&session, Budget::Rho(0.125));
    let release = session.release(session.price("stays", &count).unwrap(), "patients").unwrap();
    let entry = release.certificate.deployment(&Product::default()).unwrap();
    let at = |path: &str| entry.pointer(path).unwrap_or_else(|| panic!("{path}")).clone();
    assert_eq!(at("/deployment/dp_flavor/name"), json!("Zero-concentrated DP"));
    let rho = at("/deployment/privacy_loss/privacy_parameters/rho").as_f64().unwrap();
    assert!((0.1249..=0.125).contains(&rho));
    assert_eq!(at("/deployment/product/data_curators/0"), json!("to be filled in"));
    assert_eq!(at("/deployment/model/model_name"), json!("Central"));
    assert!(at("/deployment/implementation/mechanisms").as_str().unwrap().contains("gaussian"));
    let domain = at("/deployment/dp_flavor/data_domain");
    assert!(domain.as_str().unwrap().contains("days"), "{domain}");
}

/// Another release's plan and an invented text, whose hash is right: only the ledger tells.
#[test]
fn a_ledger_tells_whose_certificate_it_is() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 100);
    let (first, second) = (released(&mut session, "first"), released(&mut session, "second"));
    let mut lying = first.certificate.clone();
    let invented = "[[1],[2],[3]]";
    lying.released = second.certificate.released.clone();
    lying.verify(&second.released).unwrap();
    assert!(lying.verify_in(session.ledger().unwrap()).is_err());
    assert!(lying.verify(invented).is_err());
    first.certificate.verify_in(session.ledger().unwrap()).unwrap();
}
