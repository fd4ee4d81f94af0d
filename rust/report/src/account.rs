//! The spending of a ledger's account, release by release.

use crate::{
    curves::BOUNDS,
    guarantee::Guarantee,
    html::{document, escaped, facts, table},
    lines::{Axis, Level, Step, picture},
};
use indistinct_ledger::{Budget, Entry, Error as LedgerError, Kind, Ledger, Loss};
use std::{collections::BTreeMap, fmt::Write};

/// The spending of an account: its own releases and those of accounts below it, in order.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Spending {
    /// The account.
    pub account: String,
    /// Its budget.
    pub budget: Budget,
    /// The charges, each with the account's spending after it.
    pub charges: Vec<Spent>,
    /// The accounts below it, each with its budget.
    pub below: Vec<(String, Budget)>,
    /// The declarations about the data, by name, such as the privacy unit.
    pub declared: Vec<(String, String)>,
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// The number of its entry in the ledger.
    pub entry: u64,
    /// The account that was charged directly.
    pub account: String,
    /// The name of the release; `None` for a partition, whose accounts were paid for.
    pub name: Option<String>,
    /// The charged loss.
    pub loss: Loss,
    /// The account's spending after the charge.
    pub total: Loss,
}

/// The prefix of a session's declarations among the requests of an account; they cost nothing.
const DECLARATION: &str = "declaration: ";

impl Spending {
    /// Returns the spending of an account.
    ///
    /// # Errors
    ///
    /// Returns an error if the account is unknown, if the ledger cannot be read, or if its entries do not add up to its
    /// totals.
    ///
    /// ```
    /// use indistinct_ledger::{Ledger, Loss};
    /// let folder = tempfile::tempdir()?;
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"), "survey", &Loss::epsilon(1.0)?)?;
    /// ledger.charge("survey", "2026-Q3", "a plan", &Loss::epsilon(0.25)?)?;
    /// let spending = indistinct_report::Spending::of(&ledger, "survey")?;
    /// assert_eq!(spending.charges[0].total, Loss::epsilon(0.25)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(ledger: &Ledger, account: &str) -> Result<Self, LedgerError> {
        // Others may charge while entries are read.
        for _ in 0..READS {
            let spending = Self::read(ledger, account)?;
            let spent = spending.charges.last().map(|charge| &charge.total);
            if spent.map_or(spending.budget.spent == nothing(&spending.budget), |spent| *spent == spending.budget.spent)
            {
                return Ok(spending);
            }
        }
        Err(LedgerError::Tampered(format!("what the account {account:?} has spent")))
    }

    fn read(ledger: &Ledger, account: &str) -> Result<Self, LedgerError> {
        ledger.budget(account)?;
        let mut all = BTreeMap::new();
        for name in ledger.accounts()? {
            let budget = ledger.budget(&name)?;
            all.insert(name, budget);
        }
        let mut entries = Vec::new();
        for name in all.keys().filter(|name| *name == account || is_below(&all, name, account, false)) {
            // The first one opens the account: that of a part is the charge of the account that pays for it.
            entries.extend(ledger.history(name)?.into_iter().skip(1).map(|entry| (name.clone(), entry)));
        }
        entries.sort_by_key(|(_, entry)| entry.entry.entries);
        let budget = ledger.budget(account)?;
        let nothing = nothing(&budget);
        let (mut total, mut charges) = (nothing.clone(), Vec::new());
        for (account, entry) in entries {
            let (Kind::Charge | Kind::Partition, Some(loss)) = (entry.kind, entry.loss) else { continue };
            if loss == nothing && entry.key.as_deref().and_then(declaration).is_some() {
                continue;
            }
            total = total.plus(&loss)?;
            charges.push(Spent { entry: entry.entry.entries, account, name: entry.key, loss, total: total.clone() });
        }
        // They are written down in the account that is above all others.
        let top = all.keys().filter(|name| *name == account || is_below(&all, account, name, true));
        let mut declared = Vec::new();
        for name in top.filter(|name| all.get(*name).is_some_and(|budget| budget.parent.is_none())) {
            let of = |entry: Entry| Some((declaration(&entry.key?)?.to_owned(), entry.plan?));
            declared.extend(ledger.history(name)?.into_iter().filter_map(of));
        }
        let below = all.iter().filter(|(name, _)| is_below(&all, name, account, true));
        let below = below.map(|(name, budget)| (name.clone(), budget.clone())).collect();
        Ok(Self { account: account.into(), budget, charges, below, declared })
    }
}

