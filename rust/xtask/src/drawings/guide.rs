//! The ideas of the guide.

use super::svg::{ARROW, BLUE, GRAY, INK, ORANGE, PALE, PALE_BLUE, PALE_ORANGE, Picture};

/// Each drawing's name and its text.
pub(super) fn draw() -> [(&'static str, String); 4] {
    [("noise", noise()), ("bound", bound()), ("charge", charge()), ("chain", chain())]
}

const WIDTH: i32 = 440;

/// Laplace noise on the counts of two neighbors, and the ratio of the two densities: chapter 1.
fn noise() -> String {
    let (with, without, scale) = (412.0, 411.0, 2.0);
    let (first, last) = (401.0, 422.0);
    let title =
        "The noisy counts of two neighbors, 411 and 412: at every number, one curve is at most 1.65 times the other";
    let mut picture = Picture::new(WIDTH, 330, title);
    let across = |value: f64| 40.0 + (value - first) / (last - first) * 380.0;
    let density = |value: f64, center: f64| (-f64::abs(value - center) / scale).exp();
    let high = |share: f64| 190.0 - 130.0 * share;
    let values = || (0..=420u32).map(|step| first + f64::from(step) / 20.0);
    picture.words((14, 24), "how likely a release is", (INK, "start"));
    picture.words((across_pixel(across(411.0)) - 12, 52), "without: 411", (BLUE, "end"));
    picture.words((across_pixel(across(412.0)) + 12, 52), "with: 412", (ORANGE, "start"));
    for (center, color) in [(without, BLUE), (with, ORANGE)] {
        picture.curve(values().map(|value| (across(value), high(density(value, center)))), color);
    }
    // Where the two are compared.
    let at = 415.0;
    let x = across_pixel(across(at));
    let [low, top] = [without, with].map(|center| across_pixel(high(density(at, center))));
    picture.line((x, 190), (x, top), (GRAY, ""));
    picture.words((x + 8, low - 24), "1.65 times as likely", (INK, "start"));
    picture.line((40, 190), (420, 190), (GRAY, ""));
    picture.words((14, 222), "the ratio of the two", (INK, "start"));
    let ratio = |value: f64| (density(value, with) / density(value, without)).ln() * 2.0;
    let level = |share: f64| 270.0 - 28.0 * share;
    picture.line((40, 270), (420, 270), ("#d5d5d5", ""));
    picture.curve(values().map(|value| (across(value), level(ratio(value)))), INK);
    picture.words((418, 236), "e^0.5 = 1.65", (INK, "end"));
    picture.words((44, 292), "1 / 1.65", (INK, "start"));
    picture.words((34, 274), "1", (GRAY, "end"));
    for value in [405, 410, 415, 420] {
        let x = across_pixel(across(f64::from(value)));
        picture.words((x, 318), &value.to_string(), (GRAY, "middle"));
    }
    picture.finish()
}

/// The whole pixel at or below a place in the picture.
fn across_pixel(place: f64) -> i32 {
    (0..2000).take_while(|pixel| f64::from(*pixel) <= place).last().unwrap_or(0)
}

/// The rows of a table before and after the bound on rows of each individual: chapter 3.
fn bound() -> String {
    let rows = [
        ("Ada", 40, true),
        ("Ada", 60, false),
        ("Ben", 55, true),
        ("Ada", 200, true),
        ("Cem", 80, true),
        ("Ada", 45, false),
    ];
    let title = "Six rows, of which four are Ada's; at most two rows of each individual stay";
    let mut picture = Picture::new(WIDTH, 322, title);
    picture.words((90, 26), "all rows", (INK, "middle"));
    picture.words((340, 26), "at most 2 of each", (INK, "middle"));
    for (place, (name, cost, stays)) in (0..).zip(rows) {
        let y = 40 + place * 38;
        let colors = if name == "Ada" { (ORANGE, PALE_ORANGE) } else { (INK, PALE) };
        picture.labelled((30, y, 120, 28), &format!("{name}, {cost}"), colors);
        if stays {
            picture.labelled((280, y, 120, 28), &format!("{name}, {cost}"), colors);
            picture.line((152, y + 14), (276, y + 14), (GRAY, ARROW));
        } else {
            picture.words((340, y + 19), "left out", (GRAY, "middle"));
        }
    }
    picture.lines((90, 288), &["without Ada:", "4 rows fewer"], (ORANGE, "middle"));
    picture.lines((340, 288), &["without Ada:", "2 rows fewer, at most"], (ORANGE, "middle"));
    picture.finish()
}

/// A release step by step, and what a crash leaves: chapter 5.
fn charge() -> String {
    let steps = [
        ("charge", ["the ledger holds the cost,", "before any data are read"], "then: released, not charged twice"),
        ("draw", ["the ledger holds that noise", "is about to be drawn"], "then: lost, and the charge stands"),
        ("store", ["the ledger holds the answer,", "before anyone sees it"], "then: the stored answer, free"),
        ("show", ["the answer is printed,", "always the same for this name"], ""),
    ];
    let title = "A release is charged, drawn, stored and shown; after a crash the same name continues or gives the stored answer";
    let mut picture = Picture::new(WIDTH, 368, title);
    for (place, (name, says, after)) in (0..).zip(steps) {
        let y = 20 + place * 96;
        picture.labelled((20, y, 96, 44), name, (BLUE, PALE_BLUE));
        picture.lines((132, y + 18), &says, (INK, "start"));
        if !after.is_empty() {
            picture.line((68, y + 46), (68, y + 92), (GRAY, ARROW));
            picture.words((132, y + 72), &format!("crash here, {after}"), (ORANGE, "start"));
        }
    }
    picture.finish()
}

/// Data through transformations and a measurement, with the distance of two neighbors at each place: chapter 8.
fn chain() -> String {
    let data = [
        ("rows", "1 row apart"),
        ("rows in [0, 20]", "1 row apart"),
        ("a number", "20 apart"),
        ("a noisy number", "epsilon 2"),
    ];
    let steps =
        [("clamp to [0, 20]", "transformation"), ("sum", "transformation"), ("Laplace noise, scale 10", "measurement")];
    let title = "Rows are clamped, added up and made noisy; two neighbors are one row, one row and 20 apart, and then epsilon 2";
    let mut picture = Picture::new(WIDTH, 424, title);
    picture.words((120, 26), "the data", (INK, "middle"));
    picture.words((424, 26), "two neighbors", (INK, "end"));
    for (place, (name, distance)) in (0..).zip(data) {
        let y = 40 + place * 112;
        let colors = if distance.starts_with("epsilon") { (ORANGE, PALE_ORANGE) } else { (INK, PALE) };
        picture.labelled((20, y, 200, 32), name, colors);
        picture.words((424, y + 21), distance, (ORANGE, "end"));
    }
    for (place, (name, kind)) in (0..).zip(steps) {
        let y = 40 + place * 112 + 32;
        picture.line((120, y + 2), (120, y + 77), (GRAY, ARROW));
        picture.words((134, y + 34), name, (BLUE, "start"));
        picture.words((134, y + 54), kind, (GRAY, "start"));
        picture.line((400, y + 4), (400, y + 77), (GRAY, ARROW));
    }
    picture.finish()
}
