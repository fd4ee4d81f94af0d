//! Where the declared columns are among those of a file.

use crate::{Error, Result, reader::Plan};
use indistinct::frames::FrameDomain;

impl Plan<'_> {
    /// Where the columns that are read are among these. `seen` says what columns there are, where one is not among
    /// them.
    pub(crate) fn positions<'a>(
        &self,
        names: impl Iterator<Item = &'a str> + Clone,
        seen: impl Fn() -> String,
    ) -> Result<Vec<usize>> {
        let places = |name: &str| {
            let places = names.clone().zip(0..).filter(|(listed, _)| *listed == name).map(|(_, place)| place);
            places.take(2).collect::<Vec<usize>>()
        };
        let flag = self.flag.and_then(|place| self.domain.names().get(place));
        if let Some(name) = flag.filter(|name| !places(name).is_empty()) {
            return Err(Error::column(name, "is in the data, and to say which rows could not be read"));
        }
        let position = |name: &str| match places(name).as_slice() {
            [place] => Ok(*place),
            [] => Err(Error::column(name, format!("is not in the data, {}", seen()))),
            _ => Err(Error::column(name, "is in the data twice")),
        };
        self.columns.iter().map(|column| position(column.name)).collect()
    }
}

/// What an error says of the columns. Their names are public; but a first line with none or one of the declared names
/// may be no header: a cell may say the name of a column.
pub(crate) fn seen(header: &[String], delimiter: u8, domain: &FrameDomain) -> String {
    let declares = |name: &str| domain.names().iter().any(|listed| listed == name.trim_ascii());
    let separated = format!("separated by {:?}", char::from(delimiter));
    let mut found: Vec<&str> = header.iter().map(|name| name.trim_ascii()).filter(|name| declares(name)).collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [] => {}
        [one] => {
            let fields = header.len();
            return format!(
                "whose first line has {fields} fields, {separated}, and of the declared columns {one:?} alone"
            );
        }
        _ => return format!("whose columns, {separated}, are {}", listed(header.iter().map(String::as_str))),
    }
    let separates = |separator: &char| header.iter().any(|part| part.split(*separator).any(declares));
    let others = [',', ';', '\t', '|'].into_iter().filter(|other| *other != char::from(delimiter));
    let hint = match others.into_iter().find(|separator| separates(separator)) {
        Some(separator) => format!("; declared columns are there, separated by {separator:?}"),
        None => String::new(),
    };
    format!("whose first line has {} fields, {separated}, and no declared column among them{hint}", header.len())
}

/// The most names that an error lists.
const MAX_LISTED: usize = 8;

/// Names in quotes; of many, the first ones and how many more there are.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let number = names.clone().count();
    let first: Vec<_> = names.take(MAX_LISTED).map(|name| format!("{name:?}")).collect();
    let more = number.saturating_sub(MAX_LISTED);
    if more == 0 { first.join(", ") } else { format!("{} and {more} more", first.join(", ")) }
}
