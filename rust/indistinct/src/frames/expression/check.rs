//! Checks of an expression against columns: its type, its bounds and its evaluation.

use super::{
    super::{
        batch::Batch,
        cell::{Cell, Kind, Storage},
        column::Column,
        domain::{ColumnDomain, FrameDomain, Values},
    },
    Binary, Expr, Form, Unary,
    calendar::{Part, date_from_text, time_from_text},
    evaluate::{Arithmetic, Comparison, Constant, Node},
    evaluated::from_cells,
    kernels::TRUE,
    keys::Keys,
    table::Table,
};
use crate::{
    core::{Error, Fallible},
    domains::AtomDomain,
    transformations::Castable,
};
use std::sync::Arc;

/// An expression that can be evaluated on the members of a domain, with the domain of its values.
pub(in super::super) struct Checked {
    pub(super) node: Node,
    pub(in super::super) domain: ColumnDomain,
}

impl Checked {
    /// Returns the values as a column.
    pub(in super::super) fn column(&self, batch: &Batch) -> Column {
        self.node.eval(batch).into_column()
    }

    /// Returns the rows in which the value is true, in order.
    pub(in super::super) fn holds(&self, batch: &Batch) -> Vec<usize> {
        let truths = self.node.truths(batch);
        // Each row is written down, and the next in its place unless it is one: without a branch that depends on it.
        let (mut rows, mut number) = (vec![0; truths.len()], 0);
        for (row, truth) in truths.iter().enumerate() {
            if let Some(place) = rows.get_mut(number) {
                *place = row;
            }
            number += usize::from(*truth == TRUE);
        }
        rows.truncate(number);
        rows
    }
}

/// Like `Checked`, while bounds may be one-sided, and the type of an expression that is always missing may be unknown.
struct Typed {
    node: Node,
    /// `None` if the expression is always missing.
    values: Option<Type>,
    missing: bool,
}

#[derive(Clone, PartialEq)]
enum Type {
    Float(Range<f64>),
    Integer(Range<i64>),
    Bool,
    Text,
    Category(Arc<[String]>),
    Date,
    Time,
}

/// A lower and an upper bound on values, where they are known.
#[derive(Clone, Copy, PartialEq)]
struct Range<T> {
    lower: Option<T>,
    upper: Option<T>,
}

impl<T: Copy + PartialOrd> Range<T> {
    const ALL: Self = Self { lower: None, upper: None };

    fn of(bounds: Option<&(T, T)>) -> Self {
        Self { lower: bounds.map(|bounds| bounds.0), upper: bounds.map(|bounds| bounds.1) }
    }

    fn bounds(self) -> Option<(T, T)> {
        Some((self.lower?, self.upper?))
    }

    /// Returns the range of values from either range.
    fn or(self, other: Self) -> Self {
        Self { lower: both(self.lower, other.lower, lesser), upper: both(self.upper, other.upper, greater) }
    }

    /// Returns the range of the smaller of two values.
    fn least(self, other: Self) -> Self {
        Self { lower: both(self.lower, other.lower, lesser), upper: either(self.upper, other.upper, lesser) }
    }

    /// Returns the range of the larger of two values.
    fn greatest(self, other: Self) -> Self {
        Self { lower: either(self.lower, other.lower, greater), upper: both(self.upper, other.upper, greater) }
    }
}

fn lesser<T: PartialOrd>(left: T, right: T) -> T {
    if left < right { left } else { right }
}

fn greater<T: PartialOrd>(left: T, right: T) -> T {
    if left > right { left } else { right }
}

fn both<T>(left: Option<T>, right: Option<T>, of: impl Fn(T, T) -> T) -> Option<T> {
    Some(of(left?, right?))
}

fn either<T>(left: Option<T>, right: Option<T>, of: impl Fn(T, T) -> T) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => Some(of(left, right)),
        (left, right) => left.or(right),
    }
}

