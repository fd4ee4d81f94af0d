//! Days and times as numbers, and their parts.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta, Timelike};

const EPOCH: NaiveDate = match NaiveDate::from_ymd_opt(1970, 1, 1) {
    Some(date) => date,
    None => NaiveDate::MIN,
};

/// Microseconds in a day.
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

/// Returns the day `days` days after 1970-01-01, if the calendar has it.
fn day(days: i64) -> Option<NaiveDate> {
    EPOCH.checked_add_signed(TimeDelta::try_days(days)?)
}

/// Returns a part of a day, counted from 1970-01-01.
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

/// Returns a part of a time, in microseconds from 1970-01-01.
pub(super) fn of_time(part: Part, microseconds: i64) -> Option<i64> {
    match part {
        Part::Hour => Some(DateTime::from_timestamp_micros(microseconds)?.hour().into()),
        part => of_day(part, microseconds.div_euclid(DAY)),
    }
}

/// Parses a day in ISO order, and returns it in days from 1970-01-01: `2026-11-23`, `2026/11/23` or `20261123`.
///
/// A time of day after it must be midnight as written: `2026-11-23T00:00:00+02:00` is the day 2026-11-23. Cells of
/// files, values in statements and casts of texts are all parsed by this function.
///
/// ```
/// use indistinct::frames::date_from_text;
/// assert_eq!(date_from_text("1970-01-02"), Some(1));
/// assert_eq!(date_from_text("1970-01-02 06:17"), None);
/// ```
pub fn date_from_text(text: &str) -> Option<i64> {
    let (date, rest) = date_of(text.trim_ascii())?;
    let is_midnight = rest.is_empty() || clock_of(rest)?.0 == NaiveTime::MIN;
    is_midnight.then(|| date.signed_duration_since(EPOCH).num_days())
}

/// Parses a time in ISO order, and returns it in microseconds from 1970-01-01 00:00, rounded down.
///
/// The text is a day, which means its midnight, or a day and a time of day, separated by `T` or a space, with or
/// without seconds and a fraction. A zone may follow: `Z`, `UTC`, or an offset such as `+02:00`, `+0200` or `+02`. A
/// time with a zone is converted to UTC. A time without a zone is used as written.
///
/// ```
/// use indistinct::frames::time_from_text;
/// let time = time_from_text("2026-11-23T06:17:45.25Z");
/// assert_eq!(time_from_text("2026-11-23 08:17:45.25+02:00"), time);
/// assert_eq!(time_from_text("2026-11-23 06:17:45.25"), time);
/// assert_eq!(time_from_text("2026-11-23 06:17:45 CET"), None);
/// ```
pub fn time_from_text(text: &str) -> Option<i64> {
    let (date, rest) = date_of(text.trim_ascii())?;
    let (time, offset) = if rest.is_empty() { (NaiveTime::MIN, 0) } else { clock_of(rest)? };
    date.and_time(time).and_utc().timestamp_micros().checked_sub(offset.checked_mul(1_000_000)?)
}

/// Parses a day at the beginning of a text, and returns it with the rest.
fn date_of(text: &str) -> Option<(NaiveDate, &str)> {
    let signed = text.strip_prefix(['+', '-']);
    let (year, rest) = match signed {
        Some(unsigned) => number(unsigned, 4, 6)?,
        None => number(text, 4, 4)?,
    };
    let year = i32::try_from(if text.starts_with('-') { year.checked_neg()? } else { year }).ok()?;
    // The same sign stands before month and day, or none.
    let sign = rest.get(..1).filter(|sign| ["-", "/"].contains(sign)).unwrap_or_default();
    let least = if sign.is_empty() { 2 } else { 1 };
    let (month, rest) = number(rest.strip_prefix(sign)?, least, 2)?;
    let (day, rest) = number(rest.strip_prefix(sign)?, least, 2)?;
    let date = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    Some((date, rest))
}

/// Parses the time of day after a day, with its offset from UTC in seconds, which is 0 without a zone.
fn clock_of(text: &str) -> Option<(NaiveTime, i64)> {
    let rest = text.strip_prefix(['T', 't', ' '])?.trim_ascii_start();
    let (hour, rest) = number(rest, 1, 2)?;
    let (sign, least) = if rest.starts_with(':') { (":", 1) } else { ("", 2) };
    let (minute, mut rest) = number(rest.strip_prefix(sign)?, least, 2)?;
    let (mut second, mut micros) = (0, 0);
    if let Some((seconds, after)) = rest.strip_prefix(sign).and_then(|after| number(after, least, 2)) {
        (second, rest) = (seconds, after);
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            let (places, after) = fraction.split_at_checked(digits).filter(|_| digits > 0)?;
            micros = format!("{:0<6}", places.get(..6).unwrap_or(places)).parse().ok()?;
            rest = after;
        }
    }
    // A leap second is the second after, as Unix counts.
    let (whole, leap) = if second == 60 { (59, 1_000_000) } else { (second, 0) };
    let part = |number: i64| u32::try_from(number).ok();
    let micros = part(i64::checked_add(micros, leap)?)?;
    let time = NaiveTime::from_hms_micro_opt(part(hour)?, part(minute)?, part(whole)?, micros)?;
    Some((time, offset_of(rest.trim_ascii_start())?))
}

/// Returns the number of seconds by which a zone is ahead of UTC.
fn offset_of(zone: &str) -> Option<i64> {
    if zone.is_empty() || ["Z", "UTC", "GMT"].iter().any(|name| zone.eq_ignore_ascii_case(name)) {
        return Some(0);
    }
    let (hours, rest) = number(zone.strip_prefix(['+', '-'])?, 2, 2)?;
    let minutes = match rest.strip_prefix(':').unwrap_or(rest) {
        "" if rest.is_empty() => 0,
        minutes => Some(number(minutes, 2, 2)?).filter(|(_, rest)| rest.is_empty())?.0,
    };
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?;
    if zone.starts_with('-') { seconds.checked_neg() } else { Some(seconds) }
}

/// Parses a number with `least` to `most` digits at the beginning of a text, and returns it with the rest.
fn number(text: &str, least: usize, most: usize) -> Option<(i64, &str)> {
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits).filter(|_| digits >= least)?;
    Some((number.parse().ok()?, rest))
}

/// Returns a day as text, such as `2026-11-23`.
pub(in super::super) fn date_text(days: i64) -> Option<String> {
    Some(day(days)?.format("%Y-%m-%d").to_string())
}

/// Returns a time as text, such as `2026-11-23T06:17:45`.
pub(in super::super) fn time_text(microseconds: i64) -> Option<String> {
    Some(DateTime::from_timestamp_micros(microseconds)?.format("%Y-%m-%dT%H:%M:%S%.f").to_string())
}
