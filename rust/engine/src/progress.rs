//! The display of progress while an engine works.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// The display on standard error, if it is a terminal.
///
/// The amount and the speed of the work reveal the number of rows, which is private unless the caller says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Progress {
    /// No display.
    #[default]
    Silent,
    /// A spinner without a number, which turns at a constant pace and disappears at the end.
    Working,
    /// The number of pieces read, and of partitions done, for data whose size is public.
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

    /// Counts one more item as done; it is displayed only if the size is public.
    pub(crate) fn one_more(self, bar: &ProgressBar, what: &'static str) {
        if self == Self::PublicSize {
            bar.set_message(what);
            bar.inc(1);
        }
    }
}
