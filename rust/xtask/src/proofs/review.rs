//! When a page was last read against its code, and who read it: `2026-11-21 by the authors`.

use chrono::{Days, NaiveDate, Utc};

/// The day of the first page.
const FIRST: Option<NaiveDate> = NaiveDate::from_ymd_opt(2026, 1, 1);

/// What is wrong with a review.
pub(super) fn problem(review: &str) -> Option<String> {
    let Some((date, reader)) = review.split_once(" by ") else {
        return Some("reviewed: must say when the page was read, and by whom: 2026-11-21 by …".to_owned());
    };
    if reader.trim().is_empty() {
        return Some("reviewed: must name who read the page".to_owned());
    }
    // A clock may be wrong by a day, and the world's days differ by one.
    let last = Utc::now().date_naive().checked_add_days(Days::new(2));
    match NaiveDate::parse_from_str(date, "%Y-%m-%d") {
        Ok(day) if date.len() == 10 && Some(day) >= FIRST && Some(day) <= last => None,
        Ok(_) if date.len() == 10 => Some(format!("reviewed: {date} is before the first page, or yet to come")),
        _ => Some(format!("reviewed: {date} is no date")),
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn a_review_is_a_real_day_and_a_name() {
        assert_eq!(problem("2026-11-21 by the authors"), None);
        for (review, told) in [
            ("", "must say when"),
            ("2026-11-21", "must say when"),
            ("2026-11-21 by ", "must name"),
            ("0000-00-00 by the authors", "is no date"),
            ("2026-02-30 by the authors", "is no date"),
            ("2026-1-2 by the authors", "is no date"),
            ("soon by the authors", "is no date"),
            ("9999-12-31 by the authors", "yet to come"),
            ("1999-12-31 by the authors", "before the first page"),
        ] {
            assert!(problem(review).is_some_and(|what| what.contains(told)), "{review}: {:?}", problem(review));
        }
    }
}