impl Type {
    fn of(domain: &ColumnDomain) -> Self {
        match domain.values() {
            Values::Float(floats) => Type::Float(Range::of(floats.bounds())),
            Values::Integer(integers) => Type::Integer(Range::of(integers.bounds())),
            Values::Bool => Type::Bool,
            Values::Text => Type::Text,
            Values::Category(labels) => Type::Category(labels.clone()),
            Values::Date => Type::Date,
            Values::Time => Type::Time,
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Type::Float(_) => Kind::Float,
            Type::Integer(_) => Kind::Integer,
            Type::Bool => Kind::Bool,
            Type::Text => Kind::Text,
            Type::Category(_) => Kind::Category,
            Type::Date => Kind::Date,
            Type::Time => Kind::Time,
        }
    }

    fn values(self) -> Fallible<Values> {
        Ok(match self {
            Type::Float(range) => Values::Float(match range.bounds() {
                Some((lower, upper)) if lower.is_finite() && upper.is_finite() => {
                    AtomDomain::f64().with_bounds((lower, upper))?
                }
                _ => AtomDomain::f64(),
            }),
            Type::Integer(range) => Values::Integer(match range.bounds() {
                Some(bounds) => AtomDomain::i64().with_bounds(bounds)?,
                None => AtomDomain::i64(),
            }),
            Type::Bool => Values::Bool,
            Type::Text => Values::Text,
            Type::Category(labels) => Values::Category(labels),
            Type::Date => Values::Date,
            Type::Time => Values::Time,
        })
    }
}

/// The maximum length of a text in an expression, because it is repeated for each row of a batch.
const LONGEST_TEXT: usize = 1 << 12;

/// Checks an expression on the members of a domain.
///
/// # Errors
///
/// Returns an error that names the expression if it is not valid for the domain.
pub(in super::super) fn check(expression: &Expr, frames: &FrameDomain) -> Fallible<Checked> {
    let Typed { node, values, missing } = typed(expression, frames)?;
    let values = values.ok_or_else(|| refuse(expression, "is always missing"))?.values()?;
    let domain = ColumnDomain::of(values);
    Ok(Checked { node, domain: if missing { domain.with_missing() } else { domain } })
}

/// Checks several expressions that may each supply the values of one column, and returns their common domain.
///
/// # Errors
///
/// Returns an error if one is not valid, or if their values have different types.
pub(in super::super) fn check_alike(
    expressions: &[Expr],
    frames: &FrameDomain,
) -> Fallible<(Vec<Checked>, ColumnDomain)> {
    let all = all_typed(expressions, frames)?;
    let mut values: Option<Type> = None;
    for (expression, part) in expressions.iter().zip(&all) {
        values = match (values, &part.values) {
            (Some(Type::Float(x)), Some(Type::Float(y))) => Some(Type::Float(x.or(*y))),
            (Some(Type::Integer(x)), Some(Type::Integer(y))) => Some(Type::Integer(x.or(*y))),
            (Some(x), Some(y)) if x != *y => {
                let (of, other) = (said(Some(y)), said(Some(&x)));
                let rule = format!(
                    "is {of}, but another part is {other}: all parts must have one type, and categories must have the same \
                     labels"
                );
                return Err(refuse(expression, rule));
            }
            (values, of_part) => values.or_else(|| of_part.clone()),
        };
    }
    let Some(values) = values else {
        let rule = "must have at least one part that is not always missing";
        return Err(Error::parameter("expression", rule));
    };
    let domain = ColumnDomain::of(values.clone().values()?);
    let domain = if all.iter().any(|part| part.missing) { domain.with_missing() } else { domain };
    let checked = |part: Typed| {
        let node = if part.values.is_some() { part.node } else { nothing(&values) };
        Checked { node, domain: domain.clone() }
    };
    Ok((all.into_iter().map(checked).collect(), domain.clone()))
}

