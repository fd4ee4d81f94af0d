//! The common parts of pages: one style, tables, facts. Pages have no script and load nothing from a network.

use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8886;--bar:#2a6f97;--shade:#2a6f9722;--soft:#8881}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem;line-height:1.2;overflow-wrap:anywhere}h2{font-size:1.2rem;margin-top:2.2rem}\
table{border-collapse:collapse}caption{text-align:left;padding:.3rem 0;white-space:nowrap}\
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
.scroll{overflow-x:auto}.hint{display:none;font-size:.8rem;margin:.3rem 0 0}\
figure{margin:1rem 0}svg{width:100%;max-width:48rem;height:auto}\
svg text{font:13px system-ui,sans-serif;fill:currentColor}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:1rem;font-size:.8rem}\
li{margin:.2rem 0}code{overflow-wrap:anywhere}\
@media(max-width:40rem){table{font-size:.8rem}caption{white-space:normal}th,td{padding-right:.3rem}\
td:not(.n){overflow-wrap:anywhere}tr:has(:nth-child(4))>td{overflow-wrap:normal}\
.hint{display:block}svg{min-width:34rem}}\
@media(prefers-color-scheme:dark){:root{--bar:#7fb8d6;--shade:#7fb8d622}}\
@media print{body{max-width:none;margin:0}figure,tr{break-inside:avoid}\
details::details-content{content-visibility:visible;display:block;height:auto}}";

/// Returns a page with a title and a body.
pub(crate) fn document(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{title}</title><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1>{body}</main></body></html>\n"
    )
}

/// Returns a part that scrolls by itself if it is wider than the page, also by keyboard.
pub(crate) fn scrolling(name: &str, inside: &str) -> String {
    format!("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{}\">{inside}</div>", escaped(name))
}

/// A column's name, and whether it holds numbers.
pub(crate) type Column<'a> = (&'a str, bool);

/// Returns a table. The columns of `of_row` identify a row.
pub(crate) fn table<'a>(
    caption: &str,
    columns: &[Column<'_>],
    of_row: impl Fn(usize) -> bool,
    rows: impl IntoIterator<Item = &'a Vec<String>>,
) -> String {
    let mut html = format!("<table><caption>{}</caption><thead><tr>", escaped(caption));
    let class = |is_number: bool| if is_number { " class=\"n\"" } else { "" };
    for (name, is_number) in columns {
        let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(*is_number), escaped(name));
    }
    html += "</tr></thead><tbody>";
    for row in rows {
        html += "<tr>";
        for (place, (cell, (_, is_number))) in row.iter().zip(columns).enumerate() {
            let (tag, scope) = if of_row(place) { ("th", " scope=\"row\"") } else { ("td", "") };
            let _ = write!(html, "<{tag}{scope}{}>{}</{tag}>", class(*is_number), escaped(cell));
        }
        html += "</tr>";
    }
    hint(columns.len() > MAX_NARROW).to_owned() + &scrolling(caption, &(html + "</tbody></table>"))
}

/// The maximum number of columns on a narrow page.
const MAX_NARROW: usize = 3;

/// Returns the hint that a narrow page shows above a part that is wider than the page.
fn hint(is_wide: bool) -> &'static str {
    if is_wide { "<p class=\"hint\" aria-hidden=\"true\">Scroll sideways to see all of it &#8594;</p>" } else { "" }
}

/// Returns a table of facts, by name.
pub(crate) fn facts(caption: &str, facts: &[(&str, String)]) -> String {
    let mut html = format!("<table><caption>{}</caption><tbody>", escaped(caption));
    for (name, what) in facts {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escaped(name), escaped(what));
    }
    scrolling(caption, &(html + "</tbody></table>"))
}

/// Returns a picture with its caption. A table contains its numbers, for readers who cannot see it.
pub(crate) fn figure(caption: &str, (width, height): (f64, f64), drawn: &str) -> String {
    let caption = escaped(caption);
    let svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{caption}; the numbers are in the table\">\
         {drawn}</svg>"
    );
    format!("<figure><figcaption>{caption}</figcaption>{}{}</figure>", hint(true), scrolling(&caption, &svg))
}

/// Escapes a text for HTML, also within a quoted attribute.
///
/// ```
/// assert_eq!(indistinct_report::escaped("a < \"b\""), "a &lt; &quot;b&quot;");
/// ```
pub fn escaped(text: &str) -> String {
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