/// Returns the name of a request's declaration, if it is one.
fn declaration(key: &str) -> Option<&str> {
    key.strip_prefix(DECLARATION)
}

/// The number of times a ledger is read until all entries are from one moment.
const READS: u32 = 8;

fn nothing(budget: &Budget) -> Loss {
    Loss::nothing(budget.total.measure())
}

/// Returns true if an account is below another one. Spending below a prepaid account is charged up to that account and
/// no further.
fn is_below(all: &BTreeMap<String, Budget>, name: &str, account: &str, through_prepaid: bool) -> bool {
    let mut at = name;
    for _ in 0..all.len() {
        match all.get(at) {
            Some(budget) if budget.prepaid.is_some() && !through_prepaid => return false,
            Some(Budget { parent: Some(parent), .. }) if parent == account => return true,
            Some(Budget { parent: Some(parent), .. }) => at = parent,
            _ => return false,
        }
    }
    false
}

/// The maximum number of releases in a table, which shows the last ones.
const MAX_ROWS: usize = 500;

/// The maximum number of points in a picture.
const MAX_POINTS: usize = 2000;

/// Returns a page about an account's spending, and the guarantee of all its releases together.
///
/// # Errors
///
/// Returns the errors of [`Guarantee::curves`](crate::Guarantee::curves).
pub fn account_page(spending: &Spending) -> crate::Fallible<String> {
    let Spending { account, budget, charges, below, declared } = spending;
    let mut known = vec![("Account", account.clone())];
    known.extend(budget.parent.iter().map(|parent| ("Part of", parent.clone())));
    known.extend(budget.prepaid.iter().map(|prepaid| ("Prepaid, for rows with", prepaid.clone())));
    known.extend(
        declared.iter().map(|(name, what)| (if name == "unit" { "Protected" } else { name.as_str() }, what.clone())),
    );
    known.extend([
        ("Budget", budget.total.to_string()),
        ("Spent", budget.spent.to_string()),
        ("Remaining", budget.remaining.to_string()),
        ("Releases", charges.len().to_string()),
    ]);
    if budget.is_closed {
        known.push(("State", "closed: nothing more can be charged".into()));
    }
    let mut body = String::from(
        "<p>What was released of private data is paid from a budget, once and for all: nothing \
        is given back, and where the budget ends there are no more releases.</p>",
    );
    body += &facts("The budget", &known);
    body += "<h2>Release by release</h2>";
    if charges.is_empty() {
        body += "<p>Nothing was spent.</p>";
    }
    for place in 0..budget.total.numbers().len() {
        body += &over_time(budget, charges, place);
    }
    let shown = charges.iter().skip(charges.len().saturating_sub(MAX_ROWS));
    let row = |spent: &Spent| {
        let left = budget.total.minus(&spent.total).ok().flatten().map(|left| left.to_string()).unwrap_or_default();
        let name = spent.name.clone().unwrap_or_else(|| "accounts for parts of the rows".into());
        vec![
            name,
            spent.account.clone(),
            spent.entry.to_string(),
            spent.loss.to_string(),
            spent.total.to_string(),
            left,
        ]
    };
    if !charges.is_empty() {
        let columns =
            ["release", "account", "entry", "cost", "spent with it", "remaining after it"].map(|name| (name, false));
        let caption = match charges.len() > MAX_ROWS {
            true => format!("The last {MAX_ROWS} of {} releases", charges.len()),
            false => "All releases".into(),
        };
        body += &table(&caption, &columns, |place| place == 0, &shown.map(row).collect::<Vec<_>>());
    }
    if !below.is_empty() {
        let row = |(name, budget): &(String, Budget)| {
            let numbers = [&budget.total, &budget.spent, &budget.remaining].map(ToString::to_string).to_vec();
            [vec![name.clone(), budget.parent.clone().unwrap_or_default()], numbers].concat()
        };
        body += "<h2>Accounts below it</h2>";
        let columns = ["account", "part of", "budget", "spent", "remaining"].map(|name| (name, false));
        body +=
            &table("Budgets of the accounts", &columns, |place| place == 0, &below.iter().map(row).collect::<Vec<_>>());
    }
    if !charges.is_empty() {
        let _ = write!(
            body,
            "<h2>What can be inferred from all of them together</h2><p>Guarantee of all releases: <strong>{}\
            </strong>. {BOUNDS}</p>",
            escaped(&budget.spent.to_string())
        );
        body += &Guarantee::of_loss(&budget.spent)?.section()?;
    }
    Ok(document(&format!("The budget of {account}"), &body))
}

