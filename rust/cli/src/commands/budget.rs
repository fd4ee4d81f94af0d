//! `budget`.

use crate::{
    arguments::{BudgetCommand, Format},
    commands::loss,
    failure::Failure,
    output::Rows,
    schema::Schema,
};
use indistinct::frames::{Cell, Frame, Kind};
use indistinct_ledger::{Ledger, Loss, Measure};
use indistinct_sessions::Session;
use std::{io, path::Path};

pub(crate) fn run(command: &BudgetCommand, format: Format) -> Result<(), Failure> {
    match command {
        BudgetCommand::Open { name, budget, ledger } => {
            let budget = loss(budget)?;
            let opened = Ledger::create(ledger, name, &budget).map_err(|error| at(ledger, error))?;
            warn(&budget);
            show(&opened, format)
        }
        BudgetCommand::AddAccount { name, parent, budget, ledger } => {
            let mut opened = open(ledger)?;
            opened.add_account(name, parent, &loss(budget)?)?;
            show(&opened, format)
        }
        BudgetCommand::Partition { parts, table, column, account, budget, schema, ledger } => {
            let schema = Schema::read(schema)?;
            let domain = schema.table(table)?.domain()?;
            let kind = domain.column(column)?.kind();
            let parts = parts.iter().map(|part| read_part(part, kind)).collect::<Result<Vec<_>, Failure>>()?;
            let session = Session::new(open(ledger)?, account, schema.unit()?)?;
            let mut session = session.with_table(table, domain, Frame::default())?;
            session.open_partition(table, column, parts, &loss(budget)?)?;
            show(session.ledger()?, format)
        }
        BudgetCommand::Close { name, ledger } => {
            let mut opened = open(ledger)?;
            opened.close_account(name)?;
            show(&opened, format)
        }
        BudgetCommand::Show { ledger } => show(&open(ledger)?, format),
    }
}

/// `name=value`.
fn read_part(text: &str, kind: Kind) -> Result<(String, Cell), Failure> {
    let none = || Failure::new(2, format!("{text:?} is not a part: write ACCOUNT=VALUE, with a value of type {kind}"));
    let (name, value) = text.split_once('=').ok_or_else(none)?;
    let cell = match kind {
        Kind::Integer => value.parse::<i64>().map_err(|_| none())?.into(),
        Kind::Bool => value.parse::<bool>().map_err(|_| none())?.into(),
        _ => value.into(),
    };
    Ok((name.into(), cell))
}

pub(crate) fn open(path: &Path) -> Result<Ledger, Failure> {
    Ledger::open(path).map_err(|error| at(path, error))
}

/// The largest epsilon of a budget that is opened without a word.
const MUCH: f64 = 10.0;

/// Say of a budget that guarantees little that it does.
fn warn(budget: &Loss) {
    let is_epsilon = matches!(budget.measure(), Measure::Epsilon | Measure::EpsilonDelta);
    if is_epsilon && budget.numbers().first().is_some_and(|epsilon| epsilon.to_f64_up() > MUCH) {
        eprintln!(
            "note: an epsilon above {MUCH} guarantees little: once all of it is spent, results may be more than 22000 \
             times as likely with somebody's data as without"
        );
    }
}

pub(crate) fn at(path: &Path, error: indistinct_ledger::Error) -> Failure {
    match error {
        indistinct_ledger::Error::System(error) if error.kind() == io::ErrorKind::NotFound => {
            let rule = "there is no ledger; open one: indistinct budget open NAME --budget epsilon=1";
            Failure::new(7, format!("{}: {rule}", path.display()))
        }
        indistinct_ledger::Error::System(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let rule = "exists already and was not changed; `indistinct budget show` prints a ledger's accounts";
            Failure::new(7, format!("{}: {rule}", path.display()))
        }
        indistinct_ledger::Error::System(error) => Failure::file(path, &error),
        other => other.into(),
    }
}

fn show(ledger: &Ledger, format: Format) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for account in ledger.accounts()? {
        let budget = ledger.budget(&account)?;
        let numbers = [&budget.total, &budget.spent, &budget.remaining].map(ToString::to_string);
        let state = match (budget.is_closed, budget.prepaid) {
            (true, _) => "closed".into(),
            (false, Some(prepaid)) => format!("prepaid: {prepaid}"),
            (false, None) => String::new(),
        };
        rows.push([vec![account, budget.parent.unwrap_or_default()], numbers.to_vec(), vec![state]].concat());
    }
    Rows::of_words(&["account", "part of", "budget", "spent", "remaining", "state"], rows).print(format)
}
