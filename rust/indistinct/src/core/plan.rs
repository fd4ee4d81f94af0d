//! How a value was built: a tree of constructors with their parameters.

use super::{Children, Error, ErrorKind, Fallible, children::Planned};
use indistinct_numeric::{Dyadic, Rounding};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// One constructor's call, with what it was given. Plans hold public parameters, never data.
///
/// `serde_json` reads their floats to the last bit with its feature `float_roundtrip`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The constructor's name; `chain` for what `>>` builds.
    pub name: String,
    /// The parameters besides the input space, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<(String, Parameter)>,
    /// The plans of the values it was built from, in order.
    #[serde(default, skip_serializing_if = "Children::is_empty")]
    pub children: Children,
}

pub(crate) const CHAIN: &str = "chain";

/// What stands in a plan for a function of the caller's.
pub(crate) const CALLER_TRUSTED: &str = "caller-trusted";

/// The greatest number of steps one after or inside another.
const MAX_DEPTH: usize = 256;

impl Plan {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.into(), parameters: Vec::new(), children: Children::default() }
    }

    pub(crate) fn parameter(mut self, name: &str, value: &impl ToParameter) -> Self {
        self.parameters.push((name.into(), value.to_parameter()));
        self
    }

    pub(crate) fn caller_trusted(self, name: &str) -> Self {
        self.parameter(name, &CALLER_TRUSTED)
    }

    /// Whether a function of the caller's takes part.
    pub(crate) fn is_caller_trusted(&self) -> bool {
        self.parameters.iter().any(|(_, value)| *value == CALLER_TRUSTED.to_parameter())
    }

    pub(crate) fn child(mut self, value: Arc<impl Planned>) -> Self {
        self.children.push(value);
        self
    }

    /// The constructor of the first step of a chain, or of what is none.
    pub(crate) fn first_step(&self) -> &str {
        self.steps().next().unwrap_or(&self.name)
    }

    /// The constructor of the last one.
    pub(crate) fn last_step(&self) -> &str {
        self.steps().last().unwrap_or(&self.name)
    }

    fn steps(&self) -> impl Iterator<Item = &str> {
        self.children.iter().filter(|_| self.name == CHAIN).map(|step| step.name.as_str())
    }

    /// The plan of two values in sequence; chains of chains are one chain.
    pub(crate) fn chain(first: &Arc<Plan>, second: &Arc<Plan>) -> Fallible<Self> {
        let links = [first, second].into_iter().map(|plan| match plan.name.as_str() {
            CHAIN => plan.children.clone(),
            _ => Children::from(plan.clone()),
        });
        Self { children: links.collect(), ..Self::new(CHAIN) }.checked()
    }

    /// Refuse a construction so deep that evaluating it could exhaust the stack.
    pub(crate) fn checked(self) -> Fallible<Self> {
        let rule = format!("a construction may have at most {MAX_DEPTH} steps, one after or inside another");
        if self.depth() <= MAX_DEPTH { Ok(self) } else { Err(Error::new(ErrorKind::Depth, rule)) }
    }

    /// The number of steps that are evaluated one inside another. Plans are checked at each step, so that this does not
    /// itself go deep.
    fn depth(&self) -> usize {
        if self.children.is_empty() {
            return 1;
        }
        let children = self.children.iter().map(Plan::depth);
        if self.name == CHAIN { children.sum() } else { 1 + children.max().unwrap_or(0) }
    }
}

/// The value of a parameter, as it is stored in a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A finite float.
    Float(f64),
    /// Text; also integers beyond 64 bits and numbers that are not finite.
    Text(String),
    /// Several values.
    List(Vec<Parameter>),
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Parameter::Bool(value) => value.fmt(f),
            Parameter::Integer(value) => value.fmt(f),
            Parameter::Float(value) => write!(f, "{value:?}"),
            Parameter::Text(value) if is_word(value) => value.fmt(f),
            Parameter::Text(value) => write!(f, "{value:?}"),
            Parameter::List(values) => {
                let text = |value: &Parameter| match value {
                    // So that one text is told from two, and none from an empty one.
                    Parameter::Text(value) => format!("{value:?}"),
                    other => other.to_string(),
                };
                match values.as_slice() {
                    [first, .., last] if values.len() > MAX_LISTED => {
                        write!(f, "[{}, .., {}; {} values]", text(first), text(last), values.len())
                    }
                    values => write!(f, "[{}]", values.iter().map(text).collect::<Vec<_>>().join(", ")),
                }
            }
        }
    }
}

/// The most values of a list that are printed one by one.
const MAX_LISTED: usize = 8;

/// Whether a text may stand without quotes: names of types, numbers, fractions; nothing that could pass for another parameter or another line.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.+/^<>".contains(c))
}

