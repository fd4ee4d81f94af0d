//! A second implementation of expressions: an interpreter of single rows, written from the table in the documentation
//! of [`Expr`](super::Expr). The tests compare it with random expressions on random frames, whose arrays have layouts
//! that must not affect the result.

use super::{
    batch::Batch,
    cell::{Cell, Kind},
    column::{Cells, Column},
    domain::{ColumnDomain, FrameDomain, Values},
    *,
};
use crate::{
    core::{Domain, ErrorKind},
    metrics::SymmetricDistance,
};
use arrow_array::{Array, BooleanArray, Float64Array, Int64Array, LargeStringArray};
use arrow_buffer::NullBuffer;
use proptest::prelude::*;
use std::sync::Arc;

/// Numbers out of a seed.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.word() >> 1).unwrap() % n
    }

    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn integer(&mut self) -> i64 {
        i64::from_ne_bytes(self.word().to_ne_bytes())
    }
}

/// A value as its meaning, whatever holds it.
#[derive(Debug, Clone)]
enum Value {
    Missing,
    Float(f64),
    Integer(i64),
    Bool(bool),
    Text(String),
    Label(String),
    Date(i64),
    Time(i64),
}

use Value::Missing;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Type {
    Float,
    Integer,
    Bool,
    Text,
    /// A category from one of two lists of labels.
    Category(usize),
    Date,
    Time,
}

const LABELS: [&[&str]; 2] = [&["a", "b", "1", "true", ""], &["b", "x"]];
const TYPES: [Type; 8] =
    [Type::Float, Type::Integer, Type::Bool, Type::Text, Type::Category(0), Type::Category(1), Type::Date, Type::Time];
const DAY: i64 = 86_400_000_000;

/// A value, or none.
fn some<T>(value: Option<T>, of: impl Fn(T) -> Value) -> Value {
    value.map_or(Missing, of)
}

/// A finite float, or none.
fn finite(x: f64) -> Value {
    if x.is_finite() { Value::Float(x) } else { Missing }
}

/// The float nearest to an integer, as Rust's reader of decimals finds it.
fn nearest(x: i64) -> f64 {
    x.to_string().parse().unwrap()
}

impl Value {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Missing, Missing) => true,
            (Value::Float(x), Value::Float(y)) => x == y,
            (Value::Integer(x), Value::Integer(y))
            | (Value::Date(x), Value::Date(y))
            | (Value::Time(x), Value::Time(y)) => x == y,
            (Value::Bool(x), Value::Bool(y)) => x == y,
            (Value::Text(x), Value::Text(y)) | (Value::Label(x), Value::Label(y)) => x == y,
            _ => false,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Missing)
    }

    fn float(&self) -> Option<f64> {
        match self {
            Value::Float(x) => Some(*x),
            Value::Integer(x) => Some(nearest(*x)),
            _ => None,
        }
    }

    /// The order of two values of one type; numbers of two as floats.
    fn order(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Value::Integer(x), Value::Integer(y))
            | (Value::Date(x), Value::Date(y))
            | (Value::Time(x), Value::Time(y)) => Some(x.cmp(y)),
            (Value::Bool(x), Value::Bool(y)) => Some(x.cmp(y)),
            (Value::Text(x), Value::Text(y)) => Some(x.as_bytes().cmp(y.as_bytes())),
            (Value::Label(x), Value::Label(y)) => Some(x.cmp(y)),
            (x, y) => x.float()?.partial_cmp(&y.float()?),
        }
    }

    fn truth(&self) -> Option<bool> {
        if let Value::Bool(truth) = self { Some(*truth) } else { None }
    }

    fn cell(&self) -> Cell {
        match self {
            Missing => Cell::Missing,
            Value::Float(x) => (*x).into(),
            Value::Integer(x) => (*x).into(),
            Value::Bool(x) => (*x).into(),
            Value::Text(x) | Value::Label(x) => x.clone().into(),
            Value::Date(x) => date_text(*x).unwrap().into(),
            Value::Time(x) => time_text(*x).unwrap().into(),
        }
    }
}

/// Returns year, month and day by Hinnant's algorithm, or `None` outside the range of years.
fn civil(days: i64) -> Option<(i64, i64, i64)> {
    let z = i128::from(days) + 719_468;
    let (era, of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i128::from(month <= 2);
    let all = (i64::try_from(year).ok()?, i64::try_from(month).ok()?, i64::try_from(day).ok()?);
    (-262_143..=262_142).contains(&all.0).then_some(all)
}

fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    (civil(days) == Some((year, month, day))).then_some(days)
}

fn date_text(days: i64) -> Option<String> {
    let (year, month, day) = civil(days)?;
    let year = if (0..=9999).contains(&year) { format!("{year:04}") } else { format!("{year:+05}") };
    Some(format!("{year}-{month:02}-{day:02}"))
}

fn time_text(time: i64) -> Option<String> {
    let (second, micros) = (time.rem_euclid(DAY) / 1_000_000, time.rem_euclid(1_000_000));
    let rest = match micros {
        0 => String::new(),
        micros if micros % 1000 == 0 => format!(".{:03}", micros / 1000),
        micros => format!(".{micros:06}"),
    };
    let day = date_text(time.div_euclid(DAY))?;
    Some(format!("{day}T{:02}:{:02}:{:02}{rest}", second / 3600, second / 60 % 60, second % 60))
}

/// Texts that are drawn are dates as they are written here, in eight digits, or far from any; at midnight if they have
/// a time of day.
fn read_date(text: &str) -> Option<i64> {
    match text.split_once('T') {
        Some(_) => read_time(text).filter(|time| time.rem_euclid(DAY) == 0).map(|time| time.div_euclid(DAY)),
        None => read_day(text),
    }
}

fn read_day(text: &str) -> Option<i64> {
    let two = |text: &str| (text.len() == 2).then(|| text.parse().ok()).flatten();
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return days_of(text[..4].parse().ok()?, two(&text[4..6])?, two(&text[6..])?);
    }
    let (rest, day) = text.rsplit_once('-')?;
    let (year, month) = rest.rsplit_once('-')?;
    (year.len() >= 4).then(|| days_of(year.parse().ok()?, two(month)?, two(day)?)).flatten()
}

