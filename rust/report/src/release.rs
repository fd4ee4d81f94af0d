//! A release: what was asked, what it cost, and how it was made.

use crate::{
    counted::{rows_in_words, rows_of_each},
    guarantee::Guarantee,
    html::{document, escaped, facts, figure, table},
    lines::between,
    words::{round, up},
};
use indistinct_ledger::{Loss, Measure};
use indistinct_sessions::Certificate;
use serde_json::{Map, Value};
use std::fmt::Write;

/// A page of a release: its table, a list of objects in which `x from` and `x to` are the ends of the interval of a
/// statistic `x`, each of which fails with probability `alpha`; and its certificate, from which all else is taken.
///
/// ```no_run
/// let text = std::fs::read_to_string("certificate.json")?;
/// let certificate = indistinct_sessions::Certificate::from_json(&text)?;
/// let table = serde_json::json!([{ "region": "north", "stays": 12.0, "stays from": 4.0, "stays to": 20.0 }]);
/// std::fs::write("release.html", indistinct_report::release_page(&table, 0.05, &certificate))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn release_page(table: &Value, alpha: f64, certificate: &Certificate) -> String {
    page(None, table, alpha, certificate)
}

/// [`release_page`] with the question in SQL. That it leads to the certificate's plan is the word of whoever gives it.
///
/// ```no_run
/// # let certificate = indistinct_sessions::Certificate::from_json("")?;
/// let table = serde_json::json!([{ "stays": 12.0, "stays from": 4.0, "stays to": 20.0 }]);
/// indistinct_report::question_page("SELECT COUNT(*) AS stays FROM stays", &table, 0.05, &certificate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn question_page(sql: &str, table: &Value, alpha: f64, certificate: &Certificate) -> String {
    page(Some(sql), table, alpha, certificate)
}

fn page(sql: Option<&str>, table: &Value, alpha: f64, certificate: &Certificate) -> String {
    let rows = rows(table);
    let words = |text: &str| text.parse::<Loss>().map_or_else(|_| text.to_owned(), |loss| loss.to_string());
    let left = || {
        let (total, after): (Loss, Loss) =
            (certificate.budget.total.parse().ok()?, certificate.budget.after.parse().ok()?);
        Some(total.minus(&after).ok()??.to_string())
    };
    let known = [
        ("Cost of this release", words(&certificate.loss)),
        ("Spent before it", words(&certificate.budget.before)),
        ("Left after it", left().unwrap_or_default()),
        ("Budget", format!("{} of account {}", words(&certificate.budget.total), certificate.account)),
        ("Intervals", format!("each fails with probability {alpha}")),
    ];
    let mut html = String::from(
        "<p>The numbers on this page carry random noise. It limits what they tell about any one of those who are \
         protected, whether they are in the data at all; the smaller the cost below, the less they tell.</p>\
         <h2>The question</h2>",
    );
    html += &facts("What was asked, of whom", &asked(sql, certificate));
    html += "<h2>What was released</h2>";
    html += &released(&rows);
    html += &release_charts(table);
    html += "<h2>What it cost</h2>";
    html += &facts("The privacy loss of this release", &known);
    if let Some(words) = certificate.loss.parse().ok().and_then(|loss: Loss| in_words(&loss, &certificate.unit)) {
        let _ = write!(html, "<p>{words}</p>");
    }
    let guarantee = certificate.loss.parse().ok().and_then(|loss| Guarantee::of_loss(&loss).ok());
    if let Some(told) = guarantee.and_then(|guarantee| guarantee.tells().ok()) {
        html += "<h2>What can be told from it</h2>";
        html += &told;
    }
    let _ = write!(html, "<h2>How it was made</h2><p>{}</p><ol>", level(&certificate.weakest_proof));
    steps(&certificate.steps, &mut html);
    html += "</ol><h2>What is not protected</h2><ul>";
    for item in &certificate.not_protected {
        let _ = write!(html, "<li>{}</li>", escaped(item));
    }
    html += "</ul><h2>Certificate</h2><p>Anybody can check it without the data. Ask those who made the release for the \
             certificate, which is the text below, and for what was released (<code>--released</code>); only with the \
             ledger, or by somebody who has it, can be told that the release took place, of which table, and what had \
             been spent before:</p><pre>indistinct certificate verify certificate.json --released released.json \
             --ledger budget.ledger</pre><details><summary>Its text</summary><pre>";
    html += &escaped(&certificate.to_json().unwrap_or_default());
    html += "</pre></details>";
    document(&certificate.key, &html)
}

/// The question, and what it is about.
fn asked(sql: Option<&str>, certificate: &Certificate) -> Vec<(&'static str, String)> {
    let plan: Value = serde_json::from_str(&certificate.plan).unwrap_or_default();
    let rows = rows_of_each(&certificate.plan).map_or_else(|| certificate.rows.clone(), rows_in_words);
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
    known
}

/// What an epsilon means, with digits that are rounded up; for other losses there are only the curves.
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
        "In words: no result is more than {factor} times as likely {one} as {other}, nor the other way round. Who held \
         it for as likely as not (50 %) that {held} is {after} after this release."
    ))
}

/// Bars with their intervals, of each statistic of a table as [`release_page`] takes it: a part of a page, which has no
/// style of its own but these colors.
pub fn release_charts(table: &Value) -> String {
    let rows = rows(table);
    statistics(&rows).iter().map(|name| chart(&rows, name)).collect()
}

