//! What a session asks, prices, releases and refuses.

use crate::{individuals, place, rows, session, stays};
use indistinct::{
    core::{ProofLevel, Released},
    frames::*,
    measures::ZeroConcentratedDivergence,
    plans::{FrameMeasurement, Functions},
    queries::*,
    sampling::testing::SeededEntropy,
};
use indistinct_ledger::{Amount, Error as LedgerError, Ledger, Loss};
use indistinct_sessions::{Error, Session, Unit};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

#[test]
fn a_release_costs_its_price_once_and_is_given_again_free() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 1000);
    let count = individuals(&session, Budget::Epsilon(0.25));
    let priced = session.price("stays", &count).unwrap();
    assert_eq!(*priced.loss(), Loss::epsilon(0.25).unwrap());
    assert!(priced.is_affordable());
    let first = session.release_with(priced, "patients", &mut SeededEntropy::new(7)).unwrap();
    let estimate = first.answer.estimate(0, "individuals").unwrap();
    assert!((estimate.value.unwrap() - 1000.0).abs() < 200.0, "seed 7");
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.25).unwrap());

    let again = session.release(session.price("stays", &count).unwrap(), "patients").unwrap();
    assert!(again.is_replay && !first.is_replay);
    assert_eq!(
        (&again.answer, &again.released, &again.certificate),
        (&first.answer, &first.released, &first.certificate)
    );
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.25).unwrap());

    // Other intervals of the same release, free.
    let wide = session.price("stays", &count).unwrap().with_alpha(0.001).unwrap();
    let wide = session.release(wide, "patients").unwrap().answer.estimate(0, "individuals").unwrap();
    assert_eq!(wide.value, estimate.value);
    assert!(wide.interval.unwrap().0 < estimate.interval.unwrap().0);
    assert!(session.price("stays", &count).unwrap().with_alpha(1.0).is_err());

    // Another process, later.
    drop(session);
    let ledger = Ledger::open(&path).unwrap();
    let mut session = Session::new(ledger, "survey", Unit::Individuals(1)).unwrap();
    session = session.with_table("stays", stays(), rows(5)).unwrap();
    let later = session.release(session.price("stays", &count).unwrap(), "patients").unwrap();
    assert_eq!(later.released, first.released, "what was released, whatever the table is now");
}

#[test]
fn a_key_belongs_to_one_question_about_one_table() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 10).with_table("later", stays(), rows(10)).unwrap();
    let count = individuals(&session, Budget::Epsilon(0.25));
    session.release(session.price("stays", &count).unwrap(), "patients").unwrap();
    let other = individuals(&session, Budget::Epsilon(0.125));
    for priced in [session.price("stays", &other).unwrap(), session.price("later", &count).unwrap()] {
        let error = session.release(priced, "patients").unwrap_err();
        assert!(matches!(error, Error::Ledger(LedgerError::Conflict { .. })), "{error}");
    }
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.25).unwrap());
}

