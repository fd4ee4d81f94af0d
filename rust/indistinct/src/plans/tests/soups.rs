//! Texts that were plans before something happened to them.

use super::super::FrameMeasurement;
use std::panic::catch_unwind;

const PLANS: [&str; 3] = [
    r#"version = 2
individuals = "id"
metric = "SymmetricIdDistance"
[columns]
id = "text"
ward = "text(missing)"
day = "date"
days = "float(0.0..=30.0, missing)"
sex = "category(\"f\", \"m\")"
[[steps]]
make = "filter_rows"
condition = "year(day) == 2026 and not is_null(ward) or sex in [\"f\"] or days > 2.5"
[[steps]]
make = "window_per_individual"
by = ["ward"]
columns = [["stays", "count()"], ["first", "first(days, day)"]]
[[steps]]
make = "bound_groups"
by = ["sex"]
max_groups = 1
max_rows = 3
[[steps]]
make = "with_columns"
columns = [["days", "clamp(fill_null(days, 0.0), 0.0, 30.0)"], ["key", "lookup((ward, sex), {(\"a\", \"f\"): 0, else 1})"]]
[[steps]]
make = "bound_rows"
columns = ["key", "days"]
max_rows = 2
[[steps]]
make = "composition"
measurements = [
    [
        { make = "sum_column_by", place = "key", places = 2, column = "days", output_metric = "L1Distance" },
        { make = "laplace", scale = [120.0, "grid 2^-10"] },
    ],
    [
        { make = "count_rows_by", place = "key", places = 2, output_metric = "L1Distance" },
        { make = "laplace", scale = 4 },
    ],
]
[[steps]]
make = "group_means"
bounds = [0.0, 30.0]
"#,
    r#"version = 2
rows = 40
metric = "ChangeOneDistance"
[columns]
x = "float(-1.0..=10.5)"
n = "integer(0..=9)"
[[steps]]
make = "count_rows_by"
place = "n"
places = 5
output_metric = "LInfDistance(monotonic)"
[[steps]]
make = "noisy_top_k"
output_measure = "ZeroConcentratedDivergence"
k = 2
scale = 2.0
[[steps]]
make = "positions_to_categories"
names = ["a", "b", "none", "inf", "1"]
[[steps]]
make = "zCDP_to_approxDP"
[[steps]]
make = "fix_delta"
delta = 1e-6
"#,
    r#"{"columns":[["x","float"],["odd \"name\"","bool"]],"metric":"HammingDistance","steps":[{"columns":[["x","clamp(x, 0.0, 0.1)"]],"make":"with_columns"},{"columns":["x"],"make":"rows"},{"make":"sum"},{"make":"gaussian","output_measure":"GaussianDivergence","scale":{"float":"0.5"}},{"make":"GDP_to_PLD"},{"make":"PLD_to_approxDP"}],"version":2}"#,
];

/// What is put in the place of something.
const WORDS: [&str; 40] = [
    "\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "\n",
    "[[steps]]\n",
    "make = \"sum\"\n",
    "make = \"laplace\"\nscale = 1\n",
    "-1",
    "1e400",
    "nan",
    "-inf",
    "9223372036854775808",
    "0x10",
    "1979-05-27",
    "true",
    "{ none = true }",
    "null",
    "{\"float\":\"NaN\"}",
    "{\"float\":1}",
    "\"rows\"",
    "\"composition\"",
    "measurements = [[]]",
    "key = \"ward\"",
    "missing",
    "(((((((((",
    "not not not",
    "\\u0000",
    "é",
    "make",
    "steps",
    "\"i64\"",
    "individuals = \"x\"",
    "rows = 99999999999999",
    "\"MaxDivergence\"",
    "..=",
    "#",
];

struct Draws(u64);

impl Draws {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % below.max(1)
    }

    /// A part of a text between two places.
    fn part<'a>(&mut self, text: &'a [char]) -> &'a [char] {
        let (start, length) = (self.next(text.len()), self.next(24));
        &text[start..text.len().min(start + length)]
    }
}

fn changed(text: &str, others: &[Vec<char>], draws: &mut Draws) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=draws.next(3) {
        let at = draws.next(text.len());
        let end = text.len().min(at + draws.next(20));
        match draws.next(5) {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..at, WORDS[draws.next(WORDS.len())].chars())),
            2 => drop(text.splice(at..end, WORDS[draws.next(WORDS.len())].chars())),
            3 => {
                let other = &others[draws.next(others.len())];
                let part = draws.part(other).to_vec();
                drop(text.splice(at..end, part));
            }
            // A digit for a digit, where there is one: numbers of all sizes.
            _ => {
                if let Some(digit) = text[at..].iter_mut().find(|letter| letter.is_ascii_digit()) {
                    *digit = char::from(b'0' + u8::try_from(draws.next(10)).unwrap());
                }
            }
        }
    }
    text.into_iter().collect()
}

/// Nothing panics; and what is read is written and read again as the same.
#[test]
fn changed_plans_are_refused_or_built() {
    let seed = 0x2026_1123;
    let rounds = if std::env::var_os("TEST_DEEP").is_some() { 1_000_000 } else { 6_000 };
    let others: Vec<Vec<char>> = PLANS.iter().map(|text| text.chars().collect()).collect();
    let read = |text: &str| {
        if text.starts_with('{') { FrameMeasurement::from_json(text) } else { FrameMeasurement::from_toml(text) }
    };
    let mut draws = Draws(seed);
    let mut built = 0;
    for plan in PLANS {
        read(plan).unwrap_or_else(|error| panic!("{error}: {plan}"));
    }
    for round in 0..rounds {
        let text = changed(PLANS[round % PLANS.len()], &others, &mut draws);
        let outcome = catch_unwind(|| {
            let Ok(measurement) = read(&text) else { return false };
            let json = measurement.to_json().unwrap();
            assert_eq!(FrameMeasurement::from_json(&json).unwrap().to_json().unwrap(), json);
            let toml = measurement.to_toml().unwrap();
            assert_eq!(FrameMeasurement::from_toml(&toml).unwrap().to_json().unwrap(), json);
            true
        });
        built += u32::from(outcome.unwrap_or_else(|_| panic!("seed {seed}, round {round}: {text}")));
    }
    println!("{built} of {rounds} were built");
    assert!(built > u32::try_from(rounds / 50).unwrap(), "{built}");
}
