//! `price` and `release`.

use crate::{
    arguments::{Format, PriceArguments, QuestionArguments, ReleaseArguments},
    commands::{
        of_ledger,
        question::{Asked, Form, asked},
        rest::{payer, payer_of_price},
    },
    failure::Failure,
    output::{print, table},
    schema::Schema,
    targets::Targets,
};
use indistinct::{core::ErrorKind, queries::Limit};
use indistinct_engine::{Native, Progress};
use indistinct_report::{question_page, release_page};
use indistinct_sessions::{
    About, Certificate, Error as SessionError, PricedQuery, Program, Question, Session, Tabular, Tabulated, Unit,
    limit_in_words, limits_of,
};
use serde_json::json;
use std::{
    fs,
    io::{self, BufRead, IsTerminal, Write},
    path::Path,
};

pub(crate) fn price(arguments: &PriceArguments, format: Format) -> Result<(), Failure> {
    let question = &arguments.question;
    let schema = Schema::read(&question.schema)?;
    let asked = asked(question, &schema)?;
    let session = session(question, &schema, &asked, None, "")?;
    match &asked.question {
        Form::Query(question) => show(&session, &asked, question, arguments, format),
        Form::UnknownKeys(question) => show(&session, &asked, question, arguments, format),
        Form::Plan(question) => show(&session, &asked, question, arguments, format),
    }
}

pub(crate) fn release(arguments: &ReleaseArguments, format: Format) -> Result<(), Failure> {
    let schema = Schema::read(&arguments.question.schema)?;
    let asked = asked(&arguments.question, &schema)?;
    let file = schema.file(&asked.table, arguments.data.as_deref())?;
    // Beside a pipe such as /dev/stdin there is no place for files.
    let beside = file.parent().filter(|_| file.is_file());
    let temp_dir = arguments.temp_dir.as_deref().or(beside).filter(|folder| !folder.as_os_str().is_empty());
    let temp_dir = temp_dir.unwrap_or(Path::new("."));
    fs::read_dir(temp_dir).map_err(|error| Failure::file(temp_dir, &error))?;
    let engine = Native::new().memory(arguments.memory << 20).directory(temp_dir).progress(Progress::Working);
    let session = session(&arguments.question, &schema, &asked, Some((&file, engine)), &arguments.purpose)?;
    let targets = targets(arguments, &schema, &file)?;
    match &asked.question {
        Form::Query(question) => pay(session, &asked, question, arguments, targets, format),
        Form::UnknownKeys(question) => pay(session, &asked, question, arguments, targets, format),
        Form::Plan(question) => pay(session, &asked, question, arguments, targets, format),
    }
}

/// How much of each individual counts, by the plan.
fn limits<Q: Question>(question: &Q) -> Result<Vec<Limit>, Failure> {
    Ok(limits_of(&question.measurement().to_json()?).unwrap_or_default())
}

/// Say how much of each individual counts where nobody said how much.
fn note_limits(arguments: &QuestionArguments, limits: &[Limit]) {
    for limit in limits {
        let option = match (limit, arguments.max_rows_per_individual, arguments.max_groups_per_individual) {
            _ if arguments.plan.is_some() => None,
            (Limit::Groups(_), _, None) => Some("; --max-groups-per-individual says in how many"),
            (Limit::Rows(_) | Limit::RowsInGroups { .. }, None, _) => Some("; --max-rows-per-individual says how many"),
            _ => None,
        };
        if let Some(option) = option {
            eprintln!("note: {}{option}", limit_in_words(*limit));
        }
    }
}

/// Print a note if the ledger has counted releases of other tables alone: perhaps another ledger is meant.
fn note_new_table(session: &Session, table: &str, ledger: &Path) -> Result<(), Failure> {
    let counted = session.counted_tables()?;
    if !counted.is_empty() && !counted.iter().any(|counted| counted == table) {
        let counted = counted.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let ledger = ledger.display();
        eprintln!(
            "note: table {table:?} is new in the ledger {ledger}, which has releases of {counted}: all losses add up"
        );
    }
    Ok(())
}

