//! Tests that expressions and domains are read back from their texts, and that any other text is an error.

use super::{
    interpreter::{Dice, STACK, anything, cases, number, schema},
    *,
};
use crate::core::{Error, ErrorKind, Fallible, Parameter, ToParameter};
use proptest::prelude::*;
use std::{fmt::Debug, str::FromStr};

/// Names of columns and labels with meanings, signs and letters of their own.
const NAMES: [&str; 41] = [
    "a",
    "and",
    "or",
    "not",
    "in",
    "else",
    "true",
    "false",
    "missing",
    "inf",
    "NaN",
    "nan",
    "col",
    "when",
    "lookup",
    "text_key",
    "cast",
    "date",
    "individuals",
    "rows",
    "integer",
    "two words",
    "",
    "\"",
    "\\",
    "\\\"",
    "'",
    "\n",
    "\r\t\0",
    "é",
    "e\u{301}",
    "\u{301}",
    "🦀",
    "1a",
    "1",
    "_",
    "x-1",
    "a\"; 5 rows",
    "\u{202e}",
    "\u{ad}",
    "ǅ²",
];

fn name(dice: &mut Dice) -> String {
    dice.pick(&NAMES).to_owned()
}

fn expression(dice: &mut Dice) -> Expr {
    let mut schema = schema();
    if dice.one_in(2) {
        schema.names = schema.names.iter().map(|_| name(dice)).collect();
        schema.domains = schema.domains.iter().map(|_| column(dice)).collect();
    }
    let depth = dice.below(6);
    let expression = anything(dice, &schema, depth);
    if dice.one_in(4) { expression.fill_null(lit(name(dice))) } else { expression }
}

fn column(dice: &mut Dice) -> ColumnDomain {
    let (x, y) = (number(dice), number(dice));
    let bounded = |column: ColumnDomain| column.clone().with_bounds(x.min(y), x.max(y)).unwrap_or(column);
    let column = match dice.below(9) {
        0 => ColumnDomain::float(),
        1 => bounded(ColumnDomain::float()),
        2 => ColumnDomain::integer(),
        3 => bounded(ColumnDomain::integer()),
        4 => ColumnDomain::bool(),
        5 => ColumnDomain::text(),
        6 => ColumnDomain::date(),
        7 => ColumnDomain::time(),
        _ => {
            let labels: std::collections::BTreeSet<String> = (0..=dice.below(4)).map(|_| name(dice)).collect();
            ColumnDomain::category(labels).unwrap()
        }
    };
    if dice.one_in(2) { column.with_missing() } else { column }
}

fn frames(dice: &mut Dice) -> FrameDomain {
    let names: std::collections::BTreeSet<String> = (0..dice.below(5)).map(|_| name(dice)).collect();
    let frames = FrameDomain::new(names.iter().map(|name| (name, column(dice)))).unwrap();
    let individuals = name(dice);
    let named = frames.clone().with_individuals(&individuals);
    let frames = named.or_else(|_| frames.clone().with_individuals_or_null(&individuals)).unwrap_or(frames);
    match dice.below(3) {
        0 => frames.with_size(dice.below(1 << 40)),
        1 => frames.with_size(dice.pick(&[0, 1, usize::MAX])),
        _ => frames,
    }
}

fn read<T: FromStr<Err = Error>>(text: &str) -> Fallible<T> {
    text.parse()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(200_000), max_shrink_iters: 0, ..ProptestConfig::default() })]

    /// Tables are short, so that all of both texts is there.
    #[test]
    fn what_is_written_of_an_expression_is_read(seed in any::<u64>()) {
        let expression = expression(&mut Dice(seed));
        for text in [format!("{expression}"), format!("{expression:#}")] {
            prop_assert_eq!(read::<Expr>(&text).map_err(|error| format!("{text}: {error}")), Ok(expression.clone()));
        }
    }

    #[test]
    fn what_is_written_of_a_domain_is_read(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let (column, frames) = (column(dice), frames(dice));
        prop_assert_eq!(read::<ColumnDomain>(&format!("{column:?}")), Ok(column));
        prop_assert_eq!(read::<FrameDomain>(&format!("{frames:?}")), Ok(frames));
    }

    /// Two texts of one expression are of equal ones, and different expressions have different texts.
    #[test]
    fn texts_are_equal_where_expressions_are(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let (one, other) = (anything(dice, &schema(), 1), anything(dice, &schema(), 1));
        prop_assert_eq!(one == other, one.to_parameter() == other.to_parameter(), "{} {}", one, other);
    }
}

