//! What an individual sees while an engine works.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// What is shown on the terminal's second stream, if that is a terminal.
///
/// How far an engine is, and how fast, tells how many rows there are. That is private, unless whoever asks says
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Progress {
    /// Nothing.
    #[default]
    Silent,
    /// That it works: a spinner that turns at its own pace, with no number, and goes away.
    Working,
    /// How many pieces are read, and how many partitions are done: for data whose size is public.
    PublicSize,
}

impl Progress {
    pub(crate) fn bar(self) -> ProgressBar {
        let bar = match self {
            Self::Silent => return ProgressBar::hidden(),
            Self::Working | Self::PublicSize => ProgressBar::new_spinner(),
        };
        let template = if self == Self::PublicSize { "{spinner} {msg} {pos}" } else { "{spinner} working" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    }

    /// One more of these is done; it shows only where that is public.
    pub(crate) fn one_more(self, bar: &ProgressBar, what: &'static str) {
        if self == Self::PublicSize {
            bar.set_message(what);
            bar.inc(1);
        }
    }
}