fn read_time(text: &str) -> Option<i64> {
    let Some((day, clock)) = text.split_once('T') else { return read_day(text)?.checked_mul(DAY) };
    let (whole, micros) = clock.split_once('.').unwrap_or((clock, "0"));
    let parts: Vec<i64> = whole.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = parts[..] else { return None };
    let micros: i64 = format!("{micros:0<6}").parse().ok()?;
    Some(read_day(day)? * DAY + ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

/// What rows say, and the columns that hold it.
pub(super) struct Schema {
    pub(super) names: Vec<String>,
    types: Vec<Type>,
    pub(super) domains: Vec<ColumnDomain>,
}

pub(super) fn schema() -> Schema {
    let (float, integer) = (ColumnDomain::float, ColumnDomain::integer);
    let category = |list: usize| ColumnDomain::category(LABELS[list].iter().copied()).unwrap();
    let columns = [
        ("f", Type::Float, float()),
        ("g", Type::Float, float().with_missing()),
        ("h h", Type::Float, float().with_bounds(-1.0, 8.0).unwrap().with_missing()),
        ("i", Type::Integer, integer()),
        ("j", Type::Integer, integer().with_missing()),
        ("k", Type::Integer, integer().with_bounds(-3.0, 5.0).unwrap()),
        ("b", Type::Bool, ColumnDomain::bool()),
        ("c", Type::Bool, ColumnDomain::bool().with_missing()),
        ("t", Type::Text, ColumnDomain::text()),
        ("u", Type::Text, ColumnDomain::text().with_missing()),
        ("l", Type::Category(0), category(0)),
        ("m", Type::Category(0), category(0).with_missing()),
        ("n", Type::Category(1), category(1).with_missing()),
        ("d", Type::Date, ColumnDomain::date()),
        ("e", Type::Date, ColumnDomain::date().with_missing()),
        ("s", Type::Time, ColumnDomain::time()),
        ("v", Type::Time, ColumnDomain::time().with_missing()),
    ];
    let names = columns.iter().map(|column| column.0.to_owned()).collect();
    let types = columns.iter().map(|column| column.1).collect();
    Schema { names, types, domains: columns.into_iter().map(|column| column.2).collect() }
}

impl Schema {
    fn domain(&self) -> FrameDomain {
        FrameDomain::new(self.names.iter().cloned().zip(self.domains.iter().cloned())).unwrap()
    }

    fn row(&self, dice: &mut Dice) -> Vec<Value> {
        let columns = self.types.iter().zip(&self.domains);
        columns
            .map(|(of, domain)| {
                if domain.has_missing() && dice.one_in(4) {
                    return Missing;
                }
                match (value(dice, *of), domain.values()) {
                    (Value::Float(x), Values::Float(floats)) => {
                        Value::Float(floats.bounds().map_or(x, |bounds| x.clamp(bounds.0, bounds.1)))
                    }
                    (Value::Integer(x), Values::Integer(integers)) => {
                        Value::Integer(integers.bounds().map_or(x, |bounds| x.clamp(bounds.0, bounds.1)))
                    }
                    (value, _) => value,
                }
            })
            .collect()
    }
}

pub(super) fn number(dice: &mut Dice) -> f64 {
    const FLOATS: [f64; 24] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        3.0,
        7.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        5e-324,
        -5e-324,
        9_007_199_254_740_992.0,
        9_223_372_036_854_775_808.0,
        -9_223_372_036_854_775_808.0,
        9_223_372_036_854_774_784.0,
        1e300,
        0.1,
        4_503_599_627_370_496.5,
        2_251_799_813_685_248.5,
    ];
    if dice.one_in(5) {
        let x = f64::from_bits(dice.word());
        return if x.is_nan() { 1e10 } else { x };
    }
    dice.pick(&FLOATS)
}

fn integer(dice: &mut Dice) -> i64 {
    let edges = [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX, 9_007_199_254_740_993, 1 << 31, -(1 << 31) - 1, 10];
    match dice.below(5) {
        0 | 1 => dice.pick(&[0, 1, -1, 2, 3, 5, 7, -3]),
        2 => dice.integer(),
        _ => dice.pick(&edges),
    }
}

fn day(dice: &mut Dice) -> i64 {
    let (first, last) = (days_of(-262_143, 1, 1).unwrap(), days_of(262_142, 12, 31).unwrap());
    match dice.below(4) {
        0 => dice.pick(&[i64::MIN, i64::MAX, i64::MAX / DAY, i64::MIN / DAY, 1 << 31, -(1 << 31), 1 << 32]),
        1 => dice.pick(&[first - 1, first, first + 1, last - 1, last, last + 1]),
        2 => dice.pick(&[0, -1, 1, 11_016, 19_782, 20_780, -719_528, -719_529, 2_932_896, 2_932_897]),
        _ => dice.integer() % 100_000,
    }
}

fn time(dice: &mut Dice) -> i64 {
    match dice.below(4) {
        0 => dice.pick(&[i64::MIN, i64::MAX, -1, 0, 1, DAY - 1, DAY, -DAY]),
        1 => day(dice).saturating_mul(DAY).saturating_add(dice.pick(&[0, -1, 3_600_000_000, 1_500_000])),
        2 => dice.integer(),
        _ => dice.integer() % (100_000 * DAY),
    }
}

const TEXTS: [&str; 24] = [
    "",
    "a",
    "b",
    "x",
    "1",
    "-0",
    "0.0",
    "0",
    "true",
    "false",
    "1e3",
    "nan",
    "inf",
    " 5",
    "+7",
    "2026-11-23",
    "2026-02-30",
    "20261123",
    "2026-11-23T00:00:00",
    "2026-11-23T06:17:45",
    "2026-11-23T06:17:45.000250",
    "é😀",
    "٣",
    "9223372036854775808",
];

fn value(dice: &mut Dice, of: Type) -> Value {
    match of {
        Type::Float => Value::Float(number(dice)),
        Type::Integer => Value::Integer(integer(dice)),
        Type::Bool => Value::Bool(dice.one_in(2)),
        Type::Text => Value::Text(dice.pick(&TEXTS).into()),
        Type::Category(list) => Value::Label(dice.pick(LABELS[list]).into()),
        Type::Date => Value::Date(day(dice)),
        Type::Time => Value::Time(time(dice)),
    }
}

/// A column of values, written in one of many ways: zeros and NaN of either sign, NaN with any payload, anything
/// under a null, cut out of a longer array.
fn column(dice: &mut Dice, of: Type, values: &[&Value]) -> Column {
    let (before, after) = (dice.below(3) * dice.below(40), dice.below(3));
    let padding: Vec<Value> = (0..before + after).map(|_| value(dice, of)).collect();
    let all: Vec<&Value> =
        padding.iter().take(before).chain(values.iter().copied()).chain(padding.iter().skip(before)).collect();
    let nulls: Vec<bool> = all.iter().map(|value| !value.is_null()).collect();
    // A buffer that says nothing is missing is there, or not.
    let nulls = (nulls.contains(&false) || dice.one_in(2)).then(|| NullBuffer::from(nulls));
    let (start, length) = (before, values.len());
    match of {
        Type::Float => {
            let (as_null, floats) = (
                dice.one_in(2),
                all.iter().map(|value| match value {
                    Value::Float(x) if *x == 0.0 => dice.pick(&[0.0, -0.0]),
                    Value::Float(x) => *x,
                    _ => f64::from_bits(dice.pick(&[
                        0x7ff8_0000_0000_0000,
                        0xfff8_0000_0000_0001,
                        0x7fff_ffff_dead_beef,
                    ])),
                }),
            );
            let floats: Vec<f64> = floats.collect();
            let array = if as_null {
                let junk = floats.iter().map(|x| if x.is_nan() { 7.5 } else { *x }).collect::<Vec<_>>();
                Float64Array::new(junk.into(), nulls)
            } else {
                floats.into()
            };
            array.slice(start, length).into()
        }
        Type::Bool => {
            let truths: Vec<bool> = all.iter().map(|value| value.truth().unwrap_or(dice.0 & 1 == 1)).collect();
            BooleanArray::new(truths.into(), nulls).slice(start, length).into()
        }
        Type::Text => {
            let junk = dice.pick(&["", "a", "junk"]);
            let texts: Vec<&str> =
                all.iter().map(|value| if let Value::Text(text) = value { text.as_str() } else { junk }).collect();
            let (offsets, bytes, _) = LargeStringArray::from(texts).into_parts();
            LargeStringArray::new(offsets, bytes, nulls).slice(start, length).into()
        }
        _ => {
            let junk = [i64::MIN, i64::MAX, -1, 0, 1, 1 << 40];
            let integer = |value: &&Value| match value {
                Value::Integer(x) | Value::Date(x) | Value::Time(x) => *x,
                Value::Label(label) => position(of, label),
                _ => dice.pick(&junk),
            };
            let integers: Vec<i64> = all.iter().map(integer).collect();
            Int64Array::new(integers.into(), nulls).slice(start, length).into()
        }
    }
}

fn position(of: Type, label: &str) -> i64 {
    let Type::Category(list) = of else { panic!("no category: {of:?}") };
    LABELS[list].iter().position(|listed| *listed == label).unwrap().try_into().unwrap()
}

/// Rows in batches of any sizes, some of them empty.
fn batches(dice: &mut Dice, schema: &Schema, rows: &[Vec<Value>]) -> Vec<Batch> {
    let names: Arc<[String]> = schema.names.clone().into();
    let (mut batches, mut rest) = (Vec::new(), rows);
    while !rest.is_empty() || dice.one_in(3) {
        let size = match dice.below(4) {
            0 => 0,
            1 => 1 + dice.below(7),
            2 => 1 + dice.below(6000),
            _ => rest.len(),
        };
        let (here, others) = rest.split_at(size.min(rest.len()));
        rest = others;
        let columns = schema.types.iter().enumerate();
        let columns =
            columns.map(|(place, of)| column(dice, *of, &here.iter().map(|row| &row[place]).collect::<Vec<_>>()));
        batches.push(Batch::new(names.clone(), columns.collect(), here.len()));
    }
    batches
}

/// An expression, and what it is of a row.
type Both = (Expr, Arc<dyn Fn(&[Value]) -> Value>);

fn both(expression: Expr, of: impl Fn(&[Value]) -> Value + 'static) -> Both {
    (expression, Arc::new(of))
}

/// A function of the values of two.
fn of_two(
    (left, x): Both,
    (right, y): Both,
    make: impl Fn(Expr, Expr) -> Expr,
    of: impl Fn(Value, Value) -> Value + 'static,
) -> Both {
    both(make(left, right), move |row| of(x(row), y(row)))
}

/// A function of the values of one.
fn of_one((inner, x): Both, make: impl Fn(Expr) -> Expr, of: impl Fn(Value) -> Value + 'static) -> Both {
    both(make(inner), move |row| of(x(row)))
}

struct Writer<'a> {
    dice: &'a mut Dice,
    schema: &'a Schema,
}