/// A declaration that was wrong, corrected: what was charged and not drawn belongs to no question yet.
#[test]
fn a_corrected_declaration_keeps_its_charge() {
    let (_folder, path) = place();
    // The first attempt: identifiers and days are texts in the data, and nobody knew.
    let columns = |patient: ColumnDomain, days: ColumnDomain| {
        let columns = [("patient", patient), ("region", ColumnDomain::text()), ("days", days.with_missing())];
        FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap()
    };
    let wrong = columns(ColumnDomain::integer(), ColumnDomain::integer());
    let right = columns(ColumnDomain::text(), ColumnDomain::float());
    let data = Frame::new([
        ("patient", (0..10).map(|number| format!("p{number}")).collect::<Column>()),
        ("region", (0..10).map(|_| "north").collect()),
        ("days", (0..10).map(f64::from).collect()),
    ])
    .unwrap();
    let open = |unit: Unit, domain: &FrameDomain| {
        let ledger = match path.exists() {
            true => Ledger::open(&path).unwrap(),
            false => Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap(),
        };
        Session::new(ledger, "survey", unit).unwrap().with_table("stays", domain.clone(), data.clone()).unwrap()
    };
    let count = |session: &Session, epsilon| {
        let query = session.query("stays").unwrap().max_rows_per_individual(1);
        query.sum(col("days"), (0.0, 30.0)).measurement(Budget::Epsilon(epsilon)).unwrap()
    };
    let mut session = open(Unit::Individuals(1), &wrong);
    let first = count(&session, 0.5);
    let error = session.release(session.price("stays", &first).unwrap(), "days").unwrap_err();
    assert!(matches!(&error, Error::Measurement(error) if error.kind() == indistinct::core::ErrorKind::Domain));
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.5).unwrap());

    // Corrected, also in what is declared in a ledger: nothing was counted by it yet.
    let mut session = open(Unit::Individuals(1), &right);
    let (second, dear) = (count(&session, 0.5), count(&session, 0.25));
    assert_ne!(first.measurement().hash().unwrap(), second.measurement().hash().unwrap());
    let priced = session.price("stays", &dear).unwrap();
    assert!(session.paid(&priced, "days").unwrap().is_none());
    let error = session.release(priced, "days").unwrap_err();
    assert_eq!(
        error.to_string(),
        "release \"days\": was charged epsilon 0.5 for a question about table \"stays\", and nothing was \
         released: ask about that table at the same cost, or use another name for this question (epsilon 0.25, about \
         table \"stays\")"
    );
    session.add_table("later", right.clone(), data.clone()).unwrap();
    let error = session.release(session.price("later", &second).unwrap(), "days").unwrap_err();
    assert!(matches!(error, Error::Charged { .. }), "{error}");
    let priced = session.price("stays", &second).unwrap();
    assert!(session.paid(&priced, "days").unwrap().is_some() && session.paid(&priced, "other").unwrap().is_none());
    let release = session.release(priced, "days").unwrap();
    assert!(!release.is_replay);
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.5).unwrap(), "charged once");
    release.certificate.verify(&release.released).unwrap();
    release.certificate.verify_in(session.ledger().unwrap()).unwrap();
    session.ledger().unwrap().verify(None).unwrap();
    assert_eq!(session.weakest_proof().unwrap(), second.measurement().weakest_proof().unwrap());

    // From then on the key is of that question alone.
    assert!(session.release(session.price("stays", &second).unwrap(), "days").unwrap().is_replay);
    let mean = session.query("stays").unwrap().max_rows_per_individual(1).sum(col("days"), (0.0, 31.0));
    let mean = mean.measurement(Budget::Epsilon(0.5)).unwrap();
    let priced = session.price("stays", &mean).unwrap();
    assert!(session.paid(&priced, "days").unwrap().is_none());
    let error = session.release(priced, "days").unwrap_err();
    assert!(matches!(error, Error::Ledger(LedgerError::Conflict { .. })), "{error}");
    assert!(Session::new(Ledger::open(&path).unwrap(), "survey", Unit::Rows(1)).is_err(), "declared now");
}

/// A function of a program's own that takes up the charge of a proved question marks the ledger.
#[test]
fn a_charge_that_is_taken_up_tells_the_level_of_what_was_drawn() {
    let (_folder, path) = place();
    let ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let failing = || Err::<Frame, _>(io::Error::other("the file is gone"));
    let broken = Session::new(ledger, "survey", Unit::Individuals(1)).unwrap();
    let mut broken = broken.with_table("stays", stays(), failing).unwrap();
    let count = individuals(&broken, Budget::Epsilon(0.25));
    assert!(broken.release(broken.price("stays", &count).unwrap(), "patients").is_err());
    assert!(broken.weakest_proof().unwrap() > ProofLevel::Unproven);
    let mended = Session::new(Ledger::open(&path).unwrap(), "survey", Unit::Individuals(1)).unwrap();
    let mut mended = mended.with_table("stays", stays(), rows(10)).unwrap();
    let functions = Functions::new().column("same", |cells: &[Cell]| cells[0].clone()).unwrap();
    let plan = r#"
        version = 2
        metric = "SymmetricIdDistance"
        individuals = "patient"
        columns = { patient = "integer", region = "text", days = "float(missing)" }
        steps = [
            { make = "own_column", name = "same", of = ["days"], column = "days", domain = "float(missing)" },
            { make = "bound_rows", columns = ["region"], max_rows = 1 },
            { make = "rows", columns = ["region"] },
            { make = "count" },
            { make = "laplace", scale = 4 },
        ]
    "#;
    let own = FrameMeasurement::from_toml_with(plan, &functions).unwrap();
    let release = mended.release(mended.price("stays", &own).unwrap(), "patients").unwrap();
    release.certificate.verify_in(mended.ledger().unwrap()).unwrap();
    assert_eq!(mended.weakest_proof().unwrap(), ProofLevel::Unproven);
    assert_eq!(mended.budget().unwrap().spent, Loss::epsilon(0.25).unwrap());
}

