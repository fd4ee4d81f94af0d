//! A picture as text: boxes, lines and words on white, so that it is read in the dark as well.

use std::fmt::Write;

pub(super) const INK: &str = "#222222";
pub(super) const GRAY: &str = "#8a8a8a";
pub(super) const ORANGE: &str = "#c04a00";

pub(super) struct Picture {
    width: i32,
    height: i32,
    title: String,
    body: String,
}

impl Picture {
    /// The title is what is read to those who do not see the picture.
    pub(super) fn new(width: i32, height: i32, title: &str) -> Self {
        Self { width, height, title: title.to_owned(), body: String::new() }
    }

    fn add(&mut self, line: &str) {
        self.body.push_str(line);
        self.body.push('\n');
    }

    /// A box with a word in its middle.
    pub(super) fn labelled(
        &mut self,
        (x, y, width, height): (i32, i32, i32, i32),
        word: &str,
        (line, fill): (&str, &str),
    ) {
        self.add(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"{fill}\" stroke=\"{line}\"/>"
        ));
        self.words((x + width / 2, y + height / 2 + 5), word, (line, "middle"));
    }

    pub(super) fn words(&mut self, (x, y): (i32, i32), words: &str, (color, anchor): (&str, &str)) {
        self.add(&format!("<text x=\"{x}\" y=\"{y}\" fill=\"{color}\" text-anchor=\"{anchor}\">{words}</text>"));
    }

    /// A line, with an arrow at its end, or with dashes.
    pub(super) fn line(&mut self, (x, y): (i32, i32), (to_x, to_y): (i32, i32), (color, look): (&str, &str)) {
        self.add(&format!("<line x1=\"{x}\" y1=\"{y}\" x2=\"{to_x}\" y2=\"{to_y}\" stroke=\"{color}\"{look}/>"));
    }

    pub(super) fn finish(self) -> String {
        let Self { width, height, title, body } = self;
        let mut text = String::new();
        // Writing into a text does not fail.
        let _ = write!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" font-family=\"sans-serif\" font-size=\"14\">\n<title>{title}</title>\n\
             <defs><marker id=\"end\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path d=\"M0 1 L9 5 L0 9 z\" fill=\"{GRAY}\"/></marker></defs>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        );
        text
    }
}

pub(super) const ARROW: &str = " marker-end=\"url(#end)\"";
pub(super) const DASHES: &str = " stroke-dasharray=\"5 4\"";