/// Returns a picture of one of the numbers of a budget over time.
fn over_time(budget: &Budget, charges: &[Spent], place: usize) -> String {
    let number = |loss: &Loss| loss.numbers().get(place).map_or(0.0, |number| number.to_f64());
    let names = budget.total.measure().name();
    let name = names.split('+').nth(place).unwrap_or_default();
    let limit = number(&budget.total);
    if charges.is_empty() || limit <= 0.0 {
        return String::new();
    }
    let counts = std::iter::successors(Some(1.0), |count| Some(count + 1.0));
    let mut points = vec![(0.0, 0.0)];
    points.extend(counts.zip(charges.iter().map(|spent| number(&spent.total))));
    let last = points.last().map_or(1.0, |(count, _)| *count);
    // Of very many, some; each holds until the next one, as the sum of its group.
    let group = points.len().div_ceil(MAX_POINTS);
    let points: Vec<(f64, f64)> =
        points.chunks(group).filter_map(|group| Some((group.first()?.0, group.last()?.1))).collect();
    let across = Axis { name: "releases", ends: (0.0, last + 1.0), is_logarithmic: false };
    let up = Axis { name, ends: (0.0, limit * 1.1), is_logarithmic: false };
    let level = Level { name: "budget", from: (0.0, limit), to: (last + 1.0, limit) };
    let mut points = points;
    points.push((last + 1.0, points.last().map_or(0.0, |(_, spent)| *spent)));
    let caption = format!("Spent after each release: {name}, and the budget");
    picture(&caption, (&across, &up), &points, Step::Until, &[level], Some("spent"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epsilon(epsilon: f64) -> Loss {
        Loss::epsilon(epsilon).unwrap()
    }

    /// The charges of accounts below are included, except those below a prepaid account, whose budget counts once.
    #[test]
    fn charges_add_up_to_what_the_ledger_says() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::create(folder.path().join("l"), "all", &epsilon(8.0)).unwrap();
        ledger.add_account("team", "all", &epsilon(4.0)).unwrap();
        ledger.add_account("ann", "team", &epsilon(4.0)).unwrap();
        let _ = ledger.charge("ann", "a", "p", &epsilon(0.5)).unwrap();
        let _ =
            ledger.charge("all", "declaration: unit", "1 row changed", &Loss::nothing(epsilon(0.0).measure())).unwrap();
        let _ = ledger.charge("all", "b", "p", &epsilon(0.25)).unwrap();
        let parts = [("north", "n"), ("south", "s")].map(|(name, part)| (name.to_owned(), part.to_owned()));
        ledger.open_partition("team", &epsilon(1.0), &parts.into()).unwrap();
        let _ = ledger.charge("north", "c", "p", &epsilon(0.75)).unwrap();
        let of = |account: &str| Spending::of(&ledger, account).unwrap();
        let totals = |account: &str| of(account).charges.into_iter().map(|spent| spent.total).collect::<Vec<_>>();
        assert_eq!(totals("all"), [0.5, 0.75, 1.75].map(epsilon));
        assert_eq!(totals("team"), [0.5, 1.5].map(epsilon));
        assert_eq!(totals("north"), [0.75].map(epsilon));
        assert_eq!(totals("south"), []);
        assert_eq!(of("all").declared, [("unit".into(), "1 row changed".into())]);
        assert_eq!(of("all").below.len(), 4);
        assert!(Spending::of(&ledger, "eve").is_err());
        let page = account_page(&of("all")).unwrap();
        assert!(page.contains("accounts for parts of the rows") && page.contains("1 row changed"));
        assert!(account_page(&of("south")).unwrap().contains("Nothing was spent"));
    }

    /// Many releases: the page stays small, and shows what was spent at the end.
    #[test]
    fn pages_of_many_releases_are_small() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::create(folder.path().join("l"), "all", &epsilon(1e5)).unwrap();
        let mut budget = ledger.budget("all").unwrap();
        budget.spent = epsilon(3e4);
        let charge = |entry: u32| Spent {
            entry: entry.into(),
            account: "all".into(),
            name: Some(format!("release {entry}")),
            loss: epsilon(1.0),
            total: epsilon(f64::from(entry)),
        };
        let charges = (1..=30_000).map(charge).collect();
        let spending = Spending { account: "all".into(), budget, charges, below: vec![], declared: vec![] };
        let page = account_page(&spending).unwrap();
        assert!(
            page.len() < 300_000 && page.contains("The last 500 of 30000 releases") && page.contains("release 30000")
        );
    }
}
