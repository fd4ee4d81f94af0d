//! How a value was built: a tree of constructors with their parameters.

use super::{
    Children, Domain, Error, ErrorKind, Fallible, Internal, Measure, Metric,
    children::{Extent, Planned},
};
use indistinct_numeric::{Dyadic, Rounding};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// One constructor's call, with what it was given. Plans hold public parameters, never data.
///
/// Plans are equal if the same constructors were called in the same order, in the same spaces, with the same
/// parameters: then the guarantees
/// are the same. What a caller's own function does no plan can tell: two plans that are not
/// [complete](Plan::is_complete) may be equal although
/// the functions differ.
///
/// `serde_json` reads their floats to the last bit with its feature `float_roundtrip`. A plan without a space is
/// refused when it is read.
///
/// ```
/// use indistinct::prelude::*;
/// let f64s = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1.0)?;
/// let i64s = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1.0)?;
/// assert!(f64s.plan() != i64s.plan() && f64s.plan().is_complete());
/// assert_eq!(f64s.plan().space.to_string(), "AtomDomain<f64>, AbsoluteDistance<f64> -> MaxDivergence");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The constructor's name; `chain` for what `>>` builds.
    pub name: String,
    /// Between which spaces the value leads.
    pub space: Space,
    /// The parameters besides the input space, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<(String, Parameter)>,
    /// The plans of the values it was built from, in order.
    #[serde(default, skip_serializing_if = "Children::is_empty")]
    pub children: Children,
}

/// Two spaces in the words of their domains, metrics and measures, types included.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Space {
    /// The input domain and metric.
    pub input: String,
    /// The output domain and metric of a transformation; the output measure of a measurement.
    pub output: String,
}

impl Space {
    pub(crate) fn of_transformation(input: (&impl Domain, &impl Metric), output: (&impl Domain, &impl Metric)) -> Self {
        Self { input: format!("{:?}, {:?}", input.0, input.1), output: format!("{:?}, {:?}", output.0, output.1) }
    }

    pub(crate) fn of_measurement(input: (&impl Domain, &impl Metric), measure: &impl Measure) -> Self {
        Self { input: format!("{:?}, {:?}", input.0, input.1), output: format!("{measure:?}") }
    }

    /// Of a function of a release, which costs nothing under the measure.
    pub(crate) fn of_postprocessing(measure: &impl Measure) -> Self {
        Self { input: format!("{measure:?}"), output: format!("{measure:?}") }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.input, self.output)
    }
}

pub(crate) const CHAIN: &str = "chain";

/// What stands in a plan for a function or a domain of the caller's.
pub(crate) const CALLER_TRUSTED: &str = "caller-trusted";

/// The greatest number of steps one after or inside another.
const MAX_DEPTH: usize = 256;

/// The greatest number of steps in all, each counted as often as it takes part: what a map or a release takes time
/// for. A million measurements
/// of three steps each may be composed.
const MAX_STEPS: usize = 1 << 22;

/// An error, if so many steps one after or inside another could exhaust the stack.
pub(super) fn check_depth(depth: usize) -> Fallible<()> {
    let rule =
        || format!("a construction may have at most {MAX_DEPTH} steps, one after or inside another, not {depth}");
    if depth <= MAX_DEPTH { Ok(()) } else { Err(Error::new(ErrorKind::Depth, rule())) }
}

