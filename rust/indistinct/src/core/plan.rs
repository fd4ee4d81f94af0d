//! Plans of values: trees of constructors with their parameters.

use super::{Domain, Error, ErrorKind, Fallible, Internal, Measure, Metric, Parameter, ToParameter};
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
#[cfg(feature = "serde")]
use std::cell::Cell;
use std::{fmt, sync::Arc};

/// The call of one constructor with its arguments. Plans contain public parameters, never data.
///
/// Two plans are equal if the same constructors were called in the same order, in the same spaces, with the same
/// parameters. Their guarantees are then the same. A plan does not record the code of a user-defined function. So two
/// plans that are not [complete](Plan::is_complete) may be equal although their functions differ.
///
/// Floats in plans are stored as text, so that every bit is kept ([`Parameter`]). Reading a plan fails if it has no
/// space, or if it stores a float as a number.
///
/// ```
/// use indistinct::prelude::*;
/// let f64s = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1.0)?;
/// let i64s = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1.0)?;
/// assert!(f64s.plan() != i64s.plan() && f64s.plan().is_complete());
/// assert_eq!(f64s.plan().space.to_string(), "AtomDomain<f64>, AbsoluteDistance -> MaxDivergence");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Plan {
    /// The constructor's name; `chain` for values built with `>>`.
    pub name: String,
    /// The input and output space.
    pub space: Space,
    /// The parameters other than the input space, in order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub parameters: Vec<(String, Parameter)>,
    /// The plans of the values from which it was built, in order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Children::is_empty"))]
    pub children: Children,
}

/// The input and output space as text: domains, metrics and measures with their types.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
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

    /// Returns the spaces of a post-processing function, which costs nothing under the measure.
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

/// Marks a user-defined function or domain in a plan.
pub(crate) const CALLER_TRUSTED: &str = "caller-trusted";

/// The maximum number of steps in sequence or nested.
const MAX_DEPTH: usize = 256;

/// The maximum total number of steps, each counted as often as it takes part, which limits the time of a map or a
/// release. A million measurements of three steps each can be composed.
const MAX_STEPS: usize = 1 << 22;

/// Returns an error if the steps are so deep that they could exhaust the stack.
fn check_depth(depth: usize) -> Fallible<()> {
    let rule = || format!("a construction may have at most {MAX_DEPTH} consecutive or nested steps, not {depth}");
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

    /// Returns this plan on an input domain, marked as caller-trusted if the domain is user-defined.
    pub(crate) fn on(self, input_domain: &impl Domain) -> Self {
        if input_domain.is_callers_own(Internal) { self.caller_trusted("input_domain") } else { self }
    }

    /// Returns true if a user-defined function or domain takes part.
    pub(crate) fn is_caller_trusted(&self) -> bool {
        self.parameters.iter().any(|(_, value)| *value == CALLER_TRUSTED.to_parameter())
    }

    /// Returns true if the plan determines the guarantee: neither this step nor the steps from which it was built use a
    /// user-defined function.
    pub fn is_complete(&self) -> bool {
        !self.is_caller_trusted() && self.children.iter().all(Plan::is_complete)
    }

    pub(crate) fn child(mut self, value: Arc<impl Planned>) -> Self {
        self.children.push(value);
        self
    }

    /// Returns the constructor of the first step of a chain, or of a single step.
    pub(crate) fn first_step(&self) -> &str {
        self.steps().next().unwrap_or(&self.name)
    }

    /// Returns the constructor of the last step.
    pub(crate) fn last_step(&self) -> &str {
        self.steps().last().unwrap_or(&self.name)
    }

    fn steps(&self) -> impl Iterator<Item = &str> {
        self.children.iter().filter(|_| self.name == CHAIN).map(|step| step.name.as_str())
    }

    /// Returns the plan of two values in sequence. Chains of chains become one chain.
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

    /// Returns an error for a construction so deep that evaluating it could exhaust the stack, or too large to
    /// evaluate.
    pub(crate) fn checked(self) -> Fallible<Self> {
        let Extent { steps, deepest, .. } = self.extent();
        check_depth(deepest)?;
        let rule = || format!("a construction may have at most {MAX_STEPS} steps in total, not {steps}");
        if steps <= MAX_STEPS { Ok(self) } else { Err(Error::new(ErrorKind::Depth, rule())) }
    }

    /// Returns the size of this plan, computed from the sizes stored in its children.
    fn extent(&self) -> Extent {
        let below = self.children.extent();
        let inside = below.deepest.saturating_add(1);
        // The steps of a chain are evaluated one inside another.
        let depth = if self.name == CHAIN { below.sequence.max(inside) } else { inside };
        Extent { steps: below.steps.saturating_add(1), sequence: depth, deepest: depth }
    }
}