fn refuse(expression: &Expr, rule: impl std::fmt::Display) -> Error {
    Error::parameter("expression", format!("{expression} {rule}"))
}

// What calls itself keeps little on the stack: what is done with the parts are functions of their own.
fn typed(expression: &Expr, frames: &FrameDomain) -> Fallible<Typed> {
    let part = |part: &Expr| typed(part, frames);
    match &*expression.form {
        Form::Column(name) => {
            let (position, domain) = (frames.position(name)?, frames.column(name)?);
            Ok(Typed {
                node: Node::Column(position, domain.kind()),
                values: Some(Type::of(domain)),
                missing: domain.has_missing(),
            })
        }
        Form::Literal(Cell::Text(text)) if text.len() > LONGEST_TEXT => {
            Err(Error::parameter("expression", format!("must not contain a text of more than {LONGEST_TEXT} bytes")))
        }
        Form::Literal(cell) => Ok(literal(cell)),
        Form::Unary(operation, inner) => unary(expression, *operation, part(inner)?),
        Form::Binary(operation, left, right) => binary(expression, *operation, part(left)?, part(right)?),
        Form::When(condition, then, otherwise) => chosen(expression, part(condition)?, part(then)?, part(otherwise)?),
        Form::Cast(inner, domain) => cast(expression, part(inner)?, domain),
        Form::Bins(inner, edges) => bins(expression, part(inner)?, edges),
        Form::Lookup(keys, table) => lookup(expression, all_typed(keys, frames)?, table),
        Form::TextKey(parts) => text_key(expression, all_typed(parts, frames)?),
        Form::TooLarge => Err(super::too_large()),
    }
}

// A loop, for what collects calls a dozen functions one inside another.
fn all_typed(expressions: &[Expr], frames: &FrameDomain) -> Fallible<Vec<Typed>> {
    let mut all = Vec::new();
    for expression in expressions {
        all.push(typed(expression, frames)?);
    }
    Ok(all)
}

fn binary(expression: &Expr, operation: Binary, left: Typed, right: Typed) -> Fallible<Typed> {
    match operation {
        Binary::Add => arithmetic(expression, Arithmetic::Add, left, right),
        Binary::Subtract => arithmetic(expression, Arithmetic::Subtract, left, right),
        Binary::Multiply => arithmetic(expression, Arithmetic::Multiply, left, right),
        Binary::Divide => {
            arithmetic(expression, Arithmetic::Divide, to_float(expression, left)?, to_float(expression, right)?)
        }
        Binary::Equal => compare(expression, Comparison::Equal, left, right),
        Binary::NotEqual => compare(expression, Comparison::NotEqual, left, right),
        Binary::Less => compare(expression, Comparison::Less, left, right),
        Binary::LessOrEqual => compare(expression, Comparison::LessOrEqual, left, right),
        Binary::Greater => compare(expression, Comparison::Less, right, left),
        Binary::GreaterOrEqual => compare(expression, Comparison::LessOrEqual, right, left),
        Binary::And | Binary::Or => logic(expression, operation == Binary::And, left, right),
        Binary::Min | Binary::Max => extreme(expression, operation == Binary::Min, left, right),
        Binary::Fill => {
            let missing = left.missing && right.missing;
            let (left, right, values) = alike(expression, left, right)?;
            Ok(Typed { node: Node::Fill(left.into(), right.into()), values, missing })
        }
    }
}

fn chosen(expression: &Expr, condition: Typed, then: Typed, otherwise: Typed) -> Fallible<Typed> {
    let condition = truth(expression, condition)?;
    let missing = then.missing || otherwise.missing;
    let (then, otherwise, values) = alike(expression, then, otherwise)?;
    Ok(Typed { node: Node::When(condition.node.into(), then.into(), otherwise.into()), values, missing })
}