/// The summary before anything is paid, with the contribution limits.
fn summary<Q: Question>(priced: &PricedQuery<Q>) -> Result<String, Failure> {
    let limits = limits(priced.question())?.into_iter().map(|limit| format!("\n{}", limit_in_words(limit)));
    Ok(priced.summary()? + &limits.collect::<String>())
}

/// The files to write: none of those that are read.
fn targets(arguments: &ReleaseArguments, schema: &Schema, data: &Path) -> Result<Targets, Failure> {
    let ReleaseArguments { question, certificate, results, html, force, .. } = arguments;
    let options =
        [("--certificate", certificate.as_deref()), ("--results", results.as_deref()), ("--html", html.as_deref())];
    let (files, ledger) = (schema.files(), of_ledger(question.ledger()));
    let mut inputs = vec![("the data", data), ("the schema", question.schema.as_path())];
    inputs.extend(question.plan.as_deref().map(|plan| ("the plan", plan)));
    inputs.extend(files.iter().map(|file| ("a table of the schema", file.as_path())));
    inputs.extend(ledger.iter().map(|file| ("the ledger", file.as_path())));
    Targets::new(&options, &inputs, *force)
}

/// A session whose table is declared by the schema, and is in a file if there is to be a release.
fn session(
    arguments: &QuestionArguments,
    schema: &Schema,
    asked: &Asked,
    file: Option<(&Path, Native)>,
    purpose: &str,
) -> Result<Session, Failure> {
    let unit: Unit = schema.unit()?;
    // What is not released needs no account.
    let payer = if file.is_some() { Some(payer(arguments)?) } else { payer_of_price(arguments)? };
    let program = Program::new("indistinct", env!("CARGO_PKG_VERSION"), None);
    let about = About { body: schema.body.clone(), purpose: purpose.into() };
    let session = match payer {
        Some((ledger, account)) => Session::new(ledger, &account, unit)?,
        None => Session::without_ledger(unit)?,
    };
    let session = session.with_program(program).with_about(about)?;
    let table = schema.table(&asked.table)?;
    let files = match file {
        Some((path, engine)) => table.files(Some(path))?.engine(engine),
        None => table.files(None)?,
    };
    Ok(session.with_files(&asked.table, files)?)
}

fn priced<Q: Question>(session: &Session, asked: &Asked, question: &Q, alpha: f64) -> Result<PricedQuery<Q>, Failure> {
    let priced = session.price(&asked.table, question).map_err(|error| match (&error, &asked.question) {
        (SessionError::Measurement(mismatch), Form::Query(_) | Form::UnknownKeys(_))
            if mismatch.kind() == ErrorKind::Mismatch =>
        {
            in_account(session, asked).unwrap_or_else(|| error.into())
        }
        _ => error.into(),
    })?;
    let priced = match &asked.spend {
        Some(spend) => priced.spending(spend)?,
        None => priced,
    };
    Ok(priced.with_alpha(alpha)?)
}

/// A hint that the account's measure differs from that of the budget to spend, or has no delta for unknown keys.
fn in_account(session: &Session, asked: &Asked) -> Option<Failure> {
    let names = session.budget().ok()?.total.measure().name();
    if matches!(asked.question, Form::UnknownKeys(_)) {
        let (account, names) = (session.account().ok()?, names.replace('+', " and "));
        let rule = "and finding unknown keys (partition selection) costs a delta, which no command adds to an account";
        let way = "list the keys, or use an account that was opened with --budget epsilon=…,delta=…";
        return Some(Failure::input(format!("the budget of the account {account:?} is in {names}, {rule}: {way}")));
    }
    let spend = format!("{}=…", names.replace('+', "=…,"));
    let names = names.replace('+', " and ");
    Some(Failure::input(format!(
        "the budget of the account {:?} is in {names}: use --spend {spend}",
        session.account().ok()?
    )))
}