#[test]
fn nothing_is_read_before_it_is_paid() {
    let (_folder, path) = place();
    let read = Arc::new(AtomicU32::new(0));
    let counted = {
        let read = read.clone();
        move || {
            read.fetch_add(1, Ordering::Relaxed);
            Ok::<_, io::Error>(rows(10))
        }
    };
    let ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let mut session =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), counted).unwrap();
    let dear = individuals(&session, Budget::Epsilon(1.5));
    let priced = session.price("stays", &dear).unwrap();
    assert!(!priced.is_affordable());
    assert!(priced.to_string().contains("account \"survey\": epsilon 1 remains, which is not enough"));
    let error = session.release(priced, "dear").unwrap_err();
    assert!(matches!(error, Error::Ledger(LedgerError::Budget { .. })), "{error}");
    assert_eq!(read.load(Ordering::Relaxed), 0);
    let cheap = individuals(&session, Budget::Epsilon(1.0));
    session.release(session.price("stays", &cheap).unwrap(), "cheap").unwrap();
    assert_eq!(read.load(Ordering::Relaxed), 1);
    session.release(session.price("stays", &cheap).unwrap(), "cheap").unwrap();
    assert_eq!(read.load(Ordering::Relaxed), 1);
}

#[test]
fn rows_that_cannot_be_read_keep_the_charge_and_the_key() {
    let (_folder, path) = place();
    let failing = || Err::<Frame, _>(io::Error::other("the file is gone"));
    let ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let broken =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), failing).unwrap();
    let mut broken = broken;
    let count = individuals(&broken, Budget::Epsilon(0.5));
    let error = broken.release(broken.price("stays", &count).unwrap(), "patients").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the source of table \"stays\": the file is gone; the charge stands, and another release under the name \"patients\" costs nothing more"
    );
    assert_eq!(broken.budget().unwrap().spent, Loss::epsilon(0.5).unwrap());
    // Rows of another domain.
    let ledger = Ledger::open(&path).unwrap();
    let other = Frame::new([("patient", (0..4i64).collect::<Column>())]).unwrap();
    let mut other =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), other).unwrap();
    let error = other.release(other.price("stays", &count).unwrap(), "patients").unwrap_err();
    assert!(matches!(&error, Error::Measurement(error) if error.kind() == indistinct::core::ErrorKind::Domain));
    // Mended.
    let ledger = Ledger::open(&path).unwrap();
    let mut mended =
        Session::new(ledger, "survey", Unit::Individuals(1)).unwrap().with_table("stays", stays(), rows(10)).unwrap();
    assert!(!mended.release(mended.price("stays", &count).unwrap(), "patients").unwrap().is_replay);
    assert_eq!(mended.budget().unwrap().spent, Loss::epsilon(0.5).unwrap(), "charged once");
}

#[test]
fn a_price_is_of_its_session() {
    let ((_folder, path), (_other_folder, other_path)) = (place(), place());
    let mut session = crate::session(&path, &Loss::epsilon(1.0).unwrap(), 10);
    let other = crate::session(&other_path, &Loss::epsilon(1.0).unwrap(), 10);
    let priced = other.price("stays", &individuals(&other, Budget::Epsilon(0.5))).unwrap();
    let error = session.release(priced, "patients").unwrap_err();
    assert_eq!(error.to_string(), "the question was priced by another session");
    assert!(session.price("visits", &individuals(&session, Budget::Epsilon(0.5))).is_err());
    let one = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
    let question = Query::new(&one).count().measurement(Budget::Epsilon(0.5)).unwrap();
    assert!(session.price("stays", &question).is_err(), "of another domain");
}

#[test]
fn questions_are_converted_to_the_measure_of_the_account() {
    let (_folder, path) = place();
    let mut rho = session(&path, &Loss::rho(1.0).unwrap(), 1000);
    let pure = individuals(&rho, Budget::Epsilon(0.5));
    let priced = rho.price("stays", &pure).unwrap();
    let expected = pure.measurement().in_measure::<ZeroConcentratedDivergence>().unwrap();
    let expected = expected.adaptive_loss::<ZeroConcentratedDivergence>(1).unwrap();
    let expected = Loss::rho(Amount::exact(expected).unwrap()).unwrap().rounded_up();
    assert_eq!(*priced.loss(), expected);
    assert!(priced.explanation().to_string().contains("pureDP_to_zCDP"));
    rho.release(priced, "pure").unwrap().certificate.verify("").unwrap_err();
    let gaussian = individuals(&rho, Budget::Rho(0.25));
    rho.release(rho.price("stays", &gaussian).unwrap(), "gaussian").unwrap();
    assert!(rho.price("stays", &individuals(&rho, Budget::EpsilonDelta(0.5, 1e-6))).is_err());

    let (_folder, path) = place();
    let mut both = session(&path, &Loss::epsilon_delta(1.0, 1e-6).unwrap(), 1000);
    let gaussian = individuals(&both, Budget::EpsilonDelta(0.5, 1e-7));
    both.release(both.price("stays", &gaussian).unwrap(), "gaussian").unwrap();
    both.release(both.price("stays", &individuals(&both, Budget::Epsilon(0.25))).unwrap(), "pure").unwrap();
    let found = both.query("stays").unwrap().count_unknown_keys(["region"], (0.25, 1e-7)).unwrap();
    let found = both.release(both.price("stays", &found).unwrap(), "regions").unwrap();
    assert_eq!(found.answer.counts.len(), 2);
    assert_eq!(both.budget().unwrap().remaining.to_string().split(',').next(), Some("epsilon 0"));
}

