//! The positions of the declared columns in a file.

use crate::{Error, Result, reader::Plan};
use indistinct::frames::FrameDomain;

impl Plan<'_> {
    /// Returns the positions of the columns among these names. If a column is absent, `seen` describes the existing
    /// ones.
    pub(crate) fn positions<'a>(
        &self,
        names: impl Iterator<Item = &'a str> + Clone,
        seen: impl Fn(&str) -> String,
    ) -> Result<Vec<usize>> {
        let places = |name: &str| {
            let places = names.clone().zip(0..).filter(|(listed, _)| *listed == name).map(|(_, place)| place);
            places.take(2).collect::<Vec<usize>>()
        };
        let flag = self.flag.and_then(|place| self.domain.names().get(place));
        if let Some(name) = flag.filter(|name| !places(name).is_empty()) {
            return Err(Error::column(name, "is in the data, but is declared to flag unreadable rows"));
        }
        let position = |name: &str| match places(name).as_slice() {
            [place] => Ok(*place),
            [] => Err(Error::column(name, format!("is not in the data, {}", seen(name)))),
            _ => Err(Error::column(name, "occurs twice in the data")),
        };
        self.columns.iter().map(|column| position(column.name)).collect()
    }
}

/// Describes the columns, for the error that one is missing. Column names are public. But a first line with none or one
/// of the declared names may not be a header, and its cells may be data. If it has one declared name, the declared
/// spelling is printed, not the line's.
pub(crate) fn seen(missing: &str, header: &[String], delimiter: u8, domain: &FrameDomain) -> String {
    let declares = |name: &str| domain.names().iter().any(|listed| folded(listed) == folded(name));
    let separated = format!("separated by {:?}", char::from(delimiter));
    let is_there = |name: &&String| header.iter().any(|written| folded(written) == folded(name));
    let mut found: Vec<&String> = domain.names().iter().filter(is_there).collect();
    found.sort_unstable_by_key(|name| folded(name));
    found.dedup_by_key(|name| folded(name));
    let fields = match header.len() {
        1 => "1 field".to_owned(),
        fields => format!("{fields} fields"),
    };
    match found.as_slice() {
        [] => {}
        [one] => {
            let is_written_so = header.iter().any(|written| written == *one);
            let otherwise = if is_written_so { "" } else { ", written with other spaces or capitals" };
            return format!(
                "whose first line has {fields}, {separated}, and {one:?} is the only declared column among them{otherwise}"
            );
        }
        _ => {
            let all = listed(header.iter().map(String::as_str));
            let near = nearest(missing, header.iter().map(String::as_str));
            return format!("whose columns, {separated}, are {all}{near}");
        }
    }
    let separates = |separator: &char| header.iter().any(|part| part.split(*separator).any(declares));
    let others = [',', ';', '\t', '|'].into_iter().filter(|other| *other != char::from(delimiter));
    let hint = match others.into_iter().find(|separator| separates(separator)) {
        Some(separator) => format!("; it contains declared columns if it is separated by {separator:?}"),
        None => String::new(),
    };
    format!("whose first line has {fields}, {separated}, and no declared column among them{hint}")
}

/// Returns a name in lower case without spaces.
fn folded(name: &str) -> String {
    name.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Returns a hint about a column with almost this name, if there is one.
pub(crate) fn nearest<'a>(missing: &str, mut names: impl Iterator<Item = &'a str>) -> String {
    match names.find(|name| folded(name) == folded(missing)) {
        Some(near) => format!("; {near:?} has other spaces or capitals"),
        None => String::new(),
    }
}

/// The maximum number of names that an error lists.
const MAX_LISTED: usize = 8;

/// Returns names in quotes: if there are many, the first ones and the number of others.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let number = names.clone().count();
    let first: Vec<_> = names.take(MAX_LISTED).map(|name| format!("{name:?}")).collect();
    let more = number.saturating_sub(MAX_LISTED);
    if more == 0 { first.join(", ") } else { format!("{} and {more} more", first.join(", ")) }
}
