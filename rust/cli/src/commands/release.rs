//! `price` and `release`.

use crate::{
    arguments::{Format, PriceArguments, QuestionArguments, ReleaseArguments},
    commands::{budget::open, of_ledger, plan, spend},
    failure::Failure,
    output::{Answer, print},
    schema::Schema,
    targets::Targets,
};
use indistinct::{
    core::{ErrorKind, Released},
    frames::{Frame, FrameDomain},
    measures::{Approximate, MaxDivergence, RenyiDivergence, ZeroConcentratedDivergence},
    plans::FrameMeasurement,
    queries::{Budget, Query, QueryMeasurement, UnlistedMeasurement},
};
use indistinct_engine::{Native, Progress};
use indistinct_ledger::{Amount, Budget as Budgeted, Ledger, Measure};
use indistinct_report::{question_page, release_page, rows_in_words, rows_of_each};
use indistinct_sessions::{Certificate, Error as SessionError, Priced, Program, Question, Session, Unit};
use indistinct_sql::question;
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, BufRead, IsTerminal, Write},
    path::Path,
};

/// What is asked, of which table.
struct Asked {
    table: String,
    domain: FrameDomain,
    question: Form,
}

enum Form {
    Query(QueryMeasurement),
    Unlisted(UnlistedMeasurement),
    Plan(FrameMeasurement),
}

pub(crate) fn price(arguments: &PriceArguments, format: Format) -> Result<(), Failure> {
    let question = &arguments.question;
    let schema = Schema::read(&question.schema)?;
    let asked = asked(question, &schema)?;
    schema.table(&asked.table)?.reader(schema.unit()?)?;
    let session = session(question, &schema, &asked, None)?;
    note_rows(question, &asked);
    match &asked.question {
        Form::Query(question) => show(&session, &asked, question, arguments, format),
        Form::Unlisted(question) => show(&session, &asked, question, arguments, format),
        Form::Plan(question) => show(&session, &asked, question, arguments, format),
    }
}

pub(crate) fn release(arguments: &ReleaseArguments, format: Format) -> Result<(), Failure> {
    let schema = Schema::read(&arguments.question.schema)?;
    let asked = asked(&arguments.question, &schema)?;
    let file = schema.file(&asked.table, arguments.data.as_deref())?;
    // A file that is not there costs nothing; what is in it is read once it is paid for.
    fs::File::open(&file).map_err(|error| Failure::file(&file, &error))?;
    let spill = arguments.spill.as_deref().or(file.parent()).filter(|folder| !folder.as_os_str().is_empty());
    let spill = spill.unwrap_or(Path::new("."));
    fs::read_dir(spill).map_err(|error| Failure::file(spill, &error))?;
    let engine = Native::new().memory(arguments.memory << 20).directory(spill).progress(Progress::Working);
    let session = session(&arguments.question, &schema, &asked, Some((&file, engine)))?;
    let targets = targets(arguments, &schema, &file)?;
    note_rows(&arguments.question, &asked);
    match &asked.question {
        Form::Query(question) => pay(session, &asked, question, arguments, targets, format),
        Form::Unlisted(question) => pay(session, &asked, question, arguments, targets, format),
        Form::Plan(question) => pay(session, &asked, question, arguments, targets, format),
    }
}

/// Say that one row of each individual counts, where nobody said how many and rows are counted or added up.
fn note_rows(arguments: &QuestionArguments, asked: &Asked) {
    let sql: String = arguments.sql.iter().flat_map(|sql| sql.chars()).filter(|it| !it.is_whitespace()).collect();
    let sql = sql.to_uppercase().replace("COUNT(DISTINCT", "");
    let is_of_rows = ["COUNT(", "SUM(", "AVG("].iter().any(|name| sql.contains(name));
    if is_of_rows && arguments.rows_per_individual.is_none() && asked.domain.individuals().is_some() {
        eprintln!("note: {}; --rows-per-individual says how many", rows_in_words(1));
    }
}

