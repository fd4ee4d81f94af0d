//! A picture as text: boxes, lines and words on white, so that it is read in the dark as well.

use std::fmt::Write;

pub(super) const INK: &str = "#222222";
pub(super) const GRAY: &str = "#8a8a8a";
pub(super) const ORANGE: &str = "#c04a00";
pub(super) const BLUE: &str = "#1f5fa8";
pub(super) const PALE_BLUE: &str = "#e3ecf7";
pub(super) const PALE_ORANGE: &str = "#fff0e6";
pub(super) const PALE: &str = "#f7f7f7";

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

    /// Several lines of words, one below the other.
    pub(super) fn lines(&mut self, (x, y): (i32, i32), lines: &[&str], look: (&str, &str)) {
        let mut below = y;
        for words in lines {
            self.words((x, below), words, look);
            below += 18;
        }
    }

    /// A line through points.
    pub(super) fn curve(&mut self, points: impl IntoIterator<Item = (f64, f64)>, color: &str) {
        let points = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
        self.add(&format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"));
    }

    /// A thick bar from one place to another, with a mark.
    pub(super) fn bar(&mut self, (from, to): (f64, f64), mark: Option<f64>, y: i32, color: &str) {
        let width = (to - from).max(1.0);
        self.add(&format!(
            "<rect x=\"{from:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"12\" fill=\"{color}\" opacity=\"0.35\"/>",
            y - 6
        ));
        if let Some(x) = mark {
            self.add(&format!("<circle cx=\"{x:.1}\" cy=\"{y}\" r=\"2\" fill=\"{color}\"/>"));
        }
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