/// Types that may be parameters of a constructor.
pub trait ToParameter {
    /// The value as it is stored in a plan.
    fn to_parameter(&self) -> Parameter;
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl ToParameter for $integer {
            fn to_parameter(&self) -> Parameter {
                i64::try_from(*self).map_or_else(|_| Parameter::Text(self.to_string()), Parameter::Integer)
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// -0.0 is 0.0: equal plans are written alike.
impl ToParameter for f64 {
    fn to_parameter(&self) -> Parameter {
        if self.is_finite() { Parameter::Float(*self + 0.0) } else { Parameter::Text(self.to_string()) }
    }
}

impl ToParameter for f32 {
    fn to_parameter(&self) -> Parameter {
        f64::from(*self).to_parameter()
    }
}

/// As the float, where it is one.
impl ToParameter for Dyadic {
    fn to_parameter(&self) -> Parameter {
        self.to_f64_rounded(Rounding::Exact).map_or_else(|_| format!("{self:?}").to_parameter(), |x| x.to_parameter())
    }
}

impl ToParameter for bool {
    fn to_parameter(&self) -> Parameter {
        Parameter::Bool(*self)
    }
}

impl ToParameter for &str {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text((*self).into())
    }
}

impl ToParameter for String {
    fn to_parameter(&self) -> Parameter {
        Parameter::Text(self.clone())
    }
}

impl<A: ToParameter, B: ToParameter> ToParameter for (A, B) {
    fn to_parameter(&self) -> Parameter {
        Parameter::List(vec![self.0.to_parameter(), self.1.to_parameter()])
    }
}

impl<T: ToParameter> ToParameter for Option<T> {
    fn to_parameter(&self) -> Parameter {
        self.as_ref().map_or_else(|| "none".to_parameter(), T::to_parameter)
    }
}

impl<T: ToParameter> ToParameter for Vec<T> {
    fn to_parameter(&self) -> Parameter {
        Parameter::List(self.iter().map(T::to_parameter).collect())
    }
}

/// A parameter that is best told by its own words, such as a domain or a metric.
macro_rules! parameter_by_debug {
    ($(($($generics:tt)*) $type:ty),+ $(,)?) => {$(
        impl<$($generics)*> crate::core::ToParameter for $type {
            fn to_parameter(&self) -> crate::core::Parameter {
                crate::core::Parameter::Text(format!("{self:?}"))
            }
        }
    )+};
}
pub(crate) use parameter_by_debug;

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Arc<Plan> {
        Arc::new(Plan::new(name))
    }

    fn names(plan: &Plan) -> Vec<&str> {
        plan.children.iter().map(|child| child.name.as_str()).collect()
    }

    #[test]
    fn chains_of_chains_are_one_chain() {
        let two = Arc::new(Plan::chain(&named("a"), &named("b")).unwrap());
        let three = Arc::new(Plan::chain(&two, &named("c")).unwrap());
        let five = Plan::chain(&named("z"), &Arc::new(Plan::chain(&three, &named("d")).unwrap())).unwrap();
        assert_eq!((names(&two), names(&three)), (vec!["a", "b"], vec!["a", "b", "c"]));
        assert_eq!((names(&five), five.name.as_str(), five.depth()), (vec!["z", "a", "b", "c", "d"], CHAIN, 5));
    }

    #[test]
    fn steps_one_inside_another_are_counted_and_side_by_side_the_deepest() {
        let wide = Plan::new("wide").child(named("a")).child(Arc::new(Plan::new("b").child(named("c"))));
        assert_eq!((Plan::new("a").depth(), wide.depth()), (1, 3));
        let nested =
            |steps: usize| (1..steps).fold(Plan::new("in"), |inner, _| Plan::new("out").child(Arc::new(inner)));
        assert!(nested(MAX_DEPTH).checked().is_ok());
        assert_eq!(nested(MAX_DEPTH + 1).checked().unwrap_err().kind(), ErrorKind::Depth);
        let half = (1..MAX_DEPTH / 2).fold(named("a"), |all, _| Arc::new(Plan::chain(&all, &named("a")).unwrap()));
        assert!(Plan::chain(&half, &half).is_ok());
        let more = Arc::new(Plan::chain(&half, &named("a")).unwrap());
        assert_eq!(Plan::chain(&half, &more).unwrap_err().kind(), ErrorKind::Depth);
    }

    /// What a caller names can pass for nothing else: no other list, no other parameter, no step of its own.
    #[test]
    fn texts_are_quoted_and_long_lists_shortened() {
        let text = |value: &dyn Fn() -> Parameter| value().to_string();
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>().to_parameter();
        assert_eq!(text(&|| list(&["Z99, other", "a"])), r#"["Z99, other", "a"]"#);
        assert_eq!(text(&|| list(&["Z99", " other", "a"])), r#"["Z99", " other", "a"]"#);
        assert_eq!((text(&|| list(&[""])), text(&|| list(&[]))), (r#"[""]"#.to_owned(), "[]".to_owned()));
        let forged = "a]): 1 row -> epsilon 0.0 [A]\nmake_b(";
        assert!(!text(&|| list(&[forged])).contains('\n') && !text(&|| forged.to_parameter()).contains('\n'));
        for word in ["caller-trusted", "inf", "1/3", "AtomDomain<f64>", "2^70"] {
            assert_eq!(text(&|| word.to_parameter()), word);
        }
        for quoted in ["", "a b", "a,b", "a = b", "a)", "é"] {
            assert_eq!(text(&|| quoted.to_parameter()), format!("{quoted:?}"));
        }
        assert_eq!(text(&|| (1..=8).collect::<Vec<i64>>().to_parameter()), "[1, 2, 3, 4, 5, 6, 7, 8]");
        assert_eq!(text(&|| (1..=24).collect::<Vec<i64>>().to_parameter()), "[1, .., 24; 24 values]");
    }

    #[test]
    fn children_are_compared_and_stored_one_by_one() {
        let plan = Plan::new("both").child(named("a")).child(Arc::new(Plan::new("b").parameter("scale", &0.5)));
        assert!(plan.children != Plan::new("both").child(named("a")).children && plan == plan.clone());
        assert!(!plan.children.is_empty() && Children::default().is_empty());
        let text = serde_json::to_string(&plan).unwrap();
        let read: Plan = serde_json::from_str(&text).unwrap();
        assert_eq!((names(&read), &read), (vec!["a", "b"], &plan));
        assert_eq!(serde_json::to_string(&Plan::new("leaf")).unwrap(), r#"{"name":"leaf"}"#);
    }
}