/// What is shown before anything is paid: with how many rows of each individual count.
fn summary<Q: Question>(priced: &Priced<Q>) -> Result<String, Failure> {
    let rows = rows_of_each(&priced.question().measurement().to_json()?);
    let rows = rows.map(|rows| format!("\n{}", rows_in_words(rows))).unwrap_or_default();
    Ok(priced.summary()? + &rows)
}

/// The files to write: none of those that are read.
fn targets(arguments: &ReleaseArguments, schema: &Schema, data: &Path) -> Result<Targets, Failure> {
    let ReleaseArguments { question, certificate, released, html, force, .. } = arguments;
    let options =
        [("--certificate", certificate.as_deref()), ("--released", released.as_deref()), ("--html", html.as_deref())];
    let (files, ledger) = (schema.files(), of_ledger(&question.ledger));
    let mut inputs = vec![("the data", data), ("the schema", question.schema.as_path())];
    inputs.extend(question.plan.as_deref().map(|plan| ("the plan", plan)));
    inputs.extend(files.iter().map(|file| ("a table of the schema", file.as_path())));
    inputs.extend(ledger.iter().map(|file| ("the ledger", file.as_path())));
    Targets::new(&options, &inputs, *force)
}

fn asked(arguments: &QuestionArguments, schema: &Schema) -> Result<Asked, Failure> {
    let unit = schema.unit()?;
    if let Some(path) = &arguments.plan {
        let measurement = plan(path)?;
        let only = (schema.tables.len() == 1).then(|| schema.tables.keys().next().cloned()).flatten();
        let none = || Failure::new(2, "there are several tables: name one by --table");
        let table = arguments.table.clone().or(only).ok_or_else(none)?;
        let domain = measurement.input_space().0;
        let of_schema = schema.table(&table)?.domain()?;
        fits(&domain, &of_schema).map_err(|rule| Failure::input(format!("the plan: {rule}, by the schema")))?;
        return Ok(Asked { table, domain, question: Form::Plan(measurement) });
    }
    let (sql, spend_text) =
        (arguments.sql.as_deref().unwrap_or_default(), arguments.spend.as_deref().unwrap_or_default());
    let budget = if spend_text == "rest" { rest(arguments)? } else { spend(spend_text)? };
    let domains = schema.tables.iter().map(|(name, table)| {
        let domain = table.domain().map_err(|error| Failure::input(format!("table {name:?}: {error}")))?;
        Ok((name.as_str(), domain))
    });
    let domains = domains.collect::<Result<Vec<_>, Failure>>()?;
    let domain = |name: &str| domains.iter().find(|(known, _)| *known == name).map(|(_, domain)| domain);
    let public = schema.public_tables(sql)?;
    let query = |name: &str| domain(name).map(|domain| unit.query(domain));
    let asked = question(sql, query, |name| public.get(name).cloned());
    let asked = asked.map_err(|error| match (usize::try_from(error.line), usize::try_from(error.column)) {
        (Ok(line), Ok(column)) if line > 0 => Failure::in_text(error.to_string(), "the question", sql, (line, column)),
        _ => Failure::input(error.to_string()),
    })?;
    let query = match arguments.rows_per_individual {
        Some(rows) => asked.query.rows_per_individual(rows),
        None => asked.query,
    };
    let domain = query.domain().clone();
    let question = match asked.unlisted {
        None => Form::Query(query.measurement(budget)?),
        Some(columns) => Form::Unlisted(unlisted(&query, columns, budget)?),
    };
    Ok(Asked { table: asked.table, domain, question })
}

/// A plan is about some of the schema's columns as the schema has them, and about its individuals: it chooses nothing
/// of what the rows are.
fn fits(plan: &FrameDomain, schema: &FrameDomain) -> Result<(), String> {
    for (name, column) in plan.names().iter().zip(plan.columns()) {
        match schema.column(name) {
            Ok(found) if found == column => {}
            Ok(found) => return Err(format!("column {name:?} must be {found:?}")),
            Err(_) => return Err(format!("there is no column {name:?}")),
        }
    }
    if plan.individuals() != schema.individuals() || plan.has_individuals_or_rows() != schema.has_individuals_or_rows()
    {
        return Err(format!("individuals must be those of {:?}", schema.individuals().unwrap_or("no column")));
    }
    match plan.size() {
        None => Ok(()),
        Some(_) => Err("the number of rows is not public".into()),
    }
}