fn rows(table: &Value) -> Vec<&Map<String, Value>> {
    table.as_array().into_iter().flatten().filter_map(Value::as_object).collect()
}

/// What a level of proof means, for those who have to decide by it.
fn level(level: &str) -> &'static str {
    match level {
        "A" => "Every step has a proof that a machine has checked.",
        "B" => "Every step has a written proof beside its code, and a machine has checked its central inequality.",
        "C" => "Every step has a written proof beside its code.",
        _ => "Some step has no proof: it is a function of the program's own, whose word is taken for it.",
    }
}

/// The names of statistics: those that have an interval.
fn statistics(rows: &[&Map<String, Value>]) -> Vec<String> {
    let Some(first) = rows.first() else { return Vec::new() };
    let is_one =
        |name: &&String| first.contains_key(&format!("{name} from")) && first.contains_key(&format!("{name} to"));
    first.keys().filter(is_one).cloned().collect()
}

/// The names of keys: neither statistics nor ends of intervals.
fn keys(rows: &[&Map<String, Value>]) -> Vec<String> {
    let of = statistics(rows);
    let is_end = |name: &String| {
        of.iter().any(|of| *name == *of || *name == format!("{of} from") || *name == format!("{of} to"))
    };
    rows.first().map(|row| row.keys().filter(|name| !is_end(name)).cloned().collect()).unwrap_or_default()
}

/// The most cells of a table; a page is no way to carry more.
const MAX_CELLS: usize = 4000;

fn released(rows: &[&Map<String, Value>]) -> String {
    let (keys, statistics) = (keys(rows), statistics(rows));
    let columns: Vec<(&str, bool)> = keys.iter().map(|name| (name.as_str(), false)).collect();
    let of_numbers = statistics.iter().flat_map(|name| [(name.as_str(), true), ("from", true), ("to", true)]);
    let columns: Vec<(&str, bool)> = columns.into_iter().chain(of_numbers).collect();
    let shown = MAX_CELLS / columns.len().max(1);
    let line = |row: &&Map<String, Value>| {
        let numbers = statistics.iter().flat_map(|name| ["", " from", " to"].map(|end| format!("{name}{end}")));
        let words = keys.iter().map(|name| key(row.get(name)));
        words.chain(numbers.map(|name| word(row.get(&name)))).collect()
    };
    let caption = match rows.len() > shown {
        true => format!("Each number with its interval: the first {shown} of {} rows", rows.len()),
        false => "Each number with its interval".into(),
    };
    table(&caption, &columns, keys.len(), &rows.iter().take(shown).map(line).collect::<Vec<_>>())
}

/// The most rows of a chart; a table is enough for more.
const MAX_BARS: usize = 60;

/// The place of the bars, their width, and the height of a row, in pixels.
const LEFT: f64 = 180.0;
const WIDTH: f64 = 480.0;
const ROW: f64 = 26.0;

/// The most characters beside a bar; all of them are in the table.
const MAX_LABEL: usize = 24;

/// Bars with their intervals, above a scale.
fn chart(rows: &[&Map<String, Value>], name: &str) -> String {
    let keys = keys(rows);
    let number = |row: &Map<String, Value>, end: &str| row.get(&format!("{name}{end}")).and_then(Value::as_f64);
    let ends = rows.iter().flat_map(|row| [number(row, ""), number(row, " from"), number(row, " to")]).flatten();
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
        let label: Vec<String> = keys.iter().map(|name| key(row.get(name))).collect();
        let middle = top + ROW / 2.0;
        let _ = write!(
            bars,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"currentColor\">{}</text>",
            LEFT - 8.0,
            middle + 4.0,
            escaped(&short(&label.join(", ")))
        );
        if let Some(value) = number(row, "") {
            let (from, to) = (at(value.min(0.0)), at(value.max(0.0)));
            let _ = write!(
                bars,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"var(--bar,#2a6f97)\"/>",
                middle - 7.0,
                to - from
            );
        }
        if let (Some(from), Some(to)) = (number(row, " from"), number(row, " to")) {
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

/// The steps as a list, those inside others below them; each once.
fn steps(steps: &Value, html: &mut String) {
    for step in steps.as_array().into_iter().flatten() {
        let text = |name: &str| escaped(step.get(name).and_then(Value::as_str).unwrap_or_default());
        let _ = write!(
            html,
            "<li><code>{}</code>: {} leads to {} (proof {})",
            text("name"),
            text("d_in"),
            text("d_out"),
            text("proof")
        );
        if let Some(children) = step.get("children") {
            html.push_str("<ol>");
            self::steps(children, html);
            html.push_str("</ol>");
        }
        html.push_str("</li>");
    }
}

/// A part of a key.
fn key(value: Option<&Value>) -> String {
    match value {
        Some(Value::Null) => "missing".into(),
        other => word(other),
    }
}

/// A number with four digits after the point at most.
fn word(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "hidden".into(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            let text = format!("{number:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Some(other) => other.to_string(),
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
            words(10.0).contains("than 22030 times") && words(10.0).contains("at most 100 % sure"),
            "{}",
            words(10.0)
        );
        assert!(words(1000.0).contains("infinite times"), "{}", words(1000.0));
        assert_eq!(in_words(&Loss::rho(0.5).unwrap(), "1 row changed"), None);
    }
}
