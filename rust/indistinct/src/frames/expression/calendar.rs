//! Days and times as numbers, and their parts.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike};

const EPOCH: NaiveDate = match NaiveDate::from_ymd_opt(1970, 1, 1) {
    Some(date) => date,
    None => NaiveDate::MIN,
};

/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// A part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Year,
    Month,
    Day,
    Weekday,
    Hour,
}

/// The day so many days after 1970-01-01, if the calendar has it.
fn day(days: i64) -> Option<NaiveDate> {
    EPOCH.checked_add_signed(TimeDelta::try_days(days)?)
}

/// The part of a day, counted from 1970-01-01.
pub(super) fn of_day(part: Part, days: i64) -> Option<i64> {
    let day = day(days)?;
    Some(match part {
        Part::Year => day.year().into(),
        Part::Month => day.month().into(),
        Part::Day => day.day().into(),
        Part::Weekday => day.weekday().number_from_monday().into(),
        Part::Hour => 0,
    })
}

/// The part of a time, in microseconds from 1970-01-01.
pub(super) fn of_time(part: Part, microseconds: i64) -> Option<i64> {
    match part {
        Part::Hour => Some(DateTime::from_timestamp_micros(microseconds)?.hour().into()),
        part => of_day(part, microseconds.div_euclid(DAY)),
    }
}

/// The day that a text like `2026-11-23` says.
pub(in super::super) fn parse_date(text: &str) -> Option<i64> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(date.signed_duration_since(EPOCH).num_days())
}

/// The time that a text like `2026-11-23T06:17:45` says, with a `T` or a space and with or without a fraction.
pub(in super::super) fn parse_time(text: &str) -> Option<i64> {
    let formats = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
    let time = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())?;
    Some(time.and_utc().timestamp_micros())
}

/// A day as text, such as `2026-11-23`.
pub(in super::super) fn date_text(days: i64) -> Option<String> {
    Some(day(days)?.format("%Y-%m-%d").to_string())
}

/// A time as text, such as `2026-11-23T06:17:45`.
pub(in super::super) fn time_text(microseconds: i64) -> Option<String> {
    Some(DateTime::from_timestamp_micros(microseconds)?.format("%Y-%m-%dT%H:%M:%S%.f").to_string())
}
