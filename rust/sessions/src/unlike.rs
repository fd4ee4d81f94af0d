//! The difference between two domains of tables, in words. Both are public.

use indistinct::frames::FrameDomain;

/// Returns the first difference between a question's domain and a table's: `None` if the question uses some of the
/// table's columns, in any order, with the same declarations, the same individuals and the same number of rows.
pub(crate) fn difference(asked: &FrameDomain, table: &FrameDomain) -> Option<String> {
    if asked.names().is_empty() {
        return Some("the question has no columns".into());
    }
    for (name, column) in asked.names().iter().zip(asked.columns()) {
        match table.column(name) {
            Ok(found) if found == column => {}
            Ok(found) => {
                return Some(format!(
                    "the question declares the column {name:?} as {column:?}, but the table declares it as {found:?}"
                ));
            }
            Err(_) => return Some(format!("the question has a column {name:?}, which the table lacks")),
        }
    }
    let whose = |domain: &FrameDomain| (domain.individuals().map(str::to_owned), domain.has_individuals_or_null());
    if whose(asked) != whose(table) {
        let words = |domain: &FrameDomain| match whose(domain) {
            (None, _) => "without individuals".into(),
            (Some(column), false) => format!("of individuals identified by {column:?}"),
            (Some(column), true) => {
                format!(
                    "of individuals identified by {column:?}, where each row without an identifier is an individual of its own"
                )
            }
        };
        return Some(format!("the question's rows are {}, but the table's rows are {}", words(asked), words(table)));
    }
    let size = |domain: &FrameDomain| domain.size().map_or("an unknown number of".into(), |size| size.to_string());
    let (of_asked, of_table) = (size(asked), size(table));
    (of_asked != of_table)
        .then(|| format!("the question declares {of_asked} rows, but the table declares {of_table} rows"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::frames::ColumnDomain;

    #[test]
    fn each_difference_is_told() {
        let of = |columns: &[(&str, ColumnDomain)]| FrameDomain::new(columns.to_vec()).unwrap();
        let (who, days) = (ColumnDomain::integer(), ColumnDomain::float());
        let table = of(&[("who", who.clone()), ("days", days.clone())]);
        let people = table.clone().with_individuals("who").unwrap();
        let or_rows = |domain: FrameDomain| domain.with_individuals_or_null("who").unwrap();
        let known = of(&[("who", who.clone().with_missing()), ("days", days.clone())]);
        for (asked, table, told) in [
            (of(&[("who", who.clone()), ("weeks", days.clone())]), &table, "a column \"weeks\", which the table lacks"),
            (of(&[]), &table, "has no columns"),
            (
                or_rows(known.clone()),
                &known,
                "without an identifier is an individual of its own, but the table's rows are without individuals",
            ),
            (
                of(&[("who", who.clone()), ("days", who)]),
                &table,
                "\"days\" as integer, but the table declares it as float",
            ),
            (
                table.clone(),
                &people,
                "without individuals, but the table's rows are of individuals identified by \"who\"",
            ),
            (
                people.clone(),
                &table,
                "of individuals identified by \"who\", but the table's rows are without individuals",
            ),
            (
                table.clone().with_size(3),
                &table,
                "the question declares 3 rows, but the table declares an unknown number of rows",
            ),
            (
                table.clone(),
                &table.clone().with_size(3),
                "declares an unknown number of rows, but the table declares 3 rows",
            ),
        ] {
            let found = difference(&asked, table).unwrap();
            assert!(found.contains(told), "{found}");
        }
    }

    #[test]
    fn some_of_the_columns_in_any_order_are_no_difference() {
        let of = |columns: &[(&str, ColumnDomain)]| FrameDomain::new(columns.to_vec()).unwrap();
        let (who, days) = (("who", ColumnDomain::integer()), ("days", ColumnDomain::float()));
        let table = of(&[who.clone(), days.clone(), ("age", ColumnDomain::integer())]);
        for asked in [of(&[days.clone(), who.clone()]), of(&[days]), table.clone()] {
            assert_eq!(difference(&asked, &table), None);
        }
        let people = |domain: FrameDomain| domain.with_individuals("who").unwrap();
        assert_eq!(difference(&people(of(&[who])), &people(table)), None);
    }
}
