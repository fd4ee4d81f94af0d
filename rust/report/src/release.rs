//! The page of a release: its question, its cost, and its steps.

use crate::{
    guarantee::Guarantee,
    html::{self, document, escaped, facts, figure},
    lines::between,
    words::{round, up},
};
use indistinct::{core::ProofLevel, queries::Estimate};
use indistinct_ledger::{Loss, Measure};
use indistinct_sessions::{Certificate, Item, Kind, Tabulated, rows_in_words};
use serde_json::Value;
use std::fmt::Write;

/// Returns the page of a release. Each interval of its table fails with probability `alpha`, and everything else is
/// taken from its certificate.
///
/// ```no_run
/// # fn page(release: indistinct_sessions::Release<indistinct::queries::Table>) -> std::io::Result<()> {
/// use indistinct_sessions::Tabular;
/// let page = indistinct_report::release_page(&release.answer.tabulated(), 0.05, &release.certificate);
/// std::fs::write("release.html", page)
/// # }
/// ```
pub fn release_page(table: &Tabulated, alpha: f64, certificate: &Certificate) -> String {
    page(None, table, alpha, certificate)
}

/// Returns a [`release_page`] with the question in SQL. The caller vouches that the question leads to the certificate's
/// plan.
///
/// ```no_run
/// # fn page(release: indistinct_sessions::Release<indistinct::queries::Table>) -> String {
/// use indistinct_sessions::Tabular;
/// let (sql, table) = ("SELECT COUNT(*) AS stays FROM stays", release.answer.tabulated());
/// indistinct_report::question_page(sql, &table, 0.05, &release.certificate)
/// # }
/// ```
pub fn question_page(sql: &str, table: &Tabulated, alpha: f64, certificate: &Certificate) -> String {
    page(Some(sql), table, alpha, certificate)
}

fn page(sql: Option<&str>, table: &Tabulated, alpha: f64, certificate: &Certificate) -> String {
    let words = |text: &str| text.parse::<Loss>().map_or_else(|_| text.to_owned(), |loss| loss.to_string());
    let left = || {
        let (total, after): (Loss, Loss) =
            (certificate.budget.total.parse().ok()?, certificate.budget.after.parse().ok()?);
        Some(total.minus(&after).ok()??.to_string())
    };
    let known = [
        ("Cost of this release", words(&certificate.loss)),
        ("Spent before it", words(&certificate.budget.before)),
        ("Remaining after it", left().unwrap_or_default()),
        ("Budget", format!("{} of account {}", words(&certificate.budget.total), certificate.account)),
        ("Intervals", format!("each fails with probability {alpha}")),
    ];
    let mut html = String::from(
        "<p>The numbers on this page carry random noise. The noise limits what they reveal about any one individual, \
         including whether the individual is in the data at all. The smaller the cost below, the less they reveal.</p>\
         <h2>The question</h2>",
    );
    html += &facts("The question, and its table", &asked(sql, certificate));
    html += "<h2>What was released</h2>";
    html += &released(table);
    html += &release_charts(table);
    html += "<h2>What it cost</h2>";
    html += &facts("The privacy loss of this release", &known);
    if let Some(words) = certificate.loss.parse().ok().and_then(|loss: Loss| in_words(&loss, &certificate.unit)) {
        let _ = write!(html, "<p>{words}</p>");
    }
    let guarantee = certificate.loss.parse().ok().and_then(|loss| Guarantee::of_loss(&loss).ok());
    if let Some(told) = guarantee.and_then(|guarantee| guarantee.tells().ok()) {
        html += "<h2>What can be inferred from it</h2>";
        html += &told;
    }
    let _ = write!(html, "<h2>How it was made</h2><p>{}</p><ol>", proofs(certificate));
    steps(&certificate.steps, &mut html);
    html += "</ol><h2>What is not protected</h2>";
    html += &list(&certificate.not_protected);
    html += "<h2>What is assumed</h2><p>No program can verify these:</p>";
    html += &list(&certificate.assumed);
    html += "<h2>Certificate</h2><p>Anybody can check it without the data. Ask those who made the release for the \
             certificate, which is the text below, and for the released results (<code>--results</code>). Only \
             somebody with the ledger can check that the release took place, of which table, and what had been spent \
             before:</p><pre>indistinct certificate verify certificate.json --results released.json \
             --ledger budget.ledger</pre><details><summary>Its text</summary><pre>";
    html += &escaped(&certificate.to_json().unwrap_or_default());
    html += "</pre></details>";
    document(&certificate.name, &html)
}