/// Reading returns an error, or a value that is written in the same way as it was read.
fn ends<T: FromStr<Err = Error> + PartialEq + Debug>(text: &str, written: impl Fn(&T) -> String) -> bool {
    match read::<T>(text) {
        Ok(value) => {
            let again = written(&value);
            assert_eq!(read::<T>(&again).as_ref(), Ok(&value), "{text:?}: {again}");
            assert_eq!(again, written(&read(&again).unwrap()), "{text:?}");
            true
        }
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Parameter("expression" | "domain")), "{text:?}: {error}");
            false
        }
    }
}

fn any_ends(text: &str) -> bool {
    ends::<Expr>(text, |expression| format!("{expression:#}"))
        | ends::<ColumnDomain>(text, |domain| format!("{domain:?}"))
        | ends::<FrameDomain>(text, |domain| format!("{domain:?}"))
}

const PIECES: [&str; 76] = [
    "x",
    "y",
    "age",
    "and",
    "or",
    "not",
    "in",
    "else",
    "true",
    "false",
    "missing",
    "inf",
    "NaN",
    "0",
    "1",
    "-1",
    "2.5",
    "1e9",
    "-0.0",
    "9223372036854775808",
    "-9223372036854775808",
    "\"a\"",
    "\"\"",
    "\"\\u{e9}\"",
    "\"",
    "\\",
    "+",
    "-",
    "*",
    "/",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "=",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "..=",
    ".",
    "when(",
    "cast(",
    "cut(",
    "fill_null(",
    "min(",
    "clamp(",
    "col(\"a\")",
    "lookup((x)",
    "lookup(",
    "integer",
    "float",
    "text",
    "category(",
    "FrameDomain(",
    "individuals",
    "rows",
    "year(",
    "is_null(",
    "fill_null(x, 1)",
    "x in [1, 2]",
    "(x)",
    "{(1): 2, else 3}",
    "\"a\": integer",
    "é",
    "\u{301}",
    "\0",
    "#",
    "'",
];

#[test]
fn soups_of_words_end() {
    let (dice, mut found) = (&mut Dice(20261123), 0);
    for _ in 0..cases(1_000_000) {
        let mut text = String::new();
        for _ in 0..=dice.below(9) {
            text.push_str(dice.pick(&PIECES));
            text.push_str(dice.pick(&["", " ", " ", "\n"]));
        }
        found += u32::from(any_ends(&text));
    }
    assert!(found > cases(20_000), "{found}");
}

#[test]
fn texts_that_are_changed_end() {
    let (dice, mut found) = (&mut Dice(7), 0);
    let mut text = String::new();
    for round in 0..cases(500_000) {
        if round % 4 == 0 {
            text = match dice.below(4) {
                0 => format!("{:?}", column(dice)),
                1 => format!("{:?}", frames(dice)),
                _ => format!("{:#}", expression(dice)),
            };
        }
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..=dice.below(3) {
            let (at, other) = (dice.below(letters.len() + 1), dice.below(letters.len() + 1));
            match dice.below(4) {
                0 => letters.truncate(if dice.one_in(4) { at } else { letters.len() }),
                1 => letters.splice(at..at, dice.pick(&PIECES).chars()).for_each(drop),
                2 => letters.splice(at.min(other)..at.max(other).min(at + 3).max(at.min(other)), []).for_each(drop),
                _ => {
                    let letter = letters.get(other).copied().unwrap_or('(');
                    letters.iter_mut().skip(at).take(1).for_each(|found| *found = letter);
                }
            }
        }
        found += u32::from(any_ends(&letters.iter().collect::<String>()));
    }
    assert!(found > cases(20_000), "{found}");
}