impl Writer<'_> {
    fn expression(&mut self, of: Type, depth: usize) -> Both {
        if depth == 0 || self.dice.one_in(8) {
            return self.leaf(of);
        }
        let depth = depth - 1;
        if self.dice.one_in(4) {
            return self.chosen(of, depth);
        }
        match of {
            Type::Float => self.float(depth),
            Type::Integer => self.integer(depth),
            Type::Bool => self.bool(depth),
            Type::Text | Type::Category(_) | Type::Date | Type::Time if self.dice.one_in(3) => self.cast(of, depth),
            Type::Text if self.dice.one_in(3) => self.text_key(depth),
            Type::Text => self.table(of, depth),
            Type::Category(_) => self.leaf(of),
            Type::Date => match self.dice.below(4) {
                0 => of_one(self.expression(Type::Time, depth), Expr::date, |time| match time {
                    Value::Time(time) => Value::Date(time.div_euclid(DAY)),
                    _ => Missing,
                }),
                1 => self.extreme(of, depth),
                _ => {
                    let (day, days) = (self.expression(Type::Date, depth), self.expression(Type::Integer, depth));
                    let adds = self.dice.one_in(2);
                    let make = |day, days| if adds { Expr::add(day, days) } else { Expr::sub(day, days) };
                    of_two(day, days, make, move |day, days| match (day, days) {
                        (Value::Date(x), Value::Integer(y)) => {
                            some(if adds { x.checked_add(y) } else { x.checked_sub(y) }, Value::Date)
                        }
                        _ => Missing,
                    })
                }
            },
            Type::Time => self.extreme(of, depth),
        }
    }

    fn leaf(&mut self, of: Type) -> Both {
        let is_listed = matches!(of, Type::Float | Type::Integer | Type::Bool | Type::Text);
        if is_listed && self.dice.one_in(3) {
            let value = value(self.dice, of);
            return both(lit(value.cell()), move |_| value.clone());
        }
        let places: Vec<usize> = (0..self.schema.types.len()).filter(|place| self.schema.types[*place] == of).collect();
        let place = self.dice.pick(&places);
        both(col(&self.schema.names[place]), move |row| row[place].clone())
    }

    /// What any type has: a condition, a rest.
    fn chosen(&mut self, of: Type, depth: usize) -> Both {
        let first = self.expression(of, depth);
        // A label, a day, or nothing, as a literal.
        let text = value(self.dice, of);
        let text = match &text {
            Value::Date(day) if date_text(*day).is_none() => Value::Date(0),
            Value::Time(time) if time_text(*time).is_none() => Value::Time(0),
            _ => text,
        };
        let second = match self.dice.below(5) {
            0 => both(lit(text.cell()), move |_| text.clone()),
            1 => both(lit(dice_missing(self.dice)), |_| Missing),
            _ => self.expression(of, depth),
        };
        let swapped = self.dice.one_in(2);
        let (first, second) = if swapped { (second, first) } else { (first, second) };
        if self.dice.one_in(2) {
            return of_two(first, second, Expr::fill_null, |x, y| if x.is_null() { y } else { x });
        }
        let (condition, is) = self.expression(Type::Bool, depth);
        let ((x, one), (y, other)) = (first, second);
        both(when(condition, x, y), move |row| if is(row).truth() == Some(true) { one(row) } else { other(row) })
    }

    fn float(&mut self, depth: usize) -> Both {
        match self.dice.below(6) {
            0..3 => {
                let kinds = self.dice.pick(&[
                    [Type::Float, Type::Float],
                    [Type::Float, Type::Integer],
                    [Type::Integer, Type::Float],
                ]);
                let [left, right] = kinds.map(|of| self.expression(of, depth));
                type Operator = (fn(Expr, Expr) -> Expr, fn(f64, f64) -> f64);
                let operators: [Operator; 4] = [
                    (Expr::add, |x, y| x + y),
                    (Expr::sub, |x, y| x - y),
                    (Expr::mul, |x, y| x * y),
                    (Expr::div, |x, y| x / y),
                ];
                let (make, of) = self.dice.pick(&operators);
                of_two(left, right, make, move |x, y| {
                    let (Some(x), Some(y)) = (x.float(), y.float()) else { return Missing };
                    finite(of(x, y))
                })
            }
            3 => of_one(self.expression(Type::Float, depth), |x| -x, |x| some(x.float(), |x| Value::Float(-x))),
            4 => self.extreme(Type::Float, depth),
            _ if self.dice.one_in(2) => self.table(Type::Float, depth),
            _ => self.cast(Type::Float, depth),
        }
    }

    fn integer(&mut self, depth: usize) -> Both {
        match self.dice.below(11) {
            0..3 => {
                let (left, right) = (self.expression(Type::Integer, depth), self.expression(Type::Integer, depth));
                type Operator = (fn(Expr, Expr) -> Expr, fn(i64, i64) -> Option<i64>);
                let operators: [Operator; 3] =
                    [(Expr::add, i64::checked_add), (Expr::sub, i64::checked_sub), (Expr::mul, i64::checked_mul)];
                let (make, of) = self.dice.pick(&operators);
                of_two(left, right, make, move |x, y| match (x, y) {
                    (Value::Integer(x), Value::Integer(y)) => some(of(x, y), Value::Integer),
                    _ => Missing,
                })
            }
            3 => of_one(
                self.expression(Type::Integer, depth),
                |x| -x,
                |x| match x {
                    Value::Integer(x) => some(x.checked_neg(), Value::Integer),
                    _ => Missing,
                },
            ),
            4 => self.extreme(Type::Integer, depth),
            5 => {
                let of = self.dice.pick(&[Type::Date, Type::Time]);
                let (left, right) = (self.expression(of, depth), self.expression(of, depth));
                of_two(left, right, Expr::sub, |x, y| match (x, y) {
                    (Value::Date(x), Value::Date(y)) | (Value::Time(x), Value::Time(y)) => {
                        some(x.checked_sub(y), Value::Integer)
                    }
                    _ => Missing,
                })
            }
            6 => self.cast(Type::Integer, depth),
            7 => {
                let of = self.dice.pick(&[Type::Float, Type::Integer]);
                let mut edges: Vec<f64> = (0..=self.dice.below(6)).map(|_| number(self.dice) + 0.0).collect();
                edges.sort_by(f64::total_cmp);
                edges.dedup();
                let listed = edges.clone();
                of_one(
                    self.expression(of, depth),
                    move |x| x.cut(listed.clone()),
                    move |x| {
                        let bin = |x: f64| edges.iter().filter(|edge| **edge <= x).count().try_into().unwrap();
                        some(x.float().map(bin), Value::Integer)
                    },
                )
            }
            8 => self.table(Type::Integer, depth),
            9 => of_one(self.expression(Type::Text, depth), Expr::length, |text| match text {
                Value::Text(text) => Value::Integer(text.chars().fold(0, |n, _| n + 1)),
                _ => Missing,
            }),
            _ => self.calendar(depth),
        }
    }

    fn calendar(&mut self, depth: usize) -> Both {
        let is_time = self.dice.one_in(2);
        let inner = self.expression(if is_time { Type::Time } else { Type::Date }, depth);
        let part = self.dice.below(if is_time { 5 } else { 4 });
        let make = |x: Expr| match part {
            0 => x.year(),
            1 => x.month(),
            2 => x.day(),
            3 => x.weekday(),
            _ => x.hour(),
        };
        of_one(inner, make, move |value| {
            let (days, rest) = match value {
                Value::Date(days) => (days, 0),
                Value::Time(time) => (time.div_euclid(DAY), time.rem_euclid(DAY)),
                _ => return Missing,
            };
            some(civil(days), |(year, month, day)| {
                // 1970-01-01 was a Thursday.
                let weekday = i64::try_from((i128::from(days) + 3).rem_euclid(7)).unwrap() + 1;
                Value::Integer([year, month, day, weekday, rest / 3_600_000_000][part])
            })
        })
    }

    fn bool(&mut self, depth: usize) -> Both {
        match self.dice.below(8) {
            0..3 => self.compared(depth),
            3 => {
                let (left, right) = (self.expression(Type::Bool, depth), self.expression(Type::Bool, depth));
                if self.dice.one_in(2) {
                    return of_two(
                        left,
                        right,
                        |x, y| x & y,
                        |x, y| match (x.truth(), y.truth()) {
                            (Some(false), _) | (_, Some(false)) => Value::Bool(false),
                            (Some(true), Some(true)) => Value::Bool(true),
                            _ => Missing,
                        },
                    );
                }
                of_two(
                    left,
                    right,
                    |x, y| x | y,
                    |x, y| match (x.truth(), y.truth()) {
                        (Some(true), _) | (_, Some(true)) => Value::Bool(true),
                        (Some(false), Some(false)) => Value::Bool(false),
                        _ => Missing,
                    },
                )
            }
            4 => of_one(self.expression(Type::Bool, depth), |x| !x, |x| some(x.truth(), |x| Value::Bool(!x))),
            5 => {
                let of = self.dice.pick(&TYPES);
                of_one(self.expression(of, depth), Expr::is_null, |x| Value::Bool(x.is_null()))
            }
            6 => self.cast(Type::Bool, depth),
            _ => {
                let of = self.key();
                let inner = self.expression(of, depth);
                let keys = self.keys(of);
                let cells: Vec<Cell> = keys.iter().map(Value::cell).collect();
                of_one(
                    inner,
                    move |x| x.is_in(cells.clone()),
                    move |x| {
                        if x.is_null() { Missing } else { Value::Bool(keys.iter().any(|key| key.is(&x))) }
                    },
                )
            }
        }
    }

    fn compared(&mut self, depth: usize) -> Both {
        let of = self.dice.pick(&TYPES);
        let other = match of {
            Type::Float | Type::Integer => self.dice.pick(&[Type::Float, Type::Integer]),
            of => of,
        };
        let (left, right) = (self.expression(of, depth), self.expression(other, depth));
        use std::cmp::Ordering;
        type Comparison = (fn(Expr, Expr) -> Expr, fn(Ordering) -> bool);
        let comparisons: [Comparison; 6] = [
            (Expr::eq, Ordering::is_eq),
            (Expr::ne, Ordering::is_ne),
            (Expr::lt, Ordering::is_lt),
            (Expr::le, Ordering::is_le),
            (Expr::gt, Ordering::is_gt),
            (Expr::ge, Ordering::is_ge),
        ];
        let has_order = !matches!(of, Type::Bool | Type::Category(_));
        let (make, is) = self.dice.pick(if has_order { &comparisons } else { &comparisons[..2] });
        of_two(left, right, make, move |x, y| some(x.order(&y).map(is), Value::Bool))
    }

    fn extreme(&mut self, of: Type, depth: usize) -> Both {
        let left = self.expression(of, depth);
        let as_of = move |x: Value| if of == Type::Float { some(x.float(), Value::Float) } else { x };
        if matches!(of, Type::Float | Type::Integer) && self.dice.one_in(3) {
            let (x, y) = (value(self.dice, of), value(self.dice, of));
            let (low, high) = if x.order(&y).is_some_and(std::cmp::Ordering::is_le) { (x, y) } else { (y, x) };
            let bounds = (low.cell(), high.cell());
            return of_one(
                left,
                move |x| x.clamp(bounds.0.clone(), bounds.1.clone()),
                move |x| {
                    if x.order(&low).is_some_and(std::cmp::Ordering::is_lt) {
                        low.clone()
                    } else if x.order(&high).is_some_and(std::cmp::Ordering::is_gt) {
                        high.clone()
                    } else {
                        x
                    }
                },
            );
        }
        let other = if of == Type::Float && self.dice.one_in(2) { Type::Integer } else { of };
        let right = self.expression(other, depth);
        let is_least = self.dice.one_in(2);
        let (left, right) = if self.dice.one_in(2) { (left, right) } else { (right, left) };
        of_two(left, right, if is_least { Expr::min } else { Expr::max }, move |x, y| match x.order(&y) {
            None => Missing,
            Some(order) => as_of(if order.is_lt() == is_least { x } else { y }),
        })
    }

    fn cast(&mut self, to: Type, depth: usize) -> Both {
        let from: &[Type] = match to {
            Type::Float | Type::Integer | Type::Bool => {
                &[Type::Float, Type::Integer, Type::Bool, Type::Text, Type::Category(0), Type::Category(1)]
            }
            Type::Text => &TYPES,
            Type::Category(_) => &[Type::Text, Type::Category(0), Type::Category(1)],
            Type::Date | Type::Time => &[Type::Text, Type::Date, Type::Time],
        };
        let from = self.dice.pick(from);
        let bounded = self.dice.one_in(3);
        let (low, high) = self.dice.pick(&[(0.0, 1.0), (-3.0, 1e15), (2.0, 2.0)]);
        let within = |domain: ColumnDomain| if bounded { domain.with_bounds(low, high).unwrap() } else { domain };
        let domain = match to {
            Type::Float => within(ColumnDomain::float()),
            Type::Integer => within(ColumnDomain::integer()),
            Type::Bool => ColumnDomain::bool(),
            Type::Text => ColumnDomain::text(),
            Type::Category(list) => ColumnDomain::category(LABELS[list].iter().copied()).unwrap(),
            Type::Date => ColumnDomain::date(),
            Type::Time => ColumnDomain::time(),
        };
        of_one(
            self.expression(from, depth),
            move |x| x.cast(domain.clone()),
            move |x| {
                let image = as_type(&x, to);
                let is_within = !bounded || image.float().is_none_or(|x| low <= x && x <= high);
                if is_within { image } else { Missing }
            },
        )
    }

    /// A type that keys may be of.
    fn key(&mut self) -> Type {
        self.dice.pick(&[
            Type::Integer,
            Type::Bool,
            Type::Text,
            Type::Category(0),
            Type::Category(1),
            Type::Date,
            Type::Time,
        ])
    }

    /// A few different values that can be written.
    fn keys(&mut self, of: Type) -> Vec<Value> {
        let mut keys: Vec<Value> = Vec::new();
        for _ in 0..self.dice.below(7) {
            let key = match value(self.dice, of) {
                Value::Date(day) if date_text(day).is_none() => Value::Date(0),
                Value::Time(time) if time_text(time).is_none() => Value::Time(0),
                key => key,
            };
            if !keys.iter().any(|listed| listed.is(&key)) {
                keys.push(key);
            }
        }
        keys
    }

    /// Returns the entry of a table with one key or several keys.
    fn table(&mut self, to: Type, depth: usize) -> Both {
        if to == Type::Integer && self.dice.one_in(3) {
            return self.position();
        }
        let kinds: Vec<Type> = (0..=self.dice.below(3)).map(|_| self.key()).collect();
        let inner: Vec<Both> = kinds.iter().map(|of| self.expression(*of, depth)).collect();
        let mut table: Vec<(Vec<Value>, Value)> = Vec::new();
        for _ in 0..1 + self.dice.below(9) {
            let key: Vec<Value> = kinds
                .iter()
                .map(|of| if self.dice.one_in(6) { Missing } else { self.keys(*of).pop().unwrap_or(Missing) })
                .collect();
            let is_new = !table.iter().any(|(listed, _)| alike(listed, &key));
            let image = if self.dice.one_in(6) && !table.is_empty() { Missing } else { value(self.dice, to) };
            if is_new {
                table.push((key, image));
            }
        }
        let cells = table.iter().map(|(key, image)| (key.iter().map(Value::cell).collect::<Vec<_>>(), image.cell()));
        let expression = match (&inner[..], self.dice.one_in(2)) {
            ([(one, _)], true) => one.clone().replace(cells.map(|(mut key, image)| (key.remove(0), image))),
            _ => lookup(inner.iter().map(|(one, _)| one.clone()), cells),
        };
        both(expression, move |row| {
            let key: Vec<Value> = inner.iter().map(|(_, of)| of(row)).collect();
            table.iter().find(|(listed, _)| alike(listed, &key)).map_or(Missing, |(_, image)| image.clone())
        })
    }

    /// A text of several values.
    fn text_key(&mut self, depth: usize) -> Both {
        let kinds = [Type::Integer, Type::Bool, Type::Text];
        let inner: Vec<Both> = (0..=self.dice.below(3))
            .map(|_| {
                let of = self.dice.pick(&kinds);
                self.expression(of, depth)
            })
            .collect();
        both(text_key(inner.iter().map(|(one, _)| one.clone())), move |row| {
            let words = inner.iter().map(|(_, of)| match of(row) {
                Value::Integer(value) => format!("{value}"),
                Value::Bool(true) => "true".into(),
                Value::Bool(false) => "false".into(),
                Value::Text(text) => format!("{text:?}"),
                _ => "missing".into(),
            });
            Value::Text(format!("({})", words.collect::<Vec<_>>().join(", ")))
        })
    }

    /// The place in a list of keys, by the names of columns.
    fn position(&mut self) -> Both {
        let mut places: Vec<usize> = Vec::new();
        for _ in 0..=self.dice.below(3) {
            let place = self.dice.below(self.schema.types.len());
            if self.schema.types[place] != Type::Float && !places.contains(&place) {
                places.push(place);
            }
        }
        if places.is_empty() {
            places.push(4);
        }
        let mut keys: Vec<Vec<Value>> = vec![places.iter().map(|_| Missing).collect()];
        for _ in 0..self.dice.below(40) {
            let of = |place: &usize| self.keys(self.schema.types[*place]).pop().unwrap_or(Missing);
            let key: Vec<Value> = places.iter().map(of).collect();
            if !keys.iter().any(|listed| alike(listed, &key)) {
                keys.push(key);
            }
        }
        let names = places.iter().map(|place| self.schema.names[*place].clone());
        let list = KeySet::list(names, keys.iter().map(|key| key.iter().map(Value::cell).collect())).unwrap();
        both(list.position(), move |row| {
            let key: Vec<Value> = places.iter().map(|place| row[*place].clone()).collect();
            let place = keys.iter().position(|listed| alike(listed, &key)).unwrap_or(keys.len());
            Value::Integer(place.try_into().unwrap())
        })
    }
}

