//! Days and times from texts, as they are written in a format.

use chrono::{
    NaiveDate, NaiveDateTime, NaiveTime,
    format::{Item, Parsed, StrftimeItems, parse},
};
use indistinct::frames::Kind;
use std::fmt::Write;

/// Ways in which a date or a time may be written; the first that fits counts.
pub(crate) struct Format<'a>(Vec<Vec<Item<'a>>>);

const ISO_TIMES: [&str; 5] =
    ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"];

impl<'a> Format<'a> {
    /// Such as `2026-11-23`.
    pub(crate) fn iso_dates() -> Self {
        Self(vec![StrftimeItems::new("%Y-%m-%d").collect()])
    }

    /// Such as `2026-11-23T06:17:45.25`, or with a space for the T, without the seconds, or a day, which begins then.
    pub(crate) fn iso_times() -> Self {
        Self(ISO_TIMES.iter().map(|format| StrftimeItems::new(format).collect()).collect())
    }

    /// A format of the caller's; nothing if what it writes does not say the day, or of times the hour and minute.
    pub(crate) fn new(format: &'a str, kind: Kind) -> Option<Self> {
        let format = Self(vec![StrftimeItems::new(format).collect()]);
        let day = NaiveDate::from_ymd_opt(2013, 11, 28)?;
        let (noon, evening) = (day.and_hms_opt(12, 0, 0)?, day.and_hms_opt(19, 47, 0)?);
        let tells = |sample: NaiveDateTime| {
            let mut text = String::new();
            // Not by `to_string`, which panics where a format makes no sense.
            write!(text, "{}", sample.format_with_items(format.0.first()?.iter())).ok()?;
            Some(match kind {
                Kind::Time => format.time(&text)? == sample.and_utc().timestamp_micros(),
                _ => format.date(&text)? == days(day),
            })
        };
        (tells(noon)? && tells(evening)?).then_some(format)
    }

    /// Days since 1970-01-01.
    pub(crate) fn date(&self, text: &str) -> Option<i64> {
        self.parsed(text).find_map(|parsed| parsed.to_naive_date().ok()).map(days)
    }

    /// Microseconds since 1970-01-01 00:00, rounded down.
    pub(crate) fn time(&self, text: &str) -> Option<i64> {
        let time = |parsed: Parsed| match parsed.to_naive_datetime_with_offset(0) {
            Ok(time) => Some(time),
            Err(_) if parsed.hour_mod_12().is_none() => Some(parsed.to_naive_date().ok()?.and_time(NaiveTime::MIN)),
            Err(_) => None,
        };
        Some(self.parsed(text).find_map(time)?.and_utc().timestamp_micros())
    }

    fn parsed(&self, text: &str) -> impl Iterator<Item = Parsed> {
        self.0.iter().filter_map(move |items| {
            let mut parsed = Parsed::new();
            parse(&mut parsed, text, items.iter()).ok().map(|()| parsed)
        })
    }
}

fn days(date: NaiveDate) -> i64 {
    date.signed_duration_since(NaiveDate::default()).num_days()
}