/// Returns a literal with the type of its storage.
fn literal(cell: &Cell) -> Typed {
    let values = match cell {
        cell if cell.is_null() => None,
        Cell::Float(value) if value.is_infinite() => Some(Type::Float(Range::ALL)),
        Cell::Float(value) => Some(Type::Float(Range::of(Some(&(*value, *value))))),
        Cell::Integer(value) => Some(Type::Integer(Range::of(Some(&(*value, *value))))),
        Cell::Bool(_) => Some(Type::Bool),
        Cell::Text(_) => Some(Type::Text),
        Cell::Missing => None,
    };
    let storage = values.as_ref().map_or(Storage::Float, |values| values.kind().storage());
    Typed { node: Node::Constant(Constant::new(cell, storage)), missing: values.is_none(), values }
}

/// Returns a column of this type in which every cell is missing.
fn nothing(values: &Type) -> Node {
    Node::Constant(Constant::new(&Cell::Missing, values.kind().storage()))
}

fn unary(expression: &Expr, operation: Unary, part: Typed) -> Fallible<Typed> {
    let (node, missing) = (Box::new(part.node), part.missing);
    let is_time = matches!(part.values, Some(Type::Time));
    let of_calendar = |node: Box<Node>, part: Part, (lower, upper): (i64, i64)| {
        let range = Range { lower: Some(lower), upper: Some(upper) };
        let values = Some(Type::Integer(if part == Part::Year { Range::ALL } else { range }));
        Ok(Typed { node: Node::Calendar(part, is_time, node), values, missing: true })
    };
    match (operation, &part.values) {
        (Unary::IsMissing, _) => Ok(Typed { node: Node::IsMissing(node), values: Some(Type::Bool), missing: false }),
        (Unary::Not, Some(Type::Bool)) => Ok(Typed { node: Node::Not(node), values: Some(Type::Bool), missing }),
        (Unary::Negative, Some(Type::Float(range))) => {
            let range = Range { lower: range.upper.map(|x| -x), upper: range.lower.map(|x| -x) };
            Ok(Typed { node: Node::NegativeFloat(node), values: Some(Type::Float(range)), missing })
        }
        (Unary::Negative, Some(Type::Integer(_))) => {
            let zero = Node::Constant(Constant::new(&Cell::Integer(0), Storage::Integer));
            let node = Node::Integers(Arithmetic::Subtract, zero.into(), node);
            Ok(Typed { node, values: Some(Type::Integer(Range::ALL)), missing: true })
        }
        (Unary::Year, Some(Type::Date | Type::Time)) => of_calendar(node, Part::Year, (0, 0)),
        (Unary::Month, Some(Type::Date | Type::Time)) => of_calendar(node, Part::Month, (1, 12)),
        (Unary::Day, Some(Type::Date | Type::Time)) => of_calendar(node, Part::Day, (1, 31)),
        (Unary::Weekday, Some(Type::Date | Type::Time)) => of_calendar(node, Part::Weekday, (1, 7)),
        (Unary::Hour, Some(Type::Time)) => of_calendar(node, Part::Hour, (0, 23)),
        (Unary::Date, Some(Type::Time)) => Ok(Typed { node: Node::DayOfTime(node), values: Some(Type::Date), missing }),
        (Unary::Length, Some(Type::Text)) => {
            let range = Range { lower: Some(0), upper: None };
            Ok(Typed { node: Node::Length(node), values: Some(Type::Integer(range)), missing })
        }
        (_, values) => Err(refuse(expression, format!("does not accept {}", said(values.as_ref())))),
    }
}

/// Returns a type in words.
fn said(values: Option<&Type>) -> String {
    match values {
        Some(values) => format!("a column of type {}", values.kind()),
        None => "a value that is always missing".into(),
    }
}

/// Returns the error for two types that cannot be combined.
fn mismatch(expression: &Expr, left: &Typed, right: &Typed) -> Error {
    refuse(expression, format!("cannot combine {} with {}", said(left.values.as_ref()), said(right.values.as_ref())))
}

