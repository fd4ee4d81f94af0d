//! Prices without a ledger, and what may still be refused after a price or after a charge.

use crate::{individuals, place, rows, session, stays};
use indistinct::{core::ErrorKind, frames::*, queries::*, sampling::testing::SeededEntropy};
use indistinct_ledger::Loss;
use indistinct_sessions::{Error, Question, Session, Unit};
use std::io;

fn without_ledger(unit: Unit) -> Session {
    Session::without_ledger(unit).unwrap().with_table("stays", stays(), rows(3)).unwrap()
}

/// Each in the measure that it is in, and the same as in an account of that measure.
#[test]
fn a_price_needs_no_ledger() {
    let budgets = [
        (Budget::Epsilon(0.25), Loss::epsilon(1.0), "epsilon 0.25"),
        (Budget::Rho(0.125), Loss::rho(1.0), "rho 0.125"),
        (Budget::EpsilonDelta(0.5, 1e-7), Loss::epsilon_delta(1.0, 1e-6), "epsilon 0.5 and delta 1e-7"),
    ];
    for (spend, total, words) in budgets {
        let (_folder, path) = place();
        let (with, without) = (session(&path, &total.unwrap(), 3), without_ledger(Unit::Individuals(1)));
        let (of_ledger, question) = (individuals(&with, spend), individuals(&without, spend));
        let (dear, priced) = (with.price("stays", &of_ledger).unwrap(), without.price("stays", &question).unwrap());
        assert_eq!(priced.loss(), dear.loss());
        assert!(priced.loss().numbers()[0] <= Loss::epsilon(0.5).unwrap().numbers()[0], "{}", priced.loss());
        assert_eq!(priced.accuracy_in_words().unwrap(), dear.accuracy_in_words().unwrap());
        let (told, of_account) = (priced.summary().unwrap(), dear.summary().unwrap());
        assert!(
            told.contains("\naccount: none, because no ledger was named\n") && !of_account.contains("none"),
            "{told}"
        );
        assert!(told.contains(words.split(' ').next().unwrap()), "{told}");
        assert!(dear.is_affordable() && !priced.is_affordable());
    }
}

#[test]
fn without_a_ledger_nothing_is_released() {
    let mut session = without_ledger(Unit::Individuals(1));
    let count = individuals(&session, Budget::Epsilon(0.5));
    let rule = "the session has no ledger, so it can only price questions: use a session with a ledger to release one";
    let priced = session.price("stays", &count).unwrap();
    assert_eq!(session.paid(&priced, "key").unwrap_err().to_string(), rule);
    assert_eq!(session.release(priced, "key").unwrap_err().to_string(), rule);
    assert_eq!(session.budget().unwrap_err().to_string(), rule);
    assert_eq!(session.weakest_proof().unwrap_err().to_string(), rule);
    assert!(session.ledger().is_err() && session.account().is_err());
    assert!(Session::without_ledger(Unit::Rows(0)).is_err());
    // Its price is of no use in a session that has one.
    let (_folder, path) = place();
    let mut paying = crate::session(&path, &Loss::epsilon(1.0).unwrap(), 3);
    let priced = session.price("stays", &count).unwrap();
    assert!(paying.release(priced, "key").unwrap_err().to_string().contains("was priced by another session"));
    assert_eq!(paying.budget().unwrap().spent, Loss::epsilon(0.0).unwrap());
}

/// What a session with a ledger refuses to price, one without refuses in the same words.
#[test]
fn a_price_without_a_ledger_refuses_what_a_release_refuses() {
    let (_folder, path) = place();
    let (with, without) = (session(&path, &Loss::epsilon(1.0).unwrap(), 3), without_ledger(Unit::Individuals(1)));
    let other = FrameDomain::new([("patient", ColumnDomain::text()), ("x", ColumnDomain::float())]).unwrap();
    let rows_alone = Query::new(&other).count().measurement(Budget::Epsilon(0.5)).unwrap();
    let whose = Query::new(&other.with_individuals("patient").unwrap()).max_rows_per_individual(1).count();
    for question in [rows_alone, whose.measurement(Budget::Epsilon(0.5)).unwrap()] {
        let refused = |session: &Session| session.price("stays", &question).unwrap_err().to_string();
        assert_eq!(refused(&with), refused(&without));
    }
    let nobody = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
    let refused = |session: Session| session.with_table("t", nobody.clone(), rows(1)).unwrap_err().to_string();
    assert_eq!(refused(with), refused(without));
}

/// One charge is worth one statement about whether rows are of the table's domain, whatever is asked under its key.
#[test]
fn an_error_after_the_charge_does_not_depend_on_the_question() {
    let (_folder, path) = place();
    let columns =
        [("patient", ColumnDomain::integer()), ("a", ColumnDomain::integer()), ("b", ColumnDomain::integer())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap();
    // The column "b" holds texts, and "a" is as it is declared.
    let data = Frame::new([
        ("patient", (0..10i64).collect::<Column>()),
        ("a", (0..10i64).collect()),
        ("b", (0..10).map(|_| "one").collect()),
    ]);
    let ledger = indistinct_ledger::Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let session = Session::new(ledger, "survey", Unit::Individuals(1)).unwrap();
    let mut session = session.with_table("t", domain, data.unwrap()).unwrap();
    let mut told = Vec::new();
    for columns in [&["patient", "a"][..], &["patient", "b"], &["patient", "a", "b"], &["patient"]] {
        let kept = session.query("t").unwrap().domain().clone();
        let kept = columns.iter().map(|name| (*name, kept.column(name).unwrap().clone()));
        let kept = FrameDomain::new(kept).unwrap().with_individuals("patient").unwrap();
        let count = Query::new(&kept).count_individuals().measurement(Budget::Epsilon(0.5)).unwrap();
        let error = session.release(session.price("t", &count).unwrap(), "key").unwrap_err();
        assert!(matches!(&error, Error::Measurement(error) if error.kind() == ErrorKind::Domain), "{error}");
        told.push(error.to_string());
        assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.5).unwrap());
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
}

