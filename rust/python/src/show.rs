//! Tables as notebooks and terminals show them.

use indistinct_report::escaped;

/// A table with a line below it.
pub(crate) fn table(head: &[String], rows: &[Vec<String>], below: &str) -> String {
    let line = |row: &Vec<String>, tag: &str| {
        let cells: String = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>")
    };
    let (head, body) = (line(&head.to_vec(), "th"), rows.iter().map(|row| line(row, "td")).collect::<String>());
    format!("<table><thead>{head}</thead><tbody>{body}</tbody></table><p>{}</p>", escaped(below))
}

/// The same in columns of text.
pub(crate) fn text(head: &[String], rows: &[Vec<String>]) -> String {
    let lines: Vec<&[String]> = [head].into_iter().chain(rows.iter().map(Vec::as_slice)).collect();
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    // By hand: a formatter takes no widths beyond 2^16.
    let padded =
        |(cell, width): (&String, &usize)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())));
    let line = |line: &&[String]| {
        let cells: Vec<String> = line.iter().zip(&widths).map(padded).collect();
        cells.join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