/// Converts a number to a float.
fn to_float(expression: &Expr, number: Typed) -> Fallible<Typed> {
    match number.values {
        Some(Type::Integer(range)) => {
            // To the nearest float keeps the order.
            let nearest = |bound: Option<i64>| bound.and_then(|bound| bound.cast::<f64>());
            let range = Range { lower: nearest(range.lower), upper: nearest(range.upper) };
            let node = match number.node {
                Node::Constant(constant) => Node::Constant(constant.to_float()),
                node => Node::ToFloat(node.into()),
            };
            Ok(Typed { node, values: Some(Type::Float(range)), missing: number.missing })
        }
        Some(Type::Float(_)) => Ok(number),
        values => Err(refuse(expression, format!("takes numbers, not {}", said(values.as_ref())))),
    }
}

/// Converts two values to one type: numbers to floats unless both are integers, texts to labels or dates if the other
/// value is one.
fn alike(expression: &Expr, left: Typed, right: Typed) -> Fallible<(Node, Node, Option<Type>)> {
    use Type::{Category, Date, Float, Integer, Text, Time};
    let (left, right) = match (&left.values, &right.values) {
        (Some(Integer(_)), Some(Float(_))) => (to_float(expression, left)?, right),
        (Some(Float(_)), Some(Integer(_))) => (left, to_float(expression, right)?),
        (Some(Category(_) | Date | Time), Some(Text)) => {
            let right = read(expression, right, left.values.as_ref())?;
            (left, right)
        }
        (Some(Text), Some(Category(_) | Date | Time)) => {
            let left = read(expression, left, right.values.as_ref())?;
            (left, right)
        }
        _ => (left, right),
    };
    match (&left.values, &right.values) {
        (Some(values), None) => Ok((left.node, nothing(values), Some(values.clone()))),
        (None, Some(values)) => Ok((nothing(values), right.node, Some(values.clone()))),
        (None, None) => Ok((left.node, right.node, None)),
        (Some(Float(x)), Some(Float(y))) => Ok((left.node, right.node, Some(Float(x.or(*y))))),
        (Some(Integer(x)), Some(Integer(y))) => Ok((left.node, right.node, Some(Integer(x.or(*y))))),
        (Some(x), Some(y)) if x == y => {
            let values = Some(x.clone());
            Ok((left.node, right.node, values))
        }
        _ => Err(mismatch(expression, &left, &right)),
    }
}

/// Converts a literal text to a value of another type.
fn read(expression: &Expr, text: Typed, values: Option<&Type>) -> Fallible<Typed> {
    let (Node::Constant(constant), Some(values)) = (&text.node, values) else {
        return Err(refuse(expression, "combines a column of texts with a column of another type: cast it first"));
    };
    let value = integer_of(constant.cell(), values).ok_or_else(|| match values {
        Type::Category(labels) => {
            refuse(expression, format!("is not a label of the column; the labels are {}", labels.join(", ")))
        }
        Type::Date => {
            refuse(expression, "must be a date, such as 2026-11-23; a date can be compared only with times at midnight")
        }
        _ => refuse(
            expression,
            "must be a time, such as 2026-11-23 (midnight), 2026-11-23T06:17, 2026-11-23T06:17:45.25 or \
             2026-11-23T06:17:45+02:00 (converted to UTC)",
        ),
    })?;
    let node = Node::Constant(Constant::new(&Cell::Integer(value), Storage::Integer));
    Ok(Typed { node, values: Some(values.clone()), missing: false })
}

/// Returns the integer that represents a cell in a column of this type.
fn integer_of(cell: &Cell, values: &Type) -> Option<i64> {
    match (cell, values) {
        (Cell::Text(text), Type::Category(labels)) => {
            i64::try_from(labels.iter().position(|label| label == text)?).ok()
        }
        (Cell::Text(text), Type::Date) => date_from_text(text),
        (Cell::Text(text), Type::Time) => time_from_text(text),
        (Cell::Integer(value), Type::Integer(_) | Type::Date | Type::Time) => Some(*value),
        _ => None,
    }
}