/// Rows that fail say the same of themselves for every question, too.
#[test]
fn a_source_that_fails_fails_for_all_questions() {
    let (_folder, path) = place();
    let ledger = indistinct_ledger::Ledger::create(&path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let failing = || Err::<Frame, _>(io::Error::other("the file is gone"));
    let session = Session::new(ledger, "survey", Unit::Individuals(1)).unwrap();
    let mut session = session.with_table("stays", stays(), failing).unwrap();
    let count = individuals(&session, Budget::Epsilon(0.5));
    let sum = session.query("stays").unwrap().max_rows_per_individual(1).sum(col("days"), (0.0, 1.0));
    let sum = sum.measurement(Budget::Epsilon(0.5)).unwrap();
    let first = session.release(session.price("stays", &count).unwrap(), "key").unwrap_err().to_string();
    let second = session.release(session.price("stays", &sum).unwrap(), "key").unwrap_err().to_string();
    assert_eq!(first, second);
    assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.5).unwrap());
}

/// An `alpha` whose half is 0 has no interval, which must be told before anything is paid.
#[test]
fn an_alpha_without_a_half_is_refused_with_the_price() {
    let session = without_ledger(Unit::Individuals(1));
    let days = || session.query("stays").unwrap().max_rows_per_individual(1);
    let mean = days().mean(col("days"), (0.0, 30.0)).measurement(Budget::Epsilon(1.0)).unwrap();
    let median = days().quantiles(col("days"), vec![0.0, 1.0, 30.0], &[0.5]);
    let median = median.measurement(Budget::Epsilon(1.0)).unwrap();
    for question in [mean, median] {
        let error = session.price("stays", &question).unwrap().with_alpha(5e-324).unwrap_err().to_string();
        assert!(error.contains("alpha: is too small: an equal share of it for each number rounds to 0"), "{error}");
        assert!(session.price("stays", &question).unwrap().with_alpha(1e-300).is_ok());
    }
    let unknown_keys = session.query("stays").unwrap().count_unknown_keys(["region"], (1.0, 1e-6)).unwrap();
    assert!(session.price("stays", &unknown_keys).unwrap().with_alpha(5e-324).is_err());
    // A count alone has no share.
    let count = individuals(&session, Budget::Epsilon(1.0));
    assert!(session.price("stays", &count).unwrap().with_alpha(5e-324).is_ok());
}

/// Whatever is priced is answered: at the ends of budgets, bounds and alphas, no answer is refused after the charge.
#[test]
fn whatever_is_priced_is_answered() {
    let session = without_ledger(Unit::Individuals(1));
    let days = || session.query("stays").unwrap().max_rows_per_individual(1);
    let budgets = [1e-308, 1e-150, 1e-9, 1.0, 1e6, 1e300].map(Budget::Epsilon);
    let budgets = budgets.into_iter().chain([1e-308, 1.0, 1e300].map(Budget::Rho));
    let bounds = [(0.0, 5e-324), (-1e-160, 1e-160), (0.0, 30.0), (-1e150, 1e150), (0.0, 1e300), (-f64::MAX, f64::MAX)];
    let alphas = [5e-324, 1e-323, 1e-300, 0.05, 1.0 - f64::EPSILON / 2.0];
    let (mut priced, mut refused) = (0, 0);
    for budget in budgets {
        // The ends of Gaussian noise take long to find.
        let alphas = if matches!(budget, Budget::Rho(_)) { &[0.05][..] } else { &alphas };
        for bounds in bounds {
            let queries = [
                days().count().sum(col("days"), bounds),
                days().mean(col("days"), bounds),
                days().variance(col("days"), bounds),
                days().standard_deviation(col("days"), bounds),
                days().covariance((col("days"), bounds), (col("days"), (0.0, 1.0))),
                days().quantiles(col("days"), vec![bounds.0, bounds.0 / 2.0 + bounds.1 / 2.0, bounds.1], &[0.0, 0.5]),
            ];
            for query in queries {
                let Ok(question) = query.measurement(budget) else {
                    refused += 1;
                    continue;
                };
                for &alpha in alphas {
                    let asked = session.price("stays", &question).and_then(|priced| priced.with_alpha(alpha));
                    let Ok(asked) = asked else {
                        refused += 1;
                        continue;
                    };
                    let measurement = Question::measurement(asked.question());
                    let released = measurement.invoke_with(&rows(3), &mut SeededEntropy::new(7));
                    let released = released.unwrap_or_else(|error| panic!("{budget} {bounds:?}: {error}"));
                    let answer = Question::answer(asked.question(), &released, alpha);
                    assert!(answer.is_ok(), "{budget} {bounds:?} {alpha}: {}", answer.unwrap_err());
                    priced += 1;
                }
            }
        }
    }
    assert!(priced > 500 && refused > 50, "{priced} {refused}");
}
