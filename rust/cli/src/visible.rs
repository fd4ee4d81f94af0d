//! Texts without characters that a terminal acts upon.

use indistinct::{frames::Cell, queries::cell_in_words};

/// A text with what a terminal would act upon as escapes.
pub(crate) fn visible(text: &str) -> String {
    cell_in_words(&Cell::Text(text.to_owned()))
}

/// Returns true if a terminal acts upon a character.
pub(crate) fn acts(character: char) -> bool {
    let text = character.to_string();
    visible(&text) != text
}