fn list(items: &[String]) -> String {
    let items = items.iter().map(|item| format!("<li>{}</li>", escaped(item)));
    format!("<ul>{}</ul>", items.collect::<String>())
}

/// Returns the question and its subject.
fn asked(sql: Option<&str>, certificate: &Certificate) -> Vec<(&'static str, String)> {
    let plan: Value = serde_json::from_str(&certificate.plan).unwrap_or_default();
    let rows = rows_in_words(&certificate.plan, &certificate.rows);
    let mut known = vec![
        ("Question", sql.map_or_else(|| "a plan: its steps are below".into(), str::to_owned)),
        ("Table", certificate.table.clone()),
        ("Rows", rows),
    ];
    known.extend(plan.get("individuals").and_then(Value::as_str).map(|name| ("Individuals, by column", name.into())));
    let column = |column: &Value| Some(format!("{}: {}", column.get(0)?.as_str()?, column.get(1)?.as_str()?));
    let columns: Vec<String> =
        plan.get("columns").and_then(Value::as_array).into_iter().flatten().filter_map(column).collect();
    known.extend([("Columns, as declared", columns.join("; ")), ("Protected", certificate.unit.clone())]);
    known.push(("Date", certificate.date.clone()));
    let about = [("Body", &certificate.about.body), ("Purpose", &certificate.about.purpose)];
    known.extend(about.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, text.clone())));
    known
}

/// Explains an epsilon in words, with digits rounded up; other losses have only the curves.
fn in_words(loss: &Loss, unit: &str) -> Option<String> {
    let (Measure::Epsilon, [epsilon]) = (loss.measure(), loss.numbers()) else { return None };
    // What a library is wrong by is far below this.
    let factor = epsilon.to_f64().exp() * (1.0 + 1e-12);
    let share = (100.0 * factor / (1.0 + factor)).ceil();
    let factor = if factor < 100.0 { ((factor * 10.0).ceil() / 10.0).to_string() } else { up(factor) };
    let after = match factor.as_str() {
        "infinite" => "sure".to_owned(),
        _ => format!("at most {share} % sure"),
    };
    let (one, other, held) = match unit.ends_with("changed") {
        true => ("with one version of what is protected", "with another", "it is one of two versions"),
        false => ("with the data of those who are protected", "without", "they are in the data"),
    };
    Some(format!(
        "In words: no result is more than {factor} times as likely {one} as {other}, nor the other way round. \
         Somebody who was 50 % sure beforehand that {held} is {after} after this release."
    ))
}

/// Returns bars with intervals for each statistic of a table. They are a part of a page, and have no styles except
/// these colors.
pub fn release_charts(table: &Tabulated) -> String {
    let is_number = |place: &usize| table.columns().get(*place).is_some_and(|column| is_estimate(column.kind));
    (0..table.columns().len()).filter(is_number).map(|place| chart(table, place)).collect()
}

fn is_estimate(kind: Kind) -> bool {
    matches!(kind, Kind::Count | Kind::Number)
}