fn alike(x: &[Value], y: &[Value]) -> bool {
    x.iter().zip(y).all(|(x, y)| x.is(y))
}

/// A missing literal.
fn dice_missing(dice: &mut Dice) -> Cell {
    dice.pick(&[Cell::Missing, Cell::Float(f64::NAN), Cell::Float(-f64::NAN)])
}

/// A value of another type, as `make_cast` says it.
fn as_type(value: &Value, to: Type) -> Value {
    let text = match value {
        Value::Text(text) | Value::Label(text) => Some(text.clone()),
        _ => None,
    };
    match to {
        Type::Float => match value {
            Value::Bool(truth) => Value::Float(if *truth { 1.0 } else { 0.0 }),
            value => {
                let read = text.and_then(|text| text.parse().ok()).filter(|x: &f64| !x.is_nan());
                some(value.float().or(read), Value::Float)
            }
        },
        Type::Integer => match value {
            Value::Integer(_) => value.clone(),
            Value::Bool(truth) => Value::Integer((*truth).into()),
            Value::Float(x) => some(format!("{:.0}", x.round_ties_even()).parse().ok(), Value::Integer),
            _ => some(text.and_then(|text| text.parse().ok()), Value::Integer),
        },
        Type::Bool => match value {
            Value::Bool(_) => value.clone(),
            Value::Integer(_) | Value::Float(_) => {
                let number = value.float();
                some([(0.0, false), (1.0, true)].iter().find(|one| Some(one.0) == number), |one| Value::Bool(one.1))
            }
            _ => some(text.and_then(|text| text.parse().ok()), Value::Bool),
        },
        Type::Text => {
            let written = match value {
                Value::Float(x) => Some(if *x == 0.0 { "0".into() } else { x.to_string() }),
                Value::Integer(x) => Some(x.to_string()),
                Value::Bool(x) => Some(x.to_string()),
                Value::Date(x) => date_text(*x),
                Value::Time(x) => time_text(*x),
                _ => text,
            };
            some(written, Value::Text)
        }
        Type::Category(list) => some(text.filter(|text| LABELS[list].contains(&text.as_str())), Value::Label),
        Type::Date => match value {
            Value::Date(_) => value.clone(),
            Value::Time(time) => Value::Date(time.div_euclid(DAY)),
            _ => some(text.and_then(|text| read_date(&text)), Value::Date),
        },
        Type::Time => match value {
            Value::Time(_) => value.clone(),
            Value::Date(day) => some(day.checked_mul(DAY), Value::Time),
            _ => some(text.and_then(|text| read_time(&text)), Value::Time),
        },
    }
}

