//! Converts expressions of SQL to expressions on tables.

use crate::{
    error::Error,
    public::Joined,
    released::{Output, name_of_released},
    words::column_of,
};
use indistinct::{
    frames::{Cell, ColumnDomain, Expr, FrameDomain, Kind, col, lit, make_with_columns, when},
    metrics::SymmetricDistance,
};
use sqlparser::ast::{
    BinaryOperator, CaseWhen, CeilFloorKind, DataType, DateTimeField, Expr as Sql, Function, FunctionArg,
    FunctionArgExpr, FunctionArguments, Ident, InTarget, ObjectNamePart, UnaryOperator, Value,
};

/// The tables in which names are looked up.
pub(crate) struct Names<'a> {
    pub(crate) table: &'a str,
    pub(crate) domain: &'a FrameDomain,
    /// The joined public tables.
    pub(crate) joined: Vec<Joined>,
    /// The released columns, where these are read.
    pub(crate) outputs: &'a [Output<'a>],
}

/// The maximum number of bins plus one.
const MAX_BINS: f64 = 10_000.0;

impl Names<'_> {
    /// Returns the expression for an SQL expression.
    pub(crate) fn expression(&self, sql: &Sql) -> Result<Expr, Error> {
        let of = |part: &Sql| self.expression(part);
        if let Some(name) = name_of_released(self.outputs, sql)? {
            return Ok(col(name));
        }
        Ok(match sql {
            Sql::Nested(inner) => of(inner)?,
            Sql::Identifier(name) => self.column(sql, None, name)?,
            Sql::CompoundIdentifier(names) => match names.as_slice() {
                [table, name] => self.column(sql, Some(&table.value), name)?,
                _ => return Err(Error::at(sql, format!("{sql} is not a column of {}", self.table))),
            },
            Sql::Value(value) => lit(cell(&value.value).ok_or_else(|| unknown(sql))?),
            Sql::TypedString(typed) => match (&typed.data_type, &typed.value.value) {
                (DataType::Date | DataType::Timestamp(..), Value::SingleQuotedString(text)) => lit(text.as_str()),
                _ => return Err(unknown(sql)),
            },
            Sql::UnaryOp { op, expr } => match op {
                UnaryOperator::Not => !of(expr)?,
                UnaryOperator::Minus => negative(expr).map_or_else(|| Ok(-of(expr)?), |cell| Ok(lit(cell)))?,
                UnaryOperator::Plus => of(expr)?,
                _ => return Err(unknown(sql)),
            },
            Sql::BinaryOp { left, op, right } => self.binary(sql, (left, op, right))?,
            Sql::IsNull(value) => of(value)?.is_null(),
            Sql::IsNotNull(value) => !of(value)?.is_null(),
            Sql::Between { expr, negated, low, high } => {
                let value = of(expr)?;
                let from = self.compared(value.clone().ge(of(low)?), [expr, low])?;
                not_if(*negated, from & self.compared(value.le(of(high)?), [expr, high])?)
            }
            Sql::In { expr, target: InTarget::List(values), negated, global: false } => {
                let value = of(expr)?;
                let listed = value.clone().is_in(cells(values)?);
                if self.described(sql, &listed).is_err() {
                    let alone = |one: &Sql| {
                        self.compared(value.clone().is_in(cells(std::slice::from_ref(one))?), [expr, one]).map(drop)
                    };
                    values.iter().try_for_each(alone)?;
                }
                not_if(*negated, listed)
            }
            Sql::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())?
            }
            Sql::Cast { expr, data_type, format: None, .. } => {
                of(expr)?.cast(domain(data_type).ok_or_else(|| unknown(sql))?)
            }
            Sql::Extract { field, expr, .. } => {
                let of = of(expr)?;
                match field {
                    DateTimeField::Year => of.year(),
                    DateTimeField::Month => of.month(),
                    DateTimeField::Day => of.day(),
                    DateTimeField::Hour => of.hour(),
                    DateTimeField::Isodow => of.weekday(),
                    _ => return Err(Error::at(sql, "EXTRACT supports YEAR, MONTH, DAY, HOUR and ISODOW")),
                }
            }
            Sql::Function(function) => self.function(sql, function)?,
            Sql::Floor { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                self.floor(sql, expr)?
            }
            _ => return Err(unknown(sql)),
        })
    }

    /// Returns a column of the private table or of a joined table; if a table is named, of that table.
    fn column(&self, sql: &Sql, table: Option<&str>, name: &Ident) -> Result<Expr, Error> {
        let is_own = table.is_none_or(|table| table == self.table) && self.domain.column(&name.value).is_ok();
        let public = self.joined.iter().filter_map(|joined| joined.column(table, &name.value));
        let mut found = is_own.then(|| Ok(col(&name.value))).into_iter().chain(public);
        match (found.next(), found.next()) {
            (Some(column), None) => column.map_err(|error| Error::at(sql, error.to_string())),
            (Some(_), Some(_)) => Err(Error::at(sql, format!("{sql} is a column of several tables: name the table"))),
            (None, _) if table.is_none_or(|table| table == self.table) => {
                let names = self.domain.names().join(", ");
                // In SQL double quotes stand around names.
                let quotes = if name.quote_style == Some('"') { "; texts have single quotes" } else { "" };
                let rule =
                    format!("there is no column {:?} in {}; its columns are: {names}{quotes}", name.value, self.table);
                Err(Error::at(sql, rule))
            }
            (None, _) => Err(Error::at(sql, format!("{sql} is not a column of {}", self.table))),
        }
    }

    /// Returns the values of a column of a public table.
    pub(crate) fn public_values(&self, sql: &Sql) -> Option<Vec<Cell>> {
        let (table, name) = match sql {
            Sql::Nested(inner) => return self.public_values(inner),
            Sql::Identifier(name) => (None, name),
            Sql::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, name] => (Some(table.value.as_str()), name),
                _ => return None,
            },
            _ => return None,
        };
        let is_own = table.is_none_or(|table| table == self.table) && self.domain.column(&name.value).is_ok();
        self.joined.iter().filter(|_| !is_own).find_map(|joined| joined.values(table, &name.value))
    }

    fn binary(&self, sql: &Sql, (left, op, right): (&Sql, &BinaryOperator, &Sql)) -> Result<Expr, Error> {
        let (a, b) = (self.expression(left)?, self.expression(right)?);
        Ok(match op {
            BinaryOperator::Plus => self.computed(sql, a + b)?,
            BinaryOperator::Minus => self.computed(sql, a - b)?,
            BinaryOperator::Multiply => self.computed(sql, a * b)?,
            BinaryOperator::Divide => self.computed(sql, a / b)?,
            BinaryOperator::Eq => self.compared(a.eq(b), [left, right])?,
            BinaryOperator::NotEq => self.compared(a.ne(b), [left, right])?,
            BinaryOperator::Lt => self.compared(a.lt(b), [left, right])?,
            BinaryOperator::LtEq => self.compared(a.le(b), [left, right])?,
            BinaryOperator::Gt => self.compared(a.gt(b), [left, right])?,
            BinaryOperator::GtEq => self.compared(a.ge(b), [left, right])?,
            BinaryOperator::And => a & b,
            BinaryOperator::Or => a | b,
            _ => return Err(unknown(sql)),
        })
    }

    /// Checks an expression, with an error at its position if its parts do not fit.
    pub(crate) fn computed(&self, sql: &Sql, value: Expr) -> Result<Expr, Error> {
        self.described(sql, &value)?;
        Ok(value)
    }

    /// Checks a comparison. If its sides cannot be compared, the error is at the constant, if one of them is one, and
    /// shows how to write it.
    fn compared(&self, comparison: Expr, sides: [&Sql; 2]) -> Result<Expr, Error> {
        let is_constant = |sql: &Sql| matches!(sql, Sql::TypedString(_) | Sql::Value(_) | Sql::UnaryOp { .. });
        let (constant, other) = match sides {
            [left, right] if is_constant(right) => (right, left),
            [left, right] => (left, right),
        };
        let Err(error) = self.described(constant, &comparison) else { return Ok(comparison) };
        let kind = |sql: &Sql| Some(self.described(sql, &self.expression(sql).ok()?).ok()?.kind());
        let hint = match (kind(constant), kind(other)) {
            (Some(Kind::Integer | Kind::Float), Some(Kind::Text | Kind::Category)) => {
                format!("; {other} is a text, so write '{constant}'")
            }
            (Some(Kind::Text), Some(found @ (Kind::Integer | Kind::Float | Kind::Bool))) => {
                format!("; {other} is of type {found}, so write the value without quotes")
            }
            _ => return Err(error),
        };
        Err(Error { message: error.message + &hint, ..error })
    }

    /// A condition, which has to be true or false.
    pub(crate) fn condition(&self, sql: &Sql) -> Result<Expr, Error> {
        let condition = self.expression(sql)?;
        match self.described(sql, &condition)?.kind() {
            Kind::Bool => Ok(condition),
            kind => Err(Error::at(sql, format!("{sql} is of type {kind}, but a condition must be Boolean"))),
        }
    }

    fn case(&self, operand: Option<&Sql>, conditions: &[CaseWhen], otherwise: Option<&Sql>) -> Result<Expr, Error> {
        let operand = operand.map(|operand| self.expression(operand)).transpose()?;
        let last = otherwise.map_or_else(|| Ok(lit(Cell::Missing)), |value| self.expression(value))?;
        conditions.iter().rev().try_fold(last, |rest, case| {
            let condition = self.expression(&case.condition)?;
            let condition = match &operand {
                Some(operand) => operand.clone().eq(condition),
                None => condition,
            };
            Ok(when(condition, self.expression(&case.result)?, rest))
        })
    }

    /// Returns the largest integer not above a value, as the number of integers between its bounds that are at most
    /// the value.
    fn floor(&self, sql: &Sql, of: &Sql) -> Result<Expr, Error> {
        let value = self.expression(of)?;
        if self.described(of, &value)?.kind() == Kind::Integer {
            return Ok(value);
        }
        let Some((low, high)) = self.ends(of, &value)?.map(|(low, high)| (low.floor(), high.floor())) else {
            return Err(Error::at(sql, format!("{sql} needs bounds: FLOOR(CLAMP({of}, lowest, highest))")));
        };
        // Whole numbers of this size are floats, and integers of 64 bits.
        if !(high - low < MAX_BINS && low.abs() < 1e15) {
            return Err(Error::at(sql, format!("{sql} may take more than 10000 integer values")));
        }
        let whole = |number: f64| format!("{number:.0}").parse::<i64>().map_err(|_| unknown(sql));
        let (first, last) = (whole(low)?, whole(high)?);
        let edge = |step: i32| low + f64::from(step);
        let edges: Vec<f64> = (1..).map(edge).take_while(|edge| *edge <= high.max(low + 1.0)).collect();
        // The sum of two small numbers is always there; where the value is missing, so is its floor.
        let whole = (value.cut(edges) + lit(first)).fill_null(first).max(first).min(last);
        let source = self.expression(divided(of).map_or(of, |(value, _)| value))?;
        match self.described(of, &source)?.has_missing() {
            true => Ok(when(source.is_null(), Cell::Missing, whole)),
            false => Ok(whole),
        }
    }

    /// Returns the bounds of a value, from its domain. For a value divided by a positive constant, they are the divided
    /// bounds, because division of floats preserves the order.
    fn ends(&self, sql: &Sql, value: &Expr) -> Result<Option<(f64, f64)>, Error> {
        let ends = |domain: ColumnDomain| domain.bounds().and_then(|(low, high)| float(low).zip(float(high)));
        match divided(sql) {
            Some((of, by)) => {
                let by = self.number(by, &self.expression(by)?)?.filter(|by| *by > 0.0);
                let bounds = ends(self.described(of, &self.expression(of)?)?);
                Ok(bounds.zip(by).map(|((low, high), by)| (low / by, high / by)))
            }
            None => Ok(ends(self.described(sql, value)?)),
        }
    }

    /// Returns the number of the bin of equal width that contains a value: 0 below the lowest edge, and the number of
    /// bins plus 1 from the highest edge on.
    fn width_bucket(&self, sql: &Sql, parts: &[&Sql]) -> Result<Expr, Error> {
        let [value, low, high, bins] = parts else {
            return Err(Error::at(
                sql,
                "WIDTH_BUCKET takes a value, the least and the greatest edge, and a number of bins",
            ));
        };
        let number = |part: &Sql| self.number(part, &self.expression(part)?);
        let ends = number(low)?.zip(number(high)?).zip(number(bins)?);
        match ends {
            Some(((low, high), bins)) if low < high && (1.0..MAX_BINS).contains(&bins) && bins.fract() == 0.0 => {
                let edge = |step: i32| low + (high - low) * (f64::from(step) / bins);
                let steps = (0..).take_while(|step| f64::from(*step) <= bins);
                Ok(self.expression(value)?.cut(steps.map(edge)))
            }
            _ => {
                let rule = "the lowest edge must be below the highest, with 1 to 9999 bins, all constants";
                Err(Error::at(sql, format!("{sql}: {rule}")))
            }
        }
    }

    fn function(&self, sql: &Sql, function: &Function) -> Result<Expr, Error> {
        let parts = plain_arguments(function).ok_or_else(|| self.unknown_or_column(sql))?;
        let values = parts.iter().map(|value| self.expression(value)).collect::<Result<Vec<_>, _>>()?;
        let fold = |values: Vec<Expr>, join: fn(Expr, Expr) -> Expr| {
            values.into_iter().reduce(join).ok_or_else(|| Error::at(sql, format!("{sql} needs at least one value")))
        };
        let name = name_of(function);
        match (name.as_str(), values.as_slice()) {
            ("COALESCE", _) => fold(values, |a, b| a.fill_null(b)),
            ("LEAST", _) => fold(values, |a, b| a.min(b)),
            ("GREATEST", _) => fold(values, |a, b| a.max(b)),
            ("CLAMP", [value, low, high]) => {
                let ends = match parts.as_slice() {
                    [_, least, greatest] => self.number(least, low)?.zip(self.number(greatest, high)?),
                    _ => None,
                };
                match ends {
                    Some((least, greatest)) if least >= greatest => {
                        let rule = format!("the lowest bound, {least}, must be below the highest, {greatest}");
                        Err(Error::at(sql, format!("{sql}: {rule}")))
                    }
                    _ => Ok(value.clone().max(low.clone()).min(high.clone())),
                }
            }
            ("CLAMP", _) => {
                Err(Error::at(sql, format!("{sql}: CLAMP takes a value and two bounds; write decimals with a point")))
            }
            ("YEAR" | "MONTH" | "DAY" | "HOUR", [_]) => {
                let of = parts.iter().map(ToString::to_string).collect::<String>();
                Err(Error::at(sql, format!("{sql} is not part of private queries: use EXTRACT({name} FROM {of})")))
            }
            ("LENGTH" | "CHAR_LENGTH", [value]) => Ok(value.clone().length()),
            ("WIDTH_BUCKET", _) => self.width_bucket(sql, &parts),
            _ => Err(self.unknown_or_column(sql)),
        }
    }

    /// Returns the error for a text that is not an expression, with a hint if it is a column named like a keyword of
    /// SQL.
    fn unknown_or_column(&self, sql: &Sql) -> Error {
        match self.domain.column(&sql.to_string()) {
            Ok(_) => Error::at(sql, column_of(&sql.to_string(), self.table)),
            Err(_) => unknown(sql),
        }
    }

    /// Returns the number that a constant expression has, if it is one.
    fn number(&self, sql: &Sql, value: &Expr) -> Result<Option<f64>, Error> {
        let bounds = self.described(sql, value)?.bounds().and_then(|(low, high)| Some((float(low)?, float(high)?)));
        Ok(bounds.filter(|(low, high)| low == high).map(|(number, _)| number))
    }

    /// Returns the domain of an expression on the table's rows.
    pub(crate) fn described(&self, sql: &Sql, value: &Expr) -> Result<ColumnDomain, Error> {
        let mut name = "value".to_owned();
        while self.domain.column(&name).is_ok() {
            name.push('_');
        }
        let refuse = |error: indistinct::core::Error| Error::at(sql, error.to_string());
        let table = make_with_columns(self.domain.clone(), SymmetricDistance, vec![(name.clone(), value.clone())]);
        let table = table.map_err(refuse)?;
        Ok(table.output_domain().column(&name).map_err(refuse)?.clone())
    }
}