fn arithmetic(expression: &Expr, operation: Arithmetic, left: Typed, right: Typed) -> Fallible<Typed> {
    // What a day and a number of days make, and how far apart two days or times are.
    let integers = match (&left.values, operation, &right.values) {
        (Some(Type::Integer(_)), _, Some(Type::Integer(_))) => Some(Type::Integer(Range::ALL)),
        (Some(Type::Date), Arithmetic::Subtract, Some(Type::Date)) => Some(Type::Integer(Range::ALL)),
        (Some(Type::Time), Arithmetic::Subtract, Some(Type::Time)) => Some(Type::Integer(Range::ALL)),
        (Some(Type::Date), Arithmetic::Add | Arithmetic::Subtract, Some(Type::Integer(_))) => Some(Type::Date),
        _ => None,
    };
    if integers.is_some() {
        let node = Node::Integers(operation, left.node.into(), right.node.into());
        return Ok(Typed { node, values: integers, missing: true });
    }
    match (&left.values, &right.values) {
        (Some(Type::Integer(_) | Type::Float(_)), Some(Type::Integer(_) | Type::Float(_))) => {
            let (left, right) = (to_float(expression, left)?, to_float(expression, right)?);
            let node = Node::Floats(operation, left.node.into(), right.node.into());
            Ok(Typed { node, values: Some(Type::Float(Range::ALL)), missing: true })
        }
        _ => Err(mismatch(expression, &left, &right)),
    }
}

fn compare(expression: &Expr, comparison: Comparison, left: Typed, right: Typed) -> Fallible<Typed> {
    let missing = left.missing || right.missing;
    let (left, right, values) = alike(expression, left, right)?;
    let values = values.ok_or_else(|| refuse(expression, "compares a value that is always missing"))?;
    let is_ordered = !matches!(values, Type::Category(_) | Type::Bool);
    if !is_ordered && !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
        return Err(refuse(expression, format!("cannot order values of type {}", values.kind())));
    }
    let node = Node::Compare(comparison, values.kind().storage(), left.into(), right.into());
    Ok(Typed { node, values: Some(Type::Bool), missing })
}

/// Checks that a part is a Boolean.
fn truth(expression: &Expr, part: Typed) -> Fallible<Typed> {
    match part.values {
        Some(Type::Bool) => Ok(part),
        None => Ok(Typed { node: nothing(&Type::Bool), values: Some(Type::Bool), missing: true }),
        values => Err(refuse(expression, format!("takes Booleans, not {}", said(values.as_ref())))),
    }
}

fn logic(expression: &Expr, is_and: bool, left: Typed, right: Typed) -> Fallible<Typed> {
    let (left, right) = (truth(expression, left)?, truth(expression, right)?);
    let missing = left.missing || right.missing;
    let (left, right) = (left.node.into(), right.node.into());
    Ok(Typed {
        node: if is_and { Node::And(left, right) } else { Node::Or(left, right) },
        values: Some(Type::Bool),
        missing,
    })
}

fn extreme(expression: &Expr, is_least: bool, left: Typed, right: Typed) -> Fallible<Typed> {
    let missing = left.missing || right.missing;
    let (left, right) = match (&left.values, &right.values) {
        (Some(Type::Integer(_)), Some(Type::Float(_))) => (to_float(expression, left)?, right),
        (Some(Type::Float(_)), Some(Type::Integer(_))) => (left, to_float(expression, right)?),
        _ => (left, right),
    };
    let values = match (&left.values, &right.values) {
        (Some(Type::Float(x)), Some(Type::Float(y))) => {
            Some(Type::Float(if is_least { x.least(*y) } else { x.greatest(*y) }))
        }
        (Some(Type::Integer(x)), Some(Type::Integer(y))) => {
            Some(Type::Integer(if is_least { x.least(*y) } else { x.greatest(*y) }))
        }
        (Some(Type::Date | Type::Time | Type::Text), _) | (_, Some(Type::Date | Type::Time | Type::Text)) => None,
        _ => return Err(mismatch(expression, &left, &right)),
    };
    let (left, right, values) = match values {
        Some(values) => (left.node, right.node, Some(values)),
        None => alike(expression, left, right)?,
    };
    let storage = match &values {
        Some(Type::Text | Type::Bool | Type::Category(_)) | None => {
            return Err(refuse(expression, "takes numbers, dates or times"));
        }
        Some(values) => values.kind().storage(),
    };
    Ok(Typed { node: Node::Extreme(is_least, storage, left.into(), right.into()), values, missing })
}