/// Reads a cell of an array.
fn read(column: &Column, row: usize, of: Type) -> Value {
    let integer = |of: fn(i64) -> Value| match &column.0 {
        Cells::Integer(array) => some(array.is_valid(row).then(|| array.value(row)), of),
        _ => panic!("no integers: {column:?}"),
    };
    match (&column.0, of) {
        (Cells::Float(array), Type::Float) => some(Some(array.value(row)).filter(|x| !x.is_nan()), Value::Float),
        (Cells::Bool(array), Type::Bool) => some(array.is_valid(row).then(|| array.value(row)), Value::Bool),
        (Cells::Text(array), Type::Text) => some(array.is_valid(row).then(|| array.value(row).to_owned()), Value::Text),
        (_, Type::Integer) => integer(Value::Integer),
        (_, Type::Date) => integer(Value::Date),
        (_, Type::Time) => integer(Value::Time),
        (_, Type::Category(list)) => match integer(Value::Integer) {
            Value::Integer(position) => Value::Label(LABELS[list][usize::try_from(position).unwrap()].to_owned()),
            missing => missing,
        },
        _ => panic!("{column:?} for {of:?}"),
    }
}

/// Returns true if a value is as a column's domain says.
fn is_in(value: &Value, domain: &ColumnDomain, of: Type) -> bool {
    match (value, domain.values()) {
        (Missing, _) => domain.has_missing(),
        (Value::Float(x), Values::Float(floats)) => floats.bounds().is_none_or(|(low, high)| low <= x && x <= high),
        (Value::Integer(x), Values::Integer(all)) => all.bounds().is_none_or(|(low, high)| low <= x && x <= high),
        (Value::Label(_), Values::Category(labels)) => {
            let Type::Category(list) = of else { return false };
            labels.iter().map(String::as_str).eq(LABELS[list].iter().copied())
        }
        (Value::Bool(_), Values::Bool) | (Value::Text(_), Values::Text) => true,
        (Value::Date(_), Values::Date) | (Value::Time(_), Values::Time) => true,
        _ => false,
    }
}