/// Returns the dividend and the divisor.
fn divided(sql: &Sql) -> Option<(&Sql, &Sql)> {
    match sql {
        Sql::Nested(inner) => divided(inner),
        Sql::BinaryOp { left, op: BinaryOperator::Divide, right } => Some((left, right)),
        _ => None,
    }
}

/// Returns a number as a float.
pub(crate) fn float(cell: Cell) -> Option<f64> {
    match cell {
        Cell::Float(number) => Some(number),
        Cell::Integer(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

fn unknown(sql: &Sql) -> Error {
    Error::at(sql, format!("{sql} is not part of private queries"))
}

fn not_if(is_negated: bool, condition: Expr) -> Expr {
    if is_negated { !condition } else { condition }
}

/// Returns the name of a function, in capital letters.
pub(crate) fn name_of(function: &Function) -> String {
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value.to_uppercase(),
        _ => String::new(),
    }
}

/// Returns the arguments of a call without DISTINCT, FILTER, OVER or anything else.
pub(crate) fn plain_arguments(function: &Function) -> Option<Vec<&Sql>> {
    let values = arguments(function)?;
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    (function.to_string() == format!("{}({})", function.name, shown.join(", "))).then_some(values)
}

/// Returns the values among the arguments.
pub(crate) fn arguments(function: &Function) -> Option<Vec<&Sql>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let value = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref value)) => Some(value),
        _ => None,
    };
    list.args.iter().map(value).collect()
}