fn unlisted(query: &Query, columns: Vec<String>, budget: Budget) -> Result<UnlistedMeasurement, Failure> {
    match budget {
        Budget::EpsilonDelta(epsilon, delta) => Ok(query.count_unlisted(columns, (epsilon, delta))?),
        _ => {
            let rule = "nothing lists its keys, and to find them costs a delta";
            Err(Failure::input(format!("{}: {rule}: --spend epsilon=…,delta=…, or list them", columns.join(", "))))
        }
    }
}

/// The ledger, and the account of it that pays.
fn payer(arguments: &QuestionArguments) -> Result<(Ledger, String), Failure> {
    let ledger = open(&arguments.ledger)?;
    let accounts = ledger.accounts()?;
    let account = match (&arguments.account, accounts.as_slice()) {
        (Some(account), _) => account.clone(),
        (None, [only]) => only.clone(),
        (None, _) => {
            return Err(Failure::new(2, format!("name the account that pays by --account: {}", accounts.join(", "))));
        }
    };
    Ok((ledger, account))
}

/// What is less than this share of a budget is taken for the work of roundings.
const ROUNDING: f64 = 1e-9;

/// All that is left of the account that pays, and of those above it that pay, too, in floats that are not above it.
fn rest(arguments: &QuestionArguments) -> Result<Budget, Failure> {
    let (ledger, account) = payer(arguments)?;
    let Budgeted { total, left, parent, prepaid, .. } = ledger.budget(&account)?;
    let (measure, mut left) = (left.measure(), left.numbers().to_vec());
    let mut above = parent.filter(|_| prepaid.is_none());
    while let Some(name) = above {
        let budget = ledger.budget(&name)?;
        for (least, other) in left.iter_mut().zip(budget.left.numbers()) {
            *least = other.min(least).clone();
        }
        above = budget.parent.filter(|_| budget.prepaid.is_none());
    }
    let numbers: Vec<f64> = left.iter().map(rounded_down).collect();
    let all = total.numbers().first().map_or(0.0, Amount::to_f64);
    let (budget, said) = match (measure, numbers.as_slice()) {
        // What roundings have left is no budget.
        (_, [first, ..]) if *first <= all * ROUNDING => {
            let rule = "a release that was made with `--spend rest` is asked for with the number that it said then";
            return Err(Failure::new(4, format!("nothing is left of the account {account:?}; {rule}")));
        }
        (Measure::Epsilon, [epsilon]) => (Budget::Epsilon(*epsilon), format!("epsilon={epsilon}")),
        (Measure::EpsilonDelta, [epsilon, delta]) if *delta > 0.0 => {
            (Budget::EpsilonDelta(*epsilon, *delta), format!("epsilon={epsilon},delta={delta}"))
        }
        (Measure::EpsilonDelta, [epsilon, _]) => (Budget::Epsilon(*epsilon), format!("epsilon={epsilon}")),
        (Measure::Rho, [rho]) => (Budget::Rho(*rho), format!("rho={rho}")),
        _ => return Err(Failure::new(2, format!("--spend rest: not of an account in {}", measure.name()))),
    };
    eprintln!("note: the rest is --spend {said}");
    Ok(budget)
}

/// A float that is not above an exact amount: the nearest one or one next to it, or the one before that.
fn rounded_down(amount: &Amount) -> f64 {
    let near = amount.to_f64();
    let is_below = |float: &f64| Amount::new(*float).is_ok_and(|float| float <= *amount);
    [near, near.next_down(), near.next_down().next_down()].into_iter().find(is_below).unwrap_or(0.0)
}

