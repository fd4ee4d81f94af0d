//! Where two domains of tables differ, in words. Both are public.

use indistinct::frames::FrameDomain;

/// The first difference between what a question is about and a table.
pub(crate) fn difference(asked: &FrameDomain, table: &FrameDomain) -> String {
    let without =
        |one: &FrameDomain, other: &FrameDomain| one.names().iter().find(|name| !other.names().contains(name)).cloned();
    if let Some(name) = without(asked, table) {
        return format!("it has a column {name:?}, which the table has not");
    }
    if let Some(name) = without(table, asked) {
        return format!("the table has a column {name:?}, which it has not");
    }
    if asked.names() != table.names() {
        return format!("its columns are in another order: {:?}, and the table's {:?}", asked.names(), table.names());
    }
    let both = asked.names().iter().zip(asked.columns().iter().zip(table.columns()));
    if let Some((name, (asked, table))) = both.into_iter().find(|(_, (asked, table))| asked != table) {
        return format!("its column {name:?} is {asked:?}, and the table's {table:?}");
    }
    if asked.individuals() != table.individuals() {
        let whose = |domain: &FrameDomain| {
            domain.individuals().map_or("of nobody".into(), |column| format!("of individuals by {column:?}"))
        };
        return format!("its rows are {}, and the table's {}", whose(asked), whose(table));
    }
    "rows without an identifier, or the number of rows, are told otherwise".into()
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
        for (asked, table, told) in [
            (
                of(&[("who", who.clone()), ("weeks", days.clone())]),
                &table,
                "a column \"weeks\", which the table has not",
            ),
            (of(&[("who", who.clone())]), &table, "the table has a column \"days\", which it has not"),
            (of(&[("days", days.clone()), ("who", who.clone())]), &table, "in another order"),
            (of(&[("who", who.clone()), ("days", who)]), &table, "\"days\" is integer, and the table's float"),
            (table.clone(), &people, "are of nobody, and the table's of individuals by \"who\""),
            (people.clone(), &table, "are of individuals by \"who\", and the table's of nobody"),
            (table.clone().with_size(3), &table, "the number of rows"),
        ] {
            let found = difference(&asked, table);
            assert!(found.contains(told), "{found}");
        }
    }
}