/// Returns a number, a text, a Boolean or a missing value.
pub(crate) fn cell(value: &Value) -> Option<Cell> {
    Some(match value {
        Value::Number(text, false) => match text.parse::<i64>() {
            Ok(number) => Cell::Integer(number),
            Err(_) => Cell::Float(text.parse::<f64>().ok().filter(|number| number.is_finite())?),
        },
        Value::SingleQuotedString(text) => Cell::Text(text.clone()),
        Value::Boolean(value) => Cell::Bool(*value),
        Value::Null => Cell::Missing,
        _ => return None,
    })
}

/// Returns the negative of a literal number.
fn negative(sql: &Sql) -> Option<Cell> {
    let Sql::Value(value) = sql else { return None };
    let Value::Number(text, false) = &value.value else { return None };
    cell(&Value::Number(format!("-{text}"), false))
}

/// Returns the distinct literal values, in their order.
pub(crate) fn cells(values: &[Sql]) -> Result<Vec<Cell>, Error> {
    let cell = |sql: &Sql| {
        let found = match sql {
            Sql::Value(value) => cell(&value.value),
            Sql::UnaryOp { op: UnaryOperator::Minus, expr } => negative(expr),
            Sql::TypedString(typed) if matches!(typed.data_type, DataType::Date | DataType::Timestamp(..)) => {
                cell(&typed.value.value)
            }
            _ => None,
        };
        let found = found.filter(|cell| !cell.is_null());
        found.ok_or_else(|| Error::at(sql, "a list may contain numbers, texts, TRUE, FALSE, dates and times"))
    };
    let mut cells: Vec<Cell> = Vec::new();
    for value in values {
        let cell = cell(value)?;
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    Ok(cells)
}

/// Returns the domain for a type to cast to. A value that does not fit becomes missing.
fn domain(data_type: &DataType) -> Option<ColumnDomain> {
    let domain = match data_type {
        DataType::Int(None) | DataType::Integer(None) | DataType::BigInt(None) => ColumnDomain::integer(),
        DataType::Double(_) | DataType::DoublePrecision | DataType::Real | DataType::Float(_) => ColumnDomain::float(),
        DataType::Boolean => ColumnDomain::bool(),
        DataType::Text | DataType::Varchar(None) => ColumnDomain::text(),
        DataType::Date => ColumnDomain::date(),
        DataType::Timestamp(..) => ColumnDomain::time(),
        _ => return None,
    };
    Some(domain.with_missing())
}