fn show<Q: Question>(
    session: &Session,
    asked: &Asked,
    question: &Q,
    arguments: &PriceArguments,
    format: Format,
) -> Result<(), Failure> {
    let limits = limits(question)?;
    note_limits(&arguments.question, &limits);
    let priced = &priced(session, asked, question, arguments.question.alpha)?;
    if format == Format::Text {
        let summary = summary(priced)?;
        return match arguments.steps {
            true => print(&format!("{summary}\nconstruction:\n{}", priced.explanation())),
            false => print(&format!("{summary}\n")),
        };
    }
    let accuracy: Vec<_> = priced.accuracy_in_words()?.into_iter().map(|(name, words)| json!([name, words])).collect();
    let told = json!({
        "cost": priced.loss().text(),
        "cost_in_words": priced.loss().to_string(),
        "affordable": session.ledger().is_ok().then(|| priced.is_affordable()),
        "contribution_limits": limits.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "accuracy": accuracy,
        "notes": priced.question().notes(),
        "steps": priced.explanation(),
        "weakest_proof": priced.explanation().weakest_proof(),
        "weakest_map": priced.explanation().weakest_map(),
    });
    print(&format!("{told:#}\n"))
}

fn pay<Q: Question>(
    mut session: Session,
    asked: &Asked,
    question: &Q,
    arguments: &ReleaseArguments,
    mut targets: Targets,
    format: Format,
) -> Result<(), Failure> {
    let alpha = arguments.question.alpha;
    note_limits(&arguments.question, &limits(question)?);
    note_new_table(&session, &asked.table, arguments.question.ledger())?;
    let priced = priced(&session, asked, question, alpha)?;
    if let Some(paid) = session.paid(&priced, &arguments.name)? {
        let entry = paid.charge.entry.entries;
        let (was, rule) = match paid.draw {
            Some(_) => ("made", "the same numbers are shown again, free"),
            None => ("charged", "nothing was released for it yet, so this is free"),
        };
        eprintln!("note: the release {:?} was {was} before (entry {entry} of the ledger): {rule}", arguments.name);
    } else if !arguments.yes {
        confirm(&summary(&priced)?)?;
    }
    let release = session.release(priced, &arguments.name)?;
    let answer = release.answer.tabulated().with_limits_of(&release.certificate.plan);
    let answer = asked.viewed(answer)?;
    let certificate = release.certificate.to_json()?;
    // Whatever cannot be written, the rest is.
    let printed = table(&answer, format);
    let written = [
        targets.write("--certificate", || Ok(certificate)),
        targets.write("--results", || Ok(release.released)),
        targets.write("--html", || Ok(page(arguments.question.sql.as_deref(), &answer, alpha, &release.certificate))),
    ];
    printed.and(written.into_iter().collect()).map_err(|failure| {
        let name = &arguments.name;
        failure.with(&format!("the release is stored under its name, {name:?}: asking for it again is free"))
    })
}

/// The page of a release, with the question, if it was in SQL.
pub(crate) fn page(sql: Option<&str>, table: &Tabulated, alpha: f64, certificate: &Certificate) -> String {
    match sql {
        Some(sql) => question_page(sql, table, alpha, certificate),
        None => release_page(table, alpha, certificate),
    }
}

/// Show the price, and ask whether to pay it.
fn confirm(price: &str) -> Result<(), Failure> {
    eprintln!("{price}");
    if !io::stdin().is_terminal() {
        return Err(Failure::new(8, "nothing was spent: use --yes where no one can confirm"));
    }
    eprint!("pay this? [y/N] ");
    let _ = io::stderr().flush();
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    match read.is_ok() && answer.trim().eq_ignore_ascii_case("y") {
        true => Ok(()),
        false => Err(Failure::new(8, "nothing was spent")),
    }
}
