//! The difference between two domains of tables, in words. Both are public.

use indistinct::frames::FrameDomain;

/// Returns the first difference between a question's domain and a table's: `None` if the question uses some of the
/// table's columns, in any order, with the same declarations, the same individuals and the same number of rows.
pub(crate) fn difference(asked: &FrameDomain, table: &FrameDomain) -> Option<String> {
    if asked.names().is_empty() {
        return Some("it names no column".into());
    }
    for (name, column) in asked.names().iter().zip(asked.columns()) {
        match table.column(name) {
            Ok(found) if found == column => {}
            Ok(found) => return Some(format!("its column {name:?} is {column:?}, and the table's {found:?}")),
            Err(_) => return Some(format!("it has a column {name:?}, which the table lacks")),
        }
    }
    let whose = |domain: &FrameDomain| (domain.individuals().map(str::to_owned), domain.has_individuals_or_null());
    if whose(asked) != whose(table) {
        let words = |domain: &FrameDomain| match whose(domain) {
            (None, _) => "of nobody".into(),
            (Some(column), false) => format!("of individuals by {column:?}"),
            (Some(column), true) => {
                format!("of individuals by {column:?}, each row without one an individual of its own")
            }
        };
        return Some(format!("its rows are {}, and the table's {}", words(asked), words(table)));
    }
    let size = |domain: &FrameDomain| domain.size().map_or("none".into(), |size| size.to_string());
    let (of_asked, of_table) = (size(asked), size(table));
    (of_asked != of_table)
        .then(|| format!("the number of rows that it states is {of_asked}, and the table's {of_table}"))
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
            (of(&[]), &table, "names no column"),
            (
                or_rows(known.clone()),
                &known,
                "each row without one an individual of its own, and the table's of nobody",
            ),
            (of(&[("who", who.clone()), ("days", who)]), &table, "\"days\" is integer, and the table's float"),
            (table.clone(), &people, "are of nobody, and the table's of individuals by \"who\""),
            (people.clone(), &table, "are of individuals by \"who\", and the table's of nobody"),
            (table.clone().with_size(3), &table, "the number of rows that it states is 3"),
            (table.clone(), &table.clone().with_size(3), "states is none, and the table's 3"),
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
