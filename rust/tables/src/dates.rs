//! Days and times parsed from texts in a format.

use chrono::{
    FixedOffset, NaiveDate, NaiveTime,
    format::{Fixed, Item, Parsed, StrftimeItems, parse},
};
use indistinct::frames::Kind;
use std::fmt::Write;

/// The format of a column's dates or times.
pub(crate) struct Format<'a>(Vec<Item<'a>>);

/// Parses `+0200`, `+02:00`, `+02` and `Z`; it writes nothing.
const ANY_OFFSET: &str = "%#z";

impl<'a> Format<'a> {
    /// Makes a user-defined format. An offset in it (`%z`, `%:z`) parses `+0200`, `+02:00`, `+02` and `Z`.
    ///
    /// # Errors
    ///
    /// Returns a rule as the error if texts in this format do not determine the day or, for times, the hour, the
    /// minute, and the offset of a zone that they name.
    pub(crate) fn new(format: &'a str, kind: Kind) -> Result<Self, String> {
        let any_offset = StrftimeItems::new(ANY_OFFSET).next().unwrap_or(Item::Error);
        let plain = [Fixed::TimezoneOffset, Fixed::TimezoneOffsetColon].map(Item::Fixed);
        let is_offset = |item: &Item| *item == any_offset || plain.contains(item);
        // What reads any offset writes none.
        let with = |offset: Item<'a>| -> Vec<Item<'a>> {
            let item = |item| if is_offset(&item) { offset.clone() } else { item };
            StrftimeItems::new(format).map(item).collect()
        };
        let (written, format) = (with(Item::Fixed(Fixed::TimezoneOffset)), Self(with(any_offset.clone())));
        let sample = |hour, minute, offset| {
            let time = NaiveDate::from_ymd_opt(2013, 11, 28)?.and_hms_opt(hour, minute, 0)?;
            let sample = time.and_local_timezone(FixedOffset::east_opt(offset)?).single()?;
            let mut text = String::new();
            // Not by `to_string`, which panics where a format makes no sense.
            write!(text, "{}", sample.format_with_items(written.iter())).ok()?;
            let (is_local, is_instant) = match kind {
                Kind::Time => {
                    let read = format.time(&text)?;
                    (read == time.and_utc().timestamp_micros(), read == sample.timestamp_micros())
                }
                _ => {
                    let is_day = format.date(&text)? == days(time.date());
                    (is_day, is_day)
                }
            };
            (is_local || is_instant).then_some((text, is_instant))
        };
        let samples = sample(12, 0, 0).and(sample(19, 47, 0)).zip(sample(19, 47, 5400));
        let ((here, _), (there, is_instant)) = samples.ok_or_else(|| format!("cannot represent every {kind}"))?;
        if here != there && !is_instant {
            return Err(
                "contains names of time zones, which are not supported: use `%z` for the offset of a zone".into()
            );
        }
        Ok(format)
    }

    /// Returns days since 1970-01-01, as written, without regard to the offset.
    pub(crate) fn date(&self, text: &str) -> Option<i64> {
        self.parsed(text)?.to_naive_date().ok().map(days)
    }

    /// Returns microseconds since 1970-01-01 00:00, rounded down, in UTC if the text has an offset.
    pub(crate) fn time(&self, text: &str) -> Option<i64> {
        let parsed = self.parsed(text)?;
        let offset = parsed.offset().unwrap_or(0);
        let time = match parsed.to_naive_datetime_with_offset(offset) {
            Ok(time) => time,
            Err(_) if parsed.hour_mod_12().is_none() => parsed.to_naive_date().ok()?.and_time(NaiveTime::MIN),
            Err(_) => return None,
        };
        time.and_utc().timestamp_micros().checked_sub(i64::from(offset).checked_mul(1_000_000)?)
    }

    fn parsed(&self, text: &str) -> Option<Parsed> {
        let mut parsed = Parsed::new();
        parse(&mut parsed, text, self.0.iter()).ok().map(|()| parsed)
    }
}

fn days(date: NaiveDate) -> i64 {
    date.signed_duration_since(NaiveDate::default()).num_days()
}