/// On a small stack, an expression that is too deep is refused, and the deepest allowed expression is written and read.
#[test]
fn no_text_is_too_deep_or_too_long() {
    let run = || {
        for open in [
            "(",
            "-",
            "not ",
            "- ",
            "-(",
            "not (",
            "fill_null(",
            "x + (",
            "x * -(",
            "when(x, ",
            "lookup((",
            "cast(",
            "cut(",
            "clamp(",
            "year(",
            "min(x, ",
            "x == (",
            "(x) in [",
            "when(x, x, -(",
        ] {
            let error = read::<Expr>(&open.repeat(100_000)).unwrap_err().to_string();
            assert!(error.contains("at character"), "{open}: {error}");
        }
        for (first, more) in [("x", " + 1"), ("x", " and x"), ("x", " * x - 1"), ("(x == 1)", " or (x in [1])")] {
            let text = format!("{first}{}", more.repeat(10_000));
            assert!(read::<Expr>(&text).unwrap_err().to_string().contains("at most 4096 parts"));
        }
        let inside: [fn(Expr) -> Expr; 15] = [
            |x| lit(1) - x,
            |x| x - 1,
            |x| -x,
            |x| -(x * 2),
            |x| !x,
            |x| !(x | col("y")),
            |x| lit(1).eq(x),
            |x| (col("y") + x).eq(-1),
            |x| x.is_null(),
            |x| lit(1).fill_null(x),
            |x| when(1, 2, x),
            |x| -x.cast(ColumnDomain::category(["a", "b"]).unwrap().with_missing()),
            |x| text_key([lit(1), x]),
            |x| lookup([lit(1), x], [(vec![Cell::from(1), Cell::Missing], 2.5)]),
            |x| col("y") & !(lit(2) * -x).cut([-1.0, f64::INFINITY]),
        ];
        for inside in inside {
            let mut deepest = col("x");
            while inside(deepest.clone()).depth() > deepest.depth() {
                deepest = inside(deepest);
            }
            assert!((96..=100).contains(&deepest.depth()), "{deepest}");
            let text = format!("{deepest:#}");
            assert_eq!(read::<Expr>(&text).unwrap(), deepest);
            assert_eq!(format!("{:?}", inside(inside(inside(inside(inside(deepest)))))), "Expr(too large)");
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

/// Texts in the form in which people write them.
#[test]
fn operators_bind_as_usual() {
    let (x, y) = (|| col("x"), || col("y"));
    for (text, same) in [
        ("x-1", x() - 1),
        ("x -1", x() - 1),
        ("x- 1", x() - 1),
        ("x - -1", x() - -1),
        ("x--1", x() - -1),
        ("-1", lit(-1)),
        ("- 1", -lit(1)),
        ("-(1)", -lit(1)),
        ("-x", -x()),
        ("--x", -(-x())),
        ("-x * y", -x() * y()),
        ("-(x * y)", -(x() * y())),
        ("2*x-1", lit(2) * x() - 1),
        ("(x)-1", x() - 1),
        ("length(x)-1", x().length() - 1),
        ("col(\"two words\")-1", col("two words") - 1),
        ("x - y - 1", x() - y() - 1),
        ("x - (y - 1)", x() - (y() - 1)),
        ("x / y * 2", x() / y() * 2),
        ("x + y * 2", x() + y() * 2),
        ("x + 1 == y - 1", (x() + 1).eq(y() - 1)),
        ("not x == y", !x().eq(y())),
        ("not x and y", !x() & y()),
        ("not not x", !!x()),
        ("x or y and not x", x() | (y() & !x())),
        ("x and y or x", (x() & y()) | x()),
        ("(x == y) == true", x().eq(y()).eq(true)),
        ("x in [1, -1, missing]", x().is_in([Cell::from(1), Cell::from(-1), Cell::Missing])),
        ("x in []", x().is_in(Vec::<Cell>::new())),
        ("not x + 1 in [-inf]", !(x() + 1).is_in([f64::NEG_INFINITY])),
        ("clamp(x, -1, 1.0)", x().clamp(-1, 1.0)),
        ("clamp(x, -inf, inf)", x().clamp(f64::NEG_INFINITY, f64::INFINITY)),
        ("cut(x, [-1, 0.5])", x().cut([-1.0, 0.5])),
        ("cut(x, [missing, NaN, inf, -inf])", { x().cut([f64::NAN, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) }),
        ("cast(x, integer(-5..=-1))", x().cast(ColumnDomain::integer().with_bounds(-5.0, -1.0).unwrap())),
        ("-9223372036854775808", lit(i64::MIN)),
        ("x + -9223372036854775808", x() + i64::MIN),
        ("1.0", lit(1.0)),
        ("1e2", lit(100.0)),
        ("-0.0", lit(0.0)),
        ("NaN", lit(Cell::Missing)),
        ("lookup((x, y), {(1, \"a\"): true, (missing, missing): false, else missing})", {
            lookup([x(), y()], [(vec![1.into(), "a".into()], true), (vec![Cell::Missing, Cell::Missing], false)])
        }),
        ("text_key(x, y + 1)", text_key([x(), y() + 1])),
        ("min(max(x, 1), fill_null(y, 2))", x().max(1).min(y().fill_null(2))),
        ("when(x, col(\"in\"), \"in\\n\\u{1F980}\")", when(x(), col("in"), "in\n🦀")),
    ] {
        assert_eq!(read::<Expr>(text).unwrap(), same, "{text}");
    }
}

/// Expressions that look alike, and are not.
#[test]
fn what_differs_is_written_differently() {
    let (x, y) = (|| col("x"), || col("y"));
    let pairs = [
        (lit(1), lit(1.0), "1", "1.0"),
        (lit(-1), -lit(1), "-1", "-(1)"),
        (lit("x"), x(), "\"x\"", "x"),
        (lit(true), col("true"), "true", "col(\"true\")"),
        (lit(Cell::Missing), col("missing"), "missing", "col(\"missing\")"),
        (lit(f64::INFINITY), col("inf"), "inf", "col(\"inf\")"),
        (x() - (y() - 1), x() - y() - 1, "x - (y - 1)", "x - y - 1"),
        (x().eq(y()).eq(1), x().eq(y().eq(1)), "(x == y) == 1", "x == (y == 1)"),
        (!(x().eq(1)), (!x()).eq(1), "not x == 1", "(not x) == 1"),
        (-(x() + 1), -x() + 1, "-(x + 1)", "-x + 1"),
        (-(x() * y()), -x() * y(), "-(x * y)", "-x * y"),
        (col("x and y"), x() & y(), "col(\"x and y\")", "x and y"),
        (col("a\") + col(\"b"), col("a") + col("b"), "col(\"a\\\") + col(\\\"b\")", "a + b"),
        (col("e\u{301}"), col("é"), "col(\"e\\u{301}\")", "é"),
    ];
    for (one, other, text, of_other) in pairs {
        assert_eq!((one.to_string().as_str(), other.to_string().as_str()), (text, of_other));
        assert!(one != other && one.to_parameter() != other.to_parameter());
        assert_eq!((read(text), read(of_other)), (Ok(one), Ok(other)));
    }
    // The fifth row of a table and what follows show in a plan, though not where it is printed.
    let table = |last: i64| x().replace((0..9).map(|key| (key, if key == 8 { last } else { key })));
    assert_eq!(table(1).to_string(), table(2).to_string());
    assert!(table(1).to_parameter() != table(2).to_parameter());
    assert!(table(1).to_string().ends_with("(3): 3, and 5 more, else missing})"), "{}", table(1));
    assert!(read::<Expr>(&table(1).to_string()).unwrap_err().to_string().contains("expected `(`"));
    assert_eq!(read(&format!("{:#}", table(1))), Ok(table(1)));
}

/// The sign of a zero makes no difference, and neither does NaN instead of a missing value; the plans are the same,
/// too.
#[test]
fn equal_expressions_have_one_text() {
    let nan = f64::from_bits(0xfff8_0000_0000_0001);
    for (one, other) in [
        (lit(-0.0), lit(0.0)),
        (lit(nan), lit(Cell::Missing)),
        (col("x").clamp(-0.0, nan), col("x").clamp(0.0, Cell::Missing)),
        (col("x").cut([-0.0, 1.0]), col("x").cut([0.0, 1.0])),
        (col("x").cut([-nan, 1.0]), col("x").cut([f64::NAN, 1.0])),
        (col("x").replace([(nan, -0.0)]), col("x").replace([(Cell::Missing, 0.0)])),
        (col("x").is_in([-0.0]), col("x").is_in([0.0])),
    ] {
        assert_eq!(one, other);
        assert_eq!(one.to_parameter(), other.to_parameter());
        assert!(matches!(one.to_parameter(), Parameter::Text(text) if read(&text) == Ok(other)));
    }
}

#[test]
fn errors_name_the_character() {
    for (text, told) in [
        ("", "at character 1: expected a value"),
        ("x +", "at character 4: expected a value"),
        ("x y", "at character 3: expected the end"),
        ("(x", "at character 3: expected `)`"),
        ("x = 1", "at character 3: the character '=' has no meaning here"),
        ("x and and y", "at character 7: expected a value"),
        ("1 < x < 3", "at character 7: put a comparison of a comparison in parentheses"),
        ("1 < x in [true]", "at character 7: put a comparison of a comparison in parentheses"),
        ("x in [1] in [true]", "at character 10: put a comparison of a comparison in parentheses"),
        ("x in [1", "at character 8: expected `,`"),
        ("x in [y]", "at character 7: expected a value"),
        ("x == not y", "at character 6: expected a value"),
        ("  sqrt(x)", "at character 3: unknown function \"sqrt\""),
        ("year(x, y)", "at character 1: expected 1 argument, not 2"),
        ("cast(x, number)", "at character 9: expected a type"),
        ("cut(x, [y])", "at character 9: expected a number"),
        ("clamp(x, y, 1)", "at character 10: expected a value"),
        ("col(x)", "at character 5: expected text in quotes"),
        ("lookup((x), {(1): 2})", "at character 20: expected `,`"),
        ("x == \"é\" ?", "at character 10: the character '?'"),
        ("-9223372036854775809", "at character 1: -9223372036854775809 is not a 64-bit number"),
        ("- 9223372036854775808", "at character 3: the number is out of range"),
    ] {
        let error = read::<Expr>(text).unwrap_err();
        assert!(error.to_string().starts_with(&format!("parameter expression: {told}")), "{text}: {error}");
    }
    for (text, told) in [
        ("", "at character 1: expected a type"),
        ("integers", "at character 1: expected a type"),
        ("integer(5..=1)", "at character 9: parameter bounds: the lower bound"),
        ("integer(0.5..=1)", "at character 9: expected a whole number"),
        ("float(0..=inf)", "at character 7: parameter bounds: must be finite"),
        ("float(0..=1, 2..=3)", "at character 14: expected `missing`"),
        ("text(missing, missing)", "at character 15: expected `)`"),
        ("bool(1..=2)", "at character 6: expected `missing`"),
        ("category", "at character 1: parameter labels: must not be empty"),
        ("category(\"a\", \"a\")", "at character 1: parameter labels: must be distinct"),
        ("category(a)", "at character 10: expected text in quotes"),
        ("date time", "at character 6: expected the end"),
    ] {
        let error = read::<ColumnDomain>(text).unwrap_err();
        assert!(error.to_string().starts_with(&format!("parameter domain: {told}")), "{text}: {error}");
    }
    for (text, told) in [
        ("\"a\": text", "at character 1: expected `FrameDomain`"),
        ("FrameDomain(a: text)", "at character 13: expected text in quotes"),
        ("FrameDomain(\"a\": text, \"a\": bool)", "at character 12: parameter columns: the name \"a\" is repeated"),
        ("FrameDomain(\"a\": float; individuals \"a\")", "at character 25: parameter individuals: the column \"a\""),
        ("FrameDomain(\"a\": text; individuals \"b\")", "at character 24: parameter columns: there is no column"),
        ("FrameDomain(\"a\": text; -5 rows)", "at character 24: the number is out of range"),
        ("FrameDomain(\"a\": text; 5 rows; 6 rows)", "at character 32: expected `)`"),
        ("FrameDomain(\"a\": text; 5)", "at character 25: expected `rows`"),
        ("FrameDomain(\"a\": text;)", "at character 23: expected a whole number"),
        ("FrameDomain(\"a\": text", "at character 22: expected `,`"),
    ] {
        let error = read::<FrameDomain>(text).unwrap_err();
        assert!(error.to_string().starts_with(&format!("parameter domain: {told}")), "{text}: {error}");
    }
}