/// Explains the proof levels, for readers who make decisions by them.
fn proofs(certificate: &Certificate) -> String {
    let of_maps = match certificate.weakest_map {
        ProofLevel::A => "A machine has checked the bound on the loss of every step, and the values that it gives.",
        ProofLevel::B => "A machine has checked the bound on the loss of every step.",
        ProofLevel::C => "Every step has a written proof of its bound on the loss.",
        _ => "Some step has no proof: it is a user-defined function, which nobody has checked.",
    };
    if certificate.weakest_proof == certificate.weakest_map {
        return of_maps.into();
    }
    let of_code = match certificate.weakest_proof {
        ProofLevel::B => "by a written proof that a machine has checked in part",
        ProofLevel::C => "by a written proof that no machine has checked",
        _ => "by nothing that has been checked",
    };
    format!(
        "{of_maps} The bound assumes that other code is correct, such as samplers and exact sums, which is backed {of_code}."
    )
}

/// The maximum number of cells of a table on a page.
const MAX_CELLS: usize = 4000;

/// Returns the table of the answer, with each number in three columns, and the sentences below it.
fn released(table: &Tabulated) -> String {
    let head = table.head();
    let mut columns: Vec<(&str, bool)> = Vec::new();
    let mut is_key = Vec::new();
    for (column, name) in table.columns().iter().zip(&head) {
        columns.push((name.as_str(), is_estimate(column.kind)));
        is_key.push(column.kind == Kind::Key);
        if is_estimate(column.kind) {
            columns.extend([("from", true), ("to", true)]);
            is_key.extend([false, false]);
        }
    }
    let cells = |item: &Item| match item {
        Item::Estimate(estimate) => {
            let (value, interval) = estimate.in_words();
            let (from, to) = interval.unwrap_or_default();
            vec![value, from, to]
        }
        other => vec![other.in_words()],
    };
    let line = |row: &Vec<Item>| row.iter().flat_map(cells).collect();
    let shown = MAX_CELLS / columns.len().max(1);
    let has_intervals = table.columns().iter().any(|column| is_estimate(column.kind));
    let mut caption = if has_intervals { "Each number with its interval" } else { "The numbers" }.to_owned();
    if table.rows().len() > shown {
        let _ = write!(caption, ": the first {shown} of {} rows", table.rows().len());
    }
    let lines: Vec<Vec<String>> = table.rows().iter().take(shown).map(line).collect();
    let of_row = |place: usize| is_key.get(place).copied().unwrap_or_default();
    let notes = table.notes().iter().map(|note| format!("<p>{}</p>", escaped(note)));
    html::table(&caption, &columns, of_row, &lines) + &notes.collect::<String>()
}

/// The maximum number of rows in a chart; for more rows, there is only the table.
const MAX_BARS: usize = 60;

/// The position and width of the bars, and the height of a row, in pixels.
const LEFT: f64 = 180.0;
const WIDTH: f64 = 480.0;
const ROW: f64 = 26.0;

/// The maximum number of characters next to a bar. The table has the whole text.
const MAX_LABEL: usize = 24;

