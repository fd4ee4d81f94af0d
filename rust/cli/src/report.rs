//! A release as one page for a browser: no script, nothing from a network.

use indistinct_ledger::Loss;
use indistinct_sessions::Certificate;
use serde_json::{Map, Value};
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8886;--bar:#2a6f97;--soft:#8881}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.2rem;margin-top:2.2rem}\
table{border-collapse:collapse}caption{text-align:left;padding:.3rem 0}\
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
.scroll{overflow-x:auto}figure{margin:1rem 0;overflow-x:auto}svg{width:100%;min-width:32rem;height:auto}\
svg text{font:13px system-ui,sans-serif;fill:currentColor}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:1rem;font-size:.8rem}\
li{margin:.2rem 0}code{overflow-wrap:anywhere}\
@media(prefers-color-scheme:dark){:root{--bar:#7fb8d6}}\
@media print{body{max-width:none;margin:0}details{display:block}}";

/// The page of a table of a release, a list of objects whose intervals fail with probability `alpha`, and its
/// certificate.
pub(crate) fn page(table: &Value, alpha: f64, certificate: &Certificate) -> String {
    let rows: Vec<&Map<String, Value>> = table.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    let words = |text: &str| text.parse::<Loss>().map_or_else(|_| text.to_owned(), |loss| loss.to_string());
    let left = || {
        let (total, after): (Loss, Loss) =
            (certificate.budget.total.parse().ok()?, certificate.budget.after.parse().ok()?);
        Some(total.minus(&after).ok()??.to_string())
    };
    let facts = [
        ("Table", certificate.table.clone()),
        ("Protected", certificate.unit.clone()),
        ("Cost of this release", words(&certificate.loss)),
        ("Spent before it", words(&certificate.budget.before)),
        ("Left after it", left().unwrap_or_default()),
        ("Budget", format!("{} of account {}", words(&certificate.budget.total), certificate.account)),
        ("Intervals", format!("each fails with probability {alpha}")),
    ];
    let mut html = String::from("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    html += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">";
    html += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">";
    let title = escaped(&certificate.key);
    let _ = write!(html, "<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>");
    html += "<p>The numbers on this page carry random noise. It limits what they tell about any one of those who are \
             protected, whether they are in the data at all; the smaller the cost below, the less they tell.</p>";
    html += "<h2>What was released</h2>";
    html += &released(&rows);
    for name in statistics(&rows) {
        html += &chart(&rows, &name);
    }
    html +=
        "<h2>What it cost</h2><div class=\"scroll\"><table><caption>The privacy loss of this release</caption><tbody>";
    for (name, what) in facts {
        let _ = write!(html, "<tr><th scope=\"row\">{name}</th><td>{}</td></tr>", escaped(&what));
    }
    html += "</tbody></table></div><h2>How it was made</h2>";
    let _ = write!(html, "<p>{}</p><ol>", level(&certificate.weakest_proof));
    steps(&certificate.steps, &mut html);
    html += "</ol><h2>What is not protected</h2><ul>";
    for item in &certificate.not_protected {
        let _ = write!(html, "<li>{}</li>", escaped(item));
    }
    html += "</ul><h2>Certificate</h2><p>Anybody can check it without the data: \
             <code>indistinct certificate verify</code>.</p><details><summary>Its text</summary><pre>";
    html += &escaped(&certificate.to_json().unwrap_or_default());
    html += "</pre></details></main></body></html>\n";
    html
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

fn released(rows: &[&Map<String, Value>]) -> String {
    let (keys, statistics) = (keys(rows), statistics(rows));
    let mut html =
        String::from("<div class=\"scroll\"><table><caption>Each number with its interval</caption><thead><tr>");
    for name in &keys {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(name));
    }
    for name in &statistics {
        let _ = write!(
            html,
            "<th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">from</th><th scope=\"col\" class=\"n\">to</th>",
            escaped(name)
        );
    }
    html += "</tr></thead><tbody>";
    for row in rows {
        html += "<tr>";
        for name in &keys {
            let _ = write!(html, "<th scope=\"row\">{}</th>", escaped(&word(row.get(name))));
        }
        for name in &statistics {
            for end in ["", " from", " to"] {
                let _ = write!(html, "<td class=\"n\">{}</td>", escaped(&word(row.get(&format!("{name}{end}")))));
            }
        }
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}

/// The most rows of a chart; a table is enough for more.
const MAX_BARS: usize = 60;

/// The place of the bars, their width, and the height of a row, in pixels.
const LEFT: f64 = 180.0;
const WIDTH: f64 = 480.0;
const ROW: f64 = 26.0;

/// Bars with their intervals.
fn chart(rows: &[&Map<String, Value>], name: &str) -> String {
    let keys = keys(rows);
    let number = |row: &Map<String, Value>, end: &str| row.get(&format!("{name}{end}")).and_then(Value::as_f64);
    let ends = rows.iter().flat_map(|row| [number(row, ""), number(row, " from"), number(row, " to")]).flatten();
    let (low, high) = ends.fold((0f64, 0f64), |(low, high), end| (low.min(end), high.max(end)));
    if rows.len() > MAX_BARS || low >= high {
        return String::new();
    }
    let at = |number: f64| LEFT + WIDTH * ((number - low) / (high - low));
    let mut bars = String::new();
    for (row, top) in rows.iter().zip((0u32..).map(|row| f64::from(row) * ROW)) {
        let label: Vec<String> = keys.iter().map(|key| word(row.get(key))).collect();
        let middle = top + ROW / 2.0;
        let _ = write!(
            bars,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            middle + 4.0,
            escaped(&label.join(", "))
        );
        if let Some(value) = number(row, "") {
            let (from, to) = (at(value.min(0.0)), at(value.max(0.0)));
            let _ = write!(
                bars,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"var(--bar)\"/>",
                middle - 7.0,
                to - from
            );
        }
        if let (Some(from), Some(to)) = (number(row, " from"), number(row, " to")) {
            let _ = write!(
                bars,
                "<path d=\"M{:.1} {middle:.1}H{:.1}\" stroke=\"currentColor\" stroke-width=\"2\"/>",
                at(from),
                at(to)
            );
            for end in [at(from), at(to)] {
                let _ = write!(
                    bars,
                    "<path d=\"M{end:.1} {:.1}v10\" stroke=\"currentColor\" stroke-width=\"2\"/>",
                    middle - 5.0
                );
            }
        }
    }
    let height = rows.iter().fold(4.0, |height, _| height + ROW);
    let title = escaped(name);
    format!(
        "<figure><figcaption>{title}: bars, and the interval of each as a line</figcaption>\
         <svg viewBox=\"0 0 {} {height}\" role=\"img\" aria-label=\"{title}, with intervals; the numbers are in the table\">{bars}</svg></figure>",
        LEFT + WIDTH + 20.0
    )
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

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}