fn bins(expression: &Expr, part: Typed, edges: &[Cell]) -> Fallible<Typed> {
    let edges: Vec<f64> = edges.iter().map(|edge| edge.to_float().unwrap_or(f64::NAN)).collect();
    let is_rising = !edges.is_empty()
        && edges.iter().all(|edge| !edge.is_nan())
        && edges.iter().zip(edges.iter().skip(1)).all(|(edge, next)| edge < next);
    if !is_rising {
        return Err(refuse(expression, "must have at least one edge, and its edges must be in ascending order"));
    }
    let part = to_float(expression, part)?;
    let last = i64::try_from(edges.len()).ok();
    let values = Some(Type::Integer(Range { lower: Some(0), upper: last }));
    Ok(Typed { node: Node::Bins(part.node.into(), edges.into()), values, missing: part.missing })
}

fn cast(expression: &Expr, part: Typed, domain: &ColumnDomain) -> Fallible<Typed> {
    let to = Type::of(domain);
    let Some(from) = part.values else {
        return Ok(Typed { node: nothing(&to), values: Some(to), missing: true });
    };
    use Kind::{Bool, Category, Date, Float, Integer, Text, Time};
    let is_known = match (from.kind(), to.kind()) {
        (from, to) if from == to => true,
        (Float | Integer | Bool | Text | Category, Float | Integer | Bool | Text) => true,
        (Text | Category, Category) | (Date | Time, Text | Date | Time) | (Text, Date | Time) => true,
        _ => false,
    };
    if !is_known {
        return Err(refuse(expression, format!("cannot cast {} to type {}", said(Some(&from)), to.kind())));
    }
    let labels = |values: &Type| if let Type::Category(labels) = values { Some(labels.clone()) } else { None };
    let node = Node::Cast { part: part.node.into(), from: from.kind(), labels: labels(&from), to: domain.clone() };
    // Where every value has an image in the domain, nothing becomes missing.
    let is_total = matches!(
        (&from, &to),
        (Type::Float(_) | Type::Integer(_) | Type::Bool | Type::Text | Type::Category(_), Type::Text)
            | (Type::Integer(_) | Type::Bool, Type::Float(Range { lower: None, upper: None }))
            | (Type::Bool, Type::Integer(Range { lower: None, upper: None }))
    );
    Ok(Typed { node, values: Some(to), missing: part.missing || !is_total })
}