impl Plan {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.into(), space: Space::default(), parameters: Vec::new(), children: Children::default() }
    }

    pub(crate) fn between(self, space: Space) -> Self {
        Self { space, ..self }
    }

    pub(crate) fn parameter(mut self, name: &str, value: &impl ToParameter) -> Self {
        self.parameters.push((name.into(), value.to_parameter()));
        self
    }

    pub(crate) fn caller_trusted(self, name: &str) -> Self {
        self.parameter(name, &CALLER_TRUSTED)
    }

    /// This plan on an input domain, which is trusted if it is a caller's own.
    pub(crate) fn on(self, input_domain: &impl Domain) -> Self {
        if input_domain.is_callers_own(Internal) { self.caller_trusted("input_domain") } else { self }
    }

    /// Whether a function or a domain of the caller's takes part.
    pub(crate) fn is_caller_trusted(&self) -> bool {
        self.parameters.iter().any(|(_, value)| *value == CALLER_TRUSTED.to_parameter())
    }

    /// Whether the plan says all that decides the guarantee: no function of the caller's takes part, in this step or
    /// one that it was built from.
    pub fn is_complete(&self) -> bool {
        !self.is_caller_trusted() && self.children.iter().all(Plan::is_complete)
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
        let space = Space { input: first.space.input.clone(), output: second.space.output.clone() };
        let mut chain = Self::new(CHAIN).between(space);
        for plan in [first, second] {
            match plan.name.as_str() {
                CHAIN => chain.children.join(plan.children.clone()),
                _ => chain.children.push(plan.clone()),
            }
        }
        chain.checked()
    }

    /// Refuse a construction so deep that evaluating it could exhaust the stack, or so large that it would not end.
    pub(crate) fn checked(self) -> Fallible<Self> {
        let Extent { steps, deepest, .. } = self.extent();
        check_depth(deepest)?;
        let rule = || format!("a construction may have at most {MAX_STEPS} steps in all, not {steps}");
        if steps <= MAX_STEPS { Ok(self) } else { Err(Error::new(ErrorKind::Depth, rule())) }
    }

    /// How large this plan is. What it was built from is not looked at again.
    pub(super) fn extent(&self) -> Extent {
        let below = self.children.extent();
        let inside = below.deepest.saturating_add(1);
        // The steps of a chain are evaluated one inside another.
        let depth = if self.name == CHAIN { below.sequence.max(inside) } else { inside };
        Extent { steps: below.steps.saturating_add(1), sequence: depth, deepest: depth }
    }
}

/// The value of a parameter, as it is stored in a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// Nothing.
    None,
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
            Parameter::None => f.write_str("none"),
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
///
/// Promise: two values of one type have the same parameter only if constructors make the same of them.
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

/// Nothing where there is none; a value that would itself be told as nothing, in a list or in none, stands in one
/// more list.
impl<T: ToParameter> ToParameter for Option<T> {
    fn to_parameter(&self) -> Parameter {
        fn is_nothing(value: &Parameter) -> bool {
            match value {
                Parameter::None => true,
                Parameter::List(values) => matches!(values.as_slice(), [value] if is_nothing(value)),
                _ => false,
            }
        }
        let Some(value) = self else { return Parameter::None };
        match value.to_parameter() {
            nothing if is_nothing(&nothing) => Parameter::List(vec![nothing]),
            value => value,
        }
    }
}

impl<T: ToParameter> ToParameter for Vec<T> {
    fn to_parameter(&self) -> Parameter {
        Parameter::List(self.iter().map(T::to_parameter).collect())
    }
}