/// Say how to spend all that is left, where a price is more than that by less than a billionth of it.
fn note_rest<Q: Question>(session: &Session, priced: &Priced<Q>) -> Result<(), Failure> {
    let left = session.budget()?.left;
    let pairs: Vec<_> = priced.loss().numbers().iter().zip(left.numbers()).collect();
    let is_near = |(cost, left): &(&Amount, &Amount)| cost.to_f64() - left.to_f64() <= left.to_f64() * ROUNDING;
    let is_more = pairs.iter().any(|(cost, left)| cost > left);
    if is_more && pairs.iter().all(is_near) && left.measure() == priced.loss().measure() {
        eprintln!("note: the cost is more than what is left by less than a billionth of it; say --spend rest");
    }
    Ok(())
}

/// A session whose table is in a file, if there is to be a release.
fn session(
    arguments: &QuestionArguments,
    schema: &Schema,
    asked: &Asked,
    file: Option<(&Path, Native)>,
) -> Result<Session, Failure> {
    let unit: Unit = schema.unit()?;
    let (ledger, account) = payer(arguments)?;
    let domain = asked.domain.clone();
    let program = Program::new("indistinct", env!("CARGO_PKG_VERSION"), None);
    let session = Session::new(ledger, &account, unit)?.with_program(program);
    Ok(match file {
        Some((path, engine)) => {
            let files = schema.table(&asked.table)?.files(domain, unit, path)?;
            session.with_files(&asked.table, files.engine(engine))?
        }
        None => session.with_table(&asked.table, domain, Frame::default())?,
    })
}

fn priced<Q: Question>(session: &Session, asked: &Asked, question: &Q, alpha: f64) -> Result<Priced<Q>, Failure> {
    let priced = session.price(&asked.table, question).map_err(|error| match (&error, &asked.question) {
        (SessionError::Measurement(mismatch), Form::Query(_) | Form::Unlisted(_))
            if mismatch.kind() == ErrorKind::Mismatch =>
        {
            in_account(session).unwrap_or_else(|| error.into())
        }
        _ => error.into(),
    })?;
    Ok(priced.with_alpha(alpha)?)
}

/// That the account is in other terms than what is to be spent.
fn in_account(session: &Session) -> Option<Failure> {
    let names = session.budget().ok()?.total.measure().name();
    let spend = format!("{}=…", names.replace('+', "=…,"));
    let names = names.replace('+', " and ");
    Some(Failure::input(format!(
        "the budget of the account {:?} is in {names}: say --spend {spend}",
        session.account()
    )))
}

fn show<Q: Question>(
    session: &Session,
    asked: &Asked,
    question: &Q,
    arguments: &PriceArguments,
    format: Format,
) -> Result<(), Failure> {
    let priced = &priced(session, asked, question, arguments.question.alpha)?;
    note_rest(session, priced)?;
    if format == Format::Text {
        let summary = summary(priced)?;
        return match arguments.steps {
            true => print(&format!("{summary}\nconstruction:\n{}", priced.explanation())),
            false => print(&format!("{summary}\n")),
        };
    }
    let accuracy = priced.accuracy()?.into_iter();
    let accuracy: Vec<_> = accuracy.map(|(name, accuracy)| json!([name, accuracy.to_string()])).collect();
    let told = json!({
        "cost": priced.loss().text(),
        "cost_in_words": priced.loss().to_string(),
        "affordable": priced.is_affordable(),
        "rows_per_individual": rows_of_each(&priced.question().measurement().to_json()?),
        "accuracy": accuracy,
        "steps": priced.explanation(),
        "weakest_proof": priced.explanation().weakest_proof().to_string(),
    });
    print(&format!("{told:#}\n"))
}