fn lookup(expression: &Expr, keys: Vec<Typed>, table: &Table) -> Fallible<Typed> {
    if table.rows.iter().any(|(key, _)| key.len() != keys.len()) {
        return Err(refuse(expression, format!("must have keys of {} cells", keys.len())));
    }
    if keys.is_empty() {
        return Err(refuse(expression, "must have at least one key"));
    }
    // What rows say of the key, column by column.
    let (mut parts, mut columns) = (Vec::new(), Vec::new());
    for (place, key) in keys.into_iter().enumerate() {
        let values = key.values.ok_or_else(|| refuse(expression, "cannot look up a value that is always missing"))?;
        if matches!(values, Type::Float(_)) {
            return Err(refuse(expression, "cannot look up floats: cut them into bins first"));
        }
        let cells = table.rows.iter().filter_map(|(key, _)| key.get(place));
        let cells = cells.map(|cell| stored(expression, cell, &values)).collect::<Fallible<Vec<_>>>()?;
        parts.push(key.node);
        columns.push((values.kind().storage(), cells));
    }
    let mut values = None;
    for (_, value) in &table.rows {
        values = joined(expression, values, value)?;
    }
    values = joined(expression, values, &table.otherwise)?;
    let values = values.ok_or_else(|| refuse(expression, "is always missing"))?;
    let missing = table.otherwise.is_null() || table.rows.iter().any(|(_, value)| value.is_null());
    let storage = values.kind().storage();
    let results = table.rows.iter().map(|(_, value)| value).chain([&table.otherwise]);
    let results: Vec<Cell> = results.map(|value| as_stored(value, storage)).collect();
    let (keys, order) = Keys::new(columns).map_err(|rule| refuse(expression, rule))?;
    let node = Node::Lookup(parts, keys, from_cells(storage, results.iter()).at(&order));
    Ok(Typed { node, values: Some(values), missing })
}

fn text_key(expression: &Expr, parts: Vec<Typed>) -> Fallible<Typed> {
    if parts.is_empty() {
        return Err(refuse(expression, "must have at least one part"));
    }
    let mut nodes = Vec::new();
    for part in parts {
        let kind = part.values.as_ref().map(Type::kind);
        let part = match kind {
            Some(Kind::Float) => {
                return Err(refuse(expression, "must not have floats in its key: cut them into bins first"));
            }
            Some(Kind::Category | Kind::Date | Kind::Time) => cast(expression, part, &ColumnDomain::text())?,
            _ => part,
        };
        nodes.push(part.node);
    }
    Ok(Typed { node: Node::TextKey(nodes), values: Some(Type::Text), missing: false })
}

/// Returns a cell of a key as columns of this type store it.
fn stored(expression: &Expr, cell: &Cell, values: &Type) -> Fallible<Cell> {
    if cell.is_null() {
        return Ok(Cell::Missing);
    }
    match (cell, values) {
        (Cell::Bool(_), Type::Bool) | (Cell::Text(_), Type::Text) => Ok(cell.clone()),
        _ => integer_of(cell, values).map(Cell::Integer).ok_or_else(|| match values {
            Type::Category(labels) => refuse(
                expression,
                format!("has the key {cell}, which is not a label; the labels are {}", labels.join(", ")),
            ),
            values => refuse(expression, format!("has the key {cell}, which is not a value of type {}", values.kind())),
        }),
    }
}

/// Returns the type of a table's values, after one more value.
fn joined(expression: &Expr, values: Option<Type>, cell: &Cell) -> Fallible<Option<Type>> {
    let one = literal(cell).values;
    let float = |range: Range<i64>| {
        let nearest = |bound: Option<i64>| bound.and_then(|bound| bound.cast::<f64>());
        Range { lower: nearest(range.lower), upper: nearest(range.upper) }
    };
    Ok(Some(match (values, one) {
        (None, None) => return Ok(None),
        (Some(values), None) | (None, Some(values)) => values,
        (Some(Type::Float(x)), Some(Type::Float(y))) => Type::Float(x.or(y)),
        (Some(Type::Integer(x)), Some(Type::Integer(y))) => Type::Integer(x.or(y)),
        (Some(Type::Float(x)), Some(Type::Integer(y))) => Type::Float(x.or(float(y))),
        (Some(Type::Integer(x)), Some(Type::Float(y))) => Type::Float(float(x).or(y)),
        (Some(x), Some(y)) if x == y => x,
        _ => return Err(refuse(expression, "must have values of the same type")),
    }))
}

/// Returns a value of a table as a column of this storage stores it.
fn as_stored(cell: &Cell, storage: Storage) -> Cell {
    match storage {
        Storage::Float => cell.to_float().into(),
        _ => cell.clone(),
    }
}