/// Draws bars with intervals above a scale. A number that noise exceeds has no bar.
fn chart(table: &Tabulated, place: usize) -> String {
    let rows = table.rows();
    let head = table.head();
    let name = head.get(place).map(String::as_str).unwrap_or_default();
    let estimate = |row: &Vec<Item>| match row.get(place) {
        Some(Item::Estimate(estimate)) => *estimate,
        _ => Estimate { value: None, interval: None },
    };
    let ends = rows.iter().map(estimate).flat_map(|Estimate { value, interval }| {
        [value, interval.map(|ends| ends.0), interval.map(|ends| ends.1)].into_iter().flatten()
    });
    let (low, high) = ends.fold((0f64, 0f64), |(low, high), end| (low.min(end), high.max(end)));
    if rows.len() > MAX_BARS || low >= high {
        return String::new();
    }
    let at = |number: f64| LEFT + WIDTH * ((number - low) / (high - low));
    let height = rows.iter().fold(0.0, |height, _| height + ROW);
    let mut bars = String::new();
    for tick in between(low, high) {
        let _ = write!(
            bars,
            "<path d=\"M{0:.1} 0V{height}\" stroke=\"var(--line,#8886)\"/>\
             <text x=\"{0:.1}\" y=\"{1}\" text-anchor=\"middle\" fill=\"currentColor\">{2}</text>",
            at(tick),
            height + 18.0,
            round(tick)
        );
    }
    for (row, top) in rows.iter().zip((0u32..).map(|row| f64::from(row) * ROW)) {
        let keys = row.iter().filter(|item| matches!(item, Item::Key(_)));
        let label: Vec<String> = keys.map(Item::in_words).collect();
        let Estimate { value, interval } = estimate(row);
        let middle = top + ROW / 2.0;
        let _ = write!(
            bars,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"currentColor\">{}</text>",
            LEFT - 8.0,
            middle + 4.0,
            escaped(&short(&label.join(", ")))
        );
        if let Some(value) = value {
            let (from, to) = (at(value.min(0.0)), at(value.max(0.0)));
            let _ = write!(
                bars,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"var(--bar,#2a6f97)\"/>",
                middle - 7.0,
                to - from
            );
        }
        if let Some((from, to)) = interval {
            let _ = write!(
                bars,
                "<path d=\"M{0:.1} {middle:.1}H{1:.1}M{0:.1} {2:.1}v10M{1:.1} {2:.1}v10\" \
                 stroke=\"currentColor\" stroke-width=\"2\"/>",
                at(from),
                at(to),
                middle - 5.0
            );
        }
    }
    figure(&format!("{name}: bars, and the interval of each as a line"), (LEFT + WIDTH + 30.0, height + 26.0), &bars)
}

fn short(label: &str) -> String {
    match label.char_indices().nth(MAX_LABEL) {
        Some((end, _)) => format!("{}…", label.get(..end).unwrap_or_default()),
        None => label.to_owned(),
    }
}

/// Writes the steps as a list, with nested steps below them, each once.
fn steps(steps: &Value, html: &mut String) {
    for step in steps.as_array().into_iter().flatten() {
        let text = |name: &str| escaped(step.get(name).and_then(Value::as_str).unwrap_or_default());
        let _ = write!(
            html,
            "<li><code>{}</code>: {} leads to {} (proof {})",
            text("name"),
            text("d_in"),
            text("d_out"),
            proof(step.get("proof"))
        );
        if let Some(children) = step.get("children") {
            html.push_str("<ol>");
            self::steps(children, html);
            html.push_str("</ol>");
        }
        html.push_str("</li>");
    }
}

/// Returns the level of a step's map, and of the code that runs if that is lower.
fn proof(of: Option<&Value>) -> String {
    let text = |name: &str| escaped(of.and_then(|of| of.get(name)).and_then(Value::as_str).unwrap_or_default());
    match text("rests").as_str() {
        "" => text("map"),
        page => format!("{}; what runs: {}, <code>proofs/{page}</code>", text("map"), text("run")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// e^0.8 is 2.2255, of 3.2255 that is 68.998 %; e^0 must not become more than it is by much.
    #[test]
    fn an_epsilon_in_words_is_rounded_up() {
        let words = |epsilon: f64| in_words(&Loss::epsilon(epsilon).unwrap(), "1 row added or removed").unwrap();
        assert!(words(0.8).contains("than 2.3 times") && words(0.8).contains("at most 69 % sure"), "{}", words(0.8));
        assert!(words(0.1).contains("than 1.2 times") && words(0.1).contains("at most 53 % sure"), "{}", words(0.1));
        assert!(
            words(10.0).contains("than 22100 times") && words(10.0).contains("at most 100 % sure"),
            "{}",
            words(10.0)
        );
        assert!(words(1000.0).contains("infinite times"), "{}", words(1000.0));
        assert_eq!(in_words(&Loss::rho(0.5).unwrap(), "1 row changed"), None);
    }
}