#[test]
fn accounts_may_count_renyi_divergences_at_one_order() {
    let (_folder, path) = place();
    let mut renyi = session(&path, &Loss::renyi(8.0, 4.0).unwrap(), 1000);
    let gaussian = individuals(&renyi, Budget::Rho(0.25));
    let priced = renyi.price("stays", &gaussian).unwrap();
    let divergence = priced.loss().numbers()[0].to_f64();
    assert!((1.9999..=2.0).contains(&divergence), "a rho, times the order: {divergence}");
    let release = renyi.release(priced, "gaussian").unwrap();
    release.certificate.verify(&release.released).unwrap();
    let pure = individuals(&renyi, Budget::Epsilon(0.5));
    assert!(renyi.price("stays", &pure).unwrap().explanation().to_string().contains("zCDP_to_RDP"));
}

/// A plan with a function of the program's own: it says so, and is checked by who has the function.
#[test]
fn own_functions_are_marked_in_what_is_charged_and_certified() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 1000);
    let halve = |cells: &[Cell]| match cells {
        [Cell::Float(days)] => (days / 2.0).into(),
        _ => Cell::Missing,
    };
    let functions = Functions::new().column("halve", halve).unwrap();
    let plan = r#"
        version = 2
        metric = "SymmetricIdDistance"
        individuals = "patient"
        columns = { patient = "integer", region = "text", days = "float(missing)" }
        steps = [
            { make = "own_column", name = "halve", of = ["days"], column = "days", domain = "float(0..=10)" },
            { make = "filter_rows", condition = "days > 0.5" },
            { make = "bound_rows", columns = ["region"], max_rows = 1 },
            { make = "rows", columns = ["region"] },
            { make = "count" },
            { make = "laplace", scale = 4 },
        ]
    "#;
    let measurement = FrameMeasurement::from_toml_with(plan, &functions).unwrap();
    let priced = session.price("stays", &measurement).unwrap();
    assert!(priced.summary().unwrap().ends_with("weakest proof: unproven"));
    let count = individuals(&session, Budget::Epsilon(0.25));
    session.release(session.price("stays", &count).unwrap(), "proved").unwrap();
    assert_eq!(session.weakest_proof().unwrap(), count.measurement().weakest_proof().unwrap());
    let release = session.release(priced, "own").unwrap();
    drop(session);
    let ledger = Ledger::open(&path).unwrap();
    let later = Session::new(ledger, "survey", Unit::Individuals(1)).unwrap();
    assert_eq!(later.weakest_proof().unwrap(), ProofLevel::Unproven, "for ever");
    assert_eq!(release.certificate.weakest_proof, ProofLevel::Unproven);
    assert!(release.certificate.verify(&release.released).is_err());
    release.certificate.verify_with(&release.released, &functions).unwrap();
}

#[test]
fn plans_are_questions() {
    let (_folder, path) = place();
    let mut session = session(&path, &Loss::epsilon(1.0).unwrap(), 1000);
    let plan = r#"
        version = 2
        metric = "SymmetricIdDistance"
        individuals = "patient"
        columns = { patient = "integer", region = "text", days = "float(missing)" }
        steps = [
            { make = "bound_groups", by = [], max_groups = 1, max_rows = 1 },
            { make = "bound_rows", columns = ["patient"], max_rows = 1 },
            { make = "rows", columns = ["patient"] },
            { make = "count" },
            { make = "laplace", scale = 4 },
        ]
    "#;
    let measurement = FrameMeasurement::from_toml(plan).unwrap();
    let priced = session.price("stays", &measurement).unwrap();
    assert_eq!(*priced.loss(), Loss::epsilon(0.25).unwrap());
    let release = session.release(priced, "count").unwrap();
    assert!(matches!(release.answer, Released::Integer(number) if (900..1100).contains(&number)));
    release.certificate.verify(&release.released).unwrap();
    let rows = FrameMeasurement::from_toml(&plan.replace("SymmetricIdDistance", "SymmetricDistance"));
    let error = rows.map_err(Error::from).and_then(|rows| session.price("stays", &rows)).unwrap_err();
    assert!(!error.to_string().is_empty(), "rows say nothing of individuals");
}