fn pay<Q: Question<Answer: Answer>>(
    mut session: Session,
    asked: &Asked,
    question: &Q,
    arguments: &ReleaseArguments,
    mut targets: Targets,
    format: Format,
) -> Result<(), Failure> {
    let alpha = arguments.question.alpha;
    let priced = priced(&session, asked, question, alpha)?;
    // Without `--yes` it is shown with the price, and where nobody said how many it has been noted.
    if arguments.yes && (arguments.question.rows_per_individual.is_some() || arguments.question.plan.is_some()) {
        let rows = rows_of_each(&question.measurement().to_json()?);
        rows.into_iter().for_each(|rows| eprintln!("note: {}", rows_in_words(rows)));
    }
    if let Some(entry) = known(&session, asked, &priced, &arguments.key)? {
        if !arguments.yes {
            eprintln!("note: the release {:?} is known since entry {entry}: free", arguments.key);
        }
    } else {
        note_rest(&session, &priced)?;
        if !arguments.yes {
            confirm(&summary(&priced)?)?;
        }
    }
    let release = session.release(priced, &arguments.key)?;
    let rows = release.answer.rows();
    let certificate = release.certificate.to_json()?;
    // Whatever cannot be written, the rest is.
    let printed = rows.print(format);
    let written = [
        targets.write("--certificate", || Ok(certificate)),
        targets.write("--released", || Ok(release.released)),
        targets
            .write("--html", || Ok(page(arguments.question.sql.as_deref(), &rows.json(), alpha, &release.certificate))),
    ];
    printed.and(written.into_iter().collect()).map_err(|failure| {
        let key = &arguments.key;
        failure.with(&format!("the release is stored under its key, {key:?}: ask for it again, which is free"))
    })
}

/// The table of what was released for a question, whose plan must be that of the certificate.
pub(crate) fn answered(
    arguments: &QuestionArguments,
    certificate: &Certificate,
    released: &Released,
    alpha: f64,
) -> Result<Value, Failure> {
    match asked(arguments, &Schema::read(&arguments.schema)?)?.question {
        Form::Query(question) => table(&question, certificate, released, alpha),
        Form::Unlisted(question) => table(&question, certificate, released, alpha),
        Form::Plan(question) => table(&question, certificate, released, alpha),
    }
}

fn table<Q: Question<Answer: Answer>>(
    question: &Q,
    certificate: &Certificate,
    released: &Released,
    alpha: f64,
) -> Result<Value, Failure> {
    // It was priced in the measure of the account.
    let expressed = [
        question.in_measure::<MaxDivergence>(),
        question.in_measure::<Approximate<MaxDivergence>>(),
        question.in_measure::<ZeroConcentratedDivergence>(),
        question.in_measure::<RenyiDivergence>(),
    ];
    let is_of_it = |question: &Q| question.measurement().to_json().is_ok_and(|plan| plan == certificate.plan);
    let question = expressed.into_iter().flatten().find(is_of_it).ok_or_else(|| {
        let rule = "the certificate: its plan is not that of the question";
        Failure::new(6, format!("{rule}: --spend, --rows-per-individual and --schema must be what they were"))
    })?;
    Ok(question.answer(released, alpha)?.rows().json())
}

/// The page of a release, with the question, if it was in SQL.
pub(crate) fn page(sql: Option<&str>, table: &Value, alpha: f64, certificate: &Certificate) -> String {
    match sql {
        Some(sql) => question_page(sql, table, alpha, certificate),
        None => release_page(table, alpha, certificate),
    }
}

/// The entry by which the account has paid for this very question under this key, if it has: nothing more is paid.
fn known<Q: Question>(session: &Session, asked: &Asked, priced: &Priced<Q>, key: &str) -> Result<Option<u64>, Failure> {
    let plan = priced.question().measurement().hash()?;
    let request = format!("plan {plan} of table {}, ", asked.table);
    let found = session.ledger().request(session.account(), key)?;
    let found = found.filter(|found| found.plan.starts_with(&request) && found.loss == *priced.loss());
    Ok(found.map(|found| found.charge.entry.entries))
}

/// Show the price, and ask whether to pay it.
fn confirm(price: &str) -> Result<(), Failure> {
    eprintln!("{price}");
    if !io::stdin().is_terminal() {
        return Err(Failure::new(8, "nothing was spent: say --yes where nobody can be asked"));
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