/// The rows of a frame, column by column.
fn rows_of(frame: &[Batch], types: &[Type]) -> Vec<Vec<Value>> {
    let all = frame.iter().flat_map(|batch| (0..batch.rows()).map(move |row| (batch, row)));
    all.map(|(batch, row)| types.iter().zip(batch.columns()).map(|(of, column)| read(column, row, *of)).collect())
        .collect()
}

pub(super) fn cases(all: u32) -> u32 {
    if std::env::var_os("TEST_DEEP").is_some() { all } else { all / 10 }
}

/// Compares one expression of each of some types with the interpreter, on a frame in two layouts.
fn compare(seed: u64) {
    let schema = schema();
    let dice = &mut Dice(seed);
    let size = match dice.below(40) {
        0 => 4097 + dice.below(3000),
        1..4 => 0,
        _ => dice.below(24),
    };
    let rows: Vec<Vec<Value>> = (0..size).map(|_| schema.row(dice)).collect();
    let depth = dice.below(6);
    let types: Vec<Type> = (0..3).map(|_| dice.pick(&TYPES)).collect();
    let mut writer = Writer { dice, schema: &schema };
    let computed: Vec<Both> = types.iter().map(|of| writer.expression(*of, depth)).collect();
    let condition = writer.expression(Type::Bool, depth);
    let named = |place: usize| if place == 0 { "f".to_owned() } else { format!("new {place}") };
    let columns = computed.iter().enumerate().map(|(place, (one, _))| (named(place), one.clone())).collect();
    let what = |at: &str| format!("seed {seed}, {at}");
    let Ok(step) = make_with_columns(schema.domain(), SymmetricDistance, columns) else {
        let known =
            [" is always missing", "compares a value that is always missing", "is of a value that is always missing"];
        for (one, _) in &computed {
            if let Err(error) = make_with_columns(schema.domain(), SymmetricDistance, vec![("x", one.clone())]) {
                let text = error.to_string();
                assert!(known.iter().any(|known| text.contains(known)), "{}", what(&text));
            }
        }
        return;
    };
    let filter = make_filter_rows(schema.domain(), SymmetricDistance, condition.0.clone()).unwrap();
    let out_types = [&[types[0]], &schema.types[1..], &types[1..]].concat();
    let kept: Vec<&Vec<Value>> = rows.iter().filter(|row| condition.1(row).truth() == Some(true)).collect();
    for _ in 0..2 {
        let frame = batches(dice, &schema, &rows);
        assert!(schema.domain().member(&frame));
        let images = step.invoke(&frame).unwrap();
        assert!(
            step.output_domain().member(&images),
            "{}: {:?}",
            what(&computed[0].0.to_string()),
            step.output_domain()
        );
        let images = rows_of(&images, &out_types);
        assert_eq!(images.len(), rows.len());
        for (row, image) in rows.iter().zip(&images) {
            for (place, (one, of)) in computed.iter().enumerate() {
                let at = if place == 0 { 0 } else { schema.types.len() + place - 1 };
                let (expected, domain) = (of(row), &step.output_domain().columns()[at]);
                assert!(
                    expected.is(&image[at]),
                    "{}: {expected:?} is {:?} at {row:?}",
                    what(&one.to_string()),
                    image[at]
                );
                assert!(
                    is_in(&image[at], domain, out_types[at]),
                    "{}: {expected:?} in {domain:?}",
                    what(&one.to_string())
                );
            }
            assert!(alike(&row[1..], &image[1..schema.types.len()]), "{}", what("columns that stay"));
        }
        let images = filter.invoke(&frame).unwrap();
        assert!(filter.output_domain().member(&images));
        let images = rows_of(&images, &schema.types);
        assert_eq!(images.len(), kept.len(), "{}", what(&condition.0.to_string()));
        assert!(images.iter().zip(&kept).all(|(image, row)| alike(image, row)), "{}", what(&condition.0.to_string()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20_000), max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn expressions_are_what_the_table_says(seed in any::<u64>()) {
        compare(seed);
    }

    /// Combines any expressions. The result must be an error that names the fault, or columns of the stated domain.
    #[test]
    fn whatever_is_written_is_an_error_or_total(seed in any::<u64>()) {
        let (schema, dice) = (schema(), &mut Dice(seed));
        let expression = anything(dice, &schema, 4);
        let rows: Vec<Vec<Value>> = (0..5).map(|_| schema.row(dice)).collect();
        let frame = batches(dice, &schema, &rows);
        match make_with_columns(schema.domain(), SymmetricDistance, vec![("new", expression.clone())]) {
            Ok(step) => {
                let images = step.invoke(&frame).unwrap();
                let domain = step.output_domain();
                prop_assert!(domain.member(&images), "seed {}: {} in {:?}", seed, expression, domain);
                prop_assert_eq!(format!("{domain:?}").parse(), Ok(domain.clone()));
            }
            Err(error) => {
                prop_assert!(matches!(error.kind(), ErrorKind::Parameter(_)), "seed {}: {}", seed, error);
                let text = error.to_string();
                prop_assert!(text.len() > 20, "seed {}: {}", seed, text);
            }
        }
        if let Ok(filter) = make_filter_rows(schema.domain(), SymmetricDistance, expression) {
            prop_assert!(filter.output_domain().member(&filter.invoke(&frame).unwrap()));
        }
    }
}

/// An expression whose types may not fit.
pub(super) fn anything(dice: &mut Dice, schema: &Schema, depth: usize) -> Expr {
    if depth == 0 || dice.one_in(6) {
        return match dice.below(8) {
            0 => col("nobody"),
            1 => lit(dice_missing(dice)),
            2 | 3 => {
                let of = dice.pick(&[Type::Float, Type::Integer, Type::Bool, Type::Text]);
                lit(value(dice, of).cell())
            }
            _ => col(&dice.pick(&schema.names)),
        };
    }
    let part = |dice: &mut Dice| anything(dice, schema, depth - 1);
    let cell = |dice: &mut Dice| {
        let of = dice.pick(&[Type::Float, Type::Integer, Type::Bool, Type::Text]);
        if dice.one_in(8) { Cell::Missing } else { value(dice, of).cell() }
    };
    let unary: [fn(Expr) -> Expr; 10] = [
        |x| -x,
        |x| !x,
        Expr::is_null,
        Expr::year,
        Expr::month,
        Expr::weekday,
        Expr::hour,
        Expr::date,
        Expr::length,
        Expr::day,
    ];
    let binary: [fn(Expr, Expr) -> Expr; 15] = [
        Expr::add,
        Expr::sub,
        Expr::mul,
        Expr::div,
        Expr::eq,
        Expr::ne,
        Expr::lt,
        Expr::le,
        Expr::gt,
        Expr::ge,
        Expr::bitand,
        Expr::bitor,
        Expr::min,
        Expr::max,
        Expr::fill_null,
    ];
    match dice.below(9) {
        0..2 => dice.pick(&unary)(part(dice)),
        2..4 => dice.pick(&binary)(part(dice), part(dice)),
        4 => when(part(dice), part(dice), part(dice)),
        5 => {
            let domain = dice.pick(&schema.domains);
            part(dice).cast(domain)
        }
        6 => {
            let edges: Vec<f64> = (0..dice.below(3)).map(|_| number(dice)).collect();
            part(dice).cut(edges)
        }
        7 => part(dice).clamp(cell(dice), cell(dice)),
        _ => match dice.below(3) {
            0 => {
                let cells: Vec<Cell> = (0..dice.below(3)).map(|_| cell(dice)).collect();
                part(dice).is_in(cells)
            }
            1 => {
                let table: Vec<(Cell, Cell)> = (0..dice.below(3)).map(|_| (cell(dice), cell(dice))).collect();
                part(dice).replace(table)
            }
            _ => {
                let keys: Vec<Expr> = (0..dice.below(3)).map(|_| part(dice)).collect();
                let table: Vec<(Vec<Cell>, Cell)> = (0..dice.below(3))
                    .map(|_| ((0..dice.below(3)).map(|_| cell(dice)).collect(), cell(dice)))
                    .collect();
                if dice.one_in(2) { lookup(keys, table) } else { text_key(keys) }
            }
        },
    }
}

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};

/// Each operation inside itself as deep as may be, on a small stack; one more is refused, and so are too many parts.
#[test]
fn deep_and_large_expressions_end_in_time() {
    let inside: [fn(Expr) -> Expr; 10] = [
        |x| x + 1,
        |x| x.fill_null(0),
        |x| x.clamp(0, 9),
        |x| when(col("b"), x, 1),
        |x| x.cast(ColumnDomain::integer()),
        |x| x.fill_null(1).cut([0.5, 2.0]),
        |x| x.replace([(1, 2), (2, 1)]),
        |x| -x,
        |x| lookup([x, col("k")], [(vec![Cell::from(1), Cell::from(2)], 3)]),
        |x| text_key([x.cast(ColumnDomain::integer()), col("k")]).length(),
    ];
    let run = move || {
        let schema = schema();
        let frame = batches(&mut Dice(1), &schema, &[schema.row(&mut Dice(2))]);
        for inside in inside {
            let (mut expression, mut deepest) = (col("i"), None);
            let mut refused = 0;
            for _ in 0..300 {
                match make_with_columns(schema.domain(), SymmetricDistance, vec![("new", expression.clone())]) {
                    Ok(step) => deepest = Some((step, expression.clone())),
                    Err(error) => {
                        refused += 1;
                        assert!(error.to_string().contains("at most 4096 parts, nested at most 100 deep"), "{error}");
                    }
                }
                expression = inside(expression);
            }
            let (step, deepest) = deepest.unwrap();
            assert!(refused >= 199 && deepest.depth() >= 99, "{refused}, {}", deepest.depth());
            assert!(step.output_domain().member(&step.invoke(&frame).unwrap()));
            assert_eq!(deepest, deepest.clone());
            assert!(format!("{deepest:?} {:?}", step.plan()).len() > 100);
        }
        // Wide ones: each level twice as many parts.
        let mut wide = col("i");
        for level in 0..20 {
            let made = make_with_columns(schema.domain(), SymmetricDistance, vec![("new", wide.clone())]);
            assert_eq!(made.is_ok(), level <= 11, "{level}");
            wide = wide.clone() + wide;
        }
        // A text is compared without being written down for each row; one that is very long is no value.
        let long = |length: usize| "x".repeat(length);
        let made = |value: Expr| make_with_columns(schema.domain(), SymmetricDistance, vec![("new", value)]).is_ok();
        for is_text in [|text: String| lit(text), |text| col("i").replace([(1, text)])] {
            assert_eq!([4096, 4097].map(|length| made(is_text(long(length)))), [true, false]);
        }
        // A million steps leave nothing to fall down.
        let mut long = col("i");
        for _ in 0..1_000_000 {
            long = long.fill_null(0);
        }
        assert!(make_with_columns(schema.domain(), SymmetricDistance, vec![("new", long)]).is_err());
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

/// Three quarters of what a thread has.
pub(super) const STACK: usize = 3 << 19;

/// What errors say: the expression, which is public.
#[test]
fn what_cannot_be_is_named() {
    let frames = || schema().domain();
    let refused = |expression: Expr| {
        make_with_columns(frames(), SymmetricDistance, vec![("new", expression)]).err().unwrap().to_string()
    };
    assert!(refused(col("t") + 1).contains(" t + 1 "));
    assert!(refused((col("i") + 1) & col("b")).contains("i + 1 and b"));
    assert!(refused(col("f").replace([(1, 2)])).contains("cut them into bins"));
    assert!(refused(col("l").eq("z")).contains("is not a label"));
    assert!(refused(col("d").lt("2026-02-30")).contains("must be a date"));
    assert!(refused(col("nobody")).contains("nobody"));
    assert!(refused(col("l").lt(col("m"))).contains("cannot order"));
}

/// Columns as rows, of every type, missing or not.
#[test]
fn typed_rows_are_what_columns_hold() {
    use crate::metrics::InsertDeleteDistance;
    let (schema, dice) = (schema(), &mut Dice(20261123));
    let rows: Vec<Vec<Value>> = (0..9000).map(|_| schema.row(dice)).collect();
    macro_rules! typed {
        ($row:ty, [$($name:literal),+], |$values:ident| $expected:expr) => {{
            let step = make_rows::<$row, _, _>(schema.domain(), InsertDeleteDistance, vec![$($name),+]).unwrap();
            let frame = batches(dice, &schema, &rows);
            let typed = step.invoke(&frame).unwrap();
            let place = |name: &str| schema.names.iter().position(|listed| listed == name).unwrap();
            assert!(step.output_domain().member(&typed));
            assert_eq!(typed.len(), rows.len());
            for (typed, row) in typed.iter().zip(&rows) {
                let $values = [$(row[place($name)].clone()),+];
                assert_eq!(*typed, $expected);
            }
        }};
    }
    let integer = |value: &Value| match value {
        Value::Integer(x) | Value::Date(x) | Value::Time(x) => Some(*x),
        Value::Label(label) => Some(position(if label == "x" { Type::Category(1) } else { Type::Category(0) }, label)),
        _ => None,
    };
    let text = |value: &Value| if let Value::Text(text) = value { Some(text.clone()) } else { None };
    typed!(f64, ["f"], |values| values[0].float().unwrap());
    typed!(Option<f64>, ["h h"], |values| values[0].float());
    typed!(i64, ["s"], |values| integer(&values[0]).unwrap());
    typed!(Option<i64>, ["m"], |values| integer(&values[0]));
    typed!(bool, ["b"], |values| values[0].truth().unwrap());
    typed!(Option<bool>, ["c"], |values| values[0].truth());
    typed!((Option<String>, (i64, Option<i64>)), ["u", "d", "e"], |values| {
        (text(&values[0]), (integer(&values[1]).unwrap(), integer(&values[2])))
    });
    typed!(((String, f64), (Option<i64>, bool)), ["t", "f", "v", "b"], |values| {
        ((text(&values[0]).unwrap(), values[1].float().unwrap()), (integer(&values[2]), values[3].truth().unwrap()))
    });
    assert!(schema.domains.iter().any(|domain| domain.kind() == Kind::Category));
}

/// A fold over frames, which reads them by parts, wherever they are cut: batches without rows before, between, after.
#[test]
fn chains_do_not_see_batches() {
    use crate::transformations::then_sum;
    let (schema, dice) = (schema(), &mut Dice(7));
    let rows: Vec<Vec<Value>> = (0..9000).map(|_| schema.row(dice)).collect();
    let chain = (((schema.domain(), SymmetricDistance) >> then_filter_rows(col("b") | col("c")))
        >> then_with_columns(vec![("k", col("k") * 2 + col("j").is_null().cast(ColumnDomain::integer()))]))
    .unwrap();
    let chain = chain >> then_with_columns(vec![("k", col("k").fill_null(0).clamp(-6, 9))]);
    let chain = (chain >> then_rows::<i64, _, _>(vec!["k"]) >> then_sum()).unwrap();
    let of = |row: &Vec<Value>| {
        let [Value::Integer(k), j] = [&row[5], &row[4]] else { panic!("{row:?}") };
        let is_kept = [&row[6], &row[7]].iter().any(|value| value.truth() == Some(true));
        if is_kept { (2 * k + i64::from(j.is_null())).clamp(-6, 9) } else { 0 }
    };
    let expected: i64 = rows.iter().map(of).sum();
    assert!(chain.map(&1).unwrap() > 0.0);
    for _ in 0..8 {
        let mut frame = batches(dice, &schema, &rows);
        // One without rows says nothing, whatever its columns are.
        let other = Batch::new(vec!["other".to_owned()].into(), vec![Column::from_cells(Kind::Bool, [])], 0);
        let at = dice.below(frame.len() + 1);
        frame.insert(at, other);
        assert!(chain.input_domain().member(&frame));
        assert_eq!(chain.invoke(&frame).unwrap().to_string(), expected.to_string());
    }
}