/// Plans, in order. They are stored in the values that were built, and shared by reference.
///
/// No plan exceeds the limits of depth and size, so every traversal ends and fits the stack.
#[derive(Clone, Default)]
pub struct Children {
    holders: Vec<Arc<dyn Planned>>,
    extent: Extent,
}

/// The size of these plans, computed as they are added.
#[derive(Debug, Clone, Copy, Default)]
struct Extent {
    /// The number of all steps, each counted as often as it occurs.
    steps: usize,
    /// The sum of all depths.
    sequence: usize,
    /// The largest depth.
    deepest: usize,
}

impl Extent {
    fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            sequence: self.sequence.saturating_add(other.sequence),
            deepest: self.deepest.max(other.deepest),
        }
    }
}

/// Values that have a plan: of one constructor, or of several.
pub(crate) trait Planned: Send + Sync + 'static {
    fn plans(&self) -> Vec<&Plan>;
}

impl Planned for Plan {
    fn plans(&self) -> Vec<&Plan> {
        vec![self]
    }
}

impl Children {
    /// Iterates over the plans.
    pub fn iter(&self) -> impl Iterator<Item = &Plan> {
        self.holders.iter().flat_map(|holder| holder.plans())
    }

    /// Returns true if the plan has no steps.
    pub fn is_empty(&self) -> bool {
        self.extent.steps == 0
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn push(&mut self, holder: Arc<impl Planned>) {
        self.extent = holder.plans().into_iter().map(Plan::extent).fold(self.extent, Extent::and);
        self.holders.push(holder);
    }

    fn join(&mut self, other: Children) {
        self.extent = self.extent.and(other.extent);
        self.holders.extend(other.holders);
    }
}

/// Returns an error if one of the plans exceeds the limits of depth and size.
impl TryFrom<Vec<Plan>> for Children {
    type Error = super::Error;

    fn try_from(plans: Vec<Plan>) -> Fallible<Self> {
        let mut children = Self::default();
        for plan in plans {
            children.push(Arc::new(plan.checked()?));
        }
        Ok(children)
    }
}

impl PartialEq for Children {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Children {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
impl Serialize for Children {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Reading stops on the way down, before it could exhaust the stack.
#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for Children {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter().map_err(D::Error::custom)?;
        Self::try_from(Vec::<Plan>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(feature = "serde")]
thread_local! {
    /// The number of nested lists of children that are being read.
    static LEVELS: Cell<usize> = const { Cell::new(0) };
}

/// One list of children that is being read.
#[cfg(feature = "serde")]
struct Level;

#[cfg(feature = "serde")]
impl Level {
    fn enter() -> Fallible<Self> {
        let levels = LEVELS.get();
        check_depth(levels)?;
        LEVELS.set(levels.saturating_add(1));
        Ok(Self)
    }
}

#[cfg(feature = "serde")]
impl Drop for Level {
    fn drop(&mut self) {
        LEVELS.set(LEVELS.get().saturating_sub(1));
    }
}

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

    /// Plans by hand, deeper than a stack: refused as they grow, also where they pass for chains.
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
    }

    /// Nor is one read; and the next one that is read is not charged for it.
    #[cfg(feature = "serde")]
    #[test]
    fn no_plan_is_read_deeper_than_a_stack() {
        assert!(
            Plan::deserialize(Endless).unwrap_err().to_string().contains("at most 256 consecutive or nested steps")
        );
        let text = serde_json::to_string(&Plan::new("a").child(named("b"))).unwrap();
        assert!(serde_json::from_str::<Plan>(&text).is_ok());
    }

    /// A plan that is the child of itself, in a format without a limit of its own.
    #[cfg(feature = "serde")]
    struct Endless;

    #[cfg(feature = "serde")]
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
    #[cfg(feature = "serde")]
    struct Fields(u8);

    #[cfg(feature = "serde")]
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

    #[cfg(feature = "serde")]
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
    fn children_are_compared_one_by_one() {
        let plan = Plan::new("both").child(named("a")).child(Arc::new(Plan::new("b").parameter("scale", &0.5)));
        assert!(plan.children != Plan::new("both").child(named("a")).children && plan == plan.clone());
        assert!(!plan.children.is_empty() && Children::default().is_empty());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn children_are_stored_one_by_one() {
        let plan = Plan::new("both").child(named("a")).child(Arc::new(Plan::new("b").parameter("scale", &0.5)));
        let text = serde_json::to_string(&plan).unwrap();
        let read: Plan = serde_json::from_str(&text).unwrap();
        assert_eq!((names(&read), &read), (vec!["a", "b"], &plan));
        let leaf = Plan::new("leaf").between(Space { input: "a".into(), output: "b".into() });
        let text = serde_json::to_string(&leaf).unwrap();
        assert_eq!(text, r#"{"name":"leaf","space":{"input":"a","output":"b"}}"#);
    }
}