/// A parameter that is best told by its own words, such as a domain or a metric; they say the types.
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
        assert_eq!(
            (names(&five), five.name.as_str(), five.extent().deepest),
            (vec!["z", "a", "b", "c", "d"], CHAIN, 5)
        );
    }

    #[test]
    fn steps_one_inside_another_are_counted_and_side_by_side_the_deepest() {
        let wide = Plan::new("wide").child(named("a")).child(Arc::new(Plan::new("b").child(named("c"))));
        assert_eq!((Plan::new("a").extent().deepest, wide.extent().deepest), (1, 3));
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
    fn steps_are_counted_as_often_as_they_take_part() {
        let mut plan = Plan::new("a");
        for doublings in 1..MAX_STEPS.ilog2() - 1 {
            let half = Arc::new(plan);
            plan = Plan::new("both").child(half.clone()).child(half);
            assert_eq!(plan.extent().steps, (1 << (doublings + 1)) - 1);
        }
        let half = Arc::new(plan.checked().unwrap());
        let whole = Plan::new("both").child(half.clone()).child(half);
        assert_eq!(whole.clone().checked().unwrap().extent().steps, MAX_STEPS - 1);
        let more = Plan::new("in").child(Arc::new(whole));
        let error = Plan::new("in").child(Arc::new(more.clone())).checked().unwrap_err();
        assert!(more.checked().is_ok());
        assert_eq!(error.kind(), ErrorKind::Depth);
        assert_eq!(error.to_string().matches("4194305").count(), 1, "{error}");
    }

    /// Plans by hand, deeper than a stack: refused as they grow, also where they pass for chains, and by any way of
    /// reading.
    #[test]
    fn no_plan_is_deeper_than_a_stack() {
        for name in ["a", CHAIN] {
            let mut plan = Plan::new(name);
            let refused = (0..300_000).find_map(|level| match Children::try_from(vec![plan.clone()]) {
                Ok(children) => {
                    plan = Plan { children, ..Plan::new(name) };
                    None
                }
                Err(error) => Some((level, error.kind())),
            });
            assert_eq!(refused, Some((MAX_DEPTH, ErrorKind::Depth)));
            assert!(plan == plan.clone() && !format!("{plan:?}").is_empty());
        }
        assert!(Plan::deserialize(Endless).unwrap_err().to_string().contains("at most 256 steps"));
        // And the next one that is read is not charged for it.
        let text = serde_json::to_string(&Plan::new("a").child(named("b"))).unwrap();
        assert!(serde_json::from_str::<Plan>(&text).is_ok());
    }

    /// A plan that is the child of itself, in a format without a limit of its own.
    struct Endless;

    impl<'de> serde::Deserializer<'de> for Endless {
        type Error = serde::de::value::Error;

        fn deserialize_any<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            visitor.visit_map(Fields(0))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
            seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    /// Its fields: the name, then the children.
    struct Fields(u8);

    impl<'de> serde::de::MapAccess<'de> for Fields {
        type Error = serde::de::value::Error;

        fn next_key_seed<K: serde::de::DeserializeSeed<'de>>(
            &mut self,
            seed: K,
        ) -> Result<Option<K::Value>, Self::Error> {
            self.0 += 1;
            let name = match self.0 {
                1 => "name",
                2 => "children",
                _ => return Ok(None),
            };
            seed.deserialize(serde::de::value::StrDeserializer::new(name)).map(Some)
        }

        fn next_value_seed<V: serde::de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Self::Error> {
            match self.0 {
                1 => seed.deserialize(serde::de::value::StrDeserializer::new("a")),
                _ => seed.deserialize(serde::de::value::SeqAccessDeserializer::new(Fields(1))),
            }
        }
    }

    impl<'de> serde::de::SeqAccess<'de> for Fields {
        type Error = serde::de::value::Error;

        fn next_element_seed<T: serde::de::DeserializeSeed<'de>>(
            &mut self,
            seed: T,
        ) -> Result<Option<T::Value>, Self::Error> {
            self.0 += 1;
            if self.0 > 2 { Ok(None) } else { seed.deserialize(Endless).map(Some) }
        }
    }

    #[test]
    fn children_are_compared_and_stored_one_by_one() {
        let plan = Plan::new("both").child(named("a")).child(Arc::new(Plan::new("b").parameter("scale", &0.5)));
        assert!(plan.children != Plan::new("both").child(named("a")).children && plan == plan.clone());
        assert!(!plan.children.is_empty() && Children::default().is_empty());
        let text = serde_json::to_string(&plan).unwrap();
        let read: Plan = serde_json::from_str(&text).unwrap();
        assert_eq!((names(&read), &read), (vec!["a", "b"], &plan));
        let leaf = Plan::new("leaf").between(Space { input: "a".into(), output: "b".into() });
        let text = serde_json::to_string(&leaf).unwrap();
        assert_eq!(text, r#"{"name":"leaf","space":{"input":"a","output":"b"}}"#);
    }
}
